//! Taking back: a run and its undo leave everything as it was, what was written since is kept or said
//! to stand against it, and what the journal no longer tells is never guessed.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    approve, at, create, delete, draft, ended, note_id, of_notes, options, queued, ram_delete,
    scope, set, started, storage_delete, storage_set, try_open, update,
};
use kjxlkj_agent::core::automation::{Rule, RuleTrigger};
use kjxlkj_agent::core::guard::{EditedItems, Guard, NoteEdit};
use kjxlkj_agent::core::journal::event::{ProposalsChanged, RunQueued};
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, CommitDraft, Event, REVIEW, State};
use kjxlkj_agent::core::memory::{MemoryPolicy, ThinkLogSource};
use kjxlkj_agent::core::merge::is_same_note;
use kjxlkj_agent::core::notes::{Issue, Note};
use kjxlkj_agent::core::review::{
    Edits, Proposal, ProposalDecision, ProposedChange, ReviewDecision, ReviewResult, Verdict,
    review,
};
use kjxlkj_agent::core::run::{Origin, Run, RunAncestry, Trigger};
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::{EventId, NoteId, RuleId, RunId};
use kjxlkj_agent::limits::RUNS_FINISHED_KEPT;
use kjxlkj_agent::service::undo::{UndoReport, undo};
use kjxlkj_agent::store::{Options, Store, UndoScope, audit_entries, past_of};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Map, Value, json};
use uuid::Uuid;

fn memory() -> MemoryPolicy {
    MemoryPolicy {
        retain_full_conversation_logs: false,
        working_memory_character_max: 2048,
        think_log_source: ThinkLogSource::Auto,
        think_log_max_chars: 512,
        key_token_max: 3,
        children_max: 16,
        auto_cleanup: false,
    }
}

/// A root whose clock goes on with every commit.
struct Root {
    disk: SimDisk,
    store: Store,
    now: i64,
    notes: u64,
}

impl Root {
    fn new() -> Self {
        Self::with(&options())
    }

    fn with(options: &Options) -> Self {
        let disk = SimDisk::new(1);
        let (store, _) = try_open(&disk, options, at(1000)).unwrap();
        Self {
            disk,
            store,
            now: 1000,
            notes: 0,
        }
    }

    fn commit(&mut self, actor_type: ActorType, cause: Cause, events: Vec<Event>) {
        self.now += 1000;
        let draft = draft(actor_type, cause, events);
        let ts = at(self.now);
        self.store.commit(CommitDraft { ts, ..draft }).unwrap();
    }

    fn by_person(&mut self, events: Vec<Event>) {
        self.commit(ActorType::User, Cause::plain("verb"), events);
    }

    fn state(&self) -> &State {
        self.store.state()
    }

    /// A run of these iterations, from its queue to its end.
    fn run(&mut self, name: &str, iterations: Vec<Box<Act>>) -> RunId {
        let Event::RunQueued(queued) = queued(name) else {
            unreachable!("a run is queued");
        };
        self.run_of(queued.run, iterations)
    }

    fn run_of(&mut self, run: Run, mut iterations: Vec<Box<Act>>) -> RunId {
        let (name, run_id) = (run.triggering_event_id.clone(), run.run_id);
        let event = Event::RunQueued(RunQueued { run });
        self.commit(
            ActorType::Daemon,
            Cause::run("trigger", run_id),
            vec![event],
        );
        let begun = vec![
            started(run_id),
            set("state", "planning"),
            set("think_log", ""),
        ];
        self.commit(ActorType::Daemon, Cause::run("run", run_id), begun);
        for (number, act) in (1..).zip(&mut iterations) {
            let run = self.state().runs.get(run_id).unwrap().clone();
            let mut events = vec![crate::store_lab::iteration(self.state(), &run)];
            events.push(set("think_log", format!("{name} {number}")));
            events.extend(act(self));
            self.commit(ActorType::Agent, Cause::iteration(run_id, number), events);
        }
        self.end(run_id);
        run_id
    }

    fn end(&mut self, run_id: RunId) {
        let end = vec![set("state", "idle"), ended(run_id)];
        self.commit(ActorType::Daemon, Cause::run("run", run_id), end);
    }

    /// A run proposes a note.
    fn propose(&mut self, number: u64, run_id: RunId) {
        let id = note_id(900 + number);
        let title = format!("Proposed {number}");
        let note = create(id, &title, "text").note().cloned().unwrap();
        let made = ProposalsChanged::made(Proposal {
            number,
            run_id,
            iteration: 1,
            made_at: at(self.now),
            op: "record_add".to_owned(),
            target: title,
            wanted: ProposedChange::Create,
            note,
            base: None,
            behind: RunAncestry::default(),
        });
        let cause = Cause::run("iteration", run_id);
        self.commit(ActorType::Agent, cause, vec![Event::ProposalsChanged(made)]);
    }

    /// A person lets a proposal happen, perhaps with another text.
    fn approve(&mut self, number: u64, text: Option<&str>) {
        let proposal = self.state().proposals.get(number).unwrap().clone();
        let asked = text.map_or(ReviewDecision::Approve, |text| {
            ReviewDecision::Edit(Edits {
                value: Some(text.to_owned()),
                ..Edits::default()
            })
        });
        let (scope, nothing) = (scope(), EditedItems::default());
        let guard = Guard::for_user(&scope, &nothing);
        let reviewed = review(self.state(), &proposal, &asked, &guard, at(self.now));
        let ReviewResult::Done { changes, decided } = reviewed.unwrap() else {
            unreachable!("nothing stands against it");
        };
        let mut events: Vec<Event> = changes.into_iter().map(Event::Change).collect();
        events.push(Event::ProposalsChanged(ProposalsChanged::Decided(decided)));
        let cause = Cause::run(REVIEW, proposal.run_id);
        self.commit(ActorType::User, cause, events);
    }

    /// Takes back, and commits what that comes to.
    fn undo(&mut self, undone: UndoScope) -> Result<UndoReport, Failure> {
        let past = past_of(&mut self.disk.clone(), undone)?;
        let (scope, nothing) = (scope(), EditedItems::default());
        let guard = Guard::for_user(&scope, &nothing);
        let now = at(self.now + 1000);
        let (part, report) = {
            let memory = memory();
            undo(&past, undone, self.state(), &guard, &memory, now)?
        };
        if !part.events.is_empty() {
            self.now += 1000;
            let draft = CommitDraft {
                ts: now,
                actor: Actor {
                    actor_type: ActorType::User,
                },
                cause: part.cause,
                events: part.events,
            };
            self.store.commit(draft).unwrap();
        }
        Ok(report)
    }

    fn note(&self, id: NoteId) -> Option<&Note> {
        self.state().notes.get(id)
    }

    fn some_note(&self, random: &mut Random) -> Option<Note> {
        let notes: Vec<&Note> = self.state().notes.iter().collect();
        (!notes.is_empty()).then(|| notes[random.index(notes.len())].clone())
    }

    fn next_note(&mut self) -> NoteId {
        self.notes += 1;
        note_id(self.notes)
    }

    /// One or two changes, whatever they are, of which none meets another.
    fn something(&mut self, random: &mut Random) -> Vec<Event> {
        let end = ["", "\n"][random.index(2)];
        let value = format!("v{}\nsame\nw{}{end}", random.below(4), random.below(4));
        let key = ["mood", "plan", "steps", "tea", "context"][random.index(5)];
        let place = ["/storage/a", "/storage/a/b", "/storage/c"][random.index(3)];
        match random.below(10) {
            0 => vec![set(key, json!({"one": random.below(3), "two": value}))],
            1 => vec![set(key, value)],
            2 => vec![ram_delete(key)],
            3 | 4 => {
                let id = self.next_note();
                vec![create(id, &format!("note {}", self.notes), &value)]
            }
            5 | 6 => {
                let note = self.some_note(random);
                note.map_or_else(Vec::new, |note| vec![update(&note, &value)])
            }
            7 => {
                let note = self.some_note(random);
                note.map_or_else(Vec::new, |note| vec![flag(&note, &value)])
            }
            8 => {
                let note = self.some_note(random);
                note.map_or_else(Vec::new, |note| vec![delete(&note)])
            }
            _ => {
                let parts: Vec<String> = place.split('/').skip(2).map(str::to_owned).collect();
                let removes = random.below(2) == 0 && self.state().storage.has(&parts);
                if removes {
                    vec![storage_delete(place)]
                } else {
                    vec![storage_set(
                        place,
                        json!({"x": random.below(3), "y": value}),
                    )]
                }
            }
        }
    }
}

type Act = dyn FnMut(&mut Root) -> Vec<Event>;

/// Something that a person does.
type Deed = Box<dyn FnMut(&mut Root)>;

fn act(act: impl FnMut(&mut Root) -> Vec<Event> + 'static) -> Box<Act> {
    Box::new(act)
}

fn flag(note: &Note, text: &str) -> Event {
    let issue = Issue {
        text: text.to_owned(),
        metadata: Map::new(),
        created_at: at(11),
        open: true,
    };
    edit(
        note,
        NoteEdit {
            issue: Some(issue),
            ..NoteEdit::default()
        },
    )
}

fn edit(note: &Note, edit: NoteEdit) -> Event {
    Event::Change(approve(|guard| {
        guard.note_update(note, None, edit, at(9)).unwrap()
    }))
}

fn retitled(note: &Note, title: &str) -> Event {
    edit(
        note,
        NoteEdit {
            title: Some(title.to_owned()),
            ..NoteEdit::default()
        },
    )
}

/// What a person sees of a state, to the byte; of a note all but how often and when it was written, and of RAM
/// all but where the loop is.
fn seen(state: &State) -> (Vec<u8>, Value, Vec<Note>) {
    let mut ram = state.main.ram.clone();
    ram.delete("state");
    let notes = state.notes.iter().map(|note| Note {
        version: 0,
        updated_at: at(0),
        ..note.clone()
    });
    let storage = serde_json::to_value(&state.storage).unwrap();
    (ram.to_file(), storage, notes.collect())
}

/// Takes back since a time after random runs, some of which are cut in two by it: whatever RAM held then, no
/// request and no task stands there again, the loop is where it was, and what was left to do in the middle of a
/// run is not to be done again. A second undo changes nothing of that.
#[test]
fn no_undo_asks_for_what_it_takes_back() {
    for seed in 0..150 {
        let mut random = Random(seed);
        let mut root = Root::new();
        let mut times = Vec::new();
        for name in ["one", "two", "three"] {
            let lived = random.between(1, 4);
            let by_hand = random.below(3) == 0;
            if by_hand {
                let wish = json!({"user_request": name, "task": "record_organizing"});
                root.by_person(vec![set("context", wish)]);
            }
            times.push(root.now);
            let iterations = (1..=lived).map(|number| {
                let mut random = Random(random.next());
                act(move |root| {
                    let mut events = match number {
                        1 => vec![
                            set("context", json!({"user_request": name, "kept": 1})),
                            set("steps", json!([name])),
                            set("plan", name),
                        ],
                        _ => root.something(&mut random),
                    };
                    let state = ["planning", "executing", "evaluating"][random.index(3)];
                    events.push(set("state", state));
                    if number == lived {
                        events.push(set("context", json!({"kept": 1})));
                        events.push(set("steps", json!([])));
                    }
                    events
                })
            });
            let iterations = iterations.collect();
            root.run(name, iterations);
            times.push(root.now);
        }
        let (first, last) = (times[0], root.now);
        let commits = usize::try_from((last - first) / 1000).unwrap();
        let since = first + 1000 * i64::try_from(random.between(0, commits)).unwrap();
        let held = root.state().main.ram.clone();
        for time in 0..2 {
            let report = root.undo(UndoScope::Since(at(since))).unwrap();
            let told = format!("seed {seed}, since {since}, time {time}: {report:?}");
            if !report.conflicts.is_empty() {
                break;
            }
            let ram = &root.state().main.ram;
            assert_eq!(ram.get("state"), held.get("state"), "{told}");
            assert_eq!((ram.request(), ram.task()), (None, None), "{told}");
            assert_eq!(ram.steps(), held.steps(), "{told}");
        }
    }
}

/// A run, then its undo: everything is as it was. A second undo finds nothing to do. Undoing the undo
/// brings everything back.
#[test]
fn a_run_and_its_undo_leave_everything_as_it_was() {
    for seed in 0..150 {
        let mut random = Random(seed);
        let mut root = Root::new();
        for _ in 0..random.between(0, 12) {
            let events = root.something(&mut random);
            root.by_person(events);
        }
        let before = seen(root.state());
        let lived = random.between(1, 5);
        let iterations = (0..lived).map(|_| {
            let mut random = Random(random.next());
            act(move |root| root.something(&mut random))
        });
        let iterations = iterations.collect();
        let run_id = root.run("one", iterations);
        let after = seen(root.state());
        let report = root.undo(UndoScope::Run(run_id)).unwrap();
        assert_eq!(report.conflicts, [], "seed {seed}");
        assert_eq!(seen(root.state()), before, "seed {seed}");
        let undone_at = at(root.now);
        let again = root.undo(UndoScope::Run(run_id)).unwrap();
        assert_eq!(
            (again.changes.len(), again.conflicts.len()),
            (0, 0),
            "seed {seed}"
        );
        root.undo(UndoScope::Since(undone_at)).unwrap();
        if before != after {
            assert_eq!(seen(root.state()), after, "seed {seed}");
        }
        // What stands in the files is what stands in the state.
        let root_state = root.state().clone();
        crate::store_lab::check_views(&root.disk, &root_state).unwrap();
    }
}

/// What a run proposed goes with it, in the same commit; what another one proposed, and what a person has
/// decided, stands.
#[test]
fn a_run_that_is_taken_back_withdraws_what_it_proposed() {
    let mut root = Root::new();
    let write = |key: &'static str| -> Box<Act> { Box::new(move |_| vec![set(key, "x")]) };
    let one = root.run("one", vec![write("tea")]);
    let other = root.run("other", vec![write("milk")]);
    for (number, run_id) in [(1, one), (2, other), (3, one), (4, one)] {
        root.propose(number, run_id);
    }
    let approved = ProposalDecision {
        number: 3,
        verdict: Verdict::Approved,
        reason: None,
        version: Some(1),
    };
    let approved = ProposalsChanged::Decided(approved);
    root.by_person(vec![Event::ProposalsChanged(approved)]);
    let waiting = |root: &Root| -> Vec<u64> {
        let pending = root.state().proposals.pending();
        pending.map(|proposal| proposal.number).collect()
    };
    // Nothing is withdrawn where something stands against the undo.
    root.by_person(vec![set("tea", "green")]);
    let report = root.undo(UndoScope::Run(one)).unwrap();
    assert_eq!(
        (report.code, report.withdrawn),
        (Some(Code::VersionConflict), vec![])
    );
    assert_eq!(waiting(&root), [1, 2, 4]);
    root.by_person(vec![set("tea", "x")]);
    let before = root.store.head().seq;
    let report = root.undo(UndoScope::Run(one)).unwrap();
    assert_eq!((report.code, report.withdrawn), (None, vec![1, 4]));
    assert_eq!(root.store.head().seq, before + 1, "one commit");
    assert_eq!(waiting(&root), [2]);
    assert_eq!(root.state().main.ram.get("tea"), None);
    let told = root.state().proposals.outcomes();
    assert!(
        told[2].message.contains("proposal 4: withdrawn"),
        "{told:?}"
    );
    // A start knows it too, and a second undo finds nothing to do.
    let (store, _) = try_open(&root.disk.process_crash(), &options(), at(root.now)).unwrap();
    assert_eq!(store.state().proposals, root.state().proposals);
    assert_eq!(
        root.undo(UndoScope::Run(one)).unwrap().withdrawn,
        Vec::<u64>::new()
    );
    assert_eq!(root.store.head().seq, before + 1);
    // By time, whatever was proposed since.
    let report = root.undo(UndoScope::Since(at(1000))).unwrap();
    assert_eq!((report.withdrawn, waiting(&root)), (vec![2], vec![]));
}

/// Edits of other things, and of other parts of the same things, outlive the undo.
#[test]
fn undo_after_unrelated_edits_keeps_those_edits() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let mut root = Root::new();
        let (shared, theirs) = (root.next_note(), root.next_note());
        // As an editor leaves it; what the run writes has no break at its end.
        let text = "first\nmiddle\nlast\n";
        root.by_person(vec![
            create(shared, "Shared", text),
            create(theirs, "Theirs", text),
            set("mood", json!({"one": 1, "two": 2})),
        ]);
        let before = seen(root.state());
        let made = root.next_note();
        let run_id = root.run(
            "one",
            vec![
                act(move |root| {
                    let note = root.note(shared).unwrap().clone();
                    vec![
                        update(&note, "FIRST\nmiddle\nlast"),
                        set("mood", json!({"one": 9, "two": 2})),
                        create(made, "Made", "x"),
                    ]
                }),
                act(move |root| vec![flag(&root.note(shared).unwrap().clone(), "short")]),
            ],
        );
        let mut expected = before;
        let mut later: Vec<Deed> = vec![
            Box::new(move |root| {
                let note = root.note(shared).unwrap().clone();
                let value = note.value.replace("last", "LAST").trim_end().to_owned() + "\n";
                root.by_person(vec![update(&note, &value)]);
            }),
            Box::new(move |root| {
                let note = root.note(shared).unwrap().clone();
                root.by_person(vec![retitled(&note, "Renamed")]);
            }),
            Box::new(move |root| {
                let note = root.note(theirs).unwrap().clone();
                root.by_person(vec![update(&note, "theirs alone")]);
            }),
            Box::new(|root| {
                let mut mood = root.state().main.ram.get("mood").unwrap().clone();
                mood["two"] = json!("edited");
                root.by_person(vec![set("mood", mood), set("new", 1)]);
            }),
        ];
        while !later.is_empty() {
            let mut one = later.swap_remove(random.index(later.len()));
            one(&mut root);
        }
        root.undo(UndoScope::Run(run_id)).unwrap();
        for note in &mut expected.2 {
            if note.id == shared {
                "Renamed".clone_into(&mut note.title);
                "first\nmiddle\nLAST\n".clone_into(&mut note.value);
            } else {
                "theirs alone".clone_into(&mut note.value);
            }
        }
        let present = seen(root.state());
        assert_eq!(present.2, expected.2, "seed {seed}");
        let ram = &root.state().main.ram;
        assert_eq!(ram.get("mood"), Some(&json!({"one": 1, "two": "edited"})));
        assert_eq!(ram.get("new"), Some(&json!(1)));
        assert!(root.note(made).is_none());
    }
}

#[test]
fn where_the_same_was_written_since_both_texts_are_told_and_nothing_changes() {
    let mut root = Root::new();
    let id = root.next_note();
    root.by_person(vec![create(id, "Tea", "green"), set("mood", "calm")]);
    let run_id = root.run(
        "one",
        vec![act(move |root| {
            let note = root.note(id).unwrap().clone();
            vec![update(&note, "black"), set("mood", "wild")]
        })],
    );
    let note = root.note(id).unwrap().clone();
    root.by_person(vec![update(&note, "white")]);
    let (before, head) = (seen(root.state()), root.store.head());
    let report = root.undo(UndoScope::Run(run_id)).unwrap();
    assert_eq!(report.code, Some(Code::VersionConflict));
    assert_eq!(report.changes, []);
    let conflict = report.conflicts.first().unwrap();
    assert_eq!(conflict.place.to_string(), id.to_string());
    assert!(conflict.wanted.as_deref().unwrap().contains("green"));
    assert!(conflict.present.as_deref().unwrap().contains("white"));
    assert_eq!(seen(root.state()), before);
    assert_eq!(root.store.head(), head);
}

/// What every run writes is no reason to refuse: the later value stands.
#[test]
fn an_earlier_run_can_be_undone_beneath_a_later_one() {
    let mut root = Root::new();
    let first = root.next_note();
    let one = root.run(
        "one",
        vec![act(move |_| {
            vec![create(first, "One", "x"), set("plan", "of one")]
        })],
    );
    let second = root.next_note();
    root.run(
        "two",
        vec![act(move |_| {
            vec![create(second, "Two", "y"), set("plan", "of two")]
        })],
    );
    let report = root.undo(UndoScope::Run(one)).unwrap();
    assert_eq!(report.conflicts, []);
    assert!(report.kept.contains("plan") && report.kept.contains("think_log"));
    assert!(root.note(first).is_none() && root.note(second).is_some());
    assert_eq!(root.state().main.ram.get("plan"), Some(&json!("of two")));
}

#[test]
fn undo_since_a_time_takes_back_runs_and_leaves_people_alone() {
    let mut root = Root::new();
    let [before, theirs, made] = [(); 3].map(|()| root.next_note());
    root.run(
        "early",
        vec![act(move |_| vec![create(before, "Early", "x")])],
    );
    let since = at(root.now + 1);
    let expected = root.note(before).unwrap().clone();
    root.run(
        "late",
        vec![act(move |root| {
            let note = root.note(before).unwrap().clone();
            vec![create(made, "Late", "y"), delete(&note)]
        })],
    );
    root.by_person(vec![create(theirs, "Theirs", "z")]);
    root.run("later", vec![act(|_| vec![set("mood", "wild")])]);
    root.undo(UndoScope::Since(since)).unwrap();
    assert!(is_same_note(root.note(before).unwrap(), &expected));
    assert!(root.note(before).unwrap().version > expected.version);
    assert!(root.note(made).is_none() && root.note(theirs).is_some());
    assert_eq!(root.state().main.ram.get("mood"), None);
    let again = root.undo(UndoScope::Since(since)).unwrap();
    // The undo itself was since then, too: what it took back comes and goes again.
    assert_eq!(again.changes, []);
}

#[test]
fn what_is_open_unknown_or_retired_is_refused_with_its_code() {
    let mut root = Root::new();
    let code = |outcome: Result<UndoReport, Failure>| outcome.unwrap_err().code;
    let Event::RunQueued(open) = queued("open") else {
        unreachable!("a run is queued");
    };
    let run_id = open.run.run_id;
    assert_eq!(code(root.undo(UndoScope::Run(run_id))), Code::RunNotFound);
    let event = Event::RunQueued(open);
    root.commit(
        ActorType::Daemon,
        Cause::run("trigger", run_id),
        vec![event],
    );
    assert_eq!(
        code(root.undo(UndoScope::Run(run_id))),
        Code::RunNotFinished
    );
    let begun = vec![started(run_id), set("mood", "wild")];
    root.commit(ActorType::Daemon, Cause::run("run", run_id), begun);
    assert_eq!(
        code(root.undo(UndoScope::Run(run_id))),
        Code::RunNotFinished
    );
    assert_eq!(
        code(root.undo(UndoScope::Since(at(0)))),
        Code::RunNotFinished
    );
}

/// A run whose journal is retired, in whole or in part.
#[test]
fn what_is_retired_is_neither_told_nor_undone_by_halves() {
    let mut root = Root::new();
    let (id, run_id) = {
        let id = root.next_note();
        root.by_person(vec![create(id, "Tea", "green")]);
        let run_id = root.run(
            "one",
            vec![act(move |root| {
                let note = root.note(id).unwrap().clone();
                vec![update(&note, "black")]
            })],
        );
        (id, run_id)
    };
    root.now += 60 * DAY_MS;
    let late = at(root.now);
    let short = Options {
        segment_bytes: 1,
        retention_days: 30,
        ..options()
    };
    root.store.set_options(short);
    root.by_person(vec![set("new", "segment")]);
    root.by_person(vec![set("new", "again")]);
    retire(&mut root, late);
    let told = kjxlkj_agent::store::why_of(&mut root.disk.clone(), id).unwrap();
    assert_eq!(told.code, Some(Code::HistoryRetired));
    assert_eq!(told.versions.len(), 1, "{told:?}");
    let traced = kjxlkj_agent::store::trace_of(&mut root.disk.clone(), run_id).unwrap();
    assert!(traced.unwrap().is_retired);
    for undone in [UndoScope::Run(run_id), UndoScope::Since(at(0))] {
        let failure = root.undo(undone).unwrap_err();
        assert_eq!(failure.code, Code::HistoryRetired, "{undone:?}");
    }
    // What came after it can still be taken back.
    let later = root.run(
        "two",
        vec![act(move |root| {
            let note = root.note(id).unwrap().clone();
            vec![update(&note, "white"), set("new", "run")]
        })],
    );
    root.undo(UndoScope::Run(later)).unwrap();
    assert_eq!(root.note(id).unwrap().value, "black");
    assert_eq!(root.state().main.ram.get("new"), Some(&json!("again")));
}

fn retire(root: &mut Root, now: Timestamp) {
    root.store.read_notes(now).unwrap();
    root.store.take_edits(now).unwrap();
    assert!(root.store.retire(now).unwrap() > Some(0));
}

/// RAM is carried over whole when segments go, `/storage` only as far as what stays does not tell of it.
#[test]
fn what_stood_in_storage_before_the_kept_journal_is_never_guessed() {
    let mut root = Root::new();
    let short = Options {
        segment_bytes: 1,
        retention_days: 30,
        ..options()
    };
    root.store.set_options(short);
    root.by_person(vec![set("old", "news")]);
    root.now += 60 * DAY_MS;
    let whole = json!({"q": "old", "other": "old"});
    root.by_person(vec![
        storage_set("/storage/p", "old"),
        storage_set("/storage/w", whole),
    ]);
    let late = at(root.now);
    retire(&mut root, late);
    root.now += 60 * DAY_MS;
    // One of them a person wrote into since; what else stands beside that is not known by it.
    root.by_person(vec![storage_set("/storage/w/q", "newer")]);
    let new = |place: &'static str| vec![act(move |_| vec![storage_set(place, "new")])];
    let runs = ["/storage/p", "/storage/w"].map(|place| root.run(place, new(place)));
    let late = at(root.now);
    retire(&mut root, late);
    for run_id in runs {
        let failure = root.undo(UndoScope::Run(run_id)).unwrap_err();
        assert_eq!(failure.code, Code::HistoryRetired);
    }
    let held = |root: &Root, name: &str| root.state().storage.value(&[name.to_owned()]);
    assert_eq!(held(&root, "p"), Some(json!("new")));
    // What is written from now on is known.
    let later = root.run(
        "later",
        vec![act(|_| vec![storage_set("/storage/p", "newest")])],
    );
    root.undo(UndoScope::Run(later)).unwrap();
    assert_eq!(held(&root, "p"), Some(json!("new")));
}

/// What a run did and what a person takes back of it are one thing: the rule does not do it again.
#[test]
fn an_undo_does_not_wake_the_rule_whose_run_it_takes_back() {
    let rules: Vec<Rule> = [1, 2].map(|n| of_notes(n, RuleTrigger::NoteDeleted)).into();
    let mut root = Root::with(&Options {
        rules: rules.into(),
        ..options()
    });
    let opened = |root: &Root| -> Vec<(Option<RuleId>, u32)> {
        let open = root.state().runs.open();
        let told = open.map(|run| (run.rule_id, run.origin.as_ref().unwrap().depth));
        told.collect()
    };
    for is_known in [true, false] {
        let id = root.next_note();
        let run = Run::of_rule(
            RuleId(Uuid::from_u128(1)),
            EventId(format!("made {is_known}")),
            Trigger::Manual,
            Origin::first(json!({"kind": "manual"})),
            at(root.now),
        );
        let wrote = act(move |_| vec![create(id, "Tea", "green")]);
        let run_id = root.run_of(run, vec![wrote]);
        if !is_known {
            for number in 0..=RUNS_FINISHED_KEPT {
                root.run(&number.to_string(), Vec::new());
            }
        }
        assert_eq!(root.state().runs.get(run_id).is_some(), is_known);
        root.undo(UndoScope::Run(run_id)).unwrap();
        assert_eq!(root.note(id), None);
        // The other one is woken, and not as if a person had done it out of the blue.
        let other = (Some(RuleId(Uuid::from_u128(2))), 1);
        let expected = if is_known { vec![other] } else { Vec::new() };
        assert_eq!(opened(&root), expected);
        for run in root.state().runs.open().cloned().collect::<Vec<_>>() {
            root.end(run.run_id);
        }
    }
    // That none was woken where it is not known whose run it was is told.
    let entries = audit_entries(&mut root.disk.clone()).unwrap();
    let skipped = entries.iter().filter(|it| it.op == "rule.skipped");
    let codes: Vec<_> = skipped.map(|it| it.code).collect();
    assert_eq!(codes, [Some(Code::RuleNotFired); 2]);
}

/// A run that is in no segment any more is not one that did nothing.
#[test]
fn a_run_whose_journal_is_wholly_retired_cannot_be_taken_back() {
    let mut root = Root::with(&Options {
        segment_bytes: 1,
        retention_days: 30,
        ..options()
    });
    let id = root.next_note();
    let wrote = act(move |_| vec![create(id, "Tea", "green")]);
    let run_id = root.run("long ago", vec![wrote]);
    root.now += 60 * DAY_MS;
    for number in 0..=RUNS_FINISHED_KEPT {
        root.run(&number.to_string(), Vec::new());
    }
    let late = at(root.now);
    retire(&mut root, late);
    assert_eq!(root.state().runs.get(run_id), None);
    let failure = root.undo(UndoScope::Run(run_id)).unwrap_err();
    assert_eq!(failure.code, Code::HistoryRetired);
    assert!(root.note(id).is_some());
}

/// What a person decides stands as what a person writes does: since a time, unless the run is from then
/// too; and the person's own words in what a run proposed are never taken back with the run.
#[test]
fn what_a_person_made_of_a_proposal_stands_against_an_undo() {
    let mut root = Root::new();
    let run_id = root.run("proposes", Vec::new());
    root.propose(1, run_id);
    root.propose(2, run_id);
    let since = at(root.now + 1);
    root.approve(1, None);
    root.approve(2, Some("in my own words"));
    let [one, two] = [901, 902].map(note_id);
    let report = root.undo(UndoScope::Since(since)).unwrap();
    assert_eq!(report.changes, []);
    assert!(root.note(one).is_some() && root.note(two).is_some());

    let report = root.undo(UndoScope::Run(run_id)).unwrap();
    assert_eq!(report.code, Some(Code::VersionConflict));
    let conflict = report.conflicts.first().unwrap();
    assert_eq!(conflict.place.to_string(), two.to_string());
    assert!(root.note(one).is_some());

    let all = root.undo(UndoScope::Since(at(1000))).unwrap();
    assert_eq!(all.code, Some(Code::VersionConflict));
    root.by_person(vec![delete(&root.note(two).unwrap().clone())]);
    root.undo(UndoScope::Since(at(1000))).unwrap();
    assert_eq!(root.note(one), None, "the run is from then, too");
}

/// After an undo it is told how it is undone itself, and that works.
#[test]
fn an_undo_is_undone_by_the_time_that_it_tells() {
    let mut root = Root::new();
    let id = root.next_note();
    let wrote = act(move |_| vec![create(id, "Tea", "green"), set("mood", "calm")]);
    let run_id = root.run("one", vec![wrote]);
    let expected = seen(root.state());
    let report = root.undo(UndoScope::Run(run_id)).unwrap();
    assert_eq!(root.note(id), None);
    root.by_person(vec![create(note_id(77), "Mine", "x")]);
    let again = root
        .undo(UndoScope::Since(report.undone_at.unwrap()))
        .unwrap();
    assert_eq!(root.note(id).unwrap().value, "green");
    assert!(root.note(note_id(77)).is_some());
    let back = root
        .undo(UndoScope::Since(again.undone_at.unwrap()))
        .unwrap();
    assert_eq!(root.note(id), None);
    root.undo(UndoScope::Since(back.undone_at.unwrap()))
        .unwrap();
    root.by_person(vec![delete(&root.note(note_id(77)).unwrap().clone())]);
    assert_eq!(seen(root.state()).0, expected.0);
    let nothing = root.undo(UndoScope::Since(at(root.now + 1))).unwrap();
    assert_eq!(nothing.undone_at, None);
}

/// What the program tells of the archive is no reason to refuse, and tells the truth afterwards.
#[test]
fn an_earlier_archiving_is_undone_beneath_a_later_one_and_the_list_says_so() {
    let mut root = Root::new();
    root.by_person(vec![set("one", "first"), set("two", "second")]);
    let archive = |key: &'static str, text: &'static str, list: &'static str| {
        act(move |_| {
            vec![
                storage_set(&format!("/storage/archive/{key}"), text),
                ram_delete(key),
                set("archived", list),
                set("metrics", json!({"of": key})),
            ]
        })
    };
    let line = "one (5 characters): first";
    let one = root.run("one", vec![archive("one", "first", line)]);
    let both = "two (6 characters): second\none (5 characters): first";
    let two = root.run("two", vec![archive("two", "second", both)]);
    let report = root.undo(UndoScope::Run(one)).unwrap();
    assert_eq!(report.conflicts, []);
    let ram = |root: &Root, key: &str| root.state().main.ram.get(key).cloned();
    assert_eq!(ram(&root, "one"), Some(json!("first")));
    assert_eq!(
        ram(&root, "archived"),
        Some(json!("two (6 characters): second"))
    );
    assert_eq!(ram(&root, "metrics"), Some(json!({"of": "two"})));
    root.undo(UndoScope::Run(two)).unwrap();
    assert_eq!(ram(&root, "archived"), None);
    assert_eq!(ram(&root, "two"), Some(json!("second")));
}
