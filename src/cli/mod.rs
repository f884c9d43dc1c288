//! The command line: one file a verb; data on standard output, messages on standard error. Reads
//! the arguments and the environment, calls the modules below, prints their results. Holds no
//! logic: other modules decide what a verb may do.

mod agents;
mod arguments;
mod audit;
mod call;
mod config;
mod context;
mod daemon;
mod demo;
mod doctor;
mod editor;
mod environment;
mod follow;
mod forwarding;
mod help;
mod init;
mod markdown;
mod notes;
mod notes_files;
mod output;
mod parse;
mod prompt;
mod prove;
mod ram;
mod rehearse;
mod review;
mod rules;
mod run;
mod runs;
mod server;
mod service;
mod shell;
mod status;
mod table;
mod text;
mod trace;

use arguments::{Arguments, Format, RunOptions, Verb};
use context::Context;
use environment::ProcessEnvironment;
use forwarding::VerbRequirements;
use output::VerbOutput;
use std::process::ExitCode;

use crate::daemon::raise_limit;
use crate::failure::{Code, Failure};
use crate::service::explained;

/// Runs the program and returns the exit code of its answer.
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
        let words = words.into_iter().skip(1);
        let words = words.map(|word| word.into_string().ok()).collect();
        answer_or_forward(&context, &verb, words)
            .map_err(|failure| explained(&context.session, failure))
    });
    match answer {
        Ok(answer) => output::print(&answer, format),
        Err(failure) => output::report_failure(&failure, format),
    }
}

/// Parses the words of a command line, without the program's name.
fn read(words: &[String]) -> Result<Arguments, Failure> {
    let program = env!("CARGO_PKG_NAME");
    arguments::read(std::iter::once(program).chain(words.iter().map(String::as_str)))
        .map_err(|refused| output::usage_failure(&refused.render().to_string()))
}

/// Returns the words of a verb, with the caller's format.
fn words_of(format: Format, verb: &[&str]) -> Vec<String> {
    let words = ["--format", format.word()].into_iter();
    words
        .chain(verb.iter().copied())
        .map(str::to_owned)
        .collect()
}

/// Answers a verb's words as if a person had typed them.
fn answer_words(context: &Context, verb: &[&str]) -> Result<VerbOutput, Failure> {
    let words = words_of(context.format(), verb);
    let verb = read(&words)?.verb.unwrap_or(Verb::Daemon);
    answer_or_forward(context, &verb, Some(words))
}

/// Answers a verb, if necessary by the daemon that holds the folder.
/// Without a daemon and with broken files, a verb that only reads uses their valid parts. Without
/// words nothing is forwarded.
fn answer_or_forward(
    context: &Context,
    verb: &Verb,
    words: Option<Vec<String>>,
) -> Result<VerbOutput, Failure> {
    let words = words.filter(|_| VerbRequirements::of(verb).is_served);
    let mut is_first = true;
    loop {
        let answered = answer(context, verb.clone());
        // The text that `-` stands for was read meanwhile, and is sent too.
        let is_complete = |words: &&Vec<String>| {
            context.input.get().is_some() || words.iter().all(|word| word != "-")
        };
        let words = words.as_ref().filter(is_complete);
        let answered = match (answered, words) {
            (Err(refused), Some(words)) => forwarding::forward(context, words.clone(), refused),
            (answered, _) => answered,
        };
        match answered {
            // A daemon that was about to answer has ended, so that the folder may be free now.
            Err(refused) if is_first && words.is_some() && refused.code == Code::DataLocked => {
                is_first = false;
            }
            Err(refused) => return forwarding::read_on(context, verb.clone(), refused),
            answered => return answered,
        }
    }
}

fn answer(context: &Context, verb: Verb) -> Result<VerbOutput, Failure> {
    match verb {
        Verb::Daemon => daemon::run(context),
        Verb::Init(options) => init::run(context, &options),
        Verb::Stop => daemon::stop(context),
        Verb::Once { task } => {
            let once = RunOptions {
                task,
                max_iterations: None,
                is_once: true,
            };
            run::run(context, once)
        }
        Verb::Run(options) => run::run(context, options),
        Verb::Ask { wait, words } => follow::ask(context, &words, wait),
        Verb::Demo(options) => demo::run(context, options),
        Verb::Status => status::run(context),
        Verb::Doctor { prove: true } => prove::run(context),
        Verb::Doctor { prove: false } => doctor::run(context),
        Verb::Call(options) => call::run(context, options),
        Verb::Config(verb) => config::run(context, verb),
        Verb::Ram(verb) => ram::run(context, verb),
        Verb::Notes(verb) => notes::run(context, verb),
        Verb::Rules(verb) => rules::run(context, verb),
        Verb::Agents(verb) => agents::run(context, verb),
        Verb::Runs(verb) => runs::run(context, verb),
        Verb::Review(verb) => review::run(context, verb),
        Verb::Audit(verb) => audit::run(context, verb),
        Verb::Trace(run) => trace::trace(context, run),
        Verb::Undo { since, dry_run } => trace::undo_since(context, since, dry_run),
        Verb::Rehearse(options) => rehearse::run(context, options),
        Verb::Replay(run) => trace::replay(context, run),
        Verb::Why(note) => trace::why(context, note),
        Verb::Parse(options) => parse::run(context, &options),
        Verb::Prompt { state } => prompt::run(context, state),
        Verb::Service(verb) => service::run(context, verb),
        Verb::Completions { shell } => Ok(shell::completions(shell)),
        Verb::Man => shell::manual(),
        Verb::Explain { code } => help::explain(context, code.as_deref()),
        Verb::Help { words } => help::run(context, &words),
    }
}
