//! What runs next: the open run, the next in the queue, or a wait until something opens one.
//! Only triggers open runs; a run that was interrupted goes on before anything else.

use super::agent::{Agent, Halt};
use super::watcher::Sight;
use crate::core::agent::{IdleProfile, LoopState};
use crate::core::guard::Guard;
use crate::core::journal::event::{RequestRefused, RunQueued, RunStarted};
use crate::core::journal::{Actor, ActorType, Cause, Draft, Event};
use crate::core::memory::ram::{CONTEXT, STATE};
use crate::core::protocol::PARSER_VERSION;
use crate::core::run::{Run, RunState, Trigger};
use crate::ids::{EventId, RunId};
use crate::limits::RUNS_OPEN_MAX;
use crate::store::inbox::Taken;
use serde_json::Value;

/// How often the inbox and the files are looked at while nothing else happens, in milliseconds.
const POLL_MS: u64 = 1000;

impl Agent {
    /// Lives until it is asked to stop: runs what there is to run, and waits for more.
    pub async fn live(&mut self) -> Result<(), Halt> {
        self.open_first_run().await?;
        loop {
            self.take_inbox().await?;
            match self.next_run() {
                Some(run_id) => drop(self.drive(run_id).await?),
                None => self.wait_for_trigger().await?,
            }
        }
    }

    /// The first start on a root is a trigger of its own.
    async fn open_first_run(&mut self) -> Result<(), Halt> {
        if self.store.state().runs.newest_first().next().is_none() {
            let event = EventId("start".to_owned());
            self.queue(event, Trigger::Start, None).await?;
        }
        Ok(())
    }

    /// Drives a run to its end, and gives its record.
    pub async fn drive(&mut self, run_id: RunId) -> Result<Run, Halt> {
        self.begin(run_id).await?;
        while self.iteration(run_id).await?.ending.is_none() {
            self.pause(self.config.r#loop.loop_delay_ms).await?;
            self.take_inbox().await?;
        }
        self.record(run_id)
    }

    /// Runs one iteration of a run, which stays open unless that ends it, and gives its record.
    pub async fn step(&mut self, run_id: RunId) -> Result<Run, Halt> {
        self.begin(run_id).await?;
        self.iteration(run_id).await?;
        self.record(run_id)
    }

    /// The open run, or the next one in the queue.
    pub fn next_run(&self) -> Option<RunId> {
        self.store.state().runs.next().map(|run| run.run_id)
    }

    /// Opens a run for an event, unless that event has opened one already.
    pub async fn queue(
        &mut self,
        event: EventId,
        trigger: Trigger,
        request: Option<String>,
    ) -> Result<RunId, Halt> {
        let run_id = RunId::derive(self.config.scope.workspace_id, None, &event);
        if self.store.state().runs.get(run_id).is_some() {
            return Ok(run_id);
        }
        let now = self.clock.now();
        let mut run = Run::queued(run_id, event, trigger, now);
        run.request = request;
        let draft = Draft {
            ts: now,
            actor: Actor {
                actor_type: ActorType::Daemon,
            },
            cause: Cause::run("trigger", run_id),
            events: vec![Event::RunQueued(RunQueued { run })],
        };
        self.commit(draft).await?;
        Ok(run_id)
    }

    fn record(&self, run_id: RunId) -> Result<Run, Halt> {
        let run = self.store.state().runs.get(run_id).cloned();
        run.ok_or_else(|| Halt::Failed(super::unknown_run(run_id)))
    }

    /// Begins a queued run: its request goes into `context`, and planning comes first.
    async fn begin(&mut self, run_id: RunId) -> Result<(), Halt> {
        let run = self.record(run_id)?;
        self.watcher.saw(Sight::RunBegan { run: &run });
        if run.state != RunState::Queued {
            return Ok(());
        }
        self.take_edits().await?;
        let now = self.clock.now();
        let mut events = vec![Event::RunStarted(RunStarted {
            run_id,
            started_at: now,
            provider: self.pipeline.provider().provider_name().to_owned(),
            model: self.config.provider.model.clone(),
            mode: self.config.mode.unwrap_or(self.prompt.default_mode),
            prompt_hash: self.prompt.hash.clone(),
            parser_version: PARSER_VERSION.to_owned(),
        })];
        let ram = &self.store.state().ram;
        if let Some(request) = &run.request {
            let context = ram.context_with_request(Some(request));
            events.push(Event::Change(Guard::ram_own(CONTEXT, context)));
        }
        if run.trigger != Trigger::Idle && ram.state() == LoopState::Idle {
            let planning = Value::from(LoopState::Planning.name());
            events.push(Event::Change(Guard::ram_own(STATE, planning)));
        }
        let draft = Draft {
            ts: now,
            actor: Actor {
                actor_type: ActorType::Daemon,
            },
            cause: Cause::run("run", run_id),
            events,
        };
        self.commit(draft).await?;
        Ok(())
    }

    /// Takes requests out of the inbox; each becomes a queued run, exactly once.
    pub async fn take_inbox(&mut self) -> Result<(), Halt> {
        if self.store.state().runs.open_len() >= RUNS_OPEN_MAX {
            return Ok(());
        }
        let now = self.clock.now();
        for taken in self.store.take_requests(&mut self.inbox, now)? {
            match &taken.request {
                Ok(request) => {
                    let event = EventId(taken.id.to_string());
                    self.queue(event, Trigger::Request, Some(request.clone()))
                        .await?;
                    self.store.close_request(&taken, false)?;
                }
                Err(reason) => self.refuse_request(&taken, reason).await?,
            }
        }
        Ok(())
    }

    async fn refuse_request(&mut self, taken: &Taken, reason: &str) -> Result<(), Halt> {
        let file = taken.name.clone().unwrap_or_else(|| taken.id.to_string());
        let message = format!("the request in {file} could not be taken: {reason}");
        self.watcher.saw(Sight::Notice { message: &message });
        let refused = RequestRefused {
            file,
            reason: reason.to_owned(),
        };
        let draft = Draft {
            ts: self.clock.now(),
            actor: Actor {
                actor_type: ActorType::Daemon,
            },
            cause: Cause::plain("trigger"),
            events: vec![Event::RequestRefused(refused)],
        };
        self.commit(draft).await?;
        Ok(self.store.close_request(taken, true)?)
    }

    /// Waits until a request, a hand edit or enough idleness opens a run.
    async fn wait_for_trigger(&mut self) -> Result<(), Halt> {
        let first_ms = self.config.r#loop.idle_delay_ms;
        let delay_ms = self.idle_delay_ms.max(first_ms);
        let since = self.clock.now();
        self.store.retire(since)?;
        loop {
            self.reload_if_asked();
            let edited = self.take_edits().await?;
            if !edited.ram_keys.is_empty() {
                self.idle_delay_ms = first_ms;
                let event = EventId(format!("edit:{}", self.store.head().seq));
                self.queue(event, Trigger::Edit, None).await?;
                return Ok(());
            }
            self.take_inbox().await?;
            if self.next_run().is_some() {
                self.idle_delay_ms = first_ms;
                return Ok(());
            }
            let waited = self.clock.now().millis.saturating_sub(since.millis);
            let left = delay_ms.saturating_sub(u64::try_from(waited).unwrap_or_default());
            if left == 0 && self.config.r#loop.idle_profile == IdleProfile::Maintenance {
                return self.maintain(delay_ms).await;
            }
            self.pause(left.clamp(1, POLL_MS)).await?;
        }
    }

    /// One idle iteration, and a longer wait after it if nothing came of it.
    async fn maintain(&mut self, delay_ms: u64) -> Result<(), Halt> {
        let event = EventId(format!("idle:{}", self.store.head().seq));
        let run_id = self.queue(event, Trigger::Idle, None).await?;
        let run = self.drive(run_id).await?;
        let policy = &self.config.r#loop;
        self.idle_delay_ms = if run.progress.changed {
            policy.idle_delay_ms
        } else {
            delay_ms.saturating_mul(2).min(policy.idle_delay_max_ms)
        };
        Ok(())
    }
}
