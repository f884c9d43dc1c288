//! The part of a request that a plan leaves out, which gets a question of its own.
//! A small model that reads a list of what is missing repeats that list.

use crate::core::steps::check::{contains, left_out_facts};
use crate::core::steps::checkboxes::ticks_nothing;
use crate::core::steps::evidence::{parts_of, sentence_of};
use crate::core::steps::plan::Step;
use crate::core::steps::step_correction::corrected_steps;
use crate::core::steps::target::Target;

/// The part of a request that is still to be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnplannedPart {
    /// The steps that stay.
    kept: Vec<Step>,
    /// The parts of the request that no step covers.
    pub(super) request: String,
}

impl UnplannedPart {
    /// Returns the parts of a request that a plan leaves out: those that no step covers, `unsaid`, and those
    /// with a missing fact. `None` if no part or every part is left out, or if no step stays.
    pub(super) fn of(steps: &[Step], unsaid: &[&str], target: &Target<'_>) -> Option<Self> {
        let missing = left_out_facts(target.request, steps, target.notes);
        let parts = parts_of(target.request);
        let is_left =
            |part: &&str| unsaid.contains(part) || missing.iter().any(|fact| contains(part, fact));
        let left: Vec<&str> = parts.iter().copied().filter(is_left).collect();
        if left.is_empty() || left.len() == parts.len() {
            return None;
        }
        let is_of_left = |step: &Step| {
            let part = sentence_of(&parts.join("\n"), step.clause()).to_owned();
            left.contains(&part.as_str())
        };
        let kept = steps.iter().filter(|step| step.acts() && !is_of_left(step));
        let kept: Vec<Step> = kept.cloned().collect();
        (!kept.is_empty()).then(|| Self {
            kept,
            request: left.join(". "),
        })
    }

    /// Returns clauses that a plan leaves out. If its steps are about one note, so may be the clauses.
    /// `None` if there are none.
    pub(super) fn beside(steps: &[Step], clauses: &[&str]) -> Option<Self> {
        let title = steps.first()?.note();
        let title = title.filter(|_| steps.iter().all(|step| step.note() == title));
        let clauses = clauses.join(" ");
        (!clauses.is_empty()).then(|| Self {
            kept: steps.to_vec(),
            request: title.map_or_else(|| clauses.clone(), |it| format!("{it}: {clauses}")),
        })
    }

    /// Returns the text that a step of a plan adds to a note, as a request about that note.
    /// `None` if it is the only step.
    pub(super) fn in_place_of(step: &Step, steps: &[Step]) -> Option<Self> {
        let title = step.note()?;
        let others = steps.iter().filter(|other| *other != step && other.acts());
        let kept: Vec<Step> = others.cloned().collect();
        (!kept.is_empty()).then(|| Self {
            kept,
            request: format!("{title}: {}", step.clause()),
        })
    }

    /// Returns the whole plan: the steps that stay, then those for the rest.
    pub(super) fn with(self, steps: Vec<Step>, target: &Target<'_>) -> Vec<Step> {
        let of_rest = Target {
            request: &self.request,
            ..*target
        };
        let mut all = self.kept;
        let is_overview = |step: &Step| matches!(step, Step::Overview { .. });
        let may_gather = steps.iter().any(is_overview);
        let steps = steps.into_iter();
        let steps = steps.filter(|step| !ticks_nothing(step, &of_rest));
        for step in corrected_steps(steps.collect(), &of_rest) {
            // Steps for notes that nobody named are not meant as an overview here.
            let is_gathered = is_overview(&step) && !may_gather;
            if step != Step::Nothing && !is_gathered && !all.contains(&step) {
                all.push(step);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::UnplannedPart;
    use crate::core::steps::check::uncovered_parts;
    use crate::core::steps::plan::{Step, parse};
    use crate::core::steps::target::Target;
    use crate::core::steps::{sample_note, sample_target};

    fn unplanned(plan: &[Step], target: &Target<'_>) -> Option<UnplannedPart> {
        let unsaid = uncovered_parts(target.request, plan, target.notes);
        UnplannedPart::of(plan, &unsaid, target)
    }

    #[test]
    fn a_reason_ticks_nothing() {
        let jobs = sample_note(1, "Flat jobs", "- [x] mend the blind\n- [ ] oil the hinges");
        let joiner = sample_note(2, "Joiner", "Ms Odell, mornings only.");
        let notes = [&jobs, &joiner];
        let target = sample_target(
            &notes,
            "At 8 no joiner was there. The blind is not mended after all, untick it.",
        );
        let plan = parse("change Flat jobs: [ ] mend the blind");
        let rest = unplanned(&plan, &target).unwrap();
        let steps = rest.with(parse("change Joiner: [ ] ring the joiner"), &target);
        assert_eq!(steps, plan);
    }

    #[test]
    fn a_sentence_of_which_nothing_is_said_is_asked_for() {
        let boat = sample_note(1, "Boat buyers", "Mr Sand looks at it on Sunday.");
        let notes = [&boat];
        let target = sample_target(
            &notes,
            "Sold the boat!! You can bin who wanted it. And the choir sings in room 8 now.",
        );
        let rest = unplanned(&parse("change: The choir sings in room 8."), &target);
        let rest = rest.map(|it| it.request);
        assert_eq!(
            rest.as_deref(),
            Some("Sold the boat!. You can bin who wanted it")
        );
    }

    #[test]
    fn what_a_plan_leaves_out_is_asked_for_by_itself() {
        for (request, plan, rest) in [
            (
                "Delete the note Sitter. Then note that Ravi gets 13 euros an hour.",
                "delete Sitter",
                Some("Then note that Ravi gets 13 euros an hour."),
            ),
            (
                "Malik joins the quiz team, and the entry costs 4 euros now",
                "add Quiz team: Malik",
                Some("and the entry costs 4 euros now"),
            ),
            ("The entry costs 4 euros.", "nothing", None),
            (
                "Malik pays 4 euros, Ida 5.",
                "add Fees: Malik: 4 euros",
                None,
            ),
        ] {
            let target = sample_target(&[], request);
            let found = unplanned(&parse(plan), &target);
            assert_eq!(found.map(|it| it.request).as_deref(), rest, "{request}");
        }
    }
}
