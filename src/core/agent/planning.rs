//! Corrects and judges a plan by the request and the worked examples.
//! Pure.

use super::joined_items::{parts_left_out, with_joined_items};
use super::likely_correction::corrected_likely;
use super::plan_examples::{copies_example, fillers};
use super::plan_verb::{
    asks_for_answer, asks_for_removal, is_likeliest, is_likely, may_ask_for_answer, may_be,
    only_asks_for_answer,
};
use super::plan_wording::as_one_note;
use super::step_faults::{
    adds_nothing, invented_word, is_about_content, is_of_named_note, item_mentioned_by,
    only_removes, only_repeats_title, repeats_request, speaks_of_no_note, states_nothing,
    topic_without_notes, writes_title,
};
use super::unwritten_clauses::{deletion_reason, may_be_small_talk, with_opening};
use crate::core::notes::{Note, Terms, phrase_stands_in};
use crate::core::prompt::PromptFile;
use crate::core::steps::check::{
    contains, facts_of, first_name, is_telling, left_out_facts, made_up_text, missing_words,
    stands_in,
};
use crate::core::steps::evidence::text_of;
use crate::core::steps::left_out_facts::{completed, unabridged, with_amounts};
use crate::core::steps::plan::{STEPS_MAX, Step, parse};
use crate::core::steps::plan_correction::{only_deleted, with_capital};
use crate::core::steps::question::Subject;
use crate::core::steps::request_questions::is_question;
use crate::core::steps::spans::{bare_words, has_digit, numbers_of};
use crate::core::steps::target::Target;
use std::cell::LazyCell;

/// The weight of a sentence of the request that a plan does not cover.
const UNSAID_WEIGHT: usize = 50;

/// The weight of a plan that makes a note of one word.
const HOLLOW_WEIGHT: usize = 500;

/// The share of titled overviews among similar examples from which an overview gets a title.
/// Of 79 worked examples, each judged by the others, 25 reach it, 21 of them rightly.
const ENTITLED_SHARE_MIN: f64 = 0.6;

/// The share of new notes among similar examples from which an idle plan becomes one.
const NOTED_SHARE_MIN: f64 = 0.5;

/// The share of renamings among similar examples from which a change becomes one.
const RENAMED_SHARE_MIN: f64 = 0.5;

/// The share of links among similar examples from which an added title is one.
const LINKED_SHARE_MIN: f64 = 0.4;

/// The maximum number of different words of a new title.
const NEW_TITLE_WORDS_MAX: usize = 6;

/// The share of steps about whole notes among similar examples from which a request is an order.
const ORDER_SHARE_MIN: f64 = 0.6;

/// The share of deletions from which a feature speaks of deleting, among the examples with it.
/// A shared place or punctuation mark does not make requests similar.
const DELETION_SHARE_MIN: f64 = 1.0 / 3.0;

/// The share of idle plans from which a feature speaks of doing nothing, among its examples.
/// `thanks` stands in many requests that ask for something.
const IDLENESS_SHARE_MIN: f64 = 1.0 / 5.0;

/// The weight of a plan that writes a number which nobody said.
const MADE_UP_WEIGHT: usize = 400;

/// The factor by which it is worse to do nothing than to leave something out.
pub(super) const UNDONE_WEIGHT: usize = 1000;

/// The end of the message for a plan that leaves something out.
pub(super) const ALL_LINES: &str = "Write all lines again.";

/// The message for a plan that cannot be read.
pub(super) const UNREADABLE: &str = "Write one line for each thing, as before.";

/// The message for a plan that writes into a note how something is asked for.
const ASKING: &str = "Leave out how it is asked for. Write only what is new.";

/// The message for a plan that repeats an example.
const COPIED: &str = "That was an example. Write what this request asks for.";

/// The input by which a plan is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planning<'a> {
    /// The prompt file with the worked examples.
    pub(super) prompt: &'a PromptFile,
    /// The request and the notes that it may mean.
    pub(super) target: &'a Target<'a>,
}

impl Planning<'_> {
    /// Returns a plan with corrections that follow from the request and from similar requests.
    /// It may gain an answer, a title for its overview, or a missing fact.
    pub(super) fn corrected(&self, steps: Vec<Step>) -> Vec<Step> {
        let steps = corrected_likely(self.without_reasons(self.without_remarks(steps)), self);
        let steps = self.with_overview_note(
            self.with_answer(self.with_request_noted(self.linked(self.retitled(steps)))),
        );
        let steps = as_one_note(steps, self);
        let steps = unabridged(&steps, self.target.request).map_or(steps, |step| vec![step]);
        let missing = self.missing(&steps);
        let steps = completed(&steps, &missing, self.target).map_or(steps, |step| vec![step]);
        let steps = with_opening(self.with_words_repeated(steps), self);
        let steps = with_joined_items(steps, self);
        let steps = with_amounts(steps, self.target.request, &self.prompt.amount_words);
        let worded = |step| self.titled(self.without_courtesy(self.without_order(step)));
        self.with_heading(steps.into_iter().map(worded).collect())
    }

    /// Returns a renaming, if a plan changes a note that has nothing to do with the new text.
    /// The text is the title but for one word, or similar requests rename notes.
    fn retitled(&self, steps: Vec<Step>) -> Vec<Step> {
        let [
            Step::Change {
                note: Some(title),
                text,
            },
        ] = steps.as_slice()
        else {
            return steps;
        };
        let request = self.target.request;
        let to = text.trim().trim_end_matches('.');
        let (said, old) = (Terms::of(to), Terms::of(title));
        let is_new = said.len() <= NEW_TITLE_WORDS_MAX
            && phrase_stands_in(to, request)
            && phrase_stands_in(title, request)
            && self.target.titled(to).is_none();
        let is_beside = self.target.titled(title).is_some_and(|note| {
            let own = Terms::of(&note.value);
            let is_said = |term: &str| stands_in(term, &own);
            let mut told = said
                .iter()
                .filter(|term| is_telling(term) && !old.has(term));
            !told.any(is_said) && !numbers_of(to).iter().any(|number| own.has(number))
        });
        if !(is_new && is_beside) {
            return steps;
        }
        let is_one_word = said.clone().without(&old).len() == 1 && old.without(&said).len() == 1;
        let renames = |output: &str| matches!(*parse(output), [Step::Rename { .. }]);
        let is_alike =
            |output: &str| renames(output) || matches!(*parse(output), [Step::Change { .. }]);
        if !is_one_word && self.share_doing(is_alike, renames) < RENAMED_SHARE_MIN {
            return steps;
        }
        vec![Step::Rename {
            from: title.clone(),
            to: to.to_owned(),
        }]
    }

    /// Returns a link, if a plan adds the title of a note to another one and similar requests link.
    fn linked(&self, steps: Vec<Step>) -> Vec<Step> {
        let [
            Step::Add {
                note: Some(from),
                text,
            },
        ] = steps.as_slice()
        else {
            return steps;
        };
        let is_link = |output: &str| matches!(*parse(output), [Step::Link { .. }]);
        let to = self.target.titled(text).filter(|to| to.title != *from);
        match to {
            Some(to) if self.share_doing(|_| true, is_link) >= LINKED_SHARE_MIN => {
                vec![Step::Link {
                    from: from.clone(),
                    to: to.title.clone(),
                }]
            }
            _ => steps,
        }
    }

    /// Returns whether a note has a telling word of the request.
    pub(super) fn may_mean_note(&self) -> bool {
        let asked = Terms::of(self.target.request);
        let mut notes = self.target.notes.iter();
        notes.any(|note| {
            let own = Terms::of(&text_of(note));
            asked.iter().any(|term| is_telling(term) && own.has(term))
        })
    }

    /// Returns a plan that writes the request down, if the plan does nothing about its facts.
    /// Similar requests make a new note, and no note has a telling word of this one. A request that
    /// begins with an order such as `save` would stand in the note with it.
    fn with_request_noted(&self, steps: Vec<Step>) -> Vec<Step> {
        if steps != [Step::Nothing] {
            return steps;
        }
        let request = self.target.request.trim();
        let similar = &self.prompt.similar;
        let mut words = bare_words(request);
        let is_order = words
            .next()
            .is_some_and(|first| similar.is_of_asking(first));
        if is_order || is_question(request) || facts_of(request).is_empty() || self.may_mean_note()
        {
            return steps;
        }
        let is_new = |output: &str| matches!(*parse(output), [Step::New { .. }, ..]);
        // No note can be meant, so no plan for an existing one is like this.
        let is_alike = |output: &str| is_new(output) || matches!(*parse(output), [Step::Nothing]);
        if self.share_doing(is_alike, is_new) < NOTED_SHARE_MIN {
            return steps;
        }
        vec![Step::New {
            title: None,
            text: request.to_owned(),
        }]
    }

    /// Returns a plan that answers, if the request asks a question.
    /// If the request only asks, the answer replaces all other steps. If it ends with a question,
    /// the answer follows the others: `the lift is stuck, who do I call?`.
    fn with_answer(&self, mut steps: Vec<Step>) -> Vec<Step> {
        let only_asks = self.only_asks();
        if steps.iter().any(Step::is_lookup) || steps.is_empty() && !only_asks {
            return steps;
        }
        let title = self.title_from_plan(&steps).filter(|_| only_asks);
        if only_asks {
            steps.clear();
        } else if self.asks_at_end() {
            // The issue is the reason for the question.
            steps.retain(|step| !matches!(step, Step::Issue { .. } | Step::Nothing));
        } else {
            return steps;
        }
        if steps.len() < STEPS_MAX {
            steps.push(Step::Answer {
                title,
                question: self.target.request.trim().to_owned(),
            });
        }
        steps
    }

    /// Returns the title of the first note that a plan names, if the request names none.
    /// `what do I have to buy?` has no word of the shopping list.
    fn title_from_plan(&self, steps: &[Step]) -> Option<String> {
        if !self.target.named_in(self.target.request).is_empty() {
            return None;
        }
        // A note that the plan would make is one that it guesses, too.
        let title = |step: &'_ Step| {
            if let Step::New { title, .. } = step {
                title.clone()
            } else {
                step.note().cloned()
            }
        };
        let mut named = steps.iter().filter_map(title);
        named.find(|title| self.target.titled(title).is_some())
    }

    /// Returns whether the request ends with a question after another clause.
    fn asks_at_end(&self) -> bool {
        let parts = self
            .target
            .request
            .trim()
            .rsplit_once([',', '.', ';', '\u{2013}']);
        let last = parts.map_or("", |(_, last)| last.trim());
        is_question(last)
            && self.prompt.is_one_question(without_mark(last))
            && self.is_for_answer(last)
    }

    /// Returns whether the worked examples call for an answer to a text of the request, by itself.
    pub(super) fn is_for_answer(&self, text: &str) -> bool {
        asks_for_answer(self.prompt, &self.question_for(text))
    }

    /// Returns whether the worked examples call for something to go by a text of the request, by itself.
    pub(super) fn is_for_removal(&self, text: &str) -> bool {
        asks_for_removal(self.prompt, &self.question_for(text))
    }

    /// Returns whether the request is one question, by its first word and its mark. An order may end with
    /// the mark: of 47 worked requests that do, the examples rule out an answer for 10 of 13 orders, and for
    /// no question.
    pub(super) fn only_asks(&self) -> bool {
        let text = self.target.request.trim();
        is_question(text)
            && self.prompt.is_one_question(without_mark(text))
            && may_ask_for_answer(self.prompt, &self.asked())
    }

    /// Returns a plan whose overview becomes a note, if similar requests ask for a note of links.
    fn with_overview_note(&self, steps: Vec<Step>) -> Vec<Step> {
        let [Step::Overview { title: None, topic }] = steps.as_slice() else {
            return steps;
        };
        let is_overview = |output: &str| matches!(*parse(output), [Step::Overview { .. }]);
        let is_note =
            |output: &str| matches!(*parse(output), [Step::Overview { title: Some(_), .. }]);
        let title = with_capital(topic);
        if self.share_doing(is_overview, is_note) < ENTITLED_SHARE_MIN
            || self.target.titled(&title).is_some()
        {
            return steps;
        }
        vec![Step::Overview {
            title: Some(title),
            topic: topic.clone(),
        }]
    }

    /// Returns the share of plans like the one of this request whose text satisfies `does`, among
    /// those that satisfy `among`. It looks at every worked example, so cheaper checks come first.
    fn share_doing(&self, among: impl Fn(&str) -> bool, does: impl Fn(&str) -> bool) -> f64 {
        let similar = &self.prompt.similar;
        similar.share_doing(&self.asked(), among, does)
    }

    /// Returns the question for a plan, without the notes that the request names.
    pub(super) fn asked(&self) -> String {
        self.question_for(self.target.request)
    }

    /// Returns the question for a plan for a text of the request, likewise.
    pub(super) fn question_for(&self, text: &str) -> String {
        let titles = self.target.notes.iter().map(|note| note.title.clone());
        Subject::Plan {
            request: text.to_owned(),
            titles: titles.collect(),
            named: Vec::new(),
            verb: None,
        }
        .text()
    }

    /// Returns the parts of the request that are about different notes; the whole of it if it is one.
    /// A question is one, and so is a request of several lines: it dictates a text.
    pub(super) fn parts(&self) -> Vec<String> {
        let request = self.target.request;
        let asked = self.asked();
        let is_one = request.contains('\n') || is_question(request);
        if is_one || only_asks_for_answer(self.prompt, &asked) {
            return vec![request.to_owned()];
        }
        let clauses = LazyCell::new(|| self.prompt.similar.clauses(&asked));
        let mut parts: Vec<String> = Vec::new();
        let mut rest = request;
        for part in self.prompt.similar.parts(&asked) {
            let before = rest.split_once(part).map_or("", |(before, _)| before);
            rest = rest.get(before.len() + part.len()..).unwrap_or_default();
            // A heading such as `for the shopping list:` is of the text behind it.
            let is_headed = parts.last().is_some_and(|last| last.ends_with(':'));
            match parts
                .last_mut()
                .filter(|_| is_headed || self.only_orders(part, &clauses))
            {
                Some(last) => last.extend([before, part]),
                None => parts.push(part.to_owned()),
            }
        }
        parts
    }

    /// Returns a step that deletes a note or does nothing, if the request does not justify it.
    /// That is so if similar requests ask for something else, or if this one is about the text of
    /// the note.
    pub(super) fn unusual<'b>(&self, steps: &'b [Step]) -> Option<&'b Step> {
        let is_critical = |step: &&Step| matches!(step, Step::Delete { .. } | Step::Nothing);
        let mut critical = steps.iter().filter(is_critical);
        critical.find(|step| {
            let is_alike =
                |other: &Step| std::mem::discriminant(other) == std::mem::discriminant(*step);
            let does = |output: &str| parse(output).iter().any(is_alike);
            let (similar, asked) = (&self.prompt.similar, self.asked());
            // To do nothing loses the request, a deletion can be undone.
            let (share_min, is_called_for) = if matches!(step, Step::Delete { .. }) {
                (DELETION_SHARE_MIN, may_be(step, self.prompt, &asked))
            } else {
                let is_called_for = is_likely(step, self.prompt, &asked) || may_be_small_talk(self);
                (IDLENESS_SHARE_MIN, is_called_for)
            };
            is_about_content(step, self.target) && !similar.has_telling_word(&asked, does)
                || !is_called_for && similar.is_unusual(&asked, share_min, does)
        })
    }

    /// Returns whether nothing is to be done for the request: it states nothing, and it speaks of no note, or
    /// the worked plans call for nothing, too.
    fn asks_for_nothing(&self) -> bool {
        let (prompt, target, nothing) = (self.prompt, self.target, &Step::Nothing);
        let is_called_for = |asked: &str| {
            is_likely(nothing, prompt, asked)
                || is_likeliest(nothing, prompt, asked) && self.may_be_unwritten()
                || may_be_small_talk(self)
        };
        states_nothing(target) && (speaks_of_no_note(target) || is_called_for(&self.asked()))
    }

    /// Returns the weight and the message of the fault of a plan, if it has one.
    pub(super) fn fault_of(&self, steps: &[Step]) -> Option<(usize, String)> {
        let target = self.target;
        if steps.is_empty() {
            return Some((usize::MAX, UNREADABLE.to_owned()));
        }
        if copies_example(self.prompt, self.target.request, steps) {
            return Some((usize::MAX - 1, COPIED.to_owned()));
        }
        if steps.iter().any(|step| writes_title(step, target)) {
            return Some((3, UNREADABLE.to_owned()));
        }
        if steps.iter().any(|step| repeats_request(step, target)) {
            return Some((2, ASKING.to_owned()));
        }
        if let Some(step) = self.unusual(steps) {
            return Some((UNDONE_WEIGHT, not_asked(step)));
        }
        if steps == [Step::Nothing] && self.asks_for_nothing() {
            return None;
        }
        let is_asking = |step: &Step| {
            let adds = matches!(step, Step::Add { .. } | Step::Change { .. });
            adds && step.clause().contains('?') && target.request.contains('?')
        };
        let fillers = fillers(self.prompt);
        let is_hollow = |step: &Step| adds_nothing(step, target, &fillers);
        if steps.iter().any(|step| only_repeats_title(step, target)) {
            return Some((HOLLOW_WEIGHT, ASKING.to_owned()));
        }
        if self.keeps_order(steps) {
            return Some((HOLLOW_WEIGHT, ASKING.to_owned()));
        }
        if let Some(topic) = steps
            .iter()
            .find_map(|step| topic_without_notes(step, self))
        {
            return Some((HOLLOW_WEIGHT, format!("No note speaks of {topic}.")));
        }
        if let Some(item) = steps
            .iter()
            .find_map(|step| item_mentioned_by(step, target))
        {
            let message = format!("{item} is there. Write what is added or removed, and no more.");
            return Some((HOLLOW_WEIGHT, message));
        }
        if steps.iter().any(is_asking) || steps.iter().any(is_hollow) {
            return Some((2, ASKING.to_owned()));
        }
        if let Some((one, other)) = only_deleted(steps, target)
            && !steps
                .iter()
                .any(|step| is_likely(step, self.prompt, &self.asked()))
        {
            let (from, to) = (&one.title, &other.title);
            let message = format!(
                "If one goes into the other, write: merge {from} > {to}. Else write it again."
            );
            return Some((1, message));
        }
        self.coverage_fault(steps, &fillers)
    }

    /// Returns the weight and the message of what a plan leaves out or invents.
    fn coverage_fault(&self, steps: &[Step], fillers: &Terms) -> Option<(usize, String)> {
        let target = self.target;
        let notes = target.notes;
        if let Some(word) = invented_word(steps, target) {
            let message = format!("Leave out {word}: the request does not say it.");
            return Some((MADE_UP_WEIGHT, message));
        }
        let mut missing = self.missing(steps);
        if is_of_named_note(steps, target) || only_removes(steps) {
            // A reason need not be written down; facts to be noted beside it have numbers.
            missing.retain(|fact| has_digit(fact));
        }
        if missing.is_empty()
            && let Some(first) = self.uncovered_parts(steps).first()
        {
            let message = format!("Not said yet: {first}. {ALL_LINES}");
            return Some((UNSAID_WEIGHT, message));
        }
        if missing.is_empty() {
            let left_out = parts_left_out(steps, self);
            if !left_out.is_empty() {
                let message = format!("Not said yet: {}. {ALL_LINES}", left_out.join(", "));
                return Some((UNSAID_WEIGHT, message));
            }
        }
        let named = notes.iter().filter(|note| {
            let title = Terms::of(&note.title);
            title.shared(&Terms::of(self.target.request)) > 0
        });
        let named: Vec<&Note> = named.copied().collect();
        let (weight, missing) = if missing.is_empty() {
            (
                1,
                missing_words(self.target.request, steps, &named, fillers),
            )
        } else {
            (missing.len() * 100, missing)
        };
        if missing.is_empty() {
            let foreign = made_up_text(self.target.request, steps, notes);
            let message = format!("Keep to the words of the request, in place of: {foreign}.");
            return (!foreign.is_empty()).then_some((1, message));
        }
        // Any other plan is better than one that does nothing.
        let weight = if steps == [Step::Nothing] {
            weight.max(missing.len()) * UNDONE_WEIGHT
        } else {
            weight
        };
        let message = format!("Not said yet: {}. {ALL_LINES}", missing.join(", "));
        Some((weight, message))
    }

    /// Returns whether a plan makes a note of the whole request, which states no fact, although most
    /// similar requests are about whole notes: `give me a note that links all about the loft`.
    pub(super) fn keeps_order(&self, steps: &[Step]) -> bool {
        let request = self.target.request;
        let is_whole = |text: &String| Terms::of(text) == Terms::of(request);
        let is_kept = matches!(steps, [Step::New { text, .. }] if is_whole(text));
        let is_order = |output: &str| {
            let [first, ..] = &*parse(output) else {
                return false;
            };
            first.is_about_notes()
        };
        is_kept
            && facts_of(request).is_empty()
            && self.share_doing(|_| true, is_order) >= ORDER_SHARE_MIN
    }

    /// Returns whether a plan writes a new note in words that hardly stand in the request.
    pub(super) fn makes_up_note(&self, steps: &[Step]) -> bool {
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let target = self.target;
        steps.iter().all(is_new) && !made_up_text(target.request, steps, target.notes).is_empty()
    }

    /// Returns the facts of the request that neither a step nor a note contains.
    fn missing(&self, steps: &[Step]) -> Vec<String> {
        let mut missing = left_out_facts(self.target.request, steps, self.target.notes);
        missing.extend(self.name_left_out(steps));
        let of_orders = self.names_in_orders(&missing);
        let reason = deletion_reason(steps, self.target);
        missing.retain(|fact| !of_orders.contains(fact) && !contains(reason, fact));
        missing
    }

    /// Returns the name at the start of the request, if neither a step nor a note contains it.
    /// A first word is a name if no worked example has it in lower case.
    fn name_left_out(&self, steps: &[Step]) -> Option<String> {
        let name = first_name(self.target.request)?;
        let is_said = |text: &str| contains(text, name);
        // Before a name that is said, the first word belongs to it or is none: `Sadly Bruno`.
        let next = self.target.request.split_whitespace().nth(1);
        let next = next.filter(|word| word.starts_with(char::is_uppercase));
        let next = next.and_then(|word| bare_words(word).next());
        let is_beside_name =
            next.is_some_and(|next| steps.iter().any(|step| contains(step.clause(), next)));
        let is_known = steps.iter().any(|step| is_said(&step.to_string()))
            || self.target.notes.iter().any(|note| is_said(&text_of(note)));
        let is_common = self.prompt.similar.is_common(name);
        (!is_known && !is_common && !is_beside_name).then(|| name.to_owned())
    }
}

fn without_mark(question: &str) -> &str {
    question.trim_end_matches(['?', '\u{ff1f}', ' ', '\u{a0}'])
}

/// Returns the message about a deletion or an idle step that nobody asked for.
fn not_asked(step: &Step) -> String {
    if let Step::Delete { title } = step {
        format!("Do not delete {title}: it is not asked for.")
    } else {
        UNREADABLE.to_owned()
    }
}
