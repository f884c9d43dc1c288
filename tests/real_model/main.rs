//! The program against real small models: real tasks from an empty root, checked by looking at
//! files, never at prose. Prints, per model, how its replies parse and what a task costs.
//!
//! `cargo test --release --test real_model -- [--minutes N] [--readme FILE] [MODEL ...]`
//!
//! Where no model can be had (no Python, no network) it says why and passes: nothing is claimed.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test program of its own: it starts processes, reads files, prints and stops at once"
)]

mod server;
mod table;
mod tasks;

use kjxlkj_agent::core::protocol::{AllowedTags, ParseOptions, parse};
use serde_json::Value;
use server::Server;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use table::Row;
use tasks::TASKS;

/// The models that are asked when none is named.
const MODELS: [&str; 2] = ["smollm2", "qwen0.5b"];

fn main() {
    let mut minutes = 30;
    let mut readme = None;
    let mut models = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--minutes" {
            minutes = arguments.next().unwrap().parse().unwrap();
        } else if argument == "--readme" {
            readme = arguments.next();
        } else if !argument.starts_with('-') {
            models.push(argument);
        }
    }
    if models.is_empty() {
        models.extend(MODELS.map(str::to_owned));
    }
    let share = Duration::from_secs(minutes * 60) / u32::try_from(models.len()).unwrap();
    let (mut passed, mut skipped) = (0, 0);
    let mut rows = Vec::new();
    for model in models {
        match Server::start(&model) {
            Ok(server) => {
                let row = examine(&server, Instant::now() + share);
                passed += row.tasks;
                rows.push(row);
            }
            Err(reason) => {
                println!("skipped {model}: {reason}");
                skipped += 1;
            }
        }
    }
    let table = table::markdown(&rows);
    println!("\n{table}");
    if let Some(path) = readme {
        table::write_readme(&path, &table);
    }
    println!("{passed} passed, 0 failed, {skipped} skipped");
}

/// Runs the tasks that fit the time, each on a root of its own, and checks what stands there.
fn examine(server: &Server, until: Instant) -> Row {
    let mut row = Row::new(&server.model);
    for task in TASKS {
        if row.tasks > 0 && Instant::now() > until {
            println!("{}: out of time before `{}`", server.model, task.name);
            break;
        }
        let root = tempfile::tempdir().unwrap();
        write_root(root.path(), server);
        for note in task.notes {
            agent(
                root.path(),
                &[
                    "notes",
                    "add",
                    "--title",
                    note.0,
                    "--keywords",
                    note.1,
                    note.2,
                ],
            );
        }
        let begun = Instant::now();
        let run = agent(
            root.path(),
            &["run", "--task", task.request, "--max-iterations", "12"],
        );
        check(root.path(), &run);
        let reached = (task.reached)(&notes(root.path()), &ram(root.path()));
        count_replies(root.path(), &mut row);
        row.add(&run, reached);
        println!(
            "{}: {}: {} after {} iterations, goal {}, {} s",
            server.model,
            task.name,
            run["state"].as_str().unwrap(),
            run["loop_count"],
            if reached { "reached" } else { "missed" },
            begun.elapsed().as_secs(),
        );
    }
    assert!(
        row.recovered > 0,
        "{}: no reply at all could be executed",
        server.model
    );
    row
}

/// What must hold whatever the model did.
fn check(root: &Path, run: &Value) {
    let state = run["state"].as_str().unwrap();
    assert!(
        matches!(state, "Succeeded" | "Failed"),
        "the run is over: {run}"
    );
    let applied = run["operation_count"].as_u64().unwrap();
    assert!(
        state != "Succeeded" || applied > 0,
        "no run succeeds without an effect: {run}"
    );
    assert_eq!(state == "Failed", run["error_code"].is_string(), "{run}");
    let ram = ram(root);
    assert!(
        ram["think_log"].is_string() && ram["plan"].is_string(),
        "{ram}"
    );
    assert!(
        ram["steps"].is_array() && ram["context"].is_object(),
        "{ram}"
    );
    assert_eq!(ram["state"], "idle", "{ram}");
    for note in notes(root) {
        assert!(
            note["version"].as_u64().unwrap() >= 1 && note["title"].is_string(),
            "{note}"
        );
    }
    let verified = agent(root, &["audit", "verify"]);
    assert_eq!(verified["ok"], true, "{verified}");
}

/// How the replies of the run parse: as they are, and after repair.
fn count_replies(root: &Path, row: &mut Row) {
    let folder = std::fs::read_dir(root.join("data/conversations")).unwrap();
    for file in folder {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let kept: Value = serde_json::from_str(line).unwrap();
            let truncated = kept["reply"]["finish"] == "length";
            let reply = kept["reply"]["text"].as_str().unwrap();
            let reads = |strict| {
                let allowed_tags = AllowedTags::shipped();
                let parsed = parse(
                    reply,
                    &ParseOptions {
                        strict,
                        allowed_tags,
                        truncated,
                    },
                );
                parsed.ok && !parsed.instructions.is_empty()
            };
            row.replies += 1;
            row.strict += u64::from(reads(true));
            row.recovered += u64::from(reads(false));
        }
    }
}

fn write_root(root: &Path, server: &Server) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"));
    let status = command.arg("init").arg(root).output().unwrap();
    assert!(status.status.success(), "{status:?}");
    let path = root.join("data/config.json");
    let mut config: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    config["provider"]["provider_kind"] = "openai".into();
    config["provider"]["base_url"] = server.base_url.clone().into();
    config["provider"]["model"] = server.model.clone().into();
    config["provider"]["max_tokens"] = 300.into();
    config["loop"]["loop_delay_ms"] = 0.into();
    config["memory"]["retain_full_conversation_logs"] = true.into();
    std::fs::write(&path, config.to_string()).unwrap();
}

/// Runs a verb and reads the JSON that it prints.
fn agent(root: &Path, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"));
    command
        .arg("--root")
        .arg(root)
        .args(["--format", "json"])
        .args(arguments);
    let output = command.output().unwrap();
    let code = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(code, Some(0 | 1)),
        "{arguments:?}: {code:?}\n{errors}"
    );
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{errors}"))
}

fn ram(root: &Path) -> Value {
    let text = std::fs::read_to_string(root.join("data/agent-kv-store.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn notes(root: &Path) -> Vec<Value> {
    let folder = std::fs::read_dir(root.join("data/notes")).unwrap();
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    folder.map(read).collect()
}
