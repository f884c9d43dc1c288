//! Few descriptors, and calls that are interrupted for ever: what is asked for is refused clearly or goes
//! on, and a daemon is never ended by whoever only connects.

use super::sandbox::{Sandbox, started};
use serde_json::json;

#[test]
fn a_sync_that_is_interrupted_for_ever_ends_the_program_as_any_failed_one() {
    let sandbox = Sandbox::quiet();
    let inject = ["-e", "inject=fsync,fdatasync,syncfs:error=EINTR"];
    let Some(mut command) = sandbox.traced(&inject, &["ram", "set", "key", "value"]) else {
        return;
    };
    command.stdout(std::process::Stdio::null());
    let (status, said) = started(command).wait();
    assert_eq!(status.code(), Some(74), "{said}");
    // Nothing is half done: what comes next begins where this ended.
    sandbox.cli(&["ram", "set", "key", "other"]).ended(0);
    assert_eq!(sandbox.kv()["key"], json!("other"));
}
