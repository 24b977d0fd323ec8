//! Address patterns: targets of commands, and the addresses in `moved`, `removed`, `import` and `override_*` blocks. A step
//! without a key matches every instance, not only one without a key.

use std::fmt;

use groma_value::Str;

use crate::instance::{ConfigAddress, InstanceAddress, ResourceTarget, joined};
use crate::key::InstanceKey;
use crate::module::ModuleAddress;

/// A pattern of addresses that matches a module, a resource or some of its instances, relative to the module in which it is
/// read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddressPattern {
    /// The calls that lead to the module.
    pub modules: ModuleAddress,
    /// The resource; `None` if the pattern is the last module itself.
    pub resource: Option<ResourceTarget>,
}

impl AddressPattern {
    /// Returns true if any step has a key.
    pub fn has_keys(&self) -> bool {
        let own = self.resource.as_ref().is_some_and(|one| one.key != InstanceKey::None);
        own || self.modules.has_keys()
    }

    /// Returns the address of the matched declaration.
    pub fn without_keys(&self) -> ConfigAddress {
        let resource = self.resource.as_ref().map(ResourceTarget::without_keys);
        ConfigAddress::new(self.modules.without_keys(), resource)
    }

    /// Returns true if an instance matches: it has the same names, and the same key wherever the pattern has one.
    pub fn contains(&self, instance: &InstanceAddress) -> bool {
        let (outer, inner) = (self.modules.steps(), instance.module().steps());
        let is_met =
            |wanted: &InstanceKey, own: &InstanceKey| *wanted == InstanceKey::None || wanted == own;
        let mut pairs = outer.iter().zip(inner);
        if !pairs.all(|((name, key), (own, own_key))| name == own && is_met(key, own_key)) {
            return false;
        }
        match &self.resource {
            None => outer.len() <= inner.len(),
            Some(wanted) => {
                let own = instance.resource();
                outer.len() == inner.len()
                    && (wanted.mode, &wanted.kind, &wanted.name) == (own.mode, &own.kind, &own.name)
                    && is_met(&wanted.key, &own.key)
            }
        }
    }

    /// Returns the pattern relative to the root, for a block in the module at `path`.
    pub fn below(&self, path: &[Str]) -> AddressPattern {
        let outer = path.iter().map(|name| (name.clone(), InstanceKey::None));
        AddressPattern {
            modules: outer.chain(self.modules.steps().iter().cloned()).collect(),
            resource: self.resource.clone(),
        }
    }
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

impl fmt::Display for AddressPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.modules.steps().is_empty(), &self.modules, self.resource.as_ref())
    }
}
