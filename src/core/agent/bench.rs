//! The workbench of one reply: each instruction in document order against the state as the ones
//! before it left it. One executor for all instructions, whatever dialect they came in.
//! Everything that takes effect passed the guard; everything that did not is written down.

mod ram;
mod records;
mod told;

use super::LoopState;
use super::result::{ActionResult, ResultItem};
use super::transition::{Granted, Wish};
use crate::core::guard::{Approved, Guard, Refusal};
use crate::core::journal::event::{InstructionDecided, Outcome};
use crate::core::journal::{Change, State};
use crate::core::memory::ram::{STATE, canonical_key};
use crate::core::memory::{MemoryPolicy, Ram};
use crate::core::notes::{Note, answers_to, search};
use crate::core::protocol::{Diagnostic, Instruction, Located, Search, Severity, Tag};
use crate::core::run::{Progress, Unsettled};
use crate::failure::Code;
use crate::ids::{IdSource, NoteId};
use crate::time::Timestamp;
use std::collections::BTreeMap;
use told::{Told, shorten};

pub(super) use ram::first_chars;

/// Characters of a target that audit entries and results keep.
const TARGET_CHARS: usize = 80;

/// What the bench works on, and by which rules.
#[derive(Debug)]
pub(super) struct Materials<'a> {
    /// The state before the reply.
    pub(super) state: &'a State,
    /// The checks of this iteration.
    pub(super) guard: Guard<'a>,
    /// How RAM may grow.
    pub(super) memory: &'a MemoryPolicy,
    /// What the run has to show so far.
    pub(super) progress: Progress,
    /// Now.
    pub(super) now: Timestamp,
}

/// Effects and findings of one reply, growing instruction by instruction.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    state: &'a State,
    guard: Guard<'a>,
    memory: &'a MemoryPolicy,
    now: Timestamp,
    ids: &'a mut dyn IdSource,
    /// RAM as it would be now.
    pub(super) ram: Ram,
    /// Notes that this reply wrote, or `None` where it deleted one.
    notes: BTreeMap<NoteId, Option<Note>>,
    /// What takes effect, in order.
    pub(super) changes: Vec<Approved<Change>>,
    told: Told,
    /// One an instruction.
    pub(super) entries: Vec<InstructionDecided>,
    /// Wishes for a state, each with its entry's index.
    wishes: Vec<(usize, Wish)>,
    /// What the run has to show.
    pub(super) progress: Progress,
    /// What the model wrote itself.
    pub(super) wrote: Wrote,
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

/// What an applied instruction came to.
#[derive(Default)]
struct Done {
    /// What the next prompt says of it; nothing where the effect shows by itself.
    told: Option<(String, Vec<ResultItem>)>,
    /// The note that was changed, as it was before.
    base: Option<Note>,
}

/// Why an instruction was refused, and the notes that help to do better.
struct Refused {
    refusal: Refusal,
    items: Vec<ResultItem>,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self {
            refusal,
            items: Vec::new(),
        }
    }
}

impl<'a> Bench<'a> {
    pub(super) fn new(materials: Materials<'a>, ids: &'a mut dyn IdSource) -> Self {
        let Materials {
            state,
            guard,
            memory,
            progress,
            now,
        } = materials;
        Self {
            state,
            guard,
            memory,
            now,
            ids,
            ram: state.ram.clone(),
            notes: BTreeMap::new(),
            changes: Vec::new(),
            told: Told::default(),
            entries: Vec::new(),
            wishes: Vec::new(),
            progress,
            wrote: Wrote::default(),
        }
    }

    /// Works one instruction.
    pub(super) fn work(&mut self, located: &Located) {
        let instruction = &located.instruction;
        let op = instruction.tag().name();
        let target = shorten(&target_of(instruction), TARGET_CHARS);
        let entry = self.entries.len();
        self.entries.push(InstructionDecided {
            op: op.to_owned(),
            target: target.clone(),
            outcome: Outcome::Applied,
            repaired: located.repaired,
            code: None,
        });
        if let Some(wish) = wish_of(instruction) {
            self.wishes.push((entry, wish));
            return;
        }
        match self.act(instruction) {
            Ok(done) => {
                self.settle_owed(op, &target, done.base.as_ref());
                if let Some((message, items)) = done.told {
                    self.tell(op, target, None, message, items);
                }
            }
            Err(refused) => self.refuse(entry, refused),
        }
    }

    /// Writes down an instruction that the parser dropped, and tells the model, unless it only
    /// said again what another one says.
    pub(super) fn dropped(&mut self, op: &str, diagnostic: &Diagnostic) {
        let op = shorten(op, TARGET_CHARS);
        let code = Some(diagnostic.code);
        self.entries.push(InstructionDecided {
            op: op.clone(),
            target: String::new(),
            outcome: Outcome::Ignored,
            repaired: false,
            code,
        });
        if diagnostic.severity > Severity::Info {
            // What is no instruction at all is not named: a name in a result invites its repetition.
            let op = Tag::parse(&op).map_or("reply", Tag::name);
            let message = diagnostic.message.clone();
            self.tell(op, String::new(), code, message, Vec::new());
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
                    self.tell(&op, target, Some(*code), advice.to_owned(), Vec::new());
                }
            }
        }
    }

    /// Whether the next prompt has something to tell.
    pub(super) const fn has_results(&self) -> bool {
        !self.told.results.is_empty()
    }

    /// What the next prompt tells.
    pub(super) fn take_results(&mut self) -> Vec<ActionResult> {
        std::mem::take(&mut self.told.results)
    }

    fn tell(
        &mut self,
        op: &str,
        target: String,
        code: Option<Code>,
        message: String,
        items: Vec<ResultItem>,
    ) {
        self.told.add(ActionResult {
            op: op.to_owned(),
            target,
            code,
            message,
            items,
        });
    }

    fn refuse(&mut self, entry: usize, refused: Refused) {
        let Refused { refusal, items } = refused;
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
        self.tell(&op, target, Some(refusal.code), refusal.message, items);
    }

    /// Crosses off what was owed under this target, by whatever name the note was called then. A
    /// name that meant no single note meant one that a search for it finds.
    fn settle_owed(&mut self, op: &str, target: &str, base: Option<&Note>) {
        self.progress.unsettled.retain(|owed| {
            let unresolved = matches!(owed.code, Code::RecordNotFound | Code::RecordKeyAmbiguous);
            let is_meant = |note: &Note| {
                answers_to(note, &owed.target)
                    || unresolved && !search([note].into_iter(), &owed.target, 1).is_empty()
            };
            owed.op != op || owed.target != target && !base.is_some_and(is_meant)
        });
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
            | Instruction::RecordDelete { .. }
            | Instruction::RecordSearch { .. } => self.record(instruction),
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
