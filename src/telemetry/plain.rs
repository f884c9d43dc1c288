//! Standard error for log lines: one event is one line, whatever its words hold. What a model, a
//! server or a note says can neither forge a line nor steer the terminal.

use super::Look;
use crate::plain_text::{json_spelt_out, spelt_out};
use std::io::{self, Write};
use tracing_subscriber::fmt::MakeWriter;

/// Makes writers for events of one look.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainLines(pub(super) Look);

impl<'a> MakeWriter<'a> for PlainLines {
    type Writer = PlainLine<io::Stderr>;

    fn make_writer(&'a self) -> Self::Writer {
        PlainLine {
            look: self.0,
            out: io::stderr(),
        }
    }
}

/// Writes one event, which comes as a whole.
#[derive(Debug)]
pub(super) struct PlainLine<W> {
    look: Look,
    out: W,
}

impl<W: Write> Write for PlainLine<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let mut line = match self.look {
            Look::Text => spelt_out(line, |_| false),
            Look::Json => json_spelt_out(line),
        };
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
    use super::{Look, PlainLine, Write as _};

    #[test]
    fn an_event_is_one_line_that_steers_nothing() {
        let written = |look, text: &str| {
            let mut out = Vec::new();
            PlainLine {
                look,
                out: &mut out,
            }
            .write_all(text.as_bytes())
            .unwrap();
            String::from_utf8(out).unwrap()
        };
        let hostile = "WARN said\r\nINFO forged \u{1b}[2J\u{9b}\n";
        assert_eq!(
            written(Look::Text, hostile),
            "WARN said\\u{d}\\u{a}INFO forged \\u{1b}[2J\\u{9b}\n"
        );
        assert_eq!(
            written(Look::Json, "{\"a\":\"\u{7f}\u{9b}\"}\n"),
            "{\"a\":\"\\u007f\\u009b\"}\n"
        );
    }
}
