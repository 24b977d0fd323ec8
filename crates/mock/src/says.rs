//! Mock blocks after reading: targets, attributes and order of precedence.

use groma_config::{AddressPattern, InstanceAddress, ModuleAddress, ResourceMode};
use groma_syntax::Place;
use groma_value::{Str, Value};

/// An attribute or output with the value that a mock gives it.
#[derive(Clone, Debug)]
pub(crate) struct TakenAttribute {
    pub(crate) name: Str,
    /// The source range of the name.
    pub(crate) name_place: Place,
    /// The source range of the value.
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// The target of a mock block.
#[derive(Clone, Debug)]
pub(crate) enum MockTarget {
    /// All resources of a type, of any provider or of one configuration.
    Type { mode: ResourceMode, kind: Str, of: Option<MockedConfiguration> },
    /// A resource or some of its instances, or a module.
    Target { target: AddressPattern, in_provider: bool },
}

/// A provider configuration of the root module: provider source and alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MockedConfiguration {
    pub(crate) source: String,
    pub(crate) alias: Option<Str>,
}

/// A mock block: its target and the values that it gives.
#[derive(Clone, Debug)]
pub(crate) struct MockBlock {
    pub(crate) whom: MockTarget,
    pub(crate) parts: Vec<TakenAttribute>,
    /// The source range of its header.
    pub(crate) place: Place,
}

impl MockBlock {
    /// Returns the value that the block gives an attribute or output, if any.
    pub(crate) fn part(&self, name: &str) -> Option<&TakenAttribute> {
        self.parts.iter().find(|part| *part.name == *name)
    }

    /// Returns the sort key of precedence, lowest first: a block about one object before one about a type, more keys before
    /// fewer, one outside of a mock provider before one inside. Of equal ones the first in source order wins.
    pub(crate) fn rank(&self) -> (u8, usize, bool) {
        match &self.whom {
            MockTarget::Target { target, in_provider } => {
                (0, usize::MAX - target.key_count(), *in_provider)
            }
            MockTarget::Type { of: Some(_), .. } => (1, 0, true),
            MockTarget::Type { of: None, .. } => (2, 0, false),
        }
    }

    /// Returns true if the block applies to every instance of its target.
    pub(crate) fn is_about_all(&self) -> bool {
        match &self.whom {
            MockTarget::Target { target, .. } => !target.has_keys(),
            MockTarget::Type { .. } => true,
        }
    }

    /// Returns true if the block, one about this resource, applies to its instance at the address.
    pub(crate) fn is_about(&self, address: &InstanceAddress) -> bool {
        match &self.whom {
            MockTarget::Target { target, .. } => target.contains(address),
            MockTarget::Type { .. } => true,
        }
    }

    /// Returns true if the block, one about this module, applies to its instance at the address.
    pub(crate) fn is_about_module(&self, address: &ModuleAddress) -> bool {
        match &self.whom {
            MockTarget::Target { target, .. } => target.contains_module(address),
            MockTarget::Type { .. } => true,
        }
    }
}
