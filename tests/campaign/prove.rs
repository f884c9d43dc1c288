//! A proof that proves something: each guard in turn is taken away from a copy of the sources, and
//! `doctor --prove` of that copy must turn red for it. One build holds all changes; a variable, which only
//! the copy looks at, says which guard is away, and then only its own trial is run. Without it, all guards
//! of the copy must fire, so that what turns red is the missing guard and not the change.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a campaign may stop at once; it copies, builds and runs"
)]

use crate::mutants::{MUTANTS, mutated};
use kjxlkj_agent::config::init;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable of the copy.
const AWAY: &str = "KJXLKJ_GUARD_AWAY";

/// What the copy has in addition.
const MODULE: &str = r#"
pub mod mutant {
    //! Which guard is away.
    pub fn away() -> Option<String> {
        std::env::var("KJXLKJ_GUARD_AWAY").ok()
    }
    pub fn off(guard: &str) -> bool {
        away().is_some_and(|away| away == guard)
    }
}
"#;

/// Where the copy tries only one guard.
const CHOICE: (&str, &str, &str) = (
    "src/cli/prove.rs",
    "table::checks(&scratch.setup).into_iter()",
    "table::checks(&scratch.setup).into_iter().filter(|it| crate::mutant::away().is_none_or(|away| away == it.guard))",
);

/// Takes each guard away, or only those whose names hold `wanted`; gives how many were not missed.
pub(crate) fn campaign(wanted: &str) -> u64 {
    let program = build();
    let root = tempfile::tempdir().unwrap();
    init(root.path()).unwrap();
    let whole = proof(&program, root.path(), None);
    let mut violations = u64::from(names(&whole).is_empty());
    for line in red(&whole) {
        println!("does not fire in the copy as it is: {line}");
        violations += 1;
    }
    let mut guards: Vec<&str> = MUTANTS.iter().map(|mutant| mutant.guard).collect();
    guards.dedup();
    guards.retain(|guard| guard.contains(wanted));
    guards.sort_unstable();
    guards.dedup();
    for guard in &guards {
        let report = proof(&program, root.path(), Some(guard));
        let names: Vec<&str> = names(&report);
        if names != [*guard] || red(&report).len() != 1 {
            println!("{guard} is away, and nothing turns red: {report}");
            violations += 1;
        }
    }
    println!(
        "{} guards taken away, {violations} not missed",
        guards.len()
    );
    violations
}

fn names(report: &Value) -> Vec<&str> {
    let lines = report["lines"].as_array().unwrap().iter();
    lines.map(|line| line["guard"].as_str().unwrap()).collect()
}

fn red(report: &Value) -> Vec<String> {
    let lines = report["lines"].as_array().unwrap().iter();
    let red = lines.filter(|line| line["fired"] != true);
    red.map(|line| format!("{}: {}", line["guard"], line["shown"]))
        .collect()
}

/// Runs the proof; its exit code must say what its lines say.
fn proof(program: &Path, root: &Path, away: Option<&str>) -> Value {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Command::new(program);
    command
        .arg("--root")
        .arg(root)
        .args(["doctor", "--prove", "--format", "json"]);
    command.env("TMPDIR", scratch.path()).env_remove(AWAY);
    command.envs(away.map(|away| (AWAY, away)));
    let output = command.output().unwrap();
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        // It has died: that is no answer.
        return json!({"lines": [], "said": String::from_utf8_lossy(&output.stderr)});
    };
    assert_eq!(output.status.success(), red(&report).is_empty(), "{away:?}");
    report
}

/// Copies the sources, makes the changes and builds the program.
fn build() -> PathBuf {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    for folder in ["src", "data"] {
        if copy.join(folder).exists() {
            std::fs::remove_dir_all(copy.join(folder)).unwrap();
        }
        copy_folder(top, &copy, Path::new(folder));
    }
    // With a name of its own, beside the program and with what that is built from.
    let renamed = |file: &str| {
        let text = std::fs::read_to_string(top.join(file)).unwrap();
        text.replace("name = \"kjxlkj-agent\"", "name = \"kjxlkj-agent-mutant\"")
            .replace(
                "default-run = \"kjxlkj-agent\"",
                "default-run = \"kjxlkj-agent-mutant\"",
            )
    };
    std::fs::write(
        copy.join("Cargo.toml"),
        without_tests(&renamed("Cargo.toml")),
    )
    .unwrap();
    std::fs::write(copy.join("Cargo.lock"), renamed("Cargo.lock")).unwrap();
    // Two folders up: where the program of this very build stands.
    let built = Path::new(env!("CARGO_BIN_EXE_kjxlkj-agent"))
        .parent()
        .unwrap();
    let target = built.parent().unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--offline", "--quiet"])
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", target)
        .status()
        .unwrap();
    assert!(status.success(), "the copy does not build");
    target.join("debug/kjxlkj-agent-mutant")
}

/// The manifest without the tests, which are not copied.
fn without_tests(manifest: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_kept = !["[[test]]", "[[bench]]", "[lints"]
                .iter()
                .any(|it| line.starts_with(it));
        }
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + "\n[lints.rust]\nwarnings = \"allow\"\n\n[workspace]\n"
}

fn copy_folder(top: &Path, copy: &Path, folder: &Path) {
    std::fs::create_dir_all(copy.join(folder)).unwrap();
    for entry in std::fs::read_dir(top.join(folder)).unwrap() {
        let below = folder.join(entry.unwrap().file_name());
        let from = top.join(&below);
        if from.is_dir() {
            copy_folder(top, copy, &below);
        } else if let Ok(text) = std::fs::read_to_string(&from) {
            std::fs::write(copy.join(&below), changed(below.to_str().unwrap(), &text)).unwrap();
        } else {
            std::fs::copy(&from, copy.join(&below)).unwrap();
        }
    }
}

fn changed(file: &str, text: &str) -> String {
    let mut text = mutated(file, text).unwrap();
    if file == CHOICE.0 {
        assert_eq!(text.matches(CHOICE.1).count(), 1);
        text = text.replace(CHOICE.1, CHOICE.2);
    }
    if file == "src/lib.rs" {
        text.push_str(MODULE);
    }
    text
}
