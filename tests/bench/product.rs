//! Our side: roots with a workload, the real agent in this process, and the real program as a child.
//! Prepares and runs the product as a person would; measures nothing by itself.

use crate::floor::Load;
use crate::measure::{Outcome, rss_kib};
use crate::peer::{MODEL, Peer, Seen};
use kjxlkj_agent::config;
use kjxlkj_agent::core::agent::{LoopState, Numbered};
use kjxlkj_agent::core::prompt::{ChatRole, PromptData, PromptFile, PromptMessage, assemble};
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::{
    Agent, Boot, Halt, LogObserver, LoopEvent, Observer, OutagePolicy, Servers, StopHandle,
    SystemClock, hold, open, stop_pair,
};
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::provider::{
    CallFuture, FinishReason, LlmProvider, LlmReply, LlmRequest, ProviderError, ReplyArrival,
    Usage, connect,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// Bytes of the messages of one prompt, as nearly as filling up gets it.
const PROMPT_BYTES: usize = 8 * 1024;

/// RAM that always leaves something to do, so that a run goes on for as long as it is measured.
const ENDLESS: &str = "{\"steps\": [\"Go on.\"]}\n";

/// A folder on a real file system; it goes when this is dropped.
pub(crate) fn folder() -> Outcome<TempDir> {
    Ok(tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?)
}

/// What the RAM of a new root holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Nothing: the first run ends by itself.
    Nothing,
    /// Something that is never done.
    Endless,
}

/// Makes a root that asks the peer, with a prompt of the usual size and no pauses.
pub(crate) fn prepare(root: &Path, base_url: &str, work: Work) -> Outcome<()> {
    let changes = json!({
        "provider": {"provider_kind": "openai", "base_url": base_url, "model": MODEL},
        "loop": {"loop_delay_ms": 0, "max_iterations": -1, "idle_profile": "sleep", "protocol": "xml"},
        "memory": {"working_memory_character_max": 50_000},
        "scope": {"max_notes_per_loop": 60},
    });
    config::init_with(root, &changes)?;
    let path = root.join("data/agent-prompt.json");
    let mut file: Value = serde_json::from_slice(&fs::read(&path)?)?;
    let (_, prompt) = load(root)?;
    let bytes: usize = messages(&prompt, LoopState::Executing, 1)
        .iter()
        .map(|it| it.content.len())
        .sum();
    let words = "A note is short, says one thing, and names its source. ";
    let filling = words.repeat(PROMPT_BYTES.saturating_sub(bytes) / words.len());
    if let Some(segments) = file["segments"]
        .as_array_mut()
        .filter(|_| !filling.is_empty())
    {
        segments.push(json!({"condition": "default", "prompt": filling}));
    }
    fs::write(&path, file.to_string())?;
    match work {
        Work::Nothing => {}
        Work::Endless => fs::write(root.join("data/agent-kv-store.json"), ENDLESS)?,
    }
    Ok(())
}

/// Configuration and prompt of a root.
pub(crate) fn load(root: &Path) -> Outcome<(config::Config, PromptFile)> {
    let loaded = config::load(root, &BTreeMap::new());
    let loaded = loaded.map_err(|problems| config::failure(&problems))?;
    Ok((loaded.config, loaded.prompt))
}

/// The agent of a root, asking the server that its configuration names.
pub(crate) fn open_agent(root: &Path, observer: Stopwatch) -> Outcome<(Agent, StopHandle)> {
    let (config, _) = load(root)?;
    let provider = connect(&config.provider, None)?;
    open_with(root, provider, Box::new(observer))
}

/// The agent of a root, asking someone else.
pub(crate) fn open_with(
    root: &Path,
    provider: Box<dyn LlmProvider>,
    observer: Box<dyn Observer>,
) -> Outcome<(Agent, StopHandle)> {
    let (config, prompt) = load(root)?;
    let (handle, stop) = stop_pair();
    let boot = Boot {
        config,
        prompt,
        servers: Servers::only(provider),
        patience: OutagePolicy::None,
        clock: Arc::new(SystemClock),
        stop,
        observer,
    };
    let mut agent = open(hold(root)?, boot)?;
    // One run for the whole bench: an unlimited one would be renewed now and then.
    agent.max_iterations = Some(u32::MAX);
    Ok((agent, handle))
}

/// Opens a run that a person asked for by hand, and begins it with its first iteration.
pub(crate) async fn begin(agent: &mut Agent) -> Outcome<RunId> {
    let run_id = if let Some(run_id) = agent.next_run() {
        run_id
    } else {
        let event = EventId(format!("bench:{}", agent.store().head().seq));
        let queued = agent.queue(event, Trigger::Manual, None).await;
        queued.map_err(halted)?
    };
    agent.step(run_id).await.map_err(halted)?;
    Ok(run_id)
}

/// One iteration of a run that must not end.
pub(crate) async fn iterate(agent: &mut Agent, run_id: RunId) -> Outcome<()> {
    match agent.iteration(run_id).await.map_err(halted)? {
        None => Ok(()),
        Some(ending) => Err(format!("the run ended: {ending:?}").into()),
    }
}

/// A halt as an error.
pub(crate) fn halted(halt: Halt) -> Box<dyn std::error::Error> {
    match halt {
        Halt::Stopped | Halt::Preempted => "the loop was stopped".into(),
        Halt::Failed(failure) => failure.into(),
    }
}

/// Sends what is logged through the real formatting, to nowhere: logging is on while it is measured.
pub(crate) fn log_to_nowhere() -> Outcome<()> {
    let nowhere = fs::OpenOptions::new().write(true).open("/dev/null")?;
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_writer(Mutex::new(nowhere))
        .finish();
    Ok(tracing::subscriber::set_global_default(subscriber)?)
}

/// Logs like the daemon, and keeps the moment of each commit while that is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stopwatch {
    running: Arc<Mutex<Option<Running>>>,
}

#[derive(Debug)]
struct Running {
    moments: Vec<u64>,
    enough: usize,
    stop: StopHandle,
}

impl Stopwatch {
    /// From the next commit on keeps moments, and stops the loop when there are enough.
    pub(crate) fn start(&self, enough: usize, stop: StopHandle) {
        let moments = Vec::with_capacity(enough);
        let running = Running {
            moments,
            enough,
            stop,
        };
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
    }

    /// The moments, in nanoseconds of the common clock.
    pub(crate) fn moments(&self) -> Vec<u64> {
        let running = self
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        running.map(|running| running.moments).unwrap_or_default()
    }
}

impl Observer for Stopwatch {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        LogObserver::default().on_event(event);
        if !matches!(event, LoopEvent::Committed { .. }) {
            return;
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = running.as_mut() {
            running.moments.push(crate::measure::now_ns());
            if running.moments.len() >= running.enough {
                running.stop.stop();
            }
        }
    }
}

// === what the other side must carry ===

/// A prompt as the loop assembles it in the middle of a long run.
fn messages(prompt: &PromptFile, state: LoopState, number: u64) -> Vec<PromptMessage> {
    let thought = format!("Step {number} is done, and nothing is in the way of the next one.");
    let ram = [
        (
            "progress".to_owned(),
            format!("{number} of many pages are read & sorted."),
        ),
        ("steps".to_owned(), "1. Go on.".to_owned()),
        ("think_log".to_owned(), thought),
    ];
    let data = PromptData {
        time: "2026-01-02 03:04",
        state,
        request: None,
        ram: &ram,
        step: Some("1. Go on."),
        results: &[],
        numbered: Numbered::default(),
        ram_order: &[],
    };
    assemble(prompt, &data)
}

/// A load for the floor that has the size of ours: the same prompt, records of the same length, and as
/// many bytes hashed as the contract demands of us: the record, the view, and the messages that differ
/// from those of the iteration before.
pub(crate) fn load_like(root: &Path, record_bytes: usize) -> Outcome<Load> {
    let (_, prompt) = load(root)?;
    let circle = [
        LoopState::Planning,
        LoopState::Executing,
        LoopState::Evaluating,
    ];
    let prompts: Vec<Vec<PromptMessage>> = circle
        .iter()
        .zip(0..)
        .map(|(state, number)| messages(&prompt, *state, number))
        .collect();
    let mut changed = 0;
    for (index, now) in prompts.iter().enumerate() {
        let before = prompts.get((index + 2) % 3).map_or(&[][..], Vec::as_slice);
        let differs = now
            .iter()
            .enumerate()
            .filter(|(at, it)| before.get(*at) != Some(*it));
        changed += differs.map(|(_, it)| it.content.len()).sum::<usize>();
    }
    let view = fs::metadata(root.join("data/agent-kv-store.json"))?.len();
    let hashed_bytes = record_bytes + usize::try_from(view)? + changed / prompts.len();
    let shown = prompts.into_iter().nth(1).unwrap_or_default();
    let messages = shown.into_iter().map(|message| {
        let role = match message.role {
            ChatRole::System => "system",
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        };
        (role, message.content)
    });
    Ok(Load {
        messages: messages.collect(),
        record_bytes,
        hashed_bytes,
    })
}

/// Bytes of all journal segments of a root.
pub(crate) fn journal_bytes(root: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for path in segments(root)? {
        bytes += fs::metadata(path)?.len();
    }
    Ok(bytes)
}

/// The journal segments of a root, in order.
pub(crate) fn segments(root: &Path) -> Outcome<Vec<std::path::PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join("data/journal"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

// === roots with a past ===

/// A model inside this process, for roots that only have to be filled.
#[derive(Debug)]
pub(crate) struct Dictation {
    asked: AtomicU64,
    reply: fn(u64) -> String,
}

impl Dictation {
    /// Answers what the function says to the question of that number, from 0.
    pub(crate) const fn new(reply: fn(u64) -> String) -> Self {
        Self {
            asked: AtomicU64::new(0),
            reply,
        }
    }
}

impl LlmProvider for Dictation {
    fn complete<'a>(
        &'a self,
        _request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        let text = (self.reply)(self.asked.fetch_add(1, Ordering::Relaxed));
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(async move {
            Ok(LlmReply {
                text,
                reasoning: None,
                finish,
                usage,
                model: None,
                arrival: ReplyArrival::default(),
            })
        })
    }

    fn provider_name(&self) -> &'static str {
        "dictation"
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

// === the real program ===

/// The program as a child process; it is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Program {
    child: Child,
}

impl Program {
    /// Starts the daemon of a root.
    pub(crate) fn start(root: &Path) -> Outcome<Self> {
        let child = Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"))
            .arg("--root")
            .arg(root)
            .arg("daemon")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { child })
    }

    /// Waits until it has asked so many questions.
    pub(crate) fn wait(&mut self, peer: &mut Peer, questions: u64) -> Outcome<Seen> {
        peer.wait(questions, || match self.child.try_wait()? {
            Some(status) => Err(format!("the program ended by itself: {status}").into()),
            None => Ok(()),
        })
    }

    /// Its resident memory, in KiB.
    pub(crate) fn rss_kib(&self) -> Outcome<u64> {
        rss_kib(&self.child.id().to_string())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The loop in a process of its own, for numbers that the bench's memory would blur: so many
/// iterations; prints resident memory after each of them that is named.
pub(crate) fn run(arguments: &[String]) -> Outcome<()> {
    let [root, iterations @ ..] = arguments else {
        return Err("needed: a root and numbers of iterations".into());
    };
    log_to_nowhere()?;
    crate::floor::runtime()?.block_on(async {
        let (mut agent, _stop) = open_agent(Path::new(root), Stopwatch::default())?;
        let run_id = begin(&mut agent).await?;
        let mut done: u64 = 1;
        for until in iterations {
            let until: u64 = until.parse()?;
            while done < until {
                iterate(&mut agent, run_id).await?;
                done += 1;
            }
            let mut stdout = std::io::stdout().lock();
            writeln!(stdout, "{}", rss_kib("self")?)?;
        }
        Ok(agent.close()?)
    })
}

/// Runs this program in another of its modes and reads the numbers that it prints.
pub(crate) fn numbers_of(mode: &str, arguments: &[&str]) -> Outcome<Vec<f64>> {
    let output = Command::new(std::env::current_exe()?)
        .arg(mode)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{mode} failed: {}", output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(|line| Ok(line.parse()?)).collect()
}
