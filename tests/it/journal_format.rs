//! The journal's format, once written, is kept for ever: a corpus with one line of every type of
//! event is read, and written again to the byte. A new type gets a sample here, a shape in
//! `store_lab::shapes`, and a line at the corpus' end; old lines are never touched.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::store_lab::{
    approve, at, create, delete, draft, ended, iteration, note_id, queued, ram_delete, read_line,
    set, shapes, started, storage_delete, storage_set, workspace,
};
use kjxlkj_agent::core::agent::{
    ActionLog, ActionResult, LoopState, ResultItem, ResultLog, WorkingMemory,
};
use kjxlkj_agent::core::automation::{
    MissedReason, RuleSkipped, ScheduleCursor, ScheduleText, SchedulesTaken, SlotOutcome, SlotSpan,
    SlotsRecorded,
};
use kjxlkj_agent::core::guard::{NoteEdit, in_ram_of, ram_own, ram_own_deleted};
use kjxlkj_agent::core::journal::commit::{decode, encode};
use kjxlkj_agent::core::journal::event::{
    BudgetReserved, BudgetSettled, CallMade, CallWait, ConversationKept, Cycle, EditRefused,
    InstructionDecided, InstructionOutcome, KeptReply, KeysCarried, KeysNoted, NoteWritten,
    PrivateMemoryCarried, ProposalsChanged, RequestRefused, RootCreated, RunQueued, RunRetried,
    RunsRemembered, StateCarried, StorageSet, TailCut, ViewRestored, ViewsWritten,
};
use kjxlkj_agent::core::journal::{
    ActorType, Cause, CommitContext, CommitDraft, Event, Hash, State,
};
use kjxlkj_agent::core::memory::KeyDirectory;
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::memory::directory::KeyNoted;
use kjxlkj_agent::core::notes::{
    Issue, Note, OrganizeOffer, OrganizeScan, OrganizeState, OrganizeTask, RewrittenNote, ShownNote,
};
use kjxlkj_agent::core::prompt::{Calibrations, ChatRole, PromptMessage, TextPage, Window};
use kjxlkj_agent::core::protocol::{ConstraintKind, EarlyStop};
use kjxlkj_agent::core::review::{Proposal, ProposalDecision, ProposedChange, Verdict};
use kjxlkj_agent::core::route::{CircuitState, Cost, FinishReason, RoutingDecision, Spending};
use kjxlkj_agent::core::run::{
    ConfiguredServer, OpenRefusal, Origin, PastRuns, Run, RunAncestry, Trigger, Usage,
};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{AgentId, EventId, RuleId, RunId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

const CORPUS: &str = include_str!("../corpus/journal/version-1.jsonl");

/// The sources that name the types of events.
const NAMING: [&str; 2] = [
    include_str!("../../src/core/journal/event.rs"),
    include_str!("../../src/core/journal/change.rs"),
];

/// An update with everything in it that a note can have.
fn full_update(note: &Note) -> Event {
    let edit = NoteEdit {
        title: Some("Green \"tea\"".to_owned()),
        links: Some(vec![note_id(2)]),
        issue: Some(Issue {
            text: "too short".to_owned(),
            metadata: json!({"score": 0.1, "seen": [1, null]})
                .as_object()
                .cloned()
                .unwrap(),
            created_at: at(11),
            open: true,
        }),
        ..NoteEdit::default()
    };
    approve(|guard| Event::Change(guard.note_update(note, Some(1), edit, at(6)).unwrap()))
}

/// One event of each type, in an order that can happen; `views.written` and what recovery writes
/// are as the store would make them.
pub(crate) fn samples() -> Vec<Event> {
    let mut events = vec![Event::RootCreated(RootCreated {
        format: 1,
        workspace_id: workspace(),
    })];
    let mut state = State::empty();
    let mut add = |made: Vec<Event>, state: &mut State| {
        for event in made {
            state.apply(&event, CommitContext::without_run(ActorType::Agent, at(12)));
            events.push(event);
        }
    };
    let mut opened = run();
    opened.request = Some("keep <tea>".to_owned());
    let run_id = opened.run_id;
    let began = vec![Event::RunQueued(RunQueued { run: opened }), started(run_id)];
    add(began, &mut state);
    add(changes(), &mut state);
    add(told(&state), &mut state);
    add(recovered(), &mut state);
    add(carried(&state), &mut state);
    let note = state.notes.get(note_id(1)).cloned().unwrap();
    add(vec![delete(&note)], &mut state);
    let mut past = PastRuns::default();
    past.push(run_id);
    past.push(run().run_id);
    let remembered = Event::RunsRemembered(RunsRemembered { past });
    add(vec![remembered], &mut state);
    add(stored(), &mut state);
    let keys = noted();
    add(keys, &mut state);
    let keys = without_makers(&state.main.keys);
    add(vec![Event::KeysCarried(KeysCarried { keys })], &mut state);
    add(called(run_id), &mut state);
    add(ruled(), &mut state);
    add(vec![proposed()], &mut state);
    add(in_private_ram(), &mut state);
    events
}

/// What a run with private RAM leaves behind, and what retention journals again of it.
fn in_private_ram() -> Vec<Event> {
    let Event::RunQueued(mut opened) = queued("private") else {
        unreachable!("a run is queued");
    };
    opened.run.agent = AgentId::parse("librarian");
    let run = opened.run.clone();
    let own = vec![
        Event::Change(ram_own("tea", json!({"grams": 2.5}))),
        Event::Change(ram_own_deleted("plan")),
    ];
    let mut memory = WorkingMemory::default();
    memory.ram.set("tea".to_owned(), json!({"grams": 2.5}));
    let carried = PrivateMemoryCarried {
        run_id: run.run_id,
        memory: Box::new(memory),
    };
    let mut events = vec![Event::RunQueued(opened)];
    events.extend(in_ram_of(&run, own));
    events.push(Event::PrivateMemoryCarried(carried));
    events
}

/// The directory as it was written before it told who made a key.
fn without_makers(keys: &KeyDirectory) -> KeyDirectory {
    let mut written = serde_json::to_value(keys).unwrap();
    let members = written.as_object_mut().unwrap();
    assert!(members.remove("run").is_some());
    members.remove("made");
    serde_json::from_value(written).unwrap()
}

/// What near-duplicates, links and organising gave to types that were there before.
fn later_members(state: &State, run_id: RunId) -> Vec<Event> {
    let shown = |number, version| ShownNote {
        id: note_id(number),
        version,
    };
    let look = OrganizeScan {
        offers: vec![OrganizeOffer {
            chore: OrganizeTask::Alike,
            notes: vec![shown(3, 1), shown(2, 4)],
        }],
        next: Some(note_id(9)),
        more: true,
        rewritten: vec![RewrittenNote {
            id: note_id(2),
            from: 4,
            to: 5,
        }],
    };
    let Event::IterationDone(mut done) = iteration(state, &run()) else {
        unreachable!("an iteration is done");
    };
    done.progress.open_refusals.push(OpenRefusal {
        op: "record_add".to_owned(),
        target: "Tea".to_owned(),
        code: Code::NearDuplicate,
        instead: Some(note_id(2)),
    });
    done.results.iter_mut().for_each(|result| {
        result.items.push(ResultItem {
            id: note_id(2),
            version: 4,
            title: "Tea".to_owned(),
            text: String::new(),
            links: vec!["Kitchen".to_owned(), "Oven".to_owned()],
            page: None,
        });
    });
    done.run_id = run_id;
    done.look = Some(look.clone());
    done.counted = None;
    let mut organizing = OrganizeState {
        changes: 3,
        ..OrganizeState::default()
    };
    organizing.take(&look);
    let carried = StateCarried {
        ram: BTreeMap::new(),
        runs: Vec::new(),
        cycle: Cycle::default(),
        results: Vec::new(),
        seen: BTreeMap::new(),
        organizing,
        calibrations: Calibrations::default(),
        spending: Spending::default(),
        schedule_cursor: ScheduleCursor::default(),
        log: ActionLog::default(),
        result_log: ResultLog::default(),
        first_segment: 1,
    };
    vec![Event::IterationDone(done), Event::StateCarried(carried)]
}

/// `/storage`: a value, its removal, and what retention journals again.
fn stored() -> Vec<Event> {
    let place = StorePath::parse("/storage/tea/green").unwrap();
    let value = json!({"grams": 2.5, "name": "caf\u{e9}"});
    vec![
        storage_set("/storage/tea/green", value.clone()),
        storage_delete("/storage/tea"),
        Event::StorageCarried(StorageSet { path: place, value }),
        Event::StorageCarried(StorageSet {
            path: StorePath::archive("a/b~c d"),
            value: json!("kept"),
        }),
    ]
}

/// What calls cost, and whom they went to.
fn called(run_id: RunId) -> Vec<Event> {
    let cost = |calls, tokens| Cost {
        calls,
        tokens,
        micro_dollars: 0,
    };
    vec![
        Event::CallMade(CallMade {
            run_id,
            iteration: 3,
            provider: "near".to_owned(),
            model: "small".to_owned(),
            answered_by: None,
            reason: "it is the only one".to_owned(),
            failures: vec![Code::ProviderTimeout, Code::ProviderServerError],
            answered: false,
            circuit: Some(CircuitState::Open),
            constraint_kind: None,
            first_token_ms: None,
            early_stop: None,
            saved_tokens: 0,
            finish: None,
            decision: None,
            request_id: None,
            chosen_at: None,
            waited: Vec::new(),
        }),
        Event::BudgetReserved(BudgetReserved {
            day: 20_454,
            cost: cost(1, 5000),
            run_id: None,
        }),
        Event::BudgetSettled(BudgetSettled {
            day: 20_454,
            reserved: cost(1, 5000),
            spent: cost(1, 812),
            run_id: None,
        }),
    ]
}

/// What rules and time leave behind, the run of a rule included.
fn ruled() -> Vec<Event> {
    let rule_id = RuleId(Uuid::from_u128(0x77));
    let slot = |minutes: i64| at(1_700_000_000_000 + minutes * 60_000);
    let event = |minutes| EventId(format!("cron:{rule_id}:{}", slot(minutes)));
    let origin = Origin {
        depth: 1,
        root: None,
        event: json!({"kind": "cron", "slot": slot(9)}),
    };
    let run = Run::of_rule(rule_id, event(9), Trigger::Cron, origin, slot(9));
    let run_id = run.run_id;
    let outcomes = [
        SlotOutcome::Missed {
            reason: MissedReason::TooLate,
        },
        SlotOutcome::Coalesced { into: slot(9) },
        SlotOutcome::Skipped {
            reason: "its condition does not hold".to_owned(),
        },
        SlotOutcome::CaughtUp { run_id },
        SlotOutcome::Ran { run_id },
    ];
    let spans = (0..).zip(outcomes).map(|(number, outcome)| SlotSpan {
        first: slot(number),
        last: slot(number),
        count: (number > 0).then_some(1),
        outcome,
    });
    let schedule = ScheduleText {
        cron: "* * * * *".to_owned(),
        timezone: "UTC".to_owned(),
    };
    let retried = Run {
        attempt: 2,
        attempt_from: 3,
        ..run.clone()
    };
    vec![
        Event::RuleSkipped(RuleSkipped {
            rule_id,
            event_id: event(8),
            count: 2,
            code: Code::LimitExceeded,
            reason: "too many runs wait already".to_owned(),
        }),
        Event::SchedulesTaken(SchedulesTaken {
            schedules: BTreeMap::from([(rule_id, schedule)]),
        }),
        Event::SlotsRecorded(SlotsRecorded {
            rule_id,
            to: slot(9),
            spans: spans.collect(),
        }),
        Event::RunQueued(RunQueued { run }),
        Event::RunRetried(RunRetried { run: retried }),
    ]
}

/// A change of a note that waits for a person.
fn proposal() -> Proposal {
    let base = create(note_id(7), "Tea", "green").note().cloned();
    let mut note = base.clone().unwrap();
    "black".clone_into(&mut note.value);
    Proposal {
        number: 3,
        run_id: run().run_id,
        iteration: 2,
        made_at: at(12),
        op: "record_update".to_owned(),
        target: "Tea".to_owned(),
        wanted: ProposedChange::Update,
        note,
        base,
        behind: RunAncestry::default(),
    }
}

fn proposed() -> Event {
    Event::ProposalsChanged(ProposalsChanged::made(proposal()))
}

/// What becomes of proposals beside being made.
#[test]
fn decisions_are_documented_and_read_back() {
    let mut state = State::empty();
    state.proposals.add(proposal());
    let decided = ProposalDecision {
        number: 3,
        verdict: Verdict::Edited,
        reason: Some("too long".to_owned()),
        version: Some(4),
    };
    state.proposals.decide(&decided);
    let carried = state.proposals.without_pending();
    assert_eq!(carried, state.proposals);
    let shape = &shapes::EVENTS["proposals.changed"];
    for change in [
        ProposalsChanged::Decided(decided),
        ProposalsChanged::Carried(carried),
    ] {
        let event = Event::ProposalsChanged(change);
        let mut data = Vec::new();
        event.write_data(&mut data).unwrap();
        let text = String::from_utf8(data).unwrap();
        let value = serde_json::from_str(&text).unwrap();
        assert_eq!(shapes::fits(shape, &value), Ok(()), "{text}");
        let read = Event::from_data(event.type_name(), &text).unwrap().unwrap();
        assert_eq!(read, event);
    }
}

/// What a reply says of keys.
fn noted() -> Vec<Event> {
    let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
    let noted = KeyNoted {
        tags: words(&["pin", "tea"]),
        related: words(&["archived tea"]),
    };
    let keys = BTreeMap::from([("tea".to_owned(), noted)]);
    vec![Event::KeysNoted(KeysNoted { keys })]
}

/// The run of the samples, as it was queued.
fn run() -> Run {
    let Event::RunQueued(opened) = queued("corpus") else {
        unreachable!("a run is queued");
    };
    opened.run
}

fn changes() -> Vec<Event> {
    let created = create(note_id(1), "Tea", "green");
    let updated = full_update(created.note().unwrap());
    vec![
        set("context", json!({"topic": "caf\u{e9}", "n": 1.5})),
        set("mood", "calm\n"),
        ram_delete("mood"),
        created,
        updated,
    ]
}

/// An iteration as it was told before prompts were estimated beside their count.
fn uncounted(event: Event) -> Event {
    let Event::IterationDone(mut done) = event else {
        unreachable!("an iteration was done");
    };
    done.counted = None;
    Event::IterationDone(done)
}

/// What an iteration and the end of its run tell.
fn told(state: &State) -> Vec<Event> {
    let run = state.runs.next().unwrap();
    let speak = |role| PromptMessage {
        role,
        content: "words".to_owned(),
    };
    vec![
        Event::InstructionDecided(InstructionDecided {
            op: "record_update".to_owned(),
            target: "Tea".to_owned(),
            outcome: InstructionOutcome::Rejected,
            repaired: true,
            code: Some(Code::VersionConflict),
            proposed: false,
        }),
        uncounted(iteration(state, run)),
        Event::ConversationKept(ConversationKept {
            run_id: run.run_id,
            iteration: 1,
            attempt: 1,
            messages: [ChatRole::System, ChatRole::User, ChatRole::Assistant]
                .map(speak)
                .to_vec(),
            reply: KeptReply {
                text: "<ram_add>".to_owned(),
                reasoning: Some("hm".to_owned()),
                certainty_percent: None,
                least_percent: None,
                finish: "length".to_owned(),
                usage: Usage::default(),
            },
            constraint_kind: None,
        }),
        ended(run.run_id),
    ]
}

/// What the store tells of itself.
fn recovered() -> Vec<Event> {
    let files = [("data/a.json", Some("0".repeat(64))), ("data/b.json", None)];
    vec![
        Event::ViewsWritten(ViewsWritten {
            files: BTreeMap::from(files.map(|(path, digest)| (path.to_owned(), digest))),
        }),
        Event::TailCut(TailCut {
            segment: "00000001.jsonl".to_owned(),
            bytes: 17,
            kept_as: "data/quarantine/a".to_owned(),
        }),
        Event::ViewRestored(ViewRestored {
            path: "data/c.json".to_owned(),
            reason: "it was damaged".to_owned(),
            kept_as: Some("data/quarantine/b".to_owned()),
        }),
        Event::EditRefused(EditRefused {
            path: "data/d.json".to_owned(),
            kept_as: "data/d.json.broken".to_owned(),
            reason: "it is not a JSON object".to_owned(),
        }),
        Event::RequestRefused(RequestRefused {
            file: "e.txt".to_owned(),
            reason: "it is empty".to_owned(),
        }),
    ]
}

/// What retention journals again.
fn carried(state: &State) -> Vec<Event> {
    let note = state.notes.get(note_id(1)).cloned().unwrap();
    let ram = state.main.ram.entries();
    vec![
        Event::NoteCarried(NoteWritten { note }),
        Event::StateCarried(StateCarried {
            ram: ram
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
            runs: state.runs.newest_first().cloned().collect(),
            cycle: Cycle {
                before_paging: Some(LoopState::RecordOrganizing),
                ..state.main.cycle
            },
            results: state.main.results.clone(),
            result_log: ResultLog::default(),
            log: ActionLog::default(),
            seen: state.main.seen.clone(),
            organizing: OrganizeState::default(),
            calibrations: state.calibrations.clone(),
            spending: Spending::default(),
            schedule_cursor: ScheduleCursor::default(),
            first_segment: 1,
        }),
    ]
}

/// The draft of the corpus' `index`th line: every actor and every form of a cause occurs.
fn line_draft(index: usize, event: Event) -> CommitDraft {
    let run_id = run().run_id;
    let causes = [
        (ActorType::Daemon, Cause::plain("root")),
        (ActorType::Agent, Cause::iteration(run_id, 3)),
        (ActorType::User, Cause::run("trigger", run_id)),
    ];
    let (actor, cause) = causes[index % 3].clone();
    draft(actor, cause, vec![event])
}

#[test]
fn the_journal_is_written_to_the_byte_as_ever() {
    let (mut written, mut prev) = (String::new(), Hash::ZERO);
    for (index, event) in samples().into_iter().enumerate() {
        let seq = index as u64 + 1;
        let (line, hash) = encode(&line_draft(index, event), seq, prev).unwrap();
        written.push_str(std::str::from_utf8(&line).unwrap());
        prev = hash;
    }
    assert_eq!(CORPUS, written);
}

#[test]
fn the_journal_is_read_as_ever() {
    let (mut prev, mut found) = (Hash::ZERO, Vec::new());
    for (index, line) in CORPUS.lines().enumerate() {
        let commit = decode(line.as_bytes(), index as u64 + 1, prev).unwrap();
        prev = commit.hash;
        found.extend(commit.draft.events);
    }
    assert_eq!(found, samples());
}

/// The corpus, the documented shapes and the program know the same types.
#[test]
fn the_corpus_holds_every_type_of_event() {
    let mut prev = "0".repeat(64);
    let mut met = BTreeSet::new();
    for line in CORPUS.lines() {
        let read = read_line(line, &prev).unwrap();
        prev = read.hash;
        met.extend(read.events.into_iter().map(|(name, _)| name));
    }
    let literals = NAMING.iter().flat_map(|source| source.split('"'));
    let is_name = |text: &&str| {
        let parts = text.split_once('.');
        parts.is_some_and(|(one, other)| [one, other].iter().all(|it| is_word(it)))
    };
    let named: BTreeSet<String> = literals.filter(is_name).map(str::to_owned).collect();
    assert_eq!(met, named);
    let documented: BTreeSet<String> = shapes::EVENTS
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(documented, named);
}

fn kept_to_form() -> Event {
    let Some(Event::CallMade(mut made)) = called(run_id("later")).into_iter().next() else {
        unreachable!("a call was made");
    };
    made.answered = true;
    made.circuit = None;
    made.constraint_kind = Some(ConstraintKind::JsonSchema);
    Event::CallMade(made)
}

/// A streamed answer that was ended early, and the iteration that it was for.
fn ended_early(done: &Event) -> [Event; 2] {
    let (Event::CallMade(mut made), Event::IterationDone(mut done)) =
        (kept_to_form(), done.clone())
    else {
        unreachable!("a call was made for an iteration");
    };
    made.first_token_ms = Some(120);
    made.early_stop = Some(EarlyStop::Repetition);
    made.saved_tokens = 900;
    made.finish = Some(FinishReason::Length);
    made.decision = Some(Box::new(chosen()));
    made.request_id = Some(Uuid::from_u128(7));
    made.chosen_at = Some(at(12));
    made.waited.push(CallWait {
        code: Code::RateLimited,
        ms: 30_000,
    });
    done.usage.saved_tokens = 900;
    (done.counted, done.results) = (None, Vec::new());
    [Event::CallMade(made), Event::IterationDone(done)]
}

/// An iteration whose result shows parts of two texts, and a form.
fn paged(done: &Event) -> Event {
    let Event::IterationDone(mut done) = done.clone() else {
        unreachable!("an iteration is done");
    };
    let page = |asked: &str, from| {
        Some(TextPage {
            asked: asked.to_owned(),
            from,
            shown: 500,
            total: 9000,
        })
    };
    done.counted = None;
    done.results = vec![ActionResult {
        items: vec![ResultItem {
            id: note_id(2),
            version: 4,
            title: "Tea".to_owned(),
            text: String::new(),
            links: Vec::new(),
            page: page("Tea", 0),
        }],
        page: page("plan", 2000),
        ..ActionResult::error(
            "reply",
            Code::InstructionInvalid,
            "short",
            Some("form".to_owned()),
        )
    }];
    Event::IterationDone(done)
}

/// A choice between a provider and one that is left alone.
fn chosen() -> RoutingDecision {
    let read = json!({
        "selectedModel": "near",
        "provider": "local",
        "reasoning": "near has 52 points",
        "fallbackModels": [],
        "constraints": {"capabilitiesMet": true, "riskCompliant": true, "latencyCompliant": true},
        "scores": [scored("near", 2), scored("far", 1)],
    });
    serde_json::from_value(read).unwrap()
}

fn scored(model: &str, priority: u32) -> Value {
    let mut scored = json!({
        "modelId": model,
        "score": 50 + priority,
        "breakdown": {"base": 50, "taskType": 0, "capabilities": 0, "preference": 0,
                      "priority": priority, "contextPenalty": 0},
    });
    if model == "far" {
        scored["score"] = json!(0);
        scored["disqualified"] = json!("excluded");
    }
    scored
}

/// What was added to a type of event after its line was put into the corpus.
#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn members_that_came_later_are_written_and_read_as_ever() {
    let mut state = State::empty();
    for event in [queued("later"), started(run_id("later"))] {
        state.apply(&event, CommitContext::without_run(ActorType::Agent, at(12)));
    }
    let Event::RunStarted(mut begun) = started(run_id("later")) else {
        unreachable!("a run began");
    };
    begun.window = Some(Window::of(Some(8192), None));
    begun.server = Some(ConfiguredServer {
        base_url: "http://127.0.0.1:1234/v1".to_owned(),
        model: "none".to_owned(),
    });
    let done = iteration(&state, state.runs.next().unwrap());
    let Event::IterationDone(mut shown) = done.clone() else {
        unreachable!("an iteration is done");
    };
    shown.shown.push(ShownNote {
        id: note_id(2),
        version: 4,
    });
    shown.edited.ram_keys.insert("mine".to_owned());
    shown.is_request_new = true;
    shown.usage.cost_micro_dollars = 35;
    let begun = Event::RunStarted(begun);
    state.spending.reserve(
        20_454,
        Cost {
            calls: 2,
            tokens: 9,
            micro_dollars: 35,
        },
    );
    for event in [&begun, &done] {
        state.apply(event, CommitContext::without_run(ActorType::Agent, at(12)));
    }
    let carried = Event::StateCarried(StateCarried {
        ram: BTreeMap::new(),
        runs: Vec::new(),
        cycle: Cycle::default(),
        results: Vec::new(),
        seen: BTreeMap::new(),
        calibrations: state.calibrations.clone(),
        spending: state.spending,
        schedule_cursor: state.schedule_cursor.clone(),
        log: state.main.log.clone(),
        result_log: state.main.result_log.clone(),
        organizing: OrganizeState::default(),
        first_segment: 2,
    });
    let ([cut, shortened], paged) = (ended_early(&done), paged(&done));
    let wanted = Proposal {
        behind: RunAncestry {
            rule: Some(RuleId(Uuid::from_u128(4))),
            depth: 2,
            root: None,
        },
        ..proposal()
    };
    let told = [
        (
            cut,
            r#","rung":"json_schema","first_token_ms":120,"early_stop":"repetition","saved_tokens":900,"finish":"length","decision":{"selectedModel":"near","provider":"local","reasoning":"near has 52 points","fallbackModels":[],"constraints":{"capabilitiesMet":true,"riskCompliant":true,"latencyCompliant":true},"scores":[{"modelId":"near","score":52,"breakdown":{"base":50,"taskType":0,"capabilities":0,"preference":0,"priority":2,"contextPenalty":0}},{"modelId":"far","score":0,"breakdown":{"base":50,"taskType":0,"capabilities":0,"preference":0,"priority":1,"contextPenalty":0},"disqualified":"excluded"}]},"request_id":"00000000-0000-0000-0000-000000000007","chosen_at":"1970-01-01T00:00:00.012Z","waited":[{"code":"RATE_LIMITED","ms":30000}]}"#,
        ),
        (shortened, r#","results":[]}"#),
        (
            paged,
            r#""page":{"asked":"Tea","from":0,"shown":500,"total":9000}}],"example":"form","page":{"asked":"plan","from":2000,"shown":500,"total":9000}}]}"#,
        ),
        (
            begun,
            r#","parser_version":"1","window":{"tokens":8192,"source":"server"},"server":{"base_url":"http://127.0.0.1:1234/v1","model":"none"}}"#,
        ),
        (
            done,
            r#","counted":{"tokens":100,"bare_tokens":80,"sorts":[0,0,0,0,0,0]}}"#,
        ),
        (
            Event::IterationDone(shown),
            r#","counted":{"tokens":100,"bare_tokens":80,"sorts":[0,0,0,0,0,0]},"shown":[{"id":"01980000-0000-7000-8000-000000000002","version":4}],"edited":{"ram_keys":["mine"]},"is_request_new":true}"#,
        ),
        (
            Event::ProposalsChanged(ProposalsChanged::made(wanted)),
            r#","behind":{"rule":"00000000-0000-0000-0000-000000000004","depth":2}}}"#,
        ),
        (
            Event::InstructionDecided(InstructionDecided {
                op: "record_add".to_owned(),
                target: "Tea".to_owned(),
                outcome: InstructionOutcome::Applied,
                repaired: false,
                code: None,
                proposed: true,
            }),
            r#","repaired":false,"code":null,"proposed":true}"#,
        ),
        (kept_to_form(), r#","answered":true,"rung":"json_schema"}"#),
        (
            carried,
            r#","seen":{},"calibrations":[{"model":"none","ratio_milli":1250,"samples":1,"last":{"tokens":100,"bare_tokens":80,"sorts":[0,0,0,0,0,0]}}],"spending":{"day":20454,"spent":{"calls":2,"tokens":9,"micro_dollars":35}},"first_segment":2}"#,
        ),
    ];
    for (event, end) in told {
        let mut data = Vec::new();
        event.write_data(&mut data).unwrap();
        let text = String::from_utf8(data).unwrap();
        assert!(text.ends_with(end), "{text}");
        let shape = &shapes::EVENTS[event.type_name()];
        assert_eq!(
            shapes::fits(shape, &serde_json::from_str(&text).unwrap()),
            Ok(())
        );
        let read = Event::from_data(event.type_name(), &text).unwrap().unwrap();
        assert_eq!(read, event);
    }
    assert!(state.runs.next().unwrap().window.is_some());
}

fn run_id(event: &str) -> RunId {
    let Event::RunQueued(opened) = queued(event) else {
        unreachable!("a run is queued");
    };
    opened.run.run_id
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|at| at.is_ascii_lowercase() || at == '_')
}

/// The reader that the tests trust is not content with anything.
#[test]
fn the_independent_reader_refuses_what_is_not_documented() {
    let shapes = &shapes::EVENTS;
    let good = json!({"key": "k", "value": 1});
    assert_eq!(shapes::fits(&shapes["ram.set"], &good), Ok(()));
    for bad in [
        json!({"key": "k"}),
        json!({"key": 1, "value": 1}),
        json!({"key": "k", "value": 1, "more": 1}),
        json!([]),
    ] {
        assert!(shapes::fits(&shapes["ram.set"], &bad).is_err(), "{bad}");
    }
    for (shape, value) in [
        ("count", json!(-1)),
        ("uuid", json!("6F0D3C52-8a5e-4d7b-9a41-2c7be1f05d38")),
        ("time", json!("2026-01-01T00:00:00Z")),
        ("hex", json!("00")),
        ("a|b", json!("c")),
        ("text", Value::Null),
    ] {
        assert!(shapes::fits(&json!(shape), &value).is_err(), "{value}");
    }
}

#[test]
fn what_organising_remembers_is_documented_and_read_back() {
    let state = State::empty();
    for event in later_members(&state, run().run_id) {
        let mut data = Vec::new();
        event.write_data(&mut data).unwrap();
        let text = String::from_utf8(data).unwrap();
        for member in ["\"look\":{\"offers\":[", "\"organizing\":{\"changes\":"] {
            let is_about = member.contains("look") == (event.type_name() == "iteration.done");
            assert_eq!(text.contains(member), is_about, "{text}");
        }
        let shape = &shapes::EVENTS[event.type_name()];
        assert_eq!(
            shapes::fits(shape, &serde_json::from_str(&text).unwrap()),
            Ok(())
        );
        let read = Event::from_data(event.type_name(), &text).unwrap().unwrap();
        assert_eq!(read, event);
    }
}
