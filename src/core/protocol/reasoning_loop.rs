//! Detects reasoning that goes round in a loop, apart from the reply. Reads nothing else in it.

use super::repeats::repeated_tail;

/// Bytes that have to arrive between two looks.
const LOOK_EVERY_BYTES: usize = 128;

/// Detects a loop in reasoning while it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReasoningLoop {
    looked_at_bytes: usize,
}

impl ReasoningLoop {
    /// Whether the end of what has arrived is one short piece again and again. Each call is given the
    /// same text, as far as it has come; work is in proportion to what is new.
    pub fn is_in(&mut self, reasoning: &str) -> bool {
        if reasoning.len() < self.looked_at_bytes + LOOK_EVERY_BYTES {
            return false;
        }
        self.looked_at_bytes = reasoning.len();
        repeated_tail(reasoning.as_bytes()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::ReasoningLoop;

    #[test]
    fn only_what_is_said_again_and_again_is_a_circle() {
        let arrives = |text: &str| {
            let mut reasoning_loop = ReasoningLoop::default();
            let ends = text
                .char_indices()
                .map(|(at, letter)| at + letter.len_utf8());
            ends.filter(|end| reasoning_loop.is_in(&text[..*end]))
                .count()
        };
        let round = "Wait, what is asked for? ".repeat(40);
        assert!(arrives(&format!("So. {round}")) > 0);
        let steps = (0..400).map(|step| format!("{step}: {}. ", step * 7919 % 1009));
        let long = steps.collect::<Vec<_>>().concat();
        assert_eq!(arrives(&long), 0);
        assert_eq!(arrives("\u{8336} and "), 0);
    }
}
