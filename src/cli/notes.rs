//! `notes`: formats notes and lists of them.

use super::arguments::NotesVerb;
use super::context::Context;
use super::editor::{check_terminal, in_editor};
use super::output::VerbOutput;
use super::short_ids::ShortIds;
use super::table::Kind::{Fixed, Id, Spare, Text};
use super::table::Table;
use super::text::{joined, one_line, pairs, visible};
use super::time_text::{at, when, when_known};
use super::{notes_export, notes_import};
use crate::core::notes::Note;
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::limits::{IMPORT_MARKDOWN_BYTES_MAX, NOTE_VALUE_BYTES_MAX};
use crate::service::notes::{
    self, Deleted, DeletedRow, FlaggedNote, FoundNotes, LinkEnd, NoteChanges, NoteRow,
    NoteSelector, PartialMatch, ShownNote, UNCHANGED, find, ids_of_files,
};
use crate::service::{List, ListWithIds, check_reachable};
use crate::store::NoteVersion;

/// The most characters of a title and of keywords in a row.
const CELL_CHARACTERS_MAX: usize = 60;

/// The most characters of a title beside others.
const TITLE_CHARACTERS_MAX: usize = 40;

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: NotesVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        NotesVerb::List {
            deleted: true,
            page,
        } => deleted_list(context, &notes::deleted(session, page)?),
        NotesVerb::List {
            deleted: false,
            page,
        } => {
            let list = notes::list(session, page)?;
            context.list(&list, || table(context, &list))
        }
        NotesVerb::Search(asked) => found(context, &notes::search_notes(session, asked)?),
        NotesVerb::Show(asked) => match notes::show(session, asked)? {
            ShownNote::Past(note) => shown(context, &note),
            ShownNote::Present(note) => context.answer(&note, || {
                let links = [&note.linked_to, &note.linked_from];
                let links = links.map(|ends| joined(ends.iter().map(end_text), "; "));
                text_of(&note.note, links)
            }),
        },
        NotesVerb::Add(mut asked) => {
            asked.value = context.value_or_input(asked.value, NOTE_VALUE_BYTES_MAX)?;
            shown(context, &notes::add(session, asked)?)
        }
        NotesVerb::Edit(asked) if asked.changes.is_empty() => edit_in_editor(context, &asked.note),
        NotesVerb::Edit(mut asked) => {
            asked.changes = with_input(context, asked.changes)?;
            shown(context, &notes::edit(session, asked)?)
        }
        NotesVerb::Delete(note) => {
            let deleted = notes::delete(session, note)?;
            context.answer(&deleted, || {
                let Deleted { note, undo } = &deleted;
                let title = one_line(&note.title, CELL_CHARACTERS_MAX);
                format!("deleted {title} ({})\nundo: {}", note.id, visible(undo))
            })
        }
        NotesVerb::History(asked) => history(context, &notes::history(session, asked)?),
        NotesVerb::Diff(asked) => {
            let difference = notes::diff(session, asked)?;
            context.answer(&difference, || match difference.diff.as_str() {
                "" => "nothing differs".to_owned(),
                diff => diff.to_owned(),
            })
        }
        NotesVerb::Restore { note, version } => shown(
            context,
            &notes::restore(session, NoteSelector { note, version })?,
        ),
        NotesVerb::Issues(page) => issues(context, &notes::issues(session, page)?),
        NotesVerb::Export(options) => notes_export::run(context, &options),
        NotesVerb::Import(options) => notes_import::run(context, &options),
    }
}

/// Returns the changes, with standard input in the place of `-`.
pub(super) fn with_input(context: &Context, changes: NoteChanges) -> Result<NoteChanges, Failure> {
    Ok(NoteChanges {
        markdown: context.text_or_input(changes.markdown, IMPORT_MARKDOWN_BYTES_MAX)?,
        value: context.text_or_input(changes.value, NOTE_VALUE_BYTES_MAX)?,
        ..changes
    })
}

/// Opens a note in the editor, and applies the edit as one change of the edited version.
fn edit_in_editor(context: &Context, key: &str) -> Result<VerbOutput, Failure> {
    check_terminal()?;
    check_reachable(&context.session)?;
    let state = context.session.present()?;
    let note = find(&state, key)?;
    let (id, version) = (note.id.to_string(), note.version);
    let edited = in_editor(context, note, |text| {
        let version = version.to_string();
        let words = [
            "notes",
            "edit",
            &id,
            "--version",
            &version,
            "--markdown",
            "-",
        ];
        super::answer_words(&context.with_input(text), &words)
    })?;
    if let Some(answer) = edited {
        return Ok(answer);
    }
    context.inform(UNCHANGED);
    shown(context, note)
}

/// Formats a whole note.
fn shown(context: &Context, note: &Note) -> Result<VerbOutput, Failure> {
    context.answer(note, || {
        text_of(note, [joined(&note.links, ", "), String::new()])
    })
}

fn end_text(end: &LinkEnd) -> String {
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
    let issues = issues.map(|issue| one_line(&issue.text, CELL_CHARACTERS_MAX));
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
        ("open issues", joined(issues, "; ")),
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
        ("TITLE", Text),
        ("UPDATED", Fixed),
        ("ID", Id),
        ("VERSION", Spare),
        ("KEYWORDS", Spare),
    ];
    Table::new(columns, list.items.iter().map(cells))
}

fn found(context: &Context, found: &FoundNotes) -> Result<VerbOutput, Failure> {
    let before = found.partial.map(|PartialMatch { words_found, words }| {
        format!("no note has all {words} words; these have {words_found} of them:\n")
    });
    context.list_with(found, &found.list, &before.unwrap_or_default(), || {
        table(context, &found.list)
    })
}

fn deleted_list(
    context: &Context,
    deleted: &ListWithIds<DeletedRow, NoteId>,
) -> Result<VerbOutput, Failure> {
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
            ("TITLE", Text),
            ("DELETED", Fixed),
            ("ID", Id),
            ("KEYWORDS", Spare),
        ];
        Table::new(columns, list.items.iter().map(cells))
    })
}

fn history(context: &Context, list: &List<NoteVersion>) -> Result<VerbOutput, Failure> {
    context.list(list, || {
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
            ("TITLE", Text),
            ("VERSION", Fixed),
            ("TIME", Fixed),
            ("BY", Spare),
            ("COMMIT", Spare),
        ];
        Table::new(columns, list.items.iter().map(row))
    })
}

fn issues(
    context: &Context,
    flagged: &ListWithIds<FlaggedNote, NoteId>,
) -> Result<VerbOutput, Failure> {
    let ListWithIds { list, ids } = flagged;
    context.list_with(flagged, list, "", || {
        let ids = ShortIds::of(ids);
        let row = |flagged: &FlaggedNote| {
            [
                one_line(&flagged.title, CELL_CHARACTERS_MAX),
                one_line(&flagged.issue.text, CELL_CHARACTERS_MAX),
                if flagged.issue.open { "open" } else { "closed" }.to_owned(),
                when(flagged.issue.created_at),
                ids.short(&flagged.note_id),
            ]
        };
        let columns = [
            ("TITLE", Text),
            ("ISSUE", Text),
            ("STATE", Fixed),
            ("TIME", Fixed),
            ("NOTE", Id),
        ];
        Table::new(columns, list.items.iter().map(row))
    })
}
