//! One question on its way to the model: budget, then the pipeline's steps, each attempt beside what does
//! not need its answer. Decides nothing about whom to ask or when: the pipeline does.

use super::agent::{Agent, Halt, MessageHashes};
use super::background_verify::BackgroundVerify;
use super::meanwhile::Apart;
use super::organize::prepare_notes;
use crate::failure::Code;
use crate::provider::{Call, CallOutcome, Contact, LlmReply, LlmRequest, Next, ProviderError};
use crate::store::{Error, Notice, Store};
use crate::time::Timestamp;
use std::pin::pin;
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
        let mut call = Call::after(self.attempts_before());
        let mut messages_hash = None;
        let cost = self.cost_at_most(request);
        loop {
            if !call.is_over() && self.cancelled.is_some() {
                call.refuse(called_off(Contact::Held));
            }
            if !call.is_over()
                && let Some(error) = cost.and_then(|cost| self.over_budget(cost))
            {
                call.refuse(error);
            }
            let now = self.clock.now();
            match self.server_mut().pipeline.next(&mut call, now) {
                Next::Pause(pause_ms) => {
                    let since_ms = self.clock.uptime_ms();
                    let ended = self.pause_reporting(call.trouble(), pause_ms).await;
                    self.note_wait(call.waits_for(), since_ms);
                    ended?;
                }
                Next::Attempt => {
                    if let Some(cost) = cost {
                        self.reserve(cost).await?;
                    }
                    let (reply, hash) = self.attempt(request).await?;
                    self.record_cost(&request.messages, &reply);
                    let now = self.clock.now();
                    self.server_mut().pipeline.ended(&mut call, reply, now);
                    messages_hash = Some(hash);
                }
                Next::Over => break,
            }
        }
        let messages_hash = messages_hash.unwrap_or_else(|| self.hashes.of(&request.messages));
        let outcome = call.into_outcome();
        self.note_attempts(&outcome);
        Ok((outcome, messages_hash))
    }

    /// Asks once, and says what else was found meanwhile.
    async fn attempt(&mut self, request: &LlmRequest) -> Result<(CallResult, String), Halt> {
        let now = self.clock.now();
        self.heartbeat.step(self.server().config.timeout_ms);
        self.report_asking();
        let (reply, messages_hash, read) = self.ask_once(request).await?;
        self.report_retrying();
        self.heartbeat.step(0);
        let notices = match read {
            Err(error) if error.is_full() => {
                let read = self.with_room(|store| store.read_notes(now)).await?;
                read.into_iter().map(Notice::from).collect()
            }
            read => read?,
        };
        self.observer.on_notices(&notices);
        Ok((reply, messages_hash))
    }

    /// Asks once. While the model works, what does not need its answer is done: the prompt is hashed,
    /// and after a start the notes are read, and what the start left unread; the search index gets what
    /// it needs. After that commands are carried out; one that calls the run off ends the question.
    async fn ask_once(
        &mut self,
        request: &LlmRequest,
    ) -> Result<(CallResult, String, Result<Vec<Notice>, Error>), Halt> {
        let (stop, damage) = (self.stop.clone(), self.background_verify.damage());
        let Apart {
            server,
            config,
            hashes,
            arrived,
            mut meanwhile,
        } = self.apart();
        let mut asked = pin!(async {
            // Dropping the call closes its connection; nothing was committed for it.
            tokio::select! {
                biased;
                () = stop.asked() => Err(Halt::Stopped),
                halt = damage => Err(halt),
                reply = server.pipeline.provider().complete_counted(request, arrived) => Ok(reply),
            }
        });
        let mut answered = None;
        let (messages_hash, read) = {
            let beside = Beside {
                store: meanwhile.handler.store,
                background_verify: meanwhile.handler.background_verify,
                hashes,
                threshold: config.notes.similar_threshold,
                now: meanwhile.handler.now,
            };
            let mut beside = pin!(beside.work(request));
            loop {
                tokio::select! {
                    biased;
                    reply = &mut asked, if answered.is_none() => answered = Some(reply?),
                    done = &mut beside => break done,
                }
            }
        };
        if let Some(reply) = answered {
            return Ok((reply, messages_hash, read));
        }
        let reply = meanwhile.wait_for(asked).await?;
        let reply = reply.unwrap_or_else(|| Ok(Err(called_off(Contact::Lost))))?;
        Ok((reply, messages_hash, read))
    }
}

/// What a model said, or why it did not.
type CallResult = Result<LlmReply, ProviderError>;

/// What is done while the model works.
#[derive(Debug)]
struct Beside<'a> {
    store: &'a mut Store,
    background_verify: &'a mut BackgroundVerify,
    hashes: &'a mut MessageHashes,
    threshold: f64,
    now: Timestamp,
}

impl Beside<'_> {
    /// The digest of the prompt, and what reading the notes came to.
    async fn work(self, request: &LlmRequest) -> (String, Result<Vec<Notice>, Error>) {
        let (store, threshold) = (self.store, self.threshold);
        let messages_hash = self.hashes.of(&request.messages);
        if !store.notes_are_read() || !store.state().notes.is_prepared(threshold) {
            // The question leaves first: thousands of notes would hold it back.
            tokio::time::sleep(HEAD_START).await;
        }
        self.background_verify.begin(store);
        let read = store.read_notes(self.now).and_then(|notices| {
            let mut notices: Vec<Notice> = notices.into_iter().map(Notice::from).collect();
            notices.append(&mut store.tend_index(self.now)?);
            Ok(notices)
        });
        prepare_notes(store, threshold).await;
        (messages_hash, read)
    }
}

/// What becomes of a question whose run a person has called off once it had come so far.
fn called_off(contact: Contact) -> ProviderError {
    let message = "the run was cancelled by hand".to_owned();
    ProviderError {
        contact,
        ..ProviderError::held(Code::RunCancelled, message, None)
    }
}
