//! When a data source is read: now, or later because something it depends on is still to be made.
//! What it refers to itself decides; what a local value refers to does not. A module's `depends_on`
//! reaches further: it means everything that its targets need in their turn.

use std::sync::Arc;

use groma_folder::Mode;
use groma_module::declare::{Expression, Referent, Resource};
use groma_module::visit::When;
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{Instance, Spread};
use crate::evaluate::outcome::Reading;
use crate::evaluate::world::World;
use crate::tree::Child;

/// Whether something that is depended on is still to be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Waiting {
    No,
    /// How many there are is not known.
    Perhaps,
    Yes,
}

/// What an order says to wait for.
enum Ahead {
    Resource(Arc<Instance>, u32),
    Call(Arc<Instance>, u32),
}

impl World {
    /// Visits the cells that say whether a data source has to wait.
    pub(super) fn ordering_needs(
        &self,
        instance: &Instance,
        resource: &Resource,
        visit: &mut dyn FnMut(Cell),
    ) {
        self.ahead(instance, resource, &mut |ahead| {
            let (instance, part) = match ahead {
                Ahead::Resource(instance, at) => (instance, CellPart::Resource(at)),
                Ahead::Call(instance, at) => (instance, CellPart::Call(at)),
            };
            visit(Cell { instance: instance.id, part });
        });
    }

    /// Whether a data source is read now. `config` is what its arguments are worth.
    pub(super) fn reading(
        &self,
        instance: &Instance,
        resource: &Resource,
        config: &Value,
    ) -> Reading {
        if !config.is_wholly_known() {
            let pending = self.is_pending_only(&config.deep_causes());
            return if pending { Reading::ConfigUnknown } else { Reading::Unread };
        }
        let mut waiting = Waiting::No;
        let mut add = |instance: &Instance, at: u32| {
            waiting = waiting.max(self.is_to_be_made(instance, at));
        };
        resource.visit(&mut |seen| {
            let uses = seen.expression.uses.iter().filter(|_| seen.is_of_instances());
            for used in uses {
                if let Referent::Resource(at) = used.target {
                    add(instance, at);
                }
            }
        });
        self.ahead(instance, resource, &mut |ahead| {
            if let Ahead::Resource(instance, at) = ahead {
                add(&instance, at);
            }
        });
        match waiting {
            Waiting::Yes => Reading::DependencyPending,
            // The facts decide whether anybody reads it.
            Waiting::No => Reading::Done,
            Waiting::Perhaps => Reading::Unread,
        }
    }

    fn is_to_be_made(&self, instance: &Instance, at: u32) -> Waiting {
        if self.module(instance).resources[at as usize].mode != Mode::Managed {
            return Waiting::No;
        }
        match instance.resources[at as usize].get().map(|cell| &cell.spread) {
            None => Waiting::No,
            Some(Spread::Unsettled(causes)) if self.is_pending_only(causes) => Waiting::Yes,
            Some(Spread::Unsettled(_)) => Waiting::Perhaps,
            Some(spread) => {
                let all = (0..spread.len()).filter_map(|at| spread.instance(at));
                let address =
                    instance.address_of(&self.module(instance).resources[at as usize].address());
                match self.facts.changes(&address, &mut all.map(|(key, _)| key)) {
                    true => Waiting::Yes,
                    false => Waiting::No,
                }
            }
        }
    }

    /// Visits what `depends_on` puts before a data source: its own, and those of the modules around.
    fn ahead(&self, instance: &Instance, resource: &Resource, visit: &mut dyn FnMut(Ahead)) {
        let mut walk = Walk { world: self, seen: FxHashSet::default(), visit };
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
        let mut around = here;
        while let Some((parent, call)) = around.parent.clone() {
            around = parent;
            let call = &self.module(&around).calls[call as usize];
            walk.everything(&around, &call.depends_on);
        }
    }
}

/// A walk along dependencies; nothing is visited twice.
struct Walk<'w, 'v> {
    world: &'w World,
    seen: FxHashSet<Cell>,
    visit: &'v mut dyn FnMut(Ahead),
}

impl Walk<'_, '_> {
    fn is_new(&mut self, instance: &Instance, part: CellPart) -> bool {
        self.seen.insert(Cell { instance: instance.id, part })
    }

    fn resource(&mut self, instance: &Arc<Instance>, at: u32) {
        if self.is_new(instance, CellPart::Resource(at)) {
            (self.visit)(Ahead::Resource(instance.clone(), at));
        }
    }

    /// All resources of the modules that a call leads to, as far as the instances are there.
    fn call(&mut self, instance: &Arc<Instance>, call: u32) {
        let mut rest = vec![(instance.clone(), call)];
        while let Some((instance, call)) = rest.pop() {
            if !self.is_new(&instance, CellPart::Call(call)) {
                continue;
            }
            (self.visit)(Ahead::Call(instance.clone(), call));
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

    /// What the references of these expressions lead to, and what that needs in its turn.
    fn everything(&mut self, instance: &Arc<Instance>, expressions: &[Expression]) {
        let mut rest: Vec<(Arc<Instance>, Referent)> = Vec::new();
        let targets = |expression: &Expression| -> Vec<Referent> {
            expression.uses.iter().map(|used| used.target.clone()).collect()
        };
        let push =
            |rest: &mut Vec<(Arc<Instance>, Referent)>, at: &Arc<Instance>, e: &Expression| {
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
                    (self.visit)(Ahead::Resource(instance.clone(), *at));
                    let resource = &module.resources[*at as usize];
                    resource.visit(&mut |seen| {
                        if seen.is_of_instances() || seen.when() == When::Ordering {
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
                        (self.visit)(Ahead::Call(instance.clone(), *call));
                        continue;
                    };
                    let node = self.world.node(instance.node);
                    let Child::Module(child) = node.children[*call as usize] else { continue };
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
