//! The command line: one file a verb; data on stdout, talk on stderr. Holds no logic of its own.

use std::process::ExitCode;

/// Runs the program.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
