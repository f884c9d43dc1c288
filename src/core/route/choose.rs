//! Routing: which model of a registry is asked, and why; and which one in place of a model that its
//! server does not have.
//! Pure and deterministic: the same input and registry always give the same decision; ids and times
//! are the caller's.

use super::registry::{ModelEntry, PRIORITY_MAX, Requirements, RiskLevel, RoutingInput, Vendor};
use crate::failure::Code;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The points that every model begins with.
const BASE: i64 = 50;

/// The points for a task that the model is good at.
const TASK_TYPE_BONUS: i64 = 20;

/// The points for each required capability that it has.
const CAPABILITY_BONUS: i64 = 10;

/// The points for the first preferred provider.
/// Each later one counts [`PREFERENCE_STEP`] less.
const PREFERENCE_BONUS: i64 = 10;
const PREFERENCE_STEP: i64 = 2;

/// The deduction for a window that is too small.
/// The model is disqualified anyway; the number shows in the breakdown.
const CONTEXT_PENALTY: i64 = 100;

/// The chosen model, with its reasons and fallbacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoutingDecision {
    pub selected_model: String,
    pub provider: Vendor,
    pub reasoning: String,
    /// The other models that meet all conditions, best first.
    pub fallback_models: Vec<String>,
    /// The conditions that the selected model was checked for.
    pub constraints: Constraints,
    /// The points of every model, best first, disqualified models last.
    pub scores: Vec<ScoredModel>,
}

/// The conditions that a model was checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Constraints {
    pub capabilities_met: bool,
    pub risk_compliant: bool,
    /// Whether it is not known to be too slow.
    pub latency_compliant: bool,
}

/// The points of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScoredModel {
    pub model_id: String,
    /// The sum of all points; 0 for a disqualified model.
    pub score: i64,
    pub breakdown: Breakdown,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disqualified: Option<Disqualified>,
}

/// The parts of the sum of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Breakdown {
    /// The points that every model has.
    pub base: i64,
    pub task_type: i64,
    pub capabilities: i64,
    pub preference: i64,
    pub priority: i64,
    /// The deduction for a window that is too small.
    pub context_penalty: i64,
}

impl Breakdown {
    const fn total(&self) -> i64 {
        self.base + self.task_type + self.capabilities + self.preference + self.priority
            - self.context_penalty
    }
}

/// The reason why a model is disqualified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Disqualified {
    Risk,
    Capability,
    /// Its window is too small.
    Context,
    Excluded,
    Latency,
}

impl Disqualified {
    /// Returns the reason in a few words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Risk => "experimental, and the risk is high",
            Self::Capability => "it lacks what is required",
            Self::Context => "its window is too small",
            Self::Excluded => "it was excluded",
            Self::Latency => "it is too slow",
        }
    }
}

/// The reason why no model could be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingError {
    /// `ROUTING_CAPABILITY_NOT_FOUND` or `ROUTING_NO_SUITABLE_MODEL`.
    pub code: Code,
    pub message: String,
}

/// Parses the input of a routing decision.
///
/// # Errors
/// `ROUTING_INVALID_INPUT`, naming the field.
pub fn read_input(document: serde_json::Value) -> Result<RoutingInput, RoutingError> {
    let input = RoutingInput::deserialize(document);
    input.map_err(|error| RoutingError {
        code: Code::RoutingInvalidInput,
        message: error.to_string(),
    })
}

/// Chooses a model.
///
/// # Errors
/// [`RoutingError`] when no model of the registry meets every condition.
pub fn route(
    registry: &[ModelEntry],
    input: &RoutingInput,
) -> Result<RoutingDecision, RoutingError> {
    let judged = registry.iter().map(|entry| (entry, scored(entry, input)));
    let mut entries: Vec<(&ModelEntry, ScoredModel)> = judged.collect();
    entries.sort_by_key(|(entry, scored)| {
        let is_out = scored.disqualified.is_some();
        let rank = (is_out, Reverse(scored.score), Reverse(entry.priority));
        (rank, entry.model_id.as_str())
    });
    let mut fit = entries.iter().filter(|(_, it)| it.disqualified.is_none());
    let Some((best, points)) = fit.next() else {
        return Err(no_route(registry, &input.requirements));
    };
    Ok(RoutingDecision {
        selected_model: best.model_id.clone(),
        provider: best.provider,
        reasoning: reasoning(best, points, fit.clone().next(), input, registry.len()),
        fallback_models: fit.map(|(entry, _)| entry.model_id.clone()).collect(),
        constraints: constraints(best, input),
        scores: entries.into_iter().map(|(_, scored)| scored).collect(),
    })
}

fn scored(entry: &ModelEntry, input: &RoutingInput) -> ScoredModel {
    let wanted = &input.requirements;
    let checked = constraints(entry, input);
    let least = wanted.min_context_length.unwrap_or_default();
    let fits = entry.context_length >= least;
    // The first reason that holds is the one that is given.
    let reasons = [
        (
            wanted.excluded_models.contains(&entry.model_id),
            Disqualified::Excluded,
        ),
        (!checked.capabilities_met, Disqualified::Capability),
        (!fits, Disqualified::Context),
        (!checked.risk_compliant, Disqualified::Risk),
        (!checked.latency_compliant, Disqualified::Latency),
    ];
    let disqualified = reasons.into_iter().find(|(holds, _)| *holds);
    let mut preferred = wanted.preferred_providers.iter();
    let place = preferred.position(|vendor| *vendor == entry.provider);
    let preference = place.map_or(0, |place| {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        (PREFERENCE_BONUS - place.saturating_mul(PREFERENCE_STEP)).max(0)
    });
    let matches = wanted.capabilities.intersection(&entry.capabilities);
    let is_good_at = entry.optimized_for.contains(&input.task_type);
    let breakdown = Breakdown {
        base: BASE,
        task_type: if is_good_at { TASK_TYPE_BONUS } else { 0 },
        capabilities: matches.map(|_| CAPABILITY_BONUS).sum(),
        preference,
        priority: i64::from(entry.priority.min(PRIORITY_MAX)),
        context_penalty: if fits { 0 } else { CONTEXT_PENALTY },
    };
    ScoredModel {
        model_id: entry.model_id.clone(),
        score: disqualified.map_or_else(|| breakdown.total(), |_| 0),
        breakdown,
        disqualified: disqualified.map(|(_, reason)| reason),
    }
}

fn constraints(entry: &ModelEntry, input: &RoutingInput) -> Constraints {
    let wanted = &input.requirements;
    let bound = wanted.max_latency_ms.unwrap_or(u64::MAX);
    Constraints {
        capabilities_met: wanted.capabilities.is_subset(&entry.capabilities),
        risk_compliant: !(entry.experimental && input.risk_level == RiskLevel::High),
        latency_compliant: entry
            .latency_ms
            .is_none_or(|latency_ms| latency_ms <= bound),
    }
}

fn no_route(registry: &[ModelEntry], wanted: &Requirements) -> RoutingError {
    let mut wanted = wanted.capabilities.iter();
    let lacking = wanted.find(|capability| {
        let mut entries = registry.iter();
        !entries.any(|entry| entry.capabilities.contains(capability))
    });
    let (code, message) = match lacking {
        Some(capability) => (
            Code::RoutingCapabilityNotFound,
            format!("no model of the registry has `{}`", word(capability)),
        ),
        None => (
            Code::RoutingNoSuitableModel,
            format!("none of {} models meets every condition", registry.len()),
        ),
    };
    RoutingError { code, message }
}

fn reasoning(
    best: &ModelEntry,
    points: &ScoredModel,
    next: Option<&(&ModelEntry, ScoredModel)>,
    input: &RoutingInput,
    known: usize,
) -> String {
    let Breakdown {
        task_type,
        capabilities,
        preference,
        priority,
        ..
    } = points.breakdown;
    let good_at = format!("good at {}", word(&input.task_type));
    let mut reasons: Vec<String> = [
        (task_type, good_at.as_str()),
        (capabilities, "has what is required"),
        (preference, "preferred provider"),
        (priority, "priority"),
    ]
    .into_iter()
    .filter(|(points, _)| *points > 0)
    .map(|(points, reason)| format!("{reason} (+{points})"))
    .collect();
    if reasons.is_empty() {
        reasons.push("meets every condition".to_owned());
    }
    let risk = word(&input.risk_level);
    let (model, score) = (&best.model_id, points.score);
    let reasons = reasons.join(", ");
    let lead = match next.filter(|(_, it)| it.score == score) {
        None => "the most".to_owned(),
        Some((rival, _)) => {
            let by = if rival.priority < best.priority {
                "priority"
            } else {
                "name"
            };
            format!("as many as {} and before it by {by},", rival.model_id)
        }
    };
    format!("{model} has {score} points, {lead} of {known} models at {risk} risk: {reasons}")
}

/// Returns the name of a value in JSON.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}

/// The choice that follows from a server's list of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    Configured,
    /// Another model, because it is the only possible one.
    Other(String),
    /// No model: several are possible, and a person must choose.
    Unclear,
}

/// Chooses the configured model if listed, else the only loaded one, else the only listed one.
/// If a server lists nothing, the configured model is chosen without a check.
pub fn choose_model(configured: &str, listed: &[String], loaded: &[String]) -> ModelChoice {
    if listed.is_empty() || listed.iter().any(|model| model == configured) {
        return ModelChoice::Configured;
    }
    match (loaded, listed) {
        ([only], _) | ([], [only]) => ModelChoice::Other(only.clone()),
        _ => ModelChoice::Unclear,
    }
}

/// Returns whether the model that answered is one of `others`, which may replace the asked one.
/// Servers also report longer names of the asked model, mostly with a date. The longest known name
/// that begins the answered name counts; if there is none, it is the asked model.
pub fn is_stand_in(answered: &str, asked: &str, others: &[String]) -> bool {
    let known = others.iter().map(String::as_str).chain([asked]);
    let named = known.filter(|name| answered.starts_with(name));
    let closest = named.max_by_key(|name| name.len());
    closest.is_some_and(|name| name != asked)
}

#[cfg(test)]
mod tests {
    use super::is_stand_in;

    #[test]
    fn a_longer_name_of_the_asked_model_is_no_stand_in() {
        let others = ["b/large".to_owned(), "a/small-mini".to_owned()];
        for (answered, expected) in [
            ("a/small", false),
            ("a/small-2026-08-06", false),
            ("a/small-mini", true),
            ("a/small-mini-2026-08-06", true),
            ("b/large", true),
            ("/models/small.gguf", false),
            ("", false),
        ] {
            assert_eq!(
                is_stand_in(answered, "a/small", &others),
                expected,
                "{answered}"
            );
        }
        assert!(!is_stand_in("b/large", "a/small", &[]));
    }
}
