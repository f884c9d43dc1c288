//! The program started through another one: a shell that sets limits first, or `strace`, which has system
//! calls fail. Knows no verb.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts processes as a person would"
)]

use super::sandbox::Sandbox;
use std::io::Write as _;
use std::process::Command;

/// Where Debian has it.
const STRACE: &str = "/usr/bin/strace";

impl Sandbox {
    /// The program after some words of a shell, in the same process.
    pub(super) fn after(&self, words: &str, arguments: &[&str]) -> Command {
        let line = format!("{words}; exec \"$0\" \"$@\"");
        self.through(&["/bin/sh", "-c", &line], arguments)
    }

    /// The program with these options of `strace`, in a child process of our own; `None`, with a word why,
    /// where that does not work.
    pub(super) fn traced(&self, options: &[&str], arguments: &[&str]) -> Option<Command> {
        let mut probe = Command::new(STRACE);
        let probed = probe.args(["-o", "/dev/null", "/bin/true"]).output();
        if !probed.is_ok_and(|output| output.status.success()) {
            let mut stderr = std::io::stderr();
            drop(writeln!(stderr, "skipped: {STRACE} cannot trace here"));
            return None;
        }
        let quiet = [STRACE, "-D", "-f", "-qq", "-o", "/dev/null"];
        Some(self.through(&[&quiet[..], options].concat(), arguments))
    }

    /// The program as an argument of another one, with the environment of the sandbox.
    fn through(&self, words: &[&str], arguments: &[&str]) -> Command {
        let usual = self.command(arguments);
        let environment = usual.get_envs();
        let environment = environment.filter_map(|(name, value)| Some((name, value?)));
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .arg(usual.get_program())
            .args(usual.get_args())
            .env_clear()
            .envs(environment)
            .current_dir(self.root())
            .stdin(std::process::Stdio::null());
        command
    }
}
