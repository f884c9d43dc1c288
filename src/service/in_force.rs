//! The files that a daemon has in force, for the verbs that it answers.
//!
//! While its files are broken, they are those that were last taken over. Never reads a file itself.

use crate::config::Loaded;
use std::sync::{Arc, Mutex};

/// The files as they were last taken over. Clones share one value.
#[derive(Clone, Debug)]
pub struct InForce(Arc<Mutex<Loaded>>);

impl InForce {
    /// Begins with the files that a start has read.
    pub fn since_start(loaded: &Loaded) -> Self {
        Self(Arc::new(Mutex::new(loaded.clone())))
    }

    /// Takes over the files of a reload.
    pub fn renew(&self, loaded: &Loaded) {
        if let Ok(mut last) = self.0.lock() {
            *last = rooted(loaded.clone(), &last);
        }
    }

    /// Returns the files that have just been read, or the last ones where they are broken.
    pub fn or_last<E>(&self, read: Result<Loaded, E>) -> Result<Loaded, E> {
        match (read, self.0.lock()) {
            (Ok(loaded), Ok(last)) => Ok(rooted(loaded, &last)),
            (Err(_), Ok(last)) => Ok(last.clone()),
            (read, Err(_)) => read,
        }
    }
}

/// Keeps the path of the KV file, which a reload never moves.
fn rooted(mut loaded: Loaded, last: &Loaded) -> Loaded {
    let path = &last.config.kv_store_path;
    loaded.config.kv_store_path.clone_from(path);
    loaded
}
