//! The requests in the inbox, and the runs that they will have.

use super::holder::{Holder, holder};
use super::session::Session;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RunId};
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::store::disk::Disk as _;
use crate::store::{inbox, layout};
use serde::Serialize;
use std::path::Path;
use uuid::Uuid;

/// The room for the JSON around a request, in bytes.
const FRAME_BYTES: usize = 64;

/// A request that was dropped into the inbox.
#[derive(Debug, Serialize)]
pub struct DroppedRequest {
    /// The id that its run will have.
    pub run_id: RunId,
    event_id: EventId,
    file: String,
    /// Whether a daemon runs, which takes it.
    pub daemon_running: bool,
}

/// Drops a request into the inbox. Needs no lock and no daemon.
pub fn drop_request(session: &Session, text: &str) -> Result<DroppedRequest, Failure> {
    let config = session.load()?.config;
    let bytes = serde_json::Value::from(text).to_string().len();
    if bytes + FRAME_BYTES > INBOX_FILE_BYTES_MAX {
        let message = format!("the request has {bytes} bytes; at most {INBOX_FILE_BYTES_MAX} fit");
        return Err(Failure::new(Code::LimitExceeded, message));
    }
    let id = Uuid::new_v4();
    let mut disk = session.disk()?;
    let file = inbox::drop_request(&mut disk, id, text)?;
    let event_id = EventId(id.to_string());
    Ok(DroppedRequest {
        run_id: RunId::derive(config.scope.workspace_id, &event_id),
        event_id,
        file: file.display().to_string(),
        daemon_running: holder(&mut disk).as_ref().is_some_and(Holder::is_daemon),
    })
}

/// Adds to the failure that a run is unknown a hint where its request is still in the inbox.
pub(super) fn or_in_inbox(session: &Session, run_id: RunId, failure: Failure) -> Failure {
    if failure.code == Code::RunNotFound && is_in_inbox(session, run_id).unwrap_or(false) {
        return failure.only_hint(
            "Its request is still in the inbox: a `daemon` takes it between two calls of the model, a \
             `run` when it begins.",
        );
    }
    failure
}

fn inbox_names(session: &Session) -> Result<Vec<String>, Failure> {
    let names = session.disk()?.list(Path::new(layout::INBOX));
    Ok(names.map_err(|error| crate::store::Error::file("list", layout::INBOX, error))?)
}

pub(super) fn is_in_inbox(session: &Session, run_id: RunId) -> Result<bool, Failure> {
    Ok(runs_in_inbox(session)?.contains(&run_id))
}

/// Returns the ids that the runs of the requests in the inbox will have.
pub(super) fn runs_in_inbox(session: &Session) -> Result<Vec<RunId>, Failure> {
    let workspace_id = session.load()?.config.scope.workspace_id;
    let names = inbox_names(session)?;
    let ids = names.iter().filter_map(|name| {
        let stem = Path::new(name).file_stem()?.to_str()?;
        Uuid::try_parse(stem).ok()
    });
    let runs = ids.map(|id| RunId::derive(workspace_id, &EventId(id.to_string())));
    Ok(runs.collect())
}

/// Returns how many requests are in the inbox and not taken yet.
pub(super) fn inbox_requests(session: &Session) -> Result<usize, Failure> {
    let names = inbox_names(session)?;
    let names = names.iter().filter(|name| {
        let extension = Path::new(name).extension().and_then(|end| end.to_str());
        !name.starts_with('.') && matches!(extension, Some("txt" | "json"))
    });
    Ok(names.count())
}
