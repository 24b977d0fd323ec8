//! What the blocks of mock files say, ready to be asked: of whom, which attributes, and what comes before what.

use groma_folder::Mode;
use groma_syntax::Place;
use groma_value::{Str, Value};

use crate::address::Pattern;

/// One attribute or output, and what is taken for it.
#[derive(Clone, Debug)]
pub(crate) struct TakenAttribute {
    pub(crate) name: Str,
    /// Where the name stands.
    pub(crate) name_place: Place,
    /// Where the value stands.
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// Whom a block is about.
#[derive(Clone, Debug)]
pub(crate) enum Whom {
    /// All of a type, whichever provider it is of or only of one.
    Type { mode: Mode, kind: Str, of: Option<Configuration> },
    /// A resource or some of its instances, or a module, by the address without keys.
    Target { address: String, keys: Pattern, in_provider: bool },
}

/// A configuration of a provider in the root module: where the provider comes from, and the alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Configuration {
    pub(crate) source: String,
    pub(crate) alias: Option<Str>,
}

/// What one block says.
#[derive(Clone, Debug)]
pub(crate) struct Says {
    pub(crate) whom: Whom,
    pub(crate) parts: Vec<TakenAttribute>,
    /// Where its header stands.
    pub(crate) place: Place,
}

impl Says {
    /// What is said of an attribute.
    pub(crate) fn part(&self, name: &str) -> Option<&TakenAttribute> {
        self.parts.iter().find(|part| *part.name == *name)
    }

    /// What comes first: the block about one object before that about a type, the one with more keys before that with
    /// fewer, the one in no provider's mock before that in one. Of equal ones the first that is written counts.
    pub(crate) fn rank(&self) -> (u8, usize, bool) {
        match &self.whom {
            Whom::Target { keys, in_provider, .. } => (0, usize::MAX - keys.count, *in_provider),
            Whom::Type { of: Some(_), .. } => (1, 0, true),
            Whom::Type { of: None, .. } => (2, 0, false),
        }
    }

    /// Whether it is about every instance.
    pub(crate) fn is_about_all(&self) -> bool {
        match &self.whom {
            Whom::Target { keys, .. } => keys.count == 0,
            Whom::Type { .. } => true,
        }
    }

    /// Whether it is about the instance with that address, where its names are the same.
    pub(crate) fn is_about(&self, address: &str) -> bool {
        match &self.whom {
            Whom::Target { keys, .. } => keys.is_met_by(address),
            Whom::Type { .. } => true,
        }
    }
}
