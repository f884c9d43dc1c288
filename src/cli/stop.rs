//! `stop`: asks the daemon of this root to end, at its socket, and reports the result.

use super::context::Context;
use super::forwarding::forward;
use super::output::VerbOutput;
use super::words_of;
use crate::failure::{Code, Failure};
use crate::service::stop::stop;
use serde_json::json;

/// Ends the daemon of the root, if one runs.
/// Within a daemon it stops this process.
pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    if let Some(stop) = &context.stop {
        stop.stop();
        let data = json!({"stopping": true, "process": std::process::id()});
        return context.answer(&data, |_| "stopping".to_owned());
    }
    let stopped = stop(&context.session, || {
        let held = Failure::new(Code::DataLocked, "a daemon holds the data folder");
        forward(context, words_of(context.format(), &["stop"]), held).map(drop)
    })?;
    context.answer(&stopped, |stopped| match stopped.process {
        Some(process) => format!("stopped: process {process}"),
        None if stopped.stopped => "stopped".to_owned(),
        None => format!("no daemon runs in {}", context.session.root().display()),
    })
}
