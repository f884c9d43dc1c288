//! Logging: which lines are written and in which format. The level may change while the program
//! runs; the format may not. Never logs the text of a prompt, a reply or a note: callers pass
//! codes, counts and ids.

mod journal;
pub mod messages;
mod plain;

use crate::config::LogFormat;
use journal::{JOURNAL, Journal};
use plain::PlainLines;
use std::path::Path;
use std::sync::OnceLock;
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::Registry;
use tracing_subscriber::reload;

const LEVELS: [Level; 5] = [
    Level::ERROR,
    Level::WARN,
    Level::INFO,
    Level::DEBUG,
    Level::TRACE,
];

/// The target of this program's own events: the name of the library.
const OWN_EVENTS: &str = "kjxlkj_agent";

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    Text,
    Json,
}

impl LineFormat {
    /// Returns the format for a configured value.
    /// `auto` is text on a terminal, JSON elsewhere.
    pub const fn of(format: LogFormat, stderr_is_terminal: bool) -> Self {
        match format {
            LogFormat::Auto if stderr_is_terminal => Self::Text,
            LogFormat::Text => Self::Text,
            LogFormat::Auto | LogFormat::Json => Self::Json,
        }
    }
}

/// Returns the level `louder` steps above `level`, or below it where negative; stops at both ends.
pub fn shifted(level: Level, louder: i16) -> Level {
    let at = LEVELS.iter().position(|one| *one == level).unwrap_or(2);
    let steps = usize::from(louder.unsigned_abs());
    let at = if louder < 0 {
        at.saturating_sub(steps)
    } else {
        at.saturating_add(steps).min(LEVELS.len() - 1)
    };
    LEVELS.get(at).copied().unwrap_or(level)
}

/// The handle of the filter that decides which events are written, once logging has started.
static SHOWN: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Returns the filter of a level: this program's events from it on, of libraries only warnings.
fn shown(level: Level) -> Targets {
    Targets::new()
        .with_target(OWN_EVENTS, LevelFilter::from_level(level))
        .with_default(LevelFilter::WARN.min(LevelFilter::from_level(level)))
}

/// The place where events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSink {
    Stderr,
    /// Standard error that the journal of systemd reads, with the syslog priority before each line.
    Weighed,
    /// The journal of systemd itself, with fields by name; like `Weighed` where it does not listen.
    Journal,
}

/// Starts logging.
/// Returns whether it started: a second call changes nothing.
pub fn init(level: Level, look: LineFormat, place: LogSink) -> bool {
    let (shown, handle) = reload::Layer::new(shown(level));
    let journal = (place == LogSink::Journal).then(|| Journal::at(Path::new(JOURNAL)));
    let layer: Box<dyn Layer<Registry> + Send + Sync> = if let Some(Ok(journal)) = journal {
        journal.boxed()
    } else {
        let weighs = place != LogSink::Stderr;
        // A closed standard error must not end the program, so a failed write is not reported: the
        // only place for the report would be the same standard error.
        let lines = tracing_subscriber::fmt::layer()
            .with_writer(PlainLines { look, weighs })
            .with_ansi(false)
            .log_internal_errors(false);
        match look {
            LineFormat::Text => lines.with_target(false).boxed(),
            LineFormat::Json => lines.json().flatten_event(true).boxed(),
        }
    };
    let subscriber = tracing_subscriber::registry().with(layer.with_filter(shown));
    tracing::subscriber::set_global_default(subscriber).is_ok() && SHOWN.set(handle).is_ok()
}

/// Changes the level.
/// Returns whether it changed: only once logging has started.
pub fn set_level(level: Level) -> bool {
    let handle = SHOWN.get();
    handle.is_some_and(|handle| handle.reload(shown(level)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{LineFormat, LogSink, init, set_level, shifted};
    use crate::config::LogFormat;
    use tracing::Level;

    #[test]
    fn levels_move_and_stop_at_both_ends() {
        for (level, louder, expected) in [
            (Level::INFO, 0, Level::INFO),
            (Level::INFO, 1, Level::DEBUG),
            (Level::INFO, 9, Level::TRACE),
            (Level::INFO, -1, Level::WARN),
            (Level::INFO, -9, Level::ERROR),
            (Level::WARN, i16::MAX, Level::TRACE),
            (Level::WARN, i16::MIN, Level::ERROR),
        ] {
            assert_eq!(shifted(level, louder), expected, "{level} {louder}");
        }
    }

    #[test]
    fn the_automatic_format_follows_the_terminal() {
        for (format, terminal, expected) in [
            (LogFormat::Auto, true, LineFormat::Text),
            (LogFormat::Auto, false, LineFormat::Json),
            (LogFormat::Text, false, LineFormat::Text),
            (LogFormat::Json, true, LineFormat::Json),
        ] {
            assert_eq!(LineFormat::of(format, terminal), expected);
        }
    }

    #[test]
    fn a_second_start_of_logging_is_harmless() {
        init(Level::ERROR, LineFormat::Text, LogSink::Stderr);
        assert!(!init(Level::TRACE, LineFormat::Json, LogSink::Stderr));
        assert!(set_level(Level::ERROR));
    }
}
