//! What is tried at the same provider after a question came to nothing: strategies in order, each a pure
//! function of the error and of what is known of the provider. The first one that fits is tried, once.

use super::asked_server::AskedServer;
use super::output_constraint::{OutputConstraint, is_refusal, may_turn_reasoning_off};
use super::reasoning_off::Reasoning;
use super::run_profiles::RunProfile;
use crate::config::ProviderKind;
use crate::core::protocol::ConstraintKind;
use crate::failure::Code;
use crate::provider::{FinishReason, LlmRequest, ProviderError};

/// A question that came to nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed<'a> {
    pub(super) request: &'a LlmRequest,
    pub(super) error: &'a ProviderError,
    /// Whether it is to be put again at a known time: it may yet be a moment's trouble.
    pub(super) is_postponed: bool,
    pub(super) server: &'a AskedServer,
}

/// Another way to put a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    /// Without the form that it was refused for.
    DropRefusedForm(ConstraintKind),
    /// Without a form under which the model has no answer, or its server fails, however often it is asked.
    /// What that comes to, tells whether it was the form.
    SuspendForm(ConstraintKind, &'static str),
    /// Without reasoning, of which the reply had nothing but.
    TurnReasoningOff,
}

/// The strategies, in order.
const STRATEGIES: [fn(Failed<'_>) -> Option<Fallback>; 3] =
    [without_refused_form, without_form, without_reasoning];

impl Fallback {
    /// Returns what to try after a failure, if anything is worth trying.
    pub(super) fn after(failed: Failed<'_>) -> Option<Self> {
        STRATEGIES.iter().find_map(|strategy| strategy(failed))
    }

    /// Whether the failures before it are told with those of the question that is put that way.
    pub(super) const fn keeps_failures(self) -> bool {
        !matches!(self, Self::DropRefusedForm(_))
    }

    /// Makes the next questions be put that way. Returns what is said of it.
    pub(super) fn begin(self, server: &mut AskedServer, profile: &RunProfile) -> Option<String> {
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

fn without_refused_form(failed: Failed<'_>) -> Option<Fallback> {
    let kind = failed.request.constraint_kind()?;
    is_refusal(failed.error).then_some(Fallback::DropRefusedForm(kind))
}

fn without_form(failed: Failed<'_>) -> Option<Fallback> {
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

fn without_reasoning(failed: Failed<'_>) -> Option<Fallback> {
    let server = failed.server;
    let is_heard = server.config.kind == ProviderKind::OpenRouter
        || may_turn_reasoning_off(server.context_window.counter());
    let is_new = server.model.reasoning == Reasoning::Free && !failed.request.without_reasoning;
    let is_worth_it = failed.error.is_wordless() && is_heard && is_new && !failed.is_postponed;
    is_worth_it.then_some(Fallback::TurnReasoningOff)
}

/// Says that answers are not kept to a form, unless nobody misses that.
pub(super) fn unusable_message(
    server: &AskedServer,
    profile: &RunProfile,
    kind: ConstraintKind,
    why: &str,
) -> Option<String> {
    let is_missed =
        !server.has_quiet_forms(profile) || !server.instruction_kinds(profile).is_empty();
    let (name, kind) = (server.name(), kind.name());
    is_missed.then(|| format!("answers are not kept to `{kind}`: {name} {why}"))
}
