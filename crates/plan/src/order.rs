//! Transitive dependencies of declarations, along which `create_before_destroy` spreads to everything that an object depends on.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use groma_config::{
    DeclarationAddress, DeclarationName, ModulePath, ReferenceGraph, ResourceMode, ResourceName,
};
use groma_eval::{Reference, Step};
use groma_module::declare::Resource;
use groma_project::Project;
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

/// The declarations of a project by address, without keys, and their dependencies. Built on first use, since most plans need
/// none of it.
pub(crate) struct DependencyOrder {
    project: Arc<Project>,
    graph: OnceLock<DependencyGraph>,
    /// The address of each declaration as a text. Lists of dependencies share them: in a chain each resource depends on all
    /// before it.
    texts: OnceLock<Vec<Arc<str>>>,
}

/// The dependency graph of a project's declarations, with an index by address and both directions of the edges.
struct DependencyGraph {
    references: ReferenceGraph,
    /// The index of each declaration.
    positions: FxHashMap<DeclarationAddress, usize>,
    needs: Vec<Vec<usize>>,
    needed_by: Vec<Vec<usize>>,
}

impl DependencyGraph {
    /// Builds the graph of dependencies among a project's declarations.
    fn of(project: &Project) -> DependencyGraph {
        let references = project.references();
        let count = references.vertices.len();
        let numbered = references.vertices.iter().enumerate();
        let positions: FxHashMap<DeclarationAddress, usize> =
            numbered.map(|(at, vertex)| (vertex.id.clone(), at)).collect();
        let (mut needs, mut needed_by) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut add = |from: usize, to: usize| {
            needs[from].push(to);
            needed_by[to].push(from);
        };
        references.edges.iter().for_each(|(from, to)| add(*from, *to));
        // Everything in a module depends on the repetition of its call. Its variables and outputs are separate nodes.
        for (at, vertex) in references.vertices.iter().enumerate() {
            if matches!(vertex.kind, "resource" | "data" | "module")
                && let Some(call) = DeclarationAddress::of_module(vertex.id.module())
                && let Some(call) = positions.get(&call)
            {
                add(at, *call);
            }
        }
        for (from, to) in triggers(project) {
            if let (Some(from), Some(to)) = (positions.get(&from), positions.get(&to)) {
                add(*from, *to);
            }
        }
        for (from, to) in action_edges(project, &references, &positions) {
            needs[from].push(to);
            needed_by[to].push(from);
        }
        DependencyGraph { references, positions, needs, needed_by }
    }
}

impl DependencyOrder {
    /// Returns the dependencies among a project's declarations, whose graph is built on first use.
    pub(crate) fn of(project: &Arc<Project>) -> DependencyOrder {
        DependencyOrder { project: project.clone(), graph: OnceLock::new(), texts: OnceLock::new() }
    }

    /// Returns the dependency graph, built on the first call.
    fn graph(&self) -> &DependencyGraph {
        self.graph.get_or_init(|| DependencyGraph::of(&self.project))
    }

    /// Returns the number of declarations in the graph.
    pub(crate) fn count(&self) -> usize {
        self.graph().references.vertices.len()
    }

    /// Returns the dependency edges as pairs of indices: a declaration and one that it depends on.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.graph().needs.iter().enumerate();
        all.flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
    }

    /// Returns the index of a declaration in the graph; `None` if the address is not declared.
    pub(crate) fn position(&self, address: &DeclarationAddress) -> Option<usize> {
        self.graph().positions.get(address).copied()
    }

    /// Returns the addresses of the resources that a resource depends on, sorted and in the form in which states record them.
    pub(crate) fn resources_of(&self, address: &DeclarationAddress) -> Arc<[Arc<str>]> {
        let Some(own) = self.position(address) else { return Arc::default() };
        let vertices = &self.graph().references.vertices;
        let texts = self
            .texts
            .get_or_init(|| vertices.iter().map(|vertex| vertex.id.to_string().into()).collect());
        let is_resource = |at: &usize| matches!(vertices[*at].kind, "resource" | "data");
        let resources = self.needed([own]).into_iter().filter(|at| *at != own && is_resource(at));
        let mut resources: Vec<Arc<str>> = resources.map(|at| texts[at].clone()).collect();
        resources.sort_unstable();
        resources.into()
    }

    /// Returns every declaration of the graph: its index, its address and the word for its kind.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &DeclarationAddress, &'static str)> {
        let all = self.graph().references.vertices.iter().enumerate();
        all.map(|(at, one)| (at, &one.id, one.kind))
    }

    /// Returns the indices of the given declarations and of everything that they depend on.
    pub(crate) fn needed(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.graph().needs, from)
    }

    /// Returns the indices of the given declarations and of everything that depends on them.
    pub(crate) fn needing(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.graph().needed_by, from)
    }

    /// Returns the addresses of planned resources with `create_before_destroy`, and of everything that they depend on: their
    /// replacements are created before the old objects are destroyed.
    pub(crate) fn created_first(
        &self,
        is_planned: &dyn Fn(&DeclarationAddress) -> bool,
    ) -> FxHashSet<&DeclarationAddress> {
        let mut first = Vec::new();
        for (path, module) in self.project.modules() {
            let own = module.resources.iter().filter(|one| {
                one.lifecycle().create_before_destroy && one.mode == ResourceMode::Managed
            });
            first.extend(own.filter_map(|one| {
                let name = DeclarationName::Resource(one.own_name());
                let whole = DeclarationAddress::new(path.clone(), name);
                self.position(&whole).filter(|_| is_planned(&whole))
            }));
        }
        if first.is_empty() {
            return FxHashSet::default();
        }
        let all = self.needed(first).into_iter();
        all.map(|at| &self.graph().references.vertices[at].id).collect()
    }
}

/// Returns the edges of `replace_triggered_by`: the address of the resource, and that of what it refers to.
fn triggers(project: &Project) -> Vec<(DeclarationAddress, DeclarationAddress)> {
    let mut found = Vec::new();
    for (path, module) in project.modules() {
        let inside = |name: ResourceName| {
            DeclarationAddress::new(path.clone(), DeclarationName::Resource(name))
        };
        for resource in &module.resources {
            let triggers = resource.lifecycle().triggers.iter();
            let references = triggers.flat_map(|one| one.located.code.references());
            for reference in references {
                let (kind, steps) = match (&*reference.root, &*reference.steps) {
                    ("resource", [Step::Attribute(kind), rest @ ..]) => (kind.clone(), rest),
                    (root, steps) => (root.into(), steps),
                };
                if let [Step::Attribute(name), ..] = steps {
                    let (mode, name) = (ResourceMode::Managed, name.clone());
                    let other = inside(ResourceName { mode, kind, name });
                    found.push((inside(resource.own_name()), other));
                }
            }
        }
    }
    found
}

/// Returns the edges from each resource that triggers actions to the declarations that its trigger conditions refer to, and
/// to the dependencies of its actions, as pairs of their indices in `positions`.
fn action_edges(
    project: &Project,
    references: &ReferenceGraph,
    positions: &FxHashMap<DeclarationAddress, usize>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (path, module) in project.modules() {
        let at = |resource: &Resource| {
            let name = DeclarationName::Resource(resource.own_name());
            positions.get(&DeclarationAddress::new(path.clone(), name)).copied()
        };
        for (number, resource) in (0_u32..).zip(&module.resources) {
            let called = module.triggered_actions(number);
            let Some(from) = at(resource).filter(|_| !called.is_empty()) else {
                continue;
            };
            let conditions = resource.lifecycle().action_triggers.iter();
            let conditions = conditions.filter_map(|trigger| trigger.condition.as_ref());
            let named = conditions.flat_map(|one| one.located.code.references());
            let named = named.flat_map(|reference| addresses(path, reference));
            let named = named.filter_map(|to| positions.get(&to).copied());
            found.extend(named.filter(|to| *to != from).map(|to| (from, to)));
            for action in called {
                let callers = module.names.callers_of(action);
                let declared = |at: &u32| module.resources.get(*at as usize);
                let callers: Vec<usize> =
                    callers.iter().filter_map(declared).filter_map(|one| at(one)).collect();
                let own = declared(&action).and_then(|one| at(one));
                let edges = references.edges.iter().filter(|(action, _)| Some(*action) == own);
                let told = edges.filter(|(_, to)| !callers.contains(to));
                found.extend(told.map(|(_, to)| (from, *to)));
            }
        }
    }
    found
}

/// Returns the addresses of the declarations that a reference in a module may lead to.
fn addresses(module: &ModulePath, reference: &Reference) -> Vec<DeclarationAddress> {
    let root = &*reference.root;
    let own = |name| DeclarationAddress::new(module.clone(), name);
    let resource = |mode, kind: Str, name: &Str| {
        let name = ResourceName { mode, kind, name: name.clone() };
        vec![own(DeclarationName::Resource(name))]
    };
    match (root, &*reference.steps) {
        ("module", [Step::Attribute(name), rest @ ..]) => {
            let call = own(DeclarationName::Call(name.clone()));
            let output = rest.iter().find_map(|step| match step {
                Step::Attribute(output) => Some(DeclarationName::Output(output.clone())),
                _ => None,
            });
            let inside = module.with_call(name.clone());
            let output = output.map(|output| DeclarationAddress::new(inside, output));
            std::iter::once(call).chain(output).collect()
        }
        ("var", [Step::Attribute(name), ..]) => vec![own(DeclarationName::Variable(name.clone()))],
        ("local", [Step::Attribute(name), ..]) => vec![own(DeclarationName::Local(name.clone()))],
        ("data" | "ephemeral" | "resource", [Step::Attribute(kind), Step::Attribute(name), ..]) => {
            match ResourceMode::of(root) {
                Some(mode) => resource(mode, kind.clone(), name),
                None => Vec::new(),
            }
        }
        (kind, [Step::Attribute(name), ..]) => resource(ResourceMode::Managed, kind.into(), name),
        _ => Vec::new(),
    }
}

/// Returns the given nodes and all nodes that edges lead to from them.
fn reached(edges: &[Vec<usize>], from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
    let mut rest: Vec<usize> = from.into_iter().collect();
    let mut found: FxHashSet<usize> = rest.iter().copied().collect();
    while let Some(at) = rest.pop() {
        for next in &edges[at] {
            if found.insert(*next) {
                rest.push(*next);
            }
        }
    }
    found.into_iter().collect()
}
