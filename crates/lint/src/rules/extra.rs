//! Object attributes that the declared type drops. Some editions report them themselves, and then this rule does not.

use groma_module::dialect::Conventions;
use groma_syntax::Diagnostics;

use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds attributes in the inputs of module calls that the type of the variable lacks, so that conversion drops them.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let own = Conventions::of(subject.node.edition());
    if own.warns_of_extra_attributes {
        return;
    }
    let conventions = Conventions { warns_of_extra_attributes: true, ..own };
    for (at, call) in subject.module.calls.iter().enumerate() {
        let Some(child) = subject.node.child(at) else { continue };
        for input in &call.inputs {
            let all = &child.module().variables;
            let Ok(at) = all.binary_search_by(|one| one.name.cmp(&input.name)) else { continue };
            let mut out = Diagnostics::new();
            let variable = &all[at];
            conventions.warn_of_extra(&input.value.expr, &variable.ty, &variable.name, &mut out);
            out.iter().for_each(|one| found.push(one.clone()));
        }
    }
}
