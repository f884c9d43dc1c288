//! The retained conversations: one file for each run, one line for each attempt.
//! This view of the journal only grows. A line is written once even if it is passed several times,
//! so that a start can pass everything since the checkpoint again. Never decides what is retained.

use crate::core::journal::Event;
use crate::core::journal::event::ConversationKept;
use crate::ids::RunId;
use crate::store::disk::Disk;
use crate::store::error::Error;
use crate::store::layout;
use serde::Deserialize;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// The conversations that are not written yet, and the state of the file that was written last.
#[derive(Debug, Default)]
pub(crate) struct Conversations {
    /// The lines that are not in their files yet, in order.
    pending: VecDeque<ConversationKept>,
    open: Option<ConversationFile>,
    /// The files that changed since the last checkpoint and are not synced yet.
    unsynced: BTreeSet<RunId>,
}

/// The file that was written last.
#[derive(Debug)]
struct ConversationFile {
    run_id: RunId,
    /// The length of its complete lines, in bytes.
    bytes: u64,
    /// The lines in it, by iteration and attempt.
    lines: BTreeSet<(u32, u32)>,
}

/// The members that identify a line.
#[derive(Deserialize)]
struct LineKey {
    iteration: u32,
    attempt: u32,
}

/// Returns the conversations that some events retain.
pub(crate) fn kept_in(events: &[Event]) -> impl Iterator<Item = &ConversationKept> {
    events.iter().filter_map(|event| {
        let Event::ConversationKept(kept) = event else {
            return None;
        };
        Some(kept)
    })
}

impl Conversations {
    /// Adds and writes conversations; those in their files already are left out.
    /// Without room they stay pending.
    pub(crate) fn keep(
        &mut self,
        disk: &mut dyn Disk,
        kept: impl IntoIterator<Item = ConversationKept>,
    ) -> Result<(), Error> {
        self.pending.extend(kept);
        match self.settle(disk) {
            Err(Error::Full(error)) => {
                tracing::warn!(%error, "no room for a conversation yet");
                Ok(())
            }
            other => other,
        }
    }

    /// Writes the pending lines.
    pub(crate) fn settle(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        while let Some(kept) = self.pending.front() {
            let open = match self.open.take() {
                Some(open) if open.run_id == kept.run_id => open,
                Some(_) | None => ConversationFile::find(disk, kept.run_id)?,
            };
            let open = self.open.insert(open);
            self.unsynced.insert(kept.run_id);
            open.add(disk, kept)?;
            self.pending.pop_front();
        }
        Ok(())
    }

    /// Syncs every file that changed since the last checkpoint.
    pub(crate) fn sync(&mut self, disk: &mut dyn Disk) -> Result<(), Error> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        let mut replaced = BTreeSet::new();
        for run_id in &self.unsynced {
            let path = path_of(*run_id);
            if disk.look_at(&path)?.is_some() && !disk.secure_unless_replaced(&path)? {
                // A person replaced the file.
                replaced.insert(*run_id);
            }
        }
        disk.secure_folder(Path::new(layout::CONVERSATIONS))?;
        self.unsynced = replaced;
        Ok(())
    }
}

impl ConversationFile {
    /// Reads a run's file.
    /// An incomplete last line was torn by a stop and is cut off, since the journal has it. Any
    /// other unreadable line stays.
    fn find(disk: &mut dyn Disk, run_id: RunId) -> Result<Self, Error> {
        let path = path_of(run_id);
        let failed = |error| Error::file("read", &path, error);
        let mut found = Self {
            run_id,
            bytes: 0,
            lines: BTreeSet::new(),
        };
        if disk.stat(&path).map_err(failed)?.is_none() {
            disk.create_folder(Path::new(layout::CONVERSATIONS))
                .map_err(failed)?;
            return Ok(found);
        }
        let bytes = disk.read(&path, usize::MAX).map_err(failed)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let mark = line
                .ends_with(b"\n")
                .then(|| serde_json::from_slice::<LineKey>(line).ok());
            let mark = mark.flatten();
            let end = found.bytes + u64::try_from(line.len()).unwrap_or(u64::MAX);
            if mark.is_none() && end == length {
                disk.truncate(&path, found.bytes).map_err(failed)?;
                break;
            }
            found
                .lines
                .extend(mark.map(|mark| (mark.iteration, mark.attempt)));
            found.bytes = end;
        }
        Ok(found)
    }

    fn add(&mut self, disk: &mut dyn Disk, kept: &ConversationKept) -> Result<(), Error> {
        if self.lines.contains(&(kept.iteration, kept.attempt)) {
            return Ok(());
        }
        let path = path_of(self.run_id);
        let mut line = serde_json::to_vec(kept)?;
        line.push(b'\n');
        if let Err(error) = disk.append(&path, &line) {
            if error.written > 0 {
                disk.truncate(&path, self.bytes)
                    .map_err(|error| Error::file("cut", &path, error))?;
            }
            return Err(Error::file("write", path, error.source));
        }
        self.bytes += u64::try_from(line.len()).unwrap_or(u64::MAX);
        self.lines.insert((kept.iteration, kept.attempt));
        Ok(())
    }
}

fn path_of(run_id: RunId) -> PathBuf {
    Path::new(layout::CONVERSATIONS).join(format!("{run_id}.jsonl"))
}
