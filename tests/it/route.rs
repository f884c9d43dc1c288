//! Routing over the shipped registry: each condition shuts out whom it must, the points add up, and
//! the same question always has the same answer.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

use kjxlkj_agent::core::route::{
    Disqualified, ModelEntry, RoutingDecision, TaskType, Vendor, read_input, route,
};
use kjxlkj_agent::failure::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

const SHIPPED: &str = include_str!("../../data/models.json");

fn registry() -> Vec<ModelEntry> {
    serde_json::from_str(SHIPPED).unwrap()
}

fn decide(input: Value) -> Result<RoutingDecision, Code> {
    let input = read_input(input).map_err(|refused| refused.code)?;
    route(&registry(), &input).map_err(|refused| refused.code)
}

fn decided(input: &Value) -> RoutingDecision {
    decide(input.clone()).unwrap_or_else(|code| panic!("{input}: {code}"))
}

#[test]
#[expect(clippy::too_many_lines, reason = "the table as it was specified")]
fn the_registry_is_the_specified_one() {
    let shown: Vec<Value> = registry()
        .iter()
        .map(|entry| {
            json!([
                entry.model_id,
                entry.provider,
                entry.context_length,
                entry.experimental,
                entry.capabilities,
                entry.optimized_for
            ])
        })
        .collect();
    let all = json!(["vision", "functionCalling", "jsonMode", "streaming"]);
    let expected = [
        json!([
            "claude-3-opus",
            "anthropic",
            200_000,
            false,
            all,
            ["code", "analysis", "creative"]
        ]),
        json!([
            "claude-3-sonnet",
            "anthropic",
            200_000,
            false,
            all,
            ["chat", "code", "analysis"]
        ]),
        json!([
            "claude-3-haiku",
            "anthropic",
            200_000,
            false,
            all,
            ["chat", "completion"]
        ]),
        json!([
            "gemini-pro",
            "google",
            32_000,
            false,
            ["functionCalling", "jsonMode", "streaming"],
            ["chat", "completion", "analysis"]
        ]),
        json!([
            "gemini-ultra",
            "google",
            128_000,
            true,
            all,
            ["code", "analysis", "creative"]
        ]),
        json!([
            "local-llama",
            "local",
            8000,
            false,
            ["streaming"],
            ["chat", "completion"]
        ]),
        json!([
            "nvidia/nemotron-3-nano",
            "local",
            8000,
            false,
            ["jsonMode", "streaming"],
            ["chat", "completion", "analysis"]
        ]),
    ];
    assert_eq!(shown, expected);
    assert!(!SHIPPED.contains("price") && !SHIPPED.contains("cost"));
}

#[test]
fn words_that_nobody_knows_are_refused() {
    let missing_risk = decided(&json!({"taskType": "chat"}));
    let medium = decided(&json!({"taskType": "chat", "riskLevel": "medium"}));
    assert_eq!(missing_risk, medium);
    for bad in [
        json!({}),
        json!({"taskType": "dance"}),
        json!({"taskType": "chat", "riskLevel": "none"}),
        json!({"taskType": "chat", "requirements": {"capabilities": ["telepathy"]}}),
        json!({"taskType": "chat", "requirements": {"preferredProviders": ["nobody"]}}),
        json!({"taskType": "chat", "requirements": {"minContextLength": -1}}),
        json!({"taskType": "chat", "requirements": {"minContextLenght": 1}}),
        json!([]),
    ] {
        assert_eq!(decide(bad.clone()), Err(Code::RoutingInvalidInput), "{bad}");
    }
    assert!(!Code::RoutingInvalidInput.retryable());
}

#[test]
fn each_condition_shuts_out_whom_it_must() {
    let out = |requirements: Value, risk: &str| -> Vec<(String, Disqualified)> {
        let input = json!({"taskType": "chat", "riskLevel": risk, "requirements": requirements});
        let decision = decided(&input);
        let out = decision
            .scores
            .iter()
            .filter_map(|it| Some((it, it.disqualified?)));
        let out: Vec<_> = out
            .inspect(|(it, _)| {
                assert_eq!(it.score, 0, "{it:?}");
                assert!(!decision.fallback_models.contains(&it.model_id), "{it:?}");
                assert_ne!(decision.selected_model, it.model_id);
            })
            .map(|(it, why)| (it.model_id.clone(), why))
            .collect();
        out
    };
    let named = |names: &[&str], why: Disqualified| -> Vec<(String, Disqualified)> {
        names.iter().map(|name| ((*name).to_owned(), why)).collect()
    };
    assert_eq!(out(json!({}), "low"), []);
    assert_eq!(
        out(json!({}), "high"),
        named(&["gemini-ultra"], Disqualified::Risk)
    );
    assert_eq!(
        out(json!({"minContextLength": 30_000}), "low"),
        named(
            &["local-llama", "nvidia/nemotron-3-nano"],
            Disqualified::Context
        )
    );
    assert_eq!(
        out(json!({"capabilities": ["vision"]}), "low"),
        named(
            &["gemini-pro", "local-llama", "nvidia/nemotron-3-nano"],
            Disqualified::Capability
        )
    );
    assert_eq!(
        out(json!({"excludedModels": ["claude-3-haiku"]}), "low"),
        named(&["claude-3-haiku"], Disqualified::Excluded)
    );
    // What nobody has measured is not too slow.
    assert_eq!(out(json!({"maxLatencyMs": 1}), "low"), []);
    let mut slow = registry();
    slow[0].latency_ms = Some(2000);
    let input = read_input(json!({"taskType": "code", "requirements": {"maxLatencyMs": 1999}}));
    let decision = route(&slow, &input.unwrap()).unwrap();
    assert_ne!(decision.selected_model, "claude-3-opus");
    assert!(
        !decision
            .fallback_models
            .contains(&"claude-3-opus".to_owned())
    );
}

#[test]
fn a_preferred_provider_is_chosen_where_it_meets_the_rest() {
    let chosen = |preferred: Value, least: u64| {
        let requirements = json!({"preferredProviders": preferred, "minContextLength": least});
        decided(&json!({"taskType": "chat", "requirements": requirements}))
    };
    for (preferred, least, model) in [
        (json!([]), 0, "claude-3-haiku"),
        (json!(["google"]), 0, "gemini-pro"),
        (json!(["local"]), 0, "local-llama"),
        (json!(["local", "google"]), 0, "local-llama"),
        (json!(["google", "local"]), 0, "gemini-pro"),
        (json!(["local", "google"]), 30_000, "gemini-pro"),
        (json!(["local", "google"]), 150_000, "claude-3-haiku"),
    ] {
        let decision = chosen(preferred.clone(), least);
        assert_eq!(decision.selected_model, model, "{preferred}");
    }
}

#[test]
fn among_equal_points_priority_goes_before_the_name() {
    let entry = |name: &str, priority: u32, is_good: bool| {
        let mut entry = registry().remove(2);
        name.clone_into(&mut entry.model_id);
        entry.priority = priority;
        if !is_good {
            entry.optimized_for.clear();
        }
        entry
    };
    let input = read_input(json!({"taskType": "chat"})).unwrap();
    let entries = [
        entry("a", 0, true),
        entry("b", 20, false),
        entry("c", 20, false),
    ];
    let decision = route(&entries, &input).unwrap();
    for scored in &decision.scores {
        assert_eq!(scored.score, 70, "{scored:?}");
    }
    assert_eq!(decision.selected_model, "b");
    assert_eq!(decision.fallback_models, ["c", "a"]);
}

#[test]
fn the_points_add_up() {
    let mut registry = registry();
    registry[1].priority = 7;
    registry[2].priority = 500;
    let input = read_input(json!({"taskType": "code", "requirements": {
        "capabilities": ["vision", "streaming"], "preferredProviders": ["google", "anthropic"],
        "minContextLength": 150_000}}));
    let decision = route(&registry, &input.unwrap()).unwrap();
    let of = |name: &str| {
        let found = decision.scores.iter().find(|it| it.model_id == name);
        found.unwrap().clone()
    };
    assert_eq!(of("claude-3-opus").score, 50 + 20 + 20 + 8);
    assert_eq!(of("claude-3-sonnet").score, 50 + 20 + 20 + 8 + 7);
    assert_eq!(of("claude-3-haiku").score, 50 + 20 + 8 + 50);
    let ultra = of("gemini-ultra");
    assert_eq!((ultra.score, ultra.breakdown.context_penalty), (0, 100));
    assert_eq!(ultra.breakdown.preference, 10);
    assert_eq!(decision.selected_model, "claude-3-haiku");
    assert_eq!(
        decision.fallback_models,
        ["claude-3-sonnet", "claude-3-opus"]
    );
}

#[test]
fn a_decision_says_everything() {
    let decision =
        decided(&json!({"taskType": "creative", "requirements": {"capabilities": ["vision"]}}));
    let shown = serde_json::to_value(&decision).unwrap();
    for field in [
        "selectedModel",
        "provider",
        "reasoning",
        "fallbackModels",
        "constraints",
        "scores",
    ] {
        assert!(!shown[field].is_null(), "{field}: {shown}");
    }
    assert_eq!(shown["provider"], json!(Vendor::Anthropic));
    assert_eq!(
        shown["constraints"],
        json!({"capabilitiesMet": true, "riskCompliant": true, "latencyCompliant": true})
    );
    for words in ["claude-3-opus", "creative", "medium", "80 points"] {
        assert!(decision.reasoning.contains(words), "{}", decision.reasoning);
    }
}

#[test]
fn a_tie_is_told_with_what_decides_it() {
    let entry = |name: &str, priority: u32, tasks: Value| {
        let entry = json!({"modelId": name, "provider": "local", "contextLength": 8000,
                           "capabilities": [], "optimizedFor": tasks, "priority": priority});
        serde_json::from_value::<ModelEntry>(entry).unwrap()
    };
    let input = read_input(json!({"taskType": "chat"})).unwrap();
    let (plain, chat) = (json!([]), json!(["chat"]));
    for (registry, told) in [
        (
            [entry("b", 0, plain.clone()), entry("a", 0, plain.clone())],
            "a has 50 points, as many as b and before it by name, of 2 models",
        ),
        (
            [entry("a", 0, chat), entry("z", 20, plain.clone())],
            "z has 70 points, as many as a and before it by priority, of 2 models",
        ),
        (
            [entry("a", 0, plain.clone()), entry("b", 1, plain)],
            "b has 51 points, the most of 2 models",
        ),
    ] {
        let reasoning = route(&registry, &input).unwrap().reasoning;
        assert!(reasoning.starts_with(told), "{reasoning}");
    }
}

#[test]
fn what_nobody_meets_has_a_code() {
    let too_large = json!({"taskType": "chat", "requirements": {"minContextLength": 300_000}});
    assert_eq!(decide(too_large), Err(Code::RoutingNoSuitableModel));
    let mut only_local = registry();
    only_local.retain(|entry| entry.model_id == "local-llama");
    let sees =
        read_input(json!({"taskType": "chat", "requirements": {"capabilities": ["vision"]}}));
    let refused = route(&only_local, &sees.unwrap()).unwrap_err();
    assert_eq!(refused.code, Code::RoutingCapabilityNotFound);
    assert!(refused.message.contains("vision"), "{}", refused.message);
    for code in [
        Code::RoutingNoSuitableModel,
        Code::RoutingCapabilityNotFound,
    ] {
        assert!(!code.retryable());
    }
    let nothing = read_input(json!({"taskType": "chat"})).unwrap();
    assert!(route(&[], &nothing).is_err());
}

fn inputs() -> impl Strategy<Value = Value> {
    let tasks = [
        TaskType::Chat,
        TaskType::Completion,
        TaskType::Code,
        TaskType::Analysis,
        TaskType::Creative,
    ];
    let capabilities = ["vision", "functionCalling", "jsonMode", "streaming"];
    let vendors = ["anthropic", "openai", "google", "local"];
    (
        prop::sample::select(tasks.to_vec()),
        prop::sample::select(vec!["low", "medium", "high"]),
        prop::sample::subsequence(capabilities.to_vec(), 0..=4),
        prop::sample::subsequence(vendors.to_vec(), 0..=4),
        prop::option::of(0_u32..250_000),
    )
        .prop_map(|(task, risk, capabilities, preferred, least)| {
            let mut requirements =
                json!({"capabilities": capabilities, "preferredProviders": preferred});
            if let Some(least) = least {
                requirements["minContextLength"] = json!(least);
            }
            json!({"taskType": task, "riskLevel": risk, "requirements": requirements})
        })
}

proptest! {
    #[test]
    fn the_invariants_hold(input in inputs(), turn in 0_usize..7) {
        let read = read_input(input.clone()).unwrap();
        let Ok(decision) = route(&registry(), &read) else { return Ok(()) };
        let mut turned = registry();
        turned.rotate_left(turn);
        prop_assert_eq!(&route(&turned, &read).unwrap(), &decision, "whatever the order");
        let names = std::iter::once(&decision.selected_model).chain(&decision.fallback_models);
        for name in names {
            let entry = registry().into_iter().find(|entry| entry.model_id == *name).unwrap();
            prop_assert!(read.requirements.capabilities.is_subset(&entry.capabilities));
            prop_assert!(!(entry.experimental && input["riskLevel"] == "high"));
            let least = input["requirements"]["minContextLength"].as_u64().unwrap_or(0);
            prop_assert!(u64::from(entry.context_length) >= least);
        }
    }
}
