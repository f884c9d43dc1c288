//! The workbench of one reply: each instruction in document order against the state as the ones
//! before it left it. One executor for all instructions, whatever dialect they came in.
//! Everything that takes effect passed the guard; everything that did not is written down.

use super::transition::{Granted, Wish};
use super::{ActionResult, LoopState, ResultItem};
use crate::core::guard::{Approved, Guard, NewNote, NoteEdit, Refusal};
use crate::core::journal::event::{InstructionDecided, Outcome};
use crate::core::journal::{Change, State};
use crate::core::memory::Ram;
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG, canonical_key, value_from_text};
use crate::core::notes::{self, Issue, Note, Resolved};
use crate::core::protocol::{Instruction, Located, Search};
use crate::core::run::{Progress, Unsettled};
use crate::failure::Code;
use crate::ids::{IdSource, NoteId};
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use crate::time::Timestamp;
use std::collections::BTreeMap;

/// Characters of a target that audit entries and results keep.
const TARGET_CHARS: usize = 80;

/// Characters of a note's text when it was asked for by id: enough to work on.
const FULL_TEXT_CHARS: usize = 2000;

/// Effects and findings of one reply, growing instruction by instruction.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    state: &'a State,
    guard: Guard<'a>,
    characters_max: usize,
    now: Timestamp,
    ids: &'a mut dyn IdSource,
    /// RAM as it would be now.
    pub(super) ram: Ram,
    notes: BTreeMap<NoteId, Option<Note>>,
    /// What takes effect, in order.
    pub(super) changes: Vec<Approved<Change>>,
    /// What the next prompt tells.
    pub(super) results: Vec<ActionResult>,
    /// One a instruction.
    pub(super) entries: Vec<InstructionDecided>,
    /// Wishes for a state, each with its entry's index.
    pub(super) wishes: Vec<(usize, Wish)>,
    /// What the run has to show.
    pub(super) progress: Progress,
    /// Whether the model wrote `think_log` itself.
    pub(super) wrote_think_log: bool,
    /// Whether the model touched `steps`.
    pub(super) wrote_steps: bool,
    /// Whether a note was changed.
    pub(super) wrote_record: bool,
}

/// What an instruction came to.
enum Did {
    /// Applied; nothing to tell.
    Quietly,
    /// Applied, and the next prompt says so.
    Telling(String, Vec<ResultItem>),
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        state: &'a State,
        guard: Guard<'a>,
        characters_max: usize,
        progress: Progress,
        now: Timestamp,
        ids: &'a mut dyn IdSource,
    ) -> Self {
        Self {
            state,
            guard,
            characters_max,
            now,
            ids,
            ram: state.ram.clone(),
            notes: BTreeMap::new(),
            changes: Vec::new(),
            results: Vec::new(),
            entries: Vec::new(),
            wishes: Vec::new(),
            progress,
            wrote_think_log: false,
            wrote_steps: false,
            wrote_record: false,
        }
    }

    /// Works one instruction.
    pub(super) fn work(&mut self, located: &Located) {
        let op = located.instruction.tag().name();
        let target = shorten(&target_of(&located.instruction), TARGET_CHARS);
        let entry = self.entries.len();
        self.entries.push(InstructionDecided {
            op: op.to_owned(),
            target: target.clone(),
            outcome: Outcome::Applied,
            repaired: located.repaired,
            code: None,
        });
        if let Some(wish) = wish_of(&located.instruction) {
            self.wishes.push((entry, wish));
            return;
        }
        match self.act(&located.instruction) {
            Ok(did) => {
                self.progress
                    .unsettled
                    .retain(|owed| owed.op != op || owed.target != target);
                if let Did::Telling(message, items) = did {
                    let op = op.to_owned();
                    self.results.push(ActionResult {
                        op,
                        target,
                        code: None,
                        message,
                        items,
                    });
                }
            }
            Err(refusal) => self.refuse(entry, &refusal),
        }
    }

    /// Notes what became of the wishes for a state.
    pub(super) fn settle_wishes(&mut self, granted: &[Granted]) {
        for ((entry, _), granted) in std::mem::take(&mut self.wishes).into_iter().zip(granted) {
            let Some(noted) = self.entries.get_mut(entry) else {
                continue;
            };
            match granted {
                Granted::Applied => {}
                Granted::Ignored => noted.outcome = Outcome::Ignored,
                Granted::Rejected(code) => {
                    noted.outcome = Outcome::Rejected;
                    noted.code = Some(*code);
                }
            }
        }
    }

    /// Writes down an instruction that the parser dropped, and tells the model.
    pub(super) fn dropped(&mut self, op: &str, code: Code, message: &str) {
        let op = shorten(op, TARGET_CHARS);
        self.entries.push(InstructionDecided {
            op: op.clone(),
            target: String::new(),
            outcome: Outcome::Ignored,
            repaired: false,
            code: Some(code),
        });
        self.results.push(ActionResult {
            op,
            target: String::new(),
            code: Some(code),
            message: message.to_owned(),
            items: Vec::new(),
        });
    }

    fn refuse(&mut self, entry: usize, refusal: &Refusal) {
        let Some(noted) = self.entries.get_mut(entry) else {
            return;
        };
        noted.outcome = Outcome::Rejected;
        noted.code = Some(refusal.code);
        let (op, target) = (noted.op.clone(), noted.target.clone());
        let owed = Unsettled {
            op: op.clone(),
            target: target.clone(),
            code: refusal.code,
        };
        if !self.progress.unsettled.contains(&owed) {
            self.progress.unsettled.push(owed);
        }
        let message = refusal.message.clone();
        let code = Some(refusal.code);
        self.results.push(ActionResult {
            op,
            target,
            code,
            message,
            items: Vec::new(),
        });
    }

    fn act(&mut self, instruction: &Instruction) -> Result<Did, Refusal> {
        match instruction {
            // Wishes for a state never come here; see `work`.
            Instruction::StateAdd { .. } | Instruction::StateDelete { .. } => Ok(Did::Quietly),
            Instruction::RamAdd { key, value } => self.ram_add(canonical_key(key), value),
            Instruction::RamDelete { key } => self.ram_delete(canonical_key(key)),
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
            Instruction::RecordSearch { search } => Ok(self.record_search(search)),
        }
    }

    fn ram_add(&mut self, key: &str, text: &str) -> Result<Did, Refusal> {
        let mut value = value_from_text(key, text);
        if key == CONTEXT {
            // The request is the person's; the model may change all else in `context`.
            let request = self.ram.request().map(str::to_owned);
            let mut ram = Ram::default();
            ram.set(CONTEXT.to_owned(), value);
            value = ram.context_with_request(request.as_deref());
        }
        let change = self
            .guard
            .ram_set(&self.ram, key, value.clone(), self.characters_max)?;
        let differs = self.ram.get(key) != Some(&value);
        self.ram.set(key.to_owned(), value);
        self.note_ram_change(key, differs, change);
        Ok(Did::Quietly)
    }

    fn ram_delete(&mut self, key: &str) -> Result<Did, Refusal> {
        let change = self.guard.ram_delete(key)?;
        let before = self.ram.get(key).cloned();
        let request = (key == CONTEXT)
            .then(|| self.ram.request().map(str::to_owned))
            .flatten();
        self.ram.delete(key);
        let change = match request {
            Some(request) => {
                let context = self.ram.context_with_request(Some(&request));
                self.ram.set(CONTEXT.to_owned(), context.clone());
                Guard::ram_own(CONTEXT, context)
            }
            None => change,
        };
        self.note_ram_change(key, self.ram.get(key) != before.as_ref(), change);
        Ok(Did::Quietly)
    }

    fn note_ram_change(&mut self, key: &str, differs: bool, change: Approved<Change>) {
        self.wrote_think_log |= key == THINK_LOG;
        self.wrote_steps |= key == STEPS;
        if differs && key != THINK_LOG {
            self.progress.changed = true;
            self.progress.changed_in_cycle = true;
        }
        self.changes.push(change);
    }

    fn record_add(&mut self, new: NewNote) -> Result<Did, Refusal> {
        let id = self.ids.next_note_id();
        let change = self.guard.note_create(new, id, self.now)?;
        Ok(self.take_note(change))
    }

    fn record_edit(
        &mut self,
        key: &str,
        version: Option<u64>,
        edit: NoteEdit,
    ) -> Result<Did, Refusal> {
        let base = self.find(key)?;
        let version = version.or_else(|| self.state_seen(&base));
        let change = self.guard.note_update(&base, version, edit, self.now)?;
        Ok(self.take_note(change))
    }

    fn record_delete(&mut self, key: &str) -> Result<Did, Refusal> {
        let base = self.find(key)?;
        let version = self.state_seen(&base);
        let change = self.guard.note_delete(&base, version, self.now)?;
        self.notes.insert(base.id, None);
        self.note_record_change(change);
        Ok(Did::Telling("deleted".to_owned(), Vec::new()))
    }

    fn record_search(&self, search: &Search) -> Did {
        let (hits, missing, chars): (Vec<&Note>, Vec<&str>, usize) = match search {
            Search::Query(query) => {
                let hits = notes::search(self.all_notes(), query, SEARCH_HITS_MAX);
                (hits, Vec::new(), SEARCH_PREVIEW_CHARS)
            }
            Search::Ids(ids) => {
                let found = |id: &String| id.parse().ok().and_then(|id| self.note(id));
                let missing = ids
                    .iter()
                    .filter(|id| found(id).is_none())
                    .map(String::as_str);
                let hits = ids.iter().filter_map(found).take(SEARCH_HITS_MAX);
                (hits.collect(), missing.collect(), FULL_TEXT_CHARS)
            }
        };
        let message = match (hits.len(), missing.len()) {
            (_, 1..) => format!("not found: {}", shorten(&missing.join(", "), TARGET_CHARS)),
            (0, 0) => "no note found".to_owned(),
            (count, 0) => format!("{count} found"),
        };
        Did::Telling(
            message,
            hits.into_iter().map(|note| item(note, chars)).collect(),
        )
    }

    fn take_note(&mut self, change: Approved<Change>) -> Did {
        let (Change::NoteCreated(written) | Change::NoteUpdated(written)) = change.get() else {
            return Did::Quietly;
        };
        let note = written.note.clone();
        let told = vec![item(&note, 0)];
        self.notes.insert(note.id, Some(note));
        self.note_record_change(change);
        Did::Telling("saved".to_owned(), told)
    }

    fn note_record_change(&mut self, change: Approved<Change>) {
        self.progress.changed = true;
        self.progress.changed_in_cycle = true;
        self.wrote_record = true;
        self.changes.push(change);
    }

    fn find(&self, key: &str) -> Result<Note, Refusal> {
        let not_found = || Refusal::new(Code::RecordNotFound, "no note has that id or title");
        match notes::resolve(self.all_notes(), key) {
            Resolved::One(id) => self.note(id).cloned().ok_or_else(not_found),
            Resolved::None => Err(not_found()),
            Resolved::Many => Err(Refusal::new(
                Code::RecordKeyAmbiguous,
                "several notes match; use the id",
            )),
        }
    }

    /// The version that a change without one is based on: what the agent saw last, or its own
    /// write in this reply.
    fn state_seen(&self, note: &Note) -> Option<u64> {
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

    fn all_notes(&self) -> impl Iterator<Item = &Note> + Clone {
        let stored = self
            .state
            .notes
            .iter()
            .filter(|note| !self.notes.contains_key(&note.id));
        stored.chain(self.notes.values().flatten())
    }
}

/// A wish for a state, however it is spelled: by its own tags or through the RAM key `state`.
fn wish_of(instruction: &Instruction) -> Option<Wish> {
    match instruction {
        Instruction::StateAdd { state } => Some(Wish::Enter(LoopState::parse(state))),
        Instruction::StateDelete { state } => Some(Wish::Leave(LoopState::parse(state))),
        Instruction::RamAdd { key, value } if key == STATE => {
            Some(Wish::Enter(LoopState::parse(value)))
        }
        Instruction::RamDelete { key } if key == STATE => {
            Some(Wish::Enter(Some(LoopState::Planning)))
        }
        Instruction::RamAdd { .. }
        | Instruction::RamDelete { .. }
        | Instruction::RecordAdd { .. }
        | Instruction::RecordIssue { .. }
        | Instruction::RecordUpdate { .. }
        | Instruction::RecordSearch { .. }
        | Instruction::RecordDelete { .. } => None,
    }
}

/// What an instruction aims at, in the words that a person would use.
fn target_of(instruction: &Instruction) -> String {
    match instruction {
        Instruction::StateAdd { state } | Instruction::StateDelete { state } => state.clone(),
        Instruction::RamAdd { key, .. } | Instruction::RamDelete { key } => {
            canonical_key(key).to_owned()
        }
        Instruction::RecordAdd {
            keywords, title, ..
        } => title.clone().unwrap_or_else(|| keywords.clone()),
        Instruction::RecordIssue { key, .. }
        | Instruction::RecordUpdate { key, .. }
        | Instruction::RecordDelete { key } => key.clone(),
        Instruction::RecordSearch {
            search: Search::Query(query),
        } => query.clone(),
        Instruction::RecordSearch {
            search: Search::Ids(ids),
        } => ids.join(", "),
    }
}

fn item(note: &Note, chars: usize) -> ResultItem {
    let text = shorten(&note.value, chars);
    ResultItem {
        id: note.id,
        version: note.version,
        title: note.title.clone(),
        text,
    }
}

/// The first `chars` characters, with a mark that says how many are left out.
fn shorten(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) if chars == 0 => String::new(),
        Some((at, _)) => {
            let rest = text.get(at..).map_or(0, |rest| rest.chars().count());
            format!(
                "{}... ({rest} more characters)",
                text.get(..at).unwrap_or_default()
            )
        }
    }
}
