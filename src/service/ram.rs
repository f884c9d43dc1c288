//! RAM: keys and values, read from the last commit and changed through the guard.

use super::change::change;
use super::list::{List, PageQuery};
use super::pending_edits::warn_of_ram;
use super::session::Session;
use crate::core::agent::{LoopState, archive_list_without};
use crate::core::guard::{Approved, check_not_kept};
use crate::core::journal::{Change, State};
use crate::core::memory::directory::{Layer, member_of, places_of};
use crate::core::memory::path::{StorePath, Tree};
use crate::core::memory::ram::{CONTEXT, STATE, canonical_key, value_from_text};
use crate::core::memory::{Layers, kept_as_text};
use crate::daemon::ChangeContext;
use crate::failure::{Code, Failure};
use crate::plain_text::one_line;
use clap::Args;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

const KEY_CHARACTERS_MAX: usize = 100;

/// A request that names a key.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NamedKey {
    /// The key.
    // Or a path of `/storage`.
    pub key: String,
}

/// A request to set a key.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct SetKey {
    /// The key.
    pub key: String,
    /// The value: text, or a JSON object or array; `-` reads standard input.
    #[arg(allow_hyphen_values = true)]
    #[serde(deserialize_with = "as_text")]
    pub value: String,
}

/// A key with its value.
#[derive(Debug, Serialize)]
pub struct RamEntry {
    pub key: String,
    pub value: Value,
}

/// A key with its value, in RAM or in `/storage`.
#[derive(Debug, Serialize)]
pub struct FoundKey {
    #[serde(flatten)]
    pub entry: RamEntry,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
}

/// Lists the keys and values of RAM.
pub fn list(session: &Session, page: PageQuery) -> Result<List<RamEntry>, Failure> {
    let state = shown_state(session)?;
    let entries = state.main.ram.entries();
    let all = entries.map(|(key, value)| entry(key, value)).collect();
    Ok(List::page(all, page))
}

/// Returns the value of a key, in RAM or in `/storage`.
pub fn get(session: &Session, NamedKey { key }: NamedKey) -> Result<FoundKey, Failure> {
    let state = shown_state(session)?;
    let key = canonical_key(&key);
    let (place, value) = place_of(&state, key).ok_or_else(|| no_key(key))?;
    Ok(found(key, &place, value))
}

/// Calls `show` with RAM and `/storage`.
pub fn export<T>(session: &Session, show: impl FnOnce(&Layers<'_>) -> T) -> Result<T, Failure> {
    Ok(show(&shown_state(session)?.layers()))
}

/// Sets a key.
pub fn set(session: &Session, asked: SetKey) -> Result<RamEntry, Failure> {
    let (key, text) = (canonical_key(&asked.key).to_owned(), asked.value);
    check_state(&key, &text)?;
    let value = value_from_text(&key, &text);
    let (set_key, set_value) = (key.clone(), value.clone());
    change(session, move |cx| {
        check_not_kept(&set_key)?;
        let max = cx.config.memory.working_memory_character_max;
        let set = cx
            .guard
            .ram_set(&cx.state.main.ram, &set_key, set_value, max);
        Ok((vec![set?], ()))
    })?;
    if let Some(why) = kept_as_text(&key, &text) {
        session.warn(&why);
    }
    Ok(RamEntry { key, value })
}

/// Deletes a key, and returns its value.
pub fn delete(session: &Session, NamedKey { key }: NamedKey) -> Result<FoundKey, Failure> {
    let key = canonical_key(&key).to_owned();
    change(session, move |cx| deleted(cx, &key))
}

/// Deserializes a text, or any other JSON value as its spelling.
fn as_text<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let value = Value::deserialize(value)?;
    Ok(value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned))
}

/// Returns the state for readers of RAM, with a warning where the KV file was edited since.
fn shown_state(session: &Session) -> Result<State, Failure> {
    let config = session.load()?.config;
    let state = session.state(&config)?;
    warn_of_ram(session, &config, &state.main.ram)?;
    Ok(state)
}

#[derive(Debug)]
enum KeyLocation {
    Ram,
    /// A member of `context`, by its name.
    Member(String),
    Storage(StorePath),
}

/// Returns the place of a key, and its value.
///
/// It is in RAM, else in the archive, else at that path of `/storage`, which may lack the name of
/// the tree.
fn place_of(state: &State, key: &str) -> Option<(KeyLocation, Value)> {
    if let Some(value) = state.main.ram.get(key) {
        return Some((KeyLocation::Ram, value.clone()));
    }
    let context = state.main.ram.get(CONTEXT);
    if let Some(name) = member_of(key)
        && let Some(value) = context.and_then(|context| context.get(name))
    {
        return Some((KeyLocation::Member(name.to_owned()), value.clone()));
    }
    let path = StorePath::parse(key)
        .or_else(|_| StorePath::parse(&format!("/{}/{key}", Tree::Storage.name())));
    // The path as it is written goes first: it may have been stored before letters had one
    // spelling.
    let written = path.is_ok().then(|| {
        let whole = StorePath::shown(key);
        whole.or_else(|| StorePath::shown(&format!("/{}/{key}", Tree::Storage.name())))
    });
    let paths = written.flatten().into_iter().chain(path.ok());
    let paths = paths.filter(|path| path.tree() == Tree::Storage && !path.is_root());
    places_of(key)
        .chain(paths)
        .find_map(|path| Some((state.storage.value(path.parts())?, path)))
        .map(|(value, path)| (KeyLocation::Storage(path), value))
}

fn deleted(
    cx: &mut ChangeContext<'_>,
    key: &str,
) -> Result<(Vec<Approved<Change>>, FoundKey), Failure> {
    let (place, value) = place_of(cx.state, key).ok_or_else(|| no_key(key))?;
    let found = found(key, &place, value);
    let changes = match place {
        KeyLocation::Ram => {
            check_not_kept(key)?;
            vec![cx.guard.ram_delete(key)?]
        }
        KeyLocation::Member(name) => {
            let mut context = cx.state.main.ram.get(CONTEXT).cloned().unwrap_or_default();
            context.as_object_mut().and_then(|it| it.remove(&name));
            let max = cx.config.memory.working_memory_character_max;
            vec![
                cx.guard
                    .ram_set(&cx.state.main.ram, CONTEXT, context, max)?,
            ]
        }
        KeyLocation::Storage(path) => {
            let gone = cx.guard.storage_delete(&cx.state.storage, &path)?;
            let list = archive_list_without(cx.state, &path, &cx.config.memory);
            std::iter::once(gone).chain(list).collect()
        }
    };
    Ok((changes, found))
}

fn found(key: &str, place: &KeyLocation, value: Value) -> FoundKey {
    FoundKey {
        entry: RamEntry {
            key: key.to_owned(),
            value,
        },
        layer: matches!(place, KeyLocation::Storage(_)).then_some(Layer::Storage),
    }
}

/// Refuses an unknown state: it would be read as `planning`, which is hardly what was meant.
fn check_state(key: &str, text: &str) -> Result<(), Failure> {
    if key != STATE || LoopState::parse(text).is_some() {
        return Ok(());
    }
    let message = format!("there is no state `{}`", shown(text));
    let known = LoopState::ALL.map(LoopState::name).join(", ");
    Err(Failure::new(Code::Usage, message).only_hint(format!("Use one of {known}.")))
}

fn entry(key: &str, value: &Value) -> RamEntry {
    RamEntry {
        key: key.to_owned(),
        value: value.clone(),
    }
}

fn shown(key: &str) -> String {
    one_line(key, KEY_CHARACTERS_MAX)
}

fn no_key(key: &str) -> Failure {
    Failure::new(
        Code::KeyNotFound,
        format!("neither RAM nor /storage has a key `{}`", shown(key)),
    )
}
