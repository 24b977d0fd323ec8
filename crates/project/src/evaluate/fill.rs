//! Evaluation of one cell, once its dependencies are filled.

use std::sync::Arc;

use groma_config::DeclarationName;
use groma_module::declare::{Import, Resource};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Causes, Type, Value};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{CallCell, Expansion, InstanceNode, RepeatKey, ResourceCell};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;
use groma_decode::deprecation;

impl EvaluationState {
    /// Evaluates a cell whose dependencies have been filled, and stores its value; returns false if facts about it are pending.
    pub(crate) fn fill(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        cell: Cell,
        out: &mut Diagnostics,
    ) -> bool {
        match cell.part {
            CellPart::Variable(at) => self.fill_variable(instance, at, out),
            CellPart::Local(at) => {
                let local = &self.module(instance).locals[at as usize];
                let scope = self.scope(instance, RepeatKey::None);
                let value = self.evaluate(&local.value, &scope, out);
                let value =
                    deprecation::report(value, &local.value, &self.project.conventions, out);
                let value = self.bounded(value, local.value.place(), out);
                self.set(&instance.locals[at as usize], value);
            }
            CellPart::Output(at) => self.fill_output(instance, at, out),
            CellPart::Call(at) => self.fill_call(instance, at, out),
            CellPart::Expansion(at) => {
                let resource = &self.module(instance).resources[at as usize];
                let expansion = match self.place_of_newer_code(instance, resource) {
                    Some(place) => {
                        let name = DeclarationName::Resource(resource.own_name());
                        self.unknown_instances(instance, name, place)
                    }
                    None => {
                        self.expand(instance, &|| resource.address(), &resource.repetition, out)
                    }
                };
                let expansion = self.charged(expansion, ResourceCell::BYTES);
                let address = instance.resource_address(resource);
                self.set(&instance.resources[at as usize], ResourceCell::new(address, expansion));
            }
            CellPart::Object(at, key) => return self.fill_object(instance, at, key, out),
            CellPart::Resource(_) | CellPart::Gathered(..) => {}
            CellPart::Check(at) => self.fill_check(instance, at, out),
        }
        true
    }

    /// Fills a cell that depends on itself with an unknown value; the cycle is reported elsewhere.
    pub(crate) fn give_up(&self, instance: &InstanceNode, cell: Cell) {
        let unknown = || Value::unknown(Type::Dynamic);
        match cell.part {
            CellPart::Variable(at) => drop(instance.variables[at as usize].set(unknown())),
            CellPart::Local(at) => drop(instance.locals[at as usize].set(unknown())),
            CellPart::Output(at) => drop(instance.outputs[at as usize].set(unknown())),
            CellPart::Call(at) => {
                let expansion = Expansion::Unknown(Causes::NONE);
                let cell = CallCell::new(expansion, Vec::new(), 0);
                drop(instance.calls[at as usize].set(cell));
            }
            CellPart::Expansion(at) | CellPart::Resource(at) => {
                let expansion = Expansion::Unknown(Causes::NONE);
                let resource = &self.module(instance).resources[at as usize];
                let cell = ResourceCell::new(instance.resource_address(resource), expansion);
                drop(instance.resources[at as usize].set(cell));
            }
            CellPart::Check(_) | CellPart::Gathered(..) => {}
            CellPart::Object(at, key) => {
                if let Some(cell) = instance.resources[at as usize].get()
                    && let Some(object) = cell.objects.get(key as usize)
                {
                    drop(object.set(InstanceObject::blank()));
                }
            }
        }
    }

    /// Returns the source range of code in a resource, or in an import of it, that only a newer edition may support, if there is
    /// any. The instances are then unknown.
    fn place_of_newer_code(&self, instance: &InstanceNode, resource: &Resource) -> Option<Place> {
        let project = &self.project;
        let may_be_imported = instance.parent.is_some()
            && project.edition().is_newer_than_known()
            && !project.conventions.imports_below_root;
        let is_meant = |import: &&Import| {
            let target = import.target.as_ref().filter(|target| target.modules.is_empty());
            target.and_then(|target| target.resource.as_ref()).is_some_and(|target| {
                target.mode == resource.mode
                    && target.kind == resource.kind
                    && target.name == resource.name
            })
        };
        let own = resource.news.as_deref().copied();
        own.or_else(|| {
            let imports = self.module(instance).imports.iter().filter(|_| may_be_imported);
            imports.into_iter().find(is_meant).map(|import| import.place)
        })
    }

    /// Evaluates the repetition of a module call and creates the instances of the called module.
    fn fill_call(self: &Arc<Self>, instance: &Arc<InstanceNode>, at: u32, out: &mut Diagnostics) {
        let call = &self.module(instance).calls[at as usize];
        let name = || call.address();
        let expansion = match call.news {
            Some(place) => {
                let name = DeclarationName::Call(call.name.clone());
                self.unknown_instances(instance, name, place)
            }
            None => self.expand(instance, &name, &call.repetition, out),
        };
        let mut instances = Vec::new();
        let mut outputs = 0;
        let child_bytes = match self.node(instance.node).children[at as usize] {
            CalledModule::Module(child) => {
                InstanceNode::bytes(&self.node(child).module, &instance.address)
            }
            CalledModule::Absent => 0,
        };
        let expansion = self.charged(expansion, child_bytes);
        // Another thread may have finished before the budget was reset.
        if self.has_ended() || instance.calls[at as usize].get().is_some() {
            return;
        }
        if let CalledModule::Module(child) = self.node(instance.node).children[at as usize] {
            outputs = self.node(child).module.outputs.len();
            for (key, repeat) in (0..expansion.len()).filter_map(|at| expansion.instance(at)) {
                let path = instance.path.with_call(call.name.clone(), key);
                let position = instances.len() as u32;
                instances.push(self.make_instance(child, instance, at, position, repeat, path));
            }
        }
        self.set(&instance.calls[at as usize], CallCell::new(expansion, instances, outputs));
    }

    /// Charges the budget for the instances of an expansion, each of `bytes`, and returns it; if the budget does not suffice,
    /// returns an expansion of unknown instances.
    fn charged(&self, expansion: Expansion, bytes: u64) -> Expansion {
        let count = expansion.len() as u64;
        match self.options.budget.take_instances(count, count.saturating_mul(bytes)) {
            Ok(()) => expansion,
            Err(_) => Expansion::Unknown(Causes::NONE),
        }
    }

    /// Returns the value if its nesting is within the limit, else an unknown value and an error.
    pub(crate) fn bounded(&self, value: Value, place: Place, out: &mut Diagnostics) -> Value {
        let limit = self.options.limits.nesting;
        if (value.depth() as usize) <= limit {
            return value;
        }
        let detail =
            format!("The value nests more than {limit} levels deep, so it is left unknown.");
        out.push(Diagnostic::error(&codes::VALUE_TOO_DEEP, detail).at(place));
        Value::unknown(Type::Dynamic)
    }
}
