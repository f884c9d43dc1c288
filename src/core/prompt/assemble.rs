//! Assembles the messages of one model call.
//! Pure arrangement: all standing words and examples come from the prompt file. Every piece of data
//! is escaped, so that stored text can neither become an instruction nor close an element. This
//! module words nothing but element names and the introduction of an example.
//!
//! Parts that change rarely come first: standing instructions, the state's examples, the state's
//! instructions, data. A server that keeps the prompts it has seen then evaluates little more than
//! the data.

use super::{ChatRole, Condition, Example, PromptFile, PromptMessage};
use crate::core::agent::{ActionResult, LoopState, Numbered, ResultItem};
use crate::core::protocol::{escape, is_plain};

/// The data that changes from call to call.
#[derive(Clone, Copy, Debug)]
pub struct PromptData<'a> {
    /// Local time as people write it, to the minute.
    pub time: &'a str,
    /// The state of the loop.
    pub state: LoopState,
    /// The person's open request.
    pub request: Option<&'a str>,
    /// RAM as keys and texts, without `state`, the request and empty values.
    /// Keys that change least come first.
    pub ram: &'a [(String, String)],
    /// The first step, if there is one.
    pub step: Option<&'a str>,
    /// The places of its keys in the order in which they get room, if that is not their own order.
    pub ram_order: &'a [usize],
    /// The results of the previous reply.
    pub results: &'a [ActionResult],
    /// The numbers by which the results can be looked up.
    pub numbered: Numbered,
}

impl<'a> PromptData<'a> {
    /// Returns the step that an executing iteration is to do: the first one.
    /// RAM holds it too, but a small model follows what it read last.
    pub(super) fn step(&self) -> Option<&'a str> {
        let is_due = self.state == LoopState::Executing;
        let step = lines(self.step.filter(|_| is_due)?).next();
        step.filter(|step| !step.is_empty())
    }
}

/// Returns the messages of one call.
/// They are the standing instructions, worked examples as turns, and one last user message with the
/// state's instructions, the data and the state again.
pub fn assemble(file: &PromptFile, data: &PromptData<'_>) -> Vec<PromptMessage> {
    arrange(file, data, data.step(), |_| true)
}

/// Like [`assemble`], but with this text for the step, and only with the wanted examples.
pub(super) fn arrange(
    file: &PromptFile,
    data: &PromptData<'_>,
    step: Option<&str>,
    has_example: impl Fn(usize) -> bool,
) -> Vec<PromptMessage> {
    let state = Condition::State(data.state);
    let mut messages = Vec::with_capacity(2 + 2 * file.examples.len());
    let standing = join_segments(file, Condition::Default);
    if !standing.is_empty() {
        messages.push(PromptMessage {
            role: ChatRole::System,
            content: standing,
        });
    }
    for (_, example) in examples(file, data.state).filter(|(place, _)| has_example(*place)) {
        messages.push(PromptMessage {
            role: ChatRole::User,
            content: example.input.clone(),
        });
        messages.push(PromptMessage {
            role: ChatRole::Assistant,
            content: example.output.clone(),
        });
    }
    let mut last = join_segments(file, state);
    if !last.is_empty() {
        last.push('\n');
    }
    push_data(&mut last, data, step);
    messages.push(PromptMessage {
        role: ChatRole::User,
        content: last,
    });
    messages
}

/// Returns the file with one more worked example for the state.
/// It is the present question without results, answered by `output`. It replaces the last example
/// of the state, so that it takes little more room.
pub fn with_example(file: &PromptFile, data: &PromptData<'_>, output: &str) -> PromptFile {
    let data = PromptData {
        results: &[],
        ..*data
    };
    let question = arrange(file, &data, data.step(), |_| false).pop();
    let condition = Condition::State(data.state);
    let mut file = file.clone();
    let place = |example: &Example| example.condition == condition;
    if let Some(last) = file.examples.iter().rposition(place) {
        file.examples.remove(last);
    }
    file.examples.push(Example {
        condition,
        input: question.map_or_else(String::new, |message| message.content),
        output: output.to_owned(),
    });
    file
}

/// Returns the examples of a state with their places in the file, in the order of the prompt.
pub(super) fn examples(
    file: &PromptFile,
    state: LoopState,
) -> impl DoubleEndedIterator<Item = (usize, &Example)> {
    let of = move |condition| {
        let all = file.examples.iter().enumerate();
        all.filter(move |(_, example)| example.condition == condition)
    };
    of(Condition::Default).chain(of(Condition::State(state)))
}

/// Returns RAM as a prompt shows it, which `working_memory_character_max` limits.
/// Each line is one `key: value`. A value of several lines follows its key, indented by two spaces,
/// so that no value can pose as another key.
pub fn render_ram<T: AsRef<str>>(entries: &[(T, T)]) -> String {
    let mut out = String::new();
    push_ram(&mut out, entries);
    out
}

/// Joins the segments of one condition in file order by line breaks.
pub(super) fn join_segments(file: &PromptFile, condition: Condition) -> String {
    let mut out = String::new();
    for segment in &file.segments {
        if segment.condition == condition {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&segment.prompt);
        }
    }
    out
}

pub(super) fn push_data(out: &mut String, data: &PromptData<'_>, step: Option<&str>) {
    let state = data.state.name();
    push_element(out, "time", data.time);
    out.push('\n');
    push_element(out, "state", state);
    out.push('\n');
    if let Some(request) = data.request {
        push_element(out, "request", request);
        out.push('\n');
    }
    if !data.ram.is_empty() {
        out.push_str("<ram>\n");
        push_ram(out, data.ram);
        out.push_str("\n</ram>\n");
    }
    for result in data.results {
        push_result(out, result);
        out.push('\n');
    }
    if let Some(step) = step {
        push_element(out, "step", step);
        out.push('\n');
    }
    push_element(out, "state", state);
}

fn push_ram<T: AsRef<str>>(out: &mut String, entries: &[(T, T)]) {
    for (index, (key, value)) in entries.iter().enumerate() {
        let (key, value) = (key.as_ref(), value.as_ref());
        if index > 0 {
            out.push('\n');
        }
        push_one_line(out, key);
        out.push(':');
        if is_plain(value) {
            out.push(' ');
            out.push_str(value);
        } else if value.contains(is_line_break) {
            for line in lines(value) {
                out.push_str("\n  ");
                out.push_str(&escape(line));
            }
        } else {
            out.push(' ');
            out.push_str(&escape(value));
        }
    }
}

pub(super) fn push_result(out: &mut String, result: &ActionResult) {
    out.push_str("<action_result>");
    push_element(out, "op", &result.op);
    if !result.target.is_empty() {
        push_element(out, "target", &result.target);
    }
    if let Some(code) = result.code {
        push_element(out, "code", code.as_str());
    }
    match &result.example {
        Some(example) => push_error(out, &result.message, example),
        None if result.message.is_empty() => {}
        None => push_element(out, "message", &result.message),
    }
    for item in &result.items {
        out.push('\n');
        push_item(out, item, &item.text);
    }
    out.push_str("</action_result>");
}

/// Writes the message about an error, and a correct instruction on a line of its own.
/// The instruction is not escaped: small models copy its form, escape signs included.
fn push_error(out: &mut String, message: &str, example: &str) {
    push_element(out, "message", &format!("{message} Write for example"));
    out.push('\n');
    out.push_str(example);
}

/// Writes a note of a result, with the given text.
pub(super) fn push_item(out: &mut String, item: &ResultItem, text: &str) {
    out.push_str("<note>");
    push_element(out, "id", &item.id.to_string());
    push_element(out, "version", &item.version.to_string());
    push_element(out, "title", &item.title);
    if !text.is_empty() {
        push_element(out, "text", text);
    }
    if !item.links.is_empty() {
        push_element(out, "links", &item.links.join(", "));
    }
    out.push_str("</note>");
}

pub(super) fn push_element(out: &mut String, name: &str, text: &str) {
    out.push('<');
    out.push_str(name);
    out.push('>');
    out.push_str(&escape(text));
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Writes a key on one line.
/// Keys come from the model; a line break in one must not begin a new line.
fn push_one_line(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    for (index, line) in lines(text).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(&escape(line));
    }
}

/// Returns the lines of a text, for all kinds of line breaks.
/// A carriage return before a line feed belongs to it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .flat_map(|line| line.split(is_line_break))
}

/// Returns whether a tokenizer or a reader may take a character for a line break.
const fn is_line_break(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}
