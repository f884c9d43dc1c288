//! A root of its own for each task: writes what is given, runs the program, looks at the files.

use crate::outcome::Outcome;
use crate::task::{Given, Task};
use crate::world::World;
use kjxlkj_agent::core::protocol::{AllowedTags, Instruction, ParseOptions, parse_json};
use kjxlkj_agent::core::steps::plan;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Iterations that a task may take, whoever does it.
pub(crate) const ITERATIONS_MAX: &str = "12";

/// The longest answer, in tokens; a step of work needs less than half of it.
const ANSWER_TOKENS_MAX: u32 = 300;

/// How the replies of a run parse.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replies {
    /// All of them.
    pub(crate) all: u64,
    /// Those that parse as they are.
    pub(crate) strict: u64,
    /// Those with something to execute after repair.
    pub(crate) repaired: u64,
}

impl Replies {
    /// Adds those of one more run.
    pub(crate) const fn and(self, outcome: &Outcome) -> Self {
        Self {
            all: self.all + outcome.replies,
            strict: self.strict + outcome.strict,
            repaired: self.repaired + outcome.repaired,
        }
    }
}

/// A root with what a task needs.
pub(crate) struct Root {
    folder: TempDir,
}

impl Root {
    /// Writes the configuration, and what the task gives. There, its goal is not reached.
    pub(crate) fn prepare(task: &Task, model: &str, base_url: &str) -> Self {
        let root = Self::empty(model, base_url);
        root.import(&task.crowd);
        for note in &task.notes {
            root.agent(&[
                "notes",
                "add",
                "--title",
                &note.title,
                "--keywords",
                &note.keywords,
                "--",
                &note.text,
            ]);
        }
        for (key, value) in &task.ram {
            root.agent(&["ram", "set", key, "--", value]);
        }
        let world = root.world(&Value::Null);
        assert!(
            !task.judge(&world, &world).solved,
            "{}: reached before anything was done",
            task.name
        );
        assert_eq!(
            world.notes.len(),
            task.notes.len() + task.crowd.len(),
            "{}: every note is there",
            task.name
        );
        root
    }

    /// Writes the configuration, and nothing else. The window is for the program to find out.
    pub(crate) fn empty(model: &str, base_url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Self { folder };
        let done = program()
            .args(["init", "--offline"])
            .arg(root.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        let path = root.path().join("data/config.json");
        let mut config = read_json(&path);
        config["provider"]["provider_kind"] = "openai".into();
        config["provider"]["base_url"] = base_url.into();
        config["provider"]["model"] = model.into();
        config["provider"]["max_tokens"] = ANSWER_TOKENS_MAX.into();
        config["loop"]["loop_delay_ms"] = 0.into();
        config["memory"]["retain_full_conversation_logs"] = true.into();
        std::fs::write(&path, config.to_string()).unwrap();
        root
    }

    /// Reads many notes in at once.
    fn import(&self, notes: &[Given]) {
        if notes.is_empty() {
            return;
        }
        let line = |it: &Given| {
            let keywords: Vec<&str> = it.keywords.split(", ").collect();
            let note = json!({"title": it.title, "keywords": keywords, "value": it.text});
            note.to_string() + "\n"
        };
        let path = self.path().join("crowd.jsonl");
        let lines: String = notes.iter().map(line).collect();
        std::fs::write(&path, lines).unwrap();
        let path = path.to_string_lossy().into_owned();
        self.agent(&["notes", "import", "--json", &path]);
        std::fs::remove_file(&path).unwrap();
    }

    /// Changes the configuration.
    pub(crate) fn configure(&self, section: &str, key: &str, value: Value) {
        let path = self.path().join("data/config.json");
        let mut config = read_json(&path);
        config[section][key] = value;
        std::fs::write(&path, config.to_string()).unwrap();
    }

    /// Makes one step of a request, and gives every reply that it took.
    pub(crate) fn step(&self, request: &str) -> Vec<Value> {
        self.agent(&["once", "--task", request]);
        self.conversation()
    }

    /// Whether the journal says that a question was to be answered in that form.
    pub(crate) fn was_kept_to(&self, form: &str) -> bool {
        let wanted = format!("\"rung\":\"{form}\"");
        let files = std::fs::read_dir(self.path().join("data/journal")).unwrap();
        let mut files = files.flatten();
        files.any(|file| {
            let text = std::fs::read_to_string(file.path()).unwrap();
            text.contains(&wanted)
        })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Does the task. `None` if it was not done when the time was up.
    pub(crate) fn run(&self, task: &Task, until: Instant) -> Option<Value> {
        let words = [
            "run",
            "--task",
            &task.request,
            "--max-iterations",
            ITERATIONS_MAX,
        ];
        // The record is short, so it fits the pipe until the process has ended.
        let mut child = self
            .command(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > until {
                child.kill().unwrap();
                child.wait().unwrap();
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(answer_of(&words, &child.wait_with_output().unwrap()))
    }

    /// Runs a verb and reads the JSON that it prints.
    fn agent(&self, words: &[&str]) -> Value {
        answer_of(words, &self.command(words).output().unwrap())
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = program();
        command
            .arg("--root")
            .arg(self.path())
            .args(["--format", "json"])
            .args(words)
            .stdin(Stdio::null());
        command
    }

    /// What stands there now, after a run; null before any.
    pub(crate) fn world(&self, run: &Value) -> World {
        let data = self.path().join("data");
        let files = std::fs::read_dir(data.join("notes"));
        let files = files
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let is_note = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "json");
        World {
            notes: files.filter(is_note).map(|path| read_json(&path)).collect(),
            ram: written(&data.join("agent-kv-store.json")),
            storage: written(&data.join("storage.json")),
            run: run.clone(),
        }
    }

    /// What must hold whatever the model did.
    pub(crate) fn check(&self, task: &Task, run: &Value, window: u32) {
        let state = run["state"].as_str().unwrap();
        let applied = run["operation_count"].as_u64().unwrap();
        assert!(
            matches!(state, "Succeeded" | "Failed"),
            "the run is over: {run}"
        );
        assert!(
            state != "Succeeded"
                || applied > 0
                || run["answer"].is_object()
                || task.asks_no_change(),
            "no run succeeds without an effect: {run}"
        );
        assert_eq!(state == "Failed", run["error_code"].is_string(), "{run}");
        let World { notes, ram, .. } = self.world(run);
        assert!(
            ram["think_log"].is_string() && ram["plan"].is_string(),
            "{ram}"
        );
        assert!(
            ram["steps"].is_array() && ram["context"].is_object(),
            "{ram}"
        );
        assert_eq!(ram["state"], "idle", "{ram}");
        for note in notes {
            assert!(
                note["version"].as_u64().unwrap() >= 1 && note["title"].is_string(),
                "{note}"
            );
        }
        let known = self.agent(&["status"])["prompt"]["window"].take();
        assert_eq!(known["tokens"], window, "the window was found out: {known}");
        let verified = self.agent(&["audit", "verify"]);
        assert_eq!(verified["ok"], true, "{verified}");
    }

    /// How the replies parse: as they are, and after repair.
    pub(crate) fn replies(&self) -> Replies {
        let mut replies = Replies::default();
        for reply in self.conversation() {
            replies.all += 1;
            replies.strict += u64::from(reads(&reply, true));
            replies.repaired += u64::from(reads(&reply, false));
        }
        replies
    }

    /// The replies so far.
    fn conversation(&self) -> Vec<Value> {
        let mut kept = self.kept();
        kept.iter_mut().map(|it| it["reply"].take()).collect()
    }

    /// Returns what was asked last in each call so far, and what came.
    pub(crate) fn talk(&self) -> Vec<String> {
        let told = |kept: Value| {
            let asked = kept["messages"].as_array().and_then(|all| all.last());
            let asked = asked.and_then(|it| it["content"].as_str());
            let reply = kept["reply"]["text"].as_str().unwrap_or_default();
            format!("{}\n=> {reply}", asked.unwrap_or_default())
        };
        self.kept().into_iter().map(told).collect()
    }

    /// Returns the conversations so far.
    fn kept(&self) -> Vec<Value> {
        let folder = std::fs::read_dir(self.path().join("data/conversations"));
        let files = folder.into_iter().flatten().flatten();
        let texts = files.map(|file| std::fs::read_to_string(file.path()).unwrap());
        let lines: Vec<String> = texts
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let kept = lines.iter().map(|line| serde_json::from_str(line));
        kept.map(Result::unwrap).collect()
    }
}

/// Whether a reply parses with something to execute: instructions, or lines of a plan.
pub(crate) fn reads(reply: &Value, strict: bool) -> bool {
    let text = reply["text"].as_str().unwrap();
    !instructions(reply, strict).is_empty() || !plan::parse(text).is_empty()
}

/// What a reply says, in whichever form.
pub(crate) fn instructions(reply: &Value, strict: bool) -> Vec<Instruction> {
    let options = ParseOptions {
        strict,
        allowed_tags: AllowedTags::shipped(),
        truncated: reply["finish"] == "length",
    };
    let parsed = parse_json(reply["text"].as_str().unwrap(), &options);
    let found = parsed.instructions.into_iter();
    found.map(|located| located.instruction).collect()
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"))
}

fn answer_of(words: &[&str], output: &Output) -> Value {
    let code = output.status.code();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(code, Some(0 | 1)), "{words:?}: {code:?}\n{errors}");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{words:?}: {error}\n{errors}"))
}

/// What a file holds that the program may not have written yet.
fn written(path: &Path) -> Value {
    if path.exists() {
        read_json(path)
    } else {
        Value::Null
    }
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
