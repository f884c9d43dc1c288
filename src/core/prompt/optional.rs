//! The optional parts of a prompt, which may be cut or left out: keys of RAM, and results.
//! This module renders and cuts them; the budget decides which ones.

use super::TokenMeter;
use super::allocation::{PartType, Priority, PromptPart};
use super::assemble::{PromptData, push_item, push_result, render_ram};
use super::budget::PromptError;
use super::cut::cut_end;
use super::fair_share::PartSize;
use super::page::TextPage;
use super::required::count;
use crate::core::agent::{ActionResult, ResultItem, path_of_result};
use crate::core::memory::ram::{PLAN, STEPS};

/// The tokens of a note that are not of low priority, in tokens of the bare estimate.
/// They hold its id, its title, and as much of its text as a search shows.
const NOTE_TOKENS: usize = 120;

/// The maximum length of a key that a mark or a line repeats, in bytes.
pub const KEY_NAMED_BYTES: usize = 40;

/// The hint for the rest of a note's text.
const REST_OF_NOTE: &str = "; record_search its id shows it";

/// The place of a part in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartIndex {
    /// A key of RAM.
    Entry(usize),
    /// A result without its notes.
    Head(usize),
    /// A note of a result.
    Note(usize, usize),
}

/// One optional part, before anything is cut.
#[derive(Clone, Debug)]
pub(super) struct Optional {
    /// Its place.
    pub(super) place: PartIndex,
    /// Its size.
    pub(super) size: PartSize,
    priority: Priority,
}

/// A part that is cut to its limit.
#[derive(Clone, Debug)]
pub(super) struct TruncatedPart {
    /// The text, if it is cut.
    pub(super) text: Option<String>,
    /// The tokens of the part with that text.
    pub(super) tokens: usize,
}

/// The optional data of a prompt: RAM and results.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionalData<'d, 'a> {
    /// The data.
    pub(super) data: &'d PromptData<'a>,
    /// The token meter.
    pub(super) meter: TokenMeter,
}

impl OptionalData<'_, '_> {
    /// Returns every part without cuts, in the order of the prompt.
    pub(super) fn all(&self) -> Result<Vec<Optional>, PromptError> {
        let results = self.data.results.iter().enumerate();
        let of_result = |(at, result): (usize, &ActionResult)| {
            let notes = (0..result.items.len()).map(move |note| PartIndex::Note(at, note));
            std::iter::once(PartIndex::Head(at)).chain(notes)
        };
        // Each key once, even if the order omits or repeats some.
        let mut is_left: Vec<bool> = vec![true; self.data.ram.len()];
        let ordered = self.data.ram_order.iter().copied();
        let entries: Vec<usize> = ordered
            .chain(0..self.data.ram.len())
            .filter(|at| is_left.get_mut(*at).is_some_and(std::mem::take))
            .collect();
        let entries = entries.into_iter().map(PartIndex::Entry);
        let places = entries.chain(results.flat_map(of_result));
        places.map(|place| self.optional(place)).collect()
    }

    fn optional(&self, place: PartIndex) -> Result<Optional, PromptError> {
        let (part_type, priority) = self.rank(place);
        let full = count(self.meter, &self.rendered(place, None))?;
        let firm = match place {
            PartIndex::Note(..) => full.min(self.meter.scale(NOTE_TOKENS)),
            PartIndex::Entry(_) | PartIndex::Head(_) => full,
        };
        let size = PartSize {
            part_type,
            full,
            least: full,
            low: full - firm,
        };
        Ok(Optional {
            place,
            size,
            priority,
        })
    }

    fn rank(&self, place: PartIndex) -> (PartType, Priority) {
        match place {
            PartIndex::Entry(at) => match self.entry(at).0 {
                PLAN | STEPS => (PartType::Todo, Priority::High),
                _ => (PartType::Memory, Priority::Normal),
            },
            PartIndex::Head(at) => {
                let is_refusal = self
                    .data
                    .results
                    .get(at)
                    .is_some_and(|it| it.code.is_some());
                let priority = if is_refusal {
                    Priority::High
                } else {
                    Priority::Normal
                };
                (PartType::Session, priority)
            }
            PartIndex::Note(..) => (PartType::Session, Priority::Normal),
        }
    }

    /// Returns the smallest size of a part, in tokens.
    pub(super) fn least(&self, optional: &Optional) -> usize {
        let shortest = self.shortened(optional.place, 0, |_| true);
        let tokens = shortest.map(|text| self.tokens(optional.place, Some(&text)));
        tokens.map_or(optional.size.full, |tokens| tokens.min(optional.size.full))
    }

    /// Returns a part of at most `most` tokens, or the whole one if it cannot be cut.
    pub(super) fn cut(&self, optional: &Optional, most: usize) -> TruncatedPart {
        let whole = TruncatedPart {
            text: None,
            tokens: optional.size.full,
        };
        if optional.size.full <= most {
            return whole;
        }
        let fits = |text: &str| self.tokens(optional.place, Some(text)) <= most;
        let chars_max = self.meter.characters_below(most);
        self.shortened(optional.place, chars_max, fits)
            .map_or(whole, |text| TruncatedPart {
                tokens: self.tokens(optional.place, Some(&text)),
                text: Some(text),
            })
    }

    /// Returns the part for the budget.
    pub(super) fn part(&self, optional: &Optional, tokens: usize) -> PromptPart {
        let PartSize { full, low, .. } = optional.size;
        let (id, part_type) = (self.id(optional.place), optional.size.part_type);
        PromptPart {
            cut_from: (tokens < full - low).then_some(full),
            ..PromptPart::new(id, part_type, optional.priority, tokens)
        }
    }

    /// Returns the part for the low tokens of a part: `more` tokens beside the others.
    pub(super) fn rest_part(&self, optional: &Optional, more: usize) -> PromptPart {
        let PartSize { part_type, low, .. } = optional.size;
        let id = format!("{}, the rest", self.id(optional.place));
        PromptPart {
            cut_from: (more < low).then_some(low),
            ..PromptPart::new(id, part_type, Priority::Low, more)
        }
    }

    fn id(&self, place: PartIndex) -> String {
        match place {
            PartIndex::Entry(at) => format!("ram {}", self.entry(at).0),
            PartIndex::Head(at) => format!("result {}", at + 1),
            PartIndex::Note(at, note) => format!("result {} note {}", at + 1, note + 1),
        }
    }

    fn entry(&self, at: usize) -> (&str, &str) {
        let entry = self.data.ram.get(at);
        entry.map_or(("", ""), |(key, value)| (key, value))
    }

    fn item(&self, at: usize, note: usize) -> Option<&ResultItem> {
        self.data.results.get(at)?.items.get(note)
    }

    fn tokens(&self, place: PartIndex, text: Option<&str>) -> usize {
        self.meter.text(&self.rendered(place, text))
    }

    /// Returns the part as it stands in a prompt, with this text in place of its own.
    fn rendered(&self, place: PartIndex, text: Option<&str>) -> String {
        let mut out = String::new();
        match place {
            PartIndex::Entry(at) => {
                let (key, value) = self.entry(at);
                out = render_ram(&[(key, text.unwrap_or(value))]);
            }
            PartIndex::Head(at) => {
                if let Some(result) = self.data.results.get(at) {
                    let message = text.unwrap_or(&result.message);
                    // The longest form, which it has when notes of it are left out.
                    let most = result.items.len();
                    let way = self.way_to_notes(at, most);
                    push_result(&mut out, &without_notes(result, message, most, &way));
                }
            }
            PartIndex::Note(at, note) => {
                if let Some(item) = self.item(at, note) {
                    push_item(&mut out, item, text.unwrap_or(&item.text));
                }
            }
        }
        out.push('\n');
        out
    }

    /// Returns the hint for the notes of a result from note `first` on, counted from 1.
    /// A result without a number appears anew in each prompt.
    pub(super) fn way_to_notes(&self, at: usize, first: usize) -> String {
        match self.data.numbered.of(at) {
            Some(number) => {
                let path = path_of_result(number);
                format!("; record_search {path} {first} goes on")
            }
            None => ", ask for less at once".to_owned(),
        }
    }

    /// Returns the text of a part, cut until it fits; `None` if it has none or cannot be cut.
    fn shortened(
        &self,
        place: PartIndex,
        chars_max: usize,
        fits: impl Fn(&str) -> bool,
    ) -> Option<String> {
        match place {
            PartIndex::Entry(at) => {
                let (key, value) = self.entry(at);
                cut_end(value, &way_back(key), chars_max, fits)
            }
            PartIndex::Head(at) => {
                let result = self.data.results.get(at)?;
                let number = self.data.numbered.of(at).filter(|_| result.page.is_none());
                let path = number.map(path_of_result);
                let own = path.as_ref().filter(|_| result.items.is_empty());
                let own = own.map(|path| TextPage::complete(&result.message, path));
                let page = result.page.as_ref().or(own.as_ref());
                // The number behind its last note stands for the message.
                let behind = result.items.len() + 1;
                let way_back = path.map(|path| format!("; record_search {path} {behind} shows it"));
                let way_back = way_back.unwrap_or_default();
                shorter(&result.message, page, &way_back, chars_max, fits)
            }
            PartIndex::Note(at, note) => {
                let item = self.item(at, note)?;
                shorter(
                    &item.text,
                    item.page.as_ref(),
                    REST_OF_NOTE,
                    chars_max,
                    fits,
                )
            }
        }
    }
}

/// Cuts a text at its end.
/// If it is a page, the page becomes smaller.
fn shorter(
    text: &str,
    page: Option<&TextPage>,
    way_back: &str,
    chars_max: usize,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    match page {
        Some(page) => page.shorter(text, chars_max, fits).map(|(_, cut)| cut),
        None => cut_end(text, way_back, chars_max, fits),
    }
}

/// Returns the hint for the rest of a key's value.
fn way_back(key: &str) -> String {
    if key.len() <= KEY_NAMED_BYTES {
        format!("; record_search {key} shows it")
    } else {
        "; record_search for the key shows it".to_owned()
    }
}

/// Returns a result without notes, whose message says how many there are and how to see them.
pub(super) fn without_notes(
    result: &ActionResult,
    message: &str,
    left_out: usize,
    way: &str,
) -> ActionResult {
    let message = match left_out {
        0 => message.to_owned(),
        _ => with_not_shown(message, left_out, way),
    };
    ActionResult {
        op: result.op.clone(),
        target: result.target.clone(),
        code: result.code,
        message,
        items: Vec::new(),
        example: result.example.clone(),
        page: result.page.clone(),
    }
}

/// Returns a message that also says how many notes are not shown, and how to see them.
pub fn with_not_shown(message: &str, left_out: usize, way: &str) -> String {
    let space = if message.is_empty() { "" } else { "; " };
    format!("{message}{space}{left_out} not shown{way}")
}

/// Returns a note with another text, if there is one.
pub(super) fn with_text(item: &ResultItem, text: Option<&str>) -> ResultItem {
    ResultItem {
        title: item.title.clone(),
        text: text.unwrap_or(&item.text).to_owned(),
        links: item.links.clone(),
        page: item.page.clone(),
        ..*item
    }
}
