//! Dependencies of a cell, as far as they are known: references to instances show further dependencies once the repetition is
//! evaluated, so a cell is asked again after its dependencies are filled.

use groma_config::ResourceMode;
use groma_module::declare::{Expression, Referent};
use groma_module::visit::EvaluationTime;

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{Expansion, InstanceNode};
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;

impl EvaluationState {
    /// Visits the known dependencies of `cell`: once these are filled there may be more.
    pub(crate) fn needs(&self, instance: &InstanceNode, cell: Cell, visit: &mut dyn FnMut(Cell)) {
        let module = self.module(instance);
        match cell.part {
            CellPart::Variable(at) => self.variable_needs(instance, at, visit),
            CellPart::Local(at) => {
                self.expression_needs(instance, &module.locals[at as usize].value, visit);
            }
            CellPart::Output(at) => {
                module.outputs[at as usize].visit(&mut |seen| {
                    if seen.is_evaluated() {
                        self.expression_needs(instance, seen.expression, visit);
                    }
                });
            }
            CellPart::Call(at) => {
                if let Some(expression) = module.calls[at as usize].repetition.expression() {
                    self.expression_needs(instance, expression, visit);
                }
            }
            CellPart::Gathered(call, output) => self.gathered_needs(instance, call, output, visit),
            CellPart::Expansion(at) => {
                let own = Cell { instance: instance.id, part: CellPart::Resource(at) };
                if let Some(expression) = module.resources[at as usize].repetition.expression() {
                    self.expression_needs(instance, expression, &mut except(own, visit));
                }
            }
            CellPart::Object(at, _) => self.object_needs(instance, at, visit),
            CellPart::Check(at) => {
                module.checks[at as usize].visit(&mut |seen| {
                    self.expression_needs(instance, seen.expression, visit);
                });
            }
            CellPart::Resource(at) => self.resource_needs(instance, at, visit),
        }
    }

    /// Visits the dependencies of a variable: those of its input, and of its validations.
    fn variable_needs(&self, instance: &InstanceNode, at: u32, visit: &mut dyn FnMut(Cell)) {
        let variable = &self.module(instance).variables[at as usize];
        if let Some((parent, call)) = &instance.parent {
            let call = &self.module(parent).calls[*call as usize];
            if let Some(input) = call.input_at(at as usize, &variable.name) {
                self.expression_needs(parent, &input.value, visit);
            }
        }
        // A validation may refer to its own variable, whose value exists by then.
        let own = Cell { instance: instance.id, part: CellPart::Variable(at) };
        variable.visit(&mut |seen| {
            self.expression_needs(instance, seen.expression, &mut except(own, visit));
        });
    }

    /// Visits the dependencies of the combined value of a module call's instances: of one output, by its index, or of the whole,
    /// by [`CellPart::ALL_OUTPUTS`].
    fn gathered_needs(
        &self,
        instance: &InstanceNode,
        call: u32,
        output: u32,
        visit: &mut dyn FnMut(Cell),
    ) {
        let here = |part| Cell { instance: instance.id, part };
        visit(here(CellPart::Call(call)));
        let Some(cell) = instance.calls[call as usize].get() else { return };
        if output != CellPart::ALL_OUTPUTS {
            let part = CellPart::Output(output);
            return cell.instances.iter().for_each(|instance| {
                visit(Cell { instance: *instance, part });
            });
        }
        let children = &self.node(instance.node).children;
        if let CalledModule::Module(id) = children[call as usize] {
            let outputs = self.node(id).module.outputs.len() as u32;
            (0..outputs).for_each(|output| visit(here(CellPart::Gathered(call, output))));
        }
    }

    /// Visits the cells on which the object of an instance of the resource with the index `at` depends.
    fn object_needs(&self, instance: &InstanceNode, at: u32, visit: &mut dyn FnMut(Cell)) {
        let resource = &self.module(instance).resources[at as usize];
        resource.visit(&mut |seen| {
            if matches!(seen.when(), EvaluationTime::Evaluating | EvaluationTime::Judging) {
                self.expression_needs(instance, seen.expression, visit);
            }
        });
        if let Some((key, for_each)) = self.repeated_provider(instance, resource) {
            self.expression_needs(instance, key, visit);
            self.expression_needs(instance, for_each, visit);
        }
        if resource.mode == ResourceMode::Data {
            self.ordering_needs(instance, resource, visit);
        }
        self.trigger_needs(instance, resource, &mut |other| {
            if other != at {
                visit(Cell { instance: instance.id, part: CellPart::Resource(other) });
            }
        });
    }

    /// Visits the cells on which the combined value of all instances of the resource with the index `at` depends.
    fn resource_needs(&self, instance: &InstanceNode, at: u32, visit: &mut dyn FnMut(Cell)) {
        let here = |part| Cell { instance: instance.id, part };
        visit(here(CellPart::Expansion(at)));
        let Some(cell) = instance.resources[at as usize].get() else { return };
        for key in 0..cell.objects.len() as u32 {
            visit(here(CellPart::Object(at, key)));
        }
        if self.is_tracing() && matches!(cell.expansion, Expansion::Unknown(_)) {
            let own = here(CellPart::Resource(at));
            self.module(instance).resources[at as usize].content.visit(&mut |seen| {
                self.expression_needs(instance, seen.expression, &mut except(own, visit));
            });
        }
    }

    /// Visits the cells that an expression of `instance` depends on.
    pub(crate) fn expression_needs(
        &self,
        instance: &InstanceNode,
        expression: &Expression,
        visit: &mut dyn FnMut(Cell),
    ) {
        for used in &expression.uses {
            self.target_needs(instance, &used.target, visit);
        }
    }

    /// Visits the cells that a reference in `instance` depends on.
    pub(crate) fn target_needs(
        &self,
        instance: &InstanceNode,
        target: &Referent,
        visit: &mut dyn FnMut(Cell),
    ) {
        let here = |part| Cell { instance: instance.id, part };
        match target {
            Referent::Variable(at) => visit(here(CellPart::Variable(*at))),
            Referent::Local(at) => visit(here(CellPart::Local(*at))),
            Referent::Resource(at) => visit(here(CellPart::Resource(*at))),
            Referent::Call(call) | Referent::Output { call, .. } => {
                visit(here(CellPart::Call(*call)));
                // More dependencies show once the instances are known.
                let Some(cell) = instance.calls[*call as usize].get() else { return };
                let CalledModule::Module(id) = self.node(instance.node).children[*call as usize]
                else {
                    if self.is_tracing() {
                        self.input_needs(instance, *call, visit);
                    }
                    return;
                };
                let wanted = match target {
                    Referent::Output { name, .. } => {
                        match self.node(id).module.names.output(name) {
                            Some(output) => output,
                            None => return,
                        }
                    }
                    _ => CellPart::ALL_OUTPUTS,
                };
                match (cell.instances.as_slice(), wanted) {
                    ([], _) if self.is_tracing() => {
                        self.input_needs(instance, *call, visit);
                    }
                    ([], _) => {}
                    ([instance], output) if output != CellPart::ALL_OUTPUTS => {
                        visit(Cell { instance: *instance, part: CellPart::Output(output) });
                    }
                    _ => visit(here(CellPart::Gathered(*call, wanted))),
                }
            }
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => {}
        }
    }

    /// Visits the cells that the inputs of a call depend on.
    fn input_needs(&self, instance: &InstanceNode, call: u32, visit: &mut dyn FnMut(Cell)) {
        if self.is_self_fed(instance, call) {
            return;
        }
        for input in &self.module(instance).calls[call as usize].inputs {
            self.expression_needs(instance, &input.value, visit);
        }
    }
}

/// Returns a visitor that passes on every cell except `own`.
fn except(own: Cell, visit: &mut dyn FnMut(Cell)) -> impl FnMut(Cell) {
    move |need| {
        if need != own {
            visit(need);
        }
    }
}
