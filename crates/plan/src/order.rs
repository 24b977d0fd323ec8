//! Transitive dependencies of declarations, such as `create_before_destroy`, which spreads to everything that an object depends
//! on.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use groma_config::{ReferenceGraph, ResourceMode};
use groma_eval::{Reference, Step};
use groma_project::Project;
use rustc_hash::FxHashSet;

/// The declarations of a project by address, without keys, and their dependencies. Built on first use, since most plans need
/// none of it.
pub(crate) struct DependencyOrder {
    project: Arc<Project>,
    drawn: OnceLock<DrawnOrder>,
}

/// The dependency graph, once built.
struct DrawnOrder {
    references: ReferenceGraph,
    needs: Vec<Vec<usize>>,
    needed_by: Vec<Vec<usize>>,
}

/// Returns the index of an address among the sorted declarations.
fn position(references: &ReferenceGraph, address: &str) -> Option<usize> {
    let all = &references.vertices;
    let last = all.partition_point(|one| one.id.as_str() <= address).checked_sub(1)?;
    (all[last].id == address).then_some(last)
}

impl DrawnOrder {
    /// Builds the dependency graph of a project.
    fn of(project: &Project) -> DrawnOrder {
        let references = project.references();
        let count = references.vertices.len();
        let (mut needs, mut needed_by) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut add = |from: usize, to: usize| {
            needs[from].push(to);
            needed_by[to].push(from);
        };
        references.edges.iter().for_each(|(from, to)| add(*from, *to));
        // Everything in a module depends on the repetition of its call. Its variables and outputs are separate nodes.
        for (at, vertex) in references.vertices.iter().enumerate() {
            if matches!(vertex.kind, "resource" | "data" | "module")
                && let Some(call) = position(&references, &vertex.module)
            {
                add(at, call);
            }
        }
        for (from, to) in triggers(project) {
            let ends = (position(&references, &from), position(&references, &to));
            if let (Some(from), Some(to)) = ends {
                add(from, to);
            }
        }
        for (from, to) in told(project, &references) {
            needs[from].push(to);
            needed_by[to].push(from);
        }
        DrawnOrder { references, needs, needed_by }
    }
}

impl DependencyOrder {
    /// Returns the dependencies of a project, not yet built.
    pub(crate) fn of(project: &Arc<Project>) -> DependencyOrder {
        DependencyOrder { project: project.clone(), drawn: OnceLock::new() }
    }

    /// Returns the dependency graph, built on first use.
    fn drawn(&self) -> &DrawnOrder {
        self.drawn.get_or_init(|| DrawnOrder::of(&self.project))
    }

    /// Returns the number of declarations.
    pub(crate) fn count(&self) -> usize {
        self.drawn().references.vertices.len()
    }

    /// Returns the dependency edges, as indices.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.drawn().needs.iter().enumerate();
        all.flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
    }

    /// Returns the index of an address, if it is declared.
    pub(crate) fn position(&self, address: &str) -> Option<usize> {
        position(&self.drawn().references, address)
    }

    /// Returns the addresses of the resources that a resource depends on.
    pub(crate) fn resources_of(&self, address: &str) -> BTreeSet<&str> {
        let all = self.position(address).map(|at| self.needed([at])).unwrap_or_default();
        let vertices = all.into_iter().map(|at| &self.drawn().references.vertices[at]);
        let resources = vertices.filter(|one| matches!(one.kind, "resource" | "data"));
        resources.map(|one| one.id.as_str()).filter(|one| *one != address).collect()
    }

    /// Returns every declaration: index, address and kind.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &str, &'static str)> {
        let all = self.drawn().references.vertices.iter().enumerate();
        all.map(|(at, one)| (at, one.id.as_str(), one.kind))
    }

    /// Returns the given declarations and their transitive dependencies.
    pub(crate) fn needed(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.drawn().needs, from)
    }

    /// Returns the given declarations and their transitive dependents.
    pub(crate) fn needing(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.drawn().needed_by, from)
    }

    /// Returns the addresses of resources whose replacement is created before the old object is destroyed.
    pub(crate) fn made_first(&self, is_planned: &dyn Fn(&str) -> bool) -> BTreeSet<&str> {
        let mut first = Vec::new();
        for (address, module) in self.project.modules() {
            let own = module.resources.iter().filter(|one| {
                one.lifecycle().create_before_destroy && one.mode == ResourceMode::Managed
            });
            first.extend(own.filter_map(|one| {
                let inner = one.address();
                let whole = if address.is_empty() { inner } else { format!("{address}.{inner}") };
                self.position(&whole).filter(|_| is_planned(&whole))
            }));
        }
        if first.is_empty() {
            return BTreeSet::new();
        }
        let all = self.needed(first).into_iter();
        all.map(|at| self.drawn().references.vertices[at].id.as_str()).collect()
    }
}

/// Returns the edges of `replace_triggered_by`: the addresses of both ends.
fn triggers(project: &Project) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (address, module) in project.modules() {
        let inside = |inner: String| match &*address {
            "" => inner,
            around => format!("{around}.{inner}"),
        };
        for resource in &module.resources {
            let triggers = resource.lifecycle().triggers.iter();
            let references = triggers.flat_map(|one| one.located.code.references());
            for reference in references {
                let (kind, steps) = match (&*reference.root, &*reference.steps) {
                    ("resource", [Step::Attribute(kind), rest @ ..]) => (&**kind, rest),
                    (root, steps) => (root, steps),
                };
                if let [Step::Attribute(name), ..] = steps {
                    let other = inside(format!("{kind}.{}", &**name));
                    found.push((inside(resource.address()), other));
                }
            }
        }
    }
    found
}

/// Returns the edges from each resource to the dependencies of the actions that it triggers, and to other resources that trigger
/// the same ones, as indices.
fn told(project: &Project, references: &ReferenceGraph) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (around, module) in project.modules() {
        let at = |inner: &str| match &*around {
            "" => position(references, inner),
            around => position(references, &format!("{around}.{inner}")),
        };
        for (number, resource) in (0_u32..).zip(&module.resources) {
            let called = module.called_by(number);
            let Some(from) = at(&resource.address()).filter(|_| !called.is_empty()) else {
                continue;
            };
            let conditions = resource.lifecycle().action_triggers.iter();
            let conditions = conditions.filter_map(|trigger| trigger.condition.as_ref());
            let named =
                conditions.flat_map(|one| one.located.code.references()).flat_map(addresses);
            found.extend(
                named.filter_map(|to| at(&to)).filter(|to| *to != from).map(|to| (from, to)),
            );
            for action in called {
                let callers = module.names.callers_of(action);
                let address =
                    |at: &u32| module.resources.get(*at as usize).map(|one| one.address());
                let callers: Vec<usize> =
                    callers.iter().filter_map(address).filter_map(|one| at(&one)).collect();
                let own = module.resources.get(action as usize).and_then(|one| at(&one.address()));
                let edges = references.edges.iter().filter(|(action, _)| Some(*action) == own);
                let told = edges.filter(|(_, to)| !callers.contains(to));
                found.extend(told.map(|(_, to)| (from, *to)));
            }
        }
    }
    found
}

/// Returns the addresses within its module that a reference may denote.
fn addresses(reference: &Reference) -> Vec<String> {
    let root = &*reference.root;
    match (root, &*reference.steps) {
        ("module", [Step::Attribute(name), rest @ ..]) => {
            let call = format!("module.{}", &**name);
            let output = rest.iter().find_map(|step| match step {
                Step::Attribute(output) => Some(format!("{call}.output.{}", &**output)),
                _ => None,
            });
            std::iter::once(call).chain(output).collect()
        }
        ("data" | "ephemeral", [Step::Attribute(kind), Step::Attribute(name), ..]) => {
            vec![format!("{root}.{}.{}", &**kind, &**name)]
        }
        ("resource", [Step::Attribute(kind), Step::Attribute(name), ..]) => {
            vec![format!("{}.{}", &**kind, &**name)]
        }
        (root, [Step::Attribute(name), ..]) => vec![format!("{root}.{}", &**name)],
        _ => Vec::new(),
    }
}

/// Returns all nodes reachable from the given ones.
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
