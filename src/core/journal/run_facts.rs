//! The effect of an event on the record of its run.
//! Pure; the caller says which run the event belongs to.

use super::event::Event;
use crate::core::run::{Answer, Run, RunState};

/// Applies an event to the record of its run. Events that do not concern runs change nothing.
pub fn change_run(run: &mut Run, event: &Event) {
    match event {
        Event::RunRetried(retried) => run.clone_from(&retried.run),
        // A run that ended before its start was committed stays ended.
        Event::RunStarted(_) if run.is_finished() => {}
        Event::RunStarted(started) => {
            run.state = RunState::Running;
            run.started_at = Some(started.started_at);
            run.provider = Some(started.provider.clone());
            run.model = Some(started.model.clone());
            run.mode = started.mode;
            run.prompt_hash = Some(started.prompt_hash.clone());
            run.parser_version = Some(started.parser_version.clone());
            run.window = started.window;
            run.server.clone_from(&started.server);
        }
        Event::IterationDone(done) => {
            run.loop_count = done.iteration;
            run.operation_count += done.applied;
            run.rejected_count += done.rejected;
            run.ignored_count += done.ignored;
            run.usage.add(done.usage);
            run.progress.clone_from(&done.progress);
            for answer in &done.answers {
                Answer::add_to(&mut run.answer, answer);
            }
        }
        Event::RunEnded(ended) => {
            run.state = ended.state;
            run.stop_reason = Some(ended.stop_reason);
            run.error_code = ended.error_code;
            run.completed_at = Some(ended.completed_at);
        }
        Event::BudgetReserved(reserved) => run.spent = run.spent.and(reserved.cost),
        Event::BudgetSettled(settled) => {
            run.spent = run.spent.without(settled.reserved).and(settled.spent);
        }
        Event::Change(_)
        | Event::RootCreated(_)
        | Event::RunQueued(_)
        | Event::InstructionDecided(_)
        | Event::ViewsWritten(_)
        | Event::TailCut(_)
        | Event::ViewRestored(_)
        | Event::EditRefused(_)
        | Event::RequestRefused(_)
        | Event::ConversationKept(_)
        | Event::StateCarried(_)
        | Event::RunsRemembered(_)
        | Event::KeysNoted(_)
        | Event::KeysCarried(_)
        | Event::CallMade(_)
        | Event::SchedulesTaken(_)
        | Event::SlotsRecorded(_)
        | Event::RuleSkipped(_)
        | Event::ProposalsChanged(_)
        | Event::StorageCarried(_)
        | Event::NoteCarried(_) => {}
    }
}
