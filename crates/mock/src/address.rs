//! Which instances an address means. A step without a key means all of them, so an address of instances is compared with
//! a target step by step.

use groma_address::text::steps;
use groma_config::AddressPattern;

/// An address whose keys are to be those of an instance, where it has some.
#[derive(Clone, Debug)]
pub(crate) struct KeyedPattern {
    /// The keys of its steps, empty where any will do.
    keys: Vec<String>,
    /// The number of keys.
    pub(crate) count: usize,
}

impl KeyedPattern {
    pub(crate) fn of(target: &AddressPattern) -> KeyedPattern {
        let written = target.to_string();
        let keys: Vec<String> = steps(&written).map(|(_, key)| key.to_owned()).collect();
        let count = keys.iter().filter(|key| !key.is_empty()).count();
        KeyedPattern { keys, count }
    }

    /// Returns true if an instance is meant whose address has the same names.
    pub(crate) fn is_met_by(&self, address: &str) -> bool {
        let mut given = steps(address).map(|(_, key)| key);
        self.count == 0
            || self.keys.iter().all(|key| {
                let own = given.next().unwrap_or_default();
                key.is_empty() || *key == own
            })
    }
}
