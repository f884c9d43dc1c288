//! Executes the instructions of one reply in document order.
//! Each runs against the state that the previous ones left. One executor serves all dialects. Every
//! change has passed the guard, and every refusal is recorded.

mod answers;
mod archive_list;
mod blocks;
mod edits;
mod feedback;
mod lookup;
mod open_refusals;
mod outcome;
mod overlay;
mod paging;
mod paging_rule;
mod proposals;
mod ram;
mod record_search;
mod records;
mod steps;
mod tools;

use super::result::{ActionResult, ResultItem};
use super::transition::{StateRequest, StateRequestOutcome};
use super::{LoopState, WorkingMemory};
use crate::core::guard::{EditedItems, Guard, Permit, Scope};
use crate::core::journal::State;
use crate::core::journal::event::{InstructionDecided, InstructionOutcome};
use crate::core::memory::ram::{STATE, canonical_key};
use crate::core::memory::{MemoryPolicy, StorePath};
use crate::core::notes::{NotePolicy, SearchIndex, ShownNote};
use crate::core::prompt::{Mode, shorten};
use crate::core::protocol::{Instruction, LocatedInstruction, Search};
use crate::core::run::Run;
use crate::ids::IdSource;
use crate::time::Timestamp;
use answers::answer;
use blocks::{action, evaluation, thinking};
use edits::edit;
use feedback::Feedback;
use open_refusals::{refuse, report_refusal, resolve_refusals};
use outcome::{Accepted, Done, Refused};
use overlay::Overlay;
use paging::paging;
use paging_rule::makes_room_after;
use ram::{ram_add, ram_delete};
use record_search::record_search;
use records::{record_add, record_delete, record_issue, record_update};
use tools::tool;

pub use archive_list::archive_list_without;
pub(in crate::core) use archive_list::{archived_lines, archived_list_chars};
pub(super) use feedback::item;
pub(in crate::core) use lookup::RAM_LIST;
pub(super) use open_refusals::{count_no_progress, dropped};
pub(super) use paging_rule::{note_context, page_by_rule};
pub(super) use ram::first_chars;
pub(super) use steps::{note_shown, report_missing, take_step};
pub use tools::{TOOLS, Tool};

/// The number of characters of a target that audit entries and results keep.
const TARGET_CHARS: usize = 80;

/// The state and the rules of an executor.
#[derive(Debug)]
pub(super) struct ExecContext<'a> {
    /// The state before the reply.
    pub(super) state: &'a State,
    /// The working memory of the run in that state.
    pub(super) working: &'a WorkingMemory,
    /// The search index over the notes and leaves of that state.
    pub(super) index: &'a dyn SearchIndex,
    /// The scope: what the agent may write.
    pub(super) scope: &'a Scope,
    /// The instructions that the agent may use.
    pub(super) permit: &'a Permit,
    /// The changes by a person while the model answered.
    pub(super) edited: &'a EditedItems,
    /// The limits of RAM.
    pub(super) memory: &'a MemoryPolicy,
    /// The policy for notes.
    pub(super) note_policy: &'a NotePolicy,
    /// The notes that the prompt showed.
    pub(super) shown: &'a [ShownNote],
    /// The mode: whether changes of notes take effect at once or become proposals.
    pub(super) mode: Mode,
    /// Whether the program composes the texts itself.
    pub(super) is_stepwise: bool,
    /// The run.
    pub(super) run: &'a Run,
    /// The state that the iteration ran in.
    pub(super) ran_in: LoopState,
    /// The current time.
    pub(super) now: Timestamp,
}

/// The effects and findings of one reply, which grow with each instruction.
#[derive(Debug)]
pub(super) struct Executor<'a> {
    context: &'a ExecContext<'a>,
    ids: &'a mut dyn IdSource,
    /// The working copy, with the changes that take effect.
    pub(super) overlay: Overlay<'a>,
    feedback: Feedback,
    /// The audit entries, one for each instruction.
    pub(super) entries: Vec<InstructionDecided>,
    /// The requests for a state, each with the index of its entry.
    state_requests: Vec<(usize, StateRequest)>,
    /// Whether an instruction was refused that had been refused before.
    refused_again: bool,
}

impl<'a> Executor<'a> {
    pub(super) fn new(context: &'a ExecContext<'a>, ids: &'a mut dyn IdSource) -> Self {
        let guard = Guard::for_run(context.scope, context.run.run_id, context.edited);
        let guard = match context.mode {
            Mode::Yolo => guard,
            Mode::Reviewed => guard.of_proposals(),
        };
        Self {
            context,
            ids,
            overlay: Overlay::new(context.state, context.working, context.run, guard),
            feedback: Feedback::default(),
            entries: Vec::new(),
            state_requests: Vec::new(),
            refused_again: false,
        }
    }

    /// Executes one instruction.
    pub(super) fn work(&mut self, located: &LocatedInstruction) {
        let instruction = &located.instruction;
        let op = instruction.op();
        let target = shorten(&target_of(instruction), TARGET_CHARS);
        let entry = self.entries.len();
        self.entries.push(InstructionDecided {
            op: op.to_owned(),
            target: target.clone(),
            outcome: InstructionOutcome::Applied,
            repaired: located.repaired,
            code: None,
            proposed: false,
        });
        if let Err(refusal) = self.context.permit.check(op) {
            return refuse(self, entry, refusal.into());
        }
        let acted = match act(self, instruction) {
            Err(refused) if makes_room_after(self, &refused) => act(self, instruction),
            acted => acted,
        };
        let done = match acted {
            Ok(Accepted::Done(done)) => *done,
            Ok(Accepted::StateRequest(request)) => {
                return self.state_requests.push((entry, request));
            }
            Err(refused) => return refuse(self, entry, refused),
        };
        resolve_refusals(self, op, &target, done.base.as_ref());
        self.overlay.progress.forget_refusals(op, &target);
        if let Some(noted) = self.entries.get_mut(entry).filter(|_| done.is_ignored) {
            noted.outcome = InstructionOutcome::Ignored;
        }
        if let Some((message, items)) = done.feedback {
            self.feedback.add(ActionResult {
                op: op.to_owned(),
                target,
                message,
                items,
                page: done.page,
                ..ActionResult::default()
            });
        }
    }

    /// Runs `work`, which takes effect as a whole or not at all.
    /// Work that fails uses up none of the limits.
    fn all_or_nothing<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let savepoint = self.overlay.savepoint();
        let outcome = work(self);
        if outcome.is_err() {
            self.overlay.rollback(savepoint);
        }
        outcome
    }

    /// Returns the requests for a state, in document order.
    pub(super) fn state_requests(&self) -> Vec<StateRequest> {
        self.state_requests
            .iter()
            .map(|(_, request)| *request)
            .collect()
    }

    /// Records the outcomes of the requests for a state; `advice` is the message for a refused one.
    pub(super) fn settle_state_requests(&mut self, outcomes: &[StateRequestOutcome], advice: &str) {
        let requests = std::mem::take(&mut self.state_requests);
        for ((entry, _), outcome) in requests.into_iter().zip(outcomes) {
            let Some(noted) = self.entries.get_mut(entry) else {
                continue;
            };
            match outcome {
                StateRequestOutcome::Applied => {}
                StateRequestOutcome::Ignored => noted.outcome = InstructionOutcome::Ignored,
                StateRequestOutcome::Rejected(code) => {
                    noted.outcome = InstructionOutcome::Rejected;
                    noted.code = Some(*code);
                    let (op, target) = (noted.op.clone(), noted.target.clone());
                    let advice = advice.to_owned();
                    report_refusal(self, &op, &target, *code, advice, Vec::new());
                }
            }
        }
    }

    /// Returns whether the next prompt has results to show.
    pub(super) const fn has_results(&self) -> bool {
        !self.feedback.results.is_empty()
    }

    /// Takes the results for the next prompt.
    pub(super) fn take_results(&mut self) -> Vec<ActionResult> {
        std::mem::take(&mut self.feedback.results)
    }
}

/// Executes an instruction, or returns its request for a state.
fn act(executor: &mut Executor<'_>, instruction: &Instruction) -> Result<Accepted, Refused> {
    Ok(match instruction {
        Instruction::StateAdd { state } => enter(LoopState::parse(state)),
        Instruction::StateDelete { state } => {
            Accepted::StateRequest(StateRequest::Leave(LoopState::parse(state)))
        }
        // A request for a state as well: `state` is no key like the others.
        Instruction::RamAdd { key, value } if key == STATE => enter(LoopState::parse(value)),
        Instruction::RamDelete { key } if key == STATE => enter(Some(LoopState::Planning)),
        Instruction::Tool(call) => tool(executor, call)?,
        Instruction::RamAdd { key, value } => ram_add(executor, canonical_key(key), value)?.into(),
        Instruction::RamDelete { key } => ram_delete(executor, canonical_key(key))?.into(),
        Instruction::RecordAdd {
            keywords,
            value,
            title,
            kind,
            workspace_id,
        } => record_add(executor, keywords, value, title, kind, workspace_id)?.into(),
        Instruction::RecordUpdate {
            key,
            value,
            title,
            keywords,
            version,
        } => record_update(executor, key, value, title, keywords, *version)?.into(),
        Instruction::RecordIssue {
            key,
            value,
            metadata,
        } => record_issue(executor, key, value, metadata)?.into(),
        Instruction::RecordDelete { key } => record_delete(executor, key)?.into(),
        Instruction::Edit(part) => edit(executor, part)?.into(),
        Instruction::RecordSearch { search } => record_search(executor, search).into(),
        Instruction::Answer {
            value,
            sources,
            found,
        } => answer(executor, value, sources, *found)?.into(),
        Instruction::Thinking {
            analysis,
            planning,
            context_keys,
        } => thinking(
            executor,
            analysis.as_deref(),
            planning.as_deref(),
            context_keys,
        )?
        .into(),
        Instruction::Action {
            store,
            context_keys,
        } => action(executor, store, context_keys)?.into(),
        Instruction::Evaluation {
            quality,
            progress,
            recommendations,
            ..
        } => evaluation(
            executor,
            quality.as_ref(),
            progress.as_ref(),
            recommendations.as_deref(),
        )
        .into(),
        Instruction::Paging {
            archive,
            retrieve,
            delete,
        } => paging(executor, archive, retrieve, delete)?.into(),
    })
}

/// Returns the request to enter a state; `None` is a state that does not exist.
const fn enter(state: Option<LoopState>) -> Accepted {
    Accepted::StateRequest(StateRequest::Enter(state))
}

/// Returns the target of an instruction, as a person would name it.
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
