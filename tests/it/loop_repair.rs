//! Asking again: what a model is told of a reply that could not be read or was refused, that it is never
//! told the same twice, and what becomes of one that repeats itself all the same.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add, record_update};
use crate::lab::{Lab, ask};
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::prompt::{Condition, Example};
use kjxlkj_agent::core::run::{Run, RunState, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use serde_json::{Value, json};

const WRONG: &str = "<ram_delete><key>think_log</key><value>a &amp; b</value></ram_delete>";
const RIGHT: &str = "<ram_add><key>think_log</key><value>a &amp; b</value></ram_add>";

/// Role and text of each message of a request.
fn turns(lab: &Lab, index: usize) -> Vec<(String, String)> {
    let request: Value = lab.peer.requests()[index].json();
    let messages = request["messages"].as_array().unwrap().clone();
    let text = |message: &Value, name: &str| message[name].as_str().unwrap().to_owned();
    messages
        .iter()
        .map(|message| (text(message, "role"), text(message, "content")))
        .collect()
}

#[tokio::test]
async fn a_failed_instruction_is_shown_right_first_beside_the_data_and_then_as_a_turn() {
    let mut lab = Lab::new();
    lab.config.r#loop.parse_retries = 9;
    for _ in 0..3 {
        lab.says(WRONG);
    }
    let run = lab.run("note this").await;
    assert_eq!(run.error_code, Some(Code::XmlParseError));
    assert_eq!(
        lab.peer.requests().len(),
        3,
        "no form was left for a fourth"
    );

    let told = lab.prompt_text(1);
    let complaint = format!(
        "<code>XML_PARSE_ERROR</code><message>value does not belong in ram_delete. Write for \
         example</message>\n{RIGHT}</action_result>"
    );
    assert!(told.contains(&complaint), "{told}");

    let first = turns(&lab, 0).pop().unwrap();
    let mut again = turns(&lab, 2);
    let last = again.pop().unwrap();
    assert_eq!(last, first, "the question is the one that it was");
    assert_eq!(
        again.pop().unwrap(),
        ("assistant".to_owned(), RIGHT.to_owned())
    );
    assert_eq!(again.pop().unwrap(), first, "to which that was the answer");
}

#[tokio::test]
async fn an_example_with_a_made_up_text_is_never_shown_as_an_answer() {
    let mut lab = Lab::new();
    for _ in 0..2 {
        lab.says("<record_add><keywords>x</keywords></record_add>");
    }
    lab.says(&ram_add("a", "1"));
    lab.config.r#loop.max_iterations = Some(1);
    lab.run("note this").await;
    assert!(
        lab.prompt_text(1)
            .contains("value is missing in record_add")
    );
    assert!(turns(&lab, 2).iter().all(|(role, _)| role != "assistant"));
    let told = lab.prompt_text(2);
    assert!(told.contains("the same mistake again"), "{told}");
    assert_ne!(told, lab.prompt_text(1));
}

#[tokio::test]
async fn another_mistake_is_told_in_its_own_words() {
    let mut lab = Lab::new();
    lab.says(WRONG);
    lab.says("<state_add><key>idle</key></state_add>");
    lab.says(WRONG);
    lab.config.r#loop.parse_retries = 3;
    lab.says(&ram_add("a", "1"));
    lab.config.r#loop.max_iterations = Some(1);
    lab.run("note this").await;
    assert!(
        lab.prompt_text(2)
            .contains("key does not belong in state_add")
    );
    let roles = turns(&lab, 3);
    assert!(roles.contains(&("assistant".to_owned(), RIGHT.to_owned())));
    assert_eq!(lab.kv()["a"], "1");
}

/// A run that nobody asked for, with more to do than it does.
async fn run_with_steps(lab: &mut Lab) -> Run {
    lab.start().close().unwrap();
    lab.edit_kv(&[("steps", json!(["one", "two"]))]);
    let mut agent = lab.start();
    let event = EventId("by hand".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    let run = agent.drive(run_id).await.unwrap();
    agent.close().unwrap();
    run
}

#[tokio::test]
async fn what_is_refused_again_is_told_so_once_and_a_model_that_goes_on_gets_no_progress() {
    let mut lab = Lab::new();
    for _ in 0..7 {
        lab.says(&record_update("nothing", "text"));
    }
    let run = run_with_steps(&mut lab).await;
    assert_eq!(
        (run.state, run.error_code, run.loop_count),
        (RunState::Failed, Some(Code::NoProgress), 7)
    );
    let told = |index: usize| lab.prompt_text(index);
    assert!(told(1).contains("<code>RECORD_NOT_FOUND</code>"));
    assert!(told(2).contains("<code>NO_PROGRESS</code>"), "{}", told(2));
    assert!(told(2).contains("do something else"));
    for index in 3..7 {
        assert!(!told(index).contains("action_result"), "{}", told(index));
    }
    let delay_ms = lab.config.r#loop.loop_delay_ms;
    let waits = lab.clock.slept_ms();
    assert_eq!(waits, [delay_ms, delay_ms, 2000, 4000, 8000, 16_000]);
    let refused = lab.decided();
    assert_eq!(refused.len(), 7);
    for (_, _, code) in refused {
        assert_eq!(
            code,
            Some(Code::RecordNotFound),
            "the audit keeps the reason"
        );
    }
}

#[tokio::test]
async fn what_is_written_wrong_again_is_told_so_without_the_form_that_did_not_help() {
    let mut lab = Lab::new();
    for count in 0..3 {
        lab.says(&format!("{WRONG}{}", ram_add("n", &count.to_string())));
    }
    lab.config.r#loop.max_iterations = Some(3);
    run_with_steps(&mut lab).await;
    let (first, second) = (lab.prompt_text(1), lab.prompt_text(2));
    assert!(
        first.contains(&format!("Write for example</message>\n{RIGHT}")),
        "{first}"
    );
    assert!(
        second.contains("INSTRUCTION_INVALID again; it will be refused each time"),
        "{second}"
    );
    assert!(
        !second.contains("for example") && !second.contains(RIGHT),
        "{second}"
    );
}

#[tokio::test]
async fn a_change_ends_the_repetition_and_what_is_done_at_last_was_never_refused() {
    let mut lab = Lab::new();
    let update = record_update("Tea", "green");
    for reply in [&update, &update, &record_add("Tea", "black"), &update] {
        lab.says(reply);
    }
    for _ in 0..2 {
        lab.says(&ram_add("think_log", "done"));
    }
    let run = ask(&mut lab.start(), "make tea green").await;
    assert_eq!(run.error_code, None, "{run:?}");
    assert_eq!(
        (run.progress.no_progress_streak, run.progress.refused.len()),
        (0, 0)
    );
    assert_eq!(lab.notes()[0]["value"], "green");
}

/// What an example writes is no note of the request, however near the request is to it.
#[tokio::test]
async fn a_note_that_an_example_writes_is_asked_for_again_and_fails_the_run() {
    let example = record_add("Wifi", "The wifi password is on the fridge.");
    let with_example = |lab: &mut Lab| {
        lab.prompt.examples.push(Example {
            condition: Condition::State(LoopState::Planning),
            input: "<request>Note the wifi.</request>".to_owned(),
            output: example.clone(),
        });
    };
    let request = "Save that the router password is in the drawer.";
    let mut lab = Lab::new();
    with_example(&mut lab);
    for _ in 0..3 {
        lab.says(&record_add("Router", "The WIFI password is on the fridge"));
    }
    let run = lab.run(request).await;
    assert_eq!(run.error_code, Some(Code::ExampleCopied), "{run:?}");
    assert!(lab.notes().is_empty());
    assert!(lab.prompt_text(1).contains("EXAMPLE_COPIED"));

    // Whoever asks for that very note gets it, and who does better the second time counts.
    for (request, replies) in [
        (
            "Note: the wifi password is on the fridge.",
            vec![example.clone()],
        ),
        (
            request,
            vec![
                example.clone(),
                record_add("Router", "It is in the drawer."),
            ],
        ),
    ] {
        let mut lab = Lab::new();
        with_example(&mut lab);
        lab.config.r#loop.max_iterations = Some(1);
        for reply in replies {
            lab.says(&reply);
        }
        let run = lab.run(request).await;
        assert_ne!(run.error_code, Some(Code::ExampleCopied), "{request}");
        assert_eq!(lab.notes().len(), 1, "{request}");
    }
}
