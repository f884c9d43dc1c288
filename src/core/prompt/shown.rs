//! What a prompt shows of the data once the budget has selected: what is in, as long as it may be, and
//! a line for what is not.

use super::allocation::Selection;
use super::fit::{Draft, Fitting};
use super::wanted::{Cut, KEY_NAMED_BYTES, Place, with_text, without_notes};
use super::{TokenMeter, render_ram};
use crate::core::agent::{ActionResult, ResultItem};

/// Keys that are named among those left out, at most.
const KEYS_NAMED_MAX: usize = 8;

/// The name of the line about keys that are left out.
const LEFT_OUT: &str = "(left out)";

/// What the prompt shows of the data.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// RAM.
    pub(super) ram: Vec<(String, String)>,
    /// Results.
    pub(super) results: Vec<ActionResult>,
    /// How many of them come before the first one that is left out.
    pub(super) first_results: usize,
}

/// A result that is in.
struct Kept<'a> {
    result: &'a ActionResult,
    message: &'a str,
    items: Vec<ResultItem>,
}

impl Kept<'_> {
    fn told(self) -> ActionResult {
        let left_out = self.result.items.len() - self.items.len();
        ActionResult {
            items: self.items,
            ..without_notes(self.result, self.message, left_out)
        }
    }
}

impl Shown {
    /// What is shown after a selection.
    pub(super) fn of(fitting: &Fitting<'_, '_>, draft: &Draft<'_>, selection: &Selection) -> Self {
        let data = fitting.wishes.data;
        let mut shown = Self {
            first_results: data.results.len(),
            ..Self::default()
        };
        let mut kept: Vec<Kept<'_>> = Vec::new();
        let (mut keys, mut results) = (Vec::new(), 0_usize);
        let lengths = draft.firm.iter().zip(&draft.whole);
        for (wanted, ((at, cut), whole)) in fitting.wanted.iter().zip(lengths) {
            let is_in = selection.has(*at);
            let whole = whole.as_ref().filter(|(rest, _)| selection.has(*rest));
            let Cut { text, .. } = whole.map_or(cut, |(_, cut)| cut);
            match wanted.place {
                Place::Entry(at) if is_in => shown.ram.extend(
                    data.ram
                        .get(at)
                        .map(|(key, value)| (key.clone(), text.as_ref().unwrap_or(value).clone())),
                ),
                Place::Entry(at) => keys.extend(data.ram.get(at).map(|(key, _)| key.as_str())),
                Place::Head(at) if is_in => kept.extend(data.results.get(at).map(|result| Kept {
                    result,
                    message: text.as_deref().unwrap_or(&result.message),
                    items: Vec::new(),
                })),
                Place::Head(at) => {
                    shown.first_results = shown.first_results.min(at);
                    results += 1;
                }
                Place::Note(at, note) if is_in => {
                    let item = data.results.get(at).and_then(|it| it.items.get(note));
                    if let (Some(item), Some(kept)) = (item, kept.last_mut()) {
                        kept.items.push(with_text(item, text.as_deref()));
                    }
                }
                Place::Note(..) => {}
            }
        }
        let [tells_keys, tells_results] = draft.tells;
        if tells_keys && !keys.is_empty() {
            shown.ram.push(fitting.keys_line(&keys));
        }
        shown.results.extend(kept.into_iter().map(Kept::told));
        if tells_results && results > 0 {
            shown.results.push(results_line(results));
        }
        shown
    }
}

/// How many keys are left out, the names of the first ones, and how to get at them.
pub(super) fn keys_line(keys: &[&str], most: usize, meter: TokenMeter) -> (String, String) {
    let line = |named: &[&str]| {
        let names = named.join(", ");
        let colon = if named.is_empty() { "" } else { ": " };
        let count = keys.len();
        format!("{count} more keys{colon}{names}; record_search for a key shows it")
    };
    let fits = |line: &str| meter.text(&render_ram(&[(LEFT_OUT, line)])) < most;
    let short = keys.iter().take_while(|key| key.len() <= KEY_NAMED_BYTES);
    let mut named: Vec<&str> = short.take(KEYS_NAMED_MAX).copied().collect();
    while !named.is_empty() && !fits(&line(&named)) {
        named.pop();
    }
    (LEFT_OUT.to_owned(), line(&named))
}

fn results_line(count: usize) -> ActionResult {
    ActionResult {
        op: "reply".to_owned(),
        target: String::new(),
        code: None,
        message: format!("{count} more results not shown; ask for less at once"),
        items: Vec::new(),
        example: None,
        page: None,
    }
}
