//! Bootstraps a root on an empty disk with the state of another root: its journal begins with what a
//! retirement would carry over, and knows nothing of the past. Never touches the other root.

use super::disk::Disk;
use super::edits::own_draft;
use super::error::Error;
use super::journal::Head;
use super::journal::retire::{Plan, carried};
use super::views::View;
use super::{Options, Store};
use crate::core::journal::{Cause, State};
use crate::ids::NoteId;
use crate::time::Timestamp;

impl Store {
    /// Founds a root and leaves it as a stop in good order does. Gives its last commit.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a state of which a part fits no commit.
    pub fn bootstrap(
        disk: Box<dyn Disk>,
        options: Options,
        state: &State,
        now: Timestamp,
    ) -> Result<Head, Error> {
        let (mut store, _) = Self::open(disk, options, now)?;
        for events in carried(state, &Plan::from_nothing(store.journal.first())) {
            store.commit(own_draft(Cause::plain("founding"), events, now))?;
        }
        let notes: Vec<NoteId> = store.state.notes.iter().map(|note| note.id).collect();
        let notes = notes.into_iter().map(View::Note);
        for view in notes.chain([View::Kv]) {
            store.put_view(view, store.rendered(view))?;
        }
        store.read_notes(now)?;
        store.checkpoint(true, now)?;
        Ok(store.head())
    }
}
