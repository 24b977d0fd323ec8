//! The bounds of each root, watched from outside: the clock for one root, and the end of the whole run for all of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use groma::Budget;
use groma::causes::ended;
use groma::limits::RunEnd;
use groma_fleet::RootAnswer;

use crate::flag::CommandArgs;
use crate::host::MachineContext;

/// The interval between two readings of the clock.
const INTERVAL: Duration = Duration::from_millis(10);

/// The budgets of the roots that are being asked.
pub(super) struct RootBounds(Arc<BoundsState>);

struct BoundsState {
    running: Mutex<RunningRoots>,
    /// Woken when the run is over.
    over: Condvar,
    time: Option<Duration>,
    machine: MachineContext,
    all: Budget,
}

#[derive(Default)]
struct RunningRoots {
    by_number: BTreeMap<u64, (Budget, Duration)>,
    last: u64,
    is_over: bool,
}

fn lock(state: &BoundsState) -> MutexGuard<'_, RunningRoots> {
    state.running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RootBounds {
    /// Bounds as the command line has them.
    pub(super) fn begin(args: &CommandArgs, machine: &MachineContext) -> RootBounds {
        let state = Arc::new(BoundsState {
            running: Mutex::default(),
            over: Condvar::new(),
            time: args.fleet.root_time,
            machine: machine.clone(),
            all: args.budget.clone(),
        });
        let watched = state.clone();
        // Without a thread no clock is read; what is counted is bounded all the same.
        let _ = std::thread::Builder::new().spawn(move || watched.watch());
        RootBounds(state)
    }

    /// Does the work of a root whose budget this is. Returns how long it took.
    pub(super) fn within<T>(&self, budget: &Budget, work: impl FnOnce() -> T) -> (T, Duration) {
        let began = self.0.machine.age();
        let number = {
            let mut running = lock(&self.0);
            running.last += 1;
            let number = running.last;
            running.by_number.insert(number, (budget.clone(), began));
            number
        };
        let done = work();
        lock(&self.0).by_number.remove(&number);
        (done, self.0.machine.age().saturating_sub(began))
    }

    /// Ends the watch.
    pub(super) fn finish(&self) {
        lock(&self.0).is_over = true;
        self.0.over.notify_all();
    }
}

impl BoundsState {
    fn watch(&self) {
        let mut running = lock(self);
        while !running.is_over {
            let waited = self.over.wait_timeout(running, INTERVAL);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
            let (now, all) = (self.machine.age(), self.all.ended());
            for (budget, began) in running.by_number.values() {
                let is_late = self.time.is_some_and(|time| now.saturating_sub(*began) >= time);
                if let Some(end) = all.or(is_late.then_some(RunEnd::Time)) {
                    budget.end(end);
                }
            }
        }
    }
}

/// The answer of a root that was not asked, as the whole run had ended.
pub(super) fn ended_answer(end: RunEnd, args: &CommandArgs) -> RootAnswer {
    RootAnswer::ended(&ended(end, &args.budget.told(), ""))
}
