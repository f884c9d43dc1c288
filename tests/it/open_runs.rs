//! How many runs may wait and how often one is tried: what happens just at these bounds, that nothing
//! changes by what is refused there, and that all of it is told.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::loaded;
use crate::sim_disk::SimDisk;
use crate::store_lab::{
    at, by_agent, create, draft, note_id, of_notes, options, queued, started, try_open, workspace,
};
use kjxlkj_agent::config::{self, Config};
use kjxlkj_agent::core::automation::{
    CronTrigger, LatenessPolicy, MissedPolicy, Rule, RuleTrigger, Schedule, ScheduleText,
    SlotOutcome, Zone, fire_due,
};
use kjxlkj_agent::core::journal::event::{InstructionOutcome, RunEnded};
use kjxlkj_agent::core::journal::{ActorType, Cause, CommitDraft, Event};
use kjxlkj_agent::core::run::{Run, RunState, StopReason};
use kjxlkj_agent::daemon::{Command, CommandOutcome, run_alone};
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::limits::{RUN_ATTEMPTS_MAX, RUNS_OPEN_MAX};
use kjxlkj_agent::store::{Store, audit_entries};
use kjxlkj_agent::time::Timestamp;

/// When everything here happens.
const NOW: i64 = 1_700_000_000_000;

/// A store without runs, whose rules heed notes, a time, or a launch.
struct Bench {
    disk: SimDisk,
    store: Store,
    config: Config,
}

const OF_NOTES: u128 = 1;
const OF_TIMES: u128 = 2;
const BY_HAND: u128 = 3;

/// A rule whose times come each minute.
fn each_minute() -> Rule {
    let text = ScheduleText {
        cron: "* * * * *".to_owned(),
        timezone: "UTC".to_owned(),
    };
    let trigger = RuleTrigger::Cron(Box::new(CronTrigger {
        schedule: Schedule::parse(&text.cron, Zone::parse("UTC").unwrap(), at(NOW)).unwrap(),
        text,
        lateness: LatenessPolicy {
            missed: MissedPolicy::Once,
            max_ms: 3_600_000,
        },
    }));
    of_notes(OF_TIMES, trigger)
}

impl Bench {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        config::init(root.path()).unwrap();
        let mut config = loaded(root.path()).config;
        config.scope.workspace_id = workspace();
        let mut options = options();
        options.rules = [
            of_notes(OF_NOTES, RuleTrigger::NoteCreated),
            each_minute(),
            of_notes(BY_HAND, RuleTrigger::Manual),
        ]
        .into();
        let disk = SimDisk::new(5);
        let (store, _) = try_open(&disk, &options, at(NOW)).unwrap();
        Self {
            disk,
            store,
            config,
        }
    }

    fn asks(&mut self, command: Command) -> Result<(Run, bool), Failure> {
        match run_alone(&mut self.store, &self.config, at(NOW), command)?.done {
            CommandOutcome::Run { run, is_new } => Ok((*run, is_new)),
            CommandOutcome::Changed => unreachable!("it was about a run"),
        }
    }

    fn commits(&mut self, events: Vec<Event>) {
        self.store.commit(by_agent(events)).unwrap();
    }

    fn open(&self) -> usize {
        self.store.state().runs.open_len()
    }

    /// What is refused, which must change nothing and say what to do.
    #[track_caller]
    fn refuses(&mut self, command: Command, hint: &str) {
        let (head, open) = (self.store.head(), self.open());
        let failure = self.asks(command).unwrap_err();
        assert_eq!(failure.code, Code::LimitExceeded, "{failure:?}");
        assert!(failure.hints.concat().contains(hint), "{failure:?}");
        assert_eq!((self.store.head(), self.open()), (head, open));
    }
}

fn launch(key: &str) -> Command {
    Command::Launch {
        event: EventId(key.to_owned()),
        request: Some(key.to_owned()),
    }
}

fn failed(run_id: RunId) -> Event {
    Event::RunEnded(RunEnded {
        run_id,
        state: RunState::Failed,
        stop_reason: StopReason::Error,
        error_code: Some(Code::NoProgress),
        completed_at: at(NOW),
    })
}

#[test]
fn up_to_the_bound_everything_opens_its_run_and_beyond_it_nothing_goes_unsaid() {
    let mut bench = Bench::new();
    let (lost, _) = bench.asks(launch("lost")).unwrap();
    bench.commits(vec![started(lost.run_id), failed(lost.run_id)]);
    // The last place is free for whoever comes first.
    bench.commits(
        (1..RUNS_OPEN_MAX)
            .map(|it| queued(&it.to_string()))
            .collect(),
    );
    let (last, is_new) = bench.asks(launch("last")).unwrap();
    assert!(is_new && bench.open() == RUNS_OPEN_MAX);

    let by_hand = of_notes(BY_HAND, RuleTrigger::Manual);
    let trigger = || Command::Trigger {
        rule: Box::new(by_hand.clone()),
        event: EventId("e".to_owned()),
    };
    bench.refuses(launch("one more"), "runs cancel");
    bench.refuses(trigger(), "runs cancel");
    let retry = || Command::Retry {
        run_id: lost.run_id,
    };
    bench.refuses(retry(), "runs cancel");
    // What is known is answered all the same.
    let again = bench.asks(launch("last")).unwrap();
    assert_eq!((again.0.run_id, again.1), (last.run_id, false));

    // A note is kept, and its rule's run told as skipped, in one commit.
    bench.commits(vec![create(note_id(1), "Tea", "green")]);
    assert!(bench.store.state().notes.get(note_id(1)).is_some());
    let audit = audit_entries(&mut bench.disk.clone()).unwrap();
    let skipped = audit.last().unwrap();
    assert_eq!(
        (skipped.op.as_str(), skipped.outcome, skipped.code),
        (
            "rule.skipped",
            InstructionOutcome::Rejected,
            Some(Code::LimitExceeded)
        )
    );
    // So is a time.
    let minute = |now: Timestamp, bench: &Bench| {
        let rules = [each_minute()];
        fire_due(&rules, workspace(), bench.store.state(), at(NOW), now)
    };
    let begun = minute(at(NOW), &bench);
    bench.commits(begun);
    let told = minute(at(NOW + 60_000), &bench);
    let spans = told.iter().find_map(|event| {
        let Event::SlotsRecorded(recorded) = event else {
            return None;
        };
        Some(recorded.spans.clone())
    });
    let outcomes: Vec<SlotOutcome> = spans.unwrap().into_iter().map(|it| it.outcome).collect();
    let reason = "too many runs wait already";
    assert!(
        matches!(&outcomes[..], [SlotOutcome::Skipped { reason: why }] if why == reason),
        "{outcomes:?}"
    );
    bench.commits(told);
    assert_eq!(bench.open(), RUNS_OPEN_MAX);

    // Once one has ended there is room for one.
    let run_id = last.run_id;
    bench.asks(Command::Cancel { run_id }).unwrap();
    assert_eq!(bench.asks(retry()).unwrap().0.attempt, 2);
    bench.refuses(trigger(), "runs cancel");
}

#[test]
fn the_last_attempt_goes_and_the_next_is_refused_and_changes_nothing() {
    let mut bench = Bench::new();
    let (run, _) = bench.asks(launch("again")).unwrap();
    let run_id = run.run_id;
    for attempt in 2..=RUN_ATTEMPTS_MAX {
        bench.commits(vec![started(run_id), failed(run_id)]);
        let (run, _) = bench.asks(Command::Retry { run_id }).unwrap();
        assert_eq!((run.run_id, run.attempt), (run_id, attempt));
        assert_eq!(run.state, RunState::Queued);
        // An attempt that waits or runs is no failed one.
        let failure = bench.asks(Command::Retry { run_id }).unwrap_err();
        assert_eq!(failure.code, Code::RunStateInvalid);
    }
    bench.commits(vec![started(run_id), failed(run_id)]);
    let before = bench.store.state().runs.get(run_id).cloned().unwrap();
    assert_eq!(before.attempt, RUN_ATTEMPTS_MAX);
    bench.refuses(Command::Retry { run_id }, "runs launch");
    assert_eq!(bench.store.state().runs.get(run_id), Some(&before));
    // One event has one record, however often it was tried; and under its key nothing new begins.
    let of_it = |run: &&Run| run.run_id == run_id;
    assert_eq!(
        bench
            .store
            .state()
            .runs
            .newest_first()
            .filter(of_it)
            .count(),
        1
    );
    let (known, is_new) = bench.asks(launch("again")).unwrap();
    assert_eq!((known, is_new), (before, false));
    // Another event is another run, with attempts of its own.
    let (other, is_new) = bench.asks(launch("anew")).unwrap();
    assert!(is_new && other.attempt == 1);
    let user = draft(ActorType::User, Cause::plain("verb"), Vec::new());
    let draft = CommitDraft {
        events: vec![started(other.run_id)],
        ..user
    };
    bench.store.commit(draft).unwrap();
}
