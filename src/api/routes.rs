//! The route table: the name of each address, its parts, and the service that answers it.
//!
//! The router and the document are both made from it, so that they cannot differ.

use super::answer::{reply, written};
use super::route::{Does, Form, Gives, Part, Route, ask, body, get, header, query};
use super::routes_of_rules::RULES;
use crate::limits::{INBOX_FILE_BYTES_MAX, NOTE_VALUE_BYTES_MAX, RAM_VALUE_BYTES_MAX};
use crate::service::{audit, notes, ram, runs, status};

const LIMIT: Part = query("limit", Form::Number(0), false, "at most so many");
const OFFSET: Part = query("offset", Form::Number(0), false, "leave out so many first");
pub(super) const PAGE: &[Part] = &[LIMIT, OFFSET];
const RUN_STATES: Form = Form::OneOf(&["queued", "running", "succeeded", "failed"]);
const TITLE: Part = body("title", Form::Text, false, "the title");
const KEYWORDS: Part = body("keywords", Form::Texts, false, "the keywords");
const KIND: Part = body("kind", Form::Text, false, "the kind");

/// Returns all routes.
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
        Does::Service(|session, _| written(&status::show(session)?)),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/runs",
        "listRuns",
        "Open runs, then finished ones, each newest first",
        Does::Service(|session, asked| reply(session, asked, runs::list)),
        &[
            query("state", RUN_STATES, false, "only those that stand so"),
            LIMIT,
            OFFSET,
        ],
        Gives::List,
    ),
    ask(
        ("POST", "/v1/runs"),
        "launchRun",
        "Launch a run by hand; the same key never launches two",
        |session, asked| reply(session, asked, runs::launch),
        &[
            body("request", Form::Text, false, "what is asked for").at_most(INBOX_FILE_BYTES_MAX),
            header("Idempotency-Key", "stands for this launch"),
        ],
        Gives::Launched,
    ),
    get(
        "/v1/runs/{run_id}",
        "showRun",
        "A run record with what became of each instruction",
        Does::Service(|session, asked| reply(session, asked, runs::show)),
        &[],
        Gives::Object,
    ),
    ask(
        ("POST", "/v1/runs/{run_id}/cancel"),
        "cancelRun",
        "End a run that has not ended",
        |session, asked| reply(session, asked, runs::cancel),
        &[],
        Gives::Accepted,
    ),
    ask(
        ("POST", "/v1/runs/{run_id}/retry"),
        "retryRun",
        "Try a failed run once more, under the same id",
        |session, asked| reply(session, asked, runs::retry),
        &[],
        Gives::Accepted,
    ),
    get(
        "/v1/runs/{run_id}/trace",
        "traceRun",
        "What happened in a run, step by step",
        Does::Service(|session, asked| reply(session, asked, runs::trace)),
        &[],
        Gives::Object,
    ),
    get(
        "/v1/notes/{note}/why",
        "whyNote",
        "What each version of a note came of",
        Does::Service(|session, asked| reply(session, asked, notes::why)),
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
            body("value", Form::Text, true, "the text").at_most(NOTE_VALUE_BYTES_MAX),
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
            body("value", Form::Text, false, "the new text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
            query(
                "version",
                Form::Number(1),
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
            query("query", Form::Text, true, "words; quotes make a phrase"),
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
        Does::Service(|session, asked| reply(session, asked, audit::list)),
        &[
            query("run", Form::Text, false, "only those of this run"),
            LIMIT,
            OFFSET,
        ],
        Gives::List,
    ),
    get(
        "/v1/audit/head",
        "auditHead",
        "The last commit's number and hash",
        Does::Service(|session, _| written(&audit::head(session)?)),
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
                false,
                "begin behind this commit; else with the next one",
            ),
            header(
                "Last-Event-ID",
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
                true,
                "its words, without the program's name",
            ),
            body("input", Form::AnyText, false, "what `-` stands for"),
        ],
        gives: Gives::Object,
    },
];
