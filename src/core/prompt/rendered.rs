//! Renders the data of a prompt after the budget has selected.
//! Included parts are as long as they may be, and a line reports those left out.

use super::assemble::push_result;
use super::fit::{FitInput, PromptDraft};
use super::optional::{
    KEY_NAMED_BYTES, OptionalData, PartIndex, TruncatedPart, with_text, without_notes,
};
use super::{TokenMeter, render_ram};
use crate::core::agent::{ActionResult, RAM_LIST, ResultItem, path_of_result};
use std::collections::BTreeMap;

/// The room for the line about left out keys of RAM, in tokens of the bare estimate.
pub(super) const KEYS_LEFT_OUT_TOKENS: usize = 40;

/// The room for the line about left out results, in tokens of the bare estimate.
pub(super) const RESULTS_LEFT_OUT_TOKENS: usize = 60;

/// The maximum number of left out keys that are named.
const KEYS_NAMED_MAX: usize = 8;

/// The name of the line about left out keys.
const LEFT_OUT: &str = "(left out)";

/// The rendered data of a prompt.
#[derive(Debug, Default)]
pub(super) struct RenderedData {
    /// The shown entries of RAM.
    pub(super) ram: Vec<(String, String)>,
    /// The shown results.
    pub(super) results: Vec<ActionResult>,
    /// The number of results before the first one that is left out.
    pub(super) first_results: usize,
}

/// A result that is included.
struct KeptResult<'a> {
    at: usize,
    result: &'a ActionResult,
    message: &'a str,
    items: Vec<ResultItem>,
    /// The first of its notes that is left out, counted from 1.
    first_left_out: Option<usize>,
}

impl KeptResult<'_> {
    fn into_result(self, source: &OptionalData<'_, '_>) -> ActionResult {
        let left_out = self.result.items.len() - self.items.len();
        let first = self.first_left_out.unwrap_or(1);
        let way = source.way_to_notes(self.at, first);
        ActionResult {
            items: self.items,
            ..without_notes(self.result, self.message, left_out, &way)
        }
    }
}

impl RenderedData {
    /// Returns the data that is shown after a selection.
    pub(super) fn of(fitting: &FitInput<'_, '_>, draft: &PromptDraft) -> Self {
        let (data, meter) = (fitting.source.data, fitting.source.meter);
        let mut rendered = Self {
            first_results: data.results.len(),
            ..Self::default()
        };
        let mut kept: Vec<KeptResult<'_>> = Vec::new();
        let (mut ram, mut keys, mut results) = (BTreeMap::new(), Vec::new(), Vec::new());
        let lengths = draft.firm.iter().zip(&draft.full);
        for (optional, ((at, cut), full)) in fitting.optional.iter().zip(lengths) {
            let is_in = draft.has(*at);
            let full = full.as_ref().filter(|(rest, _)| draft.has(*rest));
            let TruncatedPart { text, .. } = full.map_or(cut, |(_, cut)| cut);
            match optional.place {
                PartIndex::Entry(at) if is_in => {
                    ram.extend(data.ram.get(at).map(|(key, value)| {
                        let text = text.as_ref().unwrap_or(value);
                        (at, (key.clone(), text.clone()))
                    }));
                }
                PartIndex::Entry(at) => keys.extend(data.ram.get(at).map(|(key, _)| key.as_str())),
                PartIndex::Head(at) if is_in => {
                    kept.extend(data.results.get(at).map(|result| KeptResult {
                        at,
                        first_left_out: None,
                        result,
                        message: text.as_deref().unwrap_or(&result.message),
                        items: Vec::new(),
                    }));
                }
                PartIndex::Head(at) => {
                    rendered.first_results = rendered.first_results.min(at);
                    results.push(data.numbered.of(at));
                }
                PartIndex::Note(at, note) if is_in => {
                    let item = data.results.get(at).and_then(|it| it.items.get(note));
                    if let (Some(item), Some(kept)) = (item, kept.last_mut()) {
                        kept.items.push(with_text(item, text.as_deref()));
                    }
                }
                PartIndex::Note(at, note) => {
                    if let Some(kept) = kept.last_mut().filter(|kept| kept.at == at) {
                        kept.first_left_out.get_or_insert(note + 1);
                    }
                }
            }
        }
        rendered.ram.extend(ram.into_values());
        let [tells_keys, tells_results] = draft.names_left_out;
        if tells_keys && !keys.is_empty() {
            rendered.ram.push(keys_line(&keys, meter));
        }
        let kept = kept
            .into_iter()
            .map(|kept| kept.into_result(&fitting.source));
        rendered.results.extend(kept);
        if tells_results && !results.is_empty() {
            rendered.results.push(results_line(&results, meter));
        }
        rendered
    }
}

/// Returns the line about left out keys: their number, the first names, and how to list all.
fn keys_line(keys: &[&str], meter: TokenMeter) -> (String, String) {
    let most = meter.scale(KEYS_LEFT_OUT_TOKENS);
    let line = |named: &[&str]| {
        let names = named.join(", ");
        let colon = if named.is_empty() { "" } else { ": " };
        let count = keys.len();
        format!("{count} more keys{colon}{names}; record_search {RAM_LIST} lists all")
    };
    let fits = |line: &str| meter.text(&render_ram(&[(LEFT_OUT, line)])) < most;
    let short = keys.iter().take_while(|key| key.len() <= KEY_NAMED_BYTES);
    let mut named: Vec<&str> = short.take(KEYS_NAMED_MAX).copied().collect();
    while !named.is_empty() && !fits(&line(&named)) {
        named.pop();
    }
    (LEFT_OUT.to_owned(), line(&named))
}

/// Returns the line about left out results: how many, with which numbers, and how to see one.
/// A result without a number appears anew in each prompt.
fn results_line(left_out: &[Option<u64>], meter: TokenMeter) -> ActionResult {
    let most = meter.scale(RESULTS_LEFT_OUT_TOKENS);
    let numbers: Vec<u64> = left_out.iter().copied().flatten().collect();
    let count = left_out.len();
    let line = |which: &str, way: &str| ActionResult {
        op: "reply".to_owned(),
        target: String::new(),
        code: None,
        message: format!("{count} more results not shown{which}; {way}"),
        items: Vec::new(),
        example: None,
        page: None,
    };
    let fits = |line: &ActionResult| {
        let mut text = String::new();
        push_result(&mut text, line);
        meter.text(&text) < most
    };
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
        return line("", "ask for less at once");
    };
    let way = format!("record_search {} shows one", path_of_result(*first));
    let named: Vec<String> = numbers
        .chunk_by(|one, next| one + 1 == *next)
        .map(|run| match run {
            [first, .., last] => format!("_{first} to _{last}"),
            [one] => format!("_{one}"),
            [] => String::new(),
        })
        .collect();
    let exact = line(&format!(": {}", named.join(", ")), &way);
    if fits(&exact) {
        exact
    } else {
        line(&format!(", of _{first} to _{last}"), &way)
    }
}
