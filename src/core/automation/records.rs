//! Finds the records of a time, for one time after the other.
//! Judges nothing.

use super::slots::SlotSpan;
use crate::time::Timestamp;

/// The records of increasing times.
/// It does not search all of them for each time.
pub(super) struct Records<'a> {
    /// The records not reached yet, in the order of their first slots.
    later: std::slice::Iter<'a, &'a SlotSpan>,
    next: Option<&'a SlotSpan>,
    open: Vec<&'a SlotSpan>,
}

impl<'a> Records<'a> {
    /// Returns the records of spans that are in the order of their first slots.
    pub(super) fn new(spans: &'a [&'a SlotSpan]) -> Self {
        let mut later = spans.iter();
        let next = later.next().copied();
        Self {
            later,
            next,
            open: Vec::new(),
        }
    }

    /// Returns the records of a time later than the ones before, and until when they stay valid.
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
