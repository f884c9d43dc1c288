//! Turns each request into its response: gate, route, request parts, handler.
//!
//! Every response has a request id, and every failure is a problem with a stable code.

use super::document::{DUPLICATE, document, status};
use super::gate::Gate;
use super::listen::Bounds;
use super::metrics::{self, metrics};
use super::problem::Problem;
use super::request::RequestParts;
use super::routes::{Handler, ROUTES, ResponseKind, Route};
use super::{Call, Control, events};
use crate::failure::{Code, Failure};
use crate::limits::{API_BODY_BYTES_MAX, API_VERBS_MAX};
use crate::plain_text::json_spelt_out;
use crate::service::{Notices, Session};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts as _, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, request::Parts,
};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, MethodRouter, on};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const NO_SNIFF: HeaderName = HeaderName::from_static("x-content-type-options");
pub(super) const JSON: &str = "application/json";

/// The longest request id that a client may choose, in characters.
const REQUEST_ID_CHARS_MAX: usize = 64;

#[derive(Clone)]
struct ApiState {
    control: Control,
    /// The time within which a body must arrive.
    patience: Duration,
    verbs: Arc<Semaphore>,
    listeners: Arc<Semaphore>,
}

/// Returns a function that makes the router behind a gate.
pub(super) fn router(control: &Control, bounds: Bounds) -> impl Fn(Gate) -> Router {
    let shared = ApiState {
        control: control.clone(),
        patience: bounds.read,
        verbs: Arc::new(Semaphore::new(API_VERBS_MAX)),
        listeners: Arc::new(Semaphore::new(bounds.listeners)),
    };
    move |gate| {
        let mut router = Router::new();
        for route in ROUTES {
            router = router.route(route.path(), method_of(route));
        }
        router
            .fallback(no_path)
            .method_not_allowed_fallback(no_method)
            .with_state(shared.clone())
            .layer(from_fn_with_state(gate, enter))
    }
}

fn method_of(route: &'static Route) -> MethodRouter<ApiState> {
    let method = Method::from_bytes(route.method().as_bytes());
    let filter = method.ok().and_then(|it| MethodFilter::try_from(it).ok());
    let handler = async move |State(shared): State<ApiState>, request: Request| {
        answer(route, &shared, request).await
    };
    on(filter.unwrap_or(MethodFilter::GET), handler)
}

/// Checks a request at the gate, and adds the headers that every response has.
async fn enter(State(gate): State<Gate>, request: Request, next: Next) -> Response<Body> {
    let id = request_id(request.headers());
    let (method, path) = (request.method(), request.uri().path());
    let mut response = match gate.check(method, path, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(NO_SNIFF, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the client's own request id where it is a plain word, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_plain = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=REQUEST_ID_CHARS_MAX).contains(&bytes.len()) && bytes.iter().all(is_word)
    };
    let own = headers.get(REQUEST_ID).filter(is_plain).cloned();
    own.unwrap_or_else(|| {
        let new = Uuid::new_v4().to_string();
        HeaderValue::try_from(new).unwrap_or(HeaderValue::from_static("none"))
    })
}

async fn no_path(request: Request) -> Problem {
    let message = format!("there is nothing at {}", request.uri().path());
    Problem::form(StatusCode::NOT_FOUND, message)
}

async fn no_method(request: Request) -> Problem {
    let message = format!("{} has no {}", request.uri().path(), request.method());
    Problem::form(StatusCode::METHOD_NOT_ALLOWED, message)
}

async fn answer(
    route: &'static Route,
    shared: &ApiState,
    request: Request,
) -> Result<Response<Body>, Problem> {
    let (mut head, body) = request.into_parts();
    let (path, query) = named(&mut head).await?;
    let body = read_body(body, shared.patience).await?;
    let parts = RequestParts::read(route, path, query, &head.headers, &body)?;
    let heartbeat = &shared.control.heartbeat;
    match route.handler {
        Handler::Service(service) => {
            let asked = parts.request(route)?;
            let heard = Arc::new(Warnings::default());
            let session = Session {
                notices: Arc::clone(&heard) as Arc<dyn Notices>,
                ..shared.control.session.clone()
            };
            let text = on_own_thread(shared, move || service(&session, asked)).await??;
            let text = heard.added_to(text);
            let is_duplicate = route.response == ResponseKind::Launched
                && serde_json::from_str(&text).is_ok_and(|it: Value| it["duplicate"] == true);
            let mut response = plain(route.response, JSON, text);
            if is_duplicate {
                *response.status_mut() = DUPLICATE;
            }
            Ok(response)
        }
        Handler::HandOver => {
            let call: Call = read(Value::Object(parts.values))?;
            let verbs = Arc::clone(&shared.control.verbs);
            let output = on_own_thread(shared, move || verbs.answer(&call)).await?;
            Ok(plain(route.response, JSON, json!(output).to_string()))
        }
        Handler::Health => state_of(
            heartbeat.is_in_time(),
            "the loop has not taken a step for long",
        ),
        Handler::Readiness => state_of(
            heartbeat.snapshot().is_up,
            "the loop does not live yet, or no more",
        ),
        Handler::Metrics => {
            let text = metrics(&heartbeat.snapshot(), heartbeat.is_in_time());
            Ok(plain(ResponseKind::Text, metrics::TEXT, text))
        }
        Handler::Document => Ok(plain(ResponseKind::Object, JSON, document().to_string())),
        Handler::Events => {
            let listeners = Arc::clone(&shared.listeners);
            events::stream(&shared.control, listeners, &parts).await
        }
    }
}

type Names = Vec<(String, String)>;

/// Reads the names and values in the path and in the query.
async fn named(parts: &mut Parts) -> Result<(Names, Names), Problem> {
    let form = |message: String| Problem::form(StatusCode::BAD_REQUEST, message);
    let path = Path::<Names>::from_request_parts(parts, &()).await;
    let Path(path) = path.map_err(|error| form(error.body_text()))?;
    let query = Query::<Names>::from_request_parts(parts, &()).await;
    let Query(query) = query.map_err(|error| form(error.body_text()))?;
    Ok((path, query))
}

/// Reads a body.
///
/// # Errors
/// With 413 if it has too many bytes or breaks off, with 408 if it does not come within `wait`.
async fn read_body(body: Body, wait: Duration) -> Result<Vec<u8>, Problem> {
    let (status, message) = match timeout(wait, to_bytes(body, API_BODY_BYTES_MAX)).await {
        Ok(Ok(bytes)) => return Ok(bytes.into()),
        Ok(Err(_)) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the body has more than {API_BODY_BYTES_MAX} bytes, or broke off"),
        ),
        Err(_) => (
            StatusCode::REQUEST_TIMEOUT,
            "the body did not come in time".to_owned(),
        ),
    };
    Err(Problem::form(status, message))
}

/// Runs blocking work on a thread of its own, once a place for it is free.
async fn on_own_thread<T: Send + 'static>(
    shared: &ApiState,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let lost = |_| Failure::new(Code::Internal, "the answer was lost");
    let place = Arc::clone(&shared.verbs).acquire_owned().await;
    let place = place.map_err(|_| Failure::new(Code::Internal, "the interface is closed"))?;
    let done = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(place);
        done
    });
    Ok(done.await.map_err(lost)?)
}

/// Calls a service with a request, and returns its answer as JSON text.
pub(super) fn reply<Q: DeserializeOwned, A: Serialize>(
    session: &Session,
    asked: Value,
    service: impl FnOnce(&Session, Q) -> Result<A, Failure>,
) -> Result<String, Failure> {
    written(&service(session, read(asked)?)?)
}

/// Converts a request, whose parts were checked, to the type that a service takes.
fn read<Q: DeserializeOwned>(asked: Value) -> Result<Q, Failure> {
    serde_json::from_value(asked).map_err(|error| {
        let message = format!("the request cannot be read: {error}");
        Failure::new(Code::Internal, message)
    })
}

pub(super) fn written(answer: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(answer)
        .map_err(|error| Failure::new(Code::Internal, format!("the answer is no JSON: {error}")))?;
    Ok(json_spelt_out(&json) + "\n")
}

#[derive(Debug, Default)]
struct Warnings(Mutex<Vec<Value>>);

impl Notices for Warnings {
    fn warn(&self, message: &str) {
        if let Ok(mut warnings) = self.0.lock() {
            warnings.push(Value::from(message));
        }
    }

    /// Does nothing: such messages are for people, not for programs.
    fn inform(&self, _: &str) {}
}

impl Warnings {
    /// Adds the warnings to an answer, in its member `warnings`.
    ///
    /// An answer that is no object has no room for them.
    fn added_to(&self, json: String) -> String {
        let warnings = self
            .0
            .lock()
            .map(|mut warnings| std::mem::take(&mut *warnings));
        let warnings = warnings.unwrap_or_default();
        if warnings.is_empty() {
            return json;
        }
        let Ok(Value::Object(mut members)) = serde_json::from_str(&json) else {
            return json;
        };
        let own = members.entry("warnings").or_insert_with(|| json!([]));
        if let Value::Array(own) = own {
            own.extend(warnings);
        }
        Value::Object(members).to_string() + "\n"
    }
}

fn state_of(is_well: bool, otherwise: &str) -> Result<Response<Body>, Problem> {
    if !is_well {
        return Err(Failure::new(Code::DaemonBusy, otherwise).into());
    }
    let text = "ok\n".to_owned();
    Ok(plain(ResponseKind::Text, "text/plain; charset=utf-8", text))
}

fn plain(kind: ResponseKind, media_type: &'static str, text: String) -> Response<Body> {
    (status(kind), [(CONTENT_TYPE, media_type)], text).into_response()
}
