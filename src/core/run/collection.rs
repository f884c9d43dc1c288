//! The runs in memory: every open one, and the newest finished ones.
//! Of older finished runs only the ids are kept here; their records are in the journal alone.

use super::past_runs::PastRuns;
use super::record::{Run, RunState};
use crate::ids::RunId;
use crate::limits::RUNS_FINISHED_KEPT;
use std::collections::VecDeque;

/// The open runs in the order of their arrival, and the newest finished ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Runs {
    open: VecDeque<Run>,
    finished: VecDeque<Run>,
    #[serde(default, skip_serializing_if = "PastRuns::is_empty")]
    past: PastRuns,
}

impl Runs {
    /// Adds a run at the end of the queue; a run that is already known is left as it is.
    pub fn queue(&mut self, run: Run) {
        if self.get(run.run_id).is_none() {
            self.open.push_back(run);
        }
    }

    /// Returns the running run, else the next queued one.
    pub fn next(&self) -> Option<&Run> {
        self.open
            .iter()
            .find(|run| run.state == RunState::Running)
            .or_else(|| self.open.front())
    }

    /// Returns whether a run was ever opened under this id, as far back as ids are kept.
    pub fn knows(&self, id: RunId) -> bool {
        self.get(id).is_some() || self.past.contains(id)
    }

    /// Returns the ids of the finished runs whose records are no longer kept.
    pub const fn past(&self) -> &PastRuns {
        &self.past
    }

    /// Replaces the ids of past runs; used when retention carries them over.
    pub fn remember(&mut self, past: PastRuns) {
        self.past = past;
    }

    /// Returns whether no run had to make room yet, so that every record is here.
    pub fn is_complete(&self) -> bool {
        self.finished.len() < RUNS_FINISHED_KEPT
    }

    /// Returns the record of a run.
    pub fn get(&self, id: RunId) -> Option<&Run> {
        self.open
            .iter()
            .chain(&self.finished)
            .find(|run| run.run_id == id)
    }

    /// Returns the record of an open run, to change it.
    pub fn open_mut(&mut self, id: RunId) -> Option<&mut Run> {
        self.open.iter_mut().find(|run| run.run_id == id)
    }

    /// Replaces the record of a run or adds it, for a retry and when retention carries runs over.
    pub fn put(&mut self, run: Run) {
        self.open.retain(|known| known.run_id != run.run_id);
        self.finished.retain(|known| known.run_id != run.run_id);
        if run.is_finished() {
            self.keep(run);
        } else {
            self.open.push_back(run);
        }
    }

    /// Moves a run that has ended out of the queue.
    pub fn finish(&mut self, id: RunId) {
        let position = self.open.iter().position(|run| run.run_id == id);
        if let Some(run) = position.and_then(|position| self.open.remove(position)) {
            self.keep(run);
        }
    }

    fn keep(&mut self, run: Run) {
        self.finished.push_back(run);
        if self.finished.len() > RUNS_FINISHED_KEPT {
            let past = self.finished.pop_front();
            if let Some(past) = past.filter(|run| run.trigger.may_come_again()) {
                self.past.push(past.run_id);
            }
        }
    }

    /// Returns the queued and running runs in the order of their arrival.
    pub fn open(&self) -> impl Iterator<Item = &Run> {
        self.open.iter()
    }

    /// Returns the number of queued and running runs.
    pub fn open_len(&self) -> usize {
        self.open.len()
    }

    /// Returns all records, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Run> {
        self.open.iter().rev().chain(self.finished.iter().rev())
    }
}
