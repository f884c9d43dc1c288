//! `ram`: formats keys and values.

use super::arguments::{Format, RamVerb};
use super::context::Context;
use super::output::VerbOutput;
use super::table::Kind::Text;
use super::table::Table;
use super::text::{one_line, text_of_value};
use crate::failure::Failure;
use crate::limits::RAM_VALUE_BYTES_MAX;
use crate::service::List;
use crate::service::ram::{self, RamEntry};
use serde_json::Value;

/// The most characters of a value in a row of the list.
const VALUE_CHARACTERS_MAX: usize = 100;

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: RamVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        RamVerb::List(page) => {
            let list = ram::list(session, page)?;
            context.list(&list, || table(&list))
        }
        RamVerb::Get(key) => {
            let found = ram::get(session, key)?;
            context.answer(&found, || plain(&found.entry.value))
        }
        RamVerb::Export => ram::export(session, |layers| {
            VerbOutput::of(Format::Json, layers, String::new)
        })?,
        RamVerb::Set(mut asked) => {
            asked.value = context.value_or_input(asked.value, RAM_VALUE_BYTES_MAX)?;
            let entry = ram::set(session, asked)?;
            context.answer(&entry, || format!("set {}", shown(&entry.key)))
        }
        RamVerb::Delete(key) => {
            let found = ram::delete(session, key)?;
            let from = found.layer.map_or("", |_| " from /storage");
            context.answer(&found, || {
                format!("deleted {}{from}", shown(&found.entry.key))
            })
        }
    }
}

fn shown(key: &str) -> String {
    one_line(key, VALUE_CHARACTERS_MAX)
}

/// Formats a value by itself: text verbatim, anything else as JSON.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| format!("{value:#}"), str::to_owned)
}

fn table(list: &List<RamEntry>) -> Table {
    let row = |entry: &RamEntry| {
        let text = text_of_value(&entry.value);
        [shown(&entry.key), one_line(&text, VALUE_CHARACTERS_MAX)]
    };
    let columns = [("KEY", Text), ("VALUE", Text)];
    Table::new(columns, list.items.iter().map(row))
}
