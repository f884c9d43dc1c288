//! The agent: the one owner of the store, and what an iteration needs beside it.
//! Made by `boot`, driven by `schedule`; decides nothing itself.

use super::background_verify::BackgroundVerify;
use super::budget_ledger::BudgetLedger;
use super::clock::Clock;
use super::command::Envelope;
use super::heartbeat::Heartbeat;
use super::observer::{ChangedNote, LoopEvent, Observer};
use super::provider_pool::ProviderPools;
use super::reload::Reload;
use super::rest::FileEvents;
use super::run_profiles::{RunProfile, RunProfiles};
use super::schedule_timer::ScheduleTimer;
use super::status::DaemonStatus;
use super::stop::{Left, Stop};
use crate::config::Config;
use crate::core::agent::Policies;
use crate::core::guard::Edited;
use crate::core::journal::event::{CallMade, Waited};
use crate::core::journal::{Draft, Hash};
use crate::core::notes::{Look, Note};
use crate::core::prompt::{Message, PromptFile};
use crate::core::route::Health;
use crate::core::run::Usage;
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::limits::EDIT_WAIT_MS_MAX;
use crate::provider::{Arrived, KnownServers};
use crate::store::disk::FolderLock;
use crate::store::inbox::InboxWatch;
use crate::store::journal::Head;
use crate::store::{Error, Store};
use crate::time::{LocalMinute, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Longest pause between two attempts while something outside has to get better, in milliseconds.
const PAUSE_MS_MAX: u64 = 60_000;

/// First such pause, in milliseconds.
const PAUSE_MS_MIN: u64 = 1000;

/// How often an edit that is being written is looked at again, in milliseconds.
const EDIT_POLL_MS: u64 = 100;

/// Why the loop ended.
#[derive(Debug)]
pub enum Halt {
    /// It was asked to; everything committed stands, an open run goes on at the next start.
    Stopped,
    /// It cannot go on.
    Failed(Failure),
    /// An idle run gives way to another one. Never leaves [`Agent::drive`].
    Preempted,
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Whether to wait for a model server that is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A daemon waits: a server that is away never fails a run.
    Endless,
    /// A person is waiting: say so and fail.
    None,
}

/// The agent.
#[derive(Debug)]
pub struct Agent {
    /// Whether to wait for a server that is away.
    pub patience: Patience,
    /// A bound of iterations that goes before the configuration's.
    pub max_iterations: Option<u32>,
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) stop: Stop,
    pub(super) observer: Box<dyn Observer>,
    pub(super) inbox: InboxWatch,
    /// Whether a person has edited RAM since a run last went on for as long as there was work.
    pub(super) is_edited: bool,
    /// The next wait while there is nothing to do, in milliseconds, if it is longer than the first.
    pub(super) idle_delay_ms: u64,
    /// When old segments were last looked for.
    pub(super) retired_at: Option<Timestamp>,
    pub(super) hashes: MessageHashes,
    /// The status that was published last.
    pub(super) status: DaemonStatus,
    /// How much has arrived of the answer to the question that is out.
    pub(super) arrived: Arrived,
    /// When the files that a person writes were last taken over.
    pub(super) read_at: Timestamp,
    /// What has to get better outside, and since when, until it is known to be better.
    pub(super) trouble: Option<(Code, Timestamp)>,
    pub(super) minute: LocalMinute,
    pub(super) reload: Option<Reload>,
    /// Who tells of changed files, if anybody does.
    pub(super) events: Option<Box<dyn FileEvents + Send>>,
    /// The look over the notes that decided how a run begins, and how many changes there were then.
    pub(super) looked: Option<(u32, Look)>,
    /// What of the budget is reserved.
    pub(super) ledger: BudgetLedger,
    /// The providers to choose among.
    pub(super) pools: ProviderPools,
    /// Calls that no commit has reported yet.
    pub(super) unreported: Vec<CallMade>,
    /// What was waited for before the next call of the run, each code once.
    pub(super) waited: Vec<Waited>,
    /// Usage of answers that were thrown away, not yet counted by an iteration.
    pub(super) uncounted_usage: Usage,
    /// What is known of all servers that may be asked.
    pub(super) known: KnownServers,
    /// Checks the older lines of the journal beside the loop.
    pub(super) background_verify: BackgroundVerify,
    /// What others see of the loop.
    pub(super) heartbeat: Heartbeat,
    /// Where commands come from, if any can.
    pub(super) envelopes: Option<mpsc::Receiver<Envelope>>,
    /// What commands have changed since the question was put.
    pub(super) meanwhile: Edited,
    /// The run under way that a person has called off.
    pub(super) cancelled: Option<RunId>,
    /// The idle run that is being driven: it ends as soon as anything opens another one.
    pub(super) idle_run: Option<RunId>,
    /// When the next slot of a schedule comes.
    pub(super) schedule_timer: ScheduleTimer,
    /// The profiles of runs.
    pub(super) profiles: RunProfiles,
    /// The profile of the run that is worked on; the default one between runs.
    pub(super) profile: Arc<RunProfile>,
    /// Held as long as the agent lives; let go last.
    pub(super) lock: Option<FolderLock>,
}

impl Agent {
    /// The store, to look into.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// What is known of the health of the provider that is asked.
    pub fn health(&self) -> Health {
        self.server().pipeline.health(self.clock.now())
    }

    /// The configuration in force.
    pub fn config(&self) -> &Config {
        &self.profile.config
    }

    /// The prompt file in force.
    pub fn prompt(&self) -> &PromptFile {
        &self.profile.prompt
    }

    pub(super) fn policies(&self) -> Policies<'_> {
        self.profile.policies(self.max_iterations)
    }

    /// Commits, waiting out a full disk. The draft stays valid meanwhile: nobody else writes.
    pub(super) async fn commit(&mut self, mut draft: Draft) -> Result<Head, Halt> {
        let changed = ChangedNote::of(&draft.events);
        let head = self.with_room(|store| store.try_commit(&mut draft)).await?;
        self.observer.on_notes_changed(&changed);
        Ok(head)
    }

    /// Does something to the store, and again for as long as there is no room on the disk.
    pub(super) async fn with_room<T>(
        &mut self,
        mut work: impl FnMut(&mut Store) -> Result<T, Error>,
    ) -> Result<T, Halt> {
        let mut pause_ms = PAUSE_MS_MIN;
        let status = self.status.clone();
        loop {
            // Once damage is known nothing is written any more.
            self.background_verify.check()?;
            match work(&mut self.store) {
                Err(error) if error.is_full() => {
                    self.wait_for_better(Code::DiskFull, &error.to_string(), &mut pause_ms, None)
                        .await?;
                }
                other => {
                    self.heartbeat.update_if_committed(&self.store);
                    if pause_ms != PAUSE_MS_MIN {
                        // Whatever else was waited for goes on.
                        self.trouble = status.waiting.as_ref().map(|it| (it.code, it.since));
                        self.report_status(status);
                    }
                    return Ok(other?);
                }
            }
        }
    }

    /// Takes in what a person edited; waits a little while an edit is being written, and for room.
    pub(super) async fn take_edits(&mut self) -> Result<Edited, Halt> {
        let mut edited = Edited::default();
        let mut waited_ms = 0;
        loop {
            self.drain_file_events();
            let now = self.clock.now();
            let report = self.with_room(|store| store.take_edits(now)).await?;
            self.observer.on_edits(&report);
            self.is_edited |= !report.edited.ram_keys.is_empty();
            edited.ram_keys.extend(report.edited.ram_keys);
            edited.notes.extend(report.edited.notes);
            if !report.waiting || waited_ms >= EDIT_WAIT_MS_MAX {
                return Ok(edited);
            }
            self.pause(EDIT_POLL_MS).await?;
            waited_ms += EDIT_POLL_MS;
        }
    }

    /// Reads the notes, unless that was done since the start, and says what was found.
    pub(super) async fn read_notes(&mut self) -> Result<(), Halt> {
        let now = self.clock.now();
        for message in self.with_room(|store| store.read_notes(now)).await? {
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        }
        Ok(())
    }

    /// Lets the search index take a step, and says what came of the one before.
    pub(super) fn tend_index(&mut self) -> Result<(), Halt> {
        let now = self.clock.now();
        let notices = self.store.tend_index(now)?;
        self.observer.on_notices(&notices);
        Ok(())
    }

    /// Says what is being waited for, waits, and doubles the next wait. Where nobody puts files, only time
    /// and what rules wait for can open a budget or bring anything else to do. What is due at a known time
    /// is told with that time, however often files are looked at until then.
    pub(super) async fn wait_for_better(
        &mut self,
        code: Code,
        message: &str,
        pause_ms: &mut u64,
        due_ms: Option<u64>,
    ) -> Result<(), Halt> {
        let most_ms = if code == Code::BudgetExceeded && self.store.is_private() {
            let next_slot_ms = self.schedule_timer.left_ms(self.clock.now());
            next_slot_ms.unwrap_or(u64::MAX)
        } else {
            PAUSE_MS_MAX
        };
        let delay_ms = (*pause_ms).min(most_ms).max(PAUSE_MS_MIN);
        self.report_waiting(code, message, due_ms.unwrap_or(0).max(delay_ms));
        self.observer.on_event(LoopEvent::Waiting {
            code,
            message,
            delay_ms,
        });
        *pause_ms = delay_ms.saturating_mul(2);
        let why = Failure::new(code, message);
        self.pause_refusing(delay_ms, &why).await
    }

    /// Waits, unless the end is asked for first, or damage is found. What the start left unread is
    /// read from the first wait on at the latest.
    pub(super) async fn pause(&mut self, delay_ms: u64) -> Result<(), Halt> {
        self.heartbeat.step(delay_ms);
        if delay_ms == 0 {
            // A timer would make it a whole millisecond.
            tokio::task::yield_now().await;
            return if self.stop.is_asked() {
                Err(Halt::Stopped)
            } else {
                Ok(())
            };
        }
        self.background_verify.begin(&mut self.store);
        self.tend_index()?;
        // Each arm can be dropped at any point: a wait holds nothing.
        tokio::select! {
            biased;
            () = self.stop.asked() => Err(Halt::Stopped),
            halt = self.background_verify.damage() => Err(halt),
            () = self.clock.sleep(Duration::from_millis(delay_ms)) => Ok(()),
        }
    }

    /// Returns the notes as they are now.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.store.state().notes.iter()
    }

    /// Checks that the journal is as this program left it.
    pub fn check_journal(&mut self) -> Result<(), Failure> {
        Ok(self.store.check_journal()?)
    }

    /// Ends in good order: what is pending is written and the checkpoint says that nothing follows.
    ///
    /// # Errors
    /// With damage in what the start left unread, nothing is written.
    pub fn close(mut self) -> Result<(), Failure> {
        self.stop.leave(Left::Checkpoint);
        self.background_verify.conclude()?;
        let now = self.clock.now();
        // A stop may come before the first question has left; files have to be judged before it.
        for message in self.store.read_notes(now)? {
            self.observer
                .on_event(LoopEvent::Notice { message: &message });
        }
        if let Some(draft) = self.pending_draft() {
            match self.store.commit(draft) {
                // What was set aside stays spent.
                Err(error) if error.is_full() => {}
                result => drop(result?),
            }
        }
        self.store.checkpoint(true, self.clock.now())?;
        self.stop.leave(Left::LastWord);
        Ok(())
    }
}

/// Digests of the messages of the last prompt: most of a prompt never changes.
#[derive(Debug, Default)]
pub(super) struct MessageHashes {
    known: Vec<(String, Hash)>,
}

impl MessageHashes {
    /// SHA-256 over the SHA-256 of each message's text, in order.
    pub(super) fn of(&mut self, messages: &[Message]) -> String {
        self.known.truncate(messages.len());
        for (index, message) in messages.iter().enumerate() {
            match self.known.get_mut(index) {
                Some((text, _)) if *text == message.content => {}
                Some(known) => {
                    known.0.clone_from(&message.content);
                    known.1 = Hash::of(message.content.as_bytes());
                }
                None => {
                    let hash = Hash::of(message.content.as_bytes());
                    self.known.push((message.content.clone(), hash));
                }
            }
        }
        Hash::of_all(self.known.iter().map(|(_, hash)| *hash)).to_string()
    }
}
