//! A set that was unseen, and is practice now.

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
