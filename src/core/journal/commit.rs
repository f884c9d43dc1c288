//! One commit is one line, and each line is bound to the one before it by SHA-256.
//! Writing and reading lines as bytes; where they are kept is the store's business.
//!
//! `{"v":1,"seq":N,"ts":..,"actor":{..},"cause":{..},"events":[{"type":..,"digest":..}],
//! "prev":"<hex>","hash":"<hex>","data":[..]}`. A digest covers the raw bytes of the data element
//! with the same index; the hash covers the line's bytes before `,"hash"`, and so `prev` and all
//! digests. Payloads stand behind the hash: one can be left out of an export and the chain holds.

use super::event::{Event, FORMAT_VERSION};
use crate::ids::RunId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::io::Write as _;

/// The version of the line format.
pub const LINE_VERSION: u32 = 1;

/// What stands between the hashed part of a line and its hash. A quote inside a JSON string is
/// escaped, so the first such mark is the real one.
const HASH_MARK: &[u8] = b",\"hash\":\"";

/// A SHA-256, as lower-case hex where it is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first line names as its predecessor.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several digests, in order.
    pub fn of_all(hashes: impl IntoIterator<Item = Self>) -> Self {
        let mut hasher = Sha256::new();
        for hash in hashes {
            hasher.update(hash.0);
        }
        Self(hasher.finalize().into())
    }

    /// Reads 64 hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let bytes = hex.as_bytes();
        if bytes.len() != 64 {
            return None;
        }
        let nibble = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(bytes.chunks_exact(2)) {
            let (high, low) = (pair.first()?, pair.get(1)?);
            *byte = nibble(*high)? << 4 | nibble(*low)?;
        }
        Some(Self(hash))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
        f.write_str(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a SHA-256 in hex"))
    }
}

/// Who a commit is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The sort of actor.
    pub actor_type: ActorType,
}

/// The sorts of actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorType {
    /// The model, through an iteration.
    Agent,
    /// A person, through a verb or a hand edit.
    User,
    /// The program itself: runs, recovery.
    Daemon,
}

/// What a commit is because of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// In a word: `iteration`, `trigger`, `edit`, `verb`, `recovery` or `retention`.
    pub kind: String,
    /// The run, for an iteration or a run's start and end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The iteration, from 1; with the run it is unique in the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
}

impl Cause {
    /// A cause without a run.
    pub fn plain(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            run_id: None,
            iteration: None,
        }
    }

    /// A cause inside a run.
    pub fn run(kind: &str, run_id: RunId) -> Self {
        Self {
            kind: kind.to_owned(),
            run_id: Some(run_id),
            iteration: None,
        }
    }

    /// An iteration.
    pub fn iteration(run_id: RunId, iteration: u32) -> Self {
        Self {
            kind: "iteration".to_owned(),
            run_id: Some(run_id),
            iteration: Some(iteration),
        }
    }
}

/// What is to be written as one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// When.
    pub ts: Timestamp,
    /// By whom.
    pub actor: Actor,
    /// Because of what.
    pub cause: Cause,
    /// The facts, in order.
    pub events: Vec<Event>,
}

/// A line that was read and whose chain and digests hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// Its number, from 1 without gaps.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
    /// What it says.
    pub draft: Draft,
}

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    /// Read apart, before the rest.
    v: u32,
    seq: u64,
    ts: Timestamp,
    actor: Actor,
    #[serde(borrow)]
    cause: std::borrow::Cow<'a, RawValue>,
    #[serde(borrow)]
    events: Vec<Entry<'a>>,
    prev: Hash,
}

#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    #[serde(rename = "type", borrow)]
    type_name: std::borrow::Cow<'a, str>,
    digest: Hash,
}

/// Why a line cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Not a whole line of this format: torn, or overwritten.
    #[error("the line is not a commit: {0}")]
    Malformed(String),
    /// Well-formed, but its hash or a digest does not match its bytes.
    #[error("{0} does not match its bytes")]
    Digest(&'static str),
    /// Well-formed, but not the successor of the line before.
    #[error("the line does not follow the one before: {0}")]
    Chain(&'static str),
    /// Written by a newer version.
    #[error("the line has {0}, which this version does not know")]
    Unsupported(String),
}

/// Writes a draft as a line with its final newline.
pub fn encode(draft: &Draft, seq: u64, prev: Hash) -> serde_json::Result<(Vec<u8>, Hash)> {
    let payloads = draft
        .events
        .iter()
        .map(Event::to_data)
        .collect::<Result<Vec<_>, _>>()?;
    let entries = draft
        .events
        .iter()
        .zip(&payloads)
        .map(|(event, data)| Entry {
            type_name: event.type_name().into(),
            digest: Hash::of(data),
        });
    let cause = serde_json::value::to_raw_value(&draft.cause)?;
    let header = Header {
        v: LINE_VERSION,
        seq,
        ts: draft.ts,
        actor: draft.actor,
        cause: std::borrow::Cow::Owned(cause),
        events: entries.collect(),
        prev,
    };
    let mut line = serde_json::to_vec(&header)?;
    line.pop(); // The brace comes back behind the payloads.
    let hash = Hash::of(&line);
    let bytes: usize = payloads.iter().map(|data| data.len() + 1).sum();
    line.reserve(bytes + 90);
    write!(line, ",\"hash\":\"{hash}\",\"data\":[").map_err(serde_json::Error::io)?;
    for (index, data) in payloads.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        line.extend_from_slice(data);
    }
    line.extend_from_slice(b"]}\n");
    Ok((line, hash))
}

/// Reads a line (without its newline) that should follow `seq` and `prev`, verifying everything.
pub fn decode(line: &[u8], seq: u64, prev: Hash) -> Result<Commit, LineError> {
    let malformed = |what: &str| LineError::Malformed(what.to_owned());
    let text = std::str::from_utf8(line).map_err(|_| malformed("not UTF-8"))?;
    let at = find(line, HASH_MARK).ok_or_else(|| malformed("no hash"))?;
    let (head, rest) = text.split_at(at);
    let hash = rest
        .get(HASH_MARK.len()..HASH_MARK.len() + 64)
        .and_then(Hash::parse);
    let hash = hash.ok_or_else(|| malformed("no hash"))?;
    let data = rest
        .get(HASH_MARK.len() + 64..)
        .and_then(|rest| rest.strip_prefix("\",\"data\":"));
    let data = data
        .and_then(|data| data.strip_suffix('}'))
        .ok_or_else(|| malformed("no data"))?;
    if Hash::of(head.as_bytes()) != hash {
        return Err(LineError::Digest("the line's hash"));
    }
    let whole = format!("{head}}}");
    check_version(&whole)?;
    let header: Header<'_> =
        serde_json::from_str(&whole).map_err(|error| LineError::Malformed(error.to_string()))?;
    if header.seq != seq {
        return Err(LineError::Chain("its number is not the next one"));
    }
    if header.prev != prev {
        return Err(LineError::Chain("it names another predecessor"));
    }
    let payloads: Vec<&RawValue> =
        serde_json::from_str(data).map_err(|error| LineError::Malformed(error.to_string()))?;
    if payloads.len() != header.events.len() {
        return Err(malformed("events and data differ in number"));
    }
    let events = header
        .events
        .iter()
        .zip(payloads)
        .map(|(entry, data)| read_event(entry, data));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    let cause = serde_json::from_str(header.cause.get());
    let cause = cause.map_err(|error| LineError::Malformed(error.to_string()))?;
    let draft = Draft {
        ts: header.ts,
        actor: header.actor,
        cause,
        events,
    };
    Ok(Commit { seq, hash, draft })
}

/// The version goes first: the rest of a newer version's header may have another shape.
fn check_version(header: &str) -> Result<(), LineError> {
    let rest = header.strip_prefix("{\"v\":").unwrap_or_default();
    let version = rest.split(',').next().unwrap_or_default();
    if version.parse() == Ok(LINE_VERSION) {
        return Ok(());
    }
    Err(LineError::Unsupported(format!("format version {version}")))
}

/// What a line says about its place in the chain, if it is a whole line whose hash holds.
/// Payloads are not looked at: this is for finding the place of a line, not for trusting it.
pub fn place_of(line: &[u8]) -> Option<(u64, Hash, Hash)> {
    #[derive(Deserialize)]
    struct Place {
        seq: u64,
        prev: Hash,
    }
    let at = find(line, HASH_MARK)?;
    let (head, rest) = line.split_at(at);
    let hex = rest.get(HASH_MARK.len()..HASH_MARK.len() + 64)?;
    let hash = Hash::parse(std::str::from_utf8(hex).ok()?)?;
    let place: Place = serde_json::from_slice(&[head, b"}"].concat()).ok()?;
    (Hash::of(head) == hash && line.ends_with(b"]}")).then_some((place.seq, place.prev, hash))
}

fn read_event(entry: &Entry<'_>, data: &RawValue) -> Result<Event, LineError> {
    if Hash::of(data.get().as_bytes()) != entry.digest {
        return Err(LineError::Digest("the digest of an event"));
    }
    let event = Event::from_data(&entry.type_name, data)
        .map_err(|error| LineError::Malformed(format!("{}: {error}", entry.type_name)))?;
    match event {
        Some(Event::RootCreated(created)) if created.format != FORMAT_VERSION => Err(
            LineError::Unsupported(format!("format version {}", created.format)),
        ),
        Some(event) => Ok(event),
        None => {
            let what = format!("an event `{}`", entry.type_name);
            Err(LineError::Unsupported(what))
        }
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
