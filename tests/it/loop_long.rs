//! Long runs: nothing grows that should not, and nothing of a conversation stays behind.

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ask, live, stop_after};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::run::{RunState, Trigger};
use serde_json::json;
use std::path::PathBuf;

/// Sizes of everything outside the journal.
fn outside_the_journal(lab: &Lab) -> Vec<(PathBuf, usize)> {
    let journal = lab.path("data/journal");
    let files = lab.data_files().into_iter();
    let mut sizes: Vec<_> = files
        .filter(|(path, _)| !path.starts_with(&journal))
        .map(|(path, bytes)| (path, bytes.len()))
        .collect();
    sizes.sort();
    sizes
}

fn journal_bytes(lab: &Lab) -> usize {
    let segments = lab.path("data/journal");
    let files = lab.data_files().into_iter();
    files
        .filter(|(path, _)| {
            path.starts_with(&segments) && path.extension().is_some_and(|it| it == "jsonl")
        })
        .map(|(_, bytes)| bytes.len())
        .sum()
}

#[tokio::test]
async fn a_hundred_loops_grow_the_data_by_bounded_journal_lines_alone() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&(ram_add("n", &format!("{index:04}")) + &ram_add("think_log", "busy")))
    }));
    lab.config.r#loop.max_iterations = Some(110);
    let mut agent = lab.start();
    lab.edit_kv(&[("steps", json!(["for ever"]))]);
    let event = kjxlkj_agent::ids::EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    for _ in 0..9 {
        agent.step(run_id).await.unwrap();
    }
    let (before, journal) = (outside_the_journal(&lab), journal_bytes(&lab));
    for _ in 0..99 {
        agent.step(run_id).await.unwrap();
    }
    assert_eq!(outside_the_journal(&lab), before);
    let line = (journal_bytes(&lab) - journal) / 99;
    assert!(line < 3000, "{line} bytes an iteration");
}

#[tokio::test]
async fn canaries_of_prompt_and_prose_are_nowhere_on_the_disk() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        let prose = "CANARY-PROSE-93b1 I shall now write ";
        Step::reply(&format!("{prose}{}", ram_add("n", &index.to_string())))
    }));
    for segment in &mut lab.prompt.segments {
        segment.prompt.push_str(" CANARY-PROMPT-5d20");
    }
    let mut agent = lab.start();
    ask(&mut agent, "a request").await;
    stop_after(&lab, 5);
    live(&mut agent).await;
    agent.close().unwrap();
    assert!(lab.prompt_text(0).contains("CANARY-PROMPT-5d20"));
    for (path, bytes) in lab.data_files() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("CANARY"), "{}", path.display());
    }
    assert_eq!(lab.names("data/conversations"), Vec::<String>::new());
}

#[tokio::test]
async fn a_loop_without_a_bound_still_runs_after_five_hundred_loops() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&(ram_add("n", &index.to_string()) + &ram_add("think_log", "-")))
    }));
    lab.config.r#loop.max_iterations = None;
    let mut agent = lab.start();
    stop_after(&lab, 520);
    live(&mut agent).await;
    agent.close().unwrap();
    let runs = lab.runs();
    let told: Vec<_> = runs
        .iter()
        .map(|run| (run.trigger, run.state, run.loop_count))
        .collect();
    assert_eq!(
        told,
        [
            [(Trigger::Start, RunState::Succeeded, 100); 5].as_slice(),
            &[(Trigger::Start, RunState::Running, 20)],
        ]
        .concat()
    );
    assert!(
        lab.clock.slept_ms().iter().all(|wait| *wait <= 1500),
        "never idle"
    );
}

#[tokio::test]
async fn without_a_bound_failing_runs_come_ever_further_apart() {
    let mut lab = Lab::with_peer(Peer::answering(|_, _| Step::status(401)));
    lab.config.r#loop.max_iterations = None;
    let mut agent = lab.start();
    stop_after(&lab, 6);
    live(&mut agent).await;
    agent.close().unwrap();
    let ends: Vec<i64> = lab
        .runs()
        .iter()
        .map(|run| run.completed_at.unwrap().millis)
        .collect();
    let gaps: Vec<i64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [1500, 3000, 6000, 12_000, 24_000]);
}

#[tokio::test]
async fn a_thousand_loops_open_no_more_files_than_ten() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&match index % 50 {
            0 => record_add(&format!("N{index}"), "v"),
            _ => ram_add("n", &index.to_string()),
        })
    }));
    lab.config.r#loop.max_iterations = Some(2000);
    lab.config.memory.retain_full_conversation_logs = true;
    let mut agent = lab.start();
    lab.edit_kv(&[("steps", json!(vec!["for ever"; 25]))]);
    let event = kjxlkj_agent::ids::EventId("e".to_owned());
    let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
    // Other tests of this process open files as well: only those below this root count.
    let root = lab.root().to_path_buf();
    let open_files = || {
        let entries = std::fs::read_dir("/proc/self/fd").unwrap();
        let targets = entries.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
        let mut targets: Vec<_> = targets.filter(|target| target.starts_with(&root)).collect();
        targets.sort();
        targets
    };
    for _ in 0..10 {
        agent.step(run_id).await.unwrap();
    }
    let early = open_files();
    for _ in 0..990 {
        agent.step(run_id).await.unwrap();
    }
    assert_eq!(open_files(), early);
    assert_eq!(lab.peer.connection_count(), 1, "one connection for life");
    let run = &agent.store().state().runs;
    assert_eq!(run.get(run_id).unwrap().loop_count, 1000);
}
