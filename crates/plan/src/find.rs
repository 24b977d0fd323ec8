//! Instances by their address.

use groma_folder::{Key, Mode};
use groma_project::ModuleInstance;
use groma_value::Str;

/// The key of an instance among its siblings.
pub(crate) fn own_key(module: &ModuleInstance) -> Key {
    module.path().pop().map_or(Key::None, |(_, key)| key)
}

/// Every instance of the module that these calls lead to.
pub(crate) fn anywhere(root: &ModuleInstance, path: &[Str]) -> Vec<ModuleInstance> {
    walk(root, path.iter().map(|name| (name, None)))
}

/// The instance that these calls and keys lead to; none or one.
pub(crate) fn below(from: &ModuleInstance, modules: &[(Str, Key)]) -> Vec<ModuleInstance> {
    walk(from, modules.iter().map(|(name, key)| (name, Some(key))))
}

fn walk<'p>(
    from: &ModuleInstance,
    path: impl Iterator<Item = (&'p Str, Option<&'p Key>)>,
) -> Vec<ModuleInstance> {
    let mut found = vec![from.clone()];
    for (name, key) in path {
        let mut next = Vec::new();
        for module in &found {
            let calls = &module.module().calls;
            let Some(at) = calls.iter().position(|call| call.name == *name) else { continue };
            let children = module.children_of(at).into_iter();
            next.extend(children.filter(|child| key.is_none_or(|key| own_key(child) == *key)));
        }
        found = next;
    }
    found
}

/// The position of a resource in its module's list.
pub(crate) fn resource(
    module: &ModuleInstance,
    mode: Mode,
    kind: &Str,
    name: &Str,
) -> Option<usize> {
    let all = &module.module().resources;
    let wanted = (mode, kind, name);
    all.binary_search_by(|one| (one.mode, &one.kind, &one.name).cmp(&wanted)).ok()
}
