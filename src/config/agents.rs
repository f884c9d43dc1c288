//! Reads the agents that a person describes, one file each below `data/agents`, and merges each into
//! the configuration for the runs of that agent alone. An agent only narrows. Never writes.

use super::actions::{ActionBase, MergedSettings};
use super::files;
use super::load::Loader;
use super::members::Members;
use super::object::Object;
use super::problem::{ConfigProblem, Findings};
use super::resolved::{Action, Config, ProviderKind};
use crate::core::agent::TOOLS;
use crate::core::guard::Permit;
use crate::core::prompt::{Condition, PromptFile, QuestionKind, Segment};
use crate::core::protocol::Tag;
use crate::core::run::AGENT_NAME;
use crate::failure::Code;
use crate::ids::AgentId;
use crate::limits::{AGENT_WORDS_BYTES_MAX, AGENTS_MAX};
use crate::strict_json::JsonPath;
use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The folder of the agents, relative to the root. It may be missing.
pub const AGENTS_PATH: &str = "data/agents";

/// The ends of the names of files that are read.
const ENDINGS: [&str; 2] = ["json", "yaml"];

/// The ids that no file may take.
const RESERVED: [&str; 3] = [AGENT_NAME, "mcp", "auto"];

/// The members of an agent file that are in use.
const MEMBERS: [&str; 17] = [
    "agentId",
    "displayName",
    "version",
    "description",
    "role",
    "expertise",
    "capabilities",
    "systemPrompt",
    "personality",
    "thinkingPatterns",
    "provider",
    "model",
    "temperature",
    "maxTokens",
    "team",
    "tags",
    "enabled",
];

/// The members that are known, and not in use yet.
const NOT_IN_USE: [&str; 8] = [
    "abilities",
    "dependencies",
    "orchestration",
    "selectionMetadata",
    "collaboratesWith",
    "priority",
    "contractVersion",
    "workflow",
];

/// The members of `personality`, with the words before each.
const PERSONALITY: [(&str, &str); 4] = [
    ("traits", "You are"),
    ("communicationStyle", "You write"),
    ("decisionMaking", "You decide"),
    ("catchphrase", "You like to say:"),
];

const DISPLAY_NAME_CHARS_MAX: usize = 100;

/// The highest sampling temperature.
const TEMPERATURE_MAX: f64 = 2.0;

/// The most tokens of a reply.
const REPLY_TOKENS_MAX: u64 = 131_072;

/// An agent as its file describes it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentDescription {
    pub agent_id: AgentId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub description: String,
    pub enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The instructions that it may use; `None` where the prompt file alone decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    /// The words that its prompts begin with, behind those of every prompt.
    pub words: String,
    /// The file, relative to the root.
    pub file: String,
}

/// The agents of a root.
#[derive(Default)]
pub(super) struct LoadedAgents {
    /// Every agent, in the order of the ids.
    pub(super) described: Vec<AgentDescription>,
    /// Those that are switched on.
    pub(super) profiles: BTreeMap<AgentId, Arc<Action>>,
}

/// Reads all agents, and merges each where the configuration is valid.
/// Problems go to those of the loader.
pub(super) fn agents(loader: &mut Loader<'_>, base: Option<ActionBase<'_>>) -> LoadedAgents {
    let mut loaded = LoadedAgents::default();
    let folder = loader.root.join(AGENTS_PATH);
    if !files::exists(&folder) {
        return loaded;
    }
    let mut names = match files::names_in(&folder) {
        Ok(names) => names,
        Err(problem) => {
            refuse(loader, AGENTS_PATH, problem.to_string());
            return loaded;
        }
    };
    names.retain(|name| is_agent_file(name));
    if names.len() > AGENTS_MAX {
        let message = format!("holds {} agents; {AGENTS_MAX} are allowed", names.len());
        refuse(loader, AGENTS_PATH, message);
        return loaded;
    }
    let mut ids = BTreeSet::new();
    for name in names {
        let path = format!("{AGENTS_PATH}/{name}");
        let stem = Path::new(&name).file_stem().and_then(|stem| stem.to_str());
        let Some(id) = stem.and_then(AgentId::parse) else {
            let message = format!(
                "the name of the file is the agent's id: 1 to {} letters, digits, `_` and `-`",
                AgentId::CHARS_MAX
            );
            refuse(loader, &path, message);
            continue;
        };
        if RESERVED.contains(&id.as_str()) {
            refuse(loader, &path, format!("the id `{id}` is the program's own"));
        } else if ids.insert(id.clone()) {
            agent(loader, &path, id, base, &mut loaded);
        } else {
            refuse(loader, &path, format!("another file describes `{id}`"));
        }
    }
    loaded
        .described
        .sort_by(|one, other| one.agent_id.cmp(&other.agent_id));
    loaded
}

fn is_agent_file(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|it| it.to_str());
    !name.starts_with('.') && ending.is_some_and(|it| ENDINGS.contains(&it))
}

fn refuse(loader: &mut Loader<'_>, path: &str, message: String) {
    let problem = ConfigProblem::of_file(Code::AgentValidationError, path.to_owned(), message);
    loader.problems.push(problem);
}

/// Reads one agent.
fn agent(
    loader: &mut Loader<'_>,
    path: &str,
    id: AgentId,
    base: Option<ActionBase<'_>>,
    loaded: &mut LoadedAgents,
) {
    let Some(mut document) = loader.read(path, [Code::AgentValidationError; 2]) else {
        return;
    };
    let value = document.value.take();
    let findings = &mut document.findings;
    let read = Object::of(
        &value,
        JsonPath::default(),
        "an agent is an object",
        findings,
    )
    .and_then(|object| describe(Members::of(object), id, path));
    let is_right = !document.findings.has_errors();
    if let (Some(read), true) = (read, is_right) {
        if let Some(base) = base.filter(|_| read.description.enabled) {
            let profile = profile(loader, base, &read, &mut document.findings);
            let id = read.description.agent_id.clone();
            loaded.profiles.extend(profile.map(|it| (id, Arc::new(it))));
        }
        loaded.described.push(read.description);
    }
    loader.problems.extend(document.into_problems());
}

/// A file that was read, and what it changes in the configuration.
struct AgentFile {
    description: AgentDescription,
    /// The name of a provider of the configuration, or a kind of provider.
    provider: Option<String>,
    /// The settings of the provider that the agent changes.
    settings: Map<String, Value>,
}

fn describe(mut file: Members<'_>, id: AgentId, path: &str) -> Option<AgentFile> {
    file.warn_of_unknown(&MEMBERS, &NOT_IN_USE);
    let written = file.text("agentId");
    if written
        .as_deref()
        .is_some_and(|written| written != id.as_str())
    {
        file.error("agentId", format!("must be `{id}`, the name of the file"));
    }
    let description = file.required_text("description");
    let enabled = file.flag("enabled").unwrap_or(true);
    let words = words(&mut file);
    if words.len() > AGENT_WORDS_BYTES_MAX {
        let length = words.len();
        file.error(
            "systemPrompt",
            format!(
                "the words of an agent have {length} bytes; {AGENT_WORDS_BYTES_MAX} are allowed"
            ),
        );
    }
    let capabilities = file.texts("capabilities");
    for (index, name) in capabilities.iter().flatten().enumerate() {
        if !is_capability(name) {
            let message = format!("`{name}` is no instruction, so it allows nothing");
            file.warn_item("capabilities", index, message);
        }
    }
    let mut settings = Map::new();
    if let Some(model) = file.text("model") {
        settings.insert("model".to_owned(), Value::from(model));
    }
    if let Some(temperature) = file.number("temperature", 0.0, TEMPERATURE_MAX) {
        settings.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(tokens) = file.integer("maxTokens", 1, REPLY_TOKENS_MAX) {
        settings.insert("max_tokens".to_owned(), json!(tokens));
    }
    Some(AgentFile {
        provider: file.text("provider"),
        settings,
        description: AgentDescription {
            display_name: display_name(&mut file),
            version: file.version("version"),
            team: file.text("team"),
            tags: file.texts("tags").unwrap_or_default(),
            description: description?,
            agent_id: id,
            enabled,
            capabilities,
            words,
            file: path.to_owned(),
        },
    })
}

fn display_name(file: &mut Members<'_>) -> Option<String> {
    let name = file.text("displayName")?;
    if name.chars().count() > DISPLAY_NAME_CHARS_MAX {
        let message = format!("must have at most {DISPLAY_NAME_CHARS_MAX} characters");
        file.error("displayName", message);
    }
    Some(name)
}

fn is_capability(name: &str) -> bool {
    let is_tag = Tag::ALL.into_iter().any(|tag| tag.name() == name);
    is_tag || TOOLS.iter().any(|tool| tool.name == name)
}

/// Returns the words of an agent in their fixed order, one line each.
fn words(file: &mut Members<'_>) -> String {
    let mut lines: Vec<String> = file.text("systemPrompt").into_iter().collect();
    lines.extend(file.text("role"));
    if let Some(subjects) = file.texts("expertise").filter(|it| !it.is_empty()) {
        lines.push(format!("You know about: {}.", subjects.join(", ")));
    }
    lines.extend(personality(file));
    lines.extend(file.texts("thinkingPatterns").unwrap_or_default());
    lines.join("\n")
}

fn personality(file: &mut Members<'_>) -> Vec<String> {
    let Some(mut members) = file.inner("personality") else {
        return Vec::new();
    };
    members.warn_of_unknown(&PERSONALITY.map(|(name, _)| name), &[]);
    let lines = PERSONALITY.into_iter().filter_map(|(name, before)| {
        let text = if name == "traits" {
            members.texts(name)?.join(", ")
        } else {
            members.text_or_empty(name)?
        };
        (!text.is_empty()).then(|| format!("{before} {text}."))
    });
    lines.collect()
}

/// Merges an agent into the configuration.
fn profile(
    loader: &mut Loader<'_>,
    base: ActionBase<'_>,
    file: &AgentFile,
    findings: &mut Findings,
) -> Option<Action> {
    let has_own_servers = file.provider.is_some() || !file.settings.is_empty();
    let (config, prompt) = if has_own_servers {
        with_provider(loader, base, file, findings)?
    } else {
        (base.config.clone(), base.prompt.clone())
    };
    let words = &file.description.words;
    Some(Action {
        prompt: with_words(prompt.for_profile(config.r#loop.idle_profile), words),
        config,
        has_own_servers,
        permit: match file.description.capabilities.clone() {
            Some(names) => Permit::only(names),
            None => Permit::everything(),
        },
    })
}

/// Returns the configuration with the provider of an agent as the only one.
fn with_provider(
    loader: &mut Loader<'_>,
    base: ActionBase<'_>,
    file: &AgentFile,
    findings: &mut Findings,
) -> Option<(Config, PromptFile)> {
    let mut merged = base.document.clone();
    let members = merged.as_object_mut()?;
    let mut section = section_of(base, file.provider.as_deref(), findings)?;
    section.extend(file.settings.clone());
    members.insert("provider".to_owned(), Value::Object(section));
    members.remove("providers");
    let mut found = Findings::new(Code::AgentValidationError);
    let checked = MergedSettings::check(&merged, base, loader, &mut found)?;
    for path in found.refused() {
        let message = format!("with this agent, `{path}` of the configuration is not valid");
        findings.error(JsonPath::default(), message);
    }
    if found.has_errors() {
        return None;
    }
    checked.resolve(base, loader)
}

/// Returns the section `provider` for an agent that names a provider, or the kind of one.
fn section_of(
    base: ActionBase<'_>,
    provider: Option<&str>,
    findings: &mut Findings,
) -> Option<Map<String, Value>> {
    let document = base.document;
    let listed = document["providers"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let of_document = document["provider"].as_object().cloned();
    let Some(name) = provider else {
        let first = listed.first().and_then(without_name);
        return Some(first.or(of_document).unwrap_or_default());
    };
    let mut named = listed.iter().filter(|entry| entry["name"] == name);
    let mut of_kind = listed.iter().filter(|it| it["provider_kind"] == name);
    if let Some(entry) = named.next().or_else(|| of_kind.next()) {
        return without_name(entry);
    }
    let kind = ProviderKind::deserialize(&Value::from(name)).ok();
    if listed.is_empty() && kind == Some(base.config.provider.kind) {
        return Some(of_document.unwrap_or_default());
    }
    let message = "names no entry of `providers`, and no provider is of that kind";
    findings.error(JsonPath::default().key("provider"), message);
    None
}

/// Returns an entry of `providers` as the section `provider`.
fn without_name(entry: &Value) -> Option<Map<String, Value>> {
    let mut section = entry.as_object()?.clone();
    section.remove("name");
    Some(section)
}

/// Puts the words of an agent behind those of every prompt, and behind those of answers.
/// The other questions of small steps only choose and copy, and more words mislead a small model.
fn with_words(mut prompt: PromptFile, words: &str) -> PromptFile {
    if words.is_empty() {
        return prompt;
    }
    let conditions = [
        Condition::Default,
        Condition::Question(QuestionKind::Answer),
    ];
    for condition in conditions {
        let is_of = |segment: &Segment| segment.condition == condition;
        if let Some(last) = prompt.segments.iter().rposition(is_of) {
            let own = Segment {
                condition,
                prompt: words.to_owned(),
            };
            prompt.segments.insert(last + 1, own);
        }
    }
    prompt
}
