//! Commits as a stream of server-sent events for one client.
//!
//! Each commit is sent once, in order, when it is durable. A client that comes back names the last
//! commit that it saw, and misses none. A client that does not read is disconnected.

use super::Control;
use super::problem::Problem;
use super::request::RequestParts;
use crate::daemon::Snapshot;
use crate::failure::Failure;
use crate::limits::{API_ALIVE_EVERY_MS, API_WRITE_MS_MAX};
use crate::store::disk::RealDisk;
use crate::store::{Error, Feed, FeedCommit};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse as _;
use hyper::body::Frame;
use serde_json::json;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::timeout;

/// The pieces that may wait for a client: one that is being read, and the next one.
const PIECES: usize = 2;

/// The comment line that keeps a quiet stream open.
const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");

/// A response body that is written as commits arrive.
struct EventBody {
    pieces: mpsc::Receiver<Bytes>,
    _place: OwnedSemaphorePermit,
}

impl HttpBody for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.pieces.poll_recv(context);
        next.map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// Returns the response that streams commits.
///
/// # Errors
/// With 429 if too many clients listen, with 400 if `Last-Event-ID` is no number, and where the
/// journal cannot be read.
pub(super) async fn stream(
    control: &Control,
    listeners: Arc<Semaphore>,
    parts: &RequestParts,
) -> Result<Response<Body>, Problem> {
    let place = listeners.try_acquire_owned().map_err(|_| {
        let message = "too many listen already";
        Problem::form(StatusCode::TOO_MANY_REQUESTS, message)
    })?;
    let last_seen = parts
        .number("Last-Event-ID")
        .or_else(|| parts.number("after"));
    if parts.values.contains_key("Last-Event-ID") && last_seen.is_none() {
        let message = "`Last-Event-ID` is no number of a commit";
        return Err(Problem::form(StatusCode::BAD_REQUEST, message));
    }
    let root = control.session.root().to_owned();
    let head = control.heartbeat.snapshot().head.seq;
    let begun = blocking(move || {
        let mut disk = RealDisk::open(&root, false)
            .map_err(|error| Error::file("open", root.clone(), error))?;
        // A number above the head comes from another journal: a copy has replaced the root.
        let after = last_seen.map_or(head, |seen| seen.min(head));
        let (feed, first) = Feed::after(&mut disk, after)?;
        Ok((FeedReader { disk, feed }, first))
    });
    let (reader, first) = begun.await.map_err(Failure::from)?;
    let (pieces, body) = mpsc::channel(PIECES);
    let subscriber = Subscriber {
        pieces,
        changes: control.heartbeat.changes(),
        is_missing: last_seen.is_some_and(|seen| seen > head || seen + 1 < first),
        first,
    };
    spawn(subscriber.send_all(reader));
    let body = Body::new(EventBody {
        pieces: body,
        _place: place,
    });
    Ok(([(CONTENT_TYPE, "text/event-stream")], body).into_response())
}

struct Subscriber {
    pieces: mpsc::Sender<Bytes>,
    changes: watch::Receiver<Snapshot>,
    /// Whether commits that the client asked for are not in the journal, or no longer.
    is_missing: bool,
    /// The number of the first commit that the client can get.
    first: u64,
}

impl Subscriber {
    /// Sends the commits that exist, then new ones, until the client or the loop is gone.
    async fn send_all(mut self, mut reader: FeedReader) {
        let mut goes_on = true;
        if self.is_missing {
            // Reported, so that the client does not take the rest for all commits.
            let gap = json!({ "first": self.first });
            let gap = format!("event: gap\ndata: {gap}\n\n");
            goes_on = self.send(Bytes::from(gap)).await;
        }
        while goes_on {
            // Marked as seen before the journal is read, so that a later commit is seen the next
            // time.
            let (is_over, durable) = {
                let snapshot = self.changes.borrow_and_update();
                (!snapshot.is_up, snapshot.head.seq)
            };
            let Some((again, read)) = read(reader, durable).await else {
                return;
            };
            reader = again;
            goes_on = if read.is_empty() {
                !is_over && self.wait().await
            } else {
                self.send(text_of(&read)).await
            };
        }
    }

    /// Waits for a commit, and sends a comment line when none comes for a while.
    ///
    /// Returns `false` where the client or the loop is gone.
    async fn wait(&mut self) -> bool {
        let wait = Duration::from_millis(API_ALIVE_EVERY_MS);
        match timeout(wait, self.changes.changed()).await {
            Ok(changed) => changed.is_ok(),
            Err(_) => self.send(ALIVE).await,
        }
    }

    /// Sends a piece to the client; returns `false` where it is gone, or does not read.
    async fn send(&self, piece: Bytes) -> bool {
        let wait = Duration::from_millis(API_WRITE_MS_MAX);
        matches!(timeout(wait, self.pieces.send(piece)).await, Ok(Ok(())))
    }
}

struct FeedReader {
    disk: RealDisk,
    feed: Feed,
}

/// Reads the commits up to a number on a blocking thread.
///
/// Returns `None` where the journal cannot be read any more.
async fn read(mut reader: FeedReader, durable: u64) -> Option<(FeedReader, Vec<FeedCommit>)> {
    let read = blocking(move || {
        let read = reader.feed.next(&mut reader.disk, durable)?;
        Ok((reader, read))
    });
    match read.await {
        Ok(read) => Some(read),
        Err(error) => {
            tracing::warn!(%error, "a listener cannot be told of commits any more");
            None
        }
    }
}

fn text_of(read: &[FeedCommit]) -> Bytes {
    let one = |fed: &FeedCommit| {
        let data = serde_json::to_string(fed).unwrap_or_default();
        format!("id: {}\nevent: commit\ndata: {data}\n\n", fed.seq)
    };
    Bytes::from(read.iter().map(one).collect::<String>())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Error::Incomplete(format!("it was not read: {error}"))),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a subscriber's task ends with its subscriber, with the loop, or when it does not read"
)]
fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    drop(tokio::spawn(task));
}
