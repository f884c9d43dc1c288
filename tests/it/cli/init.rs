//! `init`: a new root names the model server of the machine, or has a small model started.

use super::sandbox::{Done, Sandbox};
use crate::peer::{NOBODY, Peer, Step};
use serde_json::{Value, json};

fn get(sandbox: &Sandbox, key: &str) -> Value {
    sandbox.json(&["config", "get", key])["value"].clone()
}

/// A server that lists these models and says nothing else.
fn listing(models: &[&str]) -> Peer {
    let peer = Peer::start();
    peer.list_models(models);
    peer
}

/// What `init` makes of these places.
fn init_at(sandbox: &Sandbox, places: &[&str]) -> Done {
    let mut words = vec!["init", "--format", "json"];
    for place in places {
        words.extend(["--look-at", place]);
    }
    sandbox.cli(&words).ended(0)
}

#[test]
fn init_names_the_server_that_answers() {
    let (second, third) = (listing(&["qwen3:4b"]), listing(&["text-embed-1", "a", "b"]));
    let sandbox = Sandbox::empty();
    let places = [NOBODY[0], &second.base_url(), &third.base_url()];
    let made = init_at(&sandbox, &places).json();
    let provider = json!({
        "provider_kind": "openai", "base_url": second.base_url(), "model": "qwen3:4b",
    });
    assert_eq!(made["provider"], provider);
    let names = |made: &Value| {
        let servers = made["servers"].as_array().unwrap().iter();
        servers
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&made), ["Ollama", "llama-server"]);
    assert_eq!(get(&sandbox, "provider.base_url"), json!(second.base_url()));
    assert_eq!(get(&sandbox, "provider.model"), "qwen3:4b");
    sandbox.cli(&["config", "check"]).ended(0);
    // The order of the shipped file stays.
    let text = sandbox.read("data/config.json");
    assert!(text.find("\"kind\"") < text.find("\"provider\""), "{text}");

    // Whatever answers now, what stands there stays.
    let again = init_at(&sandbox, &[&third.base_url()]).json();
    assert_eq!(
        (&again["provider"], &again["servers"]),
        (&json!(null), &json!([]))
    );
    assert_eq!(sandbox.read("data/config.json"), text);

    // Of several models the first that writes.
    let other = Sandbox::empty();
    let done = other
        .cli(&["init", "--look-at", &third.base_url()])
        .ended(0);
    assert_eq!(get(&other, "provider.model"), "a");
    for words in [
        "LM Studio answers at",
        "the model is a",
        "it also has text-embed-1, b",
    ] {
        assert!(done.stderr.contains(words), "{words} in {done:?}");
    }
}

#[test]
fn init_says_what_to_do_where_no_server_answers() {
    let silent = Peer::start();
    silent.push_models(Step::status(500));
    for places in [&[NOBODY[0], NOBODY[1]][..], &[&silent.base_url()]] {
        let sandbox = Sandbox::empty();
        let mut words = vec!["init"];
        for place in places {
            words.extend(["--look-at", place]);
        }
        let done = sandbox.cli(&words).ended(0);
        assert!(done.stderr.contains("init --small-model"), "{done:?}");
        assert_eq!(
            get(&sandbox, "provider.base_url"),
            "http://127.0.0.1:1234/v1"
        );
    }
    let sandbox = Sandbox::empty();
    let made = sandbox.json(&["init", "--offline"]);
    assert_eq!(
        (&made["provider"], &made["servers"]),
        (&json!(null), &json!([]))
    );
}

#[test]
fn init_can_have_the_daemon_start_a_small_model() {
    let sandbox = Sandbox::empty();
    let made = sandbox.json(&["init", "--small-model"]);
    let launch = get(&sandbox, "provider.launch");
    assert_eq!(
        launch["command"],
        json!(["./data/small-model", "{port}", "qwen1.5b"])
    );
    assert_eq!(made["provider"]["model"], "qwen1.5b");
    let doctor = sandbox.cli(&["doctor"]);
    assert!(
        doctor.stdout.contains("`./data/small-model` is there"),
        "{doctor:?}"
    );

    let other = Sandbox::quiet();
    let before = other.read("data/config.json");
    let done = other.cli(&["init", "--small-model"]).ended(0);
    assert!(
        done.stderr.contains("config set provider.launch '{"),
        "{done:?}"
    );
    assert_eq!(other.read("data/config.json"), before);
    let (_, launch) = done.stderr.split_once("provider.launch '").unwrap();
    let words = ["config", "set", "provider.launch"];
    let launch = launch.split('\'').next().unwrap();
    other.cli(&[&words[..], &[launch]].concat()).ended(0);
}
