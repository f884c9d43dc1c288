//! Reads the sizes of prompt and window from the message of a refusal, where its fields lack them.
//! Knows the servers' phrases; does not decide whether a refusal is about size.

use super::served::window_of;
use super::types::Overflow;
use crate::limits::USAGE_TOKENS_MAX;

/// The phrases before and after the size of a window in a message; either may be empty.
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

/// The phrases before and after the size of a prompt in a message; either may be empty.
const PROMPT_PHRASES: [(&str, &str); 7] = [
    ("resulted in ", ""),
    ("request (", ""),
    ("keep the first ", ""),
    ("n_keep: ", ""),
    ("n_keep (", ""),
    ("", " input tokens"),
    ("", " in the messages"),
];

/// Reads the sizes from the message of a refusal.
pub(super) fn overflow_in_words(message: &str) -> Overflow {
    let message = message.to_ascii_lowercase();
    Overflow {
        prompt_tokens: number_in(&message, &PROMPT_PHRASES).and_then(prompt_of),
        window_tokens: number_in(&message, &WINDOW_PHRASES).and_then(window_of),
    }
}

/// Returns the number at the first phrase that has one.
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

/// Returns the number if it can be the size of a prompt in tokens.
pub(super) fn prompt_of(tokens: u64) -> Option<u64> {
    (1..=USAGE_TOKENS_MAX).contains(&tokens).then_some(tokens)
}
