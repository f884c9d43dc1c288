//! How many tokens a prompt may have, before any server has counted it. An estimate, and always
//! called one.

use crate::core::prompt::Message;

/// Characters of a token, on average, in English text with some markup: what the tokenizers of
/// common small models come to.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens that a chat template puts around each message: the turn's marks and the role.
const TOKENS_PER_MESSAGE: usize = 4;

/// How the estimate is made, for whoever reads it.
pub(super) const METHOD: &str = "characters / 4, and 4 for each message";

/// The window assumed while nobody says how large it is, in tokens: what LM Studio loads a model
/// with unless it is told otherwise.
pub(super) const WINDOW_ASSUMED: u32 = 4096;

/// Characters of all messages.
pub(super) fn characters(messages: &[Message]) -> usize {
    let each = messages
        .iter()
        .map(|message| message.content.chars().count());
    each.sum()
}

/// An estimate of a prompt's tokens.
pub(super) fn estimate(messages: &[Message]) -> usize {
    characters(messages).div_ceil(CHARACTERS_PER_TOKEN) + messages.len() * TOKENS_PER_MESSAGE
}
