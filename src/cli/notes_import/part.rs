//! An import beside a daemon: this process reads the files and hands the notes over in bounded
//! parts, and the daemon decides about each part in one commit. Holds both sides of the exchange.

use super::super::arguments::Format;
use super::super::context::Context;
use super::super::hand_over::hand_over as have_answered;
use super::super::output::Answer;
use super::super::words_of;
use super::files::Files;
use crate::api::Call;
use crate::failure::{Code, Failure};
use crate::limits::{API_BODY_BYTES_MAX, IMPORT_COMMIT_NOTES_MAX};
use crate::service::import::{Brought, Decided, Import, take_part};
use crate::strict_json;
use serde_json::json;

/// The command line that a part is sent with.
const WORDS: [&str; 4] = ["notes", "import", "--part", "-"];

/// The bytes of a body that are not notes: the words and brackets.
const AROUND_BYTES: usize = 1024;

/// The notes that are sent together.
#[derive(Debug, Default)]
struct Part {
    places: Vec<usize>,
    notes: Vec<String>,
    bytes: usize,
}

/// Has the daemon import all notes.
/// Parts before a failure stay imported.
pub(super) fn hand_over(
    context: &Context,
    import: &mut Import<Files>,
    locked: &Failure,
) -> Result<(), Failure> {
    let mut part = Part::default();
    while let Some(brought) = import.next_note() {
        let note = json!(brought).to_string();
        let bytes = bytes_sent(&note);
        if bytes + AROUND_BYTES > API_BODY_BYTES_MAX {
            let reason = "it is too large to be taken in beside a daemon";
            import.refuse(brought.place, Code::LimitExceeded, reason);
            continue;
        }
        let is_full = part.notes.len() >= IMPORT_COMMIT_NOTES_MAX
            || part.bytes + bytes + AROUND_BYTES > API_BODY_BYTES_MAX;
        if is_full {
            send(context, import, std::mem::take(&mut part), locked)?;
        }
        part.places.push(brought.place);
        part.notes.push(note);
        part.bytes += bytes;
    }
    if part.notes.is_empty() {
        return Ok(());
    }
    send(context, import, part, locked)
}

fn send(
    context: &Context,
    import: &mut Import<Files>,
    part: Part,
    locked: &Failure,
) -> Result<(), Failure> {
    let context = context.with_input(format!("[{}]", part.notes.join(",")));
    let answer = have_answered(&context, words_of(Format::Json, &WORDS), locked.clone())?;
    let decided: Vec<Decided> = serde_json::from_str(&answer.text).map_err(|error| {
        let message = format!("the daemon's answer cannot be read: {error}");
        Failure::new(Code::Internal, message)
    })?;
    for (place, decided) in part.places.into_iter().zip(decided) {
        import.settle(place, decided);
    }
    Ok(())
}

/// Returns the bytes of a text within the body, where its quotes are escaped once more.
fn bytes_sent(text: &str) -> usize {
    let call = Call {
        words: Vec::new(),
        input: Some(text.to_owned()),
    };
    json!(call).to_string().len()
}

/// Imports a part that another process has read: one commit, and a decision about each note.
pub(super) fn take(context: &Context) -> Result<Answer, Failure> {
    let text = context.value_or_input("-".to_owned(), API_BODY_BYTES_MAX)?;
    let invalid = |what: String| Failure::new(Code::ImportInvalid, what);
    let notes = strict_json::parse(text.as_bytes()).map_err(|bad| invalid(bad.message))?;
    let notes: Vec<Brought> =
        serde_json::from_value(notes).map_err(|error| invalid(error.to_string()))?;
    let decided = take_part(&context.session, notes)?;
    let text = || format!("{} notes were looked at", decided.len());
    context.answer(&decided, text)
}
