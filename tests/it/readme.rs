//! The README says what is: its tables are compared with the program's own.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, live, stop_after};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config::table_markdown;
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::memory::MemoryLayout;
use kjxlkj_agent::core::memory::ram::REQUIRED_KEYS;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::Exit;
use kjxlkj_agent::store::layout;
use std::collections::BTreeSet;

const README: &str = include_str!("../../README.md");

/// What stands between two markers.
fn section(name: &str) -> Option<&'static str> {
    let (begin, end) = (
        format!("<!-- {name}:begin -->"),
        format!("<!-- {name}:end -->"),
    );
    let after = README.split_once(&begin)?.1;
    Some(after.split_once(&end)?.0.trim())
}

#[test]
fn the_table_of_configuration_keys_is_the_programs_own() {
    let own = table_markdown();
    assert_eq!(
        section("config"),
        Some(own.trim()),
        "put this between the markers:\n{own}"
    );
}

/// The repository itself says what the program promises; no other document is needed.
#[test]
fn k019_the_readme_states_the_contract() {
    let tags = Tag::ALL.map(Tag::name);
    let states = LoopState::ALL.map(LoopState::name);
    let keys = REQUIRED_KEYS.into_iter().filter(|key| *key != "state");
    let triggers = ["rule", "request", "launch by hand", "edit", "idleness"];
    // Names stand in backticks, tags also with their brackets: most of them are common words as well.
    let names = tags.into_iter().chain(states).chain(keys);
    let is_named = |name: &&str| {
        [format!("`{name}`"), format!("`<{name}>`")]
            .iter()
            .any(|told| README.contains(told))
    };
    let names = names.filter(|name| !is_named(name));
    let missing: Vec<&str> = names
        .chain(triggers.into_iter().filter(|told| !README.contains(told)))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// The paths of the table of files.
fn files_told() -> BTreeSet<&'static str> {
    let (_, rest) = README.split_once("\n## Files\n").unwrap();
    let (files, _) = rest.split_once("\n## ").unwrap();
    let rows = files.lines().filter(|line| line.starts_with("| `"));
    let first_cells = rows.filter_map(|row| row.split('|').nth(1));
    first_cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// The row that tells of a file: its own, else that of the nearest folder.
fn row_of<'t>(told: &BTreeSet<&'t str>, file: &str) -> Option<&'t str> {
    let rows = told.iter().copied().filter(|row| match *row {
        "data/notes/<id>.json" => file.starts_with("data/notes/"),
        folder if folder.ends_with('/') => file.starts_with(folder),
        row => row == file,
    });
    rows.max_by_key(|row| row.len())
}

/// Lives on a root until each of its files has been needed once.
async fn lived_in() -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| {
        let tool = "<actions><action><kind>set</kind><target_path>/storage/tin</target_path>\
                    <content>red</content></action></actions>";
        Step::reply(&(record_add("Tea", "green") + &ram_add("n", "1") + tool))
    }));
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab.config.memory.retain_full_conversation_logs = true;
    lab.config.memory_layout = MemoryLayout::Unified;
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    lab.write("data/inbox/good.txt", "remember the tea");
    lab.write("data/inbox/bad.json", "{");
    stop_after(&lab, 3);
    live(&mut agent).await;
    agent.close().unwrap();
    // A machine that died while a line was written.
    lab.append("data/journal/00000001.jsonl", "{\"v\":1,");
    lab.start().close().unwrap();
    lab
}

#[tokio::test]
async fn k019_the_table_of_files_names_all_that_stands_in_a_root_and_nothing_else() {
    let told = files_told();
    let lab = lived_in().await;
    let mut used = BTreeSet::new();
    for (path, _) in lab.data_files() {
        let file = path.strip_prefix(lab.root()).unwrap().to_str().unwrap();
        let row = row_of(&told, file);
        assert!(row.is_some(), "no row tells of {file}");
        used.extend(row);
    }
    // A person's requests do not stay where they were dropped; and few notes have no index, but many
    // have one, as other tests show.
    used.extend(["data/inbox/", "data/index/"]);
    // It is there while a daemon runs.
    used.insert(layout::CONTROL_SOCKET);
    assert_eq!(layout::INBOX, "data/inbox");
    assert!(layout::NOTE_INDEX.starts_with("data/index/"));
    assert_eq!(told, used);
}

#[test]
fn every_exit_code_is_told() {
    let exits = [
        Exit::Failed,
        Exit::Usage,
        Exit::Corrupt,
        Exit::Disk,
        Exit::Locked,
        Exit::Config,
    ];
    let mut parts = README.split("\n\n");
    let told = parts.find(|part| part.starts_with("0 success · ")).unwrap();
    let told = told.replace('\n', " ");
    let numbers = told.split(" · ");
    let numbers: Vec<&str> = numbers
        .filter_map(|part| part.split_whitespace().next())
        .collect();
    for exit in exits {
        let number = exit.number().to_string();
        assert!(numbers.contains(&number.as_str()), "{number}: {told}");
    }
}

#[test]
fn l081_the_commands_and_the_table_of_measurements_are_there() {
    for command in [
        "cargo build --release",
        "cargo install --locked --path .",
        "cargo run --release",
        "cargo run --release -- demo",
        "cargo test",
    ] {
        let mut lines = README.lines().filter_map(|line| line.split('#').next());
        assert!(lines.any(|line| line.trim() == command), "{command}");
    }
    assert!(section("bench").is_some());
}
