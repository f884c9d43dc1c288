//! Hashes of the words of a text, for the comparison of near-duplicates, links and titles.
//! Case and punctuation do not count. Scripts without spaces between words are read as pairs of
//! neighbouring characters. Never keeps text.
//!
//! The words of `words` are texts that can be searched by prefix; these are hashes of four bytes.

use super::spelling::composed;
use crate::limits::SIMILAR_WORDS_MAX;

/// One word as a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The hash; two different words share one with a chance of one in four thousand million.
    pub hash: u32,
    /// Whether it is long enough to name a subject, unlike an article or a preposition.
    pub telling: bool,
}

/// The number of letters from which on a word may name a subject. Shorter ones are `the` and `and`.
const TELLING_CHARS: usize = 4;

/// Returns the words of a text in order, at most the first [`SIMILAR_WORDS_MAX`].
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut reader = WordSplitter::default();
    for character in composed(text).chars().flat_map(char::to_lowercase) {
        reader.take(character, &mut words);
        if words.len() >= SIMILAR_WORDS_MAX {
            break;
        }
    }
    reader.close(&mut words);
    words.truncate(SIMILAR_WORDS_MAX);
    words
}

/// Returns the hashes of a text's words, sorted, each once.
pub(super) fn word_set(text: &str) -> Vec<u32> {
    let words = words_of(text);
    let mut set: Vec<u32> = words.iter().map(|word| word.hash).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Returns the hash of a title's words; `None` for a title without letters.
/// A date says nothing about the subject.
pub(super) fn folded_title(title: &str) -> Option<u32> {
    if !title.chars().any(char::is_alphabetic) {
        return None;
    }
    let words = words_of(title);
    let sum = words.iter().fold(Fnv::new(), |sum, word| {
        word.hash.to_le_bytes().into_iter().fold(sum, Fnv::byte)
    });
    Some(sum.end())
}

/// Returns the hash of an unchanged text.
pub(super) fn hash_of(text: &str) -> u32 {
    text.bytes().fold(Fnv::new(), Fnv::byte).end()
}

/// An FNV-1a hash: short, stable over versions, and good enough for words.
#[derive(Clone, Copy, Debug)]
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    fn character(self, character: char) -> Self {
        let mut room = [0; 4];
        character
            .encode_utf8(&mut room)
            .bytes()
            .fold(self, Self::byte)
    }

    /// Returns the upper half, which depends on all bytes, mixed with the lower.
    const fn end(self) -> u32 {
        let [low, high] = [self.0 & 0xffff_ffff, self.0 >> 32];
        // Both halves have 32 bits.
        let [one, two, three, four, ..] = (low ^ high).to_le_bytes();
        u32::from_le_bytes([one, two, three, four])
    }
}

/// A state machine that splits characters into words.
#[derive(Default)]
struct WordSplitter {
    /// The hash of the open word and its length in characters.
    open: Option<(Fnv, usize)>,
    /// The last character of a script without spaces, and whether it is part of a pair.
    before: Option<(char, bool)>,
}

impl WordSplitter {
    fn take(&mut self, character: char, words: &mut Vec<Word>) {
        if is_unspaced(character) {
            self.close_word(words);
            if let Some((before, _)) = self.before {
                words.push(Word {
                    hash: Fnv::new().character(before).character(character).end(),
                    telling: true,
                });
            }
            self.before = Some((character, self.before.is_some()));
        } else if character.is_alphanumeric() {
            self.close_pairs(words);
            let (sum, chars) = self.open.unwrap_or((Fnv::new(), 0));
            self.open = Some((sum.character(character), chars + 1));
        } else if !is_joining(character) {
            self.close(words);
        }
    }

    fn close(&mut self, words: &mut Vec<Word>) {
        self.close_word(words);
        self.close_pairs(words);
    }

    fn close_word(&mut self, words: &mut Vec<Word>) {
        if let Some((sum, chars)) = self.open.take() {
            words.push(Word {
                hash: sum.end(),
                telling: chars >= TELLING_CHARS,
            });
        }
    }

    /// Adds a single character of such a script as a word of its own.
    fn close_pairs(&mut self, words: &mut Vec<Word>) {
        if let Some((alone, false)) = self.before.take() {
            words.push(Word {
                hash: Fnv::new().character(alone).end(),
                telling: false,
            });
        }
    }
}

/// Returns whether a character continues a word: an apostrophe, or a combining accent.
const fn is_joining(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{300}'..='\u{36f}')
}

/// Returns whether a script has no spaces between words or, as Korean, changes their ends.
const fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}'        // Thai, Lao
        | '\u{1000}'..='\u{109f}'    // Burmese
        | '\u{1780}'..='\u{17ff}'    // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309f}' // Hiragana
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' // Katakana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' // Han
        | '\u{ac00}'..='\u{d7af}'    // Hangul
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
