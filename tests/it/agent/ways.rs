//! What a prompt leaves out names a way to it, and whoever follows that way finds all of it: each test does
//! what the marks say, with `record_search` alone, until none is left.

use super::tools::call;
use super::{Sim, note, search};
use crate::fit::{file, room};
use kjxlkj_agent::core::agent::LoopState::{Executing, Planning};
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::core::prompt::{PromptData, fit};
use serde_json::json;
use std::collections::BTreeSet;

/// What the next prompt shows, in a window of so many tokens.
fn prompt_of(sim: &Sim, window_tokens: u32) -> String {
    let state = &sim.state;
    let ram = state.main.ram.rendered();
    let data = PromptData {
        time: "2026-11-21 09:30",
        state: Planning,
        request: state.main.ram.request(),
        ram: &ram,
        ram_order: &state.main.keys.oldest_first(&ram),
        step: None,
        results: &state.main.results,
        numbered: state.main.result_log.newest(state.main.results.len(), 0),
    };
    let file = file();
    let fitted = fit(&file, &data, &room(window_tokens)).unwrap();
    fitted.messages.last().unwrap().content.clone()
}

/// What the marks in a text tell to search for, in order.
fn ways_in(text: &str) -> Vec<String> {
    let ends = [" goes on", " shows it", " shows one", " lists all"];
    let told = text.split("record_search ").skip(1);
    told.filter_map(|told| {
        let end = ends.iter().filter_map(|end| told.find(end)).min()?;
        told.get(..end).map(str::to_owned)
    })
    .collect()
}

/// Works a reply in the middle of a run, from where no iteration ends it.
fn turn(sim: &mut Sim, reply: &str) {
    sim.set("state", json!("executing"));
    sim.run.loop_count %= 50;
    sim.turn(reply);
}

/// Searches for that, and gives the next prompt.
fn follow(sim: &mut Sim, way: &str, window_tokens: u32) -> String {
    turn(sim, &search(way));
    prompt_of(sim, window_tokens)
}

/// Everything that is shown by following ways that begin so.
fn followed(sim: &mut Sim, first: &str, window_tokens: u32) -> String {
    let mut shown = String::new();
    let begin = first.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let mut gone = BTreeSet::new();
    let mut way = Some(first.to_owned());
    while let Some(next) = way {
        let text = follow(sim, &next, window_tokens);
        gone.insert(next);
        let ways = ways_in(&text).into_iter();
        way = ways
            .filter(|way| way.starts_with(begin))
            .find(|way| !gone.contains(way));
        shown += &text;
    }
    shown
}

fn sim() -> Sim {
    Sim::in_state(Executing, Some("x")).allow_delete()
}

#[test]
fn keys_of_ram_that_a_prompt_leaves_out_are_found_by_the_list_that_it_names() {
    let mut sim = sim();
    let keys: Vec<String> = (0..85)
        .map(|at| format!("\u{7d4c}\u{6e08}\u{306e}\u{8981}\u{70b9}{at:02}"))
        .collect();
    for key in &keys {
        sim.set(key, json!("\u{8336}".repeat(13)));
    }
    assert!(sim.state.main.ram.characters() < 2048, "it is not paged");
    let text = prompt_of(&sim, 4096);
    let missing = |text: &str| keys.iter().filter(|key| !text.contains(*key)).count();
    assert!(missing(&text) > 20, "{text}");
    let ways = ways_in(text.split("(left out)").nth(1).unwrap());
    assert_eq!(ways, ["ram"], "{text}");
    let shown = followed(&mut sim, "ram", 4096);
    assert_eq!(missing(&shown), 0, "{shown}");
    // The value of each is one search away.
    let last = keys.last().unwrap();
    turn(&mut sim, &search(last));
    assert!(
        sim.state.main.results[0]
            .message
            .contains("in RAM, 13 characters")
    );
    // A key of that name is shown beside the list.
    sim.set("ram", json!("two sheep"));
    turn(&mut sim, &search("ram"));
    let told: Vec<&str> = sim
        .state
        .main
        .results
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert!(
        told.iter().any(|told| told.ends_with("two sheep")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|told| told.contains(keys[0].as_str())),
        "{told:?}"
    );
}

#[test]
fn every_name_in_a_large_directory_is_reached_from_its_cut_list() {
    let mut sim = sim();
    let names: Vec<String> = (0..260).map(|at| format!("town_house_{at:03}")).collect();
    for name in &names {
        let path = StorePath::parse(&format!("/storage/{name}")).unwrap();
        sim.state.storage.set(path.parts(), json!("x"));
    }
    turn(&mut sim, &call("ls", "/storage", ""));
    let text = prompt_of(&sim, 4096);
    let ways = ways_in(&text);
    let [way] = ways.as_slice() else {
        unreachable!("{text}");
    };
    assert!(way.starts_with("ls /storage "), "{way}");
    let shown = text + &followed(&mut sim, way, 4096);
    let missing: Vec<&String> = names.iter().filter(|name| !shown.contains(*name)).collect();
    assert_eq!(missing, Vec::<&String>::new(), "{shown}");
}

#[test]
fn hits_and_words_that_a_prompt_cuts_are_reached_by_the_number_of_their_result() {
    let mut sim = sim();
    let names: Vec<String> = (0..10)
        .map(|at| format!("/storage/drawer/tin_{at}"))
        .collect();
    for name in &names {
        let path = StorePath::parse(name).unwrap();
        let text = format!("green tea {}", "leaves ".repeat(60));
        sim.state.storage.set(path.parts(), json!(text));
    }
    turn(
        &mut sim,
        &call("search", "/storage", "<content>tea</content>"),
    );
    // Each hit says how its own text goes on.
    let message = sim.state.main.results[0].message.clone();
    assert!(
        message.contains("record_search /storage/drawer/tin_0 200 goes on)"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 10);
    let text = prompt_of(&sim, 2048);
    assert!(
        names
            .iter()
            .any(|name| !text.contains(&format!("{name}: "))),
        "{text}"
    );
    let ways = ways_in(&text);
    let way = ways
        .iter()
        .find(|way| way.starts_with("/working_memory/action_result/_1 "));
    let shown = text + &followed(&mut sim, way.unwrap(), 2048);
    for name in &names {
        assert!(shown.contains(name.as_str()), "{name}: {shown}");
    }
}

#[test]
fn results_that_a_prompt_leaves_out_are_reached_by_their_numbers() {
    for count in [15_usize, 30] {
        let mut sim = sim();
        for at in 0..count {
            sim.set(
                &format!("key{at:02}"),
                json!(format!("{at:02} {}", "word ".repeat(60))),
            );
        }
        sim.memory.working_memory_character_max = 100_000;
        let reply: String = (0..count)
            .map(|at| search(&format!("key{at:02}")))
            .collect();
        turn(&mut sim, &reply);
        assert_eq!(sim.state.main.results.len(), count);
        let text = prompt_of(&sim, 1024);
        let line = text.split("<op>reply</op>").nth(1).unwrap();
        let ways = ways_in(line);
        let (path, first) = ways[0].rsplit_once('_').unwrap();
        assert_eq!(path, "/working_memory/action_result/", "{line}");
        let first: usize = first.parse().unwrap();
        assert!(
            line.contains(&format!("more results not shown: _{first} to _{count};")),
            "{line}"
        );
        let shown = follow(&mut sim, &ways[0], 4096);
        let words = format!("characters: {:02} word", first - 1);
        assert!(shown.contains(&words), "{words}: {shown}");
        // The log has twenty, which is what the prompts after that can ask for.
        if count < 20 {
            let last = format!("{path}_{count}");
            let shown = follow(&mut sim, &last, 4096);
            let words = format!("characters: {:02} word", count - 1);
            assert!(shown.contains(&words), "{words}: {shown}");
        }
    }
}

#[test]
fn notes_that_a_prompt_leaves_out_are_reached_from_the_first_one_on() {
    let mut sim = sim();
    for number in 0..10 {
        let title = format!("Kettle {number} {}", "of a long name ".repeat(8));
        let note = note(number, title.trim(), "tea");
        sim.state.notes.put(note);
    }
    turn(&mut sim, &search("tea"));
    assert_eq!(sim.state.main.results[0].items.len(), 10);
    let text = prompt_of(&sim, 1500);
    let notes = text.matches("<note>").count();
    assert!(notes > 0 && notes < 10, "{text}");
    let way = format!("/working_memory/action_result/_1 {}", notes + 1);
    let told = format!("{} not shown; record_search {way} goes on", 10 - notes);
    assert!(text.contains(&told), "{told}: {text}");
    let mut shown = text;
    let mut gone = BTreeSet::new();
    let mut way = Some(way);
    while let Some(next) = way {
        let text = follow(&mut sim, &next, 1500);
        assert!(text.contains("<note>"), "{text}");
        assert!(!gone.contains(&next), "{next}: {text}");
        gone.insert(next);
        let mut ways = ways_in(&text).into_iter();
        way = ways.find(|way| way.starts_with("/working_memory"));
        shown += &text;
    }
    let found: BTreeSet<usize> = (0..10)
        .filter(|number| shown.contains(&format!("Kettle {number} ")))
        .collect();
    assert_eq!(found.len(), 10, "{shown}");
    // Behind the last note there is the message alone.
    let number = sim.state.main.result_log.last() - 1;
    let notes = sim
        .state
        .main
        .result_log
        .get(number)
        .map(|it| it.items.len());
    let behind = format!(
        "/working_memory/action_result/_{number} {}",
        notes.unwrap() + 1
    );
    turn(&mut sim, &search(&behind));
    let told = &sim.state.main.results[0];
    assert!(
        told.items.is_empty() && told.message.starts_with("record_search tea"),
        "{told:?}"
    );
}

#[test]
fn links_of_a_hit_are_names_that_lead_there_and_all_of_them_are_listed() {
    let mut sim = sim();
    let long = "The kitchen garden of the long street behind the mill";
    sim.state.notes.put(note(1, long, "beans"));
    let mut links = vec![format!("[[{long}]]")];
    for number in 2..10 {
        let title = format!("Leaf {number}");
        links.push(format!("[[{title}]]"));
        sim.state.notes.put(note(number, &title, "green"));
    }
    sim.state.notes.put(note(20, "Hub", &links.join(" ")));
    turn(&mut sim, &search("Hub"));
    let shown = sim.state.main.results[0].items[0].links.clone();
    // A title that has no room is named by the id, which a link may hold as well.
    let id = super::note_id(1).to_string();
    let others = ["Leaf 2", "Leaf 3", "Leaf 4"];
    assert_eq!(shown[0], id);
    assert_eq!(shown[1..4], others);
    assert_eq!(shown[4..], ["5 more: record_search links Hub lists all"]);
    turn(&mut sim, &search("links Hub"));
    let told = &sim.state.main.results[0].message;
    let listed: Vec<&str> = told.split_once("characters: ").unwrap().1.lines().collect();
    assert_eq!(listed.len(), 9, "{told}");
    assert_eq!((listed[0], listed[8]), (id.as_str(), "Leaf 9"));
    // The id that was shown leads to the note, as a search and as a link.
    let beside = super::record_add("Beside", &format!("See [[{}]].", listed[0]));
    turn(&mut sim, &beside);
    let beside = sim.state.notes.iter().find(|note| note.title == "Beside");
    assert_eq!(beside.unwrap().links, [super::note_id(1)]);
    // Of four links nothing is left out.
    sim.state.notes.put(note(
        21,
        "Small",
        "[[Leaf 2]] [[Leaf 3]] [[Leaf 4]] [[Leaf 5]]",
    ));
    turn(&mut sim, &search("Small"));
    assert_eq!(sim.state.main.results[0].items[0].links.len(), 4);
}

/// What was created first finds room first, and stands where it always stands.
#[test]
fn of_equal_keys_the_older_ones_find_room() {
    let mut sim = sim();
    for at in (0..60).rev() {
        sim.now = kjxlkj_agent::time::Timestamp::from_millis(2_000_000_000_000 - at);
        let reply = super::ram_add(&format!("k{at:02}"), &"\u{8336}".repeat(20));
        turn(&mut sim, &reply);
    }
    let text = prompt_of(&sim, 2048);
    let is_in = |at: i64| text.contains(&format!("\nk{at:02}: "));
    let shown: Vec<i64> = (0..60).filter(|at| is_in(*at)).collect();
    assert!(shown.len() > 5 && shown.len() < 60, "{text}");
    let newest: Vec<i64> = (60 - i64::try_from(shown.len()).unwrap()..60).collect();
    assert_eq!(shown, newest, "the highest numbers were written first");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('k')).collect();
    assert!(lines.is_sorted(), "{text}");
}
