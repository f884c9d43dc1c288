//! A reply that is the question given back. The prompt shows instructions, worked ones among them, and a
//! server that echoes it would have them carried out. Judges only the words around: one instruction that
//! reads like one of the prompt's may well be meant.

use crate::core::prompt::{ChatRole, Message};

/// Bytes from which a line is the prompt's own: shorter ones a model may write by itself.
const LINE_BYTES_MIN: usize = 24;

/// Such lines that make an echo. A small model may begin with one.
const LINES_MIN: usize = 2;

/// Whether a reply holds the standing instructions of its question, or one of the worked questions. Of
/// the last message nothing counts: what stands there may be copied into a note.
pub(super) fn is_echo(reply: &str, messages: &[Message]) -> bool {
    // What a model thinks may quote whatever it was told.
    let said = reply.rsplit("</think>").next().unwrap_or(reply);
    let Some((_, standing)) = messages.split_last() else {
        return false;
    };
    standing.iter().any(|message| match message.role {
        ChatRole::System => holds_lines(said, &message.content),
        ChatRole::User => holds_all(said, message.content.trim()),
        ChatRole::Assistant => false,
    })
}

fn holds_lines(said: &str, text: &str) -> bool {
    let is_telling = |line: &&str| line.len() >= LINE_BYTES_MIN && !line.starts_with(['<', '{']);
    let telling = || text.lines().map(str::trim).filter(is_telling);
    let held = telling().filter(|line| said.contains(line)).take(LINES_MIN);
    let held = held.count();
    held > 0 && held >= telling().take(LINES_MIN).count()
}

fn holds_all(said: &str, text: &str) -> bool {
    text.contains('\n') && said.contains(text)
}

#[cfg(test)]
mod tests {
    use super::is_echo;
    use crate::core::prompt::{ChatRole, Message};

    fn message(role: ChatRole, content: &str) -> Message {
        let content = content.to_owned();
        Message { role, content }
    }

    #[test]
    fn an_echo_is_known_by_what_the_prompt_alone_says() {
        let system = "You keep notes for a person, and nothing else.\nAnswer in XML.\n\
                      <ram_delete><key>plan,steps</key></ram_delete>\n\
                      Give each note a short title of its own.";
        let asked = [
            message(ChatRole::System, system),
            message(ChatRole::User, "Do this step.\n<state>executing</state>"),
            message(ChatRole::Assistant, "<record_add>..</record_add>"),
            message(
                ChatRole::User,
                "Do this step.\n<request>two\nlines</request>",
            ),
        ];
        let copied = "<ram_delete><key>plan,steps</key></ram_delete>";
        for (reply, expected) in [
            (system.to_owned(), true),
            (format!("system: {}", system.replace('\n', "\\n")), true),
            (format!("{}\n{copied}", asked[1].content), true),
            (copied.to_owned(), false),
            (format!("Answer in XML.\n{copied}"), false),
            (
                format!("You keep notes for a person, and nothing else.\n{copied}"),
                false,
            ),
            (format!("<think>{system}</think>{copied}"), false),
            (format!("{system}</think>{copied}"), false),
            (format!("{}\n{copied}", asked[3].content), false),
            (asked[2].content.clone(), false),
        ] {
            assert_eq!(is_echo(&reply, &asked), expected, "{reply}");
        }
        assert!(!is_echo(copied, &[]));
        let terse = [
            message(ChatRole::System, "Answer in XML."),
            asked[3].clone(),
        ];
        assert!(!is_echo("Answer in XML.", &terse), "too short to tell");
        let only = [
            message(ChatRole::System, "You keep notes for a person."),
            asked[3].clone(),
        ];
        assert!(is_echo("You keep notes for a person.", &only));
    }
}
