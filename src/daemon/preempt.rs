//! Preemption: a request, a person's edit or a due slot ends the call of an idle run at once.
//!
//! Nothing of the call is committed. The file watch that ends a rest also ends such a call. Any
//! other run is never interrupted here.

use super::asker::Asker;
use super::command_handler::CommandHandler;
use super::engine::Engine;
use super::file_events::{FileEvents, POLL_MS, WATCHED_POLL_MS, drain};
use super::observer::LoopEvent;
use super::stop::Halt;
use crate::core::agent::preempt;
use crate::core::journal::Cause;
use crate::core::run::Run;
use crate::ids::RunId;
use crate::store::inbox::InboxWatch;
use crate::store::{Error, Store, own_draft};
use std::time::Duration;
use tokio::time::Instant;

/// A time that is longer than any call takes, in milliseconds.
const NEVER_MS: u64 = 24 * 60 * 60 * 1000;

/// The events that can end the call of an idle run.
#[derive(Debug)]
pub(super) struct Preemption<'a> {
    pub(super) run_id: RunId,
    pub(super) events: &'a mut Option<Box<dyn FileEvents + Send>>,
    pub(super) inbox: &'a InboxWatch,
    /// The time of the next slot of a schedule.
    pub(super) due_at: Option<Instant>,
    /// The time of the last look at files; before that, the beginning of the wait.
    pub(super) looked_at: Instant,
}

impl Preemption<'_> {
    /// Returns when to look at files even without an event, or when a slot is due.
    ///
    /// The time is the real one: a request is out, and its server takes real time.
    pub(super) fn look_at(&self, store: &Store) -> Instant {
        let poll_ms = if store.is_private() {
            NEVER_MS
        } else if self.events.is_some() && !store.needs_another_look() {
            WATCHED_POLL_MS
        } else {
            POLL_MS
        };
        let poll_at = self.looked_at + Duration::from_millis(poll_ms);
        self.due_at.map_or(poll_at, |due_at| due_at.min(poll_at))
    }

    /// Looks at the files; returns whether the idle run has to give way.
    ///
    /// Edits are taken in; a request stays where it is.
    pub(super) fn look(&mut self, handler: &mut CommandHandler<'_>) -> Result<bool, Halt> {
        self.looked_at = Instant::now();
        drain(self.events, handler.store, handler.observer);
        match handler.take_edits() {
            Err(error) if error.is_full() => {}
            taken => taken?,
        }
        let has_request = handler.store.inbox().has_request(self.inbox)?;
        let is_due = self.due_at.is_some_and(|due_at| due_at <= self.looked_at);
        Ok(has_request || is_due || self.must_yield(handler))
    }

    /// Returns whether anything has opened another run, or an edit is about to.
    pub(super) fn must_yield(&self, handler: &CommandHandler<'_>) -> bool {
        *handler.is_edited || opened_beside(handler.store.state().runs.open(), self.run_id)
    }
}

pub(super) fn opened_beside<'a>(mut open: impl Iterator<Item = &'a Run>, idle_run: RunId) -> bool {
    open.any(|run| run.run_id != idle_run)
}

impl CommandHandler<'_> {
    /// Takes in a person's edits while the model answers.
    pub(super) fn take_edits(&mut self) -> Result<(), Error> {
        for message in self.store.read_notes(self.now)? {
            self.observer.notice(&message);
        }
        let report = self.store.take_edits(self.now)?;
        self.observer.on_edits(&report);
        *self.is_edited |= !report.edited.ram_keys.is_empty();
        self.meanwhile.ram_keys.extend(report.edited.ram_keys);
        self.meanwhile.notes.extend(report.edited.notes);
        Ok(())
    }
}

/// Ends an idle run whose call was given up.
///
/// The possible cost of the call is counted; nothing else of it is kept.
pub(super) async fn end_preempted(
    engine: &mut Engine,
    asker: &mut Asker,
    run_id: RunId,
) -> Result<Run, Halt> {
    asker.settle_now(engine).await?;
    engine.report_busy();
    let run = engine.record(run_id)?;
    if run.is_finished() {
        return Ok(run);
    }
    let now = engine.now();
    let events = preempt(&run, &engine.state().ram, now);
    let cause = Cause::run("run", run_id);
    engine.commit(own_draft(cause, events, now)).await?;
    let message = "the idle run gives way to what was asked for";
    engine.observer.on_event(LoopEvent::Progress { message });
    engine.record(run_id)
}
