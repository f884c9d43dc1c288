//! `rules`: formats rules and the records of their times, and launches rules by hand.

use super::arguments::{NewRule, RulesVerb};
use super::table::Column;
use super::table::Kind::{Fixed, Id, Text};
use super::text::{ShortIds, one_line, pairs, when_known};
use super::{Context, VerbOutput, runs};
use crate::core::automation::{Reason, SlotReconciliation};
use crate::failure::{Code, Failure};
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::rules::{self, AddRule};
use crate::time::Timestamp;
use serde_json::{Value, json};

const SCHEDULE_CHARACTERS_MAX: usize = 40;
const REASON_CHARACTERS_MAX: usize = 200;

const COLUMNS: [Column; 5] = [
    ("TRIGGER", Text),
    ("SCHEDULE", Text),
    ("ENABLED", Fixed),
    ("NEXT", Fixed),
    ("RULE", Id),
];

pub(super) fn run(context: &Context, verb: RulesVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    let rule = match verb {
        RulesVerb::List(page) => {
            let found = rules::list(session, page)?;
            let ids = ShortIds::of(&found.ids);
            return context.list(&found, &found.list, COLUMNS, |rule| row(rule, &ids));
        }
        RulesVerb::Trigger(asked) => {
            return runs::launched(context, &rules::trigger(session, asked)?);
        }
        RulesVerb::Reconcile { from, to } => {
            let reconciled = rules::reconcile(session, |now| {
                [from, to].map(|it| it.map(|it| it.before(now)))
            })?;
            return context.answer_if(reconciled.ok, &reconciled, |it| text_of(&it.found));
        }
        RulesVerb::Show(rule) => rules::show(session, rule)?,
        RulesVerb::Add(new) => rules::add(session, added(context, new)?)?,
        RulesVerb::Remove(rule) => rules::remove(session, rule)?,
        RulesVerb::Enable(rule) => rules::enable(session, rule)?,
        RulesVerb::Disable(rule) => rules::disable(session, rule)?,
    };
    context.answer(&rule, |rule| format!("{rule:#}"))
}

/// Returns the rule to add: given as a whole, or by its parts.
fn added(context: &Context, new: NewRule) -> Result<AddRule, Failure> {
    let Some(text) = new.rule else {
        let mut parts = new.parts;
        parts.ask = context.text_or_input(parts.ask, CONFIG_FILE_BYTES_MAX)?;
        return Ok(rules::of_parts(&context.session, parts));
    };
    let text = context.value_or_input(text, CONFIG_FILE_BYTES_MAX)?;
    let reason = match serde_json::from_str(&text) {
        Ok(Value::Object(rule)) => return Ok(AddRule { rule }),
        Ok(_) => "is no object".to_owned(),
        Err(error) => format!("is no JSON: {error}"),
    };
    let message = format!("the rule that was given {reason}");
    let hint = "Nothing was written. Give one rule as a JSON object; `-` is standard input.";
    Err(Failure::new(Code::RulesInvalid, message).only_hint(hint))
}

fn row(rule: &Value, ids: &ShortIds) -> [String; 5] {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let condition = &rule["condition_json"];
    let zone = condition.get("timezone").and_then(Value::as_str);
    let schedule = format!("{} {}", text(&condition["cron"]), zone.unwrap_or_default());
    let is_enabled = rule["enabled"] == json!(true);
    let next = rule["next_slot"].as_str().and_then(Timestamp::parse);
    [
        text(&rule["trigger"]),
        one_line(schedule.trim(), SCHEDULE_CHARACTERS_MAX),
        if is_enabled { "yes" } else { "no" }.to_owned(),
        when_known(next),
        ids.short(&text(&rule["rule_id"])),
    ]
}

fn text_of(found: &SlotReconciliation) -> String {
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
