//! The inbox: what was dropped in is committed exactly once, or kept with the reason, whatever it is
//! and whatever moment the process dies at.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::record_add;
use crate::lab::{Lab, live, stop_after};
use crate::peer::{Peer, Step};
use crate::sim_disk::{Fault, SimDisk};
use crate::store_lab::{
    at, by_agent, check_views, conclude, journal_lines, options, set, try_open, work_on_inbox,
};
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{INBOX_ABANDONED_MS, INBOX_FILE_BYTES_MAX, INBOX_SETTLE_MS};
use kjxlkj_agent::store::Store;
use kjxlkj_agent::store::disk::Disk as _;
use kjxlkj_agent::store::inbox::{InboxWatch, drop_request};
use kjxlkj_agent::time::Timestamp;
use rustix::fs::{CWD, FileType, Mode};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Long after everything that the tests write.
const NOW_MS: i64 = 1_700_000_000_000;

fn later(hours: i64) -> Timestamp {
    at(NOW_MS + hours * 3_600_000)
}

fn open(disk: &SimDisk) -> Store {
    let (mut store, _) = try_open(disk, &options(), later(0)).unwrap();
    store.read_notes(later(0)).unwrap();
    store.take_edits(later(0)).unwrap();
    store
}

/// What is done with a file that is dropped in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// It is the request with this text.
    Runs(&'static str),
    /// It is put aside.
    Rejected,
    /// Nobody looks at it.
    LeftAlone,
}
use Fate::{LeftAlone, Rejected, Runs};

/// Names, bytes, and what becomes of them.
const DROPPED: [(&str, &[u8], Fate); 23] = [
    ("plain.txt", b"buy milk\n", Runs("buy milk")),
    (
        "object.json",
        b"{\"request\": \"call Ann\"}",
        Runs("call Ann"),
    ),
    (
        "more.json",
        b"{\"request\": \" x \", \"priority\": 1}",
        Runs("x"),
    ),
    ("bom.txt", b"\xef\xbb\xbfwith a mark", Runs("with a mark")),
    (
        "braces.txt",
        b"{request} in braces",
        Runs("{request} in braces"),
    ),
    (
        "looks like json.txt",
        b"{\"wish\": 1}",
        Runs("{\"wish\": 1}"),
    ),
    ("quoted.txt", b"\"no object\"", Runs("\"no object\"")),
    ("na\u{ef}ve \u{2713}\n.txt", b"odd name", Runs("odd name")),
    ("a.b.c.txt", b"dots", Runs("dots")),
    ("-rf.txt", b"dash", Runs("dash")),
    ("%2e%2e.txt", b"escaped", Runs("escaped")),
    ("broken.json", b"{\"request\": \"never ends", Rejected),
    ("wish.json", b"{\"wish\": 1}", Rejected),
    ("number.json", b"{\"request\": 7}", Rejected),
    ("list.json", b"[\"request\"]", Rejected),
    ("text.json", b"just words", Rejected),
    (
        "twice.json",
        b"{\"request\": \"a\", \"request\": \"b\"}",
        Rejected,
    ),
    ("nothing.json", b"", Rejected),
    ("blank.txt", b" \n\t ", Rejected),
    ("latin.txt", b"caf\xe9", Rejected),
    ("half.json", b"{\"request\": \"\xe2\x82\"}", Rejected),
    (".hidden.txt", b"an editor's", LeftAlone),
    ("notes.md", b"not a request", LeftAlone),
];

fn inbox(name: &str) -> PathBuf {
    Path::new("data/inbox").join(name)
}

/// A root with one file in its inbox.
fn with_file(name: &str, bytes: &[u8]) -> SimDisk {
    let disk = SimDisk::new(3);
    drop(open(&disk));
    disk.plant(&inbox(name), bytes);
    disk
}

/// Checks that a file met its fate exactly once, and nothing of it is lost.
fn check(
    disk: &SimDisk,
    store: &Store,
    name: &str,
    bytes: &[u8],
    fate: Fate,
) -> Result<(), String> {
    let files = disk.files();
    let among = |folder: &str| {
        let inside = files
            .iter()
            .filter(|(path, _)| path.parent() == Some(&inbox(folder)));
        inside.filter(|(_, it)| *it == bytes).count()
    };
    let runs: Vec<_> = store.state().runs.newest_first().collect();
    let lines = journal_lines(disk)?;
    let told = |what: &str| {
        let events = lines.iter().flat_map(|line| &line.events);
        events.filter(|(name, _)| name == what).count()
    };
    let asked: Vec<_> = runs
        .iter()
        .filter_map(|run| run.request.as_deref())
        .collect();
    let right = match fate {
        Runs(text) => asked == [text] && told("run.queued") == 1 && among("done") == 1,
        Rejected => asked.is_empty() && told("request.refused") >= 1 && among("rejected") == 1,
        LeftAlone => asked.is_empty() && files.get(&inbox(name)).is_some_and(|it| it == bytes),
    };
    let waiting = fate != LeftAlone && files.contains_key(&inbox(name)) || among(".taken") > 0;
    if right && !waiting {
        return check_views_but(disk, store, fate);
    }
    Err(format!("{name:?}: {asked:?} {:?}", files.keys()))
}

/// Nothing is left lying about.
fn check_views_but(disk: &SimDisk, store: &Store, fate: Fate) -> Result<(), String> {
    match fate {
        LeftAlone => Ok(()),
        Runs(_) | Rejected => check_views(disk, store.state()),
    }
}

#[test]
fn every_kind_of_file_meets_its_fate() {
    for plain_renames in [false, true] {
        for (name, bytes, fate) in DROPPED {
            let disk = with_file(name, bytes);
            if plain_renames {
                disk.refuse_exchanges();
            }
            let mut store = open(&disk);
            let mut watch = InboxWatch::default();
            for _ in 0..2 {
                work_on_inbox(&mut store, &mut watch, later(1)).unwrap();
            }
            check(&disk, &store, name, bytes, fate).unwrap();
            let kept = disk.files().contains_key(&inbox("rejected").join(name));
            assert_eq!(kept, fate == Rejected, "under its own name");
        }
    }
}

/// Whatever call the process dies at, or the power goes at, the file is taken exactly once
/// and read as what it is.
#[test]
fn a_death_at_any_call_takes_a_request_exactly_once() {
    for (name, bytes, fate) in DROPPED {
        let disk = with_file(name, bytes);
        let whole = disk.process_crash();
        let mut store = open(&whole);
        let before = whole.calls();
        work_on_inbox(&mut store, &mut InboxWatch::default(), later(1)).unwrap();
        // What is closed stays closed: nobody knows a run for ever.
        for seed in 0..9 {
            let image = whole.power_cut(seed);
            let checked = check(&image, &open(&image), name, bytes, fate);
            checked.unwrap_or_else(|what| panic!("closed: {what}"));
        }
        for call in before + 1..=whole.calls() {
            let trial = disk.process_crash();
            let mut store = open(&trial);
            trial.crash_at_call(call);
            work_on_inbox(&mut store, &mut InboxWatch::default(), later(1)).unwrap_err();
            drop(store);
            let cuts = [0, 7, 99].map(|seed| trial.power_cut(seed ^ call));
            for image in cuts.into_iter().chain([trial.process_crash()]) {
                let mut store = open(&image);
                let mut watch = InboxWatch::default();
                for hours in 2..4 {
                    work_on_inbox(&mut store, &mut watch, later(hours)).unwrap();
                }
                let checked = check(&image, &store, name, bytes, fate);
                checked.unwrap_or_else(|what| panic!("call {call}: {what}"));
            }
        }
    }
}

/// What `ask` said yes to is there after a power cut; what it did not finish never runs, and its
/// text is kept.
#[test]
fn what_ask_dropped_in_is_there_or_was_never_promised() {
    let id = Uuid::from_u128(0xA5C);
    let disk = SimDisk::new(3);
    drop(open(&disk));
    let whole = disk.process_crash();
    drop_request(&mut whole.clone(), id, "hello").unwrap();
    for call in 1..=whole.calls() + 1 {
        let trial = disk.process_crash();
        trial.crash_at_call(call);
        let told = drop_request(&mut trial.clone(), id, "hello").is_ok();
        assert_eq!(told, call > whole.calls());
        for image in [
            trial.power_cut(call),
            trial.power_cut(!call),
            trial.process_crash(),
        ] {
            let mut store = open(&image);
            let mut watch = InboxWatch::default();
            work_on_inbox(&mut store, &mut watch, later(1)).unwrap();
            let runs = store.state().runs.newest_first().count();
            assert!(runs == 1 || !told && runs == 0, "call {call}: {runs}");
            check_views(&image, store.state()).unwrap();
        }
    }
    // One that is being written right now is not touched.
    let trial = disk.process_crash();
    trial.crash_at_call(whole.calls() - 1);
    drop_request(&mut trial.clone(), id, "hello").unwrap_err();
    trial.heal();
    let hidden = inbox(&format!(".{id}.json.tmp"));
    let written = trial.clone().stat(&hidden).unwrap().unwrap().modified_ns / 1_000_000;
    let mut store = open(&trial);
    let mut watch = InboxWatch::default();
    let abandoned = written + i64::try_from(INBOX_ABANDONED_MS).unwrap();
    for (now, taken) in [(written, 0), (abandoned - 1, 0), (abandoned, 1)] {
        assert_eq!(
            work_on_inbox(&mut store, &mut watch, at(now)).unwrap(),
            taken
        );
        assert_eq!(trial.files().contains_key(&hidden), taken == 0);
    }
    let kept = trial.files();
    let kept = &kept[&inbox("rejected").join(format!("{id}.tmp"))];
    assert!(String::from_utf8_lossy(kept).contains("hello"));
}

/// X: a file is left alone until it has been unchanged for a second.
#[test]
fn a_file_that_is_still_written_is_left_alone() {
    let mut disk = with_file("slow.txt", b"one");
    let changed = |disk: &SimDisk| {
        let stat = disk.clone().stat(&inbox("slow.txt")).unwrap().unwrap();
        stat.modified_ns / 1_000_000
    };
    let settle = i64::try_from(INBOX_SETTLE_MS).unwrap();
    let mut store = open(&disk);
    let mut watch = InboxWatch::default();
    let mut look = |now_ms| work_on_inbox(&mut store, &mut watch, at(now_ms)).unwrap();
    let first = changed(&disk);
    assert_eq!((look(first), look(first + settle - 1)), (0, 0));
    // Grown at the last moment: it counts from then.
    disk.append(&inbox("slow.txt"), b" two").unwrap();
    let second = first + settle;
    assert_eq!((look(second), look(second + settle - 1)), (0, 0));
    assert_eq!(look(second + settle), 1);
    let run = store.state().runs.next().unwrap();
    assert_eq!(run.request.as_deref(), Some("one two"));
}

/// An hour put back on the clock makes no request wait for an hour.
#[test]
fn a_request_is_taken_although_the_clock_was_put_back() {
    let disk = SimDisk::new(3);
    let mut store = open(&disk);
    let mut watch = InboxWatch::default();
    disk.set_clock_ms(NOW_MS);
    disk.plant(&inbox("a.txt"), b"a");
    let settle = i64::try_from(INBOX_SETTLE_MS).unwrap();
    let back = NOW_MS - 3_600_000;
    let looks = [NOW_MS, back, back + settle - 1, back + settle];
    let taken = looks.map(|now_ms| work_on_inbox(&mut store, &mut watch, at(now_ms)).unwrap());
    assert_eq!(taken, [0, 0, 0, 1]);
}

/// Nothing is ever replaced, however often a name comes again, and however long it is.
#[test]
fn files_of_one_name_are_all_kept() {
    let id = Uuid::from_u128(7);
    let longest = format!("{}.json", "n".repeat(250));
    for plain_renames in [false, true] {
        for name in [format!("{id}.json"), "a.json".to_owned(), longest.clone()] {
            let disk = SimDisk::new(3);
            if plain_renames {
                disk.refuse_exchanges();
            }
            let mut store = open(&disk);
            let mut watch = InboxWatch::default();
            for n in 0..5 {
                disk.plant(&inbox(&name), format!("[{n}]").as_bytes());
                assert_eq!(work_on_inbox(&mut store, &mut watch, later(n)).unwrap(), 1);
            }
            let files = disk.files();
            let rejected = inbox("rejected");
            let kept = files.iter().filter(|(path, _)| path.starts_with(&rejected));
            let mut texts: Vec<_> = kept.clone().map(|(_, bytes)| bytes.clone()).collect();
            texts.sort();
            assert_eq!(texts.concat(), b"[0][1][2][3][4]");
            assert!(
                kept.clone()
                    .all(|(path, _)| path.file_name().unwrap().len() <= 255)
            );
            assert!(
                files.contains_key(&rejected.join(&name)),
                "the first keeps its name"
            );
        }
    }
}

/// One id is one request, in whatever form and however often it comes, also while the first one is
/// being worked on.
#[test]
fn the_same_id_is_one_request() {
    let id = Uuid::from_u128(0xABCD);
    let forms = [
        format!("{id}.json"),
        format!("{id}.txt"),
        id.to_string().to_uppercase() + ".txt",
    ];
    for plain_renames in [false, true] {
        let disk = SimDisk::new(3);
        if plain_renames {
            disk.refuse_exchanges();
        }
        let mut store = open(&disk);
        let mut watch = InboxWatch::default();
        for name in forms.iter().cycle().take(6) {
            disk.plant(
                &inbox(name),
                format!("{{\"request\": \"{name}\"}}").as_bytes(),
            );
            let taken = store
                .inbox()
                .take_requests(&mut watch, later(1), 9)
                .unwrap();
            disk.plant(&inbox(name), b"{\"request\": \"again\"}");
            for one in &taken {
                conclude(&mut store, one, later(1)).unwrap();
                store.inbox().close_request(&mut watch, one, false).unwrap();
            }
            work_on_inbox(&mut store, &mut watch, later(1)).unwrap();
        }
        assert_eq!(store.state().runs.newest_first().count(), 1);
        let files = disk.files();
        let done = files
            .iter()
            .filter(|(path, _)| path.starts_with(inbox("done")));
        assert_eq!(done.count(), 12, "no text is lost: {:?}", files.keys());
    }
}

/// With too many open runs requests stay where they are; the oldest is taken first.
#[test]
fn requests_are_taken_in_their_order_and_no_more_than_there_is_room_for() {
    let disk = SimDisk::new(3);
    let mut store = open(&disk);
    for name in ["c", "a", "b", "d"] {
        disk.plant(&inbox(&format!("{name}.txt")), name.as_bytes());
    }
    let mut watch = InboxWatch::default();
    let mut asked = Vec::new();
    for most in [0, 1, 2, 9] {
        let taken = store
            .inbox()
            .take_requests(&mut watch, later(1), most)
            .unwrap();
        assert!(taken.len() <= most);
        for one in &taken {
            asked.push(one.request.clone().unwrap());
            conclude(&mut store, one, later(1)).unwrap();
            store.inbox().close_request(&mut watch, one, false).unwrap();
        }
    }
    assert_eq!(asked, ["c", "a", "b", "d"]);
    // What a stop left behind goes first, in its order.
    for name in ["y", "x", "z"] {
        disk.plant(&inbox(&format!("{name}.txt")), name.as_bytes());
    }
    assert_eq!(
        store
            .inbox()
            .take_requests(&mut watch, later(2), 2)
            .unwrap()
            .len(),
        2
    );
    let mut store = open(&disk);
    let taken = store
        .inbox()
        .take_requests(&mut InboxWatch::default(), later(2), 9)
        .unwrap();
    let asked: Vec<_> = taken.into_iter().map(|one| one.request.unwrap()).collect();
    assert_eq!(asked, ["y", "x", "z"]);
}

/// What cannot be moved stays, is said once, and holds nothing else up.
#[test]
fn a_file_that_may_not_be_moved_is_left_alone() {
    let disk = with_file("a.txt", b"stuck");
    disk.plant(&inbox("b.txt"), b"free");
    let mut store = open(&disk);
    let mut watch = InboxWatch::default();
    // The folder of the taken ones is made first.
    disk.fail_call(disk.calls() + 2, Fault::Denied, false);
    assert_eq!(work_on_inbox(&mut store, &mut watch, later(1)).unwrap(), 1);
    assert_eq!(work_on_inbox(&mut store, &mut watch, later(2)).unwrap(), 0);
    assert!(disk.files().contains_key(&inbox("a.txt")) && !watch.is_expecting());
    store.commit(by_agent(vec![set("after", "x")])).unwrap();
    // Gone and there again, it is a new one.
    disk.uproot(&inbox("a.txt"));
    work_on_inbox(&mut store, &mut watch, later(3)).unwrap();
    disk.plant(&inbox("a.txt"), b"new");
    assert_eq!(work_on_inbox(&mut store, &mut watch, later(4)).unwrap(), 1);
}

/// A folder of done ones that nothing may be put into holds nothing up either: the request is
/// worked on once, and its file stays where it is.
#[test]
fn a_file_that_may_not_be_put_away_stays_among_the_taken() {
    for (name, bytes) in [("a.txt", "hello"), ("a.json", "nonsense")] {
        let quiet = with_file(name, bytes.as_bytes());
        let mut store = open(&quiet);
        let from = quiet.calls();
        work_on_inbox(&mut store, &mut InboxWatch::default(), later(1)).unwrap();
        let mut stayed = 0;
        for call in 1..=quiet.calls() - from {
            let disk = with_file(name, bytes.as_bytes());
            let mut store = open(&disk);
            let mut watch = InboxWatch::default();
            let taken = store
                .inbox()
                .take_requests(&mut watch, later(1), 9)
                .unwrap();
            conclude(&mut store, &taken[0], later(1)).unwrap();
            let (rejected, head) = (taken[0].request.is_err(), store.head().seq);
            disk.fail_call(disk.calls() + call, Fault::Denied, true);
            store
                .inbox()
                .close_request(&mut watch, &taken[0], rejected)
                .unwrap();
            assert_eq!(work_on_inbox(&mut store, &mut watch, later(2)).unwrap(), 0);
            disk.heal();
            assert_eq!(work_on_inbox(&mut store, &mut watch, later(3)).unwrap(), 0);
            assert_eq!(store.head().seq, head, "{name}: taken twice");
            let files = disk.files();
            stayed += files
                .keys()
                .filter(|it| it.starts_with(inbox(".taken")))
                .count();
            store.commit(by_agent(vec![set("after", "x")])).unwrap();
        }
        assert!(stayed >= 2, "{name}: the folder, or the move");
    }
}

/// A person may take a file away at any time, also one that is being worked on.
#[test]
fn a_file_that_is_taken_away_meanwhile_is_nobodys_trouble() {
    let disk = with_file("a.txt", b"gone");
    let mut store = open(&disk);
    let mut watch = InboxWatch::default();
    let taken = store
        .inbox()
        .take_requests(&mut watch, later(1), 9)
        .unwrap();
    let files = disk.files();
    let place = files
        .keys()
        .find(|it| it.starts_with(inbox(".taken")))
        .unwrap();
    disk.uproot(place);
    store
        .inbox()
        .close_request(&mut watch, &taken[0], false)
        .unwrap();
    store.commit(by_agent(vec![set("after", "x")])).unwrap();
    assert_eq!(work_on_inbox(&mut store, &mut watch, later(2)).unwrap(), 0);
}

/// What is no file at all is put aside with a stable code, whole and unopened, by the real
/// loop on a real disk, which lives on.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
async fn what_is_no_file_is_put_aside_and_the_loop_lives_on() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&record_add(&format!("n{index}"), "v"))
    }));
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    let inside = |name: &str| lab.path(&format!("data/inbox/{name}"));
    std::fs::create_dir(inside("folder.txt")).unwrap();
    crate::lab::write(&inside("folder.txt/kept"), "inside");
    std::os::unix::fs::symlink("/etc/passwd", inside("link.txt")).unwrap();
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, inside("pipe.json"), FileType::Fifo, mode, 0).unwrap();
    let huge = "x".repeat(INBOX_FILE_BYTES_MAX + 1);
    crate::lab::write(&inside("huge.txt"), &huge);
    crate::lab::write(&inside("largest.txt"), &huge[1..]);
    crate::lab::write(&inside("wrong.json"), "{\"request\": [1]}");
    stop_after(&lab, 2);
    live(&mut agent).await;
    agent.close().unwrap();
    let names = [
        "folder.txt",
        "huge.txt",
        "link.txt",
        "pipe.json",
        "wrong.json",
    ];
    assert_eq!(lab.names("data/inbox/rejected"), names);
    let rejected = |name: &str| lab.path(&format!("data/inbox/rejected/{name}"));
    assert_eq!(lab.text("data/inbox/rejected/folder.txt/kept"), "inside");
    assert_eq!(lab.text("data/inbox/rejected/huge.txt"), huge);
    let link = std::fs::read_link(rejected("link.txt")).unwrap();
    assert_eq!(link, Path::new("/etc/passwd"));
    assert_eq!(lab.names("data/inbox"), [".taken", "done", "rejected"]);
    assert_eq!(lab.names("data/inbox/.taken"), Vec::<String>::new());
    let refused = lab.audit().into_iter();
    let refused = refused.filter(|entry| entry.code == Some(Code::RequestInvalid));
    let mut refused: Vec<String> = refused.map(|entry| entry.target).collect();
    refused.sort();
    assert_eq!(refused, names);
    let requests = lab
        .runs()
        .into_iter()
        .filter(|run| run.trigger == Trigger::Request);
    let requests: Vec<_> = requests.filter_map(|run| run.request).collect();
    assert_eq!(requests, [&huge[1..]]);
}
