//! Decides an iteration: its changes, the next state, and whether the run is over.
//! Pure: equal turns give equal decisions.

use super::LoopState;
use super::executor::{
    ExecContext, Executor, count_no_progress, dropped, first_chars, note_context, note_shown,
    page_by_rule, report_missing, take_step,
};
use super::initial_state::{cycle_in, has_rested, is_overfull};
use super::organizing::{is_organizing_asked, with_rewritten};
use super::transition::{Situation, StateRequestOutcome, Transition, legal_targets, transition};
use super::turn::{Decision, Policies, Turn};
use super::verdict::{Ending, Evidence, verdict};
use crate::core::guard::in_ram_of;
use crate::core::journal::event::{
    Cycle, Event, InstructionOutcome, IterationDone, KeysNoted, ProposalsChanged, RunEnded,
};
use crate::core::journal::{Actor, ActorType, Cause, CommitDraft};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG};
use crate::core::memory::{MemoryPolicy, ThinkLogSource};
use crate::core::run::Run;
use crate::failure::Code;
use crate::ids::IdSource;
use serde_json::Value;

/// Decides a turn whose reply could be read.
pub fn decide(turn: &Turn<'_>, policies: &Policies<'_>, ids: &mut dyn IdSource) -> Decision {
    let context = context_of(turn, policies);
    let mut executor = Executor::new(&context, ids);
    for located in &turn.reply.instructions {
        executor.work(located);
    }
    for diagnostic in &turn.reply.diagnostics {
        if let Some(op) = &diagnostic.dropped {
            dropped(&mut executor, op, diagnostic);
        }
    }
    if let Some(outcome) = turn.outcome {
        take_step(&mut executor, outcome);
    }
    executor.overlay.progress.unsure |= turn.is_unsure;
    note_shown(&mut executor, turn.outcome);
    write_think_log(&mut executor, turn, policies.memory);
    drop_finished_step(&mut executor, turn);
    note_context(&mut executor);
    let pending = close_request(&mut executor, turn);
    page_by_rule(&mut executor);
    let moved = advance(&mut executor, turn, policies, pending);
    count_no_progress(&mut executor);
    let evidence = Evidence {
        trigger: turn.run.trigger,
        has_request: turn.run.request.is_some(),
        ran_in: turn.ran_in,
        next: moved.next,
        pending,
        progress: &executor.overlay.progress,
        is_shown: is_shown(&executor, turn),
        iteration: turn.run.loop_count + 1 - turn.run.attempt_from,
        max_iterations: policies.max_iterations,
    };
    let ending = verdict(&evidence);
    finish(executor, turn, moved, ending)
}

/// Decides a turn without a readable reply: the run ends with `code`, nothing else changes.
pub fn decide_failure(
    turn: &Turn<'_>,
    policies: &Policies<'_>,
    ids: &mut dyn IdSource,
    code: Code,
) -> Decision {
    let context = context_of(turn, policies);
    let executor = Executor::new(&context, ids);
    let moved = Moved {
        next: turn.ran_in,
        cycle: turn.working.cycle,
    };
    finish(executor, turn, moved, Some(Ending::failed(code)))
}

fn context_of<'a>(turn: &Turn<'a>, policies: &Policies<'a>) -> ExecContext<'a> {
    ExecContext {
        state: turn.state,
        working: turn.working,
        index: turn.index,
        scope: policies.scope,
        permit: policies.permit,
        edited: turn.edited,
        memory: policies.memory,
        note_policy: policies.notes,
        mode: policies.mode,
        shown: turn.shown,
        is_stepwise: turn.is_stepwise,
        run: turn.run,
        ran_in: turn.ran_in,
        now: turn.now,
    }
}

/// The next state of the loop and the cycle that belongs to it.
#[derive(Clone, Copy)]
struct Moved {
    next: LoopState,
    cycle: Cycle,
}

/// Writes `think_log`: the model's text or the reasoning, as configured, cut to its limit.
fn write_think_log(executor: &mut Executor<'_>, turn: &Turn<'_>, policy: &MemoryPolicy) {
    // A person's edit during the call stands until the next iteration.
    if turn.edited.ram_keys.contains(THINK_LOG) {
        return;
    }
    let reasoning = turn.reasoning.filter(|text| !text.trim().is_empty());
    let thought = reasoning.or(turn.reply.reasoning.as_deref());
    let keeps_own = match policy.think_log_source {
        ThinkLogSource::Model => true,
        ThinkLogSource::Auto => executor.overlay.wrote.think_log,
        ThinkLogSource::Reasoning => false,
    };
    let present = executor
        .overlay
        .ram()
        .get(THINK_LOG)
        .and_then(Value::as_str);
    let text = if keeps_own {
        present.unwrap_or_default()
    } else {
        thought.unwrap_or_default().trim()
    };
    let kept = Value::from(first_chars(text, policy.think_log_max_chars));
    executor.overlay.write_own(THINK_LOG, kept);
}

/// Removes the first step after an executing iteration that changed a note but not `steps`.
fn drop_finished_step(executor: &mut Executor<'_>, turn: &Turn<'_>) {
    let untouched = !executor.overlay.wrote.steps && !turn.edited.ram_keys.contains(STEPS);
    if turn.ran_in == LoopState::Executing
        && executor.overlay.wrote.record
        && untouched
        && let Some((_, rest)) = executor.overlay.ram().steps().split_first()
    {
        let rest = Value::from(rest.to_vec());
        executor.overlay.write_own(STEPS, rest);
    }
}

/// Clears the request once it is answered, and returns whether work is left.
fn close_request(executor: &mut Executor<'_>, turn: &Turn<'_>) -> bool {
    // Without small steps, the model receives a report of what is missing. In small steps, the
    // program has already asked for the plan again.
    let is_judged =
        turn.ran_in == LoopState::Evaluating && executor.overlay.ram().steps().is_empty();
    if is_judged && !turn.is_stepwise && !executor.has_results() {
        report_missing(executor);
    }
    let open = !executor.overlay.ram().steps().is_empty() || executor.has_results();
    // A request that a person changed during the call was not in the prompt.
    let is_new = turn.is_request_new || turn.edited.ram_keys.contains(CONTEXT);
    let judged = turn.ran_in == LoopState::Evaluating && !is_new;
    if judged && !open && executor.overlay.ram().request().is_some() {
        let context = executor.overlay.ram().context_with_request(None);
        executor.overlay.write_own(CONTEXT, context);
    }
    open || executor.overlay.ram().request().is_some()
}

/// Returns whether everything that the request names appears in what was done.
fn is_shown(executor: &Executor<'_>, turn: &Turn<'_>) -> bool {
    let request = turn.run.request.as_deref().unwrap_or_default();
    executor.overlay.progress.missing(request).is_empty()
}

/// Moves the state machine, and inserts a paging iteration if RAM is too large.
fn advance(
    executor: &mut Executor<'_>,
    turn: &Turn<'_>,
    policies: &Policies<'_>,
    pending: bool,
) -> Moved {
    let before = cycle_in(turn.working, turn.ran_in);
    let mut cycle = Cycle {
        since_paging: before.since_paging.map(|count| count.saturating_add(1)),
        ..before
    };
    if turn.ran_in == LoopState::Paging {
        cycle.since_paging = Some(0);
        cycle.before_paging = None;
    }
    let requests = executor.state_requests();
    if turn.edited.ram_keys.contains(STATE) {
        // The person moved the machine during the call, so the requests of the model are out of date.
        let refused = vec![StateRequestOutcome::Rejected(Code::VersionConflict); requests.len()];
        executor.settle_state_requests(&refused, "the state was changed by a person meanwhile");
        cycle.stays = 0;
        let next = executor.overlay.ram().state();
        return Moved { next, cycle };
    }
    let situation = Situation {
        current: turn.ran_in,
        pending,
        perpetual: is_perpetual(turn.run, policies),
        cycle: before,
        policy: policies.r#loop,
    };
    let Transition {
        mut next,
        stays,
        outcomes,
    } = transition(&situation, &requests);
    let advice = || {
        let targets: Vec<&str> = legal_targets(&situation).map(LoopState::name).collect();
        format!("from {} you can go to: {}", turn.ran_in, targets.join(", "))
    };
    if !outcomes.is_empty() {
        executor.settle_state_requests(&outcomes, &advice());
    }
    cycle.stays = stays;
    let is_due = || turn.state.organizing.is_due(policies.notes.organize_every);
    let at_end = turn.ran_in == LoopState::Evaluating
        && matches!(next, LoopState::Planning | LoopState::Idle);
    // A person's request has priority over organizing.
    if at_end
        && turn.run.request.is_none()
        && (is_organizing_asked(executor.overlay.ram())
            || situation.perpetual && !pending && is_due())
    {
        next = LoopState::RecordOrganizing;
    }
    let may_page = next != LoopState::Idle && has_rested(cycle);
    if may_page && is_overfull(executor.overlay.ram(), policies.memory) {
        cycle.before_paging = Some(next);
        next = LoopState::Paging;
    }
    Moved { next, cycle }
}

/// Returns whether the run goes on without end: it has no request and no iteration limit.
fn is_perpetual(run: &Run, policies: &Policies<'_>) -> bool {
    policies.max_iterations.is_none() && run.request.is_none()
}

/// Returns the number of instructions with that outcome.
fn count(executor: &Executor<'_>, outcome: InstructionOutcome) -> u64 {
    let entries = executor.entries.iter();
    let entries = entries.filter(|entry| entry.outcome == outcome);
    u64::try_from(entries.count()).unwrap_or(u64::MAX)
}

/// Returns the journal event of the iteration itself.
fn iteration_done(
    executor: &mut Executor<'_>,
    turn: &Turn<'_>,
    cycle: Cycle,
    is_last: bool,
) -> IterationDone {
    // The next run starts without stays, without a state to return to, and without results.
    let (cycle, results) = if is_last {
        let cycle = Cycle {
            stays: 0,
            before_paging: None,
            ..cycle
        };
        (cycle, Vec::new())
    } else {
        (cycle, executor.take_results())
    };
    IterationDone {
        run_id: turn.run.run_id,
        iteration: turn.run.loop_count + 1,
        state: turn.ran_in,
        messages_hash: turn.messages_hash.clone(),
        usage: turn.usage,
        applied: count(executor, InstructionOutcome::Applied),
        rejected: count(executor, InstructionOutcome::Rejected),
        ignored: count(executor, InstructionOutcome::Ignored),
        cycle,
        results,
        counted: turn.counted,
        allocation: turn.allocation,
        shown: turn.shown.to_vec(),
        outcomes_shown: turn.outcomes_shown,
        edited: turn.edited.clone(),
        is_request_new: turn.is_request_new,
        results_removed: std::mem::take(&mut executor.overlay.results_removed),
        progress: std::mem::take(&mut executor.overlay.progress),
        is_stepwise: turn.is_stepwise,
        answers: std::mem::take(&mut executor.overlay.answers),
        look: turn
            .look
            .map(|look| with_rewritten(look, &turn.state.notes, executor)),
    }
}

/// Puts all events into one draft.
fn finish(
    mut executor: Executor<'_>,
    turn: &Turn<'_>,
    moved: Moved,
    ending: Option<Ending>,
) -> Decision {
    let Moved { mut next, cycle } = moved;
    if turn.ran_in == LoopState::Evaluating && next != LoopState::Evaluating {
        executor.overlay.progress.changed_in_cycle = false;
    }
    let organized = turn.ran_in == LoopState::RecordOrganizing;
    if organized
        && is_organizing_asked(executor.overlay.ram())
        && !turn.edited.ram_keys.contains(CONTEXT)
    {
        let context = executor.overlay.ram().context_without_task();
        executor.overlay.write_own(CONTEXT, context);
    }
    if ending.is_some() {
        next = LoopState::Idle;
        if turn.run.owns_request(executor.overlay.ram()) {
            let context = executor.overlay.ram().context_with_request(None);
            executor.overlay.write_own(CONTEXT, context);
        }
    }
    executor.overlay.write_own(STATE, Value::from(next.name()));
    let iteration = turn.run.loop_count + 1;
    let done = iteration_done(&mut executor, turn, cycle, ending.is_some());
    // The iteration comes first, so that what it showed counts as seen before its own writes do.
    let mut events = vec![Event::IterationDone(done)];
    events.extend(executor.overlay.changes.into_iter().map(Event::Change));
    let made = executor
        .overlay
        .proposals
        .into_iter()
        .map(ProposalsChanged::made);
    events.extend(made.map(Event::ProposalsChanged));
    if !executor.overlay.noted.is_empty() {
        let keys = executor.overlay.noted;
        events.push(Event::KeysNoted(KeysNoted { keys }));
    }
    events.extend(
        executor
            .entries
            .iter()
            .cloned()
            .map(Event::InstructionDecided),
    );
    events.extend(ending.map(|ending| {
        Event::RunEnded(RunEnded {
            run_id: turn.run.run_id,
            state: ending.state,
            stop_reason: ending.stop_reason,
            error_code: ending.error_code,
            completed_at: turn.run.ends_at(turn.now),
        })
    }));
    let draft = CommitDraft {
        ts: turn.now,
        actor: Actor {
            actor_type: ActorType::Agent,
        },
        cause: Cause::iteration(turn.run.run_id, iteration),
        events: in_ram_of(turn.run, events),
    };
    Decision {
        draft,
        next,
        ending,
        entries: executor.entries,
    }
}
