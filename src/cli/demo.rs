//! `demo`: the main job in a scratch folder, with the real daemon code: a short text becomes notes,
//! one of them is corrected, and a question is answered from them. Asks the configured server if it
//! answers, else a small local model, else plays a labelled recording. Uses nothing but its scratch
//! folder.

use super::arguments::DemoOptions;
use super::init::{LAUNCH, READY_TIMEOUT_MS, SMALL_MODEL, small_provider};
use super::run::boot_of;
use super::server::wait_for;
use super::{Context, VerbOutput, environment};
use crate::config::{self, Launch, LoadedConfig, ProviderKind};
use crate::core::route::ModelChoice;
use crate::core::run::{self, Run, RunState, Trigger};
use crate::daemon::{self, Halt, Servers, ShutdownLimit, Stop, SystemClock, offer, stop_pair};
use crate::failure::{Code, Failure};
use crate::ids::EventId;
use crate::plain_text::joined;
use crate::provider::{LaunchedServer, Launcher, LlmProvider, OutputSink, Sleeper as _, connect};
use crate::service::RunView;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tracing::Level;
use uuid::Uuid;

/// The requests of the demonstration, in order: each is a run of its own.
const REQUESTS: [&str; 3] = [
    "Make two notes: The car is parked on level 2. The parking ticket costs 15 euros.",
    "The car is parked on level 4 now, not on level 2.",
    "How much does the parking ticket cost?",
];

/// A recording of this program with a real small model.
/// It holds the conversations of the three runs of `demo --retain`. Its first line names the model.
const RECORDING: &str = include_str!("../../data/demo-recording.jsonl");

/// The longest wait for a configured server to list its models.
const ANSWER_WAIT: Duration = Duration::from_secs(3);

/// The time that the small model has to end by itself.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// The most iterations of each run: a model that is not done by then will not be.
const ITERATIONS_MAX: u32 = 12;

#[derive(Debug)]
struct FinishedRequest {
    run: Run,
    /// The title and text of each note afterwards.
    notes: Vec<(String, String)>,
}

pub(super) fn run(context: &Context, wanted: DemoOptions) -> Result<VerbOutput, Failure> {
    context.start_log(Level::WARN, config::LogFormat::Auto);
    let (stop_handle, stop) = stop_pair();
    daemon::listen(stop_handle, ShutdownLimit::Deadline, None)?;
    wait_for(show(context, wanted, stop))
}

async fn show(context: &Context, wanted: DemoOptions, stop: Stop) -> Result<VerbOutput, Failure> {
    let mut root = scratch_root();
    let mut model = None;
    if !wanted.recorded {
        model = match configured(context).await {
            Some(changes) => Some(DemoModel::of(prepare(context, &root, &changes, wanted)?)?),
            None => bring_small(context, &root, wanted, &stop).await?,
        };
    }
    let is_recorded = model.is_none();
    let played = if let Some(model) = model {
        play_beside(context, model, stop).await
    } else {
        // The first root may name a server that was refused.
        root = scratch_root();
        play_recording(context, &root, wanted, stop).await
    };
    match played {
        Ok(runs) => report(context, &root, &runs, is_recorded),
        Err(Halt::Stopped | Halt::Preempted) => {
            context.inform("interrupted; the scratch folder stays as it is");
            Ok(VerbOutput::nothing().ok_if(false))
        }
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

fn scratch_root() -> PathBuf {
    std::env::temp_dir().join(format!("kjxlkj-demo-{}", Uuid::new_v4().simple()))
}

/// Returns the changes of the scratch configuration if the configured server answers.
async fn configured(context: &Context) -> Option<Value> {
    let loaded = context.load().ok()?;
    let provider = &loaded.config.provider;
    if provider.kind == ProviderKind::Scripted {
        return None;
    }
    let server = connect(provider, None).ok()?;
    // Neither arm loses anything: a request for models changes nothing.
    let offered = tokio::select! {
        offered = offer(server.as_ref(), provider) => offered,
        () = SystemClock.sleep(ANSWER_WAIT) => return no_answer(context, &provider.base_url),
    };
    let model = match offered.map(|offered| offered.choice) {
        Ok(ModelChoice::Configured) => provider.model.clone(),
        Ok(ModelChoice::Other(model)) => model,
        Ok(ModelChoice::Unclear) => {
            let several = "has several models, and none of them is configured";
            context.inform(&format!("{} {several}", provider.base_url));
            return None;
        }
        Err(_) => return no_answer(context, &provider.base_url),
    };
    context.inform(&format!("{} answers; asking {model}", provider.base_url));
    Some(json!({"provider": {
        "provider_kind": provider.kind.name(),
        "base_url": provider.base_url,
        "model": model,
        "api_key_env": loaded.api_key.as_ref().map(|key| key.name.clone()),
        "timeout_ms": provider.timeout_ms,
        "max_tokens": provider.max_tokens.min(1024),
        "stream": provider.stream,
        "stall_timeout_ms": provider.stall_timeout_ms,
        "context_tokens": provider.context_tokens,
    }}))
}

fn no_answer(context: &Context, base_url: &str) -> Option<Value> {
    context.inform(&format!("no model server answers at {base_url}"));
    None
}

/// A model that is asked, and its server where that was started here.
#[derive(Debug)]
struct DemoModel {
    loaded: LoadedConfig,
    provider: Box<dyn LlmProvider>,
    launched: Option<LaunchedServer>,
}

impl DemoModel {
    fn of(loaded: LoadedConfig) -> Result<Self, Failure> {
        Ok(Self {
            provider: connect(&loaded.config.provider, None)?,
            loaded,
            launched: None,
        })
    }
}

/// Starts the small model from the scratch folder; `None` after it has printed why not.
async fn bring_small(
    context: &Context,
    root: &Path,
    wanted: DemoOptions,
    stop: &Stop,
) -> Result<Option<DemoModel>, Failure> {
    config::init_launcher(root)?;
    let launch = Launch {
        command: LAUNCH.map(str::to_owned).to_vec(),
        ready_timeout_ms: READY_TIMEOUT_MS,
    };
    context.inform(&format!(
        "starting a small local model ({SMALL_MODEL}); the first time it is downloaded, 1.1 GB"
    ));
    let output: OutputSink = Arc::new(|line| {
        if line.starts_with("small-model:") {
            super::output::print_message(line);
        }
    });
    let own = context.session.load().ok();
    let secrets = own.map(|own| environment::holding(&own.config.secrets()));
    let secrets = secrets.unwrap_or_default();
    let launcher = Launcher::on_any_port(&launch, root);
    let launcher = secrets.iter().fold(launcher, |it, name| it.hiding(name));
    // Dropping the start ends the started server.
    let started = tokio::select! {
        biased;
        () = stop.asked() => return Ok(None),
        started = launcher.start_announced(output) => started,
    };
    let (launched, address) = match started {
        Ok(started) => started,
        Err(failure) => {
            context.inform(&failure.message);
            return Ok(None);
        }
    };
    // The address is the one that the server reported: a port that was chosen earlier could be
    // taken by another program during the download.
    let changes = json!({"provider": small_provider(&address)});
    let mut model = DemoModel::of(prepare(context, root, &changes, wanted)?)?;
    if let Err(why) = check_served(model.provider.as_ref(), &address).await {
        context.inform(&why);
        launched.stop(STOP_GRACE).await;
        return Ok(None);
    }
    model.launched = Some(launched);
    Ok(Some(model))
}

/// Refuses a server that does not serve just the launched model.
async fn check_served(server: &dyn LlmProvider, address: &str) -> Result<(), String> {
    let models = server.models().await.map_err(|error| error.message)?;
    if models == [SMALL_MODEL] {
        return Ok(());
    }
    let models = models.join(", ");
    Err(format!(
        "what answers at {address} is not the model that was launched: it serves {models}"
    ))
}

/// Asks a model, while its server runs where that was started here: after its end another server
/// may answer at its address.
async fn play_beside(
    context: &Context,
    model: DemoModel,
    stop: Stop,
) -> Result<Vec<FinishedRequest>, Halt> {
    let played = play(context, model.loaded, model.provider, stop);
    let Some(mut launched) = model.launched else {
        return played.await;
    };
    // Dropping it loses no commit: it only waits for replies and pauses.
    let played = tokio::select! {
        biased;
        how = launched.ended() => {
            let message = format!("the launched model server ended ({how})");
            return Err(Failure::new(Code::LlmUnavailable, message).into());
        }
        played = played => played,
    };
    launched.stop(STOP_GRACE).await;
    played
}

async fn play_recording(
    context: &Context,
    root: &Path,
    wanted: DemoOptions,
    stop: Stop,
) -> Result<Vec<FinishedRequest>, Halt> {
    let label: Value = RECORDING
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_default();
    let [model, day] =
        ["model", "recorded_on"].map(|key| label["recording"][key].as_str().unwrap_or("unknown"));
    // A recording must not pass for a model, not even in quiet mode.
    context.inform_always(&format!(
        "RECORDING: replies of {model}, recorded through this program on {day}. No model is asked \
         now."
    ));
    let changes = json!({"loop": {"protocol": "steps"}});
    let mut loaded = prepare(context, root, &changes, wanted)?;
    loaded.config.provider.kind = ProviderKind::Scripted;
    "recording".clone_into(&mut loaded.config.provider.model);
    let provider = connect(&loaded.config.provider, Some(RECORDING))?;
    play(context, loaded, provider, stop).await
}

/// Creates the scratch folder, once, and loads it.
fn prepare(
    context: &Context,
    root: &Path,
    changes: &Value,
    wanted: DemoOptions,
) -> Result<LoadedConfig, Failure> {
    let mut changes = changes.clone();
    changes["loop"]["loop_delay_ms"] = json!(0);
    changes["memory"]["retain_full_conversation_logs"] = json!(wanted.retain);
    if config::init_with(root, &changes)?.workspace_id.is_some() {
        context.inform(&format!("scratch folder: {}", root.display()));
    }
    config::load(root, &context.environment).map_err(|found| config::failure(&found))
}

async fn play(
    context: &Context,
    loaded: LoadedConfig,
    provider: Box<dyn LlmProvider>,
    stop: Stop,
) -> Result<Vec<FinishedRequest>, Halt> {
    let held = daemon::hold_for(&loaded.config.root, daemon::Purpose::Run)?;
    let boot = boot_of(context, loaded, Servers::only(provider), stop);
    let mut agent = daemon::open(held, boot)?;
    agent.max_iterations = Some(ITERATIONS_MAX);
    let mut runs = Vec::with_capacity(REQUESTS.len());
    for request in REQUESTS {
        context.inform(&format!("\nrequest: {request}"));
        let (event, trigger) = (EventId(Uuid::new_v4().to_string()), Trigger::Request);
        let queued = agent.queue(event, trigger, Some(request.to_owned()));
        let run_id = queued.await?;
        let run = agent.drive(run_id).await?;
        let notes = agent.notes();
        let notes = notes
            .map(|note| (note.title.clone(), note.value.clone()))
            .collect();
        runs.push(FinishedRequest { run, notes });
    }
    agent.close()?;
    Ok(runs)
}

fn report(
    context: &Context,
    root: &Path,
    played: &[FinishedRequest],
    recorded: bool,
) -> Result<VerbOutput, Failure> {
    let well = (played.iter()).all(|it| it.run.state == RunState::Succeeded);
    let data = root.join("data");
    let files = ["notes", "agent-kv-store.json", "journal"].map(|name| data.join(name));
    let runs = played.iter().map(|it| RunView::from(it.run.clone()));
    let runs: Vec<RunView> = runs.collect();
    let data = json!({"root": root, "files": files, "recorded": recorded, "runs": runs});
    context.answer_if(well, &data, |_| text_of(root, played))
}

/// Returns the change of a note as lines of text: its text before and after.
fn changed((title, text): &(String, String), before: &[(String, String)]) -> Vec<String> {
    let old = before.iter().find(|(known, _)| known == title);
    match old {
        Some((_, old)) if old == text => Vec::new(),
        Some((_, old)) => vec![
            format!("  ~ {title}"),
            format!("      before: {old}"),
            format!("      after:  {text}"),
        ],
        None => vec![format!("  + {title}: {text}")],
    }
}

/// Returns an answer with the titles of the notes that it comes from.
fn answered(answer: &run::Answer) -> String {
    let titles = joined(answer.sources.iter().map(|it| &it.title), ", ");
    format!("  ? {} (from: {titles})", answer.text)
}

/// Quotes a path as one word of a shell.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn text_of(root: &Path, played: &[FinishedRequest]) -> String {
    let program = environment::program();
    let program = program.map_or_else(|| "kjxlkj-agent".to_owned(), |path| shell_word(&path));
    let mut lines = Vec::new();
    let mut before: &[(String, String)] = &[];
    for (FinishedRequest { run, notes }, request) in played.iter().zip(REQUESTS) {
        let code = (run.error_code).map_or_else(String::new, |code| format!(" ({code})"));
        lines.push(format!("\n{:?}{code}: {request}", run.state));
        lines.extend(notes.iter().flat_map(|note| changed(note, before)));
        lines.extend(run.answer.as_ref().map(answered));
        before = notes;
    }
    let (folder, root) = (shell_word(root), root.display());
    lines.push(format!(
        "
Look at what it left:
  {root}/data/notes/                 one note a file
  {root}/data/agent-kv-store.json    its working memory
  {root}/data/journal/               every fact, as a hash chain
  {program} --root {folder} notes list
  {program} --root {folder} audit list

With LM Studio, in your own folder:
  lms server start && lms load MODEL
  {program} init     (names the server and its model)
  {program}          (and in another terminal: {program} ask \"...\")"
    ));
    lines.join("\n")
}
