//! `call`: one question to one provider, over the wire and to programs on this machine.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it sets up its own files"
)]

use super::sandbox::{Sandbox, finished, started, until};
use crate::peer::{NOBODY, Peer, Step};
use crate::script::script;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn call_prints_the_answer_and_its_record() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let before = sandbox.snapshot();
    peer.push(Step::reply("Tea is a plant."));
    let shown = sandbox.json(&["config", "show"]);
    let name = shown["provider"]["provider_kind"].as_str().unwrap();
    let done = sandbox.cli(&["call", name, "What is tea?"]).ended(0);
    assert_eq!(done.stdout, "Tea is a plant.\n");

    peer.push(Step::reply("A plant."));
    let arguments = [
        "call",
        name,
        "What is tea?",
        "--system",
        "Be short.",
        "--temperature",
        "0.7",
        "--max-tokens",
        "9",
        "--format",
        "json",
    ];
    let answer = sandbox.cli(&arguments).ended(0).json();
    assert_eq!(answer["success"], json!(true));
    assert_eq!(answer["content"], json!("A plant."));
    assert_eq!(answer["stopReason"], json!("stop"));
    assert_eq!(answer["cached"], json!(false));
    assert!(answer["latencyMs"].is_u64() && answer.get("error").is_none());
    assert_eq!(answer["requestId"].as_str().unwrap().len(), 36);
    // The peer counts 11 and 7.
    let usage = json!({"inputTokens": 11, "outputTokens": 7, "totalTokens": 18});
    assert_eq!(answer["usage"], usage);
    let asked = peer.requests()[1].json();
    assert_eq!(
        (&asked["max_tokens"], &asked["temperature"]),
        (&json!(9), &json!(0.7))
    );
    let messages = asked["messages"].as_array().unwrap();
    assert_eq!(
        messages[0],
        json!({"role": "system", "content": "Be short."})
    );
    assert_eq!(messages.len(), 2);
    assert_eq!(sandbox.snapshot(), before, "nothing else happens");
}

#[test]
fn no_proxy_that_the_environment_names_is_used() {
    let (peer, proxy) = (Peer::start(), Peer::start());
    let sandbox = Sandbox::with(&peer);
    peer.push(Step::reply("A plant."));
    let mut command = sandbox.command(&["call", "lmstudio", "What is tea?"]);
    let address = proxy.base_url().replace("/v1", "");
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "all_proxy",
        "ALL_PROXY",
    ] {
        command.env(name, &address);
    }
    assert_eq!(finished(command).ended(0).stdout, "A plant.\n");
    assert_eq!((peer.request_count(), proxy.request_count()), (1, 0));
}

#[test]
fn call_tells_why_the_model_stopped() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["retry"]["max_retries"] = json!(0);
    sandbox.write("data/config.json", &config.to_string());
    let shown = sandbox.json(&["config", "show"]);
    let name = shown["provider"]["provider_kind"].as_str().unwrap();
    for (said, told, success) in [
        ("stop", "stop", true),
        ("length", "length", true),
        ("tool_calls", "toolCalls", true),
        ("content_filter", "contentFilter", false),
        ("error", "error", false),
    ] {
        let choice = json!({"message": {"content": "Tea."}, "finish_reason": said});
        let step = Step::json(&json!({"choices": [choice]}));
        peer.push(step.clone());
        let question = ["call", name, "x", "--format", "json"];
        let done = sandbox.cli(&question).ended(i32::from(!success));
        let answer = done.json();
        assert_eq!(answer["stopReason"], json!(told), "{answer:#}");
        assert_eq!(answer["success"], json!(success), "{said}");
        assert_eq!(answer["content"].is_string(), success, "{said}");
        peer.push(step);
        let done = sandbox.cli(&question[..3]).ended(i32::from(!success));
        let is_odd = success && told != "stop";
        let line = format!("stop reason: {told}");
        assert_eq!(done.stderr.contains(&line), is_odd, "{}", done.stderr);
    }
}

#[test]
fn what_cannot_be_asked_is_not_and_refusals_are_told() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let shown = sandbox.json(&["config", "show"]);
    let name = shown["provider"]["provider_kind"].as_str().unwrap();
    let hot = ["call", name, "x", "--temperature", "3", "--format", "json"];
    let refused = sandbox.cli(&hot).ended(1);
    assert_eq!(refused.error()["code"], json!("PROVIDER_INVALID_INPUT"));
    assert_eq!(peer.request_count(), 0);
    sandbox.cli(&["call", "nobody", "x"]).ended(2);
    for (status, code) in [
        (401, "PROVIDER_AUTH_ERROR"),
        (400, "PROVIDER_INVALID_INPUT"),
    ] {
        peer.push(Step::status(status));
        let before = peer.request_count();
        let answer = sandbox
            .cli(&["call", name, "x", "--format", "json"])
            .ended(1)
            .json();
        assert_eq!(answer["success"], json!(false));
        assert_eq!(answer["stopReason"], json!("error"));
        assert_eq!(answer["error"]["code"], json!(code));
        assert_eq!(answer["error"]["retryable"], json!(false));
        assert_eq!(answer["error"]["fallback"], json!(false));
        assert_eq!(peer.request_count(), before + 1, "one call only");
    }
}

/// What is not asked again by itself is not told as if it were.
#[test]
fn what_a_content_filter_withheld_is_not_told_to_be_repeated() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let shown = sandbox.json(&["config", "show"]);
    let name = shown["provider"]["provider_kind"].as_str().unwrap();
    let message = json!({"role": "assistant", "content": ""});
    let choice = json!({"index": 0, "finish_reason": "content_filter", "message": message});
    peer.push(Step::json(&json!({ "choices": [choice] })));
    let answer = sandbox.cli(&["call", name, "x", "--format", "json"]);
    let answer = answer.ended(1).json();
    assert_eq!(answer["error"]["cause"], json!("PROVIDER_SERVER_ERROR"));
    assert_eq!(answer["error"]["retryable"], json!(false));
    assert_eq!(answer["attempts"], json!(1));
}

/// Nothing of the answer takes effect, so that what repeats itself is a table and not a runaway.
#[test]
fn call_cuts_nothing_off_what_it_prints() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let shown = sandbox.json(&["config", "show"]);
    let name = shown["provider"]["provider_kind"].as_str().unwrap();
    let zeros = "0, ".repeat(300);
    let tags = "<record_delete><key>a</key></record_delete>".repeat(30);
    for text in [format!("Here it is:\n{zeros}and that is all."), tags] {
        let sizes = vec![16; text.len()];
        peer.push(Step::streamed(&text).chunks(&sizes));
        let done = sandbox.cli(&["call", name, "300 zeros"]).ended(0);
        assert_eq!(
            (done.stdout, done.stderr),
            (format!("{text}\n"), String::new())
        );
    }
}

/// The same one is asked that `run` and `doctor` ask, and it is said.
#[test]
fn call_asks_the_model_that_a_run_asks() {
    let peer = Peer::start();
    let sandbox = Sandbox::with(&peer);
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["provider"]["provider_kind"] = json!("lmstudio");
    config["provider"]["model"] = json!("gone");
    sandbox.write("data/config.json", &config.to_string());
    let listed = |names: &[&str]| {
        let rows = names
            .iter()
            .map(|name| json!({"id": name, "object": "model"}));
        Step::json(&json!({"object": "list", "data": rows.collect::<Vec<_>>()}))
    };
    let question = ["call", "lmstudio", "What is tea?"];
    peer.push_models(listed(&["here"]));
    peer.push(Step::reply("A plant."));
    let done = sandbox.cli(&question).ended(0);
    assert_eq!(done.stdout, "A plant.\n");
    assert!(
        done.stderr.contains("`here` is asked instead"),
        "{}",
        done.stderr
    );
    assert_eq!(peer.requests()[0].json()["model"], json!("here"));
    // Of several none is the one.
    peer.push_models(listed(&["here", "there"]));
    let done = sandbox.cli(&question).ended(1);
    assert!(
        done.stderr.contains("PROVIDER_NOT_FOUND"),
        "{}",
        done.stderr
    );
    assert!(
        done.stderr.contains("one of: here, there"),
        "{}",
        done.stderr
    );
    assert_eq!(peer.request_count(), 1);
    // Whoever names one means it.
    peer.push(Step::reply("A plant."));
    let named = [&question[..], &["--model", "gone"]].concat();
    assert_eq!(sandbox.cli(&named).ended(0).stderr, "");
    assert_eq!(peer.requests()[1].json()["model"], json!("gone"));
}

/// A sandbox whose provider is a program that writes down its process, never answers, and does not end
/// when it is asked to.
fn waiting_program(folder: &Path) -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.cli(&["init", "--offline"]).ended(0);
    let program = folder.join("waits");
    let pid = folder.join("pid");
    let body = format!(
        "trap '' TERM; echo $$ > {0}.new; mv {0}.new {0}\nwhile :; do sleep 1000; done",
        pid.display()
    );
    script(&program, &body);
    let provider = json!({"provider_kind": "cli", "command": [program]});
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["provider"] = provider;
    sandbox.write("data/config.json", &config.to_string());
    sandbox
}

#[test]
fn a_signal_to_call_and_doctor_ends_the_program_that_is_asked() {
    for verb in [&["call", "cli", "x"][..], &["doctor"]] {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let folder = tempfile::tempdir().unwrap();
            let sandbox = waiting_program(folder.path());
            let asking = started(sandbox.command(verb));
            let pid = folder.path().join("pid");
            let pid = until("the program", || fs::read_to_string(&pid).ok());
            let (status, said) = asking.end_by(signal);
            assert_eq!(status.code(), Some(1), "{verb:?} {signal:?}: {said}");
            assert!(said.contains("interrupted"), "{verb:?} {signal:?}: {said}");
            let stat = format!("/proc/{}/stat", pid.trim());
            until("the program's end", || {
                let stat = fs::read_to_string(&stat);
                stat.map_or(true, |stat| stat.contains(") Z "))
                    .then_some(())
            });
        }
    }
}

/// No model means the program's own: nothing names one to it, and nobody is shown another's.
#[test]
fn a_program_without_a_model_takes_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fake(folder.path(), "claude");
    let seen = || fs::read_to_string(folder.path().join("claude.seen")).unwrap();
    let claude = folder.path().join("claude").display().to_string();
    let own = [
        claude.as_str(),
        "-p",
        "--model",
        "{model}",
        "--model={model}",
        "--last",
    ];
    for (command, model, told) in [
        (&[claude.as_str()][..], None, false),
        (&[claude.as_str()], Some("opus"), true),
        (&own, None, false),
        (&own, Some("opus"), true),
    ] {
        let sandbox = Sandbox::empty();
        sandbox.cli(&["init", "--offline"]).ended(0);
        let mut provider = json!({"provider_kind": "cli", "command": command});
        if let Some(model) = model {
            provider["model"] = json!(model);
        }
        let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
        config["provider"] = provider.clone();
        sandbox.write("data/config.json", &config.to_string());
        sandbox.cli(&["call", "cli", "x"]).ended(0);
        assert_eq!(seen().contains("--model opus"), told, "{}", seen());
        assert_eq!(seen().contains("--model"), told, "{}", seen());
        assert!(
            !seen().contains("nemotron") && !seen().contains("{model}"),
            "{}",
            seen()
        );
        assert_eq!(seen().contains("--last"), command.len() > 1, "{}", seen());
        let said = sandbox.cli(&["doctor"]).stdout;
        assert_eq!(said.contains("the program takes its own"), !told, "{said}");
        assert!(
            !sandbox
                .cli(&["status"])
                .ended(0)
                .stdout
                .contains("nemotron")
        );
        // In the list it is called as the program, and the table of models knows nothing of it.
        config["providers"] = json!([provider]);
        sandbox.write("data/config.json", &config.to_string());
        let shown = sandbox.json(&["config", "show"]);
        let name = model.unwrap_or("claude");
        assert_eq!(shown["providers"][0]["name"], json!(name), "{shown:#}");
    }
}

/// Puts a program of that name into a folder; it speaks its recorded dialect and keeps what it was
/// given.
fn fake(folder: &Path, name: &str) {
    let said = match name {
        "codex" => concat!(
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"from NAME"}}"#,
            "\n",
            r#"{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":2}}"#
        ),
        "gemini" => concat!(
            r#"{"type":"init","model":"gemini-2.5-pro"}"#,
            "\n",
            r#"{"type":"message","role":"assistant","content":"from NAME","delta":true}"#,
            "\n",
            r#"{"type":"result","status":"success","stats":{"input_tokens":3,"output_tokens":2}}"#
        ),
        _ => concat!(
            r#"{"type":"system","subtype":"init","model":"some-model"}"#,
            "\n",
            r#"{"type":"result","subtype":"success","is_error":false,"result":"from NAME","#,
            r#""usage":{"input_tokens":3,"output_tokens":2}}"#
        ),
    };
    let path = folder.join(name);
    let kept = folder.join(format!("{name}.seen"));
    let said = said.replace("NAME", name);
    let body = format!(
        "(cat; echo; echo \"$@\"; env) > {}\ncat <<'END'\n{said}\nEND",
        kept.display()
    );
    script(&path, &body);
}

#[test]
fn each_known_program_is_run_from_the_path() {
    let sandbox = Sandbox::empty();
    sandbox.cli(&["init", "--offline"]).ended(0);
    let folder = tempfile::tempdir().unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    // What a process that was killed in the middle of a call has left behind goes with the next one.
    let temporary = tempfile::tempdir().unwrap();
    fs::create_dir_all(temporary.path().join("kjxlkj-call-left/deep")).unwrap();
    for name in ["claude", "gemini", "codex", "qwen", "ax-glm", "ax-grok"] {
        fake(folder.path(), name);
        let mut command = sandbox.command(&["call", name, "geese fly", "--format", "json"]);
        command
            .env("PATH", &path)
            .env("TMPDIR", temporary.path())
            .env("ZAI_API_KEY", "zai-login")
            .env("XAI_API_KEY", "xai-login")
            .env("OPENROUTER_API_KEY", "sk-or-secret");
        let answer = finished(command).ended(0).json();
        assert_eq!(answer["content"], json!(format!("from {name}")), "{answer}");
        assert_eq!(answer["usage"]["totalTokens"], json!(5), "{name}");
        assert_eq!(answer["provider"], json!("cli"));
        let seen = fs::read_to_string(folder.path().join(format!("{name}.seen"))).unwrap();
        assert!(seen.contains("geese fly"), "{seen}");
        assert!(!seen.contains("sk-or-secret"), "{seen}");
        assert!(
            seen.contains("/kjxlkj-call-"),
            "it ran in a folder of its own: {seen}"
        );
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "{name}");
        assert_eq!(seen.contains("zai-login"), name == "ax-glm", "{name}");
        assert_eq!(seen.contains("xai-login"), name == "ax-grok", "{name}");
        for (path, bytes) in sandbox.snapshot() {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("-login"), "{}", path.display());
        }
    }
    // It is told what it was asked in, and nothing else.
    for (options, told) in [(&["--max-tokens", "9"][..], true), (&[], false)] {
        let question = [&["call", "claude", "x"][..], options].concat();
        let mut command = sandbox.command(&question);
        command.env("PATH", &path).env("TMPDIR", temporary.path());
        let said = finished(command).ended(0).stderr;
        assert_eq!(said.contains("told neither"), told, "{said}");
    }
    // A program that is not there.
    let told = sandbox.cli(&["call", "claude", "x"]).ended(1).stderr;
    assert!(
        told.contains("If the provider is a program, install it"),
        "{told}"
    );
    let answer = sandbox
        .cli(&["call", "claude", "x", "--format", "json"])
        .ended(1)
        .json();
    assert_eq!(answer["error"]["code"], json!("PROVIDER_UNAVAILABLE"));
}

#[test]
fn doctor_asks_each_of_several_providers_and_tells_their_health() {
    let up = Peer::start();
    up.push(Step::reply("<ram_delete><key>a</key></ram_delete>"));
    let sandbox = Sandbox::with(&up);
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    let here = &config["provider"];
    let near = json!({"name": "near", "provider_kind": here["provider_kind"],
        "base_url": here["base_url"], "model": here["model"]});
    let far = json!({"name": "far", "provider_kind": "openai", "model": "m",
        "base_url": NOBODY[0]});
    config["providers"] = json!([near, far]);
    sandbox.write("data/config.json", &config.to_string());
    let report = sandbox.cli(&["doctor", "--format", "json"]).ended(1).json();
    let about = |name: &str, status: &str| {
        let checks = report["checks"].as_array().unwrap().iter();
        let mut found = checks.filter(|one| {
            one["name"] == "provider" && one["message"].as_str().unwrap().starts_with(name)
        });
        assert_eq!(found.next().unwrap()["status"], json!(status), "{report:#}");
    };
    about("near: ", "ok");
    about("far: ", "fail");
    let health = &report["health"];
    let (near, far) = (&health[0], &health[1]);
    assert_eq!(
        (&near["provider"], &near["available"], &near["errorRate"]),
        (&json!("near"), &json!(true), &json!(0.0)),
        "{report:#}"
    );
    assert!(near["latencyMs"].is_u64() && near["lastCheckTime"].is_string());
    assert_eq!(near["circuitState"], "closed");
    assert_eq!(
        (&far["provider"], &far["available"]),
        (&json!("far"), &json!(false))
    );
    assert_eq!(
        (&far["errorRate"], &far["consecutiveFailures"]),
        (&json!(1.0), &json!(1))
    );
    assert!(far["latencyMs"].is_null());

    // How things stand names the one that is asked, and not `provider`.
    let status = sandbox.cli(&["status", "--format", "json"]).ended(0).json();
    assert_eq!(status["provider"]["name"], "near", "{status:#}");
    assert_eq!(status["provider"]["others"], json!(["far"]));
    let status = sandbox.cli(&["status"]).ended(0).stdout;
    assert!(status.contains("; else far"), "{status}");
}

/// The variable that the configuration names holds it, or the credential of that name.
#[test]
fn a_program_is_given_the_key_that_its_configuration_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine");
    script(
        &path,
        r#"cat >/dev/null
echo "{\"type\":\"result\",\"result\":\"given ${MY_LOGIN:-nothing}\"}""#,
    );
    let sandbox = Sandbox::empty();
    sandbox.cli(&["init", "--offline"]).ended(0);
    let mut config: Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    config["provider"] =
        json!({"provider_kind": "cli", "command": [path], "api_key_env": "MY_LOGIN"});
    sandbox.write("data/config.json", &config.to_string());
    let credentials = tempfile::tempdir().unwrap();
    fs::write(credentials.path().join("my_login"), "from-a-file\n").unwrap();
    let credentials = credentials.path().display().to_string();
    for (variable, value, given) in [
        ("MY_LOGIN", "from-the-air", "given from-the-air\n"),
        ("CREDENTIALS_DIRECTORY", &credentials, "given from-a-file\n"),
        ("OTHER_LOGIN", "x", "given nothing\n"),
    ] {
        let mut command = sandbox.command(&["call", "cli", "x"]);
        command.env(variable, value);
        assert_eq!(finished(command).ended(0).stdout, given);
        for (path, bytes) in sandbox.snapshot() {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("from-"), "{}", path.display());
        }
    }
}
