//! The profiles that runs use: configuration, prompt and servers.
//!
//! Where the action of a rule changes something, its runs have a profile of their own. A profile
//! never changes; a reload builds new ones.

use super::asker::Asker;
use super::engine::Engine;
use super::stop::Halt;
use crate::config::{Config, ProviderConfig};
use crate::core::agent::{Ending, Policies, end_early};
use crate::core::journal::Cause;
use crate::core::prompt::PromptFile;
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RuleId;
use crate::provider::LlmProvider;
use crate::store::own_draft;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The model servers of a configuration.
#[derive(Debug)]
pub struct Servers {
    /// The server that `provider` names.
    pub main: Box<dyn LlmProvider>,
    /// The servers of `providers`, in its order.
    pub listed: Vec<Box<dyn LlmProvider>>,
    pub of_rules: BTreeMap<RuleId, Self>,
}

impl Servers {
    /// Makes the servers of a configuration that has only one.
    pub const fn only(main: Box<dyn LlmProvider>) -> Self {
        Self {
            main,
            listed: Vec::new(),
            of_rules: BTreeMap::new(),
        }
    }

    /// Makes the servers of a configuration and of its rules, each with `connect`.
    ///
    /// # Errors
    /// The first one of `connect`.
    pub fn connect<E>(config: &Config, connect: &Connect<'_, E>) -> Result<Self, E> {
        let listed = config.providers.iter();
        let own = config.actions.iter().filter(|(_, it)| it.has_own_servers);
        let of_rules = own.map(|(id, it)| Ok((*id, Self::connect(&it.config, connect)?)));
        Ok(Self {
            main: connect(&config.provider)?,
            listed: listed
                .map(|named| connect(&named.config))
                .collect::<Result<_, E>>()?,
            of_rules: of_rules.collect::<Result<_, E>>()?,
        })
    }
}

/// Makes a server from its configuration.
type Connect<'a, E> = dyn Fn(&ProviderConfig) -> Result<Box<dyn LlmProvider>, E> + 'a;

/// The configuration and prompt that a run is worked on with.
#[derive(Debug)]
pub(super) struct RunProfile {
    pub(super) config: Config,
    pub(super) prompt: PromptFile,
    /// The rule whose own servers are asked, if it has any.
    pub(super) servers_of: Option<RuleId>,
}

impl RunProfile {
    /// Returns the policies of a run's decisions.
    ///
    /// A bound of iterations goes before the configuration's.
    pub(super) fn policies(&self, max_iterations: Option<u32>) -> Policies<'_> {
        let config = &self.config;
        Policies {
            scope: &config.scope,
            mode: config.mode_with(&self.prompt),
            memory: &config.memory,
            notes: &config.notes,
            r#loop: &config.r#loop,
            max_iterations: max_iterations.or(config.r#loop.max_iterations),
        }
    }
}

/// A value for runs, and those of the rules that have one of their own.
#[derive(Debug)]
pub(super) struct PerRule<T> {
    pub(super) default: T,
    pub(super) of_rules: BTreeMap<RuleId, T>,
}

impl<T> PerRule<T> {
    /// Returns the value for the runs of a rule; without a rule, the default one.
    pub(super) fn of(&self, rule: Option<RuleId>) -> &T {
        let own = rule.and_then(|rule| self.of_rules.get(&rule));
        own.unwrap_or(&self.default)
    }

    pub(super) fn of_mut(&mut self, rule: Option<RuleId>) -> &mut T {
        let own = rule.and_then(|rule| self.of_rules.get_mut(&rule));
        own.unwrap_or(&mut self.default)
    }
}

/// The default run profile, and those of rules that change something.
pub(super) type RunProfiles = PerRule<Arc<RunProfile>>;

impl RunProfiles {
    pub(super) fn build(config: Config, prompt: PromptFile) -> Self {
        let profiles = config.actions.iter().map(|(rule_id, action)| {
            let profile = RunProfile {
                config: Config {
                    rules: Arc::clone(&config.rules),
                    ..action.config.clone()
                },
                prompt: action.prompt.clone(),
                servers_of: action.has_own_servers.then_some(*rule_id),
            };
            (*rule_id, Arc::new(profile))
        });
        Self {
            of_rules: profiles.collect(),
            default: Arc::new(RunProfile {
                config,
                prompt,
                servers_of: None,
            }),
        }
    }
}

/// Ends a run whose rule is gone, and returns its end.
///
/// Nothing says any more what its runs may do, and the default profile may allow them more.
pub(super) async fn end_without_rule(
    engine: &mut Engine,
    asker: &mut Asker,
    run: &Run,
) -> Result<Option<Ending>, Halt> {
    let Some(rule_id) = run.rule_id else {
        return Ok(None);
    };
    let mut rules = engine.profile.config.rules.iter();
    if rules.any(|it| it.rule_id == rule_id) {
        return Ok(None);
    }
    let run_id = run.run_id;
    engine.notice(&format!("run {run_id} ends: its rule {rule_id} is gone"));
    asker.settle_now(engine).await?;
    let now = engine.now();
    let events = end_early(
        run,
        &engine.state().memory_of(run).ram,
        Code::RuleNotFound,
        now,
    );
    let cause = Cause::run("run", run_id);
    engine.commit(own_draft(cause, events, now)).await?;
    engine.commands.cancelled = None;
    engine.status.heartbeat.on_run_end(Code::RuleNotFound);
    Ok(Some(Ending::failed(Code::RuleNotFound)))
}
