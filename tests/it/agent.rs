//! The pure core of the loop: transitions, verdicts, decisions. Tables first, then a seeded
//! simulation that throws random replies at `decide` and checks what must always hold.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at once")]

mod duplicates;
mod executor;
pub(crate) mod paging;
mod relevant_notes;
mod reviewed;
mod simulation;
pub(crate) mod tools;
mod transitions;
mod truncation;
mod verdicts;
mod ways;

use kjxlkj_agent::core::agent::{
    ActionResult, Decision, IdleProfile, LoopPolicy, LoopState, Policies, Protocol, Turn, decide,
};
use kjxlkj_agent::core::guard::{EditedItems, Permit, Scope};
use kjxlkj_agent::core::journal::event::{InstructionDecided, InstructionOutcome};
use kjxlkj_agent::core::journal::{CommitDraft, Event, State};
use kjxlkj_agent::core::memory::{MemoryPolicy, ThinkLogSource};
use kjxlkj_agent::core::notes::{
    CreatedBy, NoIndex, Note, NoteAuthor, NotePolicy, OrganizeScan, ShownNote,
};
use kjxlkj_agent::core::prompt::Mode;
use kjxlkj_agent::core::protocol::{AllowedTags, ParseOptions, ParsedReply, Tag, parse};
use kjxlkj_agent::core::run::{Run, RunState, Trigger, Usage};
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::ids::{EventId, IdSource, NoteId, RunId, WorkspaceId};
use kjxlkj_agent::time::Timestamp;
use serde_json::Value;
use uuid::Uuid;

/// The agent's workspace.
pub(crate) const HOME: WorkspaceId = WorkspaceId(Uuid::from_u128(0xA));
/// Somebody else's.
pub(crate) const ABROAD: WorkspaceId = WorkspaceId(Uuid::from_u128(0xB));

/// Note ids that count.
#[derive(Debug, Default)]
pub(crate) struct CountedIds(u128);

impl IdSource for CountedIds {
    fn next_note_id(&mut self) -> NoteId {
        self.0 += 1;
        note_id(1000 + self.0)
    }
}

pub(crate) fn note_id(number: u128) -> NoteId {
    NoteId(Uuid::from_u128(number))
}

pub(crate) fn note(number: u128, title: &str, value: &str) -> Note {
    let now = Timestamp::from_millis(0);
    Note {
        id: note_id(number),
        workspace_id: HOME,
        note_kind: "note".to_owned(),
        title: title.to_owned(),
        keywords: Vec::new(),
        value: value.to_owned(),
        links: Vec::new(),
        issues: Vec::new(),
        version: 1,
        created_at: now,
        updated_at: now,
        created_by: CreatedBy {
            actor_type: NoteAuthor::User,
            run_id: None,
        },
        deleted_at: None,
    }
}

/// A run and the state around it, with the rules that bind it. Public, so that a test changes what
/// it is about and nothing else.
#[derive(Debug)]
pub(crate) struct Sim {
    pub(crate) state: State,
    pub(crate) run: Run,
    pub(crate) scope: Scope,
    pub(crate) permit: Permit,
    pub(crate) mode: Mode,
    pub(crate) memory: MemoryPolicy,
    pub(crate) policy: LoopPolicy,
    pub(crate) notes: NotePolicy,
    /// Whether the prompt has room for what it is to show.
    pub(crate) has_room: bool,
    /// What the prompt offered.
    pub(crate) look: Option<OrganizeScan>,
    pub(crate) max_iterations: Option<u32>,
    pub(crate) edited: EditedItems,
    /// Whether a person wrote the request before the question was put.
    pub(crate) is_request_new: bool,
    pub(crate) allowed: AllowedTags,
    pub(crate) now: Timestamp,
    pub(crate) ids: CountedIds,
}

impl Sim {
    /// A run for a request, or without one, in that state.
    pub(crate) fn in_state(state: LoopState, request: Option<&str>) -> Self {
        let now = Timestamp::parse("2026-11-21T09:42:00Z").unwrap();
        let event = EventId("e".to_owned());
        let run_id = RunId::derive(HOME, &event);
        let trigger = if request.is_some() {
            Trigger::Request
        } else {
            Trigger::Manual
        };
        let mut run = Run::queued(run_id, event, trigger, now);
        run.state = RunState::Running;
        run.request = request.map(str::to_owned);
        let mut sim = Self {
            state: State::empty(),
            run,
            mode: Mode::Yolo,
            permit: Permit::everything(),
            scope: Scope {
                workspace_id: HOME,
                can_read_workspaces: Vec::new(),
                cross_workspace_writes: false,
                allowed_note_kinds: vec!["note".to_owned(), "template".to_owned()],
                max_notes_per_loop: 10,
                max_edits_per_loop: 20,
            },
            memory: MemoryPolicy {
                retain_full_conversation_logs: false,
                working_memory_character_max: 2048,
                think_log_source: ThinkLogSource::Auto,
                think_log_max_chars: 512,
                key_token_max: 4,
                children_max: 8,
                auto_cleanup: true,
            },
            policy: LoopPolicy {
                loop_delay_ms: 1500,
                idle_delay_ms: 5000,
                idle_delay_max_ms: 3_600_000,
                max_iterations: Some(100),
                auto_advance: true,
                max_stay: 5,
                parse_retries: 2,
                idle_profile: IdleProfile::Maintenance,
                protocol: Protocol::Xml,
            },
            notes: NotePolicy {
                similar_threshold: 0.8,
                refuse_near_duplicates: false,
                organize_every: 50,
            },
            has_room: true,
            look: None,
            max_iterations: Some(100),
            edited: EditedItems::default(),
            is_request_new: false,
            allowed: AllowedTags::shipped(),
            now,
            ids: CountedIds::default(),
        };
        sim.set("state", state.name().into());
        if let Some(request) = request {
            sim.set("context", serde_json::json!({ "user_request": request }));
        }
        sim
    }

    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.state.main.ram.set(key.to_owned(), value);
    }

    pub(crate) fn with_note(mut self, note: Note) -> Self {
        self.state.notes.put(note);
        self
    }

    pub(crate) fn allow_delete(mut self) -> Self {
        self.allowed = Tag::ALL.into_iter().collect();
        self
    }

    /// Parses as the loop does; the text must be readable.
    pub(crate) fn parse(&self, text: &str) -> ParsedReply {
        let options = ParseOptions {
            strict: false,
            allowed_tags: self.allowed,
            truncated: false,
        };
        let parsed = parse(text, &options);
        assert!(parsed.ok, "{text}\n{:?}", parsed.diagnostics);
        parsed
    }

    /// Decides a reply, and applies nothing.
    pub(crate) fn decide(&mut self, text: &str) -> Decision {
        let parsed = self.parse(text);
        self.decide_parsed(&parsed, None)
    }

    pub(crate) fn decide_parsed(
        &mut self,
        reply: &ParsedReply,
        reasoning: Option<&str>,
    ) -> Decision {
        let policies = Policies {
            scope: &self.scope,
            permit: &self.permit,
            mode: self.mode,
            memory: &self.memory,
            notes: &self.notes,
            r#loop: &self.policy,
            max_iterations: self.max_iterations,
        };
        let results = self
            .state
            .main
            .results
            .iter()
            .flat_map(|result| &result.items);
        let offers = self.look.iter().flat_map(|look| &look.offers);
        let offered = offers.flat_map(|offer| offer.notes.iter().copied());
        let shown = results.map(|item| ShownNote {
            id: item.id,
            version: item.version,
        });
        let shown = shown.chain(offered).filter(|_| self.has_room);
        let shown: Vec<ShownNote> = shown.collect();
        let turn = Turn {
            state: &self.state,
            working: &self.state.main,
            index: &NoIndex,
            run: &self.run,
            ran_in: self.state.main.ram.state(),
            reply,
            reasoning,
            usage: Usage::default(),
            messages_hash: "0".repeat(64),
            counted: None,
            allocation: None,
            shown: &shown,
            outcomes_shown: 0,
            edited: &self.edited,
            is_request_new: self.is_request_new,
            look: self.look.as_ref(),
            is_stepwise: false,
            is_unsure: false,
            outcome: None,
            now: self.now,
        };
        decide(&turn, &policies, &mut self.ids)
    }

    /// Decides a reply and applies it, as a commit does.
    pub(crate) fn turn(&mut self, text: &str) -> Decision {
        let decision = self.decide(text);
        self.apply(&decision.draft);
        decision
    }

    pub(crate) fn apply(&mut self, draft: &CommitDraft) {
        for event in &draft.events {
            self.state.apply(event, draft.context());
        }
        self.run.loop_count += 1;
        if let Some(Event::IterationDone(done)) = draft.events.first() {
            self.run.progress = done.progress.clone();
        }
    }

    pub(crate) fn ram(&self, key: &str) -> Value {
        self.state.main.ram.get(key).cloned().unwrap_or(Value::Null)
    }

    pub(crate) fn the_note(&self, number: u128) -> &Note {
        self.state.notes.get(note_id(number)).unwrap()
    }
}

pub(crate) fn ram_add(key: &str, value: &str) -> String {
    format!("<ram_add><key>{key}</key><value>{value}</value></ram_add>")
}

pub(crate) fn record_add(title: &str, value: &str) -> String {
    format!(
        "<record_add><title>{title}</title><keywords>k</keywords><value>{value}</value></record_add>"
    )
}

pub(crate) fn record_update(key: &str, value: &str) -> String {
    format!("<record_update><key>{key}</key><value>{value}</value></record_update>")
}

pub(crate) fn search(query: &str) -> String {
    format!("<record_search><query>{query}</query></record_search>")
}

pub(crate) fn outcomes(decision: &Decision) -> Vec<(String, InstructionOutcome, Option<Code>)> {
    let told = |entry: &InstructionDecided| (entry.op.clone(), entry.outcome, entry.code);
    decision.entries.iter().map(told).collect()
}

pub(crate) fn codes(decision: &Decision) -> Vec<Option<Code>> {
    decision.entries.iter().map(|entry| entry.code).collect()
}

pub(crate) fn results(decision: &Decision) -> Vec<ActionResult> {
    let Some(Event::IterationDone(done)) = decision.draft.events.first() else {
        panic!("the iteration comes first");
    };
    done.results.clone()
}
