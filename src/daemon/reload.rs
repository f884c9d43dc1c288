//! Reading configuration and prompt again while the loop lives: asked for by a hang-up, done between
//! two iterations, and only if the new files are valid. Never moves the root or the KV file.

use super::agent::{Agent, Halt};
use super::watcher::Sight;
use crate::config::Config;
use crate::core::prompt::PromptFile;
use crate::failure::Code;
use crate::provider::{LlmProvider, Pipeline, Sleeper};
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

    /// Reloads, if that was asked for. With invalid files everything stays as it is, and each
    /// problem is said.
    pub(super) fn reload_if_asked(&mut self) {
        let Some(reload) = &mut self.reload else {
            return;
        };
        if !reload.asked.send_replace(false) {
            return;
        }
        match (reload.load)() {
            Ok(fresh) => self.take_over(fresh),
            Err(problems) => {
                for message in &problems {
                    self.watcher.saw(Sight::Notice { message });
                }
                let message = "nothing was reloaded: the last good configuration stays in force";
                self.watcher.saw(Sight::Notice { message });
            }
        }
    }

    fn take_over(&mut self, fresh: Fresh) {
        let Fresh {
            mut config,
            prompt,
            provider,
            warnings,
        } = fresh;
        for message in &warnings {
            self.watcher.saw(Sight::Notice { message });
        }
        if config.kv_store_path != self.config.kv_store_path {
            let message = "`memory.kv_store_path` has changed; the KV file moves at the next start";
            self.watcher.saw(Sight::Notice { message });
        }
        config.root.clone_from(&self.config.root);
        config.kv_store_path.clone_from(&self.config.kv_store_path);
        let sleeper: Arc<dyn Sleeper> = Arc::clone(&self.clock) as Arc<dyn Sleeper>;
        self.pipeline = Pipeline::new(provider, config.retry, sleeper);
        self.model_is_settled = false;
        self.config = config;
        self.prompt = prompt;
        tracing::info!(model = self.config.provider.model, "reloaded");
    }

    /// Waits for a model server that is away. A reload ends the wait: it may name another server.
    pub(super) async fn wait_for_server(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
    ) -> Result<(), Halt> {
        let mut asked = self.reload.as_ref().map(|reload| reload.asked.subscribe());
        let reload_asked = async {
            let closed = match &mut asked {
                Some(asked) => asked.wait_for(|asked| *asked).await.is_err(),
                None => true,
            };
            if closed {
                std::future::pending::<()>().await;
            }
        };
        // Both arms can be dropped at any point: a wait holds nothing.
        tokio::select! {
            () = reload_asked => {}
            waited = self.wait_for_better(code, message, pause_ms) => waited?,
        }
        self.reload_if_asked();
        Ok(())
    }
}
