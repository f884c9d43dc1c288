//! `explain`: prints the page of an error code.

use super::context::Context;
use super::output::VerbOutput;
use super::table::Kind::{Fixed, Text};
use super::table::Table;
use super::text::{one_line, pairs};
use crate::failure::{Code, Failure};
use crate::service::List;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct CodeExplanation {
    code: Code,
    what: &'static str,
    why: &'static str,
    hint: &'static str,
    retryable: bool,
    exit: u8,
}

impl CodeExplanation {
    fn of(code: Code) -> Self {
        let page = code.page();
        Self {
            code,
            what: page.what,
            why: page.why,
            hint: page.hint,
            retryable: code.retryable(),
            exit: code.exit().number(),
        }
    }
}

/// Explains one code, or lists all.
pub(super) fn run(context: &Context, code: Option<&str>) -> Result<VerbOutput, Failure> {
    let Some(text) = code else {
        let list = List::complete(Code::ALL.iter().copied().map(CodeExplanation::of).collect());
        return context.list(&list, || {
            let row = |page: &CodeExplanation| [page.code.to_string(), page.what.to_owned()];
            let columns = [("CODE", Fixed), ("WHAT", Text)];
            Table::new(columns, list.items.iter().map(row))
        });
    };
    let code = Code::parse(text).ok_or_else(|| {
        let message = format!("`{}` is no error code", one_line(text, 80));
        Failure::new(Code::Usage, message).hint("`explain` without a code lists all of them.")
    })?;
    let page = CodeExplanation::of(code);
    context.answer(&page, || {
        pairs(&[
            ("code", page.code.to_string()),
            ("what", page.what.to_owned()),
            ("why", page.why.to_owned()),
            ("try", page.hint.to_owned()),
            ("exit", page.exit.to_string()),
            (
                "again",
                if page.retryable {
                    "the same may work later without any change"
                } else {
                    "the same fails again until something changes"
                }
                .to_owned(),
            ),
        ])
    })
}
