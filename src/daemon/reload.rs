//! Reading configuration and prompt again while the loop lives: asked for by a hang-up, done between
//! two iterations, and only if the new files are valid. Never moves the root or the KV file. What
//! waits for the next start is named: [`TAKEN_AT_START`](crate::config::TAKEN_AT_START).

use super::agent::{Agent, Halt};
use super::boot::{RETAINED, store_options};
use super::command::next_envelope;
use super::observer::LoopEvent;
use super::provider_pool::ProviderPools;
use super::rest::or_never;
use super::run_profiles::{RuleServers, RunProfiles, Servers};
use crate::config::{Config, ProviderConfig};
use crate::core::prompt::PromptFile;
use crate::failure::Code;
use crate::provider::LlmProvider;
use crate::telemetry::messages;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;

/// What a reload brings.
#[derive(Debug)]
pub struct Fresh {
    /// The configuration in force from now on.
    pub config: Config,
    /// The prompt file in force from now on.
    pub prompt: PromptFile,
    /// The model server.
    pub provider: Box<dyn LlmProvider>,
    /// Those of the configuration's `providers`, in its order.
    pub listed: Vec<Box<dyn LlmProvider>>,
    /// Those of rules that ask others.
    pub of_rules: RuleServers,
    /// What is odd, but stops nothing.
    pub warnings: Vec<String>,
}

/// Reads the files again; every problem in a sentence of its own when they are not valid.
pub type LoadAgain = Box<dyn FnMut() -> Result<Fresh, Vec<String>>>;

/// Asks for a reload. May be used from any thread.
#[derive(Clone, Debug)]
pub struct ReloadHandle {
    asked: Arc<watch::Sender<bool>>,
}

impl ReloadHandle {
    /// Asks for a reload. Several questions before the next look are one.
    pub fn ask(&self) {
        self.asked.send_replace(true);
    }
}

/// The loop's side: whether a reload was asked for, and how it is done.
pub struct Reload {
    asked: Arc<watch::Sender<bool>>,
    load: LoadAgain,
}

impl Reload {
    /// A reload that `load` does, and the handle that asks for it.
    pub fn by(load: LoadAgain) -> (ReloadHandle, Self) {
        let asked = Arc::new(watch::Sender::new(false));
        let handle = ReloadHandle {
            asked: Arc::clone(&asked),
        };
        (handle, Self { asked, load })
    }

    /// Asks for a reload.
    pub(super) fn ask(&self) {
        self.asked.send_replace(true);
    }

    /// Waits until a reload is asked for. Cancel safe.
    pub(super) fn asked(&self) -> impl Future<Output = ()> + use<> {
        let mut asked = self.asked.subscribe();
        async move {
            if asked.wait_for(|asked| *asked).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reload").finish_non_exhaustive()
    }
}

impl Agent {
    /// Has the agent reload when it is asked to.
    pub fn reload_by(&mut self, reload: Reload) {
        self.reload = Some(reload);
    }

    /// Reloads, if that was asked for, and tells whether anything was taken over. With invalid
    /// files everything stays as it is, and each problem is said.
    pub(super) fn reload_if_asked(&mut self) -> bool {
        let Some(reload) = &mut self.reload else {
            return false;
        };
        if !reload.asked.send_replace(false) {
            return false;
        }
        self.heartbeat.reloading();
        let loaded = (reload.load)();
        let well = loaded.is_ok();
        match loaded {
            Ok(fresh) => self.take_over(fresh),
            Err(problems) => {
                for message in &problems {
                    self.observer.on_event(LoopEvent::Notice { message });
                }
                let message = "nothing was reloaded: the last good configuration stays in force";
                self.observer.on_event(LoopEvent::Notice { message });
            }
        }
        self.heartbeat.reloaded(well);
        well
    }

    fn take_over(&mut self, fresh: Fresh) {
        let Fresh {
            mut config,
            prompt,
            provider,
            listed,
            of_rules,
            warnings,
        } = fresh;
        // An open run takes its own again, as it is then.
        self.profile = self.profiles.of(None);
        for message in &warnings {
            self.observer.on_event(LoopEvent::Notice { message });
        }
        for message in waiting(&self.profile.config, &self.profile.config.provider, &config) {
            self.observer.on_event(LoopEvent::Notice { message });
        }
        config.root.clone_from(&self.profile.config.root);
        config
            .kv_store_path
            .clone_from(&self.profile.config.kv_store_path);
        let launch = &self.profile.config.provider.launch;
        config.provider.launch.clone_from(launch);
        config.log.format = self.profile.config.log.format;
        config.api.clone_from(&self.profile.config.api);
        if config.memory.retain_full_conversation_logs
            && !self.profile.config.memory.retain_full_conversation_logs
        {
            self.observer
                .on_event(LoopEvent::Notice { message: RETAINED });
        }
        self.store.set_options(store_options(&config));
        // A shorter retention and shorter waits count at once.
        self.retired_at = None;
        self.schedule_timer.forget();
        self.idle_delay_ms = 0;
        let servers = Servers {
            main: provider,
            listed,
        };
        self.pools = ProviderPools::build(&config, servers, of_rules, &mut self.known);
        self.known.forget_unused();
        self.profiles = RunProfiles::build(config, prompt);
        self.profile = self.profiles.of(None);
        self.read_at = self.clock.now();
        self.report_status(self.status.clone());
        tracing::info!(name: messages::RELOADED, model = self.server().config.model, "reloaded");
    }

    /// Waits for a model server that is away. A reload ends the wait: it may name another server. So
    /// does a command, after which the question may be another one.
    pub(super) async fn wait_for_server(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
        due_ms: Option<u64>,
    ) -> Result<(), Halt> {
        if code == Code::LlmUnavailable {
            self.server_mut().context_window.look_again();
        }
        let reload_asked = or_never(self.reload.as_ref().map(Reload::asked));
        let mut envelopes = self.envelopes.take();
        // Each arm can be dropped at any point: a wait holds nothing.
        let (envelope, waited) = tokio::select! {
            biased;
            () = reload_asked => (None, Ok(())),
            envelope = next_envelope(&mut envelopes) => (Some(envelope), Ok(())),
            waited = self.wait_for_better(code, message, pause_ms, due_ms) => (None, waited),
        };
        self.envelopes = envelopes;
        waited?;
        if let Some(envelope) = envelope {
            self.serve(envelope)?;
        }
        self.reload_if_asked();
        Ok(())
    }
}

/// What of a new configuration has to wait for the next start, a sentence each.
fn waiting(old: &Config, was: &ProviderConfig, new: &Config) -> Vec<&'static str> {
    let is = &new.provider;
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
