//! The replies of a model in an iteration, and what the journal keeps of them. Parses none.

use super::asker::Work;
use super::postponed::Away;
use crate::core::agent::Carried;
use crate::core::journal::Event;
use crate::core::journal::event::{ConversationKept, KeptReply};
use crate::core::notes::ShownNote;
use crate::core::prompt::{AllocationSummary, Counted};
use crate::core::protocol::{ConstraintKind, Parsed};
use crate::core::run::Usage;
use crate::failure::Code;
use crate::provider::{LlmReply, LlmRequest};
use std::sync::Arc;

/// The outcome of asking the model.
pub(super) enum Asked {
    /// The model replied, or the call failed in a way that ends the run.
    Answered(Box<Answer>),
    /// The server is away: there is no reply, and nothing is lost.
    Away(Away),
}

/// The final reply of the model, after as many calls as it took.
pub(super) struct Answer {
    pub(super) reply: Result<(Parsed, Option<String>), Code>,
    /// The result of carrying out a step.
    pub(super) carried: Option<Carried>,
    /// Whether the request is worked on in small steps.
    pub(super) is_stepwise: bool,
    pub(super) usage: Usage,
    pub(super) counted: Option<Counted>,
    pub(super) allocation: Option<AllocationSummary>,
    pub(super) shown: Vec<ShownNote>,
    pub(super) outcomes_shown: usize,
    pub(super) messages_hash: String,
    pub(super) kept: Vec<Event>,
}

/// The replies of the model in an iteration so far, however many calls it took.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) replies: u32,
    pub(super) usage: Usage,
    pub(super) kept: Vec<Event>,
}

impl Answer {
    /// Makes an answer that cost nothing: nothing was asked.
    pub(super) fn of(reply: Result<(Parsed, Option<String>), Code>) -> Self {
        Self {
            reply,
            carried: None,
            is_stepwise: false,
            usage: Usage::default(),
            counted: None,
            allocation: None,
            shown: Vec::new(),
            outcomes_shown: 0,
            messages_hash: String::new(),
            kept: Vec::new(),
        }
    }
}

impl Heard {
    /// Counts a reply, and keeps it with its prompt where conversations are retained.
    pub(super) fn take_in(
        &mut self,
        work: Work<'_>,
        request: Arc<LlmRequest>,
        reply: &LlmReply,
        constraint_kind: Option<ConstraintKind>,
    ) {
        self.replies += 1;
        self.usage.add(reply.usage_with(request.max_tokens));
        if work.profile.config.memory.retain_full_conversation_logs {
            let kept = ConversationKept {
                run_id: work.run.run_id,
                iteration: work.run.loop_count + 1,
                attempt: self.replies,
                messages: Arc::unwrap_or_clone(request).messages,
                reply: KeptReply {
                    text: reply.text.clone(),
                    reasoning: reply.reasoning.clone(),
                    finish: reply.finish.name().to_owned(),
                    usage: reply.usage,
                },
                constraint_kind,
            };
            self.kept.push(Event::ConversationKept(kept));
        }
    }

    /// Counts a reply that was not even text.
    pub(super) fn take_in_garbled(&mut self) {
        self.replies += 1;
        self.usage.calls = self.usage.calls.saturating_add(1);
    }
}
