//! Refuses to replace a text by a truncated copy of itself.
//! A prompt shortens long texts, with a mark that says how much is missing. A small model that
//! writes such a text again copies the mark as well.

use super::Refusal;
use crate::core::prompt::marks;
use crate::failure::Code;
use std::collections::BTreeSet;

/// Refuses a text of the model that is a truncated copy of `present`.
/// `present` returns the text as a prompt shows it; it is called only if the new text holds a mark.
///
/// # Errors
/// `TEXT_CUT` if the text holds a mark that `present` does not hold itself, and that leaves out no
/// more characters than `present` has.
pub(in crate::core) fn check_not_truncated(
    text: &str,
    present: impl FnOnce() -> Option<String>,
) -> Result<(), Refusal> {
    let mut marks_in = marks(text).peekable();
    if marks_in.peek().is_none() {
        return Ok(());
    }
    let Some(present) = present() else {
        return Ok(());
    };
    let own: BTreeSet<&str> = marks(&present).map(|(mark, _)| mark).collect();
    let length = present.chars().count();
    let lost = marks_in.find(|(mark, left_out)| *left_out <= length && !own.contains(mark));
    let Some((_, left_out)) = lost else {
        return Ok(());
    };
    let message = format!(
        "this was shown cut, and {left_out} characters of it would be lost; read on as its mark \
         says, or write what is new in a place of its own"
    );
    Err(Refusal::new(Code::TextCut, message))
}
