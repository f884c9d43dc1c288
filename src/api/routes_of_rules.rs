//! The part of the route table that is about automation rules.

use super::answer::reply;
use super::route::{Does, Form, Gives, Route, ask, body, get, header};
use super::routes::PAGE;
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::rules;

/// The routes of rules.
pub(super) const RULES: &[Route] = &[
    get(
        "/v1/rules",
        "listRules",
        "The rules, with the next time of each schedule",
        Does::Service(|session, asked| reply(session, asked, rules::list)),
        PAGE,
        Gives::List,
    ),
    ask(
        ("POST", "/v1/rules"),
        "addRule",
        "Add a rule; ids and times that are left out are filled in",
        |session, asked| reply(session, asked, rules::add),
        &[body(
            "rule",
            Form::Object,
            true,
            "the rule as it stands in the file",
        )
        .at_most(CONFIG_FILE_BYTES_MAX)],
        Gives::Created,
    ),
    get(
        "/v1/rules/{rule_id}",
        "showRule",
        "A rule",
        Does::Service(|session, asked| reply(session, asked, rules::show)),
        &[],
        Gives::Object,
    ),
    ask(
        ("DELETE", "/v1/rules/{rule_id}"),
        "removeRule",
        "Remove a rule; runs of it that have not ended fail",
        |session, asked| reply(session, asked, rules::remove),
        &[],
        Gives::Object,
    ),
    ask(
        ("POST", "/v1/rules/{rule_id}/enable"),
        "enableRule",
        "Let a rule open runs",
        |session, asked| reply(session, asked, rules::enable),
        &[],
        Gives::Object,
    ),
    ask(
        ("POST", "/v1/rules/{rule_id}/disable"),
        "disableRule",
        "Let a rule open no runs",
        |session, asked| reply(session, asked, rules::disable),
        &[],
        Gives::Object,
    ),
    ask(
        ("POST", "/v1/rules/{rule_id}/runs"),
        "triggerRule",
        "Open a run by a rule; the same key never opens two",
        |session, asked| reply(session, asked, rules::trigger),
        &[header(
            "Idempotency-Key",
            "the name of the event; else a new one",
        )],
        Gives::Launched,
    ),
];
