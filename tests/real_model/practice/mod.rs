//! The set `practice`: strictly checked tasks of every kind that people ask for, to make the program better
//! with. What a model says to them may be read; a number of this set is no promise.

mod changing;
mod crowd_one;
mod crowd_two;
mod fresh_adding;
mod fresh_changing;
mod fresh_crowd;
mod fresh_languages;
mod fresh_questions;
mod fresh_several;
mod fresh_writing;
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
        fresh_writing::tasks(),
        fresh_adding::tasks(),
        fresh_changing::tasks(),
        fresh_several::tasks(),
        fresh_languages::tasks(),
        fresh_questions::tasks(),
        crowd_one::tasks(),
        crowd_two::tasks(),
    ];
    groups.into_iter().flatten().collect()
}
