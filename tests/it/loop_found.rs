//! What the prompts of a run show of notes that its request and steps name, before anybody asked.

use crate::agent::{ram_add, record_add, record_update};
use crate::lab::{Lab, succeeded};

/// Also the first question after a start knows of the notes, and the update that follows knows their
/// version.
#[tokio::test]
async fn a_request_meets_the_note_that_it_names_without_a_search() {
    let mut lab = Lab::new();
    lab.says(&ram_add("steps", "New note: the list"));
    lab.says(&record_add("Shopping list", "- milk"));
    lab.says(&ram_add("think_log", "written"));
    assert!(succeeded(&lab.run("Begin a list.").await));
    let before = lab.peer.request_count();

    lab.says(&ram_add("steps", "Update Shopping list: bread"));
    lab.says(&record_update("Shopping list", "- milk\n- bread"));
    lab.says(&ram_add("think_log", "bread is on it"));
    assert!(succeeded(&lab.run("Put bread on the shopping list.").await));

    let last = |index: usize| lab.asked(before + index).pop().unwrap();
    let planning = "<action_result><op>record_search</op><message>there is already: Shopping \
                    list</message></action_result>";
    assert!(last(0).contains(planning), "{}", last(0));
    let executing = last(1);
    assert!(
        executing.contains("<title>Shopping list</title>"),
        "{executing}"
    );
    assert!(executing.contains("<text>- milk</text>"), "{executing}");
    assert!(!last(2).contains("<op>record_search</op>"), "{}", last(2));
    assert_eq!(lab.notes().len(), 1);
    assert_eq!(lab.notes()[0]["value"], "- milk\n- bread");
    assert_eq!(lab.notes()[0]["version"], 2);
}
