//! When RAM is too large: paging, how often, and what is refused beyond it.

use super::{Sim, codes, ram_add, results, search};
use kjxlkj_agent::core::agent::LoopState::{self, Evaluating, Executing, Paging, Planning};
use kjxlkj_agent::core::agent::{Decision, cycle_in, initial_state};
use kjxlkj_agent::core::journal::event::InstructionOutcome;
use kjxlkj_agent::core::journal::{Change, Event};
use kjxlkj_agent::core::memory::directory::{KeyNoted, Layer, values_of};
use kjxlkj_agent::core::memory::{KeyDirectory, Ram, Storage, StorePath};
use kjxlkj_agent::core::protocol::{AllowedTags, Tag};
use kjxlkj_agent::failure::Code;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn crowded(state: LoopState) -> Sim {
    let mut sim = Sim::in_state(state, Some("a request"));
    sim.set("big", json!("x".repeat(2100)));
    sim
}

#[test]
fn the_first_overfull_ram_is_paged_at_once_and_paging_leads_back() {
    for (from, then) in [(Planning, Executing), (Executing, Evaluating)] {
        let mut sim = crowded(from);
        assert_eq!(sim.turn(&ram_add("a", "1")).next, Paging, "after {from}");
        let shrink = "<ram_delete><key>big</key></ram_delete>";
        assert_eq!(sim.turn(shrink).next, then, "back to where {from} led");
    }
}

#[test]
fn three_other_iterations_lie_between_two_pagings() {
    // The plan never leaves RAM, so that no paging helps.
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("plan", json!("x".repeat(2100)));
    sim.set("steps", json!(["for ever"]));
    let mut states = vec![sim.turn(&ram_add("n", "0")).next];
    for turn in 1..12 {
        states.push(sim.turn(&ram_add("n", &turn.to_string())).next);
    }
    let gaps: Vec<usize> = states
        .iter()
        .enumerate()
        .filter(|(_, state)| **state == Paging)
        .map(|(index, _)| index)
        .collect();
    assert_eq!(gaps, [0, 4, 8], "{states:?}");
}

#[test]
fn the_model_can_neither_ask_for_paging_nor_stay_in_it() {
    let ask = "<state_add><state>paging</state></state_add>";
    for state in LoopState::ALL {
        let mut sim = Sim::in_state(state, Some("x"));
        assert_eq!(
            codes(&sim.decide(ask)),
            [Some(Code::StateTransitionInvalid)],
            "{state}"
        );
    }
}

#[test]
fn the_limit_counts_what_a_prompt_shows_without_state_and_request() {
    let mut sim = Sim::in_state(Planning, Some(&"long request ".repeat(400)));
    assert_eq!(sim.decide(&ram_add("a", "1")).next, Executing);
    // One character over, as rendered: `big: ` and the text.
    let room = 2048 - "big: ".len();
    for (length, next) in [(room, Executing), (room + 1, Paging)] {
        let mut sim = Sim::in_state(Planning, Some("x"));
        sim.set("big", json!("\u{8a9e}".repeat(length)));
        let decision = sim.decide("<state_add><state>executing</state></state_add>");
        assert_eq!(decision.next, next, "{length}");
    }
}

#[test]
fn above_four_times_the_limit_ram_add_is_refused() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.set("big", json!("x".repeat(8000)));
    let reply = [
        ram_add("fits", "y"),
        ram_add("does_not", &"y".repeat(300)),
        ram_add("context", &"z".repeat(300)),
        // What makes RAM smaller is welcome at any size.
        ram_add("big", "small"),
        ram_add("now_it_does", &"y".repeat(300)),
    ];
    let decision = sim.turn(&reply.concat());
    let full = Some(Code::LimitExceeded);
    assert_eq!(codes(&decision), [None, full, full, None, None]);
    assert_eq!(sim.ram("does_not"), json!(null));
    assert_eq!(sim.ram("context"), json!({ "user_request": "x" }));
}

#[test]
fn a_person_may_overfill_ram_and_the_model_may_still_shrink_it() {
    let mut sim = Sim::in_state(Planning, None);
    sim.set("big", json!("x".repeat(20_000)));
    let decision = sim.turn(&ram_add("big", &"x".repeat(9000)));
    assert_eq!(codes(&decision), [None]);
}

/// What a person filled RAM with stands in nobody's way: what the rule would page out goes before what the
/// model writes. What may not go does stand in its way.
#[test]
fn what_a_person_filled_ram_with_makes_room_at_once() {
    for key in ["big", "plan"] {
        let mut sim = Sim::in_state(Planning, Some("a request"));
        sim.set(key, json!("x".repeat(9500)));
        sim.allowed = Tag::ALL.into_iter().collect();
        let steps = ram_add("steps", "one\ntwo");
        if key == "plan" {
            assert_eq!(codes(&sim.turn(&steps)), [Some(Code::LimitExceeded)]);
            continue;
        }
        // What the model wanted is done by then.
        let decision = sim.turn(&(steps + &paging("big", "", "")));
        assert_eq!(codes(&decision), [None, None]);
        assert_eq!(sim.ram("steps"), json!(["one", "two"]));
        assert_eq!(archived(&sim, "big"), Some(json!("x".repeat(9500))));
    }
}

/// Before there is a reply: the next iteration is paging, if enough others lie behind the last one.
#[test]
fn what_a_person_fills_is_paged_first_and_paging_leads_back() {
    let begins =
        |sim: &Sim| initial_state(&sim.state.main, &sim.memory, sim.state.main.ram.state());
    for (named, begun) in [
        (Planning, Paging),
        (Executing, Paging),
        (Evaluating, Paging),
        (LoopState::RecordOrganizing, Paging),
        (Paging, Paging),
        (LoopState::Idle, LoopState::Idle),
    ] {
        let mut sim = Sim::in_state(named, None);
        assert_eq!(begins(&sim), named);
        sim.set("big", json!("x".repeat(2100)));
        assert_eq!(begins(&sim), begun, "{named}");
        for (since, begun) in [(2, named), (3, begun)] {
            sim.state.main.cycle.since_paging = Some(since);
            assert_eq!(begins(&sim), begun, "{named}, {since}");
        }
        let cycle = cycle_in(&sim.state.main, Paging);
        let back = (named != Paging).then_some(named);
        assert_eq!(cycle.before_paging, back);
        assert_eq!(cycle_in(&sim.state.main, named), sim.state.main.cycle);
    }
}

/// A person may store more than RAM may ever hold: no room helps, and the way that is named does.
#[test]
fn what_is_too_large_for_ram_is_read_where_it_is() {
    let text = "page after page ".repeat(600);
    let mut sim = with_blocks();
    sim.set("big", json!(text));
    sim.turn(&ram_add("n", "1"));
    assert_eq!(archived(&sim, "big"), Some(json!(text)));
    let mv = "<actions><action><kind>mv</kind><source_path>/storage/archive/big</source_path>\
              <target_path>/working_memory/big</target_path></action></actions>";
    for reply in [paging("", "big", ""), mv.to_owned()] {
        let decision = sim.turn(&reply);
        assert_eq!(codes(&decision), [Some(Code::LimitExceeded)]);
        assert_eq!(
            told_all(&decision),
            ["too large for RAM; read it with record_search big"]
        );
    }
    assert_eq!(read_by_marks(&mut sim, "big", "archived"), text);
    let decision = sim.turn(&ram_add("new", &text));
    assert_eq!(
        told_all(&decision),
        ["`new` is too large for RAM (at most 8192 characters)"]
    );
}

// === keys that move between RAM and /storage ===

fn with_blocks() -> Sim {
    let mut sim = Sim::in_state(Planning, None);
    sim.allowed = Tag::ALL.into_iter().collect();
    sim
}

fn paging(archive: &str, retrieve: &str, delete: &str) -> String {
    let list = |name: &str, keys: &str| match keys {
        "" => String::new(),
        keys => format!("<{name}>{keys}</{name}>"),
    };
    format!(
        "<paging>{}{}{}</paging>",
        list("archive", archive),
        list("retrieve", retrieve),
        list("delete", delete)
    )
}

fn archived(sim: &Sim, key: &str) -> Option<Value> {
    sim.state.storage.value(StorePath::archive(key).parts())
}

#[test]
fn keys_move_by_the_directives_of_a_reply() {
    let mut sim = with_blocks();
    let value = r#"{"list": [1, {"x": {}}], "text": "a\nb"}"#;
    sim.turn(&(ram_add("k", value) + &ram_add("gone", "x") + &ram_add("two words/n", "text")));
    let before = sim.state.main.ram.rendered();
    let decision = sim.turn(&paging("k, two words/n", "", "gone"));
    assert_eq!(codes(&decision), [None]);
    assert_eq!(sim.ram("k"), json!(null));
    assert_eq!(sim.ram("gone"), json!(null));
    let stored: Value = serde_json::from_str(value).unwrap();
    assert_eq!(archived(&sim, "k"), Some(stored));
    let list = sim.ram("archived").as_str().unwrap().to_owned();
    assert!(
        list.contains("k (") && list.contains("two words/n ("),
        "{list}"
    );
    sim.turn(&paging("", "k, two words/n", ""));
    let mut after = sim.state.main.ram.rendered();
    after.push(("gone".to_owned(), "x".to_owned()));
    after.sort();
    let mut before = before;
    before.sort();
    assert_eq!(after, before);
    assert_eq!(archived(&sim, "k"), None);
    assert_eq!(sim.ram("archived"), json!(null), "nothing is left to list");
}

/// A code, and nothing changed: not even what the rest of the block says.
#[test]
fn what_cannot_move_is_refused_with_its_whole_block() {
    let mut sim = with_blocks();
    sim.turn(&(ram_add("a", "1") + &ram_add("b", "2")));
    let before = sim.state.main.ram.clone();
    for (block, code) in [
        (paging("a, missing", "", ""), Code::RecordNotFound),
        (paging("a", "missing", ""), Code::RecordNotFound),
        (paging("a", "", "missing"), Code::RecordNotFound),
        (paging("a, plan", "", ""), Code::PathInvalid),
        (paging("state", "", ""), Code::PathInvalid),
        (paging("context.user_request", "", ""), Code::RecordNotFound),
        (paging("", "", "steps"), Code::PathInvalid),
        (paging("", "", "archive"), Code::PathInvalid),
    ] {
        let decision = sim.decide(&block);
        assert_eq!(codes(&decision), [Some(code)], "{block}");
        let touched = decision.draft.events.iter().any(|event| {
            let Event::Change(change) = event else {
                return false;
            };
            let own = ["state", "think_log"];
            !matches!(change.get(), Change::RamSet(set) if own.contains(&set.key.as_str()))
        });
        assert!(!touched, "{block}");
    }
    assert_eq!(sim.state.main.ram, before);
}

/// A name may be a key of RAM, an archived one and a directory at once: a word takes away one of them.
#[test]
fn delete_takes_the_first_layer_alone_and_no_tree() {
    let tree = json!({"green": "3 min", "black": "4 min"});
    let mut sim = with_blocks();
    sim.set("tea", json!("in RAM"));
    let places = [
        StorePath::archive("tea"),
        StorePath::storage(["tea".to_owned()]),
    ];
    sim.state.storage.set(places[0].parts(), json!("archived"));
    sim.state.storage.set(places[1].parts(), tree.clone());
    let left = |sim: &Sim| {
        let stored = places
            .each_ref()
            .map(|place| sim.state.storage.value(place.parts()));
        let [archived, own] = stored.map(Option::unwrap_or_default);
        [sim.ram("tea"), archived, own]
    };
    let delete = paging("", "", "tea");
    for (reply, expected, told) in [
        // Said twice in one reply it is meant once.
        (
            delete.clone() + &delete,
            [Value::Null, json!("archived"), tree.clone()],
            "removed from RAM: tea",
        ),
        (
            paging("", "", "tea, tea"),
            [Value::Null, Value::Null, tree.clone()],
            "removed from the archive: tea",
        ),
    ] {
        let decision = sim.turn(&reply);
        assert!(codes(&decision).iter().all(Option::is_none), "{reply}");
        assert_eq!(left(&sim), expected);
        assert_eq!(told_all(&decision), [told]);
    }
    let decision = sim.turn(&delete);
    assert_eq!(codes(&decision), [Some(Code::PathInvalid)]);
    assert_eq!(
        told_all(&decision),
        ["/storage/tea is a directory (2 inside); remove it with rm"]
    );
    assert_eq!(left(&sim)[2], tree);
    // A value of its own goes, and an archived structure is a value.
    sim.turn(&(ram_add("list", "[1]") + &action("own", "text", "", "")));
    sim.set("object", json!({"a": 1}));
    sim.turn(&paging("object, list", "", ""));
    let decision = sim.turn(&paging("", "", "own, object, list"));
    assert_eq!(
        told_all(&decision),
        ["removed from /storage: own; removed from the archive: object, list"]
    );
    // What a block puts away it takes out of RAM, whatever else it calls that.
    sim.turn(&ram_add("kept", "a value"));
    assert_eq!(codes(&sim.turn(&paging("kept", "", "kept"))), [None]);
    assert_eq!(archived(&sim, "kept"), Some(json!("a value")));
}

fn told_all(decision: &Decision) -> Vec<String> {
    let told = results(decision).into_iter();
    told.map(|told| told.message).collect()
}

#[test]
fn a_value_in_the_way_of_another_keeps_a_place_of_its_own() {
    let mut sim = with_blocks();
    for value in ["first", "second", "third"] {
        sim.turn(&ram_add("k", value));
        sim.turn(&paging("k", "", ""));
    }
    let found = ["k", "k.1", "k.2"].map(|key| archived(&sim, key).unwrap());
    assert_eq!(found, [json!("third"), json!("first"), json!("second")]);
    // RAM's own value and the one that comes back change places.
    sim.turn(&ram_add("k", "fourth"));
    sim.turn(&paging("", "k", ""));
    assert_eq!(
        (sim.ram("k"), archived(&sim, "k")),
        (json!("third"), Some(json!("fourth")))
    );
}

/// As long as a key may be, and longer where it is a member of `context`: all of them move, as often as
/// they like, and come back.
#[test]
fn the_longest_keys_are_archived_again_and_again() {
    let plain = "k".repeat(256);
    let wide = "\u{8a9e}".repeat(85);
    let member = "m".repeat(300);
    let of_context = format!("context.{member}");
    let mut sim = with_blocks();
    for value in ["first", "second", "third"] {
        sim.set(&plain, json!(value));
        sim.set(&wide, json!(value));
        sim.set("context", json!({ member.clone(): value }));
        for key in [&plain, &wide, &of_context] {
            assert_eq!(codes(&sim.turn(&paging(key, "", ""))), [None], "{key}");
        }
    }
    let cut = |key: &str, bytes: usize| key.get(..bytes).unwrap().to_owned();
    for (key, first, second) in [
        (&plain, cut(&plain, 254) + ".1", cut(&plain, 254) + ".2"),
        (&wide, cut(&wide, 252) + ".1", cut(&wide, 252) + ".2"),
        (
            &of_context,
            cut(&of_context, 254) + ".1",
            cut(&of_context, 254) + ".2",
        ),
    ] {
        for (key, value) in [(key, "third"), (&first, "first"), (&second, "second")] {
            assert_eq!(archived(&sim, key), Some(json!(value)), "{key}");
            assert_eq!(codes(&sim.turn(&paging("", key, ""))), [None], "{key}");
            assert_eq!(archived(&sim, key), None);
        }
    }
    assert_eq!(sim.ram("context")[&member], json!("third"));
    // By rule as well.
    let mut sim = Sim::in_state(Planning, None);
    sim.state
        .storage
        .set(StorePath::archive(&plain).parts(), json!("older"));
    sim.set(&plain, json!("x".repeat(9000)));
    sim.turn(&ram_add("n", "1"));
    assert_eq!(sim.ram(&plain), Value::Null);
}

fn action(key: &str, value: &str, tags: &str, named: &str) -> String {
    format!(
        "<action><store><key>{key}</key><value>{value}</value><tags>{tags}</tags></store><context_keys>{named}</context_keys></action>"
    )
}

#[test]
fn an_action_stores_on_disk_with_its_tags() {
    let mut sim = with_blocks();
    let reply = action(
        "recipe",
        r#"{"tea": "green"}"#,
        "food, warm",
        "recipe, guests",
    );
    assert_eq!(codes(&sim.turn(&reply)), [None]);
    let stored = sim.state.storage.value(&["recipe".to_owned()]);
    assert_eq!(stored, Some(json!({"tea": "green"})));
    let entry = sim.state.main.keys.get("recipe").unwrap();
    assert_eq!(entry.tags.iter().collect::<Vec<_>>(), ["food", "warm"]);
    assert_eq!(entry.layer, Some(Layer::Storage));
}

#[test]
fn named_keys_are_listed_once_with_what_they_came_up_with() {
    let mut sim = with_blocks();
    let thinking = "<thinking><analysis>a</analysis><planning>p</planning><context_keys>x, y, x</context_keys></thinking>";
    sim.turn(thinking);
    sim.turn(thinking);
    assert_eq!(
        (sim.ram("think_log"), sim.ram("plan")),
        (json!("a"), json!("p"))
    );
    assert_eq!(sim.state.main.keys.entries().count(), 2);
    let related = |sim: &Sim, key: &str| -> Vec<String> {
        let entry = sim.state.main.keys.get(key).unwrap();
        entry.related.iter().cloned().collect()
    };
    assert_eq!(related(&sim, "x"), ["y"]);
    assert_eq!(related(&sim, "y"), ["x"]);
    // A key that goes takes the links to it along.
    sim.turn(&ram_add("x", "1"));
    sim.turn("<ram_delete><key>x</key></ram_delete>");
    assert!(sim.state.main.keys.get("x").is_none());
    assert!(related(&sim, "y").is_empty());
}

#[test]
fn the_parts_of_a_name_between_commas_are_tags() {
    let mut sim = with_blocks();
    let tags = |sim: &Sim, key: &str| -> Vec<String> {
        let entry = sim.state.main.keys.get(key).unwrap();
        entry.tags.iter().cloned().collect()
    };
    let reply = ["tea, green", "plan,next", "plain"].map(|key| ram_add(key, "v"));
    sim.turn(&reply.concat());
    assert_eq!(sim.ram("tea, green"), json!("v"), "stored as it is written");
    assert_eq!(tags(&sim, "tea, green"), ["green", "tea"]);
    assert_eq!(tags(&sim, "next"), [""; 0], "an alias is not the key");
    assert_eq!(tags(&sim, "plain"), [""; 0]);
    // They stay beside those that a reply gives, also where it gives them first.
    sim.turn(&action("tea, green", "v", "warm", ""));
    assert_eq!(tags(&sim, "tea, green"), ["green", "tea", "warm"]);
    sim.turn(&action("soup\u{3001}, hot,", "v", "food", ""));
    assert_eq!(tags(&sim, "soup\u{3001}, hot,"), ["food", "hot", "soup"]);
    let file: Value = serde_json::from_slice(&sim.state.main.keys.to_file()).unwrap();
    assert_eq!(
        file["keys"]["tea, green"]["tags"],
        json!(["green", "tea", "warm"])
    );
}

#[test]
fn tags_are_asked_for_together_or_one_by_one() {
    let mut sim = with_blocks();
    for (key, tags) in [
        ("one", "a"),
        ("both", "a, b"),
        ("two", "B"),
        ("other", "green tea"),
    ] {
        sim.turn(&action(key, &format!("the text of {key}"), tags, ""));
    }
    sim.turn(&ram_add("list, b", "in RAM"));
    // Named, and nothing else: there is nothing to show of it.
    sim.turn("<thinking><context_keys>empty\u{3001} a</context_keys></thinking>");
    let found = |sim: &mut Sim, query: &str| -> Vec<String> {
        let told = results(&sim.decide(&search(query)));
        let keys = told.into_iter().filter(|told| told.message.contains(": "));
        keys.map(|told| told.target).collect()
    };
    for (query, keys) in [
        ("tag:a tag:b", vec!["both"]),
        ("tag:b, TAG:A", vec!["both"]),
        ("tag: a tag: b", vec!["both"]),
        // What was used last goes first.
        ("tag:b", vec!["list, b", "two", "both"]),
        ("tag:a|b", vec!["list, b", "two", "both", "one"]),
        ("tag:list|a tag:b", vec!["list, b", "both"]),
        ("tag:a tag:c", vec![]),
        ("tag:c|d", vec![]),
        ("tag:tea", vec![]),
        ("tag:\"green tea\"", vec!["other"]),
        ("tag:a|\"green tea\"", vec!["other", "both", "one"]),
        // Words besides must occur as well.
        ("tag:a text one", vec!["one"]),
        ("both tag:a|b", vec!["both"]),
        ("tag:a green", vec![]),
        // No tag is asked for.
        ("tag:", vec![]),
        ("text one", vec!["/storage/one"]),
    ] {
        assert_eq!(found(&mut sim, query), keys, "{query}");
    }
    let told = results(&sim.decide(&search("tag:list")));
    assert!(told[0].message.starts_with("in RAM") && told[0].message.ends_with(": in RAM"));
    // In the reply that gives a tag and takes a key away, too.
    let reply = action("new", "fresh", "a", "")
        + "<paging><delete>one</delete></paging>"
        + &search("tag:a");
    let told = results(&sim.decide(&reply));
    let targets: Vec<&str> = told.iter().map(|told| told.target.as_str()).collect();
    assert_eq!(targets, ["; ; one", "new", "both"], "{told:?}");
    let text = serde_json::to_string(&sim.state.main.keys).unwrap();
    let read: KeyDirectory = serde_json::from_str(&text).unwrap();
    assert_eq!(read, sim.state.main.keys);
}

/// As a search, a paging block and a person ask for it. A hundred thousand look-ups that each walked all
/// keys would take hours.
#[test]
fn a_key_is_found_among_a_hundred_thousand_without_a_walk() {
    let names: Vec<String> = (0..100_000).map(|number| format!("key {number}")).collect();
    let mut keys = KeyDirectory::default();
    let noted = names.iter().map(|key| (key.clone(), KeyNoted::default()));
    keys.note(
        &noted.collect(),
        kjxlkj_agent::time::Timestamp::from_millis(1),
    );
    let (mut ram, mut storage) = (Vec::new(), Storage::default());
    let mut archive = serde_json::Map::new();
    for (number, key) in names.iter().enumerate() {
        if number % 2 == 0 {
            ram.push((key.clone(), Value::from(number)));
        } else {
            archive.insert(key.clone(), Value::from(number));
        }
    }
    let ram = Ram::from_entries(ram);
    storage.set(&["archive".to_owned()], Value::Object(archive));
    for (number, key) in names.iter().enumerate() {
        let layer = [Layer::Ram, Layer::Storage][number % 2];
        let found: Vec<_> = values_of(&ram, &storage, key).collect();
        assert_eq!(found, [(layer, Value::from(number))]);
        assert!(keys.get(key).is_some());
    }
    assert_eq!(values_of(&ram, &storage, "key 100000").count(), 0);
    assert!(keys.get("key 100000").is_none());
}

#[test]
fn what_nobody_used_for_200_loops_is_archived_unless_it_is_pinned() {
    let mut sim = with_blocks();
    sim.turn(
        &(ram_add("old", "value") + &ram_add("kept", "value") + &action("kept", "v", "pin", "")),
    );
    for turn in 0..199 {
        sim.turn(&ram_add("n", &turn.to_string()));
    }
    assert_eq!(sim.ram("old"), json!("value"));
    for turn in 0..3 {
        sim.turn(&ram_add("n", &format!("again {turn}")));
    }
    assert_eq!(
        (sim.ram("old"), archived(&sim, "old")),
        (json!(null), Some(json!("value")))
    );
    assert_eq!(sim.ram("kept"), json!("value"));
}

#[test]
fn an_evaluation_keeps_three_numbers_and_counts_one_itself() {
    let mut sim = with_blocks();
    sim.turn(&(action("a", "1", "", "") + &action("b", "2", "", "")));
    let block = "<evaluation><quality>0.8</quality><enrichment>99</enrichment><progress>0.5</progress><recommendations>write more</recommendations></evaluation>";
    sim.turn(block);
    let metrics = sim.ram("metrics");
    assert_eq!(metrics["quality"], json!(0.8));
    assert_eq!(metrics["progress"], json!(0.5));
    assert_eq!(
        metrics["enrichment"],
        json!(1.0),
        "two entries in two loops"
    );
    assert_eq!(metrics["recommendations"], json!("write more"));
}

// === paging by rule ===

fn characters(sim: &Sim) -> usize {
    sim.state.main.ram.characters()
}

#[test]
fn what_paging_left_over_the_daemon_archives_down_to_75_percent() {
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("steps", json!(["one", "two"]));
    for number in 0..6 {
        sim.turn(&ram_add(
            &format!("k{number}"),
            &format!("{number} ").repeat(150),
        ));
        let state = sim.state.main.ram.state();
        assert_ne!(state, Paging);
    }
    sim.set("plan", json!("the plan"));
    sim.turn(&ram_add("k6", &"6 ".repeat(200)));
    assert_eq!(sim.state.main.ram.state(), Paging);
    assert!(characters(&sim) > 2048);
    // The model does nothing about it.
    let decision = sim.turn("<state_add><state>nowhere</state></state_add>");
    assert_ne!(decision.next, Paging);
    assert!(characters(&sim) <= 1536, "{}", characters(&sim));
    // The oldest went, the newest stayed, and so did what must stay.
    assert!(archived(&sim, "k0").is_some() && archived(&sim, "k6").is_none());
    assert_eq!(
        (sim.ram("plan"), sim.ram("steps")),
        (json!("the plan"), json!(["one", "two"]))
    );
    assert_eq!(sim.state.main.ram.request(), Some("a request"));
    let list = sim.ram("archived").as_str().unwrap().to_owned();
    // The newest are shown, the others named.
    assert!(list.starts_with("k3 (299 characters): 3 3"), "{list}");
    assert!(list.ends_with("\nk2, k1, k0"), "{list}");
    assert!(list.chars().count() <= 2048 / 8, "{list}");
}

/// Members of `context` are as old as they are, whoever wrote them, and what is too short to gain anything
/// stays.
#[test]
fn members_of_context_go_in_the_order_of_their_use() {
    let long = |letter: &str| letter.repeat(600);
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("steps", json!(["one", "two"]));
    let context = |fresh: &str| json!({"old": long("o"), "fresh": fresh}).to_string();
    sim.turn(&(ram_add("context", &context("short")) + &ram_add("n", "2")));
    sim.turn(&ram_add("first", &long("f")));
    sim.turn(&ram_add("second", &long("s")));
    sim.turn(&ram_add("context", &context(&long("f"))));
    assert_eq!(sim.state.main.ram.state(), Paging);
    assert!(characters(&sim) > 2048);
    sim.turn("<state_add><state>nowhere</state></state_add>");
    let gone = |sim: &Sim, keys: [&str; 5]| keys.map(|key| archived(sim, key).is_some());
    let keys = ["context.old", "first", "second", "context.fresh", "n"];
    assert_eq!(gone(&sim, keys), [true, true, false, false, false]);
    // By hand: it is used when it is taken in.
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("steps", json!(["one", "two"]));
    for key in ["first", "second", "third"] {
        sim.turn(&ram_add(key, &long("w")));
    }
    let context = json!({"user_request": "a request", "by_hand": long("h")});
    sim.set("context", context);
    sim.turn(&ram_add("n", "1"));
    assert_eq!(sim.state.main.ram.state(), Paging);
    sim.turn("<state_add><state>nowhere</state></state_add>");
    let keys = ["first", "second", "third", "context.by_hand", "n"];
    assert_eq!(gone(&sim, keys), [true, true, false, false, false]);
    // Where all is short it goes all the same.
    let mut sim = Sim::in_state(Planning, None);
    for number in 0..900 {
        sim.set(&number.to_string(), json!("tiny"));
    }
    assert!(characters(&sim) > 4 * 2048);
    sim.turn(&ram_add("n", "1"));
    assert!(characters(&sim) <= 2048, "{}", characters(&sim));
}

/// What a search tells of a key of RAM, of the archive, or of both.
fn told_of<'a>(sim: &'a Sim, key: &str) -> Vec<&'a str> {
    let results = sim.state.main.results.iter().filter(|it| it.target == key);
    results.map(|it| it.message.as_str()).collect()
}

/// However many keys were archived: the list names as many as it has room for, and a search lists them all.
#[test]
fn every_archived_key_can_be_learnt() {
    let mut sim = Sim::in_state(Planning, Some("a request"));
    let keys: Vec<String> = (0..60).map(|number| format!("a key {number}")).collect();
    for key in &keys {
        sim.set(key, json!("value ".repeat(40)));
    }
    sim.turn(&ram_add("n", "1"));
    let list = sim.ram("archived").as_str().unwrap().to_owned();
    assert!(
        list.ends_with(" more: record_search archived lists all"),
        "{list}"
    );
    assert!(list.chars().count() <= 2048 / 8 + 60, "{list}");
    sim.turn(&search("archived"));
    let told = told_of(&sim, "archived");
    assert_eq!(told.len(), 1, "{told:?}");
    let all: BTreeSet<&str> = told[0].split_once(": ").unwrap().1.lines().collect();
    let gone = keys.iter().filter(|key| archived(&sim, key).is_some());
    let gone: BTreeSet<&str> = gone.map(String::as_str).collect();
    assert!(gone.len() > 50 && all == gone, "{all:?}");
}

/// The whole text of a key, read as its marks say, one look after the other. Nothing moves meanwhile.
pub(crate) fn read_by_marks(sim: &mut Sim, key: &str, layer: &str) -> String {
    let before = sim.state.clone();
    sim.set("state", json!("executing"));
    let text = pages_of(sim, key, layer);
    sim.state = before;
    text
}

fn pages_of(sim: &mut Sim, key: &str, layer: &str) -> String {
    let (mut asked, mut text) = (key.to_owned(), String::new());
    loop {
        let results = results(&sim.decide(&search(&asked)));
        let told = results
            .iter()
            .find(|it| it.target == key && it.message.starts_with(layer));
        let told = told.unwrap_or_else(|| panic!("{asked}: {results:?}"));
        let shown = told.message.split_once(" characters: ").unwrap().1;
        let begins = format!("({} characters before) ...", text.chars().count());
        let shown = if text.is_empty() {
            shown
        } else {
            shown.strip_prefix(&begins).unwrap()
        };
        let Some((kept, mark)) = shown.rsplit_once("... (") else {
            return text + shown;
        };
        text.push_str(kept);
        let (_, way) = mark.split_once("; record_search ").unwrap();
        asked = way.strip_suffix(" goes on)").unwrap().to_owned();
    }
}

/// Whatever a prompt shows cut, the way that its mark names leads to all of it: with the eight tags alone,
/// at the limit that RAM really has.
#[test]
fn the_ways_that_marks_name_lead_to_the_whole() {
    let words = |name: &str| -> String {
        let words = (0..900).map(|number| format!("{name}{number}"));
        words.collect::<Vec<_>>().join(" \u{e9} ")
    };
    let request = words("request");
    let mut sim = Sim::in_state(Executing, Some(request.as_str()));
    sim.set("plan", json!(words("plan")));
    sim.set(
        "context",
        json!({"user_request": request, "own": words("member")}),
    );
    sim.state
        .storage
        .set(StorePath::archive("gone").parts(), json!(words("gone")));
    for (key, layer, name) in [
        ("context.user_request", "in RAM", "request"),
        ("plan", "in RAM", "plan"),
        ("context.own", "in RAM", "member"),
        ("gone", "archived", "gone"),
    ] {
        // Nothing is to move while it is read.
        sim.memory.working_memory_character_max = 100_000;
        assert_eq!(read_by_marks(&mut sim, key, layer), words(name), "{key}");
        // By a word of the part that no prompt shows.
        sim.set("state", json!("executing"));
        sim.turn(&search(&format!("{name}450")));
        let found = told_of(&sim, key);
        assert!(
            found.iter().any(|it| it.contains(&format!("{name}450"))),
            "{key}: {found:?}"
        );
    }
    // What every prompt shows whole is not found by the words that are asked for anyhow.
    let mut sim = Sim::in_state(Executing, Some("Where is the teapot?"));
    sim.set("steps", json!(["find the teapot"]));
    sim.turn(&search("teapot"));
    assert_eq!(sim.state.main.results[0].message, "no note found");
}

/// What finds more than it shows says so, and nothing goes before what fits better.
#[test]
fn what_a_search_leaves_out_is_told() {
    let mut sim = Sim::in_state(Planning, None);
    for number in 0..12 {
        let place = StorePath::archive(&format!("k{number}"));
        sim.state.storage.set(place.parts(), json!("some tea"));
        let title = format!("Pot {number}");
        sim.state.notes.put(super::note(number, &title, "some tea"));
    }
    sim.set("secret_tea", json!("in the tin"));
    sim.turn(&search("tea"));
    let results = &sim.state.main.results;
    assert_eq!(results[0].target, "secret_tea");
    let keys = results
        .iter()
        .filter(|it| it.message.contains(" characters: "));
    assert_eq!(keys.count(), 10);
    assert_eq!(
        told_of(&sim, "tea"),
        [
            "there are more keys; say it with more words",
            "there are more notes; say it with more words"
        ]
    );
    assert_eq!(results.last().unwrap().items.len(), 10);
    // A list that is longer than what is shown.
    let ids: Vec<String> = (0..12).map(|it| super::note_id(it).to_string()).collect();
    let list = format!(
        "<record_search><ids>{},gone</ids></record_search>",
        ids.join(",")
    );
    sim.turn(&list);
    assert_eq!(
        sim.state.main.results[0].message,
        "not found: gone; 2 not shown, ask for 10 at once"
    );
    assert_eq!(sim.state.main.results[0].items.len(), 10);
    // Ten of ten are all.
    let mut sim = Sim::in_state(Planning, None);
    for number in 0..10 {
        let place = StorePath::archive(&format!("k{number}"));
        sim.state.storage.set(place.parts(), json!("some tea"));
    }
    sim.turn(&search("tea"));
    assert_eq!(sim.state.main.results.len(), 10);
}

/// A key that holds commas is named in a list as it is.
#[test]
fn a_key_with_a_comma_moves_like_any_other() {
    let mut sim = with_blocks();
    for key in ["tea, green", "a,b", "a", "other"] {
        sim.set(key, json!(format!("value of {key}")));
    }
    sim.turn(&paging("tea, green, other, a,b", "", ""));
    for key in ["tea, green", "a,b", "other"] {
        assert_eq!(sim.ram(key), Value::Null, "{key}");
        assert_eq!(archived(&sim, key), Some(json!(format!("value of {key}"))));
    }
    assert_eq!(sim.ram("a"), json!("value of a"));
    sim.turn(&paging("", "a, b, tea, green", "other"));
    assert_eq!(sim.ram("tea, green"), json!("value of tea, green"));
    assert_eq!(sim.ram("other"), Value::Null);
    assert_eq!(archived(&sim, "other"), None);
}

/// What RAM takes at its deepest the archive takes, and gives back.
#[test]
fn the_deepest_value_of_ram_can_be_archived() {
    let mut sim = with_blocks();
    let deepest = (1..64).fold(json!("x"), |inner, _| json!([inner]));
    let text = json!([deepest]).to_string();
    assert_eq!(codes(&sim.turn(&ram_add("deep", &text))), [None]);
    let value = sim.ram("deep");
    assert_eq!(codes(&sim.turn(&paging("deep", "", ""))), [None]);
    assert_eq!(sim.ram("deep"), Value::Null);
    assert_eq!(codes(&sim.turn(&paging("", "deep", ""))), [None]);
    assert_eq!(sim.ram("deep"), value);
}

/// What a person has to do stands in every prompt, however full RAM is.
#[test]
fn todo_is_never_paged_out_by_rule() {
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("user_data", json!({"todo": {"tea": "buy ".repeat(100)}}));
    for number in 0..20 {
        sim.set(&format!("k{number}"), json!("value ".repeat(40)));
    }
    for turn in 0..3 {
        sim.turn(&ram_add("n", &turn.to_string()));
    }
    assert!((0..20).any(|number| archived(&sim, &format!("k{number}")).is_some()));
    assert_eq!(archived(&sim, "user_data"), None);
    assert!(sim.ram("user_data")["todo"]["tea"].is_string());
}

/// A key may be in RAM and, with an older value, in the archive: a search shows both, RAM first.
#[test]
fn a_key_in_both_layers_is_shown_from_both() {
    let mut sim = Sim::in_state(Planning, None);
    sim.set("k", json!("new value"));
    sim.state
        .storage
        .set(StorePath::archive("k").parts(), json!("old value"));
    for words in ["k", "value"] {
        sim.turn(&search(words));
        let mut told = told_of(&sim, "k");
        told.sort_unstable();
        assert_eq!(
            told,
            [
                "archived, 9 characters: old value",
                "in RAM, 9 characters: new value"
            ]
        );
    }
}

/// What the program writes for itself nobody else writes; a model that copies what it reads does no harm.
#[test]
fn the_list_of_the_archive_and_the_metrics_are_the_programs_own() {
    let mut sim = Sim::in_state(Planning, None);
    sim.allowed = Tag::ALL.into_iter().collect();
    for key in ["archived", "metrics"] {
        let delete = format!("<ram_delete><key>{key}</key></ram_delete>");
        for reply in [ram_add(key, "mine"), delete] {
            let decision = sim.turn(&reply);
            assert_eq!(
                decision.entries[0].outcome,
                InstructionOutcome::Ignored,
                "{reply}"
            );
            assert_eq!(sim.ram(key), json!(null), "{reply}");
        }
        let place = format!("/working_memory/{key}");
        let decision = sim.turn(&super::tools::set(&place, "mine"));
        assert_eq!(codes(&decision), [Some(Code::PathInvalid)]);
        assert_eq!(sim.ram(key), json!(null));
    }
}

/// A block of paging that is taken back changed nothing: repeated, it is in vain like any other.
#[test]
fn what_is_taken_back_is_no_progress() {
    let mut sim = Sim::in_state(Planning, Some("x"));
    sim.allowed = Tag::ALL.into_iter().collect();
    sim.set("good", json!("1"));
    let block = paging("good, missing", "", "");
    let mut no_progress_streak = Vec::new();
    for _ in 0..3 {
        sim.turn(&block);
        assert_eq!(sim.ram("good"), json!("1"));
        no_progress_streak.push(sim.run.progress.no_progress_streak);
    }
    assert_eq!(no_progress_streak, [0, 1, 2]);
}

/// With the eight tags alone a small model finds a value and writes it back.
#[test]
fn a_search_finds_what_was_archived_and_says_where_it_is() {
    let mut sim = Sim::in_state(Planning, None);
    let text = "the blue teapot ".repeat(100);
    sim.turn(&(ram_add("pot", &text) + &ram_add("note", "a teapot in RAM")));
    sim.allowed = Tag::ALL.into_iter().collect();
    sim.turn(&paging("pot", "", ""));
    sim.allowed = AllowedTags::shipped();
    sim.turn(&search("teapot"));
    let told: Vec<(String, String)> = sim
        .state
        .main
        .results
        .iter()
        .map(|it| (it.target.clone(), it.message.clone()))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[1].0 == "pot" && told[1].1.starts_with("archived, 1599 characters"),
        "{told:?}"
    );
    assert!(
        told[0].0 == "note" && told[0].1.starts_with("in RAM"),
        "{told:?}"
    );
    sim.turn(&search("pot"));
    let whole = &sim.state.main.results[0];
    assert!(
        whole.target == "pot" && whole.message.contains(text.trim_end()),
        "{whole:?}"
    );
    assert_eq!(codes(&sim.turn(&search("nothing at all"))), [None]);
    assert_eq!(sim.state.main.results[0].message, "no note found");
}

/// However RAM was filled, and with whatever: one iteration later it fits, or holds nothing that may
/// go, and nothing loops.
#[test]
fn a_huge_ram_is_paged_at_once_whoever_filled_it() {
    let mut sim = Sim::in_state(Planning, Some("a request"));
    for number in 0..300 {
        sim.set(
            &format!("person {number}"),
            json!({"text": "words ".repeat(40), "n": number}),
        );
    }
    sim.set(
        "context",
        json!({"user_request": "a request", "big": "x".repeat(9000), "small": 1}),
    );
    let before = sim.state.main.ram.clone();
    sim.turn(&ram_add("n", "1"));
    assert!(characters(&sim) <= 1536, "{}", characters(&sim));
    assert_eq!(sim.state.main.ram.request(), Some("a request"));
    for (key, value) in before
        .entries()
        .filter(|(key, _)| key.starts_with("person"))
    {
        let found = sim
            .state
            .main
            .ram
            .get(key)
            .cloned()
            .or_else(|| archived(&sim, key));
        assert_eq!(found.as_ref(), Some(value), "{key}");
    }
    assert_eq!(archived(&sim, "context.big"), Some(json!("x".repeat(9000))));
    let list = sim.ram("archived").as_str().unwrap().to_owned();
    assert!(
        list.ends_with("more: record_search archived lists all"),
        "{list}"
    );
    // What may not go stays, and paging stays as rare as ever.
    let mut sim = Sim::in_state(Planning, Some("a request"));
    sim.set("plan", json!("p".repeat(9000)));
    sim.set("steps", json!(["never done"]));
    let mut pagings = 0;
    for turn in 0..12 {
        pagings += u32::from(
            sim.turn(&ram_add("plan", &format!("{turn}{}", "p".repeat(8000))))
                .next
                == Paging,
        );
    }
    assert_eq!(pagings, 3);
    assert_eq!(sim.state.storage.leaves().count(), 0);
}

/// A run whose model only thinks has nothing to show, also when the daemon pages for it.
#[test]
fn paging_by_rule_is_nothing_that_a_run_has_to_show() {
    let mut sim = crowded(Planning);
    sim.turn("<ram_add><key>think_log</key><value>hm</value></ram_add>");
    sim.turn("<ram_add><key>think_log</key><value>hm</value></ram_add>");
    assert!(archived(&sim, "big").is_some());
    assert!(!sim.run.progress.changed);
}

#[test]
fn what_a_reply_names_is_not_archived_by_it() {
    let mut sim = with_blocks();
    sim.turn(&(ram_add("old", "value") + &ram_add("other", "value")));
    for turn in 0..200 {
        sim.turn(&ram_add("n", &turn.to_string()));
    }
    sim.turn("<thinking><context_keys>old</context_keys></thinking>");
    assert_eq!(sim.ram("old"), json!("value"));
    assert!(archived(&sim, "other").is_some());
}

#[test]
fn a_key_called_archive_comes_back_and_the_archive_stays_one() {
    let mut sim = with_blocks();
    sim.turn(&(ram_add("archive", "mine") + &ram_add("k", "v")));
    sim.turn(&paging("archive, k", "", ""));
    assert_eq!(archived(&sim, "archive"), Some(json!("mine")));
    let over = "<actions><action><kind>set</kind><target_path>/storage/archive</target_path>\
                <content>gone</content></action></actions>";
    assert_eq!(codes(&sim.turn(over)), [Some(Code::PathInvalid)]);
    let whole = [
        "<kind>set</kind><target_path>/storage/archive</target_path>\
         <content>{\"note\":\"my archive\"}</content>",
        "<kind>set</kind><target_path>/storage/archive</target_path><content>{}</content>",
        "<kind>rm</kind><target_path>/storage/archive</target_path>",
        "<kind>mv</kind><source_path>/storage/archive</source_path>\
         <target_path>/storage/elsewhere</target_path>",
    ];
    for call in whole {
        let reply = format!("<actions><action>{call}</action></actions>");
        assert_eq!(
            codes(&sim.turn(&reply)),
            [Some(Code::PathInvalid)],
            "{call}"
        );
    }
    assert_eq!(archived(&sim, "k"), Some(json!("v")));
    sim.turn(&paging("", "archive", ""));
    assert_eq!(sim.ram("archive"), json!("mine"));
}

/// A move takes along what is known of a key.
#[test]
fn a_key_that_a_tool_moves_keeps_its_tags() {
    let mut sim = with_blocks();
    sim.turn(&(ram_add("k", "v") + &action("k", "v", "pin, tea", "")));
    let tags = |sim: &Sim| sim.state.main.keys.get("k").map(|entry| entry.tags.clone());
    let before = tags(&sim);
    assert_eq!(before.as_ref().map(BTreeSet::len), Some(2));
    let call = |inner: &str| format!("<actions><action>{inner}</action></actions>");
    sim.turn(&call(
        "<kind>rm</kind><target_path>/storage/k</target_path>",
    ));
    sim.turn(&call(
        "<kind>mv</kind><source_path>/working_memory/k</source_path>\
         <target_path>/storage/k</target_path>",
    ));
    assert_eq!((sim.ram("k"), tags(&sim)), (Value::Null, before));
}
