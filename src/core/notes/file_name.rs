//! File names for exported notes: made from their titles, and safe on all common file systems.
//! Opens nothing.

use super::note::Note;
use std::collections::BTreeSet;

/// The longest name without its extension, in bytes. File systems allow 255, and an id may follow.
const STEM_BYTES_MAX: usize = 120;

/// The names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Returns a unique file name for each note, also where case does not count.
pub fn file_names(notes: &[&Note]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |note: &&Note| {
        let stem = stem(&note.title);
        let alone = format!("{stem}.md");
        let name = if stem.is_empty() || taken.contains(&alone.to_lowercase()) {
            let id = note.id.to_string();
            format!("{}.md", format!("{stem} {id}").trim_start())
        } else {
            alone
        };
        taken.insert(name.to_lowercase());
        name
    };
    notes.iter().map(name).collect()
}

/// Returns the name that a title gives: letters and digits of all scripts and a few signs.
/// Any other character becomes a dash. The name never begins with a dot, and never ends in a dot or
/// a space.
fn stem(title: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || " _-.,()'+&=@!".contains(c);
    let mut stem = String::with_capacity(title.len());
    for c in title.chars() {
        let c = if kept(c) { c } else { '-' };
        let repeats = matches!(c, ' ' | '-') && stem.ends_with(c);
        if stem.len() + c.len_utf8() > STEM_BYTES_MAX {
            break;
        }
        if !repeats {
            stem.push(c);
        }
    }
    let stem = stem.trim_matches([' ', '.', '-']).to_owned();
    let first = stem
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_lowercase();
    let (word, digit) = first.split_at_checked(3).unwrap_or((&first, ""));
    let is_port = matches!(word, "com" | "lpt") && digit.chars().count() == 1;
    if DEVICES.contains(&first.as_str()) || is_port {
        format!("_{stem}")
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn a_title_climbs_out_of_no_folder_and_names_no_device() {
        for (title, name) in [
            ("Tea shop", "Tea shop"),
            ("../../etc/passwd", "etc-passwd"),
            ("..", ""),
            ("/", ""),
            ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"),
            (".hidden", "hidden"),
            ("ends in dots...", "ends in dots"),
            ("a\u{0}b\nc\u{202e}d", "a-b-c-d"),
            ("\u{4e2d}\u{6587}", "\u{4e2d}\u{6587}"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1", "_com1"),
            ("company", "company"),
            ("$(rm -rf ~)", "(rm -rf -)"),
        ] {
            assert_eq!(stem(title), name, "{title:?}");
        }
        assert!(stem(&"\u{4e2d}".repeat(200)).len() <= 120);
    }
}
