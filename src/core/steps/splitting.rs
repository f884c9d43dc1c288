//! Lines of a note that become a note of their own.
//! A plan names the note that they leave and the title of the new one; the lines themselves stand
//! in the note.

use super::check::is_telling;
use super::lines::{ListMark, lines_of};
use super::plan::Step;
use super::target::Target;
use crate::core::notes::Terms;

/// Returns the plan that moves the lines about a new note out of an existing one.
/// The plan's own text for the new note says no more than its title and the removed text.
pub(super) fn split_off(plan: &[Step], target: &Target<'_>) -> Option<Vec<Step>> {
    let ([
        Step::Remove {
            note: Some(note),
            what,
        },
        Step::New {
            title: Some(title),
            text,
        },
    ]
    | [
        Step::New {
            title: Some(title),
            text,
        },
        Step::Remove {
            note: Some(note),
            what,
        },
    ]) = plan
    else {
        return None;
    };
    let note = target.titled(note)?;
    let taken = Terms::of(&[title, " ", what].concat());
    let matter = Terms::of(title).without(&Terms::of(&note.title));
    let lines = lines_of(&note.value);
    let is_of_matter = |line: &str| {
        let line = Terms::of(line);
        let mut telling = matter.iter().filter(|term| is_telling(term));
        telling.any(|term| line.has(term))
    };
    let moved = lines.iter().filter(|line| is_of_matter(line.text));
    let moved: Vec<&str> = moved.map(|line| line.text).collect();
    let is_part = !moved.is_empty() && moved.len() < lines.len();
    if !is_part || !Terms::of(text).are_in(&taken) {
        return None;
    }
    let new = Step::New {
        title: Some(title.clone()),
        text: moved.join("\n"),
    };
    let gone = moved.iter().map(|line| Step::Remove {
        note: Some(note.title.clone()),
        what: ListMark::text_of(line).to_owned(),
    });
    Some([new].into_iter().chain(gone).collect())
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Step, parse};
    use super::super::sample_note;
    use super::super::sample_target;
    use super::split_off;

    #[test]
    fn the_lines_themselves_go_into_the_new_note() {
        let text = "Kiln: fired to 1220.\nGlaze: out of celadon.\nKiln: the lid sticks.";
        let studio = sample_note(1, "Studio", text);
        let notes = [&studio];
        let target = sample_target(
            &notes,
            "take what is about the kiln out of Studio and give it a note called Kiln",
        );
        let moved = "new Kiln: Kiln: fired to 1220.\nKiln: the lid sticks. | \
             remove Studio: Kiln: fired to 1220. | remove Studio: Kiln: the lid sticks.";
        for (plan, expected) in [
            ("remove Studio: the kiln\nnew Kiln: the kiln", Some(moved)),
            ("new Kiln: kiln\nremove Studio: kiln", Some(moved)),
            // It has a text of its own, or is about something else.
            (
                "new Kiln: fire it on Friday\nremove Studio: the lid sticks",
                None,
            ),
            ("new Wheel: wheel\nremove Studio: wheel", None),
        ] {
            let steps = split_off(&parse(plan), &target);
            let steps = steps.map(|it| it.iter().map(Step::to_string).collect::<Vec<_>>());
            let steps = steps.map(|it| it.join(" | "));
            assert_eq!(steps.as_deref(), expected, "{plan}");
        }
    }
}
