//! Record instructions at the bench: notes are found among the stored ones and those that this
//! reply has written. Only notes of the agent's own workspace are shown.

use super::told::{item, shorten};
use super::{Bench, Done, Refused, TARGET_CHARS};
use crate::core::guard::{Approved, NewNote, NoteEdit, Refusal};
use crate::core::journal::Change;
use crate::core::notes::{self, Issue, Note, Resolved};
use crate::core::protocol::{Instruction, Search};
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use std::collections::BTreeMap;

/// Characters of a note's text when it was asked for by id: enough to work on.
const FULL_TEXT_CHARS: usize = 2000;

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
            Instruction::RecordSearch { search } => Ok(self.record_search(search)),
            Instruction::StateAdd { .. }
            | Instruction::StateDelete { .. }
            | Instruction::RamAdd { .. }
            | Instruction::RamDelete { .. } => Ok(Done::default()),
        }
    }

    /// The notes that a text points to with `[[title]]`, where exactly one has that title. Small
    /// models copy a title more surely than an id.
    fn links_by_title(&self, text: &str) -> Vec<NoteId> {
        let mut names = text
            .split("[[")
            .skip(1)
            .filter_map(|rest| rest.split_once("]]"))
            .peekable();
        if names.peek().is_none() {
            return Vec::new();
        }
        // One look at the notes, however many links there are; `None` is a title of several.
        let mut titles: BTreeMap<String, Option<NoteId>> = BTreeMap::new();
        for note in self.own_notes() {
            let only = titles.entry(note.title.to_lowercase());
            only.and_modify(|id| *id = None).or_insert(Some(note.id));
        }
        let linked = names.filter_map(|(name, _)| *titles.get(&name.trim().to_lowercase())?);
        linked.collect()
    }

    fn record_add(&mut self, new: NewNote) -> Result<Done, Refused> {
        let id = self.ids.next_note_id();
        let change = self.guard.note_create(new, id, self.now)?;
        Ok(self.take_note(change, None))
    }

    fn record_edit(
        &mut self,
        key: &str,
        version: Option<u64>,
        edit: NoteEdit,
    ) -> Result<Done, Refused> {
        let base = self.find(key)?;
        let version = version.or_else(|| self.seen_version(&base));
        match self.guard.note_update(&base, version, edit, self.now) {
            Ok(change) => Ok(self.take_note(change, Some(base))),
            Err(refusal) => Err(with_present_text(refusal, &base)),
        }
    }

    fn record_delete(&mut self, key: &str) -> Result<Done, Refused> {
        let base = self.find(key)?;
        let version = self.seen_version(&base);
        match self.guard.note_delete(&base, version, self.now) {
            Ok(change) => Ok(self.take_note(change, Some(base))),
            Err(refusal) => Err(with_present_text(refusal, &base)),
        }
    }

    fn record_search(&self, search: &Search) -> Done {
        let (hits, missing, chars): (Vec<&Note>, Vec<&str>, usize) = match search {
            Search::Query(query) => {
                let hits = notes::search(self.own_notes(), query, SEARCH_HITS_MAX);
                (hits, Vec::new(), SEARCH_PREVIEW_CHARS)
            }
            Search::Ids(ids) => {
                let found = |id: &String| self.own_note(id.parse().ok()?);
                let missing = ids.iter().filter(|id| found(id).is_none());
                let hits = ids.iter().filter_map(found).take(SEARCH_HITS_MAX);
                let missing = missing.map(String::as_str).collect();
                (hits.collect(), missing, FULL_TEXT_CHARS)
            }
        };
        let message = match (hits.len(), missing.len()) {
            (_, 1..) => format!("not found: {}", shorten(&missing.join(", "), TARGET_CHARS)),
            (0, 0) => "no note found".to_owned(),
            // The notes themselves say it.
            (_, 0) => String::new(),
        };
        let items = hits.into_iter().map(|note| item(note, chars));
        Done {
            told: Some((message, items.collect())),
            base: None,
        }
    }

    /// Takes an approved change of a note in, and tells which version came of it.
    fn take_note(&mut self, change: Approved<Change>, base: Option<Note>) -> Done {
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
            Change::RamSet(_) | Change::RamDeleted(_) => None,
        };
        self.progress.changed = true;
        self.progress.changed_in_cycle = true;
        self.wrote.record = true;
        self.changes.push(change);
        Done { told, base }
    }

    /// The note that a key means. One of the own workspace goes first; a foreign one is handed
    /// out as well, so that the guard can say why it is refused.
    fn find(&self, key: &str) -> Result<Note, Refused> {
        let not_found = || Refusal::new(Code::RecordNotFound, NOT_FOUND);
        let id = match notes::resolve(self.own_notes(), key) {
            Resolved::One(id) => id,
            Resolved::Many => return Err(self.ambiguous(key)),
            Resolved::None => match notes::resolve(self.all_notes(), key) {
                Resolved::One(id) => id,
                Resolved::Many | Resolved::None => return Err(not_found().into()),
            },
        };
        Ok(self.note(id).cloned().ok_or_else(not_found)?)
    }

    /// Refuses to pick one of several notes, and shows them, so that their ids can be used.
    fn ambiguous(&self, key: &str) -> Refused {
        let matching = self.own_notes().filter(|note| notes::answers_to(note, key));
        let items = matching.map(|note| item(note, SEARCH_PREVIEW_CHARS));
        Refused {
            refusal: Refusal::new(
                Code::RecordKeyAmbiguous,
                "several notes match; use the id of one",
            ),
            items: items.take(SEARCH_HITS_MAX).collect(),
        }
    }

    /// The version that a change without one is based on: what the agent saw last, or its own
    /// write in this reply.
    fn seen_version(&self, note: &Note) -> Option<u64> {
        if self.notes.contains_key(&note.id) {
            return Some(note.version);
        }
        // This iteration's prompt showed the pending results, so they count as seen.
        let items = self.state.results.iter().flat_map(|result| &result.items);
        let shown = items
            .filter(|item| item.id == note.id)
            .map(|item| item.version)
            .max();
        shown.max(self.state.seen.get(&note.id).copied())
    }

    fn note(&self, id: NoteId) -> Option<&Note> {
        match self.notes.get(&id) {
            Some(drafted) => drafted.as_ref(),
            None => self.state.notes.get(id),
        }
    }

    fn own_note(&self, id: NoteId) -> Option<&Note> {
        let own = self.guard.workspace_id();
        self.note(id).filter(|note| note.workspace_id == own)
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

/// A stale change is answered with the note as it is, so that the next one can be based on it.
fn with_present_text(refusal: Refusal, base: &Note) -> Refused {
    let items = if refusal.code == Code::VersionConflict {
        vec![item(base, FULL_TEXT_CHARS)]
    } else {
        Vec::new()
    };
    Refused { refusal, items }
}
