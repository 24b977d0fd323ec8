//! User-given folders of module sources: a source as written in calls, optionally with `@` and a version, and a folder. A key
//! for a whole package also matches the folders inside of it (`SOURCE//FOLDER`).

use std::collections::BTreeSet;

use groma_config::{ReleaseVersion, VersionConstraints, did_you_mean, path};
use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::options::SourceMapping;

/// Maximum number of requested sources that the message about an unused mapping lists.
const LISTED: usize = 5;

/// The source mappings of a project (user-given folders that replace module sources), with a record of their use.
pub(super) struct SourceMappings<'o> {
    rows: &'o [SourceMapping],
    used: Vec<bool>,
    /// The sources that were looked up.
    asked: BTreeSet<String>,
}

/// A record of which source mappings applied to calls of one or several projects.
#[derive(Clone, Default, Debug)]
pub struct MappingUse {
    /// The origin of the mapping, its source, and true if a call used it.
    rows: Vec<(String, String, bool)>,
    /// The sources that were looked up.
    asked: BTreeSet<String>,
}

/// A mapping that applies to a source, and the folder that it gives.
pub(super) struct AppliedMapping<'o> {
    /// The mapping.
    pub(super) row: &'o SourceMapping,
    /// The module's folder.
    pub(super) dir: String,
}

impl<'o> SourceMappings<'o> {
    /// Returns these source mappings with an empty record of use.
    pub(super) fn new(rows: &'o [SourceMapping]) -> SourceMappings<'o> {
        SourceMappings { rows, used: vec![false; rows.len()], asked: BTreeSet::new() }
    }

    /// Returns the mapping and folder that apply to a source in a version, if any. The most specific key wins: one with a version
    /// before one without, of several versions the newest, of equal keys the last.
    pub(super) fn find(
        &mut self,
        source: &str,
        version: Option<&str>,
    ) -> Option<AppliedMapping<'o>> {
        if self.rows.is_empty() {
            return None;
        }
        self.asked.insert(source.to_owned());
        for (key, inner) in keys(source) {
            let mut best: Option<(usize, Option<ReleaseVersion>)> = None;
            for (at, row) in self.rows.iter().enumerate() {
                let Some(fit) = matched_version(&row.source, &key, version) else { continue };
                let is_better = best.as_ref().is_none_or(|(_, known)| fit >= *known);
                if is_better {
                    best = Some((at, fit));
                }
            }
            if let Some((at, _)) = best {
                self.used[at] = true;
                let row = &self.rows[at];
                let dir = match inner {
                    "" => path::normal(&row.dir),
                    inner => path::join(&row.dir, inner),
                };
                return Some(AppliedMapping { row, dir });
            }
        }
        None
    }

    /// Returns the record of the mappings that applied to calls.
    pub(super) fn into_use(self) -> MappingUse {
        let rows = self.rows.iter().zip(self.used);
        let rows = rows.map(|(row, used)| (row.origin.clone(), row.source.clone(), used));
        MappingUse { rows: rows.collect(), asked: self.asked }
    }
}

impl MappingUse {
    /// Adds the use of another project's mappings: a mapping used in any project counts as used.
    pub fn merge(&mut self, other: &MappingUse) {
        for (origin, source, is_used) in &other.rows {
            let is_same = |row: &&mut (String, String, bool)| row.0 == *origin && row.1 == *source;
            match self.rows.iter_mut().find(is_same) {
                Some(row) => row.2 |= is_used,
                None => self.rows.push((origin.clone(), source.clone(), *is_used)),
            }
        }
        self.asked.extend(other.asked.iter().cloned());
    }

    /// Reports the mappings that applied to no call.
    pub fn report(&self, out: &mut Diagnostics) {
        for (origin, source, _) in self.rows.iter().filter(|(.., used)| !used) {
            let hint = did_you_mean(source, self.asked.iter().map(String::as_str));
            let some: Vec<&str> = self.asked.iter().map(String::as_str).take(LISTED).collect();
            let more = if self.asked.len() > LISTED { " …" } else { "" };
            let there = match some.as_slice() {
                [] => "No call needs it.".to_owned(),
                some => format!("The sources of calls are {}{more}.", some.join(", ")),
            };
            let detail = format!(
                "{origin} gives the folder of \"{source}\", but no module has this source.{hint} {there}"
            );
            out.push(Diagnostic::warning(&codes::MODULE_MAPPING_UNUSED, detail));
        }
    }
}

/// Returns the version that a mapping's key `row`, such as `SOURCE@1.2.0`, names if it matches the source `key` and the
/// constraint `version`; `None` inside if it names none, `None` outside if it does not match.
fn matched_version(row: &str, key: &str, version: Option<&str>) -> Option<Option<ReleaseVersion>> {
    if row == key {
        return Some(None);
    }
    let named = row.strip_prefix(key)?.strip_prefix('@')?;
    let Ok(release) = ReleaseVersion::read(named).ok_or(()) else {
        // A key may contain the constraint as written in the call.
        return version.filter(|asked| asked.trim() == named).map(|_| None);
    };
    let allows = |asked: &str| match VersionConstraints::parse(asked) {
        Ok(constraints) => constraints.allow(&release),
        Err(_) => asked.trim() == named,
    };
    version.is_none_or(allows).then_some(Some(release))
}

/// Returns the mapping keys that match a source, most specific first, each with the source's folder inside the package if the
/// key omits that folder, else an empty text.
fn keys(source: &str) -> Vec<(String, &str)> {
    let (whole, query) = match source.split_once('?') {
        Some((whole, _)) => (whole, &source[whole.len()..]),
        None => (source, ""),
    };
    let mut keys = vec![(source.to_owned(), "")];
    // `//` after a scheme precedes a host, not a folder.
    let start = whole.find("://").map_or(0, |at| at + 3);
    if let Some(at) = whole[start..].find("//") {
        let (package, inner) = (&whole[..start + at], &whole[start + at + 2..]);
        keys.push((format!("{package}{query}"), inner));
        keys.push((whole.to_owned(), ""));
        keys.push((package.to_owned(), inner));
    } else {
        keys.push((whole.to_owned(), ""));
    }
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a mapping of a module source to a folder, as the flag `--module` gives it.
    fn mapping(source: &str, dir: &str) -> SourceMapping {
        SourceMapping {
            source: source.to_owned(),
            dir: dir.to_owned(),
            origin: "--module".to_owned(),
        }
    }

    /// Returns the folder that the mappings give for a source in a version, if any.
    fn found(rows: &[SourceMapping], source: &str, version: Option<&str>) -> Option<String> {
        SourceMappings::new(rows).find(source, version).map(|found| found.dir)
    }

    #[test]
    fn the_nearest_key_counts() {
        let rows = [
            mapping("a/vpc/aws", "../vpc"),
            mapping("a/vpc/aws@5.1.0", "v51"),
            mapping("a/vpc/aws@5.2.0", "v52"),
            mapping("a/iam/aws", "iam"),
            mapping("git::https://x.org/m.git", "m"),
            mapping("git::https://x.org/m.git?ref=v2", "m2"),
        ];
        let at = |source, version| found(&rows, source, version);
        assert_eq!(at("a/vpc/aws", None).as_deref(), Some("v52"));
        assert_eq!(at("a/vpc/aws", Some("~> 5.1.0")).as_deref(), Some("v51"));
        assert_eq!(at("a/vpc/aws", Some(">= 6.0")).as_deref(), Some("../vpc"));
        assert_eq!(at("a/iam/aws//modules/user", None).as_deref(), Some("iam/modules/user"));
        assert_eq!(at("git::https://x.org/m.git?ref=v1", None).as_deref(), Some("m"));
        assert_eq!(at("git::https://x.org/m.git//in?ref=v2", None).as_deref(), Some("m2/in"));
        assert_eq!(at("b/vpc/aws", None), None);
    }

    #[test]
    fn what_is_of_no_use_is_said() {
        let rows = [mapping("a/vpc/aws", "../vpc")];
        let mut mappings = SourceMappings::new(&rows);
        assert!(mappings.find("a/vpcs/aws", None).is_none());
        let mut out = Diagnostics::new();
        let mut all = mappings.into_use();
        all.report(&mut out);
        assert_eq!(out.warning_count(), 1);
        assert!(out.as_slice()[0].detail.contains("a/vpcs/aws"));
        let mut elsewhere = SourceMappings::new(&rows);
        assert!(elsewhere.find("a/vpc/aws", None).is_some());
        all.merge(&elsewhere.into_use());
        let mut out = Diagnostics::new();
        all.report(&mut out);
        assert!(out.is_empty());
    }
}
