//! Which model is asked while servers come, go and change what they have, and that the record of a
//! run names the one that was asked.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, ask, succeeded};
use crate::loop_runs::good_run;
use crate::peer::Step;
use kjxlkj_agent::core::run::{Run, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::run_with_audit;
use serde_json::{Value, json};

/// A list of models; that of LM Studio says of each whether it is loaded.
fn list(models: &[&str], loaded: &str) -> Step {
    let entry = |id: &&str| {
        let state = if *id == loaded {
            "loaded"
        } else {
            "not-loaded"
        };
        json!({"id": id, "state": state, "type": "llm"})
    };
    let data: Vec<Value> = models.iter().map(entry).collect();
    Step::json(&json!({ "data": data }))
}

/// Lists two models that are not configured, one of which is loaded.
fn lists(lab: &Lab, loaded: &str) {
    lab.peer.push_models(list(&["big", "small"], ""));
    lab.peer.push_models(list(&["big", "small"], loaded));
}

/// The models that were asked, from that request on.
fn models(lab: &Lab, skipped: usize) -> Vec<String> {
    let requests = lab.peer.requests().into_iter().skip(skipped);
    requests
        .map(|request| request.json()["model"].as_str().unwrap().to_owned())
        .collect()
}

/// That state and journal name this model for a run.
fn assert_recorded(lab: &Lab, run: &Run, model: &str) {
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let told = run_with_audit(&mut disk, run.run_id).unwrap().unwrap().run;
    let known = lab.state().runs.get(run.run_id).unwrap().clone();
    assert_eq!(run.model.as_deref(), Some(model));
    assert_eq!((&told, &known), (run, run));
    assert!(run.is_finished());
}

#[tokio::test]
async fn a_list_that_fails_for_now_settles_nothing() {
    let passing = || {
        [429, 500, 503, 504]
            .map(Step::status)
            .into_iter()
            .chain([Step::raw("")])
    };
    for of_loaded in [false, true] {
        for failing in passing() {
            let mut lab = Lab::new();
            // Before the run begins, and before its first question.
            for _ in 0..2 {
                if of_loaded {
                    lab.peer.push_models(list(&["big", "small"], ""));
                }
                lab.peer.push_models(failing.clone());
            }
            lists(&lab, "small");
            "missing".clone_into(&mut lab.config.provider.model);
            good_run(&lab);
            let mut agent = lab.start();
            let run = ask(&mut agent, "keep this").await;
            assert!(succeeded(&run));
            assert_eq!(models(&lab, 0), ["missing", "small", "small"]);
            assert_eq!(agent.config().provider.model, "missing", "as it was read");
            agent.close().unwrap();
            assert_recorded(&lab, &run, "small");
        }
    }
}

#[tokio::test]
async fn a_server_that_says_who_answered_needs_no_list() {
    let mut lab = Lab::new();
    for _ in 0..4 {
        lab.peer.push_models(Step::status(503));
    }
    good_run(&lab);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    // For the model and for its window.
    assert_eq!(lab.peer.models_asked(), 2, "not before the second question");
}

#[tokio::test]
async fn a_model_that_is_gone_is_looked_for_again() {
    let mut lab = Lab::new();
    good_run(&lab);
    let mut agent = lab.start();
    assert!(succeeded(&ask(&mut agent, "one").await));
    // A person loads another one: the question goes there, and the run names it.
    lab.peer.push(Step::status(404));
    lists(&lab, "small");
    good_run(&lab);
    let second = ask(&mut agent, "two").await;
    assert!(succeeded(&second));
    assert_eq!(models(&lab, 3), ["peer-model", "small", "small", "small"]);
    // Then none: those there are are named, and nothing is settled by it.
    lab.peer.push(Step::status(404));
    lists(&lab, "");
    let third = ask(&mut agent, "three").await;
    assert_eq!(third.error_code, Some(Code::ProviderNotFound));
    // Then the first one again.
    good_run(&lab);
    let fourth = ask(&mut agent, "four").await;
    assert!(succeeded(&fourth));
    assert_eq!(models(&lab, 8), ["peer-model"; 3]);
    let notices = lab.eyes.notices();
    assert!(
        notices[0].contains("`small` is asked instead"),
        "{notices:?}"
    );
    assert!(
        notices[1].contains("`peer-model` is asked again"),
        "{notices:?}"
    );
    agent.close().unwrap();
    assert_recorded(&lab, &second, "small");
    assert_recorded(&lab, &third, "small");
    assert_recorded(&lab, &fourth, "peer-model");
}

#[tokio::test]
async fn a_run_names_the_model_that_was_asked_in_the_end() {
    // The server comes up after the run began, and has another model.
    let mut lab = Lab::new();
    "missing".clone_into(&mut lab.config.provider.model);
    lab.config.retry.max_retries = 0;
    lab.peer.push_models(Step::status(503));
    lab.peer.push_models(Step::status(503));
    lab.peer.push(Step::status(503));
    good_run(&lab);
    let mut agent = lab.start();
    let event = EventId("keep".to_owned());
    let queued = agent.queue(event, Trigger::Request, Some("keep".to_owned()));
    let run_id = queued.await.unwrap();
    let begun = agent.step(run_id).await.unwrap();
    assert_eq!(begun.model.as_deref(), Some("peer-model"));
    assert_eq!(begun.started_at, Some(begun.queued_at), "it began before");
    assert!(!lab.clock.slept_ms().is_empty());
    agent.close().unwrap();

    // After a restart it goes on with the model of that day.
    "later".clone_into(&mut lab.config.provider.model);
    lab.peer.push_models(list(&["later"], ""));
    let mut agent = lab.start();
    let run = agent.drive(run_id).await.unwrap();
    agent.close().unwrap();
    assert_eq!(models(&lab, 0), ["missing", "peer-model", "later", "later"]);
    assert_eq!(run.started_at, begun.started_at);
    assert_recorded(&lab, &run, "later");
}
