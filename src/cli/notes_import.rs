//! `notes import`: notes out of a person's files. Decides for each file what it means here: a new
//! note, a change of one, nothing, or a conflict. What cannot be read is told, and the rest goes on.

mod files;
mod past;
mod report;

use super::arguments::ImportOptions;
use super::change::change_in_parts;
use super::context::{Context, now};
use super::output::Answer;
use crate::core::guard::{Approved, BroughtNote, Edited, Guard, NoteEdit};
use crate::core::journal::{Cause, Change};
use crate::core::notes::{Note, NoteAuthor, Portable};
use crate::daemon::Desk;
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::limits::{IMPORT_COMMIT_NOTES_MAX, NOTES_WRITTEN_BYTES_MAX};
use crate::store::deleted_notes;
use files::{Entry, Files, said};
use past::{Past, short};
use report::{Outcome, Told, report};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Answers the verb.
pub(super) fn run(context: &Context, options: &ImportOptions) -> Result<Answer, Failure> {
    let mut import = Import {
        files: Files::find(options)?,
        deleted: deleted_notes(&mut context.disk()?)?,
        context,
        met: BTreeMap::new(),
        known: None,
        past: None,
        items: Vec::new(),
    };
    if options.dry_run {
        let config = context.load_without_key()?.config;
        let state = context.state(&config)?;
        let nothing = Edited::default();
        let mut desk = Desk {
            state: &state,
            config: &config,
            guard: Guard::for_user(&config.scope, &nothing),
            now: now(),
        };
        while import.part(&mut desk)?.is_some() {}
    } else {
        change_in_parts(context, &Cause::plain("import"), |desk| import.part(desk))?;
    }
    report(context, options.dry_run, import.items)
}

/// An import under way.
#[derive(Debug)]
struct Import<'a> {
    context: &'a Context,
    files: Files,
    /// Notes that were deleted here: an import does not bring them back unasked.
    deleted: BTreeSet<NoteId>,
    /// Where each note of this import came from.
    met: BTreeMap<NoteId, String>,
    /// What imported notes hold, to know a file again that was moved.
    known: Option<BTreeMap<Uuid, NoteId>>,
    /// What every note said in each kept version, once that was asked for.
    past: Option<Past>,
    items: Vec<Told>,
}

impl Import<'_> {
    /// The changes of the next commit; none when every file was seen.
    fn part(&mut self, desk: &mut Desk<'_>) -> Result<Option<Vec<Approved<Change>>>, Failure> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        if self.known.is_none() {
            let imported = desk.state.notes.iter();
            let imported = imported.filter(|it| it.created_by.actor_type == NoteAuthor::Import);
            let known = imported.map(|note| (content_of(&note.title, &note.value), note.id));
            self.known = Some(known.collect());
        }
        let mut is_over = true;
        while let Some(entry) = self.files.next() {
            is_over = false;
            bytes += entry.bytes;
            changes.extend(self.entry(desk, entry)?);
            let is_enough = changes.len() >= IMPORT_COMMIT_NOTES_MAX
                || bytes + self.files.next_bytes_max() > NOTES_WRITTEN_BYTES_MAX;
            if is_enough {
                break;
            }
        }
        Ok((!is_over).then_some(changes))
    }

    /// Decides about an entry, and takes down what became of it.
    fn entry(
        &mut self,
        desk: &mut Desk<'_>,
        entry: Entry,
    ) -> Result<Option<Approved<Change>>, Failure> {
        let mut told = Told {
            file: entry.file,
            line: entry.line,
            outcome: Outcome::Failed,
            note_id: None,
            code: None,
            reason: None,
        };
        let mut change = None;
        match entry.note {
            Ok(note) => {
                let id = note.id.unwrap_or_else(|| {
                    let seed = format!("import:{}", entry.seed);
                    NoteId(Uuid::new_v5(
                        &desk.config.scope.workspace_id.0,
                        seed.as_bytes(),
                    ))
                });
                let decided = self.decide(desk, id, &note, &told.file)?;
                told.note_id = Some(decided.id);
                told.outcome = decided.outcome;
                told.code = decided.code;
                told.reason = decided.reason;
                change = decided.change;
            }
            Err(problem) => {
                told.line = problem.line.or(told.line);
                told.code = Some(Code::ImportInvalid);
                told.reason = Some(problem.reason);
            }
        }
        self.items.push(told);
        Ok(change)
    }

    fn decide(
        &mut self,
        desk: &mut Desk<'_>,
        id: NoteId,
        note: &Portable,
        file: &str,
    ) -> Result<Decided, Failure> {
        let decided = Decided::plain(id, Outcome::Unchanged);
        if let Some(other) = self.met.insert(id, file.to_owned()) {
            return Ok(decided.conflict(format!("the same note stands in {other}, too")));
        }
        if let Some(base) = desk.state.notes.get(id) {
            return self.decide_known(desk, base, note);
        }
        if self.deleted.contains(&id) {
            let reason = format!("the note was deleted here; `notes restore {id}` brings it back");
            return Ok(decided.conflict(reason));
        }
        let title = note.title().unwrap_or_default();
        let value = note.written.value.clone().unwrap_or_default();
        let known = self.known.get_or_insert_default();
        let content = content_of(&title, &value);
        if note.id.is_none()
            && let Some(same) = known.get(&content)
        {
            let reason = "a note that was imported before says the same".to_owned();
            return Ok(Decided::plain(*same, Outcome::Unchanged).because(reason));
        }
        known.insert(content, id);
        let brought = BroughtNote {
            id,
            kind: note.written.kind.clone(),
            title: Some(title),
            keywords: note.written.keywords.clone().unwrap_or_default(),
            value,
            links: note.written.links.clone().unwrap_or_default(),
            issues: note.issues.clone(),
            version: note.written.version.unwrap_or(1),
            created_at: note.created_at,
            updated_at: note.updated_at,
        };
        let made = desk.guard.note_import(brought, desk.now);
        Ok(decided.by(Outcome::Created, made))
    }

    /// Decides about a note that is here.
    fn decide_known(
        &mut self,
        desk: &mut Desk<'_>,
        base: &Note,
        note: &Portable,
    ) -> Result<Decided, Failure> {
        let decided = Decided::plain(base.id, Outcome::Unchanged);
        if note.is_like(base) {
            return Ok(decided);
        }
        match note.written.version {
            Some(version) if version < base.version => {
                let reason = format!(
                    "the file holds version {version}, and the note is at {} here",
                    base.version
                );
                return Ok(decided.conflict(reason));
            }
            // Without a version only the past tells whether the file or the note went on.
            None if self.was(base.id, note)? => {
                let reason = "the note has gone on since; the file says what it was".to_owned();
                return Ok(decided.because(reason));
            }
            Some(_) | None => {}
        }
        let edit = NoteEdit {
            title: note.title(),
            keywords: note.written.keywords.clone(),
            value: note.written.value.clone(),
            kind: note.written.kind.clone(),
            links: note.written.links.clone(),
            issue: None,
        };
        let version = note.written.version;
        let made = desk.guard.note_import_over(base, edit, version, desk.now);
        Ok(decided.by(Outcome::Updated, made))
    }

    /// Whether a note said that in an earlier version.
    fn was(&mut self, id: NoteId, note: &Portable) -> Result<bool, Failure> {
        let past = match self.past.take() {
            Some(past) => past,
            None => Past::read(&mut self.context.disk()?)?,
        };
        Ok(self.past.insert(past).was(id, note))
    }
}

/// What was decided about an entry.
#[derive(Debug)]
struct Decided {
    id: NoteId,
    outcome: Outcome,
    code: Option<Code>,
    reason: Option<String>,
    change: Option<Approved<Change>>,
}

impl Decided {
    const fn plain(id: NoteId, outcome: Outcome) -> Self {
        Self {
            id,
            outcome,
            code: None,
            reason: None,
            change: None,
        }
    }

    fn because(self, reason: String) -> Self {
        Self {
            reason: Some(reason),
            ..self
        }
    }

    fn conflict(self, reason: String) -> Self {
        Self {
            outcome: Outcome::Conflict,
            code: Some(Code::VersionConflict),
            ..self.because(reason)
        }
    }

    /// What the guard says to a change.
    fn by(
        self,
        outcome: Outcome,
        made: Result<Approved<Change>, crate::core::guard::Refusal>,
    ) -> Self {
        match made {
            Ok(change) => Self {
                outcome,
                change: Some(change),
                ..self
            },
            Err(refusal) => Self {
                outcome: Outcome::Failed,
                code: Some(refusal.code),
                ..self.because(refusal.message)
            },
        }
    }
}

/// What tells a note's content from any other.
fn content_of(title: &str, value: &str) -> Uuid {
    short(&said(title, value))
}
