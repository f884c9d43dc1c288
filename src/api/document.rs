//! The `OpenAPI` document of the interface, made from the route table alone.

use super::answer::JSON;
use super::problem::PROBLEM;
use super::routes::{Location, Parameter, ParameterForm, ROUTES, ResponseKind, Route};
use crate::limits::{API_KEY_CHARS_MAX, RAM_KEY_BYTES_MAX};
use axum::http::StatusCode;
use serde_json::{Map, Value, json};

/// The pattern of a name without control, zero-width, bidirectional and tag characters.
const VISIBLE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]*$";

pub(super) fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path()).or_insert_with(|| json!({}));
        path[route.method().to_ascii_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "kjxlkj-agent",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The control interface of one root. Answers have the shapes that the \
                            command line prints with `--format json`.",
        },
        "servers": [{"url": "http://localhost"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"List": list(), "Problem": problem()},
        },
    })
}

fn operation(route: &Route) -> Value {
    let in_path = route.path().split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        let schema = match name {
            "key" => json!({
                // Keys are bounded in bytes, and a character parts up to four.
                "type": "string", "maxLength": RAM_KEY_BYTES_MAX,
                "allOf": [{"pattern": "\\S"}, {"pattern": VISIBLE}],
                "anyOf": [{"pattern": "^[ -~]*$"}, {"maxLength": RAM_KEY_BYTES_MAX / 4}],
            }),
            _ => json!({"type": "string", "minLength": 1}),
        };
        Some(json!({"name": name, "in": "path", "required": true, "schema": schema}))
    });
    let beside = route.parts.iter().filter_map(|part| {
        let location = match part.location {
            Location::Query => "query",
            Location::Header => "header",
            Location::Body => return None,
        };
        let mut schema = schema(part.form);
        if part.location == Location::Header {
            schema["pattern"] = json!(format!("^[!-~]{{1,{API_KEY_CHARS_MAX}}}$"));
        }
        Some(json!({
            "name": part.name, "in": location, "required": part.required,
            "description": part.doc, "schema": schema,
        }))
    });
    let parameters: Vec<Value> = in_path.chain(beside).collect();
    let mut operation = json!({
        "operationId": route.name, "summary": route.summary, "parameters": parameters,
        "responses": {
            status(route.response).as_u16().to_string(): {
                "description": "what was asked for", "content": content(route.response),
            },
            "default": {
                "description": "why not",
                "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    });
    if route.response == ResponseKind::Launched {
        operation["responses"][DUPLICATE.as_u16().to_string()] = json!({
            "description": "the run that this has opened before; nothing new is done",
            "content": content(route.response),
        });
    }
    let members: Vec<&Parameter> = route.parts_in(Location::Body).collect();
    if !members.is_empty() {
        operation["requestBody"] = body(&members, route.must_name_change());
    }
    operation
}

/// Returns the status of a successful response.
pub(super) const fn status(response: ResponseKind) -> StatusCode {
    match response {
        ResponseKind::List | ResponseKind::Object | ResponseKind::Text | ResponseKind::Stream => {
            StatusCode::OK
        }
        ResponseKind::Created => StatusCode::CREATED,
        ResponseKind::Accepted | ResponseKind::Launched => StatusCode::ACCEPTED,
    }
}

/// The status of the response to a launch that opened its run before.
pub(super) const DUPLICATE: StatusCode = StatusCode::OK;

fn content(response: ResponseKind) -> Value {
    let (media_type, schema) = match response {
        ResponseKind::List => (JSON, json!({"$ref": "#/components/schemas/List"})),
        ResponseKind::Object | ResponseKind::Created | ResponseKind::Accepted => {
            (JSON, json!({"type": "object"}))
        }
        ResponseKind::Launched => {
            let members = json!({"run_id": {"type": "string"}, "duplicate": {"type": "boolean"}});
            let required = ["run_id", "duplicate"];
            let schema = json!({"type": "object", "required": required, "properties": members});
            (JSON, schema)
        }
        ResponseKind::Text => ("text/plain", json!({"type": "string"})),
        ResponseKind::Stream => ("text/event-stream", json!({"type": "string"})),
    };
    json!({media_type: {"schema": schema}})
}

/// Describes a request body; with `changes` it must have a member.
fn body(members: &[&Parameter], changes: bool) -> Value {
    let mut properties = Map::new();
    for part in members {
        let mut schema = schema(part.form);
        schema["description"] = json!(part.doc);
        properties.insert(part.name.to_owned(), schema);
    }
    let required = members.iter().filter(|part| part.required);
    let required: Vec<&str> = required.map(|part| part.name).collect();
    json!({
        "required": changes || !required.is_empty(),
        "content": {"application/json": {"schema": {
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false, "minProperties": u8::from(changes),
        }}},
    })
}

fn schema(form: ParameterForm) -> Value {
    match form {
        ParameterForm::Text => {
            let pattern = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";
            json!({"type": "string", "minLength": 1, "pattern": pattern})
        }
        ParameterForm::AnyText => json!({"type": "string"}),
        ParameterForm::Number(least) => {
            json!({"type": "integer", "minimum": least, "maximum": u32::MAX})
        }
        ParameterForm::OneOf(words) => json!({"type": "string", "enum": words}),
        ParameterForm::Words => json!({"type": "array", "items": {"type": "string"}}),
        ParameterForm::Texts => {
            json!({"type": "array", "items": {"type": "string", "pattern": "^[^,\\u0000]*$"}})
        }
        ParameterForm::Object => json!({"type": "object"}),
        ParameterForm::Any => json!({}),
    }
}

fn list() -> Value {
    let number = json!({"type": "integer", "minimum": 0});
    json!({
        "type": "object", "required": ["items", "pagination"],
        "properties": {
            "items": {"type": "array"},
            "pagination": {
                "type": "object", "required": ["total", "limit", "offset", "hasMore"],
                "properties": {
                    "total": number, "limit": number, "offset": number,
                    "hasMore": {"type": "boolean"},
                },
            },
        },
    })
}

fn problem() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code", "hints", "retryable"],
        "properties": {
            "type": {"type": "string"}, "title": {"type": "string"},
            "status": {"type": "integer"}, "detail": {"type": "string"},
            "code": {"type": "string"}, "hints": {"type": "array", "items": {"type": "string"}},
            "retryable": {"type": "boolean"},
        },
    })
}
