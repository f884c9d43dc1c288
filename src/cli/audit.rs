//! `audit`: formats the audit, and verifies the journal.

use super::arguments::AuditVerb;
use super::table::Kind::{Fixed, Spare, Text};
use super::table::{Column, Table};
use super::text::{one_line, pairs, when, word};
use super::{Context, VerbOutput};
use crate::failure::Failure;
use crate::ids::NoteId;
use crate::service::audit::{self, place_text, torn_text};
use crate::store::{AuditEntry, VerifyReport};

const TARGET_CHARACTERS_MAX: usize = 60;

pub(super) fn run(context: &Context, verb: AuditVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        AuditVerb::List(asked) => {
            let list = audit::list(session, asked)?;
            context.list(&list, &list, COLUMNS, row(context, &list.items))
        }
        AuditVerb::Verify => {
            let verified = audit::verify(session)?;
            context.answer_if(verified.ok, &verified, verified_text)
        }
        AuditVerb::Head => context.answer(&audit::head(session)?, |head| {
            format!("{} {}", head.seq, head.hash)
        }),
    }
}

const COLUMNS: [Column; 7] = [
    ("TARGET", Text),
    ("OP", Fixed),
    ("OUTCOME", Fixed),
    ("TIME", Fixed),
    ("BY", Spare),
    ("COMMIT", Spare),
    ("CODE", Spare),
];

/// Formats entries as lines without colours.
pub(super) fn lines(context: &Context, entries: &[AuditEntry]) -> String {
    let table = Table::new(COLUMNS, entries.iter().map(row(context, entries)));
    table.lines(context.terminal.without_colours())
}

/// Returns the form of the rows of some entries.
fn row(context: &Context, entries: &[AuditEntry]) -> impl Fn(&AuditEntry) -> [String; 7] + use<> {
    let note_of = |entry: &AuditEntry| entry.target.parse::<NoteId>().ok();
    let ids = context.short_note_ids(entries.iter().filter_map(note_of));
    move |entry| {
        let code = entry.code.map(|code| code.to_string());
        [
            note_of(entry).map_or_else(
                || one_line(&entry.target, TARGET_CHARACTERS_MAX),
                |id| ids.short(&id),
            ),
            entry.op.clone(),
            entry.outcome.name_for_people(entry.proposed).to_owned(),
            when(entry.ts),
            word(&entry.actor_type),
            entry.seq.to_string(),
            code.unwrap_or_default(),
        ]
    }
}

fn verified_text(verified: &VerifyReport) -> String {
    let verdict = if verified.ok { "intact" } else { "damaged" };
    let bad = verified.first_bad.as_ref();
    let bad = bad.map(|bad| format!("{} ({})", place_text(bad), bad.code));
    let head = &verified.head;
    pairs(&[
        ("journal", verdict.to_owned()),
        ("commits", verified.commits.to_string()),
        ("head", format!("{} {}", head.seq, head.hash)),
        ("first bad", bad.unwrap_or_default()),
        ("torn tail", torn_text(verified).unwrap_or_default()),
    ])
}
