//! A module at its place in the tree. A place is a call, not a directory: two calls of one directory are two nodes that share
//! declarations.

use std::sync::Arc;

use groma_config::{DeclarationAddress, DeclarationName, ModulePath};
use groma_module::declare::Module;

use crate::tree::early::EarlyValues;

/// The number of a module in the tree; the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ModuleId(pub(crate) u32);

impl ModuleId {
    /// The number of the root module.
    pub(crate) const ROOT: ModuleId = ModuleId(0);
}

/// The stored node of a module tree: a called module with its declarations, directory, caller and called modules, once for all
/// instances of the call.
#[derive(Clone, Debug)]
pub(crate) struct TreeModule {
    /// The names of the calls that lead here.
    pub(crate) path: ModulePath,
    pub(crate) module: Arc<Module>,
    /// The calling module and the index of the call.
    pub(crate) parent: Option<(ModuleId, u32)>,
    /// The module of each call, in the order of the module's calls.
    pub(crate) children: Vec<CalledModule>,
    /// The directory as the host knows it.
    pub(crate) dir: String,
    /// The directory relative to the root module: the value of `path.module`.
    pub(crate) at: String,
    /// The directory with links resolved; identifies directories.
    pub(crate) canonical: String,
    /// The values known before evaluation, if the edition finds modules by them.
    pub(crate) early: Option<Arc<EarlyValues>>,
}

/// The module that a call leads to: a node of the tree, or none if it is absent.
#[derive(Clone, Debug)]
pub(crate) enum CalledModule {
    /// A module of the tree.
    Module(ModuleId),
    /// A missing module.
    Absent,
}

impl TreeModule {
    /// Returns the address of the module, such as `module.a.module.b`; empty for the root.
    pub(crate) fn address(&self) -> String {
        self.path.to_string()
    }

    /// Returns the address of the declaration that is called `name` in this module.
    pub(crate) fn declared(&self, name: DeclarationName) -> DeclarationAddress {
        DeclarationAddress::new(self.path.clone(), name)
    }

    /// Returns an address inside this module as an absolute address.
    pub(crate) fn address_of(&self, inner: &str) -> String {
        match self.path.is_root() {
            true => inner.to_owned(),
            false => format!("{}.{inner}", self.address()),
        }
    }
}
