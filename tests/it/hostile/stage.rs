//! What is played and who plays it: a model that is hostile until it is told to be honest, and an observer
//! that knows which iteration a reply belongs to.

use super::attack::Attacker;
use super::fields::pick;
use crate::random::Random;
use kjxlkj_agent::core::agent::LoopState;
use kjxlkj_agent::core::run::Run;
use kjxlkj_agent::daemon::{LoopEvent, Observer, StopHandle};
use kjxlkj_agent::ids::RunId;
use kjxlkj_agent::provider::{
    CallFuture, LlmProvider, LlmReply, LlmRequest, ProviderError, ScriptedProvider,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

/// Runs that a request, or a change by a person, leads to at most: the first, and those of a rule that its
/// notes set off.
const RUNS_MAX: usize = 33;

/// Replies to one iteration beside those that its attempts take: a form that was not taken, a reply that
/// was blank or cut.
const REPLIES_MORE: u32 = 24;

/// The element of the short question by which a server's forms are found out.
const MARK: &str = "kjx_mark";

/// An iteration: its run and its number.
pub(super) type Place = (String, u64);

/// What a loop may ask: one that asks more goes round in a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Replies that one attempt at an iteration takes.
    pub(super) attempt: u32,
    /// Iterations of a run.
    pub(super) iterations: u64,
}

impl Bounds {
    /// Replies to one iteration, of which so many attempts have failed.
    const fn replies(self, failures: u32) -> u32 {
        REPLIES_MORE + self.attempt * (failures + 2)
    }
}

/// What was asked for one iteration.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    replies: u32,
    /// Calls that failed, after each of which all may be asked anew.
    failures: u32,
}

/// What the honest model is to write.
#[derive(Clone, Debug)]
pub(super) struct Honest {
    pub(super) title: String,
    pub(super) value: String,
    pub(super) kind: String,
}

impl Honest {
    /// What it says in a state.
    pub(super) fn reply(&self, state: LoopState) -> String {
        match state {
            LoopState::Planning => {
                "<ram_add><key>steps</key><value>write the note</value></ram_add>\
                 <state_add><state>executing</state></state_add>"
                    .to_owned()
            }
            LoopState::Executing => format!(
                "<record_add><title>{}</title><kind>{}</kind><keywords>honest</keywords>\
                 <value>{}</value></record_add><state_add><state>evaluating</state></state_add>",
                self.title, self.kind, self.value
            ),
            LoopState::Evaluating => {
                "<ram_add><key>think_log</key><value>all is well</value></ram_add>\
                 <state_add><state>idle</state></state_add>"
                    .to_owned()
            }
            LoopState::Paging | LoopState::RecordOrganizing | LoopState::Idle => {
                "<ram_add><key>think_log</key><value>all is well</value></ram_add>".to_owned()
            }
        }
    }
}

/// The play so far.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) attacker: Attacker,
    /// Who takes the attacker's place, once it is time.
    pub(super) honest: Option<Honest>,
    /// Texts that no prompt may show.
    pub(super) hidden: Vec<String>,
    /// What was said in each iteration, retries included.
    pub(super) said: BTreeMap<Place, String>,
    pub(super) wrong: Vec<String>,
    /// What a person was told last.
    pub(super) told: String,
    pub(super) stop: Option<StopHandle>,
    run: String,
    state: LoopState,
    iteration: u64,
    asked: u32,
    bounds: Bounds,
    counts: BTreeMap<Place, Count>,
    /// Runs that have begun since the last request, by the run that stands behind them all.
    runs: BTreeMap<RunId, BTreeSet<RunId>>,
}

/// A handle of the play.
#[derive(Clone, Debug)]
pub(super) struct Shared(Arc<Mutex<Stage>>);

impl Shared {
    pub(super) fn of(attacker: Attacker, hidden: Vec<String>, bounds: Bounds) -> Self {
        Self(Arc::new(Mutex::new(Stage {
            attacker,
            honest: None,
            hidden,
            said: BTreeMap::new(),
            wrong: Vec::new(),
            told: String::new(),
            stop: None,
            run: String::new(),
            state: LoopState::Idle,
            iteration: 0,
            asked: 0,
            bounds,
            counts: BTreeMap::new(),
            runs: BTreeMap::new(),
        })))
    }

    pub(super) fn look(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap()
    }
}

impl Stage {
    /// Returns how many questions were asked.
    pub(super) const fn asked(&self) -> u32 {
        self.asked
    }

    /// Ends a script that would never end.
    pub(super) fn give_up(&mut self, why: &str) {
        self.wrong.push(why.to_owned());
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }

    /// A person asks for something, which may take so many iterations.
    pub(super) fn requested(&mut self, iterations: u64) {
        self.bounds.iterations = iterations;
        self.runs.clear();
    }

    /// From now on the model is honest; what it is asked for next may take so many iterations.
    pub(super) fn turn_honest(&mut self, honest: Honest, iterations: u32) {
        self.honest = Some(honest);
        self.requested(u64::from(iterations));
    }

    fn count(&mut self) -> &mut Count {
        let place = (self.run.clone(), self.iteration);
        self.counts.entry(place).or_default()
    }

    fn began(&mut self, run: &Run) {
        let root = run.origin.as_ref().and_then(|origin| origin.root);
        let runs = self.runs.entry(root.unwrap_or(run.run_id)).or_default();
        runs.insert(run.run_id);
        let is_endless = runs.len() > RUNS_MAX;
        self.run = run.run_id.to_string();
        if is_endless {
            self.give_up("a request leads to runs without end");
        }
    }

    fn asking(&mut self, state: LoopState, iteration: u64) {
        (self.state, self.iteration) = (state, iteration);
        if iteration > self.bounds.iterations {
            self.give_up("a run goes on beyond its last iteration");
        }
    }

    /// What the model says to a prompt; every word of it is kept.
    pub(super) fn says(&mut self, prompt: &str) -> String {
        self.asked += 1;
        let count = self.count();
        count.replies += 1;
        let Count { replies, failures } = *count;
        if replies > self.bounds.replies(failures) {
            let what = format!("an iteration was asked {replies} times, {failures} calls failed");
            self.give_up(&what);
        }
        if let Some(shown) = self.hidden.iter().find(|it| prompt.contains(it.as_str())) {
            let what = format!("a prompt shows {shown}, which nobody may read");
            self.wrong.push(what);
        }
        if let Some(honest) = &self.honest {
            let said = honest.reply(self.state);
            return self.noted(said);
        }
        self.attacker.learn(prompt);
        let said = self.attacker.reply(prompt);
        self.noted(said)
    }

    pub(super) fn noted(&mut self, said: String) -> String {
        let place = (self.run.clone(), self.iteration);
        self.said.entry(place).or_default().push_str(&said);
        said
    }

    /// A line of a script: a reply with everything around it, or a failure.
    fn line(&mut self, prompt: &str) -> Value {
        if self.honest.is_none() && self.attacker.random.below(25) == 0 {
            self.asked += 1;
            self.count().failures += 1;
            return failure(&mut self.attacker.random);
        }
        let text = self.says(prompt);
        let is_honest = self.honest.is_some();
        let random = &mut self.attacker.random;
        let mut line = json!({"text": text, "finish": "stop"});
        if is_honest {
            return line;
        }
        if random.below(12) == 0 {
            line["finish"] = json!("length");
        }
        if random.below(12) == 0 {
            line["reasoning"] = json!(format!("<ram_delete><key>plan</key></ram_delete>{text}"));
            let reasoning = line["reasoning"].as_str().unwrap().to_owned();
            self.noted(reasoning);
        }
        let random = &mut self.attacker.random;
        // From 256 on, fewer than the prompt has would say that the window is as small as that.
        let tokens = [0, 1, 200, u64::from(u32::MAX)][random.index(4)];
        line["usage"] = json!({"input_tokens": tokens, "output_tokens": random.below(5000)});
        if random.below(8) == 0 {
            line["model"] = json!(pick(
                random,
                &["", "../x", "a\u{1b}[2Jb", "other\0model", "\u{202e}"]
            ));
        }
        line
    }
}

/// A failure of the server, as the adapters would tell it.
fn failure(random: &mut Random) -> Value {
    let codes = [
        "LLM_TIMEOUT",
        "LLM_UNAVAILABLE",
        "RATE_LIMITED",
        "PROVIDER_AUTH_ERROR",
        "PROVIDER_INVALID_REQUEST",
        "PROVIDER_CONTEXT_EXCEEDED",
        "PROVIDER_SERVER_ERROR",
        "PROVIDER_BAD_RESPONSE",
        "PROVIDER_NOT_FOUND",
        "LLM_EMPTY_REPLY",
        "LLM_REPLY_TRUNCATED",
        "LLM_REPLY_RUNAWAY",
    ];
    let wait_ms = [0, 1, 100_000, 10 * 86_400_000_u64][random.index(4)];
    json!({"error": {
        "code": pick(random, &codes), "retry": random.below(2) == 0,
        "message": "<state_add><state>idle</state></state_add>",
        "retry_after_ms": wait_ms,
    }})
}

/// The model.
#[derive(Debug)]
pub(super) struct Player(pub(super) Shared);

impl LlmProvider for Player {
    fn complete<'a>(
        &'a self,
        request: &'a LlmRequest,
    ) -> CallFuture<'a, Result<LlmReply, ProviderError>> {
        Box::pin(async move {
            let mut prompt = String::new();
            for message in &request.messages {
                writeln!(prompt, "{}", message.content).unwrap();
            }
            let form = request.constraint.as_ref();
            let line = match form.filter(|form| form.text.contains(MARK)) {
                Some(form) if form.text.starts_with("root") => {
                    json!({"text": format!("<{MARK}></{MARK}>")})
                }
                Some(_) => json!({"text": format!("{{\"op\": \"{MARK}\"}}")}),
                None => self.0.look().line(&prompt),
            };
            let play = ScriptedProvider::from_text("hostile", &line.to_string()).unwrap();
            play.complete(request).await
        })
    }

    fn provider_name(&self) -> &'static str {
        "openai"
    }

    fn models(&self) -> CallFuture<'_, Result<Vec<String>, ProviderError>> {
        Box::pin(std::future::ready(Ok(vec!["hostile".to_owned()])))
    }
}

/// Tells the play which iteration it is in.
#[derive(Debug)]
pub(super) struct Prompter(pub(super) Shared);

impl Observer for Prompter {
    fn on_event(&mut self, event: LoopEvent<'_>) {
        let mut stage = self.0.look();
        match event {
            LoopEvent::RunBegan { run } => stage.began(run),
            LoopEvent::Asking { state, iteration } => stage.asking(state, u64::from(iteration)),
            LoopEvent::Notice { message } => message.clone_into(&mut stage.told),
            LoopEvent::StillAsking { .. }
            | LoopEvent::Unreadable { .. }
            | LoopEvent::Committed { .. }
            | LoopEvent::NoteChanged(_)
            | LoopEvent::Taken { .. }
            | LoopEvent::Progress { .. }
            | LoopEvent::Waiting { .. } => {}
        }
    }
}
