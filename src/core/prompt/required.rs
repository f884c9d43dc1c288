//! The required parts of every prompt: instructions, examples, time, state, request and step.
//! Only request and step are ever cut. Examples are dropped only if the window is too small to hold
//! them beside any data.

use super::assemble::{arrange, examples, join_segments, push_data, push_element};
use super::budget::{NoPrompt, TokenBudget};
use super::cut::{cut_end, cut_middle};
use super::part::{EmbeddedInstruction, Metadata, PartType, Priority};
use super::{Condition, Message, PromptData, PromptFile, TokenMeter};
use crate::failure::Code;
use std::borrow::Cow;

/// The divisor of the prompt that gives the share that examples leave to data.
const DATA_HAS_ONE_IN: usize = 4;

/// The divisor that gives the maximum share of a request in the room beside the examples.
const REQUEST_HAS_ONE_IN: usize = 2;

/// The divisor that gives the maximum share of a step in that room.
const STEP_HAS_ONE_IN: usize = 4;

/// The hint that leads to the whole text of a request.
const FULL_REQUEST_HINT: &str = "; record_search context.user_request shows it";

/// The hint that leads to the whole text of a step.
const FULL_STEP_HINT: &str = "; record_search steps shows it";

/// The element around the RAM of a prompt, with its line breaks.
const RAM_FRAME: &str = "<ram>\n\n</ram>\n";

/// How request and step are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// They leave room to data; a text whose share has no room for a mark stays whole.
    Roomy,
    /// They take all room there is, even without data, and never less than their marks.
    Tight,
}

/// A function that cuts a text to what a check accepts, with a maximum number of characters.
type Cutter = fn(&str, usize, &dyn Fn(&str) -> bool) -> Option<String>;

/// A text that may be cut.
#[derive(Debug)]
struct Long<'a> {
    name: &'static str,
    text: &'a str,
    cut: Cutter,
}

impl<'a> Long<'a> {
    fn request(text: &'a str) -> Self {
        let cut = |text: &str, chars_max: usize, fits: &dyn Fn(&str) -> bool| {
            cut_middle(text, FULL_REQUEST_HINT, chars_max.max(1), fits)
        };
        let name = "request";
        Self { name, text, cut }
    }

    fn step(text: &'a str) -> Self {
        let cut = |text: &str, chars_max: usize, fits: &dyn Fn(&str) -> bool| {
            cut_end(text, FULL_STEP_HINT, chars_max, fits)
        };
        let name = "step";
        Self { name, text, cut }
    }

    fn element(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 32);
        push_element(&mut out, self.name, text);
        out.push('\n');
        out
    }

    /// Returns as much of the text as `most` tokens can hold; `None` if they cannot hold a mark.
    fn within(&self, most: usize, meter: TokenMeter) -> Option<String> {
        let fits = |text: &str| meter.text(&self.element(text)) <= most;
        (self.cut)(self.text, meter.characters_below(most), &fits)
    }

    /// Returns the fewest tokens in which the text can be shown.
    fn least(&self, meter: TokenMeter) -> Result<usize, NoPrompt> {
        let full = count(meter, &self.element(self.text))?;
        let mark = (self.cut)(self.text, 0, &|_| true);
        Ok(mark.map_or(full, |mark| meter.text(&self.element(&mark)).min(full)))
    }
}

/// The required parts of a prompt, and the examples that are dropped.
#[derive(Debug)]
pub(super) struct Required<'a> {
    /// The parts, dropped examples included.
    pub(super) parts: Vec<EmbeddedInstruction<'a>>,
    /// The reason why a part is left out, by its place.
    pub(super) barred: Vec<Option<Code>>,
    /// The places of the dropped examples in the prompt file.
    pub(super) dropped: Vec<usize>,
    /// The request as it is shown.
    pub(super) request: Option<Cow<'a, str>>,
    /// The step as it is shown.
    pub(super) step: Option<Cow<'a, str>>,
    tokens: usize,
}

impl<'a> Required<'a> {
    /// Returns the required parts of a prompt for a budget.
    pub(super) fn of(
        file: &'a PromptFile,
        data: &PromptData<'a>,
        budget: &TokenBudget,
        meter: TokenMeter,
        texts: Texts,
    ) -> Result<Self, NoPrompt> {
        let mut required = Self {
            parts: Vec::with_capacity(file.examples.len() + 5),
            barred: Vec::new(),
            dropped: Vec::new(),
            request: None,
            step: None,
            tokens: 0,
        };
        let state = Condition::State(data.state);
        let standing = join_segments(file, Condition::Default, 0);
        if !standing.is_empty() {
            let tokens = count(meter, &standing)? + meter.per_message();
            required.add("words, always".into(), PartType::System, tokens);
        }
        let own = join_segments(file, state, 0) + "\n";
        let tokens = count(meter, &own)?;
        let id = format!("words, {}", data.state);
        required.add(id.into(), PartType::System, tokens);
        let frame = frame(data);
        let tokens = count(meter, &frame)? + meter.per_message();
        required.add("time and state".into(), PartType::Todo, tokens);
        required.add_examples(file, data, budget, meter)?;
        required.add_texts(data, budget, meter, texts)?;
        Ok(required)
    }

    /// Returns the messages, with the shown part of the data.
    pub(super) fn arrange(&self, file: &PromptFile, data: &PromptData<'_>) -> Vec<Message> {
        let data = PromptData {
            request: self.request.as_deref(),
            ..*data
        };
        arrange(file, &data, self.step.as_deref(), |place| {
            !self.dropped.contains(&place)
        })
    }

    /// Returns the tokens of all critical parts.
    pub(super) const fn tokens(&self) -> usize {
        self.tokens
    }

    /// Adds a part by its size; the messages hold its text.
    fn add(&mut self, id: Cow<'a, str>, part_type: PartType, tokens: usize) {
        self.tokens = self.tokens.saturating_add(tokens);
        let part = EmbeddedInstruction::measured(id, part_type, Priority::Critical, tokens);
        self.parts.push(part);
        self.barred.push(None);
    }

    /// Adds the examples of the state, and drops some if they leave too little room.
    /// The examples of every state are dropped first, then the state's own, each time the last one.
    fn add_examples(
        &mut self,
        file: &'a PromptFile,
        data: &PromptData<'_>,
        budget: &TokenBudget,
        meter: TokenMeter,
    ) -> Result<(), NoPrompt> {
        let mut shown = Vec::new();
        for (place, example) in examples(file, data.state) {
            let texts = count(meter, &example.input)? + count(meter, &example.output)?;
            shown.push((place, example, texts + 2 * meter.per_message()));
        }
        let room = budget.max_total - budget.max_total / DATA_HAS_ONE_IN;
        let room = room.saturating_sub(self.tokens);
        let mut taken: usize = shown.iter().map(|(_, _, tokens)| tokens).sum();
        let of = |common: bool| {
            let all = shown.iter().rev();
            all.filter(move |(_, example, _)| (example.condition == Condition::Default) == common)
        };
        for (place, _, tokens) in of(true).chain(of(false)) {
            if taken <= room {
                break;
            }
            taken -= tokens;
            self.dropped.push(*place);
        }
        for (place, _, tokens) in shown {
            let id = format!("example {}", place + 1);
            self.add(id.into(), PartType::System, tokens);
            if self.dropped.contains(&place)
                && let (Some(part), Some(barred)) = (self.parts.last_mut(), self.barred.last_mut())
            {
                part.priority = Priority::High;
                *barred = Some(Code::TokenBudgetExceeded);
                self.tokens -= tokens;
            }
        }
        Ok(())
    }

    /// Adds the request and the step to do.
    fn add_texts(
        &mut self,
        data: &PromptData<'a>,
        budget: &TokenBudget,
        meter: TokenMeter,
        texts: Texts,
    ) -> Result<(), NoPrompt> {
        let left = budget.max_total.saturating_sub(self.tokens);
        let (request, step) = (data.request.map(Long::request), data.step().map(Long::step));
        let least = |long: Option<&Long<'_>>| match (long, texts) {
            (Some(long), Texts::Tight) => long.least(meter),
            (_, Texts::Roomy) | (None, _) => Ok(0),
        };
        let (least_request, least_step) = (least(request.as_ref())?, least(step.as_ref())?);
        let before = self.tokens;
        if let Some(request) = request {
            let usual = left / REQUEST_HAS_ONE_IN;
            let room = left.saturating_sub(least_step);
            let most = texts.most(usual, least_request, room);
            self.request = Some(self.add_text(&request, most, meter)?);
        }
        if let Some(step) = step {
            let usual = left / STEP_HAS_ONE_IN;
            let room = left.saturating_sub(self.tokens - before);
            let most = texts.most(usual, least_step, room);
            self.step = Some(self.add_text(&step, most, meter)?);
        }
        Ok(())
    }

    /// Adds an element with a text of which at most `most` tokens are shown.
    fn add_text(
        &mut self,
        long: &Long<'a>,
        most: usize,
        meter: TokenMeter,
    ) -> Result<Cow<'a, str>, NoPrompt> {
        let full = count(meter, &long.element(long.text))?;
        let shorter = (full > most).then(|| long.within(most, meter));
        let Some(shorter) = shorter.flatten() else {
            self.add(long.name.into(), PartType::Todo, full);
            return Ok(long.text.into());
        };
        let tokens = meter.text(&long.element(&shorter));
        self.add(long.name.into(), PartType::Todo, tokens);
        if let Some(part) = self.parts.last_mut() {
            let cut_from = Some(full);
            part.metadata = Some(Metadata { cut_from });
        }
        Ok(shorter.into())
    }
}

impl Texts {
    /// Returns the maximum tokens of a text.
    /// `usual` is its usual share, `least` its smallest size, and `room` the room there is.
    fn most(self, usual: usize, least: usize, room: usize) -> usize {
        match self {
            Self::Roomy => usual,
            Self::Tight if least <= usual.min(room) => usual.min(room),
            Self::Tight => room.max(least),
        }
    }
}

/// Returns the data of a prompt without request, RAM and results.
fn frame(data: &PromptData<'_>) -> String {
    let empty = PromptData {
        request: None,
        ram: &[],
        results: &[],
        ..*data
    };
    let mut text = RAM_FRAME.to_owned();
    push_data(&mut text, &empty, None);
    text
}

/// Returns the tokens of a text, or an error if it cannot be counted.
pub(super) fn count(meter: TokenMeter, text: &str) -> Result<usize, NoPrompt> {
    meter.count(text).ok_or(NoPrompt::EstimationFailed)
}
