//! The scripted adapter.

use super::{config, question};
use kjxlkj_agent::config::{ProviderConfig, ProviderKind};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{FinishReason, LlmProvider as _, ScriptedProvider, connect};

#[tokio::test]
async fn a_script_is_played_in_order_and_then_ends() {
    let script = r#"
{"text": "one"}
{"text": "two", "reasoning": "because", "finish": "length", "model": "m", "usage": {"input_tokens": 3, "output_tokens": 4}}
{"error": {"code": "LLM_TIMEOUT", "retry": true}}

{"ts": "2026-01-01T00:00:00Z", "run_id": "r", "request": {"messages": []}, "reply": {"text": "logged", "attempts": 2}}
{"ts": "2026-01-01T00:00:00Z", "request": {"messages": []}, "reply": null}
{"ts": "2026-01-01T00:00:00Z", "note": "no reply here", "error": "text"}
{"text": "  "}
{"error": {"code": "RATE_LIMITED", "message": "wait", "retry": true, "retry_after_ms": 7}}
"#;
    let provider = ScriptedProvider::from_text("demo", script).unwrap();
    assert_eq!(provider.provider_name(), "scripted");
    assert_eq!(provider.models().await.unwrap(), ["demo"]);
    let request = question();

    let one = provider.complete(&request).await.unwrap();
    assert_eq!((one.text.as_str(), one.finish), ("one", FinishReason::Stop));
    assert_eq!((one.reasoning, one.model, one.usage.calls), (None, None, 1));

    let two = provider.complete(&request).await.unwrap();
    assert_eq!(
        (two.text.as_str(), two.finish),
        ("two", FinishReason::Length)
    );
    assert_eq!(two.reasoning.as_deref(), Some("because"));
    assert_eq!(two.model.as_deref(), Some("m"));
    assert_eq!((two.usage.input_tokens, two.usage.output_tokens), (3, 4));

    let three = provider.complete(&request).await.unwrap_err();
    assert_eq!((three.code, three.retry), (Code::LlmTimeout, true));

    assert_eq!(provider.complete(&request).await.unwrap().text, "logged");

    let empty = provider.complete(&request).await.unwrap_err();
    assert_eq!((empty.code, empty.retry), (Code::LlmEmptyReply, true));

    let limited = provider.complete(&request).await.unwrap_err();
    assert_eq!(
        (limited.message.as_str(), limited.retry_after_ms),
        ("wait", Some(7))
    );

    for _ in 0..2 {
        let ended = provider.complete(&request).await.unwrap_err();
        assert_eq!((ended.code, ended.retry), (Code::LlmUnavailable, false));
        assert_eq!(ended.message, "script `demo` ended after 6 replies");
    }
}

#[test]
fn every_bad_line_is_named_before_the_first_reply() {
    let script = [
        r#"{"text": "fine"}"#,
        "{oops",
        r#"{"text": "x", "reasonning": "slip"}"#,
        "[1]",
        r#"{"text": 7}"#,
        r#"{"text": "x", "finish": "maybe"}"#,
        r#"{"text": "x", "error": {"code": "LLM_TIMEOUT"}}"#,
        r#"{"error": {"code": "NO_SUCH_CODE"}}"#,
        r#"{"reply": {"finish": "stop"}}"#,
        r#"{"reply": "text"}"#,
    ];
    let failure = ScriptedProvider::from_text("s.jsonl", &script.join("\n")).unwrap_err();
    assert_eq!(failure.code, Code::ConfigSchemaInvalid);
    let message = failure.message;
    assert!(
        message.starts_with("script `s.jsonl`: line 2:"),
        "{message}"
    );
    for line in 2..=10 {
        assert!(
            message.contains(&format!("line {line}: ")),
            "{line}: {message}"
        );
    }
    assert!(message.contains("unknown field `reasonning`"), "{message}");
    assert!(!message.contains("line 1: "), "{message}");
}

#[test]
fn a_script_without_any_reply_is_refused() {
    for script in ["", "\n\n", r#"{"note": "nothing"}"#] {
        let failure = ScriptedProvider::from_text("s", script).unwrap_err();
        assert_eq!(failure.code, Code::ConfigSchemaInvalid);
        assert!(failure.message.contains("holds no reply"), "{failure}");
    }
    let config = ProviderConfig {
        kind: ProviderKind::Scripted,
        ..config("")
    };
    let unread = connect(&config, None).unwrap_err();
    assert_eq!(unread.code, Code::ConfigSchemaInvalid);
}
