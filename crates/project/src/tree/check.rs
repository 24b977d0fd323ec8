//! Validation of module calls against the called modules: unknown inputs, missing inputs, deprecated outputs.

use groma_config::did_you_mean;
use groma_module::declare::{Expression, Module, ModuleCall, Referent, ReferentUse};
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

/// Checks the inputs of every module call of the tree, what called modules must not contain, and if `tells_deprecated` uses of
/// deprecated outputs. Each source range is reported once.
pub(crate) fn check(nodes: &[TreeModule], tells_deprecated: bool, out: &mut Diagnostics) {
    let mut checks = CallChecks { nodes, seen: FxHashSet::default(), out };
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
            let ignored = checks.unknown_inputs(call, child);
            if node.early.is_none() {
                checks.late_inputs(call, child);
            }
            checks.missing_inputs(call, child);
            ignored.into_iter().for_each(|(detail, place)| checks.remark(detail, place));
        }
        if node.parent.is_some() {
            checks.state_keepers(node);
        }
        // An edition with early values reports deprecated outputs by value.
        if node.early.is_none() && tells_deprecated {
            checks.deprecated_outputs(node);
        }
    }
}

/// A validation of all module calls, with the diagnostics reported so far.
struct CallChecks<'c> {
    nodes: &'c [TreeModule],
    /// The diagnostics reported so far, by place and message.
    seen: FxHashSet<(Place, String)>,
    out: &'c mut Diagnostics,
}

impl CallChecks<'_> {
    /// Reports a diagnostic, unless the same one was reported at that place.
    fn report(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.place.unwrap_or_default();
        if self.seen.insert((place, diagnostic.detail.to_string())) {
            self.out.push(diagnostic);
        }
    }

    /// Reports as a remark that an input has no effect because an override file changes the call.
    fn remark(&mut self, problem: String, place: Place) {
        let detail = format!(
            "{problem} Because an override file changes this block, it has no effect, and neither Terraform nor OpenTofu reports it."
        );
        self.report(Diagnostic::remark(&codes::UNKNOWN_INPUT, detail).at(place));
    }

    /// Reports inputs for which the called module has no variable; returns the message and place of each input that is ignored
    /// instead, because an override file changes the call.
    fn unknown_inputs(&mut self, call: &ModuleCall, child: &Module) -> Vec<(String, Place)> {
        let mut ignored = Vec::new();
        for input in &call.inputs {
            if child.names.variable(&input.name).is_some() {
                continue;
            }
            let hint = did_you_mean(&input.name, child.variable_names());
            let detail = format!(
                "The module \"{}\" has no input variable \"{}\".{hint}",
                &*call.name, &*input.name
            );
            match call.is_overridden {
                true => ignored.push((detail, input.name_place)),
                false => self
                    .report(Diagnostic::error(&codes::UNKNOWN_INPUT, detail).at(input.name_place)),
            }
        }
        ignored
    }

    /// Reports inputs of `const` variables that depend on values not known before evaluation.
    fn late_inputs(&mut self, call: &ModuleCall, child: &Module) {
        for input in &call.inputs {
            let variable = child.names.variable(&input.name);
            let variable = variable.and_then(|at| child.variables.get(at as usize));
            let is_late = |used: &ReferentUse| {
                matches!(
                    used.target,
                    Referent::Resource(_) | Referent::Call(_) | Referent::Output { .. }
                )
            };
            if !variable.is_some_and(|variable| variable.is_const)
                || !input.value.uses.iter().any(is_late)
            {
                continue;
            }
            let detail = format!(
                "The variable \"{}\" of the module \"{}\" is constant, so its value is needed before any resource is evaluated. Compute it from constant variables and local values only.",
                &*input.name, &*call.name
            );
            let place = input.value.place();
            self.report(Diagnostic::error(&codes::NOT_CONSTANT_INPUT, detail).at(place));
            let detail = format!(
                "The module \"{}\" cannot be read, because its constant variable \"{}\" has no value in time.",
                &*call.name, &*input.name
            );
            self.report(Diagnostic::error(&codes::NOT_CONSTANT_INPUT, detail).at(call.place));
        }
    }

    /// Reports variables of the called module without a default for which the call has no input.
    fn missing_inputs(&mut self, call: &ModuleCall, child: &Module) {
        for variable in &child.variables {
            if variable.default.is_none() && call.input(&variable.name).is_none() {
                let detail = format!(
                    "The module \"{}\" needs a value for its variable \"{}\". Add {} = … to the block.",
                    &*call.name, &*variable.name, &*variable.name
                );
                self.report(Diagnostic::error(&codes::MISSING_INPUT, detail).at(call.place));
            }
        }
    }

    /// Warns of `backend` and `cloud` blocks in a called module, where they have no effect.
    fn state_keepers(&mut self, node: &TreeModule) {
        let blocks = node.module.settings.blocks.iter();
        let keepers = blocks.flat_map(|block| {
            let cloud = block.blocks_of("cloud").filter(|_| node.early.is_some());
            block.blocks_of("backend").chain(cloud)
        });
        for backend in keepers {
            let detail = "Only the root module configures the backend; this block has an effect only if the module is used as a root.";
            let found = Diagnostic::warning(&codes::BACKEND_BELOW_ROOT, detail);
            self.report(found.at(backend.header));
        }
    }

    /// Warns of references to deprecated outputs in the expressions of a module.
    fn deprecated_outputs(&mut self, node: &TreeModule) {
        node.module.visit(&mut |declaration, one| {
            let is_asked = one.is_of_instances() || matches!(declaration, Declaration::Output(_));
            if !is_asked || declaration > Declaration::Output(u32::MAX) {
                return;
            }
            let found = output_problems(self.nodes, node, one.expression);
            found.into_iter().for_each(|diagnostic| self.report(diagnostic));
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
