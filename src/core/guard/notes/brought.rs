//! Notes that come from outside the root, or out of its own past: imported and restored ones. They
//! pass the same checks as any other; only who wrote them and when is taken from what is brought.

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

/// A note that an import brings. Its workspace is the scope's own, wherever it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BroughtNote {
    /// Its id.
    pub id: NoteId,
    /// Its kind; `note` if absent.
    pub kind: Option<String>,
    /// Its title; the time of its creation if absent.
    pub title: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Its text.
    pub value: String,
    /// Links beside those that the text names by id.
    pub links: Vec<NoteId>,
    /// What was flagged about it.
    pub issues: Vec<Issue>,
    /// The version that it had.
    pub version: u64,
    /// When it was created, as far as that is known.
    pub created_at: Option<Timestamp>,
    /// When it was last changed, as far as that is known.
    pub updated_at: Option<Timestamp>,
}

/// Checks a note that an import brings and that is not here yet. Times that have not come yet
/// are now.
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

/// Checks an imported change of a note that is here. The version is never lower than the file's,
/// so that an older copy is known for one.
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

/// Checks a note that was proposed and that a person wants to exist.
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

/// Checks bringing back what a note was in an earlier version, as its next one. `last` is its
/// newest version; a deleted note comes back.
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

/// Checks putting a note back as it was, what was flagged about it included.
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
