//! The session: who asks a service, and how the root is reached.
//!
//! It is reached alone, with the folder's lock where something changes, or within a daemon, whose
//! loop makes the changes.

use crate::config::{Config, ConfigReader, LoadedConfig, check_data_folder};
use crate::core::journal::State;
use crate::daemon::{Clock as _, CommandSender, SystemClock, store_options};
use crate::failure::{Code, Failure};
use crate::store::disk::RealDisk;
use crate::store::read_state;
use crate::time::Timestamp;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// A receiver of the messages beside an answer.
pub trait Notices: fmt::Debug + Send + Sync {
    /// Takes a warning for the caller.
    fn warn(&self, message: &str);

    /// Takes a message that only a person wants to know.
    fn inform(&self, line: &str);
}

/// A receiver that ignores all messages.
impl Notices for () {
    fn warn(&self, _: &str) {}

    fn inform(&self, _: &str) {}
}

/// A session: who asks a service, and how the root is reached.
#[derive(Clone, Debug)]
pub struct Session {
    pub files: ConfigReader,
    /// The root that the command line names.
    pub named_root: Option<PathBuf>,
    /// The sender to the loop of this process, where a daemon answers.
    pub commands: Option<CommandSender>,
    /// The configuration files as the loop uses them, even if they have changed since.
    pub in_force: Option<ActiveConfig>,
    /// Whether reading goes on with what can be read of broken files.
    pub is_makeshift: bool,
    /// The uptime, in milliseconds, at which the first wait for the folder began.
    ///
    /// Every later wait counts from it, also that of a clone.
    pub waits_since: Arc<OnceLock<u64>>,
    /// The receiver of the messages beside the answer.
    pub notices: Arc<dyn Notices>,
}

impl Session {
    /// Makes a session that reaches the root alone.
    pub fn alone(files: ConfigReader, notices: Arc<dyn Notices>) -> Self {
        Self {
            files,
            named_root: None,
            commands: None,
            in_force: None,
            is_makeshift: false,
            waits_since: Arc::default(),
            notices,
        }
    }

    /// Returns the absolute path of the root.
    pub fn root(&self) -> &Path {
        self.files.root()
    }

    /// Warns the caller.
    pub fn warn(&self, message: &str) {
        self.notices.warn(message);
    }

    /// Sends a message that only a person wants to know.
    pub fn inform(&self, line: &str) {
        self.notices.inform(line);
    }

    /// Returns the configuration and prompt in force, for work that calls no model.
    ///
    /// A missing API key is no failure. Neither are broken files, where the session goes on with
    /// what can be read of them.
    pub fn load(&self) -> Result<LoadedConfig, Failure> {
        let read = if self.is_makeshift {
            self.files.load_readable()
        } else {
            self.files.load_without_key()
        };
        match &self.in_force {
            Some(in_force) => in_force.or_last(read),
            None => read,
        }
    }

    /// Opens the root's files for reading.
    pub fn disk(&self) -> Result<RealDisk, Failure> {
        disk_of(self.root())
    }

    /// Opens the files of a root with a valid configuration; any other folder is refused as a slip.
    pub fn checked_disk(&self) -> Result<RealDisk, Failure> {
        self.load()?;
        self.disk()
    }

    /// Returns the state as of the last commit.
    ///
    /// Needs no lock; a root without data has an empty state.
    pub fn state(&self, config: &Config) -> Result<State, Failure> {
        let kv_path = store_options(config).kv_path;
        Ok(read_state(&mut self.disk()?, &kv_path)?)
    }

    /// Returns the state under the configuration in force.
    pub fn present(&self) -> Result<State, Failure> {
        self.state(&self.load()?.config)
    }

    /// Returns a command line of this program, for this root, as a shell takes it.
    pub fn command_line(&self, words: &str) -> String {
        let program = env!("CARGO_PKG_NAME");
        match &self.named_root {
            Some(root) => {
                let root = root.display().to_string().replace('\'', "'\\''");
                format!("{program} --root '{root}' {words}")
            }
            None => format!("{program} {words}"),
        }
    }
}

/// Opens the files of a root for reading.
pub(super) fn disk_of(root: &Path) -> Result<RealDisk, Failure> {
    check_data_folder(root)?;
    RealDisk::open(root, false).map_err(|error| {
        let message = format!("cannot open {}: {error}", root.display());
        Failure::new(Code::DiskError, message)
    })
}

/// Returns the current time.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// The files as they were last taken over. Clones share one value.
#[derive(Clone, Debug)]
pub struct ActiveConfig(Arc<Mutex<LoadedConfig>>);

impl ActiveConfig {
    /// Begins with the files that a start has read.
    pub fn since_start(loaded: &LoadedConfig) -> Self {
        Self(Arc::new(Mutex::new(loaded.clone())))
    }

    /// Takes over the files of a reload.
    pub fn renew(&self, loaded: &LoadedConfig) {
        if let Ok(mut last) = self.0.lock() {
            *last = rooted(loaded.clone(), &last);
        }
    }

    /// Returns the files that have just been read, or the last ones where they are broken.
    pub fn or_last<E>(&self, read: Result<LoadedConfig, E>) -> Result<LoadedConfig, E> {
        match (read, self.0.lock()) {
            (Ok(loaded), Ok(last)) => Ok(rooted(loaded, &last)),
            (Err(_), Ok(last)) => Ok(last.clone()),
            (read, Err(_)) => read,
        }
    }
}

/// Keeps the path of the KV file, which a reload never moves.
fn rooted(mut loaded: LoadedConfig, last: &LoadedConfig) -> LoadedConfig {
    let path = &last.config.kv_store_path;
    loaded.config.kv_store_path.clone_from(path);
    loaded
}
