//! Makes a plan of the replies to its questions: judges each reply, and says what to ask next.
//! Pure.

use super::joined_items::parts_left_out;
use super::likely_correction::without_asides;
use super::plan_examples::{copies_example, repeats_prompt};
use super::plan_verb::{PlanVerbs, asks_for_removal, may_ask_for_answer};
use super::planning::{ALL_LINES, Planning, UNDONE_WEIGHT, UNREADABLE};
use super::step_faults::{
    invented_word, is_made_up, is_of_named_note, item_mentioned_by, only_adds_news,
    only_repeats_title, repeats_request, stands_in_note, topic_without_notes, writes_title,
};
use super::unplanned_part::UnplannedPart;
use super::unwritten_clauses::{is_small_talk, may_be_small_talk, without_asking_head};
use crate::core::notes::{Note, Terms, phrase_stands_in};
use crate::core::steps::checkboxes::has_box;
use crate::core::steps::plan::{Step, parse};
use crate::core::steps::question::{Fault, Question, Subject, lines_of_reply};
use crate::core::steps::step_correction::corrected_steps;
use crate::core::steps::target::Target;
use crate::failure::Code;

/// The maximum number of times that a faulty reply is asked for again.
pub(super) const ASKED_AGAIN_MAX: usize = 2;

/// The number of words from which a reply is checked for repetition.
const REPEATED_WORDS_MIN: usize = 24;

/// The average number of uses of each word above which a reply repeats itself.
const WORD_REPEATS_MAX: usize = 6;

/// The number of missing words or facts from which a request surely asks for something.
const UNDONE_MIN: usize = 6;

/// The probability of a plan's verbs, 0 to 1, below which the plan is unsure.
const CERTAINTY_MIN: f64 = 0.6;

/// The minimum for new notes, 0 to 1, if no note has a telling word of the request.
/// A model then hesitates between a new note and an addition, and only one of them is possible.
const NEW_CERTAINTY_MIN: f64 = 0.3;

/// The probability of what a line of the plan begins with, in percent, below which the plan is unsure: the model
/// hesitates between two notes, or whether there is anything else to do.
const LEAST_PERCENT_MIN: u8 = 45;

/// The probability of a plan to do nothing, in percent, below which it is unsure unless the request surely is small
/// talk.
const IDLE_PERCENT_MIN: u8 = 40;

/// The probability, 0 to 1, of a boundary below which a plan with a new note beside another is unsure.
/// Of the worked plans about one note 97 in 100 have no boundary with it, of those about several 20.
const UNSURE_BOUNDARY_MAX: f32 = 0.2;

/// A reply to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepReply {
    /// Its text; empty if nothing could be read.
    pub text: String,
    /// The probability of its first word, in percent, where the server reports it.
    pub certainty_percent: Option<u8>,
    /// The smallest probability of what its lines begin with, in percent, likewise.
    pub least_percent: Option<u8>,
}

/// The plan for a request or for a part of it, and the number of replies that it took.
#[derive(Debug)]
pub(super) enum PlannedPart {
    /// One more question.
    Ask(Box<Question>),
    /// A plan, and whether it is not sure that the request asks for it.
    Plan {
        steps: Vec<Step>,
        is_unsure: bool,
        read: usize,
    },
    /// No reply could be used.
    Unusable { code: Code, read: usize },
}

/// Judges the verbs of the first plan, if there is one.
fn judged_verbs(first: Option<&StepReply>, planning: &Planning<'_>) -> Option<PlanVerbs> {
    let first = first?;
    let reply = lines_of_reply(&first.text);
    let chosen = parse(usable_lines(&reply, planning));
    let (prompt, target) = (planning.prompt, planning.target);
    let percent = first.certainty_percent;
    let verbs = PlanVerbs::of(prompt, &planning.asked(), target, &chosen, percent)?;
    let steps = planning.corrected(corrected(&chosen, Some(&verbs), planning));
    let is_settled = planning.only_asks() || steps.iter().all(|step| is_there(step, planning));
    Some(verbs.compared_with(&steps, is_settled))
}

/// Returns whether a note says already what a step writes, so that nothing is written.
/// If something is to go, the note has it still.
fn is_there(step: &Step, planning: &Planning<'_>) -> bool {
    stands_in_note(step, planning.target) && !asks_for_removal(planning.prompt, &planning.asked())
}

/// Returns what the replies to the questions for a plan come to.
pub(super) fn planned_from(replies: &[StepReply], planning: &Planning<'_>) -> PlannedPart {
    let target = planning.target;
    let first = replies.first();
    let verbs = judged_verbs(first, planning);
    let certainty = Certainty {
        verbs: verbs.as_ref(),
        first_percent: first.and_then(|it| it.certainty_percent),
        taken: None,
    };
    let verb = verbs.as_ref().and_then(PlanVerbs::other);
    // The plan with the likelier verb takes the place of the first one.
    let passed = usize::from(verb.is_some());
    let replies = replies.get(passed..).unwrap_or_default();
    let mut best: Option<(usize, Vec<Step>)> = None;
    let mut fault = None;
    let mut rest: Option<UnplannedPart> = None;
    for (number, taken) in replies.iter().enumerate().take(ASKED_AGAIN_MAX + 1) {
        let reply = lines_of_reply(&taken.text);
        let said = usable_lines(&reply, planning);
        let is_rest = rest.is_some();
        let steps = match rest.take() {
            Some(rest) => rest.with(parse(said), target),
            None => corrected(&parse(said), verbs.as_ref(), planning),
        };
        let steps = planning.corrected(steps);
        let found = planning.fault_of(&steps);
        let Some((weight, message)) = found.or_else(|| retreats(&steps, best.as_ref())) else {
            // A model that is told a fault gives way, unless it only completes its plan.
            let is_kept = |it: &Step| steps.iter().any(|step| step == it || says_more(step, it));
            let keeps = |(_, known): &(usize, Vec<Step>)| known.iter().all(is_kept);
            let is_other = fault.is_some() && !best.as_ref().is_some_and(keeps);
            let is_unsure = is_other && steps.iter().any(Step::writes);
            let certainty = Certainty {
                taken: Some(taken),
                ..certainty
            };
            return PlannedPart::Plan {
                is_unsure: is_unsure || certainty.is_unsure_of(&steps, planning),
                steps,
                read: passed + number + 1,
            };
        };
        if !steps.is_empty() && best.as_ref().is_none_or(|(least, _)| weight < *least) {
            best = Some((weight, steps));
        }
        let steps = best.as_ref().map_or(&[][..], |(_, steps)| steps);
        let told = steps
            .iter()
            .find(|step| item_mentioned_by(step, target).is_some());
        rest = match told {
            Some(step) => UnplannedPart::in_place_of(step, steps),
            None => UnplannedPart::of(steps, &planning.uncovered_parts(steps), target)
                .or_else(|| UnplannedPart::beside(steps, &planning.clauses_left_out(steps))),
        };
        rest = rest.filter(|_| !is_rest);
        fault = rest.is_none().then_some(Fault { reply, message });
    }
    if replies.len() > ASKED_AGAIN_MAX {
        let read = passed + ASKED_AGAIN_MAX + 1;
        return last_choice(best, planning, certainty, read);
    }
    let asked = rest.as_ref().map_or(target.request, |rest| &rest.request);
    let verb = verb.filter(|_| replies.is_empty());
    PlannedPart::Ask(Box::new(Question {
        subject: plan_subject(asked, target, verb),
        fault,
    }))
}

/// Returns the result of the best plan when each plan has a fault.
fn last_choice(
    best: Option<(usize, Vec<Step>)>,
    planning: &Planning<'_>,
    certainty: Certainty<'_>,
    read: usize,
) -> PlannedPart {
    let unusable = |code| PlannedPart::Unusable { code, read };
    let Some((weight, steps)) = best else {
        return unusable(Code::XmlParseError);
    };
    // A request with so many words or facts asks for something.
    let is_undone = steps == [Step::Nothing] && weight >= UNDONE_WEIGHT * UNDONE_MIN;
    let is_no_text = |step: &Step| {
        writes_title(step, planning.target)
            || only_repeats_title(step, planning.target)
            || repeats_request(step, planning.target)
            || item_mentioned_by(step, planning.target).is_some()
            || is_made_up(step, planning.target)
            || topic_without_notes(step, planning).is_some()
    };
    // To do nothing is better than to do something that was not asked for.
    let is_unasked = planning.unusual(&steps).is_some()
        || invented_word(&steps, planning.target).is_some()
        || steps.iter().any(is_no_text)
        || planning.keeps_order(&steps);
    if copies_example(planning.prompt, planning.target.request, &steps) {
        unusable(Code::ExampleCopied)
    } else if is_undone || is_unasked || planning.makes_up_note(&steps) {
        unusable(Code::NotPlanned)
    } else {
        PlannedPart::Plan {
            is_unsure: steps.iter().any(Step::writes)
                || !parts_left_out(&steps, planning).is_empty()
                || certainty.is_unsure_of(&steps, planning),
            steps,
            read,
        }
    }
}

/// Returns the lines of a reply; none if it only repeats the prompt or itself.
fn usable_lines<'a>(reply: &'a str, planning: &Planning<'_>) -> &'a str {
    let is_echo = reply.contains(ALL_LINES) || repeats_itself(reply);
    if is_echo || repeats_prompt(planning.prompt, planning.target.request, reply) {
        ""
    } else {
        reply
    }
}

/// How sure it is that a plan begins with the right verb.
#[derive(Clone, Copy, Debug)]
struct Certainty<'a> {
    verbs: Option<&'a PlanVerbs>,
    /// The probability of the first word of the first plan, in percent.
    first_percent: Option<u8>,
    /// The reply whose plan is taken, if it has no fault.
    taken: Option<&'a StepReply>,
}

impl Certainty<'_> {
    /// Returns whether a plan is unsure: its verb, or the number of notes that it is about.
    /// An answer needs no certainty: the notes show whether it is right. A new note needs less if no
    /// note can be meant.
    fn is_unsure_of(&self, steps: &[Step], planning: &Planning<'_>) -> bool {
        let answers = |step: &Step| {
            matches!(
                step,
                Step::Answer { title: None, .. } | Step::Overview { title: None, .. }
            )
        };
        if planning.is_rather_about_one_note(steps, UNSURE_BOUNDARY_MAX) {
            return true;
        }
        if steps == [Step::Nothing] && may_be_small_talk(planning) {
            let percent = self.taken.and_then(|it| it.certainty_percent);
            let is_guess = percent.is_some_and(|it| it < IDLE_PERCENT_MIN);
            return is_guess && !is_small_talk(planning);
        }
        if steps
            .iter()
            .all(|step| answers(step) || is_there(step, planning))
        {
            return false;
        }
        let least_percent = self.taken.and_then(|it| it.least_percent);
        if least_percent.is_some_and(|it| it < LEAST_PERCENT_MIN) {
            return true;
        }
        let same = same_effect(steps, planning.target);
        if self
            .verbs
            .is_some_and(|verbs| verbs.is_unlikely(steps, same))
        {
            return true;
        }
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let certainty = match (self.verbs, self.first_percent) {
            (Some(verbs), _) => verbs.certainty_of(steps),
            (None, Some(percent)) => f64::from(percent) / 100.0,
            (None, None) => return false,
        };
        if certainty >= CERTAINTY_MIN {
            return false;
        }
        let is_evident = steps.iter().all(is_new) && !planning.may_mean_note();
        !is_evident || certainty < NEW_CERTAINTY_MIN
    }
}

/// Returns the other verb that comes to the same as those of a plan, if there is one.
/// What goes is a note if the request names nothing else, and an addition is a change of a note that
/// has nothing to change.
fn same_effect(steps: &[Step], target: &Target<'_>) -> Option<&'static str> {
    if is_of_named_note(steps, target) {
        Some("remove")
    } else {
        only_adds_news(steps, target).then_some("change")
    }
}

/// Returns a plan that the model chose with the corrections that can be computed.
fn corrected(chosen: &[Step], verbs: Option<&PlanVerbs>, planning: &Planning<'_>) -> Vec<Step> {
    // A question is answered in place of such a plan, which only says where to look.
    if planning.only_asks() && !chosen.iter().any(Step::is_lookup) {
        return chosen.to_vec();
    }
    let ticks = || chosen.iter().any(|step| has_box(step.clause()));
    if !chosen.is_empty() && is_small_talk(planning) && !ticks() {
        return vec![Step::Nothing];
    }
    let chosen: Vec<Step> = chosen
        .iter()
        .map(|step| asked_for(&without_asking_head(step, planning), planning))
        .collect();
    let plan = without_asides(planning.without_unwritten(chosen.clone()), planning);
    let is_deletion = verbs.is_some_and(PlanVerbs::is_deletion);
    let plan = without_contradiction(plan, is_deletion);
    let plan = without_steps_behind_merge(plan);
    let steps = corrected_steps(plan.clone(), planning.target);
    // A question that asks for a note is no question: `Kannst du mir notieren, dass ...?`
    let is_turned = steps.iter().any(Step::is_lookup) && plan.iter().all(Step::writes);
    let may_ask = || may_ask_for_answer(planning.prompt, &planning.asked());
    let steps = if is_turned && !may_ask() {
        plan.clone()
    } else {
        steps
    };
    match verbs {
        Some(verbs) => {
            let steps = verbs.with_new_note(&plan, steps, planning.target);
            let steps = verbs.with_addition(&chosen, steps);
            verbs.with_answer(&chosen, steps)
        }
        None => steps,
    }
}

/// Returns the answer to a question of the request in place of a step that writes it down.
fn asked_for(step: &Step, planning: &Planning<'_>) -> Step {
    let text = step.clause().trim();
    let is_kept = step.writes() || matches!(step, Step::Issue { .. });
    let is_asked = is_kept
        && text.ends_with('?')
        && phrase_stands_in(text.trim_end_matches('?'), planning.target.request)
        && planning.is_for_answer(text);
    if is_asked {
        Step::Answer {
            title: None,
            question: text.to_owned(),
        }
    } else {
        step.clone()
    }
}

/// Returns a plan that does not both delete a note and write to it: it does the former if the request
/// surely asks for a deletion.
fn without_contradiction(mut steps: Vec<Step>, is_deletion: bool) -> Vec<Step> {
    let whole = steps.clone();
    let goes = |note: Option<&String>| {
        let mut steps = whole.iter();
        steps.any(|step| matches!(step, Step::Delete { title } if note == Some(title)))
    };
    let is_written = |title: &String| {
        let mut writing = whole.iter().filter(|step| step.writes());
        writing.any(|step| step.note() == Some(title))
    };
    steps.retain(|step| {
        if let Step::Delete { title } = step {
            is_deletion || !is_written(title)
        } else {
            !is_deletion || !step.writes() || !goes(step.note())
        }
    });
    steps
}

/// Returns a plan without the steps about a note that an earlier step merges into another one.
pub(super) fn without_steps_behind_merge(mut steps: Vec<Step>) -> Vec<Step> {
    let mut merged: Vec<String> = Vec::new();
    steps.retain(|step| {
        if let Step::Merge { from, .. } = step {
            merged.push(from.clone());
        }
        let title = if let Step::Delete { title } = step {
            Some(title)
        } else {
            step.note()
        };
        title.is_none_or(|title| !merged.contains(title))
    });
    steps
}

/// Returns the question for a plan, which begins with `verb` if there is one.
fn plan_subject(request: &str, target: &Target<'_>, verb: Option<&str>) -> Subject {
    let title = |note: &&Note| note.title.replace(['\n', '\r'], " ");
    let named = target.named_in(request);
    let titles = target.notes.iter().map(title);
    let named = named.iter().map(title);
    Subject::Plan {
        request: request.to_owned(),
        titles: titles.chain(target.keys.iter().cloned()).collect(),
        named: named.chain(target.keys.iter().cloned()).collect(),
        verb: verb.map(str::to_owned),
    }
}

/// Returns whether a reply repeats itself: it is long and has few different words.
fn repeats_itself(reply: &str) -> bool {
    let words = reply.split_whitespace().count();
    words >= REPEATED_WORDS_MIN && Terms::of(reply).len() * WORD_REPEATS_MAX < words
}

/// Returns whether a new note says all that another one says, and more behind it.
fn says_more(step: &Step, other: &Step) -> bool {
    let (Step::New { text, .. }, Step::New { text: less, .. }) = (step, other) else {
        return false;
    };
    text.starts_with(less.as_str())
}

/// Returns the fault of a plan that does nothing although the best one so far acts.
fn retreats(steps: &[Step], best: Option<&(usize, Vec<Step>)>) -> Option<(usize, String)> {
    let is_retreat = !steps.iter().any(Step::acts) && best?.1.iter().all(Step::acts);
    is_retreat.then(|| (UNDONE_WEIGHT, UNREADABLE.to_owned()))
}
