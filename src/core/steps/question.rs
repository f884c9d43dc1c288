//! What a model is asked: a plan for a request, and the few short questions that carrying a step out may
//! need. Standing words and worked examples come from the prompt file; what changes stands in the last
//! message.

use super::ask::Ask;
use crate::core::prompt::{ChatRole, Condition, Message, PromptFile, QuestionKind};
use crate::core::protocol::ConstraintKind;
use serde_json::json;

/// Tokens that the reply to a plan may have at least: verbs, titles and a few words.
const PLAN_TOKENS_MIN: u32 = 160;

/// Most tokens of a plan; a text that is longer stands in the request itself, and is taken from there.
const PLAN_TOKENS_MAX: u32 = 700;

/// Characters of a request that may be a token of the plan.
const PLAN_CHARS_PER_TOKEN: usize = 3;

/// Characters of a request that is cut, at least.
const REQUEST_CHARS_MIN: usize = 200;

/// Tokens of a number, or of a number with words around it where nothing keeps the model to form.
const CHOICE_TOKENS_MAX: u32 = 8;

/// Tokens of a few replacements.
const REPLACEMENT_TOKENS_MAX: u32 = 80;

/// Tokens of an answer in one or two sentences, or of a list.
const ANSWER_TOKENS_MAX: u32 = 160;

/// The member of a reply in JSON that holds its lines.
const LINES: &str = "lines";

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Which things a request asks for.
    Plan {
        /// What the person asked for.
        request: String,
        /// The titles of the notes that may be meant.
        titles: Vec<String>,
        /// Those of them that the request names, if it names any: only these can be meant then.
        named: Vec<String>,
    },
    /// Something that a step needs to know.
    Step(Ask),
}

/// A reply that did not do, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the model said.
    pub reply: String,
    /// What is wrong with it, in one sentence.
    pub message: String,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub subject: Subject,
    /// The reply before, where it did not do.
    pub fault: Option<Fault>,
}

impl Question {
    /// Returns the kind of the question, by which the prompt file has words for it.
    pub const fn kind(&self) -> QuestionKind {
        match &self.subject {
            Subject::Plan { .. } => QuestionKind::Plan,
            Subject::Step(Ask::Choose { .. }) => QuestionKind::Choose,
            Subject::Step(Ask::Replace { .. }) => QuestionKind::Replace,
            Subject::Step(Ask::Answer { .. }) => QuestionKind::Answer,
            Subject::Step(Ask::Confirm { .. }) => QuestionKind::Confirm,
        }
    }

    /// Returns how many tokens a reply may have at most.
    pub fn reply_tokens_max(&self) -> u32 {
        match &self.subject {
            Subject::Plan { request, .. } => {
                let tokens = request.chars().count() / PLAN_CHARS_PER_TOKEN;
                let tokens = u32::try_from(tokens).unwrap_or(PLAN_TOKENS_MAX);
                tokens.saturating_add(PLAN_TOKENS_MIN).min(PLAN_TOKENS_MAX)
            }
            Subject::Step(Ask::Choose { .. } | Ask::Confirm { .. }) => CHOICE_TOKENS_MAX,
            Subject::Step(Ask::Replace { .. }) => REPLACEMENT_TOKENS_MAX,
            Subject::Step(Ask::Answer { .. }) => ANSWER_TOKENS_MAX,
        }
    }

    /// Returns the question with so many characters fewer, out of the middle of the request that is to be
    /// planned. Other questions stay as they are.
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

    /// Returns the messages of the question: the prompt file's words, its examples from the one at
    /// `first_example` on, counted from 0, and what is asked. Where the reply is kept to a JSON schema, the
    /// replies of the examples are written so, too.
    pub fn messages(
        &self,
        file: &PromptFile,
        first_example: usize,
        constraint_kind: Option<ConstraintKind>,
    ) -> Vec<Message> {
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
        messages.push(message(ChatRole::User, asked));
        if let Some(fault) = &self.fault {
            messages.push(message(ChatRole::Assistant, reply(&fault.reply)));
            messages.push(message(ChatRole::User, fault.message.clone()));
        }
        messages
    }

    /// Returns how many examples the prompt file has for the question.
    pub fn examples_count(&self, file: &PromptFile) -> usize {
        let condition = Condition::Question(self.kind());
        let examples = file.examples.iter();
        examples
            .filter(|example| example.condition == condition)
            .count()
    }
}

impl Subject {
    /// Returns what is asked, in the form of the prompt file's examples.
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
            Self::Step(Ask::Choose { request, options }) => {
                let options = options.iter().zip(1..);
                let options: Vec<String> = options
                    .map(|(option, number)| format!("{number}. {option}"))
                    .collect();
                format!("Request: {request}\n{}", options.join("\n"))
            }
            Self::Step(Ask::Replace { line, change, .. }) => {
                format!("Line: {line}\nChange: {change}")
            }
            Self::Step(Ask::Answer { question, lines } | Ask::Confirm { question, lines }) => {
                format!("{}\nQuestion: {question}", lines.join("\n"))
            }
        }
    }
}

/// Returns the lines of a reply, whatever form it was kept to, without what the model thought aloud.
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

const fn message(role: ChatRole, content: String) -> Message {
    Message { role, content }
}
