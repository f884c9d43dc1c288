//! Requests in the inbox: each becomes a queued run or is rejected, exactly once.

use super::engine::Engine;
use super::stop::Halt;
use crate::core::journal::event::RequestRefused;
use crate::core::journal::{Cause, Event};
use crate::core::run::Trigger;
use crate::ids::EventId;
use crate::limits::RUNS_OPEN_MAX;
use crate::store::inbox::InboxRequest;
use crate::store::own_draft;

/// Takes requests out of the inbox; each becomes a queued run, exactly once.
///
/// With too many open runs they stay where they are.
pub(super) async fn take_requests(engine: &mut Engine) -> Result<(), Halt> {
    let most = RUNS_OPEN_MAX.saturating_sub(engine.state().runs.open_len());
    if most == 0 {
        return Ok(());
    }
    let mut watch = std::mem::take(&mut engine.files.inbox);
    let now = engine.now();
    let taken = engine
        .with_room(|store| store.inbox().take_requests(&mut watch, now, most))
        .await;
    for message in watch.take_notices() {
        engine.notice(&message);
    }
    engine.files.inbox = watch;
    for taken in taken? {
        match &taken.request {
            Ok(request) => {
                let event = EventId(taken.id.to_string());
                engine
                    .queue(event, Trigger::Request, Some(request.clone()))
                    .await?;
                close_request(engine, &taken, false).await?;
            }
            Err(reason) => refuse_request(engine, &taken, reason).await?,
        }
    }
    Ok(())
}

async fn refuse_request(
    engine: &mut Engine,
    taken: &InboxRequest,
    reason: &str,
) -> Result<(), Halt> {
    let file = taken.name.clone();
    let message = format!("the request in {file} could not be taken: {reason}");
    engine.notice(&message);
    let refused = RequestRefused {
        file,
        reason: reason.to_owned(),
    };
    let now = engine.now();
    let events = vec![Event::RequestRefused(refused)];
    engine
        .commit(own_draft(Cause::plain("trigger"), events, now))
        .await?;
    close_request(engine, taken, true).await
}

async fn close_request(
    engine: &mut Engine,
    taken: &InboxRequest,
    rejected: bool,
) -> Result<(), Halt> {
    let mut watch = std::mem::take(&mut engine.files.inbox);
    let closed = engine
        .with_room(|store| store.inbox().close_request(&mut watch, taken, rejected))
        .await;
    engine.files.inbox = watch;
    closed
}
