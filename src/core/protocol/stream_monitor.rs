//! Monitors a reply while it arrives and says when the rest of it is not worth waiting for: the
//! instructions are complete and prose follows, or the model repeats itself, or it goes on with
//! something that is no instruction. Local models burn minutes on such tails.
//!
//! It only says where to stop. The parser decides what the text up to there means, and an
//! instruction that was open at that point is never applied.

use super::grammar_reply::{GrammarEvent, GrammarScan, find_from};
use super::json_reply::JsonScan;
use super::outline::ConstraintKind;
use super::parse::{DATA_ELEMENTS, REASONING};
use super::repetition::{LOOK_EVERY_BYTES, repeated_tail, repeats_itself};
use super::scan::leading_name;
use super::tag::{AllowedTags, Child, Tag};
use crate::limits::{
    ELEMENT_NAME_BYTES_MAX, INSTRUCTIONS_PER_REPLY_MAX, PROSE_AFTER_BYTES, REPLY_TEXT_BYTES_MAX,
};
use serde::{Deserialize, Serialize};

/// The reason why the rest of a reply is not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EarlyStop {
    /// Instructions, and then an echo of the question, or prose through half of the room.
    Complete,
    /// A text over and over.
    Repetition,
    /// One element after the other that is no instruction, or none that is allowed.
    ForeignTag,
    /// Longer than any reply may be.
    TooLong,
}

impl EarlyStop {
    /// Returns the name in logs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Repetition => "repetition",
            Self::ForeignTag => "foreign_tag",
            Self::TooLong => "too_long",
        }
    }
}

/// The place at which a reply is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPoint {
    pub reason: EarlyStop,
    /// The bytes of the text that count, on a character's boundary.
    pub keep_bytes: usize,
    /// Whether the text breaks off inside an instruction.
    pub truncated: bool,
}

const BYTES_PER_TOKEN: usize = 4;

/// The number of equal instructions that a reply may hold. The second is often a slip, the third
/// the beginning of an endless list.
const SAME_INSTRUCTION_MAX: usize = 2;

/// The number of elements that are no instruction and may follow one. The first is a slip, which is
/// dropped alone; a model that goes on with them has left the protocol.
const STRANGERS_MAX: usize = 2;

/// The number of elements that are no instruction and may stand before the first one: those around
/// it, those that a model thinks in, a few of a list in HTML. No recorded answer that comes to an
/// instruction has any.
const STRANGERS_FIRST_MAX: usize = 16;

/// The place in the reply that the monitor has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MonitorState {
    #[default]
    Nothing,
    /// Reasoning or a comment, up to that mark.
    Aside(&'static str),
    Instruction {
        tag: Tag,
        start: usize,
    },
    /// An instruction of a JSON reply.
    Item,
}

/// Monitors one reply while it arrives.
#[derive(Clone, Debug, Default)]
pub struct StreamMonitor {
    allowed: AllowedTags,
    text: String,
    inside: MonitorState,
    /// Everything before has been looked at.
    at: usize,
    /// The end of the last instruction, or of the last aside.
    gap: usize,
    /// The instructions, as ranges of the text.
    instructions: Vec<(usize, usize)>,
    looked_at_tail: usize,
    /// Elements since the last instruction that are none.
    strangers: usize,
    /// Instructions among them that are not allowed.
    refused: usize,
    /// The form that the reply is kept to, until it turns out to be something else.
    form: Option<ConstraintKind>,
    json: JsonScan,
    /// The scan of the open instruction of a reply that is kept to a grammar.
    grammar: Option<GrammarScan>,
    /// Prose after instructions beyond which no more of them are waited for, in bytes.
    prose_max: usize,
    looked_at_prose: usize,
}

impl StreamMonitor {
    /// Returns the monitor of a reply of which nothing has arrived.
    pub fn new(allowed: AllowedTags) -> Self {
        Self {
            allowed,
            prose_max: usize::MAX,
            ..Self::default()
        }
    }

    /// Sets the form that the reply is kept to. One that turns out to be something else is
    /// monitored as such.
    #[must_use]
    pub const fn in_form(mut self, form: Option<ConstraintKind>) -> Self {
        self.form = form;
        self
    }

    /// Sets the tokens that the reply may have: prose is not waited for through more than half of
    /// them.
    #[must_use]
    pub fn within(mut self, max_tokens: u32) -> Self {
        let tokens = usize::try_from(max_tokens).unwrap_or(usize::MAX);
        let half = tokens.saturating_mul(BYTES_PER_TOKEN) / 2;
        self.prose_max = half.max(PROSE_AFTER_BYTES);
        self
    }

    /// Takes the next piece in, and returns the stop if that is enough. Work is in proportion to
    /// what has arrived; asking again after a stop gives that one or an earlier one.
    pub fn push(&mut self, piece: &str) -> Option<StopPoint> {
        self.text.push_str(piece);
        if self.allowed.is_empty() {
            // Prose is for whoever asked: what repeats itself there may be a table.
            return self.too_long();
        }
        if self.text.trim_start().starts_with('<') {
            self.form = self.form.filter(|form| *form != ConstraintKind::JsonSchema);
        }
        let stop = if self.form == Some(ConstraintKind::JsonSchema) {
            self.look_at_items()
        } else {
            self.look_at_elements()
        };
        stop.or_else(|| self.too_long())
            .or_else(|| self.look_at_tail())
    }

    /// Returns a stop at the end of what has arrived; none in prose, which is heard to its end.
    pub fn stop_here(&self, reason: EarlyStop) -> Option<StopPoint> {
        (!self.allowed.is_empty()).then(|| self.stop(reason, self.text.len()))
    }

    /// Returns the text up to a stop, and nothing of what came after it.
    pub fn into_text(mut self, stop: Option<StopPoint>) -> String {
        if let Some(stop) = stop {
            self.text.truncate(stop.keep_bytes);
        }
        self.text
    }

    /// Moves on through a reply that is JSON.
    fn look_at_items(&mut self) -> Option<StopPoint> {
        let scan = &mut self.json;
        scan.advance(&self.text);
        let new = scan.items.get(self.instructions.len()..);
        let new = new.unwrap_or_default().to_vec();
        let (is_open, end) = (scan.open_item().is_some(), scan.end);
        for (start, item_end) in new {
            if let Some(stop) = self.closed(start, item_end) {
                return Some(stop);
            }
        }
        self.inside = if is_open {
            MonitorState::Item
        } else {
            MonitorState::Nothing
        };
        let after = self.text.get(end?..)?.trim();
        if after.len() > PROSE_AFTER_BYTES {
            return self.stop_behind_last(EarlyStop::Complete);
        }
        None
    }

    fn look_at_elements(&mut self) -> Option<StopPoint> {
        loop {
            let (before, stop) = (self.at, self.look_at_next());
            if stop.is_some() || self.at == before {
                return stop;
            }
        }
    }

    /// Moves on by one element, or stays where it is until more has arrived.
    fn look_at_next(&mut self) -> Option<StopPoint> {
        match self.inside {
            MonitorState::Nothing => self.look_outside(),
            MonitorState::Aside(mark) => {
                if let Some(end) = find_from(&mut self.at, &self.text, mark) {
                    self.step_over_to(end);
                }
                None
            }
            MonitorState::Item => None,
            MonitorState::Instruction { tag, start } => {
                if let Some(end) = self.end_of_instruction(tag) {
                    return self.closed(start, end);
                }
                None
            }
        }
    }

    /// Returns the end of the open instruction, if it has arrived. In a grammar a value may quote
    /// the closing tag, elsewhere the first one counts.
    fn end_of_instruction(&mut self, tag: Tag) -> Option<usize> {
        while let Some(scan) = &mut self.grammar {
            match scan.next(&self.text) {
                GrammarEvent::Close(_, end) if scan.is_between() => return Some(end),
                GrammarEvent::Open(..) | GrammarEvent::Child { .. } | GrammarEvent::Close(..) => {}
                GrammarEvent::Incomplete => return None,
                GrammarEvent::Strange => {
                    self.grammar = None;
                    self.form = None;
                }
            }
        }
        find_from(&mut self.at, &self.text, &format!("</{}>", tag.name()))
    }

    fn step_over_to(&mut self, end: usize) {
        self.inside = MonitorState::Nothing;
        self.at = end;
        self.gap = end;
    }

    fn closed(&mut self, start: usize, end: usize) -> Option<StopPoint> {
        let written = |range: &(usize, usize)| self.text.get(range.0..range.1).map(str::trim);
        let new = written(&(start, end));
        let same = self.instructions.iter().filter(|it| written(it) == new);
        if same.count() >= SAME_INSTRUCTION_MAX {
            return self.stop_behind_last(EarlyStop::Repetition);
        }
        if self.instructions.len() >= INSTRUCTIONS_PER_REPLY_MAX {
            // The parser says so, and refuses it.
            return Some(self.stop(EarlyStop::TooLong, self.text.len()));
        }
        self.instructions.push((start, end));
        (self.strangers, self.refused) = (0, 0);
        self.step_over_to(end);
        None
    }

    fn look_outside(&mut self) -> Option<StopPoint> {
        let Some(open) = self.text.get(self.at..)?.find('<') else {
            self.at = self.text.len();
            return self.prose(self.text.len());
        };
        let open = self.at + open;
        if let Some(stop) = self.prose(open) {
            return Some(stop);
        }
        let after = self.text.get(open + 1..)?;
        if after.starts_with("!--") {
            self.inside = MonitorState::Aside("-->");
            self.at = open;
            return self.look_at_next();
        }
        let name = leading_name(after);
        let may_go_on = name.len() == after.len() && name.len() <= ELEMENT_NAME_BYTES_MAX;
        if may_go_on || "!--".starts_with(after) {
            // The name may go on, or become a comment.
            self.at = open;
            return None;
        }
        let name = name.to_owned();
        self.at = open + 1 + name.len();
        self.opened(&name, open)
    }

    /// Judges an element that opens, or a `<` that only looks like one.
    fn opened(&mut self, name: &str, open: usize) -> Option<StopPoint> {
        let tag = Tag::parse(name);
        match tag {
            Some(tag) if self.allowed.contains(tag) => {
                self.inside = MonitorState::Instruction { tag, start: open };
                let with_dialects = self.allowed.has_dialect();
                let scan = || GrammarScan::from(open, with_dialects);
                self.grammar = (self.form == Some(ConstraintKind::Gbnf)).then(scan);
                return None;
            }
            None if name == REASONING => {
                self.inside = MonitorState::Aside("</think>");
                return None;
            }
            // Closing tags, and what is no tag.
            None if name.is_empty() => return None,
            Some(_) | None => {}
        }
        // It may stand around the first instruction, be one that the model thinks in, or an echo of
        // the question; one after the other is none of these.
        let is_first = self.instructions.is_empty();
        let is_echo = DATA_ELEMENTS.contains(&name);
        let is_child = Child::parse(name).is_some();
        if is_echo && is_first || is_child && !is_echo {
            return None;
        }
        self.strangers += 1;
        if is_first {
            // Where a dialect is not switched on, its tags are like any that nobody knows.
            let is_refused = tag.is_some_and(|tag| !tag.is_dialect());
            self.refused += usize::from(is_refused);
            let is_lost = self.strangers > STRANGERS_FIRST_MAX || self.refused > STRANGERS_MAX;
            return is_lost.then(|| self.stop(EarlyStop::ForeignTag, open));
        }
        if self.strangers <= STRANGERS_MAX {
            None
        } else if is_echo {
            self.stop_behind_last(EarlyStop::Complete)
        } else {
            // The ones before are kept, so that the model is told of them.
            Some(self.stop(EarlyStop::ForeignTag, open))
        }
    }

    /// Judges whether the prose that has followed the instructions shows that no more of them will.
    /// A model may explain itself at length between two of them; one that runs away repeats itself.
    fn prose(&mut self, end: usize) -> Option<StopPoint> {
        let prose = self.text.get(self.gap..end)?.trim();
        if self.instructions.is_empty() || prose.len() <= PROSE_AFTER_BYTES {
            return None;
        }
        if prose.len() > self.prose_max {
            return self.stop_behind_last(EarlyStop::Complete);
        }
        if end < self.looked_at_prose.saturating_add(LOOK_EVERY_BYTES) {
            return None;
        }
        let repeats = repeats_itself(prose);
        self.looked_at_prose = end;
        repeats
            .then(|| self.stop_behind_last(EarlyStop::Repetition))
            .flatten()
    }

    fn too_long(&self) -> Option<StopPoint> {
        let length = self.text.len();
        (length > REPLY_TEXT_BYTES_MAX).then(|| self.stop(EarlyStop::TooLong, length))
    }

    fn look_at_tail(&mut self) -> Option<StopPoint> {
        if self.text.len() < self.looked_at_tail + LOOK_EVERY_BYTES {
            return None;
        }
        self.looked_at_tail = self.text.len();
        let repeated = repeated_tail(self.text.as_bytes())?;
        if self.inside == MonitorState::Nothing && !self.instructions.is_empty() {
            return self.stop_behind_last(EarlyStop::Repetition);
        }
        let keep = self.text.floor_char_boundary(self.text.len() - repeated);
        Some(self.stop(EarlyStop::Repetition, keep))
    }

    fn stop_behind_last(&self, reason: EarlyStop) -> Option<StopPoint> {
        let (_, end) = self.instructions.last()?;
        Some(StopPoint {
            reason,
            keep_bytes: *end,
            truncated: false,
        })
    }

    fn stop(&self, reason: EarlyStop, keep_bytes: usize) -> StopPoint {
        StopPoint {
            reason,
            keep_bytes,
            truncated: matches!(
                self.inside,
                MonitorState::Instruction { .. } | MonitorState::Item
            ),
        }
    }
}
