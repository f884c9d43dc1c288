//! The set `practice`: strictly checked tasks of every kind that people ask for, to make the program better
//! with. What a model says to them may be read; a number of this set is no promise.

mod changing;
mod languages;
mod questions;
mod varied;
mod writing;

use crate::task::Task;

/// Returns the tasks.
pub(crate) fn all() -> Vec<Task> {
    let groups = [
        writing::tasks(),
        writing::more(),
        changing::tasks(),
        changing::more(),
        changing::several(),
        changing::whole_notes(),
        languages::tasks(),
        questions::tasks(),
        questions::more(),
        questions::without_answer(),
        varied::edits(),
        varied::more_edits(),
        varied::questions(),
    ];
    groups.into_iter().flatten().collect()
}
