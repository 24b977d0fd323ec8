//! The order of evaluation: a stack of cells that wait, made explicit, so that a chain of
//! references costs memory and no recursion. One cell is worked on at a time.

use std::sync::Arc;

use groma_syntax::{Code, Diagnostic, Diagnostics, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instance::Instance;
use super::world::World;
use crate::declare::{Condition, Expression, Mode, Target};
use crate::graph::Declaration;
use crate::link::Child;

static WAITING: Code =
    Code { slug: "evaluation-ring", summary: "Value is needed to work out itself" };

/// One memo cell: a part of a declaration in one instance of its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell {
    /// The module instance.
    pub(crate) instance: u32,
    pub(crate) part: Part,
}

/// Which part of which declaration, by its position in the module's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Part {
    Variable(u32),
    Local(u32),
    Output(u32),
    /// The instances of a module call.
    Call(u32),
    /// How many instances a resource has.
    Spread(u32),
    /// One instance of a resource.
    Object(u32, u32),
    /// All instances of a resource.
    Resource(u32),
    /// The assertions of a check.
    Check(u32),
}

impl Part {
    /// Nothing for what no reference can lead to.
    fn declaration(self) -> Option<Declaration> {
        Some(match self {
            Part::Variable(at) => Declaration::Variable(at),
            Part::Local(at) => Declaration::Local(at),
            Part::Output(at) => Declaration::Output(at),
            Part::Call(at) => Declaration::Call(at),
            Part::Spread(at) | Part::Object(at, _) | Part::Resource(at) => {
                Declaration::Resource(at)
            }
            Part::Check(_) => return None,
        })
    }
}

/// What went wrong in a cell or in one that it needed.
#[derive(Default, Debug)]
struct Trouble {
    own: Vec<Diagnostic>,
    from: Vec<Cell>,
}

/// Which cells are done, and what was found on the way.
#[derive(Default, Debug)]
pub(crate) struct Driver {
    done: FxHashSet<Cell>,
    /// Cells whose needs are being worked on: the way from the question to the top of the stack.
    active: FxHashSet<Cell>,
    /// Only cells that have something to report, or need one that has.
    troubles: FxHashMap<Cell, Trouble>,
}

impl Driver {
    /// Fills the cells and all that they need.
    pub(crate) fn settle(&mut self, world: &Arc<World>, goals: &[Cell]) {
        let mut stack: Vec<Cell> = goals.iter().rev().copied().collect();
        let mut missing: Vec<Cell> = Vec::new();
        while let Some(&cell) = stack.last() {
            if self.done.contains(&cell) {
                stack.pop();
                continue;
            }
            missing.clear();
            let instance = world.instance(cell.instance);
            let stuck = world.is_stuck(&instance, cell);
            if !stuck {
                world.needs(&instance, cell, &mut |need| {
                    if !self.done.contains(&need) {
                        missing.push(need);
                    }
                });
            }
            // The graph has no rings left; should one appear all the same, it must end here.
            let ring = missing.iter().any(|need| self.active.contains(need) || *need == cell);
            if !missing.is_empty() && !ring {
                self.active.insert(cell);
                stack.extend(missing.iter().rev());
                continue;
            }
            stack.pop();
            self.active.remove(&cell);
            let mut out = Diagnostics::new();
            if stuck || ring {
                if ring {
                    out.push(waiting(world, &instance, cell));
                }
                world.give_up(&instance, cell);
            } else {
                world.fill(&instance, cell, &mut out);
            }
            self.done.insert(cell);
            self.remember(world, &instance, cell, out, stuck || ring);
        }
    }

    fn remember(
        &mut self,
        world: &World,
        instance: &Instance,
        cell: Cell,
        out: Diagnostics,
        given_up: bool,
    ) {
        let mut trouble = Trouble { own: out.into_vec(), from: Vec::new() };
        if !given_up && !self.troubles.is_empty() {
            world.needs(instance, cell, &mut |need| {
                if self.troubles.contains_key(&need) {
                    trouble.from.push(need);
                }
            });
        }
        if !trouble.own.is_empty() || !trouble.from.is_empty() {
            self.troubles.insert(cell, trouble);
        }
    }

    /// What was found in these cells and in all that they needed, by place.
    pub(crate) fn report(&self, cells: &[Cell], out: &mut Diagnostics) {
        let mut found = Diagnostics::new();
        let mut seen: FxHashSet<Cell> = FxHashSet::default();
        let mut rest: Vec<Cell> = cells.to_vec();
        while let Some(cell) = rest.pop() {
            if let Some(trouble) = self.troubles.get(&cell)
                && seen.insert(cell)
            {
                found.extend(trouble.own.iter().cloned());
                rest.extend(&trouble.from);
            }
        }
        found.sort_by_place();
        let mut known: FxHashSet<(Option<Place>, &'static str, String)> =
            out.iter().map(|d| (d.place, d.code.slug, d.detail.clone())).collect();
        for diagnostic in found {
            if known.insert((diagnostic.place, diagnostic.code.slug, diagnostic.detail.clone())) {
                out.push(diagnostic);
            }
        }
    }
}

fn waiting(world: &World, instance: &Instance, cell: Cell) -> Diagnostic {
    let node = world.node(instance.node);
    let described = cell.part.declaration().map(|d| crate::graph::describe(node, d));
    let (name, place) = described.unzip();
    let name = name.unwrap_or_default();
    let detail = format!("{name} is needed to work out itself, so it stays unknown.");
    let mut diagnostic = Diagnostic::error(&WAITING, detail);
    diagnostic.place = place;
    diagnostic
}

impl World {
    fn is_stuck(&self, instance: &Instance, cell: Cell) -> bool {
        let project = &self.project;
        let stuck = |d| project.graph.is_stuck(&project.nodes, instance.node, d);
        cell.part.declaration().is_some_and(stuck)
    }

    /// Visits the cells that `cell` needs, as far as they can be named by now: once these are
    /// done there may be more.
    pub(crate) fn needs(&self, instance: &Instance, cell: Cell, visit: &mut dyn FnMut(Cell)) {
        let module = self.module(instance);
        let here = |part| Cell { instance: instance.id, part };
        match cell.part {
            Part::Variable(at) => {
                let variable = &module.variables[at as usize];
                if let Some((parent, call)) = instance.parent {
                    let parent = self.instance(parent);
                    let call = &self.module(&parent).calls[call as usize];
                    if let Some(input) = call.input(&variable.name) {
                        self.expression_needs(&parent, &input.value, visit);
                    }
                }
                // A validation may look at its own variable: that much is there by then.
                let mut others = |need: Cell| {
                    if need != cell {
                        visit(need);
                    }
                };
                for expression in variable.validations.iter().flat_map(|c| c.expressions()) {
                    self.expression_needs(instance, expression, &mut others);
                }
            }
            Part::Local(at) => {
                self.expression_needs(instance, &module.locals[at as usize].value, visit);
            }
            Part::Output(at) => {
                let output = &module.outputs[at as usize];
                let conditions = output.preconditions.iter().flat_map(|c| c.expressions());
                for expression in output.value.iter().chain(conditions) {
                    self.expression_needs(instance, expression, visit);
                }
            }
            Part::Call(at) => {
                if let Some(expression) = module.calls[at as usize].repetition.expression() {
                    self.expression_needs(instance, expression, visit);
                }
            }
            Part::Spread(at) => {
                let mut others = |need: Cell| {
                    if need != here(Part::Resource(at)) {
                        visit(need);
                    }
                };
                if let Some(expression) = module.resources[at as usize].repetition.expression() {
                    self.expression_needs(instance, expression, &mut others);
                }
            }
            Part::Object(at, _) => {
                let resource = &module.resources[at as usize];
                resource.content.expressions(&mut |expression| {
                    self.expression_needs(instance, expression, visit);
                });
                let conditions = resource.preconditions.iter().chain(&resource.postconditions);
                for expression in conditions.flat_map(Condition::expressions) {
                    self.expression_needs(instance, expression, visit);
                }
                if resource.mode == Mode::Data {
                    self.ordering_needs(instance, resource, visit);
                }
            }
            Part::Check(at) => {
                let conditions = module.checks[at as usize].assertions.iter();
                for expression in conditions.flat_map(Condition::expressions) {
                    self.expression_needs(instance, expression, visit);
                }
            }
            Part::Resource(at) => {
                visit(here(Part::Spread(at)));
                if let Some(cell) = instance.resources[at as usize].get() {
                    for key in 0..cell.objects.len() as u32 {
                        visit(here(Part::Object(at, key)));
                    }
                }
            }
        }
    }

    /// Visits the cells that an expression of `instance` needs.
    pub(crate) fn expression_needs(
        &self,
        instance: &Instance,
        expression: &Expression,
        visit: &mut dyn FnMut(Cell),
    ) {
        for used in &expression.uses {
            self.target_needs(instance, &used.target, visit);
        }
    }

    /// Visits the cells that a reference in `instance` needs.
    pub(crate) fn target_needs(
        &self,
        instance: &Instance,
        target: &Target,
        visit: &mut dyn FnMut(Cell),
    ) {
        let here = |part| Cell { instance: instance.id, part };
        match target {
            Target::Variable(at) => visit(here(Part::Variable(*at))),
            Target::Local(at) => visit(here(Part::Local(*at))),
            Target::Resource(at) => visit(here(Part::Resource(*at))),
            Target::Call(call) | Target::Output { call, .. } => {
                visit(here(Part::Call(*call)));
                let Some(cell) = instance.calls[*call as usize].get() else { return };
                let Child::Module(id) = self.node(instance.node).children[*call as usize] else {
                    return;
                };
                let child = &self.node(id).module;
                let wanted = match target {
                    Target::Output { name, .. } => match child.names.output(name) {
                        Some(output) => output..output + 1,
                        None => return,
                    },
                    _ => 0..child.outputs.len() as u32,
                };
                for &instance in &cell.instances {
                    for output in wanted.clone() {
                        visit(Cell { instance, part: Part::Output(output) });
                    }
                }
            }
            Target::Settled | Target::Broken => {}
        }
    }
}
