//! Every kept input of the fuzz targets, and a few more that are made of them. What was ever found is kept
//! there, so that it is found again.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at once, and says which input it is at"
)]

/// What the targets are is told in `tests/fuzz/main.rs`.
#[path = "../fuzz"]
mod shared {
    pub(super) mod mutate;
    pub(super) mod targets;
}

use shared::mutate::Mutator;
use shared::targets::named;

/// Inputs that are made of the kept ones of a target.
const MADE: usize = 100;

fn every_input_is_harmless(name: &str) {
    let target = named(name).unwrap();
    let corpus = target.corpus();
    assert!(corpus.len() > 3, "{name}");
    for (file, input) in &corpus {
        println!("{}", file.display());
        target.check(input);
    }
    let kept = corpus.into_iter().map(|(_, input)| input).collect();
    let mut mutator = Mutator::new(kept, target.words(), target.bytes_max, 1);
    for made in 0..MADE {
        println!("made {made}");
        target.check(&mutator.next());
    }
}

#[test]
fn replies_of_models_are_read_whatever_they_are() {
    every_input_is_harmless("reply");
}

#[test]
fn lines_of_journals_are_read_whatever_they_are() {
    every_input_is_harmless("journal");
}

#[test]
fn configurations_are_read_whatever_they_are() {
    every_input_is_harmless("configuration");
}

#[test]
fn kv_files_are_read_whatever_they_are() {
    every_input_is_harmless("memory");
}

#[test]
fn streams_are_read_whatever_they_are() {
    every_input_is_harmless("stream");
}

#[test]
fn pages_are_read_whatever_they_are() {
    every_input_is_harmless("page");
}
