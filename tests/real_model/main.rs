//! The program against real small models: real tasks from an empty root, checked by looking at
//! files, never at prose. Prints, per model and window, what was solved and what it cost, beside the
//! same loop with its whole history resent.
//!
//! `cargo test --release --test real_model -- [--quick] [--minutes N] [--tasks NAME,NAME]
//! [--window 4096,8192] [--side ours|history] [--form off|gbnf|json_schema] [--results FILE]
//! [--table-from FILE] [--readme FILE] [MODEL ...]`
//!
//! `cargo test --test real_model -- --constrain [--results FILE] [--readme FILE] [MODEL ...]` measures in
//! place of that what keeping answers to a grammar or a schema is worth.
//!
//! A long run may be cut in pieces: with `--results` each finished task is kept in a file, and what
//! stands there is not done again. `--table-from` makes the tables of such a file.
//!
//! Where no model can be had (no Python, no network) it says why and passes: nothing is claimed.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test program of its own: it starts processes, reads files, prints and stops at once"
)]

mod constrain;
mod history;
mod options;
mod outcome;
mod root;
mod server;
mod table;
mod tasks;

/// What is shared with the benches.
#[expect(dead_code, reason = "each program uses its share")]
#[path = "../bench"]
mod bench {
    pub(crate) mod http;
    pub(crate) mod measure;
    pub(crate) mod readme_table;
    pub(crate) mod relay;
}

use bench::{http, measure, readme_table, relay};
use history::History;
use options::Options;
use outcome::{Call, Outcome, Side};
use relay::{Between, Nothing, Relay};
use root::Root;
use server::Server;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tasks::Task;

/// Iterations until a server has seen each state of the cycle once.
const CYCLE: usize = 3;

/// One model with one window, on one side.
struct Group {
    model: String,
    window: u32,
    side: Side,
    form: Option<String>,
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            println!("{error}\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    if options.constrain {
        let table = constrain::table(&options.models, options.results.as_deref());
        println!("\n{table}");
        if let Some(path) = &options.readme {
            readme_table::write(path, "constrain", &table).unwrap();
        }
        return ExitCode::SUCCESS;
    }
    let kept = options.table_from.as_ref().or(options.results.as_ref());
    let mut outcomes = kept.map(|path| outcome::read(path)).unwrap_or_default();
    let mut skipped = 0;
    if options.table_from.is_none() {
        // A goal that holds on an untouched root is found before hours are spent on it.
        for task in &options.tasks {
            drop(Root::prepare(task, "none", "http://127.0.0.1:9/v1"));
        }
        skipped = work(&options, &mut outcomes);
    }
    let tables = table::markdown(&outcomes);
    println!("\n{tables}");
    if let Some(path) = &options.readme {
        readme_table::write(path, "models", &tables).unwrap();
    }
    println!("{} passed, 0 failed, {skipped} skipped", outcomes.len());
    ExitCode::SUCCESS
}

/// Goes through all groups. Gives how many had no server.
fn work(options: &Options, outcomes: &mut Vec<Outcome>) -> usize {
    let groups = groups(options);
    let until = Instant::now() + options.limit;
    announce(options, &groups, outcomes);
    let mut skipped = 0;
    let count = groups.len();
    for (index, group) in groups.into_iter().enumerate() {
        let open = |task: &&Task| {
            let known = |it: &Outcome| it.is_of(&group.model, group.window, group.side, task.name);
            !outcomes.iter().any(known)
        };
        let tasks: Vec<&Task> = options.tasks.iter().filter(open).collect();
        if tasks.is_empty() {
            continue;
        }
        let left = until.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(count - index).unwrap();
        match Server::start(&group.model, group.window) {
            Ok(server) => {
                // Loading, and a first download, are on nobody's account.
                let done = examine(&group, &server, &tasks, Instant::now() + share, |outcome| {
                    if let Some(path) = &options.results {
                        outcome::append(path, outcome);
                    }
                });
                outcomes.extend(done);
            }
            Err(reason) => {
                println!("skipped {}: {reason}", group.model);
                skipped += 1;
            }
        }
    }
    skipped
}

fn groups(options: &Options) -> Vec<Group> {
    let mut groups = Vec::new();
    for model in &options.models {
        for &window in &options.windows {
            for &side in &options.sides {
                groups.push(Group {
                    model: model.clone(),
                    window,
                    side,
                    form: options.form.clone(),
                });
            }
        }
    }
    groups
}

/// Says what is ahead, and how long it may take.
fn announce(options: &Options, groups: &[Group], known: &[Outcome]) {
    let mut seconds = 0;
    let mut open = 0;
    for group in groups {
        for task in &options.tasks {
            if !known
                .iter()
                .any(|it| it.is_of(&group.model, group.window, group.side, task.name))
            {
                open += 1;
                seconds += seconds_expected(&group.model, known);
            }
        }
    }
    println!(
        "{open} tasks, about {} minutes on one quiet core; ends after {} minutes at the latest",
        seconds.div_ceil(60),
        options.limit.as_secs() / 60
    );
}

/// How long a task takes a model, in seconds: as it was before, else what one core needed once.
fn seconds_expected(model: &str, known: &[Outcome]) -> u64 {
    let mut known = known.iter().filter(|it| it.model == model).peekable();
    if known.peek().is_some() {
        let (total, count) =
            known.fold((0, 0), |(total, count), it| (total + it.seconds, count + 1));
        return total / count;
    }
    match model {
        "smollm2" => 20,
        "qwen0.5b" => 30,
        _ => 90,
    }
}

/// Does the tasks that fit the time, each on a root of its own.
fn examine(
    group: &Group,
    server: &Server,
    tasks: &[&Task],
    until: Instant,
    mut keep: impl FnMut(&Outcome),
) -> Vec<Outcome> {
    let mut done: Vec<Outcome> = Vec::new();
    let mut iterations = 0;
    for task in tasks {
        let Some(mut outcome) = attempt(group, server, task, until) else {
            println!(
                "{} {} {}: out of time before `{}` was done",
                group.model,
                group.window,
                group.side.name(),
                task.name
            );
            break;
        };
        // The first cycle's calls are those that a cache cannot help.
        outcome.first_calls = CYCLE.saturating_sub(iterations).min(outcome.calls.len());
        iterations += usize::try_from(outcome.iterations).unwrap();
        keep(&outcome);
        println!("{}", table::line(&outcome));
        done.push(outcome);
    }
    let executable: u64 = done.iter().map(|outcome| outcome.repaired).sum();
    assert!(
        done.is_empty() || group.side != Side::Ours || executable > 0,
        "{}: no reply at all could be executed",
        group.model
    );
    done
}

/// Does one task, unless the time is up before.
fn attempt(group: &Group, server: &Server, task: &Task, until: Instant) -> Option<Outcome> {
    let between: Box<dyn Between> = match group.side {
        Side::Ours => Box::new(Nothing),
        Side::History => Box::<History>::default(),
    };
    let relay = Relay::start(&server.base_url.parse().unwrap(), between).unwrap();
    let root = Root::prepare(task, &group.model, relay.base_url());
    if let Some(form) = &group.form {
        root.configure("provider", "constrain", form.as_str().into());
    }
    let begun = Instant::now();
    let run = root.run(task, until)?;
    root.check(&run, group.window);
    let replies = root.replies();
    Some(Outcome {
        model: group.model.clone(),
        window: group.window,
        side: group.side,
        task: task.name.to_owned(),
        solved: (task.reached)(&root.world()),
        succeeded: run["state"] == "Succeeded",
        error_code: run["error_code"].as_str().map(str::to_owned),
        iterations: run["loop_count"].as_u64().unwrap(),
        calls: relay.noted().into_iter().map(Call::from).collect(),
        first_calls: 0,
        replies: replies.all,
        strict: replies.strict,
        repaired: replies.repaired,
        seconds: begun.elapsed().max(Duration::from_secs(1)).as_secs(),
    })
}
