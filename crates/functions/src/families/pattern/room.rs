//! Room on the stack for patterns whose groups nest deeply. Reading such a pattern and making its program recurse with
//! its groups, on top of all that called; what nests more than a little is read on a thread of its own.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// The maximum number of groups that are parsed on the stack of the caller: they fit into a tenth of a megabyte.
const NEAR: usize = 48;

/// The stack size in bytes: enough for the deepest groups, even without optimization.
const STACK: usize = 32 << 20;

/// Does work that recurses with the groups of a pattern; nothing where a deep pattern finds no thread.
pub(super) fn within<T: Send>(pattern: &str, work: impl FnOnce() -> T + Send) -> Option<T> {
    // Groups that merely follow each other are counted too: that is quicker than to know.
    if pattern.bytes().filter(|byte| *byte == b'(').nth(NEAR).is_none() {
        return Some(work());
    }
    thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Returns the message if no thread can be started for a deep pattern.
pub(super) fn missing() -> String {
    format!("it has more than {NEAR} groups, the maximum")
}
