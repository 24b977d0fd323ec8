//! Which declarations a change of the code touches: those that are written otherwise, and all that refer to them. The two
//! loads share what is written alike, so most are told apart at a glance. Of a touched declaration not every part is
//! touched: [`parts`] tells.

mod keys;
mod leads;
mod parts;
mod takes;

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_folder::Mode;
use groma_module::declare::{ModuleCall, Repetition, Resource};
use groma_project::{Evaluation, Project};
use rustc_hash::{FxHashMap, FxHashSet};

use parts::{Known, Parts};

pub(crate) use keys::is_worth_the_same;
pub(crate) use leads::{Lead, LeadKey};
pub(crate) use parts::Held;

/// What is touched.
pub(crate) struct Touched {
    /// The addresses of declarations, without keys of instances.
    all: FxHashSet<String>,
    parts: Parts,
    /// The resources of both sides, by their addresses without keys.
    resources: [FxHashMap<String, Arc<Resource>>; 2],
}

/// The resources of a project by their addresses.
fn resources(project: &Project) -> FxHashMap<String, Arc<Resource>> {
    let mut found = FxHashMap::default();
    for (module, declared) in project.modules() {
        for one in &declared.resources {
            let own = one.address();
            let address = if module.is_empty() { own } else { format!("{module}.{own}") };
            found.insert(address, one.clone());
        }
    }
    found
}

/// The calls of a project by their addresses.
fn calls(project: &Project) -> FxHashMap<String, Arc<ModuleCall>> {
    let mut found = FxHashMap::default();
    for (module, declared) in project.modules() {
        for one in &declared.calls {
            let own = format!("module.{}", &*one.name);
            let address = if module.is_empty() { own } else { format!("{module}.{own}") };
            found.insert(address, one.clone());
        }
    }
    found
}

/// Whether two calls tell a variable the same, as far as that is written.
fn is_told_alike(was: &ModuleCall, is: &ModuleCall, name: &str) -> bool {
    match (was.input(name), is.input(name)) {
        (None, None) => true,
        (Some(was), Some(is)) => *was.value.expr.text() == *is.value.expr.text(),
        _ => false,
    }
}

/// The variables that are told something of what their call is repeated over, each with its call, by address.
fn told_elements(calls: &FxHashMap<String, Arc<ModuleCall>>) -> Vec<(String, &str)> {
    let repeated = calls.iter().filter(|(_, call)| matches!(call.repetition, Repetition::Each(_)));
    let mut found = Vec::new();
    for (address, call) in repeated {
        for input in &call.inputs {
            if takes::elements(&input.value.located.code).next().is_some() {
                found.push((format!("{address}.var.{}", &*input.name), address.as_str()));
            }
        }
    }
    found.sort_unstable();
    found
}

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
    /// What has been touched on the way from one evaluation to the other, whose project was loaded with what the first
    /// one kept. `is_whole` says that nothing is wrong with either, `has_same_objects` that an address
    /// stands for the same object in both.
    pub(crate) fn between(
        [base, head]: [&Evaluation; 2],
        is_whole: bool,
        has_same_objects: bool,
    ) -> Touched {
        let (older, newer) = (base.project(), head.project());
        let (before, after) = (declared(older), declared(newer));
        let references = newer.references();
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in &references.edges {
            users.entry(*to).or_default().push(*from);
        }
        let [calls_before, calls_after] = [calls(older), calls(newer)];
        let vertex =
            |id: &str| references.vertices.binary_search_by(|one| one.id.as_str().cmp(id)).ok();
        for (variable, call) in told_elements(&calls_after) {
            if let Some((user, used)) = vertex(&variable).zip(vertex(call)) {
                users.entry(used).or_default().push(user);
            }
        }
        let is_given_alike = |address: &str| {
            if let Some(name) = address.strip_prefix("var.") {
                return match (older.given(name), newer.given(name)) {
                    (None, None) => true,
                    (Some(was), Some(is)) => groma_value::ops::same(was, is),
                    _ => false,
                };
            }
            let Some((call, name)) = address.rsplit_once(".var.") else { return true };
            match (calls_before.get(call), calls_after.get(call)) {
                (Some(was), Some(is)) => is_told_alike(was, is, name),
                _ => true,
            }
        };
        let is_same = |address: &str| {
            let known = after.get(address);
            known.is_some() && known == before.get(address) && is_given_alike(address)
        };
        let mut seen = vec![false; references.vertices.len()];
        let mut rest: Vec<usize> = Vec::new();
        for (at, vertex) in references.vertices.iter().enumerate() {
            if !is_same(&vertex.id) {
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
        let all: FxHashSet<String> = touched.map(|(vertex, _)| vertex.id).collect();
        let resources = [resources(older), resources(newer)];
        let known = Known {
            base,
            head,
            is_whole,
            has_same_objects,
            all: &all,
            resources: &resources,
            is_same: &is_same,
        };
        let parts = Parts::of(&known);
        Touched { all, parts, resources }
    }

    /// Whether a part is written on neither side, so that the provider works it out on both, of the same object. Addresses
    /// are those of declarations.
    pub(crate) fn is_left_to_provider(&self, before: &str, after: &str, name: &str) -> bool {
        let found = self.resources[0].get(before).zip(self.resources[1].get(after));
        let Some((was, is)) = found else { return false };
        let is_written = |one: &Resource| {
            one.content.arguments.iter().any(|argument| *argument.name == *name)
                || one.content.blocks.iter().any(|block| *block.kind == *name)
        };
        // What that one gives out is what it was given.
        let is_own = &*is.kind == "terraform_data" && name == "output";
        was.mode == Mode::Managed
            && (was.mode, &was.kind) == (is.mode, &is.kind)
            && !is_own
            && !is_written(was)
            && !is_written(is)
    }

    /// Whether a part of a declaration is, by its address.
    pub(crate) fn holds(&self, address: &str, name: Option<&str>) -> Held {
        if !self.all.contains(address) {
            return Held::No;
        }
        let name = name.map(|name| self.written_name(address, name));
        match name.and_then(|name| self.parts.written(address, name)) {
            Some(held) => held,
            None if self.parts.is_touched(address) => Held::Yes,
            None => Held::No,
        }
    }

    /// Under which name an attribute is written: what that one gives out is what it was given.
    pub(crate) fn written_name<'n>(&self, address: &str, name: &'n str) -> &'n str {
        let is_own =
            || self.resources[1].get(address).is_some_and(|one| &*one.kind == "terraform_data");
        if name == "output" && is_own() { "input" } else { name }
    }

    /// What a part is made of that is touched only by that: which parts of which instances of other resources.
    pub(crate) fn leads(&self, address: &str, name: &str) -> &[Lead] {
        self.parts.leads(address, name)
    }

    /// The address of a resource inside of its module, by its address.
    pub(crate) fn own_address(&self, address: &str) -> Option<String> {
        Some(self.resources[1].get(address)?.address())
    }

    /// Whether a part of an instance differs in all instances of its resource in a module's instance, or in none.
    pub(crate) fn is_uniform(&self, address: &str, name: &str) -> bool {
        let Some(resource) = self.resources[1].get(address) else { return false };
        let content = &resource.content;
        let arguments = || content.arguments.iter().filter(|one| *one.name == *name);
        let blocks = || content.blocks.iter().filter(|one| *one.kind == *name);
        (arguments().next().is_some() || blocks().next().is_some())
            && arguments().all(|one| takes::is_uniform(&one.value))
            && blocks().all(takes::is_uniform_block)
    }
}
