//! What lives at small windows came to.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// A key that left RAM.
#[derive(Clone, Debug)]
pub(crate) struct Paged {
    /// The life's seed.
    pub(crate) life: u64,
    /// The loop, from 0.
    pub(crate) number: u64,
    pub(crate) key: String,
    /// Whether the model ordered it; else the rule did.
    pub(crate) by_model: bool,
}

impl Display for Paged {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let who = if self.by_model {
            "the model"
        } else {
            "the rule"
        };
        let (life, number, key) = (self.life, self.number, &self.key);
        write!(f, "life {life} loop {number}: {key} by {who}")
    }
}

/// The account of some lives at one window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) loops: u64,
    pub(crate) runs: u64,
    /// Tokens of each prompt, by the server's count.
    pub(crate) prompts: Vec<usize>,
    pub(crate) overflows: Vec<String>,
    /// Values that were written.
    pub(crate) written: u64,
    /// Values that were ordered and refused, cut or not read.
    pub(crate) not_applied: u64,
    pub(crate) lost: Vec<String>,
    pub(crate) paging_loops: u64,
    pub(crate) paged: Vec<Paged>,
    /// Keys that came back into RAM.
    pub(crate) brought_back: u64,
    /// Prompts that say that something was left out.
    pub(crate) prompts_cut: u64,
    /// Answers that came to the end of their share.
    pub(crate) answers_cut: u64,
    /// Runs that ended before the model was asked, since what they need does not fit.
    pub(crate) refused_before_a_call: u64,
}

impl Report {
    /// Adds the account of another life.
    pub(crate) fn add(&mut self, other: Self) {
        self.loops += other.loops;
        self.runs += other.runs;
        self.prompts.extend(other.prompts);
        self.overflows.extend(other.overflows);
        self.written += other.written;
        self.not_applied += other.not_applied;
        self.lost.extend(other.lost);
        self.paging_loops += other.paging_loops;
        self.paged.extend(other.paged);
        self.brought_back += other.brought_back;
        self.prompts_cut += other.prompts_cut;
        self.answers_cut += other.answers_cut;
        self.refused_before_a_call += other.refused_before_a_call;
    }

    /// How many keys left RAM in these loops of their lives: by order of the model, and by rule.
    pub(crate) fn paged_in(&self, loops: Range<u64>) -> (usize, usize) {
        let paged = self.paged.iter();
        let in_time: Vec<_> = paged.filter(|it| loops.contains(&it.number)).collect();
        let by_model = in_time.iter().filter(|it| it.by_model).count();
        (by_model, in_time.len() - by_model)
    }

    /// What must not be.
    pub(crate) fn violations(&self) -> Vec<&String> {
        self.overflows.iter().chain(&self.lost).collect()
    }
}
