//! The entry point of the program: runs `cli`, which returns the exit code. Holds no logic.

use std::process::ExitCode;

fn main() -> ExitCode {
    kjxlkj_agent::cli::main()
}
