//! New note ids (UUIDv7), drawn outside of the core, which is deterministic.
//! Each id of a process is larger than those before it, also within one millisecond and when the
//! clock is set back (RFC 9562, 6.2, method 2): notes of one iteration are listed in the order they
//! were written.

use crate::ids::{IdSource, NoteId};
use crate::time::Timestamp;
use std::sync::{Mutex, PoisonError};
use uuid::{NoContext, Uuid};

/// The number of random bits in the lower half, beside the variant.
const LOW_BITS: u32 = 62;

/// The number of random bits between the version and the lower half.
const MIDDLE_BITS: u32 = 12;

/// The version bits in their place.
const VERSION: u128 = 7 << 76;

/// The variant bits in their place.
const VARIANT: u128 = 2 << 62;

/// The mask for the step from the last id to a new one that was drawn too small.
/// The step is large enough that ids stay hard to guess, and small enough that a burst of ids does
/// not run out of milliseconds.
const STEP_MASK: u128 = 0xFFFF_FFFF;

/// The last id of this process, as a number without version and variant.
static LAST: Mutex<u128> = Mutex::new(0);

/// A source of ids that sort by the time for which it was made.
#[derive(Clone, Copy, Debug)]
pub struct DrawnIds {
    /// The present time.
    pub now: Timestamp,
}

impl IdSource for DrawnIds {
    fn next_note_id(&mut self) -> NoteId {
        let drawn = number_of(drawn_at(self.now));
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        *last = after(*last, drawn);
        NoteId(id_of(*last))
    }
}

fn drawn_at(now: Timestamp) -> Uuid {
    let millis = u64::try_from(now.millis).unwrap_or_default();
    let nanos = u32::try_from(millis % 1000 * 1_000_000).unwrap_or_default();
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, millis / 1000, nanos))
}

/// Returns the drawn number, or the last one plus a step if the drawn one is not larger.
const fn after(last: u128, drawn: u128) -> u128 {
    if drawn > last {
        drawn
    } else {
        last.saturating_add(1 + (drawn & STEP_MASK))
    }
}

/// Returns an id as one number: its time, then its random bits.
const fn number_of(id: Uuid) -> u128 {
    let bits = id.as_u128();
    let low = bits & ((1 << LOW_BITS) - 1);
    let middle = (bits >> 64) & ((1 << MIDDLE_BITS) - 1);
    let time = bits >> 80;
    (((time << MIDDLE_BITS) | middle) << LOW_BITS) | low
}

const fn id_of(number: u128) -> Uuid {
    let low = number & ((1 << LOW_BITS) - 1);
    let middle = (number >> LOW_BITS) & ((1 << MIDDLE_BITS) - 1);
    let time = number >> (LOW_BITS + MIDDLE_BITS);
    Uuid::from_u128((time << 80) | VERSION | (middle << 64) | VARIANT | low)
}

#[cfg(test)]
mod tests {
    use super::{DrawnIds, IdSource as _, Timestamp, Uuid, after, drawn_at, id_of, number_of};
    use uuid::Variant;

    #[test]
    fn ids_of_one_process_only_grow_also_when_the_clock_stands_or_goes_back() {
        let mut last = None;
        let still = std::iter::repeat_n(1_900_000_000_000, 5000);
        for millis in still.chain([5, 1_900_000_000_000, 0]) {
            let now = Timestamp::from_millis(millis);
            let id = DrawnIds { now }.next_note_id();
            assert_eq!(id.0.get_version_num(), 7);
            assert_eq!(id.0.get_variant(), Variant::RFC4122);
            assert!(last < Some(id), "{last:?} {id}");
            last = Some(id);
        }
    }

    #[test]
    fn an_id_is_its_number() {
        let drawn = drawn_at(Timestamp::from_millis(1_767_225_600_123));
        assert_eq!(id_of(number_of(drawn)), drawn);
        // The step crosses version and variant, into the next millisecond.
        let full: Uuid = "019b7500-0000-7fff-bfff-ffffffffffff".parse().unwrap();
        let next = id_of(after(number_of(full), 0));
        assert_eq!(next.to_string(), "019b7500-0001-7000-8000-000000000000");
        assert_eq!(after(7, 9), 9);
        assert_eq!(after(9, 9), 19);
    }
}
