//! `demo` with a launched model: nobody is asked but the server that was launched, and only for the model
//! that was launched. The launcher is the shipped one; what it would run is a program of the test.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it looks at the files itself"
)]

use super::sandbox::{Done, Sandbox, finished, last_message};
use crate::peer::{Peer, Step};
use crate::script::script;

/// The model that is launched.
const MODEL: &str = "qwen1.5b";

/// A server that lists these models and does the main job.
fn serving(models: &[&str]) -> Peer {
    let peer = Peer::answering(|request, _| {
        let asked = last_message(request);
        Step::reply(if asked.contains("Make two notes") {
            "new Car: The car is parked on level 2.\nnew Parking ticket: The parking ticket costs 15 euros."
        } else if asked.contains("level 4") {
            "change: The car is parked on level 4."
        } else if asked.contains("Request: ") {
            "answer: How much does the parking ticket cost?"
        } else {
            "The parking ticket costs 15 euros."
        })
    });
    peer.list_models(models);
    peer
}

/// What `demo` does where the launched program does that; `$PORT` is the port that it was given.
fn demo(sandbox: &Sandbox, launched: &str, format: &str) -> Done {
    let programs = sandbox.path("small");
    std::fs::create_dir_all(programs.join("venv/bin")).unwrap();
    script(&programs.join("python3"), "exit 0");
    script(&programs.join("venv/bin/pip"), "exit 1");
    let lines = format!("cat > /dev/null\nPORT=$3\n{launched}");
    script(&programs.join("venv/bin/python"), &lines);
    let mut command = sandbox.command(&["demo", "--format", format]);
    command.env("LLM_DIR", &programs);
    command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    command.env("TMPDIR", sandbox.root());
    finished(command)
}

/// The line by which a launched program says that this peer is its server.
fn ready(peer: &Peer) -> String {
    let address = peer.base_url().replace("/v1", "");
    format!("echo READY {address} pid $$ model {MODEL}; exec sleep 600")
}

#[test]
fn demo_asks_the_server_that_the_launched_program_names() {
    let peer = serving(&[MODEL]);
    let sandbox = Sandbox::quiet();
    let launched = format!("echo $PORT > \"$LLM_DIR/port\"; {}", ready(&peer));
    let done = demo(&sandbox, &launched, "json");
    assert_eq!(done.code, Some(0), "{done:?}");
    let report = done.json();
    assert_eq!(report["recorded"], false, "{done:?}");
    assert!(peer.request_count() > 0);
    // No port is chosen that another could take during the download.
    assert_eq!(sandbox.read("small/port"), "0\n");
    let config = format!("{}/data/config.json", report["root"].as_str().unwrap());
    let config = std::fs::read_to_string(config).unwrap();
    assert!(config.contains(&peer.base_url()), "{config}");
}

#[test]
fn demo_asks_no_server_that_serves_another_model() {
    for models in [&["stranger"][..], &[MODEL, "stranger"], &[]] {
        let stranger = serving(models);
        let sandbox = Sandbox::quiet();
        let done = demo(&sandbox, &ready(&stranger), "json");
        assert_eq!(done.json()["recorded"], true, "{done:?}");
        assert_eq!(stranger.request_count(), 0, "{models:?}: it was asked");
        let root = done.json()["root"].as_str().unwrap().to_owned();
        let config = std::fs::read_to_string(format!("{root}/data/config.json")).unwrap();
        assert!(!config.contains(&stranger.base_url()), "{config}");
    }
}

#[test]
fn demo_says_why_a_launched_server_is_not_asked() {
    let stranger = serving(&["stranger"]);
    let far = "echo READY http://192.0.2.1:80 pid $$; exec sleep 600";
    for (launched, why) in [
        (
            ready(&stranger),
            "is not the model that was launched: it serves stranger",
        ),
        (far.to_owned(), "which is no address of this machine"),
        ("exit 3".to_owned(), "ended before it was ready"),
    ] {
        let done = demo(&Sandbox::quiet(), &launched, "text").ended(0);
        assert!(done.stderr.contains("RECORDING: "), "{done:?}");
        assert!(done.stderr.contains(why), "{done:?}");
    }
}

/// Whoever answers at the port that the program was told is not asked: it may have come first.
#[test]
fn demo_asks_no_stranger_at_a_port_that_was_free_before_the_download() {
    let peer = serving(&[MODEL]);
    let sandbox = Sandbox::quiet();
    // A stranger comes to stand at the port during the download, if one was chosen before.
    let stranger = format!(
        "if [ $PORT != 0 ]; then
           /usr/bin/python3 -c '
import http.server, json, sys
class Stranger(http.server.BaseHTTPRequestHandler):
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header(\"content-length\", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_GET(self):
        self.answer({{\"data\": [{{\"id\": \"stranger\"}}]}})
    def do_POST(self):
        open(sys.argv[2], \"w\").write(\"asked\")
        self.answer({{}})
http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), Stranger).serve_forever()
' $PORT \"$LLM_DIR/asked\" &
         fi
         {}",
        ready(&peer)
    );
    let done = demo(&sandbox, &stranger, "json");
    assert!(!sandbox.path("small/asked").exists(), "{done:?}");
    assert_eq!(done.json()["recorded"], false, "{done:?}");
}
