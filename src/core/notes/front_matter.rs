//! The front matter of a Markdown file, in the few forms of YAML that are common there.
//! Reads `key: value` with texts and lists of texts; other forms are recognized but not read. Never
//! judges the meaning of a key.

use crate::plain_text::json_spelt_out;
use std::iter::Peekable;

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FieldValue {
    /// No value, or `null`.
    Nothing,
    /// One text.
    Text(String),
    /// A list of texts; an item that begins with a brace is kept unread.
    List(Vec<String>),
    /// A form that is not read: a map, a block of lines, a reference.
    Beyond,
}

/// One key of the front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) key: String,
    pub(super) found: FieldValue,
    /// The number of its line, from 1.
    pub(super) line: usize,
}

/// A line that cannot be read, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontMatterProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// The reason, as one short sentence without its full stop.
    pub reason: String,
}

impl FrontMatterProblem {
    /// Returns a problem of a line.
    pub(super) fn new(line: usize, reason: impl Into<String>) -> Self {
        Self {
            line,
            reason: reason.into(),
        }
    }
}

/// A numbered line.
type NumberedLine<'a> = (usize, &'a str);

/// Splits a text into the lines of its front matter and the text behind it, if it has one.
pub(super) fn split(text: &str) -> Option<(Vec<NumberedLine<'_>>, &str)> {
    let mut rest = text;
    let mut lines = Vec::new();
    for number in 1.. {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let is_mark = |mark: &str| line.trim_end() == mark;
        match number {
            1 if !is_mark("---") => return None,
            1 => {}
            _ if is_mark("---") || is_mark("...") => return Some((lines, after)),
            _ => lines.push((number, line.trim_end())),
        }
        if after.is_empty() {
            // Without an end it is no front matter: perhaps a horizontal rule.
            return None;
        }
        rest = after;
    }
    None
}

/// Parses the keys of the front matter.
pub(super) fn fields(lines: &[NumberedLine<'_>]) -> Result<Vec<Field>, FrontMatterProblem> {
    let mut fields: Vec<Field> = Vec::new();
    let mut lines = lines.iter().copied().peekable();
    while let Some((line, text)) = lines.next() {
        if is_silent(text) {
            continue;
        }
        let (key, value) = key_of(text).ok_or_else(|| {
            FrontMatterProblem::new(line, "this line is no `key: value`; a text may need quotes")
        })?;
        if fields.iter().any(|field| field.key == key) {
            return Err(FrontMatterProblem::new(
                line,
                format!("`{key}` stands here twice"),
            ));
        }
        let below = below(&mut lines);
        let found = found(line, value, &below)?;
        fields.push(Field { key, found, line });
    }
    Ok(fields)
}

fn is_silent(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty() || text.starts_with('#')
}

/// Returns the key of a line and the text behind its colon.
fn key_of(text: &str) -> Option<(String, &str)> {
    if text.starts_with([' ', '\t', '-']) {
        return None;
    }
    let ends = |at: &usize| matches!(text.as_bytes().get(at + 1), None | Some(b' ' | b'\t'));
    let colon = text.match_indices(':').map(|(at, _)| at).find(ends)?;
    let key = text.get(..colon)?.trim().trim_matches(['"', '\'']);
    let value = text.get(colon + 1..)?.trim();
    (!key.is_empty()).then(|| (key.to_owned(), value))
}

/// Returns the lines that belong to the key above them: indented ones, list items and brackets.
fn below<'a>(
    lines: &mut Peekable<impl Iterator<Item = NumberedLine<'a>>>,
) -> Vec<NumberedLine<'a>> {
    let belongs = |text: &str| {
        let is_item = text == "-" || text.starts_with("- ");
        is_item || text.starts_with([' ', '\t', ']']) || text.is_empty()
    };
    let mut below = Vec::new();
    while let Some(line) = lines.next_if(|(_, text)| belongs(text)) {
        if !is_silent(line.1) {
            below.push((line.0, line.1.trim()));
        }
    }
    below
}

fn found(
    line: usize,
    value: &str,
    below: &[NumberedLine<'_>],
) -> Result<FieldValue, FrontMatterProblem> {
    let problem = |reason: String| FrontMatterProblem::new(line, reason);
    let is_alone = value.is_empty() || value.starts_with('#');
    let begins = below.first().is_some_and(|(_, text)| text.starts_with('['));
    if value.starts_with('[') || is_alone && begins {
        let texts = below.iter().map(|(_, text)| *text);
        let whole: Vec<&str> = (!is_alone)
            .then_some(value)
            .into_iter()
            .chain(texts)
            .collect();
        return flow_list(&whole.join(" ")).map_err(problem);
    }
    if is_alone {
        return block(below);
    }
    if value.starts_with(['{', '|', '>', '&', '*', '!', '%', '@', '`']) {
        return Ok(FieldValue::Beyond);
    }
    if value.starts_with(['"', '\'']) {
        return match below {
            [] => scalar(value).map(FieldValue::Text).map_err(problem),
            _ => Err(problem("the quotes must close in the same line".to_owned())),
        };
    }
    // A plain text may go on in indented lines.
    let mut text = uncommented(value).to_owned();
    for (_, more) in below {
        text.push(' ');
        text.push_str(uncommented(more));
    }
    Ok(match text.as_str() {
        "~" | "null" => FieldValue::Nothing,
        _ => FieldValue::Text(text),
    })
}

/// Parses the lines under a key without a value of its own.
fn block(below: &[NumberedLine<'_>]) -> Result<FieldValue, FrontMatterProblem> {
    if below.is_empty() {
        return Ok(FieldValue::Nothing);
    }
    let mut items = Vec::with_capacity(below.len());
    for (line, text) in below {
        let Some(item) = text.strip_prefix('-') else {
            return Ok(FieldValue::Beyond);
        };
        let item = item.trim();
        if item.starts_with('{') {
            items.push(item.to_owned());
        } else if !item.is_empty() {
            items.push(scalar(item).map_err(|reason| FrontMatterProblem::new(*line, reason))?);
        }
    }
    Ok(FieldValue::List(items))
}

/// Parses a list in brackets.
fn flow_list(text: &str) -> Result<FieldValue, String> {
    let mut rest = text.strip_prefix('[').unwrap_or(text);
    let mut items = Vec::new();
    loop {
        rest = rest.trim_start();
        let is_quoted = rest.starts_with(['"', '\'']);
        let (item, after) = if is_quoted {
            quoted(rest)?
        } else {
            let end = rest.find([',', ']']).unwrap_or(rest.len());
            let (item, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if item.contains(['[', '{']) {
                return Err("a list inside a list is not read".to_owned());
            }
            (item.trim().to_owned(), after)
        };
        if is_quoted || !item.is_empty() {
            items.push(item);
        }
        let after = after.trim_start();
        if let Some(behind) = after.strip_prefix(']') {
            return match uncommented(behind.trim()) {
                "" => Ok(FieldValue::List(items)),
                _ => Err("something follows the closing bracket".to_owned()),
            };
        }
        rest = after
            .strip_prefix(',')
            .ok_or("the list's bracket is not closed, or a comma is missing")?;
    }
}

/// Parses a text, quoted or plain.
fn scalar(text: &str) -> Result<String, String> {
    if !text.starts_with(['"', '\'']) {
        return Ok(uncommented(text).to_owned());
    }
    let (inner, behind) = quoted(text)?;
    match uncommented(behind.trim()) {
        "" => Ok(inner),
        _ => Err("something follows the closing quote".to_owned()),
    }
}

/// Returns a plain text without the comment behind it.
fn uncommented(text: &str) -> &str {
    let text = match text.strip_prefix('#') {
        Some(_) => "",
        None => text.split_once(" #").map_or(text, |(text, _)| text),
    };
    text.trim()
}

/// Parses the quoted text at the start of `text`. Returns it with the rest.
fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut out = String::new();
    let mut chars = text.chars();
    let quote = chars.next();
    while let Some(c) = chars.next() {
        match c {
            _ if Some(c) == quote => {
                // In single quotes, two of them stand for one.
                if c == '\'' && chars.as_str().starts_with('\'') {
                    chars.next();
                    out.push(c);
                } else {
                    return Ok((out, chars.as_str()));
                }
            }
            '\\' if quote == Some('"') => out.push(escaped(&mut chars)?),
            _ => out.push(c),
        }
    }
    Err("the quotes are not closed".to_owned())
}

/// Parses an escape after its backslash, and returns its character.
fn escaped(chars: &mut std::str::Chars<'_>) -> Result<char, String> {
    let letter = chars.next().ok_or("the text ends in a backslash")?;
    Ok(match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '0' => '\0',
        'a' => '\u{7}',
        'v' => '\u{b}',
        'e' => '\u{1b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        '"' | '\\' | '/' | ' ' | '\'' => letter,
        'x' => coded(chars, 2)?,
        'u' => coded(chars, 4)?,
        'U' => coded(chars, 8)?,
        _ => return Err(format!("`\\{letter}` is no escape")),
    })
}

/// Parses the hexadecimal code of a character; a pair of surrogates gives one character.
fn coded(chars: &mut std::str::Chars<'_>, digits: usize) -> Result<char, String> {
    let first = hexadecimal(chars, digits)?;
    let code = if (0xD800..0xDC00).contains(&first) && chars.as_str().starts_with("\\u") {
        chars.nth(1);
        let second = hexadecimal(chars, 4)?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(format!("{second:x} does not go with {first:x}"));
        }
        0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
    } else {
        first
    };
    char::from_u32(code).ok_or_else(|| format!("{code:x} is no character"))
}

fn hexadecimal(chars: &mut std::str::Chars<'_>, digits: usize) -> Result<u32, String> {
    let found = chars.as_str().get(..digits);
    let found = found.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let number = found.and_then(|text| u32::from_str_radix(text, 16).ok());
    let number = number.ok_or_else(|| format!("{digits} hexadecimal digits must follow"))?;
    chars.nth(digits - 1);
    Ok(number)
}

/// Renders a text as a value or list item.
/// It stays plain if every YAML reader takes it for that text, else it is quoted with JSON's
/// escapes, which are YAML's too.
pub(super) fn written(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/');
    let is_plain = text.starts_with(char::is_alphabetic)
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !MEANT_OTHERWISE.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let json = serde_json::Value::from(text).to_string();
    // Some readers of YAML break lines at these, and a byte order mark is lost.
    let json = json_spelt_out(&json);
    let odd = [
        ('\u{2028}', "\\u2028"),
        ('\u{2029}', "\\u2029"),
        ('\u{feff}', "\\ufeff"),
    ];
    odd.into_iter()
        .fold(json, |json, (c, spelt)| json.replace(c, spelt))
}

/// Renders a list of texts in brackets.
pub(super) fn written_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let items: Vec<String> = texts.map(written).collect();
    format!("[{}]", items.join(", "))
}

/// The plain words that some YAML readers do not take for text.
const MEANT_OTHERWISE: [&str; 11] = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf",
];
