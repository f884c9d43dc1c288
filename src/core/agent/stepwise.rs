//! Work on a request in small steps: the next question of an iteration, and its outcome.
//! Pure: equal states and replies give equal results, so that a kept conversation can be replayed.

use super::LoopState;
use super::plan_examples::{copies_example, is_covered, repeats_prompt};
use super::planning::{Planning, UNDONE_WEIGHT, UNREADABLE};
use super::step_faults::{item_mentioned_by, only_repeats_title, writes_title};
use super::step_outcome::{StepOutcome, instructions_of, reply_of};
use super::unfulfilled_step::{unfulfilled_message, without_fact_loss};
use super::unplanned_part::UnplannedPart;
use crate::core::journal::State;
use crate::core::memory::ram::{REQUIRED_KEYS, STEPS};
use crate::core::notes::{Note, SearchIndex, ShownNote, Terms};
use crate::core::prompt::{PromptFile, QuestionKind};
use crate::core::protocol::{Instruction, ParsedReply};
use crate::core::steps::candidates::candidates;
use crate::core::steps::check::facts_of;
use crate::core::steps::count_change::CountChange;
use crate::core::steps::effects::{Effect, carry_out};
use crate::core::steps::plan::{Step, parse};
use crate::core::steps::question::{Fault, Question, Subject, lines_of_reply};
use crate::core::steps::step_correction::corrected_steps;
use crate::core::steps::step_question::{Replies, StepQuestion, YES};
use crate::core::steps::target::Target;
use crate::failure::Code;
use crate::ids::WorkspaceId;
use serde_json::Value;

/// The maximum number of times that a faulty reply is asked for again.
const ASKED_AGAIN_MAX: usize = 2;

/// The number of words from which a reply is checked for repetition.
const REPEATED_WORDS_MIN: usize = 24;

/// The average number of uses of each word above which a reply repeats itself.
const WORD_REPEATS_MAX: usize = 6;

/// The number of missing words or facts from which a request surely asks for something.
const UNDONE_MIN: usize = 6;

/// The probability of a plan's first verb, in percent, below which the model is not sure of the plan.
/// Of the first plans for 79 changes in four sets that were unseen, 22 are below it: 16 of the 30 that a
/// 1.5B model took wrongly and called done, and 6 of the 49 that it took rightly.
const CERTAINTY_PERCENT_MIN: u8 = 60;

/// The minimum for new notes, in percent, if no note has a telling word of the request.
/// A model then hesitates between a new note and an addition, and only one of them is possible.
const NEW_CERTAINTY_PERCENT_MIN: u8 = 30;

/// The answer to a request that asks for nothing.
const NOTHING: &str = "Nothing was asked for.";

/// The input of an iteration in small steps.
#[derive(Clone, Copy, Debug)]
pub struct Stepwise<'a> {
    /// The state of the program.
    pub state: &'a State,
    /// The search index over the notes of that state.
    pub index: &'a dyn SearchIndex,
    /// The workspace of the notes.
    pub workspace_id: WorkspaceId,
    /// The prompt file, whose examples must not come back as results.
    pub prompt: &'a PromptFile,
    /// The request of the person.
    pub request: &'a str,
    /// The facts of the request that earlier steps have shown.
    pub shown: &'a [String],
    /// The state of the loop.
    pub ran_in: LoopState,
    /// The probability of the first word of the first reply, in percent, where the server reports
    /// it.
    pub certainty_percent: Option<u8>,
}

/// The outcome of an iteration in small steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepwiseResult {
    /// The instructions to decide.
    pub reply: ParsedReply,
    /// The outcome of a step beside its instructions, if a step was carried out.
    pub outcome: Option<StepOutcome>,
    /// The notes that the outcome is based on, with their versions.
    pub shown: Vec<ShownNote>,
    /// Whether the model was not sure of its plan.
    pub is_unsure: bool,
}

/// The next action, given the replies so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// One more question.
    Ask(Box<Question>),
    /// The iteration is done.
    Done(Box<StepwiseResult>),
    /// No reply could be used.
    Failed(Code),
}

impl Stepwise<'_> {
    /// Returns whether the iteration can run in small steps.
    /// Planning and evaluating can, and executing if the program can carry out its first step or
    /// there is none.
    pub fn applies(&self) -> bool {
        match self.ran_in {
            LoopState::Planning | LoopState::Evaluating => true,
            LoopState::Executing => {
                self.state.ram.steps().is_empty() || first_step(self.state).is_some()
            }
            LoopState::Paging | LoopState::RecordOrganizing | LoopState::Idle => false,
        }
    }

    /// Returns the next action, given the replies to the questions so far.
    pub fn next(&self, replies: &[String]) -> NextAction {
        let request = self.prompt.as_question(self.request);
        let asked = Stepwise {
            request: &request,
            ..*self
        };
        asked.follow(replies)
    }

    fn follow(&self, replies: &[String]) -> NextAction {
        match (self.ran_in, first_step(self.state)) {
            (LoopState::Planning, _) => self.plan(replies),
            (LoopState::Executing, Some(step)) => self.execute(&step, replies),
            (LoopState::Evaluating, Some(_)) => finished(vec![Instruction::StateAdd {
                state: LoopState::Executing.name().to_owned(),
            }]),
            _ => finished(Vec::new()),
        }
    }

    fn own_notes(&self) -> Vec<&Note> {
        let notes = self.state.notes.iter();
        notes
            .filter(|note| note.workspace_id == self.workspace_id)
            .collect()
    }

    /// Returns the keys of RAM that the request names, whether a person or a model wrote them.
    fn keys(&self) -> Vec<String> {
        let keys = self.state.ram.entries().map(|(key, _)| key);
        let named = keys.filter(|key| !REQUIRED_KEYS.contains(key) && self.request.contains(key));
        named.map(str::to_owned).collect()
    }

    fn plan(&self, replies: &[String]) -> NextAction {
        let all = self.own_notes();
        let notes = candidates(self.request, &all, self.index);
        let keys = self.keys();
        let target = Target {
            notes: &notes,
            all: &all,
            keys: &keys,
            request: self.request,
        };
        let planning = Planning {
            prompt: self.prompt,
            target: &target,
        };
        let mut best: Option<(usize, Vec<Step>)> = None;
        let mut fault = None;
        let mut rest: Option<UnplannedPart> = None;
        for reply in replies {
            let reply = lines_of_reply(reply);
            let said =
                if repeats_prompt(self.prompt, self.request, &reply) || repeats_itself(&reply) {
                    ""
                } else {
                    &reply
                };
            let is_rest = rest.is_some();
            let steps = match rest.take() {
                Some(rest) => rest.with(parse(said), &target),
                None => corrected_steps(parse(said), &target),
            };
            let steps = planning.corrected(steps);
            let found = planning.fault_of(&steps);
            let Some((weight, message)) = found.or_else(|| retreats(&steps, best.as_ref())) else {
                return self.judged(&steps, &planning);
            };
            if !steps.is_empty() && best.as_ref().is_none_or(|(least, _)| weight < *least) {
                best = Some((weight, steps));
            }
            let steps = best.as_ref().map_or(&[][..], |(_, steps)| steps);
            let told = steps
                .iter()
                .find(|step| item_mentioned_by(step, &target).is_some());
            rest = match told {
                Some(step) => UnplannedPart::in_place_of(step, steps),
                None => UnplannedPart::of(steps, &target),
            };
            rest = rest.filter(|_| !is_rest);
            fault = rest.is_none().then_some(Fault { reply, message });
        }
        if replies.len() > ASKED_AGAIN_MAX {
            return self.last_choice(best, &planning);
        }
        let title = |note: &&Note| note.title.replace(['\n', '\r'], " ");
        let titles = notes.iter().map(title);
        let asked = rest.as_ref().map_or(self.request, |rest| &rest.request);
        let named = target.named_in(asked);
        let named = named.iter().map(title);
        NextAction::Ask(Box::new(Question {
            subject: Subject::Plan {
                request: asked.to_owned(),
                titles: titles.chain(keys.iter().cloned()).collect(),
                named: named.chain(keys.iter().cloned()).collect(),
            },
            fault,
        }))
    }

    /// Returns the result of the best plan when each plan has a fault.
    fn last_choice(&self, best: Option<(usize, Vec<Step>)>, planning: &Planning<'_>) -> NextAction {
        let Some((weight, steps)) = best else {
            return NextAction::Failed(Code::XmlParseError);
        };
        // A request with so many words or facts asks for something.
        let is_undone = steps == [Step::Nothing] && weight >= UNDONE_WEIGHT * UNDONE_MIN;
        let is_title = |step: &Step| {
            writes_title(step, planning.target)
                || only_repeats_title(step, planning.target)
                || item_mentioned_by(step, planning.target).is_some()
        };
        // To do nothing is better than to do something that was not asked for.
        let is_unasked = planning.unusual(&steps).is_some()
            || steps.iter().any(is_title)
            || planning.keeps_order(&steps);
        if is_undone || is_unasked {
            finished(Vec::new())
        } else if copies_example(self.prompt, self.request, &steps) {
            NextAction::Failed(Code::ExampleCopied)
        } else if planning.makes_up_note(&steps) {
            finished(Vec::new())
        } else {
            self.judged(&steps, planning)
        }
    }

    /// Returns the result of a plan, and whether the model was not sure of it.
    fn judged(&self, steps: &[Step], planning: &Planning<'_>) -> NextAction {
        let mut action = self.planned(steps);
        if let NextAction::Done(result) = &mut action {
            result.is_unsure = self.is_unsure_of(steps, planning);
        }
        action
    }

    /// Returns whether the server reports that the model was not sure of a plan.
    /// An answer needs no certainty: the notes show whether it is right. A new note needs less if no
    /// note can be meant.
    fn is_unsure_of(&self, steps: &[Step], planning: &Planning<'_>) -> bool {
        let answers = |step: &Step| {
            matches!(
                step,
                Step::Answer { title: None, .. } | Step::Overview { title: None, .. }
            )
        };
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let Some(percent) = self.certainty_percent else {
            return false;
        };
        if percent >= CERTAINTY_PERCENT_MIN || steps.iter().all(answers) {
            return false;
        }
        let is_evident = steps.iter().all(is_new) && !planning.may_mean_note();
        !is_evident || percent < NEW_CERTAINTY_PERCENT_MIN
    }

    fn planned(&self, steps: &[Step]) -> NextAction {
        if steps == [Step::Nothing] {
            let is_plain = facts_of(self.request).is_empty();
            let answer = Instruction::Answer {
                value: NOTHING.to_owned(),
                sources: Vec::new(),
                found: true,
            };
            return finished(if is_plain { vec![answer] } else { Vec::new() });
        }
        let lines: Vec<String> = steps.iter().map(Step::to_string).collect();
        finished(vec![Instruction::RamAdd {
            key: STEPS.to_owned(),
            value: Value::from(lines).to_string(),
        }])
    }

    /// Returns the facts of a request that need not appear in the changes.
    /// These are the difference by which a count changes, and the names in a request that one
    /// deletion fulfils: they say why the note goes.
    fn reasons(&self, step: &Step, effects: &[Effect]) -> Vec<String> {
        if let (Step::Change { text, .. }, [Effect::Rewrite { .. }]) = (step, effects)
            && let Some(shift) = CountChange::of(text)
        {
            return vec![shift.number()];
        }
        let is_all = self.state.ram.steps().len() == 1 && self.shown.is_empty();
        if !is_all || !matches!(effects, [Effect::Delete { .. }]) {
            return Vec::new();
        }
        let mut names = facts_of(self.request);
        names.retain(|fact| !fact.contains(|it: char| it.is_ascii_digit()));
        names
    }

    fn execute(&self, step: &Step, replies: &[String]) -> NextAction {
        let all = self.own_notes();
        let wanted = format!("{step} {}", self.request);
        let notes = candidates(&wanted, &all, self.index);
        let keys = self.keys();
        let target = Target {
            notes: &notes,
            all: &all,
            keys: &keys,
            request: self.request,
        };
        // A faulty reply is asked for again: the next one takes its place.
        let mut given: Vec<String> = Vec::new();
        let mut rest = replies.iter();
        let mut again = 0;
        let mut fault: Option<Fault> = None;
        // The usable part of a reply, which goes before the next reply.
        let mut kept: Option<String> = None;
        loop {
            let effects = match carry_out(step, &target, &mut Replies::of(&given)) {
                Ok(effects) => effects,
                Err(StepQuestion::Confirm { question, lines })
                    if !self.prompt.asks(QuestionKind::Confirm)
                        || again == 0 && is_covered(self.prompt, &question, &lines) =>
                {
                    given.push(YES.to_owned());
                    continue;
                }
                Err(ask) => match rest.next() {
                    Some(reply) => {
                        let reply = lines_of_reply(reply);
                        let kept = kept.take().into_iter();
                        given.push(kept.chain([reply]).collect::<Vec<_>>().join("\n"));
                        continue;
                    }
                    None => {
                        return NextAction::Ask(Box::new(Question {
                            subject: Subject::Step(ask),
                            fault: fault.take(),
                        }));
                    }
                },
            };
            let missing = unfulfilled_message(step, &effects, &all);
            match (missing, given.pop()) {
                (Some(message), Some(reply)) if again < ASKED_AGAIN_MAX => {
                    again += 1;
                    let is_part = matches!(effects.as_slice(), [Effect::Rewrite { .. }]);
                    kept = is_part.then(|| reply.clone());
                    fault = Some(Fault { reply, message });
                }
                (_, last) => {
                    given.extend(last);
                    let effects = without_fact_loss(step, effects, &target, self.shown);
                    return carried_out(&effects, &all, self.reasons(step, &effects));
                }
            }
        }
    }
}

/// Returns whether a reply repeats itself: it is long and has few different words.
fn repeats_itself(reply: &str) -> bool {
    let words = reply.split_whitespace().count();
    words >= REPEATED_WORDS_MIN && Terms::of(reply).len() * WORD_REPEATS_MAX < words
}

/// Returns the fault of a plan that does nothing although the best one so far acts.
fn retreats(steps: &[Step], best: Option<&(usize, Vec<Step>)>) -> Option<(usize, String)> {
    let is_retreat = !steps.iter().any(Step::acts) && best?.1.iter().all(Step::acts);
    is_retreat.then(|| (UNDONE_WEIGHT, UNREADABLE.to_owned()))
}

/// Returns the outcome of effects: their instructions, and the notes that they are based on.
/// `reasons` are facts that need not appear in the changes.
fn carried_out(effects: &[Effect], notes: &[&Note], reasons: Vec<String>) -> NextAction {
    let (reply, mut outcome) = instructions_of(effects, notes);
    outcome.shows.extend(reasons);
    let touched = effects.iter().filter_map(|effect| match effect {
        Effect::Rewrite { note, .. }
        | Effect::Rename { note, .. }
        | Effect::Delete { note }
        | Effect::Flag { note, .. }
        | Effect::Present { note } => Some(vec![*note]),
        Effect::Answer { sources, .. } => Some(sources.clone()),
        Effect::Unanswered { looked_in, .. } => Some(looked_in.clone()),
        Effect::Create { .. } | Effect::Forget { .. } | Effect::Missed { .. } => None,
    });
    let touched: Vec<_> = touched.flatten().collect();
    let shown = notes.iter().filter(|note| touched.contains(&note.id));
    let shown = shown.map(|note| ShownNote {
        id: note.id,
        version: note.version,
    });
    NextAction::Done(Box::new(StepwiseResult {
        reply,
        outcome: Some(outcome),
        shown: shown.collect(),
        is_unsure: false,
    }))
}

/// Returns the first remaining step, if the program can carry it out.
fn first_step(state: &State) -> Option<Step> {
    let step = state.ram.steps().first()?;
    Step::parse(step.as_str()?)
}

fn finished(instructions: Vec<Instruction>) -> NextAction {
    NextAction::Done(Box::new(StepwiseResult {
        reply: reply_of(instructions),
        outcome: None,
        shown: Vec::new(),
        is_unsure: false,
    }))
}
