//! The places at a door: so many speak at once, and who has been silent for longest goes where another one
//! waits. Knows nothing of what is said.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Response;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, timeout};

/// How long a connection may be silent while others wait: a client asks within milliseconds.
const SILENCE: Duration = Duration::from_millis(250);

/// Counts the requests at all doors that are being answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Unanswered(watch::Sender<usize>);

impl Unanswered {
    /// Waits until there are none. Cancel safe.
    pub(super) async fn none(&self) {
        // The sender lives as long as this borrow, so the wait ends with the count only.
        drop(self.0.subscribe().wait_for(|count| *count == 0).await);
    }
}

/// Those of one door.
#[derive(Debug)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    guests: Arc<Mutex<Vec<Arc<Guest>>>>,
    unanswered: Unanswered,
}

/// Whoever has a place.
#[derive(Debug)]
pub(super) struct Guest {
    /// Since when it has asked nothing; `None` while it is answered.
    silent_since: Mutex<Option<Instant>>,
    sent_away: Notify,
    unanswered: Unanswered,
}

/// A place, given back when it is dropped.
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
    /// So many places, whose requests are counted there.
    pub(super) fn of(count: usize, unanswered: Unanswered) -> Self {
        Self {
            free: Arc::new(Semaphore::new(count)),
            guests: Arc::default(),
            unanswered,
        }
    }

    /// Takes a place as soon as there is one; where all are taken, the one goes who has been silent for
    /// longest. `None` when the door is closed. Cancel safe.
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

    /// Sends the one away who has been silent for longest, and for so long at least.
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
    /// Whoever has it.
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
    /// Waits until it is sent away. Cancel safe.
    pub(super) async fn sent_away(&self) {
        self.sent_away.notified().await;
    }

    /// It asks something, and stays until it is answered.
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
    /// The answer, which takes until its last byte was handed over.
    pub(super) fn until_sent(self, answer: Response<Body>) -> Response<Telling> {
        answer.map(|body| Telling {
            body,
            _asking: self,
        })
    }
}

/// What an answer holds, with the request that it is for.
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

/// What a lock guards is whole at every moment, whoever had it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
