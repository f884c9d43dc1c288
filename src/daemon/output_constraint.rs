//! The output constraint of the asked server: a grammar, a JSON schema, or nothing. Found out once for each
//! server by a short question that only an answer kept to form can meet, since many pass over a field
//! that they do not know; and given up once a real question is refused for it. Decides nothing about
//! what an answer means.

use super::agent::{Agent, Halt};
use super::observer::LoopEvent;
use crate::config::{Constrain, ProviderKind};
use crate::core::agent::{LoopState, Situation, askable_targets, cycle_in};
use crate::core::prompt::{ChatRole, Condition, Message, PromptFile};
use crate::core::protocol::{
    AllowedTags, ConstraintKind, Members, Outline, ParseOptions, gbnf, json_schema, xml_of_json,
};
use crate::failure::Code;
use crate::provider::{
    Constraint, FinishReason, LlmReply, LlmRequest, Objection, ProviderError, TokenCounter,
};
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
    kind: ConstraintKind,
    /// Whether its model can be told not to reason first.
    may_turn_reasoning_off: bool,
}

/// Why a question cannot be put for now.
#[derive(Debug)]
pub(super) struct Unready {
    /// Why.
    pub error: ProviderError,
    /// What attempts to find out came to.
    pub failures: Vec<Code>,
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
const fn is_shut(error: &ProviderError) -> bool {
    matches!(
        error.code,
        Code::ProviderAuthError | Code::ProviderInvalidRequest
    )
}

/// Whether a model or its server may have failed for the form that its answer was to have.
fn breaks(error: &ProviderError) -> bool {
    let codes = [Code::ProviderServerError, Code::ProviderBadResponse];
    let is_filtered = error.finish == FinishReason::ContentFilter;
    error.is_wordless() || codes.contains(&error.code) && !is_filtered
}

impl Agent {
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
        match self.server().model.output_constraint {
            OutputConstraint::At(Some(hold)) => Some(hold),
            OutputConstraint::At(None) | OutputConstraint::Unknown => None,
        }
    }

    /// Finds out what the asked server keeps answers to, once. Where it cannot be found out now, it is
    /// before the next question.
    pub(super) async fn settle_constraint(&mut self) -> Result<Result<(), Unready>, Halt> {
        if self.server().model.output_constraint != OutputConstraint::Unknown {
            return Ok(Ok(()));
        }
        let candidates = self.candidate_kinds();
        let counter = self.server().context_window.counter();
        for kind in &candidates {
            let request = probe(*kind, counter, &self.profile.prompt);
            let (outcome, _) = self.complete(&request).await?;
            let found = probed(*kind, &outcome.reply);
            let Some(why) = found.why_not() else {
                self.server_mut().model.output_constraint = OutputConstraint::At(Some(Hold {
                    kind: *kind,
                    may_turn_reasoning_off: may_turn_reasoning_off(counter),
                }));
                return Ok(Ok(()));
            };
            match outcome.reply {
                // What repeats have not cured is as bad for the question itself.
                Err(error) if found == Probed::Away && (error.retry || is_shut(&error)) => {
                    let failures = outcome.failures;
                    return Ok(Err(Unready { error, failures }));
                }
                Err(_) if found == Probed::Away => return Ok(Ok(())),
                Ok(_) | Err(_) => self.report_unusable(*kind, why),
            }
        }
        self.server_mut().model.output_constraint = OutputConstraint::At(None);
        Ok(Ok(()))
    }

    /// Goes on without the form that a question was refused for. Gives whether it is worth asking once
    /// more.
    pub(super) fn step_down(&mut self, request: &LlmRequest, error: &ProviderError) -> bool {
        let Some(refused) = request.constraint_kind().filter(|_| is_refusal(error)) else {
            return false;
        };
        self.report_unusable(refused, "refuses it");
        self.server_mut().model.output_constraint = OutputConstraint::At(None);
        true
    }

    /// Takes back what refusals have taught of the form, if the question without one came to `reply`: it
    /// was refused for something else.
    pub(super) fn unlearn_form(
        &mut self,
        known: OutputConstraint,
        request: &LlmRequest,
        reply: &Result<LlmReply, ProviderError>,
    ) {
        let is_refused = reply.as_ref().err().is_some_and(is_refusal);
        if is_refused && request.constraint_kind().is_none() {
            self.server_mut().model.output_constraint = known;
        }
    }

    /// Goes on without a form under which the model has no answer, or its server fails, however often it is
    /// asked. Gives whether the question is worth putting once more; what that comes to, tells whether it
    /// was the form.
    pub(super) fn give_up_form(&mut self, request: &LlmRequest, error: &ProviderError) -> bool {
        let Some(kind) = request.constraint_kind().filter(|_| breaks(error)) else {
            return false;
        };
        // It may yet be a moment's trouble: the same is asked again first.
        if self.is_postponed(error) {
            return false;
        }
        let why = if error.is_wordless() {
            "has a model that has no answer under it"
        } else {
            "fails under it"
        };
        self.report_unusable(kind, why);
        self.server_mut().model.suspended = Some(self.server().model.output_constraint);
        self.server_mut().model.output_constraint = OutputConstraint::At(None);
        true
    }

    /// What a question without a form says of the form that was given up: it was to blame if there is an
    /// answer, and was not if the same comes to nothing without it.
    pub(super) fn judge_form(
        &mut self,
        request: &LlmRequest,
        reply: &Result<LlmReply, ProviderError>,
    ) {
        if request.constraint_kind().is_some() {
            return;
        }
        match reply {
            Ok(_) => self.server_mut().model.suspended = None,
            // Nothing has come of it yet.
            Err(error) if error.code == Code::LlmUnavailable || error.is_unasked() => {}
            Err(error) if self.is_postponed(error) => {}
            Err(_) => {
                if let Some(known) = self.server_mut().model.suspended.take() {
                    self.server_mut().model.output_constraint = known;
                }
            }
        }
    }

    /// Returns what to try at the server: what the model's instructions are to be kept to, else, where
    /// requests are worked on in small steps, whatever keeps those to form.
    fn candidate_kinds(&self) -> Vec<ConstraintKind> {
        let wanted = self.instruction_kinds();
        let provider = &self.server().config;
        let is_local = matches!(provider.kind, ProviderKind::LmStudio | ProviderKind::OpenAi);
        if wanted.is_empty() && is_local && self.has_quiet_forms() {
            return vec![ConstraintKind::Gbnf, ConstraintKind::JsonSchema];
        }
        wanted
    }

    /// Returns whether a form is of use for small steps alone: what a server lacks of it nobody misses.
    fn has_quiet_forms(&self) -> bool {
        self.server().config.constrain == Constrain::Auto && self.takes_steps()
    }

    fn instruction_kinds(&self) -> Vec<ConstraintKind> {
        let model = self.asked_model();
        let known = self.profile.config.known_form(model);
        let provider = &self.server().config;
        constraint_kinds(provider.constrain, known, provider.kind)
    }

    fn report_unusable(&mut self, kind: ConstraintKind, why: &str) {
        if self.has_quiet_forms() && self.instruction_kinds().is_empty() {
            return;
        }
        let name = self.server().pipeline.provider().provider_name();
        let kind = kind.name();
        let message = format!("answers are not kept to `{kind}`: {name} {why}");
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
    }

    /// What an answer in a state is to be kept to.
    pub(super) fn constraint(&self, state: LoopState) -> Option<Constraint> {
        let hold = self.hold()?;
        if !self.instruction_kinds().contains(&hold.kind) {
            return None;
        }
        let situation = Situation {
            current: state,
            pending: true,
            perpetual: false,
            cycle: cycle_in(self.store.state(), state),
            policy: &self.profile.config.r#loop,
        };
        let targets = askable_targets(&situation);
        let outline = Outline::new(self.profile.prompt.allowed_tags, state, &targets);
        if outline.is_empty() {
            return None;
        }
        let members = if self.server().config.kind == ProviderKind::OpenRouter {
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
