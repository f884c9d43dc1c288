//! Rules in the real store, on a disk that loses power: through deaths at any call, clocks that are put
//! forward and back and rules that change, every slot ends in one record, every event of a note opens its
//! runs, and nothing opens two.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::random::Random;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    approve, by_agent, create, ended, journal_lines, note_id, options, segment_numbers, started,
    try_open, workspace,
};
use kjxlkj_agent::core::automation::{
    Condition, CronTrigger, Lateness, MissedPolicy, Rule, RuleTrigger, Schedule, ScheduleText,
    Zone, tick,
};
use kjxlkj_agent::core::guard::NoteEdit;
use kjxlkj_agent::core::journal::{Cause, Draft, Event};
use kjxlkj_agent::ids::{NoteId, RuleId};
use kjxlkj_agent::store::{Error, Options, Store, reconcile};
use kjxlkj_agent::time::Timestamp;
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

fn rule(number: u128, trigger: RuleTrigger) -> Rule {
    Rule {
        rule_id: RuleId(Uuid::from_u128(number)),
        workspace_id: workspace(),
        trigger,
        condition: Condition::default(),
        includes_own: false,
        enabled: true,
    }
}

/// A rule of each kind: two schedules of many, and two that heed notes.
fn some_rules(random: &mut Random) -> Arc<[Rule]> {
    let mut rules = vec![
        rule(100, RuleTrigger::NoteChanged),
        rule(101, RuleTrigger::NoteCreated),
    ];
    for number in 0..=random.below(2) {
        let cron = CRONS[random.index(CRONS.len())];
        let zone = Zone::parse(ZONES[random.index(ZONES.len())]).unwrap();
        let missed = MissedPolicy::NAMES[random.index(3)].1;
        let lateness = Lateness {
            missed,
            max_ms: random.below(180) * 60_000,
        };
        rules.push(rule(
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
        let events = tick(&rules, workspace(), store.state(), up_since, now);
        if !events.is_empty() {
            self.commit(Cause::plain("schedule"), events)?;
        }
        Ok(())
    }

    fn commit(&mut self, cause: Cause, events: Vec<Event>) -> Result<(), Error> {
        let ts = self.now();
        let draft = Draft {
            ts,
            cause,
            ..by_agent(events)
        };
        self.store()?.commit(draft).map(drop)
    }

    /// A note is written: a new one, or another version of one that is there.
    fn write(&mut self) -> Result<(), Error> {
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
        self.commit(Cause::plain("edit"), vec![event])
    }

    /// Some of the open runs end.
    fn work(&mut self) -> Result<(), Error> {
        for _ in 0..self.random.below(6) {
            let Some(run_id) = self.store()?.state().runs.next().map(|run| run.run_id) else {
                return Ok(());
            };
            self.commit(
                Cause::run("run", run_id),
                vec![started(run_id), ended(run_id)],
            )?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Error> {
        match self.random.below(12) {
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
            9 | 10 => self.write(),
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

/// What became of a note, and its version then.
type Noted = (String, NoteId, u64);

/// How often each event opened each rule's run, and what notes became, by the journal's bytes alone.
fn told(disk: &SimDisk) -> (BTreeMap<String, usize>, Vec<Noted>) {
    let mut opened: BTreeMap<String, usize> = BTreeMap::new();
    let mut noted = Vec::new();
    for line in journal_lines(disk).unwrap() {
        for (name, data) in line.events {
            let data: Value = serde_json::from_str(&data).unwrap();
            if name == "run.queued" {
                let run = data["run"]["run_id"].as_str().unwrap().to_owned();
                *opened.entry(run).or_default() += 1;
            } else if ["note.created", "note.updated"].contains(&name.as_str()) {
                let note = &data["note"];
                let id = note["id"].as_str().unwrap().parse().unwrap();
                noted.push((name, id, note["version"].as_u64().unwrap()));
            }
        }
    }
    (opened, noted)
}

/// Gives how many slots opened runs, how often it died, and whether the journal's beginning is gone.
fn live(seed: u64, retention_days: u32) -> Result<(u64, u64, bool), String> {
    let mut life = Life::new(seed, retention_days);
    for _ in 0..60 {
        if life.step().is_err() {
            life.die();
        }
    }
    while life.look().is_err() {
        life.die();
    }
    let (now, latest) = (life.now(), life.latest);
    let (opened, noted) = told(&life.disk);
    if let Some((run, count)) = opened.iter().find(|(_, count)| **count != 1) {
        return Err(format!("run {run} was opened {count} times"));
    }
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
    let of_notes = noted
        .iter()
        .map(|(name, ..)| if name == "note.created" { 2 } else { 1 });
    let of_notes: u64 = of_notes.sum();
    let of_slots = found.ran + found.caught_up;
    let is_cut = segment_numbers(&life.disk).first() != Some(&1);
    if !is_cut && of_notes + of_slots != opened.len() as u64 {
        return Err(format!("{of_notes} and {of_slots}, not {}", opened.len()));
    }
    let distinct: BTreeSet<_> = noted.iter().collect();
    assert_eq!(
        distinct.len(),
        noted.len(),
        "a note's version is given once"
    );
    Ok((of_slots, life.deaths, is_cut))
}

#[test]
fn k123_g09_g14_g31_no_slot_is_lost_and_nothing_opens_two_runs_whatever_dies() {
    let (mut slots, mut deaths) = (0, 0);
    for seed in 0..40 {
        let lived = live(seed, 365).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        slots += lived.0;
        deaths += lived.1;
    }
    assert!(
        slots > 200 && deaths > 100,
        "{slots} slots, {deaths} deaths"
    );
}

#[test]
fn g13_what_is_kept_of_the_journal_still_proves_its_slots() {
    let (mut slots, mut cut) = (0, 0);
    for seed in 0..40 {
        let lived = live(seed, 1).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        slots += lived.0;
        cut += u64::from(lived.2);
    }
    assert!(slots > 20 && cut > 10, "{slots} slots, {cut} cut journals");
}
