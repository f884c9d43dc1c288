//! The loop inside its window: whatever grows, no question is longer than the model can read, and what
//! cannot fit is said before anything is asked.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ask, loaded, messages, succeeded};
use crate::peer::{Peer, Step};
use kjxlkj_agent::config;
use kjxlkj_agent::core::prompt::{Condition, PromptFile, Segment};
use kjxlkj_agent::core::run::{RunState, Trigger};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The words and examples that are shipped for a model that writes instructions in every state.
pub(crate) fn shipped_prompt() -> PromptFile {
    let folder = tempfile::tempdir().unwrap();
    config::init(folder.path()).unwrap();
    let mut prompt = loaded(folder.path()).prompt;
    let is_of_state = |it: Condition| !matches!(it, Condition::Question(_));
    prompt.segments.retain(|it| is_of_state(it.condition));
    prompt.examples.retain(|it| is_of_state(it.condition));
    prompt
}

/// A server's own count, a third above the estimate.
fn tokens_of(request: &Value) -> usize {
    let each = messages(request).into_iter();
    each.map(|text| text.chars().count().div_ceil(3) + 5).sum()
}

/// Everything that can grow, growing.
fn growing(index: usize) -> String {
    let words = format!("word{index} & more <of> it ");
    let mut reply = ram_add(&format!("key{index:03}"), &words.repeat(1 + index % 40));
    reply += &ram_add("think_log", &words.repeat(40));
    reply += &match index % 4 {
        0 => record_add(&format!("Note {index}"), &words.repeat(400)),
        1 => "<record_search><query>word</query></record_search>".to_owned(),
        2 => "<record_update><key>nowhere</key><value>v</value></record_update>".to_owned(),
        _ => ram_add("plan", &words.repeat(60)),
    };
    reply
}

#[derive(Default)]
struct Told {
    longest: usize,
    asked: usize,
    cut: usize,
}

async fn grows_for_two_hundred_loops(window: u32, budget_tokens: usize) {
    let told = Arc::new(Mutex::new(Told::default()));
    let seen = Arc::clone(&told);
    let mut lab = Lab::with_peer(Peer::answering(move |request, index| {
        let request = request.json();
        let tokens = tokens_of(&request);
        let answer = usize::try_from(request["max_tokens"].as_u64().unwrap()).unwrap();
        let mut told = seen.lock().unwrap();
        told.asked += 1;
        told.longest = told.longest.max(tokens + answer);
        told.cut += usize::from(messages(&request).concat().contains("more characters"));
        Step::json(&json!({
            "model": "peer-model",
            "choices": [{"finish_reason": "stop", "message": {"content": growing(index)}}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 7},
        }))
    }));
    lab.prompt = shipped_prompt();
    lab.config.provider.context_tokens = Some(window);
    lab.config.token_budget.max_total = budget_tokens;
    lab.config.memory.working_memory_character_max = 50_000;
    lab.config.memory.think_log_max_chars = 4096;
    lab.config.r#loop.max_iterations = Some(1000);
    let mut agent = lab.start();
    lab.edit_kv(&[("steps", json!(vec!["for ever and a day"; 300]))]);
    let event = EventId("e".to_owned());
    let request = Some("keep all of this ".repeat(50));
    let run_id = agent.queue(event, Trigger::Request, request).await.unwrap();
    for _ in 0..200 {
        agent.step(run_id).await.unwrap();
    }
    let told = told.lock().unwrap();
    let limit = usize::try_from(window).unwrap();
    assert!(told.longest <= limit, "{} of {limit}", told.longest);
    assert_eq!(told.asked, 200, "and none was asked twice");
    assert!(told.cut > 100, "{}", told.cut);
    assert!(agent.store().state().main.ram.characters() > 30_000);
}

#[tokio::test]
async fn nothing_that_grows_overflows_a_window_of_1024_or_2048() {
    grows_for_two_hundred_loops(1024, 4000).await;
    grows_for_two_hundred_loops(2048, 4000).await;
}

#[tokio::test]
async fn nothing_that_grows_overflows_a_window_of_4096_or_8192() {
    grows_for_two_hundred_loops(4096, 4000).await;
    grows_for_two_hundred_loops(8192, 100_000).await;
}

#[tokio::test]
async fn the_journal_holds_the_numbers_of_each_prompts_allocation() {
    let mut lab = Lab::new();
    lab.config.memory.working_memory_character_max = 50_000;
    lab.says(&ram_add("plan", &"p ".repeat(4000)));
    lab.says(&record_add("T", "v"));
    lab.says(&ram_add("think_log", "ok"));
    let run = lab.run("keep this").await;
    assert!(succeeded(&run));
    let journal = lab.text("data/journal/00000001.jsonl");
    let commits = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut told = Vec::new();
    for commit in commits {
        let types = commit["events"].as_array().unwrap();
        let done = types.iter().position(|it| it["type"] == "iteration.done");
        told.extend(done.map(|at| commit["data"][at]["allocation"].clone()));
    }
    assert_eq!(told.len(), 3);
    let number = |at: usize, path: &str| told[at].pointer(path).unwrap().as_u64().unwrap();
    assert_eq!((number(0, "/cut"), number(0, "/excluded")), (0, 0));
    assert_eq!(number(0, "/usage_by_type/memory"), 0);
    // The plan is too long for what the window has for it.
    assert_eq!((number(1, "/cut"), number(1, "/excluded")), (1, 0));
    for (at, allocation) in told.iter().enumerate() {
        assert_eq!(number(at, "/total_tokens") + number(at, "/remaining"), 3072);
        let of_types = allocation["usage_by_type"].as_object().unwrap().values();
        let sum: u64 = of_types.map(|tokens| tokens.as_u64().unwrap()).sum();
        assert_eq!(sum, number(at, "/total_tokens"));
        assert!(number(at, "/included") >= 3);
    }
}

fn long_words(lab: &mut Lab) {
    lab.prompt.segments.push(Segment {
        condition: Condition::Default,
        prompt: "words ".repeat(2000),
    });
}

#[tokio::test]
async fn what_must_be_in_and_does_not_fit_fails_the_run_before_any_call() {
    for (window, max_total, code, words) in [
        (
            1024,
            4000,
            Code::ContextOverflow,
            "a window of 1024 (as configured) leaves 768",
        ),
        (
            16_384,
            500,
            Code::TokenCriticalDropped,
            "`token_budget.max_total` is 500",
        ),
    ] {
        let mut lab = Lab::new();
        long_words(&mut lab);
        lab.config.provider.context_tokens = Some(window);
        lab.config.token_budget.max_total = max_total;
        let run = lab.run("keep this").await;
        assert_eq!((run.state, run.error_code), (RunState::Failed, Some(code)));
        assert_eq!((run.usage.calls, lab.peer.request_count()), (0, 0));
        let notices = lab.eyes.notices();
        let told = notices
            .iter()
            .find(|it| it.starts_with(code.as_str()))
            .unwrap();
        assert!(
            told.contains(words) && told.contains("takes about "),
            "{told}"
        );
        assert!(told.ends_with(code.page().hint), "{told}");
    }
}

/// A refusal that tells no number.
fn too_long() -> Step {
    let error = json!({"type": "exceed_context_size_error", "message": "too long"});
    Step::status(400).body(json!({ "error": error }).to_string())
}

#[tokio::test]
async fn a_prompt_that_the_server_finds_too_long_is_put_once_more_and_shorter() {
    let mut lab = Lab::new();
    lab.peer.push(too_long());
    lab.says(&ram_add("plan", "p"));
    lab.says(&record_add("T", "v"));
    lab.says(&ram_add("think_log", "ok"));
    let mut agent = lab.start();
    let run = ask(&mut agent, &"keep all of this ".repeat(1000)).await;
    assert!(succeeded(&run));
    assert_eq!(run.loop_count, 3, "inside the same iteration");
    let lengths: Vec<usize> = (0..4)
        .map(|at| lab.prompt_text(at).chars().count())
        .collect();
    assert!(lengths[1] * 10 < lengths[0] * 9, "{lengths:?}");
    assert!(
        lengths[2] < lengths[0],
        "and the next ones are no longer: {lengths:?}"
    );
    // Once more only.
    lab.peer.push(too_long());
    lab.peer.push(too_long());
    let run = ask(&mut agent, &"and all of that ".repeat(1000)).await;
    assert_eq!(run.error_code, Some(Code::ContextOverflow));
    assert_eq!(lab.peer.request_count(), 6);
    let notices = lab.eyes.notices();
    assert!(
        notices
            .iter()
            .any(|it| it.contains("cannot be made short enough, at about ")),
        "{notices:?}"
    );
}

#[tokio::test]
async fn examples_that_have_no_room_are_told_once() {
    let mut lab = Lab::with_peer(Peer::answering(|_, index| {
        Step::reply(&ram_add("n", &index.to_string()))
    }));
    lab.prompt = shipped_prompt();
    lab.config.provider.context_tokens = Some(1024);
    lab.config.r#loop.max_iterations = Some(9);
    ask(&mut lab.start(), "keep this").await;
    let notices = lab.eyes.notices();
    let told = notices
        .iter()
        .filter(|it| it.contains("left out of the prompt"));
    assert!((1..=2).contains(&told.count()), "{notices:?}");
}
