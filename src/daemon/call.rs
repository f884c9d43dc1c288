//! One call as a state machine: it receives what happened and returns what comes next.
//!
//! It decides whom to ask, which constraint to use, and when to wait, to repeat, to leave a part
//! out, to shorten the prompt or to ask another provider. It has no clock and does no I/O:
//! `call_driver` carries out its actions.
//!
//! ```text
//! SettleModel -> (Send a probe)* -> Compose -> Count? -> (Wait | Send)* -> judged
//!      ^                               ^                                     |
//!      |                               +-- another form, cut, too long ------+
//!      +------------------------------------ another model or provider ------+--> Done
//! ```

use super::budget_ledger::cost_at_most;
use super::call_facts::{CallAction, CallEvent, CallFacts, SentPrompt};
use super::compose::Composed;
use super::context_window::{TruncatedPrompt, bare_tokens, cut_by_window, judge_cut};
use super::output_constraint::{
    ConstraintSupport, FailedRequest, Fallback, OutputConstraint, ProbeOutcome, is_shut,
    judge_form, judge_reasoning_off, may_turn_reasoning_off, probe, probed, unlearn_form,
    unusable_message,
};
use super::provider_pool::CallRoute;
use crate::core::prompt::{TokenMeter, Window};
use crate::core::protocol::ConstraintKind;
use crate::core::route::Cost;
use crate::core::run::Usage;
use crate::failure::Code;
use crate::provider::{Attempts, CallOutcome, CallResult, CallStep, LlmRequest, ProviderError};
use std::sync::Arc;

/// The most steps by which a prompt budget shrinks: less than a third of it is left then.
///
/// It shrinks for a server that does not say by how much a prompt was too long.
const TIGHTENED_MAX: u32 = 4;

/// The most counts of one prompt: made shorter after a count, it may still be too long.
const COUNTS_MAX: u32 = 3;

/// The reason why a prompt is sent to the provider in force.
#[derive(Debug, Default)]
enum SendReason {
    /// The provider has not received it yet.
    #[default]
    First,
    /// A fallback, after this error and these failures.
    Fallback(Fallback, ProviderError, Vec<Code>),
    /// A repeat, since the server has read only a part of the prompt.
    Uncut(Option<TruncatedPrompt>),
    /// A shorter prompt, since it was too long.
    Shorter,
    /// Another model, which the server has loaded since.
    OtherModel,
}

/// A request that is being sent.
#[derive(Debug)]
struct PendingSend {
    request: Arc<LlmRequest>,
    attempts: Attempts,
    cost: Option<Cost>,
    subject: RequestPurpose,
}

#[derive(Debug)]
enum RequestPurpose {
    Question(Composed),
    /// A probe whether the server keeps to a constraint, and the constraints to try after it.
    Probe(ConstraintKind, std::vec::IntoIter<ConstraintKind>),
}

/// The event that a call waits for.
#[derive(Debug, Default)]
enum Phase {
    #[default]
    New,
    Settling,
    Composing {
        counts: u32,
    },
    Counting {
        composed: Composed,
        counts: u32,
        meter: TokenMeter,
    },
    Sending(Box<PendingSend>),
    /// The server's window; holds the window that was known before this reply.
    AskingWindow(Box<SentPrompt>, Window),
    /// A shorter prompt for one of which only a part was read, or for one that was too long.
    Shortening(Box<SentPrompt>, Option<TruncatedPrompt>),
    /// The model that the server has now; holds the name of the one that was asked.
    Resettling(Box<SentPrompt>, String),
}

/// A call: a prompt that is sent to as many providers and in as many ways as it takes.
#[derive(Debug)]
pub(super) struct Call {
    route: CallRoute,
    phase: Phase,
    pass: SendReason,
    /// Whether the server was known to have the model before.
    was_settled: bool,
    /// The constraint that was known before, apart from what refusals teach.
    constraint_before: OutputConstraint,
    notices: Vec<String>,
    uncounted: Usage,
}

impl Call {
    pub(super) fn new(route: CallRoute) -> Self {
        Self {
            route,
            phase: Phase::New,
            pass: SendReason::First,
            was_settled: false,
            constraint_before: OutputConstraint::Unknown,
            notices: Vec::new(),
            uncounted: Usage::default(),
        }
    }

    /// Takes the messages for a person since the last look.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    pub(super) fn next(&mut self, happened: CallEvent, facts: &mut CallFacts<'_>) -> CallAction {
        match (std::mem::take(&mut self.phase), happened) {
            (Phase::New, CallEvent::Begun) => self.begin(facts),
            (Phase::Settling, CallEvent::ModelSettled(Ok(()))) => self.settle_constraint(facts),
            (Phase::Settling, CallEvent::ModelSettled(Err(error))) => {
                self.end(SentPrompt::unasked(error), facts)
            }
            (Phase::Composing { counts }, CallEvent::Composed(Ok(composed))) => {
                self.count(composed, counts + 1, facts)
            }
            (Phase::Composing { .. }, CallEvent::Composed(Err(error))) => {
                self.judge(SentPrompt::unasked(error), facts)
            }
            (Phase::Counting { composed, .. }, CallEvent::Uncounted) => self.put(composed, facts),
            (
                Phase::Counting {
                    composed,
                    counts,
                    meter,
                },
                CallEvent::Counted(tokens),
            ) => {
                let messages = &composed.request.messages;
                if facts.server().take_count(messages, tokens)
                    && facts.pool.in_force().meter(facts.state) == meter
                {
                    return self.put(composed, facts);
                }
                self.compose(counts)
            }
            (Phase::Sending(sending), CallEvent::Waited) => self.attempt(sending, facts),
            (Phase::Sending(mut sending), CallEvent::Replied(reply)) => {
                let now = facts.now;
                let pipeline = &mut facts.server().pipeline;
                pipeline.ended(&mut sending.attempts, reply, now);
                self.attempt(sending, facts)
            }
            (Phase::AskingWindow(put, before), CallEvent::WindowAsked) => {
                let (server, messages) = (facts.pool.in_force(), &put.prompt.request.messages);
                let profile = facts.work.profile;
                match cut_by_window(server, before, profile, messages, facts.state) {
                    Some(notice) => {
                        self.notices.push(notice);
                        self.put_again(&put, SendReason::Uncut(None))
                    }
                    None => self.check_tokens_read(*put, facts),
                }
            }
            (Phase::Shortening(put, cut), CallEvent::Composed(composed)) => {
                let composed = composed
                    .ok()
                    .filter(|it| is_smaller(&it.request, &put.prompt.request));
                self.shorten(*put, cut, composed, facts)
            }
            (Phase::Resettling(put, _), CallEvent::ModelSettled(Err(error))) => {
                let reply = Err(error);
                self.end(SentPrompt { reply, ..*put }, facts)
            }
            (Phase::Resettling(put, asked), CallEvent::ModelSettled(Ok(()))) => {
                if asked == facts.server().asked_model() {
                    return self.end(*put, facts);
                }
                self.pass = SendReason::OtherModel;
                self.compose(0)
            }
            _ => {
                let message = "a call was told what it did not wait for".to_owned();
                let error = ProviderError::held(Code::Internal, message, None);
                CallAction::Done(Box::new(SentPrompt::unasked(error)))
            }
        }
    }

    /// Begins with the provider in force.
    fn begin(&mut self, facts: &mut CallFacts<'_>) -> CallAction {
        self.pass = SendReason::First;
        self.was_settled = facts.server().model.is_settled;
        self.phase = Phase::Settling;
        CallAction::SettleModel
    }

    /// Finds out, once, which constraint the asked server keeps replies to.
    ///
    /// Where that fails for now, the next call finds it out.
    fn settle_constraint(&mut self, facts: &mut CallFacts<'_>) -> CallAction {
        let profile = facts.work.profile;
        let server = facts.server();
        self.constraint_before = server.model.output_constraint;
        if server.model.output_constraint != OutputConstraint::Unknown {
            return self.put_first(facts);
        }
        let kinds = server.candidate_kinds(profile);
        self.probe(kinds.into_iter(), facts)
    }

    fn probe(
        &mut self,
        mut kinds: std::vec::IntoIter<ConstraintKind>,
        facts: &mut CallFacts<'_>,
    ) -> CallAction {
        let Some(kind) = kinds.next() else {
            facts.server().model.output_constraint = OutputConstraint::At(None);
            return self.put_first(facts);
        };
        let counter = facts.server().context_window.counter();
        let request = Arc::new(probe(kind, counter, &facts.work.profile.prompt));
        self.send(request, RequestPurpose::Probe(kind, kinds), facts)
    }

    fn judge_probe(
        &mut self,
        kind: ConstraintKind,
        left: std::vec::IntoIter<ConstraintKind>,
        outcome: CallOutcome,
        facts: &mut CallFacts<'_>,
    ) -> CallAction {
        let found = probed(kind, &outcome.reply);
        let server = facts.server();
        let Some(why) = found.why_not() else {
            let counter = server.context_window.counter();
            let hold = ConstraintSupport {
                kind,
                may_turn_reasoning_off: may_turn_reasoning_off(counter),
            };
            server.model.output_constraint = OutputConstraint::At(Some(hold));
            return self.put_first(facts);
        };
        match outcome.reply {
            // An error that repeats have not cured affects the prompt itself as well.
            Err(error) if found == ProbeOutcome::Away && (error.retry || is_shut(&error)) => {
                let failures = outcome.failures;
                let unasked = SentPrompt::unasked(error);
                self.end(
                    SentPrompt {
                        failures,
                        ..unasked
                    },
                    facts,
                )
            }
            Err(_) if found == ProbeOutcome::Away => self.put_first(facts),
            Ok(_) | Err(_) => {
                let message =
                    unusable_message(facts.pool.in_force(), facts.work.profile, kind, why);
                self.notices.extend(message);
                self.probe(left, facts)
            }
        }
    }

    fn put_first(&mut self, facts: &mut CallFacts<'_>) -> CallAction {
        let known = facts.server().model.output_constraint;
        self.constraint_before = known.without_refusals(self.constraint_before);
        self.compose(0)
    }

    fn compose(&mut self, counts: u32) -> CallAction {
        self.phase = Phase::Composing { counts };
        CallAction::Compose
    }

    /// Discards a reply, and sends the prompt once more.
    fn put_again(&mut self, thrown_away: &SentPrompt, pass: SendReason) -> CallAction {
        self.throw_away(thrown_away);
        self.pass = pass;
        self.compose(0)
    }

    fn throw_away(&mut self, put: &SentPrompt) {
        if let Ok(reply) = &put.reply {
            self.uncounted
                .add(reply.usage_with(put.prompt.request.max_tokens));
        }
    }

    /// Has the server count a prompt whose size is not known well enough.
    fn count(&mut self, composed: Composed, counts: u32, facts: &mut CallFacts<'_>) -> CallAction {
        let (profile, state) = (facts.work.profile, facts.state);
        let server = facts.server();
        let request = &composed.request;
        let counter = server.counter_for(&request.messages, profile, state);
        let Some(counter) = counter.filter(|_| counts <= COUNTS_MAX) else {
            return self.put(composed, facts);
        };
        let (request, meter) = (Arc::clone(request), server.meter(state));
        self.phase = Phase::Counting {
            composed,
            counts,
            meter,
        };
        CallAction::Count(request, counter)
    }

    fn put(&mut self, composed: Composed, facts: &mut CallFacts<'_>) -> CallAction {
        let request = Arc::clone(&composed.request);
        self.send(request, RequestPurpose::Question(composed), facts)
    }

    fn send(
        &mut self,
        request: Arc<LlmRequest>,
        subject: RequestPurpose,
        facts: &mut CallFacts<'_>,
    ) -> CallAction {
        let iteration = facts.ledger.iteration(facts.state);
        let meter = facts.pool.in_force().meter(facts.state);
        let sending = PendingSend {
            attempts: Attempts::after(facts.server().attempts_before(iteration)),
            cost: cost_at_most(facts.work.profile, meter, &request),
            request,
            subject,
        };
        self.attempt(Box::new(sending), facts)
    }

    /// Returns what a request needs next: a wait, an attempt, or the judgement of its outcome.
    fn attempt(&mut self, mut sending: Box<PendingSend>, facts: &mut CallFacts<'_>) -> CallAction {
        let attempts = &mut sending.attempts;
        if !attempts.is_over()
            && let Some(error) = facts.refusal(sending.cost)
        {
            attempts.refuse(error);
        }
        let now = facts.now;
        let action = match facts.server().pipeline.next(attempts, now) {
            CallStep::Pause(wait_ms) => CallAction::Wait {
                wait_ms,
                code: attempts.waits_for(),
                why: attempts.last_error().cloned(),
            },
            CallStep::Attempt => CallAction::Send(Arc::clone(&sending.request), sending.cost),
            CallStep::Over => return self.sent(*sending, facts),
        };
        self.phase = Phase::Sending(sending);
        action
    }

    fn sent(&mut self, sending: PendingSend, facts: &mut CallFacts<'_>) -> CallAction {
        let outcome = sending.attempts.into_outcome();
        let iteration = facts.ledger.iteration(facts.state);
        facts.server().note_attempts(&outcome, iteration);
        match sending.subject {
            RequestPurpose::Probe(kind, left) => self.judge_probe(kind, left, outcome, facts),
            RequestPurpose::Question(composed) => {
                self.uncounted.add(outcome.billed);
                let put = SentPrompt {
                    prompt: composed,
                    reply: outcome.reply,
                    failures: outcome.failures,
                    uncounted: Usage::default(),
                };
                self.judge(put, facts)
            }
        }
    }

    fn judge(&mut self, mut put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        match std::mem::take(&mut self.pass) {
            SendReason::First => {
                facts.server().note_who_answered(&put.reply);
                if let Err(error) = &put.reply
                    && let Some(fallback) = Fallback::after(FailedRequest {
                        request: &put.prompt.request,
                        error,
                        is_postponed: facts.is_postponed(error),
                        server: facts.pool.in_force(),
                    })
                {
                    let profile = facts.work.profile;
                    self.notices.extend(fallback.begin(facts.server(), profile));
                    self.pass = SendReason::Fallback(fallback, error.clone(), put.failures);
                    return self.compose(0);
                }
                self.judge_constraint(put, facts)
            }
            SendReason::Fallback(fallback, before, failures) => {
                if fallback.keeps_failures() {
                    put.failures.splice(0..0, failures);
                }
                if fallback == Fallback::TurnReasoningOff {
                    judge_reasoning_off(facts.server(), &mut put.reply, before);
                }
                self.judge_constraint(put, facts)
            }
            SendReason::Uncut(cut) => {
                if let Some(cut) = cut {
                    let state = facts.state;
                    self.notices
                        .extend(judge_cut(facts.server(), state, cut, &put));
                }
                self.judge_length(put, facts)
            }
            SendReason::Shorter => self.end(as_short_as_can_be(put, facts), facts),
            SendReason::OtherModel => self.end(put, facts),
        }
    }

    /// Learns about the constraint from a reply, and checks whether all of the prompt was read.
    fn judge_constraint(&mut self, put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        let error = put.reply.as_ref().err();
        let is_postponed = error.is_some_and(|error| facts.is_postponed(error));
        let state = facts.state;
        let server = facts.server();
        judge_form(server, &put.prompt.request, &put.reply, is_postponed);
        unlearn_form(
            server,
            self.constraint_before,
            &put.prompt.request,
            &put.reply,
        );
        if put.reply.is_err() {
            return self.judge_length(put, facts);
        }
        server.learn_window(&put.prompt.request, &put.reply, state);
        if server.context_window.is_last_look() {
            let before = server.window();
            self.phase = Phase::AskingWindow(Box::new(put), before);
            return CallAction::AskWindow;
        }
        self.check_tokens_read(put, facts)
    }

    /// Asks for a shorter prompt where the server's count shows that it read only a part.
    fn check_tokens_read(&mut self, put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        let state = facts.state;
        let server = facts.server();
        let Some(tokens) = server.tokens_read_of(&put, state) else {
            return self.check_model(put, facts);
        };
        let before = server.context_window.tokens_read.replace(tokens);
        self.phase = Phase::Shortening(Box::new(put), Some(TruncatedPrompt { tokens, before }));
        CallAction::Compose
    }

    /// Asks for a shorter prompt where the server found this one too long.
    ///
    /// It is as short as the server's answer says, or shorter by a fixed part where that says
    /// nothing.
    fn judge_length(&mut self, put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        let state = facts.state;
        let server = facts.server();
        let has_learnt = server.learn_window(&put.prompt.request, &put.reply, state);
        if !is_too_long(&put.reply) {
            return self.check_model(put, facts);
        }
        if !has_learnt {
            let window = &mut server.context_window;
            window.shrink_steps = window.shrink_steps.saturating_add(1).min(TIGHTENED_MAX);
        }
        self.phase = Phase::Shortening(Box::new(put), None);
        CallAction::Compose
    }

    fn shorten(
        &mut self,
        put: SentPrompt,
        cut: Option<TruncatedPrompt>,
        shorter: Option<Composed>,
        facts: &mut CallFacts<'_>,
    ) -> CallAction {
        match (cut, shorter) {
            (None, Some(composed)) => {
                self.pass = SendReason::Shorter;
                self.count(composed, 1, facts)
            }
            (None, None) => self.end(as_short_as_can_be(put, facts), facts),
            (Some(cut), Some(composed)) => {
                self.throw_away(&put);
                self.pass = SendReason::Uncut(Some(cut));
                self.count(composed, 1, facts)
            }
            (Some(cut), None) => {
                let window = &mut facts.server().context_window;
                window.tokens_read = cut.before;
                window.has_partial_counts = true;
                self.notices
                    .push(cut.message("and it cannot be made shorter"));
                self.check_model(put, facts)
            }
        }
    }

    /// Looks which model the server has, where it no longer has the one that was asked.
    ///
    /// A person has loaded another one since.
    fn check_model(&mut self, put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        let server = facts.server();
        if server.model.is_settled || !self.was_settled {
            return self.end(put, facts);
        }
        self.phase = Phase::Resettling(Box::new(put), server.asked_model().to_owned());
        CallAction::SettleModel
    }

    /// Ends the request to this provider, and turns to the next one where that may help.
    fn end(&mut self, put: SentPrompt, facts: &mut CallFacts<'_>) -> CallAction {
        let CallFacts {
            pool, work, now, ..
        } = facts;
        let route = &mut self.route;
        facts.calls.note_call(pool, work.run, route, &put, *now);
        if let Err(error) = &put.reply
            && let Some(notice) = pool.fail_over(route, error, work.patience, *now)
        {
            self.notices.push(notice);
            return self.begin(facts);
        }
        let uncounted = self.uncounted;
        CallAction::Done(Box::new(SentPrompt { uncounted, ..put }))
    }
}

/// Returns whether the server found the prompt too long.
fn is_too_long(reply: &CallResult) -> bool {
    let error = reply.as_ref().err();
    error.is_some_and(|error| error.code == Code::ProviderContextExceeded)
}

/// Returns whether a request leaves more of the window free than another one.
fn is_smaller(one: &LlmRequest, other: &LlmRequest) -> bool {
    one.max_tokens < other.max_tokens || bare_tokens(&one.messages) < bare_tokens(&other.messages)
}

/// Gives a prompt that cannot be made short enough the error `CONTEXT_OVERFLOW`.
fn as_short_as_can_be(mut put: SentPrompt, facts: &CallFacts<'_>) -> SentPrompt {
    if let Err(error) = &mut put.reply
        && error.code == Code::ProviderContextExceeded
    {
        let meter = facts.pool.in_force().meter(facts.state);
        let tokens = meter.messages(&put.prompt.request.messages);
        let message =
            format!("the prompt cannot be made short enough, at about {tokens} tokens; {error}");
        *error = ProviderError::held(Code::ContextOverflow, message, None);
    }
    put
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, Config, Constrain, NamedProvider, ProviderConfig};
    use crate::core::agent::LoopState;
    use crate::core::guard::Permit;
    use crate::core::journal::State;
    use crate::core::prompt::{AllocationSummary, ChatRole, PromptMessage};
    use crate::core::protocol::AllowedTags;
    use crate::core::run::{Run, Trigger};
    use crate::daemon::asked_server::ProviderState;
    use crate::daemon::asker::CallContext;
    use crate::daemon::budget_ledger::BudgetLedger;
    use crate::daemon::call_facts::CallLog;
    use crate::daemon::provider_pool::ProviderPools;
    use crate::daemon::run_profiles::{RunProfile, Servers};
    use crate::daemon::stop::OutagePolicy;
    use crate::ids::{EventId, RunId};
    use crate::provider::LlmReply;
    use crate::provider::{self, Constraint, Contact, FinishReason, KnownServers, ReplyArrival};
    use crate::provider::{Objection, PromptOverflow};
    use crate::time::Timestamp;
    use std::collections::BTreeMap;

    /// Makes a reply from a word.
    ///
    /// `ok` or `ok:TOKENS` answers, with so many tokens read; `mark` passes a probe; `objects`
    /// refuses a member of the body; `long` or `long:WINDOW` finds the prompt too long; a code
    /// fails with it, and with `CODE?` it may pass.
    fn reply_of(word: &str, request: &LlmRequest) -> Result<LlmReply, ProviderError> {
        let (word, number) = word.split_once(':').unwrap_or((word, ""));
        let number = number.parse().ok();
        let is_json = request.constraint_kind() == Some(ConstraintKind::JsonSchema);
        let text = match word {
            "ok" => "<next_state>idle</next_state>",
            "mark" if is_json => "{\"op\":\"kjx_mark\"}",
            "mark" => "<kjx_mark></kjx_mark>",
            _ => {
                let code = match word {
                    "objects" => Code::ProviderInvalidRequest,
                    "long" => Code::ProviderContextExceeded,
                    code => Code::parse(code.trim_end_matches('?')).unwrap(),
                };
                let mut error = ProviderError::held(code, "it failed".to_owned(), None);
                error.contact = Contact::Made;
                error.retry = word.ends_with('?');
                if word == "objects" {
                    error.objection = Objection::Body;
                }
                error.overflow = number.map(|tokens| PromptOverflow {
                    prompt_tokens: None,
                    window_tokens: Some(tokens),
                });
                return Err(error);
            }
        };
        Ok(LlmReply {
            text: text.to_owned(),
            reasoning: None,
            finish: FinishReason::Stop,
            usage: Usage::of_reply(number.unwrap_or(9).into(), 3),
            model: None,
            arrival: ReplyArrival::default(),
        })
    }

    /// The facts that a call decides with.
    struct CallFixture {
        pools: ProviderPools,
        calls: CallLog,
        ledger: BudgetLedger,
        state: State,
        profile: RunProfile,
        run: Run,
        is_cancelled: bool,
        now: Timestamp,
        /// The model in place of the configured one, for each look for the model.
        models: Vec<Option<&'static str>>,
    }

    impl CallFixture {
        /// Makes one server that is asked for the model `one`, apart from what `edit` changes.
        fn with(edit: impl FnOnce(&mut Config)) -> Self {
            let folder = tempfile::tempdir().unwrap();
            config::init(folder.path()).unwrap();
            let environment: BTreeMap<String, String> = BTreeMap::new();
            let loaded = config::load(folder.path(), &environment).unwrap();
            let mut config = loaded.config;
            config.retry.max_retries = 2;
            "one".clone_into(&mut config.provider.model);
            config.provider.constrain = Constrain::Off;
            edit(&mut config);
            let connect = |config: &ProviderConfig| provider::connect(config, None);
            let servers = Servers::connect(&config, &connect).unwrap();
            let mut known = KnownServers::default();
            let now = Timestamp::from_millis(1_800_000_000_000);
            let event = EventId("request:1".to_owned());
            let run_id = RunId::derive(config.scope.workspace_id, &event);
            Self {
                pools: ProviderPools::build(&config, servers, &mut known),
                calls: CallLog::default(),
                ledger: BudgetLedger::default(),
                state: State::default(),
                profile: RunProfile {
                    config,
                    prompt: loaded.prompt,
                    permit: Permit::everything(),
                    servers_of: None,
                },
                run: Run::queued(run_id, event, Trigger::Request, now),
                is_cancelled: false,
                now,
                models: Vec::new(),
            }
        }

        fn server(&mut self) -> &mut ProviderState {
            self.pools.of_mut(None).in_force_mut()
        }

        fn facts(&mut self) -> CallFacts<'_> {
            CallFacts {
                pool: self.pools.of_mut(None),
                calls: &mut self.calls,
                ledger: &self.ledger,
                state: &self.state,
                work: CallContext {
                    run: &self.run,
                    state: LoopState::Planning,
                    profile: &self.profile,
                    patience: OutagePolicy::Endless,
                },
                is_cancelled: self.is_cancelled,
                now: self.now,
            }
        }

        fn settle_model(&mut self) {
            if !self.models.is_empty() {
                let instead = self.models.remove(0).map(str::to_owned);
                drop(self.server().ask_for(instead));
                self.server().model.is_settled = true;
            }
        }

        /// Makes a prompt of the size that the server is known to have room for.
        fn compose(&mut self) -> Composed {
            let server = self.server();
            let window = &server.context_window;
            let room = window.tokens_read.unwrap_or(16_000) >> window.shrink_steps;
            let room = room.min(window.served.window_tokens.unwrap_or(u32::MAX));
            let constraint = server.constraint_in_use().map(|kind| Constraint {
                kind,
                text: "form".into(),
            });
            let message = PromptMessage {
                role: ChatRole::User,
                content: "word ".repeat(usize::try_from(room).unwrap()),
            };
            Composed {
                request: Arc::new(LlmRequest {
                    messages: vec![message],
                    max_tokens: 100,
                    allowed_tags: AllowedTags::default(),
                    constraint,
                    without_reasoning: server.without_reasoning(),
                    wants_certainty: false,
                }),
                allocation: Some(AllocationSummary::of_question(1, 0, 1, 2)),
                shown: Vec::new(),
                outcomes_shown: 0,
            }
        }

        /// Plays a call to its end, and returns its steps in few words.
        ///
        /// They are the model and constraint of each request, the code of each wait, `say` for each
        /// notice, and at last the code or `ok`.
        fn play(&mut self, replies: &str) -> (String, SentPrompt) {
            let route = self.pools.of_mut(None).choose(None, self.now).unwrap();
            let mut call = Call::new(route);
            let mut replies = replies.split_whitespace();
            let mut done = Vec::new();
            let mut happened = CallEvent::Begun;
            loop {
                let action = call.next(happened, &mut self.facts());
                done.extend(call.take_notices().iter().map(|_| "say".to_owned()));
                happened = match action {
                    CallAction::SettleModel => {
                        self.settle_model();
                        CallEvent::ModelSettled(Ok(()))
                    }
                    CallAction::AskWindow => CallEvent::WindowAsked,
                    CallAction::Compose => CallEvent::Composed(Ok(self.compose())),
                    CallAction::Count(..) => CallEvent::Counted(None),
                    CallAction::Wait { wait_ms, code, .. } => {
                        done.push(format!("wait {code}"));
                        self.now = self.now.after_millis(wait_ms);
                        CallEvent::Waited
                    }
                    CallAction::Send(request, _) => {
                        let kind = request.constraint_kind().map_or("", ConstraintKind::name);
                        let words = format!("{} {kind}", self.server().asked_model());
                        done.push(words.trim().to_owned());
                        CallEvent::Replied(reply_of(replies.next().unwrap(), &request))
                    }
                    CallAction::Done(put) => {
                        let error = put.reply.as_ref().err();
                        done.push(
                            error.map_or_else(|| "ok".to_owned(), |error| error.code.to_string()),
                        );
                        assert_eq!(replies.next(), None, "{done:?}");
                        return (done.join(", "), *put);
                    }
                };
            }
        }
    }

    fn stage() -> CallFixture {
        CallFixture::with(|_| {})
    }

    /// Makes a server that is known to keep replies to a grammar.
    fn constrained() -> CallFixture {
        let mut stage = stage();
        stage.server().model.output_constraint = kept_to(ConstraintKind::Gbnf);
        stage
    }

    const fn kept_to(kind: ConstraintKind) -> OutputConstraint {
        OutputConstraint::At(Some(ConstraintSupport {
            kind,
            may_turn_reasoning_off: false,
        }))
    }

    #[test]
    fn what_may_pass_is_repeated_and_what_lasts_is_not() {
        let busy = "PROVIDER_SERVER_ERROR?";
        let wait = "one, wait PROVIDER_SERVER_ERROR";
        for (replies, expected) in [
            ("ok", "one, ok".to_owned()),
            (&format!("{busy} ok"), format!("{wait}, one, ok")),
            (
                &format!("{busy} {busy} {busy}"),
                format!("{wait}, {wait}, one, PROVIDER_SERVER_ERROR"),
            ),
            ("PROVIDER_AUTH_ERROR", "one, PROVIDER_AUTH_ERROR".to_owned()),
            ("objects", "one, PROVIDER_INVALID_REQUEST".to_owned()),
        ] {
            assert_eq!(stage().play(replies).0, expected, "{replies}");
        }
    }

    #[test]
    fn a_form_is_dropped_where_that_may_help() {
        let empty = "LLM_EMPTY_REPLY";
        // The replies, the steps, whether the form is asked for from then on, and the number of
        // failures: a refused form is none.
        for (replies, expected, is_kept, failures) in [
            ("ok", "one gbnf, ok", true, 0),
            ("objects ok", "one gbnf, say, one, ok", false, 0),
            (
                "objects objects",
                "one gbnf, say, one, PROVIDER_INVALID_REQUEST",
                true,
                1,
            ),
            ("LLM_EMPTY_REPLY ok", "one gbnf, say, one, ok", false, 1),
            (
                &format!("{empty} {empty}"),
                "one gbnf, say, one, LLM_EMPTY_REPLY",
                true,
                2,
            ),
        ] {
            let mut stage = constrained();
            let (done, put) = stage.play(replies);
            assert_eq!(done, expected, "{replies}");
            let is_asked_for = stage.server().constraint_in_use().is_some();
            assert_eq!(
                (is_asked_for, put.failures.len()),
                (is_kept, failures),
                "{replies}"
            );
        }
    }

    #[test]
    fn a_constraint_is_found_out_by_a_short_question() {
        let (none, unknown) = (OutputConstraint::At(None), OutputConstraint::Unknown);
        for (replies, expected, known) in [
            (
                "objects mark ok",
                "one gbnf, say, one json_schema, one json_schema, ok",
                kept_to(ConstraintKind::JsonSchema),
            ),
            (
                "ok objects ok",
                "one gbnf, say, one json_schema, say, one, ok",
                none,
            ),
            // A probe that fails for now is repeated before the next call.
            ("PROVIDER_NOT_FOUND ok", "one gbnf, one, ok", unknown),
            // The prompt itself would be refused as well.
            (
                "PROVIDER_AUTH_ERROR",
                "one gbnf, PROVIDER_AUTH_ERROR",
                unknown,
            ),
        ] {
            let constrain = Constrain::From(ConstraintKind::Gbnf);
            let mut stage = CallFixture::with(|config| config.provider.constrain = constrain);
            assert_eq!(stage.play(replies).0, expected, "{replies}");
            let found = stage.server().model.output_constraint;
            assert_eq!(found, known, "{replies}");
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_made_shorter_once() {
        for (replies, expected) in [
            ("long ok", "one, one, ok"),
            ("long:8000 ok", "one, one, ok"),
            ("long:60000", "one, CONTEXT_OVERFLOW"),
            ("long long", "one, one, CONTEXT_OVERFLOW"),
        ] {
            assert_eq!(stage().play(replies).0, expected, "{replies}");
        }
    }

    #[test]
    fn a_prompt_that_was_cut_in_silence_is_put_once_more() {
        // The replies, the steps, the window that is found in that way, and whether counts are
        // partial.
        for (replies, expected, tokens_read, is_partial) in [
            ("ok:16100", "one, ok", None, false),
            ("ok:4000 ok:3900", "one, one, say, ok", Some(4000), false),
            ("ok:4000 ok:40", "one, one, ok", None, true),
        ] {
            let mut stage = stage();
            let (done, put) = stage.play(replies);
            assert_eq!(done, expected, "{replies}");
            let thrown_away = u64::from(replies.contains(' '));
            assert_eq!(put.uncounted.calls, thrown_away, "{replies}");
            let window = &stage.server().context_window;
            let found = (window.tokens_read, window.has_partial_counts);
            assert_eq!(found, (tokens_read, is_partial), "{replies}");
        }
    }

    #[test]
    fn another_provider_is_asked_where_that_may_help() {
        let gone = "PROVIDER_NOT_FOUND";
        for (replies, expected) in [
            ("PROVIDER_NOT_FOUND ok", "one, say, two, ok"),
            (
                &format!("{gone} {gone}"),
                "one, say, two, PROVIDER_NOT_FOUND",
            ),
            ("objects", "one, PROVIDER_INVALID_REQUEST"),
        ] {
            let mut stage = CallFixture::with(|config| {
                let named = |name: &str| NamedProvider {
                    name: name.to_owned(),
                    config: ProviderConfig {
                        model: name.to_owned(),
                        ..config.provider.clone()
                    },
                };
                config.providers = vec![named("one"), named("two")];
            });
            assert_eq!(stage.play(replies).0, expected, "{replies}");
        }
    }

    #[test]
    fn another_model_is_asked_where_a_person_has_loaded_one() {
        for (loaded, replies, expected) in [
            (Some("other"), "PROVIDER_NOT_FOUND ok", "one, other, ok"),
            (None, "PROVIDER_NOT_FOUND", "one, PROVIDER_NOT_FOUND"),
        ] {
            let mut stage = stage();
            stage.server().model.is_settled = true;
            stage.models = vec![None, loaded];
            assert_eq!(stage.play(replies).0, expected, "{loaded:?}");
        }
    }

    #[test]
    fn nobody_is_asked_where_a_person_or_a_budget_forbids_it() {
        let mut cancelled = stage();
        cancelled.is_cancelled = true;
        assert_eq!(cancelled.play("").0, "RUN_CANCELLED");
        let mut poor = CallFixture::with(|config| config.budget.day.calls = Some(0));
        let (done, put) = poor.play("");
        assert_eq!(done, "BUDGET_EXCEEDED");
        assert!(put.reply.is_err_and(|error| error.is_unasked()));
    }
}
