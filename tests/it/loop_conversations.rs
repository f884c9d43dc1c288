//! Conversations that a person chose to keep: one file a run, a view of the journal.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, Seen, ask, edit_kv, messages, succeeded};
use crate::loop_rules::{EACH_MINUTE, live_for, of_rules, rule, take_rules};
use crate::peer::Step;
use crate::sim_disk::{Fault, SimDisk};
use kjxlkj_agent::core::agent::IdleProfile;
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::daemon::{Agent, LockedRoot, hold, replay};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::provider::{ScriptedProvider, connect};
use kjxlkj_agent::store::disk::{Disk as _, RealDisk};
use serde_json::{Value, json};
use std::path::PathBuf;

fn talkative() -> Lab {
    let mut lab = Lab::new();
    lab.config.memory.retain_full_conversation_logs = true;
    lab
}

fn file_of(run: &Run) -> String {
    format!("data/conversations/{}.jsonl", run.run_id)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn places(lines: &[Value]) -> Vec<(u64, u64)> {
    let number = |line: &Value, name: &str| line[name].as_u64().unwrap();
    lines
        .iter()
        .map(|line| (number(line, "iteration"), number(line, "attempt")))
        .collect()
}

const REPLIES: [&str; 4] = ["no instruction", "plan", "note", "log"];

fn reply(name: &str) -> String {
    match name {
        "plan" => "prose kept ".to_owned() + &ram_add("plan", "p"),
        "note" => record_add("T", "v"),
        "log" => ram_add("think_log", "ok"),
        other => other.to_owned(),
    }
}

#[tokio::test]
async fn every_question_and_answer_is_a_line_of_the_runs_file() {
    let mut lab = talkative();
    for name in REPLIES {
        lab.says(&reply(name));
    }
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    let told = lines(&lab.text(&file_of(&run)));
    assert_eq!(
        places(&told),
        [(1, 1), (1, 2), (2, 1), (3, 1)],
        "retries included"
    );
    for (index, line) in told.iter().enumerate() {
        assert_eq!(line["run_id"], json!(run.run_id));
        let body = lab.peer.requests()[index].json();
        assert_eq!(messages(line), messages(&body));
        assert_eq!(line["messages"][0]["role"], "system");
        assert_eq!(line["reply"]["text"], json!(reply(REPLIES[index])));
        assert_eq!(line["reply"]["finish"], "stop");
        assert_eq!(line["reply"]["usage"]["input_tokens"], 11);
    }
    let warned = lab
        .eyes
        .notices()
        .into_iter()
        .filter(|notice| notice.contains("kept in full"));
    assert_eq!(warned.count(), 1);
}

/// A server that goes away before it is asked again takes nothing along of what it has said.
#[tokio::test]
async fn a_reply_before_the_server_went_away_is_kept_and_counted() {
    let mut lab = talkative();
    lab.config.retry.max_retries = 0;
    lab.says(&reply(REPLIES[0]));
    lab.peer.push(Step::status(503));
    for name in &REPLIES[1..] {
        lab.says(&reply(name));
    }
    let run = lab.run("keep this").await;
    assert!(succeeded(&run), "{run:?}");
    assert_eq!((lab.peer.request_count(), run.usage.calls), (5, 4));
    let told = lines(&lab.text(&file_of(&run)));
    assert_eq!(places(&told), [(1, 1), (1, 2), (2, 1), (3, 1)]);
}

#[tokio::test]
async fn a_kept_conversation_is_a_script_that_leads_to_the_same_notes() {
    let mut lab = talkative();
    for name in REPLIES {
        lab.says(&reply(name));
    }
    let run = lab.run("keep this").await;
    let script = lab.text(&file_of(&run));
    let mut again = Lab::new();
    let provider = ScriptedProvider::from_text("recording", &script).unwrap();
    let held = hold(again.root()).unwrap();
    let mut agent = again.start_with(held, Box::new(provider));
    let replayed = ask(&mut agent, "keep this").await;
    assert_eq!(
        (replayed.state, replayed.loop_count, replayed.usage.calls),
        (run.state, 3, 4)
    );
    assert_eq!(again.notes()[0]["value"], lab.notes()[0]["value"]);
}

async fn two_steps(lab: &mut Lab) -> (Agent, Run) {
    lab.says(&ram_add("a", "1"));
    lab.says(&ram_add("a", "2"));
    let mut agent = lab.start();
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run_id).await.unwrap();
    let run = agent.step(run_id).await.unwrap();
    (agent, run)
}

#[tokio::test]
async fn after_a_kill_the_file_is_whole_again_and_no_line_stands_twice() {
    let damages: [fn(&str) -> String; 5] = [
        str::to_owned,
        |text| text[..text.len() - 7].to_owned(),
        |text| text.lines().next().unwrap().to_owned() + "\n",
        |text| text.lines().next().unwrap().to_owned() + "\n\0\0\0\0",
        |_| String::new(),
    ];
    for (case, damage) in damages.iter().enumerate() {
        let mut lab = talkative();
        let (agent, run) = two_steps(&mut lab).await;
        drop(agent);
        let whole = lab.text(&file_of(&run));
        lab.write(&file_of(&run), &damage(&whole));
        lab.says(&ram_add("a", "3"));
        let mut agent = lab.start();
        assert_eq!(lab.text(&file_of(&run)), whole, "{case}");
        agent.step(run.run_id).await.unwrap();
        let told = lines(&lab.text(&file_of(&run)));
        assert_eq!(places(&told), [(1, 1), (2, 1), (3, 1)], "{case}");
    }
}

#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
#[tokio::test]
async fn what_a_person_removed_stays_removed_after_a_good_stop() {
    let mut lab = talkative();
    let (agent, run) = two_steps(&mut lab).await;
    agent.close().unwrap();
    let folder = lab.path("data/conversations");
    std::fs::rename(folder, lab.path("moved away")).unwrap();
    drop(lab.start());
    assert!(!lab.path(&file_of(&run)).exists());
}

#[tokio::test]
async fn without_room_a_line_is_owed_and_written_later() {
    let mut lab = talkative();
    // Something is left to do, so that no step ends the run.
    lab.says(&(ram_add("a", "1") + &ram_add("steps", "more")));
    lab.says(&ram_add("a", "2"));
    let disk = SimDisk::new(3);
    let provider = connect(&lab.config.provider, None).unwrap();
    let mut agent = lab.start_with(LockedRoot::unshared(Box::new(disk.clone())), provider);
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run_id).await.unwrap();
    let path = PathBuf::from(format!("data/conversations/{run_id}.jsonl"));
    let read = |disk: &SimDisk| {
        let bytes = disk.clone().read(&path, usize::MAX).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(read(&disk).lines().count(), 1);
    // Of an iteration's calls the append to the conversation is the last one.
    let before = disk.calls();
    agent.step(run_id).await.unwrap();
    let per_step = disk.calls() - before;
    lab.says(&ram_add("a", "3"));
    disk.fail_call(disk.calls() + per_step, Fault::FullAfter(9), false);
    agent.step(run_id).await.unwrap();
    assert_eq!(
        places(&lines(&read(&disk))),
        [(1, 1), (2, 1)],
        "nothing torn is left"
    );
    agent.close().unwrap();
    assert_eq!(places(&lines(&read(&disk))), [(1, 1), (2, 1), (3, 1)]);
}

/// What was retained is decided again as it was then; under other rules the first difference is named.
#[tokio::test]
async fn a_replay_decides_the_same_or_says_what_differs() {
    let mut lab = talkative();
    lab.says(&ram_add("steps", "write"));
    lab.says(
        "<record_add><keywords>x</keywords><value>y</value><kind>secret</kind></record_add>\
         <record_add><keywords>tea</keywords><value>Green.</value><title>Tea</title></record_add>",
    );
    lab.says("no instruction at all");
    lab.says(&ram_add("think_log", "well"));
    let run = lab.run("Keep tea").await;
    let look = |lab: &Lab| {
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        replay(&mut disk, &lab.config, &lab.prompt, run.run_id)
    };
    let again = look(&lab).unwrap();
    let same: Vec<Option<bool>> = again.iter().map(|it| it.same).collect();
    assert_eq!(same, vec![Some(true); 3], "{again:#?}");
    lab.config
        .scope
        .allowed_note_kinds
        .push("secret".to_owned());
    let again = look(&lab).unwrap();
    assert_eq!(again[1].same, Some(false));
    let [then, now] = again[1].difference.clone().unwrap();
    assert!(then != now && now.contains("note.created"), "{then} {now}");
    lab.config.memory.retain_full_conversation_logs = false;
    lab.says(&ram_add("mood", "a"));
    lab.says(&ram_add("mood", "b"));
    lab.says(&ram_add("mood", "c"));
    let quiet = lab.run("Say nothing of it").await;
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let told = replay(&mut disk, &lab.config, &lab.prompt, quiet.run_id);
    assert_eq!(told.unwrap_err().code, Code::ConversationNotKept);
}

/// A request that is put while nothing is asked stands in the next prompt, but is not the one that was
/// worked at: the answer does not clear it, and a replay says so, too.
#[tokio::test]
async fn a_replay_knows_that_a_request_came_between_two_iterations() {
    let mut lab = talkative();
    for index in 0..6 {
        lab.says(&ram_add("n", &index.to_string()));
    }
    let root = lab.root().to_path_buf();
    let mut commits = 0;
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Committed { .. }) {
            commits += 1;
            if commits == 2 {
                let request = json!({"user_request": "another"});
                edit_kv(&root, &[("context", request)]);
            }
        }
    });
    let run = lab.run("Keep tea").await;
    assert_eq!(lab.peer.request_count(), 6, "it went round twice");
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let again = replay(&mut disk, &lab.config, &lab.prompt, run.run_id).unwrap();
    let same: Vec<Option<bool>> = again.iter().map(|it| it.same).collect();
    assert_eq!(same, vec![Some(true); 6], "{again:#?}");
}

/// A rule that may do what others may not: its run is decided again as it was, with its action.
#[tokio::test]
async fn a_replay_reads_the_run_of_a_rule_with_what_its_action_changes() {
    let mut lab = talkative();
    lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    let mut file: Value = serde_json::from_str(&lab.text("data/config.json")).unwrap();
    file["memory"]["retain_full_conversation_logs"] = json!(true);
    lab.write("data/config.json", &file.to_string());
    let times = json!({"cron": "* * * * *"});
    let mut minute = rule(EACH_MINUTE, "automation_schedule.cron", &times);
    minute["action_json"]["scope"] = json!({"allowed_note_kinds": ["secret"]});
    take_rules(&mut lab, &[minute]);
    for _ in 0..3 {
        lab.says(&ram_add("think_log", "a start"));
    }
    lab.says(&ram_add("steps", "write"));
    lab.says("<record_add><keywords>x</keywords><value>y</value><kind>secret</kind></record_add>");
    lab.says(&ram_add("think_log", "well"));
    live_for(&mut lab, 2).await;
    let run = of_rules(&lab).remove(0);
    assert!(succeeded(&run) && lab.notes()[0]["note_kind"] == "secret");
    let look = |lab: &Lab| {
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        let again = replay(&mut disk, &lab.config, &lab.prompt, run.run_id).unwrap();
        again.iter().map(|it| it.same).collect::<Vec<_>>()
    };
    assert_eq!(look(&lab), vec![Some(true); 3]);
    lab.config.actions.clear();
    assert_eq!(look(&lab)[1], Some(false));
}

/// What was not decided from the reply is not counted against it: ids that are drawn, how the question after
/// an unreadable reply failed, and how many iterations whoever started the run allowed it.
#[tokio::test]
async fn a_replay_tells_no_difference_where_there_is_none() {
    type Play = fn(&mut Lab);
    let plays: [(Play, Option<u32>, RunState); 3] = [
        (
            |lab| {
                lab.config.mode = Some(Mode::Reviewed);
                lab.says(&ram_add("steps", "write"));
                lab.says(&record_add("Tea", "Green."));
                lab.says(&ram_add("think_log", "well"));
            },
            None,
            RunState::Succeeded,
        ),
        (
            |lab| {
                lab.says("no instruction at all");
                lab.peer.push(Step::status(401));
            },
            None,
            RunState::Failed,
        ),
        (
            |lab| {
                lab.says(&ram_add("steps", "one\ntwo"));
                lab.says(&ram_add("mood", "calm"));
            },
            Some(2),
            RunState::Failed,
        ),
    ];
    for (play, bound, state) in plays {
        let mut lab = talkative();
        play(&mut lab);
        let mut agent = lab.start();
        agent.max_iterations = bound;
        let run = ask(&mut agent, "Keep tea").await;
        agent.close().unwrap();
        assert_eq!(run.state, state, "{run:?}");
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        let again = replay(&mut disk, &lab.config, &lab.prompt, run.run_id).unwrap();
        assert!(again.iter().any(|it| it.same.is_some()));
        assert!(again.iter().all(|it| it.same == Some(true)), "{again:#?}");
    }
}
