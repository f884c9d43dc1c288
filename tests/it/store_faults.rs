//! A fixed life of a root with a fault of the disk at every one of its calls: a full disk is waited
//! out, anything else stops the store for good, and whatever was acknowledged is there afterwards.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use crate::sim_disk::{Deed as Call, Fault, SimDisk};
use crate::store_lab::{
    at, by_agent, create, delete, note_id, note_path, options, path, set, sha256, storage_set,
    try_open,
};
use crate::store_simulation::{
    Deed, Image, Life, check, check_but_views, difference, recover, whole_life,
};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::failure::Failure;
use kjxlkj_agent::store::disk::Disk as _;
use kjxlkj_agent::store::inbox::InboxWatch;
use kjxlkj_agent::store::{Error, Store, read_state, verify};
use kjxlkj_agent::time::DAY_MS;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that a root goes through in a week, in a fixed order.
const WEEK: [Deed; 31] = [
    Deed::ReadNotes,
    Deed::Iterate,
    Deed::Iterate,
    Deed::TakeEdits,
    Deed::EditKv,
    Deed::TakeEdits,
    Deed::UserWrites,
    Deed::Iterate,
    Deed::TakeEdits,
    Deed::EditNote,
    Deed::DropStranger,
    Deed::TakeEdits,
    Deed::BreakKv,
    Deed::TakeEdits,
    Deed::DropRequest,
    Deed::DropRequest,
    Deed::DropRequest,
    Deed::TakeInbox,
    Deed::Checkpoint,
    Deed::Iterate,
    Deed::Retire,
    Deed::Iterate,
    Deed::Stop,
    Deed::EditKv,
    Deed::EditNote,
    Deed::Iterate,
    Deed::TakeEdits,
    Deed::Iterate,
    Deed::Die,
    Deed::Retire,
    Deed::Iterate,
];

/// How often a disk is found full before somebody frees some room.
const WAITS: u32 = 3;

fn week() -> Life {
    Life::scripted(11, &WEEK)
}

/// The fault-free week: its states, its life, and what each call was for.
fn quiet_week() -> (BTreeMap<u64, State>, Life) {
    whole_life(week()).unwrap()
}

/// What the journal tells, save what depends on how often something was tried.
fn facts(life: &Life) -> Vec<(String, String)> {
    let repeated = [
        "views.written",
        "state.carried",
        "note.carried",
        "storage.carried",
        "keys.carried",
    ];
    life.facts()
        .into_iter()
        .filter(|(name, _)| !repeated.contains(&name.as_str()))
        .collect()
}

fn exit_of(error: Error) -> u8 {
    Failure::from(error).exit().number()
}

/// What the week meets everywhere.
#[test]
fn the_week_holds_everything_that_a_disk_can_refuse() {
    let (_, life) = quiet_week();
    let deeds = life.disk.deeds();
    for call in [Call::Write, Call::Remove, Call::Secure] {
        assert!(deeds.iter().filter(|it| **it == call).count() > 9);
    }
    let facts = facts(&life);
    let stranger = |data: &String| data.contains("\"title\":\"stranger\"");
    for name in [
        "run.queued",
        "edit.refused",
        "request.refused",
        "note.updated",
    ] {
        assert!(facts.iter().any(|(it, _)| it == name), "{name}: {facts:?}");
    }
    assert!(
        facts
            .iter()
            .any(|(name, data)| name == "note.created" && stranger(data))
    );
    let files = life.disk.files();
    assert!(!files.contains_key(path("data/journal/00000001.jsonl")));
    for folder in ["done", "rejected"] {
        let folder = Path::new("data/inbox").join(folder);
        assert!(files.keys().any(|name| name.starts_with(&folder)));
    }
}

/// Whatever finds no room is waited out. Meanwhile all can be read; afterwards
/// nothing is missing and nothing is there twice.
#[test]
fn a_full_disk_at_any_call_is_waited_out() {
    let (_, quiet) = quiet_week();
    let expected = facts(&quiet);
    let kinds: [(&str, &[(Fault, bool)]); 5] = [
        ("full once", &[(Fault::Full, false)]),
        ("full", &[(Fault::Full, true)]),
        (
            "short write",
            &[(Fault::FullAfter(7), false), (Fault::Full, true)],
        ),
        ("quota", &[(Fault::Quota, false)]),
        ("file size", &[(Fault::TooBig, true)]),
    ];
    for (kind, faults) in kinds {
        for (at_call, deed) in (1..).zip(quiet.disk.deeds()) {
            // All kinds of no room take one way; the last two are only told apart by their number.
            let sparse = matches!(kind, "quota" | "file size") && at_call % 5 > 0;
            if deed == Call::Write && !sparse {
                let what = format!("{kind} at call {at_call}");
                let life = live_through(faults, at_call, &what);
                let same = life.state() == quiet.state();
                assert!(same, "{what}: {}", difference(life.state(), quiet.state()));
                assert_eq!(facts(&life), expected, "{what}");
                if kind != "short write" {
                    continue;
                }
                let full = BTreeMap::from([(life.acknowledged, life.state().clone())]);
                check(&life, &Image::Power(at_call).of(&life.disk), &full)
                    .unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
            }
        }
    }
}

/// The week on a disk that is full from some call on, until it has been waited for.
fn live_through(faults: &[(Fault, bool)], at_call: u64, what: &str) -> Life {
    let mut life = week();
    for (fault, sticky) in faults {
        life.disk.fail_call(at_call, *fault, *sticky);
    }
    let mut waits = 0;
    life.live_on(&mut |life, error| {
        assert!(error.is_full(), "{what}: {error}");
        waits += 1;
        if waits == WAITS {
            life.disk.heal();
        }
        assert!(waits <= WAITS, "{what}: {error}");
        if let Some(store) = &life.store {
            let mut reader = life.disk.clone();
            let read = read_state(&mut reader, path(crate::store_lab::KV)).unwrap();
            assert!(!store.state().notes.is_complete() || read == *store.state());
        }
        Ok(())
    })
    .unwrap_or_else(|error| panic!("{what}: {error}"));
    life.disk.heal();
    let now = at(life.now_ms);
    life.store().settle().unwrap();
    life.store().read_notes(now).unwrap();
    life
}

/// After any other failed write, sync or cut nothing is written any more, the error ends
/// the program with 74, and the next start finds everything that was acknowledged.
#[test]
fn any_other_error_stops_the_store_for_good() {
    let (full, quiet) = quiet_week();
    let kinds = [
        ("broken", Fault::Broken, Call::Write),
        ("broken", Fault::Broken, Call::Remove),
        ("broken", Fault::Broken, Call::Secure),
        ("broken", Fault::Broken, Call::SecureNames),
        ("no room at the sync", Fault::FullAtSync, Call::Secure),
        ("no room at the sync", Fault::FullAtSync, Call::SecureNames),
    ];
    for (kind, fault, struck) in kinds {
        for (at_call, deed) in (1..).zip(quiet.disk.deeds()) {
            let sparse = fault == Fault::FullAtSync && at_call % 5 > 0;
            if deed != struck || sparse {
                continue;
            }
            let mut life = week();
            life.disk.fail_call(at_call, fault, false);
            let error = life.live().unwrap_err();
            let after = &life.script[..(life.steps + 1).min(life.script.len())];
            let what = format!("{kind} at call {at_call}, {deed:?}, {after:?}: {error}");
            assert!(!error.is_full(), "{what}");
            assert_eq!(exit_of(error), 74, "{what}");
            assert_eq!(life.disk.calls(), at_call, "{what}: it went on");
            assert_stopped(&mut life, &what);
            check(&life, &Image::Power(at_call).of(&life.disk), &full)
                .unwrap_or_else(|wrong| panic!("{what}, power cut: {wrong}"));
            // The system goes on, and has forgotten what a sync could not write. Of a folder that
            // it failed to write nothing can be asked again; file systems end with that.
            let again = Image::Process.of(&life.disk);
            let checked = match struck {
                Call::SecureNames => recover(&life, &again, &full).map(drop),
                Call::Write | Call::Remove | Call::Secure | Call::SecureAll => {
                    check_but_views(&life, &again, &full)
                }
            };
            checked.unwrap_or_else(|wrong| panic!("{what}, restart: {wrong}"));
        }
    }
}

/// The many notes of an import are made safe at once. A cut at any moment loses none of them, and
/// a failure ends the store for good.
#[test]
fn many_notes_are_made_safe_at_once() {
    const NOTES: u64 = 300;
    let write = || {
        let disk = SimDisk::new(7);
        let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
        store.read_notes(at(1)).unwrap();
        let note = |number| create(note_id(number), &format!("Note {number}"), "imported");
        store
            .commit(by_agent((1..=NOTES).map(note).collect()))
            .unwrap();
        (disk, store)
    };
    let (disk, mut store) = write();
    let before = disk.calls();
    store.checkpoint(false, at(2)).unwrap();
    let state = store.state().clone();
    let (files, after) = (disk.files(), disk.calls());
    let deeds = disk.deeds().split_off(usize::try_from(before).unwrap());
    let count = |wanted| deeds.iter().filter(|deed| **deed == wanted).count();
    assert_eq!(count(Call::SecureAll), 1);
    assert!(count(Call::Secure) < 5, "not each note by itself");
    for seed in 0..20 {
        let left = disk.power_cut(seed).files();
        for number in 1..=NOTES {
            let name = note_path(note_id(number));
            assert_eq!(left.get(&name), files.get(&name), "seed {seed}");
        }
    }
    for call in before + 1..=after {
        let (disk, mut store) = write();
        disk.crash_at_call(call);
        store.checkpoint(false, at(2)).unwrap_err();
        let again = disk.power_cut(call);
        let (mut store, _) = try_open(&again, &options(), at(3)).unwrap();
        store.read_notes(at(3)).unwrap();
        assert!(*store.state() == state, "dead at call {call}");
    }
    let at_once = deeds.iter().position(|deed| *deed == Call::SecureAll);
    let at_once = before + 1 + u64::try_from(at_once.unwrap()).unwrap();
    for fault in [Fault::Broken, Fault::FullAtSync] {
        let (disk, mut store) = write();
        disk.fail_call(at_once, fault, false);
        let error = store.checkpoint(false, at(2)).unwrap_err();
        assert_eq!(exit_of(error), 74, "{fault:?}");
        disk.heal();
        let calls = disk.calls();
        store.checkpoint(false, at(3)).unwrap_err();
        assert_eq!(disk.calls(), calls, "{fault:?}: it went on");
        let again = disk.power_cut(1);
        let (mut store, _) = try_open(&again, &options(), at(4)).unwrap();
        store.read_notes(at(4)).unwrap();
        assert!(*store.state() == state, "{fault:?}");
    }
}

/// Nothing reaches a disk that works again, whatever the store is asked to do.
fn assert_stopped(life: &mut Life, what: &str) {
    life.disk.heal();
    let (calls, files) = (life.disk.calls(), life.disk.files());
    let now = at(life.now_ms + DAY_MS);
    let Some(store) = &mut life.store else { return };
    let error = store.commit(by_agent(vec![set("late", "x")])).unwrap_err();
    assert!(!error.is_full(), "{what}: {error}");
    assert_eq!(exit_of(error), 74, "{what}");
    let mut watch = InboxWatch::default();
    let tried = [
        store.settle(),
        store.take_edits(now).map(drop),
        store.read_notes(now).map(drop),
        store.inbox().take_requests(&mut watch, now, 9).map(drop),
        store.retire(now).map(drop),
        store.checkpoint(true, now),
    ];
    let full = tried
        .iter()
        .find(|it| it.as_ref().is_err_and(Error::is_full));
    assert!(full.is_none(), "{what}: {full:?}");
    assert_eq!(life.disk.calls(), calls, "{what}: a call reached the disk");
    assert!(life.disk.files() == files, "{what}: something was written");
}

/// A file that cannot be read is never taken for an empty one. The week goes on as it was,
/// or ends with an error that names it; nothing is lost either way.
#[test]
fn a_device_that_fails_to_read_loses_nothing() {
    let (full, quiet) = quiet_week();
    for question in 1..=quiet.disk.questions() {
        let mut life = week();
        life.disk.fail_question(question);
        let what = match life.live() {
            Ok(()) => {
                assert!(life.state() == quiet.state(), "question {question}");
                continue;
            }
            Err(error) => format!("question {question}: {error}"),
        };
        assert!(what.contains("os error 5"), "{what}");
        check(&life, &Image::Process.of(&life.disk), &full)
            .unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
    }
}

/// A start that meets an error can be made again, whatever it had done.
#[test]
fn a_start_that_fails_at_any_call_is_repeated() {
    let (_, mut life) = quiet_week();
    let now = at(life.now_ms + DAY_MS);
    // Something for the start to do: a torn end, a damaged checkpoint, no KV file.
    life.store = None;
    let last = life.disk.files().into_keys().rfind(|name| {
        name.extension().is_some_and(|it| it == "jsonl") && name.starts_with("data/journal")
    });
    let mut disk = life.disk.clone();
    disk.append(&last.unwrap(), b"{\"v\":1,\"seq\":").unwrap();
    life.disk.plant(path(crate::store_lab::CHECKPOINT), b"{}");
    life.disk.uproot(path(crate::store_lab::KV));
    let trial = life.disk.process_crash();
    let (store, notices) = try_open(&trial, &life.options, now).unwrap();
    let (state, calls) = (store.state().clone(), trial.calls());
    assert_eq!(notices.len(), 2, "{notices:?}");
    for call in 1..=calls {
        for fault in [
            Fault::Broken,
            Fault::Full,
            Fault::FullAfter(3),
            Fault::FullAtSync,
        ] {
            for cut in [None, Some(call)] {
                let trial = life.disk.process_crash();
                trial.fail_call(call, fault, false);
                drop(try_open(&trial, &life.options, now));
                let again = cut.map_or_else(|| trial.process_crash(), |seed| trial.power_cut(seed));
                let (store, _) = try_open(&again, &life.options, now)
                    .unwrap_or_else(|error| panic!("{fault:?} at call {call}: {error}"));
                assert!(*store.state() == state, "{fault:?} at call {call}");
            }
        }
    }
}

/// A person who saves a view in the very moment in which it is synced stops nothing. The view
/// is synced another time, and the journal is a stricter matter.
#[test]
fn a_view_that_is_replaced_while_it_is_synced_stops_nothing() {
    let disk = SimDisk::new(1);
    let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
    store.read_notes(at(1)).unwrap();
    store.checkpoint(false, at(1)).unwrap();
    let syncs = |disk: &SimDisk, from: usize| {
        let deeds = disk.deeds().into_iter().skip(from);
        deeds.filter(|deed| *deed == Call::Secure).count()
    };
    store.commit(by_agent(vec![set("plan", "1")])).unwrap();
    disk.fail_call(disk.calls() + 1, Fault::Replaced, false);
    let mut counts = Vec::new();
    for _ in 0..3 {
        let from = disk.deeds().len();
        store.checkpoint(false, at(2)).unwrap();
        counts.push(syncs(&disk, from));
    }
    assert_eq!(counts, [2, 2, 1], "view and checkpoint, until it is safe");
    store.commit(by_agent(vec![set("plan", "2")])).unwrap();
    disk.fail_call(disk.calls() + 2, Fault::Replaced, false);
    store.commit(by_agent(vec![set("plan", "3")])).unwrap_err();
    disk.heal();
    store.commit(by_agent(vec![set("plan", "4")])).unwrap_err();
}

/// One failing look at a file behind a commit: the commit stands and is called made, nothing is written over
/// it, and whatever is read afterwards is what the journal alone says.
#[test]
fn a_look_that_fails_behind_a_commit_parts_nothing_from_the_journal() {
    const NOTES: u64 = 12;
    let write = || {
        let disk = SimDisk::new(5);
        let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
        store.read_notes(at(1)).unwrap();
        let note = |number| create(note_id(number), &format!("Note {number}"), "text");
        let notes = (1..=NOTES).map(note).collect();
        store.commit(by_agent(notes)).unwrap();
        store.checkpoint(false, at(2)).unwrap();
        (disk, store)
    };
    let take_away = |store: &mut Store| {
        let deleted = store.state().notes.iter().map(delete).collect();
        store.commit(by_agent(deleted))
    };
    let (disk, mut store) = write();
    let before = disk.questions();
    take_away(&mut store).unwrap();
    let after = disk.questions();
    assert!(after - before > 2 * NOTES, "each file is looked at");
    let mut behind = 0;
    for question in before + 1..=after {
        let (disk, mut store) = write();
        let head = store.head();
        disk.fail_question(question);
        let outcome = take_away(&mut store);
        let is_made = store.head() != head;
        if let Err(error) = outcome {
            behind += u64::from(is_made);
            let says_made = error.to_string().contains("the change is made");
            assert_eq!(says_made, is_made, "question {question}: {error}");
            assert_eq!(exit_of(error), 74, "question {question}");
            // A verb ends in good order, whatever came before.
            store.checkpoint(true, at(3)).unwrap_err();
        }
        drop(store);
        assert!(verify(&mut disk.clone()).unwrap().ok, "question {question}");
        let told = read_state(&mut disk.clone(), path(crate::store_lab::KV)).unwrap();
        let alone = disk.process_crash();
        alone.uproot(path(crate::store_lab::CHECKPOINT));
        let alone = read_state(&mut alone.clone(), path(crate::store_lab::KV)).unwrap();
        assert!(told.notes == alone.notes, "question {question}");
        let (mut store, _) = try_open(&disk, &options(), at(4)).unwrap();
        store.read_notes(at(4)).unwrap();
        let left = store.state().notes.iter().count();
        let expected = if is_made {
            0
        } else {
            usize::try_from(NOTES).unwrap()
        };
        assert_eq!(left, expected, "question {question}");
    }
    assert!(behind > NOTES, "{behind}");
}

/// A checkpoint that says something else than the journal is found, also where both are whole.
#[test]
fn verify_compares_the_checkpoint_with_the_journal() {
    let disk = SimDisk::new(5);
    let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
    store.read_notes(at(1)).unwrap();
    let notes = (1..=3).map(|number| create(note_id(number), "One", "text"));
    let events = notes.chain([set("plan", "as planned")]).collect();
    store.commit(by_agent(events)).unwrap();
    store.checkpoint(true, at(2)).unwrap();
    drop(store);
    assert!(verify(&mut disk.clone()).unwrap().ok);
    let checkpoint = path(crate::store_lab::CHECKPOINT);
    let whole = String::from_utf8(disk.files()[checkpoint].clone()).unwrap();
    let (body, _) = whole.rsplit_once(",\"digest\":").unwrap();
    let (id, other) = (note_id(2).to_string(), note_id(9).to_string());
    let last = body.rfind(&format!("\"{id}\"")).unwrap();
    let entry = &body[last..=last + body[last..].find(',').unwrap()];
    for (said, changed) in [
        (format!("note {id}"), body.replace(entry, "")),
        (
            format!("note {other}"),
            body.replace(entry, &format!("{entry}{}", entry.replace(&id, &other))),
        ),
        ("RAM".to_owned(), body.replace("as planned", "otherwise")),
    ] {
        assert_ne!(changed, body);
        let digest = sha256(changed.as_bytes());
        disk.plant(
            checkpoint,
            format!("{changed},\"digest\":\"{digest}\"}}\n").as_bytes(),
        );
        let verified = verify(&mut disk.clone()).unwrap();
        let bad = verified
            .first_bad
            .clone()
            .unwrap_or_else(|| panic!("{said}: {verified:?} {changed}"));
        assert!(!verified.ok);
        assert_eq!(bad.segment, "checkpoint.json");
        assert!(bad.reason.contains(&said), "{}", bad.reason);
    }
}

/// A journal that another program cut or added to is not written any more: what would be appended to it
/// could never be read again.
#[test]
fn a_journal_that_another_program_changed_is_not_added_to() {
    let first = path("data/journal/00000001.jsonl");
    for change in ["cut", "added to", "emptied"] {
        let disk = SimDisk::new(5);
        let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
        store.commit(by_agent(vec![set("plan", "1")])).unwrap();
        let mut other = disk.clone();
        let bytes = disk.files()[first].len();
        match change {
            "cut" => other
                .truncate(first, u64::try_from(bytes - 1).unwrap())
                .unwrap(),
            "emptied" => other.truncate(first, 0).unwrap(),
            _ => other.append(first, b"{}\n").unwrap(),
        }
        let left = disk.files()[first].clone();
        let error = store.commit(by_agent(vec![set("plan", "2")])).unwrap_err();
        assert!(
            error.to_string().contains("another program"),
            "{change}: {error}"
        );
        assert_eq!(exit_of(error), 74, "{change}");
        store.commit(by_agent(vec![set("plan", "3")])).unwrap_err();
        assert_eq!(disk.files()[first], left, "{change}");
    }
}

/// A start that fails behind the commit of its own recovery speaks of no change that is made: whoever
/// asked for one would take it for theirs.
#[test]
fn a_start_that_fails_behind_its_own_commit_calls_no_change_made() {
    let first = path("data/journal/00000001.jsonl");
    let torn = || {
        let disk = SimDisk::new(5);
        let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
        let events = vec![set("plan", "1"), storage_set("/storage/tin", "red")];
        store.commit(by_agent(events)).unwrap();
        drop(store);
        disk.clone().append(first, b"{\"v\":1,").unwrap();
        disk.process_crash()
    };
    let disk = torn();
    let lines = |disk: &SimDisk| disk.files()[first].split(|byte| *byte == b'\n').count();
    let (store, _) = try_open(&disk, &options(), at(2)).unwrap();
    drop(store);
    let (calls, whole) = (disk.calls(), lines(&disk));
    let mut behind = 0;
    for call in 1..=calls {
        let disk = torn();
        disk.fail_call(call, Fault::Broken, false);
        let Err(error) = try_open(&disk, &options(), at(2)) else {
            continue;
        };
        behind += usize::from(lines(&disk) == whole);
        let said = error.to_string();
        assert!(!said.contains("the change is made"), "call {call}: {said}");
        assert_eq!(exit_of(error), 74, "call {call}");
    }
    assert!(behind > 2, "{behind}");
}
