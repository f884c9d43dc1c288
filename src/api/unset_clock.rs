//! The response while the clock is before 1970: a problem that says so.
//!
//! Ordinary responses carry a date, and the code that formats it panics before 1970.

use super::problem::Problem;
use crate::failure::{Code, Failure};
use crate::limits::API_HEAD_BYTES_MAX;
use axum::response::IntoResponse as _;
use http_body_util::BodyExt as _;
use std::fmt::Write as _;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

/// Answers a request that comes within `wait` with a problem, and closes the connection.
pub(super) async fn turn_away(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    wait: Duration,
) -> io::Result<()> {
    // Every request gets the same answer; a client that asks nothing gets none.
    let mut asked = vec![0; API_HEAD_BYTES_MAX];
    if timeout(wait, stream.read(&mut asked)).await?? > 0 {
        stream.write_all(&answer().await).await?;
    }
    stream.shutdown().await
}

async fn answer() -> Vec<u8> {
    let message = "the clock is before 1970, so that no answer can be given; nothing was changed";
    let failure = Failure::new(Code::DaemonBusy, message);
    let problem = Problem::from(failure.only_hint("Set the clock, and repeat it."));
    let (head, body) = problem.into_response().into_parts();
    let body = body.collect().await.unwrap_or_default().to_bytes();
    let mut text = format!("HTTP/1.1 {}\r\n", head.status);
    for (name, value) in &head.headers {
        let value = value.to_str().unwrap_or_default();
        // Writing into a string cannot fail.
        write!(text, "{name}: {value}\r\n").unwrap_or_default();
    }
    let length = body.len();
    write!(
        text,
        "content-length: {length}\r\nconnection: close\r\n\r\n"
    )
    .unwrap_or_default();
    [text.as_bytes(), &body].concat()
}
