//! Carries out the actions of a call: asks the model, works beside it, and waits.
//!
//! Decides nothing: [`Call`] does.

use super::asked_server::settle_model;
use super::asker::{Asker, CallContext};
use super::background_verify::BackgroundVerify;
use super::call::Call;
use super::call_facts::{CallAction, CallEvent, CallFacts, SentPrompt, called_off};
use super::command_handler::CommandHandler;
use super::concurrent_work::EngineParts;
use super::context_window::{count_tokens, query_window};
use super::engine::Engine;
use super::organize::prepare_notes;
use super::stop::Halt;
use super::waits::{Wakeup, WakeupSources, next_wakeup};
use crate::core::agent::PromptAdditions;
use crate::core::journal::Hash;
use crate::core::prompt::PromptMessage;
use crate::provider::{CallResult, Contact, LlmRequest};
use crate::store::{Error, Notice, Store};
use crate::time::Timestamp;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

/// The time in which a first request can leave before the notes are read.
///
/// Connecting and writing take well under a millisecond over loopback.
const HEAD_START: Duration = Duration::from_millis(5);

impl Asker {
    /// Sends the prompt of a state to the provider that is chosen for it.
    ///
    /// Other providers are asked in its place where that is worth trying.
    pub(super) async fn question(
        &mut self,
        engine: &mut Engine,
        work: CallContext<'_>,
        additions: &PromptAdditions,
    ) -> Result<SentPrompt, Halt> {
        let has_choice = engine.pool().has_choice();
        let least_window = has_choice.then(|| self.composer.least_window(engine, work));
        let now = engine.now();
        let chosen = engine.pool_mut().choose(least_window.flatten(), now);
        let mut call = match chosen {
            Ok(route) => Call::new(route),
            Err(error) => return Ok(SentPrompt::unasked(error)),
        };
        let mut happened = CallEvent::Begun;
        loop {
            let action = call.next(happened, &mut self.facts(engine, work));
            for message in call.take_notices() {
                engine.notice(&message);
            }
            happened = match action {
                CallAction::SettleModel => CallEvent::ModelSettled(settle_model(engine).await?),
                CallAction::AskWindow => {
                    query_window(engine).await?;
                    CallEvent::WindowAsked
                }
                CallAction::Compose => {
                    CallEvent::Composed(self.composer.compose(engine, work, additions))
                }
                CallAction::Count(request, counter) => {
                    let counted = count_tokens(engine, &request.messages, counter).await?;
                    counted.map_or(CallEvent::Uncounted, CallEvent::Counted)
                }
                CallAction::Wait { wait_ms, code, why } => {
                    let since_ms = engine.clock.uptime_ms();
                    let ended = engine.pause_reporting(why.as_ref(), wait_ms).await;
                    let waited_ms = engine.clock.uptime_ms().saturating_sub(since_ms);
                    self.calls.note_wait(code, waited_ms);
                    ended?;
                    CallEvent::Waited
                }
                CallAction::Send(request, cost) => {
                    if let Some(cost) = cost {
                        self.reserve(engine, cost).await?;
                    }
                    let reply = self.attempt(engine, &request).await?;
                    self.ledger.record_cost(&request.messages, &reply);
                    CallEvent::Replied(reply)
                }
                CallAction::Done(put) => return Ok(*put),
            };
        }
    }

    fn facts<'a>(&'a mut self, engine: &'a mut Engine, work: CallContext<'a>) -> CallFacts<'a> {
        CallFacts {
            now: engine.now(),
            is_cancelled: engine.commands.cancelled.is_some(),
            pool: engine.pools.of_mut(engine.profile.servers_of.as_ref()),
            state: engine.store.state(),
            calls: &mut self.calls,
            ledger: &self.ledger,
            work,
        }
    }

    /// Makes one attempt, and reports what was found meanwhile.
    async fn attempt(
        &mut self,
        engine: &mut Engine,
        request: &LlmRequest,
    ) -> Result<CallResult, Halt> {
        let now = engine.now();
        let timeout_ms = engine.server().config.timeout_ms;
        engine.status.heartbeat.step(timeout_ms);
        engine.report_asking(self.ledger.run_id);
        let (reply, read) = self.ask_once(engine, request).await?;
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
        Ok(reply)
    }

    /// Makes one attempt, and works while the model does.
    ///
    /// The work is what does not need the reply: it hashes the prompt, advances the search index,
    /// and after a start reads the notes and what the start left unread. After that commands are
    /// carried out; one that cancels the run ends the attempt.
    async fn ask_once(
        &mut self,
        engine: &mut Engine,
        request: &LlmRequest,
    ) -> Result<(CallResult, Result<Vec<Notice>, Error>), Halt> {
        let threshold = engine.profile.config.notes.similar_threshold;
        let hashes = &mut self.hashes;
        let EngineParts {
            server,
            arrived,
            mut meanwhile,
        } = engine.apart();
        // Dropping the call closes its connection; nothing was committed for it.
        let provider = server.pipeline.provider();
        let mut asked = provider.complete_counted(request, arrived);
        let mut answered = None;
        let read = {
            let sources = WakeupSources::of(meanwhile.stop, meanwhile.handler.background_verify);
            let CommandHandler {
                store,
                background_verify,
                now,
                ..
            } = &mut meanwhile.handler;
            let mut beside = pin!(async {
                drop(hashes.of(&request.messages));
                work_beside(store, background_verify, threshold, *now).await
            });
            let both = poll_fn(|context| {
                if answered.is_none()
                    && let Poll::Ready(reply) = asked.as_mut().poll(context)
                {
                    answered = Some(reply);
                }
                beside.as_mut().poll(context)
            });
            match next_wakeup(sources, both).await? {
                Wakeup::Ready(read) => read,
                // No other source is listened to.
                Wakeup::Reload
                | Wakeup::Command(_)
                | Wakeup::Files
                | Wakeup::Progress
                | Wakeup::Time => Ok(Vec::new()),
            }
        };
        if let Some(reply) = answered {
            return Ok((reply, read));
        }
        let reply = meanwhile.wait_for(asked).await?;
        Ok((
            reply.unwrap_or_else(|| Err(called_off(Contact::Lost))),
            read,
        ))
    }
}

/// Reads the notes while the model works; returns the notices of the store.
async fn work_beside(
    store: &mut Store,
    background_verify: &mut BackgroundVerify,
    threshold: f64,
    now: Timestamp,
) -> Result<Vec<Notice>, Error> {
    if !store.notes_are_read() || !store.state().notes.is_prepared(threshold) {
        // The request leaves first: thousands of notes would hold it back.
        tokio::time::sleep(HEAD_START).await;
    }
    background_verify.begin(store);
    let read = store.read_notes(now).and_then(|notices| {
        let mut notices: Vec<Notice> = notices.into_iter().map(Notice::from).collect();
        notices.append(&mut store.tend_index(now)?);
        Ok(notices)
    });
    prepare_notes(store, threshold).await;
    read
}

/// The digests of the messages of the last prompt: most of a prompt never changes.
#[derive(Debug, Default)]
pub(super) struct MessageHashes {
    known: Vec<(String, Hash)>,
}

impl MessageHashes {
    /// Returns the SHA-256 over the SHA-256 of each message's text, in order.
    pub(super) fn of(&mut self, messages: &[PromptMessage]) -> String {
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
