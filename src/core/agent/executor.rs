//! Executes the instructions of one reply in document order, each against the state as the ones before
//! it left it. One executor for all instructions, whatever dialect they came in. Everything that takes
//! effect has passed the guard; everything that has not is written down.

mod alike;
mod answers;
mod archive_list;
mod blocks;
mod done;
mod edits;
mod feedback;
mod hits;
mod key_list;
mod listing;
mod lookup;
mod lost;
mod open_refusals;
mod paging;
mod paging_rule;
mod proposals;
mod ram;
mod records;
mod steps;
mod storage;
mod tagged;
mod tools;
mod truncation;

use super::LoopState;
use super::result::{ActionResult, ResultItem};
use super::transition::{Granted, Wish};
use crate::core::guard::{Approved, Guard};
use crate::core::journal::event::{InstructionDecided, Outcome};
use crate::core::journal::{Change, State};
use crate::core::memory::directory::KeyNoted;
use crate::core::memory::ram::{STATE, canonical_key};
use crate::core::memory::{MemoryPolicy, Ram, Storage, StorePath};
use crate::core::notes::{Note, NotePolicy, SearchIndex, ShownNote};
use crate::core::prompt::{Mode, shorten};
use crate::core::protocol::{Instruction, Located, Search};
use crate::core::review::Proposal;
use crate::core::run::{Answer, Progress, Run};
use crate::ids::{IdSource, NoteId};
use crate::time::Timestamp;
use done::{Done, Refused};
use feedback::Feedback;
use std::collections::BTreeMap;

pub use archive_list::archive_list_without;
pub(in crate::core) use archive_list::{archived_lines, archived_list_chars};
pub(super) use feedback::item;
pub(in crate::core) use listing::RAM_LIST;
pub(super) use ram::first_chars;
pub use tools::{TOOLS, Tool};

/// Characters of a target that audit entries and results keep.
const TARGET_CHARS: usize = 80;

/// The state and the rules that an executor works with.
#[derive(Debug)]
pub(super) struct ExecContext<'a> {
    /// The state before the reply.
    pub(super) state: &'a State,
    /// Finds notes and leaves of that state.
    pub(super) index: &'a dyn SearchIndex,
    /// The checks of this iteration.
    pub(super) guard: Guard<'a>,
    /// How RAM may grow.
    pub(super) memory: &'a MemoryPolicy,
    /// What counts as a near-duplicate.
    pub(super) note_policy: &'a NotePolicy,
    /// The notes that stood in the prompt.
    pub(super) shown: &'a [ShownNote],
    /// How changes of notes are applied.
    pub(super) mode: Mode,
    /// Whether the program composes the texts itself.
    pub(super) is_stepwise: bool,
    /// The run.
    pub(super) run: &'a Run,
    /// The state that the iteration ran in.
    pub(super) ran_in: LoopState,
    /// Now.
    pub(super) now: Timestamp,
}

/// Effects and findings of one reply, growing instruction by instruction.
#[derive(Debug)]
pub(super) struct Executor<'a> {
    state: &'a State,
    index: &'a dyn SearchIndex,
    guard: Guard<'a>,
    memory: &'a MemoryPolicy,
    is_stepwise: bool,
    run: &'a Run,
    ran_in: LoopState,
    note_policy: &'a NotePolicy,
    mode: Mode,
    shown: &'a [ShownNote],
    now: Timestamp,
    ids: &'a mut dyn IdSource,
    /// RAM as it would be now.
    pub(super) ram: Ram,
    /// `/storage` as it would be now.
    pub(super) storage: Storage,
    /// Notes that this reply wrote, or `None` where it deleted one.
    notes: BTreeMap<NoteId, Option<Note>>,
    /// What takes effect, in order.
    pub(super) changes: Vec<Approved<Change>>,
    /// What waits for a person.
    pub(super) proposals: Vec<Proposal>,
    feedback: Feedback,
    /// What it says of keys.
    pub(super) noted: BTreeMap<String, KeyNoted>,
    /// Answers to the person's questions.
    pub(super) answers: Vec<Answer>,
    /// Numbers of older results that are removed.
    pub(super) results_removed: Vec<u64>,
    /// One an instruction.
    pub(super) entries: Vec<InstructionDecided>,
    /// Wishes for a state, each with its entry's index.
    wishes: Vec<(usize, Wish)>,
    /// What the run has to show.
    pub(super) progress: Progress,
    /// What the model wrote itself.
    pub(super) wrote: Wrote,
    /// Whether anything but `think_log` was changed.
    has_changed: bool,
    /// Whether something was refused that had been refused before.
    refused_again: bool,
}

/// What the model wrote itself in this reply.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wrote {
    /// `think_log`, by `ram_add`.
    pub(super) think_log: bool,
    /// `steps`, in whatever way.
    pub(super) steps: bool,
    /// A note.
    pub(super) record: bool,
}

impl<'a> Executor<'a> {
    pub(super) fn new(context: ExecContext<'a>, ids: &'a mut dyn IdSource) -> Self {
        let ExecContext {
            state,
            index,
            guard,
            memory,
            is_stepwise,
            run,
            ran_in,
            note_policy,
            mode,
            shown,
            now,
        } = context;
        Self {
            state,
            index,
            guard: match mode {
                Mode::Yolo => guard,
                Mode::Reviewed => guard.of_proposals(),
            },
            memory,
            is_stepwise,
            run,
            ran_in,
            note_policy,
            mode,
            shown,
            now,
            ids,
            ram: state.ram.clone(),
            storage: state.storage.clone(),
            notes: BTreeMap::new(),
            changes: Vec::new(),
            proposals: Vec::new(),
            feedback: Feedback::default(),
            noted: BTreeMap::new(),
            answers: Vec::new(),
            results_removed: Vec::new(),
            entries: Vec::new(),
            wishes: Vec::new(),
            progress: run.progress.clone(),
            wrote: Wrote::default(),
            has_changed: false,
            refused_again: false,
        }
    }

    /// Works one instruction.
    pub(super) fn work(&mut self, located: &Located) {
        let instruction = &located.instruction;
        let op = instruction.op();
        let target = shorten(&target_of(instruction), TARGET_CHARS);
        let entry = self.entries.len();
        self.entries.push(InstructionDecided {
            op: op.to_owned(),
            target: target.clone(),
            outcome: Outcome::Applied,
            repaired: located.repaired,
            code: None,
            proposed: false,
        });
        if let Some(wish) = wish_of(instruction) {
            self.wishes.push((entry, wish));
            return;
        }
        let acted = match self.act(instruction) {
            Err(refused) if self.makes_room_after(&refused) => self.act(instruction),
            acted => acted,
        };
        match acted {
            Ok(done) => {
                self.resolve_refusals(op, &target, done.base.as_ref());
                self.progress.forget_refusals(op, &target);
                if let Some(noted) = self.entries.get_mut(entry).filter(|_| done.is_ignored) {
                    noted.outcome = Outcome::Ignored;
                }
                if let Some((message, items)) = done.feedback {
                    self.feedback.add(ActionResult {
                        op: op.to_owned(),
                        target,
                        code: None,
                        message,
                        items,
                        example: None,
                        page: done.page,
                    });
                }
            }
            Err(refused) => self.refuse(entry, refused),
        }
    }

    /// The wishes for a state, in document order.
    pub(super) fn wishes(&self) -> Vec<Wish> {
        self.wishes.iter().map(|(_, wish)| *wish).collect()
    }

    /// Notes what became of the wishes for a state; `advice` is what a refused one is told.
    pub(super) fn settle_wishes(&mut self, granted: &[Granted], advice: &str) {
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
                    let (op, target) = (noted.op.clone(), noted.target.clone());
                    let advice = advice.to_owned();
                    self.report_refusal(&op, &target, *code, advice, Vec::new());
                }
            }
        }
    }

    /// Whether the next prompt has something to tell.
    pub(super) const fn has_results(&self) -> bool {
        !self.feedback.results.is_empty()
    }

    /// What the next prompt tells.
    pub(super) fn take_results(&mut self) -> Vec<ActionResult> {
        std::mem::take(&mut self.feedback.results)
    }

    fn act(&mut self, instruction: &Instruction) -> Result<Done, Refused> {
        match instruction {
            // Wishes for a state never come here; see `work`.
            Instruction::StateAdd { .. } | Instruction::StateDelete { .. } => Ok(Done::default()),
            Instruction::RamAdd { key, value } => self.ram_add(canonical_key(key), value),
            Instruction::RamDelete { key } => self.ram_delete(canonical_key(key)),
            Instruction::RecordAdd { .. }
            | Instruction::RecordUpdate { .. }
            | Instruction::RecordIssue { .. }
            | Instruction::RecordDelete { .. } => self.record(instruction),
            Instruction::Edit(edit) => self.edit(edit),
            Instruction::RecordSearch { search } => {
                let keys = self.report_keys(search);
                Ok(self.record_search(search, keys > 0))
            }
            Instruction::Answer {
                value,
                sources,
                found,
            } => self.answer(value, sources, *found),
            Instruction::Thinking {
                analysis,
                planning,
                context_keys,
            } => self.thinking(analysis.as_deref(), planning.as_deref(), context_keys),
            Instruction::Action {
                store,
                context_keys,
            } => self.action(store, context_keys),
            Instruction::Evaluation {
                quality,
                progress,
                recommendations,
                ..
            } => Ok(self.evaluation(
                quality.as_ref(),
                progress.as_ref(),
                recommendations.as_deref(),
            )),
            Instruction::Paging {
                archive,
                retrieve,
                delete,
            } => self.paging(archive, retrieve, delete),
            Instruction::Tool(call) => self.tool(call),
        }
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
        Instruction::Tool(call) => tools::wish_of(call),
        Instruction::RamAdd { .. }
        | Instruction::RamDelete { .. }
        | Instruction::RecordAdd { .. }
        | Instruction::RecordIssue { .. }
        | Instruction::RecordUpdate { .. }
        | Instruction::RecordSearch { .. }
        | Instruction::RecordDelete { .. }
        | Instruction::Edit(_)
        | Instruction::Answer { .. }
        | Instruction::Thinking { .. }
        | Instruction::Action { .. }
        | Instruction::Evaluation { .. }
        | Instruction::Paging { .. } => None,
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
        Instruction::Edit(edit) => edit.key().to_owned(),
        Instruction::Tool(call) => {
            let path = StorePath::parse(call.target());
            path.map_or_else(|_| call.target().to_owned(), |path| path.to_string())
        }
        Instruction::Thinking { context_keys, .. } => context_keys.join(", "),
        Instruction::Action {
            store,
            context_keys,
        } => {
            let stored = store.iter().map(|stored| &stored.key);
            let all: Vec<&str> = stored.chain(context_keys).map(String::as_str).collect();
            all.join(", ")
        }
        Instruction::Answer { .. } | Instruction::Evaluation { .. } => String::new(),
        Instruction::Paging {
            archive,
            retrieve,
            delete,
        } => [archive, retrieve, delete]
            .map(|keys| keys.join(", "))
            .join("; "),
    }
}
