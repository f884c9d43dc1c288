//! Whether types stay small enough to be one thing.

use super::scan::{Source, masked, without_visibility};
use std::collections::{BTreeMap, BTreeSet};

/// Files in which the methods of one type may stand.
const FILES_MAX: usize = 3;

/// Methods of one type.
const METHODS_MAX: usize = 40;

/// Fields of one type.
const FIELDS_MAX: usize = 15;

/// Records that are written or read as they are, and what a turn is decided from. The list only gets shorter.
const WIDE: [&str; 8] = [
    "CallMade",
    "Config",
    "IterationDone",
    "ProviderConfig",
    "Run",
    "RunRecord",
    "Status",
    "Turn",
];

/// What is known of the types of one name.
#[derive(Default)]
struct Shape<'a> {
    definitions: usize,
    files: BTreeSet<&'a str>,
    methods: usize,
    fields: usize,
}

/// Returns a complaint for each type whose own methods stand in more than three files, that has more than forty of
/// them, or more than fifteen fields.
pub(crate) fn cohesion(sources: &[Source]) -> Vec<String> {
    let mut shapes: BTreeMap<String, Shape<'_>> = BTreeMap::new();
    for source in sources {
        let mut lines = source.code().lines();
        while let Some(line) = lines.next() {
            let is_block = line.trim_end().ends_with('{');
            if let Some(name) = defined(line) {
                let shape = shapes.entry(name.to_owned()).or_default();
                shape.definitions += 1;
                let fields = lines.by_ref().take_while(|line| is_block && *line != "}");
                shape.fields = shape
                    .fields
                    .max(fields.filter(|line| is_field(line)).count());
            } else if let Some(name) = implemented(line) {
                let shape = shapes.entry(name.to_owned()).or_default();
                shape.files.insert(&source.path);
                let inner = lines.by_ref().take_while(|line| *line != "}");
                shape.methods += inner.filter(|line| is_method(line)).count();
            }
        }
    }
    shapes
        .iter()
        .flat_map(|(name, shape)| complaints(name, shape))
        .collect()
}

fn complaints(name: &str, shape: &Shape<'_>) -> Vec<String> {
    let types = shape.definitions.max(1);
    let mut complaints = Vec::new();
    if shape.files.len() > FILES_MAX * types {
        complaints.push(format!(
            "the methods of {name} stand in {} files",
            shape.files.len()
        ));
    }
    if shape.methods > METHODS_MAX * types {
        complaints.push(format!("{name} has {} methods", shape.methods));
    }
    if shape.fields > FIELDS_MAX && !WIDE.contains(&name) {
        complaints.push(format!("{name} has {} fields", shape.fields));
    }
    complaints
}

/// Returns the name of the type with named fields that a line begins to define.
fn defined(line: &str) -> Option<&str> {
    word(without_visibility(line).strip_prefix("struct ")?)
}

/// Returns the name of the type of which a line begins to define methods of its own.
fn implemented(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    if rest.contains(" for ") {
        return None;
    }
    let rest = match rest.strip_prefix('<') {
        Some(rest) => rest.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    word(rest)
}

fn word(text: &str) -> Option<&str> {
    let end = text
        .find(|it: char| !it.is_alphanumeric())
        .unwrap_or(text.len());
    text.get(..end).filter(|name| !name.is_empty())
}

fn is_field(line: &str) -> bool {
    let Some(line) = line.strip_prefix("    ") else {
        return false;
    };
    let name = without_visibility(line)
        .split_once(": ")
        .map(|(name, _)| name.trim_start_matches("r#"));
    name.is_some_and(|name| word(name) == Some(name) || name.contains('_') && !name.contains(' '))
}

fn is_method(line: &str) -> bool {
    let is_deeper = line.starts_with("     ");
    let line = without_visibility(line.trim_start());
    let bare = ["const ", "async "]
        .iter()
        .fold(line, |line, mark| line.strip_prefix(mark).unwrap_or(line));
    !is_deeper && bare.starts_with("fn ")
}

/// Types of one name.
const NAMESAKES_MAX: usize = 2;

/// Type names that say nothing to a stranger: participles, metaphors, riddles. Each was replaced by the noun for
/// what the type is.
const RIDDLES: [&str; 87] = [
    "Among",
    "Announced",
    "Apart",
    "Around",
    "Arrived",
    "Away",
    "Behind",
    "Brought",
    "CameOut",
    "Chore",
    "Covers",
    "Deed",
    "Does",
    "Doubt",
    "Everything",
    "Explained",
    "Face",
    "Fate",
    "Fed",
    "Fresh",
    "HangUp",
    "Happened",
    "Heard",
    "Held",
    "Hold",
    "Idling",
    "InForce",
    "Inside",
    "Iterated",
    "Judged",
    "Left",
    "LeftOut",
    "Listening",
    "Lived",
    "Located",
    "Long",
    "Look",
    "Made",
    "Moment",
    "Nobody",
    "Organizing",
    "Outside",
    "Passed",
    "Patience",
    "Played",
    "Presence",
    "Print",
    "Printed",
    "Probed",
    "Put",
    "Quiet",
    "Reconciled",
    "Rewritten",
    "Scored",
    "Seen",
    "Sending",
    "Settled",
    "Silent",
    "Small",
    "Sorts",
    "Sought",
    "SteppedOver",
    "Stopped",
    "Strangers",
    "Stretch",
    "Surroundings",
    "Taken",
    "TakenBack",
    "Takes",
    "Temporary",
    "Tried",
    "Trouble",
    "Undone",
    "Up",
    "Verified",
    "Vitals",
    "Voice",
    "Waited",
    "Waiting",
    "Walk",
    "Wanted",
    "Way",
    "Who",
    "Why",
    "WithLinks",
    "WorkBeside",
    "Written",
];

/// Returns a complaint for each type name that is defined more than twice, associated types aside, and for each that
/// is a riddle. Test modules count too.
pub(crate) fn type_names(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for name in masked(&source.text).0.lines().filter_map(defined_type) {
            if RIDDLES.contains(&name) {
                complaints.push(format!("{}: {name} says nothing of the type", source.path));
            }
            places
                .entry(name.to_owned())
                .or_default()
                .push(&source.path);
        }
    }
    let crowded = places
        .iter()
        .filter(|(_, paths)| paths.len() > NAMESAKES_MAX);
    complaints.extend(crowded.map(|(name, paths)| {
        let (count, paths) = (paths.len(), paths.join(", "));
        format!("{count} types are named {name}: {paths}")
    }));
    complaints
}

/// Returns the name of the type that a line begins to define. An indented alias is an associated type.
fn defined_type(line: &str) -> Option<&str> {
    let bare = without_visibility(line.trim_start());
    if let Some(rest) = bare.strip_prefix("type ") {
        return word(rest).filter(|_| !line.starts_with(' '));
    }
    ["struct ", "enum ", "trait "]
        .iter()
        .find_map(|kind| word(bare.strip_prefix(kind)?))
}

/// Stations of a walk through the sources.
const STATIONS_MAX: usize = 12;

/// Returns a complaint for each station of the walks in a map of the sources that leads nowhere, and for each walk
/// that is too long. A station is a function with its path, `store::commit::write`.
pub(crate) fn walks(map: &str, sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let lines = map
        .lines()
        .map(|line| line.trim_start_matches("//!").trim_start());
    for line in lines {
        let Some((number, text)) = line.split_once(". `") else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else {
            continue;
        };
        let station = text.split('`').next().unwrap_or_default();
        if number > STATIONS_MAX {
            complaints.push(format!("station {number} is one too many: {station}"));
        }
        let Some((module, function)) = station.rsplit_once("::") else {
            continue;
        };
        let module = module.replace("::", "/");
        let files = [format!("src/{module}.rs"), format!("src/{module}/mod.rs")];
        let head = format!("fn {function}");
        let begins = |rest: &str| rest.starts_with(['(', '<']);
        let is_there = sources.iter().filter(|source| files.contains(&source.path));
        let mut is_there = is_there.flat_map(|source| source.code().split(&head).skip(1));
        if !is_there.any(begins) {
            complaints.push(format!("no function is at {station}"));
        }
    }
    complaints
}
