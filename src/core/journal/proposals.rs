//! What becomes of proposals: they are made, decided, and carried over when segments are retired.

use crate::core::review::{Decided, Proposal, Proposals};
use serde::{Deserialize, Serialize};

/// What became of proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalsChanged {
    /// One was made, or is carried over.
    Made(Box<Proposal>),
    /// One was decided by a person.
    Decided(Decided),
    /// Everything but those that wait, carried over.
    Carried(Proposals),
}

impl ProposalsChanged {
    /// One was made.
    pub fn made(proposal: Proposal) -> Self {
        Self::Made(Box::new(proposal))
    }

    /// Adds the fact to what is known.
    pub fn apply(&self, proposals: &mut Proposals) {
        match self {
            Self::Made(proposal) => proposals.add(proposal.as_ref().clone()),
            Self::Decided(decided) => proposals.decide(decided),
            Self::Carried(carried) => proposals.take_over(carried),
        }
    }
}
