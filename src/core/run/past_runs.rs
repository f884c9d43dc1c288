//! The ids of runs that ended long ago, so that the event that opened one never opens another.
//! The number of ids is bounded: the oldest go first.

use crate::ids::RunId;
use crate::limits::RUNS_REMEMBERED;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::VecDeque;
use std::fmt::Write as _;
use uuid::Uuid;

/// The length of one written id, in characters.
const ID_CHARACTERS: usize = 32;

/// The ids of past runs, oldest first.
/// They are written as one text of hexadecimal digits, since there may be thousands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastRuns {
    ids: VecDeque<RunId>,
}

impl PastRuns {
    /// Returns whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns whether the run ended long ago.
    pub fn contains(&self, id: RunId) -> bool {
        self.ids.contains(&id)
    }

    /// Adds the id of a run; beyond the bound the oldest id goes.
    pub fn push(&mut self, id: RunId) {
        self.ids.push_back(id);
        if self.ids.len() > RUNS_REMEMBERED {
            self.ids.pop_front();
        }
    }
}

impl Serialize for PastRuns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(self.ids.len() * ID_CHARACTERS);
        for id in &self.ids {
            // Writing into a string cannot fail.
            write!(text, "{}", id.0.simple()).unwrap_or_default();
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for PastRuns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let ids = text.as_bytes().chunks(ID_CHARACTERS);
        let ids = ids.map(|digits| Uuid::try_parse_ascii(digits).map(RunId));
        let ids = ids.collect::<Result<_, _>>();
        let ids = ids.map_err(serde::de::Error::custom)?;
        Ok(Self { ids })
    }
}

#[cfg(test)]
mod tests {
    use super::{ID_CHARACTERS, PastRuns, RUNS_REMEMBERED, RunId};
    use uuid::Uuid;

    fn id(number: usize) -> RunId {
        RunId(Uuid::from_u128(number as u128))
    }

    #[test]
    fn the_newest_ids_are_remembered_and_read_back() {
        let mut past = PastRuns::default();
        for number in 0..RUNS_REMEMBERED + 2 {
            past.push(id(number));
        }
        let text = serde_json::to_string(&past).unwrap();
        assert_eq!(text.len(), RUNS_REMEMBERED * ID_CHARACTERS + 2);
        let read: PastRuns = serde_json::from_str(&text).unwrap();
        assert_eq!(read, past);
        for (number, known) in [
            (0, false),
            (1, false),
            (2, true),
            (RUNS_REMEMBERED + 1, true),
        ] {
            assert_eq!(read.contains(id(number)), known, "{number}");
        }
        assert!(serde_json::from_str::<PastRuns>("\"0123\"").is_err());
    }
}
