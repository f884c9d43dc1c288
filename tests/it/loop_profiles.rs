//! What an agent does with its idle time: the words of each profile, the pauses, and that an idle run is
//! judged like any other.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::tools::set;
use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, live, loaded, messages, read, stop_after};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config;
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::prompt::TokenMeter;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{Clock as _, FileEvents};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::CallFuture;
use kjxlkj_agent::store::FileChanges;
use kjxlkj_agent::time::DAY_MS;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

/// A laboratory whose configuration file names the profile, loaded as a start loads it.
fn lab_with(profile: IdleProfile, answer: impl Fn(usize) -> String + Send + Sync + 'static) -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(move |_, index| Step::reply(&answer(index))));
    load(&mut lab, profile);
    lab.config.r#loop.idle_delay_ms = 5000;
    lab
}

/// Takes the prompt file as it is for a profile, and gives the warnings.
fn load(lab: &mut Lab, profile: IdleProfile) -> Vec<String> {
    let path = lab.path("data/config.json");
    let mut file: Value = serde_json::from_str(&read(&path)).unwrap();
    file["loop"]["idle_profile"] = json!(profile.name());
    lab.write("data/config.json", &file.to_string());
    let loaded = loaded(lab.root());
    lab.prompt = loaded.prompt;
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab.config.r#loop = loaded.config.r#loop;
    let warnings = loaded.warnings.into_iter();
    warnings.map(|warning| warning.to_string()).collect()
}

/// Lives until so many iterations are committed.
async fn live_for(lab: &mut Lab, commits: usize) {
    let mut agent = lab.start();
    stop_after(lab, commits);
    live(&mut agent).await;
    agent.close().unwrap();
}

/// The time between the ends of the runs, in milliseconds.
fn gaps(lab: &Lab) -> Vec<i64> {
    let runs = lab.runs();
    let ends: Vec<i64> = runs
        .iter()
        .map(|run| run.completed_at.unwrap().millis)
        .collect();
    ends.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[tokio::test]
async fn an_idle_prompt_has_the_words_of_its_profile_and_of_no_other() {
    let labels = [
        "[idle words]",
        "[idle_creative words]",
        "[idle_enrich words]",
    ];
    for (profile, own) in [
        (IdleProfile::Maintenance, 0),
        (IdleProfile::Creative, 1),
        (IdleProfile::Enrich, 2),
    ] {
        let mut lab = lab_with(profile, |_| ram_add("think_log", "-"));
        live_for(&mut lab, 5).await;
        assert!(
            lab.runs()[1..]
                .iter()
                .all(|run| run.trigger == Trigger::Idle)
        );
        for index in 0..5 {
            let text = lab.prompt_text(index);
            // The first three are the round of the first start.
            for (at, label) in labels.iter().enumerate() {
                let wanted = index >= 3 && at == own;
                assert_eq!(text.contains(label), wanted, "{profile:?} {index}: {text}");
            }
            assert_eq!(text.contains("<state>idle</state>"), index >= 3);
        }
    }
}

#[tokio::test]
async fn a_sleeping_agent_asks_nothing() {
    let mut lab = lab_with(IdleProfile::Sleep, |_| ram_add("think_log", "-"));
    let mut agent = lab.start();
    let stop = lab.stopper();
    lab.clock.at_wait(500, move || stop.stop());
    live(&mut agent).await;
    agent.close().unwrap();
    assert_eq!(lab.runs().len(), 1);
    assert_eq!(lab.peer.request_count(), 3);
}

/// A prompt file from before there were profiles goes on working, and the person is told.
#[tokio::test]
async fn a_profile_without_words_of_its_own_uses_those_of_idle() {
    let mut lab = lab_with(IdleProfile::Maintenance, |_| ram_add("think_log", "-"));
    let path = lab.path("data/agent-prompt.json");
    let old = read(&path).replace("idle_creative", "default");
    lab.write("data/agent-prompt.json", &old);
    let warnings = load(&mut lab, IdleProfile::Creative);
    assert!(
        warnings
            .iter()
            .any(|it| it.contains("loop.idle_profile") && it.contains("`idle_creative`")),
        "{warnings:?}"
    );
    live_for(&mut lab, 4).await;
    assert!(lab.prompt_text(3).contains("[idle words]"));
    assert!(!lab.prompt_text(3).contains("[idle_enrich words]"));
    let warnings = load(&mut lab, IdleProfile::Enrich);
    assert!(!warnings.iter().any(|it| it.contains("idle_profile")));
}

/// The pause doubles while nothing but `think_log` changes, whatever the profile, and is short again
/// after a change of a note, of storage or of RAM.
#[tokio::test]
async fn idle_pauses_double_until_something_changes() {
    let changes = [
        (IdleProfile::Maintenance, ram_add("colour", "amaranth")),
        (
            IdleProfile::Creative,
            record_add("Scene", "A seal in a coat."),
        ),
        (IdleProfile::Enrich, set("/storage/kettle", "Vinegar.")),
    ];
    for (profile, change) in changes {
        let mut lab = lab_with(profile, move |index| {
            if index == 6 {
                change.clone()
            } else {
                ram_add("think_log", &index.to_string())
            }
        });
        lab.config.r#loop.idle_delay_max_ms = 20_000;
        live_for(&mut lab, 9).await;
        let expected = [5000, 10_000, 20_000, 20_000, 5000, 10_000];
        assert_eq!(gaps(&lab), expected, "{profile:?}");
    }
}

#[tokio::test]
async fn an_unattended_agent_that_enriches_fills_the_storage() {
    let mut lab = lab_with(IdleProfile::Enrich, |index| {
        set(&format!("/storage/facts/f{index}"), "A fact.") + &ram_add("think_log", "-")
    });
    lab.config.memory.children_max = 1000;
    let mut entries = 0;
    for _ in 0..5 {
        live_for(&mut lab, 20).await;
        let file: Value = serde_json::from_str(&lab.text("data/storage.json")).unwrap();
        let now = file["facts"].as_object().unwrap().len();
        assert!(now >= entries + 20, "{now} after {entries}");
        entries = now;
    }
    assert!(lab.runs().iter().all(|run| run.request.is_none()));
}

/// An idle run is judged like any other: what was refused and not made good fails it, with the
/// refusal's code. It harms nothing, and the same work is not offered for ever.
#[tokio::test]
async fn an_idle_run_whose_change_is_refused_fails_with_its_code() {
    let refused = "<record_update><key>No such note</key><value>x</value></record_update>";
    let mut lab = lab_with(IdleProfile::Maintenance, move |index| match index {
        1 => {
            record_add("Paper", "The bins go out on Friday")
                + &record_add("Waste", "the bins go out on friday")
        }
        3 => refused.to_owned(),
        _ => ram_add("think_log", "-"),
    });
    lab.config.notes.organize_every = 1;
    live_for(&mut lab, 6).await;
    let runs = lab.runs();
    let told: Vec<_> = runs
        .iter()
        .map(|run| (run.trigger, run.state, run.error_code))
        .collect();
    assert_eq!(
        told[1..3],
        [
            (Trigger::Idle, RunState::Failed, Some(Code::RecordNotFound)),
            (Trigger::Idle, RunState::Succeeded, None),
        ]
    );
    let offering = (0..lab.peer.request_count())
        .filter(|index| lab.prompt_text(*index).contains("<op>same?</op>"));
    assert_eq!(offering.count(), 1);
    assert_eq!(gaps(&lab)[1], 10_000, "the pause grows");
}

/// Tells of no change, ever.
#[derive(Debug)]
pub(crate) struct Untouched;

impl FileEvents for Untouched {
    fn changed(&mut self) -> CallFuture<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn take(&mut self) -> std::io::Result<FileChanges> {
        Ok(FileChanges::default())
    }
}

/// The calls of a day with nothing to do, and the tokens of their prompts by the bare estimate.
async fn day(profile: IdleProfile) -> (usize, usize) {
    let asked = Arc::new(Mutex::new((0, 0)));
    let counted = Arc::clone(&asked);
    let mut lab = Lab::with_peer(Peer::answering(move |request, _| {
        let texts = messages(&request.json());
        let tokens = texts.iter().map(|text| TokenMeter::bare().text(text));
        let mut counted = counted.lock().unwrap();
        *counted = (counted.0 + 1, counted.1 + tokens.sum::<usize>());
        Step::reply(&ram_add("think_log", "Nothing is to be done."))
    }));
    lab.write("data/agent-prompt.json", config::SHIPPED_PROMPT);
    load(&mut lab, profile);
    // The first start, which asks for a round of work.
    live_for(&mut lab, 3).await;
    *asked.lock().unwrap() = (0, 0);
    let mut agent = lab.start();
    agent.watch_by(Box::new(Untouched));
    let end = lab.clock.now().plus_millis(DAY_MS);
    lab.clock.at_time(end, {
        let stop = lab.stopper();
        move || stop.stop()
    });
    live(&mut agent).await;
    agent.close().unwrap();
    let asked = asked.lock().unwrap();
    *asked
}

/// What the topic `loop` says of a day with nothing to do is what happens in one.
#[tokio::test]
async fn a_day_with_nothing_to_do_costs_what_the_help_says() {
    let mut told = String::new();
    for profile in IdleProfile::ALL {
        let (calls, tokens) = day(profile).await;
        let thousands = (tokens + 500) / 1000;
        writeln!(told, "| `{}` | {calls} | {thousands},000 |", profile.name()).unwrap();
    }
    let told = told.replace(" 0,000 |", " 0 |");
    let page = include_str!("../../src/help/loop.md");
    assert!(page.contains(&told), "the topic should say:\n{told}");
}
