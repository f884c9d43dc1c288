//! The loop over streamed answers: a tail is not waited for and costs no instruction, one that runs
//! away is told so, and nothing is learnt from a count that never came.

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, succeeded};
use crate::loop_calls::told;
use crate::peer::{Step, event, said};
use kjxlkj_agent::core::run::RunState;
use kjxlkj_agent::failure::Code;
use serde_json::json;

/// A reply with a tail that never ends.
fn babbled(text: &str, tail: &str) -> Step {
    Step::events(&[said(text)]).then_endlessly(event(&said(tail)))
}

#[tokio::test]
async fn a_run_over_streams_keeps_every_instruction_and_learns_from_no_estimate() {
    let prose = " I hope that this is what you wanted of me.";
    let mut lab = Lab::new();
    lab.peer.push(babbled(&ram_add("plan", "p"), prose));
    let both = format!("{}\n{}", record_add("T", "v"), ram_add("b", "2"));
    lab.peer.push(babbled(&both, prose));
    lab.peer.push(babbled(&ram_add("think_log", "ok"), prose));
    let run = lab.run("note this").await;
    assert!(succeeded(&run), "{run:?}");
    assert_eq!(lab.kv()["b"], "2");
    assert_eq!(lab.notes().len(), 1);
    assert_eq!(run.operation_count, 4);
    assert_eq!(run.usage.calls, 3);
    assert!(run.usage.input_tokens > 0, "an estimate is charged");
    assert!(lab.state().calibrations.is_empty(), "and not learnt from");

    let mut counted = Lab::new();
    for text in [
        ram_add("plan", "p"),
        record_add("T", "v"),
        ram_add("a", "1"),
    ] {
        let body = Step::streamed(&text).body_bytes().to_vec();
        let body = String::from_utf8(body).unwrap();
        let body = body.replace("\"prompt_tokens\":11", "\"prompt_tokens\":900");
        counted.peer.push(Step::events(&[]).body(body));
    }
    assert!(succeeded(&counted.run("note this").await));
    assert!(!counted.state().calibrations.is_empty());
}

#[tokio::test]
async fn a_block_in_the_answer_is_the_last_place_where_reasoning_is_looked_for() {
    let text = format!("<think>of the block</think>{}", ram_add("a", "1"));
    let with = |field| Step::reply_with_reasoning(&text, field, "of the field");
    for (step, thought) in [
        (with("reasoning"), "of the field"),
        (with("reasoning_content"), "of the field"),
        (Step::reply(&text), "of the block"),
    ] {
        let mut lab = Lab::new();
        lab.config.r#loop.max_iterations = Some(1);
        lab.peer.push(step);
        lab.run("do it").await;
        assert_eq!(lab.kv()["think_log"], thought);
    }
}

#[tokio::test]
async fn a_model_that_repeats_itself_is_told_so_and_then_the_run_fails() {
    let mut lab = Lab::new();
    lab.config.r#loop.parse_retries = 1;
    let endless = babbled("<ram_add><key>brew</key><value>tea", ", tea");
    lab.peer.push(endless.clone());
    lab.peer.push(endless);
    let run = lab.run("note this").await;
    assert_eq!(
        (run.state, run.error_code),
        (RunState::Failed, Some(Code::LlmReplyRunaway))
    );
    assert!(!lab.prompt_text(0).contains("LLM_REPLY_RUNAWAY"));
    let told = lab.prompt_text(1);
    assert!(told.contains("LLM_REPLY_RUNAWAY"), "{told}");
    assert!(told.contains("repeated itself"), "{told}");
    assert!(
        lab.kv().get("brew").is_none(),
        "what was open is not applied"
    );
}

/// The journal tells of each call how it was answered, and the record of the run sums it up.
#[tokio::test]
async fn when_the_first_word_came_and_what_was_saved_stand_in_the_journal() {
    let prose = " I hope that this is what you wanted of me.";
    let mut lab = Lab::new();
    lab.peer.push(babbled(&ram_add("plan", "p"), prose));
    lab.peer.push(Step::streamed(&record_add("T", "v")));
    lab.says(&ram_add("think_log", "ok"));
    let run = lab.run("note this").await;
    assert!(succeeded(&run), "{run:?}");
    let calls = told(&lab, "call.made");
    let [cut, whole] = calls.as_slice() else {
        unreachable!("an answer in one piece tells no more than its iteration: {calls:?}");
    };
    for call in [cut, whole] {
        assert!(call["first_token_ms"].is_u64(), "{call}");
        assert_eq!(call["reason"], "it is the only one configured");
    }
    assert_eq!(
        (&cut["iteration"], &whole["iteration"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(cut["early_stop"], "repetition");
    let saved = cut["saved_tokens"].as_u64().unwrap();
    let room = lab.peer.requests()[0].json()["max_tokens"]
        .as_u64()
        .unwrap();
    assert!(saved > 0 && saved < room, "{saved} of {room}");
    assert!(whole.get("early_stop").is_none() && whole.get("saved_tokens").is_none());
    assert_eq!(run.usage.saved_tokens, saved);
    assert_eq!(
        lab.state().runs.newest_first().next().unwrap().usage,
        run.usage
    );
}
