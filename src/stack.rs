//! Recursive work that may need more stack than a thread has: it runs on a stack of its own, and
//! the caller waits for it. The result depends only on the input.

use std::thread::{Builder, scope};

/// Runs `work` on a stack of `bytes` bytes; `None` where there is no memory, or `work` panicked.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|threads| {
        let thread = Builder::new().name("stack".to_owned()).stack_size(bytes);
        thread.spawn_scoped(threads, work).ok()?.join().ok()
    })
}
