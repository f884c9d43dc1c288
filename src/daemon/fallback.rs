//! Fallbacks: other ways to make a request at the same provider, after it failed.
//!
//! The strategies are in order, each a pure function of the error and of the facts about the
//! provider. The first one that fits is tried, once.

use super::asked_server::ProviderState;
use super::output_constraint::{OutputConstraint, is_refusal, may_turn_reasoning_off};
use super::run_profiles::RunProfile;
use crate::config::ProviderKind;
use crate::core::protocol::ConstraintKind;
use crate::failure::Code;
use crate::provider::{FinishReason, LlmReply, LlmRequest, ProviderError};

#[derive(Clone, Copy, Debug)]
pub(super) struct FailedRequest<'a> {
    pub(super) request: &'a LlmRequest,
    pub(super) error: &'a ProviderError,
    /// Whether the call is to be made again at a known time: the failure may still pass.
    pub(super) is_postponed: bool,
    pub(super) server: &'a ProviderState,
}

/// Another way to make a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    /// Without the constraint that it was refused for.
    DropRefusedForm(ConstraintKind),
    /// Without a constraint under which the model has no reply, or its server fails, each time.
    ///
    /// The outcome shows whether the constraint was to blame.
    SuspendForm(ConstraintKind, &'static str),
    /// Without reasoning, since the reply had nothing else.
    TurnReasoningOff,
}

/// The strategies, in order.
const STRATEGIES: [fn(FailedRequest<'_>) -> Option<Fallback>; 3] =
    [without_refused_form, without_form, without_reasoning];

impl Fallback {
    /// Returns what to try after a failure, if anything is worth trying.
    pub(super) fn after(failed: FailedRequest<'_>) -> Option<Self> {
        STRATEGIES.iter().find_map(|strategy| strategy(failed))
    }

    /// Returns whether the failures before this fallback are recorded with its own.
    pub(super) const fn keeps_failures(self) -> bool {
        !matches!(self, Self::DropRefusedForm(_))
    }

    /// Applies the fallback to the next requests; returns the message about it.
    pub(super) fn begin(self, server: &mut ProviderState, profile: &RunProfile) -> Option<String> {
        match self {
            Self::DropRefusedForm(kind) => {
                let message = unusable_message(server, profile, kind, "refuses it");
                server.model.output_constraint = OutputConstraint::At(None);
                message
            }
            Self::SuspendForm(kind, why) => {
                let message = unusable_message(server, profile, kind, why);
                let model = &mut server.model;
                model.suspended = Some(model.output_constraint);
                model.output_constraint = OutputConstraint::At(None);
                message
            }
            Self::TurnReasoningOff => {
                server.model.reasoning = Reasoning::Silenced;
                let name = server.name();
                Some(format!(
                    "{name}: the model only reasons; it is told not to from now on"
                ))
            }
        }
    }
}

fn without_refused_form(failed: FailedRequest<'_>) -> Option<Fallback> {
    let kind = failed.request.constraint_kind()?;
    is_refusal(failed.error).then_some(Fallback::DropRefusedForm(kind))
}

fn without_form(failed: FailedRequest<'_>) -> Option<Fallback> {
    let (kind, error) = (failed.request.constraint_kind()?, failed.error);
    let codes = [Code::ProviderServerError, Code::ProviderBadResponse];
    let is_filtered = error.finish == FinishReason::ContentFilter;
    let breaks = error.is_wordless() || codes.contains(&error.code) && !is_filtered;
    let why = if error.is_wordless() {
        "has a model that has no answer under it"
    } else {
        "fails under it"
    };
    (breaks && !failed.is_postponed).then_some(Fallback::SuspendForm(kind, why))
}

fn without_reasoning(failed: FailedRequest<'_>) -> Option<Fallback> {
    let server = failed.server;
    let is_heard = server.config.kind == ProviderKind::OpenRouter
        || may_turn_reasoning_off(server.context_window.counter());
    let is_new = server.model.reasoning == Reasoning::Free && !failed.request.without_reasoning;
    let is_worth_it = failed.error.is_wordless() && is_heard && is_new && !failed.is_postponed;
    is_worth_it.then_some(Fallback::TurnReasoningOff)
}

/// Returns the message that replies are not kept to a constraint, unless nobody misses that.
pub(super) fn unusable_message(
    server: &ProviderState,
    profile: &RunProfile,
    kind: ConstraintKind,
    why: &str,
) -> Option<String> {
    let is_missed =
        !server.has_quiet_forms(profile) || !server.instruction_kinds(profile).is_empty();
    let (name, kind) = (server.name(), kind.name());
    is_missed.then(|| format!("answers are not kept to `{kind}`: {name} {why}"))
}

/// Whether requests turn the asked model's reasoning off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// Requests leave reasoning to the model.
    #[default]
    Free,
    /// Requests turn reasoning off.
    Silenced,
    /// Requests do not turn reasoning off: that was of no use, or refused.
    Needed,
}

/// Judges the outcome of a request that was repeated without reasoning.
///
/// Where it was refused for that, or has no reply either, the model reasons on. A refusal says
/// nothing new, so that the earlier error stays.
pub(super) fn judge_reasoning_off(
    server: &mut ProviderState,
    reply: &mut Result<LlmReply, ProviderError>,
    before: ProviderError,
) {
    let Err(error) = reply else {
        return;
    };
    if is_refusal(error) {
        server.model.reasoning = Reasoning::Needed;
        *error = before;
    } else if error.is_wordless() {
        server.model.reasoning = Reasoning::Needed;
    }
}
