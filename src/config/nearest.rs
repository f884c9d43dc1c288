//! What a misspelt name was probably meant to be. Guesses for people only; nothing is ever taken for another.

use strsim::levenshtein;

/// The known name that is at most two slips away, the closest one first; in a long name every third
/// character may be one.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|known| (levenshtein(known, name), known))
        .filter(|(slips, known)| *slips <= most && *slips < known.chars().count())
        .min()
        .map(|(_, known)| known)
}

/// The words to be put behind a refusal of a name: nothing where no known one is close.
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
