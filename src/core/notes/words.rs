//! The searched form of a text: words without case and accents, each between blanks.
//! Spelling and width are normalized. Scripts without blanks are cut into single characters. Knows
//! nothing of notes or queries.
//!
//! The words of `tokens` are hashes and keep their accents; these are searched by people who leave
//! accents out.
//!
//! A query matches where its form occurs in the form of a text. So a word matches as a prefix
//! (`tea` finds `teapot`, not `steak`), and in Chinese, Japanese, Korean, Thai and similar scripts
//! any run of characters matches anywhere. With the blank behind it, only a complete word matches.

use super::spelling::{is_plain, pieces, plain};

/// The separator of pieces that no phrase may span, such as two keywords.
const BARRIER: char = '\n';

/// The role of a character in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A part of a word.
    Letter,
    /// A token of its own.
    Single,
    /// A separator of words.
    Gap,
    /// A character that is ignored.
    Nothing,
}

/// A text in its searched form, to which more text can be added.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    text: String,
}

impl Words {
    /// Returns the form of one text.
    pub(super) fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.push(text);
        words
    }

    /// Empties the form and keeps its capacity.
    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// Returns the form.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds a piece; no phrase spans this and an earlier piece.
    pub(super) fn push(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push(BARRIER);
        }
        let mut last = Role::Gap;
        if is_plain(text) {
            for character in text.chars() {
                self.take(character, &mut last);
            }
        } else {
            for (_, piece) in pieces(text) {
                self.take_piece(piece, &mut last);
            }
        }
        self.text.push(' ');
    }

    /// Returns the form of one text with an index for each byte of the form.
    /// It is the index of the character in the text that the byte comes from, or with which its
    /// word begins.
    pub(super) fn traced(text: &str) -> (Self, Vec<usize>) {
        let mut words = Self::default();
        let mut origins = Vec::new();
        let mut last = Role::Gap;
        for (at, piece) in pieces(text) {
            words.take_piece(piece, &mut last);
            origins.resize(words.text.len(), at);
        }
        words.text.push(' ');
        (words, origins)
    }

    /// Adds a piece that is normalized on its own; most pieces are a single letter.
    fn take_piece(&mut self, piece: &str, last: &mut Role) {
        if is_plain(piece) {
            piece
                .chars()
                .for_each(|character| self.take(character, last));
        } else {
            plain(piece).for_each(|character| self.take(character, last));
        }
    }

    fn take(&mut self, character: char, last: &mut Role) {
        if character.is_ascii() {
            let role = ascii_role(character);
            self.add(character.to_ascii_lowercase(), role, last);
            return;
        }
        match role_of(character) {
            Role::Letter => {
                for lower in character.to_lowercase() {
                    self.add_folded(lower, last);
                }
            }
            role @ (Role::Single | Role::Gap | Role::Nothing) => self.add(character, role, last),
        }
    }

    fn add_folded(&mut self, character: char, last: &mut Role) {
        if let Some(plain) = plain_letters(character) {
            for letter in plain.chars() {
                self.add(letter, ascii_role(letter), last);
            }
        } else if let Some(plain) = plain_letter(character) {
            let role = if plain.is_ascii() {
                ascii_role(plain)
            } else {
                Role::Letter
            };
            self.add(plain.to_ascii_lowercase(), role, last);
        } else {
            // The lower case may add a mark.
            self.add(character, role_of(character), last);
        }
    }

    fn add(&mut self, character: char, role: Role, last: &mut Role) {
        match role {
            Role::Letter | Role::Single => {
                if *last != role {
                    self.text.push(' ');
                }
                self.text.push(character);
                *last = role;
            }
            Role::Gap => *last = role,
            Role::Nothing => {}
        }
    }
}

/// Returns the words of a form and its runs of single characters.
pub(super) fn tokens(form: &str) -> impl Iterator<Item = &str> {
    form.split([' ', BARRIER]).filter(|token| !token.is_empty())
}

/// Returns whether a token of a form is a run of single characters.
pub(super) fn is_run(token: &str) -> bool {
    let first = token.chars().next();
    first.is_some_and(|first| !first.is_ascii() && role_of(first) == Role::Single)
}

const fn ascii_role(character: char) -> Role {
    if character.is_ascii_alphanumeric() {
        Role::Letter
    } else {
        Role::Gap
    }
}

fn role_of(character: char) -> Role {
    match character {
        character if character.is_ascii() => ascii_role(character),
        // Soft hyphen, combining accents, vowel points, invisible characters, variants.
        '\u{ad}'
        | '\u{300}'..='\u{36f}'
        | '\u{591}'..='\u{5bd}'
        | '\u{5bf}'
        | '\u{5c1}'..='\u{5c2}'
        | '\u{5c4}'..='\u{5c5}'
        | '\u{5c7}'
        | '\u{640}'
        | '\u{64b}'..='\u{65f}'
        | '\u{670}'
        | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0100}'..='\u{e01ef}' => Role::Nothing,
        // Inverted marks, middle dots, angle quotes, punctuation of many scripts.
        '\u{a1}'
        | '\u{ab}'
        | '\u{b7}'
        | '\u{bb}'
        | '\u{bf}'
        | '\u{37e}'
        | '\u{387}'
        | '\u{5be}'
        | '\u{5c0}'
        | '\u{5c3}'
        | '\u{60c}'
        | '\u{61b}'
        | '\u{61f}'
        | '\u{6d4}'
        | '\u{964}'..='\u{965}'
        | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{3030}'
        | '\u{30fb}'
        | '\u{fe10}'..='\u{fe6f}'
        | '\u{ff61}'..='\u{ff65}' => Role::Gap,
        character if character.is_whitespace() || character.is_control() => Role::Gap,
        character if is_unspaced(character) => Role::Single,
        character if character.is_alphanumeric() => Role::Letter,
        // Symbols.
        _ => Role::Single,
    }
}

/// Returns whether a character belongs to a script that has no blanks between words.
/// Korean counts, since it attaches small words to others.
pub const fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        // Thai, Lao, Tibetan, Burmese, Hangul letters, Khmer
        '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        // radicals, kana, Bopomofo, Hangul letters, ideographs
        | '\u{2e80}'..='\u{9fff}'
        // Hangul syllables
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        // compatibility and half-width forms
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}'
        // ideographs beyond the first plane
        | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}'
    )
}

/// Returns the two letters that a ligature or special letter stands for.
const fn plain_letters(lower: char) -> Option<&'static str> {
    Some(match lower {
        '\u{df}' => "ss",
        '\u{e6}' => "ae",
        '\u{fe}' => "th",
        '\u{153}' => "oe",
        _ => return None,
    })
}

/// Returns the letter without its accent, for the most common Latin, Greek and Cyrillic letters.
/// Combining accents are removed from any letter.
const fn plain_letter(lower: char) -> Option<char> {
    Some(match lower {
        '\u{e0}'..='\u{e5}'
        | '\u{101}'
        | '\u{103}'
        | '\u{105}'
        | '\u{1ce}'
        | '\u{1ea1}'..='\u{1eb7}' => 'a',
        '\u{e7}' | '\u{107}' | '\u{109}' | '\u{10b}' | '\u{10d}' => 'c',
        '\u{f0}' | '\u{10f}' | '\u{111}' => 'd',
        '\u{e8}'..='\u{eb}'
        | '\u{113}'
        | '\u{115}'
        | '\u{117}'
        | '\u{119}'
        | '\u{11b}'
        | '\u{1eb9}'..='\u{1ec7}' => 'e',
        '\u{11d}' | '\u{11f}' | '\u{121}' | '\u{123}' => 'g',
        '\u{125}' | '\u{127}' => 'h',
        '\u{ec}'..='\u{ef}'
        | '\u{129}'
        | '\u{12b}'
        | '\u{12d}'
        | '\u{12f}'
        | '\u{131}'
        | '\u{1d0}'
        | '\u{1ec9}'..='\u{1ecb}' => 'i',
        '\u{135}' => 'j',
        '\u{137}' => 'k',
        '\u{13a}' | '\u{13c}' | '\u{13e}' | '\u{140}' | '\u{142}' => 'l',
        '\u{f1}' | '\u{144}' | '\u{146}' | '\u{148}' => 'n',
        '\u{f2}'..='\u{f6}'
        | '\u{f8}'
        | '\u{14d}'
        | '\u{14f}'
        | '\u{151}'
        | '\u{1a1}'
        | '\u{1d2}'
        | '\u{1ecd}'..='\u{1ee3}' => 'o',
        '\u{155}' | '\u{157}' | '\u{159}' => 'r',
        '\u{15b}' | '\u{15d}' | '\u{15f}' | '\u{161}' | '\u{219}' => 's',
        '\u{163}' | '\u{165}' | '\u{167}' | '\u{21b}' => 't',
        '\u{f9}'..='\u{fc}'
        | '\u{169}'
        | '\u{16b}'
        | '\u{16d}'
        | '\u{16f}'
        | '\u{171}'
        | '\u{173}'
        | '\u{1b0}'
        | '\u{1d4}'
        | '\u{1ee5}'..='\u{1ef1}' => 'u',
        '\u{175}' => 'w',
        '\u{fd}' | '\u{ff}' | '\u{177}' | '\u{1ef3}'..='\u{1ef9}' => 'y',
        '\u{17a}' | '\u{17c}' | '\u{17e}' => 'z',
        _ => return plain_elsewhere(lower),
    })
}

/// Returns the letter without its accent, for Greek and Cyrillic letters.
const fn plain_elsewhere(lower: char) -> Option<char> {
    Some(match lower {
        '\u{3ac}' => '\u{3b1}',
        '\u{3ad}' => '\u{3b5}',
        '\u{3ae}' => '\u{3b7}',
        '\u{3af}' | '\u{3ca}' | '\u{390}' => '\u{3b9}',
        '\u{3cc}' => '\u{3bf}',
        '\u{3cd}' | '\u{3cb}' | '\u{3b0}' => '\u{3c5}',
        '\u{3ce}' => '\u{3c9}',
        '\u{3c2}' => '\u{3c3}',
        '\u{439}' => '\u{438}',
        '\u{451}' => '\u{435}',
        '\u{457}' => '\u{456}',
        '\u{45e}' => '\u{443}',
        _ => return None,
    })
}
