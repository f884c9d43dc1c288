//! Reading Rust sources just well enough to check them: what is code, what is text, what is only
//! said. Not a parser: it knows comments, strings, braces and `use` trees, nothing more.

use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A source file: its path below the repository, its text, and what was read from it once.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    read: OnceCell<Read>,
}

/// What a text is made of.
#[derive(Clone, Debug)]
struct Read {
    code: String,
    strings: Vec<String>,
    paths: BTreeSet<String>,
}

impl Source {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            read: OnceCell::new(),
        }
    }

    /// The product code: no comments, no contents of strings, no test modules. Line breaks stay.
    pub(crate) fn code(&self) -> &str {
        &self.read().code
    }

    /// The contents of the string literals of the product code.
    pub(crate) fn strings(&self) -> &[String] {
        &self.read().strings
    }

    /// Every path that the product code names, `use` trees written out.
    pub(crate) fn named_paths(&self) -> &BTreeSet<String> {
        &self.read().paths
    }

    fn read(&self) -> &Read {
        self.read.get_or_init(|| {
            let (mut code, strings) = masked(&self.text);
            code.truncate(product_length(&code));
            let strings = strings
                .into_iter()
                .filter(|(at, _)| *at < code.len())
                .map(|(_, text)| text)
                .collect();
            let paths = named_paths(&code);
            Read {
                code,
                strings,
                paths,
            }
        })
    }

    /// Line numbers, from 1, of the product code's lines that hold `word` as a whole word.
    pub(crate) fn lines_with(&self, word: &str) -> Vec<usize> {
        self.code()
            .lines()
            .enumerate()
            .filter(|(_, line)| has_word(line, word))
            .map(|(index, _)| index + 1)
            .collect()
    }
}

fn named_paths(code: &str) -> BTreeSet<String> {
    let mut paths: BTreeSet<String> = code
        .split(|c: char| !(is_word(c) || c == ':'))
        .filter(|path| path.contains("::"))
        .map(|path| path.trim_start_matches(':').to_owned())
        .collect();
    for statement in code.split(';') {
        if let Some(tree) = use_tree(statement) {
            paths.extend(expanded(tree));
        }
    }
    paths
}

/// Whether `text` holds `word` with no word character before or after it.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let open_end = word.ends_with(|c| !is_word(c));
        let open_start = word.starts_with(|c| !is_word(c));
        (open_start || !before.is_some_and(is_word)) && (open_end || !after.is_some_and(is_word))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tree of a statement that ends as a `use` declaration.
fn use_tree(statement: &str) -> Option<&str> {
    let at = statement.rfind("use ")?;
    let before = statement[..at].chars().next_back();
    if before.is_some_and(is_word) {
        return None;
    }
    Some(&statement[at + "use ".len()..])
}

/// The paths of a `use` tree: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn expanded(tree: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut prefixes: Vec<String> = vec![String::new()];
    let mut part = String::new();
    for c in tree.chars() {
        match c {
            '{' => {
                let prefix = prefixes.last().cloned().unwrap_or_default() + part.trim();
                prefixes.push(prefix);
                part.clear();
            }
            '}' | ',' => {
                if !part.trim().is_empty() {
                    let prefix = prefixes.last().cloned().unwrap_or_default();
                    paths.push(prefix + part.trim());
                }
                part.clear();
                if c == '}' {
                    prefixes.pop();
                }
            }
            _ => part.push(c),
        }
    }
    if !part.trim().is_empty() {
        paths.push(part.trim().to_owned());
    }
    paths
}

/// The text with comments and the contents of strings blanked out, and those contents with their
/// offsets. Offsets and line breaks are those of the text.
pub(crate) fn masked(text: &str) -> (String, Vec<(usize, String)>) {
    let bytes = text.as_bytes();
    let mut code = String::with_capacity(text.len());
    let mut strings = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let previous = code.chars().next_back();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some((quote, inside, length)) = string(rest, previous) {
            strings.push((at, rest[quote..quote + inside].to_owned()));
            code.push('"');
            blank(&rest[1..length - 1], &mut code);
            code.push('"');
            at += length;
            continue;
        } else if let Some(length) = character(rest) {
            length
        } else {
            let c = rest.chars().next().unwrap_or(' ');
            code.push(c);
            at += c.len_utf8();
            continue;
        };
        blank(&rest[..length], &mut code);
        at += length;
    }
    (code, strings)
}

fn blank(text: &str, code: &mut String) {
    code.extend(
        text.bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
    );
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Offset and length of the contents of a string literal that begins here, and its whole length.
fn string(rest: &str, previous: Option<char>) -> Option<(usize, usize, usize)> {
    if previous.is_some_and(is_word) {
        return None;
    }
    let after_prefix = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - after_prefix.len();
    if prefix > 1 {
        return None;
    }
    if let Some(raw) = after_prefix.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = body.find(&end).unwrap_or(body.len());
        let start = prefix + 1 + hashes + 1;
        let length = (start + inside + end.len()).min(rest.len());
        return Some((start, inside, length));
    }
    let body = after_prefix.strip_prefix('"')?;
    let mut escaped = false;
    let inside = body
        .bytes()
        .position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })
        .unwrap_or(body.len() - 1);
    Some((prefix + 1, inside, prefix + 1 + inside + 1))
}

/// The length of a character literal that begins here; lifetimes are none.
fn character(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('\'')?;
    let mut chars = body.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        // The escaped character itself may be a quote.
        let (after, _) = chars.nth(1)?;
        let end = body[after..].find('\'')?;
        return Some(1 + after + end + 1);
    }
    let (after, next) = chars.next()?;
    (next == '\'').then_some(1 + after + 1)
}

/// The length of masked code up to its test module.
fn product_length(code: &str) -> usize {
    code.find("#[cfg(test)]\nmod tests").unwrap_or(code.len())
}

/// Name, first line (from 1) and length in lines of every function of masked code.
pub(crate) fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].chars().next_back().is_some_and(is_word) {
            continue;
        }
        let after = &code[at + "fn ".len()..];
        let name: String = after.chars().take_while(|c| is_word(*c)).collect();
        if name.is_empty() {
            continue; // A function type.
        }
        let Some(body) = body_length(after) else {
            continue;
        };
        let first = code[..at].split('\n').count();
        found.push((name, first, after[..body].split('\n').count()));
    }
    found
}

/// The length of a function from its name to the brace that closes it; `None` without a body.
fn body_length(after: &str) -> Option<usize> {
    let mut brackets = 0_i32;
    let mut braces = 0_i32;
    for (at, c) in after.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if brackets == 0 && braces == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces <= 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The names of the modules that masked code declares in files of their own.
pub(crate) fn modules(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in code.lines() {
        let line = line.trim();
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        if let Some(name) = line
            .strip_prefix("mod ")
            .and_then(|rest| rest.strip_suffix(';'))
        {
            names.push(name.trim().to_owned());
        }
    }
    names
}

/// Name and line (from 1) of every item and field that masked code declares.
pub(crate) fn declared(code: &str) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let words: Vec<&str> = line.split(|c: char| !is_word(c)).collect();
        for pair in words.windows(2) {
            let is_item = [
                "fn", "struct", "enum", "trait", "type", "mod", "const", "static",
            ]
            .contains(&pair[0]);
            if is_item && !pair[1].is_empty() {
                names.push((pair[1].to_owned(), index + 1));
            }
        }
        names.extend(field(line).map(|name| (name.to_owned(), index + 1)));
    }
    names
}

/// Returns a line that begins with `pub` or `pub(...)` without that.
pub(crate) fn without_visibility(line: &str) -> &str {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let Some(rest) = line.strip_prefix("pub(") else {
        return line;
    };
    rest.split_once(") ").map_or(rest, |(_, line)| line)
}

/// The name of the field of a type that a line declares.
fn field(line: &str) -> Option<&str> {
    let (name, value) = without_visibility(line.trim_start()).split_once(": ")?;
    (value.ends_with(',') && !name.is_empty() && name.chars().all(is_word)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{Source, declared, expanded, functions, has_word, masked, modules};

    #[test]
    fn comments_and_strings_are_no_code() {
        let text = "let a = \"x // y\"; // z\nlet b = 'q'; /* w /* v */ u */ let c: &'static str = r#\"p\"o\"#;\nlet d = '\\''; let e = b\"k\\\"l\";";
        let (code, strings) = masked(text);
        assert_eq!(code.len(), text.len());
        for gone in ["x", "y", "z", "w", "u */", "v", "p\"o", "'q'", "k"] {
            assert!(!code.contains(gone), "{gone} in {code}");
        }
        for kept in [
            "let a =",
            "let b =",
            "let c: &'static str",
            "let d =",
            "let e =",
        ] {
            assert!(code.contains(kept), "{kept} in {code}");
        }
        let strings: Vec<&str> = strings.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(strings, ["x // y", "p\"o", "k\\\"l"]);
    }

    #[test]
    fn use_trees_are_written_out() {
        assert_eq!(
            expanded("std::{fs, io::{self, Read as _}}"),
            ["std::fs", "std::io::self", "std::io::Read as _"]
        );
        let source = Source::new(
            "a.rs",
            "pub use std::{\n    env,\n    fmt,\n};\nfn f() { x::y::z(); }",
        );
        let paths = source.named_paths();
        assert!(
            paths.contains("std::env") && paths.contains("x::y::z"),
            "{paths:?}"
        );
    }

    #[test]
    fn functions_are_measured_from_name_to_brace() {
        let code = "fn a() {\n  if x {\n  }\n}\ntrait T { fn b(&self); }\nfn c<T: Fn(u8) -> [u8; 3]>(f: fn(u8)) -> u8 {\n}";
        assert_eq!(
            functions(code),
            [("a".to_owned(), 1, 4), ("c".to_owned(), 6, 2)]
        );
    }

    #[test]
    fn words_and_modules_are_found() {
        assert!(has_word("a reqwest::b", "reqwest") && !has_word("reqwester", "reqwest"));
        assert!(has_word("Approved(x)", "Approved(") && !has_word("NotApproved(x)", "Approved("));
        assert_eq!(
            modules("mod a;\npub mod b;\nmod c {\n}\npub(crate) mod d;"),
            ["a", "b", "d"]
        );
    }

    #[test]
    fn declared_names_are_items_and_fields() {
        let code = "pub(crate) fn a(b: u8) {}\nstruct C<'a> {\n    pub(super) d: &'a str,\n}";
        let names: Vec<String> = declared(code).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "C", "d"]);
    }

    #[test]
    fn modules_with_tests_are_left_out() {
        let source = Source::new(
            "a.rs",
            "fn a() {}\n\n#[cfg(test)]\nmod tests {\n const S: &str = \"s\"; fn b() {}\n}\n",
        );
        assert!(!source.code().contains("fn b") && source.strings().is_empty());
    }
}
