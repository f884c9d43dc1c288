//! The retained replies of the kept journal, by run. Never writes.

use crate::core::journal::Event;
use crate::core::journal::event::KeptReply;
use crate::ids::{RuleId, RunId};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::journal::reader;
use std::collections::BTreeMap;

/// The retained replies of one run, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct RetainedRun {
    /// The rule that opened it, if one did and the kept journal has that commit.
    pub rule_id: Option<RuleId>,
    /// The replies of the model.
    pub replies: Vec<KeptReply>,
}

/// Returns the runs with retained replies, oldest first.
pub fn retained_runs(disk: &mut dyn Disk) -> Result<Vec<RetainedRun>, Error> {
    reader::read(disk, &mut |journal| {
        let mut rules: BTreeMap<RunId, RuleId> = BTreeMap::new();
        let mut places: BTreeMap<RunId, usize> = BTreeMap::new();
        let mut runs: Vec<RetainedRun> = Vec::new();
        journal.each_commit(&mut |commit| {
            for event in &commit.draft.events {
                if let Event::RunQueued(queued) = event {
                    let run = &queued.run;
                    rules.extend(run.rule_id.map(|rule_id| (run.run_id, rule_id)));
                } else if let Event::ConversationKept(kept) = event {
                    let place = *places.entry(kept.run_id).or_insert_with(|| {
                        runs.push(RetainedRun {
                            rule_id: rules.get(&kept.run_id).copied(),
                            replies: Vec::new(),
                        });
                        runs.len() - 1
                    });
                    if let Some(run) = runs.get_mut(place) {
                        run.replies.push(kept.reply.clone());
                    }
                }
            }
        })?;
        Ok(runs)
    })
}
