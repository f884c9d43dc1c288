//! Worked plans as the replies of a sure model: what comes of a right plan, and what of a wrong one?
//!
//! A sample of the worked plans is taken out of the prompt file, so that nothing is learnt from them. Each is a
//! request with its plan. Its notes get texts on which the plan can be carried out, and the real loop works on
//! the request, while a scripted server answers with the plan or with a wrong one. No model is needed, so a rule
//! that mends wrong plans can be weighed against the right plans that it undoes.

mod case;
mod outcome;

use crate::lab::{Lab, loaded, messages, write};
use crate::on_every_core;
use crate::peer::{Peer, Step as Answer};
use crate::random::Random;
use case::{Case, cases_of};
use kjxlkj_agent::config::{self, Constrain};
use kjxlkj_agent::core::agent::Protocol;
use kjxlkj_agent::core::prompt::PromptFile;
use kjxlkj_agent::core::run::RunState;
use outcome::{Counts, Outcome, differences};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The probability that the server reports for the first word of a plan.
const CERTAINTY: f64 = 0.97;

/// The time that each call takes, in milliseconds.
const CALL_MS: i64 = 5;

/// The share of right plans that may be done wrongly and called done, in percent.
const FALSE_SHARE_MAX: u64 = 3;

/// Carries out that many worked plans, and each of them in some wrong ways. Prints what came of them, and with
/// `is_verbose` each that was done wrongly and called done. Returns the number of right plans above the bound.
pub(crate) fn campaign(count: u64, seed: u64, is_verbose: bool) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    config::init(folder.path()).unwrap();
    let path = folder.path().join("data/agent-prompt.json");
    let file: Value = serde_json::from_str(&crate::lab::read(&path)).unwrap();
    let (file, cases) = cases_of(file, usize::try_from(count).unwrap(), &mut Random(seed));
    write(&path, &file.to_string());
    let prompt = loaded(folder.path()).prompt;
    let counts: Mutex<BTreeMap<&str, Counts>> = Mutex::default();
    on_every_core(0..u64::try_from(cases.len()).unwrap(), |number| {
        let case = &cases[usize::try_from(number).unwrap()];
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        let (outcome, differences) = runtime.block_on(play(case, &prompt));
        if is_verbose && outcome == Outcome::FalseSuccess {
            println!(
                "{}: {:?}\n  notes: {:?}\n  right: {:?}\n  said: {:?}\n  {differences:?}",
                case.kind, case.request, case.notes, case.plan, case.reply
            );
        }
        let mut counts = counts.lock().unwrap();
        counts.entry(case.kind).or_default().count(outcome);
    });
    let counts = counts.into_inner().unwrap();
    println!("| plan | as asked | as asked, and doubted | not done | wrong, and called done |");
    println!("|---|--:|--:|--:|--:|");
    for (kind, counts) in &counts {
        println!("| {kind} | {counts} |");
    }
    let right = counts.get(case::RIGHT).copied().unwrap_or_default();
    let bound = (right.all() * FALSE_SHARE_MAX).div_ceil(100);
    println!("{} performed, seed {seed}", cases.len());
    right.of(Outcome::FalseSuccess).saturating_sub(bound)
}

/// Has the loop work on the request of a case. Returns what came of it, and how the notes differ from what the
/// right plan makes of them.
async fn play(case: &Case, prompt: &PromptFile) -> (Outcome, Vec<String>) {
    let is_asked = Arc::new(AtomicBool::new(false));
    let clock = Arc::new(OnceLock::new());
    let peer = {
        let (case, is_asked, clock) = (case.clone(), Arc::clone(&is_asked), Arc::clone(&clock));
        Peer::answering(move |request, index| {
            if let Some(clock) = clock.get() {
                let clock: &Arc<crate::lab::ManualClock> = clock;
                clock.advance(CALL_MS);
            }
            if is_asked.load(Ordering::SeqCst) {
                let messages = messages(&request.json());
                let reply = case.reply_to(messages.last().map_or("", String::as_str));
                Answer::probable(&reply, CERTAINTY)
            } else if index == 0 {
                Answer::reply(&case.notes_as_instructions())
            } else {
                Answer::reply("<ram_add><key>think_log</key><value>done</value></ram_add>")
            }
        })
    };
    let mut lab = Lab::with_peer(peer);
    assert!(clock.set(Arc::clone(&lab.clock)).is_ok(), "it is set once");
    lab.prompt = prompt.clone();
    lab.config.provider.constrain = Constrain::Off;
    lab.config.r#loop.loop_delay_ms = 0;
    lab.config.r#loop.protocol = Protocol::Xml;
    lab.config.r#loop.max_iterations = Some(4);
    lab.run("Write them down.").await;
    let before = lab.texts().into_iter().collect();
    is_asked.store(true, Ordering::SeqCst);
    lab.config.r#loop.protocol = Protocol::Steps;
    lab.config.r#loop.max_iterations = None;
    let run = lab.run(&case.request).await;
    let differences = differences(&case.plan, &before, &lab.texts().into_iter().collect());
    let outcome = match (run.state == RunState::Succeeded, differences.is_empty()) {
        (true, true) => Outcome::Done,
        (false, true) => Outcome::Doubted,
        (false, false) => Outcome::NotDone,
        (true, false) => Outcome::FalseSuccess,
    };
    (outcome, differences)
}
