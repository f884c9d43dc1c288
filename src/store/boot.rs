//! Opening a root: checkpoint, replay of the tail, the torn end put aside, the KV file looked at.
//! Crash-safe at every point, and idempotent: a start that dies is simply repeated. What cannot be
//! explained as a torn append is refused, and then nothing has been changed.

use super::checkpoint::{self, Checkpoint, First};
use super::conversations::Conversations;
use super::disk::Disk;
use super::edits::Watch;
use super::error::Error;
use super::journal::{Head, Segments};
use super::scan::{self, End, Place};
use super::views::{View, Views};
use super::{Options, Store, conversations, layout, quarantine};
use crate::core::journal::commit::place_of;
use crate::core::journal::event::{ConversationKept, RootCreated, TailCut, ViewRestored};
use crate::core::journal::{Actor, ActorType, Cause, Commit, Draft, Event, Hash, State};
use crate::limits::KV_FILE_BYTES_MAX;
use crate::time::Timestamp;
use std::collections::BTreeSet;
use std::path::Path;

/// The version of the whole format, as the first line states it.
const FORMAT: u32 = 1;

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
    /// Where the kept journal begins.
    pub(super) first: First,
    /// What the views should hold.
    pub(super) views: Views,
    /// Digests that the views had since the checkpoint: files that hold one of these are stale,
    /// not edited.
    pub(super) known: BTreeSet<Hash>,
    /// Where the replay began.
    pub(super) from: Place,
    /// Whether the last stop was in good order and nothing came after it.
    pub(super) clean: bool,
    /// A damaged checkpoint's bytes.
    pub(super) bad_checkpoint: Option<Vec<u8>>,
    /// Whether there is no journal at all.
    pub(super) is_new: bool,
    /// Conversations that were retained since the checkpoint.
    pub(super) kept: Vec<ConversationKept>,
}

/// Reads checkpoint and tail. Changes nothing.
pub(super) fn replay(disk: &mut dyn Disk, kv_path: &Path) -> Result<Replayed, Error> {
    let (checkpoint, bad_checkpoint) = match checkpoint::read(disk)? {
        Ok(checkpoint) => (checkpoint, None),
        Err(bytes) => (None, Some(bytes)),
    };
    let mut start = Start::of(disk, checkpoint, kv_path)?;
    let mut tail = 0_u64;
    let mut kept = Vec::new();
    let end = if scan::segments(disk)?.is_empty() {
        let Place {
            segment,
            offset,
            head,
        } = start.from;
        End {
            segment,
            bytes: offset,
            last_line: offset,
            head,
            torn_bytes: 0,
        }
    } else {
        scan::scan(disk, start.from, &mut |commit, _| {
            start.state.apply_commit(commit);
            note_views(commit, &mut start.views, &mut start.known);
            kept.extend(conversations::kept_in(commit));
            tail += 1;
        })?
    };
    Ok(Replayed {
        clean: start.clean && tail == 0 && end.torn_bytes == 0,
        is_new: end.head.seq == 0 && end.torn_bytes == 0 && bad_checkpoint.is_none(),
        state: start.state,
        end,
        first: start.first,
        views: start.views,
        known: start.known,
        from: start.from,
        bad_checkpoint,
        kept,
    })
}

/// What a replay begins with.
struct Start {
    state: State,
    from: Place,
    first: First,
    views: Views,
    known: BTreeSet<Hash>,
    clean: bool,
}

impl Start {
    fn of(
        disk: &mut dyn Disk,
        checkpoint: Option<Checkpoint>,
        kv_path: &Path,
    ) -> Result<Self, Error> {
        let mut views = Views {
            kv_path: kv_path.to_path_buf(),
            ..Views::default()
        };
        let Some(mut checkpoint) = checkpoint else {
            let first = first_kept(disk)?;
            let from = Place {
                segment: first.segment,
                offset: 0,
                head: first.head,
            };
            let (state, known) = (State::empty(), BTreeSet::new());
            return Ok(Self {
                state,
                from,
                first,
                views,
                known,
                clean: false,
            });
        };
        check_covered(disk, &checkpoint)?;
        views.kv_digest = checkpoint.kv;
        views.notes = checkpoint.notes()?;
        let Checkpoint {
            segment,
            end: offset,
            head,
            first,
            clean,
            kv,
            ..
        } = checkpoint;
        let from = Place {
            segment,
            offset,
            head,
        };
        let state = checkpoint.state();
        Ok(Self {
            state,
            from,
            first,
            views,
            known: kv.into_iter().collect(),
            clean,
        })
    }
}

/// The checkpoint's last line must still be where it was: it was acknowledged.
fn check_covered(disk: &mut dyn Disk, checkpoint: &Checkpoint) -> Result<(), Error> {
    let name = layout::segment_name(checkpoint.segment);
    let lost = || {
        Error::Incomplete(format!(
            "{name} no longer holds commit {} that the checkpoint covers",
            checkpoint.head.seq
        ))
    };
    let path = layout::segment_path(checkpoint.segment);
    let bytes = usize::try_from(checkpoint.end - checkpoint.last_line).map_err(|_| lost())?;
    if checkpoint.head == Head::START {
        return Ok(());
    }
    let line = disk
        .read_at(&path, checkpoint.last_line, bytes)
        .map_err(|_| lost())?;
    let line = line.strip_suffix(b"\n").ok_or_else(lost)?;
    match place_of(line) {
        Some((seq, _, hash)) if (Head { seq, hash }) == checkpoint.head => Ok(()),
        Some(_) | None => Err(lost()),
    }
}

/// Where a journal without a checkpoint begins: its first line says what came before.
pub(super) fn first_kept(disk: &mut dyn Disk) -> Result<First, Error> {
    let Some(segment) = scan::segments(disk)?.first().copied() else {
        return Ok(First::START);
    };
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
            "{name} is the first segment, and its first line is damaged"
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

fn note_views(commit: &Commit, views: &mut Views, known: &mut BTreeSet<Hash>) {
    for event in &commit.draft.events {
        let Event::ViewsWritten(written) = event else {
            continue;
        };
        for (path, digest) in &written.files {
            let digest = digest.as_deref().and_then(Hash::parse);
            known.extend(digest);
            let path = Path::new(path);
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            match (layout::note_of(name), digest) {
                (Some(id), Some(digest)) if path.starts_with(layout::NOTES) => {
                    known.extend(views.notes.insert(id, digest));
                }
                (Some(id), None) if path.starts_with(layout::NOTES) => {
                    known.extend(views.notes.remove(&id));
                }
                _ if path == views.kv_path => views.kv_digest = digest,
                _ => {}
            }
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
        let replayed = replay(disk.as_mut(), &options.kv_path)?;
        let mut notices = Vec::new();
        let segments = Segments {
            number: replayed.end.segment,
            bytes: replayed.end.bytes,
            last_line: replayed.end.last_line,
            head: replayed.end.head,
            segment_bytes: options.segment_bytes,
            since_checkpoint: replayed.end.bytes,
        };
        let is_new = replayed.is_new;
        let torn_bytes = replayed.end.torn_bytes;
        let bad_checkpoint = replayed.bad_checkpoint;
        let mut store = Self {
            disk,
            options,
            state: replayed.state,
            segments,
            first: replayed.first,
            views: replayed.views,
            edits: Watch::after_start(replayed.clean, replayed.known, replayed.from),
            conversations: Conversations::default(),
        };
        if is_new {
            store.create_root(now)?;
        }
        if let Some(bytes) = bad_checkpoint {
            let kept = quarantine::keep(store.disk.as_mut(), "checkpoint.json", &bytes, now)?;
            let kept = kept.display();
            let message = format!(
                "the checkpoint was damaged and is kept as {kept}; the journal was replayed from its beginning"
            );
            notices.push(Notice { message });
        }
        if torn_bytes > 0 {
            notices.push(store.cut_tail(torn_bytes, now)?);
        }
        notices.extend(store.check_kv_file(is_new, now)?);
        store.restore_conversations(replayed.kept)?;
        Ok((store, notices))
    }

    /// The first start: folders, then the first line.
    fn create_root(&mut self, now: Timestamp) -> Result<(), Error> {
        for folder in [layout::JOURNAL, layout::NOTES, layout::INBOX] {
            let failed = |error| Error::file("create", folder, error);
            self.disk.create_folder(Path::new(folder)).map_err(failed)?;
        }
        let workspace_id = self.options.scope.workspace_id;
        let created = RootCreated {
            format: FORMAT,
            workspace_id,
        };
        self.commit(own_draft("root", vec![Event::RootCreated(created)], now))?;
        Ok(())
    }

    /// Puts the bytes of a torn append aside and cuts them off.
    fn cut_tail(&mut self, bytes: u64, now: Timestamp) -> Result<Notice, Error> {
        let segment = layout::segment_name(self.segments.number);
        let path = layout::segment_path(self.segments.number);
        let torn = scan::read_segment(
            self.disk.as_mut(),
            self.segments.number,
            self.segments.bytes,
        )?;
        let kept = quarantine::keep(self.disk.as_mut(), &segment, &torn, now)?;
        self.disk
            .truncate(&path, self.segments.bytes)
            .map_err(Error::Journal)?;
        self.disk.sync(&path).map_err(Error::Journal)?;
        let kept_as = kept.display().to_string();
        let message =
            format!("{segment} ended in a torn write; its {bytes} bytes are kept as {kept_as}");
        let cut = TailCut {
            segment,
            bytes,
            kept_as,
        };
        self.commit(own_draft("recovery", vec![Event::TailCut(cut)], now))?;
        Ok(Notice { message })
    }

    /// Looks at the KV file: restores one that is missing or stale. One that a person edited is
    /// left for [`Store::take_edits`].
    fn check_kv_file(&mut self, is_new: bool, now: Timestamp) -> Result<Option<Notice>, Error> {
        let path = self.options.kv_path.clone();
        let wanted = self.state.ram.to_file();
        let failed = |error| Error::file("read", &path, error);
        let stat = self.disk.stat(&path).map_err(failed)?;
        self.views.kv_bytes.clone_from(&wanted);
        let Some(stat) = stat else {
            self.put_view(View::Kv, Some(wanted))?;
            if is_new {
                return Ok(None);
            }
            let reason = "it was missing".to_owned();
            let path = path.display().to_string();
            let message =
                format!("{path} was missing and was written again; to empty RAM, use `ram delete`");
            let restored = ViewRestored {
                path,
                reason,
                kept_as: None,
            };
            self.commit(own_draft(
                "recovery",
                vec![Event::ViewRestored(restored)],
                now,
            ))?;
            return Ok(Some(Notice { message }));
        };
        let bytes = self.disk.read(&path, KV_FILE_BYTES_MAX);
        if bytes.as_ref().is_ok_and(|bytes| *bytes == wanted) {
            self.views.stats.insert(View::Kv, stat);
            self.views.kv_digest = Some(Hash::of(&wanted));
            return Ok(None);
        }
        let stale = bytes.is_ok_and(|bytes| self.edits.is_stale(&bytes));
        if stale {
            self.views.stats.insert(View::Kv, stat);
            self.put_view(View::Kv, Some(wanted))?;
        }
        Ok(None)
    }
}

/// A commit that the program makes for itself.
pub(super) fn own_draft(cause: &str, events: Vec<Event>, now: Timestamp) -> Draft {
    Draft {
        ts: now,
        actor: Actor {
            actor_type: ActorType::Daemon,
        },
        cause: Cause::plain(cause),
        events,
    }
}
