//! Mode `reviewed` at the bench: changes of notes wait for a person, everything else takes effect.

use super::{Sim, ram_add, record_add};
use kjxlkj_agent::core::agent::{Decision, LoopState};
use kjxlkj_agent::core::journal::Event;
use kjxlkj_agent::core::journal::event::{Outcome, ProposalsChanged};
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::review::{Proposal, Wanted};
use kjxlkj_agent::core::run::StopReason;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{IN_VAIN_MAX, PROPOSALS_PENDING_MAX};

fn reviewed(state: LoopState) -> Sim {
    let mut sim = Sim::in_state(state, Some("keep tea"));
    sim.mode = Mode::Reviewed;
    sim
}

fn made(decision: &Decision) -> Vec<&Proposal> {
    let events = decision.draft.events.iter();
    events
        .filter_map(|event| {
            let Event::ProposalsChanged(ProposalsChanged::Made(proposal)) = event else {
                return None;
            };
            Some(proposal.as_ref())
        })
        .collect()
}

#[test]
fn x06_g12_in_mode_reviewed_notes_are_proposed_and_ram_is_written() {
    let mut sim = reviewed(LoopState::Executing);
    let text = record_add("Tea", "Green.") + &ram_add("mood", "calm");
    let decision = sim.turn(&text);
    let [proposal] = made(&decision)[..] else {
        unreachable!("one is made: {decision:?}");
    };
    assert_eq!((proposal.number, proposal.wanted), (1, Wanted::Create));
    assert_eq!(proposal.note.value, "Green.");
    assert_eq!(proposal.base, None);
    assert_eq!(sim.state.notes.len(), 0, "nothing takes effect yet");
    assert_eq!(sim.ram("mood"), "calm");
    assert!(
        decision
            .entries
            .iter()
            .all(|it| it.outcome == Outcome::Applied)
    );
    let told = &sim.state.results.first().unwrap().message;
    assert_eq!(told, "proposal 1; a person will decide");
    // What was proposed is something that the run has to show.
    let ended = sim.turn(&ram_add("think_log", "well")).ending.unwrap();
    assert_eq!(ended.error_code, None);
    assert_eq!(ended.stop_reason, StopReason::PendingReview);
}

#[test]
fn g12_every_operation_on_a_note_is_proposed_with_its_base_and_scope_is_checked_first() {
    let mut sim = reviewed(LoopState::Executing);
    sim.mode = Mode::Yolo;
    sim.turn(&record_add("Tea", "Green."));
    let note = sim.state.notes.iter().next().unwrap().clone();
    sim.mode = Mode::Reviewed;
    let id = note.id;
    let decision = sim.decide(&format!(
        "<record_update><key>{id}</key><value>Black.</value></record_update>\
         <record_issue><key>{id}</key><value>short</value><metadata>{{}}</metadata></record_issue>\
         <record_add><keywords>x</keywords><value>y</value><kind>secret</kind></record_add>"
    ));
    let proposals = made(&decision);
    assert_eq!(proposals.len(), 2, "{decision:?}");
    for proposal in proposals {
        assert_eq!(proposal.wanted, Wanted::Update);
        assert_eq!(proposal.base.as_ref(), Some(&note));
    }
    let refused = decision.entries.last().unwrap();
    assert_eq!(refused.code, Some(Code::ScopeViolation));
}

/// What is proposed is work done, whatever else of the reply is refused once more.
#[test]
fn g12_a_proposal_beside_a_repeated_refusal_is_not_in_vain() {
    let refused =
        "<record_add><keywords>x</keywords><value>y</value><kind>secret</kind></record_add>";
    for mode in [Mode::Reviewed, Mode::Yolo] {
        let mut sim = reviewed(LoopState::Executing);
        sim.mode = mode;
        for number in 0..=IN_VAIN_MAX {
            let title = format!("Tea {number}");
            let decision = sim.turn(&(record_add(&title, &title) + refused));
            assert_eq!(decision.entries[1].code, Some(Code::ScopeViolation));
            assert_eq!(sim.run.progress.in_vain, 0, "{mode:?}");
            assert_eq!(decision.ending, None, "{mode:?}");
        }
    }
}

#[test]
fn g12_the_same_is_not_proposed_twice_and_not_without_end() {
    let mut sim = reviewed(LoopState::Executing);
    sim.turn(&record_add("Tea", "Green."));
    let again = sim.decide(&record_add("Tea", "Green."));
    assert_eq!(again.entries[0].code, Some(Code::NearDuplicate));
    assert_eq!(made(&again), Vec::<&Proposal>::new());
    let proposal = sim.state.proposals.get(1).unwrap().clone();
    for number in 2..=PROPOSALS_PENDING_MAX {
        sim.state.proposals.add(Proposal {
            number: number as u64,
            ..proposal.clone()
        });
    }
    let full = sim.decide(&record_add("Else", "Something else."));
    assert_eq!(full.entries[0].code, Some(Code::LimitExceeded));
}
