//! Decides what an entry of an import means: a new note, a change of one, nothing, or a conflict.

use super::super::session::Session;
use super::files::seed_text;
use super::{EntryReport, ImportOutcome, ResolvedEntry};
use crate::core::guard::{
    Approved, NewNote, NoteEdit, NoteImport, Refusal, note_import, note_import_over,
};
use crate::core::journal::Change;
use crate::core::notes::{Note, NoteAuthor, PortableNote, composed};
use crate::daemon::ChangeContext;
use crate::failure::{Code, Failure};
use crate::ids::NoteId;
use crate::store::disk::RealDisk;
use crate::store::each_version;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

#[derive(Debug)]
pub(super) struct Decider {
    session: Session,
    /// The notes that were deleted here: an import does not bring them back unasked.
    deleted: BTreeSet<NoteId>,
    /// The content digests of the deleted notes that were imported, to recognize a moved file.
    gone: BTreeMap<Uuid, NoteId>,
    /// The content digests of imported notes, to recognize a moved file.
    known: Option<BTreeMap<Uuid, NoteId>>,
    /// The digests of all kept versions, once they were asked for.
    past: Option<DigestHistory>,
}

impl Decider {
    /// Makes a decider that has met nothing yet.
    pub(super) fn new(session: &Session) -> Result<Self, Failure> {
        let deleted = deleted_in(&mut session.disk()?)?;
        let imported = deleted.iter();
        let imported = imported.filter_map(|(id, content)| Some(((*content)?, *id)));
        Ok(Self {
            session: session.clone(),
            gone: imported.collect(),
            deleted: deleted.into_keys().collect(),
            known: None,
            past: None,
        })
    }

    pub(super) fn decide(
        &mut self,
        cx: &mut ChangeContext<'_>,
        ResolvedEntry { id, note, .. }: &ResolvedEntry,
    ) -> Result<ImportDecision, Failure> {
        let id = *id;
        let decided = ImportDecision::plain(id, ImportOutcome::Unchanged);
        if let Some(base) = cx.state.notes.get(id) {
            return self.decide_known(cx, base, note);
        }
        if self.deleted.contains(&id) {
            return Ok(decided.deleted());
        }
        let title = note.title().unwrap_or_default();
        let value = note.written.value.clone().unwrap_or_default();
        let known = self.known.get_or_insert_with(|| {
            let notes = cx.state.notes.iter();
            let imported = notes.filter_map(|note| Some((imported_content(note)?, note.id)));
            imported.collect()
        });
        let content = content_of(&title, &value);
        if note.id.is_none()
            && let Some(same) = known.get(&content)
        {
            let reason = "a note that was imported before says the same".to_owned();
            return Ok(ImportDecision::plain(*same, ImportOutcome::Unchanged).with_reason(reason));
        }
        if note.id.is_none()
            && let Some(same) = self.gone.get(&content)
        {
            return Ok(ImportDecision::plain(*same, ImportOutcome::Unchanged).deleted());
        }
        known.insert(content, id);
        let brought = NoteImport {
            id,
            content: NewNote {
                workspace_id: None,
                kind: note.written.kind.clone(),
                title: Some(title),
                keywords: note.written.keywords.clone().unwrap_or_default(),
                value,
                links: note.written.links.clone().unwrap_or_default(),
            },
            issues: note.issues.clone(),
            version: note.written.version.unwrap_or(1),
            created_at: note.created_at,
            updated_at: note.updated_at,
        };
        let made = note_import(&mut cx.guard, brought, cx.now);
        Ok(decided.by(ImportOutcome::Created, made))
    }

    fn decide_known(
        &mut self,
        cx: &mut ChangeContext<'_>,
        base: &Note,
        note: &PortableNote,
    ) -> Result<ImportDecision, Failure> {
        let decided = ImportDecision::plain(base.id, ImportOutcome::Unchanged);
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
            // Without a version, only the past shows whether the file or the note went on.
            None if self.had_content(base.id, note)? => {
                let reason = "the note has gone on since; the file says what it was".to_owned();
                return Ok(decided.with_reason(reason));
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
        let made = note_import_over(&mut cx.guard, base, edit, version, cx.now);
        Ok(decided.by(ImportOutcome::Updated, made))
    }

    /// Returns whether an earlier version of a note had that content.
    fn had_content(&mut self, id: NoteId, note: &PortableNote) -> Result<bool, Failure> {
        let past = match self.past.take() {
            Some(past) => past,
            None => DigestHistory::read(&mut self.session.disk()?)?,
        };
        Ok(self.past.insert(past).had_content(id, note))
    }
}

/// The decision about an entry.
#[derive(Debug, Serialize, Deserialize)]
pub struct ImportDecision {
    id: NoteId,
    outcome: ImportOutcome,
    code: Option<Code>,
    reason: Option<String>,
    #[serde(skip)]
    pub(super) change: Option<Approved<Change>>,
}

impl ImportDecision {
    pub(super) fn write_to(self, entry: &mut EntryReport) {
        (entry.note_id, entry.outcome) = (Some(self.id), self.outcome);
        (entry.code, entry.reason) = (self.code, self.reason);
    }

    const fn plain(id: NoteId, outcome: ImportOutcome) -> Self {
        Self {
            id,
            outcome,
            code: None,
            reason: None,
            change: None,
        }
    }

    fn with_reason(self, reason: String) -> Self {
        Self {
            reason: Some(reason),
            ..self
        }
    }

    fn conflict(self, reason: String) -> Self {
        Self {
            outcome: ImportOutcome::Conflict,
            code: Some(Code::VersionConflict),
            ..self.with_reason(reason)
        }
    }

    /// Makes it a conflict, since the note was deleted here.
    fn deleted(self) -> Self {
        let id = self.id;
        self.conflict(format!(
            "the note was deleted here; `notes restore {id}` brings it back"
        ))
    }

    /// Adds the guard's answer to a change.
    fn by(self, outcome: ImportOutcome, made: Result<Approved<Change>, Refusal>) -> Self {
        match made {
            Ok(change) => Self {
                outcome,
                change: Some(change),
                ..self
            },
            Err(refusal) => Self {
                outcome: ImportOutcome::Failed,
                code: Some(refusal.code),
                ..self.with_reason(refusal.message)
            },
        }
    }
}

/// Returns the deleted notes, as far back as the kept journal goes.
///
/// Those that were imported have their content digest.
fn deleted_in(disk: &mut RealDisk) -> Result<BTreeMap<NoteId, Option<Uuid>>, Failure> {
    let mut deleted = BTreeMap::new();
    each_version(disk, &|_| true, &mut |note| {
        if note.deleted_at.is_some() {
            deleted.insert(note.id, imported_content(note));
        } else {
            deleted.remove(&note.id);
        }
    })?;
    Ok(deleted)
}

/// Returns the content digest of an imported note; `None` for any other.
fn imported_content(note: &Note) -> Option<Uuid> {
    let is_imported = note.created_by.actor_type == NoteAuthor::Import;
    is_imported.then(|| content_of(&note.title, &note.value))
}

/// Returns the digest of a note's content.
///
/// The title is composed, as a file's name may have come here in another spelling.
fn content_of(title: &str, value: &str) -> Uuid {
    short(&seed_text(&composed(title), value))
}

/// The digests of every kept version of every note.
#[derive(Debug)]
struct DigestHistory(BTreeMap<NoteId, Vec<VersionDigest>>);

impl DigestHistory {
    fn read(disk: &mut RealDisk) -> Result<Self, Failure> {
        let mut past: BTreeMap<NoteId, Vec<VersionDigest>> = BTreeMap::new();
        each_version(disk, &|_| true, &mut |version| {
            past.entry(version.id)
                .or_default()
                .push(VersionDigest::of(version));
        })?;
        Ok(Self(past))
    }

    fn had_content(&self, id: NoteId, note: &PortableNote) -> bool {
        let versions = self.0.get(&id).into_iter().flatten();
        versions.into_iter().any(|version| version.is_like(note))
    }
}

/// The digests of a version of a note, short enough to be kept of all of them.
#[derive(Debug)]
struct VersionDigest {
    title: Uuid,
    value: Uuid,
    keywords: Uuid,
    kind: Uuid,
}

impl VersionDigest {
    fn of(note: &Note) -> Self {
        Self {
            title: short(&composed(&note.title)),
            value: short(&note.value),
            keywords: short(&note.keywords.join("\n")),
            kind: short(&note.note_kind),
        }
    }

    fn is_like(&self, note: &PortableNote) -> bool {
        let same = |said: Option<&str>, print| said.is_none_or(|said| short(said) == print);
        let written = &note.written;
        let keywords = written.keywords.as_ref().map(|words| words.join("\n"));
        let title = note.title();
        same(title.as_deref().map(composed).as_deref(), self.title)
            && same(written.value.as_deref(), self.value)
            && same(keywords.as_deref(), self.keywords)
            && same(written.kind.as_deref(), self.kind)
    }
}

fn short(text: &str) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes())
}
