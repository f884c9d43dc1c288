//! What stands on a root, and what became of it.

use crate::facts::bare;
use serde_json::{Value, json};

/// What stands on a root.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The notes, as their files have them.
    pub(crate) notes: Vec<Value>,
    /// The KV file.
    pub(crate) ram: Value,
    /// `/storage`, if there is any.
    pub(crate) storage: Value,
    /// The record of the run that came last; null before any.
    pub(crate) run: Value,
}

impl World {
    /// Returns a note by its title.
    pub(crate) fn note(&self, title: &str) -> Option<&Value> {
        let is_it = |note: &&Value| {
            note["title"]
                .as_str()
                .is_some_and(|it| it.eq_ignore_ascii_case(title))
        };
        self.notes.iter().find(is_it)
    }

    /// Returns the text of a note.
    pub(crate) fn text(&self, title: &str) -> Option<String> {
        self.note(title).map(|note| plain(&note["value"]))
    }

    /// Returns title and text of every note.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.notes.iter().map(whole)
    }

    /// Returns whether one note has all of the words, which are given in lower case.
    pub(crate) fn has(&self, words: &[&str]) -> bool {
        self.texts()
            .any(|text| words.iter().all(|word| text.to_lowercase().contains(word)))
    }

    /// Returns whether the note of that title has all of the words, which are given in lower case.
    pub(crate) fn all_in(&self, title: &str, words: &[&str]) -> bool {
        let text = self.text(title).unwrap_or_default().to_lowercase();
        words.iter().all(|word| text.contains(word))
    }

    /// Returns whether a note links another one, in its file or by `[[ ]]` in its text.
    pub(crate) fn links(&self, from: &str, to: &str) -> bool {
        let (Some(from), Some(to)) = (self.note(from), self.note(to)) else {
            return false;
        };
        let text = plain(&from["value"]).to_lowercase();
        let is_named = |name: &Value| text.contains(&format!("[[{}]]", plain(name).to_lowercase()));
        let in_file = from["links"].as_array();
        in_file.is_some_and(|all| all.contains(&to["id"]))
            || is_named(&to["id"])
            || is_named(&to["title"])
    }

    /// Returns whether one of two notes links the other one, both still say what they said and nothing of the
    /// request, and the third one, which is the last, is as it was. Notes are titles with texts.
    pub(crate) fn are_linked(
        &self,
        [one, other]: [(&str, &str); 2],
        (third, third_text): (&str, &str),
        request: &str,
    ) -> bool {
        let keeps = |(title, text): (&str, &str)| {
            let now = self.text(title).unwrap_or_default();
            now.contains(text) && !bare(&now).contains(request)
        };
        self.notes.len() == 3
            && keeps(one)
            && keeps(other)
            && self.text(third).as_deref() == Some(third_text)
            && (self.links(one.0, other.0) || self.links(other.0, one.0))
    }

    /// Returns whether there is one new note, which links the first `linked` of some notes and no others of
    /// them and repeats nothing of the request, and all of them are as they were. Notes are titles with texts.
    pub(crate) fn is_looked_over(
        &self,
        notes: &[(&str, &str)],
        linked: usize,
        request: &str,
    ) -> bool {
        let is_old = |title: &str| notes.iter().any(|(it, _)| it.eq_ignore_ascii_case(title));
        let mut new = self.notes.iter().filter(|it| !is_old(&plain(&it["title"])));
        let (Some(note), None) = (new.next(), new.next()) else {
            return false;
        };
        let title = plain(&note["title"]);
        let (about, others) = notes.split_at(linked);
        self.notes.len() == notes.len() + 1
            && notes
                .iter()
                .all(|(it, text)| self.text(it).as_deref() == Some(*text))
            && about.iter().all(|(it, _)| self.links(&title, it))
            && !others.iter().any(|(it, _)| self.links(&title, it))
            && !bare(&whole(note)).contains(request)
    }

    /// Returns whether a text stands somewhere as it is, byte for byte.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let text = text.trim();
        let mut open = vec![&self.ram, &self.storage];
        open.extend(&self.notes);
        while let Some(value) = open.pop() {
            match value {
                Value::String(found) if found.contains(text) => return true,
                Value::Array(items) => open.extend(items),
                Value::Object(members) => open.extend(members.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        false
    }

    /// Returns what the run answered, if it did.
    pub(crate) fn answer(&self) -> Option<&Value> {
        Some(&self.run["answer"]).filter(|answer| answer.is_object())
    }

    /// Returns the titles of the notes that the answer comes from.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &str> {
        let sources = self.run["answer"]["sources"].as_array().into_iter();
        sources
            .flatten()
            .filter_map(|source| source["title"].as_str())
    }
}

/// Returns the text of a value.
pub(crate) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns title and text of a note.
pub(crate) fn whole(note: &Value) -> String {
    format!("{} {}", plain(&note["title"]), plain(&note["value"]))
}

/// What became of the notes of a root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Difference<'a> {
    /// Notes that were not there before.
    pub(crate) created: Vec<&'a Value>,
    /// Notes that are different now, before and after.
    pub(crate) changed: Vec<(&'a Value, &'a Value)>,
    /// Notes that are no longer there, as they were.
    pub(crate) gone: Vec<&'a Value>,
}

impl<'a> Difference<'a> {
    /// Compares two moments of one root.
    pub(crate) fn between(before: &'a World, after: &'a World) -> Self {
        let of_id = |world: &'a World, id: &Value| world.notes.iter().find(|it| it["id"] == *id);
        let mut difference = Self::default();
        for note in &before.notes {
            match of_id(after, &note["id"]) {
                None => difference.gone.push(note),
                Some(now) if content(now) != content(note) => difference.changed.push((note, now)),
                Some(_) => {}
            }
        }
        let is_new = |note: &&Value| of_id(before, &note["id"]).is_none();
        difference.created = after.notes.iter().filter(is_new).collect();
        difference
    }
}

/// Returns what a note says, without versions and times.
fn content(note: &Value) -> Value {
    let members = ["title", "value", "keywords", "note_kind", "links", "issues"];
    members.iter().map(|name| note[*name].clone()).collect()
}

/// Returns a note as its file has it, with an id that is made of its title.
pub(crate) fn note(title: &str, keywords: &str, text: &str) -> Value {
    let keywords: Vec<&str> = keywords.split(", ").filter(|it| !it.is_empty()).collect();
    json!({
        "id": format!("note of {title}"), "title": title, "keywords": keywords, "value": text,
        "links": [], "issues": [], "note_kind": "note",
    })
}
