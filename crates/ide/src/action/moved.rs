//! Offers a `moved` block for a resource or module call that was renamed by hand, if the state has an object of that type under
//! an address that is not declared.

use std::collections::{BTreeMap, BTreeSet};

use groma::address::{DeclarationAddress, DeclarationName, ModulePath};
use groma::edit::EditOp;

use crate::action::{ActionChange, ActionChoice, ActionKind, ActionList};
use crate::file_span::ChangeSet;

/// Maximum number of addresses, recorded but no longer declared, from which a `moved` block is offered; further ones are left
/// out.
const MAX_ADDRESSES: usize = 5;

impl ActionList<'_> {
    /// Offers to add a `moved` block for the resource or module call at the cursor, from recorded addresses that no longer
    /// exist.
    pub(super) fn moved(&mut self) {
        let Some(snapshot) = self.request.snapshot() else { return };
        let Some((id, address)) = self.declaration() else { return };
        // Moves inside a called module belong into that module, where no state is known.
        let kind = snapshot.declaration(id).map(|site| site.kind);
        if id.module != 0 || !matches!(kind, Some("resource" | "module")) {
            return;
        }
        let Some(own) = DeclarationAddress::parse(&address) else { return };
        let recorded = outermost(&snapshot.recorded_addresses());
        let declared: BTreeSet<String> =
            snapshot.declarations_of(0).into_iter().map(|(_, address)| address).collect();
        if recorded.contains_key(&address) {
            return;
        }
        let gone = recorded
            .iter()
            .filter(|(old, named)| !declared.contains(*old) && is_alike(named.name(), own.name()));
        let gone: Vec<String> = gone.take(MAX_ADDRESSES).map(|(old, _)| old.clone()).collect();
        for from in gone {
            let title = format!("Say that {from} is now {address}");
            let choice = ActionChoice::AddMoved { from, to: address.clone() };
            self.push(title, ActionKind::Rewrite, choice);
        }
    }
}

/// Returns recorded addresses by their text, with an address inside of a module replaced by that of its outermost call.
fn outermost(recorded: &[DeclarationAddress]) -> BTreeMap<String, DeclarationAddress> {
    let own = |address: &DeclarationAddress| match address.module().names().first() {
        Some(call) => {
            DeclarationAddress::new(ModulePath::ROOT, DeclarationName::Call(call.clone()))
        }
        None => address.clone(),
    };
    recorded.iter().map(own).map(|address| (address.to_string(), address)).collect()
}

/// Returns true if two declarations are both module calls, or resources of the same mode and type.
fn is_alike(one: &DeclarationName, other: &DeclarationName) -> bool {
    match (one, other) {
        (DeclarationName::Call(_), DeclarationName::Call(_)) => true,
        (DeclarationName::Resource(one), DeclarationName::Resource(other)) => {
            (one.mode, &one.kind) == (other.mode, &other.kind)
        }
        _ => false,
    }
}

impl ActionChange<'_> {
    /// Adds a `moved` block from a recorded address to a declared one to the action's file.
    pub(super) fn add_moved(&self, from: &str, to: &str) -> Result<ChangeSet, String> {
        let code = format!("{{\n  from = {from}\n  to   = {to}\n}}");
        self.edit_file(&[(EditOp::Add, "moved[]".to_owned(), code)])
    }
}
