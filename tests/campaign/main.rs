//! Campaigns that take longer than a test may: simulated lives and deaths of a root, and SIGKILL at
//! the real program. Each ends with one line of counts, and fails if anything was violated.
//!
//! `cargo test --release --test campaign -- simulate --seeds 100000 [--first 0]`
//! `cargo test --release --test campaign -- kill --kills 1000 [--seed 1]`
//! `cargo test --release --test campaign -- powercut --cuts 2000 [--seed 1]`
//! `cargo test --release --test campaign -- syscalls --faults 3000 [--seed 1]`
//! `cargo test --release --test campaign -- bitrot [--every 1] [--seed 1]`
//! `cargo test --release --test campaign -- windows --loops 10000 [--seed 1] [--verbose]
//! [--readme tests/README.md]`
//! `cargo test --test campaign -- prove [--only NAME]`
//! `cargo test --release --test campaign -- hostile --scripts 100000 [--seed 1]`
//! `cargo test --release --test campaign -- plans --examples 1500 [--seed 1] [--verbose]`

// The table of journal shapes is one JSON literal, and each of its members takes a few steps.
#![recursion_limit = "512"]
#![expect(clippy::print_stdout, reason = "the counts are what a campaign is for")]

mod bitrot;
mod hostile;
mod kill;
mod kill_client;
#[expect(clippy::unwrap_used, reason = "a campaign may stop at once")]
mod plans;
mod powercut;
mod prove;
#[expect(clippy::disallowed_methods, reason = "the README is a person's file")]
#[path = "../bench/readme_table.rs"]
mod readme_table;
mod syscalls;
mod windows;

/// What the campaigns share with the tests.
#[expect(dead_code, unused_imports, reason = "each program uses its share")]
#[path = "../it"]
mod shared {
    #[path = "cli/canary.rs"]
    pub(crate) mod canary;
    pub(crate) mod hostile;
    pub(crate) mod lab;
    pub(crate) mod mutants;
    pub(crate) mod peer;
    pub(crate) mod random;
    #[path = "cli/sandbox.rs"]
    mod sandbox;
    pub(crate) mod sim_disk;
    pub(crate) mod store_lab;
    pub(crate) mod store_rules;
    pub(crate) mod store_simulation;
    pub(crate) mod wait;
    pub(crate) mod windows;
}

use shared::{
    lab, mutants, peer, random, sim_disk, store_lab, store_rules, store_simulation, wait,
};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

const USAGE: &str = "simulate --seeds N [--first S] | kill --kills N [--seed S] | \
     syscalls --faults N [--seed S] | bitrot [--every K] [--seed S] | \
     windows --loops N [--seed S] [--verbose] [--readme FILE] | prove [--only NAME] | \
     hostile --scripts N [--seed S] | plans --examples N [--seed S] [--verbose] | powercut --cuts N [--seed S]";

/// Violations that are printed in full.
const SHOWN_MAX: u64 = 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let violations = match words.first().map(String::as_str) {
        Some("simulate") => number("--seeds").map(|seeds| {
            let first = number("--first").unwrap_or(0);
            simulate(first, seeds)
        }),
        Some("kill") => number("--kills").map(|kills| {
            let seed = number("--seed").unwrap_or(1);
            let (performed, violations) = kill::campaign(kills, seed);
            println!("{performed} performed, {violations} violations, seed {seed}");
            violations
        }),
        Some("powercut") => number("--cuts").map(|cuts| {
            let inside = words.iter().position(|word| word == "--inside");
            let inside = inside.and_then(|at| words.get(at + 1)).map(Path::new);
            powercut::campaign(cuts, number("--seed").unwrap_or(1), inside)
        }),
        Some("syscalls") => number("--faults").map(|faults| {
            let seed = number("--seed").unwrap_or(1);
            counted(syscalls::campaign(faults, seed).unwrap_or_default(), seed)
        }),
        Some("bitrot") => {
            let (every, seed) = (number("--every"), number("--seed").unwrap_or(1));
            let every = every.unwrap_or(1).max(1);
            Some(counted(bitrot::campaign(every, seed), seed))
        }
        Some("windows") => number("--loops").map(|loops| {
            let readme = words.iter().position(|word| word == "--readme");
            windows::campaign(&windows::Options {
                loops,
                seed: number("--seed").unwrap_or(1),
                is_verbose: words.iter().any(|word| word == "--verbose"),
                readme: readme.and_then(|at| words.get(at + 1)).map(Into::into),
            })
        }),
        Some("prove") => {
            let only = words.iter().position(|word| word == "--only");
            let only = only.and_then(|at| words.get(at + 1));
            Some(prove::campaign(only.map_or("", String::as_str)))
        }
        Some("plans") => number("--examples").map(|count| {
            let is_verbose = words.iter().any(|word| word == "--verbose");
            plans::campaign(count, number("--seed").unwrap_or(1), is_verbose)
        }),
        Some("hostile") => number("--scripts")
            .map(|scripts| hostile::campaign(scripts, number("--seed").unwrap_or(1))),
        _ => None,
    };
    match violations {
        Some(0) => ExitCode::SUCCESS,
        Some(_) => ExitCode::FAILURE,
        None => {
            println!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Prints what a campaign came to; gives the violations.
fn counted((performed, violations): (u64, u64), seed: u64) -> u64 {
    println!("{performed} performed, {violations} violations, seed {seed}");
    violations
}

/// Does something with each of some numbers, on every core.
pub(crate) fn on_every_core(numbers: Range<u64>, act: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(numbers.start);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    act(number);
                }
            });
        }
    });
}

/// Simulated lives, on every core.
fn simulate(first: u64, seeds: u64) -> u64 {
    let (performed, violations) = (AtomicU64::new(0), AtomicU64::new(0));
    on_every_core(first..first + seeds, |seed| {
        let lived = store_simulation::simulate(seed).and_then(|checked| {
            // Of the same seed a life with rules, which is checked at its end, too.
            let lived = store_rules::live(seed);
            let lived = lived.map_err(|what| format!("rules, seed {seed}: {what}"))?;
            Ok(checked + lived.deaths + 1)
        });
        match lived {
            Ok(checked) => drop(performed.fetch_add(checked, Ordering::Relaxed)),
            Err(what) => {
                let before = violations.fetch_add(1, Ordering::Relaxed);
                if before < SHOWN_MAX {
                    println!("{what}");
                }
            }
        }
    });
    let (performed, violations) = (performed.into_inner(), violations.into_inner());
    println!(
        "{performed} performed, {violations} violations, seeds {first}..{}",
        first + seeds
    );
    violations
}
