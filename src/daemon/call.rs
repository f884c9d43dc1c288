//! One question on its way to the model: budget, then the pipeline's steps, each attempt beside what does
//! not need its answer. Decides nothing about whom to ask or when: the pipeline does.

use super::agent::{Agent, Halt};
use super::organize::prepare_notes;
use super::watcher::Sight;
use crate::provider::{Call, CallOutcome, LlmReply, LlmRequest, Next, ProviderError};
use std::time::Duration;

/// How long a first question is given to leave before the notes are read: connecting and writing
/// take well under a millisecond on this machine's loopback.
const HEAD_START: Duration = Duration::from_millis(5);

impl Agent {
    /// One call through the pipeline, and the digest of its messages.
    pub(super) async fn complete(
        &mut self,
        request: &LlmRequest,
    ) -> Result<(CallOutcome, String), Halt> {
        let mut call = Call::default();
        let mut messages_hash = None;
        let cost = self.cost_at_most(request);
        loop {
            if !call.is_over()
                && let Some(error) = cost.and_then(|cost| self.over_budget(cost))
            {
                call.refuse(error);
            }
            match self.pipeline.next(&mut call, self.clock.now()) {
                Next::Pause(pause_ms) => self.pause(pause_ms).await?,
                Next::Attempt => {
                    if let Some(cost) = cost {
                        self.set_aside(cost).await?;
                    }
                    let (reply, hash) = self.attempt(request).await?;
                    self.pay(&request.messages, &reply);
                    self.pipeline.ended(&mut call, reply, self.clock.now());
                    messages_hash = Some(hash);
                }
                Next::Over => break,
            }
        }
        let messages_hash = messages_hash.unwrap_or_else(|| self.hashes.of(&request.messages));
        Ok((call.into_outcome(), messages_hash))
    }

    /// Asks once. While the model works, what does not need its answer is done: the prompt is hashed,
    /// and after a start the notes are read, and what the start left unread; the search index gets what
    /// it needs.
    async fn attempt(
        &mut self,
        request: &LlmRequest,
    ) -> Result<(Result<LlmReply, ProviderError>, String), Halt> {
        let damage = self.survey.damage();
        let (pipeline, store, survey) = (&self.pipeline, &mut self.store, &mut self.survey);
        let (hashes, now) = (&mut self.hashes, self.clock.now());
        let threshold = self.config.notes.similar_threshold;
        let meanwhile = async {
            let messages_hash = hashes.of(&request.messages);
            if !store.notes_are_read() || !store.state().notes.is_prepared(threshold) {
                // The question leaves first: thousands of notes would hold it back.
                tokio::time::sleep(HEAD_START).await;
            }
            survey.begin(store);
            let read = store.read_notes(now).and_then(|mut notices| {
                notices.append(&mut store.tend_index(now)?);
                Ok(notices)
            });
            prepare_notes(store, threshold).await;
            (messages_hash, read)
        };
        let asked = pipeline.provider().complete(request);
        // Dropping the call closes its connection; nothing was committed for it.
        let (reply, (messages_hash, read)) = tokio::select! {
            biased;
            () = self.stop.asked() => return Err(Halt::Stopped),
            halt = damage => return Err(halt),
            both = async { tokio::join!(asked, meanwhile) } => both,
        };
        let notices = match read {
            Err(error) if error.is_full() => self.with_room(|store| store.read_notes(now)).await?,
            read => read?,
        };
        for message in &notices {
            self.watcher.saw(Sight::Notice { message });
        }
        Ok((reply, messages_hash))
    }
}
