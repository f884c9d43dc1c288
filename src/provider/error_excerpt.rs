//! A server's error message, made safe to show: bounded, on one line, and withheld when it repeats
//! a key or the prompt. A server may echo whatever it was sent, headers included.

use super::types::PromptMessage;
use crate::config::Secret;
use crate::limits::{QUOTATION_BYTES_MIN, SERVER_MESSAGE_CHARS_MAX};
use std::collections::HashSet;

/// Returns the words as they may be shown; `None` if they are empty or quote what we sent.
pub(super) fn shown(words: &str, keys: &[Secret], prompt: &[PromptMessage]) -> Option<String> {
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
