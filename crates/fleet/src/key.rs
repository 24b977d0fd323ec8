//! The key of a line: what its answer rests on. It is the content of everything that was read, not the time of a file, so a
//! line is kept exactly as long as asking again would give the same line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use groma::Host;
use groma::folders::{HostReading, ReadingGroup};
use serde::{Deserialize, Serialize};

/// What a line rests on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct LineKey {
    /// The root, as the line has it.
    pub root: String,
    /// A digest of the question, the options and the engine's version.
    pub settings: String,
    /// The digest of the line.
    pub line: String,
    /// The code of the error that the line has, if it has one.
    pub error: Option<String>,
    /// The identifiers of the groups of readings.
    pub groups: Vec<String>,
}

/// A line of a file of keys.
#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
pub(crate) enum KeyEntry {
    Line(LineKey),
    Group { group: String, readings: Vec<StoredReading> },
}

/// A reading as it is stored: kind, name, and the two halves of the digest.
pub(crate) type StoredReading = (char, String, u64, u64);

impl KeyEntry {
    /// The entry of a group.
    pub(crate) fn of_group(group: &ReadingGroup) -> KeyEntry {
        let stored = |one: &HostReading| (one.kind, one.name.clone(), one.digest.0, one.digest.1);
        let readings = group.readings.iter().map(stored).collect();
        KeyEntry::Group { group: group.id.clone(), readings }
    }

    /// The entry as a line with its end.
    pub(crate) fn text(&self) -> String {
        // An entry holds texts and numbers only, which are JSON always.
        serde_json::to_string(self).map(|text| text + "\n").unwrap_or_default()
    }
}

/// Returns the group of stored readings.
pub(crate) fn group_of(id: String, readings: Vec<StoredReading>) -> Arc<ReadingGroup> {
    let reading = |(kind, name, one, other)| HostReading { kind, name, digest: (one, other) };
    Arc::new(ReadingGroup { id, readings: readings.into_iter().map(reading).collect() })
}

/// Checks whether what was read is still the same. Each group is read once, however many lines rest on it.
#[derive(Default)]
pub struct ReadingCheck {
    current: Mutex<BTreeMap<String, bool>>,
}

impl ReadingCheck {
    /// Returns true if a host still gives all the answers of some groups.
    pub fn are_current(&self, groups: &[Arc<ReadingGroup>], host: &dyn Host) -> bool {
        groups.iter().all(|group| {
            let known = || self.current.lock().unwrap_or_else(PoisonError::into_inner);
            let earlier = known().get(&group.id).copied();
            earlier.unwrap_or_else(|| {
                let is_current = group.readings.iter().all(|reading| reading.is_current(host));
                known().insert(group.id.clone(), is_current);
                is_current
            })
        })
    }
}
