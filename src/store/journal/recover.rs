//! The replay of the journal: the checkpoint, then every line after it, each verified.
//! It also gives the content that the views should have, and the content that they had since the
//! checkpoint. Changes nothing.

use super::checkpoint::{self, Checkpoint, Facts};
use super::scan::{self, JournalPosition};
use super::verify::UnverifiedPrefix;
use super::{Head, LastLine, Segments};
use crate::core::journal::commit::{decode, place_of};
use crate::core::journal::event::ConversationKept;
use crate::core::journal::{Commit, Event, Hash, State};
use crate::core::memory::{Ram, Storage};
use crate::limits::{DEFERRED_FILE_BYTES_MAX, JOURNAL_LINE_BYTES_MAX};
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use crate::store::quarantine::{self, FileContent};
use crate::store::views::deferred::DeferredView;
use crate::store::views::files::ViewFiles;
use crate::store::views::{View, conversations, start};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The result of a replay, before anything is changed.
#[derive(Debug)]
pub(crate) struct RecoveredJournal {
    /// The state; its notes are complete only after a full replay.
    pub(crate) state: State,
    /// The segments; their writer decides how long one becomes.
    pub(crate) segments: Segments,
    /// The number of bytes behind the valid ones: a torn append.
    pub(crate) torn_bytes: u64,
    /// The content that the views should have.
    pub(crate) views: ViewFiles,
    /// The facts about the time since the checkpoint.
    pub(crate) since: CheckpointTail,
    /// Whether `/storage` was rebuilt from the whole journal.
    pub(crate) storage_rebuilt: bool,
    /// The bytes of a damaged checkpoint.
    pub(crate) bad_checkpoint: Option<Vec<u8>>,
    /// The conversations that were retained since the checkpoint.
    pub(crate) kept: Vec<ConversationKept>,
}

/// The facts about the time since the checkpoint that a start found.
#[derive(Debug)]
pub(crate) struct CheckpointTail {
    /// Whether the stop before was in good order, so that every difference is an edit.
    pub(crate) clean: bool,
    /// The digests that views had at the checkpoint or since.
    pub(crate) known: BTreeSet<Hash>,
    /// The beginning of the tail.
    pub(crate) from: JournalPosition,
    /// RAM at the checkpoint; empty if there is none.
    pub(crate) ram: Ram,
}

/// Replays the journal and makes the read lines durable.
/// The last line may have been written by a process that died before its sync, and from here on it
/// counts.
pub(crate) fn recover(disk: &mut dyn Disk, kv_path: &Path) -> Result<RecoveredJournal, Error> {
    // If a sync failed before, the last line may be only in memory. It was never acknowledged, and
    // the second replay does not find it.
    for _ in 0..2 {
        let replayed = replay(disk, kv_path)?;
        if secure_tail(disk, &replayed)? {
            return Ok(replayed);
        }
    }
    let message = "the last commit is not read back as it was read before";
    Err(Error::Journal(io::Error::other(message)))
}

/// Syncs the read lines, and returns whether the device holds the last one.
/// Without the sync, a torn line that was cut may come back. The check is needed since the process
/// of a failed sync stopped at once, and the system may forget the failure.
fn secure_tail(disk: &mut dyn Disk, replayed: &RecoveredJournal) -> Result<bool, Error> {
    let Segments {
        end: place,
        last,
        since_checkpoint: read_bytes,
        ..
    } = replayed.segments;
    if place.head == Head::START {
        return Ok(true);
    }
    let from = last.map_or(place.segment, |last| last.segment);
    for number in from..=place.segment {
        let path = layout::segment_path(number);
        disk.sync(&path).map_err(Error::Journal)?;
    }
    disk.sync_folder(Path::new(layout::JOURNAL))
        .map_err(Error::Journal)?;
    // Lines that a checkpoint covers were durable before it.
    let Some(last) = last.filter(|_| read_bytes > 0) else {
        return Ok(true);
    };
    let path = layout::segment_path(last.segment);
    disk.forget(&path, last.offset).map_err(Error::Journal)?;
    holds(disk, last, place.head)
}

/// Replays checkpoint and tail. Changes nothing.
pub(crate) fn replay(disk: &mut dyn Disk, kv_path: &Path) -> Result<RecoveredJournal, Error> {
    let (mut replayed, has_checkpoint) = match checkpoint::read(disk)? {
        Ok(Some(checkpoint)) => (RecoveredJournal::after(disk, checkpoint)?, true),
        Ok(None) => (RecoveredJournal::without_checkpoint(disk)?, false),
        Err(bytes) => {
            let mut replayed = RecoveredJournal::without_checkpoint(disk)?;
            replayed.bad_checkpoint = Some(bytes);
            (replayed, false)
        }
    };
    let first = replayed.segments.first;
    let (state, views) = (&mut replayed.state, &mut replayed.views);
    let (since, kept) = (&mut replayed.since, &mut replayed.kept);
    views.kv_path = kv_path.to_path_buf();
    let of_storage =
        |views: &ViewFiles| views.deferred.digests.get(&DeferredView::Storage).copied();
    // No checkpoint holds `/storage`: it is read from its view, and the tail is applied.
    let wanted = of_storage(views);
    let mut digest = None;
    if wanted.is_some()
        && let FileContent::Bytes(bytes) =
            quarantine::find(disk, DeferredView::Storage.path(), DEFERRED_FILE_BYTES_MAX)?
        && let Some(storage) = Storage::from_file(&bytes)
    {
        digest = Some(Hash::of(&bytes));
        state.storage = storage;
    }
    let present = scan::segments(disk)?;
    if !present.is_empty() {
        scan::check_contiguous(&present, first.segment)?;
    }
    // The digests of the tree's own file only: the bytes of another view do not count.
    let mut stood: BTreeSet<Hash> = wanted.into_iter().collect();
    let mut carried = JournalPosition::START.segment;
    let mut noted = Ok(());
    let end = scan::scan(disk, since.from, &mut |commit, _| {
        state.apply_draft(&commit.draft);
        if noted.is_ok() {
            noted = views.note_commit(commit, &mut since.known);
        }
        stood.extend(of_storage(views));
        kept.extend(conversations::kept_in(&commit.draft.events).cloned());
        carried = carried.max(carried_by(commit));
    })?;
    noted?;
    // Applying the tail to a later file makes no difference, since each event replaces the value of
    // its path. If no commit named the content of the file, only the journal has the tree.
    replayed.storage_rebuilt =
        wanted.is_some() && digest.is_none_or(|digest| !stood.contains(&digest));
    if replayed.storage_rebuilt {
        state.storage = replayed_storage(disk, first)?;
    }
    if end.place.head == Head::START {
        check_beginning(disk, replayed.bad_checkpoint.is_some())?;
    }
    if !has_checkpoint && carried < first.segment {
        return Err(Error::Incomplete(format!(
            "the journal begins with {}, but what came before was never carried over",
            layout::segment_name(first.segment)
        )));
    }
    since.clean &= end.read_bytes == 0 && end.torn_bytes == 0;
    replayed.torn_bytes = end.torn_bytes;
    let segments = &mut replayed.segments;
    segments.last = end.last.or(segments.last);
    segments.since_checkpoint = end.read_bytes;
    segments.end = end.place;
    Ok(replayed)
}

/// Rebuilds `/storage` from the kept journal alone.
fn replayed_storage(disk: &mut dyn Disk, first: JournalPosition) -> Result<Storage, Error> {
    let mut state = State::default();
    scan::scan(disk, first, &mut |commit, _| {
        for event in &commit.draft.events {
            if DeferredView::Storage.is_changed_by(event) {
                state.apply(event, commit.draft.context());
            }
        }
    })?;
    Ok(state.storage)
}

impl RecoveredJournal {
    /// Returns an empty state at the beginning of the kept journal.
    fn without_checkpoint(disk: &mut dyn Disk) -> Result<Self, Error> {
        let first = first_in_range(disk)?;
        let state = State::empty();
        let known = BTreeSet::from([Hash::of(&state.main.ram.to_file())]);
        let mut replayed = Self::at(first, first, state, known);
        // It is unknown which of the views are durable.
        replayed.views.unsynced.insert(View::Kv);
        Ok(replayed)
    }

    /// Returns the state of a checkpoint, at the end of the lines that it covers.
    fn after(disk: &mut dyn Disk, checkpoint: Checkpoint) -> Result<Self, Error> {
        check_covered(disk, &checkpoint.facts)?;
        let unverified_prefix = UnverifiedPrefix::of(&checkpoint.facts);
        let Checkpoint {
            facts,
            state,
            notes,
        } = checkpoint;
        let place = |last: LastLine| (last.segment, last.offset.saturating_add(last.bytes));
        let (segment, offset) = facts.last.map_or((facts.first.segment, 0), place);
        let from = JournalPosition {
            segment,
            offset,
            head: facts.head,
        };
        let view_digests = facts.view_digests.values().copied();
        let known = view_digests.chain([facts.kv]).collect();
        let mut replayed = Self::at(facts.first, from, state, known);
        replayed.segments.last = facts.last;
        replayed.since.clean = facts.clean;
        replayed.since.ram = replayed.state.main.ram.clone();
        replayed.views.notes = notes;
        replayed.views.deferred.digests = facts.view_digests;
        replayed.segments.unverified_prefix = unverified_prefix;
        Ok(replayed)
    }

    /// Returns a state at a place of the journal, before its tail is read.
    fn at(
        first: JournalPosition,
        from: JournalPosition,
        state: State,
        known: BTreeSet<Hash>,
    ) -> Self {
        Self {
            state,
            segments: Segments {
                end: from,
                last: None,
                first,
                segment_bytes: 0,
                since_checkpoint: 0,
                unverified_prefix: None,
            },
            torn_bytes: 0,
            views: ViewFiles::default(),
            since: CheckpointTail {
                clean: false,
                known,
                from,
                ram: Ram::default(),
            },
            storage_rebuilt: false,
            bad_checkpoint: None,
            kept: Vec::new(),
        }
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
fn check_covered(disk: &mut dyn Disk, checkpoint: &Facts) -> Result<(), Error> {
    let Some(last) = checkpoint.last else {
        return Ok(());
    };
    if holds(disk, last, checkpoint.head)? {
        return Ok(());
    }
    let from = checkpoint.first;
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
    let end = last.offset.saturating_add(last.bytes);
    if disk.look_at(&path)?.is_none_or(|stat| stat.bytes < end) {
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
pub(crate) fn first_in_range(disk: &mut dyn Disk) -> Result<JournalPosition, Error> {
    let present = scan::segments(disk)?;
    let Some(last) = present.last().copied() else {
        return Ok(JournalPosition::START);
    };
    let segment = (1..=last)
        .rev()
        .take_while(|number| present.contains(number))
        .last()
        .unwrap_or(last);
    if segment == JournalPosition::START.segment {
        return Ok(JournalPosition::START);
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
    Ok(JournalPosition {
        segment,
        offset: 0,
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
