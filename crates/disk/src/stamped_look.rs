//! A look at a disk with stamps of everything that it asks: the same looks as those of [`crate::DiskNotes`], held in memory.

use std::sync::Arc;

use groma_runtime::{AnswerStamps, Host, StampedLook};

use crate::context::DiskContext;
use crate::host::DiskHost;
use crate::look::LookCheck;
use crate::notes::DiskNotes;
use crate::stamp::StampClock;

/// A look at a disk whose questions are noted.
pub(crate) struct DiskLook {
    host: Arc<DiskHost>,
    /// The context of the host, which remembers what it has looked at.
    context: DiskContext,
    notes: DiskNotes,
    /// A moment before the first question.
    clock: StampClock,
}

/// Stamps of what was looked at, as lines, and the values of the variables that were asked for.
struct DiskStamps {
    looks: Vec<String>,
    variables: Vec<(String, Option<String>)>,
    context: DiskContext,
}

impl DiskLook {
    /// Begins a look from a context; `with_context` returns the host of another one.
    pub(crate) fn begin(
        context: &DiskContext,
        with_context: impl FnOnce(DiskContext) -> DiskHost,
    ) -> DiskLook {
        let (notes, clock) = (DiskNotes::default(), StampClock::now());
        let context = context.remembering().noting(&notes);
        DiskLook { host: Arc::new(with_context(context.clone())), context, notes, clock }
    }
}

impl StampedLook for DiskLook {
    fn host(&self) -> Option<Arc<dyn Host>> {
        Some(self.host.clone())
    }

    fn stamps(&self) -> Option<Arc<dyn AnswerStamps>> {
        let folders = self.notes.folders(&self.context, self.clock)?;
        let is_settled = folders.iter().all(|look| look.is_settled());
        let looks = folders.iter().map(|look| look.text()).collect::<Option<_>>()?;
        let context = self.context.without_notes();
        let variables = self.notes.values();
        is_settled.then(|| Arc::new(DiskStamps { looks, variables, context }) as Arc<_>)
    }
}

impl AnswerStamps for DiskStamps {
    fn are_current(&self) -> bool {
        let mut check = LookCheck::by_whole_paths();
        self.variables.iter().all(|(name, value)| self.context.env(name) == *value)
            && self.looks.iter().all(|look| check.is_current(look))
    }
}
