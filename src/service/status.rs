//! The status of a root, as of the last commit.

use super::budget_report::{PromptBudgetReport, cut_warning, last_asked};
use super::holder::{Holder, holder, unread_by};
use super::inbox::inbox_requests;
use super::next_prompt::{PromptPreview, with_next};
use super::pending_edits::{notes_edited, ram_edited};
use super::runs::RunView;
use super::session::{Session, now};
use crate::config::{Config, LoadedConfig};
use crate::core::agent::LoopState;
use crate::core::automation::{Slot, all_judged_ahead, is_elsewhere, next_slots};
use crate::core::journal::State;
use crate::core::prompt::{AllocationSummary, Mode, PromptError, WINDOW_ASSUMED_TOKENS, Window};
use crate::core::run::{AGENT_NAME, Run, RunState, Usage};
use crate::daemon::DaemonStatus;
use crate::failure::Failure;
use crate::ids::RunId;
use crate::store::journal::Head;
use crate::store::{head_of, ignored_files, index_covers};
use serde::Serialize;

/// The most failed runs that are shown.
const FAILURES_MAX: usize = 5;

/// The most next slots of schedules that are shown.
const SLOTS_MAX: usize = 5;

/// The status of a root.
#[derive(Debug, Serialize)]
pub struct Status {
    pub agent_name: &'static str,
    pub version: &'static str,
    pub root: String,
    /// The process that holds the folder.
    pub daemon: Daemon,
    pub state: LoopState,
    pub request: Option<String>,
    pub runs: Runs,
    pub ram: Ram,
    pub notes: Notes,
    pub proposals: usize,
    pub prompt: Prompt,
    pub next_slots: Vec<Slot>,
    pub head: Head,
    pub provider: Provider,
    pub mode: Mode,
    pub last_failures: Vec<RunView>,
    pub warnings: Vec<String>,
    #[serde(skip)]
    pub run_ids: Vec<RunId>,
}

/// The process that holds the folder.
#[derive(Debug, Serialize)]
pub struct Daemon {
    /// Whether that process is a daemon.
    pub running: bool,
    /// The id of the process that holds the folder.
    pub pid: Option<u32>,
    /// The status of that process, with its purpose where it is no daemon.
    #[serde(flatten)]
    pub status: DaemonStatus,
}

/// The open runs, as records and as numbers.
#[derive(Debug, Serialize)]
pub struct Runs {
    pub open: Vec<RunView>,
    pub running: usize,
    pub queued: usize,
    /// The usage of all runs that are remembered, the open ones included.
    pub usage: Usage,
    /// The number of requests that nobody has taken up yet.
    pub inbox: usize,
}

/// The size of RAM.
#[derive(Debug, Serialize)]
pub struct Ram {
    pub keys: usize,
    pub characters: usize,
    pub character_max: usize,
}

/// The numbers of notes.
#[derive(Debug, Serialize)]
pub struct Notes {
    pub count: usize,
    pub open_issues: usize,
    /// The coverage of the search index; there is none of few notes.
    pub index: Option<IndexStatus>,
}

/// The coverage of the search index.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct IndexStatus {
    pub notes: usize,
    /// The number of the last commit that it covers.
    pub seq: u64,
}

/// The size of the next prompt.
#[derive(Debug, Serialize)]
pub struct Prompt {
    pub estimated_tokens: usize,
    pub estimate_method: String,
    /// The window in tokens, where it is known.
    pub context_tokens: Option<u32>,
    pub window: Window,
    /// The tokens that the budget gives to the parts; absent when no prompt fits.
    pub allocation: Option<AllocationSummary>,
}

/// The provider that is asked.
#[derive(Debug, Serialize)]
pub struct Provider {
    #[serde(rename = "provider_kind")]
    pub kind: &'static str,
    pub base_url: String,
    pub model: String,
    /// The name of the preferred provider, where there are several to choose among.
    pub name: Option<String>,
    /// The names of the others, best first.
    pub others: Vec<String>,
    /// The model that the last run which began asked, where that is another one.
    pub asked_instead: Option<String>,
}

/// Returns the status of the root, as of the last commit.
///
/// Works beside a running daemon and asks nobody.
pub fn show(session: &Session) -> Result<Status, Failure> {
    let loaded = session.load()?;
    let state = session.state(&loaded.config)?;
    let mut disk = session.disk()?;
    let holder = holder(&mut disk);
    let is_free = holder.is_none();
    let unread = holder
        .as_ref()
        .and_then(|holder| unread_by(holder, session, &loaded.config));
    let daemon = Daemon {
        running: holder.as_ref().is_some_and(Holder::is_daemon),
        pid: holder.as_ref().map(|holder| holder.process),
        status: holder.map(|holder| holder.status).unwrap_or_default(),
    };
    let inbox = inbox_requests(session)?;
    let head = head_of(&mut disk)?;
    let mut status = gather(&loaded, &state, (daemon, inbox), head);
    status.warnings.extend(unread);
    status.warnings.extend(ignored_files(&mut disk)?);
    if is_free {
        let pending_edits = notes_edited(&mut disk, state.notes.iter())?;
        status.warnings.extend(pending_edits);
        let pending_edits = ram_edited(&mut disk, &loaded.config, &state.main.ram)?;
        status.warnings.extend(pending_edits);
    }
    status.notes.index = index_covers(disk).map(|covers| IndexStatus {
        notes: covers.entries,
        seq: covers.seq,
    });
    Ok(status)
}

fn gather(
    loaded: &LoadedConfig,
    state: &State,
    (daemon, inbox): (Daemon, usize),
    head: Head,
) -> Status {
    let config = &loaded.config;
    let open: Vec<&Run> = state.runs.open().collect();
    let running = open.iter().filter(|run| run.state == RunState::Running);
    let running = running.count();
    let mut usage = Usage::default();
    state
        .runs
        .newest_first()
        .for_each(|run| usage.add(run.usage));
    let known = PromptBudgetReport::of(config, state);
    let key = known.key.clone();
    let (prompt, too_long) = with_next(loaded, state, known, None, next_prompt);
    let mut warnings = warnings(loaded, &prompt, &key, too_long);
    warnings.extend(all_judged_ahead(&config.rules, state, now()));
    let own = config.scope.workspace_id;
    let rules = config.rules.iter().filter(|rule| !is_elsewhere(rule, own));
    let ram_characters = state.main.ram.characters();
    let issues = state.notes.iter().flat_map(|note| &note.issues);
    Status {
        agent_name: AGENT_NAME,
        version: env!("CARGO_PKG_VERSION"),
        root: config.root.display().to_string(),
        daemon,
        state: state.main.ram.state(),
        request: state.main.ram.request().map(str::to_owned),
        runs: Runs {
            running,
            queued: open.len() - running,
            usage,
            inbox,
            open: open.into_iter().cloned().map(RunView::from).collect(),
        },
        ram: Ram {
            keys: state.main.ram.len(),
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
        last_failures: failures(state).cloned().map(RunView::from).collect(),
        warnings,
        run_ids: state.runs.newest_first().map(|run| run.run_id).collect(),
    }
}

fn provider_of(config: &Config, state: &State) -> Provider {
    let (name, provider) = config.first_provider();
    let others = config.providers.iter().skip(1);
    Provider {
        kind: provider.kind.name(),
        base_url: provider.base_url.clone(),
        model: provider.model.clone(),
        name: name.map(str::to_owned),
        others: others.map(|listed| listed.name.clone()).collect(),
        asked_instead: last_asked(state)
            .filter(|model| *model != provider.model)
            .map(str::to_owned),
    }
}

fn failures(state: &State) -> impl Iterator<Item = &Run> {
    let failed = |run: &&Run| run.state == RunState::Failed;
    state.runs.newest_first().filter(failed).take(FAILURES_MAX)
}

fn next_prompt(next: PromptPreview) -> (Prompt, Option<String>) {
    let prompt_budget = next.prompt_budget;
    let window = prompt_budget.window;
    let mut prompt = Prompt {
        estimated_tokens: 0,
        estimate_method: next.method,
        context_tokens: window.is_known().then_some(window.tokens),
        window,
        allocation: None,
    };
    let fitted = match next.fitted {
        Ok(fitted) => fitted,
        Err(no_prompt) => {
            if let PromptError::CriticalDropped {
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
    prompt.allocation = Some(fitted.allocation.summary());
    let dropped = Some(fitted.examples_dropped).filter(|examples| *examples > 0);
    let warning = dropped.map(|examples| prompt_budget.without_examples(examples));
    (prompt, warning)
}

fn warnings(
    loaded: &LoadedConfig,
    prompt: &Prompt,
    key: &str,
    too_long: Option<String>,
) -> Vec<String> {
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
