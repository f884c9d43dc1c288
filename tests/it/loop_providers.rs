//! Several providers in the real loop: which is asked, who is asked in its place, and what the journal
//! tells of it.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::ram_add;
use crate::lab::{Lab, Seen, ask, succeeded};
use crate::loop_calls::{spent, told, waits};
use crate::loop_runs::good_replies;
use crate::peer::{NOBODY, Peer, Step};
use kjxlkj_agent::config::{NamedProvider, ProviderConfig, ProviderKind};
use kjxlkj_agent::core::route::CircuitState;
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::daemon::{Clock as _, OutagePolicy};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::provider::Sleeper as _;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::trace_of;
use kjxlkj_agent::time::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use uuid::Uuid;

pub(crate) fn serves(peer: &Peer) {
    for reply in good_replies() {
        peer.push(Step::reply(&reply));
    }
}

/// A laboratory whose own peer is the first of two providers.
pub(crate) fn lab_beside(second: &Peer) -> Lab {
    let mut lab = Lab::new();
    lab.config.r#loop.loop_delay_ms = 0;
    lab.config.retry.max_retries = 1;
    let named = |name: &str, base_url: String| NamedProvider {
        name: name.to_owned(),
        config: ProviderConfig {
            base_url,
            ..lab.config.provider.clone()
        },
    };
    lab.config.providers = vec![
        named("near", lab.peer.base_url()),
        named("far", second.base_url()),
    ];
    lab
}

/// Who was asked, why, what failed, and whether it answered.
pub(crate) fn calls(lab: &Lab) -> Vec<(String, Vec<String>, bool)> {
    let told = told(lab, "call.made");
    let words = |list: &Value| {
        let words = list.as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    told.iter()
        .map(|call| {
            assert!(!call["reason"].as_str().unwrap().is_empty());
            let provider = call["provider"].as_str().unwrap().to_owned();
            (
                provider,
                words(&call["failures"]),
                call["answered"] == json!(true),
            )
        })
        .collect()
}

#[tokio::test]
async fn the_first_of_several_is_asked_and_the_journal_says_why() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    serves(&lab.peer);
    let begun = lab.clock.now();
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!((lab.peer.request_count(), far.request_count()), (3, 0));
    let told = told(&lab, "call.made");
    assert_eq!(told.len(), 3);
    let reason = told[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("near has "), "{reason}");
    assert_eq!(told[0]["model"], json!("peer-model"));
    let mut requests = BTreeSet::new();
    for call in &told {
        let request_id: Uuid = call["request_id"].as_str().unwrap().parse().unwrap();
        assert!(requests.insert(request_id), "each has one of its own");
        let chosen_at: Timestamp = serde_json::from_value(call["chosen_at"].clone()).unwrap();
        assert!(begun <= chosen_at && chosen_at <= lab.clock.now());
        assert_eq!(call["finish"], json!("stop"));
        let decision = &call["decision"];
        assert_eq!(decision["selectedModel"], json!("near"));
        assert_eq!(decision["provider"], json!("local"));
        assert_eq!(decision["fallbackModels"], json!(["far"]));
        assert_eq!(decision["constraints"]["riskCompliant"], json!(true));
        let points = |index: usize| {
            let scored = &decision["scores"][index];
            let parts = scored["breakdown"].as_object().unwrap().values();
            let sum: i64 = parts.map(|points| points.as_i64().unwrap()).sum();
            assert_eq!(scored["score"], json!(sum));
            (scored["modelId"].as_str().unwrap().to_owned(), sum)
        };
        assert_eq!(points(0), ("near".to_owned(), 52));
        assert_eq!(points(1), ("far".to_owned(), 51));
    }
}

#[tokio::test]
async fn the_next_provider_is_asked_where_the_table_says_so() {
    let rows = [
        (Step::status(408), "PROVIDER_TIMEOUT"),
        (Step::status(429), "PROVIDER_RATE_LIMITED"),
        (Step::status(500), "PROVIDER_SERVER_ERROR"),
        (Step::status(503), "PROVIDER_UNAVAILABLE"),
    ];
    for (step, class) in rows {
        let far = Peer::start();
        let mut lab = lab_beside(&far);
        lab.config.r#loop.max_iterations = Some(1);
        lab.peer.push(step.clone());
        lab.peer.push(step);
        far.push(Step::reply(&ram_add("a", "far")));
        let run = lab.run("do it").await;
        assert_eq!(lab.kv()["a"], "far", "{class}");
        assert_eq!(run.usage.calls, 1);
        let failed = vec![class.to_owned(); 2];
        let expected = [
            ("near".to_owned(), failed, false),
            ("far".to_owned(), vec![], true),
        ];
        assert_eq!(calls(&lab), expected);
        let one = told(&lab, "call.made");
        assert_eq!(one[0]["request_id"], one[1]["request_id"]);
        let reason = one[1]["reason"].as_str().unwrap().to_owned();
        assert_eq!(
            reason,
            format!("in place of near, which ended with {class}")
        );
        assert!(waits(&lab).is_empty());
    }
}

#[tokio::test]
async fn after_a_model_that_is_too_slow_the_next_one_is_asked() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.r#loop.max_iterations = Some(1);
    lab.config.providers[0].config.timeout_ms = 500;
    lab.peer.push(Step::hang());
    lab.peer.push(Step::hang());
    far.push(Step::reply(&ram_add("a", "far")));
    lab.run("do it").await;
    assert_eq!(lab.kv()["a"], "far");
    let slow = vec!["PROVIDER_TIMEOUT".to_owned(); 2];
    let expected = [
        ("near".to_owned(), slow, false),
        ("far".to_owned(), vec![], true),
    ];
    assert_eq!(calls(&lab), expected);
}

#[tokio::test]
async fn in_place_of_a_program_that_is_missing_the_next_provider_is_asked() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.r#loop.max_iterations = Some(1);
    let near = &mut lab.config.providers[0].config;
    near.kind = ProviderKind::Cli;
    near.command = vec!["/nowhere/such-a-program".to_owned()];
    far.push(Step::reply(&ram_add("a", "far")));
    lab.run("do it").await;
    assert_eq!(lab.kv()["a"], "far");
    let calls = calls(&lab);
    assert_eq!(calls.len(), 2, "{calls:?}");
    let (name, failures, is_answered) = &calls[0];
    assert_eq!((name.as_str(), *is_answered), ("near", false));
    assert!(!failures.is_empty());
    assert!(failures.iter().all(|code| code == "PROVIDER_UNAVAILABLE"));
}

#[tokio::test]
async fn who_is_asked_in_the_place_of_another_counts_on_the_same_budget() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.r#loop.max_iterations = Some(1);
    lab.config.budget.day.calls = Some(100);
    lab.peer.push(Step::status(500));
    lab.peer.push(Step::status(500));
    far.push(Step::reply(&ram_add("a", "far")));
    lab.run("do it").await;
    assert_eq!(lab.kv()["a"], "far");
    assert_eq!(spent(&lab).calls, 3);
    assert_eq!(lab.runs()[0].spent.calls, 3);
}

#[tokio::test]
async fn the_limit_of_a_minute_makes_nobody_stand_in() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.budget.calls_per_minute = Some(1);
    serves(&lab.peer);
    assert!(succeeded(&lab.run("keep this").await));
    assert_eq!(waits(&lab), [(Code::RateLimited, 60_000); 2]);
    assert!(calls(&lab).iter().all(|(name, ..)| name == "near"));
    assert!(lab.eyes.notices().is_empty(), "{:?}", lab.eyes.notices());
}

#[tokio::test]
async fn a_refused_key_or_request_is_taken_to_nobody_else() {
    for (status, code) in [
        (401, Code::ProviderAuthError),
        (403, Code::ProviderAuthError),
        (400, Code::ProviderInvalidRequest),
    ] {
        let far = Peer::start();
        let mut lab = lab_beside(&far);
        lab.peer.push(Step::status(status));
        let run = lab.run("do it").await;
        assert_eq!((run.state, run.error_code), (RunState::Failed, Some(code)));
        assert_eq!((lab.peer.request_count(), far.request_count()), (1, 0));
    }
}

#[tokio::test]
async fn a_network_error_goes_to_nobody_else_until_the_breaker_opens() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.providers[0].config.base_url = NOBODY[0].to_owned();
    serves(&far);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run));
    agent.close().unwrap();
    assert_eq!(far.request_count(), 3);
    // Two attempts each, until the fifth opens the breaker.
    let calls = calls(&lab);
    let near: Vec<usize> = calls
        .iter()
        .filter(|(name, ..)| name == "near")
        .map(|(_, failures, _)| failures.len())
        .collect();
    assert_eq!(near, [2, 2, 1], "{calls:?}");
    assert_eq!(calls.len(), 6);
    // The one in whose place another is asked carries the choice; from then on it is out.
    let told = told(&lab, "call.made");
    assert!(told[3]["decision"].is_null() && told[4]["decision"].is_object());
    let last = &told[5];
    assert_eq!(
        last["decision"]["scores"][1]["disqualified"],
        json!("excluded")
    );
    let reason = last["reason"].as_str().unwrap();
    assert!(reason.ends_with("; left alone for now: near"), "{reason}");
    assert!(
        waits(&lab)
            .iter()
            .all(|(code, _)| *code == Code::LlmUnavailable)
    );
}

#[tokio::test]
async fn in_place_of_an_empty_account_the_next_provider_is_asked_and_that_one_left_alone() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.peer.push(Step::status(402));
    serves(&far);
    let mut agent = lab.start();
    let begun = lab.clock.now();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run), "{:?}", run.error_code);
    assert_eq!((lab.peer.request_count(), far.request_count()), (1, 3));
    assert!(waits(&lab).is_empty());
    let held_until = begun.after_millis(600_000);
    let notices = lab.eyes.notices();
    let [notice] = notices.as_slice() else {
        panic!("one tells it: {notices:?}");
    };
    assert!(
        notice.starts_with("far is asked in place of near: "),
        "{notice}"
    );
    let end = format!("; near is left alone until {held_until}");
    assert!(
        notice.contains("no credit left") && notice.ends_with(&end),
        "{notice}"
    );
    let refused = vec!["PROVIDER_INVALID_INPUT".to_owned()];
    assert_eq!(calls(&lab)[0], ("near".to_owned(), refused, false));
    let second = told(&lab, "call.made")[2]["reason"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(second.ends_with("; left alone for now: near"), "{second}");
    // Somebody may have paid meanwhile.
    lab.clock.advance(600_000);
    serves(&lab.peer);
    assert!(succeeded(&ask(&mut agent, "and this").await));
    assert_eq!((lab.peer.request_count(), far.request_count()), (4, 3));
}

#[tokio::test]
async fn where_no_account_has_credit_the_run_fails_and_nobody_is_asked_again_for_it() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    let mut agent = lab.start();
    lab.peer.push(Step::status(402));
    for (request, asked) in [("one", (1, 1)), ("two", (1, 2))] {
        far.push(Step::status(402));
        let run = ask(&mut agent, request).await;
        assert_eq!(run.error_code, Some(Code::ProviderInvalidRequest));
        let counts = (lab.peer.request_count(), far.request_count());
        assert_eq!(counts, asked, "the first is held");
    }
    assert!(waits(&lab).is_empty());
}

/// A daemon asks again until the breaker opens; one `run` has no other time to come to the second one.
#[tokio::test]
async fn a_person_who_waits_gets_to_the_second_where_nobody_answers_at_the_first() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.patience = OutagePolicy::None;
    lab.config.providers[0].config.base_url = NOBODY[0].to_owned();
    serves(&far);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run), "{:?}", run.error_code);
    assert_eq!(far.request_count(), 3);
    let near = calls(&lab).into_iter().filter(|(name, ..)| name == "near");
    let near: Vec<usize> = near.map(|(_, failures, _)| failures.len()).collect();
    assert_eq!(
        near,
        [2, 2, 1],
        "after its repeats each time, until it is left alone"
    );
    assert!(waits(&lab).is_empty());
}

/// Whichever of two comes last in a question: the one is asked whose wait is over first.
#[tokio::test]
async fn of_several_that_are_left_alone_the_soonest_is_waited_for() {
    for is_near_soonest in [true, false] {
        let far = Peer::start();
        let mut lab = lab_beside(&far);
        let (soon, late) = if is_near_soonest {
            (&lab.peer, &far)
        } else {
            (&far, &lab.peer)
        };
        soon.push(Step::status(429).header("retry-after", "150"));
        late.push(Step::status(429).header("retry-after", "3600"));
        serves(soon);
        let begun = lab.clock.now();
        assert!(succeeded(&lab.run("keep this").await));
        assert_eq!(begun.millis_until(lab.clock.now()), 150_000);
        let each = [60_000, 60_000, 30_000].map(|wait_ms| (Code::RateLimited, wait_ms));
        assert_eq!(waits(&lab), each);
    }
}

#[tokio::test]
async fn one_that_asked_for_a_pause_is_not_chosen_before_it_is_over() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.retry.max_retries = 0;
    lab.peer.push(Step::status(429).header("retry-after", "60"));
    serves(&far);
    assert!(succeeded(&lab.run("keep this").await));
    assert_eq!((lab.peer.request_count(), far.request_count()), (1, 3));
    assert!(lab.clock.slept_ms().is_empty(), "nobody had to wait");
}

#[tokio::test]
async fn whom_nobody_answered_for_is_told_without_an_iteration() {
    let five = vec!["PROVIDER_NETWORK_ERROR".to_owned(); 5];
    let expected = ["near", "far"].map(|name| (name.to_owned(), five.clone(), false));
    for (patience, request) in [
        (OutagePolicy::None, "told"),
        (OutagePolicy::Endless, "stopped"),
    ] {
        let mut lab = lab_beside(&Peer::start());
        lab.config.retry.max_retries = 4;
        for (listed, nobody) in lab.config.providers.iter_mut().zip(NOBODY) {
            nobody.clone_into(&mut listed.config.base_url);
        }
        lab.patience = patience;
        let mut agent = lab.start();
        let stop = lab.stopper();
        lab.eyes.react(move |seen| {
            if matches!(seen, Seen::Waiting(..)) {
                stop.stop();
            }
        });
        let event = EventId(request.to_owned());
        let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
        agent.step(run_id).await.unwrap_err();
        agent.close().unwrap();
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        let trace = trace_of(&mut disk, run_id).unwrap().unwrap();
        let told = trace.steps.into_iter().flat_map(|step| step.calls);
        let told: Vec<_> = told
            .map(|call| {
                let codes = call.failures.iter();
                let codes = codes.map(|code| code.as_str().to_owned()).collect();
                (call.provider, codes, call.answered)
            })
            .collect();
        assert_eq!(told, expected, "{request}");
    }
}

#[tokio::test]
async fn a_provider_is_left_alone_no_longer_because_the_clock_was_set_back() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.retry.max_retries = 4;
    for _ in 0..5 {
        lab.peer.push(Step::status(500));
    }
    serves(&far);
    let mut agent = lab.start();
    assert!(succeeded(&ask(&mut agent, "one").await));
    lab.clock.put(-3_600_000);
    serves(&lab.peer);
    assert!(succeeded(&ask(&mut agent, "two").await));
    assert_eq!((lab.peer.request_count(), far.request_count()), (8, 3));
}

#[tokio::test]
async fn a_provider_that_is_well_again_is_asked_again() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.config.retry.max_retries = 4;
    for _ in 0..5 {
        lab.peer.push(Step::status(500));
    }
    serves(&far);
    let mut agent = lab.start();
    assert!(succeeded(&ask(&mut agent, "one").await));
    assert_eq!((lab.peer.request_count(), far.request_count()), (5, 3));
    // Half a minute later the preferred one is tried again; three good answers close its breaker.
    lab.clock.sleep(Duration::from_secs(31)).await;
    serves(&lab.peer);
    assert!(succeeded(&ask(&mut agent, "two").await));
    assert_eq!((lab.peer.request_count(), far.request_count()), (8, 3));
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
    let told = told(&lab, "call.made");
    let circuits: Vec<&Value> = told.iter().map(|call| &call["circuit"]).collect();
    let half = json!("halfOpen");
    assert_eq!(circuits[0], &json!("open"));
    assert_eq!(circuits[circuits.len() - 3..], [&half, &half, &Value::Null]);
}
