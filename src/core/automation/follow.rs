//! What rules make of notes that a commit changes, whoever made it: the runs that they open stand in the
//! same commit, so that no event is lost and none counts twice.

use super::Rule;
use super::event::{NoteAct, note_event};
use super::opening::Opening;
use crate::core::journal::{ActorType, Change, Draft, Event, State};
use crate::core::notes::Note;
use crate::core::run::Origin;
use crate::failure::Code;
use crate::ids::{EventId, RuleId};
use crate::limits::CAUSATION_DEPTH_MAX;
use serde_json::{Value, json};

/// The runs that the notes in a draft open by rules, and what was not opened: to be committed with it.
pub fn follow(rules: &[Rule], draft: &Draft, state: &State) -> Vec<Event> {
    if !rules.iter().any(Rule::heeds_notes) {
        return Vec::new();
    }
    let cause = Cause::of(draft, state);
    let mut opening = Opening::new(state, draft.ts);
    for (act, note) in draft.events.iter().filter_map(noted) {
        let heeding = |rule: &&Rule| rule.heeds(act, note) && cause.may_wake(rule);
        let mut told = None;
        for rule in rules.iter().filter(heeding) {
            let event = told.get_or_insert_with(|| note_event(act, note, cause.actor));
            let id = event_id(act, note);
            if !opening.holds(rule, &id, event) {
                continue;
            }
            if cause.depth > CAUSATION_DEPTH_MAX {
                opening.skip(rule.rule_id, id, Code::LimitExceeded, TOO_DEEP);
                continue;
            }
            let event = in_short(act, note);
            let origin = Origin {
                depth: cause.depth,
                event,
            };
            opening.open(rule.rule_id, id, rule.trigger.of_run(), origin);
        }
    }
    opening.events()
}

/// What is said where a chain of runs that cause each other is ended.
const TOO_DEEP: &str = "too many runs in a row have caused each other";

/// What stands behind the changes of a commit.
struct Cause {
    actor: &'static str,
    /// The rule whose run made them.
    rule: Option<RuleId>,
    /// The runs behind a run that they open.
    depth: u32,
}

impl Cause {
    fn of(draft: &Draft, state: &State) -> Self {
        let run = (draft.cause.run_id).filter(|_| draft.actor.actor_type == ActorType::Agent);
        let run = run.and_then(|run_id| state.runs.get(run_id));
        let depth = |origin: &Origin| origin.depth;
        Self {
            actor: match draft.actor.actor_type {
                ActorType::Agent => "agent",
                ActorType::User if draft.cause.kind == "import" => "import",
                ActorType::User => "user",
                ActorType::Daemon => "daemon",
            },
            rule: run.and_then(|run| run.rule_id),
            depth: run.map_or(0, |run| run.origin.as_ref().map_or(0, depth) + 1),
        }
    }

    fn may_wake(&self, rule: &Rule) -> bool {
        rule.includes_own || self.rule != Some(rule.rule_id)
    }
}

/// What an event did to a note, if it did something.
fn noted(event: &Event) -> Option<(NoteAct, &Note)> {
    let Event::Change(change) = event else {
        return None;
    };
    match change.get() {
        Change::NoteCreated(written) => Some((NoteAct::Created, &written.note)),
        Change::NoteUpdated(written) => Some((NoteAct::Updated, &written.note)),
        Change::NoteDeleted(written) => Some((NoteAct::Deleted, &written.note)),
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::StorageSet(_)
        | Change::StorageDeleted(_) => None,
    }
}

/// One event for each version of a note, whichever rules heed it.
fn event_id(act: NoteAct, note: &Note) -> EventId {
    EventId(format!("note:{}:{}:{}", note.id, note.version, act.name()))
}

/// What the model is told: enough to find the note.
fn in_short(act: NoteAct, note: &Note) -> Value {
    json!({"kind": act.name(), "note_id": note.id, "title": note.title})
}
