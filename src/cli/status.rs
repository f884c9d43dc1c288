//! `status`: formats the status for a person. Computes nothing.

use super::text::{ShortIds, count, joined, one_line, pairs, when, when_known};
use super::{Context, VerbOutput, runs};
use crate::core::route::ProviderHealth;
use crate::daemon::DaemonStatus;
use crate::failure::Failure;
use crate::service::budget_report;
use crate::service::status::{self, Provider, Status};
use crate::service::{RunView, now};
use crate::time::Timestamp;

const REQUEST_CHARACTERS_MAX: usize = 100;

pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    let status = status::show(&context.session)?;
    context.answer(&status, |status| head(status) + &tail(status))
}

fn head(status: &Status) -> String {
    let (daemon, runs, ram, notes) = (&status.daemon, &status.runs, &status.ram, &status.notes);
    let running = match daemon.pid {
        Some(pid) if daemon.running => format!("running, process {pid}"),
        Some(pid) => format!(
            "not running; {} is, process {pid}",
            daemon.status.purpose.name()
        ),
        None => "not running".to_owned(),
    };
    let request = status.request.as_deref().unwrap_or_default();
    // An assumed window has a warning of its own.
    let tokens_next = status.prompt.estimated_tokens;
    let window = budget_report::text_of(status.prompt.window);
    let window = window.map_or_else(String::new, |window| format!("; window {window}"));
    let proposals = match status.proposals {
        0 => String::new(),
        waiting => format!("{} for you: see `review list`", count(waiting, "proposal")),
    };
    let index = notes.index.map_or_else(String::new, |index| {
        let indexed = count(index.notes, "note");
        format!("; search index of {indexed} as of commit {}", index.seq)
    });
    let waiting = runs.queued + runs.inbox;
    let tokens = match runs.usage.calls {
        0 => String::new(),
        _ => format!("{}, in the last runs", runs::tokens_text(runs.usage)),
    };
    pairs(&[
        ("agent", format!("{} {}", status.agent_name, status.version)),
        ("root", one_line(&status.root, 500)),
        ("daemon", running),
        ("doing", asking_text(&daemon.status, waiting)),
        ("waiting", waiting_text(&daemon.status)),
        ("idle until", when_known(daemon.status.next_idle_at)),
        ("providers", providers_text(&daemon.status.providers)),
        ("state", status.state.to_string()),
        ("request", one_line(request, REQUEST_CHARACTERS_MAX)),
        (
            "runs",
            format!(
                "{} running, {} queued, {} in the inbox",
                runs.running, runs.queued, runs.inbox
            ),
        ),
        ("tokens", tokens),
        (
            "RAM",
            format!(
                "{}, {} of {} characters",
                count(ram.keys, "key"),
                ram.characters,
                ram.character_max
            ),
        ),
        (
            "notes",
            format!(
                "{}, {}{index}",
                count(notes.count, "note"),
                count(notes.open_issues, "open issue")
            ),
        ),
        ("proposals", proposals),
        (
            "next prompt",
            format!("about {tokens_next} tokens (an estimate){window}"),
        ),
        ("model", model_text(&status.provider)),
        ("head", format!("{} {}", status.head.seq, status.head.hash)),
    ])
}

/// Describes the running call, with `waiting` requests behind it; empty where none runs.
fn asking_text(status: &DaemonStatus, waiting: usize) -> String {
    let asking = status.asking.as_ref();
    let words = asking.map(|asking| asking.words(waiting, now()));
    one_line(&words.unwrap_or_default(), REQUEST_CHARACTERS_MAX * 2)
}

fn model_text(provider: &Provider) -> String {
    let named = |model: &str| one_line(model, REQUEST_CHARACTERS_MAX);
    let after = |word: &str, text: String| match text.as_str() {
        "" => text,
        _ => format!("{word}{text}"),
    };
    let asked = provider.asked_instead.as_deref().unwrap_or_default();
    let asked = after("; the last run asked ", named(asked));
    let others = joined(provider.others.iter().map(|name| named(name)), ", ");
    let (address, others) = (
        after(" at ", provider.base_url.clone()),
        after("; else ", others),
    );
    let (model, kind) = (named(&provider.model), &provider.kind);
    format!("{model}{address} ({kind}){others}{asked}")
}

/// Formats the health of the daemon's providers; one without a call is left out.
fn providers_text(providers: &[ProviderHealth]) -> String {
    let asked = providers.iter();
    let asked = asked.filter(|one| one.health.last_check_time.is_some());
    let parts = asked.map(|one| {
        let (name, health) = (one_line(&one.provider, REQUEST_CHARACTERS_MAX), &one.health);
        let at = |word: &str, time: Option<Timestamp>| {
            time.map_or_else(String::new, |time| format!("{word}{}", when(time)))
        };
        if health.available {
            return format!("{name} answered{}", at(" ", health.last_success_time));
        }
        let failures = health.consecutive_failures;
        let last = at(" ", health.last_failure_time);
        let until = at(", left alone until ", health.open_until);
        format!("{name} failed{last}, {failures} in a row{until}")
    });
    joined(parts, "; ")
}

/// Describes the problem that the daemon waits for; empty where there is none.
fn waiting_text(status: &DaemonStatus) -> String {
    let Some(waiting) = &status.waiting else {
        return String::new();
    };
    let message = one_line(&waiting.message, REQUEST_CHARACTERS_MAX * 2);
    let (since, code) = (when(waiting.since), waiting.code);
    let next = when(waiting.next_attempt_at);
    format!("since {since}, next attempt {next}; {code}: {message}")
}

/// Formats next slots, open and failed runs and warnings, a line each.
fn tail(status: &Status) -> String {
    let rules = ShortIds::of(status.next_slots.iter().map(|slot| slot.rule_id));
    let slots = status.next_slots.iter();
    let slots = slots.map(|slot| {
        let rule = rules.short(&slot.rule_id);
        format!("next: rule {rule} {}\n", when(slot.at))
    });
    let runs = ShortIds::of(&status.run_ids);
    let run_line = |word: &str, RunView { run, .. }: &RunView| {
        let request = run.request.as_deref().unwrap_or_default();
        let request = one_line(request, REQUEST_CHARACTERS_MAX);
        let (id, state) = (runs.short(&run.run_id), runs::state_text(run, None));
        format!("{word}: {id}  {state}  {request}")
            .trim_end()
            .to_owned()
            + "\n"
    };
    let open = status.runs.open.iter().map(|run| run_line("open", run));
    let failed = status
        .last_failures
        .iter()
        .map(|run| run_line("failed", run));
    let warned = status.warnings.iter();
    let warned = warned.map(|warning| format!("warning: {}\n", one_line(warning, 500)));
    slots.chain(open).chain(failed).chain(warned).collect()
}
