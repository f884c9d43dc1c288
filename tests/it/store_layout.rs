//! The one file that shows both layers of the memory: a view like those that are written at rest, there
//! only where it is wanted.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::sim_disk::SimDisk;
use crate::store_lab::{
    KV, MEMORY, STORAGE, at, by_agent, ended, options, path, queued, set, started, storage_set,
    try_open,
};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::memory::MemoryLayout::{self, Split, Unified};
use kjxlkj_agent::store::{Options, Store};
use kjxlkj_agent::time::DAY_MS;
use serde_json::{Value, json};

const LATER: i64 = 1_700_000_000_000;

fn in_layout(layout: MemoryLayout) -> Options {
    Options {
        layout,
        ..options()
    }
}

fn open(disk: &SimDisk, layout: MemoryLayout, now: i64) -> (Store, Vec<String>) {
    let (mut store, notices) = try_open(disk, &in_layout(layout), at(now)).unwrap();
    store.read_notes(at(now)).unwrap();
    (store, notices.into_iter().map(|it| it.message).collect())
}

fn bytes(disk: &SimDisk, name: &str) -> Option<Vec<u8>> {
    disk.files().get(path(name)).cloned()
}

fn json_of(disk: &SimDisk, name: &str) -> Value {
    serde_json::from_slice(&bytes(disk, name).unwrap()).unwrap()
}

/// A root with both layers filled, the changes of the second half behind a checkpoint.
fn past(clean: bool) -> (SimDisk, State) {
    let disk = SimDisk::new(5);
    let (mut store, _) = open(&disk, Unified, LATER);
    let change = |place: &str, key: &str| by_agent(vec![storage_set(place, 1), set(key, "v")]);
    store.commit(change("/storage/old", "k")).unwrap();
    store.checkpoint(false, at(LATER)).unwrap();
    store.commit(change("/storage/new/deep", "more")).unwrap();
    if clean {
        store.checkpoint(true, at(LATER)).unwrap();
    }
    (disk, store.state().clone())
}

#[test]
fn the_unified_file_shows_both_layers_and_the_others_stay() {
    let disk = SimDisk::new(1);
    let (mut store, _) = open(&disk, Unified, LATER);
    let opened = queued("one");
    let run_id = opened.run_id().unwrap();
    store
        .commit(by_agent(vec![opened, started(run_id)]))
        .unwrap();
    store
        .commit(by_agent(vec![
            storage_set("/storage/a/b", 1),
            set("k", "v"),
        ]))
        .unwrap();
    assert_eq!(bytes(&disk, MEMORY), None, "it is written at rest");
    store.commit(by_agent(vec![ended(run_id)])).unwrap();
    let both = json_of(&disk, MEMORY);
    assert_eq!(both["storage"], json!({"a": {"b": 1}}));
    assert_eq!(both["working"]["k"], "v");
    assert_eq!(both["working"], json_of(&disk, KV));
    assert_eq!(both["storage"], json_of(&disk, STORAGE));
    assert_eq!(both.as_object().unwrap().len(), 2);
    // Each layer alone brings it up to date.
    for event in [set("k", "w"), storage_set("/storage/c", 2)] {
        store.commit(by_agent(vec![event])).unwrap();
        store.checkpoint(false, at(LATER)).unwrap();
        let written = bytes(&disk, MEMORY).unwrap();
        assert_eq!(written, store.state().layers().to_file());
    }
}

#[test]
fn in_the_split_layout_there_is_no_such_file() {
    let disk = SimDisk::new(1);
    let (mut store, _) = open(&disk, Split, LATER);
    store
        .commit(by_agent(vec![storage_set("/storage/a", 1), set("k", "v")]))
        .unwrap();
    store.checkpoint(true, at(LATER)).unwrap();
    assert_eq!(bytes(&disk, MEMORY), None);
    assert_eq!(json_of(&disk, STORAGE), json!({"a": 1}));
}

/// It comes when the layout is chosen, at a start or at a reload, and goes with it. A file of that name
/// that is not ours is left alone.
#[test]
fn the_file_comes_and_goes_with_the_layout() {
    for reload in [true, false] {
        let disk = SimDisk::new(1);
        let (mut store, _) = open(&disk, Split, LATER);
        store
            .commit(by_agent(vec![storage_set("/storage/a", 1)]))
            .unwrap();
        store.checkpoint(true, at(LATER)).unwrap();
        for (round, layout) in (1..).zip([Unified, Split, Unified]) {
            let now = LATER + round * DAY_MS;
            if reload {
                store.set_options(in_layout(layout));
            } else {
                drop(store);
                let (fresh, notices) = open(&disk, layout, now);
                assert_eq!(notices, Vec::<String>::new());
                store = fresh;
            }
            let report = store.take_edits(at(now)).unwrap();
            assert_eq!(report.notices, Vec::<String>::new());
            store.checkpoint(true, at(now)).unwrap();
            let wanted = (layout == Unified).then(|| store.state().layers().to_file());
            assert_eq!(bytes(&disk, MEMORY), wanted, "{reload} {layout:?}");
        }
        drop(store);
        disk.plant(path(MEMORY), b"{\"mine\": 1}\n");
        let (mut store, _) = open(&disk, Split, LATER + 9 * DAY_MS);
        store.checkpoint(true, at(LATER)).unwrap();
        assert_eq!(bytes(&disk, MEMORY).unwrap(), b"{\"mine\": 1}\n");
    }
}

/// Whatever became of the file, it is made again from the journal; nothing is read from it, and what is
/// not ours is kept and said, once.
#[test]
fn a_damaged_or_edited_file_is_put_aside_and_made_again() {
    let damages: [(&str, Option<&[u8]>); 5] = [
        ("missing", None),
        ("empty", Some(b"")),
        ("NUL", Some(&[0; 40])),
        ("torn", Some(b"{\n  \"working\": {\"k")),
        (
            "edited",
            Some(b"{\"working\": {\"k\": \"mine\"}, \"storage\": {}}\n"),
        ),
    ];
    for clean in [true, false] {
        for (damage, held) in damages {
            let what = format!("{damage}, clean {clean}");
            let (disk, state) = past(clean);
            match held {
                Some(held) => disk.plant(path(MEMORY), held),
                None => disk.uproot(path(MEMORY)),
            }
            let (mut store, notices) = open(&disk, Unified, LATER + 9);
            assert_eq!(store.state(), &state, "{what}");
            let is_foreign = matches!(damage, "torn" | "edited");
            assert_eq!(
                notices.len(),
                usize::from(clean || is_foreign),
                "{what}: {notices:?}"
            );
            let files = disk.files();
            let kept = files.iter().any(|(name, bytes)| {
                name.starts_with("data/quarantine") && Some(bytes.as_slice()) == held
            });
            assert!(kept || !is_foreign, "{what}");
            store.checkpoint(true, at(LATER + 10)).unwrap();
            assert_eq!(
                bytes(&disk, MEMORY),
                Some(state.layers().to_file()),
                "{what}"
            );
            drop(store);
            let (store, notices) = open(&disk, Unified, LATER + 20);
            assert_eq!((store.state(), notices), (&state, vec![]), "{what}");
        }
    }
}

#[test]
fn a_persons_edit_is_kept_aside_while_running() {
    let (disk, state) = past(true);
    let (mut store, _) = open(&disk, Unified, LATER + 1);
    disk.plant(path(MEMORY), b"{\"mine\": 1}\n");
    let mut notices = Vec::new();
    for round in 1..4 {
        let report = store.take_edits(at(LATER + round * DAY_MS)).unwrap();
        notices.extend(report.notices);
    }
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].contains(MEMORY) && notices[0].contains(".broken-"));
    assert_eq!(store.state(), &state);
    assert_eq!(bytes(&disk, MEMORY), Some(state.layers().to_file()));
}

/// After a death of the process or of the power, the next rest brings the file to what the journal says.
#[test]
fn after_a_crash_the_file_is_as_the_state_has_it() {
    for seed in 0..20 {
        let (disk, state) = past(false);
        let image = match seed {
            0 => disk.process_crash(),
            _ => disk.power_cut(seed),
        };
        let (mut store, _) = open(&image, Unified, LATER + 1);
        assert_eq!(store.state(), &state, "{seed}");
        // What a stop left behind is looked at before anything else is written.
        store.take_edits(at(LATER + DAY_MS)).unwrap();
        store.checkpoint(true, at(LATER + DAY_MS)).unwrap();
        assert_eq!(
            bytes(&image, MEMORY),
            Some(state.layers().to_file()),
            "{seed}"
        );
    }
}
