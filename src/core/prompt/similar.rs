//! The worked examples that are most similar to a question, by its words and pairs of words.
//! A small model follows the last example more than any rule, so the most similar one comes last.
//! Subjects differ from request to request; the phrasing shows what is asked for.

use super::clauses::ClauseClassifier;
use super::file::{Condition, Example, QuestionKind};
use super::joined_items::JoinedWords;
use super::parts::PartClassifier;
use super::spelling::KnownWords;
use super::step_kinds::{StepKind, StepKinds};
use super::verbs::{VerbClassifier, first_word};
use super::words::{TITLE, titles_and_request, words_of};
use crate::core::notes::Terms;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

/// The maximum number of similar examples that are shown, and of plans for a request that is no question.
/// No cache holds them.
const SHOWN_MAX: usize = 4;
const ORDERS_SHOWN_MAX: usize = 3;

/// The number of most similar examples that decide whether a request is unusual.
const JUDGED_MAX: usize = 6;

/// The minimum score of such an example, as a share of the best score.
const JUDGED_SHARE_MIN: f64 = 0.6;

/// The minimum number of worked plans from which verbs can be told by them.
const TEACHING_MIN: usize = 500;

/// The weight of an example whose verb is most unlikely; one whose verb is certain has one more.
const VERB_WEIGHT_MIN: f64 = 0.25;

/// The weight of a feature that only one example has: it is hardly a phrase.
const RARE_WORTH: f64 = 0.5;

/// The factor by which a pair of words weighs more than a word.
const PAIR_FACTOR: f64 = 1.5;

/// The number of words in all examples from which an unknown word counts as a name.
const COMMON_WORDS_MIN: usize = 1000;

/// The part of the examples, one in so many, from which a word is frequent.
const FREQUENT_PART: usize = 100;

/// The minimum number of inputs that have a word of asking.
const ASKING_INPUTS_MIN: usize = 5;

/// The part of the outputs, one in so many, that may have a word of asking.
const ASKING_PART: usize = 8;

/// The number of letters from which a word tells what a text is about.
const TELLING_CHARS_MIN: usize = 4;

/// The share of plans that would repeat a word which no example has.
const REPEATED_SHARE_UNKNOWN: f64 = 0.6;

/// The number of examples that each word is assumed to have beside its own.
const REPEATED_EXAMPLES_ASSUMED: f64 = 3.0;

/// The minimum length of a word that may contain a typing error, in characters.
const SLIP_CHARS_MIN: usize = 5;

/// The worked examples of which a question shows only the most similar ones.
#[derive(Clone, Debug, Default)]
pub struct SimilarExamples {
    pools: OnceLock<Vec<Pool>>,
    /// Reads the examples on first use, if they are not given.
    read: Option<fn() -> Vec<Example>>,
}

/// The examples of one kind of question. Two pools are equal if their examples are.
#[derive(Clone, Debug)]
struct Pool {
    kind: QuestionKind,
    examples: Vec<Example>,
    // Built on first use: most commands ask no model.
    index: OnceLock<ExampleIndex>,
    verbs: OnceLock<VerbClassifier>,
    parts: OnceLock<PartClassifier>,
    clauses: OnceLock<ClauseClassifier>,
    kinds: StepKinds,
}

/// The index over examples.
/// Places count from 0 in the order of the file.
#[derive(Clone, Debug)]
struct ExampleIndex {
    /// The terms of each example's output.
    outputs: Vec<Terms>,
    /// The weight of each feature, and the places of the examples that have it.
    features: HashMap<String, (f64, Vec<usize>)>,
    /// The total weight of the features of each example.
    worth: Vec<f64>,
    fillers: Terms,
    /// The words that inputs have in lower case.
    common: BTreeSet<String>,
    /// The words of the titles of notes, in lower case.
    titles: BTreeSet<String>,
    words: KnownWords,
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.examples) == (other.kind, &other.examples)
    }
}

impl Eq for Pool {}

impl PartialEq for SimilarExamples {
    fn eq(&self, other: &Self) -> bool {
        self.pools() == other.pools()
    }
}

impl Eq for SimilarExamples {}

/// Returns the similar examples by the kind of their question, without empty pools.
fn pools_of(examples: &[Example]) -> Vec<Pool> {
    let pools = QuestionKind::ALL.into_iter().map(|kind| {
        let own = examples.iter();
        let own = own.filter(|example| example.condition == Condition::Similar(kind));
        Pool {
            kind,
            examples: own.cloned().collect(),
            index: OnceLock::new(),
            verbs: OnceLock::new(),
            parts: OnceLock::new(),
            clauses: OnceLock::new(),
            kinds: StepKinds::default(),
        }
    });
    pools.filter(|pool| !pool.examples.is_empty()).collect()
}

impl SimilarExamples {
    /// Takes the examples with the condition `Condition::Similar`; others are left out.
    pub fn of(examples: &[Example]) -> Self {
        Self {
            pools: OnceLock::from(pools_of(examples)),
            read: None,
        }
    }

    /// Returns the examples that a function reads on first use; most commands use none.
    pub fn read_later(read: fn() -> Vec<Example>) -> Self {
        Self {
            pools: OnceLock::new(),
            read: Some(read),
        }
    }

    fn pools(&self) -> &[Pool] {
        self.pools
            .get_or_init(|| self.read.map_or_else(Vec::new, |read| pools_of(&read())))
    }

    fn pool(&self, kind: QuestionKind) -> Option<&Pool> {
        self.pools().iter().find(|pool| pool.kind == kind)
    }

    fn plans(&self) -> Option<&Pool> {
        self.pool(QuestionKind::Plan)
    }

    /// Returns the examples that are most similar to a question, the most similar one last.
    /// They are at most four, and three for an order. For a yes or no question, only those that ask nearly
    /// the same count.
    pub fn nearest(&self, kind: QuestionKind, question: &str) -> Vec<&Example> {
        self.pool(kind)
            .map_or_else(Vec::new, |pool| pool.nearest(question))
    }

    /// Returns whether a question is similar to examples that do something else.
    /// `does` tells whether an output does it. The question is unusual if none of the most similar
    /// examples does it and shares a feature that speaks of it, and if no word of the question
    /// stands mostly in examples that do it. A feature speaks of it if at least `share_min` of the
    /// examples that have it do it. A question without a known word, such as one in another
    /// language, is not unusual.
    pub fn is_unusual(&self, question: &str, share_min: f64, does: impl Fn(&str) -> bool) -> bool {
        self.plans()
            .is_some_and(|pool| pool.is_unusual(question, share_min, does))
    }

    /// Returns whether a question has a word that stands mostly in examples that do something.
    /// `does` tells whether an output does it.
    pub fn has_telling_word(&self, question: &str, does: impl Fn(&str) -> bool) -> bool {
        self.plans()
            .is_some_and(|pool| pool.has_telling_word(&features_of(question), does))
    }

    /// Returns the share of similar examples whose output satisfies `does`, from 0 to 1.
    /// Only outputs that satisfy `among` count, weighted by similarity. 0 if no example is similar.
    pub fn share_doing(
        &self,
        question: &str,
        among: impl Fn(&str) -> bool,
        does: impl Fn(&str) -> bool,
    ) -> f64 {
        self.plans()
            .map_or(0.0, |pool| pool.share_doing(question, among, does))
    }

    /// Returns the worked plans that have all of these terms.
    pub fn saying<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = &'a Example> {
        self.plans().into_iter().flat_map(|pool| {
            let examples = pool.examples.iter().zip(&pool.index().outputs);
            let saying = examples.filter(|(_, outputs)| terms.are_in(outputs));
            saying.map(|(example, _)| example)
        })
    }

    /// Returns whether a word is common, and so no name.
    /// An input has it in lower case, or a word that differs by one typing error. If there are too
    /// few examples, every word counts as common.
    pub fn is_common(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let is_slip = |other: &String| {
            word.chars().count() >= SLIP_CHARS_MIN
                && word.chars().next() == other.chars().next()
                && strsim::osa_distance(&word, other) == 1
        };
        self.plans().is_some_and(|pool| {
            let common = &pool.index().common;
            common.len() < COMMON_WORDS_MIN || common.contains(&word) || common.iter().any(is_slip)
        })
    }

    /// Returns whether at least one example in a hundred has a word: it is hardly what a text is about.
    pub fn is_frequent(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.plans().is_some_and(|pool| {
            let count = pool.index().places_of(&word).len();
            count * FREQUENT_PART >= pool.examples.len()
        })
    }

    /// Returns whether a title can end with a word: `until` stands in requests, and in no title.
    pub fn ends_title(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.plans().is_none_or(|pool| {
            let index = pool.index();
            index.titles.contains(&word) || index.places_of(&word).len() < ASKING_INPUTS_MIN
        })
    }

    /// Returns whether a word says how something is asked for, such as `please` or `save`.
    /// Several inputs have it, and hardly any of their outputs does.
    pub fn is_of_asking(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.plans().is_some_and(|pool| {
            let (repeated, count) = pool.index().repeated(&word);
            count >= ASKING_INPUTS_MIN && repeated * ASKING_PART <= count
        })
    }

    /// Returns how far plans repeat the telling words of a text, 0 to 1: the mean share of the outputs
    /// with a word among the examples whose input has it. 1 for a text without such words.
    pub fn repeated_share(&self, text: &str) -> f64 {
        self.plans().map_or(1.0, |pool| {
            let words = words_of(&text.to_lowercase());
            let is_telling = |word: &&String| word.chars().count() >= TELLING_CHARS_MIN;
            let words = words.iter().filter(is_telling);
            let shares: Vec<f64> = words
                .map(|word| pool.index().repeated_share(word))
                .collect();
            if shares.is_empty() {
                1.0
            } else {
                shares.iter().sum::<f64>() / in_float(shares.len())
            }
        })
    }

    /// Returns the probability, 0 to 1, of each verb with which a plan for a question may begin.
    /// `None` if there are too few worked plans.
    pub fn verbs(&self, question: &str) -> Option<Vec<(&str, f32)>> {
        self.plans()?.verbs(question)
    }

    /// Returns the probability, 0 to 1, that a plan for a question has a step of a kind, be it the first
    /// one or another. 0 if there are too few worked plans.
    pub fn step_kind(&self, kind: StepKind, question: &str) -> f32 {
        self.plans()
            .and_then(|pool| pool.step_kind(kind, question))
            .unwrap_or_default()
    }

    /// Returns the parts of a question's request that are about different notes, in their order.
    /// It is one part if there are too few worked plans.
    pub fn parts<'a>(&self, question: &'a str) -> Vec<&'a str> {
        self.plans().and_then(Pool::learnt_parts).map_or_else(
            || vec![titles_and_request(question).1],
            |parts| parts.parts(question),
        )
    }

    /// Returns the largest probability, 0 to 1, with which a part about another note begins within a
    /// question's request; 0 for one clause. `None` if there are too few worked plans.
    pub fn likeliest_boundary(&self, question: &str) -> Option<f32> {
        let parts = self.plans()?.learnt_parts()?;
        Some(parts.likeliest_boundary(question))
    }

    /// Returns the pairs of words in a text that are of two items of an enumeration.
    pub fn joined_items<'a>(&self, text: &'a str) -> Vec<JoinedWords<'a>> {
        let parts = self.plans().and_then(Pool::learnt_parts);
        parts.map_or_else(Vec::new, |it| it.joined_items(text))
    }

    /// Returns the clauses of a question's request with the probability, 0 to 1, that a plan writes their
    /// words down. Empty for a request of one clause or of several lines, and if there are too few worked
    /// plans.
    pub fn clauses<'a>(&self, question: &'a str) -> Vec<(&'a str, f32)> {
        self.plans()
            .and_then(Pool::learnt_clauses)
            .map_or_else(Vec::new, |clauses| clauses.clauses(question))
    }

    /// Returns the filler words: terms of inputs that their own outputs do not repeat.
    pub fn fillers(&self) -> Terms {
        self.plans()
            .map_or_else(Terms::default, |pool| pool.index().fillers.clone())
    }
}

impl ExampleIndex {
    fn of(examples: &[Example]) -> Self {
        let own: Vec<BTreeSet<String>> = examples.iter().map(|it| features_of(&it.input)).collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, features) in own.iter().enumerate() {
            for feature in features {
                places.entry(feature).or_default().push(place);
            }
        }
        let total = in_float(examples.len());
        let features = places.into_iter().map(|(feature, places)| {
            let of_word = if places.len() < 2 {
                RARE_WORTH
            } else {
                (total / in_float(places.len())).ln()
            };
            let is_pair = feature.contains(' ');
            let worth = of_word * if is_pair { PAIR_FACTOR } else { 1.0 };
            (feature.to_owned(), (worth, places))
        });
        let features: HashMap<String, (f64, Vec<usize>)> = features.collect();
        let words = features
            .iter()
            .map(|(word, (_, places))| (word.as_str(), places.len()));
        let known_words = KnownWords::of(words);
        let worth = own.iter().map(|own| {
            let known = own.iter().filter_map(|it| features.get(it));
            known.map(|(worth, _)| worth).sum()
        });
        let worth = worth.collect();
        let outputs: Vec<Terms> = examples.iter().map(|it| Terms::of(&it.output)).collect();
        let pairs = examples.iter().zip(&outputs);
        let fillers = pairs.fold(Terms::default(), |fillers, (example, outputs)| {
            fillers.with(&Terms::of(&example.input).without(outputs))
        });
        let words = examples.iter().flat_map(|it| it.input.split_whitespace());
        let words = words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()));
        let common = words.filter(|word| word.starts_with(char::is_lowercase));
        let common = common.map(str::to_owned).collect();
        let notes = examples.iter().map(|it| it.input.lines().next());
        let titles = notes.flat_map(|notes| words_of(&notes.unwrap_or_default().to_lowercase()));
        Self {
            outputs,
            features,
            worth,
            fillers,
            common,
            titles: titles.collect(),
            words: known_words,
        }
    }

    /// Returns the places of the examples whose input has a word.
    fn places_of(&self, word: &str) -> &[usize] {
        let found = self.features.get(word);
        found.map_or(&[], |(_, places)| places)
    }

    /// Returns the number of examples whose output repeats a word, and of those whose input has it.
    fn repeated(&self, word: &str) -> (usize, usize) {
        let places = self.places_of(word);
        let outputs = places.iter().filter_map(|place| self.outputs.get(*place));
        let word = Terms::of(word);
        let repeated = outputs.filter(|output| word.are_in(output)).count();
        (repeated, places.len())
    }

    /// Returns the share of the outputs with a word among the examples whose input has it, 0 to 1.
    /// A word of few examples is nearly as likely repeated as an unknown one.
    fn repeated_share(&self, word: &str) -> f64 {
        let (repeated, count) = self.repeated(word);
        let unknown = REPEATED_SHARE_UNKNOWN * REPEATED_EXAMPLES_ASSUMED;
        (in_float(repeated) + unknown) / (in_float(count) + REPEATED_EXAMPLES_ASSUMED)
    }

    /// Returns the total weight of features.
    fn worth_of(&self, features: &BTreeSet<String>) -> f64 {
        let known = features.iter().filter_map(|it| self.features.get(it));
        known.map(|(worth, _)| worth).sum()
    }
}

/// Returns ranked examples with those first whose verb all examples together call for, given the
/// probability of each verb. Two requests may be alike in their subject and ask for different things.
fn with_likely_verbs<'a>(
    mut ranked: Vec<(f64, &'a Example)>,
    verbs: Option<&[(&str, f32)]>,
) -> Vec<(f64, &'a Example)> {
    let Some(verbs) = verbs else {
        return ranked;
    };
    for (score, example) in &mut ranked {
        let verb = first_word(&example.output);
        let told = verbs.iter().find(|(other, _)| *other == verb);
        *score *= VERB_WEIGHT_MIN + told.map_or(0.0, |(_, it)| f64::from(*it));
    }
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranked
}

impl Pool {
    fn index(&self) -> &ExampleIndex {
        self.index.get_or_init(|| ExampleIndex::of(&self.examples))
    }

    fn nearest(&self, question: &str) -> Vec<&Example> {
        let question = &self.index().words.respelt(question);
        let features = features_of(question);
        let worth = self.index().worth_of(&features).max(1.0).sqrt();
        let least = worth * self.kind.similarity_min();
        let verbs = self.verbs(question);
        let ranked = with_likely_verbs(self.ranked(&features), verbs.as_deref());
        // A question has few words that tell what it asks for.
        let asks = |(verb, share): &(&str, f32)| *verb == "answer" && *share > 0.5;
        let is_question = verbs.is_some_and(|verbs| verbs.iter().any(asks));
        let shown_max = if self.kind == QuestionKind::Plan && !is_question {
            ORDERS_SHOWN_MAX
        } else {
            SHOWN_MAX
        };
        let ranked = ranked.into_iter().take(shown_max);
        let ranked = ranked.filter(|(score, _)| *score >= least);
        let mut nearest: Vec<&Example> = ranked.map(|(_, example)| example).collect();
        nearest.reverse();
        nearest
    }

    /// Returns the probability of each verb; `None` if the examples are no plans or too few.
    fn verbs(&self, question: &str) -> Option<Vec<(&str, f32)>> {
        self.teaches().then(|| {
            let verbs = self.verbs.get_or_init(|| VerbClassifier::of(self.pairs()));
            verbs.probabilities(&self.index().words.respelt(question))
        })
    }

    /// Returns the probability that a plan has a step of a kind, likewise.
    fn step_kind(&self, kind: StepKind, question: &str) -> Option<f32> {
        self.teaches().then(|| {
            let question = self.index().words.respelt(question);
            self.kinds.probability(kind, self.pairs(), &question)
        })
    }

    /// Returns what is learnt of the parts of requests; `None` if the examples are no plans or too few.
    fn learnt_parts(&self) -> Option<&PartClassifier> {
        self.teaches()
            .then(|| self.parts.get_or_init(|| PartClassifier::of(self.pairs())))
    }

    /// Returns what is learnt of the clauses of requests, likewise.
    fn learnt_clauses(&self) -> Option<&ClauseClassifier> {
        let learn = || ClauseClassifier::of(self.pairs());
        self.teaches().then(|| self.clauses.get_or_init(learn))
    }

    fn teaches(&self) -> bool {
        self.kind == QuestionKind::Plan && self.examples.len() >= TEACHING_MIN
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let examples = self.examples.iter();
        examples.map(|it| (it.input.as_str(), it.output.as_str()))
    }

    /// Returns the places of the examples with each known word of a question.
    fn known<'a>(&'a self, features: &BTreeSet<String>) -> Vec<&'a Vec<usize>> {
        let is_word = |it: &&String| it.chars().all(char::is_alphabetic);
        let words = features.iter().filter(is_word);
        let known = words.filter_map(|word| self.index().features.get(word));
        known.map(|(_, places)| places).collect()
    }

    fn has_telling_word(&self, features: &BTreeSet<String>, does: impl Fn(&str) -> bool) -> bool {
        self.known(features).into_iter().any(|places| {
            let examples = places.iter().filter_map(|place| self.examples.get(*place));
            let doing = examples.filter(|example| does(&example.output)).count();
            doing * 2 > places.len() + 1
        })
    }

    fn is_unusual(&self, question: &str, share_min: f64, does: impl Fn(&str) -> bool) -> bool {
        let features = features_of(question);
        let speaking = self.speaking(&features, share_min, &does);
        let ranked = self.ranked(&features);
        let best = ranked.first().map_or(0.0, |(score, _)| *score);
        let near = ranked.iter().take(JUDGED_MAX);
        let near = near.filter(|(score, example)| {
            *score >= best * JUDGED_SHARE_MIN
                && does(&example.output)
                // A shared place or punctuation mark does not make requests similar.
                && !features_of(&example.input).is_disjoint(&speaking)
        });
        // A request of several parts may be similar in another part.
        let outputs: Vec<&str> = near.map(|(_, example)| example.output.as_str()).collect();
        let is_near = outputs.len() > 1 || outputs.iter().any(|output| !output.contains('\n'));
        !self.known(&features).is_empty() && !self.has_telling_word(&features, &does) && !is_near
    }

    /// Returns the features of which at least `share_min` of their examples do what `does` tests.
    fn speaking(
        &self,
        features: &BTreeSet<String>,
        share_min: f64,
        does: impl Fn(&str) -> bool,
    ) -> BTreeSet<String> {
        let speaks = |feature: &&String| {
            let Some((_, places)) = self.index().features.get(*feature) else {
                return false;
            };
            let examples = places.iter().filter_map(|place| self.examples.get(*place));
            let doing = examples.filter(|example| does(&example.output)).count();
            in_float(doing) >= in_float(places.len()) * share_min
        };
        features.iter().filter(speaks).cloned().collect()
    }

    fn share_doing(
        &self,
        question: &str,
        among: impl Fn(&str) -> bool,
        does: impl Fn(&str) -> bool,
    ) -> f64 {
        let ranked = self.ranked(&features_of(question)).into_iter();
        let near = ranked.filter(|(_, example)| among(&example.output));
        let near: Vec<(f64, &Example)> = near.take(JUDGED_MAX).collect();
        let doing = near.iter().filter(|(_, example)| does(&example.output));
        let sum: f64 = near.iter().map(|(score, _)| score).sum();
        let doing: f64 = doing.map(|(score, _)| score).sum();
        if sum > 0.0 { doing / sum } else { 0.0 }
    }

    /// Returns the examples that share a feature, with their scores, best first.
    fn ranked(&self, features: &BTreeSet<String>) -> Vec<(f64, &Example)> {
        let index = self.index();
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for feature in features {
            let Some((worth, places)) = index.features.get(feature) else {
                continue;
            };
            for place in places {
                *scores.entry(*place).or_default() += worth;
            }
        }
        let ranked = scores.into_iter().filter_map(|(place, shared)| {
            // Long examples share something with everything.
            let score = shared / index.worth.get(place)?.max(1.0).sqrt();
            Some((score, self.examples.get(place)?))
        });
        let mut ranked: Vec<(f64, &Example)> = ranked.filter(|(score, _)| *score > 0.0).collect();
        ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        ranked
    }
}

fn in_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns the words and the pairs of adjacent words of a request or question, in lower case.
/// A placeholder replaces each title of a note. Scripts without spaces count by characters.
fn features_of(question: &str) -> BTreeSet<String> {
    let (titles, request) = titles_and_request(question);
    let mut text = request.to_lowercase();
    for title in titles {
        text = text.replace(&title.to_lowercase(), &format!(" {TITLE} "));
    }
    let words = words_of(&text);
    let pairs = words.iter().zip(words.iter().skip(1));
    let pairs = pairs.map(|(one, other)| format!("{one} {other}"));
    pairs.chain(words.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::SimilarExamples;
    use crate::core::prompt::{Condition, Example, QuestionKind};

    #[test]
    fn something_unusual_is_what_no_example_like_it_does() {
        let example = |input: &str, output: &str| Example {
            condition: Condition::Similar(QuestionKind::Plan),
            input: input.to_owned(),
            output: output.to_owned(),
        };
        let pool = SimilarExamples::of(&[
            example("Notes: Jam\nRequest: Jam can go, delete it", "delete Jam"),
            example(
                "Notes: Kiln\nRequest: please delete the note Kiln",
                "delete Kiln",
            ),
            example(
                "Notes: Jam\nRequest: please call Jam Plum jam",
                "rename Jam > Plum jam",
            ),
            example(
                "Notes: Jam\nRequest: put the plums on Jam",
                "add Jam: plums",
            ),
            example("Notes: Kiln\nRequest: put a lid on Kiln", "add Kiln: a lid"),
            example("Notes: Jam\nRequest: is the jam there?", "answer: jam"),
            example("Notes: Jam\nRequest: thanks a lot", "nothing"),
            example(
                "Notes: Jam\nRequest: the jam is green now",
                "change Jam: green",
            ),
        ]);
        for (request, is_unusual) in [
            ("please call Boat Old boat", true),
            ("put a rope on Boat", true),
            ("please put a rope on Boat and delete the note Oars", false),
            ("Boat can go, we sold it", false),
            ("the sails stay dry", true),
            ("\u{17e}\u{e1}dn\u{e1} slova", false),
        ] {
            let question = format!("Notes: Boat; Oars\nRequest: {request}");
            let deletes = |output: &str| output.starts_with("delete ");
            let found = pool.is_unusual(&question, 1.0 / 3.0, deletes);
            assert_eq!(found, is_unusual, "{request}");
        }
    }

    #[test]
    fn the_turn_of_phrase_counts_and_not_the_subject() {
        let example = |input: &str, output: &str| Example {
            condition: Condition::Similar(QuestionKind::Plan),
            input: input.to_owned(),
            output: output.to_owned(),
        };
        let pool = [
            example(
                "Notes: Jam; Soup\nRequest: the jam is made, tick it off",
                "a",
            ),
            example(
                "Notes: Jam; Soup\nRequest: Everything in Jam belongs in Soup.",
                "b",
            ),
            example(
                "Notes: Jam\nRequest: the lid isn't red any more but blue",
                "c",
            ),
            example("Notes: Jam\nRequest: how many jars are left?", "d"),
            example("Notes: Jam\nRequest: how much does the soup cost?", "e"),
            example("Notes: 畑\nRequest: 畑のメモに書き足して", "f"),
        ];
        let pool = SimilarExamples::of(&pool);
        for (question, expected) in [
            (
                "Notes: Boat\nRequest: The sails are washed, tick that off",
                "a",
            ),
            ("Notes: Old; New\nRequest: All of Old belongs in New", "b"),
            (
                "Notes: Club\nRequest: It isn't in May any more but in June.",
                "c",
            ),
            ("Notes: Tea\nRequest: how many tins do we have?", "d"),
            ("Notes: 店\nRequest: 店のメモに営業時間を書き足して", "f"),
        ] {
            let found = pool.nearest(QuestionKind::Plan, question);
            let last = found.last().map(|it| it.output.as_str());
            assert_eq!(last, Some(expected), "{question}");
            assert!(found.len() <= 4);
        }
        assert!(
            pool.nearest(QuestionKind::Plan, "Notes: none\nRequest: xyz")
                .is_empty()
        );
    }
}
