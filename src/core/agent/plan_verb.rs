//! Judges the verb of a plan: by how sure the model was, and by what the worked examples do with
//! requests like this one.
//! Pure.

use crate::core::prompt::PromptFile;
use crate::core::steps::plan::{Step, can_begin_with};
use crate::core::steps::target::Target;

/// The probability of a verb that a model chose, in percent, where the server reports none.
/// Of 81 first plans of a 1.5B model in two sets that were unseen, 69 began with the right verb.
const ASSUMED_PERCENT: u8 = 85;

/// The probability, 0 to 1, up to which a verb is most unlikely.
const UNLIKELY_MAX: f64 = 0.02;

/// The probability by the worked examples alone, 0 to 1, below which a verb is unlikely for a plan.
/// Of 224 runs of two models that succeeded, 179 of them rightly, 13 have less, 3 of them rightly.
const UNLIKELY_SHARE_MAX: f32 = 0.15;

/// The probability, 0 to 1, from which all worked examples outweigh the most similar ones.
const LIKELY_MIN: f32 = 0.5;

/// The probability, 0 to 1, from which a request without facts and notes asks for nothing, whatever the
/// model plans. Of 1,247 requests that were written as tests, 35 of the 50 that ask for nothing have as
/// much, and none of the others.
const NOTHING_MIN: f32 = 0.75;

/// Likewise if the model plans to do nothing. 45 of the 50 have as much, and 6 of the others.
const NOTHING_PLANNED_MIN: f32 = 0.35;

/// The probability, 0 to 1, from which a verb is certain.
const CERTAIN_MIN: f32 = 0.9;

/// The verb of a step that deletes a note.
const DELETION: &str = "delete";

/// The verbs of steps that look something up.
const LOOKUPS: [&str; 2] = ["answer", "overview"];

/// The least share of probability that is left for each verb.
const LEAST: f64 = 0.001;

/// The probabilities of the verbs with which a plan for a request may begin.
///
/// Both opinions are multiplied. Of the 81 plans, the model's verb alone is right in 69, that of the
/// examples alone in 73, and the likeliest one of both in 79.
#[derive(Clone, Debug)]
pub(super) struct PlanVerbs {
    /// Each verb with its probability by the worked examples alone.
    shares: Vec<(String, f32)>,
    /// Each verb with its probability; together they are 1.
    verbs: Vec<(String, f64)>,
    /// The verbs of the plan that the model chose.
    chosen: Vec<&'static str>,
    /// The verb that is likelier than the one of the model's plan.
    other: Option<String>,
}

impl PlanVerbs {
    /// Judges the plan that the model chose for a question, given the probability of its first verb, in
    /// percent. `None` for a plan that cannot be carried out, and if the prompt file has too few worked
    /// examples.
    pub(super) fn of(
        prompt: &PromptFile,
        asked: &str,
        target: &Target<'_>,
        chosen: &[Step],
        certainty_percent: Option<u8>,
    ) -> Option<Self> {
        let mut shares = prompt.similar.verbs(asked)?;
        let titles = target.notes.len() + target.keys.len();
        shares.retain(|(verb, _)| can_begin_with(verb, titles));
        let sure = f64::from(certainty_percent.unwrap_or(ASSUMED_PERCENT)) / 100.0;
        let others = f64::from(u32::try_from(shares.len()).ok()?) - 1.0;
        let first = chosen.first()?.verb();
        if !shares.iter().any(|(verb, _)| *verb == first) {
            return None;
        }
        let own = shares
            .iter()
            .map(|(verb, probability)| ((*verb).to_owned(), *probability));
        let own = own.collect();
        let weigh = |(verb, probability): (&str, f32)| {
            let of_model = if verb == first {
                sure
            } else {
                (1.0 - sure) / others.max(1.0)
            };
            let weight = (of_model + LEAST) * (f64::from(probability) + LEAST);
            (verb.to_owned(), weight)
        };
        let verbs: Vec<(String, f64)> = shares.into_iter().map(weigh).collect();
        let total: f64 = verbs.iter().map(|(_, weight)| weight).sum();
        let verbs = verbs
            .into_iter()
            .map(|(verb, weight)| (verb, weight / total));
        Some(Self {
            shares: own,
            verbs: verbs.collect(),
            chosen: chosen.iter().map(Step::verb).collect(),
            other: None,
        })
    }

    /// Compares the plan that the model chose, as it is after its corrections, with the likeliest verb.
    /// A plan with several verbs is left as it is, so is one that `is_settled`, and so is a plan that looks
    /// something up if the likeliest verb does the same.
    pub(super) fn compared_with(mut self, corrected: &[Step], is_settled: bool) -> Self {
        let verbs = self.verbs.iter();
        let likeliest = verbs.max_by(|(_, one), (_, other)| one.total_cmp(other));
        let (Some(first), Some((verb, _))) = (corrected.first(), likeliest) else {
            return self;
        };
        let is_one_verb = corrected.iter().all(|step| step.verb() == first.verb());
        let is_lookup = |verb: &str| LOOKUPS.contains(&verb);
        let is_same = self.chosen.first().is_some_and(|it| it == verb)
            || verb == first.verb()
            || is_lookup(verb) && first.is_lookup();
        if is_one_verb && !is_same && !is_settled {
            self.other = Some(verb.clone());
        }
        self
    }

    /// Returns the new note that the model planned, if a correction makes an addition of it although
    /// an addition is most unlikely. A title that another note has is left out.
    pub(super) fn with_new_note(
        &self,
        chosen: &[Step],
        corrected: Vec<Step>,
        target: &Target<'_>,
    ) -> Vec<Step> {
        let ([Step::New { title, text }], [Step::Add { .. } | Step::Change { .. }]) =
            (chosen, corrected.as_slice())
        else {
            return corrected;
        };
        if self.probability(|verb| corrected.iter().any(|it| it.verb() == verb)) > UNLIKELY_MAX {
            return corrected;
        }
        let is_free = |title: &String| target.titled(title).is_none();
        vec![Step::New {
            title: title.clone().filter(is_free),
            text: text.clone(),
        }]
    }

    /// Returns the answer that the model planned, if a correction changes a note although the worked
    /// examples do not rule an answer out.
    pub(super) fn with_answer(&self, chosen: &[Step], corrected: Vec<Step>) -> Vec<Step> {
        if let ([answer @ Step::Answer { .. }], [Step::Change { .. }]) =
            (chosen, corrected.as_slice())
            && share_of(&self.shares, &LOOKUPS) >= UNLIKELY_SHARE_MAX
        {
            return vec![answer.clone()];
        }
        corrected
    }

    /// Returns the additions to one note that the model planned, if a correction makes new notes of them
    /// although the worked examples call for an addition rather than for a new note.
    pub(super) fn with_addition(&self, chosen: &[Step], corrected: Vec<Step>) -> Vec<Step> {
        let title = chosen.first().and_then(Step::note);
        let adds = |step: &Step| matches!(step, Step::Add { note, .. } if note.as_ref() == title);
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let is_turned = !corrected.is_empty() && corrected.iter().all(is_new);
        let share = |verbs: &[&str]| share_of(&self.shares, verbs);
        if title.is_some()
            && chosen.iter().all(adds)
            && is_turned
            && share(&["new"]) <= share(&["add", "change"])
        {
            chosen.to_vec()
        } else {
            corrected
        }
    }

    /// Returns whether the worked examples most likely delete a note.
    pub(super) fn is_deletion(&self) -> bool {
        share_of(&self.shares, &[DELETION]) >= LIKELY_MIN
    }

    /// Returns the verb that is likelier than the one of the model's plan, if one is.
    pub(super) fn other(&self) -> Option<&str> {
        self.other.as_deref()
    }

    /// Returns the probability, 0 to 1, that a plan begins rightly.
    /// A correction by a rule takes nothing away from the plan that the model chose.
    pub(super) fn certainty_of(&self, steps: &[Step]) -> f64 {
        let chosen = self.chosen.iter().filter(|_| self.other.is_none());
        let own: Vec<&str> = steps.iter().map(Step::verb).collect();
        self.probability(|verb| own.contains(&verb) || chosen.clone().any(|it| *it == verb))
    }

    /// Returns whether the worked examples hardly ever begin a plan for such a request with one of the
    /// verbs of this one, or with `same`, a verb that comes to the same.
    pub(super) fn is_unlikely(&self, steps: &[Step], same: Option<&str>) -> bool {
        let is_own =
            |verb: &str| same == Some(verb) || steps.iter().any(|step| step.verb() == verb);
        let own = self.shares.iter().filter(|(verb, _)| is_own(verb));
        let likeliest = own.map(|(_, probability)| *probability).reduce(f32::max);
        likeliest.is_some_and(|probability| probability < UNLIKELY_SHARE_MAX)
    }

    /// Returns the probability, 0 to 1, that the right plan begins with one of some verbs.
    fn probability(&self, is_one: impl Fn(&str) -> bool) -> f64 {
        let own = self.verbs.iter().filter(|(verb, _)| is_one(verb));
        own.map(|(_, probability)| probability).sum()
    }
}

/// Returns whether the worked examples do not rule out the verb of a step.
pub(super) fn may_be(step: &Step, prompt: &PromptFile, asked: &str) -> bool {
    let [share] = verb_shares(prompt, asked, [&[step.verb()]]);
    share >= UNLIKELY_SHARE_MAX
}

/// Returns whether the worked examples as a whole call for the verb of a step.
pub(super) fn is_likely(step: &Step, prompt: &PromptFile, asked: &str) -> bool {
    let [likely] = verb_shares(prompt, asked, [&[step.verb()]]);
    likely >= LIKELY_MIN
}

/// Returns whether the worked examples call for the verb of a step rather than for any other one.
pub(super) fn is_likeliest(step: &Step, prompt: &PromptFile, asked: &str) -> bool {
    let verbs = prompt.similar.verbs(asked);
    let verbs = verbs.unwrap_or_default().into_iter();
    let likeliest = verbs.max_by(|(_, one), (_, other)| one.total_cmp(other));
    likeliest.is_some_and(|(verb, _)| verb == step.verb())
}

/// Returns whether the worked examples surely call for nothing to be done.
pub(super) fn surely_asks_for_nothing(prompt: &PromptFile, asked: &str) -> bool {
    let [nothing] = verb_shares(prompt, asked, [&[Step::Nothing.verb()]]);
    nothing >= NOTHING_MIN
}

/// Returns whether the worked examples confirm a plan to do nothing.
pub(super) fn may_ask_for_nothing(prompt: &PromptFile, asked: &str) -> bool {
    let [nothing] = verb_shares(prompt, asked, [&[Step::Nothing.verb()]]);
    nothing >= NOTHING_PLANNED_MIN
}

/// Returns whether the worked examples call for a change of what is there, and not for an addition.
pub(super) fn asks_for_change(prompt: &PromptFile, asked: &str) -> bool {
    let [changes, adds] = verb_shares(prompt, asked, [&["change"], &["add", "new"]]);
    changes > adds
}

/// Returns whether the worked examples call for an answer.
pub(super) fn asks_for_answer(prompt: &PromptFile, asked: &str) -> bool {
    answer_share(prompt, asked) >= LIKELY_MIN
}

/// Returns whether the worked examples do not rule out an answer.
pub(super) fn may_ask_for_answer(prompt: &PromptFile, asked: &str) -> bool {
    let verbs = prompt.similar.verbs(asked);
    verbs.is_none_or(|verbs| share_of(&verbs, &LOOKUPS) >= UNLIKELY_SHARE_MAX)
}

/// Returns whether the worked examples call for an answer, and hardly for anything else.
pub(super) fn only_asks_for_answer(prompt: &PromptFile, asked: &str) -> bool {
    answer_share(prompt, asked) >= CERTAIN_MIN
}

fn answer_share(prompt: &PromptFile, asked: &str) -> f32 {
    let [answers] = verb_shares(prompt, asked, [&LOOKUPS]);
    answers
}

/// Returns whether the worked examples call for something to go, be it in a note or a note.
pub(super) fn asks_for_removal(prompt: &PromptFile, asked: &str) -> bool {
    let [removes] = verb_shares(prompt, asked, [&["remove", DELETION]]);
    removes >= LIKELY_MIN
}

/// Returns the probabilities, 0 to 1, of groups of verbs by the worked examples alone; 0 if they are too
/// few.
fn verb_shares<const GROUPS: usize>(
    prompt: &PromptFile,
    asked: &str,
    groups: [&[&str]; GROUPS],
) -> [f32; GROUPS] {
    let verbs = prompt.similar.verbs(asked);
    let verbs = verbs.unwrap_or_default();
    groups.map(|group| share_of(&verbs, group))
}

/// Returns the probability, 0 to 1, of a group of verbs.
fn share_of(verbs: &[(impl AsRef<str>, f32)], group: &[&str]) -> f32 {
    let own = verbs
        .iter()
        .filter(|(verb, _)| group.contains(&verb.as_ref()));
    own.map(|(_, probability)| probability).sum()
}
