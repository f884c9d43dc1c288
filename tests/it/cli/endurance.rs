//! What the whole program takes of the machine's memory, however much a server sends and however long it
//! runs.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it looks at the process"
)]

use super::sandbox::{Sandbox, answer, state_in, until};
use crate::peer::{Peer, Step};
use serde_json::json;

/// A number of kibibytes that the system tells of a process.
fn kib(process: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.unwrap().trim_matches([':', ' ', '\t']);
    number.split(' ').next().unwrap().parse().unwrap()
}

/// Fifty megabytes, however they are sent, are left at the limit that the message names: the most that
/// the process ever held grows by a few of them at most.
#[test]
fn fifty_megabytes_of_a_reply_are_cut_at_the_limit_and_never_held() {
    const MORE_KIB: u64 = 12 * 1024;
    let large = Step::reply(&"<ram_add>".repeat(50_000_000 / 9));
    let ways = [
        large.clone(),
        large.clone().chunks(&[65_536; 700]),
        large.until_close(),
    ];
    let count = ways.len();
    let peer = Peer::answering(move |request, index| match index.checked_sub(3) {
        None => Step::reply(&answer(&state_in(request), index)),
        Some(way) => ways[way].clone(),
    });
    let sandbox = Sandbox::with(&peer);
    let daemon = sandbox.start(&["daemon"]);
    daemon.wait_for("run ended", 1);
    let before = kib(daemon.id(), "VmHWM");
    for times in 1..=count {
        sandbox.cli(&["ask", &format!("question {times}")]).ended(0);
        daemon.wait_for("larger than 1048576 bytes", times);
        daemon.wait_for("run ended", 1 + times);
    }
    let after = kib(daemon.id(), "VmHWM");
    assert!(after < before + MORE_KIB, "{before} KiB, then {after} KiB");
}

/// The resident memory after a thousand iterations is within a tenth of that after a hundred.
#[test]
fn memory_stays_as_it_is_over_a_thousand_loops() {
    let peer = Peer::answering(|_, index| {
        let kept = index % 50;
        Step::reply(&format!(
            "<ram_add><key>n</key><value>{index:06}</value></ram_add>\
             <record_update><key>Note {kept}</key><value>text {index:06}</value></record_update>\
             <record_search><query>text</query></record_search>"
        ))
    });
    let sandbox = Sandbox::with(&peer);
    sandbox.configure(&peer.base_url(), &json!({"loop": {"max_iterations": -1}}));
    for number in 0..50 {
        let title = format!("Note {number}");
        sandbox
            .cli(&["notes", "add", "--title", &title, "text"])
            .ended(0);
    }
    let daemon = sandbox.start(&["daemon"]);
    let at = |count: usize| {
        let seen = || (peer.request_count() >= count).then_some(());
        until("so many loops", seen);
        kib(daemon.id(), "VmRSS")
    };
    let early = at(100);
    let late = at(1000);
    assert!(late * 10 <= early * 11, "{early} KiB, then {late} KiB");
}
