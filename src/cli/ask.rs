//! `ask`: puts a request into the inbox. Needs no lock and no daemon; the next run takes it.

use super::context::Context;
use super::follow::follow;
use super::output::Answer;
use crate::failure::Failure;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::drop_request;
use crate::service::runs::request_text;

/// Puts the request into the inbox and prints the id of its run.
/// With `wait` it prints the run's result.
pub(super) fn run(context: &Context, words: &[String], wait: bool) -> Result<Answer, Failure> {
    let text = context.value_or_input(words.join(" "), INBOX_FILE_BYTES_MAX)?;
    let dropped = drop_request(&context.session, &request_text(&text)?)?;
    if wait {
        return follow(context, Some(dropped.run_id));
    }
    if !dropped.daemon_running {
        context.talk("hint: no daemon runs here; the next `daemon` or `run` works on it");
    }
    context.answer(&dropped, || dropped.run_id.to_string())
}
