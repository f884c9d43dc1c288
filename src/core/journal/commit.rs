//! The line format of commits: one line for each commit, bound to the line before by SHA-256.
//! Writes and reads lines as bytes; the store keeps them.
//!
//! `{"v":1,"seq":N,"ts":..,"actor":{..},"cause":{..},"events":[{"type":..,"digest":..}],
//! "prev":"<hex>","hash":"<hex>","data":[..]}`. A digest covers the raw bytes of the data element
//! with the same index; the hash covers the line's bytes before `,"hash"`, and so `prev` and all
//! digests. Payloads stand behind the hash: one can be left out of an export and the chain holds.

use super::event::{Event, FORMAT_VERSION, IterationDone, RootCreated};
use super::hash::Hash;
use crate::ids::RunId;
use crate::time::Timestamp;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The version of the line format.
pub const LINE_VERSION: u32 = 1;

/// The bytes with which every line begins.
/// They cannot occur inside a line: quotes in texts are escaped, and the members of objects are
/// sorted.
pub const LINE_START: &[u8] = b"{\"v\":1,\"seq\":";

/// The mark between the hashed part of a line and its hash.
/// A quote inside a JSON string is escaped, so the first such mark is the real one.
const HASH_MARK: &str = ",\"hash\":\"";

/// The mark between the hash and the payloads.
const DATA_MARK: &str = "\",\"data\":";

/// The length of a hash in hex.
const HEX_BYTES: usize = 64;

/// The author of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    pub actor_type: ActorType,
}

/// The kind of actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorType {
    /// The model, through an iteration.
    Agent,
    /// A person, through a command or an edit.
    User,
    /// The program itself: runs, recovery.
    Daemon,
}

/// The kind of cause of a commit with a person's decision about a proposal.
pub const REVIEW: &str = "review";

/// The kind of cause of a commit that undoes others.
pub const UNDO: &str = "undo";

/// The cause of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of cause, as one word.
    /// Of triggers and runs: `trigger`, `schedule`, `run`, `iteration`, `budget`. Of a person:
    /// `edit`, `verb`, `import`, `review`, `undo`. Of the upkeep of the root: `root`, `founding`,
    /// `rest`, `recovery`, `retention`.
    pub kind: String,
    /// The run, for an iteration and for the start or end of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The number of the iteration, from 1; unique in the journal together with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
}

impl Cause {
    /// Returns a cause without a run.
    pub fn plain(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            run_id: None,
            iteration: None,
        }
    }

    /// Returns a cause within a run.
    pub fn run(kind: &str, run_id: RunId) -> Self {
        Self {
            run_id: Some(run_id),
            ..Self::plain(kind)
        }
    }

    /// Returns the cause of an iteration's commit.
    pub fn iteration(run_id: RunId, iteration: u32) -> Self {
        Self {
            iteration: Some(iteration),
            ..Self::run("iteration", run_id)
        }
    }
}

/// The content of a commit before it is written as a line.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitDraft {
    pub ts: Timestamp,
    pub actor: Actor,
    pub cause: Cause,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// What an event needs to know of its commit to change the state.
#[derive(Clone, Copy, Debug)]
pub struct CommitContext {
    pub actor: ActorType,
    pub ts: Timestamp,
    /// The run that the commit belongs to, if it belongs to one.
    pub run_id: Option<RunId>,
}

impl CommitContext {
    /// Returns the context of a commit that belongs to no run.
    pub const fn without_run(actor: ActorType, ts: Timestamp) -> Self {
        Self {
            actor,
            ts,
            run_id: None,
        }
    }
}

impl CommitDraft {
    pub const fn context(&self) -> CommitContext {
        CommitContext {
            actor: self.actor.actor_type,
            ts: self.ts,
            run_id: self.cause.run_id,
        }
    }

    /// Returns the iteration that this commit ends, if any.
    pub fn iteration(&self) -> Option<&IterationDone> {
        self.events.iter().find_map(|event| {
            let Event::IterationDone(done) = event else {
                return None;
            };
            Some(done)
        })
    }
}

/// A line whose place in the chain and digests were verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// The number of the commit, from 1 without gaps.
    pub seq: u64,
    pub hash: Hash,
    pub draft: CommitDraft,
}

/// The hashed part of a line.
#[derive(Serialize, Deserialize)]
struct Header<'a> {
    v: u32,
    seq: u64,
    ts: Timestamp,
    actor: Actor,
    cause: Cow<'a, Cause>,
    #[serde(borrow)]
    events: Vec<EventDigest<'a>>,
    prev: Hash,
}

/// The type of an event, and the digest of its payload.
#[derive(Serialize, Deserialize)]
struct EventDigest<'a> {
    #[serde(rename = "type", borrow)]
    type_name: Cow<'a, str>,
    digest: Hash,
}

/// The reason why a line cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line is not a complete line of this format: it is torn or overwritten.
    #[error("the line is not a commit: {0}")]
    Malformed(String),
    /// The line is well-formed, but its hash or a digest does not match its bytes.
    #[error("{0} does not match its bytes")]
    Digest(&'static str),
    /// The line is well-formed, but not the successor of the line before.
    #[error("the line does not follow the one before: {0}")]
    Chain(&'static str),
    /// The checkpoint covers the line, but the journal does not hold it.
    #[error("the checkpoint covers this commit, but the journal does not hold it")]
    Covered,
    /// A newer version wrote the line.
    #[error("the line has {0}, which this version does not know")]
    Unsupported(String),
}

/// Encodes a draft as a line with its final newline. Returns the line and its hash.
pub fn encode(draft: &CommitDraft, seq: u64, prev: Hash) -> serde_json::Result<(Vec<u8>, Hash)> {
    let mut data = Vec::with_capacity(1024);
    let mut events = Vec::with_capacity(draft.events.len());
    for event in &draft.events {
        let from = data.len();
        event.write_data(&mut data)?;
        events.push(EventDigest {
            type_name: Cow::Borrowed(event.type_name()),
            digest: Hash::of(data.get(from..).unwrap_or_default()),
        });
        data.push(b',');
    }
    data.pop(); // The comma behind the last one.
    let mut line = serde_json::to_vec(&Header {
        v: LINE_VERSION,
        seq,
        ts: draft.ts,
        actor: draft.actor,
        cause: Cow::Borrowed(&draft.cause),
        events,
        prev,
    })?;
    line.pop(); // The brace comes back behind the data.
    let hash = Hash::of(&line);
    line.extend_from_slice(HASH_MARK.as_bytes());
    line.extend_from_slice(&hash.hex());
    line.extend_from_slice(DATA_MARK.as_bytes());
    line.push(b'[');
    line.extend_from_slice(&data);
    line.extend_from_slice(b"]}\n");
    Ok((line, hash))
}

/// Decodes and verifies a line without its newline, which should follow `seq` and `prev`.
pub fn decode(line: &[u8], seq: u64, prev: Hash) -> Result<Commit, LineError> {
    let text = std::str::from_utf8(line).map_err(|_| malformed("not UTF-8"))?;
    let (length, hash) = find_hash(line).ok_or_else(|| malformed("no hash"))?;
    let head = text.get(..length).unwrap_or_default();
    let data = text
        .get(length + HASH_MARK.len() + HEX_BYTES..)
        .and_then(|rest| rest.strip_prefix(DATA_MARK)?.strip_suffix('}'))
        .ok_or_else(|| malformed("no data"))?;
    if Hash::of(head.as_bytes()) != hash {
        return Err(LineError::Digest("the line's hash"));
    }
    check_version(head)?;
    let head = [head, "}"].concat();
    let header: Header<'_> = serde_json::from_str(&head).map_err(|error| malformed(&error))?;
    if header.seq != seq {
        return Err(LineError::Chain("its number is not the next one"));
    }
    if header.prev != prev {
        return Err(LineError::Chain("it names another predecessor"));
    }
    let payloads: Vec<&RawValue> = serde_json::from_str(data).map_err(|error| malformed(&error))?;
    if payloads.len() != header.events.len() {
        return Err(malformed("events and data differ in number"));
    }
    let events = header.events.iter().zip(payloads);
    let draft = CommitDraft {
        ts: header.ts,
        actor: header.actor,
        events: events
            .map(|(entry, data)| read_event(entry, data))
            .collect::<Result<_, _>>()?,
        cause: header.cause.into_owned(),
    };
    Ok(Commit { seq, hash, draft })
}

fn malformed(what: &(impl fmt::Display + ?Sized)) -> LineError {
    LineError::Malformed(what.to_string())
}

/// Refuses a line of another format version.
// This check comes first: the rest of a newer version's header may have another shape.
fn check_version(header: &str) -> Result<(), LineError> {
    let rest = header.strip_prefix("{\"v\":").unwrap_or_default();
    let version = rest.split(',').next().unwrap_or_default();
    if version.parse() == Ok(LINE_VERSION) {
        return Ok(());
    }
    Err(LineError::Unsupported(format!("format version {version}")))
}

/// Returns the number, the predecessor's hash and the hash of an intact line.
/// Payloads are not verified: this finds the place of a line in the chain.
pub fn place_of(line: &[u8]) -> Option<(u64, Hash, Hash)> {
    #[derive(Deserialize)]
    struct ChainPosition {
        seq: u64,
        prev: Hash,
    }
    let (length, hash) = find_hash(line)?;
    let head = line.get(..length)?;
    let place: ChainPosition = serde_json::from_slice(&[head, b"}"].concat()).ok()?;
    let end = line.strip_suffix(b"}")?.trim_ascii_end();
    (Hash::of(head) == hash && end.ends_with(b"]")).then_some((place.seq, place.prev, hash))
}

/// Returns the length of the hashed part of a line, and the hash behind it.
fn find_hash(line: &[u8]) -> Option<(usize, Hash)> {
    let length = memmem::find(line, HASH_MARK.as_bytes())?;
    let hex = line.get(length + HASH_MARK.len()..)?.get(..HEX_BYTES)?;
    Some((length, Hash::parse(std::str::from_utf8(hex).ok()?)?))
}

/// Reads a payload and verifies it against its digest.
fn read_event(entry: &EventDigest<'_>, data: &RawValue) -> Result<Event, LineError> {
    let EventDigest { type_name, digest } = entry;
    if Hash::of(data.get().as_bytes()) != *digest {
        return Err(LineError::Digest("the digest of an event"));
    }
    let read = Event::from_data(type_name, data.get())
        .map_err(|error| malformed(&format!("{type_name}: {error}")))?;
    let event = read.ok_or_else(|| LineError::Unsupported(format!("an event `{type_name}`")))?;
    // A root of another version may hold data that this version does not know.
    if let Event::RootCreated(RootCreated { format, .. }) = event
        && format != FORMAT_VERSION
    {
        let what = format!("format version {format}");
        return Err(LineError::Unsupported(what));
    }
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::guard::ram_own;
    use serde_json::Value;

    #[test]
    fn a_digest_is_read_as_it_was_written() {
        let hash = Hash::of(b"tea");
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(json, format!("\"{hash}\""));
        assert_eq!(serde_json::from_str::<Hash>(&json).unwrap(), hash);
        // Escapes and readers without a text to borrow from are handled alike.
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

    /// A line is read in any spelling of its JSON, and a changed byte is detected.
    #[test]
    fn both_ways_to_read_a_line_agree() {
        let event = |key: &str| Event::Change(ram_own(key, Value::from("tea & \u{201e}x\"")));
        let run_id = RunId(uuid::Uuid::from_u128(7));
        let causes = [
            Cause::plain("verb"),
            Cause::run("trigger", run_id),
            Cause::iteration(run_id, 12),
        ];
        for (cause, events) in
            causes
                .into_iter()
                .zip([vec![], vec![event("plan")], vec![event("a"), event("b")]])
        {
            let actor = Actor {
                actor_type: ActorType::User,
            };
            let ts = Timestamp::from_millis(1_800_000_000_007);
            let draft = CommitDraft {
                ts,
                actor,
                cause,
                events,
            };
            let (line, hash) = encode(&draft, 9, Hash::ZERO).unwrap();
            let text = std::str::from_utf8(&line).unwrap().trim_end();
            let commit = Commit {
                seq: 9,
                hash,
                draft,
            };
            assert_eq!(decode(text.as_bytes(), 9, Hash::ZERO), Ok(commit.clone()));

            // The same line with blanks and escapes, as another program may write it.
            let odd = text
                .replacen("\"seq\":9", "\"seq\": 9", 1)
                .replace("ram.set", "ram\\u002eset");
            let (head, data) = odd.split_once(HASH_MARK).unwrap();
            let data = data[64..].replace("},{", "} , {").replace("]}", "] }");
            let hash = Hash::of(head.as_bytes());
            let odd = format!("{head}{HASH_MARK}{hash}{data}");
            assert_eq!(place_of(odd.as_bytes()), Some((9, Hash::ZERO, hash)));
            assert_eq!(
                decode(odd.as_bytes(), 9, Hash::ZERO),
                Ok(Commit { hash, ..commit })
            );

            for at in 0..line.len() - 1 {
                let mut broken = text.as_bytes().to_vec();
                broken[at] ^= 1;
                assert!(
                    decode(&broken, 9, Hash::ZERO).is_err(),
                    "byte {at} of {text}"
                );
            }
        }
    }
}
