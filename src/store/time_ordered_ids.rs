//! New note ids (UUIDv7), drawn outside of the core, which is deterministic.
//! Each id of a thread is larger than those before it, also within one millisecond and when the
//! clock is set back (RFC 9562, 6.2, method 2): notes of one iteration are listed in the order they
//! were written. A process that works on a root draws all its ids on one thread.

use crate::ids::{IdSource, NoteId};
use crate::time::Timestamp;
use uuid::{ContextV7, Uuid};

thread_local! {
    /// The time and the counter of the last id of this thread.
    static LAST: ContextV7 = const { ContextV7::new() };
}

/// A source of ids that sort by the time for which it was made.
#[derive(Clone, Copy, Debug)]
pub struct TimeOrderedIds {
    pub now: Timestamp,
}

impl IdSource for TimeOrderedIds {
    fn next_note_id(&mut self) -> NoteId {
        let millis = u64::try_from(self.now.millis).unwrap_or_default();
        let nanos = u32::try_from(millis % 1000 * 1_000_000).unwrap_or_default();
        let time = LAST.with(|last| uuid::Timestamp::from_unix(last, millis / 1000, nanos));
        NoteId(Uuid::new_v7(time))
    }
}

#[cfg(test)]
mod tests {
    use super::{IdSource as _, TimeOrderedIds, Timestamp};
    use uuid::Variant;

    #[test]
    fn ids_of_one_thread_only_grow_also_when_the_clock_stands_or_goes_back() {
        let mut last = None;
        let still = std::iter::repeat_n(1_900_000_000_000, 5000);
        for millis in still.chain([5, 1_900_000_000_000, 0]) {
            let now = Timestamp::from_millis(millis);
            let id = TimeOrderedIds { now }.next_note_id();
            assert_eq!(id.0.get_version_num(), 7);
            assert_eq!(id.0.get_variant(), Variant::RFC4122);
            assert!(last < Some(id), "{last:?} {id}");
            last = Some(id);
        }
    }
}
