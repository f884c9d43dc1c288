//! Several providers with windows of different sizes in the real loop: a question goes to one that has
//! room for it, and only what nobody has room for fails.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::lab::{Lab, succeeded};
use crate::loop_budget::shipped_prompt;
use crate::loop_calls::told;
use crate::loop_providers::{calls, lab_beside, serves};
use crate::peer::Peer;
use kjxlkj_agent::core::prompt::{Condition, Segment};
use kjxlkj_agent::core::route::ModelEntry;
use kjxlkj_agent::failure::Code;
use serde_json::json;

/// A laboratory with the shipped prompt, whose two providers have windows of these sizes.
fn lab_with(far: &Peer, windows: [Option<u32>; 2]) -> Lab {
    let mut lab = lab_beside(far);
    lab.prompt = shipped_prompt();
    for (listed, window) in lab.config.providers.iter_mut().zip(windows) {
        listed.config.context_tokens = window;
    }
    lab
}

/// A row of the table of models.
fn row(model: &str, context_length: u32) -> ModelEntry {
    let row = json!({"modelId": model, "provider": "local", "contextLength": context_length,
                     "capabilities": [], "optimizedFor": []});
    serde_json::from_value(row).unwrap()
}

#[tokio::test]
async fn who_has_no_room_for_the_question_is_out_with_its_reason() {
    for (of_table, configured) in [
        (None, Some(300)),
        (Some(300), None),
        (Some(300), Some(200_000)),
        (Some(200_000), Some(300)),
    ] {
        let far = Peer::start();
        let mut lab = lab_with(&far, [configured, Some(8192)]);
        lab.config.providers[0].config.model = "tiny".to_owned();
        let rows = of_table.map(|tokens| row("tiny", tokens));
        lab.config.models = rows.into_iter().collect();
        serves(&far);
        let run = lab.run("keep this").await;
        assert!(succeeded(&run), "{:?} {of_table:?}", run.error_code);
        assert_eq!((lab.peer.request_count(), far.request_count()), (0, 3));
        for call in told(&lab, "call.made") {
            let decision = &call["decision"];
            assert_eq!(decision["selectedModel"], json!("far"));
            assert_eq!(decision["fallbackModels"], json!([]));
            let near = &decision["scores"][1];
            assert_eq!(near["modelId"], json!("near"), "{decision}");
            assert_eq!(near["disqualified"], json!("context"), "{decision}");
        }
        let notices = lab.eyes.notices();
        let is_of_it =
            |notice: &String| notice.contains("in place of") || notice.contains("window");
        assert!(!notices.iter().any(is_of_it), "{notices:?}");
    }
}

/// Both have room enough, or nobody knows that they have not.
#[tokio::test]
async fn a_window_that_is_large_enough_or_not_known_shuts_nobody_out() {
    for windows in [[Some(2048), Some(8192)], [None, Some(8192)], [None, None]] {
        let far = Peer::start();
        let mut lab = lab_with(&far, windows);
        serves(&lab.peer);
        assert!(succeeded(&lab.run("keep this").await));
        assert_eq!((lab.peer.request_count(), far.request_count()), (3, 0));
        for call in told(&lab, "call.made") {
            assert_eq!(call["decision"]["fallbackModels"], json!(["far"]));
        }
    }
}

#[tokio::test]
async fn where_a_question_turns_out_to_have_no_room_it_goes_to_the_next_that_has() {
    let far = Peer::start();
    // Of the first nobody knows the window, so a small one is assumed.
    let mut lab = lab_with(&far, [None, Some(32_768)]);
    lab.prompt.segments.push(Segment {
        condition: Condition::Default,
        prompt: "many words ".repeat(1500),
    });
    lab.config.token_budget.max_total = 16_000;
    serves(&far);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run), "{:?}", run.error_code);
    assert_eq!((lab.peer.request_count(), far.request_count()), (0, 3));
    let told = told(&lab, "call.made");
    assert_eq!(told[0]["provider"], json!("near"));
    let reason = told[1]["reason"].as_str().unwrap();
    let expected = "in place of near, which ended with CONTEXT_OVERFLOW";
    assert_eq!(reason, expected);
    assert_eq!(told[0]["request_id"], told[1]["request_id"]);
}

#[tokio::test]
async fn what_nobody_has_room_for_fails_with_the_numbers_of_the_best() {
    let far = Peer::start();
    let mut lab = lab_with(&far, [Some(300), Some(290)]);
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::ContextOverflow));
    assert_eq!((lab.peer.request_count(), far.request_count()), (0, 0));
    let notices = lab.eyes.notices();
    let [notice] = notices.as_slice() else {
        panic!("one tells it: {notices:?}");
    };
    assert!(
        notice.contains("a window of 300 (as configured)"),
        "{notice}"
    );
    assert_eq!(calls(&lab), [("near".to_owned(), vec![], false)]);
}
