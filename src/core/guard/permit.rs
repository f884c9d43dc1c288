//! What an agent may use at all, by name. It only narrows: scope, kinds and limits apply as ever.

use super::Refusal;
use crate::failure::Code;
use std::collections::BTreeSet;

/// What every agent may use: to answer changes nothing.
const ALWAYS: [&str; 1] = ["answer"];

/// The names of the instructions that an agent may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permit {
    /// The allowed names; `None` allows all.
    allowed: Option<BTreeSet<String>>,
}

impl Permit {
    /// Returns the permit of the main agent, which the prompt file alone narrows.
    pub const fn everything() -> Self {
        Self { allowed: None }
    }

    /// Returns a permit for these names alone, and for answers.
    pub fn only(names: impl IntoIterator<Item = String>) -> Self {
        Self {
            allowed: Some(names.into_iter().collect()),
        }
    }

    pub fn allows(&self, name: &str) -> bool {
        let allowed = self.allowed.as_ref();
        ALWAYS.contains(&name) || allowed.is_none_or(|allowed| allowed.contains(name))
    }

    /// Refuses a name that is not allowed.
    ///
    /// # Errors
    /// `AGENT_PERMISSION_DENIED`.
    pub fn check(&self, name: &str) -> Result<(), Refusal> {
        if self.allows(name) {
            return Ok(());
        }
        let message = format!("you may not use `{name}`");
        Err(Refusal::new(Code::AgentPermissionDenied, message))
    }
}
