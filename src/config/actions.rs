//! Merges the action of a rule into the configuration, for the runs of that rule alone. The result
//! is checked as a whole, and problems are reported at their place in the rules file. Never writes.

use super::api_key::Keys;
use super::load::{Loader, written_id};
use super::problem::Findings;
use super::resolve;
use super::resolved::{Action, Config};
use super::settings::Settings;
use crate::core::automation::Rule;
use crate::core::guard::Permit;
use crate::core::prompt::PromptFile;
use crate::failure::Code;
use crate::ids::RuleId;
use crate::strict_json::JsonPath;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The keys that an action may hold.
pub(super) const MAY_CHANGE: [&str; 10] = [
    "kind",
    "request",
    "prompt_path",
    "provider",
    "mode",
    "loop",
    "scope",
    "retry",
    "parser",
    "budget",
];

/// The keys of an action that are not part of the configuration.
const OWN: [&str; 2] = ["kind", "request"];

/// The budget keys that an action may lower, and never raise.
const MAY_LOWER: [&str; 2] = ["calls_per_run", "tokens_per_run"];

/// The files that the actions of all rules are merged into.
#[derive(Clone, Copy)]
pub(super) struct ActionBase<'a> {
    /// The configuration file as JSON.
    pub(super) document: &'a Value,
    pub(super) config: &'a Config,
    pub(super) prompt: &'a PromptFile,
}

/// Returns the actions of the rules that change anything.
/// Problems of other files go to those of the loader.
pub(super) fn actions(
    document: &Value,
    rules: &[Rule],
    base: ActionBase<'_>,
    loader: &mut Loader<'_>,
    findings: &mut Findings,
) -> BTreeMap<RuleId, Arc<Action>> {
    let items = document.as_array().into_iter().flatten().enumerate();
    let mut actions = BTreeMap::new();
    for (index, item) in items {
        let path = JsonPath::default().index(index).key("action_json");
        let mut changes = item.get("action_json").and_then(Value::as_object).cloned();
        if let Some(changes) = &mut changes {
            changes.retain(|key, _| !OWN.contains(&key.as_str()));
        }
        let rule_id = written_id(item);
        let rule = rules.iter().find(|rule| Some(rule.rule_id) == rule_id);
        let (Some(rule), Some(changes)) = (rule, changes.filter(|it| !it.is_empty())) else {
            continue;
        };
        if let Some(action) = action(rule, &changes, &path, base, loader, findings) {
            actions.insert(rule.rule_id, Arc::new(action));
        }
    }
    actions
}

fn action(
    rule: &Rule,
    changes: &Map<String, Value>,
    path: &JsonPath,
    base: ActionBase<'_>,
    loader: &mut Loader<'_>,
    findings: &mut Findings,
) -> Option<Action> {
    let mut merged = base.document.clone();
    let is_member =
        |name: &str, key: &str| changes.get(name).is_some_and(|it| it.get(key).is_some());
    if changes.contains_key("provider") {
        // It is the only provider of the rule, whichever others are configured.
        merged.as_object_mut()?.remove("providers");
    }
    merge(&mut merged, changes);
    let mut found = Findings::new(Code::RulesInvalid);
    let merged = MergedSettings::check(&merged, base, loader, &mut found)?;
    let own = Value::Object(changes.clone());
    found.refuse_unknown(&own);
    if is_member("provider", "launch") {
        found.error(
            JsonPath::dotted("provider.launch"),
            "a rule cannot start a server",
        );
    }
    check_budget(changes, base.document, &mut found);
    let refused = found.has_errors();
    findings.take_inside(found, path, &own);
    if refused {
        return None;
    }
    let (config, prompt) = merged.resolve(base, loader)?;
    if config.scope.workspace_id != rule.workspace_id && is_member("scope", "workspace_id") {
        let path = path.key("scope").key("workspace_id");
        findings.error(path, "must be the workspace of the rule");
        return None;
    }
    Some(Action {
        prompt: prompt.for_profile(config.r#loop.idle_profile),
        config,
        has_own_servers: changes.contains_key("provider") || changes.contains_key("retry"),
        permit: Permit::everything(),
    })
}

/// The settings of a document that changes were merged into, checked as a whole.
pub(super) struct MergedSettings {
    settings: Settings,
    prompt: PromptFile,
    keys: Keys,
}

impl MergedSettings {
    /// Checks a merged document; what is wrong goes to `found`.
    /// `None` if its prompt file cannot be read.
    pub(super) fn check(
        merged: &Value,
        base: ActionBase<'_>,
        loader: &mut Loader<'_>,
        found: &mut Findings,
    ) -> Option<Self> {
        let mut settings = Settings::check(merged, found);
        let prompt = prompt(&settings, base, loader)?;
        resolve::check_relations(loader.root, &mut settings, Some(&prompt), found);
        let (_, keys) = loader.keys(&settings, found);
        Some(Self {
            settings,
            prompt,
            keys,
        })
    }

    /// Resolves settings without errors.
    pub(super) fn resolve(
        self,
        base: ActionBase<'_>,
        loader: &mut Loader<'_>,
    ) -> Option<(Config, PromptFile)> {
        let resolved = resolve::resolve(loader.root, &self.settings, self.keys);
        let config = resolved.map_err(|problem| loader.problems.push(problem));
        let models = base.config.models.clone();
        let config = config.ok()?;
        Some((Config { models, ..config }, self.prompt))
    }
}

/// Refuses changes of the budget, except that a rule lowers the bounds of one run.
fn check_budget(changes: &Map<String, Value>, document: &Value, found: &mut Findings) {
    let budget = changes.get("budget").and_then(Value::as_object);
    for (name, value) in budget.into_iter().flatten() {
        let message = if !MAY_LOWER.contains(&name.as_str()) {
            let may_lower = MAY_LOWER.join(", ");
            format!("a rule may lower nothing but {may_lower}")
        } else if let Some(most) = document["budget"][name].as_u64()
            && value.as_u64().is_none_or(|value| value > most)
        {
            format!("a rule may only lower it, and it is {most}")
        } else {
            continue;
        };
        let path = JsonPath::default().key("budget").key(name);
        found.error(path, message);
    }
}

/// Reads the prompt file that a merged configuration names.
fn prompt(
    settings: &Settings,
    base: ActionBase<'_>,
    loader: &mut Loader<'_>,
) -> Option<PromptFile> {
    let name = settings.get("prompt_path").value.as_str()?;
    if loader.root.join(resolve::lexical(Path::new(name))) == base.config.prompt_path {
        return Some(base.prompt.clone());
    }
    loader.prompt(name)
}

/// Merges changes into a document: sections member by member, everything else as a whole.
fn merge(document: &mut Value, changes: &Map<String, Value>) {
    let Value::Object(members) = document else {
        return;
    };
    for (name, change) in changes {
        match (members.get_mut(name), change) {
            (Some(Value::Object(section)), Value::Object(change)) => {
                section.extend(change.clone());
            }
            (_, change) => drop(members.insert(name.clone(), change.clone())),
        }
    }
}
