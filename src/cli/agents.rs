//! `agents`: formats the agents below `data/agents`, and opens runs of them.

use super::arguments::{AgentsVerb, Format};
use super::follow::follow;
use super::forwarding::forward_json;
use super::table::Column;
use super::table::Kind::{Fixed, Text};
use super::text::{one_line, pairs};
use super::{Context, VerbOutput, runs, words_of};
use crate::failure::Failure;
use crate::ids::RunId;
use crate::limits::INBOX_FILE_BYTES_MAX;
use crate::service::agents::{self, AgentView, RunAgent};
use serde::Deserialize;

const CELL_CHARACTERS_MAX: usize = 60;

const COLUMNS: [Column; 3] = [("AGENT", Fixed), ("DESCRIPTION", Text), ("ENABLED", Fixed)];

pub(super) fn run(context: &Context, verb: AgentsVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        AgentsVerb::List(page) => {
            let found = agents::list(session, page)?;
            context.list(&found, &found, COLUMNS, |agent| {
                [
                    agent.agent_id.to_string(),
                    one_line(&agent.description, CELL_CHARACTERS_MAX),
                    if agent.enabled { "yes" } else { "no" }.to_owned(),
                ]
            })
        }
        AgentsVerb::Show(agent) => context.answer(&agents::show(session, agent)?, text_of),
        AgentsVerb::Run {
            agent,
            words,
            key,
            queue,
            wait,
        } => {
            let asked = RunAgent {
                agent,
                task: context.value_or_input(words.join(" "), INBOX_FILE_BYTES_MAX)?,
                key,
                queue,
            };
            if wait {
                let run_id = opened(context, asked)?;
                return follow(context, Some(run_id));
            }
            runs::launched(context, &agents::run(session, asked)?)
        }
    }
}

/// Opens a run, by the daemon where one holds the folder, and returns its id.
fn opened(context: &Context, asked: RunAgent) -> Result<RunId, Failure> {
    let RunAgent {
        agent,
        task,
        key,
        queue,
    } = &asked;
    let mut words = vec!["agents", "run"];
    words.extend(key.iter().flat_map(|key| ["--key", key.as_str()]));
    words.extend(queue.then_some("--queue"));
    words.extend(["--", agent.as_str(), task.as_str()]);
    let words = words_of(Format::Json, &words);
    let refused = match agents::run(&context.session, asked) {
        Err(refused) => refused,
        Ok(launched) => return Ok(launched.run.run.run_id),
    };
    let record: OpenedRun = forward_json(context, words, refused)?;
    Ok(record.run_id)
}

/// The part of a run record that is needed to follow the run.
#[derive(Deserialize)]
struct OpenedRun {
    run_id: RunId,
}

fn text_of(view: &AgentView) -> String {
    let agent = &view.agent;
    let may_use = agent.capabilities.as_ref().map_or_else(
        || "what the prompt file allows".to_owned(),
        |names| names.join(", "),
    );
    let head = pairs(&[
        ("agent", agent.agent_id.to_string()),
        ("name", agent.display_name.clone().unwrap_or_default()),
        ("version", agent.version.clone().unwrap_or_default()),
        ("description", one_line(&agent.description, usize::MAX)),
        (
            "enabled",
            if agent.enabled { "yes" } else { "no" }.to_owned(),
        ),
        ("team", agent.team.clone().unwrap_or_default()),
        ("tags", agent.tags.join(", ")),
        ("may use", may_use),
        ("file", agent.file.clone()),
        ("words", format!("about {} tokens", view.words_tokens)),
    ]);
    if agent.words.is_empty() {
        head
    } else {
        format!("{head}\n{}", agent.words)
    }
}
