//! Handing a command line over to the daemon that holds the folder. The lock is the truth: a verb tries
//! first by itself, and only where the folder is held it is handed over.

use super::context::Context;
use super::output::{Answer, say};
use super::server::runtime;
use super::text::visible;
use crate::failure::{Code, Failure};
use crate::limits::ERRAND_WAIT_MS;
use crate::store::connect;
use http_body_util::BodyExt as _;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::time::Duration;
use tokio::time::timeout;

/// How long the daemon may take: its loop's own bound, and a moment for reading a large root.
const WAIT: Duration = Duration::from_millis(2 * ERRAND_WAIT_MS);

/// What the daemon says.
#[derive(Debug, Deserialize)]
struct Told {
    exit: u8,
    stdout: String,
    talk: Vec<String>,
    error: Option<Refused>,
}

#[derive(Debug, Deserialize)]
struct Refused {
    code: Code,
    message: String,
    hints: Vec<String>,
}

/// The daemon's answer to these words. `locked` is the failure where no daemon answers: somebody else
/// holds the folder, such as a `run`.
pub(super) fn hand_over(
    context: &Context,
    words: &[OsString],
    locked: Failure,
) -> Result<Answer, Failure> {
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    let Some(words) = words else {
        return Err(locked);
    };
    let Ok(stream) = connect(&mut context.disk()?) else {
        return Err(locked);
    };
    let mut order = json!({ "words": words });
    if let Some(input) = context.input.get() {
        order["input"] = json!(input);
    }
    let told = runtime()?.block_on(async { timeout(WAIT, ask(stream, order.to_string())).await });
    let told = told.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
    let told = told.map_err(|what| {
        let message = format!("the daemon could not be asked: {what}");
        Failure::new(Code::DaemonBusy, message)
    })?;
    for line in &told.talk {
        say(&visible(line));
    }
    match told.error {
        None => Ok(Answer {
            text: told.stdout,
            exit: told.exit,
        }),
        Some(Refused {
            code,
            message,
            hints,
        }) => Err(Failure {
            code,
            message,
            hints,
        }),
    }
}

async fn ask(stream: UnixStream, order: String) -> Result<Told, String> {
    let worded = |error: &dyn std::fmt::Display| error.to_string();
    stream
        .set_nonblocking(true)
        .map_err(|error| worded(&error))?;
    let stream = tokio::net::UnixStream::from_std(stream).map_err(|error| worded(&error))?;
    let shaken = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = shaken.map_err(|error| worded(&error))?;
    let request = Request::post("/v1/verbs")
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json")
        .body(order)
        .map_err(|error| worded(&error))?;
    let answered = async {
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        let body = answer.into_body().collect().await?;
        Ok::<_, hyper::Error>((status, body.to_bytes()))
    };
    let (status, body) = tokio::select! {
        answered = answered => answered.map_err(|error| worded(&error))?,
        ended = connection => return Err(match ended {
            Ok(()) => "it hung up".to_owned(),
            Err(error) => worded(&error),
        }),
    };
    if status != StatusCode::OK {
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        let detail = problem["detail"].as_str().unwrap_or_default();
        return Err(format!("{status}: {detail}"));
    }
    serde_json::from_slice(&body).map_err(|error| worded(&error))
}
