//! The comparison of the checkpoint with the journal.
//! A start reads only the checkpoint and the journal's tail, so a checkpoint that differs would
//! replace acknowledged state. Never writes.

use super::Head;
use super::checkpoint::Checkpoint;
use crate::core::journal::{Commit, Hash, State};
use crate::core::notes::Note;
use crate::core::run::{Run, Runs};
use crate::ids::{NoteId, RunId};
use crate::store::error::Error;
use crate::store::views::deferred::DeferredView;
use crate::store::views::files::ViewFiles;
use std::collections::{BTreeMap, BTreeSet};

/// The number of differences that are named one by one.
const NAMED_MAX: usize = 5;

/// The state of the journal alone, up to the commit that a checkpoint covers.
pub(crate) struct Agreement {
    checkpoint: Checkpoint,
    state: State,
    views: ViewFiles,
    /// The digests of files that the journal names.
    named: BTreeSet<Hash>,
    /// Whether the commit that the checkpoint covers has been read.
    is_read: bool,
    /// The first error of reading a digest of the journal.
    failure: Option<Error>,
}

impl Agreement {
    pub(crate) fn of(checkpoint: Checkpoint) -> Self {
        Self {
            checkpoint,
            state: State::empty(),
            views: ViewFiles::default(),
            named: BTreeSet::new(),
            is_read: false,
            failure: None,
        }
    }

    /// Applies the next commit of the kept journal, unless it is newer than the checkpoint.
    pub(crate) fn take(&mut self, commit: &Commit) {
        if commit.seq > self.checkpoint.head.seq {
            return;
        }
        self.is_read |= commit.seq == self.checkpoint.head.seq;
        self.state.apply_commit(commit);
        if let Err(error) = self.views.note_commit(commit, &mut self.named) {
            self.failure.get_or_insert(error);
        }
    }

    /// Returns the differences in words; `None` if checkpoint and journal agree.
    /// A journal that does not reach the checkpoint's commit gives `None`, since that is reported
    /// elsewhere.
    pub(crate) fn difference(mut self) -> Result<Option<String>, Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if !self.is_read {
            return Ok(None);
        }
        let mut differing = self.notes()?;
        let said = self.checkpoint.state();
        if said.ram != self.state.ram {
            differing.push("RAM".to_owned());
        }
        let tree =
            |views: &BTreeMap<DeferredView, Hash>| views.get(&DeferredView::Storage).copied();
        let named = tree(&self.views.deferred.digests);
        if named.is_some() && named != tree(&self.checkpoint.view_digests) {
            differing.push("/storage".to_owned());
        }
        if said.proposals != self.state.proposals {
            differing.push("proposals".to_owned());
        }
        if said.schedule_cursor != self.state.schedule_cursor {
            differing.push("what schedules wait for".to_owned());
        }
        if said.spending != self.state.spending {
            differing.push("spending".to_owned());
        }
        differing.extend(self.runs(&said.runs));
        Ok(worded(&differing))
    }

    /// Returns the runs that only one of the two has, or whose records differ.
    fn runs(&self, said: &Runs) -> Vec<String> {
        // If old segments are gone, the carried state need not include all remembered runs.
        let is_complete = self.checkpoint.first.head == Head::START;
        let known = |runs: &Runs| -> BTreeMap<RunId, Option<Run>> {
            let runs = runs.newest_first();
            let runs = runs.filter(|run| is_complete || !run.is_finished());
            runs.map(|run| (run.run_id, is_complete.then(|| run.clone())))
                .collect()
        };
        let (records, journaled) = (known(said), known(&self.state.runs));
        let ids: BTreeSet<RunId> = records.keys().chain(journaled.keys()).copied().collect();
        let differing = ids.iter().filter(|id| records.get(id) != journaled.get(id));
        let mut differing: Vec<String> = differing.map(|id| format!("run {id}")).collect();
        if is_complete && said.past() != self.state.runs.past() {
            differing.push("the runs of long ago".to_owned());
        }
        differing
    }

    /// Returns the notes that only one of the two has, or whose files the journal never named.
    fn notes(&mut self) -> Result<Vec<String>, Error> {
        let said: BTreeMap<NoteId, Hash> = self.checkpoint.notes.read()?.clone();
        let journaled: BTreeMap<NoteId, &Note> = self
            .state
            .notes
            .iter()
            .map(|note| (note.id, note))
            .collect();
        let ids: BTreeSet<NoteId> = said.keys().chain(journaled.keys()).copied().collect();
        let agrees = |id: &NoteId| match (said.get(id), journaled.get(id)) {
            (Some(digest), Some(note)) => {
                self.named.contains(digest) || Hash::of(&note.to_file()) == *digest
            }
            _ => false,
        };
        let differing = ids.iter().filter(|id| !agrees(id));
        Ok(differing.map(|id| format!("note {id}")).collect())
    }
}

fn worded(differing: &[String]) -> Option<String> {
    let (named, more) = differing.split_at(differing.len().min(NAMED_MAX));
    let more = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    (!named.is_empty())
        .then(|| format!("it differs from the journal in {}{more}", named.join(", ")))
}
