//! What the known programs print, replayed by real child processes: as answers, and as failures of the
//! kind that their own server gave. Where each recording comes from stands beside it.

#![expect(
    clippy::disallowed_methods,
    reason = "what a program has noted is read"
)]

use super::{ANSWERS, config, question};
use crate::script::script;
use kjxlkj_agent::config::{ProviderConfig, ProviderKind, Secret, UNNAMED_MODEL};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    CommandLine, CommandProvider, KNOWN_COMMANDS, LlmProvider as _, LlmReply, ProviderError,
};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

const REPLY: &str = "<ram_delete><key>plan</key></ram_delete>";

/// Tokens of prompt and answer, or a code and whether the same is asked again.
type Read = Result<(u64, u64), (Code, bool)>;

/// Each recording, with what the program ended with.
const RECORDINGS: [(&str, i32, Read); 12] = [
    ("claude-2.1.83-answer.jsonl", 0, Ok((17_493, 6))),
    (
        "claude-2.1.233-refused.jsonl",
        0,
        Err((Code::ProviderAuthError, false)),
    ),
    (
        "claude-2.1.233-retried.jsonl",
        1,
        Err((Code::ProviderServerError, true)),
    ),
    ("codex-0.169.0-answer.jsonl", 0, Ok((41, 17))),
    ("codex-0.169.0-reconnected.jsonl", 0, Ok((41, 17))),
    (
        "codex-0.169.0-refused.jsonl",
        1,
        Err((Code::ProviderAuthError, false)),
    ),
    (
        "codex-0.169.0-dropped.jsonl",
        1,
        Err((Code::ProviderServerError, true)),
    ),
    ("gemini-0.61.0-answer.jsonl", 0, Ok((41, 17))),
    (
        "gemini-0.61.0-refused.jsonl",
        145,
        Err((Code::ProviderAuthError, false)),
    ),
    ("qwen-0.24.4-answer.jsonl", 0, Ok((82, 34))),
    (
        "qwen-0.24.4-no-login.jsonl",
        1,
        Err((Code::ProviderAuthError, false)),
    ),
    (
        "qwen-0.24.4-refused.jsonl",
        1,
        Err((Code::ProviderAuthError, false)),
    ),
];

/// Runs a program of that name that does this.
async fn run(name: &str, body: &str) -> Result<LlmReply, ProviderError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    script(&path, &format!("cat >/dev/null\n{body}"));
    let known = KNOWN_COMMANDS.iter().find(|known| known.name() == name);
    let mut words: Vec<String> = known.unwrap().words().map(str::to_owned).collect();
    words[0] = path.display().to_string();
    let line = CommandLine {
        words,
        model: "a-model".to_owned(),
        key_variable: None,
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        scratch: Arc::new(folder.path().to_path_buf()),
        timeout: Duration::from_mins(1),
    };
    CommandProvider::new(line).complete(&question()).await
}

#[tokio::test]
async fn what_each_program_prints_is_read_rightly() {
    for (name, status, expected) in RECORDINGS {
        let (program, _) = name.split_once('-').unwrap();
        let reply = run(program, &format!("cat {ANSWERS}{name}\nexit {status}")).await;
        let read = match &reply {
            Ok(reply) => {
                assert_eq!(reply.text.trim(), REPLY, "{name}");
                // Claude alone tells what it cost.
                let cost = (program == "claude").then_some(24_000);
                assert_eq!(reply.arrival.cost_micro_dollars, cost, "{name}");
                Ok((reply.usage.input_tokens, reply.usage.output_tokens))
            }
            Err(error) => Err((error.code, error.retry)),
        };
        assert_eq!(read, expected, "{name}: {reply:?}");
    }
}

#[tokio::test]
async fn failures_are_told_apart_by_what_the_program_says_of_them() {
    let result = |words: &str| {
        format!(
            "echo '{{\"type\":\"result\",\"is_error\":true,\"result\":\"\",\"error\":\"{words}\"}}'"
        )
    };
    let gemini_failed = r#"{"type":"result","status":"error","error":{"type":"FatalTurnLimitedError","message":"Reached max turns"}}"#;
    let (auth, refused, limit, server) = (
        (Code::ProviderAuthError, false),
        (Code::ProviderInvalidInput, false),
        (Code::RateLimited, true),
        (Code::ProviderServerError, true),
    );
    for (program, body, expected) in [
        ("claude", result("Invalid API key. Please run /login"), auth),
        ("claude", result("API Error: 401 no"), auth),
        ("claude", result("Claude usage limit reached"), limit),
        ("claude", result("API Error: 429 slow"), limit),
        ("claude", result("prompt is too long: 210000 tokens"), (Code::ProviderContextExceeded, false)),
        ("claude", result("something else"), server),
        ("codex", "echo '{\"type\":\"turn.failed\",\"error\":{\"message\":\"exceeded retry limit, last status: 429 Too Many Requests\"}}'; exit 1".to_owned(), limit),
        // It says why only to a person.
        ("gemini", "exit 41".to_owned(), auth),
        ("gemini", "exit 42".to_owned(), refused),
        ("gemini", "exit 53".to_owned(), refused),
        ("gemini", format!("echo '{gemini_failed}'; exit 53"), refused),
        ("gemini", format!("echo '{gemini_failed}'; exit 1"), server),
        // What it does say goes before that.
        ("gemini", format!("{}; exit 42", result("API Error: 429 slow")), limit),
        ("qwen", "exit 53".to_owned(), refused),
        ("qwen", "exit 55".to_owned(), refused),
        // Whoever documents no status means nothing by it.
        ("claude", "exit 41".to_owned(), server),
        ("codex", "exit 53".to_owned(), server),
    ] {
        let error = run(program, &body).await.unwrap_err();
        assert_eq!((error.code, error.retry), expected, "{program} {body}: {error}");
    }
}

#[tokio::test]
async fn what_an_empty_folder_needs_is_told_to_those_who_ask() {
    for (program, told) in [("gemini", true), ("qwen", false)] {
        let body = "test \"$GEMINI_CLI_TRUST_WORKSPACE\" = true || exit 55\n\
                    echo '{\"type\":\"result\",\"result\":\"x\"}'";
        assert_eq!(run(program, body).await.is_ok(), told, "{program}");
    }
}

/// The known programs, with the arguments that each is started with and the variables that it logs in by.
const STARTS: [(&str, &[&str], &[&str]); 6] = [
    (
        "claude",
        &[
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--tools",
            "",
            "--strict-mcp-config",
            "--model",
            "a-model",
        ],
        &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CONFIG_DIR",
        ],
    ),
    (
        "gemini",
        &[
            "--approval-mode",
            "default",
            "--output-format",
            "stream-json",
            "--model",
            "a-model",
        ],
        &[
            "GEMINI_API_KEY",
            "GEMINI_CLI_HOME",
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
        ],
    ),
    (
        "codex",
        &[
            "exec",
            "--json",
            "--sandbox",
            "read-only",
            "--skip-git-repo-check",
            "--model",
            "a-model",
            "-",
        ],
        &[
            "CODEX_ACCESS_TOKEN",
            "CODEX_API_KEY",
            "CODEX_HOME",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
        ],
    ),
    (
        "qwen",
        &[
            "--approval-mode",
            "default",
            "--output-format",
            "stream-json",
            "--model",
            "a-model",
        ],
        &[
            "BAILIAN_CODING_PLAN_API_KEY",
            "DASHSCOPE_API_KEY",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "OPENAI_MODEL",
            "QWEN_HOME",
        ],
    ),
    (
        "ax-glm",
        &["--output-format", "stream-json", "--model", "a-model"],
        &["ZAI_API_KEY"],
    ),
    (
        "ax-grok",
        &["--output-format", "stream-json", "--model", "a-model"],
        &["XAI_API_KEY"],
    ),
];

/// Variables that are nobody's login, or not theirs.
const PRIVATE: [&str; 6] = [
    "AWS_SECRET_ACCESS_KEY",
    "CREDENTIALS_DIRECTORY",
    "KJXLKJ_API_TOKEN",
    "NOTIFY_SOCKET",
    "OPENROUTER_API_KEY",
    "SSH_AUTH_SOCK",
];

/// Runs a program of that name as a configuration of it alone does, amid variables of all of them whose
/// values are their own names; gives what came of it.
async fn started(
    name: &str,
    model: &str,
    body: &str,
    change: impl FnOnce(&mut ProviderConfig),
) -> Result<LlmReply, ProviderError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    script(&path, body);
    let mut config = ProviderConfig {
        kind: ProviderKind::Cli,
        command: vec![path.display().to_string()],
        model: model.to_owned(),
        ..config("")
    };
    change(&mut config);
    let logins = STARTS.iter().flat_map(|(_, _, variables)| *variables);
    let variables = logins.chain(&PRIVATE);
    let mut environment: Vec<(String, String)> = variables
        .map(|name| {
            let value = if name.ends_with("_BASE_URL") {
                format!("https://me:value-of-{name}@gate.example/")
            } else {
                format!("value-of-{name}")
            };
            ((*name).to_owned(), value)
        })
        .collect();
    environment.push(("PATH".to_owned(), "/usr/bin:/bin".to_owned()));
    let scratch = Arc::new(folder.path().to_path_buf());
    CommandProvider::configured(&config, environment, scratch)
        .complete(&question())
        .await
}

const GOOD: &str = r#"echo '{"type":"result","subtype":"success","result":"x"}'"#;

#[tokio::test]
async fn each_known_program_is_started_with_these_words() {
    assert_eq!(STARTS.len(), KNOWN_COMMANDS.len());
    for (name, words, _) in STARTS {
        for model in ["a-model", UNNAMED_MODEL] {
            let notes = tempfile::tempdir().unwrap();
            let seen = notes.path().join("seen");
            let body = format!(
                "for word; do printf '%s\\n' \"$word\"; done > {}\n{GOOD}",
                seen.display()
            );
            started(name, model, &body, |_| ()).await.unwrap();
            let seen = fs::read_to_string(seen).unwrap();
            let seen: Vec<&str> = seen.lines().collect();
            let mut expected = words.to_vec();
            if model == UNNAMED_MODEL {
                expected.retain(|word| !["--model", "a-model"].contains(word));
            }
            assert_eq!(seen, expected, "{name} {model}");
        }
    }
}

/// What stands in the environment for others is none of its business.
#[tokio::test]
async fn each_known_program_is_given_what_it_logs_in_by_and_nothing_else() {
    for (name, _, own) in STARTS {
        let notes = tempfile::tempdir().unwrap();
        let seen = notes.path().join("seen");
        let body = format!("env > {}\n{GOOD}", seen.display());
        started(name, "a-model", &body, |_| ()).await.unwrap();
        let seen = fs::read_to_string(seen).unwrap();
        let mut given: Vec<&str> = seen
            .lines()
            .filter(|line| line.contains("value-of-"))
            .filter_map(|line| Some(line.split_once('=')?.0))
            .collect();
        given.sort_unstable();
        given.dedup();
        assert_eq!(given, own, "{name}");
    }
}

/// Any of them may stand in its words, also the one that the configuration names.
#[tokio::test]
async fn no_key_of_a_program_stands_in_a_message() {
    let failing = |variable: &str| {
        format!(
            "echo \"{{\\\"type\\\":\\\"error\\\",\\\"message\\\":\\\"bad header ${variable}\\\"}}\""
        )
    };
    for known in KNOWN_COMMANDS {
        assert!(known.key_variables().next().is_some());
        for variable in known.key_variables() {
            let failed = started(known.name(), "a-model", &failing(variable), |_| ()).await;
            let said = failed.unwrap_err().message;
            assert!(!said.contains("value-of"), "{}: {said}", known.name());
        }
    }
    let named = |config: &mut ProviderConfig| {
        config.api_key_env = Some("MY_LOGIN".to_owned());
        config.api_key = Some(Secret::new("a-login-of-mine-0123".to_owned()));
    };
    let known = failing("MY_LOGIN");
    for name in ["claude", "a-program-of-mine"] {
        let failed = started(name, "a-model", &known, named).await;
        let said = failed.unwrap_err().message;
        assert!(!said.contains("login"), "{said}");
        // It was given it, and what holds none is shown.
        let test = "test \"$MY_LOGIN\" = a-login-of-mine-0123 && ";
        let told = started(name, "a-model", &format!("{test}{}", failing("?")), named).await;
        assert!(told.unwrap_err().message.contains("bad header"), "{name}");
    }
    // An address may carry a password.
    for (name, _, variables) in STARTS {
        for variable in variables.iter().filter(|name| name.ends_with("_BASE_URL")) {
            let failed = started(name, "a-model", &failing(variable), |_| ()).await;
            let said = failed.unwrap_err().message;
            assert!(!said.contains("value-of"), "{name}: {said}");
        }
    }
}
