//! The part of the table of addresses that is about automation rules.

use super::route::{Does, Form, Gives, INPUT, Route, body, change, get, header};
use super::routes::PAGE;

/// The addresses of rules.
pub(super) const RULES: &[Route] = &[
    get(
        "/v1/rules",
        "listRules",
        "The rules, with the next time of each schedule",
        Does::Verb(&["rules", "list"]),
        PAGE,
        Gives::List,
    ),
    change(
        ("POST", "/v1/rules"),
        "addRule",
        "Add a rule; ids and times that are left out are filled in",
        &["rules", "add", INPUT],
        &[body(
            "rule",
            Form::Object,
            INPUT,
            true,
            "the rule as it stands in the file",
        )],
        Gives::Created,
    ),
    get(
        "/v1/rules/{rule_id}",
        "showRule",
        "A rule",
        Does::Verb(&["rules", "show", "{rule_id}"]),
        &[],
        Gives::Object,
    ),
    change(
        ("DELETE", "/v1/rules/{rule_id}"),
        "removeRule",
        "Remove a rule; runs of it that have not ended fail",
        &["rules", "remove", "{rule_id}"],
        &[],
        Gives::Object,
    ),
    change(
        ("POST", "/v1/rules/{rule_id}/enable"),
        "enableRule",
        "Let a rule open runs",
        &["rules", "enable", "{rule_id}"],
        &[],
        Gives::Object,
    ),
    change(
        ("POST", "/v1/rules/{rule_id}/disable"),
        "disableRule",
        "Let a rule open no runs",
        &["rules", "disable", "{rule_id}"],
        &[],
        Gives::Object,
    ),
    change(
        ("POST", "/v1/rules/{rule_id}/runs"),
        "triggerRule",
        "Open a run by a rule; the same key never opens two",
        &["rules", "trigger", "{rule_id}"],
        &[header(
            "Idempotency-Key",
            "--event-id",
            "the name of the event; else a new one",
        )],
        Gives::Launched,
    ),
];
