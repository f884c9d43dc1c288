//! The prompt file that the program ships. A root that has it unchanged needs no check of it, and
//! its many similar examples are read only for a question to a model.

use super::init::SHIPPED_PROMPT;
use super::problem::Findings;
use super::prompt_file;
use crate::core::prompt::{Condition, Example, PromptFile, SimilarExamples};
use crate::failure::Code;
use serde::Deserialize;
use std::sync::Arc;

/// The beginning of the line of an example, up to its condition.
const EXAMPLE_LINE: &str = "{\"condition\": \"";

/// The end of the condition of a similar example.
const SIMILAR: &str = "_similar\"";

/// An example as it stands in the file.
#[derive(Deserialize)]
struct ExampleLine {
    condition: String,
    input: String,
    output: String,
}

/// Returns the shipped prompt file; `None` if it is wrong, which a test rules out.
pub(super) fn shipped_prompt() -> Option<PromptFile> {
    let (before, _, after) = parts();
    let text = format!("{}\n{after}", before.trim_end().trim_end_matches(','));
    let document = serde_json::from_str(&text).ok()?;
    let mut findings = Findings::new(Code::PromptSchemaInvalid);
    let prompt = prompt_file::check(&document, SHIPPED_PROMPT.as_bytes(), &mut findings)?;
    Some(PromptFile {
        similar: Arc::new(SimilarExamples::read_later(similar)),
        ..prompt
    })
}

/// Returns the similar examples of the shipped file.
fn similar() -> Vec<Example> {
    let (_, lines, _) = parts();
    let text = format!("[{}]", lines.trim_end().trim_end_matches(','));
    // A test reads them all, so nothing is lost here.
    let lines: Vec<ExampleLine> = serde_json::from_str(&text).unwrap_or_default();
    let read = |line: ExampleLine| {
        Some(Example {
            condition: Condition::parse(&line.condition)?,
            input: line.input,
            output: line.output,
        })
    };
    lines.into_iter().filter_map(read).collect()
}

/// Returns the file before the lines of the similar examples, these lines, and the rest.
fn parts() -> (&'static str, &'static str, &'static str) {
    let is_similar = |line: &str| {
        let label = line.trim_start().strip_prefix(EXAMPLE_LINE);
        let label = label.and_then(|rest| rest.split_once(','));
        label.is_some_and(|(label, _)| label.ends_with(SIMILAR))
    };
    let lines = SHIPPED_PROMPT.split_inclusive('\n');
    let start: usize = lines
        .clone()
        .take_while(|line| !is_similar(line))
        .map(str::len)
        .sum();
    let own = lines.skip_while(|line| !is_similar(line));
    let length: usize = own.take_while(|line| is_similar(line)).map(str::len).sum();
    let (before, rest) = SHIPPED_PROMPT.split_at(start);
    let (own, after) = rest.split_at(length);
    (before, own, after)
}

#[cfg(test)]
mod tests {
    use super::super::init::SHIPPED_PROMPT;
    use super::super::problem::Findings;
    use super::super::prompt_file;
    use super::{parts, shipped_prompt};
    use crate::failure::Code;
    use crate::strict_json;

    #[test]
    fn the_shipped_file_read_in_parts_is_the_file() {
        let document = strict_json::parse(SHIPPED_PROMPT.as_bytes()).unwrap();
        let mut findings = Findings::new(Code::PromptSchemaInvalid);
        let whole = prompt_file::check(&document, SHIPPED_PROMPT.as_bytes(), &mut findings);
        let problems = findings.into_problems("file", SHIPPED_PROMPT.as_bytes());
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(shipped_prompt(), whole);
        let (_, similar, _) = parts();
        assert!(similar.len() * 2 > SHIPPED_PROMPT.len(), "most of it waits");
    }
}
