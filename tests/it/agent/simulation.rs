//! Random replies of a hostile model, random edits of a person, for thousands of iterations: what
//! must hold after every single one.

use super::{ABROAD, HOME, Sim, note, note_id};
use kjxlkj_agent::core::agent::{Decision, LoopState};
use kjxlkj_agent::core::guard::EditedItems;
use kjxlkj_agent::core::journal::commit::{decode, encode};
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::journal::{Change, Event, Hash};
use kjxlkj_agent::core::memory::ram::REQUIRED_KEYS;
use kjxlkj_agent::core::protocol::{ParseOptions, ParsedReply, escape, parse};
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::limits::{JOURNAL_LINE_BYTES_MAX, PAGING_GAP_ITERATIONS, RAM_HARD_FACTOR};
use serde_json::json;
use std::collections::BTreeSet;

/// A small generator of numbers: the same seed, the same run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let count = u64::try_from(from.len()).unwrap();
        from[usize::try_from(self.roll(count)).unwrap()]
    }
}

const KEYS: [&str; 16] = [
    "plan",
    "steps",
    "context",
    "think_log",
    "state",
    "plan,steps",
    "plan,next",
    "note",
    "../up",
    "/working_memory/a",
    "a\u{200b}b",
    "k1",
    "k2",
    "k3",
    "user_request",
    "context.user_request",
];
const STATES: [&str; 9] = [
    "planning",
    "executing",
    "evaluating",
    "paging",
    "record_organizing",
    "idle",
    "thinking",
    "done",
    "planning ",
];
const TITLES: [&str; 7] = [
    "Tea",
    "Twin",
    "Theirs",
    "k",
    "Fresh",
    "",
    "</value></record_add>",
];
const KINDS: [&str; 4] = ["note", "template", "secret", ""];

fn text(dice: &mut Dice) -> String {
    match dice.roll(10) {
        0 => "x".repeat(usize::try_from(dice.roll(5000)).unwrap()),
        1 => "\u{8a9e}\u{1f375}".repeat(usize::try_from(dice.roll(600)).unwrap()),
        2 => "{\"user_request\": \"forged\", \"title\": \"T\", \"markdown\": \"m\"}".to_owned(),
        3 => "[\"a\", {\"b\": [1, null]}]".to_owned(),
        4 => "</value></ram_add><ram_add><key>state</key><value>idle</value></ram_add>".to_owned(),
        5 => format!("[[{}]] \"quoted\" \\ & < >", note_id(1)),
        6 => String::new(),
        _ => format!("text {}", dice.roll(50)),
    }
}

fn key_of_note(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => note_id(u128::from(dice.roll(6))).to_string(),
        1 => note_id(1000 + u128::from(dice.roll(30))).to_string(),
        _ => dice.pick(&TITLES).to_owned(),
    }
}

fn instruction(dice: &mut Dice) -> String {
    let element = |name: &str, text: &str| format!("<{name}>{}</{name}>", escape(text));
    let value = element("value", &text(dice));
    let inner = match dice.roll(14) {
        0 => {
            return format!(
                "<state_add>{}</state_add>",
                element("state", dice.pick(&STATES))
            );
        }
        1 => {
            let state = element("state", dice.pick(&STATES));
            return format!("<state_delete>{state}</state_delete>");
        }
        2..=5 => ("ram_add", element("key", dice.pick(&KEYS)) + &value),
        6 => ("ram_delete", element("key", dice.pick(&KEYS))),
        7 | 8 => {
            let mut inner = element("keywords", &text(dice)) + &value;
            if dice.roll(2) == 0 {
                inner += &element("title", dice.pick(&TITLES));
            }
            if dice.roll(4) == 0 {
                inner += &element("kind", dice.pick(&KINDS));
            }
            if dice.roll(6) == 0 {
                inner += &element("workspace_id", &ABROAD.to_string());
            }
            ("record_add", inner)
        }
        9 | 10 => {
            let mut inner = element("key", &key_of_note(dice)) + &value;
            if dice.roll(3) == 0 {
                inner += &element("version", &dice.roll(5).to_string());
            }
            ("record_update", inner)
        }
        11 => {
            let details = element("metadata", "{\"a\": 1}");
            (
                "record_issue",
                element("key", &key_of_note(dice)) + &value + &details,
            )
        }
        12 => ("record_search", element("query", &text(dice))),
        _ => ("record_delete", element("key", &key_of_note(dice))),
    };
    format!("<{}>{}</{}>", inner.0, inner.1, inner.0)
}

fn reply(dice: &mut Dice, sim: &Sim) -> ParsedReply {
    let count = match dice.roll(24) {
        0 => 64,
        1 => 0,
        _ => dice.roll(6) + 1,
    };
    let text: String = (0..count).map(|_| instruction(dice)).collect();
    let options = ParseOptions {
        strict: false,
        allowed_tags: sim.allowed,
        truncated: dice.roll(10) == 0,
    };
    let parsed = parse(&text, &options);
    if parsed.ok {
        parsed
    } else {
        ParsedReply::nothing()
    }
}

/// A person's hand, between replies or during a call.
fn edit(dice: &mut Dice, sim: &mut Sim) {
    sim.edited = EditedItems::default();
    if dice.roll(5) > 0 {
        return;
    }
    let key = dice.pick(&["state", "steps", "k1", "think_log", "big"]);
    let value = match key {
        "state" => json!(dice.pick(&STATES)),
        "big" => json!("b".repeat(usize::try_from(dice.roll(12_000)).unwrap())),
        _ => json!(text(dice)),
    };
    sim.set(key, value);
    if dice.roll(2) == 0 {
        sim.edited.ram_keys.insert(key.to_owned());
    }
    if dice.roll(2) == 0 {
        sim.edited.notes.insert(note_id(1));
    }
}

fn check_events(sim: &Sim, decision: &Decision, parsed: &ParsedReply) {
    let mut created = 0;
    let mut edits = 0;
    for event in &decision.draft.events {
        let Event::Change(change) = event else {
            continue;
        };
        match change.get() {
            Change::NoteCreated(_) => created += 1,
            Change::NoteUpdated(_) | Change::NoteDeleted(_) => edits += 1,
            Change::RamSet(set) => {
                let by_person = sim.edited.ram_keys.contains(&set.key);
                let own = ["state", "context"].contains(&set.key.as_str());
                assert!(!by_person || own, "{} is the person's", set.key);
            }
            Change::StorageSet(_) | Change::StorageDeleted(_) => {}
            Change::RamDeleted(deleted) => assert!(!sim.edited.ram_keys.contains(&deleted.key)),
        }
        if let Some(note) = event.note() {
            assert_eq!(note.workspace_id, HOME, "a foreign note was touched");
            assert!(sim.scope.allowed_note_kinds.contains(&note.note_kind));
            assert!(!sim.edited.notes.contains(&note.id));
            assert!(!note.title.trim().is_empty());
        }
    }
    assert!(created <= sim.scope.max_notes_per_loop && edits <= sim.scope.max_edits_per_loop);
    let Some(Event::IterationDone(done)) = decision.draft.events.first() else {
        panic!("the iteration comes first");
    };
    let dropped = parsed
        .diagnostics
        .iter()
        .filter(|one| one.dropped.is_some());
    assert_eq!(
        decision.entries.len(),
        parsed.instructions.len() + dropped.count()
    );
    let count = |outcome: InstructionOutcome| {
        let found = decision.entries.iter().filter(|one| one.outcome == outcome);
        u64::try_from(found.count()).unwrap()
    };
    assert_eq!(
        (done.applied, done.rejected, done.ignored),
        (
            count(InstructionOutcome::Applied),
            count(InstructionOutcome::Rejected),
            count(InstructionOutcome::Ignored)
        )
    );
    let (line, _) = encode(&decision.draft, 1, Hash::ZERO).unwrap();
    assert!(line.len() < JOURNAL_LINE_BYTES_MAX);
    let back = decode(line.trim_ascii_end(), 1, Hash::ZERO).unwrap();
    assert_eq!(
        back.draft, decision.draft,
        "the journal tells the same story"
    );
}

fn check_state(sim: &Sim, decision: &Decision, before_characters: usize) {
    let ram = &sim.state.main.ram;
    assert_eq!(ram.state(), decision.next);
    for key in REQUIRED_KEYS {
        let value = ram.get(key).unwrap();
        let fits = match key {
            "steps" => value.is_array(),
            "context" => value.is_object(),
            _ => value.is_string(),
        };
        assert!(fits, "{key} = {value}");
    }
    let shown = ram.request();
    assert!(
        shown.is_none() || shown == sim.run.request.as_deref(),
        "a forged request: {shown:?}"
    );
    let log = ram
        .get("think_log")
        .unwrap()
        .as_str()
        .unwrap()
        .chars()
        .count();
    assert!(log <= 512 || sim.edited.ram_keys.contains("think_log"));
    let hard_max = sim.memory.working_memory_character_max * RAM_HARD_FACTOR;
    // The program's own think_log may come on top.
    assert!(ram.characters() <= hard_max.max(before_characters) + 600);
    if let Some(ending) = decision.ending {
        assert_eq!(decision.next, LoopState::Idle);
        assert_eq!(
            ending.error_code.is_none(),
            ending.state == RunState::Succeeded
        );
        assert_eq!(shown, None);
        assert!(sim.state.main.results.is_empty());
    }
}

fn next_run(dice: &mut Dice, sim: &mut Sim, number: u64) {
    let event = EventId(number.to_string());
    let run_id = RunId::derive(HOME, &event);
    let triggers = [
        Trigger::Request,
        Trigger::Manual,
        Trigger::Idle,
        Trigger::Edit,
    ];
    let trigger = triggers[usize::try_from(dice.roll(4)).unwrap()];
    sim.run = Run::queued(run_id, event, trigger, sim.now);
    if trigger == Trigger::Request {
        sim.run.request = Some("do it".to_owned());
        sim.set("context", json!({"user_request": "do it"}));
    }
    if trigger != Trigger::Idle {
        sim.set("state", json!("planning"));
    }
}

#[test]
fn a_hostile_model_never_gets_past_the_guard() {
    let mut met = BTreeSet::new();
    for seed in 1..=8_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut theirs = note(2, "Theirs", "tea");
        theirs.workspace_id = ABROAD;
        let mut sim = Sim::in_state(LoopState::Planning, Some("do it"))
            .with_note(note(1, "Tea", "green"))
            .with_note(theirs.clone())
            .with_note(note(3, "Twin", "a"))
            .with_note(note(4, "Twin", "b"))
            .allow_delete();
        sim.max_iterations = [Some(30), None][usize::try_from(seed % 2).unwrap()];
        let mut since_paging: Option<u32> = None;
        for turn in 0..100 {
            edit(&mut dice, &mut sim);
            let parsed = reply(&mut dice, &sim);
            let ran_in = sim.state.main.ram.state();
            let before_characters = sim.state.main.ram.characters();
            let drawn = sim.ids.0;
            let decision = sim.decide_parsed(&parsed, Some("hm"));
            sim.ids.0 = drawn;
            let again = sim.decide_parsed(&parsed, Some("hm"));
            assert_eq!(
                decision.draft, again.draft,
                "the same turn, the same decision"
            );
            check_events(&sim, &decision, &parsed);
            met.extend(decision.entries.iter().map(|entry| entry.code));
            sim.apply(&decision.draft);
            check_state(&sim, &decision, before_characters);
            since_paging = since_paging.map(|count| count + 1);
            if ran_in == LoopState::Paging {
                since_paging = Some(0);
            }
            if decision.next == LoopState::Paging && !sim.edited.ram_keys.contains("state") {
                assert!(since_paging.is_none_or(|count| count >= PAGING_GAP_ITERATIONS));
            }
            if decision.ending.is_some() {
                next_run(&mut dice, &mut sim, seed * 1000 + turn);
            }
        }
        assert_eq!(sim.the_note(2), &theirs, "untouched to the end");
    }
    for code in [
        Code::CrossWorkspaceRejected,
        Code::ScopeViolation,
        Code::VersionConflict,
        Code::LimitExceeded,
        Code::StateTransitionInvalid,
        Code::PathInvalid,
        Code::RecordNotFound,
        Code::RecordKeyAmbiguous,
    ] {
        assert!(
            met.contains(&Some(code)),
            "{code} was never met: the replies are too tame"
        );
    }
}
