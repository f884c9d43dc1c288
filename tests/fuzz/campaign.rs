//! The inputs that are made without a guide: every target, so many executions, one line of counts each.

#![expect(clippy::print_stdout, reason = "the counts are what a campaign is for")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once, and it keeps what it found"
)]

use crate::mutate::Mutator;
use crate::targets::{TARGETS, Target, named};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "TARGET|all --executions N [--seed S]";

/// Where inputs are left that broke a promise.
const FOUND: &str = "target/fuzz-found";

/// Violations of one target after which it is left alone.
const VIOLATIONS_MAX: u64 = 5;

/// Runs what the words say.
pub(crate) fn run(words: &[String]) -> ExitCode {
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let wanted: Vec<&Target> = match words.first().map(String::as_str) {
        Some("all") => TARGETS.iter().collect(),
        Some(name) => named(name).into_iter().collect(),
        None => Vec::new(),
    };
    let (Some(executions), false) = (number("--executions"), wanted.is_empty()) else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    let seed = number("--seed").unwrap_or(1);
    let (mut all, mut violations) = (0, 0);
    let counted: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let start = |target| scope.spawn(move || run_one(target, executions, seed));
        let threads: Vec<_> = wanted.iter().copied().map(start).collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap());
        ended.collect()
    });
    for (target, (executed, violated)) in wanted.iter().zip(counted) {
        println!(
            "{}: {executed} executions, {violated} violations, seed {seed}",
            target.name
        );
        all += executed;
        violations += violated;
    }
    println!("{all} executions, {violations} violations, seed {seed}");
    if violations == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn run_one(target: &Target, executions: u64, seed: u64) -> (u64, u64) {
    let kept = target.corpus().into_iter().map(|(_, input)| input);
    let mut mutator = Mutator::new(kept.collect(), target.words(), target.bytes_max, seed);
    let mut violations = 0;
    for executed in 0..executions {
        let input = mutator.next();
        if catch_unwind(|| target.check(&input)).is_err() {
            violations += 1;
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOUND);
            std::fs::create_dir_all(&folder).unwrap();
            let file = folder.join(format!("{}-{seed}-{executed}", target.name));
            std::fs::write(&file, &input).unwrap();
            println!("{}: {}", target.name, file.display());
            if violations == VIOLATIONS_MAX {
                return (executed + 1, violations);
            }
        }
    }
    (executions, violations)
}
