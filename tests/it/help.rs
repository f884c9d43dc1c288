//! The pages of the help say what is: their tables are compared with the program's own, their links
//! lead somewhere, and what they name exists. That their commands are understood is tested beside the
//! grammar.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it reads the pages themselves"
)]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, live, stop_after};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config::{ConfigKey, DefaultValue, KEYS};
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::memory::MemoryLayout;
use kjxlkj_agent::core::memory::ram::REQUIRED_KEYS;
use kjxlkj_agent::core::protocol::Tag;
use kjxlkj_agent::failure::{Code, Exit};
use kjxlkj_agent::help::{TOPICS, Topic, exit_table, exits};
use kjxlkj_agent::store::layout;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Words that the first paragraph of a topic has at most.
const FIRST_PARAGRAPH_WORDS_MAX: usize = 60;

/// Documents beside the pages of the help.
pub(crate) const DOCUMENTS: [&str; 3] = ["README.md", "tests/README.md", ".github/CONTRIBUTING.md"];

/// The folder of the repository.
pub(crate) fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(name: &str) -> &'static str {
    Topic::find(name).unwrap().text
}

/// The names of the Markdown files in a folder, without their ends.
fn pages_in(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(top().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.is_file());
    let stems = files.map(|path| {
        assert_eq!(path.extension().unwrap(), "md", "{}", path.display());
        path.file_stem().unwrap().to_str().unwrap().to_owned()
    });
    stems.collect()
}

/// Every document with its path below the repository.
fn documents() -> Vec<(String, String)> {
    let topics = TOPICS.iter().map(|it| format!("src/help/{}.md", it.name));
    let errors = Code::ALL
        .iter()
        .map(|code| format!("src/help/errors/{code}.md"));
    let paths = DOCUMENTS.iter().map(|path| (*path).to_owned());
    let paths = paths.chain(topics).chain(errors);
    let read = |path: String| {
        let text = std::fs::read_to_string(top().join(&path)).unwrap();
        (path, text)
    };
    paths.map(read).collect()
}

/// The lines of a page that are no code.
fn prose(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push(line);
        }
    }
    lines
}

/// What stands in backticks.
fn quoted(text: &str) -> Vec<String> {
    let prose = prose(text).join("\n");
    let parts = prose.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// What stands between the markers of a generated table.
pub(crate) fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let after = text.split_once(&format!("<!-- {name}:begin -->"))?.1;
    Some(after.split_once(&format!("<!-- {name}:end -->"))?.0.trim())
}

#[test]
fn every_page_is_a_topic_and_every_topic_a_page() {
    let named: BTreeSet<String> = TOPICS.iter().map(|it| it.name.to_owned()).collect();
    assert_eq!(named.len(), TOPICS.len(), "each name is there once");
    assert_eq!(pages_in("src/help"), named);
    for topic in TOPICS {
        let mut paragraphs = topic.text.split("\n\n");
        let title = paragraphs.next().unwrap();
        assert!(title.starts_with("# "), "{}: {title}", topic.name);
        let first = paragraphs.next().unwrap();
        let words = first.split_whitespace().count();
        assert!(
            (5..=FIRST_PARAGRAPH_WORDS_MAX).contains(&words),
            "{}: the first paragraph has {words} words",
            topic.name
        );
        assert!(!topic.about.is_empty());
    }
}

/// Other forms would be printed as they stand.
#[test]
fn pages_hold_only_the_forms_that_are_printed() {
    let is_other = |line: &&str| {
        let begins = ["  - ", "* ", "> ", "![", "    ", "===", "---"];
        let is_html = line.starts_with('<') && !line.starts_with("<!-- ");
        let is_deep = line.starts_with("####");
        let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = after.len() < line.len() && after.starts_with(". ");
        is_html || is_deep || is_numbered || begins.iter().any(|it| line.starts_with(it))
    };
    for topic in TOPICS {
        let found: Vec<&str> = prose(topic.text).into_iter().filter(is_other).collect();
        assert_eq!(found, Vec::<&str>::new(), "{}", topic.name);
        let titles = prose(topic.text).into_iter();
        let titles = titles.filter(|line| line.starts_with("# ")).count();
        assert_eq!(titles, 1, "{}", topic.name);
    }
    assert!(is_other(&"1. one") && is_other(&"<b>") && is_other(&"  - deep"));
    assert!(
        !is_other(&"8,192 tokens. One") && !is_other(&"- one") && !is_other(&"<!-- a:begin -->")
    );
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<String> = Code::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(pages_in("src/help/errors"), codes);
    for code in Code::ALL {
        let path = top().join(format!("src/help/errors/{code}.md"));
        let page = code.page();
        let whole = format!(
            "# {code}\n\n{}\n\n{}\n\nTry: {}\n",
            page.what, page.why, page.hint
        );
        assert_eq!(std::fs::read_to_string(path).unwrap(), whole, "{code}");
        for part in [page.what, page.why, page.hint] {
            assert!(
                part.ends_with('.') && !part.contains('\n'),
                "{code}: {part}"
            );
        }
    }
}

/// The key table of the topic `config`.
pub(crate) fn table_of_keys() -> String {
    let row = |key: &ConfigKey| {
        let default = if let DefaultValue::By(words) = key.default {
            words.to_owned()
        } else {
            format!("`{}`", key.default.value())
        };
        let ConfigKey {
            path, shape, doc, ..
        } = key;
        format!("| `{path}` | {shape} | {default} | {doc} |\n")
    };
    let head = "| key | accepts | default | what it does |\n|---|---|---|---|\n";
    head.to_owned() + &KEYS.iter().map(row).collect::<String>()
}

#[test]
fn the_tables_of_keys_and_exit_codes_are_the_programs_own() {
    for (topic, own) in [("config", table_of_keys()), ("exit-codes", exit_table())] {
        assert_eq!(
            section(text_of(topic), topic),
            Some(own.trim()),
            "put this between the markers of {topic}:\n{own}"
        );
    }
    let told: Vec<u8> = exits().map(|(number, _)| number).collect();
    assert_eq!(told, [0, 1, 2, 65, 74, 75, 78, 130]);
    for exit in Exit::ALL {
        assert!(told.contains(&exit.number()));
    }
}

// === links ===

/// The anchor that a heading has: in small letters, without punctuation, blanks as hyphens.
fn anchor(title: &str) -> String {
    let title = title.to_lowercase();
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links in a text.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text).join("\n");
    // What stands in backticks is no link.
    let outside: String = prose.split('`').step_by(2).collect();
    let mut found = Vec::new();
    for part in outside.split("](").skip(1) {
        found.push(part.split(')').next().unwrap().to_owned());
    }
    found
}

/// Links of a document that lead nowhere.
fn lost_links(path: &str, text: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap();
    let is_lost = |target: &String| {
        if target.starts_with("https://") {
            return false;
        }
        let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
        let place: PathBuf = match file {
            "" => top().join(path),
            file => top().join(folder).join(file),
        };
        if wanted.is_empty() {
            return !place.exists();
        }
        let Ok(text) = std::fs::read_to_string(place) else {
            return true;
        };
        let headings = prose(&text).into_iter();
        let mut titles = headings.filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
        !titles.any(|title| anchor(title) == wanted)
    };
    targets(text).into_iter().filter(is_lost).collect()
}

#[test]
fn links_and_anchors_lead_somewhere() {
    let mut count = 0;
    for (path, text) in documents() {
        assert_eq!(lost_links(&path, &text), Vec::<String>::new(), "{path}");
        count += targets(&text).len();
    }
    assert!(count > 50, "{count} links");
    let planted = "[a](start.md#install) [b](start.md#nowhere) [c](none.md) `[d](none.md)`";
    assert_eq!(
        lost_links("src/help/x.md", planted),
        ["start.md#nowhere", "none.md"]
    );
}

// === names ===

/// Words in backticks that look like a configuration key and are none.
fn unknown_keys(text: &str) -> Vec<String> {
    let sections: BTreeSet<&str> = KEYS
        .iter()
        .filter_map(|key| Some(key.path.split_once('.')?.0))
        .collect();
    let is_key = |word: &str| {
        let is_plain = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '.');
        let section = word.split_once('.').map(|(section, _)| section);
        word.chars().all(is_plain) && section.is_some_and(|it| sections.contains(it))
    };
    let words = quoted(text).into_iter();
    let words = words.map(|word| word.split(':').next().unwrap().to_owned());
    words
        .filter(|word| is_key(word) && KEYS.iter().all(|key| key.path != word))
        .collect()
}

#[test]
fn every_configuration_key_that_is_named_exists() {
    for (path, text) in documents() {
        assert_eq!(unknown_keys(&text), Vec::<String>::new(), "{path}");
    }
    let planted = "`loop.max_stay`, `loop.no_such`, `api.socket: false`, `config.json`";
    assert_eq!(unknown_keys(planted), ["loop.no_such"]);
}

/// The repository itself says what the program promises; no other document is needed.
#[test]
fn the_topics_state_the_contract() {
    let missing = |topic: &str, names: &[&str]| -> Vec<String> {
        let quoted = quoted(text_of(topic));
        // Tags stand there with or without their brackets.
        let is_named = |name: &&str| {
            let forms = [(*name).to_owned(), format!("<{name}>")];
            quoted.iter().any(|word| forms.contains(word))
        };
        let names = names.iter().filter(|name| !is_named(name));
        names.map(ToString::to_string).collect()
    };
    let none = Vec::<String>::new();
    assert_eq!(missing("instructions", &Tag::ALL.map(Tag::name)), none);
    assert_eq!(missing("loop", &LoopState::ALL.map(LoopState::name)), none);
    assert_eq!(missing("memory", &REQUIRED_KEYS), none);
    assert_eq!(missing("memory", &["no_such_key"]), ["no_such_key"]);
    for trigger in ["rule", "request", "launch by hand", "edit", "idleness"] {
        assert!(text_of("loop").contains(trigger), "{trigger}");
    }
}

#[test]
fn the_glossary_has_one_row_for_each_word_in_order() {
    let rows = text_of("glossary")
        .lines()
        .filter(|it| it.starts_with("| "));
    let words: Vec<String> = rows
        .skip(1)
        .map(|row| row.split('|').nth(1).unwrap().trim().to_lowercase())
        .collect();
    assert!(words.len() > 50, "{words:?}");
    let mut sorted = words.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(words, sorted);
}

// === the table of files ===

/// The paths of the table of files.
fn files_told() -> BTreeSet<&'static str> {
    let rows = text_of("files").lines();
    let rows = rows.filter(|line| line.starts_with("| `"));
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
async fn the_table_of_files_names_all_that_stands_in_a_root_and_nothing_else() {
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
