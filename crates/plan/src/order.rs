//! Dependencies, followed as far as they go: which replacements are made before the old object goes, as each object
//! made first has to find what it needs.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use groma_config::{ReferenceGraph, ResourceMode};
use groma_eval::{Reference, Step};
use groma_project::Project;
use rustc_hash::FxHashSet;

/// The declarations of a project by address, without keys, and their dependencies. Most plans never ask, so that it is
/// drawn
/// on first use.
pub(crate) struct DependencyOrder {
    project: Arc<Project>,
    drawn: OnceLock<DrawnOrder>,
}

struct DrawnOrder {
    references: ReferenceGraph,
    needs: Vec<Vec<usize>>,
    needed_by: Vec<Vec<usize>>,
}

/// Returns where an address stands among the declarations, which are sorted by it.
fn position(references: &ReferenceGraph, address: &str) -> Option<usize> {
    let all = &references.vertices;
    let last = all.partition_point(|one| one.id.as_str() <= address).checked_sub(1)?;
    (all[last].id == address).then_some(last)
}

impl DrawnOrder {
    fn of(project: &Project) -> DrawnOrder {
        let references = project.references();
        let count = references.vertices.len();
        let (mut needs, mut needed_by) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut add = |from: usize, to: usize| {
            needs[from].push(to);
            needed_by[to].push(from);
        };
        references.edges.iter().for_each(|(from, to)| add(*from, *to));
        // Whatever is in a module waits for what says how often the module is called. Its variables and outputs are
        // worked out one by one.
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
    pub(crate) fn of(project: &Arc<Project>) -> DependencyOrder {
        DependencyOrder { project: project.clone(), drawn: OnceLock::new() }
    }

    fn drawn(&self) -> &DrawnOrder {
        self.drawn.get_or_init(|| DrawnOrder::of(&self.project))
    }

    /// Returns how many declarations there are.
    pub(crate) fn count(&self) -> usize {
        self.drawn().references.vertices.len()
    }

    /// The dependencies, by positions.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.drawn().needs.iter().enumerate();
        all.flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
    }

    /// Returns where an address stands, if it is declared.
    pub(crate) fn position(&self, address: &str) -> Option<usize> {
        position(&self.drawn().references, address)
    }

    /// The resources that one needs, by its address.
    pub(crate) fn resources_of(&self, address: &str) -> BTreeSet<&str> {
        let all = self.position(address).map(|at| self.needed([at])).unwrap_or_default();
        let vertices = all.into_iter().map(|at| &self.drawn().references.vertices[at]);
        let resources = vertices.filter(|one| matches!(one.kind, "resource" | "data"));
        resources.map(|one| one.id.as_str()).filter(|one| *one != address).collect()
    }

    /// Every declaration by its address and the word for what it is.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &str, &'static str)> {
        let all = self.drawn().references.vertices.iter().enumerate();
        all.map(|(at, one)| (at, one.id.as_str(), one.kind))
    }

    /// These, and all that they need.
    pub(crate) fn needed(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.drawn().needs, from)
    }

    /// These, and all that need them.
    pub(crate) fn needing(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        reached(&self.drawn().needed_by, from)
    }

    /// The addresses of resources that are made before they go.
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

/// The triggers of replacements: the addresses of both ends.
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

/// Returns what has to be there for the actions that a resource has run, beside those that have the same ones run: the
/// positions of both.
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

/// The addresses in its module of what a reference may lead to.
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
