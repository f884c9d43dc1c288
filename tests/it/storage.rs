//! `/storage`: its paths, its tree, its events, and what the guard lets into it.

use crate::random::Random;
use crate::store_lab::{approve, at, storage_delete, storage_set};
use kjxlkj_agent::core::guard::Refusal;
use kjxlkj_agent::core::journal::{ActorType, CommitContext, Event, State};
use kjxlkj_agent::core::memory::storage::Node;
use kjxlkj_agent::core::memory::{Storage, StorePath, Tree};
use kjxlkj_agent::failure::Code;
use serde_json::{Value, json};

fn code<T>(outcome: Result<T, Refusal>) -> Option<Code> {
    outcome.err().map(|refusal| refusal.code)
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn a_path_is_plain_names_below_one_of_two_roots() {
    let deep = "/storage/a".to_owned() + &"/a".repeat(15);
    for (text, tree, parts) in [
        ("/storage", Tree::Storage, vec![]),
        ("/storage/", Tree::Storage, vec![]),
        ("/working_memory", Tree::WorkingMemory, vec![]),
        ("/working_memory/", Tree::WorkingMemory, vec![]),
        ("/storage/a", Tree::Storage, vec!["a"]),
        ("/storage/a-b_c.d9/e/", Tree::Storage, vec!["a-b_c.d9", "e"]),
        (" /storage/a ", Tree::Storage, vec!["a"]),
        (
            "/storage/\u{8a9e}\u{8a00}",
            Tree::Storage,
            vec!["\u{8a9e}\u{8a00}"],
        ),
        ("/storage/.hidden", Tree::Storage, vec![".hidden"]),
        (
            "/storage/\u{30ab}\u{30fc}\u{30c9}",
            Tree::Storage,
            vec!["\u{30ab}\u{30fc}\u{30c9}"],
        ),
        (&deep, Tree::Storage, vec!["a"; 16]),
    ] {
        let path = StorePath::parse(text).unwrap();
        assert_eq!(
            (path.tree(), path.parts()),
            (
                tree,
                &parts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..]
            ),
            "{text}"
        );
    }
    let long = format!("/storage/{}", "k".repeat(257));
    for text in [
        "",
        "/",
        "a",
        "storage/a",
        "/etc/passwd",
        "/storages/a",
        "/Storage/a",
        "//storage/a",
        "/storage//a",
        "/storage/a//",
        "/storage//",
        "/storage/..",
        "/storage/../x",
        "/storage/a/..",
        "/storage/a/../b",
        "/storage/./a",
        "/storage/...",
        "/storage/%2e%2e/x",
        "/storage/%2E%2E%2Fx",
        "/storage/..%2fx",
        "/storage\\a",
        "/storage/a\\..\\b",
        "/storage/a b",
        "/storage/a\tb",
        "/storage/a\n",
        "/storage/a\0",
        "/storage/\u{ff0e}\u{ff0e}/x",
        "/storage/\u{ff41}",
        "/storage/\u{202e}a",
        "/storage/a~1b",
        "/storage/a:b",
        "/storage/$HOME",
        "/working_memory/../storage/a",
        "/storage/a?b",
        &format!("{deep}/a"),
        &long,
    ] {
        assert_eq!(
            code(StorePath::parse(text)),
            Some(Code::PathInvalid),
            "{text:?}"
        );
    }
}

/// What the program archives may have any name; in the journal each is spelled in one way.
#[test]
fn a_path_of_any_names_is_read_as_it_was_written() {
    for key in [
        "k",
        "a/b",
        "a~b",
        "~1",
        "~01/",
        "two words",
        "",
        "..",
        "\u{8a9e}",
    ] {
        let path = StorePath::archive(key);
        let json = serde_json::to_string(&path).unwrap();
        assert_eq!(
            serde_json::from_str::<StorePath>(&json).unwrap(),
            path,
            "{json}"
        );
        assert_eq!(path.archived_key(), Some(key));
    }
    assert!(serde_json::from_str::<StorePath>("\"/etc/passwd\"").is_err());
    assert!(serde_json::from_str::<StorePath>("\"storage/a\"").is_err());
}

fn tree(value: Value) -> Storage {
    let mut storage = Storage::default();
    storage.set(&[], value);
    storage
}

fn parts(text: &str) -> Vec<String> {
    text.split('/').map(str::to_owned).collect()
}

#[test]
fn objects_are_directories_and_everything_else_is_a_file() {
    let mut storage = tree(json!({"a": {"b": {"c": [1, {"x": 2}]}}, "t": "text"}));
    assert_eq!(
        storage.value(&parts("a/b")),
        Some(json!({"c": [1, {"x": 2}]}))
    );
    assert_eq!(storage.value(&parts("a/b/c/x")), None);
    let copy = storage.clone();
    storage.set(&parts("a/b/d"), json!(7));
    storage.set(&parts("t/u"), json!({}));
    storage.remove(&parts("a/b/c"));
    storage.remove(&parts("a/nothing/here"));
    assert_eq!(storage, tree(json!({"a": {"b": {"d": 7}}, "t": {"u": {}}})));
    let leaves: Vec<String> = storage.leaves().map(|(names, _)| names.join("/")).collect();
    assert_eq!(leaves, ["a/b/d", "t/u"]);
    assert_eq!(
        copy,
        tree(json!({"a": {"b": {"c": [1, {"x": 2}]}}, "t": "text"}))
    );
    let file = storage.to_file();
    assert_eq!(Storage::from_file(&file), Some(storage.clone()));
    assert!(file.ends_with(b"\n") && Storage::from_file(b"[]").is_none());
    assert_eq!(
        storage.get(&parts("a")).map(Node::bytes),
        Some("{\"b\":{\"d\":7}}".len())
    );
}

#[test]
fn the_guard_keeps_roots_and_ways_and_measures() {
    let storage = tree(json!({"file": "text", "folder": {"x": 1}}));
    let set = |place: &str, value: Value| {
        let place = StorePath::parse(place).unwrap();
        code(approve(|guard| guard.storage_set(&storage, &place, value)))
    };
    assert_eq!(set("/storage/folder/y", json!(1)), None);
    assert_eq!(set("/storage/folder", json!("replaced")), None);
    assert_eq!(set("/storage/new/a/b/c", json!({})), None);
    for (place, value, refused) in [
        ("/storage", json!({}), Code::PathInvalid),
        ("/working_memory/a", json!(1), Code::PathInvalid),
        ("/storage/file/below", json!(1), Code::PathInvalid),
        (
            "/storage/big",
            json!("x".repeat(8 * 1024 * 1024)),
            Code::LimitExceeded,
        ),
    ] {
        assert_eq!(set(place, value), Some(refused), "{place}");
    }
    let mut deep = json!(1);
    for _ in 0..63 {
        deep = json!([deep]);
    }
    assert_eq!(set("/storage/deep", deep.clone()), None);
    assert_eq!(set("/storage/one/deeper", deep), Some(Code::LimitExceeded));
    let delete = |place: &str| {
        let place = StorePath::parse(place).unwrap();
        code(approve(|guard| guard.storage_delete(&storage, &place)))
    };
    assert_eq!(delete("/storage/folder"), None);
    assert_eq!(delete("/storage"), Some(Code::PathInvalid));
    assert_eq!(delete("/working_memory/plan"), Some(Code::PathInvalid));
    assert_eq!(delete("/storage/folder/z"), Some(Code::RecordNotFound));
}

/// A random event among few places, so that they meet.
fn some_event(random: &mut Random) -> Event {
    let mut place = "/storage".to_owned();
    for _ in 0..=random.below(3) {
        place = format!("{place}/{}", random.below(3));
    }
    match random.below(4) {
        0 => storage_delete(&place),
        1 => storage_set(
            &place,
            json!({"0": random.below(9), "1": {"2": random.below(9)}}),
        ),
        2 => storage_set(&place, json!({})),
        _ => storage_set(&place, json!(random.below(9))),
    }
}

/// What a start does: the tree as some file had it, and then a tail that begins before that file was
/// written.
#[test]
fn any_tail_over_a_later_tree_inside_it_ends_in_the_same_tree() {
    for seed in 0..400 {
        let mut random = Random(seed);
        let events: Vec<Event> = (0..24).map(|_| some_event(&mut random)).collect();
        let mut states = vec![State::empty()];
        for event in &events {
            let mut next = states.last().cloned().unwrap();
            next.apply(event, CommitContext::without_run(ActorType::Agent, at(1)));
            states.push(next);
        }
        let last = &states.last().unwrap().storage;
        for from in 0..events.len() {
            for (base, known) in states.iter().enumerate().take(events.len()).skip(from) {
                let mut state = State::empty();
                state.storage = known.storage.clone();
                for event in &events[from..] {
                    state.apply(event, CommitContext::without_run(ActorType::Agent, at(1)));
                }
                assert_eq!(
                    &state.storage, last,
                    "seed {seed}, from {from}, base {base}"
                );
            }
        }
    }
}
