//! A request worked on in small steps: what an iteration has to ask, and what it comes to. Pure: the same
//! state and the same replies always give the same, so that a kept conversation can be replayed.

use super::LoopState;
use super::carried::{Carried, carried, reply_of};
use super::examples::{fillers, is_copied, is_covered, is_echo};
use super::missed::{missed_by, without_loss};
use super::rest::Rest;
use crate::core::journal::State;
use crate::core::memory::ram::{REQUIRED_KEYS, STEPS};
use crate::core::notes::{Note, SearchIndex, ShownNote, Terms, is_unspaced, phrase_stands_in};
use crate::core::prompt::{PromptFile, QuestionKind};
use crate::core::protocol::{Instruction, Parsed};
use crate::core::steps::amend::{amended, is_other_title};
use crate::core::steps::ask::{Ask, Replies, YES};
use crate::core::steps::asked::is_question;
use crate::core::steps::candidates::candidates;
use crate::core::steps::carry::{Effect, carry_out};
use crate::core::steps::check::{
    contains, facts_of, first_name, foreign, is_telling, left_out, thin, unsaid,
};
use crate::core::steps::completing::completed;
use crate::core::steps::counting::Shift;
use crate::core::steps::evidence::text_of;
use crate::core::steps::new_note::is_list;
use crate::core::steps::plan::{STEPS_MAX, Step, parse};
use crate::core::steps::plan_correction::only_deleted;
use crate::core::steps::question::{Fault, Question, Subject, lines_of_reply};
use crate::core::steps::target::Target;
use crate::failure::Code;
use crate::ids::WorkspaceId;
use serde_json::Value;

/// How often a reply is asked for again that misses something.
const ASKED_AGAIN_MAX: usize = 2;

/// Words of a reply from which on it may repeat itself.
const REPEATED_WORDS_MIN: usize = 24;

/// How often a word stands in a reply on average before that repeats itself.
const WORD_REPEATS_MAX: usize = 6;

/// How bad it is that a plan says nothing of a sentence.
const UNSAID_WEIGHT: usize = 50;

/// Telling words that a request has in common with the text of a note from which on it speaks of what that text
/// says.
const CONTENT_WORDS_MIN: usize = 2;

/// The share of overviews like the one asked for that are notes from which on this one is to be a note. Of 79 worked
/// examples, each judged by the others, 25 reach it, 21 of them rightly.
const ENTITLED_SHARE_MIN: f64 = 0.6;

/// The share of the worked examples with a turn of phrase that delete a note from which on it speaks of a deletion: a
/// place or a mark in common makes nothing alike.
const DELETION_SHARE_MIN: f64 = 1.0 / 3.0;

/// The same share of those that do nothing: `thanks` stands in many requests that ask for something.
const IDLENESS_SHARE_MIN: f64 = 1.0 / 5.0;

/// How much worse it is to do nothing than to leave something out.
const UNDONE_WEIGHT: usize = 1000;

/// Words or facts of a request from which on it asks for something.
const UNDONE_MIN: usize = 6;

/// What is said where nothing was asked for.
const NOTHING: &str = "Nothing was asked for.";

/// What a model is told whose plan cannot be read.
const UNREADABLE: &str = "Write one line for each thing, as before.";

/// What a model is told that takes the way in which it is asked into a note.
const ASKING: &str = "Leave out how it is asked for. Write only what is new.";

/// What a model is told that repeated an example.
const COPIED: &str = "That was an example. Write what this request asks for.";

/// What an iteration works on.
#[derive(Clone, Copy, Debug)]
pub struct Stepwise<'a> {
    /// The state of the program.
    pub state: &'a State,
    /// Finds notes of that state.
    pub index: &'a dyn SearchIndex,
    /// The workspace of the notes.
    pub workspace_id: WorkspaceId,
    /// The prompt file, whose examples must not come back as results.
    pub prompt: &'a PromptFile,
    /// What the person asked for.
    pub request: &'a str,
    /// The facts of the request that the steps before have shown.
    pub shown: &'a [String],
    /// The state of the loop.
    pub ran_in: LoopState,
}

/// What an iteration comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The instructions that it decides on.
    pub reply: Parsed,
    /// What carrying a step out came to, if it did.
    pub carried: Option<Carried>,
    /// The notes that it was made from, each in that version.
    pub shown: Vec<ShownNote>,
}

/// What follows from the replies so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// One more question.
    Ask(Box<Question>),
    /// The iteration is done.
    Done(Box<Worked>),
    /// No reply could be used.
    Failed(Code),
}

impl Stepwise<'_> {
    /// Returns whether the iteration can be worked in steps: it plans, judges, or has a step to do that the
    /// program can carry out.
    pub fn applies(&self) -> bool {
        match self.ran_in {
            LoopState::Planning | LoopState::Evaluating => true,
            LoopState::Executing => {
                self.state.ram.steps().is_empty() || first_step(self.state).is_some()
            }
            LoopState::Paging | LoopState::RecordOrganizing | LoopState::Idle => false,
        }
    }

    /// Returns what follows from the replies to the questions so far.
    pub fn next(&self, replies: &[String]) -> Next {
        let request = self.prompt.as_question(self.request);
        let asked = Stepwise {
            request: &request,
            ..*self
        };
        asked.follow(replies)
    }

    fn follow(&self, replies: &[String]) -> Next {
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

    /// Returns the keys of RAM that the request names: what a person put there, and what a model did.
    fn keys(&self) -> Vec<String> {
        let keys = self.state.ram.entries().map(|(key, _)| key);
        let named = keys.filter(|key| !REQUIRED_KEYS.contains(key) && self.request.contains(key));
        named.map(str::to_owned).collect()
    }

    fn plan(&self, replies: &[String]) -> Next {
        let all = self.own_notes();
        let notes = candidates(self.request, &all, self.index);
        let keys = self.keys();
        let target = Target {
            notes: &notes,
            all: &all,
            keys: &keys,
            request: self.request,
        };
        let mut best: Option<(usize, Vec<Step>)> = None;
        let mut fault = None;
        let mut rest: Option<Rest> = None;
        for reply in replies {
            let reply = lines_of_reply(reply);
            let said = if is_echo(self.prompt, self.request, &reply) || repeats_itself(&reply) {
                ""
            } else {
                &reply
            };
            let is_rest = rest.is_some();
            let steps = match rest.take() {
                Some(rest) => rest.with(parse(said), &target),
                None => amended(parse(said), &target),
            };
            let steps = self.entitled(self.answering(steps), &target);
            let missing = self.missing(&steps, &notes);
            let steps = completed(&steps, &missing, &target).map_or(steps, |step| vec![step]);
            let found = self.fault_of(&steps, &target);
            let Some((weight, message)) = found.or_else(|| retreats(&steps, best.as_ref())) else {
                return self.planned(&steps);
            };
            if !steps.is_empty() && best.as_ref().is_none_or(|(least, _)| weight < *least) {
                best = Some((weight, steps));
            }
            rest = Rest::of(best.as_ref().map_or(&[], |(_, steps)| steps), &target);
            rest = rest.filter(|_| !is_rest);
            fault = rest.is_none().then_some(Fault { reply, message });
        }
        if replies.len() > ASKED_AGAIN_MAX {
            return match best {
                // Whoever says so much asks for something.
                Some((weight, steps))
                    if steps == [Step::Nothing] && weight >= UNDONE_WEIGHT * UNDONE_MIN =>
                {
                    finished(Vec::new())
                }
                // Nothing is better than what was not asked for.
                Some((_, steps))
                    if self.unusual(&steps, &target).is_some()
                        || steps.iter().any(|step| writes_title(step, &target)) =>
                {
                    finished(Vec::new())
                }
                Some((_, steps)) if !is_copied(self.prompt, self.request, &steps) => {
                    self.planned(&steps)
                }
                Some(_) => Next::Failed(Code::ExampleCopied),
                None => Next::Failed(Code::XmlParseError),
            };
        }
        let title = |note: &&Note| note.title.replace(['\n', '\r'], " ");
        let titles = notes.iter().map(title);
        let asked = rest.as_ref().map_or(self.request, |rest| &rest.request);
        let named = target.named_in(asked);
        let named = named.iter().map(title);
        Next::Ask(Box::new(Question {
            subject: Subject::Plan {
                request: asked.to_owned(),
                titles: titles.chain(keys.iter().cloned()).collect(),
                named: named.chain(keys.iter().cloned()).collect(),
            },
            fault,
        }))
    }

    /// Returns a plan that answers, where the request only asks, whatever a model makes of it, or asks behind what it
    /// tells: `the lift is stuck, who do I call?`.
    fn answering(&self, mut steps: Vec<Step>) -> Vec<Step> {
        let answers = |step: &Step| matches!(step, Step::Answer { .. } | Step::Overview { .. });
        let only_asks = self.only_asks();
        if steps.iter().any(answers) || steps.is_empty() && !only_asks {
            return steps;
        }
        if only_asks {
            steps.clear();
        } else if self.asks_at_end() {
            // That something is wrong is why it is asked.
            steps.retain(|step| !matches!(step, Step::Issue { .. } | Step::Nothing));
        } else {
            return steps;
        }
        if steps.len() < STEPS_MAX {
            steps.push(Step::Answer {
                title: None,
                question: self.request.trim().to_owned(),
            });
        }
        steps
    }

    /// Returns whether the request ends with a question behind something else.
    fn asks_at_end(&self) -> bool {
        let parts = self.request.trim().rsplit_once([',', '.', ';', '\u{2013}']);
        let last = parts.map_or("", |(_, last)| last.trim());
        is_question(last) && self.prompt.is_one_question(without_mark(last))
    }

    /// Returns a plan whose overview becomes a note, where requests like this one ask for a note of links.
    fn entitled(&self, steps: Vec<Step>, target: &Target<'_>) -> Vec<Step> {
        let [Step::Overview { title: None, topic }] = steps.as_slice() else {
            return steps;
        };
        let is_overview = |output: &str| matches!(*parse(output), [Step::Overview { .. }]);
        let is_note =
            |output: &str| matches!(*parse(output), [Step::Overview { title: Some(_), .. }]);
        let asked = self.asked(target).text();
        let similar = &self.prompt.similar;
        let share = similar.share_doing(QuestionKind::Plan, &asked, is_overview, is_note);
        let title = with_capital(topic);
        if share < ENTITLED_SHARE_MIN || target.titled(&title).is_some() {
            return steps;
        }
        vec![Step::Overview {
            title: Some(title),
            topic: topic.clone(),
        }]
    }

    /// Returns the question for a plan, without any note that it names.
    fn asked(&self, target: &Target<'_>) -> Subject {
        let titles = target.notes.iter().map(|note| note.title.clone());
        Subject::Plan {
            request: self.request.to_owned(),
            titles: titles.collect(),
            named: Vec::new(),
        }
    }

    /// Returns whether the request is one question, by its first word and its mark.
    fn only_asks(&self) -> bool {
        let text = self.request.trim();
        is_question(text) && self.prompt.is_one_question(without_mark(text))
    }

    /// Returns a step that loses a note or does nothing, where requests like this one ask for something else, or
    /// this one speaks of what the note says.
    fn unusual<'b>(&self, steps: &'b [Step], target: &Target<'_>) -> Option<&'b Step> {
        let is_critical = |step: &&Step| matches!(step, Step::Delete { .. } | Step::Nothing);
        let mut critical = steps.iter().filter(is_critical);
        critical.find(|step| {
            let is_alike =
                |other: &Step| std::mem::discriminant(other) == std::mem::discriminant(*step);
            let does = |output: &str| parse(output).iter().any(is_alike);
            let (similar, asked) = (&self.prompt.similar, self.asked(target).text());
            let share_min = if matches!(step, Step::Delete { .. }) {
                DELETION_SHARE_MIN
            } else {
                IDLENESS_SHARE_MIN
            };
            is_about_content(step, target)
                && !similar.has_telling_word(QuestionKind::Plan, &asked, does)
                || similar.is_unusual(QuestionKind::Plan, &asked, share_min, does)
        })
    }

    /// Returns what is wrong with a plan, if anything is, and how much.
    fn fault_of(&self, steps: &[Step], target: &Target<'_>) -> Option<(usize, String)> {
        let notes = target.notes;
        if steps.is_empty() {
            return Some((usize::MAX, UNREADABLE.to_owned()));
        }
        if is_copied(self.prompt, self.request, steps) {
            return Some((usize::MAX - 1, COPIED.to_owned()));
        }
        if steps.iter().any(|step| writes_title(step, target)) {
            return Some((3, UNREADABLE.to_owned()));
        }
        if steps.iter().any(|step| repeats_request(step, target)) {
            return Some((2, ASKING.to_owned()));
        }
        if let Some(step) = self.unusual(steps, target) {
            return Some((UNDONE_WEIGHT, not_asked(step)));
        }
        if steps == [Step::Nothing] && is_small_talk(target) {
            return None;
        }
        let is_asking = |step: &Step| {
            let adds = matches!(step, Step::Add { .. } | Step::Change { .. });
            adds && step.clause().contains('?')
        };
        let fillers = fillers(self.prompt);
        let is_hollow = |step: &Step| adds_nothing(step, target, &fillers);
        if steps.iter().any(is_asking) || steps.iter().any(is_hollow) {
            return Some((2, ASKING.to_owned()));
        }
        if let Some((one, other)) = only_deleted(steps, target) {
            let (from, to) = (&one.title, &other.title);
            let message = format!(
                "If one goes into the other, write: merge {from} > {to}. Else write it again."
            );
            return Some((1, message));
        }
        let mut missing = self.missing(steps, notes);
        if is_of_named_note(steps, target) {
            // Why a note goes need not be written down; what is to be noted beside that has numbers.
            missing.retain(|fact| fact.contains(|it: char| it.is_ascii_digit()));
        }
        if missing.is_empty()
            && let [first, ..] = unsaid(self.request, steps, notes).as_slice()
        {
            let message = format!("Not said yet: {first}. Write all lines again.");
            return Some((UNSAID_WEIGHT, message));
        }
        let named = notes.iter().filter(|note| {
            let title = Terms::of(&note.title);
            title.shared(&Terms::of(self.request)) > 0
        });
        let named: Vec<&Note> = named.copied().collect();
        let (weight, missing) = if missing.is_empty() {
            (1, thin(self.request, steps, &named, &fillers))
        } else {
            (missing.len() * 100, missing)
        };
        if missing.is_empty() {
            let foreign = foreign(self.request, steps, notes);
            let message = format!("Keep to the words of the request, in place of: {foreign}.");
            return (!foreign.is_empty()).then_some((1, message));
        }
        // Anything is better than to leave it all undone.
        let weight = if steps == [Step::Nothing] {
            weight.max(missing.len()) * UNDONE_WEIGHT
        } else {
            weight
        };
        let message = format!(
            "Not said yet: {}. Write all lines again.",
            missing.join(", ")
        );
        Some((weight, message))
    }

    /// Returns the facts of the request that neither a line nor a note has.
    fn missing(&self, steps: &[Step], notes: &[&Note]) -> Vec<String> {
        let mut missing = left_out(self.request, steps, notes);
        missing.extend(self.name_left_out(steps, notes));
        missing
    }

    /// Returns the name that the request begins with, where neither a line nor a note has it. A first word is a name
    /// if no worked example has it with a small letter.
    fn name_left_out(&self, steps: &[Step], notes: &[&Note]) -> Option<String> {
        let name = first_name(self.request)?;
        let is_said = |text: &str| contains(text, name);
        let is_known = steps.iter().any(|step| is_said(&step.to_string()))
            || notes.iter().any(|note| is_said(&text_of(note)));
        let is_common = self.prompt.similar.is_common(QuestionKind::Plan, name);
        (!is_known && !is_common).then(|| name.to_owned())
    }

    fn planned(&self, steps: &[Step]) -> Next {
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

    /// Returns what of a request need not stand in what is done: by how much a count changes, and the names of a
    /// request that is done with the deletion of a note, which say why it goes.
    fn reasons(&self, step: &Step, effects: &[Effect]) -> Vec<String> {
        if let (Step::Change { text, .. }, [Effect::Rewrite { .. }]) = (step, effects)
            && let Some(shift) = Shift::of(text)
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

    fn execute(&self, step: &Step, replies: &[String]) -> Next {
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
        // A reply that misses something is asked for again: the next one takes its place.
        let mut given: Vec<String> = Vec::new();
        let mut rest = replies.iter();
        let mut again = 0;
        let mut fault: Option<Fault> = None;
        // What a reply has right goes before the one that was asked for next.
        let mut kept: Option<String> = None;
        loop {
            let effects = match carry_out(step, &target, &mut Replies::of(&given)) {
                Ok(effects) => effects,
                Err(Ask::Confirm { question, lines })
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
                        return Next::Ask(Box::new(Question {
                            subject: Subject::Step(ask),
                            fault: fault.take(),
                        }));
                    }
                },
            };
            let missing = missed_by(step, &effects, &all);
            match (missing, given.pop()) {
                (Some(message), Some(reply)) if again < ASKED_AGAIN_MAX => {
                    again += 1;
                    let is_part = matches!(effects.as_slice(), [Effect::Rewrite { .. }]);
                    kept = is_part.then(|| reply.clone());
                    fault = Some(Fault { reply, message });
                }
                (_, last) => {
                    given.extend(last);
                    let effects = without_loss(step, effects, &target, self.shown);
                    return carried_out(&effects, &all, self.reasons(step, &effects));
                }
            }
        }
    }
}

fn without_mark(question: &str) -> &str {
    question.trim_end_matches(['?', '\u{ff1f}', ' ', '\u{a0}'])
}

fn with_capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// Returns what a model is told of a step that loses a note or does nothing, where nobody asks for that.
fn not_asked(step: &Step) -> String {
    if let Step::Delete { title } = step {
        format!("Do not delete {title}: it is not asked for.")
    } else {
        UNREADABLE.to_owned()
    }
}

/// Returns whether a model could not stop: a long reply of few words said over and over.
fn repeats_itself(reply: &str) -> bool {
    let words = reply.split_whitespace().count();
    words >= REPEATED_WORDS_MIN && Terms::of(reply).len() * WORD_REPEATS_MAX < words
}

/// Returns whether a plan is one deletion of a note that the request names.
fn is_of_named_note(steps: &[Step], target: &Target<'_>) -> bool {
    matches!(steps, [Step::Delete { title }] if phrase_stands_in(title, target.request))
}

/// Returns whether a step writes into a note the title of another one that the request does not name.
fn writes_title(step: &Step, target: &Target<'_>) -> bool {
    let writes = matches!(step, Step::Add { .. } | Step::Change { .. });
    writes && is_other_title(step.clause(), target)
}

/// Returns whether a step adds words alone that say how something is asked for, and titles of notes.
fn adds_nothing(step: &Step, target: &Target<'_>, fillers: &Terms) -> bool {
    let Step::Add {
        note: Some(_),
        text,
    } = step
    else {
        return false;
    };
    let named = target.named_in(text);
    let titles: Vec<Terms> = named.iter().map(|note| Terms::of(&note.title)).collect();
    let said = Terms::of(text);
    let is_known = |term: &str| fillers.has(term) || titles.iter().any(|title| title.has(term));
    !titles.is_empty()
        && facts_of(text).is_empty()
        && !text.contains(is_unspaced)
        && said.iter().all(is_known)
        && said.len() > 1
}

/// Returns whether a request speaks of what the text of a note says that a step deletes: then that is to change.
fn is_about_content(step: &Step, target: &Target<'_>) -> bool {
    let Step::Delete { title } = step else {
        return false;
    };
    let asked = Terms::of(target.request).without(&Terms::of(title));
    let content = target.titled(title).map(|note| Terms::of(&note.value));
    let shared = content.map_or(0, |content| {
        let telling = asked.iter().filter(|term| is_telling(term));
        telling.filter(|term| content.has(term)).count()
    });
    shared >= CONTENT_WORDS_MIN
}

/// Returns whether what is added to a note is the whole request, which names that note, or is no item of its list.
fn repeats_request(step: &Step, target: &Target<'_>) -> bool {
    let Step::Add {
        note: Some(title),
        text,
    } = step
    else {
        return false;
    };
    let is_list = target.titled(title).is_some_and(is_list);
    let is_spoken_of = is_list || phrase_stands_in(title, target.request);
    is_spoken_of && Terms::of(text) == Terms::of(target.request)
}

/// Returns whether a request speaks of no note and states no fact.
fn is_small_talk(target: &Target<'_>) -> bool {
    let asked = Terms::of(target.request);
    let speaks_of = |note: &&Note| {
        let title = Terms::of(&note.title);
        let mut words = title.iter().filter(|word| is_telling(word));
        words.any(|word| asked.has(word))
    };
    facts_of(target.request).is_empty()
        && !is_question(target.request)
        && !target.notes.iter().any(speaks_of)
}

/// Returns what is wrong with a plan that does nothing, where the one before it did something.
fn retreats(steps: &[Step], best: Option<&(usize, Vec<Step>)>) -> Option<(usize, String)> {
    let acts = |step: &Step| !matches!(step, Step::Nothing | Step::Answer { .. });
    let is_retreat = !steps.iter().any(acts) && best?.1.iter().all(acts);
    is_retreat.then(|| (UNDONE_WEIGHT, UNREADABLE.to_owned()))
}

/// Returns what effects come to: their instructions, and the notes that they were made from. `reasons` need not
/// show in what was changed.
fn carried_out(effects: &[Effect], notes: &[&Note], reasons: Vec<String>) -> Next {
    let (reply, mut carried) = carried(effects, notes);
    carried.shows.extend(reasons);
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
    Next::Done(Box::new(Worked {
        reply,
        carried: Some(carried),
        shown: shown.collect(),
    }))
}

/// Returns the first step that is left, if the program can carry it out.
fn first_step(state: &State) -> Option<Step> {
    let step = state.ram.steps().first()?;
    Step::parse(step.as_str()?)
}

fn finished(instructions: Vec<Instruction>) -> Next {
    Next::Done(Box::new(Worked {
        reply: reply_of(instructions),
        carried: None,
        shown: Vec::new(),
    }))
}
