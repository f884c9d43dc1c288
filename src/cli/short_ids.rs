//! Ids as people see and type them: as long as needed to name one among all.

use super::text::one_line;
use crate::failure::{Code, Failure};
use std::fmt::Display;

/// Characters of an id that are always shown.
const SHOWN_MIN: usize = 8;

/// Characters of what was typed that a message shows.
const TYPED_CHARACTERS_MAX: usize = 60;

/// Ids that are named where several begin so.
const NAMED_MAX: usize = 10;

/// Digits of the beginning of an id from which on it is looked for.
const DIGITS_MIN: usize = 4;

/// The ids among which each one has to be unique.
#[derive(Debug)]
pub(super) struct ShortIds {
    sorted: Vec<String>,
}

impl ShortIds {
    /// Ids of one sort.
    pub(super) fn of(ids: impl IntoIterator<Item = impl Display>) -> Self {
        let mut sorted: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// The shortest beginning of an id that no other one has.
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
        // A hyphen at the end names nothing more.
        if id.get(..length).is_some_and(|shown| shown.ends_with('-')) {
            length += 1;
        }
        id.get(..length).map_or_else(|| id.clone(), str::to_owned)
    }
}

/// How many characters two texts have in common at their beginnings.
fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

/// Which of these ids begin with a text that a person typed; none where it cannot be the beginning of
/// an id.
pub(super) fn beginning_with<T: Display>(ids: impl Iterator<Item = T>, text: &str) -> Vec<T> {
    let digits = |text: &str| text.replace('-', "").to_ascii_lowercase();
    let wanted = digits(text.trim());
    let is_beginning =
        wanted.len() >= DIGITS_MIN && wanted.bytes().all(|it| it.is_ascii_hexdigit());
    let ids = ids.filter(|id| is_beginning && digits(&id.to_string()).starts_with(&wanted));
    ids.collect()
}

/// The one that was found. Several of them, named in the plural, are `RECORD_KEY_AMBIGUOUS`.
pub(super) fn only<T: Display>(
    mut found: Vec<T>,
    plural: &str,
    typed: &str,
    none: impl FnOnce() -> Failure,
) -> Result<T, Failure> {
    if found.len() > 1 {
        let shown = one_line(typed, TYPED_CHARACTERS_MAX);
        let message = format!("several {plural} have an id that begins with `{shown}`");
        let ids: Vec<String> = found.iter().take(NAMED_MAX).map(T::to_string).collect();
        let failure = Failure::new(Code::RecordKeyAmbiguous, message);
        return Err(failure.only_hint(format!("Use more of one: {}.", ids.join(", "))));
    }
    found.pop().ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::{ShortIds, beginning_with};

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
        // One that is not among them still gets a name of its own.
        assert_eq!(alone.short(&IDS[2]), "0190a3b4-5c6e");
    }

    #[test]
    fn the_beginning_of_an_id_leads_to_it() {
        let found = |text: &str| beginning_with(IDS.into_iter(), text);
        assert_eq!(found("5fff"), [IDS[3]]);
        assert_eq!(found(" 5FFFFFFF-0 "), [IDS[3]]);
        assert_eq!(found("0190a3b45c6e"), [IDS[2]]);
        assert_eq!(found("0190a3b4").len(), 3);
        for nothing in ["5ff", "", "zzzz", "--------", "tea"] {
            assert_eq!(found(nothing), [""; 0], "{nothing}");
        }
    }
}
