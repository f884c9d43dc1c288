//! What the journal says: checkpoint, then every line after it, each verified. Tells what the views
//! should hold and what they held since the checkpoint. Changes nothing.

use super::checkpoint::{self, Checkpoint, First};
use super::conversations;
use super::disk::Disk;
use super::edits::Since;
use super::error::Error;
use super::journal::{Head, LastLine};
use super::layout;
use super::scan::{self, End, Place};
use super::views::{View, Views};
use crate::core::journal::commit::{decode, place_of};
use crate::core::journal::event::{ConversationKept, EditRefused, ViewRestored};
use crate::core::journal::{Commit, Event, Hash, State};
use crate::ids::NoteId;
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
    /// A damaged checkpoint's bytes.
    pub(super) bad_checkpoint: Option<Vec<u8>>,
    /// Conversations that were retained since the checkpoint.
    pub(super) kept: Vec<ConversationKept>,
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
        carried = carried.max(carried_by(commit));
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
fn note_views(commit: &Commit, views: &mut Views, known: &mut BTreeSet<Hash>) {
    for event in &commit.draft.events {
        if let Event::NoteCarried(carried) = event {
            let digest = Hash::of(&carried.note.to_file());
            known.insert(digest);
            views.notes.insert(carried.note.id, digest);
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
    let Some(id) = note_at(path) else {
        return;
    };
    views.unsynced.insert(View::Note(id));
    known.extend(match digest {
        Some(digest) => views.notes.insert(id, digest),
        None => views.notes.remove(&id),
    });
}

/// The note whose file has this path.
fn note_at(path: &Path) -> Option<NoteId> {
    let name = path.file_name()?.to_str()?;
    layout::note_of(name).filter(|_| path.starts_with(layout::NOTES))
}
