//! How sure a model was of what the lines of a plan begin with: the note that each line is about, and whether
//! there is another line at all.
//! Pure.

/// The verbs behind which a title stands that the model makes up, or two titles: `new TITLE: TEXT` and
/// `merge A > B`. How it puts them tells nothing about what it means.
const FREE_VERBS: [&str; 6] = ["new", "rename", "overview", "answer", "merge", "link"];

/// The place in a line that the next token belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TokenPlace {
    /// Before the verb.
    #[default]
    Start,
    /// In the verb.
    Verb,
    /// In the title, before its colon.
    Title,
    /// Behind the colon.
    Text,
}

/// Reads the tokens of a plan with their probabilities, and keeps the smallest probability of those that
/// decide: the first word of each title, the verbs of further lines, and the breaks between lines. The verb of
/// the first line is judged beside the worked examples, see `PlanVerbs`.
#[derive(Clone, Debug, Default)]
pub struct LineCertainty {
    place: TokenPlace,
    verb: String,
    title: String,
    /// The tokens with which the title could have begun, each with its probability in percent.
    beginnings: Vec<(String, u8)>,
    is_later_line: bool,
    least_percent: Option<u8>,
}

impl LineCertainty {
    /// Takes the next token and its probability, in percent, and the likeliest tokens in its place, itself
    /// among them, with theirs.
    pub fn take<'a>(
        &mut self,
        token: &str,
        percent: u8,
        likeliest: impl Iterator<Item = (&'a str, u8)>,
    ) {
        if token.contains('\n') {
            // A blank line divides nothing.
            if self.place == TokenPlace::Start {
                return;
            }
            let least_percent = least(self.least_percent(), Some(percent));
            *self = Self {
                is_later_line: true,
                least_percent,
                ..Self::default()
            };
            return;
        }
        match self.place {
            TokenPlace::Start if token.trim().is_empty() => {}
            TokenPlace::Start => {
                if self.is_later_line {
                    self.least_percent = least(self.least_percent, Some(percent));
                }
                self.place = TokenPlace::Verb;
                self.verb.push_str(token.trim());
            }
            TokenPlace::Verb if token.starts_with(char::is_whitespace) => {
                self.place = TokenPlace::Title;
                self.title.push_str(token);
                self.beginnings = likeliest.map(|(it, own)| (it.to_owned(), own)).collect();
            }
            TokenPlace::Verb => self.verb.push_str(token),
            TokenPlace::Title => self.title.push_str(token),
            TokenPlace::Text => {}
        }
        if token.contains(':') {
            self.place = TokenPlace::Text;
        }
    }

    /// Returns the smallest of these probabilities, in percent; `None` if there was none.
    pub fn least_percent(&self) -> Option<u8> {
        least(self.least_percent, self.title_percent())
    }

    /// Returns the probability that the title of this line begins as it does, in percent: one title may be
    /// divided into tokens in several ways, and begin with a capital or not.
    fn title_percent(&self) -> Option<u8> {
        if self.beginnings.is_empty() || FREE_VERBS.contains(&self.verb.as_str()) {
            return None;
        }
        let title = self.title.trim_start().to_lowercase();
        let begins = |token: &str| {
            let token = token.trim_start().to_lowercase();
            !token.is_empty() && (title.starts_with(&token) || token.starts_with(&title))
        };
        let own = self.beginnings.iter().filter(|(token, _)| begins(token));
        let sum = own.fold(0u8, |sum, (_, percent)| sum.saturating_add(*percent));
        Some(sum.min(100))
    }
}

fn least(one: Option<u8>, other: Option<u8>) -> Option<u8> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::LineCertainty;

    #[test]
    fn what_lines_begin_with_is_what_counts() {
        let other = (" Kitchen", 15);
        for (tokens, expected) in [
            (
                &[("add", 9), (" Tools", 80), (":", 99), (" saw", 7)][..],
                Some(80),
            ),
            (
                &[("new", 9), (" Saw", 20), (":", 99), (" It is new.", 7)],
                None,
            ),
            (&[("merge", 9), (" A", 20), (" >", 30), (" B", 40)], None),
            (&[("delete", 9), (" Saw", 95), ("s", 60)], Some(95)),
            (
                &[
                    ("new", 9),
                    (":", 9),
                    (" x", 9),
                    ("\n", 70),
                    ("add", 45),
                    (" A", 90),
                    (":", 98),
                ],
                Some(45),
            ),
            (
                &[
                    ("add", 9),
                    (" A", 90),
                    (":", 98),
                    (" x", 5),
                    (".\n", 40),
                    ("nothing", 50),
                ],
                Some(40),
            ),
            (&[(" ", 3), ("\n", 4), ("nothing", 9)], None),
            (&[], None),
        ] {
            let mut certainty = LineCertainty::default();
            for (token, percent) in tokens {
                certainty.take(token, *percent, [(*token, *percent), other].into_iter());
            }
            assert_eq!(certainty.least_percent(), expected, "{tokens:?}");
        }
    }

    #[test]
    fn one_title_may_begin_in_several_ways() {
        let likeliest = [
            (" W", 42),
            (" Wick", 40),
            (" wick", 9),
            (" Strand", 8),
            (" ", 1),
        ];
        let mut certainty = LineCertainty::default();
        certainty.take("add", 99, std::iter::empty());
        certainty.take(" W", 42, likeliest.into_iter());
        certainty.take("ickeltasche", 99, std::iter::empty());
        certainty.take(":", 99, std::iter::empty());
        assert_eq!(certainty.least_percent(), Some(91));
    }
}
