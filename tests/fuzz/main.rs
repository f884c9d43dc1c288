//! Inputs that nobody would write, for everything that reads text from outside: no panic, no hang, and
//! the promises that each reader makes. What is held stands in `targets`, and is used three times:
//!
//! - `tests/it/fuzz.rs` gives every kept input (`tests/fuzz/corpus`) to its target: `cargo test`.
//! - `cargo test --test fuzz -- all --executions 20000 [--seed 1]` makes that many inputs of each target's
//!   kept ones by rules that know tags, JSON and UTF-8 (`mutate`). The same seed, the same inputs.
//! - `tests/fuzz/guided all --executions 1500000` is led by coverage: libFuzzer, on stable Rust. It builds
//!   this program with the name `fuzzing` set, and instrumented, in a target folder of its own.
//!
//! The second and the third end with the executions and the violations of each target; an input that
//! broke a promise is left in the folder `target/fuzz-found`. Once mended, it belongs into the corpus.

// The table of journal shapes is one JSON literal, and each of its members takes a few steps.
#![recursion_limit = "512"]
#![cfg_attr(fuzzing, no_main)]

#[cfg_attr(fuzzing, expect(dead_code, reason = "libFuzzer brings its own"))]
mod mutate;
mod targets;

/// What the targets share with the tests.
#[expect(dead_code, reason = "each program uses its share")]
#[path = "../it"]
mod shared {
    pub(crate) mod random;
    pub(crate) mod sim_disk;
    pub(crate) mod store_lab;
}

use shared::{random, sim_disk, store_lab};

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    thread_local! {
        static NAME: String = std::env::args().next_back().unwrap_or_default();
    }
    // The driver is told to pass over its last argument, which names the target.
    NAME.with(|name| {
        targets::named(name)
            .expect("a target is named")
            .check(input)
    });
});

#[cfg(not(fuzzing))]
mod campaign;

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    campaign::run(&std::env::args().skip(1).collect::<Vec<_>>())
}
