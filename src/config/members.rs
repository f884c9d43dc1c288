//! The members of a file whose names are spelt `likeThis`. The spelling `like_this` is read as well, with a
//! warning that gives the name in use, and what is unknown is only warned of.

use super::object::Object;
use crate::strict_json::JsonPath;
use serde_json::Value;

/// The most bytes of one text.
const TEXT_BYTES_MAX: usize = 16 * 1024;

pub(super) struct Members<'a> {
    object: Object<'a>,
}

impl<'a> Members<'a> {
    pub(super) const fn of(object: Object<'a>) -> Self {
        Self { object }
    }

    /// Warns of members that are not among the known ones, and of those that are not in use.
    pub(super) fn warn_of_unknown(&mut self, known: &[&str], not_in_use: &[&str]) {
        let names: Vec<String> = self.object.unknown(&[]).into_iter().cloned().collect();
        for name in names {
            let camel = camel_case(&name);
            let message = if not_in_use.contains(&camel.as_str()) {
                "is read by a later version; it has no effect here".to_owned()
            } else if !known.contains(&camel.as_str()) {
                "is not known; it has no effect".to_owned()
            } else if camel != name {
                format!("is spelt `{camel}`")
            } else {
                continue;
            };
            self.object.warn_key(&name, message);
        }
    }

    pub(super) fn error(&mut self, name: &str, message: impl Into<String>) {
        let written = self.written(name);
        self.object.error(&written, message);
    }

    pub(super) fn warn_item(&mut self, name: &str, index: usize, message: impl Into<String>) {
        let path = self.path(name).index(index);
        self.object.findings.warn(path, message);
    }

    /// Returns a text that is not blank, or lines as one text.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let text = self.text_or_empty(name)?;
        if text.trim().is_empty() {
            self.error(name, "must not be blank");
            return None;
        }
        Some(text)
    }

    /// Returns a text, or lines as one text; it may be blank.
    pub(super) fn text_or_empty(&mut self, name: &str) -> Option<String> {
        let value = self.get(name)?;
        let lines = value.as_array().map(Vec::as_slice);
        let lines = lines.unwrap_or_else(|| std::slice::from_ref(value));
        let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
        let text = lines.map(|lines| lines.join("\n"));
        let text = text.filter(|text| text.len() <= TEXT_BYTES_MAX);
        if text.is_none() {
            let message =
                format!("must be a text of at most {TEXT_BYTES_MAX} bytes, or a list of lines");
            self.error(name, message);
        }
        text
    }

    /// Returns a text that has to be there.
    pub(super) fn required_text(&mut self, name: &str) -> Option<String> {
        if self.get(name).is_none() {
            self.object.error_here(format!("`{name}` is missing"));
        }
        self.text(name)
    }

    /// Returns a semantic version, as 1.0.0.
    pub(super) fn version(&mut self, name: &str) -> Option<String> {
        let version = self.text(name)?;
        if !is_semantic_version(&version) {
            self.error(name, "must be a version such as 1.0.0");
            return None;
        }
        Some(version)
    }

    /// Returns a list of texts that are not blank.
    pub(super) fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        let items = self.get(name)?.as_array();
        let text = |item: &Value| {
            let text = item.as_str()?.trim();
            (!text.is_empty() && text.len() <= TEXT_BYTES_MAX).then(|| text.to_owned())
        };
        let texts = items.and_then(|items| items.iter().map(text).collect());
        if texts.is_none() {
            self.error(name, "must be a list of texts");
        }
        texts
    }

    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        let flag = self.get(name)?.as_bool();
        if flag.is_none() {
            self.error(name, "must be true or false");
        }
        flag
    }

    pub(super) fn number(&mut self, name: &str, least: f64, most: f64) -> Option<f64> {
        let number = self.get(name)?.as_f64();
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.error(name, format!("must be a number from {least} to {most}"));
        }
        number
    }

    pub(super) fn integer(&mut self, name: &str, least: u64, most: u64) -> Option<u64> {
        let number = self.get(name)?.as_u64();
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.error(
                name,
                format!("must be a whole number from {least} to {most}"),
            );
        }
        number
    }

    /// Returns the members of an object.
    pub(super) fn inner(&mut self, name: &str) -> Option<Members<'_>> {
        let written = self.written(name);
        let object = self.object.inner(&written, "must be an object")?;
        Some(Members { object })
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(&self.written(name))
    }

    fn path(&self, name: &str) -> JsonPath {
        self.object.at(&self.written(name))
    }

    /// Returns the name of a member as the file spells it.
    fn written(&self, name: &str) -> String {
        if self.object.get(name).is_some() {
            return name.to_owned();
        }
        let snake = snake_case(name);
        let is_there = self.object.get(&snake).is_some();
        if is_there { snake } else { name.to_owned() }
    }
}

/// Returns whether a text is a version by <https://semver.org>; what its labels hold is not checked.
fn is_semantic_version(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &str| {
        let is_short = (1..=9).contains(&part.len());
        is_short
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let parts: Vec<&str> = core.split('.').collect();
    let labels = text.get(core.len()..).unwrap_or_default();
    let is_label = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    parts.len() == 3
        && parts.into_iter().all(is_number)
        && labels.bytes().all(is_label)
        && labels.len() != 1
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut is_next_upper = false;
    for character in name.chars() {
        if character == '_' && !camel.is_empty() {
            is_next_upper = true;
        } else if std::mem::take(&mut is_next_upper) {
            camel.push(character.to_ascii_uppercase());
        } else {
            camel.push(character);
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::{camel_case, is_semantic_version, snake_case};

    #[test]
    fn versions_have_three_numbers() {
        for good in ["0.1.0", "1.10.3", "1.0.0-rc.1", "1.0.0+5"] {
            assert!(is_semantic_version(good), "{good}");
        }
        for bad in [
            "1",
            "1.0",
            "v1.0.0",
            "1.0.0.0",
            "01.0.0",
            "1.0.x",
            "1.0.0-",
            "1.0.0-\u{e9}",
            "",
        ] {
            assert!(!is_semantic_version(bad), "{bad}");
        }
    }

    #[test]
    fn both_spellings_of_a_name_are_one_name() {
        for (camel, snake) in [
            ("agentId", "agent_id"),
            ("maxTokens", "max_tokens"),
            ("role", "role"),
            ("keyQuestions", "key_questions"),
        ] {
            assert_eq!(snake_case(camel), snake);
            assert_eq!(camel_case(snake), camel);
            assert_eq!(camel_case(camel), camel);
        }
        assert_eq!(camel_case("_x"), "_x");
    }
}
