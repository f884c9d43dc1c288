//! The README says what is: its tables are compared with the program's own.

use kjxlkj_agent::config::table_markdown;
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::memory::ram::REQUIRED_KEYS;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::Exit;

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
    let triggers = [
        "first start",
        "request",
        "launch by hand",
        "edit",
        "idleness",
    ];
    let files = [
        "data/config.json",
        "data/agent-prompt.json",
        "data/rules.json",
        "data/agent-kv-store.json",
        "data/notes/",
        "data/inbox/",
        "data/inbox/done/",
        "data/inbox/rejected/",
        "data/journal/",
        "data/quarantine/",
        "data/conversations/",
        "data/daemon.lock",
    ];
    let told = tags
        .into_iter()
        .chain(states)
        .chain(keys)
        .chain(triggers)
        .chain(files);
    let missing: Vec<&str> = told.filter(|told| !README.contains(told)).collect();
    assert_eq!(missing, Vec::<&str>::new());
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
    for exit in exits {
        let told = format!(" {} ", exit.number());
        assert!(
            README.contains(&told),
            "exit code {} is missing",
            exit.number()
        );
    }
}

#[test]
fn l081_the_commands_and_the_table_of_measurements_are_there() {
    for command in [
        "cargo build --release",
        "cargo install",
        "cargo run --release",
        "cargo run --release -- demo",
        "cargo test",
    ] {
        let line = README.lines().find(|line| line.starts_with(command));
        assert!(line.is_some(), "{command}");
    }
    assert!(section("bench").is_some());
}
