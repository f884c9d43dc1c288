//! The audit: the outcome of each instruction, and the changes by a person or the program.
//! The feed streams the commits behind a number, in order and without a gap. Never writes.

use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::event::{InstructionOutcome, ProposalsChanged};
use crate::core::journal::{Event, Hash};
use crate::core::undo::ChangeTarget;
use crate::failure::Code;
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use crate::store::journal::scan::{self, JournalPosition};
use crate::time::Timestamp;
use serde::Serialize;

/// One entry of the audit: the outcome of one instruction or change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    pub seq: u64,
    pub ts: Timestamp,
    pub run_id: Option<RunId>,
    /// The number of the iteration in it, from 1.
    pub iteration: Option<u32>,
    pub actor_type: ActorType,
    /// The tag of the instruction, or the action of a person or the program.
    pub op: String,
    pub target: String,
    pub outcome: InstructionOutcome,
    /// Whether the parser repaired the instruction.
    pub repaired: bool,
    /// The reason why it was refused or ignored.
    pub code: Option<Code>,
    /// Whether it was applied as a proposal that a person has yet to decide.
    pub proposed: bool,
    /// The SHA-256 over the SHA-256 of each message of the prompt, for an iteration.
    pub prompt_hash: Option<String>,
}

/// Returns the audit, oldest first: instructions, and changes by a person or the program.
pub fn audit_entries(disk: &mut dyn Disk) -> Result<Vec<AuditEntry>, Error> {
    reader::fold(disk, &mut |entries: &mut Vec<_>, commit| {
        entries.extend(entries_of(commit));
    })
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other events are the effects of instructions, or the program's own records"
)]
pub(super) fn entries_of(commit: &Commit) -> Vec<AuditEntry> {
    let draft = &commit.draft;
    let prompt_hash = draft.iteration().map(|done| done.messages_hash.clone());
    let entry = |op: &str, target: &str| AuditEntry {
        seq: commit.seq,
        ts: draft.ts,
        run_id: draft.cause.run_id,
        iteration: draft.cause.iteration,
        actor_type: draft.actor.actor_type,
        op: op.to_owned(),
        target: target.to_owned(),
        outcome: InstructionOutcome::Applied,
        repaired: false,
        code: None,
        proposed: false,
        prompt_hash: prompt_hash.clone(),
    };
    let refused = |event: &Event, target: &str, code| AuditEntry {
        outcome: InstructionOutcome::Rejected,
        code: Some(code),
        ..entry(event.type_name(), target)
    };
    let entries = draft.events.iter().filter_map(|event| match event {
        Event::InstructionDecided(decided) => Some(AuditEntry {
            outcome: decided.outcome,
            repaired: decided.repaired,
            code: decided.code,
            proposed: decided.proposed,
            ..entry(&decided.op, &decided.target)
        }),
        // The changes of an iteration are covered by its instructions.
        Event::Change(change) if draft.actor.actor_type != ActorType::Agent => Some(entry(
            event.type_name(),
            &ChangeTarget::of(change.get()).to_string(),
        )),
        Event::TailCut(cut) => Some(entry(event.type_name(), &cut.kept_as)),
        Event::ViewRestored(restored) => Some(entry(event.type_name(), &restored.path)),
        Event::EditRefused(it) => Some(refused(event, &it.path, Code::EditInvalid)),
        Event::RequestRefused(it) => Some(refused(event, &it.file, Code::RequestInvalid)),
        Event::RuleSkipped(it) => Some(refused(event, &it.target(), it.code)),
        // A reply that is refused as a whole has no other entry.
        Event::RunEnded(ended) => ended.error_code.map(|code| AuditEntry {
            iteration: None,
            ..refused(event, &ended.run_id.to_string(), code)
        }),
        Event::ProposalsChanged(ProposalsChanged::Decided(decided)) => {
            Some(entry(&decided.op(), &decided.number.to_string()))
        }
        _ => None,
    });
    entries.collect()
}

/// A commit in the stream: the types of its events, and the outcome of each instruction.
#[derive(Clone, Debug, Serialize)]
pub struct FeedCommit {
    pub seq: u64,
    pub ts: Timestamp,
    pub actor_type: ActorType,
    pub cause: String,
    /// The run, if there was one.
    pub run_id: Option<RunId>,
    /// The number of the iteration in it, from 1.
    pub iteration: Option<u32>,
    pub events: Vec<&'static str>,
    /// The outcome of each instruction, or the changes of a person.
    pub entries: Vec<AuditEntry>,
    pub hash: Hash,
}

impl From<&Commit> for FeedCommit {
    fn from(commit: &Commit) -> Self {
        let draft = &commit.draft;
        Self {
            seq: commit.seq,
            ts: draft.ts,
            actor_type: draft.actor.actor_type,
            cause: draft.cause.kind.clone(),
            run_id: draft.cause.run_id,
            iteration: draft.cause.iteration,
            events: draft.events.iter().map(Event::type_name).collect(),
            entries: entries_of(commit),
            hash: commit.hash,
        }
    }
}

/// A reader of the journal that remembers its position.
#[derive(Debug)]
pub struct Feed {
    place: JournalPosition,
    /// The number of the last commit that is not to be returned.
    after: u64,
}

impl Feed {
    /// Returns a reader of all commits after `after`, and the first number that it can return.
    /// That number is later than the next one if the journal has retired commits.
    pub fn after(disk: &mut dyn Disk, after: u64) -> Result<(Self, u64), Error> {
        let place = reader::read(disk, &mut |journal| Ok(journal.first()))?;
        let first = place.head.seq.max(after) + 1;
        let after = first - 1;
        Ok((Self { place, after }, first))
    }

    /// Returns the commits since the last look up to commit `durable`, at most one segment of them.
    /// Commits behind that one may not be durable yet, and are read again.
    ///
    /// # Errors
    /// Those of the disk and of a damaged journal, and [`Error::Incomplete`] if the next commits
    /// are retired.
    pub fn next(&mut self, disk: &mut dyn Disk, durable: u64) -> Result<Vec<FeedCommit>, Error> {
        while self.after < durable {
            let (after, mut fed) = (self.after, Vec::new());
            let (end, more) = scan::scan_segment(disk, self.place, &mut |commit, _| {
                if (after + 1..=durable).contains(&commit.seq) {
                    fed.push(FeedCommit::from(commit));
                }
            })?;
            if end.place.head.seq <= durable {
                self.place = end.place;
            }
            self.after = fed.last().map_or(after, |last| last.seq);
            if !more || !fed.is_empty() {
                return Ok(fed);
            }
        }
        Ok(Vec::new())
    }
}
