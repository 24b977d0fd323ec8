//! Moves to an undeclared address: the recorded object moves there and is destroyed by the next run. An address that another
//! move or a `removed` block continues from is no mistake, nor is one in a missing module.

use groma_config::{AddressPattern, ConfigAddress, KeyForms, address_grammar};
use groma_project::ModuleNode;
use groma_syntax::Diagnostic;

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds `moved` blocks with a `to` address that is not declared.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let edition = subject.node.edition();
    let others = &subject.module.others;
    // Addresses from which moves or removals continue.
    let mut left: Vec<ConfigAddress> = Vec::new();
    for block in others.iter().filter(|block| matches!(&*block.kind, "moved" | "removed")) {
        let from = block.argument("from");
        let words = address_grammar(edition, &block.kind);
        left.extend(from.and_then(|from| {
            let read = AddressPattern::read(&from.expr, words.with_keys(KeyForms::Computed));
            Some(read.ok()?.without_keys())
        }));
    }
    for block in others.iter().filter(|block| &*block.kind == "moved") {
        let Some(end) = block.argument("to") else { continue };
        let Ok(to) = AddressPattern::read(&end.expr, address_grammar(edition, "moved")) else {
            continue;
        };
        if is_declared(subject.node, &to)
            || left.iter().any(|from| from.contains(&to.without_keys()))
        {
            continue;
        }
        let detail = format!(
            "{} is not declared, so the object that moves there is destroyed by the next apply. Correct the address, or declare it.",
            to.without_keys()
        );
        found.push(Diagnostic::remark(&codes::LOST_MOVE, detail).at(end.expr.place()));
    }
}

/// Returns true if the address `target` is declared, or leads into a module that is missing; `node` is the module of the `moved`
/// block.
fn is_declared(node: ModuleNode<'_>, target: &AddressPattern) -> bool {
    let mut node = node;
    for (name, _) in &target.modules {
        let Some(at) = node.module().names.call(name) else { return false };
        let Some(child) = node.child(at as usize) else { return true };
        node = child;
    }
    target.resource.as_ref().is_none_or(|wanted| {
        node.module().names.resource(wanted.mode, &wanted.kind, &wanted.name).is_some()
    })
}
