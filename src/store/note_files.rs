//! Reading the notes' files once after a start, against the digests that they should have.
//! What is missing, stale or edited is told apart with the journal's help; nothing is guessed.

use super::boot::own_draft;
use super::disk::FileKind;
use super::error::Error;
use super::reader::{self, NoteVersion};
use super::views::View;
use super::{Store, layout, quarantine};
use crate::core::journal::event::ViewRestored;
use crate::core::journal::{Event, Hash};
use crate::core::notes::Note;
use crate::ids::NoteId;
use crate::limits::NOTE_VALUE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Larger than any note's file, in bytes: each byte of text is at most six in JSON.
pub(super) const NOTE_FILE_BYTES_MAX: usize = NOTE_VALUE_BYTES_MAX * 8;

impl Store {
    /// Reads the notes, if that has not been done yet. Gives what a person should hear.
    pub fn read_notes(&mut self, now: Timestamp) -> Result<Vec<String>, Error> {
        if self.edits.compared {
            return Ok(Vec::new());
        }
        self.edits.compared = true;
        let folder = Path::new(layout::NOTES);
        let failed = |error| Error::file("list", folder, error);
        let names = self.disk.list(folder).map_err(failed)?;
        self.edits.folder = self.disk.stat(folder).map_err(failed)?;
        let mut read: Vec<Note> = Vec::new();
        let mut in_doubt: BTreeMap<NoteId, Option<Vec<u8>>> = BTreeMap::new();
        let mut present = BTreeSet::new();
        for name in &names {
            let Some(id) = layout::note_of(name) else {
                self.look_at_leftover(name, now)?;
                continue;
            };
            present.insert(id);
            let path = layout::note_path(id);
            let failed = |error| Error::file("read", &path, error);
            let Some(stat) = self.disk.stat(&path).map_err(failed)? else {
                continue;
            };
            if stat.kind != FileKind::File {
                continue;
            }
            let bytes = self.disk.read(&path, NOTE_FILE_BYTES_MAX).map_err(failed)?;
            let digest = Hash::of(&bytes);
            if self.views.notes.get(&id) == Some(&digest) {
                self.views.stats.insert(View::Note(id), stat);
                if !self.state.notes.knows(id) {
                    match serde_json::from_slice(&bytes) {
                        Ok(note) => read.push(note),
                        Err(_) => drop(in_doubt.insert(id, Some(bytes))),
                    }
                }
            } else if self.views.notes.contains_key(&id) {
                in_doubt.insert(id, Some(bytes));
            } else if self.edits.is_stale(&bytes) {
                // Deleted, and the stop came before its file was removed.
                self.disk.remove(&path).map_err(failed)?;
            }
        }
        let missing = self.views.notes.keys().filter(|id| !present.contains(id));
        in_doubt.extend(missing.map(|id| (*id, None)).collect::<Vec<_>>());
        let histories = self.histories(&in_doubt)?;
        read.extend(in_doubt.keys().filter_map(|id| {
            histories
                .get(id)
                .and_then(|versions| versions.last())
                .map(|last| last.note.clone())
        }));
        self.state.notes.fill(read);
        self.remember_versions(histories);
        self.settle_doubts(in_doubt, now)
    }

    /// The versions of the notes whose files are in doubt. Reads the whole journal, and only then.
    fn histories(
        &mut self,
        in_doubt: &BTreeMap<NoteId, Option<Vec<u8>>>,
    ) -> Result<BTreeMap<NoteId, Vec<NoteVersion>>, Error> {
        if in_doubt.is_empty() {
            return Ok(BTreeMap::new());
        }
        let first = self.first;
        reader::histories(self.disk.as_mut(), first, &|id| in_doubt.contains_key(&id))
    }

    /// Keeps the versions since the checkpoint, and the one before, for judging odd files.
    fn remember_versions(&mut self, histories: BTreeMap<NoteId, Vec<NoteVersion>>) {
        let Some(since) = self
            .edits
            .unclean
            .as_ref()
            .map(|unclean| unclean.from.head.seq)
        else {
            return;
        };
        for (id, versions) in histories {
            let older = versions
                .iter()
                .filter(|version| version.seq <= since)
                .count();
            let recent = versions.into_iter().skip(older.saturating_sub(1));
            self.edits
                .versions
                .insert(id, recent.map(|version| version.note).collect());
        }
    }

    /// Writes again what is missing or stale. What is neither is an edit, and is left for
    /// `look_at_notes`.
    fn settle_doubts(
        &mut self,
        in_doubt: BTreeMap<NoteId, Option<Vec<u8>>>,
        now: Timestamp,
    ) -> Result<Vec<String>, Error> {
        let mut notices = Vec::new();
        let mut events = Vec::new();
        for (id, bytes) in in_doubt {
            let Some(good) = self.state.notes.get(id).map(Note::to_file) else {
                continue;
            };
            let path = layout::note_path(id).display().to_string();
            match bytes {
                Some(bytes) if self.edits.is_stale(&bytes) => {
                    self.put_view(View::Note(id), Some(good))?;
                }
                Some(_) => {}
                None => {
                    self.put_view(View::Note(id), Some(good))?;
                    notices.push(format!(
                        "{path} was missing and was written again; to delete a note, use `notes delete`"
                    ));
                    let reason = "it was missing".to_owned();
                    events.push(Event::ViewRestored(ViewRestored {
                        path,
                        reason,
                        kept_as: None,
                    }));
                }
            }
        }
        if !events.is_empty() {
            self.commit(own_draft("recovery", events, now))?;
        }
        Ok(notices)
    }

    /// A half-written view of a note that a stop left behind.
    fn look_at_leftover(&mut self, name: &str, now: Timestamp) -> Result<(), Error> {
        if !(name.starts_with('.') && name.ends_with(".json.tmp")) {
            return Ok(());
        }
        let path = Path::new(layout::NOTES).join(name);
        let failed = |error| Error::file("remove", &path, error);
        if self
            .disk
            .stat(&path)
            .map_err(failed)?
            .is_some_and(|stat| stat.kind == FileKind::File)
        {
            let bytes = self.disk.read(&path, NOTE_FILE_BYTES_MAX).map_err(failed)?;
            if !self.edits.is_stale(&bytes) {
                quarantine::keep(
                    self.disk.as_mut(),
                    name.trim_start_matches('.'),
                    &bytes,
                    now,
                )?;
            }
            self.disk.remove(&path).map_err(failed)?;
        }
        Ok(())
    }
}
