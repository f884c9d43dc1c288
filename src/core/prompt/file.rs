//! The prompt file after validation.
//! `config::prompt_file` loads and checks it.

use super::similar::SimilarExamples;
use crate::core::agent::{IdleProfile, LoopState};
use crate::core::notes::{is_unspaced, phrase_stands_in};
use crate::core::protocol::{AllowedTags, json_of_xml};
use std::sync::Arc;

/// The condition under which a segment or an example applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In every prompt.
    Default,
    /// In prompts of that state.
    State(LoopState),
    /// In idle prompts of that profile, in place of those of the state.
    Idle(IdleProfile),
    /// In questions of that kind, which small steps ask.
    Question(QuestionKind),
    /// In questions of that kind, if it is among the most similar ones: examples only.
    Similar(QuestionKind),
}

/// The kinds of questions that small steps ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// The steps that the request asks for.
    Plan,
    /// The note or the line that is meant.
    Choose,
    /// The words of a line that have changed.
    Replace,
    /// The answer that the notes give to a question.
    Answer,
    /// Whether lines answer a question.
    Confirm,
}

impl QuestionKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Plan,
        Self::Choose,
        Self::Replace,
        Self::Answer,
        Self::Confirm,
    ];

    /// Returns the label of the kind in a prompt file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Choose => "choose",
            Self::Replace => "replace",
            Self::Answer => "answer",
            Self::Confirm => "confirm",
        }
    }

    /// Returns the minimum similarity of an example that is shown: the cosine of the features, 0 to 1.
    pub(super) const fn similarity_min(self) -> f64 {
        match self {
            // A dissimilar example biases a yes or no: with any four, a model of half a billion
            // parameters confirmed 14 of 39 right answers and refused 14 of 18 wrong ones, with these
            // 24 and 16.
            Self::Confirm => 0.5,
            Self::Plan | Self::Choose | Self::Replace | Self::Answer => 0.0,
        }
    }
}

/// The prefix of a profile in a label.
const IDLE_PREFIX: &str = "idle_";

/// The suffix of a kind in the label of examples of which only the most similar are shown.
const SIMILAR_SUFFIX: &str = "_similar";

impl Condition {
    /// Returns the condition of a label; `None` for an unknown label.
    pub fn parse(label: &str) -> Option<Self> {
        if label == "default" {
            return Some(Self::Default);
        }
        if let Some(name) = label.strip_prefix(IDLE_PREFIX) {
            let profile = IdleProfile::parse(name)?;
            return profile.has_own_words().then_some(Self::Idle(profile));
        }
        let kind_of = |name: &str| {
            let mut kinds = QuestionKind::ALL.into_iter();
            kinds.find(|kind| kind.name() == name)
        };
        if let Some(kind) = kind_of(label) {
            return Some(Self::Question(kind));
        }
        if let Some(kind) = label.strip_suffix(SIMILAR_SUFFIX).and_then(kind_of) {
            return Some(Self::Similar(kind));
        }
        LoopState::parse(label).map(Self::State)
    }

    /// Returns the condition for an agent of this profile; `None` if it does not apply.
    /// `own` says whether the profile has segments of its own.
    fn taken_by(self, profile: IdleProfile, own: bool) -> Option<Self> {
        match self {
            Self::Idle(wanted) => (wanted == profile).then_some(Self::State(LoopState::Idle)),
            Self::State(LoopState::Idle) if own => None,
            Self::Default | Self::State(_) | Self::Question(_) | Self::Similar(_) => Some(self),
        }
    }
}

/// The way in which changes of notes are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At once, inside the scope.
    Yolo,
    /// As proposals that a person approves.
    Reviewed,
}

impl Mode {
    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yolo => "yolo",
            Self::Reviewed => "reviewed",
        }
    }

    /// Returns the mode of a name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut modes = [Self::Yolo, Self::Reviewed].into_iter();
        modes.find(|mode| mode.name() == name)
    }
}

/// A piece of instruction text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The condition under which it applies.
    pub condition: Condition,
    /// The text.
    pub prompt: String,
}

/// A worked example, sent as a user turn and an assistant turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The condition under which it applies.
    pub condition: Condition,
    /// The text of the user turn.
    pub input: String,
    /// The text of the assistant turn.
    pub output: String,
}

/// A valid prompt file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptFile {
    /// Always `kjxlkj-agent`.
    pub agent_name: String,
    /// A date or a semantic version.
    pub version: String,
    /// The mode used when the configuration names none.
    pub default_mode: Mode,
    /// The instructions that the model may use.
    pub allowed_tags: AllowedTags,
    /// Instruction text in file order.
    pub segments: Vec<Segment>,
    /// Worked examples in file order, without the similar ones.
    pub examples: Vec<Example>,
    /// Worked examples of which a question shows only the most similar ones.
    pub similar: Arc<SimilarExamples>,
    /// Words by which questions begin, in any language, in lower case.
    pub question_words: Vec<String>,
    /// Words at the end of a request that are part of no text, such as `please`, in lower case.
    pub courtesy_words: Vec<String>,
    /// Numbers written as words, in any language, in lower case.
    pub amount_words: Vec<String>,
    /// Words of a question for a sum, such as `altogether`, in any language, in lower case.
    pub sum_words: Vec<String>,
    /// SHA-256 of the file's bytes, lower-case hex: the `prompt_hash` of run records.
    pub hash: String,
}

impl PromptFile {
    /// Returns whether a question asks for a sum.
    pub fn asks_for_sum(&self, question: &str) -> bool {
        let mut words = self.sum_words.iter();
        words.any(|word| phrase_stands_in(word, question))
    }

    /// Returns whether it has segments for every question that small steps need.
    /// Answers need not be confirmed.
    pub fn has_steps(&self) -> bool {
        let mut kinds = QuestionKind::ALL.into_iter();
        kinds.all(|kind| kind == QuestionKind::Confirm || self.asks(kind))
    }

    /// Returns whether it has segments for a kind of question.
    pub fn asks(&self, kind: QuestionKind) -> bool {
        let condition = Condition::Question(kind);
        let mut segments = self.segments.iter();
        segments.any(|segment| segment.condition == condition)
    }

    /// Returns a request with a question mark, if it is one question without one.
    pub fn as_question(&self, request: &str) -> String {
        let text = request.trim().trim_end_matches('\u{3002}');
        if self.is_one_question(text) {
            format!("{text}?")
        } else {
            request.to_owned()
        }
    }

    /// Returns whether a text without its question mark is one question.
    /// That is one sentence that begins with a question word, or ends with one in a script without
    /// spaces.
    pub fn is_one_question(&self, text: &str) -> bool {
        let first = text.split(|it: char| !it.is_alphabetic()).next();
        let first = first.unwrap_or_default().to_lowercase();
        let is_one = !text.contains(['\n', '.', '!', '?', ';', '\u{3002}', '\u{ff1f}']);
        // `whats` is `what is`.
        let stem = first.strip_suffix('s').unwrap_or(&first);
        let mut words = self.question_words.iter();
        let is_question = words.any(|word| {
            *word == first || word == stem || word.contains(is_unspaced) && text.ends_with(word)
        });
        is_one && !first.is_empty() && is_question
    }

    /// Returns a text without the courtesy words at its end; unchanged if nothing else is left.
    pub fn without_courtesy<'a>(&self, text: &'a str) -> &'a str {
        let is_end = |it: char| it.is_whitespace() || matches!(it, ',' | '.' | '!' | '-');
        let mut rest = text;
        while let Some(shorter) = self.courtesy_words.iter().find_map(|words| {
            let kept = rest.trim_end_matches(is_end);
            let at = kept.len().checked_sub(words.len())?;
            let (head, tail) = kept.split_at_checked(at)?;
            let is_courtesy = tail.to_lowercase() == *words && head.ends_with(is_end);
            is_courtesy.then(|| head.trim_end_matches(is_end))
        }) {
            if shorter.is_empty() {
                return text;
            }
            rest = shorter;
        }
        rest
    }

    /// Returns whether it has segments for this profile alone.
    pub fn has_words_for(&self, profile: IdleProfile) -> bool {
        let mut segments = self.segments.iter();
        segments.any(|segment| segment.condition == Condition::Idle(profile))
    }

    /// Returns the file for a model whose answers are constrained to JSON.
    /// Worked examples and lines that show an instruction become JSON, and other lines say JSON in
    /// place of XML.
    #[must_use]
    pub fn in_json(&self) -> Self {
        let mut file = self.clone();
        for segment in &mut file.segments {
            let lines = segment.prompt.split('\n');
            let lines =
                lines.map(|line| json_of_xml(line).unwrap_or_else(|| line.replace("XML", "JSON")));
            segment.prompt = lines.collect::<Vec<_>>().join("\n");
        }
        for example in &mut file.examples {
            if let Some(output) = json_of_xml(&example.output) {
                example.output = output;
            }
        }
        file
    }

    /// Returns the file as an agent of this profile uses it.
    /// If the profile has segments of its own, they and its examples replace those of the state
    /// `idle`. Those of other profiles are removed.
    #[must_use]
    pub fn for_profile(mut self, profile: IdleProfile) -> Self {
        let own = self.has_words_for(profile);
        let take = |condition: &mut Condition| {
            let taken = condition.taken_by(profile, own);
            *condition = taken.unwrap_or(*condition);
            taken.is_some()
        };
        self.segments.retain_mut(|it| take(&mut it.condition));
        self.examples.retain_mut(|it| take(&mut it.condition));
        self
    }
}
