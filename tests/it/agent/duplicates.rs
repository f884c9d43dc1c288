//! New notes that say what another says already, reported or refused.

use super::{ABROAD, Sim, codes, note, note_id, record_add, record_update, results, search};
use kjxlkj_agent::core::agent::{Decision, LoopState};
use kjxlkj_agent::core::journal::Event;
use kjxlkj_agent::core::journal::event::{InstructionOutcome, IterationDone};
use kjxlkj_agent::core::memory::ram::{STATE, STEPS};
use kjxlkj_agent::core::notes::{
    OrganizeOffer, OrganizeScan, OrganizeTask, RewrittenNote, ShownNote,
};
use kjxlkj_agent::core::run::OpenRefusal;
use kjxlkj_agent::failure::Code;
use serde_json::json;

const BINS: &str = "The bins go out on Friday.";

fn sim() -> Sim {
    Sim::in_state(LoopState::Executing, Some("note it"))
        .with_note(note(1, "Bins", BINS))
        .with_note(note(2, "Oven", "The oven was repaired in May."))
}

fn refusing() -> Sim {
    let mut sim = sim();
    sim.notes.refuse_near_duplicates = true;
    sim
}

fn done(decision: &Decision) -> &IterationDone {
    let Some(Event::IterationDone(done)) = decision.draft.events.first() else {
        panic!("the iteration comes first");
    };
    done
}

fn owed(decision: &Decision) -> Vec<OpenRefusal> {
    done(decision).progress.open_refusals.clone()
}

/// Titles that the first result shows.
fn shown(decision: &Decision) -> Vec<String> {
    let items = results(decision)[0].items.clone();
    items.into_iter().map(|item| item.title).collect()
}

#[test]
fn a_new_note_is_added_and_the_like_of_it_shown() {
    let mut sim = sim();
    let cases: [(&str, &str, &[&str]); 5] = [
        ("Waste", "bins go out on Friday, the", &["Waste", "Bins"]),
        ("oven", "quite other words", &["oven", "Oven"]),
        ("Rain", "The rain fell on Friday.", &["Rain"]),
        // Those of the same reply count too.
        ("Rain", "again", &["Rain", "Rain"]),
        ("Wet", "The rain fell on Friday.", &["Wet", "Rain"]),
    ];
    for (title, value, titles) in cases {
        let decision = sim.turn(&record_add(title, value));
        assert_eq!(codes(&decision), [None]);
        assert_eq!(shown(&decision), titles, "{title}");
        let message = &results(&decision)[0].message;
        assert_eq!(message.is_empty(), titles.len() == 1, "{message}");
    }
    let both =
        record_add("Snow", "Snow lies on the roof") + &record_add("Ice", "snow lies on the roof");
    let decision = sim.turn(&both);
    let second = &results(&decision)[1].items;
    assert_eq!(second[1].title, "Snow");
}

/// A small model repeats its last step: what a run has written word for word it does not write again.
/// Another author, other words and another title make another note.
#[test]
fn a_run_writes_the_same_note_once() {
    let mut sim = Sim::in_state(LoopState::Executing, Some("note it"));
    sim.set(STEPS, json!(["New note: Rain", "New note: Rain", "rest"]));
    let untitled = "<record_add><keywords>rain</keywords><value>It rains.</value></record_add>";
    let cases = [
        (
            record_add("Rain", "It rains."),
            InstructionOutcome::Applied,
            1,
        ),
        (
            record_add("Rain", "It rains."),
            InstructionOutcome::Ignored,
            1,
        ),
        (untitled.to_owned(), InstructionOutcome::Ignored, 1),
        (
            record_add("Rain", "It rains again."),
            InstructionOutcome::Applied,
            2,
        ),
        (
            record_add("Drops", "It rains."),
            InstructionOutcome::Applied,
            3,
        ),
    ];
    for (steps_left, (reply, outcome, notes)) in [2, 1, 0, 0, 0].into_iter().zip(cases) {
        sim.set(STATE, json!("executing"));
        let decision = sim.turn(&reply);
        assert_eq!(decision.entries[0].outcome, outcome, "{reply}");
        assert_eq!(decision.entries[0].code, None);
        assert_eq!(sim.state.notes.len(), notes, "{reply}");
        assert_eq!(sim.state.main.ram.steps().len(), steps_left, "{reply}");
    }
    sim.state.notes.put(note(1, "Bins", BINS));
    let decision = sim.turn(&record_add("Bins", BINS));
    assert_eq!(
        decision.entries[0].outcome,
        InstructionOutcome::Applied,
        "a person's"
    );
    let twice = record_add("Snow", "It snows.").repeat(2);
    let decision = sim.turn(&twice);
    let outcomes: Vec<InstructionOutcome> = decision.entries.iter().map(|it| it.outcome).collect();
    assert_eq!(
        outcomes,
        [InstructionOutcome::Applied, InstructionOutcome::Ignored]
    );
    assert_eq!(sim.state.notes.len(), 6);
}

#[test]
fn the_threshold_says_what_counts_as_similar() {
    // Five of seven words are shared.
    for (threshold, alike) in [(0.8, false), (0.7, true)] {
        let mut sim = sim();
        sim.notes.similar_threshold = threshold;
        let decision = sim.decide(&record_add("Paper", "The bins go out on Monday."));
        assert_eq!(shown(&decision).len() == 2, alike, "{threshold}");
    }
}

#[test]
fn notes_of_another_workspace_are_not_shown() {
    let mut foreign = note(3, "Rent", "The rent is due on the third.");
    foreign.workspace_id = ABROAD;
    let mut sim = refusing().with_note(foreign);
    let decision = sim.decide(&record_add("Rent", "The rent is due on the third."));
    assert_eq!(codes(&decision), [None]);
    assert_eq!(shown(&decision), ["Rent"]);
}

#[test]
fn a_near_duplicate_is_refused_where_that_is_asked_for() {
    let mut sim = refusing();
    let decision = sim.turn(&record_add("Waste", "bins go out on Friday, the"));
    assert_eq!(codes(&decision), [Some(Code::NearDuplicate)]);
    assert_eq!(sim.state.notes.len(), 2);
    let result = &results(&decision)[0];
    assert_eq!(result.items.len(), 1);
    assert_eq!(
        (result.items[0].id, result.items[0].text.as_str()),
        (note_id(1), BINS)
    );
    assert_eq!(owed(&decision)[0].instead, Some(note_id(1)));
    // What is not alike goes through.
    let decision = sim.turn(&record_add("Rain", "It rains."));
    assert_eq!(codes(&decision), [None]);
    assert_eq!(owed(&decision).len(), 1);
}

/// The note that the model is shown instead can be updated at once, and that settles what was owed;
/// so does the same note with other words. An update of any other note does not.
#[test]
fn a_refused_note_is_settled_by_an_update_of_the_one_shown() {
    for (reply, settled) in [
        (
            record_update("Bins", "The bins go out on Friday at six."),
            true,
        ),
        (record_update(&note_id(1).to_string(), "At six."), true),
        (
            record_add("Waste", "The paper bin goes out on each second Monday."),
            true,
        ),
        (record_update("Oven", "It is hot."), false),
        (record_add("Paper", "It is dry."), false),
        (search("bins"), false),
    ] {
        let mut sim = refusing();
        sim.turn(&record_add("Waste", BINS));
        let decision = sim.turn(&reply);
        assert_eq!(codes(&decision), [None], "{reply}");
        assert_eq!(owed(&decision).is_empty(), settled, "{reply}");
    }
}

/// Other refusals come first: a note that may not be written at all has no double.
#[test]
fn a_refusal_of_the_fence_goes_before() {
    let mut sim = refusing();
    let foreign = format!(
        "<record_add><title>Bins</title><keywords>k</keywords><value>{BINS}</value>\
         <workspace_id>{ABROAD}</workspace_id></record_add>"
    );
    let decision = sim.decide(&foreign);
    assert_eq!(codes(&decision), [Some(Code::CrossWorkspaceRejected)]);
}

// === organising ===

fn organising(request: Option<&str>) -> Sim {
    let mut sim = Sim::in_state(LoopState::RecordOrganizing, request)
        .with_note(note(1, "Bins", BINS))
        .with_note(note(2, "Waste", BINS));
    let shown = |number| ShownNote {
        id: note_id(number),
        version: 1,
    };
    sim.look = Some(OrganizeScan {
        offers: vec![OrganizeOffer {
            chore: OrganizeTask::Alike,
            notes: vec![shown(2), shown(1)],
        }],
        next: None,
        more: false,
        rewritten: Vec::new(),
    });
    sim
}

/// What the model made of a note itself while it put notes in order is no reason to offer it again.
#[test]
fn an_offer_is_remembered_in_the_versions_that_the_reply_left() {
    let mut sim = organising(None);
    sim.state.organizing.changes = 60;
    let decision = sim.turn(&record_update("Bins", "See [[Waste]]."));
    let look = done(&decision).look.clone().unwrap();
    let rewritten = [RewrittenNote {
        id: note_id(1),
        from: 1,
        to: 2,
    }];
    assert_eq!(look.rewritten, rewritten);
    let offered = &sim.state.organizing.offered;
    let versions = offered[0].notes.iter().map(|note| note.version);
    assert_eq!(versions.collect::<Vec<_>>(), [1, 2]);
    assert_eq!(
        sim.state.main.seen.get(&note_id(2)),
        Some(&1),
        "what was offered was seen"
    );
    // The count begins anew; the reply's own change is the first.
    assert_eq!(sim.state.organizing.changes, 1);
    assert_eq!(sim.state.organizing.offered.len(), 1);
}

/// An offered note counts as shown: an update is based on the version that the prompt had.
#[test]
fn an_update_of_an_offered_note_that_moved_on_is_refused() {
    let mut sim = organising(None);
    let mut newer = note(1, "Bins", "A person was faster.");
    newer.version = 2;
    sim.state.notes.put(newer);
    let decision = sim.decide(&record_update("Bins", "See [[Waste]]."));
    assert_eq!(codes(&decision), [Some(Code::VersionConflict)]);
}

#[test]
fn context_names_organising_as_the_task_until_it_was_done() {
    let task = serde_json::json!({"task": "record_organizing", "topic": "home"});
    let mut sim = organising(None);
    sim.set("context", task.clone());
    let decision = sim.turn(&search("bins"));
    assert_eq!(sim.ram("context"), serde_json::json!({"topic": "home"}));
    assert_eq!(decision.next, LoopState::Planning);
    // What a person writes during the call stands.
    let mut sim = organising(None);
    sim.set("context", task.clone());
    sim.edited.ram_keys.insert("context".to_owned());
    sim.turn(&search("bins"));
    assert_eq!(sim.ram("context"), task);
}

/// At the end of a cycle the task comes before rest and before the next plan, but never into
/// somebody's request.
#[test]
fn the_task_is_taken_up_at_the_end_of_a_cycle() {
    let reply = super::ram_add("think_log", "-");
    for (state, request, task, next) in [
        (
            LoopState::Evaluating,
            None,
            "record_organizing",
            LoopState::RecordOrganizing,
        ),
        (
            LoopState::Evaluating,
            None,
            "something else",
            LoopState::Idle,
        ),
        (
            LoopState::Planning,
            None,
            "record_organizing",
            LoopState::Executing,
        ),
        (
            LoopState::Executing,
            None,
            "record_organizing",
            LoopState::Evaluating,
        ),
        (
            LoopState::Evaluating,
            Some("r"),
            "record_organizing",
            LoopState::Idle,
        ),
    ] {
        let mut sim = Sim::in_state(state, request);
        sim.set(
            "context",
            serde_json::json!({"task": task, "user_request": request}),
        );
        sim.run.progress.changed = true;
        sim.run.progress.changed_in_cycle = true;
        assert_eq!(sim.decide(&reply).next, next, "{state} {request:?} {task}");
    }
}

/// A loop without end never comes to rest, so it puts notes in order between two rounds.
#[test]
fn an_endless_loop_organises_between_two_rounds() {
    let reply = super::ram_add("think_log", "-");
    for (changes, every, request, next) in [
        (50, 50, None, LoopState::RecordOrganizing),
        (49, 50, None, LoopState::Planning),
        (50, 0, None, LoopState::Planning),
        (50, 50, Some("r"), LoopState::Idle),
    ] {
        let mut sim = Sim::in_state(LoopState::Evaluating, request);
        sim.max_iterations = None;
        sim.notes.organize_every = every;
        sim.state.organizing.changes = changes;
        sim.run.progress.changed = true;
        sim.run.progress.changed_in_cycle = true;
        assert_eq!(
            sim.decide(&reply).next,
            next,
            "{changes} {every} {request:?}"
        );
    }
}

/// Ten notes may be made in an iteration; those that are refused are none of them.
#[test]
fn a_refused_note_uses_nothing_up() {
    let mut sim = refusing();
    let mut reply = record_add("Waste", BINS);
    let words = [
        "rain", "snow", "wind", "hail", "fog", "sun", "frost", "dew", "storm", "thaw",
    ];
    for word in words {
        reply += &record_add(word, &format!("{word} and nothing but {word} {word}ing"));
    }
    let decision = sim.turn(&reply);
    let mut expected = vec![Some(Code::NearDuplicate)];
    expected.extend(words.map(|_| None));
    assert_eq!(codes(&decision), expected);
}
