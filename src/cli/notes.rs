//! `notes`: what there is, found and shown. Changes stand in `notes_change`.

use super::arguments::{NotesVerb, Page};
use super::context::Context;
use super::notes_find::find;
use super::notes_links::WithLinks;
use super::output::Answer;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::{one_line, pairs, visible};
use super::when::{at, when};
use super::{notes_change, notes_deleted, notes_export, notes_import, notes_past, notes_search};
use crate::core::journal::State;
use crate::core::notes::{Issue, Note};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::limits::SEARCH_PREVIEW_CHARS;
use crate::service::List;
use crate::service::{warn_of_ids, warn_of_notes};
use crate::store::disk::Disk as _;
use crate::store::{NoteVersion, layout};
use crate::time::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::path::Path;

/// Characters of a title and of keywords that a row shows.
const CELL_CHARACTERS_MAX: usize = 60;

/// A note in a list: everything but its text, of which only the beginning is shown.
#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    pub(super) id: NoteId,
    pub(super) title: &'a str,
    pub(super) keywords: &'a [String],
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
        NotesVerb::List {
            deleted: true,
            page,
        } => notes_deleted::list(context, page),
        NotesVerb::List {
            deleted: false,
            page,
        } => {
            let state = state(context)?;
            let mut notes: Vec<&Note> = state.notes.iter().collect();
            notes.sort_by_key(|note| (Reverse(note.updated_at), note.id));
            let list = List::page(notes, page.into());
            warn_of_notes(&context.session, list.items.iter().copied())?;
            let list = list.map(|note| row_of(note));
            context.list(&list, || table(context, &list))
        }
        NotesVerb::Search { query, page } => notes_search::run(context, &query, page),
        NotesVerb::Show { note, version } => {
            if let Some(version) = version {
                return shown(context, &notes_past::at_version(context, &note, version)?);
            }
            let state = state(context)?;
            let whole = WithLinks::of(&state.notes, find(&state, &note)?);
            warn_of_notes(&context.session, std::iter::once(whole.note()))?;
            let text = || text_of(whole.note(), whole.texts());
            context.answer(&whole, text)
        }
        NotesVerb::Add(fields) => shown(context, &notes_change::add(context, fields)?),
        NotesVerb::Edit {
            note,
            version,
            changes,
        } => {
            if changes.is_empty() {
                notes_change::edit_in_editor(context, &note)
            } else {
                shown(
                    context,
                    &notes_change::edit(context, &note, version, changes)?,
                )
            }
        }
        NotesVerb::Delete { note } => {
            notes_deleted::gone(context, &notes_change::delete(context, &note)?)
        }
        NotesVerb::History { note, page } => history(context, &note, page),
        NotesVerb::Diff { note, from, to } => notes_past::diff(context, &note, from, to),
        NotesVerb::Restore { note, version } => {
            shown(context, &notes_past::restore(context, &note, version)?)
        }
        NotesVerb::Issues(page) => issues(context, page),
        NotesVerb::Export(options) => notes_export::run(context, &options),
        NotesVerb::Import(options) => notes_import::run(context, &options),
    }
}

pub(super) fn state(context: &Context) -> Result<State, Failure> {
    context.session.state(&context.session.load()?.config)
}

/// A note whole.
pub(super) fn shown(context: &Context, note: &Note) -> Result<Answer, Failure> {
    let ids: Vec<String> = note.links.iter().map(ToString::to_string).collect();
    context.answer(note, || text_of(note, [ids.join(", "), String::new()]))
}

/// A note as a person reads it, with where it points and what points to it.
fn text_of(note: &Note, [to, from]: [String; 2]) -> String {
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
        ("created", at(note.created_at)),
        ("by", author(note)),
        ("updated", at(note.updated_at)),
        ("links", visible(&to)),
        ("linked from", visible(&from)),
        ("open issues", issues.join("; ")),
    ]);
    format!("{head}\n{}", visible(&note.value))
}

/// Who created a note, and in which run.
fn author(note: &Note) -> String {
    let word = super::record::word(&note.created_by.actor_type);
    match note.created_by.run_id {
        Some(run_id) => format!("{word}, run {run_id}"),
        None => word,
    }
}

/// Notes as a table.
pub(super) fn table(context: &Context, list: &List<Row<'_>>) -> Table {
    let ids = list.items.iter().map(|row| row.id);
    let ids = ShortIds::of(ids.chain(ids_of_files(context)));
    let cells = |row: &Row<'_>| {
        [
            one_line(row.title, CELL_CHARACTERS_MAX),
            when(row.updated_at),
            ids.short(&row.id),
            row.version.to_string(),
            one_line(&row.keywords.join(", "), CELL_CHARACTERS_MAX),
        ]
    };
    let columns = [
        Column::text("TITLE"),
        Column::fixed("UPDATED"),
        Column::id("ID"),
        Column::spare("VERSION"),
        Column::spare("KEYWORDS"),
    ];
    Table::new(columns, list.items.iter().map(cells))
}

/// The ids of all notes that have a file: a list may hold only some of them.
pub(super) fn ids_of_files(context: &Context) -> Vec<NoteId> {
    let disk = context.session.disk().ok();
    let names = disk.and_then(|mut disk| disk.list(Path::new(layout::NOTES)).ok());
    let names = names.unwrap_or_default();
    let ids = names.iter().filter_map(|name| layout::note_of(name));
    ids.collect()
}

/// A note as it stands in a list.
pub(super) fn row_of(note: &Note) -> Row<'_> {
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
    let state = state(context)?;
    let versions = notes_past::versions(context, &state, key)?;
    warn_of_ids(
        &context.session,
        &state,
        versions.last().map(|it| it.note.id).into_iter(),
    )?;
    let list = List::page(versions, page.into());
    context.list(&list, || {
        let row = |version: &NoteVersion| {
            let what = if version.note.deleted_at.is_some() {
                "deleted".to_owned()
            } else {
                one_line(&version.note.title, CELL_CHARACTERS_MAX)
            };
            [
                what,
                version.note.version.to_string(),
                when(version.ts),
                super::record::word(&version.actor_type),
                version.seq.to_string(),
            ]
        };
        let columns = [
            Column::text("TITLE"),
            Column::fixed("VERSION"),
            Column::fixed("TIME"),
            Column::spare("BY"),
            Column::spare("COMMIT"),
        ];
        Table::new(columns, list.items.iter().map(row))
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
    let list = List::page(all, page.into());
    warn_of_ids(
        &context.session,
        &state,
        list.items.iter().map(|it| it.note_id),
    )?;
    context.list(&list, || {
        let ids = ShortIds::of(state.notes.iter().map(|note| note.id));
        let row = |flagged: &Flagged<'_>| {
            [
                one_line(flagged.title, CELL_CHARACTERS_MAX),
                one_line(&flagged.issue.text, CELL_CHARACTERS_MAX),
                if flagged.issue.open { "open" } else { "closed" }.to_owned(),
                when(flagged.issue.created_at),
                ids.short(&flagged.note_id),
            ]
        };
        let columns = [
            Column::text("TITLE"),
            Column::text("ISSUE"),
            Column::fixed("STATE"),
            Column::fixed("TIME"),
            Column::id("NOTE"),
        ];
        Table::new(columns, list.items.iter().map(row))
    })
}
