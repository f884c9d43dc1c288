//! The rules file, checked: one rule that is half understood could fire at the wrong time, so any
//! error refuses the whole file. Fires nothing.

use super::problem::Findings;
use crate::core::automation::{Rule, RuleTrigger, Schedule, Zone};
use crate::ids::{RuleId, WorkspaceId};
use crate::strict_json::JsonPath;
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Every key of a rule; all are required.
const KEYS: [&str; 8] = [
    "rule_id",
    "workspace_id",
    "trigger",
    "condition_json",
    "action_json",
    "enabled",
    "created_at",
    "updated_at",
];

/// Checks a document. The findings say what is wrong; a rule with an error is left out.
pub(super) fn check(document: &Value, findings: &mut Findings) -> Vec<Rule> {
    let top = JsonPath::default();
    let Some(items) = document.as_array() else {
        findings.error(top, "the rules file must be an array of rules");
        return Vec::new();
    };
    let mut ids = BTreeSet::new();
    let mut rules = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let path = top.index(index);
        let Some(entries) = item.as_object() else {
            findings.error(path, "a rule must be an object");
            continue;
        };
        let Some(rule) = rule(entries, &path, findings) else {
            continue;
        };
        if !ids.insert(rule.rule_id) {
            findings.error(path.key("rule_id"), "another rule has this id");
        }
        if rule.enabled {
            findings.warn(
                path.key("enabled"),
                "this version checks rules but does not fire them yet",
            );
        }
        rules.push(rule);
    }
    rules
}

fn rule(entries: &Map<String, Value>, path: &JsonPath, findings: &mut Findings) -> Option<Rule> {
    for key in entries.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        findings.warn_key(path.key(key), "this key is not known and is ignored");
    }
    for key in KEYS.iter().filter(|key| !entries.contains_key(**key)) {
        findings.error(path.clone(), format!("`{key}` is missing"));
    }
    let created_at = time(entries, "created_at", path, findings);
    time(entries, "updated_at", path, findings);
    let kind = entries
        .get("action_json")
        .map(|action| action.get("kind").and_then(Value::as_str));
    if kind.is_some_and(|kind| kind != Some("kjxlkj_agent")) {
        findings.error(
            path.key("action_json"),
            "must be an object whose `kind` is `kjxlkj_agent`",
        );
    }
    let trigger = trigger(entries, created_at, path, findings);
    Some(Rule {
        rule_id: RuleId(uuid(entries, "rule_id", path, findings)?),
        workspace_id: WorkspaceId(uuid(entries, "workspace_id", path, findings)?),
        trigger: trigger?,
        enabled: flag(entries, "enabled", path, findings)?,
    })
}

fn trigger(
    entries: &Map<String, Value>,
    created_at: Option<Timestamp>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<RuleTrigger> {
    let condition = entries.get("condition_json")?;
    if !condition.is_object() {
        findings.error(
            path.key("condition_json"),
            "must be an object; `{}` always holds",
        );
    }
    match entries.get("trigger")?.as_str() {
        Some("workspace_event.note_changed") => Some(RuleTrigger::NoteChanged),
        Some("workspace_event.note_created") => Some(RuleTrigger::NoteCreated),
        Some("workspace_event.note_deleted") => Some(RuleTrigger::NoteDeleted),
        Some("manual") => Some(RuleTrigger::Manual),
        Some("automation_schedule.cron") => {
            let expression = condition
                .get("cron")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let zone = zone(condition, &path.key("condition_json"), findings);
            match Schedule::parse(expression, zone?, created_at?) {
                Ok(schedule) => Some(RuleTrigger::Cron(Box::new(schedule))),
                Err(reason) => {
                    let path = path.key("condition_json").key("cron");
                    findings.error(path, format!("`{expression}` is no schedule: {reason}"));
                    None
                }
            }
        }
        _ => {
            let known = RuleTrigger::NAMES.join(", ");
            findings.error(path.key("trigger"), format!("must be one of {known}"));
            None
        }
    }
}

/// The zone of a schedule's clock: `timezone`, or universal time where it is not given.
fn zone(condition: &Value, path: &JsonPath, findings: &mut Findings) -> Option<Zone> {
    let Some(name) = condition.get("timezone") else {
        return Some(Zone::UTC);
    };
    let zone = name.as_str().and_then(Zone::parse);
    if zone.is_none() {
        let message = "must be the name of a time zone such as `UTC` or `Europe/Berlin`";
        findings.error(path.key("timezone"), message);
    }
    zone
}

fn uuid(
    entries: &Map<String, Value>,
    key: &str,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<uuid::Uuid> {
    let id = uuid::Uuid::try_parse(entries.get(key)?.as_str().unwrap_or_default());
    if id.is_err() {
        findings.error(path.key(key), "must be a UUID");
    }
    id.ok()
}

fn time(
    entries: &Map<String, Value>,
    key: &str,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<Timestamp> {
    let time = Timestamp::parse(entries.get(key)?.as_str().unwrap_or_default());
    if time.is_none() {
        findings.error(path.key(key), "must be an RFC 3339 time");
    }
    time
}

fn flag(
    entries: &Map<String, Value>,
    key: &str,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<bool> {
    let flag = entries.get(key)?.as_bool();
    if flag.is_none() {
        findings.error(path.key(key), "must be true or false");
    }
    flag
}
