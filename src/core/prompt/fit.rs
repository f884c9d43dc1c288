//! Fits a prompt into its budget: selects parts, cuts long ones, and reports the left out ones.
//! Pure: equal data gives equal bytes, in the order of the assembly.

use super::allocation::{BudgetAllocation, PartType, Priority, PromptPart};
use super::assemble::PromptData;
use super::budget::{PromptError, TokenBudget, select};
use super::fair_share::{FairShare, PartSize};
use super::optional::{Optional, OptionalData, PartIndex, TruncatedPart};
use super::rendered::{KEYS_LEFT_OUT_TOKENS, RESULTS_LEFT_OUT_TOKENS, RenderedData};
use super::required::{Required, TruncationMode};
use super::{PromptFile, PromptMessage, TokenMeter, Window};
use crate::core::agent::ActionResult;
use crate::core::notes::ShownNote;
use crate::failure::{Code, Failure};
use crate::plain_text::count;

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
    pub fn failure(&self, no_prompt: PromptError) -> Failure {
        let PromptError::CriticalDropped {
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
pub struct FittedPrompt {
    /// The messages.
    pub messages: Vec<PromptMessage>,
    /// The number of examples of the prompt file that were dropped.
    pub examples_dropped: usize,
    /// The budget that it was made for.
    pub budget: TokenBudget,
    /// The notes that it shows, each with its version.
    pub notes: Vec<ShownNote>,
    /// The number of results before the first one that had no room.
    pub results: usize,
    /// The allocation of the budget to its parts.
    pub allocation: BudgetAllocation,
}

/// Assembles the messages of one call within its budget.
///
/// # Errors
/// [`PromptError`] if the required parts do not fit even with the shortest request and step, or if
/// they cannot be counted.
pub fn fit(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
) -> Result<FittedPrompt, PromptError> {
    fit_either_way(file, data, prompt_budget).map(|(fitted, _)| fitted)
}

/// Like [`fit`], but also returns how request and step were cut.
pub(super) fn fit_either_way(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
) -> Result<(FittedPrompt, TruncationMode), PromptError> {
    let fitted = |texts| fit_with(file, data, prompt_budget, texts).map(|fitted| (fitted, texts));
    match fitted(TruncationMode::Roomy) {
        Err(PromptError::CriticalDropped { .. }) => fitted(TruncationMode::Tight),
        others => others,
    }
}

/// Like [`fit`], but with request and step cut in the given way.
pub(super) fn fit_with(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
    texts: TruncationMode,
) -> Result<FittedPrompt, PromptError> {
    let (budget, meter) = (prompt_budget.in_force(), prompt_budget.meter.steady());
    let required = Required::of(file, data, &budget, meter, texts)?;
    let source = OptionalData { data, meter };
    let mut optional = source.all()?;
    let mut parts = full_parts(&required, &source, &optional);
    select(&mut parts, &budget)?;
    let fitted = |shown: &PromptData<'_>, results, parts| FittedPrompt {
        messages: required.arrange(file, shown),
        examples_dropped: required.dropped.len(),
        budget,
        notes: notes_of(data.results),
        results,
        allocation: BudgetAllocation::of(parts, &budget),
    };
    let mut others = parts.iter().skip(required.parts.len());
    if others.all(PromptPart::is_included) {
        return Ok(fitted(data, data.results.len(), parts));
    }
    for optional in &mut optional {
        optional.size.least = source.least(optional);
    }
    let fitting = FitInput {
        source,
        optional,
        budget,
        required: &required,
    };
    let draft = fitting.settle()?;
    let rendered = RenderedData::of(&fitting, &draft);
    let shown = PromptData {
        ram: &rendered.ram,
        results: &rendered.results,
        ..*data
    };
    Ok(fitted(&shown, rendered.first_results, draft.parts))
}

/// Returns the required parts of a prompt that does not fit as included, all others as excluded.
/// It tells people what they can change.
///
/// # Errors
/// [`PromptError::EstimationFailed`] for a text that cannot be counted.
pub fn overflow(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
) -> Result<BudgetAllocation, PromptError> {
    let (budget, meter) = (prompt_budget.in_force(), prompt_budget.meter.steady());
    let required = Required::of(file, data, &budget, meter, TruncationMode::Tight)?;
    let source = OptionalData { data, meter };
    let mut parts = full_parts(&required, &source, &source.all()?);
    for part in &mut parts {
        let is_out = part.priority != Priority::Critical;
        part.reason = is_out.then_some(Code::TokenBudgetExceeded);
    }
    Ok(BudgetAllocation::of(parts, &budget))
}

/// Returns the fewest tokens that a prompt can have.
/// It has the instructions of its state, the request and the step cut as short as possible, and
/// neither examples nor other data.
///
/// # Errors
/// [`PromptError::EstimationFailed`] for a text that cannot be counted.
pub fn least_tokens(
    file: &PromptFile,
    data: &PromptData<'_>,
    meter: TokenMeter,
) -> Result<usize, PromptError> {
    let nothing = TokenBudget::default().within(0);
    let required = Required::of(file, data, &nothing, meter.steady(), TruncationMode::Tight)?;
    Ok(required.tokens)
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
fn full_parts(
    required: &Required<'_>,
    source: &OptionalData<'_, '_>,
    optional: &[Optional],
) -> Vec<PromptPart> {
    let mut parts = required.parts.clone();
    for optional in optional {
        let PartSize { full, low, .. } = optional.size;
        parts.push(source.part(optional, full - low));
        if low > 0 {
            parts.push(source.rest_part(optional, low));
        }
    }
    parts
}

/// The lines about left out parts that are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OmissionLines {
    keys: bool,
    results: bool,
}

/// The input of the fitting, if not everything fits.
#[derive(Debug)]
pub(super) struct FitInput<'d, 'a> {
    /// The optional data: RAM and results.
    pub(super) source: OptionalData<'d, 'a>,
    /// The optional parts of that data.
    pub(super) optional: Vec<Optional>,
    budget: TokenBudget,
    required: &'d Required<'a>,
}

/// Parts that are cut to their levels, each with the decision of the budget.
#[derive(Debug)]
pub(super) struct PromptDraft {
    parts: Vec<PromptPart>,
    /// The part that each part needs to be included.
    needs: Vec<Option<usize>>,
    /// The place and the cut text of each optional part.
    pub(super) firm: Vec<(usize, TruncatedPart)>,
    /// Like `firm`, but with the low tokens of the part, if it has any.
    pub(super) full: Vec<Option<(usize, TruncatedPart)>>,
    /// Whether there are lines about left out keys and about left out results.
    pub(super) names_left_out: [bool; 2],
}

impl PromptDraft {
    /// Returns whether a part is included.
    pub(super) fn has(&self, at: usize) -> bool {
        self.parts.get(at).is_some_and(PromptPart::is_included)
    }

    fn push(&mut self, part: PromptPart, needs: Option<usize>) -> usize {
        self.parts.push(part);
        self.needs.push(needs);
        self.parts.len() - 1
    }

    /// Selects the parts so that each included one has the part that it needs.
    fn select(&mut self, budget: &TokenBudget) -> Result<(), PromptError> {
        loop {
            let mut selected = self.parts.clone();
            select(&mut selected, budget)?;
            let mut is_full = true;
            for (at, needs) in self.needs.iter().enumerate() {
                let missing = needs.and_then(|needed| selected[needed].reason);
                if missing.is_some() && selected[at].is_included() {
                    self.parts[at].reason = missing;
                    is_full = false;
                }
            }
            if is_full {
                self.parts = selected;
                return Ok(());
            }
        }
    }
}

impl FitInput<'_, '_> {
    /// Returns a draft whose selection agrees with its lines for left out parts.
    fn settle(&self) -> Result<PromptDraft, PromptError> {
        let mut left_out = OmissionLines::default();
        loop {
            let mut draft = self.draft(left_out);
            draft.select(&self.budget)?;
            let mut needed = left_out;
            for (optional, (at, _)) in self.optional.iter().zip(&draft.firm) {
                match optional.place {
                    PartIndex::Entry(_) => needed.keys |= !draft.has(*at),
                    PartIndex::Head(_) => needed.results |= !draft.has(*at),
                    PartIndex::Note(..) => {}
                }
            }
            if needed == left_out {
                return Ok(draft);
            }
            left_out = needed;
        }
    }

    fn draft(&self, left_out: OmissionLines) -> PromptDraft {
        let fair_share = self.fair_share(left_out);
        let parts = self.required.parts.clone();
        let mut draft = PromptDraft {
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
            let cut = self.source.cut(optional, fair_share.firm(optional.size));
            let needs = head.filter(|_| matches!(optional.place, PartIndex::Note(..)));
            let at = draft.push(self.source.part(optional, cut.tokens), needs);
            if let PartIndex::Head(_) = optional.place {
                head = Some(at);
            }
            let full = (optional.size.low > 0).then(|| {
                let full = self.source.cut(optional, fair_share.full(optional.size));
                let more = full.tokens.saturating_sub(cut.tokens);
                let rest = self.source.rest_part(optional, more);
                (draft.push(rest, Some(at)), full)
            });
            draft.firm.push((at, cut));
            draft.full.push(full);
        }
        draft
    }

    fn fair_share(&self, left_out: OmissionLines) -> FairShare {
        let (keys, results) = left_out.tokens(self.source.meter);
        let required = self.required.tokens + keys + results;
        let sizes: Vec<PartSize> = self.optional.iter().map(|optional| optional.size).collect();
        FairShare::of(&sizes, &self.budget, self.budget.space_beside(required))
    }

    /// Returns the lines about left out parts, at their maximum size.
    /// They are critical: they lack room only if the required parts take all of it.
    fn left_out_parts(&self, left_out: OmissionLines) -> [Option<PromptPart>; 2] {
        let (keys, results) = left_out.tokens(self.source.meter);
        let fits = self.required.tokens + keys + results <= self.budget.max_total;
        let line = |is_needed: bool, id, part_type, tokens| {
            (is_needed && fits).then(|| PromptPart::new(id, part_type, Priority::Critical, tokens))
        };
        let id = ["ram, keys left out", "results left out"];
        [
            line(left_out.keys, id[0], PartType::Memory, keys),
            line(left_out.results, id[1], PartType::Session, results),
        ]
    }
}

impl OmissionLines {
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
