//! The other side of goal 14: the loop that most agents are. The same program does the same tasks, but
//! lets the model answer freely, and between it and the model stands this. It resends everything that was
//! said before: each prompt and each reply since the task began. It only ever adds at the end, so a
//! server's prefix cache serves it as well as it can serve anybody; examples that were shown once are not
//! shown again. When the history no longer fits the window, the server refuses, and the task has failed.

use crate::relay::Between;
use serde_json::{Value, json};

/// Everything said since a task began.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    said: Vec<Value>,
}

impl History {
    /// Adds turns that were not said yet: the standing instructions, then examples, each of them a
    /// question with its answer.
    fn add_news(&mut self, mut turns: &[Value]) {
        if let Some((first, rest)) = turns.split_first()
            && first["role"] == "system"
        {
            if !self.said.contains(first) {
                self.said.push(first.clone());
            }
            turns = rest;
        }
        for example in turns.chunks(2) {
            if !self.said.windows(2).any(|pair| pair == example) {
                self.said.extend_from_slice(example);
            }
        }
    }
}

impl Between for History {
    fn asked(&mut self, mut question: Value) -> Value {
        if let Some((last, before)) = question["messages"]
            .as_array()
            .and_then(|all| all.split_last())
        {
            self.add_news(before);
            self.said.push(last.clone());
        }
        question["messages"] = Value::from(self.said.clone());
        question
    }

    fn answered(&mut self, answer: Option<&Value>) {
        let text = answer.and_then(|it| it["choices"][0]["message"]["content"].as_str());
        match text {
            Some(text) => self
                .said
                .push(json!({"role": "assistant", "content": text})),
            // A question that was not answered is asked again, or was the last.
            None => drop(self.said.pop()),
        }
    }
}
