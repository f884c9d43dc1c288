//! The output constraint of the asked server: a grammar, a JSON schema, or nothing. Found out once for each
//! server by a short question that only an answer kept to form can meet, since many pass over a field
//! that they do not know; and given up once a real question is refused for it. Decides nothing about
//! what an answer means.

use super::asked_server::AskedServer;
use super::run_profiles::RunProfile;
use crate::config::{Constrain, ProviderKind};
use crate::core::agent::{LoopState, Protocol, Situation, askable_targets, cycle_in};
use crate::core::journal::State;
use crate::core::prompt::{ChatRole, Condition, Message, PromptFile};
use crate::core::protocol::{
    AllowedTags, ConstraintKind, Members, Outline, ParseOptions, gbnf, json_schema, xml_of_json,
};
use crate::failure::Code;
use crate::provider::{Constraint, LlmReply, LlmRequest, Objection, ProviderError, TokenCounter};
use std::sync::Arc;

/// An element that no model writes by itself.
const MARK: &str = "kjx_mark";

/// Tokens of an answer that is the mark, in whatever form, with room for blanks.
const MARK_TOKENS: u32 = 48;

/// The output constraint of the asked server, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OutputConstraint {
    /// Nothing yet.
    #[default]
    Unknown,
    /// It keeps answers to that.
    At(Option<Hold>),
}

impl OutputConstraint {
    /// What is known where refusals may have meant something else: how answers are kept to form, else
    /// what was known before.
    pub(super) const fn without_refusals(self, before: Self) -> Self {
        match self {
            Self::At(None) => before,
            Self::At(Some(_)) | Self::Unknown => self,
        }
    }
}

/// How a server keeps answers to form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub(super) kind: ConstraintKind,
    /// Whether its model can be told not to reason first.
    pub(super) may_turn_reasoning_off: bool,
}

/// What came of asking a server for the mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probed {
    /// It keeps to it.
    Kept,
    /// It passes over the field.
    Ignored,
    /// It refuses the field.
    Refused,
    /// Its model reasons in place of answering.
    Reasoned,
    /// It could not be found out.
    Away,
}

impl Probed {
    /// Why it cannot be used, in words that follow the name of the server; nothing where it can.
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

/// Returns the constraints to try at a server, best first. Of the market only one is known to work.
pub fn constraint_kinds(
    constrain: Constrain,
    measured: Option<ConstraintKind>,
    kind: ProviderKind,
) -> Vec<ConstraintKind> {
    let wanted: &[ConstraintKind] = match (constrain, measured) {
        (Constrain::Off, _) | (Constrain::Auto, None) => &[],
        (Constrain::From(ConstraintKind::Gbnf), _) => {
            &[ConstraintKind::Gbnf, ConstraintKind::JsonSchema]
        }
        (Constrain::From(ConstraintKind::JsonSchema), _)
        | (Constrain::Auto, Some(ConstraintKind::JsonSchema)) => &[ConstraintKind::JsonSchema],
        // Nothing is known of how the model takes to the next one.
        (Constrain::Auto, Some(ConstraintKind::Gbnf)) => &[ConstraintKind::Gbnf],
    };
    let can = |constraint: &&ConstraintKind| match kind {
        ProviderKind::LmStudio | ProviderKind::OpenAi => true,
        ProviderKind::OpenRouter => **constraint == ConstraintKind::JsonSchema,
        ProviderKind::Cli | ProviderKind::Scripted => false,
    };
    wanted.iter().filter(can).copied().collect()
}

/// What servers are told beside a form, so that their model answers at once. Others refuse the field.
pub(super) const fn may_turn_reasoning_off(counter: Option<TokenCounter>) -> bool {
    matches!(
        counter,
        Some(TokenCounter::LlamaServer | TokenCounter::Vllm)
    )
}

/// Returns the short question that tests a constraint, with the first words of the prompt file.
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
    let message = |role, content: &str| Message {
        role,
        content: content.to_owned(),
    };
    LlmRequest {
        messages: vec![
            message(ChatRole::System, words),
            message(ChatRole::User, "<state>planning</state>"),
        ],
        max_tokens: MARK_TOKENS,
        allowed_tags: AllowedTags::default(),
        constraint: Some(Constraint {
            kind,
            text: text.into(),
        }),
        without_reasoning: may_turn_reasoning_off(counter),
    }
}

/// What the answer to a short question says.
pub fn probed(kind: ConstraintKind, reply: &Result<LlmReply, ProviderError>) -> Probed {
    match reply {
        Ok(reply) => {
            let text = match kind {
                ConstraintKind::Gbnf => Some(reply.text.clone()),
                ConstraintKind::JsonSchema => xml_of_json(&reply.text, &ParseOptions::default()),
            };
            let mark = format!("<{MARK}></{MARK}>");
            if text.is_some_and(|text| text.trim() == mark) {
                Probed::Kept
            } else {
                Probed::Ignored
            }
        }
        Err(error) if error.is_wordless() => Probed::Reasoned,
        Err(error) if is_refusal(error) => Probed::Refused,
        Err(_) => Probed::Away,
    }
}

/// Whether a server may have refused a question for the form that it was to be answered in.
pub(super) fn is_refusal(error: &ProviderError) -> bool {
    error.objection == Objection::Body
}

/// Whether a server refuses whatever it is asked, until a person has seen to it: a key, an account.
pub(super) const fn is_shut(error: &ProviderError) -> bool {
    matches!(
        error.code,
        Code::ProviderAuthError | Code::ProviderInvalidRequest
    )
}

impl AskedServer {
    /// Whether a form holds where the model reasons as well, and it is told not to.
    pub(super) fn is_reasoning_off_for_form(&self) -> bool {
        self.hold().is_some_and(|hold| hold.may_turn_reasoning_off)
    }

    /// Returns what the asked server keeps answers to, if it does.
    pub(super) fn constraint_in_use(&self) -> Option<ConstraintKind> {
        self.hold().map(|hold| hold.kind)
    }

    /// How the asked server keeps answers to form, if it does.
    fn hold(&self) -> Option<Hold> {
        match self.model.output_constraint {
            OutputConstraint::At(Some(hold)) => Some(hold),
            OutputConstraint::At(None) | OutputConstraint::Unknown => None,
        }
    }

    /// Returns whether requests to the asked model are worked on in small steps. A recording holds what the
    /// model once said, which is instructions unless the configuration says otherwise.
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

    /// Returns what to try at the server: what the model's instructions are to be kept to, else, where
    /// requests are worked on in small steps, whatever keeps those to form.
    pub(super) fn candidate_kinds(&self, profile: &RunProfile) -> Vec<ConstraintKind> {
        let wanted = self.instruction_kinds(profile);
        let provider = &self.config;
        let is_local = matches!(provider.kind, ProviderKind::LmStudio | ProviderKind::OpenAi);
        if wanted.is_empty() && is_local && self.has_quiet_forms(profile) {
            return vec![ConstraintKind::Gbnf, ConstraintKind::JsonSchema];
        }
        wanted
    }

    /// Returns whether a form is of use for small steps alone: what a server lacks of it nobody misses.
    pub(super) fn has_quiet_forms(&self, profile: &RunProfile) -> bool {
        self.config.constrain == Constrain::Auto && self.takes_steps(profile)
    }

    pub(super) fn instruction_kinds(&self, profile: &RunProfile) -> Vec<ConstraintKind> {
        let model = self.asked_model();
        let known = profile.config.known_form(model);
        let provider = &self.config;
        constraint_kinds(provider.constrain, known, provider.kind)
    }

    /// What an answer in a state is to be kept to.
    pub(super) fn constraint(
        &self,
        profile: &RunProfile,
        known: &State,
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
            cycle: cycle_in(known, state),
            policy: &profile.config.r#loop,
        };
        let targets = askable_targets(&situation);
        let outline = Outline::new(profile.prompt.allowed_tags, state, &targets);
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

/// Takes back what refusals have taught of the form, if the question without one came to `reply`: it
/// was refused for something else.
pub(super) fn unlearn_form(
    server: &mut AskedServer,
    known: OutputConstraint,
    request: &LlmRequest,
    reply: &Result<LlmReply, ProviderError>,
) {
    let is_refused = reply.as_ref().err().is_some_and(is_refusal);
    if is_refused && request.constraint_kind().is_none() {
        server.model.output_constraint = known;
    }
}

/// What a question without a form says of the form that was given up: it was to blame if there is an
/// answer, and was not if the same comes to nothing without it.
pub(super) fn judge_form(
    server: &mut AskedServer,
    request: &LlmRequest,
    reply: &Result<LlmReply, ProviderError>,
    is_postponed: bool,
) {
    if request.constraint_kind().is_some() {
        return;
    }
    match reply {
        Ok(_) => server.model.suspended = None,
        // Nothing has come of it yet.
        Err(error) if error.code == Code::LlmUnavailable || error.is_unasked() => {}
        Err(_) if is_postponed => {}
        Err(_) => {
            if let Some(known) = server.model.suspended.take() {
                server.model.output_constraint = known;
            }
        }
    }
}
