//! The mask: what differs from run to run gets a name that does not. Each distinct id is `<id 1>`,
//! `<id 2>` in the order in which a text names them; hashes, ports and times by the machine's clock
//! likewise.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Digits of an id from which on its beginning is known again.
const SHORT_MIN: usize = 8;

/// Length of an id in letters.
const ID_LENGTH: usize = 36;

/// Length of a hash in letters.
const HASH_LENGTH: usize = 64;

/// Replaces what differs.
#[derive(Clone, Debug, Default)]
pub(super) struct Mask {
    /// Texts with the words that stand for them, in the order in which they are looked for.
    words: Vec<(String, String)>,
    /// Ids and hashes whose beginnings are replaced, too.
    known: BTreeSet<String>,
    /// From which day on times are those of the machine's clock.
    since: Option<String>,
}

/// The names given in one text.
#[derive(Debug, Default)]
struct Names {
    ids: Vec<String>,
    hashes: Vec<String>,
    is_short: bool,
}

impl Names {
    fn name_of(list: &mut Vec<String>, what: &str, found: &str) -> String {
        let at = list.iter().position(|it| it == found).unwrap_or_else(|| {
            list.push(found.to_owned());
            list.len() - 1
        });
        format!("<{what} {}>", at + 1)
    }

    fn id(&mut self, id: &str) -> String {
        Self::name_of(&mut self.ids, "id", id)
    }

    fn hash(&mut self, hash: &str) -> String {
        Self::name_of(&mut self.hashes, "hash", hash)
    }
}

impl Mask {
    /// The same, with a word for a text.
    pub(super) fn word(mut self, text: impl Into<String>, word: &str) -> Self {
        self.words.push((text.into(), word.to_owned()));
        self
    }

    /// The same, with times from a day on replaced, and times that are seen from now.
    pub(super) fn since(mut self, day: &str) -> Self {
        self.since = Some(day.to_owned());
        self
    }

    /// Learns the ids and hashes in a text, so that their beginnings are known.
    pub(super) fn learn(&mut self, text: &str) {
        for word in words_of(text) {
            if is_id(word) || is_hash(word) {
                self.known.insert(word.to_owned());
            }
        }
    }

    /// The text with everything replaced.
    pub(super) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (what, word) in &self.words {
            text = text.replace(what, word);
        }
        if let Some(day) = &self.since {
            text = without_times(&text, day);
        }
        text = without_letters(&text);
        let mut names = Names::default();
        let mut masked = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let length = rest.find(is_of_word).unwrap_or(rest.len());
            masked.push_str(&rest[..length]);
            rest = &rest[length..];
            let end = rest.find(|it| !is_of_word(it)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            masked.push_str(&self.one(word, &mut names));
            rest = after;
        }
        if names.is_short {
            masked = masked.lines().map(|line| narrow(line) + "\n").collect();
        }
        masked
    }

    /// A word, or what stands for it.
    fn one(&self, word: &str, names: &mut Names) -> String {
        if is_id(word) {
            return names.id(word);
        }
        if is_hash(word) {
            return names.hash(word);
        }
        if word.len() == 32 && is_hex(word) {
            return names.id(word);
        }
        if word.len() >= SHORT_MIN
            && is_hex(&word.replace('-', ""))
            && let Some(id) = self.known.iter().find(|id| id.starts_with(word))
        {
            names.is_short |= is_drawn(id);
            return if is_hash(id) {
                names.hash(id)
            } else {
                names.id(id)
            };
        }
        word.to_owned()
    }
}

/// A text in which letters and digits are counted as one sort: an id has now more of these and now of those.
fn without_letters(text: &str) -> String {
    let mut parts = text.split(SORTS);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers: Vec<&str> = part.splitn(3, ',').collect();
        masked.push_str(SORTS);
        match (
            numbers[0].parse::<u64>(),
            numbers.get(1).map(|it| it.parse::<u64>()),
        ) {
            (Ok(letters), Some(Ok(digits))) if numbers.len() == 3 => {
                write!(masked, "<{}>,{}", letters + digits, numbers[2]).unwrap();
            }
            _ => masked.push_str(part),
        }
    }
    masked
}

/// What stands before the counts of each sort of characters.
const SORTS: &str = "\"sorts\":[";

/// A text in which times from a day on, and those that are seen from now, have no digits.
fn without_times(text: &str, day: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_new = !masked.ends_with(|it: char| it.is_ascii_alphanumeric());
        let form = form_at(rest, day).filter(|_| is_new);
        if let Some((length, word)) = form {
            masked.push_str(word);
            rest = &rest[length..];
        } else {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    masked
}

/// The forms of times and of other things of the machine, with what stands for them: `0` is any digit, `9`
/// at least one digit.
const FORMS: [(&str, &str); 16] = [
    ("0000-00-00T00:00:00.000000Z", TIME),
    ("0000-00-00T00:00:00.000Z", TIME),
    ("0000-00-00T00:00:00Z", TIME),
    ("0000-00-00 00:00:00", TIME),
    ("0000-00-00 00:00", TIME),
    ("today 00:00", TIME),
    ("yesterday 00:00", TIME),
    ("tomorrow 00:00", TIME),
    ("just now", TIME),
    ("9 min ago", TIME),
    ("in 9 min", TIME),
    ("9 MiB free", "<space> free"),
    ("\"latencyMs\": 9", "\"latencyMs\": <time>"),
    ("\"pid\": 9", "\"pid\": <pid>"),
    ("\"process\": 9", "\"process\": <pid>"),
    ("process 9", "process <pid>"),
];

/// What stands for a time.
const TIME: &str = "<time>";

/// How long that is which a text begins with and which is to be replaced, and by what.
fn form_at(text: &str, day: &str) -> Option<(usize, &'static str)> {
    let mut forms = FORMS.iter();
    let (length, word) =
        forms.find_map(|(form, word)| length_as(text, form).map(|length| (length, *word)))?;
    let is_date = text.starts_with(|it: char| it.is_ascii_digit()) && text[..length].contains(':');
    (!is_date || &text[..day.len()] >= day).then_some((length, word))
}

/// How much of the beginning of a text has a form.
fn length_as(text: &str, form: &str) -> Option<usize> {
    let mut rest = text;
    for wanted in form.chars() {
        let digits = rest.len()
            - rest
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len();
        let length = match wanted {
            '0' if digits > 0 => 1,
            '9' if digits > 0 => digits,
            '0' | '9' => return None,
            other => rest.starts_with(other).then_some(other.len_utf8())?,
        };
        rest = &rest[length..];
    }
    Some(text.len() - rest.len())
}

/// Most blanks that a line is indented by; with more, its first column is empty.
const INDENT_MAX: usize = 8;

/// A line of a table whose columns are as wide as ids happen to be: blanks between words count as two.
fn narrow(line: &str) -> String {
    let body = line.trim_start_matches(' ');
    let mut narrow = " ".repeat((line.len() - body.len()).min(INDENT_MAX));
    let mut blanks = 0;
    for c in body.chars() {
        if c == ' ' {
            blanks += 1;
        } else {
            narrow.push_str(&" ".repeat(blanks.min(2)));
            blanks = 0;
            narrow.push(c);
        }
    }
    narrow
}

/// The words of a text that may be ids.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it| !is_of_word(it))
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

fn is_hex(word: &str) -> bool {
    !word.is_empty()
        && word
            .bytes()
            .all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it))
}

fn is_hash(word: &str) -> bool {
    word.len() == HASH_LENGTH && is_hex(word)
}

/// Whether an id was drawn by the time, so that chance says how much of it names it alone.
fn is_drawn(id: &str) -> bool {
    id.get(14..15) == Some("7")
}

/// Whether a word is an id: five groups of hexadecimal digits.
fn is_id(word: &str) -> bool {
    word.len() == ID_LENGTH
        && word
            .split('-')
            .map(|group| if is_hex(group) { group.len() } else { 0 })
            .eq([8, 4, 4, 4, 12])
}

#[test]
fn a_mask_names_what_differs_and_nothing_else() {
    let id = "0190a3b4-5c6d-7000-8000-000000000001";
    let other = "5fffffff-0000-4000-8000-000000000000";
    let mut mask = Mask::default().word("/tmp/x", "<root>").since("2026-11-02");
    mask.learn(&format!("{{\"id\": \"{id}\"}}"));
    for (text, masked) in [
        (format!("{other} {id} {other}"), "<id 1> <id 2> <id 1>"),
        ("a".repeat(64), "<hash 1>"),
        ("/tmp/x/data".to_owned(), "<root>/data"),
        (
            "2026-11-01 10:00, 2026-11-02 10:00:01".to_owned(),
            "2026-11-01 10:00, <time>",
        ),
        (
            "2026-11-02T10:00:01.123Z (just now)".to_owned(),
            "<time> (<time>)",
        ),
        (
            "\"sorts\":[486,43,138,0]".to_owned(),
            "\"sorts\":[<529>,138,0]",
        ),
        ("12 min ago, at 10:00".to_owned(), "<time>, at 10:00"),
        ("  0190a3b4-5      a   b\n".to_owned(), "  <id 1>  a  b\n"),
        ("x   0190a3b  y\n".to_owned(), "x   0190a3b  y\n"),
    ] {
        assert_eq!(mask.text(&text), masked);
    }
}
