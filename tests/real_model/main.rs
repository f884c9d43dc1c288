//! The program against real small models: real tasks from an empty root, checked by looking at
//! files, never at prose. Prints, per set of tasks, model and window, what was solved and what it cost,
//! beside the same loop with its whole history resent.
//!
//! `cargo test --release --test real_model -- [--set tuned|practice|unseen|everyday] [--quick] [--show] [--minutes N]
//! [--tasks NAME,NAME] [--window 4096,8192] [--side ours|history] [--form off|gbnf|json_schema]
//! [--results FILE] [--table-from FILE] [--readme FILE] [MODEL ...]`
//!
//! The program is made better with the sets `tuned` and `practice` alone. `unseen` says what that is worth on tasks that
//! nobody looked at meanwhile: of it, only whether a task was solved is shown. `everyday` is one root and
//! twelve requests, one after another. `--check` checks the checks of all sets, without any model.
//!
//! `cargo test --test real_model -- --constrain [--results FILE] [--readme FILE] [MODEL ...]` measures in
//! place of that what keeping answers to a grammar or a schema is worth.
//!
//! A long run may be cut in pieces: with `--results` each finished task is kept in a file, and what
//! stands there is not done again. `--show` prints what was said, but for the set `unseen`. `--table-from` makes the tables of such a file.
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
mod crowd;
mod eighteenth_unseen;
mod eighth_unseen;
mod eleventh_unseen;
mod everyday;
mod expected;
mod facts;
mod fifteenth_unseen;
mod fifth_unseen;
mod first_certainty;
mod first_unseen;
mod fourteenth_unseen;
mod fourth_unseen;
mod history;
mod nineteenth_unseen;
mod ninth_unseen;
mod options;
mod outcome;
mod practice;
mod root;
mod second_certainty;
mod second_unseen;
mod server;
mod sets;
mod seventeenth_unseen;
mod seventh_unseen;
mod sixteenth_unseen;
mod sixth_unseen;
mod table;
mod task;
mod tasks;
mod tenth_unseen;
mod third_unseen;
mod thirteenth_unseen;
mod thirtieth_unseen;
mod thirtyfirst_unseen;
mod thirtysecond_unseen;
mod twelfth_unseen;
mod twentieth_unseen;
mod twentyeighth_unseen;
mod twentyfifth_unseen;
mod twentyfirst_unseen;
mod twentyfourth_unseen;
mod twentyninth_unseen;
mod twentysecond_unseen;
mod twentyseventh_unseen;
mod twentysixth_unseen;
mod twentythird_unseen;
mod unseen;
mod world;

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
use root::{Replies, Root};
use serde_json::Value;
use server::Server;
use sets::Set;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use task::{Judged, Task};
use world::{Difference, World};

/// Iterations until a server has seen each state of the cycle once.
const CYCLE: usize = 3;

/// One model with one window, on one side, with one set of tasks.
struct Group {
    model: String,
    window: u32,
    side: Side,
    set: Set,
    form: Option<String>,
    /// Whether the talk and the notes of each task are shown.
    shows: bool,
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
    facts::verify();
    for set in Set::ALL {
        set.verify();
    }
    if options.check {
        return check_on_roots();
    }
    let kept = options.table_from.as_ref().or(options.results.as_ref());
    let mut outcomes = kept.map(|path| outcome::read(path)).unwrap_or_default();
    let mut skipped = 0;
    if options.table_from.is_none() {
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

/// Makes the root of every task, as it is before the task is done.
fn check_on_roots() -> ExitCode {
    let tasks: Vec<Task> = Set::ALL.into_iter().flat_map(Set::tasks).collect();
    for task in &tasks {
        drop(Root::prepare(task, "none", "http://127.0.0.1:9/v1"));
    }
    println!("{} passed, 0 failed", tasks.len());
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
        let open = open_of(options, &group, outcomes);
        if open.is_empty() {
            continue;
        }
        let left = until.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(count - index).unwrap();
        match Server::start(&group.model, group.window) {
            Ok(server) => {
                // Loading, and a first download, are on nobody's account.
                let until = Instant::now() + share;
                let keep = |outcome: &Outcome| {
                    if let Some(path) = &options.results {
                        outcome::append(path, outcome);
                    }
                };
                let done = match group.set {
                    Set::Everyday => one_after_another(&group, &server, until, keep),
                    Set::Tuned | Set::Practice | Set::Unseen => {
                        let tasks = options.tasks.iter();
                        let tasks: Vec<&Task> =
                            tasks.filter(|it| open.contains(&it.name)).collect();
                        examine(&group, &server, &tasks, until, keep)
                    }
                };
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

/// Returns the names of the tasks that a group has not done.
fn open_of(options: &Options, group: &Group, known: &[Outcome]) -> Vec<&'static str> {
    let mut names = options.names();
    names.retain(|name| !known.iter().any(|it| it.is_of(group, name)));
    names
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
                    set: options.set,
                    form: options.form.clone(),
                    shows: options.shows,
                });
            }
        }
    }
    groups
}

/// Says what is ahead, and how long it may take.
fn announce(options: &Options, groups: &[Group], known: &[Outcome]) {
    let mut seconds = 0;
    let mut count = 0;
    for group in groups {
        let open = open_of(options, group, known).len();
        count += open;
        seconds += u64::try_from(open).unwrap() * seconds_expected(&group.model, known);
    }
    println!(
        "set {}: {count} tasks, about {} minutes on one quiet core; ends after {} minutes at the latest",
        options.set.name(),
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
    let relay = relay_of(group, server);
    let root = Root::prepare(task, &group.model, relay.base_url());
    configure(&root, group);
    let before = root.world(&Value::Null);
    let mut done = do_task(group, &root, task, &before, until)?.1;
    done.calls = relay.noted().into_iter().map(Call::from).collect();
    Some(done)
}

fn relay_of(group: &Group, server: &Server) -> Relay {
    let between: Box<dyn Between> = match group.side {
        Side::Ours => Box::new(Nothing),
        Side::History => Box::<History>::default(),
    };
    Relay::start(&server.base_url.parse().unwrap(), between).unwrap()
}

fn configure(root: &Root, group: &Group) {
    if group.side == Side::History {
        // Small steps send little each time; most agents let the model answer freely.
        root.configure("loop", "protocol", "xml".into());
    }
    if let Some(form) = &group.form {
        root.configure("provider", "constrain", form.as_str().into());
    }
}

/// Does the requests of everyday life on one root. Either all of them or none: what comes later stands
/// on what was done before.
fn one_after_another(
    group: &Group,
    server: &Server,
    until: Instant,
    mut keep: impl FnMut(&Outcome),
) -> Vec<Outcome> {
    let relay = relay_of(group, server);
    let root = Root::empty(&group.model, relay.base_url());
    configure(&root, group);
    let (mut done, mut replies) = (Vec::<Outcome>::new(), Replies::default());
    for request in everyday::all() {
        let before = root.world(&Value::Null);
        let task = request.task(&before);
        let Some((after, mut outcome)) = do_task(group, &root, &task, &before, until) else {
            println!("{} {}: out of time", group.model, group.window);
            return Vec::new();
        };
        let earlier: usize = done.iter().map(|it| it.calls.len()).sum();
        let calls = relay.noted().into_iter().skip(earlier);
        outcome.calls = calls.map(Call::from).collect();
        outcome.take_off(replies);
        replies = replies.and(&outcome);
        println!("{}\n  {}", table::line(&outcome), said(&after));
        done.push(outcome);
    }
    done.iter().for_each(&mut keep);
    done
}

/// Returns what a run said: its answer, else how it ended.
fn said(after: &World) -> String {
    let answer = after.answer().map(|it| &it["text"]).and_then(Value::as_str);
    let state = after.run["state"].as_str().unwrap_or_default();
    answer.map_or_else(|| state.to_owned(), |text| format!("{state}: {text}"))
}

/// Prints what was said for a task, and what stands there now.
fn show(task: &Task, root: &Root, before: &World, after: &World) {
    println!("\n## {}: {}", task.name, task.request);
    for said in root.talk() {
        println!("{said}\n");
    }
    let print = |sign: &str, note: &Value| {
        let text = world::plain(&note["value"]);
        println!("{sign} [{}] {text}", world::plain(&note["title"]));
    };
    let difference = Difference::between(before, after);
    for (was, now) in &difference.changed {
        print("<", was);
        print(">", now);
    }
    for note in &difference.created {
        print("+", note);
    }
    for note in &difference.gone {
        print("-", note);
    }
    println!("{}", said(after));
}

/// Does one task on a root, and says what became of it but for the calls.
fn do_task(
    group: &Group,
    root: &Root,
    task: &Task,
    before: &World,
    until: Instant,
) -> Option<(World, Outcome)> {
    let begun = Instant::now();
    let run = root.run(task, until)?;
    let seconds = begun.elapsed().max(Duration::from_secs(1)).as_secs();
    root.check(task, &run, group.window);
    let replies = root.replies();
    let after = root.world(&run);
    if group.shows {
        show(task, root, before, &after);
    }
    let Judged {
        solved,
        superfluous,
        bystanders,
    } = task.judge(before, &after);
    let outcome = Outcome {
        model: group.model.clone(),
        window: group.window,
        side: group.side,
        set: group.set,
        task: task.name.to_owned(),
        solved,
        succeeded: run["state"] == "Succeeded",
        bystanders: u64::try_from(bystanders).ok(),
        superfluous: u64::try_from(superfluous).ok(),
        error_code: run["error_code"].as_str().map(str::to_owned),
        iterations: run["loop_count"].as_u64().unwrap(),
        calls: Vec::new(),
        first_calls: 0,
        replies: replies.all,
        strict: replies.strict,
        repaired: replies.repaired,
        seconds,
    };
    Some((after, outcome))
}
