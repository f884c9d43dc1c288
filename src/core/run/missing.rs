//! The facts of a request that no effect of its run shows.

use super::record::{Progress, Run};
use crate::core::steps::check::facts_of;
use crate::failure::Code;

impl Progress {
    /// Returns the facts of a request that nothing done for it has shown yet.
    pub fn missing(&self, request: &str) -> Vec<String> {
        let mut facts = facts_of(request);
        facts.retain(|fact| !self.shown.contains(fact));
        facts
    }
}

impl Run {
    /// Returns the missing facts and the targets not found of a run that failed with `NOT_SHOWN`.
    pub fn not_shown(&self) -> Vec<String> {
        if self.error_code != Some(Code::NotShown) {
            return Vec::new();
        }
        let facts = self
            .progress
            .missing(self.request.as_deref().unwrap_or_default());
        let not_shown = self.progress.open_refusals.iter();
        let not_shown = not_shown.filter(|refusal| refusal.code == Code::NotShown);
        let not_shown = not_shown.map(|refusal| refusal.target.clone());
        not_shown.chain(facts).collect()
    }
}
