//! The prompt file after validation. Loading and checking it is `config::prompt_file`'s business.

use super::similar::SimilarExamples;
use crate::core::agent::{IdleProfile, LoopState};
use crate::core::notes::is_unspaced;
use crate::core::protocol::{AllowedTags, json_of_xml};
use std::sync::Arc;

/// When a segment or an example applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In every prompt.
    Default,
    /// In prompts of that state.
    State(LoopState),
    /// In idle prompts of that profile, in place of what stands under the state.
    Idle(IdleProfile),
    /// In questions of that kind, which are asked where a request is worked on in small steps.
    Question(QuestionKind),
    /// In questions of that kind, of those most like what is asked: examples only.
    Similar(QuestionKind),
}

/// The questions of a request that is worked on in small steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Which things the request asks for.
    Plan,
    /// Which note or line is meant.
    Choose,
    /// Which words of a line are different now.
    Replace,
    /// What the notes say to a question.
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
}

/// What stands before the name of a profile in a label.
const IDLE_PREFIX: &str = "idle_";

/// What stands behind the name of a kind in the label of examples of which only the most similar ones are shown.
const SIMILAR_SUFFIX: &str = "_similar";

impl Condition {
    /// Reads a condition's label; `None` for a label that nothing recognises.
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

    /// What it comes to for an agent of this profile: one of the first two, or nothing. `own` says
    /// whether the profile has words of its own.
    fn taken_by(self, profile: IdleProfile, own: bool) -> Option<Self> {
        match self {
            Self::Idle(wanted) => (wanted == profile).then_some(Self::State(LoopState::Idle)),
            Self::State(LoopState::Idle) if own => None,
            Self::Default | Self::State(_) | Self::Question(_) | Self::Similar(_) => Some(self),
        }
    }
}

/// How note mutations are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// At once, inside the scope.
    Yolo,
    /// As proposals that a person approves.
    Reviewed,
}

impl Mode {
    /// The mode's name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yolo => "yolo",
            Self::Reviewed => "reviewed",
        }
    }

    /// Reads a mode's name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut modes = [Self::Yolo, Self::Reviewed].into_iter();
        modes.find(|mode| mode.name() == name)
    }
}

/// A piece of instruction text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// When it applies.
    pub condition: Condition,
    /// The text.
    pub prompt: String,
}

/// A worked example, sent as a user turn and an assistant turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// When it applies.
    pub condition: Condition,
    /// What the user turn says.
    pub input: String,
    /// What the assistant turn answers.
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
    /// Worked examples in file order, but the similar ones.
    pub examples: Vec<Example>,
    /// Worked examples of which only those most like a question are shown.
    pub similar: Arc<SimilarExamples>,
    /// Words by which questions begin, in any language and in small letters.
    pub question_words: Vec<String>,
    /// SHA-256 of the file's bytes, lower-case hex: the `prompt_hash` of run records.
    pub hash: String,
}

impl PromptFile {
    /// Returns whether it has words for every question that a request needs which is worked on in small
    /// steps. Answers can do without being confirmed.
    pub fn has_steps(&self) -> bool {
        let mut kinds = QuestionKind::ALL.into_iter();
        kinds.all(|kind| kind == QuestionKind::Confirm || self.asks(kind))
    }

    /// Returns whether it has words for a kind of question.
    pub fn asks(&self, kind: QuestionKind) -> bool {
        let condition = Condition::Question(kind);
        let mut segments = self.segments.iter();
        segments.any(|segment| segment.condition == condition)
    }

    /// Returns a request with the mark of a question where it is one that has none: one sentence that begins
    /// with a word by which questions begin, or ends with one in a script without spaces.
    pub fn as_question(&self, request: &str) -> String {
        let text = request.trim().trim_end_matches('\u{3002}');
        if self.is_one_question(text) {
            format!("{text}?")
        } else {
            request.to_owned()
        }
    }

    /// Returns whether a text without its mark is one question: one sentence that begins with a word by which
    /// questions begin, or ends with one in a script without spaces.
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

    /// Whether it has words for this profile alone.
    pub fn has_words_for(&self, profile: IdleProfile) -> bool {
        let mut segments = self.segments.iter();
        segments.any(|segment| segment.condition == Condition::Idle(profile))
    }

    /// The file for a model whose answers are kept to JSON: worked examples, and lines that show an
    /// instruction, are written as JSON. What says so in words does it too.
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

    /// The file as an agent of this profile uses it: what the profile has of its own takes the place
    /// of the idle words and examples, and what other profiles have is gone.
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
