//! Takes in notes from a person's files, and reports the outcome of each entry.
//!
//! An entry that cannot be read is reported, and the rest goes on.

mod decide;
mod files;

use super::change::{change_by_part, commit_in_parts, without_change};
use super::session::Session;
use crate::config::Config;
use crate::core::guard::Approved;
use crate::core::journal::{Cause, Change};
use crate::core::notes::PortableNote;
use crate::daemon::{ChangeContext, DraftParts};
use crate::failure::{Code, Failure};
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{IMPORT_COMMIT_NOTES_MAX, NOTES_WRITTEN_BYTES_MAX};
use clap::Args;
use decide::Decider;
use files::{Files, ImportEntry};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use uuid::Uuid;

pub use decide::ImportDecision;
pub(crate) use files::is_markdown;

/// The cause of an import's commits, in the journal.
const IMPORT: &str = "import";

/// A request to take in notes from files.
#[derive(Args, Clone, Debug)]
pub struct ImportNotes {
    /// Markdown files, folders of them, or JSON files.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Read every file as JSON, and of folders the JSON files; `-` is standard input.
    #[arg(long)]
    pub json: bool,
    /// Print what would be changed, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Import a part of an import that another process reads; `-` is standard input.
    #[arg(long, hide = true, conflicts_with = "dry_run")]
    pub part: bool,
}

/// A note that was read, with the id that it has here.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResolvedEntry {
    #[serde(skip)]
    pub place: usize,
    id: NoteId,
    note: PortableNote,
}

/// The outcome of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    Created,
    Updated,
    Unchanged,
    /// The entry conflicts with the note here, which stays.
    Conflict,
    /// The entry is no note, or may not be taken in.
    Failed,
}

/// The report of an entry.
#[derive(Debug, Serialize)]
pub struct EntryReport {
    pub file: String,
    /// The line of the problem, or that of the note.
    pub line: Option<usize>,
    pub outcome: ImportOutcome,
    pub note_id: Option<NoteId>,
    /// The code, where the entry was not taken in.
    pub code: Option<Code>,
    pub reason: Option<String>,
}

/// The report of an import: each entry, and the number of each outcome.
#[derive(Debug, Serialize)]
pub struct ImportReport {
    /// Whether it was a dry run, which changes nothing.
    pub dry_run: bool,
    pub created: usize,
    pub updated: usize,
    pub unchanged: usize,
    pub conflicts: usize,
    pub failed: usize,
    pub items: Vec<EntryReport>,
}

impl ImportReport {
    /// Returns whether everything was taken in.
    pub const fn is_complete(&self) -> bool {
        self.conflicts == 0 && self.failed == 0
    }
}

/// An import under way.
#[derive(Debug)]
pub struct Import {
    files: Files,
    workspace_id: WorkspaceId,
    /// The entry that is taken of each note that stands in several files or lines.
    newest: BTreeMap<NoteId, PreferredEntry>,
    items: Vec<EntryReport>,
}

/// The entry that is taken of a note with several: the highest version, or the first of equal ones.
#[derive(Debug)]
struct PreferredEntry {
    place: usize,
    version: Option<u64>,
    file: String,
    is_only: bool,
}

/// Returns the entries that are taken of notes with several.
fn newest_of_each(
    files: &mut Files,
    workspace_id: WorkspaceId,
) -> BTreeMap<NoteId, PreferredEntry> {
    let mut newest: BTreeMap<NoteId, PreferredEntry> = BTreeMap::new();
    files.each(|place, entry| {
        let Ok(note) = &entry.note else { return };
        let id = id_of(note, &entry.seed, workspace_id);
        let version = note.written.version;
        let first = || PreferredEntry {
            place,
            version,
            file: entry.file.clone(),
            is_only: true,
        };
        newest
            .entry(id)
            .and_modify(|known| {
                if version > known.version {
                    *known = first();
                }
                known.is_only = false;
            })
            .or_insert_with(first);
    });
    newest.retain(|_, known| !known.is_only);
    newest
}

/// Returns the id of a note: its own, else one that is made from the seed.
fn id_of(note: &PortableNote, seed: &str, workspace_id: WorkspaceId) -> NoteId {
    note.id.unwrap_or_else(|| {
        let seed = format!("import:{seed}");
        NoteId(Uuid::new_v5(&workspace_id.0, seed.as_bytes()))
    })
}

impl Import {
    /// Begins an import: looks through all entries, and takes nothing in yet.
    ///
    /// `read_input` reads standard input, up to a bound of its bytes.
    pub fn begin(
        config: &Config,
        asked: &ImportNotes,
        read_input: impl Fn(usize) -> Result<Vec<u8>, Failure>,
    ) -> Result<Self, Failure> {
        let workspace_id = config.scope.workspace_id;
        let mut files = Files::find(asked, read_input)?;
        Ok(Self {
            newest: newest_of_each(&mut files, workspace_id),
            files,
            workspace_id,
            items: Vec::new(),
        })
    }

    /// Takes everything in. After a failure, what was taken in before stands.
    ///
    /// # Errors
    /// `DATA_LOCKED` where another process holds the folder; no entry was taken then.
    pub fn take_in(&mut self, session: &Session) -> Result<(), Failure> {
        let mut decider = None;
        commit_in_parts(session, |cx| {
            // Made where the folder is held: nothing is deleted in between.
            let decider = match &mut decider {
                Some(decider) => decider,
                None => decider.insert(Decider::new(session)?),
            };
            let changes = self.commit(decider, cx)?;
            Ok(changes.map(|changes| DraftParts::of(&Cause::plain(IMPORT), changes)))
        })
    }

    /// Finds out what would become of every entry, and changes nothing.
    pub fn try_out(&mut self, session: &Session, config: &Config) -> Result<(), Failure> {
        let mut decider = Decider::new(session)?;
        without_change(session, config, |cx| {
            while self.commit(&mut decider, cx)?.is_some() {}
            Ok(())
        })
    }

    /// Returns the next note that another process decides about; `None` at the end.
    pub fn next_note(&mut self) -> Option<ResolvedEntry> {
        loop {
            let entry = self.files.next()?;
            if let Some(brought) = self.record_entry(entry) {
                return Some(brought);
            }
        }
    }

    /// Records the decision about a note.
    pub fn settle(&mut self, place: usize, decided: ImportDecision) {
        if let Some(entry) = self.items.get_mut(place) {
            decided.write_to(entry);
        }
    }

    /// Records why a note cannot be taken in.
    pub fn refuse(&mut self, place: usize, code: Code, reason: &str) {
        if let Some(entry) = self.items.get_mut(place) {
            (entry.code, entry.reason) = (Some(code), Some(reason.to_owned()));
        }
    }

    /// Ends the import, and returns its report.
    pub fn report(self, dry_run: bool) -> ImportReport {
        let items = self.items;
        let number = |outcome| items.iter().filter(|it| it.outcome == outcome).count();
        ImportReport {
            dry_run,
            created: number(ImportOutcome::Created),
            updated: number(ImportOutcome::Updated),
            unchanged: number(ImportOutcome::Unchanged),
            conflicts: number(ImportOutcome::Conflict),
            failed: number(ImportOutcome::Failed),
            items,
        }
    }

    /// Returns the changes of the next commit; `None` when every entry was seen.
    fn commit(
        &mut self,
        decider: &mut Decider,
        cx: &mut ChangeContext<'_>,
    ) -> Result<Option<Vec<Approved<Change>>>, Failure> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        let mut is_over = true;
        while let Some(entry) = self.files.next() {
            is_over = false;
            bytes += entry.bytes;
            if let Some(brought) = self.record_entry(entry) {
                let mut decided = decider.decide(cx, &brought)?;
                changes.extend(decided.change.take());
                self.settle(brought.place, decided);
            }
            let is_enough = changes.len() >= IMPORT_COMMIT_NOTES_MAX
                || bytes + self.files.next_bytes_max() > NOTES_WRITTEN_BYTES_MAX;
            if is_enough {
                break;
            }
        }
        Ok((!is_over).then_some(changes))
    }

    /// Records an entry, and returns its note.
    ///
    /// Returns `None` where it is no note, or another entry of that note is taken.
    fn record_entry(&mut self, entry: ImportEntry) -> Option<ResolvedEntry> {
        let place = self.items.len();
        let mut report = EntryReport {
            file: entry.file,
            line: entry.line,
            outcome: ImportOutcome::Failed,
            note_id: None,
            code: None,
            reason: None,
        };
        let mut brought = None;
        match entry.note {
            Ok(note) => {
                let id = id_of(&note, &entry.seed, self.workspace_id);
                report.note_id = Some(id);
                match self.newest.get(&id).filter(|newest| newest.place != place) {
                    None => brought = Some(ResolvedEntry { place, id, note }),
                    Some(newest) => {
                        report.outcome = ImportOutcome::Conflict;
                        report.code = Some(Code::VersionConflict);
                        report.reason = Some(left_out(newest, &note));
                    }
                }
            }
            Err(problem) => {
                report.line = problem.line.or(report.line);
                report.code = Some(Code::ImportInvalid);
                report.reason = Some(problem.reason);
            }
        }
        self.items.push(report);
        brought
    }
}

/// Returns the reason why an entry is left out for another one of the same note.
fn left_out(PreferredEntry { file, version, .. }: &PreferredEntry, note: &PortableNote) -> String {
    match version.filter(|_| *version > note.written.version) {
        Some(version) => format!("left out: {file} holds version {version} of the same note"),
        None => format!("left out: the same note stands in {file}, too"),
    }
}

/// Imports notes that another process has read, in one commit, and returns the decisions.
///
/// # Errors
/// `LIMIT_EXCEEDED` for too many notes.
pub fn take_part(
    session: &Session,
    notes: Vec<ResolvedEntry>,
) -> Result<Vec<ImportDecision>, Failure> {
    if notes.len() > IMPORT_COMMIT_NOTES_MAX {
        let message = format!("a part has at most {IMPORT_COMMIT_NOTES_MAX} notes");
        return Err(Failure::new(Code::LimitExceeded, message));
    }
    let mut decider = Decider::new(session)?;
    change_by_part(session, move |cx| {
        let (mut changes, mut decisions) = (Vec::new(), Vec::new());
        for brought in &notes {
            let mut decided = decider.decide(cx, brought)?;
            changes.extend(decided.change.take());
            decisions.push(decided);
        }
        Ok((DraftParts::of(&Cause::plain(IMPORT), changes), decisions))
    })
}
