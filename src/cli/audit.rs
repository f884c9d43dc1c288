//! `audit`: what became of each instruction, and whether the trail holds.

use super::arguments::AuditVerb;
use super::context::Context;
use super::list::List;
use super::output::Answer;
use super::record;
use super::text::{columns, one_line, pairs};
use crate::failure::Failure;
use crate::store::{AuditEntry, FirstBad, Verified, audit_entries, head_of, verify};

/// Characters of a target that a row shows.
const TARGET_CHARACTERS_MAX: usize = 60;

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: &AuditVerb) -> Result<Answer, Failure> {
    // A root is one by its configuration; anything else is a slip in the command line.
    context.load_without_key()?;
    let mut disk = context.disk()?;
    match verb {
        AuditVerb::List { run, page } => {
            let only = run.as_deref().map(record::run_id).transpose()?;
            let mut entries = audit_entries(&mut disk)?;
            entries.retain(|entry| only.is_none() || entry.run_id == only);
            let list = List::last_page(entries, *page);
            context.answer(&list, || table(&list.items) + &list.rest())
        }
        AuditVerb::Verify => {
            let verified = verify(&mut disk)?;
            let answer = context.answer(&verified, || verified_text(&verified))?;
            Ok(answer.ok_if(verified.ok))
        }
        AuditVerb::Head => {
            let head = head_of(&mut disk)?;
            context.answer(&head, || format!("{} {}", head.seq, head.hash))
        }
    }
}

/// Entries as rows.
pub(super) fn table(entries: &[AuditEntry]) -> String {
    let row = |entry: &AuditEntry| {
        let code = entry.code.map(|code| code.to_string());
        [
            entry.seq.to_string(),
            entry.ts.to_string(),
            record::word(&entry.actor_type),
            entry.outcome.told(entry.proposed).to_owned(),
            entry.op.clone(),
            one_line(&entry.target, TARGET_CHARACTERS_MAX),
            code.unwrap_or_default(),
        ]
    };
    let rows: Vec<[String; 7]> = entries.iter().map(row).collect();
    columns(
        ["COMMIT", "TIME", "BY", "OUTCOME", "OP", "TARGET", "CODE"],
        &rows,
    )
}

fn verified_text(verified: &Verified) -> String {
    let verdict = if verified.ok { "intact" } else { "damaged" };
    let bad = verified.first_bad.as_ref();
    let bad = bad.map(|bad| format!("{} ({})", place_text(bad), bad.code));
    pairs(&[
        ("journal", verdict.to_owned()),
        ("commits", verified.commits.to_string()),
        (
            "head",
            format!("{} {}", verified.head.seq, verified.head.hash),
        ),
        ("first bad", bad.unwrap_or_default()),
        ("torn tail", torn_text(verified).unwrap_or_default()),
    ])
}

/// A bad place in words.
pub(super) fn place_text(bad: &FirstBad) -> String {
    if bad.segment.is_empty() {
        return bad.reason.clone();
    }
    format!(
        "commit {} in {}, line {}: {}",
        bad.seq, bad.segment, bad.line, bad.reason
    )
}

/// What is said of a torn append: it is no damage.
pub(super) fn torn_text(verified: &Verified) -> Option<String> {
    let torn = verified.torn_bytes;
    (torn > 0).then(|| format!("{torn} bytes, put aside at the next start"))
}
