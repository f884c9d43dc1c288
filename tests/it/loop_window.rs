//! How much room the loop gives a prompt and its answer: what the server tells, what a person
//! configured, what is learnt from counts and from refusals, and that it survives what the journal does.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::ram_add;
use crate::lab::{Lab, ManualClock, ask, messages, succeeded};
use crate::peer::{Peer, Request, Step};
use kjxlkj_agent::config::ProviderKind;
use kjxlkj_agent::core::prompt::{ChatRole, PromptMessage, TokenMeter, Window, WindowSource};
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::daemon::Halt;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::EventId;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const COUNTER: &str = "/v1/chat/completions/input_tokens";

/// LM Studio's word for one model, which may have to be loaded first.
fn instance(tokens: Option<u32>) -> Step {
    let loaded =
        tokens.map(|tokens| json!({"id": "peer-model", "config": {"context_length": tokens}}));
    let loaded: Vec<Value> = loaded.into_iter().collect();
    Step::json(&json!({"models": [
        {"type": "llm", "key": "peer-model", "max_context_length": 131_072, "loaded_instances": loaded},
    ]}))
}

/// A laboratory before a llama.cpp with this window.
fn llama(tokens: u32) -> Lab {
    let mut lab = Lab::new();
    lab.config.provider.kind = ProviderKind::OpenAi;
    lab.peer.tell("/props", Step::window(tokens));
    lab
}

fn good_run(lab: &Lab) {
    for n in 0..3 {
        lab.says(&ram_add("n", &n.to_string()));
    }
}

fn asked(lab: &Lab, path: &str) -> usize {
    let probes = lab.peer.probes().into_iter();
    probes.filter(|probe| probe.path.starts_with(path)).count()
}

/// What each question allowed its answer.
fn allowed(lab: &Lab) -> Vec<u64> {
    let requests = lab.peer.requests().into_iter();
    requests
        .map(|request| request.json()["max_tokens"].as_u64().unwrap())
        .collect()
}

/// The bare estimate of a question.
fn bare_of(request: &Request) -> u64 {
    let texts = messages(&request.json()).into_iter();
    let messages: Vec<PromptMessage> = texts
        .map(|content| PromptMessage {
            role: ChatRole::User,
            content,
        })
        .collect();
    u64::try_from(TokenMeter::bare().messages(&messages)).unwrap()
}

/// An answer whose server counted so many tokens of the question.
fn counted(text: &str, tokens: u64) -> Step {
    Step::json(&json!({
        "model": "peer-model",
        "choices": [{"finish_reason": "stop", "message": {"content": text}}],
        "usage": {"prompt_tokens": tokens, "completion_tokens": 7},
    }))
}

/// A laboratory whose server takes so many thousandths of the bare estimate, and whose runs are one
/// iteration long.
fn counting(ratio_milli: u64) -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(move |request, index| {
        let tokens = (bare_of(request) * ratio_milli).div_ceil(1000);
        counted(&ram_add("n", &index.to_string()), tokens)
    }));
    lab.config.r#loop.max_iterations = Some(1);
    lab
}

#[tokio::test]
async fn an_answer_takes_at_most_a_quarter_of_the_smaller_known_window() {
    use WindowSource::{Assumed, Configured, Server};
    let cases = [
        (None, None, 4096, 4096, 4096, Assumed),
        (None, Some(8192), 4096, 2048, 8192, Configured),
        (None, Some(100_000), 4096, 4096, 100_000, Configured),
        (Some(8192), None, 4096, 2048, 8192, Server),
        (Some(8192), None, 77, 77, 8192, Server),
        (Some(8192), Some(4096), 4096, 1024, 4096, Configured),
        (Some(4096), Some(8192), 4096, 1024, 4096, Server),
    ];
    for (server, configured, max_tokens, expected, tokens, source) in cases {
        let mut lab = server.map_or_else(Lab::new, llama);
        lab.config.provider.context_tokens = configured;
        lab.config.provider.max_tokens = max_tokens;
        good_run(&lab);
        let mut agent = lab.start();
        let run = ask(&mut agent, "keep this").await;
        assert!(succeeded(&run));
        let window = Window { tokens, source };
        assert_eq!(agent.window(), window);
        assert_eq!(run.window, Some(window), "the record says so");
        assert_eq!(allowed(&lab), [expected; 3]);
        agent.close().unwrap();
        assert_eq!(
            lab.runs()[0].window,
            Some(window),
            "and so does the journal"
        );
    }
}

#[tokio::test]
async fn a_model_that_is_loaded_by_its_first_question_has_its_window_from_the_second_on() {
    let mut lab = Lab::new();
    lab.peer.tell("/api/v1/models", instance(None));
    lab.peer.tell("/api/v1/models", instance(Some(2048)));
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run));
    assert_eq!(allowed(&lab), [4096, 512, 512]);
    let window = Window::of(Some(2048), None);
    assert_eq!(run.window, Some(window), "the record was put right");
    assert_eq!(asked(&lab, "/api/v1/models"), 2);
    assert_eq!(asked(&lab, "/props"), 0, "LM Studio has none");
    good_run(&lab);
    assert!(succeeded(&ask(&mut agent, "more").await));
    assert_eq!(asked(&lab, "/api/v1/models"), 2, "known is known");
    agent.close().unwrap();
}

#[tokio::test]
async fn an_answer_to_a_prompt_that_the_loaded_window_has_no_room_for_is_not_taken() {
    for (tokens, is_cut) in [(1024, true), (2048, false)] {
        let mut lab = Lab::new();
        lab.peer.tell("/api/v1/models", instance(None));
        lab.peer.tell("/api/v1/models", instance(Some(tokens)));
        if is_cut {
            lab.says(&ram_add("lost", "1"));
        }
        good_run(&lab);
        let before = "geese fly at dawn. ".repeat(320);
        lab.start().close().unwrap();
        lab.edit_kv(&[("birds", json!(before))]);
        lab.config.memory.working_memory_character_max = 8192;
        let mut agent = lab.start();
        let run = ask(&mut agent, "keep this").await;
        agent.close().unwrap();
        assert!(succeeded(&run), "{run:?}");
        let answers = if is_cut { 4 } else { 3 };
        assert_eq!(lab.peer.request_count(), answers);
        assert_eq!(run.usage.calls, answers as u64, "replies of the provider");
        assert_eq!(lab.kv().get("lost"), None);
        let [first, second] = [0, 1].map(|index| bare_of(&lab.peer.requests()[index]));
        assert!(second < first, "{first} {second}");
        let is_same = lab.prompt_text(1).contains("[planning words]");
        assert_eq!(is_same, is_cut, "the same question, shorter");
        let told = lab.eyes.notices().concat();
        assert_eq!(told.contains("it is asked again"), is_cut, "{told}");
    }
}

/// What a server counts for a question of that bare estimate.
type Count = fn(u64) -> u64;

/// A laboratory with much in RAM whose server counts a question as it likes, given its bare estimate.
fn reading(count: Count) -> Lab {
    let mut lab = Lab::with_peer(Peer::answering(move |request, index| {
        counted(&ram_add("n", &index.to_string()), count(bare_of(request)))
    }));
    lab.config.r#loop.max_iterations = Some(1);
    lab.config.memory.working_memory_character_max = 40_000;
    (
        lab.config.token_budget.max_total,
        lab.config.token_budget.memory,
    ) = (12_000, 8000);
    lab.start().close().unwrap();
    let birds = "a number of geese fly at dawn. ".repeat(360);
    lab.edit_kv(&[("birds", json!(birds))]);
    lab
}

/// Ollama cuts a prompt to what its model was loaded with, and the only word of it is its count.
#[tokio::test]
async fn a_prompt_that_a_server_cut_without_a_word_is_seen_by_its_count_where_the_window_is_known()
{
    let (configured, server) = ((None, Some(16_384)), (Some(16_384), None));
    for (told, set) in [configured, server, (None, None)] {
        let mut lab = reading(|bare| bare.min(700));
        lab.config.provider.kind = ProviderKind::OpenAi;
        lab.config.provider.context_tokens = set;
        if let Some(tokens) = told {
            lab.peer.tell("/props", Step::window(tokens));
        }
        let mut agent = lab.start();
        let run = ask(&mut agent, "keep this").await;
        let cut = Window {
            tokens: 700,
            source: WindowSource::Cut,
        };
        assert_eq!((agent.window(), run.window), (cut, Some(cut)));
        let sizes: Vec<u64> = lab.peer.requests().iter().map(bare_of).collect();
        assert!(sizes[0] > 1200 && sizes[1] <= 525, "{sizes:?}");
        // The answer to half a question is none, and it has been paid for.
        assert_eq!((sizes.len(), run.usage.calls), (2, 2));
        assert_eq!(run.usage.output_tokens, 14);
        assert_eq!(lab.kv()["n"], "1", "what the first one said is not done");
        let notices = || lab.eyes.notices().into_iter();
        let told_of = || notices().filter(|text| text.contains("read only 700 tokens"));
        assert_eq!(told_of().count(), 1, "{:?}", lab.eyes.notices());
        // What comes after that fits, and nothing more is said.
        ask(&mut agent, "and this").await;
        assert_eq!((lab.peer.request_count(), told_of().count()), (3, 1));
        assert_eq!(agent.window(), cut);
        agent.close().unwrap();
        assert_eq!(lab.runs()[0].window, Some(cut), "so `status` knows it");
    }
}

/// What is cut by little looks like another tokenizer at first; a longer prompt with the very same count
/// does not.
#[tokio::test]
async fn a_prompt_that_was_cut_by_little_is_seen_by_a_count_that_does_not_grow() {
    let mut lab = reading(|bare| bare.min(2048));
    lab.config.provider.context_tokens = Some(16_384);
    lab.edit_kv(&[("birds", json!("geese fly at dawn. ".repeat(440)))]);
    let mut agent = lab.start();
    ask(&mut agent, "one").await;
    assert_eq!(agent.window().tokens, 16_384);
    agent.close().unwrap();
    lab.edit_kv(&[("birds", json!("geese fly at dawn. ".repeat(540)))]);
    let mut agent = lab.start();
    ask(&mut agent, "two").await;
    let sizes: Vec<u64> = lab.peer.requests().iter().map(bare_of).collect();
    let is_seen = sizes.len() == 3 && sizes[..2].iter().all(|size| (2049..2900).contains(size));
    assert!(is_seen, "{sizes:?}");
    assert_eq!(
        (agent.window().tokens, agent.window().source),
        (2048, WindowSource::Cut)
    );
    agent.close().unwrap();
}

/// Servers that count only what their cache lacked, and tokenizers of every measure, are not cut.
#[tokio::test]
async fn a_low_count_alone_is_no_cut_prompt() {
    let cached = |bare: u64| bare / 4;
    let cheap = |bare: u64| bare * 7 / 10;
    let counts: [(Count, usize); 4] = [(cached, 4), (cheap, 3), (|_| 0, 3), (|_| 40, 3)];
    for (count, asked) in counts {
        let mut lab = reading(count);
        lab.config.provider.context_tokens = Some(16_384);
        let mut agent = lab.start();
        for request in ["one", "two", "three"] {
            ask(&mut agent, request).await;
        }
        let window = Window::of(None, Some(16_384));
        assert_eq!(agent.window(), window);
        assert_eq!(lab.peer.request_count(), asked, "put anew once at most");
        let notices = lab.eyes.notices().concat();
        assert!(!notices.contains("read only"), "{notices}");
        agent.close().unwrap();
    }
}

/// Where nothing of it can be left out, a person is told once and the answer is taken as it is.
#[tokio::test]
async fn a_cut_prompt_that_cannot_be_shorter_is_told_of_once() {
    let mut lab = reading(|bare| bare.min(300));
    lab.config.provider.context_tokens = Some(16_384);
    lab.prompt.segments[0].prompt = "words that must be in ".repeat(100);
    let mut agent = lab.start();
    for request in ["one", "two"] {
        ask(&mut agent, request).await;
    }
    assert_eq!(agent.window(), Window::of(None, Some(16_384)));
    agent.close().unwrap();
    assert_eq!(lab.peer.request_count(), 2);
    let notices = lab.eyes.notices().concat();
    assert_eq!(
        notices.matches("cannot be made shorter").count(),
        1,
        "{notices}"
    );
}

#[tokio::test]
async fn a_server_that_tells_nothing_is_asked_twice_and_never_again() {
    let mut lab = Lab::new();
    let mut agent = lab.start();
    for request in ["one", "two", "three"] {
        good_run(&lab);
        assert!(succeeded(&ask(&mut agent, request).await));
    }
    assert_eq!(asked(&lab, "/api/v1/models"), 2);
    assert_eq!(agent.window(), Window::of(None, None));
    agent.close().unwrap();
}

#[tokio::test]
async fn a_server_that_was_away_is_asked_for_its_window_anew() {
    let mut lab = llama(8192);
    lab.config.retry.max_retries = 0;
    lab.peer.tell("/props", Step::window(4096));
    lab.says(&ram_add("n", "0"));
    // It is started anew, with a smaller window.
    lab.peer.push(Step::status(503));
    lab.says(&ram_add("n", "1"));
    lab.says(&ram_add("n", "2"));
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run));
    assert_eq!(allowed(&lab), [2048, 2048, 1024, 1024]);
    assert_eq!(run.window, Some(Window::of(Some(4096), None)));
    assert_eq!(asked(&lab, "/props"), 2);
    agent.close().unwrap();
}

#[tokio::test]
async fn another_model_has_another_window() {
    let mut lab = Lab::new();
    lab.peer.tell("/api/v1/models", instance(Some(8192)));
    lab.peer.tell("/api/v1/models", instance(None));
    good_run(&lab);
    let mut agent = lab.start();
    assert!(succeeded(&ask(&mut agent, "one").await));
    assert_eq!(agent.window().tokens, 8192);
    // A person loads another one, of which nothing is told.
    lab.peer.push(Step::status(404));
    lab.peer
        .push_models(Step::json(&json!({"data": [{"id": "small"}]})));
    good_run(&lab);
    let run = ask(&mut agent, "two").await;
    assert!(succeeded(&run));
    assert_eq!(run.model.as_deref(), Some("small"));
    assert_eq!(run.window, Some(Window::of(None, None)));
    agent.close().unwrap();
}

#[test]
fn a_stop_while_a_probe_is_silent_ends_the_loop_and_no_question_is_put() {
    for path in ["/props", COUNTER] {
        let mut lab = Lab::new();
        lab.config.provider.kind = ProviderKind::OpenAi;
        if path == COUNTER {
            lab.peer.tell("/props", Step::window(8192));
        }
        lab.peer.tell(path, Step::hang());
        let mut agent = lab.start();
        let (peer, stop) = (&lab.peer, lab.stopper());
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                peer.wait_for_probe(path, Duration::from_secs(20));
                stop.stop();
            });
            let halt = runtime.block_on(async {
                let event = EventId("e".to_owned());
                let run_id = agent.queue(event, Trigger::Manual, None).await.unwrap();
                agent.drive(run_id).await.unwrap_err()
            });
            assert!(matches!(halt, Halt::Stopped), "{halt:?}");
        });
        agent.close().unwrap();
        assert_eq!(lab.peer.request_count(), 0);
    }
}

/// A server's word that a prompt is too long for its 2,048 tokens.
fn refusal() -> Step {
    let message = "This model's maximum context length is 2048 tokens.";
    let error = json!({"code": "context_length_exceeded", "message": message});
    Step::status(400).body(json!({ "error": error }).to_string())
}

#[tokio::test]
async fn a_question_that_cannot_be_shorter_is_not_put_again_because_a_minute_went_by() {
    let clock: Arc<OnceLock<Arc<ManualClock>>> = Arc::default();
    let moved = Arc::clone(&clock);
    let mut lab = Lab::with_peer(Peer::answering(move |_, _| {
        moved.get().unwrap().advance(120_000);
        refusal()
    }));
    lab.config.provider.context_tokens = Some(2048);
    clock.set(Arc::clone(&lab.clock)).unwrap();
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::ContextOverflow));
    assert_eq!(lab.peer.request_count(), 1);
}

#[tokio::test]
async fn a_window_is_learnt_from_a_refusal_inside_the_same_iteration() {
    let mut lab = Lab::new();
    lab.peer.push(refusal());
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run));
    assert_eq!((run.loop_count, run.usage.calls), (3, 3));
    assert_eq!(allowed(&lab), [4096, 512, 512, 512]);
    assert_eq!(run.window, Some(Window::of(Some(2048), None)));
    // What is known already changes nothing: the same question is not put again.
    lab.peer.push(refusal());
    let run = ask(&mut agent, "more").await;
    assert_eq!(run.error_code, Some(Code::ContextOverflow));
    assert_eq!(lab.peer.request_count(), 5);
    agent.close().unwrap();
}

#[tokio::test]
async fn tokens_are_counted_as_the_server_has_and_survive_what_the_journal_survives() {
    let mut lab = counting(1370);
    let mut agent = lab.start();
    let fresh = agent.meter();
    for n in 0..4 {
        ask(&mut agent, &format!("request {n}")).await;
    }
    let meter = agent.meter();
    assert_ne!(meter, fresh);
    let text = "a text of forty characters, or about so".repeat(100);
    let bare = TokenMeter::bare().text(&text);
    let told = bare * 1370 / 1000;
    assert!((told..=told * 112 / 100).contains(&meter.text(&text)));
    // A stop, a start; a start that reads the whole journal; nothing but the files.
    agent.close().unwrap();
    let agent = lab.start();
    assert_eq!(agent.meter(), meter);
    agent.close().unwrap();
    lab.remove("data/journal/checkpoint.json");
    let agent = lab.start();
    assert_eq!(agent.meter(), meter);
    agent.close().unwrap();
    assert_eq!(lab.state().meter_for("peer-model"), meter);
    assert_eq!(lab.state().meter_for("another"), fresh);
}

#[tokio::test]
async fn what_was_not_counted_teaches_nothing() {
    // Not counted; counted in part.
    let answers: [fn(&Request, usize) -> Step; 2] = [
        |_, _| counted(&ram_add("n", "1"), 0),
        |_, _| counted(&ram_add("n", "1"), 3),
    ];
    for answer in answers {
        let mut lab = Lab::with_peer(Peer::answering(answer));
        lab.config.r#loop.max_iterations = Some(1);
        let mut agent = lab.start();
        let fresh = agent.meter();
        let run = ask(&mut agent, "keep this").await;
        assert!(run.usage.calls > 0);
        assert_eq!(agent.meter(), fresh);
        assert!(agent.store().state().calibrations.is_empty());
        agent.close().unwrap();
    }
}

/// What a server counts once must not keep the agent from ever asking again.
#[tokio::test]
async fn a_count_that_no_tokenizer_reaches_ends_no_later_run() {
    for told in [u64::MAX, 1_000_000] {
        let mut lab = Lab::with_peer(Peer::answering(move |request, index| {
            let tokens = if index == 0 { told } else { bare_of(request) };
            counted(&ram_add("n", &index.to_string()), tokens)
        }));
        lab.config.r#loop.max_iterations = Some(1);
        let mut agent = lab.start();
        for request in ["one", "two", "three"] {
            let run = ask(&mut agent, request).await;
            assert_eq!(
                run.error_code,
                Some(Code::IterationLimit),
                "{told}: {request}"
            );
        }
        assert_eq!(lab.peer.request_count(), 3);
        agent.close().unwrap();
    }
}

#[tokio::test]
async fn of_several_prompts_of_one_iteration_the_last_one_teaches() {
    let mut lab = Lab::with_peer(Peer::answering(|request, index| match index % 2 {
        0 => counted("no instruction", 4 * bare_of(request)),
        _ => counted(&ram_add("n", "1"), 2 * bare_of(request)),
    }));
    lab.config.r#loop.max_iterations = Some(1);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert_eq!(run.usage.calls, 2);
    assert_eq!(agent.meter(), TokenMeter::scaled(2201));
    agent.close().unwrap();
}

#[tokio::test]
async fn the_servers_counter_is_asked_while_nothing_is_known_and_near_the_limit() {
    // Far from the limit: once, for the first prompt.
    let mut lab = llama(16_384);
    let count = |tokens: u64| Step::json(&json!({ "input_tokens": tokens }));
    lab.peer.tell(COUNTER, count(200));
    good_run(&lab);
    let mut agent = lab.start();
    let run = ask(&mut agent, "keep this").await;
    assert!(succeeded(&run));
    assert_eq!(asked(&lab, COUNTER), 1);
    let first = &lab.peer.requests()[0];
    let probes = lab.peer.probes();
    let probe = probes.iter().find(|probe| probe.path == COUNTER).unwrap();
    assert_eq!(probe.json()["messages"], first.json()["messages"]);
    let estimate = agent.meter().text(&"word".repeat(1000));
    let told = usize::try_from(200_000 / bare_of(first)).unwrap();
    assert!((told..=told * 112 / 100).contains(&estimate), "{estimate}");
    agent.close().unwrap();

    // Near it: a prompt that could be longer than the window, being unlike the one before.
    let mut lab = llama(215 * 4 / 3);
    lab.peer.tell(COUNTER, count(130));
    lab.config.r#loop.max_iterations = Some(1);
    let digits = format!("keep {}", "7".repeat(61));
    let mut agent = lab.start();
    for (request, counts) in [("keep this", 1), (&*digits, 2)] {
        lab.says(&ram_add("n", &counts.to_string()));
        ask(&mut agent, request).await;
        assert_eq!(asked(&lab, COUNTER), counts, "{request}");
    }
    agent.close().unwrap();

    // One that does not answer is not asked again.
    let mut lab = llama(8192);
    good_run(&lab);
    assert!(succeeded(&lab.run("keep this").await));
    assert_eq!(asked(&lab, COUNTER), 1);
}

#[tokio::test]
async fn a_refusal_teaches_the_meter_until_the_journal_has_a_count() {
    let mut lab = llama(8192);
    let refusal = json!({"error": {"type": "exceed_context_size_error", "n_ctx": 8192,
        "n_prompt_tokens": 9000}});
    // The first prompt, and the shorter one that is tried after it.
    for _ in 0..2 {
        lab.peer.push(Step::status(400).body(refusal.to_string()));
    }
    let mut agent = lab.start();
    let fresh = agent.meter();
    // Long enough for the count to be one that a tokenizer may reach.
    let run = ask(&mut agent, &"word ".repeat(500)).await;
    assert_eq!(run.error_code, Some(Code::ContextOverflow));
    assert!(agent.meter().text("word") > fresh.text("word"));
    // It fades as others are counted.
    for n in 0..40 {
        let before = agent.meter();
        lab.peer.push(counted(&ram_add("n", &n.to_string()), 300));
        lab.peer.push(counted(&ram_add("think_log", "-"), 300));
        lab.peer.push(counted(&ram_add("think_log", "-"), 300));
        ask(&mut agent, &format!("request {n}")).await;
        assert!(agent.meter().text("word") <= before.text("word"));
    }
    let learnt = agent.store().state().meter_for("peer-model");
    assert!(agent.meter().text(&"word".repeat(100)) < learnt.text(&"word".repeat(100)) * 11 / 10);
    agent.close().unwrap();
}
