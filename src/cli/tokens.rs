//! How many tokens a prompt may have, before any server has counted it. An estimate, and always
//! called one.

use crate::core::prompt::Message;

/// Characters of a token, on average, in English text with some markup: what the tokenizers of
/// common small models come to.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens that a chat template puts around each message: the turn's marks and the role.
const TOKENS_PER_MESSAGE: usize = 4;

/// How the estimate is made, for whoever reads it.
pub(super) const METHOD: &str =
    "1 for each Chinese, Japanese or Korean character, 1 for each 4 others, and 4 for each message";

/// The window assumed while nobody says how large it is, in tokens: what LM Studio loads a model
/// with unless it is told otherwise.
pub(super) const WINDOW_ASSUMED: u32 = 4096;

/// Characters of all messages.
pub(super) fn characters(messages: &[Message]) -> usize {
    let each = messages
        .iter()
        .map(|message| message.content.chars().count());
    each.sum()
}

/// An estimate of a prompt's tokens.
pub(super) fn estimate(messages: &[Message]) -> usize {
    let texts = messages.iter().map(|message| message.content.chars());
    let dense: usize = texts
        .map(|text| text.filter(|c| is_dense(*c)).count())
        .sum();
    let other = characters(messages).saturating_sub(dense);
    dense + other.div_ceil(CHARACTERS_PER_TOKEN) + messages.len() * TOKENS_PER_MESSAGE
}

/// Whether a character is about a token by itself: those of Chinese, Japanese and Korean.
const fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::estimate;
    use crate::core::prompt::{ChatRole, Message};

    #[test]
    fn g44_a_script_without_blanks_takes_a_token_a_character() {
        for (text, tokens) in [
            ("", 4),
            ("abcd efgh", 3 + 4),
            ("\u{304a}\u{8336}\u{3092}\u{8cb7}\u{3046}", 5 + 4),
            ("tea \u{304a}\u{8336}", 2 + 1 + 4),
            ("\u{d55c}\u{ad6d}", 2 + 4),
            ("\u{dc}ber na\u{ef}ve", 3 + 4),
        ] {
            let message = Message {
                role: ChatRole::User,
                content: text.to_owned(),
            };
            assert_eq!(estimate(&[message]), tokens, "{text}");
        }
    }
}
