//! Standard error for log lines: one event is one line, whatever its text holds. Text of a model, a
//! server or a note can neither forge a line nor control the terminal.

use super::LineFormat;
use crate::plain_text::{json_spelt_out, spelt_out};
use std::io::{self, Write};
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// A maker of writers for events of one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainLines {
    pub(super) look: LineFormat,
    /// Whether each line begins with its syslog priority, as the journal of systemd reads it.
    pub(super) weighs: bool,
}

impl<'a> MakeWriter<'a> for PlainLines {
    type Writer = PlainLine<io::Stderr>;

    fn make_writer(&'a self) -> Self::Writer {
        PlainLine {
            look: self.look,
            weight: None,
            out: io::stderr(),
        }
    }

    fn make_writer_for(&'a self, event: &Metadata<'_>) -> Self::Writer {
        PlainLine {
            weight: self.weighs.then(|| weight(*event.level())),
            ..self.make_writer()
        }
    }
}

pub(super) fn weight(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        _ => 7,
    }
}

/// A writer of one event, which arrives as a whole.
#[derive(Debug)]
pub(super) struct PlainLine<W> {
    look: LineFormat,
    weight: Option<u8>,
    out: W,
}

impl<W: Write> Write for PlainLine<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let mut line = match self.look {
            LineFormat::Text => spelt_out(line, |_| false),
            LineFormat::Json => json_spelt_out(line),
        };
        if let Some(weight) = self.weight {
            line.insert_str(0, &format!("<{weight}>"));
        }
        line.push('\n');
        self.out.write_all(line.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{LineFormat, PlainLine, Write as _};

    #[test]
    fn an_event_is_one_line_that_steers_nothing() {
        let written = |look, weight, text: &str| {
            let mut out = Vec::new();
            PlainLine {
                look,
                weight,
                out: &mut out,
            }
            .write_all(text.as_bytes())
            .unwrap();
            String::from_utf8(out).unwrap()
        };
        let hostile = "WARN said\r\nINFO forged \u{1b}[2J\u{9b}\n";
        assert_eq!(
            written(LineFormat::Text, None, hostile),
            "WARN said\\u{d}\\u{a}INFO forged \\u{1b}[2J\\u{9b}\n"
        );
        assert_eq!(
            written(LineFormat::Json, Some(4), "{\"a\":\"\u{7f}\u{9b}\"}\n"),
            "<4>{\"a\":\"\\u007f\\u009b\"}\n"
        );
    }
}
