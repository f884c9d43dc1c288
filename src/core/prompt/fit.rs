//! Fits a prompt into its budget: selects parts, cuts long ones, and reports the left out ones.
//! Pure: equal data gives equal bytes, in the order of the assembly.

use super::allocation::{AllocationSummary, BudgetAllocation, Selection};
use super::assemble::PromptData;
use super::budget::{NoPrompt, TokenBudget, select};
use super::fair_share::{FairShare, Size};
use super::optional::{Cut, Optional, Place, Wishes};
use super::part::{EmbeddedInstruction, PartType, Priority};
use super::rendered::{Rendered, keys_line, results_line};
use super::required::{Required, Texts};
use super::{Message, PromptFile, TokenMeter, Window};
use crate::core::agent::ActionResult;
use crate::core::notes::ShownNote;
use crate::failure::{Code, Failure};
use crate::plain_text::count;

/// The room for the line about left out keys of RAM, in tokens of the bare estimate.
const KEYS_LEFT_OUT_TOKENS: usize = 40;

/// The room for the line about left out results, in tokens of the bare estimate.
const RESULTS_LEFT_OUT_TOKENS: usize = 60;

/// The share of a budget that is kept when it was too large for the server, in percent.
const TIGHTENED_KEEPS_PERCENT: usize = 75;

/// The limits that a prompt must fit into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptBudget {
    /// The model's window.
    pub window: Window,
    /// The maximum number of tokens of the answer.
    pub max_tokens: u32,
    /// The token meter of the model.
    pub meter: TokenMeter,
    /// The configured budget.
    pub budget: TokenBudget,
    /// The number of times that the server found a fitting prompt too long.
    /// It did not say by how much.
    pub shrink_steps: u32,
}

impl PromptBudget {
    /// Returns the maximum tokens of a prompt that the window allows beside the answer.
    pub fn prompt_tokens(&self) -> usize {
        let tokens = self.window.prompt_tokens(self.max_tokens);
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    /// Returns the budget that the window allows beside the answer, after all shrink steps.
    pub fn in_force(&self) -> TokenBudget {
        let most = self.prompt_tokens().min(self.budget.max_total);
        let shrink_steps = |most: usize, _| most.saturating_mul(TIGHTENED_KEEPS_PERCENT) / 100;
        self.budget
            .within((0..self.shrink_steps).fold(most, shrink_steps))
    }

    /// Returns the tokens of the window that are left to the answer.
    pub fn answer_tokens(&self) -> u32 {
        self.window.tokens - self.window.prompt_tokens(self.max_tokens)
    }

    /// Returns the message for a person about examples that have no room.
    pub fn without_examples(&self, examples: usize) -> String {
        let examples = count(u64::try_from(examples).unwrap_or(u64::MAX), "example");
        let window = self.window.tokens;
        format!("{examples} left out of the prompt: a window of {window} has no room")
    }

    /// Returns the failure for a person when there is no prompt.
    pub fn failure(&self, no_prompt: NoPrompt) -> Failure {
        let NoPrompt::CriticalDropped {
            critical_tokens,
            max_total,
        } = no_prompt
        else {
            return Failure::new(no_prompt.code(), "the prompt could not be counted");
        };
        let takes = format!("what must be in the prompt takes about {critical_tokens} tokens");
        if max_total < self.budget.max_total {
            let Window { tokens, source } = self.window;
            let message = format!(
                "{takes}, and a window of {tokens} ({}) leaves {max_total} beside the answer",
                source.text()
            );
            Failure::new(Code::ContextOverflow, message)
        } else {
            let message = format!("{takes}, and `token_budget.max_total` is {max_total}");
            Failure::new(no_prompt.code(), message)
        }
    }
}

/// A prompt that fits, with the allocation of its parts.
#[derive(Debug)]
pub struct Fitted<'a> {
    /// The messages.
    pub messages: Vec<Message>,
    /// The number of examples of the prompt file that were dropped.
    pub examples_dropped: usize,
    /// The budget that it was made for.
    pub budget: TokenBudget,
    /// The notes that it shows, each with its version.
    pub notes: Vec<ShownNote>,
    /// The number of results before the first one that had no room.
    pub results: usize,
    parts: Vec<EmbeddedInstruction<'a>>,
    selection: Selection,
}

impl Fitted<'_> {
    /// Returns the allocation, part by part.
    pub fn allocation(&self) -> BudgetAllocation {
        self.selection.allocation(&self.parts)
    }

    /// Returns the allocation in numbers.
    pub fn summary(&self) -> AllocationSummary {
        self.selection.summary(&self.parts)
    }
}

/// Assembles the messages of one call within its budget.
///
/// # Errors
/// [`NoPrompt`] if the required parts do not fit even with the shortest request and step, or if
/// they cannot be counted.
pub fn fit<'a>(
    file: &'a PromptFile,
    data: &PromptData<'a>,
    prompt_budget: &PromptBudget,
) -> Result<Fitted<'a>, NoPrompt> {
    fit_either_way(file, data, prompt_budget).map(|(fitted, _)| fitted)
}

/// Like [`fit`], but also returns how request and step were cut.
pub(super) fn fit_either_way<'a>(
    file: &'a PromptFile,
    data: &PromptData<'a>,
    prompt_budget: &PromptBudget,
) -> Result<(Fitted<'a>, Texts), NoPrompt> {
    let fitted = |texts| fit_with(file, data, prompt_budget, texts).map(|fitted| (fitted, texts));
    match fitted(Texts::Roomy) {
        Err(NoPrompt::CriticalDropped { .. }) => fitted(Texts::Tight),
        others => others,
    }
}

/// Like [`fit`], but with request and step cut in the given way.
pub(super) fn fit_with<'a>(
    file: &'a PromptFile,
    data: &PromptData<'a>,
    prompt_budget: &PromptBudget,
    texts: Texts,
) -> Result<Fitted<'a>, NoPrompt> {
    let (budget, meter) = (prompt_budget.in_force(), prompt_budget.meter.steady());
    let required = Required::of(file, data, &budget, meter, texts)?;
    let wishes = Wishes { data, meter };
    let mut optional = wishes.all()?;
    let parts = full_parts(&required, &wishes, &optional);
    let selection = select(&parts, &required.barred, &budget, meter)?;
    let mut others = required.parts.len()..parts.len();
    if others.all(|at| selection.has(at)) {
        return Ok(Fitted {
            messages: required.arrange(file, data),
            examples_dropped: required.dropped.len(),
            budget,
            notes: notes_of(data.results),
            results: data.results.len(),
            parts,
            selection,
        });
    }
    for optional in &mut optional {
        optional.size.least = wishes.least(optional);
    }
    let fitting = Fitting {
        wishes,
        optional,
        budget,
        required: &required,
    };
    let (draft, selection) = fitting.settle()?;
    let rendered = Rendered::of(&fitting, &draft, &selection);
    let data = PromptData {
        ram: &rendered.ram,
        results: &rendered.results,
        ..*data
    };
    Ok(Fitted {
        messages: required.arrange(file, &data),
        examples_dropped: required.dropped.len(),
        budget,
        notes: notes_of(data.results),
        results: rendered.first_results,
        parts: draft.parts,
        selection,
    })
}

/// Returns the notes that results show, each version once.
fn notes_of(results: &[ActionResult]) -> Vec<ShownNote> {
    let items = results.iter().flat_map(|result| &result.items);
    let mut notes: Vec<ShownNote> = items
        .map(|item| ShownNote {
            id: item.id,
            version: item.version,
        })
        .collect();
    notes.sort_unstable();
    notes.dedup();
    notes
}

/// Returns the parts without any cuts.
pub(super) fn full_parts<'a>(
    required: &Required<'a>,
    wishes: &Wishes<'_, '_>,
    optional: &[Optional],
) -> Vec<EmbeddedInstruction<'a>> {
    let mut parts = required.parts.clone();
    for optional in optional {
        let Size { full, low, .. } = optional.size;
        parts.push(wishes.part(optional, full - low));
        if low > 0 {
            parts.push(wishes.rest_part(optional, low));
        }
    }
    parts
}

/// Which of the lines about left out parts are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LeftOut {
    keys: bool,
    results: bool,
}

/// The input of the fitting, if not everything fits.
#[derive(Debug)]
pub(super) struct Fitting<'d, 'a> {
    /// The optional data: RAM and results.
    pub(super) wishes: Wishes<'d, 'a>,
    /// The optional parts of that data.
    pub(super) optional: Vec<Optional>,
    budget: TokenBudget,
    required: &'d Required<'a>,
}

/// Parts that are cut to their levels.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    parts: Vec<EmbeddedInstruction<'a>>,
    /// The part that each part needs to be included.
    needs: Vec<Option<usize>>,
    /// The place and the cut text of each optional part.
    pub(super) firm: Vec<(usize, Cut)>,
    /// Like `firm`, but with the low tokens of the part, if it has any.
    pub(super) full: Vec<Option<(usize, Cut)>>,
    /// Whether there are lines about left out keys and about left out results.
    pub(super) names_left_out: [bool; 2],
}

impl<'a> Draft<'a> {
    fn push(&mut self, part: EmbeddedInstruction<'a>, needs: Option<usize>) -> usize {
        self.parts.push(part);
        self.needs.push(needs);
        self.parts.len() - 1
    }
}

impl<'a> Fitting<'_, 'a> {
    /// Returns a draft and a selection that agree about the lines for left out parts.
    fn settle(&self) -> Result<(Draft<'a>, Selection), NoPrompt> {
        let mut left_out = LeftOut::default();
        loop {
            let draft = self.draft(left_out);
            let selection = self.selection(&draft)?;
            let mut needed = left_out;
            for (optional, (at, _)) in self.optional.iter().zip(&draft.firm) {
                match optional.place {
                    Place::Entry(_) => needed.keys |= !selection.has(*at),
                    Place::Head(_) => needed.results |= !selection.has(*at),
                    Place::Note(..) => {}
                }
            }
            if needed == left_out {
                return Ok((draft, selection));
            }
            left_out = needed;
        }
    }

    /// Returns a selection in which each part has the part that it needs.
    fn selection(&self, draft: &Draft<'a>) -> Result<Selection, NoPrompt> {
        let mut barred = self.required.barred.clone();
        barred.resize(draft.parts.len(), None);
        loop {
            let meter = self.wishes.meter;
            let selection = select(&draft.parts, &barred, &self.budget, meter)?;
            let mut is_full = true;
            for (at, needs) in draft.needs.iter().enumerate() {
                let missing = needs.filter(|needed| !selection.has(*needed));
                if let Some(needed) = missing.filter(|_| selection.has(at)) {
                    barred[at] = selection.reasons[needed];
                    is_full = false;
                }
            }
            if is_full {
                return Ok(selection);
            }
        }
    }

    fn draft(&self, left_out: LeftOut) -> Draft<'a> {
        let fair_share = self.fair_share(left_out);
        let parts = self.required.parts.clone();
        let mut draft = Draft {
            needs: vec![None; parts.len()],
            parts,
            firm: Vec::with_capacity(self.optional.len()),
            full: Vec::with_capacity(self.optional.len()),
            names_left_out: [false; 2],
        };
        let lines = self.left_out_parts(left_out);
        draft.names_left_out = lines.each_ref().map(Option::is_some);
        for part in lines.into_iter().flatten() {
            draft.push(part, None);
        }
        let mut head = None;
        for optional in &self.optional {
            let cut = self.wishes.cut(optional, fair_share.firm(optional.size));
            let needs = head.filter(|_| matches!(optional.place, Place::Note(..)));
            let at = draft.push(self.wishes.part(optional, cut.tokens), needs);
            if let Place::Head(_) = optional.place {
                head = Some(at);
            }
            let full = (optional.size.low > 0).then(|| {
                let full = self.wishes.cut(optional, fair_share.full(optional.size));
                let more = full.tokens.saturating_sub(cut.tokens);
                (
                    draft.push(self.wishes.rest_part(optional, more), Some(at)),
                    full,
                )
            });
            draft.firm.push((at, cut));
            draft.full.push(full);
        }
        draft
    }

    fn fair_share(&self, left_out: LeftOut) -> FairShare {
        let (keys, results) = left_out.tokens(self.wishes.meter);
        let required = self.required.tokens() + keys + results;
        let sizes: Vec<Size> = self.optional.iter().map(|optional| optional.size).collect();
        FairShare::of(&sizes, &self.budget, self.budget.space_beside(required))
    }

    /// Returns the line about left out keys.
    pub(super) fn keys_line(&self, keys: &[&str]) -> (String, String) {
        let meter = self.wishes.meter;
        keys_line(keys, meter.scale(KEYS_LEFT_OUT_TOKENS), meter)
    }

    /// Returns the line about left out results.
    pub(super) fn results_line(&self, left_out: &[Option<u64>]) -> ActionResult {
        let meter = self.wishes.meter;
        results_line(left_out, meter.scale(RESULTS_LEFT_OUT_TOKENS), meter)
    }

    /// Returns the lines about left out parts, at their maximum size.
    /// They are critical: they lack room only if the required parts take all of it.
    fn left_out_parts(&self, left_out: LeftOut) -> [Option<EmbeddedInstruction<'static>>; 2] {
        let (keys, results) = left_out.tokens(self.wishes.meter);
        let fits = self.required.tokens() + keys + results <= self.budget.max_total;
        let line = |is_needed: bool, id: &'static str, part_type, tokens| {
            let part = || EmbeddedInstruction::measured(id, part_type, Priority::Critical, tokens);
            (is_needed && fits).then(part)
        };
        [
            line(left_out.keys, "ram, keys left out", PartType::Memory, keys),
            line(
                left_out.results,
                "results left out",
                PartType::Session,
                results,
            ),
        ]
    }
}

impl LeftOut {
    /// Returns the maximum tokens of each line.
    const fn tokens(self, meter: TokenMeter) -> (usize, usize) {
        let keys = meter.scale(KEYS_LEFT_OUT_TOKENS);
        let results = meter.scale(RESULTS_LEFT_OUT_TOKENS);
        (
            if self.keys { keys } else { 0 },
            if self.results { results } else { 0 },
        )
    }
}
