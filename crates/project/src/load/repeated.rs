//! Repeated provider configurations: their instances must be known before evaluation.

use groma_module::codes::PROVIDER_SAME_KEYS;
use groma_module::declare::Repetition;
use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::evaluate::{Evaluation, expand_value};
use crate::tree::{ModuleId, TreeModule, fixed};

/// Reports a `for_each` of a provider configuration whose instances are invalid or not known before evaluation; if `judging`,
/// also one that only a missing input makes unknown.
pub(super) fn check(
    nodes: &[TreeModule],
    evaluation: &dyn Fn(&[TreeModule]) -> Evaluation,
    judging: bool,
    out: &mut Diagnostics,
) {
    let mut made = None;
    let entered = out.error_count();
    for (at, node) in nodes.iter().enumerate() {
        let at = ModuleId(at as u32);
        for expression in node.module.providers.iter().filter_map(|one| one.for_each.as_ref()) {
            if !fixed::check(nodes, at, expression, out) {
                continue;
            }
            let evaluation = made.get_or_insert_with(|| evaluation(nodes));
            let conventions = evaluation.project().conventions;
            let before = out.error_count();
            let Some(value) = evaluation.evaluate_in_first(at, expression, out) else { continue };
            if out.error_count() > before {
                continue;
            }
            let repetition = Repetition::Each(Box::new(expression.clone()));
            match expand_value(&repetition, expression, &value, &conventions, &|_| false) {
                Ok(_) => {}
                Err(Some(problem)) => out.push(*problem),
                Err(None) if judging => {
                    let detail = "The instances of a provider have to be known before anything is evaluated. Give values to the variables that they depend on.";
                    out.push(
                        Diagnostic::error(&codes::PROVIDER_FOR_EACH_UNKNOWN, detail)
                            .at(expression.place()),
                    );
                }
                Err(None) => {}
            }
        }
    }
    if out.error_count() > entered {
        // For unknown keys it is not reported that others share them.
        let found = out.split_off(0);
        out.extend(found.into_iter().filter(|one| one.code != &PROVIDER_SAME_KEYS));
    }
}
