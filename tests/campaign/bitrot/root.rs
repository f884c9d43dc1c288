//! Small roots with a bit of everything, stopped in good order, on a disk in memory.

#![expect(clippy::unwrap_used, reason = "a campaign may stop at once")]

use crate::sim_disk::SimDisk;
use crate::store_lab::{
    at, by_agent, create, delete, ended, iteration, note_id, options, queued, set, started,
    storage_set, try_open, update, work_on_inbox,
};
use kjxlkj_agent::core::journal::event::{ConversationKept, KeptReply};
use kjxlkj_agent::core::journal::{CommitDraft, Event, State};
use kjxlkj_agent::core::run::Usage;
use kjxlkj_agent::store::inbox::{InboxWatch, drop_request};
use kjxlkj_agent::store::{Options, Store};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// When everything of late happens.
const LATE: i64 = 1_700_000_000_000;

/// When the damaged root is opened: whatever lies there has lain still for long.
pub(super) const AFTER: i64 = LATE + DAY_MS;

/// A root to be damaged.
pub(super) struct Root {
    pub(super) disk: SimDisk,
    pub(super) options: Options,
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// The state that it was stopped with.
    pub(super) state: State,
}

impl Root {
    /// A root whose first segments are kept, or let go of.
    pub(super) fn new(is_retired: bool) -> Self {
        let options = Options {
            segment_bytes: 3000,
            retention_days: 1,
            ..options()
        };
        let disk = SimDisk::new(1);
        let early = LATE - 3 * DAY_MS;
        if is_retired {
            disk.set_clock_ms(early);
            let mut store = open(&disk, &options, early);
            write_early(&mut store, early);
            store.checkpoint(true, at(early)).unwrap();
        }
        disk.set_clock_ms(LATE);
        let mut store = open(&disk, &options, LATE);
        if is_retired {
            store.commit(by(LATE, vec![set("gap", "closed")])).unwrap();
            assert!(store.retire(at(LATE)).unwrap().unwrap() > 0);
        } else {
            write_early(&mut store, LATE);
        }
        write_late(&mut store, &disk);
        store.checkpoint(true, at(LATE)).unwrap();
        drop(store);
        let files = disk.files();
        let reopened = open(&disk.process_crash(), &options, AFTER);
        let state = reopened.state().clone();
        Self {
            disk,
            options,
            files,
            state,
        }
    }

    pub(super) const fn files(&self) -> &BTreeMap<PathBuf, Vec<u8>> {
        &self.files
    }

    pub(super) fn bytes(&self, file: &Path) -> &[u8] {
        &self.files[file]
    }
}

fn open(disk: &SimDisk, options: &Options, now: i64) -> Store {
    let (mut store, _) = try_open(disk, options, at(now)).unwrap();
    store.read_notes(at(now)).unwrap();
    store.take_edits(at(now)).unwrap();
    store
}

fn by(now: i64, events: Vec<Event>) -> CommitDraft {
    CommitDraft {
        ts: Timestamp::from_millis(now),
        ..by_agent(events)
    }
}

/// Notes, some of them written again, one deleted; RAM and the tree.
fn write_early(store: &mut Store, now: i64) {
    for number in 1..=4 {
        let text = format!("Text {number} with \"quotes\", ümlauts and\ntwo lines.");
        let note = create(note_id(number), &format!("Title {number}"), &text);
        store.commit(by(now, vec![note])).unwrap();
    }
    let note = |store: &Store, number| store.state().notes.get(note_id(number)).unwrap().clone();
    let events = vec![
        update(&note(store, 2), "written again"),
        delete(&note(store, 4)),
        set("tea", "green"),
        set("steps", json!(["one", "two"])),
        set("table", json!({"a": [1, 2.5, null, true]})),
        storage_set("/storage/tin/red", "tea"),
        storage_set("/storage/tin/blue", json!(["nothing"])),
    ];
    store.commit(by(now, events)).unwrap();
}

/// A run with what it was asked and what it answered, and a request that was taken.
fn write_late(store: &mut Store, disk: &SimDisk) {
    let opened = queued("one");
    let run_id = opened.run_id().unwrap();
    store
        .commit(by(LATE, vec![opened, started(run_id)]))
        .unwrap();
    let run = store.state().runs.get(run_id).unwrap().clone();
    let kept = ConversationKept {
        run_id,
        iteration: 1,
        attempt: 1,
        messages: Vec::new(),
        reply: KeptReply {
            text: "<ram_add><key>tea</key><value>black</value></ram_add>".to_owned(),
            reasoning: None,
            certainty_percent: Some(70),
            least_percent: Some(60),
            finish: "stop".to_owned(),
            usage: Usage::of_reply(100, 10),
        },
        constraint_kind: None,
    };
    let events = vec![
        iteration(store.state(), &run),
        Event::ConversationKept(kept),
        set("tea", "black"),
        ended(run_id),
    ];
    store.commit(by(LATE, events)).unwrap();
    drop_request(&mut disk.clone(), Uuid::from_u128(77), "write it down").unwrap();
    let mut watch = InboxWatch::default();
    disk.set_clock_ms(LATE);
    let later = at(LATE + 60_000);
    while work_on_inbox(store, &mut watch, later).unwrap() == 0 {
        disk.set_clock_ms(LATE);
    }
}
