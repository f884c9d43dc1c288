//! Which of several providers have room for a question: their windows as far as anybody knows them, and
//! the least window that would do. A window that nobody knows shuts nobody out. Chooses nobody: `core::route`
//! does.

use super::agent::Agent;
use super::provider_pool::AskedServer;
use crate::core::agent::{LoopState, Numbered};
use crate::core::prompt::{PromptData, Window, least_tokens};
use crate::core::route::{ModelEntry, Requirements, RiskLevel, RoutingInput, TaskType};
use std::collections::BTreeSet;

/// What stands for the window of a model of which nobody knows it, in tokens.
pub(super) const WINDOW_UNKNOWN_TOKENS: u32 = u32::MAX;

/// What stands beside a provider, whether it is in force or not.
#[derive(Clone, Copy, Debug)]
struct Member<'a> {
    /// What routing knows of it.
    entry: &'a ModelEntry,
    server: &'a AskedServer,
}

impl Agent {
    /// What routing knows of each provider now: also the window that a server has told since.
    pub(super) fn entries_now(&self) -> Vec<ModelEntry> {
        let known = |member: Member<'_>| {
            let mut entry = member.entry.clone();
            let window = member.server.window();
            if window.is_known() {
                entry.context_length = entry.context_length.min(window.tokens);
            }
            entry
        };
        self.members().map(known).collect()
    }

    /// The least window that has room for the question of a state and an answer, in tokens: as few as any
    /// of the providers may need for it.
    pub(super) fn least_window(&mut self, state: LoopState) -> Option<u32> {
        let time = self.minute.of(self.clock.now()).to_owned();
        let ram = &self.store.state().ram;
        let step = ram.step();
        let data = PromptData {
            time: &time,
            state,
            request: ram.request(),
            ram: &[],
            ram_order: &[],
            step: step.as_deref(),
            results: &[],
            numbered: Numbered::default(),
        };
        let least = |member: Member<'_>| {
            let meter = self.meter_of(member.server);
            let tokens = least_tokens(&self.profile.prompt, &data, meter).ok()?;
            let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
            Some(Window::least_for(tokens, member.server.config.max_tokens))
        };
        self.members().filter_map(least).min()
    }

    /// What stands beside each of several providers, in order.
    fn members(&self) -> impl Iterator<Item = Member<'_>> {
        let pool = self.pool();
        let servers = pool.standby.iter();
        let servers = servers.map(|it| it.as_ref().unwrap_or(&pool.in_force));
        let members = pool.entries.iter().zip(servers);
        members.map(|(entry, server)| Member { entry, server })
    }
}

/// Whether a model is not known to have a smaller window.
pub(super) fn has_room(entry: &ModelEntry, least_window: Option<u32>) -> bool {
    least_window.is_none_or(|least| entry.context_length >= least)
}

/// What the loop asks of a model: to talk, and to have a window of that size at least.
pub(super) fn question_about(
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
