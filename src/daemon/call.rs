//! One question on its way to the model: budget, then the pipeline's steps, each attempt beside what does
//! not need its answer. Decides nothing about whom to ask or when: the pipeline does.

use super::asker::Asker;
use super::background_verify::BackgroundVerify;
use super::budget_ledger::cost_at_most;
use super::engine::Engine;
use super::halt::Halt;
use super::meanwhile::Apart;
use super::organize::prepare_notes;
use super::run_profiles::RunProfile;
use crate::core::journal::Hash;
use crate::core::prompt::Message;
use crate::failure::Code;
use crate::provider::{Call, CallOutcome, Contact, LlmReply, LlmRequest, Next, ProviderError};
use crate::store::{Error, Notice, Store};
use crate::time::Timestamp;
use std::pin::pin;
use std::time::Duration;

/// How long a first question is given to leave before the notes are read: connecting and writing
/// take well under a millisecond on this machine's loopback.
const HEAD_START: Duration = Duration::from_millis(5);

impl Asker {
    /// One call through the pipeline, and the digest of its messages.
    pub(super) async fn complete(
        &mut self,
        engine: &mut Engine,
        profile: &RunProfile,
        request: &LlmRequest,
    ) -> Result<(CallOutcome, String), Halt> {
        let iteration = self.ledger.iteration(engine.state());
        let mut call = Call::after(engine.server().attempts_before(iteration));
        let mut messages_hash = None;
        let meter = engine.server().meter(engine.state());
        let cost = cost_at_most(profile, meter, request);
        loop {
            let now = engine.now();
            if !call.is_over() && engine.commands.cancelled.is_some() {
                call.refuse(called_off(Contact::Held));
            }
            if !call.is_over()
                && let Some(error) = cost.and_then(|cost| {
                    let budget = &profile.config.budget;
                    self.ledger.over_budget(budget, engine.state(), now, cost)
                })
            {
                call.refuse(error);
            }
            match engine.server_mut().pipeline.next(&mut call, now) {
                Next::Pause(pause_ms) => {
                    let since_ms = engine.clock.uptime_ms();
                    let ended = engine.pause_reporting(call.trouble(), pause_ms).await;
                    let waited_ms = engine.clock.uptime_ms().saturating_sub(since_ms);
                    self.calls.note_wait(call.waits_for(), waited_ms);
                    ended?;
                }
                Next::Attempt => {
                    if let Some(cost) = cost {
                        self.reserve(engine, cost).await?;
                    }
                    let (reply, hash) = self.attempt(engine, request).await?;
                    self.ledger.record_cost(&request.messages, &reply);
                    let now = engine.now();
                    engine.server_mut().pipeline.ended(&mut call, reply, now);
                    messages_hash = Some(hash);
                }
                Next::Over => break,
            }
        }
        let messages_hash = messages_hash.unwrap_or_else(|| self.hashes.of(&request.messages));
        let outcome = call.into_outcome();
        let iteration = self.ledger.iteration(engine.state());
        engine.server_mut().note_attempts(&outcome, iteration);
        Ok((outcome, messages_hash))
    }

    /// Asks once, and says what else was found meanwhile.
    async fn attempt(
        &mut self,
        engine: &mut Engine,
        request: &LlmRequest,
    ) -> Result<(CallResult, String), Halt> {
        let now = engine.now();
        let timeout_ms = engine.server().config.timeout_ms;
        engine.status.heartbeat.step(timeout_ms);
        engine.report_asking(self.ledger.run_id);
        let (reply, messages_hash, read) = self.ask_once(engine, request).await?;
        engine.report_retrying();
        engine.status.heartbeat.step(0);
        let notices = match read {
            Err(error) if error.is_full() => {
                let read = engine.with_room(|store| store.read_notes(now)).await?;
                read.into_iter().map(Notice::from).collect()
            }
            read => read?,
        };
        engine.observer.on_notices(&notices);
        Ok((reply, messages_hash))
    }

    /// Asks once. While the model works, what does not need its answer is done: the prompt is hashed,
    /// and after a start the notes are read, and what the start left unread; the search index gets what
    /// it needs. After that commands are carried out; one that calls the run off ends the question.
    async fn ask_once(
        &mut self,
        engine: &mut Engine,
        request: &LlmRequest,
    ) -> Result<(CallResult, String, Result<Vec<Notice>, Error>), Halt> {
        let (stop, damage) = (engine.stop.clone(), engine.background_verify.damage());
        let threshold = engine.profile.config.notes.similar_threshold;
        let hashes = &mut self.hashes;
        let Apart {
            server,
            arrived,
            mut meanwhile,
        } = engine.apart();
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
                threshold,
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

/// Digests of the messages of the last prompt: most of a prompt never changes.
#[derive(Debug, Default)]
pub(super) struct MessageHashes {
    known: Vec<(String, Hash)>,
}

impl MessageHashes {
    /// SHA-256 over the SHA-256 of each message's text, in order.
    pub(super) fn of(&mut self, messages: &[Message]) -> String {
        self.known.truncate(messages.len());
        for (index, message) in messages.iter().enumerate() {
            match self.known.get_mut(index) {
                Some((text, _)) if *text == message.content => {}
                Some(known) => {
                    known.0.clone_from(&message.content);
                    known.1 = Hash::of(message.content.as_bytes());
                }
                None => {
                    let hash = Hash::of(message.content.as_bytes());
                    self.known.push((message.content.clone(), hash));
                }
            }
        }
        Hash::of_all(self.known.iter().map(|(_, hash)| *hash)).to_string()
    }
}
