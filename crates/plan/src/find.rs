//! Look-up of module instances by address.

use groma_config::InstanceKey;
use groma_project::ModuleInstance;
use groma_value::Str;

/// Returns every instance of the module that a path of call names leads to.
pub(crate) fn anywhere(root: &ModuleInstance, path: &[Str]) -> Vec<ModuleInstance> {
    walk(root, path.iter().map(|name| (name, None)))
}

/// Returns the module instance to which these calls with their keys lead, starting at `from`, as the only item of a list; an
/// empty list if there is no such instance.
pub(crate) fn below(from: &ModuleInstance, modules: &[(Str, InstanceKey)]) -> Vec<ModuleInstance> {
    walk(from, modules.iter().map(|(name, key)| (name, Some(key))))
}

/// Returns the module instances to which a path of calls leads from `from`; a call without a key selects all its instances.
fn walk<'p>(
    from: &ModuleInstance,
    path: impl Iterator<Item = (&'p Str, Option<&'p InstanceKey>)>,
) -> Vec<ModuleInstance> {
    let mut found = vec![from.clone()];
    for (name, key) in path {
        let mut next = Vec::new();
        for module in &found {
            let Some(at) = module.module().call_position(name) else { continue };
            match key {
                Some(key) => next.extend(module.child(at, key)),
                None => next.extend(module.children_of(at)),
            }
        }
        found = next;
    }
    found
}
