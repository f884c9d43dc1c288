//! The known command-line programs: how each is started, which variables its login needs, and the
//! meaning of its exit statuses. A table; starts nothing.

use crate::failure::Code;

/// The variables that a program needs to find itself, its login and its language.
const PASSED_ON: &str = "PATH HOME USER LOGNAME LANG LC_ALL TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME \
    XDG_STATE_HOME XDG_CACHE_HOME NODE_EXTRA_CA_CERTS";

/// The meaning of an exit status of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) status: i32,
    pub(super) code: Code,
    /// The reason, in a form that follows `program: `.
    pub(super) reason: &'static str,
}

/// A program that is known to reply in a stream of JSON lines.
#[derive(Clone, Copy, Debug)]
pub struct KnownCommand {
    /// The command line, a blank between two words, of which one may be empty; `{model}` becomes
    /// the model.
    line: &'static str,
    // The address that a key is meant for goes with it, or the key would go to another server.
    key_variables: &'static str,
    /// The variables that name the account and where its login is stored or valid.
    /// They are no secrets.
    account_variables: &'static str,
    /// The variables that this program sets for it.
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) exits: &'static [Exit],
}

pub static KNOWN_COMMANDS: [KnownCommand; 6] = [
    CLAUDE,
    GEMINI,
    CODEX,
    QWEN,
    KnownCommand {
        key_variables: "ZAI_API_KEY",
        ..known("ax-glm --output-format stream-json --model {model}")
    },
    KnownCommand {
        key_variables: "XAI_API_KEY",
        ..known("ax-grok --output-format stream-json --model {model}")
    },
];

const CLAUDE: KnownCommand = KnownCommand {
    key_variables: "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN",
    account_variables: "ANTHROPIC_BASE_URL CLAUDE_CONFIG_DIR",
    // No tools of its own, an empty word, and no servers that its settings name.
    ..known(
        "claude -p --output-format stream-json --verbose --tools  --strict-mcp-config \
         --model {model}",
    )
};

const GEMINI: KnownCommand = KnownCommand {
    key_variables: "GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_CLOUD_ACCESS_TOKEN",
    account_variables: "GEMINI_CLI_HOME GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_LOCATION \
        GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_PROJECT_ID GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_USE_GCA \
        GOOGLE_GENAI_USE_VERTEXAI GOOGLE_VERTEX_BASE_URL",
    // In a folder that is not trusted Gemini refuses to work; the folder is an empty one.
    environment: &[("GEMINI_CLI_TRUST_WORKSPACE", "true")],
    // Gemini prints the reason only for a person.
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
    ..known("gemini --approval-mode default --output-format stream-json --model {model}")
};

const CODEX: KnownCommand = KnownCommand {
    key_variables: "CODEX_API_KEY CODEX_ACCESS_TOKEN OPENAI_API_KEY",
    account_variables: "CODEX_HOME OPENAI_BASE_URL",
    ..known("codex exec --json --sandbox read-only --skip-git-repo-check --model {model} -")
};

const QWEN: KnownCommand = KnownCommand {
    key_variables: "BAILIAN_CODING_PLAN_API_KEY DASHSCOPE_API_KEY OPENAI_API_KEY",
    account_variables: "OPENAI_BASE_URL OPENAI_MODEL QWEN_HOME",
    exits: &[
        TURNS_USED_UP,
        Exit {
            status: 55,
            code: Code::ProviderInvalidInput,
            reason: "the program met a limit that its own settings put on a run",
        },
    ],
    // By default Qwen lets a model judge which tools may run.
    ..known("qwen --approval-mode default --output-format stream-json --model {model}")
};

/// The exit status of Gemini and of its forks for a limit of turns.
const TURNS_USED_UP: Exit = Exit {
    status: 53,
    code: Code::ProviderInvalidInput,
    reason: "the program has used up the turns that its own settings allow",
};

/// Returns the program of a command line, whose first word is its name.
const fn known(line: &'static str) -> KnownCommand {
    KnownCommand {
        line,
        key_variables: "",
        account_variables: "",
        environment: &[],
        exits: &[],
    }
}

impl KnownCommand {
    /// Returns the words of the command line, the name of the program first.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ')
    }

    /// Returns the program's name in the configuration.
    pub fn name(&self) -> &'static str {
        self.words().next().unwrap_or_default()
    }

    /// Returns the variables that hold a key, where the program keeps no login.
    pub fn key_variables(&self) -> impl Iterator<Item = &'static str> {
        names(self.key_variables)
    }
}

fn names(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_ascii_whitespace()
}

/// Returns the variables that a command line may get.
/// They are those of every program and those of its login.
pub fn variables_of(words: &[String]) -> Vec<&'static str> {
    let own = known_by(words)
        .into_iter()
        .flat_map(|known| known.key_variables().chain(names(known.account_variables)));
    names(PASSED_ON).chain(own).collect()
}

/// Removes the model from a command line, for a program that chooses one itself.
pub(super) fn without_model(words: Vec<String>) -> Vec<String> {
    let mut left: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        if !word.contains("{model}") {
            left.push(word);
        } else if word == "{model}" && left.len() > 1 {
            // The option whose value the model is.
            left.pop_if(|option| option.starts_with('-'));
        }
    }
    left
}

/// Returns the known program that a command line starts.
pub(super) fn known_by(words: &[String]) -> Option<&'static KnownCommand> {
    let program = words.first()?.rsplit('/').next()?;
    KNOWN_COMMANDS.iter().find(|known| known.name() == program)
}
