//! What a person is told of the window and of counts of tokens, by `status`, `prompt` and `doctor`.

use super::sandbox::Sandbox;
use crate::peer::{NOBODY, Peer, Step, said};
use serde_json::{Value, json};

const COUNTER: &str = "/v1/chat/completions/input_tokens";

/// A root before a llama.cpp with this window, and no window configured.
fn llama(peer: &Peer, tokens: u32) -> Sandbox {
    let sandbox = Sandbox::with(peer);
    let provider = json!({"provider_kind": "openai", "context_tokens": null});
    sandbox.configure(&peer.base_url(), &json!({ "provider": provider }));
    peer.tell("/props", Step::window(tokens));
    sandbox
}

/// A run whose server counts many tokens for its prompts.
fn run(peer: &Peer, sandbox: &Sandbox) -> Value {
    let reply = |text: &str| {
        Step::json(&json!({
            "model": "peer-model",
            "choices": [{"finish_reason": "stop", "message": {"content": text}}],
            "usage": {"prompt_tokens": 2000, "completion_tokens": 7},
        }))
    };
    let add = "<ram_add><key>n</key><value>1</value></ram_add>";
    for _ in 0..3 {
        peer.push(reply(add));
    }
    sandbox.json(&["run", "--task", "count"])
}

#[test]
fn status_and_prompt_tell_the_window_and_the_counts_of_the_last_run() {
    let peer = Peer::start();
    let sandbox = llama(&peer, 6144);
    let before = sandbox.json(&["status"]);
    assert_eq!(
        before["prompt"]["window"],
        json!({"tokens": 4096, "source": "assumed"})
    );
    assert_eq!(before["prompt"]["context_tokens"], json!(null));
    let guessed = sandbox.json(&["prompt", "--state", "planning"]);
    // Only a known window bounds what an answer may have.
    assert_eq!(
        (&guessed["answer_tokens"], &guessed["max_tokens"]),
        (&json!(1024), &json!(4096))
    );
    let text = sandbox.cli(&["prompt"]).ended(0).stdout;
    let line = "1024 tokens for the answer are left; up to 4096 are requested, since the window is";
    assert!(text.contains(line), "{text}");
    assert!(
        guessed["estimate_method"]
            .as_str()
            .unwrap()
            .contains("no answer"),
        "{guessed}"
    );

    let record = run(&peer, &sandbox);
    assert_eq!(
        record["window"],
        json!({"tokens": 6144, "source": "server"})
    );
    let probes = peer.probes().len();
    let after = sandbox.json(&["status"]);
    assert_eq!(after["prompt"]["window"], record["window"]);
    assert_eq!(after["prompt"]["context_tokens"], json!(6144));
    assert_eq!(after["warnings"], json!([]));
    let method = after["prompt"]["estimate_method"].as_str().unwrap();
    assert!(
        method.contains("as its server counted in 3 calls"),
        "{method}"
    );
    let shown = sandbox.json(&["prompt", "--state", "planning"]);
    assert_eq!(shown["window"], record["window"]);
    assert_eq!(shown["answer_tokens"], shown["max_tokens"]);
    assert_eq!(shown["estimate_method"], json!(method));
    // More tokens for the same characters.
    let number = |shown: &Value, name: &str| shown[name].as_u64().unwrap();
    assert!(
        number(&shown, "estimated_tokens") * number(&guessed, "characters")
            > number(&guessed, "estimated_tokens") * number(&shown, "characters")
    );
    let text = sandbox.cli(&["prompt"]).ended(0).stdout;
    assert!(
        text.contains("; window 6144 tokens, told by the server\n"),
        "{text}"
    );
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(
        text.contains("; window 6144 tokens, told by the server\n"),
        "{text}"
    );
    assert_eq!(peer.probes().len(), probes, "nobody was asked");

    // A person may want less, and that holds at once.
    let provider = json!({"provider_kind": "openai", "context_tokens": 2048});
    sandbox.configure(&peer.base_url(), &json!({ "provider": provider }));
    let less = sandbox.json(&["status"]);
    assert_eq!(
        less["prompt"]["window"],
        json!({"tokens": 2048, "source": "configured"})
    );
    // Another kind of server has not told anything.
    let provider = json!({"provider_kind": "lmstudio", "context_tokens": null});
    sandbox.configure(&peer.base_url(), &json!({ "provider": provider }));
    let other = sandbox.json(&["status"]);
    assert_eq!(other["prompt"]["window"]["source"], json!("assumed"));
}

#[test]
fn status_and_doctor_warn_of_a_server_that_cuts_prompts_without_a_word() {
    let peer = Peer::answering(|request, index| {
        let messages = request.json()["messages"].to_string().len();
        let text = format!("<ram_add><key>n</key><value>{index}</value></ram_add>");
        Step::json(&json!({
            "model": "peer-model",
            "choices": [{"finish_reason": "stop", "message": {"content": text}}],
            "usage": {"prompt_tokens": (messages / 4).min(1024), "completion_tokens": 7},
        }))
    });
    let sandbox = Sandbox::with(&peer);
    // No paging makes the prompts short again.
    let memory = json!({"memory": {"working_memory_character_max": 8000}});
    sandbox.configure(&peer.base_url(), &memory);
    sandbox
        .cli(&["ram", "set", "long", &"word ".repeat(700)])
        .ended(0);
    let record = sandbox.json(&["run", "--task", "count"]);
    let cut = json!({"tokens": 1024, "source": "cut"});
    assert_eq!(record["window"], cut, "{record}");
    let status = sandbox.json(&["status"]);
    assert_eq!(status["prompt"]["window"], cut);
    let warnings = status["warnings"].to_string();
    assert!(
        warnings.contains("the server read only 1024 tokens"),
        "{warnings}"
    );
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    let line = text.lines().find(|line| line.contains(" window "));
    let line = line.unwrap_or(&text);
    let is_told = line.starts_with("warn ") && line.contains("read only 1024 tokens");
    assert!(is_told, "{text}");
    // The same where the next prompt itself is cut.
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &memory);
    sandbox
        .cli(&["ram", "set", "long", &"word ".repeat(700)])
        .ended(0);
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    let is_told = text.contains("8192 tokens, as configured; but the server counted only 1024");
    assert!(is_told, "{text}");
}

#[test]
fn doctor_asks_for_the_window_and_has_the_prompt_counted() {
    let peer = Peer::start();
    let sandbox = llama(&peer, 8192);
    peer.tell(COUNTER, Step::json(&json!({"input_tokens": 1234})));
    peer.push(Step::reply("x"));
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    let line = |name: &str| {
        let found = text.lines().find(|line| line.contains(name));
        found.unwrap_or(&text).to_owned()
    };
    assert!(line("window").starts_with("ok "), "{text}");
    assert!(
        line("window").ends_with("8192 tokens, told by the server"),
        "{text}"
    );
    assert!(
        line(" tokens  ").ends_with("1234 tokens, counted by the server"),
        "{text}"
    );

    // A prompt that does not fit is a warning, with the numbers.
    let peer = Peer::start();
    let sandbox = llama(&peer, 1024);
    peer.tell(COUNTER, Step::json(&json!({"input_tokens": 769})));
    peer.push(Step::reply("x"));
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    let wanted = "769 tokens, counted by the server; 768 are left for it beside the answer";
    assert!(text.contains(wanted), "{text}");

    // A server that does not count: it is said how it is estimated.
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    peer.push(Step::reply("x"));
    let text = sandbox.cli(&["doctor"]).ended(0).stdout;
    assert!(text.contains("8192 tokens, as configured"), "{text}");
    assert!(text.contains("tokens, an estimate: 1 for each"), "{text}");
}

#[test]
fn doctor_says_what_answers_are_kept_to() {
    let (mark, in_json) = ("<kjx_mark></kjx_mark>", "{\"op\": \"kjx_mark\"}");
    let refused = || Step::status(400).body("{\"error\": \"unknown field\"}");
    let cases = [
        (
            "off",
            vec![],
            "ok    form        answers are free, and repaired where that is safe\n",
        ),
        // Nothing was measured of this model: what the server could do is said, and not done.
        (
            "auto",
            vec![Step::reply(mark), Step::reply(in_json)],
            "ok    form        answers are free, and repaired where that is safe; the server could keep \
             them to `gbnf` or `json_schema`\n",
        ),
        (
            "auto",
            vec![refused(), Step::reply(in_json)],
            "ok    form        answers are free, and repaired where that is safe; the server could keep \
             them to `json_schema`; `gbnf`: the server refuses it\n",
        ),
        (
            "auto",
            vec![Step::reply("Hello!"), refused()],
            "ok    form        answers are free, and repaired where that is safe; `gbnf`: the server \
             passes over it; `json_schema`: the server refuses it\n",
        ),
        (
            "gbnf",
            vec![Step::reply(mark)],
            "ok    form        answers are kept to `gbnf`",
        ),
        (
            "gbnf",
            vec![Step::reply("Hello!"), Step::reply(in_json)],
            "ok    form        answers are kept to `json_schema`",
        ),
        (
            "gbnf",
            vec![Step::reply("Hello!"), refused()],
            "warn  form        answers are free; `gbnf`: the server passes over it, `json_schema`: the \
             server refuses it",
        ),
    ];
    for (constrain, steps, expected) in cases {
        let peer = Peer::start();
        let sandbox = Sandbox::with(&peer);
        let provider = json!({"constrain": constrain});
        sandbox.configure(&peer.base_url(), &json!({ "provider": provider }));
        peer.push(Step::reply("x"));
        let asked = 1 + steps.len();
        for step in steps {
            peer.push(step);
        }
        let text = sandbox.cli(&["doctor"]).ended(0).stdout;
        assert!(text.contains(expected), "{text}");
        assert_eq!(peer.requests().len(), asked, "{text}");
    }
}

#[test]
fn doctor_makes_the_prompt_for_the_window_that_the_server_has_just_told() {
    let asked = |tokens: u32| {
        let peer = Peer::start();
        let sandbox = llama(&peer, tokens);
        sandbox.cli(&["ram", "set", "long", &"word ".repeat(2000)]);
        peer.push(Step::reply("x"));
        sandbox.cli(&["doctor"]).ended(0);
        peer.requests()[0].json()["messages"].to_string().len()
    };
    let (small, middle, large) = (asked(2048), asked(4096), asked(8192));
    assert!(small < middle && middle < large, "{small} {middle} {large}");
}

/// A root with these providers, the first of them preferred, and a `provider` that nobody asks.
fn listed(sandbox: &Sandbox, providers: &[(&str, &Value)]) {
    let config = sandbox.read("data/config.json");
    let mut config: Value = config.parse().unwrap_or_default();
    let provider = |(name, own): &(&str, &Value)| {
        let mut provider = Value::clone(own);
        provider["name"] = json!(name);
        provider["model"] = json!("peer-model");
        provider["max_tokens"] = json!(1500);
        provider
    };
    let nobody = json!({"base_url": NOBODY[0], "provider_kind": "openai"});
    config["provider"] = nobody;
    config["providers"] = providers.iter().map(provider).collect();
    sandbox.write("data/config.json", &config.to_string());
}

#[test]
fn of_several_providers_the_window_of_the_last_runs_is_told() {
    let (near, far) = (Peer::start(), Peer::start());
    let sandbox = llama(&near, 6000);
    far.tell("/props", Step::window(4444));
    let at = |peer: &Peer| json!({"provider_kind": "openai", "base_url": peer.base_url()});
    let (one, two) = (at(&near), at(&far));
    listed(&sandbox, &[("one", &one), ("two", &two)]);
    let warned = |status: &Value| status["warnings"].to_string();
    // Nobody was asked yet: the first of the list will be.
    let status = sandbox.json(&["status"]);
    assert!(
        warned(&status).contains("`providers[0].context_tokens` is not set"),
        "{status}"
    );

    let record = run(&near, &sandbox);
    let told = json!({"tokens": 6000, "source": "server"});
    assert_eq!(record["window"], told);
    let status = sandbox.json(&["status"]);
    assert_eq!(status["prompt"]["window"], told);
    assert_eq!(status["prompt"]["context_tokens"], json!(6000));
    assert_eq!(status["warnings"], json!([]));
    let shown = sandbox.json(&["prompt", "--state", "planning"]);
    assert_eq!(
        (&shown["window"], &shown["answer_tokens"]),
        (&told, &json!(1500))
    );

    // What is set for that one holds, and what is set for another does not.
    let small = |mut it: Value| {
        it["context_tokens"] = json!(2000);
        it
    };
    listed(&sandbox, &[("one", &one), ("two", &small(two.clone()))]);
    let window = |verb: &[&str]| sandbox.json(verb)["prompt"]["window"].clone();
    assert_eq!(window(&["status"]), told);
    let less = small(one.clone());
    listed(&sandbox, &[("one", &less), ("two", &two)]);
    let configured = json!({"tokens": 2000, "source": "configured"});
    assert_eq!(window(&["status"]), configured);
    let shown = sandbox.json(&["prompt", "--state", "planning"]);
    assert_eq!(shown["answer_tokens"], json!(500));

    // The one that comes second now was asked last.
    listed(&sandbox, &[("two", &two), ("one", &one)]);
    assert_eq!(window(&["status"]), told);
    listed(&sandbox, &[("two", &two), ("other", &at(&Peer::start()))]);
    let status = sandbox.json(&["status"]);
    assert_eq!(status["prompt"]["window"]["source"], json!("assumed"));
    far.push(Step::reply("x"));
    let text = sandbox.cli(&["doctor"]).stdout;
    assert!(
        text.contains("two: 4444 tokens, told by the server"),
        "{text}"
    );
    assert!(
        text.contains("Set `providers[1].context_tokens` to"),
        "{text}"
    );
}

#[test]
fn a_window_that_was_told_is_that_of_the_same_server_and_model() {
    let peer = Peer::start();
    let sandbox = llama(&peer, 6000);
    run(&peer, &sandbox);
    let source = || sandbox.json(&["status"])["prompt"]["window"]["source"].clone();
    assert_eq!(source(), json!("server"));
    let line = || {
        let text = sandbox.cli(&["doctor"]).stdout;
        let mut lines = text.lines();
        let found = lines.find(|line| line.get(6..).is_some_and(|it| it.starts_with("window ")));
        found.unwrap_or(&text).to_owned()
    };
    let at = |base_url: &str, model: &str| {
        let provider = json!({"provider_kind": "openai", "context_tokens": null, "model": model});
        sandbox.configure(base_url, &json!({ "provider": provider }));
    };
    // The model of another name, and the same one at another place.
    at(&peer.base_url(), "a-quite-different-model");
    assert_eq!(source(), json!("assumed"));
    at(NOBODY[0], "peer-model");
    assert_eq!(source(), json!("assumed"));
    let shown = sandbox.json(&["prompt"]);
    assert_eq!(shown["window"]["source"], json!("assumed"));
    let window = line();
    assert!(window.starts_with("warn  window"), "{window}");
    assert!(
        window.contains("unknown; 4096 tokens are assumed"),
        "{window}"
    );
    // Nobody answers at the same place any more.
    let base_url = peer.base_url();
    drop(peer);
    at(&base_url, "peer-model");
    assert_eq!(source(), json!("server"));
    let window = line();
    assert!(window.starts_with("warn  window"), "{window}");
    assert!(
        window.ends_with("not told now; it was 6000 tokens in the last run"),
        "{window}"
    );
}

#[test]
fn tokens_that_no_server_counted_are_told_as_an_estimate() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let add = "<ram_add><key>n</key><value>1</value></ram_add>";
    // Words without a count behind them.
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let uncounted = |text: &str| Step::events(&[said(text), end.clone()]);
    for _ in 0..3 {
        peer.push(uncounted(add));
    }
    let record = sandbox.json(&["run", "--task", "guess"]);
    let usage = &record["usage"];
    assert_eq!(usage["estimated_calls"], usage["calls"]);
    assert_eq!(sandbox.json(&["status"])["runs"]["usage"], *usage);
    let id = record["run_id"].as_str().unwrap();
    for verb in [&["status"][..], &["runs", "show", id]] {
        let text = sandbox.cli(verb).ended(0).stdout;
        let words = format!(
            "about {} in, about {} out, ",
            usage["input_tokens"], usage["output_tokens"]
        );
        assert!(text.contains(&words), "{text}");
    }
    peer.push(uncounted("x"));
    let text = sandbox.cli(&["doctor"]).stdout;
    assert!(text.contains("the next prompt (about "), "{text}");
    peer.push(uncounted("x"));
    let report = sandbox.cli(&["doctor", "--format", "json"]).json();
    let estimated = |name: &str| {
        let mut checks = report["checks"].as_array().unwrap().iter();
        checks.find(|check| check["name"] == name).unwrap()["estimated"].clone()
    };
    assert_eq!(estimated("generation"), json!(true));
    assert_eq!(estimated("window"), Value::Null);

    // One that counts is believed.
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let record = run(&peer, &sandbox);
    assert_eq!(record["usage"]["estimated_calls"], Value::Null);
    let text = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(!text.contains("about 2000 in"), "{text}");
}
