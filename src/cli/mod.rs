//! The command line: one file a verb; data on standard output, talk on standard error. Reads the
//! arguments and the environment, calls the rooms below, prints what they say. Holds no logic of
//! its own: what a verb may do is decided elsewhere.

mod arguments;
mod environment;
mod output;

mod context;
mod list;
mod markdown;
mod short_ids;
mod table;
mod terminal;
mod text;
mod when;

mod broken_files;
mod model_servers;
mod record;
mod screen;
mod server;

mod ask;
mod audit;
mod call;
mod config;
mod daemon;
mod demo;
mod demo_text;
mod doctor;
mod doctor_folder;
mod doctor_model;
mod doctor_window;
mod doctor_writable;
mod editor;
mod explain;
mod follow;
mod hand_over;
mod help;
mod init;
mod notes;
mod notes_change;
mod notes_export;
mod notes_import;
mod outcome;
mod parse;
mod progress;
mod prompt;
mod prove;
mod ram;
mod rehearse;
mod replay;
mod review;
mod rules;
mod run;
mod runs;
mod served;
mod service;
mod shell;
mod small_model;
mod status;
mod stop;
mod trace;
mod undo;

use arguments::Verb;
use context::Context;
use environment::ProcessEnvironment;
use output::Answer;
use std::ffi::OsString;
use std::process::ExitCode;

use crate::daemon::raise_limit;
use crate::failure::{Code, Failure};
use crate::service::explained;

/// Runs the program: the arguments say what, the answer's exit code is the process's.
pub fn main() -> ExitCode {
    raise_limit();
    let words = environment::words();
    let arguments = match arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(refused) => return output::refuse_usage(&refused, arguments::wants_json(&words)),
    };
    let format = arguments.format;
    let answer = Context::new(&arguments, ProcessEnvironment).and_then(|context| {
        let verb = arguments.verb.unwrap_or(Verb::Daemon);
        answer_or_ask(&context, verb, &words)
            .map_err(|failure| explained(&context.session, failure))
    });
    match answer {
        Ok(answer) => output::print(&answer, format),
        Err(failure) => output::report_failure(&failure, format),
    }
}

/// The answer of a verb; where this process must not or cannot give it, that of the daemon that holds the
/// folder; where there is none and files are broken, what can be told without them.
fn answer_or_ask(context: &Context, verb: Verb, words: &[OsString]) -> Result<Answer, Failure> {
    let (mut verb, mut is_first) = (verb, true);
    loop {
        let is_served = served::is_served(&verb);
        let mut refused = match answer(context, verb) {
            Err(refused) => refused,
            answered => return answered,
        };
        // What `-` stands for was read meanwhile.
        let may_be_sent = is_served && can_be_sent(context, words);
        if may_be_sent {
            refused = match hand_over::hand_over(context, words, refused) {
                Err(refused) => refused,
                answered => return answered,
            };
        }
        let again = arguments::read(words).ok();
        let Some(again) = again.and_then(|arguments| arguments.verb) else {
            return Err(refused);
        };
        // A daemon that was about to answer has ended, so that the folder may be free by now.
        if !(may_be_sent && is_first && refused.code == Code::DataLocked) {
            return broken_files::read_on(context, again, refused);
        }
        (verb, is_first) = (again, false);
    }
}

/// Whether a command line means the same within a daemon: what `-` stands for was read, and goes along.
fn can_be_sent(context: &Context, words: &[OsString]) -> bool {
    context.input.get().is_some() || words.iter().all(|word| word != "-")
}

fn answer(context: &Context, verb: Verb) -> Result<Answer, Failure> {
    match verb {
        Verb::Daemon => daemon::run(context),
        Verb::Init(options) => init::run(context, &options),
        Verb::Stop => stop::run(context),
        Verb::Once { task } => run::once(context, task),
        Verb::Run {
            task,
            max_iterations,
        } => run::run(context, task, max_iterations),
        Verb::Ask { wait, words } => ask::run(context, &words, wait),
        Verb::Demo { recorded, retain } => demo::run(context, demo::Wanted { recorded, retain }),
        Verb::Status => status::run(context),
        Verb::Doctor { prove: true } => prove::run(context),
        Verb::Doctor { prove: false } => doctor::run(context),
        Verb::Call(options) => call::run(context, options),
        Verb::Config(verb) => config::run(context, verb),
        Verb::Ram(verb) => ram::run(context, verb),
        Verb::Notes(verb) => notes::run(context, verb),
        Verb::Rules(verb) => rules::run(context, verb),
        Verb::Runs(verb) => runs::run(context, verb),
        Verb::Review(verb) => review::run(context, verb),
        Verb::Audit(verb) => audit::run(context, verb),
        Verb::Trace { run } => trace::trace(context, run),
        Verb::Undo { since, dry_run } => undo::since(context, since, dry_run),
        Verb::Rehearse(options) => rehearse::run(context, options),
        Verb::Replay { run } => replay::run(context, &run),
        Verb::Why { note } => trace::why(context, note),
        Verb::Parse(options) => parse::run(context, &options),
        Verb::Prompt { state } => prompt::run(context, state),
        Verb::Service(verb) => service::run(context, verb),
        Verb::Completions { shell } => Ok(shell::completions(shell)),
        Verb::Man => shell::manual(),
        Verb::Explain { code } => explain::run(context, code.as_deref()),
        Verb::Help { words } => help::run(context, &words),
    }
}
