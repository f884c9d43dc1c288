//! The tools over `/working_memory` and `/storage`: what each does, and everything that is refused.

use super::{Sim, codes, ram_add, results};
use kjxlkj_agent::core::agent::LoopState::{Evaluating, Executing, Paging, Planning};
use kjxlkj_agent::core::agent::{ActionLog, Decision, TOOLS, Tool};
use kjxlkj_agent::core::journal::Event;
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::memory::ram::text_of;
use kjxlkj_agent::core::protocol::{ParseOptions, Tag, ToolArgument, escape, parse};
use kjxlkj_agent::failure::Code;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

/// A call of a tool with a path and whatever else it takes.
pub(crate) fn call(kind: &str, path: &str, more: &str) -> String {
    format!(
        "<actions><action><kind>{kind}</kind><target_path>{}</target_path>{more}</action></actions>",
        escape(path)
    )
}

pub(crate) fn set(path: &str, content: &str) -> String {
    call(
        "set",
        path,
        &format!("<content>{}</content>", escape(content)),
    )
}

pub(crate) fn mv(source: &str, target: &str) -> String {
    call(
        "mv",
        target,
        &format!("<source_path>{}</source_path>", escape(source)),
    )
}

fn search(scope: &str, words: &str) -> String {
    call("search", scope, &format!("<content>{words}</content>"))
}

fn sim() -> Sim {
    Sim::in_state(Executing, Some("x")).allow_delete()
}

/// What stands at a place of `/storage`.
fn stored(sim: &Sim, path: &str) -> Option<Value> {
    sim.state
        .storage
        .value(StorePath::parse(path).unwrap().parts())
}

/// Puts a value in `/storage` as if it had always been there.
fn put(sim: &mut Sim, path: &str, value: Value) {
    let path = StorePath::parse(path).unwrap();
    sim.state.storage.set(path.parts(), value);
}

/// The first thing that the next prompt says of a call.
fn said(decision: &Decision) -> String {
    let told = results(decision);
    told.first()
        .map(|told| told.message.clone())
        .unwrap_or_default()
}

/// Works a reply in the middle of a run, from where no iteration ends it.
fn turn(sim: &mut Sim, reply: &str) -> Decision {
    sim.set("state", json!("executing"));
    sim.run.loop_count %= 50;
    sim.turn(reply)
}

/// Works a call that must be applied; gives what was said.
fn works(sim: &mut Sim, reply: &str) -> String {
    let decision = turn(sim, reply);
    let outcomes: Vec<_> = decision.entries.iter().map(|entry| entry.outcome).collect();
    assert_eq!(
        outcomes,
        vec![InstructionOutcome::Applied; outcomes.len()],
        "{reply}"
    );
    said(&decision)
}

/// Works a call that must be refused with that code, and must change neither tree.
fn refused(sim: &mut Sim, reply: &str, code: Code) {
    let (ram, storage) = (sim.state.main.ram.clone(), sim.state.storage.clone());
    let before: Vec<_> = ram
        .entries()
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    let run = sim.run.clone();
    let decision = turn(sim, reply);
    sim.run = run;
    assert_eq!(codes(&decision), [Some(code)], "{reply}");
    assert_eq!(
        decision.entries[0].outcome,
        InstructionOutcome::Rejected,
        "{reply}"
    );
    assert_eq!(results(&decision)[0].code, Some(code));
    for (key, value) in before {
        if !["state", "think_log"].contains(&key.as_str()) {
            assert_eq!(sim.ram(&key), value, "{reply}");
        }
    }
    assert_eq!(sim.state.main.ram.len(), ram.len(), "{reply}");
    assert_eq!(sim.state.storage, storage, "{reply}");
}

#[test]
fn the_persons_part_lists_todo_from_the_start() {
    let mut sim = sim();
    assert_eq!(
        works(&mut sim, &call("ls", "/working_memory/user_data", "")),
        "todo/"
    );
    assert_eq!(
        sim.ram("user_data"),
        Value::Null,
        "nothing was written for it"
    );
    works(
        &mut sim,
        &set("/working_memory/user_data/todo/tea", "buy some"),
    );
    assert_eq!(sim.ram("user_data"), json!({"todo": {"tea": "buy some"}}));
    // A word never takes the place of what the person keeps there.
    for reply in [
        set("/working_memory/user_data", "buy some"),
        set("/working_memory/user_data", "[1]"),
        set("/working_memory/user_data", r#"{"todo": "buy some"}"#),
        set("/working_memory/user_data/todo", "buy some"),
        ram_add("user_data", "buy some"),
    ] {
        refused(&mut sim, &reply, Code::PathInvalid);
    }
    assert_eq!(sim.ram("user_data"), json!({"todo": {"tea": "buy some"}}));
    works(&mut sim, &set("/working_memory/user_data/name", "Ada"));
    let both = works(&mut sim, &call("ls", "/working_memory/user_data", ""));
    assert_eq!(both, "name\ntodo/");
}

#[test]
fn results_have_numbers_and_leave_after_one_prompt() {
    let mut sim = sim();
    put(&mut sim, "/storage/tea", json!("green"));
    let list = || call("ls", "/working_memory/action_result", "");
    works(&mut sim, &call("get", "/storage/tea", ""));
    // The prompt that is answered now has shown it.
    let shown = works(
        &mut sim,
        &(list() + &call("get", "/working_memory/action_result/_1", "")),
    );
    assert_eq!(shown, "_1/");
    let told = &sim.state.main.results[1].message;
    assert!(
        told.contains("green") && told.contains("\"op\":\"get\""),
        "{told}"
    );
    // The two of that iteration are there now, and the first one is gone.
    assert_eq!(works(&mut sim, &list()), "_2/\n_3/");
    refused(
        &mut sim,
        &call("get", "/working_memory/action_result/_1", ""),
        Code::RecordNotFound,
    );
    // What no prompt shows is no result; the count goes on.
    works(&mut sim, &ram_add("k", "v"));
    assert_eq!(works(&mut sim, &list()), "empty directory");
    assert_eq!(works(&mut sim, &list()), "_6/");
}

#[test]
fn without_the_cleanup_results_stay_until_they_are_removed_or_twenty() {
    let mut sim = sim();
    sim.memory.auto_cleanup = false;
    let list = || call("ls", "/working_memory/action_result", "");
    for _ in 0..3 {
        works(&mut sim, &list());
    }
    assert_eq!(works(&mut sim, &list()), "_1/\n_2/\n_3/");
    works(
        &mut sim,
        &call("rm", "/working_memory/action_result/_2", ""),
    );
    assert_eq!(works(&mut sim, &list()), "_1/\n_3/\n_4/");
    // A result that this reply removed is gone for the rest of it.
    let twice = call("rm", "/working_memory/action_result/_1", "");
    let decision = turn(&mut sim, &(twice.clone() + &twice));
    assert_eq!(codes(&decision), [None, Some(Code::RecordNotFound)]);
    for _ in 0..30 {
        works(&mut sim, &list());
    }
    let all = works(&mut sim, &list());
    assert_eq!(all.lines().count(), 20, "{all}");
    assert_eq!(sim.state.main.result_log.kept().count(), 20);
}

#[test]
fn the_program_says_what_it_knows_of_itself() {
    let mut sim = sim();
    sim.run.provider = Some("lmstudio".to_owned());
    sim.run.model = Some("small".to_owned());
    sim.run.loop_count = 4;
    let told = works(&mut sim, &call("get", "/working_memory/system_info", ""));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["now"], json!("2026-11-21T09:42:00.000Z"));
    assert_eq!(told["loop"], 5);
    assert_eq!(told["state"], "executing");
    let limits = json!({"characters": 2048, "key_tokens": 4, "children": 8});
    assert_eq!(told["limits"], limits);
    assert_eq!(told["usage"], json!({"characters": 0}));
    assert_eq!(
        told["provider"],
        json!({"kind": "lmstudio", "model": "small"})
    );
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    for reply in [
        set("/working_memory/system_info", "x"),
        set("/working_memory/system_info/now", "x"),
        set("/working_memory/action_result/_1", "x"),
        call("rm", "/working_memory/system_info", ""),
        call("rm", "/working_memory/action_result", ""),
        call("mkdir", "/working_memory/system_info/a", ""),
        mv("/working_memory/system_info/now", "/storage/now"),
        mv("/working_memory/plan", "/working_memory/system_info/plan"),
    ] {
        refused(&mut sim, &reply, Code::PathInvalid);
    }
}

#[test]
fn working_memory_over_its_limit_is_flagged_and_far_over_it_refused() {
    let mut sim = sim();
    let decision = sim.turn(&set("/working_memory/big", &"x".repeat(2100)));
    assert_eq!(decision.next, Paging);
    let told = works(
        &mut sim,
        &call("get", "/working_memory/system_info/usage/characters", ""),
    );
    assert_eq!(told, sim.state.main.ram.characters().to_string());
    refused(
        &mut sim,
        &set("/working_memory/more", &"x".repeat(6500)),
        Code::LimitExceeded,
    );
    put(&mut sim, "/storage/huge", json!("x".repeat(6500)));
    let back = mv("/storage/huge", "/working_memory/huge");
    refused(&mut sim, &back, Code::LimitExceeded);
}

#[test]
fn storage_takes_what_is_far_too_large_for_working_memory() {
    let mut sim = sim();
    let text = "five megabytes ".repeat(350_000);
    put(&mut sim, "/storage/large", json!(text));
    let told = works(&mut sim, &mv("/storage/large", "/storage/deep/large"));
    assert_eq!(told, "moved to /storage/deep/large");
    assert_eq!(stored(&sim, "/storage/deep/large"), Some(json!(text)));
    let told = works(&mut sim, &call("get", "/storage/deep/large", ""));
    assert!(told.starts_with("five megabytes"));
    assert!(
        told.ends_with(&format!(
            "... ({} more characters; record_search /storage/deep/large 2000 goes on)",
            text.len() - 2000
        )),
        "{}",
        &told[1990..]
    );
    let told = works(&mut sim, &call("get", "/storage", ""));
    assert_eq!(told, "too large to be shown whole; it holds:\ndeep/");
    refused(
        &mut sim,
        &mv("/storage/deep/large", "/working_memory/large"),
        Code::LimitExceeded,
    );
}

#[test]
fn a_value_moves_both_ways_unchanged() {
    let value = json!({"tin": ["red", 2], "note": "tea & <milk>"});
    let mut sim = sim();
    works(&mut sim, &set("/working_memory/tea", &value.to_string()));
    works(&mut sim, &mv("/working_memory/tea", "/storage/kitchen/tea"));
    assert_eq!(sim.ram("tea"), Value::Null);
    assert_eq!(stored(&sim, "/storage/kitchen/tea"), Some(value.clone()));
    works(
        &mut sim,
        &mv("/storage/kitchen/tea", "/working_memory/back/tea"),
    );
    assert_eq!(stored(&sim, "/storage/kitchen/tea"), None);
    assert_eq!(sim.ram("back"), json!({"tea": value}));
    // Inside one key, and a part of a directory.
    works(
        &mut sim,
        &mv("/working_memory/back/tea/tin", "/working_memory/back/tin"),
    );
    assert_eq!(
        sim.ram("back"),
        json!({"tea": {"note": "tea & <milk>"}, "tin": ["red", 2]})
    );
}

#[test]
fn set_stores_any_json_and_any_text() {
    let table = [
        (
            "{\"a\": {\"b\": [1, null, true]}}",
            json!({"a": {"b": [1, null, true]}}),
        ),
        ("[1, \"two\"]", json!([1, "two"])),
        ("42", json!(42)),
        ("-1.5", json!(-1.5)),
        ("true", json!(true)),
        ("null", json!(null)),
        ("\"quoted\"", json!("quoted")),
        (
            "plain text, with <marks> & more",
            json!("plain text, with <marks> & more"),
        ),
        ("{broken", json!("{broken")),
        ("[1, 2", json!("[1, 2")),
        ("007", json!("007")),
        // As a number it would not come back as it was written.
        ("12345678901234567890123", json!("12345678901234567890123")),
        ("", json!("")),
    ];
    for (content, value) in table {
        for tree in ["/storage", "/working_memory"] {
            let mut sim = sim();
            works(&mut sim, &set(&format!("{tree}/a"), content));
            let found = if tree == "/storage" {
                stored(&sim, "/storage/a")
            } else {
                Some(sim.ram("a"))
            };
            assert_eq!(found, Some(value.clone()), "{tree} {content}");
        }
    }
    // Keys with a type keep it.
    let mut sim = sim();
    works(&mut sim, &set("/working_memory/steps", "- one\n- two"));
    assert_eq!(sim.ram("steps"), json!(["one", "two"]));
    works(&mut sim, &set("/working_memory/steps", "three"));
    assert_eq!(sim.ram("steps"), json!(["three"]), "set replaces");
    works(&mut sim, &set("/working_memory/plan", "[1]"));
    assert_eq!(sim.ram("plan"), json!("[1]"));
    works(
        &mut sim,
        &set("/working_memory/think_log", &"x".repeat(600)),
    );
    assert_eq!(text_of(&sim.ram("think_log")).len(), 512);
}

#[test]
fn strict_mode_refuses_what_begins_like_json_and_is_none() {
    let options = |strict| ParseOptions {
        strict,
        allowed_tags: Tag::ALL.into_iter().collect(),
        truncated: false,
    };
    for (content, is_fine) in [
        ("{broken", false),
        ("[1, 2", false),
        ("{\"a\": 1}", true),
        ("a {", true),
    ] {
        let reply = set("/storage/a", content);
        assert_eq!(parse(&reply, &options(true)).ok, is_fine, "{content}");
        assert!(parse(&reply, &options(false)).ok);
    }
}

#[test]
fn parents_are_made_and_mkdir_keeps_what_is_there() {
    let mut sim = sim();
    works(&mut sim, &set("/storage/a/b/c", "tea"));
    assert_eq!(stored(&sim, "/storage"), None);
    assert_eq!(stored(&sim, "/storage/a"), Some(json!({"b": {"c": "tea"}})));
    works(&mut sim, &set("/working_memory/x/y/z", "1"));
    assert_eq!(sim.ram("x"), json!({"y": {"z": 1}}));
    assert_eq!(
        works(&mut sim, &call("mkdir", "/storage/d/e/f", "")),
        "made"
    );
    assert_eq!(stored(&sim, "/storage/d"), Some(json!({"e": {"f": {}}})));
    assert_eq!(
        works(&mut sim, &call("mkdir", "/storage/a/b", "")),
        "exists already"
    );
    assert_eq!(stored(&sim, "/storage/a"), Some(json!({"b": {"c": "tea"}})));
    works(&mut sim, &call("mkdir", "/working_memory/x/new", ""));
    works(&mut sim, &call("mkdir", "/working_memory/x/new", ""));
    assert_eq!(sim.ram("x"), json!({"y": {"z": 1}, "new": {}}));
    works(&mut sim, &call("mkdir", "/storage/", ""));
    refused(
        &mut sim,
        &call("mkdir", "/storage/a/b/c", ""),
        Code::TargetExists,
    );
    refused(&mut sim, &set("/storage/a/b/c/d", "x"), Code::PathInvalid);
    refused(
        &mut sim,
        &set("/working_memory/x/y/z/d", "x"),
        Code::PathInvalid,
    );
}

#[test]
fn get_shows_what_is_there_and_says_what_is_not() {
    let mut sim = sim();
    put(&mut sim, "/storage/tea", json!({"tin": "red"}));
    sim.set("list", json!([1, 2]));
    assert_eq!(
        works(&mut sim, &call("get", "/storage/tea", "")),
        "{\"tin\":\"red\"}"
    );
    assert_eq!(works(&mut sim, &call("get", "/storage/tea/tin", "")), "red");
    assert_eq!(
        works(&mut sim, &call("get", "/working_memory/list", "")),
        "[1,2]"
    );
    for path in [
        "/storage/nothing",
        "/storage/tea/tin/x",
        "/working_memory/nothing",
        "/working_memory/list/0",
    ] {
        refused(&mut sim, &call("get", path, ""), Code::RecordNotFound);
    }
    // A look that found nothing is owed nothing.
    turn(&mut sim, &call("get", "/storage/nothing", ""));
    assert_eq!(sim.run.progress.open_refusals, []);
}

#[test]
fn rm_takes_all_below_and_nothing_that_must_stay() {
    let mut sim = sim();
    put(&mut sim, "/storage/a", json!({"b": {"c": 1}, "d": 2}));
    sim.set("a", json!({"b": {"c": 1}, "d": 2}));
    works(&mut sim, &call("rm", "/storage/a/b", ""));
    assert_eq!(stored(&sim, "/storage/a"), Some(json!({"d": 2})));
    works(&mut sim, &call("rm", "/storage/a", ""));
    assert_eq!(stored(&sim, "/storage/a"), None);
    works(&mut sim, &call("rm", "/working_memory/a/b", ""));
    assert_eq!(sim.ram("a"), json!({"d": 2}));
    works(&mut sim, &call("rm", "/working_memory/a/", ""));
    assert_eq!(sim.ram("a"), Value::Null);
    for path in [
        "/etc/x",
        "/storage",
        "/storage/",
        "/working_memory",
        "/working_memory/",
        "/",
    ] {
        refused(&mut sim, &call("rm", path, ""), Code::PathInvalid);
    }
    refused(
        &mut sim,
        &call("rm", "/storage/a", ""),
        Code::RecordNotFound,
    );
}

#[test]
fn ls_tells_directories_from_files_and_is_bounded() {
    let mut sim = sim();
    put(
        &mut sim,
        "/storage/kitchen",
        json!({"tea": "x", "drawer": {"spoon": 1}, "list": [1]}),
    );
    let told = works(&mut sim, &call("ls", "/storage/kitchen", ""));
    assert_eq!(told, "drawer/\nlist\ntea");
    assert_eq!(works(&mut sim, &call("ls", "/storage", "")), "kitchen/");
    assert_eq!(
        works(&mut sim, &call("ls", "/storage/kitchen/tea", "")),
        "tea is a file"
    );
    let root = works(&mut sim, &call("ls", "/working_memory", ""));
    assert_eq!(
        root,
        "action_result/\ncontext/\nplan\nstate\nsteps\nsystem_info/\nthink_log\nuser_data/"
    );
    for number in 0..130 {
        put(&mut sim, &format!("/storage/many/n{number}"), json!(number));
    }
    let told = works(&mut sim, &call("ls", "/storage/many", ""));
    assert_eq!(told.lines().count(), 130);
    refused(
        &mut sim,
        &call("ls", "/storage/none", ""),
        Code::RecordNotFound,
    );
}

#[test]
fn search_stays_in_its_scope_and_shows_a_beginning() {
    let mut sim = sim();
    let long = format!("Green tea {}", "leaves ".repeat(100));
    put(&mut sim, "/storage/kitchen/tin", json!(long));
    put(&mut sim, "/storage/shed/tin", json!("green paint"));
    sim.set("hint", json!({"where": "green tin"}));
    let told = works(&mut sim, &search("/storage/kitchen", "GREEN"));
    assert!(
        told.starts_with("/storage/kitchen/tin: Green tea leaves"),
        "{told}"
    );
    assert!(
        told.ends_with("more characters; record_search /storage/kitchen/tin 200 goes on)"),
        "{told}"
    );
    assert_eq!(
        works(&mut sim, &search("/storage", "green paint")),
        "/storage/shed/tin: green paint"
    );
    assert_eq!(
        works(&mut sim, &search("/storage", "tin")).lines().count(),
        2,
        "names count"
    );
    let told = works(&mut sim, &search("/working_memory", "green"));
    assert_eq!(told, "/working_memory/hint/where: green tin");
    assert_eq!(
        works(&mut sim, &search("/storage", "blue")),
        "nothing found"
    );
    for number in 0..13 {
        put(&mut sim, &format!("/storage/many/n{number}"), json!("blue"));
    }
    let told = works(&mut sim, &search("/storage", "blue"));
    assert_eq!(told.lines().count(), 11);
    assert!(told.ends_with("... (there are more; say it with more words)"));
    refused(
        &mut sim,
        &search("/storage/none", "x"),
        Code::RecordNotFound,
    );
}

/// One matcher: the tool understands what `record_search` understands, in both trees.
#[test]
fn the_tool_searches_as_every_search_does() {
    let texts = [
        ("cafe_list", "Caf\u{e9} au lait"),
        ("green_tea", "in the tin"),
        ("paint", "green as tea"),
        ("pot", "one teapot, of green clay"),
        ("steak", "rare, no sauce"),
        ("shop", "\u{65e5}\u{672c}\u{306e}\u{304a}\u{8336}\u{5c4b}"),
    ];
    for tree in ["/storage", "/working_memory"] {
        let mut sim = sim();
        let whole: serde_json::Map<String, Value> = texts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), json!(text)))
            .collect();
        put(&mut sim, "/storage/box", Value::Object(whole.clone()));
        sim.set("box", Value::Object(whole));
        let mut found = |words: &str| -> Vec<String> {
            let told = works(&mut sim, &search(&format!("{tree}/box"), words));
            let lines = told.lines().filter_map(|line| line.split_once(": "));
            let names = lines.map(|(path, _)| path.rsplit('/').next().unwrap().to_owned());
            names.collect()
        };
        for (words, names) in [
            ("CAFE", vec!["cafe_list"]),
            ("caf\u{e9} LAIT", vec!["cafe_list"]),
            // The name goes before the text, and words are found from their beginning.
            ("tea", vec!["green_tea", "paint", "pot"]),
            ("tea green", vec!["green_tea", "paint", "pot"]),
            ("\"green tea\"", vec!["green_tea"]),
            ("\"tea\"", vec!["green_tea", "paint"]),
            ("eak", vec![]),
            ("\u{304a}\u{8336}", vec!["shop"]),
            ("\u{8336}\u{304a}", vec![]),
            ("!", vec![]),
        ] {
            assert_eq!(found(words), names, "{tree} {words}");
        }
        // Of a long text the part is shown that answers.
        let long = format!("{}and a numbat{}", "leaf ".repeat(200), " leaf".repeat(200));
        put(&mut sim, "/storage/box/long", json!(long));
        sim.set("long", json!(long));
        let told = works(&mut sim, &search(tree, "numbat"));
        assert!(told.contains("and a numbat leaf"), "{told}");
        assert!(
            told.contains("characters before)") && told.len() < 360,
            "{told}"
        );
    }
}

/// Paths that lead nowhere, by what is wrong with them.
const BAD_PATHS: &[&str] = &[
    "/storage/../x",
    "/storage/..",
    "/storage/../",
    "/storage/a/..",
    "/storage/a/../../etc/passwd",
    "/storage/./a",
    "/storage/...",
    "/storage/%2e%2e/x",
    "/storage/%2E%2E%2Fx",
    "/storage/..%2fx",
    "/storage/%252e%252e/x",
    "/storage/..\\x",
    "/storage\\..\\x",
    "\\storage\\x",
    "/storage//x",
    "/storage/x//",
    "//storage/x",
    "/storage/\u{ff0e}\u{ff0e}/x",
    "/storage/\u{2024}\u{2024}/x",
    "/storage/\u{2025}/x",
    "/storage\u{2215}..\u{2215}x",
    "/storage/a b",
    "/storage/a\tb",
    "/storage/a\nb",
    "/storage/a\u{200b}",
    "/storage/\u{301}a",
    "/storage/a/\u{301}",
    "/storage/a.\u{301}b",
    "/storage/a\u{200d}b",
    "/storage/a\u{fe0f}",
    "/storage/a\u{34f}b",
    "/storage/a\u{e0100}",
    "/storage/a\u{20dd}",
    "/storage/\u{202e}a",
    "/storage/a:b",
    "/storage/~",
    "/storage/$HOME",
    "/storage/*",
    "/storage/a;b",
    "/Storage/a",
    "/storagex/a",
    "/storage../a",
    "/working_memory/../storage/x",
    "/working_memory/../../x",
    "/etc/passwd",
    "/",
    "storage/x",
    "./storage/x",
    "../storage/x",
    "~/x",
    "C:\\x",
    "file:///storage/x",
    "data/agent-kv-store.json",
    "/data/config.json",
];

/// A letter has one spelling, whoever writes it and however; what was stored in another one stays where it
/// is and is found by both.
#[test]
fn letters_of_any_script_are_names_and_have_one_spelling() {
    let mut sim = sim();
    for name in [
        "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}",
        "\u{e20}\u{e32}\u{e29}\u{e32}\u{e17}\u{e35}\u{e48}",
        "\u{ba4}\u{bae}\u{bbf}\u{bb4}\u{bcd}",
        "q\u{307}\u{323}_9",
    ] {
        let path = format!("/storage/{name}");
        works(&mut sim, &set(&path, "v"));
        assert_eq!(works(&mut sim, &call("get", &path, "")), "v", "{name}");
    }
    let (whole, parts) = ("/storage/caf\u{e9}", "/storage/cafe\u{301}");
    works(&mut sim, &set(parts, "one"));
    assert_eq!(works(&mut sim, &call("get", whole, "")), "one");
    assert_eq!(stored(&sim, whole), Some(json!("one")));
    works(&mut sim, &set(whole, "two"));
    assert_eq!(works(&mut sim, &call("get", parts, "")), "two");
    // As a file of a person has it, or an older version: it is no second place.
    let old = ["\u{fc}bu\u{308}ng", "o\u{308}l"].map(str::to_owned);
    sim.state.storage.set(&old, json!("old"));
    for path in [
        "/storage/\u{fc}bu\u{308}ng/o\u{308}l",
        "/storage/\u{fc}b\u{fc}ng/\u{f6}l",
        "/storage/u\u{308}bu\u{308}ng/\u{f6}l",
    ] {
        assert_eq!(works(&mut sim, &call("get", path, "")), "old", "{path}");
    }
    works(&mut sim, &set("/storage/\u{fc}b\u{fc}ng/\u{f6}l", "new"));
    assert_eq!(sim.state.storage.value(&old), Some(json!("new")));
    works(
        &mut sim,
        &mv("/storage/\u{fc}b\u{fc}ng/\u{f6}l", "/storage/oil"),
    );
    assert_eq!(sim.state.storage.value(&old), None);
    sim.set("the\u{301}", json!("green"));
    let path = "/working_memory/th\u{e9}";
    assert_eq!(works(&mut sim, &call("get", path, "")), "green");
}

#[test]
fn no_spelling_climbs_out_of_the_trees() {
    let mut sim = sim();
    put(&mut sim, "/storage/x", json!("here"));
    sim.set("x", json!("here"));
    for path in BAD_PATHS {
        for tool in TOOLS {
            let reply = call_of(tool, path, "/storage/free", "x");
            refused(&mut sim, &reply, Code::PathInvalid);
        }
        refused(&mut sim, &mv("/storage/x", path), Code::PathInvalid);
    }
    // A zero byte never reaches a path: no text of a reply holds one.
    let reply = call("rm", "/storage/x", "").replace("/storage/x", "/storage/x\0y");
    refused(&mut sim, &reply, Code::PathInvalid);
}

#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn names_are_short_and_directories_small() {
    let mut sim = sim();
    for name in [
        "one_two_three_four",
        "oneTwoThreeFour",
        "a-b.c_d",
        "ABC",
        "x9",
    ] {
        works(&mut sim, &set(&format!("/storage/{name}"), "v"));
        works(&mut sim, &set(&format!("/working_memory/box/{name}"), "v"));
    }
    for name in [
        "one_two_three_four_five",
        "oneTwoThreeFourFive",
        "a-b-c-d-e",
        "a.b.c.d.e",
        "aB.c_d-e",
    ] {
        refused(
            &mut sim,
            &set(&format!("/storage/{name}"), "v"),
            Code::LimitExceeded,
        );
        refused(
            &mut sim,
            &set(&format!("/storage/{name}/inner"), "v"),
            Code::LimitExceeded,
        );
        refused(
            &mut sim,
            &call("mkdir", &format!("/working_memory/box/{name}"), ""),
            Code::LimitExceeded,
        );
        let inside = format!("{{\"{name}\": 1}}");
        refused(&mut sim, &set("/storage/a", &inside), Code::LimitExceeded);
        refused(
            &mut sim,
            &set("/storage/a", &format!("[[{inside}]]")),
            Code::LimitExceeded,
        );
        refused(
            &mut sim,
            &mv("/storage/ABC", &format!("/storage/{name}")),
            Code::LimitExceeded,
        );
    }
    sim.memory.key_token_max = 5;
    works(&mut sim, &set("/storage/one_two_three_four_five", "v"));
    // Eight names, and not nine; what is there already can still be replaced.
    let mut sim = Sim::in_state(Executing, Some("x")).allow_delete();
    for number in 0..8 {
        works(&mut sim, &set(&format!("/storage/dir/n{number}"), "v"));
        works(&mut sim, &set(&format!("/storage/top{number}"), "v"));
    }
    works(&mut sim, &set("/storage/dir/n7", "w"));
    works(&mut sim, &mv("/storage/dir/n7", "/storage/dir/n8"));
    refused(&mut sim, &set("/storage/dir/n9", "v"), Code::LimitExceeded);
    refused(
        &mut sim,
        &call("mkdir", "/storage/dir/n9", ""),
        Code::LimitExceeded,
    );
    refused(
        &mut sim,
        &mv("/storage/top1", "/storage/dir/n9"),
        Code::LimitExceeded,
    );
    let nine: Vec<String> = (0..9).map(|number| format!("\"n{number}\": 1")).collect();
    let nine = format!("{{{}}}", nine.join(","));
    refused(&mut sim, &set("/storage/nine", &nine), Code::LimitExceeded);
    // The roots hold any number.
    works(&mut sim, &set("/storage/top8", "v"));
    works(&mut sim, &set("/working_memory/more", "v"));
    sim.memory.children_max = 9;
    works(&mut sim, &set("/storage/nine", &nine));
    // A name of many bytes is no name at all.
    let long = "x".repeat(257);
    refused(
        &mut sim,
        &set(&format!("/storage/{long}"), "v"),
        Code::PathInvalid,
    );
    let deep = format!("/storage{}", "/a".repeat(17));
    refused(&mut sim, &set(&deep, "v"), Code::PathInvalid);
    works(&mut sim, &set(&deep[..deep.len() - 2], "v"));
}

#[test]
fn moves_replace_nothing_and_what_must_stay_stays() {
    let mut sim = sim();
    put(&mut sim, "/storage/a", json!({"b": {"c": 1}}));
    put(&mut sim, "/storage/d", json!("d"));
    sim.set("e", json!({"f": 1}));
    let required = ["plan", "steps", "context", "think_log", "state"];
    for key in required {
        let path = format!("/working_memory/{key}");
        refused(&mut sim, &call("rm", &path, ""), Code::PathInvalid);
        refused(&mut sim, &mv(&path, "/storage/free"), Code::PathInvalid);
        refused(&mut sim, &mv("/storage/d", &path), Code::TargetExists);
    }
    for (source, target, code) in [
        ("/storage/d", "/storage/a", Code::TargetExists),
        ("/storage/d", "/storage/a/b/c", Code::TargetExists),
        ("/working_memory/e", "/storage/d", Code::TargetExists),
        ("/storage/d", "/working_memory/e/f", Code::TargetExists),
        (
            "/storage/d",
            "/working_memory/user_data/todo",
            Code::TargetExists,
        ),
        ("/storage/a", "/storage/a", Code::PathInvalid),
        ("/storage/a", "/storage/a/b/x", Code::PathInvalid),
        ("/storage/a", "/storage/a/x", Code::PathInvalid),
        (
            "/working_memory/e",
            "/working_memory/e/x/y",
            Code::PathInvalid,
        ),
        ("/storage", "/storage/x", Code::PathInvalid),
        ("/storage", "/working_memory/x", Code::PathInvalid),
        ("/working_memory", "/storage/x", Code::PathInvalid),
        ("/storage/d", "/storage", Code::PathInvalid),
        ("/storage/d", "/working_memory/", Code::PathInvalid),
        ("/storage/d", "/storage/d2/d/../x", Code::PathInvalid),
        ("/storage/d", "/working_memory/e/f/x", Code::PathInvalid),
        ("/storage/none", "/storage/x", Code::RecordNotFound),
        (
            "/working_memory/context/user_request",
            "/storage/x",
            Code::PathInvalid,
        ),
    ] {
        refused(&mut sim, &mv(source, target), code);
    }
    for path in [
        "/working_memory/context/user_request",
        "/working_memory/context/user_request/x",
    ] {
        refused(&mut sim, &set(path, "mine"), Code::PathInvalid);
        refused(&mut sim, &call("rm", path, ""), Code::PathInvalid);
    }
    works(
        &mut sim,
        &set("/working_memory/context", "{\"topic\": \"tea\"}"),
    );
    works(&mut sim, &set("/working_memory/context/place", "shed"));
    let context = json!({"topic": "tea", "place": "shed", "user_request": "x"});
    assert_eq!(
        sim.ram("context"),
        context,
        "the request is never the model's"
    );
    works(&mut sim, &set("/storage/d", "new"));
    assert_eq!(
        stored(&sim, "/storage/d"),
        Some(json!("new")),
        "set replaces"
    );
}

/// Form, places, content, execution: whatever fails in two of them is told the earlier one.
#[expect(clippy::too_many_lines, reason = "one table")]
#[test]
fn of_two_faults_of_a_call_the_earlier_layer_is_told() {
    let mut sim = sim();
    put(&mut sim, "/storage/taken", json!("v"));
    put(&mut sim, "/storage/dir", json!({"a": 1}));
    let long = "one_two_three_four_five";
    let bad_content = format!("{{\"{long}\": 1}}");
    let cut = format!("{} ... (20 more characters)", "v".repeat(40));
    put(&mut sim, "/storage/long", json!("v".repeat(100)));
    sim.set("mine", json!("v"));
    sim.edited.ram_keys.insert("mine".to_owned());
    let request = "/working_memory/context/user_request";
    for (reply, code) in [
        // A place that may not be touched, and one that is taken or where nothing stands.
        (
            mv("/working_memory/plan", "/storage/taken"),
            Code::PathInvalid,
        ),
        (mv(request, "/storage/taken"), Code::PathInvalid),
        (mv("/storage", "/storage/taken"), Code::PathInvalid),
        (mv("/storage/none", "/storage"), Code::PathInvalid),
        (mv("/storage/none", "/working_memory"), Code::PathInvalid),
        (mv("/storage/none", "/storage/taken/x"), Code::PathInvalid),
        (
            mv("/storage/none", "/working_memory/system_info/x"),
            Code::PathInvalid,
        ),
        (
            mv("/storage/none", &format!("/storage/{long}")),
            Code::LimitExceeded,
        ),
        (
            call("mkdir", "/working_memory/system_info/now", ""),
            Code::PathInvalid,
        ),
        (call("mkdir", request, ""), Code::PathInvalid),
        (
            call("rm", "/working_memory/system_info/none", ""),
            Code::PathInvalid,
        ),
        (
            mv("/working_memory/archived", "/storage/taken"),
            Code::PathInvalid,
        ),
        (
            mv("/storage/taken", "/working_memory/archived"),
            Code::PathInvalid,
        ),
        (
            mv("/storage/none", "/working_memory/metrics/x"),
            Code::PathInvalid,
        ),
        (call("rm", "/working_memory/metrics", ""), Code::PathInvalid),
        // A place, and what is to stand there.
        (
            set("/working_memory/system_info/now", &bad_content),
            Code::PathInvalid,
        ),
        (set("/storage/taken/x", &bad_content), Code::PathInvalid),
        (
            set(&format!("/storage/{long}/x"), &cut),
            Code::LimitExceeded,
        ),
        (set("/storage/../x", &bad_content), Code::PathInvalid),
        // What is to stand there, and what is found there.
        (set("/storage/long", &cut), Code::TextCut),
        (
            set("/working_memory/mine", &bad_content),
            Code::LimitExceeded,
        ),
        (set("/working_memory/mine", "w"), Code::VersionConflict),
    ] {
        refused(&mut sim, &reply, code);
    }
    // A call without all its parts is none, wherever it points.
    let decision = turn(&mut sim, &(call("set", "/etc/x", "") + &ram_add("k", "v")));
    assert!(codes(&decision).contains(&Some(Code::InstructionInvalid)));
    assert!(!codes(&decision).contains(&Some(Code::PathInvalid)));
    // What is there already needs no making.
    works(&mut sim, &call("mkdir", "/working_memory/system_info", ""));
}

#[test]
fn the_state_has_one_setter() {
    let state = |name: &str| set("/working_memory/state", name);
    let mut sim = Sim::in_state(Executing, Some("x")).allow_delete();
    sim.set("steps", json!(["a"]));
    assert_eq!(sim.decide(&state("planning")).next, Planning);
    assert_eq!(sim.decide(&state("evaluating")).next, Evaluating);
    for wrong in ["dreaming", "idle", "paging"] {
        let decision = sim.decide(&state(wrong));
        assert_eq!(
            codes(&decision),
            [Some(Code::StateTransitionInvalid)],
            "{wrong}"
        );
        assert_eq!(decision.next, Evaluating, "{wrong}");
    }
}

#[test]
fn an_edit_of_a_person_goes_before_a_tool() {
    let mut sim = sim();
    sim.set("mine", json!({"a": 1}));
    sim.edited.ram_keys.insert("mine".to_owned());
    for reply in [
        set("/working_memory/mine", "x"),
        set("/working_memory/mine/b", "x"),
        call("rm", "/working_memory/mine", ""),
        call("rm", "/working_memory/mine/a", ""),
        mv("/working_memory/mine", "/storage/mine"),
        mv("/working_memory/mine/a", "/storage/mine"),
    ] {
        refused(&mut sim, &reply, Code::VersionConflict);
    }
}

#[test]
fn a_refused_call_is_settled_by_the_same_tool_on_the_same_path() {
    let mut sim = sim();
    put(&mut sim, "/storage/tea", json!({"tin": "red"}));
    turn(&mut sim, &set("/storage/tea/tin/lid", "x"));
    assert_eq!(sim.run.progress.open_refusals.len(), 1);
    turn(&mut sim, &set("/storage/tea/lid", "x"));
    turn(&mut sim, &call("mkdir", "/storage/tea/tin/lid/", ""));
    assert_eq!(
        sim.run.progress.open_refusals.len(),
        2,
        "another path, another tool"
    );
    turn(&mut sim, &call("rm", "/storage/tea/tin", ""));
    turn(&mut sim, &set("/storage/tea/tin/lid/", "x"));
    assert_eq!(
        sim.run.progress.open_refusals.len(),
        1,
        "a slash at the end is the same path"
    );
    turn(&mut sim, &call("mkdir", "/storage/tea/tin", ""));
    assert_eq!(sim.run.progress.open_refusals.len(), 1);
    assert!(sim.run.progress.changed);
}

#[test]
fn the_log_shows_as_many_calls_as_it_is_told_to() {
    let mut sim = sim();
    sim.state.main.log.keep(3);
    for number in 0..5 {
        let reply = set(&format!("/storage/n{number}"), "v") + &ram_add("k", "v");
        let draft = sim.decide(&reply).draft;
        sim.state.main.log.add(&draft);
    }
    let targets: Vec<_> = sim
        .state
        .main
        .log
        .entries()
        .map(|entry| entry.target.as_str())
        .collect();
    assert_eq!(targets, ["/storage/n2", "/storage/n3", "/storage/n4"]);
    let file: Value = serde_json::from_slice(&sim.state.main.log.to_file()).unwrap();
    assert_eq!(file[0]["op"], "set");
    sim.state.main.log.keep(1);
    assert_eq!(sim.state.main.log.entries().count(), 1);
}

/// That one more tool works by its entry and its module alone is shown with one of the sources' own, which
/// only their tests have.
#[test]
fn a_tool_is_a_module_and_an_entry_in_the_registry() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let sources = sources();
    let (_, registry) = sources
        .iter()
        .find(|(path, _)| path.ends_with("executor/tools.rs"))
        .unwrap();
    for name in &names {
        let entry = format!("    {name}::TOOL,\n");
        assert_eq!(registry.matches(&entry).count(), 1, "{name}");
        let home = format!("executor/tools/{name}.rs");
        let told: Vec<&str> = sources
            .iter()
            .filter(|(_, text)| text.contains(&format!("name: \"{name}\"")))
            .map(|(path, _)| path.as_str())
            .collect();
        assert!(told.len() == 1 && told[0].ends_with(&home), "{told:?}");
        // No tool knows another, but for the list that `get` shows of what is too large.
        for other in names.iter().filter(|other| *other != name) {
            let (_, text) = sources
                .iter()
                .find(|(path, _)| path.ends_with(&home))
                .unwrap();
            let knows = text.contains(&format!("{other}::"));
            assert!(!knows || (*name, *other) == ("get", "ls"), "{name} {other}");
        }
    }
    assert_eq!(registry.matches("::TOOL,\n").count(), names.len() + 1);
}

/// The files below `src/core`, each with its text.
#[expect(clippy::disallowed_methods, reason = "reads the sources")]
fn sources() -> Vec<(String, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path.display().to_string(), text));
            }
        }
    }
    files
}

/// A call of a tool at a path, with another path or a text where it takes one.
fn call_of(tool: &Tool, path: &str, other: &str, text: &str) -> String {
    match tool.takes {
        ToolArgument::Nothing => call(tool.name, path, ""),
        ToolArgument::Content => set(path, text),
        ToolArgument::Source => mv(path, other),
        ToolArgument::Words => search(path, "a"),
    }
}

fn any_path() -> impl Strategy<Value = String> {
    let good = proptest::sample::select(vec![
        "/storage",
        "/storage/a",
        "/storage/a/b",
        "/storage/a/b/c",
        "/storage/d",
        "/working_memory",
        "/working_memory/a",
        "/working_memory/a/b",
        "/working_memory/plan",
        "/working_memory/steps",
        "/working_memory/context",
        "/working_memory/context/user_request",
        "/working_memory/user_data/todo",
        "/working_memory/action_result/_1",
        "/working_memory/system_info",
        "/working_memory/think_log",
    ]);
    let bad = proptest::sample::select(BAD_PATHS.to_vec());
    prop_oneof![8 => good.prop_map(str::to_owned), 1 => bad.prop_map(str::to_owned), 1 => ".{0,20}"]
}

fn any_call() -> impl Strategy<Value = String> {
    let content = proptest::sample::select(vec![
        "x",
        "{\"a\": 1}",
        "{\"b\": {\"c\": [1]}}",
        "[1]",
        "{bad",
        "",
        "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}",
    ]);
    let tool = proptest::sample::select(TOOLS.iter().collect::<Vec<_>>());
    (tool, any_path(), any_path(), content)
        .prop_map(|(tool, path, other, content)| call_of(tool, &path, &other, content))
}

/// Every value of both trees by its path, as text.
fn everything(sim: &Sim) -> Vec<(String, Value)> {
    let own = ["state", "think_log"];
    let ram = sim
        .state
        .main
        .ram
        .entries()
        .filter(|(key, _)| !own.contains(key));
    let ram = ram.map(|(key, value)| (format!("/working_memory/{key}"), value.clone()));
    let root = Value::Object(
        sim.state
            .storage
            .root()
            .entries()
            .map(|(name, node)| (name.to_owned(), node.to_value()))
            .collect(),
    );
    ram.chain([("/storage".to_owned(), root)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_changes_anything_beside_the_trees_or_half_of_a_thing(
        replies in proptest::collection::vec(any_call(), 1..12)
    ) {
        let mut sim = Sim::in_state(Executing, Some("x")).allow_delete();
        sim.set("a", json!({"b": {"c": "deep"}}));
        put(&mut sim, "/storage/a/b", json!({"c": "deep"}));
        for reply in replies {
            let options = ParseOptions { allowed_tags: sim.allowed, ..ParseOptions::default() };
            if !parse(&reply, &options).ok {
                continue;
            }
            let before = everything(&sim);
            let (notes, runs) = (sim.state.notes.clone(), sim.state.runs.clone());
            let decision = turn(&mut sim, &reply);
            prop_assert_eq!(&sim.state.notes, &notes);
            prop_assert_eq!(&sim.state.runs, &runs);
            prop_assert_eq!(sim.state.main.ram.request(), Some("x"));
            let kinds = decision.draft.events.iter().filter_map(|event| {
                let Event::Change(change) = event else { return None };
                Some(change.get().type_name())
            });
            for kind in kinds {
                prop_assert!(kind.starts_with("ram.") || kind.starts_with("storage."), "{}", kind);
            }
            let entry = &decision.entries[0];
            let looked = ["get", "ls", "search"].contains(&entry.op.as_str());
            if entry.outcome != InstructionOutcome::Applied || looked {
                prop_assert_eq!(everything(&sim), before, "{}", reply);
            } else if entry.op == "mv" {
                // What was taken away at one place stands at the other: nothing else is lost.
                let size = |all: &[(String, Value)]| {
                    let leaf = |text: &str| text.matches("deep").count();
                    all.iter().map(|(_, value)| leaf(&value.to_string())).sum::<usize>()
                };
                prop_assert_eq!(size(&everything(&sim)), size(&before), "{}", reply);
            }
        }
    }
}

#[test]
fn a_preview_says_how_much_is_left_out() {
    let mut sim = sim();
    put(&mut sim, "/storage/a", json!("tea ".repeat(175)));
    let told = works(&mut sim, &search("/storage", "tea"));
    assert!(
        told.ends_with("... (500 more characters; record_search /storage/a 200 goes on)"),
        "{told}"
    );
}

/// What the parser dropped under a tool's name is no call.
#[test]
fn a_dropped_element_is_not_in_the_log() {
    let mut sim = sim();
    let decision = turn(
        &mut sim,
        &format!("<search><a>b</a></search>{}", set("/storage/a", "b")),
    );
    assert_eq!(decision.entries.len(), 2);
    let events = decision.draft.events.iter();
    let logged = events.filter(|event| ActionLog::is_about(event));
    assert_eq!(logged.count(), 1);
}

/// JSON that would not give back what it says stays the text that it is, and the model is told.
#[test]
fn a_number_that_json_would_shorten_and_a_member_that_stands_twice_leave_a_value_text() {
    let mut sim = sim();
    let lossy = [
        "{\"q\":12345678901234567890123,\"p\":1.10}",
        "[0.12345678901234567891]",
        "{\"a\":{\"p\":1,\"p\":2}}",
    ];
    for text in lossy {
        let told = works(&mut sim, &set("/storage/kept", text));
        assert!(told.starts_with("stored as text, not as JSON: "), "{told}");
        assert_eq!(stored(&sim, "/storage/kept"), Some(json!(text)));
        let told = works(&mut sim, &set("/working_memory/mine", text));
        assert!(told.starts_with("stored as text, not as JSON: "), "{told}");
        assert_eq!(sim.ram("mine"), json!(text));
        let told = works(&mut sim, &ram_add("other", text));
        assert!(told.starts_with("stored as text, not as JSON: "), "{told}");
        assert_eq!(sim.ram("other"), json!(text));
    }
    for text in ["{\"p\":1.10,\"e\":1e3}", "[\"12345678901234567890123\"]"] {
        assert_eq!(works(&mut sim, &set("/storage/kept", text)), "stored");
        let json: Value = serde_json::from_str(text).unwrap();
        assert_eq!(stored(&sim, "/storage/kept"), Some(json));
        assert_eq!(works(&mut sim, &ram_add("other", text)), "");
    }
    assert_eq!(
        works(&mut sim, &ram_add("plan", lossy[0])),
        "",
        "it is text anyway"
    );
}
