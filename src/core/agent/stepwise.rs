//! Work on a request in small steps: the next question of an iteration, and its outcome.
//! Pure: equal states and replies give equal results, so that a kept conversation can be replayed.

use super::plan_examples::is_covered;
use super::plan_replies::{
    ASKED_AGAIN_MAX, PlannedPart, StepReply, planned_from, without_steps_behind_merge,
};
use super::plan_verb::{asks_for_change, may_ask_for_answer, only_asks_for_answer};
use super::planning::Planning;
use super::step_outcome::{StepOutcome, instructions_of, reply_of};
use super::unfulfilled_step::{
    note_changed_already, number_lost, unfulfilled_message, without_fact_loss,
};
use super::unwritten_clauses::may_be_small_talk;
use super::{LoopState, WorkingMemory};
use crate::core::journal::State;
use crate::core::memory::ram::{REQUIRED_KEYS, STEPS};
use crate::core::notes::{Note, SearchIndex, ShownNote, Terms};
use crate::core::prompt::{PromptFile, QuestionKind};
use crate::core::protocol::{Instruction, ParsedReply};
use crate::core::steps::candidates::candidates;
use crate::core::steps::check::{contains, facts_of, is_telling};
use crate::core::steps::count_change::CountChange;
use crate::core::steps::effects::{Effect, carry_out};
use crate::core::steps::evidence::text_of;
use crate::core::steps::plan::Step;
use crate::core::steps::question::{Fault, Question, Subject, lines_of_reply};
use crate::core::steps::removal::reason_for_deletion;
use crate::core::steps::spans::has_digit;
use crate::core::steps::step_question::{Replies, StepQuestion, YES};
use crate::core::steps::sum::sum_in;
use crate::core::steps::target::Target;
use crate::failure::Code;
use crate::ids::{NoteId, WorkspaceId};
use crate::time::Timestamp;
use serde_json::Value;

/// The answer to a request that asks for nothing.
const NOTHING: &str = "Nothing was asked for.";

/// The input of an iteration in small steps.
#[derive(Clone, Copy, Debug)]
pub struct Stepwise<'a> {
    /// The state of the program.
    pub state: &'a State,
    /// The working memory of the run in that state.
    pub working: &'a WorkingMemory,
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
    /// When the run began.
    pub since: Timestamp,
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
                self.working.ram.steps().is_empty() || first_step(self.working).is_some()
            }
            LoopState::Paging | LoopState::RecordOrganizing | LoopState::Idle => false,
        }
    }

    /// Returns the next action, given the replies to the questions so far.
    pub fn next(&self, replies: &[StepReply]) -> NextAction {
        let question = self.prompt.as_question(self.request);
        // `when I build the chest I need the joints, so link them` is no question.
        let is_question = question == self.request
            || self.with_planning(self.request, |whole| {
                may_ask_for_answer(self.prompt, &whole.asked())
            });
        if !is_question {
            return self.follow(replies);
        }
        let asked = Stepwise {
            request: &question,
            ..*self
        };
        asked.follow(replies)
    }

    fn follow(&self, replies: &[StepReply]) -> NextAction {
        match (self.ran_in, first_step(self.working)) {
            (LoopState::Planning, _) => self.plan(replies),
            (LoopState::Executing, Some(step)) => {
                let part = self.with_planning(self.request, |whole| part_of(&step, whole.parts()));
                let of_part = Stepwise {
                    request: part.as_deref().unwrap_or(self.request),
                    ..*self
                };
                of_part.execute(&step, replies, part.is_some())
            }
            (LoopState::Evaluating, Some(_)) => finished(
                vec![Instruction::StateAdd {
                    state: LoopState::Executing.name().to_owned(),
                }],
                false,
            ),
            _ => finished(Vec::new(), false),
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
        let keys = self.working.ram.entries().map(|(key, _)| key);
        let named = keys.filter(|key| !REQUIRED_KEYS.contains(key) && self.request.contains(key));
        named.map(str::to_owned).collect()
    }

    /// Judges the request together with the notes that a text may mean.
    fn with_planning<T>(&self, text: &str, judge: impl FnOnce(&Planning<'_>) -> T) -> T {
        let all = self.own_notes();
        let notes = candidates(text, &all, self.index);
        let keys = self.keys();
        let target = Target {
            notes: &notes,
            all: &all,
            keys: &keys,
            request: self.request,
            of_other_steps: &[],
        };
        judge(&Planning {
            prompt: self.prompt,
            target: &target,
        })
    }

    /// Plans each part of the request by itself, and the whole of it if that fails.
    fn plan(&self, replies: &[StepReply]) -> NextAction {
        let planned = self.with_planning(self.request, |whole| {
            let by_parts = self.planned_by_parts(&whole.parts(), replies);
            if let PlannedPart::Unusable { read, .. } = by_parts {
                planned_from(replies.get(read..).unwrap_or_default(), whole)
            } else {
                by_parts
            }
        });
        match planned {
            PlannedPart::Ask(question) => NextAction::Ask(question),
            PlannedPart::Plan {
                steps, is_unsure, ..
            } => self.planned(&steps, is_unsure),
            PlannedPart::Unusable { code, .. } => NextAction::Failed(code),
        }
    }

    /// Plans each of several parts by itself. Unusable if there is only one, or if one of them cannot be
    /// planned.
    fn planned_by_parts(&self, parts: &[String], replies: &[StepReply]) -> PlannedPart {
        let (mut all, mut is_any_unsure, mut read_all) = (Vec::new(), false, 0);
        for part in parts.iter().filter(|_| parts.len() > 1) {
            let part = Stepwise {
                request: part,
                ..*self
            };
            let left = replies.get(read_all..).unwrap_or_default();
            match part.with_planning(part.request, |planning| planned_from(left, planning)) {
                PlannedPart::Plan {
                    steps,
                    is_unsure,
                    read,
                } => {
                    // The text of this note stands in another part: it is one note.
                    if steps.iter().any(is_hollow) {
                        let (code, read) = (Code::NotPlanned, read_all + read);
                        return PlannedPart::Unusable { code, read };
                    }
                    for step in steps {
                        if step != Step::Nothing && !all.contains(&step) {
                            all.push(step);
                        }
                    }
                    is_any_unsure |= is_unsure;
                    read_all += read;
                }
                PlannedPart::Unusable { code, read } => {
                    let read = read_all + read;
                    return PlannedPart::Unusable { code, read };
                }
                ask @ PlannedPart::Ask(_) => return ask,
            }
        }
        if all.is_empty() {
            let (code, read) = (Code::NotPlanned, read_all);
            return PlannedPart::Unusable { code, read };
        }
        PlannedPart::Plan {
            steps: without_steps_behind_merge(all),
            is_unsure: is_any_unsure,
            read: read_all,
        }
    }

    /// Returns the end of planning: the steps are kept, or there are none to take.
    fn planned(&self, steps: &[Step], is_unsure: bool) -> NextAction {
        let is_idle = || self.with_planning(self.request, may_be_small_talk);
        let instruction = if steps != [Step::Nothing] {
            let lines: Vec<String> = steps.iter().map(Step::to_string).collect();
            Instruction::RamAdd {
                key: STEPS.to_owned(),
                value: Value::from(lines).to_string(),
            }
        } else if facts_of(self.request).is_empty() || is_idle() {
            Instruction::Answer {
                value: NOTHING.to_owned(),
                sources: Vec::new(),
                found: true,
            }
        } else {
            return finished(Vec::new(), is_unsure);
        };
        finished(vec![instruction], is_unsure)
    }

    /// Returns the facts of a request that need not appear in the changes.
    /// These are the difference by which a count changes, the names in a request that one deletion or
    /// removal fulfils: they say why something goes, and all that stands beside a question that is answered.
    fn reasons(
        &self,
        step: &Step,
        effects: &[Effect],
        is_part: bool,
        all: &[&Note],
    ) -> Vec<String> {
        if let (Step::Change { text, .. }, [Effect::Rewrite { .. }]) = (step, effects)
            && let Some(shift) = CountChange::of(text)
        {
            return vec![shift.number()];
        }
        // The links of an overview say nothing else.
        let gathers = matches!(step, Step::Overview { .. }) && self.is_only_step();
        if gathers || matches!(effects, [Effect::Answer { .. }]) && self.only_looks_up(step) {
            return facts_of(self.request);
        }
        let is_all = is_part || self.is_only_step();
        let is_whole = matches!(effects, [Effect::Delete { .. }]);
        let is_part_gone = matches!(
            (step, effects),
            (Step::Remove { .. }, [Effect::Rewrite { .. }])
        );
        if !is_all || !(is_whole || is_part_gone) {
            return Vec::new();
        }
        let deleted = if let (Step::Delete { title }, true) = (step, is_whole) {
            all.iter().find(|note| note.title == *title)
        } else {
            None
        };
        let reason = deleted.map_or("", |note| reason_for_deletion(note, self.request));
        // A name that a note has may have to go, too.
        let is_free = |name: &str| is_whole || !all.iter().any(|it| contains(&text_of(it), name));
        let mut names = facts_of(self.request);
        names.retain(|fact| {
            let is_name = !has_digit(fact) && is_free(fact);
            is_name || contains(reason, fact)
        });
        names
    }

    /// Returns the names of the request that only say how something is asked for.
    fn names_in_orders(&self) -> Vec<String> {
        let facts = facts_of(self.request);
        self.with_planning(self.request, |whole| whole.names_in_orders(&facts))
    }

    /// Returns whether the step to carry out is the only one of its plan.
    fn is_only_step(&self) -> bool {
        self.working.ram.steps().len() == 1 && self.shown.is_empty()
    }

    /// Returns whether the only step of a plan answers, and the request surely asks for an answer. What
    /// stands beside the question says why it is asked: `where is the scanner? bed 6 is waiting`.
    fn only_looks_up(&self, step: &Step) -> bool {
        self.is_only_step()
            && step.is_lookup()
            && self.with_planning(self.request, |whole| {
                only_asks_for_answer(self.prompt, &whole.asked())
            })
    }

    /// Carries out a step; `is_part` tells whether the request is a part with a plan of its own.
    fn execute(&self, step: &Step, replies: &[StepReply], is_part: bool) -> NextAction {
        let wanted = format!("{step} {}", self.request);
        self.with_planning(&wanted, |planning| {
            let others = self.notes_of_other_steps(planning.target);
            let planning = Planning {
                target: &planning.target.of_step(&others),
                ..*planning
            };
            self.executed(step, replies, is_part, &planning)
        })
    }

    /// Returns the notes that the other steps of the plan are about: those to come, and those that this run
    /// has written. One that a person writes meanwhile counts, too.
    fn notes_of_other_steps(&self, target: &Target<'_>) -> Vec<NoteId> {
        let to_come = self.working.ram.steps().iter().skip(1);
        let to_come: Vec<Step> = to_come
            .filter_map(|step| Step::parse(step.as_str()?))
            .collect();
        let mut notes = target.notes_of(to_come.iter());
        let written = target.all.iter().filter(|it| it.updated_at >= self.since);
        notes.extend(written.map(|note| note.id));
        notes
    }

    fn executed(
        &self,
        step: &Step,
        replies: &[StepReply],
        is_part: bool,
        planning: &Planning<'_>,
    ) -> NextAction {
        let (target, all) = (planning.target, planning.target.all);
        if let Some(note) = note_changed_already(step, target, self.shown) {
            return carried_out(&[Effect::Present { note }], all, Vec::new(), false);
        }
        // A faulty reply is asked for again: the next one takes its place.
        let mut given: Vec<String> = Vec::new();
        let mut rest = replies.iter();
        let mut again = 0;
        let mut fault: Option<Fault> = None;
        // The usable part of a reply, which goes before the next reply.
        let mut kept: Option<String> = None;
        loop {
            let effects = match carry_out(step, target, &mut Replies::of(&given)) {
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
                        let reply = lines_of_reply(&reply.text);
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
            let is_change = matches!(step, Step::Change { .. });
            let lost = number_lost(&effects, all, self.request).filter(|_| is_change);
            let stays = lost.map(|number| format!("That stays: {number}."));
            let missing = unfulfilled_message(step, &effects, all).or(stays);
            match (missing, given.pop()) {
                (Some(message), Some(reply)) if again < ASKED_AGAIN_MAX => {
                    again += 1;
                    let is_usable = matches!(effects.as_slice(), [Effect::Rewrite { .. }]);
                    kept = is_usable.then(|| reply.clone());
                    fault = Some(Fault { reply, message });
                }
                (_, last) => {
                    given.extend(last);
                    let effects = without_fact_loss(step, effects, target, self.shown);
                    let effects = with_sum(effects, self.prompt);
                    let is_added = is_change && only_adds(&effects, all);
                    let is_unsure = lost.is_some()
                        || is_added && asks_for_change(planning.prompt, &planning.asked());
                    let mut reasons = self.reasons(step, &effects, is_part, all);
                    reasons.extend(self.names_in_orders());
                    return carried_out(&effects, all, reasons, is_unsure);
                }
            }
        }
    }
}

/// Returns the part of a request that a step is for; `None` if there is only one, or if the step says
/// nothing of any. Another part may name another note.
fn part_of(step: &Step, parts: Vec<String>) -> Option<String> {
    let telling = |text: &str| {
        let terms = Terms::of(text);
        let telling: Vec<&str> = terms.iter().filter(|it| is_telling(it)).collect();
        Terms::of(&telling.join(" "))
    };
    let (text, all) = (telling(step.clause()), telling(&step.to_string()));
    let shared = |part: &String| {
        let part = Terms::of(part);
        (part.shared(&text), part.shared(&all))
    };
    let most = parts.iter().map(shared).max();
    let most = most.filter(|most| parts.len() > 1 && most.1 > 0)?;
    parts.into_iter().find(|part| shared(part) == most)
}

/// Returns whether a step makes a note that says no more than its title.
fn is_hollow(step: &Step) -> bool {
    let Step::New {
        title: Some(title),
        text,
    } = step
    else {
        return false;
    };
    Terms::of(text).are_in(&Terms::of(title))
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

/// Returns effects whose answer ends with the sum of what its notes say, if the question asks for it.
fn with_sum(mut effects: Vec<Effect>, prompt: &PromptFile) -> Vec<Effect> {
    for effect in &mut effects {
        if let Effect::Answer { text, question, .. } = effect
            && prompt.asks_for_sum(question)
            && let Some(sum) = sum_in(text, question)
        {
            text.extend(["\n", &sum]);
        }
    }
    effects
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
fn first_step(working: &WorkingMemory) -> Option<Step> {
    let step = working.ram.steps().first()?;
    Step::parse(step.as_str()?)
}

fn finished(instructions: Vec<Instruction>, is_unsure: bool) -> NextAction {
    NextAction::Done(Box::new(StepwiseResult {
        reply: reply_of(instructions),
        outcome: None,
        shown: Vec::new(),
        is_unsure,
    }))
}
