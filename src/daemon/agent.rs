//! The agent: the engine, the asker and the profiles of runs.
//!
//! Made by `boot`, driven by `schedule`; decides nothing itself.

use super::asker::Asker;
use super::boot::{RETAINED, store_options};
use super::command::Envelope;
use super::engine::Engine;
use super::file_events::{FileEvents, take_requests};
use super::heartbeat::Heartbeat;
use super::organize::Organizer;
use super::provider_pool::ProviderPools;
use super::reload::{Reload, ReloadedConfig, waiting};
use super::run_profiles::RunProfiles;
use super::schedule::IdleState;
use super::status::DaemonStatus;
use super::stop::{Halt, OutagePolicy, ShutdownStage};
use crate::config::Config;
use crate::core::notes::Note;
use crate::core::prompt::{PromptFile, TokenMeter, Window};
use crate::core::route::Health;
use crate::core::run::Trigger;
use crate::failure::Failure;
use crate::ids::{EventId, RunId};
use crate::provider::KnownServers;
use crate::store::Store;
use crate::telemetry::messages;
use std::pin::pin;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The agent.
#[derive(Debug)]
pub struct Agent {
    /// Whether to wait for a server that is away.
    pub patience: OutagePolicy,
    /// A bound of iterations that overrides the configuration's.
    pub max_iterations: Option<u32>,
    pub(super) asker: Asker,
    pub(super) profiles: RunProfiles,
    /// The facts known about all servers that may be asked.
    pub(super) known: KnownServers,
    pub(super) idling: IdleState,
    pub(super) organizer: Organizer,
    /// The engine. Dropped last, with the lock of the folder.
    pub(super) engine: Engine,
}

impl Agent {
    /// Returns the store, for reading.
    pub const fn store(&self) -> &Store {
        &self.engine.store
    }

    /// Returns the configuration in force.
    pub fn config(&self) -> &Config {
        &self.engine.profile.config
    }

    /// Returns the prompt file in force.
    pub fn prompt(&self) -> &PromptFile {
        &self.engine.profile.prompt
    }

    /// Returns the health of the provider that is asked.
    pub fn health(&self) -> Health {
        self.engine.server().pipeline.health(self.engine.now())
    }

    /// Returns the status that was published last.
    pub const fn status(&self) -> &DaemonStatus {
        &self.engine.status.status
    }

    /// Returns the window that prompts are made for.
    pub fn window(&self) -> Window {
        self.engine.server().window()
    }

    /// Returns a meter that counts tokens as the server of the asked model does.
    ///
    /// As far as past counts show, it never counts fewer.
    pub fn meter(&self) -> TokenMeter {
        self.engine.server().meter(self.engine.state())
    }

    /// Returns the notes as they are now.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.engine.state().notes.iter()
    }

    /// Checks that the journal is as this program left it.
    pub fn check_journal(&mut self) -> Result<(), Failure> {
        Ok(self.engine.store.check_journal()?)
    }

    /// Makes the agent carry out the commands of a channel.
    pub fn serve_by(&mut self, envelopes: mpsc::Receiver<Envelope>) {
        self.engine.commands.envelopes = Some(envelopes);
    }

    /// Makes the agent carry out no more commands.
    ///
    /// The sender of a command that was not begun learns that nothing was changed.
    pub fn serve_no_more(&mut self) {
        self.engine.commands.envelopes = None;
    }

    /// Waits for a future before the loop starts, and carries out commands meanwhile.
    ///
    /// It may be a server that comes up.
    ///
    /// # Errors
    /// Where the end is asked for first, or the store cannot go on.
    pub async fn serve_until<T>(&mut self, wanted: impl Future<Output = T>) -> Result<T, Halt> {
        let mut wanted = pin!(wanted);
        loop {
            let waited = self.engine.apart().meanwhile.wait_for(&mut wanted).await?;
            if let Some(found) = waited {
                return Ok(found);
            }
        }
    }

    /// Sets the source of file events.
    pub fn watch_by(&mut self, events: Box<dyn FileEvents + Send>) {
        self.engine.files.events = Some(events);
    }

    /// Makes the agent report through this heartbeat from now on.
    ///
    /// It may wait `wait_ms` milliseconds before it starts.
    pub fn set_heartbeat(&mut self, heartbeat: Heartbeat, wait_ms: u64) {
        heartbeat.on_commit(&self.engine.store);
        heartbeat.is_up(wait_ms);
        self.engine.status.heartbeat = heartbeat;
    }

    /// Reports that the end has begun.
    pub fn report_end(&self) {
        self.engine.status.heartbeat.is_down();
    }

    /// Opens a run for an event, unless that event has opened one already.
    pub async fn queue(
        &mut self,
        event: EventId,
        trigger: Trigger,
        request: Option<String>,
    ) -> Result<RunId, Halt> {
        self.engine.queue(event, trigger, request).await
    }

    /// Takes requests out of the inbox; each opens a run, exactly once.
    ///
    /// With too many open runs they stay where they are.
    pub async fn take_inbox(&mut self) -> Result<(), Halt> {
        take_requests(&mut self.engine).await
    }

    /// Returns whether the inbox holds a request whose file may still change.
    pub fn expects_request(&self) -> bool {
        self.engine.files.inbox.is_expecting()
    }

    /// Returns whether a run without a request would find nothing to work on.
    ///
    /// In small steps every call is about a request; without one, a small model repeats an example.
    pub fn has_nothing_to_do(&self) -> bool {
        let (engine, ram) = (&self.engine, &self.engine.state().main.ram);
        ram.request().is_none()
            && ram.steps().is_empty()
            && engine.server().takes_steps(&engine.profile)
    }

    /// Makes the agent reload when `reload` asks for it.
    pub fn reload_by(&mut self, reload: Reload) {
        self.engine.commands.reload = Some(reload);
    }

    /// Reloads, if that was asked for, and returns whether new files were taken over.
    ///
    /// With invalid files everything stays as it is, and each problem is reported.
    pub(super) fn reload_if_asked(&mut self) -> bool {
        let Some(reload) = &mut self.engine.commands.reload else {
            return false;
        };
        if !reload.take_asked() {
            return false;
        }
        self.engine.status.heartbeat.reloading();
        let loaded = reload.load();
        let well = loaded.is_ok();
        match loaded {
            Ok(fresh) => self.take_over(fresh),
            Err(problems) => {
                for message in &problems {
                    self.engine.notice(message);
                }
                let message = "nothing was reloaded: the last good configuration stays in force";
                self.engine.notice(message);
            }
        }
        self.engine.status.heartbeat.reloaded(well);
        well
    }

    fn take_over(&mut self, fresh: ReloadedConfig) {
        let mut config = fresh.config;
        // An open run chooses its own profile again, as it is then.
        let before = Arc::clone(self.profiles.of(None));
        let engine = &mut self.engine;
        for message in &fresh.warnings {
            engine.notice(message);
        }
        let old = &before.config;
        for message in waiting(old, &config) {
            engine.notice(message);
        }
        config.root.clone_from(&old.root);
        config.kv_store_path.clone_from(&old.kv_store_path);
        config.provider.launch.clone_from(&old.provider.launch);
        config.log.format = old.log.format;
        config.api.clone_from(&old.api);
        let retains = |config: &Config| config.memory.retain_full_conversation_logs;
        if retains(&config) && !retains(old) {
            engine.notice(RETAINED);
        }
        engine.store.set_options(store_options(&config));
        // A shorter retention and shorter waits apply at once.
        self.idling = IdleState::default();
        engine.schedule_timer.forget();
        engine.pools = ProviderPools::build(&config, fresh.servers, &mut self.known);
        self.known.forget_unused();
        self.profiles = RunProfiles::build(config, fresh.prompt);
        engine.profile = Arc::clone(self.profiles.of(None));
        engine.status.read_at = engine.now();
        engine.report(engine.status.status.clone());
        let model = &engine.server().config.model;
        tracing::info!(name: messages::RELOADED, model, "reloaded");
    }

    /// Ends in good order: writes what is pending, and a checkpoint that says that nothing follows.
    ///
    /// # Errors
    /// Damage in what the start left unread; nothing is written then.
    pub fn close(mut self) -> Result<(), Failure> {
        let engine = &mut self.engine;
        engine.stop.leave(ShutdownStage::Checkpoint);
        engine.background_verify.conclude()?;
        let now = engine.now();
        // Edits must be judged before the end, even where the stop comes before the first call.
        for message in engine.store.read_notes(now)? {
            engine.notice(&message);
        }
        if let Some(draft) = self.asker.pending_draft(engine.now()) {
            match engine.store.commit(draft) {
                // The reserved budget stays spent.
                Err(error) if error.is_full() => {}
                result => drop(result?),
            }
        }
        let now = engine.now();
        engine.store.checkpoint(true, now)?;
        engine.stop.leave(ShutdownStage::LastWord);
        Ok(())
    }
}
