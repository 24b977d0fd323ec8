//! Mock blocks after reading: targets, attributes and order of precedence.

use groma_config::{AddressPattern, InstanceAddress, ModuleAddress, ResourceMode};
use groma_syntax::Place;
use groma_value::{Str, Value};

/// An attribute or output with the value that a mock gives it.
#[derive(Clone, Debug)]
pub(crate) struct MockedAttribute {
    /// The name of the attribute or output.
    pub(crate) name: Str,
    /// The source range of the name.
    pub(crate) name_place: Place,
    /// The source range of the value.
    pub(crate) place: Place,
    /// The value that the mock gives.
    pub(crate) value: Value,
}

/// The target of a mock block: all resources of a type, or the resource or module at an address.
#[derive(Clone, Debug)]
pub(crate) enum MockTarget {
    /// All resources of a type, of any provider or of one configuration.
    Type { mode: ResourceMode, kind: Str, of: Option<MockedConfiguration> },
    /// A resource, some of its instances, or a module; true if the block is inside of a mock provider.
    Target { target: AddressPattern, in_provider: bool },
}

/// A provider configuration of the root module: the provider's source and the configuration's alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MockedConfiguration {
    pub(crate) source: String,
    pub(crate) alias: Option<Str>,
}

/// A mock block: its target and the values that it gives.
#[derive(Clone, Debug)]
pub(crate) struct MockBlock {
    /// The resources or the module that the block is for.
    pub(crate) target: MockTarget,
    /// The attributes or outputs that it gives.
    pub(crate) parts: Vec<MockedAttribute>,
    /// The source range of its header.
    pub(crate) place: Place,
}

impl MockBlock {
    /// Returns the value that the block gives the attribute or output `name`; `None` if it gives none.
    pub(crate) fn part(&self, name: &str) -> Option<&MockedAttribute> {
        self.parts.iter().find(|part| *part.name == *name)
    }

    /// Returns the sort key of precedence, lowest first: a block for an address before one for a type, more keys before fewer,
    /// one outside of a mock provider before one inside. Of equal ones the first in source order wins.
    pub(crate) fn rank(&self) -> (u8, usize, bool) {
        match &self.target {
            MockTarget::Target { target, in_provider } => {
                (0, usize::MAX - target.key_count(), *in_provider)
            }
            MockTarget::Type { of: Some(_), .. } => (1, 0, true),
            MockTarget::Type { of: None, .. } => (2, 0, false),
        }
    }

    /// Returns true if the block applies to every instance of its target.
    pub(crate) fn is_about_all(&self) -> bool {
        match &self.target {
            MockTarget::Target { target, .. } => !target.has_keys(),
            MockTarget::Type { .. } => true,
        }
    }

    /// Returns true if this block, whose target is a resource or its type, applies to the instance at the address.
    pub(crate) fn is_about(&self, address: &InstanceAddress) -> bool {
        match &self.target {
            MockTarget::Target { target, .. } => target.contains(address),
            MockTarget::Type { .. } => true,
        }
    }

    /// Returns true if this block, whose target is a module, applies to the instance at the address.
    pub(crate) fn is_about_module(&self, address: &ModuleAddress) -> bool {
        match &self.target {
            MockTarget::Target { target, .. } => target.contains_module(address),
            MockTarget::Type { .. } => true,
        }
    }
}
