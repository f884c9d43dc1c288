//! Ids as people type them: whole, or a beginning that only one of all has.

use crate::failure::{Code, Failure};
use crate::plain_text::one_line;
use std::fmt::Display;

/// The most characters of the typed text in a message.
const TYPED_CHARACTERS_MAX: usize = 60;

/// The most ids that are named where several have the same beginning.
const NAMED_MAX: usize = 10;

/// The least number of digits for a beginning of an id.
const DIGITS_MIN: usize = 4;

/// Returns the ids that begin with a typed text; none where it cannot begin an id.
pub(super) fn beginning_with<T: Display>(ids: impl Iterator<Item = T>, text: &str) -> Vec<T> {
    let digits = |text: &str| text.replace('-', "").to_ascii_lowercase();
    let wanted = digits(text.trim());
    let is_beginning =
        wanted.len() >= DIGITS_MIN && wanted.bytes().all(|it| it.is_ascii_hexdigit());
    let ids = ids.filter(|id| is_beginning && digits(&id.to_string()).starts_with(&wanted));
    ids.collect()
}

/// Returns the only id that was found.
///
/// # Errors
/// `RECORD_KEY_AMBIGUOUS` for several, which `plural` names; the failure of `none` for none.
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
    use super::beginning_with;

    const IDS: [&str; 4] = [
        "0190a3b4-5c6d-7000-8000-000000000001",
        "0190a3b4-5c6d-7000-8000-000000000002",
        "0190a3b4-5c6e-7000-8000-000000000001",
        "5fffffff-0000-4000-8000-000000000000",
    ];

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
