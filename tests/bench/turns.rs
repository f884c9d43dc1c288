//! Goals 1 and 2: what an iteration costs beside its bare round trip and sync, and how much processor
//! time it takes beside the floor loop. Rounds of all three alternate in one process.

use crate::floor::{Floor, runtime};
use crate::measure::{Outcome, Pairs, cpu_ns, float, float_len, median, now_ns};
use crate::peer::Peer;
use crate::product::{self, Stopwatch, Work};
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::daemon::Agent;
use kjxlkj_agent::ids::RunId;
use std::path::Path;

const OVERHEAD: Question = Question {
    number: 1,
    what: "one iteration, prompt to durable commit, p50",
    against: "bare HTTP round trip of the same body + one append with fdatasync, p50",
    unit: "µs",
    goal: Goal::AtMost(1.15),
};

const PROCESSOR: Question = Question {
    number: 2,
    what: "processor time of one iteration",
    against: "processor time of one turn of the floor loop, hashing as many bytes",
    unit: "µs",
    goal: Goal::AtMost(1.5),
};

/// Iterations of one round: long enough that a round's first one, which pays for what the other side
/// left to the disk, does not count.
const ROUND: u32 = 40;

/// What one round came to.
struct Round {
    /// Median of a turn, in microseconds.
    wall_us: f64,
    /// Mean of a turn, in microseconds.
    cpu_us: f64,
}

macro_rules! round {
    ($turn:expr) => {{
        let mut walls = Vec::new();
        let cpu = cpu_ns();
        for _ in 0..ROUND {
            let since = now_ns();
            $turn.await?;
            walls.push(float(now_ns() - since) / 1e3);
        }
        let cpu_us = float(cpu_ns() - cpu) / 1e3 / f64::from(ROUND);
        Round {
            wall_us: median(&walls),
            cpu_us,
        }
    }};
}

/// Measures both goals.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let peer = Peer::start()?;
    let folder = product::folder()?;
    let root = folder.path().join("root");
    product::prepare(&root, &peer.base_url(), Work::Endless)?;
    runtime()?.block_on(compare(peer, &root, if quick { 12 } else { 100 }))
}

async fn compare(mut peer: Peer, root: &Path, rounds: u32) -> Outcome<Vec<Row>> {
    let stopwatch = Stopwatch::default();
    let (mut agent, stop) = product::open_agent(root, stopwatch.clone())?;
    let run_id = product::begin(&mut agent).await?;
    let (record_bytes, body_bytes) = sizes(&mut agent, run_id, root, &mut peer).await?;

    let load = product::load_like(root, record_bytes)?;
    let hashed_bytes = load.hashed_bytes;
    let mut floor = Floor::open(&peer.base_url(), &root.join("floor.jsonl"), load)?;
    floor.turn().await?;
    let mut question = floor.question()?;
    let floor_body_bytes = question.len();
    question.resize(body_bytes.max(1), b' ');
    let mut record = vec![b' '; record_bytes];
    record[record_bytes - 1] = b'\n';

    let (mut overhead, mut processor, mut floor_walls) =
        (Pairs::default(), Pairs::default(), Vec::new());
    for round in 0..rounds {
        let (ours, bare, theirs);
        if round % 2 == 0 {
            ours = round!(product::iterate(&mut agent, run_id));
            bare = round!(floor.bare_turn(&question, &record));
            theirs = round!(floor.turn());
        } else {
            theirs = round!(floor.turn());
            bare = round!(floor.bare_turn(&question, &record));
            ours = round!(product::iterate(&mut agent, run_id));
        }
        overhead.push(ours.wall_us, bare.wall_us);
        processor.push(ours.cpu_us, theirs.cpu_us);
        floor_walls.push(theirs.wall_us);
    }

    // The loop as the daemon drives it: with its look into the inbox and the wait between iterations.
    stopwatch.start(400, stop);
    drop(agent.drive(run_id).await);
    let moments = stopwatch.moments();
    let gaps: Vec<f64> = moments
        .windows(2)
        .map(|two| float(two[1] - two[0]) / 1e3)
        .collect();
    Ok(vec![
        Row::of(OVERHEAD, &overhead)
            .with("iterations_per_round", ROUND)
            .with("body_bytes", body_bytes)
            .with("record_bytes", record_bytes)
            .with("floor_loop_us", median(&floor_walls))
            .with("driven_loop_us", median(&gaps)),
        Row::of(PROCESSOR, &processor)
            .with("iterations_per_round", ROUND)
            .with("hashed_bytes", hashed_bytes)
            .with("floor_body_bytes", floor_body_bytes),
    ])
}

/// Mean lengths of a record and of a request body, over some iterations that also warm everything up.
async fn sizes(
    agent: &mut Agent,
    run_id: RunId,
    root: &Path,
    peer: &mut Peer,
) -> Outcome<(usize, usize)> {
    const COUNTED: u32 = 300;
    peer.answer_from_now()?;
    let before = product::journal_bytes(root)?;
    for _ in 0..COUNTED {
        product::iterate(agent, run_id).await?;
    }
    let record = product::journal_bytes(root)?.saturating_sub(before) / u64::from(COUNTED);
    let body = peer.seen()?.body_bytes / u64::from(COUNTED);
    if float_len(usize::try_from(record)?) < 1.0 {
        return Err("nothing was journaled".into());
    }
    Ok((usize::try_from(record)?, usize::try_from(body)?))
}
