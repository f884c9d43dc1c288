//! One question to a model: whom it goes to, the prompt that is made for it, and what is tried where no
//! answer comes. Never chooses among several models, and never touches the configuration.

use super::asked_server::AskedServer;
use super::asker::{Asker, Work};
use super::context_window::{bare_tokens, count_first, query_window};
use super::engine::Engine;
use super::fallback::{Failed, Fallback, report_unusable};
use super::halt::Halt;
use super::offer::{Offer, is_choosy, offer, passes, unclear};
use super::output_constraint::{
    Hold, OutputConstraint, Probed, Unready, is_shut, judge_form, may_turn_reasoning_off, probe,
    probed, unlearn_form,
};
use super::reasoning_off::judge_reasoning_off;
use super::run_profiles::RunProfile;
use super::silent_truncation::retry_truncated;
use crate::core::agent::Beside;
use crate::core::notes::ShownNote;
use crate::core::prompt::AllocationSummary;
use crate::core::protocol::AllowedTags;
use crate::core::route::ModelChoice;
use crate::failure::Code;
use crate::provider::{LlmReply, LlmRequest, ProviderError};

/// How often a budget is made smaller for a server that does not tell by how much a prompt was too
/// long: less than a third of it is left then.
const TIGHTENED_MAX: u32 = 4;

/// How often a server counts one question: made shorter after a count, it may still be too long.
const COUNTS_MAX: u32 = 3;

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

impl Asker {
    /// Puts the question of a state to the provider that is chosen for it, and to others in its place
    /// where that is worth trying.
    pub(super) async fn question(
        &mut self,
        engine: &mut Engine,
        work: Work<'_>,
        beside: &Beside,
    ) -> Result<Put, Halt> {
        let has_choice = engine.pool().has_choice();
        let least_window = has_choice.then(|| self.composer.least_window(engine, work));
        let now = engine.now();
        let chosen = engine.pool_mut().choose(least_window.flatten(), now);
        let mut route = match chosen {
            Ok(route) => route,
            Err(error) => return Ok(self.unasked(error)),
        };
        loop {
            let put = self.question_here(engine, work, beside).await?;
            let now = engine.now();
            let pool = engine.pool_mut();
            self.calls.note_call(pool, work.run, &mut route, &put, now);
            let Err(error) = &put.reply else {
                return Ok(put);
            };
            match pool.fail_over(&mut route, error, work.patience, now) {
                Some(message) => engine.notice(&message),
                None => return Ok(put),
            }
        }
    }

    /// Puts the question of a state to a model that the server has. It is put once more when the answer
    /// shows that another model has to be asked, or a smaller prompt.
    async fn question_here(
        &mut self,
        engine: &mut Engine,
        work: Work<'_>,
        beside: &Beside,
    ) -> Result<Put, Halt> {
        let profile = work.profile;
        let was_settled = engine.server().model.is_settled;
        if let Err(error) = settle_model(engine).await? {
            return Ok(self.unasked(error));
        }
        let before = engine.server().model.output_constraint;
        if let Err(Unready { error, failures }) = self.settle_constraint(engine, profile).await? {
            return Ok(Put {
                failures,
                ..self.unasked(error)
            });
        }
        let known = engine.server().model.output_constraint;
        let known = known.without_refusals(before);
        let mut put = self.put(engine, work, beside).await?;
        note_who_answered(engine.server_mut(), &put.reply);
        if let Err(error) = &put.reply
            && let Some(fallback) = self.fallback(engine, &put.request, error)
        {
            let before = error.clone();
            fallback.begin(engine, profile);
            let failures = std::mem::take(&mut put.failures);
            put = self.put(engine, work, beside).await?;
            if fallback.keeps_failures() {
                put.failures.splice(0..0, failures);
            }
            if fallback == Fallback::TurnReasoningOff {
                judge_reasoning_off(engine.server_mut(), &mut put.reply, before);
            }
        }
        let error = put.reply.as_ref().err();
        let is_postponed = error.is_some_and(|error| self.is_postponed(engine, error));
        let server = engine.server_mut();
        judge_form(server, &put.request, &put.reply, is_postponed);
        unlearn_form(server, known, &put.request, &put.reply);
        let mut has_learnt = learn_window(engine, &put);
        if let Some(again) = retry_truncated(self, engine, work, beside, &put).await? {
            put = again;
            has_learnt = learn_window(engine, &put);
        }
        if is_too_long(&put.reply) {
            return self
                .put_shorter(engine, work, beside, put, has_learnt)
                .await;
        }
        if engine.server().model.is_settled || !was_settled {
            return Ok(put);
        }
        // It was there before: a person has loaded another one since.
        let asked = engine.server().asked_model().to_owned();
        match settle_model(engine).await? {
            Err(error) => put.reply = Err(error),
            Ok(()) if asked == engine.server().asked_model() => {}
            Ok(()) => put = self.put(engine, work, beside).await?,
        }
        Ok(put)
    }

    /// Returns what to try after an error, if anything is worth trying.
    fn fallback(
        &self,
        engine: &Engine,
        request: &LlmRequest,
        error: &ProviderError,
    ) -> Option<Fallback> {
        Fallback::after(Failed {
            request,
            error,
            is_postponed: self.is_postponed(engine, error),
            server: engine.server(),
        })
    }

    /// Makes the prompt of a state, and asks it.
    pub(super) async fn put(
        &mut self,
        engine: &mut Engine,
        work: Work<'_>,
        beside: &Beside,
    ) -> Result<Put, Halt> {
        let mut counts = 0;
        let composed = loop {
            let composed = match self.composer.compose(engine, work, beside) {
                Ok(composed) => composed,
                Err(error) => return Ok(self.unasked(error)),
            };
            counts += 1;
            if counts > COUNTS_MAX || !count_first(engine, work.profile, &composed.request).await? {
                break composed;
            }
        };
        let (outcome, messages_hash) = self
            .complete(engine, work.profile, &composed.request)
            .await?;
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
        engine: &mut Engine,
        work: Work<'_>,
        beside: &Beside,
        mut long: Put,
        has_learnt: bool,
    ) -> Result<Put, Halt> {
        if !has_learnt {
            let window = &mut engine.server_mut().context_window;
            window.shrink_steps = window.shrink_steps.saturating_add(1).min(TIGHTENED_MAX);
        }
        let composed = self.composer.compose(engine, work, beside);
        if composed.is_ok_and(|composed| is_smaller(&composed.request, &long.request)) {
            long = self.put(engine, work, beside).await?;
        }
        if let Err(error) = &mut long.reply
            && error.code == Code::ProviderContextExceeded
        {
            let meter = engine.server().meter(engine.state());
            let tokens = meter.messages(&long.request.messages);
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

    /// Finds out what the asked server keeps answers to, once. Where it cannot be found out now, it is
    /// before the next question.
    async fn settle_constraint(
        &mut self,
        engine: &mut Engine,
        profile: &RunProfile,
    ) -> Result<Result<(), Unready>, Halt> {
        let server = engine.server();
        if server.model.output_constraint != OutputConstraint::Unknown {
            return Ok(Ok(()));
        }
        let candidates = server.candidate_kinds(profile);
        let counter = server.context_window.counter();
        for kind in candidates {
            let request = probe(kind, counter, &profile.prompt);
            let (outcome, _) = self.complete(engine, profile, &request).await?;
            let found = probed(kind, &outcome.reply);
            let Some(why) = found.why_not() else {
                let hold = Hold {
                    kind,
                    may_turn_reasoning_off: may_turn_reasoning_off(counter),
                };
                engine.server_mut().model.output_constraint = OutputConstraint::At(Some(hold));
                return Ok(Ok(()));
            };
            match outcome.reply {
                // What repeats have not cured is as bad for the question itself.
                Err(error) if found == Probed::Away && (error.retry || is_shut(&error)) => {
                    let failures = outcome.failures;
                    return Ok(Err(Unready { error, failures }));
                }
                Err(_) if found == Probed::Away => return Ok(Ok(())),
                Ok(_) | Err(_) => report_unusable(engine, profile, kind, why),
            }
        }
        engine.server_mut().model.output_constraint = OutputConstraint::At(None);
        Ok(Ok(()))
    }
}

/// Takes from an answer what it says of the window.
fn learn_window(engine: &mut Engine, put: &Put) -> bool {
    let (server, state) = engine.server_and_state();
    server.learn_window(&put.request, &put.reply, state)
}

/// Takes from an answer whether the server has the model that is asked.
fn note_who_answered(server: &mut AskedServer, reply: &Result<LlmReply, ProviderError>) {
    match reply {
        // The server says itself who answered.
        Ok(reply) if reply.model.as_deref() == Some(server.asked_model()) => {
            server.model.is_settled = true;
        }
        Err(error) if error.code == Code::ProviderNotFound => server.model.is_settled = false,
        Ok(_) | Err(_) => {}
    }
}

/// Sees to it that the server is asked for a model that it has, and for its window. The error names
/// those there are, where none can be chosen. Once this is known it costs nothing.
pub(super) async fn settle_model(engine: &mut Engine) -> Result<Result<(), ProviderError>, Halt> {
    let server = engine.server();
    if !server.model.is_settled && is_choosy(server.config.kind) {
        match choose(engine).await? {
            Chosen::Settled => engine.server_mut().model.is_settled = true,
            // The question itself will say so, and wait; before the next one it is looked again.
            Chosen::Away => return Ok(Ok(())),
            Chosen::Unclear(error) => return Ok(Err(error)),
        }
    }
    query_window(engine).await?;
    Ok(Ok(()))
}

async fn choose(engine: &mut Engine) -> Result<Chosen, Halt> {
    let mut apart = engine.apart();
    let offered = offer(apart.server.pipeline.provider(), &apart.server.config);
    let Some(offered) = apart.meanwhile.wait_for(offered).await? else {
        return Ok(Chosen::Away);
    };
    let instead = match offered {
        Err(error) if passes(&error) => return Ok(Chosen::Away),
        Ok(Offer { listed, choice }) => match choice {
            ModelChoice::Configured => None,
            ModelChoice::Other(model) => Some(model),
            ModelChoice::Unclear => {
                let error = unclear(&engine.server().config.model, &listed);
                return Ok(Chosen::Unclear(error));
            }
        },
        // A server without such a list knows its own model best.
        Err(_) => None,
    };
    if let Some(message) = engine.server_mut().ask_for(instead) {
        engine.notice(&message);
    }
    Ok(Chosen::Settled)
}
