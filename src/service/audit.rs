//! The audit: what became of each instruction, and the check of the journal.

use super::list::{List, PageQuery};
use super::runs::run_id_of;
use super::session::Session;
use crate::failure::Failure;
use crate::store::journal::Head;
use crate::store::{AuditEntry, JournalDefect, VerifyReport, audit_entries, head_of};
use clap::Args;
use serde::Deserialize;

/// A request to list what became of instructions.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct ListAudit {
    /// Only those of this run.
    #[arg(long)]
    pub run: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub page: PageQuery,
}

/// Lists what became of each instruction, oldest first; without an offset, the last ones.
pub fn list(
    session: &Session,
    ListAudit { run, page }: ListAudit,
) -> Result<List<AuditEntry>, Failure> {
    let mut disk = session.checked_disk()?;
    let only = run.map(|run| run_id_of(session, &run)).transpose()?;
    let mut entries = audit_entries(&mut disk)?;
    entries.retain(|entry| only.is_none() || entry.run_id == only);
    Ok(List::last_page(entries, page))
}

/// Checks every line of the journal.
pub fn verify(session: &Session) -> Result<VerifyReport, Failure> {
    Ok(crate::store::verify(&mut session.checked_disk()?)?)
}

/// Returns the last commit's number and hash.
pub fn head(session: &Session) -> Result<Head, Failure> {
    Ok(head_of(&mut session.checked_disk()?)?)
}

/// Returns a bad place of the journal in words.
pub fn place_text(bad: &JournalDefect) -> String {
    if bad.segment.is_empty() {
        return bad.reason.clone();
    }
    format!(
        "commit {} in {}, line {}: {}",
        bad.seq, bad.segment, bad.line, bad.reason
    )
}

/// Returns a torn append in words, if there is one: it is no damage.
pub fn torn_text(verified: &VerifyReport) -> Option<String> {
    let torn = verified.torn_bytes;
    (torn > 0).then(|| format!("{torn} bytes, put aside at the next start"))
}
