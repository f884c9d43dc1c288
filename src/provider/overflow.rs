//! What the words of a refusal say about the sizes of prompt and window, where its fields do not. Knows
//! the servers' phrases; never decides that a refusal is about size.

use super::served::window_of;
use super::types::Overflow;
use crate::limits::USAGE_TOKENS_MAX;

/// What stands before and behind the number of a window in the words of a refusal; either may be
/// nothing.
const WINDOW_PHRASES: [(&str, &str); 8] = [
    ("maximum context length is ", ""),
    ("available context size (", ""),
    ("n_ctx: ", ""),
    ("n_ctx = ", ""),
    ("n_ctx (", ""),
    ("context length of only ", ""),
    ("context length is only ", ""),
    ("context length of ", ""),
];

/// The same of a prompt.
const PROMPT_PHRASES: [(&str, &str); 7] = [
    ("resulted in ", ""),
    ("request (", ""),
    ("keep the first ", ""),
    ("n_keep: ", ""),
    ("n_keep (", ""),
    ("", " input tokens"),
    ("", " in the messages"),
];

/// What the words of a refusal say about sizes, where its fields do not.
pub(super) fn overflow_in_words(message: &str) -> Overflow {
    let message = message.to_ascii_lowercase();
    Overflow {
        prompt_tokens: number_in(&message, &PROMPT_PHRASES).and_then(prompt_of),
        window_tokens: number_in(&message, &WINDOW_PHRASES).and_then(window_of),
    }
}

/// The number at the first phrase that has one.
fn number_in(message: &str, phrases: &[(&str, &str)]) -> Option<u64> {
    let not_digit = |character: char| !character.is_ascii_digit();
    let mut found = phrases.iter().filter_map(|(before, behind)| {
        let digits = if before.is_empty() {
            let (rest, _) = message.split_once(behind)?;
            rest.rsplit(not_digit).next()?
        } else {
            let (_, rest) = message.split_once(before)?;
            rest.split(not_digit).next()?
        };
        digits.parse().ok()
    });
    found.next()
}

/// A number of tokens that can be a prompt's.
pub(super) fn prompt_of(tokens: u64) -> Option<u64> {
    (1..=USAGE_TOKENS_MAX).contains(&tokens).then_some(tokens)
}
