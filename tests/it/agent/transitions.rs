//! Every state, every request, pending or not: what follows.

use super::{Sim, outcomes, ram_add, results};
use kjxlkj_agent::core::agent::LoopState::{
    self, Evaluating, Executing, Idle, Paging, Planning, RecordOrganizing,
};
use kjxlkj_agent::core::agent::Protocol;
use kjxlkj_agent::core::agent::{
    IdleProfile, LoopPolicy, Situation, StateRequest, StateRequestOutcome, successor, transition,
};
use kjxlkj_agent::core::journal::event::{Cycle, InstructionOutcome};
use kjxlkj_agent::failure::Code;

const POLICY: LoopPolicy = LoopPolicy {
    protocol: Protocol::Xml,
    loop_delay_ms: 0,
    idle_delay_ms: 0,
    idle_delay_max_ms: 0,
    max_iterations: Some(100),
    auto_advance: true,
    max_stay: 5,
    parse_retries: 0,
    idle_profile: IdleProfile::Maintenance,
};

fn situation(current: LoopState, pending: bool) -> Situation<'static> {
    Situation {
        current,
        pending,
        perpetual: false,
        cycle: Cycle {
            before_paging: Some(Executing),
            ..Cycle::default()
        },
        policy: &POLICY,
    }
}

fn successor_by_the_contract(current: LoopState, pending: bool) -> LoopState {
    match (current, pending) {
        (Planning | Paging, _) => Executing, // In these tests paging came before executing.
        (Executing, _) => Evaluating,
        (Evaluating | Idle, true) | (RecordOrganizing, _) => Planning,
        (Evaluating | Idle, false) => Idle,
    }
}

fn is_legal_by_the_contract(current: LoopState, pending: bool, target: LoopState) -> bool {
    // Paging keeps its distance to itself.
    target == current && current != Paging
        || target == successor_by_the_contract(current, pending)
        || matches!(target, Planning | RecordOrganizing)
        || current == Evaluating && target == Executing
        || target == Idle && !pending
}

#[test]
fn every_state_every_wish_pending_or_not() {
    for current in LoopState::ALL {
        for pending in [false, true] {
            let situation = situation(current, pending);
            let follows = successor_by_the_contract(current, pending);
            assert_eq!(successor(&situation), follows, "{current} {pending}");
            let by_itself = transition(&situation, &[]);
            assert_eq!((by_itself.next, by_itself.stays), (follows, 0));
            for target in LoopState::ALL {
                let found = transition(&situation, &[StateRequest::Enter(Some(target))]);
                let case = format!("{current} -> {target}, pending {pending}: {found:?}");
                if is_legal_by_the_contract(current, pending, target) {
                    // With nothing pending a new round is the end of the run.
                    let round = matches!(target, Planning | Executing | Evaluating);
                    let ends = current == Evaluating && round && !pending;
                    let (next, outcomes) = if ends {
                        (Idle, StateRequestOutcome::Ignored)
                    } else {
                        (target, StateRequestOutcome::Applied)
                    };
                    assert_eq!(
                        (found.next, found.outcomes),
                        (next, vec![outcomes]),
                        "{case}"
                    );
                } else {
                    let refused = StateRequestOutcome::Rejected(Code::StateTransitionInvalid);
                    assert_eq!(found.outcomes, [refused], "{case}");
                    assert_eq!(
                        found.next, follows,
                        "advances by itself all the same; {case}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_first_legal_wish_wins_and_later_ones_are_passed_over() {
    use StateRequestOutcome::{Applied, Ignored};
    let bad = StateRequestOutcome::Rejected(Code::StateTransitionInvalid);
    let enter = |state| StateRequest::Enter(Some(state));
    let leave = |state| StateRequest::Leave(Some(state));
    let cases: [(
        LoopState,
        &[StateRequest],
        LoopState,
        &[StateRequestOutcome],
    ); 9] = [
        (
            Planning,
            &[enter(Executing), enter(Planning)],
            Executing,
            &[Applied, Ignored],
        ),
        (
            Planning,
            &[enter(Evaluating), enter(RecordOrganizing)],
            RecordOrganizing,
            &[bad, Applied],
        ),
        (
            Planning,
            &[leave(Planning), enter(RecordOrganizing)],
            RecordOrganizing,
            &[Ignored, Applied],
        ),
        (
            Planning,
            &[leave(Planning), leave(Planning)],
            Executing,
            &[Applied, Ignored],
        ),
        (Planning, &[leave(Executing)], Executing, &[Ignored]),
        (Planning, &[StateRequest::Enter(None)], Executing, &[bad]),
        (
            Planning,
            &[StateRequest::Leave(None)],
            Executing,
            &[Ignored],
        ),
        (
            Planning,
            &[enter(Paging), leave(Planning)],
            Executing,
            &[bad, Applied],
        ),
        (
            Evaluating,
            &[enter(Executing), leave(Evaluating)],
            Executing,
            &[Applied, Ignored],
        ),
    ];
    for (current, requests, next, outcomes) in cases {
        let found = transition(&situation(current, true), requests);
        assert_eq!(found.next, next, "{current} {requests:?}");
        assert_eq!(found.outcomes, outcomes, "{current} {requests:?}");
    }
}

#[test]
fn the_same_state_may_be_asked_for_max_stay_times_in_a_row() {
    let mut sim = Sim::in_state(Planning, Some("plan a trip"));
    let stay = "<state_add><state>planning</state></state_add>";
    for turn in 1..=5 {
        assert_eq!(sim.turn(stay).next, Planning, "stay {turn}");
    }
    let sixth = sim.turn(stay);
    assert_eq!(sixth.next, Executing);
    assert_eq!(
        outcomes(&sixth),
        [(
            "state_add".to_owned(),
            InstructionOutcome::Rejected,
            Some(Code::StateTransitionInvalid)
        )]
    );
    // Having been elsewhere, it may stay again.
    sim.set("state", "planning".into());
    assert_eq!(sim.turn(stay).next, Planning);
}

#[test]
fn without_auto_advance_only_the_model_moves_the_machine() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.policy.auto_advance = false;
    assert_eq!(sim.turn(&ram_add("a", "1")).next, Planning);
    let go = "<state_delete><state>planning</state></state_delete>";
    assert_eq!(sim.turn(go).next, Executing);
    // The daemon leads into paging, so it leads out of it.
    sim.set("state", "paging".into());
    sim.state.main.cycle.before_paging = Some(Evaluating);
    assert_eq!(sim.turn(&ram_add("a", "2")).next, Evaluating);
}

#[test]
fn the_ram_key_state_is_another_door_to_the_same_check() {
    let refused = Some(Code::StateTransitionInvalid);
    for (text, next, outcome, code) in [
        (
            ram_add("state", "executing"),
            Executing,
            InstructionOutcome::Applied,
            None,
        ),
        (
            ram_add("state", "thinking"),
            Planning,
            InstructionOutcome::Applied,
            None,
        ),
        (
            ram_add("state", "evaluating"),
            Executing,
            InstructionOutcome::Rejected,
            refused,
        ),
        (
            ram_add("state", "dreaming"),
            Executing,
            InstructionOutcome::Rejected,
            refused,
        ),
        (
            "<ram_delete><key>state</key></ram_delete>".to_owned(),
            Planning,
            InstructionOutcome::Applied,
            None,
        ),
    ] {
        let mut sim = Sim::in_state(Planning, Some("x"));
        let decision = sim.turn(&text);
        assert_eq!(decision.next, next, "{text}");
        assert_eq!(sim.ram("state"), next.name(), "{text}");
        assert_eq!(
            (decision.entries[0].outcome, decision.entries[0].code),
            (outcome, code)
        );
    }
}

#[test]
fn a_refused_move_is_told_with_what_would_be_legal_and_holds_nothing_up() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    let decision = sim.decide("<state_add><state>evaluating</state></state_add>");
    let told = results(&decision);
    assert_eq!(told[0].code, Some(Code::StateTransitionInvalid));
    assert_eq!(
        told[0].message,
        "from planning you can go to: planning, executing, record_organizing"
    );
    // Not a result that is pending: the run can end on such a reply.
    let mut sim = Sim::in_state(Evaluating, None);
    let decision = sim.decide("<state_add><state>paging</state></state_add>");
    assert_eq!(decision.next, Idle);
    assert!(decision.ending.is_some());
}

#[test]
fn a_state_that_a_person_set_during_the_call_stands() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.set("state", "record_organizing".into());
    sim.edited.ram_keys.insert("state".to_owned());
    let parsed = sim.parse("<state_add><state>executing</state></state_add>");
    let decision = sim.decide_parsed(&parsed, None);
    assert_eq!(decision.next, RecordOrganizing);
    assert_eq!(decision.entries[0].code, Some(Code::VersionConflict));
}

#[test]
fn a_loop_without_a_bound_never_comes_to_rest_by_itself() {
    let situation = Situation {
        perpetual: true,
        ..situation(Evaluating, false)
    };
    assert_eq!(transition(&situation, &[]).next, Planning);
    let refused = StateRequestOutcome::Rejected(Code::StateTransitionInvalid);
    let found = transition(&situation, &[StateRequest::Enter(Some(Idle))]);
    assert_eq!((found.next, found.outcomes), (Planning, vec![refused]));
}
