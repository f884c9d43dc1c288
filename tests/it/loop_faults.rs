//! The loop when things go wrong around it: servers, disks, kills, and people who edit meanwhile.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add, record_update};
use crate::lab::{
    Lab, Seen, ask, edit_kv, live, loaded, messages, queue, stop_after, succeeded, write,
};
use crate::peer::{Peer, Step};
use crate::sim_disk::{Fault, SimDisk};
use crate::store_lab::edit_member;
use kjxlkj_agent::config::SHIPPED_PROMPT;
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{Clock as _, Halt, LockedRoot, OutagePolicy, StopHandle, hold, replay};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::provider::connect;
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

/// A server that is not there.
fn unreachable_step() -> Step {
    Step::status(503)
        .body(r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#)
}

#[tokio::test]
async fn a_silent_server_fails_the_run_with_its_code() {
    let mut lab = Lab::new();
    lab.config.provider.timeout_ms = 500;
    for _ in 0..4 {
        lab.peer.push(Step::hang());
    }
    let run = lab.run("anybody there").await;
    assert_eq!(
        (run.state, run.error_code),
        (RunState::Failed, Some(Code::LlmTimeout))
    );
    assert_eq!((run.loop_count, run.usage.calls), (1, 0));
    assert_eq!(lab.clock.slept_ms(), [100, 200, 400]);
    assert_eq!(
        (&lab.kv()["state"], &lab.kv()["context"]),
        (&json!("idle"), &json!({}))
    );
}

#[tokio::test]
async fn a_server_that_is_away_is_waited_for_and_nothing_fails() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 0;
    for _ in 0..8 {
        lab.peer.push(unreachable_step());
    }
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!((run.loop_count, run.usage.calls), (3, 3));
    let waited: Vec<u64> = lab
        .eyes
        .seen()
        .iter()
        .filter_map(|seen| match seen {
            Seen::Waiting(code, delay_ms) => {
                assert_eq!(*code, Code::LlmUnavailable);
                Some(*delay_ms)
            }
            Seen::Began(..)
            | Seen::Asking(..)
            | Seen::Unreadable(_)
            | Seen::Committed { .. }
            | Seen::Notice(_) => None,
        })
        .collect();
    assert_eq!(
        waited,
        // From the fifth on it is left alone for half a minute at least.
        [1000, 2000, 4000, 8000, 30_000, 60_000, 60_000, 60_000]
    );
}

#[tokio::test]
async fn the_pauses_before_repeats_are_the_configured_ones_and_double() {
    for (base_delay_ms, max_delay_ms, pauses) in
        [(7, 5000, [7, 14, 28, 56]), (300, 700, [300, 600, 700, 700])]
    {
        let mut lab = Lab::new();
        lab.config.retry.max_retries = 4;
        lab.config.retry.base_delay_ms = base_delay_ms;
        lab.config.retry.max_delay_ms = max_delay_ms;
        lab.config.r#loop.max_iterations = Some(1);
        for _ in 0..4 {
            lab.peer.push(Step::status(500));
        }
        lab.says(&ram_add("a", "at last"));
        lab.run("do it").await;
        assert_eq!(lab.clock.slept_ms(), pauses);
        assert_eq!(lab.kv()["a"], "at last");
    }
}

#[tokio::test]
async fn after_a_wait_the_question_is_put_from_the_state_as_it_is_then() {
    let root: Arc<Mutex<PathBuf>> = Arc::default();
    let peer = Peer::answering({
        let root = Arc::clone(&root);
        move |_, index| {
            if index == 0 {
                edit_kv(&root.lock().unwrap(), &[("colour", json!("teal"))]);
                return unreachable_step();
            }
            Step::reply(&ram_add("colour", "navy"))
        }
    });
    let mut lab = Lab::with_peer(peer);
    *root.lock().unwrap() = lab.root().to_path_buf();
    lab.config.retry.max_retries = 0;
    lab.config.r#loop.max_iterations = Some(1);
    lab.run("paint").await;
    assert!(lab.prompt_text(1).contains("colour: teal"));
    assert_eq!(
        lab.kv()["colour"],
        "navy",
        "the model saw the edit, so it may change it"
    );
}

#[tokio::test]
async fn a_person_who_waits_is_told_and_the_request_stays_pending() {
    let mut lab = Lab::new();
    lab.patience = OutagePolicy::None;
    lab.config.retry.max_retries = 0;
    lab.peer.push(unreachable_step());
    let mut agent = lab.start();
    let run_id = queue(&mut agent, "keep this").await;
    let Err(Halt::Failed(failure)) = agent.drive(run_id).await else {
        panic!("it must not wait");
    };
    assert_eq!(failure.code, Code::LlmUnavailable);
    agent.close().unwrap();
    assert_eq!(lab.runs()[0].state, RunState::Running);
    assert_eq!(lab.kv()["context"]["user_request"], "keep this");
    // The next start goes on with it.
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    let mut agent = lab.start();
    assert_eq!(agent.next_run(), Some(run_id));
    assert!(succeeded(&agent.drive(run_id).await.unwrap()));
}

#[tokio::test]
async fn an_unreadable_reply_is_asked_again_inside_the_iteration() {
    let mut lab = Lab::new();
    lab.says("I will do it right away!");
    lab.says("<ram_add x=\"1\"><key>a</key><value>1</value></ram_add>");
    lab.says(&ram_add("a", "2"));
    lab.config.r#loop.max_iterations = Some(1);
    let run = lab.run("do it").await;
    assert_eq!((run.loop_count, run.usage.calls), (1, 3));
    assert_eq!(lab.kv()["a"], "2");
    assert!(!lab.prompt_text(0).contains("XML_PARSE_ERROR"));
    for index in [1, 2] {
        let told = lab.prompt_text(index);
        assert!(told.contains("<code>XML_PARSE_ERROR</code>"), "{told}");
    }
    let unreadable = lab
        .eyes
        .seen()
        .into_iter()
        .filter(|seen| matches!(seen, Seen::Unreadable(_)));
    assert_eq!(unreadable.count(), 2);
}

#[tokio::test]
async fn a_reply_that_is_not_utf8_is_unreadable_and_nothing_worse() {
    let mut broken = br#"{"choices": [{"message": {"content": "<ram_add><key>a"#.to_vec();
    broken.extend(b"\xc3\x28</key><value>1</value></ram_add>\"}}]}");
    let step = || Step::status(200).body(broken.clone());
    let mut lab = Lab::new();
    lab.peer.push(step());
    lab.says(&ram_add("a", "2"));
    for _ in 0..3 {
        lab.peer.push(step());
    }
    let mut agent = lab.start();
    agent.max_iterations = Some(2);
    let run = ask(&mut agent, "do it").await;
    assert_eq!(run.error_code, Some(Code::XmlParseError));
    assert_eq!(
        (run.loop_count, run.usage.calls, run.operation_count),
        (2, 5, 1)
    );
    assert_eq!(lab.kv()["a"], "2", "asked again, it was read");
    assert!(lab.prompt_text(1).contains("<code>XML_PARSE_ERROR</code>"));
    for (path, bytes) in lab.data_files() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains('\u{fffd}'), "{}", path.display());
    }
}

#[tokio::test]
async fn a_server_that_echoes_the_question_gets_nothing_done() {
    for (from, is_streamed) in [(0, false), (0, true), (1, false), (1, true)] {
        let peer = Peer::answering(move |request, _| {
            let echo = messages(&request.json())[from..].join("\n");
            if is_streamed {
                Step::streamed(&echo)
            } else {
                Step::reply(&echo)
            }
        });
        let mut lab = Lab::with_peer(peer);
        lab.config.memory.retain_full_conversation_logs = true;
        lab.write("data/agent-prompt.json", SHIPPED_PROMPT);
        lab.prompt = loaded(lab.root()).prompt;
        let run = lab.run("plan my week").await;
        assert_eq!(
            (run.state, run.error_code, run.loop_count),
            (RunState::Failed, Some(Code::XmlParseError), 1),
            "{from} {is_streamed}"
        );
        assert_eq!((run.operation_count, lab.decided()), (0, Vec::new()));
        assert_eq!(lab.notes(), Vec::<Value>::new());
        assert_eq!(lab.kv()["steps"], json!([]));
        let disk = &mut RealDisk::open(lab.root(), false).unwrap();
        let again = replay(disk, &lab.config, &lab.prompt, run.run_id).unwrap();
        assert_eq!(again[0].same, Some(true), "{again:?}");
    }
}

#[tokio::test]
async fn after_the_retries_the_run_fails_and_the_daemon_lives_on() {
    let mut lab = Lab::new();
    for _ in 0..3 {
        lab.says("no instruction at all");
    }
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    let mut agent = lab.start();
    let run = ask(&mut agent, "first").await;
    assert_eq!(
        (run.error_code, run.usage.calls, run.loop_count),
        (Some(Code::XmlParseError), 3, 1)
    );
    assert!(succeeded(&ask(&mut agent, "second").await));
}

#[tokio::test]
async fn a_stop_during_a_call_commits_nothing_and_the_next_start_asks_again() {
    let stop: Arc<Mutex<Option<StopHandle>>> = Arc::default();
    let peer = Peer::answering({
        let stop = Arc::clone(&stop);
        move |_, index| {
            if index == 1 {
                stop.lock().unwrap().take().unwrap().stop();
                return Step::hang();
            }
            Step::reply(&ram_add("n", &index.to_string()))
        }
    });
    let mut lab = Lab::with_peer(peer);
    let mut agent = lab.start();
    *stop.lock().unwrap() = Some(lab.stopper());
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run_id).await.unwrap();
    let before = agent.store().head();
    assert!(matches!(agent.step(run_id).await, Err(Halt::Stopped)));
    assert_eq!(agent.store().head(), before);
    agent.close().unwrap();
    let mut agent = lab.start();
    let run = agent.step(agent.next_run().unwrap()).await.unwrap();
    assert_eq!((run.loop_count, run.usage.calls), (2, 2));
    assert_eq!(lab.kv()["n"], "2");
    assert_eq!(lab.prompt_text(1), lab.prompt_text(2), "the same question");
}

/// A peer that changes a file of the root in the middle of its `index`th answer.
fn meddling(
    at: usize,
    meddle: impl Fn(&Path) + Send + Sync + 'static,
    replies: Vec<String>,
) -> (Lab, usize) {
    let root: Arc<Mutex<PathBuf>> = Arc::default();
    let count = replies.len();
    let peer = Peer::answering({
        let root = Arc::clone(&root);
        move |_, index| {
            if index == at {
                meddle(&root.lock().unwrap());
            }
            Step::reply(&replies[index])
        }
    });
    let mut lab = Lab::with_peer(peer);
    *root.lock().unwrap() = lab.root().to_path_buf();
    lab.config.r#loop.max_iterations = Some(u32::try_from(count).unwrap());
    (lab, count)
}

#[tokio::test]
async fn an_edit_during_a_call_goes_first_and_only_its_keys_are_refused() {
    let replies = vec![
        ram_add("mine", "model's") + &ram_add("other", "model's"),
        ram_add("n", "1"),
    ];
    let (mut lab, _) = meddling(
        0,
        |root| edit_kv(root, &[("mine", json!("person's")), ("new", json!(1))]),
        replies,
    );
    lab.run("do it").await;
    let kv = lab.kv();
    assert_eq!(
        (&kv["mine"], &kv["other"], &kv["new"]),
        (&json!("person's"), &json!("model's"), &json!(1))
    );
    let told = lab.prompt_text(1);
    assert!(
        told.contains("<target>mine</target><code>VERSION_CONFLICT</code>"),
        "{told}"
    );
    assert!(told.contains("mine: person's"), "{told}");
    let actors: Vec<_> = lab
        .audit()
        .iter()
        .filter(|entry| entry.op == "ram.set" && entry.target == "mine")
        .map(|entry| entry.actor_type)
        .collect();
    assert_eq!(actors, [kjxlkj_agent::core::journal::ActorType::User]);
}

/// What a person changed meanwhile is part of what was decided upon.
#[tokio::test]
async fn a_replay_refuses_again_what_a_person_had_edited_during_the_call() {
    let replies = vec![
        ram_add("mine", "model's") + &ram_add("other", "model's"),
        ram_add("n", "1"),
    ];
    let change = |root: &Path| edit_kv(root, &[("mine", json!("person's"))]);
    let (mut lab, _) = meddling(0, change, replies);
    lab.config.memory.retain_full_conversation_logs = true;
    let run = lab.run("do it").await;
    let conflict = Some(Code::VersionConflict);
    assert!(lab.audit().iter().any(|entry| entry.code == conflict));
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let again = replay(&mut disk, &lab.config, &lab.prompt, run.run_id).unwrap();
    assert!(again.iter().all(|it| it.same == Some(true)), "{again:#?}");
}

#[tokio::test]
async fn a_note_edited_during_a_call_is_not_overwritten() {
    let replies = vec![
        record_add("Tea", "one"),
        record_update("Tea", "model's"),
        record_update("Tea", "merged"),
        ram_add("n", "1"),
    ];
    let change = |root: &Path| {
        let folder = root.join("data/notes");
        let mut entries = std::fs::read_dir(&folder).unwrap();
        let path = entries.next().unwrap().unwrap().path();
        let mut note: Value = serde_json::from_str(&crate::lab::read(&path)).unwrap();
        note["value"] = json!("person's");
        write(&path, &note.to_string());
    };
    let (mut lab, _) = meddling(1, change, replies);
    lab.run("do it").await;
    let told = lab.prompt_text(2);
    assert!(
        told.contains("VERSION_CONFLICT") && told.contains("person's"),
        "{told}"
    );
    let note = &lab.notes()[0];
    assert_eq!(
        (&note["value"], &note["version"]),
        (&json!("merged"), &json!(3))
    );
}

/// A file that somebody writes to without end holds nothing up. It is not judged while they write, and
/// nothing of it is lost when they have done.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
async fn nobody_waits_for_a_file_that_never_lies_still() {
    const KV: &str = "data/agent-kv-store.json";
    for name in ["data/notes/log.json", KV] {
        let peer = Peer::answering(|_, index| Step::reply(&ram_add("n", &index.to_string())));
        let mut lab = Lab::with_peer(peer);
        lab.config.r#loop.max_iterations = Some(2);
        let mut agent = lab.start();
        let begin = if name == KV {
            let kv = lab.text(KV);
            let members = kv.trim_end().strip_suffix('}').unwrap();
            format!("{members}, \"value\": \"")
        } else {
            "{\"value\": \"".to_owned()
        };
        std::fs::create_dir_all(lab.path("data/notes")).unwrap();
        let file = std::fs::File::create(lab.path(name)).unwrap();
        let mut waits = 0;
        let mut write = move |text: &str, now: Timestamp| {
            waits += 1;
            assert!(waits < 200, "it is waited for without end");
            let since = Duration::from_millis(u64::try_from(now.millis).unwrap());
            (&file).write_all(text.as_bytes()).unwrap();
            file.set_modified(UNIX_EPOCH + since).unwrap();
        };
        write(&begin, lab.clock.now());
        let write = Arc::new(Mutex::new(write));
        let more = Arc::clone(&write);
        let more = move |now| (*more.lock().unwrap())("word ", now);
        let before = lab.clock.slept_ms().len();
        lab.clock.at_each_wait(Some(Box::new(more)));
        ask(&mut agent, "do it").await;
        lab.clock.at_each_wait(None);
        let words = lab.clock.slept_ms().len() - before;
        assert!(words > 0, "{name}: it was waited for a little");
        assert_eq!(lab.kv()["n"], "1", "{name}");
        for said in lab.eyes.notices() {
            assert!(!said.contains(name), "{name}: {said}");
        }

        (*write.lock().unwrap())("\"}", Timestamp::from_millis(0));
        ask(&mut agent, "again").await;
        agent.close().unwrap();
        let typed = "word ".repeat(words);
        let taken = if name == KV {
            lab.kv()["value"].clone()
        } else {
            lab.notes()[0]["value"].clone()
        };
        assert_eq!(taken, json!(typed), "{name}: {:?}", lab.eyes.notices());
    }
}

#[tokio::test]
async fn a_broken_edit_is_put_beside_the_file_and_the_run_goes_on() {
    let replies = vec![ram_add("a", "1"), ram_add("b", "2")];
    let spoil = |root: &Path| write(&root.join("data/agent-kv-store.json"), "{\"a\": ");
    let (mut lab, _) = meddling(0, spoil, replies);
    lab.run("do it").await;
    assert_eq!((&lab.kv()["a"], &lab.kv()["b"]), (&json!("1"), &json!("2")));
    let kept = lab
        .names("data")
        .into_iter()
        .filter(|name| name.contains(".broken-"));
    assert_eq!(kept.count(), 1);
    assert!(
        lab.eyes
            .notices()
            .iter()
            .any(|notice| notice.contains("could not be taken in"))
    );
}

#[tokio::test]
async fn a_kill_at_any_commit_resumes_the_run_at_its_last_iteration() {
    let reply = |index: usize| {
        if index % 3 == 1 {
            record_add(&format!("N{index}"), "v")
        } else {
            ram_add("n", &index.to_string())
        }
    };
    let mut lab = Lab::with_peer(Peer::answering(move |_, index| Step::reply(&reply(index))));
    lab.config.r#loop.max_iterations = Some(9);
    let mut agent = lab.start();
    let event = EventId("e".to_owned());
    lab.edit_kv(&[("steps", json!(["a", "b", "c", "d", "e", "f", "g", "h"]))]);
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    for iteration in 1..=9 {
        let run = agent.step(run_id).await.unwrap();
        assert_eq!(
            (run.loop_count, run.usage.calls),
            (iteration, u64::from(iteration))
        );
        drop(agent);
        agent = lab.start();
    }
    let run = agent.step(run_id).await.unwrap();
    assert!(run.is_finished());
    assert_eq!(lab.peer.request_count(), 9);
    assert_eq!(lab.notes().len(), 3);
}

#[tokio::test]
async fn a_full_disk_pauses_the_loop_and_room_lets_it_go_on() {
    let mut lab = Lab::new();
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    let disk = SimDisk::new(7);
    let provider = connect(&lab.config.provider, None).unwrap();
    let mut agent = lab.start_with(LockedRoot::unshared(Box::new(disk.clone())), provider);
    let event = EventId("e".to_owned());
    let queued = agent.queue(event, Trigger::Request, Some("keep".to_owned()));
    let run_id = queued.await.unwrap();
    disk.fail_call(disk.calls() + 3, Fault::FullAfter(20), true);
    let waits = Rc::new(Cell::new(0));
    // Room comes back after the fifth wait.
    lab.eyes.react({
        let (waits, disk) = (Rc::clone(&waits), disk.clone());
        move |seen| {
            if let Seen::Waiting(code, _) = seen {
                assert_eq!(*code, Code::DiskFull);
                waits.set(waits.get() + 1);
                if waits.get() == 5 {
                    disk.heal();
                }
            }
        }
    });
    let run = agent.drive(run_id).await.unwrap();
    assert!(succeeded(&run));
    assert_eq!(waits.get(), 5);
    assert_eq!(
        (run.loop_count, run.usage.calls),
        (3, 3),
        "no answer was asked for twice"
    );
    let mut disk = disk;
    let kv = disk
        .read(Path::new("data/agent-kv-store.json"), usize::MAX)
        .unwrap();
    let kv: Value = serde_json::from_slice(&kv).unwrap();
    assert_eq!(kv["state"], "idle");
}

#[tokio::test]
async fn a_broken_disk_ends_the_loop_at_once() {
    let mut lab = Lab::new();
    lab.says(&ram_add("n", "1"));
    let disk = SimDisk::new(7);
    let provider = connect(&lab.config.provider, None).unwrap();
    let mut agent = lab.start_with(LockedRoot::unshared(Box::new(disk.clone())), provider);
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run_id).await.unwrap();
    disk.fail_call(disk.calls() + 1, Fault::Broken, true);
    lab.says(&ram_add("n", "2"));
    let Err(Halt::Failed(failure)) = agent.step(run_id).await else {
        panic!("a broken disk must end the loop");
    };
    assert_eq!(failure.code.exit().number(), 74, "{failure:?}");
}

#[tokio::test]
async fn a_stop_between_iterations_leaves_the_run_open() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&ram_add("n", &index.to_string()))
    }));
    let mut agent = lab.start();
    stop_after(&lab, 2);
    live(&mut agent).await;
    agent.close().unwrap();
    let run = &lab.runs()[0];
    assert_eq!((run.state, run.loop_count), (RunState::Running, 2));
}

/// Reading on goes beside the loop on a real disk, and in it on one in memory.
#[tokio::test]
async fn damage_in_what_the_start_left_unread_ends_the_loop_like_a_refused_start() {
    let segment = "data/journal/00000001.jsonl";
    for (in_memory, asks) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut lab = Lab::new();
        lab.config.r#loop.idle_profile = IdleProfile::Sleep;
        for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
            lab.says(&reply);
        }
        lab.run("keep this").await;
        let journal = lab.text(segment);
        lab.write(segment, &journal.replacen("keep this", "kept this", 1));
        let held = if in_memory {
            let mut disk = SimDisk::new(7);
            for (path, bytes) in lab.data_files() {
                let path = path.strip_prefix(lab.root()).unwrap();
                disk.create_folder(path.parent().unwrap()).unwrap();
                disk.plant(path, &bytes);
            }
            LockedRoot::unshared(Box::new(disk))
        } else {
            hold(lab.root()).unwrap()
        };
        let provider = connect(&lab.config.provider, None).unwrap();
        let mut agent = lab.start_with(held, provider);
        if asks {
            lab.peer.push(Step::hang());
            let event = EventId("e".to_owned());
            let queued = agent.queue(event, Trigger::Request, Some("more".to_owned()));
            queued.await.unwrap();
        }
        let checkpoint = lab.text("data/journal/checkpoint.json");
        let Err(Halt::Failed(failure)) = agent.live().await else {
            panic!("damage must end the loop");
        };
        let place = "00000001.jsonl, line ";
        assert_eq!(failure.code, Code::JournalTampered, "{failure}");
        assert!(failure.message.starts_with(place), "{failure}");
        assert_eq!(failure.exit().number(), 65);
        // Nothing is written any more, and no checkpoint says that all is well.
        let head = agent.store().head();
        let event = EventId("late".to_owned());
        let late = agent.queue(event, Trigger::Manual, None).await;
        assert!(matches!(late, Err(Halt::Failed(_))), "{late:?}");
        assert_eq!(agent.store().head(), head);
        assert_eq!(agent.close(), Err(failure));
        assert_eq!(lab.text("data/journal/checkpoint.json"), checkpoint);
    }
}

/// Readers are told of a wait for as long as it lasts and no longer, and since when it has been so.
#[tokio::test]
async fn a_new_attempt_is_no_wait_and_what_is_away_is_so_since_the_first() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 0;
    for _ in 0..3 {
        lab.peer.push(unreachable_step());
    }
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    let told = Rc::new(RefCell::new(Vec::new()));
    lab.eyes.react({
        let (told, lock) = (Rc::clone(&told), lab.path("data/daemon.lock"));
        move |seen| {
            if matches!(seen, Seen::Asking(..) | Seen::Waiting(..)) {
                let text = crate::lab::read(&lock);
                let line = text.lines().nth(1).unwrap_or("{}");
                let doing: Value = serde_json::from_str(line).unwrap();
                told.borrow_mut().push(doing["waiting"]["since"].clone());
            }
        }
    });
    assert!(succeeded(&lab.run("keep this").await));
    let told = told.borrow();
    let (asking, waiting): (Vec<_>, Vec<_>) =
        told[..6].chunks(2).map(|it| (&it[0], &it[1])).unzip();
    assert!(
        asking.iter().chain(&[&told[6]]).all(|it| it.is_null()),
        "{told:?}"
    );
    assert!(waiting[0].is_string(), "{told:?}");
    assert!(waiting.iter().all(|it| *it == waiting[0]), "{told:?}");
}

/// A full disk in the middle of a rest does not make readers forget the rest.
#[tokio::test]
async fn after_a_full_disk_the_rest_goes_on_as_it_was_told() {
    let mut lab = Lab::new();
    for reply in [record_add("T", "v"), ram_add("n", "1"), ram_add("n", "2")] {
        lab.says(&reply);
    }
    lab.config.r#loop.idle_profile = IdleProfile::Maintenance;
    lab.config.r#loop.idle_delay_ms = 600_000;
    let disk = SimDisk::new(7);
    let provider = connect(&lab.config.provider, None).unwrap();
    let mut agent = lab.start_with(LockedRoot::unshared(Box::new(disk.clone())), provider);
    assert!(succeeded(&ask(&mut agent, "keep").await));
    let id = agent.store().state().notes.iter().next().unwrap().id;
    let file = PathBuf::from(format!("data/notes/{id}.json"));
    assert!(edit_member(&disk, &file, "title", &json!("by hand")));
    disk.fail_call(disk.calls() + 1, Fault::Full, true);
    let waits = Rc::new(Cell::new(0));
    lab.eyes.react({
        let (waits, disk, stop) = (Rc::clone(&waits), disk.clone(), lab.stopper());
        let clock = Arc::clone(&lab.clock);
        move |seen| {
            if matches!(seen, Seen::Waiting(..)) {
                waits.set(waits.get() + 1);
                if waits.get() == 2 {
                    disk.heal();
                    let stop = stop.clone();
                    clock.at_wait(clock.slept_ms().len() + 4, move || stop.stop());
                }
            }
        }
    });
    live(&mut agent).await;
    assert_eq!(waits.get(), 2);
    let note = agent.store().state().notes.get(id).unwrap().title.clone();
    assert_eq!(note, "by hand");
    assert!(agent.status().waiting.is_none());
    assert!(
        agent.status().next_idle_at.is_some(),
        "{:?}",
        agent.status()
    );
}
