//! The words of a text as numbers: what near-duplicates, link candidates and titles are compared by.
//! Case and punctuation do not count. Scripts that put no spaces between words are read as pairs of
//! neighbouring characters. Never keeps text.
//!
//! Not the words of `words`: those are made to be found by their beginnings, which numbers cannot be;
//! these take four bytes each.

use super::spelling::composed;
use crate::limits::SIMILAR_WORDS_MAX;

/// One word: its number, and whether it says enough to stand for a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Its number; different words share one only by a chance of one in four thousand million.
    pub hash: u32,
    /// Whether it is long enough not to be an article or a preposition.
    pub telling: bool,
}

/// Letters of a word from which on it may name a subject. Shorter ones are `the` and `and`.
const TELLING_CHARS: usize = 4;

/// The words of a text in order, at most [`SIMILAR_WORDS_MAX`]: what comes later is left out.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut reader = Reader::default();
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

/// The numbers of a text's words, sorted, each once.
pub(super) fn word_set(text: &str) -> Vec<u32> {
    let words = words_of(text);
    let mut set: Vec<u32> = words.iter().map(|word| word.hash).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// What a title comes to when only its words count; `None` without a letter, since a date says
/// nothing about the subject.
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

/// The number of a text as it stands.
pub(super) fn hash_of(text: &str) -> u32 {
    text.bytes().fold(Fnv::new(), Fnv::byte).end()
}

/// FNV-1a: short, stable over versions, and good enough for words.
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

    /// The upper half, which all bytes have reached, mixed with the lower.
    const fn end(self) -> u32 {
        let [low, high] = [self.0 & 0xffff_ffff, self.0 >> 32];
        // Both halves have 32 bits.
        let [one, two, three, four, ..] = (low ^ high).to_le_bytes();
        u32::from_le_bytes([one, two, three, four])
    }
}

/// Reads characters into words.
#[derive(Default)]
struct Reader {
    /// The word under way and its length in characters.
    open: Option<(Fnv, usize)>,
    /// The last character of a script without spaces, and whether a pair was made of it.
    before: Option<(char, bool)>,
}

impl Reader {
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

    /// A single character of such a script is a word of its own.
    fn close_pairs(&mut self, words: &mut Vec<Word>) {
        if let Some((alone, false)) = self.before.take() {
            words.push(Word {
                hash: Fnv::new().character(alone).end(),
                telling: false,
            });
        }
    }
}

/// Marks inside a word: an apostrophe, and the accents that stand for themselves.
const fn is_joining(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{300}'..='\u{36f}')
}

/// Scripts whose words are not set apart by spaces, or, for Korean, change at their ends.
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
