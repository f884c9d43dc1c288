//! When RAM is too large: paging, how often, and what is refused beyond it.

use super::{Sim, codes, ram_add};
use kjxlkj_agent::core::agent::LoopState::{self, Evaluating, Executing, Paging, Planning};
use kjxlkj_agent::failure::Code;
use serde_json::json;

fn crowded(state: LoopState) -> Sim {
    let mut sim = Sim::in_state(state, Some("a request"));
    sim.set("big", json!("x".repeat(2100)));
    sim
}

#[test]
fn k086_the_first_overfull_ram_is_paged_at_once_and_paging_leads_back() {
    for (from, then) in [(Planning, Executing), (Executing, Evaluating)] {
        let mut sim = crowded(from);
        assert_eq!(sim.turn(&ram_add("a", "1")).next, Paging, "after {from}");
        let shrink = "<ram_delete><key>big</key></ram_delete>";
        assert_eq!(sim.turn(shrink).next, then, "back to where {from} led");
    }
}

#[test]
fn k086_three_other_iterations_lie_between_two_pagings() {
    let mut sim = crowded(Planning);
    sim.set("steps", json!(["for ever"]));
    let mut states = vec![sim.turn(&ram_add("n", "0")).next];
    for turn in 1..12 {
        states.push(sim.turn(&ram_add("n", &turn.to_string())).next);
    }
    let gaps: Vec<usize> = states
        .iter()
        .enumerate()
        .filter(|(_, state)| **state == Paging)
        .map(|(index, _)| index)
        .collect();
    assert_eq!(gaps, [0, 4, 8], "{states:?}");
}

#[test]
fn k086_the_model_can_neither_ask_for_paging_nor_stay_in_it() {
    let ask = "<state_add><state>paging</state></state_add>";
    for state in LoopState::ALL {
        let mut sim = Sim::in_state(state, Some("x"));
        assert_eq!(
            codes(&sim.decide(ask)),
            [Some(Code::StateTransitionInvalid)],
            "{state}"
        );
    }
}

#[test]
fn k086_the_limit_counts_what_a_prompt_shows_without_state_and_request() {
    let mut sim = Sim::in_state(Planning, Some(&"long request ".repeat(400)));
    assert_eq!(sim.decide(&ram_add("a", "1")).next, Executing);
    // One character over, as rendered: `big: ` and the text.
    let room = 2048 - "big: ".len();
    for (length, next) in [(room, Executing), (room + 1, Paging)] {
        let mut sim = Sim::in_state(Planning, Some("x"));
        sim.set("big", json!("\u{8a9e}".repeat(length)));
        let decision = sim.decide("<state_add><state>executing</state></state_add>");
        assert_eq!(decision.next, next, "{length}");
    }
}

#[test]
fn k086_above_four_times_the_limit_ram_add_is_refused() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.set("big", json!("x".repeat(8000)));
    let reply = [
        ram_add("fits", "y"),
        ram_add("does_not", &"y".repeat(300)),
        ram_add("context", &"z".repeat(300)),
        // What makes RAM smaller is welcome at any size.
        ram_add("big", "small"),
        ram_add("now_it_does", &"y".repeat(300)),
    ];
    let decision = sim.turn(&reply.concat());
    let full = Some(Code::LimitExceeded);
    assert_eq!(codes(&decision), [None, full, full, None, None]);
    assert_eq!(sim.ram("does_not"), json!(null));
    assert_eq!(sim.ram("context"), json!({ "user_request": "x" }));
}

#[test]
fn k086_a_person_may_overfill_ram_and_the_model_may_still_shrink_it() {
    let mut sim = Sim::in_state(Planning, None);
    sim.set("big", json!("x".repeat(20_000)));
    let decision = sim.turn(&(ram_add("big", &"x".repeat(9000)) + &ram_add("more", "y")));
    assert_eq!(codes(&decision), [None, Some(Code::LimitExceeded)]);
}
