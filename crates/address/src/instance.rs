//! Declarations and their instances. Either is one pointer: clones share what it leads to.

use std::fmt;
use std::sync::Arc;

use groma_value::Str;

use crate::key::InstanceKey;
use crate::mode::ResourceMode;
use crate::module::{ModuleAddress, ModulePath};

/// A resource as code declares it, within its module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceName {
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
}

/// A resource inside a module, or one of its instances.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceTarget {
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The key of the instance.
    pub key: InstanceKey,
}

/// A declaration, without keys: a resource, or the call of a module where no resource is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConfigAddress(Arc<(ModulePath, Option<ResourceName>)>);

/// One instance of a resource, with all keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceAddress(Arc<(ModuleAddress, ResourceTarget)>);

/// The local name of the provider that a type is named after: what stands before its first underscore.
pub fn implied_provider(kind: &str) -> &str {
    kind.split_once('_').map_or(kind, |(provider, _)| provider)
}

impl ResourceTarget {
    /// Returns the resource that makes the instance.
    pub fn without_keys(&self) -> ResourceName {
        ResourceName { mode: self.mode, kind: self.kind.clone(), name: self.name.clone() }
    }
}

impl ConfigAddress {
    /// The address of a declaration in a module.
    pub fn new(module: ModulePath, resource: Option<ResourceName>) -> ConfigAddress {
        ConfigAddress(Arc::new((module, resource)))
    }

    /// The module that it is in, or that it is itself.
    pub fn module(&self) -> &ModulePath {
        &self.0.0
    }

    /// The resource; nothing where the module itself is meant.
    pub fn resource(&self) -> Option<&ResourceName> {
        self.0.1.as_ref()
    }

    /// Returns the call of the module that it is in; nothing for what is in the root.
    pub fn around(&self) -> Option<ConfigAddress> {
        let module = match self.resource() {
            Some(_) => self.module().clone(),
            None => self.module().caller()?,
        };
        (!module.names().is_empty()).then(|| ConfigAddress::new(module, None))
    }

    /// Returns true if a declaration is this one or lies in it.
    pub fn contains(&self, inner: &ConfigAddress) -> bool {
        match self.resource() {
            Some(_) => self == inner,
            None => self.module().contains(inner.module()),
        }
    }
}

impl InstanceAddress {
    /// The address of an instance in an instance of a module.
    pub fn new(module: ModuleAddress, resource: ResourceTarget) -> InstanceAddress {
        InstanceAddress(Arc::new((module, resource)))
    }

    /// The instance of the module that it is in.
    pub fn module(&self) -> &ModuleAddress {
        &self.0.0
    }

    /// The instance within its module.
    pub fn resource(&self) -> &ResourceTarget {
        &self.0.1
    }

    /// Returns the declaration that makes the instance.
    pub fn without_keys(&self) -> ConfigAddress {
        ConfigAddress::new(self.module().without_keys(), Some(self.resource().without_keys()))
    }
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}.{}", self.mode.prefix(), &*self.kind, &*self.name)
    }
}

impl fmt::Display for ResourceTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, key) = (&*self.kind, &*self.name, self.key.suffix());
        write!(f, "{}{kind}.{name}{key}", self.mode.prefix())
    }
}

impl fmt::Display for ConfigAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module().names().is_empty(), self.module(), self.resource())
    }
}

impl fmt::Display for InstanceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module().steps().is_empty(), self.module(), Some(self.resource()))
    }
}

/// Writes a module and what is in it.
pub(crate) fn joined(
    f: &mut fmt::Formatter<'_>,
    is_root: bool,
    module: &dyn fmt::Display,
    inner: Option<&impl fmt::Display>,
) -> fmt::Result {
    module.fmt(f)?;
    match inner {
        Some(inner) if is_root => inner.fmt(f),
        Some(inner) => write!(f, ".{inner}"),
        None => Ok(()),
    }
}
