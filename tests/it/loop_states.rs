//! The states of the loop as a model server sees them: which words come when, and what they show.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::tools::set as set_path;
use crate::agent::{ram_add, record_add, record_update};
use crate::lab::{Lab, Seen, ask, live, loaded, stop_after, succeeded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::agent::LoopState::{self, Evaluating, Executing, Planning};
use kjxlkj_agent::core::memory::MemoryLayout;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::ids::EventId;
use serde_json::{Value, json};

/// The state whose words a request holds; it must hold those of exactly one, and the default's.
fn state_asked(prompt: &str) -> LoopState {
    assert!(prompt.contains("[default words]"), "{prompt}");
    let holds = |state: &LoopState| prompt.contains(&format!("[{state} words]"));
    let found: Vec<LoopState> = LoopState::ALL.into_iter().filter(holds).collect();
    assert_eq!(found.len(), 1, "{prompt}");
    found[0]
}

fn states_asked(lab: &Lab) -> Vec<LoopState> {
    let count = lab.peer.request_count();
    (0..count)
        .map(|index| state_asked(&lab.prompt_text(index)))
        .collect()
}

#[tokio::test]
async fn a_request_goes_round_the_three_states() {
    let mut lab = Lab::new();
    lab.says(&(ram_add("plan", "write it") + &ram_add("steps", "write\ncheck")));
    for round in 0..2 {
        lab.says(&record_add(&format!("Note {round}"), "text"));
        lab.says(&ram_add("think_log", "fine"));
        if round == 0 {
            lab.says(&ram_add("think_log", "one step is left"));
        }
    }
    let run = lab.run("keep it").await;
    assert!(succeeded(&run));
    assert_eq!(
        states_asked(&lab),
        [
            Planning, Executing, Evaluating, Planning, Executing, Evaluating
        ]
    );
    assert_eq!(run.loop_count, 6, "one call an iteration");
    assert_eq!(lab.kv()["state"], "idle");
    assert_eq!(
        lab.kv()["steps"],
        json!([]),
        "each executing iteration with a note ends a step"
    );
}

#[tokio::test]
async fn idle_is_left_when_a_request_comes() {
    let mut lab = Lab::new();
    let round = || ["plan", "note", "log"];
    for (number, _) in round().iter().chain(&round()).enumerate() {
        lab.says(&record_add(&format!("Note {number}"), "text"));
    }
    // Each reply leaves a result to be shown, so only the bound ends these runs.
    lab.config.r#loop.max_iterations = Some(3);
    let mut agent = lab.start();
    ask(&mut agent, "first").await;
    assert_eq!(lab.kv()["state"], "idle");
    ask(&mut agent, "second").await;
    assert_eq!(states_asked(&lab)[3], Planning);
}

#[tokio::test]
async fn the_next_request_follows_the_state_in_the_file() {
    let cases = [
        (json!("evaluating"), Evaluating),
        (json!("record_organizing"), LoopState::RecordOrganizing),
        (json!("thinking"), Planning),
        (json!("dreaming"), Planning),
        (json!(17), Planning),
        (Value::Null, Planning),
    ];
    for (state, asked) in cases {
        let mut lab = Lab::new();
        lab.says(&ram_add("n", "1"));
        lab.says(&ram_add("n", "2"));
        let mut agent = lab.start();
        let event = EventId("e".to_owned());
        let run = agent.queue(event, Trigger::Manual, None).await.unwrap();
        agent.step(run).await.unwrap();
        lab.edit_kv(&[("state", state.clone())]);
        agent.step(run).await.unwrap();
        assert_eq!(states_asked(&lab)[1], asked, "{state}");
    }
}

#[tokio::test]
async fn a_key_that_is_missing_from_the_file_counts_as_planning() {
    let mut lab = Lab::new();
    lab.says(&ram_add("n", "1"));
    lab.says(&ram_add("n", "2"));
    let mut agent = lab.start();
    let event = EventId("e".to_owned());
    let run = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run).await.unwrap();
    agent.close().unwrap();
    lab.write("data/agent-kv-store.json", "{\"n\": \"by hand\"}");
    let mut agent = lab.start();
    agent.step(run).await.unwrap();
    assert_eq!(state_asked(&lab.prompt_text(1)), Planning);
    assert!(lab.prompt_text(1).contains("n: by hand"));
    let kv = lab.kv();
    for key in ["state", "plan", "steps", "context", "think_log"] {
        assert!(kv.get(key).is_some(), "{key} is back: {kv}");
    }
}

#[tokio::test]
async fn the_prompt_is_segments_then_data() {
    let mut lab = Lab::new();
    lab.says(&ram_add("colour", "teal < navy & \"black\""));
    lab.says(&ram_add("n", "2"));
    lab.config.r#loop.max_iterations = Some(2);
    lab.run("paint the shed").await;
    let asked = lab.asked(1);
    assert_eq!(asked[0], "[default words]");
    let last = asked.last().unwrap();
    assert!(last.starts_with("[executing words]"), "{last}");
    assert!(last.contains("paint the shed"), "{last}");
    assert!(
        last.contains("colour: teal &lt; navy &amp; \"black\""),
        "{last}"
    );
}

#[tokio::test]
async fn a_kill_between_two_loops_loses_nothing_and_leaks_no_chat() {
    let mut lab = Lab::new();
    lab.says(&(ram_add("colour", "teal") + "<!-- canary-prose -->"));
    lab.says(&ram_add("n", "2"));
    let mut agent = lab.start();
    let event = EventId("e".to_owned());
    let run = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run).await.unwrap();
    // No goodbye: the process is gone.
    drop(agent);
    let mut agent = lab.start();
    agent.step(run).await.unwrap();
    assert_eq!(
        state_asked(&lab.prompt_text(1)),
        Executing,
        "it goes on where it was"
    );
    assert!(lab.prompt_text(1).contains("colour: teal"));
    assert!(!lab.prompt_text(1).contains("canary-prose"));
    let body = lab.peer.requests()[1].json();
    let roles: Vec<&Value> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["role"])
        .collect();
    assert_eq!(roles, ["system", "user"], "no earlier turn is sent");
}

#[tokio::test]
async fn pauses_are_those_of_the_state() {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    let mut agent = lab.start();
    stop_after(&lab, 6);
    live(&mut agent).await;
    let slept = lab.clock.slept_ms();
    let two_loops = [1500, 1500];
    assert_eq!(
        slept[..2],
        two_loops,
        "between the iterations of the first run"
    );
    // Then idle iterations, looked for a second at a time, ever further apart.
    let idle = |seconds: usize| vec![1000; seconds];
    let expected = [idle(5), idle(10), idle(20)].concat();
    // The last wait was called off by the stop.
    assert_eq!(slept[2..slept.len() - 1], expected);
    let asked: Vec<LoopState> = lab
        .eyes
        .seen()
        .iter()
        .filter_map(|seen| match seen {
            Seen::Asking(state, _) => Some(*state),
            Seen::Began(..)
            | Seen::Unreadable(_)
            | Seen::Committed { .. }
            | Seen::Notice(_)
            | Seen::Waiting(..) => None,
        })
        .collect();
    assert_eq!(asked[3..], [LoopState::Idle; 3]);
}

#[tokio::test]
async fn organizing_and_paging_bring_their_own_words() {
    let mut lab = Lab::new();
    lab.says("<state_add><state>record_organizing</state></state_add>");
    lab.says(&ram_add("big", &"x".repeat(2100)));
    lab.says(&(record_add("Big", "kept") + "<ram_delete><key>big</key></ram_delete>"));
    lab.says(&ram_add("think_log", "back"));
    lab.config.r#loop.max_iterations = Some(4);
    lab.run("tidy up").await;
    assert_eq!(
        states_asked(&lab),
        [
            Planning,
            LoopState::RecordOrganizing,
            LoopState::Paging,
            Planning
        ]
    );
    // What filled RAM is a note now, and the prompt is small again.
    assert_eq!(lab.notes()[0]["title"], "Big");
    let lengths = [2, 3].map(|index| lab.prompt_text(index).len());
    assert!(lengths[0] > 2100 && lengths[1] < 1000, "{lengths:?}");
}

/// What a person fills before a run is paged before anything else, and then the run plans.
#[tokio::test]
async fn ram_that_a_person_filled_is_paged_first() {
    let mut lab = Lab::new();
    lab.start().close().unwrap();
    lab.edit_kv(&[("big", json!("x".repeat(3500))), ("small", json!("stays"))]);
    lab.says(&ram_add("think_log", "much"));
    lab.says(&ram_add("plan", "write it"));
    lab.says(&record_add("Done", "text"));
    lab.says(&ram_add("think_log", "fine"));
    let run = lab.run("keep it").await;
    assert!(succeeded(&run));
    let asked = states_asked(&lab);
    assert_eq!(asked, [LoopState::Paging, Planning, Executing, Evaluating]);
    assert_eq!(lab.kv()["big"], Value::Null);
    assert_eq!(lab.kv()["small"], json!("stays"));
}

#[tokio::test]
async fn stopping_and_starting_changes_nothing() {
    let mut lab = Lab::new();
    lab.says(&(ram_add("tree", "{\"a\": {\"b\": [null, 1.5, {}]}}") + &record_add("T", "v")));
    lab.says(&ram_add("n", "1"));
    lab.config.r#loop.max_iterations = Some(2);
    lab.run("keep this").await;
    let all = |lab: &Lab| (lab.kv(), lab.notes(), lab.runs(), lab.audit().len());
    let before = all(&lab);
    assert_eq!(before.0["tree"], json!({"a": {"b": [null, 1.5, {}]}}));
    for kill in [false, true] {
        let agent = lab.start();
        if kill {
            drop(agent);
        } else {
            agent.close().unwrap();
        }
        assert_eq!(all(&lab), before, "kill {kill}");
    }
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    lab.says(&ram_add("n", "2"));
    ask(&mut agent, "and again").await;
    let told = lab.prompt_text(2);
    // What a model kept for another request stands in RAM alone.
    assert!(!told.contains("tree"), "{told}");
    assert_eq!(lab.kv()["tree"], before.0["tree"]);
}

/// Files that can be derived are written again from the journal, byte for byte.
#[expect(clippy::disallowed_methods, reason = "a test may take files away")]
#[tokio::test]
async fn the_journal_replays_to_the_same_content() {
    let mut lab = Lab::new();
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    let gone = "<ram_delete><key>a</key></ram_delete>";
    let tree = set_path("/storage/tea/green", "[1, null]") + &set_path("/storage/tin", "red");
    lab.says(&(ram_add("a", "1") + &record_add("Tea", "green") + &tree));
    lab.says(&(record_update("Tea", "black") + &ram_add("b", "[1, 2]")));
    lab.says(&(record_add("Milk", "white") + gone + &set_path("/storage/tin", "blue")));
    lab.config.r#loop.max_iterations = Some(3);
    lab.run("keep this").await;
    let views = |lab: &Lab| {
        let journal = lab.path("data/journal");
        let mut files = lab.data_files();
        files.retain(|(path, _)| !path.starts_with(&journal) && !path.ends_with("daemon.lock"));
        files.sort();
        files
    };
    let before = views(&lab);
    let tree: Value = serde_json::from_str(&lab.text("data/storage.json")).unwrap();
    assert_eq!(tree, json!({"tea": {"green": [1, null]}, "tin": "blue"}));
    std::fs::remove_dir_all(lab.path("data/notes")).unwrap();
    for file in [
        "agent-kv-store.json",
        "storage.json",
        "context_keys.json",
        "log.json",
        "journal/checkpoint.json",
    ] {
        std::fs::remove_file(lab.path("data").join(file)).unwrap();
    }
    lab.start().close().unwrap();
    assert_eq!(views(&lab), before);
}

#[tokio::test]
async fn a_run_is_told_nothing_of_the_results_of_the_one_before() {
    let mut lab = Lab::new();
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    for request in ["first", "second"] {
        lab.says("<record_search><query>anything</query></record_search>");
        ask(&mut agent, request).await;
    }
    assert!(
        !lab.prompt_text(1).contains("action_result"),
        "{}",
        lab.prompt_text(1)
    );
}

#[tokio::test]
async fn leaving_a_state_takes_its_words_away() {
    let mut lab = Lab::new();
    lab.says("<state_add><state>record_organizing</state></state_add>");
    lab.says("<state_delete><state>record_organizing</state></state_delete>");
    lab.says(&ram_add("n", "1"));
    lab.config.r#loop.max_iterations = Some(3);
    lab.run("tidy up").await;
    assert_eq!(
        states_asked(&lab),
        [Planning, LoopState::RecordOrganizing, Planning]
    );
}

/// The iterations as the journal tells them: the state of each.
fn states_in_the_journal(lab: &Lab) -> Vec<String> {
    let commits = commits(lab);
    let done = commits.iter().flat_map(events);
    let done = done.filter(|(kind, _)| kind == "iteration.done");
    done.map(|(_, data)| data["state"].as_str().unwrap().to_owned())
        .collect()
}

fn commits(lab: &Lab) -> Vec<Value> {
    let journal = lab.text("data/journal/00000001.jsonl");
    journal.lines().map(|line| line.parse().unwrap()).collect()
}

/// The events of a commit: the name and the data of each.
fn events(commit: &Value) -> Vec<(String, Value)> {
    let kinds = commit["events"].as_array().unwrap().iter();
    let kinds = kinds.map(|event| event["type"].as_str().unwrap().to_owned());
    kinds
        .zip(commit["data"].as_array().unwrap().iter().cloned())
        .collect()
}

/// Thinking, executing, evaluating, paging, and round again: what outgrows RAM is paged before the next
/// thinking. `thinking` is another name of `planning`.
#[tokio::test]
async fn the_four_states_follow_one_another_in_the_journal() {
    let mut lab = Lab::new();
    lab.says(&ram_add("steps", "one\ntwo"));
    lab.says(&record_add("One", "text"));
    lab.says(&ram_add("big", &"x".repeat(2100)));
    lab.says("<ram_delete><key>big</key></ram_delete>");
    for _ in 0..3 {
        lab.says(&ram_add("think_log", "on"));
    }
    lab.config.r#loop.max_iterations = Some(7);
    lab.run("two things").await;
    let four = ["planning", "executing", "evaluating", "paging"];
    let states = states_in_the_journal(&lab);
    assert_eq!(states[..4], four);
    assert_eq!(states[4..], four[..3]);
    assert_eq!(LoopState::parse("thinking"), Some(Planning));
}

/// What was loaded, what the model was asked in which state, what became of its keys, where the loop
/// goes, what each instruction came to, and the files that hold it: in this order, in one line of the
/// journal but for the first.
#[tokio::test]
async fn the_journal_tells_the_six_phases_in_order() {
    let mut lab = Lab::new();
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab.config.memory_layout = MemoryLayout::Unified;
    lab.config.r#loop.max_iterations = Some(1);
    lab.says(
        "<action><store><key>kettle</key><value>Vinegar.</value><tags>home</tags></store>\
         <context_keys>kettle</context_keys></action>",
    );
    lab.run("store it").await;
    let all: Vec<(String, Value)> = commits(&lab).iter().flat_map(events).collect();
    let at = |kind: &str, is_it: &dyn Fn(&Value) -> bool| {
        let found = all
            .iter()
            .rposition(|(found, data)| found == kind && is_it(data));
        found.unwrap_or_else(|| unreachable!("{kind} in {all:?}"))
    };
    let any = |_: &Value| true;
    let phases = [
        at("run.started", &|data| {
            data["prompt_hash"] == lab.prompt.hash
        }),
        at("iteration.done", &|data| {
            data["state"] == "planning" && data["messages_hash"].as_str().unwrap().len() == 64
        }),
        at("storage.set", &|data| data["value"] == "Vinegar."),
        at("ram.set", &|data| data["key"] == "state"),
        at("keys.noted", &|data| {
            data["keys"]["kettle"]["tags"][0] == "home"
        }),
        at("instruction.decided", &|data| data["outcome"] == "applied"),
        at("views.written", &any),
    ];
    assert!(
        phases.is_sorted_by(|one, other| one < other),
        "{phases:?} {all:?}"
    );
    let files = &all[phases[6]].1["files"];
    for name in [
        "memory.json",
        "context_keys.json",
        "storage.json",
        "agent-kv-store.json",
    ] {
        assert!(
            files.get(format!("data/{name}")).is_some(),
            "{name}: {files}"
        );
    }
}

#[tokio::test]
async fn words_of_a_state_come_from_the_file_and_change_with_it() {
    let mut lab = Lab::new();
    let path = "data/agent-prompt.json";
    lab.write(
        path,
        &lab.text(path).replace("[planning words]", "[other words]"),
    );
    lab.prompt = loaded(lab.root()).prompt;
    for _ in 0..2 {
        lab.says(&ram_add("think_log", "on"));
    }
    lab.config.r#loop.max_iterations = Some(2);
    lab.run("x").await;
    let told = [0, 1].map(|index| lab.prompt_text(index));
    assert!(told[0].contains("[other words]") && !told[0].contains("[planning words]"));
    assert!(told[1].contains("[executing words]") && !told[1].contains("[other words]"));
}
