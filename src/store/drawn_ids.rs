//! New note ids: UUIDv7, drawn at the edge, so that the core never draws anything.

use crate::ids::{IdSource, NoteId};
use crate::time::Timestamp;
use uuid::{NoContext, Uuid};

/// Draws ids that sort by the time that it was made for.
#[derive(Clone, Copy, Debug)]
pub struct DrawnIds {
    /// Now.
    pub now: Timestamp,
}

impl IdSource for DrawnIds {
    fn next_note_id(&mut self) -> NoteId {
        let millis = u64::try_from(self.now.millis).unwrap_or_default();
        let nanos = u32::try_from(millis % 1000 * 1_000_000).unwrap_or_default();
        NoteId(Uuid::new_v7(uuid::Timestamp::from_unix(
            NoContext,
            millis / 1000,
            nanos,
        )))
    }
}
