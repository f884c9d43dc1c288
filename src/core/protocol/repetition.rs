//! Detects repetition in a text that arrives, a reply or reasoning apart from it. Looks at its end
//! only, and decides nothing.

use crate::limits::{PROSE_AFTER_BYTES, REPEATED_TAIL_BYTES, REPEATED_TAIL_PERIOD_BYTES_MAX};
use std::collections::BTreeSet;

/// Bytes that have to arrive between two looks for a repeated tail.
pub(super) const LOOK_EVERY_BYTES: usize = 128;

const WORDS_IN_A_ROW: usize = 3;

/// Returns whether more than half of the word triples at the end of a text occur there before.
/// Numbers count as equal.
pub(super) fn repeats_itself(prose: &str) -> bool {
    let from = prose.len().saturating_sub(2 * PROSE_AFTER_BYTES);
    let from = prose.ceil_char_boundary(from);
    let unnumbered = |word: &str| word.replace(|c: char| c.is_ascii_digit(), "0");
    let words = prose.get(from..).unwrap_or_default().split_whitespace();
    let words: Vec<String> = words.map(unnumbered).collect();
    let different: BTreeSet<&[String]> = words.windows(WORDS_IN_A_ROW).collect();
    let all = words.len().saturating_sub(WORDS_IN_A_ROW - 1);
    different.len() * 2 < all
}

/// Returns how many bytes at the end of a text are one short piece over and over, if they are
/// enough to say so.
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

/// Detects a loop in reasoning while it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReasoningLoop {
    looked_at_bytes: usize,
}

impl ReasoningLoop {
    /// Returns whether the end of what has arrived is one short piece again and again. Each call is
    /// given the text as far as it has come; work is in proportion to what is new.
    pub fn is_in(&mut self, reasoning: &str) -> bool {
        if reasoning.len() < self.looked_at_bytes + LOOK_EVERY_BYTES {
            return false;
        }
        self.looked_at_bytes = reasoning.len();
        repeated_tail(reasoning.as_bytes()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::ReasoningLoop;

    #[test]
    fn only_what_is_said_again_and_again_is_a_circle() {
        let arrives = |text: &str| {
            let mut reasoning_loop = ReasoningLoop::default();
            let ends = text
                .char_indices()
                .map(|(at, letter)| at + letter.len_utf8());
            ends.filter(|end| reasoning_loop.is_in(&text[..*end]))
                .count()
        };
        let round = "Wait, what is asked for? ".repeat(40);
        assert!(arrives(&format!("So. {round}")) > 0);
        let steps = (0..400).map(|step| format!("{step}: {}. ", step * 7919 % 1009));
        let long = steps.collect::<Vec<_>>().concat();
        assert_eq!(arrives(&long), 0);
        assert_eq!(arrives("\u{8336} and "), 0);
    }
}
