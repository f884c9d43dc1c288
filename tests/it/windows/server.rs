//! The model's server: counts the tokens of each prompt in its own way, says so in the answer as real
//! servers do, takes no prompt that leaves no room for the answer, and cuts answers that are too long.

use super::model::Model;
use super::tokenizer::Tokenizer;
use crate::peer::{Request, Step};
use serde_json::{Value, json};

/// A prompt that did not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overflow {
    /// The how manieth prompt it was.
    pub(crate) number: usize,
    pub(crate) prompt_tokens: usize,
    pub(crate) answer_tokens: usize,
}

/// Where the program learns from how large the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// From its configuration.
    Nothing,
    /// From the server.
    Window,
    /// The same, and the server counts prompts before they are asked.
    WindowAndCounts,
}

/// The server and what it has seen.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) window: usize,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) telling: Telling,
    pub(crate) model: Model,
    /// Tokens of each prompt that came.
    pub(crate) prompts: Vec<usize>,
    pub(crate) overflows: Vec<Overflow>,
    /// Answers that came to their end before the model did.
    pub(crate) answers_cut: u64,
    /// The last prompt's last message.
    pub(crate) last: String,
}

impl Server {
    /// What it answers to a request.
    pub(crate) fn answer(&mut self, request: &Request) -> Step {
        let (path, _) = request.path.split_once('?').unwrap_or((&request.path, ""));
        match (path, self.telling) {
            ("/v1/chat/completions", _) => self.chat(request),
            ("/props", Telling::Window | Telling::WindowAndCounts) => {
                Step::window(u32::try_from(self.window).unwrap())
            }
            ("/v1/chat/completions/input_tokens", Telling::WindowAndCounts) => {
                let question = request.json();
                Step::json(&json!({"input_tokens": self.tokenizer.prompt(texts(&question))}))
            }
            _ => Step::status(404),
        }
    }

    fn chat(&mut self, request: &Request) -> Step {
        let question = request.json();
        let prompt_tokens = self.tokenizer.prompt(texts(&question));
        // A quarter of the window is the answer's, if as much is asked for.
        let asked = usize::try_from(question["max_tokens"].as_u64().unwrap()).unwrap();
        let answer_tokens = asked.min(self.window / 4);
        self.prompts.push(prompt_tokens);
        if prompt_tokens + answer_tokens > self.window {
            self.overflows.push(Overflow {
                number: self.prompts.len(),
                prompt_tokens,
                answer_tokens,
            });
            return self.refusal(prompt_tokens);
        }
        texts(&question)
            .next_back()
            .unwrap()
            .clone_into(&mut self.last);
        let said = self.model.says(&self.last);
        self.reply(&said, prompt_tokens, answer_tokens)
    }

    /// As llama.cpp words it.
    fn refusal(&self, prompt_tokens: usize) -> Step {
        let window = self.window;
        let message = format!(
            "request ({prompt_tokens} tokens) exceeds the available context size ({window} tokens)"
        );
        Step::status(400)
            .header("content-type", "application/json")
            .body(
                json!({"error": {"code": 400, "message": message, "type": "exceed_context_size_error",
                                 "n_prompt_tokens": prompt_tokens, "n_ctx": window}})
                .to_string(),
            )
    }

    fn reply(&mut self, said: &str, prompt_tokens: usize, answer_tokens: usize) -> Step {
        let mut text = said;
        let mut tokens = self.tokenizer.text(text);
        let is_cut = tokens > answer_tokens;
        if is_cut {
            self.answers_cut += 1;
            text = longest_start(said, |start| self.tokenizer.text(start) <= answer_tokens);
            tokens = answer_tokens;
        }
        let finish = if is_cut { "length" } else { "stop" };
        let answer: Value = json!({
            "id": "peer", "object": "chat.completion", "model": "peer-model",
            "choices": [{"index": 0, "finish_reason": finish,
                         "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": tokens,
                      "total_tokens": prompt_tokens + tokens},
        });
        Step::json(&answer)
    }
}

/// The texts of a question's messages.
fn texts(question: &Value) -> impl DoubleEndedIterator<Item = &str> {
    let messages = question["messages"].as_array().unwrap();
    messages.iter().map(|it| it["content"].as_str().unwrap())
}

/// The longest beginning of a text that fits.
fn longest_start(text: &str, fits: impl Fn(&str) -> bool) -> &str {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let count = ends.partition_point(|&at| fits(&text[..at]));
    &text[..ends[count.saturating_sub(1)]]
}
