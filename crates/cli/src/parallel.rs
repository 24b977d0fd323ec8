//! Work on many things at a time while they are still being found. What comes out is in the order in which things were
//! found, whichever was done first.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// Below this number of items a thread is not worth starting.
const FEW: usize = 8;

/// The number of items taken at a time.
const HANDFUL: usize = 4;

/// The items that are waiting.
struct WorkQueue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
}

struct QueueState<I> {
    waiting: VecDeque<(usize, I)>,
    /// True if nothing more will come.
    is_whole: bool,
}

impl<I> WorkQueue<I> {
    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next few; none when all is done.
    fn take(&self) -> Vec<(usize, I)> {
        let mut state = self.lock();
        while state.waiting.is_empty() && !state.is_whole {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.waiting.len().min(HANDFUL);
        state.waiting.drain(..count).collect()
    }
}

/// Does `work` with everything that `find` hands on, and gives what came of it, in that order.
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
            if found > FEW && helpers + 1 < threads {
                // Without helpers this thread does it all.
                let helper = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
                helpers = if helper.is_ok() { helpers + 1 } else { threads };
            } else if found % HANDFUL == 0 {
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
