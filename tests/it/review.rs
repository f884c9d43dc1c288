//! Reviewed mode from the reply to the person's word: nothing waits for it, nothing is lost by it, and
//! the model hears of it.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::Lab;
use crate::loop_rules::{OF_NOTES, lab_beside, live_for, note_file, rule, writer};
use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    approve, at, by_agent, create, draft, ended, note_id, options, queued, scope, set, started,
    try_open, update,
};
use kjxlkj_agent::core::guard::{EditedItems, Guard, NoteEdit, Scope, note_create_proposed};
use kjxlkj_agent::core::journal::event::ProposalsChanged;
use kjxlkj_agent::core::journal::{ActorType, Cause, Change, CommitDraft, Event};
use kjxlkj_agent::core::notes::Note;
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::review::{
    Edits, Proposal, ProposedChange, ReviewDecision, ReviewResult, review,
};
use kjxlkj_agent::core::run::{RunAncestry, RunState, StopReason};
use kjxlkj_agent::core::undo::Conflict;
use kjxlkj_agent::daemon::Clock as _;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{NoteId, RunId};
use kjxlkj_agent::limits::RUNS_FINISHED_KEPT;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{Store, why_of};
use kjxlkj_agent::time::DAY_MS;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use uuid::Uuid;

/// A person's word on a proposal, committed; what stands against it otherwise.
fn decide(store: &mut Store, number: u64, asked: &ReviewDecision, now: i64) -> Option<Conflict> {
    decide_within(&scope(), store, number, asked, now)
}

/// The same in the workspace of a scope.
pub(crate) fn decide_within(
    scope: &Scope,
    store: &mut Store,
    number: u64,
    asked: &ReviewDecision,
    now: i64,
) -> Option<Conflict> {
    let nothing = EditedItems::default();
    let guard = Guard::for_user(scope, &nothing);
    let proposal = store.state().proposals.get(number).unwrap().clone();
    let reviewed = review(store.state(), &proposal, asked, &guard, at(now)).unwrap();
    let (changes, decided) = match reviewed {
        ReviewResult::Done { changes, decided } => (changes, decided),
        ReviewResult::Conflict(conflict) => return Some(conflict),
    };
    let mut events: Vec<Event> = changes.into_iter().map(Event::Change).collect();
    events.push(Event::ProposalsChanged(ProposalsChanged::Decided(decided)));
    let draft = draft(
        ActorType::User,
        Cause::run("review", proposal.run_id),
        events,
    );
    store
        .commit(CommitDraft {
            ts: at(now),
            ..draft
        })
        .unwrap();
    None
}

#[tokio::test]
async fn a_run_ends_well_with_review_pending_and_the_model_hears_of_the_word() {
    let mut lab = Lab::new();
    lab.config.mode = Some(Mode::Reviewed);
    lab.config.scope.workspace_id = scope().workspace_id;
    lab.says(&ram_add("steps", "write"));
    lab.says(&record_add("Tea", "Green."));
    lab.says(&ram_add("think_log", "well"));
    let run = lab.run("Keep tea").await;
    assert_eq!(run.state, RunState::Succeeded);
    assert_eq!(run.stop_reason, Some(StopReason::PendingReview));
    assert_eq!(run.mode, Mode::Reviewed);
    assert_eq!(lab.notes().len(), 0);
    // It is known after a restart, and a person decides.
    let mut options = options();
    options.kv_path = "data/agent-kv-store.json".into();
    let disk = RealDisk::open(lab.root(), false).unwrap();
    let now = lab
        .state()
        .runs
        .get(run.run_id)
        .unwrap()
        .completed_at
        .unwrap();
    let (mut store, _) = Store::open(Box::new(disk), options, now).unwrap();
    store.read_notes(now).unwrap();
    assert_eq!(
        decide(&mut store, 1, &ReviewDecision::Approve, now.millis),
        None
    );
    store.checkpoint(true, now).unwrap();
    drop(store);
    let notes = lab.notes();
    assert_eq!(notes[0]["value"], "Green.");
    assert_eq!(notes[0]["version"], 1);
    assert_eq!(notes[0]["created_by"]["run_id"], run.run_id.to_string());
    // A prompt without room for it has not told it.
    let room = lab.config.token_budget.session;
    for (session, telling, words) in [(0, vec![], "nothing"), (room, vec![6], "all")] {
        lab.config.token_budget.session = session;
        for mood in ["calm", "gay", "calm"] {
            lab.says(&ram_add("mood", mood));
        }
        lab.run(&format!("Go on with {words}")).await;
        let outcome = "proposal 1: approved by a person";
        let told: Vec<usize> = (0..lab.peer.request_count())
            .filter(|at| lab.prompt_text(*at).contains(outcome))
            .collect();
        assert_eq!(told, telling, "the next prompt that can, and only that one");
    }
    // Why the note is there is known as of any other.
    let id: NoteId = notes[0]["id"].as_str().unwrap().parse().unwrap();
    let why = why_of(&mut RealDisk::open(lab.root(), false).unwrap(), id).unwrap();
    let version = why.versions.first().unwrap();
    assert_eq!(
        (version.cause.as_str(), version.run_id),
        ("review", Some(run.run_id))
    );
    assert_eq!(version.instruction.as_ref().unwrap().op, "record_add");
    assert_eq!(version.actor_type, ActorType::User);
    let told = version.run.as_ref().unwrap();
    assert_eq!(told.iteration, Some(2));
    assert_eq!(told.request.as_deref(), Some("Keep tea"));
    assert_eq!(told.messages_hash.as_ref().unwrap().len(), 64);
}

/// What each part of a note should be, whatever order things came in.
#[derive(Clone, PartialEq, Debug)]
struct Parts {
    title: String,
    lines: Vec<String>,
}

impl Parts {
    fn of(note: &Note) -> Self {
        Self {
            title: note.title.clone(),
            // The break behind the last line is none of them.
            lines: note
                .value
                .trim_end_matches('\n')
                .split('\n')
                .map(str::to_owned)
                .collect(),
        }
    }
}

fn retitled(note: &Note, title: &str) -> Event {
    let edit = NoteEdit {
        title: Some(title.to_owned()),
        ..NoteEdit::default()
    };
    Event::Change(approve(|guard| {
        guard.note_update(note, None, edit, at(9)).unwrap()
    }))
}

/// The event's note, as a proposal of the agent.
fn proposed(number: u64, base: &Note, event: &Event) -> Event {
    let proposal = proposal(number, base, event.note().unwrap());
    Event::ProposalsChanged(ProposalsChanged::made(proposal))
}

fn proposal(number: u64, base: &Note, note: &Note) -> Proposal {
    Proposal {
        number,
        run_id: RunId(Uuid::from_u128(7)),
        iteration: 1,
        made_at: at(5),
        op: "record_update".to_owned(),
        target: base.title.clone(),
        wanted: ProposedChange::Update,
        note: note.clone(),
        base: Some(base.clone()),
        behind: RunAncestry::default(),
    }
}

/// A hundred notes, a proposal about each, and then a thousand edits of a person's. Gives the notes as
/// they were when the proposals were made.
fn proposed_and_edited(random: &mut Random, store: &mut Store) -> BTreeMap<u64, Note> {
    let lines = ["a", "b", "c", "d", "e"].join("\n");
    let mut bases = BTreeMap::new();
    for number in 1..=100 {
        let id = note_id(number);
        // A person's editor leaves a break behind the last line; a model's text never has one.
        let text = [&lines, ["", "\n"][random.index(2)]].concat();
        store
            .commit(by_agent(vec![create(id, "t", &text)]))
            .unwrap();
        let base = store.state().notes.get(id).unwrap().clone();
        let wanted = if random.below(4) == 0 {
            retitled(&base, "proposed")
        } else {
            update(
                &base,
                &lines.replace(["a", "e"][random.index(2)], "proposed"),
            )
        };
        let made = proposed(number, &base, &wanted);
        store.commit(by_agent(vec![made])).unwrap();
        bases.insert(number, base);
    }
    for edit in 0..1000 {
        let number = random.below(100) + 1;
        let note = store.state().notes.get(note_id(number)).unwrap();
        let mut parts = Parts::of(note);
        let event = match random.index(6) {
            5 => retitled(note, &format!("edited {edit}")),
            line => {
                // In half of the notes only the end is written to: those have room for a merge.
                let line = if number.is_multiple_of(2) { 4 } else { line };
                parts.lines[line] = format!("edited {edit}");
                update(
                    note,
                    &(parts.lines.join("\n") + ["", "\n"][random.index(2)]),
                )
            }
        };
        let draft = draft(ActorType::User, Cause::plain("verb"), vec![event]);
        store.commit(draft).unwrap();
    }
    bases
}

/// Checks that a note holds what both sides made of it.
fn check_both(base: &Parts, ours: &Parts, theirs: &Parts, now: &Parts) {
    let all = |parts: &Parts| [std::slice::from_ref(&parts.title), &parts.lines].concat();
    let [base, ours, theirs, now] = [base, ours, theirs, now].map(all);
    for part in 0..base.len() {
        let [base, ours, theirs, now] = [&base, &ours, &theirs, &now].map(|it| &it[part]);
        assert!(base == theirs || base == ours || ours == theirs);
        assert_eq!(now, if base == ours { theirs } else { ours });
    }
}

/// A hundred proposals, a thousand other edits, then a hundred approvals: where they differ in parts
/// both are there, where they do not both texts are told and nothing changes. No update is lost.
#[test]
fn a_hundred_proposals_approved_after_a_thousand_edits_lose_no_update() {
    for seed in 0..3 {
        let disk = SimDisk::new(seed);
        let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
        let bases = proposed_and_edited(&mut Random(seed), &mut store);
        let (mut merged, mut conflicts) = (0, 0);
        for (number, base) in &bases {
            let wanted = store.state().proposals.get(*number).unwrap().note.clone();
            let present = store.state().notes.get(base.id).unwrap().clone();
            let conflict = decide(&mut store, *number, &ReviewDecision::Approve, 1_000_000);
            let after = store.state().notes.get(base.id).unwrap();
            if let Some(conflict) = conflict {
                conflicts += 1;
                assert_eq!(after, &present, "nothing changes");
                assert!(conflict.present.unwrap().contains(&present.value));
                assert!(conflict.wanted.unwrap().contains("proposed"));
                assert!(
                    store.state().proposals.get(*number).is_some(),
                    "and it waits"
                );
            } else {
                merged += 1;
                let [base, ours, theirs, now] = [base, &wanted, &present, after].map(Parts::of);
                check_both(&base, &ours, &theirs, &now);
                assert!(after.version > present.version);
            }
        }
        assert!(
            merged > 10 && conflicts > 10,
            "{merged} merged, {conflicts} not"
        );
    }
}

#[test]
fn a_word_may_change_or_reject_what_is_proposed_and_a_deleted_note_stays_deleted() {
    let disk = SimDisk::new(5);
    let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
    let mut bases = Vec::new();
    for number in 1..=3 {
        let id = note_id(number);
        store
            .commit(by_agent(vec![create(id, "t", "one")]))
            .unwrap();
        let base = store.state().notes.get(id).unwrap().clone();
        let made = proposed(number, &base, &update(&base, "two"));
        store.commit(by_agent(vec![made])).unwrap();
        bases.push(base);
    }
    let edits = Edits {
        value: Some("three".to_owned()),
        title: Some("Mine".to_owned()),
        ..Edits::default()
    };
    assert_eq!(
        decide(&mut store, 1, &ReviewDecision::Edit(edits), 10),
        None
    );
    let note = store.state().notes.get(note_id(1)).unwrap();
    assert_eq!(
        (note.title.as_str(), note.value.as_str()),
        ("Mine", "three")
    );
    let reason = Some("no".to_owned());
    assert_eq!(
        decide(&mut store, 2, &ReviewDecision::Reject { reason }, 11),
        None
    );
    assert_eq!(store.state().notes.get(note_id(2)), bases.get(1));
    let gone = crate::store_lab::delete(&bases[2]);
    store.commit(by_agent(vec![gone])).unwrap();
    let conflict = decide(&mut store, 3, &ReviewDecision::Approve, 12).unwrap();
    assert_eq!(conflict.present, None);
    let told = store.state().proposals.outcomes();
    let told: Vec<&str> = told.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "proposal 1: approved by a person, with changes",
            "proposal 2: rejected by a person: no",
        ]
    );
}

/// Proposals wait as long as they have to: past a stop, and past the journal that they were made in.
#[test]
fn what_waits_outlives_stops_and_retired_journals() {
    let disk = SimDisk::new(6);
    let mut short = options();
    short.segment_bytes = 1;
    short.retention_days = 30;
    let (mut store, _) = try_open(&disk, &short, at(1)).unwrap();
    for number in 1..=2 {
        let id = note_id(number);
        store
            .commit(by_agent(vec![create(id, "t", "one")]))
            .unwrap();
        let base = store.state().notes.get(id).unwrap().clone();
        let made = proposed(number, &base, &update(&base, "two"));
        store.commit(by_agent(vec![made])).unwrap();
    }
    assert_eq!(
        decide(&mut store, 1, &ReviewDecision::Approve, 1_700_000_000_000),
        None
    );
    let expected = store.state().proposals.clone();
    let late = at(1_700_000_000_000 + 60 * DAY_MS);
    for value in 0..2 {
        let draft = by_agent(vec![set("mood", value)]);
        store.commit(CommitDraft { ts: late, ..draft }).unwrap();
    }
    store.read_notes(late).unwrap();
    store.take_edits(late).unwrap();
    assert!(store.retire(late).unwrap() > Some(0));
    assert_eq!(store.state().proposals, expected);
    store.checkpoint(true, late).unwrap();
    drop(store);
    let (store, _) = try_open(&disk, &short, late).unwrap();
    assert_eq!(store.state().proposals, expected, "from the checkpoint");
    drop(store);
    disk.plant(
        crate::store_lab::path(crate::store_lab::CHECKPOINT),
        b"broken",
    );
    let (store, _) = try_open(&disk, &short, late).unwrap();
    assert_eq!(store.state().proposals, expected, "from the journal alone");
}

#[test]
fn the_guard_has_its_say_in_an_approval() {
    let (scope, nothing) = (scope(), EditedItems::default());
    let mut guard = Guard::for_user(&scope, &nothing);
    let mut note = create(note_id(1), "t", "one").note().unwrap().clone();
    let made = note_create_proposed(&mut guard, &note, at(3)).unwrap();
    assert!(matches!(made.get(), Change::NoteCreated(_)));
    note.workspace_id.0 = Uuid::from_u128(1);
    let refused = note_create_proposed(&mut guard, &note, at(3)).unwrap_err();
    assert_eq!(refused.code.as_str(), "CROSS_WORKSPACE_REJECTED");
}

/// What a run wanted and a person lets happen is the run's effect: its own rule does not heed it, another
/// does, one run further on. That holds also when the run itself is long forgotten.
#[tokio::test]
async fn an_approval_does_not_wake_the_rule_whose_run_proposed_it() {
    let (own, trigger) = OF_NOTES[1];
    let rules = [own, OF_NOTES[0].0].map(|id| rule(id, trigger, &json!({})));
    for forgotten in [false, true] {
        let mut lab = lab_beside(writer(), &rules);
        lab.config.mode = Some(Mode::Reviewed);
        live_for(&mut lab, 1).await;
        lab.write("data/notes/tea.json", &note_file("Tea", "green"));
        live_for(&mut lab, 2).await;
        let state = lab.state();
        let of_own = |it: &&Proposal| it.behind.rule.is_some_and(|id| id.to_string() == own);
        let proposal = state.proposals.pending().find(of_own).unwrap();
        let mut options = options();
        options.kv_path = "data/agent-kv-store.json".into();
        options.scope = lab.config.scope.clone();
        options.rules = Arc::clone(&lab.config.rules);
        let disk = RealDisk::open(lab.root(), false).unwrap();
        let now = lab.clock.now();
        let (mut store, _) = Store::open(Box::new(disk), options, now).unwrap();
        store.read_notes(now).unwrap();
        if forgotten {
            for number in 0..=RUNS_FINISHED_KEPT {
                let event = queued(&number.to_string());
                let run_id = event.run_id().unwrap();
                let events = vec![event, started(run_id), ended(run_id)];
                store.commit(by_agent(events)).unwrap();
            }
        }
        let is_known = store.state().runs.get(proposal.run_id).is_some();
        assert_eq!(is_known, !forgotten);
        assert_eq!(store.state().runs.open_len(), 0);
        decide_within(
            &lab.config.scope,
            &mut store,
            proposal.number,
            &ReviewDecision::Approve,
            now.millis,
        );
        let open: Vec<_> = store.state().runs.open().collect();
        let [woken] = open.as_slice() else {
            panic!("{open:?}");
        };
        assert_eq!(woken.rule_id.unwrap().to_string(), OF_NOTES[0].0);
        assert_eq!(woken.origin.as_ref().unwrap().depth, 1);
    }
}

/// What a person writes instead of a deletion would go with the note.
#[test]
fn a_proposed_deletion_cannot_be_edited() {
    let disk = SimDisk::new(8);
    let (mut store, _) = try_open(&disk, &options(), at(1)).unwrap();
    store
        .commit(by_agent(vec![create(note_id(1), "t", "one")]))
        .unwrap();
    let base = store.state().notes.get(note_id(1)).unwrap().clone();
    let mut made = proposal(1, &base, &base);
    made.wanted = ProposedChange::Delete;
    let (scope, nothing) = (scope(), EditedItems::default());
    let guard = Guard::for_user(&scope, &nothing);
    let edits = Edits {
        value: Some("mine".to_owned()),
        ..Edits::default()
    };
    let edited = review(
        store.state(),
        &made,
        &ReviewDecision::Edit(edits),
        &guard,
        at(2),
    );
    assert_eq!(edited.unwrap_err().code, Code::Usage);
    let approved = review(
        store.state(),
        &made,
        &ReviewDecision::Approve,
        &guard,
        at(2),
    );
    assert!(matches!(approved, Ok(ReviewResult::Done { .. })));
}
