//! The checks of changes to notes, in a fixed order.
//! The order is workspace, kind, version, text, sizes, limits; the first check that fails gives the
//! code. Imported, approved and restored notes pass the same checks as any other note.

use super::{Approved, Guard, Refusal, WorkspaceReach, depth_of};
use crate::core::journal::Change;
use crate::core::journal::event::NoteWritten;
use crate::core::notes::{CreatedBy, Issue, Note, NoteAuthor, links_in, with_links_of};
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{
    IMPORT_MARKDOWN_BYTES_MAX, IMPORT_VERSION_MAX, ISSUE_BYTES_MAX, JSON_DEPTH_MAX,
    KEYWORD_BYTES_MAX, NOTE_ISSUES_MAX, NOTE_KEYWORDS_MAX, NOTE_TITLE_BYTES_MAX,
    NOTE_VALUE_BYTES_MAX, NOTES_WRITTEN_BYTES_MAX,
};
use crate::time::Timestamp;

/// A note to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    /// The workspace as written; the scope's own if absent.
    pub workspace_id: Option<String>,
    /// The kind; `note` if absent.
    pub kind: Option<String>,
    /// The title; the local date and time if absent.
    pub title: Option<String>,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The text.
    pub value: String,
    /// The links, beside those that the text names by id.
    pub links: Vec<NoteId>,
}

/// A note from an import.
/// It goes to the workspace of the scope, wherever it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteImport {
    /// Its id.
    pub id: NoteId,
    /// Its content; the workspace is ignored, and a missing title is the time of its creation.
    pub content: NewNote,
    /// Its issues.
    pub issues: Vec<Issue>,
    /// The version that it had.
    pub version: u64,
    /// The time of its creation, if known.
    pub created_at: Option<Timestamp>,
    /// The time of its last change, if known.
    pub updated_at: Option<Timestamp>,
}

/// The changes of a note.
/// Absent parts stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteEdit {
    /// A new title.
    pub title: Option<String>,
    /// New keywords.
    pub keywords: Option<Vec<String>>,
    /// A new text.
    pub value: Option<String>,
    /// A new kind.
    pub kind: Option<String>,
    /// New links; those that the text names are added.
    pub links: Option<Vec<NoteId>>,
    /// A new issue.
    pub issue: Option<Issue>,
}

impl Guard<'_> {
    /// Checks a new note and gives it its id.
    pub fn note_create(
        &mut self,
        new: NewNote,
        id: NoteId,
        now: Timestamp,
    ) -> Result<Approved<Change>, Refusal> {
        let note = self.new_note(new, id, now)?;
        let bytes = self.check_sizes(&note)?;
        let max = self.limit(self.scope.max_notes_per_loop);
        count(&mut self.created, max, "max_notes_per_loop")?;
        self.note_bytes += bytes;
        Ok(Approved::seal(Change::NoteCreated(NoteWritten { note })))
    }

    /// Returns the first version of a note, whose sizes are still to be checked.
    fn new_note(&self, new: NewNote, id: NoteId, created_at: Timestamp) -> Result<Note, Refusal> {
        let workspace_id = self.workspace_meant(new.workspace_id.as_deref())?;
        let kind = new.kind.as_deref().and_then(written).unwrap_or("note");
        self.check_kind(kind)?;
        check_text(&new.value)?;
        let title = new.title.as_deref().and_then(written);
        let actor_type = if self.is_agent() {
            NoteAuthor::Agent
        } else {
            NoteAuthor::User
        };
        Ok(Note {
            id,
            workspace_id,
            note_kind: kind.to_owned(),
            title: title.map_or_else(|| created_at.local_title(), str::to_owned),
            keywords: new.keywords,
            links: with_links_of(&new.value, new.links),
            value: new.value,
            issues: Vec::new(),
            version: 1,
            created_at,
            updated_at: created_at,
            created_by: CreatedBy {
                actor_type,
                run_id: self.run_id,
            },
            deleted_at: None,
        })
    }

    /// Checks a change of a note, based on `base_version` if one is known.
    pub fn note_update(
        &mut self,
        base: &Note,
        base_version: Option<u64>,
        edit: NoteEdit,
        now: Timestamp,
    ) -> Result<Approved<Change>, Refusal> {
        self.check_base(base, base_version)?;
        let mut note = base.clone();
        if let Some(kind) = edit.kind.as_deref().and_then(written) {
            self.check_kind(kind)?;
            kind.clone_into(&mut note.note_kind);
        }
        if let Some(title) = edit.title.as_deref().and_then(written) {
            title.clone_into(&mut note.title);
        }
        note.keywords = edit.keywords.unwrap_or(note.keywords);
        if let Some(value) = edit.value {
            check_text(&value)?;
            note.links = links_in(&value);
            note.value = value;
        }
        if let Some(links) = edit.links {
            note.links = with_links_of(&note.value, links);
        }
        note.issues.extend(edit.issue);
        note.version = base.version.saturating_add(1);
        note.updated_at = now;
        self.count_edit(&note)?;
        Ok(Approved::seal(Change::NoteUpdated(NoteWritten { note })))
    }

    /// Checks a deletion, which counts as an edit.
    /// The text stays in the journal.
    pub fn note_delete(
        &mut self,
        base: &Note,
        base_version: Option<u64>,
        now: Timestamp,
    ) -> Result<Approved<Change>, Refusal> {
        self.check_base(base, base_version)?;
        self.count_edit(base)?;
        let mut note = base.clone();
        note.version = base.version.saturating_add(1);
        note.updated_at = now;
        note.deleted_at = Some(now);
        Ok(Approved::seal(Change::NoteDeleted(NoteWritten { note })))
    }

    /// Counts an edit, and the bytes of the note that it writes.
    fn count_edit(&mut self, note: &Note) -> Result<(), Refusal> {
        let bytes = self.check_sizes(note)?;
        let max = self.limit(self.scope.max_edits_per_loop);
        count(&mut self.edits, max, "max_edits_per_loop")?;
        self.note_bytes += bytes;
        Ok(())
    }

    /// Checks that a note may be changed at all.
    /// A note of another workspace may only be changed by a proposal. An agent must also be able to
    /// read it, so that a refusal reveals nothing.
    pub fn note_reached(&self, note: &Note) -> Result<(), Refusal> {
        self.check_workspace(note.workspace_id)?;
        if self.is_agent() && !self.scope.reads(note.workspace_id) {
            return Err(foreign_workspace());
        }
        Ok(())
    }

    /// Returns the workspace of a new note: the own one if none is written.
    fn workspace_meant(&self, asked: Option<&str>) -> Result<WorkspaceId, Refusal> {
        let Some(asked) = asked.and_then(written) else {
            return Ok(self.scope.workspace_id);
        };
        let meant: WorkspaceId = asked.parse().map_err(|_| foreign_workspace())?;
        self.check_workspace(meant)?;
        Ok(meant)
    }

    fn check_workspace(&self, workspace_id: WorkspaceId) -> Result<(), Refusal> {
        let is_open = match self.reach {
            WorkspaceReach::Own => false,
            WorkspaceReach::Proposed => {
                self.scope.cross_workspace_writes && !workspace_id.0.is_nil()
            }
            WorkspaceReach::Committed => true,
        };
        if is_open || workspace_id == self.scope.workspace_id {
            return Ok(());
        }
        Err(foreign_workspace())
    }

    fn check_base(&self, base: &Note, base_version: Option<u64>) -> Result<(), Refusal> {
        self.note_reached(base)?;
        self.check_kind(&base.note_kind)?;
        let stale = base_version.is_some_and(|version| version != base.version);
        if stale || self.edited.notes.contains(&base.id) {
            let message = format!("the note is at version {} now; read it again", base.version);
            return Err(Refusal::new(Code::VersionConflict, message));
        }
        Ok(())
    }

    fn check_kind(&self, kind: &str) -> Result<(), Refusal> {
        if self.is_agent()
            && !self
                .scope
                .allowed_note_kinds
                .iter()
                .any(|allowed| allowed == kind)
        {
            let allowed = self.scope.allowed_note_kinds.join(", ");
            let message = format!("notes of kind `{kind}` are not allowed; use one of: {allowed}");
            return Err(Refusal::new(Code::ScopeViolation, message));
        }
        Ok(())
    }

    /// Returns a limit of an iteration, which applies only to the agent.
    fn limit(&self, max: u32) -> u32 {
        if self.is_agent() { max } else { u32::MAX }
    }

    /// Checks the sizes of a note and the sum of all writes, and returns the bytes of its text.
    fn check_sizes(&self, note: &Note) -> Result<usize, Refusal> {
        let issue_bytes = note.issues.last().map_or(0, bytes_of_issue);
        let longest_keyword = note.keywords.iter().map(String::len).max();
        let bounds = [
            ("title", note.title.len(), NOTE_TITLE_BYTES_MAX),
            ("text", note.value.len(), NOTE_VALUE_BYTES_MAX),
            ("keyword list", note.keywords.len(), NOTE_KEYWORDS_MAX),
            (
                "longest keyword",
                longest_keyword.unwrap_or_default(),
                KEYWORD_BYTES_MAX,
            ),
            ("list of issues", note.issues.len(), NOTE_ISSUES_MAX),
            ("newest issue", issue_bytes, ISSUE_BYTES_MAX),
        ];
        let details = note.issues.iter().flat_map(|issue| issue.metadata.values());
        if details.map(depth_of).max() > Some(JSON_DEPTH_MAX) {
            let message = format!("details nested deeper than {JSON_DEPTH_MAX} levels are refused");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        if let Some((what, _, max)) = bounds.into_iter().find(|(_, size, max)| size > max) {
            let message = format!("the note's {what} is longer than {max}");
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        let bytes = text_bytes(note);
        if self.is_agent() && self.note_bytes + bytes > NOTES_WRITTEN_BYTES_MAX {
            let message = format!(
                "one reply writes at most {NOTES_WRITTEN_BYTES_MAX} bytes of notes; go on in the next"
            );
            return Err(Refusal::new(Code::LimitExceeded, message));
        }
        Ok(bytes)
    }
}

/// Checks an imported note that does not exist here yet.
/// It keeps its version and its times, but times in the future become `now`.
pub fn note_import(
    guard: &mut Guard<'_>,
    brought: NoteImport,
    now: Timestamp,
) -> Result<Approved<Change>, Refusal> {
    let known = |moment: Option<Timestamp>| moment.map_or(now, |moment| moment.min(now));
    let content = NewNote {
        workspace_id: None,
        ..brought.content
    };
    let created_at = known(brought.created_at.or(brought.updated_at));
    let note = Note {
        issues: brought.issues,
        version: brought.version.clamp(1, IMPORT_VERSION_MAX),
        updated_at: known(brought.updated_at),
        created_by: CreatedBy {
            actor_type: NoteAuthor::Import,
            run_id: None,
        },
        ..guard.new_note(content, brought.id, created_at)?
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

/// Refuses a text that a text file cannot hold: an export could not be read back.
fn check_text(text: &str) -> Result<(), Refusal> {
    if text.contains('\0') {
        let message = "the text holds the character NUL; write it without";
        return Err(Refusal::new(Code::InstructionInvalid, message));
    }
    Ok(())
}

/// Returns the trimmed text of a field, or `None` if it is empty.
fn written(text: &str) -> Option<&str> {
    let text = text.trim();
    (!text.is_empty()).then_some(text)
}

fn bytes_of_issue(issue: &Issue) -> usize {
    let details: usize = issue
        .metadata
        .iter()
        .map(|(name, value)| name.len() + value.to_string().len())
        .sum();
    issue.text.len() + details
}

/// Returns the bytes of all parts of a note that have no fixed size.
fn text_bytes(note: &Note) -> usize {
    let keywords: usize = note.keywords.iter().map(String::len).sum();
    let issues: usize = note.issues.iter().map(bytes_of_issue).sum();
    let links = note.links.len() * size_of::<NoteId>();
    note.title.len() + note.value.len() + keywords + issues + links
}

fn foreign_workspace() -> Refusal {
    Refusal::new(
        Code::CrossWorkspaceRejected,
        "notes of another workspace are not yours to write",
    )
}

fn count(used: &mut u32, max: u32, name: &str) -> Result<(), Refusal> {
    if *used >= max {
        let message = format!("at most {max} in one reply ({name}); go on in the next");
        return Err(Refusal::new(Code::LimitExceeded, message));
    }
    *used += 1;
    Ok(())
}
