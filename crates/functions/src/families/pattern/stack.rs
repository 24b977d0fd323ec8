//! Stack space for patterns whose groups nest deeply. Parsing and compiling such a pattern recurse with its groups; a pattern
//! with many groups is compiled on a thread of its own.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// Maximum number of groups of a pattern that is compiled on the caller's stack: they fit into a tenth of a megabyte.
const MAX_CALLER_GROUPS: usize = 48;

/// The stack size in bytes of the thread on which a pattern with more than [`MAX_CALLER_GROUPS`] groups is compiled: enough for
/// the deepest groups, even without optimization.
const STACK_SIZE: usize = 32 << 20;

/// Runs `work`, which recurses with the groups of a pattern: on a thread with a large stack if these are many; `None` if the
/// thread cannot be started.
pub(super) fn with_large_stack<T: Send>(
    pattern: &str,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    // All groups are counted, not only nested ones, since that is faster.
    if pattern.bytes().filter(|byte| *byte == b'(').nth(MAX_CALLER_GROUPS).is_none() {
        return Some(work());
    }
    thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Returns the error message for a pattern with too many groups when no thread can be started.
pub(super) fn too_many_groups() -> String {
    format!("it has more than {MAX_CALLER_GROUPS} groups, the maximum")
}
