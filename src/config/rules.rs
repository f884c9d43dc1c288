//! Checks the rules file: a misunderstood rule could fire at the wrong time, so any error refuses
//! the whole file. Fires nothing.

use super::actions::MAY_CHANGE;
use super::nearest::did_you_mean;
use super::problem::Findings;
use crate::core::automation::{
    Condition, CronTrigger, Lateness, MissedPolicy, Rule, RuleTrigger, Schedule, ScheduleText,
    Zone, sample_event,
};
use crate::ids::{RuleId, WorkspaceId};
use crate::limits::{INBOX_FILE_BYTES_MAX, LATENESS_MINUTES, LATENESS_MINUTES_MAX};
use crate::strict_json::JsonPath;
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// All keys of a rule; each is required.
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

/// Checks a document.
/// A rule with an error, which the findings hold, is left out. `local` is the time zone of this
/// machine.
pub(super) fn check(document: &Value, local: Option<Zone>, findings: &mut Findings) -> Vec<Rule> {
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
        let Some(rule) = rule(entries, local, &path, findings) else {
            continue;
        };
        if !ids.insert(rule.rule_id) {
            findings.error(path.key("rule_id"), "another rule has this id");
        }
        rules.push(rule);
    }
    rules
}

fn rule(
    entries: &Map<String, Value>,
    local: Option<Zone>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<Rule> {
    for key in entries.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        // A misunderstood rule could fire at the wrong time.
        let meant = did_you_mean(key, KEYS);
        findings.error_key(path.key(key), format!("is not a key of a rule{meant}"));
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
    let changes = entries.get("action_json").and_then(Value::as_object);
    for key in changes.into_iter().flat_map(Map::keys) {
        if !MAY_CHANGE.contains(&key.as_str()) {
            let known = MAY_CHANGE.join(", ");
            let path = path.key("action_json").key(key);
            let meant = did_you_mean(key, MAY_CHANGE);
            let message = format!("a rule may change nothing but {known}{meant}");
            findings.error_key(path, message);
        }
    }
    let trigger = trigger(entries, local, created_at, path, findings);
    let condition = condition(entries, trigger.as_ref(), path, findings);
    Some(Rule {
        rule_id: RuleId(uuid(entries, "rule_id", path, findings)?),
        workspace_id: WorkspaceId(uuid(entries, "workspace_id", path, findings)?),
        trigger: trigger?,
        condition: condition?,
        includes_own: entries.get("condition_json")?.get("include_own") == Some(&Value::Bool(true)),
        enabled: flag(entries, "enabled", path, findings)?,
        request: request(entries, path, findings),
    })
}

/// Returns the request of the rule's runs, if it has one.
fn request(
    entries: &Map<String, Value>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<String> {
    let given = entries.get("action_json")?.get("request")?;
    let text = given.as_str().map(str::trim);
    let text = text.filter(|it| !it.is_empty() && it.len() <= INBOX_FILE_BYTES_MAX);
    if text.is_none() {
        let path = path.key("action_json").key("request");
        let message =
            format!("must be a text of 1 to {INBOX_FILE_BYTES_MAX} bytes that is not blank");
        findings.error(path, message);
    }
    text.map(str::to_owned)
}

fn trigger(
    entries: &Map<String, Value>,
    local: Option<Zone>,
    created_at: Option<Timestamp>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<RuleTrigger> {
    let condition = entries.get("condition_json")?;
    match entries.get("trigger")?.as_str() {
        Some("workspace_event.note_changed") => Some(RuleTrigger::NoteChanged),
        Some("workspace_event.note_created") => Some(RuleTrigger::NoteCreated),
        Some("workspace_event.note_deleted") => Some(RuleTrigger::NoteDeleted),
        Some("manual") => Some(RuleTrigger::Manual),
        Some("automation_schedule.cron") if condition.is_object() => {
            let path = path.key("condition_json");
            let zone = zone(condition, local, &path, findings);
            let cron = cron(condition, zone, created_at, &path, findings)?;
            Some(RuleTrigger::Cron(Box::new(cron)))
        }
        // `condition` reports that.
        Some("automation_schedule.cron") => None,
        _ => {
            let known = RuleTrigger::NAMES.join(", ");
            findings.error(path.key("trigger"), format!("must be one of {known}"));
            None
        }
    }
}

/// Reads the schedule of a rule, and reports all its errors.
fn cron(
    condition: &Value,
    zone: Option<Zone>,
    created_at: Option<Timestamp>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<CronTrigger> {
    let missed = missed(condition, path, findings);
    let max_ms = lateness_ms(condition, path, findings);
    let cron = condition.get("cron").and_then(Value::as_str);
    let cron = cron.unwrap_or_default();
    let schedule = Schedule::parse(cron, zone?, created_at?);
    let schedule = schedule.map_err(|reason| {
        let message = format!("`{cron}` is no schedule: {reason}");
        findings.error(path.key("cron"), message);
    });
    Some(CronTrigger {
        text: ScheduleText {
            cron: cron.to_owned(),
            timezone: zone?.name().to_owned(),
        },
        schedule: schedule.ok()?,
        lateness: Lateness {
            missed: missed?,
            max_ms: max_ms?,
        },
    })
}

fn missed(condition: &Value, path: &JsonPath, findings: &mut Findings) -> Option<MissedPolicy> {
    let Some(name) = condition.get("missed") else {
        return Some(MissedPolicy::default());
    };
    let mut policies = MissedPolicy::NAMES.iter();
    let policy = policies.find(|(known, _)| name.as_str() == Some(known));
    if policy.is_none() {
        findings.error(path.key("missed"), "must be `once`, `skip` or `all`");
    }
    policy.map(|(_, policy)| *policy)
}

fn lateness_ms(condition: &Value, path: &JsonPath, findings: &mut Findings) -> Option<u64> {
    let minutes = match condition.get("max_lateness_minutes") {
        None => Some(LATENESS_MINUTES),
        Some(value) => value.as_u64().filter(|it| *it <= LATENESS_MINUTES_MAX),
    };
    if minutes.is_none() {
        let message = format!("must be a whole number from 0 to {LATENESS_MINUTES_MAX}");
        findings.error(path.key("max_lateness_minutes"), message);
    }
    minutes.map(|minutes| minutes * 60_000)
}

/// The keys of `condition_json`: those of all rules, of note rules, and of schedules.
const CONDITION_KEYS: [&[&str]; 3] = [
    &["cel"],
    &["include_own"],
    &["cron", "timezone", "missed", "max_lateness_minutes"],
];

/// Reads the expression of a rule and tries it on a sample event.
fn condition(
    entries: &Map<String, Value>,
    trigger: Option<&RuleTrigger>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<Condition> {
    let path = path.key("condition_json");
    let Some(condition) = entries.get("condition_json")?.as_object() else {
        findings.error(path, "must be an object; `{}` always holds");
        return None;
    };
    let [all, notes, times] = CONDITION_KEYS;
    let own = match trigger? {
        RuleTrigger::Cron(_) => times,
        RuleTrigger::Manual => &[],
        RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted => notes,
    };
    for key in condition.keys() {
        if !all.contains(&key.as_str()) && !own.contains(&key.as_str()) {
            // A misunderstood condition could hold when it should not.
            let meant = did_you_mean(key, all.iter().chain(own).copied());
            findings.error_key(path.key(key), format!("such a rule has no such key{meant}"));
        }
    }
    if condition
        .get("include_own")
        .is_some_and(|it| !it.is_boolean())
    {
        findings.error(path.key("include_own"), "must be true or false");
    }
    let Some(text) = condition.get("cel") else {
        return Some(Condition::default());
    };
    let text = text.as_str().unwrap_or_default();
    match Condition::parse(text, &sample_event(trigger?)) {
        Ok(condition) => Some(condition),
        Err(reason) => {
            findings.error(path.key("cel"), format!("is no condition: {reason}"));
            None
        }
    }
}

/// Returns the time zone of a schedule: `timezone`, or UTC without it.
fn zone(
    condition: &Value,
    local: Option<Zone>,
    path: &JsonPath,
    findings: &mut Findings,
) -> Option<Zone> {
    let (zone, message) = match condition.get("timezone").map(Value::as_str) {
        None => (Some(Zone::UTC), ""),
        Some(Some("local")) => (
            local,
            "this machine does not tell the name of its time zone; write it here",
        ),
        Some(name) => (
            name.and_then(Zone::parse),
            "must be the name of a time zone such as `UTC` or `Europe/Berlin`, or `local`",
        ),
    };
    if zone.is_none() {
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
