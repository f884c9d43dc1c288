//! An import beside a daemon: whoever reads the files hands the notes over in bounded parts, and the
//! daemon decides about each part in one commit. Both sides of that talk.

use super::super::arguments::Format;
use super::super::context::Context;
use super::super::hand_over::hand_over;
use super::super::output::Answer;
use super::super::words_of;
use super::decide::{Decided, Decider};
use super::{Brought, IMPORT, Import};
use crate::api::Call;
use crate::core::journal::Cause;
use crate::core::notes::Portable;
use crate::daemon::DraftParts;
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::limits::{API_BODY_BYTES_MAX, IMPORT_COMMIT_NOTES_MAX};
use crate::service::change_by_part;
use crate::strict_json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The words that a part goes with.
const WORDS: [&str; 4] = ["notes", "import", "--part", "-"];

/// Bytes of a body that are not notes: the words, and the brackets around.
const AROUND_BYTES: usize = 1024;

/// A note on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Sent {
    /// The id that it has here.
    id: NoteId,
    /// As the file told of it.
    note: Map<String, Value>,
}

/// Notes that are handed over together.
#[derive(Debug, Default)]
struct Batch {
    places: Vec<usize>,
    notes: Vec<String>,
    bytes: usize,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Whether a note of so many bytes still goes with it.
    fn has_room(&self, bytes: usize) -> bool {
        self.notes.len() < IMPORT_COMMIT_NOTES_MAX
            && self.bytes + bytes + AROUND_BYTES <= API_BODY_BYTES_MAX
    }

    fn add(&mut self, place: usize, note: String, bytes: usize) {
        self.places.push(place);
        self.notes.push(note);
        self.bytes += bytes;
    }
}

impl Import {
    /// Has the daemon that holds the folder take everything in. What was taken in before a failure stands.
    pub(super) fn hand_over(&mut self, context: &Context, locked: &Failure) -> Result<(), Failure> {
        let mut part = Batch::default();
        while let Some(entry) = self.files.next() {
            let Some(brought) = self.meet(entry) else {
                continue;
            };
            let place = brought.place;
            let note = text_of(&brought)?;
            let bytes = bytes_sent(&note);
            if !part.is_empty() && !part.has_room(bytes) {
                self.send(context, std::mem::take(&mut part), locked)?;
            }
            if part.has_room(bytes) {
                part.add(place, note, bytes);
            } else if let Some(entry) = self.items.get_mut(place) {
                entry.code = Some(Code::LimitExceeded);
                entry.reason = Some("it is too large to be taken in beside a daemon".to_owned());
            }
        }
        if part.is_empty() {
            return Ok(());
        }
        self.send(context, part, locked)
    }

    fn send(&mut self, context: &Context, part: Batch, locked: &Failure) -> Result<(), Failure> {
        let context = context.with_input(format!("[{}]", part.notes.join(",")));
        let answer = hand_over(&context, words_of(Format::Json, &WORDS), locked.clone())?;
        let decided: Vec<Decided> = serde_json::from_str(&answer.text).map_err(|error| {
            let message = format!("the daemon's answer cannot be read: {error}");
            Failure::new(Code::Internal, message)
        })?;
        for (place, decided) in part.places.into_iter().zip(decided) {
            if let Some(entry) = self.items.get_mut(place) {
                decided.write_to(entry);
            }
        }
        Ok(())
    }
}

fn text_of(brought: &Brought) -> Result<String, Failure> {
    let Value::Object(note) = brought.note.to_json() else {
        return Err(Failure::new(Code::Internal, "a note is no object"));
    };
    let sent = Sent {
        id: brought.id,
        note,
    };
    serde_json::to_string(&sent).map_err(|error| Failure::new(Code::Internal, error.to_string()))
}

/// Bytes that a text takes within the body, where its quotes are spelt out once more.
fn bytes_sent(text: &str) -> usize {
    let call = Call {
        words: Vec::new(),
        input: Some(text.to_owned()),
    };
    json!(call).to_string().len()
}

/// Takes in a part that somebody else has read: one commit, and what became of each note.
pub(super) fn take(context: &Context) -> Result<Answer, Failure> {
    let text = context.value_or_input("-".to_owned(), API_BODY_BYTES_MAX)?;
    let invalid = |what: String| Failure::new(Code::ImportInvalid, what);
    let sent = strict_json::parse(text.as_bytes()).map_err(|bad| invalid(bad.message))?;
    let sent: Vec<Sent> =
        serde_json::from_value(sent).map_err(|error| invalid(error.to_string()))?;
    if sent.len() > IMPORT_COMMIT_NOTES_MAX {
        let message = format!("a part has at most {IMPORT_COMMIT_NOTES_MAX} notes");
        return Err(Failure::new(Code::LimitExceeded, message));
    }
    let read = sent.into_iter().map(|sent| {
        let note = Portable::from_json(&sent.note).map_err(invalid)?;
        Ok((sent.id, note))
    });
    let read = read.collect::<Result<Vec<(NoteId, Portable)>, Failure>>()?;
    let mut decider = Decider::new(context)?;
    let decided = change_by_part(&context.session, move |cx| {
        let (mut changes, mut decisions) = (Vec::new(), Vec::new());
        for (id, note) in &read {
            let mut decided = decider.decide(cx, *id, note)?;
            changes.extend(decided.change.take());
            decisions.push(decided);
        }
        Ok((DraftParts::of(&Cause::plain(IMPORT), changes), decisions))
    })?;
    let text = || format!("{} notes were looked at", decided.len());
    context.answer(&decided, text)
}
