//! Which declarations a change of the code touches: those that are written otherwise, and all that refer to them. The two
//! loads share what is written alike, so most are told apart at a glance. Of a touched declaration not every part is
//! touched: [`parts`] tells.

mod changes;
mod keys;
mod leads;
mod parts;
mod takes;

use std::sync::Arc;

use groma_folder::Mode;
use groma_module::declare::Resource;
use groma_project::{Evaluation, Project};
use rustc_hash::FxHashMap;

use changes::Changes;
use parts::{Known, Parts, Place};

pub(crate) use keys::is_worth_the_same;
pub(crate) use leads::{Lead, LeadKey};
pub(crate) use parts::Held;

/// What is touched.
pub(crate) struct Touched {
    /// The addresses of declarations, without keys of instances, each with whether it is written as before.
    all: FxHashMap<String, bool>,
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
        let changes = Changes::between(older, newer);
        let touched = changes.touched();
        let mut all: FxHashMap<String, bool> = FxHashMap::default();
        for (node, declarations) in &touched {
            let module = node.module();
            let at = Place::of(*node);
            for (declaration, is_same) in declarations {
                all.insert(at.address(&declaration.address(module)), *is_same);
            }
        }
        let resources = [resources(older), resources(newer)];
        let known = Known {
            base,
            head,
            is_whole,
            has_same_objects,
            all: &all,
            touched: &touched,
            resources: &resources,
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
        if !self.all.contains_key(address) {
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
