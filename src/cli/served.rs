//! Verbs that are answered within a daemon, for the control interface: the same verbs, with the loop as
//! the one who changes things, and with talk kept for whoever asked. Decides which verbs those are.

use super::arguments::{ConfigVerb, NotesVerb, ReviewVerb, RunsVerb, Verb};
use super::context::{Context, Voice};
use super::output::Answer;
use super::terminal::Terminal;
use crate::api::{Call, CommandOutput, Verbs};
use crate::failure::{Code, Failure};
use std::sync::{Arc, Mutex, OnceLock};

/// The verbs of one daemon.
#[derive(Debug)]
pub(super) struct Served {
    /// The daemon's own context, with its loop.
    pub(super) context: Context,
}

impl Verbs for Served {
    fn answer(&self, call: &Call) -> CommandOutput {
        let talk = Arc::new(Mutex::new(Vec::new()));
        let outcome = self.answer_with(call, &talk);
        let talk = talk.lock().map(|lines| lines.clone()).unwrap_or_default();
        match outcome {
            Ok(answer) => CommandOutput {
                exit: answer.exit,
                stdout: answer.text,
                talk,
                failure: None,
            },
            Err(failure) => CommandOutput {
                exit: failure.exit().number(),
                stdout: String::new(),
                talk,
                failure: Some(failure),
            },
        }
    }
}

impl Served {
    fn answer_with(&self, call: &Call, talk: &Arc<Mutex<Vec<String>>>) -> Result<Answer, Failure> {
        let program = [env!("CARGO_PKG_NAME").to_owned()];
        let words = program.iter().chain(&call.words);
        let arguments = super::arguments::read(words)
            .map_err(|refused| super::output::usage_failure(&refused.render().to_string()))?;
        let voice = Voice::of(&arguments, Some(Arc::clone(talk)));
        let verb = arguments.verb.filter(is_served);
        let verb = verb.ok_or_else(|| {
            let message = "this verb is not answered by a daemon";
            Failure::new(Code::Usage, message).only_hint("Run it in the root.")
        })?;
        let input = OnceLock::new();
        if let Some(text) = &call.input {
            input.set(text.clone()).unwrap_or_default();
        }
        let mut context = self.context.for_voice(voice);
        context.session.named_root = arguments.root;
        // Who asks has another terminal, or none.
        context.terminal = Terminal::PLAIN;
        context.input = Arc::new(input);
        super::answer(&context, verb)
    }
}

/// Whether a verb needs nothing but the root: no files of whoever asks, no terminal, no model.
pub(super) fn is_served(verb: &Verb) -> bool {
    match verb {
        Verb::Status
        | Verb::Ram(_)
        | Verb::Rules(_)
        | Verb::Audit(_)
        | Verb::Trace { .. }
        | Verb::Replay { .. }
        | Verb::Undo { .. }
        | Verb::Why { .. }
        | Verb::Prompt { .. }
        | Verb::Stop => true,
        // Whoever waits does so at a place of their own.
        Verb::Ask { wait, .. } => !wait,
        Verb::Runs(verb) => !matches!(verb, RunsVerb::Watch { .. }),
        Verb::Config(verb) => matches!(
            verb,
            ConfigVerb::Show | ConfigVerb::Get { .. } | ConfigVerb::Set { .. }
        ),
        Verb::Review(verb) => match verb {
            ReviewVerb::Edit { changes, .. } => !changes.is_empty(),
            ReviewVerb::List(_)
            | ReviewVerb::Show { .. }
            | ReviewVerb::Approve(_)
            | ReviewVerb::Reject { .. } => true,
        },
        Verb::Notes(verb) => match verb {
            NotesVerb::List { .. }
            | NotesVerb::Show { .. }
            | NotesVerb::Search { .. }
            | NotesVerb::Add(_)
            | NotesVerb::Delete { .. }
            | NotesVerb::History { .. }
            | NotesVerb::Diff { .. }
            | NotesVerb::Restore { .. }
            | NotesVerb::Issues(_) => true,
            NotesVerb::Edit { changes, .. } => !changes.is_empty(),
            NotesVerb::Import(options) => options.part,
            NotesVerb::Export(options) => options.json && options.to.is_none(),
        },
        Verb::Daemon
        | Verb::Init(_)
        | Verb::Once { .. }
        | Verb::Run { .. }
        | Verb::Demo { .. }
        | Verb::Doctor { .. }
        | Verb::Call(_)
        | Verb::Rehearse(_)
        | Verb::Parse(_)
        | Verb::Service(_)
        | Verb::Completions { .. }
        | Verb::Man
        | Verb::Explain { .. }
        | Verb::Help { .. } => false,
    }
}
