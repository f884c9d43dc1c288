//! The profiles that runs of rules use: where the action of a rule changes something, its configuration,
//! prompt and servers replace those of the agent during its runs, and are swapped back afterwards.

use super::agent::{Agent, Halt};
use super::context_window::ContextWindow;
use super::model::AskedModel;
use super::observer::LoopEvent;
use super::provider_pool::{self, ProviderPool};
use crate::config::Config;
use crate::core::agent::{Ending, end_early};
use crate::core::journal::Cause;
use crate::core::prompt::PromptFile;
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RuleId;
use crate::provider::{KnownServers, LlmProvider, Pipeline};
use crate::store::own_draft;
use std::collections::BTreeMap;

/// The servers of one configuration.
#[derive(Debug)]
pub struct Servers {
    /// The one that `provider` names.
    pub main: Box<dyn LlmProvider>,
    /// Those of `providers`, in its order.
    pub listed: Vec<Box<dyn LlmProvider>>,
}

/// The servers of rules that ask others than the configuration does.
pub type RuleServers = BTreeMap<RuleId, Servers>;

/// The configuration, prompt and servers of the runs of one rule.
#[derive(Debug)]
struct RunProfile {
    config: Config,
    prompt: PromptFile,
    /// The servers, where they differ from those of the configuration.
    servers: Option<Asked>,
}

/// The servers of a profile and what is known of them.
#[derive(Debug)]
struct Asked {
    provider_pool: ProviderPool,
    pipeline: Pipeline,
    model: AskedModel,
    context_window: ContextWindow,
}

/// The run profiles of all rules. The entry of the active one holds the default profile meanwhile.
#[derive(Debug, Default)]
pub(super) struct RunProfiles {
    profiles: BTreeMap<RuleId, RunProfile>,
    active: Option<RuleId>,
}

impl RunProfiles {
    /// Builds the run profiles of a configuration's rules.
    pub(super) fn of(config: &Config, mut servers: RuleServers, known: &mut KnownServers) -> Self {
        let profiles = config.actions.iter().map(|(rule_id, action)| {
            let mut profile = RunProfile {
                config: Config {
                    rules: config.rules.clone(),
                    ..action.config.clone()
                },
                prompt: action.prompt.clone(),
                servers: None,
            };
            profile.servers = servers.remove(rule_id).map(|servers| {
                let Servers { main, listed } = servers;
                let (provider_pool, pipeline) =
                    provider_pool::build(&mut profile.config, main, listed, known);
                Asked {
                    provider_pool,
                    pipeline,
                    model: AskedModel::default(),
                    context_window: ContextWindow::default(),
                }
            });
            (*rule_id, profile)
        });
        Self {
            profiles: profiles.collect(),
            active: None,
        }
    }
}

impl Agent {
    /// Ends a run whose rule is gone, and gives its end: nothing says any more what its runs may do, and
    /// the default profile may allow them more.
    pub(super) async fn end_without_rule(&mut self, run: &Run) -> Result<Option<Ending>, Halt> {
        let Some(rule_id) = run.rule_id else {
            return Ok(None);
        };
        if self.config.rules.iter().any(|it| it.rule_id == rule_id) {
            return Ok(None);
        }
        let run_id = run.run_id;
        let message = format!("run {run_id} ends: its rule {rule_id} is gone");
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
        self.settle_now().await?;
        let now = self.clock.now();
        let events = end_early(run, &self.store.state().ram, Code::RuleNotFound, now);
        self.commit(own_draft(Cause::run("run", run_id), events, now))
            .await?;
        self.cancelled = None;
        self.heartbeat.on_run_end(Code::RuleNotFound);
        Ok(Some(Ending::failed(Code::RuleNotFound)))
    }

    /// Activates the profile for the runs of a rule; without a rule, the default profile.
    pub(super) fn use_profile_for(&mut self, rule: Option<RuleId>) {
        let rule = rule.filter(|rule| self.run_profiles.profiles.contains_key(rule));
        if rule != self.run_profiles.active {
            self.swap_profile();
            self.run_profiles.active = rule;
            self.swap_profile();
        }
    }

    /// Swaps the settings in force with those stored in the active entry.
    fn swap_profile(&mut self) {
        let active = self.run_profiles.active;
        let Some(profile) = active.and_then(|rule| self.run_profiles.profiles.get_mut(&rule))
        else {
            return;
        };
        std::mem::swap(&mut self.prompt, &mut profile.prompt);
        if let Some(servers) = &mut profile.servers {
            std::mem::swap(&mut self.config, &mut profile.config);
            std::mem::swap(&mut self.provider_pool, &mut servers.provider_pool);
            std::mem::swap(&mut self.pipeline, &mut servers.pipeline);
            std::mem::swap(&mut self.model, &mut servers.model);
            std::mem::swap(&mut self.context_window, &mut servers.context_window);
        } else {
            // The server in force may be another one of the list by now.
            profile.config.provider.clone_from(&self.config.provider);
            std::mem::swap(&mut self.config, &mut profile.config);
            profile.config.provider.clone_from(&self.config.provider);
        }
    }
}
