//! Asking the loop to end: set once by a signal or a verb, seen at every wait.

use tokio::sync::watch;

/// The loop's side: whether to stop.
#[derive(Clone, Debug)]
pub struct Stop {
    receiver: watch::Receiver<bool>,
}

/// The other side.
#[derive(Clone, Debug)]
pub struct StopHandle {
    sender: watch::Sender<bool>,
}

/// A pair.
pub fn stop_pair() -> (StopHandle, Stop) {
    let (sender, receiver) = watch::channel(false);
    (StopHandle { sender }, Stop { receiver })
}

impl StopHandle {
    /// Asks for the end. Again is harmless.
    pub fn stop(&self) {
        self.sender.send_replace(true);
    }
}

impl Stop {
    /// Whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        *self.receiver.borrow()
    }

    /// Waits until the end is asked for. Cancel safe. If nobody can ask any more, waits for ever.
    pub async fn asked(&self) {
        let mut receiver = self.receiver.clone();
        if receiver.wait_for(|asked| *asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
