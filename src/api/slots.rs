//! The connection places of a socket: a fixed number, of which silent ones make room for others.
//!
//! Knows nothing of what the connections carry.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Response;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, timeout};

/// The silence after which a connection makes room: a client asks within milliseconds.
const SILENCE: Duration = Duration::from_millis(250);

/// A count of the requests at all sockets that are being answered.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingCount(watch::Sender<usize>);

impl PendingCount {
    /// Waits until no request is being answered. Cancel safe.
    pub(super) async fn none(&self) {
        // The sender lives as long as this borrow, so the wait ends with the count only.
        drop(self.0.subscribe().wait_for(|count| *count == 0).await);
    }
}

#[derive(Debug)]
pub(super) struct Slots {
    free: Arc<Semaphore>,
    connections: Arc<Mutex<Vec<Arc<Connection>>>>,
    pending: PendingCount,
}

#[derive(Debug)]
pub(super) struct Connection {
    /// The time since when it has asked nothing; `None` while a request is answered.
    silent_since: Mutex<Option<Instant>>,
    closed: Notify,
    pending: PendingCount,
}

/// A place, given back when this is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    connection: Arc<Connection>,
    connections: Arc<Mutex<Vec<Arc<Connection>>>>,
    _permit: OwnedSemaphorePermit,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(super) struct PendingRequest(Arc<Connection>);

impl Slots {
    /// Makes `count` places, whose requests are counted in `pending`.
    pub(super) fn of(count: usize, pending: PendingCount) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count)),
            connections: Arc::default(),
            pending,
        }
    }

    /// Takes a place as soon as one is free.
    ///
    /// Where all are taken, the connection is closed that has been silent for longest. Returns
    /// `None` when the socket is closed. Cancel safe.
    pub(super) async fn take(&self) -> Option<Slot> {
        loop {
            if self.free.available_permits() == 0 {
                self.close_silent(SILENCE);
            }
            let free = Arc::clone(&self.free).acquire_owned();
            if let Ok(permit) = timeout(SILENCE, free).await {
                return Some(self.fill(permit.ok()?));
            }
        }
    }

    /// Closes the connection that has been silent for longest, if for `at_least`.
    pub(super) fn close_silent(&self, at_least: Duration) {
        let connections = lock(&self.connections);
        let silent = connections.iter().filter_map(|connection| {
            let since = (*lock(&connection.silent_since))?;
            (since.elapsed() >= at_least).then_some((since, connection))
        });
        if let Some((_, connection)) = silent.min_by_key(|(since, _)| *since) {
            connection.closed.notify_one();
        }
    }

    fn fill(&self, permit: OwnedSemaphorePermit) -> Slot {
        let connection = Arc::new(Connection {
            silent_since: Mutex::new(Some(Instant::now())),
            closed: Notify::new(),
            pending: self.pending.clone(),
        });
        lock(&self.connections).push(Arc::clone(&connection));
        Slot {
            connection,
            connections: Arc::clone(&self.connections),
            _permit: permit,
        }
    }
}

impl Slot {
    pub(super) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.connections).retain(|connection| !Arc::ptr_eq(connection, &self.connection));
    }
}

impl Connection {
    /// Waits until the connection is to be closed. Cancel safe.
    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }

    /// Counts a request; the connection stays until it is answered.
    pub(super) fn begin_request(self: &Arc<Self>) -> PendingRequest {
        *lock(&self.silent_since) = None;
        self.pending.0.send_modify(|count| *count += 1);
        PendingRequest(Arc::clone(self))
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        *lock(&self.0.silent_since) = Some(Instant::now());
        self.0.pending.0.send_modify(|count| *count -= 1);
    }
}

impl PendingRequest {
    /// Returns the response; the request counts until the last byte was handed over.
    pub(super) fn until_sent(self, response: Response<Body>) -> Response<PendingBody> {
        response.map(|body| PendingBody {
            body,
            _request: self,
        })
    }
}

/// A response body, together with the request that it answers.
#[derive(Debug)]
pub(super) struct PendingBody {
    body: Body,
    _request: PendingRequest,
}

impl HttpBody for PendingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Locks a mutex, poisoned or not: its value is consistent at every moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
