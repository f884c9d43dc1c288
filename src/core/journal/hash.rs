//! SHA-256 in the form that the journal uses: lower-case hex. Computes and reads; decides nothing.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::fmt;

/// A SHA-256, written as lower-case hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash that the first line names as its predecessor.
    pub const ZERO: Self = Self([0; 32]);

    /// Returns the digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the digest of several digests, in order.
    pub fn of_all(hashes: impl IntoIterator<Item = Self>) -> Self {
        let mut hasher = Sha256::new();
        for hash in hashes {
            hasher.update(hash.0);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the first eight bytes as a number, which is enough to distinguish versions.
    pub fn beginning(self) -> u64 {
        let bytes = self.0.iter().take(8);
        bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Returns the 64 hex digits.
    pub(super) fn hex(self) -> [u8; 64] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
        hex
    }

    /// Parses 64 lower-case hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let (pairs, []) = hex.as_bytes().as_chunks::<2>() else {
            return None;
        };
        let pairs: &[_; 32] = pairs.try_into().ok()?;
        let mut hash = [0; 32];
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(hash))
    }
}

/// Returns the value of a lower-case hex digit.
const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(&self.hex()).unwrap_or_default())
    }
}

/// The text of a digest, which is not copied where the reader can lend it.
// A replay reads several digests for each line.
#[derive(Deserialize)]
struct HexText<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let HexText(hex) = HexText::deserialize(deserializer)?;
        Self::parse(&hex).ok_or_else(|| D::Error::custom("not a SHA-256 in hex"))
    }
}
