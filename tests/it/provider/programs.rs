//! What the known programs print, replayed by real child processes: as answers, and as failures of the
//! kind that their own server gave. Where each recording comes from stands beside it.

use super::{ANSWERS, question};
use crate::script::script;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    CommandLine, CommandProvider, KNOWN_COMMANDS, LlmProvider as _, LlmReply, ProviderError,
};
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
    let known = KNOWN_COMMANDS.iter().find(|known| known.name == name);
    let mut words: Vec<String> = known
        .unwrap()
        .words
        .iter()
        .map(ToString::to_string)
        .collect();
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
async fn pr01_pr17_what_each_program_prints_is_read_rightly() {
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
async fn pr17_failures_are_told_apart_by_what_the_program_says_of_them() {
    let result = |words: &str| {
        format!(
            "echo '{{\"type\":\"result\",\"is_error\":true,\"result\":\"\",\"error\":\"{words}\"}}'"
        )
    };
    let (auth, limit, server) = (
        (Code::ProviderAuthError, false),
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
        ("gemini", "exit 42".to_owned(), server),
    ] {
        let error = run(program, &body).await.unwrap_err();
        assert_eq!((error.code, error.retry), expected, "{program} {body}: {error}");
    }
}

#[tokio::test]
async fn pr01_what_an_empty_folder_needs_is_told_to_those_who_ask() {
    for (program, told) in [("gemini", true), ("qwen", false)] {
        let body = "test \"$GEMINI_CLI_TRUST_WORKSPACE\" = true || exit 55\n\
                    echo '{\"type\":\"result\",\"result\":\"x\"}'";
        assert_eq!(run(program, body).await.is_ok(), told, "{program}");
    }
}
