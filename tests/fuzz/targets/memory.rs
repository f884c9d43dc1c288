//! The KV file as a person leaves it: taken in whole or not at all, and what is taken in is what the
//! file says from then on. JSON is read as `serde_json` reads it, less what is ambiguous.

use super::is_place;
use crate::sim_disk::SimDisk;
use crate::store_lab::{KV, at, options, path, try_open};
use kjxlkj_agent::core::memory::Ram;
use kjxlkj_agent::core::memory::directory::is_kept;
use kjxlkj_agent::core::memory::ram::canonical_key;
use kjxlkj_agent::store::{Store, read_state};
use kjxlkj_agent::strict_json::{self, JsonPath, PathSegment};
use serde_json::{Map, Value};
use std::cell::RefCell;

/// Edits that one root sees before the next one takes its place.
const EDITS_MAX: i64 = 64;

/// Values whose places are looked up.
const PLACES_MAX: usize = 32;

pub(super) fn run(input: &[u8]) {
    let read = is_json(input);
    if let Ok(Value::Object(members)) = &read {
        comes_back(members);
    }
    by_hand(input, read.ok().as_ref().and_then(Value::as_object));
}

/// What the strict reader takes is what any reader would; what it refuses has a place.
fn is_json(input: &[u8]) -> Result<Value, ()> {
    let body = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    let text = String::from_utf8_lossy(body);
    let known = serde_json::from_slice::<Value>(body);
    let read = strict_json::parse(input);
    match &read {
        Ok(value) => {
            assert_eq!(known.ok().as_ref(), Some(value));
            has_places(input, &text, value);
        }
        Err(problem) => {
            assert!(is_place(&text, problem.line, problem.column), "{problem:?}");
            assert!(!problem.message.is_empty());
        }
    }
    let exact = strict_json::parse_exact(input);
    match (&exact, &read) {
        (Ok(exact), Ok(read)) => assert_eq!(exact, read),
        (Err(problem), Ok(_)) => {
            assert!(is_place(&text, problem.line, problem.column), "{problem:?}");
        }
        (exact, Err(problem)) => assert_eq!(exact.as_ref(), Err(problem)),
    }
    if let Ok(text) = std::str::from_utf8(body) {
        let lossless = strict_json::parse_lossless(text);
        if let Ok(exact) = &exact {
            assert_eq!(lossless.ok().as_ref(), Some(exact));
        }
    }
    exact.map_err(drop)
}

/// Every value has a place in the text, and no two have the same.
fn has_places(input: &[u8], text: &str, value: &Value) {
    let mut open = vec![(JsonPath::default(), value)];
    let mut places = Vec::new();
    while let Some((path, value)) = open.pop() {
        let place = strict_json::locate(input, &path);
        assert!(is_place(text, place.0, place.1), "{path}: {place:?}");
        assert!(!places.contains(&place), "{path}: {place:?}");
        places.push(place);
        if places.len() == PLACES_MAX {
            break;
        }
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(at, item)| (path.index(at), item)));
            }
            Value::Object(members) => {
                let key = |key: &String| path.step(PathSegment::Key(key.clone()));
                open.extend(members.iter().map(|(name, value)| (key(name), value)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn ram_of(members: &Map<String, Value>) -> Ram {
    Ram::from_entries(members.clone())
}

/// RAM is written and read as the same RAM.
fn comes_back(members: &Map<String, Value>) {
    let ram = ram_of(members);
    let file = ram.to_file();
    let again = strict_json::parse_exact(&file).unwrap();
    let again = again.as_object().unwrap();
    assert_eq!(ram_of(again), ram);
    assert_eq!(ram_of(again).to_file(), file);
    assert!(ram.characters() >= ram.rendered().len());
}

/// A root whose KV file is edited again and again.
struct ChangeContext {
    disk: SimDisk,
    store: Store,
    edits: i64,
}

thread_local! {
    static DESK: RefCell<Option<ChangeContext>> = const { RefCell::new(None) };
}

impl ChangeContext {
    fn new() -> Self {
        let disk = SimDisk::new(3);
        let (mut store, _) = try_open(&disk, &options(), at(0)).unwrap();
        store.read_notes(at(0)).unwrap();
        store.take_edits(at(0)).unwrap();
        Self {
            disk,
            store,
            edits: 0,
        }
    }

    /// What RAM is before an edit of the file, and after it.
    fn edit(&mut self, input: &[u8]) -> (Ram, Ram) {
        let before = self.store.state().main.ram.clone();
        self.edits += 1;
        self.disk.rewrite(path(KV), input);
        for later in [0, 500, 1000] {
            let now = at(self.edits * 10_000 + later);
            self.store.take_edits(now).unwrap();
        }
        (before, self.store.state().main.ram.clone())
    }
}

/// An edit is taken in whole or not at all; either way the file is RAM again.
fn by_hand(input: &[u8], members: Option<&Map<String, Value>>) {
    // A panic must not leave a root behind that is half way through.
    let mut cx = DESK.take().unwrap_or_else(ChangeContext::new);
    let (before, after) = cx.edit(input);
    let files = cx.disk.files();
    assert_eq!(files.get(path(KV)), Some(&after.to_file()));
    if before != after {
        let wanted = members.expect("something was taken in of a file that is no object");
        let mut wanted = wanted.clone();
        for spelling in wanted.keys().cloned().collect::<Vec<_>>() {
            let key = canonical_key(&spelling);
            if key != spelling
                && !wanted.contains_key(key)
                && let Some(value) = wanted.remove(&spelling)
            {
                wanted.insert(key.to_owned(), value);
            }
        }
        let others = |ram: &Ram| {
            let entries = ram.entries().filter(|(key, _)| !is_kept(key));
            let entries = entries.map(|(key, value)| (key.to_owned(), value.clone()));
            entries.collect::<Map<_, _>>()
        };
        assert_eq!(others(&after), others(&ram_of(&wanted)));
    }
    if cx.edits < EDITS_MAX {
        DESK.set(Some(cx));
    } else {
        let read = read_state(&mut cx.disk, path(KV)).unwrap();
        assert_eq!(read.main.ram, after, "the journal says otherwise");
    }
}
