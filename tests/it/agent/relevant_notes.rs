//! What a prompt shows by itself of the notes that its request or step names.

use super::{ABROAD, Sim, note};
use kjxlkj_agent::core::agent::{ActionResult, LoopState, relevant_notes};
use kjxlkj_agent::core::memory::ram::STEPS;
use serde_json::json;

const REQUEST: &str = "Put bread on the shopping list.";

fn sim(state: LoopState) -> Sim {
    let mut foreign = note(3, "Shopping list of others", "soap");
    foreign.workspace_id = ABROAD;
    let mut sim = Sim::in_state(state, Some(REQUEST))
        .with_note(note(1, "Shopping list", "- milk"))
        .with_note(note(2, "Bicycle", "It is red."))
        .with_note(foreign);
    sim.set("context", json!({"user_request": REQUEST}));
    sim
}

fn shown(sim: &Sim, ran_in: LoopState, request: Option<&str>) -> Vec<ActionResult> {
    relevant_notes(&sim.state, &sim.state.main, &sim.scope, ran_in, request)
        .into_iter()
        .collect()
}

#[test]
fn a_planning_prompt_names_the_notes_that_the_request_speaks_of() {
    let sim = sim(LoopState::Planning);
    let shown = |request| shown(&sim, LoopState::Planning, request);
    let results = shown(Some(REQUEST));
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].op, "record_search");
    assert_eq!(results[0].message, "there is already: Shopping list");
    assert!(results[0].items.is_empty());
    for request in [Some("Save the gate code 4711."), None] {
        assert!(shown(request).is_empty(), "{request:?}");
    }
}

#[test]
fn an_executing_prompt_shows_the_note_that_its_step_names_and_an_update_may_follow() {
    let mut sim = sim(LoopState::Executing);
    let executing = |sim: &Sim| shown(sim, LoopState::Executing, Some(REQUEST));
    assert!(executing(&sim).is_empty(), "there is no step");
    sim.set(
        STEPS,
        json!(["Update Shopping list: bread", "Update Bicycle: blue"]),
    );
    let results = executing(&sim);
    let items: Vec<_> = results.iter().flat_map(|it| &it.items).collect();
    assert_eq!(items.len(), 1);
    assert_eq!(
        (items[0].title.as_str(), items[0].text.as_str()),
        ("Shopping list", "- milk")
    );
    // In other states, and where a search has brought the note already, there is nothing to add.
    assert!(shown(&sim, LoopState::Evaluating, Some(REQUEST)).is_empty());
    let reply = "<record_search><query>shopping</query></record_search>";
    sim.turn(reply);
    assert!(executing(&sim).is_empty());
}

/// What a step is to do is no name of a note: only its title and its text are looked for.
#[test]
fn the_verb_of_a_step_names_no_note() {
    let mut about_notes = note(5, "Manual", "How they are kept.");
    about_notes.keywords = vec!["notes".to_owned(), "update".to_owned(), "Notiz".to_owned()];
    let mut sim = sim(LoopState::Executing)
        .with_note(about_notes)
        .with_note(note(6, "Bicycle of Anna", "Its tyre is flat."))
        .with_note(note(7, "Notes", "Keep them short."));
    for (step, titles) in [
        ("New note: The kettle is blue.", &[][..]),
        ("Neue Notiz: Der Kessel ist blau.", &[]),
        ("Update Bicycle: blue", &["Bicycle"]),
        ("Ändere Bicycle of Anna: blue", &["Bicycle of Anna"]),
        ("Update notes: Keep them long.", &["Notes"]),
        ("New note: The manual of the kettle", &["Manual"]),
        (
            "Update the shopping list: notes",
            &["Shopping list", "Notes"],
        ),
        ("At 8:10 the manual", &["Manual"]),
    ] {
        sim.set(STEPS, json!([step]));
        let results = shown(&sim, LoopState::Executing, Some(REQUEST));
        let items = results.iter().flat_map(|it| &it.items);
        let items: Vec<&str> = items.map(|it| it.title.as_str()).collect();
        assert_eq!(items, titles, "{step}");
    }
}
