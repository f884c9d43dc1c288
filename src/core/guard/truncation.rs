//! Checks that a text is not replaced by a truncated copy of it. A prompt shows long texts cut, with a mark
//! that says how much is missing; a small model that writes such a text anew copies the mark as well.

use super::Refusal;
use crate::core::prompt::marks;
use crate::failure::Code;
use std::collections::BTreeSet;

/// Checks a text that the model writes in place of `present`, as a prompt shows it; that is asked
/// for only where the text holds a mark.
///
/// # Errors
/// `TEXT_CUT` where it holds the mark of a cut that `present` is long enough for and does not hold
/// itself.
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
