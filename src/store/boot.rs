//! Opening a root: checkpoint, replay of the tail, the torn end put aside, the KV file looked at.
//! Crash-safe at every point, and idempotent: a start that dies is simply repeated. What cannot be
//! explained as a torn append is refused, and then nothing has been changed.

use super::checkpoint::{self, Checkpoint, First};
use super::conversations::{self, Conversations};
use super::disk::{Disk, FailStop};
use super::edits::{Since, Watch, own_draft};
use super::error::Error;
use super::journal::{Head, LastLine, Segments};
use super::quarantine::{self, Found};
use super::scan::{self, End, Place};
use super::views::{View, Views};
use super::{Options, Store, layout};
use crate::core::journal::commit::{decode, place_of};
use crate::core::journal::event::{
    ConversationKept, FORMAT_VERSION, RootCreated, TailCut, ViewRestored,
};
use crate::core::journal::{Commit, Event, Hash, State};
use crate::limits::KV_FILE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::BTreeSet;
use std::path::Path;

/// Something that a person should hear about a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One sentence.
    pub message: String,
}

/// What the journal says, before anything is changed.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The state; its notes are complete only after a full replay.
    pub(super) state: State,
    /// Where the journal ends.
    pub(super) end: End,
    /// Where the last commit's line stands.
    last: Option<LastLine>,
    /// Where the kept journal begins.
    pub(super) first: First,
    /// What the views should hold.
    pub(super) views: Views,
    /// The time since the checkpoint.
    since: Since,
    /// A damaged checkpoint's bytes.
    bad_checkpoint: Option<Vec<u8>>,
    /// Conversations that were retained since the checkpoint.
    kept: Vec<ConversationKept>,
}

/// Reads checkpoint and tail. Changes nothing.
pub(super) fn replay(disk: &mut dyn Disk, kv_path: &Path) -> Result<Replayed, Error> {
    let (checkpoint, bad_checkpoint) = match checkpoint::read(disk)? {
        Ok(checkpoint) => (checkpoint, None),
        Err(bytes) => (None, Some(bytes)),
    };
    let has_checkpoint = checkpoint.is_some();
    let Start {
        mut state,
        last,
        mut since,
        first,
        mut views,
    } = Start::of(disk, checkpoint)?;
    views.kv_path = kv_path.to_path_buf();
    let present = scan::segments(disk)?;
    if present.is_empty() && bad_checkpoint.is_some() {
        let message = "there is a checkpoint, but no journal";
        return Err(Error::Incomplete(message.to_owned()));
    }
    if !present.is_empty() {
        scan::check_whole(&present, first.segment)?;
    }
    let mut carried = First::START.segment;
    let mut kept = Vec::new();
    let end = scan::scan(disk, since.from, &mut |commit, _| {
        state.apply_commit(commit);
        note_views(commit, &mut views, &mut since.known);
        kept.extend(conversations::kept_in(commit));
        for event in &commit.draft.events {
            if let Event::StateCarried(carry) = event {
                carried = carried.max(carry.first_segment);
            }
        }
    })?;
    if !has_checkpoint && carried < first.segment {
        return Err(Error::Incomplete(format!(
            "the journal begins with {}, but what came before was never carried over",
            layout::segment_name(first.segment)
        )));
    }
    since.clean &= end.read_bytes == 0 && end.torn_bytes == 0;
    Ok(Replayed {
        last: end.last.or(last),
        state,
        end,
        first,
        views,
        since,
        bad_checkpoint,
        kept,
    })
}

/// What a replay begins with.
struct Start {
    state: State,
    last: Option<LastLine>,
    since: Since,
    first: First,
    views: Views,
}

impl Start {
    fn of(disk: &mut dyn Disk, checkpoint: Option<Checkpoint>) -> Result<Self, Error> {
        let mut views = Views::default();
        let Some(mut checkpoint) = checkpoint else {
            let first = first_kept(disk)?;
            let state = State::empty();
            let from = Place {
                segment: first.segment,
                offset: 0,
                head: first.head,
            };
            let known = BTreeSet::from([Hash::of(&state.ram.to_file())]);
            let ram = state.ram.clone();
            let clean = false;
            // Nothing says what of it is safe.
            views.unsynced.insert(View::Kv);
            return Ok(Self {
                state,
                last: None,
                since: Since {
                    clean,
                    known,
                    from,
                    ram,
                },
                first,
                views,
            });
        };
        check_covered(disk, &checkpoint)?;
        views.notes = checkpoint.notes()?;
        let state = checkpoint.state();
        let Checkpoint {
            last,
            head,
            first,
            clean,
            kv,
            ..
        } = checkpoint;
        let place = |last: LastLine| (last.segment, last.offset.saturating_add(last.bytes));
        let (segment, offset) = last.map_or((first.segment, 0), place);
        let from = Place {
            segment,
            offset,
            head,
        };
        let known = BTreeSet::from([kv]);
        let ram = state.ram.clone();
        Ok(Self {
            state,
            last,
            since: Since {
                clean,
                known,
                from,
                ram,
            },
            first,
            views,
        })
    }
}

/// The checkpoint's last line must still be where it was, and whole: it was acknowledged.
fn check_covered(disk: &mut dyn Disk, checkpoint: &Checkpoint) -> Result<(), Error> {
    let Some(last) = checkpoint.last else {
        return Ok(());
    };
    let lost = || {
        Error::Incomplete(format!(
            "{} no longer holds commit {} that the checkpoint covers",
            layout::segment_name(last.segment),
            checkpoint.head.seq
        ))
    };
    let path = layout::segment_path(last.segment);
    let bytes = usize::try_from(last.bytes).map_err(|_| lost())?;
    if disk
        .stat(&path)
        .map_err(|error| Error::file("look at", &path, error))?
        .is_none()
    {
        return Err(lost());
    }
    let line = disk
        .read_at(&path, last.offset, bytes)
        .map_err(|error| Error::file("read", &path, error))?;
    let line = line.strip_suffix(b"\n").ok_or_else(lost)?;
    let (seq, prev, hash) = place_of(line).ok_or_else(lost)?;
    if (Head { seq, hash }) != checkpoint.head || decode(line, seq, prev).is_err() {
        return Err(lost());
    }
    Ok(())
}

/// Where a journal without a checkpoint begins: with the unbroken row of segments up to the last
/// one. Its first line says what came before.
pub(super) fn first_kept(disk: &mut dyn Disk) -> Result<First, Error> {
    let present = scan::segments(disk)?;
    let Some(last) = present.last().copied() else {
        return Ok(First::START);
    };
    let segment = (1..=last)
        .rev()
        .take_while(|number| present.contains(number))
        .last()
        .unwrap_or(last);
    if segment == First::START.segment {
        return Ok(First::START);
    }
    let bytes = scan::read_segment(disk, segment, 0)?;
    let line = bytes
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let (seq, prev, _) = place_of(line).ok_or_else(|| {
        let name = layout::segment_name(segment);
        Error::Incomplete(format!(
            "the journal begins with {name}, and its first line is damaged"
        ))
    })?;
    Ok(First {
        segment,
        head: Head {
            seq: seq.saturating_sub(1),
            hash: prev,
        },
    })
}

/// Notes what a commit says about the views: what they should hold, and what they held.
fn note_views(commit: &Commit, views: &mut Views, known: &mut BTreeSet<Hash>) {
    for event in &commit.draft.events {
        if let Event::NoteCarried(carried) = event {
            let digest = Hash::of(&carried.note.to_file());
            known.insert(digest);
            views.notes.insert(carried.note.id, digest);
        }
        if let Event::ViewsWritten(written) = event {
            for (path, digest) in &written.files {
                let digest = digest.as_deref().and_then(Hash::parse);
                note_view(Path::new(path), digest, views, known);
            }
        }
    }
}

fn note_view(path: &Path, digest: Option<Hash>, views: &mut Views, known: &mut BTreeSet<Hash>) {
    known.extend(digest);
    if path == views.kv_path {
        views.unsynced.insert(View::Kv);
        return;
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(id) = name
        .filter(|_| path.starts_with(layout::NOTES))
        .and_then(layout::note_of)
    else {
        return;
    };
    views.unsynced.insert(View::Note(id));
    known.extend(match digest {
        Some(digest) => views.notes.insert(id, digest),
        None => views.notes.remove(&id),
    });
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
        let replayed = replay(disk.as_mut(), &options.kv_path)?;
        let End {
            place, torn_bytes, ..
        } = replayed.end;
        let segments = Segments {
            number: place.segment,
            bytes: place.offset,
            last: replayed.last,
            head: place.head,
            segment_bytes: options.segment_bytes,
            since_checkpoint: replayed.end.read_bytes,
        };
        let is_new = segments.head == Head::START;
        let mut store = Self {
            disk: Box::new(FailStop::new(disk)),
            options,
            state: replayed.state,
            segments,
            first: replayed.first,
            views: replayed.views,
            edits: Watch::after_start(replayed.since),
            conversations: Conversations::default(),
        };
        if !is_new && !store.edits.since.clean {
            store.secure_tail()?;
        }
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
            let event = store.cut_tail(torn_bytes, now)?;
            notices.push(format!(
                "{} ended in a torn write; its {torn_bytes} bytes are kept as {}",
                event.segment, event.kept_as
            ));
            events.push(Event::TailCut(event));
        }
        if is_new {
            store.create_root(now)?;
        }
        notices.extend(store.check_kv_file(is_new, &mut events)?);
        if !events.is_empty() {
            store.commit(own_draft("recovery", events, now))?;
        }
        store.find_kv_leftovers()?;
        store.restore_conversations(replayed.kept)?;
        let notices = notices.into_iter().map(|message| Notice { message });
        Ok((store, notices.collect()))
    }

    /// Makes safe what was read: the last line may have been written by a process that died
    /// before its sync, and from here on it counts; or a torn one was cut and may come back.
    fn secure_tail(&mut self) -> Result<(), Error> {
        let number = self.segments.number;
        let last = self.segments.last.map_or(number, |last| last.segment);
        for number in last..=number {
            let path = layout::segment_path(number);
            self.disk.sync(&path).map_err(Error::Journal)?;
        }
        let folder = Path::new(layout::JOURNAL);
        self.disk.sync_folder(folder).map_err(Error::Journal)
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
        self.commit(own_draft("root", vec![Event::RootCreated(created)], now))?;
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

    /// Puts the bytes of a torn append aside and cuts them off.
    fn cut_tail(&mut self, bytes: u64, now: Timestamp) -> Result<TailCut, Error> {
        let Segments {
            number,
            bytes: good,
            ..
        } = self.segments;
        let segment = layout::segment_name(number);
        let path = layout::segment_path(number);
        let torn = scan::read_segment(self.disk.as_mut(), number, good)?;
        let kept = quarantine::keep(self.disk.as_mut(), &segment, &torn, now)?;
        self.disk.truncate(&path, good).map_err(Error::Journal)?;
        self.disk.sync(&path).map_err(Error::Journal)?;
        Ok(TailCut {
            segment,
            bytes,
            kept_as: kept.display().to_string(),
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
                self.views.stats.extend(stat.map(|stat| (View::Kv, stat)));
                self.edits.forget(View::Kv);
            }
            Found::Bytes(bytes) if self.edits.is_stale(&bytes) => {
                // Known for what it is: nothing of it is kept when it is replaced.
                self.views.stats.extend(stat.map(|stat| (View::Kv, stat)));
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
                let message = format!(
                    "{path} was missing and was written again; to empty RAM, use `ram delete`"
                );
                events.push(Event::ViewRestored(ViewRestored {
                    path,
                    reason: "it was missing".to_owned(),
                    kept_as: None,
                }));
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Finds what a stop left behind beside the KV file.
    fn find_kv_leftovers(&mut self) -> Result<(), Error> {
        let path = self.views.kv_path.clone();
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let names = self
            .disk
            .list(folder)
            .map_err(|error| Error::file("list", folder, error))?;
        for name in names {
            if layout::leftover_of(&name).map(Path::new) == path.file_name().map(Path::new) {
                self.keep_leftover(&folder.join(&name), View::Kv)?;
            }
        }
        Ok(())
    }
}
