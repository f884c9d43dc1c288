//! The proof that no slot was lost and none fired twice: what the schedules in force asked for, derived
//! again from the journal alone, held against the records. Judges nothing and opens nothing.

use super::records::Records;
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

/// How the slots of a stretch of time ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reconciled {
    /// Slots that the schedules asked for.
    pub slots: u64,
    /// Of these: opened a run when they came.
    pub ran: u64,
    /// Opened a run later.
    pub caught_up: u64,
    /// A later one stood for them.
    pub coalesced: u64,
    /// Missed with a reason.
    pub missed: u64,
    /// Skipped with a reason.
    pub skipped: u64,
    /// Not judged yet: newer than all records of their rule.
    pub pending: u64,
    /// Without a record though they should have one.
    pub unexplained: u64,
    /// With more than one record.
    pub doubled: u64,
    /// Records of times at which nothing was due.
    pub stray: u64,
    /// The first of those that something is wrong with.
    pub wrong: Vec<Slot>,
    /// Whether there were more slots behind the newest record than are counted. Nothing can be wrong with
    /// those.
    pub is_cut: bool,
    /// Whether there are more slots than are counted, all of which ended as those before them in the same
    /// stretch did: the numbers are the least that there are.
    pub is_more: bool,
    /// Why slots opened nothing, by rule and reason.
    pub reasons: Vec<Reason>,
    /// The newest records of slots that opened nothing, in the order of their times.
    pub spans: Vec<RuleSpan>,
}

/// How many slots of a rule opened nothing for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The rule.
    pub rule_id: RuleId,
    /// What became of them: `missed` or `skipped`.
    pub outcome: &'static str,
    /// Why.
    pub reason: String,
    /// How many.
    pub slots: u64,
    /// Whether there are more than that, which are not counted.
    pub is_more: bool,
    /// The first of them.
    pub first: Timestamp,
    /// None lies behind this one.
    pub last: Timestamp,
}

/// What became of slots of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSpan {
    /// The rule.
    pub rule_id: RuleId,
    /// The slots.
    #[serde(flatten)]
    pub span: SlotSpan,
}

impl Reconciled {
    /// Whether every slot ended in exactly one record, or waits for it.
    pub const fn is_clean(&self) -> bool {
        self.unexplained == 0 && self.doubled == 0 && self.stray == 0
    }

    fn note(&mut self, slot: Slot) {
        if self.wrong.len() < RECONCILED_SHOWN_MAX {
            self.wrong.push(slot);
        }
    }

    /// Why a slot opened nothing; every reason has a row of its own, as far as there is room.
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

    /// The row of a reason that is known already.
    fn row_of(&mut self, rule_id: RuleId, outcome: &SlotOutcome) -> Option<&mut Reason> {
        let (outcome, reason) = outcome.reason()?;
        let mut rows = self.reasons.iter_mut();
        rows.find(|it| it.rule_id == rule_id && it.outcome == outcome && it.reason == *reason)
    }

    /// Slots up to `last` that are not counted, and ended as those of these records did that are.
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
    /// Whether the journal's beginning is gone.
    is_cut: bool,
}

/// The history of one rule.
#[derive(Debug, Default)]
struct History {
    terms: Vec<Term>,
    spans: Vec<SlotSpan>,
    judged_to: Option<Timestamp>,
}

/// A time during which a rule had one schedule.
#[derive(Debug)]
struct Term {
    text: ScheduleText,
    /// Its slots lie behind this,
    from: Timestamp,
    /// and not behind that, once it has ended.
    to: Option<Timestamp>,
}

impl Reconciler {
    /// Of a journal whose beginning may be gone. Of a rule that was judged before what is kept, nobody can
    /// say up to when: its slots are held against their records from the first one that is kept.
    pub fn of(is_cut: bool) -> Self {
        Self {
            is_cut,
            ..Self::default()
        }
    }

    /// Schedules were taken at `ts`.
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
                history.terms.push(Term {
                    text: text.clone(),
                    from,
                    to: None,
                });
            }
        }
    }

    /// What was known was told again, since the journal before it goes. A schedule that is met there
    /// for the first time, or was met again only when another was taken, began earlier; its slots are
    /// held against their records from the first one that is kept.
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
                Some(_) | None => history.terms.push(Term {
                    text: text.clone(),
                    from,
                    to: None,
                }),
            }
        }
    }

    /// Slots were judged.
    pub fn record(&mut self, recorded: &SlotsRecorded) {
        let history = self.rules.entry(recorded.rule_id).or_default();
        history.spans.extend(recorded.spans.iter().cloned());
        history.judged_to = history.judged_to.max(Some(recorded.to));
    }

    /// Holds the slots in `(from, to]` against the records.
    pub fn reconcile(&self, from: Timestamp, to: Timestamp) -> Reconciled {
        let mut found = Reconciled::default();
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
    /// The first slot of which a record is kept lies behind this.
    fn kept_from(&self) -> Option<Timestamp> {
        let first = self.spans.iter().map(|span| span.first).min();
        first.map_or(self.judged_to, |first| Some(first.plus_millis(-1)))
    }

    /// The schedule in force.
    fn text(&self) -> Option<&ScheduleText> {
        let term = self.terms.last().filter(|term| term.to.is_none());
        term.map(|term| &term.text)
    }

    fn end(&mut self, ts: Timestamp) {
        let judged = self.judged_to;
        if let Some(term) = self.terms.last_mut().filter(|term| term.to.is_none()) {
            // Judged further, if the clock has been put back since.
            term.to = Some(judged.map_or(ts, |judged| judged.max(ts)));
        }
    }

    /// In stretches in which all slots end the same way, and of which no record tells how many there are,
    /// `alike` more are looked at one by one.
    fn reconcile(
        &self,
        rule_id: RuleId,
        [from, to]: [Timestamp; 2],
        alike: &mut u64,
        found: &mut Reconciled,
    ) {
        let mut spans: Vec<&SlotSpan> = self.spans.iter().collect();
        spans.sort_by_key(|span| span.first);
        let mut records = Records::new(&spans);
        // What was recorded one by one must have been due; of what lies before all that is known of the
        // schedules, nobody can say.
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
                // Of what a record counts itself there is never much.
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

    /// The newest records in `(from, to]` of slots that opened nothing.
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

    fn hold(&self, slot: Slot, records: &[&SlotSpan], found: &mut Reconciled) {
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
