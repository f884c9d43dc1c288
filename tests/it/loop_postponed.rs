//! Limits whose end is known, in the real loop: the run that meets one waits for it, as all after it do,
//! and a server that always fails still fails its runs.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, ask, queue, read, succeeded};
use crate::loop_calls::{waited, waits};
use crate::loop_runs::good_run;
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::route::CircuitState;
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{Clock as _, Halt, OutagePolicy};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// An hour, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// A limit that is over an hour after the answer.
fn used_up(status: u16) -> Step {
    let said = json!({"message": "used up", "metadata": {"resets_at": "2026-10-21T08:28:00Z"}});
    Step::status(status)
        .header("date", "Wed, 21 Oct 2026 07:28:00 GMT")
        .body(json!({ "error": said }).to_string())
}

/// What readers of the lock file are told at the end of each wait.
fn told_at_each_wait(lab: &Lab) -> Arc<Mutex<Vec<(Value, i64)>>> {
    let told: Arc<Mutex<Vec<(Value, i64)>>> = Arc::default();
    let (seen, path) = (Arc::clone(&told), lab.path("data/daemon.lock"));
    lab.clock.at_each_wait(Some(Box::new(move |now| {
        let text = read(&path);
        let line = text.lines().nth(1).unwrap_or("{}");
        let doing: Value = serde_json::from_str(line).unwrap();
        seen.lock()
            .unwrap()
            .push((doing["waiting"].clone(), now.millis));
    })));
    told
}

#[tokio::test]
async fn a_run_that_meets_a_limit_with_a_known_end_waits_for_it() {
    let by_header = Step::status(429).header("retry-after", "3600");
    for (step, max_retries) in [
        (used_up(429), 3),
        (used_up(403), 3),
        (by_header, 3),
        (used_up(429), 0),
    ] {
        let mut lab = Lab::new();
        lab.config.retry.max_retries = max_retries;
        lab.config.r#loop.loop_delay_ms = 0;
        lab.peer.push(step);
        good_run(&lab);
        let begun = lab.clock.now();
        let told = told_at_each_wait(&lab);
        let run = lab.run("keep this").await;
        assert!(succeeded(&run), "{:?}", run.error_code);
        assert_eq!(lab.peer.request_count(), 4, "nobody was asked meanwhile");
        let waits = waits(&lab);
        assert!(waits.iter().all(|(code, _)| *code == Code::RateLimited));
        assert_eq!(begun.millis_until(lab.clock.now()), HOUR_MS);
        // From the first to the last, readers know when it will be over.
        let told = told.lock().unwrap();
        assert_eq!(told.len(), waits.len());
        for (waiting, _) in told.iter() {
            assert_eq!(waiting["code"], json!("RATE_LIMITED"), "{waiting}");
            assert_eq!(waiting["since"], json!(begun), "{waiting}");
            let over = json!(begun.after_millis(HOUR_MS));
            assert_eq!(waiting["next_attempt_at"], over, "{waiting}");
            let message = waiting["message"].as_str().unwrap();
            assert!(message.contains("asked again at "), "{message}");
            assert!(!message.contains("in a row"), "{message}");
        }
    }
}

/// A quota that is full again in a month: nobody asks before, a person who sits there is told when, and readers
/// too.
#[tokio::test]
async fn a_server_that_asks_to_be_left_alone_for_a_month_is() {
    const MONTH_MS: u64 = 30 * 24 * HOUR_MS;
    let dated = Step::status(429)
        .header("date", "Wed, 21 Oct 2026 07:28:00 GMT")
        .header("retry-after", "Fri, 20 Nov 2026 07:28:00 GMT");
    for step in [Step::status(429).header("retry-after", "2592000"), dated] {
        let mut lab = Lab::new();
        lab.config.r#loop.loop_delay_ms = 0;
        lab.peer.push(step);
        good_run(&lab);
        let begun = lab.clock.now();
        let told = told_at_each_wait(&lab);
        lab.patience = OutagePolicy::None;
        let mut agent = lab.start();
        let run_id = queue(&mut agent, "keep this").await;
        let Err(Halt::Failed(failure)) = agent.drive(run_id).await else {
            panic!("nobody waits for a month");
        };
        let until = begun.after_millis(MONTH_MS);
        assert_eq!(failure.code, Code::RateLimited);
        assert!(failure.message.contains(&until.to_string()), "{failure:?}");
        assert_eq!(agent.health().circuit_state, CircuitState::Open);
        // The last hour of it is lived through.
        lab.clock
            .advance(i64::try_from(MONTH_MS - HOUR_MS).unwrap());
        agent.patience = OutagePolicy::Endless;
        let run = agent.drive(run_id).await.unwrap();
        agent.close().unwrap();
        assert!(succeeded(&run), "{:?}", run.error_code);
        assert_eq!(lab.peer.request_count(), 4, "nobody was asked meanwhile");
        assert_eq!(begun.millis_until(lab.clock.now()), MONTH_MS);
        for (waiting, _) in told.lock().unwrap().iter() {
            assert_eq!(waiting["next_attempt_at"], json!(until), "{waiting}");
        }
    }
}

#[tokio::test]
async fn the_failure_that_opens_the_breaker_leaves_the_run_its_repeats() {
    let mut lab = Lab::new();
    lab.config.r#loop.loop_delay_ms = 0;
    for _ in 0..6 {
        lab.peer.push(Step::status(500));
    }
    let mut agent = lab.start();
    // Three repeats are all that a run has.
    let run = ask(&mut agent, "one").await;
    assert_eq!(run.error_code, Some(Code::ProviderServerError));
    assert_eq!(lab.peer.request_count(), 4);
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
    good_run(&lab);
    let run = ask(&mut agent, "two").await;
    assert!(succeeded(&run), "{:?}", run.error_code);
    assert_eq!(lab.peer.request_count(), 9);
    assert_eq!(waits(&lab), [(Code::ProviderServerError, 30_000); 2]);
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
}

#[tokio::test]
async fn a_server_that_always_fails_fails_each_run_after_its_repeats() {
    let failed = (Code::ProviderServerError, 30_000);
    let mut lab = Lab::with_peer(Peer::answering(|_, _| Step::status(500)));
    lab.config.r#loop.loop_delay_ms = 0;
    let mut agent = lab.start();
    for (request, asked) in [("one", 4), ("two", 8), ("three", 12)] {
        let run = ask(&mut agent, request).await;
        assert_eq!(run.error_code, Some(Code::ProviderServerError));
        assert_eq!(lab.peer.request_count(), asked);
    }
    let mut expected = vec![failed; 3];
    expected.push((Code::LlmUnavailable, 30_000));
    expected.extend([failed; 3]);
    assert_eq!(waits(&lab), expected);

    // So does one whose limit is used up again each time.
    let mut lab = Lab::with_peer(Peer::answering(|_, _| used_up(429)));
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::RateLimited));
    assert_eq!(lab.peer.request_count(), 4);
}

#[tokio::test]
async fn a_person_who_waits_is_told_until_when_and_the_request_stays_pending() {
    let mut lab = Lab::new();
    lab.patience = OutagePolicy::None;
    lab.peer.push(used_up(429));
    let over = lab.clock.now().after_millis(HOUR_MS);
    let mut agent = lab.start();
    let run_id = queue(&mut agent, "keep this").await;
    let Err(Halt::Failed(failure)) = agent.drive(run_id).await else {
        panic!("it must not wait for an hour");
    };
    assert_eq!(failure.code, Code::RateLimited);
    let words = format!("(HTTP 429): used up; asked again at {over}");
    assert!(failure.message.ends_with(&words), "{}", failure.message);
    // Asked again at once, it says the same, and nobody is asked.
    let Err(Halt::Failed(failure)) = agent.drive(run_id).await else {
        panic!("it must not wait for an hour");
    };
    assert_eq!(failure.code, Code::RateLimited);
    let words = format!("a limit is used up, as it said; asked again at {over}");
    assert!(failure.message.ends_with(&words), "{}", failure.message);
    agent.close().unwrap();
    assert_eq!(lab.peer.request_count(), 1);
    assert_eq!(lab.runs()[0].state, RunState::Running);
    good_run(&lab);
    assert!(succeeded(&lab.start().drive(run_id).await.unwrap()));
}

#[tokio::test]
async fn a_person_waits_as_long_as_a_breaker_stays_open() {
    let mut lab = Lab::new();
    lab.patience = OutagePolicy::None;
    lab.config.retry.max_retries = 1;
    lab.config.r#loop.loop_delay_ms = 0;
    for _ in 0..5 {
        lab.peer.push(Step::status(500));
    }
    good_run(&lab);
    let mut agent = lab.start();
    for request in ["one", "two"] {
        let run = ask(&mut agent, request).await;
        assert_eq!(run.error_code, Some(Code::ProviderServerError));
    }
    assert!(succeeded(&ask(&mut agent, "three").await));
    assert_eq!(waits(&lab), [(Code::ProviderServerError, 30_000)]);
    // One that is away by then is away.
    for _ in 0..2 {
        lab.peer.push(Step::status(500));
    }
    for _ in 0..3 {
        lab.peer.push(Step::status(503));
    }
    ask(&mut agent, "four").await;
    let event = EventId("five".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    for _ in 0..2 {
        let Err(Halt::Failed(failure)) = agent.drive(run_id).await else {
            panic!("it must not wait for a server that is away");
        };
        assert_eq!(failure.code, Code::LlmUnavailable);
    }
}

#[tokio::test]
async fn a_pause_that_a_server_asks_for_binds_every_question_to_it() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 0;
    lab.config.r#loop.loop_delay_ms = 0;
    let mut agent = lab.start();
    lab.peer.push(Step::status(429).header("retry-after", "7"));
    let run = ask(&mut agent, "one").await;
    assert_eq!(run.error_code, Some(Code::RateLimited));
    let told = told_at_each_wait(&lab);
    lab.clock.advance(2000);
    good_run(&lab);
    assert!(succeeded(&ask(&mut agent, "two").await));
    assert_eq!(lab.clock.slept_ms(), [5000]);
    let paused = json!([{"code": "RATE_LIMITED", "ms": 5000}]);
    assert_eq!(waited(&lab), [paused]);
    assert_eq!(lab.peer.request_count(), 4);
    let (waiting, now) = told.lock().unwrap()[0].clone();
    assert_eq!(waiting["code"], json!("RATE_LIMITED"), "{waiting}");
    let next: kjxlkj_agent::time::Timestamp =
        serde_json::from_value(waiting["next_attempt_at"].clone()).unwrap();
    assert_eq!(next.millis, now);
    assert!(agent.status().waiting.is_none());
}

#[tokio::test]
async fn readers_are_told_of_a_pause_within_a_call() {
    let mut lab = Lab::new();
    lab.config.r#loop.loop_delay_ms = 0;
    lab.peer.push(Step::status(429).header("retry-after", "60"));
    good_run(&lab);
    let told = told_at_each_wait(&lab);
    assert!(succeeded(&lab.run("keep this").await));
    let (waiting, now) = told.lock().unwrap()[0].clone();
    assert_eq!(waiting["code"], json!("RATE_LIMITED"), "{waiting}");
    let message = waiting["message"].as_str().unwrap();
    assert!(message.contains("too many requests"), "{message}");
    let next: kjxlkj_agent::time::Timestamp =
        serde_json::from_value(waiting["next_attempt_at"].clone()).unwrap();
    assert_eq!(next.millis, now);
    assert_eq!(lab.clock.slept_ms(), [60_000]);
}
