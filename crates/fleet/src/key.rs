//! The key of a result line: digests of everything that its answer depends on. They cover contents, not times, so a line is
//! reused exactly if asking again would give the same line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use groma::Host;
use groma::folders::{HostReading, ReadingGroup};
use serde::{Deserialize, Serialize};

/// The key of a result line, by which a later run decides whether to keep it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct LineKey {
    /// The root, as the line names it.
    pub root: String,
    /// The digest of the question, the options and the version of Groma.
    pub settings: String,
    /// The digest of the line itself.
    pub line: String,
    /// The code of the line's error, if it has one.
    pub error: Option<String>,
    /// The identifiers of the groups of file readings that the answer depends on.
    pub groups: Vec<String>,
}

/// A line of the key file: the key of a result line, or a group of readings.
#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
pub(crate) enum KeyEntry {
    Line(LineKey),
    Group { group: String, readings: Vec<StoredReading> },
}

/// A file reading as it is stored: kind, name, and the two halves of the digest.
pub(crate) type StoredReading = (char, String, u64, u64);

impl KeyEntry {
    /// Returns the entry of a group of readings.
    pub(crate) fn of_group(group: &ReadingGroup) -> KeyEntry {
        let stored = |one: &HostReading| (one.kind, one.name.clone(), one.digest.0, one.digest.1);
        let readings = group.readings.iter().map(stored).collect();
        KeyEntry::Group { group: group.id.clone(), readings }
    }

    /// Returns the entry as a line, line end included.
    pub(crate) fn text(&self) -> String {
        // An entry has only strings and numbers, which are always valid JSON.
        serde_json::to_string(self).map(|text| text + "\n").unwrap_or_default()
    }
}

/// Restores a group of stored readings.
pub(crate) fn group_of(id: String, readings: Vec<StoredReading>) -> Arc<ReadingGroup> {
    let reading = |(kind, name, one, other)| HostReading { kind, name, digest: (one, other) };
    Arc::new(ReadingGroup { id, readings: readings.into_iter().map(reading).collect() })
}

/// Checks whether files have changed since they were read. Each group is checked once, however many lines depend on it.
#[derive(Default)]
pub struct ReadingCheck {
    /// The result for each group that was checked.
    current: Mutex<BTreeMap<String, bool>>,
}

impl ReadingCheck {
    /// Returns true if a host would still give the same answer to every reading of some groups.
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
