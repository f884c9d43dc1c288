//! Parses a command line: the grammar with its examples, the forms of single words, and a check
//! that a misspelt option is not taken for a text. Texts may begin with a hyphen, as a line of a
//! list does.

use super::Arguments;
use super::examples::with_examples;
use crate::core::agent::LoopState;
use crate::help;
use crate::time::Timestamp;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use std::ffi::{OsStr, OsString};

/// Returns the grammar, with examples in each help text, and the topics in that of the program.
pub(in crate::cli) fn grammar() -> Command {
    let command = with_examples(Arguments::command(), "");
    let examples = command.get_after_help().map(ToString::to_string);
    let (examples, topics) = (examples.unwrap_or_default(), help::topic_list());
    command.after_long_help(format!(
        "{examples}\n\nTopics, each printed by `help TOPIC`:\n{topics}"
    ))
}

/// Parses the words of a command line, the program's name first.
pub(in crate::cli) fn read<W: AsRef<OsStr>>(
    words: impl IntoIterator<Item = W>,
) -> Result<Arguments, clap::Error> {
    let words = words.into_iter().map(|word| word.as_ref().to_owned());
    let words: Vec<OsString> = words.collect();
    let mut grammar = grammar();
    let matches = grammar.try_get_matches_from_mut(&words)?;
    if let Some(word) = misspelt(&grammar, &matches, &words) {
        let message = format!(
            "unexpected argument '{word}' found\n\n  tip: to pass '{word}' as a value, use '-- {word}'\n"
        );
        return Err(grammar.error(ErrorKind::UnknownArgument, message));
    }
    Arguments::from_arg_matches(&matches)
}

/// Returns a word that was taken for a text but looks like an option.
fn misspelt(grammar: &Command, matches: &ArgMatches, words: &[OsString]) -> Option<String> {
    let (mut command, mut matches) = (grammar, matches);
    while let Some((name, part)) = matches.subcommand() {
        command = command.find_subcommand(name)?;
        matches = part;
    }
    let texts = command
        .get_arguments()
        .filter(|it| it.is_allow_hyphen_values_set());
    let values = texts.filter_map(|text| matches.get_raw(text.get_id().as_str()));
    let mut options = values.flatten().filter(|value| is_like_option(value));
    let before = words.iter().take_while(|word| *word != "--");
    let found = options.find(|value| before.clone().any(|word| word == value))?;
    Some(found.to_string_lossy().into_owned())
}

/// Returns whether a word looks like an option: `-x`, or `--` before words without blanks.
fn is_like_option(word: &OsStr) -> bool {
    let Some(word) = word.to_str() else {
        return false;
    };
    let is_letter = |c: char| c.is_ascii_alphabetic();
    if let Some(name) = word.strip_prefix("--") {
        return name.starts_with(is_letter) && !name.contains(char::is_whitespace);
    }
    let name = word.strip_prefix('-').unwrap_or_default();
    name.chars().count() == 1 && name.starts_with(is_letter)
}

/// The start of a time span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SpanStart {
    /// This moment.
    At(Timestamp),
    /// This many milliseconds before now.
    Ago(i64),
}

impl SpanStart {
    /// Returns the moment, relative to `now`.
    pub(in crate::cli) const fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(moment) => moment,
            Self::Ago(millis) => now.plus_millis(millis.saturating_neg()),
        }
    }
}

pub(super) fn loop_state(name: &str) -> Result<LoopState, String> {
    LoopState::parse(name).ok_or_else(|| {
        let known = LoopState::ALL.map(LoopState::name).join(", ");
        format!("known states: {known}")
    })
}

/// Parses a time, or how long ago it was.
pub(super) fn since(text: &str) -> Result<SpanStart, String> {
    let ago = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            _ => return None,
        };
        let number: u32 = number.parse().ok()?;
        Some(SpanStart::Ago(
            i64::from(number).saturating_mul(seconds * 1000),
        ))
    };
    let at = Timestamp::parse(text).map(SpanStart::At);
    at.or_else(ago)
        .ok_or_else(|| "neither RFC 3339 nor a number with s, m, h or d".to_owned())
}

pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "such as 2026-02-15T08:30:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{SpanStart, Timestamp, read, since};
    use crate::cli::arguments::{NotesVerb, Verb};

    fn added(words: &[&str]) -> Result<String, String> {
        let all = ["kjxlkj-agent", "notes", "add"].iter().chain(words);
        let read = read(all).map_err(|refused| refused.to_string())?;
        match read.verb {
            Some(Verb::Notes(NotesVerb::Add(fields))) => Ok(fields.value),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn texts_may_begin_with_a_hyphen_and_misspelt_options_are_refused() {
        for text in [
            "- milk",
            "-5 degrees",
            "--- rule",
            "-",
            "-- two",
            "--a b",
            "\u{2013} x",
        ] {
            assert_eq!(added(&[text]).as_deref(), Ok(text));
            assert_eq!(added(&["--format", "json", text]).as_deref(), Ok(text));
            assert_eq!(added(&[text, "--title", "- x"]).as_deref(), Ok(text));
        }
        for word in ["--titel", "--titel=x", "-t", "-n"] {
            let refused = added(&[word]).unwrap_err();
            assert!(refused.contains(word), "{refused}");
            assert_eq!(added(&["--", word]).as_deref(), Ok(word));
        }
        assert!(added(&["text", "--title", "--keywords", "a"]).is_err());
        assert_eq!(added(&["text", "--title=--x"]).as_deref(), Ok("text"));
    }

    #[test]
    fn times_are_moments_or_how_long_ago() {
        for (text, read) in [
            (
                "2026-01-31T08:00:00Z",
                Some(SpanStart::At(Timestamp::from_millis(1_769_846_400_000))),
            ),
            ("90s", Some(SpanStart::Ago(90_000))),
            ("2d", Some(SpanStart::Ago(172_800_000))),
            ("0m", Some(SpanStart::Ago(0))),
            ("", None),
            ("h", None),
            ("-1h", None),
            ("1\u{e4}", None),
            ("yesterday", None),
        ] {
            assert_eq!(since(text).ok(), read, "{text}");
        }
    }
}
