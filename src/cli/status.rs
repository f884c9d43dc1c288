//! `status`: how things stand, from the last commit. Works beside a running daemon and asks nobody.

use super::context::{Context, now};
use super::holder::{doing, holder};
use super::output::Answer;
use super::prompt::{self, Next};
use super::record::{self, RunRecord};
use super::room::{self, Known, last_asked};
use super::text::{count, one_line, pairs};
use crate::config::{Config, Loaded};
use crate::core::agent::LoopState;
use crate::core::automation::{Slot, next_slots};
use crate::core::journal::State;
use crate::core::prompt::{AllocationSummary, Mode, NoPrompt, WINDOW_ASSUMED_TOKENS, Window};
use crate::core::route::{Health, ProviderHealth};
use crate::core::run::{AGENT_NAME, Run, RunState, Usage};
use crate::daemon::Doing;
use crate::failure::Failure;
use crate::store::disk::Disk as _;
use crate::store::journal::Head;
use crate::store::{Covers, head_of, index_covers, layout};
use serde::Serialize;
use std::path::Path;

/// Failed runs that are shown.
const FAILURES_MAX: usize = 5;

/// Next times of schedules that are shown.
const SLOTS_MAX: usize = 5;

/// Characters of a request that a line shows.
const REQUEST_CHARACTERS_MAX: usize = 100;

#[derive(Debug, Serialize)]
struct Status<'a> {
    agent_name: &'static str,
    version: &'static str,
    root: String,
    daemon: Daemon,
    state: LoopState,
    request: Option<&'a str>,
    runs: Runs<'a>,
    ram: Ram,
    notes: Notes,
    prompt: Prompt,
    next_slots: Vec<Slot>,
    head: Head,
    provider: Provider<'a>,
    mode: Mode,
    last_failures: Vec<RunRecord<'a>>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Daemon {
    running: bool,
    pid: Option<u32>,
    #[serde(flatten)]
    doing: Doing,
}

#[derive(Debug, Serialize)]
struct Runs<'a> {
    open: Vec<RunRecord<'a>>,
    running: usize,
    queued: usize,
    /// What those that are remembered have taken, the open ones included.
    usage: Usage,
    /// Requests that nobody has taken up yet.
    inbox: usize,
}

#[derive(Debug, Serialize)]
struct Ram {
    keys: usize,
    characters: usize,
    character_max: usize,
}

#[derive(Debug, Serialize)]
struct Notes {
    count: usize,
    open_issues: usize,
    /// What the search index covers; there is none of few notes.
    index: Option<Index>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Index {
    notes: usize,
    seq: u64,
}

impl From<Covers> for Index {
    fn from(covers: Covers) -> Self {
        let Covers { entries, seq, .. } = covers;
        Self {
            notes: entries,
            seq,
        }
    }
}

#[derive(Debug, Serialize)]
struct Prompt {
    estimated_tokens: usize,
    estimate_method: String,
    /// The window, where somebody says how large it is.
    context_tokens: Option<u32>,
    window: Window,
    /// What the token budget gives to its parts; absent when there is no prompt that fits.
    allocation: Option<AllocationSummary>,
}

#[derive(Debug, Serialize)]
struct Provider<'a> {
    #[serde(rename = "provider_kind")]
    kind: &'static str,
    base_url: &'a str,
    model: &'a str,
    /// Its name, where there are several to choose among; it is the one that is preferred.
    name: Option<&'a str>,
    /// The names of the others, best first.
    others: Vec<&'a str>,
    /// What the last run that began asked, where that is another model.
    asked_instead: Option<&'a str>,
}

/// Shows how things stand.
pub(super) fn run(context: &Context) -> Result<Answer, Failure> {
    let loaded = context.load_without_key()?;
    let state = context.state(&loaded.config)?;
    let mut disk = context.disk()?;
    let pid = holder(&mut disk);
    let doing = pid.and_then(|_| doing(&mut disk));
    let daemon = Daemon {
        running: pid.is_some(),
        pid,
        doing: doing.unwrap_or_default(),
    };
    let inbox = inbox_requests(context)?;
    let head = head_of(&mut disk)?;
    let mut status = gather(&loaded, &state, (daemon, inbox), head);
    status.notes.index = index_covers(disk).map(Index::from);
    context.answer(&status, || {
        head_text(&status) + &tail(&state, &status.next_slots, &status.warnings)
    })
}

fn gather<'a>(
    loaded: &'a Loaded,
    state: &'a State,
    (daemon, inbox): (Daemon, usize),
    head: Head,
) -> Status<'a> {
    let config = &loaded.config;
    let open: Vec<&Run> = open_runs(state).collect();
    let running = open.iter().filter(|run| run.state == RunState::Running);
    let running = running.count();
    let mut usage = Usage::default();
    state
        .runs
        .newest_first()
        .for_each(|run| usage.add(run.usage));
    let known = Known::of(config, state);
    let (prompt, too_long) = prompt::with_next(loaded, state, known, None, next_prompt);
    let warnings = warnings(loaded, &prompt, too_long);
    let ram_characters = state.ram.characters();
    let issues = state.notes.iter().flat_map(|note| &note.issues);
    Status {
        agent_name: AGENT_NAME,
        version: env!("CARGO_PKG_VERSION"),
        root: config.root.display().to_string(),
        daemon,
        state: state.ram.state(),
        request: state.ram.request(),
        runs: Runs {
            running,
            queued: open.len() - running,
            usage,
            inbox,
            open: open.into_iter().map(RunRecord::from).collect(),
        },
        ram: Ram {
            keys: state.ram.len(),
            characters: ram_characters,
            character_max: config.memory.working_memory_character_max,
        },
        notes: Notes {
            count: state.notes.len(),
            open_issues: issues.filter(|issue| issue.open).count(),
            index: None,
        },
        prompt,
        next_slots: next_slots(&config.rules, state, SLOTS_MAX, now()),
        head,
        provider: provider_of(config, state),
        mode: config.mode_with(&loaded.prompt),
        last_failures: failures(state).map(RunRecord::from).collect(),
        warnings,
    }
}

fn provider_of<'a>(config: &'a Config, state: &'a State) -> Provider<'a> {
    let (name, provider) = config.first_provider();
    let others = config.providers.iter().skip(1);
    Provider {
        kind: provider.kind.name(),
        base_url: &provider.base_url,
        model: &provider.model,
        name,
        others: others.map(|listed| listed.name.as_str()).collect(),
        asked_instead: last_asked(state).filter(|model| *model != provider.model),
    }
}

/// The open runs in the order in which they are worked on.
fn open_runs(state: &State) -> impl Iterator<Item = &Run> {
    let open = state.runs.newest_first().filter(|run| !run.is_finished());
    let mut open: Vec<&Run> = open.collect();
    open.reverse();
    open.into_iter()
}

fn failures(state: &State) -> impl Iterator<Item = &Run> {
    let failed = |run: &&Run| run.state == RunState::Failed;
    state.runs.newest_first().filter(failed).take(FAILURES_MAX)
}

/// How long the next prompt is, and what is wrong with that.
fn next_prompt(next: Next<'_>) -> (Prompt, Option<String>) {
    let Next {
        room,
        method,
        fitted,
        ..
    } = next;
    let window = room.window;
    let mut prompt = Prompt {
        estimated_tokens: 0,
        estimate_method: method,
        context_tokens: window.is_known().then_some(window.tokens),
        window,
        allocation: None,
    };
    let fitted = match fitted {
        Ok(fitted) => fitted,
        Err(no_prompt) => {
            if let NoPrompt::CriticalDropped {
                critical_tokens, ..
            } = no_prompt
            {
                prompt.estimated_tokens = critical_tokens;
            }
            let Failure { code, message, .. } = room.failure(no_prompt);
            return (prompt, Some(format!("{code}: {message}")));
        }
    };
    prompt.estimated_tokens = room.meter.messages(&fitted.messages);
    prompt.allocation = Some(fitted.summary());
    let dropped = Some(fitted.examples_dropped).filter(|examples| *examples > 0);
    let warning = dropped.map(|examples| room.without_examples(examples));
    (prompt, warning)
}

fn warnings(loaded: &Loaded, prompt: &Prompt, too_long: Option<String>) -> Vec<String> {
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    if !prompt.window.is_known() {
        warnings.push(format!(
            "`provider.context_tokens` is not set, and no server has told it; a window of \
             {WINDOW_ASSUMED_TOKENS} tokens is assumed"
        ));
    }
    warnings.extend(too_long);
    warnings
}

fn head_text(status: &Status<'_>) -> String {
    let daemon = match status.daemon.pid {
        Some(pid) => format!("running, process {pid}"),
        None => "not running".to_owned(),
    };
    let idle_until = status.daemon.doing.next_idle_at.map(|at| at.to_string());
    let request = status
        .request
        .map(|text| one_line(text, REQUEST_CHARACTERS_MAX));
    // Of one that is only assumed, a warning speaks.
    let window = room::text_of(status.prompt.window).map(|window| format!("; window {window}"));
    let window = window.unwrap_or_default();
    pairs(&[
        ("agent", format!("{} {}", status.agent_name, status.version)),
        ("root", one_line(&status.root, 500)),
        ("daemon", daemon),
        ("waiting", waiting_text(&status.daemon.doing)),
        ("idle until", idle_until.unwrap_or_default()),
        ("providers", providers_text(&status.daemon.doing.providers)),
        ("state", status.state.to_string()),
        ("request", request.unwrap_or_default()),
        (
            "runs",
            format!(
                "{} running, {} queued, {} in the inbox",
                status.runs.running, status.runs.queued, status.runs.inbox
            ),
        ),
        ("tokens", tokens_text(status.runs.usage)),
        (
            "RAM",
            format!(
                "{}, {} of {} characters",
                count(status.ram.keys, "key"),
                status.ram.characters,
                status.ram.character_max
            ),
        ),
        (
            "notes",
            format!(
                "{}, {}{}",
                count(status.notes.count, "note"),
                count(status.notes.open_issues, "open issue"),
                status.notes.index.map_or_else(String::new, |index| format!(
                    "; search index of {} as of commit {}",
                    count(index.notes, "note"),
                    index.seq
                ))
            ),
        ),
        (
            "next prompt",
            format!(
                "about {} tokens (an estimate){window}",
                status.prompt.estimated_tokens
            ),
        ),
        ("model", model_text(&status.provider)),
        ("head", format!("{} {}", status.head.seq, status.head.hash)),
    ])
}

fn model_text(provider: &Provider<'_>) -> String {
    let named = |model: &str| one_line(model, REQUEST_CHARACTERS_MAX);
    let asked = provider.asked_instead;
    let asked = asked.map_or_else(String::new, |model| {
        format!("; the last run asked {}", named(model))
    });
    let (model, address) = (named(provider.model), provider.base_url);
    let others = provider.others.iter().map(|name| named(name));
    let others = match others.collect::<Vec<_>>().join(", ") {
        others if others.is_empty() => others,
        others => format!("; else {others}"),
    };
    format!("{model} at {address} ({}){others}{asked}", provider.kind)
}

/// What the remembered runs have taken; nothing where no model was asked.
fn tokens_text(usage: Usage) -> String {
    if usage.calls == 0 {
        return String::new();
    }
    format!("{}, in the last runs", record::tokens_text(usage))
}

/// How the daemon's providers fare, one after the other; nothing of those that nobody has asked yet.
fn providers_text(providers: &[ProviderHealth]) -> String {
    let asked = providers
        .iter()
        .filter(|one| one.health.last_check_time.is_some());
    let told = asked.map(|one| {
        let name = one_line(&one.provider, REQUEST_CHARACTERS_MAX);
        let Health {
            consecutive_failures,
            last_success_time,
            last_failure_time,
            open_until,
            ..
        } = one.health;
        if one.health.available {
            let at = last_success_time.map(|at| format!(" at {at}"));
            return format!("{name} answered{}", at.unwrap_or_default());
        }
        let at = last_failure_time.map(|at| format!(" at {at}"));
        let until = open_until.map(|until| format!(", left alone until {until}"));
        format!(
            "{name} failed{}, {consecutive_failures} in a row{}",
            at.unwrap_or_default(),
            until.unwrap_or_default()
        )
    });
    told.collect::<Vec<_>>().join("; ")
}

/// What has to get better before the daemon goes on; empty when nothing has to.
fn waiting_text(doing: &Doing) -> String {
    let Some(waiting) = &doing.waiting else {
        return String::new();
    };
    let message = one_line(&waiting.message, REQUEST_CHARACTERS_MAX * 2);
    let (since, code) = (waiting.since, waiting.code);
    let next = waiting.next_attempt_at;
    format!("since {since}, next attempt {next}; {code}: {message}")
}

/// Next slots, open and failed runs and warnings, a line each.
fn tail(state: &State, next: &[Slot], warnings: &[String]) -> String {
    let slots = next.iter();
    let slots = slots.map(|slot| format!("next: rule {} at {}\n", slot.rule_id, slot.at));
    let run_line = |run: &Run| {
        let request = run.request.as_deref().unwrap_or_default();
        let request = one_line(request, REQUEST_CHARACTERS_MAX);
        let line = format!("{}  {}  {request}", run.run_id, record::state_text(run));
        line.trim_end().to_owned()
    };
    let open = open_runs(state).map(|run| format!("open: {}\n", run_line(run)));
    let failed = failures(state).map(|run| format!("failed: {}\n", run_line(run)));
    let warned = warnings.iter();
    let warned = warned.map(|warning| format!("warning: {}\n", one_line(warning, 500)));
    slots.chain(open).chain(failed).chain(warned).collect()
}

/// How many requests were dropped in and are not taken yet.
fn inbox_requests(context: &Context) -> Result<usize, Failure> {
    let names = context.disk()?.list(Path::new(layout::INBOX));
    let names = names.map_err(|error| crate::store::Error::file("list", layout::INBOX, error))?;
    let names = names.iter().filter(|name| {
        let extension = Path::new(name).extension().and_then(|end| end.to_str());
        !name.starts_with('.') && matches!(extension, Some("txt" | "json"))
    });
    Ok(names.count())
}
