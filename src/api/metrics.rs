//! Numbers for a monitor, in the text form of Prometheus. Never a name that grows with the data: no ids,
//! no titles.

use crate::daemon::{Standing, Totals};
use std::fmt::{Display, Write as _};

/// What a monitor reads.
pub(super) const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The text.
pub(super) fn metrics(standing: &Standing, is_in_time: bool) -> String {
    let mut out = Lines::default();
    how_it_stands(&mut out, standing, is_in_time);
    let commits = [("", standing.head.seq)];
    out.counter("journal_commits", "Commits since the root began.", &commits);
    what_was_done(&mut out, &standing.totals);
    out.text
}

fn how_it_stands(out: &mut Lines, standing: &Standing, is_in_time: bool) {
    let version = format!("version=\"{}\"", env!("CARGO_PKG_VERSION"));
    out.gauge("build_info", "What runs.", &[(&version, 1_u8)]);
    let is_busy = standing.running.is_some();
    for (name, help, holds) in [
        ("up", "Whether the loop lives.", standing.is_up),
        ("in_time", "Whether it takes its steps in time.", is_in_time),
        ("busy", "Whether a run is under way.", is_busy),
    ] {
        out.gauge(name, help, &[("", u8::from(holds))]);
    }
    for (name, help, count) in [
        ("open_runs", "Runs that have not ended.", standing.open_runs),
        ("notes", "Notes.", standing.notes),
        ("ram_keys", "Keys of RAM.", standing.ram_keys),
    ] {
        out.gauge(name, help, &[("", count)]);
    }
    let waiting = standing.doing.waiting.iter();
    let waiting: Vec<String> = waiting.map(|it| format!("code=\"{}\"", it.code)).collect();
    let waiting: Vec<(&str, u8)> = waiting.iter().map(|label| (label.as_str(), 1)).collect();
    out.gauge("waiting", "What has to get better outside.", &waiting);
}

fn what_was_done(out: &mut Lines, totals: &Totals) {
    let Totals {
        iterations,
        usage,
        succeeded,
        failed,
        reloads: [well, badly],
    } = totals;
    out.counter(
        "iterations",
        "Iterations since the start.",
        &[("", iterations)],
    );
    out.counter(
        "llm_replies",
        "Replies of models since the start.",
        &[("", usage.calls)],
    );
    let tokens = [
        ("direction=\"input\"", usage.input_tokens),
        ("direction=\"output\"", usage.output_tokens),
    ];
    out.counter("llm_tokens", "Tokens of models since the start.", &tokens);
    out.counter(
        "llm_saved_tokens",
        "Tokens at most that ending answers early has saved since the start.",
        &[("", usage.saved_tokens)],
    );
    let failed: Vec<(String, u64)> = failed
        .iter()
        .map(|(code, count)| (format!("outcome=\"failed\",code=\"{code}\""), *count))
        .collect();
    let mut runs = vec![("outcome=\"succeeded\"", *succeeded)];
    runs.extend(failed.iter().map(|(label, count)| (label.as_str(), *count)));
    out.counter("runs", "Runs that ended since the start.", &runs);
    let reloads = [
        ("outcome=\"succeeded\"", well),
        ("outcome=\"failed\"", badly),
    ];
    out.counter("reloads", "Reloads since the start.", &reloads);
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn gauge(&mut self, name: &str, help: &str, values: &[(&str, impl Display)]) {
        self.add(name, "gauge", help, values);
    }

    fn counter(&mut self, name: &str, help: &str, values: &[(&str, impl Display)]) {
        self.add(&format!("{name}_total"), "counter", help, values);
    }

    fn add(&mut self, name: &str, kind: &str, help: &str, values: &[(&str, impl Display)]) {
        // Writing into a text cannot fail.
        let out = &mut self.text;
        let name = format!("kjxlkj_agent_{name}");
        writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}").unwrap_or_default();
        for (label, value) in values {
            if label.is_empty() {
                writeln!(out, "{name} {value}").unwrap_or_default();
            } else {
                writeln!(out, "{name}{{{label}}} {value}").unwrap_or_default();
            }
        }
    }
}
