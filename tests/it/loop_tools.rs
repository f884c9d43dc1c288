//! The tools in the real loop: what prompts show of the two trees, and the log of the calls.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::ram_add;
use crate::agent::tools::{call, mv, set};
use crate::lab::{Lab, ask, succeeded};
use kjxlkj_agent::core::protocol::Tag;
use serde_json::{Value, json};

fn lab() -> Lab {
    let mut lab = Lab::new();
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab
}

fn log(lab: &Lab) -> Vec<Value> {
    serde_json::from_str(&lab.text("data/log.json")).unwrap()
}

#[tokio::test]
async fn l009_l012_l014_storage_is_in_no_prompt_until_it_is_asked_for() {
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
async fn l038_x36_the_system_message_comes_first_and_the_working_memory_last() {
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
async fn l051_l056_l066_every_call_is_in_the_log_and_the_newest_are_kept() {
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
        assert_eq!(lab.state().results.len(), 0, "nothing is left to show");
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
async fn l034_no_call_makes_a_file_beside_the_data() {
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
