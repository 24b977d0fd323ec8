//! Reused memory of lowering: each thread keeps its buffers for the next expression, because code is created by the thousand,
//! mostly of few operations, and only the result should be allocated. Names of roots and keys of objects repeat often, so all
//! code that a thread creates shares them.

use std::cell::Cell;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use groma_value::Str;

use crate::Reference;
use crate::Step;
use crate::code::{CodeOperation, ObjectLayout, StepInfo};

/// Maximum capacity of a buffer that a thread keeps for the next expression that it lowers; with a larger one it drops all its
/// buffers.
const LARGE: usize = 4_096;

/// Maximum number of sorted lists of attribute names that a thread keeps, to share them between objects with the same keys.
const LAYOUTS: usize = 8;

/// The buffers of a lowering, kept by each thread for the next one.
#[derive(Default)]
pub(super) struct ScratchBuffers {
    pub(super) operations: Vec<CodeOperation>,
    pub(super) references: Vec<Reference>,
    /// The spans and hints of the references' literal steps.
    pub(super) step_infos: Vec<StepInfo>,
    /// The spans and hints of steps that are not yet part of an operation, the innermost chain's last.
    pub(super) pending: Vec<StepInfo>,
    /// The steps of references that are not yet complete, the innermost chain's last.
    pub(super) listed: Vec<Step>,
    roots: HashSet<Arc<str>>,
    /// The layouts of the objects that were lowered last.
    layouts: VecDeque<Arc<ObjectLayout>>,
}

thread_local! {
    /// The empty buffers that this thread keeps for the next expression that it lowers.
    static SPARE: Cell<Option<Box<ScratchBuffers>>> = const { Cell::new(None) };
}

impl ScratchBuffers {
    /// Returns the thread's buffers, or new ones if an outer lowering uses them.
    pub(super) fn take() -> Box<ScratchBuffers> {
        SPARE.with(Cell::take).unwrap_or_default()
    }

    /// Empties the buffers and keeps them for the thread's next expression.
    pub(super) fn give_back(mut self: Box<ScratchBuffers>) {
        let ScratchBuffers {
            operations,
            references,
            step_infos,
            pending,
            listed,
            roots,
            layouts: _,
        } = &mut *self;
        let most = operations.capacity().max(references.capacity()).max(step_infos.capacity());
        if most.max(pending.capacity()).max(listed.capacity()) > LARGE {
            return;
        }
        if roots.len() > LARGE {
            roots.clear();
        }
        operations.clear();
        references.clear();
        step_infos.clear();
        pending.clear();
        listed.clear();
        SPARE.with(|spare| spare.set(Some(self)));
    }

    /// Returns the name of a root as a shared text, so that equal names use memory once.
    pub(super) fn root(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.roots.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.roots.insert(name.clone());
        name
    }

    /// Returns the sorted attribute names of an object with these keys, shared with recent objects of the same keys.
    pub(super) fn layout(&mut self, keys: &[Str]) -> Arc<ObjectLayout> {
        if let Some(known) = self.layouts.iter().find(|known| known.has_keys(keys)) {
            return known.clone();
        }
        let layout = Arc::new(ObjectLayout::of(keys));
        if keys.len() <= LARGE {
            self.layouts.truncate(LAYOUTS - 1);
            self.layouts.push_front(layout.clone());
        }
        layout
    }
}
