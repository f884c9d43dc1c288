//! The checks themselves: each takes sources and answers with complaints, so that a planted
//! violation can show that it would complain.

use super::is_rust;
use super::scan::{Source, declared, functions, has_word, modules};
use kjxlkj_agent::failure::Code;
use std::collections::BTreeSet;
use std::path::Path;

/// Longest file, in lines without its test module.
const FILE_LINES_MAX: usize = 600;

/// Longest function, in lines from name to closing brace.
const FUNCTION_LINES_MAX: usize = 80;

/// Names in capitals that are no error codes: variables of the environment, and a
/// field of the journal of systemd.
const VARIABLES: [&str; 51] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "BAILIAN_CODING_PLAN_API_KEY",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CONFIG_DIR",
    "CODEX_ACCESS_TOKEN",
    "CODEX_API_KEY",
    "CODEX_HOME",
    "CREDENTIALS_DIRECTORY",
    "DASHSCOPE_API_KEY",
    "GEMINI_API_KEY",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_TRUST_WORKSPACE",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_ACCESS_TOKEN",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_PROJECT_ID",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_GENAI_USE_GCA",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_VERTEX_BASE_URL",
    "JOURNAL_STREAM",
    "KJXLKJ_API_TOKEN",
    "KJXLKJ_ROOT",
    "LC_ALL",
    "LISTEN_FDNAMES",
    "LISTEN_FDS",
    "LISTEN_PID",
    "MESSAGE_ID",
    "NODE_EXTRA_CA_CERTS",
    "NOTIFY_SOCKET",
    "NO_COLOR",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_MODEL",
    "OPENROUTER_API_KEY",
    "QWEN_HOME",
    "SYSLOG_IDENTIFIER",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
    "XAI_API_KEY",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "ZAI_API_KEY",
];

/// What nothing in `core/` may name: everything that reaches out of the program or depends on when
/// and where it runs.
const IMPURE: [&str; 16] = [
    "tokio",
    "rustix",
    "reqwest",
    "tracing",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::time::SystemTime",
    "std::time::Instant",
    "chrono::Local",
];

/// The rooms above `core`, which it must not know.
const ROOMS_ABOVE: [&str; 7] = [
    "api",
    "cli",
    "config",
    "daemon",
    "provider",
    "store",
    "telemetry",
];

fn complaint(source: &Source, line: usize, words: &str) -> String {
    format!("{}:{line}: {words}", source.path)
}

fn is_below(source: &Source, places: &[&str]) -> bool {
    places.iter().any(|place| source.path.starts_with(place))
}

/// Whether one of the paths that a source names is `module` or lies in it.
fn names(source: &Source, module: &str) -> bool {
    source.named_paths().iter().any(|path| {
        let path = path.split(" as ").next().unwrap_or(path);
        path == module || path.starts_with(&format!("{module}::"))
    })
}

pub(crate) fn purity(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|one| is_below(one, &["src/core/"])) {
        let rooms = ROOMS_ABOVE.map(|room| format!("crate::{room}"));
        for module in IMPURE
            .iter()
            .copied()
            .chain(rooms.iter().map(String::as_str))
        {
            if names(source, module) {
                complaints.push(complaint(source, 1, &format!("names `{module}`")));
            }
        }
        for word in [
            "async",
            "await",
            "Utc::now",
            "now_v7",
            "new_v4",
            "now_utc",
            "thread_rng",
        ] {
            for line in source.lines_with(word) {
                complaints.push(complaint(source, line, &format!("uses `{word}`")));
            }
        }
    }
    complaints
}

pub(crate) fn disk_access(sources: &[Source]) -> Vec<String> {
    let allowed = [
        "src/store/",
        "src/config/files.rs",
        "src/config/init.rs",
        "src/provider/launch.rs",
    ];
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|one| !is_below(one, &allowed)) {
        for module in ["std::fs", "rustix::fs", "tokio::fs", "std::os::unix::fs"] {
            if names(source, module) {
                let words = format!("`{module}` outside the places that touch the disk");
                complaints.push(complaint(source, 1, &words));
            }
        }
    }
    complaints
}

/// Names that plain ones have replaced; none of them may come back.
const OLD_NAMES: [&str; 54] = [
    "Acted",
    "Bench",
    "Beside",
    "Circles",
    "Complaint",
    "Complaints",
    "Counter",
    "Desk",
    "Displaced",
    "Doing",
    "Errand",
    "Errands",
    "Fleet",
    "Granted",
    "Hours",
    "KeptScan",
    "Ladder",
    "Levels",
    "Likeness",
    "LogWatcher",
    "Materials",
    "Opening",
    "Outfit",
    "Pulse",
    "Purse",
    "Resting",
    "Room",
    "Rung",
    "Said",
    "Sight",
    "Standing",
    "Stowed",
    "Survey",
    "Told",
    "Trial",
    "Unsettled",
    "Wardrobe",
    "Watcher",
    "Wish",
    "Worked",
    "change_clothes",
    "counts_parts",
    "doubted",
    "dress_for",
    "errand",
    "lagging",
    "muster",
    "pay_for",
    "put_uncut",
    "rung",
    "settle_owed",
    "tightened",
    "untaken",
    "wardrobe",
];

/// Words that no declared name may hold: they say nothing of the thing that they name.
const VAGUE_WORDS: [&str; 10] = [
    "heed", "heeds", "owed", "said", "saw", "stuff", "tell", "thing", "told", "whole",
];

/// Old names that have come back, and vague words in declared names.
pub(crate) fn old_names(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|one| is_below(one, &["src/"])) {
        for word in OLD_NAMES {
            for line in source.lines_with(word) {
                complaints.push(complaint(source, line, &format!("`{word}` was renamed")));
            }
        }
        for (name, line) in declared(source.code()) {
            let is_vague = words_of(&name).any(|word| VAGUE_WORDS.contains(&word.as_str()));
            if is_vague {
                complaints.push(complaint(source, line, &format!("`{name}` is vague")));
            }
        }
    }
    complaints
}

/// The words of a name, in small letters.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let is_constant = !name.contains(|c: char| c.is_ascii_lowercase());
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_ascii_uppercase() && !is_constant {
            words.push(String::new());
        }
        if c != '_'
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.into_iter()
}

/// A view is put in place by exchanging two names, and its folder is known to `store` alone.
pub(crate) fn view_writing(sources: &[Source]) -> Vec<String> {
    let own = ["src/store/"];
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|one| !is_below(one, &own)) {
        for word in ["EXCHANGE", "Views", "write_view", "write_views"] {
            for line in source.lines_with(word) {
                complaints.push(complaint(source, line, &format!("`{word}` outside store")));
            }
        }
        // The command line and error pages may speak of these places.
        if is_below(source, &["src/cli/", "src/config/", "src/failure"]) {
            continue;
        }
        for text in source.strings() {
            let views = [
                "notes",
                "storage.json",
                "context_keys.json",
                "memory.json",
                "conversations",
                "journal",
            ];
            let last = text.trim_end_matches('/').strip_prefix("data/");
            if text == "agent-kv-store.json" || last.is_some_and(|last| views.contains(&last)) {
                complaints.push(complaint(source, 1, &format!("names the view `{text}`")));
            }
        }
    }
    complaints
}

pub(crate) fn approval(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let code = source.code();
        let guarded = is_below(source, &["src/core/guard/"]);
        for (index, line) in code.lines().enumerate() {
            let made = ["Approved(", "Approved {", "Approved::"]
                .iter()
                .any(|form| has_word(line, form));
            if made && !guarded {
                complaints.push(complaint(source, index + 1, "makes an `Approved`"));
            }
            if line.contains("struct Approved") {
                let attributes: Vec<&str> = code.lines().take(index).collect();
                let derives = attributes
                    .iter()
                    .rev()
                    .take_while(|line| line.trim_start().starts_with("#["))
                    .copied()
                    .collect::<String>();
                let open = line.contains("(pub")
                    || ["Default", "Deserialize"]
                        .iter()
                        .any(|one| has_word(&derives, one));
                if open {
                    complaints.push(complaint(
                        source,
                        index + 1,
                        "`Approved` can be made by anybody",
                    ));
                }
            }
        }
    }
    complaints
}

pub(crate) fn wire_shapes(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let at_edge = is_below(source, &["src/provider/"]);
        if !at_edge && names(source, "reqwest") {
            complaints.push(complaint(source, 1, "`reqwest` outside provider"));
        }
        if is_below(source, &["src/core/"]) {
            for word in ["choices", "tool_calls", "response_format", "jsonrpc"] {
                let said = source.strings().iter().any(|text| has_word(text, word));
                if said || !source.lines_with(word).is_empty() {
                    complaints.push(complaint(source, 1, &format!("`{word}` is wire shape")));
                }
            }
        }
    }
    complaints
}

pub(crate) fn raw_configuration(sources: &[Source]) -> Vec<String> {
    let own = ["src/config/", "src/cli/"];
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|one| !is_below(one, &own)) {
        for module in [
            "std::env",
            "crate::config::Environment",
            "crate::config::Settings",
            "crate::config::KEYS",
        ] {
            if names(source, module) {
                complaints.push(complaint(source, 1, &format!("names `{module}`")));
            }
        }
        for word in ["Environment"] {
            for line in source.lines_with(word) {
                complaints.push(complaint(source, line, &format!("uses `{word}`")));
            }
        }
    }
    complaints
}

pub(crate) fn shape_of_files(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let code = source.code();
        let lines = code.lines().count();
        if lines > FILE_LINES_MAX {
            complaints.push(complaint(
                source,
                lines,
                "the file is too long; look for its concepts",
            ));
        }
        if !source.text.starts_with("//!") {
            complaints.push(complaint(source, 1, "does not open with what it owns"));
        }
        for (name, line, length) in functions(code) {
            if length > FUNCTION_LINES_MAX {
                complaints.push(complaint(
                    source,
                    line,
                    &format!("`{name}` has {length} lines"),
                ));
            }
        }
        for (index, line) in code.lines().enumerate() {
            let line = line.trim();
            if line.starts_with("#[path") || line.starts_with("#![path") {
                complaints.push(complaint(
                    source,
                    index + 1,
                    "a module elsewhere than it says",
                ));
            }
            if line.starts_with("pub") && has_word(line, "use") && line.contains("::*") {
                complaints.push(complaint(source, index + 1, "passes on whatever is there"));
            }
        }
    }
    complaints
}

/// Files that no `mod` line leads to from one of `entries`.
pub(crate) fn unreachable_files(sources: &[Source], entries: &[&str]) -> Vec<String> {
    let mut open: Vec<String> = entries.iter().map(|&entry| entry.to_owned()).collect();
    let mut reached = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Some(source) = sources.iter().find(|source| source.path == path) else {
            continue;
        };
        if !reached.insert(path.clone()) {
            continue;
        }
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = file.trim_end_matches(".rs");
        let folder = match stem {
            "lib" | "main" | "mod" => folder.to_owned(),
            _ => format!("{folder}/{stem}"),
        };
        for name in modules(source.code()) {
            open.push(format!("{folder}/{name}.rs"));
            open.push(format!("{folder}/{name}/mod.rs"));
        }
    }
    let missing = sources
        .iter()
        .filter(|source| !reached.contains(&source.path));
    missing
        .map(|source| complaint(source, 1, "no `mod` line leads here"))
        .collect()
}

/// Codes that nothing uses although they are not in `later`, codes in `later` that are in use, and
/// texts that look like a code and are none.
pub(crate) fn codes(sources: &[Source], all: &[Code], later: &[Code]) -> Vec<String> {
    let product: Vec<&Source> = sources
        .iter()
        .filter(|source| source.path != "src/failure/code.rs")
        .collect();
    let mut complaints = Vec::new();
    for code in all {
        let used = product
            .iter()
            .any(|source| has_word(source.code(), &format!("Code::{code:?}")));
        if !used && !later.contains(code) {
            complaints.push(format!("{code}: nothing answers with this code"));
        }
        if used && later.contains(code) {
            complaints.push(format!(
                "{code}: is in use; take it off the list of later ones"
            ));
        }
    }
    for source in product {
        for text in source.strings() {
            let looks = text.contains('_')
                && text.starts_with(|c: char| c.is_ascii_uppercase())
                && text
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            if looks && Code::parse(text).is_none() && !VARIABLES.contains(&text.as_str()) {
                complaints.push(complaint(
                    source,
                    1,
                    &format!("`{text}` is not in the table of codes"),
                ));
            }
        }
    }
    complaints
}

/// Keys without a test, tests of no key, and named tests that do not exist.
pub(crate) fn key_tests(keys: &[&str], listed: &[(&str, &str)], tests: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for key in keys {
        match listed.iter().filter(|(listed, _)| listed == key).count() {
            1 => {}
            count => complaints.push(format!("{key}: listed {count} times")),
        }
    }
    for (key, test) in listed {
        if !keys.contains(key) {
            complaints.push(format!("{key}: is not a key"));
        }
        let declared = format!("#[test]\nfn {test}()");
        if !tests.iter().any(|source| source.text.contains(&declared)) {
            complaints.push(format!("{key}: there is no test `{test}`"));
        }
    }
    complaints
}

/// The names at the top level.
pub(crate) const TOP_NAMES: [&str; 7] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "data",
    "src",
    "tests",
];

/// Entries of the top level that do not belong there, and those that are missing.
pub(crate) fn top_level(names: &[String]) -> Vec<String> {
    let strange = names.iter().filter(|name| {
        !name.starts_with('.') && *name != "target" && !TOP_NAMES.contains(&name.as_str())
    });
    let missing = TOP_NAMES
        .iter()
        .filter(|known| !names.iter().any(|name| name == *known));
    strange
        .map(|name| format!("{name}: does not belong at the top"))
        .chain(missing.map(|name| format!("{name}: is missing at the top")))
        .collect()
}

/// Files that tools leave beside sources, which no build reads.
pub(crate) fn leftovers(sources: &[Source]) -> Vec<String> {
    let is_page = |source: &Source| {
        let extension = Path::new(&source.path).extension();
        source.path.starts_with("src/help/") && extension.is_some_and(|end| end == "md")
    };
    let others = sources
        .iter()
        .filter(|source| !is_rust(source) && !is_page(source));
    others
        .map(|source| complaint(source, 1, "is no source"))
        .collect()
}

/// Texts that name a place on somebody's machine: that where these sources lie.
pub(crate) fn machine_paths(sources: &[Source], place: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        for (index, line) in source.text.lines().enumerate() {
            if line.contains(place) {
                complaints.push(complaint(source, index + 1, &format!("names `{place}`")));
            }
        }
    }
    complaints
}
