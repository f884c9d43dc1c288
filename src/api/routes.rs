//! The table of addresses: what each is called, what it takes, and which verb answers it. The router and
//! the document are both made from it, so that neither can say something else.

use super::answer::reply;
use super::route::{Does, Form, Gives, Part, Route, ask, body, change, get, header, query};
use super::routes_of_rules::RULES;
use crate::limits::{NOTE_VALUE_BYTES_MAX, RAM_VALUE_BYTES_MAX};
use crate::service::{notes, ram};

const LIMIT: Part = query(
    "limit",
    Form::Number(0),
    "--limit",
    false,
    "at most so many",
);
const OFFSET: Part = query(
    "offset",
    Form::Number(0),
    "--offset",
    false,
    "leave out so many first",
);
pub(super) const PAGE: &[Part] = &[LIMIT, OFFSET];
const RUN_STATES: Form = Form::OneOf(&["queued", "running", "succeeded", "failed"]);
const TITLE: Part = body("title", Form::Text, "--title", false, "the title");
const KEYWORDS: Part = body("keywords", Form::Texts, "--keywords", false, "the keywords");
const KIND: Part = body("kind", Form::Text, "--kind", false, "the kind");

/// Every address.
pub(super) fn routes() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().chain(RULES)
}

const ROUTES: &[Route] = &[
    get(
        "/healthz",
        "health",
        "Whether the loop takes its steps in time",
        Does::Health,
        &[],
        Gives::Text,
    ),
    get(
        "/readyz",
        "readiness",
        "Whether the loop lives",
        Does::Readiness,
        &[],
        Gives::Text,
    ),
    get(
        "/metrics",
        "metrics",
        "Numbers for Prometheus",
        Does::Metrics,
        &[],
        Gives::Text,
    ),
    get(
        "/openapi.json",
        "document",
        "This document",
        Does::Document,
        &[],
        Gives::Object,
    ),
    get(
        "/v1/status",
        "status",
        "State, runs, RAM size, prompt size and the last failures",
        Does::Verb(&["status"]),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/runs",
        "listRuns",
        "Open runs, then finished ones, each newest first",
        Does::Verb(&["runs", "list"]),
        &[
            query(
                "state",
                RUN_STATES,
                "--state",
                false,
                "only those that stand so",
            ),
            LIMIT,
            OFFSET,
        ],
        Gives::List,
    ),
    change(
        ("POST", "/v1/runs"),
        "launchRun",
        "Launch a run by hand; the same key never launches two",
        &["runs", "launch"],
        &[
            body(
                "request",
                Form::Text,
                "--request=-",
                false,
                "what is asked for",
            ),
            header("Idempotency-Key", "--key", "stands for this launch"),
        ],
        Gives::Launched,
    ),
    get(
        "/v1/runs/{run_id}",
        "showRun",
        "A run record with what became of each instruction",
        Does::Verb(&["runs", "show", "{run_id}"]),
        &[],
        Gives::Object,
    ),
    change(
        ("POST", "/v1/runs/{run_id}/cancel"),
        "cancelRun",
        "End a run that has not ended",
        &["runs", "cancel", "{run_id}"],
        &[],
        Gives::Accepted,
    ),
    change(
        ("POST", "/v1/runs/{run_id}/retry"),
        "retryRun",
        "Try a failed run once more, under the same id",
        &["runs", "retry", "{run_id}"],
        &[],
        Gives::Accepted,
    ),
    get(
        "/v1/runs/{run_id}/trace",
        "traceRun",
        "What happened in a run, step by step",
        Does::Verb(&["trace", "{run_id}"]),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/notes/{note}/why",
        "whyNote",
        "What each version of a note came of",
        Does::Verb(&["why", "{note}"]),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/notes",
        "listNotes",
        "The notes, last changed first",
        Does::Service(|session, asked| reply(session, asked, notes::list)),
        PAGE,
        Gives::List,
    ),
    ask(
        ("POST", "/v1/notes"),
        "addNote",
        "Add a note",
        |session, asked| reply(session, asked, notes::add),
        &[
            body("value", Form::Text, "", true, "the text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
        ],
        Gives::Created,
    ),
    get(
        "/v1/notes/{note}",
        "showNote",
        "A note, by id, exact title or exact keywords",
        Does::Service(|session, asked| reply(session, asked, notes::show)),
        &[query(
            "version",
            Form::Number(1),
            "--version",
            false,
            "as it was in that version",
        )],
        Gives::Object,
    ),
    ask(
        ("PATCH", "/v1/notes/{note}"),
        "editNote",
        "Change fields of a note",
        |session, asked| reply(session, asked, notes::edit),
        &[
            body("value", Form::Text, "", false, "the new text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
            query(
                "version",
                Form::Number(1),
                "--version",
                false,
                "the version that the change is based on; where the note has gone on, it is refused",
            ),
        ],
        Gives::Object,
    ),
    ask(
        ("DELETE", "/v1/notes/{note}"),
        "deleteNote",
        "Delete a note; its history stays",
        |session, asked| reply(session, asked, notes::delete),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/notes/{note}/history",
        "noteHistory",
        "Every version of a note, oldest first",
        Does::Service(|session, asked| reply(session, asked, notes::history)),
        PAGE,
        Gives::List,
    ),
    ask(
        ("POST", "/v1/notes/{note}/restore"),
        "restoreNote",
        "Bring back an earlier version of a note",
        |session, asked| reply(session, asked, notes::restore),
        &[body(
            "version",
            Form::Number(1),
            "--version",
            false,
            "the version; else the one before the last change",
        )],
        Gives::Object,
    ),
    get(
        "/v1/search",
        "searchNotes",
        "Notes in which every word of a query occurs, else those with most of them; best first",
        Does::Service(|session, asked| reply(session, asked, notes::search_notes)),
        &[
            query("query", Form::Text, "", true, "words; quotes make a phrase"),
            LIMIT,
            OFFSET,
        ],
        Gives::List,
    ),
    get(
        "/v1/issues",
        "listIssues",
        "What was flagged about notes",
        Does::Service(|session, asked| reply(session, asked, notes::issues)),
        PAGE,
        Gives::List,
    ),
    get(
        "/v1/ram",
        "listRam",
        "Keys and values of RAM",
        Does::Service(|session, asked| reply(session, asked, ram::list)),
        PAGE,
        Gives::List,
    ),
    get(
        "/v1/ram/{key}",
        "getRam",
        "A key's value",
        Does::Service(|session, asked| reply(session, asked, ram::get)),
        &[],
        Gives::Object,
    ),
    ask(
        ("PUT", "/v1/ram/{key}"),
        "setRam",
        "Set a key",
        |session, asked| reply(session, asked, ram::set),
        &[body(
            "value",
            Form::Any,
            "",
            true,
            "the value: text, or a JSON object or array",
        )
        .at_most(RAM_VALUE_BYTES_MAX)],
        Gives::Object,
    ),
    ask(
        ("DELETE", "/v1/ram/{key}"),
        "deleteRam",
        "Delete a key; a required key is emptied",
        |session, asked| reply(session, asked, ram::delete),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/audit",
        "listAudit",
        "What became of each instruction, oldest first; without an offset, the last ones",
        Does::Verb(&["audit", "list"]),
        &[
            query("run", Form::Text, "--run", false, "only those of this run"),
            LIMIT,
            OFFSET,
        ],
        Gives::List,
    ),
    get(
        "/v1/audit/head",
        "auditHead",
        "The last commit's number and hash",
        Does::Verb(&["audit", "head"]),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/events",
        "events",
        "Each commit as it comes; its number is the event's id",
        Does::Events,
        &[
            query(
                "after",
                Form::Number(0),
                "",
                false,
                "begin behind this commit; else with the next one",
            ),
            header(
                "Last-Event-ID",
                "",
                "the same, as browsers and other clients send it when they come back",
            ),
        ],
        Gives::Stream,
    ),
    Route {
        method: "POST",
        path: "/v1/verbs",
        name: "handOver",
        summary: "Answer a command line of this program, as if it were run in the root",
        does: Does::HandOver,
        takes: &[
            body(
                "words",
                Form::Words,
                "",
                true,
                "its words, without the program's name",
            ),
            body("input", Form::AnyText, "", false, "what `-` stands for"),
        ],
        gives: Gives::Object,
    },
];
