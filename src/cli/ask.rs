//! `ask`: a request into the inbox. Needs no lock and no daemon; whoever works next takes it.

use super::context::Context;
use super::follow::follow;
use super::output::Answer;
use super::run::request_text;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::holder;
use crate::store::disk::Disk as _;
use crate::store::inbox::drop_request;
use crate::store::layout;
use serde::Serialize;
use std::path::Path;
use uuid::Uuid;

/// Room for the JSON around a request, in bytes.
const FRAME_BYTES: usize = 64;

#[derive(Debug, Serialize)]
struct Asked {
    run_id: RunId,
    event_id: EventId,
    file: String,
    daemon_running: bool,
}

/// A failure because there is no such run, with where it is where its request was only dropped so far.
pub(super) fn or_in_inbox(context: &Context, run_id: RunId, failure: Failure) -> Failure {
    if failure.code == Code::RunNotFound && is_in_inbox(context, run_id).unwrap_or(false) {
        return failure.only_hint(
            "Its request is still in the inbox: a `daemon` takes it between two calls of the model, a \
             `run` when it begins.",
        );
    }
    failure
}

/// The names of what lies in the inbox.
pub(super) fn inbox_names(context: &Context) -> Result<Vec<String>, Failure> {
    let names = context.session.disk()?.list(Path::new(layout::INBOX));
    Ok(names.map_err(|error| crate::store::Error::file("list", layout::INBOX, error))?)
}

/// Whether the request of a run lies in the inbox.
pub(super) fn is_in_inbox(context: &Context, run_id: RunId) -> Result<bool, Failure> {
    Ok(runs_in_inbox(context)?.contains(&run_id))
}

/// The ids that the runs of the requests in the inbox will have.
pub(super) fn runs_in_inbox(context: &Context) -> Result<Vec<RunId>, Failure> {
    let workspace_id = context.session.load()?.config.scope.workspace_id;
    let names = inbox_names(context)?;
    let ids = names.iter().filter_map(|name| {
        let stem = Path::new(name).file_stem()?.to_str()?;
        Uuid::try_parse(stem).ok()
    });
    let runs = ids.map(|id| RunId::derive(workspace_id, &EventId(id.to_string())));
    Ok(runs.collect())
}

/// Drops the request and prints the id that its run will have; or waits for the run, and prints what came
/// of it.
pub(super) fn run(context: &Context, words: &[String], wait: bool) -> Result<Answer, Failure> {
    let text = context.value_or_input(words.join(" "), INBOX_FILE_BYTES_MAX)?;
    let text = request_text(&text)?;
    let config = context.session.load()?.config;
    let bytes = serde_json::Value::from(text.as_str()).to_string().len();
    if bytes + FRAME_BYTES > INBOX_FILE_BYTES_MAX {
        let message = format!("the request has {bytes} bytes; at most {INBOX_FILE_BYTES_MAX} fit");
        return Err(Failure::new(Code::LimitExceeded, message));
    }
    let id = Uuid::new_v4();
    let mut disk = context.session.disk()?;
    let file = drop_request(&mut disk, id, &text)?;
    let event_id = EventId(id.to_string());
    let asked = Asked {
        run_id: RunId::derive(config.scope.workspace_id, &event_id),
        event_id,
        file: file.display().to_string(),
        daemon_running: holder(&mut disk).is_some_and(|holder| holder.is_daemon()),
    };
    if wait {
        return follow(context, Some(asked.run_id));
    }
    if !asked.daemon_running {
        context.talk("hint: no daemon runs here; the next `daemon` or `run` works on it");
    }
    context.answer(&asked, || asked.run_id.to_string())
}
