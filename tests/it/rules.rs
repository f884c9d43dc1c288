//! The rules file at the loader: what is accepted, and every problem with its place.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it sets up its own files"
)]

use kjxlkj_agent::config::{self, ConfigProblem, LoadedConfig, Severity};
use kjxlkj_agent::core::automation::RuleTrigger;
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::failure::Code;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The workspace of the root, which is the rules' own.
const WORKSPACE: &str = "5f1a2c1e-0d6b-4a57-9b8f-3f0f6f1f5a02";

fn load(rules: &str) -> Result<LoadedConfig, Vec<ConfigProblem>> {
    let root = tempfile::tempdir().unwrap();
    config::init(root.path()).unwrap();
    let path = root.path().join("data/config.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut config: Value = serde_json::from_str(&text).unwrap();
    config["scope"]["workspace_id"] = WORKSPACE.into();
    std::fs::write(path, config.to_string()).unwrap();
    std::fs::write(root.path().join("data/rules.json"), rules).unwrap();
    config::load(root.path(), &BTreeMap::<String, String>::new())
}

fn rule() -> Value {
    json!({
        "rule_id": "5f1a2c1e-0d6b-4a57-9b8f-3f0f6f1f5a01",
        "workspace_id": WORKSPACE,
        "trigger": "automation_schedule.cron",
        "condition_json": {"cron": "0 9 * * 1-5"},
        "action_json": {"kind": "kjxlkj_agent"},
        "enabled": true,
        "created_at": "2026-11-21T09:00:00Z",
        "updated_at": "2026-11-21T09:00:00Z",
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut rule = rule();
    rule[key] = value;
    rule
}

#[test]
fn a_valid_rule_is_read_without_a_word() {
    let loaded = load(&json!([rule()]).to_string()).unwrap();
    let [rule] = &*loaded.config.rules else {
        panic!("one rule")
    };
    assert!(matches!(rule.trigger, RuleTrigger::Cron(_)));
    assert_eq!(loaded.warnings, []);
    assert!(load("[]").unwrap().config.rules.is_empty());
}

#[test]
fn every_problem_of_every_rule_is_reported_with_its_place() {
    let cases = [
        ("{}", "", "array"),
        ("[3]", "[0]", "object"),
        ("[", "", ""),
        (
            &json!([with("rule_id", json!("x"))]).to_string(),
            "[0].rule_id",
            "UUID",
        ),
        (
            &json!([with("workspace_id", json!(7))]).to_string(),
            "[0].workspace_id",
            "UUID",
        ),
        (
            &json!([with("trigger", json!("sometimes"))]).to_string(),
            "[0].trigger",
            "manual",
        ),
        (
            &json!([with("condition_json", json!([]))]).to_string(),
            "[0].condition_json",
            "object",
        ),
        (
            &json!([with("condition_json", json!({"cron": "0 0 30 2 *"}))]).to_string(),
            "[0].condition_json.cron",
            "never fires",
        ),
        (
            &json!([with("action_json", json!({"kind": "kjxlkj-agent"}))]).to_string(),
            "[0].action_json",
            "kjxlkj_agent",
        ),
        (
            &json!([with("enabled", json!("yes"))]).to_string(),
            "[0].enabled",
            "true or false",
        ),
        (
            &json!([with("created_at", json!("now"))]).to_string(),
            "[0].created_at",
            "RFC 3339",
        ),
        (
            &json!([rule(), rule()]).to_string(),
            "[1].rule_id",
            "another rule",
        ),
    ];
    for (text, path, words) in cases {
        let problems = load(text).unwrap_err();
        let error = problems
            .iter()
            .find(|problem| problem.severity == Severity::Error)
            .unwrap();
        assert_eq!(error.code, Code::RulesInvalid, "{text}");
        assert_eq!(error.file, "data/rules.json");
        assert_eq!(error.json_path, path, "{text}");
        assert!(
            error.line >= 1 && error.message.contains(words),
            "{text}: {error}"
        );
    }
    let missing = load("[{}]").unwrap_err();
    assert_eq!(missing.len(), 8, "one problem a missing key: {missing:?}");
}

#[test]
fn a_zone_is_named_or_that_of_the_machine_and_never_guessed() {
    let zone_of = |timezone: &str, machine: &str| {
        let root = tempfile::tempdir().unwrap();
        config::init(root.path()).unwrap();
        let times = json!({"cron": "0 9 * * *", "timezone": timezone});
        let rules = json!([with("condition_json", times)]).to_string();
        std::fs::write(root.path().join("data/rules.json"), rules).unwrap();
        let environment = BTreeMap::from([("TZ".to_owned(), machine.to_owned())]);
        let loaded = config::load(root.path(), &environment).map_err(|problems| {
            assert!(problems[0].json_path.ends_with(".timezone"), "{problems:?}");
        })?;
        let RuleTrigger::Cron(cron) = &loaded.config.rules[0].trigger else {
            unreachable!("the rule is one of times");
        };
        Ok(cron.text.timezone.clone())
    };
    for (timezone, machine, zone) in [
        ("Europe/Berlin", "Asia/Kolkata", Ok("Europe/Berlin")),
        ("UTC", "Asia/Kolkata", Ok("UTC")),
        ("local", "Asia/Kolkata", Ok("Asia/Kolkata")),
        ("local", ":Asia/Kolkata", Ok("Asia/Kolkata")),
        (
            "local",
            ":/usr/share/zoneinfo/America/New_York",
            Ok("America/New_York"),
        ),
        ("local", "<+03>-3", Err(())),
        ("local", "Atlantis/Main_Street", Err(())),
        ("Atlantis/Main_Street", "UTC", Err(())),
        ("", "UTC", Err(())),
    ] {
        let zone = zone.map(str::to_owned);
        assert_eq!(zone_of(timezone, machine), zone, "{timezone} on {machine}");
    }
}

#[test]
fn a_rule_may_lower_the_budget_of_its_runs_and_nothing_else_of_it() {
    let root = tempfile::tempdir().unwrap();
    config::init(root.path()).unwrap();
    let path = root.path().join("data/config.json");
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    file["budget"]["calls_per_run"] = json!(5);
    std::fs::write(&path, file.to_string()).unwrap();
    for (budget, refused) in [
        (json!({"calls_per_run": 5}), None),
        (json!({"calls_per_run": 2, "tokens_per_run": 7}), None),
        (
            json!({"calls_per_run": 6}),
            Some("only lower it, and it is 5"),
        ),
        (
            json!({"calls_per_run": null}),
            Some("only lower it, and it is 5"),
        ),
        (
            json!({"calls_per_day": 1}),
            Some("lower nothing but calls_per_run, tokens_per_run"),
        ),
    ] {
        let mut rule = rule();
        rule["workspace_id"] = file["scope"]["workspace_id"].clone();
        rule["action_json"]["budget"] = budget.clone();
        let rules = json!([rule]).to_string();
        std::fs::write(root.path().join("data/rules.json"), rules).unwrap();
        let loaded = config::load(root.path(), &BTreeMap::<String, String>::new());
        let Some(words) = refused else {
            let config = loaded.unwrap().config;
            let action = config.actions.values().next().unwrap();
            let calls = budget["calls_per_run"].as_u64();
            assert_eq!(action.config.budget.run.calls, calls);
            continue;
        };
        let problems = loaded.unwrap_err();
        let problem = problems.iter().find(|it| it.message.contains(words));
        let problem = problem.unwrap_or_else(|| panic!("{budget}: {problems:?}"));
        assert_eq!(problem.code, Code::RulesInvalid);
        assert!(problem.json_path.starts_with("[0].action_json.budget."));
    }
}

/// An id has several spellings; whichever a rule uses, what it says of its runs counts.
#[test]
fn an_action_counts_however_the_id_of_its_rule_is_spelt() {
    let id = rule()["rule_id"].as_str().unwrap().to_owned();
    for spelt in [
        id.clone(),
        id.to_uppercase(),
        id.replace('-', ""),
        format!("{{{id}}}"),
    ] {
        let mut rule = with("rule_id", json!(spelt));
        rule["action_json"]["mode"] = json!("reviewed");
        let config = load(&json!([rule]).to_string()).unwrap().config;
        let action = &config.actions[&config.rules[0].rule_id];
        assert_eq!(action.config.mode, Some(Mode::Reviewed), "{spelt}");

        rule["action_json"] = json!({"kind": "kjxlkj_agent", "loop": {"max_stay": "many"}});
        let problems = load(&json!([rule]).to_string()).unwrap_err();
        assert_eq!(problems[0].json_path, "[0].action_json.loop.max_stay");
    }
}

#[test]
fn a_key_of_a_rule_that_is_not_known_is_refused_with_its_place() {
    let one_more = |key: &str, name: &str, value: Value| {
        let mut rule = rule();
        match key {
            "" => rule[name] = value,
            _ => rule[key][name] = value,
        }
        rule
    };
    let section = |section: &str, name: &str| {
        let mut rule = rule();
        rule["action_json"][section] = json!({ name: 3 });
        rule
    };
    for (rule, place, meant) in [
        (
            one_more("", "triger", json!("manual")),
            "[0].triger",
            "`trigger`",
        ),
        (
            one_more("condition_json", "time_zone", json!("UTC")),
            "[0].condition_json.time_zone",
            "`timezone`",
        ),
        (
            one_more("action_json", "reqest", json!("x")),
            "[0].action_json.reqest",
            "`request`",
        ),
        (
            section("loop", "max_iteration"),
            "[0].action_json.loop.max_iteration",
            "`loop.max_iterations`",
        ),
    ] {
        let text = format!("[\n{rule:#}\n]");
        let problems = load(&text).unwrap_err();
        let [problem] = problems.as_slice() else {
            panic!("{problems:#?}")
        };
        assert_eq!(
            (problem.code, problem.severity),
            (Code::RulesInvalid, Severity::Error)
        );
        assert_eq!(problem.json_path, place);
        assert!(problem.message.contains(meant), "{problem}");
        assert!(!problem.message.contains("ignored"), "{problem}");
        let key = place.rsplit('.').next().unwrap();
        let line = text.lines().position(|line| line.contains(key));
        assert_eq!(Some(problem.line - 1), line, "{problem}");
    }
}

#[test]
fn the_request_of_a_rule_is_a_text() {
    let with_request = |request: Value| {
        let action = json!({"kind": "kjxlkj_agent", "request": request});
        load(&json!([with("action_json", action)]).to_string())
    };
    let loaded = with_request(json!("  Sum up the week. ")).unwrap();
    let [rule] = &*loaded.config.rules else {
        panic!("one rule")
    };
    assert_eq!(rule.request.as_deref(), Some("Sum up the week."));
    // Such a rule asks nobody else, and works with nothing else.
    assert!(loaded.config.actions.is_empty());
    for wrong in [json!(" "), json!(7), json!(null), json!("x".repeat(70_000))] {
        let problems = with_request(wrong).unwrap_err();
        assert_eq!(problems[0].json_path, "[0].action_json.request");
    }
}
