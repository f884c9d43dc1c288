//! The origin of a note's versions: the run, the model and the instruction behind each.
//! It also has the later prompts that contained a version. Never writes.

use super::runs::Records;
use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::event::{
    InstructionDecided, InstructionOutcome, IterationDone, ProposalsChanged,
};
use crate::core::journal::{Change, Event};
use crate::core::notes::{Note, NoteAuthor, unified};
use crate::core::protocol::Tag;
use crate::failure::Code;
use crate::ids::{NoteId, RuleId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// A version of a note and its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionOrigin {
    pub version: u64,
    pub title: String,
    /// Whether this version is the deletion of the note.
    pub deleted: bool,
    pub seq: u64,
    pub ts: Timestamp,
    pub actor_type: ActorType,
    /// The kind of cause of the commit.
    pub cause: String,
    /// The run of the commit, if any.
    pub run_id: Option<RunId>,
    /// The facts about the run; absent if its record is gone.
    #[serde(flatten)]
    pub run: Option<OriginRun>,
    /// The instruction that made it, if one did.
    pub instruction: Option<InstructionDecided>,
    /// The unified diff from the version before; empty if nothing differs.
    pub diff: String,
    /// The later prompts that contained it.
    pub shown: Vec<Appearance>,
}

/// The facts about a run that explain a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OriginRun {
    /// The rule that opened it, if one did.
    pub rule_id: Option<RuleId>,
    pub request: Option<String>,
    /// The number of the iteration, from 1.
    pub iteration: Option<u32>,
    pub model: Option<String>,
    /// The SHA-256 of the prompt file.
    pub prompt_hash: Option<String>,
    /// The SHA-256 over the SHA-256 of each message of the iteration's prompt.
    pub messages_hash: Option<String>,
}

/// A prompt that contained a version of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Appearance {
    pub seq: u64,
    pub ts: Timestamp,
    pub run_id: RunId,
    /// The number of the iteration, from 1.
    pub iteration: u32,
}

/// The versions of a note, and whether there were earlier ones whose journal is retired.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VersionOrigins {
    /// The versions, oldest first.
    pub versions: Vec<VersionOrigin>,
    /// The code `HISTORY_RETIRED`, if earlier versions are gone with their segments.
    pub code: Option<Code>,
}

/// Returns each kept version of a note with its origin.
pub fn why_of(disk: &mut dyn Disk, id: NoteId) -> Result<VersionOrigins, Error> {
    reader::read(disk, &mut |journal| {
        let mut collector = Collector::of(id);
        journal.each_commit(&mut |commit| collector.take(commit))?;
        let mut why = collector.concluded();
        let runs = why.versions.iter().filter_map(|version| version.run_id);
        let mut records = Records::of(runs.collect());
        if records.is_empty() {
            return Ok(why);
        }
        journal.each_commit(&mut |commit| {
            records.take(commit);
            let from = why.versions.partition_point(|it| it.seq < commit.seq);
            let made = why.versions.iter_mut().skip(from);
            for version in made.take_while(|it| it.seq == commit.seq) {
                // The record as it was then.
                let record = version.run_id.and_then(|id| records.found.get(&id));
                let run = version.run.take().zip(record);
                version.run = run.map(|(asked, record)| OriginRun {
                    rule_id: record.rule_id,
                    request: record.request.clone(),
                    model: record.model.clone(),
                    prompt_hash: record.prompt_hash.clone(),
                    ..asked
                });
            }
        })?;
        Ok(why)
    })
}

/// A pass over the journal that collects the facts about one note.
struct Collector {
    id: NoteId,
    why: VersionOrigins,
    shown: BTreeMap<u64, Vec<Appearance>>,
    /// The open proposals about the note, each with the instruction and the iteration behind it.
    proposed: BTreeMap<u64, (InstructionDecided, OriginRun)>,
    /// The last version that was collected.
    last: Option<Note>,
}

impl Collector {
    fn of(id: NoteId) -> Self {
        Self {
            id,
            why: VersionOrigins::default(),
            shown: BTreeMap::new(),
            proposed: BTreeMap::new(),
            last: None,
        }
    }

    fn take(&mut self, commit: &Commit) {
        let done = commit.draft.iteration();
        if let Some(done) = done {
            for shown in done.shown.iter().filter(|shown| shown.id == self.id) {
                self.shown
                    .entry(shown.version)
                    .or_default()
                    .push(Appearance {
                        seq: commit.seq,
                        ts: commit.draft.ts,
                        run_id: done.run_id,
                        iteration: done.iteration,
                    });
            }
        }
        let mut approved = None;
        for event in &commit.draft.events {
            if let Event::ProposalsChanged(change) = event {
                approved = self.take_proposal(change, done).or(approved);
            }
        }
        let (approved, asked) = approved.unzip();
        let asked = done.map(OriginRun::asked_in).or(asked).unwrap_or_default();
        let mut instructions = commit.draft.events.iter().filter_map(applied_record);
        for event in &commit.draft.events {
            if let Event::Change(change) = event
                && let Some(note) = change.get().note()
            {
                // Each applied instruction about a note makes exactly one change of a note, in that
                // order.
                let instruction = instructions.next().or(approved.as_ref());
                if note.id == self.id {
                    self.begin(note, matches!(change.get(), Change::NoteCreated(_)));
                    self.push(commit, note, instruction, &asked);
                }
            } else if let Event::NoteCarried(carried) = event
                && carried.note.id == self.id
            {
                self.begin(&carried.note, false);
                let last = self.why.versions.last().map(|last| last.version);
                if last != Some(carried.note.version) {
                    self.push(commit, &carried.note, None, &asked);
                }
            }
        }
    }

    /// Keeps the origin of a new proposal, and returns that of a decided one.
    fn take_proposal(
        &mut self,
        change: &ProposalsChanged,
        done: Option<&IterationDone>,
    ) -> Option<(InstructionDecided, OriginRun)> {
        match change {
            ProposalsChanged::Made(proposal) => {
                if proposal.note.id == self.id {
                    let instruction = InstructionDecided {
                        op: proposal.op.clone(),
                        target: proposal.target.clone(),
                        outcome: InstructionOutcome::Applied,
                        repaired: false,
                        code: None,
                        proposed: true,
                    };
                    let only_number = || OriginRun {
                        iteration: Some(proposal.iteration),
                        ..OriginRun::default()
                    };
                    let asked = done.map_or_else(only_number, OriginRun::asked_in);
                    // A carried copy of the proposal has no further facts.
                    let proposed = self.proposed.entry(proposal.number);
                    proposed.or_insert((instruction, asked));
                }
                None
            }
            ProposalsChanged::Decided(decided) => self.proposed.remove(&decided.number),
            ProposalsChanged::Carried(_) => None,
        }
    }

    /// Checks at the first kept version whether there were earlier ones.
    fn begin(&mut self, note: &Note, is_created: bool) {
        let is_first = note.version == 1 || note.created_by.actor_type == NoteAuthor::Import;
        if self.why.versions.is_empty() && !(is_created && is_first) {
            self.why.code = Some(Code::HistoryRetired);
        }
    }

    fn push(
        &mut self,
        commit: &Commit,
        note: &Note,
        instruction: Option<&InstructionDecided>,
        asked: &OriginRun,
    ) {
        self.why.versions.push(VersionOrigin {
            version: note.version,
            title: note.title.clone(),
            deleted: note.deleted_at.is_some(),
            seq: commit.seq,
            ts: commit.draft.ts,
            actor_type: commit.draft.actor.actor_type,
            cause: commit.draft.cause.kind.clone(),
            run_id: commit.draft.cause.run_id,
            run: commit.draft.cause.run_id.map(|_| asked.clone()),
            instruction: instruction.cloned(),
            diff: unified(self.last.as_ref(), note),
            shown: Vec::new(),
        });
        self.last = Some(note.clone());
    }

    fn concluded(mut self) -> VersionOrigins {
        for version in &mut self.why.versions {
            version.shown = self.shown.remove(&version.version).unwrap_or_default();
        }
        self.why
    }
}

impl OriginRun {
    /// Returns the facts of an iteration alone.
    fn asked_in(done: &IterationDone) -> Self {
        Self {
            iteration: Some(done.iteration),
            messages_hash: Some(done.messages_hash.clone()),
            ..Self::default()
        }
    }
}

/// Returns the instruction of an event, if it is about a note and was applied.
fn applied_record(event: &Event) -> Option<&InstructionDecided> {
    let Event::InstructionDecided(decided) = event else {
        return None;
    };
    let writes = matches!(
        Tag::parse(&decided.op)?,
        Tag::RecordAdd
            | Tag::RecordUpdate
            | Tag::RecordIssue
            | Tag::RecordDelete
            | Tag::RecordAppend
            | Tag::RecordLine
            | Tag::RecordCut
            | Tag::RecordLink
            | Tag::RecordTitle
            | Tag::RecordMerge
    );
    (writes && decided.outcome == InstructionOutcome::Applied).then_some(decided)
}
