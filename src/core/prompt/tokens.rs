//! How many tokens a text takes for one model. Counts by kind of character, then by what the
//! model's own server has counted so far. Always an estimate, and always called one.

use super::Message;

/// Characters of a token, on average, in English text with some markup: what the tokenizers of
/// common small models come to.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens that a chat template puts around each message: the turn's marks and the role.
const TOKENS_PER_MESSAGE: usize = 4;

/// A model's measure that equals the bare estimate, in thousandths.
pub(super) const RATIO_MILLI_BARE: u32 = 1000;

/// Step of a measure that cuts are made by, in thousandths.
const RATIO_MILLI_STEP: u32 = 50;

/// How the bare estimate is made, for whoever reads it.
pub(super) const BARE_METHOD: &str =
    "1 for each Chinese, Japanese or Korean character, 1 for each 4 others, and 4 for each message";

/// Counts tokens as one model's tokenizer is known to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenMeter {
    ratio_milli: u32,
}

impl TokenMeter {
    /// The bare estimate, while no server has counted anything.
    pub const fn bare() -> Self {
        Self {
            ratio_milli: RATIO_MILLI_BARE,
        }
    }

    /// The bare estimate times so many thousandths.
    pub const fn scaled(ratio_milli: u32) -> Self {
        Self { ratio_milli }
    }

    /// Tokens of a text, rounded up.
    pub fn text(self, text: &str) -> usize {
        self.scale(bare_tokens(text))
    }

    /// The same, and `None` for a text that cannot be counted: a measure that makes something of
    /// nothing or nothing of something is none.
    pub fn count(self, text: &str) -> Option<usize> {
        let bare = bare_tokens(text);
        let scaled = bare.checked_mul(self.ratio_milli as usize)?;
        (self.ratio_milli > 0).then(|| scaled.div_ceil(RATIO_MILLI_BARE as usize))
    }

    /// Tokens that a chat template puts around one message.
    pub const fn per_message(self) -> usize {
        self.scale(TOKENS_PER_MESSAGE)
    }

    /// More characters than so many tokens can have.
    pub const fn characters_below(self, tokens: usize) -> usize {
        let bare =
            tokens.saturating_mul(RATIO_MILLI_BARE as usize) / (self.ratio_milli as usize + 1);
        (bare + 2).saturating_mul(CHARACTERS_PER_TOKEN)
    }

    /// A little coarser and never less: what is cut by it does not change with every count that the
    /// measure learns from.
    #[must_use]
    pub const fn steady(self) -> Self {
        Self {
            ratio_milli: self.ratio_milli.next_multiple_of(RATIO_MILLI_STEP),
        }
    }

    /// Tokens of a prompt, with what a chat template puts around each message.
    pub fn messages(self, messages: &[Message]) -> usize {
        let texts = messages.iter().map(|message| bare_tokens(&message.content));
        self.scale(texts.sum::<usize>() + messages.len() * TOKENS_PER_MESSAGE)
    }

    /// So many tokens of the bare estimate, as this model counts them.
    pub(super) const fn scale(self, tokens: usize) -> usize {
        tokens
            .saturating_mul(self.ratio_milli as usize)
            .div_ceil(RATIO_MILLI_BARE as usize)
    }
}

/// Characters of all messages.
pub fn characters(messages: &[Message]) -> usize {
    let each = messages
        .iter()
        .map(|message| message.content.chars().count());
    each.sum()
}

fn bare_tokens(text: &str) -> usize {
    // Most texts are ASCII, and one look at all bytes is many times quicker than at each character.
    if text.is_ascii() {
        return text.len().div_ceil(CHARACTERS_PER_TOKEN);
    }
    let (mut dense, mut other) = (0_usize, 0_usize);
    for character in text.chars() {
        if is_dense(character) {
            dense += 1;
        } else {
            other += 1;
        }
    }
    dense + other.div_ceil(CHARACTERS_PER_TOKEN)
}

/// Whether a character is about a token by itself: those of Chinese, Japanese and Korean.
pub(super) const fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::TokenMeter;
    use crate::core::prompt::{ChatRole, Message};

    #[test]
    fn a_script_without_blanks_takes_a_token_a_character() {
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
            assert_eq!(TokenMeter::bare().messages(&[message]), tokens, "{text}");
            assert_eq!(TokenMeter::bare().text(text), tokens - 4, "{text}");
        }
    }

    #[test]
    fn a_model_with_its_own_measure_is_rounded_up() {
        let text = "abcd efgh";
        assert_eq!(TokenMeter::scaled(1300).text(text), 4);
        assert_eq!(TokenMeter::scaled(500).text(text), 2);
        assert_eq!(TokenMeter::scaled(1000), TokenMeter::bare());
    }
}
