//! A client of the control socket that writes while the program is killed. A status of 2xx is an
//! acknowledgement: what it is about must be there afterwards, once. A write without an answer may be
//! there once or not at all, and putting it again under the same key must not make it two.

#![expect(clippy::unwrap_used, reason = "a campaign may stop at once")]

use crate::random::Random;
use kjxlkj_agent::core::journal::State;
use kjxlkj_agent::core::memory::StorePath;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Writes of one life.
const WRITES_MAX: usize = 12;

/// Launches of one campaign: each is a run that has to be worked on.
const LAUNCHES_MAX: u64 = 300;

/// How long an answer may take while the program lives.
const ANSWER_DEADLINE: Duration = Duration::from_secs(30);

/// What is known of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It was answered with 2xx.
    Acknowledged,
    /// It was sent, and no answer came.
    Open,
    /// It was refused, so that it must not be there.
    Refused,
}

/// What a write is about; the number of the write names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A new note.
    Note,
    /// A new text of the note of that number.
    Edit(u64),
    /// The end of the note of that number.
    Delete(u64),
    /// A key of RAM.
    Ram,
    /// A request under a key.
    Launch,
    /// A run of the rule under a key.
    Trigger,
}

/// The client and everything that it has written.
#[derive(Debug)]
pub(crate) struct Client {
    random: Random,
    rule: &'static str,
    writes: BTreeMap<u64, (Sort, Known)>,
    launches: u64,
    /// What was wrong with answers.
    wrong: Vec<String>,
    /// Writes that were put again because no answer had come, or though one had.
    pub(crate) repeated: u64,
}

/// The text of a write's note, or of its key.
fn text(number: u64) -> String {
    format!("written over HTTP as number {number}")
}

impl Client {
    pub(crate) fn new(seed: u64, rule: &'static str) -> Self {
        Self {
            random: Random(seed ^ 0x4B49_4C4C),
            rule,
            writes: BTreeMap::new(),
            launches: 0,
            wrong: Vec::new(),
            repeated: 0,
        }
    }

    /// Writes that were sent, acknowledged, and left without an answer.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        let count = |known| self.writes.values().filter(|(_, it)| *it == known).count();
        (
            self.writes.len(),
            count(Known::Acknowledged),
            count(Known::Open),
        )
    }

    /// Writes until the program is gone, or has answered often enough.
    pub(crate) fn write(&mut self, root: &Path, is_over: &AtomicBool) {
        let socket = root.join("data/control.sock");
        while UnixStream::connect(&socket).is_err() {
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        for _ in 0..WRITES_MAX {
            let again = self.repeated_write();
            self.repeated += u64::from(again.is_some());
            let number = again.unwrap_or_else(|| self.next());
            let (sort, before) = self.writes[&number];
            let status = self.send(&socket, number, sort);
            let known = match status {
                Some(200..=299) => Known::Acknowledged,
                Some(400..=499) => Known::Refused,
                None | Some(_) => Known::Open,
            };
            if before == Known::Acknowledged && known == Known::Refused {
                self.wrong.push(format!(
                    "{sort:?} {number} was acknowledged, and is refused again"
                ));
            }
            // What was acknowledged once stays so, and what may have been done may still be there.
            if before == Known::Open && known != Known::Refused || again.is_none() {
                self.writes.insert(number, (sort, known));
            }
            if status.is_none() {
                return;
            }
        }
    }

    /// A launch without an answer that is put again, or one with an answer, now and then.
    fn repeated_write(&mut self) -> Option<u64> {
        let wanted = match self.random.below(6) {
            0 | 1 => Known::Open,
            2 => Known::Acknowledged,
            _ => return None,
        };
        let may = |(_, (sort, known)): &(&u64, &(Sort, Known))| {
            *known == wanted && matches!(sort, Sort::Launch | Sort::Trigger | Sort::Ram)
        };
        let found: Vec<u64> = self
            .writes
            .iter()
            .filter(may)
            .map(|(number, _)| *number)
            .collect();
        (!found.is_empty()).then(|| found[self.random.index(found.len())])
    }

    /// Draws a write that was not made before.
    fn next(&mut self) -> u64 {
        let number = u64::try_from(self.writes.len()).unwrap() + 1;
        let sort = match self.random.below(8) {
            0 | 1 => Sort::Ram,
            2 if self.launches < LAUNCHES_MAX => Sort::Launch,
            3 if self.launches < LAUNCHES_MAX => Sort::Trigger,
            4 => self.note().map_or(Sort::Note, Sort::Edit),
            5 => self.note().map_or(Sort::Note, Sort::Delete),
            _ => Sort::Note,
        };
        self.launches += u64::from(matches!(sort, Sort::Launch | Sort::Trigger));
        self.writes.insert(number, (sort, Known::Open));
        number
    }

    /// A note that was acknowledged and that nothing else was done to.
    fn note(&mut self) -> Option<u64> {
        let is_touched = |number: u64| {
            let mut others = self.writes.values();
            others.any(|(sort, _)| [Sort::Edit(number), Sort::Delete(number)].contains(sort))
        };
        let is_good = |(number, write): &(&u64, &(Sort, Known))| {
            **write == (Sort::Note, Known::Acknowledged) && !is_touched(**number)
        };
        let notes: Vec<u64> = self
            .writes
            .iter()
            .filter(is_good)
            .map(|(number, _)| *number)
            .collect();
        (!notes.is_empty()).then(|| notes[self.random.index(notes.len())])
    }

    /// Sends a write; gives the status of the answer, if one came.
    fn send(&self, socket: &Path, number: u64, sort: Sort) -> Option<u16> {
        let value = json!({"value": text(number)});
        let key = format!("Idempotency-Key: kill-{number}\r\n");
        let (line, head, body) = match sort {
            Sort::Note => {
                let title = format!("http-{number}");
                let note = json!({"title": title, "value": text(number)});
                ("POST /v1/notes".to_owned(), "", note)
            }
            Sort::Edit(note) => (format!("PATCH /v1/notes/http-{note}"), "", value),
            Sort::Delete(note) => (format!("DELETE /v1/notes/http-{note}"), "", Value::Null),
            Sort::Ram => (format!("PUT /v1/ram/http_{number}"), "", value),
            Sort::Launch => (
                "POST /v1/runs".to_owned(),
                key.as_str(),
                json!({"request": text(number)}),
            ),
            Sort::Trigger => (
                format!("POST /v1/rules/{}/runs", self.rule),
                key.as_str(),
                Value::Null,
            ),
        };
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let sort = if body.is_empty() {
            ""
        } else {
            "Content-Type: application/json\r\n"
        };
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\
             {sort}{head}\r\n{body}"
        );
        answer(socket, &request)
    }

    /// What is wrong with what is left of all writes. `runs` are the runs that the journal opens: the
    /// event and the request of each.
    pub(crate) fn check(&self, state: &State, runs: &[(String, String)]) -> Vec<String> {
        let mut wrong = self.wrong.clone();
        for (&number, &(sort, known)) in &self.writes {
            let found = match sort {
                Sort::Note => self.notes_of(state, number),
                Sort::Ram => usize::from(has_key(state, number)),
                Sort::Launch => runs
                    .iter()
                    .filter(|(_, request)| *request == text(number))
                    .count(),
                Sort::Trigger => {
                    let event = format!("kill-{number}");
                    runs.iter()
                        .filter(|(it, _)| it.rsplit(':').next() == Some(&event))
                        .count()
                }
                Sort::Edit(note) => {
                    let notes = state.notes.iter();
                    let title = format!("http-{note}");
                    notes
                        .filter(|it| it.title == title && it.value == text(number))
                        .count()
                }
                Sort::Delete(note) => {
                    let title = format!("http-{note}");
                    usize::from(!state.notes.iter().any(|it| it.title == title))
                }
            };
            let is_right = match known {
                Known::Acknowledged => found == 1,
                Known::Open => found <= 1,
                Known::Refused => found == 0,
            };
            if !is_right {
                wrong.push(format!(
                    "{sort:?} {number} is {known:?} over HTTP, and there {found} times"
                ));
            }
        }
        wrong
    }

    /// How often the note of a write is there: with its own text or with that of an edit, and not at all
    /// where it may be deleted.
    fn notes_of(&self, state: &State, number: u64) -> usize {
        let title = format!("http-{number}");
        let notes: Vec<_> = state.notes.iter().filter(|it| it.title == title).collect();
        let of_note =
            |it: &&(Sort, Known)| [Sort::Edit(number), Sort::Delete(number)].contains(&it.0);
        let later = self.writes.iter().find(|(_, it)| of_note(it));
        match (later, notes.as_slice()) {
            (Some((_, (Sort::Delete(_), _))), []) => 1,
            (Some((edit, (Sort::Edit(_), known))), [note]) => {
                let is_old = *known != Known::Acknowledged && note.value == text(number);
                usize::from(is_old || note.value == text(*edit))
            }
            (_, notes) => notes
                .iter()
                .filter(|note| note.value == text(number))
                .count(),
        }
    }
}

/// Whether a key that was written is in RAM, or in the archive, where the program moves what nobody has
/// used for long.
fn has_key(state: &State, number: u64) -> bool {
    let key = format!("http_{number}");
    let in_ram = state.main.ram.get(&key).cloned();
    let value = in_ram.or_else(|| state.storage.value(StorePath::archive(&key).parts()));
    value == Some(json!(text(number)))
}

/// Sends a request and reads the answer's status, however little comes behind it.
fn answer(socket: &Path, request: &str) -> Option<u16> {
    let mut stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(ANSWER_DEADLINE)).unwrap();
    stream.write_all(request.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    // Cut off by the kill, it may still have said enough.
    drop(stream.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    let (line, _) = text.split_once("\r\n")?;
    line.split(' ').nth(1)?.parse().ok()
}
