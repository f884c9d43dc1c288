//! The three-way merge: combines the changes of two sides to different parts of a value.
//! Pure and total. If both sides changed the same part, there is no merge; nothing of either side
//! is ever dropped to make one.
//!
//! A side's change of a text counts as one stretch of lines, from the first that differs to the
//! last. Two stretches can be merged if an untouched line lies between them.

use crate::core::notes::Note;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Merges a value as a whole; `None` if each side changed it in its own way.
pub fn three_way<'a, T: PartialEq + ?Sized>(
    base: &'a T,
    ours: &'a T,
    theirs: &'a T,
) -> Option<&'a T> {
    if ours == theirs || base == theirs {
        Some(ours)
    } else if base == ours {
        Some(theirs)
    } else {
        None
    }
}

/// Merges a text.
/// If both sides changed it, it ends with a line break if `theirs` does.
pub fn text(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let merged = three_way(base, ours, theirs).map(str::to_owned);
    merged.or_else(|| lines(base, ours, theirs))
}

/// Merges a JSON value: objects by their members, texts by their lines.
pub fn value(base: &Value, ours: &Value, theirs: &Value) -> Option<Value> {
    if let Some(merged) = three_way(base, ours, theirs) {
        return Some(merged.clone());
    }
    match (base, ours, theirs) {
        (Value::Object(base), Value::Object(ours), Value::Object(theirs)) => {
            members(base, ours, theirs).map(Value::Object)
        }
        (Value::String(base), Value::String(ours), Value::String(theirs)) => {
            lines(base, ours, theirs).map(Value::String)
        }
        _ => None,
    }
}

/// Merges a note: returns `theirs` with our changes.
/// Version and times are theirs.
pub fn note(base: &Note, ours: &Note, theirs: &Note) -> Option<Note> {
    let field = |of: fn(&Note) -> &String| three_way(of(base), of(ours), of(theirs)).cloned();
    Some(Note {
        note_kind: field(|note| &note.note_kind)?,
        title: field(|note| &note.title)?,
        value: text(&base.value, &ours.value, &theirs.value)?,
        keywords: set(&base.keywords, &ours.keywords, &theirs.keywords),
        links: set(&base.links, &ours.links, &theirs.links),
        issues: set(&base.issues, &ours.issues, &theirs.issues),
        ..theirs.clone()
    })
}

/// Returns whether two forms of a note are equal in all that a person or a model may write.
pub fn is_same_note(one: &Note, other: &Note) -> bool {
    one.note_kind == other.note_kind
        && one.title == other.title
        && one.keywords == other.keywords
        && one.value == other.value
        && one.links == other.links
        && one.issues == other.issues
}

fn members(
    base: &Map<String, Value>,
    ours: &Map<String, Value>,
    theirs: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let names: BTreeSet<&String> = base
        .keys()
        .chain(ours.keys())
        .chain(theirs.keys())
        .collect();
    let mut merged = Map::new();
    for name in names {
        let [base, ours, theirs] = [base, ours, theirs].map(|side| side.get(name));
        if let Some(value) = three_way(&base, &ours, &theirs)? {
            merged.insert(name.clone(), (*value).clone());
        }
    }
    Some(merged)
}

/// Merges a list of independent items.
/// Never fails: an item that either side removed is gone, and an item that either side added is
/// there.
fn set<T: PartialEq + Clone>(base: &[T], ours: &[T], theirs: &[T]) -> Vec<T> {
    if let Some(merged) = three_way(base, ours, theirs) {
        return merged.to_vec();
    }
    let is_kept = |item: &&T| ours.contains(item) || !base.contains(item);
    let mut merged: Vec<T> = theirs.iter().filter(is_kept).cloned().collect();
    for item in ours {
        if !base.contains(item) && !merged.contains(item) {
            merged.push(item.clone());
        }
    }
    merged
}

/// A stretch of lines of the base that a side changed, with its new lines.
struct ChangedRange<'a> {
    from: usize,
    to: usize,
    put: Vec<&'a str>,
}

impl<'a> ChangedRange<'a> {
    fn of(base: &[&str], side: &[&'a str]) -> Self {
        let shorter = base.len().min(side.len());
        let same = |(one, other): &(&&str, &&str)| one == other;
        let head = base.iter().zip(side).take_while(same).count();
        let ends = base.iter().rev().zip(side.iter().rev());
        let tail = ends.take_while(same).count().min(shorter - head);
        Self {
            from: head,
            to: base.len() - tail,
            put: side
                .get(head..side.len() - tail)
                .unwrap_or_default()
                .to_vec(),
        }
    }
}

/// Merges a text by its lines, without the line break at its end.
/// Editors add that break and models omit it, so `theirs` decides.
fn lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let bare = |text| str::strip_suffix(text, '\n').unwrap_or(text);
    let mut merged = bare_lines(bare(base), bare(ours), bare(theirs))?;
    if theirs.ends_with('\n') {
        merged.push('\n');
    }
    Some(merged)
}

fn bare_lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    if let Some(merged) = three_way(base, ours, theirs) {
        return Some(merged.to_owned());
    }
    let [base, ours, theirs] =
        [base, ours, theirs].map(|text| text.split('\n').collect::<Vec<_>>());
    let (one, other) = (
        ChangedRange::of(&base, &ours),
        ChangedRange::of(&base, &theirs),
    );
    let (first, last) = if one.from <= other.from {
        (one, other)
    } else {
        (other, one)
    };
    // At least one untouched line must lie between them.
    if first.to >= last.from {
        return None;
    }
    let part = |from: usize, to: usize| base.get(from..to).unwrap_or_default();
    let merged = [
        part(0, first.from),
        &first.put,
        part(first.to, last.from),
        &last.put,
        part(last.to, base.len()),
    ];
    Some(merged.concat().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{text, value};
    use serde_json::json;

    #[test]
    fn texts_go_together_where_an_untouched_line_lies_between() {
        let base = "a\nb\nc\nd";
        for (ours, theirs, merged) in [
            ("A\nb\nc\nd", "a\nb\nc\nD", Some("A\nb\nc\nD")),
            ("b\nc\nd", "a\nb\nc\nd\ne", Some("b\nc\nd\ne")),
            ("a\nb\nc\nd\ne", "0\na\nb\nc\nd", Some("0\na\nb\nc\nd\ne")),
            ("A\nb\nc\nd", "a\nB\nc\nd", None),
            ("A\nb\nc\nd", "AA\nb\nc\nd", None),
            ("a\nb\nc\nd\ne", "a\nb\nc\nd\nf", None),
            ("", "a\nb\nc\nd\nf", None),
            ("x", "x", Some("x")),
            (base, "y", Some("y")),
            ("y", base, Some("y")),
        ] {
            assert_eq!(
                text(base, ours, theirs).as_deref(),
                merged,
                "{ours:?} {theirs:?}"
            );
            assert_eq!(
                text(base, theirs, ours).as_deref(),
                merged,
                "{theirs:?} {ours:?}"
            );
        }
    }

    #[test]
    fn a_break_behind_the_last_line_is_nobodys_change() {
        for (base, ours, theirs, merged) in [
            ("a\nb\nc\n", "A\nb\nc", "a\nb\nC\n", "A\nb\nC\n"),
            ("a\nb\nc", "A\nb\nc", "a\nb\nC\n", "A\nb\nC\n"),
            ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC", "A\nb\nC"),
            ("a\nb\nc\n", "A\nb\nc", "a\nb\nc", "A\nb\nc"),
            ("a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n"),
        ] {
            let found = text(base, ours, theirs);
            assert_eq!(found.as_deref(), Some(merged), "{ours:?} {theirs:?}");
        }
        // Inserted lines stay apart.
        assert_eq!(text("a\n", "a\nb\n", "a\nc\n"), None);
    }

    #[test]
    fn objects_go_together_member_by_member() {
        let base = json!({"a": 1, "b": 2, "c": 3});
        let ours = json!({"a": 9, "b": 2});
        let theirs = json!({"a": 1, "b": 2, "c": 3, "d": 4});
        assert_eq!(
            value(&base, &ours, &theirs),
            Some(json!({"a": 9, "b": 2, "d": 4}))
        );
        assert_eq!(value(&base, &ours, &json!({"a": 8, "b": 2, "c": 3})), None);
        assert_eq!(value(&json!([1]), &json!([1, 2]), &json!([0, 1])), None);
        assert_eq!(value(&json!(1), &json!(2), &json!("x\ny")), None);
    }
}
