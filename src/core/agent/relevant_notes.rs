//! Finds the notes that the request or the next step names, so that the prompt shows them.
//! A small model should decide, not search. While it plans, it sees titles, so that it changes an
//! existing note instead of writing it again. While it executes, it sees the notes.

use super::executor::item;
use super::{ActionResult, LoopState, ResultItem, WorkingMemory};
use crate::core::guard::Scope;
use crate::core::journal::State;
use crate::core::notes::{MentionedNote, Note, Terms, named_in, titled_in};
use crate::core::prompt::shorten;
use crate::core::protocol::Tag;
use crate::limits::{FOUND_MAX, FOUND_TEXT_CHARS, LINK_TITLE_CHARS};
use serde_json::Value;

/// The beginning of a step that names no note.
const NEW_NOTE: &str = "New note";

/// The [`MentionedNote::share`] of a title that a text contains in full.
const FULL_TITLE_SHARE: usize = 1000;

/// Returns whether a prompt in that state may show notes.
pub fn wants_notes(working: &WorkingMemory, ran_in: LoopState) -> bool {
    matches!(ran_in, LoopState::Planning | LoopState::Executing) && working.ram.request().is_some()
}

/// Returns the notes that the request or the next step names, as a search result.
/// Only the workspace of the scope counts. `None` if there is no such note.
pub fn relevant_notes(
    state: &State,
    working: &WorkingMemory,
    scope: &Scope,
    ran_in: LoopState,
    request: Option<&str>,
) -> Option<ActionResult> {
    let request = request?;
    let own = state.notes.iter();
    let own = own.filter(|note| note.workspace_id == scope.workspace_id);
    let (message, items) = match ran_in {
        LoopState::Planning => {
            let named = named_in(request, own, FOUND_MAX);
            (
                titles_of(named.iter().filter(|it| is_new(it, working)))?,
                Vec::new(),
            )
        }
        LoopState::Executing => {
            let step = working.ram.steps().first().and_then(Value::as_str)?;
            let named = named_by_step(step, own);
            let items: Vec<ResultItem> = named
                .iter()
                .filter(|it| is_new(it, working))
                .map(|it| item(it.note, &state.notes, FOUND_TEXT_CHARS))
                .collect();
            (
                String::new(),
                Some(items).filter(|items| !items.is_empty())?,
            )
        }
        LoopState::Evaluating
        | LoopState::Paging
        | LoopState::RecordOrganizing
        | LoopState::Idle => return None,
    };
    Some(ActionResult {
        op: Tag::RecordSearch.name().to_owned(),
        message,
        items,
        ..ActionResult::default()
    })
}

/// Returns the notes that a step names.
/// The text before its first colon says what to do, in any language: `New note`, or `Update` and a
/// title. Only titles count there, without the first word, which every step has.
fn named_by_step<'a>(
    step: &str,
    notes: impl Iterator<Item = &'a Note> + Clone,
) -> Vec<MentionedNote<'a>> {
    let Some((head, text)) = parted(step) else {
        return best_of(named_in(step, notes, FOUND_MAX));
    };
    let titled = titled_in_head(head, notes.clone());
    let meant = titled.first().map_or(0, |it| it.share);
    let others = best_of(named_in(text, notes, FOUND_MAX)).into_iter();
    let is_other =
        |it: &MentionedNote<'_>| !titled.iter().any(|titled| titled.note.id == it.note.id);
    let others: Vec<MentionedNote<'_>> = others
        .filter(|it| it.share >= meant && is_other(it))
        .collect();
    let mut named = [titled, others].concat();
    named.truncate(FOUND_MAX);
    named
}

/// Splits a step at its first colon.
/// A colon inside a time or an address does not count.
fn parted(step: &str) -> Option<(&str, &str)> {
    let mut colons = step.match_indices([':', '\u{ff1a}']);
    let (at, colon) = colons.find(|(at, colon)| {
        let behind = step.get(at + colon.len()..).unwrap_or_default();
        *colon != ":" || behind.is_empty() || behind.starts_with(char::is_whitespace)
    })?;
    Some((step.get(..at)?, step.get(at + colon.len()..)?))
}

/// Returns the notes whose titles stand before the colon of a step.
fn titled_in_head<'a>(
    head: &str,
    notes: impl Iterator<Item = &'a Note> + Clone,
) -> Vec<MentionedNote<'a>> {
    if Terms::of(head) == Terms::of(NEW_NOTE) {
        return Vec::new();
    }
    let mut whole = titled_in(head, notes.clone(), FOUND_MAX);
    whole.retain(|it| it.share == FULL_TITLE_SHARE);
    if !whole.is_empty() {
        return longest_of(&whole);
    }
    let rest = head.trim().split_once(char::is_whitespace);
    best_of(rest.map_or_else(Vec::new, |(_, rest)| titled_in(rest, notes, FOUND_MAX)))
}

/// Returns the notes whose titles are no part of another title.
/// `Bicycle of Anna` does not mean `Bicycle`.
fn longest_of<'a>(whole: &[MentionedNote<'a>]) -> Vec<MentionedNote<'a>> {
    let terms: Vec<Terms> = whole.iter().map(|it| Terms::of(&it.note.title)).collect();
    let is_part = |own: &Terms| {
        let mut others = terms.iter();
        others.any(|other| own.len() < other.len() && own.are_in(other))
    };
    let longest = whole.iter().zip(&terms).filter(|(_, own)| !is_part(own));
    longest.map(|(it, _)| *it).collect()
}

/// Returns the first note and those with an equal share.
fn best_of(mut named: Vec<MentionedNote<'_>>) -> Vec<MentionedNote<'_>> {
    let best = named.first().map_or(0, |it| it.share);
    named.retain(|it| it.share == best);
    named
}

/// Returns a message with the titles, or `None` if there are none.
fn titles_of<'a>(named: impl Iterator<Item = &'a MentionedNote<'a>>) -> Option<String> {
    let titles = named.map(|it| shorten(&it.note.title, LINK_TITLE_CHARS));
    let titles: Vec<String> = titles.collect();
    (!titles.is_empty()).then(|| format!("there is already: {}", titles.join("; ")))
}

/// Returns whether no result of the previous iteration shows the note.
fn is_new(named: &MentionedNote<'_>, working: &WorkingMemory) -> bool {
    let mut shown = working.results.iter().flat_map(|result| &result.items);
    !shown.any(|item| item.id == named.note.id)
}
