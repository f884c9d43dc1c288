//! `status`: how things stand, from the last commit. Works beside a running daemon and asks nobody.

mod text;

use super::context::Context;
use super::output::Answer;
use super::prompt::{self, Next};
use super::room_report::{RoomReport, cut_warning, last_asked};
use crate::config::{Config, Loaded};
use crate::core::agent::LoopState;
use crate::core::automation::{Slot, all_judged_ahead, is_elsewhere, next_slots};
use crate::core::journal::State;
use crate::core::prompt::{AllocationSummary, Mode, NoPrompt, WINDOW_ASSUMED_TOKENS, Window};
use crate::core::run::{AGENT_NAME, Run, RunState, Usage};
use crate::daemon::DaemonStatus;
use crate::failure::Failure;
use crate::service::{
    Holder, RunRecord, holder, inbox_requests, notes_edited, now, ram_edited, unread_by,
};
use crate::store::journal::Head;
use crate::store::{Covers, head_of, ignored_files, index_covers};
use serde::Serialize;

/// Failed runs that are shown.
const FAILURES_MAX: usize = 5;

/// Next times of schedules that are shown.
const SLOTS_MAX: usize = 5;

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
    /// Proposals that wait for a person.
    proposals: usize,
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
    /// Whether it is one that holds the folder.
    running: bool,
    /// The process that holds the folder; what for is said where it is no daemon.
    pid: Option<u32>,
    #[serde(flatten)]
    status: DaemonStatus,
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
    let loaded = context.session.load()?;
    let state = context.session.state(&loaded.config)?;
    let mut disk = context.session.disk()?;
    let holder = holder(&mut disk);
    let is_free = holder.is_none();
    let unread = holder
        .as_ref()
        .and_then(|holder| unread_by(holder, &context.session, &loaded.config));
    let daemon = Daemon {
        running: holder.as_ref().is_some_and(Holder::is_daemon),
        pid: holder.as_ref().map(|holder| holder.process),
        status: holder.map(|holder| holder.status).unwrap_or_default(),
    };
    let inbox = inbox_requests(&context.session)?;
    let head = head_of(&mut disk)?;
    let mut status = gather(&loaded, &state, (daemon, inbox), head);
    status.warnings.extend(unread);
    status.warnings.extend(ignored_files(&mut disk)?);
    if is_free {
        let pending_edits = notes_edited(&mut disk, state.notes.iter())?;
        status.warnings.extend(pending_edits);
        let pending_edits = ram_edited(&mut disk, &loaded.config, &state.ram)?;
        status.warnings.extend(pending_edits);
    }
    status.notes.index = index_covers(disk).map(Index::from);
    context.answer(&status, || {
        text::head(&status) + &text::tail(&state, &status.next_slots, &status.warnings)
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
    let known = RoomReport::of(config, state);
    let key = known.key.clone();
    let (prompt, too_long) = prompt::with_next(loaded, state, known, None, next_prompt);
    let mut warnings = warnings(loaded, &prompt, &key, too_long);
    warnings.extend(all_judged_ahead(&config.rules, state, now()));
    let own = config.scope.workspace_id;
    let rules = config.rules.iter().filter(|rule| !is_elsewhere(rule, own));
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
        proposals: state.proposals.pending().len(),
        prompt,
        next_slots: next_slots(rules, state, SLOTS_MAX, now()),
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
        prompt_budget,
        method,
        fitted,
        ..
    } = next;
    let window = prompt_budget.window;
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
            let Failure { code, message, .. } = prompt_budget.failure(no_prompt);
            return (prompt, Some(format!("{code}: {message}")));
        }
    };
    prompt.estimated_tokens = prompt_budget.meter.messages(&fitted.messages);
    prompt.allocation = Some(fitted.summary());
    let dropped = Some(fitted.examples_dropped).filter(|examples| *examples > 0);
    let warning = dropped.map(|examples| prompt_budget.without_examples(examples));
    (prompt, warning)
}

fn warnings(loaded: &Loaded, prompt: &Prompt, key: &str, too_long: Option<String>) -> Vec<String> {
    let mut warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    if loaded.is_makeshift() {
        let message = "the configuration is broken: nothing starts or is changed before it is mended, \
                       and defaults are shown for what cannot be read of it";
        warnings.insert(0, message.to_owned());
    }
    if !prompt.window.is_known() {
        warnings.push(format!(
            "`{key}` is not set, and no server has told it; a window of \
             {WINDOW_ASSUMED_TOKENS} tokens is assumed"
        ));
    }
    warnings.extend(cut_warning(prompt.window, key));
    warnings.extend(too_long);
    warnings
}
