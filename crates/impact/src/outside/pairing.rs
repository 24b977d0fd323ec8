//! Modules of two revisions matched by address, once moves are followed. Modules that share their code on both sides are compared
//! once.

use std::sync::Arc;

use groma_address::text;
use groma_config::{ConfigAddress, DeclarationName, ModulePath};
use groma_project::ModuleNode;
use rustc_hash::FxHashMap;

use super::expression::{RevisionSide, SideModule};

/// The old addresses of moved resources and modules by their new ones, without instance keys.
#[derive(Default)]
pub(crate) struct MovedDeclarations {
    resources: FxHashMap<ConfigAddress, ConfigAddress>,
    modules: FxHashMap<ModulePath, ModulePath>,
}

impl MovedDeclarations {
    /// Returns the moved declarations for pairs of a new and an old resource address.
    pub(crate) fn of(
        all: impl Iterator<Item = (ConfigAddress, ConfigAddress)>,
    ) -> MovedDeclarations {
        let mut found = MovedDeclarations::default();
        for (to, from) in all {
            if to.module() != from.module() && to.resource() == from.resource() {
                found.modules.insert(to.module().clone(), from.module().clone());
            }
            found.resources.insert(to, from);
        }
        found
    }

    /// Returns true if the given address is the new one of a resource that has moved.
    pub(super) fn is_new_address(&self, address: &ConfigAddress) -> bool {
        self.resources.contains_key(address)
    }
}

/// A module of the older revision and its match in the newer revision.
pub(super) struct ModulePair<'s> {
    /// The older module, and the newer one.
    pub(super) here: [SideModule<'s>; 2],
    /// All modules of the newer revision with the same code, this one first.
    pub(super) alike: Vec<ModuleNode<'s>>,
    /// True if both revisions share the code of the module.
    pub(super) is_shared: bool,
    /// The new names of the older module's resources and calls, by their old ones.
    renamed: FxHashMap<DeclarationName, DeclarationName>,
}

impl<'s> ModulePair<'s> {
    /// Returns the modules of the newer revision with their older counterparts, in order; those with the same code on both sides
    /// share a pair.
    pub(super) fn all(
        sides: [&'s RevisionSide; 2],
        moves: &MovedDeclarations,
    ) -> Vec<ModulePair<'s>> {
        let [base, head] = sides.map(|side| side.evaluation.project());
        let older: FxHashMap<ModulePath, ModuleNode<'s>> =
            base.nodes().map(|node| (node.path(), node)).collect();
        let mut groups: Vec<[Vec<ModuleNode<'s>>; 2]> = Vec::new();
        let mut places: FxHashMap<[usize; 2], usize> = FxHashMap::default();
        for node in head.nodes() {
            let address = node.path();
            let was = older.get(&address);
            let moved = || older.get(moves.modules.get(&address)?);
            let Some(was) = was.or_else(moved) else { continue };
            let key = [was, &node].map(|one| Arc::as_ptr(one.module()).addr());
            match places.get(&key) {
                Some(at) => {
                    groups[*at][0].push(*was);
                    groups[*at][1].push(node);
                }
                None => {
                    places.insert(key, groups.len());
                    groups.push([vec![*was], vec![node]]);
                }
            }
        }
        let pair = |[older, alike]: [Vec<ModuleNode<'s>>; 2]| {
            let (was, first) = (*older.first()?, *alike.first()?);
            let here = [
                SideModule::of(sides[0], was, older),
                SideModule::of(sides[1], first, alike.clone()),
            ];
            let is_shared = Arc::ptr_eq(was.module(), first.module());
            let renamed = renamed(&here, moves);
            Some(ModulePair { here, alike, is_shared, renamed })
        };
        groups.into_iter().filter_map(pair).collect()
    }

    /// Returns the address relative to the root, given one relative to the newer module of the pair.
    pub(super) fn address_of(&self, inner: &str) -> String {
        text::below(&self.here[1].node.address(), inner)
    }

    /// Returns the name that a resource or call has in the newer revision, given its name on a side: 0 for the older one, 1 for
    /// the newer.
    pub(super) fn name(&self, side: usize, name: DeclarationName) -> DeclarationName {
        match side {
            0 => self.renamed.get(&name).cloned().unwrap_or(name),
            _ => name,
        }
    }
}

/// Returns the new names of resources and calls of a module that have moved within it.
fn renamed(
    here: &[SideModule<'_>; 2],
    moves: &MovedDeclarations,
) -> FxHashMap<DeclarationName, DeclarationName> {
    if moves.resources.is_empty() {
        return FxHashMap::default();
    }
    let (own, node, module) = (here[0].node.path(), here[1].node, here[1].module());
    let resources = module.resources.iter().filter_map(|resource| {
        let from = moves.resources.get(&node.declared_address(resource))?;
        let name = from.resource().filter(|_| *from.module() == own)?.clone();
        let new = DeclarationName::Resource(resource.own_name());
        Some((DeclarationName::Resource(name), new))
    });
    let path = node.path();
    let calls = module.calls.iter().filter_map(|call| {
        let from = moves.modules.get(&path.with_call(call.name.clone()))?;
        // A declaration from another module is moved from there.
        let name = from.names().last().filter(|_| from.caller().as_ref() == Some(&own))?.clone();
        Some((DeclarationName::Call(name), DeclarationName::Call(call.name.clone())))
    });
    resources.chain(calls).collect()
}
