//! The types of a row of the route table. Holds no rows.

use crate::failure::Failure;
use crate::service::Session;
use serde_json::Value;

/// A row of the route table: a method and a path, and how they are handled.
#[derive(Debug)]
pub(super) struct Route {
    /// The HTTP method, and the path with `{names}`.
    address: &'static str,
    /// The operation's name in the document.
    pub(super) name: &'static str,
    /// A summary of the operation, in one line.
    pub(super) summary: &'static str,
    pub(super) handler: Handler,
    /// The parts that a request may have beside the names in its path.
    pub(super) parts: &'static [Parameter],
    pub(super) response: ResponseKind,
}

/// Makes a row of an address, such as `GET /v1/runs`.
pub(super) const fn route(address: &'static str, name: &'static str) -> Route {
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
    pub(super) const fn about(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    pub(super) const fn by(self, handler: Handler, response: ResponseKind) -> Self {
        Self {
            handler,
            response,
            ..self
        }
    }

    pub(super) const fn parts(self, parts: &'static [Parameter]) -> Self {
        Self { parts, ..self }
    }

    /// Returns the HTTP method.
    pub(super) fn method(&self) -> &'static str {
        self.address.split(' ').next().unwrap_or_default()
    }

    /// Returns the path, with `{names}`.
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

/// The handler of a route.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handler {
    Service(Service),
    /// The health check: whether the loop takes its steps in time.
    Health,
    /// The readiness check: whether the loop runs.
    Readiness,
    Metrics,
    Document,
    /// The stream of commits.
    Events,
    /// A command line, forwarded by a process that cannot hold the folder.
    HandOver,
}

/// A function that answers a request in a session, as JSON text.
pub(super) type Service = fn(&Session, Value) -> Result<String, Failure>;

/// A part of a request.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) location: Location,
    pub(super) form: ParameterForm,
    /// The most bytes of its value as text.
    pub(super) bytes_max: usize,
    pub(super) required: bool,
    /// The description of the part in the document.
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
    pub(super) const fn at_most(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }
}

pub(super) const fn query(name: &'static str, form: ParameterForm, doc: &'static str) -> Parameter {
    Parameter::at(Location::Query, name, form, doc)
}

pub(super) const fn body(name: &'static str, form: ParameterForm, doc: &'static str) -> Parameter {
    Parameter::at(Location::Body, name, form, doc)
}

pub(super) const fn header(name: &'static str, doc: &'static str) -> Parameter {
    Parameter::at(Location::Header, name, ParameterForm::Text, doc)
}

/// The location of a part in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Query,
    Header,
    /// In the JSON body.
    Body,
}

/// The form of a part's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterForm {
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
    Object,
    Any,
}

/// The kind of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseKind {
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
