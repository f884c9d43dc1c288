//! `rules add`: a rule as a whole, or by the few parts that most rules differ in. The file is checked with it
//! before anything is written.

use super::arguments::NewRule;
use super::context::Context;
use super::output::Answer;
use super::rules::print;
use crate::config::{change_rules, local_zone};
use crate::core::automation::{Rule, RuleTrigger, is_elsewhere, next_slot};
use crate::failure::{Code, Failure};
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::change_file;
use crate::service::now;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Adds a rule, prints it, and says when it first opens a run.
pub(super) fn run(context: &Context, new: NewRule) -> Result<Answer, Failure> {
    let given = match new.rule {
        Some(text) => given(context, text)?,
        None => by_parts(context, new)?,
    };
    let config = context.session.load()?.config;
    let now = now();
    let mut rule = json!({
        "rule_id": Uuid::new_v4(),
        "workspace_id": config.scope.workspace_id,
        "trigger": "manual",
        "condition_json": {},
        "action_json": {"kind": "kjxlkj_agent"},
        "enabled": true,
        "created_at": now,
        "updated_at": now,
    });
    for (key, value) in given {
        rule[key] = value;
    }
    let (root, environment) = (context.session.root().to_owned(), context.environment);
    let (mut rule, rules) = change_file(&context.session, move || {
        change_rules(&root, &environment, |items| {
            items.push(rule.clone());
            Ok(rule)
        })
    })?;
    let state = context.session.state(&config)?;
    if let Some(added) = rules.last() {
        let waits = (!is_elsewhere(added, config.scope.workspace_id)).then_some(added);
        let next = waits.and_then(|added| next_slot(std::slice::from_ref(added), &state, now));
        if added.cron().is_some() {
            rule["next_slot"] = json!(next);
        }
        report_added(context, added, next.map(|next| next.to_string()));
    }
    print(context, &rule)
}

/// Says when the rule first opens a run, and what that needs.
fn report_added(context: &Context, rule: &Rule, next: Option<String>) {
    if !rule.enabled {
        return;
    }
    let zone = match &rule.trigger {
        RuleTrigger::Cron(cron) => cron.text.timezone.as_str(),
        RuleTrigger::Manual => {
            let rule_id = rule.rule_id;
            return context.talk(&format!(
                "hint: `rules trigger {rule_id}` opens a run of it"
            ));
        }
        RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted => {
            return context.talk("it opens a run at the next such change of a note");
        }
    };
    let Some(next) = next else {
        return context.warn("no time lies ahead that this rule would open a run at");
    };
    context.talk(&format!(
        "it first runs at {next}, read from the clock of {zone}"
    ));
    if context.session.commands.is_none() {
        context.talk("hint: only a `daemon` heeds times, and none runs here");
    }
}

/// A rule that was given as a whole.
fn given(context: &Context, text: String) -> Result<Map<String, Value>, Failure> {
    let text = context.value_or_input(text, CONFIG_FILE_BYTES_MAX)?;
    let invalid = |what: String| {
        let failure = Failure::new(
            Code::RulesInvalid,
            format!("the rule that was given {what}"),
        );
        failure.only_hint(
            "Nothing was written. Give one rule as a JSON object; `-` is standard input.",
        )
    };
    let given: Value =
        serde_json::from_str(&text).map_err(|error| invalid(format!("is no JSON: {error}")))?;
    match given {
        Value::Object(given) => Ok(given),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(invalid("is no object".to_owned()))
        }
    }
}

/// A rule of its parts.
fn by_parts(context: &Context, new: NewRule) -> Result<Map<String, Value>, Failure> {
    let mut rule = Map::new();
    if let Some(cron) = new.cron {
        let mut condition = json!({"cron": cron});
        // Whoever writes a time reads it from a clock nearby.
        let local = || local_zone(&context.environment).map(|zone| zone.name().to_owned());
        if let Some(zone) = new.timezone.or_else(local) {
            condition["timezone"] = json!(zone);
        }
        rule.insert("condition_json".to_owned(), condition);
        rule.insert("trigger".to_owned(), json!("automation_schedule.cron"));
    }
    if let Some(event) = new.on {
        rule.insert("trigger".to_owned(), json!(event.trigger()));
    }
    if let Some(request) = new.ask {
        let request = context.value_or_input(request, CONFIG_FILE_BYTES_MAX)?;
        let action = json!({"kind": "kjxlkj_agent", "request": request.trim()});
        rule.insert("action_json".to_owned(), action);
    }
    Ok(rule)
}
