//! Expressions that must be known before evaluation: module sources and instances of providers. They may depend on variables,
//! local values, paths and the workspace; any other dependency, even through local values, is reported at every step of the
//! path.

use groma_module::declare::{Expression, Referent};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::tree::{ModuleId, TreeModule};

/// An expression whose value is needed before evaluation, and the references through which it is needed.
struct NeededExpression<'n> {
    node: ModuleId,
    expression: &'n Expression,
    /// The index of the dependent expression, and the source range of the reference.
    by: Vec<(usize, Place)>,
}

/// Returns true if the value of `expression` in the module `at` can be determined before evaluation; reports every reference that
/// prevents it.
pub(crate) fn check<'n>(
    nodes: &'n [TreeModule],
    at: ModuleId,
    expression: &'n Expression,
    out: &mut Diagnostics,
) -> bool {
    let mut needed = vec![NeededExpression { node: at, expression, by: Vec::new() }];
    let mut known: FxHashMap<(ModuleId, *const Expression), usize> = FxHashMap::default();
    let mut broken = Vec::new();
    let mut next = 0;
    while next < needed.len() {
        let (node, expression) = (needed[next].node, needed[next].expression);
        let located = &expression.located;
        let references = located.code.references();
        for used in &expression.uses {
            let Some(reference) = references.get(used.reference as usize) else { continue };
            let place = located.place(reference.span);
            let (node, inner) = match step(nodes, node, &used.target) {
                FixedStep::Known => continue,
                FixedStep::Through(node, inner) => (node, inner),
                FixedStep::Late => {
                    if !matches!(used.target, Referent::Itself | Referent::Broken) {
                        let detail = format!(
                            "\"{}\" has a value only during evaluation, but this is needed before. Use variables, local values, paths and the workspace.",
                            name(&reference.root, &used.target)
                        );
                        out.push(Diagnostic::error(&codes::NEEDED_TOO_EARLY, detail).at(place));
                    }
                    broken.push(next);
                    continue;
                }
            };
            let key = (node, std::ptr::from_ref(inner));
            match known.get(&key) {
                Some(&index) => needed[index].by.push((next, place)),
                None => {
                    known.insert(key, needed.len());
                    needed.push(NeededExpression {
                        node,
                        expression: inner,
                        by: vec![(next, place)],
                    });
                }
            }
        }
        next += 1;
    }
    let is_fine = broken.is_empty();
    let mut told = vec![false; needed.len()];
    broken.iter().for_each(|&index| told[index] = true);
    while let Some(index) = broken.pop() {
        for &(user, place) in &needed[index].by {
            let detail = "This cannot be determined before anything is evaluated, because of its own references.";
            out.push(Diagnostic::error(&codes::NEEDED_TOO_EARLY, detail).at(place));
            if !std::mem::replace(&mut told[user], true) {
                broken.push(user);
            }
        }
    }
    is_fine
}

/// The result of following a reference to its value: known before evaluation, given by another expression, or known only by
/// evaluation.
enum FixedStep<'n> {
    /// Known before evaluation.
    Known,
    /// Given by another expression of a module.
    Through(ModuleId, &'n Expression),
    /// Known only by evaluation.
    Late,
}

/// Follows a reference of the module `at` by one step, to the expression of a local value or of the call's argument for a
/// variable.
fn step<'n>(nodes: &'n [TreeModule], at: ModuleId, target: &Referent) -> FixedStep<'n> {
    let node = &nodes[at.0 as usize];
    match target {
        Referent::Settled => FixedStep::Known,
        Referent::Local(local) => {
            FixedStep::Through(at, &node.module.locals[*local as usize].value)
        }
        Referent::Variable(variable) => {
            let name = &node.module.variables[*variable as usize].name;
            let Some((parent, call)) = node.parent else { return FixedStep::Known };
            let call = &nodes[parent.0 as usize].module.calls[call as usize];
            match call.input(name) {
                Some(input) => FixedStep::Through(parent, &input.value),
                None => FixedStep::Known,
            }
        }
        Referent::Call(_)
        | Referent::Output { .. }
        | Referent::Resource(_)
        | Referent::TypeWord
        | Referent::Itself
        | Referent::Broken
        | Referent::News => FixedStep::Late,
    }
}

/// Returns the name of a reference in messages: its root name or, for an output, `module….NAME`.
fn name(root: &str, target: &Referent) -> String {
    match target {
        Referent::Output { name, .. } => format!("module….{}", &**name),
        _ => root.to_owned(),
    }
}
