//! Addresses of resources and of their instances. Each is a single pointer, with a key at most; clones share its target.

use std::fmt;
use std::sync::Arc;

use groma_value::Str;

use crate::key::InstanceKey;
use crate::mode::ResourceMode;
use crate::module::{ModuleAddress, ModulePath};

/// A resource name: mode, type and name within its module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceName {
    /// The resource mode.
    pub mode: ResourceMode,
    /// The resource type, such as `aws_instance`.
    pub kind: Str,
    /// The resource's name.
    pub name: Str,
}

/// A resource within its module, with the key of one instance or none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceTarget {
    /// The resource mode.
    pub mode: ResourceMode,
    /// The resource type, such as `aws_instance`.
    pub kind: Str,
    /// The resource's name.
    pub name: Str,
    /// The key of the instance; [`InstanceKey::None`] for a resource without repetition.
    pub key: InstanceKey,
}

/// The address of a resource or module call, without keys: a module path and the name of the resource, if there is one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConfigAddress(Arc<(ModulePath, Option<ResourceName>)>);

/// The address of a resource in one instance of a module, for all instances of the resource together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceAddress(Arc<(ModuleAddress, ResourceName)>);

/// The address of one instance of a resource, with all keys. Instances of a resource share all of it but their keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceAddress {
    resource: ResourceAddress,
    key: InstanceKey,
}

/// Returns the local name of the provider implied by a resource type: its text before the first underscore.
pub fn implied_provider(kind: &str) -> &str {
    kind.split_once('_').map_or(kind, |(provider, _)| provider)
}

impl ResourceTarget {
    /// Returns the name of the resource, without the instance key.
    pub fn without_keys(&self) -> ResourceName {
        ResourceName { mode: self.mode, kind: self.kind.clone(), name: self.name.clone() }
    }
}

impl ConfigAddress {
    /// Creates the address of a resource in a module, or of the call of the module itself if `resource` is `None`.
    pub fn new(module: ModulePath, resource: Option<ResourceName>) -> ConfigAddress {
        ConfigAddress(Arc::new((module, resource)))
    }

    /// Returns the path of the module that contains the resource, or of the called module if no resource is named.
    pub fn module(&self) -> &ModulePath {
        &self.0.0
    }

    /// Returns the resource's name within the module; `None` for the address of a module.
    pub fn resource(&self) -> Option<&ResourceName> {
        self.0.1.as_ref()
    }

    /// Returns the address of the closest module call around the resource or call; `None` in the root module.
    pub fn around(&self) -> Option<ConfigAddress> {
        let module = match self.resource() {
            Some(_) => self.module().clone(),
            None => self.module().caller()?,
        };
        (!module.names().is_empty()).then(|| ConfigAddress::new(module, None))
    }

    /// Returns true if `inner` is this address, or that of a declaration in the module called here.
    pub fn contains(&self, inner: &ConfigAddress) -> bool {
        match self.resource() {
            Some(_) => self == inner,
            None => self.module().contains(inner.module()),
        }
    }
}

impl ResourceAddress {
    /// Creates the address of a resource in a module instance.
    pub fn new(module: ModuleAddress, name: ResourceName) -> ResourceAddress {
        ResourceAddress(Arc::new((module, name)))
    }

    /// Returns the address of the module instance that contains the resource.
    pub fn module(&self) -> &ModuleAddress {
        &self.0.0
    }

    /// Returns the resource's mode, type and name within its module.
    pub fn name(&self) -> &ResourceName {
        &self.0.1
    }

    /// Returns the address of the resource without the keys of the module calls.
    pub fn without_keys(&self) -> ConfigAddress {
        ConfigAddress::new(self.module().without_keys(), Some(self.name().clone()))
    }

    /// Returns the address of this resource's instance with a key.
    pub fn instance(&self, key: InstanceKey) -> InstanceAddress {
        InstanceAddress { resource: self.clone(), key }
    }
}

impl InstanceAddress {
    /// Creates the address of a resource instance in a module instance.
    pub fn new(module: ModuleAddress, target: ResourceTarget) -> InstanceAddress {
        let ResourceTarget { mode, kind, name, key } = target;
        ResourceAddress::new(module, ResourceName { mode, kind, name }).instance(key)
    }

    /// Returns true if both addresses are of instances of one resource in the same module instance.
    pub fn is_sibling(&self, other: &InstanceAddress) -> bool {
        self.resource == other.resource
    }

    /// Returns the address of the resource of which this is an instance.
    pub fn resource(&self) -> &ResourceAddress {
        &self.resource
    }

    /// Returns the key of this instance among those of its resource.
    pub fn key(&self) -> &InstanceKey {
        &self.key
    }

    /// Returns the address of the module instance that contains the resource.
    pub fn module(&self) -> &ModuleAddress {
        self.resource.module()
    }

    /// Returns the instance within its module: mode, type, name and key, without the module's address.
    pub fn target(&self) -> ResourceTarget {
        let ResourceName { mode, kind, name } = self.resource.name().clone();
        ResourceTarget { mode, kind, name, key: self.key.clone() }
    }

    /// Returns the address of the instance's resource, without any keys.
    pub fn without_keys(&self) -> ConfigAddress {
        self.resource.without_keys()
    }
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}.{}", self.mode.prefix(), &*self.kind, &*self.name)
    }
}

impl fmt::Display for ResourceTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, key) = (&*self.kind, &*self.name, &self.key);
        write!(f, "{}{kind}.{name}{key}", self.mode.prefix())
    }
}

impl fmt::Display for ConfigAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module().names().is_empty(), self.module(), self.resource())
    }
}

impl fmt::Display for ResourceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module().steps().is_empty(), self.module(), Some(self.name()))
    }
}

impl fmt::Display for InstanceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.resource.fmt(f)?;
        self.key.fmt(f)
    }
}

/// Writes the address of a module and `inner`, the address of a declaration in it, with a dot between them unless one is empty:
/// that of the root module, or `inner` if `None`.
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
