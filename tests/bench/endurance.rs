//! Goals 3 and 6: what a hundred thousand iterations do to speed and memory, and how much memory the
//! program takes beside the floor loop.

use crate::floor::runtime;
use crate::measure::{Outcome, Pairs, float, median, now_ns};
use crate::peer::Peer;
use crate::product::{self, Program, Stopwatch, Work};
use crate::report::{Goal, Question, Row};
use std::path::Path;
use std::time::Duration;

const SPEED: Question = Question {
    number: 3,
    what: "one iteration after 100,000, p50",
    against: "one iteration after 100, p50",
    unit: "µs",
    goal: Goal::AtMost(1.05),
};

const GROWTH: Question = Question {
    number: 3,
    what: "resident memory after 100,000 iterations",
    against: "resident memory after 100",
    unit: "KiB",
    goal: Goal::AtMost(1.05),
};

const IDLE: Question = Question {
    number: 6,
    what: "resident memory, idle",
    against: "floor loop, idle",
    unit: "KiB",
    goal: Goal::AtMost(2.0),
};

const BUSY: Question = Question {
    number: 6,
    what: "resident memory after 10,000 iterations",
    against: "floor loop after 10,000 turns",
    unit: "KiB",
    goal: Goal::AtMost(3.0),
};

const ROUND: u32 = 40;

/// Measures goal 3. The old root and a fresh one take turns in one process.
pub(crate) fn measure_endurance(quick: bool) -> Outcome<Vec<Row>> {
    let iterations = if quick { 3000_u32 } else { 100_000 };
    let peer = Peer::start()?;
    let folder = product::folder()?;
    let (old, fresh) = (folder.path().join("old"), folder.path().join("fresh"));
    product::prepare(&old, &peer.base_url(), Work::Endless)?;
    product::prepare(&fresh, &peer.base_url(), Work::Endless)?;

    let numbers = iterations.to_string();
    let old_text = old.to_str().ok_or("a folder that is not UTF-8")?;
    let memory = product::numbers_of("--product-run", &[old_text, "100", &numbers])?;
    let [early, late] = memory.as_slice() else {
        return Err("memory was not told".into());
    };
    let mut growth = Pairs::default();
    growth.push(*late, *early);

    let rounds = if quick { 10 } else { 60 };
    let speed = runtime()?.block_on(compare(&old, &fresh, rounds))?;
    Ok(vec![
        Row::of(SPEED, &speed)
            .with("iterations", iterations)
            .with("iterations_per_round", ROUND),
        Row::of(GROWTH, &growth).with("iterations", iterations),
    ])
}

async fn compare(old: &Path, fresh: &Path, rounds: u32) -> Outcome<Pairs> {
    let (mut old, _old_stop) = product::open_agent(old, Stopwatch::default())?;
    let (mut fresh, _fresh_stop) = product::open_agent(fresh, Stopwatch::default())?;
    let old_run = product::begin(&mut old).await?;
    let fresh_run = product::begin(&mut fresh).await?;
    for _ in 0..100 {
        product::iterate(&mut old, old_run).await?;
        product::iterate(&mut fresh, fresh_run).await?;
    }
    let mut pairs = Pairs::default();
    for round in 0..rounds {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for side in [round % 2 == 0, round % 2 != 0] {
            for _ in 0..ROUND {
                let since = now_ns();
                if side {
                    product::iterate(&mut old, old_run).await?;
                } else {
                    product::iterate(&mut fresh, fresh_run).await?;
                }
                let took = float(now_ns() - since) / 1e3;
                if side {
                    ours.push(took);
                } else {
                    theirs.push(took);
                }
            }
        }
        pairs.push(median(&ours), median(&theirs));
    }
    Ok(pairs)
}

/// Measures goal 6 on the real program.
pub(crate) fn measure_memory(quick: bool) -> Vec<Row> {
    let turns = if quick { 500_u32 } else { 10_000 };
    match memory(turns) {
        Ok((idle, busy)) => {
            let busy = Row::of(BUSY, &busy).with("iterations", turns);
            vec![Row::of(IDLE, &idle), busy]
        }
        Err(error) => {
            let reason = error.to_string();
            let rows = [IDLE, BUSY].map(|question| Row::skipped(question, reason.as_str()));
            rows.into()
        }
    }
}

fn memory(turns: u32) -> Outcome<(Pairs, Pairs)> {
    // A first run of three iterations, and then there is nothing to do.
    const FIRST_RUN: u64 = 3;
    let mut peer = Peer::start()?;
    let folder = product::folder()?;
    let at = folder.path();
    let (idle_root, busy_root) = (at.join("idle"), at.join("busy"));
    product::prepare(&idle_root, &peer.base_url(), Work::Nothing)?;
    product::prepare(&busy_root, &peer.base_url(), Work::Endless)?;

    peer.answer_from_now()?;
    let mut program = Program::start(&idle_root)?;
    program.wait(&mut peer, FIRST_RUN)?;
    // What the last answer led to is done within a moment.
    std::thread::sleep(Duration::from_millis(500));
    let idle_kib = float(program.rss_kib()?);
    drop(program);

    peer.answer_from_now()?;
    let mut program = Program::start(&busy_root)?;
    program.wait(&mut peer, u64::from(turns))?;
    let busy_kib = float(program.rss_kib()?);
    drop(program);

    let (folder_text, turns) = (
        at.to_str().ok_or("a folder that is not UTF-8")?,
        turns.to_string(),
    );
    let floor = product::numbers_of("--floor-run", &[&peer.base_url(), folder_text, &turns])?;
    let [floor_idle_kib, floor_busy_kib] = floor.as_slice() else {
        return Err("the floor's memory was not told".into());
    };
    let (mut idle, mut busy) = (Pairs::default(), Pairs::default());
    idle.push(idle_kib, *floor_idle_kib);
    busy.push(busy_kib, *floor_busy_kib);
    Ok((idle, busy))
}
