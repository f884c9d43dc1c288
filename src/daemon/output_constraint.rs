//! The output constraint of the asked server, a grammar, a JSON schema, or none, and the fallbacks
//! after a request that failed.
//!
//! The constraint is found out once for each server by a probe, which only a reply under it can
//! pass, since many servers ignore a field that they do not know. It is given up once a real
//! request is refused for it. Decides nothing about what a reply means.

use super::asked_server::ProviderState;
use super::run_profiles::RunProfile;
use crate::config::{Constrain, ProviderKind};
use crate::core::agent::{
    LoopState, Protocol, Situation, WorkingMemory, askable_targets, cycle_in,
};
use crate::core::prompt::{ChatRole, Condition, PromptFile, PromptMessage};
use crate::core::protocol::{ConstraintKind, Members, Outline, gbnf, json_ops, json_schema};
use crate::failure::Code;
use crate::provider::{
    CallResult, Constraint, FinishReason, LlmRequest, Objection, ProviderError, TokenCounter,
};
use std::sync::Arc;

/// The name of an element that no model writes by itself.
const MARK: &str = "kjx_mark";

/// The tokens of a reply that is the mark, in any form, with room for blanks.
const MARK_TOKENS: u32 = 48;

/// The output constraint of the asked server, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OutputConstraint {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// The server keeps replies to this constraint, or to none.
    At(Option<ConstraintSupport>),
}

impl OutputConstraint {
    /// Returns `before` where the server keeps replies to nothing, else this constraint.
    ///
    /// It is for cases where refusals may have meant something else.
    pub(super) const fn without_refusals(self, before: Self) -> Self {
        match self {
            Self::At(None) => before,
            Self::At(Some(_)) | Self::Unknown => self,
        }
    }
}

/// The way in which a server constrains replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConstraintSupport {
    pub(super) kind: ConstraintKind,
    /// Whether a request can turn the model's reasoning off.
    pub(super) may_turn_reasoning_off: bool,
}

/// The outcome of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// The server keeps to the constraint.
    Kept,
    /// The server ignores the field.
    Ignored,
    /// The server refuses the field.
    Refused,
    /// The model reasons in place of answering.
    Reasoned,
    /// The probe found nothing out.
    Away,
}

impl ProbeOutcome {
    /// Returns why the constraint cannot be used, or `None` where it can.
    ///
    /// The words follow the name of the server.
    pub const fn why_not(&self) -> Option<&'static str> {
        match self {
            Self::Kept => None,
            Self::Ignored => Some("passes over it"),
            Self::Refused => Some("refuses it"),
            Self::Reasoned => Some("has a model that only reasons under it"),
            Self::Away => Some("did not say"),
        }
    }
}

/// Returns the constraints to try at a server, best first.
///
/// `known` is that of the registry of models. On a market only one of them is known to work.
pub fn constraint_kinds(
    constrain: Constrain,
    known: Option<ConstraintKind>,
    kind: ProviderKind,
) -> Vec<ConstraintKind> {
    let wanted = match constrain {
        Constrain::Off => &[],
        // Nothing is known of how the model works with another one.
        Constrain::Auto => known.as_slice(),
        Constrain::From(ConstraintKind::Gbnf) => {
            &[ConstraintKind::Gbnf, ConstraintKind::JsonSchema]
        }
        Constrain::From(ConstraintKind::JsonSchema) => &[ConstraintKind::JsonSchema],
    };
    let can = |constraint: &&ConstraintKind| match kind {
        ProviderKind::LmStudio | ProviderKind::OpenAi => true,
        ProviderKind::OpenRouter => **constraint == ConstraintKind::JsonSchema,
        ProviderKind::Cli | ProviderKind::Scripted => false,
    };
    wanted.iter().filter(can).copied().collect()
}

/// Returns whether a request with a constraint may turn reasoning off.
///
/// The model then answers at once. Servers of other kinds refuse the field.
pub(super) const fn may_turn_reasoning_off(counter: Option<TokenCounter>) -> bool {
    matches!(
        counter,
        Some(TokenCounter::LlamaServer | TokenCounter::Vllm)
    )
}

/// Returns the probe of a constraint, with the first segment of the prompt file.
pub fn probe(
    kind: ConstraintKind,
    counter: Option<TokenCounter>,
    prompt: &PromptFile,
) -> LlmRequest {
    let segments = prompt.segments.iter();
    let mut segments = segments.filter(|segment| segment.condition == Condition::Default);
    let words = segments
        .next()
        .map_or("", |segment| segment.prompt.as_str());
    let text = match kind {
        ConstraintKind::Gbnf => format!("root ::= \"<{MARK}></{MARK}>\""),
        ConstraintKind::JsonSchema => format!(
            "{{\"type\":\"object\",\"properties\":{{\"op\":{{\"type\":\"string\",\
             \"enum\":[\"{MARK}\"]}}}},\"required\":[\"op\"],\"additionalProperties\":false}}"
        ),
    };
    let message = |role, content: &str| PromptMessage {
        role,
        content: content.to_owned(),
    };
    LlmRequest {
        messages: vec![
            message(ChatRole::System, words),
            message(ChatRole::User, "<state>planning</state>"),
        ],
        max_tokens: MARK_TOKENS,
        constraint: Some(Constraint {
            kind,
            text: text.into(),
        }),
        without_reasoning: may_turn_reasoning_off(counter),
        ..LlmRequest::default()
    }
}

/// Judges the reply to a probe.
pub fn probed(kind: ConstraintKind, reply: &CallResult) -> ProbeOutcome {
    match reply {
        Ok(reply) => {
            let is_mark = match kind {
                ConstraintKind::Gbnf => reply.text.trim() == format!("<{MARK}></{MARK}>"),
                ConstraintKind::JsonSchema => {
                    json_ops(&reply.text).is_some_and(|ops| ops == [MARK])
                }
            };
            if is_mark {
                ProbeOutcome::Kept
            } else {
                ProbeOutcome::Ignored
            }
        }
        Err(error) if error.is_wordless() => ProbeOutcome::Reasoned,
        Err(error) if is_refusal(error) => ProbeOutcome::Refused,
        Err(_) => ProbeOutcome::Away,
    }
}

/// Returns whether a server may have refused a request for its constraint.
pub(super) fn is_refusal(error: &ProviderError) -> bool {
    error.objection == Objection::Body
}

/// Returns whether a server refuses every request until a person acts: a key, an account.
pub(super) const fn is_shut(error: &ProviderError) -> bool {
    matches!(
        error.code,
        Code::ProviderAuthError | Code::ProviderInvalidRequest
    )
}

impl ProviderState {
    /// Returns whether the constraint in use turns reasoning off.
    pub(super) fn is_reasoning_off_for_form(&self) -> bool {
        self.hold().is_some_and(|hold| hold.may_turn_reasoning_off)
    }

    /// Returns the constraint that the asked server keeps replies to, if there is one.
    pub(super) fn constraint_in_use(&self) -> Option<ConstraintKind> {
        self.hold().map(|hold| hold.kind)
    }

    /// Returns how the asked server constrains replies, if it does.
    fn hold(&self) -> Option<ConstraintSupport> {
        match self.model.output_constraint {
            OutputConstraint::At(Some(hold)) => Some(hold),
            OutputConstraint::At(None) | OutputConstraint::Unknown => None,
        }
    }

    /// Returns whether requests to the asked model are worked on in small steps.
    ///
    /// A recording holds earlier replies of the model, which are instructions unless the
    /// configuration says otherwise.
    pub(super) fn takes_steps(&self, profile: &RunProfile) -> bool {
        let protocol = profile.config.r#loop.protocol;
        let is_recorded = self.config.kind == ProviderKind::Scripted;
        let is_wanted = match protocol {
            Protocol::Auto if is_recorded => false,
            Protocol::Auto | Protocol::Steps | Protocol::Xml => {
                protocol.is_stepwise(self.asked_model())
            }
        };
        is_wanted && profile.prompt.has_steps()
    }

    /// Returns the constraints to try at the server, best first.
    ///
    /// They are those for the model's instructions; where there are none, any that works for small
    /// steps.
    pub(super) fn candidate_kinds(&self, profile: &RunProfile) -> Vec<ConstraintKind> {
        let wanted = self.instruction_kinds(profile);
        let provider = &self.config;
        let is_local = matches!(provider.kind, ProviderKind::LmStudio | ProviderKind::OpenAi);
        if wanted.is_empty() && is_local && self.has_quiet_forms(profile) {
            return vec![ConstraintKind::Gbnf, ConstraintKind::JsonSchema];
        }
        wanted
    }

    /// Returns whether constraints are of use for small steps alone, so that nobody misses one.
    pub(super) fn has_quiet_forms(&self, profile: &RunProfile) -> bool {
        self.config.constrain == Constrain::Auto && self.takes_steps(profile)
    }

    pub(super) fn instruction_kinds(&self, profile: &RunProfile) -> Vec<ConstraintKind> {
        let model = self.asked_model();
        let known = profile.config.known_form(model);
        let provider = &self.config;
        constraint_kinds(provider.constrain, known, provider.kind)
    }

    /// Returns the constraint for a reply in a state, if there is one.
    pub(super) fn constraint(
        &self,
        profile: &RunProfile,
        memory: &WorkingMemory,
        state: LoopState,
    ) -> Option<Constraint> {
        let hold = self.hold()?;
        if !self.instruction_kinds(profile).contains(&hold.kind) {
            return None;
        }
        let situation = Situation {
            current: state,
            pending: true,
            perpetual: false,
            cycle: cycle_in(memory, state),
            policy: &profile.config.r#loop,
        };
        let targets = askable_targets(&situation);
        let outline = Outline::new(profile.offered_tags(), state, &targets);
        if outline.is_empty() {
            return None;
        }
        let members = if self.config.kind == ProviderKind::OpenRouter {
            Members::All
        } else {
            Members::AsNeeded
        };
        let text = match hold.kind {
            ConstraintKind::Gbnf => gbnf(&outline),
            ConstraintKind::JsonSchema => json_schema(&outline, members),
        };
        Some(Constraint {
            kind: hold.kind,
            text: Arc::from(text),
        })
    }
}

/// Takes back what refusals taught about the constraint, where a request without one is refused.
///
/// It was refused for something else.
pub(super) fn unlearn_form(
    server: &mut ProviderState,
    known: OutputConstraint,
    request: &LlmRequest,
    reply: &CallResult,
) {
    let is_refused = reply.as_ref().err().is_some_and(is_refusal);
    if is_refused && request.constraint_kind().is_none() {
        server.model.output_constraint = known;
    }
}

/// Judges a suspended constraint by the outcome of a request without one.
///
/// The constraint was to blame if there is a reply, and comes back if the request fails all the
/// same.
pub(super) fn judge_form(
    server: &mut ProviderState,
    request: &LlmRequest,
    reply: &CallResult,
    is_postponed: bool,
) {
    if request.constraint_kind().is_some() {
        return;
    }
    match reply {
        Ok(_) => server.model.suspended = None,
        // There is no outcome yet.
        Err(error) if error.code == Code::LlmUnavailable || error.is_unasked() => {}
        Err(_) if is_postponed => {}
        Err(_) => {
            if let Some(known) = server.model.suspended.take() {
                server.model.output_constraint = known;
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FailedRequest<'a> {
    pub(super) request: &'a LlmRequest,
    pub(super) error: &'a ProviderError,
    /// Whether the call is to be made again at a known time: the failure may still pass.
    pub(super) is_postponed: bool,
    pub(super) server: &'a ProviderState,
}

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
    reply: &mut CallResult,
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
