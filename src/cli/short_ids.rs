//! Short ids for people: as long as needed to name one among all.

use std::fmt::Display;

/// The fewest characters of an id that are shown.
const SHOWN_MIN: usize = 8;

/// The ids among which each short one is unique.
#[derive(Debug)]
pub(super) struct ShortIds {
    sorted: Vec<String>,
}

impl ShortIds {
    /// Creates the list of ids of one kind.
    pub(super) fn of(ids: impl IntoIterator<Item = impl Display>) -> Self {
        let mut sorted: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// Returns the shortest beginning of an id that no other one has.
    pub(super) fn short(&self, id: &impl Display) -> String {
        let id = id.to_string();
        let at = self.sorted.partition_point(|other| *other < id);
        let before = at.checked_sub(1).and_then(|at| self.sorted.get(at));
        let rest = self.sorted.get(at..).unwrap_or_default();
        let after = rest.iter().find(|other| **other != id);
        let shared = before
            .into_iter()
            .chain(after)
            .map(|other| shared(other, &id));
        let mut length = shared.max().unwrap_or(0).saturating_add(1).max(SHOWN_MIN);
        // A final hyphen distinguishes nothing.
        if id.get(..length).is_some_and(|shown| shown.ends_with('-')) {
            length += 1;
        }
        id.get(..length).map_or_else(|| id.clone(), str::to_owned)
    }
}

/// Returns the number of characters that two texts share at their start.
fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::ShortIds;

    const IDS: [&str; 4] = [
        "0190a3b4-5c6d-7000-8000-000000000001",
        "0190a3b4-5c6d-7000-8000-000000000002",
        "0190a3b4-5c6e-7000-8000-000000000001",
        "5fffffff-0000-4000-8000-000000000000",
    ];

    #[test]
    fn ids_are_as_short_as_they_may_be() {
        let ids = ShortIds::of(IDS);
        let short = IDS.map(|id| ids.short(&id));
        assert_eq!(short, [IDS[0], IDS[1], "0190a3b4-5c6e", "5fffffff"]);
        let alone = ShortIds::of(&IDS[..1]);
        assert_eq!(alone.short(&IDS[0]), "0190a3b4");
        // An id outside of the list still gets a unique beginning.
        assert_eq!(alone.short(&IDS[2]), "0190a3b4-5c6e");
    }
}
