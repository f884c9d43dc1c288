//! From a parsed reply to one draft: what takes effect, what follows, whether the run is over.
//! Pure: the same turn always gives the same decision.

use super::bench::Bench;
use super::transition::{Situation, Transition, Wish, transition};
use super::verdict::{Ending, Evidence, verdict};
use super::{LoopPolicy, LoopState};
use crate::core::guard::{Edited, Guard, Scope};
use crate::core::journal::event::{
    Cycle, Event, InstructionDecided, IterationDone, Outcome, RunEnded,
};
use crate::core::journal::{Actor, ActorType, Cause, Draft, State};
use crate::core::memory::ram::{CONTEXT, STATE, STEPS, THINK_LOG};
use crate::core::memory::{MemoryPolicy, ThinkLogSource};
use crate::core::protocol::Parsed;
use crate::core::run::{Run, Usage};
use crate::failure::Code;
use crate::ids::IdSource;
use crate::limits::PAGING_GAP_ITERATIONS;
use crate::time::Timestamp;
use serde_json::Value;

/// The rules that a decision is made by.
#[derive(Clone, Copy, Debug)]
pub struct Policies<'a> {
    /// The fence.
    pub scope: &'a Scope,
    /// RAM.
    pub memory: &'a MemoryPolicy,
    /// The loop.
    pub r#loop: &'a LoopPolicy,
    /// The bound of iterations that holds for this run.
    pub max_iterations: Option<u32>,
}

/// One iteration, once its reply has been read.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The state before it, hand edits taken in.
    pub state: &'a State,
    /// The run.
    pub run: &'a Run,
    /// The loop's state when the prompt was made.
    pub ran_in: LoopState,
    /// What the reply says.
    pub reply: &'a Parsed,
    /// The server's reasoning field.
    pub reasoning: Option<&'a str>,
    /// What the calls cost.
    pub usage: Usage,
    /// SHA-256 over the SHA-256 of each message.
    pub messages_hash: String,
    /// What a person changed while the model answered.
    pub edited: &'a Edited,
    /// Now.
    pub now: Timestamp,
}

/// What is to be committed, and what it means for the loop.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The commit.
    pub draft: Draft,
    /// The state of the next iteration.
    pub next: LoopState,
    /// How the run ended, if it did.
    pub ending: Option<Ending>,
    /// What became of each instruction.
    pub entries: Vec<InstructionDecided>,
}

/// Decides a turn whose reply could be read.
pub fn decide(turn: &Turn<'_>, policies: &Policies<'_>, ids: &mut dyn IdSource) -> Decision {
    let guard = Guard::for_run(policies.scope, turn.run.run_id, turn.edited);
    let characters_max = policies.memory.working_memory_character_max;
    let progress = turn.run.progress.clone();
    let mut bench = Bench::new(turn.state, guard, characters_max, progress, turn.now, ids);
    for located in &turn.reply.instructions {
        bench.work(located);
    }
    for diagnostic in &turn.reply.diagnostics {
        if let Some(op) = &diagnostic.dropped {
            bench.dropped(op, diagnostic.code, &diagnostic.message);
        }
    }
    write_think_log(&mut bench, turn, policies.memory);
    drop_finished_step(&mut bench, turn);
    let pending = settle_request(&mut bench, turn.ran_in);
    let moved = advance(&mut bench, turn, policies, pending);
    let evidence = Evidence {
        trigger: turn.run.trigger,
        has_request: turn.run.request.is_some(),
        ran_in: turn.ran_in,
        next: moved.next,
        pending,
        progress: &bench.progress,
        iteration: turn.run.loop_count + 1,
        max_iterations: policies.max_iterations,
    };
    let ending = verdict(&evidence);
    finish(bench, turn, moved, ending)
}

/// Decides a turn that brought no readable reply: the run ends with `code`, nothing else changes.
pub fn decide_failure(
    turn: &Turn<'_>,
    policies: &Policies<'_>,
    ids: &mut dyn IdSource,
    code: Code,
) -> Decision {
    let guard = Guard::for_run(policies.scope, turn.run.run_id, turn.edited);
    let progress = turn.run.progress.clone();
    let bench = Bench::new(turn.state, guard, 0, progress, turn.now, ids);
    let moved = Moved {
        next: turn.ran_in,
        cycle: turn.state.cycle,
    };
    finish(bench, turn, moved, Some(Ending::failed(code)))
}

/// Where the machine goes.
#[derive(Clone, Copy)]
struct Moved {
    next: LoopState,
    cycle: Cycle,
}

/// The model's own `think_log` wins, else the reasoning, as the configuration says; always short.
fn write_think_log(bench: &mut Bench<'_>, turn: &Turn<'_>, policy: &MemoryPolicy) {
    let thought = turn
        .reasoning
        .or(turn.reply.reasoning.as_deref())
        .unwrap_or_default();
    let text = match policy.think_log_source {
        ThinkLogSource::Model => None,
        ThinkLogSource::Auto if bench.wrote_think_log => None,
        ThinkLogSource::Auto | ThinkLogSource::Reasoning => Some(thought.trim().to_owned()),
    };
    let present = bench
        .ram
        .get(THINK_LOG)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = text.unwrap_or_else(|| present.to_owned());
    let kept: String = text.chars().take(policy.think_log_max_chars).collect();
    // A person's edit during the call stands until the next iteration.
    if kept != present && !turn.edited.ram_keys.contains(THINK_LOG) {
        set_own(bench, THINK_LOG, Value::from(kept));
    }
}

/// After an executing iteration that changed a note and left `steps` alone, one step is done.
fn drop_finished_step(bench: &mut Bench<'_>, turn: &Turn<'_>) {
    let untouched = !bench.wrote_steps && !turn.edited.ram_keys.contains(STEPS);
    if turn.ran_in == LoopState::Executing
        && bench.wrote_record
        && untouched
        && let Some((_, rest)) = bench.ram.steps().split_first()
    {
        let rest = Value::from(rest.to_vec());
        set_own(bench, STEPS, rest);
    }
}

/// Clears the request once it is answered, and says whether work is left.
fn settle_request(bench: &mut Bench<'_>, ran_in: LoopState) -> bool {
    let open = !bench.ram.steps().is_empty() || !bench.results.is_empty();
    if ran_in == LoopState::Evaluating && !open && bench.ram.request().is_some() {
        let context = bench.ram.context_with_request(None);
        set_own(bench, CONTEXT, context);
    }
    open || bench.ram.request().is_some()
}

/// Moves the state machine, and slips a paging iteration in when RAM has grown too large.
fn advance(
    bench: &mut Bench<'_>,
    turn: &Turn<'_>,
    policies: &Policies<'_>,
    pending: bool,
) -> Moved {
    let mut cycle = turn.state.cycle;
    let wishes: Vec<Wish> = bench.wishes.iter().map(|(_, wish)| *wish).collect();
    let situation = Situation {
        current: turn.ran_in,
        pending,
        cycle,
        policy: policies.r#loop,
    };
    let Transition {
        mut next,
        stays,
        granted,
    } = transition(&situation, &wishes);
    bench.settle_wishes(&granted);
    if turn.edited.ram_keys.contains(STATE) {
        next = bench.ram.state();
    }
    cycle.stays = stays;
    cycle.since_paging = cycle.since_paging.saturating_add(1);
    if turn.ran_in == LoopState::Paging {
        cycle.since_paging = 0;
        cycle.before_paging = None;
    }
    let characters: usize = bench
        .ram
        .rendered()
        .iter()
        .map(|(key, text)| key.chars().count() + text.chars().count())
        .sum();
    let overfull = characters > policies.memory.working_memory_character_max;
    let may_page = next != LoopState::Idle && next != LoopState::Paging;
    if overfull && may_page && cycle.since_paging >= PAGING_GAP_ITERATIONS {
        cycle.before_paging = Some(next);
        next = LoopState::Paging;
    }
    Moved { next, cycle }
}

/// Puts everything into one draft.
fn finish(mut bench: Bench<'_>, turn: &Turn<'_>, moved: Moved, ending: Option<Ending>) -> Decision {
    let next = if ending.is_some() {
        LoopState::Idle
    } else {
        moved.next
    };
    if ending.is_some() && bench.ram.request().is_some() {
        let context = bench.ram.context_with_request(None);
        set_own(&mut bench, CONTEXT, context);
    }
    if bench.ram.get(STATE).and_then(Value::as_str) != Some(next.name()) {
        set_own(&mut bench, STATE, Value::from(next.name()));
    }
    if turn.ran_in == LoopState::Evaluating {
        bench.progress.changed_in_cycle = false;
    }
    let count = |outcome| {
        let entries = bench
            .entries
            .iter()
            .filter(|entry| entry.outcome == outcome);
        u64::try_from(entries.count()).unwrap_or(u64::MAX)
    };
    let iteration = turn.run.loop_count + 1;
    let done = IterationDone {
        run_id: turn.run.run_id,
        iteration,
        state: turn.ran_in,
        messages_hash: turn.messages_hash.clone(),
        usage: turn.usage,
        applied: count(Outcome::Applied),
        rejected: count(Outcome::Rejected),
        ignored: count(Outcome::Ignored),
        cycle: moved.cycle,
        progress: bench.progress,
        // Results live in the next prompt of the same run only.
        results: if ending.is_some() {
            Vec::new()
        } else {
            bench.results
        },
    };
    // The iteration comes first, so that what it showed counts as seen before its own writes do.
    let mut events = vec![Event::IterationDone(done)];
    events.extend(bench.changes.into_iter().map(Event::Change));
    events.extend(bench.entries.iter().cloned().map(Event::InstructionDecided));
    events.extend(ending.map(|ending| {
        Event::RunEnded(RunEnded {
            run_id: turn.run.run_id,
            state: ending.state,
            stop_reason: ending.stop_reason,
            error_code: ending.error_code,
            completed_at: turn.now,
        })
    }));
    let draft = Draft {
        ts: turn.now,
        actor: Actor {
            actor_type: ActorType::Agent,
        },
        cause: Cause::iteration(turn.run.run_id, iteration),
        events,
    };
    Decision {
        draft,
        next,
        ending,
        entries: bench.entries,
    }
}

fn set_own(bench: &mut Bench<'_>, key: &str, value: Value) {
    bench.ram.set(key.to_owned(), value.clone());
    bench.changes.push(Guard::ram_own(key, value));
}
