//! The route table: the name of each address, its parts, and the service that answers it.
//!
//! The router and the document are both made from it, so that they cannot differ.

use super::answer::{reply, written};
use crate::failure::Failure;
use crate::limits::{
    CONFIG_FILE_BYTES_MAX, INBOX_FILE_BYTES_MAX, NOTE_VALUE_BYTES_MAX, RAM_VALUE_BYTES_MAX,
};
use crate::service::{Session, agents, audit, notes, ram, rules, runs, status};
use serde_json::Value;

/// A row of the route table: a method and a path, and how they are handled.
#[derive(Debug)]
pub(super) struct Route {
    /// The HTTP method, and the path with `{names}`.
    address: &'static str,
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) handler: Handler,
    /// The parts that a request may have beside the names in its path.
    pub(super) parts: &'static [Parameter],
    pub(super) response: ResponseKind,
}

/// Makes a row of an address, such as `GET /v1/runs`.
const fn route(address: &'static str, name: &'static str) -> Route {
    Route {
        address,
        name,
        summary: "",
        handler: Handler::Document,
        parts: &[],
        response: ResponseKind::Object,
    }
}

impl Route {
    const fn about(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    const fn by(self, handler: Handler, response: ResponseKind) -> Self {
        Self {
            handler,
            response,
            ..self
        }
    }

    const fn parts(self, parts: &'static [Parameter]) -> Self {
        Self { parts, ..self }
    }

    pub(super) fn method(&self) -> &'static str {
        self.address.split(' ').next().unwrap_or_default()
    }

    pub(super) fn path(&self) -> &'static str {
        self.address.split(' ').next_back().unwrap_or_default()
    }

    /// Returns the parts at a place of the request.
    pub(super) fn parts_in(&self, location: Location) -> impl Iterator<Item = &'static Parameter> {
        let parts = self.parts.iter();
        parts.filter(move |part| part.location == location)
    }

    /// Returns whether the body must have a member: a change of nothing is a slip.
    pub(super) fn must_name_change(&self) -> bool {
        self.method() == "PATCH"
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Handler {
    Service(Service),
    /// The health check: whether the loop takes its steps in time.
    Health,
    /// The readiness check: whether the loop runs.
    Readiness,
    Metrics,
    Document,
    Events,
    /// A command line, forwarded by a process that cannot hold the folder.
    HandOver,
}

/// A function that answers a request in a session, as JSON text.
pub(super) type Service = fn(&Session, Value) -> Result<String, Failure>;

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) location: Location,
    pub(super) form: ParameterForm,
    /// The most bytes of its value as text.
    pub(super) bytes_max: usize,
    pub(super) required: bool,
    pub(super) doc: &'static str,
}

impl Parameter {
    const fn at(
        location: Location,
        name: &'static str,
        form: ParameterForm,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            location,
            form,
            bytes_max: usize::MAX,
            required: false,
            doc,
        }
    }

    /// Limits the bytes of the part's text.
    const fn at_most(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }

    const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }
}

const fn query(name: &'static str, form: ParameterForm, doc: &'static str) -> Parameter {
    Parameter::at(Location::Query, name, form, doc)
}

const fn body(name: &'static str, form: ParameterForm, doc: &'static str) -> Parameter {
    Parameter::at(Location::Body, name, form, doc)
}

const fn header(name: &'static str, doc: &'static str) -> Parameter {
    Parameter::at(Location::Header, name, ParameterForm::Text, doc)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Query,
    Header,
    Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterForm {
    /// A text that is not blank and holds no NUL.
    Text,
    /// A text, also an empty one.
    AnyText,
    /// A whole number of at least this value.
    Number(u32),
    OneOf(&'static [&'static str]),
    /// A list of texts without commas.
    Texts,
    /// The words of a command line.
    Words,
    Object,
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseKind {
    List,
    Object,
    /// A JSON object, for a resource that was created.
    Created,
    /// A JSON object, for work that will be done.
    Accepted,
    /// A JSON object, for a run that is opened, or was opened before under the same key.
    Launched,
    Text,
    Stream,
}

const LIMIT: Parameter = query("limit", ParameterForm::Number(0), "at most so many");
const OFFSET: Parameter = query(
    "offset",
    ParameterForm::Number(0),
    "leave out so many first",
);
const PAGE: &[Parameter] = &[LIMIT, OFFSET];
const RUN_STATES: ParameterForm =
    ParameterForm::OneOf(&["queued", "running", "succeeded", "failed"]);
const TITLE: Parameter = body("title", ParameterForm::Text, "the title");
const KEYWORDS: Parameter = body("keywords", ParameterForm::Texts, "the keywords");
const KIND: Parameter = body("kind", ParameterForm::Text, "the kind");

/// Makes the handler that asks a service, which may need nothing but the session.
macro_rules! service {
    ($service:path, alone) => {
        Handler::Service(|session, _| written(&$service(session)?))
    };
    ($service:path) => {
        Handler::Service(|session, asked| reply(session, asked, $service))
    };
}

pub(super) const ROUTES: &[Route] = &[
    route("GET /healthz", "health")
        .about("Whether the loop takes its steps in time")
        .by(Handler::Health, ResponseKind::Text),
    route("GET /readyz", "readiness")
        .about("Whether the loop lives")
        .by(Handler::Readiness, ResponseKind::Text),
    route("GET /metrics", "metrics")
        .about("Numbers for Prometheus")
        .by(Handler::Metrics, ResponseKind::Text),
    route("GET /openapi.json", "document")
        .about("This document")
        .by(Handler::Document, ResponseKind::Object),
    route("GET /v1/status", "status")
        .about("State, runs, RAM size, prompt size and the last failures")
        .by(service!(status::show, alone), ResponseKind::Object),
    route("GET /v1/runs", "listRuns")
        .about("Open runs, then finished ones, each newest first")
        .by(service!(runs::list), ResponseKind::List)
        .parts(&[
            query("state", RUN_STATES, "only those that stand so"),
            LIMIT,
            OFFSET,
        ]),
    route("POST /v1/runs", "launchRun")
        .about("Launch a run by hand; the same key never launches two")
        .by(service!(runs::launch), ResponseKind::Launched)
        .parts(&[
            body("request", ParameterForm::Text, "what is asked for").at_most(INBOX_FILE_BYTES_MAX),
            header("Idempotency-Key", "stands for this launch"),
        ]),
    route("GET /v1/runs/{run_id}", "showRun")
        .about("A run record with what became of each instruction")
        .by(service!(runs::show), ResponseKind::Object),
    route("POST /v1/runs/{run_id}/cancel", "cancelRun")
        .about("End a run that has not ended")
        .by(service!(runs::cancel), ResponseKind::Accepted),
    route("POST /v1/runs/{run_id}/retry", "retryRun")
        .about("Try a failed run once more, under the same id")
        .by(service!(runs::retry), ResponseKind::Accepted),
    route("GET /v1/runs/{run_id}/trace", "traceRun")
        .about("What happened in a run, step by step")
        .by(service!(runs::trace), ResponseKind::Object),
    route("GET /v1/notes/{note}/why", "whyNote")
        .about("What each version of a note came of")
        .by(service!(notes::why), ResponseKind::Object),
    route("GET /v1/notes", "listNotes")
        .about("The notes, last changed first")
        .by(service!(notes::list), ResponseKind::List)
        .parts(PAGE),
    route("POST /v1/notes", "addNote")
        .about("Add a note")
        .by(service!(notes::add), ResponseKind::Created)
        .parts(&[
            body("value", ParameterForm::Text, "the text")
                .required()
                .at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
        ]),
    route("GET /v1/notes/{note}", "showNote")
        .about("A note, by id, exact title or exact keywords")
        .by(service!(notes::show), ResponseKind::Object)
        .parts(&[query(
            "version",
            ParameterForm::Number(1),
            "as it was in that version",
        )]),
    route("PATCH /v1/notes/{note}", "editNote")
        .about("Change fields of a note")
        .by(service!(notes::edit), ResponseKind::Object)
        .parts(&[
            body("value", ParameterForm::Text, "the new text").at_most(NOTE_VALUE_BYTES_MAX),
            TITLE,
            KEYWORDS,
            KIND,
            query(
                "version",
                ParameterForm::Number(1),
                "the version that the change is based on; where the note has gone on, it is \
                 refused",
            ),
        ]),
    route("DELETE /v1/notes/{note}", "deleteNote")
        .about("Delete a note; its history stays")
        .by(service!(notes::delete), ResponseKind::Object),
    route("GET /v1/notes/{note}/history", "noteHistory")
        .about("Every version of a note, oldest first")
        .by(service!(notes::history), ResponseKind::List)
        .parts(PAGE),
    route("POST /v1/notes/{note}/restore", "restoreNote")
        .about("Bring back an earlier version of a note")
        .by(service!(notes::restore), ResponseKind::Object)
        .parts(&[body(
            "version",
            ParameterForm::Number(1),
            "the version; else the one before the last change",
        )]),
    route("GET /v1/search", "searchNotes")
        .about(
            "Notes in which every word of a query occurs, else those with most of them; best first",
        )
        .by(service!(notes::search_notes), ResponseKind::List)
        .parts(&[
            query("query", ParameterForm::Text, "words; quotes make a phrase").required(),
            LIMIT,
            OFFSET,
        ]),
    route("GET /v1/issues", "listIssues")
        .about("What was flagged about notes")
        .by(service!(notes::issues), ResponseKind::List)
        .parts(PAGE),
    route("GET /v1/ram", "listRam")
        .about("Keys and values of RAM")
        .by(service!(ram::list), ResponseKind::List)
        .parts(PAGE),
    route("GET /v1/ram/{key}", "getRam")
        .about("A key's value")
        .by(service!(ram::get), ResponseKind::Object),
    route("PUT /v1/ram/{key}", "setRam")
        .about("Set a key")
        .by(service!(ram::set), ResponseKind::Object)
        .parts(&[body(
            "value",
            ParameterForm::Any,
            "the value: text, or a JSON object or array",
        )
        .required()
        .at_most(RAM_VALUE_BYTES_MAX)]),
    route("DELETE /v1/ram/{key}", "deleteRam")
        .about("Delete a key; a required key is emptied")
        .by(service!(ram::delete), ResponseKind::Object),
    route("GET /v1/audit", "listAudit")
        .about("What became of each instruction, oldest first; without an offset, the last ones")
        .by(service!(audit::list), ResponseKind::List)
        .parts(&[
            query("run", ParameterForm::Text, "only those of this run"),
            LIMIT,
            OFFSET,
        ]),
    route("GET /v1/audit/head", "auditHead")
        .about("The last commit's number and hash")
        .by(service!(audit::head, alone), ResponseKind::Object),
    route("GET /v1/events", "events")
        .about("Each commit as it comes; its number is the event's id")
        .by(Handler::Events, ResponseKind::Stream)
        .parts(&[
            query(
                "after",
                ParameterForm::Number(0),
                "begin behind this commit; else with the next one",
            ),
            header(
                "Last-Event-ID",
                "the same, as browsers and other clients send it when they come back",
            ),
        ]),
    route("POST /v1/verbs", "handOver")
        .about("Answer a command line of this program, as if it were run in the root")
        .by(Handler::HandOver, ResponseKind::Object)
        .parts(&[
            body(
                "words",
                ParameterForm::Words,
                "its words, without the program's name",
            )
            .required(),
            body("input", ParameterForm::AnyText, "what `-` stands for"),
        ]),
    route("GET /v1/agents", "listAgents")
        .about("The agents, in the order of their ids")
        .by(service!(agents::list), ResponseKind::List)
        .parts(PAGE),
    route("GET /v1/agents/{agent_id}", "showAgent")
        .about("An agent, with the words that its prompts begin with")
        .by(service!(agents::show), ResponseKind::Object),
    route("POST /v1/agents/{agent_id}/runs", "runAgent")
        .about("Open a run of an agent; the same key never opens two")
        .by(service!(agents::run), ResponseKind::Launched)
        .parts(&[
            body("task", ParameterForm::Text, "what the agent is to do")
                .required()
                .at_most(INBOX_FILE_BYTES_MAX),
            header("Idempotency-Key", "stands for this launch"),
        ]),
    route("GET /v1/rules", "listRules")
        .about("The rules, with the next time of each schedule")
        .by(service!(rules::list), ResponseKind::List)
        .parts(PAGE),
    route("POST /v1/rules", "addRule")
        .about("Add a rule; ids and times that are left out are filled in")
        .by(service!(rules::add), ResponseKind::Created)
        .parts(&[body(
            "rule",
            ParameterForm::Object,
            "the rule as it stands in the file",
        )
        .required()
        .at_most(CONFIG_FILE_BYTES_MAX)]),
    route("GET /v1/rules/{rule_id}", "showRule")
        .about("A rule")
        .by(service!(rules::show), ResponseKind::Object),
    route("DELETE /v1/rules/{rule_id}", "removeRule")
        .about("Remove a rule; runs of it that have not ended fail")
        .by(service!(rules::remove), ResponseKind::Object),
    route("POST /v1/rules/{rule_id}/enable", "enableRule")
        .about("Let a rule open runs")
        .by(service!(rules::enable), ResponseKind::Object),
    route("POST /v1/rules/{rule_id}/disable", "disableRule")
        .about("Let a rule open no runs")
        .by(service!(rules::disable), ResponseKind::Object),
    route("POST /v1/rules/{rule_id}/runs", "triggerRule")
        .about("Open a run by a rule; the same key never opens two")
        .by(service!(rules::trigger), ResponseKind::Launched)
        .parts(&[header(
            "Idempotency-Key",
            "the name of the event; else a new one",
        )]),
];
