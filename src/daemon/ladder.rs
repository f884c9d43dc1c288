//! What the asked server keeps answers to: a grammar, a JSON schema, or nothing. Found out once for each
//! server by a short question that only an answer kept to form can meet, since many pass over a field
//! that they do not know; and given up once a real question is refused for it. Decides nothing about
//! what an answer means.

use super::agent::{Agent, Halt};
use super::watcher::Sight;
use crate::config::{Constrain, ProviderKind};
use crate::core::agent::{LoopState, Situation, askable_targets, cycle_in};
use crate::core::prompt::{ChatRole, Condition, Message, PromptFile};
use crate::core::protocol::{
    AllowedTags, Members, Outline, ParseOptions, Rung, gbnf, json_schema, xml_of_json,
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

/// What is known of the asked server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ladder {
    /// Nothing yet.
    #[default]
    Unknown,
    /// It keeps answers to that.
    At(Option<Hold>),
}

impl Ladder {
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
    rung: Rung,
    /// Whether its model can be told not to reason first.
    may_silence: bool,
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

/// What to try at a server, best first. Of the market only one thing is known to work.
pub fn rungs(constrain: Constrain, measured: Option<Rung>, kind: ProviderKind) -> Vec<Rung> {
    let wanted: &[Rung] = match (constrain, measured) {
        (Constrain::Off, _) | (Constrain::Auto, None) => &[],
        (Constrain::From(Rung::Gbnf), _) => &[Rung::Gbnf, Rung::JsonSchema],
        (Constrain::From(Rung::JsonSchema), _) | (Constrain::Auto, Some(Rung::JsonSchema)) => {
            &[Rung::JsonSchema]
        }
        // Nothing is known of how the model takes to the next one.
        (Constrain::Auto, Some(Rung::Gbnf)) => &[Rung::Gbnf],
    };
    let can = |rung: &&Rung| match kind {
        ProviderKind::LmStudio | ProviderKind::OpenAi => true,
        ProviderKind::OpenRouter => **rung == Rung::JsonSchema,
        ProviderKind::Cli | ProviderKind::Scripted => false,
    };
    wanted.iter().filter(can).copied().collect()
}

/// What servers are told beside a form, so that their model answers at once. Others refuse the field.
pub(super) const fn may_silence(counter: Option<TokenCounter>) -> bool {
    matches!(
        counter,
        Some(TokenCounter::LlamaServer | TokenCounter::Vllm)
    )
}

/// The short question of a rung, with the first words of the prompt file.
pub fn probe(rung: Rung, counter: Option<TokenCounter>, prompt: &PromptFile) -> LlmRequest {
    let segments = prompt.segments.iter();
    let mut segments = segments.filter(|segment| segment.condition == Condition::Default);
    let words = segments
        .next()
        .map_or("", |segment| segment.prompt.as_str());
    let text = match rung {
        Rung::Gbnf => format!("root ::= \"<{MARK}></{MARK}>\""),
        Rung::JsonSchema => format!(
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
            rung,
            text: text.into(),
        }),
        without_reasoning: may_silence(counter),
    }
}

/// What the answer to a short question says.
pub fn probed(rung: Rung, reply: &Result<LlmReply, ProviderError>) -> Probed {
    match reply {
        Ok(reply) => {
            let text = match rung {
                Rung::Gbnf => Some(reply.text.clone()),
                Rung::JsonSchema => xml_of_json(&reply.text, &ParseOptions::default()),
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
    pub(super) fn is_silenced_for_form(&self) -> bool {
        self.hold().is_some_and(|hold| hold.may_silence)
    }

    /// Returns what the asked server keeps answers to, if it does.
    pub(super) fn rung_held(&self) -> Option<Rung> {
        self.hold().map(|hold| hold.rung)
    }

    /// How the asked server keeps answers to form, if it does.
    const fn hold(&self) -> Option<Hold> {
        match self.model.ladder {
            Ladder::At(Some(hold)) => Some(hold),
            Ladder::At(None) | Ladder::Unknown => None,
        }
    }

    /// Finds out what the asked server keeps answers to, once. Where it cannot be found out now, it is
    /// before the next question.
    pub(super) async fn settle_rung(&mut self) -> Result<Result<(), Unready>, Halt> {
        if self.model.ladder != Ladder::Unknown {
            return Ok(Ok(()));
        }
        let wanted = self.wanted_rungs();
        let counter = self.room.counter();
        for rung in &wanted {
            let request = probe(*rung, counter, &self.prompt);
            let (outcome, _) = self.complete(&request).await?;
            let found = probed(*rung, &outcome.reply);
            let Some(why) = found.why_not() else {
                self.model.ladder = Ladder::At(Some(Hold {
                    rung: *rung,
                    may_silence: may_silence(counter),
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
                Ok(_) | Err(_) => self.tell_unusable(*rung, why),
            }
        }
        self.model.ladder = Ladder::At(None);
        Ok(Ok(()))
    }

    /// Goes on without the form that a question was refused for. Gives whether it is worth asking once
    /// more.
    pub(super) fn step_down(&mut self, request: &LlmRequest, error: &ProviderError) -> bool {
        let Some(refused) = request.rung().filter(|_| is_refusal(error)) else {
            return false;
        };
        self.tell_unusable(refused, "refuses it");
        self.model.ladder = Ladder::At(None);
        true
    }

    /// Takes back what refusals have taught of the form, if the question without one came to `reply`: it
    /// was refused for something else.
    pub(super) fn unlearn_form(
        &mut self,
        known: Ladder,
        request: &LlmRequest,
        reply: &Result<LlmReply, ProviderError>,
    ) {
        let is_refused = reply.as_ref().err().is_some_and(is_refusal);
        if is_refused && request.rung().is_none() {
            self.model.ladder = known;
        }
    }

    /// Goes on without a form under which the model has no answer, or its server fails, however often it is
    /// asked. Gives whether the question is worth putting once more; what that comes to, tells whether it
    /// was the form.
    pub(super) fn give_up_form(&mut self, request: &LlmRequest, error: &ProviderError) -> bool {
        let Some(rung) = request.rung().filter(|_| breaks(error)) else {
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
        self.tell_unusable(rung, why);
        self.model.doubted = Some(self.model.ladder);
        self.model.ladder = Ladder::At(None);
        true
    }

    /// What a question without a form says of the form that was given up: it was to blame if there is an
    /// answer, and was not if the same comes to nothing without it.
    pub(super) fn judge_form(
        &mut self,
        request: &LlmRequest,
        reply: &Result<LlmReply, ProviderError>,
    ) {
        if request.rung().is_some() {
            return;
        }
        match reply {
            Ok(_) => self.model.doubted = None,
            // Nothing has come of it yet.
            Err(error) if error.code == Code::LlmUnavailable || error.is_unasked() => {}
            Err(error) if self.is_postponed(error) => {}
            Err(_) => {
                if let Some(known) = self.model.doubted.take() {
                    self.model.ladder = known;
                }
            }
        }
    }

    /// Returns what to try at the server: what the model's instructions are to be kept to, else, where
    /// requests are worked on in small steps, whatever keeps those to form.
    fn wanted_rungs(&self) -> Vec<Rung> {
        let wanted = self.instruction_rungs();
        let provider = &self.config.provider;
        let is_local = matches!(provider.kind, ProviderKind::LmStudio | ProviderKind::OpenAi);
        if wanted.is_empty() && is_local && self.has_quiet_forms() {
            return vec![Rung::Gbnf, Rung::JsonSchema];
        }
        wanted
    }

    /// Returns whether a form is of use for small steps alone: what a server lacks of it nobody misses.
    fn has_quiet_forms(&self) -> bool {
        self.config.provider.constrain == Constrain::Auto && self.takes_steps()
    }

    fn instruction_rungs(&self) -> Vec<Rung> {
        let model = self.asked_model();
        let known = self.config.known_form(model);
        let provider = &self.config.provider;
        rungs(provider.constrain, known, provider.kind)
    }

    fn tell_unusable(&mut self, rung: Rung, why: &str) {
        if self.has_quiet_forms() && self.instruction_rungs().is_empty() {
            return;
        }
        let name = self.pipeline.provider().provider_name();
        let rung = rung.name();
        let message = format!("answers are not kept to `{rung}`: {name} {why}");
        self.watcher.saw(Sight::Notice { message: &message });
    }

    /// What an answer in a state is to be kept to.
    pub(super) fn constraint(&self, state: LoopState) -> Option<Constraint> {
        let hold = self.hold()?;
        if !self.instruction_rungs().contains(&hold.rung) {
            return None;
        }
        let situation = Situation {
            current: state,
            pending: true,
            perpetual: false,
            cycle: cycle_in(self.store.state(), state),
            policy: &self.config.r#loop,
        };
        let targets = askable_targets(&situation);
        let outline = Outline::new(self.prompt.allowed_tags, state, &targets);
        if outline.is_empty() {
            return None;
        }
        let members = if self.config.provider.kind == ProviderKind::OpenRouter {
            Members::All
        } else {
            Members::AsNeeded
        };
        let text = match hold.rung {
            Rung::Gbnf => gbnf(&outline),
            Rung::JsonSchema => json_schema(&outline, members),
        };
        Some(Constraint {
            rung: hold.rung,
            text: Arc::from(text),
        })
    }
}
