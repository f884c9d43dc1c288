//! An object of a file that a person wrote while it is checked: its entries, its place in the file,
//! and the list that its problems go to.

use super::problem::Findings;
use crate::strict_json::JsonPath;
use serde_json::{Map, Value};

pub(super) struct Object<'a> {
    entries: &'a Map<String, Value>,
    path: JsonPath,
    pub(super) findings: &'a mut Findings,
}

impl<'a> Object<'a> {
    /// Takes a value at a path for an object; `message` is the error of any other value.
    pub(super) fn of(
        value: &'a Value,
        path: JsonPath,
        message: &str,
        findings: &'a mut Findings,
    ) -> Option<Self> {
        let Some(entries) = value.as_object() else {
            findings.error(path, message);
            return None;
        };
        Some(Self {
            entries,
            path,
            findings,
        })
    }

    pub(super) fn at(&self, key: &str) -> JsonPath {
        self.path.key(key)
    }

    /// Returns the value of an entry, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.entries.get(key)
    }

    /// Returns the text of an entry; empty where it is there but no text.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        Some(self.get(key)?.as_str().unwrap_or_default())
    }

    /// Returns the value of an entry, or adds an error that it is missing.
    pub(super) fn required(&mut self, key: &str) -> Option<&'a Value> {
        let value = self.get(key);
        if value.is_none() {
            self.error(key, "is missing");
        }
        value
    }

    /// Returns the keys that are not among the known ones.
    pub(super) fn unknown(&self, known: &[&str]) -> Vec<&'a String> {
        let keys = self.entries.keys();
        keys.filter(|key| !known.contains(&key.as_str())).collect()
    }

    pub(super) fn error_here(&mut self, message: impl Into<String>) {
        self.findings.error(self.path.clone(), message);
    }

    pub(super) fn error(&mut self, key: &str, message: impl Into<String>) {
        let path = self.at(key);
        self.findings.error(path, message);
    }

    pub(super) fn error_key(&mut self, key: &str, message: impl Into<String>) {
        let path = self.at(key);
        self.findings.error(path, message).at_key = true;
    }

    pub(super) fn warn_key(&mut self, key: &str, message: impl Into<String>) {
        let path = self.at(key);
        self.findings.warn(path, message).at_key = true;
    }

    /// Adds an error about an entry where a value is missing, and returns the value.
    pub(super) fn or_error<T>(
        &mut self,
        value: Option<T>,
        key: &str,
        message: impl Into<String>,
    ) -> Option<T> {
        if value.is_none() {
            self.error(key, message);
        }
        value
    }

    /// Takes an entry for an object; `message` is the error of any other value.
    pub(super) fn inner(&mut self, key: &str, message: &str) -> Option<Object<'_>> {
        Object::of(self.get(key)?, self.at(key), message, self.findings)
    }
}
