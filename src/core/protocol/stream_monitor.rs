//! Monitors a reply while it arrives and says when the rest of it is not worth waiting for: the
//! instructions are complete and prose follows, or the model repeats itself, or it goes on with
//! something that is no instruction. Local models burn minutes on such tails.
//!
//! It only says where to stop. The parser decides what the text up to there means, and an instruction
//! that was open at that point is never applied.

use super::child::Child;
use super::grammar_scan::{GrammarScan, Seen, seen_without};
use super::json_scan::JsonScan;
use super::repeats::{LOOK_EVERY_BYTES, repeated_tail, says_the_same};
use super::stop::{EarlyStop, StopPoint};
use super::{AllowedTags, DATA_ELEMENTS, Tag};
use crate::limits::{
    ELEMENT_NAME_BYTES_MAX, INSTRUCTIONS_PER_REPLY_MAX, PROSE_AFTER_BYTES, REPLY_TEXT_BYTES_MAX,
};

/// Bytes of a token, about.
const BYTES_PER_TOKEN: usize = 4;

/// How often the same instruction may stand in a reply. The second is often a slip, the third the
/// begin of an endless list.
const SAME_INSTRUCTION_MAX: usize = 2;

/// How many elements that are no instruction may follow one. The first is a slip, which is dropped
/// alone; a model that goes on with them has left the protocol.
const STRANGERS_MAX: usize = 2;

/// How many elements that are no instruction may stand before the first one: those around it, those that a
/// model thinks in, a few of a list in HTML. No recorded answer that comes to an instruction has any.
const STRANGERS_FIRST_MAX: usize = 16;

/// The place in the reply that the monitor has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Nothing,
    Reasoning,
    Comment,
    Instruction {
        tag: Tag,
        start: usize,
    },
    /// An instruction of a JSON reply.
    Item,
}

/// Monitors one reply while it arrives.
#[derive(Clone, Debug)]
pub struct StreamMonitor {
    allowed: AllowedTags,
    text: String,
    inside: Inside,
    /// Everything before has been looked at.
    at: usize,
    /// Where the last instruction ended, or the last thing that is stepped over.
    gap: usize,
    /// The instructions, as ranges of the text.
    instructions: Vec<(usize, usize)>,
    looked_at_tail: usize,
    /// Elements since the last instruction that are none.
    strangers: usize,
    /// Those of them that are instructions which are not allowed.
    refused: usize,
    /// What follows the reply where it may be JSON.
    json: Option<JsonScan>,
    /// What follows an instruction where the reply is kept to a grammar.
    grammar: Option<GrammarScan>,
    /// Prose after instructions beyond which no more of them are waited for, in bytes.
    prose_most: usize,
    looked_at_prose: usize,
}

impl StreamMonitor {
    /// A watch over a reply of which nothing has arrived.
    pub const fn new(allowed: AllowedTags) -> Self {
        Self {
            allowed,
            text: String::new(),
            inside: Inside::Nothing,
            at: 0,
            gap: 0,
            instructions: Vec::new(),
            looked_at_tail: 0,
            strangers: 0,
            refused: 0,
            json: None,
            grammar: None,
            prose_most: usize::MAX,
            looked_at_prose: 0,
        }
    }

    /// The same over an answer that may have so many tokens: prose is not waited for through more than
    /// half of them.
    #[must_use]
    pub fn within(mut self, max_tokens: u32) -> Self {
        let tokens = usize::try_from(max_tokens).unwrap_or(usize::MAX);
        let half = tokens.saturating_mul(BYTES_PER_TOKEN) / 2;
        self.prose_most = half.max(PROSE_AFTER_BYTES);
        self
    }

    /// A watch over a reply that was asked for as JSON. One that turns out to be XML is watched as
    /// such.
    pub fn of_json(allowed: AllowedTags) -> Self {
        Self {
            json: Some(JsonScan::default()),
            ..Self::new(allowed)
        }
    }

    /// A watch over a reply that the server keeps to a grammar. One that it does not is watched as any.
    pub fn of_grammar(allowed: AllowedTags) -> Self {
        Self {
            grammar: Some(GrammarScan::default()),
            ..Self::new(allowed)
        }
    }

    /// Takes the next piece in, and says whether that is enough. Work is in proportion to what has
    /// arrived; asking again after a cut gives the same one or an earlier one.
    pub fn push(&mut self, piece: &str) -> Option<StopPoint> {
        self.text.push_str(piece);
        if self.allowed.is_empty() {
            // Prose is for whoever asked: what repeats itself there may be a table.
            return self.too_long();
        }
        if self.text.trim_start().starts_with('<') {
            self.json = None;
        }
        let stop = if self.json.is_some() {
            self.look_at_items()
        } else {
            self.look_at_elements()
        };
        stop.or_else(|| self.look_at_tail())
    }

    /// A cut where the reply has come to; none in prose, which is heard to its end.
    pub fn stop_here(&self, reason: EarlyStop) -> Option<StopPoint> {
        (!self.allowed.is_empty()).then(|| self.stop(reason, self.text.len()))
    }

    /// Moves on through a reply that is JSON.
    fn look_at_items(&mut self) -> Option<StopPoint> {
        let scan = self.json.as_mut()?;
        scan.advance(&self.text);
        let new = scan.items().get(self.instructions.len()..);
        let new = new.unwrap_or_default().to_vec();
        let (is_open, end) = (scan.open_item().is_some(), scan.end());
        for (start, item_end) in new {
            if let Some(stop) = self.closed(start, item_end) {
                return Some(stop);
            }
        }
        self.inside = if is_open {
            Inside::Item
        } else {
            Inside::Nothing
        };
        let after = self.text.get(end?..)?.trim();
        let is_over = after.len() > PROSE_AFTER_BYTES && !self.instructions.is_empty();
        is_over
            .then(|| self.stop_behind_last(EarlyStop::Complete))
            .flatten()
    }

    /// The text up to a cut, and nothing of what came after it.
    pub fn into_text(mut self, stop: Option<StopPoint>) -> String {
        if let Some(stop) = stop {
            self.text.truncate(stop.keep_bytes);
        }
        self.text
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
            Inside::Nothing => self.look_outside(),
            Inside::Reasoning => self.leave_at("</think>"),
            Inside::Comment => self.leave_at("-->"),
            Inside::Item => None,
            Inside::Instruction { tag, start } => {
                let grammar = self
                    .grammar
                    .as_mut()
                    .map(|grammar| grammar.advance(&self.text, tag));
                match grammar {
                    Some(Seen::End(end)) => return self.closed(start, end),
                    Some(Seen::Open) => return None,
                    Some(Seen::Strange) => self.grammar = None,
                    None => {}
                }
                let closing = format!("</{}>", tag.name());
                match self.find(&closing) {
                    Some(end) => self.closed(start, end),
                    None => None,
                }
            }
        }
    }

    /// The end of the first `mark` that begins at or after the place; looks at no byte much more
    /// than once.
    fn find(&mut self, mark: &str) -> Option<usize> {
        let found = self.text.get(self.at..)?.find(mark);
        if let Some(found) = found {
            return Some(self.at + found + mark.len());
        }
        self.at = seen_without(&self.text, mark).max(self.at);
        None
    }

    fn leave_at(&mut self, mark: &str) -> Option<StopPoint> {
        if let Some(end) = self.find(mark) {
            self.step_over_to(end);
        }
        None
    }

    fn step_over_to(&mut self, end: usize) {
        self.inside = Inside::Nothing;
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
        let rest = self.text.get(self.at..)?;
        let Some(open) = rest.find('<') else {
            self.at = self.text.len();
            return self.prose(self.text.len());
        };
        let open = self.at + open;
        if let Some(stop) = self.prose(open) {
            return Some(stop);
        }
        let after = self.text.get(open + 1..)?;
        if after.starts_with("!--") {
            self.inside = Inside::Comment;
            self.at = open;
            return self.leave_at("-->");
        }
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = after.bytes().take_while(is_name).count();
        let may_go_on = length == after.len() && length <= ELEMENT_NAME_BYTES_MAX;
        if may_go_on || "!--".starts_with(after) {
            // The name may go on, or become a comment.
            self.at = open;
            return None;
        }
        let name = after.get(..length)?.to_owned();
        self.at = open + 1 + length;
        self.opened(&name, open)
    }

    /// An element opens, or something that only looks like one.
    fn opened(&mut self, name: &str, open: usize) -> Option<StopPoint> {
        match Tag::parse(name) {
            Some(tag) if self.allowed.contains(tag) => {
                self.inside = Inside::Instruction { tag, start: open };
                self.grammar = self.grammar.take().map(|_| GrammarScan::from(self.at));
                None
            }
            _ if name == "think" => {
                self.inside = Inside::Reasoning;
                None
            }
            // Closing tags, and what is no tag.
            _ if name.is_empty() => None,
            tag if self.instructions.is_empty() => {
                // Where a dialect is not switched on, its tags are like any that nobody knows.
                let is_refused = tag.is_some_and(|tag| !tag.is_dialect());
                self.stranger_first(name, is_refused, open)
            }
            _ => self.stranger(name, open),
        }
    }

    /// An element that is no instruction stands before all of them. It may be one around them, one that the
    /// model thinks in, or an echo of the question; one after the other is none of these.
    fn stranger_first(&mut self, name: &str, is_refused: bool, open: usize) -> Option<StopPoint> {
        if DATA_ELEMENTS.contains(&name) || Child::parse(name).is_some() {
            return None;
        }
        self.strangers += 1;
        self.refused += usize::from(is_refused);
        let is_lost = self.strangers > STRANGERS_FIRST_MAX || self.refused > STRANGERS_MAX;
        is_lost.then(|| self.stop(EarlyStop::ForeignTag, open))
    }

    /// An element that is no instruction stands behind one.
    fn stranger(&mut self, name: &str, open: usize) -> Option<StopPoint> {
        let is_echo = DATA_ELEMENTS.contains(&name);
        if !is_echo && Child::parse(name).is_some() {
            return None;
        }
        self.strangers += 1;
        if self.strangers <= STRANGERS_MAX {
            None
        } else if is_echo {
            self.stop_behind_last(EarlyStop::Complete)
        } else {
            // The ones before are kept, so that the model is told of them.
            Some(self.stop(EarlyStop::ForeignTag, open))
        }
    }

    /// Whether the prose that has followed the instructions shows that no more of them will. A model may
    /// explain itself at length between two of them; one that runs away says the same again and again.
    fn prose(&mut self, end: usize) -> Option<StopPoint> {
        let prose = self.text.get(self.gap..end)?.trim();
        if self.instructions.is_empty() || prose.len() <= PROSE_AFTER_BYTES {
            return None;
        }
        if prose.len() > self.prose_most {
            return self.stop_behind_last(EarlyStop::Complete);
        }
        if end < self.looked_at_prose.saturating_add(LOOK_EVERY_BYTES) {
            return None;
        }
        let repeats = says_the_same(prose);
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
        if let Some(stop) = self.too_long() {
            return Some(stop);
        }
        if self.text.len() < self.looked_at_tail + LOOK_EVERY_BYTES {
            return None;
        }
        self.looked_at_tail = self.text.len();
        let repeated = repeated_tail(self.text.as_bytes())?;
        let mut keep = self.text.len() - repeated;
        while !self.text.is_char_boundary(keep) {
            keep -= 1;
        }
        if self.inside == Inside::Nothing && !self.instructions.is_empty() {
            return self.stop_behind_last(EarlyStop::Repetition);
        }
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
            truncated: matches!(self.inside, Inside::Instruction { .. } | Inside::Item),
        }
    }
}
