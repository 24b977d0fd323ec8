//! Address patterns, as in target options and in `moved`, `removed`, `import` and `override_*` blocks. A step without a key
//! matches every instance, not only one without a key.

use std::fmt;

use groma_value::Str;

use crate::instance::{ConfigAddress, InstanceAddress, ResourceTarget, joined};
use crate::key::InstanceKey;
use crate::module::ModuleAddress;

/// A pattern of addresses that matches a module, a resource or some of its instances, relative to the module in which it is
/// written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddressPattern {
    /// The calls that lead to the module.
    pub modules: ModuleAddress,
    /// The resource; `None` if the pattern is the last module itself.
    pub resource: Option<ResourceTarget>,
}

impl AddressPattern {
    /// Returns true if any step of the pattern has a key.
    pub fn has_keys(&self) -> bool {
        let own = self.resource.as_ref().is_some_and(|one| one.key != InstanceKey::None);
        own || self.modules.has_keys()
    }

    /// Returns the address of the matched resource or module, without keys.
    pub fn without_keys(&self) -> ConfigAddress {
        let resource = self.resource.as_ref().map(ResourceTarget::without_keys);
        ConfigAddress::new(self.modules.without_keys(), resource)
    }

    /// Returns the pattern as the address of one instance, each step without a key being an instance without a key; `None` if the
    /// pattern is that of a module.
    pub fn instance(&self) -> Option<InstanceAddress> {
        let target = self.resource.clone()?;
        Some(InstanceAddress::new(self.modules.clone(), target))
    }

    /// Returns the number of steps of the pattern that have a key.
    pub fn key_count(&self) -> usize {
        let own = self.resource.iter().map(|one| &one.key);
        let keys = self.modules.iter().map(|(_, key)| key).chain(own);
        keys.filter(|key| **key != InstanceKey::None).count()
    }

    /// Returns true if a module instance matches the pattern or lies in one that does: it has the same names, and the same key
    /// wherever the pattern has one.
    pub fn contains_module(&self, inner: &ModuleAddress) -> bool {
        self.resource.is_none() && self.modules.len() <= inner.len() && self.leads_into(inner)
    }

    /// Returns true if an instance matches the pattern or lies in a module that does: it has the same names, and the same key
    /// wherever the pattern has one.
    pub fn contains(&self, instance: &InstanceAddress) -> bool {
        let Some(wanted) = &self.resource else { return self.contains_module(instance.module()) };
        let own = instance.resource().name();
        self.modules.len() == instance.module().len()
            && self.leads_into(instance.module())
            && (wanted.mode, &wanted.kind, &wanted.name) == (own.mode, &own.kind, &own.name)
            && is_met(&wanted.key, instance.key())
    }

    /// Returns true if the pattern's module calls match those of a module instance, up to the shorter of both.
    fn leads_into(&self, inner: &ModuleAddress) -> bool {
        let mut pairs = self.modules.iter().zip(inner);
        pairs.all(|((name, key), (own, own_key))| name == own && is_met(key, own_key))
    }

    /// Returns the pattern relative to the root module, for a pattern written in the module with the path `path`.
    pub fn below(&self, path: &[Str]) -> AddressPattern {
        let outer = path.iter().map(|name| (name.clone(), InstanceKey::None));
        AddressPattern {
            modules: outer.chain(self.modules.steps().iter().cloned()).collect(),
            resource: self.resource.clone(),
        }
    }
}

/// Returns true if a pattern's key matches an instance's key: it is equal, or the pattern has none.
fn is_met(wanted: &InstanceKey, own: &InstanceKey) -> bool {
    *wanted == InstanceKey::None || wanted == own
}

impl From<&ConfigAddress> for AddressPattern {
    fn from(address: &ConfigAddress) -> AddressPattern {
        let resource = address.resource().map(|one| ResourceTarget {
            mode: one.mode,
            kind: one.kind.clone(),
            name: one.name.clone(),
            key: InstanceKey::None,
        });
        AddressPattern { modules: address.module().into(), resource }
    }
}

impl From<&InstanceAddress> for AddressPattern {
    fn from(address: &InstanceAddress) -> AddressPattern {
        AddressPattern { modules: address.module().clone(), resource: Some(address.target()) }
    }
}

impl fmt::Display for AddressPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.modules.steps().is_empty(), &self.modules, self.resource.as_ref())
    }
}
