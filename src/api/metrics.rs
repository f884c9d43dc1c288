//! Metrics in the text format of Prometheus.
//!
//! No name or label grows in number with the data: no ids, no titles.

use crate::core::route::{CircuitState, Health, ProviderHealth};
use crate::daemon::{Snapshot, Totals};
use crate::time::Timestamp;
use std::fmt::{Display, Write as _};

pub(super) const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

pub(super) fn metrics(snapshot: &Snapshot, is_in_time: bool) -> String {
    let mut out = Lines::default();
    add_state(&mut out, snapshot, is_in_time);
    let commits = [("", snapshot.head.seq)];
    let help = "Commits since the root began.";
    out.add("journal_commits_total", "counter", help, &commits);
    add_totals(&mut out, &snapshot.totals);
    out.text
}

fn add_state(out: &mut Lines, snapshot: &Snapshot, is_in_time: bool) {
    let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
    out.gauge("build_info", "What runs.", &[(&version, 1_u8)]);
    let [is_up, is_in_time, is_busy] =
        [snapshot.is_up, is_in_time, snapshot.running.is_some()].map(usize::from);
    for (name, help, count) in [
        ("up", "Whether the loop lives.", is_up),
        ("in_time", "Whether it takes its steps in time.", is_in_time),
        ("busy", "Whether a run is under way.", is_busy),
        ("open_runs", "Runs that have not ended.", snapshot.open_runs),
        ("notes", "Notes.", snapshot.notes),
        ("ram_keys", "Keys of RAM.", snapshot.ram_keys),
    ] {
        out.gauge(name, help, &[("", count)]);
    }
    let waiting = snapshot.status.waiting.iter();
    let waiting = waiting.map(|it| (format!("code=\"{}\"", it.code), 1));
    let waiting: Vec<(String, u8)> = waiting.collect();
    out.gauge("waiting", "What has to get better outside.", &waiting);
    add_providers(out, &snapshot.status.providers);
}

fn add_providers(out: &mut Lines, providers: &[ProviderHealth]) {
    type Number = fn(&Health) -> String;
    let numbers: [(&str, &str, Number); 6] = [
        (
            "provider_available",
            "Whether a provider answered last and may be asked.",
            |health| u8::from(health.available).to_string(),
        ),
        (
            "provider_circuit_open",
            "Whether a provider is left alone: 1, or half while it is tried again.",
            |health| match health.circuit_state {
                CircuitState::Closed => "0".to_owned(),
                CircuitState::HalfOpen => "0.5".to_owned(),
                CircuitState::Open => "1".to_owned(),
            },
        ),
        (
            "provider_consecutive_failures",
            "Failures of a provider since its last answer.",
            |health| health.consecutive_failures.to_string(),
        ),
        (
            "provider_error_rate",
            "Failures among the last questions to a provider, from 0 to 1.",
            |health| health.error_rate.to_string(),
        ),
        (
            "provider_last_success_timestamp_seconds",
            "When a provider last answered; 0 for never.",
            |health| seconds(health.last_success_time),
        ),
        (
            "provider_last_failure_timestamp_seconds",
            "When a provider last did not answer; 0 for never.",
            |health| seconds(health.last_failure_time),
        ),
    ];
    for (name, help, number) in numbers {
        let values = providers.iter().map(|one| {
            let label = format!("provider=\"{}\"", escaped(&one.provider));
            (label, number(&one.health))
        });
        out.gauge(name, help, &values.collect::<Vec<_>>());
    }
}

/// Returns the seconds since 1970; 0 for no time, and for an earlier one.
fn seconds(at: Option<Timestamp>) -> String {
    let millis = at.map_or(0, |at| at.millis.max(0));
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// Escapes a name that a person has chosen, for a label's value.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

fn add_totals(out: &mut Lines, totals: &Totals) {
    let usage = &totals.usage;
    let [well, badly] = totals.reloads;
    let mut runs = vec![("outcome=\"succeeded\"".to_owned(), totals.succeeded)];
    for (code, count) in &totals.failed {
        runs.push((format!("outcome=\"failed\",code=\"{code}\""), *count));
    }
    let tokens = [
        ("direction=\"input\"", usage.input_tokens),
        ("direction=\"output\"", usage.output_tokens),
    ];
    let reloads = [
        ("outcome=\"succeeded\"", well),
        ("outcome=\"failed\"", badly),
    ];
    out.total("iterations", "Iterations", &[("", totals.iterations)]);
    out.total("llm_replies", "Replies of models", &[("", usage.calls)]);
    out.total("llm_tokens", "Tokens of models", &tokens);
    let saved = "Tokens at most that ending answers early has saved";
    out.total("llm_saved_tokens", saved, &[("", usage.saved_tokens)]);
    let cost = "Millionths of a dollar that servers said to have charged";
    let charged = [("", usage.cost_micro_dollars)];
    out.total("llm_cost_micro_dollars", cost, &charged);
    out.total("runs", "Runs that ended", &runs);
    out.total("reloads", "Reloads", &reloads);
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn gauge(&mut self, name: &str, help: &str, values: &[(impl AsRef<str>, impl Display)]) {
        self.add(name, "gauge", help, values);
    }

    /// Adds a counter since the start.
    fn total(&mut self, name: &str, help: &str, values: &[(impl AsRef<str>, impl Display)]) {
        let help = format!("{help} since the start.");
        self.add(&format!("{name}_total"), "counter", &help, values);
    }

    fn add(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        values: &[(impl AsRef<str>, impl Display)],
    ) {
        let name = format!("kjxlkj_agent_{name}");
        // Writing into a text cannot fail.
        let out = &mut self.text;
        writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}").unwrap_or_default();
        for (label, value) in values {
            match label.as_ref() {
                "" => writeln!(out, "{name} {value}"),
                label => writeln!(out, "{name}{{{label}}} {value}"),
            }
            .unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::metrics;
    use crate::core::route::{ErrorClass, HealthTracker, ProviderHealth};
    use crate::daemon::Snapshot;
    use crate::time::Timestamp;

    #[test]
    fn a_monitor_sees_who_is_left_alone_whatever_his_name() {
        let mut vitals = HealthTracker::default();
        let at = Timestamp::from_millis;
        for call in 0..5 {
            vitals.begin(at(call)).unwrap();
            vitals.ended(Err(Some(ErrorClass::Server)), at(1_700_000_000_042 + call));
        }
        let mut snapshot = Snapshot::default();
        snapshot.status.providers.push(ProviderHealth {
            provider: "my \"own\"\\\n".to_owned(),
            model: "m".to_owned(),
            health: vitals.health(at(1_700_000_000_100)),
        });
        let text = metrics(&snapshot, true);
        for (name, value) in [
            ("available", "0"),
            ("circuit_open", "1"),
            ("consecutive_failures", "5"),
            ("error_rate", "1"),
            ("last_success_timestamp_seconds", "0.000"),
            ("last_failure_timestamp_seconds", "1700000000.046"),
        ] {
            let line = format!(
                "kjxlkj_agent_provider_{name}{{provider=\"my \\\"own\\\"\\\\\\n\"}} {value}"
            );
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
    }
}
