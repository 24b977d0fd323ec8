//! The blocks of mock files, ready to be asked: their targets, their attributes, and their order of precedence.

use groma_config::ResourceMode;
use groma_syntax::Place;
use groma_value::{Str, Value};

use crate::address::KeyedPattern;

/// One attribute or output, and what is taken for it.
#[derive(Clone, Debug)]
pub(crate) struct TakenAttribute {
    pub(crate) name: Str,
    /// The place where the name stands.
    pub(crate) name_place: Place,
    /// The place where the value stands.
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// The target of a block.
#[derive(Clone, Debug)]
pub(crate) enum MockTarget {
    /// All of a type, whichever provider it is of or only of one.
    Type { mode: ResourceMode, kind: Str, of: Option<MockedConfiguration> },
    /// A resource or some of its instances, or a module, by the address without keys.
    Target { address: String, keys: KeyedPattern, in_provider: bool },
}

/// A configuration of a provider in the root module: where the provider comes from, and the alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MockedConfiguration {
    pub(crate) source: String,
    pub(crate) alias: Option<Str>,
}

/// The content of one block.
#[derive(Clone, Debug)]
pub(crate) struct MockBlock {
    pub(crate) whom: MockTarget,
    pub(crate) parts: Vec<TakenAttribute>,
    /// The place where its header stands.
    pub(crate) place: Place,
}

impl MockBlock {
    /// Returns what is said of an attribute.
    pub(crate) fn part(&self, name: &str) -> Option<&TakenAttribute> {
        self.parts.iter().find(|part| *part.name == *name)
    }

    /// Returns what comes first: the block about one object before that about a type, the one with more keys before
    /// that with
    /// fewer, the one in no provider's mock before that in one. Of equal ones the first that is written counts.
    pub(crate) fn rank(&self) -> (u8, usize, bool) {
        match &self.whom {
            MockTarget::Target { keys, in_provider, .. } => {
                (0, usize::MAX - keys.count, *in_provider)
            }
            MockTarget::Type { of: Some(_), .. } => (1, 0, true),
            MockTarget::Type { of: None, .. } => (2, 0, false),
        }
    }

    /// Returns true if it is about every instance.
    pub(crate) fn is_about_all(&self) -> bool {
        match &self.whom {
            MockTarget::Target { keys, .. } => keys.count == 0,
            MockTarget::Type { .. } => true,
        }
    }

    /// Returns true if it is about the instance with that address, where its names are the same.
    pub(crate) fn is_about(&self, address: &str) -> bool {
        match &self.whom {
            MockTarget::Target { keys, .. } => keys.is_met_by(address),
            MockTarget::Type { .. } => true,
        }
    }
}
