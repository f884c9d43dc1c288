//! The map of `kjxlkj-agent`: one always-on process that keeps notes for a person, driven by a
//! small local language model that is not trusted.
//!
//! Four principles decide everything else:
//!
//! 1. **The model proposes, the daemon disposes.** Model text is untrusted input. It becomes typed
//!    instructions, the guard approves or refuses each one, and only approved ones take effect.
//!    How a run ended is computed from the applied changes, never from what the model says.
//! 2. **One journal, many views.** Every fact is part of one line of one append-only journal. The
//!    KV file, the note files, the list of runs and the audit are views that can be rebuilt.
//! 3. **One iteration, one commit.** All effects of an iteration become durable together, by one
//!    append and one sync, or not at all.
//! 4. **Decisions are pure, effects are few.** What to do is computed without clock, disk, network
//!    or randomness; a thin shell does it.
//!
//! # The flow
//!
//! ```text
//! trigger (start, request, manual, edit, idle)
//!   -> Run{Queued}                       daemon::schedule
//!   -> iteration, eight steps            daemon::iteration
//!        1 load state     RAM, run, hand edits
//!        2 segments       of the prompt file, by state
//!        3 assemble       core::prompt            pure
//!        4 complete       daemon::call            one machine; provider::pipeline -> HTTP
//!        5 parse          core::protocol          pure, never fails
//!        6 decide         core::agent             pure, through core::guard
//!        7 commit         store: append + sync -> memory -> views
//!        8 wait
//! ```
//!
//! # Two walks
//!
//! A reply, from the question to the files:
//!
//! 1. `daemon::iteration::iteration` calls the eight steps in order.
//! 2. `daemon::asker::ask` builds the prompt and counts it against the budgets; in small steps
//!    it is `daemon::asker::ask_in_steps`.
//! 3. `daemon::call::next` returns the next action of a call: make the prompt, wait, send it,
//!    use another form or another provider; `provider::pipeline::next` decides about repeats.
//! 4. `daemon::call_driver::question` carries that out.
//! 5. `provider::http::complete` sends the bytes and reads the stream.
//! 6. `core::protocol::parse::parse` makes instructions of the text.
//! 7. `core::agent::decide::decide` executes each of them and computes the state of the run.
//! 8. `core::agent::executor::work` works on the overlay, through `core::guard`.
//! 9. `daemon::engine::commit` waits for room on the disk.
//! 10. `store::commit::write` plans the views and adds the runs that rules open.
//! 11. `store::journal::append` writes one line and syncs it. From here on the commit is durable.
//! 12. `store::views::put_planned` swaps the changed files in.
//!
//! A note event, from the commit to the run of a rule:
//!
//! 1. `store::commit::write` has a draft with a changed note.
//! 2. `core::automation::match_rules::match_rules` finds the rules that listen to it.
//! 3. `core::automation::run_opener::open` makes a queued run of each, in the same commit.
//! 4. `daemon::schedule::next_run` takes the run that goes next.
//! 5. `daemon::schedule::drive` begins it and iterates until it ends.
//! 6. `daemon::run_profiles::of` gives the configuration and servers of its rule.
//! 7. `daemon::iteration::iteration` is where the first walk begins.
//!
//! A restart is checkpoint plus replay of the journal's tail. A call that was under way is asked
//! again; its iteration had no commit, so nothing happens twice.
//!
//! # Who may depend on whom
//!
//! `cli -> api -> service -> daemon -> provider, store -> config -> core`; `core` knows none of
//! them. All of them use the small modules beside them: [`failure`], [`help`], [`ids`],
//! [`interrupted`], [`limits`], [`plain_text`], [`stack`], [`strict_json`], [`strict_yaml`], [`time`].
//!
//! # Invariants
//!
//! Each is kept by a test in `tests/it/tidy.rs` that reads these sources.
//!
//! - I1 `core` is pure: no tokio, files, network, environment, processes, clock or randomness.
//! - I2 only `store` opens run-time files under the data folder; `config` reads what a person
//!   writes.
//! - I3 nothing outside `store` writes a view, and no view is written before its commit is durable.
//! - I4 only `core::guard` makes an `Approved<_>`, and only approved changes become events.
//! - I5 wire shapes of HTTP and providers live at the edge, not in `core`.
//! - I6 raw configuration and the environment are seen only in `config` and `cli`.
//! - I7 files have at most 600 lines without tests, functions at most 80.
//! - I8 every error code has a page, and every page a code.
//! - I9 every configuration key has a test that shows it doing something.
//! - I10 the methods of a type are in at most three files, at most 40 of them; it has at most 15
//!   fields.
//!
//! # What the program does
//!
//! `tests/requirements.toml` lists it, one entry a requirement, each with the tests that show it.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")
)]

pub mod failure;
pub mod help;
pub mod ids;
pub mod interrupted;
pub mod limits;
pub mod plain_text;
pub mod stack;
pub mod strict_json;
pub mod strict_yaml;
pub mod time;

pub mod core;

pub mod config;

pub mod store;

pub mod provider;

pub mod daemon;

pub mod telemetry;

pub mod service;

pub mod api;

pub mod cli;
