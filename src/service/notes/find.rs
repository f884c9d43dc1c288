//! Finds the note that a person means, by its id, title or keywords.
//!
//! The beginning of an id and a title in any case will do. Where no note is meant, the titles that
//! come close are named.

use super::super::typed_id::{beginning_with, closest};
use crate::core::journal::State;
use crate::core::notes::{KeyMatch, Note, answers_to, composed, resolve};
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::plain_text::{joined, one_line};

/// The most characters of a key or a title in a message.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// The most notes that are named where several answer to a key.
const NAMED_MAX: usize = 10;

/// Returns the note that a person means.
///
/// # Errors
/// `RECORD_NOT_FOUND` with the titles that come close, `RECORD_KEY_AMBIGUOUS` with the notes that
/// answer.
pub fn find<'a>(state: &'a State, key: &str) -> Result<&'a Note, Failure> {
    find_among(&[state.notes.iter()], key)
}

/// Like [`find`], but among groups of notes.
///
/// A name is looked for in one group after the other, the beginning of an id in all of them at
/// once.
pub(super) fn find_among<'a, const N: usize>(
    groups: &[impl Iterator<Item = &'a Note> + Clone; N],
    key: &str,
) -> Result<&'a Note, Failure> {
    let all = groups.iter().cloned().flatten();
    let mut by_name = groups.iter().map(|notes| named(notes.clone(), key));
    let found = by_name.find(|found| !found.is_empty());
    let found = found.unwrap_or_else(|| {
        let ids: Vec<NoteId> = beginning_with(all.clone().map(|note| note.id), key);
        all.clone().filter(|note| ids.contains(&note.id)).collect()
    });
    match found[..] {
        [note] => Ok(note),
        [] => Err(nothing_like(all, key)),
        _ => Err(several(&found, key)),
    }
}

/// Returns the notes with that id, title or keywords, else those with that title in any case.
fn named<'a>(notes: impl Iterator<Item = &'a Note> + Clone, key: &str) -> Vec<&'a Note> {
    let of_title = |note: &&Note| !key.trim().is_empty() && is_same_title(&note.title, key);
    match resolve(notes.clone(), key) {
        KeyMatch::One(id) => notes.filter(|note| note.id == id).collect(),
        KeyMatch::Many => notes.filter(|note| answers_to(note, key)).collect(),
        KeyMatch::None => notes.filter(of_title).collect(),
    }
}

pub(super) fn is_same_title(one: &str, other: &str) -> bool {
    let form = |text: &str| composed(text.trim()).to_lowercase();
    form(one) == form(other)
}

pub(super) fn not_found(key: &str) -> Failure {
    let shown = one_line(key, SHOWN_CHARACTERS_MAX);
    Failure::new(
        Code::RecordNotFound,
        format!("no note answers to `{shown}`"),
    )
}

fn nothing_like<'a>(notes: impl Iterator<Item = &'a Note>, key: &str) -> Failure {
    let near = closest(key, notes.map(|note| note.title.as_str()));
    if near.is_empty() {
        return not_found(key);
    }
    let near = near.iter();
    let near = near.map(|title| format!("`{}`", one_line(title, SHOWN_CHARACTERS_MAX)));
    not_found(key).hint(format!("did you mean: {}?", joined(near, ", ")))
}

fn several(found: &[&Note], key: &str) -> Failure {
    let named = found.iter().take(NAMED_MAX);
    let named = named.map(|note| {
        let title = one_line(&note.title, SHOWN_CHARACTERS_MAX);
        format!("{} ({title})", note.id)
    });
    let shown = one_line(key, SHOWN_CHARACTERS_MAX);
    let message = format!("several notes answer to `{shown}`");
    let failure = Failure::new(Code::RecordKeyAmbiguous, message);
    failure.only_hint(format!("Use the id of one: {}.", joined(named, ", ")))
}
