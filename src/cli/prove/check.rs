//! A row of the table: what is given, what is tried, and what shows that the guard stopped it; and the one
//! judge of all rows. A guard has fired when it left its sign, and nothing that it guards has changed.

use super::scratch::Setup;
use crate::core::guard::{Approved, Refusal};
use crate::core::journal::event::Outcome;
use crate::core::journal::{Change, Hash, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG};
use crate::core::notes::Note;
use crate::core::run::Run;
use crate::daemon::ChangeContext;
use crate::failure::{Code, Failure};
use crate::ids::WorkspaceId;
use crate::store::AuditEntry;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A row of the table.
pub(super) struct Check {
    /// The guard's name.
    pub(super) guard: &'static str,
    /// What is tried, in words.
    pub(super) tried: &'static str,
    /// Changes the configuration so that this guard alone stands in the way.
    pub(super) set: Box<dyn Fn(&mut Setup)>,
    /// Notes that a person has written before: title, text, and the workspace if it is not the own one.
    pub(super) notes: Vec<(&'static str, String, Option<WorkspaceId>)>,
    /// How it is tried.
    pub(super) does: Does,
    /// What shows that it was stopped.
    sign: Sign,
    /// Whether what is guarded is as it must be.
    holds: Box<dyn Fn(&Seen) -> bool>,
}

/// How something is tried.
pub(super) enum Does {
    /// A model plays these lines of a script in one run, one an iteration.
    Script(Vec<String>),
    /// A model server answers with more than any answer has.
    Flood,
    /// A model plays these lines in one run and in those that this rule opens, one a run.
    RuleRuns(Value, Vec<String>),
    /// The same event is queued twice.
    Queue,
    /// Two requests are launched under one key.
    Launch([&'static str; 2]),
    /// A person changes something.
    Change(fn(&mut ChangeContext<'_>) -> Result<Vec<Approved<Change>>, Refusal>),
    /// A fresh root is read that has these values in its configuration, and these rules.
    Load(Value, Vec<Value>),
    /// A second process wants the root.
    Hold,
    /// A loop starts on a journal whose lines somebody changed, with its checkpoint or without.
    Damage(fn(&mut Vec<String>), bool),
    /// A file comes into the inbox; without bytes a folder.
    Drop(&'static str, Option<Vec<u8>>),
    /// The RAM file gets these bytes; without bytes it is removed.
    EditRam(Option<&'static [u8]>),
    /// Files of these names are exported into a folder, one after the other.
    Export(&'static str, &'static [&'static str]),
    /// These files are put below a folder of which so many may be found, and the first one is read.
    Import(&'static str, Vec<(String, Vec<u8>)>, usize),
    /// A text is shown that must not hold another one.
    Show(String, &'static str),
    /// A request comes to a door, and the answer begins like this.
    Ask(Door, &'static str, String),
}

/// A door of the control interface.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Door {
    Socket,
    Tcp,
    /// The socket, with little time to speak.
    Impatient,
    /// The socket, with room for one, while another one speaks.
    Full,
}

/// What shows that something was stopped.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    /// One of these codes, in the audit or told to whoever asked.
    Codes(&'static [Code]),
    /// An applied entry of the audit for this instruction, with these words.
    Entry(&'static str, &'static str),
    /// These words, before those of what was seen.
    Words(&'static str),
}

/// What was seen of an attempt.
#[derive(Default)]
pub(super) struct Seen {
    /// What guards protect, before it.
    pub(super) before: Footprint,
    /// The same after it.
    pub(super) after: Footprint,
    /// What the audit has of it.
    pub(super) entries: Vec<AuditEntry>,
    /// Why it ended, for whoever asked.
    pub(super) failure: Option<Failure>,
    /// What shows that it did not happen, where there is no code.
    pub(super) words: Option<String>,
    /// The run.
    pub(super) run: Option<Run>,
    /// The person's request as it stands in the end.
    pub(super) request: Option<String>,
    /// The runs that came of it.
    pub(super) runs: usize,
    /// What was harmed.
    pub(super) harm: Option<String>,
}

/// What came of one check.
#[derive(Debug, Default, Serialize)]
pub(super) struct Line {
    pub(super) guard: &'static str,
    pub(super) tried: &'static str,
    pub(super) fired: bool,
    /// The code by which it was stopped.
    pub(super) code: Option<Code>,
    /// What shows that, in words; of a guard that did not fire, what got through.
    pub(super) shown: String,
    /// Its entry in the audit of the scratch folder.
    audit: Option<AuditEntry>,
    /// Why it has none.
    pub(super) unaudited: Option<&'static str>,
    /// SHA-256 over RAM, notes, `/storage` and proposals before it, where they were in question.
    before: Option<String>,
    /// The same after it: limits let the first ones stand, everything else leaves it as it was.
    after: Option<String>,
}

/// Returns a row in which nothing may change.
pub(super) fn check(guard: &'static str, tried: &'static str, sign: Sign, does: Does) -> Check {
    Check {
        guard,
        tried,
        set: Box::new(|_| {}),
        notes: Vec::new(),
        does,
        sign,
        holds: Box::new(|seen| seen.before == seen.after),
    }
}

impl Check {
    pub(super) fn set(mut self, set: impl Fn(&mut Setup) + 'static) -> Self {
        self.set = Box::new(set);
        self
    }

    pub(super) fn note(self, title: &'static str) -> Self {
        self.note_of(title, "What a person wrote.", None)
    }

    pub(super) fn note_of(
        mut self,
        title: &'static str,
        text: &str,
        workspace: Option<WorkspaceId>,
    ) -> Self {
        self.notes.push((title, text.to_owned(), workspace));
        self
    }

    pub(super) fn holds(mut self, holds: impl Fn(&Seen) -> bool + 'static) -> Self {
        self.holds = Box::new(holds);
        self
    }

    /// Judges what was seen: the guard has fired where its sign is there and nothing was harmed.
    pub(super) fn judge(&self, seen: Result<Seen, Failure>) -> Line {
        let mut line = Line {
            guard: self.guard,
            tried: self.tried,
            ..Line::default()
        };
        let seen = match seen {
            Ok(seen) => seen,
            // What could not be tried is not proved.
            Err(Failure { code, message, .. }) => {
                line.shown = format!("could not be tried: {code}: {message}");
                return line;
            }
        };
        if let Does::Script(_) | Does::Flood | Does::Drop(..) | Does::EditRam(_) = self.does {
            line.before = Some(seen.before.digest());
            line.after = Some(seen.after.digest());
        }
        let is_applied = |entry: &AuditEntry| entry.outcome == Outcome::Applied;
        let is_sign = |entry: &&AuditEntry| match self.sign {
            Sign::Codes(codes) => {
                !is_applied(entry) && entry.code.is_some_and(|code| codes.contains(&code))
            }
            Sign::Entry(op, _) => is_applied(entry) && entry.op == op,
            Sign::Words(_) => false,
        };
        let audit = seen.entries.iter().find(is_sign).cloned();
        let failure = seen.failure.as_ref().filter(|failure| match self.sign {
            Sign::Codes(codes) => codes.contains(&failure.code),
            Sign::Entry(..) | Sign::Words(_) => false,
        });
        let words = match (self.sign, &audit, failure) {
            _ if seen.harm.is_some() || !(self.holds)(&seen) => None,
            (Sign::Entry(_, more), Some(entry), _) => Some(words_of(entry) + more),
            (_, Some(entry), _) => Some(words_of(entry)),
            (_, None, Some(failure)) => Some(failure.message.clone()),
            (Sign::Words(words), None, None) => {
                seen.words.as_ref().map(|more| format!("{words}{more}"))
            }
            (Sign::Codes(_) | Sign::Entry(..), None, None) => None,
        };
        line.fired = words.is_some();
        line.shown = words.unwrap_or_else(|| seen.otherwise());
        if line.fired {
            let code = failure.map(|failure| failure.code);
            line.code = audit.as_ref().map_or(code, |entry| entry.code);
            line.unaudited = audit.is_none().then(|| self.unaudited());
            line.audit = audit;
        }
        line
    }

    /// Returns why the audit has no entry.
    const fn unaudited(&self) -> &'static str {
        match self.does {
            Does::Script(_) | Does::Ask(Door::Full, ..) => {
                "nothing is refused for good: the call waits"
            }
            Does::Queue | Does::RuleRuns(..) => "nothing was asked of it",
            Does::Hold | Does::Damage(..) => "nothing may be written there",
            Does::Show(..) => "it decides nothing, it shows",
            Does::Flood
            | Does::Launch(_)
            | Does::Change(_)
            | Does::Load(..)
            | Does::Drop(..)
            | Does::EditRam(_)
            | Does::Export(..)
            | Does::Import(..)
            | Does::Ask(..) => "it was refused to whoever asked, before it came to the data",
        }
    }
}

fn words_of(entry: &AuditEntry) -> String {
    let outcome = match entry.outcome {
        Outcome::Applied => "applied",
        Outcome::Rejected => "rejected",
        Outcome::Ignored => "ignored",
    };
    format!("audit {}: {} {outcome}", entry.seq, entry.op)
}

impl Seen {
    /// Returns what was seen of something that fails where it is refused.
    pub(super) fn outcome<T>(outcome: Result<T, Failure>) -> Self {
        Self {
            failure: outcome.err(),
            ..Self::default()
        }
    }

    /// Adds what was harmed if something does not hold.
    pub(super) fn unless(mut self, holds: bool, harm: &str) -> Self {
        self.harm = (!holds).then(|| harm.to_owned());
        self
    }

    /// Returns what happened where nothing was stopped, in words.
    fn otherwise(&self) -> String {
        if let Some(harm) = &self.harm {
            return harm.clone();
        }
        if let Some(Failure { code, message, .. }) = &self.failure {
            return format!("stopped otherwise: {code}: {message}");
        }
        let entries = self.entries.iter().take(5).map(|entry| {
            let code = entry.code.map_or("applied", Code::as_str);
            format!("; {} {}: {code}", entry.op, entry.target)
        });
        let (runs, entries) = (self.runs, entries.collect::<String>());
        format!("it was done{entries}; runs of rules: {runs}")
    }
}

/// Everything that guards protect, as it stands. What the loop writes for itself is left out, so that a
/// reply that changes nothing leaves the same footprint.
#[derive(Default, PartialEq, Serialize)]
pub(super) struct Footprint {
    pub(super) ram: BTreeMap<String, Value>,
    pub(super) storage: Value,
    pub(super) notes: Vec<Note>,
    pub(super) proposals: usize,
}

impl Footprint {
    /// Returns that of a state.
    pub(super) fn of(state: &State) -> Self {
        let own = [STATE, THINK_LOG, CONTEXT, STEPS];
        let ram = state.ram.entries().filter(|(key, _)| !own.contains(key));
        Self {
            ram: ram
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
            storage: serde_json::from_slice(&state.storage.to_file()).unwrap_or_default(),
            notes: state.notes.iter().cloned().collect(),
            proposals: state.proposals.pending().len(),
        }
    }

    /// Returns the number of notes that there are or that are proposed.
    pub(super) fn note_count(&self) -> usize {
        self.notes.len() + self.proposals
    }

    /// Returns the note of this title.
    pub(super) fn note(&self, title: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.title == title)
    }

    /// Returns SHA-256 over it.
    pub(super) fn digest(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        Hash::of(&bytes).to_string()
    }
}
