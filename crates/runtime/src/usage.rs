//! What the work of this thread has taken from budgets. Work that several threads did at the same time can so be
//! counted anew in the order in which one thread would have done it: where a run ends must not depend on threads.

use std::cell::Cell;

/// The amounts of the budget that some work has used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResourceUsage {
    /// Evaluation steps.
    pub steps: u64,
    /// Bytes of memory that are still held.
    pub kept: u64,
    /// The most bytes that were held at a time.
    pub most: u64,
    /// Instances.
    pub instances: u64,
}

thread_local! {
    /// The usage of this thread since it was last asked for.
    static SO_FAR: Cell<ResourceUsage> = const { Cell::new(ResourceUsage { steps: 0, kept: 0, most: 0, instances: 0 }) };
}

/// Adds the usage of one piece of work to that of the thread.
pub(crate) fn add(more: ResourceUsage) {
    SO_FAR.with(|so_far| {
        let before = so_far.get();
        so_far.set(ResourceUsage {
            steps: before.steps + more.steps,
            kept: before.kept + more.kept,
            most: before.most.max(before.kept + more.most),
            instances: before.instances + more.instances,
        });
    });
}

impl ResourceUsage {
    /// Returns the usage of this thread since the last call.
    pub fn since_last() -> ResourceUsage {
        SO_FAR.with(Cell::take)
    }

    /// Returns true if the work used nothing.
    pub fn is_nothing(&self) -> bool {
        *self == ResourceUsage::default()
    }
}
