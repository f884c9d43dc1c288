//! Which records hold for a time, looked up for one time after the other. Judges nothing.

use super::slots::SlotSpan;
use crate::time::Timestamp;

/// The records of ever later times, without going through all of them for each.
pub(super) struct Records<'a> {
    /// In the order of their first slots.
    later: std::slice::Iter<'a, &'a SlotSpan>,
    next: Option<&'a SlotSpan>,
    open: Vec<&'a SlotSpan>,
}

impl<'a> Records<'a> {
    /// The records of spans in the order of their first slots.
    pub(super) fn new(spans: &'a [&'a SlotSpan]) -> Self {
        let mut later = spans.iter();
        let next = later.next().copied();
        Self {
            later,
            next,
            open: Vec::new(),
        }
    }

    /// Those of a time that is later than the ones before, and up to when they stay the same.
    pub(super) fn at(&mut self, at: Timestamp) -> (&[&'a SlotSpan], Timestamp) {
        while let Some(span) = self.next.filter(|span| span.first <= at) {
            self.open.push(span);
            self.next = self.later.next().copied();
        }
        self.open.retain(|span| span.last >= at);
        let begins = self.next.map(|span| span.first.plus_millis(-1));
        let ends = self.open.iter().map(|span| span.last);
        let end = ends.chain(begins).min();
        (&self.open, end.unwrap_or(Timestamp::from_millis(i64::MAX)))
    }
}
