//! The rows of the table: the setup, the attempt, and the sign that the guard stopped it; and the
//! one judge of all rows. A guard has fired when its sign is there, and nothing that it protects
//! has changed.

use super::scratch::{Scratch, Setup};
use crate::core::journal::event::InstructionOutcome;
use crate::core::journal::{Hash, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG};
use crate::core::notes::Note;
use crate::core::run::Run;
use crate::failure::{Code, Failure};
use crate::ids::WorkspaceId;
use crate::store::AuditEntry;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) struct Check {
    pub(super) guard: &'static str,
    /// The attempt, in words.
    pub(super) tried: &'static str,
    /// The change of the configuration that leaves only this guard in the way.
    pub(super) set: Box<dyn Fn(&mut Setup)>,
    /// The notes that a person wrote before: title, text, and the workspace if it is another one.
    pub(super) notes: Vec<(&'static str, String, Option<WorkspaceId>)>,
    pub(super) does: Attempt,
    sign: ExpectedEvidence,
    /// The condition that the protected data are unharmed.
    holds: Box<dyn Fn(&AttemptResult) -> bool>,
}

type Act = dyn Fn(&Scratch, Setup, &Path) -> Result<AttemptResult, Failure>;

/// An attempt, carried out on the scratch folder, or on a new root at the path.
pub(super) struct Attempt {
    pub(super) act: Box<Act>,
    /// Whether the protected data are at risk, so that the report holds their digests.
    is_risky: bool,
    unaudited: &'static str,
}

impl Attempt {
    pub(super) fn new(
        act: impl Fn(&Scratch, Setup, &Path) -> Result<AttemptResult, Failure> + 'static,
    ) -> Self {
        Self {
            act: Box::new(act),
            is_risky: false,
            unaudited: "the caller was refused before the data was reached",
        }
    }

    pub(super) fn risky(self) -> Self {
        Self {
            is_risky: true,
            ..self
        }
    }

    pub(super) fn unaudited(self, unaudited: &'static str) -> Self {
        Self { unaudited, ..self }
    }
}

/// A sign that an attempt was stopped.
#[derive(Clone, Copy)]
pub(super) enum ExpectedEvidence {
    /// One of these codes, in the audit or in the error for the caller.
    Codes(&'static [Code]),
    /// An applied entry of the audit for this instruction, with these words.
    Entry(&'static str, &'static str),
    /// These words, before those of the observations.
    Words(&'static str),
}

#[derive(Default)]
pub(super) struct AttemptResult {
    /// The protected data before it.
    pub(super) before: Footprint,
    /// The protected data after it.
    pub(super) after: Footprint,
    pub(super) entries: Vec<AuditEntry>,
    pub(super) failure: Option<Failure>,
    /// The words that show that it was stopped, where there is no code.
    pub(super) words: Option<String>,
    pub(super) run: Option<Run>,
    pub(super) request: Option<String>,
    pub(super) runs: usize,
    pub(super) harm: Option<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct GuardResult {
    pub(super) guard: &'static str,
    pub(super) tried: &'static str,
    pub(super) fired: bool,
    pub(super) code: Option<Code>,
    /// The evidence, in words; of a guard that did not fire, the effect of the attempt.
    pub(super) shown: String,
    /// Its entry in the audit of the scratch folder.
    audit: Option<AuditEntry>,
    /// The reason for a missing entry.
    pub(super) unaudited: Option<&'static str>,
    /// The SHA-256 of RAM, notes, `/storage` and proposals before it, where they were at risk.
    before: Option<String>,
    /// The SHA-256 of the data after it: only limits let the first changes stand.
    after: Option<String>,
}

/// Returns a row in which nothing may change.
pub(super) fn check(
    guard: &'static str,
    tried: &'static str,
    sign: ExpectedEvidence,
    does: Attempt,
) -> Check {
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

    pub(super) fn holds(mut self, holds: impl Fn(&AttemptResult) -> bool + 'static) -> Self {
        self.holds = Box::new(holds);
        self
    }

    /// Judges the observations: the guard has fired where its sign is there and nothing was harmed.
    pub(super) fn judge(&self, seen: Result<AttemptResult, Failure>) -> GuardResult {
        let mut line = GuardResult {
            guard: self.guard,
            tried: self.tried,
            ..GuardResult::default()
        };
        let seen = match seen {
            Ok(seen) => seen,
            // A failed attempt proves nothing.
            Err(Failure { code, message, .. }) => {
                line.shown = format!("could not be tried: {code}: {message}");
                return line;
            }
        };
        if self.does.is_risky {
            line.before = Some(seen.before.digest());
            line.after = Some(seen.after.digest());
        }
        let is_applied = |entry: &AuditEntry| entry.outcome == InstructionOutcome::Applied;
        let is_sign = |entry: &&AuditEntry| match self.sign {
            ExpectedEvidence::Codes(codes) => {
                !is_applied(entry) && entry.code.is_some_and(|code| codes.contains(&code))
            }
            ExpectedEvidence::Entry(op, _) => is_applied(entry) && entry.op == op,
            ExpectedEvidence::Words(_) => false,
        };
        let audit = seen.entries.iter().find(is_sign).cloned();
        let failure = seen.failure.as_ref().filter(|failure| match self.sign {
            ExpectedEvidence::Codes(codes) => codes.contains(&failure.code),
            ExpectedEvidence::Entry(..) | ExpectedEvidence::Words(_) => false,
        });
        let words = match (self.sign, &audit, failure) {
            _ if seen.harm.is_some() || !(self.holds)(&seen) => None,
            (ExpectedEvidence::Entry(_, more), Some(entry), _) => Some(words_of(entry) + more),
            (_, Some(entry), _) => Some(words_of(entry)),
            (_, None, Some(failure)) => Some(failure.message.clone()),
            (ExpectedEvidence::Words(words), None, None) => {
                seen.words.as_ref().map(|more| format!("{words}{more}"))
            }
            (ExpectedEvidence::Codes(_) | ExpectedEvidence::Entry(..), None, None) => None,
        };
        line.fired = words.is_some();
        line.shown = words.unwrap_or_else(|| seen.otherwise());
        if line.fired {
            let code = failure.map(|failure| failure.code);
            line.code = audit.as_ref().map_or(code, |entry| entry.code);
            line.unaudited = audit.is_none().then_some(self.does.unaudited);
            line.audit = audit;
        }
        line
    }
}

fn words_of(entry: &AuditEntry) -> String {
    let outcome = entry.outcome.name_for_people(false);
    format!("audit {}: {} {outcome}", entry.seq, entry.op)
}

impl AttemptResult {
    /// Returns the observations of an action that fails where it is refused.
    pub(super) fn outcome<T>(outcome: Result<T, Failure>) -> Self {
        Self {
            failure: outcome.err(),
            ..Self::default()
        }
    }

    /// Adds the harm if a condition does not hold.
    pub(super) fn unless(mut self, holds: bool, harm: &str) -> Self {
        self.harm = (!holds).then(|| harm.to_owned());
        self
    }

    /// Describes what happened where nothing was stopped.
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

/// The data that guards protect.
/// The loop's own keys are left out, so that a reply that changes nothing leaves an equal
/// footprint.
#[derive(Default, PartialEq, Serialize)]
pub(super) struct Footprint {
    pub(super) ram: BTreeMap<String, Value>,
    pub(super) storage: Value,
    pub(super) notes: Vec<Note>,
    pub(super) proposals: usize,
}

impl Footprint {
    pub(super) fn of(state: &State) -> Self {
        let own = [STATE, THINK_LOG, CONTEXT, STEPS];
        let ram = state
            .main
            .ram
            .entries()
            .filter(|(key, _)| !own.contains(key));
        Self {
            ram: ram
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
            storage: serde_json::from_slice(&state.storage.to_file()).unwrap_or_default(),
            notes: state.notes.iter().cloned().collect(),
            proposals: state.proposals.pending().len(),
        }
    }

    pub(super) fn note_count(&self) -> usize {
        self.notes.len() + self.proposals
    }

    pub(super) fn note(&self, title: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.title == title)
    }

    pub(super) fn digest(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        Hash::of(&bytes).to_string()
    }
}
