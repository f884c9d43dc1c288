//! The required parts of every prompt: instructions, examples, time, state, request and step.
//! Only request and step are ever cut. Examples are dropped only if the window is too small to hold
//! them beside any data.

use super::allocation::{PartType, Priority, PromptPart};
use super::assemble::{arrange, examples, join_segments, push_data, push_element};
use super::budget::{PromptError, TokenBudget};
use super::cut::{cut_end, cut_middle};
use super::{Condition, PromptData, PromptFile, PromptMessage, TokenMeter};
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

/// The way in which request and step are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TruncationMode {
    /// They leave room to data; a text whose share has no room for a mark stays whole.
    Roomy,
    /// They take all room there is, even without data, and never less than their marks.
    Tight,
}

/// A text that may be cut.
#[derive(Clone, Copy, Debug)]
enum CuttableText<'a> {
    /// The request, whose end matters too.
    Request(&'a str),
    /// The step.
    Step(&'a str),
}

impl<'a> CuttableText<'a> {
    const fn name(self) -> &'static str {
        match self {
            Self::Request(_) => "request",
            Self::Step(_) => "step",
        }
    }

    const fn text(self) -> &'a str {
        let (Self::Request(text) | Self::Step(text)) = self;
        text
    }

    fn cut(self, chars_max: usize, fits: impl Fn(&str) -> bool) -> Option<String> {
        match self {
            Self::Request(text) => cut_middle(text, FULL_REQUEST_HINT, chars_max.max(1), fits),
            Self::Step(text) => cut_end(text, FULL_STEP_HINT, chars_max, fits),
        }
    }

    fn element(self, text: &str) -> String {
        let mut out = String::new();
        push_element(&mut out, self.name(), text);
        out.push('\n');
        out
    }

    /// Returns as much of the text as `most` tokens can hold; `None` if they cannot hold a mark.
    fn within(self, most: usize, meter: TokenMeter) -> Option<String> {
        let fits = |text: &str| meter.text(&self.element(text)) <= most;
        self.cut(meter.characters_below(most), fits)
    }

    /// Returns the fewest tokens in which the text can be shown.
    fn least(self, meter: TokenMeter) -> Result<usize, PromptError> {
        let full = count(meter, &self.element(self.text()))?;
        let mark = self.cut(0, |_| true);
        Ok(mark.map_or(full, |mark| meter.text(&self.element(&mark)).min(full)))
    }
}

/// The required parts of a prompt, and the examples that are dropped.
#[derive(Debug)]
pub(super) struct Required<'a> {
    /// The parts, dropped examples included.
    pub(super) parts: Vec<PromptPart>,
    /// The places of the dropped examples in the prompt file.
    pub(super) dropped: Vec<usize>,
    /// The request as it is shown.
    pub(super) request: Option<Cow<'a, str>>,
    /// The step as it is shown.
    pub(super) step: Option<Cow<'a, str>>,
    /// The tokens of all critical parts.
    pub(super) tokens: usize,
}

impl<'a> Required<'a> {
    /// Returns the required parts of a prompt for a budget.
    pub(super) fn of(
        file: &PromptFile,
        data: &PromptData<'a>,
        budget: &TokenBudget,
        meter: TokenMeter,
        texts: TruncationMode,
    ) -> Result<Self, PromptError> {
        let mut required = Self {
            parts: Vec::with_capacity(file.examples.len() + 5),
            dropped: Vec::new(),
            request: None,
            step: None,
            tokens: 0,
        };
        let state = Condition::State(data.state);
        let standing = join_segments(file, Condition::Default);
        if !standing.is_empty() {
            let tokens = count(meter, &standing)? + meter.per_message();
            required.add("words, always", PartType::System, tokens);
        }
        let own = join_segments(file, state) + "\n";
        let tokens = count(meter, &own)?;
        required.add(format!("words, {}", data.state), PartType::System, tokens);
        let tokens = count(meter, &frame(data))? + meter.per_message();
        required.add("time and state", PartType::Todo, tokens);
        required.add_examples(file, data, budget, meter)?;
        required.add_texts(data, budget, meter, texts)?;
        Ok(required)
    }

    /// Returns the messages, with the shown part of the data.
    pub(super) fn arrange(&self, file: &PromptFile, data: &PromptData<'_>) -> Vec<PromptMessage> {
        let data = PromptData {
            request: self.request.as_deref(),
            ..*data
        };
        arrange(file, &data, self.step.as_deref(), |place| {
            !self.dropped.contains(&place)
        })
    }

    /// Adds a part by its size; the messages hold its text.
    fn add(&mut self, id: impl Into<String>, part_type: PartType, tokens: usize) {
        self.tokens = self.tokens.saturating_add(tokens);
        let part = PromptPart::new(id, part_type, Priority::Critical, tokens);
        self.parts.push(part);
    }

    /// Adds the examples of the state, and drops some if they leave too little room.
    /// The examples of every state are dropped first, then the state's own, each time the last one.
    fn add_examples(
        &mut self,
        file: &PromptFile,
        data: &PromptData<'_>,
        budget: &TokenBudget,
        meter: TokenMeter,
    ) -> Result<(), PromptError> {
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
            if self.dropped.contains(&place) {
                self.parts.push(PromptPart {
                    reason: Some(Code::TokenBudgetExceeded),
                    ..PromptPart::new(id, PartType::System, Priority::High, tokens)
                });
            } else {
                self.add(id, PartType::System, tokens);
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
        texts: TruncationMode,
    ) -> Result<(), PromptError> {
        let left = budget.max_total.saturating_sub(self.tokens);
        let (request, step) = (
            data.request.map(CuttableText::Request),
            data.step().map(CuttableText::Step),
        );
        let least = |long: Option<CuttableText<'_>>| match (long, texts) {
            (Some(long), TruncationMode::Tight) => long.least(meter),
            (_, TruncationMode::Roomy) | (None, _) => Ok(0),
        };
        let (least_request, least_step) = (least(request)?, least(step)?);
        let before = self.tokens;
        if let Some(request) = request {
            let usual = left / REQUEST_HAS_ONE_IN;
            let room = left.saturating_sub(least_step);
            let most = texts.most(usual, least_request, room);
            self.request = Some(self.add_text(request, most, meter)?);
        }
        if let Some(step) = step {
            let usual = left / STEP_HAS_ONE_IN;
            let room = left.saturating_sub(self.tokens - before);
            let most = texts.most(usual, least_step, room);
            self.step = Some(self.add_text(step, most, meter)?);
        }
        Ok(())
    }

    /// Adds an element with a text of which at most `most` tokens are shown.
    fn add_text(
        &mut self,
        long: CuttableText<'a>,
        most: usize,
        meter: TokenMeter,
    ) -> Result<Cow<'a, str>, PromptError> {
        let full = count(meter, &long.element(long.text()))?;
        let shorter = (full > most).then(|| long.within(most, meter));
        let Some(shorter) = shorter.flatten() else {
            self.add(long.name(), PartType::Todo, full);
            return Ok(long.text().into());
        };
        let tokens = meter.text(&long.element(&shorter));
        self.add(long.name(), PartType::Todo, tokens);
        if let Some(part) = self.parts.last_mut() {
            part.cut_from = Some(full);
        }
        Ok(shorter.into())
    }
}

impl TruncationMode {
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
pub(super) fn count(meter: TokenMeter, text: &str) -> Result<usize, PromptError> {
    meter.count(text).ok_or(PromptError::EstimationFailed)
}
