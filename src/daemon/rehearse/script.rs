//! What the model of a rehearsal says: a small play of our own, the replies that this root has retained, or
//! those of a file. The same lines come in the same order every time.

use crate::core::agent::LoopState;
use crate::core::journal::Hash;
use crate::core::journal::event::KeptReply;
use crate::failure::Failure;
use crate::ids::{RuleId, RunId};
use crate::provider::{Arrival, FinishReason, LlmReply, ProviderError, ScriptedProvider, Usage};
use serde_json::json;
use std::collections::{BTreeMap, VecDeque};

/// A reply, or why there is none.
type Line = Result<LlmReply, ProviderError>;

/// Where the lines come from.
#[derive(Debug)]
enum Source {
    /// A plan, a note, a verdict.
    BuiltIn,
    /// The retained runs of each rule, played one after the other and then from the first again; those
    /// without a rule stand together.
    ByRule(BTreeMap<Option<RuleId>, VecDeque<Vec<Line>>>),
    /// One after the other, and then from the first again.
    InTurn(VecDeque<Line>),
}

/// The lines of a rehearsal.
#[derive(Debug)]
pub struct Script {
    source: Source,
    /// What is left of the run that is played.
    rest: VecDeque<Line>,
    /// Replies so far of our own play.
    own: u64,
    /// Of these, those that stand in for a reply that was not retained.
    made_up: u64,
}

impl Script {
    const fn of(source: Source) -> Self {
        Self {
            source,
            rest: VecDeque::new(),
            own: 0,
            made_up: 0,
        }
    }

    /// A play of our own: each run plans one step, writes one note for it, and is content.
    pub const fn built_in() -> Self {
        Self::of(Source::BuiltIn)
    }

    /// The retained replies of runs, each with the rule that opened it. Where a rule has none, or a run
    /// goes on longer than the retained one, our own play goes on.
    ///
    /// # Errors
    /// A reply that cannot be read as one.
    pub fn recorded(
        runs: impl IntoIterator<Item = (Option<RuleId>, Vec<KeptReply>)>,
    ) -> Result<Self, Failure> {
        let mut by_rule: BTreeMap<_, VecDeque<Vec<Line>>> = BTreeMap::new();
        for (rule_id, kept) in runs {
            // The lines of a conversation file, as they would stand in one.
            let lines = kept.iter().map(|reply| json!({"reply": reply}).to_string());
            let lines: Vec<String> = lines.collect();
            let replies = ScriptedProvider::from_text("retained", &lines.join("\n"))?;
            by_rule
                .entry(rule_id)
                .or_default()
                .push_back(replies.into_replies());
        }
        Ok(Self::of(Source::ByRule(by_rule)))
    }

    /// The replies of a script, over and over, whichever rule asks.
    ///
    /// # Errors
    /// `CONFIG_SCHEMA_INVALID` where it cannot be read, or holds no reply.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Failure> {
        let replies = ScriptedProvider::from_text(name, text)?.into_replies();
        Ok(Self::of(Source::InTurn(replies.into())))
    }

    /// How many replies our own play gave in place of retained ones.
    pub(super) const fn made_up(&self) -> u64 {
        self.made_up
    }

    /// A run begins.
    pub(super) fn begin(&mut self, rule_id: Option<RuleId>) {
        if let Source::ByRule(by_rule) = &mut self.source {
            let runs = by_rule.get_mut(&rule_id);
            self.rest = runs.map_or_else(VecDeque::new, |runs| {
                runs.rotate_left(usize::from(runs.len() > 1));
                runs.back().cloned().unwrap_or_default().into()
            });
        }
    }

    /// The reply to a question in that state of that run.
    pub(super) fn next(&mut self, state: LoopState, run_id: Option<RunId>) -> Line {
        match &mut self.source {
            Source::BuiltIn => {}
            Source::ByRule(_) => {
                if let Some(line) = self.rest.pop_front() {
                    return line;
                }
                self.made_up += 1;
            }
            Source::InTurn(lines) => {
                lines.rotate_left(usize::from(lines.len() > 1));
                if let Some(line) = lines.back() {
                    return line.clone();
                }
            }
        }
        self.own += 1;
        Ok(as_reply(play(state, run_id, self.own)))
    }
}

/// Our own play: a plan of one step, the note of that step, and nothing more to say.
fn play(state: LoopState, run_id: Option<RunId>, number: u64) -> String {
    match state {
        LoopState::Planning => "<ram_add><key>plan</key><value>Write down what there is to know.\
             </value></ram_add>\n<ram_add><key>steps</key><value>write a note</value></ram_add>"
            .to_owned(),
        LoopState::Executing => {
            let run = run_id.map_or_else(String::new, |run_id| run_id.to_string());
            let words = words(number);
            format!(
                "<record_add><title>Rehearsed note {number}</title>\
                 <keywords>rehearsal, note {number}</keywords>\
                 <value>Written in run {run}.\n{words}</value></record_add>"
            )
        }
        LoopState::Evaluating
        | LoopState::Paging
        | LoopState::RecordOrganizing
        | LoopState::Idle => {
            format!(
                "<ram_add><key>think_log</key><value>Reply {number}: all is well.</value></ram_add>"
            )
        }
    }
}

/// Words that no other note of the play has: two notes that say much the same would be one too many.
fn words(number: u64) -> String {
    let drawn = Hash::of(&number.to_le_bytes()).to_string();
    let envelopes: Vec<char> = drawn.chars().collect();
    let words: Vec<String> = envelopes
        .chunks(4)
        .map(|word| word.iter().collect())
        .collect();
    words.join(" ")
}

fn as_reply(text: String) -> LlmReply {
    LlmReply {
        text,
        reasoning: None,
        finish: FinishReason::Stop,
        usage: Usage::default(),
        model: None,
        arrival: Arrival::default(),
    }
}
