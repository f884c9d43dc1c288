//! Goals 11 and 13, with a real model server: how many tokens the prompt takes before any data, and how
//! much of each prompt the server still has from the one before.

use crate::floor::runtime;
use crate::measure::{Outcome, float};
use crate::product::{self, Stopwatch, halted};
use crate::relay::{Counted, Nothing, Relay};
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::config;
use kjxlkj_agent::core::agent::{LoopState, Numbered};
use kjxlkj_agent::core::prompt::{ChatRole, PromptData, PromptFile, PromptMessage, assemble};
use kjxlkj_agent::core::run::Trigger;
use kjxlkj_agent::ids::EventId;
use reqwest::{Client, Url};
use serde_json::{Value, json};
use std::path::Path;

const FIXED: Question = Question {
    number: 11,
    what: "prompt of the largest state without any data",
    against: "nothing: the number itself",
    unit: "tokens",
    goal: Goal::AtMost(1200.0),
};

const PREFIX: Question = Question {
    number: 13,
    what: "prompt tokens that the server still has from the call before",
    against: "all prompt tokens, once each state of the cycle has been asked",
    unit: "share",
    goal: Goal::AtLeast(0.8),
};

/// What the agent is asked to do while the cache is watched.
const REQUESTS: &[&str] = &[
    "Write down: the wifi password is tea&coffee<3. The bins go out on Friday.",
    "Write down that the spare key is with the neighbours, and that the boiler is serviced in May.",
    "Find the note about the bins and add that the paper bin goes out on Monday.",
];

/// The server to ask.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// Up to and including `/v1`.
    pub(crate) base_url: String,
    /// The model's name; without one, the first of the server's list.
    pub(crate) model: Option<String>,
}

/// Why nothing was measured.
const NO_SERVER: &str = "it needs a real model server; give one with --model-url";

/// Measures goal 11.
pub(crate) fn measure_fixed_prompt(server: Option<&Server>) -> Outcome<Vec<Row>> {
    let Some(server) = server else {
        return Ok(vec![Row::skipped(FIXED, NO_SERVER)]);
    };
    let folder = product::folder()?;
    config::init(folder.path())?;
    let (_, prompt) = product::load(folder.path())?;
    let length =
        |messages: &[PromptMessage]| messages.iter().map(|it| it.content.len()).sum::<usize>();
    let prompts = LoopState::ALL.map(|state| (state, without_data(&prompt, state)));
    let largest = prompts.iter().max_by_key(|(_, messages)| length(messages));
    let (state, messages) = largest.ok_or("there is no state")?;
    let tokens = runtime()?.block_on(tokens_of(server, messages))?;
    Ok(vec![
        Row::of_number(FIXED, float(tokens), 1)
            .with("state", state.name())
            .with("bytes", length(messages)),
    ])
}

fn without_data(prompt: &PromptFile, state: LoopState) -> Vec<PromptMessage> {
    let time = "2026-01-02 03:04";
    assemble(
        prompt,
        &PromptData {
            time,
            state,
            request: None,
            ram: &[],
            step: None,
            results: &[],
            numbered: Numbered::default(),
            ram_order: &[],
        },
    )
}

async fn tokens_of(server: &Server, messages: &[PromptMessage]) -> Outcome<u64> {
    let client = Client::builder().no_proxy().build()?;
    let model = model_of(&client, server).await?;
    let said = messages.iter().map(|message| {
        let role = match message.role {
            ChatRole::System => "system",
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        };
        json!({"role": role, "content": message.content})
    });
    let question = json!({"model": model, "messages": said.collect::<Vec<_>>(), "max_tokens": 1});
    let url = format!("{}/chat/completions", server.base_url);
    let request = client.post(url).header("content-type", "application/json");
    let answer = request
        .body(question.to_string())
        .send()
        .await?
        .error_for_status()?;
    let answer: Value = serde_json::from_slice(&answer.bytes().await?)?;
    let prompt = Counted::read(&answer).ok_or("the server does not count prompt tokens")?;
    Ok(prompt.tokens)
}

async fn model_of(client: &Client, server: &Server) -> Outcome<String> {
    if let Some(model) = &server.model {
        return Ok(model.clone());
    }
    let answer = client
        .get(format!("{}/models", server.base_url))
        .send()
        .await?;
    let answer: Value = serde_json::from_slice(&answer.error_for_status()?.bytes().await?)?;
    let model = answer["data"][0]["id"].as_str();
    Ok(model.ok_or("the server lists no model")?.to_owned())
}

/// Measures goal 13.
pub(crate) fn measure_prefix_cache(server: Option<&Server>, quick: bool) -> Outcome<Vec<Row>> {
    let Some(server) = server else {
        return Ok(vec![Row::skipped(PREFIX, NO_SERVER)]);
    };
    let relay = Relay::start(&Url::parse(&server.base_url)?, Box::new(Nothing))?;
    let folder = product::folder()?;
    let iterations = if quick { 5 } else { 8 };
    let server_work = work(folder.path(), server, &relay, iterations);
    let warm = runtime()?.block_on(server_work)?;
    let prompts = relay.noted();
    let (Some(all), Some(steady)) = (share(prompts.get(1..)), share(prompts.get(warm..))) else {
        let reason = "the server answered too seldom, or does not tell what it had kept";
        return Ok(vec![Row::skipped(PREFIX, reason)]);
    };
    let told = prompts.iter().map(|it| json!([it.cached, it.tokens]));
    Ok(vec![
        Row::of_number(PREFIX, steady, prompts.len() - warm)
            .with("from_the_second_call_on", all)
            .with("cached_and_all_tokens", told.collect::<Vec<_>>()),
    ])
}

/// The share of the prompts' tokens that had been kept, if there are any and all tell.
fn share(prompts: Option<&[Counted]>) -> Option<f64> {
    let (mut tokens, mut cached) = (0, 0);
    for prompt in prompts? {
        tokens += prompt.tokens;
        cached += prompt.cached?;
    }
    (tokens > 0).then(|| float(cached) / float(tokens))
}

/// Lets the agent work on requests for so many iterations, however it fares. Gives how many calls the
/// first cycle took: in it the server sees each state's prompt for the first time.
async fn work(root: &Path, server: &Server, relay: &Relay, iterations: u32) -> Outcome<usize> {
    const CYCLE: u32 = 3;
    let model = model_of(&Client::builder().no_proxy().build()?, server).await?;
    let changes = json!({
        "provider": {"provider_kind": "openai", "base_url": relay.base_url(), "model": model,
                     "max_tokens": 256},
        "loop": {"loop_delay_ms": 0, "protocol": "xml"},
    });
    config::init_with(root, &changes)?;
    let (mut agent, _stop) = product::open_agent(root, Stopwatch::default())?;
    let mut requests = REQUESTS.iter().cycle().enumerate();
    let mut warm = 0;
    for iteration in 0..iterations {
        if iteration == CYCLE {
            warm = relay.noted().len();
        }
        let run_id = if let Some(run_id) = agent.next_run() {
            run_id
        } else {
            let (number, request) = requests.next().ok_or("there is no request")?;
            let (event, request) = (EventId(format!("bench:{number}")), (*request).to_owned());
            let queued = agent.queue(event, Trigger::Request, Some(request)).await;
            queued.map_err(halted)?
        };
        agent.step(run_id).await.map_err(halted)?;
    }
    agent.close()?;
    Ok(warm)
}
