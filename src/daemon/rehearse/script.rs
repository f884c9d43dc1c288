//! The script of a rehearsal's model: built in, the root's retained replies, or those of a file.
//!
//! The order of the replies never varies.

use crate::core::agent::LoopState;
use crate::core::journal::Hash;
use crate::core::journal::event::KeptReply;
use crate::failure::Failure;
use crate::ids::{RuleId, RunId};
use crate::provider::{CallResult, LlmReply, ScriptedProvider};
use serde_json::json;
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug)]
enum ReplySource {
    /// The built-in script: a plan, a note, a verdict.
    BuiltIn,
    /// The retained runs of each rule, played one after the other and then from the first again.
    ///
    /// Those without a rule are played together.
    ByRule(BTreeMap<Option<RuleId>, VecDeque<Vec<CallResult>>>),
    /// The replies of a file, one after the other and then from the first again.
    InTurn(VecDeque<CallResult>),
}

/// The script of a rehearsal.
#[derive(Debug)]
pub struct Script {
    source: ReplySource,
    /// The rest of the retained run that is played.
    rest: VecDeque<CallResult>,
    /// The replies so far of the built-in script.
    own: u64,
    /// The replies of these that stand in for one that was not retained.
    made_up: u64,
}

impl Script {
    const fn of(source: ReplySource) -> Self {
        Self {
            source,
            rest: VecDeque::new(),
            own: 0,
            made_up: 0,
        }
    }

    /// Makes the built-in script: each run plans one step, writes one note for it, and is content.
    pub const fn built_in() -> Self {
        Self::of(ReplySource::BuiltIn)
    }

    /// Makes a script of the retained replies of runs, each with the rule that opened it.
    ///
    /// Where a rule has none, or a run goes on longer than the retained one, the built-in script
    /// goes on.
    ///
    /// # Errors
    /// A reply that cannot be read as one.
    pub fn recorded(
        runs: impl IntoIterator<Item = (Option<RuleId>, Vec<KeptReply>)>,
    ) -> Result<Self, Failure> {
        let mut by_rule: BTreeMap<_, VecDeque<Vec<CallResult>>> = BTreeMap::new();
        for (rule_id, kept) in runs {
            // The lines of a conversation file.
            let lines = kept.iter().map(|reply| json!({"reply": reply}).to_string());
            let lines: Vec<String> = lines.collect();
            let replies = ScriptedProvider::from_text("retained", &lines.join("\n"))?;
            by_rule
                .entry(rule_id)
                .or_default()
                .push_back(replies.into_replies());
        }
        Ok(Self::of(ReplySource::ByRule(by_rule)))
    }

    /// Makes a script of the replies in a text, over and over, whichever rule asks.
    ///
    /// # Errors
    /// `CONFIG_SCHEMA_INVALID` where it cannot be read, or holds no reply.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Failure> {
        let replies = ScriptedProvider::from_text(name, text)?.into_replies();
        Ok(Self::of(ReplySource::InTurn(replies.into())))
    }

    /// Returns how many replies the built-in script gave in place of retained ones.
    pub(super) const fn made_up(&self) -> u64 {
        self.made_up
    }

    /// Begins a run: its retained replies come from the next retained run of its rule.
    pub(super) fn begin(&mut self, rule_id: Option<RuleId>) {
        if let ReplySource::ByRule(by_rule) = &mut self.source {
            let runs = by_rule.get_mut(&rule_id);
            self.rest = runs.map_or_else(VecDeque::new, |runs| {
                runs.rotate_left(usize::from(runs.len() > 1));
                runs.back().cloned().unwrap_or_default().into()
            });
        }
    }

    pub(super) fn next(&mut self, state: LoopState, run_id: Option<RunId>) -> CallResult {
        match &mut self.source {
            ReplySource::BuiltIn => {}
            ReplySource::ByRule(_) => {
                if let Some(line) = self.rest.pop_front() {
                    return line;
                }
                self.made_up += 1;
            }
            ReplySource::InTurn(lines) => {
                lines.rotate_left(usize::from(lines.len() > 1));
                if let Some(line) = lines.back() {
                    return line.clone();
                }
            }
        }
        self.own += 1;
        Ok(LlmReply {
            text: play(state, run_id, self.own),
            ..LlmReply::default()
        })
    }
}

/// Returns a reply of the built-in script: a plan of one step, the note of that step, or a verdict.
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

/// Returns words that no other note of the script has, so that no two are near-duplicates.
fn words(number: u64) -> String {
    let drawn = Hash::of(&number.to_le_bytes()).to_string();
    let envelopes: Vec<char> = drawn.chars().collect();
    let words: Vec<String> = envelopes
        .chunks(4)
        .map(|word| word.iter().collect())
        .collect();
    words.join(" ")
}
