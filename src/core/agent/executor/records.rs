//! Record instructions in the executor.
//! They find notes among the stored ones and those of this reply. They show only notes of
//! workspaces that the agent may read.

use super::feedback::{FULL_TEXT_CHARS, bare_item, item};
use super::proposals::propose;
use super::record_search::only_titled;
use super::{Done, Executor, LoopState, Refused};
use crate::core::guard::{Approved, NewNote, NoteEdit, Refusal, check_not_truncated};
use crate::core::journal::Change;
use crate::core::notes::{self, Issue, KeyMatch, Note, NoteFeatures, Terms, similar_to};
use crate::core::prompt::Mode;
use crate::core::steps::spans::numbers_of;
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS, SIMILAR_SHOWN_MAX};
use serde_json::{Map, Value};

/// The message for a change of a note that does not exist.
const NOT_FOUND: &str = "no note has that id or title; look for it with record_search";

/// Returns the notes that a text links to with `[[title]]`, where exactly one has that title.
/// Small models copy a title more reliably than an id.
fn links_by_title(executor: &Executor<'_>, text: &str) -> Vec<NoteId> {
    let own = executor.overlay.guard.workspace_id();
    let titled = |name| titled_in(executor, name, own);
    notes::names_in(text).filter_map(titled).collect()
}

fn titled_in(executor: &Executor<'_>, name: &str, workspace_id: WorkspaceId) -> Option<NoteId> {
    let is_near = |note: &Note| note.workspace_id == workspace_id;
    only_titled(executor, name, is_near).map(|note| note.id)
}

/// The minimum number of terms of a text that is checked for loss.
const TERMS_MIN: usize = 8;

/// The number of lost numbers that is always allowed.
const NUMBERS_LOST_MAX: usize = 1;

/// The message for a text that loses most of the old one.
const LOST: &str = "most of the old text would be lost; write it again with the change in it";

/// Executes `record_add`: adds a note, unless this run wrote it before.
#[expect(clippy::ref_option, reason = "these are as the instruction has them")]
pub(super) fn record_add(
    executor: &mut Executor<'_>,
    keywords: &str,
    value: &str,
    title: &Option<String>,
    kind: &Option<String>,
    workspace_id: &Option<String>,
) -> Result<Done, Refused> {
    let (inner_title, text) = notes::title_and_text(value);
    let new = NewNote {
        workspace_id: workspace_id.clone(),
        kind: kind.clone(),
        title: title.clone().or(inner_title),
        keywords: notes::split_keywords(keywords),
        links: links_by_title(executor, &text),
        value: text,
    };
    let id = executor.ids.next_note_id();
    let savepoint = executor.overlay.savepoint();
    let is_titled = new.title.is_some();
    let guard = &mut executor.overlay.guard;
    let change = guard.note_create(new, id, executor.context.now)?;
    let written = change.get().note();
    let similar = written.map_or_else(Vec::new, |new| similar(executor, new));
    let is_twin = |it| written.is_some_and(|new| is_twin(executor, it, new, is_titled));
    let is_written = similar.iter().any(is_twin);
    if is_written {
        executor.overlay.rollback(savepoint);
        // The step is done, as it was before.
        executor.overlay.wrote.record = true;
        return Ok(Done::ignored());
    }
    if executor.context.note_policy.refuse_near_duplicates
        && let Some(first) = similar.first()
    {
        // A refused note uses up none of the limits.
        executor.overlay.rollback(savepoint);
        return Err(near_duplicate(executor, first));
    }
    let mut done = take_note(executor, change, None)?;
    if let (Some((message, items)), false) = (&mut done.feedback, similar.is_empty()) {
        *message = format!("{}much the same is said by:", sentence_before(message));
        items.extend(
            similar
                .iter()
                .map(|note| item(note, &executor.context.state.notes, SEARCH_PREVIEW_CHARS)),
        );
    }
    Ok(done)
}

/// Executes `record_update`: gives a note another text.
#[expect(clippy::ref_option, reason = "these are as the instruction has them")]
pub(super) fn record_update(
    executor: &mut Executor<'_>,
    key: &str,
    value: &str,
    title: &Option<String>,
    keywords: &Option<String>,
    version: Option<u64>,
) -> Result<Done, Refused> {
    let (inner_title, text) = notes::title_and_text(value);
    let edit = NoteEdit {
        title: title.clone().or(inner_title),
        keywords: keywords.as_deref().map(notes::split_keywords),
        value: Some(text),
        ..NoteEdit::default()
    };
    let base = find(executor, key)?;
    edit_note(executor, base, version, edit)
}

/// Executes `record_issue`: adds an issue to a note.
pub(super) fn record_issue(
    executor: &mut Executor<'_>,
    key: &str,
    value: &str,
    metadata: &Map<String, Value>,
) -> Result<Done, Refused> {
    let issue = Issue {
        text: value.to_owned(),
        metadata: metadata.clone(),
        created_at: executor.context.now,
        open: true,
    };
    let edit = NoteEdit {
        issue: Some(issue),
        ..NoteEdit::default()
    };
    let base = find(executor, key)?;
    edit_note(executor, base, None, edit)
}

/// Changes a note.
pub(super) fn edit_note(
    executor: &mut Executor<'_>,
    base: Note,
    version: Option<u64>,
    edit: NoteEdit,
) -> Result<Done, Refused> {
    let version = version.or_else(|| seen_version(executor, &base));
    // Links that a person listed beside the text stay.
    let titled = |name: &str| titled_in(executor, name, base.workspace_id);
    let links = edit.value.as_deref();
    let links = links.map(|text| notes::links_after(Some(&base), None, text, titled));
    let edit = NoteEdit { links, ..edit };
    let whole = edit.value.as_deref();
    let whole = whole.map_or(Ok(()), |text| {
        check_not_truncated(text, || Some(base.value.clone()))
            .and_then(|()| check_loss(executor, &base, text))
    });
    let savepoint = executor.overlay.savepoint();
    let guard = &mut executor.overlay.guard;
    let change = whole.and_then(|()| guard.note_update(&base, version, edit, executor.context.now));
    match change {
        Ok(change) if changes_nothing(&change, &base) => {
            // A change without a difference uses up none of the limits.
            executor.overlay.rollback(savepoint);
            Ok(Done::unchanged(bare_item(&base)))
        }
        Ok(change) => take_note(executor, change, Some(base)),
        Err(refusal) => Err(with_present_text(executor, refusal, &base)),
    }
}

/// Executes `record_delete`: deletes a note.
pub(super) fn record_delete(executor: &mut Executor<'_>, key: &str) -> Result<Done, Refused> {
    let base = find(executor, key)?;
    delete_note(executor, base)
}

/// Deletes a note.
pub(super) fn delete_note(executor: &mut Executor<'_>, base: Note) -> Result<Done, Refused> {
    let version = seen_version(executor, &base);
    match executor
        .overlay
        .guard
        .note_delete(&base, version, executor.context.now)
    {
        Ok(change) => take_note(executor, change, Some(base)),
        Err(refusal) => Err(with_present_text(executor, refusal, &base)),
    }
}

/// Applies or proposes an approved change of a note, and reports the resulting version.
fn take_note(
    executor: &mut Executor<'_>,
    change: Approved<Change>,
    base: Option<Note>,
) -> Result<Done, Refused> {
    if executor.context.mode == Mode::Reviewed {
        return propose(executor, &change, base.as_ref());
    }
    let feedback = change.get().note().map(|note| match note.deleted_at {
        None => (String::new(), vec![bare_item(note)]),
        Some(_) => ("deleted".to_owned(), Vec::new()),
    });
    executor.overlay.take(change);
    Ok(Done {
        feedback,
        base,
        ..Done::default()
    })
}

/// Returns the note that a key means, if the agent may change it.
/// The own workspace has priority.
pub(super) fn find(executor: &Executor<'_>, key: &str) -> Result<Note, Refused> {
    let id = match notes::resolve(own_notes(executor), key) {
        KeyMatch::One(id) => id,
        KeyMatch::Many => return Err(ambiguous(executor, key)),
        KeyMatch::None => find_elsewhere(executor, key)?,
    };
    let note = executor.overlay.note(id).cloned().ok_or_else(not_found)?;
    executor.overlay.guard.note_reached(&note)?;
    Ok(note)
}

/// Returns the id of a note of another workspace.
/// A note that the agent may read can have any key. Others need their id, so that the guard can
/// give the reason of the refusal. An id shows already that the note exists.
fn find_elsewhere(executor: &Executor<'_>, key: &str) -> Result<NoteId, Refused> {
    match notes::resolve(executor.overlay.readable_notes(), key) {
        KeyMatch::One(id) => Ok(id),
        KeyMatch::Many => Err(ambiguous(executor, key)),
        KeyMatch::None => {
            let id = key.trim().parse().ok();
            let id = id.filter(|id| executor.overlay.note(*id).is_some());
            id.ok_or_else(|| not_found().into())
        }
    }
}

/// Returns the refusal to pick one of several notes, with the notes and their ids.
fn ambiguous(executor: &Executor<'_>, key: &str) -> Refused {
    let matching = executor.overlay.readable_notes();
    let matching = matching.filter(|note| notes::answers_to(note, key));
    let items =
        matching.map(|note| item(note, &executor.context.state.notes, SEARCH_PREVIEW_CHARS));
    let message = "several notes match; use the id of one";
    Refused {
        items: items.take(SEARCH_HITS_MAX).collect(),
        ..Refusal::new(Code::RecordKeyAmbiguous, message).into()
    }
}

/// Returns the version on which a change without a version is based.
/// It is the newest that the agent saw, or its own write in this reply.
pub(super) fn seen_version(executor: &Executor<'_>, note: &Note) -> Option<u64> {
    if executor.overlay.has_written(note.id) {
        return Some(note.version);
    }
    // What this iteration's prompt had no room for does not count as seen.
    let shown = executor
        .context
        .shown
        .iter()
        .filter(|shown| shown.id == note.id);
    let newest = shown.map(|shown| shown.version).max();
    newest.max(executor.context.working.seen.get(&note.id).copied())
}

/// Returns the refusal of a change, with the present note if the change missed a part of it.
/// The next change can be based on that note.
fn with_present_text(executor: &Executor<'_>, refusal: Refusal, base: &Note) -> Refused {
    let items = if matches!(
        refusal.code,
        Code::VersionConflict | Code::TextCut | Code::TextLost
    ) {
        vec![item(base, &executor.context.state.notes, FULL_TEXT_CHARS)]
    } else {
        Vec::new()
    };
    Refused {
        items,
        ..refusal.into()
    }
}

/// Returns whether this run wrote the same note before, word for word.
/// Small models repeat their last step.
fn is_twin(executor: &Executor<'_>, written: &Note, new: &Note, is_titled: bool) -> bool {
    written.created_by.run_id == Some(executor.context.run.run_id)
        && written.value == new.value
        && written.note_kind == new.note_kind
        && (!is_titled || written.title == new.title)
}

/// Returns near-duplicates of a new note in its workspace, those of this reply included.
fn similar(executor: &Executor<'_>, new: &Note) -> Vec<Note> {
    let threshold = executor.context.note_policy.similar_threshold;
    let is_near = |note: &Note| {
        note.workspace_id == new.workspace_id && executor.overlay.guard.reads(note.workspace_id)
    };
    let is_stored = |note: &Note| is_near(note) && !executor.overlay.has_written(note.id);
    let stored = &executor.context.state.notes;
    let stored = similar_to(new, stored, threshold, SIMILAR_SHOWN_MAX, is_stored);
    let face = NoteFeatures::of(new);
    let drafted = executor.overlay.written();
    let drafted = drafted.filter(|note| face.similarity(&NoteFeatures::of(note)) >= threshold);
    let similar = stored.notes.into_iter().map(|(_, note)| note);
    similar
        .chain(drafted)
        .take(SIMILAR_SHOWN_MAX)
        .cloned()
        .collect()
}

/// Returns the refusal of a near-duplicate, with the whole existing note to be updated.
fn near_duplicate(executor: &Executor<'_>, existing: &Note) -> Refused {
    Refused {
        refusal: Refusal::new(
            Code::NearDuplicate,
            "this note says much the same; if something is new, record_update it",
        ),
        items: vec![item(
            existing,
            &executor.context.state.notes,
            FULL_TEXT_CHARS,
        )],
        instead: Some(existing.id),
    }
}

/// Returns the notes of the own workspace.
fn own_notes<'e>(executor: &'e Executor<'_>) -> impl Iterator<Item = &'e Note> + Clone {
    let own = executor.overlay.guard.workspace_id();
    let notes = executor.overlay.notes();
    notes.filter(move |note| note.workspace_id == own)
}

/// Refuses a text that loses most of the old one or its numbers.
/// Words that the request names may go. Texts that the program composes are exempt, as are the
/// merges of organizing.
fn check_loss(executor: &Executor<'_>, base: &Note, text: &str) -> Result<(), Refusal> {
    if executor.context.is_stepwise || executor.context.ran_in == LoopState::RecordOrganizing {
        return Ok(());
    }
    let request = executor.context.run.request.as_deref().unwrap_or_default();
    let kept = [text, "\n", request].concat();
    // A link is no text: it follows from what the text says now.
    let base = without_links(&base.value);
    let before = Terms::of(&base);
    let count = before.len();
    let lost = before.without(&Terms::of(&kept)).len();
    let is_thin = count >= TERMS_MIN && lost * 2 > count;
    let (known, new) = (numbers_of(&kept), numbers_of(text));
    let old = numbers_of(&base);
    let gone = old.iter().filter(|it| !known.contains(it)).count();
    let come = new.iter().filter(|it| !old.contains(it)).count();
    if is_thin || gone > NUMBERS_LOST_MAX && gone > come {
        return Err(Refusal::new(Code::TextLost, LOST));
    }
    Ok(())
}

/// Returns a text without `[[...]]`.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[[") {
        kept.push_str(before);
        let Some((_, after)) = behind.split_once("]]") else {
            rest = behind;
            continue;
        };
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Returns whether a change leaves a note as it is.
fn changes_nothing(change: &Approved<Change>, base: &Note) -> bool {
    let Change::NoteUpdated(written) = change.get() else {
        return false;
    };
    let same = Note {
        version: base.version,
        updated_at: base.updated_at,
        ..written.note.clone()
    };
    same == *base
}

fn not_found() -> Refusal {
    Refusal::new(Code::RecordNotFound, NOT_FOUND)
}

/// Returns the message so far about an added note, as the beginning of a longer one.
fn sentence_before(message: &str) -> String {
    let added = if message.is_empty() { "added" } else { message };
    format!("{added}; ")
}
