//! Agents that a person describes: how their files are read, what their runs may do, and with which
//! words and servers they are worked on.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, WORKSPACE, loaded, queue, succeeded, write};
use crate::loop_rules::think;
use crate::peer::Peer;
use crate::private_ram::{of_agent, open_run};
use kjxlkj_agent::config::{self, ConfigProblem, Severity};
use kjxlkj_agent::core::run::RunState;
use kjxlkj_agent::failure::{Code, Failure};
use kjxlkj_agent::ids::AgentId;
use kjxlkj_agent::store::audit_entries;
use kjxlkj_agent::store::disk::RealDisk;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Writes the files of agents, for the next start.
pub(crate) fn take_agents(lab: &mut Lab, agents: &[Value]) {
    for agent in agents {
        let id = agent["agentId"].as_str().unwrap();
        lab.write(&format!("data/agents/{id}.json"), &agent.to_string());
    }
    let mut file: Value = serde_json::from_str(&lab.text("data/config.json")).unwrap();
    file["provider"]["base_url"] = json!(lab.config.provider.base_url);
    file["provider"]["model"] = json!(lab.config.provider.model);
    file["scope"]["workspace_id"] = json!(WORKSPACE);
    lab.write("data/config.json", &file.to_string());
    lab.config.agents = loaded(lab.root()).config.agents;
}

/// Loads a fresh root with files in `data/agents`; `Err` holds all problems.
fn load(files: &[(&str, &str)]) -> (Vec<ConfigProblem>, Option<config::LoadedConfig>) {
    let folder = tempfile::tempdir().unwrap();
    let root: &Path = folder.path();
    config::init(root).unwrap();
    for (name, text) in files {
        write(&root.join("data/agents").join(name), text);
    }
    let nothing: BTreeMap<String, String> = BTreeMap::new();
    match config::load(root, &nothing) {
        Ok(loaded) => (loaded.warnings.clone(), Some(loaded)),
        Err(problems) => (problems, None),
    }
}

#[test]
fn a_file_describes_an_agent_and_its_name_is_the_id() {
    let text = r#"{
        "agentId": "reviewer", "displayName": "Reviewer", "version": "1.0.0",
        "description": ["Reads many notes,", "and sums them up."], "tags": ["reading"], "team": "home",
        "systemPrompt": ["Name no note that you were not shown.", "Keep to 300 words."],
        "role": "You sum up notes.", "expertise": ["reviews", "themes"],
        "personality": {"traits": ["plain", "calm"], "communicationStyle": "short", "catchphrase": ""},
        "thinkingPatterns": ["First list the themes."],
        "capabilities": ["record_search", "ram_add"], "provider": "lmstudio", "model": "bigger", "temperature": 0.5, "maxTokens": 99
    }"#;
    let off = r#"{"description": "Rests.", "enabled": false}"#;
    let (warnings, loaded) = load(&[("reviewer.json", text), ("resting.json", off)]);
    assert_eq!(warnings, []);
    let loaded = loaded.unwrap();
    let own = loaded
        .agents
        .iter()
        .filter(|it| it.agent_id.as_str() != "librarian");
    let shown = serde_json::to_value(own.collect::<Vec<_>>()).unwrap();
    assert_eq!(
        shown,
        json!([{
            "agentId": "resting", "description": "Rests.", "enabled": false, "words": "",
            "file": "data/agents/resting.json",
        }, {
            "agentId": "reviewer", "displayName": "Reviewer", "version": "1.0.0",
            "description": "Reads many notes,\nand sums them up.", "enabled": true, "team": "home",
            "tags": ["reading"], "capabilities": ["record_search", "ram_add"],
            "words": "Name no note that you were not shown.\nKeep to 300 words.\nYou sum up notes.\n\
                      You know about: reviews, themes.\nYou are plain, calm.\nYou write short.\n\
                      First list the themes.",
            "file": "data/agents/reviewer.json",
        }])
    );
    let agents = &loaded.config.agents;
    assert_eq!(
        agents.keys().map(AgentId::as_str).collect::<Vec<_>>(),
        ["reviewer"]
    );
    let reviewer = agents.values().next().unwrap();
    let provider = &reviewer.config.provider;
    assert_eq!(
        (provider.model.as_str(), provider.max_tokens),
        ("bigger", 99)
    );
    assert!((provider.temperature - 0.5).abs() < f64::EPSILON);
    assert!(reviewer.has_own_servers);
    for (name, may) in [("ram_add", true), ("answer", true), ("record_add", false)] {
        assert_eq!(reviewer.permit.allows(name), may, "{name}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn every_mistake_in_an_agent_is_told_with_its_place() {
    for (name, text, line, column, path, message) in [
        (
            "a.json",
            "{\n \"description\": 7}",
            2,
            17,
            "description",
            "must be a text",
        ),
        ("a.json", "{}", 1, 1, "", "`description` is missing"),
        ("a.json", "[]", 1, 1, "", "an agent is an object"),
        (
            "a.json",
            "{\"description\": \"x\",,}",
            1,
            21,
            "",
            "key must be a string",
        ),
        (
            "a.json",
            "{\"description\": \"x\", \"agentId\": \"b\"}",
            1,
            33,
            "agentId",
            "must be `a`",
        ),
        (
            "a.json",
            "{\"description\": \"x\", \"temperature\": 3}",
            1,
            37,
            "temperature",
            "must be a number from 0 to 2",
        ),
        (
            "a.json",
            "{\"description\": \"x\", \"provider\": \"nobody\"}",
            1,
            34,
            "provider",
            "names no entry of `providers`",
        ),
        (
            "a.yaml",
            "description: Reads.\nprovider: openrouter\n",
            2,
            11,
            "provider",
            "no provider is of that kind",
        ),
        (
            "two words.json",
            "{}",
            0,
            0,
            "",
            "the name of the file is the agent's id",
        ),
        (
            "a.yaml",
            "description: Reads.\nexpertise:\n  - reviews\n  - 7\n",
            3,
            3,
            "expertise",
            "must be a list of texts",
        ),
        (
            "a.yaml",
            "description: Reads.\n\trole: x\n",
            2,
            1,
            "",
            "a tab cannot indent",
        ),
        (
            "a.yaml",
            "description: x\ndescription: y\n",
            2,
            1,
            "",
            "description",
        ),
        (
            "mcp.json",
            "{}",
            0,
            0,
            "",
            "the id `mcp` is the program's own",
        ),
    ] {
        let (problems, loaded) = load(&[(name, text)]);
        assert!(loaded.is_none(), "{text}");
        let problem = &problems[0];
        assert_eq!(problem.code, Code::AgentValidationError, "{text}");
        assert_eq!(problem.file, format!("data/agents/{name}"));
        assert_eq!(
            (problem.line, problem.column),
            (line, column),
            "{text}: {problem}"
        );
        assert_eq!(problem.json_path, path, "{text}");
        assert!(problem.message.contains(message), "{text}: {problem}");
    }
}

#[test]
fn an_agent_may_name_a_provider_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let root: &Path = folder.path();
    let listed = |name: &str, kind: &str| {
        json!({"name": name, "provider_kind": kind, "base_url": format!("http://127.0.0.1:1/{name}"),
               "model": format!("model of {name}")})
    };
    let providers = [listed("near", "lmstudio"), listed("far", "openai")];
    config::init_with(root, &json!({ "providers": providers })).unwrap();
    for (id, provider) in [
        ("of-name", json!("far")),
        ("of-kind", json!("openai")),
        ("of-first", Value::Null),
    ] {
        let mut agent = json!({"description": "x", "temperature": 0.3});
        if !provider.is_null() {
            agent["provider"] = provider;
        }
        write(
            &root.join(format!("data/agents/{id}.json")),
            &agent.to_string(),
        );
    }
    let loaded = loaded(root).config;
    for (id, model) in [("of-name", "far"), ("of-kind", "far"), ("of-first", "near")] {
        let agent = &loaded.agents[&AgentId::parse(id).unwrap()];
        let provider = &agent.config.provider;
        assert_eq!(provider.model, format!("model of {model}"), "{id}");
        assert!(agent.config.providers.is_empty(), "{id}");
        assert!((provider.temperature - 0.3).abs() < f64::EPSILON, "{id}");
    }
}

#[test]
fn two_files_cannot_describe_one_agent() {
    let text = "{\"description\": \"x\"}";
    let (problems, loaded) = load(&[("a.json", text), ("a.yaml", text)]);
    assert!(loaded.is_none());
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].file, "data/agents/a.yaml");
    assert_eq!(problems[0].message, "another file describes `a`");
}

#[test]
fn what_an_agent_file_cannot_use_is_warned_of() {
    let text = r#"{"description": "x", "display_name": "X", "colour": "red", "workflow": [], "capabilities": ["fly"]}"#;
    let (warnings, loaded) = load(&[("a.json", text), ("notes.txt", "?"), (".a.json.swp", "?")]);
    assert!(loaded.is_some());
    let told: Vec<(String, &str)> = warnings
        .iter()
        .map(|it| (it.json_path.clone(), it.message.as_str()))
        .collect();
    let told: Vec<(&str, &str)> = told
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    assert_eq!(
        told,
        [
            ("display_name", "is spelt `displayName`"),
            ("colour", "is not known; it has no effect"),
            (
                "workflow",
                "is read by a later version; it has no effect here"
            ),
            (
                "capabilities[0]",
                "`fly` is no instruction, so it allows nothing"
            ),
        ]
    );
    assert!(warnings.iter().all(|it| it.severity == Severity::Warning));
}

/// The words stand in the prompts of the agent, and what it may not use is refused and changes nothing.
#[tokio::test]
async fn an_agent_has_its_words_and_only_its_capabilities() {
    let mut lab = Lab::new();
    lab.start().close().unwrap();
    take_agents(
        &mut lab,
        &[json!({
            "agentId": "reader", "description": "Reads.", "role": "You only read.",
            "capabilities": ["ram_add", "record_search", "state_add"],
        })],
    );
    let run = of_agent("look around", "reader");
    open_run(&lab, &run);
    lab.says(&record_add("Forbidden", "text"));
    lab.says(&ram_add("found", "nothing"));
    lab.says(&think(3));
    let mut agent = lab.start();
    let done = agent.drive(run.run_id).await.unwrap();
    agent.close().unwrap();
    assert_eq!(lab.texts(), []);
    assert_eq!(
        (done.state, done.error_code),
        (RunState::Failed, Some(Code::AgentPermissionDenied))
    );
    let refused = lab
        .decided()
        .into_iter()
        .find(|(op, ..)| op == "record_add");
    assert_eq!(refused.unwrap().2, Some(Code::AgentPermissionDenied));
    let prompt = lab.prompt_text(0);
    assert!(
        prompt.contains("[default words]\nYou only read."),
        "{prompt}"
    );
    assert!(lab.prompt_text(1).contains("you may not use `record_add`"));

    // The main agent has neither.
    let before = lab.peer.request_count();
    lab.says(&record_add("Allowed", "text"));
    lab.says(&think(1));
    lab.says(&think(2));
    let mut agent = lab.start();
    let run_id = queue(&mut agent, "keep a text").await;
    assert!(succeeded(&agent.drive(run_id).await.unwrap()));
    agent.close().unwrap();
    assert!(!lab.prompt_text(before).contains("You only read."));
    assert_eq!(lab.texts().len(), 1);
}

/// An agent may ask another server than everybody else.
#[tokio::test]
async fn an_agent_asks_the_model_that_its_file_names() {
    let mut lab = Lab::new();
    lab.start().close().unwrap();
    take_agents(
        &mut lab,
        &[
            json!({"agentId": "reader", "description": "Reads.", "model": "bigger", "temperature": 0.7}),
        ],
    );
    lab.peer.list_models(&["peer-model", "bigger"]);
    let run = of_agent("look around", "reader");
    open_run(&lab, &run);
    lab.says(&ram_add("found", "something"));
    lab.says(&think(2));
    lab.says(&think(3));
    let mut agent = lab.start();
    let done = agent.drive(run.run_id).await.unwrap();
    agent.close().unwrap();
    assert!(succeeded(&done));
    assert_eq!(done.model.as_deref(), Some("bigger"));
    let asked = lab.peer.requests().last().unwrap().json();
    assert_eq!(
        (&asked["model"], &asked["temperature"]),
        (&json!("bigger"), &json!(0.7))
    );
}

/// Nothing says any more what the run of an agent may do whose file is gone.
#[tokio::test]
async fn a_run_ends_when_its_agent_is_gone() {
    let mut lab = Lab::with_peer(Peer::start());
    lab.start().close().unwrap();
    let run = of_agent("look around", "reader");
    open_run(&lab, &run);
    let mut agent = lab.start();
    let done = agent.drive(run.run_id).await.unwrap();
    agent.close().unwrap();
    assert_eq!(
        (done.state, done.error_code),
        (RunState::Failed, Some(Code::AgentNotFound))
    );
    assert_eq!(lab.peer.request_count(), 0);
    assert!(lab.state().private.is_empty());
    let mut disk = RealDisk::open(lab.root(), false).unwrap();
    let told: Result<_, Failure> = audit_entries(&mut disk).map_err(Failure::from);
    assert!(!told.unwrap().is_empty());
}
