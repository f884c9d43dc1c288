//! Rules in time: every slot of a schedule ends in exactly one record, through stops, changed rules and
//! clocks that are put forward and back; and conditions, which see nothing but their event.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use kjxlkj_agent::core::automation::{
    Condition, CronTrigger, LatenessPolicy, MissedPolicy, MissedReason, Reason, Reconciler, Rule,
    RuleSpan, RuleTrigger, Schedule, ScheduleCursor, ScheduleText, SchedulesTaken, SlotOutcome,
    SlotSpan, SlotTimes, SlotsRecorded, Zone, judge, sample_event, time_passes,
};
use kjxlkj_agent::ids::{RuleId, WorkspaceId};
use kjxlkj_agent::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

const CRONS: [&str; 5] = [
    "*/5 * * * *",
    "30 2 * * *",
    "0 */2 * * *",
    "15,45 1-3 * * *",
    "*/30 * * * * *",
];
const ZONES: [&str; 3] = ["UTC", "Europe/Berlin", "Australia/Lord_Howe"];

/// A day before clocks go forward in Berlin.
const BEGIN: &str = "2026-03-28T12:00:00Z";

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn rule(number: u128, cron: &str, zone: &str, lateness: LatenessPolicy) -> Rule {
    let zone = Zone::parse(zone).unwrap();
    Rule {
        rule_id: RuleId(Uuid::from_u128(number)),
        workspace_id: WorkspaceId(Uuid::nil()),
        trigger: RuleTrigger::Cron(Box::new(CronTrigger {
            text: ScheduleText {
                cron: cron.to_owned(),
                timezone: zone.name().to_owned(),
            },
            schedule: Schedule::parse(cron, zone, at(BEGIN)).unwrap(),
            lateness,
        })),
        condition: Condition::default(),
        includes_own: false,
        request: None,
        enabled: true,
    }
}

const fn lateness(missed: MissedPolicy, minutes: u64) -> LatenessPolicy {
    LatenessPolicy {
        missed,
        max_ms: minutes * 60_000,
    }
}

/// A program that is there at times, beside a clock that is not always right.
struct Life {
    rules: Vec<Rule>,
    schedule_cursor: ScheduleCursor,
    journal: Reconciler,
    runs: BTreeSet<String>,
    real_ms: i64,
    skew_ms: i64,
    up_since: Option<Timestamp>,
    latest: Timestamp,
    records: Vec<SlotsRecorded>,
}

impl Life {
    fn new() -> Self {
        Self {
            rules: Vec::new(),
            schedule_cursor: ScheduleCursor::default(),
            journal: Reconciler::default(),
            runs: BTreeSet::new(),
            real_ms: at(BEGIN).millis,
            skew_ms: 0,
            up_since: None,
            latest: at(BEGIN),
            records: Vec::new(),
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.real_ms + self.skew_ms)
    }

    /// The program looks at the time.
    fn look(&mut self, refuse: Option<&str>) {
        let now = self.now();
        let up_since = *self.up_since.get_or_insert(now);
        let passed = time_passes(&self.schedule_cursor, &self.rules, up_since, now, |_, _| {
            refuse.map(str::to_owned)
        });
        for recorded in &passed.judged {
            for span in &recorded.spans {
                if let SlotOutcome::Ran { run_id } | SlotOutcome::CaughtUp { run_id } =
                    &span.outcome
                {
                    assert_eq!((span.first, span.count), (span.last, Some(1)));
                    assert!(self.runs.insert(run_id.to_string()), "fired twice");
                }
            }
            // As it stands in the journal.
            let text = serde_json::to_string(recorded).unwrap();
            let read: SlotsRecorded = serde_json::from_str(&text).unwrap();
            assert_eq!(&read, recorded);
            self.schedule_cursor.record(&read);
            self.journal.record(&read);
            self.records.push(read);
        }
        if let Some(taken) = &passed.taken {
            self.schedule_cursor.take(taken, now);
            self.journal.take(taken, now);
        }
        self.latest = self.latest.max(now);
    }
}

#[derive(Clone, Debug)]
enum Step {
    Pass(i64),
    Stop,
    SetClock(i64),
    Rules(Vec<(u128, usize, usize, usize, u64)>),
    Refuse,
}

fn step() -> impl Strategy<Value = Step> {
    let rule = (
        0..3_u128,
        0..CRONS.len(),
        0..ZONES.len(),
        0..3_usize,
        0..180_u64,
    );
    prop_oneof![
        8 => (1..20_000_i64).prop_map(Step::Pass),
        2 => (1..400_000_i64).prop_map(Step::Pass),
        2 => Just(Step::Stop),
        2 => (-9_000_000..9_000_000_i64).prop_map(Step::SetClock),
        2 => prop::collection::vec(rule, 0..4).prop_map(Step::Rules),
        1 => Just(Step::Refuse),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_slot_ends_in_one_record_and_nothing_fires_twice(
        steps in prop::collection::vec(step(), 1..40)
    ) {
        let mut life = Life::new();
        life.rules = vec![rule(0, CRONS[0], "UTC", lateness(MissedPolicy::Once, 60))];
        life.look(None);
        for step in steps {
            match step {
                Step::Pass(seconds) => {
                    life.real_ms += seconds * 1000 + 7;
                    life.look(None);
                }
                Step::Stop => life.up_since = None,
                Step::SetClock(skew_ms) => life.skew_ms = skew_ms,
                Step::Rules(words) => {
                    let names: BTreeSet<u128> = words.iter().map(|it| it.0).collect();
                    life.rules = names
                        .into_iter()
                        .filter_map(|name| words.iter().find(|it| it.0 == name))
                        .map(|(name, cron, zone, missed, minutes)| {
                            let missed = MissedPolicy::NAMES[*missed].1;
                            rule(*name, CRONS[*cron], ZONES[*zone], lateness(missed, *minutes))
                        })
                        .collect();
                    life.look(None);
                }
                Step::Refuse => {
                    life.real_ms += 3_600_000;
                    life.look(Some("the queue is full"));
                }
            }
        }
        life.look(None);
        // Further back than any clock here is put.
        let from = at(BEGIN).plus_millis(-9_000_001);
        let found = life.journal.reconcile(from, life.latest);
        prop_assert!(found.is_clean(), "{:?}", found);
        let opened = found.ran + found.caught_up;
        prop_assert_eq!(opened, life.runs.len() as u64, "{:?}", found);
        // What lies ahead of a clock that was put back is not judged yet.
        let found = life.journal.reconcile(from, life.now());
        prop_assert_eq!(found.pending, 0, "{:?}", found);
    }
}

/// A record that is lost, told twice or made up is found.
#[test]
fn what_is_wrong_in_a_journal_is_found() {
    let whole = |change: &dyn Fn(&mut Vec<SlotsRecorded>)| {
        let mut life = Life::new();
        life.rules = vec![rule(
            1,
            "0 * * * *",
            "UTC",
            lateness(MissedPolicy::Once, 60),
        )];
        life.look(None);
        for _ in 0..6 {
            life.real_ms += 3_600_000;
            life.look(None);
        }
        let mut journal = Reconciler::default();
        let passed = time_passes(
            &ScheduleCursor::default(),
            &life.rules,
            at(BEGIN),
            at(BEGIN),
            |_, _| None,
        );
        journal.take(&passed.taken.unwrap(), at(BEGIN));
        let mut records = life.records.clone();
        change(&mut records);
        for record in &records {
            journal.record(record);
        }
        let found = journal.reconcile(at(BEGIN), life.latest);
        [found.unexplained, found.doubled, found.stray, found.pending]
    };
    assert_eq!(whole(&|_| {}), [0, 0, 0, 0]);
    assert_eq!(whole(&|records| drop(records.remove(2))), [1, 0, 0, 0]);
    assert_eq!(
        whole(&|records| records.push(records[2].clone())),
        [0, 1, 0, 0]
    );
    assert_eq!(
        whole(&|records| {
            let span = &mut records[2].spans[0];
            (span.first, span.last) = (span.first.plus_millis(1000), span.last.plus_millis(1000));
        }),
        [1, 0, 1, 0]
    );
    assert_eq!(whole(&|records| drop(records.pop())), [0, 0, 0, 1]);
}

/// What became of the slots of every ten minutes when the program was away from 12:05 to 14:35.
#[test]
fn slots_that_went_by_are_treated_as_the_rule_wants() {
    let outcomes = |missed, minutes| {
        let mut life = Life::new();
        life.rules = vec![rule(1, "*/10 * * * *", "UTC", lateness(missed, minutes))];
        life.look(None);
        life.real_ms += 5 * 60_000;
        life.look(None);
        life.up_since = None;
        life.real_ms += 150 * 60_000;
        life.look(None);
        let mut counts = [0; 5];
        for span in life.records.iter().flat_map(|it| &it.spans) {
            let place = match &span.outcome {
                SlotOutcome::Ran { .. } => 0,
                SlotOutcome::CaughtUp { .. } => 1,
                SlotOutcome::Coalesced { .. } => 2,
                SlotOutcome::Missed { .. } => 3,
                SlotOutcome::Skipped { .. } => 4,
            };
            counts[place] += span.count.unwrap();
        }
        counts
    };
    // 12:10 to 14:30 are fifteen; six of them within the last hour.
    assert_eq!(outcomes(MissedPolicy::Once, 60), [0, 1, 5, 9, 0]);
    assert_eq!(outcomes(MissedPolicy::Once, 0), [0, 0, 0, 15, 0]);
    assert_eq!(outcomes(MissedPolicy::Skip, 60), [0, 0, 0, 15, 0]);
    assert_eq!(outcomes(MissedPolicy::All, 60), [0, 6, 0, 9, 0]);
    assert_eq!(outcomes(MissedPolicy::All, 1440), [0, 15, 0, 0, 0]);
}

#[test]
fn a_condition_gives_one_event_one_answer() {
    let event = json!({
        "kind": "note_created",
        "actor": "user",
        "note": {
            "id": "n", "workspace_id": "w", "note_kind": "note", "title": "Tea",
            "keywords": ["herbs", "kitchen"], "value": "Sencha, 3 minutes.", "version": 2,
        },
    });
    let sample = sample_event(&RuleTrigger::NoteCreated);
    let cases = [
        ("true", true),
        ("event.note.title == 'Tea'", true),
        ("event.note.version > 2", false),
        (
            "'herbs' in event.note.keywords && event.actor != 'agent'",
            true,
        ),
        ("event.note.keywords.exists(it, it.startsWith('kit'))", true),
        ("event.note.keywords.all(it, it.size() > 5)", false),
        (
            "event.note.value.contains('Sencha') ? event.kind == 'note_created' : false",
            true,
        ),
        ("has(event.slot)", false),
        (
            "event.note.keywords.filter(it, it != 'herbs') == ['kitchen']",
            true,
        ),
        (
            "['Te', 'Co'].exists_one(it, event.note.title.startsWith(it))",
            true,
        ),
    ];
    for (text, expected) in cases {
        let condition = Condition::parse(text, &sample).unwrap();
        for _ in 0..100 {
            assert_eq!(condition.holds(&event), Ok(expected), "{text}");
        }
    }
    assert_eq!(Condition::default().holds(&Value::Null), Ok(true));
    // A field that only some events have is no reason to refuse the rule, and no reason to fire.
    let condition = Condition::parse(
        "size(event.note.keywords) == 0 || event.note.keywords[1] == 'a'",
        &sample,
    );
    let one = json!({"note": {"keywords": ["b"]}});
    assert!(condition.unwrap().holds(&one).is_err());
}

#[test]
fn a_loop_goes_through_a_list_only_since_the_members_of_a_map_have_no_order() {
    let sample = sample_event(&RuleTrigger::NoteCreated);
    for text in [
        "event.note.map(it, it)[0] == 'title' || true",
        "event.note.exists(it, it == 'title')",
        "{'a': 1, 'b': 2}.filter(it, true) == ['a', 'b']",
    ] {
        let reason = Condition::parse(text, &sample).unwrap_err();
        assert!(reason.contains("no order"), "{text}: {reason}");
    }
    // Also where only some events have one there.
    let condition = Condition::parse("event.note.keywords.all(it, it != '')", &sample).unwrap();
    let odd = json!({"note": {"keywords": {"a": 1, "b": 2}}});
    assert!(condition.holds(&odd).unwrap_err().contains("no order"));
}

/// A monitor asks each day, for as long as the journal is kept: what has a record is all looked at, and of
/// what is still to come there is no end, but nothing can be wrong with it.
#[test]
fn a_reconciliation_has_an_end_and_names_why_nothing_was_opened() {
    let (rule_id, begin) = (RuleId(Uuid::from_u128(1)), at(BEGIN));
    let text = ScheduleText {
        cron: "* * * * * *".to_owned(),
        timezone: "UTC".to_owned(),
    };
    let mut journal = Reconciler::of(false);
    let schedules = [(rule_id, text)].into();
    journal.take(&SchedulesTaken { schedules }, begin);
    let (judged, outcome) = (
        begin.plus_millis(200_000_000),
        SlotOutcome::Missed {
            reason: MissedReason::TooLate,
        },
    );
    let span = SlotSpan {
        first: begin.plus_millis(1000),
        last: judged,
        count: None,
        outcome,
    };
    journal.record(&SlotsRecorded {
        rule_id,
        to: judged,
        spans: vec![span.clone()],
    });
    let found = journal.reconcile(begin, begin.plus_millis(i64::from(u32::MAX) * 1000));
    assert!(found.is_clean() && found.is_cut, "{found:?}");
    assert_eq!((found.missed, found.pending), (200_000, 100_000));
    let [reason] = found.reasons.as_slice() else {
        panic!("{:?}", found.reasons);
    };
    assert_eq!(
        (reason.rule_id, reason.outcome, reason.slots),
        (rule_id, "missed", 200_000)
    );
    assert_eq!((reason.first, reason.last), (span.first, judged));
    assert!(reason.reason.contains("longer ago"), "{reason:?}");
    assert_eq!(found.spans, [RuleSpan { rule_id, span }]);
}

/// The clock was ahead by seventy years once: two thousand million times have one record, which does not know
/// their number either. That is told, within a moment, and what stands around it is held against its records
/// as ever.
#[test]
fn a_reconciliation_over_a_lifetime_of_seconds_ends_at_once_and_says_what_it_did_not_count() {
    let (rule_id, begin) = (RuleId(Uuid::from_u128(1)), at(BEGIN));
    let years = 70 * 366 * 86_400_000;
    let text = ScheduleText {
        cron: "* * * * * *".to_owned(),
        timezone: "UTC".to_owned(),
    };
    let schedule = Schedule::parse(&text.cron, Zone::UTC, begin).unwrap();
    let lateness = LatenessPolicy {
        missed: MissedPolicy::Once,
        max_ms: 3_600_000,
    };
    for is_damaged in [false, true] {
        let mut journal = Reconciler::of(false);
        let schedules = [(rule_id, text.clone())].into();
        journal.take(&SchedulesTaken { schedules }, begin);
        let (mut recorded_to, mut ran) = (begin, 0);
        for now in [begin.plus_millis(10_000), begin.plus_millis(years)] {
            let look = SlotTimes {
                recorded_to,
                up_since: begin,
                now,
            };
            let mut recorded = judge(rule_id, &schedule, lateness, look, |_| None).unwrap();
            if is_damaged {
                // The record of the long stretch is gone.
                recorded.spans.retain(|span| span.count.is_some());
            }
            let is_run = |span: &&SlotSpan| matches!(span.outcome, SlotOutcome::Ran { .. });
            ran += recorded.spans.iter().filter(is_run).count() as u64;
            recorded_to = recorded.to;
            journal.record(&recorded);
        }
        let found = journal.reconcile(begin, begin.plus_millis(years));
        assert!(found.slots < 1_000_000, "{found:?}");
        assert_eq!(found.is_clean(), !is_damaged, "{found:?}");
        assert!(found.is_more, "{found:?}");
        assert_eq!((found.ran, found.pending), (ran, 0), "{found:?}");
        let told = [found.missed, found.unexplained];
        let [long, none] = if is_damaged { [1, 0] } else { [0, 1] };
        assert!(told[long] >= 10_000 && told[none] == 0, "{found:?}");
        assert_eq!(found.coalesced, 3609, "those of the last hour: {found:?}");
        let is_told = |it: &Reason| it.outcome == "missed" && it.is_more;
        assert_eq!(found.reasons.iter().any(is_told), !is_damaged);
    }
}

/// Pieces that are read by recursion, and those that could hide them.
const DANGEROUS: [&str; 44] = [
    "1+",
    "1-",
    "-",
    "!",
    "1*",
    "1/",
    "1%",
    "1<",
    "1==",
    "1 in ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "[0]",
    ".a",
    ".a()",
    "event",
    "true?true:",
    "?",
    ":",
    "1>0&&",
    "1>0||",
    "&&",
    "||",
    "&",
    ",",
    "'",
    "\"",
    "'''",
    "\"\"\"",
    "\\",
    "r'",
    "b'",
    "\n",
    "//",
    "// '\n",
    "`",
    "#",
    "a{b:",
    "[1].all(a,",
    "has(",
];

/// On a stack that is smaller than any thread of the program has, two megabytes: an overflow would end the
/// test.
fn parsed_on_a_small_stack(texts: Vec<String>) {
    let sample = sample_event(&RuleTrigger::NoteChanged);
    let work = move || {
        for text in texts {
            // The answer does not matter here.
            if let Ok(condition) = Condition::parse(&text, &sample) {
                drop(condition.holds(&sample));
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1536 * 1024);
    thread.spawn(work).unwrap().join().unwrap();
}

fn filled(pieces: &str) -> String {
    pieces.chars().cycle().take(1000).collect()
}

#[test]
fn no_condition_needs_more_stack_than_there_is() {
    let mut texts: Vec<String> = DANGEROUS.iter().map(|piece| filled(piece)).collect();
    for piece in DANGEROUS {
        for hidden in ["''' ' ''' != '' && ", "// '\n", "'\n", "'\\q", "1 & ", ""] {
            let room = 980 - hidden.len();
            let many = piece.repeat(room / piece.len());
            texts.push(format!("{hidden}{many}1>0"));
        }
        // As much as is allowed is answered, too.
        for times in [8, 16, 21, 22, 23] {
            let (open, close) = match piece {
                "(" => ("(", ")"),
                "[" => ("[", "][0]"),
                "[1].all(a," => ("[1].all(a,", ")"),
                other => (other, ""),
            };
            let (open, close) = (open.repeat(times), close.repeat(times));
            texts.push(format!("{open}1>0{close}"));
        }
    }
    parsed_on_a_small_stack(texts);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_random_condition_needs_more_stack_than_there_is(
        pieces in prop::collection::vec((prop::sample::select(DANGEROUS.to_vec()), 1..200_usize), 1..12),
    ) {
        let text: String = pieces.iter().map(|(piece, times)| piece.repeat(*times)).collect();
        parsed_on_a_small_stack(vec![text.chars().take(1000).collect()]);
    }
}

#[test]
fn conditions_that_cannot_be_answered_are_refused_when_they_are_read() {
    let long = format!("{} == 1", "1 + ".repeat(300) + "1");
    let deep = format!("{}true{}", "(".repeat(400), ")".repeat(400));
    let lists = format!("{}1{} == 1", "[".repeat(50), "]".repeat(50));
    // Each of these would end a program without optimisation, not only the reading.
    let thrice = format!("''' ' ''' != '' && {}1 > 0", "1+".repeat(400));
    let comment = format!("// '\n{}1 > 0", "1+".repeat(400));
    let members = format!("event{} == 1", ".a".repeat(400));
    let choices = format!("{}true", "true?true:".repeat(80));
    let chain = format!("{}1 > 0", "1+".repeat(300));
    let indexed = format!("event{} == 1", "[0]".repeat(300));
    let bracketed = format!("{}1 > 0", "(1 > 0 && 1)+".repeat(60));
    let related = format!("{}[1]", "1 in ".repeat(150));
    let cases = [
        ("", "Syntax error"),
        ("event.note.title = 'Tea'", "^"),
        ("event.note.title", "true or false"),
        ("evnt.note.title == 'Tea'", "evnt"),
        ("now() > 3", "now"),
        (
            "event.note.keywords.all(a, event.note.keywords.all(b, a == b))",
            "inside another",
        ),
        (
            "[1, 2].exists(a, [3].filter(b, b > a) == [3])",
            "inside another",
        ),
        (
            "[event.note.value].map(x, x).map(x, x).size() == 1",
            "inside another",
        ),
        (
            "[event.note.value].all(x, (x + x).size() < 9)",
            "`map` and `+`",
        ),
        (
            "event.note.keywords.map(it, [it, it]).size() == 0",
            "`map` and `+`",
        ),
        (long.as_str(), "1000 are allowed"),
        (deep.as_str(), "Recursion limit"),
        (lists.as_str(), "hang on each other"),
        (thrice.as_str(), "hang on each other"),
        (comment.as_str(), "hang on each other"),
        (members.as_str(), "hang on each other"),
        (choices.as_str(), "hang on each other"),
        (chain.as_str(), "hang on each other"),
        (indexed.as_str(), "hang on each other"),
        (bracketed.as_str(), "hang on each other"),
        (related.as_str(), "hang on each other"),
    ];
    let sample = sample_event(&RuleTrigger::NoteChanged);
    let allowed = format!("{}true{}", "(".repeat(10), ")".repeat(10));
    assert!(Condition::parse(&allowed, &sample).is_ok());
    for (part, times) in [
        ("!", 900),
        ("1>0 ? 2>1 : ", 20),
        ("1>0 && ", 120),
        ("'1+1+1' != 'a-b-c' && ", 40),
    ] {
        let allowed = format!("{}true", part.repeat(times));
        assert!(Condition::parse(&allowed, &sample).is_ok(), "{part}");
    }
    for (text, expected) in cases {
        let reason = Condition::parse(text, &sample).unwrap_err();
        assert!(reason.contains(expected), "{text}: {reason}");
        assert!(reason.chars().count() <= 450, "{reason}");
    }
}
