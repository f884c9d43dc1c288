//! How servers count. Three ways, all of them at least as greedy as the tokenizers of common small
//! models; none of them is the program's own estimate.

/// Tokens are counted in twelfths, so that all costs are whole numbers.
const PARTS: usize = 12;

/// Tokens that a chat template puts around each message, and once around all.
const PER_MESSAGE: usize = 6;

/// A way of counting: what a character of each sort takes, in twelfths of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tokenizer {
    pub(crate) name: &'static str,
    /// Letters without accents, and blanks.
    letter: usize,
    digit: usize,
    /// Punctuation and markup.
    mark: usize,
    /// Chinese, Japanese and Korean.
    dense: usize,
    /// Everything else.
    other: usize,
}

impl Tokenizer {
    pub(crate) const ALL: [Self; 3] = [
        // Every third character ends a token, whatever it is; a Japanese one is one.
        Self {
            name: "thirds",
            letter: 4,
            digit: 4,
            mark: 4,
            dense: 12,
            other: 12,
        },
        // As models for code do: digits alone, markup in pairs.
        Self {
            name: "code",
            letter: 3,
            digit: 12,
            mark: 6,
            dense: 10,
            other: 12,
        },
        // A small vocabulary made from western text: what it does not know falls apart into bytes.
        Self {
            name: "western",
            letter: 3,
            digit: 6,
            mark: 6,
            dense: 24,
            other: 18,
        },
    ];

    /// Tokens of a text.
    pub(crate) fn text(self, text: &str) -> usize {
        let parts: usize = text.chars().map(|it| self.cost(it)).sum();
        parts.div_ceil(PARTS)
    }

    /// Tokens of a prompt made of these messages.
    pub(crate) fn prompt<'a>(self, messages: impl Iterator<Item = &'a str>) -> usize {
        let each = messages.map(|text| self.text(text) + PER_MESSAGE);
        each.sum::<usize>() + PER_MESSAGE
    }

    fn cost(self, character: char) -> usize {
        match character {
            ' ' | 'a'..='z' | 'A'..='Z' => self.letter,
            '0'..='9' => self.digit,
            '\n' | '!'..='~' => self.mark,
            '\u{3000}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{FF00}'..='\u{FFEF}' => {
                self.dense
            }
            _ => self.other,
        }
    }
}
