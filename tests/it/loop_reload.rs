//! Reading the configuration again: every key is either taken at once or named as one that waits.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::ram_add;
use crate::lab::{Lab, Seen, ask, connect_all, live};
use crate::loop_calls::told;
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::config::{self, Config, KEYS, TAKEN_AT_START};
use kjxlkj_agent::core::prompt::PromptFile;
use kjxlkj_agent::core::route::CircuitState;
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::{
    Agent, Clock as _, Halt, OutagePolicy, Reload, ReloadHandle, ReloadedConfig,
};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::provider::Sleeper as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const CONFIG: &str = "data/config.json";

/// Keys that accept one value only, as the rest is.
const CONSTANT: [&str; 3] = ["kind", "mode", "scope.cross_workspace_writes"];

/// Another good value for every other key.
#[expect(clippy::too_many_lines, reason = "one table")]
fn changes() -> Vec<(&'static str, Value)> {
    vec![
        ("prompt_path", json!("./data/other-prompt.json")),
        ("provider.provider_kind", json!("openai")),
        ("provider.base_url", json!(NOBODY[0])),
        ("provider.model", json!("other")),
        ("provider.timeout_ms", json!(7)),
        ("provider.max_tokens", json!(7)),
        ("provider.temperature", json!(0.7)),
        ("provider.api_key_env", json!("OTHER_KEY")),
        ("provider.context_tokens", json!(7777)),
        ("provider.stream", json!(false)),
        ("provider.constrain", json!("gbnf")),
        ("provider.fallback_models", json!(["other/one"])),
        (
            "provider.attribution",
            json!(["https://notes.example", "Notes"]),
        ),
        ("provider.ttl_seconds", json!(77)),
        ("provider.stall_timeout_ms", json!(7777)),
        ("provider.launch", json!({"command": ["other"]})),
        ("api.socket", json!(false)),
        ("api.tcp", json!("127.0.0.1:7777")),
        ("provider.command", json!(["claude"])),
        ("providers", json!([{"model": "other"}])),
        ("memory.kv_store_path", json!("./data/other-kv.json")),
        ("memory.retain_full_conversation_logs", json!(true)),
        ("memory.working_memory_character_max", json!(77)),
        ("memory.think_log_source", json!("model")),
        ("memory.think_log_max_chars", json!(7)),
        ("memory.layout", json!("unified")),
        ("memory.key_token_max", json!(7)),
        ("memory.working_memory_children_max", json!(7)),
        ("memory.system_auto_cleanup", json!(false)),
        ("memory.system_max_log_entries", json!(7)),
        ("token_budget.max_total", json!(3777)),
        ("token_budget.memory", json!(777)),
        ("token_budget.todo", json!(777)),
        ("token_budget.session", json!(777)),
        ("token_budget.system", json!(777)),
        ("token_budget.critical_reserve", json!(77)),
        ("loop.loop_delay_ms", json!(7)),
        ("loop.idle_delay_ms", json!(7)),
        ("loop.idle_delay_max_ms", json!(777_777)),
        ("loop.max_iterations", json!(-1)),
        ("loop.auto_advance", json!(false)),
        ("loop.max_stay", json!(7)),
        ("loop.parse_retries", json!(7)),
        ("loop.idle_profile", json!("sleep")),
        ("loop.protocol", json!("xml")),
        (
            "scope.workspace_id",
            json!("11111111-1111-4111-8111-111111111111"),
        ),
        (
            "scope.can_read_workspaces",
            json!(["22222222-2222-4222-8222-222222222222"]),
        ),
        ("scope.allowed_note_kinds", json!(["note", "diary"])),
        ("scope.max_notes_per_loop", json!(7)),
        ("scope.max_edits_per_loop", json!(7)),
        ("notes.similar_threshold", json!(0.7)),
        ("notes.refuse_near_duplicates", json!(true)),
        ("notes.organize_every", json!(7)),
        ("retry.max_retries", json!(7)),
        ("retry.base_delay_ms", json!(7)),
        ("retry.max_delay_ms", json!(7777)),
        ("budget.calls_per_day", json!(7777)),
        ("budget.tokens_per_day", json!(777_777_777)),
        ("budget.calls_per_run", json!(777)),
        ("budget.tokens_per_run", json!(777_777)),
        ("budget.calls_per_minute", json!(777)),
        ("parser.strict", json!(true)),
        ("journal.segment_bytes", json!(4096)),
        ("journal.retention_days", json!(1)),
        ("log.level", json!("debug")),
        ("log.format", json!("json")),
    ]
}

fn load(root: &Path) -> config::LoadedConfig {
    let environment = BTreeMap::from([
        ("OTHER_KEY".to_owned(), "secret".to_owned()),
        ("KJXLKJ_API_TOKEN".to_owned(), "t".repeat(43)),
    ]);
    config::load(root, &environment).unwrap()
}

/// A laboratory that runs what its files say, with one run behind it.
async fn lab() -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        Step::reply(&ram_add("think_log", "-"))
    }));
    set(&lab, &[("provider.base_url", json!(lab.peer.base_url()))]);
    let prompt = lab.text("data/agent-prompt.json");
    lab.write("data/other-prompt.json", &(prompt + "\n"));
    lab.config = load(lab.root()).config;
    lab.run("x").await;
    lab
}

/// Writes other values into the configuration.
fn set(lab: &Lab, changes: &[(&str, Value)]) {
    let mut file: Value = serde_json::from_str(&lab.text(CONFIG)).unwrap();
    for (path, value) in changes {
        let place = format!("/{}", path.replace('.', "/"));
        match file.pointer_mut(&place) {
            Some(known) => known.clone_from(value),
            None => file[*path] = value.clone(),
        }
    }
    lab.write(CONFIG, &file.to_string());
}

/// Starts the agent, with what a hang-up does.
fn start(lab: &mut Lab) -> (Agent, ReloadHandle) {
    let mut agent = lab.start();
    let root = lab.root().to_path_buf();
    let (handle, reload) = Reload::by(Box::new(move || {
        let loaded = load(&root);
        Ok(ReloadedConfig {
            servers: connect_all(&loaded.config),
            config: loaded.config,
            prompt: loaded.prompt,
            warnings: Vec::new(),
        })
    }));
    agent.reload_by(reload);
    (agent, handle)
}

/// Lives until the agent waits for the first time, or so many times.
async fn rest(lab: &Lab, agent: &mut Agent, waits: usize) {
    let stop = lab.stopper();
    let begun = lab.clock.slept_ms().len();
    lab.clock.at_wait(begun + waits, move || stop.stop());
    live(agent).await;
}

#[tokio::test]
async fn a_reload_takes_every_key_or_names_it_as_one_that_waits() {
    let changes = changes();
    for key in KEYS {
        let changed = changes.iter().any(|(path, _)| *path == key.path);
        assert_ne!(changed, CONSTANT.contains(&key.path), "{}", key.path);
    }
    let page = include_str!("../../src/help/config.md");
    let said = page.split("\n\n").find(|part| part.starts_with("SIGHUP"));
    for key in TAKEN_AT_START {
        assert!(said.unwrap().contains(&format!("`{key}`")), "{key}");
    }
    let mut lab = lab().await;
    let good = lab.text(CONFIG);
    let words = |config: &Config, prompt: &PromptFile| format!("{config:?} {}", prompt.hash);
    for (path, value) in changes {
        let (mut agent, handle) = start(&mut lab);
        let old = words(agent.config(), agent.prompt());
        set(&lab, &[(path, value)]);
        let fresh = load(lab.root());
        let new = words(&fresh.config, &fresh.prompt);
        assert_ne!(old, new, "{path}");
        let told = lab.eyes.notices().len();
        handle.ask();
        rest(&lab, &mut agent, 1).await;
        let now = words(agent.config(), agent.prompt());
        let mut notices = lab.eyes.notices().split_off(told);
        notices.retain(|notice| notice.contains("next start"));
        if TAKEN_AT_START.contains(&path) {
            assert_eq!(now, old, "{path}");
            assert!(
                notices.len() == 1 && notices[0].contains(path),
                "{path}: {notices:?}"
            );
        } else {
            assert_eq!(now, new, "{path}");
            assert!(notices.is_empty(), "{path}: {notices:?}");
        }
        agent.close().unwrap();
        lab.write(CONFIG, &good);
    }
}

#[tokio::test]
async fn another_model_asked_is_no_change_of_the_configuration() {
    let mut lab = lab().await;
    set(&lab, &[("provider.launch", json!({"command": ["same"]}))]);
    lab.config = load(lab.root()).config;
    let (mut agent, handle) = start(&mut lab);
    ask(&mut agent, "once more").await;
    let instead = "`peer-model` is asked instead";
    assert!(lab.eyes.notices().iter().any(|it| it.contains(instead)));
    let told = lab.eyes.notices().len();
    handle.ask();
    rest(&lab, &mut agent, 1).await;
    assert_eq!(lab.eyes.notices().split_off(told), Vec::<String>::new());
    assert_eq!(
        agent.config().provider.model,
        load(lab.root()).config.provider.model
    );
}

#[tokio::test]
async fn a_launch_beside_several_providers_has_not_changed_because_another_one_is_asked() {
    let mut lab = lab().await;
    let named = json!([{"provider_kind": "openai", "model": "peer-model",
        "base_url": lab.peer.base_url()}]);
    let launch = json!({"command": ["true"], "ready_timeout_ms": 1000});
    set(&lab, &[("providers", named), ("provider.launch", launch)]);
    lab.config = load(lab.root()).config;
    let (mut agent, handle) = start(&mut lab);
    for said in [0, 1] {
        handle.ask();
        ask(&mut agent, &format!("again {said}")).await;
        let notices = lab.eyes.notices();
        let launch = notices.iter().filter(|it| it.contains("provider.launch"));
        assert_eq!(launch.count(), said, "{notices:?}");
        set(&lab, &[("provider.launch", json!({"command": ["other"]}))]);
    }
}

#[tokio::test]
async fn a_reload_renews_no_minute_and_closes_no_circuit() {
    let mut lab = lab().await;
    let one = [("budget.calls_per_minute", json!(1))];
    set(&lab, &one);
    lab.config = load(lab.root()).config;
    lab.patience = OutagePolicy::None;
    let (mut agent, handle) = start(&mut lab);
    let event = EventId("e".to_owned());
    let request = Some("do it".to_owned());
    let run_id = agent.queue(event, Trigger::Request, request).await.unwrap();
    agent.step(run_id).await.unwrap();
    handle.ask();
    let Err(Halt::Failed(failure)) = agent.step(run_id).await else {
        panic!("the minute is used up");
    };
    assert_eq!(failure.code, Code::RateLimited);

    let peer = Peer::answering(|_, _| Step::status(500));
    let mut lab = Lab::with_peer(peer);
    let changes = [
        ("provider.base_url", json!(lab.peer.base_url())),
        ("retry.max_retries", json!(4)),
    ];
    set(&lab, &changes);
    lab.config = load(lab.root()).config;
    let (mut agent, handle) = start(&mut lab);
    ask(&mut agent, "fails").await;
    let opened_at = lab.clock.now();
    for _ in 0..2 {
        assert_eq!(agent.health().circuit_state, CircuitState::Open);
        assert_eq!(lab.peer.request_count(), 5);
        handle.ask();
        rest(&lab, &mut agent, 1).await;
        // As if the wait had been none.
        lab.clock.advance(opened_at.millis - lab.clock.now().millis);
    }
}

#[tokio::test]
async fn a_reload_while_nobody_answers_leaves_no_question_untold() {
    let mut lab = Lab::new();
    let listed = |name: &str, base_url: &str| json!({"name": name, "provider_kind": "openai", "model": "m", "base_url": base_url});
    let [near, far] = NOBODY;
    let changes = [
        (
            "providers",
            json!([listed("near", near), listed("far", far)]),
        ),
        ("retry.max_retries", json!(4)),
    ];
    set(&lab, &changes);
    lab.config = load(lab.root()).config;
    let (mut agent, handle) = start(&mut lab);
    let (stop, mut waits) = (lab.stopper(), 0);
    lab.eyes.react(move |seen| {
        if !matches!(seen, Seen::Waiting(..)) {
            return;
        }
        waits += 1;
        if waits == 1 {
            handle.ask();
        } else {
            stop.stop();
        }
    });
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    agent.step(run_id).await.unwrap_err();
    agent.close().unwrap();
    let told = told(&lab, "call.made");
    for (call, name) in told.iter().zip(["near", "far"]) {
        assert_eq!(call["provider"], json!(name));
        assert_eq!(call["failures"].as_array().unwrap().len(), 5);
    }
    assert!(told.len() >= 2, "{told:?}");
}

#[tokio::test]
async fn the_store_follows_a_reload() {
    let mut lab = lab().await;
    let (mut agent, handle) = start(&mut lab);
    let other = "11111111-1111-4111-8111-111111111111";
    set(
        &lab,
        &[
            ("journal.segment_bytes", json!(4096)),
            ("journal.retention_days", json!(1)),
            ("scope.workspace_id", json!(other)),
        ],
    );
    handle.ask();
    for number in 0..10 {
        ask(&mut agent, &number.to_string()).await;
    }
    assert!(segments(&lab).len() > 2, "{:?}", segments(&lab));
    assert_eq!(segments(&lab)[0], "00000001.jsonl");
    lab.write("data/notes/mine.json", &json!({"value": "v"}).to_string());
    rest(&lab, &mut agent, 8).await;
    assert_eq!(lab.notes()[0]["workspace_id"], other);
    lab.clock.sleep(Duration::from_hours(48)).await;
    agent.close().unwrap();

    // What the reload left in force is told apart from what a start would take.
    set(&lab, &[("journal.retention_days", json!(365))]);
    lab.config = load(lab.root()).config;
    let (mut agent, handle) = start(&mut lab);
    set(&lab, &[("journal.retention_days", json!(1))]);
    handle.ask();
    ask(&mut agent, "again").await;
    rest(&lab, &mut agent, 1).await;
    assert_ne!(segments(&lab)[0], "00000001.jsonl");
}

fn segments(lab: &Lab) -> Vec<String> {
    let mut names = lab.names("data/journal");
    names.retain(|name| name != "checkpoint.json");
    names
}
