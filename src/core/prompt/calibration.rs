//! The calibration of each model's tokenizer: counted tokens for one of the bare estimate.
//! It is learned from counts alone and derived from the journal, so that it survives whatever the
//! journal survives.

use super::tokens::{BARE_METHOD, RATIO_MILLI_BARE};
use super::{PromptCount, TokenMeter};
use crate::limits::CALIBRATIONS_MAX;
use crate::plain_text::count;
use serde::{Deserialize, Serialize};

/// The minimum ratio of a tokenizer, in thousandths.
/// A server with a lower count has counted only a part of the prompt, because the rest was in its
/// cache or was cut off.
const RATIO_MILLI_MIN: u64 = 500;

/// The maximum ratio of a tokenizer, in thousandths.
/// A script that the model was hardly trained on takes three or four tokens a character, where the
/// estimate has a quarter of one. A higher count is rejected: if it were accepted once, no prompt
/// would seem to fit, and no later count could correct it.
const RATIO_MILLI_MAX: u64 = 16_000;

/// The minimum tokens of a sample.
/// Shorter prompts measure a chat template rather than a tokenizer.
const SAMPLE_TOKENS_MIN: u64 = 16;

/// The divisor of the distance to a lower ratio that gives the step of one sample.
/// A higher ratio applies at once, because a prompt that was estimated too low overflows.
const FORGETTING: u32 = 8;

/// The margin of a ratio for prompts unlike those before, in percent.
const MARGIN_PERCENT: u32 = 10;

/// The margin of the bare estimate while there is no count, in percent.
/// Models with a small vocabulary need 20 to 40 more for the shipped prompt; the rest is for RAM
/// full of ids.
const UNCHECKED_PERCENT: u32 = 50;

/// The calibration of one model's tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    /// The highest recent count for a bare estimate of one token, in thousandths.
    ratio_milli: u32,
    /// The number of counts behind it.
    samples: u32,
    /// The last count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<PromptCount>,
}

impl Calibration {
    /// Returns the calibration from one count; `None` if it is unusable.
    pub fn first(counted: PromptCount) -> Option<Self> {
        let shows_nothing = counted.bare_tokens < SAMPLE_TOKENS_MIN || counted.tokens == 0;
        if shows_nothing || !counted.is_of_all() {
            return None;
        }
        let ratio = counted
            .tokens
            .saturating_mul(RATIO_MILLI_BARE.into())
            .div_ceil(counted.bare_tokens);
        if !(RATIO_MILLI_MIN..=RATIO_MILLI_MAX).contains(&ratio) {
            return None;
        }
        Some(Self {
            ratio_milli: u32::try_from(ratio).ok()?,
            samples: 1,
            last: Some(counted),
        })
    }

    /// Returns the calibration after a newer one.
    #[must_use]
    pub fn and(self, newer: Self) -> Self {
        let fallen = self.ratio_milli.saturating_sub(newer.ratio_milli) / FORGETTING;
        Self {
            ratio_milli: newer.ratio_milli.max(self.ratio_milli - fallen),
            samples: self.samples.saturating_add(newer.samples),
            last: newer.last,
        }
    }

    /// Returns the calibration with the higher ratio, and with the last count of the newer one.
    #[must_use]
    pub const fn or_more(self, newer: Self) -> Self {
        let more = if newer.ratio_milli > self.ratio_milli {
            newer
        } else {
            self
        };
        Self {
            last: newer.last,
            ..more
        }
    }

    /// Returns the last count.
    pub const fn last(self) -> Option<PromptCount> {
        self.last
    }

    /// Returns its meter, with the margin.
    pub const fn meter(self) -> TokenMeter {
        TokenMeter::scaled(self.ratio_milli.saturating_mul(100 + MARGIN_PERCENT) / 100 + 1)
    }
}

/// Returns the meter of a model without any count.
pub const fn unchecked_meter() -> TokenMeter {
    TokenMeter::scaled(RATIO_MILLI_BARE + UNCHECKED_PERCENT * 10)
}

/// Returns the method behind the numbers of a meter, in words.
pub fn estimate_method(known: Option<Calibration>) -> String {
    let learnt = known.map_or_else(
        || format!("no answer of this model was counted yet, so {UNCHECKED_PERCENT} % more"),
        |known| {
            let (whole, part) = (known.ratio_milli / 1000, known.ratio_milli % 1000 / 10);
            let calls = count(u64::from(known.samples), "call");
            format!("times {whole}.{part:02}, as its server counted in {calls}, and {MARGIN_PERCENT} % more")
        },
    );
    format!("{BARE_METHOD}; {learnt}")
}

/// The calibrations of the models asked lately.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calibrations(Vec<ModelCalibration>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ModelCalibration {
    model: String,
    #[serde(flatten)]
    calibration: Calibration,
}

impl Calibrations {
    /// Adds a server's count for a prompt of a model.
    /// If there are too many models, the one whose last count is oldest is removed.
    pub fn learn(&mut self, model: &str, counted: PromptCount) {
        let Some(newer) = Calibration::first(counted) else {
            return;
        };
        let known = self.0.iter().position(|named| named.model == model);
        let known = known.map(|index| self.0.remove(index).calibration);
        let calibration = known.map_or(newer, |known| known.and(newer));
        if self.0.len() >= CALIBRATIONS_MAX {
            self.0.remove(0);
        }
        self.0.push(ModelCalibration {
            model: model.to_owned(),
            calibration,
        });
    }

    /// Returns the calibration of a model.
    pub fn of(&self, model: &str) -> Option<Calibration> {
        let mut named = self.0.iter();
        let named = named.find(|named| named.model == model)?;
        Some(named.calibration)
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Calibration, Calibrations, estimate_method, unchecked_meter};
    use crate::core::prompt::{CharacterCounts, PromptCount, TokenMeter};
    use crate::limits::CALIBRATIONS_MAX;
    use proptest::prelude::{prop, proptest};

    /// Returns a text of `tokens` tokens by the bare estimate.
    fn text(tokens: usize) -> String {
        "abcd".repeat(tokens)
    }

    /// Returns a count of `tokens` for a prompt with that bare estimate.
    fn counted(bare_tokens: u64, tokens: u64) -> PromptCount {
        PromptCount {
            tokens,
            bare_tokens,
            sorts: CharacterCounts::default(),
        }
    }

    fn learnt(samples: &[(u64, u64)]) -> Option<Calibration> {
        let mut known = Calibrations::default();
        for (bare, tokens) in samples {
            known.learn("m", counted(*bare, *tokens));
        }
        known.of("m")
    }

    proptest! {
        /// The ratios of a model's prompts differ by some percent.
        /// Whatever was counted so far, the next prompt is never longer than its estimate, and
        /// not much shorter either.
        #[test]
        fn a_meter_never_counts_less_than_a_stable_tokenizer(
            ratio_milli in 600_u64..15_000,
            drawn in prop::collection::vec((100_u64..5000, 960_u64..=1040), 2..20),
        ) {
            let truth_of = |bare: u64, part: u64| bare * ratio_milli * part / 1_000_000;
            let samples: Vec<(u64, u64)> = drawn
                .iter()
                .map(|(bare, part)| (*bare, truth_of(*bare, *part)))
                .collect();
            for known in 1..samples.len() {
                let (bare, truth) = samples[known];
                let meter = learnt(&samples[..known]).unwrap().meter();
                let measured = meter.text(&text(bare.try_into().unwrap())) as u64;
                assert!(measured >= truth, "{measured} for {truth}");
                assert!(measured <= truth_of(bare, 1040) * 112 / 100 + bare / 100 + 2, "{measured} for {truth}");
            }
        }

        /// The meter stays within its bounds, whatever was counted.
        #[test]
        fn no_count_makes_a_meter_without_bounds(
            samples in prop::collection::vec((prop::num::u64::ANY, prop::num::u64::ANY), 0..20),
        ) {
            let meter = learnt(&samples).map_or_else(unchecked_meter, Calibration::meter);
            let tokens = meter.text(&text(1000));
            assert!((550..=17_700).contains(&tokens), "{tokens}");
        }
    }

    #[test]
    fn the_first_count_holds_at_once_and_a_lower_one_by_and_by() {
        let known = learnt(&[(1000, 1400)]).unwrap();
        assert_eq!(known.meter().text(&text(1000)), 1541);
        let mut samples = vec![(1000, 2000)];
        samples.extend([(1000, 1200); 40]);
        let rising = learnt(&samples[..1]).unwrap().meter();
        let after_one = learnt(&samples[..2]).unwrap().meter();
        let after_all = learnt(&samples).unwrap().meter();
        let tokens = |meter: TokenMeter| meter.text(&text(1000));
        assert_eq!((tokens(rising), tokens(after_one)), (2201, 2091));
        assert!(
            (1320..1340).contains(&tokens(after_all)),
            "{}",
            tokens(after_all)
        );
    }

    #[test]
    fn a_count_that_cannot_be_of_the_prompt_shows_nothing() {
        // Not counted, counted in part, or too short a prompt.
        let too_few = [(1000, 0), (1000, 499), (15, 20), (0, 20), (u64::MAX, 1)];
        let too_many = [(1000, 16_001), (1000, u64::MAX)];
        for (bare, tokens) in too_few.into_iter().chain(too_many) {
            assert_eq!(
                Calibration::first(counted(bare, tokens)),
                None,
                "{bare} {tokens}"
            );
        }
        assert!(Calibration::first(counted(1000, 500)).is_some());
        let most = Calibration::first(counted(1000, 16_000)).unwrap();
        assert_eq!(most.meter().text(&text(1000)), 17_601);
    }

    #[test]
    fn of_too_many_models_the_one_asked_longest_ago_is_forgotten() {
        let mut known = Calibrations::default();
        for n in 0..CALIBRATIONS_MAX {
            known.learn(&n.to_string(), counted(1000, 1000));
        }
        known.learn("0", counted(1000, 1100));
        known.learn("new", counted(1000, 1000));
        assert_eq!(known.of("1"), None);
        for model in ["0", "2", "new"] {
            assert!(known.of(model).is_some(), "{model}");
        }
        let text = serde_json::to_string(&known).unwrap();
        let read: Calibrations = serde_json::from_str(&text).unwrap();
        assert_eq!(read, known);
    }

    #[test]
    fn it_is_said_what_stands_behind_a_number() {
        let method = estimate_method(learnt(&[(1000, 1310), (1000, 1310)]));
        assert!(
            method.ends_with("; times 1.31, as its server counted in 2 calls, and 10 % more"),
            "{method}"
        );
        let method = estimate_method(None);
        assert!(
            method.ends_with("; no answer of this model was counted yet, so 50 % more"),
            "{method}"
        );
        assert_eq!(unchecked_meter().text(&text(1000)), 1500);
    }
}
