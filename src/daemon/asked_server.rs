//! A provider that may be asked: its models, the window of the asked one, and how prompts are
//! measured.
//!
//! Never chooses among several models, and never touches the configuration.

use super::call_facts::SentPrompt;
use super::context_window::{ContextWindow, query_window};
use super::engine::Engine;
use super::output_constraint::{OutputConstraint, Reasoning};
use super::run_profiles::RunProfile;
use super::stop::Halt;
use crate::config::{ProviderConfig, ProviderKind};
use crate::core::journal::event::RunStarted;
use crate::core::journal::{Event, State, change_run};
use crate::core::prompt::{
    Calibration, PromptBudget, PromptCount, PromptMessage, TokenMeter, Window, unchecked_meter,
};
use crate::core::protocol::{ConstraintKind, PARSER_VERSION};
use crate::core::route::{ModelChoice, choose_model, is_stand_in};
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{
    CallOutcome, CallResult, Contact, LlmProvider, LlmRequest, Pipeline, PromptOverflow,
    ProviderError,
};
use crate::time::Timestamp;

/// The iteration that calls are made for: its run, and how many iterations there were before it.
pub(super) type Iteration = Option<(RunId, u32)>;

/// A provider with its settings and the facts known about it.
#[derive(Debug)]
pub(super) struct ProviderState {
    pub(super) config: ProviderConfig,
    pub(super) pipeline: Pipeline,
    pub(super) model: ModelState,
    pub(super) context_window: ContextWindow,
}

/// The model that is asked, where it is not the configured one, and the facts known about it.
#[derive(Debug, Default)]
pub(super) struct ModelState {
    /// The name of the model that is asked in place of the configured one.
    instead: Option<String>,
    pub(super) is_settled: bool,
    pub(super) output_constraint: OutputConstraint,
    /// The constraint that was given up for a missing reply, until that is known to help.
    pub(super) suspended: Option<OutputConstraint>,
    /// Whether requests turn reasoning off.
    pub(super) reasoning: Reasoning,
    /// The attempts at the call of an iteration that was postponed.
    tried: Option<(Iteration, u32)>,
}

impl ProviderState {
    /// Makes a provider about which nothing is known yet.
    pub(super) fn new(config: ProviderConfig, pipeline: Pipeline) -> Self {
        Self {
            config,
            pipeline,
            model: ModelState::default(),
            context_window: ContextWindow::default(),
        }
    }

    /// Returns the name of the provider's kind.
    pub(super) fn name(&self) -> &str {
        self.pipeline.provider().provider_name()
    }

    pub(super) fn asked_model(&self) -> &str {
        let instead = self.model.instead.as_deref();
        instead.unwrap_or(&self.config.model)
    }

    /// Asks for another model than the configured one, or for that one again.
    ///
    /// Returns the message about it, or `None` where nothing changes.
    pub(super) fn ask_for(&mut self, instead: Option<String>) -> Option<String> {
        if self.model.instead == instead {
            return None;
        }
        let configured = &self.config.model;
        let (model, message) = match &instead {
            Some(model) => (
                model,
                format!("the server does not list `{configured}`; `{model}` is asked instead"),
            ),
            None => (configured, format!("`{configured}` is asked again")),
        };
        let provider = self.pipeline.provider().with_model(model)?;
        self.pipeline.ask_instead(provider);
        self.model.instead = instead;
        self.model.output_constraint = OutputConstraint::Unknown;
        self.model.reasoning = Reasoning::Free;
        self.model.suspended = None;
        self.context_window = ContextWindow::default();
        Some(message)
    }

    pub(super) fn note_who_answered(&mut self, reply: &CallResult) {
        match reply {
            // The server itself says which model answered.
            Ok(reply) if reply.model.as_deref() == Some(self.asked_model()) => {
                self.model.is_settled = true;
            }
            Err(error) if error.code == Code::ProviderNotFound => self.model.is_settled = false,
            Ok(_) | Err(_) => {}
        }
    }

    pub(super) const fn window(&self) -> Window {
        self.context_window.window(self.config.context_tokens)
    }

    pub(super) fn answer_tokens(&self) -> u32 {
        self.window().answer_tokens(self.config.max_tokens)
    }

    pub(super) fn prompt_budget(&self, profile: &RunProfile, state: &State) -> PromptBudget {
        PromptBudget {
            window: self.window(),
            max_tokens: self.config.max_tokens,
            meter: self.meter(state),
            budget: profile.config.token_budget,
            shrink_steps: self.context_window.shrink_steps,
        }
    }

    /// Returns a meter that counts tokens as the server of the asked model does.
    ///
    /// As far as past counts show, it never counts fewer.
    pub(super) fn meter(&self, state: &State) -> TokenMeter {
        let known = self.calibration(state);
        known.map_or_else(unchecked_meter, Calibration::meter)
    }

    /// Returns how the server counts, from the journal and from later counts.
    pub(super) fn calibration(&self, state: &State) -> Option<Calibration> {
        let committed = state.calibrations.of(self.asked_model());
        match (committed, self.context_window.counted) {
            (Some(committed), Some(counted)) => Some(committed.or_more(counted)),
            (committed, counted) => committed.or(counted),
        }
    }

    pub(super) fn last_counted(&self, state: &State) -> Option<PromptCount> {
        self.calibration(state).and_then(Calibration::last)
    }

    /// Learns from a reply the size of the window and of the prompt.
    ///
    /// Returns whether that changed anything: after a refusal the prompt must be made anew.
    pub(super) fn learn_window(
        &mut self,
        request: &LlmRequest,
        reply: &CallResult,
        state: &State,
    ) -> bool {
        let overflow = match reply {
            Ok(_) => {
                self.context_window.answered();
                None
            }
            Err(error) => error.overflow,
        };
        let Some(PromptOverflow {
            prompt_tokens,
            window_tokens,
        }) = overflow
        else {
            return false;
        };
        let before = (self.window(), self.meter(state));
        if window_tokens.is_some() {
            self.context_window.served.window_tokens = window_tokens;
        }
        let counted = prompt_tokens.map(|tokens| PromptCount::of(&request.messages, tokens));
        if let Some(newer) = counted.and_then(Calibration::first) {
            self.context_window.learn(newer);
        }
        (self.window(), self.meter(state)) != before
    }

    /// Drops, after a commit, the counts that the journal covers now; the others fade.
    pub(super) fn forget_counts(&mut self, state: &State) {
        let committed = state.calibrations.of(self.asked_model());
        if let (Some(committed), Some(counted)) = (committed, self.context_window.counted) {
            let faded = counted.and(committed);
            self.context_window.counted = (faded.or_more(committed) == faded).then_some(faded);
        }
    }

    /// Returns the form in which a reply is read: the one that it was asked for in.
    ///
    /// A recording may hold JSON as well.
    pub(super) fn form_of(&self, request: &LlmRequest) -> Option<ConstraintKind> {
        let is_recorded = self.config.kind == ProviderKind::Scripted;
        if is_recorded {
            Some(ConstraintKind::JsonSchema)
        } else {
            request.constraint_kind()
        }
    }

    /// Returns the server's count of a prompt that the asked model answered.
    ///
    /// The count of another model does not apply: it has a tokenizer of its own.
    pub(super) fn counted_in(
        &self,
        reply: &CallResult,
        messages: &[PromptMessage],
    ) -> Option<PromptCount> {
        let reply = reply.as_ref().ok()?;
        let others = &self.config.fallback_models;
        let answered = reply.model.as_deref().unwrap_or_default();
        let is_of_asked = !is_stand_in(answered, self.asked_model(), others);
        let is_counted = is_of_asked && !reply.arrival.usage_is_estimated;
        is_counted.then(|| PromptCount::of(messages, reply.usage.input_tokens))
    }

    /// Returns how many tokens of a prompt the server has read, if it has not read all of it.
    pub(super) fn tokens_read_of(&self, put: &SentPrompt, state: &State) -> Option<u32> {
        // A program counts in its own way, and its window is its own.
        let is_server = !matches!(self.config.kind, ProviderKind::Cli | ProviderKind::Scripted);
        if !is_server || self.context_window.has_partial_counts {
            return None;
        }
        let counted = self.counted_in(&put.reply, &put.prompt.request.messages)?;
        counted.cut_at(self.last_counted(state))
    }

    /// Returns whether a request turns reasoning off.
    pub(super) fn without_reasoning(&self) -> bool {
        self.model.reasoning == Reasoning::Silenced || self.is_reasoning_off_for_form()
    }

    /// Returns the attempts at the call of this iteration before it was postponed.
    pub(super) fn attempts_before(&self, iteration: Iteration) -> u32 {
        self.tried(iteration).unwrap_or(0)
    }

    /// Remembers the attempts at a call that was postponed, until it has another outcome.
    pub(super) fn note_attempts(&mut self, outcome: &CallOutcome, iteration: Iteration) {
        if let Some(attempts) = outcome.postponed {
            self.model.tried = Some((iteration, attempts));
            return;
        }
        // The call has no outcome where nobody was asked, or the server is away.
        let error = outcome.reply.as_ref().err();
        let is_away = error.is_some_and(|error| error.code == Code::LlmUnavailable);
        if outcome.attempts > 0 && !is_away {
            self.model.tried = None;
        }
    }

    /// Returns whether an error says that the call is to be made again at a known time.
    pub(super) fn is_postponed(&self, error: &ProviderError, iteration: Iteration) -> bool {
        let is_away = error.code == Code::LlmUnavailable;
        let is_tried = error.retry && !is_away && self.tried(iteration).is_some();
        error.contact == Contact::Postponed || is_tried
    }

    fn tried(&self, iteration: Iteration) -> Option<u32> {
        let (of, attempts) = self.model.tried?;
        (of == iteration).then_some(attempts)
    }

    /// Returns the event that records the model, the prompt file and the settings of a run.
    pub(super) fn started(
        &self,
        profile: &RunProfile,
        run_id: RunId,
        started_at: Timestamp,
    ) -> Event {
        Event::RunStarted(RunStarted {
            run_id,
            started_at,
            provider: self.name().to_owned(),
            model: self.asked_model().to_owned(),
            mode: profile.config.mode_with(&profile.prompt),
            prompt_hash: profile.prompt.hash.clone(),
            parser_version: PARSER_VERSION.to_owned(),
            window: Some(self.window()),
            server: self.config.as_server(),
        })
    }

    /// Returns the event of [`Self::started`] again, where the record is no longer true.
    ///
    /// The model was found out after the run began, or a reload or a restart came in between.
    pub(super) fn started_otherwise(&self, profile: &RunProfile, run: &Run) -> Option<Event> {
        let event = self.started(profile, run.run_id, run.started_at?);
        let mut corrected = run.clone();
        change_run(&mut corrected, &event);
        (corrected != *run).then_some(event)
    }
}

/// The most models that are named when none of them can be chosen.
const MODELS_NAMED_MAX: usize = 10;

/// The models of a server.
#[derive(Debug)]
pub struct ServerModels {
    pub listed: Vec<String>,
    pub choice: ModelChoice,
}

/// Asks a server for its models. Changes nothing, so it can be dropped at any point.
///
/// # Errors
/// The error of the request.
pub async fn offer(
    provider: &dyn LlmProvider,
    config: &ProviderConfig,
) -> Result<ServerModels, ProviderError> {
    let listed = provider.models().await?;
    if !may_choose_model(config.kind) || listed.is_empty() || listed.contains(&config.model) {
        let choice = ModelChoice::Configured;
        return Ok(ServerModels { listed, choice });
    }
    let loaded = match provider.loaded_models().await {
        Err(error) if passes(&error) => return Err(error),
        // An older LM Studio has no such list.
        loaded => loaded.unwrap_or_default(),
    };
    let choice = choose_model(&config.model, &listed, &loaded);
    Ok(ServerModels { listed, choice })
}

/// Returns whether another model than the configured one may be asked.
///
/// A market has hundreds of models, so that none is the only one, and it reports what it lacks
/// itself.
pub const fn may_choose_model(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::LmStudio | ProviderKind::OpenAi)
}

/// Returns whether the request may succeed a little later.
fn passes(error: &ProviderError) -> bool {
    error.retry || error.code == Code::LlmUnavailable
}

/// Returns the error for a server that lists several models, but not the configured one.
pub fn ambiguous_model(configured: &str, listed: &[String]) -> ProviderError {
    let named: Vec<&str> = listed
        .iter()
        .take(MODELS_NAMED_MAX)
        .map(String::as_str)
        .collect();
    let message = format!(
        "the server does not list `{configured}`; set `provider.model` to one of: {}",
        named.join(", ")
    );
    ProviderError::held(Code::ProviderNotFound, message, None)
}

/// Makes sure that the server is asked for a model that it has, and learns its window.
///
/// Once both are known this costs nothing. The inner error names the server's models, where none
/// can be chosen.
pub(super) async fn settle_model(engine: &mut Engine) -> Result<Result<(), ProviderError>, Halt> {
    let server = engine.server();
    if !server.model.is_settled && may_choose_model(server.config.kind) {
        let mut apart = engine.apart();
        let offered = offer(apart.server.pipeline.provider(), &apart.server.config);
        let instead = match apart.meanwhile.wait_for(offered).await? {
            // The call itself reports that, and waits; the next call looks again.
            None => return Ok(Ok(())),
            Some(Err(error)) if passes(&error) => return Ok(Ok(())),
            // A server without such a list knows its own model best.
            Some(Err(_)) => None,
            Some(Ok(ServerModels { listed, choice })) => match choice {
                ModelChoice::Configured => None,
                ModelChoice::Other(model) => Some(model),
                ModelChoice::Unclear => {
                    return Ok(Err(ambiguous_model(&engine.server().config.model, &listed)));
                }
            },
        };
        if let Some(message) = engine.server_mut().ask_for(instead) {
            engine.notice(&message);
        }
        engine.server_mut().model.is_settled = true;
    }
    query_window(engine).await?;
    Ok(Ok(()))
}
