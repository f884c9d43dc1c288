//! Mode `reviewed` in the executor: changes of notes wait for a person, everything else takes effect.

use super::{ABROAD, Sim, note, note_id, ram_add, record_add, record_update, results, search};
use kjxlkj_agent::core::agent::{Decision, LoopState};
use kjxlkj_agent::core::journal::Event;
use kjxlkj_agent::core::journal::event::{InstructionOutcome, ProposalsChanged};
use kjxlkj_agent::core::prompt::{Mode, shorten};
use kjxlkj_agent::core::review::{Proposal, ProposalDecision, ProposedChange, Verdict};
use kjxlkj_agent::core::run::StopReason;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::limits::{NO_PROGRESS_MAX, PROPOSALS_PENDING_MAX, PROPOSALS_SHOWN_MAX};

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
fn in_mode_reviewed_notes_are_proposed_and_ram_is_written() {
    let mut sim = reviewed(LoopState::Executing);
    let text = record_add("Tea", "Green.") + &ram_add("mood", "calm");
    let decision = sim.turn(&text);
    let [proposal] = made(&decision)[..] else {
        unreachable!("one is made: {decision:?}");
    };
    assert_eq!(
        (proposal.number, proposal.wanted),
        (1, ProposedChange::Create)
    );
    assert_eq!(proposal.note.value, "Green.");
    assert_eq!(proposal.base, None);
    assert_eq!(sim.state.notes.len(), 0, "nothing takes effect yet");
    assert_eq!(sim.ram("mood"), "calm");
    assert!(
        decision
            .entries
            .iter()
            .all(|it| it.outcome == InstructionOutcome::Applied)
    );
    let told = &sim.state.main.results.first().unwrap().message;
    assert_eq!(told, "proposal 1; a person will decide");
    // What was proposed is something that the run has to show.
    let ended = sim.turn(&ram_add("think_log", "well")).ending.unwrap();
    assert_eq!(ended.error_code, None);
    assert_eq!(ended.stop_reason, StopReason::PendingReview);
}

#[test]
fn every_operation_on_a_note_is_proposed_with_its_base_and_scope_is_checked_first() {
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
        assert_eq!(proposal.wanted, ProposedChange::Update);
        assert_eq!(proposal.base.as_ref(), Some(&note));
    }
    let refused = decision.entries.last().unwrap();
    assert_eq!(refused.code, Some(Code::ScopeViolation));
}

/// What is proposed is work done, whatever else of the reply is refused once more.
#[test]
fn a_proposal_beside_a_repeated_refusal_is_not_in_vain() {
    let refused =
        "<record_add><keywords>x</keywords><value>y</value><kind>secret</kind></record_add>";
    for mode in [Mode::Reviewed, Mode::Yolo] {
        let mut sim = reviewed(LoopState::Executing);
        sim.mode = mode;
        for number in 0..=NO_PROGRESS_MAX {
            let title = format!("Tea {number}");
            let decision = sim.turn(&(record_add(&title, &title) + refused));
            assert_eq!(decision.entries[1].code, Some(Code::ScopeViolation));
            assert_eq!(sim.run.progress.no_progress_streak, 0, "{mode:?}");
            assert_eq!(decision.ending, None, "{mode:?}");
        }
    }
}

#[test]
fn the_same_is_not_proposed_twice_and_not_without_end() {
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

/// Who may do what with a note of another workspace, by mode, flag and list: the way it is named decides
/// what is told of it.
#[test]
fn another_workspace_is_written_by_proposals_alone_and_known_only_where_it_is_listed() {
    let foreign = Code::CrossWorkspaceRejected;
    let unknown = Code::RecordNotFound;
    let id = note_id(1).to_string();
    // Mode, flag, whether it is listed; what becomes of an update by title, by id, and of a new note.
    let table = [
        (
            Mode::Yolo,
            false,
            false,
            [Some(unknown), Some(foreign), Some(foreign)],
        ),
        (Mode::Yolo, false, true, [Some(foreign); 3]),
        // No such configuration loads; the guard does not rely on that.
        (Mode::Yolo, true, true, [Some(foreign); 3]),
        (
            Mode::Reviewed,
            false,
            false,
            [Some(unknown), Some(foreign), Some(foreign)],
        ),
        (Mode::Reviewed, false, true, [Some(foreign); 3]),
        (
            Mode::Reviewed,
            true,
            false,
            [Some(unknown), Some(foreign), None],
        ),
        (Mode::Reviewed, true, true, [None; 3]),
    ];
    for (mode, flag, listed, expected) in table {
        let mut theirs = note(1, "Theirs", "Their tea.");
        theirs.workspace_id = ABROAD;
        let mut sim = reviewed(LoopState::Executing).with_note(theirs.clone());
        sim.mode = mode;
        sim.scope.cross_workspace_writes = flag;
        sim.scope.can_read_workspaces = Vec::from_iter(listed.then_some(ABROAD));
        let add = format!(
            "<record_add><title>New</title><keywords>k</keywords><value>v</value>\
             <workspace_id>{ABROAD}</workspace_id></record_add>"
        );
        let acts = [
            record_update("Theirs", "Mine."),
            record_update(&id, "Mine."),
            add,
        ];
        for (act, expected) in acts.iter().zip(expected) {
            let case = format!("{mode:?} {flag} {listed} {act}");
            let decision = sim.decide(act);
            assert_eq!(decision.entries[0].code, expected, "{case}");
            let changes = decision
                .draft
                .events
                .iter()
                .filter(|it| it.note().is_some());
            assert_eq!(changes.count(), 0, "nothing takes effect: {case}");
            let proposals = made(&decision);
            assert_eq!(proposals.len(), usize::from(expected.is_none()), "{case}");
            for proposal in proposals {
                assert_eq!(proposal.note.workspace_id, ABROAD, "{case}");
            }
            let told = format!("{:?}", results(&decision));
            assert!(listed || !told.contains("Their tea"), "{case}: {told}");
        }
        // A copy with a gap is answered with the note: only to whom that may read.
        let cut = shorten(&theirs.value, 3);
        let cut = decided_text(&mut sim, &record_update(&id, &cut));
        assert!(listed || !cut.contains("Their tea"), "{cut}");
        let found = decided_text(&mut sim, &search("tea"));
        assert_eq!(found.contains("Theirs"), listed, "{found}");
        let ids = format!("<record_search><ids>{id}</ids></record_search>");
        assert_eq!(decided_text(&mut sim, &ids).contains("Their tea"), listed);
    }
}

fn decided_text(sim: &mut Sim, text: &str) -> String {
    format!("{:?}", results(&sim.decide(text)))
}

/// The own note goes first, and what is alike elsewhere is no reason to refuse.
#[test]
fn the_own_note_of_a_title_is_meant_before_one_that_may_be_read() {
    let mut theirs = note(1, "Tea", "Their tea, green and hot and from afar.");
    theirs.workspace_id = ABROAD;
    let mut sim = reviewed(LoopState::Executing)
        .with_note(theirs.clone())
        .with_note(note(2, "Tea", "Our own."));
    sim.mode = Mode::Yolo;
    sim.scope.can_read_workspaces = vec![ABROAD];
    sim.turn(&record_update("Tea", "Ours, and better."));
    let values: Vec<&str> = sim.state.notes.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, [theirs.value.as_str(), "Ours, and better."]);
    let copied = sim.decide(&record_add("Copied", &theirs.value));
    assert_eq!(copied.entries[0].outcome, InstructionOutcome::Applied);
    let told = format!("{:?}", results(&copied));
    assert!(!told.contains("much the same"), "{told}");
}

/// However much a person decides at once, the model hears of all of it: so much in one prompt, the rest in
/// the next.
#[test]
fn every_decision_is_told_also_of_many_at_once() {
    let mut sim = reviewed(LoopState::Executing);
    sim.turn(&record_add("Tea", "Green."));
    let proposals = &mut sim.state.proposals;
    let proposal = proposals.get(1).unwrap().clone();
    let many = PROPOSALS_SHOWN_MAX + 6;
    for number in 2..=many as u64 {
        proposals.add(Proposal {
            number,
            ..proposal.clone()
        });
    }
    for number in 1..=many as u64 {
        proposals.decide(&ProposalDecision {
            number,
            verdict: Verdict::Rejected,
            reason: None,
            version: None,
        });
    }
    let mut told = Vec::new();
    for count in [PROPOSALS_SHOWN_MAX, 6, 0] {
        let now = proposals.outcomes();
        assert_eq!(now.len(), count);
        told.extend(now.iter().map(|it| it.message.clone()));
        proposals.forget_outcomes(count);
    }
    let all = (1..=many).map(|number| format!("proposal {number}: rejected by a person"));
    assert_eq!(told, all.collect::<Vec<String>>());
}
