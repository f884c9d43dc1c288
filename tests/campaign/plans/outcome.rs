//! What came of a plan, by the notes before and after it.

use kjxlkj_agent::core::notes::Terms;
use kjxlkj_agent::core::steps::plan::Step;
use std::collections::BTreeMap;
use std::fmt;

/// The texts of notes by their titles.
pub(super) type Notes = BTreeMap<String, String>;

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Done as asked.
    Done,
    /// Done as asked, but the run did not succeed. So are questions: no note answers them here.
    Doubted,
    /// Not done, and the run says so.
    NotDone,
    /// Not done as asked, but the run says that it succeeded.
    FalseSuccess,
}

/// The number of requests by what came of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts([u64; 4]);

impl Counts {
    pub(super) fn count(&mut self, outcome: Outcome) {
        self.0[outcome as usize] += 1;
    }

    pub(super) const fn of(self, outcome: Outcome) -> u64 {
        self.0[outcome as usize]
    }

    pub(super) fn all(self) -> u64 {
        self.0.iter().sum()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.map(|count| count.to_string());
        f.write_str(&counts.join(" | "))
    }
}

/// Returns how notes differ from what a plan makes of them. A text is compared by whether it is another one: how
/// a line is worded is for the tests of single steps.
pub(super) fn differences(plan: &[Step], before: &Notes, after: &Notes) -> Vec<String> {
    let mut found = Vec::new();
    let mut created: Vec<&str> = keys_without(after, before);
    let mut gone: Vec<&str> = keys_without(before, after);
    let is_changed = |title: &str| {
        let (old, new) = (before.get(title), after.get(title));
        old.is_some() && new.is_some() && old != new
    };
    let mut may_change: Vec<&str> = Vec::new();
    for step in plan {
        let is_done = match step {
            Step::Add { note, .. } | Step::Change { note, .. } | Step::Remove { note, .. } => {
                let title = note.as_deref().unwrap_or_default();
                may_change.push(title);
                is_changed(title) && has_of(step, &after[title], &before[title])
            }
            Step::Delete { title } => take(&mut gone, title),
            Step::Rename { from, to } => take(&mut gone, from) && take(&mut created, to),
            Step::Merge { from, to } => {
                may_change.push(to);
                take(&mut gone, from) && is_changed(to)
            }
            Step::Link { from, .. } => {
                may_change.push(from);
                is_changed(from)
            }
            Step::New { title, text } => {
                let said = Terms::of(&[title.as_deref().unwrap_or_default(), " ", text].concat());
                let is_it = |it: &&str| said.shared(&Terms::of(&[it, " ", &after[*it]].concat()));
                let best = created.iter().copied().max_by_key(is_it);
                best.is_some_and(|best| is_it(&best) > 0 && take(&mut created, best))
            }
            Step::Overview { .. } => {
                created.pop();
                true
            }
            Step::Answer { .. } | Step::Issue { .. } | Step::Nothing => true,
        };
        if !is_done {
            found.push(format!("not done: {step}"));
        }
    }
    let others = before.keys().map(String::as_str);
    let others = others.filter(|title| is_changed(title) && !may_change.contains(title));
    found.extend(others.map(|title| format!("changed: {title}")));
    found.extend(created.iter().map(|title| format!("new: {title}")));
    found.extend(gone.iter().map(|title| format!("gone: {title}")));
    found
}

/// Returns whether a changed text has a word that a step adds, or lacks one that it removes.
fn has_of(step: &Step, after: &str, before: &str) -> bool {
    let (after, before, said) = (
        Terms::of(after),
        Terms::of(before),
        Terms::of(step.clause()),
    );
    if matches!(step, Step::Remove { .. }) {
        said.shared(&after) < said.shared(&before)
    } else {
        said.shared(&after) > 0
    }
}

fn keys_without<'a>(notes: &'a Notes, others: &Notes) -> Vec<&'a str> {
    let keys = notes.keys().map(String::as_str);
    keys.filter(|title| !others.contains_key(*title)).collect()
}

/// Takes a title out of a list; returns whether it was there.
fn take(titles: &mut Vec<&str>, title: &str) -> bool {
    let before = titles.len();
    titles.retain(|it| *it != title);
    titles.len() < before
}
