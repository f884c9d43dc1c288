//! Replays a run: decides its retained replies again, and compares the result with the journal.
//!
//! Asks no model and commits nothing.

use crate::config::{ActionOwner, Config};
use crate::core::agent::{
    NextAction, Policies, ReplyError, StepOutcome, StepReply, Stepwise, Turn, decide,
    decide_failure,
};
use crate::core::guard::Permit;
use crate::core::journal::event::{ConversationKept, IterationDone, ProposalsChanged, RunEnded};
use crate::core::journal::{Change, Commit, Event, State};
use crate::core::notes::NoIndex;
use crate::core::prompt::PromptFile;
use crate::core::protocol::{ParseOptions, ParsedReply, parse_as};
use crate::core::review::ProposedChange;
use crate::failure::{Code, Failure};
use crate::ids::{IdSource, NoteId, RunId};
use crate::provider::FinishReason;
use crate::store::disk::Disk;
use crate::store::each_iteration;
use serde::Serialize;
use uuid::Uuid;

/// The result of replaying an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IterationReplay {
    /// The number of the iteration, from 1.
    pub iteration: u32,
    /// Whether the decision was the same; absent where its reply was not retained.
    pub same: Option<bool>,
    /// The first difference: the event in the journal, and the one decided now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<[String; 2]>,
}

/// A source of note ids that only have to differ.
#[derive(Debug)]
struct SequentialIds(u128);

impl IdSource for SequentialIds {
    fn next_note_id(&mut self) -> NoteId {
        self.0 += 1;
        NoteId(Uuid::from_u128(self.0))
    }
}

/// Decides the retained replies of a run again.
///
/// # Errors
/// `RUN_NOT_FOUND`; `HISTORY_RETIRED` where the journal no longer begins at its beginning;
/// `CONVERSATION_NOT_KEPT` where no reply was retained.
pub fn replay(
    disk: &mut dyn Disk,
    config: &Config,
    prompt: &PromptFile,
    run_id: RunId,
) -> Result<Vec<IterationReplay>, Failure> {
    let mut replayed = Vec::new();
    let is_whole = each_iteration(disk, run_id, &mut |state, commit| {
        replayed.extend(again(config, prompt, state, commit));
    })?;
    if !is_whole {
        let message = "the states that the run was decided upon are not in the kept journal";
        return Err(Failure::new(Code::HistoryRetired, message));
    }
    if replayed.is_empty() {
        return Err(super::unknown_run(run_id));
    }
    if replayed.iter().all(|it| it.same.is_none()) {
        let message = format!("no reply of run {run_id} was retained");
        return Err(Failure::new(Code::ConversationNotKept, message));
    }
    Ok(replayed)
}

/// Replays one iteration.
///
/// A run of a rule is decided with the rule's action as its file has it now; of that time the
/// journal has only the mode.
fn again(
    config: &Config,
    prompt: &PromptFile,
    state: &State,
    commit: &Commit,
) -> Option<IterationReplay> {
    let events = &commit.draft.events;
    let done = commit.draft.iteration()?;
    let run = state.runs.get(done.run_id)?;
    let everything = Permit::everything();
    let action = ActionOwner::of(run).and_then(|owner| config.action_of(&owner));
    let permit = action.map_or(&everything, |it| &it.permit);
    let (config, prompt) = action.map_or((config, prompt), |it| (&it.config, &it.prompt));
    let read = if done.is_stepwise {
        in_steps(config, prompt, state, events, done)
    } else {
        let kept = events.iter().rev().find_map(kept_in);
        kept.map(|kept| read_again(config, prompt, state, kept))
    };
    let Some(read) = read else {
        return Some(IterationReplay {
            iteration: done.iteration,
            same: None,
            difference: None,
        });
    };
    let decided = decide_again((config, permit), state, commit, done, &read)?;
    let difference = difference(events, &decided);
    Some(IterationReplay {
        iteration: done.iteration,
        same: Some(difference.is_none()),
        difference,
    })
}

fn kept_in(event: &Event) -> Option<&ConversationKept> {
    let Event::ConversationKept(kept) = event else {
        return None;
    };
    Some(kept)
}

const fn ended_in(event: &Event) -> Option<&RunEnded> {
    let Event::RunEnded(ended) = event else {
        return None;
    };
    Some(ended)
}

#[derive(Default)]
struct ParsedIteration {
    parsed: Option<ParsedReply>,
    reasoning: Option<String>,
    outcome: Option<StepOutcome>,
    is_unsure: bool,
}

/// Parses the reply of an iteration in which the model wrote instructions.
fn read_again(
    config: &Config,
    prompt: &PromptFile,
    state: &State,
    kept: &ConversationKept,
) -> ParsedIteration {
    let options = ParseOptions {
        strict: config.parser_strict,
        allowed_tags: prompt.allowed_tags,
        truncated: kept.reply.finish == FinishReason::Length.name(),
    };
    let parsed = parse_as(kept.constraint_kind, &kept.reply.text, &options);
    let (text, request) = (&kept.reply.text, state.main.ram.request());
    let error = ReplyError::against(&parsed, text, &kept.messages, None, request);
    let counts = error.is_none();
    ParsedIteration {
        parsed: counts.then_some(parsed),
        reasoning: kept.reply.reasoning.clone().filter(|_| counts),
        ..ParsedIteration::default()
    }
}

/// Combines the replies of an iteration in small steps; `None` where one of them is not kept.
fn in_steps(
    config: &Config,
    prompt: &PromptFile,
    state: &State,
    events: &[Event],
    done: &IterationDone,
) -> Option<ParsedIteration> {
    let kept: Vec<_> = events.iter().filter_map(kept_in).collect();
    let replies = kept.iter().map(|kept| StepReply {
        text: kept.reply.text.clone(),
        certainty_percent: kept.reply.certainty_percent,
        least_percent: kept.reply.least_percent,
    });
    let replies: Vec<StepReply> = replies.collect();
    let run = state.runs.get(done.run_id)?;
    let stepwise = Stepwise {
        state,
        working: state.memory_of(run),
        index: &NoIndex,
        workspace_id: config.scope.workspace_id,
        prompt,
        request: state.memory_of(run).ram.request()?,
        shown: &run.progress.shown,
        ran_in: done.state,
        since: run.started_at.unwrap_or(run.queued_at),
    };
    match stepwise.next(&replies) {
        NextAction::Ask(_) => None,
        NextAction::Failed(_) => Some(ParsedIteration::default()),
        NextAction::Done(result) => Some(ParsedIteration {
            parsed: Some(result.reply),
            outcome: result.outcome,
            is_unsure: result.is_unsure,
            ..ParsedIteration::default()
        }),
    }
}

fn decide_again(
    (config, permit): (&Config, &Permit),
    state: &State,
    commit: &Commit,
    done: &IterationDone,
    read: &ParsedIteration,
) -> Option<Vec<Event>> {
    let run = state.runs.get(done.run_id)?;
    let nothing = ParsedReply::nothing();
    let turn = Turn {
        state,
        working: state.memory_of(run),
        index: &NoIndex,
        run,
        ran_in: done.state,
        reply: read.parsed.as_ref().unwrap_or(&nothing),
        reasoning: read.reasoning.as_deref(),
        usage: done.usage,
        counted: done.counted,
        allocation: done.allocation,
        shown: &done.shown,
        outcomes_shown: done.outcomes_shown,
        messages_hash: done.messages_hash.clone(),
        edited: &done.edited,
        is_request_new: done.is_request_new,
        look: done.look.as_ref(),
        is_stepwise: done.is_stepwise,
        is_unsure: read.is_unsure,
        outcome: read.outcome.as_ref(),
        now: commit.draft.ts,
    };
    let ended = commit.draft.events.iter().find_map(ended_in);
    // Whoever starts a run sets the bound; the journal shows whether this iteration was the last.
    let bound = if ended.is_some() { 1 } else { u32::MAX };
    let policies = Policies {
        scope: &config.scope,
        permit,
        mode: run.mode,
        memory: &config.memory,
        notes: &config.notes,
        r#loop: &config.r#loop,
        max_iterations: config.r#loop.max_iterations.map(|_| bound),
    };
    let mut ids = SequentialIds(0);
    let decision = if read.parsed.is_some() {
        decide(&turn, &policies, &mut ids)
    } else {
        // After a reply that cannot be read, the next call may have failed in another way.
        let code = ended.and_then(|ended| ended.error_code);
        let code = code.unwrap_or(Code::XmlParseError);
        decide_failure(&turn, &policies, &mut ids, code)
    };
    Some(decision.draft.events)
}

/// Returns whether an event belongs to the decision, unlike costs and replies.
const fn is_decision(event: &Event) -> bool {
    matches!(
        event,
        Event::Change(_)
            | Event::InstructionDecided(_)
            | Event::KeysNoted(_)
            | Event::ProposalsChanged(_)
            | Event::RunEnded(_)
    )
}

/// Returns the first event that differs, as the journal has it and as it is decided now.
fn difference(journaled: &[Event], decided: &[Event]) -> Option<[String; 2]> {
    let [then, now] = [journaled, decided].map(|events| {
        let events = events.iter().filter(|event| is_decision(event));
        events.map(text_of).collect::<Vec<String>>()
    });
    let names = [journaled, decided].map(|events| events.iter().filter_map(created));
    let [theirs, ours] = names.map(Iterator::collect::<Vec<String>>);
    let named = |text: &String| {
        let pairs = ours.iter().zip(&theirs);
        pairs.fold(text.clone(), |text, (ours, theirs)| {
            text.replace(ours, theirs)
        })
    };
    let now: Vec<String> = now.iter().map(named).collect();
    let at = (0..then.len().max(now.len())).find(|at| then.get(*at) != now.get(*at))?;
    Some([&then, &now].map(|texts| texts.get(at).cloned().unwrap_or_default()))
}

/// Returns the id of a note that an event creates or proposes: it is drawn anew each time.
fn created(event: &Event) -> Option<String> {
    if let Event::ProposalsChanged(ProposalsChanged::Made(proposal)) = event {
        let is_new = proposal.wanted == ProposedChange::Create;
        return is_new.then(|| proposal.note.id.to_string());
    }
    let Event::Change(change) = event else {
        return None;
    };
    let Change::NoteCreated(written) = change.get() else {
        return None;
    };
    Some(written.note.id.to_string())
}

fn text_of(event: &Event) -> String {
    let mut data = Vec::new();
    // Data that was read as JSON can be written as JSON.
    event.write_data(&mut data).unwrap_or_default();
    format!("{} {}", event.type_name(), String::from_utf8_lossy(&data))
}
