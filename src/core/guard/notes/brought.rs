//! Imported, approved and restored notes.
//! They pass the same checks as any other note. An imported note keeps its version and its times.

use super::super::{Approved, Guard, Refusal};
use super::{bytes_of_issue, check_text, text_bytes, written};
use crate::core::guard::NoteEdit;
use crate::core::journal::Change;
use crate::core::journal::event::NoteWritten;
use crate::core::notes::{CreatedBy, Issue, Note, NoteAuthor, with_links_of};
use crate::failure::Code;
use crate::ids::NoteId;
use crate::limits::{IMPORT_MARKDOWN_BYTES_MAX, IMPORT_VERSION_MAX, ISSUE_BYTES_MAX};
use crate::time::Timestamp;

/// A note from an import.
/// It goes to the workspace of the scope, wherever it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroughtNote {
    /// Its id.
    pub id: NoteId,
    /// Its kind; `note` if absent.
    pub kind: Option<String>,
    /// Its title; the time of its creation if absent.
    pub title: Option<String>,
    /// Its keywords.
    pub keywords: Vec<String>,
    /// Its text.
    pub value: String,
    /// Its links, beside those that the text names by id.
    pub links: Vec<NoteId>,
    /// Its issues.
    pub issues: Vec<Issue>,
    /// The version that it had.
    pub version: u64,
    /// The time of its creation, if known.
    pub created_at: Option<Timestamp>,
    /// The time of its last change, if known.
    pub updated_at: Option<Timestamp>,
}

/// Checks an imported note that does not exist here yet.
/// Times in the future become `now`.
pub fn note_import(
    guard: &mut Guard<'_>,
    brought: BroughtNote,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    let kind = brought.kind.as_deref().and_then(written).unwrap_or("note");
    guard.check_kind(kind)?;
    check_text(&brought.value)?;
    let title = brought.title.as_deref().and_then(written);
    let created_at = brought
        .created_at
        .or(brought.updated_at)
        .map_or(now, |moment| moment.min(now));
    let updated_at = brought.updated_at.map_or(now, |moment| moment.min(now));
    let note = Note {
        id: brought.id,
        workspace_id: guard.scope.workspace_id,
        note_kind: kind.to_owned(),
        title: title.map_or_else(|| created_at.local_title(), str::to_owned),
        keywords: brought.keywords,
        links: with_links_of(&brought.value, brought.links),
        value: brought.value,
        issues: brought.issues,
        version: brought.version.clamp(1, IMPORT_VERSION_MAX),
        created_at,
        updated_at,
        created_by: CreatedBy {
            actor_type: NoteAuthor::Import,
            run_id: None,
        },
        deleted_at: None,
    };
    guard.check_sizes(&note)?;
    let largest_issue = note.issues.iter().map(bytes_of_issue).max();
    if largest_issue > Some(ISSUE_BYTES_MAX) || text_bytes(&note) > IMPORT_MARKDOWN_BYTES_MAX {
        let message = "the note's issues or links take more room than a note has";
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    Ok(Approved::seal(Change::NoteCreated(NoteWritten { note })))
}

/// Checks an imported change of a note that exists here.
/// The version is never lower than that of the file, so that an older copy is recognized.
pub fn note_import_over(
    guard: &mut Guard<'_>,
    base: &Note,
    edit: NoteEdit,
    version: Option<u64>,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    let updated = guard.note_update(base, None, edit, now)?;
    let Change::NoteUpdated(update) = updated.get() else {
        return Ok(updated);
    };
    let mut note = update.note.clone();
    let version = version.unwrap_or_default().min(IMPORT_VERSION_MAX);
    note.version = note.version.max(version);
    Ok(Approved::seal(Change::NoteUpdated(NoteWritten { note })))
}

/// Checks the creation of a proposed note.
pub fn note_create_proposed(
    guard: &mut Guard<'_>,
    proposed: &Note,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    guard.check_base(proposed, None)?;
    let note = Note {
        version: 1,
        created_at: now,
        updated_at: now,
        ..proposed.clone()
    };
    guard.check_sizes(&note)?;
    Ok(Approved::seal(Change::NoteCreated(NoteWritten { note })))
}

/// Checks the restoration of an earlier version of a note, as its next version.
/// `last` is its newest version, whose issues stay; a deleted note exists again.
pub fn note_restore(
    guard: &mut Guard<'_>,
    last: &Note,
    earlier: &Note,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    let wanted = Note {
        issues: last.issues.clone(),
        ..earlier.clone()
    };
    note_put_back(guard, last, &wanted, now)
}

/// Checks the restoration of an earlier form of a note, its issues included.
pub fn note_put_back(
    guard: &mut Guard<'_>,
    last: &Note,
    wanted: &Note,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    guard.check_base(last, None)?;
    guard.check_kind(&wanted.note_kind)?;
    check_text(&wanted.value)?;
    let mut note = last.clone();
    note.note_kind.clone_from(&wanted.note_kind);
    note.title.clone_from(&wanted.title);
    note.keywords.clone_from(&wanted.keywords);
    note.value.clone_from(&wanted.value);
    note.links.clone_from(&wanted.links);
    note.issues.clone_from(&wanted.issues);
    note.version = last.version.saturating_add(1);
    note.updated_at = now;
    note.deleted_at = None;
    guard.check_sizes(&note)?;
    let written = NoteWritten { note };
    Ok(Approved::seal(if last.deleted_at.is_some() {
        Change::NoteCreated(written)
    } else {
        Change::NoteUpdated(written)
    }))
}
