//! Matches the notes that a commit changes, whoever made it, against the rules. The runs that they open
//! stand in the same commit, so that no event is lost and none counts twice.

use super::Rule;
use super::event::{NoteAct, note_event};
use super::run_opener::RunOpener;
use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{ActorType, Change, Draft, Event, REVIEW, State, UNDO};
use crate::core::notes::Note;
use crate::core::run::{Behind, Origin};
use crate::failure::Code;
use crate::ids::{EventId, RuleId, RunId};
use crate::limits::CAUSATION_DEPTH_MAX;
use serde_json::{Value, json};

/// Returns the runs that the notes in a draft open by rules, and the skipped ones, for the same commit.
pub fn match_rules(rules: &[Rule], draft: &Draft, state: &State) -> Vec<Event> {
    if !rules.iter().any(Rule::listens_to_notes) {
        return Vec::new();
    }
    let cause = Cause::of(draft, state);
    let mut opener = RunOpener::new(state, draft.ts);
    for (act, note) in draft.events.iter().filter_map(noted) {
        let listening = |rule: &&Rule| rule.listens_to(act, note) && cause.may_wake(rule);
        let mut reported = None;
        for rule in rules.iter().filter(listening) {
            let event = reported.get_or_insert_with(|| note_event(act, note, cause.actor));
            let id = event_id(act, note);
            if !opener.holds(rule, &id, event) {
                continue;
            }
            if !cause.is_known && !rule.includes_own {
                opener.skip(rule.rule_id, id, Code::RuleNotFired, MAY_BE_OWN);
                continue;
            }
            if cause.depth > CAUSATION_DEPTH_MAX {
                opener.skip(rule.rule_id, id, Code::LimitExceeded, TOO_DEEP);
                continue;
            }
            let event = in_short(act, note);
            let origin = Origin {
                depth: cause.depth,
                root: cause.root,
                event,
            };
            opener.open(rule, id, rule.trigger.of_run(), origin);
        }
    }
    opener.events()
}

/// What is said where a chain of runs that cause each other is ended.
const TOO_DEEP: &str = "too many runs in a row have caused each other";

/// What is said where runs are taken back of which nobody knows any more what opened them.
const MAY_BE_OWN: &str = "what is taken back may be what a run of this rule did";

/// What stands behind the changes of a commit.
struct Cause {
    actor: &'static str,
    /// The rule whose run made them, or wanted them, or had them taken back.
    rule: Option<RuleId>,
    /// The runs behind a run that they open.
    depth: u32,
    /// The first of them.
    root: Option<RunId>,
    /// Whether it is known which run that is, if one is behind them.
    is_known: bool,
}

impl Cause {
    fn of(draft: &Draft, state: &State) -> Self {
        let (by, kind) = (draft.actor.actor_type, draft.cause.kind.as_str());
        let is_undo = by == ActorType::User && kind == UNDO;
        // A person's word lets happen what a run wanted, or takes back what it did.
        let is_run = by == ActorType::Agent || is_undo || kind == REVIEW;
        let run = draft.cause.run_id.filter(|_| is_run);
        let behind = run.and_then(|run_id| match state.runs.get(run_id) {
            Some(run) => Some(Behind::of(run)),
            None => decided(draft, state),
        });
        Self {
            rule: behind.and_then(|behind| behind.rule),
            depth: behind.map_or_else(|| u32::from(is_undo), |behind| behind.depth + 1),
            root: behind.and_then(|behind| behind.root),
            is_known: behind.is_some() || !is_undo,
            actor: match draft.actor.actor_type {
                ActorType::Agent => "agent",
                ActorType::User if draft.cause.kind == "import" => "import",
                ActorType::User => "user",
                ActorType::Daemon => "daemon",
            },
        }
    }

    fn may_wake(&self, rule: &Rule) -> bool {
        rule.includes_own || self.rule != Some(rule.rule_id)
    }
}

/// The proposal that a draft decides, as far as it tells of its run.
fn decided(draft: &Draft, state: &State) -> Option<Behind> {
    draft.events.iter().find_map(|event| {
        let Event::ProposalsChanged(ProposalsChanged::Decided(decided)) = event else {
            return None;
        };
        let proposal = state.proposals.get(decided.number)?;
        Some(proposal.behind)
    })
}

/// What an event did to a note, if it did something.
pub fn noted(event: &Event) -> Option<(NoteAct, &Note)> {
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
