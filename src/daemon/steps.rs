//! Small steps: makes the calls that `core` asks for, and hands their replies back.
//!
//! Each call is within its budget and kept to the form that was made for it. Decides nothing about
//! the replies.

use super::asker::{AskOutcome, Asker, CallContext, CallTotals, FinalReply, LastPrompt, Reply};
use super::engine::Engine;
use super::stop::Halt;
use crate::core::agent::{NextAction, PromptAdditions, StepReply, Stepwise};
use crate::core::protocol::ParsedReply;

/// Returns whether an iteration of a run is worked on in small steps.
pub(super) fn is_stepwise(engine: &Engine, work: CallContext<'_>) -> bool {
    work.run.request.is_some()
        && engine.server().takes_steps(work.profile)
        && stepwise(engine, work).is_some_and(|it| it.applies())
}

fn stepwise<'a>(engine: &'a Engine, work: CallContext<'a>) -> Option<Stepwise<'a>> {
    let state = engine.state();
    Some(Stepwise {
        state,
        index: engine.store.search_index(),
        workspace_id: work.profile.config.scope.workspace_id,
        prompt: &work.profile.prompt,
        request: state.ram.request()?,
        shown: &work.run.progress.shown,
        ran_in: work.state,
        since: work.run.started_at.unwrap_or(work.run.queued_at),
    })
}

/// Makes the calls of an iteration in small steps, and returns its answer.
pub(super) async fn ask_in_steps(
    asker: &mut Asker,
    engine: &mut Engine,
    work: CallContext<'_>,
    heard: &mut CallTotals,
) -> Result<AskOutcome, Halt> {
    heard.prompt = LastPrompt {
        messages_hash: asker.hashes.of(&[]),
        ..LastPrompt::default()
    };
    let mut replies: Vec<StepReply> = Vec::new();
    let (mut outcome, mut is_unsure) = (None, false);
    let reply = loop {
        match stepwise(engine, work).map(|it| it.next(&replies)) {
            Some(NextAction::Ask(question)) => {
                let additions = PromptAdditions {
                    question: Some(*question),
                    ..PromptAdditions::default()
                };
                match asker.hear(engine, work, &additions, heard).await? {
                    Reply::Text(reply, ..) => replies.push(StepReply {
                        text: reply.text,
                        certainty_percent: reply.arrival.certainty_percent,
                    }),
                    // It says nothing.
                    Reply::Garbled(_) => replies.push(StepReply::default()),
                    Reply::Failed(code) => break Err(code),
                    Reply::Away(away) => return Ok(AskOutcome::Away(away)),
                }
            }
            Some(NextAction::Done(result)) => {
                outcome = result.outcome;
                is_unsure = result.is_unsure;
                heard.prompt.composed.shown = result.shown;
                break Ok((result.reply, None));
            }
            Some(NextAction::Failed(code)) => break Err(code),
            // The person took the request back.
            None => break Ok((ParsedReply::nothing(), None)),
        }
    };
    Ok(AskOutcome::Answered(Box::new(FinalReply {
        reply,
        outcome,
        is_stepwise: true,
        is_unsure,
        heard: std::mem::take(heard),
    })))
}
