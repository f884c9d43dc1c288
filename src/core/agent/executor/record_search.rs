//! The search for notes in the executor, with the changes of this reply.
//! It shows only notes of workspaces that the agent may read, and changes none.

use super::feedback::{self, FULL_TEXT_CHARS, bare_item, name_of, name_where};
use super::lookup::{LINKS, has_key, names_in, readings, report_keys};
use super::{Done, Executor, ResultItem, TARGET_CHARS};
use crate::core::notes::{self, Link, Note, Query};
use crate::core::prompt::{TextPage, shorten, with_not_shown};
use crate::core::protocol::Search;
use crate::ids::NoteId;
use crate::limits::{LINK_TITLE_CHARS, LINKS_SHOWN_MAX, SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use std::collections::BTreeSet;

/// The hint that more notes were found than are shown.
const MORE_NOTES: &str = "there are more notes; say it with more words";

/// Executes `record_search`: shows the keys and the notes that match.
pub(super) fn record_search(executor: &mut Executor<'_>, search: &Search) -> Done {
    let key_found = report_keys(executor, search) > 0;
    let (mut items, message) = match search {
        Search::Query(query) => hits(executor, query),
        Search::Ids(ids) => named_notes(executor, &names_in(executor, ids)),
    };
    for item in &mut items {
        let found = executor.overlay.readable_note(item.id);
        item.links = found.map_or_else(Vec::new, |note| links_shown(executor, note));
    }
    let message = match (items.is_empty(), message.is_empty()) {
        (true, true) if key_found => return Done::default(),
        (true, true) => "no note found".to_owned(),
        // The notes are the answer.
        (..) => message,
    };
    Done {
        feedback: Some((message, items)),
        ..Done::default()
    }
}

/// Returns a page of the note that a query names, and the best notes for its words.
fn hits(executor: &Executor<'_>, query: &str) -> (Vec<ResultItem>, String) {
    let named = named_note(executor, query);
    let query = Query::parse(query);
    let mut found = search(executor, &query, SEARCH_HITS_MAX + 1);
    found.retain(|hit| named.is_none_or(|(note, _)| note.id != hit.id));
    let room = SEARCH_HITS_MAX - usize::from(named.is_some());
    let message = if found.len() > room { MORE_NOTES } else { "" };
    let hits = found.into_iter().take(room);
    let hits = hits.map(|note| {
        let places = query.places(&note.value);
        let name = name_of(note, &executor.context.state.notes);
        let (page, text) = TextPage::around(&note.value, &name, &places, SEARCH_PREVIEW_CHARS);
        ResultItem {
            text,
            page: Some(page),
            ..bare_item(note)
        }
    });
    let named = named.map(|(note, from)| page_of(executor, note, from));
    (named.into_iter().chain(hits).collect(), message.to_owned())
}

/// Returns a page of each note that a list names, and a message about the others.
fn named_notes(executor: &Executor<'_>, asked: &[String]) -> (Vec<ResultItem>, String) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for name in asked {
        match named_note(executor, name) {
            Some(note) => found.push(note),
            None if has_key(executor, name) => {}
            None => missing.push(name.as_str()),
        }
    }
    let mut message = if missing.is_empty() {
        String::new()
    } else {
        let missing = shorten(&missing.join(", "), TARGET_CHARS);
        format!("not found: {missing}")
    };
    let left_out = found.len().saturating_sub(SEARCH_HITS_MAX);
    if left_out > 0 {
        let way = format!(", ask for {SEARCH_HITS_MAX} at once");
        message = with_not_shown(&message, left_out, &way);
    }
    let shown = found.into_iter().take(SEARCH_HITS_MAX);
    let items = shown.map(|(note, from)| page_of(executor, note, from));
    (items.collect(), message)
}

/// Returns the one note of an id or title, and the character from which it is asked for.
fn named_note<'e>(executor: &'e Executor<'_>, asked: &str) -> Option<(&'e Note, usize)> {
    readings(asked).find_map(|(name, from)| {
        let note = note_called(executor, name)?;
        let has = from == 0 || note.value.chars().nth(from).is_some();
        has.then_some((note, from))
    })
}

/// Returns the one note of an id or title.
pub(super) fn note_called<'e>(executor: &'e Executor<'_>, name: &str) -> Option<&'e Note> {
    let by_id = || executor.overlay.readable_note(name.parse().ok()?);
    let own = executor.overlay.guard.workspace_id();
    let titled = || only_titled(executor, name, |note| note.workspace_id == own);
    let elsewhere = || {
        only_titled(executor, name, |note| {
            executor.overlay.guard.reads(note.workspace_id)
        })
    };
    by_id().or_else(titled).or_else(elsewhere)
}

/// Returns the only note with that title among those that are `near`.
/// Case does not count.
pub(super) fn only_titled<'e>(
    executor: &'e Executor<'_>,
    name: &str,
    near: impl Fn(&Note) -> bool,
) -> Option<&'e Note> {
    let stored = executor.context.state.notes.all_titled(name);
    let stored = stored.filter(|note| !executor.overlay.has_written(note.id));
    let drafted = executor.overlay.written();
    let drafted = drafted.filter(|note| notes::is_title(name, &note.title));
    let mut same = stored.chain(drafted).filter(|note| near(note));
    let first = same.next()?;
    same.next().is_none().then_some(first)
}

/// Returns a note from character `from` on, as far as it fits.
fn page_of(executor: &Executor<'_>, note: &Note, from: usize) -> ResultItem {
    feedback::part(note, &executor.context.state.notes, from, FULL_TEXT_CHARS)
}

/// Returns the notes that a note links to, then those that link to it.
pub(super) fn linked<'e>(executor: &'e Executor<'_>, note: &Note) -> Vec<&'e Note> {
    let to = executor.context.state.notes.links_of(note).into_iter();
    let to = to.filter_map(|link| match link {
        Link::To(id) => Some(id),
        Link::GoneNote(_) | Link::NoSuchTitle(_) => None,
    });
    let mut seen = BTreeSet::new();
    let ids = to.chain(executor.context.state.notes.linked_from(note));
    let ids = ids.filter(|id| seen.insert(*id));
    ids.filter_map(|id| executor.overlay.readable_note(id))
        .collect()
}

/// Returns the names of the first linked notes, and a hint for the others.
fn links_shown(executor: &Executor<'_>, note: &Note) -> Vec<String> {
    let linked = linked(executor, note);
    let shown = linked.iter().take(LINKS_SHOWN_MAX);
    let mut names: Vec<String> = shown.map(|note| link_name(executor, note)).collect();
    let left_out = linked.len() - names.len();
    if left_out > 0 {
        let name = name_of(note, &executor.context.state.notes);
        names.push(format!(
            "{left_out} more: record_search {LINKS} {name} lists all"
        ));
    }
    names
}

/// Returns the name of a note in a link: its title if that is short and unique, else its id.
pub(super) fn link_name(executor: &Executor<'_>, note: &Note) -> String {
    let is_short = note.title.chars().count() <= LINK_TITLE_CHARS;
    name_where(is_short, note, &executor.context.state.notes)
}

/// Returns the best notes for a query, with the changes of this reply.
fn search<'e>(executor: &'e Executor<'_>, query: &Query, limit: usize) -> Vec<&'e Note> {
    let Some(candidates) = executor.context.index.candidates(query) else {
        return notes::search(executor.overlay.readable_notes(), query, limit);
    };
    let stored = |id: NoteId| {
        let is_drafted = executor.overlay.has_written(id);
        executor.overlay.readable_note(id).filter(|_| !is_drafted)
    };
    let drafted = executor.overlay.written();
    let drafted = drafted.filter(|note| executor.overlay.guard.reads(note.workspace_id));
    notes::search_indexed(candidates, query, limit, stored, drafted)
}
