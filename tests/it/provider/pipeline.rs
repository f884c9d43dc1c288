//! Retry and cancel, with a sleeper that only notes how long it was asked to sleep.

use super::{config, question};
use crate::peer::{Gate, Peer, Step};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind};
use kjxlkj_agent::core::prompt::unchecked_meter;
use kjxlkj_agent::core::route::{CircuitState, RetryPolicy};
use kjxlkj_agent::daemon::offer;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    CallFuture, CallOutcome, CallPolicy, KnownServers, Pipeline, ProviderEnvironment, Sleeper,
    TokenCounter, connect, connect_in,
};
use kjxlkj_agent::time::Timestamp;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SEED_POLICY: RetryPolicy = RetryPolicy {
    max_retries: 3,
    base_delay_ms: 100,
    max_delay_ms: 5000,
};

#[derive(Debug, Default)]
struct Notebook(Mutex<Vec<u128>>);

impl Notebook {
    fn delays_ms(&self) -> Vec<u128> {
        self.0.lock().unwrap().clone()
    }
}

impl Sleeper for Notebook {
    fn sleep(&self, duration: Duration) -> CallFuture<'_, ()> {
        self.0.lock().unwrap().push(duration.as_millis());
        Box::pin(std::future::ready(()))
    }
}

fn policy(retry: RetryPolicy) -> CallPolicy {
    CallPolicy {
        retry,
        calls_per_minute: None,
    }
}

/// A moment that never passes.
const fn now() -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000)
}

/// Calls a peer with these steps and returns the outcome and the pauses in between.
async fn call(steps: Vec<Step>, timeout_ms: u64, retry: RetryPolicy) -> (CallOutcome, Vec<u128>) {
    let peer = Peer::start();
    let requests = steps.len();
    for step in steps {
        peer.push(step);
    }
    let config = ProviderConfig {
        timeout_ms,
        ..config(&peer.base_url())
    };
    let notebook = Arc::new(Notebook::default());
    let mut pipeline = Pipeline::new(connect(&config, None).unwrap(), policy(retry));
    let outcome = pipeline.call(&question(), &*notebook, &now).await;
    assert_eq!(peer.request_count(), requests);
    assert_eq!(outcome.attempts, u32::try_from(requests).unwrap());
    (outcome, notebook.delays_ms())
}

#[tokio::test]
async fn a_silent_server_is_asked_four_times_and_then_timed_out() {
    let (outcome, delays_ms) = call(vec![Step::hang(); 4], 100, SEED_POLICY).await;
    let error = outcome.reply.unwrap_err();
    assert_eq!((error.code, outcome.attempts), (Code::LlmTimeout, 4));
    assert_eq!(delays_ms, [100, 200, 400]);
}

#[tokio::test]
async fn a_storm_of_errors_is_bounded_and_survived() {
    let storm = || vec![Step::status(500); 3];
    let lost = [storm(), vec![Step::status(502)]].concat();
    let (outcome, delays_ms) = call(lost, 20_000, SEED_POLICY).await;
    assert_eq!(outcome.reply.unwrap_err().code, Code::ProviderServerError);
    assert_eq!(delays_ms, [100, 200, 400]);

    let won = [storm(), vec![Step::reply("at last")]].concat();
    let (outcome, delays_ms) = call(won, 20_000, SEED_POLICY).await;
    assert_eq!(outcome.reply.unwrap().text, "at last");
    assert_eq!(delays_ms, [100, 200, 400]);

    let none = RetryPolicy {
        max_retries: 0,
        ..SEED_POLICY
    };
    let (outcome, delays_ms) = call(vec![Step::status(500)], 20_000, none).await;
    assert!(outcome.reply.is_err());
    assert!(delays_ms.is_empty());
}

#[tokio::test]
async fn the_longer_of_back_off_and_retry_after_is_waited() {
    let limited = |pause: &str| Step::status(429).header("retry-after", pause);
    let steps = vec![
        limited("0"),
        limited("2"),
        limited("120"),
        Step::reply("hi"),
    ];
    let (outcome, delays_ms) = call(steps, 20_000, SEED_POLICY).await;
    assert_eq!(outcome.reply.unwrap().text, "hi");
    // The server's wish may exceed the back-off's own maximum; one of more than two minutes ends the call.
    assert_eq!(delays_ms, [100, 2000, 120_000]);
}

#[tokio::test]
async fn a_server_that_is_left_alone_uses_nothing_of_the_minute() {
    let peer = Peer::start();
    for _ in 0..5 {
        peer.push(Step::status(500));
    }
    peer.push(Step::reply("back"));
    let none = RetryPolicy {
        max_retries: 0,
        ..SEED_POLICY
    };
    let limited = CallPolicy {
        calls_per_minute: Some(6),
        ..policy(none)
    };
    let provider = connect(&config(&peer.base_url()), None).unwrap();
    let mut pipeline = Pipeline::new(provider, limited);
    let notebook = Notebook::default();
    for _ in 0..5 {
        let failed = pipeline.call(&question(), &notebook, &now).await;
        assert_eq!(failed.attempts, 1);
    }
    for _ in 0..5 {
        let held = pipeline.call(&question(), &notebook, &now).await;
        assert_eq!(held.reply.unwrap_err().code, Code::LlmUnavailable);
        assert_eq!(held.attempts, 0);
    }
    let half_a_minute_on = || Timestamp::from_millis(now().millis + 30_000);
    let good = pipeline
        .call(&question(), &notebook, &half_a_minute_on)
        .await;
    assert_eq!(good.reply.unwrap().text, "back");
    assert!(notebook.delays_ms().is_empty(), "one of six was left");
}

#[tokio::test]
async fn only_what_may_pass_is_asked_again() {
    for status in [301, 400, 401, 402, 403, 404, 413, 422, 501] {
        let (outcome, delays_ms) = call(vec![Step::status(status)], 20_000, SEED_POLICY).await;
        assert!(outcome.reply.is_err(), "{status}");
        assert!(delays_ms.is_empty(), "{status}");
    }
    for status in [408, 429, 500, 502, 503, 504, 529] {
        let steps = vec![Step::status(status), Step::reply("hi")];
        let (outcome, delays_ms) = call(steps, 20_000, SEED_POLICY).await;
        assert!(outcome.reply.is_ok(), "{status}");
        assert_eq!(delays_ms, [100], "{status}");
    }
    // A page of a proxy, and half a character in an event, are no JSON.
    let page = Step::status(200).body("<html>busy</html>");
    let half = r#"data: {"choices":[{"delta":{"content":"\ud83d"}}]}"#;
    let half = Step::events(&[]).body(format!("{half}\n\ndata: [DONE]\n\n"));
    for step in [page, half] {
        let (outcome, delays_ms) = call(vec![step, Step::reply("hi")], 20_000, SEED_POLICY).await;
        assert_eq!(outcome.reply.unwrap().text, "hi");
        assert_eq!(outcome.failures, [Code::ProviderServerError]);
        assert_eq!(delays_ms, [100]);
    }
    let empty = Step::json(&serde_json::json!({"choices": []}));
    let (outcome, _) = call(vec![empty, Step::reply("hi")], 20_000, SEED_POLICY).await;
    assert_eq!(outcome.reply.unwrap().text, "hi");
}

/// A server that knows no `stream_options` may say so in a list.
#[tokio::test]
async fn a_member_that_a_list_of_refusals_names_is_left_out() {
    let entry = serde_json::json!({"loc": ["body", "stream_options"],
        "msg": "Extra inputs are not permitted"});
    for said in [
        serde_json::json!({"detail": [entry]}),
        serde_json::json!({"object": "error", "message": {"detail": [entry]}}),
    ] {
        let peer = Peer::start();
        peer.push(Step::status(422).body(said.to_string()));
        peer.push(Step::reply("hi"));
        let provider = connect(&config(&peer.base_url()), None).unwrap();
        let mut pipeline = Pipeline::new(provider, policy(SEED_POLICY));
        let called = pipeline.call(&question(), &Notebook::default(), &now).await;
        assert_eq!(called.reply.unwrap().text, "hi");
        let asked: Vec<bool> = peer
            .requests()
            .iter()
            .map(|request| request.json().get("stream_options").is_some())
            .collect();
        assert_eq!(asked, [true, false]);
    }
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_and_leaves_nothing_behind() {
    let peer = Arc::new(Peer::start());
    let gate = Gate::default();
    // Far more than fits into the buffers of a socket: writing it fails once the client has gone.
    peer.push(Step::reply(&"x".repeat(32 << 20)).behind(&gate));
    peer.push(Step::reply("the second"));
    let config = config(&peer.base_url());
    let provider = connect(&config, None).unwrap();
    let mut pipeline = Pipeline::new(provider, policy(SEED_POLICY));
    let notebook = Notebook::default();
    let request = question();
    let arrived = tokio::task::spawn_blocking({
        let peer = Arc::clone(&peer);
        move || peer.wait_for_requests(1, super::DEADLINE)
    });
    tokio::select! {
        outcome = pipeline.call(&request, &notebook, &now) => panic!("nothing was sent, but: {outcome:?}"),
        arrived = arrived => arrived.unwrap(),
    }
    let second = pipeline.call(&request, &notebook, &now).await;
    assert_eq!(second.reply.unwrap().text, "the second");
    gate.open();
    peer.wait_for_hang_ups(1, super::DEADLINE);
}

/// The seven questions of the specification, under the names that they have here: who it is, an answer,
/// its health, whether it has a model, its models, whether it is to be had, and what a prompt takes.
#[tokio::test]
async fn every_adapter_answers_every_question() {
    let peer = Peer::answering(|_, _| Step::reply("same"));
    for kind in [
        ProviderKind::LmStudio,
        ProviderKind::OpenRouter,
        ProviderKind::OpenAi,
        ProviderKind::Scripted,
        ProviderKind::Cli,
    ] {
        let script = Some(r#"{"text": "same"}"#.to_owned());
        let around = ProviderEnvironment {
            script_text: script,
            scratch: Arc::new(std::env::temp_dir()),
            ..ProviderEnvironment::default()
        };
        let line = r#"echo '{"type":"result","subtype":"success","result":"same"}'"#;
        let config = ProviderConfig {
            kind,
            command: ["/bin/sh", "-c", line].map(str::to_owned).to_vec(),
            ..config(&peer.base_url())
        };
        let provider = connect_in(&config, around).unwrap();
        assert_eq!(provider.provider_name(), kind.name());
        assert_eq!(provider.complete(&question()).await.unwrap().text, "same");
        let models = provider.models().await.unwrap();
        assert!(!models.is_empty(), "{kind:?}");
        provider.loaded_models().await.unwrap_or_default();
        let served = provider.served().await.unwrap();
        let counter = served.counter.unwrap_or(TokenCounter::LlamaServer);
        let counted = provider.count_tokens(&question().messages, counter).await;
        assert_eq!(counted, None, "{kind:?}: this peer has no counter");
        // What no counter tells is estimated, for all of them alike.
        assert!(unchecked_meter().messages(&question().messages) > 20);
        let other = provider.with_model("other");
        assert_eq!(other.is_none(), kind == ProviderKind::Scripted, "{kind:?}");
        for (model, is_listed) in [
            (models[0].clone(), true),
            ("no such model".to_owned(), false),
        ] {
            let wanted = ProviderConfig {
                model,
                ..config.clone()
            };
            let offer = offer(provider.as_ref(), &wanted).await.unwrap();
            assert_eq!(offer.listed.contains(&wanted.model), is_listed, "{kind:?}");
        }
        let mut pipeline = Pipeline::new(provider, policy(SEED_POLICY));
        assert!(pipeline.health(now()).last_check_time.is_none());
        let called = pipeline.call(&question(), &Notebook::default(), &now).await;
        let health = pipeline.health(now());
        // The script of one line has been said.
        let is_there = kind != ProviderKind::Scripted;
        assert_eq!(called.reply.is_ok(), is_there, "{kind:?}");
        assert_eq!(
            (health.available, health.last_check_time.is_some()),
            (is_there, true)
        );
    }
}

#[tokio::test]
async fn adapters_are_exchanged_by_configuration_alone() {
    let peer = Peer::answering(|_, _| Step::reply("same"));
    let kinds = [
        ProviderKind::LmStudio,
        ProviderKind::OpenRouter,
        ProviderKind::OpenAi,
        ProviderKind::Scripted,
    ];
    for kind in kinds {
        let config = ProviderConfig {
            kind,
            ..config(&peer.base_url())
        };
        let provider = connect(&config, Some(r#"{"text": "same"}"#)).unwrap();
        let mut pipeline = Pipeline::new(provider, policy(SEED_POLICY));
        assert_eq!(pipeline.provider().provider_name(), kind.name());
        assert!(!pipeline.provider().models().await.unwrap().is_empty());
        // A call may also be made from another thread.
        let runtime = tokio::runtime::Handle::current();
        let call = tokio::task::spawn_blocking(move || {
            let request = question();
            let notebook = Notebook::default();
            let called = pipeline.call(&request, &notebook, &now);
            runtime.block_on(called).reply
        });
        assert_eq!(call.await.unwrap().unwrap().text, "same");
    }
}

#[tokio::test]
async fn pipelines_to_one_server_share_a_breaker_and_all_of_them_the_minute() {
    let peer = Peer::start();
    for _ in 0..5 {
        peer.push(Step::status(500));
    }
    let limited = CallPolicy {
        calls_per_minute: Some(6),
        ..policy(RetryPolicy {
            max_retries: 4,
            ..SEED_POLICY
        })
    };
    let config = config(&peer.base_url());
    let other = ProviderConfig {
        model: "other".to_owned(),
        ..config.clone()
    };
    let mut known = KnownServers::default();
    let mut to = |config: &ProviderConfig| {
        let provider = connect(config, None).unwrap();
        known.pipeline(provider, config, limited)
    };
    let (mut first, mut again, mut beside) = (to(&config), to(&config), to(&other));
    let notebook = Notebook::default();
    let failed = first.call(&question(), &notebook, &now).await;
    assert_eq!(failed.attempts, 5);
    let held = again.call(&question(), &notebook, &now).await;
    assert_eq!((held.attempts, peer.request_count()), (0, 5));
    assert_eq!(again.health(now()).circuit_state, CircuitState::Open);
    // Another model of it may be well; of the minute one call is left.
    assert_eq!(beside.health(now()).circuit_state, CircuitState::Closed);
    let paused = notebook.delays_ms().len();
    peer.push(Step::reply("one"));
    let asked = beside.call(&question(), &notebook, &now).await;
    assert_eq!(asked.reply.unwrap().text, "one");
    let held = beside.call(&question(), &notebook, &now).await.reply;
    let held = held.unwrap_err();
    assert_eq!(
        (held.code, held.retry_after_ms),
        (Code::RateLimited, Some(60_000))
    );
    assert_eq!(notebook.delays_ms().len(), paused);
    let half_a_minute_on = || Timestamp::from_millis(now().millis + 30_000);
    peer.push(Step::reply("two"));
    let asked = beside.call(&question(), &notebook, &half_a_minute_on).await;
    assert_eq!(asked.reply.unwrap().text, "two");
    assert_eq!(notebook.delays_ms().last(), Some(&30_000));
    drop(first);
    known.forget_unused();
    drop((again, beside));
    known.forget_unused();
    let fresh = known.pipeline(connect(&config, None).unwrap(), &config, limited);
    assert_eq!(fresh.health(now()).circuit_state, CircuitState::Closed);
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_no_circuit_open() {
    let peer = Peer::start();
    for _ in 0..5 {
        peer.push(Step::status(500));
    }
    let lasting = RetryPolicy {
        max_retries: 4,
        ..SEED_POLICY
    };
    let provider = connect(&config(&peer.base_url()), None).unwrap();
    let mut pipeline = Pipeline::new(provider, policy(lasting));
    let notebook = Notebook::default();
    let failed = pipeline.call(&question(), &notebook, &now).await;
    assert_eq!(failed.attempts, 5);
    let held = pipeline.call(&question(), &notebook, &now).await;
    assert_eq!(held.attempts, 0);
    peer.push(Step::reply("there"));
    let an_hour_before = || Timestamp::from_millis(now().millis - 3_600_000);
    let asked = pipeline.call(&question(), &notebook, &an_hour_before).await;
    assert_eq!(asked.reply.unwrap().text, "there");
}

/// What is known of a provider is told without asking it; whoever wants to know anew asks.
#[tokio::test]
async fn health_is_what_is_known_and_a_look_at_the_models_asks() {
    let peer = Peer::start();
    let config = config(&peer.base_url());
    let mut pipeline = Pipeline::new(connect(&config, None).unwrap(), policy(SEED_POLICY));
    let health = pipeline.health(now());
    assert!(health.available && health.last_check_time.is_none());
    for _ in 0..4 {
        peer.push(Step::status(500));
    }
    let notebook = Notebook::default();
    let outcome = pipeline.call(&question(), &notebook, &now).await;
    assert!(outcome.reply.is_err());
    let health = pipeline.health(now());
    assert_eq!((health.consecutive_failures, health.latency_ms), (4, None));
    peer.push(Step::reply("x"));
    assert!(
        pipeline
            .call(&question(), &notebook, &now)
            .await
            .reply
            .is_ok()
    );
    let health = pipeline.health(now());
    assert_eq!(
        (health.consecutive_failures, health.latency_ms),
        (0, Some(0))
    );
    assert_eq!(peer.request_count(), 5, "nobody was asked for it");
    assert!(pipeline.provider().models().await.is_ok());
}
