//! Fits a prompt into its room: the budget selects, what is too long is cut with a visible mark, what
//! is left out is told. Pure: the same data always gives the same bytes, in the order of the assembly.

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

/// Room for the line that says which keys of RAM are left out, in tokens of the bare estimate.
const KEYS_LEFT_OUT_TOKENS: usize = 40;

/// Room for the result that says how many others are left out, in tokens of the bare estimate.
const RESULTS_LEFT_OUT_TOKENS: usize = 60;

/// What is kept of a budget that turned out to be too large for the server, in hundredths.
const TIGHTENED_KEEPS_PERCENT: usize = 75;

/// What a prompt has to fit into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptBudget {
    /// The model's window.
    pub window: Window,
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// How the model counts.
    pub meter: TokenMeter,
    /// The budget as it is configured.
    pub budget: TokenBudget,
    /// How often the server found a prompt too long that seemed to fit, and did not say by how much.
    pub shrink_steps: u32,
}

impl PromptBudget {
    /// The most tokens that the window leaves to a prompt, beside the answer.
    pub fn prompt_tokens(&self) -> usize {
        let tokens = self.window.prompt_tokens(self.max_tokens);
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    /// The budget as far as the window has room for it, the answer's share taken off.
    pub fn in_force(&self) -> TokenBudget {
        let most = self.prompt_tokens().min(self.budget.max_total);
        let shrink_steps = |most: usize, _| most.saturating_mul(TIGHTENED_KEEPS_PERCENT) / 100;
        self.budget
            .within((0..self.shrink_steps).fold(most, shrink_steps))
    }

    /// What of the window is left to the answer, in tokens.
    pub fn answer_tokens(&self) -> u32 {
        self.window.tokens - self.window.prompt_tokens(self.max_tokens)
    }

    /// What a person is told when so many examples have no room.
    pub fn without_examples(&self, examples: usize) -> String {
        let examples = count(u64::try_from(examples).unwrap_or(u64::MAX), "example");
        let window = self.window.tokens;
        format!("{examples} left out of the prompt: a window of {window} has no room")
    }

    /// What a person is told when there is no prompt.
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

/// A prompt that fits, and what became of its parts.
#[derive(Debug)]
pub struct Fitted<'a> {
    /// The messages.
    pub messages: Vec<Message>,
    /// How many examples of the prompt file had to go.
    pub examples_dropped: usize,
    /// The budget that it was made for: that of its room, or a smaller one.
    pub budget: TokenBudget,
    /// The notes that stand in it, each in that version.
    pub notes: Vec<ShownNote>,
    /// How many results stand in it before the first one that had no room.
    pub results: usize,
    parts: Vec<EmbeddedInstruction<'a>>,
    selection: Selection,
}

impl Fitted<'_> {
    /// What is in and what is not, part by part.
    pub fn allocation(&self) -> BudgetAllocation {
        self.selection.allocation(&self.parts)
    }

    /// The same in numbers.
    pub fn summary(&self) -> AllocationSummary {
        self.selection.summary(&self.parts)
    }
}

/// Puts the messages of one call together, within its room.
///
/// # Errors
/// [`NoPrompt`] when what must be in does not fit, request and step as short as can be, or cannot be
/// counted.
pub fn fit<'a>(
    file: &'a PromptFile,
    data: &PromptData<'a>,
    prompt_budget: &PromptBudget,
) -> Result<Fitted<'a>, NoPrompt> {
    fit_either_way(file, data, prompt_budget).map(|(fitted, _)| fitted)
}

/// The same, and how much of request and step it had to cut for that.
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

/// The same with that much of request and step.
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

/// The notes that some results show, each version once.
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

/// The parts as they are when nothing is cut.
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

/// Which of the lines that tell what is left out are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LeftOut {
    keys: bool,
    results: bool,
}

/// Everything that a prompt is fitted from, when not all of it fits.
#[derive(Debug)]
pub(super) struct Fitting<'d, 'a> {
    /// What RAM and results want.
    pub(super) wishes: Wishes<'d, 'a>,
    /// The same, part by part.
    pub(super) optional: Vec<Optional>,
    budget: TokenBudget,
    required: &'d Required<'a>,
}

/// Parts that are as long as their levels allow.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    parts: Vec<EmbeddedInstruction<'a>>,
    /// The part that another one cannot be in without.
    needs: Vec<Option<usize>>,
    /// For each wanted part where it stands among the parts, and its text.
    pub(super) firm: Vec<(usize, Cut)>,
    /// The same with what is low of it, where there is any.
    pub(super) full: Vec<Option<(usize, Cut)>>,
    /// Whether it is told which keys and how many results are left out.
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
    /// Parts and selection that belong together: what tells of the left out parts has its room.
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

    /// What is in, and nothing without what it belongs to.
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

    /// The line that tells which keys are left out.
    pub(super) fn keys_line(&self, keys: &[&str]) -> (String, String) {
        let meter = self.wishes.meter;
        keys_line(keys, meter.scale(KEYS_LEFT_OUT_TOKENS), meter)
    }

    /// The line that tells which results are left out.
    pub(super) fn results_line(&self, left_out: &[Option<u64>]) -> ActionResult {
        let meter = self.wishes.meter;
        results_line(left_out, meter.scale(RESULTS_LEFT_OUT_TOKENS), meter)
    }

    /// The lines that tell what is left out, as long as they can become. They are critical: only what
    /// is critical itself leaves them no room.
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
    /// The most tokens of each line.
    const fn tokens(self, meter: TokenMeter) -> (usize, usize) {
        let keys = meter.scale(KEYS_LEFT_OUT_TOKENS);
        let results = meter.scale(RESULTS_LEFT_OUT_TOKENS);
        (
            if self.keys { keys } else { 0 },
            if self.results { results } else { 0 },
        )
    }
}
