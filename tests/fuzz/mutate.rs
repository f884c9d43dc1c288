//! Makes inputs of other inputs: bytes and bits, whole words of a target's language, pieces of its
//! other inputs, numbers at their limits, letters of every length in UTF-8, and now and then one piece
//! so often that a reader which is not linear would stand still.

use crate::random::Random;

/// Most changes to one input.
const CHANGES_MAX: usize = 6;

/// Every so many inputs are blown up.
const BLOWN_UP_EVERY: u64 = 512;

/// Longest piece that is moved, removed or repeated.
const PIECE_BYTES_MAX: usize = 64;

/// Numbers where types end and signs turn.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1e308",
    "1e-400",
    "0.1",
    "255",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
];

/// Letters of one to four bytes, marks that nobody sees, and halves of letters.
const LETTERS: &[&[u8]] = &[
    b"\0",
    b"\t",
    b"\r\n",
    b"\x7f",
    b"\xc2\xa0",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xe2\x80\xae",
    b"\xe8\x8c\xb6",
    b"\xf0\x9f\x8d\xb5",
    b"\xf3\xa0\x81\x81",
    b"\xe8\x8c",
    b"\xff",
    b"\xed\xa0\x80",
];

/// Draws inputs; the same seed draws the same ones.
#[derive(Debug)]
pub(crate) struct Mutator {
    kept: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    bytes_max: usize,
    random: Random,
    drawn: u64,
}

impl Mutator {
    /// Of these inputs and words; no input is longer than `bytes_max`.
    pub(crate) fn new(
        mut kept: Vec<Vec<u8>>,
        words: Vec<Vec<u8>>,
        bytes_max: usize,
        seed: u64,
    ) -> Self {
        kept.push(Vec::new());
        Self {
            kept,
            words,
            bytes_max,
            random: Random(seed),
            drawn: 0,
        }
    }

    /// The next input.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        self.drawn += 1;
        let mut input = self.other();
        for _ in 0..self.random.between(1, CHANGES_MAX) {
            self.change(&mut input);
        }
        if self.drawn.is_multiple_of(BLOWN_UP_EVERY) {
            self.blow_up(&mut input);
        }
        input.truncate(self.bytes_max);
        input
    }

    fn other(&mut self) -> Vec<u8> {
        let at = self.random.index(self.kept.len());
        self.kept[at].clone()
    }

    /// A range of a text, mostly a short one.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.random.index(length + 1);
        let longest = if self.random.below(8) == 0 {
            length
        } else {
            PIECE_BYTES_MAX
        };
        let bytes = self.random.index(longest + 1);
        start..(start + bytes).min(length)
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.random.index(input.len() + 1);
        match self.random.below(11) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << self.random.below(8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = self.random.next().to_le_bytes()[0];
                }
            }
            2 => drop(input.drain(self.range(input.len()))),
            3 => {
                let piece = input[self.range(input.len())].to_vec();
                insert(input, at, &piece);
            }
            4 => {
                let other = self.other();
                let piece = &other[self.range(other.len())];
                insert(input, at, piece);
            }
            5 => {
                // The beginning of one, the end of another.
                let other = self.other();
                let from = self.random.index(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            6 => insert(input, at, LETTERS[self.random.index(LETTERS.len())]),
            7 => self.put_number(input, at),
            8 => input.truncate(at),
            _ if self.words.is_empty() => {}
            9 => {
                let word = self.words[self.random.index(self.words.len())].clone();
                insert(input, at, &word);
            }
            _ => {
                let word = self.words[self.random.index(self.words.len())].clone();
                let range = self.range(input.len());
                drop(input.splice(range, word));
            }
        }
    }

    /// Puts another number into the place of one that stands there, or anywhere.
    fn put_number(&mut self, input: &mut Vec<u8>, at: usize) {
        let number = NUMBERS[self.random.index(NUMBERS.len())].bytes();
        let digits = |from: &[u8]| from.iter().take_while(|it| it.is_ascii_digit()).count();
        let start = input[at..].iter().position(u8::is_ascii_digit);
        let start = start.map_or(at, |before| at + before);
        let end = start + digits(&input[start..]);
        drop(input.splice(start..end, number));
    }

    /// Repeats a piece until the input is as long as it may be.
    fn blow_up(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input.len());
        let piece = input[range.clone()].to_vec();
        if piece.is_empty() {
            return;
        }
        let room = self.bytes_max.saturating_sub(input.len());
        let many = piece.repeat(room / piece.len());
        insert(input, range.end, &many);
    }
}

fn insert(input: &mut Vec<u8>, at: usize, piece: &[u8]) {
    drop(input.splice(at..at, piece.iter().copied()));
}
