//! Finds the known name that a misspelt one resembles. Guesses for people only; no name is ever
//! replaced.

use strsim::levenshtein;

/// Returns the closest known name that is at most two edits away.
/// A long name may have one edit for every three characters.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|known| (levenshtein(known, name), known))
        .filter(|(slips, known)| *slips <= most && *slips < known.chars().count())
        .min()
        .map(|(_, known)| known)
}

/// Returns the end of a refusal of a name; empty where no known one is close.
pub(super) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(name, known);
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, nearest};

    #[test]
    fn the_closest_of_the_names_is_meant() {
        let known = ["trigger", "enabled", "cel", "timezone"];
        for (name, meant) in [
            ("triger", Some("trigger")),
            ("enable", Some("enabled")),
            ("time_zone", Some("timezone")),
            ("colour", None),
            ("xy", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(did_you_mean("triger", known), "; did you mean `trigger`?");
        assert_eq!(did_you_mean("colour", known), "");
    }
}
