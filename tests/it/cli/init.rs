//! `init`: a new root can have a small model started.

use super::sandbox::Sandbox;
use serde_json::{Value, json};

fn get(sandbox: &Sandbox, key: &str) -> Value {
    sandbox.json(&["config", "get", key])["value"].clone()
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
