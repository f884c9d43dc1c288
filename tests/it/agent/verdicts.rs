//! How a run ends: from what was applied, never from what the model says.

use super::{ABROAD, Sim, note, note_id, ram_add, record_add, record_update, search};
use kjxlkj_agent::core::agent::LoopState::{Evaluating, Executing, Idle, Planning};
use kjxlkj_agent::core::agent::{Decision, Ending, cancel};
use kjxlkj_agent::core::journal::{ActorType, CommitContext};
use kjxlkj_agent::core::run::{RunState, StopReason, Trigger};
use kjxlkj_agent::failure::Code;
use serde_json::json;

/// Plays replies until one ends the run; tells how many it took.
fn play(sim: &mut Sim, replies: &[String]) -> (usize, Option<Ending>) {
    for (index, reply) in replies.iter().enumerate() {
        if let Decision {
            ending: Some(ending),
            ..
        } = sim.turn(reply)
        {
            return (index + 1, Some(ending));
        }
    }
    (replies.len(), None)
}

const fn succeeded(stop_reason: StopReason) -> Ending {
    Ending {
        state: RunState::Succeeded,
        stop_reason,
        error_code: None,
    }
}

fn log(text: &str) -> String {
    ram_add("think_log", text)
}

#[test]
fn a_request_that_changed_a_note_succeeds_and_is_cleared() {
    let mut sim = Sim::in_state(Planning, Some("keep this"));
    let replies = [
        ram_add("plan", "one note"),
        record_add("This", "text"),
        log("done"),
    ];
    assert_eq!(
        play(&mut sim, &replies),
        (3, Some(succeeded(StopReason::Done)))
    );
    assert_eq!(sim.ram("context"), json!({}));
    assert_eq!(sim.ram("state"), "idle");
}

#[test]
fn prose_and_think_log_never_make_a_run_succeed() {
    let mut sim = Sim::in_state(Planning, Some("keep this"));
    let replies = vec![log("I have saved everything. The task is done."); 9];
    let failed = Some(Ending::failed(Code::NoProgress));
    assert_eq!(play(&mut sim, &replies), (3, failed));
}

#[test]
fn searching_alone_is_no_progress_either() {
    let mut sim = Sim::in_state(Planning, Some("keep this")).with_note(note(1, "Tea", "green"));
    let replies = [
        search("tea"),
        search("green"),
        search("tea green"),
        log("x"),
    ];
    assert_eq!(
        play(&mut sim, &replies),
        (3, Some(Ending::failed(Code::NoProgress)))
    );
}

#[test]
fn staying_in_evaluating_is_still_the_same_cycle() {
    let mut sim = Sim::in_state(Planning, Some("keep this"));
    let stay = "<state_add><state>evaluating</state></state_add>".to_owned();
    let replies = [
        ram_add("steps", "look again"),
        record_add("This", "text") + &ram_add("steps", "look again"),
        stay.clone(),
        stay,
        ram_add("steps", "[]"),
    ];
    assert_eq!(
        play(&mut sim, &replies),
        (5, Some(succeeded(StopReason::Done)))
    );
}

#[test]
fn without_a_request_a_run_may_have_nothing_to_do() {
    let mut sim = Sim::in_state(Planning, None);
    let replies = vec![log("nothing"); 4];
    assert_eq!(
        play(&mut sim, &replies),
        (3, Some(succeeded(StopReason::NothingToDo)))
    );
    let mut sim = Sim::in_state(Planning, None);
    let idle = "<state_add><state>idle</state></state_add>".to_owned();
    assert_eq!(
        play(&mut sim, &[idle]),
        (1, Some(succeeded(StopReason::NothingToDo)))
    );
}

#[test]
fn what_was_refused_must_be_settled_by_the_same_operation_on_the_same_target() {
    let secret = "<record_add><title>Keys</title><kind>secret</kind><keywords>k</keywords><value>v</value></record_add>";
    let cases: [(&str, &[String], Option<Code>); 4] = [
        ("never settled", &[log("x")], Some(Code::ScopeViolation)),
        (
            "another target",
            &[record_add("Other", "v")],
            Some(Code::ScopeViolation),
        ),
        (
            "another operation",
            &[record_update("Keys", "v")],
            Some(Code::ScopeViolation),
        ),
        ("settled", &[record_add("Keys", "v")], None),
    ];
    for (case, later, code) in cases {
        let mut sim = Sim::in_state(Planning, Some("x"));
        let mut replies = vec![log("plan"), secret.to_owned() + &record_add("First", "v")];
        replies.extend_from_slice(later);
        replies.extend(vec![
            ram_add("n", "1"),
            ram_add("n", "2"),
            log("e"),
            log("f"),
            log("g"),
        ]);
        let (_, ending) = play(&mut sim, &replies);
        let ending = ending.unwrap();
        assert_eq!(ending.error_code, code, "{case}");
    }
}

#[test]
fn a_name_that_met_no_note_is_settled_by_one_that_it_finds() {
    for (target, settled) in [
        ("tea", true),
        ("green", true),
        ("coffee", false),
        ("Oven", false),
    ] {
        let mut sim = Sim::in_state(Executing, Some("x"))
            .with_note(note(1, "Teapot", "green"))
            .with_note(note(2, "Oven", "hot"));
        let unknown = format!("{target} ");
        sim.turn(&record_update(&unknown.replace("Oven", "oven"), "v"));
        assert_eq!(sim.run.progress.open_refusals[0].code, Code::RecordNotFound);
        sim.turn(&record_update("Teapot", "w"));
        assert_eq!(
            sim.run.progress.open_refusals.is_empty(),
            settled,
            "{target}"
        );
    }
}

#[test]
fn a_conflict_met_under_one_name_is_settled_under_another() {
    let mut tea = note(1, "Tea", "green");
    tea.version = 3;
    let mut sim = Sim::in_state(Executing, Some("x")).with_note(tea);
    let stale =
        "<record_update><key>Tea</key><value>mine</value><version>1</version></record_update>";
    sim.turn(stale);
    assert_eq!(
        sim.run.progress.open_refusals[0].code,
        Code::VersionConflict
    );
    let by_id = format!(
        "<record_update><key>{}</key><title>Teas</title><value>both</value></record_update>",
        note_id(1)
    );
    sim.turn(&by_id);
    assert_eq!(sim.run.progress.open_refusals, []);
    assert_eq!(
        (sim.the_note(1).version, sim.the_note(1).title.as_str()),
        (4, "Teas")
    );
}

#[test]
fn refused_moves_never_count_against_a_run() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    let jump = "<state_add><state>evaluating</state></state_add>";
    let replies = [
        jump.to_owned(),
        record_add("T", "v"),
        jump.replace("evaluating", "paging"),
    ];
    assert_eq!(
        play(&mut sim, &replies),
        (3, Some(succeeded(StopReason::Done)))
    );
}

#[test]
fn the_bound_comes_with_something_pending() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.max_iterations = Some(2);
    let replies = [ram_add("n", "1"), ram_add("n", "2")];
    let ending = play(&mut sim, &replies);
    assert_eq!(ending, (2, Some(Ending::failed(Code::IterationLimit))));
    assert_eq!(
        sim.ram("context"),
        json!({}),
        "a run's end clears its request"
    );
    let mut sim = Sim::in_state(Planning, None);
    sim.max_iterations = Some(2);
    assert_eq!(
        play(&mut sim, &replies),
        (2, Some(succeeded(StopReason::Done)))
    );
}

#[test]
fn a_hundred_iterations_without_a_bound_are_one_audited_run() {
    let mut sim = Sim::in_state(Planning, None);
    sim.max_iterations = None;
    let replies: Vec<String> = (0..200)
        .map(|turn| ram_add("n", &turn.to_string()))
        .collect();
    assert_eq!(
        play(&mut sim, &replies),
        (100, Some(succeeded(StopReason::Done)))
    );
    // Work that is left goes on in the next run, and is no failure of this one.
    let mut sim = Sim::in_state(Planning, None);
    sim.max_iterations = None;
    sim.set("steps", json!(["for ever"]));
    assert_eq!(
        play(&mut sim, &replies),
        (100, Some(succeeded(StopReason::Done)))
    );
    // A request is bounded all the same.
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.max_iterations = None;
    sim.set("steps", json!(["for ever"]));
    let limit = Some(Ending::failed(Code::IterationLimit));
    assert_eq!(play(&mut sim, &replies), (100, limit));
}

#[test]
fn an_idle_run_is_one_iteration() {
    let mut sim = Sim::in_state(Idle, None);
    sim.run.trigger = Trigger::Idle;
    let reply = record_add("Tidy", "v") + &ram_add("steps", "more");
    assert_eq!(
        play(&mut sim, &[reply]),
        (1, Some(succeeded(StopReason::Done)))
    );
    assert_eq!(sim.ram("state"), "idle");
    assert_eq!(
        sim.ram("steps"),
        json!(["more"]),
        "left over, and opens nothing"
    );
}

#[test]
fn a_request_is_answered_once_steps_are_done_and_all_results_shown() {
    // Steps left: another round.
    let mut sim = Sim::in_state(Evaluating, Some("x"));
    sim.set("steps", json!(["one"]));
    sim.run.progress.changed_in_cycle = true;
    assert_eq!(sim.turn(&log("x")).next, Planning);
    assert_eq!(sim.ram("context")["user_request"], "x");
    // A result not shown yet: another round.
    let mut sim = Sim::in_state(Evaluating, Some("x"));
    sim.run.progress.changed_in_cycle = true;
    assert_eq!(sim.turn(&search("tea")).next, Planning);
    // Only evaluating answers.
    for state in [Planning, Executing] {
        let mut sim = Sim::in_state(state, Some("x"));
        sim.turn(&ram_add("n", "1"));
        assert_eq!(sim.ram("context")["user_request"], "x", "{state}");
    }
}

#[test]
fn a_request_that_a_person_changed_during_the_call_is_not_answered_yet() {
    let mut sim = Sim::in_state(Evaluating, Some("the new words"));
    sim.run.progress.changed = true;
    sim.run.progress.changed_in_cycle = true;
    sim.edited.ram_keys.insert("context".to_owned());
    let decision = sim.turn(&log("x"));
    assert_eq!((decision.next, decision.ending), (Planning, None));
    assert_eq!(sim.ram("context")["user_request"], "the new words");
}

#[test]
fn a_request_that_a_person_wrote_since_the_last_iteration_is_not_answered_yet() {
    for run_has_one in [true, false] {
        let mut sim = Sim::in_state(Evaluating, run_has_one.then_some("the old words"));
        sim.set("context", json!({"user_request": "the new words"}));
        sim.run.progress.changed = true;
        sim.run.progress.changed_in_cycle = true;
        sim.is_request_new = true;
        let decision = sim.turn(&log("x"));
        assert_eq!((decision.next, decision.ending), (Planning, None));
        assert_eq!(sim.ram("context")["user_request"], "the new words");
    }
}

/// A run takes its own request along when it ends, and no other.
#[test]
fn a_run_that_ends_leaves_a_request_that_is_not_its_own() {
    for (own, stands) in [(Some("a"), Some("b")), (None, Some("b")), (Some("b"), None)] {
        let mut sim = Sim::in_state(Planning, own);
        sim.set("context", json!({"user_request": "b"}));
        sim.max_iterations = Some(1);
        let ending = sim.turn(&record_add("Tea", "v")).ending;
        assert_eq!(ending, Some(Ending::failed(Code::IterationLimit)));
        assert_eq!(sim.state.main.ram.request(), stands, "{own:?}");
    }
    // Nor does one that is called off, waiting or under way; what waits for an inbox's run is its own.
    for (trigger, state, is_cleared) in [
        (Trigger::Edit, RunState::Queued, true),
        (Trigger::Edit, RunState::Running, true),
        (Trigger::Request, RunState::Running, true),
        (Trigger::Request, RunState::Queued, false),
    ] {
        for (own, is_own) in [("a", false), ("b", true)] {
            let mut sim = Sim::in_state(Planning, Some(own));
            sim.set("context", json!({"user_request": "b"}));
            (sim.run.trigger, sim.run.state) = (trigger, state);
            let events = cancel(&sim.run, &sim.state.main.ram, sim.now).unwrap();
            for event in &events {
                sim.state
                    .apply(event, CommitContext::without_run(ActorType::User, sim.now));
            }
            let is_gone = sim.state.main.ram.request().is_none();
            assert_eq!(is_gone, is_cleared && is_own, "{trigger:?} {state:?} {own}");
        }
    }
}

#[test]
fn a_repeated_instruction_is_written_down_but_costs_no_round() {
    let mut sim = Sim::in_state(Evaluating, None);
    let twice = search("tea").repeat(2);
    let decision = sim.decide(&twice);
    assert_eq!(
        super::results(&decision).len(),
        1,
        "the search alone is told"
    );
    assert_eq!(decision.entries.len(), 2);
}

#[test]
fn a_run_that_only_reached_for_a_foreign_note_fails_with_that_code() {
    let mut foreign = note(1, "Theirs", "v");
    foreign.workspace_id = ABROAD;
    let mut sim = Sim::in_state(Planning, None).with_note(foreign);
    let replies = [
        record_update(&note_id(1).to_string(), "mine"),
        log("a"),
        log("b"),
        log("c"),
    ];
    let (_, ending) = play(&mut sim, &replies);
    assert_eq!(
        ending.unwrap().error_code,
        Some(Code::CrossWorkspaceRejected)
    );
}
