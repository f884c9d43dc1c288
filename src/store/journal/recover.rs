//! The replay of the journal: the checkpoint, then every line after it, each verified.
//! It also gives the content that the views should have, and the content that they had since the
//! checkpoint. Changes nothing.

use super::checkpoint::{self, Checkpoint, First};
use super::scan::{self, End, Place};
use super::unverified_prefix::UnverifiedPrefix;
use super::{Head, LastLine};
use crate::core::journal::commit::{decode, place_of};
use crate::core::journal::event::ConversationKept;
use crate::core::journal::{Commit, Event, Hash, State};
use crate::core::memory::Ram;
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use crate::store::views::deferred::DeferredView;
use crate::store::views::files::ViewFiles;
use crate::store::views::storage_base::{Base, replayed_storage};
use crate::store::views::{View, conversations, start};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The result of a replay, before anything is changed.
#[derive(Debug)]
pub(crate) struct Replayed {
    /// The state; its notes are complete only after a full replay.
    pub(crate) state: State,
    /// The end of the journal.
    pub(crate) end: End,
    /// The location of the last commit's line.
    pub(crate) last: Option<LastLine>,
    /// The beginning of the kept journal.
    pub(crate) first: First,
    /// The content that the views should have.
    pub(crate) views: ViewFiles,
    /// The facts about the time since the checkpoint.
    pub(crate) since: Since,
    /// Whether `/storage` was rebuilt from the whole journal.
    pub(crate) storage_rebuilt: bool,
    /// The bytes of a damaged checkpoint.
    pub(crate) bad_checkpoint: Option<Vec<u8>>,
    /// The conversations that were retained since the checkpoint.
    pub(crate) kept: Vec<ConversationKept>,
    /// The part of the journal that was not verified.
    pub(crate) unverified_prefix: Option<UnverifiedPrefix>,
}

/// The facts about the time since the checkpoint that a start found.
#[derive(Debug)]
pub(crate) struct Since {
    /// Whether the stop before was in good order, so that every difference is an edit.
    pub(crate) clean: bool,
    /// The digests that views had at the checkpoint or since.
    pub(crate) known: BTreeSet<Hash>,
    /// The beginning of the tail.
    pub(crate) from: Place,
    /// The checkpoint, which has RAM as it was then; empty if there is none.
    pub(crate) checkpoint: String,
}

/// The part of a checkpoint that edits are compared with.
#[derive(Serialize, Deserialize)]
struct Then<'a> {
    ram: Cow<'a, Ram>,
}

impl Since {
    /// Moves the beginning of the time to a place, with the present RAM.
    pub(crate) fn begin_at(&mut self, here: Place, ram: &Ram) -> Result<(), Error> {
        let ram = Cow::Borrowed(ram);
        self.checkpoint = serde_json::to_string(&Then { ram })?;
        self.from = here;
        Ok(())
    }

    /// Returns RAM at the checkpoint.
    pub(crate) fn ram(&self) -> Result<Ram, Error> {
        if self.checkpoint.is_empty() {
            return Ok(Ram::default());
        }
        Ok(serde_json::from_str::<Then<'_>>(&self.checkpoint)?
            .ram
            .into_owned())
    }
}

/// Replays the journal and makes the read lines durable.
/// The last line may have been written by a process that died before its sync, and from here on it
/// counts.
pub(crate) fn recover(disk: &mut dyn Disk, kv_path: &Path) -> Result<Replayed, Error> {
    let replayed = replay(disk, kv_path)?;
    if secure_tail(disk, &replayed)? {
        return Ok(replayed);
    }
    // A sync failed, and the line was only in memory. It was never acknowledged.
    let replayed = replay(disk, kv_path)?;
    if secure_tail(disk, &replayed)? {
        return Ok(replayed);
    }
    let message = "the last commit is not read back as it was read before";
    Err(Error::Journal(io::Error::other(message)))
}

/// Syncs the read lines, and returns whether the device holds the last one.
/// Without the sync, a torn line that was cut may come back. The check is needed since the process
/// of a failed sync stopped at once, and the system may forget the failure.
fn secure_tail(disk: &mut dyn Disk, replayed: &Replayed) -> Result<bool, Error> {
    let End { place, last, .. } = replayed.end;
    if place.head == Head::START {
        return Ok(true);
    }
    let from = replayed.last.map_or(place.segment, |last| last.segment);
    for number in from..=place.segment {
        let path = layout::segment_path(number);
        disk.sync(&path).map_err(Error::Journal)?;
    }
    disk.sync_folder(Path::new(layout::JOURNAL))
        .map_err(Error::Journal)?;
    // Lines that a checkpoint covers were durable before it.
    let Some(last) = last else {
        return Ok(true);
    };
    let path = layout::segment_path(last.segment);
    disk.forget(&path, last.offset).map_err(Error::Journal)?;
    let bytes = usize::try_from(last.bytes).unwrap_or(usize::MAX);
    let line = disk.read_at(&path, last.offset, bytes);
    let line = line.map_err(|error| Error::file("read", &path, error))?;
    let line = line.strip_suffix(b"\n").unwrap_or_default();
    Ok(place_of(line).is_some_and(|(seq, prev, hash)| {
        hash == place.head.hash && decode(line, seq, prev).is_ok()
    }))
}

/// Replays checkpoint and tail. Changes nothing.
pub(crate) fn replay(disk: &mut dyn Disk, kv_path: &Path) -> Result<Replayed, Error> {
    let (checkpoint, bad_checkpoint) = match checkpoint::read(disk)? {
        Ok(checkpoint) => (checkpoint, None),
        Err(bytes) => (None, Some(bytes)),
    };
    let has_checkpoint = checkpoint.is_some();
    let unverified_prefix = checkpoint.as_ref().and_then(UnverifiedPrefix::of);
    let Start {
        mut state,
        last,
        mut since,
        first,
        mut views,
        mut base,
    } = Start::of(disk, checkpoint)?;
    state.storage = std::mem::take(&mut base.storage);
    views.kv_path = kv_path.to_path_buf();
    let present = scan::segments(disk)?;
    if !present.is_empty() {
        scan::check_contiguous(&present, first.segment)?;
    }
    let of_storage =
        |views: &ViewFiles| views.deferred.digests.get(&DeferredView::Storage).copied();
    // The digests of the tree's own file only: the bytes of another view do not count.
    let mut stood: BTreeSet<Hash> = of_storage(&views).into_iter().collect();
    let mut carried = First::START.segment;
    let mut kept = Vec::new();
    let mut noted = Ok(());
    let end = scan::scan(disk, since.from, &mut |commit, _| {
        state.apply_commit(commit);
        if noted.is_ok() {
            noted = views.note_commit(commit, &mut since.known);
        }
        stood.extend(of_storage(&views));
        kept.extend(conversations::kept_in(commit));
        carried = carried.max(carried_by(commit));
    })?;
    noted?;
    let storage_rebuilt = !base.is_known(&stood);
    if storage_rebuilt {
        state.storage = replayed_storage(disk, first)?;
    }
    if end.place.head == Head::START {
        check_beginning(disk, bad_checkpoint.is_some())?;
    }
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
        storage_rebuilt,
        bad_checkpoint,
        kept,
        unverified_prefix,
    })
}

/// The state with which a replay begins.
struct Start {
    state: State,
    last: Option<LastLine>,
    since: Since,
    first: First,
    views: ViewFiles,
    base: Base,
}

impl Start {
    fn of(disk: &mut dyn Disk, checkpoint: Option<Checkpoint>) -> Result<Self, Error> {
        let mut views = ViewFiles::default();
        let Some(mut checkpoint) = checkpoint else {
            let first = first_in_range(disk)?;
            let state = State::empty();
            let from = first.place();
            let known = BTreeSet::from([Hash::of(&state.ram.to_file())]);
            let clean = false;
            // It is unknown which of the views are durable.
            views.unsynced.insert(View::Kv);
            return Ok(Self {
                state,
                last: None,
                since: Since {
                    clean,
                    known,
                    from,
                    checkpoint: String::new(),
                },
                first,
                views,
                base: Base::read(disk, None)?,
            });
        };
        check_covered(disk, &checkpoint)?;
        let state = checkpoint.state();
        let Checkpoint {
            last,
            head,
            first,
            clean,
            kv,
            view_digests,
            notes,
            text,
            ..
        } = checkpoint;
        views.notes = notes;
        let place = |last: LastLine| (last.segment, last.offset.saturating_add(last.bytes));
        let (segment, offset) = last.map_or((first.segment, 0), place);
        let from = Place {
            segment,
            offset,
            head,
        };
        let base = Base::read(disk, view_digests.get(&DeferredView::Storage).copied())?;
        let known = [kv]
            .into_iter()
            .chain(view_digests.values().copied())
            .collect();
        views.deferred.digests = view_digests;
        Ok(Self {
            state,
            last,
            since: Since {
                clean,
                known,
                from,
                checkpoint: text,
            },
            first,
            views,
            base,
        })
    }
}

/// Refuses to begin a journal over existing data.
/// Without this check, a reader would take a lost journal for an empty root.
pub(crate) fn check_beginning(disk: &mut dyn Disk, bad_checkpoint: bool) -> Result<(), Error> {
    if bad_checkpoint && scan::segments(disk)?.is_empty() {
        let message = "there is a checkpoint, but no journal";
        return Err(Error::Incomplete(message.to_owned()));
    }
    start::check_no_earlier_life(disk)
}

/// Checks that the checkpoint's last line is in its place and intact, since it was acknowledged.
/// If it is not, the whole journal is read to locate the damage.
fn check_covered(disk: &mut dyn Disk, checkpoint: &Checkpoint) -> Result<(), Error> {
    let Some(last) = checkpoint.last else {
        return Ok(());
    };
    if holds(disk, last, checkpoint.head)? {
        return Ok(());
    }
    let from = checkpoint.first.place();
    scan::scan_prefix(disk, from, Some(checkpoint.head), &mut |_, _| {})?;
    Err(Error::Incomplete(format!(
        "{} holds commit {} in another place than the checkpoint says",
        layout::segment_name(last.segment),
        checkpoint.head.seq
    )))
}

/// Returns whether a line is the expected commit.
fn holds(disk: &mut dyn Disk, last: LastLine, head: Head) -> Result<bool, Error> {
    let path = layout::segment_path(last.segment);
    let stat = disk.stat(&path);
    let stat = stat.map_err(|error| Error::file("look at", &path, error))?;
    let end = last.offset.saturating_add(last.bytes);
    if stat.is_none_or(|stat| stat.bytes < end) {
        return Ok(false);
    }
    let bytes = usize::try_from(last.bytes).unwrap_or(usize::MAX);
    let line = scan::read_at(disk, last.segment, last.offset, bytes)?;
    let line = line.strip_suffix(b"\n").unwrap_or_default();
    Ok(place_of(line).is_some_and(|(seq, prev, hash)| {
        Head { seq, hash } == head && decode(line, seq, prev).is_ok()
    }))
}

/// Returns the beginning of a journal without a checkpoint.
/// It is the first of the contiguous segments up to the last one; its first line names the commit
/// before.
pub(crate) fn first_in_range(disk: &mut dyn Disk) -> Result<First, Error> {
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
    let bytes = scan::read_at(disk, segment, 0, JOURNAL_LINE_BYTES_MAX)?;
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

/// Returns the first segment that a journal with this commit needs; 0 if it carries nothing.
pub(crate) fn carried_by(commit: &Commit) -> u32 {
    let carried = commit.draft.events.iter().filter_map(|event| {
        let Event::StateCarried(carried) = event else {
            return None;
        };
        Some(carried.first_segment)
    });
    carried.max().unwrap_or(0)
}
