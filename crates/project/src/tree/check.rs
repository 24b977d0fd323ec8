//! Validation of module calls against the called modules: unknown inputs, missing inputs, deprecated outputs.

use groma_config::did_you_mean;
use groma_module::declare::{Expression, Module, Referent};
use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// Reports deprecated outputs of the root module, whose callers cannot be warned.
pub(crate) fn check_root_outputs(root: &Module, out: &mut Diagnostics) {
    for output in &root.outputs {
        let Some(place) = output.deprecated_place else { continue };
        let detail = format!(
            "The output \"{}\" belongs to the root module, where no other module reads it. Only outputs of called modules can be deprecated.",
            &*output.name
        );
        out.push(Diagnostic::error(&codes::DEPRECATED_ROOT_OUTPUT, detail).at(place));
    }
}

/// Checks every call of the tree; each source range is reported once. `tells_deprecated` is true if uses of deprecated outputs
/// are reported here.
pub(crate) fn check(nodes: &[TreeModule], tells_deprecated: bool, out: &mut Diagnostics) {
    let mut seen: FxHashSet<(Place, String)> = FxHashSet::default();
    let mut modules: FxHashSet<(usize, Vec<Option<usize>>)> = FxHashSet::default();
    for node in nodes {
        // Equal modules with equal children have equal faults.
        let children: Vec<Option<&Module>> = node
            .children
            .iter()
            .map(|child| match child {
                CalledModule::Module(id) => Some(&*nodes[id.0 as usize].module),
                CalledModule::Absent => None,
            })
            .collect();
        let address = |module: &Module| std::ptr::from_ref(module).addr();
        let key = (address(&node.module), children.iter().map(|c| c.map(address)).collect());
        if !modules.insert(key) {
            continue;
        }
        for (call, child) in node.module.calls.iter().zip(&children) {
            let Some(child) = child else { continue };
            let mut ignored = Vec::new();
            let mut report = |code, detail: String, place: Place| {
                if seen.insert((place, detail.clone())) {
                    out.push(Diagnostic::error(code, detail).at(place));
                }
            };
            for input in &call.inputs {
                if child.names.variable(&input.name).is_none() {
                    let hint = did_you_mean(&input.name, child.variable_names());
                    let detail = format!(
                        "The module \"{}\" has no input variable \"{}\".{hint}",
                        &*call.name, &*input.name
                    );
                    match call.is_overridden {
                        true => ignored.push((detail, input.name_place)),
                        false => report(&codes::UNKNOWN_INPUT, detail, input.name_place),
                    }
                }
            }
            for input in &call.inputs {
                let variable = child.names.variable(&input.name);
                let variable = variable.and_then(|at| child.variables.get(at as usize));
                let computed = |target: &Referent| {
                    matches!(
                        target,
                        Referent::Resource(_) | Referent::Call(_) | Referent::Output { .. }
                    )
                };
                if node.early.is_none()
                    && variable.is_some_and(|variable| variable.is_const)
                    && input.value.uses.iter().any(|used| computed(&used.target))
                {
                    let detail = format!(
                        "The variable \"{}\" of the module \"{}\" is constant, so its value is needed before any resource is evaluated. Compute it from constant variables and local values only.",
                        &*input.name, &*call.name
                    );
                    report(&codes::NOT_CONSTANT_INPUT, detail, input.value.place());
                    let detail = format!(
                        "The module \"{}\" cannot be read, because its constant variable \"{}\" has no value in time.",
                        &*call.name, &*input.name
                    );
                    report(&codes::NOT_CONSTANT_INPUT, detail, call.place);
                }
            }
            for variable in &child.variables {
                if variable.default.is_none() && call.input(&variable.name).is_none() {
                    let detail = format!(
                        "The module \"{}\" needs a value for its variable \"{}\". Add {} = … to the block.",
                        &*call.name, &*variable.name, &*variable.name
                    );
                    report(&codes::MISSING_INPUT, detail, call.place);
                }
            }
            for (problem, place) in ignored {
                let detail = format!(
                    "{problem} Because an override file changes this block, it has no effect, and neither Terraform nor OpenTofu reports it."
                );
                if seen.insert((place, detail.clone())) {
                    out.push(Diagnostic::remark(&codes::UNKNOWN_INPUT, detail).at(place));
                }
            }
        }
        if node.parent.is_some() {
            let blocks = node.module.settings.blocks.iter();
            let keepers = blocks.flat_map(|block| {
                let cloud = block.blocks_of("cloud").filter(|_| node.early.is_some());
                block.blocks_of("backend").chain(cloud)
            });
            for backend in keepers {
                if seen.insert((backend.header, String::new())) {
                    let detail = "Only the root module configures the backend; this block has an effect only if the module is used as a root.";
                    out.push(
                        Diagnostic::warning(&codes::BACKEND_BELOW_ROOT, detail).at(backend.header),
                    );
                }
            }
        }
        if node.early.is_some() || !tells_deprecated {
            // An edition with early values reports deprecated outputs by value.
            continue;
        }
        node.module.visit(&mut |declaration, one| {
            let is_asked = one.is_of_instances() || matches!(declaration, Declaration::Output(_));
            if !is_asked || declaration > Declaration::Output(u32::MAX) {
                return;
            }
            for diagnostic in output_problems(nodes, node, one.expression) {
                let place = diagnostic.place.unwrap_or_default();
                if seen.insert((place, diagnostic.detail.clone())) {
                    out.push(diagnostic);
                }
            }
        });
    }
}

/// Reports references to deprecated outputs in an expression of the module `at`.
pub(crate) fn check_outputs(
    nodes: &[TreeModule],
    at: ModuleId,
    expression: &Expression,
    out: &mut Diagnostics,
) {
    if nodes[at.0 as usize].early.is_some() {
        return;
    }
    out.extend(output_problems(nodes, &nodes[at.0 as usize], expression));
}

/// Returns the diagnostics for deprecated outputs in an expression.
fn output_problems(
    nodes: &[TreeModule],
    node: &TreeModule,
    expression: &Expression,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if expression.deferred {
        return found;
    }
    for used in &expression.uses {
        let Referent::Output { call, name } = &used.target else { continue };
        let Some(CalledModule::Module(child)) = node.children.get(*call as usize) else { continue };
        let child = &nodes[child.0 as usize].module;
        let called = &*node.module.calls[*call as usize].name;
        // A missing output is an error during evaluation, and not within `try`.
        let Some(output) = child.names.output(name) else { continue };
        let Some(advice) = &child.outputs[output as usize].deprecated else { continue };
        let detail = format!(
            "The output \"{}\" of the module \"{called}\" is deprecated: {}",
            &**name, &**advice
        );
        let diagnostic = Diagnostic::warning(&codes::DEPRECATED_OUTPUT, detail);
        let located = &expression.located;
        let reference = &located.code.references()[used.reference as usize];
        found.push(diagnostic.at(located.place(reference.span)));
    }
    found
}
