//! A person's edits in the notes folder: a changed note is taken in field by field, a stranger's
//! file becomes a new note, a missing file is written again. Looked over slowly, a few files at a
//! time, and at once where the folder itself changed.

use super::disk::{Disk as _, FileKind, FileStat, Listing};
use super::edits::{Candidate, user_draft};
use super::error::Error;
use super::kv_edits::in_words;
use super::quarantine::{self, Found};
use super::views::View;
use super::{DrawnIds, Seen, Store, layout, reader};
use crate::core::guard::{Edited, Guard, NewNote, NoteEdit, note_put_back};
use crate::core::notes::{Note, Written};
use crate::ids::{IdSource as _, NoteId};
use crate::limits::EDIT_SETTLE_MS;
use crate::strict_json;
use crate::time::Timestamp;
use serde_json::{Map, Value};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Files looked at in one go. At one go a second this sees every one of 10,000 notes in 40 s.
pub(super) const FILES_PER_LOOK: usize = 256;

impl Store {
    /// Takes down what somebody saw change, so that the next look finds it.
    pub fn note_seen(&mut self, seen: &Seen) {
        self.edits.touched.extend(&seen.notes);
        if seen.stranger || seen.everything {
            // Its time may be the same although its names are not.
            self.edits.folder = None;
        }
        if seen.everything {
            self.edits.next_note = None;
            self.look_at_notes_next(usize::MAX);
        }
    }

    /// Has the next look take in at least so many notes.
    pub fn look_at_notes_next(&mut self, count: usize) {
        self.edits.notes_per_look = self.edits.notes_per_look.max(count);
    }

    pub(super) fn look_at_notes(&mut self, now: Timestamp) -> Result<(), Error> {
        let folder = Path::new(layout::NOTES);
        let failed = |error| Error::file("look at", folder, error);
        let stat = self.disk.stat(folder).map_err(failed)?;
        if stat != self.edits.folder || !self.edits.strangers.is_empty() {
            let Listing { names, ignored } = self.disk.list_all(folder).map_err(failed)?;
            let notes = self.views.notes.read()?;
            let is_own = |name: &OsStr| {
                let id = name.to_str().and_then(layout::note_of);
                id.is_some_and(|id| notes.contains_key(&id))
            };
            let news = self.edits.ignored.news(layout::NOTES, ignored, &is_own);
            self.edits.report.notices.extend(news);
            let is_there = |name: &String| names.binary_search(name).is_ok();
            self.edits.strangers.retain(|name, _| is_there(name));
            for name in names {
                if self.is_stranger(&name)? {
                    self.look_at_stranger(&name, now)?;
                }
            }
            self.edits.folder = stat;
        }
        let from = self.edits.next_note.take();
        let mut ids = match from {
            Some(from) => self.views.notes.read()?.range(from..),
            None => self.views.notes.read()?.range(..),
        };
        let count = std::mem::replace(&mut self.edits.notes_per_look, FILES_PER_LOOK);
        let mut looked_at: Vec<NoteId> = ids.by_ref().take(count).map(|it| *it.0).collect();
        self.edits.next_note = ids.next().map(|it| *it.0);
        looked_at.extend(self.edits.take_touched());
        for id in looked_at {
            self.look_at_note(id, now)?;
        }
        Ok(())
    }

    fn is_stranger(&mut self, name: &str) -> Result<bool, Error> {
        let json = Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "json");
        let notes = self.views.notes.read()?;
        let ours = layout::note_of(name).is_some_and(|id| notes.contains_key(&id));
        Ok(json && !name.starts_with('.') && !ours)
    }

    fn look_at_note(&mut self, id: NoteId, now: Timestamp) -> Result<(), Error> {
        let view = View::Note(id);
        let path = layout::note_path(id);
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        if self.views.is_ours(view, stat.as_ref()) {
            self.edits.forget(view);
            return Ok(());
        }
        let Some(note) = self.state.notes.get(id) else {
            return Ok(());
        };
        if !self.edits.is_settled(view, stat, now) {
            return Ok(());
        }
        let good = note.to_file();
        let bytes_max = self.bytes_max(view);
        let bytes = match quarantine::find(self.disk.as_mut(), &path, bytes_max)? {
            Found::Nothing => return self.restore_note(id, now),
            Found::Odd(reason) => {
                self.set_odd_aside(&path, &path, &reason, now)?;
                self.views.stats.remove(&view);
                self.edits.forget(view);
                return self.put_again(view);
            }
            Found::Bytes(bytes) => bytes,
        };
        self.views.remember(view, stat);
        let older = self.edits.versions.get(&id).cloned();
        let half_written = older.is_some() && good.starts_with(&bytes);
        if bytes != good && !half_written {
            let judged = self.judge_note(id, &bytes, older.unwrap_or_default(), now);
            if judged.is_err() {
                self.views.stats.remove(&view);
            }
            judged?;
        }
        self.edits.forget(view);
        // Whatever was not taken in is put back.
        let untouched = self.views.is_ours(view, stat.as_ref());
        if untouched && self.rendered(view).is_some_and(|new| new.bytes != bytes) {
            self.put_again(view)?;
        }
        Ok(())
    }

    fn restore_note(&mut self, id: NoteId, now: Timestamp) -> Result<(), Error> {
        let path = layout::note_path(id).display().to_string();
        let message = was_missing(&path, self.state.notes.get(id));
        self.say_missing(View::Note(id), message, now)?;
        self.edits.forget(View::Note(id));
        self.put_again(View::Note(id))
    }

    /// Takes in the fields that a person may change. The text may have been written on top of one
    /// of the `older` versions: what it has in common with that one is not an edit.
    pub(super) fn judge_note(
        &mut self,
        id: NoteId,
        bytes: &[u8],
        older: Vec<Note>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let path = layout::note_path(id);
        let Some(base) = self.state.notes.get(id).cloned() else {
            let reason = "the note was deleted meanwhile";
            return self.refuse_edit(&path, bytes, reason, now);
        };
        let mut edit = match written(bytes, Written::of_edit) {
            Ok(written) => edit_of(&base, &self.beneath(&base, &written, older)?, written),
            Err(reason) => return self.refuse_edit(&path, bytes, &reason, now),
        };
        if edit.value.is_some() || edit.links.is_some() {
            let text = edit.value.as_deref().unwrap_or(&base.value);
            let notes = &self.state.notes;
            edit.links =
                Some(notes.links_written(Some(&base), edit.links, text, base.workspace_id));
        }
        if edit == NoteEdit::default() {
            return Ok(());
        }
        let nothing = Edited::default();
        let mut guard = Guard::for_user(&self.options.scope, &nothing);
        match guard.note_update(&base, Some(base.version), edit, now) {
            Ok(change) => {
                self.commit(user_draft(vec![change], now))?;
                let title = self.state.notes.get(id).map_or("", |note| &note.title);
                let message = format!("taken in from {}: {title}", path.display());
                self.edits.report.taken.push(message);
                self.edits.report.edited.notes.insert(id);
                Ok(())
            }
            Err(refusal) => self.refuse_edit(&path, bytes, &refusal.message, now),
        }
    }

    /// The version that a text was written on top of, where it can be told, else all of the `older`
    /// ones. An editor that was open all the time saves the fields of its own version; one that
    /// changes nothing in it puts that version back.
    fn beneath(
        &mut self,
        base: &Note,
        written: &Written,
        mut older: Vec<Note>,
    ) -> Result<Vec<Note>, Error> {
        let is_named = |note: &Note| Some(note.version) == written.version;
        if older.iter().any(is_named) {
            older.retain(is_named);
        } else if written.version.is_some_and(|named| named < base.version) {
            let wanted = |other| other == base.id;
            let histories = reader::histories(self.disk.as_mut(), self.first, &wanted)?;
            let notes = histories.into_values().flatten().map(|it| it.note);
            let mut named = notes.filter(is_named);
            let unlike = |note: &Note| edit_of(note, &[], written.clone()) != NoteEdit::default();
            if let Some(note) = named.next().filter(unlike) {
                return Ok(vec![note]);
            }
        }
        Ok(older)
    }

    fn look_at_stranger(&mut self, name: &str, now: Timestamp) -> Result<(), Error> {
        let path = Path::new(layout::NOTES).join(name);
        let failed = |error| Error::file("look at", &path, error);
        let Some(stat) = self.disk.stat(&path).map_err(failed)? else {
            return Ok(());
        };
        // A folder or a link is nobody's note, and in nobody's way.
        if stat.kind != FileKind::File {
            return Ok(());
        }
        let mut slot = self.edits.strangers.remove(name);
        if !Candidate::lies_still(&mut slot, Some(stat), now, EDIT_SETTLE_MS) {
            let slot = slot.map(|candidate| (name.to_owned(), candidate));
            self.edits.strangers.extend(slot);
            self.edits.report.waiting = true;
            return Ok(());
        }
        let bytes_max = super::note_files::NOTE_FILE_BYTES_MAX;
        let made = match quarantine::find(self.disk.as_mut(), &path, bytes_max)? {
            Found::Nothing => return Ok(()),
            Found::Odd(reason) => Err(reason),
            Found::Bytes(bytes) => new_note_of(&bytes).map(|new| NewNote {
                links: self.state.notes.links_written(
                    None,
                    Some(new.links),
                    &new.value,
                    self.options.scope.workspace_id,
                ),
                ..new
            }),
        };
        let judged = match made {
            Ok(new) => self.adopt(name, &path, stat, new, now),
            Err(reason) => self.set_odd_aside(&path, &path, &reason, now),
        };
        if judged.is_err() {
            // Looked at again, also when nothing in the folder changes until then.
            self.edits.folder = None;
        }
        judged
    }

    /// Makes a stranger's file a note. It gets its final name first, so that after a stop at any
    /// point it is still one note.
    fn adopt(
        &mut self,
        name: &str,
        path: &Path,
        stat: FileStat,
        new: NewNote,
        now: Timestamp,
    ) -> Result<(), Error> {
        let named = layout::note_of(name).filter(|id| id.0.get_version_num() == 7);
        let id = named.unwrap_or_else(|| DrawnIds { now }.next_note_id());
        let last = match named {
            Some(id) => self.last_of(id)?,
            None => None,
        };
        let nothing = Edited::default();
        let mut guard = Guard::for_user(&self.options.scope, &nothing);
        let made = match last {
            Some(last) => note_put_back(&mut guard, &last, &put_back(&last, new), now),
            None => guard.note_create(new, id, now),
        };
        let change = match made {
            Ok(change) => change,
            Err(refusal) => return self.set_odd_aside(path, path, &refusal.message, now),
        };
        let own_path = layout::note_path(id);
        if own_path != path && !self.move_stranger(path, &own_path)? {
            return Ok(());
        }
        // What was read is what is known: anything written into it since will come out.
        self.views.stats.insert(View::Note(id), stat);
        let committed = self.commit(user_draft(vec![change], now));
        if committed.is_err() {
            self.views.stats.remove(&View::Note(id));
        }
        committed?;
        let title = self.state.notes.get(id).map_or("", |note| &note.title);
        let message = format!("{} became the note {id}: {title}", path.display());
        self.edits.report.taken.push(message);
        self.edits.report.edited.notes.insert(id);
        Ok(())
    }

    /// What a note was at the end of its life, as far as the journal is kept: its file may come back.
    fn last_of(&mut self, id: NoteId) -> Result<Option<Note>, Error> {
        let wanted = |other| other == id;
        let mut histories = reader::histories(self.disk.as_mut(), self.first, &wanted)?;
        let versions = histories.remove(&id).unwrap_or_default();
        Ok(versions.into_iter().next_back().map(|it| it.note))
    }

    /// Gives a stranger's file its final name, safely; `false` if it is gone.
    fn move_stranger(&mut self, from: &Path, to: &Path) -> Result<bool, Error> {
        let failed = |error| Error::file("move", from, error);
        match self.disk.rename_new(from, to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                self.disk.rename(from, to).map_err(failed)?;
            }
            moved => moved.map_err(failed)?,
        }
        let folder: PathBuf = to.parent().unwrap_or(to).to_path_buf();
        self.disk
            .sync_folder(&folder)
            .map_err(|error| Error::sync(&folder, error))?;
        Ok(true)
    }
}

/// What is said about a note's file that was put back.
pub(super) fn was_missing(path: &str, note: Option<&Note>) -> String {
    let title = note.map_or("a note", |note| &note.title);
    format!("{path} was missing and was written again; to delete `{title}`, use `notes delete`")
}

/// The fields of a file, as `read` takes them.
fn written(
    bytes: &[u8],
    read: impl FnOnce(&Map<String, Value>) -> Result<Written, String>,
) -> Result<Written, String> {
    match strict_json::parse(bytes).map_err(|problem| in_words(&problem))? {
        Value::Object(members) => read(&members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err("it is not a JSON object".to_owned())
        }
    }
}

/// What a file changes in a note. A field that is as it was in one of the `older` versions is left
/// over from there, not edited.
fn edit_of(base: &Note, older: &[Note], written: Written) -> NoteEdit {
    let known = || older.iter().chain([base]);
    NoteEdit {
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
    }
}

/// A note whose file came back, as the file says it.
fn put_back(last: &Note, file: NewNote) -> Note {
    Note {
        title: file.title.unwrap_or_else(|| last.title.clone()),
        note_kind: file.kind.unwrap_or_else(|| last.note_kind.clone()),
        keywords: file.keywords,
        value: file.value,
        links: file.links,
        ..last.clone()
    }
}

fn new_note_of(bytes: &[u8]) -> Result<NewNote, String> {
    let written = written(bytes, Written::from_json)?;
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
