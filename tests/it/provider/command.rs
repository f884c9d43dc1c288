//! Programs that answer on a terminal, as real child processes: each speaks one of the recorded
//! dialects, misbehaves in one way, or tells what it was given.

#![expect(
    clippy::disallowed_methods,
    reason = "the programs are written and their notes read"
)]

use super::DEADLINE;
use crate::script::script;
use kjxlkj_agent::core::prompt::{ChatRole, PromptMessage};
use kjxlkj_agent::core::protocol::AllowedTags;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::provider::{
    CommandLine, CommandProvider, FinishReason, KNOWN_COMMANDS, LlmProvider as _, LlmReply,
    LlmRequest, ProviderError, Scratch,
};
use kjxlkj_agent::store::scratch::ScratchFolder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a program may take that never ends: longer, until it was long enough for it to begin.
const PATIENCE_MS: [u64; 3] = [300, 3000, 20_000];

const REPLY: &str = "<ram_delete><key>plan</key></ram_delete>";

fn program(folder: &Path, name: &str, body: &str) -> String {
    let path = folder.join(name);
    script(&path, body);
    path.display().to_string()
}

fn line(words: Vec<String>, folder: &Path) -> CommandLine {
    let variables = [
        ("PATH", std::env::var("PATH").unwrap()),
        ("HOME", "/home/somebody".to_owned()),
        ("NOTIFY_SOCKET", "/run/notify".to_owned()),
        ("OPENROUTER_API_KEY", "sk-or-secret".to_owned()),
        ("XAI_API_KEY", "xai-login".to_owned()),
    ];
    CommandLine {
        words,
        model: "a-model".to_owned(),
        key_variable: None,
        environment: variables
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
        scratch: Arc::new(folder.to_path_buf()),
        timeout: Duration::from_mins(1),
    }
}

async fn ask(line: CommandLine) -> Result<LlmReply, ProviderError> {
    let message = |role, content: &str| PromptMessage {
        role,
        content: content.to_owned(),
    };
    let messages = vec![
        message(ChatRole::System, "You keep notes."),
        message(ChatRole::User, "geese fly at dawn"),
    ];
    CommandProvider::new(line)
        .complete(&LlmRequest {
            messages,
            max_tokens: 64,
            constraint: None,
            without_reasoning: false,
            wants_certainty: false,
            allowed_tags: AllowedTags::default(),
        })
        .await
}

async fn run(body: &str) -> Result<LlmReply, ProviderError> {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), "answers", body);
    ask(line(vec![program], folder.path())).await
}

fn prints(lines: &[&str]) -> String {
    format!("cat >/dev/null\ncat <<'END'\n{}\nEND", lines.join("\n"))
}

#[tokio::test]
async fn each_program_is_run_and_its_lines_become_a_reply() {
    let claude = [
        r#"{"type":"system","subtype":"init","model":"opus"}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"part"}]}}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"REPLY","usage":{"input_tokens":11,"output_tokens":7}}"#,
    ];
    let codex = [
        r#"{"type":"thread.started","thread_id":"1"}"#,
        r#"{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}"#,
        r#"{"type":"item.completed","item":{"type":"agent_message","text":"REPLY"}}"#,
        r#"{"type":"turn.completed","usage":{"input_tokens":11,"cached_input_tokens":3,"output_tokens":7}}"#,
    ];
    let gemini = [
        r#"{"type":"init","model":"pro"}"#,
        r#"{"type":"message","role":"user","content":"geese"}"#,
        r#"{"type":"message","role":"assistant","content":"REPLY","delta":true}"#,
        r#"{"type":"result","status":"success","stats":{"input_tokens":11,"output_tokens":7}}"#,
    ];
    for known in KNOWN_COMMANDS {
        let lines: &[&str] = match known.name() {
            "codex" => &codex,
            "gemini" => &gemini,
            _ => &claude,
        };
        let folder = tempfile::tempdir().unwrap();
        let body = format!(
            "echo \"$@\" > {}/arguments\n{}",
            folder.path().display(),
            prints(lines).replace("REPLY", REPLY)
        );
        program(folder.path(), known.name(), &body);
        let mut line = line(known.words().map(str::to_owned).collect(), folder.path());
        line.environment[0].1 = format!("{}:{}", folder.path().display(), line.environment[0].1);
        line.words[0] = folder.path().join(known.name()).display().to_string();
        let reply = ask(line).await.unwrap();
        assert_eq!(reply.text, REPLY, "{}", known.name());
        let usage = (
            reply.usage.calls,
            reply.usage.input_tokens,
            reply.usage.output_tokens,
        );
        assert_eq!(usage, (1, 11, 7), "{}", known.name());
        let arguments = fs::read_to_string(folder.path().join("arguments")).unwrap();
        assert!(
            arguments.contains("a-model") && !arguments.contains("geese"),
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn a_program_that_counts_nothing_has_its_tokens_estimated() {
    for usage in ["", ",\"usage\":null", ",\"usage\":7"] {
        let result =
            format!("{{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"geese\"{usage}}}");
        let reply = run(&prints(&[&result])).await.unwrap();
        assert!(reply.arrival.usage_is_estimated, "{usage}");
        assert_eq!(reply.usage.calls, 1);
        assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0);
    }
}

#[tokio::test]
async fn why_a_program_s_model_stopped_is_what_it_says() {
    let rows: [(&str, &str, Result<FinishReason, FinishReason>); 7] = [
        ("null", "\"end_turn\"", Ok(FinishReason::Stop)),
        ("\"tool_use\"", "null", Ok(FinishReason::ToolCalls)),
        ("\"tool_use\"", "\"end_turn\"", Ok(FinishReason::Stop)),
        ("\"max_tokens\"", "null", Ok(FinishReason::Length)),
        ("null", "\"refusal\"", Err(FinishReason::ContentFilter)),
        ("null", "\"eaten\"", Err(FinishReason::Error)),
        ("null", "null", Ok(FinishReason::Stop)),
    ];
    for (inside, last, finish) in rows {
        let said = format!(
            r#"{{"type":"assistant","message":{{"stop_reason":{inside},"content":[{{"type":"text","text":"x"}}]}}}}"#
        );
        let result = format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"x","stop_reason":{last}}}"#
        );
        let reply = run(&prints(&[said.as_str(), result.as_str()])).await;
        let told = reply.map(|reply| reply.finish);
        assert_eq!(
            told.map_err(|error| error.finish),
            finish,
            "{inside} {last}"
        );
    }
}

#[tokio::test]
async fn a_program_gets_the_prompt_and_nothing_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let body = format!(
        "(cat; env; pwd; ls -A) > {}\necho '{{\"type\":\"result\",\"result\":\"{REPLY}\"}}'",
        seen.display()
    );
    let elsewhere = tempfile::tempdir().unwrap();
    let program = program(folder.path(), "tells", &body);
    let mut own = line(vec![program], elsewhere.path());
    own.key_variable = Some("XAI_API_KEY".to_owned());
    ask(own).await.unwrap();
    let seen = fs::read_to_string(seen).unwrap();
    for words in [
        "You keep notes.",
        "User:\ngeese fly at dawn",
        "HOME=/home/somebody",
        "XAI_API_KEY=xai-login",
    ] {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    for secret in ["NOTIFY_SOCKET", "OPENROUTER_API_KEY", "sk-or-secret"] {
        assert!(!seen.contains(secret), "{secret}: {seen}");
    }
    assert!(
        seen.contains(&elsewhere.path().display().to_string()),
        "{seen}"
    );
}

/// A program may put the key that it was given into its words.
#[tokio::test]
async fn the_key_of_a_program_is_repeated_in_no_message() {
    let folder = tempfile::tempdir().unwrap();
    let failed = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"result":"header x-key=$XAI_API_KEY malformed"}"#;
    let body = format!("cat >/dev/null\necho \"{}\"", failed.replace('"', "\\\""));
    let program = program(folder.path(), "tells", &body);
    let mut own = line(vec![program], folder.path());
    own.key_variable = Some("XAI_API_KEY".to_owned());
    own.environment[4].1 = "xai-login-0123456789".to_owned();
    let failed = ask(own.clone()).await.unwrap_err();
    assert!(!failed.message.contains("xai-login"), "{failed}");
    own.environment[4].1 = String::new();
    let failed = ask(own).await.unwrap_err();
    assert!(failed.message.contains("malformed"), "{failed}");
}

#[tokio::test]
async fn programs_that_fail_are_told_apart() {
    let good = format!("{{\"type\":\"result\",\"result\":\"{REPLY}\"}}");
    let failed = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"result":"quota of geese fly at dawn"}"#;
    let rows = [
        (
            "ends badly",
            format!("echo '{good}'; exit 3"),
            Code::ProviderServerError,
            "exit status: 3",
        ),
        (
            "says nothing",
            "cat >/dev/null".to_owned(),
            Code::ProviderBadResponse,
            "without a result",
        ),
        (
            "prints prose",
            "echo hello; echo '[1]'".to_owned(),
            Code::ProviderBadResponse,
            "2 lines",
        ),
        (
            "says that it failed",
            prints(&[failed]),
            Code::ProviderServerError,
            "the program failed",
        ),
        (
            "turn failed",
            prints(&[r#"{"type":"turn.failed","error":{"message":"no credit"}}"#]),
            Code::ProviderServerError,
            "no credit",
        ),
        (
            "holds no text",
            prints(&[r#"{"type":"result","result":" "}"#]),
            Code::LlmEmptyReply,
            "no text",
        ),
        (
            "is no text",
            "printf '\\377\\n'".to_owned(),
            Code::XmlParseError,
            "UTF-8",
        ),
        (
            "never ends a line",
            "head -c 5000000 /dev/zero | tr '\\0' x".to_owned(),
            Code::LlmReplyRunaway,
            "longer",
        ),
    ];
    for (name, body, code, words) in rows {
        let error = run(&body).await.expect_err(name);
        assert_eq!(error.code, code, "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
        assert!(!error.message.contains("geese fly"), "{name}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let missing = ask(line(vec!["/nowhere/program".to_owned()], folder.path()))
        .await
        .unwrap_err();
    assert_eq!((missing.code, missing.retry), (Code::LlmUnavailable, true));
}

/// What the topic `providers` says of a program of one's own.
#[tokio::test]
async fn a_program_of_one_s_own_needs_one_line() {
    let read = |lines: Vec<String>| async move {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let reply = run(&prints(&lines)).await;
        reply.map(|reply| reply.text).map_err(|error| error.code)
    };
    let line = |value: serde_json::Value| value.to_string();
    let result = |text: &str| line(serde_json::json!({"type": "result", "result": text}));
    let piece = |text: &str| line(serde_json::json!({"type": "message", "content": text}));
    let (head, tail) = REPLY.split_at(7);
    let end = r#"{"type":"result"}"#.to_owned();
    let failed = r#"{"type":"error","message":"no"}"#.to_owned();
    for (lines, expected) in [
        (vec![result(REPLY)], Ok(REPLY.to_owned())),
        (vec![piece(head), piece(tail), end], Ok(REPLY.to_owned())),
        (vec![failed], Err(Code::ProviderServerError)),
    ] {
        assert_eq!(read(lines.clone()).await, expected, "{lines:?}");
    }
}

#[tokio::test]
async fn a_timeout_ends_the_whole_group() {
    // Also one that does not listen when it is asked to end.
    for first in ["", "trap '' TERM; "] {
        let folder = tempfile::tempdir().unwrap();
        let pid = folder.path().join("pid");
        let body = format!(
            "{first}sleep 1000 & echo $! > {0}.new; mv {0}.new {0}; wait",
            pid.display()
        );
        let mut slow = line(vec![program(folder.path(), "sleeps", &body)], folder.path());
        for ms in PATIENCE_MS {
            slow.timeout = Duration::from_millis(ms);
            let error = ask(slow.clone()).await.unwrap_err();
            assert_eq!((error.code, error.retry), (Code::LlmTimeout, true));
            if pid.exists() {
                break;
            }
        }
        let child = fs::read_to_string(&pid).unwrap();
        gone(&child).await;
    }
}

/// It may have something to put away: at a timeout, and where it stays after its result.
#[tokio::test]
async fn a_program_is_asked_to_end_before_it_is_made_to() {
    let result = format!(r#"{{"type":"result","subtype":"success","result":"{REPLY}"}}"#);
    for said in [":".to_owned(), format!("echo '{result}'")] {
        let folder = tempfile::tempdir().unwrap();
        let asked = folder.path().join("asked");
        let body = format!(
            "trap ': > {}; exit 0' TERM\n{said}\nsleep 1000 & wait",
            asked.display()
        );
        let mut line = line(vec![program(folder.path(), "stays", &body)], folder.path());
        for ms in PATIENCE_MS {
            if said == ":" {
                line.timeout = Duration::from_millis(ms);
            }
            let reply = ask(line.clone()).await;
            if asked.exists() {
                assert_eq!(reply.is_ok(), said != ":", "{reply:?}");
                break;
            }
        }
        assert!(asked.exists(), "{said}");
    }
}

/// Waits until a process is killed and, at the latest a moment later, taken over and gone.
async fn gone(pid: &str) {
    let stat = format!("/proc/{}/stat", pid.trim());
    let is_gone = || fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
    let gone = async {
        while !is_gone() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, gone).await.unwrap();
}

#[tokio::test]
async fn what_a_program_leaves_behind_does_not_hold_its_answer_back() {
    let result =
        r#"{"type":"result","subtype":"success","result":"REPLY"}"#.replace("REPLY", REPLY);
    for body in [
        format!("sleep 1000 & echo '{result}'; exit 0"),
        format!("sleep 1000 & printf %s '{result}'; exit 0"),
        format!("setsid sleep 30 & echo '{result}'; exit 0"),
        // It may also be what writes the answer.
        format!("(sleep 0.05; echo '{result}') & exit 0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut line = line(vec![program(folder.path(), "leaves", &body)], folder.path());
        line.timeout = Duration::from_secs(20);
        assert_eq!(ask(line).await.unwrap().text, REPLY, "{body}");
    }
}

/// What was answered has been paid for. The program is started once, and ended.
#[tokio::test]
async fn a_program_that_has_given_its_result_and_does_not_end_is_ended() {
    let said = r#"{"type":"item.completed","item":{"type":"agent_message","text":"REPLY"}}"#;
    let piece = r#"{"type":"message","role":"assistant","content":"REPLY","delta":true}"#;
    let good = Ok(REPLY.to_owned());
    let rows = [
        (
            vec![r#"{"type":"result","subtype":"success","is_error":false,"result":"REPLY"}"#],
            good.clone(),
        ),
        (
            vec![piece, r#"{"type":"result","status":"success","stats":{}}"#],
            good.clone(),
        ),
        (vec![said, r#"{"type":"turn.completed","usage":{}}"#], good),
        (
            vec![r#"{"type":"turn.failed","error":{"message":"no"}}"#],
            Err(Code::ProviderServerError),
        ),
        (
            vec![
                r#"{"type":"result","is_error":true,"result":"Invalid API key. Please run /login"}"#,
            ],
            Err(Code::ProviderAuthError),
        ),
    ];
    let waits = [
        "while :; do sleep 1000; done",
        // Its output is closed, and it stays.
        "exec >/dev/null; while :; do sleep 1000; done",
        // It goes on telling what nobody asked for.
        "while :; do echo '{\"type\":\"system\"}'; sleep 0.1; done",
    ];
    for (lines, expected) in rows {
        for wait in waits {
            let folder = tempfile::tempdir().unwrap();
            let pid = folder.path().join("pid");
            let said = prints(&lines).replace("REPLY", REPLY);
            // The prompt is not even read.
            let said = said.replace("cat >/dev/null\n", "");
            let body = format!("echo $$ >> {}\n{said}\n{wait}", pid.display());
            let line = line(vec![program(folder.path(), "stays", &body)], folder.path());
            let reply = ask(line).await;
            let read = reply.map(|reply| reply.text).map_err(|error| error.code);
            assert_eq!(read, expected, "{lines:?} {wait}");
            let pid = fs::read_to_string(&pid).unwrap();
            assert_eq!(pid.lines().count(), 1);
            gone(&pid).await;
        }
    }
}

/// A folder for each call, below one that the test can look into.
#[derive(Debug)]
struct Below(PathBuf);

impl Scratch for Below {
    fn folder(&self) -> io::Result<Box<dyn AsRef<Path> + Send>> {
        Ok(Box::new(ScratchFolder::make(&self.0)?))
    }
}

/// A program may leave in its folder what it likes: the folder goes with the call, however that ends.
#[tokio::test]
async fn the_folder_of_a_call_is_new_and_gone_after_it_however_it_ends() {
    let good = prints(&[r#"{"type":"result","subtype":"success","result":"x"}"#]);
    for (name, end) in [
        ("good", good.as_str()),
        ("fails", "exit 3"),
        ("times out", "while :; do sleep 1000; done"),
        ("is given up", "while :; do sleep 1000; done"),
        ("is not there", ""),
    ] {
        let (folder, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let seen = folder.path().join("seen");
        let body = format!(
            "ls -A > {0}; mkdir deep; echo x > deep/file; pwd >> {0}; mv {0} {0}.whole\n{end}",
            seen.display()
        );
        let program = program(folder.path(), "leaves", &body);
        let mut line = line(vec![program], folder.path());
        line.scratch = Arc::new(Below(place.path().to_path_buf()));
        let whole = folder.path().join("seen.whole");
        if name == "is not there" {
            line.words = vec!["/nowhere/program".to_owned()];
        }
        let is_told = async {
            while !whole.exists() {
                tokio::task::yield_now().await;
            }
        };
        let answered = match name {
            "is given up" => tokio::select! {
                reply = ask(line) => Some(reply.is_ok()),
                () = is_told => None,
            },
            "times out" => {
                for ms in PATIENCE_MS {
                    line.timeout = Duration::from_millis(ms);
                    assert!(ask(line.clone()).await.is_err());
                    if whole.exists() {
                        break;
                    }
                }
                Some(false)
            }
            _ => Some(ask(line).await.is_ok()),
        };
        let expected = (name != "is given up").then_some(name == "good");
        assert_eq!(answered, expected, "{name}");
        assert_eq!(whole.exists(), name != "is not there", "{name}");
        if let Ok(seen) = fs::read_to_string(&whole) {
            let ran_in = Path::new(seen.trim());
            assert_eq!(ran_in.parent(), Some(place.path()), "it was empty: {seen}");
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "{name}");
    }
}
