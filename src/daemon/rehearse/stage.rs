//! The stage of a rehearsal: the run that is played, its observer, and the scripted model.
//!
//! Calls no server, and never decides the outcome of a reply.

use super::report::RunOrigin;
use super::script::Script;
use crate::config::ProviderKind;
use crate::core::agent::LoopState;
use crate::core::prompt::{PromptMessage, TokenMeter};
use crate::core::run::Run;
use crate::daemon::clock::VirtualClock;
use crate::daemon::observer::{LoopEvent, Observer};
use crate::daemon::stop::StopHandle;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{
    CallFuture, CallResult, LlmProvider, LlmRequest, ProviderError, ServedModel, Sleeper as _,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The calls that something held back: a budget of the day, or a limit of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DelayedCalls {
    /// The number of calls.
    pub questions: u64,
    pub waited_ms: u64,
    pub waits: u64,
}

impl DelayedCalls {
    pub(super) const fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.waited_ms = self.waited_ms.saturating_add(other.waited_ms);
        self.waits += other.waits;
    }
}

/// The run that is played, and the script.
#[derive(Debug)]
pub(super) struct Playback {
    pub(super) script: Script,
    who: RunOrigin,
    run_id: Option<RunId>,
    state: LoopState,
    iteration: u32,
    /// The call that was held back last, with the code.
    held_last: Option<(RunId, u32, Code)>,
    pub(super) held: BTreeMap<RunOrigin, BTreeMap<Code, DelayedCalls>>,
    pub(super) is_full: bool,
}

/// A stage that several owners share.
#[derive(Clone, Debug)]
pub(super) struct SharedPlayback(Arc<Mutex<Playback>>);

impl SharedPlayback {
    pub(super) fn of(script: Script) -> Self {
        Self(Arc::new(Mutex::new(Playback {
            script,
            who: RunOrigin::default(),
            run_id: None,
            state: LoopState::Idle,
            iteration: 0,
            held_last: None,
            held: BTreeMap::new(),
            is_full: false,
        })))
    }

    pub(super) fn look(&self) -> MutexGuard<'_, Playback> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Playback {
    fn begin(&mut self, run: &Run) {
        self.who = RunOrigin::of(run);
        if self.run_id != Some(run.run_id) {
            self.run_id = Some(run.run_id);
            self.script.begin(run.rule_id);
        }
    }

    /// Counts a call that is held back, and its wait in milliseconds.
    fn hold(&mut self, code: Code, delay_ms: u64) {
        let Some(run_id) = self.run_id else { return };
        let question = (run_id, self.iteration, code);
        let held = self.held.entry(self.who).or_default();
        let held = held.entry(code).or_default();
        if self.held_last != Some(question) {
            self.held_last = Some(question);
            held.questions += 1;
        }
        held.waited_ms = held.waited_ms.saturating_add(delay_ms);
        held.waits += 1;
    }
}

/// The observer that keeps the stage at the run that is played.
#[derive(Debug)]
pub(super) struct PlaybackObserver {
    pub(super) stage: SharedPlayback,
    pub(super) stop: StopHandle,
}

impl Observer for PlaybackObserver {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        let mut stage = self.stage.look();
        match event {
            LoopEvent::RunBegan { run } => stage.begin(run),
            LoopEvent::Asking { state, iteration } => {
                (stage.state, stage.iteration) = (state, iteration);
            }
            LoopEvent::Waiting {
                code: Code::DiskFull,
                ..
            } => {
                stage.is_full = true;
                self.stop.stop();
            }
            LoopEvent::Waiting { code, delay_ms, .. } => stage.hold(code, delay_ms),
            LoopEvent::Unreadable { .. }
            | LoopEvent::Committed { .. }
            | LoopEvent::NoteChanged(_)
            | LoopEvent::Taken { .. }
            | LoopEvent::Progress { .. }
            | LoopEvent::StillAsking { .. }
            | LoopEvent::Notice { .. } => {}
        }
    }
}

/// The scripted model of a rehearsal.
#[derive(Debug)]
pub(super) struct PlaybackModel {
    pub(super) stage: SharedPlayback,
    pub(super) clock: Arc<VirtualClock>,
    pub(super) call_ms: u64,
    /// The meter, which counts tokens as the model's server has so far.
    pub(super) meter: TokenMeter,
    /// The model's name in the configuration.
    pub(super) model: String,
    /// The window that prompts of this model were made for last, in tokens.
    pub(super) window_tokens: Option<u32>,
}

impl PlaybackModel {
    fn next(&self, messages: &[PromptMessage]) -> CallResult {
        let mut stage = self.stage.look();
        let (state, run_id) = (stage.state, stage.run_id);
        let mut reply = stage.script.next(state, run_id)?;
        let count = |tokens: usize| u64::try_from(tokens).unwrap_or(u64::MAX);
        if reply.usage.input_tokens == 0 {
            reply.usage.input_tokens = count(self.meter.messages(messages));
            reply.usage.output_tokens = count(self.meter.text(&reply.text));
        }
        reply.arrival.usage_is_estimated = true;
        reply.model = Some(self.model.clone());
        Ok(reply)
    }
}

impl LlmProvider for PlaybackModel {
    fn complete<'a>(&'a self, request: &'a LlmRequest) -> CallFuture<'a, CallResult> {
        Box::pin(async move {
            self.clock.sleep(Duration::from_millis(self.call_ms)).await;
            self.next(&request.messages)
        })
    }

    fn provider_name(&self) -> &'static str {
        ProviderKind::Scripted.name()
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(async move { Ok(vec![self.model.clone()]) })
    }

    fn served(&self) -> CallFuture<'_, Result<ServedModel, ProviderError>> {
        let served = ServedModel {
            window_tokens: self.window_tokens,
            counter: None,
        };
        Box::pin(std::future::ready(Ok(served)))
    }
}
