//! Whether a text that arrives repeats itself. Looks at its end only, and decides nothing.

use crate::limits::{PROSE_AFTER_BYTES, REPEATED_TAIL_BYTES, REPEATED_TAIL_PERIOD_BYTES_MAX};
use std::collections::BTreeSet;

/// Words in a row that are compared with others.
const WORDS_IN_A_ROW: usize = 3;

/// Whether the end of a text says the same over and over: of each three words in a row, numbers not
/// told apart, more than half stood there before.
pub(super) fn says_the_same(prose: &str) -> bool {
    let mut from = prose.len().saturating_sub(2 * PROSE_AFTER_BYTES);
    while !prose.is_char_boundary(from) {
        from += 1;
    }
    let unnumbered = |word: &str| word.replace(|c: char| c.is_ascii_digit(), "0");
    let words = prose.get(from..).unwrap_or_default().split_whitespace();
    let words: Vec<String> = words.map(unnumbered).collect();
    let different: BTreeSet<&[String]> = words.windows(WORDS_IN_A_ROW).collect();
    let all = words.len().saturating_sub(WORDS_IN_A_ROW - 1);
    different.len() * 2 < all
}

/// How many bytes at the end of a text are one short piece over and over; `None` while they are too
/// few to say so.
pub(super) fn repeated_tail(text: &[u8]) -> Option<usize> {
    let tail = text.get(text.len().checked_sub(REPEATED_TAIL_BYTES)?..)?;
    let has_period = |period: &usize| {
        tail.iter()
            .zip(tail.iter().skip(*period))
            .all(|(a, b)| a == b)
    };
    let period = (1..=REPEATED_TAIL_PERIOD_BYTES_MAX).find(has_period)?;
    // How far back the repetition reaches; its first piece is part of the text.
    let all = text.iter().rev().zip(text.iter().rev().skip(period));
    let run = all.take_while(|(a, b)| a == b).count();
    Some(run)
}
