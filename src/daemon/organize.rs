//! When notes are put in order, and what there is to do. The look itself is `core::notes`' business.

use super::agent::{Agent, Halt};
use crate::core::agent::{LoopState, is_organizing_asked};
use crate::core::notes::{Look, Note, look_over};
use crate::core::run::{Run, Trigger};

impl Agent {
    /// The state in which a run that nobody asked for begins.
    pub(super) async fn unasked_state(&mut self) -> Result<LoopState, Halt> {
        let asked = self.is_organizing_asked();
        let wanted = asked || self.is_organizing_due() && !self.look().await?.offers.is_empty();
        Ok(if wanted {
            LoopState::RecordOrganizing
        } else {
            LoopState::Idle
        })
    }

    /// Whether somebody wrote organising into `context` as the task.
    pub(super) fn is_organizing_asked(&self) -> bool {
        is_organizing_asked(&self.store.state().ram)
    }

    /// The look over the notes that an iteration needs: for its prompt where it puts notes in order.
    /// An idle one also tells of a look that found nothing, so that the changes are counted anew.
    pub(super) async fn look_for(
        &mut self,
        run: &Run,
        state: LoopState,
    ) -> Result<Option<Look>, Halt> {
        if state == LoopState::RecordOrganizing {
            return self.look().await.map(Some);
        }
        if run.trigger != Trigger::Idle || !self.is_organizing_due() {
            return Ok(None);
        }
        Ok(Some(self.look().await?).filter(|look| look.offers.is_empty()))
    }

    fn is_organizing_due(&self) -> bool {
        let every = self.config.notes.organize_every;
        self.store.state().organizing.is_due(every)
    }

    async fn look(&mut self) -> Result<Look, Halt> {
        self.read_notes().await?;
        let threshold = self.config.notes.similar_threshold;
        self.store.prepare_notes(threshold);
        let (state, scope) = (self.store.state(), &self.config.scope);
        let may_change = |note: &Note| {
            note.workspace_id == scope.workspace_id
                && scope.allowed_note_kinds.contains(&note.note_kind)
        };
        Ok(look_over(
            &state.notes,
            &state.organizing,
            threshold,
            may_change,
        ))
    }
}
