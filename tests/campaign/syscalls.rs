//! One system call of the real program fails, again and again: a write, a sync, a rename, an open, a
//! look, a removal, drawn from those that it makes in each phase of its life, once or from then on.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a campaign may stop at once, and its account is what it is for"
)]

mod oracle;
mod phase;
mod stage;
mod strace;

use crate::random::Random;
use phase::{PHASES, Phase};
use stage::Stage;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use strace::Plan;

/// Draws until one hits: a daemon does not make each call each time.
const DRAWS_MAX: u64 = 20;

/// Violations that are printed in full.
const SHOWN_MAX: u64 = 20;

/// What is counted.
#[derive(Debug, Default)]
struct Counts {
    next: AtomicU64,
    performed: AtomicU64,
    violations: AtomicU64,
    /// How often the program ended with each code.
    codes: Mutex<BTreeMap<Option<i32>, u64>>,
}

/// Fails that many calls; gives how many were failed, and how many checks did not hold. `None` where
/// nothing can be traced.
pub(crate) fn campaign(faults: u64, seed: u64) -> Option<(u64, u64)> {
    let scratch = tempfile::tempdir().unwrap();
    if let Some(reason) = strace::unavailable(scratch.path()) {
        println!("skipped: {reason}");
        return None;
    }
    let counts = Counts::default();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let counts = &counts;
            scope.spawn(move || work(worker == 0, faults, seed, counts));
        }
    });
    let codes = counts.codes.into_inner().unwrap();
    let codes = codes.iter().map(|(code, times)| match code {
        Some(code) => format!("{code}: {times}"),
        None => format!("by a signal: {times}"),
    });
    let codes: Vec<String> = codes.collect();
    println!("exit codes: {}", codes.join(", "));
    Some((
        counts.performed.into_inner(),
        counts.violations.into_inner(),
    ))
}

/// Fails calls in roots of its own.
fn work(is_first: bool, faults: u64, seed: u64, counts: &Counts) {
    let stage = Stage::new();
    let plans: BTreeMap<Phase, Plan> = PHASES
        .map(|phase| (phase, plan(phase, &stage, counts)))
        .into();
    if is_first {
        for (phase, plan) in &plans {
            println!("{phase:?}: {} calls", plan.calls());
        }
    }
    loop {
        let fault = counts.next.fetch_add(1, Ordering::SeqCst);
        if fault >= faults {
            break;
        }
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(fault));
        for _ in 0..DRAWS_MAX {
            let phase = PHASES[random.index(PHASES.len())];
            if fail_one(fault, phase, &plans[&phase], &stage, &mut random, counts) {
                break;
            }
        }
    }
}

/// What the program does in a phase. The same checks must hold where nothing fails.
fn plan(phase: Phase, stage: &Stage, counts: &Counts) -> Plan {
    let ended = phase.play(stage, None);
    let plan = Plan::read(&stage.beside("strace"), &stage.root());
    let mut wrong = oracle::check(stage, &ended, None);
    if ended.code != Some(0) {
        wrong.push(format!("it ended with {:?}: {}", ended.code, ended.stderr));
    }
    tell(stage, counts, &format!("{phase:?} without a fault"), &wrong);
    plan
}

/// Fails one call; says whether the program made it.
fn fail_one(
    number: u64,
    phase: Phase,
    plan: &Plan,
    stage: &Stage,
    random: &mut Random,
    counts: &Counts,
) -> bool {
    let fault = plan.draw(random);
    let ended = phase.play(stage, Some(&fault));
    let injected = strace::injected(&stage.beside("strace"));
    let Some(first) = injected.first() else {
        return false;
    };
    counts.performed.fetch_add(1, Ordering::SeqCst);
    let wrong = oracle::check(stage, &ended, Some(&fault));
    *counts.codes.lock().unwrap().entry(ended.code).or_default() += 1;
    let what = format!(
        "fault {number}, {phase:?}, {fault}: {first}\n  it ended with {:?}: {}",
        ended.code,
        ended.stderr.trim()
    );
    tell(stage, counts, &what, &wrong);
    true
}

/// Prints what is wrong, and keeps the first roots.
fn tell(stage: &Stage, counts: &Counts, what: &str, wrong: &[String]) {
    if wrong.is_empty() {
        return;
    }
    let found = u64::try_from(wrong.len()).unwrap();
    if counts.violations.fetch_add(found, Ordering::SeqCst) < SHOWN_MAX {
        let kept = stage.keep_copy();
        let wrong = wrong.join("\n  ");
        println!("{what}\n  {wrong}\n  kept as {}", kept.display());
    }
}
