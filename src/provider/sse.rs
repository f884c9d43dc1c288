//! The wire format of a streamed reply: server-sent events, in whatever pieces they arrive. Owns
//! lines and fields of the format; [`super::stream`] reads the data. Never holds more than one
//! event.

use super::fault::{Fault, not_text};
use crate::failure::Code;
use crate::limits::STREAM_EVENT_BYTES_MAX;

/// The data that ends a stream of the `OpenAI` format.
const DONE: &str = "[DONE]";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Data(String),
    Done,
}

#[derive(Debug, Default)]
pub(super) struct EventReader {
    /// The line whose end has not arrived.
    line: Vec<u8>,
    data: Option<String>,
    /// Whether the last byte was a carriage return: a line feed after it belongs to it.
    after_return: bool,
    /// Whether the first line has ended.
    is_begun: bool,
    is_done: bool,
}

impl EventReader {
    /// Reads the next event from the front of a piece; `None` once the piece is used up.
    /// Removes the bytes that it reads; skips what follows the end of the stream. An event is
    /// returned before the bytes after it are checked, so that the result does not depend on how
    /// the bytes were cut into pieces.
    ///
    /// # Errors
    /// Returns a fault for an event that is too large or not UTF-8.
    pub(super) fn next(&mut self, piece: &mut &[u8]) -> Result<Option<Event>, Fault> {
        while let Some((byte, rest)) = piece.split_first().filter(|_| !self.is_done) {
            *piece = rest;
            match byte {
                b'\n' if std::mem::take(&mut self.after_return) => {}
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    if let Some(event) = self.end_line()? {
                        return Ok(Some(event));
                    }
                }
                other => {
                    self.after_return = false;
                    self.line.push(*other);
                    let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
                    if held > STREAM_EVENT_BYTES_MAX {
                        let message =
                            format!("one event is larger than {STREAM_EVENT_BYTES_MAX} bytes");
                        return Err(Fault::lasting(Code::ProviderBadResponse, message));
                    }
                }
            }
        }
        Ok(None)
    }

    fn end_line(&mut self) -> Result<Option<Event>, Fault> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8(line).map_err(|_| not_text())?;
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let line = if is_first {
            line.trim_start_matches('\u{feff}')
        } else {
            &line
        };
        if line.is_empty() {
            return Ok(self.data.take().map(|data| self.event(data)));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                match &mut self.data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(value);
                    }
                    None => self.data = Some(value.to_owned()),
                }
                Ok(None)
            }
            // A comment, whose field is empty, `event`, `id` and `retry` are not needed here.
            _ => Ok(None),
        }
    }

    fn event(&mut self, data: String) -> Event {
        self.is_done = data.trim() == DONE;
        if self.is_done {
            Event::Done
        } else {
            Event::Data(data)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, EventReader};
    use crate::failure::Code;
    use crate::limits::STREAM_EVENT_BYTES_MAX;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<Event> {
        let mut reader = EventReader::default();
        let mut events = Vec::new();
        for piece in pieces {
            let mut rest = *piece;
            events.extend(std::iter::from_fn(|| reader.next(&mut rest).unwrap()));
        }
        events
    }

    fn data(text: &str) -> Event {
        Event::Data(text.to_owned())
    }

    #[test]
    fn events_of_every_spelling_are_read() {
        let cases: [(&str, Vec<Event>); 8] = [
            ("data: a\n\n", vec![data("a")]),
            ("data:a\r\n\r\ndata: b\r\r", vec![data("a"), data("b")]),
            ("\u{feff}data: a\n\n", vec![data("a")]),
            ("data: a\ndata: b\n\n", vec![data("a\nb")]),
            (": PROCESSING\n\ndata: a\n\n", vec![data("a")]),
            ("event: x\nid: 1\nretry: 3\ndata:  a\n\n", vec![data(" a")]),
            ("data: [DONE]\n\ndata: late\n\n", vec![Event::Done]),
            ("\n\n\ndata\n\ndata: cut", vec![data("")]),
        ];
        for (text, events) in cases {
            assert_eq!(read(&[text.as_bytes()]), events, "{text:?}");
        }
    }

    #[test]
    fn an_event_without_end_is_given_up_and_broken_text_is_named() {
        let mut reader = EventReader::default();
        let error = reader.next(&mut &*vec![b'x'; STREAM_EVENT_BYTES_MAX + 1]);
        assert_eq!(error.unwrap_err().error.code, Code::ProviderBadResponse);
        let error = EventReader::default().next(&mut &b"data: \xff\n"[..]);
        assert_eq!(error.unwrap_err().error.code, Code::XmlParseError);
    }

    proptest! {
        #[test]
        fn wherever_it_is_split_the_same_is_read(
            text in "(data: ?[a-z\u{8336}]{0,5}|: x|\r|\n|\r\n|event: y){0,20}",
            cuts in prop::collection::vec(0_usize..100, 0..5),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|at| at.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[bytes]));
        }
    }
}
