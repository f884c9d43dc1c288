//! Deleted notes: what there is, and how each comes back.

use super::arguments::Page;
use super::context::Context;
use super::notes::{Row, ids_of_files, row_of};
use super::output::Answer;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::{one_line, visible};
use super::when::when_known;
use crate::core::notes::Note;
use crate::failure::Failure;
use crate::service::List;
use crate::store::deleted_notes;
use crate::time::Timestamp;
use serde::Serialize;

/// Characters of a title and of keywords that a row shows.
const CELL_CHARACTERS_MAX: usize = 60;

/// A deleted note in a list.
#[derive(Debug, Serialize)]
struct DeletedRow<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    deleted_at: Option<Timestamp>,
    /// The command that brings it back.
    undo: String,
}

/// A note that was deleted just now.
#[derive(Debug, Serialize)]
struct Gone<'a> {
    #[serde(flatten)]
    note: &'a Note,
    /// The command that brings it back.
    undo: String,
}

/// `notes list --deleted`.
pub(super) fn list(context: &Context, page: Page) -> Result<Answer, Failure> {
    context.session.load()?;
    let notes = deleted_notes(&mut context.session.disk()?)?;
    let list = List::page(notes.iter().collect(), page.into());
    let list = list.map(|note| DeletedRow {
        row: row_of(note),
        deleted_at: note.deleted_at,
        undo: undo(context, note),
    });
    let before = if list.items.is_empty() {
        String::new()
    } else {
        format!(
            "brought back by: {}\n",
            context.session.command_line("notes restore ID")
        )
    };
    context.list_with(&list, &list, &before, || {
        let ids = notes
            .iter()
            .map(|note| note.id)
            .chain(ids_of_files(context));
        let ids = ShortIds::of(ids);
        let cells = |deleted: &DeletedRow<'_>| {
            [
                one_line(deleted.row.title, CELL_CHARACTERS_MAX),
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

/// What is said of a note that was deleted just now.
pub(super) fn gone(context: &Context, note: &Note) -> Result<Answer, Failure> {
    let gone = Gone {
        note,
        undo: undo(context, note),
    };
    context.answer(&gone, || {
        let title = one_line(&note.title, CELL_CHARACTERS_MAX);
        let Gone { undo, .. } = &gone;
        format!("deleted {title} ({})\nundo: {}", note.id, visible(undo))
    })
}

/// The command that brings a note back.
fn undo(context: &Context, note: &Note) -> String {
    context
        .session
        .command_line(&format!("notes restore {}", note.id))
}
