//! The unseen set: nobody who tunes the program looks into it.

use crate::task::Task;

/// Returns the tasks.
pub(crate) fn all() -> Vec<Task> {
    Vec::new()
}
