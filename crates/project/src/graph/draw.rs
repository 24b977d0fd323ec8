//! The dependency graph of a project, and its cycles. A node is a declaration at a place in the module tree; instances share it.

use std::sync::OnceLock;

use groma_config::AddressPattern;
use groma_eval::Step;
use groma_module::declare::{Expression, Module, Referent};
use groma_module::visit::{Declaration, EvaluationTime};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::graph::fed::SelfFedCalls;
use crate::graph::{DependencyCycle, GraphEdges, cycle};
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// The dependency graph of a project: its declarations as numbered nodes, and an edge to each declaration that one refers to.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The number of the first node of each module.
    bases: Vec<u32>,
    edges: GraphEdges,
    /// The nodes that are part of a cycle.
    in_cycles: FxHashSet<u32>,
    /// Calls whose inputs depend on their outputs, on first use.
    pub(super) self_fed: OnceLock<SelfFedCalls>,
}

impl Graph {
    /// Builds the dependency graph of the modules `nodes` and reports its cycles.
    pub(crate) fn of(nodes: &[TreeModule], out: &mut Diagnostics) -> Graph {
        let mut bases = Vec::with_capacity(nodes.len());
        let mut count = 0;
        for node in nodes {
            bases.push(count);
            count += size(&node.module);
        }
        let mut graph = Graph { bases, ..Graph::default() };
        let [pairs, mut orders] = graph.all_pairs(nodes, count);
        let cycles = match orders.is_empty() {
            true => None,
            false => {
                graph.ends(nodes, count, &mut orders);
                orders.extend_from_slice(&pairs);
                let mut cycles =
                    cycle::cycles(&GraphEdges::new(count as usize + nodes.len(), orders));
                for cycle in &mut cycles {
                    cycle.path.retain(|number| *number < count);
                    cycle.members.retain(|number| *number < count);
                }
                cycles.retain(|cycle| !cycle.path.is_empty());
                Some(cycles)
            }
        };
        graph.edges = GraphEdges::new(count as usize, pairs);
        let cycles = cycles.unwrap_or_else(|| cycle::cycles(&graph.edges));
        let mut seen: FxHashMap<Place, ()> = FxHashMap::default();
        for cycle in &cycles {
            graph.in_cycles.extend(&cycle.members);
            let diagnostic = graph.describe(nodes, cycle);
            // A module that is called twice has its cycles twice.
            let place = diagnostic.place.unwrap_or_default();
            if seen.insert(place, ()).is_none() {
                out.push(diagnostic);
            }
        }
        graph
    }

    /// Returns the number of a declaration's node in the graph.
    pub(crate) fn number(
        &self,
        nodes: &[TreeModule],
        node: ModuleId,
        declaration: Declaration,
    ) -> u32 {
        let module = &nodes[node.0 as usize].module;
        let base = self.bases[node.0 as usize];
        let (kind, at) = declaration.position();
        base + offset(module, kind) + at
    }

    /// Returns the edges of the graph: from each declaration to those it depends on.
    pub(super) fn edges(&self) -> &GraphEdges {
        &self.edges
    }

    /// Returns a function that counts the resources, outputs and module calls that depend on the given nodes, directly or
    /// indirectly.
    pub(crate) fn dependents_counter(&self, nodes: &[TreeModule]) -> impl FnMut(&[u32]) -> usize {
        let count = self.edges.count();
        let needers = self.edges.reversed();
        // The count in which each declaration was last reached, so that nothing has to be cleared.
        let (mut met, mut turn) = (vec![0_u32; count], 0);
        move |needed| {
            turn += 1;
            let mut waiting = needed.to_vec();
            needed.iter().for_each(|number| met[*number as usize] = turn);
            let mut found = 0;
            while let Some(number) = waiting.pop() {
                for needer in needers.of(number) {
                    if std::mem::replace(&mut met[*needer as usize], turn) == turn {
                        continue;
                    }
                    let (_, declaration) = self.declaration(nodes, *needer);
                    let counts = matches!(
                        declaration,
                        Declaration::Resource(_) | Declaration::Output(_) | Declaration::Call(_)
                    );
                    found += usize::from(counts);
                    waiting.push(*needer);
                }
            }
            found
        }
    }

    /// Returns true if a declaration is part of a dependency cycle.
    pub(crate) fn is_in_cycle(
        &self,
        nodes: &[TreeModule],
        node: ModuleId,
        declaration: Declaration,
    ) -> bool {
        !self.in_cycles.is_empty()
            && self.in_cycles.contains(&self.number(nodes, node, declaration))
    }

    /// Returns the edges of all modules as pairs of nodes: dependencies between evaluated declarations, and edges that only order
    /// resources; nodes numbered from `count` on each stand for the completion of one module.
    fn all_pairs(&self, nodes: &[TreeModule], count: u32) -> [Vec<(u32, u32)>; 2] {
        let (mut pairs, mut orders) = (Vec::new(), Vec::new());
        for (at, _) in nodes.iter().enumerate() {
            self.pairs(nodes, ModuleId(at as u32), count, &mut pairs, &mut orders);
        }
        [pairs, orders]
    }

    /// Returns every edge that orders the creation and import of resources, dependencies of evaluation included, as pairs of
    /// nodes. The end of each module is a node, too, after those of all declarations; everything in a module comes after its
    /// call.
    pub(super) fn order(&self, nodes: &[TreeModule]) -> Vec<(u32, u32)> {
        let count = self.edges.count() as u32;
        let [mut pairs, mut orders] = self.all_pairs(nodes, count);
        self.ends(nodes, count, &mut orders);
        pairs.append(&mut orders);
        for (at, node) in nodes.iter().enumerate() {
            let Some((parent, call)) = node.parent else { continue };
            let call = self.number(nodes, parent, Declaration::Call(call));
            let first = self.bases[at];
            pairs.extend((first..first + size(&node.module)).map(|own| (own, call)));
        }
        pairs
    }

    /// Appends the edges of a module: dependencies between evaluated declarations to `pairs`, edges that only order resources to
    /// `orders`, also to ends of modules, numbered from `count` on.
    fn pairs(
        &self,
        nodes: &[TreeModule],
        at: ModuleId,
        count: u32,
        pairs: &mut Vec<(u32, u32)>,
        orders: &mut Vec<(u32, u32)>,
    ) {
        let node = &nodes[at.0 as usize];
        let module = &node.module;
        let number = |declaration| self.number(nodes, at, declaration);
        let (mut needed, mut ordered): (Vec<&Expression>, Vec<&Expression>) = Default::default();
        for declaration in module.declarations() {
            let from = number(declaration);
            needed.clear();
            ordered.clear();
            module.visit_one(declaration, &mut |seen| {
                let is_needed = match declaration {
                    // The inputs of a call are dependencies of the module's variables.
                    Declaration::Call(_) => {
                        matches!(seen.when(), EvaluationTime::Expanding | EvaluationTime::Ordering)
                    }
                    _ => seen.is_evaluated() || seen.when() == EvaluationTime::Ordering,
                };
                if is_needed {
                    needed.push(seen.expression);
                } else if matches!(declaration, Declaration::Resource(_) | Declaration::Import(_)) {
                    ordered.push(seen.expression);
                }
            });
            // Validations, postconditions and counts may refer to their own declaration.
            let sees_itself =
                matches!(declaration, Declaration::Variable(_) | Declaration::Resource(_));
            self.edges_of(nodes, at, from, needed.iter().copied(), sees_itself, pairs);
            for expression in &needed {
                add_end_dependency(node, expression, from, count, orders);
            }
            match declaration {
                // An imported object comes after the dependencies of its id.
                Declaration::Import(i) => {
                    let target = module.imports[i as usize].target.as_ref();
                    if let Some(to) = target.and_then(|target| self.resource(nodes, at, target)) {
                        ordered.append(&mut needed);
                        self.edges_of(nodes, at, to, ordered.iter().copied(), true, orders);
                    }
                }
                _ => self.edges_of(nodes, at, from, ordered.iter().copied(), true, orders),
            }
            if let Declaration::Resource(i) = declaration {
                self.order_of_actions(nodes, at, (i, from), count, orders);
            }
            if let (Declaration::Variable(i), Some((parent, call))) = (declaration, node.parent) {
                let call = &nodes[parent.0 as usize].module.calls[call as usize];
                if let Some(input) = call.input(&module.variables[i as usize].name) {
                    self.edges_of(nodes, parent, from, [&input.value], false, pairs);
                    add_end_dependency(
                        &nodes[parent.0 as usize],
                        &input.value,
                        from,
                        count,
                        orders,
                    );
                }
            }
        }
    }

    /// Appends to `orders` edges from a resource, given by its index in the module `at` and as the node `from`, to the
    /// dependencies of the actions that it triggers, except the resources that trigger the same action; `count` is the number of
    /// declarations, as nodes that stand for the end of a module follow them.
    fn order_of_actions(
        &self,
        nodes: &[TreeModule],
        at: ModuleId,
        (resource, from): (u32, u32),
        count: u32,
        orders: &mut Vec<(u32, u32)>,
    ) {
        let module = &nodes[at.0 as usize].module;
        for action in module.triggered_actions(resource) {
            let callers = module.names.callers_of(action);
            module.visit_one(Declaration::Resource(action), &mut |seen| {
                if !seen.is_evaluated() {
                    return;
                }
                for used in &seen.expression.uses {
                    if matches!(used.target, Referent::Resource(at) if callers.contains(&at)) {
                        continue;
                    }
                    self.targets(nodes, at, &used.target, &mut |to| orders.push((from, to)));
                }
                add_end_dependency(&nodes[at.0 as usize], seen.expression, from, count, orders);
            });
        }
    }

    /// Appends an edge from the node `from` for every reference of these expressions; with `sees_itself`, references to the node
    /// itself are allowed and give none.
    fn edges_of<'m>(
        &self,
        nodes: &[TreeModule],
        at: ModuleId,
        from: u32,
        expressions: impl IntoIterator<Item = &'m Expression>,
        sees_itself: bool,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        for expression in expressions {
            for used in &expression.uses {
                self.targets(nodes, at, &used.target, &mut |to| {
                    if !(sees_itself && to == from) {
                        pairs.push((from, to));
                    }
                });
            }
        }
    }

    /// Appends to `orders` the dependencies of the nodes that each stand for the completion of one module: its declarations, and
    /// its call. These nodes are numbered from `count` on.
    fn ends(&self, nodes: &[TreeModule], count: u32, orders: &mut Vec<(u32, u32)>) {
        for (at, node) in nodes.iter().enumerate() {
            let Some((parent, call)) = node.parent else { continue };
            let (id, end) = (ModuleId(at as u32), count + at as u32);
            orders.push((end, self.number(nodes, parent, Declaration::Call(call))));
            if parent.0 > 0 {
                orders.push((count + parent.0, end));
            }
            let counted = node.module.declarations().filter(|declaration| match declaration {
                Declaration::Variable(_)
                | Declaration::Local(_)
                | Declaration::Call(_)
                | Declaration::Resource(_)
                | Declaration::Output(_) => true,
                Declaration::Check(_) | Declaration::Provider(_) | Declaration::Import(_) => false,
            });
            orders.extend(counted.map(|one| (end, self.number(nodes, id, one))));
        }
    }

    /// Returns the node of the resource at an address relative to module `at`; `None` if it is not declared there.
    fn resource(
        &self,
        nodes: &[TreeModule],
        mut at: ModuleId,
        target: &AddressPattern,
    ) -> Option<u32> {
        for (name, _) in &target.modules {
            let node = &nodes[at.0 as usize];
            let call = node.module.call_position(name)?;
            let Some(CalledModule::Module(id)) = node.children.get(call) else { return None };
            at = *id;
        }
        let wanted = target.resource.as_ref()?;
        let module = &nodes[at.0 as usize].module;
        let found = module.resource_position(wanted.mode, &wanted.kind, &wanted.name)?;
        Some(self.number(nodes, at, Declaration::Resource(found as u32)))
    }

    /// Visits the nodes that a reference in module `at` refers to.
    pub(super) fn targets(
        &self,
        nodes: &[TreeModule],
        at: ModuleId,
        target: &Referent,
        visit: &mut dyn FnMut(u32),
    ) {
        let number = |declaration| self.number(nodes, at, declaration);
        match target {
            Referent::Variable(i) => visit(number(Declaration::Variable(*i))),
            Referent::Local(i) => visit(number(Declaration::Local(*i))),
            Referent::Resource(i) => visit(number(Declaration::Resource(*i))),
            Referent::Call(call) | Referent::Output { call, .. } => {
                visit(number(Declaration::Call(*call)));
                let node = &nodes[at.0 as usize];
                let Some(CalledModule::Module(id)) = node.children.get(*call as usize) else {
                    return;
                };
                let child = &nodes[id.0 as usize].module;
                let wanted = match target {
                    Referent::Output { name, .. } => match child.names.output(name) {
                        Some(output) => output..output + 1,
                        None => return,
                    },
                    _ => 0..child.outputs.len() as u32,
                };
                for output in wanted {
                    visit(self.number(nodes, *id, Declaration::Output(output)));
                }
            }
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => {}
        }
    }

    /// Returns the module and the declaration that a node of the graph stands for, by the node's number.
    pub(super) fn declaration(&self, nodes: &[TreeModule], number: u32) -> (ModuleId, Declaration) {
        let at = self.bases.partition_point(|base| *base <= number).saturating_sub(1);
        // Modules without declarations share their first node with the next one.
        let module = &nodes[at].module;
        let inside = number - self.bases[at];
        let mut kinds = (0..Declaration::KINDS.len()).rev();
        let kind = kinds.find(|kind| inside >= offset(module, *kind)).unwrap_or(0);
        let declaration = Declaration::KINDS[kind](inside - offset(module, kind));
        (ModuleId(at as u32), declaration)
    }

    /// Returns the diagnostic for a dependency cycle.
    fn describe(&self, nodes: &[TreeModule], cycle: &DependencyCycle) -> Diagnostic {
        /// Maximum number of declarations of a cycle that the message names.
        const SHOWN: usize = 12;
        let named: Vec<(String, Place)> = cycle
            .path
            .iter()
            .map(|number| {
                let (node, declaration) = self.declaration(nodes, *number);
                describe(&nodes[node.0 as usize], declaration)
            })
            .collect();
        let (first, place) = &named[0];
        let mut detail = match named.len() {
            1 => format!("{first} refers to itself, so it has no value."),
            _ => {
                let mut names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
                let left = names.len().saturating_sub(SHOWN);
                names.truncate(SHOWN);
                let more = if left > 0 { format!(" -> {left} more") } else { String::new() };
                format!(
                    "{first} depends on itself through others, so none of them has a value: {}{more} -> {first}.",
                    names.join(" -> ")
                )
            }
        };
        let others = cycle.members.len() - cycle.path.len();
        if others > 0 {
            detail.push_str(&format!(" {others} more declarations are part of the same cycle."));
        }
        let mut diagnostic = Diagnostic::error(&codes::REFERENCE_RING, detail).at(*place);
        if named.len() > 1 {
            for (at, (name, place)) in named.iter().enumerate().take(SHOWN) {
                let next = &named[(at + 1) % named.len()].0;
                diagnostic = diagnostic.note_at(format!("{name} depends on {next}"), *place);
            }
        }
        diagnostic
    }
}

/// Appends to `orders` an edge from the node `from` to the end, numbered from `count` on, of each module that the expression
/// refers to as a whole or by a computed key; the end of a module comes after all of its declarations.
fn add_end_dependency(
    node: &TreeModule,
    expression: &Expression,
    from: u32,
    count: u32,
    orders: &mut Vec<(u32, u32)>,
) {
    for used in &expression.uses {
        let (Referent::Call(call) | Referent::Output { call, .. }) = &used.target else { continue };
        let is_whole = matches!(used.target, Referent::Call(_)) || {
            let references = expression.located.code.references();
            let reference = references.get(used.reference as usize);
            let step = reference.and_then(|reference| reference.steps.get(1));
            matches!(step, Some(Step::Splat | Step::Unknown))
        };
        if let (true, Some(CalledModule::Module(id))) =
            (is_whole, node.children.get(*call as usize))
        {
            orders.push((from, count + id.0));
        }
    }
}

/// Returns the address of a declaration, and its source range.
pub(crate) fn describe(node: &TreeModule, declaration: Declaration) -> (String, Place) {
    let (inner, place) = within(&node.module, declaration);
    (node.address_of(&inner), place)
}

/// Returns the address of a declaration within its module, and its source range.
pub(crate) fn within(module: &Module, declaration: Declaration) -> (String, Place) {
    (declaration.address(module), declaration.place(module))
}

/// Returns the number of declarations in a module, which is that of its nodes in the graph.
fn size(module: &Module) -> u32 {
    module.counts().iter().sum()
}

/// Returns the index of the first declaration of a kind (by its position in `Declaration::KINDS`) among all declarations of a
/// module.
fn offset(module: &Module, kind: usize) -> u32 {
    module.counts().iter().take(kind).sum()
}
