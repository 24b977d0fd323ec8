//! Time limits of a fleet, enforced by a watching thread: for each root, and for the run as a whole.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use groma::Budget;
use groma::causes::ended;
use groma::limits::RunEnd;
use groma_fleet::RootAnswer;

use crate::flag::CommandArgs;
use crate::host::MachineContext;

/// The interval between two checks whether the time of a root is up.
const INTERVAL: Duration = Duration::from_millis(10);

/// The budgets of the roots in progress, which a thread of its own ends when the time for a root or for the run is up.
pub(super) struct RootBounds(Arc<BoundsState>);

/// The running roots and their time limits, shared with the thread that watches them.
struct BoundsState {
    running: Mutex<RunningRoots>,
    /// Signalled when the run is over.
    over: Condvar,
    /// The maximum time for one root.
    time: Option<Duration>,
    machine: MachineContext,
    /// The budget of the whole run.
    all: Budget,
}

/// The roots that are being asked, with their budgets and start times.
#[derive(Default)]
struct RunningRoots {
    /// The budget of each root, and the age of the run when the root began.
    by_number: BTreeMap<u64, (Budget, Duration)>,
    /// The number of the root that began last.
    last: u64,
    is_over: bool,
}

/// Locks the roots in progress, ignoring the panic of another holder.
fn lock(state: &BoundsState) -> MutexGuard<'_, RunningRoots> {
    state.running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RootBounds {
    /// Starts the thread that ends the budget of each root after the time limit of the command line.
    pub(super) fn begin(args: &CommandArgs, machine: &MachineContext) -> RootBounds {
        let state = Arc::new(BoundsState {
            running: Mutex::default(),
            over: Condvar::new(),
            time: args.fleet.root_time,
            machine: machine.clone(),
            all: args.budget.clone(),
        });
        let watched = state.clone();
        // Without a thread the clock is not checked; counted limits apply all the same.
        let _ = std::thread::Builder::new().spawn(move || watched.watch());
        RootBounds(state)
    }

    /// Runs the work of a root under its budget, and returns the result and the time that it took.
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

    /// Ends the thread that watches the time limits of the roots.
    pub(super) fn finish(&self) {
        lock(&self.0).is_over = true;
        self.0.over.notify_all();
    }
}

impl BoundsState {
    /// Ends the budget of each root whose time is up, or of all when the run's budget has ended, until the run is over.
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

/// Returns the answer of a root that was not asked because the whole run had ended.
pub(super) fn ended_answer(end: RunEnd, args: &CommandArgs) -> RootAnswer {
    RootAnswer::ended(&ended(end, &args.budget.initial_quota(), ""))
}
