//! The order of a start: hold the folder, read the journal, connect the provider.
//!
//! Nothing is asked of a model and nothing is written before the folder is held.

use super::agent::Agent;
use super::asker::Asker;
use super::background_verify::{self, BackgroundVerify};
use super::clock::Clock;
use super::concurrent_work::Commands;
use super::engine::Engine;
use super::file_events::WatchedFiles;
use super::heartbeat::Heartbeat;
use super::observer::Observer;
use super::organize::Organizer;
use super::provider_pool::ProviderPools;
use super::run_profiles::{RunProfiles, Servers};
use super::schedule::{IdleState, ScheduleTimer};
use super::status::{DaemonStatus, Purpose, StatusReporter};
use super::stop::{OutagePolicy, Stop};
use crate::config::Config;
use crate::core::prompt::PromptFile;
use crate::failure::{Code, Failure};
use crate::provider::{CallPolicy, KnownServers, StreamProgress};
use crate::store::disk::{Disk, FolderLock, RealDisk};
use crate::store::{Options, Store, layout};
use std::path::Path;
use std::sync::Arc;

/// A root held for writing. Dropping it releases the folder.
#[derive(Debug)]
pub struct LockedRoot {
    pub disk: Box<dyn Disk>,
    lock: Option<FolderLock>,
    purpose: Purpose,
    /// A second disk on the same folder, to read beside the loop.
    reader: Option<RealDisk>,
    /// A third disk, for the search index.
    index: Option<RealDisk>,
    /// A warning about the folder, which does not stop the start.
    odd: Option<String>,
}

impl LockedRoot {
    /// Makes a root that no other process can hold, for a disk in memory.
    pub fn unshared(disk: Box<dyn Disk>) -> Self {
        Self {
            disk,
            lock: None,
            purpose: Purpose::Daemon,
            reader: None,
            index: None,
            odd: None,
        }
    }
}

/// Takes the folder's lock for a daemon.
///
/// # Errors
/// `DATA_LOCKED` names the process that has the lock; `DISK_ERROR` if the folder cannot be opened.
pub fn hold(root: &Path) -> Result<LockedRoot, Failure> {
    hold_for(root, Purpose::Daemon)
}

/// Takes the folder's lock for a purpose, and records the purpose in it.
///
/// # Errors
/// Like [`hold`].
pub fn hold_for(root: &Path, purpose: Purpose) -> Result<LockedRoot, Failure> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot open {}: {error}", root.display());
        Failure::new(Code::DiskError, message)
    };
    let mut disk = RealDisk::open(root, true).map_err(failed)?;
    let lock = FolderLock::take(&mut disk, Path::new(layout::LOCK))?;
    DaemonStatus::of(purpose).leave(&lock);
    let owned = disk.check_owner(Path::new(layout::DATA));
    Ok(LockedRoot {
        reader: Some(background_verify::reader(&disk)?),
        index: Some(background_verify::reader(&disk)?),
        odd: owned
            .err()
            .map(|error| format!("`data`: {error}; `doctor` says more")),
        disk: Box::new(disk),
        lock: Some(lock),
        purpose,
    })
}

/// The notice that is given whenever conversations begin to be kept.
pub(super) const RETAINED: &str =
    "every prompt and reply is kept in full: `memory.retain_full_conversation_logs` is on";

/// The parts that an agent is made from.
#[derive(Debug)]
pub struct Boot {
    pub config: Config,
    pub prompt: PromptFile,
    pub servers: Servers,
    /// Whether to wait for a server that is away.
    pub patience: OutagePolicy,
    pub clock: Arc<dyn Clock>,
    /// The signal that asks for the end.
    pub stop: Stop,
    pub observer: Box<dyn Observer>,
}

/// Returns the store's share of the configuration.
pub fn store_options(config: &Config) -> Options {
    let kv_path = config
        .kv_store_path
        .strip_prefix(&config.root)
        .unwrap_or(&config.kv_store_path);
    Options {
        kv_path: kv_path
            .components()
            .filter(|part| part.as_os_str() != ".")
            .collect(),
        scope: config.scope.clone(),
        log_entries_max: config.log_entries_max,
        layout: config.memory_layout,
        segment_bytes: config.journal.segment_bytes,
        retention_days: config.journal.retention_days,
        rules: Arc::clone(&config.rules),
    }
}

/// Returns the policy of calls that the configuration sets.
pub const fn call_policy(config: &Config) -> CallPolicy {
    CallPolicy {
        retry: config.retry,
        calls_per_minute: config.budget.calls_per_minute,
    }
}

/// Opens the agent of a held root.
pub fn open(held: LockedRoot, boot: Boot) -> Result<Agent, Failure> {
    let (config, clock, mut observer) = (boot.config, boot.clock, boot.observer);
    let (mut store, notices) = Store::open(held.disk, store_options(&config), clock.now())?;
    if let Some(disk) = held.index {
        store.keep_index(disk);
    }
    if let Some(message) = &held.odd {
        observer.notice(message);
    }
    observer.on_notices(&notices);
    if config.memory.retain_full_conversation_logs {
        observer.notice(RETAINED);
    }
    let mut known = KnownServers::default();
    let pools = ProviderPools::build(&config, boot.servers, &mut known);
    let profiles = RunProfiles::build(config, boot.prompt);
    let engine = Engine {
        files: WatchedFiles::default(),
        commands: Commands::default(),
        schedule_timer: ScheduleTimer::default(),
        idle_run: None,
        profile: Arc::clone(profiles.of(None)),
        pools,
        background_verify: BackgroundVerify::new(held.reader),
        status: StatusReporter {
            status: DaemonStatus::of(held.purpose),
            heartbeat: Heartbeat::default(),
            arrived: StreamProgress::default(),
            read_at: clock.now(),
            trouble: None,
            lock: held.lock,
        },
        store,
        clock,
        stop: boot.stop,
        observer,
    };
    Ok(Agent {
        patience: boot.patience,
        max_iterations: None,
        asker: Asker::default(),
        profiles,
        known,
        idling: IdleState::default(),
        organizer: Organizer::default(),
        engine,
    })
}
