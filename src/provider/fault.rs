//! A failed call before it is worded for people: the error, whose message is only a reason, and,
//! apart from it, the server's words, made safe to show: bounded, on one line, and withheld when
//! they repeat a key or the prompt. A server may echo whatever it was sent, headers included. The
//! untrusted words never leave this module; `ProviderError` does.

use super::types::{Contact, FinishReason, PromptMessage, ProviderError};
use crate::config::Secret;
use crate::failure::Code;
use crate::limits::{QUOTATION_BYTES_MIN, SERVER_MESSAGE_CHARS_MAX};
use std::collections::HashSet;
use std::time::UNIX_EPOCH;

/// Returns the words as they may be shown; `None` if they are empty or quote what we sent.
fn shown(words: &str, keys: &[Secret], prompt: &[PromptMessage]) -> Option<String> {
    let line = one_line(words);
    let sent = prompt.iter().map(|message| message.content.as_str());
    let quotation = keys
        .iter()
        .map(Secret::expose)
        .chain(sent)
        .any(|sent| quotes(&line, sent));
    (!line.is_empty() && !quotation).then_some(line)
}

/// Returns the words on one line of at most [`SERVER_MESSAGE_CHARS_MAX`] characters.
/// Each run of white space and control characters becomes one blank, so that a message can neither
/// forge log lines nor control a terminal.
pub(super) fn one_line(words: &str) -> String {
    let mut line = String::new();
    let pieces = words
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|piece| !piece.is_empty());
    for piece in pieces {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(piece);
        if line.len() > SERVER_MESSAGE_CHARS_MAX * 4 {
            break;
        }
    }
    match line.char_indices().nth(SERVER_MESSAGE_CHARS_MAX) {
        Some((cut, _)) => line[..cut].to_owned() + "...",
        None => line,
    }
}

/// Returns whether a text quotes what was sent.
/// A quote is a run of [`QUOTATION_BYTES_MIN`] bytes of it, or all of a shorter one. White space
/// does not count, as an echo may be wrapped in another way.
fn quotes(text: &str, sent: &str) -> bool {
    let (text, sent) = (compact(text), compact(sent));
    if sent.len() < QUOTATION_BYTES_MIN {
        return !sent.is_empty() && text.contains(&sent);
    }
    let runs: HashSet<&[u8]> = text.as_bytes().windows(QUOTATION_BYTES_MIN).collect();
    sent.as_bytes()
        .windows(QUOTATION_BYTES_MIN)
        .any(|run| runs.contains(run))
}

fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect()
}

/// The reason why a call failed.
#[derive(Debug)]
pub(super) struct Fault {
    /// The error; its message is the reason in our own words, in a form that follows `host: `.
    pub(super) error: ProviderError,
    /// The server's words about it: untrusted, shown only through [`shown`].
    pub(super) quote: Option<String>,
}

/// Refuses to speak TLS under a clock before 1970.
// No certificate is valid then, and the TLS library panics on such a time.
pub(super) fn check_clock() -> Result<(), Fault> {
    if UNIX_EPOCH.elapsed().is_ok() {
        return Ok(());
    }
    let reason = "no connection: the clock is before 1970, when no certificate is valid; set it";
    Err(Fault::passing(Code::LlmUnavailable, reason).at(Contact::None))
}

pub(super) fn not_text() -> Fault {
    Fault::lasting(Code::XmlParseError, "the answer is not UTF-8 text")
}

/// Creates the fault of a reply that ends too early.
pub(super) fn cut_short() -> Fault {
    Fault::passing(Code::ProviderBadResponse, "the answer was cut short")
}

impl Fault {
    /// Creates a fault that a repeat does not cure.
    pub(super) fn lasting(code: Code, reason: impl Into<String>) -> Self {
        Self {
            error: ProviderError {
                contact: Contact::Made,
                ..ProviderError::held(code, reason.into(), None)
            },
            quote: None,
        }
    }

    /// Creates a fault that a repeat may cure.
    pub(super) fn passing(code: Code, reason: impl Into<String>) -> Self {
        let mut fault = Self::lasting(code, reason);
        fault.error.retry = true;
        fault
    }

    pub(super) fn at(mut self, contact: Contact) -> Self {
        self.error.contact = contact;
        self
    }

    pub(super) fn ending_in(mut self, finish: FinishReason) -> Self {
        self.error.finish = finish;
        self
    }

    /// Words the fault: who failed, why, and the server's words.
    /// Words that quote a key or the prompt are left out.
    pub(super) fn into_error(
        self,
        who: &str,
        keys: &[Secret],
        messages: &[PromptMessage],
    ) -> ProviderError {
        let shown = self
            .quote
            .and_then(|words| shown(&words, keys, messages))
            .map_or_else(String::new, |words| format!(": {words}"));
        ProviderError {
            message: format!("{who}: {}{shown}", self.error.message),
            ..self.error
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{one_line, shown};
    use crate::config::Secret;
    use crate::provider::{ChatRole, PromptMessage};
    use std::slice;

    fn prompt(content: &str) -> Vec<PromptMessage> {
        vec![PromptMessage {
            role: ChatRole::User,
            content: content.to_owned(),
        }]
    }

    #[test]
    fn a_harmless_message_is_shown_on_one_bounded_line() {
        assert_eq!(
            shown("no such\n\u{1b}[31mmodel\t", &[], &prompt("hello")).as_deref(),
            Some("no such [31mmodel")
        );
        assert_eq!(shown(" \n", &[], &[]), None);
        assert_eq!(one_line(&"ä".repeat(2000)).chars().count(), 303);
        assert_eq!(one_line(&"ä ".repeat(2000)).chars().count(), 303);
    }

    #[test]
    fn key_and_prompt_are_withheld_even_in_part() {
        let key = Secret::new("sk-or-v1-0123456789abcdef".to_owned());
        for words in [
            "bad key sk-or-v1-0123456789abcdef",
            "bad key ...or-v1-0123456789ab...",
        ] {
            assert_eq!(shown(words, slice::from_ref(&key), &[]), None, "{words}");
        }
        let short = Secret::new("swordfish".to_owned());
        assert_eq!(shown("not swordfish", slice::from_ref(&short), &[]), None);
        assert_eq!(
            shown("not sword", slice::from_ref(&short), &[]).as_deref(),
            Some("not sword")
        );
        let diary = prompt("Dear diary,\nmy neighbour is a spy and keeps geese.");
        assert_eq!(shown("input: my neighbour is a spy", &[], &diary), None);
        assert_eq!(shown("x diary, my neighbour is", &[], &diary), None);
        assert!(shown("my geese", &[], &diary).is_some());
        let long = prompt(&("filler ".repeat(2000) + "and the secret recipe"));
        assert_eq!(shown("got `and the\n secret recipe`", &[], &long), None);
    }
}
