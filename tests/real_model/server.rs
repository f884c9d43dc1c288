//! A real model behind a real server, started by the project's own launcher.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A running server; dropping it ends it.
pub(crate) struct Server {
    child: Child,
    /// Where it answers.
    pub(crate) base_url: String,
}

impl Server {
    /// Starts the server with a window of so many tokens and waits until it is ready; downloads the
    /// model the first time.
    pub(crate) fn start(model: &str, window: u32) -> Result<Self, String> {
        let port = free_port();
        let launcher = concat!(env!("CARGO_MANIFEST_DIR"), "/data/small-model");
        let mut child = Command::new(launcher)
            .args([port.to_string().as_str(), model])
            .env("CTX", window.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| format!("the launcher does not start: {error}"))?;
        let (sender, receiver) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if line.starts_with("READY") {
                    // Nobody waits any more once the server has been given up.
                    sender.send(()).unwrap_or_default();
                }
            }
        });
        // The channel closes when the launcher ends, so this waits no longer than it lives.
        let ready = receiver.recv_timeout(Duration::from_mins(15));
        let base_url = format!("http://127.0.0.1:{port}/v1");
        let server = Self { child, base_url };
        match ready {
            Ok(()) => Ok(server),
            Err(_) => Err("the launcher ended without a server; its last words are above".into()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
