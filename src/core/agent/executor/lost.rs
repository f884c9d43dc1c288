//! The guard against loss: a model that writes a whole text again leaves out what nobody spoke of.

use super::Executor;
use crate::core::agent::LoopState;
use crate::core::guard::Refusal;
use crate::core::notes::{Note, Terms};
use crate::core::steps::spans::numbers_of;
use crate::failure::Code;

/// Terms of a text from which on most of them can be lost.
const TERMS_MIN: usize = 8;

/// Numbers that may be lost beside those that are new.
const NUMBERS_LOST_MAX: usize = 1;

/// What a model is told.
const LOST: &str = "most of the old text would be lost; write it again with the change in it";

/// Refuses a new text of a note that leaves out most of the old one, or its numbers, where the request
/// names nothing of what is lost. What the program composes itself loses nothing, and two notes that are
/// made one may.
pub(super) fn check_loss(executor: &Executor<'_>, base: &Note, text: &str) -> Result<(), Refusal> {
    if executor.context.is_stepwise || executor.context.ran_in == LoopState::RecordOrganizing {
        return Ok(());
    }
    let request = executor.context.run.request.as_deref().unwrap_or_default();
    let kept = [text, "\n", request].concat();
    // A link is no text: it follows from what the text says now.
    let base = without_links(&base.value);
    let before = Terms::of(&base);
    let count = before.len();
    let lost = before.without(&Terms::of(&kept)).len();
    let is_thin = count >= TERMS_MIN && lost * 2 > count;
    let (known, new) = (numbers_of(&kept), numbers_of(text));
    let old = numbers_of(&base);
    let gone = old.iter().filter(|it| !known.contains(it)).count();
    let come = new.iter().filter(|it| !old.contains(it)).count();
    if is_thin || gone > NUMBERS_LOST_MAX && gone > come {
        return Err(Refusal::new(Code::TextLost, LOST));
    }
    Ok(())
}

/// Returns a text without `[[...]]`.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[[") {
        kept.push_str(before);
        let Some((_, after)) = behind.split_once("]]") else {
            rest = behind;
            continue;
        };
        rest = after;
    }
    kept.push_str(rest);
    kept
}
