//! Detects a reply that repeats its question.
//! The prompt shows worked instructions, which would take effect if a server echoed them. Only the
//! text around them counts: a single instruction that equals one of the prompt may be meant.

use crate::core::prompt::{ChatRole, PromptMessage};

/// The minimum length of a line that identifies the prompt, in bytes.
/// A model may write shorter lines by itself.
const LINE_BYTES_MIN: usize = 24;

/// The number of such lines that make an echo.
/// A small model may begin with one.
const LINES_MIN: usize = 2;

/// Returns whether a reply contains the system message or a worked question of its prompt.
/// The last message does not count: its text may be copied into a note.
pub(super) fn is_echo(reply: &str, messages: &[PromptMessage]) -> bool {
    // The reasoning of the model may quote the prompt.
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
    use crate::core::prompt::{ChatRole, PromptMessage};

    fn message(role: ChatRole, content: &str) -> PromptMessage {
        let content = content.to_owned();
        PromptMessage { role, content }
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
