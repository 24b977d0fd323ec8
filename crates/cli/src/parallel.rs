//! Parallel work on items while they are still being found. The results are in the order in which items were found.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use groma::limits::EVALUATION_STACK;

/// Number of items below which all work is done on the calling thread.
const MIN_ITEMS: usize = 8;

/// Number of items that a thread takes from a [`WorkQueue`] at a time.
const ITEMS_PER_TURN: usize = 4;

/// The queue of items that wait for a thread.
struct WorkQueue<I> {
    /// The queue, with a number for each item.
    state: Mutex<QueueState<I>>,
    /// Signalled when items arrive and when the last one has.
    changed: Condvar,
}

/// The items that wait in a [`WorkQueue`], each with its number, and a flag that is set when no more will come.
struct QueueState<I> {
    waiting: VecDeque<(usize, I)>,
    /// True if no more items will come.
    is_whole: bool,
}

impl<I> WorkQueue<I> {
    /// Locks the queue, ignoring the panic of another holder.
    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next items, at most [`ITEMS_PER_TURN`], each with its number, waiting until there are some; empty once all are
    /// taken.
    fn take(&self) -> Vec<(usize, I)> {
        let mut state = self.lock();
        while state.waiting.is_empty() && !state.is_whole {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.waiting.len().min(ITEMS_PER_TURN);
        state.waiting.drain(..count).collect()
    }
}

/// Runs `work` on each item that `find` yields, on several threads, and returns the results in the order of the items.
pub(crate) fn each<I: Send, O: Send>(
    threads: usize,
    find: impl FnOnce(&mut dyn FnMut(I)),
    work: impl Fn(I) -> O + Sync,
) -> Vec<O> {
    let state = QueueState { waiting: VecDeque::new(), is_whole: false };
    let queue = WorkQueue { state: Mutex::new(state), changed: Condvar::new() };
    let done: Mutex<Vec<(usize, O)>> = Mutex::default();
    let run = || {
        let mut own = Vec::new();
        loop {
            let some = queue.take();
            if some.is_empty() {
                break;
            }
            own.extend(some.into_iter().map(|(number, item)| (number, work(item))));
        }
        done.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    };
    thread::scope(|scope| {
        let (mut found, mut helpers) = (0, 0);
        find(&mut |item| {
            queue.lock().waiting.push_back((found, item));
            found += 1;
            if found > MIN_ITEMS && helpers + 1 < threads {
                // If no thread can be started, this one does all the work.
                let helper =
                    thread::Builder::new().stack_size(EVALUATION_STACK).spawn_scoped(scope, run);
                helpers = if helper.is_ok() { helpers + 1 } else { threads };
            } else if found % ITEMS_PER_TURN == 0 {
                queue.changed.notify_one();
            }
        });
        queue.lock().is_whole = true;
        queue.changed.notify_all();
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    /// Checks that results are in order for any number of threads and items.
    #[test]
    fn what_comes_out_is_in_order() {
        for threads in [1, 2, 7] {
            for count in [0, 1, 8, 9, 1000] {
                let found = |take: &mut dyn FnMut(u32)| (0..count).for_each(take);
                let done = each(threads, found, |number| number * 2);
                assert_eq!(done, (0..count).map(|number| number * 2).collect::<Vec<u32>>());
            }
        }
    }
}
