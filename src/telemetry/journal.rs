//! Sends log events to the journal of systemd, each with its fields by name: `journalctl
//! RUN_ID=...` finds the events of a run. Loses an event where no journal listens.

use super::messages::id_of;
use super::plain::weight;
use std::fmt::{Debug, Write as _};
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

pub(super) const JOURNAL: &str = "/run/systemd/journal/socket";

/// The most bytes of one value.
/// An event with all its fields then fits one datagram.
const VALUE_BYTES_MAX: usize = 16 * 1024;

/// A log layer that sends events to the journal.
#[derive(Debug)]
pub(super) struct Journal {
    socket: UnixDatagram,
    /// The path of the socket, used for each event so that a restarted journal is found.
    path: PathBuf,
}

impl Journal {
    /// Creates a layer for the socket at `path`.
    ///
    /// # Errors
    /// An error of the system, also where nothing listens there.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let socket = UnixDatagram::unbound()?;
        // Fails at once where nothing listens.
        UnixDatagram::unbound()?.connect(path)?;
        Ok(Self {
            socket,
            path: path.to_owned(),
        })
    }
}

impl<S: Subscriber> Layer<S> for Journal {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut entry = JournaldEntry::default();
        entry.add("SYSLOG_IDENTIFIER", env!("CARGO_PKG_NAME"));
        let weight = weight(*event.metadata().level());
        entry.add("PRIORITY", &weight.to_string());
        if let Some(id) = id_of(event.metadata().name()) {
            entry.add("MESSAGE_ID", id);
        }
        event.record(&mut entry);
        // A missing journal must not end the program, and there is no other place to report it.
        drop(self.socket.send_to(&entry.0, &self.path));
    }
}

/// An event in the journal's wire format.
#[derive(Debug, Default)]
struct JournaldEntry(Vec<u8>);

impl JournaldEntry {
    /// Adds `NAME=value` as a line, or the length and the value where it has line breaks.
    fn add(&mut self, name: &str, value: &str) {
        let value = &value[..value.floor_char_boundary(VALUE_BYTES_MAX)];
        let out = &mut self.0;
        out.extend(name.as_bytes());
        if value.contains('\n') {
            out.push(b'\n');
            let length = u64::try_from(value.len()).unwrap_or_default();
            out.extend(length.to_le_bytes());
        } else {
            out.push(b'=');
        }
        out.extend(value.as_bytes());
        out.push(b'\n');
    }
}

impl Visit for JournaldEntry {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(&field.name().to_ascii_uppercase(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        // Writing into a text cannot fail.
        write!(text, "{value:?}").unwrap_or_default();
        self.record_str(field, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::STOPPED;
    use super::Journal;
    use std::os::unix::net::UnixDatagram;
    use tracing::subscriber::with_default;
    use tracing_subscriber::layer::SubscriberExt as _;

    #[test]
    fn the_journal_is_told_of_an_event_with_its_fields_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        assert!(Journal::at(&path).is_err(), "nobody listens");
        let journal = UnixDatagram::bind(&path).unwrap();
        let hear = |journal: &UnixDatagram| {
            let mut bytes = vec![0; 65_536];
            let length = journal.recv(&mut bytes).unwrap();
            bytes.truncate(length);
            bytes
        };
        let subscriber = tracing_subscriber::registry().with(Journal::at(&path).unwrap());
        with_default(subscriber, || {
            let absent: Option<&str> = None;
            tracing::warn!(run_id = %"r-1", iteration = 7, code = "NO_PROGRESS", absent, "run ended");
            let written = String::from_utf8(hear(&journal)).unwrap();
            let mut lines: Vec<&str> = written.lines().collect();
            lines.sort_unstable();
            let expected = [
                "CODE=NO_PROGRESS",
                "ITERATION=7",
                "MESSAGE=run ended",
                "PRIORITY=4",
                "RUN_ID=r-1",
                "SYSLOG_IDENTIFIER=kjxlkj-agent",
            ];
            assert_eq!(lines, expected);
            // Events are found by id, whatever their words are.
            tracing::info!(name: STOPPED, "over");
            let written = String::from_utf8(hear(&journal)).unwrap();
            let id = "\nMESSAGE_ID=665f0bbd2bf64d5598ea0d993cc69f52\n";
            assert!(
                written.contains(id) && written.contains("\nMESSAGE=over\n"),
                "{written}"
            );
            // A server's words can forge no field, and are cut to fit the socket.
            tracing::info!("two\nPRIORITY=0");
            let written = hear(&journal);
            let mut message = b"MESSAGE\n\x0e\0\0\0\0\0\0\0two\nPRIORITY=0\n".to_vec();
            assert!(written.ends_with(&message), "{written:?}");
            tracing::info!("{}", "x".repeat(1_000_000));
            message = hear(&journal);
            assert!(
                (16_384..20_000).contains(&message.len()),
                "{}",
                message.len()
            );
        });
        // A restarted journal gets events; a missing one does no harm.
        let subscriber = tracing_subscriber::registry().with(Journal::at(&path).unwrap());
        with_default(subscriber, || {
            drop(journal);
            tracing::error!("lost");
            rustix::fs::unlink(&path).unwrap();
            let journal = UnixDatagram::bind(&path).unwrap();
            tracing::error!("found");
            let written = String::from_utf8(hear(&journal)).unwrap();
            assert!(
                written.contains("MESSAGE=found\n") && written.contains("PRIORITY=3\n"),
                "{written}"
            );
        });
    }
}
