//! `notes import`: notes out of a person's files. Reads one entry after the other and has each decided
//! about, here or by the daemon that holds the folder, a bounded part at a time. What cannot be read is
//! told, and the rest goes on.

mod decide;
mod files;
mod part;
mod past;
mod report;

use super::arguments::ImportOptions;
use super::context::Context;
use super::output::Answer;
use crate::core::guard::Approved;
use crate::core::journal::{Cause, Change};
use crate::core::notes::Portable;
use crate::daemon::ChangeContext;
use crate::failure::{Code, Failure};
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{IMPORT_COMMIT_NOTES_MAX, NOTES_WRITTEN_BYTES_MAX};
use crate::service::{change_in_parts, without_change};
use decide::Decider;
use files::{Entry, Files};
use report::{EntryReport, Outcome, report};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What the journal says that an import's commits are because of.
const IMPORT: &str = "import";

/// Answers the verb.
pub(super) fn run(context: &Context, options: &ImportOptions) -> Result<Answer, Failure> {
    if options.part {
        return part::take(context);
    }
    let config = context.session.load()?.config;
    let mut files = Files::find(options)?;
    let workspace_id = config.scope.workspace_id;
    let mut import = Import {
        newest: newest_of_each(&mut files, workspace_id),
        files,
        workspace_id,
        items: Vec::new(),
    };
    if options.dry_run {
        let mut decider = Decider::new(context)?;
        without_change(&context.session, &config, |cx| {
            while import.commit(&mut decider, cx)?.is_some() {}
            Ok(())
        })?;
    } else {
        import.take_in(context)?;
    }
    if import.items.is_empty() {
        context.talk(if options.json {
            "hint: no JSON file was found; without --json, Markdown is read"
        } else {
            "hint: no Markdown file was found; with --json, JSON is read"
        });
    }
    report(context, options.dry_run, import.items)
}

/// An import under way.
#[derive(Debug)]
struct Import {
    files: Files,
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
fn newest_of_each(files: &mut Files, workspace_id: WorkspaceId) -> BTreeMap<NoteId, Newest> {
    let mut newest: BTreeMap<NoteId, Newest> = BTreeMap::new();
    files.each_note(|place, entry| {
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

/// A note that was read, and whose place among what is told is kept for it.
#[derive(Debug)]
struct Brought {
    place: usize,
    id: NoteId,
    note: Portable,
}

impl Import {
    /// Takes everything in: here, or part by part by the daemon that holds the folder.
    fn take_in(&mut self, context: &Context) -> Result<(), Failure> {
        let mut decider = None;
        let taken_in = change_in_parts(&context.session, &Cause::plain(IMPORT), |cx| {
            // Made where the folder is held: nothing is deleted in between.
            let decider = match &mut decider {
                Some(decider) => decider,
                None => decider.insert(Decider::new(context)?),
            };
            self.commit(decider, cx)
        });
        match taken_in {
            // Nothing was taken yet: the folder is held before anything else.
            Err(locked) if locked.code == Code::DataLocked => self.hand_over(context, &locked),
            taken_in => taken_in,
        }
    }

    /// The changes of the next commit; none when every file was seen.
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
            if let Some(brought) = self.meet(entry) {
                let mut decided = decider.decide(cx, brought.id, &brought.note)?;
                changes.extend(decided.change.take());
                if let Some(report_entry) = self.items.get_mut(brought.place) {
                    decided.write_to(report_entry);
                }
            }
            let is_enough = changes.len() >= IMPORT_COMMIT_NOTES_MAX
                || bytes + self.files.next_bytes_max() > NOTES_WRITTEN_BYTES_MAX;
            if is_enough {
                break;
            }
        }
        Ok((!is_over).then_some(changes))
    }

    /// Takes down an entry; gives its note, unless it is none, or another file goes before it.
    fn meet(&mut self, entry: Entry) -> Option<Brought> {
        let place = self.items.len();
        let mut report_entry = EntryReport {
            file: entry.file,
            line: entry.line,
            outcome: Outcome::Failed,
            note_id: None,
            code: None,
            reason: None,
        };
        let brought = match entry.note {
            Ok(note) => {
                let id = id_of(&note, &entry.seed, self.workspace_id);
                report_entry.note_id = Some(id);
                match self.newest.get(&id).filter(|newest| newest.place != place) {
                    None => Some(Brought { place, id, note }),
                    Some(newest) => {
                        report_entry.outcome = Outcome::Conflict;
                        report_entry.code = Some(Code::VersionConflict);
                        report_entry.reason = Some(left_out(&newest.file, newest.version, &note));
                        None
                    }
                }
            }
            Err(problem) => {
                report_entry.line = problem.line.or(report_entry.line);
                report_entry.code = Some(Code::ImportInvalid);
                report_entry.reason = Some(problem.reason);
                None
            }
        };
        self.items.push(report_entry);
        brought
    }
}

/// Why an entry is left out for another one of the same note.
fn left_out(file: &str, version: Option<u64>, note: &Portable) -> String {
    match version.filter(|_| version > note.written.version) {
        Some(version) => format!("left out: {file} holds version {version} of the same note"),
        None => format!("left out: the same note stands in {file}, too"),
    }
}
