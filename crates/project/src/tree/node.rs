//! A module at its place in the tree. A place is a call, not a directory: two calls of one directory are two nodes that
//! share what is declared.

use std::sync::Arc;

use groma_module::declare::Module;
use groma_value::Str;

use crate::tree::early::EarlyValues;

/// The number of a module in the tree; the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ModuleId(pub(crate) u32);

impl ModuleId {
    pub(crate) const ROOT: ModuleId = ModuleId(0);
}

/// A module at its place in the tree. Instances come later.
#[derive(Clone, Debug)]
pub(crate) struct TreeModule {
    /// The names of the calls that lead here.
    pub(crate) path: Vec<Str>,
    pub(crate) module: Arc<Module>,
    /// The calling module and which of its calls.
    pub(crate) parent: Option<(ModuleId, u32)>,
    /// What each call leads to, in the order of the module's calls.
    pub(crate) children: Vec<CalledModule>,
    /// The directory as the host knows it.
    pub(crate) dir: String,
    /// The directory seen from the root module: `path.module`.
    pub(crate) at: String,
    /// The same with links resolved; tells directories apart.
    pub(crate) canonical: String,
    /// What is known before anything is evaluated, where the edition finds modules by it.
    pub(crate) early: Option<Arc<EarlyValues>>,
}

/// What a call leads to.
#[derive(Clone, Debug)]
pub(crate) enum CalledModule {
    /// A module of the tree.
    Module(ModuleId),
    /// Nothing that can be read.
    Absent,
}

impl TreeModule {
    /// `module.a.module.b`, empty for the root.
    pub(crate) fn address(&self) -> String {
        let names: Vec<String> =
            self.path.iter().map(|name| format!("module.{}", &**name)).collect();
        names.join(".")
    }

    /// An address inside this module, with the module's own in front.
    pub(crate) fn address_of(&self, inner: &str) -> String {
        match self.path.is_empty() {
            true => inner.to_owned(),
            false => format!("{}.{inner}", self.address()),
        }
    }
}
