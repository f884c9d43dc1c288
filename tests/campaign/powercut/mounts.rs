//! File systems that are mounted for a while. The campaign lives in namespaces of its own, so that whatever
//! is mounted here is gone with its last process, however that ends.

#![expect(
    clippy::disallowed_methods,
    reason = "a campaign plays the machine and its administrator"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often an unmount is tried before it is left to the kernel, and what lies between.
const TRIES: u32 = 50;
const BETWEEN: Duration = Duration::from_millis(20);

/// Runs a program of the system to its end.
pub(crate) fn run(
    program: &str,
    words: &[&str],
    last: Option<&Path>,
    stdin: Stdio,
) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(words).args(last).stdin(stdin);
    let output = command.output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}", words.join(" "), said.trim()))
}

/// Something that is mounted at a place. Dropping it takes it away.
#[derive(Debug)]
pub(crate) struct Mount(PathBuf);

impl Mount {
    /// What was mounted there.
    pub(crate) fn of(place: &Path) -> Self {
        Self(place.to_owned())
    }

    /// Mounts the file system in a file through a loop device, which goes with it.
    pub(crate) fn file(
        kind: &str,
        options: &str,
        file: &Path,
        place: &Path,
    ) -> Result<Self, String> {
        let options = format!("loop,{options}");
        let file = file.display().to_string();
        let words = ["-t", kind, "-o", &options, &file];
        run("mount", &words, Some(place), Stdio::null())?;
        Ok(Self::of(place))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            if run("umount", &[], Some(&self.0), Stdio::null()).is_ok() {
                return;
            }
            std::thread::sleep(BETWEEN);
        }
        if let Err(error) = run("umount", &["-l"], Some(&self.0), Stdio::null()) {
            // The namespace ends soon, and it with it.
            drop(error);
        }
    }
}
