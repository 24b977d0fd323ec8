//! Matching of instance addresses. A step without a key matches all instances, so instance addresses are compared with a target
//! step by step.

use groma_address::text::steps;
use groma_config::AddressPattern;

/// An address pattern whose keys, where present, must equal those of an instance.
#[derive(Clone, Debug)]
pub(crate) struct KeyedPattern {
    /// The key of each step, empty if any key matches.
    keys: Vec<String>,
    /// The number of keys.
    pub(crate) count: usize,
}

impl KeyedPattern {
    /// Returns the pattern of a target.
    pub(crate) fn of(target: &AddressPattern) -> KeyedPattern {
        let written = target.to_string();
        let keys: Vec<String> = steps(&written).map(|(_, key)| key.to_owned()).collect();
        let count = keys.iter().filter(|key| !key.is_empty()).count();
        KeyedPattern { keys, count }
    }

    /// Returns true if the pattern matches an instance address with the same names.
    pub(crate) fn is_met_by(&self, address: &str) -> bool {
        let mut given = steps(address).map(|(_, key)| key);
        self.count == 0
            || self.keys.iter().all(|key| {
                let own = given.next().unwrap_or_default();
                key.is_empty() || *key == own
            })
    }
}
