//! The journal's wire shapes as they are documented, and a check of JSON against them. Knows nothing
//! of the product's own types: a change of the format by accident turns tests red.
//!
//! A shape is JSON too. Plain values are named by their kind: `text`, `count`, `uuid`, `time`, `bool`,
//! `hex`, `any`, or the allowed words with bars between them; `?` at a kind's end lets it be null, at a
//! member's end lets the member be absent. A list holds the shape of each item; `*` stands for every
//! member's name.

use serde_json::{Value, json};
use std::sync::LazyLock;

const STATES: &str = "planning|executing|evaluating|paging|record_organizing|idle";

/// The part of a line that its hash covers.
pub(crate) static HEADER: LazyLock<Value> = LazyLock::new(header);

/// The shape of each type of event.
pub(crate) static EVENTS: LazyLock<Value> = LazyLock::new(events);

fn header() -> Value {
    json!({
        "v": "count",
        "seq": "count",
        "ts": "time",
        "actor": {"actor_type": "agent|user|daemon"},
        "cause": {"kind": "text", "run_id?": "uuid", "iteration?": "count"},
        "events": [{"type": "text", "digest": "hex"}],
        "prev": "hex",
    })
}

fn usage() -> Value {
    json!({"calls": "count", "input_tokens": "count", "output_tokens": "count",
           "estimated_calls?": "count", "saved_tokens?": "count", "cost_micro_dollars?": "count"})
}

/// What calls cost.
fn cost() -> Value {
    json!({"calls": "count", "tokens": "count", "micro_dollars?": "count"})
}

/// A schedule as a rule words it.
fn schedule() -> Value {
    json!({"cron": "text", "timezone": "text"})
}

/// Whom a question went to.
fn call() -> Value {
    json!({
        "run_id": "uuid",
        "iteration": "count",
        "provider": "text",
        "model": "text",
        "answered_by?": "text",
        "reason": "text",
        "failures": ["text"],
        "answered": "bool",
        "circuit?": "open|halfOpen",
        "rung?": "gbnf|json_schema",
        "first_token_ms?": "count",
        "early_stop?": "complete|repetition|foreign_tag|too_long",
        "saved_tokens?": "count",
        "finish?": "stop|length|contentFilter|toolCalls|error",
        "decision?": {
            "selectedModel": "text",
            "provider": "anthropic|openai|google|local",
            "reasoning": "text",
            "fallbackModels": ["text"],
            "constraints": {"capabilitiesMet": "bool", "riskCompliant": "bool",
                            "latencyCompliant": "bool"},
            "scores": [{
                "modelId": "text",
                "score": "count",
                "breakdown": {"base": "count", "taskType": "count", "capabilities": "count",
                              "preference": "count", "priority": "count",
                              "contextPenalty": "count"},
                "disqualified?": "risk|capability|context|excluded|latency",
            }],
        },
        "request_id?": "uuid",
        "chosen_at?": "time",
        "waited?": [{"code": "text", "ms": "count"}],
    })
}

/// Who says how large a window is.
fn window() -> Value {
    json!({"tokens": "count", "source": "server|configured|assumed|cut"})
}

fn progress() -> Value {
    json!({
        "changed": "bool",
        "changed_in_cycle": "bool",
        "proposed?": "bool",
        "unsettled": [{"op": "text", "target": "text", "code": "text", "instead?": "uuid"}],
    })
}

fn allocation() -> Value {
    json!({
        "included": "count", "cut": "count", "excluded": "count",
        "total_tokens": "count", "remaining": "count", "critical_reserve_used": "count",
        "usage_by_type": {"memory": "count", "todo": "count", "session": "count",
                          "system": "count", "context": "count"},
    })
}

fn cycle() -> Value {
    json!({"stays": "count", "since_paging": "count?", "before_paging": format!("{STATES}?")})
}

fn results() -> Value {
    let page = json!({"asked": "text", "from": "count", "shown": "count", "total": "count"});
    let item = json!({"id": "uuid", "version": "count", "title": "text", "text": "text",
                      "links?": ["text"], "page?": page});
    json!([{"op": "text", "target": "text", "code?": "text", "message": "text", "items?": [item],
            "example?": "text", "page?": page}])
}

fn offer() -> Value {
    let note = json!({"id": "uuid", "version": "count"});
    json!({"chore": "alike|unlinked|no_keywords", "notes": [note]})
}

fn run() -> Value {
    json!({
        "run_id": "uuid",
        "rule_id": "uuid?",
        "triggering_event_id": "text",
        "trigger": "start|request|manual|edit|idle|cron|note_changed|note_created|note_deleted",
        "agent?": "text",
        "state": "Queued|Running|Succeeded|Failed",
        "stop_reason": "done|pending_review|nothing_to_do|preempted|max_iterations|error?",
        "error_code": "text?",
        "agent_name": "text",
        "provider": "text?",
        "model": "text?",
        "mode": "yolo|reviewed",
        "prompt_hash": "text?",
        "parser_version": "text?",
        "window?": window(),
        "server?": {"base_url": "text", "model": "text"},
        "loop_count": "count",
        "operation_count": "count",
        "rejected_count": "count",
        "ignored_count": "count",
        "usage": usage(),
        "spent?": cost(),
        "queued_at": "time",
        "started_at": "time?",
        "completed_at": "time?",
        "request": "text?",
        "progress": progress(),
        "attempt?": "count",
        "attempt_from?": "count",
        "origin?": {"depth?": "count", "root?": "uuid", "event": "any"},
    })
}

fn started() -> Value {
    json!({
        "run_id": "uuid",
        "started_at": "time",
        "provider": "text",
        "model": "text",
        "mode": "yolo|reviewed",
        "prompt_hash": "text",
        "parser_version": "text",
        "window?": window(),
        "server?": {"base_url": "text", "model": "text"},
    })
}

fn note() -> Value {
    json!({
        "id": "uuid",
        "workspace_id": "uuid",
        "note_kind": "text",
        "title": "text",
        "keywords": ["text"],
        "value": "text",
        "links": ["uuid"],
        "issues": [{"text": "text", "metadata": {"*": "any"}, "created_at": "time", "open": "bool"}],
        "version": "count",
        "created_at": "time",
        "updated_at": "time",
        "created_by": {"actor_type": "agent|user|import", "run_id": "uuid?"},
        "deleted_at": "time?",
    })
}

/// A change of a note that waits for a person.
fn proposal() -> Value {
    json!({
        "number": "count", "run_id": "uuid", "iteration": "count", "made_at": "time",
        "op": "text", "target": "text", "wanted": "create|update|delete",
        "note": note(), "base?": note(), "behind?": {"rule?": "uuid", "depth?": "count", "root?": "uuid"},
    })
}

/// What a person decided.
fn decided() -> Value {
    json!({
        "number": "count", "verdict": "approved|edited|rejected|withdrawn",
        "reason?": "text", "version?": "count",
    })
}

/// What is carried beside the proposals that wait.
fn proposals() -> Value {
    json!({"last": "count", "told?": results()})
}

/// The directory of the keys in RAM.
fn directory() -> Value {
    json!({
        "loops": "count",
        "gains": ["count"],
        "keys": {"*": {
            "layer": "ram|storage?",
            "tags": ["text"],
            "related": ["text"],
            "last_use": "count",
            "created_at": "time",
            "updated_at": "time",
            "held": {"ram?": "bool", "archive?": "bool", "storage?": "bool"},
        }},
        "run?": "uuid",
        "made?": {"*": "uuid"},
    })
}

#[expect(clippy::too_many_lines, reason = "one table")]
fn events() -> Value {
    let rewritten = json!({"id": "uuid", "from": "count", "to": "count"});
    let written = json!({"note": note()});
    let mut events = json!({
        "root.created": {"format": "count", "workspace_id": "uuid"},
        "ram.set": {"key": "text", "value": "any"},
        "ram.deleted": {"key": "text"},
        "storage.set": {"path": "text", "value": "any"},
        "storage.deleted": {"path": "text"},
        "storage.carried": {"path": "text", "value": "any"},
        "keys.noted": {"keys": {"*": {"tags": ["text"], "related": ["text"]}}},
        "keys.carried": {"keys": directory()},
        "private_ram.set": {"run_id": "uuid", "key": "text", "value": "any"},
        "private_ram.deleted": {"run_id": "uuid", "key": "text"},
        "private_memory.carried": {"run_id": "uuid", "memory": {
            "ram": {"*": "any"},
            "keys": directory(),
            "cycle": cycle(),
            "results?": results(),
            "result_log?": {"last": "count", "kept": {"*": results()[0]}},
            "log?": "any",
            "seen?": {"*": "count"},
        }},
        "note.created": written,
        "note.updated": written,
        "note.deleted": written,
        "note.carried": written,
        "proposals.changed": {"made?": proposal(), "decided?": decided(), "carried?": proposals()},
        "run.queued": {"run": run()},
        "run.retried": {"run": run()},
        "run.started": started(),
        "iteration.done": {
            "run_id": "uuid",
            "iteration": "count",
            "state": STATES,
            "messages_hash": "text",
            "usage": usage(),
            "applied": "count",
            "rejected": "count",
            "ignored": "count",
            "cycle": cycle(),
            "progress": progress(),
            "results": results(),
            "look?": {"offers": [offer()], "next?": "uuid", "more": "bool", "rewritten?": [rewritten]},
            "counted?": {"tokens": "count", "bare_tokens": "count", "sorts": ["count"]},
            "allocation?": allocation(),
            "results_removed?": ["count"],
            "shown?": [{"id": "uuid", "version": "count"}],
            "told?": "count",
            "edited?": {"ram_keys?": ["text"], "notes?": ["uuid"]},
            "is_request_new?": "bool",
        },
        "run.ended": {
            "run_id": "uuid",
            "state": "Succeeded|Failed",
            "stop_reason": "done|nothing_to_do|preempted|max_iterations|error",
            "error_code": "text?",
            "completed_at": "time",
        },
        "instruction.decided": {
            "op": "text",
            "target": "text",
            "outcome": "applied|rejected|ignored",
            "repaired": "bool",
            "code": "text?",
            "proposed?": "bool",
        },
        "views.written": {"files": {"*": "hex?"}},
        "journal.tail_cut": {"segment": "text", "bytes": "count", "kept_as": "text"},
        "view.restored": {"path": "text", "reason": "text", "kept_as": "text?"},
        "edit.refused": {"path": "text", "kept_as": "text", "reason": "text"},
        "request.refused": {"file": "text", "reason": "text"},
        "conversation.kept": {
            "run_id": "uuid",
            "iteration": "count",
            "attempt": "count",
            "messages": [{"role": "system|user|assistant", "content": "text"}],
            "reply": {
                "text": "text",
                "reasoning?": "text",
                "finish": "stop|length",
                "usage": usage(),
            },
            "rung?": "gbnf|json_schema",
        },
        "state.carried": {
            "ram": {"*": "any"},
            "runs": [run()],
            "cycle": cycle(),
            "results": results(),
            "result_log?": {"last": "count", "kept": {"*": results()[0]}},
            "log?": {"entries": [{
                "ts": "time",
                "run_id": "uuid?",
                "iteration": "count?",
                "op": "text",
                "target": "text",
                "outcome": "applied|rejected|ignored",
                "code": "text?",
            }]},
            "seen": {"*": "count"},
            "organizing?": {"changes": "count", "more": "bool", "next?": "uuid",
                            "offered": [offer()]},
            "calibrations?": [{"model": "text", "ratio_milli": "count", "samples": "count",
                "last?": {"tokens": "count", "bare_tokens": "count", "sorts": ["count"]}}],
            "spending?": {"day": "count", "spent": cost()},
            "awaited?": {"*": {"schedule?": schedule(), "since": "time", "recorded_to": "time"}},
            "first_segment": "count",
        },
        "runs.remembered": {"past": "text"},
    });
    events["budget.reserved"] = json!({"day": "count", "cost": cost(), "run_id?": "uuid"});
    events["budget.settled"] = json!({"day": "count", "reserved": cost(), "spent": cost(),
                                      "run_id?": "uuid"});
    events["call.made"] = call();
    events["schedules.taken"] = json!({"schedules": {"*": schedule()}});
    events["slots.recorded"] = json!({"rule_id": "uuid", "to": "time", "spans": [{
        "first": "time",
        "last": "time",
        "count?": "count",
        "outcome": "ran|caught_up|coalesced|missed|skipped",
        "run_id?": "uuid",
        "into?": "time",
        "reason?": "text",
    }]});
    events["rule.skipped"] = json!({"rule_id": "uuid", "event_id": "text", "count": "count",
                                    "code": "text", "reason": "text"});
    events
}

/// Checks a value against a shape; says where it does not fit.
pub(crate) fn fits(shape: &Value, value: &Value) -> Result<(), String> {
    match (shape, value) {
        (Value::String(kind), _) => plain_fits(kind, value),
        (Value::Array(item), Value::Array(items)) => {
            items.iter().try_for_each(|value| fits(&item[0], value))
        }
        (Value::Object(shapes), Value::Object(members)) => {
            if let Some(shape) = shapes.get("*") {
                return members.values().try_for_each(|value| fits(shape, value));
            }
            for (name, shape) in shapes {
                let wanted = name.trim_end_matches('?');
                match members.get(wanted) {
                    None if name == wanted => return Err(format!("{name} is missing")),
                    None => {}
                    Some(value) => {
                        fits(shape, value).map_err(|what| format!("{wanted}: {what}"))?;
                    }
                }
            }
            let known = |name: &&String| {
                shapes.contains_key(*name) || shapes.contains_key(&format!("{name}?"))
            };
            let unknown = members.keys().find(|name| !known(name));
            unknown.map_or(Ok(()), |name| Err(format!("{name} is not documented")))
        }
        _ => Err(format!("{value} is not {shape}")),
    }
}

fn plain_fits(kind: &str, value: &Value) -> Result<(), String> {
    let (kind, optional) = kind
        .strip_suffix('?')
        .map_or((kind, false), |kind| (kind, true));
    let text = value.as_str();
    let like = |pattern: &str| {
        text.is_some_and(|text| {
            text.len() == pattern.len()
                && text
                    .chars()
                    .zip(pattern.chars())
                    .all(|(at, like)| match like {
                        'x' => at.is_ascii_digit() || matches!(at, 'a'..='f'),
                        '9' => at.is_ascii_digit(),
                        other => at == other,
                    })
        })
    };
    let good = match kind {
        "any" => true,
        "text" => text.is_some(),
        "count" => value.is_u64(),
        "bool" => value.is_boolean(),
        "hex" => like(&"x".repeat(64)),
        "uuid" => like("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
        "time" => like("9999-99-99T99:99:99.999Z"),
        words => text.is_some_and(|text| words.split('|').any(|word| word == text)),
    };
    if good || optional && value.is_null() {
        Ok(())
    } else {
        Err(format!("{value} is not {kind}"))
    }
}
