//! Tells by the worked plans whether a request calls for a step of some kind anywhere in its plan.
//!
//! `the candles can go, and put soap on it` calls for a removal and for an addition. The verb of the first
//! step says nothing of the second. Pure and deterministic.

use super::linear::LinearClassifier;
use super::verbs::{features_of, first_word};
use std::sync::OnceLock;

/// A kind of step that a request may call for beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Something is written down or corrected.
    Writing,
    /// Something goes: an item or a whole note.
    Removal,
    /// Something is looked up.
    Answer,
}

/// The classes of a request.
const WITHOUT: usize = 0;
const WITH: usize = 1;

/// Which requests call for each kind of step, learnt when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct StepKinds {
    writing: OnceLock<LinearClassifier<2>>,
    removal: OnceLock<LinearClassifier<2>>,
    answer: OnceLock<LinearClassifier<2>>,
}

impl StepKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Writing, Self::Removal, Self::Answer];

    /// Returns whether a plan, with a step on each line, has a step of this kind. An overview with a title
    /// is a note.
    fn is_in(self, plan: &str) -> bool {
        let verbs: &[&str] = match self {
            Self::Writing => &["add", "new", "change", "issue"],
            Self::Removal => &["remove", "delete"],
            Self::Answer => &["answer"],
        };
        plan.lines().any(|line| match first_word(line) {
            "overview" => {
                line.starts_with("overview:") == (self == Self::Answer) && self != Self::Removal
            }
            verb => verbs.contains(&verb),
        })
    }
}

impl StepKinds {
    /// Returns the probability, 0 to 1, that a plan for a question has a step of a kind. Learns it from
    /// pairs of a question and its plan the first time.
    pub(super) fn probability<'a>(
        &self,
        kind: StepKind,
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
        question: &str,
    ) -> f32 {
        let learnt = match kind {
            StepKind::Writing => &self.writing,
            StepKind::Removal => &self.removal,
            StepKind::Answer => &self.answer,
        };
        let learnt = learnt.get_or_init(|| learnt_from(kind, pairs));
        learnt.probabilities(&features_of(question))[WITH]
    }
}

fn learnt_from<'a>(
    kind: StepKind,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> LinearClassifier<2> {
    let class = |plan| if kind.is_in(plan) { WITH } else { WITHOUT };
    let lessons: Vec<(Vec<usize>, usize)> = pairs
        .map(|(question, plan)| (features_of(question), class(plan)))
        .collect();
    LinearClassifier::trained(&lessons, 2)
}

#[cfg(test)]
mod tests {
    use super::{StepKind, StepKinds};

    #[test]
    fn a_second_step_is_learnt_beside_the_first() {
        let subjects = ["jam", "soup", "kiln", "boat", "shed", "tea", "kite", "lamp"];
        let mut pairs = Vec::new();
        for subject in subjects {
            for (request, plan) in [
                ("the lid can come off the {}", "remove {}: lid"),
                (
                    "the lid can come off the {}, and put soap on it",
                    "remove {}: lid\nadd {}: soap",
                ),
            ] {
                let request = request.replace("{}", subject);
                let question = format!("Notes: {subject}; Oars\nRequest: {request}");
                pairs.push((question, plan.replace("{}", subject)));
            }
        }
        let pairs = || {
            pairs
                .iter()
                .map(|(one, other)| (one.as_str(), other.as_str()))
        };
        let learnt = StepKinds::default();
        for (request, is_expected) in [
            ("the rope can come off the punt", false),
            ("the rope can come off the punt, and put soap on it", true),
        ] {
            let question = format!("Notes: Punt; Jam\nRequest: {request}");
            let found = learnt.probability(StepKind::Writing, pairs(), &question);
            assert_eq!(found > 0.5, is_expected, "{request} {found}");
        }
    }
}
