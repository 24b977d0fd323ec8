//! The key of a result line: digests of everything that its answer depends on. They cover contents, not times, so a line is
//! reused exactly if asking again would give the same line.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use groma::Host;
use groma::folders::{HostReading, ReadingGroup};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The identifier of a group of readings, which are requests to a host and their answers: a 128-bit digest, written in
/// hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(u128);

impl GroupId {
    /// Returns the identifier of a group of readings; zero if its digest is not hexadecimal.
    pub(crate) fn of(group: &ReadingGroup) -> GroupId {
        GroupId::read(&group.id).unwrap_or(GroupId(0))
    }

    /// Returns the lower 64 bits of the identifier, which tell groups apart with less memory.
    pub(crate) fn part(self) -> u64 {
        self.0 as u64
    }

    /// Parses an identifier from hexadecimal; `None` for any other text.
    pub(crate) fn read(text: &str) -> Option<GroupId> {
        u128::from_str_radix(text, 16).ok().map(GroupId)
    }
}

impl Serialize for GroupId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:032x}", self.0))
    }
}

impl<'d> Deserialize<'d> for GroupId {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<GroupId, D::Error> {
        let text = String::deserialize(from)?;
        GroupId::read(&text).ok_or_else(|| D::Error::custom("not a digest"))
    }
}

/// The key of a result line: digests of its text and of everything that it depends on, by which a later run keeps it.
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
    pub groups: Vec<GroupId>,
}

/// A line of the key file, which tells for each result line of a fleet on what it depends: the key of a result line, or a group
/// of readings.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub(crate) enum KeyEntry {
    Line(LineKey),
    Group(GroupEntry),
}

/// A group of readings as the key file stores it: its identifier and the requests to the host, without their answers.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct GroupEntry {
    group: GroupId,
    /// The requests, by the letters of their kinds. Each name is stored as the number of bytes that it shares with the previous
    /// name, and its remaining text.
    asked: Vec<(char, Vec<(usize, String)>)>,
}

impl KeyEntry {
    /// Returns the entry as a line of the key file, line end included.
    pub(crate) fn text(&self) -> String {
        // An entry has only strings and numbers, which are always valid JSON.
        serde_json::to_string(self).map(|text| text + "\n").unwrap_or_default()
    }
}

impl GroupEntry {
    /// Converts a group of readings to an entry of its requests; the name of each, such as a path, is stored without the
    /// prefix that it shares with the previous one.
    pub(crate) fn of(group: &ReadingGroup) -> GroupEntry {
        let mut asked: Vec<(char, Vec<(usize, String)>)> = Vec::new();
        let mut before = "";
        for HostReading { kind, name, .. } in &group.readings {
            let pairs = name.bytes().zip(before.bytes());
            let mut common = pairs.take_while(|(one, other)| one == other).count();
            while !name.is_char_boundary(common) {
                common -= 1;
            }
            let told = (common, name[common..].to_owned());
            match asked.last_mut() {
                Some((last, names)) if last == kind => names.push(told),
                _ => asked.push((*kind, vec![told])),
            }
            before = name;
        }
        GroupEntry { group: GroupId::of(group), asked }
    }

    /// Restores the requests of the entry, whose names are stored without shared prefixes; `None` if the entry is invalid.
    pub(crate) fn stored(self) -> Option<StoredGroup> {
        let (mut questions, mut before) = (Vec::new(), String::new());
        for (kind, names) in self.asked {
            for (common, rest) in names {
                before = before.get(..common)?.to_owned() + &rest;
                questions.push((kind, before.clone()));
            }
        }
        Some(StoredGroup { id: self.group, questions })
    }
}

/// A group of recorded requests to a host, with the digest of their answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGroup {
    /// The digest of all readings.
    pub id: GroupId,
    /// The letter of each request's kind, and the name of the requested file, folder or variable.
    pub questions: Vec<(char, String)>,
}

impl StoredGroup {
    /// Returns true if a host still gives the same answer to every recorded request.
    fn is_current(&self, host: &dyn Host) -> bool {
        let asked = |(kind, name): &(char, String)| HostReading::of_request(host, *kind, name);
        let readings: Option<Vec<HostReading>> = self.questions.iter().map(asked).collect();
        readings.is_some_and(|readings| GroupId::of(&ReadingGroup::new(readings)) == self.id)
    }
}

/// A check for changes of files since they were read. Each group is checked once, however many lines depend on it.
#[derive(Default)]
pub struct ReadingCheck {
    /// The result for each group that was checked.
    current: Mutex<BTreeMap<GroupId, bool>>,
}

impl ReadingCheck {
    /// Returns true if a host would still give the same answer to every reading of some groups.
    pub fn are_current(&self, groups: &[StoredGroup], host: &dyn Host) -> bool {
        groups.iter().all(|group| {
            let known = || self.current.lock().unwrap_or_else(PoisonError::into_inner);
            let earlier = known().get(&group.id).copied();
            earlier.unwrap_or_else(|| {
                let is_current = group.is_current(host);
                known().insert(group.id, is_current);
                is_current
            })
        })
    }
}
