//! `ram`: keys and values, read from the last commit and changed through the guard.

use super::arguments::{Format, RamVerb};
use super::change::change;
use super::context::Context;
use super::list::List;
use super::output::Answer;
use super::text::{columns, one_line};
use crate::core::agent::LoopState;
use crate::core::guard::Guard;
use crate::core::journal::State;
use crate::core::memory::directory::{Layer, values_of};
use crate::core::memory::kept_as_text;
use crate::core::memory::path::{StorePath, Tree};
use crate::core::memory::ram::{STATE, canonical_key, value_from_text};
use crate::failure::{Code, Failure};
use crate::limits::RAM_VALUE_BYTES_MAX;
use serde::Serialize;
use serde_json::Value;

/// Characters of a value that a row of the list shows.
const VALUE_CHARACTERS_MAX: usize = 100;

#[derive(Debug, Serialize)]
struct Entry {
    key: String,
    value: Value,
}

/// A key wherever it is.
#[derive(Debug, Serialize)]
struct Found {
    #[serde(flatten)]
    entry: Entry,
    /// Named where it is not RAM.
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Layer>,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: RamVerb) -> Result<Answer, Failure> {
    match verb {
        RamVerb::List(page) => {
            let state = context.state(&context.load_without_key()?.config)?;
            let entries = state.ram.entries();
            let all = entries.map(|(key, value)| entry(key, value)).collect();
            let list = List::page(all, page);
            context.answer(&list, || list_text(&list))
        }
        RamVerb::Get { key } => {
            let state = context.state(&context.load_without_key()?.config)?;
            let key = canonical_key(&key);
            let value = values_of(&state.ram, &state.storage, key).next();
            let value = value.or_else(|| stored_at(&state, key));
            let (layer, value) = value.ok_or_else(|| no_key(key))?;
            let found = Found {
                entry: entry(key, &value),
                layer: Some(layer).filter(|layer| *layer != Layer::Ram),
            };
            context.answer(&found, || plain(&value))
        }
        RamVerb::Export => {
            let state = context.state(&context.load_without_key()?.config)?;
            Answer::of(Format::Json, &state.layers(), String::new)
        }
        RamVerb::Set { key, value } => {
            let text = context.value_or_input(value, RAM_VALUE_BYTES_MAX)?;
            let key = canonical_key(&key).to_owned();
            check_state(&key, &text)?;
            let value = value_from_text(&key, &text);
            let (set_key, set_value) = (key.clone(), value.clone());
            change(context, move |desk| {
                Guard::not_kept(&set_key)?;
                let max = desk.config.memory.working_memory_character_max;
                let set = desk
                    .guard
                    .ram_set(&desk.state.ram, &set_key, set_value, max);
                Ok((vec![set?], ()))
            })?;
            if let Some(why) = kept_as_text(&key, &text) {
                context.insist(&why);
            }
            context.answer(&entry(&key, &value), || format!("set {}", shown(&key)))
        }
        RamVerb::Delete { key } => {
            let key = canonical_key(&key).to_owned();
            let gone = key.clone();
            let value = change(context, move |desk| {
                let value = desk.state.ram.get(&gone).cloned();
                let value = value.ok_or_else(|| no_key(&gone))?;
                Guard::not_kept(&gone)?;
                let deleted = desk.guard.ram_delete(&gone)?;
                Ok((vec![deleted], value))
            })?;
            context.answer(&entry(&key, &value), || format!("deleted {}", shown(&key)))
        }
    }
}

/// What stands at a path of `/storage`, with or without the tree's name before it.
fn stored_at(state: &State, path: &str) -> Option<(Layer, Value)> {
    let path = StorePath::parse(path)
        .or_else(|_| StorePath::parse(&format!("/{}/{path}", Tree::Storage.name())));
    let path = path
        .ok()
        .filter(|path| path.tree() == Tree::Storage && !path.is_root())?;
    let value = state.storage.value(path.parts())?;
    Some((Layer::Storage, value))
}

/// A state that nobody knows would be read as `planning`, which is hardly what was meant.
fn check_state(key: &str, text: &str) -> Result<(), Failure> {
    if key != STATE || LoopState::parse(text).is_some() {
        return Ok(());
    }
    let message = format!("there is no state `{}`", shown(text));
    let known = LoopState::ALL.map(LoopState::name).join(", ");
    Err(Failure::new(Code::Usage, message).only_hint(format!("Use one of {known}.")))
}

fn entry(key: &str, value: &Value) -> Entry {
    Entry {
        key: key.to_owned(),
        value: value.clone(),
    }
}

fn shown(key: &str) -> String {
    one_line(key, VALUE_CHARACTERS_MAX)
}

fn no_key(key: &str) -> Failure {
    Failure::new(
        Code::KeyNotFound,
        format!("neither RAM nor /storage has a key `{}`", shown(key)),
    )
}

/// A value by itself: text as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| format!("{value:#}"), str::to_owned)
}

fn list_text(list: &List<Entry>) -> String {
    let row = |entry: &Entry| {
        let text = entry.value.as_str().map(str::to_owned);
        let text = text.unwrap_or_else(|| entry.value.to_string());
        [shown(&entry.key), one_line(&text, VALUE_CHARACTERS_MAX)]
    };
    let rows: Vec<[String; 2]> = list.items.iter().map(row).collect();
    columns(["KEY", "VALUE"], &rows) + &list.rest()
}
