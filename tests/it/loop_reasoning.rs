//! Models that reason in place of answering: what they took is paid for, and the question is put once more
//! without reasoning where the server can be told so.

use crate::lab::{Lab, ask, succeeded};
use crate::loop_calls::{spent, told};
use crate::loop_providers::lab_beside;
use crate::loop_runs::good_replies;
use crate::peer::{Peer, Request, Step, event, said};
use kjxlkj_agent::config::ProviderKind;
use kjxlkj_agent::core::run::Usage;
use kjxlkj_agent::failure::Code;
use serde_json::{Value, json};

/// An answer that is all reasoning, up to the limit.
fn reasons_on() -> Step {
    Step::json(&json!({
        "model": "peer-model",
        "choices": [{"finish_reason": "length", "message": {"content": "", "reasoning_content": "hm"}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 4096},
    }))
}

/// A laboratory beside a server of llama.cpp.
fn lab_of_llama() -> Lab {
    let mut lab = Lab::new();
    lab.config.provider.kind = ProviderKind::OpenAi;
    lab.peer.tell("/props", Step::window(8192));
    lab
}

fn answers(lab: &Lab) {
    for reply in good_replies() {
        lab.says(&reply);
    }
}

/// Whether each question asked for an answer without reasoning.
fn silenced(lab: &Lab) -> Vec<bool> {
    let requests = lab.peer.requests().into_iter();
    let off = json!({"enable_thinking": false});
    let is_off = |body: Value| match body.get("chat_template_kwargs") {
        Some(arguments) => {
            assert_eq!(*arguments, off);
            true
        }
        None => false,
    };
    requests.map(|request| is_off(request.json())).collect()
}

#[tokio::test]
async fn a_model_that_only_reasons_is_asked_without_and_told_so_from_then_on() {
    let mut lab = lab_of_llama();
    lab.peer.push(reasons_on());
    answers(&lab);
    let run = lab.run("keep this").await;
    assert!(succeeded(&run), "{run:?}");
    assert_eq!(silenced(&lab), [false, true, true, true]);
    let notices = lab.eyes.notices();
    let told_of = "openai: the model only reasons; it is told not to from now on";
    assert_eq!(notices, [told_of]);
    assert_eq!(
        run.usage.calls, 4,
        "the one that was no use was a reply, too"
    );
}

#[tokio::test]
async fn a_model_that_needs_its_reasoning_is_left_with_it() {
    let refused = || Step::status(400).body("{\"error\": \"unknown field chat_template_kwargs\"}");
    for second in [reasons_on(), refused()] {
        let mut lab = lab_of_llama();
        lab.peer.push(reasons_on());
        lab.peer.push(second);
        let mut agent = lab.start();
        let run = ask(&mut agent, "keep this").await;
        assert_eq!(run.error_code, Some(Code::LlmReplyTruncated));
        lab.peer.push(reasons_on());
        let run = ask(&mut agent, "keep that").await;
        assert_eq!(run.error_code, Some(Code::LlmReplyTruncated));
        answers(&lab);
        let run = ask(&mut agent, "keep it").await;
        assert!(succeeded(&run), "{run:?}");
        let silent = silenced(&lab).into_iter().filter(|silent| *silent);
        assert_eq!(silent.count(), 1);
    }
}

#[tokio::test]
async fn a_market_is_told_in_its_own_words_and_others_not_at_all() {
    for (kind, asked) in [(ProviderKind::OpenRouter, 2), (ProviderKind::LmStudio, 1)] {
        let mut lab = Lab::new();
        lab.config.provider.kind = kind;
        for _ in 0..asked {
            lab.peer.push(reasons_on());
        }
        let run = lab.run("keep this").await;
        assert_eq!(run.error_code, Some(Code::LlmReplyTruncated));
        let bodies: Vec<Value> = lab.peer.requests().iter().map(Request::json).collect();
        assert_eq!(bodies.len(), asked);
        assert_eq!(bodies[0].get("reasoning"), None);
        if let Some(second) = bodies.get(1) {
            assert_eq!(second["reasoning"], json!({"effort": "none"}));
            assert_eq!(second.get("chat_template_kwargs"), None);
        }
    }
}

#[tokio::test]
async fn another_provider_is_asked_in_place_of_a_model_that_reasons_without_end() {
    let far = Peer::start();
    let mut lab = lab_beside(&far);
    lab.peer.push(reasons_on());
    far.push(Step::reply(&good_replies()[0]));
    for reply in &good_replies()[1..] {
        lab.says(reply);
    }
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    assert_eq!(far.request_count(), 1);
}

/// A server has worked, and a market has charged, also where nothing came of it.
#[tokio::test]
async fn what_answers_took_that_are_no_use_is_counted_and_paid() {
    let empty = |finish: &str| {
        Step::json(&json!({
            "model": "peer-model",
            "choices": [{"finish_reason": finish, "message": {"content": ""}}],
            "usage": {"prompt_tokens": 1400, "completion_tokens": 96, "cost": 0.01},
        }))
    };
    let mut lab = Lab::new();
    lab.config.provider.kind = ProviderKind::OpenRouter;
    lab.config.budget.day.tokens = Some(1_000_000);
    lab.config.retry.max_retries = 1;
    for finish in ["stop", "content_filter"] {
        lab.peer.push(empty(finish));
    }
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::ProviderServerError));
    let expected = Usage {
        calls: 2,
        input_tokens: 2800,
        output_tokens: 192,
        cost_micro_dollars: 20_000,
        ..Usage::default()
    };
    assert_eq!(run.usage, expected);
    let spent = spent(&lab);
    assert_eq!((spent.calls, spent.micro_dollars), (2, 20_000));
    assert!(spent.tokens >= 2992 && spent.tokens < 20_000, "{spent:?}");
}

#[tokio::test]
async fn a_model_that_goes_round_in_its_reasoning_is_not_waited_for() {
    let thought =
        |text: &str| json!({"choices": [{"index": 0, "delta": {"reasoning_content": text}}]});
    let mut lab = Lab::new();
    lab.config.provider.stream = true;
    let round = event(&thought(
        "Wait, what does the user want? Let me think again. ",
    ));
    let first = Step::events(&[thought("So.")]).then_endlessly(round);
    lab.peer.push(first);
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::LlmReplyTruncated));
    assert_eq!(run.usage.calls, 1);
    assert!(run.usage.saved_tokens > 0, "{:?}", run.usage);
    assert!(run.usage.output_tokens > 0 && run.usage.output_tokens < 2000);
    // A model that reasons at length and then answers is heard to its end.
    let mut lab = Lab::new();
    lab.config.provider.stream = true;
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    for reply in good_replies() {
        let mut events: Vec<Value> = (0..300)
            .map(|number| thought(&format!("Step {number} of {}. ", number * 7919 % 1009)))
            .collect();
        events.extend([said(&reply), end.clone()]);
        lab.peer.push(Step::events(&events));
    }
    assert!(succeeded(&lab.run("keep this").await));
    let cut = told(&lab, "call.made").into_iter();
    assert_eq!(
        cut.filter(|call| call.get("early_stop").is_some()).count(),
        0
    );
}
