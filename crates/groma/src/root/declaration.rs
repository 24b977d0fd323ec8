//! Declarations of roots of any kind.

use std::sync::Arc;

use super::{FileSpan, RootSite};
use crate::Snapshot;
use crate::place::DeclarationId;

/// A declaration in a module, a Packer template or a test file, with the address that expressions use for it.
#[derive(Clone)]
pub struct RootDeclaration {
    /// The address by which expressions name it, such as `var.size`, `source.null.box` or `run.first`.
    pub address: String,
    pub(super) owner: DeclarationOwner,
}

/// The code that a declaration belongs to: a module of a snapshot, or a file of a template or test.
#[derive(Clone)]
pub(super) enum DeclarationOwner {
    /// A module: its snapshot, and the declaration's id there.
    Module(Snapshot, DeclarationId),
    /// A template or a test file: the declaration's site in the file.
    Text(Arc<RootSite>),
}

impl std::fmt::Debug for RootDeclaration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RootDeclaration({})", self.address)
    }
}

impl RootDeclaration {
    /// Creates a declaration that belongs to a module, from its address, the module's snapshot and its id there.
    pub(super) fn in_snapshot(
        address: String,
        snapshot: &Snapshot,
        id: DeclarationId,
    ) -> RootDeclaration {
        RootDeclaration { address, owner: DeclarationOwner::Module(snapshot.clone(), id) }
    }

    /// Creates a declaration of a template or a test file, from its address and its site in the file.
    pub(super) fn in_text(address: String, site: RootSite) -> RootDeclaration {
        RootDeclaration { address, owner: DeclarationOwner::Text(Arc::new(site)) }
    }

    /// Returns the snapshot of the declaration's module and its id there; `None` for one of a template or a test file.
    pub fn in_module(&self) -> Option<(&Snapshot, DeclarationId)> {
        match &self.owner {
            DeclarationOwner::Module(snapshot, id) => Some((snapshot, *id)),
            DeclarationOwner::Text(_) => None,
        }
    }

    /// Returns the kind of the declaration and its spans in a file; `None` if the snapshot of its module does not have its id.
    pub fn site(&self) -> Option<RootSite> {
        match &self.owner {
            DeclarationOwner::Module(snapshot, id) => {
                let site = snapshot.declaration(*id)?;
                let sources = snapshot.project().sources();
                Some(RootSite {
                    kind: site.kind,
                    place: FileSpan::of(site.name.unwrap_or(site.place), sources),
                    range: FileSpan::of(site.place, sources),
                })
            }
            DeclarationOwner::Text(site) => Some((**site).clone()),
        }
    }

    /// Returns the description of a module's variable or output; `None` for other declarations or if it has none.
    pub fn description(&self) -> Option<&str> {
        let (snapshot, id) = self.in_module()?;
        snapshot.description_of(id)
    }

    /// Returns true if this value and another denote the same declaration.
    pub fn is_same(&self, other: &RootDeclaration) -> bool {
        match (&self.owner, &other.owner) {
            (DeclarationOwner::Module(snapshot, id), DeclarationOwner::Module(other, own)) => {
                snapshot.is_same(other) && id == own
            }
            (DeclarationOwner::Text(site), DeclarationOwner::Text(own)) => site == own,
            _ => false,
        }
    }
}
