//! Work on a request in small steps: the next question of an iteration, and its outcome.
//! Pure: equal states and replies give equal results, so that a kept conversation can be replayed.

use super::LoopState;
use super::plan_examples::{copies_example, is_covered, repeats_prompt};
use super::plan_verb::{PlanVerbs, asks_for_change};
use super::planning::{Planning, UNDONE_WEIGHT, UNREADABLE};
use super::step_faults::{item_mentioned_by, only_repeats_title, repeats_request, writes_title};
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

/// The probability of a plan's verbs, 0 to 1, below which the plan is unsure.
const CERTAINTY_MIN: f64 = 0.6;

/// The minimum for new notes, 0 to 1, if no note has a telling word of the request.
/// A model then hesitates between a new note and an addition, and only one of them is possible.
const NEW_CERTAINTY_MIN: f64 = 0.3;

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
    /// Whether it is not sure that the request asks for the plan or for the step.
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

    /// Returns the lines of a reply; none if it only repeats the prompt or itself.
    fn usable_lines<'b>(&self, reply: &'b str) -> &'b str {
        if repeats_prompt(self.prompt, self.request, reply) || repeats_itself(reply) {
            ""
        } else {
            reply
        }
    }

    /// Judges the verbs of the first plan, if there is one.
    fn judged_verbs(&self, replies: &[String], planning: &Planning<'_>) -> Option<PlanVerbs> {
        let reply = lines_of_reply(replies.first()?);
        let chosen = parse(self.usable_lines(&reply));
        let verbs = PlanVerbs::of(planning, &chosen, self.certainty_percent)?;
        let steps = planning.corrected(corrected(&chosen, Some(&verbs), planning));
        Some(verbs.compared_with(&steps, planning))
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
        let verbs = self.judged_verbs(replies, &planning);
        let verb = verbs.as_ref().and_then(PlanVerbs::other);
        // The plan with the likelier verb takes the place of the first one.
        let replies = replies
            .get(usize::from(verb.is_some())..)
            .unwrap_or_default();
        let mut best: Option<(usize, Vec<Step>)> = None;
        let mut fault = None;
        let mut rest: Option<UnplannedPart> = None;
        for reply in replies {
            let reply = lines_of_reply(reply);
            let said = self.usable_lines(&reply);
            let is_rest = rest.is_some();
            let steps = match rest.take() {
                Some(rest) => rest.with(parse(said), &target),
                None => corrected(&parse(said), verbs.as_ref(), &planning),
            };
            let steps = planning.corrected(steps);
            let found = planning.fault_of(&steps);
            let Some((weight, message)) = found.or_else(|| retreats(&steps, best.as_ref())) else {
                return self.judged(&steps, &planning, verbs.as_ref());
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
            return self.last_choice(best, &planning, verbs.as_ref());
        }
        let asked = rest.as_ref().map_or(self.request, |rest| &rest.request);
        let verb = verb.filter(|_| replies.is_empty());
        NextAction::Ask(Box::new(Question {
            subject: plan_subject(asked, &target, verb),
            fault,
        }))
    }

    /// Returns the result of the best plan when each plan has a fault.
    fn last_choice(
        &self,
        best: Option<(usize, Vec<Step>)>,
        planning: &Planning<'_>,
        verbs: Option<&PlanVerbs>,
    ) -> NextAction {
        let Some((weight, steps)) = best else {
            return NextAction::Failed(Code::XmlParseError);
        };
        // A request with so many words or facts asks for something.
        let is_undone = steps == [Step::Nothing] && weight >= UNDONE_WEIGHT * UNDONE_MIN;
        let is_title = |step: &Step| {
            writes_title(step, planning.target)
                || only_repeats_title(step, planning.target)
                || repeats_request(step, planning.target)
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
            self.judged(&steps, planning, verbs)
        }
    }

    /// Returns the result of a plan, and whether it is unsure.
    fn judged(
        &self,
        steps: &[Step],
        planning: &Planning<'_>,
        verbs: Option<&PlanVerbs>,
    ) -> NextAction {
        let mut action = self.planned(steps);
        if let NextAction::Done(result) = &mut action {
            result.is_unsure = self.is_unsure_of(steps, planning, verbs);
        }
        action
    }

    /// Returns whether the verb of a plan is unsure.
    /// An answer needs no certainty: the notes show whether it is right. A new note needs less if no
    /// note can be meant.
    fn is_unsure_of(
        &self,
        steps: &[Step],
        planning: &Planning<'_>,
        verbs: Option<&PlanVerbs>,
    ) -> bool {
        let answers = |step: &Step| {
            matches!(
                step,
                Step::Answer { title: None, .. } | Step::Overview { title: None, .. }
            )
        };
        let is_new = |step: &Step| matches!(step, Step::New { .. });
        let certainty = match (verbs, self.certainty_percent) {
            (Some(verbs), _) => verbs.certainty_of(steps),
            (None, Some(percent)) => f64::from(percent) / 100.0,
            (None, None) => return false,
        };
        if certainty >= CERTAINTY_MIN || steps.iter().all(answers) {
            return false;
        }
        let is_evident = steps.iter().all(is_new) && !planning.may_mean_note();
        !is_evident || certainty < NEW_CERTAINTY_MIN
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
        let planning = Planning {
            prompt: self.prompt,
            target: &target,
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
                        // It answers the question with the fault; the next one has none.
                        fault = None;
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
                    let is_unsure = matches!(step, Step::Change { .. })
                        && only_adds(&effects, &all)
                        && asks_for_change(&planning);
                    return carried_out(&effects, &all, self.reasons(step, &effects), is_unsure);
                }
            }
        }
    }
}

/// Returns a plan that the model chose with the corrections that can be computed.
fn corrected(chosen: &[Step], verbs: Option<&PlanVerbs>, planning: &Planning<'_>) -> Vec<Step> {
    let steps = corrected_steps(chosen.to_vec(), planning.target);
    match verbs {
        Some(verbs) => verbs.with_new_note(chosen, steps, planning),
        None => steps,
    }
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

/// Returns the fault of a plan that does nothing although the best one so far acts.
fn retreats(steps: &[Step], best: Option<&(usize, Vec<Step>)>) -> Option<(usize, String)> {
    let is_retreat = !steps.iter().any(Step::acts) && best?.1.iter().all(Step::acts);
    is_retreat.then(|| (UNDONE_WEIGHT, UNREADABLE.to_owned()))
}

/// Returns whether effects only add text: no line of a note is another one than before.
fn only_adds(effects: &[Effect], notes: &[&Note]) -> bool {
    effects.iter().all(|effect| match effect {
        Effect::Create { .. } => true,
        Effect::Rewrite { note, text, .. } => {
            let old = notes.iter().find(|it| it.id == *note);
            old.is_some_and(|old| text.starts_with(old.value.trim_end()))
        }
        Effect::Rename { .. }
        | Effect::Delete { .. }
        | Effect::Forget { .. }
        | Effect::Flag { .. }
        | Effect::Answer { .. }
        | Effect::Unanswered { .. }
        | Effect::Present { .. }
        | Effect::Missed { .. } => false,
    })
}

/// Returns the outcome of effects: their instructions, and the notes that they are based on.
/// `reasons` are facts that need not appear in the changes.
fn carried_out(
    effects: &[Effect],
    notes: &[&Note],
    reasons: Vec<String>,
    is_unsure: bool,
) -> NextAction {
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
        is_unsure,
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
