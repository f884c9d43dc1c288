//! Automation rules in their file, the outcomes of their slots, and launches by hand.
//!
//! A change of the file is checked as at a start; a daemon that runs makes it itself, and reads the
//! file again.

use super::change::{change_file, command_by};
use super::list::{List, ListWithIds, PageQuery};
use super::runs::{LaunchedView, checked_key};
use super::session::{Session, now};
use super::settings;
use super::typed_id::{beginning_with, only};
use crate::core::automation::{
    Rule, RuleTrigger, SLOT_EVENTS, SlotReconciliation, hindrance, is_elsewhere, next_slot,
};
use crate::daemon::Command;
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RuleId};
use crate::plain_text::one_line;
use crate::time::Timestamp;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

const ID_CHARACTERS_MAX: usize = 60;

/// A request that names a rule.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NamedRule {
    /// The rule's id, or the beginning of it.
    #[serde(rename = "rule_id")]
    pub rule: String,
}

/// A request to add a rule.
#[derive(Debug, Deserialize)]
pub struct AddRule {
    /// The rule as it stands in the file. Ids and times that are left out are filled in.
    pub rule: Map<String, Value>,
}

/// The few parts in which most rules differ.
#[derive(Args, Clone, Debug)]
pub struct RuleParts {
    /// Open a run at these times: minute, hour, day, month, day of the week, as "0 9 * * 1-5".
    #[arg(long, value_name = "TIMES", conflicts_with = "on")]
    pub cron: Option<String>,
    /// The time zone of these times, as Europe/Berlin; else that of this machine.
    #[arg(long, value_name = "ZONE", requires = "cron")]
    pub timezone: Option<String>,
    /// Open a run when this happens.
    #[arg(long, value_enum, value_name = "EVENT")]
    pub on: Option<RuleEvent>,
    /// The request that its runs work on; `-` reads standard input.
    #[arg(long, value_name = "TEXT")]
    pub ask: Option<String>,
}

/// An event that opens runs of a rule without a schedule.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum RuleEvent {
    /// A note is created.
    NoteCreated,
    /// A note is created or updated.
    NoteChanged,
    /// A note is deleted.
    NoteDeleted,
    /// A person launches it with `rules trigger`.
    Manual,
}

impl RuleEvent {
    const fn trigger(self) -> &'static str {
        let [changed, created, deleted, _, manual] = RuleTrigger::NAMES;
        match self {
            Self::NoteCreated => created,
            Self::NoteChanged => changed,
            Self::NoteDeleted => deleted,
            Self::Manual => manual,
        }
    }
}

/// A request to open a run by a rule.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct TriggerRule {
    /// The rule's id, or the beginning of it.
    #[serde(rename = "rule_id")]
    pub rule: String,
    /// The name of the event; else a new one.
    #[arg(long, value_name = "E")]
    #[serde(rename = "idempotency_key")]
    pub event_id: Option<String>,
}

/// The result of reconciling a span of time.
#[derive(Debug, Serialize)]
pub struct Reconciliation {
    /// Whether every slot has its record.
    pub ok: bool,
    from: Option<Timestamp>,
    to: Timestamp,
    #[serde(flatten)]
    pub found: SlotReconciliation,
}

/// Lists the rules, with the next time of each schedule.
pub fn list(session: &Session, page: PageQuery) -> Result<ListWithIds<Value, String>, Failure> {
    let shown = shown(session)?;
    let ids = shown.iter().filter_map(|it| it["rule_id"].as_str());
    let ids = ids.map(str::to_owned).collect();
    let list = List::page(shown, page);
    for item in &list.items {
        if let Some(why) = item.get("hindrance").and_then(Value::as_str) {
            let rule = item["rule_id"].as_str().unwrap_or_default();
            session.warn(&format!("rule {rule}: {why}"));
        }
    }
    Ok(ListWithIds { list, ids })
}

/// Returns a rule as its file has it.
pub fn show(session: &Session, NamedRule { rule }: NamedRule) -> Result<Value, Failure> {
    let rule_id = rule_id_of(session, &rule)?;
    let found = shown(session)?.into_iter().find(|it| is(it, rule_id));
    found.ok_or_else(|| unknown(&rule_id))
}

/// Adds a rule, and reports when it first opens a run.
pub fn add(session: &Session, AddRule { rule: given }: AddRule) -> Result<Value, Failure> {
    let config = session.load()?.config;
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
    let files = session.files.clone();
    let (mut rule, rules) = change_file(session, move || {
        files.change_rules(|items| {
            items.push(rule.clone());
            Ok(rule)
        })
    })?;
    let state = session.state(&config)?;
    if let Some(added) = rules.last() {
        let waits = (!is_elsewhere(added, config.scope.workspace_id)).then_some(added);
        let next = waits.and_then(|added| next_slot(std::slice::from_ref(added), &state, now));
        if added.cron().is_some() {
            rule["next_slot"] = json!(next);
        }
        report_added(session, added, next.map(|next| next.to_string()));
    }
    Ok(rule)
}

/// Makes the request to add a rule of these parts.
pub fn of_parts(session: &Session, parts: RuleParts) -> AddRule {
    let mut rule = Map::new();
    if let Some(cron) = parts.cron {
        let mut condition = json!({"cron": cron});
        // A person who writes a time reads it from a clock nearby.
        let local = || {
            session
                .files
                .local_zone()
                .map(|zone| zone.name().to_owned())
        };
        if let Some(zone) = parts.timezone.or_else(local) {
            condition["timezone"] = json!(zone);
        }
        rule.insert("condition_json".to_owned(), condition);
        rule.insert("trigger".to_owned(), json!("automation_schedule.cron"));
    }
    if let Some(event) = parts.on {
        rule.insert("trigger".to_owned(), json!(event.trigger()));
    }
    if let Some(request) = parts.ask {
        let action = json!({"kind": "kjxlkj_agent", "request": request.trim()});
        rule.insert("action_json".to_owned(), action);
    }
    AddRule { rule }
}

/// Removes a rule and returns it.
pub fn remove(session: &Session, NamedRule { rule }: NamedRule) -> Result<Value, Failure> {
    let rule_id = rule_id_of(session, &rule)?;
    changed(session, move |items| {
        Ok(items.remove(place_of(items, rule_id)?))
    })
}

/// Lets a rule open runs.
pub fn enable(session: &Session, NamedRule { rule }: NamedRule) -> Result<Value, Failure> {
    set_enabled(session, &rule, true)
}

/// Lets a rule open no runs.
pub fn disable(session: &Session, NamedRule { rule }: NamedRule) -> Result<Value, Failure> {
    set_enabled(session, &rule, false)
}

/// Opens a run by a rule. The same key never opens two.
pub fn trigger(session: &Session, asked: TriggerRule) -> Result<LaunchedView, Failure> {
    let rule_id = rule_id_of(session, &asked.rule)?;
    let event = match asked.event_id {
        Some(key) if key.starts_with(SLOT_EVENTS) => {
            let message = format!(
                "an event named `{SLOT_EVENTS}...` is a time of a schedule, which comes by itself"
            );
            return Err(Failure::new(Code::Usage, message));
        }
        Some(key) => EventId(checked_key(key)?),
        None => EventId(Uuid::new_v4().to_string()),
    };
    let config = session.load()?.config;
    let rule = config.rules.iter().find(|rule| rule.rule_id == rule_id);
    let rule = Box::new(rule.ok_or_else(|| unknown(&rule_id))?.clone());
    let done = command_by(session, Command::Trigger { rule, event })?;
    let launched = LaunchedView::of(done)?;
    if session.commands.is_none() && !launched.run.run.is_finished() {
        session.inform("hint: the next `daemon` or `run` works on it");
    }
    Ok(launched)
}

/// Derives the slots of all schedules again, and compares them with their records.
///
/// `stretch` returns the beginning and the end of the span, seen from now.
pub fn reconcile(
    session: &Session,
    stretch: impl FnOnce(Timestamp) -> [Option<Timestamp>; 2],
) -> Result<Reconciliation, Failure> {
    session.load()?;
    let now = now();
    let [from, to] = stretch(now);
    let to = to.unwrap_or(now);
    if from.is_some_and(|from| from > to) {
        let message = "--from names a later time than --to";
        return Err(Failure::new(Code::Usage, message));
    }
    let behind = from.unwrap_or(Timestamp::from_millis(i64::MIN));
    let found = crate::store::reconcile(&mut session.disk()?, behind, to)?;
    Ok(Reconciliation {
        ok: found.is_clean(),
        from,
        to,
        found,
    })
}

/// Returns the rules in force as their file has them, each with its next time.
fn shown(session: &Session) -> Result<Vec<Value>, Failure> {
    let loaded = settings::show(session)?;
    let state = session.state(&loaded.config)?;
    let is_makeshift = loaded.is_makeshift();
    let mut items = loaded.rules;
    if is_makeshift {
        // None of their times comes before the files are mended.
        return Ok(items);
    }
    for (item, rule) in items.iter_mut().zip(loaded.config.rules.iter()) {
        let workspace_id = loaded.config.scope.workspace_id;
        let next = next_slot(std::slice::from_ref(rule), &state, now());
        item["next_slot"] = json!(next.filter(|_| !is_elsewhere(rule, workspace_id)));
        if let Some(why) = hindrance(rule, workspace_id, &state, now()) {
            item["hindrance"] = json!(why);
        }
    }
    Ok(items)
}

/// Reports when the rule first opens a run, and what that needs.
fn report_added(session: &Session, rule: &Rule, next: Option<String>) {
    if !rule.enabled {
        return;
    }
    let zone = match &rule.trigger {
        RuleTrigger::Cron(cron) => cron.text.timezone.as_str(),
        RuleTrigger::Manual => {
            let rule_id = rule.rule_id;
            return session.inform(&format!(
                "hint: `rules trigger {rule_id}` opens a run of it"
            ));
        }
        RuleTrigger::NoteChanged | RuleTrigger::NoteCreated | RuleTrigger::NoteDeleted => {
            return session.inform("it opens a run at the next such change of a note");
        }
    };
    let Some(next) = next else {
        return session.warn("no time lies ahead that this rule would open a run at");
    };
    session.inform(&format!(
        "it first runs at {next}, read from the clock of {zone}"
    ));
    if session.commands.is_none() {
        session.inform("hint: only a `daemon` opens runs at these times, and none runs here");
    }
}

fn set_enabled(session: &Session, rule_id: &str, enabled: bool) -> Result<Value, Failure> {
    let rule_id = rule_id_of(session, rule_id)?;
    changed(session, move |items| {
        let place = place_of(items, rule_id)?;
        let item = items.get_mut(place).ok_or_else(|| unknown(&rule_id))?;
        item["enabled"] = json!(enabled);
        item["updated_at"] = json!(now());
        Ok(item.clone())
    })
}

fn changed(
    session: &Session,
    change: impl FnOnce(&mut Vec<Value>) -> Result<Value, Failure> + Send + 'static,
) -> Result<Value, Failure> {
    let files = session.files.clone();
    change_file(session, move || Ok(files.change_rules(change)?.0))
}

/// Returns the rule that a person means, by its id or a beginning that no other rule has.
fn rule_id_of(session: &Session, text: &str) -> Result<RuleId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let rules = session.load()?.rules;
    let ids = rules.iter().filter_map(|rule| rule["rule_id"].as_str());
    let ids = ids.filter_map(|id| id.parse::<RuleId>().ok());
    only(beginning_with(ids, text), "rules", text, || {
        unknown(&one_line(text, ID_CHARACTERS_MAX))
    })
}

fn is(item: &Value, rule_id: RuleId) -> bool {
    let text = item["rule_id"].as_str();
    text.and_then(|text| text.parse().ok()) == Some(rule_id)
}

fn place_of(items: &[Value], rule_id: RuleId) -> Result<usize, Failure> {
    let place = items.iter().position(|item| is(item, rule_id));
    place.ok_or_else(|| unknown(&rule_id))
}

fn unknown(rule_id: &impl std::fmt::Display) -> Failure {
    Failure::new(Code::RuleNotFound, format!("no rule has the id {rule_id}"))
}
