//! Tells which clauses of a request a plan does not write: how, why or for whom something is asked for.
//! Pure.

use super::plan_verb::{is_likeliest, may_ask_for_nothing, surely_asks_for_nothing};
use super::planning::Planning;
use super::step_faults::{states_nothing, takes_out};
use crate::core::notes::Terms;
use crate::core::prompt::StepKind;
use crate::core::steps::check::{contains, facts_of, is_telling, uncovered_parts};
use crate::core::steps::evidence::{has_telling_word_of, title_words_in};
use crate::core::steps::plan::Step;
use crate::core::steps::removal::reason_for_deletion;
use crate::core::steps::spans::{bare_words, has_digit};
use crate::core::steps::target::Target;

/// The probability, 0 to 1, that a plan writes a clause, below which it says why or how something is
/// asked for. Of 4,975 such clauses of the worked plans, each judged by the other plans, 248 are written
/// after all.
const IDLE_CLAUSE_MAX: f32 = 0.15;

/// The probability, 0 to 1, that a plan writes a clause, below which it is taken out of the plan.
/// Of 2,396 clauses of the worked plans below it, each judged by the other plans, 2,075 have no rare
/// word in their plan, and 34 have most of them.
const UNWRITTEN_MAX: f32 = 0.02;

/// That probability for a sentence with which a text begins, and for a step beside others.
/// `new note please.` has fewer words to tell by than a reason has.
const HARDLY_WRITTEN_MAX: f32 = 0.1;

/// The probability, 0 to 1, that a plan writes a clause, from which a new note says it although the plan
/// leaves it out.
const RATHER_WRITTEN_MIN: f32 = 0.3;

/// The number of words of a text by which its place in the request is found.
const FIRST_WORDS: usize = 3;

/// The probability, 0 to 1, that a plan has a step of a kind, above which a plan may leave one out, and
/// that of a clause by itself above which the plan leaves out that clause.
/// Of the worked plans, each judged by others, that leave out nothing, 34 in 1,000 of those that only
/// remove are above both, and at most 5 in 1,000 of all others. Of those whose steps of a kind are taken
/// away, 57 in 100 are above both if the rest removes something, else 25 to 40.
const KIND_MIN: f32 = 0.7;
const CLAUSE_KIND_MIN: f32 = 0.3;

/// Likewise beside a question alone, which often comes with its reason: 2 of 1,594 questions are above
/// both, and 46 in 100 of those with something else to do.
const KIND_BESIDE_QUESTION_MIN: f32 = 0.9;
const CLAUSE_BESIDE_QUESTION_MIN: f32 = 0.5;

/// The probability, 0 to 1, that a plan has a step of a kind, below which it has none.
const NO_STEP_MAX: f32 = 0.15;

/// The number of words from which a request is known as small talk: `plan my week` has too few to tell.
const SMALL_TALK_WORDS_MIN: usize = 6;

/// The maximum number of words of a sentence that belong to no clause, such as `please` and `hurray`.
const STRAY_WORDS_MAX: usize = 2;

/// The marks at the end of a sentence.
const SENTENCE_MARKS: [char; 6] = ['.', '!', '?', '\u{3002}', '\u{ff01}', '\u{ff1f}'];

impl Planning<'_> {
    /// Returns whether a part of the request says nothing to be written and names no note:
    /// `put the new price in her note`. `clauses` are those of the request.
    pub(super) fn only_orders(&self, part: &str, clauses: &[(&str, f32)]) -> bool {
        let said = Terms::of(part);
        let mut notes = self.target.notes.iter();
        let is_unnamed = notes.all(|note| title_words_in(note, &said) == 0);
        is_unnamed && is_unwritten(part, clauses)
    }

    /// Returns whether a plan writes none of the clauses of the request. Of a request of one clause nothing
    /// is learnt, so it may be unwritten, too.
    pub(super) fn may_be_unwritten(&self) -> bool {
        let asked = self.asked();
        let clauses = self.prompt.similar.clauses(&asked);
        clauses.is_empty() || is_unwritten(self.target.request, &clauses)
    }

    /// Returns the parts of the request that a plan does not cover, and that are to be written.
    pub(super) fn uncovered_parts(&self, steps: &[Step]) -> Vec<&str> {
        let mut parts = uncovered_parts(self.target.request, steps, self.target.notes);
        if !parts.is_empty() {
            let asked = self.asked();
            let clauses = self.prompt.similar.clauses(&asked);
            let reason = deletion_reason(steps, self.target);
            parts.retain(|part| !is_unwritten(part, &clauses) && !reason.contains(part));
        }
        parts
    }

    /// Returns the clauses of the request that call for a kind of step which the plan has none of:
    /// `and put soap on it` beside a removal.
    pub(super) fn clauses_left_out(&self, steps: &[Step]) -> Vec<&str> {
        if steps.iter().all(|step| *step == Step::Nothing) || self.only_asks() {
            return Vec::new();
        }
        let said: Vec<String> = steps.iter().map(Step::to_string).collect();
        let said = Terms::of(&said.join("\n"));
        let is_unsaid = |clause: &&str| {
            let own = Terms::of(clause);
            own.iter().any(is_telling) && !has_telling_word_of(&said, &own)
        };
        let similar = &self.prompt.similar;
        let clauses = similar.clauses(self.target.request).into_iter();
        let mut unsaid: Vec<&str> = clauses
            .map(|(clause, _)| clause)
            .filter(is_unsaid)
            .collect();
        if unsaid.is_empty() {
            return unsaid;
        }
        let (kind_min, clause_min) = if steps.iter().all(Step::is_lookup) {
            (KIND_BESIDE_QUESTION_MIN, CLAUSE_BESIDE_QUESTION_MIN)
        } else {
            (KIND_MIN, CLAUSE_KIND_MIN)
        };
        let asked = self.asked();
        let mut lacking = StepKind::ALL.to_vec();
        lacking.retain(|kind| {
            !steps.iter().any(|step| may_be_of(*kind, step))
                && similar.step_kind(*kind, &asked) > kind_min
        });
        let reason = deletion_reason(steps, self.target);
        unsaid.retain(|clause| {
            if reason.contains(clause) {
                return false;
            }
            let question = self.question_for(clause);
            let mut kinds = lacking.iter();
            kinds.any(|kind| similar.step_kind(*kind, &question) > clause_min)
        });
        unsaid
    }

    /// Returns a plan without the sentences that a plan for such a request does not write down, such as
    /// `Please correct my note.` Steps beside others that only have such a sentence are left out.
    pub(super) fn without_unwritten(&self, steps: Vec<Step>) -> Vec<Step> {
        let asked = self.asked();
        let clauses = self.prompt.similar.clauses(&asked);
        let below = |written_max: f32| -> Vec<Terms> {
            let clauses = clauses.iter().filter(|(_, written)| *written < written_max);
            let clauses = clauses.filter(|(text, _)| facts_of(text).is_empty());
            clauses.map(|(text, _)| Terms::of(text)).collect()
        };
        let (unwritten, hardly) = (below(UNWRITTEN_MAX), below(HARDLY_WRITTEN_MAX));
        if hardly.is_empty() {
            return steps;
        }
        let whole = steps.clone();
        let is_hardly_written = |step: &Step| {
            let said = Terms::of(step.clause());
            let is_moved = whole.iter().any(|other| takes_out(other, step.clause()));
            step.writes() && !is_moved && hardly.iter().any(|clause| said.are_in(clause))
        };
        let mut steps = steps;
        if !steps.iter().all(is_hardly_written) {
            steps.retain(|step| !is_hardly_written(step));
        }
        for step in &mut steps {
            // A new note has to say whom it is about, if only in passing.
            let (title, text) = if let Step::New { title, text } = step {
                let title = Terms::of(title.as_deref().unwrap_or_default());
                (Some(title), text)
            } else if let Step::Add { text, .. } | Step::Change { text, .. } = step {
                (None, text)
            } else {
                continue;
            };
            let whole = Terms::of(text);
            let is_subject = |sentence: &Terms| {
                title.as_ref().is_some_and(|title| {
                    let rest = whole.clone().without(sentence).with(title);
                    let mut words = sentence.iter().filter(|word| is_telling(word));
                    words.any(|word| !rest.has(word) && !self.prompt.similar.is_common(word))
                })
            };
            *text = without_sentences(text, &unwritten, &hardly, is_subject);
            if title.is_some() {
                let behind = without_order_clause(text, &clauses, self);
                *text = without_order_behind(&behind, &clauses, self);
            }
        }
        let is_empty = |step: &Step| step.writes() && step.clause().is_empty();
        steps.retain(|step| !is_empty(step));
        steps
    }

    /// Returns those of some facts that are names and only stand in clauses that are not to be written:
    /// `Notiz` in `Kannst du das in meiner Notiz ändern?`. A frequent word in capitals is no name, either:
    /// `it is at 5, NOT at 6`.
    pub(super) fn names_in_orders(&self, facts: &[String]) -> Vec<String> {
        if facts.iter().all(|fact| has_digit(fact)) {
            return Vec::new();
        }
        let asked = self.asked();
        let clauses = self.prompt.similar.clauses(&asked);
        let is_of_order = |fact: &&String| {
            let with = clauses.iter().filter(|(text, _)| contains(text, fact));
            let mut with = with.peekable();
            with.peek().is_some() && with.all(|(_, written)| *written < UNWRITTEN_MAX)
        };
        let is_stressed = |fact: &&String| {
            let is_capital = fact.chars().all(char::is_uppercase);
            is_capital && self.prompt.similar.is_frequent(&fact.to_lowercase())
        };
        let names = facts.iter().filter(|fact| !has_digit(fact));
        let names = names.filter(|fact| is_of_order(fact) || is_stressed(fact));
        names.cloned().collect()
    }
}

/// Returns the part of a request that only says why the note goes which a plan deletes.
pub(super) fn deletion_reason<'a>(steps: &[Step], target: &Target<'a>) -> &'a str {
    let [Step::Delete { title }] = steps else {
        return "";
    };
    let note = target.titled(title);
    note.map_or("", |note| reason_for_deletion(note, target.request))
}

/// Returns whether a request is small talk: it states no fact, names no note, and plans for such a request do
/// nothing, or neither write nor remove nor answer anything.
pub(super) fn is_small_talk(planning: &Planning<'_>) -> bool {
    let (prompt, target, asked) = (planning.prompt, planning.target, planning.asked());
    let is_idle = || {
        let clauses = prompt.similar.clauses(&asked);
        let mut kinds = StepKind::ALL.into_iter();
        !clauses.is_empty()
            && clauses
                .iter()
                .all(|(_, written)| *written < HARDLY_WRITTEN_MAX)
            && kinds.all(|kind| prompt.similar.step_kind(kind, &asked) < NO_STEP_MAX)
    };
    names_nothing(target)
        && states_nothing(target)
        && (surely_asks_for_nothing(prompt, &asked) || is_idle())
}

/// Returns whether a request may be small talk, which is enough if the model plans to do nothing.
pub(super) fn may_be_small_talk(planning: &Planning<'_>) -> bool {
    let (prompt, target, asked) = (planning.prompt, planning.target, planning.asked());
    // A name may be that of a day: `Typical Tuesday`.
    let is_mood = || !has_digit(target.request) && is_likeliest(&Step::Nothing, prompt, &asked);
    let may_be = || (states_nothing(target) || is_mood()) && may_ask_for_nothing(prompt, &asked);
    is_small_talk(planning) || names_nothing(target) && may_be()
}

/// Returns whether a request has enough words to tell small talk, and names no note.
fn names_nothing(target: &Target<'_>) -> bool {
    target.request.split_whitespace().count() >= SMALL_TALK_WORDS_MIN
        && target.named_in(target.request).is_empty()
}

/// Returns a text without the clause that it begins with, if that only says how it is asked for:
/// `Halt mir bitte fest, dass das Fest am 8. Mai ist`.
fn without_order_clause(text: &str, clauses: &[(&str, f32)], planning: &Planning<'_>) -> String {
    let similar = &planning.prompt.similar;
    let is_order = |(clause, written): &&(&str, f32)| {
        *written < UNWRITTEN_MAX && clause.ends_with(',') && says_nothing_rare(clause, planning)
    };
    // What stands before a colon may announce the rest, behind a story that is not written, either:
    // `What a day! So that I don't lose it: the vet is Dr Rahm,`.
    let announcement = |(clause, written): &(&str, f32)| {
        let (head, _) = clause.split_once(": ")?;
        let (before, rest) = text.split_once(&[head, ": "].concat())?;
        let told = clauses.iter().filter(|(it, _)| before.contains(it));
        let is_story = told
            .map(|(_, written)| *written)
            .all(|it| it < RATHER_WRITTEN_MIN);
        let is_announcing = *written < IDLE_CLAUSE_MAX && facts_of(head).is_empty();
        let is_apart = before.is_empty() || before.trim_end().ends_with(SENTENCE_MARKS);
        (is_announcing && is_story && is_apart && !has_digit(before)).then_some(rest)
    };
    if let Some(rest) = clauses.iter().find_map(announcement) {
        return rest.trim_start().to_owned();
    }
    let mut orders = clauses.iter().filter(is_order);
    let rest = orders.find_map(|(clause, _)| text.strip_prefix(clause));
    let Some(rest) = rest.map(str::trim_start).filter(|it| !it.is_empty()) else {
        return text.to_owned();
    };
    let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    if similar.is_of_asking(first) {
        behind.to_owned()
    } else {
        rest.to_owned()
    }
}

/// Returns a text without the clause that it ends with, if that only asks for it: `.., keep that somewhere`.
fn without_order_behind(text: &str, clauses: &[(&str, f32)], planning: &Planning<'_>) -> String {
    let bare = text.trim_end().trim_end_matches(SENTENCE_MARKS);
    let order = clauses.last().filter(|(clause, written)| {
        *written < HARDLY_WRITTEN_MAX && says_nothing_rare(clause, planning)
    });
    let before = order.and_then(|(it, _)| bare.strip_suffix(it.trim_end_matches(SENTENCE_MARKS)));
    let before = before.and_then(|it| it.trim_end().strip_suffix(','));
    before.unwrap_or(text).to_owned()
}

/// Returns whether a clause has no facts, and only words that are common among the worked plans.
fn says_nothing_rare(clause: &str, planning: &Planning<'_>) -> bool {
    let said = Terms::of(clause);
    let mut telling = said.iter().filter(|word| is_telling(word));
    facts_of(clause).is_empty() && telling.all(|word| planning.prompt.similar.is_common(word))
}

/// Returns a new note without the words that its text repeats from the start of the request, if they ask
/// for it: `Tu peux me noter que le four est allumé samedi ?`
pub(super) fn without_asking_head(step: &Step, planning: &Planning<'_>) -> Step {
    let (request, similar) = (planning.target.request, &planning.prompt.similar);
    let Step::New { title, text } = step else {
        return step.clone();
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_inside = |word: &str| word.ends_with(char::is_alphanumeric);
    let asks = |word: &str| {
        bare_words(word)
            .next()
            .is_some_and(|it| similar.is_of_asking(it))
    };
    let is_short = |word: &str| !bare_words(word).next().is_some_and(is_telling);
    let may_ask = |word: &&&str| is_inside(word) && (is_short(word) || asks(word));
    let start = words.iter().take_while(may_ask).count();
    let start = words.get(..start).unwrap_or_default();
    let is_asking = |word: &&str| !is_short(word) && asks(word);
    let Some(last) = start.iter().rposition(is_asking) else {
        return step.clone();
    };
    // The word behind may belong to the order, too: `note that`, `noter que`.
    let next = start.get(last + 1).filter(|word| asks(word));
    let rest = words.get(last + 1 + usize::from(next.is_some())..);
    let head = words.get(..=last).unwrap_or_default().join(" ");
    let is_repeated = request.to_lowercase().starts_with(&head.to_lowercase());
    // `note this please. the boiler ...` is an order of its own.
    match rest {
        Some(rest) if is_repeated && rest.first().is_some_and(|word| is_inside(word)) => {
            Step::New {
                title: title.clone(),
                text: rest.join(" "),
            }
        }
        _ => step.clone(),
    }
}

/// Returns a plan of one new note with the clauses before its text that worked plans write, and that
/// it leaves out: `a lady looked at the dresser. keep a record: she reckons 650 euros`.
pub(super) fn with_opening(steps: Vec<Step>, planning: &Planning<'_>) -> Vec<Step> {
    let [step @ Step::New { title, text }] = steps.as_slice() else {
        return steps;
    };
    let request = planning.target.request;
    let first_words: Vec<&str> = text.split_whitespace().take(FIRST_WORDS).collect();
    let Some(start) = request.find(&first_words.join(" ")) else {
        return steps;
    };
    let written = Terms::of(&step.to_string());
    let is_lost = |clause: &str| {
        let own = Terms::of(clause);
        own.iter()
            .any(|term| is_telling(term) && !written.has(term))
    };
    let is_before = |clause: &str| {
        let at = request.find(clause);
        at.is_some_and(|at| at + clause.len() <= start)
    };
    let asked = planning.asked();
    let clauses = planning.prompt.similar.clauses(&asked);
    let opening = clauses.iter().take_while(|(clause, _)| is_before(clause));
    let lost: Vec<&str> = opening
        .filter(|(clause, share)| *share >= RATHER_WRITTEN_MIN && is_lost(clause))
        .map(|(clause, _)| *clause)
        .collect();
    if lost.is_empty() {
        return steps;
    }
    vec![Step::New {
        title: title.clone(),
        text: [&lost.join(" "), " ", text].concat(),
    }]
}

/// Returns whether a step may do what a kind of step does. A change takes something away, too, and so may a
/// step that puts one note in order by another.
fn may_be_of(kind: StepKind, step: &Step) -> bool {
    let is_orderly = matches!(
        step,
        Step::Link { .. } | Step::Merge { .. } | Step::Rename { .. }
    );
    match kind {
        StepKind::Writing => {
            let is_note = matches!(
                step,
                Step::Issue { .. } | Step::Overview { title: Some(_), .. }
            );
            is_orderly || is_note || step.writes()
        }
        StepKind::Removal => {
            is_orderly
                || matches!(
                    step,
                    Step::Remove { .. } | Step::Delete { .. } | Step::Change { .. }
                )
        }
        StepKind::Answer => step.is_lookup(),
    }
}

/// Returns whether a plan writes none of the clauses of a text of the request, given all clauses of the
/// request with the probability, 0 to 1, that a plan writes them.
fn is_unwritten(text: &str, clauses: &[(&str, f32)]) -> bool {
    let is_of_text = |clause: &str| text.contains(clause) || clause.contains(text);
    let own = clauses.iter().filter(|(it, _)| is_of_text(it));
    let mut own = own.peekable();
    own.peek().is_some() && own.all(|(_, written)| *written < IDLE_CLAUSE_MAX)
}

/// Returns a text without its sentences that are unwritten clauses, and without the first ones that
/// consist of clauses which are hardly written, unless a sentence alone says what the text is about.
fn without_sentences(
    text: &str,
    unwritten: &[Terms],
    hardly: &[Terms],
    is_subject: impl Fn(&Terms) -> bool,
) -> String {
    let sentences: Vec<(&str, Terms)> = text
        .split_inclusive(SENTENCE_MARKS)
        .map(|sentence| (sentence, Terms::of(sentence)))
        .filter(|(_, said)| said.is_empty() || !unwritten.contains(said) || is_subject(said))
        .collect();
    let is_lead = |(_, said): &&(&str, Terms)| {
        let own = hardly.iter().filter(|clause| clause.are_in(said));
        let own = own.fold(Terms::default(), Terms::with);
        let stray = said.clone().without(&own);
        said.is_empty() || !own.is_empty() && stray.len() <= STRAY_WORDS_MAX
    };
    let leads = sentences.iter().take_while(is_lead).count();
    // A text that has nothing else is what is asked for.
    let leads = if leads < sentences.len() { leads } else { 0 };
    let kept = sentences.iter().enumerate();
    let kept = kept.filter(|(at, (_, said))| *at >= leads || is_subject(said));
    let kept = kept.map(|(_, (sentence, _))| *sentence);
    kept.collect::<String>().trim().to_owned()
}
