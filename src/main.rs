//! The door of the program: hands the arguments to `cli` and maps its answer to an exit code.
//! Holds no logic of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    kjxlkj_agent::cli::main()
}
