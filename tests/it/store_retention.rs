//! Retention: old segments go whole, and nothing that lives goes with them. The journal that is
//! kept tells everything by itself, whatever moment the process dies at.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::ram_add;
use crate::lab::{Lab, Seen, live, stop_after};
use crate::peer::{Peer, Step};
use crate::sim_disk::{Fault, SimDisk};
use crate::store_lab::{
    CHECKPOINT, KV, approve, at, by_agent, check_views, create, delete, draft, edit_member, ended,
    iteration, journal_lines, note_id, options, path, queued, ram_delete, segment_number,
    segment_numbers, set, started, try_open, update, workspace,
};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::guard::NoteEdit;
use kjxlkj_agent::core::journal::{ActorType, Cause, CommitDraft, Event, State};
use kjxlkj_agent::core::notes::Issue;
use kjxlkj_agent::core::notes::{OrganizeOffer, OrganizeScan, OrganizeTask, ShownNote};
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{Clock as _, LockedRoot};
use kjxlkj_agent::ids::RunId;
use kjxlkj_agent::limits::JOURNAL_LINE_BYTES_MAX;
use kjxlkj_agent::provider::{Sleeper as _, connect};
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::store::{
    Error, Options, RunQuery, Store, audit_entries, head_of, note_history, read_state,
    run_with_audit, runs_page, verify,
};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

const RETENTION_DAYS: i64 = 10;

/// The `n`th day of a root.
fn day(n: i64) -> Timestamp {
    at(1_700_000_000_000 + n * DAY_MS)
}

fn short() -> Options {
    Options {
        segment_bytes: 1500,
        retention_days: 10,
        log_entries_max: 1000,
        ..options()
    }
}

fn commit(store: &mut Store, now: Timestamp, events: Vec<Event>) {
    let draft = CommitDraft {
        ts: now,
        ..by_agent(events)
    };
    store.commit(draft).unwrap();
}

fn open(disk: &SimDisk, now: Timestamp) -> Store {
    let (mut store, _) = try_open(disk, &short(), now).unwrap();
    store.read_notes(now).unwrap();
    store.take_edits(now).unwrap();
    store
}

/// The run that an event of this name opens.
fn run_of(state: &State, event: &str) -> Option<RunId> {
    let runs = state.runs.newest_first();
    runs.filter(|run| run.triggering_event_id.0 == event)
        .map(|run| run.run_id)
        .next()
}

/// A look over the notes that offered two of them.
fn look() -> OrganizeScan {
    let shown = |number| ShownNote {
        id: note_id(number),
        version: 1,
    };
    OrganizeScan {
        offers: vec![OrganizeOffer {
            chore: OrganizeTask::Alike,
            notes: vec![shown(2), shown(1)],
        }],
        next: Some(note_id(3)),
        more: true,
        rewritten: Vec::new(),
    }
}

/// Ten days of a root: one run that ended and one under way, notes that were never touched again,
/// changed, deleted; RAM that was set, set again, deleted; results and versions that were shown.
fn lived(disk: &SimDisk) -> Store {
    let mut store = open(disk, day(0));
    for n in 1..=4 {
        commit(
            &mut store,
            day(0),
            vec![create(note_id(n), &format!("n{n}"), "first")],
        );
    }
    for event in ["ended", "open"] {
        commit(&mut store, day(1), vec![queued(event), set(event, "asked")]);
        let run = run_of(store.state(), event).unwrap();
        commit(&mut store, day(1), vec![started(run)]);
        let mut step = iteration(store.state(), store.state().runs.get(run).unwrap());
        if let Event::IterationDone(done) = &mut step {
            done.look = Some(look());
        }
        commit(&mut store, day(2), vec![step, set("gone", 1)]);
        if event == "ended" {
            commit(&mut store, day(2), vec![ended(run)]);
        }
    }
    let note = |store: &Store, n| store.state().notes.get(note_id(n)).cloned().unwrap();
    let (second, third) = (note(&store, 2), note(&store, 3));
    commit(&mut store, day(3), vec![delete(&third), ram_delete("gone")]);
    commit(
        &mut store,
        day(9),
        vec![update(&second, "second"), set("late", "x")],
    );
    let user = draft(
        ActorType::User,
        Cause::plain("verb"),
        vec![set("by_hand", "y")],
    );
    store
        .commit(CommitDraft {
            ts: day(10),
            ..user
        })
        .unwrap();
    store
}

/// The time of the last commit in each segment, by an independent reader.
fn last_times(disk: &SimDisk) -> BTreeMap<u32, String> {
    let files = disk.files().into_iter();
    let times = files.filter_map(|(name, bytes)| {
        let number = segment_number(&name)?;
        let text = String::from_utf8(bytes).unwrap();
        let ts = text.lines().last()?.split("\"ts\":\"").nth(1)?;
        Some((number, ts.split('"').next().unwrap().to_owned()))
    });
    times.collect()
}

/// Checks that a journal without its checkpoint gives this state, to a reader and to a start.
fn check_rebuild(disk: &SimDisk, state: &State, now: Timestamp) {
    let image = disk.process_crash();
    image.uproot(path(CHECKPOINT));
    let read = read_state(&mut image.clone(), path(KV)).unwrap();
    assert!(read == *state, "read {read:?}\nexpected {state:?}");
    let store = open(&image, now);
    assert!(*store.state() == *state);
    assert!(verify(&mut image.clone()).unwrap().ok);
    check_views(&image, state).unwrap();
}

#[test]
fn retention_removes_whole_old_segments_and_nothing_that_lives() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let (before, state) = (last_times(&disk), store.state().clone());
    assert!(before.len() > 6, "{before:?}");
    let now = day(RETENTION_DAYS + 3);
    let retired = store.retire(now).unwrap().unwrap();
    assert!(*store.state() == state);
    assert_eq!(state.organizing.offered, look().offers);
    assert_eq!((state.organizing.changes, state.organizing.more), (2, true));
    // Those whose last commit is older than the horizon, in one row from the first.
    let horizon = day(3).to_string();
    let old = before.values().take_while(|ts| **ts < horizon).count();
    assert!(old > 2 && old < before.len() - 1, "{horizon} {before:?}");
    assert_eq!(usize::try_from(retired).unwrap(), old);
    let kept: Vec<u32> = before.keys().copied().skip(old).collect();
    assert!(segment_numbers(&disk).starts_with(&kept), "{kept:?}");
    check_rebuild(&disk, &state, now);
    check_rebuild(&disk.power_cut(3), &state, now);
    // A second look finds nothing more to do.
    let seq = store.head().seq;
    assert_eq!(store.retire(now).unwrap(), Some(0));
    assert_eq!(store.head().seq, seq);
}

/// Nothing is removed on the word of a store whose journal another program has changed.
#[test]
fn retention_leaves_a_journal_alone_that_another_program_has_changed() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let last = *segment_numbers(&disk).last().unwrap();
    let segment = format!("data/journal/{last:08}.jsonl");
    let mut other = disk.clone();
    other.append(path(&segment), b"{}").unwrap();
    let before = disk.process_crash();
    let error = store.retire(day(RETENTION_DAYS + 3)).unwrap_err();
    assert!(matches!(error, Error::Journal(_)), "{error}");
    assert!(store.is_stopped());
    assert_eq!(segment_numbers(&disk), segment_numbers(&before));
}

#[test]
fn retention_counts_the_age_of_the_last_commit_to_the_millisecond() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let last = last_times(&disk).into_values().next().unwrap();
    let written = (0..11).map(day).find(|day| day.to_string() == last);
    let limit = written.unwrap().plus_millis(RETENTION_DAYS * DAY_MS);
    assert_eq!(store.retire(limit).unwrap(), Some(0));
    assert!(store.retire(limit.plus_millis(1)).unwrap() > Some(0));
}

/// A clock that runs ahead by years, or is back in 1970, at a start and for days, takes no history away.
#[test]
fn retention_does_not_trust_a_clock_that_leaps() {
    let disk = SimDisk::new(1);
    drop(lived(&disk));
    let begin = |now| {
        let options = Options {
            retention_days: 30,
            ..short()
        };
        let (mut store, _) = try_open(&disk, &options, now).unwrap();
        store.read_notes(now).unwrap();
        store.take_edits(now).unwrap();
        store
    };
    let ahead = 3660;
    let first = segment_numbers(&disk)[0];
    for n in 0..3 {
        // Each time it begins with that.
        let mut store = begin(day(ahead + n));
        assert_eq!(store.retire(day(ahead + n)).unwrap(), Some(0));
        commit(&mut store, day(ahead + n), vec![set("day", n)]);
        assert_eq!(store.retire(day(ahead + n)).unwrap(), Some(0));
    }
    let mut store = begin(day(10));
    for n in [-19_000, 11, 12] {
        commit(&mut store, day(n), vec![set("day", n)]);
        assert_eq!(store.retire(day(n)).unwrap(), Some(0));
    }
    assert_eq!(segment_numbers(&disk)[0], first);
    // Days that it lives through count, whatever the clock says.
    for n in 13..60 {
        commit(&mut store, day(n), vec![set("day", n)]);
    }
    let state = store.state().clone();
    assert!(store.retire(day(60)).unwrap() > Some(2));
    check_rebuild(&disk, &state, day(60));
}

#[test]
fn retention_again_and_again_keeps_the_journal_short_and_the_state_whole() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let mut most = 0;
    for n in 11..80 {
        let value = format!("day {n}");
        commit(&mut store, day(n), vec![set("day", value)]);
        let state = store.state().clone();
        store.retire(day(n)).unwrap();
        assert!(*store.state() == state);
        most = most.max(segment_numbers(&disk).len());
        if n % 10 == 0 {
            check_rebuild(&disk, &state, day(n));
        }
    }
    assert!(
        segment_numbers(&disk)[0] > 20,
        "{:?}",
        segment_numbers(&disk)
    );
    assert!(most < 40, "{most} segments");
    // The run that ended two months ago is still known: its event cannot open it again.
    let state = store.state().clone();
    let run = run_of(&state, "ended").unwrap();
    assert_eq!(state.runs.get(run).unwrap().state, RunState::Succeeded);
    commit(&mut store, day(80), vec![queued("ended")]);
    assert!(*store.state() == state, "an event ran twice");
}

/// A note that was deleted stays deleted, also when it had been carried before, and its file is
/// not made again.
#[test]
fn retention_does_not_bring_deleted_notes_back() {
    let mut disk = SimDisk::new(1);
    let mut store = lived(&disk);
    store.retire(day(20)).unwrap();
    let carried = |disk: &SimDisk| {
        let events = journal_lines(disk)
            .unwrap()
            .into_iter()
            .flat_map(|line| line.events);
        let carried = events.filter(|(name, _)| name == "note.carried");
        carried.map(|(_, data)| data).collect::<Vec<_>>().concat()
    };
    let id = note_id(1).to_string();
    assert!(carried(&disk).contains(&id), "it was carried");
    assert!(
        !carried(&disk).contains(&note_id(3).to_string()),
        "it was deleted before"
    );
    let note = store.state().notes.get(note_id(1)).cloned().unwrap();
    commit(&mut store, day(21), vec![delete(&note)]);
    for n in [25, 35, 50] {
        commit(&mut store, day(n), vec![set("n", n)]);
        store.retire(day(n)).unwrap();
        let state = store.state().clone();
        assert!(state.notes.get(note_id(1)).is_none());
        check_rebuild(&disk, &state, day(n));
    }
    assert!(!carried(&disk).contains(&id), "nothing of it is left");
    assert_eq!(note_history(&mut disk, note_id(1)).unwrap(), []);
}

/// Whatever call of a retirement the process dies at, or the power goes at, the next start
/// has the same state, and can retire.
#[test]
fn a_death_at_any_call_of_a_retirement_loses_nothing() {
    let disk = SimDisk::new(5);
    let store = lived(&disk);
    let state = store.state().clone();
    let head = store.head().seq;
    drop(store);
    let now = day(14);
    let retire = |disk: &SimDisk| open(disk, now).retire(now);
    let whole = disk.process_crash();
    assert!(retire(&whole).unwrap() > Some(0));
    let start = disk.process_crash();
    drop(open(&start, now));
    let mut removed = 0;
    for call in start.calls() + 1..=whole.calls() {
        let trial = disk.process_crash();
        trial.crash_at_call(call);
        retire(&trial).unwrap_err();
        let images = [1, 2, 3].map(|seed| trial.power_cut(seed * 1000 + call));
        for image in images.into_iter().chain([trial.process_crash()]) {
            let verified = verify(&mut image.clone()).unwrap();
            assert!(
                verified.ok && verified.head.seq >= head,
                "call {call}: {verified:?}"
            );
            check_rebuild(&image, &state, now);
            removed += usize::from(segment_numbers(&image)[0] > 1);
            let mut store = open(&image, now);
            assert!(*store.state() == state, "call {call}");
            store.retire(now).unwrap();
            assert_eq!(
                segment_numbers(&image)[0],
                segment_numbers(&whole)[0],
                "call {call}"
            );
            store.checkpoint(true, now).unwrap();
            check_rebuild(&image.power_cut(call), &state, now);
        }
    }
    assert!(removed > 4, "some died after the first was gone");
}

/// Segments that a power cut brought back are not read, and go with the next look.
#[test]
fn retired_segments_that_come_back_are_passed_over() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let state = store.state().clone();
    let before = disk.files();
    store.retire(day(14)).unwrap();
    let first = segment_numbers(&disk)[0];
    assert!(first > 3);
    drop(store);
    for back in [
        vec![1],
        vec![first - 1],
        vec![1, first - 1],
        (1..first).collect(),
    ] {
        let image = disk.process_crash();
        for number in &back {
            let name = format!("data/journal/{number:08}.jsonl");
            image.plant(path(&name), &before[path(&name)]);
        }
        assert!(verify(&mut image.clone()).unwrap().ok, "{back:?}");
        check_rebuild(&image, &state, day(14));
        let mut store = open(&image, day(14));
        assert!(*store.state() == state, "{back:?}");
        store.retire(day(14)).unwrap();
        assert_eq!(segment_numbers(&image)[0], first, "{back:?}");
    }
}

/// A journal that lost its beginning by anything but a retirement is not whole, also for a
/// reader that has no checkpoint to ask.
#[test]
fn a_lost_beginning_is_not_taken_for_a_retired_one() {
    let disk = SimDisk::new(1);
    drop(lived(&disk));
    disk.uproot(path(CHECKPOINT));
    disk.uproot(path("data/journal/00000001.jsonl"));
    let verified = verify(&mut disk.clone()).unwrap();
    let bad = verified.first_bad.unwrap();
    assert_eq!((bad.segment.as_str(), bad.line), ("00000002.jsonl", 1));
    assert!(try_open(&disk, &short(), day(14)).is_err());
}

/// A gap, or a line that was changed, is seen behind a retired head as anywhere else.
#[test]
fn damage_behind_a_retired_head_is_found() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    store.retire(day(14)).unwrap();
    for n in 20..26 {
        commit(&mut store, day(14), vec![create(note_id(n), "x", "x")]);
    }
    store.checkpoint(true, day(14)).unwrap();
    drop(store);
    let numbers = segment_numbers(&disk);
    assert!(numbers[0] > 1 && numbers.len() > 2);
    let name = |number: u32| format!("data/journal/{number:08}.jsonl");
    let mut gap = disk.process_crash();
    gap.uproot(path(&name(numbers[1])));
    assert!(!verify(&mut gap).unwrap().ok);
    let mut changed = disk.process_crash();
    let mut bytes = disk.files()[path(&name(numbers[0]))].clone();
    let at = bytes.iter().position(|byte| *byte == b'x').unwrap();
    bytes[at] = b'z';
    changed.plant(path(&name(numbers[0])), &bytes);
    let bad = verify(&mut changed).unwrap().first_bad.unwrap();
    assert_eq!(bad.segment, name(numbers[0])["data/journal/".len()..]);
}

/// Notes whose weight is in their issues are carried in lines of bounded length.
#[test]
fn retention_carries_heavy_notes_in_lines_that_can_be_read_back() {
    let mut disk = SimDisk::new(1);
    let mut store = lived(&disk);
    let issue = Issue {
        text: "x".repeat(4000),
        metadata: serde_json::Map::new(),
        created_at: day(2),
        open: true,
    };
    for n in 10..18 {
        commit(&mut store, day(2), vec![create(note_id(n), "heavy", "v")]);
        let mut base = store.state().notes.get(note_id(n)).unwrap().clone();
        base.issues = vec![issue.clone(); 99];
        let edit = NoteEdit {
            issue: Some(issue.clone()),
            ..NoteEdit::default()
        };
        let change = approve(|guard| guard.note_update(&base, Some(base.version), edit, at(6)));
        commit(&mut store, day(2), vec![Event::Change(change.unwrap())]);
    }
    let state = store.state().clone();
    assert!(store.retire(day(30)).unwrap() > Some(0));
    let files = disk.files();
    let segments = files
        .iter()
        .filter(|(name, _)| segment_number(name).is_some());
    let lines = segments.flat_map(|(_, bytes)| bytes.split(|byte| *byte == b'\n'));
    let longest = lines.map(<[u8]>::len).max().unwrap();
    assert!(longest < 2 * 1024 * 1024, "{longest} bytes");
    assert!(*store.state() == state);
    let read = read_state(&mut disk, path(KV)).unwrap();
    assert!(read == state);
}

/// A stranger's file under a hidden name is judged without a base: what was retired since the start
/// is not asked for.
#[test]
fn an_edit_is_judged_also_when_the_journal_of_the_start_is_retired() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    assert!(store.retire(day(14)).unwrap() > Some(0));
    let hidden = "data/.agent-kv-store.json.tmp";
    assert!(edit_member(&disk, path(KV), "new", &Value::from(1)));
    let edited = disk.files()[path(KV)].clone();
    store.take_edits(day(14)).unwrap();
    commit(&mut store, day(14), vec![ram_delete("new")]);
    store.retire(day(40)).unwrap();
    disk.plant(path(hidden), &edited);
    commit(&mut store, day(14), vec![set("late", "y")]);
    let report = store.take_edits(day(41)).unwrap();
    assert!(report.edited.ram_keys.contains("new"), "{report:?}");
    assert_eq!(store.state().main.ram.get("late"), Some(&Value::from("y")));
    assert!(!disk.files().contains_key(path(hidden)));
    let state = store.state().clone();
    check_views(&disk, &state).unwrap();
}

/// What does not fit a line cannot be carried: the journal is kept as it is, and the loop goes on.
#[test]
fn a_state_that_does_not_fit_a_line_keeps_the_journal() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    for key in ["one", "two"] {
        commit(
            &mut store,
            day(10),
            vec![set(key, "x".repeat(JOURNAL_LINE_BYTES_MAX / 2))],
        );
    }
    let before = segment_numbers(&disk);
    assert_eq!(store.retire(day(14)).unwrap(), Some(0));
    assert!(segment_numbers(&disk).starts_with(&before));
    commit(
        &mut store,
        day(14),
        vec![ram_delete("one"), ram_delete("two")],
    );
    assert!(store.retire(day(14)).unwrap() > Some(0));
}

/// The loop lets go of old segments by itself, and the journal that it keeps tells everything.
#[tokio::test]
async fn retention_is_kept_by_the_loop_while_it_idles() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&ram_add("n", &index.to_string()))
    }));
    lab.config.journal.segment_bytes = 4096;
    lab.config.journal.retention_days = 1;
    lab.config.r#loop.idle_delay_ms = 6 * 3_600_000;
    let mut agent = lab.start();
    stop_after(&lab, 24);
    live(&mut agent).await;
    agent.close().unwrap();
    let names = lab.names("data/journal");
    assert!(!names.contains(&"00000001.jsonl".to_owned()), "{names:?}");
    let state = lab.state();
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    assert!(verify(&mut disk).unwrap().ok);
    disk.remove(path(CHECKPOINT)).unwrap();
    assert!(lab.state() == state);
    assert_eq!(
        lab.runs()[0].trigger,
        Trigger::Start,
        "the first run is still known"
    );
}

/// Nothing goes before what a stop left behind has been looked at.
#[test]
fn retention_waits_while_files_are_in_doubt() {
    let mut disk = SimDisk::new(1);
    drop(lived(&disk));
    let (mut store, _) = try_open(&disk, &short(), day(14)).unwrap();
    let before = segment_numbers(&disk);
    assert_eq!(
        store.retire(day(14)).unwrap(),
        None,
        "the notes are not read yet"
    );
    store.read_notes(day(14)).unwrap();
    store.take_edits(day(14)).unwrap();
    assert_eq!(segment_numbers(&disk), before);
    assert!(store.retire(day(14)).unwrap() > Some(0));
    let audit = audit_entries(&mut disk.clone()).unwrap();
    assert!(audit.iter().all(|entry| entry.seq > 1));
    assert!(disk.stat(path(CHECKPOINT)).unwrap().is_some());
}

/// A machine that starts every day retires too, though a start asks nothing: the notes are read in
/// the wait, and a look that came too early does not count for the day.
#[tokio::test]
async fn retention_is_kept_by_a_loop_that_starts_every_day_and_sleeps() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&ram_add("n", &index.to_string()))
    }));
    lab.config.journal.segment_bytes = 4096;
    lab.config.journal.retention_days = 1;
    lab.run("fill a segment or two").await;
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    let first = "00000001.jsonl".to_owned();
    assert!(lab.names("data/journal").contains(&first));
    lab.clock.sleep(Duration::from_hours(72)).await;
    let mut agent = lab.start();
    let stop = lab.stopper();
    let waits = lab.clock.slept_ms().len();
    lab.clock.at_wait(waits + 5, move || stop.stop());
    live(&mut agent).await;
    assert!(agent.store().notes_are_read());
    let names = lab.names("data/journal");
    assert!(!names.contains(&first), "{names:?}");
    agent.close().unwrap();
}

/// No room for a retirement is no reason to try it again and again, which would fill the disk
/// with what is carried: the loop lives on, and the next start looks again.
#[tokio::test]
async fn a_retirement_without_room_is_given_up_for_the_day() {
    for call in 1..=10 {
        let mut lab = Lab::new();
        let disk = SimDisk::new(1);
        let mut store = lived(&disk);
        let run = run_of(store.state(), "open").unwrap();
        commit(&mut store, day(10), vec![ended(run)]);
        store.checkpoint(true, day(10)).unwrap();
        drop(store);
        lab.config.journal.segment_bytes = 1500;
        lab.config.journal.retention_days = 10;
        lab.config.scope.workspace_id = workspace();
        lab.config.r#loop.idle_profile = IdleProfile::Sleep;
        lab.clock.put(day(14).millis - lab.clock.now().millis);
        let first = segment_numbers(&disk)[0];
        let mut rest = async |full: bool| {
            let provider = connect(&lab.config.provider, None).unwrap();
            let held = LockedRoot::unshared(Box::new(disk.clone()));
            let mut agent = lab.start_with(held, provider);
            if full {
                disk.fail_call(disk.calls() + call, Fault::Full, true);
            }
            let (stop, waits) = (lab.stopper(), lab.clock.slept_ms().len());
            lab.clock.at_wait(waits + 5, move || stop.stop());
            live(&mut agent).await;
        };
        rest(true).await;
        let lines = journal_lines(&disk).unwrap();
        let facts = lines.iter().flat_map(|line| &line.events);
        let carried = facts.filter(|(name, _)| name == "state.carried").count();
        assert!(carried <= 1, "call {call}: carried {carried} times");
        assert_eq!(segment_numbers(&disk)[0], first, "call {call}");
        disk.heal();
        rest(false).await;
        assert!(segment_numbers(&disk)[0] > first, "call {call}");
        let seen = lab.eyes.seen();
        let waited = seen.iter().any(|it| matches!(it, Seen::Waiting(..)));
        assert!(!waited, "call {call}: {seen:?}");
    }
}

type Reader<'a> = &'a dyn Fn(&mut SimDisk) -> bool;

/// Whoever reads while segments are retired, at whatever moment that happens, reads a whole journal.
#[test]
fn retention_at_any_moment_of_a_reader_is_not_damage() {
    let disk = SimDisk::new(1);
    let mut store = lived(&disk);
    store.checkpoint(false, day(10)).unwrap();
    let before = disk.process_crash();
    assert!(store.retire(day(14)).unwrap() > Some(0));
    let state = store.state().clone();
    let run = run_of(&state, "ended").unwrap();
    let page = RunQuery {
        state: None,
        offset: 0,
        limit: 9,
    };
    let readers: [(&str, Reader<'_>); 7] = [
        ("state", &|disk| {
            read_state(disk, path(KV)).unwrap() == state
        }),
        ("head", &|disk| head_of(disk).unwrap().seq > 0),
        ("audit", &|disk| !audit_entries(disk).unwrap().is_empty()),
        ("history", &|disk| {
            !note_history(disk, note_id(1)).unwrap().is_empty()
        }),
        ("run", &|disk| run_with_audit(disk, run).unwrap().is_some()),
        ("runs", &|disk| runs_page(disk, page).unwrap().total == 2),
        ("verify", &|disk| verify(disk).unwrap().ok),
    ];
    for (name, read) in readers {
        let quiet = before.process_crash();
        assert!(read(&mut quiet.clone()), "{name}");
        for question in 1..=quiet.questions() {
            let mut trial = before.process_crash();
            trial.become_at_question(question, &disk);
            assert!(read(&mut trial), "{name} at question {question}");
        }
    }
}
