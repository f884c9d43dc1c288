//! `status`: formats the status for a person. Computes nothing.

use super::context::Context;
use super::output::VerbOutput;
use super::runs;
use super::text::{ShortIds, count, joined, one_line, pairs, when, when_known};
use crate::core::route::{Health, ProviderHealth};
use crate::core::run::Usage;
use crate::daemon::DaemonStatus;
use crate::failure::Failure;
use crate::service::budget_report;
use crate::service::status::{self, Provider, Status};
use crate::service::{RunView, now};

/// The most characters of a request in a line.
const REQUEST_CHARACTERS_MAX: usize = 100;

/// Shows the status.
pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    let status = status::show(&context.session)?;
    context.answer(&status, |status| head(status) + &tail(status))
}

/// Formats the main facts, a line each.
fn head(status: &Status) -> String {
    let name = status.daemon.status.purpose.name();
    let daemon = match status.daemon.pid {
        Some(pid) if status.daemon.running => format!("running, process {pid}"),
        Some(pid) => format!("not running; {name} is, process {pid}"),
        None => "not running".to_owned(),
    };
    let idle_until = when_known(status.daemon.status.next_idle_at);
    let request = status
        .request
        .as_deref()
        .map(|text| one_line(text, REQUEST_CHARACTERS_MAX));
    // An assumed window has a warning of its own.
    let window =
        budget_report::text_of(status.prompt.window).map(|window| format!("; window {window}"));
    let window = window.unwrap_or_default();
    let proposals = match status.proposals {
        0 => String::new(),
        waiting => format!("{} for you: see `review list`", count(waiting, "proposal")),
    };
    pairs(&[
        ("agent", format!("{} {}", status.agent_name, status.version)),
        ("root", one_line(&status.root, 500)),
        ("daemon", daemon),
        ("doing", asking_text(status)),
        ("waiting", waiting_text(&status.daemon.status)),
        ("idle until", idle_until),
        ("providers", providers_text(&status.daemon.status.providers)),
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
        ("proposals", proposals),
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

/// Describes the running call, with the number of requests behind it; empty where none runs.
fn asking_text(status: &Status) -> String {
    let waiting = status.runs.queued + status.runs.inbox;
    let asking = status.daemon.status.asking.as_ref();
    let words = asking.map(|asking| asking.words(waiting, now()));
    one_line(&words.unwrap_or_default(), REQUEST_CHARACTERS_MAX * 2)
}

/// Formats the usage of the remembered runs; empty where no model was asked.
fn tokens_text(usage: Usage) -> String {
    if usage.calls == 0 {
        return String::new();
    }
    format!("{}, in the last runs", runs::tokens_text(usage))
}

fn model_text(provider: &Provider) -> String {
    let named = |model: &str| one_line(model, REQUEST_CHARACTERS_MAX);
    let asked = provider.asked_instead.as_deref();
    let asked = asked.map_or_else(String::new, |model| {
        format!("; the last run asked {}", named(model))
    });
    let (model, address) = (named(&provider.model), provider.base_url.as_str());
    let others = joined(provider.others.iter().map(|name| named(name)), ", ");
    let [address, others] = [(" at ", address), ("; else ", &others)].map(|(word, text)| {
        let word = if text.is_empty() { "" } else { word };
        format!("{word}{text}")
    });
    format!("{model}{address} ({}){others}{asked}", provider.kind)
}

/// Formats the health of the daemon's providers; one without a call is left out.
fn providers_text(providers: &[ProviderHealth]) -> String {
    let asked = providers
        .iter()
        .filter(|one| one.health.last_check_time.is_some());
    let parts = asked.map(|one| {
        let name = one_line(&one.provider, REQUEST_CHARACTERS_MAX);
        let Health {
            consecutive_failures,
            last_success_time,
            last_failure_time,
            open_until,
            ..
        } = one.health;
        if one.health.available {
            let at = last_success_time.map(|at| format!(" {}", when(at)));
            return format!("{name} answered{}", at.unwrap_or_default());
        }
        let at = last_failure_time.map(|at| format!(" {}", when(at)));
        let until = open_until.map(|until| format!(", left alone until {}", when(until)));
        format!(
            "{name} failed{}, {consecutive_failures} in a row{}",
            at.unwrap_or_default(),
            until.unwrap_or_default()
        )
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
    let run_line = |RunView { run, .. }: &RunView| {
        let request = run.request.as_deref().unwrap_or_default();
        let request = one_line(request, REQUEST_CHARACTERS_MAX);
        let line = format!(
            "{}  {}  {request}",
            runs.short(&run.run_id),
            runs::state_text(run, None)
        );
        line.trim_end().to_owned()
    };
    let open = status.runs.open.iter();
    let open = open.map(|run| format!("open: {}\n", run_line(run)));
    let failed = status.last_failures.iter();
    let failed = failed.map(|run| format!("failed: {}\n", run_line(run)));
    let warned = status.warnings.iter();
    let warned = warned.map(|warning| format!("warning: {}\n", one_line(warning, 500)));
    slots.chain(open).chain(failed).chain(warned).collect()
}
