//! The files that a person configures the daemon with: one input holds as many of them as it has
//! sections, the rest are those that ship. Every problem has its place, and no key is ever shown.

use super::is_place;
use kjxlkj_agent::config::{
    self, Environment, SHIPPED_CONFIG, SHIPPED_PROMPT, check_json, check_text, load,
    load_without_key, show_json, show_text,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// What stands in a line of its own before each file but the configuration.
const SECTIONS: [(&str, &str); 3] = [
    ("\n%prompt\n", "data/agent-prompt.json"),
    ("\n%rules\n", "data/rules.json"),
    ("\n%models\n", "data/models.json"),
];

const CONFIG: &str = "data/config.json";

/// A secret that stands in every variable that may hold one, and in some of the kept inputs.
const CANARY: &str = "sk-canary-5eed5eed5eed5eed";

struct Variables;

impl Environment for Variables {
    fn get(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_uppercase();
        (name.ends_with("KEY") || name.ends_with("TOKEN")).then(|| CANARY.to_owned())
    }
}

thread_local! {
    static ROOT: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

pub(super) fn run(input: &[u8]) {
    let root = ROOT.take().unwrap_or_else(|| {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let root = tempfile::tempdir_in(place).unwrap();
        std::fs::create_dir(root.path().join("data")).unwrap();
        root
    });
    let files = files_of(input);
    for (name, bytes) in &files {
        std::fs::write(root.path().join(name), bytes).unwrap();
    }
    for (_, name) in SECTIONS {
        let file = root.path().join(name);
        if !files.contains_key(name) && file.exists() {
            std::fs::remove_file(file).unwrap();
        }
    }
    is_judged(root.path(), &files);
    ROOT.set(Some(root));
}

/// The files of an input, with those that must be there.
fn files_of(input: &[u8]) -> BTreeMap<&'static str, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut rest = input;
    for (mark, name) in SECTIONS.iter().rev() {
        let mark = mark.as_bytes();
        let at = rest.windows(mark.len()).position(|window| window == mark);
        if let Some(at) = at {
            files.insert(*name, rest[at + mark.len()..].to_vec());
            rest = &rest[..at];
        }
    }
    let config = if rest.is_empty() {
        SHIPPED_CONFIG.as_bytes()
    } else {
        rest
    };
    files.insert(CONFIG, config.to_vec());
    let prompt = files.entry(SECTIONS[0].1);
    prompt.or_insert_with(|| SHIPPED_PROMPT.as_bytes().to_vec());
    files
}

fn holds(bytes: &[u8], secret: &str) -> bool {
    bytes
        .windows(secret.len())
        .any(|window| window == secret.as_bytes())
}

/// Whether the secret stands in the name of a key, or nobody can say.
fn has_key(bytes: &[u8], secret: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let after = text.split(secret).skip(1);
    let mut ends = after.map(|after| after.split_once('"').map_or("", |(_, behind)| behind));
    ends.any(|behind| behind.is_empty() || behind.trim_start().starts_with(':'))
}

fn is_judged(root: &Path, files: &BTreeMap<&'static str, Vec<u8>>) {
    let outcome = load(root, &Variables);
    let is_written = files.values().any(|bytes| holds(bytes, CANARY));
    let problems = match &outcome {
        Ok(loaded) => {
            let shown = [
                show_text(loaded),
                show_json(loaded).to_string(),
                format!("{loaded:?}"),
            ];
            assert!(
                is_written || !shown.concat().contains(CANARY),
                "a secret is shown"
            );
            &loaded.warnings
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "refused without a word");
            assert!(!config::failure(problems).to_string().is_empty());
            problems
        }
    };
    for problem in problems {
        assert!(!problem.message.is_empty(), "{problem:?}");
        let text = files.get(problem.file.as_str());
        match text.filter(|_| problem.line > 0) {
            Some(bytes) => {
                let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
                let text = String::from_utf8_lossy(body);
                assert!(is_place(&text, problem.line, problem.column), "{problem:?}");
            }
            // A file that is not there has no places.
            None => assert!(text.is_none() && problem.line == 0, "{problem:?}"),
        }
    }
    // A path, a schedule or a tag is told of by its name; what an address or a key is, never.
    let is_named = files.values().any(|bytes| has_key(bytes, CANARY));
    for problem in problems {
        let is_secret = ["provider", "api"]
            .iter()
            .any(|it| problem.json_path.starts_with(it));
        if is_secret && !is_named {
            assert!(
                !serde_json::json!(problem).to_string().contains(CANARY),
                "{problem:?}"
            );
        }
    }
    let told = [check_text(&outcome), check_json(&outcome).to_string()].concat();
    assert!(is_written || !told.contains(CANARY), "a secret is told");
    // Where the key is there, it makes no difference that it need not be. Every so often is enough.
    if told.len().is_multiple_of(8) {
        let again = load_without_key(root, &Variables);
        assert_eq!(again.is_ok(), outcome.is_ok());
    }
}
