//! What a change by a person is decided upon: the state, the configuration and the guard. Holds no
//! logic: whoever is handed a desk says what is to change.

use crate::config::Config;
use crate::core::guard::{Approved, Guard};
use crate::core::journal::{Change, State};
use crate::failure::Failure;
use crate::time::Timestamp;

/// What a change is decided upon.
#[derive(Debug)]
pub struct Desk<'a> {
    /// The state, hand edits included.
    pub state: &'a State,
    /// The configuration in force.
    pub config: &'a Config,
    /// Whoever must be asked.
    pub guard: Guard<'a>,
    /// Now.
    pub now: Timestamp,
}

/// Says what is to change, or why nothing may.
pub type Decide =
    Box<dyn FnOnce(&mut Desk<'_>) -> Result<Vec<Approved<Change>>, Failure> + Send + 'static>;
