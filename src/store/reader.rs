//! Reading a root without holding it: the state, a note's history and the audit. Never writes, and sees only whole commits, also while a daemon is writing.

use super::checkpoint::First;
use super::disk::Disk;
use super::error::Error;
use super::journal::Head;
use super::journal_range::{first_of, read_range};
use super::note_files::read_good;
use super::replay;
use super::scan;
use crate::core::journal::commit::{ActorType, Commit};
use crate::core::journal::event::{Change, Outcome, ProposalsChanged};
use crate::core::journal::{Event, State};
use crate::core::notes::Note;
use crate::failure::Code;
use crate::ids::{NoteId, RunId};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One version of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteVersion {
    /// The commit that made it.
    pub seq: u64,
    /// When.
    pub ts: Timestamp,
    /// Who.
    pub actor_type: ActorType,
    /// The run, if an agent did.
    pub run_id: Option<RunId>,
    /// The note as it was then.
    pub note: Note,
}

/// One entry of the audit: what became of one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// The commit.
    pub seq: u64,
    /// When.
    pub ts: Timestamp,
    /// The run.
    pub run_id: Option<RunId>,
    /// The iteration in it, from 1.
    pub iteration: Option<u32>,
    /// Who.
    pub actor_type: ActorType,
    /// The instruction, or what a person or the program did.
    pub op: String,
    /// What it aimed at.
    pub target: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether the parser had to repair it.
    pub repaired: bool,
    /// Why it was refused or passed over.
    pub code: Option<Code>,
    /// Whether what was applied is only a proposal, which a person has yet to decide.
    pub proposed: bool,
    /// SHA-256 over the SHA-256 of each message of the prompt, for an iteration.
    pub prompt_hash: Option<String>,
}

/// The state as of the last whole commit, with the notes from their files where those are in order
/// and from the journal where not.
pub fn read_state(disk: &mut dyn Disk, kv_path: &Path) -> Result<State, Error> {
    read_range(disk, &mut |disk| read_state_once(disk, kv_path))
}

fn read_state_once(disk: &mut dyn Disk, kv_path: &Path) -> Result<State, Error> {
    let mut replayed = replay::replay(disk, kv_path)?;
    if !replayed.state.notes.is_complete() {
        let mut notes = BTreeMap::new();
        let mut in_doubt = BTreeSet::new();
        for (id, digest) in replayed.views.notes.read()?.iter() {
            match read_good(disk, *id, *digest) {
                Some(note) => drop(notes.insert(*id, note)),
                None => drop(in_doubt.insert(*id)),
            }
        }
        in_doubt.retain(|id| !replayed.state.notes.knows(*id));
        if !in_doubt.is_empty() {
            let found = histories(disk, replayed.first, &|id| in_doubt.contains(&id))?;
            for (id, mut versions) in found {
                notes.extend(versions.pop().map(|version| (id, version.note)));
            }
        }
        replayed.state.notes.fill(notes.into_values());
    }
    Ok(replayed.state)
}

/// The last commit, for keeping elsewhere: found from the newest checkpoint on.
pub fn head_of(disk: &mut dyn Disk) -> Result<Head, Error> {
    let replayed = read_range(disk, &mut |disk| replay::replay(disk, Path::new("")))?;
    Ok(replayed.end.place.head)
}

/// The versions of the wanted notes, oldest first. Reads the whole kept journal.
pub(super) fn histories(
    disk: &mut dyn Disk,
    first: First,
    wanted: &dyn Fn(NoteId) -> bool,
) -> Result<BTreeMap<NoteId, Vec<NoteVersion>>, Error> {
    let mut found: BTreeMap<NoteId, Vec<NoteVersion>> = BTreeMap::new();
    scan::scan(disk, first.place(), &mut |commit, _| {
        for event in &commit.draft.events {
            let Some(note) = event.note() else { continue };
            if wanted(note.id) {
                found.entry(note.id).or_default().push(NoteVersion {
                    seq: commit.seq,
                    ts: commit.draft.ts,
                    actor_type: commit.draft.actor.actor_type,
                    run_id: commit.draft.cause.run_id,
                    note: note.clone(),
                });
            }
        }
    })?;
    Ok(found)
}

/// Shows every kept version of the wanted notes, each note's oldest first; some may be shown twice.
pub fn each_version(
    disk: &mut dyn Disk,
    wanted: &dyn Fn(NoteId) -> bool,
    show: &mut dyn FnMut(&Note),
) -> Result<(), Error> {
    read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        scan::scan(disk, first.place(), &mut |commit, _| {
            let notes = commit.draft.events.iter().filter_map(Event::note);
            notes.filter(|note| wanted(note.id)).for_each(&mut *show);
        })
        .map(drop)
    })
}

/// Every version of one note, oldest first.
pub fn note_history(disk: &mut dyn Disk, id: NoteId) -> Result<Vec<NoteVersion>, Error> {
    let mut found = read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        histories(disk, first, &|wanted| wanted == id)
    })?;
    Ok(found.remove(&id).unwrap_or_default())
}

/// The last version of each note that is deleted, the last deleted first, as far back as the kept journal
/// goes.
pub fn deleted_notes(disk: &mut dyn Disk) -> Result<Vec<Note>, Error> {
    let found = read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        let mut found: BTreeMap<NoteId, Note> = BTreeMap::new();
        scan::scan(disk, first.place(), &mut |commit, _| {
            for note in commit.draft.events.iter().filter_map(Event::note) {
                if note.deleted_at.is_some() {
                    found.insert(note.id, note.clone());
                } else {
                    found.remove(&note.id);
                }
            }
        })?;
        Ok(found)
    })?;
    let mut notes: Vec<Note> = found.into_values().collect();
    notes.sort_by_key(|note| Reverse((note.deleted_at, note.id)));
    Ok(notes)
}

/// The audit, oldest first: instructions of the model, and changes by a person or the program.
pub fn audit_entries(disk: &mut dyn Disk) -> Result<Vec<AuditEntry>, Error> {
    read_range(disk, &mut |disk| {
        let first = first_of(disk)?;
        let mut entries = Vec::new();
        scan::scan(disk, first.place(), &mut |commit, _| {
            entries.extend(entries_of(commit));
        })?;
        Ok(entries)
    })
}

pub(super) fn entries_of(commit: &Commit) -> Vec<AuditEntry> {
    let draft = &commit.draft;
    let prompt_hash = draft.events.iter().find_map(messages_hash);
    let entry = |op: &str, target: &str| AuditEntry {
        seq: commit.seq,
        ts: draft.ts,
        run_id: draft.cause.run_id,
        iteration: draft.cause.iteration,
        actor_type: draft.actor.actor_type,
        op: op.to_owned(),
        target: target.to_owned(),
        outcome: Outcome::Applied,
        repaired: false,
        code: None,
        proposed: false,
        prompt_hash: prompt_hash.clone(),
    };
    let refused = |event: &Event, target: &str, code| AuditEntry {
        outcome: Outcome::Rejected,
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
        // An iteration's changes are told by its instructions.
        Event::Change(change) if draft.actor.actor_type != ActorType::Agent => {
            Some(entry(event.type_name(), &changed(change.get())))
        }
        Event::TailCut(cut) => Some(entry(event.type_name(), &cut.kept_as)),
        Event::ViewRestored(restored) => Some(entry(event.type_name(), &restored.path)),
        Event::EditRefused(it) => Some(refused(event, &it.path, Code::EditInvalid)),
        Event::RequestRefused(it) => Some(refused(event, &it.file, Code::RequestInvalid)),
        Event::RuleSkipped(it) => Some(refused(event, &it.target(), it.code)),
        // Of a reply that is refused as a whole nothing else would tell.
        Event::RunEnded(ended) => ended.error_code.map(|code| AuditEntry {
            iteration: None,
            ..refused(event, &ended.run_id.to_string(), code)
        }),
        Event::ProposalsChanged(ProposalsChanged::Decided(decided)) => {
            Some(entry(&decided.op(), &decided.number.to_string()))
        }
        Event::Change(_)
        | Event::ProposalsChanged(_)
        | Event::RootCreated(_)
        | Event::RunQueued(_)
        | Event::RunRetried(_)
        | Event::RunStarted(_)
        | Event::IterationDone(_)
        | Event::ViewsWritten(_)
        | Event::ConversationKept(_)
        | Event::StateCarried(_)
        | Event::RunsRemembered(_)
        | Event::KeysNoted(_)
        | Event::KeysCarried(_)
        | Event::BudgetReserved(_)
        | Event::BudgetSettled(_)
        | Event::CallMade(_)
        | Event::SchedulesTaken(_)
        | Event::SlotsRecorded(_)
        | Event::StorageCarried(_)
        | Event::NoteCarried(_) => None,
    });
    entries.collect()
}

/// The digest of the prompt that an iteration was asked with.
fn messages_hash(event: &Event) -> Option<String> {
    if let Event::IterationDone(done) = event {
        Some(done.messages_hash.clone())
    } else {
        None
    }
}

/// What a change is about: a key, a place or a note's id.
pub(super) fn changed(change: &Change) -> String {
    match change {
        Change::RamSet(set) => set.key.clone(),
        Change::RamDeleted(deleted) => deleted.key.clone(),
        Change::StorageSet(set) => set.path.to_string(),
        Change::StorageDeleted(deleted) => deleted.path.to_string(),
        Change::NoteCreated(written)
        | Change::NoteUpdated(written)
        | Change::NoteDeleted(written) => written.note.id.to_string(),
    }
}
