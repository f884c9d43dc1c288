//! The audit: what became of each instruction, and whether the trail holds.

use super::list::{List, Page};
use super::runs::run_id_of;
use super::session::Session;
use crate::failure::Failure;
use crate::store::journal::Head;
use crate::store::{AuditEntry, FirstBad, Verified, audit_entries, head_of};
use serde::Deserialize;

/// Lists what became of instructions.
#[derive(Debug, Deserialize)]
pub struct ListAudit {
    /// Only those of this run.
    pub run: Option<String>,
    /// Which of them.
    #[serde(flatten)]
    pub page: Page,
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
pub fn verify(session: &Session) -> Result<Verified, Failure> {
    Ok(crate::store::verify(&mut session.checked_disk()?)?)
}

/// Returns the last commit's number and hash.
pub fn head(session: &Session) -> Result<Head, Failure> {
    Ok(head_of(&mut session.checked_disk()?)?)
}

/// Returns a bad place in words.
pub fn place_text(bad: &FirstBad) -> String {
    if bad.segment.is_empty() {
        return bad.reason.clone();
    }
    format!(
        "commit {} in {}, line {}: {}",
        bad.seq, bad.segment, bad.line, bad.reason
    )
}

/// Returns what is said of a torn append: it is no damage.
pub fn torn_text(verified: &Verified) -> Option<String> {
    let torn = verified.torn_bytes;
    (torn > 0).then(|| format!("{torn} bytes, put aside at the next start"))
}
