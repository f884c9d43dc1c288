//! What may be written to notes. Checks run in a fixed order: workspace, kind, version, sizes,
//! limits; the first that fails gives the code.

use super::{Approved, Guard, Refusal};
use crate::core::journal::Change;
use crate::core::journal::event::NoteWritten;
use crate::core::notes::{CreatedBy, Issue, Note, NoteAuthor, links_in};
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{
    KEYWORD_BYTES_MAX, NOTE_KEYWORDS_MAX, NOTE_TITLE_BYTES_MAX, NOTE_VALUE_BYTES_MAX,
};
use crate::time::Timestamp;

/// A note that somebody wants to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    /// The workspace as written; the scope's own if absent.
    pub workspace_id: Option<String>,
    /// The kind; `note` if absent.
    pub kind: Option<String>,
    /// The title; the local date and time if absent.
    pub title: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// The text.
    pub value: String,
}

/// What somebody wants to change in a note. Absent parts stay.
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
    /// Something flagged.
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
        let workspace = new.workspace_id.as_deref().map(str::parse::<WorkspaceId>);
        if workspace.is_some_and(|asked| asked != Ok(self.scope.workspace_id)) {
            return Err(foreign_workspace());
        }
        let kind = new.kind.unwrap_or_else(|| "note".to_owned());
        self.check_kind(&kind)?;
        let actor_type = if self.is_agent() {
            NoteAuthor::Agent
        } else {
            NoteAuthor::User
        };
        let note = Note {
            id,
            workspace_id: self.scope.workspace_id,
            note_kind: kind,
            title: new.title.unwrap_or_else(|| now.local_title()),
            keywords: new.keywords,
            links: links_in(&new.value),
            value: new.value,
            issues: Vec::new(),
            version: 1,
            created_at: now,
            updated_at: now,
            created_by: CreatedBy {
                actor_type,
                run_id: self.run_id,
            },
            deleted_at: None,
        };
        check_sizes(&note)?;
        let max = self.limit(self.scope.max_notes_per_loop);
        count(&mut self.created, max, "max_notes_per_loop")?;
        Ok(Approved::seal(Change::NoteCreated(NoteWritten { note })))
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
        if let Some(kind) = edit.kind {
            self.check_kind(&kind)?;
            note.note_kind = kind;
        }
        note.title = edit.title.unwrap_or(note.title);
        note.keywords = edit.keywords.unwrap_or(note.keywords);
        if let Some(value) = edit.value {
            note.links = links_in(&value);
            note.value = value;
        }
        if let Some(links) = edit.links {
            note.links = links;
            for link in links_in(&note.value) {
                if !note.links.contains(&link) {
                    note.links.push(link);
                }
            }
        }
        note.issues.extend(edit.issue);
        note.version = base.version.saturating_add(1);
        note.updated_at = now;
        check_sizes(&note)?;
        let max = self.limit(self.scope.max_edits_per_loop);
        count(&mut self.edits, max, "max_edits_per_loop")?;
        Ok(Approved::seal(Change::NoteUpdated(NoteWritten { note })))
    }

    /// Checks a deletion. Counts as an edit; the text stays in the journal.
    pub fn note_delete(
        &mut self,
        base: &Note,
        base_version: Option<u64>,
        now: Timestamp,
    ) -> Result<Approved<Change>, Refusal> {
        self.check_base(base, base_version)?;
        let max = self.limit(self.scope.max_edits_per_loop);
        count(&mut self.edits, max, "max_edits_per_loop")?;
        let mut note = base.clone();
        note.version = base.version.saturating_add(1);
        note.updated_at = now;
        note.deleted_at = Some(now);
        Ok(Approved::seal(Change::NoteDeleted(NoteWritten { note })))
    }

    fn check_base(&self, base: &Note, base_version: Option<u64>) -> Result<(), Refusal> {
        if base.workspace_id != self.scope.workspace_id {
            return Err(foreign_workspace());
        }
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

    /// A per-iteration limit binds the agent alone.
    fn limit(&self, max: u32) -> u32 {
        if self.is_agent() { max } else { u32::MAX }
    }
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

fn check_sizes(note: &Note) -> Result<(), Refusal> {
    let over = |what: &str, max: usize| {
        let message = format!("the note's {what} is longer than {max}");
        Err(Refusal::new(Code::LimitExceeded, message))
    };
    if note.title.len() > NOTE_TITLE_BYTES_MAX {
        return over("title", NOTE_TITLE_BYTES_MAX);
    }
    if note.value.len() > NOTE_VALUE_BYTES_MAX {
        return over("text", NOTE_VALUE_BYTES_MAX);
    }
    if note.keywords.len() > NOTE_KEYWORDS_MAX {
        return over("keyword list", NOTE_KEYWORDS_MAX);
    }
    if note
        .keywords
        .iter()
        .any(|keyword| keyword.len() > KEYWORD_BYTES_MAX)
    {
        return over("longest keyword", KEYWORD_BYTES_MAX);
    }
    Ok(())
}
