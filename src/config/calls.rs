//! Resolves the checked values of providers and budget. Reads no files.

use super::providers::SECTION;
use super::resolved::{CallBudget, Constrain, NamedProvider, ProviderConfig, ProviderKind, Secret};
use super::settings::{Setting, Settings, setting};
use super::shape;
use crate::core::route::Allowance;
use serde_json::Value;

/// The default bound of requests a day to a paid server.
/// It keeps the bill of a runaway loop small.
const PAID_CALLS_PER_DAY: u64 = 5000;

/// Returns the values of `provider` in the shape of an entry of `providers`.
pub(super) fn main_entry(settings: &Settings) -> Value {
    let named = |setting: &Setting| {
        let name = setting.key.path.strip_prefix(SECTION)?;
        Some((name.to_owned(), setting.value.clone()))
    };
    Value::Object(settings.all().iter().filter_map(named).collect())
}

/// Resolves the providers of the list, each with its key.
pub(super) fn listed(settings: &Settings, keys: Vec<Option<Secret>>) -> Vec<NamedProvider> {
    let entries = setting!(settings, "providers").value.as_array();
    let entries = entries.into_iter().flatten();
    let mut keys = keys.into_iter();
    entries
        .map(|entry| NamedProvider {
            name: entry["name"].as_str().unwrap_or_default().to_owned(),
            config: provider(entry, keys.next().flatten()),
        })
        .collect()
}

/// Resolves one provider from checked values.
pub(super) fn provider(entry: &Value, api_key: Option<Secret>) -> ProviderConfig {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    let number = |name: &str| entry[name].as_u64().unwrap_or_default();
    let words = |name: &str| {
        let words = entry[name].as_array().into_iter().flatten();
        let words = words.filter_map(Value::as_str).map(str::to_owned);
        words.collect::<Vec<_>>()
    };
    ProviderConfig {
        kind: ProviderKind::named(text("provider_kind")),
        base_url: text("base_url").to_owned(),
        model: text("model").to_owned(),
        timeout_ms: number("timeout_ms"),
        max_tokens: u32::try_from(number("max_tokens")).unwrap_or(u32::MAX),
        temperature: entry["temperature"].as_f64().unwrap_or_default(),
        api_key,
        api_key_env: entry["api_key_env"].as_str().map(str::to_owned),
        context_tokens: entry["context_tokens"]
            .as_u64()
            .and_then(|tokens| tokens.try_into().ok()),
        constrain: Constrain::named(text("constrain")),
        fallback_models: words("fallback_models"),
        attribution: words("attribution"),
        ttl_seconds: entry["ttl_seconds"].as_u64(),
        stream: entry["stream"].as_bool().unwrap_or(true),
        stall_timeout_ms: number("stall_timeout_ms"),
        launch: shape::launch(&entry["launch"]),
        command: words("command"),
    }
}

/// Resolves the bounds of calls.
pub(super) fn budget(settings: &Settings) -> CallBudget {
    let optional = |setting: &Setting| setting.value.as_u64();
    let listed = setting!(settings, "providers").value.as_array();
    let listed = listed.into_iter().flatten();
    let main = setting!(settings, "provider.provider_kind").value.as_str();
    let mut kinds = listed
        .map(|entry| entry["provider_kind"].as_str())
        .chain([main]);
    let is_paid = kinds.any(|kind| kind == Some(ProviderKind::OpenRouter.name()));
    let per_minute = optional(setting!(settings, "budget.calls_per_minute"));
    CallBudget {
        day: Allowance {
            calls: optional(setting!(settings, "budget.calls_per_day"))
                .or_else(|| is_paid.then_some(PAID_CALLS_PER_DAY)),
            tokens: optional(setting!(settings, "budget.tokens_per_day")),
        },
        run: Allowance {
            calls: optional(setting!(settings, "budget.calls_per_run")),
            tokens: optional(setting!(settings, "budget.tokens_per_run")),
        },
        calls_per_minute: per_minute.and_then(|calls| calls.try_into().ok()),
    }
}
