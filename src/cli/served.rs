//! Answers command lines within a daemon, for the control interface: like any other, but changes go
//! through the loop, and messages are collected for the caller.

use super::context::{Context, Voice};
use super::output::Answer;
use super::reach::Reach;
use super::terminal::Terminal;
use crate::api::{Call, CommandOutput, Verbs};
use crate::failure::{Code, Failure};
use std::sync::{Arc, Mutex, OnceLock};

/// The verbs of a daemon with its loop.
impl Verbs for Context {
    fn answer(&self, call: &Call) -> CommandOutput {
        let talk = Arc::new(Mutex::new(Vec::new()));
        let outcome = answer_with(self, call, &talk);
        let talk = talk.lock().map(|lines| lines.clone()).unwrap_or_default();
        let (answer, failure) = match outcome {
            Ok(answer) => (answer, None),
            Err(failure) => (Answer::nothing().with_exit(failure.exit()), Some(failure)),
        };
        CommandOutput {
            exit: answer.exit,
            stdout: answer.text,
            talk,
            failure,
        }
    }
}

fn answer_with(
    context: &Context,
    call: &Call,
    talk: &Arc<Mutex<Vec<String>>>,
) -> Result<Answer, Failure> {
    let arguments = super::read(&call.words)?;
    let mut context = context.for_voice(Voice::of(&arguments, Some(Arc::clone(talk))));
    let verb = arguments.verb.filter(|verb| Reach::of(verb).is_served);
    let verb = verb.ok_or_else(|| {
        let message = "this verb is not answered by a daemon";
        Failure::new(Code::Usage, message).only_hint("Run it in the root.")
    })?;
    context.session.named_root = arguments.root;
    // The caller has another terminal, or none.
    context.terminal = Terminal::PLAIN;
    context.input = Arc::new(
        call.input
            .clone()
            .map_or_else(OnceLock::new, OnceLock::from),
    );
    super::answer(&context, verb)
}
