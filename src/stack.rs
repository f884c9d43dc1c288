//! Work that may go deeper than a thread's stack allows: it is done on a stack of its own, and the caller
//! waits for it. What it gives depends on nothing but what it is given.

use std::thread::{Builder, scope};

/// Does some work on a stack of so many bytes. `None` where the system has none to give, or the work
/// ended in a panic.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|threads| {
        let thread = Builder::new().name("stack".to_owned()).stack_size(bytes);
        thread.spawn_scoped(threads, work).ok()?.join().ok()
    })
}
