//! What recorded replies of real models are read as: the JSON that `parse` prints.

use super::Goldens;
use crate::lab::{names, read};
use kjxlkj_agent::core::protocol::{AllowedTags, ParseOptions, parse};
use std::fmt::Write as _;
use std::path::Path;

/// The reading of a reply as `parse --format json` prints it, with these options of it.
fn read_as(text: &str, strict: bool, truncated: bool) -> String {
    let options = ParseOptions {
        strict,
        truncated,
        allowed_tags: AllowedTags::shipped(),
    };
    serde_json::to_string(&parse(text, &options)).unwrap()
}

#[test]
fn recorded_replies_are_read_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/model-outputs");
    let mut goldens = Goldens::of("parse");
    let mut told: [String; 3] = Default::default();
    for name in names(&folder) {
        if name == "INDEX.tsv" {
            continue;
        }
        let text = read(&folder.join(&name));
        let plain = read_as(&text, false, false);
        let readings = [
            plain.clone(),
            read_as(&text, true, false),
            read_as(&text, false, true),
        ];
        for (number, reading) in readings.iter().enumerate() {
            let reading = if number > 0 && *reading == plain {
                "the same"
            } else {
                reading
            };
            writeln!(told[number], "{name}\n{reading}\n").unwrap();
        }
    }
    for (name, told) in ["plain", "strict", "truncated"].iter().zip(&told) {
        goldens.check(&format!("{name}.txt"), told);
    }
    goldens.end();
}
