//! `notes`: what there is, found and shown. Changes stand in `notes_change`.

use super::arguments::{NotesVerb, Page};
use super::context::Context;
use super::list::List;
use super::notes_change;
use super::output::Answer;
use super::text::{columns, one_line, pairs, visible};
use crate::core::journal::State;
use crate::core::notes::{Issue, Note, Resolved, resolve, search};
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::limits::SEARCH_PREVIEW_CHARS;
use crate::store::{NoteVersion, note_history};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;

/// Characters of a title and of keywords that a row shows.
const CELL_CHARACTERS_MAX: usize = 60;

/// A note in a list: everything but its text, of which only the beginning is shown.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: NoteId,
    title: &'a str,
    keywords: &'a [String],
    note_kind: &'a str,
    version: u64,
    updated_at: Timestamp,
    issues: usize,
    preview: String,
}

/// A flagged note.
#[derive(Debug, Serialize)]
struct Flagged<'a> {
    note_id: NoteId,
    title: &'a str,
    #[serde(flatten)]
    issue: &'a Issue,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: NotesVerb) -> Result<Answer, Failure> {
    match verb {
        NotesVerb::List(page) => {
            let state = state(context)?;
            let mut notes: Vec<&Note> = state.notes.iter().collect();
            notes.sort_by_key(|note| (Reverse(note.updated_at), note.id));
            rows(context, &notes, page)
        }
        NotesVerb::Search { query, page } => {
            if query.trim().is_empty() {
                let failure = Failure::new(Code::Usage, "the query is empty");
                return Err(failure.only_hint("`notes list` shows all notes."));
            }
            let state = state(context)?;
            rows(
                context,
                &search(state.notes.iter(), &query, usize::MAX),
                page,
            )
        }
        NotesVerb::Show { note } => {
            let state = state(context)?;
            shown(context, find(&state, &note)?)
        }
        NotesVerb::Add(fields) => shown(context, &notes_change::add(context, fields)?),
        NotesVerb::Edit {
            note,
            title,
            keywords,
            value,
            kind,
        } => {
            let fields = notes_change::Fields {
                title,
                keywords,
                value,
                kind,
            };
            shown(context, &notes_change::edit(context, &note, fields)?)
        }
        NotesVerb::Delete { note } => {
            let note = notes_change::delete(context, &note)?;
            context.answer(&note, || format!("deleted {}", note.id))
        }
        NotesVerb::History { note, page } => history(context, &note, page),
        NotesVerb::Issues(page) => issues(context, page),
    }
}

fn state(context: &Context) -> Result<State, Failure> {
    context.state(&context.load_without_key()?.config)
}

/// The note that a person means: by id, else exact title, else exact keywords.
pub(super) fn find<'a>(state: &'a State, key: &str) -> Result<&'a Note, Failure> {
    let shown = || one_line(key, CELL_CHARACTERS_MAX);
    match resolve(state.notes.iter(), key) {
        Resolved::One(id) => state.notes.get(id).ok_or_else(|| not_found(&shown())),
        Resolved::None => Err(not_found(&shown())),
        Resolved::Many => {
            let message = format!("several notes answer to `{}`", shown());
            Err(Failure::new(Code::RecordKeyAmbiguous, message))
        }
    }
}

fn not_found(shown: &str) -> Failure {
    Failure::new(
        Code::RecordNotFound,
        format!("no note answers to `{shown}`"),
    )
}

/// A note whole.
fn shown(context: &Context, note: &Note) -> Result<Answer, Failure> {
    context.answer(note, || {
        let links: Vec<String> = note.links.iter().map(ToString::to_string).collect();
        let issues = note.issues.iter().filter(|issue| issue.open);
        let issues: Vec<String> = issues
            .map(|issue| one_line(&issue.text, CELL_CHARACTERS_MAX))
            .collect();
        let head = pairs(&[
            ("id", note.id.to_string()),
            ("title", visible(&note.title)),
            ("keywords", visible(&note.keywords.join(", "))),
            ("kind", visible(&note.note_kind)),
            ("version", note.version.to_string()),
            ("created", note.created_at.to_string()),
            ("by", author(note)),
            ("updated", note.updated_at.to_string()),
            ("links", links.join(", ")),
            ("open issues", issues.join("; ")),
        ]);
        format!("{head}\n{}", visible(&note.value))
    })
}

/// Who created a note, and in which run.
fn author(note: &Note) -> String {
    let word = super::record::word(&note.created_by.actor_type);
    match note.created_by.run_id {
        Some(run_id) => format!("{word}, run {run_id}"),
        None => word,
    }
}

fn rows(context: &Context, notes: &[&Note], page: Page) -> Result<Answer, Failure> {
    let all = notes.iter().map(|note| row_of(note)).collect();
    let list: List<Row<'_>> = List::page(all, page);
    context.answer(&list, || {
        let cells = |row: &Row<'_>| {
            [
                row.id.to_string(),
                row.version.to_string(),
                row.updated_at.to_string(),
                one_line(row.title, CELL_CHARACTERS_MAX),
                one_line(&row.keywords.join(", "), CELL_CHARACTERS_MAX),
            ]
        };
        let rows: Vec<[String; 5]> = list.items.iter().map(cells).collect();
        columns(["ID", "VERSION", "UPDATED", "TITLE", "KEYWORDS"], &rows) + &list.rest()
    })
}

fn row_of(note: &Note) -> Row<'_> {
    Row {
        id: note.id,
        title: &note.title,
        keywords: &note.keywords,
        note_kind: &note.note_kind,
        version: note.version,
        updated_at: note.updated_at,
        issues: note.issues.iter().filter(|issue| issue.open).count(),
        preview: note.value.chars().take(SEARCH_PREVIEW_CHARS).collect(),
    }
}

fn history(context: &Context, key: &str, page: Page) -> Result<Answer, Failure> {
    // The id of a deleted note still leads to its history.
    let state = state(context)?;
    let id = match key.parse::<NoteId>() {
        Ok(id) => id,
        Err(_) => find(&state, key)?.id,
    };
    let versions = note_history(&mut context.disk()?, id)?;
    if versions.is_empty() {
        return Err(not_found(&id.to_string()));
    }
    let list = List::page(versions, page);
    context.answer(&list, || {
        let row = |version: &NoteVersion| {
            let what = if version.note.deleted_at.is_some() {
                "deleted".to_owned()
            } else {
                one_line(&version.note.title, CELL_CHARACTERS_MAX)
            };
            [
                version.note.version.to_string(),
                version.seq.to_string(),
                version.ts.to_string(),
                super::record::word(&version.actor_type),
                what,
            ]
        };
        let rows: Vec<[String; 5]> = list.items.iter().map(row).collect();
        columns(["VERSION", "COMMIT", "TIME", "BY", "TITLE"], &rows) + &list.rest()
    })
}

fn issues(context: &Context, page: Page) -> Result<Answer, Failure> {
    let state = state(context)?;
    let flagged = state.notes.iter().flat_map(|note| {
        note.issues.iter().map(|issue| Flagged {
            note_id: note.id,
            title: &note.title,
            issue,
        })
    });
    let mut all: Vec<Flagged<'_>> = flagged.collect();
    all.sort_by_key(|flagged| Reverse(flagged.issue.created_at));
    let list = List::page(all, page);
    context.answer(&list, || {
        let row = |flagged: &Flagged<'_>| {
            [
                flagged.note_id.to_string(),
                flagged.issue.created_at.to_string(),
                if flagged.issue.open { "open" } else { "closed" }.to_owned(),
                one_line(flagged.title, CELL_CHARACTERS_MAX),
                one_line(&flagged.issue.text, CELL_CHARACTERS_MAX),
            ]
        };
        let rows: Vec<[String; 5]> = list.items.iter().map(row).collect();
        columns(["NOTE", "TIME", "STATE", "TITLE", "ISSUE"], &rows) + &list.rest()
    })
}
