//! The lived-in root: one life in the loop, copied into a sandbox where the real program is run.

use super::life::Life;
use super::mask::Mask;
use crate::agent::{ram_add, record_add};
use crate::cli::sandbox::{Done, RULE_ID, Sandbox};
use crate::lab::WORKSPACE;
use crate::loop_rules::{EACH_MINUTE, rule};
use crate::loop_undo::take_back;
use crate::peer::NOBODY;
use kjxlkj_agent::core::agent::{IdleProfile, Protocol};
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::run::Run;
use kjxlkj_agent::daemon::{Clock as _, SystemClock};
use kjxlkj_agent::store::UndoScope;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// The root in its sandbox.
pub(super) struct Root {
    pub(super) sandbox: Sandbox,
    /// The runs of the life, oldest first.
    pub(super) runs: Vec<String>,
    mask: Mask,
}

/// A run that proposes a note.
async fn propose(life: &mut Life, title: &str, value: &str) {
    life.lab.config.mode = Some(Mode::Reviewed);
    life.lab.config.r#loop.protocol = Protocol::Xml;
    let replies = [
        ram_add("steps", "write"),
        record_add(title, value),
        ram_add("think_log", "well"),
    ];
    life.ask(
        &format!("Keep {title}"),
        &replies.each_ref().map(String::as_str),
    )
    .await;
    life.lab.config.mode = None;
    life.lab.config.r#loop.protocol = Protocol::Steps;
}

/// Requests, hand edits, proposals, an undo, an issue, a deleted note.
async fn live() -> (Life, Vec<Run>) {
    let mut life = Life::of(Protocol::Steps);
    life.lab.config.r#loop.idle_profile = IdleProfile::Sleep;
    life.lab.config.memory.retain_full_conversation_logs = true;
    let mut runs = Vec::new();
    life.lab.start().close().unwrap();
    life.put_note(1, "Kayak", "The kayak is blue, see [[Boat house]].");
    life.put_note(2, "Old tent", "It leaks.");
    life.edit_kv(&[("mood", json!("calm")), ("list", json!([1, {"a": null}]))]);
    for (request, replies) in [
        (
            "make a shopping list: milk, eggs, bread",
            &["new Shopping list: milk, eggs, bread"][..],
        ),
        (
            "Note that line 7 leaves at 8:10, and that line 9 leaves at 8:25.",
            &["new Bus: Line 7 leaves at 8:10. Line 9 leaves at 8:25."],
        ),
        (
            "Line 9 leaves at 8:40, not at 8:25, and the fare is 3 euros.",
            &["change: Line 9 leaves at 8:40.\nadd: The fare is 3 euros."],
        ),
        (
            "When does line 7 leave?",
            &["answer: When does line 7 leave?", "Line 7 leaves at 8:10."],
        ),
        (
            "Who drives line 7?",
            &["answer: Who drives line 7?", "Line 7 leaves at 8:10.", "no"],
        ),
        ("Delete the note Old tent.", &["delete Old tent"]),
        ("Add butter to my shopping list", &["add: butter"]),
        ("Note that it rains.", &["Sure!", "Sure!", "Sure!"]),
        (
            "The kayak may be green, look into it.",
            &["issue Kayak: It may be green."],
        ),
    ] {
        runs.push(life.ask(request, replies).await);
    }
    let undone = runs[6].run_id;
    life.lab.clock.advance(60_000);
    take_back(&life.lab, UndoScope::Run(undone));
    for (title, value) in [("Tea", "Green."), ("Salt", "Coarse."), ("Oil", "Cold.")] {
        propose(&mut life, title, value).await;
        life.lab.clock.advance(60_000);
    }
    (life, runs)
}

impl Root {
    /// Lives the life and copies its folder.
    pub(super) async fn lived_in() -> Self {
        let (life, runs) = live().await;
        let mut file: Value = serde_json::from_str(&life.lab.text("data/config.json")).unwrap();
        file["provider"]["base_url"] = json!(NOBODY[0]);
        file["provider"]["model"] = json!("peer-model");
        file["provider"]["context_tokens"] = json!(8192);
        file["provider"]["constrain"] = json!("off");
        file["scope"]["workspace_id"] = json!(WORKSPACE);
        file["loop"]["idle_profile"] = json!("sleep");
        file["loop"]["loop_delay_ms"] = json!(0);
        file["loop"]["protocol"] = json!("xml");
        file["retry"]["max_retries"] = json!(0);
        file["journal"]["retention_days"] = json!(36_500);
        life.lab.write("data/config.json", &format!("{file:#}"));
        let condition = json!({"cron": "0 9 * * 1", "timezone": "Europe/Berlin"});
        let mut weekly = rule(EACH_MINUTE, "automation_schedule.cron", &condition);
        weekly["enabled"] = json!(false);
        let rules = json!([weekly, rule(RULE_ID, "manual", &json!({}))]);
        life.lab.write("data/rules.json", &format!("{rules:#}"));
        let sandbox = Sandbox::empty();
        copy(&life.lab.path("data"), &sandbox.path("data"));
        let program = Path::new(env!("CARGO_BIN_EXE_kjxlkj-agent"));
        let home = sandbox.root().with_file_name("home");
        let today = SystemClock.now().to_string();
        let mask = Mask::default()
            .since(&today[.."2026-11-02".len()])
            .word(life.lab.peer.base_url(), "<peer>")
            .word(program.to_str().unwrap(), "<program>")
            .word(sandbox.root().to_str().unwrap(), "<root>")
            .word(home.to_str().unwrap(), "<home>");
        Self {
            sandbox,
            runs: runs.iter().map(|run| run.run_id.to_string()).collect(),
            mask,
        }
    }

    /// Has a text replaced from now on.
    pub(super) fn hide(&mut self, text: &str, word: &str) {
        self.mask = std::mem::take(&mut self.mask).word(text, word);
    }

    /// A text under the mask, with the ids that the root knows by now.
    pub(super) fn masked(&self, text: &str) -> String {
        let mut mask = self.mask.clone();
        for (_, bytes) in self.sandbox.snapshot() {
            mask.learn(&String::from_utf8_lossy(&bytes));
        }
        mask.text(text)
    }

    /// Runs the program and tells what it said and how it ended.
    pub(super) fn told(&self, words: &[&str], input: &[u8]) -> String {
        let done = if input.is_empty() {
            self.sandbox.cli(words)
        } else {
            self.sandbox.cli_reading(words, input)
        };
        let Done {
            code,
            stdout,
            stderr,
        } = done;
        let mut told = format!("$ {}\n{stdout}", words.join(" "));
        if !stdout.is_empty() && !stdout.ends_with('\n') {
            told.push_str("<no newline>\n");
        }
        for line in stderr.lines() {
            writeln!(told, "! {line}").unwrap();
        }
        writeln!(told, "= {}\n", code.unwrap()).unwrap();
        self.masked(&told)
    }
}

/// Copies a folder with all that is in it but sockets and locks.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else if path.is_file() && !path.ends_with("daemon.lock") {
            std::fs::copy(&path, &place).unwrap();
        }
    }
}
