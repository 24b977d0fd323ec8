//! Modules: as they are written, one path of names for all their instances, and as they are, one key at each step. The
//! root is the empty path; it costs no memory.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use groma_value::Str;

use crate::key::InstanceKey;

/// The names of the calls that lead to a module, without keys.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModulePath(Option<Arc<[Str]>>);

/// The calls that lead to one instance of a module, each with its key.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModuleAddress(Option<Arc<[(Str, InstanceKey)]>>);

impl ModulePath {
    /// The root module.
    pub const ROOT: ModulePath = ModulePath(None);

    /// The names, the outermost call first.
    pub fn names(&self) -> &[Str] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if a module is this one or lies below it.
    pub fn contains(&self, inner: &ModulePath) -> bool {
        inner.names().starts_with(self.names())
    }

    /// Returns the module that calls this one; nothing for the root.
    pub fn caller(&self) -> Option<ModulePath> {
        let (_, outer) = self.names().split_last()?;
        Some(outer.iter().cloned().collect())
    }
}

impl ModuleAddress {
    /// The root module.
    pub const ROOT: ModuleAddress = ModuleAddress(None);

    /// The steps, the outermost call first.
    pub fn steps(&self) -> &[(Str, InstanceKey)] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if a step has a key.
    pub fn has_keys(&self) -> bool {
        self.steps().iter().any(|(_, key)| *key != InstanceKey::None)
    }

    /// Returns the same instance with another key of one of its calls; nothing where there is no such call.
    pub fn with_key(&self, call: usize, key: InstanceKey) -> Option<ModuleAddress> {
        let mut steps = self.to_vec();
        steps.get_mut(call)?.1 = key;
        Some(steps.into())
    }

    /// Returns the module that code declares.
    pub fn without_keys(&self) -> ModulePath {
        self.steps().iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns true if a module instance is this one or lies below it.
    pub fn contains(&self, inner: &ModuleAddress) -> bool {
        inner.steps().starts_with(self.steps())
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
            write!(f, "{before}module.{}{}", &**name, key.suffix())?;
            before = ".";
        }
        Ok(())
    }
}
