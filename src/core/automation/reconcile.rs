//! The check that no slot was lost and none fired twice.
//! It derives the slots of the schedules again from the journal alone, and compares them with the
//! records. It judges nothing and opens nothing.

use super::schedule_cursor::{ScheduleCursor, ScheduleText, SchedulesTaken};
use super::slots::{SlotOutcome, SlotSpan, SlotsRecorded};
use crate::ids::RuleId;
use crate::limits::{
    RECONCILED_ALIKE_MAX, RECONCILED_PENDING_MAX, RECONCILED_SHOWN_MAX, RECONCILED_SPANS_MAX,
};
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A slot of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Slot {
    /// The rule.
    pub rule_id: RuleId,
    /// The time.
    pub at: Timestamp,
}

/// The outcomes of the slots in a span of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlotReconciliation {
    /// The number of slots of the schedules.
    pub slots: u64,
    /// The number of these that opened a run on time.
    pub ran: u64,
    /// The number of these that opened a run later.
    pub caught_up: u64,
    /// The number of these that a later slot stands for.
    pub coalesced: u64,
    /// The number of these that were missed with a reason.
    pub missed: u64,
    /// The number of these that were skipped with a reason.
    pub skipped: u64,
    /// The number of these that are not judged yet: newer than all records of their rule.
    pub pending: u64,
    /// The number of these that should have a record and have none.
    pub unexplained: u64,
    /// The number of these that have more than one record.
    pub doubled: u64,
    /// The number of records of times at which no slot was due.
    pub stray: u64,
    /// The first slots that have a fault.
    pub wrong: Vec<Slot>,
    /// Whether there are more pending slots than are counted.
    /// They cannot have a fault.
    pub is_cut: bool,
    /// Whether there are more slots than are counted, so that the numbers are lower bounds.
    /// Those slots ended like the ones before them in the same stretch.
    pub is_more: bool,
    /// The reasons why slots opened nothing, by rule.
    pub reasons: Vec<Reason>,
    /// The newest records of slots that opened nothing, in the order of their times.
    pub spans: Vec<RuleSpan>,
}

/// The number of slots of a rule that opened nothing for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The rule.
    pub rule_id: RuleId,
    /// The outcome: `missed` or `skipped`.
    pub outcome: &'static str,
    /// The reason.
    pub reason: String,
    /// The number of slots.
    pub slots: u64,
    /// Whether there are more slots, which are not counted.
    pub is_more: bool,
    /// The first slot.
    pub first: Timestamp,
    /// The time after which no slot lies.
    pub last: Timestamp,
}

/// A record of slots of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSpan {
    /// The rule.
    pub rule_id: RuleId,
    /// The slots.
    #[serde(flatten)]
    pub span: SlotSpan,
}

impl SlotReconciliation {
    /// Returns whether every slot has exactly one record or is pending.
    pub const fn is_clean(&self) -> bool {
        self.unexplained == 0 && self.doubled == 0 && self.stray == 0
    }

    fn note(&mut self, slot: Slot) {
        if self.wrong.len() < RECONCILED_SHOWN_MAX {
            self.wrong.push(slot);
        }
    }

    /// Counts a slot by the reason why it opened nothing.
    /// Each reason has a row of its own, as far as there is room.
    fn explain(&mut self, slot: Slot, outcome: &SlotOutcome) {
        if let Some(row) = self.row_of(slot.rule_id, outcome) {
            row.slots += 1;
            row.last = slot.at;
            return;
        }
        let Some((outcome, reason)) = outcome.reason() else {
            return;
        };
        let Slot { rule_id, at } = slot;
        if self.reasons.len() < RECONCILED_SPANS_MAX {
            self.reasons.push(Reason {
                rule_id,
                outcome,
                reason: reason.into_owned(),
                slots: 1,
                is_more: false,
                first: at,
                last: at,
            });
        }
    }

    /// Returns the row of a reason that is known already.
    fn row_of(&mut self, rule_id: RuleId, outcome: &SlotOutcome) -> Option<&mut Reason> {
        let (outcome, reason) = outcome.reason()?;
        let mut rows = self.reasons.iter_mut();
        rows.find(|it| it.rule_id == rule_id && it.outcome == outcome && it.reason == *reason)
    }

    /// Marks that slots up to `last` are not counted.
    /// They ended like the counted slots of these records.
    fn leave_out(&mut self, rule_id: RuleId, records: &[&SlotSpan], last: Timestamp) {
        self.is_more = true;
        if let [span] = records
            && let Some(row) = self.row_of(rule_id, &span.outcome)
        {
            (row.is_more, row.last) = (true, last);
        }
    }

    const fn count(&mut self, outcome: &SlotOutcome) {
        let counter = match outcome {
            SlotOutcome::Ran { .. } => &mut self.ran,
            SlotOutcome::CaughtUp { .. } => &mut self.caught_up,
            SlotOutcome::Coalesced { .. } => &mut self.coalesced,
            SlotOutcome::Missed { .. } => &mut self.missed,
            SlotOutcome::Skipped { .. } => &mut self.skipped,
        };
        *counter += 1;
    }
}

/// The history of schedules and records, in the order of the journal.
#[derive(Debug, Default)]
pub struct Reconciler {
    rules: BTreeMap<RuleId, History>,
    /// Whether the beginning of the journal is gone.
    is_cut: bool,
}

/// The history of one rule.
#[derive(Debug, Default)]
struct History {
    terms: Vec<SchedulePeriod>,
    spans: Vec<SlotSpan>,
    judged_to: Option<Timestamp>,
}

/// A time during which a rule had one schedule.
#[derive(Debug)]
struct SchedulePeriod {
    text: ScheduleText,
    /// The time after which its slots lie.
    from: Timestamp,
    /// The time of its last possible slot, once it has ended.
    to: Option<Timestamp>,
}

impl Reconciler {
    /// Returns a reconciler of a journal, whose beginning may be gone.
    /// It is then unknown up to when a rule was judged before, so its slots are checked from the
    /// first kept record on.
    pub fn of(is_cut: bool) -> Self {
        Self {
            is_cut,
            ..Self::default()
        }
    }

    /// Records that schedules were put in force at `ts`.
    pub fn take(&mut self, taken: &SchedulesTaken, ts: Timestamp) {
        for (id, history) in &mut self.rules {
            if taken.schedules.get(id) != history.text() {
                history.end(ts);
            }
        }
        for (id, text) in &taken.schedules {
            let history = self.rules.entry(*id).or_default();
            if history.text().is_none() {
                let from = history.judged_to.map_or(ts, |judged| judged.max(ts));
                history.judged_to = Some(from);
                history.terms.push(SchedulePeriod {
                    text: text.clone(),
                    from,
                    to: None,
                });
            }
        }
    }

    /// Takes over a carried cursor, because the journal before it goes.
    /// A schedule that appears here first, or was seen again only when another was put in force,
    /// began earlier. Its slots are checked from the first kept record on.
    pub fn carry(&mut self, schedule_cursor: &ScheduleCursor) {
        for (id, mark) in schedule_cursor.marks() {
            let history = self.rules.entry(id).or_default();
            history.judged_to = history.judged_to.max(Some(mark.recorded_to));
            let Some(text) = &mark.schedule else { continue };
            let first = history.spans.iter().map(|span| span.first).min();
            let kept = first.map_or(mark.recorded_to, |first| first.plus_millis(-1));
            let from = mark.since.max(kept);
            match history.terms.last_mut() {
                Some(term) if term.to.is_none() && term.text == *text => {
                    term.from = term.from.min(from);
                }
                Some(_) | None => history.terms.push(SchedulePeriod {
                    text: text.clone(),
                    from,
                    to: None,
                }),
            }
        }
    }

    /// Records that slots were judged.
    pub fn record(&mut self, recorded: &SlotsRecorded) {
        let history = self.rules.entry(recorded.rule_id).or_default();
        history.spans.extend(recorded.spans.iter().cloned());
        history.judged_to = history.judged_to.max(Some(recorded.to));
    }

    /// Compares the slots in `(from, to]` with the records.
    pub fn reconcile(&self, from: Timestamp, to: Timestamp) -> SlotReconciliation {
        let mut found = SlotReconciliation::default();
        let mut alike = RECONCILED_ALIKE_MAX;
        for (rule_id, history) in &self.rules {
            let kept = history.kept_from().filter(|_| self.is_cut);
            let from = kept.map_or(from, |kept| kept.max(from));
            history.reconcile(*rule_id, [from, to], &mut alike, &mut found);
            found
                .spans
                .extend(history.spans_without_run(*rule_id, from, to));
        }
        found.spans.sort_by_key(|it| it.span.first);
        let surplus = found.spans.len().saturating_sub(RECONCILED_SPANS_MAX);
        found.spans.drain(..surplus);
        found
    }
}

impl History {
    /// Returns the time after which the first slot with a kept record lies.
    fn kept_from(&self) -> Option<Timestamp> {
        let first = self.spans.iter().map(|span| span.first).min();
        first.map_or(self.judged_to, |first| Some(first.plus_millis(-1)))
    }

    /// Returns the schedule in force.
    fn text(&self) -> Option<&ScheduleText> {
        let term = self.terms.last().filter(|term| term.to.is_none());
        term.map(|term| &term.text)
    }

    fn end(&mut self, ts: Timestamp) {
        let judged = self.judged_to;
        if let Some(term) = self.terms.last_mut().filter(|term| term.to.is_none()) {
            // Slots are judged further than `ts` if the clock has been put back since.
            term.to = Some(judged.map_or(ts, |judged| judged.max(ts)));
        }
    }

    /// Compares the slots of the rule with its records.
    /// In a stretch in which all slots end the same way and no record has a number, at most `alike`
    /// more slots are looked at one by one.
    fn reconcile(
        &self,
        rule_id: RuleId,
        [from, to]: [Timestamp; 2],
        alike: &mut u64,
        found: &mut SlotReconciliation,
    ) {
        let mut spans: Vec<&SlotSpan> = self.spans.iter().collect();
        spans.sort_by_key(|span| span.first);
        let mut records = Records::new(&spans);
        // A slot with a record of its own must have been due. Nothing is known of times before the
        // first known schedule.
        let known = self.terms.iter().map(|term| term.from).min();
        let single = spans.iter().filter(|span| span.count == Some(1));
        let single = single
            .map(|span| span.first)
            .filter(|at| known.is_some_and(|known| *at > known) && *at > from && *at <= to);
        let mut strays: BTreeSet<Timestamp> = single.collect();
        let mut pending = 0;
        for term in &self.terms {
            let Some(schedule) = term.text.read(term.from) else {
                continue;
            };
            let (first, last) = (term.from.max(from), term.to.map_or(to, |end| end.min(to)));
            let (mut next, mut stretch) = (schedule.next_after(first), first);
            while let Some(at) = next.filter(|at| *at <= last) {
                let is_pending = self.judged_to.is_none_or(|judged| at > judged);
                pending += u64::from(is_pending);
                if pending > RECONCILED_PENDING_MAX {
                    found.is_cut = true;
                    break;
                }
                found.slots += 1;
                strays.remove(&at);
                let (held, end) = records.at(at);
                self.hold(Slot { rule_id, at }, held, found);
                next = schedule.next_after(at);
                let end = self
                    .judged_to
                    .map_or(end, |judged| judged.min(end))
                    .min(last);
                // There are never many slots in records that have a number.
                let is_counted = is_pending || matches!(held, [span] if span.count.is_some());
                if !is_counted && *alike == 0 && next.is_some_and(|next| next <= end) {
                    found.leave_out(rule_id, held, end);
                    next = schedule.next_after(end);
                } else if !is_counted && stretch == end {
                    *alike = alike.saturating_sub(1);
                }
                stretch = end;
            }
        }
        for at in strays {
            found.stray += 1;
            found.note(Slot { rule_id, at });
        }
    }

    /// Returns the newest records in `(from, to]` of slots that opened nothing.
    fn spans_without_run(&self, rule_id: RuleId, from: Timestamp, to: Timestamp) -> Vec<RuleSpan> {
        let spans = self
            .spans
            .iter()
            .filter(|span| span.last > from && span.first <= to && span.outcome.reason().is_some());
        let mut spans: Vec<&SlotSpan> = spans.collect();
        spans.sort_by_key(|span| span.first);
        let newest = spans.into_iter().rev().take(RECONCILED_SPANS_MAX);
        let own = newest.map(|span| RuleSpan {
            rule_id,
            span: span.clone(),
        });
        own.collect()
    }

    fn hold(&self, slot: Slot, records: &[&SlotSpan], found: &mut SlotReconciliation) {
        match records {
            [span] => {
                found.count(&span.outcome);
                found.explain(slot, &span.outcome);
            }
            [] if self.judged_to.is_none_or(|judged| slot.at > judged) => found.pending += 1,
            [] => {
                found.unexplained += 1;
                found.note(slot);
            }
            _ => {
                found.doubled += 1;
                found.note(slot);
            }
        }
    }
}

/// The records of increasing times.
/// It does not search all of them for each time.
struct Records<'a> {
    /// The records not reached yet, in the order of their first slots.
    later: std::slice::Iter<'a, &'a SlotSpan>,
    next: Option<&'a SlotSpan>,
    open: Vec<&'a SlotSpan>,
}

impl<'a> Records<'a> {
    /// Returns the records of spans that are in the order of their first slots.
    fn new(spans: &'a [&'a SlotSpan]) -> Self {
        let mut later = spans.iter();
        let next = later.next().copied();
        Self {
            later,
            next,
            open: Vec::new(),
        }
    }

    /// Returns the records of a time later than the ones before, and until when they stay valid.
    fn at(&mut self, at: Timestamp) -> (&[&'a SlotSpan], Timestamp) {
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
