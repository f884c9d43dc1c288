//! Collects what is to be said about a reply. Decides, in one place, what strict mode refuses and
//! what the default mode repairs; it never looks at the text.

use super::instruction::{Diagnostic, Sample, Severity};
use super::place::Places;
use crate::failure::Code;
use crate::limits::DIAGNOSTICS_MAX;

/// Why a whole reply is refused. Boxed, since it is carried by results that are nearly always fine.
#[derive(Debug)]
pub(super) struct Refusal(Box<Reason>);

#[derive(Debug)]
struct Reason {
    code: Code,
    offset: usize,
    message: String,
    example: Option<Sample>,
}

impl Refusal {
    /// The reply cannot be read.
    pub(super) fn unreadable(offset: usize, message: impl Into<String>) -> Self {
        Self::new(Code::XmlParseError, offset, message.into())
    }

    /// The same with an instruction that would be right.
    pub(super) fn with(mut self, example: Option<Sample>) -> Self {
        self.0.example = example;
        self
    }

    /// The reply grew past a bound.
    pub(super) fn runaway(offset: usize, message: impl Into<String>) -> Self {
        Self::new(Code::LlmReplyRunaway, offset, message.into())
    }

    fn new(code: Code, offset: usize, message: String) -> Self {
        Self(Box::new(Reason {
            code,
            offset,
            message,
            example: None,
        }))
    }
}

/// A diagnostic whose place is still a byte offset.
#[derive(Debug)]
struct Entry {
    offset: usize,
    code: Code,
    severity: Severity,
    message: String,
    repaired: bool,
    dropped: Option<String>,
    example: Option<Sample>,
}

/// The diagnostics of one reply.
#[derive(Debug)]
pub(super) struct Report {
    strict: bool,
    entries: Vec<Entry>,
}

impl Report {
    pub(super) const fn new(strict: bool) -> Self {
        Self {
            strict,
            entries: Vec::new(),
        }
    }

    /// Whether strict mode is on.
    pub(super) const fn is_strict(&self) -> bool {
        self.strict
    }

    /// Something was repaired. Beyond the bound repairs are not recorded any more: what they
    /// repaired stands in the instructions anyway.
    ///
    /// # Errors
    /// In strict mode, nothing is repaired.
    pub(super) fn repair(
        &mut self,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<(), Refusal> {
        self.mend(Severity::Warning, offset, message.into())
    }

    /// Something without any effect was stepped over.
    ///
    /// # Errors
    /// In strict mode, nothing is stepped over.
    pub(super) fn skip(
        &mut self,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<(), Refusal> {
        self.mend(Severity::Info, offset, message.into())
    }

    fn mend(&mut self, severity: Severity, offset: usize, message: String) -> Result<(), Refusal> {
        if self.strict {
            return Err(Refusal::unreadable(offset, message));
        }
        if self.entries.len() < DIAGNOSTICS_MAX - 1 {
            self.entries.push(Entry {
                offset,
                code: Code::XmlParseError,
                severity,
                message,
                repaired: true,
                dropped: None,
                example: None,
            });
        }
        Ok(())
    }

    /// An element was dropped because it is wrong.
    ///
    /// # Errors
    /// In strict mode, or when too much was dropped already.
    pub(super) fn drop_invalid(
        &mut self,
        offset: usize,
        name: &str,
        message: String,
    ) -> Result<(), Refusal> {
        self.drop_wrong(offset, name, message, None)
    }

    /// The same with an instruction that would be right.
    ///
    /// # Errors
    /// As [`Report::drop_invalid`].
    pub(super) fn drop_wrong(
        &mut self,
        offset: usize,
        name: &str,
        message: String,
        example: Option<Sample>,
    ) -> Result<(), Refusal> {
        if self.strict {
            return Err(Refusal::unreadable(offset, message).with(example));
        }
        let (code, severity) = (Code::InstructionInvalid, Severity::Warning);
        self.dropped(offset, code, severity, name, message)?;
        if let Some(entry) = self.entries.last_mut() {
            entry.example = example;
        }
        Ok(())
    }

    /// An instruction was dropped because it says again what an earlier one says.
    ///
    /// # Errors
    /// When too much was dropped already.
    pub(super) fn drop_repeated(&mut self, offset: usize, name: &str) -> Result<(), Refusal> {
        let message = format!("This <{name}> repeats an earlier one and was ignored.");
        self.dropped(
            offset,
            Code::InstructionInvalid,
            Severity::Info,
            name,
            message,
        )
    }

    /// An instruction was dropped because the reply was cut off inside it.
    ///
    /// # Errors
    /// In strict mode, or when too much was dropped already.
    pub(super) fn drop_truncated(&mut self, offset: usize, name: &str) -> Result<(), Refusal> {
        let message = format!(
            "The reply was cut off inside <{name}>, which was ignored. Write less, or raise max_tokens."
        );
        if self.strict {
            return Err(Refusal::unreadable(offset, message));
        }
        self.dropped(
            offset,
            Code::LlmReplyTruncated,
            Severity::Warning,
            name,
            message,
        )
    }

    /// What is dropped is always on record, if need be in the place of a repair.
    fn dropped(
        &mut self,
        offset: usize,
        code: Code,
        severity: Severity,
        name: &str,
        message: String,
    ) -> Result<(), Refusal> {
        if self.entries.len() >= DIAGNOSTICS_MAX - 1 {
            let Some(repair) = self.entries.iter().rposition(|entry| entry.repaired) else {
                let message = "Too many instructions of the reply are wrong or repeated.";
                return Err(Refusal::runaway(offset, message));
            };
            self.entries.remove(repair);
        }
        self.entries.push(Entry {
            offset,
            code,
            severity,
            message,
            repaired: false,
            dropped: Some(name.to_owned()),
            example: None,
        });
        Ok(())
    }

    /// Forgets what was said about the places before `offset`.
    pub(super) fn forget_before(&mut self, offset: usize) {
        self.entries.retain(|entry| entry.offset >= offset);
    }

    /// The diagnostics in the order of the text.
    pub(super) fn finish(mut self, text: &str, refusal: Option<Refusal>) -> Vec<Diagnostic> {
        if let Some(Refusal(refusal)) = refusal {
            self.entries.push(Entry {
                offset: refusal.offset,
                code: refusal.code,
                severity: Severity::Error,
                message: refusal.message,
                repaired: false,
                dropped: None,
                example: refusal.example,
            });
        }
        self.entries.sort_by_key(|entry| entry.offset);
        let mut places = Places::new(text);
        let located = self.entries.into_iter().map(|entry| {
            let (line, column) = places.at(entry.offset);
            Diagnostic {
                code: entry.code,
                severity: entry.severity,
                line,
                column,
                message: entry.message,
                repaired: entry.repaired,
                dropped: entry.dropped,
                example: entry.example,
            }
        });
        located.collect()
    }
}
