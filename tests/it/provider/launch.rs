//! Starting and ending real child processes.

use super::{DEADLINE, config};
use crate::peer::{NOBODY, Peer};
use kjxlkj_agent::config::Launch;
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::provider::{HttpProvider, LaunchedServer, Launcher};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{sleep, timeout};

/// Starts `sh -c script` as the server behind `base_url`; also gives the lines that it prints.
async fn start(
    script: &str,
    base_url: &str,
    root: &Path,
    ready_timeout_ms: u64,
) -> (Result<LaunchedServer, Failure>, UnboundedReceiver<String>) {
    let launch = Launch {
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        ready_timeout_ms,
    };
    let config = config(base_url);
    let provider = HttpProvider::new(&config).unwrap();
    let (sender, lines) = unbounded_channel();
    let sink = Arc::new(move |line: &str| {
        // The test may have stopped listening.
        drop(sender.send(line.to_owned()));
    });
    let launcher = Launcher::new(&launch, &config, root).hiding("CARGO_MANIFEST_DIR");
    (launcher.start(&provider, sink).await, lines)
}

async fn line(lines: &mut UnboundedReceiver<String>) -> String {
    timeout(DEADLINE, lines.recv()).await.unwrap().unwrap()
}

/// Waits until the process is gone and reaped.
async fn gone(process_id: u32) {
    let pid = Pid::from_raw(i32::try_from(process_id).unwrap()).unwrap();
    let gone = async {
        while test_kill_process(pid) != Err(Errno::SRCH) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(DEADLINE, gone).await.unwrap();
}

#[tokio::test]
async fn a_server_is_started_in_the_root_heard_and_stopped() {
    let peer = Peer::start();
    let root = tempfile::tempdir().unwrap();
    let script = "printf '10%%\\r20%%\\n'; echo port {port}; pwd; \
                  echo key ${CARGO_MANIFEST_DIR-hidden}; echo path ${PATH:+kept}; exec sleep 600";
    let (launched, mut lines) = start(script, &peer.base_url(), root.path(), 20_000).await;
    let launched = launched.unwrap();
    assert!(peer.models_asked() > 0);
    assert_eq!(line(&mut lines).await, "10%");
    assert_eq!(line(&mut lines).await, "20%");
    let port = peer.base_url().replace("http://127.0.0.1:", "");
    let port = port.trim_end_matches("/v1");
    assert_eq!(line(&mut lines).await, format!("port {port}"));
    let folder = root.path().canonicalize().unwrap();
    assert_eq!(line(&mut lines).await, folder.to_str().unwrap());
    assert_eq!(line(&mut lines).await, "key hidden");
    assert_eq!(line(&mut lines).await, "path kept");
    assert_eq!(launched.last_line().as_deref(), Some("path kept"));
    let process_id = launched.process_id().unwrap();
    launched.stop(DEADLINE).await;
    gone(process_id).await;
}

#[tokio::test]
async fn a_server_that_ends_early_is_reported_with_its_last_line() {
    let root = tempfile::tempdir().unwrap();
    let script = "echo fetching; echo no space left >&2; exit 3";
    let (launched, _) = start(script, NOBODY[0], root.path(), 20_000).await;
    let failure = launched.unwrap_err();
    assert_eq!(failure.code, Code::LlmUnavailable);
    assert!(failure.message.contains("exit status: 3"), "{failure}");
    let last = failure.message.split("its last line: ").nth(1).unwrap();
    assert!(["fetching", "no space left"].contains(&last), "{failure}");
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_and_ended() {
    let root = tempfile::tempdir().unwrap();
    let script = "echo $$; exec sleep 600";
    let mut process_id = None;
    // With more patience, until it was enough for the program to begin.
    for ms in [300, 3000, 20_000] {
        let (launched, mut lines) = start(script, NOBODY[0], root.path(), ms).await;
        let failure = launched.unwrap_err();
        assert_eq!(failure.code, Code::LlmUnavailable);
        let told = format!("within {ms} ms");
        assert!(failure.message.contains(&told), "{failure}");
        process_id = timeout(DEADLINE, lines.recv()).await.unwrap();
        if process_id.is_some() {
            break;
        }
    }
    gone(process_id.unwrap().parse().unwrap()).await;
}

#[tokio::test]
async fn a_stopped_server_may_say_goodbye() {
    let peer = Peer::start();
    let root = tempfile::tempdir().unwrap();
    let script = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done";
    let (launched, mut lines) = start(script, &peer.base_url(), root.path(), 20_000).await;
    let launched = launched.unwrap();
    assert_eq!(line(&mut lines).await, "up");
    launched.stop(DEADLINE).await;
    // The shell may first tell that its `sleep` was terminated; the lines end if it never says it.
    while line(&mut lines).await != "bye" {}
}

#[tokio::test]
async fn a_server_that_ignores_the_polite_signal_is_killed() {
    let peer = Peer::start();
    let root = tempfile::tempdir().unwrap();
    let script = "trap '' TERM; echo deaf; while :; do sleep 1; done";
    let (launched, mut lines) = start(script, &peer.base_url(), root.path(), 20_000).await;
    let launched = launched.unwrap();
    let process_id = launched.process_id().unwrap();
    assert_eq!(line(&mut lines).await, "deaf");
    launched.stop(Duration::from_millis(50)).await;
    gone(process_id).await;
}

#[tokio::test]
async fn a_dropped_server_and_its_children_are_killed() {
    let peer = Peer::start();
    let root = tempfile::tempdir().unwrap();
    // The grandchild holds the pipe, so that its end is seen as the end of the lines.
    let script = "trap '' TERM; sleep 600 & echo $!; wait";
    let (launched, mut lines) = start(script, &peer.base_url(), root.path(), 20_000).await;
    let launched = launched.unwrap();
    let process_id = launched.process_id().unwrap();
    let grandchild: i32 = line(&mut lines).await.parse().unwrap();
    drop(launched);
    gone(process_id).await;
    let state = format!("/proc/{grandchild}/stat");
    let gone = async {
        #[expect(
            clippy::disallowed_methods,
            reason = "the process table is not the data folder"
        )]
        let stat = || std::fs::read_to_string(&state);
        // Whoever inherits it may leave it as a zombie for a while.
        while stat().is_ok_and(|stat| !stat.contains(") Z ")) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(DEADLINE, gone).await.unwrap();
}

#[tokio::test]
async fn a_running_server_that_dies_is_noticed() {
    let peer = Peer::start();
    let root = tempfile::tempdir().unwrap();
    let script = "echo $$; exec sleep 600";
    let (launched, mut lines) = start(script, &peer.base_url(), root.path(), 20_000).await;
    let mut launched = launched.unwrap();
    let pid = Pid::from_raw(line(&mut lines).await.parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let how = timeout(DEADLINE, launched.ended()).await.unwrap();
    assert!(how.contains("signal: 9"), "{how}");
}

#[tokio::test]
async fn a_command_that_cannot_be_started_is_a_failure() {
    let root = tempfile::tempdir().unwrap();
    let config = config(NOBODY[0]);
    let provider = HttpProvider::new(&config).unwrap();
    for command in [vec![], vec!["./no/such/program".to_owned()]] {
        let launch = Launch {
            command,
            ready_timeout_ms: 20_000,
        };
        let launcher = Launcher::new(&launch, &config, root.path());
        let failure = launcher.start(&provider, Arc::new(|_: &str| {})).await;
        assert_eq!(failure.unwrap_err().code, Code::LlmUnavailable);
    }
}

/// What comes of a program that is waited for until it says where it listens.
async fn announced(script: &str, ready_timeout_ms: u64) -> Result<String, Failure> {
    let root = tempfile::tempdir().unwrap();
    let launch = Launch {
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        ready_timeout_ms,
    };
    let launcher = Launcher::on_any_port(&launch, root.path());
    let (launched, address) = launcher.start_announced(Arc::new(|_: &str| {})).await?;
    launched.stop(DEADLINE).await;
    Ok(address)
}

#[tokio::test]
async fn a_server_says_itself_where_it_listens() {
    let script = "echo loading; echo READY http://127.0.0.1:4{port} pid $$ model m; exec sleep 600";
    let address = announced(script, 60_000).await.unwrap();
    assert_eq!(address, "http://127.0.0.1:40");
    // On standard error anything may be said.
    let script = "echo READY http://127.0.0.1:1 >&2; exec sleep 600";
    let failure = announced(script, 300).await.unwrap_err();
    assert!(failure.message.contains("did not say READY"), "{failure}");
    let failure = announced("echo READY", 60_000).await.unwrap_err();
    assert!(failure.message.contains("ended before"), "{failure}");
    for address in ["http://192.0.2.1:80", "https://127.0.0.1:80", "nowhere"] {
        let script = format!("echo READY {address}; exec sleep 600");
        let failure = announced(&script, 60_000).await.unwrap_err();
        assert_eq!(failure.code, Code::LlmUnavailable);
        assert!(failure.message.contains(address), "{failure}");
    }
}
