//! `notes import`: notes out of a person's files. Reads one entry after the other and has each decided
//! about, here or by the daemon that holds the folder, a bounded part at a time. What cannot be read is
//! told, and the rest goes on.

mod decide;
mod files;
mod part;
mod past;
mod report;

use super::arguments::ImportOptions;
use super::change::{change_in_parts, without_change};
use super::context::Context;
use super::output::Answer;
use crate::core::guard::Approved;
use crate::core::journal::{Cause, Change};
use crate::core::notes::Portable;
use crate::daemon::Desk;
use crate::failure::{Code, Failure};
use crate::ids::{NoteId, WorkspaceId};
use crate::limits::{IMPORT_COMMIT_NOTES_MAX, NOTES_WRITTEN_BYTES_MAX};
use decide::Decider;
use files::{Entry, Files};
use report::{Outcome, Told, report};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What the journal says that an import's commits are because of.
const IMPORT: &str = "import";

/// Answers the verb.
pub(super) fn run(context: &Context, options: &ImportOptions) -> Result<Answer, Failure> {
    if options.part {
        return part::take(context);
    }
    let config = context.load_without_key()?.config;
    let mut import = Import {
        files: Files::find(options)?,
        workspace_id: config.scope.workspace_id,
        met: BTreeMap::new(),
        items: Vec::new(),
    };
    if options.dry_run {
        let mut decider = Decider::new(context)?;
        without_change(context, &config, |desk| {
            while import.commit(&mut decider, desk)?.is_some() {}
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
    /// Where each note of this import came from.
    met: BTreeMap<NoteId, String>,
    items: Vec<Told>,
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
        let taken_in = change_in_parts(context, &Cause::plain(IMPORT), |desk| {
            // Made where the folder is held: nothing is deleted in between.
            let decider = match &mut decider {
                Some(decider) => decider,
                None => decider.insert(Decider::new(context)?),
            };
            self.commit(decider, desk)
        });
        match taken_in {
            // Nothing was read yet: the folder is held before anything else.
            Err(locked) if locked.code == Code::DataLocked => self.hand_over(context, &locked),
            taken_in => taken_in,
        }
    }

    /// The changes of the next commit; none when every file was seen.
    fn commit(
        &mut self,
        decider: &mut Decider,
        desk: &mut Desk<'_>,
    ) -> Result<Option<Vec<Approved<Change>>>, Failure> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        let mut is_over = true;
        while let Some(entry) = self.files.next() {
            is_over = false;
            bytes += entry.bytes;
            if let Some(brought) = self.meet(entry) {
                let mut decided = decider.decide(desk, brought.id, &brought.note)?;
                changes.extend(decided.change.take());
                if let Some(told) = self.items.get_mut(brought.place) {
                    decided.tell(told);
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

    /// Takes down an entry; gives its note, unless it is none, or stood in another file.
    fn meet(&mut self, entry: Entry) -> Option<Brought> {
        let place = self.items.len();
        let mut told = Told {
            file: entry.file,
            line: entry.line,
            outcome: Outcome::Failed,
            note_id: None,
            code: None,
            reason: None,
        };
        let brought = match entry.note {
            Ok(note) => {
                let id = note.id.unwrap_or_else(|| {
                    let seed = format!("import:{}", entry.seed);
                    NoteId(Uuid::new_v5(&self.workspace_id.0, seed.as_bytes()))
                });
                told.note_id = Some(id);
                match self.met.insert(id, told.file.clone()) {
                    None => Some(Brought { place, id, note }),
                    Some(other) => {
                        told.outcome = Outcome::Conflict;
                        told.code = Some(Code::VersionConflict);
                        told.reason = Some(format!("the same note stands in {other}, too"));
                        None
                    }
                }
            }
            Err(problem) => {
                told.line = problem.line.or(told.line);
                told.code = Some(Code::ImportInvalid);
                told.reason = Some(problem.reason);
                None
            }
        };
        self.items.push(told);
        brought
    }
}
