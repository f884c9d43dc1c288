//! Which model is asked, and what the record of a run says of it. Found out once for each server,
//! before its first question: people load what they have, and the configuration may name another
//! one. Never chooses among several, and never touches the configuration.

use super::agent::{Agent, Halt};
use super::context_window::{ContextWindow, bare_tokens};
use super::observer::LoopEvent;
use super::offer::{Offer, is_choosy, offer, passes, unclear};
use super::output_constraint::{OutputConstraint, Unready};
use super::postponed::Tried;
use super::reasoning_off::Reasoning;
use crate::core::agent::{Beside, LoopState};
use crate::core::journal::event::RunStarted;
use crate::core::journal::{Event, change_run};
use crate::core::notes::ShownNote;
use crate::core::prompt::AllocationSummary;
use crate::core::protocol::{AllowedTags, PARSER_VERSION};
use crate::core::route::ModelChoice;
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{LlmReply, LlmRequest, ProviderError};
use crate::time::Timestamp;

/// How often a budget is made smaller for a server that does not tell by how much a prompt was too
/// long: less than a third of it is left then.
const TIGHTENED_MAX: u32 = 4;

/// How often a server counts one question: made shorter after a count, it may still be too long.
const COUNTS_MAX: u32 = 3;

/// The model that is asked, apart from the configured one.
#[derive(Debug, Default)]
pub(super) struct AskedModel {
    /// The one that is asked in place of the configured one.
    instead: Option<String>,
    /// Whether the server is known to have the one that is asked.
    is_settled: bool,
    /// What the server keeps its answers to.
    pub(super) output_constraint: OutputConstraint,
    /// The same before it was given up for an answer that did not come, until that is known to help.
    pub(super) suspended: Option<OutputConstraint>,
    /// Whether it is told not to reason.
    pub(super) reasoning: Reasoning,
    /// How often a question was tried that was postponed.
    pub(super) tried: Option<Tried>,
}

impl AskedModel {
    /// The model that is asked where that one is configured.
    pub(super) fn name<'a>(&'a self, configured: &'a str) -> &'a str {
        self.instead.as_deref().unwrap_or(configured)
    }
}

/// A question that was put, and what came of it.
#[derive(Debug)]
pub(super) struct Put {
    /// The question.
    pub request: LlmRequest,
    /// What the token budget gave to its parts.
    pub allocation: Option<AllocationSummary>,
    /// The notes that stand in it.
    pub shown: Vec<ShownNote>,
    /// How many decisions about proposals it tells.
    pub outcomes_shown: usize,
    /// The digest of its messages.
    pub messages_hash: String,
    /// What came of it.
    pub reply: Result<LlmReply, ProviderError>,
    /// What attempts that failed came to.
    pub failures: Vec<Code>,
}

/// What came of choosing.
enum Chosen {
    /// The server has the one that is asked now.
    Settled,
    /// It is not there to say so.
    Away,
    /// None can be chosen.
    Unclear(ProviderError),
}

/// Whether the server found the prompt too long.
fn is_too_long(reply: &Result<LlmReply, ProviderError>) -> bool {
    let error = reply.as_ref().err();
    error.is_some_and(|error| error.code == Code::ProviderContextExceeded)
}

/// Whether a question leaves more of the window free than another one.
pub(super) fn is_smaller(one: &LlmRequest, other: &LlmRequest) -> bool {
    one.max_tokens < other.max_tokens || bare_tokens(&one.messages) < bare_tokens(&other.messages)
}

impl Agent {
    /// The model that is asked.
    pub(super) fn asked_model(&self) -> &str {
        self.server().asked_model()
    }

    /// Puts the question of a state to the provider that is chosen for it, and to others in its place
    /// where that is worth trying.
    pub(super) async fn question(
        &mut self,
        run: &Run,
        state: LoopState,
        beside: &Beside,
    ) -> Result<Put, Halt> {
        let mut route = match self.choose_provider(state) {
            Ok(route) => route,
            Err(error) => return Ok(self.unasked(error)),
        };
        loop {
            let put = self.question_here(state, beside).await?;
            self.note_call(run, &mut route, &put);
            match &put.reply {
                Err(error) if self.fail_over(&mut route, error) => {}
                Ok(_) | Err(_) => return Ok(put),
            }
        }
    }

    /// Puts the question of a state to a model that the server has. It is put once more when the answer
    /// shows that another model has to be asked, or a smaller prompt.
    async fn question_here(&mut self, state: LoopState, beside: &Beside) -> Result<Put, Halt> {
        let was_settled = self.server().model.is_settled;
        if let Err(error) = self.settle_model().await? {
            return Ok(self.unasked(error));
        }
        let before = self.server().model.output_constraint;
        if let Err(Unready { error, failures }) = self.settle_constraint().await? {
            return Ok(Put {
                failures,
                ..self.unasked(error)
            });
        }
        let known = self
            .server()
            .model
            .output_constraint
            .without_refusals(before);
        let mut put = self.put(state, beside).await?;
        match &put.reply {
            // The server says itself who answered.
            Ok(reply) if reply.model.as_deref() == Some(self.asked_model()) => {
                self.server_mut().model.is_settled = true;
            }
            Err(error) if error.code == Code::ProviderNotFound => {
                self.server_mut().model.is_settled = false;
            }
            Ok(_) | Err(_) => {}
        }
        if let Err(error) = &put.reply
            && self.step_down(&put.request, error)
        {
            put = self.put(state, beside).await?;
        } else if let Err(error) = &put.reply
            && self.give_up_form(&put.request, error)
        {
            put = self.put_after(put, state, beside).await?;
        } else if let Err(error) = &put.reply
            && self.turn_reasoning_off(&put.request, error)
        {
            let before = error.clone();
            put = self.put_after(put, state, beside).await?;
            self.judge_reasoning_off(&mut put.reply, before);
        }
        self.judge_form(&put.request, &put.reply);
        self.unlearn_form(known, &put.request, &put.reply);
        let mut has_learnt = self.learn_window(&put.request, &put.reply);
        if let Some(again) = self.retry_truncated(state, beside, &put).await? {
            put = again;
            has_learnt = self.learn_window(&put.request, &put.reply);
        }
        if is_too_long(&put.reply) {
            return self.put_shorter(state, beside, put, has_learnt).await;
        }
        if self.server().model.is_settled || !was_settled {
            return Ok(put);
        }
        // It was there before: a person has loaded another one since.
        let asked = self.asked_model().to_owned();
        match self.settle_model().await? {
            Err(error) => put.reply = Err(error),
            Ok(()) if asked == self.asked_model() => {}
            Ok(()) => put = self.put(state, beside).await?,
        }
        Ok(put)
    }

    /// Puts a question once more after one that came to nothing, and tells of the failures of both.
    async fn put_after(
        &mut self,
        before: Put,
        state: LoopState,
        beside: &Beside,
    ) -> Result<Put, Halt> {
        let mut put = self.put(state, beside).await?;
        put.failures.splice(0..0, before.failures);
        Ok(put)
    }

    /// Makes the prompt of a state, and asks it.
    pub(super) async fn put(&mut self, state: LoopState, beside: &Beside) -> Result<Put, Halt> {
        let mut counts = 0;
        let composed = loop {
            let composed = match self.compose(state, beside) {
                Ok(composed) => composed,
                Err(error) => return Ok(self.unasked(error)),
            };
            counts += 1;
            if counts > COUNTS_MAX || !self.count_first(&composed.request).await? {
                break composed;
            }
        };
        let (outcome, messages_hash) = self.complete(&composed.request).await?;
        self.uncounted_usage.add(outcome.billed);
        Ok(Put {
            request: composed.request,
            allocation: Some(composed.allocation),
            shown: composed.shown,
            outcomes_shown: composed.outcomes_shown,
            messages_hash,
            reply: outcome.reply,
            failures: outcome.failures,
        })
    }

    /// Puts a question once more that the server found too long, as short as its answer tells, or
    /// shorter by a fixed part where it tells nothing.
    async fn put_shorter(
        &mut self,
        state: LoopState,
        beside: &Beside,
        mut long: Put,
        has_learnt: bool,
    ) -> Result<Put, Halt> {
        if !has_learnt {
            let window = &mut self.server_mut().context_window;
            window.shrink_steps = window.shrink_steps.saturating_add(1).min(TIGHTENED_MAX);
        }
        let composed = self.compose(state, beside);
        if composed.is_ok_and(|composed| is_smaller(&composed.request, &long.request)) {
            long = self.put(state, beside).await?;
        }
        if let Err(error) = &mut long.reply
            && error.code == Code::ProviderContextExceeded
        {
            let tokens = self.meter().messages(&long.request.messages);
            let message = format!(
                "the prompt cannot be made short enough, at about {tokens} tokens; {error}"
            );
            *error = ProviderError::held(Code::ContextOverflow, message, None);
        }
        Ok(long)
    }

    /// A question that was not put, for that reason.
    fn unasked(&mut self, error: ProviderError) -> Put {
        Put {
            request: LlmRequest {
                messages: Vec::new(),
                max_tokens: 0,
                allowed_tags: AllowedTags::default(),
                constraint: None,
                without_reasoning: false,
            },
            allocation: None,
            shown: Vec::new(),
            outcomes_shown: 0,
            messages_hash: self.hashes.of(&[]),
            reply: Err(error),
            failures: Vec::new(),
        }
    }

    /// Sees to it that the server is asked for a model that it has, and for its window. The error names
    /// those there are, where none can be chosen. Once this is known it costs nothing.
    pub(super) async fn settle_model(&mut self) -> Result<Result<(), ProviderError>, Halt> {
        if !self.server().model.is_settled && is_choosy(self.server().config.kind) {
            match self.choose().await? {
                Chosen::Settled => self.server_mut().model.is_settled = true,
                // The question itself will say so, and wait; before the next one it is looked again.
                Chosen::Away => return Ok(Ok(())),
                Chosen::Unclear(error) => return Ok(Err(error)),
            }
        }
        self.query_window().await?;
        Ok(Ok(()))
    }

    async fn choose(&mut self) -> Result<Chosen, Halt> {
        let mut apart = self.apart();
        let offered = offer(apart.server.pipeline.provider(), &apart.server.config);
        let Some(offered) = apart.meanwhile.wait_for(offered).await? else {
            return Ok(Chosen::Away);
        };
        match offered {
            Err(error) if passes(&error) => return Ok(Chosen::Away),
            Ok(Offer { listed, choice }) => match choice {
                ModelChoice::Configured => self.ask_for(None),
                ModelChoice::Other(model) => self.ask_for(Some(model)),
                ModelChoice::Unclear => {
                    let error = unclear(&self.server().config.model, &listed);
                    return Ok(Chosen::Unclear(error));
                }
            },
            // A server without such a list knows its own model best.
            Err(_) => self.ask_for(None),
        }
        Ok(Chosen::Settled)
    }

    /// Asks for another model than the configured one, or for that one again.
    fn ask_for(&mut self, instead: Option<String>) {
        if self.server().model.instead == instead {
            return;
        }
        let configured = &self.server().config.model;
        let (model, message) = match &instead {
            Some(model) => (
                model,
                format!("the server does not list `{configured}`; `{model}` is asked instead"),
            ),
            None => (configured, format!("`{configured}` is asked again")),
        };
        let Some(provider) = self.server().pipeline.provider().with_model(model) else {
            return;
        };
        self.observer
            .on_event(LoopEvent::Notice { message: &message });
        let server = self.server_mut();
        server.pipeline.ask_instead(provider);
        server.model.instead = instead;
        server.model.output_constraint = OutputConstraint::Unknown;
        server.model.reasoning = Reasoning::Free;
        server.model.suspended = None;
        server.context_window = ContextWindow::default();
    }

    /// What the record of a run says of what it is worked on with.
    pub(super) fn started(&self, run_id: RunId, started_at: Timestamp) -> Event {
        Event::RunStarted(RunStarted {
            run_id,
            started_at,
            provider: self.server().pipeline.provider().provider_name().to_owned(),
            model: self.asked_model().to_owned(),
            mode: self.profile.config.mode_with(&self.profile.prompt),
            prompt_hash: self.profile.prompt.hash.clone(),
            parser_version: PARSER_VERSION.to_owned(),
            window: Some(self.window()),
            server: self.server().config.as_server(),
        })
    }

    /// The same once more, where the record no longer says what is so: the model was found out after
    /// the run began, or a reload or a restart came in between.
    pub(super) fn started_otherwise(&self, run: &Run) -> Option<Event> {
        let event = self.started(run.run_id, run.started_at?);
        let mut corrected = run.clone();
        change_run(&mut corrected, &event);
        (corrected != *run).then_some(event)
    }
}
