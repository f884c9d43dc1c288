//! The agents that a person describes below `data/agents`, and runs of them by hand.

use super::change::command_by;
use super::list::{List, PageQuery};
use super::runs::{LaunchedView, checked_key, request_text};
use super::session::Session;
use crate::config::AgentDescription;
use crate::daemon::{AgentLaunch, Command};
use crate::failure::{Code, Failure};
use crate::ids::{AgentId, EventId};
use clap::Args;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A request that names an agent.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct NamedAgent {
    /// The agent's id: the name of its file without the ending.
    #[serde(rename = "agent_id")]
    pub agent: String,
}

/// A request to open a run of an agent.
#[derive(Clone, Debug, Deserialize)]
pub struct RunAgent {
    #[serde(rename = "agent_id")]
    pub agent: String,
    /// What the agent is to do.
    pub task: String,
    /// The idempotency key: the same key never opens two runs of one agent.
    #[serde(rename = "idempotency_key")]
    pub key: Option<String>,
    /// Whether the run waits while another run of the agent is open.
    #[serde(default)]
    pub queue: bool,
}

/// An agent with the size of its words.
#[derive(Debug, Serialize)]
pub struct AgentView {
    #[serde(flatten)]
    pub agent: AgentDescription,
    /// The estimated number of tokens of its words, which stand in each of its prompts.
    #[serde(rename = "wordsTokens")]
    pub words_tokens: usize,
}

/// Lists the agents in the order of their ids.
pub fn list(session: &Session, page: PageQuery) -> Result<List<AgentDescription>, Failure> {
    Ok(List::page(session.load()?.agents, page))
}

/// Returns an agent as its file describes it.
pub fn show(session: &Session, NamedAgent { agent }: NamedAgent) -> Result<AgentView, Failure> {
    let loaded = session.load()?;
    let state = session.state(&loaded.config)?;
    let meter = state.meter_for(&loaded.config.provider.model);
    let mut agents = loaded.agents.into_iter();
    let found = agents.find(|it| it.agent_id.as_str() == agent);
    let agent = found.ok_or_else(|| unknown(&agent))?;
    Ok(AgentView {
        words_tokens: meter.text(&agent.words),
        agent,
    })
}

/// Opens a run of an agent. The same key never opens two.
pub fn run(session: &Session, asked: RunAgent) -> Result<LaunchedView, Failure> {
    session.checked_disk()?;
    let task = request_text(&asked.task)?;
    let agents = session.load()?.config.agents;
    let agent = AgentId::parse(&asked.agent).filter(|id| agents.contains_key(id));
    let agent = agent.ok_or_else(|| unknown(&asked.agent))?;
    let key = match asked.key {
        Some(key) => checked_key(key)?,
        None => Uuid::new_v4().to_string(),
    };
    let launch = AgentLaunch {
        event: EventId(format!("agent:{agent}:{key}")),
        agent,
        task,
        queues: asked.queue,
    };
    LaunchedView::of(command_by(session, Command::RunAgent(launch))?)
}

fn unknown(agent: &str) -> Failure {
    let message = format!("there is no agent `{agent}` that is switched on");
    Failure::new(Code::AgentNotFound, message)
}
