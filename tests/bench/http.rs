//! Reads HTTP requests from a connection, as far as a bench needs it. Knows nothing of what they ask.

use crate::measure::Outcome;
use std::io::Read as _;
use std::net::TcpStream;

/// A request as far as the benches care.
pub(crate) struct Request {
    /// The first line and the headers, with the empty line.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// Whether something is posted: a model is asked.
    pub(crate) is_question: bool,
}

/// The next request of a connection; `None` at its end. What came after it stays in `received`.
pub(crate) fn read_request(
    stream: &mut TcpStream,
    received: &mut Vec<u8>,
) -> Outcome<Option<Request>> {
    let mut chunk = [0_u8; 16 * 1024];
    let head_end = loop {
        if let Some(at) = received.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        match stream.read(&mut chunk)? {
            0 => return Ok(None),
            count => received.extend_from_slice(&chunk[..count]),
        }
    };
    let head = std::str::from_utf8(&received[..head_end])?.to_owned();
    let length = header(&head, "content-length").map_or(Ok(0), str::parse::<usize>)?;
    while received.len() < head_end + length {
        match stream.read(&mut chunk)? {
            0 => return Ok(None),
            count => received.extend_from_slice(&chunk[..count]),
        }
    }
    let body = received[head_end..head_end + length].to_vec();
    received.drain(..head_end + length);
    let is_question = head.starts_with("POST ");
    Ok(Some(Request {
        head,
        body,
        is_question,
    }))
}

/// The value of a header, whose name is given in lower case.
pub(crate) fn header<'head>(head: &'head str, name: &str) -> Option<&'head str> {
    let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let mut found = fields.filter(|(known, _)| known.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value.trim())
}
