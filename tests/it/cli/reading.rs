//! The verbs that only read: their shapes, also on a root without data, without a key, beside a
//! daemon; and the checks of `doctor`.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use super::sandbox::{Sandbox, answer, state_in, worker};
use crate::peer::{NOBODY, Peer, Step, event, said};
use serde_json::{Value, json};
use std::time::Duration;

/// Every verb that only reads a root.
const READERS: [&[&str]; 12] = [
    &["status"],
    &["ram", "list"],
    &["ram", "get", "plan"],
    &["notes", "list"],
    &["notes", "search", "tea"],
    &["notes", "issues"],
    &["runs", "list"],
    &["audit", "list"],
    &["audit", "verify"],
    &["audit", "head"],
    &["config", "show"],
    &["prompt"],
];

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

fn done_task() -> (Peer, Sandbox, String) {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let record = sandbox.json(&["run", "--task", "Remember tea"]);
    let run_id = record["run_id"].as_str().unwrap().to_owned();
    (peer, sandbox, run_id)
}

#[test]
fn readers_work_on_a_root_without_data_and_without_a_key() {
    let sandbox = Sandbox::empty();
    let provider = json!({"provider_kind": "openrouter", "base_url": "https://127.0.0.1:9/v1"});
    sandbox.configure("https://127.0.0.1:9/v1", &json!({ "provider": provider }));
    let before = sandbox.snapshot();
    for verb in READERS {
        let text = sandbox.cli(verb).ended(0);
        assert!(text.stdout.ends_with('\n'), "{verb:?}: {text:?}");
        assert_eq!(text.stderr, "", "{verb:?}");
        let value = sandbox.json(verb);
        if let Some(items) = value.get("items") {
            assert!(items.is_array(), "{verb:?}");
            assert_eq!(
                keys(&value["pagination"]),
                ["hasMore", "limit", "offset", "total"]
            );
        }
    }
    assert_eq!(sandbox.snapshot(), before, "nothing was written");
    let done = sandbox.cli(&["daemon"]).ended(78);
    assert!(done.stderr.contains("OPENROUTER_API_KEY"), "{done:?}");
}

#[test]
fn readers_of_a_folder_that_is_no_root_say_what_is_missing() {
    let sandbox = Sandbox::empty();
    for verb in READERS {
        let done = sandbox.cli(verb).ended(78);
        assert!(
            done.stderr.contains("error[CONFIG_JSON_INVALID]"),
            "{verb:?}"
        );
        assert!(done.stderr.contains("init"), "{verb:?}: {done:?}");
    }
    // Some need no root at all.
    sandbox.cli(&["explain", "USAGE"]).ended(0);
    sandbox.cli(&["config", "schema"]).ended(0);
    let reply = "<ram_delete><key>a</key></ram_delete>";
    sandbox.cli_reading(&["parse"], reply.as_bytes()).ended(0);
    assert!(sandbox.snapshot().is_empty());
}

#[test]
fn the_root_comes_from_option_environment_or_working_directory() {
    let sandbox = Sandbox::quiet();
    let elsewhere = Sandbox::empty();
    let root = sandbox.root().display().to_string();
    let shown = |done: super::sandbox::Done| done.ended(0).json()["root"].clone();
    let json_format = ["status", "--format", "json"];
    assert_eq!(shown(sandbox.cli(&json_format)), json!(root));
    let by_option = [&["--root", &root][..], &json_format].concat();
    assert_eq!(shown(elsewhere.cli(&by_option)), json!(root));
    let mut command = elsewhere.command(&json_format);
    command.env("KJXLKJ_ROOT", &root);
    assert_eq!(shown(super::sandbox::finished(command)), json!(root));
}

#[test]
fn notes_are_searched_with_and_without_the_index() {
    let sandbox = Sandbox::quiet();
    crate::search::fill_root(&sandbox.root());
    let queries = [
        "\"day 17\"",
        "day 17",
        "page tea",
        "milk",
        "\u{65e5}\u{672c}",
    ];
    let found = || queries.map(|query| sandbox.json(&["notes", "search", query, "--limit", "20"]));
    let with = found();
    assert_eq!(with[0]["items"][0]["title"], json!("Page 17"));
    let totals = with.clone().map(|list| list["pagination"]["total"].clone());
    assert_eq!(totals, [1, 11, 1000, 0, 0].map(Value::from));
    let status = sandbox.json(&["status"]);
    assert_eq!(status["notes"]["index"]["notes"], json!(1000));
    let doctor = || sandbox.cli(&["doctor"]).stdout;
    assert!(doctor().contains("covers 1000 notes"), "{}", doctor());
    crate::search::remove_index(&sandbox.root());
    assert_eq!(found(), with);
    assert_eq!(sandbox.json(&["status"])["notes"]["index"], Value::Null);
    assert!(
        doctor().contains("warn  index       missing; each search reads all of 1000 notes"),
        "{}",
        doctor()
    );
    // Readers build none.
    assert!(!sandbox.path("data/index").exists());
}

#[test]
fn status_says_how_things_stand() {
    let (_peer, sandbox, _) = done_task();
    sandbox.cli(&["ask", "More"]).ended(0);
    let status = sandbox.json(&["status"]);
    assert_eq!(status["agent_name"], json!("kjxlkj-agent"));
    assert_eq!(status["state"], json!("idle"));
    assert_eq!(status["notes"]["count"], json!(1));
    assert_eq!(status["ram"]["character_max"], json!(2048));
    assert!(status["ram"]["characters"].as_u64().unwrap() > 0);
    assert!(status["prompt"]["estimated_tokens"].as_u64().unwrap() > 50);
    assert_eq!(status["runs"]["open"], json!([]));
    assert_eq!(status["last_failures"], json!([]));
    assert_eq!(status["provider"]["asked_instead"], json!(null));
    assert_eq!(status["warnings"], json!([]));
    let head = sandbox.json(&["audit", "head"]);
    assert_eq!(status["head"], head);
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    for part in [
        "kjxlkj-agent",
        "idle",
        "1 note",
        "not running",
        "an estimate",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A window that nobody named is a warning.
    sandbox.configure(NOBODY[0], &json!({"provider": {"context_tokens": null}}));
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("warning: `provider.context_tokens`"),
        "{text}"
    );
    assert!(text.contains("4096 tokens is assumed"), "{text}");
}

#[test]
fn runs_and_audit_tell_what_happened() {
    let (_peer, sandbox, run_id) = done_task();
    let shown = sandbox.json(&["runs", "show", &run_id]);
    let operations = shown["operations"].as_array().unwrap();
    // The daemon itself put the request into RAM; the rest is the model's.
    let (own, operations) = operations.split_first().unwrap();
    assert_eq!(
        (&own["op"], &own["actor_type"]),
        (&json!("ram.set"), &json!("daemon"))
    );
    let ops = operations.iter().map(|one| one["op"].as_str().unwrap());
    let ops: Vec<&str> = ops.collect();
    assert_eq!(
        ops,
        ["ram_add", "ram_add", "record_add", "ram_add", "ram_add"]
    );
    assert_eq!(
        keys(&operations[0]),
        [
            "actor_type",
            "code",
            "iteration",
            "op",
            "outcome",
            "prompt_hash",
            "proposed",
            "repaired",
            "run_id",
            "seq",
            "target",
            "ts"
        ]
    );
    assert_eq!(operations[0]["run_id"], json!(run_id));
    assert_eq!(operations[0]["outcome"], json!("applied"));
    assert_eq!(operations[0]["prompt_hash"].as_str().unwrap().len(), 64);
    let audit = sandbox.json(&["audit", "list", "--run", &run_id]);
    assert_eq!(audit["items"], shown["operations"]);
    let last = sandbox.json(&["audit", "list", "--limit", "2"]);
    let total = last["pagination"]["total"].as_u64().unwrap();
    assert_eq!(last["pagination"]["offset"].as_u64().unwrap(), total - 2);
    assert_eq!(last["pagination"]["hasMore"], json!(false));
    let first = sandbox.json(&["audit", "list", "--limit", "2", "--offset", "0"]);
    assert_eq!(first["pagination"]["hasMore"], json!(true));

    // Tag, target and outcome; never what the model wrote.
    assert!(!shown.to_string().contains("Buy tea"), "{shown:#}");
    // The results were cleared from memory long ago; the trail still has every action.
    let prompt = sandbox.json(&["prompt"]).to_string();
    assert!(!prompt.contains("record_add</op>"), "{prompt}");

    let text = sandbox.cli(&["runs", "show", &run_id]).ended(0).stdout;
    assert!(
        text.contains("Remember tea") && text.contains("record_add"),
        "{text}"
    );
    let text = sandbox.cli(&["runs", "list"]).ended(0).stdout;
    assert!(
        text.contains(&run_id[..8]) && text.contains("Succeeded"),
        "{text}"
    );
    for unknown in ["00000000-0000-0000-0000-000000000000", "nonsense"] {
        let done = sandbox
            .cli(&["runs", "show", unknown, "--format", "json"])
            .ended(1);
        assert_eq!(done.error()["code"], json!("RUN_NOT_FOUND"));
    }

    let verified = sandbox.json(&["audit", "verify"]);
    assert_eq!(
        keys(&verified),
        ["commits", "first_bad", "head", "ok", "torn_bytes"]
    );
    assert_eq!(verified["first_bad"], json!(null));
    assert_eq!(verified["commits"], verified["head"]["seq"]);
    assert_eq!(keys(&verified["head"]), ["hash", "seq"]);
}

#[test]
fn the_next_prompt_is_shown_with_an_estimate_that_says_so() {
    let (_peer, sandbox, _) = done_task();
    sandbox
        .cli(&["ram", "set", "mood", "calm & <well>"])
        .ended(0);
    let shown = sandbox.json(&["prompt"]);
    assert_eq!(shown["state"], json!("idle"));
    let messages = shown["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], json!("system"));
    let last = messages.last().unwrap();
    assert_eq!(last["role"], json!("user"));
    let content = last["content"].as_str().unwrap();
    assert!(
        content.contains("mood: calm &amp; &lt;well&gt;"),
        "{content}"
    );
    let lengths = messages
        .iter()
        .map(|message| message["content"].as_str().unwrap().chars().count());
    let lengths: Vec<usize> = lengths.collect();
    let characters: usize = lengths.iter().sum();
    assert_eq!(shown["characters"], json!(characters));
    let tokens: usize = lengths.iter().map(|length| length.div_ceil(4) + 4).sum();
    // Half as much again, as long as no server has counted for this model.
    let told = usize::try_from(shown["estimated_tokens"].as_u64().unwrap()).unwrap();
    let rounded = messages.len();
    assert!(
        (3 * tokens / 2..=3 * tokens / 2 + 2 * rounded).contains(&told),
        "{shown}"
    );
    let text = sandbox
        .cli(&["prompt", "--state", "executing"])
        .ended(0)
        .stdout;
    assert!(text.contains("<state>executing</state>"), "{text}");
    assert!(text.contains(&"tokens (an estimate: ".to_owned()), "{text}");
    let done = sandbox.cli(&["prompt", "--state", "dreaming"]).ended(2);
    assert!(done.stderr.contains("known states: planning"), "{done:?}");
}

/// What an organising prompt is about stands in it, as when the daemon asks.
#[test]
fn prompt_shows_the_work_of_an_organising_iteration() {
    let (_peer, sandbox, _) = done_task();
    for title in ["Waste", "Paper"] {
        let text = "The bins go out on Friday before seven, and the paper every other week";
        sandbox
            .cli(&["notes", "add", text, "--title", title])
            .ended(0);
    }
    let shown = sandbox.json(&["prompt", "--state", "record_organizing"]);
    let last = shown["messages"].as_array().unwrap().last().unwrap();
    let text = last["content"].as_str().unwrap();
    assert!(text.contains("<op>same?</op>"), "{text}");
    assert!(text.contains("<title>Waste</title>") && text.contains("<title>Paper</title>"));
    let parts = shown["allocation"]["included"].as_array().unwrap();
    let notes = parts.iter().filter_map(|part| part["id"].as_str());
    assert!(
        notes.filter(|id| id.contains(" note ")).count() >= 2,
        "{parts:?}"
    );
    let shown = sandbox.json(&["prompt", "--state", "planning"]).to_string();
    assert!(!shown.contains("same?"), "{shown}");
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn prompt_prints_what_takes_how_much_and_status_warns_by_the_same_count() {
    let (_peer, sandbox, _) = done_task();
    sandbox
        .cli(&["ram", "set", "a_mood", &"calm ".repeat(2000)])
        .ended(0);
    for at in 0..40 {
        let (key, value) = (format!("key{at}"), "v".repeat(400));
        sandbox.cli(&["ram", "set", &key, &value]).ended(0);
    }
    sandbox.configure(NOBODY[0], &json!({"provider": {"context_tokens": 2048}}));
    let shown = sandbox.json(&["prompt", "--state", "planning"]);
    assert_eq!(shown["window"]["tokens"], 2048);
    assert_eq!(shown["answer_tokens"], 512);
    // The server has counted no prompt that is this long: a part of the room is held back.
    let limit = shown["limits"]["max_total"].as_u64().unwrap();
    let held_back = shown["held_back_tokens"].as_u64().unwrap();
    assert!(held_back > 0);
    assert_eq!(limit + held_back, 1536);
    assert_eq!(shown["limits"]["by_type"]["memory"], 1500 * limit / 4000);
    let allocation = &shown["allocation"];
    let parts = |list: &str| allocation[list].as_array().unwrap().clone();
    let cut = parts("included")
        .into_iter()
        .filter(|part| part["id"] == "ram a_mood");
    let cut: Vec<Value> = cut.collect();
    assert!(
        cut[0]["cutFrom"].as_u64() > cut[0]["tokens"].as_u64(),
        "{cut:?}"
    );
    let reasons = parts("excluded")
        .into_iter()
        .map(|part| part["reason"].clone());
    let reasons: Vec<Value> = reasons.collect();
    assert!(
        reasons.contains(&json!("TOKEN_BUDGET_EXCEEDED")),
        "{reasons:?}"
    );
    let total = allocation["totalTokens"].as_u64().unwrap();
    assert_eq!(total + allocation["remaining"].as_u64().unwrap(), limit);
    assert!(shown["estimated_tokens"].as_u64().unwrap() <= total);
    let text = sandbox
        .cli(&["prompt", "--state", "planning"])
        .ended(0)
        .stdout;
    for part in [
        "PRIORITY  TOKENS  FATE",
        "left out: TOKEN_BUDGET_EXCEEDED",
        "  cut from ",
        "  ram a_mood",
        "memory   ",
        "all      ",
        &limit.to_string(),
        &format!("--- {held_back} more tokens"),
        "512 tokens for the answer",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A type that has used up its own.
    sandbox.configure(NOBODY[0], &json!({"token_budget": {"memory": 200}}));
    let text = sandbox
        .cli(&["prompt", "--state", "planning"])
        .ended(0)
        .stdout;
    assert!(
        text.contains("left out: TOKEN_TYPE_LIMIT_EXCEEDED"),
        "{text}"
    );
    // Too small for what must be in.
    sandbox.configure(NOBODY[0], &json!({"provider": {"context_tokens": 256}}));
    let done = sandbox.cli(&["prompt"]).ended(1);
    assert!(
        done.stderr
            .contains("error[CONTEXT_OVERFLOW]: what must be in the prompt takes about ")
    );
    assert!(
        done.stderr
            .contains("a window of 256 (as configured) leaves 192 beside the answer")
    );
    // What takes how much is shown with it.
    for words in [
        "--- parts\n",
        "words, always",
        "left out: TOKEN_BUDGET_EXCEEDED",
    ] {
        assert!(done.stdout.contains(words), "{}", done.stdout);
    }
    let done = sandbox.cli(&["prompt", "--format", "json"]).ended(1);
    let shown = done.json();
    assert_eq!(shown["error"]["code"], "CONTEXT_OVERFLOW");
    assert_eq!(shown["messages"], json!([]));
    assert!(
        done.stderr.contains("\"CONTEXT_OVERFLOW\""),
        "{}",
        done.stderr
    );
    let allocation = &shown["allocation"];
    assert_eq!(allocation["totalTokens"], shown["estimated_tokens"]);
    assert!(allocation["totalTokens"].as_u64() > shown["limits"]["max_total"].as_u64());
    assert_eq!(allocation["included"][0]["id"], "words, always");
    assert_eq!(allocation["remaining"], 0);
    let status = sandbox.json(&["status"]);
    let warning = status["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("CONTEXT_OVERFLOW: what must be in"),
        "{warning}"
    );
    assert_eq!(status["prompt"]["allocation"], json!(null));
}

#[test]
fn doctor_tells_a_server_that_is_up_from_one_that_is_down() {
    let peer = Peer::start();
    peer.push(Step::reply("<ram_delete><key>a</key></ram_delete>"));
    let sandbox = Sandbox::with(&peer);
    let before = sandbox.snapshot();
    let done = sandbox.cli(&["doctor", "--format", "json"]).ended(0);
    let report = done.json();
    assert_eq!(report["ok"], json!(true));
    let checks = report["checks"].as_array().unwrap();
    let names: Vec<&str> = checks
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "config",
            "prompt",
            "folder",
            "writable",
            "ignored",
            "owner",
            "disk",
            "space",
            "index",
            "lock",
            "journal",
            "clock",
            "provider",
            "model",
            "generation",
            "window",
            "tokens",
            "form"
        ]
    );
    for check in checks {
        assert_eq!(keys(check), ["hint", "message", "name", "status"]);
        let named = check["name"].as_str().unwrap();
        if !matches!(named, "disk" | "space") {
            assert_eq!(check["status"], json!("ok"), "{check}");
        }
    }
    let text = done.stdout.as_str();
    assert!(text.contains("lmstudio answers"), "{text}");
    let asked = peer.requests()[0].json();
    assert!(asked["max_tokens"].as_u64().unwrap() <= 32, "a short one");
    assert_eq!(sandbox.snapshot(), before, "nothing is left behind");

    sandbox.configure(NOBODY[0], &json!({}));
    let done = sandbox.cli(&["doctor"]).ended(1);
    assert!(
        done.stdout.contains("fail  provider    LLM_UNAVAILABLE"),
        "{done:?}"
    );
    assert!(done.stdout.contains("hint: "), "{done:?}");
    assert!(!done.stdout.contains("generation"), "{done:?}");
    // Broken files are told apart.
    sandbox.write("data/agent-prompt.json", "{");
    let text = sandbox.cli(&["doctor"]).ended(1).stdout;
    assert!(text.contains("ok    config"), "{text}");
    assert!(text.contains("fail  prompt"), "{text}");
}

#[test]
fn config_verbs_show_check_and_describe() {
    let sandbox = Sandbox::quiet();
    let shown = sandbox.json(&["config", "show"]);
    assert_eq!(shown["loop"]["loop_delay_ms"], json!(0));
    assert_eq!(shown["sources"]["loop.loop_delay_ms"], json!("file"));
    let text = sandbox.cli(&["config", "show"]).ended(0).stdout;
    assert!(text.contains("loop.loop_delay_ms"), "{text}");
    let checked = sandbox.json(&["config", "check"]);
    assert_eq!(checked["ok"], json!(true));
    let text = sandbox.cli(&["config", "check"]).ended(0).stdout;
    assert!(text.contains("valid: 0 errors"), "{text}");
    let schema = sandbox.json(&["config", "schema"]);
    assert!(schema["properties"]["provider"].is_object());
}

#[test]
fn explain_knows_every_code() {
    let sandbox = Sandbox::empty();
    let all = sandbox.json(&["explain"]);
    let total = kjxlkj_agent::failure::Code::ALL.len();
    // Those that anybody may rely on.
    let promised = "PROMPT_JSON_INVALID PROMPT_SCHEMA_INVALID PROMPT_SEGMENT_EMPTY XML_PARSE_ERROR \
                    LLM_TIMEOUT SCOPE_VIOLATION CROSS_WORKSPACE_REJECTED VERSION_CONFLICT \
                    CONFIG_JSON_INVALID CONFIG_SCHEMA_INVALID RULES_INVALID LLM_UNAVAILABLE \
                    RATE_LIMITED LLM_EMPTY_REPLY LLM_REPLY_TRUNCATED LLM_REPLY_RUNAWAY \
                    INSTRUCTION_INVALID STATE_TRANSITION_INVALID RECORD_NOT_FOUND \
                    RECORD_KEY_AMBIGUOUS LIMIT_EXCEEDED PATH_INVALID NEAR_DUPLICATE \
                    ITERATION_LIMIT NO_PROGRESS BUDGET_EXCEEDED CONTEXT_OVERFLOW DATA_LOCKED \
                    DATA_CORRUPT JOURNAL_WRITE_FAILED JOURNAL_TAMPERED RUN_CANCELLED";
    let codes: Vec<&str> = kjxlkj_agent::failure::Code::ALL
        .iter()
        .map(|code| code.as_str())
        .collect();
    for code in promised.split_whitespace() {
        assert!(codes.contains(&code), "{code}");
    }
    assert_eq!(all["items"].as_array().unwrap().len(), total);
    assert_eq!(all["pagination"]["total"], json!(total));
    let one = sandbox.json(&["explain", "data_locked"]);
    assert_eq!(one["code"], json!("DATA_LOCKED"));
    assert_eq!(one["exit"], json!(75));
    let text = sandbox.cli(&["explain", "DATA_LOCKED"]).ended(0).stdout;
    assert!(text.contains("Only one may write at a time"), "{text}");
    let done = sandbox.cli(&["explain", "NO-SUCH"]).ended(2);
    assert!(done.stderr.contains("no error code"), "{done:?}");
}

#[test]
fn doctor_asks_the_model_that_a_run_asks() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    // A model that the server does not list, and a window that nobody knows.
    let provider = json!({"model": "missing-model", "context_tokens": null});
    sandbox.configure(&peer.base_url(), &json!({ "provider": provider }));
    peer.push(Step::reply("x"));
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    let instead = "`peer-model` is asked instead, since `missing-model` is not listed";
    assert!(text.contains("warn  model"), "{text}");
    assert!(text.contains(instead), "{text}");
    assert!(text.contains("warn  window"), "{text}");
    assert!(text.contains("ok    generation"), "{text}");
    let asked = peer.requests()[0].json();
    assert_eq!(asked["model"], json!("peer-model"), "as a run does");
    // Of several a run asks none, and neither does this.
    for _ in 0..2 {
        let several = json!({"data": [{"id": "big"}, {"id": "small"}]});
        peer.push_models(Step::json(&several));
    }
    let text = sandbox.cli(&["doctor"]).ended(1).stdout;
    assert!(
        text.contains("fail  model       PROVIDER_NOT_FOUND"),
        "{text}"
    );
    assert!(text.contains("one of: big, small"), "{text}");
    assert!(!text.contains("generation"), "{text}");
}

/// The first words of a model that thinks before it answers, cut at the limit of a short question.
fn only_reasons(is_streamed: bool) -> Step {
    let words = json!({"content": "", "reasoning_content": "Let me see."});
    let choice = |name: &str| json!({"index": 0, "finish_reason": "length", name: words});
    if is_streamed {
        return Step::events(&[json!({"choices": [choice("delta")]})]);
    }
    Step::json(&json!({"choices": [choice("message")]}))
}

#[test]
fn doctor_tells_what_is_wrong_with_a_server() {
    let html = || Step::status(200).body("<html>hi</html>");
    let slowly = Step::reply("x").drip(Duration::from_millis(1));
    // Asked for its models or for an answer, what it does, and what is told: how bad, of what, why.
    for (of_models, step, told) in [
        (true, Step::status(401), "fail provider PROVIDER_AUTH"),
        (true, Step::status(503), "fail provider LLM_UNAVAILABLE"),
        (true, html(), "fail provider PROVIDER_BAD_RESPONSE"),
        (true, Step::hang(), "fail provider LLM_TIMEOUT"),
        (true, Step::raw(""), "fail provider LLM_UNAVAILABLE"),
        (false, Step::status(404), "fail generation PROVIDER_"),
        (false, html(), "fail generation PROVIDER_BAD_RESPONSE"),
        (false, Step::hang(), "fail generation LLM_TIMEOUT"),
        (false, Step::reply(""), "warn generation text"),
        (false, only_reasons(false), "warn generation reasoning"),
        (false, only_reasons(true), "warn generation reasoning"),
        (false, slowly, "ok generation tokens a second"),
    ] {
        let peer = Peer::start();
        let sandbox = Sandbox::with(&peer);
        // Only those who fall silent are waited for in vain.
        let timeout_ms = if told.ends_with("TIMEOUT") {
            1000
        } else {
            20_000
        };
        let patience = json!({"provider": {"timeout_ms": timeout_ms}});
        sandbox.configure(&peer.base_url(), &patience);
        if of_models {
            peer.push_models(step);
        } else {
            peer.push(step);
        }
        let mut words = told.splitn(3, ' ');
        let [status, name, why] = [(); 3].map(|()| words.next().unwrap());
        let done = sandbox.cli(&["doctor"]);
        let done = done.ended(i32::from(status == "fail"));
        let check = format!("{status:4}  {name}");
        let lines = done.stdout.lines();
        let mut lines = lines.skip_while(|line| !line.starts_with(&check));
        let line = lines.next().unwrap_or_default();
        assert!(line.contains(why), "{told}: {done:#?}");
        let hint = lines.next().unwrap_or_default();
        let hinted = hint.starts_with("      hint: ");
        assert_eq!(hinted, status != "ok", "{told}: {done:#?}");
        assert!(done.stderr.contains("asking the model"), "{done:#?}");
    }
}

#[test]
fn doctor_says_of_each_kind_what_it_can_know() {
    let line_of = |text: &str, name: &str| {
        let mut lines = text.lines();
        lines.find(|line| line.contains(name)).unwrap().to_owned()
    };
    // LM Studio tells what is in memory.
    for (window, said) in [
        (
            json!([{"id": "peer-model", "config": {"context_length": 4096}}]),
            "is listed and loaded",
        ),
        (
            json!([{"id": "other", "config": {"context_length": 4096}}]),
            "others are loaded",
        ),
        (json!([]), "`peer-model` is listed"),
    ] {
        let peer = Peer::start();
        let model = json!({"type": "llm", "key": "peer-model", "loaded_instances": window});
        peer.tell("/api/v1/models", Step::json(&json!({ "models": [model] })));
        peer.push(Step::reply("x"));
        let text = Sandbox::with(&peer).cli(&["doctor"]).ended(0).stdout;
        let line = line_of(&text, "  model ");
        assert!(line.starts_with("ok") && line.contains(said), "{text}");
    }
    // An address without its path: LM Studio says so with status 200.
    let peer = Peer::start();
    let lost = json!({"error": "Unexpected endpoint or method. (GET /models)"});
    peer.push_models(Step::json(&lost));
    let done = Sandbox::at(&peer.base_url()).cli(&["doctor"]).ended(1);
    let (line, rest) = done.stdout.split_once("fail  provider").unwrap();
    assert!(line.contains("ok    clock"), "{done:#?}");
    assert!(
        rest.contains("PROVIDER_NOT_FOUND") && rest.contains("it ends in /v1"),
        "{done:#?}"
    );
    // A program has said nothing before it is asked.
    for (program, code, said) in [
        ("true", 1, "ok    provider    the program `true` is there"),
        (
            "no-such-program",
            1,
            "fail  provider    there is no program `no-such-program`",
        ),
    ] {
        let sandbox = Sandbox::quiet();
        let provider = json!({"provider_kind": "cli", "command": [program]});
        sandbox.configure(NOBODY[0], &json!({ "provider": provider }));
        let text = sandbox.cli(&["doctor"]).ended(code).stdout;
        assert!(text.contains(said), "{text}");
        assert!(
            line_of(&text, "  model ").contains("will be asked for"),
            "{text}"
        );
        assert!(text.contains("fail  generation"), "{text}");
        assert!(!text.contains("answers, 1 model"), "{text}");
    }
}

#[test]
fn doctor_looks_for_the_launcher_and_at_whose_the_files_are() {
    let sandbox = Sandbox::quiet();
    let program = |name: &str, file: &str| {
        let launch = json!({"command": [name, file, "{port}"]});
        let provider = json!({"provider": {"launch": launch}});
        sandbox.configure(NOBODY[0], &provider);
        let report = sandbox.cli(&["doctor", "--format", "json"]).json();
        let checks = report["checks"].as_array().unwrap().clone();
        let find = |name: &str| {
            checks
                .iter()
                .find(|one| one["name"] == name)
                .unwrap()
                .clone()
        };
        (find("launch"), find("provider"), find("owner"))
    };
    for (name, file, status, words) in [
        ("sh", "data/small-model", "ok", "`sh` is there"),
        ("sh", "data/gone", "warn", "`data/gone`"),
        ("no-such-program", "x", "fail", "`no-such-program`"),
        ("data/small-model", "x", "ok", "`data/small-model` is there"),
    ] {
        let (launch, provider, _) = program(name, file);
        assert_eq!(launch["status"], json!(status), "{launch}");
        assert!(
            launch["message"].as_str().unwrap().contains(words),
            "{launch}"
        );
        assert_eq!(
            provider["status"],
            json!("warn"),
            "it will be started: {provider}"
        );
    }
    assert_eq!(program("sh", "x").2["status"], json!("ok"));
    // One that is still loading is there: no other is started beside it.
    let loading = Peer::start();
    loading.push_models(Step::status(503));
    let launch = json!({"provider": {"launch": {"command": ["sh", "data/small-model"]}}});
    sandbox.configure(&loading.base_url(), &launch);
    let told = sandbox.cli(&["doctor"]).ended(1).stdout;
    assert!(told.contains("fail  provider"), "{told}");
    // Only the administrator can give a file away; what is made of it, a test beside it shows.
    let given =
        std::os::unix::fs::chown(sandbox.path("data/agent-prompt.json"), Some(65_534), None);
    if given.is_ok() {
        let owner = program("sh", "x").2;
        assert_eq!(owner["status"], json!("warn"), "{owner}");
        let message = owner["message"].as_str().unwrap();
        assert!(
            message.contains("data/agent-prompt.json of user 65534"),
            "{owner}"
        );
    }
}

#[test]
fn status_says_what_a_daemon_waits_for_and_since_when() {
    use rustix::process::Signal;
    let quiet = |sandbox: &Sandbox| {
        let status = sandbox.json(&["status"]);
        assert_eq!(status["daemon"]["waiting"], json!(null), "{status:#}");
        assert_eq!(status["daemon"]["next_idle_at"], json!(null), "{status:#}");
    };
    let sandbox = Sandbox::quiet();
    sandbox.cli(&["ask", "tea"]).ended(0);
    quiet(&sandbox);
    assert_eq!(sandbox.json(&["status"])["runs"]["inbox"], json!(1));
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("LLM_UNAVAILABLE", 2);
    let waiting = sandbox.json(&["status"])["daemon"]["waiting"].clone();
    assert_eq!(waiting["code"], json!("LLM_UNAVAILABLE"), "{waiting}");
    let moment = |name: &str| waiting[name].as_str().unwrap().to_owned();
    assert!(moment("since") < moment("next_attempt_at"), "{waiting}");
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("waiting      since ") && text.contains("no connection"),
        "{text}"
    );

    let peer = worker();
    let idle = json!({"loop": {"idle_profile": "maintenance", "idle_delay_ms": 600_000}});
    sandbox.configure(&peer.base_url(), &idle);
    daemon.signal(Signal::HUP);
    daemon.wait_for("run ended", 2);
    super::sandbox::until("rest", || {
        let status = sandbox.json(&["status"]);
        assert_eq!(status["daemon"]["waiting"], json!(null), "{status:#}");
        status["daemon"]["next_idle_at"].is_string().then_some(())
    });
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    // In ten minutes, less what has passed since.
    assert!(text.contains("idle until   in "), "{text}");
    assert_eq!(daemon.end_by(Signal::KILL).0.code(), None);
    quiet(&sandbox);
}

#[test]
fn status_says_that_a_daemon_waits_for_room_on_the_disk() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.start_with_room_for(16);
    for number in 0..10 {
        sandbox.cli(&["ask", &number.to_string()]).ended(0);
    }
    daemon.wait_for("DISK_FULL", 2);
    let status = sandbox.json(&["status"]);
    let waiting = &status["daemon"]["waiting"];
    assert_eq!(waiting["code"], json!("DISK_FULL"), "{status:#}");
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("DISK_FULL") && text.contains("next attempt"),
        "{text}"
    );
    let (status, said) = daemon.end_by(rustix::process::Signal::TERM);
    assert!(status.code().is_some(), "{said}");
}

/// What a market charges stands beside the tokens.
#[test]
fn runs_and_status_tell_what_a_server_charged() {
    let peer = Peer::answering(|request, index| {
        Step::json(&json!({
            "choices": [{"index": 0, "finish_reason": "stop",
                         "message": {"role": "assistant", "content": answer(&state_in(request), index)}}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18, "cost": 0.0125},
        }))
    });
    let sandbox = Sandbox::with(&peer);
    let record = sandbox.json(&["run", "--task", "Remember tea"]);
    assert_eq!(record["usage"]["cost_micro_dollars"], json!(3 * 12_500));
    let run_id = record["run_id"].as_str().unwrap();
    for verb in [&["runs", "show", run_id][..], &["status"]] {
        let text = sandbox.cli(verb).ended(0).stdout;
        assert!(text.contains("3 replies, 0.037500 dollars"), "{text}");
    }
}

/// Whoever looks sees when the first word came, and what it saved not to wait for the last.
#[test]
fn trace_runs_and_status_tell_what_ending_an_answer_early_saved() {
    let peer = Peer::start();
    let tail = event(&said(" I hope that this is what you wanted of me."));
    let add = "<ram_add><key>plan</key><value>p</value></ram_add>";
    peer.push(Step::events(&[said(add)]).then_endlessly(tail));
    let sandbox = Sandbox::with(&peer);
    let record = sandbox.json(&["once", "--task", "Remember tea"]);
    let run_id = record["run_id"].as_str().unwrap();
    let saved = record["usage"]["saved_tokens"].as_u64().unwrap();
    assert!(saved > 0, "{record}");
    let trace = sandbox.cli(&["trace", run_id]).ended(0).stdout;
    for part in [
        "call of lmstudio peer-model: it is the only one configured; first word after ",
        &format!(" ms; ended early (repetition), up to {saved} tokens saved"),
    ] {
        assert!(trace.contains(part), "{part} in:\n{trace}");
    }
    let sum = format!("1 reply, up to {saved} saved by ending answers early");
    for verb in [&["runs", "show", run_id][..], &["status"]] {
        let text = sandbox.cli(verb).ended(0).stdout;
        assert!(text.contains(&sum), "{text}");
    }
    let status = sandbox.json(&["status"]);
    assert_eq!(status["runs"]["usage"], record["usage"]);
}

/// Whoever wonders why a model was asked sees the points of all that could have been.
#[test]
fn trace_tells_what_each_provider_s_points_were_and_who_was_out() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    let here = &config["provider"];
    let near = json!({"name": "near", "provider_kind": here["provider_kind"],
        "base_url": here["base_url"], "model": here["model"]});
    let elsewhere = Peer::start();
    let mut far = near.clone();
    far["name"] = json!("far");
    far["base_url"] = json!(elsewhere.base_url());
    config["providers"] = json!([near, far]);
    config["retry"] = json!({"max_retries": 4, "base_delay_ms": 1, "max_delay_ms": 1});
    sandbox.write("data/config.json", &config.to_string());
    // The fifth failure has the preferred one left alone.
    for step in [500, 500, 500, 500, 500].map(Step::status) {
        peer.push(step);
    }
    for reply in ["plan", "steps"] {
        let add = format!("<ram_add><key>{reply}</key><value>p</value></ram_add>");
        elsewhere.push(Step::reply(&add));
    }
    let task = ["run", "--task", "Remember tea", "--max-iterations", "2"];
    let arguments = [&task[..], &["--format", "json"]].concat();
    let run = sandbox.cli(&arguments).ended(1).json();
    let run_id = run["run_id"].as_str().unwrap();
    let trace = sandbox.cli(&["trace", run_id]).ended(0).stdout;
    for part in [
        "call of near peer-model: near has 52 points, the most of 2 models at medium risk: priority \
         (+2), after PROVIDER_SERVER_ERROR,",
        "\n      near: 52 points = 50 + 2 priority\n      far: 51 points = 50 + 1 priority\n",
        "call of far peer-model: in place of near, which ended with PROVIDER_SERVER_ERROR",
        "; left alone for now: near",
        "\n      far: 51 points = 50 + 1 priority\n      near: out, it was excluded\n",
    ] {
        assert!(trace.contains(part), "{part} in:\n{trace}");
    }
    let steps = sandbox.json(&["trace", run_id])["steps"].clone();
    let calls = steps.as_array().unwrap().iter();
    let calls: Vec<&Value> = calls
        .filter_map(|step| step["calls"].as_array())
        .flatten()
        .collect();
    let waited = &calls[0]["waited"][0];
    assert_eq!(waited["code"], json!("PROVIDER_SERVER_ERROR"), "{waited}");
    let told = format!(
        "; waited {} ms (PROVIDER_SERVER_ERROR); circuit open; ",
        waited["ms"]
    );
    assert!(trace.contains(&told), "{told} in:\n{trace}");
    let constraints = &calls[0]["decision"]["constraints"];
    let met = json!({"capabilitiesMet": true, "riskCompliant": true, "latencyCompliant": true});
    assert_eq!(constraints, &met);
}

#[test]
fn trace_and_why_tell_a_person_what_happened_and_because_of_what() {
    let (_peer, sandbox, run_id) = done_task();
    let trace = sandbox.cli(&["trace", &run_id]).ended(0).stdout;
    for part in [
        "queued (request)\n",
        "begun\n",
        "asks lmstudio for peer-model",
        "iteration 2, executing: 1 reply,",
        "applied record_add Tea 1",
        "-> note.created ",
        "\"Tea 1\", version 1",
        "with 1 note\n",
        "ended Succeeded: done",
    ] {
        assert!(trace.contains(part), "{part} in:\n{trace}");
    }
    let told = sandbox.json(&["trace", &run_id]);
    assert_eq!(told["run_id"], json!(run_id));
    assert_eq!(told["steps"][3]["effects"][0]["kind"], "note.created");
    let why = sandbox.cli(&["why", "Tea 1"]).ended(0).stdout;
    for part in [
        "version 1 \"Tea 1\" by agent (iteration)",
        &format!("run {run_id}, iteration 2"),
        "request \"Remember tea\"",
        "model peer-model",
        "applied record_add Tea 1",
        &format!("shown to run {run_id}, iteration 3"),
    ] {
        assert!(why.contains(part), "{part} in:\n{why}");
    }
    let id = sandbox.json(&["notes", "show", "Tea 1"])["id"].clone();
    let id = id.as_str().unwrap();
    sandbox.cli(&["notes", "delete", id]).ended(0);
    let why = sandbox.json(&["why", id]);
    assert_eq!(why["versions"][1]["deleted"], true);
    assert_eq!(why["versions"][1]["actor_type"], "user");
    assert_eq!(why["code"], Value::Null);
    for (verb, name, code) in [
        (
            "trace",
            "01980000-0000-7000-8000-000000000000",
            "RUN_NOT_FOUND",
        ),
        ("trace", "none", "RUN_NOT_FOUND"),
        (
            "why",
            "01980000-0000-7000-8000-000000000000",
            "RECORD_NOT_FOUND",
        ),
    ] {
        let done = sandbox.cli(&[verb, name]).ended(1);
        assert!(done.stderr.contains(code), "{done:?}");
    }
}
