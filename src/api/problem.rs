//! Failures as responses: problem+json (RFC 9457) with the stable code and an HTTP status.
//!
//! The only place that chooses a status for a code.

use crate::failure::{Code, Exit, Failure};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use serde_json::json;

pub(super) const PROBLEM: &str = "application/problem+json";

/// The codes with a status of their own. Others are failures of the program or the root.
const STATUSES: &[(Code, StatusCode)] = &[
    (Code::Usage, StatusCode::BAD_REQUEST),
    (Code::PathInvalid, StatusCode::BAD_REQUEST),
    (Code::InstructionInvalid, StatusCode::BAD_REQUEST),
    (Code::AccessDenied, StatusCode::FORBIDDEN),
    (Code::ScopeViolation, StatusCode::FORBIDDEN),
    (Code::CrossWorkspaceRejected, StatusCode::FORBIDDEN),
    (Code::RecordNotFound, StatusCode::NOT_FOUND),
    (Code::RunNotFound, StatusCode::NOT_FOUND),
    (Code::KeyNotFound, StatusCode::NOT_FOUND),
    (Code::RuleNotFound, StatusCode::NOT_FOUND),
    (Code::ProposalNotFound, StatusCode::NOT_FOUND),
    (Code::AgentNotFound, StatusCode::NOT_FOUND),
    (Code::AgentAlreadyRunning, StatusCode::CONFLICT),
    (Code::HistoryRetired, StatusCode::GONE),
    (Code::RuleNotFired, StatusCode::CONFLICT),
    (Code::RulesInvalid, StatusCode::UNPROCESSABLE_ENTITY),
    (Code::ImportInvalid, StatusCode::UNPROCESSABLE_ENTITY),
    (Code::RecordKeyAmbiguous, StatusCode::CONFLICT),
    (Code::RunStateInvalid, StatusCode::CONFLICT),
    (Code::RunNotFinished, StatusCode::CONFLICT),
    (Code::ConversationNotKept, StatusCode::CONFLICT),
    (Code::TextCut, StatusCode::CONFLICT),
    (Code::VersionConflict, StatusCode::CONFLICT),
    (Code::NearDuplicate, StatusCode::CONFLICT),
    (Code::TargetExists, StatusCode::CONFLICT),
    (Code::LimitExceeded, StatusCode::UNPROCESSABLE_ENTITY),
    (Code::IdempotencyKeyReused, StatusCode::CONFLICT),
    (Code::DaemonBusy, StatusCode::SERVICE_UNAVAILABLE),
    (Code::DataLocked, StatusCode::SERVICE_UNAVAILABLE),
    (Code::DiskFull, StatusCode::INSUFFICIENT_STORAGE),
];

/// The seconds after which a client may ask again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    failure: Failure,
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match STATUSES.iter().find(|(code, _)| *code == failure.code) {
            Some((_, status)) => *status,
            None if failure.exit() == Exit::Usage => StatusCode::BAD_REQUEST,
            None => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, failure }
    }
}

impl Problem {
    /// Makes the problem of a request that cannot be understood; the status says why.
    pub(super) fn form(status: StatusCode, message: impl Into<String>) -> Self {
        let failure = Failure::new(Code::Usage, message);
        let failure = failure.only_hint("`GET /openapi.json` describes what there is.");
        Self { status, failure }
    }

    pub(super) fn denied(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            failure: Failure::new(Code::AccessDenied, message),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        let Self { status, failure } = self;
        let body = json!({
            "type": format!("urn:kjxlkj-agent:{}", failure.code),
            "title": failure.code.page().what,
            "status": status.as_u16(),
            "detail": failure.message,
            "code": failure.code,
            "hints": failure.hints,
            "retryable": failure.retryable(),
        });
        let body = (status, [(CONTENT_TYPE, PROBLEM)], body.to_string());
        let mut response = body.into_response();
        let headers = response.headers_mut();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
