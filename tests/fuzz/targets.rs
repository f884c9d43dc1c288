//! Everything that reads text from outside, each with what must hold for any bytes whatever. A target
//! that finds a promise broken panics.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a target stops at once, and reads what is kept itself"
)]

mod configuration;
mod journal;
mod memory;
mod page;
mod reply;
mod stream;

use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};

/// Processor time that any input may take, in nanoseconds.
const TIME_NS: i128 = 300_000_000;

/// A reader.
#[derive(Debug)]
pub(crate) struct Target {
    /// What it is called on the command line, and what its folder of kept inputs is called.
    pub(crate) name: &'static str,
    run: fn(&[u8]),
    /// Longest input that is made.
    pub(crate) bytes_max: usize,
    /// Processor time that each byte may take beside, in nanoseconds: so much that no honest machine
    /// comes near it, and so little that twice the bytes must not take four times as long.
    byte_ns: i128,
}

/// All of them.
pub(crate) const TARGETS: &[Target] = &[
    target("reply", reply::run, 64 * 1024, 40_000),
    target("journal", journal::run, 64 * 1024, 40_000),
    target("configuration", configuration::run, 64 * 1024, 80_000),
    target("memory", memory::run, 64 * 1024, 40_000),
    target("stream", stream::run, 64 * 1024, 40_000),
    target("page", page::run, 64 * 1024, 40_000),
];

const fn target(name: &'static str, run: fn(&[u8]), bytes_max: usize, byte_ns: i128) -> Target {
    Target {
        name,
        run,
        bytes_max,
        byte_ns,
    }
}

/// The target of that name.
pub(crate) fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// Gives the target an input: it panics where a promise is broken, or where it takes too long.
    pub(crate) fn check(&self, input: &[u8]) {
        let began = processor_ns();
        (self.run)(input);
        let took = processor_ns() - began;
        let length = i128::try_from(input.len()).unwrap();
        let allowed = TIME_NS + self.byte_ns * length;
        assert!(
            took <= allowed,
            "{}: {length} bytes took {took} ns of {allowed}",
            self.name
        );
    }

    /// The kept inputs with their names, sorted.
    pub(crate) fn corpus(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(place("corpus").join(self.name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let read = files.into_iter().map(|file| {
            let input = std::fs::read(&file).unwrap();
            (file, input)
        });
        read.collect()
    }

    /// The words of its language: lines of the form `"word"` with the escapes of libFuzzer.
    pub(crate) fn words(&self) -> Vec<Vec<u8>> {
        let text = std::fs::read_to_string(place("words").join(self.name)).unwrap();
        let quoted = text.lines().filter_map(|line| {
            let word = line.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some(unescaped(word))
        });
        quoted.collect()
    }
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz")
        .join(name)
}

/// The bytes of a word: `\"`, `\\` and `\xAB` stand for one each.
fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match (first, after) {
            (b'\\', [b'x', high, low, ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                rest = &after[3..];
            }
            (b'\\', [other, ..]) => {
                bytes.push(*other);
                rest = &after[1..];
            }
            (other, _) => bytes.push(*other),
        }
    }
    bytes
}

/// Time that this thread has had a processor: what others do on the machine does not count.
fn processor_ns() -> i128 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
}

/// Whether a place, from 1, stands in the text or right behind it.
fn is_place(text: &str, line: usize, column: usize) -> bool {
    let found = line.checked_sub(1).and_then(|at| text.split('\n').nth(at));
    found.is_some_and(|found| (1..=found.chars().count() + 1).contains(&column))
}
