//! `ram`: formats keys and values.

use super::arguments::{Format, RamVerb};
use super::table::Kind::Text;
use super::text::{one_line, text_of_value};
use super::{Context, VerbOutput};
use crate::failure::Failure;
use crate::limits::RAM_VALUE_BYTES_MAX;
use crate::service::ram;
use serde_json::Value;

const VALUE_CHARACTERS_MAX: usize = 100;

pub(super) fn run(context: &Context, verb: RamVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        RamVerb::List(page) => {
            let (list, columns) = (ram::list(session, page)?, [("KEY", Text), ("VALUE", Text)]);
            context.list(&list, &list, columns, |entry| {
                [shown(&entry.key), shown(&text_of_value(&entry.value))]
            })
        }
        RamVerb::Get(key) => {
            context.answer(&ram::get(session, key)?, |found| plain(&found.entry.value))
        }
        RamVerb::Export => ram::export(session, |layers| {
            VerbOutput::of(Format::Json, layers, String::new)
        })?,
        RamVerb::Set(mut asked) => {
            asked.value = context.value_or_input(asked.value, RAM_VALUE_BYTES_MAX)?;
            context.answer(&ram::set(session, asked)?, |entry| {
                format!("set {}", shown(&entry.key))
            })
        }
        RamVerb::Delete(key) => context.answer(&ram::delete(session, key)?, |found| {
            let from = found.layer.map_or("", |_| " from /storage");
            format!("deleted {}{from}", shown(&found.entry.key))
        }),
    }
}

fn shown(text: &str) -> String {
    one_line(text, VALUE_CHARACTERS_MAX)
}

/// Formats a value by itself: text verbatim, anything else as JSON.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| format!("{value:#}"), str::to_owned)
}
