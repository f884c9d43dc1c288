//! The prompt file that the program ships. A root that has it unchanged needs no check of it, and
//! its many similar examples are read only for a question to a model.

use super::init::SHIPPED_PROMPT;
use super::problem::Findings;
use super::prompt_file;
use crate::core::prompt::{Example, PromptFile, SimilarExamples};
use crate::failure::Code;
use std::sync::{Arc, OnceLock};

/// The similar examples of the shipped file, read once in a process.
static SIMILAR_EXAMPLES: OnceLock<Arc<SimilarExamples>> = OnceLock::new();

const EXAMPLE_LINE: &str = "{\"condition\": \"";

/// The end of the condition of a similar example.
const SIMILAR: &str = "_similar\"";

/// Returns the shipped prompt file; `None` if it is wrong, which a test rules out.
pub(super) fn shipped_prompt() -> Option<PromptFile> {
    let document = serde_json::from_str(&without_similar()).ok()?;
    let mut findings = Findings::new(Code::PromptSchemaInvalid);
    let prompt = prompt_file::check(&document, SHIPPED_PROMPT.as_bytes(), &mut findings)?;
    let similar = SIMILAR_EXAMPLES.get_or_init(|| Arc::new(SimilarExamples::read_later(examples)));
    Some(PromptFile {
        similar: Arc::clone(similar),
        ..prompt
    })
}

/// Returns all examples of the shipped file.
fn examples() -> Vec<Example> {
    // A test reads them, so nothing is lost here.
    let document = serde_json::from_str(SHIPPED_PROMPT).unwrap_or_default();
    prompt_file::examples_of(&document)
}

/// Returns the shipped file without the lines of its similar examples, which stand last in their list.
fn without_similar() -> String {
    let is_similar = |line: &str| {
        let label = line.trim_start().strip_prefix(EXAMPLE_LINE);
        let label = label.and_then(|rest| rest.split_once(','));
        label.is_some_and(|(label, _)| label.ends_with(SIMILAR))
    };
    let lines = SHIPPED_PROMPT.split_inclusive('\n');
    let before: String = lines.clone().take_while(|line| !is_similar(line)).collect();
    let after: String = lines
        .skip(before.lines().count())
        .skip_while(|line| is_similar(line))
        .collect();
    format!("{}\n{after}", before.trim_end().trim_end_matches(','))
}

#[cfg(test)]
mod tests {
    use super::super::init::SHIPPED_PROMPT;
    use super::super::problem::Findings;
    use super::super::prompt_file;
    use super::{shipped_prompt, without_similar};
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
        let waits = SHIPPED_PROMPT.len() - without_similar().len();
        assert!(waits * 2 > SHIPPED_PROMPT.len(), "most of it waits");
    }
}
