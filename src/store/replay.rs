//! What the journal says: checkpoint, then every line after it, each verified. Tells what the views
//! should hold and what they held since the checkpoint. Changes nothing.

use super::checkpoint::{self, Checkpoint, First};
use super::conversations;
use super::deferred_views::DeferredView;
use super::deferred_writes::{Base, replayed_storage};
use super::disk::Disk;
use super::error::Error;
use super::journal::{Head, LastLine};
use super::layout;
use super::note_files;
use super::scan::{self, End, Place};
use super::unverified_prefix::UnverifiedPrefix;
use super::views::{View, Views};
use crate::core::journal::commit::{decode, place_of};
use crate::core::journal::event::{ConversationKept, EditRefused, ViewRestored};
use crate::core::journal::{Commit, Event, Hash, State};
use crate::core::memory::Ram;
use crate::ids::NoteId;
use crate::limits::JOURNAL_LINE_BYTES_MAX;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

/// What the journal says, before anything is changed.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The state; its notes are complete only after a full replay.
    pub(super) state: State,
    /// Where the journal ends.
    pub(super) end: End,
    /// Where the last commit's line stands.
    pub(super) last: Option<LastLine>,
    /// Where the kept journal begins.
    pub(super) first: First,
    /// What the views should hold.
    pub(super) views: Views,
    /// The time since the checkpoint.
    pub(super) since: Since,
    /// Whether `/storage` had to be made again from the whole journal.
    pub(super) storage_rebuilt: bool,
    /// A damaged checkpoint's bytes.
    pub(super) bad_checkpoint: Option<Vec<u8>>,
    /// Conversations that were retained since the checkpoint.
    pub(super) kept: Vec<ConversationKept>,
    /// What was not read.
    pub(super) unverified_prefix: Option<UnverifiedPrefix>,
}

/// What is known about the time since the checkpoint that a start found.
#[derive(Debug)]
pub(super) struct Since {
    /// Whether the stop before was in good order. Then every difference is an edit.
    pub(super) clean: bool,
    /// Digests that views had at the checkpoint or since.
    pub(super) known: BTreeSet<Hash>,
    /// Where the tail begins.
    pub(super) from: Place,
    /// The checkpoint, for RAM as it was then. Empty where there is none.
    pub(super) checkpoint: String,
}

/// What of a checkpoint an edit is compared with.
#[derive(Serialize, Deserialize)]
struct Then<'a> {
    ram: Cow<'a, Ram>,
}

impl Since {
    /// Lets the time begin here, with RAM as it is.
    pub(super) fn begin_at(&mut self, here: Place, ram: &Ram) -> Result<(), Error> {
        let ram = Cow::Borrowed(ram);
        self.checkpoint = serde_json::to_string(&Then { ram })?;
        self.from = here;
        Ok(())
    }

    /// RAM at the checkpoint.
    pub(super) fn ram(&self) -> Result<Ram, Error> {
        if self.checkpoint.is_empty() {
            return Ok(Ram::default());
        }
        Ok(serde_json::from_str::<Then<'_>>(&self.checkpoint)?
            .ram
            .into_owned())
    }
}

/// Reads checkpoint and tail. Changes nothing.
pub(super) fn replay(disk: &mut dyn Disk, kv_path: &Path) -> Result<Replayed, Error> {
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
    let of_storage = |views: &Views| views.deferred.digests.get(&DeferredView::Storage).copied();
    // What stood in the tree's own file: the bytes of any other view are none.
    let mut stood: BTreeSet<Hash> = of_storage(&views).into_iter().collect();
    let mut carried = First::START.segment;
    let mut kept = Vec::new();
    let mut noted = Ok(());
    let end = scan::scan(disk, since.from, &mut |commit, _| {
        state.apply_commit(commit);
        if noted.is_ok() {
            noted = note_views(commit, &mut views, &mut since.known);
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

/// What a replay begins with.
struct Start {
    state: State,
    last: Option<LastLine>,
    since: Since,
    first: First,
    views: Views,
    base: Base,
}

impl Start {
    fn of(disk: &mut dyn Disk, checkpoint: Option<Checkpoint>) -> Result<Self, Error> {
        let mut views = Views::default();
        let Some(mut checkpoint) = checkpoint else {
            let first = first_in_range(disk)?;
            let state = State::empty();
            let from = first.place();
            let known = BTreeSet::from([Hash::of(&state.ram.to_file())]);
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

/// What stands in the way of beginning a journal: nothing is begun over somebody's data, and no
/// reader takes what was lost for an empty root.
pub(super) fn check_beginning(disk: &mut dyn Disk, bad_checkpoint: bool) -> Result<(), Error> {
    if bad_checkpoint && scan::segments(disk)?.is_empty() {
        let message = "there is a checkpoint, but no journal";
        return Err(Error::Incomplete(message.to_owned()));
    }
    note_files::check_no_earlier_life(disk)
}

/// The checkpoint's last line must still be where it was, and whole: it was acknowledged. If not,
/// the whole journal is read for the place of the damage.
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

/// Whether a line is the commit that it should be.
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

/// Where a journal without a checkpoint begins: with the unbroken row of segments up to the last
/// one. Its first line says what came before.
pub(super) fn first_in_range(disk: &mut dyn Disk) -> Result<First, Error> {
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

/// The first segment that a journal needs which holds this commit; 0 if it carries nothing.
pub(super) fn carried_by(commit: &Commit) -> u32 {
    let carried = commit.draft.events.iter().filter_map(|event| {
        let Event::StateCarried(carried) = event else {
            return None;
        };
        Some(carried.first_segment)
    });
    carried.max().unwrap_or(0)
}

/// Notes what a commit says about the views: what they should hold, and what they held.
pub(super) fn note_views(
    commit: &Commit,
    views: &mut Views,
    known: &mut BTreeSet<Hash>,
) -> Result<(), Error> {
    views.deferred.note_changes(&commit.draft.events);
    for event in &commit.draft.events {
        if let Event::NoteCarried(carried) = event {
            let digest = Hash::of(&carried.note.to_file());
            known.insert(digest);
            views.notes.read()?.insert(carried.note.id, digest);
        }
        // A view that was put back is as unsafe as one that was changed.
        if let Event::EditRefused(EditRefused { path, .. })
        | Event::ViewRestored(ViewRestored { path, .. }) = event
        {
            views
                .unsynced
                .extend(note_at(Path::new(path)).map(View::Note));
        }
        if let Event::ViewsWritten(written) = event {
            for (path, digest) in &written.files {
                let digest = digest.as_deref().and_then(Hash::parse);
                note_view(Path::new(path), digest, views, known)?;
            }
        }
    }
    Ok(())
}

fn note_view(
    path: &Path,
    digest: Option<Hash>,
    views: &mut Views,
    known: &mut BTreeSet<Hash>,
) -> Result<(), Error> {
    known.extend(digest);
    if path == views.kv_path {
        views.unsynced.insert(View::Kv);
        return Ok(());
    }
    if let (Some(view), Some(digest)) = (DeferredView::at(path), digest) {
        views.unsynced.insert(View::AtRest(view));
        views.deferred.note_written(view, digest);
        return Ok(());
    }
    let Some(id) = note_at(path) else {
        return Ok(());
    };
    views.unsynced.insert(View::Note(id));
    let notes = views.notes.read()?;
    known.extend(match digest {
        Some(digest) => notes.insert(id, digest),
        None => notes.remove(&id),
    });
    Ok(())
}

/// The note whose file has this path.
fn note_at(path: &Path) -> Option<NoteId> {
    let name = path.file_name()?.to_str()?;
    layout::note_of(name).filter(|_| path.starts_with(layout::NOTES))
}
