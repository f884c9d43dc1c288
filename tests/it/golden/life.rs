//! The lives that goldens are taken of: the real loop on a real folder under a clock that begins at the
//! same time always, with a prompt file of its own, so that the shipped one may be worded anew.

use super::mask::Mask;
use crate::lab::{Lab, ManualClock, edit_kv, loaded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config::Constrain;
use kjxlkj_agent::core::agent::{IdleProfile, Protocol};
use kjxlkj_agent::core::run::Run;
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The prompt file of the goldens.
pub(super) const PROMPT: &str = include_str!("prompt.json");

/// When every life begins.
const BEGINNING: &str = "2026-03-02T09:00:00Z";

/// Time between two requests, in milliseconds: ids that are drawn in it begin differently.
const BETWEEN_MS: i64 = 10 * 60_000;

/// Whether a person's file was finished long before it is looked at.
const STILL_MS: i64 = 3_600_000;

/// What the model says next, and what it was asked.
#[derive(Debug, Default)]
struct Script {
    replies: VecDeque<String>,
    asked: Vec<Value>,
}

/// A root, its loop, and a model that says what it is told to say.
pub(super) struct Life {
    pub(super) lab: Lab,
    script: Arc<Mutex<Script>>,
    /// Everything that the model was asked so far, with the request in front and the end behind.
    told: String,
}

impl Life {
    /// A root whose model is asked freely, at the beginning of time.
    pub(super) fn of(protocol: Protocol) -> Self {
        Self::with_prompt(protocol, PROMPT)
    }

    /// The same with another prompt file.
    pub(super) fn with_prompt(protocol: Protocol, prompt: &str) -> Self {
        let script: Arc<Mutex<Script>> = Arc::default();
        let usual = if protocol == Protocol::Xml {
            "<ram_add><key>think_log</key><value>-</value></ram_add>"
        } else {
            "nothing"
        };
        let peer = Peer::answering({
            let script = Arc::clone(&script);
            move |request, _| {
                let mut script = script.lock().unwrap();
                script.asked.push(request.json());
                if String::from_utf8_lossy(&request.body).contains("kjx_mark") {
                    return Step::reply("{ \"op\": \"kjx_mark\" }");
                }
                let reply = script.replies.pop_front();
                let reply = reply.as_deref().unwrap_or(usual);
                let status = reply.strip_prefix("status ");
                status.map_or_else(
                    || Step::reply(reply),
                    |status| Step::status(status.parse().unwrap()),
                )
            }
        });
        let mut lab = Lab::with_peer(peer);
        lab.write("data/agent-prompt.json", prompt);
        lab.prompt = loaded(lab.root()).prompt;
        lab.clock = ManualClock::at(Timestamp::parse(BEGINNING).unwrap());
        lab.config.provider.constrain = Constrain::Off;
        lab.config.r#loop.protocol = protocol;
        lab.config.r#loop.loop_delay_ms = 0;
        Self {
            lab,
            script,
            told: String::new(),
        }
    }

    /// Takes the words of an idle profile.
    pub(super) fn take_profile(&mut self, profile: IdleProfile) {
        let mut file: Value = serde_json::from_str(&self.lab.text("data/config.json")).unwrap();
        file["loop"]["idle_profile"] = json!(profile.name());
        self.lab.write("data/config.json", &file.to_string());
        self.lab.prompt = loaded(self.lab.root()).prompt;
        self.lab.config.r#loop.idle_profile = profile;
    }

    /// The model's next replies.
    pub(super) fn says(&self, replies: &[&str]) {
        let replies = replies.iter().map(|&reply| reply.to_owned());
        self.script.lock().unwrap().replies.extend(replies);
    }

    /// Runs a request to which the model says that, reply by reply, and then nothing of use.
    pub(super) async fn ask(&mut self, request: &str, replies: &[&str]) -> Run {
        self.says(replies);
        self.lab.clock.advance(BETWEEN_MS);
        let run = self.lab.run(request).await;
        let code = run.error_code.map(|code| code.to_string());
        let end = format!("{:?} {}", run.state, code.unwrap_or_default());
        let begin: String = request.chars().take(80).collect();
        self.take_down(&format!("{begin:?}"), end.trim());
        run
    }

    /// Writes down what was asked since the last time, and how many replies were not asked for.
    pub(super) fn take_down(&mut self, what: &str, end: &str) {
        let mut script = self.script.lock().unwrap();
        writeln!(self.told, "=== {what}").unwrap();
        for asked in std::mem::take(&mut script.asked) {
            let text = serde_json::to_string_pretty(&asked).unwrap();
            writeln!(self.told, "{text}").unwrap();
        }
        let left = std::mem::take(&mut script.replies).len();
        writeln!(self.told, "--- {end}, {left} replies left\n").unwrap();
    }

    /// What differs from life to life.
    pub(super) fn mask(&self) -> Mask {
        let root = self.lab.root().to_str().unwrap();
        let mask = Mask::default().word(self.lab.peer.base_url(), "<peer>");
        mask.word(root, "<root>")
    }

    /// Everything that was written down.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// A person puts a note into the folder.
    pub(super) fn put_note(&self, number: u32, title: &str, value: &str) {
        let note = json!({"title": title, "keywords": keyword_of(title), "value": value});
        let name = format!("data/notes/{}.json", note_id(number));
        self.write(&name, &note.to_string());
    }

    /// A person writes a file that lies still when it is seen.
    pub(super) fn write(&self, below: &str, text: &str) {
        self.lab.write(below, text);
        self.rest(below);
    }

    /// A person changes some keys of RAM.
    pub(super) fn edit_kv(&self, changes: &[(&str, Value)]) {
        edit_kv(self.lab.root(), changes);
        self.rest("data/agent-kv-store.json");
    }

    /// Has a file lie still.
    fn rest(&self, below: &str) {
        lie_still(&self.lab.path(below), self.lab.clock.slept_ms().len());
    }
}

/// The journal of a life, under a mask.
pub(super) fn journal_of(life: &Life) -> String {
    let segments = life.lab.names("data/journal");
    let segments = segments.iter().filter(|name| {
        let extension = Path::new(name).extension();
        extension.is_some_and(|end| end == "jsonl")
    });
    let lines: String = segments
        .map(|name| life.lab.text(&format!("data/journal/{name}")))
        .collect();
    life.mask().text(&lines)
}

/// The id of a note that a person puts into the folder. No two begin alike.
pub(super) fn note_id(number: u32) -> String {
    format!("{:08x}-0000-7000-8000-{number:012}", 0x0195_0000 + number)
}

fn keyword_of(title: &str) -> String {
    let first = title.split(' ').next().unwrap_or_default();
    first.to_lowercase()
}

/// Puts the time of a file well before the beginning. Files written one after the other differ in it.
fn lie_still(path: &Path, step: usize) {
    let beginning = Timestamp::parse(BEGINNING).unwrap().millis;
    let millis = u64::try_from(beginning - STILL_MS).unwrap() + u64::try_from(step).unwrap();
    let time: SystemTime = UNIX_EPOCH + Duration::from_millis(millis);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}
