//! Noticing what a person did to the views: a file is left alone until it lies still, then it becomes an
//! [`Edit`]. The store commits what is to be taken in, or keeps the text beside the file with the reason.
//! Nothing that was edited is ever just overwritten, and nothing is committed here.

use super::files::SwappedOut;
use super::kv::{self, Base, KnownValues};
use super::start::NOTE_FILE_BYTES_MAX;
use super::watch::Candidate;
use super::{Sources, View, Views, notes};
use crate::core::guard::{Approved, Edited};
use crate::core::journal::{Change, Event, Hash};
use crate::core::notes::{Note, Written};
use crate::ids::{IdSource as _, NoteId};
use crate::limits::{DEFERRED_FILE_BYTES_MAX, EDIT_SETTLE_MS, KV_FILE_BYTES_MAX};
use crate::store::disk::{Disk, FileKind, FileStat, Listing};
use crate::store::error::Error;
use crate::store::journal::Log as _;
use crate::store::quarantine::{self, Found};
use crate::store::queries::notes::histories;
use crate::store::{DrawnIds, layout};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// What a person is told who edited a deferred view.
const READ_ONLY: &str = "only the program writes this file; there are verbs for what it holds";

/// What looking for edits came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// What a person changed: these are committed now.
    pub edited: Edited,
    /// An edit is being written; look again soon.
    pub waiting: bool,
    /// What was taken in, a line each.
    pub taken: Vec<String>,
    /// What a person should hear.
    pub notices: Vec<String>,
}

/// What is to be done about a text that a person wrote.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// Why the text, or a part of it, is not taken in. It is kept beside the file once for each.
    pub refusals: Vec<String>,
    /// What it changes.
    pub changes: Vec<Approved<Change>>,
    /// What is said of the changes.
    pub message: String,
    /// What they are of.
    pub edited: Edited,
}

impl Judgement {
    /// Nothing of it is taken in.
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self {
            refusals: vec![reason.into()],
            ..Self::default()
        }
    }
}

/// How a file differs from what was put there.
#[derive(Debug)]
pub(crate) enum Difference {
    /// It is gone, and nobody misses it.
    Gone,
    /// It is gone, and is written again; what is said of that.
    Missing(String),
    /// It cannot be read, and why.
    Odd(String),
    /// It holds another text.
    Text(Vec<u8>, Judgement),
}

/// A file that is not as it was put and lies still.
#[derive(Debug)]
pub(crate) struct Edit {
    /// The view; a stranger's file may be none.
    view: Option<View>,
    /// The file that was edited.
    pub path: PathBuf,
    /// Where it stands now: an exchange may have brought it out.
    pub place: PathBuf,
    /// What is there.
    pub difference: Difference,
    /// How the file looked, where a text was read in its place.
    stat: Option<FileStat>,
    /// What the KV file held as far as was known before.
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

/// Files in the notes folder that are nobody's note.
#[derive(Debug)]
pub(crate) struct Strangers {
    /// Their names.
    pub names: Vec<String>,
    /// How the folder looked when it was listed.
    pub folder: Option<FileStat>,
}

impl Views {
    /// Looks at the file of a view. Returns what is to be settled before the next file is looked at, with
    /// [`Views::put_back`] behind what is committed, or [`Views::put_off`] where that failed.
    pub(crate) fn poll(
        &mut self,
        view: View,
        from: &mut Sources<'_>,
    ) -> Result<Option<Edit>, Error> {
        if let View::AtRest(deferred) = view
            && self.drop_unless_kept(deferred, from.disk)?
        {
            return Ok(None);
        }
        let path = self.files.path(view);
        let failed = |error| Error::file("look at", &path, error);
        let stat = from.disk.stat(&path).map_err(failed)?;
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
            Found::Nothing => {
                let message = missing(view, &path, from);
                return Ok(Some(Edit::at(view, path, Difference::Missing(message))));
            }
            Found::Odd(reason) => return Ok(Some(Edit::at(view, path, Difference::Odd(reason)))),
            Found::Bytes(bytes) => bytes,
        };
        if let View::AtRest(deferred) = view
            && self.files.deferred.digests.get(&deferred) == Some(&Hash::of(&bytes))
        {
            self.files.remember(view, stat);
            self.watch.forget(view);
            return Ok(None);
        }
        let judgement = self.judge(view, &bytes, from)?;
        // From here on the file as it stands is what the next exchange brings out.
        self.files.remember(view, stat);
        let kv_before = match view {
            View::Kv => std::mem::replace(&mut self.files.kv_bytes, bytes.clone()),
            View::Note(_) | View::AtRest(_) => Vec::new(),
        };
        Ok(Some(Edit {
            stat,
            kv_before,
            ..Edit::at(view, path, Difference::Text(bytes, judgement))
        }))
    }

    /// Decides on a text that stands in the place of a view.
    fn judge(&self, view: View, bytes: &[u8], from: &mut Sources<'_>) -> Result<Judgement, Error> {
        match view {
            View::Kv => {
                let good = from.state.ram.to_file();
                let suspect = self.watch.kv_suspect;
                let unfinished = self.watch.is_stale(bytes) || good.starts_with(bytes);
                if bytes == self.files.kv_bytes || suspect && unfinished {
                    return Ok(Judgement::default());
                }
                let base = (!suspect).then(|| kv::entries_in(&from.state.ram));
                self.judge_kv(bytes, base, from)
            }
            View::Note(id) => {
                let good = from.state.notes.get(id).map(Note::to_file);
                let good = good.unwrap_or_default();
                let older = self.watch.versions.get(&id).cloned();
                if bytes == good || older.is_some() && good.starts_with(bytes) {
                    return Ok(Judgement::default());
                }
                judge_note(id, bytes, older.unwrap_or_default(), from)
            }
            View::AtRest(_) if self.watch.is_stale(bytes) => Ok(Judgement::default()),
            View::AtRest(_) => Ok(Judgement::refused(READ_ONLY)),
        }
    }

    /// An edit could not be settled: the file is looked at again.
    pub(crate) fn put_off(&mut self, edit: Edit) {
        if let (Difference::Text(..), Some(view)) = (edit.difference, edit.view) {
            if view == View::Kv {
                self.files.kv_bytes = edit.kv_before;
            }
            self.files.stats.remove(&view);
        }
    }

    /// Puts in place again what an edit that is settled left otherwise than the state has it. A deferred view
    /// becomes stale instead: a commit has to name it first.
    pub(crate) fn put_back(
        &mut self,
        view: View,
        edit: &Edit,
        from: &mut Sources<'_>,
    ) -> Result<(), Error> {
        // It is rewritten also when nothing but its form differs, unless the commit did that.
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
                    View::AtRest(_) => false,
                };
                let is_other = |good: Vec<u8>| good != *bytes;
                is_untouched && view.to_file(from.state).is_some_and(is_other)
            }
        };
        match view {
            View::AtRest(deferred) => drop(self.files.deferred.stale.insert(deferred)),
            View::Kv | View::Note(_) if is_due => {
                let new = view.rendered(from.state);
                self.put_or_wait(from.disk, view, new)?;
            }
            View::Kv | View::Note(_) => {}
        }
        self.watch.forget(view);
        Ok(())
    }

    /// Looks at the file that an exchange brought out and that waits for judgement. Returns `None`
    /// while somebody may still write to it. It stays where it is until it is [`Views::close_swapped_out`].
    pub(crate) fn poll_swapped_out(
        &mut self,
        swapped_out: &SwappedOut,
        from: &mut Sources<'_>,
    ) -> Result<Option<Edit>, Error> {
        let SwappedOut { view, path, .. } = swapped_out;
        let failed = |error| Error::file("look at", path, error);
        let stat = from.disk.stat(path).map_err(failed)?;
        if !self.watch.is_let_go(path, stat, from.now) {
            return Ok(None);
        }
        let bytes_max = self.bytes_max(*view);
        let difference = match quarantine::find(from.disk, path, bytes_max)? {
            Found::Nothing => Difference::Gone,
            Found::Odd(reason) => Difference::Odd(reason),
            Found::Bytes(bytes) => {
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
        from: &mut Sources<'_>,
    ) -> Result<Judgement, Error> {
        let view = swapped_out.view;
        let mut versions = Vec::new();
        if let View::Note(id) = view {
            let found = histories(&mut from.reader(), &|other| other == id)?;
            versions.extend(found.into_values().flatten().map(|it| it.note));
            if versions.iter().any(|note: &Note| note.to_file() == bytes) {
                return Ok(Judgement::default());
            }
        }
        if swapped_out.leftover && self.is_half_written(view, bytes, from)? {
            return Ok(Judgement::default());
        }
        match view {
            View::Kv => {
                let base = swapped_out.base.as_deref().and_then(kv::entries_of);
                self.judge_kv(bytes, base, from)
            }
            View::Note(id) => judge_note(id, bytes, versions, from),
            View::AtRest(_) => Ok(Judgement::refused(READ_ONLY)),
        }
    }

    /// Removes a file that came out of an exchange, once it is settled.
    pub(crate) fn close_swapped_out(
        &mut self,
        at: usize,
        edit: &Edit,
        disk: &mut dyn Disk,
    ) -> Result<(), Error> {
        if let Difference::Text(..) = edit.difference {
            disk.remove(&edit.place)
                .map_err(|error| Error::file("remove", &edit.place, error))?;
        }
        let swapped_out = self.files.swapped_out.remove(at);
        // Its name is safely gone only with the next sync of its folder.
        self.files.unsynced.insert(swapped_out.view);
        Ok(())
    }

    /// Whether a leftover is a view of ours, or half of one. What cannot be read at all is kept.
    fn is_half_written(
        &mut self,
        view: View,
        bytes: &[u8],
        from: &mut Sources<'_>,
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

    /// Lists the notes folder if something in it has changed.
    pub(crate) fn list_strangers(
        &mut self,
        disk: &mut dyn Disk,
    ) -> Result<Option<Strangers>, Error> {
        let folder = Path::new(layout::NOTES);
        let failed = |error| Error::file("look at", folder, error);
        let stat = disk.stat(folder).map_err(failed)?;
        if stat == self.watch.folder && self.watch.strangers.is_empty() {
            return Ok(None);
        }
        let Listing { mut names, ignored } = disk.list_all(folder).map_err(failed)?;
        // Looked at again if this look does not come to its end, also when nothing changes until then.
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
        Ok(Some(Strangers {
            names,
            folder: stat,
        }))
    }

    /// Looks at a file that is nobody's note. One that becomes a note gets its final name first, so that
    /// after a stop at any point it is still one note.
    pub(crate) fn poll_stranger(
        &mut self,
        name: &str,
        from: &mut Sources<'_>,
    ) -> Result<Option<Edit>, Error> {
        let path = Path::new(layout::NOTES).join(name);
        let failed = |error| Error::file("look at", &path, error);
        let Some(stat) = from.disk.stat(&path).map_err(failed)? else {
            return Ok(None);
        };
        // A folder or a link is nobody's note, and in nobody's way.
        if stat.kind != FileKind::File {
            return Ok(None);
        }
        let mut slot = self.watch.strangers.remove(name);
        if !Candidate::lies_still(&mut slot, Some(stat), from.now, EDIT_SETTLE_MS) {
            let slot = slot.map(|candidate| (name.to_owned(), candidate));
            self.watch.strangers.extend(slot);
            self.watch.report.waiting = true;
            return Ok(None);
        }
        let bytes = match quarantine::find(from.disk, &path, NOTE_FILE_BYTES_MAX)? {
            Found::Nothing => return Ok(None),
            Found::Odd(reason) => return Ok(Some(Edit::at(None, path, Difference::Odd(reason)))),
            Found::Bytes(bytes) => bytes,
        };
        let new = match notes::read_stranger(&bytes, from.state, from.scope) {
            Ok(new) => new,
            Err(reason) => return Ok(Some(Edit::at(None, path, Difference::Odd(reason)))),
        };
        let named = layout::note_of(name).filter(|id| id.0.get_version_num() == 7);
        let id = named.unwrap_or_else(|| DrawnIds { now: from.now }.next_note_id());
        // What the note was at the end of its life, as far as the journal is kept: its file may come back.
        let last = match named {
            Some(id) => histories(&mut from.reader(), &|other| other == id)?,
            None => BTreeMap::new(),
        };
        let last = last.into_values().flatten().last().map(|it| it.note);
        let judged = notes::judge_stranger(new, id, last.as_ref(), from.scope, &path, from.now);
        let judgement = match judged {
            Ok(judgement) => judgement,
            Err(reason) => return Ok(Some(Edit::at(None, path, Difference::Odd(reason)))),
        };
        let own_path = layout::note_path(id);
        if own_path != path && !move_stranger(from.disk, &path, &own_path)? {
            return Ok(None);
        }
        // What was read is what is known: anything written into it since will come out.
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
        from: &mut Sources<'_>,
    ) -> Result<Judgement, Error> {
        let entries = match kv::read_edited(bytes) {
            Ok(entries) => entries,
            Err(reason) => return Ok(Judgement::refused(reason)),
        };
        let base = match base {
            Some(base) => Base::Entries(base),
            None => Base::Known(self.values_since(from)?),
        };
        let (ram, path) = (&from.state.ram, &self.files.kv_path);
        Ok(kv::judge(&entries, &base, ram, from.scope, path))
    }

    /// For each key, every value (or absence) that it had since the checkpoint of the start.
    fn values_since(&self, from: &mut Sources<'_>) -> Result<KnownValues, Error> {
        let mut ram = self.watch.since.ram()?;
        let values = ram.entries();
        let mut known: KnownValues = values
            .map(|(key, value)| (key.to_owned(), vec![Some(value.clone())]))
            .collect();
        let place = self.watch.since.from;
        from.journal.read_from(from.disk, place, &mut |commit| {
            for event in &commit.draft.events {
                let Event::Change(change) = event else {
                    continue;
                };
                let key = match change.get() {
                    Change::RamSet(set) => {
                        ram.set(set.key.clone(), set.value.clone());
                        &set.key
                    }
                    Change::RamDeleted(deleted) => {
                        ram.delete(&deleted.key);
                        &deleted.key
                    }
                    Change::StorageSet(_)
                    | Change::StorageDeleted(_)
                    | Change::NoteCreated(_)
                    | Change::NoteUpdated(_)
                    | Change::NoteDeleted(_) => {
                        continue;
                    }
                };
                // A key that turns up here was absent before.
                let values = known.entry(key.clone()).or_insert_with(|| vec![None]);
                values.push(ram.get(key).cloned());
            }
        })?;
        Ok(known)
    }

    /// The largest file that is taken in for a view, in bytes; never less than it holds by right.
    fn bytes_max(&self, view: View) -> usize {
        match view {
            View::Kv => KV_FILE_BYTES_MAX.max(self.files.kv_bytes.len()),
            View::Note(_) => NOTE_FILE_BYTES_MAX,
            View::AtRest(_) => DEFERRED_FILE_BYTES_MAX,
        }
    }
}

/// What a person hears of a file that was missing.
fn missing(view: View, path: &Path, from: &Sources<'_>) -> String {
    let path = path.display().to_string();
    match view {
        View::Kv => kv::was_missing(&path),
        View::Note(id) => notes::was_missing(&path, from.state.notes.get(id)),
        View::AtRest(_) => format!("{path} was missing and was written again"),
    }
}

fn judge_note(
    id: NoteId,
    bytes: &[u8],
    older: Vec<Note>,
    from: &mut Sources<'_>,
) -> Result<Judgement, Error> {
    let Some(base) = from.state.notes.get(id) else {
        return Ok(Judgement::refused("the note was deleted meanwhile"));
    };
    let written = match notes::read_edited(bytes) {
        Ok(written) => written,
        Err(reason) => return Ok(Judgement::refused(reason)),
    };
    let older = beneath(base, &written, older, from)?;
    let (state, scope) = (from.state, from.scope);
    Ok(notes::judge(base, written, &older, state, scope, from.now))
}

/// The version that a text was written on top of, where it can be told, else all of the `older`
/// ones. An editor that was open all the time saves the fields of its own version; one that
/// changes nothing in it puts that version back.
fn beneath(
    base: &Note,
    written: &Written,
    mut older: Vec<Note>,
    from: &mut Sources<'_>,
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

/// Gives a stranger's file its final name, safely; `false` if it is gone.
fn move_stranger(disk: &mut dyn Disk, from: &Path, to: &Path) -> Result<bool, Error> {
    let failed = |error| Error::file("move", from, error);
    match disk.rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            disk.rename(from, to).map_err(failed)?;
        }
        moved => moved.map_err(failed)?,
    }
    let folder = to.parent().unwrap_or(to);
    disk.sync_folder(folder)
        .map_err(|error| Error::sync(folder, error))?;
    Ok(true)
}
