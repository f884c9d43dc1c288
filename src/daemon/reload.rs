//! Reads configuration and prompt again while the loop runs.
//!
//! A hang-up asks for it. It is done between two iterations, and only if the new files are valid.
//! It never moves the root or the KV file. The settings that wait for the next start are named:
//! [`TAKEN_AT_START`](crate::config::TAKEN_AT_START).

use super::run_profiles::Servers;
use super::stop::until_set;
use crate::config::Config;
use crate::core::prompt::PromptFile;
use std::fmt;
use tokio::sync::watch;

/// The result of a reload.
#[derive(Debug)]
pub struct ReloadedConfig {
    pub config: Config,
    pub prompt: PromptFile,
    pub servers: Servers,
    /// The warnings, which stop nothing.
    pub warnings: Vec<String>,
}

/// A function that reads the files again.
///
/// It returns a sentence for every problem where they are not valid.
pub type ConfigLoader = Box<dyn FnMut() -> Result<ReloadedConfig, Vec<String>>>;

/// A handle that asks for a reload. May be used from any thread.
#[derive(Clone, Debug)]
pub struct ReloadHandle {
    asked: watch::Sender<bool>,
}

impl ReloadHandle {
    /// Asks for a reload. Asking again before the next look changes nothing.
    pub fn ask(&self) {
        self.asked.send_replace(true);
    }
}

/// The loop's side: whether a reload was asked for, and how it is done.
pub struct Reload {
    pub(super) handle: ReloadHandle,
    load: ConfigLoader,
}

impl Reload {
    /// Makes a reload that `load` does, and the handle that asks for it.
    pub fn by(load: ConfigLoader) -> (ReloadHandle, Self) {
        let handle = ReloadHandle {
            asked: watch::Sender::new(false),
        };
        (handle.clone(), Self { handle, load })
    }

    pub(super) fn take_asked(&self) -> bool {
        self.handle.asked.send_replace(false)
    }

    /// Reads the files again.
    pub(super) fn load(&mut self) -> Result<ReloadedConfig, Vec<String>> {
        (self.load)()
    }

    /// Waits until a reload is asked for. Cancel safe.
    pub(super) fn asked(&self) -> impl Future<Output = ()> + use<> {
        until_set(self.handle.asked.subscribe())
    }
}

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reload").finish_non_exhaustive()
    }
}

/// Returns which changes of a configuration wait for the next start, a sentence each.
pub(super) fn waiting(old: &Config, new: &Config) -> Vec<&'static str> {
    let (was, is) = (&old.provider, &new.provider);
    let moved = was.base_url != is.base_url || was.model != is.model;
    let changes = [
        (
            old.kv_store_path != new.kv_store_path,
            "`memory.kv_store_path` has changed; the KV file moves at the next start",
        ),
        (
            was.launch != is.launch,
            "`provider.launch` has changed; it is taken at the next start",
        ),
        (
            was.launch.is_some() && was.launch == is.launch && moved,
            "the server of `provider.launch` stays as it was started until the next start",
        ),
        (
            old.api.socket != new.api.socket,
            "`api.socket` has changed; it is taken at the next start",
        ),
        (
            old.api.tcp != new.api.tcp,
            "`api.tcp` or its token has changed; it is taken at the next start",
        ),
        (
            old.log.format != new.log.format,
            "`log.format` has changed; it is taken at the next start",
        ),
    ];
    let changes = changes.into_iter().filter(|(changed, _)| *changed);
    changes.map(|(_, message)| message).collect()
}
