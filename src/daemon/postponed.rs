//! A question that is put again once its server is no longer left alone: a limit ends at a known time, or
//! the breaker lets a trial through. The run that met it waits, and its attempts are counted across the
//! waits, so that a server that always fails still fails the run. Never decides how long a server is left
//! alone: its breaker does.

use super::agent::{Agent, Halt, Patience};
use super::model::Put;
use crate::core::journal::event::Waited;
use crate::failure::Code;
use crate::ids::RunId;
use crate::provider::{CallOutcome, Contact, ProviderError};

/// Longest wait for a server by a person who sits before it, in milliseconds: as long as a breaker stays
/// open.
const SHORT_WAIT_MS_MAX: u64 = 30_000;

/// Shortest pause within a call that readers are told of, in milliseconds.
const PAUSE_REPORTED_MS_MIN: u64 = 1000;

/// Attempts at a question that was postponed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tried {
    /// The iteration that it belongs to.
    iteration: Option<(RunId, u32)>,
    attempts: u32,
}

impl Agent {
    /// Attempts at the question of this iteration before it was postponed.
    pub(super) fn attempts_before(&self) -> u32 {
        self.tried().map_or(0, |tried| tried.attempts)
    }

    /// Remembers how often a question was tried that was postponed, until something else came of it.
    pub(super) fn note_attempts(&mut self, outcome: &CallOutcome) {
        if let Some(attempts) = outcome.postponed {
            self.server_mut().model.tried = Some(Tried {
                iteration: self.iteration_paid_for(),
                attempts,
            });
            return;
        }
        // Nothing has come of it where nobody was asked, or nobody was there.
        let error = outcome.reply.as_ref().err();
        let is_away = error.is_some_and(|error| error.code == Code::LlmUnavailable);
        if outcome.attempts > 0 && !is_away {
            self.server_mut().model.tried = None;
        }
    }

    /// Whether an error says that the question is to be put again at a known time.
    pub(super) fn is_postponed(&self, error: &ProviderError) -> bool {
        let is_away = error.code == Code::LlmUnavailable;
        let is_tried = error.retry && !is_away && self.tried().is_some();
        error.contact == Contact::Postponed || is_tried
    }

    /// Whether a wait for the server that is asked is worth it for whoever it is that waits.
    pub(super) fn is_waited_for(&self, error: &ProviderError) -> bool {
        if self.patience == Patience::Endless {
            return true;
        }
        let is_short = |wait_ms: u64| wait_ms <= SHORT_WAIT_MS_MAX;
        self.is_postponed(error) && self.due_in_ms(error).is_some_and(is_short)
    }

    /// How long it is until the question is put again, where that is known: a budget opens then, or the
    /// server is asked again, or another one before it.
    pub(super) fn due_in_ms(&self, error: &ProviderError) -> Option<u64> {
        if error.code == Code::BudgetExceeded {
            return error.retry_after_ms;
        }
        let wait_ms = error.retry_after_ms.filter(|_| self.is_postponed(error))?;
        Some(
            self.soonest_ms()
                .map_or(wait_ms, |soonest_ms| soonest_ms.min(wait_ms)),
        )
    }

    /// What is said of a wait: the error, and when the server is asked again.
    pub(super) fn wait_message(&self, error: &ProviderError) -> String {
        let message = &error.message;
        let is_reported = error.contact == Contact::Postponed || !self.is_postponed(error);
        match self.due_in_ms(error).filter(|_| !is_reported) {
            Some(due_ms) => {
                let due = self.clock.now().after_millis(due_ms);
                format!("{message}; asked again at {due}")
            }
            None => message.clone(),
        }
    }

    /// Waits within a call; readers are told of a wait that a server is the reason of.
    pub(super) async fn pause_reporting(
        &mut self,
        why: Option<&ProviderError>,
        pause_ms: u64,
    ) -> Result<(), Halt> {
        let Some(error) = why.filter(|_| pause_ms >= PAUSE_REPORTED_MS_MIN) else {
            return self.pause_serving(pause_ms).await;
        };
        self.report_waiting(error.code, &error.message, pause_ms);
        let ended = self.pause_serving(pause_ms).await;
        self.report_retrying();
        ended
    }

    /// Keeps for the next call what was waited for since then by the clock that never goes back.
    pub(super) fn note_wait(&mut self, code: Code, since_ms: u64) {
        let ms = self.clock.uptime_ms().saturating_sub(since_ms);
        if ms == 0 {
            return;
        }
        match self.waited.iter_mut().find(|it| it.code == code) {
            Some(known) => known.ms = known.ms.saturating_add(ms),
            None => self.waited.push(Waited { code, ms }),
        }
    }

    /// What was waited for before a call; what nobody was asked for goes on to be waited for.
    pub(super) fn waited_before(&mut self, put: &Put) -> Vec<Waited> {
        let error = put.reply.as_ref().err();
        let is_held = error.is_some_and(ProviderError::is_unasked) && put.failures.is_empty();
        if is_held {
            Vec::new()
        } else {
            std::mem::take(&mut self.waited)
        }
    }

    fn tried(&self) -> Option<Tried> {
        let iteration = self.iteration_paid_for();
        self.server()
            .model
            .tried
            .filter(|it| it.iteration == iteration)
    }

    /// The iteration that questions are put for.
    fn iteration_paid_for(&self) -> Option<(RunId, u32)> {
        let run = self.store.state().runs.get(self.ledger.run_id?)?;
        Some((run.run_id, run.loop_count))
    }
}
