//! The changes of proposals: made, decided, or carried over when segments are retired.

use crate::core::review::{Decided, Proposal, Proposals};
use serde::{Deserialize, Serialize};

/// A change of the proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalsChanged {
    /// A proposal was made, or is carried over.
    Made(Box<Proposal>),
    /// A person decided a proposal.
    Decided(Decided),
    /// All but the open proposals are carried over.
    Carried(Proposals),
}

impl ProposalsChanged {
    /// Returns the fact that a proposal was made.
    pub fn made(proposal: Proposal) -> Self {
        Self::Made(Box::new(proposal))
    }

    /// Applies the change to the proposals.
    pub fn apply(&self, proposals: &mut Proposals) {
        match self {
            Self::Made(proposal) => proposals.add(proposal.as_ref().clone()),
            Self::Decided(decided) => proposals.decide(decided),
            Self::Carried(carried) => proposals.take_over(carried),
        }
    }
}
