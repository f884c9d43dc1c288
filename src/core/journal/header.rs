//! The hashed part of a line, in the one spelling that this program writes.
//! A rebuild reads hundreds of thousands of headers, and a general JSON reader would take most of
//! its time. For any other spelling, the reader here returns `None` and the general reader decides.
//! Verifies nothing.

use super::commit::{Actor, ActorType, Cause, Draft, LINE_VERSION};
use super::hash::Hash;
use crate::ids::RunId;
use crate::time::Timestamp;
use std::borrow::Cow;
use std::io::Write as _;
use uuid::Uuid;

/// The type and the digest of an event.
pub(super) type Entry<'a> = (Cow<'a, str>, Hash);

/// The part of a line before its hash.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) seq: u64,
    pub(super) ts: Timestamp,
    pub(super) actor: Actor,
    pub(super) cause: Cause,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) prev: Hash,
}

/// Writes the header of a line without its closing brace.
pub(super) fn write(
    line: &mut Vec<u8>,
    draft: &Draft,
    seq: u64,
    entries: &[Entry<'_>],
    prev: Hash,
) -> serde_json::Result<()> {
    let (ts, actor) = (draft.ts, actor_name(draft.actor.actor_type));
    let begin = format_args!(
        "{{\"v\":{LINE_VERSION},\"seq\":{seq},\"ts\":\"{ts}\",\"actor\":{{\"actor_type\":\"{actor}\"}},\"cause\":"
    );
    line.write_fmt(begin).map_err(serde_json::Error::io)?;
    serde_json::to_writer(&mut *line, &draft.cause)?;
    line.extend_from_slice(b",\"events\":[");
    for (index, (type_name, digest)) in entries.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        line.extend_from_slice(b"{\"type\":\"");
        line.extend_from_slice(type_name.as_bytes());
        line.extend_from_slice(b"\",\"digest\":\"");
        line.extend_from_slice(&digest.hex());
        line.extend_from_slice(b"\"}");
    }
    line.extend_from_slice(b"],\"prev\":\"");
    line.extend_from_slice(&prev.hex());
    line.push(b'"');
    Ok(())
}

const fn actor_name(actor_type: ActorType) -> &'static str {
    match actor_type {
        ActorType::Agent => "agent",
        ActorType::User => "user",
        ActorType::Daemon => "daemon",
    }
}

/// Reads the header at the start of a line. Returns it with the text behind it.
pub(super) fn read(line: &str) -> Option<(Header<'_>, &str)> {
    let mut text = Text(line);
    text.skip("{\"v\":1,\"seq\":")?;
    let seq = text.number()?;
    text.skip(",\"ts\":\"")?;
    let ts = Timestamp::parse_plain(text.take(24)?)?;
    text.skip("\",\"actor\":{\"actor_type\":\"")?;
    let actor = text.word()?;
    let actor_types = [ActorType::Agent, ActorType::User, ActorType::Daemon];
    let actor_type = actor_types
        .into_iter()
        .find(|it| actor_name(*it) == actor)?;
    text.skip("},\"cause\":")?;
    let cause = text.cause()?;
    text.skip(",\"events\":[")?;
    let entries = text.entries()?;
    text.skip(",\"prev\":\"")?;
    let prev = text.hash()?;
    let header = Header {
        seq,
        ts,
        actor: Actor { actor_type },
        cause,
        entries,
        prev,
    };
    Some((header, text.0))
}

/// The text that is left to read.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn skip(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    fn take(&mut self, bytes: usize) -> Option<&'a str> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads an integer in JSON form.
    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let number = self.take(digits)?;
        let is_plain = number == "0" || !number.starts_with('0');
        is_plain.then(|| number.parse().ok()).flatten()
    }

    /// Reads a name of lower-case letters, `_` and `.`, and the quote behind it.
    fn word(&mut self) -> Option<&'a str> {
        let ours = |byte: &u8| matches!(byte, b'a'..=b'z' | b'_' | b'.');
        let length = self.0.bytes().take_while(ours).count();
        let word = self.take(length)?;
        self.skip("\"")?;
        Some(word)
    }

    /// Reads a digest and the quote behind it.
    fn hash(&mut self) -> Option<Hash> {
        let hash = Hash::parse(self.take(64)?)?;
        self.skip("\"")?;
        Some(hash)
    }

    fn cause(&mut self) -> Option<Cause> {
        self.skip("{\"kind\":\"")?;
        let mut cause = Cause::plain(self.word()?);
        if self.skip(",\"run_id\":\"").is_some() {
            let run_id = self.take(36)?;
            cause.run_id = Some(RunId(Uuid::try_parse(run_id).ok()?));
            self.skip("\"")?;
        }
        if self.skip(",\"iteration\":").is_some() {
            cause.iteration = Some(self.number()?);
        }
        self.skip("}")?;
        Some(cause)
    }

    fn entries(&mut self) -> Option<Vec<Entry<'a>>> {
        let mut entries = Vec::with_capacity(8);
        if self.skip("]").is_some() {
            return Some(entries);
        }
        loop {
            self.skip("{\"type\":\"")?;
            let name = self.word()?;
            self.skip(",\"digest\":\"")?;
            entries.push((Cow::Borrowed(name), self.hash()?));
            self.skip("}")?;
            if self.skip("]").is_some() {
                return Some(entries);
            }
            self.skip(",")?;
        }
    }
}
