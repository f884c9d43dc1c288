//! Opening a root: the journal replayed, the torn end put aside, the KV file looked at.
//! Crash-safe at every point, and idempotent: a start that dies is simply repeated. What cannot be
//! explained as a torn append is refused, and then nothing has been changed.

use super::conversations::Conversations;
use super::deferred_views::DeferredView;
use super::disk::{Disk, FailStop};
use super::edits::{Watch, own_draft};
use super::error::Error;
use super::journal::recover::recover;
use super::journal::{Head, Journal, Log as _};
use super::kv_edits::kv_was_missing;
use super::quarantine::{self, Found};
use super::views::View;
use super::{Options, Store, layout};
use crate::core::journal::event::{FORMAT_VERSION, RootCreated, ViewRestored};
use crate::core::journal::{Cause, Event};
use crate::limits::KV_FILE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Something that a person should hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One sentence.
    pub message: String,
    /// Whether it only tells how work goes on, and nothing is wrong.
    pub is_progress: bool,
}

impl Notice {
    /// How work goes on.
    pub(super) const fn progress(message: String) -> Self {
        Self {
            message,
            is_progress: true,
        }
    }
}

impl From<String> for Notice {
    /// Something is not as it should be.
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
    /// [`Error::Damaged`] and [`Error::Incomplete`] for a journal that is more than torn: nothing
    /// was changed then.
    pub fn open(
        mut disk: Box<dyn Disk>,
        options: Options,
        now: Timestamp,
    ) -> Result<(Self, Vec<Notice>), Error> {
        let replayed = recover(disk.as_mut(), &options.kv_path)?;
        let torn_bytes = replayed.end.torn_bytes;
        let journal = Journal::after(&replayed, options.segment_bytes);
        let is_new = journal.end().head == Head::START;
        let mut state = replayed.state;
        state.log.keep(options.log_entries_max);
        let mut views = replayed.views;
        views.deferred.set_layout(options.layout);
        let mut store = Self {
            disk: FailStop::new(disk),
            options,
            state,
            journal,
            views,
            edits: Watch::after_start(replayed.since),
            conversations: Conversations::default(),
            index: None,
        };
        let mut notices = Vec::new();
        let mut events = Vec::new();
        if let Some(bytes) = replayed.bad_checkpoint {
            let event = store.keep_bad_checkpoint(&bytes, now)?;
            notices.push(format!(
                "the checkpoint was damaged and is kept as {}; the journal was replayed from its beginning",
                event.kept_as.as_deref().unwrap_or_default()
            ));
            events.push(Event::ViewRestored(event));
        }
        if torn_bytes > 0 {
            let event = store
                .journal
                .cut_tail(store.disk.as_mut(), torn_bytes, now)?;
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
            let failed = |error| Error::file("look at", folder, error);
            store.disk.anchor(Path::new(folder)).map_err(failed)?;
        }
        notices.extend(store.check_kv_file(is_new, &mut events)?);
        let rebuilt = replayed.storage_rebuilt;
        notices.extend(store.check_deferred(rebuilt, now, &mut events)?);
        // A process that died may have put it back without a commit that says so.
        store.views.unsynced.insert(View::Kv);
        if !events.is_empty() {
            let mut draft = own_draft(Cause::plain("recovery"), events, now);
            let written = store.write(&mut draft, true);
            written.map_err(Error::before_work)?;
        }
        store.find_leftovers()?;
        store.restore_conversations(replayed.kept)?;
        Ok((store, notices.into_iter().map(Notice::from).collect()))
    }

    /// The first start: folders, then the first line.
    fn create_root(&mut self, now: Timestamp) -> Result<(), Error> {
        for folder in [layout::JOURNAL, layout::NOTES, layout::INBOX] {
            let failed = |error| Error::file("create", folder, error);
            self.disk.create_folder(Path::new(folder)).map_err(failed)?;
        }
        let created = RootCreated {
            format: FORMAT_VERSION,
            workspace_id: self.options.scope.workspace_id,
        };
        let draft = own_draft(Cause::plain("root"), vec![Event::RootCreated(created)], now);
        self.commit(draft).map_err(Error::before_work)?;
        Ok(())
    }

    /// Puts the bytes of a damaged checkpoint aside.
    fn keep_bad_checkpoint(&mut self, bytes: &[u8], now: Timestamp) -> Result<ViewRestored, Error> {
        let path = Path::new(layout::CHECKPOINT);
        let kept = quarantine::keep(self.disk.as_mut(), "checkpoint.json", bytes, now)?;
        self.disk
            .remove(path)
            .map_err(|error| Error::file("remove", path, error))?;
        Ok(ViewRestored {
            path: path.display().to_string(),
            reason: "it was damaged".to_owned(),
            kept_as: Some(kept.display().to_string()),
        })
    }

    /// Looks at the KV file: restores one that is missing or stale. One that a person edited is
    /// left for [`Store::take_edits`].
    fn check_kv_file(
        &mut self,
        is_new: bool,
        events: &mut Vec<Event>,
    ) -> Result<Option<String>, Error> {
        let path = self.views.kv_path.clone();
        let wanted = self.state.ram.to_file();
        let failed = |error| Error::file("look at", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        let bytes_max = KV_FILE_BYTES_MAX.max(wanted.len());
        let found = quarantine::find(self.disk.as_mut(), &path, bytes_max)?;
        self.views.kv_bytes.clone_from(&wanted);
        match found {
            Found::Bytes(bytes) if bytes == wanted => {
                self.views.remember(View::Kv, stat);
                self.edits.forget(View::Kv);
            }
            Found::Bytes(bytes) if self.edits.is_stale(&bytes) => {
                // Known for what it is: nothing of it is kept when it is replaced.
                self.views.remember(View::Kv, stat);
                self.edits.forget(View::Kv);
                self.put_again(View::Kv)?;
            }
            Found::Bytes(_) | Found::Odd(_) => {}
            Found::Nothing => {
                self.edits.forget(View::Kv);
                self.put_again(View::Kv)?;
                // Written since the checkpoint, it was not safe yet when the power went.
                let unsafe_yet = !self.edits.since.clean && self.views.unsynced.contains(&View::Kv);
                if is_new || unsafe_yet {
                    return Ok(None);
                }
                let path = path.display().to_string();
                let message = kv_was_missing(&path);
                events.push(Event::ViewRestored(ViewRestored::missing(path)));
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Finds what a stop left behind beside the KV file and the deferred views.
    fn find_leftovers(&mut self) -> Result<(), Error> {
        let deferred = DeferredView::ALL.into_iter().map(View::AtRest);
        let views: Vec<View> = deferred.chain([View::Kv]).collect();
        let paths: BTreeMap<_, View> = views
            .into_iter()
            .map(|view| (self.views.path(view), view))
            .collect();
        let folder_of = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
        let folders: BTreeSet<_> = paths.keys().map(|path| folder_of(path)).collect();
        for folder in folders {
            let names = self.disk.list(&folder);
            for name in names.map_err(|error| Error::file("list", &folder, error))? {
                let beside = layout::leftover_of(&name).map(|file| folder.join(file));
                if let Some(view) = beside.and_then(|path| paths.get(&path)) {
                    self.keep_leftover(&folder.join(&name), *view)?;
                }
            }
        }
        Ok(())
    }
}
