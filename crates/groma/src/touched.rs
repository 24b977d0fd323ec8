//! Which declarations a change of the code touches: those that are written otherwise, and all that refer to them. The two
//! loads share what is written alike, so most are told apart at a glance.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_project::Project;
use rustc_hash::{FxHashMap, FxHashSet};

/// The addresses of declarations that are touched, without keys of instances.
pub(crate) struct Touched(FxHashSet<String>);

/// The declarations of a project by their addresses: where each is in memory, which no two share.
fn declared(project: &Project) -> FxHashMap<String, usize> {
    let mut found = FxHashMap::default();
    for (module, declared) in project.modules() {
        let mut add = |own: String, at: usize| {
            let address = if module.is_empty() { own } else { format!("{module}.{own}") };
            found.insert(address, at);
        };
        for one in &declared.variables {
            add(format!("var.{}", &*one.name), Arc::as_ptr(one).addr());
        }
        for one in &declared.locals {
            add(format!("local.{}", &*one.name), Arc::as_ptr(one).addr());
        }
        for one in &declared.outputs {
            add(format!("output.{}", &*one.name), Arc::as_ptr(one).addr());
        }
        for one in &declared.calls {
            add(format!("module.{}", &*one.name), Arc::as_ptr(one).addr());
        }
        for one in &declared.resources {
            add(one.address(), Arc::as_ptr(one).addr());
        }
    }
    found
}

impl Touched {
    /// What has been touched on the way from one project to the other, which was loaded with what the first one kept.
    pub(crate) fn between(base: &Project, head: &Project) -> Touched {
        let (before, after) = (declared(base), declared(head));
        let references = head.references();
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in &references.edges {
            users.entry(*to).or_default().push(*from);
        }
        let is_given_alike = |address: &str| match address.strip_prefix("var.") {
            Some(name) => match (base.given(name), head.given(name)) {
                (None, None) => true,
                (Some(was), Some(is)) => groma_value::ops::same(was, is),
                _ => false,
            },
            None => true,
        };
        let mut seen = vec![false; references.vertices.len()];
        let mut rest: Vec<usize> = Vec::new();
        for (at, vertex) in references.vertices.iter().enumerate() {
            let known = after.get(&vertex.id);
            let is_same = known.is_some() && known == before.get(&vertex.id);
            if !is_same || !is_given_alike(&vertex.id) {
                seen[at] = true;
                rest.push(at);
            }
        }
        while let Some(at) = rest.pop() {
            for user in users.get(&at).into_iter().flatten() {
                if !std::mem::replace(&mut seen[*user], true) {
                    rest.push(*user);
                }
            }
        }
        let touched = references.vertices.into_iter().zip(seen).filter(|(_, seen)| *seen);
        Touched(touched.map(|(vertex, _)| vertex.id).collect())
    }

    /// Whether a declaration is, by the address of an instance of it.
    pub(crate) fn holds(&self, address: &str) -> bool {
        self.0.contains(&groma_review::without_keys(address))
    }
}
