//! The worst case of a prompt: its maximum tokens, by a counted earlier prompt and its characters.
//! A ratio that was learned from prose says little about a page of digits, so it is not used here.
//! Never refuses a prompt: it only shortens one that may be too long.

use super::fit::{fit_either_way, fit_with};
use super::tokens::is_dense;
use super::{
    FittedPrompt, PromptBudget, PromptData, PromptError, PromptFile, PromptMessage, TokenMeter,
};
use crate::limits::WINDOW_TOKENS_MIN;
use serde::{Deserialize, Serialize};

/// The maximum number of times that a prompt is shortened before it is sent as it is.
const TRIES_MAX: u32 = 8;

/// The maximum factor of a tokenizer's tokens to those of the measured ones, in thousandths.
const DEARNESS_MILLI_MAX: u64 = 16_000;

/// The number of characters of each sort, and of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CharacterCounts([u32; 6]);

/// The minimum and maximum tokens of one item of each sort, in thousandths.
/// Measured with the tokenizers of `SmolLM2` (a small vocabulary of western text) and `Qwen2.5` (a
/// large one), over prose in nine scripts, lists of numbers and ids, JSON, code and XML. A margin
/// at either end is for other tokenizers.
const COSTS_MILLI: [(u32, u32); 6] = [
    // Small letters and blanks: 200 in English, 300 and more in rarer languages.
    (150, 340),
    // Digits and capitals: alone in most models, by threes in some.
    (200, 1000),
    // Punctuation, markup and line ends: in pairs where they are usual.
    (250, 750),
    // Chinese, Japanese and Korean: 500 where a model was trained on it, 2,130 where it was not.
    (400, 2200),
    // Accents and all other scripts: 330 to 1,800.
    (250, 2000),
    // A message: its turn's marks, its role, line ends.
    (3000, 8000),
];

impl CharacterCounts {
    /// Returns the sorts of all messages.
    pub fn of(messages: &[PromptMessage]) -> Self {
        let mut sorts = Self::default();
        for message in messages {
            sorts.add(&message.content);
            sorts.0[5] += 1;
        }
        sorts
    }

    fn add(&mut self, text: &str) {
        let [letters, alone, marks, dense, others, _] = &mut self.0;
        for character in text.chars() {
            let sort = match u8::try_from(character).ok().filter(u8::is_ascii) {
                Some(byte) if is_letter(byte) => &mut *letters,
                Some(byte) if is_alone(byte) => &mut *alone,
                Some(_) => &mut *marks,
                None if is_dense(character) => &mut *dense,
                None => &mut *others,
            };
            *sort += 1;
        }
    }

    /// Returns the minimum and the maximum tokens of these characters, in thousandths.
    fn milli(self) -> (u64, u64) {
        let each = self.0.into_iter().zip(COSTS_MILLI);
        each.fold((0, 0), |(least, most), (count, (cheap, dear))| {
            let count = u64::from(count);
            (
                least + count * u64::from(cheap),
                most + count * u64::from(dear),
            )
        })
    }

    /// Returns the maximum tokens beyond those of another prompt, in thousandths.
    /// Negative if they must be fewer.
    fn most_milli_beyond(self, other: Self, dearness_milli: u64) -> i64 {
        let pairs = self.0.into_iter().zip(other.0).zip(COSTS_MILLI);
        pairs
            .map(|((now, before), (least, most))| {
                let more = i64::from(now) - i64::from(before);
                let dear = i64::from(most).saturating_mul(dearness_milli.cast_signed()) / 1000;
                more.saturating_mul(if more > 0 { dear } else { least.into() })
            })
            .sum()
    }
}

const fn is_letter(byte: u8) -> bool {
    matches!(byte, b' ' | b'a'..=b'z')
}

const fn is_alone(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'Z')
}

/// A server's token count of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptCount {
    /// The counted tokens.
    pub tokens: u64,
    /// The bare estimate of the tokens.
    pub bare_tokens: u64,
    /// The sorts of its characters.
    pub sorts: CharacterCounts,
}

impl PromptCount {
    /// Returns the count of `tokens` for these messages.
    pub fn of(messages: &[PromptMessage], tokens: u64) -> Self {
        let bare = TokenMeter::bare().messages(messages);
        Self {
            tokens,
            bare_tokens: u64::try_from(bare).unwrap_or(u64::MAX),
            sorts: CharacterCounts::of(messages),
        }
    }

    /// Returns whether the count can cover the whole prompt.
    /// A server may count only what is not in its cache.
    pub fn is_of_all(self) -> bool {
        let (least, _) = self.sorts.milli();
        self.tokens.saturating_mul(1000) >= least
    }

    /// Returns whether the count shows that the prompt was not read whole, given the count before.
    /// The margin is wide: the count is less than any tokenizer needs, or less than half of what
    /// the count before implies, even if all removed characters are expensive and all new ones
    /// cheap. A prompt that is a tenth longer and has the same count was cut like the one before.
    pub fn is_of_part(self, before: Option<Self>) -> bool {
        let is_stuck = before.is_some_and(|before| {
            let longer = before.bare_tokens.saturating_add(before.bare_tokens / 10);
            self.tokens == before.tokens && self.bare_tokens > longer
        });
        let least = before.map_or(0, |before| {
            let fewer = before
                .sorts
                .most_milli_beyond(self.sorts, before.dearness_milli());
            let before = i64::try_from(before.tokens).unwrap_or(i64::MAX);
            before.saturating_sub(fewer / 1000)
        });
        let least = u64::try_from(least).unwrap_or_default();
        is_stuck || !self.is_of_all() || self.tokens.saturating_mul(2) < least
    }

    /// Returns the tokens that were read, if they are only a part and a window can be so small.
    pub fn cut_at(self, before: Option<Self>) -> Option<u32> {
        let tokens = u32::try_from(self.tokens).ok()?;
        (tokens >= WINDOW_TOKENS_MIN && self.is_of_part(before)).then_some(tokens)
    }

    /// Returns how many more tokens its tokenizer needs than the measured ones, in thousandths.
    /// At least 1000.
    fn dearness_milli(self) -> u64 {
        let dear = self.tokens.saturating_mul(1_000_000);
        let dear = dear.div_ceil(self.sorts.milli().1.max(1));
        dear.clamp(1000, DEARNESS_MILLI_MAX)
    }

    /// Returns the maximum tokens of a later prompt.
    fn most_tokens(self, sorts: CharacterCounts) -> u64 {
        let beyond = sorts.most_milli_beyond(self.sorts, self.dearness_milli());
        let part = beyond.unsigned_abs();
        if beyond < 0 {
            self.tokens.saturating_sub(part / 1000)
        } else {
            self.tokens.saturating_add(part.div_ceil(1000))
        }
    }
}

/// Returns the maximum tokens of a prompt, given the last count.
pub fn most_tokens(messages: &[PromptMessage], last: Option<PromptCount>) -> u64 {
    let sorts = CharacterCounts::of(messages);
    let dearness = last.map_or(1000, PromptCount::dearness_milli);
    let (_, most) = sorts.milli();
    let unseen = most.saturating_mul(dearness).div_ceil(1_000_000);
    last.map_or(unseen, |last| last.most_tokens(sorts).min(unseen))
}

/// Assembles messages like `fit`, but shorter if they could exceed the window in the worst case.
///
/// # Errors
/// Those of `fit`.
/// Required parts stay, even if they could be too long.
pub fn fit_worst_case(
    file: &PromptFile,
    data: &PromptData<'_>,
    prompt_budget: &PromptBudget,
    last: Option<PromptCount>,
) -> Result<FittedPrompt, PromptError> {
    let most = prompt_budget.prompt_tokens();
    let (mut fitted, texts) = fit_either_way(file, data, prompt_budget)?;
    let within = |tokens: usize| {
        let budget = prompt_budget.in_force().within(tokens);
        fit_with(
            file,
            data,
            &PromptBudget {
                budget,
                ..*prompt_budget
            },
            texts,
        )
    };
    for _ in 0..TRIES_MAX {
        let dear = most_tokens(&fitted.messages, last);
        let dear = usize::try_from(dear).unwrap_or(usize::MAX);
        if dear <= most {
            break;
        }
        let tokens = prompt_budget.meter.messages(&fitted.messages);
        match within(tokens.saturating_mul(most) / dear) {
            Ok(shorter) => fitted = shorter,
            // The required parts need more: nothing else can be removed, and the server decides.
            Err(PromptError::CriticalDropped {
                critical_tokens, ..
            }) => {
                return Ok(within(critical_tokens).unwrap_or(fitted));
            }
            Err(PromptError::EstimationFailed) => break,
        }
    }
    Ok(fitted)
}

#[cfg(test)]
mod tests {
    use super::{COSTS_MILLI, CharacterCounts, PromptCount, most_tokens};
    use crate::core::prompt::{ChatRole, PromptMessage, TokenMeter};
    use proptest::prelude::{any, prop, proptest};

    fn prompt(text: &str) -> Vec<PromptMessage> {
        vec![PromptMessage {
            role: ChatRole::User,
            content: text.to_owned(),
        }]
    }

    /// Returns the tokens of a text for a tokenizer with these costs for each sort.
    fn tokens(text: &str, costs: [u32; 6]) -> u64 {
        let CharacterCounts(counts) = CharacterCounts::of(&prompt(text));
        let each = counts.into_iter().zip(costs);
        let milli: u64 = each
            .map(|(count, cost)| u64::from(count) * u64::from(cost))
            .sum();
        milli.div_ceil(1000)
    }

    #[test]
    fn each_character_is_of_one_sort() {
        for (text, sorts) in [
            ("", [0, 0, 0, 0, 0, 1]),
            ("tea at 10", [7, 2, 0, 0, 0, 1]),
            ("<B>\n", [0, 1, 3, 0, 0, 1]),
            ("\u{dc}ber \u{304a}\u{8336}!", [4, 0, 1, 2, 1, 1]),
            ("\u{1f511}", [0, 0, 0, 0, 1, 1]),
        ] {
            assert_eq!(
                CharacterCounts::of(&prompt(text)),
                CharacterCounts(sorts),
                "{text}"
            );
        }
    }

    proptest! {
        /// The bound holds for every tokenizer and for every change from one prompt to the next.
        #[test]
        fn no_prompt_comes_to_more_than_it_was_said_to(
            before in any::<String>(), after in any::<String>(), same in "[a-z0-9 <>\u{8336}]{0,200}",
            parts in prop::array::uniform6(0_u32..=1000),
        ) {
            let mut costs = [0; 6];
            for (cost, ((least, most), part)) in costs.iter_mut().zip(COSTS_MILLI.into_iter().zip(parts)) {
                *cost = least + (most - least) * part / 1000;
            }
            let (before, after) = (format!("{before}{same}"), format!("{same}{after}"));
            let last = PromptCount::of(&prompt(&before), tokens(&before, costs));
            assert!(last.is_of_all());
            for last in [None, Some(last)] {
                let most = most_tokens(&prompt(&after), last);
                assert!(most >= tokens(&after, costs), "{most}");
            }
        }
    }

    #[test]
    fn a_count_of_a_part_is_known_with_a_wide_margin() {
        let prose = |words: usize| prompt(&"an ordinary list of things ".repeat(words));
        let dense = |count: usize| prompt(&"\u{8336}".repeat(count));
        let of = |messages: &[PromptMessage], tokens| PromptCount::of(messages, tokens);
        let cases = [
            // Without an earlier count, the least that any tokenizer needs decides.
            (of(&prose(1000), 5000), None, false),
            (of(&prose(1000), 4096), None, false),
            (of(&prose(1000), 4000), None, true),
            (of(&dense(4000), 2000), None, false),
            // As expensive as the one before, but less than half of its count.
            (of(&dense(4000), 2000), Some(of(&dense(4000), 8000)), true),
            (of(&dense(4000), 4096), Some(of(&dense(4000), 8000)), false),
            // The removed characters were expensive, and the new ones are cheap.
            (of(&prose(1000), 5000), Some(of(&dense(4000), 8000)), false),
            (of(&dense(100), 60), Some(of(&prose(1000), 5400)), false),
            // The count of the window again, although the prompt is longer.
            (of(&prose(1000), 4096), Some(of(&prose(800), 4096)), true),
            (of(&prose(1000), 4097), Some(of(&prose(800), 4096)), false),
            (of(&prose(1000), 5400), Some(of(&prose(1000), 5400)), false),
        ];
        for (counted, before, expected) in cases {
            assert_eq!(
                counted.is_of_part(before),
                expected,
                "{counted:?} {before:?}"
            );
        }
    }

    #[test]
    fn a_prompt_like_the_one_before_is_known_to_the_token() {
        let text = "an ordinary list of things ".repeat(100);
        let last = PromptCount::of(&prompt(&text), 540);
        assert_eq!(most_tokens(&prompt(&text), Some(last)), 540);
        let more = format!("{text}{}", "7".repeat(100));
        assert_eq!(most_tokens(&prompt(&more), Some(last)), 640);
        assert!(TokenMeter::bare().messages(&prompt(&more)) > 640);
        assert_eq!(most_tokens(&prompt(&more), None), 918 + 100 + 8);
    }
}
