//! `ram`: keys and values, read from the last commit and changed through the guard.

use super::arguments::{Format, RamVerb};
use super::change::change;
use super::context::Context;
use super::list::List;
use super::output::Answer;
use super::pending_edits::warn_of_ram;
use super::table::{Column, Table};
use super::text::one_line;
use crate::core::agent::{LoopState, archive_list_without};
use crate::core::guard::{Approved, check_not_kept};
use crate::core::journal::{Change, State};
use crate::core::memory::directory::{Layer, member_of, places_of};
use crate::core::memory::kept_as_text;
use crate::core::memory::path::{StorePath, Tree};
use crate::core::memory::ram::{CONTEXT, STATE, canonical_key, value_from_text};
use crate::daemon::ChangeContext;
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
            let state = shown_state(context)?;
            let entries = state.ram.entries();
            let all = entries.map(|(key, value)| entry(key, value)).collect();
            let list = List::page(all, page);
            context.list(&list, || table(&list))
        }
        RamVerb::Get { key } => {
            let state = shown_state(context)?;
            let key = canonical_key(&key);
            let (place, value) = place_of(&state, key).ok_or_else(|| no_key(key))?;
            let found = found(key, &place, &value);
            context.answer(&found, || plain(&value))
        }
        RamVerb::Export => {
            let state = shown_state(context)?;
            Answer::of(Format::Json, &state.layers(), String::new)
        }
        RamVerb::Set { key, value } => {
            let text = context.value_or_input(value, RAM_VALUE_BYTES_MAX)?;
            let key = canonical_key(&key).to_owned();
            check_state(&key, &text)?;
            let value = value_from_text(&key, &text);
            let (set_key, set_value) = (key.clone(), value.clone());
            change(context, move |cx| {
                check_not_kept(&set_key)?;
                let max = cx.config.memory.working_memory_character_max;
                let set = cx.guard.ram_set(&cx.state.ram, &set_key, set_value, max);
                Ok((vec![set?], ()))
            })?;
            if let Some(why) = kept_as_text(&key, &text) {
                context.warn(&why);
            }
            context.answer(&entry(&key, &value), || format!("set {}", shown(&key)))
        }
        RamVerb::Delete { key } => {
            let key = canonical_key(&key).to_owned();
            let gone = key.clone();
            let found = change(context, move |cx| deleted(cx, &gone))?;
            let from = found.layer.map_or("", |_| " from /storage");
            context.answer(&found, || format!("deleted {}{from}", shown(&key)))
        }
    }
}

/// The state as RAM's readers show it, with a word where a person has edited the file since.
fn shown_state(context: &Context) -> Result<State, Failure> {
    let config = context.load_without_key()?.config;
    let state = context.state(&config)?;
    warn_of_ram(context, &config, &state.ram)?;
    Ok(state)
}

/// Where a key leads.
#[derive(Debug)]
enum Place {
    Ram,
    /// A member of `context`, by its name.
    Member(String),
    Storage(StorePath),
}

/// Where a key is, and what stands there: in RAM, else in the archive, else at that place of `/storage`; a
/// path may go without the tree's name before it.
fn place_of(state: &State, key: &str) -> Option<(Place, Value)> {
    if let Some(value) = state.ram.get(key) {
        return Some((Place::Ram, value.clone()));
    }
    let context = state.ram.get(CONTEXT);
    if let Some(name) = member_of(key)
        && let Some(value) = context.and_then(|context| context.get(name))
    {
        return Some((Place::Member(name.to_owned()), value.clone()));
    }
    let path = StorePath::parse(key)
        .or_else(|_| StorePath::parse(&format!("/{}/{key}", Tree::Storage.name())));
    // As it is written goes first: it may have been stored before letters had one spelling.
    let written = path.is_ok().then(|| {
        let whole = StorePath::shown(key);
        whole.or_else(|| StorePath::shown(&format!("/{}/{key}", Tree::Storage.name())))
    });
    let paths = written.flatten().into_iter().chain(path.ok());
    let paths = paths.filter(|path| path.tree() == Tree::Storage && !path.is_root());
    places_of(key)
        .chain(paths)
        .find_map(|path| Some((state.storage.value(path.parts())?, path)))
        .map(|(value, path)| (Place::Storage(path), value))
}

/// What has to be committed for a key to be gone, and what it was.
fn deleted(
    cx: &mut ChangeContext<'_>,
    key: &str,
) -> Result<(Vec<Approved<Change>>, Found), Failure> {
    let (place, value) = place_of(cx.state, key).ok_or_else(|| no_key(key))?;
    let found = found(key, &place, &value);
    let changes = match place {
        Place::Ram => {
            check_not_kept(key)?;
            vec![cx.guard.ram_delete(key)?]
        }
        Place::Member(name) => {
            let mut context = cx.state.ram.get(CONTEXT).cloned().unwrap_or_default();
            context.as_object_mut().and_then(|it| it.remove(&name));
            let max = cx.config.memory.working_memory_character_max;
            vec![cx.guard.ram_set(&cx.state.ram, CONTEXT, context, max)?]
        }
        Place::Storage(path) => {
            let gone = cx.guard.storage_delete(&cx.state.storage, &path)?;
            let list = archive_list_without(cx.state, &path, &cx.config.memory);
            std::iter::once(gone).chain(list).collect()
        }
    };
    Ok((changes, found))
}

fn found(key: &str, place: &Place, value: &Value) -> Found {
    Found {
        entry: entry(key, value),
        layer: matches!(place, Place::Storage(_)).then_some(Layer::Storage),
    }
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

fn table(list: &List<Entry>) -> Table {
    let row = |entry: &Entry| {
        let text = entry.value.as_str().map(str::to_owned);
        let text = text.unwrap_or_else(|| entry.value.to_string());
        [shown(&entry.key), one_line(&text, VALUE_CHARACTERS_MAX)]
    };
    let columns = [Column::text("KEY"), Column::text("VALUE")];
    Table::new(columns, list.items.iter().map(row))
}
