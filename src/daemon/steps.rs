//! A request worked on in small steps: puts the questions that `core` asks for, each within its room and
//! kept to the form that was made for it, and hands their replies back. Decides nothing about them.

use super::agent::{Agent, Halt};
use super::compose::Composed;
use super::heard::{Answer, Asked, Heard, keep};
use crate::config::ProviderKind;
use crate::core::agent::{Beside, LoopState, Next, Protocol, Stepwise, Worked};
use crate::core::prompt::{AllocationSummary, PromptBudget, TokenMeter};
use crate::core::protocol::{AllowedTags, ConstraintKind, Parsed};
use crate::core::run::Run;
use crate::core::steps::question::Question;
use crate::failure::Code;
use crate::provider::{Constraint, LlmRequest, ProviderError};
use std::sync::Arc;

impl Agent {
    /// Returns whether requests to the asked model are worked on in small steps. A recording holds what the
    /// model once said, which is instructions unless the configuration says otherwise.
    pub(super) fn takes_steps(&self) -> bool {
        let protocol = self.profile.config.r#loop.protocol;
        let is_recorded = self.server().config.kind == ProviderKind::Scripted;
        let is_wanted = match protocol {
            Protocol::Auto if is_recorded => false,
            Protocol::Auto | Protocol::Steps | Protocol::Xml => {
                protocol.is_stepwise(self.asked_model())
            }
        };
        is_wanted && self.profile.prompt.has_steps()
    }

    /// Returns whether an iteration of a run is worked in small steps.
    pub(super) fn is_stepwise(&self, run: &Run, ran_in: LoopState) -> bool {
        run.request.is_some()
            && self.takes_steps()
            && self.stepwise(run, ran_in).is_some_and(|it| it.applies())
    }

    fn stepwise<'a>(&'a self, run: &'a Run, ran_in: LoopState) -> Option<Stepwise<'a>> {
        let state = self.store.state();
        Some(Stepwise {
            state,
            index: self.store.search_index(),
            workspace_id: self.profile.config.scope.workspace_id,
            prompt: &self.profile.prompt,
            request: state.ram.request()?,
            shown: &run.progress.shown,
            ran_in,
        })
    }

    /// Asks what an iteration in small steps needs to know, and says what it comes to.
    pub(super) async fn ask_in_steps(
        &mut self,
        run: &Run,
        ran_in: LoopState,
        heard: &mut Heard,
    ) -> Result<Asked, Halt> {
        let mut replies: Vec<String> = Vec::new();
        let mut answer = Answer {
            is_stepwise: true,
            messages_hash: self.hashes.of(&[]),
            ..Answer::of(Ok((Parsed::nothing(), None)))
        };
        loop {
            let next = self.stepwise(run, ran_in).map(|it| it.next(&replies));
            let reply = match next {
                Some(Next::Ask(question)) => {
                    let asked = self.ask_step(run, ran_in, *question, heard, &mut answer);
                    match asked.await? {
                        Ok(text) => {
                            replies.push(text);
                            continue;
                        }
                        Err(error) if self.is_away(&error) => return Ok(Asked::Away(error)),
                        Err(error) => {
                            self.report_failed(&error);
                            Err(error.code)
                        }
                    }
                }
                Some(Next::Done(worked)) => {
                    let Worked {
                        reply,
                        carried,
                        shown,
                    } = *worked;
                    answer.carried = carried;
                    answer.shown = shown;
                    Ok((reply, None))
                }
                Some(Next::Failed(code)) => Err(code),
                // The person took the request back.
                None => Ok((Parsed::nothing(), None)),
            };
            answer.reply = reply;
            let Heard { usage, kept, .. } = std::mem::take(heard);
            answer.usage = usage;
            answer.kept = kept;
            return Ok(Asked::Answered(Box::new(answer)));
        }
    }

    /// Puts one question. Gives the text of its reply, which may be blank.
    async fn ask_step(
        &mut self,
        run: &Run,
        ran_in: LoopState,
        question: Question,
        heard: &mut Heard,
        answer: &mut Answer,
    ) -> Result<Result<String, ProviderError>, Halt> {
        let beside = Beside {
            question: Some(question),
            ..Beside::default()
        };
        let put = self.question(run, ran_in, &beside).await?;
        let form = self.form_of(&put.request);
        answer.counted = self
            .counted_in(&put.reply, &put.request.messages)
            .or_else(|| answer.counted.take());
        answer.allocation = put.allocation;
        answer.messages_hash = put.messages_hash;
        heard.usage.add(std::mem::take(&mut self.uncounted_usage));
        let reply = match put.reply {
            Ok(reply) => reply,
            // A reply that is not even text says nothing.
            Err(error) if error.code == Code::XmlParseError => {
                heard.replies += 1;
                heard.usage.calls = heard.usage.calls.saturating_add(1);
                return Ok(Ok(String::new()));
            }
            Err(error) => return Ok(Err(error)),
        };
        heard.replies += 1;
        heard.usage.add(reply.usage_with(put.request.max_tokens));
        if self.profile.config.memory.retain_full_conversation_logs {
            let messages = put.request.messages;
            let kept = keep(run, heard.replies, messages, &reply, form);
            heard.kept.push(kept);
        }
        Ok(Ok(reply.text))
    }

    /// Makes the prompt of a question: with as many examples as there is room for, the last ones first, and
    /// of a request that is too long its beginning and its end.
    ///
    /// # Errors
    /// `CONTEXT_OVERFLOW` where not even the question itself fits.
    pub(super) fn compose_question(&self, question: &Question) -> Result<Composed, ProviderError> {
        let prompt_budget = self.prompt_budget();
        let constraint = self.form_for(question);
        let constraint_kind = constraint.as_ref().map(|it| it.kind);
        let max_tokens = self.answer_tokens().min(question.reply_tokens_max());
        let budget = prompt_budget.in_force().max_total;
        let tokens = |messages: &[_]| prompt_budget.meter.messages(messages);
        let examples = question.examples_count(&self.profile.prompt);
        let mut first = 0;
        let mut messages = question.messages(&self.profile.prompt, first, constraint_kind);
        while tokens(&messages) > budget && first < examples {
            first += 1;
            messages = question.messages(&self.profile.prompt, first, constraint_kind);
        }
        if tokens(&messages) > budget {
            let over = tokens(&messages) - budget;
            let shorter = question.shortened_by(prompt_budget.meter.characters_below(over));
            messages = shorter.messages(&self.profile.prompt, first, constraint_kind);
        }
        let total_tokens = tokens(&messages);
        // What servers counted of other prompts may be far off; a question that fits by itself is put.
        if TokenMeter::bare().messages(&messages) > budget {
            return Err(overflow(&prompt_budget, total_tokens));
        }
        let allocation =
            AllocationSummary::of_question(messages.len(), first, total_tokens, budget);
        Ok(Composed {
            request: LlmRequest {
                messages,
                max_tokens,
                allowed_tags: AllowedTags::default(),
                constraint,
                without_reasoning: self.without_reasoning(),
            },
            allocation,
            shown: Vec::new(),
            outcomes_shown: 0,
        })
    }

    fn form_for(&self, question: &Question) -> Option<Constraint> {
        let constraint_kind = self.constraint_in_use()?;
        let text = match constraint_kind {
            ConstraintKind::Gbnf => question.gbnf(),
            ConstraintKind::JsonSchema => question.json_schema(),
        };
        let text = Arc::from(text);
        Some(Constraint {
            kind: constraint_kind,
            text,
        })
    }
}

fn overflow(prompt_budget: &PromptBudget, tokens: usize) -> ProviderError {
    let window = prompt_budget.window.tokens;
    let message = format!(
        "a question of about {tokens} tokens does not fit a window of {window}. Load the model with a \
         larger window, or ask for less at once."
    );
    ProviderError::held(Code::ContextOverflow, message, None)
}
