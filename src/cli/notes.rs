//! `notes`: formats notes and lists of them.

use super::arguments::{NoteFields, NotesVerb, Page};
use super::context::Context;
use super::output::Answer;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::{one_line, pairs, visible};
use super::when::{at, when, when_known};
use super::{notes_change, notes_export, notes_import};
use crate::core::notes::Note;
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::limits::NOTE_VALUE_BYTES_MAX;
use crate::service::notes::{
    self, AddNote, Deleted, DeletedRow, DiffNote, EditNote, End, Flagged, FoundNotes, NamedNote,
    NoteAt, NoteHistory, NoteRow, Partial, SearchNotes, ShownNote, WithLinks, ids_of_files,
};
use crate::service::{Among, List};
use crate::store::NoteVersion;

/// The most characters of a title and of keywords in a row.
const CELL_CHARACTERS_MAX: usize = 60;

/// The most characters of a title beside others.
const TITLE_CHARACTERS_MAX: usize = 40;

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: NotesVerb) -> Result<Answer, Failure> {
    let session = &context.session;
    match verb {
        NotesVerb::List {
            deleted: true,
            page,
        } => deleted_list(context, &notes::deleted(session, page.into())?),
        NotesVerb::List {
            deleted: false,
            page,
        } => {
            let list = notes::list(session, page.into())?;
            context.list(&list, || table(context, &list))
        }
        NotesVerb::Search { query, page } => {
            let page = page.into();
            found(
                context,
                &notes::search_notes(session, SearchNotes { query, page })?,
            )
        }
        NotesVerb::Show { note, version } => {
            match notes::show(session, NoteAt { note, version })? {
                ShownNote::Past(note) => shown(context, &note),
                ShownNote::Present(note) => {
                    context.answer(&note, || text_of(&note.note, link_texts(&note)))
                }
            }
        }
        NotesVerb::Add(fields) => add(context, fields),
        NotesVerb::Edit { note, changes, .. } if changes.is_empty() => {
            notes_change::edit_in_editor(context, &note)
        }
        NotesVerb::Edit {
            note,
            version,
            changes,
        } => {
            let changes = notes_change::changes_of(context, changes)?;
            let asked = EditNote {
                note,
                version,
                changes,
            };
            shown(context, &notes::edit(session, asked)?)
        }
        NotesVerb::Delete { note } => {
            let deleted = notes::delete(session, NamedNote { note })?;
            context.answer(&deleted, || {
                let Deleted { note, undo } = &deleted;
                let title = one_line(&note.title, CELL_CHARACTERS_MAX);
                format!("deleted {title} ({})\nundo: {}", note.id, visible(undo))
            })
        }
        NotesVerb::History { note, page } => history(context, note, page),
        NotesVerb::Diff { note, from, to } => {
            let difference = notes::diff(session, DiffNote { note, from, to })?;
            context.answer(&difference, || match difference.diff.as_str() {
                "" => "nothing differs".to_owned(),
                diff => diff.to_owned(),
            })
        }
        NotesVerb::Restore { note, version } => {
            shown(context, &notes::restore(session, NoteAt { note, version })?)
        }
        NotesVerb::Issues(page) => issues(context, &notes::issues(session, page.into())?),
        NotesVerb::Export(options) => notes_export::run(context, &options),
        NotesVerb::Import(options) => notes_import::run(context, &options),
    }
}

fn add(context: &Context, fields: NoteFields) -> Result<Answer, Failure> {
    let asked = AddNote {
        value: context.value_or_input(fields.value, NOTE_VALUE_BYTES_MAX)?,
        title: fields.title,
        keywords: fields.keywords.map(|keywords| vec![keywords]),
        kind: fields.kind,
    };
    shown(context, &notes::add(&context.session, asked)?)
}

/// Formats a whole note.
pub(super) fn shown(context: &Context, note: &Note) -> Result<Answer, Failure> {
    let ids: Vec<String> = note.links.iter().map(ToString::to_string).collect();
    context.answer(note, || text_of(note, [ids.join(", "), String::new()]))
}

/// Formats the links of a note and the links to it, for people.
fn link_texts(note: &WithLinks) -> [String; 2] {
    [&note.linked_to, &note.linked_from].map(|ends| {
        let ends: Vec<String> = ends.iter().map(end_text).collect();
        ends.join("; ")
    })
}

fn end_text(end: &End) -> String {
    let title = end.title.as_deref();
    let title = title.map(|title| one_line(title, TITLE_CHARACTERS_MAX));
    match (title, end.id) {
        (Some(title), Some(id)) => format!("{title} {id}"),
        (Some(title), None) => format!("[[{title}]] (missing)"),
        (None, id) => format!("{} (missing)", id.unwrap_or(NoteId::FIRST)),
    }
}

/// Formats a note for people, with its links and the links to it.
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

/// Returns who created a note, and in which run.
fn author(note: &Note) -> String {
    let word = super::record::word(&note.created_by.actor_type);
    match note.created_by.run_id {
        Some(run_id) => format!("{word}, run {run_id}"),
        None => word,
    }
}

/// Formats notes as a table.
fn table(context: &Context, list: &List<NoteRow>) -> Table {
    let ids = list.items.iter().map(|row| row.id);
    let ids = ShortIds::of(ids.chain(ids_of_files(&context.session)));
    let cells = |row: &NoteRow| {
        [
            one_line(&row.title, CELL_CHARACTERS_MAX),
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

fn found(context: &Context, found: &FoundNotes) -> Result<Answer, Failure> {
    let before = found.partial.map(|Partial { words_found, words }| {
        format!("no note has all {words} words; these have {words_found} of them:\n")
    });
    context.list_with(found, &found.list, &before.unwrap_or_default(), || {
        table(context, &found.list)
    })
}

fn deleted_list(context: &Context, deleted: &Among<DeletedRow, NoteId>) -> Result<Answer, Failure> {
    let list = &deleted.list;
    let before = if list.items.is_empty() {
        String::new()
    } else {
        format!(
            "brought back by: {}\n",
            context.session.command_line("notes restore ID")
        )
    };
    context.list_with(deleted, list, &before, || {
        let ids = deleted.ids.iter().copied();
        let ids = ids.chain(ids_of_files(&context.session));
        let ids = ShortIds::of(ids);
        let cells = |deleted: &DeletedRow| {
            [
                one_line(&deleted.row.title, CELL_CHARACTERS_MAX),
                when_known(deleted.deleted_at),
                ids.short(&deleted.row.id),
                one_line(&deleted.row.keywords.join(", "), CELL_CHARACTERS_MAX),
            ]
        };
        let columns = [
            Column::text("TITLE"),
            Column::fixed("DELETED"),
            Column::id("ID"),
            Column::spare("KEYWORDS"),
        ];
        Table::new(columns, list.items.iter().map(cells))
    })
}

fn history(context: &Context, note: String, page: Page) -> Result<Answer, Failure> {
    let page = page.into();
    let list = notes::history(&context.session, NoteHistory { note, page })?;
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

fn issues(context: &Context, flagged: &Among<Flagged, NoteId>) -> Result<Answer, Failure> {
    let Among { list, ids } = flagged;
    context.list_with(flagged, list, "", || {
        let ids = ShortIds::of(ids);
        let row = |flagged: &Flagged| {
            [
                one_line(&flagged.title, CELL_CHARACTERS_MAX),
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
