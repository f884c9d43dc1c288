//! Effects that no guard would let pass, put into the journal past it: what shows that the judge sees.

use super::fields::FOREIGN;
use super::grant::Grant;
use super::ledger::{Ledger, Tree};
use super::life::{BEGIN_MS, Base, ROOM_BYTES, commit, commits_in, granted, notes, tree};
use crate::random::Random;
use kjxlkj_agent::core::guard::{Approved, EditedItems, Guard, NewNote, NoteEdit, Scope, ram_own};
use kjxlkj_agent::core::journal::event::{RunEnded, RunQueued};
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, Change, CommitDraft, Event};
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::core::run::{Run, RunState, StopReason, Trigger};
use kjxlkj_agent::daemon::store_options;
use kjxlkj_agent::ids::{EventId, NoteId, RunId};
use kjxlkj_agent::store::Store;
use kjxlkj_agent::store::disk::MemoryDisk;
use kjxlkj_agent::time::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Something that lies outside of the grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Nothing does.
    Nothing,
    NoteAbroad,
    NoteOfOtherKind,
    TooManyNotes,
    UpdateAbroad,
    Deletion,
    OddKey,
    ForgedRequest,
    UnknownState,
    Storage,
    EffectOfNoWord,
    SuccessOfNothing,
    ChangeByUser,
    ForeignFile,
    FileOfNobody,
    MissingFile,
}

impl Planted {
    pub(crate) const ALL: [Self; 16] = [
        Self::Nothing,
        Self::NoteAbroad,
        Self::NoteOfOtherKind,
        Self::TooManyNotes,
        Self::UpdateAbroad,
        Self::Deletion,
        Self::OddKey,
        Self::ForgedRequest,
        Self::UnknownState,
        Self::Storage,
        Self::EffectOfNoWord,
        Self::SuccessOfNothing,
        Self::ChangeByUser,
        Self::ForeignFile,
        Self::FileOfNobody,
        Self::MissingFile,
    ];
}

const NOW: Timestamp = Timestamp { millis: BEGIN_MS };

fn run_id() -> RunId {
    RunId(Uuid::from_u128(7))
}

/// A change that a guard of another scope, for another run, let pass.
fn approved(scope: &Scope, act: impl FnOnce(&mut Guard<'_>) -> Approved<Change>) -> Event {
    let nothing = EditedItems::default();
    Event::Change(act(&mut Guard::for_run(scope, run_id(), &nothing)))
}

fn created(scope: &Scope, kind: &str, number: u128) -> Event {
    let new = NewNote {
        workspace_id: None,
        kind: Some(kind.to_owned()),
        title: Some(format!("Planted {number}")),
        keywords: Vec::new(),
        value: "planted".to_owned(),
        links: Vec::new(),
    };
    let id = NoteId(Uuid::from_u128(0x1_0000 + number));
    approved(scope, |guard| guard.note_create(new, id, NOW).unwrap())
}

fn ram(key: &str, value: serde_json::Value) -> Event {
    Event::Change(ram_own(key, value))
}

/// What is committed in the agent's name.
fn events(planted: Planted, scope: &Scope, known: &[Note]) -> Vec<Event> {
    let workspace_id = FOREIGN[0].parse().unwrap();
    let abroad = Scope {
        workspace_id,
        ..scope.clone()
    };
    let of = |scope: &Scope| {
        let mut notes = known.iter();
        notes
            .find(|note| note.workspace_id == scope.workspace_id)
            .unwrap()
            .clone()
    };
    let reaching = |note: &Note| Scope {
        workspace_id: note.workspace_id,
        allowed_note_kinds: vec![note.note_kind.clone()],
        ..scope.clone()
    };
    let one = match planted {
        Planted::NoteAbroad => created(&abroad, "note", 1),
        Planted::NoteOfOtherKind => {
            let allowed_note_kinds = vec!["secret".to_owned()];
            created(
                &Scope {
                    allowed_note_kinds,
                    ..scope.clone()
                },
                "secret",
                1,
            )
        }
        Planted::TooManyNotes => return vec![created(scope, "note", 1), created(scope, "note", 2)],
        Planted::UpdateAbroad => {
            let edit = NoteEdit {
                value: Some("mine".to_owned()),
                ..NoteEdit::default()
            };
            let base = of(&abroad);
            approved(&reaching(&base), |guard| {
                guard.note_update(&base, None, edit, NOW).unwrap()
            })
        }
        Planted::Deletion => {
            let base = of(scope);
            approved(&reaching(&base), |guard| {
                guard.note_delete(&base, None, NOW).unwrap()
            })
        }
        Planted::OddKey => ram("a\u{202e}b", json!("x")),
        Planted::ForgedRequest => ram("context", json!({"user_request": "forged"})),
        Planted::UnknownState => ram("state", json!("done")),
        Planted::Storage => {
            let nothing = kjxlkj_agent::core::memory::Storage::default();
            let path = kjxlkj_agent::core::memory::StorePath::parse("/storage/x").unwrap();
            approved(scope, |guard| {
                guard.storage_set(&nothing, &path, json!(1)).unwrap()
            })
        }
        Planted::SuccessOfNothing => return ended_for_nothing(),
        Planted::Nothing
        | Planted::EffectOfNoWord
        | Planted::ChangeByUser
        | Planted::ForeignFile
        | Planted::FileOfNobody
        | Planted::MissingFile => created(scope, "note", 1),
    };
    vec![one]
}

/// A run that succeeds without anything done for its request.
fn ended_for_nothing() -> Vec<Event> {
    let event = EventId("7".to_owned());
    let run = Run {
        request: Some("do it".to_owned()),
        ..Run::queued(run_id(), event, Trigger::Request, NOW)
    };
    let ended = RunEnded {
        run_id: run_id(),
        state: RunState::Succeeded,
        stop_reason: StopReason::Done,
        error_code: None,
        completed_at: NOW,
    };
    vec![Event::RunQueued(RunQueued { run }), Event::RunEnded(ended)]
}

/// What is done to the files afterwards.
fn spoil(planted: Planted, tree: &mut Tree, known: &[Note]) {
    let foreign = known
        .iter()
        .find(|note| note.workspace_id.to_string() == FOREIGN[0])
        .unwrap();
    let path = format!("data/notes/{}.json", foreign.id);
    if planted == Planted::ForeignFile {
        tree.get_mut(&path).unwrap().push(b' ');
    } else if planted == Planted::FileOfNobody {
        tree.insert("data/run.sh".to_owned(), Vec::new());
    } else if planted == Planted::MissingFile {
        tree.remove(&path);
    }
}

/// What the judge says of a root in which that was planted.
pub(crate) fn judged(base: &Base, planted: Planted) -> Vec<String> {
    let mut config = base.config().clone();
    config.scope.max_notes_per_loop = 1;
    let grant: Grant = granted(&config, false, false);
    let scope = Scope {
        max_notes_per_loop: 10,
        ..config.scope.clone()
    };
    let mut disk = MemoryDisk::with_room(ROOM_BYTES);
    let (mut store, _) = Store::open(Box::new(disk.clone()), store_options(&config), NOW).unwrap();
    let made = notes(&scope, "hidden", &mut Random(1), NOW);
    let known: Vec<Note> = made
        .iter()
        .map(|event| event.note().unwrap().clone())
        .collect();
    commit(&mut store, made, NOW);
    let before = tree(&mut disk);
    let actor_type = if planted == Planted::ChangeByUser {
        ActorType::User
    } else {
        ActorType::Agent
    };
    let draft = CommitDraft {
        ts: NOW,
        actor: Actor { actor_type },
        cause: Cause::iteration(run_id(), 1),
        events: events(planted, &scope, &known),
    };
    store.commit(draft).unwrap();
    drop(store);
    let mut after = tree(&mut disk);
    spoil(planted, &mut after, &known);
    let words = "record_add record_add record_update record_delete".to_owned();
    let mut said = BTreeMap::from([((run_id().to_string(), 1), words)]);
    if planted == Planted::EffectOfNoWord {
        said.clear();
    }
    let mut ledger = Ledger::of(&grant, &said, commits_in(&before), &after);
    ledger.judge_files(&before, &after);
    ledger.wrong
}
