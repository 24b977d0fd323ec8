//! Addresses of modules: the path, which all instances share, and the address of an instance, with a key for each call. The root
//! module is the empty path, which allocates no memory.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use groma_value::Str;

use crate::key::InstanceKey;

/// The path of a module: the names of the calls that lead to it, without keys.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModulePath(Option<Arc<[Str]>>);

/// The address of a module instance: the calls that lead to it, each with its key.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModuleAddress(Option<Arc<[(Str, InstanceKey)]>>);

impl ModulePath {
    /// The path of the root module.
    pub const ROOT: ModulePath = ModulePath(None);

    /// Returns the names of the calls that lead to the module, the outermost first.
    pub fn names(&self) -> &[Str] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if the path is that of the root module.
    pub fn is_root(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if `inner` is this module, or one that it calls directly or indirectly.
    pub fn contains(&self, inner: &ModulePath) -> bool {
        inner.names().starts_with(self.names())
    }

    /// Returns the path of the module that the call `name` in this one leads to.
    pub fn with_call(&self, name: Str) -> ModulePath {
        self.names().iter().cloned().chain([name]).collect()
    }

    /// Returns the path of the calling module; `None` for the root module.
    pub fn caller(&self) -> Option<ModulePath> {
        let (_, outer) = self.names().split_last()?;
        Some(outer.iter().cloned().collect())
    }
}

impl ModuleAddress {
    /// The address of the root module.
    pub const ROOT: ModuleAddress = ModuleAddress(None);

    /// Returns the module calls with their keys, the outermost first.
    pub fn steps(&self) -> &[(Str, InstanceKey)] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if any module call in the address has a key.
    pub fn has_keys(&self) -> bool {
        self.steps().iter().any(|(_, key)| *key != InstanceKey::None)
    }

    /// Returns the address of the instance that the call `name` with a key leads to from this one.
    pub fn with_call(&self, name: Str, key: InstanceKey) -> ModuleAddress {
        self.steps().iter().cloned().chain([(name, key)]).collect()
    }

    /// Returns the address with the key of the call at index `call` replaced; `None` if there is no such call.
    pub fn with_key(&self, call: usize, key: InstanceKey) -> Option<ModuleAddress> {
        let mut steps = self.to_vec();
        steps.get_mut(call)?.1 = key;
        Some(steps.into())
    }

    /// Returns the path of the module, without instance keys.
    pub fn without_keys(&self) -> ModulePath {
        self.steps().iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns true if `inner` is this module instance, or one that it calls directly or indirectly.
    pub fn contains(&self, inner: &ModuleAddress) -> bool {
        inner.steps().starts_with(self.steps())
    }
}

// Hashed like the names and steps themselves, so that a map can be queried with a slice of a path or address.
impl Hash for ModulePath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names().hash(state);
    }
}

impl Borrow<[Str]> for ModulePath {
    fn borrow(&self) -> &[Str] {
        self.names()
    }
}

impl Hash for ModuleAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps().hash(state);
    }
}

impl Borrow<[(Str, InstanceKey)]> for ModuleAddress {
    fn borrow(&self) -> &[(Str, InstanceKey)] {
        self.steps()
    }
}

impl Deref for ModuleAddress {
    type Target = [(Str, InstanceKey)];

    fn deref(&self) -> &[(Str, InstanceKey)] {
        self.steps()
    }
}

impl<'m> IntoIterator for &'m ModuleAddress {
    type Item = &'m (Str, InstanceKey);
    type IntoIter = std::slice::Iter<'m, (Str, InstanceKey)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<&ModulePath> for ModuleAddress {
    fn from(path: &ModulePath) -> ModuleAddress {
        path.names().iter().map(|name| (name.clone(), InstanceKey::None)).collect()
    }
}

impl From<Vec<(Str, InstanceKey)>> for ModuleAddress {
    fn from(steps: Vec<(Str, InstanceKey)>) -> ModuleAddress {
        ModuleAddress((!steps.is_empty()).then(|| steps.into()))
    }
}

impl FromIterator<(Str, InstanceKey)> for ModuleAddress {
    fn from_iter<I: IntoIterator<Item = (Str, InstanceKey)>>(steps: I) -> ModuleAddress {
        steps.into_iter().collect::<Vec<_>>().into()
    }
}

impl FromIterator<Str> for ModulePath {
    fn from_iter<I: IntoIterator<Item = Str>>(names: I) -> ModulePath {
        let names: Vec<Str> = names.into_iter().collect();
        ModulePath((!names.is_empty()).then(|| names.into()))
    }
}

impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for name in self.names() {
            write!(f, "{before}module.{}", &**name)?;
            before = ".";
        }
        Ok(())
    }
}

impl fmt::Display for ModuleAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (name, key) in self.steps() {
            write!(f, "{before}module.{}{key}", &**name)?;
            before = ".";
        }
        Ok(())
    }
}
