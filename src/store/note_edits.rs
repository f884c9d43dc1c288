//! A person's edits in the notes folder: a changed note is taken in field by field, a stranger's
//! file becomes a new note, a missing file is written again. Looked over slowly, a few files at a
//! time, and at once where the folder itself changed.

use super::boot::own_draft;
use super::disk::FileKind;
use super::edits::{Candidate, EditReport, user_draft};
use super::error::Error;
use super::note_files::NOTE_FILE_BYTES_MAX;
use super::views::View;
use super::{DrawnIds, Store, layout, quarantine};
use crate::core::guard::{Edited, Guard, NewNote, NoteEdit, Refusal};
use crate::core::journal::Event;
use crate::core::journal::event::{EditRefused, ViewRestored};
use crate::core::notes::{Note, split_keywords};
use crate::ids::{IdSource as _, NoteId};
use crate::limits::EDIT_SETTLE_MS;
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Files looked at in one go. At one go a second this sees every one of 10,000 notes in 40 s.
const FILES_PER_LOOK: usize = 256;

impl Store {
    pub(super) fn look_at_notes(
        &mut self,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let folder = Path::new(layout::NOTES);
        let failed = |error| Error::file("look at", folder, error);
        let stat = self.disk.stat(folder).map_err(failed)?;
        let known: Vec<NoteId> = self.views.notes.keys().copied().collect();
        if stat != self.edits.folder || !self.edits.strangers.is_empty() {
            let names = self.disk.list(folder).map_err(failed)?;
            for name in &names {
                if self.is_stranger(name) {
                    self.look_at_stranger(name, now, report)?;
                }
            }
            self.edits.strangers.retain(|name, _| names.contains(name));
            self.edits.folder = stat;
        }
        let start = if self.edits.next_note < known.len() {
            self.edits.next_note
        } else {
            0
        };
        for id in known.iter().skip(start).take(FILES_PER_LOOK) {
            self.look_at_note(*id, now, report)?;
        }
        self.edits.next_note = start + FILES_PER_LOOK;
        Ok(())
    }

    fn is_stranger(&self, name: &str) -> bool {
        let json = Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "json");
        let ours = layout::note_of(name).is_some_and(|id| self.expects_note(id));
        json && !name.starts_with('.') && !ours
    }

    fn look_at_note(
        &mut self,
        id: NoteId,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let view = View::Note(id);
        let path = layout::note_path(id);
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        if self.views.is_ours(view, stat.as_ref()) {
            return Ok(());
        }
        if !self.is_settled(view, stat, now) {
            report.waiting = true;
            return Ok(());
        }
        let Some(stat) = stat else {
            return self.restore_note(id, now, report);
        };
        if stat.kind != FileKind::File {
            return Ok(());
        }
        let bytes = self.disk.read(&path, NOTE_FILE_BYTES_MAX).map_err(failed)?;
        self.views.stats.insert(view, stat);
        if self.state.notes.get(id).map(Note::to_file).as_ref() == Some(&bytes) {
            return Ok(());
        }
        self.judge_note(id, &bytes, now, report)
    }

    fn restore_note(
        &mut self,
        id: NoteId,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let Some(good) = self.state.notes.get(id).map(Note::to_file) else {
            return Ok(());
        };
        self.views.stats.remove(&View::Note(id));
        self.put_view(View::Note(id), Some(good))?;
        let path = layout::note_path(id).display().to_string();
        report.notices.push(format!(
            "{path} was missing and was written again; to delete a note, use `notes delete`"
        ));
        let reason = "it was missing".to_owned();
        let restored = ViewRestored {
            path,
            reason,
            kept_as: None,
        };
        self.commit(own_draft("edit", vec![Event::ViewRestored(restored)], now))?;
        Ok(())
    }

    /// Takes in the fields that a person may change, and puts the others back.
    pub(super) fn judge_note(
        &mut self,
        id: NoteId,
        bytes: &[u8],
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let path = layout::note_path(id);
        let Some(base) = self.state.notes.get(id).cloned() else {
            return Ok(());
        };
        let older = self.edits.versions.remove(&id).unwrap_or_default();
        let edit = match edit_of(&base, &older, bytes) {
            Ok(edit) => edit,
            Err(reason) => {
                self.refuse_note(&path, bytes, &reason, now, report)?;
                return self.put_view(View::Note(id), Some(base.to_file()));
            }
        };
        if edit == NoteEdit::default() {
            return self.put_view(View::Note(id), Some(base.to_file()));
        }
        let nothing = Edited::default();
        let mut guard = Guard::for_user(&self.options.scope, &nothing);
        match guard.note_update(&base, Some(base.version), edit, now) {
            Ok(change) => {
                report
                    .notices
                    .push(format!("taken in from {}", path.display()));
                report.edited.notes.insert(id);
                self.commit(user_draft(vec![change], now))?;
                Ok(())
            }
            Err(Refusal { message, .. }) => {
                self.refuse_note(&path, bytes, &message, now, report)?;
                self.put_view(View::Note(id), Some(base.to_file()))
            }
        }
    }

    fn look_at_stranger(
        &mut self,
        name: &str,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let path = Path::new(layout::NOTES).join(name);
        let failed = |error| Error::file("read", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        let mut slot = self.edits.strangers.remove(name);
        if !Candidate::lies_still(&mut slot, stat, now, EDIT_SETTLE_MS) {
            self.edits
                .strangers
                .extend(slot.map(|candidate| (name.to_owned(), candidate)));
            report.waiting = true;
            return Ok(());
        }
        if !stat.is_some_and(|stat| stat.kind == FileKind::File) {
            return Ok(());
        }
        let bytes = self.disk.read(&path, NOTE_FILE_BYTES_MAX).map_err(failed)?;
        let made = new_note_of(&bytes).and_then(|new| {
            let nothing = Edited::default();
            let id = layout::note_of(name)
                .filter(|id| id.0.get_version_num() == 7)
                .unwrap_or_else(|| DrawnIds { now }.next_note_id());
            let mut guard = Guard::for_user(&self.options.scope, &nothing);
            let made = guard
                .note_create(new, id, now)
                .map_err(|refusal| refusal.message);
            made.map(|change| (id, change))
        });
        match made {
            Ok((id, change)) => {
                let own_name = layout::note_path(id) == path;
                if let Some(stat) = stat.filter(|_| own_name) {
                    self.views.stats.insert(View::Note(id), stat);
                }
                report
                    .notices
                    .push(format!("{} became the note {id}", path.display()));
                report.edited.notes.insert(id);
                self.commit(user_draft(vec![change], now))?;
                // Its text is in the journal and in the new file now.
                if own_name {
                    Ok(())
                } else {
                    self.disk.remove(&path).map_err(failed)
                }
            }
            Err(reason) => {
                self.refuse_note(&path, &bytes, &reason, now, report)?;
                self.disk.remove(&path).map_err(failed)
            }
        }
    }

    fn refuse_note(
        &mut self,
        path: &Path,
        bytes: &[u8],
        reason: &str,
        now: Timestamp,
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let kept: PathBuf = quarantine::keep_beside(self.disk.as_mut(), path, bytes, now)?;
        let refused = EditRefused {
            path: path.display().to_string(),
            kept_as: kept.display().to_string(),
            reason: reason.to_owned(),
        };
        report.notices.push(format!(
            "{} could not be taken in ({reason}); it is kept as {}",
            refused.path, refused.kept_as
        ));
        self.commit(own_draft("edit", vec![Event::EditRefused(refused)], now))?;
        Ok(())
    }
}

/// The fields of a note's file that a person may write.
struct Written {
    title: Option<String>,
    keywords: Option<Vec<String>>,
    value: Option<String>,
    kind: Option<String>,
    links: Option<Vec<NoteId>>,
}

fn written(bytes: &[u8]) -> Result<Written, String> {
    let value = strict_json::parse(bytes).map_err(|problem| {
        format!(
            "line {}, column {}: {}",
            problem.line, problem.column, problem.message
        )
    })?;
    let Value::Object(members) = value else {
        return Err("it is not a JSON object".to_owned());
    };
    let text = |name: &str| match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` must be text")),
    };
    let texts = |name: &str| match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(split_keywords(text))),
        Some(Value::Array(items)) => {
            let items = items.iter().map(|item| item.as_str().map(str::to_owned));
            let items: Option<Vec<String>> = items.collect();
            items
                .map(Some)
                .ok_or_else(|| format!("`{name}` must be a list of texts"))
        }
        Some(_) => Err(format!("`{name}` must be a list of texts")),
    };
    let links = texts("links")?.map(|links| {
        let ids = links.iter().map(|link| link.parse::<NoteId>());
        ids.collect::<Result<Vec<_>, _>>()
            .map_err(|_| "`links` must be note ids".to_owned())
    });
    Ok(Written {
        title: text("title")?,
        keywords: texts("keywords")?,
        value: text("value")?,
        kind: text("note_kind")?,
        links: links.transpose()?,
    })
}

/// What a file changes in a note. A field that is as it was in one of the `older` versions is left
/// over from there, not edited.
fn edit_of(base: &Note, older: &[Note], bytes: &[u8]) -> Result<NoteEdit, String> {
    let written = written(bytes)?;
    let known = || older.iter().chain([base]);
    Ok(NoteEdit {
        title: written
            .title
            .filter(|title| known().all(|note| note.title != *title)),
        keywords: written
            .keywords
            .filter(|words| known().all(|note| note.keywords != *words)),
        value: written
            .value
            .filter(|value| known().all(|note| note.value != *value)),
        kind: written
            .kind
            .filter(|kind| known().all(|note| note.note_kind != *kind)),
        links: written
            .links
            .filter(|links| known().all(|note| note.links != *links)),
        issue: None,
    })
}

fn new_note_of(bytes: &[u8]) -> Result<NewNote, String> {
    let written = written(bytes)?;
    let value = written.value.ok_or("it has no `value`")?;
    Ok(NewNote {
        workspace_id: None,
        kind: written.kind,
        title: written.title,
        keywords: written.keywords.unwrap_or_default(),
        links: written.links.unwrap_or_default(),
        value,
    })
}
