//! The rules of the house as tests that read the sources: I1 to I9, the top level, the wiring of
//! tests. They stand in for the borders that separate crates would draw. Each check is shown to
//! fail on a planted violation.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it reads the sources itself"
)]

mod checks;
mod cohesion;
mod requirements;
mod scan;

use crate::config::KEY_TESTS;
use kjxlkj_agent::config::KEYS;
use kjxlkj_agent::failure::Code;
use scan::Source;
use std::path::Path;

/// Codes of features that are built later. This list may only become shorter: a code that is in
/// use must not stand here.
const CODES_LATER: &[Code] = &[];

// === reading the tree ===

/// Every text file below a folder of the repository, with paths below the repository.
fn files_below(folder: &str) -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![top.join(folder)];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let below = path.strip_prefix(top).unwrap().to_str().unwrap();
            files.push(Source::new(below, text));
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}

fn is_rust(file: &Source) -> bool {
    let extension = Path::new(&file.path).extension();
    extension.is_some_and(|end| end == "rs")
}

fn rust_below(folder: &str) -> Vec<Source> {
    let mut files = files_below(folder);
    files.retain(is_rust);
    assert!(!files.is_empty(), "no sources were found in {folder}");
    files
}

fn top_names() -> Vec<String> {
    std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[track_caller]
fn assert_quiet(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The check complains about each planted text, when it stands in a file of that path.
#[track_caller]
fn assert_sees(check: fn(&[Source]) -> Vec<String>, plants: &[(&str, &str)]) {
    for (path, text) in plants {
        let complaints = check(&[Source::new(*path, *text)]);
        assert!(
            !complaints.is_empty(),
            "nothing was said about {path}: {text}"
        );
    }
}

/// The check has nothing to say about these.
#[track_caller]
fn assert_allows(check: fn(&[Source]) -> Vec<String>, harmless: &[(&str, &str)]) {
    for (path, text) in harmless {
        assert_quiet(&check(&[Source::new(*path, *text)]));
    }
}

// === the invariants ===

#[test]
fn core_is_pure() {
    assert_quiet(&checks::purity(&rust_below("src")));
    assert_sees(
        checks::purity,
        &[
            ("src/core/a.rs", "use std::fs;"),
            ("src/core/a.rs", "use std::{fmt, fs::File};"),
            (
                "src/core/a/b.rs",
                "fn f() { let x = std::env::var(\"X\"); }",
            ),
            ("src/core/a.rs", "use tokio::sync::Mutex;"),
            ("src/core/a.rs", "async fn f() {}"),
            ("src/core/a.rs", "fn f() { let t = Utc::now(); }"),
            ("src/core/a.rs", "use std::time::{Duration, Instant};"),
            ("src/core/a.rs", "fn f() -> Uuid { Uuid::new_v4() }"),
            ("src/core/a.rs", "use crate::store::Disk;"),
            ("src/core/a.rs", "use crate::{ids::RunId, provider};"),
        ],
    );
    assert_allows(
        checks::purity,
        &[
            (
                "src/core/a.rs",
                "//! No std::fs here.\nuse std::fmt; const A: &str = \"std::fs\";",
            ),
            (
                "src/core/a.rs",
                "fn a() {}\n#[cfg(test)]\nmod tests { use std::fs; }",
            ),
            ("src/store/a.rs", "use std::fs;"),
        ],
    );
}

#[test]
fn only_the_store_and_the_readers_of_human_files_touch_the_disk() {
    assert_quiet(&checks::disk_access(&rust_below("src")));
    assert_sees(
        checks::disk_access,
        &[
            ("src/daemon/a.rs", "use std::fs::File;"),
            ("src/cli/a.rs", "fn f() { std::fs::read(\"x\"); }"),
            ("src/config/load.rs", "use rustix::{fs, io};"),
            ("src/provider/http.rs", "use tokio::fs;"),
        ],
    );
    assert_allows(
        checks::disk_access,
        &[("src/config/files.rs", "use std::fs::File;")],
    );
}

#[test]
fn only_the_store_writes_views() {
    assert_quiet(&checks::view_writing(&rust_below("src")));
    assert_sees(
        checks::view_writing,
        &[
            ("src/daemon/a.rs", "let flags = RenameFlags::EXCHANGE;"),
            ("src/daemon/a.rs", "use crate::store::Views;"),
            ("src/daemon/a.rs", "let path = root.join(\"data/notes\");"),
            ("src/core/a.rs", "const KV: &str = \"agent-kv-store.json\";"),
        ],
    );
    assert_allows(
        checks::view_writing,
        &[("src/store/a.rs", "RenameFlags::EXCHANGE")],
    );
}

#[test]
fn only_the_guard_approves() {
    assert_quiet(&checks::approval(&rust_below("src")));
    assert_sees(
        checks::approval,
        &[
            ("src/core/agent/a.rs", "let x = Approved(change);"),
            ("src/core/agent/a.rs", "let x = Approved { change };"),
            ("src/daemon/a.rs", "let x = Approved::new(change);"),
            ("src/core/guard/a.rs", "pub struct Approved<T>(pub T);"),
            (
                "src/core/guard/a.rs",
                "#[derive(Clone, Deserialize)]\npub struct Approved<T>(T);",
            ),
        ],
    );
    assert_allows(
        checks::approval,
        &[
            (
                "src/core/guard/a.rs",
                "#[derive(Clone)]\npub struct Approved<T>(T);\nfn f() { Approved(x) }",
            ),
            (
                "src/core/journal/a.rs",
                "fn event(change: Approved<Change>) {}",
            ),
        ],
    );
}

#[test]
fn old_and_vague_names_do_not_come_back() {
    assert_quiet(&checks::old_names(&rust_below("src")));
    assert_sees(
        checks::old_names,
        &[
            ("src/a.rs", "pub struct Bench;"),
            ("src/a.rs", "fn f(rung: u8) {}"),
            ("src/a.rs", "use super::wardrobe::RunProfiles;"),
            ("src/a.rs", "fn tell_all() {}"),
            ("src/a.rs", "struct ToldParts;"),
            ("src/a.rs", "const WHOLE_PARTS_MAX: usize = 1;"),
            ("src/a.rs", "struct A {\n    pub(super) owed: u8,\n}"),
            ("src/core/steps/a.rs", "fn tell_all() {}"),
        ],
    );
    assert_allows(
        checks::old_names,
        &[
            (
                "src/a.rs",
                "// Bench\nlet told = \"wardrobe\"; retold(told)",
            ),
            ("src/a.rs", "struct BenchMark; fn f(wholesale: u8) {}"),
            ("tests/it/a.rs", "struct Bench;"),
        ],
    );
}

#[test]
fn wire_shapes_live_at_the_edge() {
    assert_quiet(&checks::wire_shapes(&rust_below("src")));
    assert_sees(
        checks::wire_shapes,
        &[
            ("src/core/a.rs", "struct Answer { choices: Vec<u8> }"),
            ("src/core/a.rs", "let x = value[\"choices\"];"),
            ("src/daemon/a.rs", "use reqwest::Client;"),
        ],
    );
}

#[test]
fn raw_configuration_stays_in_config_and_cli() {
    assert_quiet(&checks::raw_configuration(&rust_below("src")));
    assert_sees(
        checks::raw_configuration,
        &[
            ("src/provider/a.rs", "let key = std::env::var(\"X\");"),
            ("src/daemon/a.rs", "use std::{env, fmt};"),
            (
                "src/daemon/a.rs",
                "use crate::config::{Config, Environment};",
            ),
            (
                "src/store/a.rs",
                "fn f(settings: &crate::config::Settings) {}",
            ),
        ],
    );
}

#[test]
fn files_and_functions_stay_small_and_say_what_they_own() {
    let sources = rust_below("src");
    assert_quiet(&checks::shape_of_files(&sources));
    let entries = ["src/lib.rs", "src/main.rs"];
    assert_quiet(&checks::unreachable_files(&sources, &entries));

    let long_file = format!("//! A.\n{}", "const A: u8 = 1;\n".repeat(600));
    let long_function = format!("//! A.\nfn f() {{\n{}}}\n", "    g();\n".repeat(80));
    assert_sees(
        checks::shape_of_files,
        &[
            ("src/a.rs", &long_file),
            ("src/a.rs", &long_function),
            ("src/a.rs", "use std::fmt;\n"),
            ("src/a.rs", "//! A.\n#[path = \"b.rs\"]\nmod b;\n"),
            ("src/a.rs", "//! A.\npub use b::*;\n"),
            ("src/a.rs", "//! A.\npub(crate) use b::*;\n"),
        ],
    );
    let tests = "#[cfg(test)]\nmod tests {\n".to_owned() + &"    fn a() {}\n".repeat(500);
    let with_tests = format!("//! A.\nuse super::*;\n{tests}}}\n");
    assert_allows(checks::shape_of_files, &[("src/a.rs", &with_tests)]);
    let lost = [
        Source::new("src/lib.rs", "mod a;"),
        Source::new("src/a/mod.rs", "mod b;"),
        Source::new("src/a/b.rs", ""),
        Source::new("src/a/c.rs", ""),
    ];
    let complaints = checks::unreachable_files(&lost, &entries);
    assert_eq!(complaints, ["src/a/c.rs:1: no `mod` line leads here"]);
}

#[test]
fn a_type_is_one_thing() {
    assert_quiet(&cohesion::cohesion(&rust_below("src")));
    let parts = |count: usize, text: &str| -> Vec<Source> {
        let files = (0..count).map(|file| Source::new(format!("src/{file}.rs"), text));
        files.collect()
    };
    let methods = "impl<'a> Agent<'a> {\n    fn f() {}\n}\n";
    assert_quiet(&cohesion::cohesion(&parts(3, methods)));
    let complaints = cohesion::cohesion(&parts(4, methods));
    assert_eq!(complaints, ["the methods of Agent stand in 4 files"]);
    let many = format!(
        "impl Agent {{\n{}}}\n",
        "    pub const fn f() {}\n".repeat(41)
    );
    assert_eq!(
        cohesion::cohesion(&parts(1, &many)),
        ["Agent has 41 methods"]
    );
    let wide = format!(
        "pub struct Agent {{\n{}}}\n",
        "    pub(super) a_b: u8,\n".repeat(16)
    );
    assert_eq!(
        cohesion::cohesion(&parts(1, &wide)),
        ["Agent has 16 fields"]
    );
    let others = "impl Display for Agent {\n    fn f() {}\n}\n";
    assert_quiet(&cohesion::cohesion(&parts(9, others)));
}

#[test]
fn a_type_name_is_one_word_for_one_thing() {
    let sources = rust_below("src");
    assert_quiet(&cohesion::type_names(&sources));
    assert_sees(
        cohesion::type_names,
        &[
            ("src/a.rs", "pub(super) struct Seen;"),
            ("src/a.rs", "enum Way {"),
            ("src/a.rs", "#[cfg(test)]\nmod tests {\n    struct Fate;\n}"),
            (
                "src/a.rs",
                "struct Entry;\npub enum Entry {}\ntype Entry = u8;",
            ),
        ],
    );
    assert_allows(
        cohesion::type_names,
        &[
            (
                "src/a.rs",
                "impl A {\n    type Key = u8;\n    type Key = u8;\n    type Key = u8;\n}",
            ),
            (
                "src/a.rs",
                "struct Entry;\nenum Entry {}\n// struct Entry;\nconst A: &str = \"struct Seen;\";",
            ),
        ],
    );
}

#[test]
fn the_walks_of_the_map_lead_through_the_sources() {
    let sources = rust_below("src");
    let map = sources.iter().find(|source| source.path == "src/lib.rs");
    let map = &map.unwrap().text;
    assert!(map.matches("//! 1. `").count() == 2, "two walks");
    assert_quiet(&cohesion::walks(map, &sources));
    let some = [Source::new("src/a/b.rs", "pub fn f() {}")];
    assert_quiet(&cohesion::walks("//! 1. `a::b::f` does it.", &some));
    let complaints = cohesion::walks("//! 13. `a::b::g` does it.", &some);
    assert_eq!(
        complaints,
        [
            "station 13 is one too many: a::b::g",
            "no function is at a::b::g"
        ]
    );
}

#[test]
fn every_code_is_in_use_and_every_used_code_is_in_the_table() {
    let sources = rust_below("src");
    assert_quiet(&checks::codes(&sources, Code::ALL, CODES_LATER));

    let plant = |text: &str, later: &[Code]| {
        let sources = [Source::new("src/a.rs", text)];
        checks::codes(&sources, &[Code::Usage], later).len()
    };
    assert_eq!(plant("fn f() { Code::Usage }", &[]), 0);
    assert_eq!(plant("fn f() { }", &[]), 1, "a code that nothing uses");
    assert_eq!(plant("fn f() { }", &[Code::Usage]), 0);
    assert_eq!(
        plant("fn f() { Code::Usage }", &[Code::Usage]),
        1,
        "a stale entry"
    );
    assert_eq!(
        plant("Code::Usage; \"NOT_A_CODE\"", &[]),
        1,
        "an invented code"
    );
    assert_eq!(plant("Code::Usage; \"XML_PARSE_ERROR\"", &[]), 0);
}

#[test]
fn every_key_has_a_test() {
    let keys: Vec<&str> = KEYS.iter().map(|key| key.path).collect();
    let tests = rust_below("tests");
    assert_quiet(&checks::key_tests(&keys, KEY_TESTS, &tests));

    let tests = [Source::new("tests/it/a.rs", "#[test]\nfn t() {}")];
    let count =
        |keys: &[&str], listed: &[(&str, &str)]| checks::key_tests(keys, listed, &tests).len();
    assert_eq!(count(&["a"], &[("a", "t")]), 0);
    assert_eq!(count(&["a"], &[]), 1, "a key without a test");
    assert_eq!(count(&[], &[("a", "t")]), 1, "a test of no key");
    assert_eq!(
        count(&["a"], &[("a", "u")]),
        1,
        "a test that does not exist"
    );
}

/// The concerns of the program, each with the places that own it.
const CONCERNS: &[(&str, &[&str])] = &[
    (
        "the core of the agent",
        &["core/agent/decide.rs", "daemon/iteration.rs"],
    ),
    (
        "its life",
        &["daemon/boot.rs", "daemon/schedule.rs", "daemon/stop.rs"],
    ),
    ("settings", &["config/keys.rs", "config/settings.rs"]),
    (
        "words of the states",
        &["config/prompt_file.rs", "core/prompt/file.rs"],
    ),
    (
        "tagged memory",
        &[
            "core/memory/ram.rs",
            "core/memory/storage.rs",
            "core/memory/directory.rs",
        ],
    ),
    (
        "states",
        &["core/agent/state.rs", "core/agent/transition.rs"],
    ),
    (
        "the model's client",
        &["provider/http.rs", "provider/pipeline.rs"],
    ),
    (
        "prompts",
        &["core/prompt/assemble.rs", "core/prompt/fit.rs"],
    ),
    (
        "the reader of replies",
        &["core/protocol/parse.rs", "core/protocol/build.rs"],
    ),
    ("plain texts", &["plain_text.rs", "core/protocol/escape.rs"]),
    ("tags", &["core/protocol/tag.rs", "core/protocol/scan.rs"]),
    ("files", &["store/disk/real.rs", "store/disk/root.rs"]),
    (
        "memory on disk",
        &[
            "store/views/mod.rs",
            "store/views/deferred.rs",
            "store/journal/mod.rs",
        ],
    ),
    (
        "configuration on disk",
        &["config/files.rs", "config/load.rs"],
    ),
];

/// What each place is for stands in its first line.
#[test]
fn every_concern_has_a_module_of_its_own() {
    let sources = rust_below("src");
    let text_of = |below: &str| {
        let path = format!("src/{below}");
        sources
            .iter()
            .find(|source| source.path == path)
            .map(|source| source.text.as_str())
    };
    for (concern, places) in CONCERNS {
        for place in *places {
            let text = text_of(place).unwrap_or_else(|| unreachable!("{concern}: {place}"));
            assert!(text.starts_with("//! "), "{place}");
        }
    }
    let is_entry = |source: &&Source| {
        let code = source.code();
        code.lines().any(|line| line.starts_with("fn main("))
    };
    let entries = sources.iter().filter(is_entry);
    let entries: Vec<&str> = entries.map(|source| source.path.as_str()).collect();
    assert_eq!(entries, ["src/main.rs"]);
    // Memory and states are told apart from who asks and who writes; I1 keeps that for all of `core`.
    for source in sources
        .iter()
        .filter(|source| source.path.starts_with("src/core/memory"))
    {
        assert!(
            !source
                .named_paths()
                .iter()
                .any(|path| path.contains("provider"))
        );
    }
}

/// Sources with a test of each sort, for requirements that are planted.
fn planted_tests() -> [Source; 3] {
    [
        Source::new(
            "tests/it/cli/life.rs",
            "#[test]\n#[ignore]\nfn it_ends() {}\nfn it_helps() {}\n\
             #[tokio::test(start_paused = true)]\nasync fn it_waits() {}\n\
             mod a {\n#[test]\nfn twice() {}\n}\nmod b {\n#[test]\nfn twice() {}\n}",
        ),
        Source::new("src/core/mod.rs", "#[test]\nfn it_adds() {}"),
        Source::new(
            "tests/campaign/main.rs",
            "match word {\n        Some(\"kill\") => x,\n        Some(\"other\") => y,\n}",
        ),
    ]
}

#[test]
fn every_requirement_has_its_tests() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requirements.toml");
    let text = std::fs::read_to_string(place).unwrap();
    let mut sources = rust_below("tests");
    sources.extend(rust_below("src"));
    assert_quiet(&requirements::requirements(&text, &sources));

    let planted = planted_tests();
    let said = |entries: &[&str]| {
        let entries = entries.iter().map(|it| format!("[[requirement]]\n{it}\n"));
        requirements::requirements(&entries.collect::<String>(), &planted).join("\n")
    };
    let well = "text = \"A.\"\ntests = [\"cli::life::it_ends\"]";
    let (first, second) = (
        format!("id = \"A-1\"\n{well}"),
        format!("id = \"A-2\"\n{well}"),
    );
    assert_eq!(said(&[&first, &second]), "");
    assert_eq!(said(&[&second, &first]), "A-1: does not come after A-2");
    assert_eq!(said(&[&first, &first]), "A-1: does not come after A-1");
    for (entry, words) in [
        ("text = \"A.\"\ntests = [\"cli::life::it_waits\"]", ""),
        ("text = \"A.\"\ntests = [\"unit:core::it_adds\"]", ""),
        ("text = \"A.\"\ntests = [\"campaign:other\"]", ""),
        ("text = \"A.\"\nstatus = \"later\"", ""),
        (
            "text = \"A.\"\nstatus = \"by_review\"\nnote = \"A bench.\"",
            "",
        ),
        (
            "text = \"A.\"\ntests = [\"cli::life::it_helps\"]",
            "no test",
        ),
        ("text = \"A.\"\ntests = [\"life::it_ends\"]", "no test"),
        ("text = \"A.\"\ntests = [\"core::it_adds\"]", "no test"),
        ("text = \"A.\"\ntests = [\"campaign:word\"]", "no test"),
        ("text = \"A.\"\ntests = [\"cli::life::twice\"]", "2 tests"),
        (
            "text = \"A.\"\ntests = [\"campaign:kill\", \"campaign:kill\"]",
            "twice",
        ),
        ("text = \"A.\"", "neither a test nor a status"),
        (
            "text = \"A.\"\nstatus = \"later\"\ntests = [\"campaign:kill\"]",
            "needs no status",
        ),
        ("text = \"A.\"\nstatus = \"by_review\"", "no note"),
        ("text = \"A\"\nstatus = \"later\"", "full stop"),
        (
            &format!("text = \"{}.\"\nstatus = \"later\"", "a".repeat(240)),
            "too long",
        ),
        ("text = \"A.\"\nstatus = \"never\"", "never"),
        ("text = \"A.\"\ntest = []", "test"),
    ] {
        let said = said(&[&format!("id = \"A-1\"\n{entry}")]);
        assert_eq!(said.is_empty(), words.is_empty(), "{entry}: {said}");
        assert!(said.contains(words), "{entry}: {said}");
    }
}

#[test]
fn no_name_of_a_test_carries_a_code() {
    let mut sources = rust_below("tests");
    sources.extend(rust_below("src"));
    assert_quiet(&requirements::coded_names(&sources));
    assert_sees(
        requirements::coded_names,
        &[
            ("tests/it/a.rs", "#[test]\nfn k019_it_ends() {}"),
            ("src/a.rs", "#[tokio::test]\nasync fn it_ends_pr12() {}"),
            ("tests/it/a.rs", "#[test]\nfn d6_h1_it_ends() {}"),
        ],
    );
    assert_allows(
        requirements::coded_names,
        &[
            ("tests/it/a.rs", "#[test]\nfn utf8_of_1024_bytes() {}"),
            ("tests/it/a.rs", "fn k019_helps() {}"),
        ],
    );
}

// === the tree ===

#[test]
fn there_is_one_program_and_it_needs_no_window() {
    let manifest = manifest();
    assert_eq!(manifest.matches("\n[[bin]]\n").count(), 1);
    assert!(manifest.contains("name = \"kjxlkj-agent\"\npath = \"src/main.rs\""));
    assert!(
        !Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src/bin")
            .exists()
    );
    // Nothing of what it is made from draws or asks: no toolkit, no terminal library.
    let known = dependencies(&manifest);
    for toolkit in [
        "gtk",
        "winit",
        "egui",
        "iced",
        "ratatui",
        "crossterm",
        "dialoguer",
    ] {
        assert!(!known.contains(&toolkit), "{toolkit}");
    }
}

#[test]
fn the_named_packages_are_used_and_every_other_is_justified() {
    let manifest = manifest();
    let named = [
        "tokio",
        "reqwest",
        "serde",
        "serde_json",
        "quick-xml",
        "sha2",
        "uuid",
        "chrono",
        "tracing",
        "tracing-subscriber",
        "thiserror",
        "cron",
    ];
    let known = dependencies(&manifest);
    for name in named {
        assert!(known.contains(&name), "{name} is missing from Cargo.toml");
    }
    let sources = rust_below("src");
    for name in known {
        let path = name.replace('-', "_") + "::";
        let uses = |source: &Source| source.code().contains(&path);
        assert!(sources.iter().any(uses), "{name} is not used");
        assert!(
            named.contains(&name) || has_reason(&manifest, name),
            "{name} has no reason above it in Cargo.toml"
        );
    }
    let plain = "# Why.\na = \"1\"\nb = \"1\"\n";
    assert!(has_reason(plain, "a") && !has_reason(plain, "b"));
}

/// Whether the line before a dependency is a comment.
fn has_reason(manifest: &str, name: &str) -> bool {
    let start = format!("{name} = ");
    let lines: Vec<&str> = manifest.lines().collect();
    let at = lines.iter().position(|line| line.starts_with(&start));
    at.is_some_and(|at| at > 0 && lines[at - 1].starts_with("# "))
}

fn manifest() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap()
}

/// The names in the section `dependencies` of a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest.split_once("\n[dependencies]\n").unwrap().1;
    let section = section.split("\n[").next().unwrap();
    let lines = section.lines().filter_map(|line| line.split_once(" = "));
    lines.map(|(name, _)| name).collect()
}

#[test]
fn the_top_level_holds_seven_names() {
    assert_quiet(&checks::top_level(&top_names()));
    let names = [".git", "src", "docs"].map(str::to_owned);
    // One that does not belong there, and six that are missing.
    assert_eq!(checks::top_level(&names).len(), 7);
}

#[test]
fn every_test_file_is_wired_in() {
    let tests = rust_below("tests");
    let programs = ["bench", "campaign", "fuzz", "it", "real_model"]
        .map(|name| format!("tests/{name}/main.rs"));
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    assert_quiet(&checks::unreachable_files(&tests, &programs));
}

#[test]
fn nothing_but_sources_lies_beside_them() {
    assert_quiet(&checks::leftovers(&files_below("src")));
    assert_sees(
        checks::leftovers,
        &[
            ("src/failure/code.rs.orig", ""),
            ("src/help/start.md~", ""),
            ("src/cli/notes.md", ""),
        ],
    );
}

#[test]
fn nothing_names_a_place_on_somebodys_machine() {
    let place = env!("CARGO_MANIFEST_DIR");
    let hidden = [".ci", ".clippy.toml", ".github", ".gitignore"];
    let names = checks::TOP_NAMES.iter().chain(&hidden);
    let files: Vec<Source> = names.flat_map(|name| files_below(name)).collect();
    // A folder right at the top may have a name that says something else here, as `/data` does.
    if place.matches('/').count() > 1 {
        assert_quiet(&checks::machine_paths(&files, place));
    }
    let planted = format!("see {place}/x");
    assert_sees(
        |sources| checks::machine_paths(sources, env!("CARGO_MANIFEST_DIR")),
        &[("README.md", &planted)],
    );
}
