//! Tells classes apart by hashed features: a multinomial logistic regression.
//!
//! A second opinion that costs no call to the model, trained on the worked examples when it is first
//! needed. Pure and deterministic.

/// The number of hashed features. A quarter of it costs two in a hundred right verbs, twice as many
/// gain nothing.
const PLACES: usize = 1 << 16;

/// The number of times that the training reads all lessons.
const PASSES: usize = 3;

/// The step of the training, before it is divided by the root of the squared steps so far.
const STEP: f32 = 1.0;

/// The sum of squared steps at which a weight starts.
const SQUARES_START: f32 = 0.01;

/// A stride through the lessons, coprime to any number of them that is not a multiple of it.
const STRIDE: usize = 7919;

/// The length from which it makes no difference, in pairs of words.
const PAIRS_MAX: usize = 8;

/// The weights by which features call for up to `CLASSES` classes.
#[derive(Clone, Debug)]
pub(super) struct LinearClassifier<const CLASSES: usize> {
    weights: Vec<[f32; CLASSES]>,
    /// The number of classes in use.
    classes: usize,
}

impl<const CLASSES: usize> LinearClassifier<CLASSES> {
    /// Trains on lessons: the places of features, and the class that they call for.
    /// `classes` is the number of classes in use.
    pub(super) fn trained(lessons: &[(Vec<usize>, usize)], classes: usize) -> Self {
        let mut trained = Self {
            weights: vec![[0.0; CLASSES]; PLACES],
            classes,
        };
        let mut squares = vec![SQUARES_START; PLACES];
        for number in 0..lessons.len() * PASSES {
            // Neighbours in the file are alike: a stride mixes them.
            let Some((features, class)) = lessons.get(number * STRIDE % lessons.len()) else {
                continue;
            };
            let mut errors = trained.probabilities(features);
            if let Some(own) = errors.get_mut(*class) {
                *own -= 1.0;
            }
            let scale = scale_of(features);
            for error in &mut errors {
                *error *= scale;
            }
            let square: f32 = errors.iter().map(|it| it * it).sum();
            for feature in features {
                let (Some(own), Some(sum)) =
                    (trained.weights.get_mut(*feature), squares.get_mut(*feature))
                else {
                    continue;
                };
                *sum += square;
                let step = STEP / sum.sqrt();
                for (weight, error) in own.iter_mut().zip(&errors) {
                    *weight -= step * error;
                }
            }
        }
        trained
    }

    /// Returns the probability of each class, 0 to 1, for the places of features.
    pub(super) fn probabilities(&self, features: &[usize]) -> [f32; CLASSES] {
        let mut found = [0.0; CLASSES];
        for own in features.iter().filter_map(|it| self.weights.get(*it)) {
            for (sum, weight) in found.iter_mut().zip(own) {
                *sum += weight;
            }
        }
        let scale = scale_of(features);
        let used = found.iter().take(self.classes);
        let most = used.copied().fold(f32::MIN, f32::max);
        let mut total = 0.0;
        for (place, sum) in found.iter_mut().enumerate() {
            *sum = if place < self.classes {
                ((*sum - most) * scale).exp()
            } else {
                0.0
            };
            total += *sum;
        }
        found.map(|it| it / total.max(f32::MIN_POSITIVE))
    }
}

/// Returns the factor by which many features weigh no more than few.
#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn scale_of(features: &[usize]) -> f32 {
    1.0 / (features.len().max(1) as f32).sqrt()
}

/// The places of the features of one thing.
#[derive(Debug, Default)]
pub(super) struct Features {
    places: Vec<usize>,
}

impl Features {
    /// Adds the feature that consists of some parts.
    pub(super) fn add(&mut self, parts: &[&str]) {
        self.places.push(place_of(parts));
    }

    /// Adds the words of a named stretch of a text, each by itself and with the next one.
    pub(super) fn add_words(&mut self, name: &str, words: &[String]) {
        for word in words {
            self.add(&[name, word]);
        }
        for (word, next) in words.iter().zip(words.iter().skip(1)) {
            self.add(&[name, word, next]);
        }
    }

    /// Adds the length of a named stretch of a text, in pairs of words; long ones are equal.
    pub(super) fn add_length(&mut self, name: &[&str], words: usize) {
        let pairs = (words / 2).min(PAIRS_MAX).to_string();
        self.add(&[name, &[&pairs]].concat());
    }

    /// Returns the places, each once.
    pub(super) fn places(mut self) -> Vec<usize> {
        self.places.sort_unstable();
        self.places.dedup();
        self.places
    }
}

/// Returns the place of a feature: the FNV-1a hash of its parts, folded.
fn place_of(parts: &[&str]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    usize::try_from(hash ^ (hash >> 15)).unwrap_or_default() % PLACES
}
