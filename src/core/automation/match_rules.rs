//! Matches the notes that a commit changes against the rules, for commits of any author.
//! The runs that they open are part of the same commit, so that no event is lost or counted twice.

use super::Rule;
use super::event::{NoteEventKind, note_event};
use super::run_opener::RunOpener;
use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{ActorType, Change, CommitDraft, Event, REVIEW, State, UNDO};
use crate::core::notes::Note;
use crate::core::run::{Origin, RunAncestry};
use crate::failure::Code;
use crate::ids::{EventId, RuleId, RunId};
use crate::limits::CAUSATION_DEPTH_MAX;
use serde_json::json;

/// Returns the runs that the notes in a draft open by rules, and the skipped events.
/// They belong to the same commit.
pub fn match_rules(rules: &[Rule], draft: &CommitDraft, state: &State) -> Vec<Event> {
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
            let origin = Origin {
                depth: cause.depth,
                root: cause.root,
                // Enough for the model to find the note.
                event: json!({"kind": act.name(), "note_id": note.id, "title": note.title}),
            };
            opener.open(rule, id, rule.trigger.of_run(), origin);
        }
    }
    opener.events()
}

/// The reason for ending a chain of runs that cause each other.
const TOO_DEEP: &str = "too many runs in a row have caused each other";

/// The reason for opening no run for an undo of unknown origin.
const MAY_BE_OWN: &str = "what is taken back may be what a run of this rule did";

/// The cause of the changes in a commit.
struct Cause {
    actor: &'static str,
    /// The rule of the run that made or proposed the changes, or that an undo took back.
    rule: Option<RuleId>,
    /// The number of runs in the chain behind a run that the changes open.
    depth: u32,
    /// The first run of that chain.
    root: Option<RunId>,
    /// Whether the run behind the changes is known, if there is one.
    is_known: bool,
}

impl Cause {
    fn of(draft: &CommitDraft, state: &State) -> Self {
        let (by, kind) = (draft.actor.actor_type, draft.cause.kind.as_str());
        let is_undo = by == ActorType::User && kind == UNDO;
        // A review applies what a run proposed, and an undo takes back what a run did.
        let is_run = by == ActorType::Agent || is_undo || kind == REVIEW;
        let run = draft.cause.run_id.filter(|_| is_run);
        let behind = run.and_then(|run_id| match state.runs.get(run_id) {
            Some(run) => Some(RunAncestry::of(run)),
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

/// Returns the cause that is stored in the proposal that a draft decides.
fn decided(draft: &CommitDraft, state: &State) -> Option<RunAncestry> {
    draft.events.iter().find_map(|event| {
        let Event::ProposalsChanged(ProposalsChanged::Decided(decided)) = event else {
            return None;
        };
        let proposal = state.proposals.get(decided.number)?;
        Some(proposal.behind)
    })
}

/// Returns the change of a note that an event makes, if it makes one.
pub fn noted(event: &Event) -> Option<(NoteEventKind, &Note)> {
    let Event::Change(change) = event else {
        return None;
    };
    match change.get() {
        Change::NoteCreated(written) => Some((NoteEventKind::Created, &written.note)),
        Change::NoteUpdated(written) => Some((NoteEventKind::Updated, &written.note)),
        Change::NoteDeleted(written) => Some((NoteEventKind::Deleted, &written.note)),
        Change::RamSet(_)
        | Change::RamDeleted(_)
        | Change::StorageSet(_)
        | Change::StorageDeleted(_) => None,
    }
}

/// Returns the event id of a version of a note, which is the same for all rules.
fn event_id(act: NoteEventKind, note: &Note) -> EventId {
    EventId(format!("note:{}:{}:{}", note.id, note.version, act.name()))
}
