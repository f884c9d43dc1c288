//! Programs that a test writes and runs.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it starts a process"
)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program of these lines. Another process writes it: a child that another test begets at this very
/// moment would else hold it open for writing, and what is open for writing cannot be run.
pub(crate) fn script(path: &Path, lines: &str) {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("#!/bin/sh\n{lines}\n");
    writer
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    assert!(writer.wait().unwrap().success());
}
