//! Strict parsing of one YAML document that a person wrote: ambiguous text is refused, and every
//! error has a place. The result is a JSON value; which keys it may hold is decided by its reader.

mod messages;

use crate::strict_json::{JsonPath, JsonProblem, PathSegment, place, problem_at, without_mark};
use granit_parser::{Event, Marker, Options, Parser, ScalarStyle, Span, StructureStyle, Tag};
use messages::{TAB_INDENTS, TEMPLATE, TOO_DEEP, describe, tab_before, template_before};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most levels of lists and mappings.
const MAX_LEVELS: usize = 64;
/// The most values of a document, with those that its aliases repeat.
const MAX_VALUES: usize = 100_000;
/// The most bytes of all keys and texts of a document, with those that its aliases repeat.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// A parsed document, and the place of each value in it.
#[derive(Debug)]
pub struct YamlDocument {
    pub value: Value,
    /// The places of all values, the outermost one last; empty if the document is.
    // A map of whole paths would repeat every outer key for every value inside.
    places: Vec<YamlPlace>,
}

/// The line and the column of a character, from 1.
type Position = (usize, usize);

/// Where a value stands, and the places of the values in it.
#[derive(Debug)]
struct YamlPlace {
    value: Position,
    key: Option<Position>,
    inside: PlaceContent,
}

/// What a value holds; the numbers are those of places.
#[derive(Debug)]
enum PlaceContent {
    /// A text, a number, a truth value or nothing.
    Scalar,
    List(Vec<usize>),
    Mapping(BTreeMap<String, usize>),
    /// The same as the anchored value, whose place comes before.
    Alias(usize),
}

/// Parses one YAML document strictly.
///
/// # Errors
/// Text that is not UTF-8 or not YAML, a second document, a repeated key, a key that is not a
/// text, a merge key, a tag other than `!!str`, a number beyond the range of a double, nesting
/// beyond 64 levels, and a document beyond 100,000 values or 16 MiB of text.
pub fn parse(bytes: &[u8]) -> Result<YamlDocument, JsonProblem> {
    let text = readable(bytes)?;
    let mut reader = Reader::new(text);
    for event in Parser::new_from_str_with_options(text, options()) {
        let (event, span) = event.map_err(|error| describe(text, &error))?;
        reader.read(event, &span)?;
    }
    let value = assembled(&reader.places, reader.values);
    Ok(YamlDocument {
        value,
        places: reader.places,
    })
}

impl YamlDocument {
    /// Returns line and column of the value at `path`, or of the closest existing value around it.
    /// A value that an alias repeats stands where the alias does, and one without any text where
    /// its key does.
    pub fn locate(&self, path: &JsonPath) -> (usize, usize) {
        self.find(path).0
    }

    /// Like [`Self::locate`], but for the key that leads to the value, where there is one.
    pub fn locate_key(&self, path: &JsonPath) -> (usize, usize) {
        let (value, key) = self.find(path);
        key.unwrap_or(value)
    }

    fn find(&self, path: &JsonPath) -> (Position, Option<Position>) {
        let Some(mut place) = self.places.last() else {
            return ((1, 1), None);
        };
        let mut alias = None;
        for step in &path.0 {
            let holder = match &place.inside {
                PlaceContent::Alias(anchored) => self.places.get(*anchored),
                PlaceContent::Scalar | PlaceContent::List(_) | PlaceContent::Mapping(_) => {
                    Some(place)
                }
            };
            let inner = match (step, holder.map(|holder| &holder.inside)) {
                (PathSegment::Index(index), Some(PlaceContent::List(items))) => items.get(*index),
                (PathSegment::Key(key), Some(PlaceContent::Mapping(members))) => members.get(key),
                _ => None,
            };
            let Some(inner) = inner.and_then(|number| self.places.get(*number)) else {
                break;
            };
            if matches!(place.inside, PlaceContent::Alias(_)) {
                alias = alias.or(Some(place.value));
            }
            place = inner;
        }
        alias.map_or((place.value, place.key), |at| (at, None))
    }
}

// === the text ===

/// Returns the text without its byte order mark, if the parser can be trusted with it.
fn readable(bytes: &[u8]) -> Result<&str, JsonProblem> {
    let body = without_mark(bytes);
    let text = std::str::from_utf8(body).map_err(|error| {
        problem_at(
            body,
            error.valid_up_to(),
            "this is not UTF-8 text".to_owned(),
        )
    })?;
    // The parser refuses most of them too, but takes some for the end of the text.
    text.find(|c| !is_printable(c)).map_or(Ok(text), |at| {
        let before = text.get(..at).unwrap_or_default();
        let message = "this character cannot stand in YAML; write it as an escape in double quotes";
        Err(problem(end_of(before), message))
    })
}

/// Returns whether YAML allows a character without an escape.
const fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

/// Returns the place right after a text.
fn end_of(text: &str) -> Position {
    place(text.as_bytes(), text.len())
}

fn problem(at: Position, message: impl Into<String>) -> JsonProblem {
    JsonProblem {
        line: at.0,
        column: at.1,
        message: message.into(),
    }
}

fn position(mark: &Marker) -> Position {
    (mark.line().max(1), mark.col() + 1)
}

fn options() -> Options {
    granit_parser::options! {
        emit_comments: false,
        disallow_directives: true,
        flow_nesting_limit: MAX_LEVELS,
        block_nesting_limit: MAX_LEVELS,
    }
}

// === values ===

/// Collects the values of a document from the events of the parser.
struct Reader<'text> {
    text: &'text str,
    begun: bool,
    /// The places of the finished values, inner ones first.
    places: Vec<YamlPlace>,
    /// The finished values, in the order of their places; lists and mappings are still empty.
    values: Vec<Value>,
    /// The lists and mappings around the next value, the outermost one first.
    open: Vec<Open>,
    /// The finished values that have an anchor, by the number that the parser gave it.
    anchors: BTreeMap<usize, Anchored>,
    size: Size,
}

/// A list or mapping whose end is not read yet.
struct Open {
    at: Position,
    inside: PlaceContent,
    /// The key of the next value of a mapping.
    key: Option<(String, Position)>,
    anchor: usize,
    size_before: Size,
    /// How many levels its values have.
    levels_inside: usize,
}

/// A value that an alias can repeat.
struct Anchored {
    place: usize,
    size: Size,
    levels: usize,
}

#[derive(Clone, Copy, Default)]
struct Size {
    values: usize,
    text_bytes: usize,
}

impl<'text> Reader<'text> {
    fn new(text: &'text str) -> Self {
        Self {
            text,
            begun: false,
            places: Vec::new(),
            values: Vec::new(),
            open: Vec::new(),
            anchors: BTreeMap::new(),
            size: Size::default(),
        }
    }

    fn read(&mut self, event: Event<'_>, span: &Span) -> Result<(), JsonProblem> {
        let at = position(&span.start);
        match event {
            Event::DocumentStart(..) => self.begin(at),
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = is_text_tag(tag.as_deref(), span)? || style != ScalarStyle::Plain;
                if self.expects_key() {
                    return self.read_key(text, !is_text, anchor, span);
                }
                let at = self.scalar_position(&text, style, span);
                let value = if is_text {
                    Value::String(text.into_owned())
                } else {
                    plain_value(text, at)?
                };
                self.read_scalar(value, anchor, at)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.refuse_as_key("a list cannot be a key", &span.start)?;
                let at = self.level_position(style, &span.start)?;
                self.open_level(
                    PlaceContent::List(Vec::new()),
                    anchor,
                    tag.as_deref(),
                    span,
                    at,
                )
            }
            Event::MappingStart(style, anchor, tag) => {
                self.refuse_as_key("a mapping cannot be a key", &span.start)?;
                let at = self.level_position(style, &span.start)?;
                let inside = PlaceContent::Mapping(BTreeMap::new());
                self.open_level(inside, anchor, tag.as_deref(), span, at)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.close_level();
                Ok(())
            }
            Event::Alias(anchor) => {
                self.refuse_as_key("an alias cannot be a key", &span.start)?;
                self.read_alias(anchor, at)
            }
            // The last two, and comments, come only if the options ask for them.
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentEnd
            | Event::Anchor(..)
            | Event::UnresolvedAlias(_) => Ok(()),
            _ => Err(problem(at, "this part of YAML is not supported")),
        }
    }

    fn begin(&mut self, at: Position) -> Result<(), JsonProblem> {
        if self.begun {
            return Err(problem(
                at,
                "a second document begins here; only one is read",
            ));
        }
        self.begun = true;
        Ok(())
    }

    fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            matches!(open.inside, PlaceContent::Mapping(_)) && open.key.is_none()
        })
    }

    fn refuse_as_key(&self, message: &str, mark: &Marker) -> Result<(), JsonProblem> {
        if !self.expects_key() {
            return Ok(());
        }
        Err(template_before(self.text, mark).map_or_else(
            || problem(position(mark), message),
            |at| problem(at, TEMPLATE),
        ))
    }

    /// Returns the place of the key of the next value.
    fn key_position(&self) -> Option<Position> {
        let key = self.open.last()?.key.as_ref()?;
        Some(key.1)
    }

    fn scalar_position(&self, text: &str, style: ScalarStyle, span: &Span) -> Position {
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let is_blank = if is_block {
            text.trim_matches('\n').is_empty()
        } else {
            span.start == span.end
        };
        // The parser places a value without any text at whatever follows it.
        let key = self.key_position().filter(|_| is_blank);
        key.unwrap_or_else(|| position(&span.start))
    }

    /// Returns the place of the first key, item or bracket of a mapping or list.
    /// Refuses a tab before it in a block, which the parser allows.
    fn level_position(
        &self,
        style: StructureStyle,
        mark: &Marker,
    ) -> Result<Position, JsonProblem> {
        match style {
            StructureStyle::Flow => Ok(position(mark)),
            StructureStyle::Block => match self.unindented_dash(mark) {
                Some(dash) => Ok(dash),
                None => tab_before(self.text, mark)
                    .map_or_else(|| Ok(position(mark)), |tab| Err(problem(tab, TAB_INDENTS))),
            },
        }
    }

    /// Returns the place of the first `-` of a list that stands in the column of its key.
    // The parser gives the place after that `-`.
    fn unindented_dash(&self, mark: &Marker) -> Option<Position> {
        let (_, column) = self.key_position()?;
        let before = self.text.get(..mark.byte_offset()?)?;
        let line_start = before.rfind(['\n', '\r'])? + 1;
        let from_column = before.get(line_start + column - 1..)?;
        let is_dash = from_column.starts_with('-');
        is_dash.then_some((mark.line(), column))
    }

    fn read_key(
        &mut self,
        key: Cow<'_, str>,
        is_plain: bool,
        anchor: usize,
        span: &Span,
    ) -> Result<(), JsonProblem> {
        let at = position(&span.start);
        if is_plain && span.start == span.end {
            return Err(problem(at, "a key is missing here"));
        }
        if is_plain && key == "<<" {
            return Err(problem(at, "merge keys (`<<`) are not supported"));
        }
        if anchor != 0 {
            return Err(problem(
                at,
                "a key cannot have an anchor; put it after the `:`",
            ));
        }
        self.grow(0, key.len(), at)?;
        if let Some(open) = self.open.last_mut()
            && let PlaceContent::Mapping(members) = &open.inside
        {
            if members.contains_key(key.as_ref()) {
                return Err(problem(at, format!("the key `{key}` stands twice here")));
            }
            open.key = Some((key.into_owned(), at));
        }
        Ok(())
    }

    fn read_scalar(
        &mut self,
        value: Value,
        anchor: usize,
        at: Position,
    ) -> Result<(), JsonProblem> {
        let size_before = self.size;
        self.grow(1, value.as_str().map_or(0, str::len), at)?;
        let place = self.add(at, PlaceContent::Scalar, value, 0);
        self.keep_anchor(anchor, place, size_before, 0);
        Ok(())
    }

    fn read_alias(&mut self, anchor: usize, at: Position) -> Result<(), JsonProblem> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(problem(at, "this alias stands inside its own anchor"));
        };
        let (place, size, levels) = (anchored.place, anchored.size, anchored.levels);
        if self.open.len() + levels > MAX_LEVELS {
            return Err(problem(at, TOO_DEEP));
        }
        self.grow(size.values, size.text_bytes, at)?;
        self.add(at, PlaceContent::Alias(place), Value::Null, levels);
        Ok(())
    }

    fn open_level(
        &mut self,
        inside: PlaceContent,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        at: Position,
    ) -> Result<(), JsonProblem> {
        if is_text_tag(tag, span)? {
            return Err(problem(
                tag_position(span),
                "the tag `!!str` is for texts only",
            ));
        }
        if self.open.len() >= MAX_LEVELS {
            return Err(problem(at, TOO_DEEP));
        }
        let size_before = self.size;
        self.grow(1, 0, at)?;
        self.open.push(Open {
            at,
            inside,
            key: None,
            anchor,
            size_before,
            levels_inside: 0,
        });
        Ok(())
    }

    fn close_level(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        let levels = open.levels_inside + 1;
        let empty = match open.inside {
            PlaceContent::Mapping(_) => Value::Object(Map::new()),
            PlaceContent::List(_) | PlaceContent::Scalar | PlaceContent::Alias(_) => {
                Value::Array(Vec::new())
            }
        };
        let place = self.add(open.at, open.inside, empty, levels);
        self.keep_anchor(open.anchor, place, open.size_before, levels);
    }

    /// Adds a finished value to the list or mapping around it, and returns its number.
    fn add(&mut self, at: Position, inside: PlaceContent, value: Value, levels: usize) -> usize {
        let number = self.places.len();
        let mut key_position = None;
        if let Some(around) = self.open.last_mut() {
            around.levels_inside = around.levels_inside.max(levels);
            match &mut around.inside {
                PlaceContent::List(items) => items.push(number),
                PlaceContent::Mapping(members) => {
                    if let Some((key, key_at)) = around.key.take() {
                        members.insert(key, number);
                        key_position = Some(key_at);
                    }
                }
                PlaceContent::Scalar | PlaceContent::Alias(_) => {}
            }
        }
        self.places.push(YamlPlace {
            value: at,
            key: key_position,
            inside,
        });
        self.values.push(value);
        number
    }

    fn keep_anchor(&mut self, anchor: usize, place: usize, size_before: Size, levels: usize) {
        if anchor == 0 {
            return;
        }
        let size = Size {
            values: self.size.values - size_before.values,
            text_bytes: self.size.text_bytes - size_before.text_bytes,
        };
        let anchored = Anchored {
            place,
            size,
            levels,
        };
        self.anchors.insert(anchor, anchored);
    }

    fn grow(&mut self, values: usize, text_bytes: usize, at: Position) -> Result<(), JsonProblem> {
        self.size.values += values;
        self.size.text_bytes += text_bytes;
        if self.size.values > MAX_VALUES {
            return Err(problem(at, "the document grows beyond 100,000 values here"));
        }
        if self.size.text_bytes > MAX_TEXT_BYTES {
            return Err(problem(at, "the document grows beyond 16 MiB of text here"));
        }
        Ok(())
    }
}

/// Returns whether a value has the tag `!!str`; every other tag is refused.
fn is_text_tag(tag: Option<&Tag>, span: &Span) -> Result<bool, JsonProblem> {
    let Some(tag) = tag else {
        return Ok(false);
    };
    if tag.is_yaml_core_schema_tag("str") {
        return Ok(true);
    }
    let message = format!(
        "the tag `{}` is not supported; only `!!str` is",
        tag.original()
    );
    Err(problem(tag_position(span), message))
}

fn tag_position(span: &Span) -> Position {
    position(&span.tag_start().unwrap_or(span.start))
}

/// Returns the value of a text without quotes.
fn plain_value(text: Cow<'_, str>, at: Position) -> Result<Value, JsonProblem> {
    match text.as_ref() {
        "" | "~" | "null" => Ok(Value::Null),
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        number if is_json_number(number) => serde_json::from_str::<Number>(number)
            .map(Value::Number)
            .map_err(|_| problem(at, "number out of range")),
        _ => Ok(Value::String(text.into_owned())),
    }
}

/// Returns whether a text is a number by the grammar of JSON.
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, power) = unsigned
        .split_once(['e', 'E'])
        .map_or((unsigned, None), |(mantissa, power)| {
            (mantissa, Some(power))
        });
    let (whole, fraction) = mantissa
        .split_once('.')
        .map_or((mantissa, None), |(whole, fraction)| {
            (whole, Some(fraction))
        });
    let are_digits =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let unsigned_power = power.map(|power| power.strip_prefix(['+', '-']).unwrap_or(power));
    are_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(are_digits)
        && unsigned_power.is_none_or(are_digits)
}

/// Returns the outermost value, with all others in it.
// Every value comes after the values in it and after the anchored value that it repeats.
fn assembled(places: &[YamlPlace], mut values: Vec<Value>) -> Value {
    let mut aliases: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, place) in places.iter().enumerate() {
        if let PlaceContent::Alias(anchored) = place.inside {
            aliases.entry(anchored).or_default().push(number);
        }
    }
    let take = |values: &mut [Value], number: usize| {
        values.get_mut(number).map(Value::take).unwrap_or_default()
    };
    for (number, place) in places.iter().enumerate() {
        let whole = match &place.inside {
            PlaceContent::List(items) => {
                items.iter().map(|item| take(&mut values, *item)).collect()
            }
            PlaceContent::Mapping(members) => members
                .iter()
                .map(|(key, member)| (key.clone(), take(&mut values, *member)))
                .collect(),
            PlaceContent::Scalar | PlaceContent::Alias(_) => take(&mut values, number),
        };
        // The copies are made now, as the value moves into the one around it.
        for alias in aliases.remove(&number).unwrap_or_default() {
            if let Some(copy) = values.get_mut(alias) {
                copy.clone_from(&whole);
            }
        }
        if let Some(value) = values.get_mut(number) {
            *value = whole;
        }
    }
    values.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{MAX_LEVELS, MAX_TEXT_BYTES, MAX_VALUES, is_printable, parse};
    use crate::strict_json::JsonPath;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
    use serde_json::{Value, json};

    fn value(text: &str) -> Value {
        parse(text.as_bytes())
            .unwrap_or_else(|problem| panic!("{problem} in {text:?}"))
            .value
    }

    #[test]
    fn a_plain_scalar_is_what_json_says() {
        let cases = [
            ("", json!(null)),
            ("~", json!(null)),
            ("null", json!(null)),
            ("# only a comment", json!(null)),
            ("true", json!(true)),
            ("false", json!(false)),
            ("0", json!(0)),
            ("-12", json!(-12)),
            ("1.5e3", json!(1500.0)),
            ("-1E-2", json!(-0.01)),
            ("18446744073709551615", json!(u64::MAX)),
            ("100000000000000000000000", json!(1e23)),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), expected, "{text}");
            assert_eq!(value(&format!("- {text}")), json!([expected]), "{text}");
            assert_eq!(value(&format!("{{a: {text}\n}}")), json!({"a": expected}));
        }
    }

    #[test]
    fn every_other_scalar_is_a_text() {
        let texts = [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "True",
            "FALSE",
            "NULL",
            "Null",
            "0x10",
            "0o7",
            "1_000",
            ".5",
            "5.",
            "+1",
            "012",
            "-01",
            "1e",
            "1e+",
            "1.e3",
            "1 2",
            ".inf",
            ".nan",
            "-.inf",
            "2024-01-31",
            "12:30:45",
            "1e999x",
            "a b",
            "é",
            "x#y",
            "a:b",
        ];
        for text in texts {
            assert_eq!(value(text), json!(text));
            assert_eq!(value(&format!("k: {text} # c")), json!({"k": text}));
        }
        let written = [
            ("'true'", "true"),
            ("\"12\"", "12"),
            ("''", ""),
            ("!!str 12", "12"),
            ("!!str", ""),
            ("!!str ~", "~"),
            ("!<tag:yaml.org,2002:str> null", "null"),
            ("|-\n  null", "null"),
            (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
            ("|\n  a\n   b\n", "a\n b\n"),
            ("\"\\u00e9\\n\\ud83d\\ude00\\/\"", "é\n😀/"),
            ("'it''s'", "it's"),
            ("Say {{ name }}", "Say {{ name }}"),
        ];
        for (text, expected) in written {
            assert_eq!(value(text), json!(expected), "{text}");
        }
    }

    #[test]
    fn lists_mappings_and_aliases_become_arrays_and_objects() {
        let cases = [
            (
                "1: a\ntrue: b\n~: c\n'': d",
                json!({"1": "a", "true": "b", "~": "c", "": "d"}),
            ),
            ("? a\n: b\n? c", json!({"a": "b", "c": null})),
            ("!!str 1: x\n\"<<\": y", json!({"1": "x", "<<": "y"})),
            (
                "- - 1\n  - 2\n-\n- a: b\n  c:\n  - d",
                json!([[1, 2], null, {"a": "b", "c": ["d"]}]),
            ),
            (
                "{a: [1, {b: 2}], c, d: }",
                json!({"a": [1, {"b": 2}], "c": null, "d": null}),
            ),
            ("[a: 1, b: 2]", json!([{"a": 1}, {"b": 2}])),
            ("{}", json!({})),
            ("---\na: []\n...\n", json!({"a": []})),
            ("\u{feff}a: 1", json!({"a": 1})),
            ("a: 1\r\nb: 2\r\n", json!({"a": 1, "b": 2})),
            ("a: &x 1\nb: [*x, *x]", json!({"a": 1, "b": [1, 1]})),
            ("a: &x\nb: *x", json!({"a": null, "b": null})),
            (
                "a: &x {k: &y [1]}\nb: &z [*x, *y]\nc: *z",
                json!({"a": {"k": [1]}, "b": [{"k": [1]}, [1]], "c": [{"k": [1]}, [1]]}),
            ),
            ("[&x 1, *x, &x 2, *x]", json!([1, 1, 2, 2])),
            ("[&x [&x 1, *x], *x]", json!([[1, 1], 1])),
            (
                "a:\t1\nb:\n-\tx\nc: {\n  d: [\n1\n]}",
                json!({"a": 1, "b": ["x"], "c": {"d": [1]}}),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    /// A text, the line, the column and a part of the message of its problem.
    type Refusal = (&'static [u8], usize, usize, &'static str);

    fn check_refusals(cases: &[Refusal]) {
        for (text, line, column, message) in cases.iter().copied() {
            let shown = String::from_utf8_lossy(text);
            let problem = parse(text).expect_err(&shown);
            assert_eq!(
                (problem.line, problem.column),
                (line, column),
                "{problem} in {shown:?}"
            );
            assert!(problem.message.contains(message), "{problem} in {shown:?}");
        }
    }

    #[test]
    fn what_is_ambiguous_is_refused_at_its_place() {
        check_refusals(&[
            (b"a: 1\nb: \xFF", 2, 4, "not UTF-8"),
            (b"\xEF\xBB\xBF\xFF", 1, 1, "not UTF-8"),
            (b"a: 1\0", 1, 5, "this character"),
            (b"a: 1\nb: \"\x7F\"", 2, 5, "this character"),
            (b"a: 1\n---\nb: 2", 2, 1, "second document"),
            (b"---\n---", 2, 1, "second document"),
            (b"a: 1\n...\nb: 2", 3, 1, "second document"),
            (b"%YAML 1.2\n---\na", 1, 1, "directives"),
            (b"a: 1\na: 2", 2, 1, "`a` stands twice"),
            (b"a: 1\n'a': 2", 2, 1, "`a` stands twice"),
            (b"x: {1: 1, \"1\": 2}", 1, 11, "`1` stands twice"),
            (b"[a]: 1", 1, 1, "a list cannot be a key"),
            (b"? - a\n: 1", 1, 3, "a list cannot be a key"),
            (b"? {a: 1}\n: 2", 1, 3, "a mapping cannot be a key"),
            (b"a: &x 1\n*x : 2", 2, 1, "an alias cannot be a key"),
            (b"&x a: 1", 1, 4, "a key cannot have an anchor"),
            (b": 1", 1, 1, "a key is missing"),
            (b"{: 1}", 1, 2, "a key is missing"),
            (b"a: &x {b: 1}\nc:\n  <<: *x", 3, 3, "merge keys"),
            (b"a: !!int 1", 1, 4, "`!!int` is not supported"),
            (b"a: !!int \"1\"", 1, 4, "`!!int` is not supported"),
            (b"a: 1\nb: !own\n  - x", 2, 4, "`!own` is not supported"),
            (b"! a", 1, 1, "`!` is not supported"),
            (b"a: !!str [1]", 1, 4, "for texts only"),
            (b"!e!x a", 1, 1, "tag is not supported"),
        ]);
    }

    #[test]
    fn what_is_not_yaml_is_refused_at_its_place() {
        check_refusals(&[
            (b"a: 1\nb: *y", 2, 4, "no anchor of this name"),
            (b"a: &x [1, *x]", 1, 11, "inside its own anchor"),
            (b"&x\na: 1\nb: *x", 3, 4, "inside its own anchor"),
            (b"a: [1, -1e999]", 1, 8, "number out of range"),
            (b"a: {{ x }}", 1, 4, "`{{ ... }}` must stand in quotes here"),
            (b"a: {{ x }} and more", 1, 4, "must stand in quotes"),
            (b"- p: {{ x | y(\"z\") w }}", 1, 6, "must stand in quotes"),
            (b"{\"q\": 1, b: {{ x }}}", 1, 13, "must stand in quotes"),
            (b"{a: Say {{ x }}}", 1, 9, "must stand in quotes"),
            (b"{{ x }}: 1", 1, 1, "must stand in quotes"),
            (b"a: {{ x", 1, 4, "must stand in quotes"),
            (
                b"a: Say {{ x }} b: c",
                1,
                17,
                "put the whole text in quotes",
            ),
            (b"a:\n\tb: 1", 2, 1, "a tab cannot indent; use spaces"),
            (b"a:\n  b: 1\n \tc: 2", 3, 2, "a tab cannot indent"),
            (b"a: |\n\tb", 2, 1, "a tab cannot indent"),
            (b"a: |\n  b\n\tc", 3, 1, "a tab cannot indent"),
            (b"\ta: 1", 1, 1, "a tab cannot indent"),
            (b"-\ta: 1", 1, 2, "a tab cannot indent"),
            (b"-\t- 1", 1, 2, "a tab cannot indent"),
            (b"a: 1\n b: 2", 2, 3, "check the indentation"),
            (b"a:\n  b: 1\n c: 2", 3, 2, "check the indentation"),
            (b"a: b: c", 1, 5, "put the whole text in quotes"),
            (b"- a\nb: 1", 2, 1, "a `-` is expected"),
            (b"a: 1\nb", 2, 1, "not a key"),
            (b"a: - b", 1, 4, "cannot stand here"),
            (b"a: [1, 2", 1, 4, "this `[` is never closed"),
            (b"a: [1, 2}", 1, 4, "this `[` is closed by a `}`"),
            (b"a: [1, 2\nb: 1", 2, 2, "is a `]` missing above"),
            (b"a: {b: 1 c: 2}", 1, 11, "`,` or `}` is expected"),
            (b"[1]]", 1, 4, "closes nothing"),
            (b"[1] x", 1, 5, "has ended"),
            (b"[1,,2]", 1, 4, "a value is expected"),
            ("é: \"x\nb: 1".as_bytes(), 1, 4, "quote is never closed"),
            ("é: \"é\" y".as_bytes(), 1, 8, "the quotes are closed"),
            (b"a: 'it's'", 1, 8, "the quotes are closed"),
            (b"a: \"\\q\"", 1, 4, "an escape"),
            (b"a: \"\\uD800\"", 1, 4, "an escape"),
            (b"a: @x", 1, 4, "cannot begin with `@`"),
            (b"a: *", 1, 4, "a name must follow"),
            (b"a: |9x\n  b", 1, 4, "begin on the next line"),
            (b"a: x #c\n  y", 1, 6, "a comment cannot interrupt"),
            (b"a: \"x\"#c", 1, 7, "a space is missing"),
        ]);
    }

    #[test]
    fn a_document_cannot_grow_beyond_its_budget() {
        let items = |count: usize| format!("[{}]", "1,".repeat(count));
        assert!(parse(items(MAX_VALUES - 1).as_bytes()).is_ok());
        let problem = parse(items(MAX_VALUES).as_bytes()).unwrap_err();
        assert!(problem.message.contains("100,000 values"), "{problem}");

        let text = |extra: usize| {
            let half = "x".repeat(MAX_TEXT_BYTES / 2 - 1);
            format!("a: &t {half}{}\nb: *t", "y".repeat(extra))
        };
        assert!(parse(text(0).as_bytes()).is_ok());
        let problem = parse(text(1).as_bytes()).unwrap_err();
        assert_eq!((problem.line, problem.column), (2, 4));
        assert!(problem.message.contains("16 MiB"), "{problem}");

        let doubled = |level: usize| format!("- &a{} [*a{level}, *a{level}]\n", level + 1);
        let doubling = "- &a0 [1]\n".to_owned() + &(0..60).map(doubled).collect::<String>();
        let problem = parse(doubling.as_bytes()).unwrap_err();
        assert_eq!(problem.line, 16, "{problem}");
        assert!(problem.message.contains("100,000 values"), "{problem}");
    }

    #[test]
    fn nesting_is_bounded_in_every_form() {
        let flow = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let pairs = |levels: usize| "[a: ".repeat(levels / 2) + &"]".repeat(levels / 2);
        let block = |levels: usize| "- ".repeat(levels) + "x";
        let mixed = |levels: usize| "- ".repeat(levels / 2) + &flow(levels / 2);
        let alias = |levels: usize| {
            format!("- &x {}\n- {}", flow(60), {
                let around = levels - 61;
                "[".repeat(around) + "*x" + &"]".repeat(around)
            })
        };
        let forms: [&dyn Fn(usize) -> String; 5] = [&flow, &pairs, &block, &mixed, &alias];
        for form in forms {
            let allowed = form(MAX_LEVELS);
            assert!(parse(allowed.as_bytes()).is_ok(), "{allowed}");
            let deep = form(MAX_LEVELS + 2);
            let problem = parse(deep.as_bytes()).unwrap_err();
            assert!(problem.message.contains("64 levels"), "{problem} in {deep}");
        }
        let problem = parse(flow(MAX_LEVELS + 1).as_bytes()).unwrap_err();
        assert_eq!((problem.line, problem.column), (1, MAX_LEVELS + 1));
    }

    #[test]
    fn long_repetitions_neither_exhaust_the_stack_nor_take_long() {
        let units = [
            "[",
            "{",
            "- ",
            "? ",
            "a: ",
            "{a: ",
            "[a: ",
            "[? ",
            "&a ",
            "&a [",
            "!a ",
            "*a ",
            "- - \n",
            "a:\n- ",
            "\"",
            "'",
            "|\n",
            "--- ",
            ":",
            "#",
            "\n#",
            "\t",
            "[\"a\n\",",
            "\\",
            "a\n",
        ];
        for unit in units {
            let _result = parse(unit.repeat(100_000).as_bytes());
        }
        // Each value inside would repeat 60 kB of keys if its whole path were kept.
        let key = "k".repeat(1000);
        let outer = format!("{{{key}: ").repeat(60);
        let text = format!("{outer}[{}]{}", "1,".repeat(50_000), "}".repeat(60));
        assert!(parse(text.as_bytes()).is_ok());
    }

    const WORKFLOW: &str = r#"# A workflow as a person writes it.
name: Réview   # with an accent
schema: 1

defaults: &defaults {model: small, "retries": 3}
steps:
  # The first step.
  - id: read
    prompt: |
      Read the file.

        - keep: this
    with: {<<x: 1, é: [10, "ü", {deep: true}]}
  - id: write
    settings: *defaults
    empty:
    after: [read]
  -
    - inner
notes:
- a
# still a list
- b: >
  c: 1
last: >-
  folded
  text
"#;

    #[test]
    fn places_are_found_by_path() {
        let document = parse(WORKFLOW.as_bytes()).unwrap();
        let root = JsonPath::default();
        let step = |index: usize| JsonPath::dotted("steps").index(index);
        let cases = [
            (root.clone(), (2, 1), (2, 1)),
            (root.key("name"), (2, 7), (2, 1)),
            (root.key("schema"), (3, 9), (3, 1)),
            (root.key("defaults"), (5, 21), (5, 1)),
            (root.key("defaults").key("retries"), (5, 47), (5, 36)),
            (root.key("steps"), (8, 3), (6, 1)),
            (step(0), (8, 5), (8, 5)),
            (step(0).key("id"), (8, 9), (8, 5)),
            (step(0).key("prompt"), (10, 7), (9, 5)),
            (step(0).key("with"), (13, 11), (13, 5)),
            (step(0).key("with").key("<<x"), (13, 17), (13, 12)),
            (step(0).key("with").key("é").index(1), (13, 28), (13, 28)),
            (
                step(0).key("with").key("é").index(2).key("deep"),
                (13, 40),
                (13, 34),
            ),
            (step(1).key("settings"), (15, 15), (15, 5)),
            (step(1).key("settings").key("retries"), (15, 15), (15, 15)),
            (step(1).key("settings").key("absent"), (15, 15), (15, 5)),
            (step(1).key("empty"), (16, 5), (16, 5)),
            (step(1).key("after").index(0), (17, 13), (17, 13)),
            (step(2).index(0), (19, 7), (19, 7)),
            (root.key("notes"), (21, 1), (20, 1)),
            (root.key("notes").index(0), (21, 3), (21, 3)),
            (root.key("notes").index(1).key("b"), (23, 3), (23, 3)),
            (root.key("notes").index(1).key("c"), (24, 6), (24, 3)),
            (root.key("last"), (26, 3), (25, 1)),
            (root.key("absent").key("deeper"), (2, 1), (2, 1)),
            (step(0).key("id").index(3), (8, 9), (8, 5)),
            (step(9).key("id"), (8, 3), (6, 1)),
        ];
        for (path, value, key) in cases {
            assert_eq!(document.locate(&path), value, "value at {path}");
            assert_eq!(document.locate_key(&path), key, "key at {path}");
        }
        assert_eq!(document.value["steps"][1]["settings"]["retries"], json!(3));
        assert_eq!(document.value["last"], json!("folded text"));
        let prompt = "Read the file.\n\n  - keep: this\n";
        assert_eq!(document.value["steps"][0]["prompt"], json!(prompt));
        let nothing = parse(b"# nothing\n").unwrap();
        assert_eq!(nothing.locate(&root.key("a")), (1, 1));
    }

    fn json_values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(|text| Value::from(text.replace(|c| !is_printable(c), ""))),
            r#"[ \t\n\r"'\\:#,\[\]{}\-?&*!|>%@`~\u{85}\u{2028}\u{feff}a1]{0,12}"#
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..6).prop_map(Value::from),
                btree_map(r#"[ \t\n"':#,\[\]{}\-?<~\PCa1]{0,8}"#, inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn json_is_read_back_the_same(value in json_values()) {
            for text in [value.to_string(), format!("{value:#}")] {
                let document = parse(text.as_bytes())
                    .unwrap_or_else(|problem| panic!("{problem} in {text:?}"));
                prop_assert_eq!(&document.value, &value, "{}", text);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>()) {
            if let Err(problem) = parse(&bytes) {
                assert!(problem.line >= 1 && problem.column >= 1);
            }
        }

        #[test]
        fn no_yaml_like_text_makes_it_panic(
            text in r#"([\[\]{}"',:a1\\ \n\t|>&*!?%#~é\r\-]|\n  |- |: |\{\{|&a |\*a |---\n){0,40}"#
        ) {
            match parse(text.as_bytes()) {
                Ok(document) => {
                    let place = document.locate_key(&JsonPath::dotted("a.a").index(0));
                    assert!(place.0 >= 1 && place.1 >= 1);
                }
                Err(problem) => {
                    assert!(problem.line >= 1 && problem.column >= 1);
                    assert!(!problem.message.contains("not valid YAML"), "{problem} in {text:?}");
                }
            }
        }
    }
}
