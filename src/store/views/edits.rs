//! The detection of a person's edits.
//! A file is left alone until it is stable, then it becomes an [`Edit`]. The store commits its
//! changes, or keeps the text beside the file with the reason. An edit is never just overwritten,
//! and nothing is committed here.

use super::files::SwappedOut;
use super::kv::{self, KnownValues, KvBase};
use super::start::NOTE_FILE_BYTES_MAX;
use super::{View, ViewContext, Views, notes};
use crate::core::guard::{Approved, EditedItems};
use crate::core::journal::{Change, Event, Hash};
use crate::core::notes::{Note, NoteFields};
use crate::ids::{IdSource as _, NoteId};
use crate::limits::{DEFERRED_FILE_BYTES_MAX, KV_FILE_BYTES_MAX};
use crate::store::disk::{Disk, FileKind, FileStat, Listing, rename_to_free};
use crate::store::error::Error;
use crate::store::journal::scan;
use crate::store::quarantine::{self, FileContent};
use crate::store::queries::state::histories;
use crate::store::{TimeOrderedIds, layout};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The message for a person who edited a deferred view.
const READ_ONLY: &str = "only the program writes this file; there are verbs for what it holds";

/// The result of a look for edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// The changes by a person, which are committed now.
    pub edited: EditedItems,
    /// Whether an edit is still being written, so that another look is needed soon.
    pub waiting: bool,
    /// The messages about edits that were taken in.
    pub taken: Vec<String>,
    pub notices: Vec<String>,
}

/// The decision about a text that a person wrote.
#[derive(Debug, Default)]
pub(crate) struct EditDecision {
    /// The reasons why the text or a part of it is refused.
    /// For each, the text is kept beside the file once.
    pub refusals: Vec<String>,
    pub changes: Vec<Approved<Change>>,
    /// The message about the changes.
    pub message: String,
    /// The keys and notes that the changes are about.
    pub edited: EditedItems,
}

impl EditDecision {
    /// Returns the refusal of a text.
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self {
            refusals: vec![reason.into()],
            ..Self::default()
        }
    }
}

/// The difference of a file from its written content.
#[derive(Debug)]
pub(crate) enum Difference {
    /// The file is gone, and needs no action.
    Gone,
    /// The file is gone and is written again, with a message about that.
    Missing(String),
    /// The file cannot be read, for this reason.
    Odd(String),
    /// The file has another text, with the decision about it.
    Text(Vec<u8>, EditDecision),
}

/// A stable file that differs from its written content.
#[derive(Debug)]
pub(crate) struct Edit {
    /// The view; `None` for a foreign file that becomes no note.
    view: Option<View>,
    /// The path of the edited file.
    pub path: PathBuf,
    /// The present path of the text, which differs if an exchange replaced it.
    pub place: PathBuf,
    pub difference: Difference,
    /// The facts about the file when its text was read in its place.
    stat: Option<FileStat>,
    /// The last known content of the KV file before the edit.
    kv_before: Vec<u8>,
}

impl Edit {
    fn at(view: impl Into<Option<View>>, path: PathBuf, difference: Difference) -> Self {
        Self {
            view: view.into(),
            place: path.clone(),
            path,
            difference,
            stat: None,
            kv_before: Vec::new(),
        }
    }
}

/// The names of foreign files in the notes folder, and the facts about the folder at that time.
type ForeignFiles = (Vec<String>, Option<FileStat>);

impl Views {
    /// Reads the file of a view and returns an edit to be settled before the next file is read.
    /// To settle it, the store commits its changes and calls [`Views::put_back`], or
    /// [`Views::put_off`] after a failure.
    pub(crate) fn poll(
        &mut self,
        view: View,
        from: &mut ViewContext<'_>,
    ) -> Result<Option<Edit>, Error> {
        if let View::Deferred(deferred) = view
            && self.drop_unless_kept(deferred, from.disk)?
        {
            return Ok(None);
        }
        let path = self.files.path(view);
        let stat = from.disk.look_at(&path)?;
        if self.files.is_ours(view, stat.as_ref()) {
            self.watch.forget(view);
            return Ok(None);
        }
        if matches!(view, View::Note(id) if from.state.notes.get(id).is_none()) {
            return Ok(None);
        }
        if !self.watch.is_settled(view, stat, from.now) {
            return Ok(None);
        }
        let bytes_max = self.bytes_max(view);
        let bytes = match quarantine::find(from.disk, &path, bytes_max)? {
            FileContent::Nothing => {
                let message = missing(view, &path, from);
                return Ok(Some(Edit::at(view, path, Difference::Missing(message))));
            }
            FileContent::Odd(reason) => {
                return Ok(Some(Edit::at(view, path, Difference::Odd(reason))));
            }
            FileContent::Bytes(bytes) => bytes,
        };
        if let View::Deferred(deferred) = view
            && self.files.deferred.digests.get(&deferred) == Some(&Hash::of(&bytes))
        {
            self.files.remember(view, stat);
            self.watch.forget(view);
            return Ok(None);
        }
        let judgement = self.judge(view, &bytes, from)?;
        // From here on, the present file is the one that the next exchange replaces.
        self.files.remember(view, stat);
        let kv_before = match view {
            View::Kv => std::mem::replace(&mut self.files.kv_bytes, bytes.clone()),
            View::Note(_) | View::Deferred(_) => Vec::new(),
        };
        Ok(Some(Edit {
            stat,
            kv_before,
            ..Edit::at(view, path, Difference::Text(bytes, judgement))
        }))
    }

    /// Judges a text in the place of a view.
    fn judge(
        &self,
        view: View,
        bytes: &[u8],
        from: &mut ViewContext<'_>,
    ) -> Result<EditDecision, Error> {
        match view {
            View::Kv => {
                let good = from.state.main.ram.to_file();
                let suspect = self.watch.kv_suspect;
                let unfinished = self.watch.is_stale(bytes) || good.starts_with(bytes);
                if bytes == self.files.kv_bytes || suspect && unfinished {
                    return Ok(EditDecision::default());
                }
                let base = (!suspect).then(|| kv::entries_in(&from.state.main.ram));
                self.judge_kv(bytes, base, from)
            }
            View::Note(id) => {
                let good = from.state.notes.get(id).map(Note::to_file);
                let good = good.unwrap_or_default();
                let older = self.watch.versions.get(&id).cloned();
                if bytes == good || older.is_some() && good.starts_with(bytes) {
                    return Ok(EditDecision::default());
                }
                judge_note(id, bytes, older.unwrap_or_default(), from)
            }
            View::Deferred(_) if self.watch.is_stale(bytes) => Ok(EditDecision::default()),
            View::Deferred(_) => Ok(EditDecision::refused(READ_ONLY)),
        }
    }

    /// Makes the next look read the file again, since its edit could not be settled.
    pub(crate) fn put_off(&mut self, edit: Edit) {
        if let (Difference::Text(..), Some(view)) = (edit.difference, edit.view) {
            if view == View::Kv {
                self.files.kv_bytes = edit.kv_before;
            }
            self.files.stats.remove(&view);
        }
    }

    /// Restores a file that differs from the state after its edit was settled.
    /// A deferred view becomes stale instead: a commit must name it first.
    pub(crate) fn put_back(
        &mut self,
        view: View,
        edit: &Edit,
        from: &mut ViewContext<'_>,
    ) -> Result<(), Error> {
        // A file is also rewritten if only its format differs, unless the commit did that.
        let is_due = match &edit.difference {
            Difference::Gone => false,
            Difference::Missing(_) => {
                self.files.stats.remove(&view);
                self.watch.forget(view);
                true
            }
            Difference::Odd(_) => {
                self.files.stats.remove(&view);
                true
            }
            Difference::Text(bytes, _) => {
                let is_untouched = match view {
                    View::Kv => self.files.kv_bytes == *bytes,
                    View::Note(_) => self.files.is_ours(view, edit.stat.as_ref()),
                    View::Deferred(_) => false,
                };
                let is_other = |good: Vec<u8>| good != *bytes;
                is_untouched && view.to_file(from.state).is_some_and(is_other)
            }
        };
        match view {
            View::Deferred(deferred) => drop(self.files.deferred.stale.insert(deferred)),
            View::Kv | View::Note(_) if is_due => {
                let new = view.rendered(from.state);
                self.put_or_wait(from.disk, view, new)?;
            }
            View::Kv | View::Note(_) => {}
        }
        self.watch.forget(view);
        Ok(())
    }

    /// Reads a file that an exchange replaced.
    /// Returns `None` while it may still be written to. The file stays in its place until
    /// [`Views::close_swapped_out`].
    pub(crate) fn poll_swapped_out(
        &mut self,
        swapped_out: &SwappedOut,
        from: &mut ViewContext<'_>,
    ) -> Result<Option<Edit>, Error> {
        let SwappedOut { view, path, .. } = swapped_out;
        let stat = from.disk.look_at(path)?;
        if !self.watch.is_let_go(path, stat, from.now) {
            return Ok(None);
        }
        let bytes_max = self.bytes_max(*view);
        let difference = match quarantine::find(from.disk, path, bytes_max)? {
            FileContent::Nothing => Difference::Gone,
            FileContent::Odd(reason) => Difference::Odd(reason),
            FileContent::Bytes(bytes) => {
                let judgement = self.judge_swapped_out(swapped_out, &bytes, from)?;
                Difference::Text(bytes, judgement)
            }
        };
        Ok(Some(Edit {
            place: path.clone(),
            ..Edit::at(*view, self.files.path(*view), difference)
        }))
    }

    fn judge_swapped_out(
        &mut self,
        swapped_out: &SwappedOut,
        bytes: &[u8],
        from: &mut ViewContext<'_>,
    ) -> Result<EditDecision, Error> {
        let view = swapped_out.view;
        let mut versions = Vec::new();
        if let View::Note(id) = view {
            let found = histories(&mut from.reader(), &|other| other == id)?;
            versions.extend(found.into_values().flatten().map(|it| it.note));
            if versions.iter().any(|note: &Note| note.to_file() == bytes) {
                return Ok(EditDecision::default());
            }
        }
        if swapped_out.leftover && self.is_half_written(view, bytes, from)? {
            return Ok(EditDecision::default());
        }
        match view {
            View::Kv => {
                let base = swapped_out.base.as_deref();
                let base = base.and_then(|base| kv::read_entries(base).ok());
                self.judge_kv(bytes, base, from)
            }
            View::Note(id) => judge_note(id, bytes, versions, from),
            View::Deferred(_) => Ok(EditDecision::refused(READ_ONLY)),
        }
    }

    /// Removes a file that an exchange replaced, once it is settled.
    pub(crate) fn close_swapped_out(
        &mut self,
        at: usize,
        edit: &Edit,
        disk: &mut dyn Disk,
    ) -> Result<(), Error> {
        if let Difference::Text(..) = edit.difference {
            disk.remove_file(&edit.place)?;
        }
        let swapped_out = self.files.swapped_out.remove(at);
        // The removal of the name is durable only after the next sync of its folder.
        self.files.unsynced.insert(swapped_out.view);
        Ok(())
    }

    /// Returns whether a leftover is a view of the program, or a part of one.
    /// An unreadable one is kept.
    fn is_half_written(
        &mut self,
        view: View,
        bytes: &[u8],
        from: &mut ViewContext<'_>,
    ) -> Result<bool, Error> {
        let good = view.to_file(from.state).unwrap_or_default();
        if self.watch.is_left_over(bytes) || good.starts_with(bytes) {
            return Ok(true);
        }
        if crate::strict_json::parse(bytes).is_ok() {
            return Ok(false);
        }
        let path = self.files.path(view);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let kept = quarantine::keep(from.disk, &name, bytes, from.now)?;
        self.watch.report.notices.push(format!(
            "a half-written {} was left behind; it is kept as {}",
            path.display(),
            kept.display()
        ));
        Ok(true)
    }

    /// Lists the foreign files in the notes folder, if the folder has changed.
    pub(crate) fn list_strangers(
        &mut self,
        disk: &mut dyn Disk,
    ) -> Result<Option<ForeignFiles>, Error> {
        let folder = Path::new(layout::NOTES);
        let stat = disk.look_at(folder)?;
        if stat == self.watch.folder && self.watch.strangers.is_empty() {
            return Ok(None);
        }
        let Listing { mut names, ignored } = disk
            .list_all(folder)
            .map_err(|error| Error::file("look at", folder, error))?;
        // The folder is listed again if this look fails, even without further changes.
        self.watch.folder = None;
        let notes = self.files.notes.read()?;
        let is_own = |name: &OsStr| {
            let id = name.to_str().and_then(layout::note_of);
            id.is_some_and(|id| notes.contains_key(&id))
        };
        let news = self.watch.ignored.news(layout::NOTES, ignored, &is_own);
        self.watch.report.notices.extend(news);
        let is_there = |name: &String| names.binary_search(name).is_ok();
        self.watch.strangers.retain(|name, _| is_there(name));
        let is_json = |name: &String| Path::new(name).extension() == Some(OsStr::new("json"));
        names.retain(|name| is_json(name) && !name.starts_with('.') && !is_own(OsStr::new(name)));
        Ok(Some((names, stat)))
    }

    /// Reads a foreign file.
    /// A file that becomes a note gets its final name first, so that after a stop at any point it
    /// is still one note.
    pub(crate) fn poll_stranger(
        &mut self,
        name: &str,
        from: &mut ViewContext<'_>,
    ) -> Result<Option<Edit>, Error> {
        let path = Path::new(layout::NOTES).join(name);
        let Some(stat) = from.disk.look_at(&path)? else {
            return Ok(None);
        };
        // A folder or a link is not a note, and does no harm.
        if stat.kind != FileKind::File {
            return Ok(None);
        }
        if !self.watch.is_complete(name, stat, from.now) {
            return Ok(None);
        }
        let refused = |reason| Edit::at(None, path.clone(), Difference::Odd(reason));
        let bytes = match quarantine::find(from.disk, &path, NOTE_FILE_BYTES_MAX)? {
            FileContent::Nothing => return Ok(None),
            FileContent::Odd(reason) => return Ok(Some(refused(reason))),
            FileContent::Bytes(bytes) => bytes,
        };
        let new = match notes::read_stranger(&bytes, from.state, from.scope) {
            Ok(new) => new,
            Err(reason) => return Ok(Some(refused(reason))),
        };
        let named = layout::note_of(name).filter(|id| id.0.get_version_num() == 7);
        let id = named.unwrap_or_else(|| TimeOrderedIds { now: from.now }.next_note_id());
        // The last version of a deleted note in the kept journal, since its file may come back.
        let last = match named {
            Some(id) => histories(&mut from.reader(), &|other| other == id)?,
            None => BTreeMap::new(),
        };
        let last = last.into_values().flatten().last().map(|it| it.note);
        let judged = notes::judge_stranger(new, id, last.as_ref(), from.scope, &path, from.now);
        let judgement = match judged {
            Ok(judgement) => judgement,
            Err(reason) => return Ok(Some(refused(reason))),
        };
        let own_path = layout::note_path(id);
        if own_path != path && !move_stranger(from.disk, &path, &own_path)? {
            return Ok(None);
        }
        // These facts belong to the text that was read. After a later change, the next exchange
        // finds a file that differs from them.
        self.files.stats.insert(View::Note(id), stat);
        Ok(Some(Edit::at(
            View::Note(id),
            own_path,
            Difference::Text(bytes, judgement),
        )))
    }

    fn judge_kv(
        &self,
        bytes: &[u8],
        base: Option<kv::Entries>,
        from: &mut ViewContext<'_>,
    ) -> Result<EditDecision, Error> {
        let entries = match kv::read_edited(bytes) {
            Ok(entries) => entries,
            Err(reason) => return Ok(EditDecision::refused(reason)),
        };
        let base = match base {
            Some(base) => KvBase::Entries(base),
            None => KvBase::Known(self.values_since(from)?),
        };
        let (ram, path) = (&from.state.main.ram, &self.files.kv_path);
        Ok(kv::judge(&entries, &base, ram, from.scope, path))
    }

    /// Returns for each key every value, or absence, that it had since the checkpoint of the start.
    fn values_since(&self, from: &mut ViewContext<'_>) -> Result<KnownValues, Error> {
        let mut ram = self.watch.since.ram.clone();
        let values = ram.entries();
        let mut known: KnownValues = values
            .map(|(key, value)| (key.to_owned(), vec![Some(value.clone())]))
            .collect();
        let place = self.watch.since.from;
        scan::scan(from.disk, place, &mut |commit, _| {
            for event in &commit.draft.events {
                let Event::Change(change) = event else {
                    continue;
                };
                let key = if let Change::RamSet(set) = change.get() {
                    ram.set(set.key.clone(), set.value.clone());
                    &set.key
                } else if let Change::RamDeleted(deleted) = change.get() {
                    ram.delete(&deleted.key);
                    &deleted.key
                } else {
                    continue;
                };
                // A key that appears here was absent before.
                let values = known.entry(key.clone()).or_insert_with(|| vec![None]);
                values.push(ram.get(key).cloned());
            }
        })?;
        Ok(known)
    }

    /// Returns the largest size of an edited view in bytes, never less than its written size.
    fn bytes_max(&self, view: View) -> usize {
        match view {
            View::Kv => KV_FILE_BYTES_MAX.max(self.files.kv_bytes.len()),
            View::Note(_) => NOTE_FILE_BYTES_MAX,
            View::Deferred(_) => DEFERRED_FILE_BYTES_MAX,
        }
    }
}

/// Returns the message about a missing file.
fn missing(view: View, path: &Path, from: &ViewContext<'_>) -> String {
    let path = path.display().to_string();
    match view {
        View::Kv => kv::was_missing(&path),
        View::Note(id) => notes::was_missing(&path, from.state.notes.get(id)),
        View::Deferred(_) => format!("{path} was missing and was written again"),
    }
}

fn judge_note(
    id: NoteId,
    bytes: &[u8],
    older: Vec<Note>,
    from: &mut ViewContext<'_>,
) -> Result<EditDecision, Error> {
    let Some(base) = from.state.notes.get(id) else {
        return Ok(EditDecision::refused("the note was deleted meanwhile"));
    };
    let written = match notes::read_edited(bytes) {
        Ok(written) => written,
        Err(reason) => return Ok(EditDecision::refused(reason)),
    };
    let older = beneath(base, &written, older, from)?;
    let (state, scope) = (from.state, from.scope);
    Ok(notes::judge(base, written, &older, state, scope, from.now))
}

/// Returns the version on which a text is based, if that is known, else all `older` ones.
/// An editor that stayed open saves the fields of its own version. A text that changes nothing in
/// its version restores that version.
fn beneath(
    base: &Note,
    written: &NoteFields,
    mut older: Vec<Note>,
    from: &mut ViewContext<'_>,
) -> Result<Vec<Note>, Error> {
    let is_named = |note: &Note| Some(note.version) == written.version;
    if older.iter().any(is_named) {
        older.retain(is_named);
    } else if written.version.is_some_and(|named| named < base.version) {
        let found = histories(&mut from.reader(), &|other| other == base.id)?;
        let mut notes = found.into_values().flatten().map(|it| it.note);
        let named = notes.find(is_named);
        if let Some(note) = named.filter(|note| !notes::is_unchanged(note, written)) {
            return Ok(vec![note]);
        }
    }
    Ok(older)
}

/// Renames a foreign file to its final name and syncs the folder; `false` if it is gone.
fn move_stranger(disk: &mut dyn Disk, from: &Path, to: &Path) -> Result<bool, Error> {
    match rename_to_free(disk, from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        moved => moved.map_err(|error| Error::file("move", from, error))?,
    }
    disk.secure_name(to)?;
    Ok(true)
}
