//! The blocks of the second dialect in the executor: thinking, action and evaluation.
//! Each takes effect as a whole or not at all.

use super::overlay::Overlay;
use super::ram::{first_chars, ram_add};
use super::{Done, Executor, Refused};
use crate::core::guard::{Refusal, check_key};
use crate::core::memory::directory::{KeyNoted, METRICS, is_own};
use crate::core::memory::path::ARCHIVE;
use crate::core::memory::ram::{PLAN, THINK_LOG, canonical_key, value_from_text};
use crate::core::memory::{StorePath, kept_as_text};
use crate::core::protocol::Store;
use crate::failure::Code;
use crate::limits::{KEY_RELATED_MAX, KEY_TAG_CHARS_MAX, KEY_TAGS_MAX, KEYS_NAMED_MAX};
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

/// Executes `<thinking>`: the analysis goes to `think_log`, the planning to `plan`.
pub(super) fn thinking(
    executor: &mut Executor<'_>,
    analysis: Option<&str>,
    planning: Option<&str>,
    context_keys: &[String],
) -> Result<Done, Refused> {
    executor.all_or_nothing(|executor| {
        if let Some(analysis) = analysis {
            ram_add(executor, THINK_LOG, analysis)?;
        }
        if let Some(planning) = planning {
            ram_add(executor, PLAN, planning)?;
        }
        name_keys(
            &mut executor.overlay,
            context_keys.iter().map(String::as_str),
        )?;
        Ok(Done::default())
    })
}

/// Executes `<action>`: each value goes to `/storage/<key>`, with its tags.
pub(super) fn action(
    executor: &mut Executor<'_>,
    store: &[Store],
    context_keys: &[String],
) -> Result<Done, Refused> {
    executor.all_or_nothing(|executor| {
        let overlay = &mut executor.overlay;
        let mut as_text = Vec::new();
        for stored in store {
            let key = canonical_key(&stored.key);
            if is_own(key) || key == ARCHIVE {
                let message = format!("`{key}` is kept by the program; use another key");
                return Err(Refusal::new(Code::PathInvalid, message).into());
            }
            let place = StorePath::storage([key.to_owned()]);
            overlay.check_not_truncated(place.tree(), place.parts(), &stored.value)?;
            overlay.storage_set(&place, value_from_text(key, &stored.value))?;
            let why = kept_as_text(key, &stored.value);
            as_text.extend(why.map(|why| format!("{key}: {why}")));
            tag_key(overlay, key, &stored.tags);
        }
        let stored = store.iter().map(|stored| stored.key.as_str());
        let named = context_keys.iter().map(String::as_str);
        name_keys(overlay, stored.chain(named))?;
        let as_text = (!as_text.is_empty()).then(|| as_text.join("\n"));
        Ok(Done::feedback(as_text))
    })
}

/// Executes `<evaluation>`: its metrics go to RAM.
/// The enrichment is counted, not taken from the model.
pub(super) fn evaluation(
    executor: &mut Executor<'_>,
    quality: Option<&Number>,
    progress: Option<&Number>,
    recommendations: Option<&str>,
) -> Done {
    let gained = executor
        .overlay
        .changes
        .iter()
        .filter(|change| change.get().is_gain());
    let gained = u32::try_from(gained.count()).unwrap_or(u32::MAX);
    let mut metrics = Map::new();
    let given = [("quality", quality), ("progress", progress)];
    for (name, number) in given {
        metrics.extend(number.map(|number| (name.to_owned(), Value::from(number.clone()))));
    }
    let rate = (executor.context.working.keys.enrichment(gained) * 100.0).round() / 100.0;
    metrics.insert("enrichment".to_owned(), Value::from(rate));
    if let Some(text) = recommendations {
        let text = first_chars(text.trim(), executor.context.memory.think_log_max_chars);
        metrics.insert("recommendations".to_owned(), Value::from(text));
    }
    executor.overlay.write_own(METRICS, Value::Object(metrics));
    Done::default()
}

/// Registers the keys that a block names, each related to the others.
fn name_keys<'k>(
    overlay: &mut Overlay<'_>,
    keys: impl Iterator<Item = &'k str>,
) -> Result<(), Refused> {
    let keys: BTreeSet<String> = keys
        .map(canonical_key)
        .filter(|key| !is_own(key))
        .take(KEYS_NAMED_MAX)
        .map(str::to_owned)
        .collect();
    for key in &keys {
        check_key(key)?;
        overlay.noted_of(key);
    }
    for key in &keys {
        for other in keys.range::<String, _>(key.clone()..).skip(1) {
            relate(overlay, key, other);
        }
    }
    Ok(())
}

/// Relates two keys to each other, if both have room.
fn relate(overlay: &mut Overlay<'_>, one: &str, other: &str) {
    let has_room = |noted: &KeyNoted| noted.related.len() < KEY_RELATED_MAX;
    if has_room(overlay.noted_of(one)) && has_room(overlay.noted_of(other)) {
        overlay.noted_of(one).related.insert(other.to_owned());
        overlay.noted_of(other).related.insert(one.to_owned());
    }
}

fn tag_key(overlay: &mut Overlay<'_>, key: &str, tags: &[String]) {
    let noted = overlay.noted_of(key);
    for tag in tags {
        if noted.tags.len() < KEY_TAGS_MAX {
            let tag = first_chars(tag, KEY_TAG_CHARS_MAX);
            noted.tags.insert(tag.to_owned());
        }
    }
}
