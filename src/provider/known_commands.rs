//! The programs whose way of answering is known: how each is called, and which variables it needs. A
//! table; starts nothing.

/// Variables that a program needs to find itself, its login and its language.
pub(super) const PASSED_ON: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "NODE_EXTRA_CA_CERTS",
];

/// A program that is known to answer in a stream of JSON lines.
#[derive(Clone, Copy, Debug)]
pub struct KnownCommand {
    /// Its name in the configuration.
    pub name: &'static str,
    /// The command line; `{model}` becomes the model.
    pub words: &'static [&'static str],
    /// The variable that it reads its key from, where it does not keep a login.
    pub key_variable: Option<&'static str>,
    /// What it is told by variables of its own.
    pub(super) told: &'static [(&'static str, &'static str)],
}

/// The programs that are known.
pub static KNOWN_COMMANDS: [KnownCommand; 6] = [
    known(
        "claude",
        &[
            "claude",
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--model",
            "{model}",
        ],
        None,
    ),
    KnownCommand {
        // In a folder that nobody has called trusted it does nothing; the folder is an empty one.
        told: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
        ..known(
            "gemini",
            &[
                "gemini",
                "--approval-mode",
                "default",
                "--output-format",
                "stream-json",
                "--model",
                "{model}",
            ],
            None,
        )
    },
    known(
        "codex",
        &[
            "codex",
            "exec",
            "--json",
            "--sandbox",
            "read-only",
            "--skip-git-repo-check",
            "--model",
            "{model}",
            "-",
        ],
        None,
    ),
    known(
        "qwen",
        &[
            "qwen",
            // By itself it lets a model judge which tools may run.
            "--approval-mode",
            "default",
            "--output-format",
            "stream-json",
            "--model",
            "{model}",
        ],
        None,
    ),
    known(
        "ax-glm",
        &[
            "ax-glm",
            "--output-format",
            "stream-json",
            "--model",
            "{model}",
        ],
        Some("ZAI_API_KEY"),
    ),
    known(
        "ax-grok",
        &[
            "ax-grok",
            "--output-format",
            "stream-json",
            "--model",
            "{model}",
        ],
        Some("XAI_API_KEY"),
    ),
];

const fn known(
    name: &'static str,
    words: &'static [&'static str],
    key_variable: Option<&'static str>,
) -> KnownCommand {
    KnownCommand {
        name,
        words,
        key_variable,
        told: &[],
    }
}

/// The variables that a command line may pass on: those of every program, and its own key's.
pub fn variables_of(words: &[String]) -> Vec<&'static str> {
    let key = known_by(words).and_then(|known| known.key_variable);
    PASSED_ON.into_iter().chain(key).collect()
}

/// A command line for a program that takes a model of its own: what would name one is left out.
pub(super) fn without_model(words: Vec<String>) -> Vec<String> {
    let mut left: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        if !word.contains("{model}") {
            left.push(word);
        } else if word == "{model}" && left.len() > 1 {
            // The option that it is the value of.
            left.pop_if(|option| option.starts_with('-'));
        }
    }
    left
}

/// The known program that a command line begins with.
pub(super) fn known_by(words: &[String]) -> Option<&'static KnownCommand> {
    let program = words.first()?.rsplit('/').next()?;
    KNOWN_COMMANDS.iter().find(|known| known.name == program)
}
