//! Small steps: makes the calls that `core` asks for, and hands their replies back.
//!
//! Each call is within its budget and kept to the form that was made for it. Decides nothing about
//! the replies.

use super::asker::{Asker, Work, report_failed};
use super::engine::Engine;
use super::halt::Halt;
use super::heard::{Answer, Asked, Heard};
use crate::core::agent::{Beside, Next, Stepwise, Worked};
use crate::core::protocol::Parsed;
use crate::core::steps::question::Question;
use crate::failure::Code;
use crate::provider::ProviderError;

/// Returns whether an iteration of a run is worked on in small steps.
pub(super) fn is_stepwise(engine: &Engine, work: Work<'_>) -> bool {
    work.run.request.is_some()
        && engine.server().takes_steps(work.profile)
        && stepwise(engine, work).is_some_and(|it| it.applies())
}

fn stepwise<'a>(engine: &'a Engine, work: Work<'a>) -> Option<Stepwise<'a>> {
    let state = engine.state();
    Some(Stepwise {
        state,
        index: engine.store.search_index(),
        workspace_id: work.profile.config.scope.workspace_id,
        prompt: &work.profile.prompt,
        request: state.ram.request()?,
        shown: &work.run.progress.shown,
        ran_in: work.state,
    })
}

/// Makes the calls of an iteration in small steps, and returns its answer.
pub(super) async fn ask_in_steps(
    asker: &mut Asker,
    engine: &mut Engine,
    work: Work<'_>,
    heard: &mut Heard,
) -> Result<Asked, Halt> {
    let mut replies: Vec<String> = Vec::new();
    let mut answer = Answer {
        is_stepwise: true,
        messages_hash: asker.hashes.of(&[]),
        ..Answer::of(Ok((Parsed::nothing(), None)))
    };
    loop {
        let next = stepwise(engine, work).map(|it| it.next(&replies));
        let reply = match next {
            Some(Next::Ask(question)) => {
                let asked = ask_step(asker, engine, work, *question, (heard, &mut answer));
                match asked.await? {
                    Ok(text) => {
                        replies.push(text);
                        continue;
                    }
                    Err(error) if asker.is_away(engine, work, &error) => {
                        return Ok(Asked::Away(asker.away(engine, error)));
                    }
                    Err(error) => {
                        report_failed(engine, &error);
                        Err(error.code)
                    }
                }
            }
            Some(Next::Done(worked)) => {
                let Worked {
                    reply,
                    carried,
                    shown,
                } = *worked;
                answer.carried = carried;
                answer.shown = shown;
                Ok((reply, None))
            }
            Some(Next::Failed(code)) => Err(code),
            // The person took the request back.
            None => Ok((Parsed::nothing(), None)),
        };
        answer.reply = reply;
        let Heard { usage, kept, .. } = std::mem::take(heard);
        answer.usage = usage;
        answer.kept = kept;
        return Ok(Asked::Answered(Box::new(answer)));
    }
}

/// Makes the call of one question, and returns the text of its reply, which may be blank.
async fn ask_step(
    asker: &mut Asker,
    engine: &mut Engine,
    work: Work<'_>,
    question: Question,
    (heard, answer): (&mut Heard, &mut Answer),
) -> Result<Result<String, ProviderError>, Halt> {
    let beside = Beside {
        question: Some(question),
        ..Beside::default()
    };
    let put = asker.question(engine, work, &beside).await?;
    let form = engine.server().form_of(&put.request);
    answer.counted = engine
        .server()
        .counted_in(&put.reply, &put.request.messages)
        .or_else(|| answer.counted.take());
    answer.allocation = put.allocation;
    answer.messages_hash = asker.hashes.of(&put.request.messages);
    heard.usage.add(put.uncounted);
    let reply = match put.reply {
        Ok(reply) => reply,
        // A reply that is not even text says nothing.
        Err(error) if error.code == Code::XmlParseError => {
            heard.take_in_garbled();
            return Ok(Ok(String::new()));
        }
        Err(error) => return Ok(Err(error)),
    };
    heard.take_in(work, put.request, &reply, form);
    Ok(Ok(reply.text))
}
