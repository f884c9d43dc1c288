//! The number of tokens of a text for one model.
//! Counts by kind of character, then scales by what the model's own server has counted so far.
//! Always an estimate, and always called one.

use super::PromptMessage;

/// The average number of characters of a token, in English text with some markup.
/// Tokenizers of common small models come to this.
const CHARACTERS_PER_TOKEN: usize = 4;

/// The tokens that a chat template adds to each message: the marks of the turn and the role.
const TOKENS_PER_MESSAGE: usize = 4;

/// The ratio that equals the bare estimate, in thousandths.
pub(super) const RATIO_MILLI_BARE: u32 = 1000;

/// The step to which a ratio is rounded up for cuts, in thousandths.
const RATIO_MILLI_STEP: u32 = 50;

/// The method of the bare estimate, in words.
pub(super) const BARE_METHOD: &str =
    "1 for each Chinese, Japanese or Korean character, 1 for each 4 others, and 4 for each message";

/// A token counter for the tokenizer of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenMeter {
    ratio_milli: u32,
}

impl TokenMeter {
    /// Returns the meter of the bare estimate, for a model whose server has counted nothing yet.
    pub const fn bare() -> Self {
        Self {
            ratio_milli: RATIO_MILLI_BARE,
        }
    }

    /// Returns the meter of the bare estimate times `ratio_milli` thousandths.
    pub const fn scaled(ratio_milli: u32) -> Self {
        Self { ratio_milli }
    }

    /// Returns the tokens of a text, rounded up.
    pub fn text(self, text: &str) -> usize {
        self.scale(bare_tokens(text))
    }

    /// Like [`Self::text`], but returns `None` for a text that cannot be counted.
    /// That is so if the ratio is 0 or the result overflows.
    pub fn count(self, text: &str) -> Option<usize> {
        let bare = bare_tokens(text);
        let scaled = bare.checked_mul(self.ratio_milli as usize)?;
        (self.ratio_milli > 0).then(|| scaled.div_ceil(RATIO_MILLI_BARE as usize))
    }

    /// Returns the tokens that a chat template adds to one message.
    pub const fn per_message(self) -> usize {
        self.scale(TOKENS_PER_MESSAGE)
    }

    /// Returns more characters than `tokens` tokens can have.
    pub const fn characters_below(self, tokens: usize) -> usize {
        let bare =
            tokens.saturating_mul(RATIO_MILLI_BARE as usize) / (self.ratio_milli as usize + 1);
        (bare + 2).saturating_mul(CHARACTERS_PER_TOKEN)
    }

    /// Returns a slightly coarser meter that never counts less.
    /// Cuts that are made with it do not change with each new count.
    #[must_use]
    pub const fn steady(self) -> Self {
        Self {
            ratio_milli: self.ratio_milli.next_multiple_of(RATIO_MILLI_STEP),
        }
    }

    /// Returns the tokens of a prompt, with those that a chat template adds.
    pub fn messages(self, messages: &[PromptMessage]) -> usize {
        let texts = messages.iter().map(|message| bare_tokens(&message.content));
        self.scale(texts.sum::<usize>() + messages.len() * TOKENS_PER_MESSAGE)
    }

    /// Converts tokens of the bare estimate into tokens of this model.
    pub(super) const fn scale(self, tokens: usize) -> usize {
        tokens
            .saturating_mul(self.ratio_milli as usize)
            .div_ceil(RATIO_MILLI_BARE as usize)
    }
}

/// Returns the number of characters of all messages.
pub fn characters(messages: &[PromptMessage]) -> usize {
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

/// Returns whether a character takes about one token: Chinese, Japanese and Korean ones.
pub(super) const fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::TokenMeter;
    use crate::core::prompt::{ChatRole, PromptMessage};

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
            let message = PromptMessage {
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
