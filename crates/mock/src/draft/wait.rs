//! What the answers of a root wait for: of each cause how many unknown parts of outputs, of resources and of counts it
//! leaves open. What a resource alone will tell of itself is no answer that waits: it was not asked for.

use std::collections::BTreeMap;

use groma_config::without_keys;
use groma_eval::{Cause, CauseClass};
use groma_project::{Evaluation, ModuleInstance};
use groma_syntax::Diagnostics;
use groma_value::{CauseId, Causes, Value};

/// The unknown parts of a root, by what they wait for.
#[derive(Debug, Default)]
pub(crate) struct PendingParts {
    /// The number of unknown parts that each cause leaves open.
    pub(crate) of: Vec<(Cause, usize)>,
    /// The number of parts that are open because of something other than themselves.
    pub(crate) parts: usize,
}

#[derive(Default)]
struct PendingCounter<'e> {
    evaluation: Option<&'e Evaluation>,
    counts: BTreeMap<CauseId, usize>,
    parts: usize,
}

impl PendingCounter<'_> {
    /// Counts the unknown parts of a value; `own` is the address that is no reason for its own parts.
    fn value(&mut self, value: &Value, own: Option<&str>) {
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

    fn part(&mut self, causes: &Causes, own: Option<&str>) {
        let Some(evaluation) = self.evaluation else { return };
        let mut is_open = false;
        for id in causes.ids() {
            let Some(cause) = evaluation.causes().get(*id) else { continue };
            if own.is_none_or(|own| *own != *cause.address) {
                *self.counts.entry(*id).or_default() += 1;
                is_open = true;
            }
        }
        self.parts += usize::from(is_open);
    }
}

/// Everything that is waited for in a root.
pub(crate) fn waiting(evaluation: &Evaluation) -> PendingParts {
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
            for instance in module.instances(at) {
                let own = without_keys(&instance.address);
                counter.value(&instance.value, Some(&own));
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
    for (cause, count) in named.filter(|(cause, _)| cause.class != CauseClass::Mocked) {
        // What it would be and what it leaves to its provider are one thing to ask.
        match of.iter_mut().find(|(known, _)| known.address == cause.address) {
            Some((_, all)) => *all += count,
            None => of.push((cause, count)),
        }
    }
    of.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.address.cmp(&b.0.address)));
    PendingParts { of, parts: counter.parts }
}
