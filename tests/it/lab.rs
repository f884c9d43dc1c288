//! The laboratory: the real agent on a real folder, the real HTTP adapter, and the scripted peer as
//! the model. Only the clock is the test's: waits end at once, are written down, and move the time.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::peer::{Peer, Step};
use kjxlkj_agent::config::{self, Config, LoadedConfig};
use kjxlkj_agent::core::agent::{Ending, LoopState};
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::prompt::PromptFile;
use kjxlkj_agent::core::run::{Run, RunState, Trigger, Usage};
use kjxlkj_agent::daemon::{
    Agent, Boot, Clock, Halt, LockedRoot, LoopEvent, Observer, OutagePolicy, Servers, StopHandle,
    hold, open, stop_pair,
};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::provider::{CallFuture, LlmProvider, Sleeper, connect};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{AuditEntry, audit_entries, read_state};
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;

/// The workspace of every laboratory.
pub(crate) const WORKSPACE: &str = "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38";

/// A clock whose waits end at once and move it forward.
#[derive(Debug)]
pub(crate) struct ManualClock {
    state: Mutex<ClockState>,
}

struct ClockState {
    now: Timestamp,
    /// How far the clock on the wall was put, in milliseconds.
    put_ms: i64,
    slept_ms: Vec<u64>,
    at_wait: Option<(usize, Box<dyn FnOnce() + Send>)>,
    leap: Option<(Timestamp, i64)>,
    at_time: Option<(Timestamp, Box<dyn FnOnce() + Send>)>,
    at_each_wait: Option<Box<dyn FnMut(Timestamp) + Send>>,
}

impl std::fmt::Debug for ClockState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.now)
    }
}

impl ClockState {
    fn put(&mut self, millis: i64) {
        self.now = self.now.plus_millis(millis);
        self.put_ms += millis;
    }
}

impl ManualClock {
    pub(crate) fn at(now: Timestamp) -> Arc<Self> {
        let state = Mutex::new(ClockState {
            now,
            put_ms: 0,
            slept_ms: Vec::new(),
            at_wait: None,
            leap: None,
            at_time: None,
            at_each_wait: None,
        });
        Arc::new(Self { state })
    }

    /// Does something when that many waits have begun.
    pub(crate) fn at_wait(&self, count: usize, act: impl FnOnce() + Send + 'static) {
        self.state.lock().unwrap().at_wait = Some((count, Box::new(act)));
    }

    /// Does something when a wait ends at that time or behind it.
    pub(crate) fn at_time(&self, time: Timestamp, act: impl FnOnce() + Send + 'static) {
        self.state.lock().unwrap().at_time = Some((time, Box::new(act)));
    }

    /// Does something at the end of each wait, with the time that it is then; `None` does nothing any
    /// more.
    pub(crate) fn at_each_wait(&self, act: Option<Box<dyn FnMut(Timestamp) + Send>>) {
        self.state.lock().unwrap().at_each_wait = act;
    }

    /// Time goes by without anybody waiting for it.
    pub(crate) fn advance(&self, millis: i64) {
        let mut state = self.state.lock().unwrap();
        state.now = state.now.plus_millis(millis);
    }

    /// The clock on the wall is put forward or back, or the machine sleeps: nobody lives through that.
    pub(crate) fn put(&self, millis: i64) {
        self.state.lock().unwrap().put(millis);
    }

    /// The same at the end of the wait in which that time comes.
    pub(crate) fn put_at(&self, time: Timestamp, millis: i64) {
        self.state.lock().unwrap().leap = Some((time, millis));
    }

    /// The waits so far, in milliseconds.
    pub(crate) fn slept_ms(&self) -> Vec<u64> {
        self.state.lock().unwrap().slept_ms.clone()
    }
}

impl Sleeper for ManualClock {
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        let millis = u64::try_from(duration.as_millis()).unwrap();
        let mut state = self.state.lock().unwrap();
        state.now = state.now.plus_millis(i64::try_from(millis).unwrap());
        state.slept_ms.push(millis);
        let now = state.now;
        if let Some((_, leap)) = state.leap.take_if(|(at, _)| *at <= now) {
            state.put(leap);
        }
        let count = state.slept_ms.len();
        if let Some((_, act)) = state.at_wait.take_if(|(at, _)| *at == count) {
            act();
        }
        let now = state.now;
        if let Some(act) = &mut state.at_each_wait {
            act(now);
        }
        if let Some((_, act)) = state.at_time.take_if(|(at, _)| *at <= now) {
            act();
        }
        Box::pin(std::future::ready(()))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.state.lock().unwrap().now
    }

    fn uptime_ms(&self) -> u64 {
        let state = self.state.lock().unwrap();
        u64::try_from(state.now.millis - state.put_ms).unwrap()
    }
}

/// What the loop told, kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Began(RunId, Trigger),
    Asking(LoopState, u32),
    Unreadable(String),
    Committed {
        state: LoopState,
        next: LoopState,
        usage: Usage,
        ending: Option<Ending>,
    },
    Notice(String),
    Waiting(Code, u64),
}

/// Called with everything that is seen.
type Hook = Box<dyn FnMut(&Seen)>;

/// Keeps what it sees, and lets a test act on it.
#[derive(Clone, Default)]
pub(crate) struct Eyes(Rc<RefCell<(Vec<Seen>, Option<Hook>)>>);

impl Eyes {
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.0.borrow().0.clone()
    }

    /// The notices alone.
    pub(crate) fn notices(&self) -> Vec<String> {
        let seen = self.seen().into_iter();
        seen.filter_map(|one| match one {
            Seen::Notice(message) => Some(message),
            Seen::Began(..)
            | Seen::Asking(..)
            | Seen::Unreadable(_)
            | Seen::Committed { .. }
            | Seen::Waiting(..) => None,
        })
        .collect()
    }

    pub(crate) fn react(&self, hook: impl FnMut(&Seen) + 'static) {
        self.0.borrow_mut().1 = Some(Box::new(hook));
    }
}

impl std::fmt::Debug for Eyes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Eyes")
    }
}

impl Observer for Eyes {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        let seen = match event {
            LoopEvent::RunBegan { run } => Seen::Began(run.run_id, run.trigger),
            LoopEvent::Asking { state, iteration } => Seen::Asking(state, iteration),
            // Only as often as real time goes by.
            LoopEvent::StillAsking { .. } | LoopEvent::NoteChanged(_) => return,
            LoopEvent::Unreadable { message } => Seen::Unreadable(message.to_owned()),
            LoopEvent::Committed {
                state,
                next,
                usage,
                ending,
                ..
            } => Seen::Committed {
                state,
                next,
                usage,
                ending,
            },
            LoopEvent::Taken { message }
            | LoopEvent::Progress { message }
            | LoopEvent::Notice { message } => Seen::Notice(message.to_owned()),
            LoopEvent::Waiting { code, delay_ms, .. } => Seen::Waiting(code, delay_ms),
        };
        let mut inside = self.0.borrow_mut();
        if let Some(hook) = &mut inside.1 {
            hook(&seen);
        }
        inside.0.push(seen);
    }
}

/// Connects the servers of a configuration and of its rules; a scripted one has nothing to say.
pub(crate) fn connect_all(config: &Config) -> Servers {
    let script = Some("{\"text\": \"nothing\"}");
    Servers::connect(config, &|provider| connect(provider, script)).unwrap()
}

/// A folder with its configuration, and a peer to be asked.
pub(crate) struct Lab {
    folder: TempDir,
    pub(crate) peer: Peer,
    pub(crate) config: Config,
    pub(crate) prompt: PromptFile,
    pub(crate) patience: OutagePolicy,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) eyes: Eyes,
    pub(crate) stop: Option<StopHandle>,
}

impl Lab {
    /// A fresh root with the shipped defaults, a prompt whose segments name themselves, and a peer
    /// that plays what is pushed.
    pub(crate) fn new() -> Self {
        Self::with_peer(Peer::start())
    }

    pub(crate) fn with_peer(peer: Peer) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        config::init(root).unwrap();
        write(
            &root.join("data/agent-prompt.json"),
            &prompt_file().to_string(),
        );
        let loaded = loaded(root);
        let mut config = loaded.config;
        config.scope.workspace_id = WORKSPACE.parse().unwrap();
        config.provider.base_url = peer.base_url();
        "peer-model".clone_into(&mut config.provider.model);
        config.provider.timeout_ms = 20_000;
        config.r#loop.idle_delay_ms = 5000;
        // An hour past the newest file: hand edits lie still when they are seen.
        let made = root.metadata().unwrap().modified().unwrap();
        let made = made.duration_since(UNIX_EPOCH).unwrap().as_millis();
        let now = Timestamp::from_millis(i64::try_from(made).unwrap() + 3_600_000);
        Self {
            folder,
            peer,
            config,
            prompt: loaded.prompt,
            patience: OutagePolicy::Endless,
            clock: ManualClock::at(now),
            eyes: Eyes::default(),
            stop: None,
        }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root().join(below)
    }

    /// The model's next reply.
    pub(crate) fn says(&self, text: &str) {
        self.peer.push(Step::reply(text));
    }

    /// Starts the agent, as a process would.
    pub(crate) fn start(&mut self) -> Agent {
        let provider = connect(&self.config.provider, None).unwrap();
        let held = hold(self.root()).unwrap();
        self.start_with(held, provider)
    }

    pub(crate) fn start_with(&mut self, held: LockedRoot, provider: Box<dyn LlmProvider>) -> Agent {
        let (handle, stop) = stop_pair();
        self.stop = Some(handle);
        let boot = Boot {
            config: self.config.clone(),
            prompt: self.prompt.clone(),
            servers: Servers {
                main: provider,
                ..connect_all(&self.config)
            },
            patience: self.patience,
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            stop,
            observer: Box::new(self.eyes.clone()),
        };
        open(held, boot).unwrap()
    }

    /// A handle that asks the agent that was started last to stop.
    pub(crate) fn stopper(&self) -> StopHandle {
        self.stop.clone().unwrap()
    }

    /// Runs one request from its beginning to its end on a fresh start.
    pub(crate) async fn run(&mut self, request: &str) -> Run {
        let mut agent = self.start();
        let run = ask(&mut agent, request).await;
        agent.close().unwrap();
        run
    }

    /// The KV file, as anybody can read it.
    pub(crate) fn kv(&self) -> Value {
        serde_json::from_str(&self.text("data/agent-kv-store.json")).unwrap()
    }

    pub(crate) fn text(&self, below: &str) -> String {
        read(&self.path(below))
    }

    /// Writes a file as a person does.
    pub(crate) fn write(&self, below: &str, text: &str) {
        write(&self.path(below), text);
    }

    /// Adds to the end of a file.
    #[expect(clippy::disallowed_methods, reason = "a test plays an accident")]
    pub(crate) fn append(&self, below: &str, text: &str) {
        let mut bytes = read_bytes(&self.path(below));
        bytes.extend_from_slice(text.as_bytes());
        std::fs::write(self.path(below), bytes).unwrap();
    }

    /// Removes a file as a person does.
    #[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
    pub(crate) fn remove(&self, below: &str) {
        std::fs::remove_file(self.path(below)).unwrap();
    }

    /// Changes some keys of the KV file by hand.
    pub(crate) fn edit_kv(&self, changes: &[(&str, Value)]) {
        edit_kv(self.root(), changes);
    }

    /// The notes' files, by title.
    pub(crate) fn notes(&self) -> Vec<Value> {
        let folder = self.path("data/notes");
        let names = names(&folder)
            .into_iter()
            .filter(|name| Path::new(name).extension().is_some_and(|end| end == "json"));
        let notes = names.map(|name| serde_json::from_str(&read(&folder.join(name))).unwrap());
        let mut notes: Vec<Value> = notes.collect();
        notes.sort_by_key(|note| note["title"].as_str().unwrap().to_owned());
        notes
    }

    /// The texts of the notes by title, in the order of the titles.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let text = |note: &Value, name: &str| note[name].as_str().unwrap().to_owned();
        let notes = self.notes().into_iter();
        notes
            .map(|note| (text(&note, "title"), text(&note, "value")))
            .collect()
    }

    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        names(&self.path(below))
    }

    /// The audit, from the journal.
    pub(crate) fn audit(&self) -> Vec<AuditEntry> {
        let mut disk = RealDisk::open(self.root(), false).unwrap();
        audit_entries(&mut disk).unwrap()
    }

    /// What the audit says of the model's instructions: op, target, code.
    pub(crate) fn decided(&self) -> Vec<(String, String, Option<Code>)> {
        let told = self
            .audit()
            .into_iter()
            .filter(|entry| entry.iteration.is_some());
        told.map(|entry| (entry.op, entry.target, entry.code))
            .collect()
    }

    /// The state, from the journal and the files.
    pub(crate) fn state(&self) -> State {
        let mut disk = RealDisk::open(self.root(), false).unwrap();
        read_state(&mut disk, Path::new("data/agent-kv-store.json")).unwrap()
    }

    /// The runs, oldest first.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = self.state().runs.newest_first().cloned().collect();
        runs.reverse();
        runs
    }

    /// The texts of the messages of a request to the peer.
    pub(crate) fn asked(&self, index: usize) -> Vec<String> {
        messages(&self.peer.requests()[index].json())
    }

    /// The whole text of a request to the peer.
    pub(crate) fn prompt_text(&self, index: usize) -> String {
        self.asked(index).join("\n")
    }

    /// Every file below the data folder with its bytes.
    pub(crate) fn data_files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut folders = vec![self.path("data")];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for name in names(&folder) {
                let path = folder.join(name);
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), read_bytes(&path)));
                }
            }
        }
        files
    }
}

/// What the files of a root say, where the environment says nothing.
pub(crate) fn loaded(root: &Path) -> LoadedConfig {
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    config::load(root, &nothing).unwrap()
}

/// Queues a request.
pub(crate) async fn queue(agent: &mut Agent, request: &str) -> RunId {
    let event = EventId(request.to_owned());
    let queued = agent.queue(event, Trigger::Request, Some(request.to_owned()));
    queued.await.unwrap()
}

/// Queues a request and drives its run to the end.
pub(crate) async fn ask(agent: &mut Agent, request: &str) -> Run {
    let run_id = queue(agent, request).await;
    let run = agent.drive(run_id).await.unwrap();
    assert!(run.is_finished());
    run
}

/// Lives until something asks the agent to stop, as it must. A fresh root has a run without a request to
/// begin with; by itself it would wait for somebody.
pub(crate) async fn live(agent: &mut Agent) {
    if agent.store().state().runs.newest_first().next().is_none() {
        let event = EventId("start".to_owned());
        agent.queue(event, Trigger::Start, None).await.unwrap();
    }
    live_on(agent).await;
}

/// Lives with nothing but what is there until something asks the agent to stop.
pub(crate) async fn live_on(agent: &mut Agent) {
    let halt = agent.live().await.unwrap_err();
    assert!(matches!(halt, Halt::Stopped), "{halt:?}");
}

/// Asks the agent to stop after so many commits of iterations.
pub(crate) fn stop_after(lab: &Lab, commits: usize) {
    let (stop, mut left) = (lab.stopper(), commits);
    lab.eyes.react(move |seen| {
        if matches!(seen, Seen::Committed { .. }) {
            left = left.saturating_sub(1);
            if left == 0 {
                stop.stop();
            }
        }
    });
}

pub(crate) fn succeeded(run: &Run) -> bool {
    assert_eq!(
        run.error_code.is_none(),
        run.state == RunState::Succeeded,
        "{run:?}"
    );
    run.state == RunState::Succeeded
}

pub(crate) fn messages(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter();
    messages
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect()
}

pub(crate) fn edit_kv(root: &Path, changes: &[(&str, Value)]) {
    let path = root.join("data/agent-kv-store.json");
    let mut kv: Value = serde_json::from_str(&read(&path)).unwrap();
    for (key, value) in changes {
        kv[*key] = value.clone();
    }
    write(&path, &kv.to_string());
}

#[expect(clippy::disallowed_methods, reason = "a test looks at files itself")]
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| format!("{}: {error}", path.display()))
}

#[expect(clippy::disallowed_methods, reason = "a test looks at files itself")]
fn read_bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test plays the person's hand")]
pub(crate) fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

/// The names in a folder, sorted; none when there is no such folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

/// A prompt file whose segments name their condition.
fn prompt_file() -> Value {
    let conditions = [
        "default",
        "planning",
        "executing",
        "evaluating",
        "record_organizing",
        "paging",
        "idle",
        "idle_creative",
        "idle_enrich",
    ];
    let segments: Vec<Value> = conditions
        .iter()
        .map(|condition| json!({"condition": condition, "prompt": format!("[{condition} words]")}))
        .collect();
    json!({
        "agent_name": "kjxlkj-agent", "version": "2026-02-15", "default_mode": "yolo",
        "protocol": "xml_attrless",
        "allowed_tags": ["state_add", "state_delete", "ram_add", "ram_delete", "record_add",
                         "record_issue", "record_update", "record_search"],
        "segments": segments,
    })
}
