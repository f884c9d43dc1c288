//! The tools in the real loop: what prompts show of the two trees, and the log of the calls.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::tools::{call, mv, set};
use crate::agent::{ram_add, record_add, search};
use crate::lab::{Lab, ask, succeeded};
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::Agent;
use kjxlkj_agent::ids::{EventId, RunId};
use serde_json::{Value, json};

fn lab() -> Lab {
    let mut lab = Lab::new();
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab
}

/// A run without a request, which a test takes step by step.
async fn opened(agent: &mut Agent, event: &str) -> RunId {
    let event = EventId(event.to_owned());
    agent.queue(event, Trigger::Manual, None).await.unwrap()
}

/// Has the model say something in one iteration; gives what the next prompt is told of it.
async fn step(lab: &Lab, agent: &mut Agent, run: RunId, reply: &str) -> Vec<String> {
    lab.says(reply);
    agent.step(run).await.unwrap();
    let results = agent.store().state().main.results.iter();
    results.map(|result| result.message.clone()).collect()
}

fn log(lab: &Lab) -> Vec<Value> {
    serde_json::from_str(&lab.text("data/log.json")).unwrap()
}

#[tokio::test]
async fn storage_is_in_no_prompt_until_it_is_asked_for() {
    let mut lab = lab();
    lab.says(
        &(set("/storage/hidden", "stored-marker") + &set("/working_memory/open", "ram-marker")),
    );
    lab.says(&call("get", "/storage/hidden", ""));
    lab.says(&call("ls", "/storage", ""));
    for _ in 0..3 {
        lab.says(&ram_add("think_log", "on"));
    }
    let run = lab.run("x").await;
    assert!(succeeded(&run));
    assert_eq!(run.loop_count, 6);
    for index in 1..6 {
        let prompt = lab.prompt_text(index);
        assert!(prompt.contains("ram-marker"), "{index}: {prompt}");
        // In the one prompt after it was asked for, and never again.
        assert_eq!(
            prompt.contains("stored-marker"),
            index == 2,
            "{index}: {prompt}"
        );
    }
    assert!(lab.text("data/storage.json").contains("stored-marker"));
    assert!(
        !lab.text("data/agent-kv-store.json")
            .contains("stored-marker")
    );
}

#[tokio::test]
async fn the_system_message_comes_first_and_the_working_memory_last() {
    let mut lab = lab();
    lab.says(&set("/working_memory/open", "{\"a\": \"ram-marker <b>\"}"));
    lab.says(&ram_add("think_log", "on"));
    lab.says(&ram_add("think_log", "on"));
    lab.run("x").await;
    let body = lab.peer.requests()[1].json();
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert!(!messages[0].to_string().contains("ram-marker"));
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "user");
    let text = last["content"].as_str().unwrap();
    let (_, ram) = text.split_once("<ram>").unwrap();
    let (ram, _) = ram.split_once("</ram>").unwrap();
    assert!(
        ram.contains("open: {\"a\":\"ram-marker &lt;b&gt;\"}"),
        "{ram}"
    );
}

#[tokio::test]
async fn every_call_is_in_the_log_and_the_newest_are_kept() {
    for (entries_max, kept) in [(1000, 50), (10, 10)] {
        let mut lab = lab();
        lab.config.log_entries_max = entries_max;
        let each = |act: fn(&str) -> String| -> String {
            let paths = (0..25).map(|number| format!("/storage/n{number}"));
            paths.map(|path| act(&path)).collect()
        };
        lab.says(&each(|path| set(path, "v")));
        lab.says(&(each(|path| call("get", path, ""))));
        lab.says(&ram_add("think_log", "on"));
        let run = lab.run("x").await;
        assert!(succeeded(&run));
        assert_eq!(lab.state().main.results.len(), 0, "nothing is left to show");
        let entries = log(&lab);
        assert_eq!(entries.len(), kept);
        let last = entries.last().unwrap();
        assert_eq!(
            (
                &last["op"],
                &last["target"],
                &last["outcome"],
                &last["iteration"]
            ),
            (
                &json!("get"),
                &json!("/storage/n24"),
                &json!("applied"),
                &json!(2)
            )
        );
        assert_eq!(last["run_id"], json!(run.run_id));
        if kept == 50 {
            assert_eq!(entries[0]["op"], "set");
            // Another start reads it back, and goes on.
            let mut agent = lab.start();
            lab.says(&(call("get", "/storage/none", "") + &ram_add("k", "v")));
            lab.says(&ram_add("think_log", "on"));
            lab.says(&ram_add("think_log", "on"));
            ask(&mut agent, "y").await;
            agent.close().unwrap();
            let entries = log(&lab);
            assert_eq!(entries.len(), 51);
            assert_eq!(entries[50]["code"], "RECORD_NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn no_call_makes_a_file_beside_the_data() {
    let mut lab = lab();
    let reply = set("/storage/../../escape", "x")
        + &set("/etc/escape", "x")
        + &mv("/storage/a", "/../escape")
        + &call("mkdir", "/storage/../escape", "")
        + &set("/storage/fine", "x");
    lab.says(&reply);
    lab.says(&ram_add("think_log", "on"));
    lab.says(&ram_add("think_log", "on"));
    lab.run("x").await;
    assert_eq!(lab.names(""), ["data"]);
    let files = lab.data_files();
    let bytes: Vec<_> = files
        .iter()
        .filter(|(path, _)| path.to_string_lossy().contains("escape"))
        .collect();
    assert_eq!(bytes, Vec::<&(std::path::PathBuf, Vec<u8>)>::new());
}

/// Far too much in RAM: the model moves it away in the paging iteration, and what RAM takes falls to
/// what it was.
#[tokio::test]
async fn what_outgrows_working_memory_is_moved_to_storage_and_its_usage_falls() {
    let big = "tea leaves ".repeat(200);
    let usage = call("get", "/working_memory/system_info/usage/characters", "");
    let archive = "<paging><archive>big</archive></paging>".to_owned();
    for (away, place) in [
        (mv("/working_memory/big", "/storage/big"), "/big"),
        (archive, "/archive/big"),
    ] {
        let mut lab = lab();
        let mut agent = lab.start();
        let run = opened(&mut agent, "e").await;
        let used = async |lab: &Lab, agent: &mut Agent| -> usize {
            let told = step(lab, agent, run, &usage).await;
            told[0].parse().unwrap()
        };
        let before = used(&lab, &mut agent).await;
        step(&lab, &mut agent, run, &ram_add("big", &big)).await;
        assert_eq!(lab.kv()["state"], "paging");
        step(&lab, &mut agent, run, &(usage.clone() + &away)).await;
        let over: usize = agent.store().state().main.results[0]
            .message
            .parse()
            .unwrap();
        let after = used(&lab, &mut agent).await;
        assert!(over > before + 2000, "{before} {over}");
        assert!(after < before + 100, "{before} {over} {after}");
        let asked = lab.peer.request_count();
        let lengths = [2, 1].map(|back| lab.prompt_text(asked - back).len());
        assert!(lengths[0] > 2100 && lengths[1] < 1000, "{lengths:?}");
        agent.close().unwrap();
        let tree: Value = serde_json::from_str(&lab.text("data/storage.json")).unwrap();
        assert_eq!(tree.pointer(place), Some(&json!(big.trim())), "{tree}");
        assert_eq!(lab.kv().get("big"), None);
    }
}

/// Both keys are the model's to keep; each prompt shows them as they are then.
#[tokio::test]
async fn next_action_and_todo_stand_in_working_memory_and_in_each_prompt() {
    const TODO: &str = "/working_memory/user_data/todo";
    let mut lab = lab();
    let mut agent = lab.start();
    let run = opened(&mut agent, "e").await;
    // As long as there is a step to do the run goes on.
    step(&lab, &mut agent, run, &ram_add("steps", "shop")).await;
    let replies = [
        set(&format!("{TODO}/tea"), "buy some") + &ram_add("next_action", "look in the tin"),
        set(&format!("{TODO}/milk"), "order") + &set("/working_memory/next_action", "go shopping"),
        call("rm", &format!("{TODO}/tea"), "") + &ram_add("next_action", "rest"),
    ];
    let expected = [
        (json!({"tea": "buy some"}), "look in the tin"),
        (json!({"milk": "order", "tea": "buy some"}), "go shopping"),
        (json!({"milk": "order"}), "rest"),
    ];
    for (reply, (todo, next)) in replies.iter().zip(expected) {
        step(&lab, &mut agent, run, reply).await;
        assert_eq!(lab.kv()["user_data"], json!({"todo": todo}));
        assert_eq!(lab.kv()["next_action"], next);
        let held = step(&lab, &mut agent, run, &call("get", TODO, "")).await;
        assert_eq!(serde_json::from_str::<Value>(&held[0]).unwrap(), todo);
        let told = lab.prompt_text(lab.peer.request_count() - 1);
        assert!(told.contains(&format!("next_action: {next}\n")), "{told}");
        let line = format!("user_data: {}", json!({"todo": todo}));
        assert!(told.contains(&line), "{line} in {told}");
    }
}

/// What is told of a note that was found, of a refusal, and of a reply that was wrong in its form: the
/// members by path, and the same in the prompt, in the one that follows and in no other.
#[tokio::test]
async fn a_result_has_these_members_by_path_and_in_the_next_prompt() {
    let mut lab = lab();
    let mut agent = lab.start();
    let run = opened(&mut agent, "e").await;
    let notes = record_add("Tin", "blue") + &record_add("Tea", "green, in the [[Tin]]");
    step(&lab, &mut agent, run, &notes).await;
    let reply = search("green")
        + &call("get", "/storage/none", "")
        + "<record_update><key>Tea</key></record_update>";
    step(&lab, &mut agent, run, &reply).await;
    let list = call("get", "/working_memory/action_result", "");
    let told = step(&lab, &mut agent, run, &list).await;
    let mut held: Value = serde_json::from_str(&told[0]).unwrap();
    for (number, result) in held.as_object_mut().unwrap() {
        // The items of a search say everything.
        let is_said = result["message"].take() != json!("");
        assert_eq!(is_said, number != "_3", "{result}");
        if let Some(example) = result.get_mut("example") {
            assert!(example.take().to_string().contains("<record_update>"));
        }
    }
    let id = lab.notes()[0]["id"].clone();
    let tea = json!({"id": id, "version": 1, "title": "Tea", "text": "green, in the [[Tin]]",
                     "links": ["Tin"],
                     "page": {"asked": "Tea", "from": 0, "shown": 21, "total": 21}});
    let expected = json!({
        "_3": {"op": "record_search", "target": "green", "message": null, "items": [tea]},
        "_4": {"op": "get", "target": "/storage/none", "code": "RECORD_NOT_FOUND", "message": null},
        "_5": {"op": "record_update", "target": "", "code": "INSTRUCTION_INVALID", "message": null,
               "example": null},
    });
    assert_eq!(held, expected);
    let id = id.as_str().unwrap();
    let in_prompt = [
        "<action_result><op>record_search</op><target>green</target>\n<note>".to_owned(),
        format!(
            "<note><id>{id}</id><version>1</version><title>Tea</title>\
             <text>green, in the [[Tin]]</text><links>Tin</links></note></action_result>"
        ),
        "<action_result><op>get</op><target>/storage/none</target>\
         <code>RECORD_NOT_FOUND</code><message>"
            .to_owned(),
        "<action_result><op>record_update</op><code>INSTRUCTION_INVALID</code><message>".to_owned(),
    ];
    step(&lab, &mut agent, run, &ram_add("n", "1")).await;
    for index in 0..4 {
        let prompt = lab.prompt_text(index);
        for shown in &in_prompt {
            assert_eq!(
                prompt.contains(shown),
                index == 2,
                "{index} {shown}: {prompt}"
            );
        }
    }
}

/// A stop, a kill, and a start without a checkpoint: the next result has the next number.
#[tokio::test]
async fn the_count_of_results_goes_on_after_every_restart() {
    let mut lab = lab();
    let list = call("ls", "/working_memory/action_result", "");
    let mut agent = lab.start();
    let run = opened(&mut agent, "e").await;
    step(&lab, &mut agent, run, &call("ls", "/storage", "")).await;
    for (number, how) in ["stop", "kill", "no checkpoint"].iter().enumerate() {
        if *how == "stop" {
            agent.close().unwrap();
        } else {
            drop(agent);
        }
        if *how == "no checkpoint" {
            lab.remove("data/journal/checkpoint.json");
        }
        agent = lab.start();
        let told = step(&lab, &mut agent, run, &list).await;
        assert_eq!(told, [format!("_{}/", number + 1)], "{how}");
        assert_eq!(
            agent.store().state().main.result_log.last(),
            number as u64 + 2
        );
    }
}
