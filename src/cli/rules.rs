//! `rules`: the automation rules in their file, what became of their times, and launches by hand. A change
//! of the file is checked as at a start; a daemon that runs makes it itself, and reads the file again.

use super::arguments::{RulesVerb, Stretch};
use super::context::Context;
use super::output::Answer;
use super::record;
use super::rules_add;
use super::runs::checked_key;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::{one_line, pairs};
use super::when::when_known;
use crate::config::{Config, change_rules};
use crate::core::automation::{
    Reason, Reconciled, Rule, SLOT_EVENTS, hindrance, is_elsewhere, next_slot,
};
use crate::daemon::{Command, Done};
use crate::failure::{Code, Failure};
use crate::ids::{EventId, RuleId};
use crate::service::List;
use crate::service::now;
use crate::service::unread;
use crate::service::{beginning_with, only};
use crate::service::{change_file, command_by};
use crate::store::reconcile;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

/// Characters of what may be an id.
const ID_CHARACTERS_MAX: usize = 60;

/// Characters of a schedule that a row shows.
const SCHEDULE_CHARACTERS_MAX: usize = 40;

/// Characters of why a time opened nothing.
const REASON_CHARACTERS_MAX: usize = 200;

/// What the list of rules shows.
const COLUMNS: [Column; 5] = [
    Column::text("TRIGGER"),
    Column::text("SCHEDULE"),
    Column::fixed("ENABLED"),
    Column::fixed("NEXT"),
    Column::id("RULE"),
];

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: RulesVerb) -> Result<Answer, Failure> {
    match verb {
        RulesVerb::List(page) => {
            let shown = shown(context)?;
            let ids = ShortIds::of(shown.iter().filter_map(|it| it["rule_id"].as_str()));
            let list = List::page(shown, page.into());
            for item in &list.items {
                if let Some(why) = item.get("hindrance").and_then(Value::as_str) {
                    let rule = item["rule_id"].as_str().unwrap_or_default();
                    context.warn(&format!("rule {rule}: {why}"));
                }
            }
            context.list(&list, || {
                Table::new(COLUMNS, list.items.iter().map(|rule| row(rule, &ids)))
            })
        }
        RulesVerb::Show { rule } => {
            let rule_id = rule_id(context, &rule)?;
            let found = shown(context)?.into_iter().find(|it| is(it, rule_id));
            print(context, &found.ok_or_else(|| unknown(&rule_id))?)
        }
        RulesVerb::Add(new) => rules_add::run(context, new),
        RulesVerb::Remove { rule } => {
            let rule_id = rule_id(context, &rule)?;
            change(context, move |items| {
                Ok(items.remove(place_of(items, rule_id)?))
            })
        }
        RulesVerb::Enable { rule } => enable(context, &rule, true),
        RulesVerb::Disable { rule } => enable(context, &rule, false),
        RulesVerb::Trigger { rule, event_id } => trigger(context, &rule, event_id),
        RulesVerb::Reconcile(stretch) => hold_against(context, &stretch),
    }
}

/// The rules in force, as their file words them, each with its next time.
fn shown(context: &Context) -> Result<Vec<Value>, Failure> {
    let loaded = context.session.load()?;
    if let Some(said) = unread(&context.session, &loaded.config) {
        context.warn(&said);
    }
    let state = context.session.state(&loaded.config)?;
    let is_makeshift = loaded.is_makeshift();
    let mut items = loaded.rules;
    if is_makeshift {
        // No time of theirs comes before the files are mended.
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

fn row(rule: &Value, ids: &ShortIds) -> [String; 5] {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let condition = &rule["condition_json"];
    let zone = condition.get("timezone").and_then(Value::as_str);
    let schedule = format!("{} {}", text(&condition["cron"]), zone.unwrap_or_default());
    let enabled = if rule["enabled"] == json!(true) {
        "yes"
    } else {
        "no"
    };
    let next = rule["next_slot"].as_str().and_then(Timestamp::parse);
    [
        text(&rule["trigger"]),
        one_line(schedule.trim(), SCHEDULE_CHARACTERS_MAX),
        enabled.to_owned(),
        when_known(next),
        ids.short(&text(&rule["rule_id"])),
    ]
}

/// Prints a rule as its file words it.
pub(super) fn print(context: &Context, rule: &Value) -> Result<Answer, Failure> {
    context.answer(rule, || format!("{rule:#}"))
}

fn enable(context: &Context, rule: &str, enabled: bool) -> Result<Answer, Failure> {
    let rule_id = rule_id(context, rule)?;
    change(context, move |items| {
        let place = place_of(items, rule_id)?;
        let item = items.get_mut(place).ok_or_else(|| unknown(&rule_id))?;
        item["enabled"] = json!(enabled);
        item["updated_at"] = json!(now());
        Ok(item.clone())
    })
}

/// Changes the file, and prints the rule that was changed.
fn change(
    context: &Context,
    change: impl FnOnce(&mut Vec<Value>) -> Result<Value, Failure> + Send + 'static,
) -> Result<Answer, Failure> {
    let (root, environment) = (context.session.root().to_owned(), context.environment);
    let changed = change_file(&context.session, move || {
        let (changed, _) = change_rules(&root, &environment, change)?;
        Ok(changed)
    })?;
    print(context, &changed)
}

fn trigger(context: &Context, rule: &str, event_id: Option<String>) -> Result<Answer, Failure> {
    let rule_id = rule_id(context, rule)?;
    let event = match event_id {
        Some(key) if key.starts_with(SLOT_EVENTS) => {
            let message = format!(
                "an event named `{SLOT_EVENTS}...` is a time of a schedule, which comes by itself"
            );
            return Err(Failure::new(Code::Usage, message));
        }
        Some(key) => EventId(checked_key(key)?),
        None => EventId(Uuid::new_v4().to_string()),
    };
    let config = context.session.load()?.config;
    let rule = Box::new(rule_of(&config, rule_id)?.clone());
    let Done::Run { run, is_new } = command_by(&context.session, Command::Trigger { rule, event })?
    else {
        return Ok(Answer::nothing());
    };
    if context.session.commands.is_none() && !run.is_finished() {
        context.talk("hint: the next `daemon` or `run` works on it");
    }
    record::launched(context, &run, is_new)
}

fn rule_of(config: &Config, rule_id: RuleId) -> Result<&Rule, Failure> {
    let rule = config.rules.iter().find(|rule| rule.rule_id == rule_id);
    rule.ok_or_else(|| unknown(&rule_id))
}

/// A reconciliation as it is printed.
#[derive(Debug, Serialize)]
struct Printed {
    ok: bool,
    from: Option<Timestamp>,
    to: Timestamp,
    #[serde(flatten)]
    found: Reconciled,
}

fn hold_against(context: &Context, stretch: &Stretch) -> Result<Answer, Failure> {
    context.session.load()?;
    let now = now();
    let [since, to] = [stretch.from, stretch.to].map(|it| it.map(|it| it.before(now)));
    let to = to.unwrap_or(now);
    if since.is_some_and(|since| since > to) {
        let message = "--from names a later time than --to";
        return Err(Failure::new(Code::Usage, message));
    }
    let from = since.unwrap_or(Timestamp::from_millis(i64::MIN));
    let found = reconcile(&mut context.session.disk()?, from, to)?;
    let ok = found.is_clean();
    let printed = Printed {
        ok,
        from: since,
        to,
        found,
    };
    Ok(context
        .answer(&printed, || text_of(&printed.found))?
        .ok_if(ok))
}

fn text_of(found: &Reconciled) -> String {
    let mut rows = vec![
        ("slots", found.slots.to_string()),
        ("ran", found.ran.to_string()),
        ("caught up", found.caught_up.to_string()),
        ("coalesced", found.coalesced.to_string()),
        ("missed", found.missed.to_string()),
        ("skipped", found.skipped.to_string()),
        ("pending", found.pending.to_string()),
        ("unexplained", found.unexplained.to_string()),
        ("recorded twice", found.doubled.to_string()),
        ("never due", found.stray.to_string()),
    ];
    if found.is_cut {
        let cut = "there are more behind the newest record than are counted";
        rows.push(("pending, cut", cut.to_owned()));
    }
    if found.is_more {
        let more = "there are more, which ended as those before them did; no number is exact";
        rows.push(("not counted", more.to_owned()));
    }
    let wrong = found.wrong.iter();
    let wrong = wrong.map(|slot| format!("wrong: {} at {}\n", slot.rule_id, slot.at));
    let reasons = found.reasons.iter().map(|it| {
        let Reason {
            rule_id,
            outcome,
            reason,
            slots,
            is_more,
            first,
            last,
        } = it;
        let more = if *is_more { "more than " } else { "" };
        let why = one_line(reason, REASON_CHARACTERS_MAX);
        format!("{outcome} {more}{slots} of {rule_id}, {first} to {last}: {why}\n")
    });
    pairs(&rows) + &reasons.collect::<String>() + &wrong.collect::<String>()
}

/// The rule that a person means: by its id, or by a beginning of it that no other rule has.
fn rule_id(context: &Context, text: &str) -> Result<RuleId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let rules = context.session.load()?.rules;
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
