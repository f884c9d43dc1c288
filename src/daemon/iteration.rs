//! One iteration: eight steps in one straight function, named as in the contract. Everything that
//! it decides is decided by pure functions of `core`; here they are only called in order.

use super::agent::{Agent, Halt, Patience};
use super::compose::is_no_prompt;
use super::organize::prepare_notes;
use super::room::bare_tokens;
use super::watcher::Sight;
use crate::core::agent::{
    ActionResult, Decision, Ending, LoopState, Turn, decide, decide_failure, offered,
};
use crate::core::guard::Edited;
use crate::core::journal::Event;
use crate::core::journal::event::{ConversationKept, KeptReply};
use crate::core::notes::Look;
use crate::core::prompt::{AllocationSummary, Message};
use crate::core::protocol::{ParseOptions, Parsed, Severity, parse};
use crate::core::run::{Run, Usage};
use crate::failure::{Code, Failure};
use crate::ids::RunId;
use crate::provider::{FinishReason, LlmReply, LlmRequest, ProviderError};
use crate::store::DrawnIds;
use std::time::Duration;

/// How long a first question is given to leave before the notes are read: connecting and writing
/// take well under a millisecond on this machine's loopback.
const HEAD_START: Duration = Duration::from_millis(5);

/// What an iteration came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterated {
    /// How the run ended, if it did.
    pub ending: Option<Ending>,
}

/// What came of asking the model.
enum Asked {
    /// It had something to say, or failed in a way that ends the run.
    Answered(Box<Answer>),
    /// The server is away: nothing was said, and nothing is lost.
    Away(ProviderError),
}

/// What the model had to say, after as many questions as it took.
struct Answer {
    reply: Result<(Parsed, Option<String>), Code>,
    usage: Usage,
    bare_tokens: Option<u64>,
    allocation: Option<AllocationSummary>,
    messages_hash: String,
    kept: Vec<Event>,
}

impl Agent {
    /// Runs one iteration of an open run.
    ///
    /// # Errors
    /// [`Halt::Failed`] with `RUN_NOT_FOUND` for a run that is not open, and with
    /// `LLM_UNAVAILABLE`, the run left as it is, for a server that is away and not waited for.
    pub async fn iteration(&mut self, run_id: RunId) -> Result<Iterated, Halt> {
        let mut pause_ms = 0;
        loop {
            // 1 load state
            self.reload_if_asked();
            self.take_edits().await?;
            let run = self.open_run(run_id)?;
            let ran_in = self.store.state().ram.state();
            let look = self.look_for(&run, ran_in).await?;
            self.watcher.saw(Sight::Asking {
                state: ran_in,
                iteration: run.loop_count + 1,
            });

            // 2 segments, 3 assemble, 4 complete, 5 parse
            match self.ask(&run, ran_in, look.as_ref()).await? {
                Asked::Answered(answer) => {
                    self.tell_busy();
                    return self.conclude(&run, ran_in, *answer, look.as_ref()).await;
                }
                Asked::Away(error) if self.patience == Patience::None => {
                    return Err(Failure::new(error.code, error.message).into());
                }
                // Time passes: the question is put anew, from the state as it is then.
                Asked::Away(error) => {
                    // It may not even have come to a question, and be so for days.
                    self.read_notes().await?;
                    self.wait_for_server(error.code, &error.message, &mut pause_ms)
                        .await?;
                    self.tell_trying();
                    self.take_inbox().await?;
                }
            }
        }
    }

    /// The second half of an iteration, once there is an answer.
    async fn conclude(
        &mut self,
        run: &Run,
        ran_in: LoopState,
        answer: Answer,
        look: Option<&Look>,
    ) -> Result<Iterated, Halt> {
        // 6 decide: what a person edited meanwhile goes first
        let edited = self.take_edits().await?;
        let mut decision = self.decide(run, ran_in, &answer, &edited, look);
        decision.draft.events.extend(answer.kept);
        if let Some(started) = self.started_otherwise(run) {
            // In front: what ends a run comes last.
            decision.draft.events.insert(0, started);
        }

        // 7 commit
        let Decision {
            draft,
            next,
            ending,
            entries,
        } = decision;
        let head = self.commit(draft).await?;
        self.forget_room();

        // 8 wait: the caller's, who knows what comes next
        self.watcher.saw(Sight::Committed {
            run,
            iteration: run.loop_count + 1,
            state: ran_in,
            next,
            usage: answer.usage,
            entries: &entries,
            head,
            ending,
        });
        Ok(Iterated { ending })
    }

    fn decide(
        &self,
        run: &Run,
        ran_in: LoopState,
        answer: &Answer,
        edited: &Edited,
        look: Option<&Look>,
    ) -> Decision {
        let now = self.clock.now();
        let nothing = Parsed::nothing();
        let (reply, reasoning) = match &answer.reply {
            Ok((parsed, reasoning)) => (parsed, reasoning.as_deref()),
            Err(_) => (&nothing, None),
        };
        let turn = Turn {
            state: self.store.state(),
            index: self.store.search_index(),
            run,
            ran_in,
            reply,
            reasoning,
            usage: answer.usage,
            messages_hash: answer.messages_hash.clone(),
            bare_tokens: answer.bare_tokens,
            allocation: answer.allocation,
            edited,
            look,
            now,
        };
        let mut ids = DrawnIds { now };
        match answer.reply {
            Ok(_) => decide(&turn, &self.policies(), &mut ids),
            Err(code) => decide_failure(&turn, &self.policies(), &mut ids, code),
        }
    }

    /// Asks until the reply can be read, within the bounds of the configuration.
    async fn ask(
        &mut self,
        run: &Run,
        state: LoopState,
        look: Option<&Look>,
    ) -> Result<Asked, Halt> {
        let mut usage = Usage::default();
        let mut kept = Vec::new();
        let mut complaint: Option<ActionResult> = None;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut more = look.map_or_else(Vec::new, |look| offered(self.store.state(), look));
            more.extend(complaint.take());
            let put = self.question(state, &more).await?;
            let (messages_hash, messages) = (put.messages_hash, put.request.messages);
            let allocation = put.allocation;
            // Only of a single reply is it known which prompt its tokens were counted for.
            let bare_tokens = (attempt == 1).then(|| bare_tokens(&messages));
            let answered = |reply, usage, kept| {
                Asked::Answered(Box::new(Answer {
                    reply,
                    usage,
                    bare_tokens,
                    allocation,
                    messages_hash,
                    kept,
                }))
            };
            let message = match put.reply {
                Ok(reply) => {
                    usage.add(Usage {
                        calls: 1,
                        ..reply.usage
                    });
                    if self.config.memory.retain_full_conversation_logs {
                        kept.push(keep(run, attempt, messages, &reply));
                    }
                    let parsed = parse(&reply.text, &self.parse_options(&reply));
                    if parsed.ok {
                        return Ok(answered(Ok((parsed, reply.reasoning)), usage, kept));
                    }
                    what_is_wrong(&parsed)
                }
                Err(error) if self.is_away(&error) => return Ok(Asked::Away(error)),
                // A reply that is not even text is as unreadable as one can be.
                Err(error) if error.code == Code::XmlParseError => {
                    usage.calls = usage.calls.saturating_add(1);
                    error.message
                }
                Err(error) => {
                    self.tell_failed(&error);
                    return Ok(answered(Err(error.code), usage, kept));
                }
            };
            self.watcher.saw(Sight::Unreadable { message: &message });
            if attempt > self.config.r#loop.parse_retries {
                return Ok(answered(Err(Code::XmlParseError), usage, kept));
            }
            complaint = Some(unreadable(message));
        }
    }

    /// Says why a question came to nothing.
    fn tell_failed(&mut self, error: &ProviderError) {
        if is_no_prompt(error.code) {
            // Nothing was asked: a person has to know why.
            let message = format!("{}: {error}", error.code);
            self.watcher.saw(Sight::Notice { message: &message });
        } else {
            tracing::warn!(code = %error.code, "{error}");
        }
    }

    /// Whether an error says that the server is not there, or not there yet. A person who waits is
    /// told so whatever the reason; a daemon waits only for what can pass.
    fn is_away(&self, error: &ProviderError) -> bool {
        error.code == Code::LlmUnavailable && (error.retry || self.patience == Patience::None)
    }

    /// One call through the pipeline. While the model works, what does not need its answer is done:
    /// the prompt is hashed, and after a start the notes are read, and what the start left unread;
    /// the search index gets what it needs.
    pub(super) async fn complete(
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
        // Dropping the call closes its connection; nothing was committed for it.
        let (outcome, (messages_hash, read)) = tokio::select! {
            biased;
            () = self.stop.asked() => return Err(Halt::Stopped),
            halt = damage => return Err(halt),
            both = async { tokio::join!(pipeline.call(request), meanwhile) } => both,
        };
        let notices = match read {
            Err(error) if error.is_full() => self.with_room(|store| store.read_notes(now)).await?,
            read => read?,
        };
        for message in &notices {
            self.watcher.saw(Sight::Notice { message });
        }
        Ok((outcome.reply, messages_hash))
    }

    fn parse_options(&self, reply: &LlmReply) -> ParseOptions {
        ParseOptions {
            strict: self.config.parser_strict,
            allowed_tags: self.prompt.allowed_tags,
            truncated: reply.finish == FinishReason::Length,
        }
    }
}

/// What the model is told of a reply that could not be read.
fn unreadable(message: String) -> ActionResult {
    ActionResult {
        op: "reply".to_owned(),
        target: String::new(),
        code: Some(Code::XmlParseError),
        message,
        items: Vec::new(),
    }
}

/// The first things that are wrong with a reply, as the model is told.
fn what_is_wrong(parsed: &Parsed) -> String {
    let diagnostics = || parsed.diagnostics.iter();
    // What was dropped says more than that nothing is left.
    let dropped = diagnostics().filter(|found| found.dropped.is_some());
    let errors = diagnostics().filter(|found| found.severity == Severity::Error);
    let mut messages: Vec<&str> = dropped.map(|found| found.message.as_str()).collect();
    if messages.is_empty() {
        messages.extend(errors.map(|found| found.message.as_str()));
    }
    messages.truncate(2);
    messages.join(" ")
}

fn keep(run: &Run, attempt: u32, messages: Vec<Message>, reply: &LlmReply) -> Event {
    let finish = match reply.finish {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
    };
    Event::ConversationKept(ConversationKept {
        run_id: run.run_id,
        iteration: run.loop_count + 1,
        attempt,
        messages,
        reply: KeptReply {
            text: reply.text.clone(),
            reasoning: reply.reasoning.clone(),
            finish: finish.to_owned(),
            usage: reply.usage,
        },
    })
}
