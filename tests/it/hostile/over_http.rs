//! One script over HTTP: the real adapter, a peer that lies, and a real folder.

use super::attack::Attacker;
use super::fields::FOREIGN;
use super::ledger::{Ledger, Tree};
use super::life::{
    Account, HONEST_ITERATIONS, accounted, commit, commits_in, granted, home, notes,
};
use super::server::lie;
use super::stage::{Bounds, Honest, Prompter, Shared};
use crate::lab::Lab;
use crate::peer::{Peer, Request, Step};
use crate::random::Random;
use kjxlkj_agent::config::{ProviderConfig, ProviderKind, Secret};
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::{
    Agent, Boot, Clock, Halt, OutagePolicy, Servers, hold, open, stop_pair, store_options,
};
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::provider::connect;
use kjxlkj_agent::store::Store;
use kjxlkj_agent::store::disk::RealDisk;
use std::sync::Arc;

/// How long an answer may take and how long it may be silent, in milliseconds: what lies, lies at once.
const PATIENCE_MS: u64 = 400;

/// Attempts at one iteration of a run whose server lies.
const ATTEMPTS_MAX: u32 = 200;

/// Iterations of a run.
const ITERATIONS: u64 = 4;

/// Questions that reach the peer for one iteration: each attempt may end by a lie, which the peer tells
/// after it was asked.
const REPLIES: u32 = 8 * ATTEMPTS_MAX;

/// What a server may ask for at most.
const MONTH_MS: i64 = 32 * 86_400_000;

/// The key that stands in no file.
const KEY: &str = "sk-canary-5c0a7e91d2b34f68";

/// A peer that answers as the stage says.
fn peer(stage: &Shared, elsewhere: String) -> Peer {
    let stage = stage.clone();
    Peer::answering(move |request: &Request, _| {
        let prompt = String::from_utf8_lossy(&request.body).into_owned();
        let mut stage = stage.look();
        let text = stage.says(&prompt);
        if stage.honest.is_some() {
            return Step::reply(&text);
        }
        lie(&mut stage.attacker.random, &text, &elsewhere)
    })
}

/// Every file of the laboratory, without what only says who holds it.
fn tree(lab: &Lab) -> Tree {
    let root = lab.root().to_owned();
    let files = lab.data_files().into_iter();
    let named = files.map(|(path, bytes)| {
        let path = path
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        (path, bytes)
    });
    named.collect()
}

fn start(lab: &Lab, stage: &Shared) -> Agent {
    let (handle, stop) = stop_pair();
    stage.look().stop = Some(handle);
    let boot = Boot {
        config: lab.config.clone(),
        prompt: lab.prompt.clone(),
        servers: Servers::only(connect(&lab.config.provider, None).unwrap()),
        patience: OutagePolicy::None,
        clock: Arc::clone(&lab.clock) as Arc<dyn Clock>,
        stop,
        observer: Box::new(Prompter(stage.clone())),
    };
    open(hold(lab.root()).unwrap(), boot).unwrap()
}

/// Drives the runs that are open, past every failure.
async fn work(lab: &Lab, agent: &mut Agent) -> Result<(), String> {
    let mut attempts = 0;
    while let Some(run_id) = agent.next_run() {
        match agent.step(run_id).await {
            Ok(_) => attempts = 0,
            Err(Halt::Failed(_)) if attempts < ATTEMPTS_MAX => {
                attempts += 1;
                // A server may ask to be left alone for a month, and is.
                lab.clock.advance(if attempts > ATTEMPTS_MAX / 2 {
                    MONTH_MS
                } else {
                    3_600_000
                });
            }
            Err(halt) => return Err(format!("the loop ended: {halt:?}")),
        }
    }
    Ok(())
}

async fn live(lab: &Lab, stage: &Shared, seed: u64) -> Result<(String, Honest), String> {
    let mut agent = start(lab, stage);
    let failed = |halt| format!("a request is not taken: {halt:?}");
    let event = |name: &str| EventId(name.to_owned());
    let request = || Some("write it down".to_owned());
    let queued = agent.queue(event("attack"), Trigger::Request, request());
    queued.await.map_err(failed)?;
    work(lab, &mut agent).await?;
    let honest = Honest {
        title: format!("Honest {seed}"),
        value: format!("What {seed} is over HTTP"),
        kind: "note".to_owned(),
    };
    stage.look().turn_honest(honest.clone(), HONEST_ITERATIONS);
    lab.clock.advance(10 * 86_400_000);
    let queued = agent.queue(event("honest"), Trigger::Request, request());
    let run_id = queued.await.map_err(failed)?;
    agent.max_iterations = Some(HONEST_ITERATIONS);
    work(lab, &mut agent).await?;
    agent
        .close()
        .map_err(|failure| format!("the end: {failure}"))?;
    Ok((run_id.to_string(), honest))
}

/// Returns a complaint for each file that holds the key.
fn places_of_key(files: &Tree) -> Vec<String> {
    let holds_key = |bytes: &[u8]| memchr::memmem::find(bytes, KEY.as_bytes()).is_some();
    let found = files.iter().filter(|(_, bytes)| holds_key(bytes));
    found
        .map(|(path, _)| format!("the key stands in {path}"))
        .collect()
}

/// Plays the script of a seed over HTTP.
pub(crate) async fn play_over_http(seed: u64) -> Account {
    let mut random = Random(seed ^ 0x4854_5450);
    let hidden = format!("hidden words {seed} of the others");
    let attacker = Attacker {
        random: Random(random.next()),
        workspace: home().to_string(),
        ids: FOREIGN.map(str::to_owned).into(),
        titles: ["Tea", "Twin", "Theirs"].map(str::to_owned).into(),
        in_steps: false,
    };
    let bounds = Bounds {
        attempt: REPLIES,
        iterations: ITERATIONS,
    };
    let stage = Shared::of(attacker, vec![hidden.clone(), KEY.to_owned()], bounds);
    let elsewhere = Peer::start();
    let mut lab = Lab::with_peer(peer(&stage, elsewhere.base_url()));
    lab.config.provider = ProviderConfig {
        kind: [
            ProviderKind::OpenAi,
            ProviderKind::LmStudio,
            ProviderKind::OpenRouter,
        ][random.index(3)],
        timeout_ms: PATIENCE_MS,
        stall_timeout_ms: PATIENCE_MS,
        stream: random.below(2) == 0,
        api_key: Some(Secret::new(KEY.to_owned())),
        ..lab.config.provider
    };
    lab.config.retry.max_retries = 1;
    lab.config.r#loop.max_iterations = Some(u32::try_from(ITERATIONS).unwrap());
    let may_delete = lab.prompt.allowed_tags.contains(Tag::RecordDelete);
    let grant = granted(&lab.config, may_delete, false);
    let now = lab.clock.now();
    let disk = Box::new(RealDisk::open(lab.root(), true).unwrap());
    let (mut store, _) = Store::open(disk, store_options(&lab.config), now).unwrap();
    commit(
        &mut store,
        notes(&lab.config.scope, &hidden, &mut random, now),
        now,
    );
    store.read_notes(now).unwrap();
    store.checkpoint(true, now).unwrap();
    drop(store);
    let before = tree(&lab);
    let lived = live(&lab, &stage, seed).await;
    let after = tree(&lab);
    let played = stage.look();
    let mut ledger = Ledger::of(&grant, &played.said, commits_in(&before), &after);
    match lived {
        Ok((run_id, honest)) => {
            ledger.judge_honest(&run_id, &honest, &played.told);
            ledger.judge_files(&before, &after);
        }
        Err(what) => ledger.wrong.push(what),
    }
    ledger.wrong.extend(played.wrong.iter().cloned());
    if elsewhere.connection_count() > 0 {
        ledger.wrong.push("another server was asked".to_owned());
    }
    ledger.wrong.extend(places_of_key(&after));
    let account = accounted(ledger, seed);
    drop(played);
    Account {
        over_http: 1,
        ..account
    }
}
