//! Several providers: which one is asked, why, and who is asked in its place. Each has its own breaker,
//! model and context window; only one is in force at a time. With a single provider there is nothing
//! to choose. The choice itself is made by `core::route`.

use super::agent::{Agent, Patience};
use super::boot::call_policy;
use super::context_window::ContextWindow;
use super::model::{AskedModel, Put};
use super::observer::LoopEvent;
use super::run_profiles::{RuleServers, Servers};
use super::windows::{WINDOW_UNKNOWN_TOKENS, has_room, question_about};
use crate::config::{Config, NamedProvider, ProviderConfig, ProviderKind};
use crate::core::agent::LoopState;
use crate::core::journal::Event;
use crate::core::journal::event::CallMade;
use crate::core::prompt::Window;
use crate::core::route::{
    CircuitState, ErrorClass, FinishReason, ModelEntry, ProviderHealth, RoutingDecision, Vendor,
    route,
};
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RuleId;
use crate::provider::{KnownServers, Pipeline, ProviderError};
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Most questions that one iteration's commit tells of beside its answer. More come together only
/// while servers are away.
const CALLS_REPORTED_MAX: usize = 16;

/// How long a provider is left alone whose account has no credit, where another is asked in its place, in
/// milliseconds: it takes a person to pay, and nobody tells when one did.
const NO_CREDIT_HELD_MS: u64 = 600_000;

/// Characters of a provider's or model's name where health is told.
const NAME_CHARACTERS_MAX: usize = 100;

/// The providers that may be asked, one of them in force.
#[derive(Debug)]
pub(super) struct ProviderPool {
    /// The one that is asked.
    pub(super) in_force: AskedServer,
    /// What routing knows of each; empty where there is only one.
    pub(super) entries: Vec<ModelEntry>,
    /// Each that is not in force, in the same order.
    pub(super) standby: Vec<Option<AskedServer>>,
    /// The place of the one in force.
    active: usize,
}

/// A provider with its settings and what is known of it.
#[derive(Debug)]
pub(super) struct AskedServer {
    pub(super) config: ProviderConfig,
    pub(super) pipeline: Pipeline,
    pub(super) model: AskedModel,
    pub(super) context_window: ContextWindow,
}

impl AskedServer {
    /// The model that is asked.
    pub(super) fn asked_model(&self) -> &str {
        self.model.name(&self.config.model)
    }

    /// The window that prompts are made for.
    pub(super) const fn window(&self) -> Window {
        self.context_window.window(self.config.context_tokens)
    }
}

/// The provider pool of the configuration, and those of rules that ask servers of their own.
#[derive(Debug)]
pub(super) struct ProviderPools {
    default: ProviderPool,
    of_rules: BTreeMap<RuleId, ProviderPool>,
}

impl ProviderPools {
    /// Builds the pools of a configuration and its rules.
    pub(super) fn build(
        config: &Config,
        servers: Servers,
        of_rules: RuleServers,
        known: &mut KnownServers,
    ) -> Self {
        let actions = config.actions.iter();
        let mut of_rules = of_rules;
        let of_rules = actions.filter_map(|(rule_id, action)| {
            let servers = of_rules.remove(rule_id)?;
            Some((
                *rule_id,
                ProviderPool::build(&action.config, servers, known),
            ))
        });
        Self {
            of_rules: of_rules.collect(),
            default: ProviderPool::build(config, servers, known),
        }
    }

    /// Returns the pool of a rule that has one of its own, else the default one.
    pub(super) fn of(&self, rule: Option<RuleId>) -> &ProviderPool {
        let own = rule.and_then(|rule| self.of_rules.get(&rule));
        own.unwrap_or(&self.default)
    }

    /// Returns the same pool, to be changed.
    pub(super) fn of_mut(&mut self, rule: Option<RuleId>) -> &mut ProviderPool {
        let own = rule.and_then(|rule| self.of_rules.get_mut(&rule));
        own.unwrap_or(&mut self.default)
    }
}

/// Whom one question goes to, and who comes after.
#[derive(Debug)]
pub(super) struct Route {
    /// The question.
    request_id: Uuid,
    /// When the one in force was chosen.
    chosen_at: Timestamp,
    /// Why that one is asked.
    reason: String,
    /// How that one was chosen, until its question is told of.
    decision: Option<Box<RoutingDecision>>,
    /// Who may be asked in its place, best first.
    next: Vec<usize>,
    /// The least window that has room for it, in tokens.
    least_window: Option<u32>,
}

impl ProviderPool {
    /// Brings the provider at that place into force.
    fn bring_into_force(&mut self, index: usize) {
        if index == self.active {
            return;
        }
        let wanted = self.standby.get_mut(index).and_then(Option::take);
        let Some(wanted) = wanted else {
            return;
        };
        let before = std::mem::replace(&mut self.in_force, wanted);
        if let Some(place) = self.standby.get_mut(self.active) {
            *place = Some(before);
        }
        self.active = index;
    }

    /// Builds the pool from the providers of a configuration, the first of them in force. Where none are
    /// listed, `provider` is the only one there is.
    fn build(config: &Config, servers: Servers, known: &mut KnownServers) -> Self {
        let policy = call_policy(config);
        let count = config.providers.len();
        let ranked = config.providers.iter().enumerate();
        let entries = ranked.map(|(index, named)| entry_of(named, &config.models, count - index));
        let entries = entries.collect();
        let mut asked = |provider, config: &ProviderConfig| AskedServer {
            config: config.clone(),
            pipeline: known.pipeline(provider, config, policy),
            model: AskedModel::default(),
            context_window: ContextWindow::default(),
        };
        let both = config.providers.iter().zip(servers.listed);
        let standby = both.map(|(named, provider)| Some(asked(provider, &named.config)));
        let mut standby: Vec<Option<AskedServer>> = standby.collect();
        let first = standby.first_mut().and_then(Option::take);
        Self {
            in_force: first.unwrap_or_else(|| asked(servers.main, &config.provider)),
            entries,
            standby,
            active: 0,
        }
    }
}

/// What routing knows of a provider: the registry's row of its model, else what its kind says. It goes
/// by the provider's own name, since several may serve the same model; what comes earlier in the list
/// is preferred. Of the row's window and the configured one the smaller holds.
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

/// Who makes a model, by what its provider's configuration says: the name before the slash of a market,
/// the program, else this machine.
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

impl Agent {
    /// Chooses whom the next question goes to, and brings that one into force. Nothing is chosen where
    /// there is only one.
    pub(super) fn choose_provider(&mut self, state: LoopState) -> Result<Route, ProviderError> {
        if self.pool().standby.is_empty() {
            let reason = "it is the only one configured".to_owned();
            return Ok(Route {
                request_id: Uuid::new_v4(),
                chosen_at: self.clock.now(),
                reason,
                decision: None,
                next: Vec::new(),
                least_window: None,
            });
        }
        let left_alone = self.left_alone();
        let least_window = self.least_window(state);
        let entries = self.entries_now();
        let choose = |out, least| route(&entries, &question_about(out, least));
        let decided = choose(left_alone.clone(), least_window)
            // When all that have room are left alone, the best one says until when.
            .or_else(|_| choose(BTreeSet::new(), least_window))
            // When none has room, the best one says how much is lacking.
            .or_else(|_| choose(BTreeSet::new(), None))
            .map_err(|none| ProviderError::held(none.code, none.message, None))?;
        let order = std::iter::once(&decided.selected_model).chain(&decided.fallback_models);
        let place = |name: &String| entries.iter().position(|entry| entry.model_id == *name);
        let mut next: Vec<usize> = order.filter_map(place).collect();
        if !next.is_empty() {
            let first = next.remove(0);
            self.pool_mut().bring_into_force(first);
        }
        let mut reason = decided.reasoning.clone();
        if !left_alone.is_empty() {
            let names: Vec<String> = left_alone.into_iter().collect();
            reason = format!("{reason}; left alone for now: {}", names.join(", "));
        }
        Ok(Route {
            request_id: Uuid::new_v4(),
            chosen_at: self.clock.now(),
            reason,
            decision: Some(Box::new(decided)),
            next,
            least_window,
        })
    }

    /// Brings the next provider of a route into force after the error of the one before, if another one
    /// is worth asking. Gives whether there is one.
    pub(super) fn fail_over(&mut self, route: &mut Route, error: &ProviderError) -> bool {
        // Once it is left alone, whatever it was is more than a moment's trouble.
        let is_left_alone = error.retry && self.health().circuit_state == CircuitState::Open;
        // A daemon comes to that by asking again; a single run has no other time.
        let is_gone = self.patience == Patience::None && error.is_nobody_there();
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
            return false;
        }
        let before = self.provider_label();
        let now = self.clock.now();
        let pipeline = &mut self.server_mut().pipeline;
        let held_until = error
            .is_out_of_credit()
            .then(|| pipeline.leave_alone(now, NO_CREDIT_HELD_MS, error.code));
        let next = route.next.remove(0);
        self.pool_mut().bring_into_force(next);
        let code = error.class().map_or(error.code, ErrorClass::code);
        let after = self.provider_label();
        route.chosen_at = self.clock.now();
        route.reason = format!("in place of {before}, which ended with {code}");
        let held = held_until.map(|until| format!("; {before} is left alone until {until}"));
        let held = held.unwrap_or_default();
        let message = format!("{after} is asked in place of {before}: {error}{held}");
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
        true
    }

    /// Keeps what a question for the next iteration of a run came to, if there is more to tell than the
    /// iteration does.
    pub(super) fn note_call(&mut self, run: &Run, route: &mut Route, put: &Put) {
        let circuit = self.health().circuit_state;
        let reply = put.reply.as_ref().ok();
        let finish = match &put.reply {
            Ok(reply) => reply.finish,
            Err(error) => error.finish,
        };
        let arrival = reply.map(|reply| reply.arrival).unwrap_or_default();
        let usage = reply.map(|reply| reply.usage_with(put.request.max_tokens));
        let answered_by = reply.and_then(|reply| reply.model.clone());
        let made = CallMade {
            run_id: run.run_id,
            iteration: run.loop_count + 1,
            provider: self.provider_label(),
            model: self.asked_model().to_owned(),
            answered_by: answered_by.filter(|model| model != self.asked_model()),
            reason: route.reason.clone(),
            failures: put.failures.clone(),
            answered: reply.is_some(),
            circuit: (circuit != CircuitState::Closed).then_some(circuit),
            constraint_kind: put.request.constraint_kind(),
            first_token_ms: arrival.first_token_ms,
            early_stop: arrival.early_stop,
            saved_tokens: usage.unwrap_or_default().saved_tokens,
            finish: Some(finish),
            decision: route.decision.take(),
            request_id: Some(route.request_id),
            chosen_at: Some(route.chosen_at),
            waited: self.waited_before(put),
        };
        if let Some(reason) = made.early_stop {
            tracing::info!(
                reason = reason.name(),
                tokens_saved_max = made.saved_tokens,
                "the rest of the reply was not waited for"
            );
        }
        let is_plain = made.failures.is_empty()
            && made.constraint_kind.is_none()
            && made.answered_by.is_none()
            && made.first_token_ms.is_none()
            && made.waited.is_empty()
            // One that nobody was asked for is told of elsewhere.
            && matches!(finish, FinishReason::Stop | FinishReason::Error);
        if self.pool().standby.is_empty() && is_plain {
            return;
        }
        if self.unreported.len() >= CALLS_REPORTED_MAX {
            // A server that was away for a night: the newest attempts say it all.
            self.unreported.remove(0);
        }
        self.unreported.push(made);
    }

    /// What the commit of an iteration tells of the calls before it.
    pub(super) fn take_calls_made(&mut self) -> Vec<Event> {
        let calls = std::mem::take(&mut self.unreported).into_iter();
        calls.map(Event::CallMade).collect()
    }

    /// How each provider fares that may be asked; the only one, where there is one.
    pub(super) fn providers_health(&self) -> Vec<ProviderHealth> {
        let now = self.clock.now();
        let health = |name: &str, model: &str, pipeline: &Pipeline| ProviderHealth {
            provider: shortened(name),
            model: shortened(model),
            health: pipeline.health(now),
        };
        if self.pool().entries.is_empty() {
            let name = self.server().pipeline.provider().provider_name();
            return vec![health(name, self.asked_model(), &self.server().pipeline)];
        }
        let members = self.pool().entries.iter().zip(&self.pool().standby);
        let health = members.map(|(entry, standby)| match standby {
            Some(one) => health(&entry.model_id, &one.config.model, &one.pipeline),
            None => health(&entry.model_id, self.asked_model(), &self.server().pipeline),
        });
        health.collect()
    }

    /// The name of the provider in force.
    fn provider_label(&self) -> String {
        let active = self.pool().entries.get(self.pool().active);
        active.map_or_else(
            || self.server().pipeline.provider().provider_name().to_owned(),
            |entry| entry.model_id.clone(),
        )
    }

    /// The names of those that are not asked for now.
    fn left_alone(&self) -> BTreeSet<String> {
        let members = self.pool().entries.iter().zip(self.left_alone_until());
        members
            .filter(|(_, until)| until.is_some())
            .map(|(entry, _)| entry.model_id.clone())
            .collect()
    }

    /// Until when each is left alone, in order; of a single provider nothing.
    fn left_alone_until(&self) -> impl Iterator<Item = Option<Timestamp>> {
        let now = self.clock.now();
        let pool = self.pool();
        let servers = pool.standby.iter();
        let servers = servers.map(|it| it.as_ref().unwrap_or(&pool.in_force));
        servers.map(move |server| server.pipeline.left_alone_until(now))
    }

    /// How long it is until one of several may be asked, where all of them are left alone.
    pub(super) fn soonest_ms(&self) -> Option<u64> {
        let all: Option<Vec<Timestamp>> = self.left_alone_until().collect();
        let soonest = all?.into_iter().min()?;
        Some(self.clock.now().millis_until(soonest))
    }
}

/// A name as it is told of: on one short line, whoever chose it.
fn shortened(name: &str) -> String {
    name.chars().take(NAME_CHARACTERS_MAX).collect()
}
