//! The element `<actions>` around tool calls: found, closed, put right. Owns no call itself.

use super::super::lexer::{Lexeme, Token};
use super::super::report::Refusal;
use super::ReplyParser;

/// An `<actions>` while it is open.
pub(super) struct Actions {
    start: usize,
    /// The first instruction in it will be the one after so many.
    seen: usize,
}

impl ReplyParser<'_> {
    /// `<actions>` only holds its calls together: each stands or falls by itself.
    pub(super) fn open_actions(&mut self, lexeme: Lexeme) -> Result<(), Refusal> {
        self.last_closed = None;
        self.end_actions(lexeme.start)?;
        if matches!(lexeme.token, Token::Empty(_)) {
            let (name, message) = ("actions", "<actions> holds no <action>.".to_owned());
            return self.scan.report.drop_invalid(lexeme.start, name, message);
        }
        self.actions = Some(Actions {
            start: lexeme.start,
            seen: self.seen,
        });
        Ok(())
    }

    pub(super) fn close_actions(&mut self, lexeme: Lexeme) -> Result<(), Refusal> {
        self.last_closed = None;
        match self.actions.take() {
            Some(actions) if actions.seen == self.seen => {
                let message = "<actions> holds no <action> and was ignored.";
                self.scan.report.repair(actions.start, message)
            }
            Some(_) => Ok(()),
            None => {
                let message = "</actions> has no opening tag and was ignored.";
                self.scan.report.repair(lexeme.start, message)
            }
        }
    }

    /// Closes an `<actions>` that something else ends.
    pub(super) fn end_actions(&mut self, at: usize) -> Result<(), Refusal> {
        if self.actions.take().is_none() {
            return Ok(());
        }
        let message = "</actions> is missing and was added.";
        self.scan.report.repair(at, message)
    }
}
