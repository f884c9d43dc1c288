//! The profiles that runs use: configuration, prompt and servers.
//!
//! Where the action of a rule changes something, its runs have a profile of their own. A profile
//! never changes; a reload builds new ones.

use super::asker::Asker;
use super::engine::Engine;
use super::stop::Halt;
use crate::config::{ActionOwner, Config, ProviderConfig};
use crate::core::agent::{Ending, Policies, end_early};
use crate::core::guard::Permit;
use crate::core::journal::Cause;
use crate::core::prompt::PromptFile;
use crate::core::protocol::{AllowedTags, Tag};
use crate::core::run::Run;
use crate::failure::Code;
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
    /// The servers of rules and agents that have some of their own.
    pub own: BTreeMap<ActionOwner, Self>,
}

impl Servers {
    /// Makes the servers of a configuration that has only one.
    pub const fn only(main: Box<dyn LlmProvider>) -> Self {
        Self {
            main,
            listed: Vec::new(),
            own: BTreeMap::new(),
        }
    }

    /// Makes the servers of a configuration, of its rules and agents, each with `connect`.
    ///
    /// # Errors
    /// The first one of `connect`.
    pub fn connect<E>(config: &Config, connect: &Connect<'_, E>) -> Result<Self, E> {
        let listed = config.providers.iter();
        let own = config.own_actions().filter(|(_, it)| it.has_own_servers);
        let own = own.map(|(owner, it)| Ok((owner, Self::connect(&it.config, connect)?)));
        Ok(Self {
            main: connect(&config.provider)?,
            listed: listed
                .map(|named| connect(&named.config))
                .collect::<Result<_, E>>()?,
            own: own.collect::<Result<_, E>>()?,
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
    /// The instructions that the agent may use.
    pub(super) permit: Permit,
    /// The rule or agent whose own servers are asked, if it has any.
    pub(super) servers_of: Option<ActionOwner>,
}

impl RunProfile {
    /// Returns the tags that the prompt file and the agent both allow.
    pub(super) fn offered_tags(&self) -> AllowedTags {
        let allowed = self.prompt.allowed_tags;
        let is_offered = |tag: &Tag| allowed.contains(*tag) && self.permit.allows(tag.name());
        Tag::ALL.into_iter().filter(is_offered).collect()
    }

    /// Returns the policies of a run's decisions.
    ///
    /// A bound of iterations goes before the configuration's.
    pub(super) fn policies(&self, max_iterations: Option<u32>) -> Policies<'_> {
        let config = &self.config;
        Policies {
            scope: &config.scope,
            permit: &self.permit,
            mode: config.mode_with(&self.prompt),
            memory: &config.memory,
            notes: &config.notes,
            r#loop: &config.r#loop,
            max_iterations: max_iterations.or(config.r#loop.max_iterations),
        }
    }
}

/// A value for runs, and those of the rules and agents that have one of their own.
#[derive(Debug)]
pub(super) struct PerOwner<T> {
    pub(super) default: T,
    pub(super) own: BTreeMap<ActionOwner, T>,
}

impl<T> PerOwner<T> {
    /// Returns the value of an owner; without one of its own, the default one.
    pub(super) fn of(&self, owner: Option<&ActionOwner>) -> &T {
        let own = owner.and_then(|owner| self.own.get(owner));
        own.unwrap_or(&self.default)
    }

    pub(super) fn of_mut(&mut self, owner: Option<&ActionOwner>) -> &mut T {
        let own = owner.and_then(|owner| self.own.get_mut(owner));
        own.unwrap_or(&mut self.default)
    }
}

/// The default run profile, and those of rules and agents that change something.
pub(super) type RunProfiles = PerOwner<Arc<RunProfile>>;

impl RunProfiles {
    pub(super) fn build(config: Config, prompt: PromptFile) -> Self {
        let profiles = config.own_actions().map(|(owner, action)| {
            let profile = RunProfile {
                config: Config {
                    rules: Arc::clone(&config.rules),
                    agents: config.agents.clone(),
                    ..action.config.clone()
                },
                prompt: action.prompt.clone(),
                permit: action.permit.clone(),
                servers_of: action.has_own_servers.then(|| owner.clone()),
            };
            (owner, Arc::new(profile))
        });
        Self {
            own: profiles.collect(),
            default: Arc::new(RunProfile {
                config,
                prompt,
                permit: Permit::everything(),
                servers_of: None,
            }),
        }
    }

    /// Returns the profile of a run.
    pub(super) fn of_run(&self, run: &Run) -> &Arc<RunProfile> {
        self.of(ActionOwner::of(run).as_ref())
    }
}

/// Ends a run whose rule or agent is gone, and returns its end.
///
/// Nothing says any more what its runs may do, and the default profile may allow them more.
pub(super) async fn end_without_owner(
    engine: &mut Engine,
    asker: &mut Asker,
    run: &Run,
) -> Result<Option<Ending>, Halt> {
    let config = &engine.profile.config;
    let (code, gone) = match ActionOwner::of(run) {
        Some(ActionOwner::Agent(id)) if !config.agents.contains_key(&id) => {
            (Code::AgentNotFound, format!("agent {id}"))
        }
        Some(ActionOwner::Rule(id)) if !config.rules.iter().any(|it| it.rule_id == id) => {
            (Code::RuleNotFound, format!("rule {id}"))
        }
        Some(ActionOwner::Agent(_) | ActionOwner::Rule(_)) | None => return Ok(None),
    };
    let run_id = run.run_id;
    engine.notice(&format!("run {run_id} ends: its {gone} is gone"));
    asker.settle_now(engine).await?;
    let now = engine.now();
    let events = end_early(run, &engine.state().memory_of(run).ram, code, now);
    let cause = Cause::run("run", run_id);
    engine.commit(own_draft(cause, events, now)).await?;
    engine.commands.cancelled = None;
    engine.status.heartbeat.on_run_end(code);
    Ok(Some(Ending::failed(code)))
}
