//! The finish reasons of servers and programs, and which of them make a reply unusable. Reads no
//! reply itself.

use super::fault::Fault;
use super::types::FinishReason;
use crate::failure::Code;
use serde_json::Value;

/// Returns the meaning of a server's finish reason.
///
/// # Errors
/// `PROVIDER_BAD_RESPONSE` for an unknown reason.
// A missing reason counts as a normal end: without streaming, the body itself was complete.
pub(super) fn finish_reason(reason: Option<&Value>) -> Result<FinishReason, Fault> {
    let Some(reason) = reason else {
        return Ok(FinishReason::Stop);
    };
    match reason.as_str().unwrap_or("a value that is not text") {
        "stop" | "eos" | "eos_token" | "stop_sequence" | "end_turn" => Ok(FinishReason::Stop),
        "tool_calls" | "function_call" | "tool_use" => Ok(FinishReason::ToolCalls),
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_length"
        | "model_context_window_exceeded" => Ok(FinishReason::Length),
        "content_filter" | "refusal" => Ok(FinishReason::ContentFilter),
        "error" => Ok(FinishReason::Error),
        other => Err(Fault {
            quote: Some(other.to_owned()),
            ..Fault::passing(
                Code::ProviderBadResponse,
                "the reply ended for a reason that is not understood",
            )
        }),
    }
}

/// Returns the fault of a reply with this finish reason; `None` for a usable one.
pub(super) fn withheld(finish: FinishReason) -> Option<Fault> {
    match finish {
        FinishReason::Stop | FinishReason::Length | FinishReason::ToolCalls => None,
        FinishReason::ContentFilter => Some(Fault {
            finish,
            ..Fault::lasting(
                Code::ProviderServerError,
                "a content filter of the provider withheld the reply",
            )
        }),
        FinishReason::Error => Some(Fault::passing(
            Code::ProviderServerError,
            "the model failed while it was writing",
        )),
    }
}
