//! Which declarations a change of the code touches: those that are written otherwise, and all that refer to them. The two
//! loads share what is written alike, so most are told apart at a glance.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_eval::Step;
use groma_folder::Mode;
use groma_module::declare::{Expression, InnerBlock, Referent, Repetition, Resource};
use groma_project::Project;
use groma_value::{Path, PathStep, Str};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is touched.
pub(crate) struct Touched {
    /// The addresses of declarations, without keys of instances.
    all: FxHashSet<String>,
    /// The arguments of touched resources that are not touched themselves: the resource is written as before, and what
    /// they refer to is.
    spared: FxHashMap<String, FxHashSet<Str>>,
    /// The resources of both sides, by their addresses without keys.
    resources: [FxHashMap<String, Arc<Resource>>; 2],
}

/// What an expression takes of `each`: only the keys of instances are the same where what repeats them is touched.
fn takes_element(expression: &Expression) -> bool {
    expression.located.code.references().iter().any(|one| {
        let is_key = matches!(one.steps.first(), Some(Step::Attribute(name)) if &**name == "key");
        &*one.root == "each" && !is_key
    })
}

/// Whether something holds of any expression in a block.
fn any_in(block: &InnerBlock, holds: &dyn Fn(&Expression) -> bool) -> bool {
    let content = &block.content;
    let dynamic = block.dynamic.iter();
    let mut repeats = dynamic.flat_map(|one| one.for_each.iter().chain(&one.labels));
    repeats.any(holds)
        || content.arguments.iter().any(|one| holds(&one.value))
        || content.blocks.iter().any(|inner| any_in(inner, holds))
}

/// The arguments of resources that refer to nothing touched, where all else about the resource is written as before.
fn spared(
    head: &Project,
    all: &FxHashSet<String>,
    is_same: &dyn Fn(&str) -> bool,
) -> FxHashMap<String, FxHashSet<Str>> {
    let mut found = FxHashMap::default();
    for (prefix, module) in head.modules() {
        let address = |own: String| match prefix.is_empty() {
            true => own,
            false => format!("{prefix}.{own}"),
        };
        let target = |target: &Referent| match target {
            Referent::Variable(at) => {
                module.variables.get(*at as usize).map(|one| format!("var.{}", &*one.name))
            }
            Referent::Local(at) => {
                module.locals.get(*at as usize).map(|one| format!("local.{}", &*one.name))
            }
            Referent::Call(at) => {
                module.calls.get(*at as usize).map(|one| format!("module.{}", &*one.name))
            }
            Referent::Output { call, name } => (module.calls.get(*call as usize))
                .map(|one| format!("module.{}.output.{}", &*one.name, &**name)),
            Referent::Resource(at) => module.resources.get(*at as usize).map(|one| one.address()),
            Referent::Settled | Referent::Itself | Referent::Broken => None,
        };
        let is_touched = |expression: &Expression| {
            // What a deferred one refers to is looked at only when it is evaluated.
            expression.deferred
                || !expression.located.code.asks_nobody()
                || (expression.uses.iter().filter_map(|used| target(&used.target)))
                    .any(|used| all.contains(&address(used)))
        };
        for resource in &module.resources {
            let own = address(resource.address());
            if !all.contains(&own) || !is_same(&own) {
                continue;
            }
            // What repeats it reaches what its arguments take of it. Files are read by whoever asks for them.
            let reaches = match &resource.repetition {
                Repetition::Single => false,
                Repetition::Count(over) | Repetition::Enabled(over) if is_touched(over) => continue,
                Repetition::Count(_) | Repetition::Enabled(_) => false,
                Repetition::Each(over) => is_touched(over),
            };
            let holds = |one: &Expression| is_touched(one) || reaches && takes_element(one);
            let content = &resource.content;
            let arguments = content.arguments.iter().filter(|one| !holds(&one.value));
            let mut free: FxHashSet<Str> = arguments.map(|one| one.name.clone()).collect();
            free.extend(content.blocks.iter().map(|block| block.kind.clone()));
            for block in content.blocks.iter().filter(|block| any_in(block, &holds)) {
                free.remove(&block.kind);
            }
            found.insert(own, free);
        }
    }
    found
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
        let all: FxHashSet<String> = touched.map(|(vertex, _)| vertex.id).collect();
        let is_same = |own: &str| after.contains_key(own) && after.get(own) == before.get(own);
        let spared = spared(head, &all, &is_same);
        Touched { all, spared, resources: [resources(base), resources(head)] }
    }

    /// Whether a part is written on neither side, so that the provider works it out on both, of the same object.
    pub(crate) fn is_left_to_provider(&self, before: &str, after: &str, path: &Path) -> bool {
        let Some(PathStep::Attribute(name)) = path.0.first() else { return false };
        let [was, is] = [(before, &self.resources[0]), (after, &self.resources[1])]
            .map(|(address, all)| all.get(&groma_review::without_keys(address)));
        let Some((was, is)) = was.zip(is) else { return false };
        let is_written = |one: &Resource| {
            one.content.arguments.iter().any(|argument| argument.name == *name)
                || one.content.blocks.iter().any(|block| block.kind == *name)
        };
        // What that one gives out is what it was given.
        let is_own = &*is.kind == "terraform_data" && **name == *"output";
        was.mode == Mode::Managed
            && (was.mode, &was.kind) == (is.mode, &is.kind)
            && !is_own
            && !is_written(was)
            && !is_written(is)
    }

    /// Whether a part of a declaration is, by the address of an instance of it.
    pub(crate) fn holds(&self, address: &str, path: &Path) -> bool {
        let address = groma_review::without_keys(address);
        let is_spared = match path.0.first() {
            Some(PathStep::Attribute(name)) => {
                self.spared.get(&address).is_some_and(|spared| spared.contains(name))
            }
            _ => false,
        };
        !is_spared && self.all.contains(&address)
    }
}
