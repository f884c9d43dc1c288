//! Sets one value in the text of a JSON document. Every byte outside of that value stays, so that
//! the order, indentation and line ends of the file are kept.

use super::{
    JsonPath, PathSegment, ValueOffsets, find, scalar_end, string_end, walk, without_mark,
};
use serde_json::Value;

/// The spaces of one level of indentation in new text.
const INDENT: &str = "  ";

/// Returns the text with `value` at `path`, a path of keys only.
/// A missing member is added after the others of its object, and missing objects around it are
/// made. `None` where a value on the path is not an object. `bytes` must be JSON that
/// [`super::parse`] accepts.
pub fn with_value(bytes: &[u8], path: &JsonPath, value: &Value) -> Option<Vec<u8>> {
    let body = without_mark(bytes);
    let mark = bytes.len() - body.len();
    let (depth, ValueOffsets { value: start, .. }) = find(body, path);
    let edit = match path.0.get(depth..) {
        None | Some([]) => {
            let text = rendered(value, &indent_at(body, start));
            (start, value_end(body, start), text)
        }
        Some(missing) => member(body, start, missing, value)?,
    };
    let (from, to, text) = edit;
    let parts = [
        bytes.get(..mark + from)?,
        text.as_bytes(),
        bytes.get(mark + to..)?,
    ];
    Some(parts.concat())
}

/// Returns the replaced range and the text for a new member of the object that begins at `start`.
fn member(
    body: &[u8],
    start: usize,
    missing: &[PathSegment],
    value: &Value,
) -> Option<(usize, usize, String)> {
    if body.get(start) != Some(&b'{') {
        return None;
    }
    let (first, rest) = missing.split_first()?;
    let mut inner = value.clone();
    for step in rest.iter().rev() {
        inner = Value::Object([(key_of(step)?.to_owned(), inner)].into_iter().collect());
    }
    let close = value_end(body, start).checked_sub(1)?;
    let inside = body.get(start + 1..close)?;
    let name = Value::from(key_of(first)?);
    if inside.trim_ascii().is_empty() {
        let text = rendered(&inner, &indent_at(body, start));
        return Some((start + 1, close, format!("{name}: {text}")));
    }
    let at = start + 1 + inside.trim_ascii_end().len();
    // The member goes below the last one where that has a line of its own, else beside it.
    let last = last_key(body, start)?;
    let indent = indent_at(body, last);
    let has_own_line = line_before(body, last).len() == indent.len();
    let gap = if has_own_line {
        format!("\n{indent}")
    } else {
        " ".to_owned()
    };
    let text = rendered(&inner, &indent);
    Some((at, at, format!(",{gap}{name}: {text}")))
}

/// Returns the offset of the last key of the object that begins at `start`.
fn last_key(body: &[u8], start: usize) -> Option<usize> {
    let end = value_end(body, start);
    let (mut depth, mut last) = (None, None);
    walk(body, |steps, ValueOffsets { key, value }| {
        if value == start {
            depth = Some(steps.len() + 1);
        } else if value < end && depth == Some(steps.len()) {
            last = key;
        }
        value >= end
    });
    last
}

fn key_of(step: &PathSegment) -> Option<&str> {
    match step {
        PathSegment::Key(key) => Some(key),
        PathSegment::Index(_) => None,
    }
}

/// Returns the offset after the value that begins at `start`.
fn value_end(body: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(byte) = body.get(at) {
        at = match byte {
            b'"' => string_end(body, at),
            b'{' | b'[' => {
                depth += 1;
                at + 1
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => at + 1,
            _ => scalar_end(body, at),
        };
        if depth == 0 {
            return at;
        }
    }
    body.len()
}

/// Returns the text between the start of a line and an offset on it.
fn line_before(body: &[u8], offset: usize) -> &[u8] {
    let before = body.get(..offset).unwrap_or_default();
    let line = before.iter().rposition(|byte| *byte == b'\n');
    before
        .get(line.map_or(0, |newline| newline + 1)..)
        .unwrap_or_default()
}

/// Returns the blanks at the start of the line of an offset.
fn indent_at(body: &[u8], offset: usize) -> String {
    let line = line_before(body, offset).iter();
    let indent = line.take_while(|byte| matches!(byte, b' ' | b'\t'));
    indent.map(|byte| char::from(*byte)).collect()
}

/// Formats a value in lines that are indented by `indent`; lists of plain values take one line.
fn rendered(value: &Value, indent: &str) -> String {
    let deeper = format!("{indent}{INDENT}");
    let lines = |open: char, parts: Vec<String>, close: char| {
        let parts = parts.join(&format!(",\n{deeper}"));
        format!("{open}\n{deeper}{parts}\n{indent}{close}")
    };
    match value {
        Value::Object(members) if !members.is_empty() => {
            let worded = members.iter().map(|(key, value)| {
                format!("{}: {}", Value::from(&**key), rendered(value, &deeper))
            });
            lines('{', worded.collect(), '}')
        }
        Value::Array(items) if items.iter().any(|it| it.is_object() || it.is_array()) => {
            let worded = items.iter().map(|item| rendered(item, &deeper));
            lines('[', worded.collect(), ']')
        }
        Value::Array(items) => {
            let worded: Vec<String> = items.iter().map(Value::to_string).collect();
            format!("[{}]", worded.join(", "))
        }
        Value::Object(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
            value.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_value;
    use crate::strict_json::{JsonPath, parse};
    use serde_json::{Value, json};

    #[track_caller]
    fn check(before: &str, path: &str, value: &Value, after: &str) {
        let set = with_value(before.as_bytes(), &JsonPath::dotted(path), value);
        assert_eq!(set.as_deref().map(String::from_utf8_lossy).unwrap(), after);
    }

    #[test]
    fn only_the_value_changes() {
        let before =
            "{\r\n\t\"a\" :  {\"b\": \"x,}\\\"\" , \"c\":[1,{\"d\":2}]},\r\n\t\"e\": 1.50\r\n}\r\n";
        check(
            before,
            "a.b",
            &json!("y"),
            &before.replace("\"x,}\\\"\"", "\"y\""),
        );
        check(
            before,
            "a.c",
            &json!([]),
            &before.replace("[1,{\"d\":2}]", "[]"),
        );
        check(before, "e", &json!(null), &before.replace("1.50", "null"));
        let marked = format!("\u{FEFF}{before}");
        check(&marked, "e", &json!(2), &marked.replace("1.50", "2"));
    }

    #[test]
    fn what_is_missing_is_added_behind_the_others() {
        check("{}", "a", &json!(1), "{\"a\": 1}");
        check("{ \"a\": 1 }", "b", &json!(2), "{ \"a\": 1, \"b\": 2 }");
        check(
            "{\n  \"a\": 1\n}\n",
            "b",
            &json!("x"),
            "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n",
        );
        check("{\"a\": {}}", "a.b", &json!(true), "{\"a\": {\"b\": true}}");
        check(
            "{\n    \"a\": 1\n}",
            "b.c",
            &json!(["x", "y"]),
            "{\n    \"a\": 1,\n    \"b\": {\n      \"c\": [\"x\", \"y\"]\n    }\n}",
        );
    }

    #[test]
    fn the_result_is_json_that_holds_the_value() {
        let shipped = crate::config::SHIPPED_CONFIG.as_bytes();
        let launch = json!({"command": ["a b", "\"{port}\""], "ready_timeout_ms": 5});
        let set = with_value(shipped, &JsonPath::dotted("provider.launch"), &launch).unwrap();
        let (mut before, after) = (parse(shipped).unwrap(), parse(&set).unwrap());
        before["provider"]["launch"] = launch;
        assert_eq!(before, after);
    }

    #[test]
    fn nothing_is_put_into_what_is_no_object() {
        for before in ["{\"a\": 1}", "{\"a\": [1]}", "[]", "7"] {
            let set = with_value(before.as_bytes(), &JsonPath::dotted("a.b"), &json!(1));
            assert_eq!(set, None, "{before}");
        }
    }
}
