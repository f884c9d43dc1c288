//! What a daemon has in force, for the verbs that it answers: while its files are broken, what they held
//! when they were last taken over. Never reads a file itself.

use crate::config::Loaded;
use std::sync::{Arc, Mutex};

/// The files as they were last taken over. Copies are the same one.
#[derive(Clone, Debug)]
pub struct InForce(Arc<Mutex<Loaded>>);

impl InForce {
    /// What a start has read.
    pub fn since_start(loaded: &Loaded) -> Self {
        Self(Arc::new(Mutex::new(loaded.clone())))
    }

    /// A reload has taken other files over.
    pub fn renew(&self, loaded: &Loaded) {
        if let Ok(mut last) = self.0.lock() {
            *last = rooted(loaded.clone(), &last);
        }
    }

    /// Files that have just been read, or what was read last where they are broken.
    pub fn or_last<E>(&self, read: Result<Loaded, E>) -> Result<Loaded, E> {
        match (read, self.0.lock()) {
            (Ok(loaded), Ok(last)) => Ok(rooted(loaded, &last)),
            (Err(_), Ok(last)) => Ok(last.clone()),
            (read, Err(_)) => read,
        }
    }
}

/// A reload never moves the KV file.
fn rooted(mut loaded: Loaded, last: &Loaded) -> Loaded {
    let path = &last.config.kv_store_path;
    loaded.config.kv_store_path.clone_from(path);
    loaded
}
