//! Decides when notes are organized, and with what work. `core::notes` makes the scan itself.

use super::engine::Engine;
use super::stop::Halt;
use super::waits::{WakeupSources, next_wakeup};
use crate::core::agent::{LoopState, is_organizing_asked, scan_for_work};
use crate::core::notes::OrganizeScan;
use crate::core::run::{Run, Trigger};
use crate::store::Store;
use std::thread;
use tokio::sync::oneshot;

/// The number of notes from which on a thread prepares them for comparison.
///
/// Fewer take some milliseconds.
const PREPARED_BESIDE_MIN: usize = 1000;

/// The organizer, which looks over the notes and decides when they are organized.
#[derive(Debug, Default)]
pub(super) struct Organizer {
    /// The scan that decided how a run begins, and the number of changes at that time.
    last_scan: Option<(u32, OrganizeScan)>,
}

impl Organizer {
    /// Returns the state in which a run that nobody asked for begins.
    pub(super) async fn unasked_state(&mut self, engine: &mut Engine) -> Result<LoopState, Halt> {
        let mut wanted = is_organizing_asked(&engine.state().main.ram);
        if !wanted && is_due(engine) {
            let scan = self.scan(engine).await?;
            wanted = !scan.offers.is_empty();
            self.last_scan = Some((engine.store.state().organizing.changes, scan));
        }
        Ok(if wanted {
            LoopState::RecordOrganizing
        } else {
            LoopState::Idle
        })
    }

    /// Returns the scan over the notes that an iteration needs.
    ///
    /// An iteration that organizes notes has it in its prompt. An idle one gets a scan that found
    /// nothing, so that the changes are counted anew.
    pub(super) async fn look_for(
        &mut self,
        engine: &mut Engine,
        run: &Run,
        state: LoopState,
    ) -> Result<Option<OrganizeScan>, Halt> {
        if state == LoopState::RecordOrganizing {
            return self.scan(engine).await.map(Some);
        }
        if run.trigger != Trigger::Idle || !is_due(engine) {
            return Ok(None);
        }
        Ok(Some(self.scan(engine).await?).filter(|scan| scan.offers.is_empty()))
    }

    async fn scan(&mut self, engine: &mut Engine) -> Result<OrganizeScan, Halt> {
        engine.read_notes().await?;
        // The scan that decided how the run begins still holds, unless a note has changed since.
        if let Some((changes, scan)) = self.last_scan.take()
            && changes == engine.store.state().organizing.changes
        {
            return Ok(scan);
        }
        let threshold = engine.profile.config.notes.similar_threshold;
        let sources = WakeupSources::of(&engine.stop, &engine.background_verify);
        next_wakeup(sources, prepare_notes(&mut engine.store, threshold)).await?;
        let (state, scope) = (engine.store.state(), &engine.profile.config.scope);
        Ok(scan_for_work(
            &state.notes,
            &state.organizing,
            scope,
            threshold,
        ))
    }
}

fn is_due(engine: &Engine) -> bool {
    let every = engine.profile.config.notes.organize_every;
    engine.state().organizing.is_due(every)
}

/// Prepares the notes for comparison.
///
/// Many notes are prepared by a thread of their own: the loop's is needed for signals and replies.
/// Cancel safe: nothing is taken in then.
pub(super) async fn prepare_notes(store: &mut Store, threshold: f64) {
    let Some(preparation) = store.state().notes.preparation(threshold) else {
        return;
    };
    if preparation.len() < PREPARED_BESIDE_MIN {
        return store.take_prepared(preparation.work());
    }
    let (teller, received) = oneshot::channel();
    let thread = thread::Builder::new().name("similarity".to_owned());
    let started = thread.spawn(move || {
        // The receiver may be gone.
        drop(teller.send(preparation.work()));
    });
    if let Err(error) = started {
        // There is no memory for a thread: the next call tries again.
        tracing::warn!(%error, "notes cannot be compared quickly yet");
        return;
    }
    // The borrow of the store keeps every note as it is meanwhile.
    if let Ok(prepared) = received.await {
        store.take_prepared(prepared);
    }
}
