//! Instances by their address.

use groma_folder::{Key, Mode};
use groma_module::Module;
use groma_project::ModuleInstance;
use groma_value::Str;

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
            let Some(at) = call(module.module(), name) else { continue };
            match key {
                Some(key) => next.extend(module.child(at, key)),
                None => next.extend(module.children_of(at)),
            }
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
    declared(module.module(), mode, kind, name)
}

/// The same of a declared module.
pub(crate) fn declared(module: &Module, mode: Mode, kind: &Str, name: &Str) -> Option<usize> {
    let wanted = (mode, kind, name);
    module.resources.binary_search_by(|one| (one.mode, &one.kind, &one.name).cmp(&wanted)).ok()
}

/// The position of a module call in its module's list.
pub(crate) fn call(module: &Module, name: &Str) -> Option<usize> {
    module.calls.binary_search_by(|call| call.name.cmp(name)).ok()
}
