//! The types of a row of the route table. Holds no rows.

use crate::failure::Failure;
use crate::service::Session;
use serde_json::Value;

/// A row of the route table: a method and a path, and how they are handled.
#[derive(Debug)]
pub(super) struct Route {
    /// The HTTP method.
    pub(super) method: &'static str,
    /// The path, with `{names}`.
    pub(super) path: &'static str,
    /// The operation's name in the document.
    pub(super) name: &'static str,
    /// A summary of the operation, in one line.
    pub(super) summary: &'static str,
    /// The handler.
    pub(super) does: Does,
    /// The parts that a request may have beside the names in its path.
    pub(super) takes: &'static [Part],
    /// The kind of the response.
    pub(super) gives: Gives,
}

impl Route {
    /// Returns whether the body must have a member: a change of nothing is a slip.
    pub(super) fn must_name_change(&self) -> bool {
        self.method == "PATCH"
    }
}

/// The handler of a route.
#[derive(Clone, Copy, Debug)]
pub(super) enum Does {
    /// A service.
    Service(Service),
    /// The health check: whether the loop takes its steps in time.
    Health,
    /// The readiness check: whether the loop runs.
    Readiness,
    /// The metrics for a monitor.
    Metrics,
    /// The `OpenAPI` document.
    Document,
    /// The stream of commits.
    Events,
    /// A command line, handed over by a process that cannot hold the folder.
    HandOver,
}

/// A function that answers a request in a session, as JSON text.
pub(super) type Service = fn(&Session, Value) -> Result<String, Failure>;

/// A part of a request.
#[derive(Debug)]
pub(super) struct Part {
    /// The part's name.
    pub(super) name: &'static str,
    /// The place of the part in the request.
    pub(super) place: Place,
    /// The form of its value.
    pub(super) form: Form,
    /// The most bytes of its value as text.
    pub(super) bytes_max: usize,
    /// Whether the part must be there.
    pub(super) required: bool,
    /// The description of the part in the document.
    pub(super) doc: &'static str,
}

impl Part {
    /// Limits the bytes of the part's text.
    pub(super) const fn at_most(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }
}

/// The place of a part in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the JSON body.
    Body,
}

/// The form of a part's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A text that is not blank and holds no NUL.
    Text,
    /// A text, also an empty one.
    AnyText,
    /// A whole number of at least this value.
    Number(u32),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of texts without commas.
    Texts,
    /// The words of a command line.
    Words,
    /// A JSON object.
    Object,
    /// Any JSON.
    Any,
}

/// The kind of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// A page of a list.
    List,
    /// A JSON object.
    Object,
    /// A JSON object, for a resource that was created.
    Created,
    /// A JSON object, for work that will be done.
    Accepted,
    /// A JSON object, for a run that is opened, or was opened before under the same key.
    Launched,
    /// A line of text.
    Text,
    /// An endless stream of events.
    Stream,
}

pub(super) const fn query(
    name: &'static str,
    form: Form,
    required: bool,
    doc: &'static str,
) -> Part {
    Part {
        name,
        place: Place::Query,
        form,
        bytes_max: usize::MAX,
        required,
        doc,
    }
}

pub(super) const fn body(
    name: &'static str,
    form: Form,
    required: bool,
    doc: &'static str,
) -> Part {
    Part {
        place: Place::Body,
        ..query(name, form, required, doc)
    }
}

pub(super) const fn header(name: &'static str, doc: &'static str) -> Part {
    Part {
        place: Place::Header,
        ..query(name, Form::Text, false, doc)
    }
}

pub(super) const fn get(
    path: &'static str,
    name: &'static str,
    summary: &'static str,
    does: Does,
    takes: &'static [Part],
    gives: Gives,
) -> Route {
    Route {
        method: "GET",
        path,
        name,
        summary,
        does,
        takes,
        gives,
    }
}

pub(super) const fn ask(
    (method, path): (&'static str, &'static str),
    name: &'static str,
    summary: &'static str,
    service: Service,
    takes: &'static [Part],
    gives: Gives,
) -> Route {
    Route {
        method,
        ..get(path, name, summary, Does::Service(service), takes, gives)
    }
}
