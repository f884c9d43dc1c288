//! The questions to a model: a plan for a request, and the few short ones that a step may need.
//! Standing words and worked examples come from the prompt file; the last message holds the
//! variable part.

use super::step_question::StepQuestion;
use crate::core::prompt::{ChatRole, Condition, PromptFile, PromptMessage, QuestionKind};
use crate::core::protocol::ConstraintKind;
use serde_json::json;

/// The minimum tokens for the reply to a plan: verbs, titles and a few words.
const PLAN_TOKENS_MIN: u32 = 160;

/// The maximum tokens of a plan.
/// A longer text stands in the request itself, and is taken from there.
const PLAN_TOKENS_MAX: u32 = 700;

/// The number of characters of a request that may be one token of the plan.
const PLAN_CHARS_PER_TOKEN: usize = 3;

/// The minimum length of a shortened request, in characters.
const REQUEST_CHARS_MIN: usize = 200;

/// The maximum tokens of a number, or of a number with words if no constraint applies.
const CHOICE_TOKENS_MAX: u32 = 8;

/// The maximum tokens of a few replacements.
const REPLACEMENT_TOKENS_MAX: u32 = 80;

/// The maximum tokens of an answer in one or two sentences, or of a list.
const ANSWER_TOKENS_MAX: u32 = 160;

/// The member of a reply in JSON that holds its lines.
const LINES: &str = "lines";

/// The subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The plan for a request.
    Plan {
        /// The request of the person.
        request: String,
        /// The titles of the notes that may be meant.
        titles: Vec<String>,
        /// The titles that the request names.
        /// If there are any, only these notes can be meant.
        named: Vec<String>,
        /// The verb with which the plan has to begin, if only one is left.
        verb: Option<String>,
    },
    /// A question of a step.
    Step(StepQuestion),
}

/// An insufficient reply and its fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The reply of the model.
    pub reply: String,
    /// The fault, in one sentence.
    pub message: String,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The subject.
    pub subject: Subject,
    /// The previous reply, if it was insufficient.
    pub fault: Option<Fault>,
}

impl Question {
    /// Returns the kind of the question, which selects segments of the prompt file.
    pub const fn kind(&self) -> QuestionKind {
        match &self.subject {
            Subject::Plan { .. } => QuestionKind::Plan,
            Subject::Step(StepQuestion::Choose { .. }) => QuestionKind::Choose,
            Subject::Step(StepQuestion::Replace { .. }) => QuestionKind::Replace,
            Subject::Step(StepQuestion::Answer { .. }) => QuestionKind::Answer,
            Subject::Step(StepQuestion::Confirm { .. }) => QuestionKind::Confirm,
        }
    }

    /// Returns the maximum number of tokens of a reply.
    pub fn reply_tokens_max(&self) -> u32 {
        match &self.subject {
            Subject::Plan { request, .. } => {
                let tokens = request.chars().count() / PLAN_CHARS_PER_TOKEN;
                let tokens = u32::try_from(tokens).unwrap_or(PLAN_TOKENS_MAX);
                tokens.saturating_add(PLAN_TOKENS_MIN).min(PLAN_TOKENS_MAX)
            }
            Subject::Step(StepQuestion::Choose { .. } | StepQuestion::Confirm { .. }) => {
                CHOICE_TOKENS_MAX
            }
            Subject::Step(StepQuestion::Replace { .. }) => REPLACEMENT_TOKENS_MAX,
            Subject::Step(StepQuestion::Answer { .. }) => ANSWER_TOKENS_MAX,
        }
    }

    /// Returns the question with `chars` characters fewer in the middle of its request.
    /// Questions without a plan stay as they are.
    #[must_use]
    pub fn shortened_by(&self, chars: usize) -> Self {
        let mut shorter = self.clone();
        if let Subject::Plan { request, .. } = &mut shorter.subject {
            let count = request.chars().count();
            let kept = count.saturating_sub(chars).max(REQUEST_CHARS_MIN);
            if kept < count {
                let head: String = request.chars().take(kept * 2 / 3).collect();
                let tail: String = request.chars().skip(count - kept / 3).collect();
                *request = format!("{head} \u{2026} {tail}");
            }
        }
        shorter
    }

    /// Returns the messages of the question.
    /// They are the words of the prompt file, its examples from index `first_example` on, the
    /// similar examples, and the subject. If the reply is constrained to a JSON schema, the replies
    /// of the examples have that form too.
    pub fn messages(
        &self,
        file: &PromptFile,
        first_example: usize,
        constraint_kind: Option<ConstraintKind>,
    ) -> Vec<PromptMessage> {
        let condition = Condition::Question(self.kind());
        let is_json = constraint_kind == Some(ConstraintKind::JsonSchema);
        let reply = |text: &str| {
            if is_json {
                in_json(text)
            } else {
                text.to_owned()
            }
        };
        let words: Vec<&str> = file
            .segments
            .iter()
            .filter(|segment| segment.condition == condition)
            .map(|segment| segment.prompt.as_str())
            .collect();
        let mut messages = vec![message(ChatRole::System, words.join("\n"))];
        let examples = file.examples.iter();
        let examples = examples.filter(|example| example.condition == condition);
        for example in examples.skip(first_example) {
            messages.push(message(ChatRole::User, example.input.clone()));
            messages.push(message(ChatRole::Assistant, reply(&example.output)));
        }
        let asked = self.subject.text();
        for example in file.similar.nearest(self.kind(), &asked) {
            messages.push(message(ChatRole::User, example.input.clone()));
            messages.push(message(ChatRole::Assistant, reply(&example.output)));
        }
        let asked = match &self.subject {
            // Elsewhere the constraint of the reply says it.
            Subject::Plan {
                verb: Some(verb), ..
            } if constraint_kind.is_none() => format!("{asked}\nBegin with: {verb}"),
            Subject::Plan { .. } | Subject::Step(_) => asked,
        };
        messages.push(message(ChatRole::User, asked));
        if let Some(fault) = &self.fault {
            messages.push(message(ChatRole::Assistant, reply(&fault.reply)));
            messages.push(message(ChatRole::User, fault.message.clone()));
        }
        messages
    }

    /// Returns the number of examples that the prompt file has for the question.
    pub fn examples_count(&self, file: &PromptFile) -> usize {
        let condition = Condition::Question(self.kind());
        let examples = file.examples.iter();
        examples
            .filter(|example| example.condition == condition)
            .count()
    }
}

impl Subject {
    /// Returns the text of the subject, in the form of the prompt file's examples.
    pub fn text(&self) -> String {
        match self {
            Self::Plan {
                request, titles, ..
            } => {
                let titles = if titles.is_empty() {
                    "none".to_owned()
                } else {
                    titles.join("; ")
                };
                format!("Notes: {titles}\nRequest: {request}")
            }
            Self::Step(StepQuestion::Choose { request, options }) => {
                let options = options.iter().zip(1..);
                let options: Vec<String> = options
                    .map(|(option, number)| format!("{number}. {option}"))
                    .collect();
                format!("Request: {request}\n{}", options.join("\n"))
            }
            Self::Step(StepQuestion::Replace { line, change, .. }) => {
                format!("Line: {line}\nChange: {change}")
            }
            Self::Step(
                StepQuestion::Answer { question, lines }
                | StepQuestion::Confirm { question, lines },
            ) => {
                format!("{}\nQuestion: {question}", lines.join("\n"))
            }
        }
    }
}

/// Returns the lines of a reply in any form, without the model's reasoning.
pub fn lines_of_reply(reply: &str) -> String {
    let said = reply
        .rsplit_once("</think>")
        .map_or(reply, |(_, said)| said)
        .trim();
    let said = said
        .strip_prefix("```")
        .and_then(|it| it.split_once('\n'))
        .map_or(said, |(_, body)| body.trim_end().trim_end_matches('`'));
    let lines = serde_json::from_str::<serde_json::Value>(said).ok();
    let lines = lines
        .as_ref()
        .and_then(|value| value.get(LINES)?.as_array());
    match lines {
        Some(lines) => {
            let lines: Vec<&str> = lines.iter().filter_map(|line| line.as_str()).collect();
            lines.join("\n")
        }
        None => said.trim().to_owned(),
    }
}

fn in_json(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    json!({ LINES: lines }).to_string()
}

const fn message(role: ChatRole, content: String) -> PromptMessage {
    PromptMessage { role, content }
}
