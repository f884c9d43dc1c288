//! Strict parsing of JSON that a person wrote: ambiguous text is refused, and every error has a
//! place. Which keys a file may hold is decided by the reader of the file.

mod edit;
mod numbers;

pub use edit::with_value;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// The bytes that some editors put in front of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The reason and the place of a JSON error.
/// Lines and columns count from 1, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonProblem {
    /// The line of the first invalid place.
    pub line: usize,
    /// The column of the first invalid place.
    pub column: usize,
    /// The error, without its place.
    pub message: String,
}

impl fmt::Display for JsonProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// A step from a JSON value into a value that it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathSegment {
    /// Into a member of an object.
    Key(String),
    /// Into an item of an array, from 0.
    Index(usize),
}

/// A path from the top of a document; shown as `segments[2].prompt`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct JsonPath(pub Vec<PathSegment>);

impl JsonPath {
    /// Returns the path whose keys are separated by dots, as `loop.max_stay`.
    pub fn dotted(text: &str) -> Self {
        Self(
            text.split('.')
                .map(|key| PathSegment::Key(key.to_owned()))
                .collect(),
        )
    }

    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.step(PathSegment::Key(key.to_owned()))
    }

    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(PathSegment::Index(index))
    }

    #[must_use]
    pub fn step(&self, step: PathSegment) -> Self {
        let mut longer = self.clone();
        longer.0.push(step);
        longer
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                PathSegment::Index(index) => write!(f, "[{index}]")?,
                PathSegment::Key(key) if is_plain(key) => {
                    write!(f, "{}{key}", if at == 0 { "" } else { "." })?;
                }
                PathSegment::Key(key) => write!(f, "[{key:?}]")?,
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '$')
}

/// Returns whether a text begins with a byte order mark, which [`parse`] accepts and skips.
pub fn has_byte_order_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(BYTE_ORDER_MARK)
}

/// Parses one JSON document strictly.
///
/// # Errors
/// Text that is not UTF-8, a repeated key in one object, text after the document, a number beyond
/// the range of a double, and nesting beyond 128 levels.
// The bound of levels is that of `serde_json`, which keeps the stack safe.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonProblem> {
    let body = without_mark(bytes);
    let value = serde_json::from_slice(body).map_err(|error| describe(body, &error))?;
    repeated_key(body).map_or(Ok(value), Err)
}

/// Like [`parse`], but refuses also a number that a double cannot hold exactly.
/// It is for values that are kept and shown again; [`parse`] is for settings.
pub fn parse_exact(bytes: &[u8]) -> Result<Value, JsonProblem> {
    let value = parse(bytes)?;
    numbers::first_lossy(bytes).map_or(Ok(value), Err)
}

/// Parses JSON that a model wrote, as loosely as `serde_json` does.
/// A number that a double cannot hold exactly becomes the text of its digits.
pub fn parse_lossless(text: &str) -> serde_json::Result<Value> {
    let value = serde_json::from_str(text)?;
    numbers::quoting_lossy(text).map_or(Ok(value), |quoted| serde_json::from_str(&quoted))
}

/// Returns line and column of the value at `path`, or of the closest existing value around it.
/// `bytes` must be JSON that [`parse`] accepts. Reads the text once, so it is for messages only.
pub fn locate(bytes: &[u8], path: &JsonPath) -> (usize, usize) {
    let body = without_mark(bytes);
    place(body, find(body, path).1.value)
}

/// Like [`locate`], but for the key that leads to the value, where there is one.
pub fn locate_key(bytes: &[u8], path: &JsonPath) -> (usize, usize) {
    let body = without_mark(bytes);
    let (_, found) = find(body, path);
    place(body, found.key.unwrap_or(found.value))
}

/// Returns text without its byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn describe(body: &[u8], error: &serde_json::Error) -> JsonProblem {
    if let Err(bad) = std::str::from_utf8(body) {
        return problem_at(body, bad.valid_up_to(), "this is not UTF-8 text".to_owned());
    }
    if body.trim_ascii().is_empty() {
        return problem_at(body, 0, "the file is empty".to_owned());
    }
    let line_start = body
        .split_inclusive(|byte| *byte == b'\n')
        .take(error.line().saturating_sub(1))
        .map(<[u8]>::len)
        .sum::<usize>();
    let offset = (line_start + error.column().saturating_sub(1)).min(body.len());
    let text = error.to_string();
    let message = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(message, _)| message);
    let before = body.get(..=offset).unwrap_or(body);
    repeated_key(before).unwrap_or_else(|| problem_at(body, offset, message.to_owned()))
}

pub(crate) fn problem_at(body: &[u8], offset: usize, message: String) -> JsonProblem {
    let (line, column) = place(body, offset);
    JsonProblem {
        line,
        column,
        message,
    }
}

// === places ===

/// Returns line and column, from 1 and in characters, of a byte offset.
pub(crate) fn place(body: &[u8], offset: usize) -> (usize, usize) {
    let before = &body[..offset.min(body.len())];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let line = before.split(|byte| *byte == b'\n').count();
    let column = 1 + String::from_utf8_lossy(&before[line_start..])
        .chars()
        .count();
    (line, column)
}

/// The byte offsets of a value and of the key before it.
#[derive(Clone, Copy, Default)]
struct ValueOffsets {
    key: Option<usize>,
    value: usize,
}

/// Returns the value at `path`, or the closest existing one around it, and its depth.
fn find(body: &[u8], path: &JsonPath) -> (usize, ValueOffsets) {
    let mut best = (0, ValueOffsets::default());
    walk(body, |steps, found| {
        if steps.len() >= best.0 && path.0.starts_with(steps) {
            best = (steps.len(), found);
        }
        path.0 == steps
    });
    best
}

/// Returns the problem of the first key that stands twice in one object.
fn repeated_key(body: &[u8]) -> Option<JsonProblem> {
    // The keys of each open object, outer ones first.
    let mut known: Vec<BTreeSet<String>> = Vec::new();
    let mut repeated = None;
    walk(body, |steps, found| {
        // A value begins here, so the deeper objects are closed.
        known.resize_with(steps.len() + 1, BTreeSet::new);
        // A value without a key of its own follows a missing comma, which is another problem.
        if let (Some(PathSegment::Key(key)), Some(at), Some(keys)) =
            (steps.last(), found.key, known.last_mut())
            && !keys.insert(key.clone())
        {
            let message = format!("the key `{key}` stands twice here");
            repeated = Some(problem_at(body, at, message));
        }
        repeated.is_some()
    });
    repeated
}

/// Calls `seen` at the start of every value, outer ones first, until it returns `true`.
/// Iterative, and safe on broken text, on which it just ends early.
fn walk(body: &[u8], mut seen: impl FnMut(&[PathSegment], ValueOffsets) -> bool) {
    let mut steps: Vec<PathSegment> = Vec::new();
    let mut key: Option<usize> = None;
    let mut key_expected = false;
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b':' => at += 1,
            b'}' | b']' => {
                steps.pop();
                key_expected = false;
                at += 1;
            }
            b',' => {
                match steps.last_mut() {
                    Some(PathSegment::Index(index)) => *index += 1,
                    Some(PathSegment::Key(_)) => key_expected = true,
                    None => return,
                }
                at += 1;
            }
            b'"' if key_expected => {
                let end = string_end(body, at);
                let name = serde_json::from_slice(&body[at..end]).unwrap_or_default();
                if let Some(last) = steps.last_mut() {
                    *last = PathSegment::Key(name);
                }
                key = Some(at);
                key_expected = false;
                at = end;
            }
            _ => {
                if seen(&steps, ValueOffsets { key, value: at }) {
                    return;
                }
                key = None;
                key_expected = *byte == b'{';
                at = match byte {
                    b'{' => {
                        steps.push(PathSegment::Key(String::new()));
                        at + 1
                    }
                    b'[' => {
                        steps.push(PathSegment::Index(0));
                        at + 1
                    }
                    b'"' => string_end(body, at),
                    _ => scalar_end(body, at),
                };
            }
        }
    }
}

/// Returns the offset after the string that begins at `start`.
fn string_end(body: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = body.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    body.len()
}

/// Returns the offset after the number or word that begins at `start`.
fn scalar_end(body: &[u8], start: usize) -> usize {
    let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n');
    body[start..]
        .iter()
        .position(is_end)
        .map_or(body.len(), |length| start + length.max(1))
}

#[cfg(test)]
mod tests {
    use super::{JsonPath, PathSegment, locate, locate_key, parse};
    use proptest::prelude::{any, proptest};
    use rustix::time::{ClockId, clock_gettime};
    use serde_json::{Value, json};

    #[test]
    fn ordinary_documents_are_read_as_serde_json_reads_them() {
        let text = r#"{"a":[1,-2,0.1,1e3,true,null,"\u00e9\n"],"b":{},"c":[]}"#;
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), expected);
        let with_mark = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        assert_eq!(parse(&with_mark).unwrap(), expected);
    }

    #[test]
    fn every_refusal_names_its_place() {
        let cases: [(&[u8], usize, usize, &str); 12] = [
            (b"{\"a\": 1,\n  \"a\": 2}", 2, 3, "`a` stands twice"),
            (
                b"{\"o\": [{\"x\": 1, \"x\": 1}]}",
                1,
                17,
                "`x` stands twice",
            ),
            (b"{\"a\": 1, \"\\u0061\": 2}", 1, 10, "`a` stands twice"),
            (b"{} x", 1, 4, "trailing characters"),
            (b"{\"a\":\n \"\xFF\"}", 2, 3, "not UTF-8"),
            (b"{\"a\": 1,}", 1, 9, "trailing comma"),
            ("{\"é\": }".as_bytes(), 1, 7, "expected value"),
            (b"{\"a\": 1e999}", 1, 11, "number out of range"),
            (b" \n", 1, 1, "empty"),
            (b"{\"a\": 1", 1, 7, "EOF"),
            (b"{\"a\": 1\n \"b\": 2}", 2, 2, "expected `,`"),
            (b"{\"a\": {} \"b\": 2}", 1, 10, "expected `,`"),
        ];
        for (text, line, column, message) in cases {
            let problem = parse(text).unwrap_err();
            assert_eq!((problem.line, problem.column), (line, column), "{problem}");
            assert!(problem.message.contains(message), "{problem}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_without_exhausting_the_stack() {
        let deep = "[".repeat(100_000);
        assert!(
            parse(deep.as_bytes())
                .unwrap_err()
                .message
                .contains("recursion")
        );
    }

    /// The time to find a repeated key does not grow with its depth.
    #[test]
    fn a_repeated_key_far_inside_is_found_as_fast_as_any() {
        let long = "k".repeat(1000);
        let outer = format!("{{\"{long}\":").repeat(100);
        let keys = (0..20_000).map(|key| key.to_string());
        let inner = keys.flat_map(|key| ["\"".to_owned(), key, "\":0,".to_owned()]);
        let inner: String = inner.collect();
        let text = format!("{outer}{{{inner}\"7\":1}}{}", "}".repeat(100));
        let processor_ms = || {
            let time = clock_gettime(ClockId::ThreadCPUTime);
            time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        };
        let began = processor_ms();
        let problem = parse(text.as_bytes()).unwrap_err();
        assert!(problem.message.contains("`7` stands twice"), "{problem}");
        let took = processor_ms() - began;
        assert!(took < 1500, "{took} ms");
    }

    #[test]
    fn places_are_found_by_path() {
        let text = "{\n  \"a\": {\"b\": [10, {\"c\": \"}\"}, 30]},\n  \"d\": 4\n}".as_bytes();
        let path = |steps: &[PathSegment]| JsonPath(steps.to_vec());
        let key = |key: &str| PathSegment::Key(key.to_owned());
        let (b, c, d) = (key("b"), key("c"), key("d"));
        let inner = path(&[key("a"), b.clone(), PathSegment::Index(1), c]);
        assert_eq!(inner.to_string(), "a.b[1].c");
        assert_eq!(locate(text, &inner), (2, 25));
        assert_eq!(locate_key(text, &inner), (2, 20));
        assert_eq!(
            locate(text, &path(&[key("a"), b, PathSegment::Index(2)])),
            (2, 31)
        );
        assert_eq!(locate(text, &path(&[d])), (3, 8));
        assert_eq!(
            locate(text, &JsonPath::dotted("a.absent.deeper")),
            (2, 8),
            "the closest value around"
        );
        assert_eq!(locate(text, &JsonPath::default()), (1, 1));
    }

    #[test]
    fn unusual_keys_are_quoted_in_paths() {
        let path = JsonPath::dotted("a").key("b c").index(0).key("d");
        assert_eq!(path.to_string(), "a[\"b c\"][0].d");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>()) {
            if let Err(problem) = parse(&bytes) {
                assert!(problem.line >= 1 && problem.column >= 1);
            }
            assert!(locate(&bytes, &JsonPath::dotted("a.b")).0 >= 1);
        }

        #[test]
        fn no_json_like_text_makes_it_panic(text in r#"[\[\]{}",:a1\\ \n]{0,40}"#) {
            if let Ok(value) = parse(text.as_bytes()) {
                assert_eq!(value, serde_json::from_str::<Value>(&text).unwrap());
            }
            assert!(locate_key(text.as_bytes(), &JsonPath::dotted("a.a")).1 >= 1);
        }
    }

    #[test]
    fn numbers_keep_their_value() {
        let text = b"[0.1, 18446744073709551615, -9223372036854775808]";
        assert_eq!(parse(text).unwrap(), json!([0.1, u64::MAX, i64::MIN]));
    }
}
