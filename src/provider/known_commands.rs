//! The programs whose way of answering is known: how each is called, which variables it logs in by, and
//! what it means by the status that it ends with. A table; starts nothing.

use crate::failure::Code;

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

/// What a program means by an exit status that says more than that it failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) status: i32,
    pub(super) code: Code,
    /// In a form that follows `program: `.
    pub(super) reason: &'static str,
}

/// A program that is known to answer in a stream of JSON lines.
#[derive(Clone, Copy, Debug)]
pub struct KnownCommand {
    /// Its name in the configuration.
    pub name: &'static str,
    /// The command line; `{model}` becomes the model.
    pub words: &'static [&'static str],
    /// The variables that it reads a key from, where it does not keep a login. An address that a key is
    /// meant for goes with it, or the key would go to another.
    pub key_variables: &'static [&'static str],
    /// Those that say whose login it is and where that lies or holds. They are no secrets.
    pub(super) account_variables: &'static [&'static str],
    /// What it is told by variables of its own.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// What its exit statuses mean.
    pub(super) exits: &'static [Exit],
}

/// The programs that are known.
pub static KNOWN_COMMANDS: [KnownCommand; 6] = [
    CLAUDE,
    GEMINI,
    CODEX,
    QWEN,
    KnownCommand {
        key_variables: &["ZAI_API_KEY"],
        ..known(
            "ax-glm",
            &[
                "ax-glm",
                "--output-format",
                "stream-json",
                "--model",
                "{model}",
            ],
        )
    },
    KnownCommand {
        key_variables: &["XAI_API_KEY"],
        ..known(
            "ax-grok",
            &[
                "ax-grok",
                "--output-format",
                "stream-json",
                "--model",
                "{model}",
            ],
        )
    },
];

const CLAUDE: KnownCommand = KnownCommand {
    key_variables: &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
    ],
    account_variables: &["ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"],
    ..known(
        "claude",
        &[
            "claude",
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            // None of its own tools, and none of the servers that its settings name.
            "--tools",
            "",
            "--strict-mcp-config",
            "--model",
            "{model}",
        ],
    )
};

const GEMINI: KnownCommand = KnownCommand {
    key_variables: &[
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_CLOUD_ACCESS_TOKEN",
    ],
    account_variables: &[
        "GEMINI_CLI_HOME",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_PROJECT_ID",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_VERTEX_BASE_URL",
    ],
    // In a folder that nobody has called trusted it does nothing; the folder is an empty one.
    environment: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
    // It says why only to a person.
    exits: &[
        Exit {
            status: 41,
            code: Code::ProviderAuthError,
            reason: "the program is not logged in",
        },
        Exit {
            status: 42,
            code: Code::ProviderInvalidInput,
            reason: "the program does not take what it was asked or how it was started",
        },
        TURNS_USED_UP,
    ],
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
    )
};

const CODEX: KnownCommand = KnownCommand {
    key_variables: &["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY"],
    account_variables: &["CODEX_HOME", "OPENAI_BASE_URL"],
    ..known(
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
    )
};

const QWEN: KnownCommand = KnownCommand {
    key_variables: &[
        "BAILIAN_CODING_PLAN_API_KEY",
        "DASHSCOPE_API_KEY",
        "OPENAI_API_KEY",
    ],
    account_variables: &["OPENAI_BASE_URL", "OPENAI_MODEL", "QWEN_HOME"],
    exits: &[
        TURNS_USED_UP,
        Exit {
            status: 55,
            code: Code::ProviderInvalidInput,
            reason: "the program met a limit that its own settings put on a run",
        },
    ],
    ..known(
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
    )
};

/// Of Gemini, and of what came of it.
const TURNS_USED_UP: Exit = Exit {
    status: 53,
    code: Code::ProviderInvalidInput,
    reason: "the program has used up the turns that its own settings allow",
};

const fn known(name: &'static str, words: &'static [&'static str]) -> KnownCommand {
    KnownCommand {
        name,
        words,
        key_variables: &[],
        account_variables: &[],
        environment: &[],
        exits: &[],
    }
}

/// The variables that a command line may pass on: those of every program, and those of its own login.
pub fn variables_of(words: &[String]) -> Vec<&'static str> {
    let own = known_by(words).into_iter().flat_map(|known| {
        let variables = known.key_variables.iter().chain(known.account_variables);
        variables.copied()
    });
    PASSED_ON.into_iter().chain(own).collect()
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
