//! The time at which a data source is read: now, or later because a dependency is still to be created. Its own direct references
//! decide; those of local values do not. A module's `depends_on` includes transitive dependencies.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_module::declare::{Expression, Referent, Resource};
use groma_module::visit::EvaluationTime;
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{Expansion, InstanceNode};
use crate::evaluate::outcome::DataReading;
use crate::evaluate::world::EvaluationState;
use crate::tree::CalledModule;

/// The answer to whether an instance of a resource, on which a data source depends, is still to be created or changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PendingChange {
    No,
    /// The number of instances is not known.
    Perhaps,
    Yes,
}

/// A target of `depends_on` that must be complete before a data source is read: a resource or a module call, by instance and
/// index.
enum ReadPrerequisite {
    Resource(Arc<InstanceNode>, u32),
    Call(Arc<InstanceNode>, u32),
}

impl EvaluationState {
    /// Visits the cells that decide if the read of a data source has to wait until apply: those of the `depends_on` targets
    /// that precede it.
    pub(super) fn ordering_needs(
        &self,
        instance: &InstanceNode,
        resource: &Resource,
        visit: &mut dyn FnMut(Cell),
    ) {
        self.visit_preceding(instance, resource, &mut |prerequisite| {
            let (instance, part) = match prerequisite {
                ReadPrerequisite::Resource(instance, at) => (instance, CellPart::Resource(at)),
                ReadPrerequisite::Call(instance, at) => (instance, CellPart::Call(at)),
            };
            visit(Cell { instance: instance.id, part });
        });
    }

    /// Returns when a data source with the arguments `config` is read: now, only during apply, or never.
    pub(super) fn reading(
        &self,
        instance: &InstanceNode,
        resource: &Resource,
        config: &Value,
    ) -> DataReading {
        if !config.is_wholly_known() {
            let pending = self.is_pending_only(&config.deep_causes());
            return if pending { DataReading::ConfigUnknown } else { DataReading::Unread };
        }
        let mut pending = PendingChange::No;
        let mut add = |instance: &InstanceNode, at: u32| {
            pending = pending.max(self.pending_change(instance, at));
        };
        resource.visit(&mut |seen| {
            let uses = seen.expression.uses.iter().filter(|_| seen.is_of_instances());
            for used in uses {
                if let Referent::Resource(at) = used.target {
                    add(instance, at);
                }
            }
        });
        self.visit_preceding(instance, resource, &mut |prerequisite| {
            if let ReadPrerequisite::Resource(instance, at) = prerequisite {
                add(&instance, at);
            }
        });
        match pending {
            PendingChange::Yes => DataReading::DependencyPending,
            // The facts decide if it is read.
            PendingChange::No => DataReading::Done,
            PendingChange::Perhaps => DataReading::Unread,
        }
    }

    /// Returns whether an instance of a managed resource is still to be created or changed; `Perhaps` if its instances are
    /// unknown.
    fn pending_change(&self, instance: &InstanceNode, at: u32) -> PendingChange {
        if self.module(instance).resources[at as usize].mode != ResourceMode::Managed {
            return PendingChange::No;
        }
        match instance.resources[at as usize].get().map(|cell| &cell.expansion) {
            None => PendingChange::No,
            Some(Expansion::Unknown(causes)) if self.is_pending_only(causes) => PendingChange::Yes,
            Some(Expansion::Unknown(_)) => PendingChange::Perhaps,
            Some(expansion) => {
                let all = (0..expansion.len()).filter_map(|at| expansion.instance(at));
                let resource = &self.module(instance).resources[at as usize];
                let address = instance.resource_address(resource);
                let mut keys = all.map(|(key, _)| key);
                let is_changing = match &self.facts.prior {
                    Some(prior) => prior.has_changes(&address, &mut keys),
                    None => keys.next().is_some(),
                };
                match is_changing {
                    true => PendingChange::Yes,
                    false => PendingChange::No,
                }
            }
        }
    }

    /// Visits the targets of `depends_on` that precede a data source: its own, and those of the enclosing modules.
    fn visit_preceding(
        &self,
        instance: &InstanceNode,
        resource: &Resource,
        visit: &mut dyn FnMut(ReadPrerequisite),
    ) {
        let mut walk = DependencyWalk { world: self, seen: FxHashSet::default(), visit };
        let here = self.instance(instance.id);
        for expression in &resource.depends_on {
            for used in &expression.uses {
                match &used.target {
                    Referent::Resource(at) => walk.resource(&here, *at),
                    Referent::Call(call) | Referent::Output { call, .. } => walk.call(&here, *call),
                    _ => {}
                }
            }
        }
        let mut enclosing = here;
        while let Some((parent, call)) = enclosing.parent.clone() {
            enclosing = parent;
            let call = &self.module(&enclosing).calls[call as usize];
            walk.expressions(&enclosing, &call.depends_on);
        }
    }
}

/// A walk along the dependencies of a data source, each cell once, for what has to be created or read before it.
struct DependencyWalk<'w, 'v> {
    world: &'w EvaluationState,
    seen: FxHashSet<Cell>,
    visit: &'v mut dyn FnMut(ReadPrerequisite),
}

impl DependencyWalk<'_, '_> {
    /// Returns true if the walk visits a cell for the first time.
    fn is_new(&mut self, instance: &InstanceNode, part: CellPart) -> bool {
        self.seen.insert(Cell { instance: instance.id, part })
    }

    /// Passes a resource that the data source depends on, by its index, to the visitor of the walk, unless it was passed before.
    fn resource(&mut self, instance: &Arc<InstanceNode>, at: u32) {
        if self.is_new(instance, CellPart::Resource(at)) {
            (self.visit)(ReadPrerequisite::Resource(instance.clone(), at));
        }
    }

    /// Visits all resources of a called module, as far as its instances are known.
    fn call(&mut self, instance: &Arc<InstanceNode>, call: u32) {
        let mut rest = vec![(instance.clone(), call)];
        while let Some((instance, call)) = rest.pop() {
            if !self.is_new(&instance, CellPart::Call(call)) {
                continue;
            }
            (self.visit)(ReadPrerequisite::Call(instance.clone(), call));
            let Some(cell) = instance.calls[call as usize].get() else { continue };
            for child in cell.instances.iter().map(|id| self.world.instance(*id)) {
                let module = self.world.module(&child);
                for at in 0..module.resources.len() as u32 {
                    self.resource(&child, at);
                }
                rest.extend((0..module.calls.len() as u32).map(|call| (child.clone(), call)));
            }
        }
    }

    /// Visits the resources and module calls that these expressions refer to, directly or through other declarations.
    fn expressions(&mut self, instance: &Arc<InstanceNode>, expressions: &[Expression]) {
        let mut rest: Vec<(Arc<InstanceNode>, Referent)> = Vec::new();
        let targets = |expression: &Expression| -> Vec<Referent> {
            expression.uses.iter().map(|used| used.target.clone()).collect()
        };
        let push = |rest: &mut Vec<(Arc<InstanceNode>, Referent)>,
                    at: &Arc<InstanceNode>,
                    e: &Expression| {
            rest.extend(targets(e).into_iter().map(|target| (at.clone(), target)));
        };
        expressions.iter().for_each(|e| push(&mut rest, instance, e));
        while let Some((instance, target)) = rest.pop() {
            let module = self.world.module(&instance);
            match &target {
                Referent::Resource(at) => {
                    if !self.is_new(&instance, CellPart::Resource(*at)) {
                        continue;
                    }
                    (self.visit)(ReadPrerequisite::Resource(instance.clone(), *at));
                    let resource = &module.resources[*at as usize];
                    resource.visit(&mut |seen| {
                        if seen.is_of_instances() || seen.when() == EvaluationTime::Ordering {
                            push(&mut rest, &instance, seen.expression);
                        }
                    });
                }
                Referent::Local(at) => {
                    if self.is_new(&instance, CellPart::Local(*at)) {
                        push(&mut rest, &instance, &module.locals[*at as usize].value);
                    }
                }
                Referent::Variable(at) => {
                    if let Some((parent, call)) = &instance.parent
                        && self.is_new(&instance, CellPart::Variable(*at))
                    {
                        let call = &self.world.module(parent).calls[*call as usize];
                        if let Some(input) = call.input(&module.variables[*at as usize].name) {
                            push(&mut rest, parent, &input.value);
                        }
                    }
                }
                Referent::Call(call) => self.call(&instance, *call),
                Referent::Output { call, name } => {
                    let Some(cell) = instance.calls[*call as usize].get() else {
                        (self.visit)(ReadPrerequisite::Call(instance.clone(), *call));
                        continue;
                    };
                    let node = self.world.node(instance.node);
                    let CalledModule::Module(child) = node.children[*call as usize] else {
                        continue;
                    };
                    let inner = &self.world.node(child).module;
                    let Some(output) = inner.names.output(name) else { continue };
                    for child in cell.instances.iter().map(|id| self.world.instance(*id)) {
                        if self.is_new(&child, CellPart::Output(output)) {
                            let output = &inner.outputs[output as usize];
                            output.visit(&mut |seen| push(&mut rest, &child, seen.expression));
                        }
                    }
                }
                Referent::Settled
                | Referent::TypeWord
                | Referent::Itself
                | Referent::Broken
                | Referent::News => {}
            }
        }
    }
}
