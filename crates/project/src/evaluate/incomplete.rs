//! Everything that an evaluation could not cover, by name: missing modules, undecidable repetitions, data sources and functions
//! that were not called. A call without instances is covered, even if its module is missing.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_config::{
    DeclarationName, Incompleteness, InstanceKey, ModulePath, ResourceMode, UnaskedFunction,
    UndecidedAddress, UndecidedCount, UndecidedModule, UnreadData, UnreadModule, literal_text,
};
use groma_eval::CauseClass;
use groma_syntax::Diagnostics;
use groma_value::{CauseId, Causes, Value};
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart, ROOT};
use crate::evaluate::evaluation::Evaluation;
use crate::evaluate::instance::{Expansion, InstanceNode};
use crate::evaluate::outcome::DataReading;
use crate::evaluate::world::EvaluationState;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId};

impl Project {
    /// Returns everything that could not be loaded: the called modules that are not available.
    pub fn gaps(&self) -> Incompleteness {
        let mut modules = UnreadModules::default();
        for at in 0..self.nodes.len() as u32 {
            for call in 0..self.nodes[at as usize].children.len() as u32 {
                unread(self, ModuleId(at), call, &mut modules);
            }
        }
        Incompleteness {
            modules: modules.sorted(),
            schemas: self.unfit.clone(),
            ..Incompleteness::default()
        }
    }
}

/// The called modules that are not available, each once.
#[derive(Default)]
struct UnreadModules {
    all: Vec<UnreadModule>,
    seen: FxHashSet<ModulePath>,
}

impl UnreadModules {
    /// Returns the modules that are not available, sorted by the texts of their addresses.
    fn sorted(mut self) -> Vec<UnreadModule> {
        self.all.sort_by_cached_key(|one| one.address.to_string());
        self.all
    }
}

/// Adds the module of a call to `found`, if that module is not available.
fn unread(project: &Project, at: ModuleId, call: u32, found: &mut UnreadModules) {
    let node = &project.nodes[at.0 as usize];
    if !matches!(node.children[call as usize], CalledModule::Absent) {
        return;
    }
    let call = &node.module.calls[call as usize];
    let address = node.path.with_call(call.name.clone());
    if !found.seen.insert(address.clone()) {
        return;
    }
    let source = call.source.as_ref();
    let text = |value: Value| match value.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    };
    found.all.push(UnreadModule {
        address,
        place: source.map_or(call.place, |source| source.place()),
        source: source.and_then(|source| text(source.constant()?)),
        version: call.version.as_ref().and_then(|version| literal_text(&version.expr)),
    });
}

impl Evaluation {
    /// Returns everything that could not be evaluated. Evaluates everything first, if needed.
    pub fn gaps(&self) -> Incompleteness {
        self.evaluate_all(&mut Diagnostics::new());
        let mut search = GapSearch {
            world: &self.world,
            modules: UnreadModules::default(),
            causes: BTreeSet::new(),
            found: Incompleteness::default(),
        };
        let mut instances = vec![self.world.instance(ROOT)];
        let mut next = 0;
        while let Some(instance) = instances.get(next).cloned() {
            next += 1;
            search.instance(&instance);
            let calls = instance.calls.iter().filter_map(|cell| cell.get());
            let below = calls.flat_map(|cell| &cell.instances);
            instances.extend(below.map(|id| self.world.instance(*id)));
        }
        search.finish()
    }
}

/// A search of the module instances for everything that could not be evaluated.
struct GapSearch<'w> {
    world: &'w Arc<EvaluationState>,
    modules: UnreadModules,
    /// The causes of unknown values.
    causes: BTreeSet<CauseId>,
    found: Incompleteness,
}

impl GapSearch<'_> {
    /// Adds everything in a module instance that could not be evaluated to the result of the search.
    fn instance(&mut self, instance: &Arc<InstanceNode>) {
        let world = self.world;
        let module = world.module(instance);
        for (at, cell) in instance.calls.iter().enumerate() {
            let Some(expansion) = cell.get().map(|cell| &cell.expansion) else { continue };
            let call = &module.calls[at];
            if let Expansion::Unknown(causes) = expansion {
                let name = DeclarationName::Call(call.name.clone());
                let address = UndecidedModule::from(&instance.path).declared(name, true);
                self.placeholder(instance.node, at as u32, address, causes);
            } else if expansion.len() > 0 {
                unread(&world.project, instance.node, at as u32, &mut self.modules);
            }
        }
        for (at, cell) in instance.resources.iter().enumerate() {
            let (resource, Some(cell)) = (&module.resources[at], cell.get()) else { continue };
            if let Expansion::Unknown(causes) = &cell.expansion {
                let name = DeclarationName::Resource(resource.own_name());
                let address = UndecidedModule::from(&instance.path).declared(name, true);
                let (place, causes) = (resource.place, causes.clone());
                self.found.undecided.push(UndecidedCount { address, place, causes });
            }
            for (key, object) in cell.objects.iter().enumerate() {
                let Some(object) = object.get() else { continue };
                self.value(&object.shown());
                let part = CellPart::Object(at as u32, key as u32);
                let here = Cell { instance: instance.id, part };
                let reading = world.ledger().readings.get(&here).copied();
                if resource.mode == ResourceMode::Data && reading == Some(DataReading::Unread) {
                    let key = cell.expansion.key(key).unwrap_or(InstanceKey::None);
                    let address = cell.address.instance(key);
                    self.found.data.push(UnreadData { address, place: resource.place });
                }
            }
        }
        let values = instance.variables.iter().chain(&instance.locals).chain(&instance.outputs);
        for value in values.filter_map(|cell| cell.get()) {
            self.value(value);
        }
    }

    /// Adds a module call whose number of instances is unknown because of `causes` to the result of the search, and every
    /// resource and call inside of the called module.
    fn placeholder(
        &mut self,
        node: ModuleId,
        call: u32,
        address: UndecidedAddress,
        causes: &Causes,
    ) {
        let project = &self.world.project;
        let mut rest = vec![(node, call, address)];
        while let Some((node, call, address)) = rest.pop() {
            unread(project, node, call, &mut self.modules);
            let declared = &project.nodes[node.0 as usize].module.calls[call as usize];
            let mut add = |address: UndecidedAddress, place| {
                self.found.undecided.push(UndecidedCount {
                    address,
                    place,
                    causes: causes.clone(),
                });
            };
            add(address.clone(), declared.place);
            let CalledModule::Module(child) =
                project.nodes[node.0 as usize].children[call as usize]
            else {
                continue;
            };
            let Some(called) = address.called() else { continue };
            let module = &project.nodes[child.0 as usize].module;
            for resource in &module.resources {
                let name = DeclarationName::Resource(resource.own_name());
                add(
                    called.declared(name, resource.repetition.expression().is_some()),
                    resource.place,
                );
            }
            for (at, inner) in module.calls.iter().enumerate().rev() {
                let name = DeclarationName::Call(inner.name.clone());
                let address = called.declared(name, inner.repetition.expression().is_some());
                rest.push((child, at as u32, address));
            }
        }
    }

    /// Adds the causes of the unknown parts of a value to those that the search has found.
    fn value(&mut self, value: &Value) {
        if !value.is_wholly_known() {
            self.causes.extend(value.deep_causes().ids());
        }
    }

    /// Returns everything that the search has found, with each cause looked up in the table of causes.
    fn finish(mut self) -> Incompleteness {
        let causes = self.causes.iter().filter_map(|id| self.world.causes().get(*id));
        let functions: BTreeSet<UnaskedFunction> = causes
            .filter(|cause| cause.class == CauseClass::Offline && cause.kind == "function")
            .map(|cause| UnaskedFunction { name: cause.address.text().clone(), place: cause.place })
            .collect();
        self.found.functions = functions.into_iter().collect();
        self.found.schemas = self.world.project.unfit.clone();
        self.found.modules = self.modules.sorted();
        self.found
    }
}
