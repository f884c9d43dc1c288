//! `notes`: formats notes and lists of them.

use super::arguments::NotesVerb;
use super::editor::{check_terminal, in_editor};
use super::notes_files::{export, import};
use super::table::Kind::{Fixed, Id, Spare, Text};
use super::text::{ShortIds, at, joined, one_line, pairs, visible, when, when_known, word};
use super::{Context, VerbOutput};
use crate::core::notes::Note;
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::limits::{IMPORT_MARKDOWN_BYTES_MAX, NOTE_VALUE_BYTES_MAX};
use crate::service::notes::{
    self, Deleted, DeletedRow, LinkEnd, NoteChanges, NoteHistory, NoteRow, NoteSelector,
    PartialMatch, ShownNote, UNCHANGED, find,
};
use crate::service::{List, ListWithIds, PageQuery, check_reachable};
use serde::Serialize;

const CELL_CHARACTERS_MAX: usize = 60;
const TITLE_CHARACTERS_MAX: usize = 40;

pub(super) fn run(context: &Context, verb: NotesVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        NotesVerb::List { deleted, page } if deleted => {
            deleted_list(context, &notes::deleted(session, page)?)
        }
        NotesVerb::List { page, .. } => {
            let list = notes::list(session, page)?;
            list_of(context, "", &list, &list)
        }
        NotesVerb::Search(asked) => {
            let found = notes::search_notes(session, asked)?;
            let before = found.partial.map(|PartialMatch { words_found, words }| {
                format!("no note has all {words} words; these have {words_found} of them:\n")
            });
            list_of(context, &before.unwrap_or_default(), &found, &found.list)
        }
        NotesVerb::Show(asked) => match notes::show(session, asked)? {
            ShownNote::Past(note) => shown(context, &note),
            ShownNote::Present(note) => context.answer(&note, |note| {
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
            context.answer(&notes::delete(session, note)?, |Deleted { note, undo }| {
                let title = one_line(&note.title, CELL_CHARACTERS_MAX);
                format!("deleted {title} ({})\nundo: {}", note.id, visible(undo))
            })
        }
        NotesVerb::History(asked) => history(context, asked),
        NotesVerb::Diff(asked) => {
            context.answer(&notes::diff(session, asked)?, |difference| match difference
                .diff
                .as_str()
            {
                "" => "nothing differs".to_owned(),
                diff => diff.to_owned(),
            })
        }
        NotesVerb::Restore { note, version } => {
            let asked = NoteSelector { note, version };
            shown(context, &notes::restore(session, asked)?)
        }
        NotesVerb::Issues(page) => issues(context, page),
        NotesVerb::Export(options) => export(context, &options),
        NotesVerb::Import(options) => import(context, &options),
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
    let (id, at) = (note.id.to_string(), note.version.to_string());
    let edited = in_editor(context, note, |text| {
        let words = ["notes", "edit", &id, "--version", &at, "--markdown", "-"];
        super::answer_words(&context.with_input(text), &words)
    })?;
    if let Some(answer) = edited {
        return Ok(answer);
    }
    context.inform(UNCHANGED);
    shown(context, note)
}

fn shown(context: &Context, note: &Note) -> Result<VerbOutput, Failure> {
    context.answer(note, |note| {
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

fn author(note: &Note) -> String {
    let by = word(&note.created_by.actor_type);
    match note.created_by.run_id {
        Some(run_id) => format!("{by}, run {run_id}"),
        None => by,
    }
}

/// Formats the present notes of a list, after a text.
fn list_of(
    context: &Context,
    before: &str,
    data: &impl Serialize,
    list: &List<NoteRow>,
) -> Result<VerbOutput, Failure> {
    let ids = context.short_note_ids(list.items.iter().map(|row| row.id));
    let columns = [
        ("TITLE", Text),
        ("UPDATED", Fixed),
        ("ID", Id),
        ("VERSION", Spare),
        ("KEYWORDS", Spare),
    ];
    context.list_after(before, data, list, columns, |row| {
        [
            one_line(&row.title, CELL_CHARACTERS_MAX),
            when(row.updated_at),
            ids.short(&row.id),
            row.version.to_string(),
            one_line(&row.keywords.join(", "), CELL_CHARACTERS_MAX),
        ]
    })
}

fn deleted_list(
    context: &Context,
    deleted: &ListWithIds<DeletedRow, NoteId>,
) -> Result<VerbOutput, Failure> {
    let ListWithIds { list, ids } = deleted;
    let restore = context.session.command_line("notes restore ID");
    let before = match list.items.as_slice() {
        [] => String::new(),
        _ => format!("brought back by: {restore}\n"),
    };
    let ids = context.short_note_ids(ids.iter().copied());
    let columns = [
        ("TITLE", Text),
        ("DELETED", Fixed),
        ("ID", Id),
        ("KEYWORDS", Spare),
    ];
    context.list_after(&before, deleted, list, columns, |deleted| {
        [
            one_line(&deleted.row.title, CELL_CHARACTERS_MAX),
            when_known(deleted.deleted_at),
            ids.short(&deleted.row.id),
            one_line(&deleted.row.keywords.join(", "), CELL_CHARACTERS_MAX),
        ]
    })
}

fn history(context: &Context, asked: NoteHistory) -> Result<VerbOutput, Failure> {
    let list = notes::history(&context.session, asked)?;
    let columns = [
        ("TITLE", Text),
        ("VERSION", Fixed),
        ("TIME", Fixed),
        ("BY", Spare),
        ("COMMIT", Spare),
    ];
    context.list(&list, &list, columns, |version| {
        let note = &version.note;
        let title = note.deleted_at.map_or(note.title.as_str(), |_| "deleted");
        [
            one_line(title, CELL_CHARACTERS_MAX),
            note.version.to_string(),
            when(version.ts),
            word(&version.actor_type),
            version.seq.to_string(),
        ]
    })
}

fn issues(context: &Context, page: PageQuery) -> Result<VerbOutput, Failure> {
    let flagged = notes::issues(&context.session, page)?;
    let ids = ShortIds::of(&flagged.ids);
    let columns = [
        ("TITLE", Text),
        ("ISSUE", Text),
        ("STATE", Fixed),
        ("TIME", Fixed),
        ("NOTE", Id),
    ];
    context.list(&flagged, &flagged.list, columns, |flagged| {
        let issue = &flagged.issue;
        [
            one_line(&flagged.title, CELL_CHARACTERS_MAX),
            one_line(&issue.text, CELL_CHARACTERS_MAX),
            if issue.open { "open" } else { "closed" }.to_owned(),
            when(issue.created_at),
            ids.short(&flagged.note_id),
        ]
    })
}
