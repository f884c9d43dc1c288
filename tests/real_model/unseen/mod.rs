//! Forty tasks that the program was not made better with, 12 of them questions. They are written without a
//! look at the program, and nobody reads what a model says to them before their number is out.

mod changing;
mod crowd;
mod languages;
mod long;
mod questions;
mod whole_notes;
mod writing;

use crate::task::Task;

/// Returns the tasks.
pub(crate) fn all() -> Vec<Task> {
    let groups = [
        writing::tasks(),
        changing::tasks(),
        whole_notes::tasks(),
        languages::tasks(),
        long::tasks(),
        questions::tasks(),
        questions::without_answer(),
    ];
    groups.into_iter().flatten().collect()
}
