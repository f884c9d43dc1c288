//! Checks the rules file: a misunderstood rule could fire at the wrong time, so any error refuses
//! the whole file. Fires nothing.

use super::actions::MAY_CHANGE;
use super::object::Object;
use super::problem::Findings;
use super::settings::nearest;
use crate::core::automation::{
    Condition, CronTrigger, LatenessPolicy, MissedPolicy, Rule, RuleTrigger, Schedule,
    ScheduleText, Zone, sample_event,
};
use crate::ids::{RuleId, WorkspaceId};
use crate::limits::{INBOX_FILE_BYTES_MAX, LATENESS_MINUTES, LATENESS_MINUTES_MAX};
use crate::strict_json::JsonPath;
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use uuid::Uuid;

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
        let object = Object::of(item, path.clone(), "a rule must be an object", findings);
        let Some(rule) = object.and_then(|mut object| rule(&mut object, local)) else {
            continue;
        };
        if !ids.insert(rule.rule_id) {
            findings.error(path.key("rule_id"), "another rule has this id");
        }
        rules.push(rule);
    }
    rules
}

fn rule(rule: &mut Object<'_>, local: Option<Zone>) -> Option<Rule> {
    for key in rule.unknown(&KEYS) {
        // A misunderstood rule could fire at the wrong time.
        let meant = did_you_mean(key, KEYS);
        rule.error_key(key, format!("is not a key of a rule{meant}"));
    }
    for key in KEYS {
        if rule.get(key).is_none() {
            rule.error_here(format!("`{key}` is missing"));
        }
    }
    let created_at = time(rule, "created_at");
    time(rule, "updated_at");
    let action = rule.get("action_json");
    let kind = action.map(|action| action.get("kind").and_then(Value::as_str));
    if kind.is_some_and(|kind| kind != Some("kjxlkj_agent")) {
        rule.error(
            "action_json",
            "must be an object whose `kind` is `kjxlkj_agent`",
        );
    }
    let changes = action.and_then(Value::as_object);
    for key in changes.into_iter().flat_map(Map::keys) {
        if !MAY_CHANGE.contains(&key.as_str()) {
            let known = MAY_CHANGE.join(", ");
            let meant = did_you_mean(key, MAY_CHANGE);
            let message = format!("a rule may change nothing but {known}{meant}");
            let path = rule.at("action_json").key(key);
            rule.findings.error(path, message).at_key = true;
        }
    }
    let trigger = trigger(rule, local, created_at);
    let condition = condition(rule, trigger.as_ref());
    Some(Rule {
        rule_id: RuleId(uuid(rule, "rule_id")?),
        workspace_id: WorkspaceId(uuid(rule, "workspace_id")?),
        trigger: trigger?,
        condition: condition?,
        includes_own: rule.get("condition_json")?.get("include_own") == Some(&Value::Bool(true)),
        enabled: flag(rule, "enabled")?,
        request: request(rule),
    })
}

/// Returns the request of the rule's runs, if it has one.
fn request(rule: &mut Object<'_>) -> Option<String> {
    let given = rule.get("action_json")?.get("request")?;
    let text = given.as_str().map(str::trim);
    let text = text.filter(|it| !it.is_empty() && it.len() <= INBOX_FILE_BYTES_MAX);
    if text.is_none() {
        let path = rule.at("action_json").key("request");
        let message =
            format!("must be a text of 1 to {INBOX_FILE_BYTES_MAX} bytes that is not blank");
        rule.findings.error(path, message);
    }
    text.map(str::to_owned)
}

fn trigger(
    rule: &mut Object<'_>,
    local: Option<Zone>,
    created_at: Option<Timestamp>,
) -> Option<RuleTrigger> {
    let condition = rule.get("condition_json")?;
    match rule.get("trigger")?.as_str() {
        Some("workspace_event.note_changed") => Some(RuleTrigger::NoteChanged),
        Some("workspace_event.note_created") => Some(RuleTrigger::NoteCreated),
        Some("workspace_event.note_deleted") => Some(RuleTrigger::NoteDeleted),
        Some("manual") => Some(RuleTrigger::Manual),
        // `condition` reports that.
        Some("automation_schedule.cron") if !condition.is_object() => None,
        Some("automation_schedule.cron") => {
            let mut condition = rule.inner("condition_json", "must be an object")?;
            let zone = zone(&mut condition, local);
            let cron = cron(&mut condition, zone, created_at)?;
            Some(RuleTrigger::Cron(Box::new(cron)))
        }
        _ => {
            let known = RuleTrigger::NAMES.join(", ");
            rule.error("trigger", format!("must be one of {known}"));
            None
        }
    }
}

/// Reads the schedule of a rule, and reports all its errors.
fn cron(
    condition: &mut Object<'_>,
    zone: Option<Zone>,
    created_at: Option<Timestamp>,
) -> Option<CronTrigger> {
    let missed = missed(condition);
    let max_ms = lateness_ms(condition);
    let cron = condition.text("cron").unwrap_or_default();
    let schedule = Schedule::parse(cron, zone?, created_at?).map_err(|reason| {
        condition.error("cron", format!("`{cron}` is no schedule: {reason}"));
    });
    Some(CronTrigger {
        text: ScheduleText {
            cron: cron.to_owned(),
            timezone: zone?.name().to_owned(),
        },
        schedule: schedule.ok()?,
        lateness: LatenessPolicy {
            missed: missed?,
            max_ms: max_ms?,
        },
    })
}

fn missed(condition: &mut Object<'_>) -> Option<MissedPolicy> {
    let Some(name) = condition.get("missed") else {
        return Some(MissedPolicy::default());
    };
    let mut policies = MissedPolicy::NAMES.iter();
    let policy = policies.find(|(known, _)| name.as_str() == Some(known));
    let policy = policy.map(|(_, policy)| *policy);
    condition.or_error(policy, "missed", "must be `once`, `skip` or `all`")
}

fn lateness_ms(condition: &mut Object<'_>) -> Option<u64> {
    let minutes = match condition.get("max_lateness_minutes") {
        None => Some(LATENESS_MINUTES),
        Some(value) => value.as_u64().filter(|it| *it <= LATENESS_MINUTES_MAX),
    };
    let message = format!("must be a whole number from 0 to {LATENESS_MINUTES_MAX}");
    let minutes = condition.or_error(minutes, "max_lateness_minutes", message);
    minutes.map(|minutes| minutes * 60_000)
}

/// The keys of `condition_json`: those of all rules, of note rules, and of schedules.
const CONDITION_KEYS: [&[&str]; 3] = [
    &["cel"],
    &["include_own"],
    &["cron", "timezone", "missed", "max_lateness_minutes"],
];

/// Reads the expression of a rule and tries it on a sample event.
fn condition(rule: &mut Object<'_>, trigger: Option<&RuleTrigger>) -> Option<Condition> {
    let message = "must be an object; `{}` always holds";
    let mut condition = rule.inner("condition_json", message)?;
    let [all, notes, times] = CONDITION_KEYS;
    let own = match trigger? {
        RuleTrigger::Cron(_) => times,
        RuleTrigger::Manual => &[],
        RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted => notes,
    };
    let known = [all, own].concat();
    for key in condition.unknown(&known) {
        // A misunderstood condition could hold when it should not.
        let meant = did_you_mean(key, known.iter().copied());
        condition.error_key(key, format!("such a rule has no such key{meant}"));
    }
    let is_own = condition.get("include_own");
    if is_own.is_some_and(|it| !it.is_boolean()) {
        condition.error("include_own", "must be true or false");
    }
    let Some(text) = condition.text("cel") else {
        return Some(Condition::default());
    };
    let parsed = Condition::parse(text, &sample_event(trigger?));
    parsed
        .map_err(|reason| condition.error("cel", format!("is no condition: {reason}")))
        .ok()
}

/// Returns the time zone of a schedule: `timezone`, or UTC without it.
fn zone(condition: &mut Object<'_>, local: Option<Zone>) -> Option<Zone> {
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
    condition.or_error(zone, "timezone", message)
}

fn uuid(rule: &mut Object<'_>, key: &str) -> Option<Uuid> {
    let id = Uuid::try_parse(rule.text(key)?).ok();
    rule.or_error(id, key, "must be a UUID")
}

fn time(rule: &mut Object<'_>, key: &str) -> Option<Timestamp> {
    let time = Timestamp::parse(rule.text(key)?);
    rule.or_error(time, key, "must be an RFC 3339 time")
}

fn flag(rule: &mut Object<'_>, key: &str) -> Option<bool> {
    let flag = rule.get(key)?.as_bool();
    rule.or_error(flag, key, "must be true or false")
}

/// Returns the end of a refusal of a name; empty where no known one is close.
/// A long name may have one edit for every three characters.
fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let slips_max = (name.chars().count() / 3).max(2);
    let near = nearest(name, known, slips_max);
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_closest_of_the_names_is_meant() {
        let known = ["trigger", "enabled", "cel", "timezone"];
        for (name, meant) in [
            ("triger", Some("trigger")),
            ("enable", Some("enabled")),
            ("time_zone", Some("timezone")),
            ("colour", None),
            ("xy", None),
        ] {
            let meant = meant.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
            assert_eq!(did_you_mean(name, known), meant, "{name}");
        }
    }
}
