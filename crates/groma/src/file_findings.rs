//! Diagnostics grouped by file, and their changes between two snapshots. Places are those of whole texts, so an inserted line
//! moves every later diagnostic of its file, but none of another file.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_syntax::{Diagnostic, Diagnostics, Sources};

use crate::Snapshot;

/// The diagnostics of files by name, each in the order of places. Those without a place are under the empty name.
pub type FileFindings = BTreeMap<Arc<str>, Arc<[Diagnostic]>>;

/// Groups diagnostics by the name of the file that their place is in.
pub(crate) fn by_file(found: &Diagnostics, sources: &Sources) -> FileFindings {
    let mut files: BTreeMap<Arc<str>, Vec<Diagnostic>> = BTreeMap::new();
    for one in found {
        let name = one.place.map_or("", |place| sources.at(place).0.name());
        match files.get_mut(name) {
            Some(all) => all.push(one.clone()),
            None => drop(files.insert(name.into(), vec![one.clone()])),
        }
    }
    files.into_iter().map(|(name, all)| (name, all.into())).collect()
}

impl Snapshot {
    /// Returns the files whose diagnostics have changed since an older snapshot of the root, with the current ones. A file that
    /// has become free of diagnostics is included with an empty list.
    pub fn changed_findings(&self, since: &Snapshot) -> Vec<(Arc<str>, Arc<[Diagnostic]>)> {
        let (now, before) = (self.findings_by_file(), since.findings_by_file());
        let is_same = |name: &Arc<str>, found: &Arc<[Diagnostic]>| {
            before.get(name).is_some_and(|known| known == found)
        };
        let fresh = now.iter().filter(|(name, found)| !is_same(name, found));
        let gone = before.keys().filter(|name| !now.contains_key(*name));
        let mut changed: Vec<(Arc<str>, Arc<[Diagnostic]>)> = fresh
            .map(|(name, found)| (name.clone(), found.clone()))
            .chain(gone.map(|name| (name.clone(), Arc::default())))
            .collect();
        changed.sort_by(|a, b| a.0.cmp(&b.0));
        changed
    }
}
