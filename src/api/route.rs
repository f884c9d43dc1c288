//! What a row of the table of addresses is made of. Holds no rows.

use crate::failure::Failure;
use crate::service::Session;
use serde_json::Value;

/// An address and a method.
#[derive(Debug)]
pub(super) struct Route {
    /// The method.
    pub(super) method: &'static str,
    /// The path, with `{names}`.
    pub(super) path: &'static str,
    /// The operation's name in the document.
    pub(super) name: &'static str,
    /// What it does, in a line.
    pub(super) summary: &'static str,
    /// Who answers.
    pub(super) does: Does,
    /// What it takes beside the names in its path.
    pub(super) takes: &'static [Part],
    /// What it gives.
    pub(super) gives: Gives,
}

impl Route {
    /// Whether its body has to name something: a change of nothing is a slip.
    pub(super) fn must_name_change(&self) -> bool {
        self.method == "PATCH"
    }
}

/// Who answers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Does {
    /// What a person can ask.
    Service(Service),
    /// Whether the loop takes its steps in time.
    Health,
    /// Whether the loop has begun to live.
    Readiness,
    /// Numbers for a monitor.
    Metrics,
    /// The document.
    Document,
    /// Commits as they come.
    Events,
    /// A command line, handed over by one who cannot have the folder.
    HandOver,
}

/// Answers a request for a session, as JSON text.
pub(super) type Service = fn(&Session, Value) -> Result<String, Failure>;

/// Something that a request carries.
#[derive(Debug)]
pub(super) struct Part {
    /// Its name.
    pub(super) name: &'static str,
    /// Where it stands.
    pub(super) place: Place,
    /// What it may be.
    pub(super) form: Form,
    /// Most bytes of it as text.
    pub(super) bytes_max: usize,
    /// Whether it must be there.
    pub(super) required: bool,
    /// What it means.
    pub(super) doc: &'static str,
}

impl Part {
    /// The same with at most so many bytes of text.
    pub(super) const fn at_most(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }
}

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the JSON body.
    Body,
}

/// What a part may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A text that is not blank and holds no NUL.
    Text,
    /// A text, also an empty one.
    AnyText,
    /// A whole number from that on.
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

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// A part of a list.
    List,
    /// A JSON object.
    Object,
    /// The same, of something that was made.
    Created,
    /// The same, of something that will be done.
    Accepted,
    /// The same, of a run that is opened, or of the one that was opened before under the same key.
    Launched,
    /// A line of text.
    Text,
    /// Events without end.
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
