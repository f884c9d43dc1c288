//! Notes that are of no matter, made in great numbers.

use crate::task::Given;

/// A kind of note: what it is about, in which circumstances, its title and its text. In both, `{0}` and
/// `{1}` are of the two lists, `{n}` and `{m}` are numbers of its own.
pub(crate) struct Kind {
    pub(crate) first: [&'static str; 10],
    pub(crate) second: [&'static str; 10],
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) keywords: &'static str,
}

/// Returns a hundred notes of each kind.
pub(crate) fn filled(kinds: &[Kind]) -> Vec<Given> {
    let mut notes = Vec::new();
    for (kind, it) in kinds.iter().enumerate() {
        for (at, first) in it.first.iter().enumerate() {
            for (beside, second) in it.second.iter().enumerate() {
                let number = 7 + (kind * 31 + at * 17 + beside * 13) % 83;
                let filled = |text: &str| {
                    text.replace("{0}", first)
                        .replace("{1}", second)
                        .replace("{n}", &number.to_string())
                        .replace("{m}", &(number * 3 + beside).to_string())
                };
                notes.push(Given {
                    title: capitalised(&filled(it.title)),
                    keywords: it.keywords.to_owned(),
                    text: filled(it.text),
                });
            }
        }
    }
    notes
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
