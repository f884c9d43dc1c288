//! Record instructions in the executor: notes are found among the stored ones and those that this
//! reply has written. Only notes of workspaces that the agent may read are shown.

use super::feedback::{FULL_TEXT_CHARS, bare_item};
use super::{Done, Executor, Refused};
use crate::core::guard::{Approved, Guard, NewNote, NoteEdit, Refusal};
use crate::core::journal::Change;
use crate::core::notes::{self, Issue, Note, Resolved};
use crate::core::prompt::Mode;
use crate::core::protocol::Instruction;
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};

/// What a change of a note that does not exist is told.
const NOT_FOUND: &str = "no note has that id or title; look for it with record_search";

impl Executor<'_> {
    pub(super) fn record(&mut self, instruction: &Instruction) -> Result<Done, Refused> {
        match instruction {
            Instruction::RecordAdd {
                keywords,
                value,
                title,
                kind,
                workspace_id,
            } => {
                let (inner_title, text) = notes::title_and_text(value);
                self.record_add(NewNote {
                    workspace_id: workspace_id.clone(),
                    kind: kind.clone(),
                    title: title.clone().or(inner_title),
                    keywords: notes::split_keywords(keywords),
                    links: self.links_by_title(&text),
                    value: text,
                })
            }
            Instruction::RecordUpdate {
                key,
                value,
                title,
                keywords,
                version,
            } => {
                let (inner_title, text) = notes::title_and_text(value);
                let edit = NoteEdit {
                    title: title.clone().or(inner_title),
                    keywords: keywords.as_deref().map(notes::split_keywords),
                    value: Some(text),
                    ..NoteEdit::default()
                };
                self.record_edit(key, *version, edit)
            }
            Instruction::RecordIssue {
                key,
                value,
                metadata,
            } => {
                let issue = Issue {
                    text: value.clone(),
                    metadata: metadata.clone(),
                    created_at: self.now,
                    open: true,
                };
                let edit = NoteEdit {
                    issue: Some(issue),
                    ..NoteEdit::default()
                };
                self.record_edit(key, None, edit)
            }
            Instruction::RecordDelete { key } => self.record_delete(key),
            // A search never comes here; see `act`.
            Instruction::RecordSearch { .. }
            | Instruction::StateAdd { .. }
            | Instruction::StateDelete { .. }
            | Instruction::RamAdd { .. }
            | Instruction::RamDelete { .. }
            | Instruction::Edit(_)
            | Instruction::Tool(_)
            | Instruction::Answer { .. }
            | Instruction::Thinking { .. }
            | Instruction::Action { .. }
            | Instruction::Evaluation { .. }
            | Instruction::Paging { .. } => Ok(Done::default()),
        }
    }

    /// The notes that a text points to with `[[title]]`, where exactly one has that title. Small
    /// models copy a title more surely than an id.
    fn links_by_title(&self, text: &str) -> Vec<NoteId> {
        let own = self.guard.workspace_id();
        let titled = |name| self.titled_in(name, own);
        notes::names_in(text).filter_map(titled).collect()
    }

    fn titled_in(&self, name: &str, workspace_id: WorkspaceId) -> Option<NoteId> {
        let is_near = |note: &Note| note.workspace_id == workspace_id;
        self.only_titled(name, is_near).map(|note| note.id)
    }

    fn record_add(&mut self, new: NewNote) -> Result<Done, Refused> {
        let id = self.ids.next_note_id();
        let guard = self.guard.clone();
        let is_titled = new.title.is_some();
        let change = self.guard.note_create(new, id, self.now)?;
        let (similar, is_written) = if let Change::NoteCreated(written) = change.get() {
            let similar = self.similar(&written.note);
            let is_twin = |it| self.is_twin(it, &written.note, is_titled);
            let is_written = similar.iter().any(is_twin);
            (similar, is_written)
        } else {
            (Vec::new(), false)
        };
        if is_written {
            self.guard = guard;
            // The step is done, and was before.
            self.wrote.record = true;
            return Ok(Done::ignored());
        }
        if self.note_policy.refuse_near_duplicates
            && let Some(first) = similar.first()
        {
            // What is refused uses nothing up.
            self.guard = guard;
            return Err(self.near_duplicate(first));
        }
        let mut done = self.take_note(change, None)?;
        if let (Some((message, items)), false) = (&mut done.feedback, similar.is_empty()) {
            *message = format!("{}much the same is said by:", sentence_before(message));
            items.extend(
                similar
                    .iter()
                    .map(|note| self.item(note, SEARCH_PREVIEW_CHARS)),
            );
        }
        Ok(done)
    }

    fn record_edit(
        &mut self,
        key: &str,
        version: Option<u64>,
        edit: NoteEdit,
    ) -> Result<Done, Refused> {
        let base = self.find(key)?;
        self.edit_note(base, version, edit)
    }

    /// Changes a note that was found.
    pub(super) fn edit_note(
        &mut self,
        base: Note,
        version: Option<u64>,
        edit: NoteEdit,
    ) -> Result<Done, Refused> {
        let version = version.or_else(|| self.seen_version(&base));
        // What a person listed beside the text stays.
        let titled = |name: &str| self.titled_in(name, base.workspace_id);
        let links = edit.value.as_deref();
        let links = links.map(|text| notes::links_after(Some(&base), None, text, titled));
        let edit = NoteEdit { links, ..edit };
        let whole = edit.value.as_deref();
        let whole = whole.map_or(Ok(()), |text| {
            Guard::check_not_truncated(text, || Some(base.value.clone()))
                .and_then(|()| self.check_loss(&base, text))
        });
        let guard = self.guard.clone();
        let change = whole.and_then(|()| self.guard.note_update(&base, version, edit, self.now));
        match change {
            Ok(change) if changes_nothing(&change, &base) => {
                // What is no change uses nothing up.
                self.guard = guard;
                Ok(Done::unchanged(bare_item(&base)))
            }
            Ok(change) => self.take_note(change, Some(base)),
            Err(refusal) => Err(self.with_present_text(refusal, &base)),
        }
    }

    fn record_delete(&mut self, key: &str) -> Result<Done, Refused> {
        let base = self.find(key)?;
        self.delete_note(base)
    }

    /// Deletes a note that was found.
    pub(super) fn delete_note(&mut self, base: Note) -> Result<Done, Refused> {
        let version = self.seen_version(&base);
        match self.guard.note_delete(&base, version, self.now) {
            Ok(change) => self.take_note(change, Some(base)),
            Err(refusal) => Err(self.with_present_text(refusal, &base)),
        }
    }

    /// Takes an approved change of a note in, and tells which version came of it.
    fn take_note(&mut self, change: Approved<Change>, base: Option<Note>) -> Result<Done, Refused> {
        if self.mode == Mode::Reviewed {
            return self.propose(&change, base.as_ref());
        }
        let feedback = match change.get() {
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                let note = written.note.clone();
                let feedback = (String::new(), vec![bare_item(&note)]);
                self.notes.insert(note.id, Some(note));
                Some(feedback)
            }
            Change::NoteDeleted(written) => {
                self.notes.insert(written.note.id, None);
                Some(("deleted".to_owned(), Vec::new()))
            }
            Change::RamSet(_)
            | Change::RamDeleted(_)
            | Change::StorageSet(_)
            | Change::StorageDeleted(_) => None,
        };
        self.note_change();
        self.wrote.record = true;
        self.changes.push(change);
        Ok(Done {
            feedback,
            base,
            ..Done::default()
        })
    }

    /// The note that a key means, which may be touched. One of the own workspace goes first.
    pub(super) fn find(&self, key: &str) -> Result<Note, Refused> {
        let id = match notes::resolve(self.own_notes(), key) {
            Resolved::One(id) => id,
            Resolved::Many => return Err(self.ambiguous(key)),
            Resolved::None => self.find_elsewhere(key)?,
        };
        let note = self.note(id).cloned().ok_or_else(not_found)?;
        self.guard.note_reached(&note)?;
        Ok(note)
    }

    /// A note of another workspace: any that may be read. Of the rest only an id is known, so that the
    /// guard can say why it is refused: whoever has an id does not learn from that that it exists.
    fn find_elsewhere(&self, key: &str) -> Result<NoteId, Refused> {
        match notes::resolve(self.readable_notes(), key) {
            Resolved::One(id) => Ok(id),
            Resolved::Many => Err(self.ambiguous(key)),
            Resolved::None => {
                let id = key.trim().parse().ok();
                let id = id.filter(|id| self.note(*id).is_some());
                id.ok_or_else(|| not_found().into())
            }
        }
    }

    /// Refuses to pick one of several notes, and shows them, so that their ids can be used.
    fn ambiguous(&self, key: &str) -> Refused {
        let matching = self.readable_notes();
        let matching = matching.filter(|note| notes::answers_to(note, key));
        let items = matching.map(|note| self.item(note, SEARCH_PREVIEW_CHARS));
        Refused {
            refusal: Refusal::new(
                Code::RecordKeyAmbiguous,
                "several notes match; use the id of one",
            ),
            items: items.take(SEARCH_HITS_MAX).collect(),
            instead: None,
        }
    }

    /// The version that a change without one is based on: what the agent saw last, or its own
    /// write in this reply.
    pub(super) fn seen_version(&self, note: &Note) -> Option<u64> {
        if self.notes.contains_key(&note.id) {
            return Some(note.version);
        }
        // What this iteration's prompt had no room for does not count as seen.
        let shown = self.shown.iter().filter(|shown| shown.id == note.id);
        let newest = shown.map(|shown| shown.version).max();
        newest.max(self.state.seen.get(&note.id).copied())
    }

    /// The notes that this reply wrote, with their versions.
    pub(in crate::core::agent) fn written_versions(&self) -> impl Iterator<Item = (NoteId, u64)> {
        let written = self.notes.values().flatten();
        written.map(|note| (note.id, note.version))
    }

    /// A change that is stale, or knew only a part, is answered with the note as it is, so that the next
    /// one can be based on it.
    fn with_present_text(&self, refusal: Refusal, base: &Note) -> Refused {
        let items = if matches!(
            refusal.code,
            Code::VersionConflict | Code::TextCut | Code::TextLost
        ) {
            vec![self.item(base, FULL_TEXT_CHARS)]
        } else {
            Vec::new()
        };
        Refused {
            refusal,
            items,
            instead: None,
        }
    }

    pub(super) fn note(&self, id: NoteId) -> Option<&Note> {
        match self.notes.get(&id) {
            Some(drafted) => drafted.as_ref(),
            None => self.state.notes.get(id),
        }
    }

    pub(super) fn readable_note(&self, id: NoteId) -> Option<&Note> {
        self.note(id)
            .filter(|note| self.guard.reads(note.workspace_id))
    }

    pub(super) fn readable_notes(&self) -> impl Iterator<Item = &Note> + Clone {
        self.all_notes()
            .filter(|note| self.guard.reads(note.workspace_id))
    }

    fn own_notes(&self) -> impl Iterator<Item = &Note> + Clone {
        let own: WorkspaceId = self.guard.workspace_id();
        self.all_notes()
            .filter(move |note| note.workspace_id == own)
    }

    fn all_notes(&self) -> impl Iterator<Item = &Note> + Clone {
        let stored = self
            .state
            .notes
            .iter()
            .filter(|note| !self.notes.contains_key(&note.id));
        stored.chain(self.notes.values().flatten())
    }
}

/// Returns whether a note would say just what it says already.
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

/// What was said so far of a note that is added, as the beginning of more.
fn sentence_before(message: &str) -> String {
    let added = if message.is_empty() { "added" } else { message };
    format!("{added}; ")
}
