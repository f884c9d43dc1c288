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
pub(super) struct Unanswered(watch::Sender<usize>);

impl Unanswered {
    /// Waits until no request is being answered. Cancel safe.
    pub(super) async fn none(&self) {
        // The sender lives as long as this borrow, so the wait ends with the count only.
        drop(self.0.subscribe().wait_for(|count| *count == 0).await);
    }
}

/// The places of one socket.
#[derive(Debug)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    guests: Arc<Mutex<Vec<Arc<Guest>>>>,
    unanswered: Unanswered,
}

/// A connection that has a place.
#[derive(Debug)]
pub(super) struct Guest {
    /// The time since when it has asked nothing; `None` while a request is answered.
    silent_since: Mutex<Option<Instant>>,
    sent_away: Notify,
    unanswered: Unanswered,
}

/// A place, given back when this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    guest: Arc<Guest>,
    guests: Arc<Mutex<Vec<Arc<Guest>>>>,
    _permit: OwnedSemaphorePermit,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(super) struct Asking(Arc<Guest>);

impl Places {
    /// Makes `count` places, whose requests are counted in `unanswered`.
    pub(super) fn of(count: usize, unanswered: Unanswered) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count)),
            guests: Arc::default(),
            unanswered,
        }
    }

    /// Takes a place as soon as one is free.
    ///
    /// Where all are taken, the connection is sent away that has been silent for longest. Returns
    /// `None` when the socket is closed. Cancel safe.
    pub(super) async fn take(&self) -> Option<Place> {
        loop {
            if self.free.available_permits() == 0 {
                self.send_away(SILENCE);
            }
            let free = Arc::clone(&self.free).acquire_owned();
            if let Ok(permit) = timeout(SILENCE, free).await {
                return Some(self.given(permit.ok()?));
            }
        }
    }

    /// Sends away the connection that has been silent for longest, if for `at_least`.
    pub(super) fn send_away(&self, at_least: Duration) {
        let guests = lock(&self.guests);
        let silent = guests.iter().filter_map(|guest| {
            let since = (*lock(&guest.silent_since))?;
            (since.elapsed() >= at_least).then_some((since, guest))
        });
        if let Some((_, guest)) = silent.min_by_key(|(since, _)| *since) {
            guest.sent_away.notify_one();
        }
    }

    fn given(&self, permit: OwnedSemaphorePermit) -> Place {
        let guest = Arc::new(Guest {
            silent_since: Mutex::new(Some(Instant::now())),
            sent_away: Notify::new(),
            unanswered: self.unanswered.clone(),
        });
        lock(&self.guests).push(Arc::clone(&guest));
        Place {
            guest,
            guests: Arc::clone(&self.guests),
            _permit: permit,
        }
    }
}

impl Place {
    /// Returns the connection that has the place.
    pub(super) fn guest(&self) -> Arc<Guest> {
        Arc::clone(&self.guest)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.guests).retain(|guest| !Arc::ptr_eq(guest, &self.guest));
    }
}

impl Guest {
    /// Waits until the connection is sent away. Cancel safe.
    pub(super) async fn sent_away(&self) {
        self.sent_away.notified().await;
    }

    /// Counts a request; the connection stays until it is answered.
    pub(super) fn asks(self: &Arc<Self>) -> Asking {
        *lock(&self.silent_since) = None;
        self.unanswered.0.send_modify(|count| *count += 1);
        Asking(Arc::clone(self))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        *lock(&self.0.silent_since) = Some(Instant::now());
        self.0.unanswered.0.send_modify(|count| *count -= 1);
    }
}

impl Asking {
    /// Returns the response; the request counts until the last byte was handed over.
    pub(super) fn until_sent(self, answer: Response<Body>) -> Response<Telling> {
        answer.map(|body| Telling {
            body,
            _asking: self,
        })
    }
}

/// A response body, together with the request that it answers.
#[derive(Debug)]
pub(super) struct Telling {
    body: Body,
    _asking: Asking,
}

impl HttpBody for Telling {
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
