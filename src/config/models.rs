//! Checks a registry of models that a person wrote: each row by itself, and every problem with its
//! place. Chooses nothing.

use super::problem::Findings;
use crate::core::route::{ModelEntry, PRIORITY_MAX};
use crate::strict_json::JsonPath;
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(value: &Value, findings: &mut Findings) -> Vec<ModelEntry> {
    let top = JsonPath::default();
    let Some(rows) = value.as_array() else {
        findings.error(top, "must be a list of models");
        return Vec::new();
    };
    let mut models = Vec::new();
    let mut names = BTreeSet::new();
    for (index, row) in rows.iter().enumerate() {
        let place = top.index(index);
        let entry = match ModelEntry::deserialize(row) {
            Ok(entry) => entry,
            Err(error) => {
                findings.error(place, format!("is no row of a model: {error}"));
                continue;
            }
        };
        if entry.priority > PRIORITY_MAX {
            let message = format!("must be at most {PRIORITY_MAX}");
            findings.error(place.key("priority"), message);
        }
        if !names.insert(entry.model_id.clone()) {
            findings.error(place.key("modelId"), "stands in a row before this one");
        }
        models.push(entry);
    }
    models
}
