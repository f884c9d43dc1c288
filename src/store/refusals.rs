//! Edits that cannot be taken in: kept beside their file first, then journaled, then said. What is
//! kept is journaled once, also when there is no room for the line at first. Judges nothing.

use super::edits::own_draft;
use super::error::Error;
use super::{Store, layout, quarantine};
use crate::core::journal::event::EditRefused;
use crate::core::journal::{Cause, Event};
use crate::time::Timestamp;
use std::path::Path;

impl Store {
    /// Moves something out of the way that cannot be read, at `place`, as a broken edit of `path`.
    pub(super) fn set_odd_aside(
        &mut self,
        place: &Path,
        path: &Path,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let kept = quarantine::move_beside(self.disk.as_mut(), place, path, now)?;
        self.say_refused(path, &kept, reason, now)
    }

    /// Keeps the text of an edit that cannot be taken in beside its file.
    pub(super) fn refuse_edit(
        &mut self,
        path: &Path,
        bytes: &[u8],
        reason: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let kept = quarantine::keep_beside(self.disk.as_mut(), path, bytes, now)?;
        self.say_refused(path, &kept, reason, now)
    }

    fn say_refused(
        &mut self,
        path: &Path,
        kept: &Path,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.edits.refused.push(EditRefused {
            path: path.display().to_string(),
            kept_as: kept.display().to_string(),
            reason: reason.to_owned(),
        });
        match self.settle_refused(now) {
            // Kept is kept: to judge the file again would only keep it twice.
            Err(Error::Full(error)) => {
                tracing::warn!(%error, "no room to journal a refused edit yet");
                Ok(())
            }
            other => other,
        }
    }

    /// Journals the refusals that are pending, and says them.
    pub(super) fn settle_refused(&mut self, now: Timestamp) -> Result<(), Error> {
        while let Some(refused) = self.edits.refused.first().cloned() {
            let name = Path::new(&refused.path).file_name();
            let note_id = name.and_then(|name| layout::note_of(name.to_str()?));
            let note = note_id.and_then(|id| self.state.notes.get(id));
            let title = note.map_or_else(String::new, |note| format!(", `{}`,", note.title));
            let message = format!(
                "the edit of {}{title} could not be taken in ({}); it is kept as {}",
                refused.path, refused.reason, refused.kept_as
            );
            self.commit(own_draft(
                Cause::plain("edit"),
                vec![Event::EditRefused(refused)],
                now,
            ))?;
            self.edits.refused.remove(0);
            self.edits.report.notices.push(message);
        }
        Ok(())
    }
}
