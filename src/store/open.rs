//! The opening of a root: replay the journal, cut a torn end, and compare the views.
//! The notes' files are read later. A start is crash-safe at every point and idempotent: one that
//! dies is simply repeated. Damage beyond a torn append is refused, and then nothing has been
//! changed.

use super::commit::own_draft;
use super::disk::{Disk, FailStop};
use super::error::Error;
use super::journal::recover::recover;
use super::journal::retire::{Plan, carried};
use super::journal::{Head, checkpoint};
use super::views::conversations::Conversations;
use super::views::watch::EditWatch;
use super::views::{View, Views, notes};
use super::{Options, Store, layout};
use crate::core::journal::event::{FORMAT_VERSION, RootCreated, ViewRestored};
use crate::core::journal::{Cause, Event, State};
use crate::ids::NoteId;
use crate::time::Timestamp;
use std::path::Path;

/// A notice for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text, as one sentence.
    pub message: String,
    /// Whether it only reports progress, and nothing is wrong.
    pub is_progress: bool,
}

impl Notice {
    /// Returns a report of progress.
    pub(super) const fn progress(message: String) -> Self {
        Self {
            message,
            is_progress: true,
        }
    }
}

impl From<String> for Notice {
    /// Returns a notice of a problem.
    fn from(message: String) -> Self {
        Self {
            message,
            is_progress: false,
        }
    }
}

impl Store {
    /// Opens a root for writing. The caller holds the folder's lock.
    ///
    /// # Errors
    /// [`Error::Damaged`] and [`Error::Incomplete`] for damage beyond a torn append: nothing was
    /// changed then.
    pub fn open(
        mut disk: Box<dyn Disk>,
        options: Options,
        now: Timestamp,
    ) -> Result<(Self, Vec<Notice>), Error> {
        let replayed = recover(disk.as_mut(), &options.kv_path)?;
        let torn_bytes = replayed.torn_bytes;
        let mut segments = replayed.segments;
        segments.segment_bytes = options.segment_bytes;
        let is_new = segments.head() == Head::START;
        let mut state = replayed.state;
        state.main.log.keep(options.log_entries_max);
        let mut views = Views {
            files: replayed.views,
            conversations: Conversations::default(),
            watch: EditWatch::after_start(replayed.since),
        };
        views.files.deferred.set_layout(options.layout);
        let mut store = Self {
            disk: FailStop::new(disk),
            options,
            state,
            segments,
            views,
            index: None,
        };
        let mut notices = Vec::new();
        let mut events = Vec::new();
        if let Some(bytes) = replayed.bad_checkpoint {
            let event = checkpoint::put_aside(store.disk.as_mut(), &bytes, now)?;
            notices.push(format!(
                "the checkpoint was damaged and is kept as {}; the journal was replayed from its beginning",
                event.kept_as.as_deref().unwrap_or_default()
            ));
            events.push(Event::ViewRestored(event));
        }
        if torn_bytes > 0 {
            let disk = store.disk.as_mut();
            let event = store.segments.cut_tail(disk, torn_bytes, now)?;
            notices.push(format!(
                "{} ended in a torn write; its {torn_bytes} bytes are kept as {}",
                event.segment, event.kept_as
            ));
            events.push(Event::TailCut(event));
        }
        if is_new {
            store.create_root(now)?;
        }
        for folder in [layout::DATA, layout::JOURNAL] {
            let anchored = store.disk.anchor(Path::new(folder));
            anchored.map_err(|error| Error::file("look at", folder, error))?;
        }
        let (views, mut from) = store.parts(now);
        notices.extend(views.check_kv(&mut from, is_new, &mut events)?);
        let rebuilt = replayed.storage_rebuilt;
        notices.extend(views.check_deferred(&mut from, rebuilt, &mut events)?);
        // A process that died may have restored it without a commit about that.
        views.files.unsynced.insert(View::Kv);
        if !events.is_empty() {
            let mut draft = own_draft(Cause::plain("recovery"), events, now);
            let written = store.write(&mut draft, true);
            written.map_err(Error::before_work)?;
        }
        let disk = store.disk.as_mut();
        store.views.find_leftovers(disk)?;
        store.views.conversations.keep(disk, replayed.kept)?;
        Ok((store, notices.into_iter().map(Notice::from).collect()))
    }

    /// Creates a root on an empty disk with the state of another root, and returns its last commit.
    /// The new root is left like after a stop in good order. Its journal begins with the state that
    /// retention would carry over, and has no earlier history. Never touches the other root.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a state with a part that fits no commit.
    pub fn bootstrap(
        disk: Box<dyn Disk>,
        options: Options,
        state: &State,
        now: Timestamp,
    ) -> Result<Head, Error> {
        let (mut store, _) = Self::open(disk, options, now)?;
        for events in carried(state, &Plan::from_nothing(store.segments.first)) {
            store.commit(own_draft(Cause::plain("founding"), events, now))?;
        }
        let notes: Vec<NoteId> = store.state.notes.iter().map(|note| note.id).collect();
        let notes = notes.into_iter().map(View::Note);
        for view in notes.chain([View::Kv]) {
            let new = view.rendered(&store.state);
            store.views.put(store.disk.as_mut(), view, new)?;
        }
        store.read_notes(now)?;
        store.checkpoint(true, now)?;
        Ok(store.head())
    }

    /// Creates a root: its folders, then the first line.
    fn create_root(&mut self, now: Timestamp) -> Result<(), Error> {
        for folder in [layout::JOURNAL, layout::NOTES, layout::INBOX] {
            self.disk.as_mut().make_folder(Path::new(folder))?;
        }
        let created = RootCreated {
            format: FORMAT_VERSION,
            workspace_id: self.options.scope.workspace_id,
        };
        let draft = own_draft(Cause::plain("root"), vec![Event::RootCreated(created)], now);
        self.commit(draft).map_err(Error::before_work)?;
        Ok(())
    }

    /// Reads the notes, unless that was done already. Returns notices for a person.
    ///
    /// # Errors
    /// After [`Error::Full`] the call can be repeated.
    pub fn read_notes(&mut self, now: Timestamp) -> Result<Vec<String>, Error> {
        if self.views.watch.compared {
            return Ok(Vec::new());
        }
        let (views, mut from) = self.parts(now);
        let mut read = views.read_notes(&mut from)?;
        self.state.notes.fill(std::mem::take(&mut read.notes));
        let mut notices = Vec::new();
        let mut events = Vec::new();
        for id in read.missing() {
            let path = layout::note_path(id).display().to_string();
            notices.push(notes::was_missing(&path, self.state.notes.get(id)));
            events.push(Event::ViewRestored(ViewRestored::missing(path)));
        }
        // The line comes first: a restored file is not missing any more.
        if !events.is_empty() {
            let committed = self.commit(own_draft(Cause::plain("recovery"), events, now));
            committed.map_err(Error::before_work)?;
        }
        for id in read.unwritten() {
            let new = View::Note(id).rendered(&self.state);
            let disk = self.disk.as_mut();
            self.views.put_or_wait(disk, View::Note(id), new)?;
        }
        self.views.watch.compared = true;
        Ok(notices)
    }
}
