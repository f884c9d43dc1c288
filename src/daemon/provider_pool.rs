//! Several providers: which one is asked, why, and which is asked in its place.
//!
//! Each has its own breaker, model and context window; only one is in force at a time. With a
//! single provider there is nothing to choose. `core::route` makes the choice.

use super::asked_server::ProviderState;
use super::boot::call_policy;
use super::run_profiles::{PerOwner, Servers};
use super::stop::OutagePolicy;
use crate::config::{Config, NamedProvider, ProviderConfig, ProviderKind};
use crate::core::route::{
    CircuitState, ErrorClass, ModelEntry, ProviderHealth, Requirements, RiskLevel, RoutingDecision,
    RoutingInput, TaskType, Vendor, route,
};
use crate::failure::Code;
use crate::provider::{KnownServers, ProviderError};
use crate::time::Timestamp;
use std::collections::BTreeSet;
use uuid::Uuid;

/// The window of a model whose window is unknown, in tokens.
const WINDOW_UNKNOWN_TOKENS: u32 = u32::MAX;

/// The time for which a provider without credit is left alone, in milliseconds.
///
/// Another one is asked in its place. A person has to pay, and nothing reports that one did.
const NO_CREDIT_HELD_MS: u64 = 600_000;

/// The most characters of a provider's or model's name in the reports of health.
const NAME_CHARACTERS_MAX: usize = 100;

/// The providers that may be asked, one of them in force.
#[derive(Debug)]
pub(super) struct ProviderPool {
    /// The providers, in order; at least one.
    servers: Vec<ProviderState>,
    /// The routing entry of each provider; empty where there is nothing to choose.
    entries: Vec<ModelEntry>,
    /// The index of the provider in force.
    active: usize,
}

/// The provider pool of the configuration, and those of rules and agents with servers of their own.
pub(super) type ProviderPools = PerOwner<ProviderPool>;

impl ProviderPools {
    pub(super) fn build(config: &Config, mut servers: Servers, known: &mut KnownServers) -> Self {
        let own = config.own_actions().filter_map(|(owner, action)| {
            let own = servers.own.remove(&owner)?;
            Some((owner, ProviderPool::build(&action.config, own, known)))
        });
        Self {
            own: own.collect(),
            default: ProviderPool::build(config, servers, known),
        }
    }
}

/// The route of one call: its provider, and those that may be asked in its place.
#[derive(Debug)]
pub(super) struct CallRoute {
    pub(super) request_id: Uuid,
    pub(super) chosen_at: Timestamp,
    pub(super) reason: String,
    /// The decision that chose that provider, until a call is recorded with it.
    pub(super) decision: Option<Box<RoutingDecision>>,
    /// The indexes of the providers that may be asked in its place, best first.
    next: Vec<usize>,
    /// The least window with room for the prompt, in tokens.
    least_window: Option<u32>,
}

impl ProviderPool {
    pub(super) fn in_force(&self) -> &ProviderState {
        &self.servers[self.active]
    }

    /// Returns the provider that is asked, to be changed.
    pub(super) fn in_force_mut(&mut self) -> &mut ProviderState {
        &mut self.servers[self.active]
    }

    /// Builds the pool from the providers of a configuration, the first of them in force.
    ///
    /// Where none are listed, the main one is the only one.
    fn build(config: &Config, servers: Servers, known: &mut KnownServers) -> Self {
        let policy = call_policy(config);
        let count = config.providers.len();
        let ranked = config.providers.iter().enumerate();
        let entries = ranked.map(|(index, named)| entry_of(named, &config.models, count - index));
        let mut asked = |provider, config: &ProviderConfig| {
            ProviderState::new(config.clone(), known.pipeline(provider, config, policy))
        };
        let listed = config.providers.iter().zip(servers.listed);
        let listed = listed.map(|(named, provider)| asked(provider, &named.config));
        let mut all: Vec<ProviderState> = listed.collect();
        if all.is_empty() {
            all.push(asked(servers.main, &config.provider));
        }
        Self {
            servers: all,
            entries: entries.collect(),
            active: 0,
        }
    }

    /// Chooses the provider of the next call, and brings it into force.
    ///
    /// Nothing is chosen where there is only one.
    pub(super) fn choose(
        &mut self,
        least_window: Option<u32>,
        now: Timestamp,
    ) -> Result<CallRoute, ProviderError> {
        if !self.has_choice() {
            let reason = "it is the only one configured".to_owned();
            return Ok(CallRoute {
                request_id: Uuid::new_v4(),
                chosen_at: now,
                reason,
                decision: None,
                next: Vec::new(),
                least_window: None,
            });
        }
        let left_alone = self.left_alone(now);
        let entries = self.entries_now();
        let choose = |out, least| route(&entries, &question_about(out, least));
        let decided = choose(left_alone.clone(), least_window)
            // When all that have room are left alone, the best one reports until when.
            .or_else(|_| choose(BTreeSet::new(), least_window))
            // When none has room, the best one reports how much is lacking.
            .or_else(|_| choose(BTreeSet::new(), None))
            .map_err(|none| ProviderError::held(none.code, none.message, None))?;
        let order = std::iter::once(&decided.selected_model).chain(&decided.fallback_models);
        let place = |name: &String| entries.iter().position(|entry| entry.model_id == *name);
        let mut next: Vec<usize> = order.filter_map(place).collect();
        if !next.is_empty() {
            self.active = next.remove(0);
        }
        let mut reason = decided.reasoning.clone();
        if !left_alone.is_empty() {
            let names: Vec<String> = left_alone.into_iter().collect();
            reason = format!("{reason}; left alone for now: {}", names.join(", "));
        }
        Ok(CallRoute {
            request_id: Uuid::new_v4(),
            chosen_at: now,
            reason,
            decision: Some(Box::new(decided)),
            next,
            least_window,
        })
    }

    /// Brings the next provider of a route into force after an error, if one is worth asking.
    ///
    /// Returns the message about it, or `None` where none is asked.
    pub(super) fn fail_over(
        &mut self,
        route: &mut CallRoute,
        error: &ProviderError,
        patience: OutagePolicy,
        now: Timestamp,
    ) -> Option<String> {
        // A provider that is left alone has more than a passing failure.
        let circuit = self.in_force().pipeline.health(now).circuit_state;
        let is_left_alone = error.retry && circuit == CircuitState::Open;
        // A daemon gets there by asking again; a single run has no other time.
        let is_gone = patience == OutagePolicy::None && error.is_nobody_there();
        let has_no_room = error.code == Code::ContextOverflow;
        if has_no_room {
            let entries = self.entries_now();
            let has_room = |entry| has_room(entry, route.least_window);
            route
                .next
                .retain(|at| entries.get(*at).is_some_and(has_room));
        }
        let is_worth_it = error.fails_over() || is_left_alone || is_gone || has_no_room;
        if !is_worth_it || route.next.is_empty() {
            return None;
        }
        let before = self.label();
        let pipeline = &mut self.in_force_mut().pipeline;
        let held_until = error
            .is_out_of_credit()
            .then(|| pipeline.leave_alone(now, NO_CREDIT_HELD_MS, error.code));
        self.active = route.next.remove(0);
        let code = error.class().map_or(error.code, ErrorClass::code);
        let after = self.label();
        route.chosen_at = now;
        route.reason = format!("in place of {before}, which ended with {code}");
        let held = held_until.map(|until| format!("; {before} is left alone until {until}"));
        let held = held.unwrap_or_default();
        Some(format!(
            "{after} is asked in place of {before}: {error}{held}"
        ))
    }

    pub(super) fn health(&self, now: Timestamp) -> Vec<ProviderHealth> {
        let servers = self.servers.iter().enumerate();
        servers
            .map(|(index, server)| ProviderHealth {
                provider: shortened(self.name_at(index)),
                model: shortened(if index == self.active {
                    server.asked_model()
                } else {
                    &server.config.model
                }),
                health: server.pipeline.health(now),
            })
            .collect()
    }

    pub(super) const fn has_choice(&self) -> bool {
        !self.entries.is_empty()
    }

    pub(super) fn label(&self) -> String {
        self.name_at(self.active).to_owned()
    }

    /// Returns the name of a provider: its own in the configuration, else that of its kind.
    fn name_at(&self, index: usize) -> &str {
        let entry = self.entries.get(index);
        entry.map_or_else(|| self.servers[index].name(), |entry| &entry.model_id)
    }

    pub(super) fn servers(&self) -> impl Iterator<Item = &ProviderState> {
        self.servers.iter()
    }

    /// Returns the routing entries, with the windows that servers have reported since.
    fn entries_now(&self) -> Vec<ModelEntry> {
        let members = self.entries.iter().zip(self.servers());
        let known = members.map(|(entry, server)| {
            let mut entry = entry.clone();
            let window = server.window();
            if window.is_known() {
                entry.context_length = entry.context_length.min(window.tokens);
            }
            entry
        });
        known.collect()
    }

    fn left_alone(&self, now: Timestamp) -> BTreeSet<String> {
        let members = self.entries.iter().zip(self.left_alone_until(now));
        members
            .filter(|(_, until)| until.is_some())
            .map(|(entry, _)| entry.model_id.clone())
            .collect()
    }

    /// Returns until when each provider is left alone, in order.
    fn left_alone_until(&self, now: Timestamp) -> impl Iterator<Item = Option<Timestamp>> {
        let servers = self.servers();
        servers.map(move |server| server.pipeline.left_alone_until(now))
    }

    /// Returns the milliseconds until one of several may be asked, where all are left alone.
    pub(super) fn soonest_ms(&self, now: Timestamp) -> Option<u64> {
        if !self.has_choice() {
            return None;
        }
        let all: Option<Vec<Timestamp>> = self.left_alone_until(now).collect();
        let soonest = all?.into_iter().min()?;
        Some(now.millis_until(soonest))
    }
}

/// Returns the routing entry of a provider, from its model's row in the registry if there is one.
///
/// It has the provider's own name, since several may serve the same model. Earlier providers in the
/// list are preferred. Of the row's window and the configured one the smaller holds.
fn entry_of(named: &NamedProvider, models: &[ModelEntry], preference: usize) -> ModelEntry {
    let config = &named.config;
    let known = models.iter().find(|entry| entry.model_id == config.model);
    let mut entry = known.cloned().unwrap_or_else(|| ModelEntry {
        model_id: String::new(),
        provider: vendor_of(config),
        context_length: WINDOW_UNKNOWN_TOKENS,
        experimental: false,
        capabilities: BTreeSet::new(),
        optimized_for: BTreeSet::new(),
        priority: 0,
        latency_ms: None,
        constrain: None,
        adapter: None,
    });
    let configured = config.context_tokens.unwrap_or(WINDOW_UNKNOWN_TOKENS);
    entry.context_length = entry.context_length.min(configured);
    entry.model_id.clone_from(&named.name);
    let preference = u32::try_from(preference).unwrap_or(u32::MAX);
    entry.priority = entry.priority.saturating_add(preference);
    entry
}

/// Returns the vendor of a model, by its provider's configuration.
///
/// It is the name before the slash on a market, the name of a program, else this machine.
fn vendor_of(config: &ProviderConfig) -> Vendor {
    let program = config.command.first().map_or("", String::as_str);
    let name = match config.kind {
        ProviderKind::OpenRouter => config.model.split('/').next().unwrap_or_default(),
        ProviderKind::Cli => program.rsplit('/').next().unwrap_or_default(),
        ProviderKind::LmStudio | ProviderKind::OpenAi | ProviderKind::Scripted => "",
    };
    match name {
        "anthropic" | "claude" => Vendor::Anthropic,
        "openai" | "codex" => Vendor::Openai,
        "google" | "gemini" => Vendor::Google,
        _ => Vendor::Local,
    }
}

/// Shortens a name for a report, whoever chose it.
fn shortened(name: &str) -> String {
    name.chars().take(NAME_CHARACTERS_MAX).collect()
}

/// Returns whether a model's window is large enough, or unknown.
fn has_room(entry: &ModelEntry, least_window: Option<u32>) -> bool {
    least_window.is_none_or(|least| entry.context_length >= least)
}

/// Returns the requirements on a model: chat, and a window of that size at least.
fn question_about(
    excluded_models: BTreeSet<String>,
    min_context_length: Option<u32>,
) -> RoutingInput {
    RoutingInput {
        task_type: TaskType::Chat,
        risk_level: RiskLevel::default(),
        requirements: Requirements {
            min_context_length,
            excluded_models,
            ..Requirements::default()
        },
        context: None,
    }
}
