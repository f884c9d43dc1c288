//! The lexer with the bounds of a reply around it: every lexeme of a parse comes through here.
//! Refuses what no reply may hold anywhere; knows nothing about instructions.

use super::ParseOptions;
use super::characters::has_control;
use super::lexer::{Lexeme, Lexer, Place, Refused, Token, name_at};
use super::report::{Refusal, Report};
use crate::limits::{ELEMENT_NAME_BYTES_MAX, ELEMENTS_PER_REPLY_MAX};

/// What the readers of a reply share.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) options: ParseOptions,
    pub(super) report: Report,
    /// Some control character stands somewhere in the text.
    pub(super) has_control: bool,
    /// The reply began a code fence, so that one at its end belongs to it.
    pub(super) fenced: bool,
    /// The names of the dialects are known.
    pub(super) with_dialects: bool,
    lexer: Lexer<'a>,
    elements: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, options: ParseOptions) -> Self {
        let with_dialects = options.allowed_tags.has_dialect();
        Self {
            text,
            options,
            report: Report::new(options.strict),
            has_control: has_control(text),
            fenced: false,
            with_dialects,
            lexer: Lexer::new(text, with_dialects),
            elements: 0,
        }
    }

    /// Goes on at another byte, which must be the border of a character.
    pub(super) fn seek(&mut self, to: usize) {
        self.lexer.seek(to);
    }

    /// The byte at which the next lexeme begins.
    pub(super) fn position(&self) -> usize {
        self.lexer.position()
    }

    /// The next lexeme. Elements are counted here; foreign markup inside a value is no element.
    #[inline]
    pub(super) fn next(&mut self, place: Place) -> Lexeme {
        let start = self.lexer.position();
        let mut token = self.lexer.next(place);
        if let Token::Open(name) | Token::Empty(name) = token
            && (name.is_some() || place == Place::Outside)
        {
            self.elements += 1;
            if self.elements > ELEMENTS_PER_REPLY_MAX {
                token = Token::Refused(Refused::TooMany);
            }
        }
        let end = self.lexer.position();
        Lexeme { token, start, end }
    }

    /// Why `refused`, which begins at `at`, refuses the reply.
    #[cold]
    pub(super) fn refuse(&self, at: usize, refused: Refused) -> Refusal {
        let message = match refused {
            Refused::Attribute => {
                let name = name_at(self.text, at);
                format!("<{name}> has an attribute. Write the tag alone: <{name}>.")
            }
            Refused::Declaration => {
                "Declarations such as <!DOCTYPE> are not allowed. Write &lt; for < in text."
                    .to_owned()
            }
            Refused::ProcessingInstruction => {
                "<? is not allowed. Leave it out, or write &lt;? in text.".to_owned()
            }
            Refused::UnclosedComment => "A comment is not closed. Write no comments.".to_owned(),
            Refused::LongName => {
                format!("A tag name is longer than {ELEMENT_NAME_BYTES_MAX} bytes.")
            }
            Refused::TooMany => {
                let message = format!("The reply has more than {ELEMENTS_PER_REPLY_MAX} tags.");
                return Refusal::runaway(at, message);
            }
        };
        Refusal::unreadable(at, message)
    }
}
