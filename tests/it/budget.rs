//! The token budget by itself: what is selected, in which order, and what never happens whatever the
//! parts are. The rows of its table stand beside it as they were written down.
#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::help::table_of_keys;
use kjxlkj_agent::config::KEYS;
use kjxlkj_agent::core::prompt::PartType::{Context, Memory, Session, System, Todo};
use kjxlkj_agent::core::prompt::Priority::{Critical, High, Low, Normal};
use kjxlkj_agent::core::prompt::{
    BudgetAllocation, LOW_LEAVES_ONE_IN, PartType, Priority, PromptError, PromptPart, TokenBudget,
    select,
};
use kjxlkj_agent::failure::Code;
use proptest::prelude::*;
use serde_json::{Value, json};

fn part(id: &str, part_type: PartType, priority: Priority, tokens: usize) -> PromptPart {
    PromptPart::new(id, part_type, priority, tokens)
}

fn allocate(parts: &[PromptPart], budget: &TokenBudget) -> Result<BudgetAllocation, PromptError> {
    let mut parts = parts.to_vec();
    select(&mut parts, budget)?;
    Ok(BudgetAllocation::of(parts, budget))
}

fn allocated(parts: &[PromptPart], budget: &TokenBudget) -> BudgetAllocation {
    allocate(parts, budget).unwrap()
}

fn included(parts: &[PromptPart], budget: &TokenBudget) -> Vec<String> {
    let allocation = allocated(parts, budget).included.into_iter();
    allocation.map(|part| part.id).collect()
}

/// Without limits by type.
fn roomy(max_total: usize, critical_reserve: usize) -> TokenBudget {
    TokenBudget {
        max_total,
        memory: max_total,
        todo: max_total,
        session: max_total,
        system: max_total,
        context: None,
        critical_reserve,
    }
}

#[test]
fn the_defaults_are_the_documented_ones_and_five_parts_make_the_whole() {
    let budget = TokenBudget::default();
    let parts = [
        budget.memory,
        budget.todo,
        budget.session,
        budget.system,
        budget.critical_reserve,
    ];
    assert_eq!(parts, [1500, 800, 700, 500, 500]);
    assert_eq!(budget.max_total, 4000);
    assert_eq!(parts.iter().sum::<usize>(), budget.max_total);
    let of = |name: &str| {
        let path = format!("token_budget.{name}");
        let key = KEYS.iter().find(|key| key.path == path);
        key.unwrap().default.value()
    };
    let names = ["memory", "todo", "session", "system", "critical_reserve"];
    assert_eq!(names.map(of), parts.map(Value::from));
    assert_eq!(of("max_total"), json!(4000));
}

#[test]
fn the_budget_is_about_size_and_no_money_occurs() {
    let table = table_of_keys().to_lowercase();
    for word in ["cost", "price", "usd", "dollar", "cent ", "\u{20ac}", "$"] {
        assert!(!table.contains(word), "{word}");
    }
    let of_budget = KEYS
        .iter()
        .filter(|key| key.path.starts_with("token_budget"));
    assert!(of_budget.into_iter().all(|key| key.doc.contains("tokens")));
}

#[test]
fn a_part_has_the_documented_members() {
    let whole = part("a", Memory, High, 7);
    let json =
        json!({"id": "a", "type": "memory", "priority": "high", "tokens": 7, "cutFrom": null});
    assert_eq!(serde_json::to_value(&whole).unwrap(), json, "and no others");
    let cut = PromptPart {
        cut_from: Some(9),
        reason: Some(Code::TokenBudgetExceeded),
        ..whole
    };
    let mut expected = json;
    expected["cutFrom"] = json!(9);
    expected["reason"] = json!("TOKEN_BUDGET_EXCEEDED");
    assert_eq!(serde_json::to_value(&cut).unwrap(), expected);
    for (part_type, name) in PartType::ALL
        .into_iter()
        .zip(["system", "memory", "session", "todo", "context"])
    {
        assert_eq!(serde_json::to_value(part_type).unwrap(), json!(name));
        assert_eq!(part_type.name(), name);
    }
    for (priority, name) in [
        (Critical, "critical"),
        (High, "high"),
        (Normal, "normal"),
        (Low, "low"),
    ] {
        assert_eq!(serde_json::to_value(priority).unwrap(), json!(name));
        assert_eq!(priority.name(), name);
    }
}

#[test]
fn an_allocation_has_the_documented_members() {
    let parts = [
        part("a", System, Critical, 30),
        part("b", Memory, Normal, 60),
        part("c", Todo, High, 50),
    ];
    let allocation = allocated(&parts, &roomy(100, 10));
    let json = serde_json::to_value(&allocation).unwrap();
    let expected = json!({
        "included": [
            {"id": "a", "type": "system", "priority": "critical", "tokens": 30, "cutFrom": null},
            {"id": "c", "type": "todo", "priority": "high", "tokens": 50, "cutFrom": null},
        ],
        "excluded": [
            {"id": "b", "type": "memory", "priority": "normal", "tokens": 60, "cutFrom": null,
             "reason": "TOKEN_BUDGET_EXCEEDED"},
        ],
        "totalTokens": 80,
        "remaining": 20,
        "usageByType": {"memory": 0, "todo": 50, "session": 0, "system": 30, "context": 0},
        "criticalReserveUsed": 0,
    });
    assert_eq!(json, expected);
}

#[test]
fn a_critical_part_uses_the_reserve_and_others_never_do() {
    let budget = TokenBudget::default();
    let mut parts = vec![
        part("memory", Memory, Normal, 1500),
        part("todo", Todo, Normal, 800),
        part("session", Session, Normal, 700),
        part("system", System, Normal, 500),
    ];
    let full = allocated(&parts, &budget);
    assert_eq!((full.total_tokens, full.remaining), (3500, 500));
    assert_eq!(full.critical_reserve_used, 0);
    // The reserve is none of theirs, however much of it is free.
    parts.push(part("more", Context, High, 1));
    let more = allocated(&parts, &budget);
    assert_eq!(more.excluded.len(), 1);
    assert_eq!(more.excluded[0].id, "todo", "the last of its kind went");
    parts.pop();
    parts.push(part("critical", Todo, Critical, 400));
    let with = allocated(&parts, &budget);
    assert!(with.excluded.is_empty(), "{with:?}");
    assert_eq!(with.critical_reserve_used, 400);
    assert_eq!(with.usage_by_type.todo, 1200, "above the limit of its type");
    assert_eq!(with.remaining, 100);
}

#[test]
fn high_goes_before_normal_before_low() {
    let budget = roomy(100, 0);
    let parts = [
        part("low", Memory, Low, 10),
        part("normal", Memory, Normal, 50),
        part("high", Memory, High, 50),
    ];
    for (sizes, expected) in [
        ([10, 20, 30], vec!["low", "normal", "high"]),
        ([10, 50, 50], vec!["normal", "high"]),
        ([10, 51, 50], vec!["high"]),
        ([10, 50, 101], vec![]),
    ] {
        let mut parts = parts.clone();
        for (part, size) in parts.iter_mut().zip(sizes) {
            part.tokens = size;
        }
        assert_eq!(included(&parts, &budget), expected, "{sizes:?}");
    }
}

#[test]
fn low_is_in_only_while_a_quarter_of_the_budget_stays_free() {
    assert_eq!(LOW_LEAVES_ONE_IN, 4);
    let told = include_str!("../../src/help/prompts-windows.md");
    assert!(told.contains("come last, and only while a quarter of the whole budget stays free"));
    let budget = roomy(100, 0);
    for (normal, low, is_in) in [
        (50, 25, true),
        (50, 26, false),
        (75, 1, false),
        (0, 75, true),
    ] {
        let parts = [part("n", Memory, Normal, normal), part("l", Todo, Low, low)];
        let low_is_in = included(&parts, &budget).contains(&"l".to_owned());
        assert_eq!(low_is_in, is_in, "{normal} and {low}");
    }
}

#[test]
fn ties_go_by_type_and_then_to_the_first() {
    let parts = [
        part("context", Context, Normal, 10),
        part("todo", Todo, Normal, 10),
        part("session", Session, Normal, 10),
        part("memory 1", Memory, Normal, 10),
        part("memory 2", Memory, Normal, 10),
        part("system", System, Normal, 10),
    ];
    let falls = [
        "context", "todo", "session", "memory 2", "memory 1", "system",
    ];
    for gone in 0..=falls.len() {
        let budget = roomy(10 * (parts.len() - gone), 0);
        let excluded = allocated(&parts, &budget).excluded;
        let mut excluded: Vec<String> = excluded.into_iter().map(|part| part.id).collect();
        let mut expected = falls[..gone].to_vec();
        excluded.sort_unstable();
        expected.sort_unstable();
        assert_eq!(excluded, expected);
    }
}

#[test]
fn each_reason_has_its_code() {
    let budget = TokenBudget {
        memory: 10,
        ..roomy(100, 10)
    };
    let reason = |part_type, priority, tokens| {
        let parts = [part("p", part_type, priority, tokens)];
        allocated(&parts, &budget)
            .excluded
            .first()
            .and_then(|part| part.reason)
    };
    assert_eq!(reason(Memory, Normal, 10), None);
    assert_eq!(reason(Memory, High, 11), Some(Code::TokenTypeLimitExceeded));
    assert_eq!(reason(Todo, High, 91), Some(Code::TokenBudgetExceeded));
    let critical = [
        part("c", Memory, Critical, 60),
        part("d", Todo, Critical, 41),
    ];
    let no_prompt = allocate(&critical, &budget).unwrap_err();
    assert_eq!(
        no_prompt,
        PromptError::CriticalDropped {
            critical_tokens: 101,
            max_total: 100
        }
    );
    assert_eq!(no_prompt.code(), Code::TokenCriticalDropped);
    let uncounted = PromptError::EstimationFailed;
    assert_eq!(uncounted.code(), Code::TokenEstimationFailed);
    for (code, retryable) in [
        (Code::TokenBudgetExceeded, false),
        (Code::TokenTypeLimitExceeded, false),
        (Code::TokenCriticalDropped, false),
        (Code::TokenEstimationFailed, true),
        (Code::ContextOverflow, false),
    ] {
        assert_eq!(code.retryable(), retryable, "{code}");
    }
}

#[test]
fn context_comes_last_and_has_what_is_left_unless_it_is_limited() {
    let parts = [part("c", Context, Normal, 60), part("t", Todo, Normal, 50)];
    assert_eq!(included(&parts, &roomy(110, 0)), ["c", "t"]);
    assert_eq!(included(&parts, &roomy(109, 0)), ["t"]);
    let limited = TokenBudget {
        context: Some(59),
        ..roomy(110, 0)
    };
    assert_eq!(included(&parts, &limited), ["t"]);
}

#[test]
fn a_smaller_window_shrinks_every_part_in_proportion() {
    let budget = TokenBudget::default();
    assert_eq!(budget.within(4000), budget);
    assert_eq!(budget.within(100_000), budget);
    let half = budget.within(2000);
    assert_eq!(
        (half.memory, half.todo, half.session, half.system),
        (750, 400, 350, 250)
    );
    assert_eq!((half.max_total, half.critical_reserve), (2000, 250));
    assert_eq!(budget.within(0).max_total, 0);
}

fn any_part() -> impl Strategy<Value = (PartType, Priority, usize)> {
    let priorities = prop_oneof![
        1 => Just(Critical), 3 => Just(High), 4 => Just(Normal), 3 => Just(Low)
    ];
    let sizes = prop_oneof![4 => 0_usize..300, 1 => 0_usize..5000, 1 => Just(0)];
    (
        prop::sample::select(PartType::ALL.to_vec()),
        priorities,
        sizes,
    )
}

fn any_budget() -> impl Strategy<Value = TokenBudget> {
    let part = 0_usize..2000;
    let parts = (part.clone(), part.clone(), part.clone(), part.clone());
    (1_usize..4500, parts, prop::option::of(part.clone()), part).prop_map(
        |(max_total, (memory, todo, session, system), context, reserve)| TokenBudget {
            max_total,
            memory,
            todo,
            session,
            system,
            context,
            critical_reserve: reserve.min(max_total),
        },
    )
}

proptest! {
    #[test]
    fn the_invariants_hold_for_any_parts(
        parts in prop::collection::vec(any_part(), 0..60), budget in any_budget(),
    ) {
        let ids: Vec<String> = (0..parts.len()).map(|at| at.to_string()).collect();
        let parts: Vec<_> = parts.iter().zip(&ids)
            .map(|((part_type, priority, tokens), id)| part(id, *part_type, *priority, *tokens))
            .collect();
        let sum = |wanted: &dyn Fn(&PromptPart) -> bool| -> usize {
            parts.iter().filter(|it| wanted(it)).map(|it| it.tokens).sum()
        };
        let critical = sum(&|it| it.priority == Critical);
        let outcome = allocate(&parts, &budget);
        prop_assert_eq!(&outcome, &allocate(&parts, &budget));
        let Ok(allocation) = outcome else {
            prop_assert!(critical > budget.max_total);
            return Ok(());
        };
        prop_assert!(critical <= budget.max_total);
        // The whole is never exceeded, and the numbers say what is so.
        let is_in = |it: &PromptPart| allocation.included.iter().any(|one| one.id == it.id);
        let total = sum(&is_in);
        prop_assert_eq!(allocation.total_tokens, total);
        prop_assert!(total <= budget.max_total);
        prop_assert_eq!(allocation.remaining, budget.max_total - total);
        // Critical ones are always in; others never use the reserve.
        prop_assert!(parts.iter().all(|it| it.priority != Critical || is_in(it)));
        let others = total - critical;
        prop_assert!(others <= budget.max_total - budget.critical_reserve);
        prop_assert!(allocation.critical_reserve_used <= budget.critical_reserve.min(critical));
        // Each type keeps its limit.
        for part_type in PartType::ALL {
            let firm = sum(&|it| is_in(it) && it.part_type == part_type && it.priority != Critical);
            prop_assert!(firm <= budget.limit(part_type));
            let all = sum(&|it| is_in(it) && it.part_type == part_type);
            prop_assert_eq!(allocation.usage_by_type.of(part_type), all);
        }
        // Nothing is in while something that matters more is not, for the same
        // want of room.
        for out in &allocation.excluded {
            let lower = parts.iter().filter(|it| it.priority > out.priority && is_in(it));
            for lower in lower {
                prop_assert_ne!(out.reason, Some(Code::TokenBudgetExceeded), "{}", lower.id);
                prop_assert_ne!(out.part_type, lower.part_type);
            }
        }
        // Low ones leave a quarter free.
        if parts.iter().any(|it| it.priority == Low && is_in(it) && it.tokens > 0) {
            prop_assert!(allocation.remaining * 4 >= budget.max_total);
        }
        // The order is that of the parts.
        let order: Vec<usize> = allocation.included.iter().map(|it| it.id.parse().unwrap()).collect();
        prop_assert!(order.is_sorted());
    }
}
