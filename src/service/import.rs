//! Taking in notes out of a person's files: what each entry means here, and what became of it. What cannot be
//! read is told, and the rest goes on. Opens no file of the person's.

mod decide;
mod past;

use super::change::{change_by_part, commit_in_parts, without_change};
use super::session::Session;
use crate::config::Config;
use crate::core::guard::Approved;
use crate::core::journal::{Cause, Change};
use crate::core::notes::Portable;
use crate::daemon::{ChangeContext, DraftParts};
use crate::failure::{Code, Failure};
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{IMPORT_COMMIT_NOTES_MAX, NOTES_WRITTEN_BYTES_MAX};
use decide::Decider;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

pub use decide::Decided;

/// What the journal says that an import's commits are because of.
const IMPORT: &str = "import";

/// A note of a file, or why it is none.
#[derive(Debug)]
pub struct Entry {
    /// The file in the person's words.
    pub file: String,
    /// The line that it stands in, of a file with several.
    pub line: Option<usize>,
    /// What its id is made from where it has none: the same again the next time.
    pub seed: String,
    /// Bytes read for it.
    pub bytes: usize,
    pub note: Result<Portable, Problem>,
}

/// Why an entry is no note.
#[derive(Debug)]
pub struct Problem {
    /// The line that it stands in, where that is known.
    pub line: Option<usize>,
    pub reason: String,
}

/// Gives the entries of an import, one after another.
pub trait Entries {
    /// The next entry; none at the end.
    fn next(&mut self) -> Option<Entry>;

    /// The most bytes that the next entry can have.
    fn next_bytes_max(&self) -> usize;

    /// Looks at every entry without taking it: its number, as [`Self::next`] will give them, and the entry.
    fn each(&mut self, show: &mut dyn FnMut(usize, &Entry));
}

/// A note that was read, with the id that it has here.
#[derive(Debug, Serialize, Deserialize)]
pub struct Brought {
    /// Its place among what is told.
    #[serde(skip)]
    pub place: usize,
    id: NoteId,
    note: Portable,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Created,
    Updated,
    Unchanged,
    /// The note here goes before it.
    Conflict,
    /// It is no note, or may not stand.
    Failed,
}

/// What is told of an entry.
#[derive(Debug, Serialize)]
pub struct EntryReport {
    pub file: String,
    /// The line that the reason speaks of, or that the note stands in.
    pub line: Option<usize>,
    pub outcome: Outcome,
    /// The note that it is here.
    pub note_id: Option<NoteId>,
    /// Why it was not taken in.
    pub code: Option<Code>,
    pub reason: Option<String>,
}

/// What became of each entry, and how many there are of each outcome.
#[derive(Debug, Serialize)]
pub struct ImportReport {
    /// Whether nothing was changed.
    pub dry_run: bool,
    pub created: usize,
    pub updated: usize,
    pub unchanged: usize,
    pub conflicts: usize,
    pub failed: usize,
    pub items: Vec<EntryReport>,
}

impl ImportReport {
    /// Whether everything was taken in.
    pub const fn is_complete(&self) -> bool {
        self.conflicts == 0 && self.failed == 0
    }
}

/// An import under way.
#[derive(Debug)]
pub struct Import<E> {
    entries: E,
    workspace_id: WorkspaceId,
    /// Of each note that stands in several files or lines, the one that is taken.
    newest: BTreeMap<NoteId, Newest>,
    items: Vec<EntryReport>,
}

/// The entry of a note that goes before all its others: the highest version, of equal ones the first.
#[derive(Debug)]
struct Newest {
    /// Its place among what is told.
    place: usize,
    version: Option<u64>,
    file: String,
    is_only: bool,
}

/// The entries that are taken of notes that stand there more than once.
fn newest_of_each(
    entries: &mut impl Entries,
    workspace_id: WorkspaceId,
) -> BTreeMap<NoteId, Newest> {
    let mut newest: BTreeMap<NoteId, Newest> = BTreeMap::new();
    entries.each(&mut |place, entry| {
        let Ok(note) = &entry.note else { return };
        let id = id_of(note, &entry.seed, workspace_id);
        let version = note.written.version;
        let first = || Newest {
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

/// The id of a note: its own, else the same again whenever it comes from the same place.
fn id_of(note: &Portable, seed: &str, workspace_id: WorkspaceId) -> NoteId {
    note.id.unwrap_or_else(|| {
        let seed = format!("import:{seed}");
        NoteId(Uuid::new_v5(&workspace_id.0, seed.as_bytes()))
    })
}

impl<E: Entries> Import<E> {
    /// Looks through all entries; nothing is taken in yet.
    pub fn begin(config: &Config, mut entries: E) -> Self {
        let workspace_id = config.scope.workspace_id;
        Self {
            newest: newest_of_each(&mut entries, workspace_id),
            entries,
            workspace_id,
            items: Vec::new(),
        }
    }

    /// Takes everything in. What was taken in before a failure stands.
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

    /// Finds out what would become of everything, and changes nothing.
    pub fn try_out(&mut self, session: &Session, config: &Config) -> Result<(), Failure> {
        let mut decider = Decider::new(session)?;
        without_change(session, config, |cx| {
            while self.commit(&mut decider, cx)?.is_some() {}
            Ok(())
        })
    }

    /// Returns the next note that somebody else is to decide about; none at the end.
    pub fn next_note(&mut self) -> Option<Brought> {
        loop {
            let entry = self.entries.next()?;
            if let Some(brought) = self.meet(entry) {
                return Some(brought);
            }
        }
    }

    /// Takes down what was decided about a note.
    pub fn settle(&mut self, place: usize, decided: Decided) {
        if let Some(entry) = self.items.get_mut(place) {
            decided.write_to(entry);
        }
    }

    /// Takes down why a note cannot be taken in.
    pub fn refuse(&mut self, place: usize, code: Code, reason: &str) {
        if let Some(entry) = self.items.get_mut(place) {
            (entry.code, entry.reason) = (Some(code), Some(reason.to_owned()));
        }
    }

    /// Ends the import, and returns what became of each entry.
    pub fn report(self, dry_run: bool) -> ImportReport {
        let items = self.items;
        let number = |outcome| items.iter().filter(|it| it.outcome == outcome).count();
        ImportReport {
            dry_run,
            created: number(Outcome::Created),
            updated: number(Outcome::Updated),
            unchanged: number(Outcome::Unchanged),
            conflicts: number(Outcome::Conflict),
            failed: number(Outcome::Failed),
            items,
        }
    }

    /// The changes of the next commit; none when every entry was seen.
    fn commit(
        &mut self,
        decider: &mut Decider,
        cx: &mut ChangeContext<'_>,
    ) -> Result<Option<Vec<Approved<Change>>>, Failure> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        let mut is_over = true;
        while let Some(entry) = self.entries.next() {
            is_over = false;
            bytes += entry.bytes;
            if let Some(brought) = self.meet(entry) {
                let mut decided = decider.decide(cx, &brought)?;
                changes.extend(decided.change.take());
                self.settle(brought.place, decided);
            }
            let is_enough = changes.len() >= IMPORT_COMMIT_NOTES_MAX
                || bytes + self.entries.next_bytes_max() > NOTES_WRITTEN_BYTES_MAX;
            if is_enough {
                break;
            }
        }
        Ok((!is_over).then_some(changes))
    }

    /// Takes down an entry; gives its note, unless it is none, or another file goes before it.
    fn meet(&mut self, entry: Entry) -> Option<Brought> {
        let place = self.items.len();
        let mut report = EntryReport {
            file: entry.file,
            line: entry.line,
            outcome: Outcome::Failed,
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
                    None => brought = Some(Brought { place, id, note }),
                    Some(newest) => {
                        report.outcome = Outcome::Conflict;
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

/// Why an entry is left out for another one of the same note.
fn left_out(Newest { file, version, .. }: &Newest, note: &Portable) -> String {
    match version.filter(|_| *version > note.written.version) {
        Some(version) => format!("left out: {file} holds version {version} of the same note"),
        None => format!("left out: the same note stands in {file}, too"),
    }
}

/// Takes in notes that somebody else has read: one commit, and what became of each note.
pub fn take_part(session: &Session, notes: Vec<Brought>) -> Result<Vec<Decided>, Failure> {
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

/// A title and a text in one, so that no other two give the same.
pub fn seed_text(title: &str, value: &str) -> String {
    format!("{}\n{title}\n{value}", title.len())
}
