//! Commands from other threads to a running loop, such as changes by a person and runs by hand.
//!
//! Commands wait in a short queue until the loop has a moment, which it also has while a model
//! works. Each command is claimed once, by the loop that begins it or by the sender that gives up:
//! a command that was given up is never carried out later.

use crate::config::Config;
use crate::core::automation::Rule;
use crate::core::guard::{Approved, EditedItems, Guard};
use crate::core::journal::{Actor, ActorType, Cause, Change, CommitDraft, Event, State};
use crate::core::run::Run;
use crate::failure::{Code, Failure};
use crate::ids::{AgentId, EventId, RunId};
use crate::limits::{COMMAND_WAIT_MS, COMMANDS_MAX};
use crate::time::Timestamp;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc as replies;
use std::time::Duration;
use tokio::sync::mpsc;

/// The context of a change by a person.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// The state, hand edits included.
    pub state: &'a State,
    pub config: &'a Config,
    pub guard: Guard<'a>,
    pub now: Timestamp,
}

/// The edits made while a person's change is decided: none.
static NOTHING: EditedItems = EditedItems {
    ram_keys: BTreeSet::new(),
    notes: BTreeSet::new(),
};

impl<'a> ChangeContext<'a> {
    /// Makes the context of a change to a state.
    pub fn new(state: &'a State, config: &'a Config, now: Timestamp) -> Self {
        Self {
            state,
            config,
            guard: Guard::for_user(&config.scope, &NOTHING),
            now,
        }
    }
}

/// The cause and the events of one commit by a person.
#[derive(Debug)]
pub struct DraftParts {
    pub cause: Cause,
    /// The events, in order; without any there is no commit.
    pub events: Vec<Event>,
}

impl DraftParts {
    /// Makes the parts of a draft from changes and their cause.
    pub fn of(cause: &Cause, changes: Vec<Approved<Change>>) -> Self {
        Self {
            cause: cause.clone(),
            events: changes.into_iter().map(Event::Change).collect(),
        }
    }

    /// Returns the draft of the commit.
    pub fn draft(self, now: Timestamp) -> CommitDraft {
        CommitDraft {
            ts: now,
            actor: Actor {
                actor_type: ActorType::User,
            },
            cause: self.cause,
            events: self.events,
        }
    }
}

/// A function that decides a change, or says why it is refused.
pub type Decide =
    Box<dyn FnOnce(&mut ChangeContext<'_>) -> Result<DraftParts, Failure> + Send + 'static>;

/// A function that changes a file, or says why not.
pub(super) type ChangeFile = Box<dyn FnOnce() -> Result<(), Failure> + Send + 'static>;

/// A run of an agent that is to be opened.
#[derive(Debug)]
pub struct AgentLaunch {
    pub agent: AgentId,
    pub event: EventId,
    /// What the agent is to do.
    pub task: String,
    /// Whether the run waits while another run of the agent is open.
    pub queues: bool,
}

/// A command to the loop.
pub enum Command {
    Change(Decide),
    /// A run by hand. The same event never opens two.
    Launch {
        event: EventId,
        request: Option<String>,
    },
    /// A run of an agent. The same event never opens two.
    RunAgent(AgentLaunch),
    /// A run by a rule, as its file has it. The same event of the same rule never opens two.
    Trigger {
        rule: Box<Rule>,
        event: EventId,
    },
    /// A change of a file that a person writes; the loop reads its files again after it.
    File(ChangeFile),
    /// Another attempt of a run that failed.
    Retry {
        run_id: RunId,
    },
    /// The end of a run that has not ended.
    Cancel {
        run_id: RunId,
    },
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Change(_) => "Change",
            Self::Launch { .. } => "Launch",
            Self::RunAgent(_) => "RunAgent",
            Self::Trigger { .. } => "Trigger",
            Self::File(_) => "File",
            Self::Retry { .. } => "Retry",
            Self::Cancel { .. } => "Cancel",
        })
    }
}

/// The result of a command.
#[derive(Debug)]
pub enum CommandOutcome {
    /// The change was made, durably.
    Changed,
    Run {
        run: Box<Run>,
        is_new: bool,
    },
}

impl CommandOutcome {
    pub(super) fn run(run: Run, is_new: bool) -> Self {
        let run = Box::new(run);
        Self::Run { run, is_new }
    }
}

/// A command that was carried out.
#[derive(Debug)]
pub struct CommandReply {
    pub done: CommandOutcome,
    /// The failure after the commit, if there was one. The command is done all the same.
    pub warning: Option<Failure>,
}

/// A command in the queue, with the channel back to its sender.
#[derive(Debug)]
pub struct Envelope {
    command: Command,
    /// Whether the command is claimed, by the loop that begins it or by the sender that gives up.
    claimed: Arc<AtomicBool>,
    reply: Responder,
}

/// The sender's side of the queue. May be used from any thread but the loop's.
#[derive(Clone, Debug)]
pub struct CommandSender {
    queue: mpsc::Sender<Envelope>,
}

/// Returns both ends of the queue of commands.
pub fn command_channel() -> (CommandSender, mpsc::Receiver<Envelope>) {
    let (queue, envelopes) = mpsc::channel(COMMANDS_MAX);
    (CommandSender { queue }, envelopes)
}

impl CommandSender {
    /// Sends a command and waits for its result. Blocks this thread.
    ///
    /// # Errors
    /// `DAEMON_BUSY` when the loop did not begin with it in time, and never will. `ANSWER_LOST`
    /// when the loop ended over it. Otherwise the failure of the command.
    pub fn run(&self, command: Command) -> Result<CommandReply, Failure> {
        let claimed = Arc::new(AtomicBool::new(false));
        let (reply, answer) = replies::channel();
        let envelope = Envelope {
            command,
            claimed: Arc::clone(&claimed),
            reply,
        };
        self.queue.try_send(envelope).map_err(|_| busy())?;
        match answer.recv_timeout(Duration::from_millis(COMMAND_WAIT_MS)) {
            Ok(outcome) => outcome,
            Err(_) if !claimed.swap(true, Ordering::AcqRel) => Err(busy()),
            // It is being carried out now, or the loop has ended over it.
            Err(_) => answer.recv().unwrap_or_else(|_| Err(lost())),
        }
    }
}

fn busy() -> Failure {
    Failure::new(
        Code::DaemonBusy,
        "the daemon did not get to it; nothing was changed",
    )
}

fn lost() -> Failure {
    let message = "the daemon ended while it worked on it; whether the change is made is not known";
    Failure::new(Code::AnswerLost, message)
}

/// Waits for the next command; for ever where none can come any more. Cancel safe.
pub(super) async fn next_envelope(queue: &mut mpsc::Receiver<Envelope>) -> Envelope {
    match queue.recv().await {
        Some(envelope) => envelope,
        None => std::future::pending().await,
    }
}

/// The channel that carries the result back to the sender.
pub(super) type Responder = replies::Sender<Result<CommandReply, Failure>>;

impl Envelope {
    /// Claims the command; returns nothing if its sender has given up.
    pub(super) fn claim(self) -> Option<(Command, Responder)> {
        let is_given_up = self.claimed.swap(true, Ordering::AcqRel);
        (!is_given_up).then_some((self.command, self.reply))
    }

    /// Answers a command without carrying it out.
    pub(super) fn refuse(self, why: Failure) {
        if let Some((_, reply)) = self.claim() {
            // The sender may be gone.
            reply.send(Err(why)).unwrap_or_default();
        }
    }
}
