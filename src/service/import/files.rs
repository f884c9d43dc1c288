//! Reads the entries of an import one after another: a Markdown file is one, a JSON file holds one
//! in each line or item. Reads one file at a time, so that a large folder fits into memory.

use super::ImportNotes;
use crate::core::notes::{MarkdownProblem, PortableNote, from_markdown};
use crate::failure::{Code, Failure};
use crate::limits::{IMPORT_JSON_BYTES_MAX, IMPORT_MARKDOWN_BYTES_MAX, NOTE_TITLE_BYTES_MAX};
use crate::store::external_files::SourceFiles;
use crate::strict_json;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// An entry of an import: a note of a file, or the problem in its place.
#[derive(Debug)]
pub(super) struct ImportEntry {
    pub(super) file: String,
    /// The line of the entry, in a file with several.
    pub(super) line: Option<usize>,
    /// The seed of an id for a note without one: the same on every import.
    pub(super) seed: String,
    pub(super) bytes: usize,
    pub(super) note: Result<PortableNote, ImportProblem>,
}

/// The reason why an entry is no note.
#[derive(Debug)]
pub(super) struct ImportProblem {
    /// The line of the problem, where that is known.
    pub(super) line: Option<usize>,
    pub(super) reason: String,
}

/// A named file or folder with its found files.
#[derive(Debug)]
struct ImportPath {
    named: PathBuf,
    sources: SourceFiles,
    is_folder: bool,
}

impl ImportPath {
    /// Reads the entries of a file: Markdown holds one note, JSON any number.
    fn entries(&mut self, file: &Path, all_json: bool) -> Vec<ImportEntry> {
        let named = if self.is_folder {
            self.named.join(file)
        } else {
            self.named.clone()
        };
        let name = named.display().to_string();
        if all_json || is_json(file) {
            return match self.sources.read(file, IMPORT_JSON_BYTES_MAX) {
                Ok(bytes) => json_entries(&name, &bytes),
                Err(reason) => vec![unread(name, reason)],
            };
        }
        vec![match self.sources.read(file, IMPORT_MARKDOWN_BYTES_MAX) {
            Ok(bytes) => ImportEntry {
                line: None,
                seed: self.sources.full_path(file).display().to_string(),
                bytes: bytes.len(),
                note: markdown_note(file, &bytes),
                file: name,
            },
            Err(reason) => unread(name, reason),
        }]
    }
}

#[derive(Debug)]
pub(super) struct Files {
    places: Vec<ImportPath>,
    /// The files still to be read: the index of the place, and the path there.
    left: VecDeque<(usize, PathBuf)>,
    is_json: bool,
    /// The entries of the current JSON file, and of unreadable files.
    ready: VecDeque<ImportEntry>,
}

impl Files {
    /// Finds the files of an import.
    /// Only standard input is read now, by `read_input` with a bound of its bytes.
    pub(super) fn find(
        asked: &ImportNotes,
        read_input: impl Fn(usize) -> Result<Vec<u8>, Failure>,
    ) -> Result<Self, Failure> {
        let mut files = Self {
            places: Vec::new(),
            left: VecDeque::new(),
            is_json: asked.json,
            ready: VecDeque::new(),
        };
        let mut met = BTreeSet::new();
        for path in &asked.paths {
            if path == Path::new("-") {
                files.read_standard_input(&read_input)?;
                continue;
            }
            let is_wanted = |file: &Path| {
                if asked.json {
                    is_json(file)
                } else {
                    is_markdown(file)
                }
            };
            let sources = match SourceFiles::at(path, &is_wanted) {
                Ok(sources) => sources,
                // Beside others, an unreadable one is reported among them.
                Err(failure) if asked.paths.len() > 1 => {
                    let file = path.display().to_string();
                    files.ready.push_back(unread(file, failure.message));
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let place = ImportPath {
                named: path.clone(),
                is_folder: path.is_dir(),
                sources,
            };
            for (odd, reason) in &place.sources.odd {
                let file = place.named.join(odd).display().to_string();
                files.ready.push_back(unread(file, reason.clone()));
            }
            for file in &place.sources.files {
                if met.insert(place.sources.full_path(file)) {
                    files.left.push_back((files.places.len(), file.clone()));
                }
            }
            files.places.push(place);
        }
        Ok(files)
    }

    fn read_standard_input(
        &mut self,
        read_input: impl Fn(usize) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        if !self.is_json {
            let failure = Failure::new(Code::Usage, "standard input is read as JSON only");
            return Err(failure.only_hint("Add --json, or name a file."));
        }
        let bytes = read_input(IMPORT_JSON_BYTES_MAX)?;
        let file = "standard input".to_owned();
        self.ready.extend(json_entries(&file, &bytes));
        Ok(())
    }

    pub(super) fn next(&mut self) -> Option<ImportEntry> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(entry);
            }
            let (place, file) = self.left.pop_front()?;
            let place = self.places.get_mut(place)?;
            self.ready.extend(place.entries(&file, self.is_json));
        }
    }

    /// Shows every entry without taking it, with its number in the order of [`Self::next`].
    pub(super) fn each(&mut self, mut show: impl FnMut(usize, &ImportEntry)) {
        let mut number = 0;
        let mut show = |entry: &ImportEntry| {
            show(number, entry);
            number += 1;
        };
        self.ready.iter().for_each(&mut show);
        for (place, file) in &self.left {
            if let Some(place) = self.places.get_mut(*place) {
                place.entries(file, self.is_json).iter().for_each(&mut show);
            }
        }
    }

    pub(super) fn next_bytes_max(&self) -> usize {
        let ready = self.ready.front().map(|entry| entry.bytes);
        ready.unwrap_or(IMPORT_MARKDOWN_BYTES_MAX)
    }
}

pub(crate) fn is_markdown(path: &Path) -> bool {
    has_ending(path, &["md", "markdown"])
}

/// Returns whether a file's name has one of these extensions, in any case.
fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|it| endings.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

fn is_json(path: &Path) -> bool {
    has_ending(path, &["json", "jsonl", "ndjson"])
}

fn complete(reason: impl Into<String>) -> ImportProblem {
    ImportProblem {
        line: None,
        reason: reason.into(),
    }
}

fn unread(file: String, reason: String) -> ImportEntry {
    ImportEntry {
        file,
        line: None,
        seed: String::new(),
        bytes: 0,
        note: Err(complete(reason)),
    }
}

/// Parses a Markdown file; without a title the note gets the file's name.
fn markdown_note(file: &Path, bytes: &[u8]) -> Result<PortableNote, ImportProblem> {
    let text = text_of(bytes)?;
    let mut note =
        from_markdown(text).map_err(|MarkdownProblem { line, reason }| ImportProblem {
            line: Some(line),
            reason,
        })?;
    if note.title().is_none() {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let end = stem.floor_char_boundary(NOTE_TITLE_BYTES_MAX);
        note.written.title = stem.get(..end).map(str::to_owned);
    }
    Ok(note)
}

fn text_of(bytes: &[u8]) -> Result<&str, ImportProblem> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = good.split(|byte| *byte == b'\n').count();
        ImportProblem {
            line: Some(line),
            reason: "it is no UTF-8 text".to_owned(),
        }
    })
}

/// Reads the notes of a JSON file: one value, a list of them, or one in each line.
fn json_entries(file: &str, bytes: &[u8]) -> Vec<ImportEntry> {
    let entry = |line, bytes, note: Result<PortableNote, ImportProblem>| ImportEntry {
        file: file.to_owned(),
        line,
        seed: note.as_ref().map(seed_of).unwrap_or_default(),
        bytes,
        note,
    };
    let text = match text_of(bytes) {
        Ok(text) => text,
        Err(problem) => return vec![entry(None, 0, Err(problem))],
    };
    if is_one_value(text) {
        return match strict_json::parse(bytes) {
            Ok(Value::Array(items)) => {
                let made = items.iter().enumerate().map(|(index, item)| {
                    let note = json_note(item)
                        .map_err(|reason| complete(format!("item {}: {reason}", index + 1)));
                    entry(None, item.to_string().len(), note)
                });
                made.collect()
            }
            Ok(value) => vec![entry(
                None,
                bytes.len(),
                json_note(&value).map_err(complete),
            )],
            Err(problem) => {
                let problem = ImportProblem {
                    line: Some(problem.line),
                    reason: problem.message,
                };
                vec![entry(None, 0, Err(problem))]
            }
        };
    }
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let made = lines.map(|(index, line)| {
        let value = strict_json::parse(line.as_bytes()).map_err(|problem| problem.message);
        let note = value.and_then(|value| json_note(&value));
        entry(Some(index + 1), line.len(), note.map_err(complete))
    });
    made.collect()
}

/// Returns whether a text is one JSON value rather than one in each line.
// A bad line among good ones must not make it look like one.
fn is_one_value(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default().trim();
    let is_complete = |text: &str| strict_json::parse(text.as_bytes()).is_ok();
    first == "{" || first.starts_with('[') || !is_complete(first) && is_complete(text)
}

fn json_note(value: &Value) -> Result<PortableNote, String> {
    match value {
        Value::Object(members) => PortableNote::from_json(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err("it is not a JSON object".to_owned())
        }
    }
}

/// Returns the seed of a note's id: in JSON its title and value identify it.
fn seed_of(note: &PortableNote) -> String {
    let title = note.title().unwrap_or_default();
    let value = note.written.value.as_deref().unwrap_or_default();
    seed_text(&title, value)
}

/// Joins a title and a text so that no other two give the same result.
pub(super) fn seed_text(title: &str, value: &str) -> String {
    format!("{}\n{title}\n{value}", title.len())
}
