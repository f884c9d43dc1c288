//! Record instructions at the bench: notes are found among the stored ones and those that this
//! reply has written. Only notes of workspaces that the agent may read are shown.

use super::alike::near_duplicate;
use super::told::{FULL_TEXT_CHARS, hit, item};
use super::{Bench, Done, Refused, ResultItem, TARGET_CHARS};
use crate::core::guard::{Approved, Guard, NewNote, NoteEdit, Refusal};
use crate::core::journal::Change;
use crate::core::notes::{self, Issue, Link, Note, Query, Resolved};
use crate::core::prompt::{Mode, shorten};
use crate::core::protocol::{Instruction, Search};
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{LINK_TITLE_CHARS, LINKS_SHOWN_MAX, SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use std::collections::BTreeSet;

/// What a change of a note that does not exist is told.
const NOT_FOUND: &str = "no note has that id or title; look for it with record_search";

impl Bench<'_> {
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
                    links: Some(self.links_by_title(&text)).filter(|links| !links.is_empty()),
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
            | Instruction::Tool(_)
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
        let titled = |name| {
            let stored = self.state.notes.all_titled(name);
            let stored = stored.filter(|note| !self.notes.contains_key(&note.id));
            let drafted = self.notes.values().flatten();
            let drafted = drafted.filter(|note| notes::is_title(name, &note.title));
            let mut same = stored
                .chain(drafted)
                .filter(|note| note.workspace_id == own);
            let first = same.next()?;
            same.next().is_none().then_some(first.id)
        };
        notes::names_in(text).filter_map(titled).collect()
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
            return Err(near_duplicate(first));
        }
        let mut done = self.take_note(change, None)?;
        if let (Some((message, items)), false) = (&mut done.told, similar.is_empty()) {
            *message = format!("{}much the same is said by:", said(message));
            items.extend(similar.iter().map(|note| item(note, SEARCH_PREVIEW_CHARS)));
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
        let version = version.or_else(|| self.seen_version(&base));
        let whole = edit.value.as_deref();
        let whole = whole.map_or(Ok(()), |text| {
            Guard::whole(text, || Some(base.value.clone()))
        });
        let change = whole.and_then(|()| self.guard.note_update(&base, version, edit, self.now));
        match change {
            Ok(change) => self.take_note(change, Some(base)),
            Err(refusal) => Err(with_present_text(refusal, &base)),
        }
    }

    fn record_delete(&mut self, key: &str) -> Result<Done, Refused> {
        let base = self.find(key)?;
        let version = self.seen_version(&base);
        match self.guard.note_delete(&base, version, self.now) {
            Ok(change) => self.take_note(change, Some(base)),
            Err(refusal) => Err(with_present_text(refusal, &base)),
        }
    }

    /// `key_found` says that RAM or `/storage` answered already.
    pub(super) fn record_search(&self, search: &Search, key_found: bool) -> Done {
        let (mut items, missing): (Vec<ResultItem>, Vec<&str>) = match search {
            Search::Query(query) => {
                let query = Query::parse(query);
                let hit = |note| hit(note, &query, SEARCH_PREVIEW_CHARS);
                let hits = self.search(&query).into_iter().map(hit);
                (hits.collect(), Vec::new())
            }
            Search::Ids(ids) => {
                let found = |id: &String| self.readable_note(id.parse().ok()?);
                let is_key = |id: &&String| self.has_key(id);
                let missing = ids.iter().filter(|id| found(id).is_none() && !is_key(id));
                let hits = ids.iter().filter_map(found).take(SEARCH_HITS_MAX);
                let items = hits.map(|note| item(note, FULL_TEXT_CHARS)).collect();
                (items, missing.map(String::as_str).collect())
            }
        };
        for item in &mut items {
            let found = self.readable_note(item.id);
            item.links = found.map_or_else(Vec::new, |note| self.linked_titles(note));
        }
        let message = match (items.len(), missing.len()) {
            (_, 1..) => format!("not found: {}", shorten(&missing.join(", "), TARGET_CHARS)),
            (0, 0) if key_found => return Done::default(),
            (0, 0) => "no note found".to_owned(),
            // The notes themselves say it.
            (_, 0) => String::new(),
        };
        Done {
            told: Some((message, items)),
            ..Done::default()
        }
    }

    /// Titles of the notes that a note points to, then of those that point to it: the first few.
    fn linked_titles(&self, note: &Note) -> Vec<String> {
        let to = self.state.notes.links_of(note).into_iter();
        let to = to.filter_map(|link| match link {
            Link::To(id) => Some(id),
            Link::GoneNote(_) | Link::NoSuchTitle(_) => None,
        });
        let mut seen = BTreeSet::new();
        let ids = to.chain(self.state.notes.linked_from(note));
        let ids = ids.filter(|id| seen.insert(*id));
        let linked = ids.filter_map(|id| self.readable_note(id));
        let title = |note: &Note| note.title.chars().take(LINK_TITLE_CHARS).collect();
        linked.take(LINKS_SHOWN_MAX).map(title).collect()
    }

    /// The best notes for a query, as this reply has left them.
    fn search(&self, query: &Query) -> Vec<&Note> {
        let Some(candidates) = self.index.candidates(query) else {
            return notes::search(self.readable_notes(), query, SEARCH_HITS_MAX);
        };
        let stored = |id: NoteId| {
            let is_drafted = self.notes.contains_key(&id);
            self.readable_note(id).filter(|_| !is_drafted)
        };
        let drafted = self.notes.values().flatten();
        let drafted = drafted.filter(|note| self.guard.reads(note.workspace_id));
        notes::search_indexed(candidates, query, SEARCH_HITS_MAX, stored, drafted)
    }

    /// Takes an approved change of a note in, and tells which version came of it.
    fn take_note(&mut self, change: Approved<Change>, base: Option<Note>) -> Result<Done, Refused> {
        if self.mode == Mode::Reviewed {
            return self.propose(&change, base.as_ref());
        }
        let told = match change.get() {
            Change::NoteCreated(written) | Change::NoteUpdated(written) => {
                let note = written.note.clone();
                let told = (String::new(), vec![item(&note, 0)]);
                self.notes.insert(note.id, Some(note));
                Some(told)
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
            told,
            base,
            ..Done::default()
        })
    }

    /// The note that a key means, which may be touched. One of the own workspace goes first.
    fn find(&self, key: &str) -> Result<Note, Refused> {
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
        let items = matching.map(|note| item(note, SEARCH_PREVIEW_CHARS));
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
    fn seen_version(&self, note: &Note) -> Option<u64> {
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

    fn note(&self, id: NoteId) -> Option<&Note> {
        match self.notes.get(&id) {
            Some(drafted) => drafted.as_ref(),
            None => self.state.notes.get(id),
        }
    }

    fn readable_note(&self, id: NoteId) -> Option<&Note> {
        self.note(id)
            .filter(|note| self.guard.reads(note.workspace_id))
    }

    fn readable_notes(&self) -> impl Iterator<Item = &Note> + Clone {
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

fn not_found() -> Refusal {
    Refusal::new(Code::RecordNotFound, NOT_FOUND)
}

/// What was said so far of a note that is added, as the beginning of more.
fn said(message: &str) -> String {
    let added = if message.is_empty() { "added" } else { message };
    format!("{added}; ")
}

/// A change that is stale, or knew only a part, is answered with the note as it is, so that the next
/// one can be based on it.
fn with_present_text(refusal: Refusal, base: &Note) -> Refused {
    let items = if matches!(refusal.code, Code::VersionConflict | Code::TextCut) {
        vec![item(base, FULL_TEXT_CHARS)]
    } else {
        Vec::new()
    };
    Refused {
        refusal,
        items,
        instead: None,
    }
}
