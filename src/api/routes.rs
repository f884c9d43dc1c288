//! The route table: the name of each address, its parts, and the service that answers it.
//!
//! The router and the document are both made from it, so that they cannot differ.

use super::answer::{reply, written};
use super::route::{
    Handler, Parameter, ParameterForm, ResponseKind, Route, body, header, query, route,
};
use crate::limits::{
    CONFIG_FILE_BYTES_MAX, INBOX_FILE_BYTES_MAX, NOTE_VALUE_BYTES_MAX, RAM_VALUE_BYTES_MAX,
};
use crate::service::{audit, notes, ram, rules, runs, status};

const LIMIT: Parameter = query("limit", ParameterForm::Number(0), false, "at most so many");
const OFFSET: Parameter = query(
    "offset",
    ParameterForm::Number(0),
    false,
    "leave out so many first",
);
const PAGE: &[Parameter] = &[LIMIT, OFFSET];
const RUN_STATES: ParameterForm =
    ParameterForm::OneOf(&["queued", "running", "succeeded", "failed"]);
const TITLE: Parameter = body("title", ParameterForm::Text, false, "the title");
const KEYWORDS: Parameter = body("keywords", ParameterForm::Texts, false, "the keywords");
const KIND: Parameter = body("kind", ParameterForm::Text, false, "the kind");

/// Makes the handler that asks a service.
macro_rules! service {
    ($service:path) => {
        Handler::Service(|session, asked| reply(session, asked, $service))
    };
}

/// All routes.
pub(super) const ROUTES: &[Route] = &[
    route(
        "GET /healthz",
        "health",
        "Whether the loop takes its steps in time",
        Handler::Health,
        &[],
        ResponseKind::Text,
    ),
    route(
        "GET /readyz",
        "readiness",
        "Whether the loop lives",
        Handler::Readiness,
        &[],
        ResponseKind::Text,
    ),
    route(
        "GET /metrics",
        "metrics",
        "Numbers for Prometheus",
        Handler::Metrics,
        &[],
        ResponseKind::Text,
    ),
    route(
        "GET /openapi.json",
        "document",
        "This document",
        Handler::Document,
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/status",
        "status",
        "State, runs, RAM size, prompt size and the last failures",
        Handler::Service(|session, _| written(&status::show(session)?)),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/runs",
        "listRuns",
        "Open runs, then finished ones, each newest first",
        service!(runs::list),
        &[
            query("state", RUN_STATES, false, "only those that stand so"),
            LIMIT,
            OFFSET,
        ],
        ResponseKind::List,
    ),
    route(
        "POST /v1/runs",
        "launchRun",
        "Launch a run by hand; the same key never launches two",
        service!(runs::launch),
        &[
            body("request", ParameterForm::Text, false, "what is asked for")
                .at_most(INBOX_FILE_BYTES_MAX),
            header("Idempotency-Key", "stands for this launch"),
        ],
        ResponseKind::Launched,
    ),
    route(
        "GET /v1/runs/{run_id}",
        "showRun",
        "A run record with what became of each instruction",
        service!(runs::show),
        &[],
        ResponseKind::Object,
    ),
    route(
        "POST /v1/runs/{run_id}/cancel",
        "cancelRun",
        "End a run that has not ended",
        service!(runs::cancel),
        &[],
        ResponseKind::Accepted,
    ),
    route(
        "POST /v1/runs/{run_id}/retry",
        "retryRun",
        "Try a failed run once more, under the same id",
        service!(runs::retry),
        &[],
        ResponseKind::Accepted,
    ),
    route(
        "GET /v1/runs/{run_id}/trace",
        "traceRun",
        "What happened in a run, step by step",
        service!(runs::trace),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/notes/{note}/why",
        "whyNote",
        "What each version of a note came of",
        service!(notes::why),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/notes",
        "listNotes",
        "The notes, last changed first",
        service!(notes::list),
        PAGE,
        ResponseKind::List,
    ),
    route(
        "POST /v1/notes",
        "addNote",
        "Add a note",
        service!(notes::add),
        &[
            body("value", ParameterForm::Text, true, "the text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
        ],
        ResponseKind::Created,
    ),
    route(
        "GET /v1/notes/{note}",
        "showNote",
        "A note, by id, exact title or exact keywords",
        service!(notes::show),
        &[query(
            "version",
            ParameterForm::Number(1),
            false,
            "as it was in that version",
        )],
        ResponseKind::Object,
    ),
    route(
        "PATCH /v1/notes/{note}",
        "editNote",
        "Change fields of a note",
        service!(notes::edit),
        &[
            body("value", ParameterForm::Text, false, "the new text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
            query(
                "version",
                ParameterForm::Number(1),
                false,
                "the version that the change is based on; where the note has gone on, it is refused",
            ),
        ],
        ResponseKind::Object,
    ),
    route(
        "DELETE /v1/notes/{note}",
        "deleteNote",
        "Delete a note; its history stays",
        service!(notes::delete),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/notes/{note}/history",
        "noteHistory",
        "Every version of a note, oldest first",
        service!(notes::history),
        PAGE,
        ResponseKind::List,
    ),
    route(
        "POST /v1/notes/{note}/restore",
        "restoreNote",
        "Bring back an earlier version of a note",
        service!(notes::restore),
        &[body(
            "version",
            ParameterForm::Number(1),
            false,
            "the version; else the one before the last change",
        )],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/search",
        "searchNotes",
        "Notes in which every word of a query occurs, else those with most of them; best first",
        service!(notes::search_notes),
        &[
            query(
                "query",
                ParameterForm::Text,
                true,
                "words; quotes make a phrase",
            ),
            LIMIT,
            OFFSET,
        ],
        ResponseKind::List,
    ),
    route(
        "GET /v1/issues",
        "listIssues",
        "What was flagged about notes",
        service!(notes::issues),
        PAGE,
        ResponseKind::List,
    ),
    route(
        "GET /v1/ram",
        "listRam",
        "Keys and values of RAM",
        service!(ram::list),
        PAGE,
        ResponseKind::List,
    ),
    route(
        "GET /v1/ram/{key}",
        "getRam",
        "A key's value",
        service!(ram::get),
        &[],
        ResponseKind::Object,
    ),
    route(
        "PUT /v1/ram/{key}",
        "setRam",
        "Set a key",
        service!(ram::set),
        &[body(
            "value",
            ParameterForm::Any,
            true,
            "the value: text, or a JSON object or array",
        )
        .at_most(RAM_VALUE_BYTES_MAX)],
        ResponseKind::Object,
    ),
    route(
        "DELETE /v1/ram/{key}",
        "deleteRam",
        "Delete a key; a required key is emptied",
        service!(ram::delete),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/audit",
        "listAudit",
        "What became of each instruction, oldest first; without an offset, the last ones",
        service!(audit::list),
        &[
            query("run", ParameterForm::Text, false, "only those of this run"),
            LIMIT,
            OFFSET,
        ],
        ResponseKind::List,
    ),
    route(
        "GET /v1/audit/head",
        "auditHead",
        "The last commit's number and hash",
        Handler::Service(|session, _| written(&audit::head(session)?)),
        &[],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/events",
        "events",
        "Each commit as it comes; its number is the event's id",
        Handler::Events,
        &[
            query(
                "after",
                ParameterForm::Number(0),
                false,
                "begin behind this commit; else with the next one",
            ),
            header(
                "Last-Event-ID",
                "the same, as browsers and other clients send it when they come back",
            ),
        ],
        ResponseKind::Stream,
    ),
    route(
        "POST /v1/verbs",
        "handOver",
        "Answer a command line of this program, as if it were run in the root",
        Handler::HandOver,
        &[
            body(
                "words",
                ParameterForm::Words,
                true,
                "its words, without the program's name",
            ),
            body(
                "input",
                ParameterForm::AnyText,
                false,
                "what `-` stands for",
            ),
        ],
        ResponseKind::Object,
    ),
    route(
        "GET /v1/rules",
        "listRules",
        "The rules, with the next time of each schedule",
        service!(rules::list),
        PAGE,
        ResponseKind::List,
    ),
    route(
        "POST /v1/rules",
        "addRule",
        "Add a rule; ids and times that are left out are filled in",
        service!(rules::add),
        &[body(
            "rule",
            ParameterForm::Object,
            true,
            "the rule as it stands in the file",
        )
        .at_most(CONFIG_FILE_BYTES_MAX)],
        ResponseKind::Created,
    ),
    route(
        "GET /v1/rules/{rule_id}",
        "showRule",
        "A rule",
        service!(rules::show),
        &[],
        ResponseKind::Object,
    ),
    route(
        "DELETE /v1/rules/{rule_id}",
        "removeRule",
        "Remove a rule; runs of it that have not ended fail",
        service!(rules::remove),
        &[],
        ResponseKind::Object,
    ),
    route(
        "POST /v1/rules/{rule_id}/enable",
        "enableRule",
        "Let a rule open runs",
        service!(rules::enable),
        &[],
        ResponseKind::Object,
    ),
    route(
        "POST /v1/rules/{rule_id}/disable",
        "disableRule",
        "Let a rule open no runs",
        service!(rules::disable),
        &[],
        ResponseKind::Object,
    ),
    route(
        "POST /v1/rules/{rule_id}/runs",
        "triggerRule",
        "Open a run by a rule; the same key never opens two",
        service!(rules::trigger),
        &[header(
            "Idempotency-Key",
            "the name of the event; else a new one",
        )],
        ResponseKind::Launched,
    ),
];
