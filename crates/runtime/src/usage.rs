//! The amounts that the work of this thread has taken from budgets. So the work that several threads do at the same time can
//! be counted again in the order in which one thread would do it: the place where a run ends must not depend on threads.

use std::cell::Cell;

/// The amounts of a budget that some work has used: steps, bytes of memory and instances.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResourceUsage {
    /// Evaluation steps.
    pub steps: u64,
    /// Bytes of memory that are still held.
    pub kept: u64,
    /// The largest number of bytes held at a time.
    pub most: u64,
    /// Instances.
    pub instances: u64,
}

thread_local! {
    /// The amounts that work on this thread has taken from budgets since they were last read.
    static SO_FAR: Cell<ResourceUsage> = const { Cell::new(ResourceUsage { steps: 0, kept: 0, most: 0, instances: 0 }) };
}

/// Adds what one piece of work has taken from a budget to the amounts counted for this thread.
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
    /// Returns the amounts that work on this thread has taken from budgets since the last call, and starts again from zero.
    pub fn since_last() -> ResourceUsage {
        SO_FAR.with(Cell::take)
    }

    /// Returns true if all amounts are zero.
    pub fn is_nothing(&self) -> bool {
        *self == ResourceUsage::default()
    }
}
