//! The check of one guard: what is tried, and how it shows that the guard stopped it. A guard has fired when
//! it left its mark, and nothing that it guards has changed.

use super::footprint::Footprint;
use super::scratch::{Asked, Scratch, Tuned};
use crate::core::guard::{Approved, Refusal};
use crate::core::journal::Change;
use crate::core::journal::event::Outcome;
use crate::daemon::ChangeContext;
use crate::failure::{Code, Failure};
use crate::store::AuditEntry;
use serde_json::{Value, json};

/// A guard and the attempt that it must stop.
pub(super) struct GuardCheck {
    /// The guard's name.
    pub(super) guard: &'static str,
    /// What is tried, in words.
    pub(super) tried: &'static str,
    /// How.
    pub(super) attempt: Attempt,
}

/// How something is tried.
pub(super) enum Attempt {
    /// The model says it.
    ReplyAttempt(ReplyAttempt),
    /// It comes in another way.
    Done(fn(&mut Scratch) -> Result<Came, Failure>),
}

/// An attempt by the replies of a model, and the codes that must come of it.
pub(super) struct ReplyAttempt {
    /// The codes by which it may be stopped; strict parsers refuse a reply as a whole.
    pub(super) codes: &'static [Code],
    /// What has to be set so that this guard alone stands in the way.
    pub(super) tune: fn(&mut Tuned),
    /// What a person has written before.
    pub(super) before: fn(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>,
    /// The replies, one an iteration.
    pub(super) replies: fn(&Tuned) -> Vec<ScriptedReply>,
    /// Whether what was guarded is as it must be.
    pub(super) holds: fn(&Tuned, &Footprint, &Footprint) -> bool,
}

/// One reply of the model.
#[derive(Clone, Debug)]
pub(super) struct ScriptedReply {
    text: String,
    is_cut: bool,
}

impl ScriptedReply {
    /// A whole reply.
    pub(super) fn complete(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_cut: false,
        }
    }

    /// One that the server cut off at its limit.
    pub(super) fn cut(text: impl Into<String>) -> Self {
        Self {
            is_cut: true,
            ..Self::complete(text)
        }
    }

    /// A line of a script.
    pub(super) fn line(&self) -> Value {
        let finish = if self.is_cut { "length" } else { "stop" };
        json!({"text": self.text, "finish": finish})
    }
}

impl ReplyAttempt {
    /// What is refused with one of these codes and changes nothing.
    pub(super) const fn new(
        codes: &'static [Code],
        replies: fn(&Tuned) -> Vec<ScriptedReply>,
    ) -> Self {
        Self {
            codes,
            tune: |_| {},
            before: |_| Ok(Vec::new()),
            replies,
            holds: |_, before, after| before == after,
        }
    }

    pub(super) const fn tuned(mut self, tune: fn(&mut Tuned)) -> Self {
        self.tune = tune;
        self
    }

    pub(super) const fn after(
        mut self,
        before: fn(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>,
    ) -> Self {
        self.before = before;
        self
    }

    pub(super) const fn holding(
        mut self,
        holds: fn(&Tuned, &Footprint, &Footprint) -> bool,
    ) -> Self {
        self.holds = holds;
        self
    }

    fn run(&self, scratch: &mut Scratch) -> Result<Came, Failure> {
        let mut tuned = scratch.tuned();
        (self.tune)(&mut tuned);
        scratch.by_person(&tuned, self.before)?;
        let replies = (self.replies)(&tuned);
        let asked = scratch.ask(&tuned, &replies)?;
        Ok(self.judge(&tuned, &asked))
    }

    fn judge(&self, tuned: &Tuned, asked: &Asked) -> Came {
        if !(self.holds)(tuned, &asked.before, &asked.after) {
            return Came::Through(format!("took effect: {}", asked.changed()));
        }
        let wanted = |code: Option<Code>| code.filter(|code| self.codes.contains(code));
        let refused =
            |entry: &&AuditEntry| entry.outcome != Outcome::Applied && wanted(entry.code).is_some();
        if let Some(entry) = asked.entries.iter().find(refused) {
            return Came::Stopped(Shown::entry(entry));
        }
        if let Some(failure) = &asked.halt {
            return match wanted(Some(failure.code)) {
                Some(code) => Came::Stopped(Shown::words(code, &failure.message, WAITS)),
                None => Came::Through(format!("it ended otherwise: {}", failure.code)),
            };
        }
        Came::Through(asked.changed())
    }
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Came {
    /// It was stopped.
    Stopped(Shown),
    /// It was not, and this is what happened.
    Through(String),
}

/// What shows that something was stopped.
#[derive(Debug)]
pub(super) struct Shown {
    /// The code by which.
    pub(super) code: Option<Code>,
    /// In words.
    pub(super) words: String,
    /// The entry of the audit, or why it has none.
    pub(super) audit: Result<AuditEntry, &'static str>,
}

/// Why the audit says nothing: whoever asked has the answer, and nothing came to the data.
pub(super) const ANSWERED: &str = "it was refused to whoever asked, before it came to the data";

/// The same of a call that waits.
pub(super) const WAITS: &str = "nothing is refused for good: the call waits";

/// The same of what only shows something.
pub(super) const SHOWN_ONLY: &str = "it decides nothing, it shows";

/// The same of what does not happen.
pub(super) const NOT_MEANT: &str = "nothing was asked of it";

/// The same of a folder that nothing may be written to.
pub(super) const UNTOUCHED: &str = "nothing may be written there";

impl Shown {
    /// A code and words.
    pub(super) fn words(code: Code, words: &str, unaudited: &'static str) -> Self {
        Self {
            code: Some(code),
            words: words.to_owned(),
            audit: Err(unaudited),
        }
    }

    /// An entry of the audit.
    pub(super) fn entry(entry: &AuditEntry) -> Self {
        let outcome = match entry.outcome {
            Outcome::Applied => "applied",
            Outcome::Rejected => "rejected",
            Outcome::Ignored => "ignored",
        };
        Self {
            code: entry.code,
            words: format!("audit {}: {} {}", entry.seq, entry.op, outcome),
            audit: Ok(entry.clone()),
        }
    }
}

impl Came {
    /// Stopped without a code, as these words show.
    pub(super) const fn stopped(words: String, unaudited: &'static str) -> Self {
        Self::Stopped(Shown {
            code: None,
            words,
            audit: Err(unaudited),
        })
    }

    /// Stopped by a failure with one of these codes.
    pub(super) fn by_failure<T>(
        outcome: Result<T, Failure>,
        codes: &[Code],
        unaudited: &'static str,
    ) -> Self {
        match outcome {
            Err(failure) if codes.contains(&failure.code) => {
                Self::Stopped(Shown::words(failure.code, &failure.message, unaudited))
            }
            Err(failure) => Self::Through(format!(
                "stopped otherwise: {}: {}",
                failure.code, failure.message
            )),
            Ok(_) => Self::Through("it was done".to_owned()),
        }
    }

    /// Stopped, as an entry of the audit shows.
    pub(super) fn by_audit(entries: &[AuditEntry], code: Code) -> Self {
        let found = entries.iter().find(|entry| entry.code == Some(code));
        match found {
            Some(entry) => Self::Stopped(Shown::entry(entry)),
            None => Self::Through(format!("the audit has no {code}")),
        }
    }

    /// The same where something else must hold as well.
    pub(super) fn only_if(self, holds: bool, otherwise: &str) -> Self {
        if holds {
            self
        } else {
            Self::Through(otherwise.to_owned())
        }
    }
}

impl GuardCheck {
    /// Tries it.
    pub(super) fn run(&self, scratch: &mut Scratch) -> Result<Came, Failure> {
        match &self.attempt {
            Attempt::ReplyAttempt(attempt) => attempt.run(scratch),
            Attempt::Done(act) => act(scratch),
        }
    }
}
