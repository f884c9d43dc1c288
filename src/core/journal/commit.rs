//! One commit is one line, and each line is bound to the one before it by SHA-256.
//! Writing and reading lines as bytes; where they are kept is the store's business.
//!
//! `{"v":1,"seq":N,"ts":..,"actor":{..},"cause":{..},"events":[{"type":..,"digest":..}],
//! "prev":"<hex>","hash":"<hex>","data":[..]}`. A digest covers the raw bytes of the data element
//! with the same index; the hash covers the line's bytes before `,"hash"`, and so `prev` and all
//! digests. Payloads stand behind the hash: one can be left out of an export and the chain holds.

use super::event::{Event, FORMAT_VERSION};
use super::hash::Hash;
use crate::ids::RunId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::Write as _;

/// The version of the line format.
pub const LINE_VERSION: u32 = 1;

/// How every line begins. Inside a line it cannot stand: quotes in texts are escaped, and the members
/// of objects are sorted.
pub const LINE_START: &[u8] = b"{\"v\":1,\"seq\":";

/// What stands between the hashed part of a line and its hash. A quote inside a JSON string is
/// escaped, so the first such mark is the real one.
const HASH_MARK: &[u8] = b",\"hash\":\"";

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
    /// Acknowledged long ago, and not there any more.
    #[error("the checkpoint covers this commit, but the journal does not hold it")]
    Covered,
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
    let at = find_mark(line).ok_or_else(|| malformed("no hash"))?;
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
    let at = find_mark(line)?;
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

/// Where the first [`HASH_MARK`] begins. A byte that the mark does not hold lets the search jump over
/// the mark's whole length (Horspool), since a replay searches every line.
fn find_mark(line: &[u8]) -> Option<usize> {
    const LENGTH: usize = HASH_MARK.len();
    const JUMPS: [usize; 256] = {
        let mut jumps = [LENGTH; 256];
        let mut at = 0;
        while at + 1 < LENGTH {
            jumps[HASH_MARK[at] as usize] = LENGTH - 1 - at;
            at += 1;
        }
        jumps
    };
    let mut at = 0;
    while let Some(window) = line.get(at..at + LENGTH) {
        if window == HASH_MARK {
            return Some(at);
        }
        at += JUMPS[usize::from(window[LENGTH - 1])];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_found_where_it_first_stands() {
        let mark = std::str::from_utf8(HASH_MARK).unwrap();
        // What stands before it makes the search jump by every length that there is.
        let befores = [
            "",
            ",",
            ",\"",
            ",\"hash\"",
            "sh\":\"a",
            "0123456789abcdef",
            ",\"hash\":,",
        ];
        for before in befores {
            for after in ["", "x", mark] {
                let line = format!("{before}{mark}{after}");
                assert_eq!(find_mark(line.as_bytes()), line.find(mark), "{line}");
            }
            assert_eq!(find_mark(before.as_bytes()), None, "{before}");
        }
        assert_eq!(find_mark(&HASH_MARK[1..]), None);
    }

    #[test]
    fn a_digest_is_read_as_it_was_written() {
        let hash = Hash::of(b"tea");
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(json, format!("\"{hash}\""));
        assert_eq!(serde_json::from_str::<Hash>(&json).unwrap(), hash);
        // Escapes and readers without a text to borrow from take the same way.
        let escaped = json.replace('b', "\\u0062");
        assert_eq!(serde_json::from_str::<Hash>(&escaped).unwrap(), hash);
        assert_eq!(
            serde_json::from_reader::<_, Hash>(json.as_bytes()).unwrap(),
            hash
        );
        for strange in ["G", "A", "/", ":", "`", "g"] {
            let odd = hash.to_string().replacen(char::is_alphanumeric, strange, 1);
            assert_eq!(Hash::parse(&odd), None, "{odd}");
            let odd = format!("{}{strange}", &hash.to_string()[1..]);
            assert_eq!(Hash::parse(&odd), None, "{odd}");
        }
        assert!(serde_json::from_str::<Hash>("\"abc\"").is_err());
        assert!(serde_json::from_str::<Hash>("7").is_err());
    }
}
