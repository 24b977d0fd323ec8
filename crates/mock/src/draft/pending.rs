//! Causes of unknown values in a root's results: for each cause, the number of unknown parts of outputs, resources and counts.
//! The computed attributes of a resource do not count in its own value, where nothing uses them.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use groma_eval::{Cause, CauseAddress, CauseClass};
use groma_project::{Evaluation, ModuleInstance};
use groma_syntax::Diagnostics;
use groma_value::{CauseId, Causes, Value};
use rustc_hash::FxHashMap;

/// The number of unknown parts in a root's results, in total and for each cause.
#[derive(Debug, Default)]
pub(crate) struct PendingParts {
    /// The causes with the number of unknown parts that depend on each, the greatest number first.
    pub(crate) of: Vec<(Cause, usize)>,
    /// The number of unknown parts; computed attributes of a resource itself do not count.
    pub(crate) parts: usize,
}

/// A counter of unknown parts by cause, over all values of an evaluation.
#[derive(Default)]
struct PendingCounter<'e> {
    evaluation: Option<&'e Evaluation>,
    counts: BTreeMap<CauseId, usize>,
    parts: usize,
}

impl PendingCounter<'_> {
    /// Counts the unknown parts of a value; causes whose address is `own` are ignored.
    fn value(&mut self, value: &Value, own: Option<&CauseAddress>) {
        if value.is_wholly_known() {
            return;
        }
        value.visit(&mut |part| {
            if let Value::Unknown(unknown) = part {
                self.part(&unknown.causes, own);
            }
            !part.is_wholly_known()
        });
    }

    /// Counts one unknown part under each of its causes; causes whose address is `own` are ignored.
    fn part(&mut self, causes: &Causes, own: Option<&CauseAddress>) {
        let Some(evaluation) = self.evaluation else { return };
        let mut is_open = false;
        for id in causes.ids() {
            let Some(cause) = evaluation.causes().get(*id) else { continue };
            if own.is_none_or(|own| *own != cause.address) {
                *self.counts.entry(*id).or_default() += 1;
                is_open = true;
            }
        }
        self.parts += usize::from(is_open);
    }
}

/// Counts the unknown parts in the results of a root: outputs, resource instances and numbers of instances.
pub(crate) fn count_pending(evaluation: &Evaluation) -> PendingParts {
    let mut counter = PendingCounter { evaluation: Some(evaluation), ..PendingCounter::default() };
    let mut silent = Diagnostics::new();
    let gaps = evaluation.gaps();
    for output in evaluation.outputs(&mut silent) {
        counter.value(&output.value, None);
    }
    let mut modules: Vec<ModuleInstance> = vec![evaluation.root()];
    let mut next = 0;
    while next < modules.len() {
        let module = &modules[next];
        next += 1;
        for at in 0..module.module().resources.len() {
            let mut own = None;
            for instance in module.instances(at) {
                let own = own.get_or_insert_with(|| (&instance.address.without_keys()).into());
                counter.value(&instance.value, Some(own));
            }
        }
        let children: Vec<ModuleInstance> = module.children().collect();
        modules.extend(children);
    }
    for one in &gaps.undecided {
        counter.part(&one.causes, None);
    }
    let known = counter.counts.iter();
    let named = known.filter_map(|(id, count)| Some((evaluation.causes().get(*id)?, *count)));
    let mut of: Vec<(Cause, usize)> = Vec::new();
    let mut places: FxHashMap<CauseAddress, usize> = FxHashMap::default();
    for (cause, count) in named.filter(|(cause, _)| cause.class != CauseClass::Mocked) {
        // Causes with one address are merged: a single mock resolves them all.
        match places.entry(cause.address.clone()) {
            Entry::Occupied(at) => of[*at.get()].1 += count,
            Entry::Vacant(at) => {
                at.insert(of.len());
                of.push((cause, count));
            }
        }
    }
    of.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.address.cmp(&b.0.address)));
    PendingParts { of, parts: counter.parts }
}
