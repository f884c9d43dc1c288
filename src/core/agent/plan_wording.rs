//! Corrects how the steps of a plan are worded: titles of new notes, and what says how something is asked
//! for.
//! Pure.

use super::planning::Planning;
use super::step_faults::{repeats_request, takes_out};
use crate::core::notes::{Terms, is_unspaced};
use crate::core::steps::check::{facts_of, is_telling};
use crate::core::steps::checkboxes::has_box;
use crate::core::steps::dictation::without_repeated;
use crate::core::steps::left_out_facts::with_lead;
use crate::core::steps::plan::Step;
use crate::core::steps::plan_correction::with_capital;
use crate::core::steps::spans::{bare_words, has_digit};

/// The share of repeated words below which a step beside others is a remark.
/// Of 944 such steps without a fact in worked plans, each judged by the other plans, none is below.
const REMARK_SHARE_MAX: f64 = 0.26;

/// The share of plans that repeat a word of their request from which it is to be written: 0.86 for
/// `friday` and 0.94 for `march`, 0.34 for `recipe` and 0.22 for `list`.
const REPEATED_SHARE_MIN: f64 = 0.8;

/// The maximum number of telling words of an order before the title of its note.
const ORDER_WORDS_MAX: usize = 2;

/// The number of lost words of a heading from which it becomes the title.
const HEADING_WORDS_MIN: usize = 2;

/// The number of words from which what stands before a colon is an order and no heading.
const ORDER_BEFORE_COLON_MIN: usize = 8;

/// The number of words from which the beginning of a text is a sentence and no title.
const SENTENCE_WORDS_MIN: usize = 4;

/// The maximum number of words of a title that is made from a sentence.
const TITLE_WORDS_MAX: usize = 5;

/// The maximum number of words in it that few worked examples have.
const TITLE_RARE_WORDS_MAX: usize = 3;

/// The probability, 0 to 1, below which every boundary of a request about one note is.
/// So are those of 4,640 of 5,207 worked plans about one note, and of 70 of 816 about several. Of 2,196
/// requests of one clause none makes a note and writes to another.
const ONE_NOTE_BOUNDARY_MAX: f32 = 0.05;

impl Planning<'_> {
    /// Returns a plan without the steps beside others that only write a remark on the request, such as
    /// `the rest of the note still holds`. Worked plans hardly repeat the words of remarks.
    pub(super) fn without_remarks(&self, mut steps: Vec<Step>) -> Vec<Step> {
        let similar = &self.prompt.similar;
        let whole = steps.clone();
        let is_remark = |step: &Step| {
            let writes = matches!(step, Step::Add { .. } | Step::Change { .. });
            let text = step.clause();
            writes
                && facts_of(text).is_empty()
                && !has_box(text)
                && !whole.iter().any(|other| takes_out(other, text))
                && similar.repeated_share(text) < REMARK_SHARE_MAX
        };
        if !steps.iter().all(is_remark) {
            steps.retain(|step| !is_remark(step));
        }
        steps
    }

    /// Returns a plan of one new note with the words right before its text that worked plans repeat, and
    /// this one leaves out: the day in `remind me on friday to call Ruth`.
    pub(super) fn with_words_repeated(&self, steps: Vec<Step>) -> Vec<Step> {
        let [step @ Step::New { title, text }] = steps.as_slice() else {
            return steps;
        };
        let (request, similar) = (self.target.request, &self.prompt.similar);
        let known = Terms::of(&step.to_string());
        let is_left_out = |word: &&str| {
            word.chars().all(char::is_lowercase)
                && is_telling(word)
                && !Terms::of(word).are_in(&known)
                && similar.repeated_share(word) >= REPEATED_SHARE_MIN
        };
        let left_out = bare_words(request).filter(is_left_out);
        let left_out: Vec<String> = left_out.map(str::to_owned).collect();
        match with_lead(text, &left_out, request) {
            Some(text) => vec![Step::New {
                title: title.clone(),
                text,
            }],
            None => steps,
        }
    }

    /// Returns a plan without the new notes beside steps about another note, if the request is surely
    /// about one note: they tell why something is asked for.
    pub(super) fn without_reasons(&self, mut steps: Vec<Step>) -> Vec<Step> {
        if self.is_rather_about_one_note(&steps, ONE_NOTE_BOUNDARY_MAX) {
            steps.retain(|step| !matches!(step, Step::New { .. }));
        }
        steps
    }

    /// Returns whether a plan makes a new note beside steps about another one, although no boundary
    /// between two notes in the request has the probability `boundary_max`, 0 to 1.
    pub(super) fn is_rather_about_one_note(&self, steps: &[Step], boundary_max: f32) -> bool {
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let is_meant = |step: &Step| {
            matches!(
                step,
                Step::Add { .. } | Step::Change { .. } | Step::Delete { .. }
            )
        };
        let is_mixed = steps.iter().any(is_new)
            && steps.iter().any(is_meant)
            && steps.iter().all(|step| is_new(step) || is_meant(step));
        let boundary = || self.prompt.similar.likeliest_boundary(&self.asked());
        is_mixed && boundary().is_some_and(|it| it < boundary_max)
    }

    /// Returns a plan of one new note that is titled by the heading of a dictation,
    /// `minutes of the club: ...`, if neither its title nor its text has the words of it.
    pub(super) fn with_heading(&self, steps: Vec<Step>) -> Vec<Step> {
        let ([Step::New { title, text }], Some((heading, _))) =
            (steps.as_slice(), self.target.request.split_once(": "))
        else {
            return steps;
        };
        let written = Terms::of(&[title.as_deref().unwrap_or_default(), " ", text].concat());
        let similar = &self.prompt.similar;
        let is_lost = |word: &&str| {
            let terms = Terms::of(word);
            terms.iter().any(is_telling) && !terms.are_in(&written) && !similar.is_of_asking(word)
        };
        let is_heading = bare_words(heading).filter(is_lost).count() >= HEADING_WORDS_MIN
            && bare_words(heading).count() < ORDER_BEFORE_COLON_MIN;
        // A title that leaves out what the planned one has of the heading is that of an order.
        let planned = Terms::of(title.as_deref().unwrap_or_default());
        let headed = Terms::of(heading);
        let keeps_planned = |title: &String| {
            let own = Terms::of(title);
            let mut words = planned.iter().filter(|word| headed.has(word));
            words.all(|word| own.has(word))
        };
        let found = self.title_for(heading).filter(|_| is_heading);
        match found.filter(keeps_planned) {
            None => steps,
            title => vec![Step::New {
                title,
                text: text.clone(),
            }],
        }
    }

    /// Returns an addition of what stands behind the title in a request, if a step adds the whole request
    /// to that note: `put on the packing list two towels`.
    pub(super) fn without_order(&self, step: Step) -> Step {
        let request = self.target.request;
        let Step::Add {
            note: Some(title), ..
        } = &step
        else {
            return step;
        };
        let parts = split_at_phrase(request, title);
        let parts = parts.filter(|_| repeats_request(&step, self.target));
        let telling = |text: &str| Terms::of(text).iter().filter(|it| is_telling(it)).count();
        match parts {
            Some((order, told)) if telling(order) <= ORDER_WORDS_MAX && telling(told) > 0 => {
                let is_mark = |it: char| !it.is_alphanumeric() && !matches!(it, '(' | '"');
                Step::Add {
                    note: Some(title.clone()),
                    text: told.trim_start_matches(is_mark).to_owned(),
                }
            }
            _ => step,
        }
    }

    /// Returns a step that writes no courtesy words which stand at its end.
    /// An example is the title of `a note called Window cleaner please`.
    pub(super) fn without_courtesy(&self, step: Step) -> Step {
        let bare = |text: String| self.prompt.without_courtesy(&text).to_owned();
        match step {
            Step::New { title, text } => Step::New {
                title: title.map(bare),
                text: bare(text),
            },
            Step::Add { note, text } => Step::Add {
                note,
                text: bare(text),
            },
            Step::Rename { from, to } => Step::Rename { from, to: bare(to) },
            other @ (Step::Change { .. }
            | Step::Remove { .. }
            | Step::Answer { .. }
            | Step::Overview { .. }
            | Step::Issue { .. }
            | Step::Link { .. }
            | Step::Merge { .. }
            | Step::Delete { .. }
            | Step::Nothing) => other,
        }
    }

    /// Returns a new note without a title with one of the first telling words of its text.
    /// A title that repeats a whole sentence is hard to read, and is wrong once the sentence changes.
    pub(super) fn titled(&self, step: Step) -> Step {
        let Step::New { title: None, text } = &step else {
            return step;
        };
        Step::New {
            title: self.title_for(text),
            text: text.clone(),
        }
    }

    /// Returns a title for a sentence: the words around the first ones that few worked examples have.
    /// They stand before its first number or punctuation mark. `None` for a short text, if there are
    /// no such words, and if a note has that title.
    fn title_for(&self, text: &str) -> Option<String> {
        let is_end = |it: char| it.is_ascii_digit() || matches!(it, '\n' | ',' | ';' | '.' | ':');
        let head = text.split(is_end).next().unwrap_or_default();
        let words: Vec<&str> = bare_words(head).filter(|word| !word.is_empty()).collect();
        if text.contains(is_unspaced) || words.len() < SENTENCE_WORDS_MIN {
            return None;
        }
        let similar = &self.prompt.similar;
        let is_rare = |word: &&str| !similar.is_frequent(word);
        let rare = (0..words.len()).filter(|at| words.get(*at).is_some_and(is_rare));
        let rare: Vec<usize> = rare.take(TITLE_RARE_WORDS_MAX).collect();
        let first = *rare.first()?;
        let ends = |at: usize| {
            let word = words.get(at);
            word.is_some_and(|word| similar.ends_title(word))
        };
        let near = rare.iter().filter(|at| **at < first + TITLE_WORDS_MAX);
        let last = near.copied().rfind(|at| ends(*at)).unwrap_or(first);
        let title = words.get(first..=last)?.join(" ");
        let title = Some(title).filter(|title| title.chars().count() > 1)?;
        Some(with_capital(&title)).filter(|title| self.target.titled(title).is_none())
    }
}

/// Returns a plan of new notes alone as one new note, if the worked plans see one part in the request, and if it
/// names no number before a colon. What only the title of a further note says becomes the label of its text.
///
/// Of 13,073 worked plans 24 make several notes, all but one of them for a request of several parts; the 1,941
/// that are one new note are for a request of one part.
pub(super) fn as_one_note(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let is_new = |step: &Step| matches!(step, Step::New { .. });
    if steps.len() < 2 || !steps.iter().all(is_new) || !is_of_one_note(planning) {
        return steps;
    }
    let (mut first, mut whole) = (None::<&String>, String::new());
    for step in without_repeated(&steps) {
        let Step::New { title, text } = step else {
            continue;
        };
        let title = title.as_ref();
        let title = title.filter(|title| planning.target.titled(title).is_none());
        if !whole.is_empty() {
            let above = first.map_or("", String::as_str);
            let known = Terms::of(&[above, " ", &whole, " ", text].concat());
            whole.push('\n');
            if let Some(label) = title.filter(|title| !Terms::of(title).are_in(&known)) {
                whole.push_str(&[label, ": "].concat());
            }
        }
        whole.push_str(text);
        first = first.or(title);
    }
    vec![Step::New {
        title: first.cloned(),
        text: whole,
    }]
}

/// Returns whether a request has one part, and does not say how many notes it asks for: `Make two notes: ...`.
fn is_of_one_note(planning: &Planning<'_>) -> bool {
    let request = planning.target.request;
    let is_amount =
        |word: &str| has_digit(word) || planning.prompt.amount_words.contains(&word.to_lowercase());
    let order = request.split_once(": ").map_or("", |(order, _)| order);
    !request.contains('\n') && !bare_words(order).any(is_amount) && planning.parts().len() == 1
}

/// Splits a text at a phrase, in any case; `None` if it does not have the phrase.
fn split_at_phrase<'a>(text: &'a str, phrase: &str) -> Option<(&'a str, &'a str)> {
    let (own, wanted) = (text.to_lowercase(), phrase.trim().to_lowercase());
    let at = own.find(&wanted).filter(|_| own.len() == text.len())?;
    Some((text.get(..at)?, text.get(at + wanted.len()..)?))
}
