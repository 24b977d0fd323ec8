//! Work on several threads whose results are in the order of the items, whichever thread ends first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::limit::EVALUATION_STACK;

/// Applies `work` to each item on at most `threads` threads, and returns the results in the order of the items.
pub fn map_on_threads<I: Sync, O: Send>(
    items: &[I],
    threads: usize,
    work: impl Fn(&I) -> O + Sync,
) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, O)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            own.push((at, work(item)));
        }
        done.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            // Without further threads this one processes all items.
            if thread::Builder::new().stack_size(EVALUATION_STACK).spawn_scoped(scope, run).is_err()
            {
                break;
            }
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
