//! Rules in the real store, on a disk that loses power: through deaths at any call, clocks that are put
//! forward and back, rules that change, launches by hand and runs that wake others, every slot ends in one
//! record, every event of a note opens its runs, and nothing opens two. All of it is checked after each
//! death.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::loaded;
use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    approve, by_agent, create, ended, journal_lines, note_id, of_notes, options, segment_numbers,
    started, try_open, workspace,
};
use kjxlkj_agent::config;
use kjxlkj_agent::core::automation::{
    CronTrigger, LatenessPolicy, MissedPolicy, Rule, RuleTrigger, Schedule, ScheduleText, Zone,
    fire_due, launch,
};
use kjxlkj_agent::core::guard::NoteEdit;
use kjxlkj_agent::core::journal::event::RunQueued;
use kjxlkj_agent::core::journal::{Cause, CommitDraft, Event};
use kjxlkj_agent::daemon::{Command, CommandOutcome, run_alone};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, RuleId, RunId};
use kjxlkj_agent::limits::{CAUSATION_DEPTH_MAX, RUNS_FINISHED_KEPT};
use kjxlkj_agent::store::{Error, Options, Store, reconcile};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use uuid::Uuid;

/// A day before clocks go forward in Berlin.
const BEGIN: &str = "2026-03-28T12:00:00Z";

const CRONS: [&str; 4] = [
    "*/5 * * * *",
    "30 2 * * *",
    "0 */2 * * *",
    "15,45 1-3 * * *",
];
const ZONES: [&str; 3] = ["UTC", "Europe/Berlin", "Australia/Lord_Howe"];

fn begin() -> Timestamp {
    Timestamp::parse(BEGIN).unwrap()
}

/// What a person launches, and the rules that heed notes.
const BY_HAND: u128 = 102;
const CHANGED: u128 = 100;
const CREATED: u128 = 101;

/// A rule of each kind: one or two schedules of many, two that heed notes, and one that is launched.
fn some_rules(random: &mut Random) -> Arc<[Rule]> {
    let mut rules = vec![
        of_notes(CHANGED, RuleTrigger::NoteChanged),
        of_notes(CREATED, RuleTrigger::NoteCreated),
        of_notes(BY_HAND, RuleTrigger::Manual),
    ];
    for number in 0..=random.below(2) {
        let cron = CRONS[random.index(CRONS.len())];
        let zone = Zone::parse(ZONES[random.index(ZONES.len())]).unwrap();
        let missed = MissedPolicy::NAMES[random.index(3)].1;
        let lateness = LatenessPolicy {
            missed,
            max_ms: random.below(180) * 60_000,
        };
        rules.push(of_notes(
            u128::from(number),
            RuleTrigger::Cron(Box::new(CronTrigger {
                text: ScheduleText {
                    cron: cron.to_owned(),
                    timezone: zone.name().to_owned(),
                },
                schedule: Schedule::parse(cron, zone, begin()).unwrap(),
                lateness,
            })),
        ));
    }
    rules.into()
}

struct Life {
    random: Random,
    disk: SimDisk,
    options: Options,
    store: Option<Store>,
    real_ms: i64,
    skew_ms: i64,
    up_since: Timestamp,
    latest: Timestamp,
    notes: u64,
    deaths: u64,
}

impl Life {
    fn new(seed: u64, retention_days: u32) -> Self {
        let mut random = Random(seed);
        let mut options = options();
        options.segment_bytes = 4000;
        options.retention_days = retention_days;
        options.rules = some_rules(&mut random);
        Self {
            disk: SimDisk::new(seed),
            random,
            options,
            store: None,
            real_ms: begin().millis,
            skew_ms: 0,
            up_since: begin(),
            latest: begin(),
            notes: 0,
            deaths: 0,
        }
    }

    fn now(&mut self) -> Timestamp {
        let now = Timestamp::from_millis(self.real_ms + self.skew_ms);
        self.latest = self.latest.max(now);
        now
    }

    /// The store, opened if it is not.
    fn store(&mut self) -> Result<&mut Store, Error> {
        if self.store.is_none() {
            let now = self.now();
            self.up_since = now;
            let (mut store, _) = try_open(&self.disk, &self.options, now)?;
            store.read_notes(now)?;
            store.take_edits(now)?;
            self.store = Some(store);
        }
        Ok(self.store.as_mut().unwrap())
    }

    /// What the loop does when it looks at the time.
    fn look(&mut self) -> Result<(), Error> {
        self.store()?;
        let (now, up_since) = (self.now(), self.up_since);
        let rules = Arc::clone(&self.options.rules);
        let store = self.store()?;
        let events = fire_due(&rules, workspace(), store.state(), up_since, now);
        if !events.is_empty() {
            self.commit(Cause::plain("schedule"), events)?;
        }
        Ok(())
    }

    fn commit(&mut self, cause: Cause, events: Vec<Event>) -> Result<(), Error> {
        let ts = self.now();
        let draft = CommitDraft {
            ts,
            cause,
            ..by_agent(events)
        };
        self.store()?.commit(draft).map(drop)
    }

    /// A note is written, perhaps by a run: a new one, or another version of one that is there.
    fn write(&mut self, cause: Cause) -> Result<(), Error> {
        let (number, is_new) = (self.notes + 1, self.random.below(2) == 0);
        let known = self.store()?.state().notes.iter().next().cloned();
        let event = match known {
            Some(note) if !is_new => approve(|guard| {
                let edit = NoteEdit {
                    value: Some(format!("text {number}")),
                    ..NoteEdit::default()
                };
                Event::Change(
                    guard
                        .note_update(&note, None, edit, note.updated_at)
                        .unwrap(),
                )
            }),
            Some(_) | None => create(note_id(number), "Tea", "green"),
        };
        self.notes = number;
        self.commit(cause, vec![event])
    }

    /// Some of the open runs write something and end.
    fn work(&mut self) -> Result<(), Error> {
        for _ in 0..self.random.below(6) {
            let Some(run_id) = self.store()?.state().runs.next().map(|run| run.run_id) else {
                return Ok(());
            };
            let cause = Cause::run("run", run_id);
            self.commit(cause.clone(), vec![started(run_id)])?;
            if self.random.below(3) > 0 {
                self.write(cause.clone())?;
            }
            self.commit(cause, vec![ended(run_id)])?;
        }
        Ok(())
    }

    /// A person launches a rule, under a key that may have been used before, as the loop does it.
    fn launch(&mut self) -> Result<(), Error> {
        let event = EventId(format!("key {}", self.random.below(12)));
        let rules = Arc::clone(&self.options.rules);
        let rule_id = RuleId(Uuid::from_u128(BY_HAND));
        let rule = rules.iter().find(|rule| rule.rule_id == rule_id).unwrap();
        let run_id = RunId::of_rule(rule_id, &event);
        let store = self.store()?;
        if store.state().runs.knows(run_id) || store.run(run_id)?.is_some() {
            return Ok(());
        }
        let now = self.now();
        let run = launch(rule, event, workspace(), now).unwrap();
        let queued = Event::RunQueued(RunQueued { run });
        self.commit(Cause::run("trigger", run_id), vec![queued])
    }

    fn step(&mut self) -> Result<(), Error> {
        match self.random.below(14) {
            0..=4 => {
                let seconds = self.random.below(20_000);
                self.real_ms += i64::try_from(seconds).unwrap() * 1000 + 7;
                self.look()?;
                self.work()
            }
            5 => {
                self.real_ms += i64::try_from(self.random.below(400_000)).unwrap() * 1000;
                self.look()?;
                let now = self.now();
                self.store()?.retire(now).map(drop)
            }
            6 => {
                self.skew_ms = i64::try_from(self.random.below(18_000_000)).unwrap() - 9_000_000;
                Ok(())
            }
            7 => {
                self.options.rules = some_rules(&mut self.random);
                let options = self.options.clone();
                self.store()?.set_options(options);
                self.look()
            }
            8 => {
                // A stop in good order.
                let now = self.now();
                self.store()?.checkpoint(true, now)?;
                self.store = None;
                Ok(())
            }
            9 | 10 => self.write(Cause::plain("edit")),
            11 | 12 => self.launch(),
            _ => {
                let at = self.disk.calls() + 1 + self.random.below(12);
                self.disk.crash_at_call(at);
                Ok(())
            }
        }
    }

    /// Power comes back.
    fn die(&mut self) {
        self.deaths += 1;
        self.store = None;
        self.disk = match self.random.below(2) {
            0 => self.disk.process_crash(),
            _ => self.disk.power_cut(self.random.below(1 << 30)),
        };
    }
}

/// What the journal's bytes alone tell of runs and of what opened them.
#[derive(Debug, Default)]
struct Told {
    /// Each run that was opened, with its rule and how many runs stand behind it.
    runs: BTreeMap<String, (String, u64)>,
    /// Each (rule, event) that opened a run.
    opened: BTreeSet<(String, String)>,
    /// Each (rule, event) that a guard stood against.
    skipped: BTreeSet<(String, String)>,
    /// Each event of a note, whether it was made, and the run that made it so.
    noted: Vec<(String, bool, Option<String>)>,
}

impl Told {
    fn of(disk: &SimDisk) -> Result<Self, String> {
        let mut told = Self::default();
        for line in journal_lines(disk)? {
            for (name, data) in &line.events {
                let data: Value = serde_json::from_str(data).unwrap();
                told.take(name, &data, line.cause.as_ref())?;
            }
        }
        Ok(told)
    }

    fn take(&mut self, name: &str, data: &Value, cause: Option<&String>) -> Result<(), String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match name {
            "run.queued" => {
                let run = &data["run"];
                let (id, rule) = (text(&run["run_id"]), text(&run["rule_id"]));
                let depth = run["origin"]["depth"].as_u64().unwrap_or_default();
                if depth > u64::from(CAUSATION_DEPTH_MAX) {
                    return Err(format!("{depth} runs stand behind run {id}"));
                }
                if self
                    .runs
                    .insert(id.clone(), (rule.clone(), depth))
                    .is_some()
                {
                    return Err(format!("run {id} was opened twice"));
                }
                let event = text(&run["triggering_event_id"]);
                if !self.opened.insert((rule.clone(), event.clone())) {
                    return Err(format!("{event} opened two runs of {rule}"));
                }
            }
            "rule.skipped" => {
                let pair = (text(&data["rule_id"]), text(&data["event_id"]));
                self.skipped.insert(pair);
            }
            "note.created" | "note.updated" => {
                let (note, is_new) = (&data["note"], name == "note.created");
                let act = if is_new {
                    "note_created"
                } else {
                    "note_updated"
                };
                let event = format!("note:{}:{}:{act}", text(&note["id"]), note["version"]);
                self.noted.push((event, is_new, cause.cloned()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether each event of a note opened just the runs that it had to. Gives how many opened none
    /// because too many stood behind them.
    fn check_notes(&self) -> Result<u64, String> {
        let mut too_deep = 0;
        for (event, is_new, cause) in &self.noted {
            let cause = cause.as_ref().and_then(|run| self.runs.get(run));
            for (number, heeds) in [(CHANGED, true), (CREATED, *is_new)] {
                let rule = Uuid::from_u128(number).to_string();
                let pair = (rule.clone(), event.clone());
                let is_own = cause.is_some_and(|(own, _)| *own == rule);
                let is_deep =
                    cause.is_some_and(|(_, depth)| *depth >= u64::from(CAUSATION_DEPTH_MAX));
                let (opened, skipped) = (self.opened.contains(&pair), self.skipped.contains(&pair));
                let is_right = if !heeds || is_own {
                    !opened && !skipped
                } else {
                    opened != skipped && !(is_deep && opened)
                };
                too_deep += u64::from(is_deep && skipped);
                if !is_right {
                    return Err(format!(
                        "{event} and rule {rule}: {opened}, {skipped}, {cause:?}"
                    ));
                }
            }
        }
        Ok(too_deep)
    }
}

/// What a life came to.
#[derive(Debug, Default)]
pub(crate) struct Lived {
    /// Slots that opened runs.
    slots: u64,
    pub(crate) deaths: u64,
    /// Whether the journal's beginning is gone.
    is_cut: bool,
    /// Events that were stopped because too many runs stood behind them.
    too_deep: u64,
}

impl Life {
    /// What is wrong with what the disk holds, in a life whose last look at the time was `latest`.
    fn check(&self, lived: &mut Lived) -> Result<(), String> {
        let told = Told::of(&self.disk)?;
        lived.is_cut = segment_numbers(&self.disk).first() != Some(&1);
        if !lived.is_cut {
            lived.too_deep = told.check_notes()?;
        }
        let from = begin().plus_millis(-9_000_001);
        let found = reconcile(&mut self.disk.clone(), from, self.latest).unwrap();
        // What no look has come to yet is no slot without a record.
        if found.doubled > 0 || found.stray > 0 {
            return Err(format!("{found:?}"));
        }
        lived.slots = found.ran + found.caught_up;
        Ok(())
    }
}

/// One life of a seed. An odd one keeps little of its journal.
pub(crate) fn live(seed: u64) -> Result<Lived, String> {
    let retention_days = if seed.is_multiple_of(2) { 365 } else { 1 };
    let mut life = Life::new(seed, retention_days);
    let mut lived = Lived::default();
    for _ in 0..60 {
        if life.step().is_err() {
            life.die();
            while life.store().is_err() {
                life.die();
            }
            life.check(&mut lived)?;
        }
    }
    while life.look().is_err() {
        life.die();
    }
    life.check(&mut lived)?;
    let (now, latest) = (life.now(), life.latest);
    let from = begin().plus_millis(-9_000_001);
    let found = reconcile(&mut life.disk.clone(), from, latest).unwrap();
    if !found.is_clean() {
        return Err(format!("{found:?}"));
    }
    if reconcile(&mut life.disk.clone(), from, now)
        .unwrap()
        .pending
        > 0
    {
        return Err("slots were left unjudged".to_owned());
    }
    lived.deaths = life.deaths;
    Ok(lived)
}

#[test]
fn no_slot_is_lost_and_nothing_opens_two_runs_whatever_dies() {
    let (mut slots, mut deaths, mut too_deep) = (0, 0, 0);
    for seed in (0..80).step_by(2) {
        let lived = live(seed).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        slots += lived.slots;
        deaths += lived.deaths;
        too_deep += lived.too_deep;
    }
    assert!(
        slots > 200 && deaths > 80 && too_deep > 0,
        "{slots} slots, {deaths} deaths, {too_deep} too deep"
    );
}

#[test]
fn what_is_kept_of_the_journal_still_proves_its_slots() {
    let (mut slots, mut cut) = (0, 0);
    // In the last two the clock was put back before the first record that is kept.
    for seed in (1..80).step_by(2).chain([161, 221]) {
        let lived = live(seed).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        slots += lived.slots;
        cut += u64::from(lived.is_cut);
    }
    assert!(slots > 20 && cut > 10, "{slots} slots, {cut} cut journals");
}

/// What opened a run long ago opens no other, also when nothing is left of it but its id.
#[test]
fn a_launch_under_an_old_key_is_never_carried_out_again() {
    let root = tempfile::tempdir().unwrap();
    config::init(root.path()).unwrap();
    let mut config = loaded(root.path()).config;
    config.scope.workspace_id = workspace();
    let mut short = options();
    short.segment_bytes = 1;
    short.retention_days = 30;
    let disk = SimDisk::new(3);
    let (mut store, _) = try_open(&disk, &short, begin()).unwrap();
    let rule = of_notes(BY_HAND, RuleTrigger::Manual);
    let launch = |store: &mut Store, key: &str, now| {
        let command = Command::Trigger {
            rule: Box::new(rule.clone()),
            event: EventId(key.to_owned()),
        };
        match run_alone(store, &config, now, command).map(|settled| settled.done) {
            Ok(CommandOutcome::Run { run, is_new }) => Ok((run.run_id, is_new)),
            Ok(CommandOutcome::Changed) => panic!("a run was asked for"),
            Err(failure) => Err(failure.code),
        }
    };
    let finish = |store: &mut Store, run_id, ts| {
        let cause = Cause::run("run", run_id);
        let events = vec![started(run_id), ended(run_id)];
        let draft = by_agent(events);
        store.commit(CommitDraft { ts, cause, ..draft }).unwrap();
    };
    let (first, is_new) = launch(&mut store, "E1", begin()).unwrap();
    assert!(is_new);
    finish(&mut store, first, begin());
    assert_eq!(launch(&mut store, "E1", begin()), Ok((first, false)));
    let late = begin().plus_millis(60 * DAY_MS);
    for number in 0..=RUNS_FINISHED_KEPT {
        let (run_id, is_new) = launch(&mut store, &number.to_string(), late).unwrap();
        assert!(is_new);
        finish(&mut store, run_id, late);
    }
    // Its record stands in the journal alone, and then nowhere.
    assert_eq!(launch(&mut store, "E1", late), Ok((first, false)));
    store.read_notes(late).unwrap();
    store.take_edits(late).unwrap();
    assert!(store.retire(late).unwrap() > Some(0));
    assert_eq!(store.run(first).unwrap(), None);
    let head = store.head();
    assert_eq!(launch(&mut store, "E1", late), Err(Code::HistoryRetired));
    assert_eq!(store.head(), head);
}
