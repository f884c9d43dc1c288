//! Who asks for something, and how the root is reached: alone, with the folder's lock where something
//! changes; or within a daemon, whose loop makes the changes.

use super::in_force::InForce;
use crate::config::{Config, ConfigReader, Loaded, check_data_folder};
use crate::core::journal::State;
use crate::daemon::{Clock as _, CommandSender, SystemClock, store_options};
use crate::failure::{Code, Failure};
use crate::store::disk::RealDisk;
use crate::store::read_state;
use crate::time::Timestamp;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Takes what is said beside an answer.
pub trait Notices: fmt::Debug + Send + Sync {
    /// Warns of something, whoever asks.
    fn warn(&self, message: &str);

    /// Says something that only a person wants to know.
    fn talk(&self, line: &str);
}

/// Nobody listens.
impl Notices for () {
    fn warn(&self, _: &str) {}

    fn talk(&self, _: &str) {}
}

/// One who asks, and how the root is reached.
#[derive(Clone, Debug)]
pub struct Session {
    /// The files that a person writes.
    pub files: ConfigReader,
    /// The root that the command line names.
    pub named_root: Option<PathBuf>,
    /// The loop of this very process, where a daemon answers.
    pub commands: Option<CommandSender>,
    /// What that loop has in force, whatever its files hold by now.
    pub in_force: Option<InForce>,
    /// Whether what only reads goes on with what can be read of broken files.
    pub is_makeshift: bool,
    /// Since when this session waits for the folder, on a clock that nobody sets; shared by its waits.
    pub waits_since: Arc<OnceLock<u64>>,
    /// Where words beside the answer go.
    pub notices: Arc<dyn Notices>,
}

impl Session {
    /// Returns a session that reaches the root alone.
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

    /// The root, absolute.
    pub fn root(&self) -> &Path {
        self.files.root()
    }

    /// Warns whoever asks.
    pub fn warn(&self, message: &str) {
        self.notices.warn(message);
    }

    /// Says something that only a person wants to know.
    pub fn talk(&self, line: &str) {
        self.notices.talk(line);
    }

    /// Returns the configuration and prompt in force, for work that calls no model: a missing API key stops
    /// nothing. Neither do broken files, where the session goes on with what can be read of them.
    pub fn load(&self) -> Result<Loaded, Failure> {
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

    /// Returns the root's files, to read.
    pub fn disk(&self) -> Result<RealDisk, Failure> {
        disk_of(self.root())
    }

    /// Returns the files of what is a root by its configuration; anything else is a slip.
    pub fn checked_disk(&self) -> Result<RealDisk, Failure> {
        self.load()?;
        self.disk()
    }

    /// Returns the state as of the last commit. Needs no lock; a root without data has an empty state.
    pub fn state(&self, config: &Config) -> Result<State, Failure> {
        let kv_path = store_options(config).kv_path;
        Ok(read_state(&mut self.disk()?, &kv_path)?)
    }

    /// Returns the state by the configuration in force.
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

/// Returns the files of a root, to read.
pub(super) fn disk_of(root: &Path) -> Result<RealDisk, Failure> {
    check_data_folder(root)?;
    RealDisk::open(root, false).map_err(|error| {
        let message = format!("cannot open {}: {error}", root.display());
        Failure::new(Code::DiskError, message)
    })
}

/// Returns the present moment.
pub fn now() -> Timestamp {
    SystemClock.now()
}
