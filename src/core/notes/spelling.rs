//! Unicode normalization, so that texts that look the same compare equal.
//! File names of macOS are decomposed, while people type composed characters. Stored texts stay as
//! they were written; only compared texts are normalized.

use std::borrow::Cow;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick, is_nfkc_quick};

/// Returns the form in which titles and names are compared: composed characters (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Returns whether a text is already in the searched form (NFKC): composed, in normal width.
pub(super) fn is_plain(text: &str) -> bool {
    text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes
}

/// Splits a text into pieces that are normalized independently (NFKC).
/// Each comes with the index of its first character.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = |(number, (_, character)): &(usize, (usize, char))| {
        *number == 0 || begins_a_piece(*character)
    };
    let starts = text.char_indices().enumerate().filter(begins);
    let mut starts = starts.map(|(number, (at, _))| (number, at)).peekable();
    std::iter::from_fn(move || {
        let (number, from) = starts.next()?;
        let to = starts.peek().map_or(text.len(), |(_, to)| *to);
        Some((number, text.get(from..to)?))
    })
}

/// Returns the searched form of a piece (NFKC).
pub(super) fn plain(piece: &str) -> impl Iterator<Item = char> + '_ {
    piece.nfkc()
}

/// Returns whether a character never combines with the ones before it.
fn begins_a_piece(character: char) -> bool {
    if character.is_ascii() {
        return true;
    }
    let mut first = None;
    decompose_compatible(character, |part| {
        first.get_or_insert(part);
    });
    let first = first.unwrap_or(character);
    let stands_alone = is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes;
    stands_alone && canonical_combining_class(first) == 0
}

#[cfg(test)]
mod tests {
    use super::{composed, pieces, plain};
    use proptest::prelude::{prop_assert_eq, proptest};
    use unicode_normalization::UnicodeNormalization as _;

    #[test]
    fn what_is_written_in_parts_is_one_piece() {
        let text = "e\u{301}a\u{ff76}\u{ff9e}\u{1112}\u{1161}\u{11ab}\u{304b}\u{3099}";
        let pieces: Vec<(usize, &str)> = pieces(text).collect();
        let expected = [
            (0, "e\u{301}"),
            (2, "a"),
            (3, "\u{ff76}\u{ff9e}"),
            (5, "\u{1112}\u{1161}\u{11ab}"),
            (8, "\u{304b}\u{3099}"),
        ];
        assert_eq!(pieces, expected);
        assert_eq!(composed("U\u{308}bung"), "\u{dc}bung");
        assert_eq!(composed("\u{ff76}"), "\u{ff76}", "a width is no spelling");
    }

    proptest! {
        #[test]
        fn pieces_make_the_form_of_the_whole(
            text in "[ -~\u{300}-\u{345}\u{3040}-\u{30ff}\u{1100}-\u{11ff}\u{ff61}-\u{ffdc}\u{ac00}-\u{ac20}\u{fb00}-\u{fb06}\u{a0}-\u{ff}\u{900}-\u{9ff}]{0,24}"
        ) {
            let whole: String = text.nfkc().collect();
            let parts: String = pieces(&text).flat_map(|(_, piece)| plain(piece)).collect();
            prop_assert_eq!(parts, whole);
        }
    }
}
