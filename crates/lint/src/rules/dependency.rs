//! Redundant `depends_on` entries of managed resources: an argument already refers to them. For data sources the entry also
//! delays reading, and for a module it means more than a reference to one output.

use groma_config::ResourceMode;
use groma_module::declare::{Referent, Resource};
use groma_module::visit::{EvaluationTime, ExpressionRole};
use groma_syntax::{Diagnostic, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds `depends_on` entries of resources that are redundant, because an argument refers to the same resource.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let managed = subject.module.resources.iter().filter(|one| one.mode == ResourceMode::Managed);
    for resource in managed.filter(|one| !one.depends_on.is_empty()) {
        let needed = needs(resource);
        let items = resource.depends_on.iter();
        for (item, used) in items.flat_map(|item| item.uses.iter().map(move |used| (item, used))) {
            let Referent::Resource(at) = used.target else { continue };
            let Some((_, by)) = needed.iter().find(|(known, _)| *known == at) else { continue };
            let Some(target) = subject.module.resources.get(at as usize) else { continue };
            let located = &item.located;
            let references = located.code.references();
            let Some(reference) = references.get(used.reference as usize) else { continue };
            if target.mode != ResourceMode::Managed {
                continue;
            }
            let detail = format!(
                "The argument \"{by}\" refers to {} already, so it comes first without this.",
                target.address()
            );
            let place = Place::new(located.file, reference.span.shift(located.base));
            found.push(Diagnostic::warning(&codes::IMPLIED_DEPENDENCY, detail).at(place));
        }
    }
}

/// Returns the resources to which a resource's own arguments refer, by index, each with the name of the argument.
fn needs(resource: &Resource) -> Vec<(u32, String)> {
    let mut needed = Vec::new();
    resource.visit(&mut |seen| {
        let counts = matches!(seen.when(), EvaluationTime::Evaluating | EvaluationTime::Expanding)
            && !matches!(seen.role, ExpressionRole::ProviderKey);
        for used in seen.expression.uses.iter().filter(|_| counts) {
            if let (Referent::Resource(at), Some(name)) = (&used.target, seen.argument()) {
                needed.push((*at, name.to_owned()));
            }
        }
    });
    needed
}
