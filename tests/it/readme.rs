//! The README says what is: its tables are compared with the program's own.

use kjxlkj_agent::config::table_markdown;
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
fn the_two_commands_and_the_table_of_measurements_are_there() {
    assert!(README.contains("cargo run --release -- demo"));
    assert!(README.contains("\ncargo test "));
    assert!(section("bench").is_some());
}
