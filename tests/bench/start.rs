//! Goal 5: how long a start takes until the first question has reached the model, with a thousand keys
//! and a thousand notes on disk, beside the floor loop that reads and shows the same keys.

use crate::floor::runtime;
use crate::measure::{Outcome, Pairs, float, now_ns};
use crate::peer::Peer;
use crate::product::{self, Dictation, Program, Work};
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::daemon::LogObserver;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const START: Question = Question {
    number: 5,
    what: "start to first question, 1,000 keys and 1,000 notes on disk",
    against: "floor loop, start to first question with the same keys",
    unit: "ms",
    goal: Goal::AtMost(1.5),
};

const KEYS: u32 = 1000;
const NOTES: u64 = 1000;
const NOTES_PER_REPLY: u64 = 50;

/// Measures the goal.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let mut peer = Peer::start()?;
    let folder = product::folder()?;
    let root = folder.path().join("root");
    fill(&root, &peer.base_url())?;
    Ok(vec![
        match compare(&mut peer, &root, if quick { 5 } else { 41 }) {
            Ok((pairs, body_bytes)) => Row::of(START, &pairs)
                .with("keys", KEYS)
                .with("notes", NOTES)
                .with("first_body_bytes", body_bytes),
            Err(error) => Row::skipped(START, error.to_string()),
        },
    ])
}

/// A root with keys and notes, stopped in good order in the middle of a run.
fn fill(root: &Path, base_url: &str) -> Outcome<()> {
    product::prepare(root, base_url, Work::Nothing)?;
    let keys = (0..KEYS).map(|number| {
        (
            format!("key {number:04}"),
            Value::from(format!("what is known about {number}")),
        )
    });
    let keys: serde_json::Map<String, Value> = keys.collect();
    fs::write(
        root.join("data/agent-kv-store.json"),
        json!(keys).to_string(),
    )?;
    runtime()?.block_on(async {
        let dictation = Box::new(Dictation::new(reply));
        let (mut agent, _stop) =
            product::open_with(root, dictation, Box::new(LogObserver::default()))?;
        let run_id = product::begin(&mut agent).await?;
        for _ in 1..=NOTES / NOTES_PER_REPLY {
            product::iterate(&mut agent, run_id).await?;
        }
        Ok::<(), Box<dyn std::error::Error>>(agent.close()?)
    })?;
    let notes = fs::read_dir(root.join("data/notes"))?.count();
    if u64::try_from(notes)? < NOTES {
        return Err(format!("only {notes} notes could be written").into());
    }
    Ok(())
}

/// Fifty notes, and at last something to do, so that the run is open when the program stops.
fn reply(number: u64) -> String {
    if number >= NOTES / NOTES_PER_REPLY {
        return "<ram_add><key>steps</key><value>Go on.</value></ram_add>".to_owned();
    }
    let mut text = String::new();
    for note in number * NOTES_PER_REPLY..(number + 1) * NOTES_PER_REPLY {
        let words = "Tea is best at eighty degrees; see the page about it. ".repeat(6);
        text.push_str(
            &[
                "<record_add><title>Page ",
                &note.to_string(),
                "</title><keywords>page</keywords><value>",
                &words,
                "</value></record_add>\n",
            ]
            .concat(),
        );
    }
    text
}

fn compare(peer: &mut Peer, root: &Path, rounds: u32) -> Outcome<(Pairs, u64)> {
    let keys = root.join("data/agent-kv-store.json");
    let mut pairs = Pairs::default();
    let mut body_bytes = 0;
    // Nothing is answered, so each start finds the disk as the one before left it.
    for round in 0..=rounds {
        peer.hold_from_now()?;
        let since = now_ns();
        let mut program = Program::start(root)?;
        let seen = program.wait(peer, 1)?;
        let ours = float(seen.first_ns - since) / 1e6;
        body_bytes = seen.body_bytes;
        drop(program);

        peer.hold_from_now()?;
        let since = now_ns();
        let mut floor = Command::new(std::env::current_exe()?)
            .arg("--floor-start")
            .arg(peer.base_url())
            .arg(&keys)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        let seen = wait_for(&mut floor, peer);
        drop(floor.kill());
        floor.wait()?;
        // The first round only warms the page cache.
        if round > 0 {
            pairs.push(ours, float(seen? - since) / 1e6);
        }
    }
    Ok((pairs, body_bytes))
}

fn wait_for(floor: &mut Child, peer: &mut Peer) -> Outcome<u64> {
    let seen = peer.wait(1, || match floor.try_wait()? {
        Some(status) => Err(format!("the floor ended by itself: {status}").into()),
        None => Ok(()),
    })?;
    Ok(seen.first_ns)
}
