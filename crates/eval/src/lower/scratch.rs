//! The room that lowering works in, kept by each thread for its next expression: code is made by the thousand, mostly of a
//! few operations, and only what stays is allocated for it. Names of roots are few and come again and again, and so do
//! the keys of objects, so all code that a thread makes shares them.

use std::cell::Cell;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use groma_value::Str;

use crate::Reference;
use crate::Step;
use crate::code::{CodeOperation, ObjectLayout, StepInfo};

/// Maximum number of entries of a buffer that is kept for the next expression.
const LARGE: usize = 4_096;

/// The maximum number of layouts of objects that are kept.
const LAYOUTS: usize = 8;

/// The scratch buffers of a lowering, reused by each thread.
#[derive(Default)]
pub(super) struct ScratchBuffers {
    pub(super) operations: Vec<CodeOperation>,
    pub(super) references: Vec<Reference>,
    /// The hops of the references' literal steps.
    pub(super) hops: Vec<StepInfo>,
    /// Those of chains that are not yet an operation, the innermost chain's last.
    pub(super) pending: Vec<StepInfo>,
    /// The steps of the references of open chains, the innermost chain's last.
    pub(super) listed: Vec<Step>,
    roots: HashSet<Arc<str>>,
    /// The layouts of the objects that were lowered last.
    layouts: VecDeque<Arc<ObjectLayout>>,
}

thread_local! {
    /// The buffers that the next expression of this thread takes.
    static SPARE: Cell<Option<Box<ScratchBuffers>>> = const { Cell::new(None) };
}

impl ScratchBuffers {
    /// Takes the thread's buffers; new ones for a nested lowering.
    pub(super) fn take() -> Box<ScratchBuffers> {
        SPARE.with(Cell::take).unwrap_or_default()
    }

    /// Returns the emptied buffers to the thread.
    pub(super) fn give_back(mut self: Box<ScratchBuffers>) {
        let ScratchBuffers { operations, references, hops, pending, listed, roots, layouts: _ } =
            &mut *self;
        let most = operations.capacity().max(references.capacity()).max(hops.capacity());
        if most.max(pending.capacity()).max(listed.capacity()) > LARGE {
            return;
        }
        if roots.len() > LARGE {
            roots.clear();
        }
        operations.clear();
        references.clear();
        hops.clear();
        pending.clear();
        listed.clear();
        SPARE.with(|spare| spare.set(Some(self)));
    }

    /// Returns the shared name of a root.
    pub(super) fn root(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.roots.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.roots.insert(name.clone());
        name
    }

    /// Returns the shared layout of an object with these keys.
    pub(super) fn layout(&mut self, keys: &[Str]) -> Arc<ObjectLayout> {
        if let Some(known) = self.layouts.iter().find(|known| known.is_of(keys)) {
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
