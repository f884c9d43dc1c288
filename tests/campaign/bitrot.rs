//! Every byte of every file that the program wrote is turned, and every file is cut at every length, on
//! roots that were stopped in good order. What may come of it, by the sort of file:
//!
//! - journal: refused with exit code 65 and nothing changed; or opened with the same state, and then
//!   `verify`, and reading on what the start left unread, find the place;
//! - checkpoint: the same state; the bytes are put aside, unless only the space at its end differs;
//! - files that the program alone writes: the same state, the file is written again, its bytes are kept;
//! - RAM and notes, which a person may write: an edit, taken in just as the file says it and beside its
//!   past in the journal; or the same state and the bytes kept aside; or the same state where the file says
//!   nothing else of what a person may change. Whatever the file does not hold is the same;
//! - conversations and requests that were taken: the same state, and no run.
//!
//! The search index, which is derived and made from 1,000 notes on, and the lock file are not damaged.
//! Never a panic, never a state that no file and no journal tells of, never less in the journal.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a campaign may stop at once, and its account is what it is for"
)]

mod judge;
mod root;

use crate::random::Random;
use judge::Outcome;
use root::Root;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Up to that length each bit of each byte is turned, and beyond it one bit that is drawn.
const SMALL_BYTES: usize = 512;

/// Violations that are printed in full.
const SHOWN_MAX: usize = 20;

/// One damage.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// A byte with one bit turned.
    Flip { byte: usize, bit: usize },
    /// A file that ends there.
    Cut(usize),
}

impl Damage {
    fn apply(self, bytes: &[u8]) -> Vec<u8> {
        let mut damaged = bytes.to_vec();
        match self {
            Self::Flip { byte, bit } => damaged[byte] ^= 1 << bit,
            Self::Cut(length) => damaged.truncate(length),
        }
        damaged
    }
}

/// What is done to one file of one root.
#[derive(Debug)]
struct Case {
    is_retired: bool,
    file: PathBuf,
    damages: Vec<Damage>,
}

/// What came of all damages.
#[derive(Debug, Default)]
struct Account {
    wrong: Vec<String>,
    /// How often what came of which sort of file.
    outcomes: BTreeMap<(PathBuf, Outcome), usize>,
}

/// Damages every file; gives how many damages there were, and how many checks did not hold.
pub(crate) fn campaign(every: u64, seed: u64) -> (u64, u64) {
    let cases = cases(usize::try_from(every).unwrap(), seed);
    let (next, account) = (AtomicUsize::new(0), Mutex::new(Account::default()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                // A disk in memory belongs to one thread.
                let roots = [false, true].map(Root::new);
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    play(&roots[usize::from(case.is_retired)], case, &account);
                }
            });
        }
    });
    let account = account.into_inner().unwrap();
    for what in account.wrong.iter().take(SHOWN_MAX) {
        println!("{what}");
    }
    for ((sort, outcome), times) in &account.outcomes {
        println!("{}: {times} {outcome:?}", sort.display());
    }
    let performed: usize = cases.iter().map(|case| case.damages.len()).sum();
    let violations = account.wrong.len();
    (
        u64::try_from(performed).unwrap(),
        u64::try_from(violations).unwrap(),
    )
}

/// Every file with what is done to it; large ones in parts, so that all cores have their share.
fn cases(every: usize, seed: u64) -> Vec<Case> {
    const PART: usize = 500;
    let mut random = Random(seed);
    let mut cases = Vec::new();
    for is_retired in [false, true] {
        for (file, bytes) in Root::new(is_retired).files() {
            let mut damages = Vec::new();
            let from = random.index(every);
            for byte in (from..bytes.len()).step_by(every) {
                let drawn = random.index(8);
                let is_small = bytes.len() <= SMALL_BYTES;
                let bits = (0..8).filter(|bit| is_small || *bit == drawn);
                damages.extend(bits.map(|bit| Damage::Flip { byte, bit }));
                damages.push(Damage::Cut(byte));
            }
            cases.extend(damages.chunks(PART).map(|part| Case {
                is_retired,
                file: file.clone(),
                damages: part.to_vec(),
            }));
        }
    }
    cases
}

/// Does each damage of a case to a copy of its own.
fn play(root: &Root, case: &Case, account: &Mutex<Account>) {
    for damage in &case.damages {
        let bytes = damage.apply(root.bytes(&case.file));
        let judged = catch_unwind(AssertUnwindSafe(|| judge::check(root, &case.file, &bytes)));
        let judged = judged.unwrap_or_else(|_| Err("it panicked".to_owned()));
        let mut account = account.lock().unwrap();
        match judged {
            Ok(outcome) => {
                let times = account.outcomes.entry((sort(&case.file), outcome));
                *times.or_default() += 1;
            }
            Err(what) => {
                let which = if case.is_retired { "retired" } else { "whole" };
                let file = case.file.display();
                account
                    .wrong
                    .push(format!("{which}, {file}, {damage:?}: {what}"));
            }
        }
    }
}

/// The sort of a file: its folder, where that holds many.
fn sort(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(file);
    if folder == Path::new("data") || file.ends_with("checkpoint.json") {
        file.to_path_buf()
    } else {
        folder.to_path_buf()
    }
}
