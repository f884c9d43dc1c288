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
use unicode_normalization::char::decompose_canonical;

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
                    let letter = unaccented(lower);
                    match plain_letters(letter) {
                        Some(letters) => {
                            for letter in letters.chars() {
                                self.add(letter, Role::Letter, last);
                            }
                        }
                        // The lower case may add a mark.
                        None => self.add(letter, role_of(letter), last),
                    }
                }
            }
            role @ (Role::Single | Role::Gap | Role::Nothing) => self.add(character, role, last),
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

/// Returns each pair of neighbouring characters of a run.
pub(super) fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run
        .char_indices()
        .skip(1)
        .map(|(at, character)| at + character.len_utf8());
    starts.zip(ends).filter_map(|(from, to)| run.get(from..to))
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

/// Returns whether a character is of the syllables in which the endings of Japanese words are written.
pub const fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{309f}')
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

/// Returns the letters in place of a letter that Unicode does not decompose.
const fn plain_letters(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{df}' => "ss",
        '\u{e6}' => "ae",
        '\u{fe}' => "th",
        '\u{153}' => "oe",
        '\u{f0}' | '\u{111}' => "d",
        '\u{127}' => "h",
        '\u{131}' => "i",
        '\u{142}' => "l",
        '\u{f8}' => "o",
        '\u{167}' => "t",
        // The sigma at the end of a word.
        '\u{3c2}' => "\u{3c3}",
        _ => return None,
    })
}

/// Returns a letter without its accents.
/// Vowel signs, which some scripts compose of others, are no accents.
fn unaccented(letter: char) -> char {
    let (mut base, mut has_only_accents) = (None, true);
    decompose_canonical(letter, |part| match base {
        None => base = Some(part),
        Some(_) => has_only_accents &= role_of(part) == Role::Nothing,
    });
    base.filter(|_| has_only_accents).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn letters_lose_their_accents() {
        for (letters, plain) in [
            ("\u{e0}\u{e5}\u{103}\u{1ce}\u{1eb7}\u{c5}", "aaaaaa"),
            (
                "\u{e7}\u{10d}\u{f0}\u{10f}\u{111}\u{1ec7}\u{11b}",
                "ccdddee",
            ),
            (
                "\u{127}\u{131}\u{130}\u{142}\u{f1}\u{f8}\u{1a1}\u{1ee3}",
                "hiilnooo",
            ),
            (
                "\u{df}\u{e6}\u{fe}\u{153}\u{167}\u{219}\u{1b0}\u{1ef9}",
                "ssaethoetsuy",
            ),
            (
                "\u{3ac}\u{390}\u{3c2}\u{439}\u{451}\u{457}",
                "\u{3b1}\u{3b9}\u{3c3}\u{438}\u{435}\u{456}",
            ),
            ("e\u{301}\u{1fd}\u{9cb}", "eae\u{9cb}"),
        ] {
            assert_eq!(
                Words::of(letters).as_str(),
                format!(" {plain} "),
                "{letters}"
            );
        }
    }
}
