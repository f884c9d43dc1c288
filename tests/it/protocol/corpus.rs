//! Replies that real small models wrote, with what a plain XML parser (`strict`) and a forgiving
//! reader (`tolerant`) made of them when they were recorded.

use super::{check_promises, lenient, strict, truncated};
use kjxlkj_agent::core::protocol::parse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One recorded reply.
#[expect(clippy::struct_excessive_bools, reason = "columns of the index")]
struct Recording {
    file: String,
    /// The model was asked for JSON, which is another protocol.
    is_json: bool,
    is_strict: bool,
    is_tolerable: bool,
    is_cut: bool,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/model-outputs")
}

fn recordings() -> Vec<Recording> {
    let index = read(&folder().join("INDEX.tsv"));
    let rows = index.lines().skip(1).map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        Recording {
            file: columns[0].to_owned(),
            is_json: columns[2].contains("json"),
            is_strict: columns[4] == "True",
            is_tolerable: columns[6] == "True",
            is_cut: columns[8] == "length",
            text: read(&folder().join(columns[0])),
        }
    });
    rows.collect()
}

#[expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "test data")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_recording_is_read_without_a_panic_in_every_mode() {
    let recordings = recordings();
    assert_eq!(recordings.len(), 148);
    for recording in recordings {
        for options in [lenient(), strict(), truncated()] {
            check_promises(&recording.text, &parse(&recording.text, &options));
            // A reply may be cut at any character.
            for (at, _) in recording.text.char_indices().step_by(7) {
                let cut = &recording.text[..at];
                check_promises(cut, &parse(cut, &options));
            }
        }
    }
}

#[test]
fn strict_mode_agrees_with_the_recorded_verdicts() {
    let mut disagreeing = BTreeSet::new();
    for recording in recordings().into_iter().filter(|found| !found.is_json) {
        let parsed = parse(&recording.text, &strict());
        if parsed.ok != recording.is_strict {
            disagreeing.insert(recording.file);
        }
    }
    assert_eq!(disagreeing, BTreeSet::new());
}

#[test]
fn the_default_mode_finds_an_instruction_where_one_can_be_had() {
    // Where the recorded reader guessed and the contract forbids guessing.
    let stricter = BTreeSet::from([
        // `<state_delete>` closed by `</state_add>`: two readings, so the whole reply is refused.
        "qwen1.5b__two__e2.txt".to_owned(),
        // One `<record_add>` that was still open when the reply was cut off.
        "smollm2-135m__two__x4.txt".to_owned(),
        // `<ram_delete>` with a `<value>`, and `<record_delete>`, which is not switched on.
        "smollm2-135m__two__x7.txt".to_owned(),
    ]);
    let mut missed = BTreeSet::new();
    let mut surprising = BTreeSet::new();
    for recording in recordings() {
        let mut options = lenient();
        options.truncated = recording.is_cut;
        let parsed = parse(&recording.text, &options);
        let is_tolerable = recording.is_tolerable && !recording.is_json;
        if is_tolerable && !parsed.ok {
            missed.insert(recording.file);
        } else if !is_tolerable && parsed.ok {
            surprising.insert(recording.file);
        }
    }
    assert_eq!(missed, stricter);
    assert_eq!(surprising, BTreeSet::new());
}

#[test]
fn a_reply_that_was_cut_off_never_yields_its_last_instruction() {
    for recording in recordings().into_iter().filter(|found| found.is_cut) {
        let open_at_end = !recording.text.trim_end().ends_with('>');
        let whole = parse(&recording.text, &truncated());
        let Some(last) = whole.instructions.last() else {
            continue;
        };
        let lines = recording.text.lines().count();
        assert!(
            !open_at_end || last.line < lines,
            "{}: {last:?}",
            recording.file
        );
        assert!(!last.repaired || last.line < lines, "{}", recording.file);
    }
}
