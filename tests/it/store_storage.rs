//! The files that are written at rest: when, what a start makes of them, and that nobody else writes
//! them.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::sim_disk::SimDisk;
use crate::store_lab::{
    KV, STORAGE, at, by_agent, draft, ended, options, path, queued, set, started, storage_set,
    try_open,
};
use kjxlkj_agent::core::journal::{ActorType, Cause, Event, State};
use kjxlkj_agent::core::memory::{Storage, StorePath};
use kjxlkj_agent::store::{Store, read_state};
use kjxlkj_agent::time::DAY_MS;
use serde_json::{Value, json};

const KEYS: &str = "data/context_keys.json";
const LATER: i64 = 1_700_000_000_000;

fn open(disk: &SimDisk, now: i64) -> (Store, Vec<String>) {
    let (mut store, notices) = try_open(disk, &options(), at(now)).unwrap();
    store.read_notes(at(now)).unwrap();
    (store, notices.into_iter().map(|it| it.message).collect())
}

fn file(disk: &SimDisk, name: &str) -> Option<Value> {
    let files = disk.files();
    files
        .get(path(name))
        .map(|bytes| serde_json::from_slice(bytes).unwrap())
}

#[test]
fn storage_is_written_at_rest_and_not_at_each_commit() {
    let disk = SimDisk::new(1);
    let (mut store, _) = open(&disk, LATER);
    let opened = queued("one");
    let run_id = opened.run_id().unwrap();
    store
        .commit(by_agent(vec![opened, started(run_id)]))
        .unwrap();
    store
        .commit(by_agent(vec![storage_set("/storage/a/b", 1)]))
        .unwrap();
    assert_eq!(file(&disk, STORAGE), None);
    // The commit that ends a run writes it, and says so.
    let head = store.commit(by_agent(vec![ended(run_id)])).unwrap();
    assert_eq!(file(&disk, STORAGE), Some(json!({"a": {"b": 1}})));
    assert_eq!(head.seq, store.head().seq);
    // A person's change writes it at once.
    let by_user = draft(
        ActorType::User,
        Cause::plain("verb"),
        vec![storage_set("/storage/c", 2)],
    );
    store.commit(by_user).unwrap();
    assert_eq!(file(&disk, STORAGE), Some(json!({"a": {"b": 1}, "c": 2})));
    // So does a stop.
    store
        .commit(by_agent(vec![storage_set("/storage/d", 3)]))
        .unwrap();
    store.checkpoint(true, at(LATER)).unwrap();
    assert_eq!(
        file(&disk, STORAGE),
        Some(json!({"a": {"b": 1}, "c": 2, "d": 3}))
    );
    let state = store.state().clone();
    drop(store);
    let (store, notices) = open(&disk.power_cut(3), LATER + 1);
    assert_eq!((store.state(), notices.len()), (&state, 0));
}

#[test]
fn five_megabytes_are_stored_and_read_back() {
    let disk = SimDisk::new(1);
    let (mut store, _) = open(&disk, LATER);
    let big = "\u{8a9e} \"quoted\"\n".repeat(420_000);
    assert!(big.len() > 5_000_000);
    store
        .commit(by_agent(vec![storage_set("/storage/big", big.clone())]))
        .unwrap();
    let parts = StorePath::parse("/storage/big").unwrap().parts().to_vec();
    for image in [disk.process_crash(), disk.power_cut(1)] {
        let (store, _) = open(&image, LATER);
        assert_eq!(store.state().storage.value(&parts), Some(json!(big)));
    }
    store.checkpoint(true, at(LATER)).unwrap();
    let (store, _) = open(&disk.power_cut(2), LATER);
    assert_eq!(store.state().storage.value(&parts), Some(json!(big)));
}

/// A past with a checkpoint in its middle, storage before and after it, and files at rest.
fn past(clean: bool) -> (SimDisk, State) {
    let disk = SimDisk::new(5);
    let (mut store, _) = open(&disk, LATER);
    store
        .commit(by_agent(vec![
            storage_set("/storage/old", "kept"),
            set("k", "v"),
        ]))
        .unwrap();
    store.checkpoint(false, at(LATER)).unwrap();
    store
        .commit(by_agent(vec![storage_set(
            "/storage/new",
            json!({"deep": 1}),
        )]))
        .unwrap();
    if clean {
        store.checkpoint(true, at(LATER)).unwrap();
    }
    let state = store.state().clone();
    (disk, state)
}

/// Whatever became of a file, the tree is as it was; what is not ours is kept and said, once.
#[test]
fn a_file_at_rest_that_is_not_as_written_is_put_aside_and_made_again() {
    let damages: [(&str, Option<&[u8]>); 6] = [
        ("missing", None),
        ("empty", Some(b"")),
        ("NUL", Some(&[0; 40])),
        ("torn", Some(b"{\n  \"old\": \"ke")),
        ("foreign", Some(b"[1]\n")),
        ("edited", Some(b"{\"mine\": \"token\"}\n")),
    ];
    for clean in [true, false] {
        for name in [STORAGE, KEYS] {
            for (damage, bytes) in damages {
                let what = format!("{name} {damage}, clean {clean}");
                let (disk, state) = past(clean);
                match bytes {
                    Some(bytes) => disk.plant(path(name), bytes),
                    None => disk.uproot(path(name)),
                }
                let read = read_state(&mut disk.clone(), path(KV)).unwrap();
                assert_eq!(read, state, "{what}");
                let (mut store, notices) = open(&disk, LATER + 9);
                assert_eq!(store.state(), &state, "{what}");
                let is_lost = clean || name == STORAGE;
                if is_lost || damage != "missing" && damage != "empty" && damage != "NUL" {
                    assert_eq!(notices.len(), 1, "{what}: {notices:?}");
                    assert!(notices[0].contains(name), "{what}: {notices:?}");
                }
                if matches!(damage, "foreign" | "edited" | "torn") {
                    let kept = disk.files().into_iter().any(|(kept, held)| {
                        kept.starts_with("data/quarantine") && Some(held.as_slice()) == bytes
                    });
                    assert!(kept, "{what}");
                }
                store.checkpoint(true, at(LATER + 10)).unwrap();
                assert_eq!(
                    disk.files()[path(STORAGE)],
                    state.storage.to_file(),
                    "{what}"
                );
                assert_eq!(
                    disk.files()[path(KEYS)],
                    state.main.keys.to_file(),
                    "{what}"
                );
                drop(store);
                let (store, notices) = open(&disk, LATER + 20);
                assert_eq!((store.state(), notices), (&state, vec![]), "{what}");
            }
        }
    }
}

#[test]
fn a_persons_edit_of_a_file_at_rest_is_kept_aside_and_said() {
    for name in [STORAGE, KEYS] {
        let (disk, state) = past(true);
        let (mut store, _) = open(&disk, LATER + 1);
        let good = disk.files()[path(name)].clone();
        disk.plant(path(name), b"{\"mine\": 1}\n");
        let mut notices = Vec::new();
        for round in 1..4 {
            let report = store.take_edits(at(LATER + round * DAY_MS)).unwrap();
            notices.extend(report.notices);
        }
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(
            notices[0].contains(name) && notices[0].contains(".broken-"),
            "{notices:?}"
        );
        assert_eq!(store.state(), &state);
        assert_eq!(disk.files()[path(name)], good);
        // One that is gone comes back.
        disk.uproot(path(name));
        let report = store.take_edits(at(LATER + 9 * DAY_MS)).unwrap();
        let more = store.take_edits(at(LATER + 10 * DAY_MS)).unwrap();
        assert_eq!(report.notices.len() + more.notices.len(), 1);
        assert_eq!(disk.files()[path(name)], good);
    }
}

/// Many megabytes live on when the segments that hold them go, in lines that stay short.
#[test]
fn what_only_retired_segments_held_of_storage_is_carried() {
    let mut disk = SimDisk::new(9);
    let mut options = options();
    (options.segment_bytes, options.retention_days) = (1_000_000, 1);
    let (mut store, _) = try_open(&disk, &options, at(LATER)).unwrap();
    store.read_notes(at(LATER)).unwrap();
    for number in 0..60 {
        let value = number.to_string().repeat(50_000);
        let event = storage_set(&format!("/storage/f{}/k{number}", number % 7), value);
        let mut draft = by_agent(vec![event]);
        draft.ts = at(LATER);
        store.commit(draft).unwrap();
    }
    let later = LATER + 9 * DAY_MS;
    let mut last = by_agent(vec![
        storage_set("/storage/f1/k1", "new"),
        storage_set("/storage/e", json!({})),
    ]);
    last.ts = at(later);
    store.commit(last).unwrap();
    store.take_edits(at(later)).unwrap();
    let state = store.state().clone();
    assert!(store.retire(at(later)).unwrap().unwrap() > 2);
    assert_eq!(store.state(), &state);
    let longest = disk
        .files()
        .into_iter()
        .filter(|(name, _)| name.starts_with("data/journal/0"))
        .flat_map(|(_, bytes)| {
            bytes
                .split(|it| *it == b'\n')
                .map(<[u8]>::len)
                .collect::<Vec<_>>()
        })
        .max();
    assert!(longest < Some(1_500_000), "{longest:?}");
    // The journal that is kept tells all of it.
    disk.uproot(path("data/journal/checkpoint.json"));
    disk.uproot(path(STORAGE));
    let read = read_state(&mut disk, path(KV)).unwrap();
    assert_eq!(read, state);
}

/// Where carried places are all that the kept journal says of the tree, a lost checkpoint loses
/// nothing: neither at the next start nor at the one after.
#[test]
fn what_was_carried_outlives_a_lost_checkpoint() {
    let disk = SimDisk::new(9);
    let mut options = options();
    (options.segment_bytes, options.retention_days) = (4096, 1);
    let (mut store, _) = try_open(&disk, &options, at(LATER)).unwrap();
    store.read_notes(at(LATER)).unwrap();
    let mut first = by_agent(vec![storage_set("/storage/a/b", "kept")]);
    first.ts = at(LATER);
    store.commit(first).unwrap();
    // Its file is written now and never again, so no line that is kept names it.
    store.checkpoint(false, at(LATER)).unwrap();
    let later = LATER + 9 * DAY_MS;
    for day in 1..10 {
        let mut draft = by_agent(vec![set("plan", day.to_string().repeat(5000))]);
        draft.ts = at(LATER + day * DAY_MS);
        store.commit(draft).unwrap();
    }
    store.retire(at(later)).unwrap().unwrap();
    store.checkpoint(true, at(later)).unwrap();
    let tree = store.state().storage.clone();
    drop(store);
    disk.uproot(path("data/journal/checkpoint.json"));
    for start in 1..4 {
        let (mut store, _) = try_open(&disk, &options, at(later + start)).unwrap();
        store.read_notes(at(later + start)).unwrap();
        assert_eq!(store.state().storage, tree, "start {start}");
        store.checkpoint(true, at(later + start)).unwrap();
    }
}

/// A copy of another view is no tree, although its bytes are known.
#[test]
fn the_bytes_of_another_view_are_not_taken_for_the_tree() {
    for (name, clean) in [(KEYS, true), (KEYS, false), (KV, true), (KV, false)] {
        let (disk, state) = past(clean);
        let other = disk.files()[path(name)].clone();
        disk.plant(path(STORAGE), &other);
        let (store, notices) = open(&disk, LATER + 1);
        assert_eq!(store.state().storage, state.storage, "{name}, {clean}");
        assert_eq!(notices.len(), 1, "{name}, {clean}: {notices:?}");
        assert_eq!(disk.files()[path(STORAGE)], state.storage.to_file());
    }
}

#[test]
fn the_key_directory_lists_what_the_stores_hold() {
    let disk = SimDisk::new(1);
    let (mut store, _) = open(&disk, LATER);
    let archived = Event::Change(crate::store_lab::approve(|guard| {
        guard
            .storage_set(&Storage::default(), &StorePath::archive("away"), json!("x"))
            .unwrap()
    }));
    store
        .commit(by_agent(vec![
            set("here", "v"),
            archived,
            storage_set("/storage/own", 1),
        ]))
        .unwrap();
    store
        .commit(by_agent(vec![
            crate::store_lab::ram_delete("here"),
            set("there", 1),
        ]))
        .unwrap();
    store.checkpoint(true, at(LATER)).unwrap();
    let keys = file(&disk, KEYS).unwrap();
    let layers: Vec<(&String, &Value)> = keys["keys"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, entry)| (key, &entry["layer"]))
        .collect();
    let expected = [
        ("away".to_owned(), json!("storage")),
        ("own".to_owned(), json!("storage")),
        ("there".to_owned(), json!("ram")),
    ];
    assert_eq!(
        layers,
        expected
            .iter()
            .map(|(key, layer)| (key, layer))
            .collect::<Vec<_>>()
    );
    for member in ["tags", "related", "last_use", "created_at", "updated_at"] {
        assert!(keys["keys"]["there"].get(member).is_some(), "{member}");
    }
}
