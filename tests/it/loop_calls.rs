//! What stands around every call of the loop: the day's budget, the limit of a minute, the breaker. The
//! real agent, a scripted peer, and a clock that only tests move.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ManualClock, Seen, ask, queue, succeeded};
use crate::loop_runs::{good_replies, good_run};
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::core::journal::Event;
use kjxlkj_agent::core::route::{Allowance, CircuitState, Cost};
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{
    Agent, Clock as _, Command, Envelope, Halt, OutagePolicy, StopHandle, command_channel,
};
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::{EventId, RunId};
use kjxlkj_agent::time::{DAY_MS, Timestamp};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc;

/// Longest wait for what the peer has seen: it counts a question once it knows what to answer.
const DEADLINE: Duration = Duration::from_secs(20);

fn with_budget(calls: Option<u64>, tokens: Option<u64>) -> Lab {
    let mut lab = Lab::new();
    lab.config.budget.day = Allowance { calls, tokens };
    lab
}

/// What is known to be spent on the day that it is.
pub(crate) fn spent(lab: &Lab) -> Cost {
    let spending = lab.state().spending;
    spending.on(spending.day_at(lab.clock.now()))
}

/// The events of one type in the journal, in order.
pub(crate) fn told(lab: &Lab, type_name: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for name in lab.names("data/journal") {
        for line in lab.text(&format!("data/journal/{name}")).lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            let Some(events) = line["events"].as_array() else {
                continue;
            };
            let data = line["data"].as_array().unwrap();
            let both = events.iter().zip(data);
            found.extend(
                both.filter(|(event, _)| event["type"] == type_name)
                    .map(|(_, data)| data.clone()),
            );
        }
    }
    found
}

/// The pauses for something outside to get better, with what for.
pub(crate) fn waits(lab: &Lab) -> Vec<(Code, u64)> {
    let mut waits = Vec::new();
    for seen in lab.eyes.seen() {
        if let Seen::Waiting(code, delay_ms) = seen {
            waits.push((code, delay_ms));
        }
    }
    waits
}

/// What was waited for before each call that the journal tells of, where it was anything.
pub(crate) fn waited(lab: &Lab) -> Vec<Value> {
    let calls = told(lab, "call.made").into_iter();
    let waited = calls.map(|call| call["waited"].clone());
    waited.filter(|waited| !waited.is_null()).collect()
}

/// Drives a run of which nothing may come.
async fn refused(lab: &mut Lab, agent: &mut Agent) -> Failure {
    let event = EventId(format!("refused {}", lab.clock.now()));
    let queued = agent.queue(event, Trigger::Request, Some("keep this".to_owned()));
    let run_id = queued.await.unwrap();
    match agent.drive(run_id).await {
        Err(Halt::Failed(failure)) => failure,
        other => panic!("it must not go on: {other:?}"),
    }
}

#[tokio::test]
async fn a_used_up_budget_is_waited_for_until_the_day_ends() {
    let mut lab = with_budget(Some(2), None);
    good_run(&lab);
    let today = lab.clock.now().millis.div_euclid(DAY_MS);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!((run.usage.calls, lab.peer.request_count()), (3, 3));
    assert_eq!(lab.clock.now().millis.div_euclid(DAY_MS), today + 1);
    let waits = waits(&lab);
    assert!(!waits.is_empty());
    assert!(waits.iter().all(|(code, _)| *code == Code::BudgetExceeded));
    assert!(waits.iter().all(|(_, delay_ms)| *delay_ms <= 60_000));
    let told_ms: u64 = waits.iter().map(|(_, delay_ms)| delay_ms).sum();
    let budget = json!([{"code": "BUDGET_EXCEEDED", "ms": told_ms}]);
    assert_eq!(waited(&lab), [budget], "by the call that came after it");
    // The first two belong to the day before.
    assert_eq!(spent(&lab).calls, 1);
    let settled = told(&lab, "budget.settled");
    let days: Vec<i64> = settled
        .iter()
        .map(|it| it["day"].as_i64().unwrap())
        .collect();
    assert_eq!(days, [today, today, today + 1]);
}

#[tokio::test]
async fn a_person_who_waits_is_told_and_the_run_stays_open() {
    let mut lab = with_budget(Some(1), None);
    lab.patience = OutagePolicy::None;
    lab.says(&ram_add("plan", "p"));
    let mut agent = lab.start();
    let failure = refused(&mut lab, &mut agent).await;
    agent.close().unwrap();
    assert_eq!(failure.code, Code::BudgetExceeded);
    assert!(failure.message.contains("all 1 calls"), "{failure:?}");
    assert_eq!(lab.peer.request_count(), 1);
    assert_eq!(lab.runs()[0].state, RunState::Running);
}

#[tokio::test]
async fn the_model_that_answered_is_kept_and_a_stand_in_teaches_nothing_of_the_asked_one() {
    let mut lab = Lab::new();
    lab.config.provider.fallback_models = vec!["second/choice".to_owned()];
    lab.config.r#loop.max_iterations = Some(1);
    for (answered, is_learnt) in [
        ("second/choice-2026", false),
        ("peer-model-2026", true),
        ("peer-model", true),
    ] {
        let choice = json!({"message": {"content": ram_add("a", answered)}});
        let usage = json!({"prompt_tokens": 90, "completion_tokens": 7});
        let answer = json!({"model": answered, "choices": [choice], "usage": usage});
        lab.peer.push(Step::json(&answer));
        lab.run(answered).await;
        let known = lab.state().calibrations.of("peer-model");
        assert_eq!(known.is_some(), is_learnt, "{answered}");
    }
    let calls = told(&lab, "call.made");
    let answered: Vec<&Value> = calls.iter().map(|call| &call["answered_by"]).collect();
    assert_eq!(answered, ["second/choice-2026", "peer-model-2026"]);
}

#[tokio::test]
async fn a_crash_during_a_call_has_paid_for_it() {
    let stop: Arc<Mutex<Option<StopHandle>>> = Arc::default();
    let peer = Peer::answering({
        let stop = Arc::clone(&stop);
        move |_, _| {
            stop.lock().unwrap().take().unwrap().stop();
            Step::hang()
        }
    });
    let mut lab = Lab::with_peer(peer);
    lab.config.budget.day.calls = Some(1);
    let mut agent = lab.start();
    *stop.lock().unwrap() = Some(lab.stopper());
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    assert!(matches!(agent.step(run_id).await, Err(Halt::Stopped)));
    // Nothing is written in good order.
    drop(agent);
    assert_eq!(spent(&lab).calls, 1);
    let reserved = told(&lab, "budget.reserved");
    assert_eq!(reserved.len(), 1);
    let tokens = reserved[0]["cost"]["tokens"].as_u64().unwrap();
    assert!(tokens > 1000, "prompt and answer: {tokens}");
    lab.patience = OutagePolicy::None;
    let mut agent = lab.start();
    let Err(Halt::Failed(failure)) = agent.step(run_id).await else {
        panic!("the call is paid for");
    };
    assert_eq!(failure.code, Code::BudgetExceeded);
    assert_eq!(lab.peer.request_count(), 1);
}

/// A peer that refuses the first question, and stops the agent in the middle of the second one.
fn refuses_then_stops(stop: &Arc<Mutex<Option<StopHandle>>>) -> Peer {
    let stop = Arc::clone(stop);
    Peer::answering(move |_, index| {
        if index == 0 {
            return Step::status(503);
        }
        stop.lock().unwrap().take().unwrap().stop();
        Step::hang()
    })
}

#[tokio::test]
async fn what_a_refused_attempt_left_pays_for_the_next_one_also_through_a_crash() {
    let stop: Arc<Mutex<Option<StopHandle>>> = Arc::default();
    let mut lab = Lab::with_peer(refuses_then_stops(&stop));
    lab.config.budget.day.tokens = Some(1_000_000);
    let mut agent = lab.start();
    *stop.lock().unwrap() = Some(lab.stopper());
    let event = EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    assert!(matches!(agent.step(run_id).await, Err(Halt::Stopped)));
    drop(agent);
    let reserved = told(&lab, "budget.reserved");
    let tokens = |at: usize| reserved[at]["cost"]["tokens"].as_u64().unwrap();
    assert_eq!((reserved.len(), tokens(1)), (2, 0));
    // One call's worth of tokens, for whatever the second one came to.
    let spent = spent(&lab);
    assert_eq!((spent.calls, spent.tokens), (2, tokens(0)));
}

#[tokio::test]
async fn a_server_that_is_loading_or_is_asked_again_uses_up_no_tokens() {
    let mut lab = with_budget(None, Some(1_000_000));
    good_run(&lab);
    lab.run("keep this").await;
    let one_call = told(&lab, "budget.reserved")[0]["cost"]["tokens"].as_u64();
    let most = one_call.map(|tokens| tokens * 3 / 2);
    let loading = vec![Step::status(503); 6];
    let unreadable = vec![Step::reply("no instruction at all")];
    for (steps, is_of_run) in [
        (loading.clone(), true),
        (loading, false),
        (unreadable.clone(), true),
        (unreadable, false),
    ] {
        let mut lab = Lab::new();
        let budget = &mut lab.config.budget;
        let of = if is_of_run {
            &mut budget.run
        } else {
            &mut budget.day
        };
        of.tokens = most;
        let asked = steps.len() + 3;
        for step in steps {
            lab.peer.push(step);
        }
        good_run(&lab);
        let run = lab.run("keep this").await;
        assert!(succeeded(&run), "{:?}", run.error_code);
        assert_eq!(lab.peer.request_count(), asked);
        let waits = waits(&lab);
        assert!(waits.iter().all(|(code, _)| *code == Code::LlmUnavailable));
        assert_eq!(run.spent.calls, u64::try_from(asked).unwrap());
        assert!(Some(run.spent.tokens) < most, "{:?}", run.spent);
    }
}

/// A run that a person calls off while the model thinks.
async fn called_off(agent: &mut Agent, asked: &Arc<Mutex<Option<RunId>>>, request: &str) {
    let run_id = queue(agent, request).await;
    *asked.lock().unwrap() = Some(run_id);
    let run = agent.drive(run_id).await.unwrap();
    assert_eq!(run.error_code, Some(Code::RunCancelled));
}

/// A peer that refuses so many questions; in the middle of each later one its run is called off.
fn refuses_then_calls_off(
    refused: usize,
) -> (Peer, mpsc::Receiver<Envelope>, Arc<Mutex<Option<RunId>>>) {
    let (commands, envelopes) = command_channel();
    let run: Arc<Mutex<Option<RunId>>> = Arc::default();
    let asked = Arc::clone(&run);
    let peer = Peer::answering(move |_, index| {
        if index < refused {
            return Step::status(500);
        }
        let run_id = asked.lock().unwrap().take().unwrap();
        commands.run(Command::Cancel { run_id }).unwrap();
        Step::hang()
    });
    (peer, envelopes, run)
}

#[tokio::test]
async fn a_question_that_was_called_off_is_paid_for() {
    let (peer, envelopes, run) = refuses_then_calls_off(0);
    let mut lab = Lab::with_peer(peer);
    lab.config.budget.day.calls = Some(2);
    lab.patience = OutagePolicy::None;
    let mut agent = lab.start();
    agent.serve_by(envelopes);
    called_off(&mut agent, &run, "one").await;
    called_off(&mut agent, &run, "two").await;
    let failure = refused(&mut lab, &mut agent).await;
    assert_eq!(failure.code, Code::BudgetExceeded);
    lab.peer.wait_for_requests(2, DEADLINE);
    assert_eq!(lab.peer.request_count(), 2);
    let tokens = |type_name: &str, of: &str| -> u64 {
        let told = told(&lab, type_name).into_iter();
        told.map(|it| it[of]["tokens"].as_u64().unwrap()).sum()
    };
    // How much was written, nobody knows.
    assert_eq!(
        tokens("budget.settled", "spent"),
        tokens("budget.reserved", "cost")
    );
}

#[tokio::test]
async fn a_question_that_was_called_off_tells_nothing_of_the_server() {
    let (peer, envelopes, run) = refuses_then_calls_off(5);
    let mut lab = Lab::with_peer(peer);
    lab.config.retry.max_retries = 4;
    lab.config.r#loop.loop_delay_ms = 0;
    let mut agent = lab.start();
    agent.serve_by(envelopes);
    ask(&mut agent, "fails").await;
    let opened = agent.health();
    assert_eq!(opened.circuit_state, CircuitState::Open);
    lab.clock.advance(31_000);
    for request in ["one", "two", "three", "four"] {
        called_off(&mut agent, &run, request).await;
        let health = agent.health();
        assert_eq!(health.circuit_state, CircuitState::HalfOpen, "{request}");
        assert_eq!(health.consecutive_failures, 5);
        assert_eq!(health.last_check_time, opened.last_check_time);
        assert!(!health.available && health.last_success_time.is_none());
    }
    lab.peer.wait_for_requests(9, DEADLINE);
    assert_eq!(lab.peer.request_count(), 9);
}

#[tokio::test]
async fn a_clock_that_is_set_back_leaves_no_server_alone_for_longer() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 4;
    lab.config.r#loop.loop_delay_ms = 0;
    for _ in 0..5 {
        lab.peer.push(Step::status(500));
    }
    let mut agent = lab.start();
    ask(&mut agent, "fails").await;
    assert_eq!(agent.health().circuit_state, CircuitState::Open);
    lab.clock.put(-DAY_MS);
    good_run(&lab);
    assert!(succeeded(&ask(&mut agent, "keep this").await));
    assert!(waits(&lab).is_empty());
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
}

#[tokio::test]
async fn repeats_and_questions_put_again_count_on_the_same_budget() {
    let mut lab = with_budget(Some(100), None);
    lab.config.r#loop.max_iterations = Some(1);
    lab.peer.push(Step::status(500));
    lab.says("no instruction at all");
    lab.peer.push(Step::status(429));
    lab.says(&ram_add("a", "1"));
    let run = lab.run("do it").await;
    assert_eq!((run.loop_count, run.usage.calls), (1, 2));
    assert_eq!(spent(&lab).calls, 4);
    assert_eq!(
        told(&lab, "budget.reserved").len(),
        4,
        "each before its attempt"
    );
    assert_eq!(told(&lab, "budget.settled").len(), 1, "with the iteration");
}

/// A server that does not know a member of the request is asked again without it: that is a request
/// like any other, and no failure.
#[tokio::test]
async fn what_is_asked_again_without_a_member_counts_on_budget_and_minute() {
    let refusals = || {
        let members = ["unrecognized field: stream_options", "no streaming here"];
        members.map(|text| Step::status(501).body(json!({ "error": text }).to_string()))
    };
    let mut lab = with_budget(Some(100), None);
    lab.config.budget.calls_per_minute = Some(4);
    lab.config.r#loop.loop_delay_ms = 0;
    lab.config.retry.max_retries = 0;
    lab.config.budget.run.calls = Some(5);
    for step in refusals() {
        lab.peer.push(step);
    }
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run), "{:?}", run.error_code);
    assert_eq!((run.usage.calls, lab.peer.request_count()), (3, 5));
    assert_eq!((run.spent.calls, spent(&lab).calls), (5, 5));
    assert_eq!(
        told(&lab, "budget.reserved").len(),
        5,
        "each before it left"
    );
    let fifth = [(Code::RateLimited, 60_000)];
    assert_eq!(waits(&lab), fifth, "the fifth of a minute of four");
    let health = agent.health();
    assert!(health.available && health.error_rate.abs() < f64::EPSILON);

    // Where the budget ends with the refused one, nothing more is asked.
    let mut lab = Lab::new();
    lab.config.budget.run.calls = Some(1);
    let [first, _] = refusals();
    lab.peer.push(first);
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::BudgetExceeded));
    assert_eq!(lab.peer.request_count(), 1);
}

#[tokio::test]
async fn what_came_to_nobody_costs_nothing() {
    let mut lab = with_budget(Some(3), None);
    lab.patience = OutagePolicy::None;
    lab.config.provider.base_url = NOBODY[0].to_owned();
    let mut agent = lab.start();
    let failure = refused(&mut lab, &mut agent).await;
    agent.close().unwrap();
    assert_eq!(failure.code, Code::LlmUnavailable, "{failure:?}");
    // Four attempts went out on one reservation, and it came back.
    assert_eq!(told(&lab, "budget.reserved").len(), 1);
    assert_eq!(spent(&lab), Cost::default());
}

#[tokio::test]
async fn tokens_are_those_of_the_server_or_our_own_estimate_whichever_is_more() {
    let answer = |usage: Value| {
        let message = json!({"role": "assistant", "content": ram_add("a", "1")});
        let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
        Step::json(&json!({"choices": [choice], "usage": usage}))
    };
    let mut costs = Vec::new();
    for usage in [
        json!(null),
        json!({"prompt_tokens": -5, "completion_tokens": 0}),
        json!({"prompt_tokens": 70_000, "completion_tokens": 7}),
    ] {
        let mut lab = with_budget(None, Some(1_000_000));
        lab.config.r#loop.max_iterations = Some(1);
        lab.peer.push(answer(usage));
        lab.run("do it").await;
        costs.push(spent(&lab).tokens);
    }
    assert!(costs[1] > 50, "{costs:?}");
    // Where no count came at all, the estimate is the one that budgets are charged with.
    assert!(costs[0] >= costs[1], "{costs:?}");
    assert_eq!(costs[2], 70_007);
}

#[tokio::test]
async fn a_question_that_no_day_can_pay_fails_and_is_not_asked() {
    let mut lab = with_budget(None, Some(100));
    let run = lab.run("do it").await;
    assert_eq!(run.error_code, Some(Code::BudgetExceeded));
    assert_eq!(lab.peer.request_count(), 0);
    assert!(waits(&lab).is_empty());
}

#[tokio::test]
async fn without_a_budget_nothing_is_written_about_it() {
    let mut lab = Lab::new();
    good_run(&lab);
    assert!(succeeded(&lab.run("keep this").await));
    assert!(told(&lab, "budget.reserved").is_empty());
    assert!(told(&lab, "budget.settled").is_empty());
    assert!(told(&lab, "call.made").is_empty(), "it was simply answered");
    assert!(lab.state().spending.is_empty());
}

#[tokio::test]
async fn the_limit_of_a_minute_is_waited_for() {
    let mut lab = Lab::new();
    lab.config.budget.calls_per_minute = Some(2);
    lab.config.r#loop.loop_delay_ms = 17_000;
    lab.config.retry.max_retries = 0;
    good_run(&lab);
    assert!(succeeded(&lab.run("keep this").await));
    // Two pauses between iterations; then the third is due when the first is a minute old.
    assert_eq!(lab.clock.slept_ms(), [17_000, 17_000, 26_000]);
    assert_eq!(
        waited(&lab),
        [json!([{"code": "RATE_LIMITED", "ms": 26_000}])]
    );
}

/// In no minute are there more than the limit, not even across a burst and what comes after it.
#[tokio::test]
async fn the_limit_holds_in_each_minute() {
    let asked: Arc<Mutex<Vec<Timestamp>>> = Arc::default();
    let clock: Arc<OnceLock<Arc<ManualClock>>> = Arc::default();
    let (seen, at) = (Arc::clone(&asked), Arc::clone(&clock));
    let mut lab = Lab::with_peer(Peer::answering(move |_, index| {
        seen.lock().unwrap().push(at.get().unwrap().now());
        Step::reply(&good_replies()[index % 3])
    }));
    clock.set(Arc::clone(&lab.clock)).unwrap();
    lab.config.budget.calls_per_minute = Some(5);
    lab.config.r#loop.loop_delay_ms = 1000;
    let mut agent = lab.start();
    for run in 0..8 {
        ask(&mut agent, &run.to_string()).await;
    }
    let asked = asked.lock().unwrap();
    assert!(asked.len() > 20, "{asked:?}");
    for (first, next) in asked.iter().zip(asked.iter().skip(5)) {
        assert!(first.millis_until(*next) >= 60_000, "{asked:?}");
    }
}

/// The wait for the minute comes between the repeats of a question, and is no new question.
#[tokio::test]
async fn a_server_that_always_fails_fails_the_run_after_its_repeats_whatever_the_limit() {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| Step::status(500)));
    lab.config.budget.calls_per_minute = Some(2);
    lab.config.r#loop.loop_delay_ms = 0;
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::ProviderServerError));
    assert_eq!(lab.peer.request_count(), 4);
    let waits = waits(&lab);
    assert!(!waits.is_empty());
    assert!(waits.iter().all(|(code, _)| *code == Code::RateLimited));
}

#[tokio::test]
async fn longer_than_half_a_minute_a_call_is_held_back_and_nothing_fails() {
    let mut lab = Lab::new();
    lab.config.budget.calls_per_minute = Some(1);
    lab.config.r#loop.loop_delay_ms = 0;
    good_run(&lab);
    assert!(succeeded(&lab.run("keep this").await));
    assert_eq!(lab.peer.request_count(), 3);
    assert_eq!(waits(&lab), [(Code::RateLimited, 60_000); 2]);

    let mut lab = Lab::new();
    lab.config.budget.calls_per_minute = Some(1);
    lab.config.r#loop.loop_delay_ms = 0;
    lab.patience = OutagePolicy::None;
    lab.says(&ram_add("plan", "p"));
    let mut agent = lab.start();
    let failure = refused(&mut lab, &mut agent).await;
    assert_eq!(failure.code, Code::RateLimited);
    assert_eq!(lab.peer.request_count(), 1);
}

#[tokio::test]
async fn the_fifth_failure_opens_the_breaker_and_three_trials_close_it() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 4;
    lab.config.r#loop.loop_delay_ms = 0;
    for _ in 0..5 {
        lab.peer.push(Step::status(500));
    }
    let mut agent = lab.start();
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
    let run = ask(&mut agent, "one").await;
    // Each attempt counts.
    assert_eq!(run.error_code, Some(Code::ProviderServerError));
    assert_eq!(lab.peer.request_count(), 5);
    let health = agent.health();
    assert_eq!(health.circuit_state, CircuitState::Open);
    assert!(!health.available && health.consecutive_failures == 5);
    assert!((health.error_rate - 1.0).abs() < f64::EPSILON);

    // Calls fail at once, and a daemon waits instead of failing a run.
    let opened_at = lab.clock.now();
    good_run(&lab);
    let run = ask(&mut agent, "four").await;
    assert!(succeeded(&run));
    assert_eq!(waits(&lab), [(Code::LlmUnavailable, 30_000)]);
    assert_eq!(lab.clock.now().millis - opened_at.millis, 30_000);
    assert_eq!(lab.peer.request_count(), 8, "nobody was asked meanwhile");
    let health = agent.health();
    assert_eq!(health.circuit_state, CircuitState::Closed);
    assert!(health.available && health.consecutive_failures == 0);
}

#[tokio::test]
async fn a_failed_trial_opens_the_breaker_again() {
    let mut lab = Lab::new();
    lab.config.retry.max_retries = 4;
    lab.config.r#loop.loop_delay_ms = 0;
    for _ in 0..6 {
        lab.peer.push(Step::status(503));
    }
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "one").await;
    assert!(succeeded(&run));
    assert_eq!(
        waits(&lab),
        [
            (Code::LlmUnavailable, 30_000),
            (Code::LlmUnavailable, 60_000)
        ]
    );
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
}

#[tokio::test]
async fn refused_keys_and_requests_are_asked_once_and_open_nothing() {
    for status in [401, 402, 403, 400] {
        let mut lab = Lab::new();
        let mut agent = lab.start();
        for call in 1..=6 {
            lab.peer.push(Step::status(status));
            let run = ask(&mut agent, &call.to_string()).await;
            assert_eq!(run.state, RunState::Failed);
            assert_eq!(lab.peer.request_count(), call, "{status}: one call only");
        }
        assert_eq!(agent.health().circuit_state, CircuitState::Closed);
    }
}

#[tokio::test]
async fn a_run_that_has_used_up_its_budget_fails_and_keeps_what_it_did() {
    let mut lab = Lab::new();
    lab.config.budget.run.calls = Some(2);
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert_eq!(
        (run.state, run.error_code),
        (RunState::Failed, Some(Code::BudgetExceeded))
    );
    assert_eq!((run.usage.calls, lab.peer.request_count()), (2, 2));
    assert_eq!((run.spent.calls, lab.notes().len()), (2, 1));
    assert!(waits(&lab).is_empty(), "no day renews it");
    // Whoever tries it again allows it as much again, and so has every other run.
    let retried = kjxlkj_agent::core::agent::retry(&run).unwrap();
    let Event::RunRetried(retried) = retried else {
        panic!("it is tried again");
    };
    assert_eq!(retried.run.spent, Cost::default());
    lab.says(&ram_add("think_log", "more"));
    ask(&mut agent, "and this").await;
    agent.close().unwrap();
    assert_eq!(lab.peer.request_count(), 4);
    let settled = told(&lab, "budget.settled");
    let runs: Vec<&Value> = settled.iter().map(|it| &it["run_id"]).collect();
    assert_eq!(runs[..2], [&json!(run.run_id), &json!(run.run_id)]);
    assert_ne!(runs[2], runs[0]);
}

#[tokio::test]
async fn a_crash_in_the_middle_of_a_run_brings_it_no_new_budget() {
    let stop: Arc<Mutex<Option<StopHandle>>> = Arc::default();
    let peer = Peer::answering({
        let stop = Arc::clone(&stop);
        move |_, index| {
            if index == 0 {
                return Step::reply(&record_add("T", "v"));
            }
            stop.lock().unwrap().take().unwrap().stop();
            Step::hang()
        }
    });
    let mut lab = Lab::with_peer(peer);
    lab.config.budget.run.calls = Some(2);
    let mut agent = lab.start();
    let event = EventId("e".to_owned());
    let request = Some("keep this".to_owned());
    let run_id = agent.queue(event, Trigger::Request, request).await.unwrap();
    agent.step(run_id).await.unwrap();
    *stop.lock().unwrap() = Some(lab.stopper());
    assert!(matches!(agent.step(run_id).await, Err(Halt::Stopped)));
    // Nothing is written in good order.
    drop(agent);
    assert_eq!(lab.runs()[0].spent.calls, 2);
    let mut agent = lab.start();
    agent.drive(run_id).await.unwrap();
    agent.close().unwrap();
    let run = &lab.runs()[0];
    assert_eq!(run.error_code, Some(Code::BudgetExceeded));
    assert_eq!((lab.peer.request_count(), lab.notes().len()), (2, 1));
}

#[tokio::test]
async fn tokens_of_a_run_are_those_that_it_may_still_take() {
    let mut lab = Lab::new();
    good_run(&lab);
    let whole = lab.run("keep this").await;
    assert!(
        whole.spent == Cost::default(),
        "nothing is counted without a budget"
    );
    let mut counted = Lab::new();
    counted.config.budget.run.tokens = Some(1_000_000);
    good_run(&counted);
    let spent = counted.run("keep this").await.spent;
    assert!(spent.calls == 3 && spent.tokens > 100, "{spent:?}");
    let mut lab = Lab::with_peer(Peer::answering(|_, _| Step::reply(&record_add("T", "v"))));
    lab.config.budget.run.tokens = Some(spent.tokens);
    let run = lab.run("keep this").await;
    // The last call might have taken more than there was left.
    assert_eq!(run.error_code, Some(Code::BudgetExceeded));
    assert!(lab.peer.request_count() < 3);
}
