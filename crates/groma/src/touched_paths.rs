//! The paths that have changed since the last load, as the caller of a workspace reports them. A path denotes a file or a
//! directory with all its contents, which may be deleted; links are followed, so that a file has changed under each path that
//! leads to it.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use groma_runtime::{Host, HostError, absolute, file_path};
use rustc_hash::FxHashMap;

/// Maximum number of changed paths recorded; beyond it everything counts as changed.
const PATH_LIMIT: usize = 10_000;

/// A set of the paths that have changed since the last load of a root.
#[derive(Clone, Default, Debug)]
pub(crate) struct TouchedPaths {
    paths: BTreeSet<String>,
    /// True if everything may have changed.
    is_all: bool,
}

impl TouchedPaths {
    /// Adds a changed path to the set.
    pub(crate) fn add(&mut self, path: &str) {
        if self.is_all {
            return;
        }
        self.paths.insert(path.to_owned());
        if self.paths.len() > PATH_LIMIT {
            *self = TouchedPaths { paths: BTreeSet::new(), is_all: true };
        }
    }

    /// Records that anything may have changed.
    pub(crate) fn add_everything(&mut self) {
        *self = TouchedPaths { paths: BTreeSet::new(), is_all: true };
    }

    /// Adds the changed paths of another set to this one.
    pub(crate) fn add_all(&mut self, other: TouchedPaths) {
        self.is_all |= other.is_all;
        other.paths.iter().for_each(|path| self.add(path));
    }

    /// Returns true if a path, a path inside of it or a directory around it has changed.
    pub(crate) fn touches(&self, path: &str) -> bool {
        if self.is_all || self.paths.contains(path) {
            return true;
        }
        let mut around = path;
        while let Some(end) = around.rfind('/') {
            around = &around[..end];
            if self.paths.contains(around) {
                return true;
            }
        }
        let inside = format!("{path}/");
        let from = (Bound::Included(inside.as_str()), Bound::Unbounded);
        self.paths.range::<str, _>(from).next().is_some_and(|next| next.starts_with(&inside))
    }
}

/// A cache of resolved paths, in which all links are followed. The loads of a root share it, each with a number of its own.
#[derive(Default, Debug)]
pub(crate) struct RealPaths {
    known: FxHashMap<String, RealPath>,
    /// The number of the current load.
    load: u64,
}

/// A resolved path as a host returned it, with the number of the load that last used it.
#[derive(Debug)]
struct RealPath {
    /// The host's answer: the resolved path or an error.
    told: Result<String, HostError>,
    /// The path with which changed paths are compared, if it differs from the answer.
    compared: Option<String>,
    /// The number of the load that last used it.
    load: u64,
    /// True if a change since the previous load concerns it.
    is_touched: bool,
}

impl RealPath {
    /// Resolves a path by a host during the load with the number `load`; `written` is the absolute path that is not
    /// resolved.
    fn of(path: &str, written: &str, host: &dyn Host, load: u64) -> RealPath {
        let told = host.canonical(path);
        let clean = told.as_deref().map_or_else(|_| written.to_owned(), file_path::clean);
        let compared = (told.as_deref() != Ok(&*clean)).then_some(clean);
        RealPath { told, compared, load, is_touched: false }
    }

    /// Returns the path with which changed paths are compared: the resolved one, or the written one if resolving failed.
    fn compared(&self) -> &str {
        let told = || self.told.as_deref().unwrap_or_default();
        self.compared.as_deref().unwrap_or_else(told)
    }
}

impl RealPaths {
    /// Locks the cache of resolved paths, even if a thread has panicked while it held the lock.
    pub(crate) fn locked(all: &Mutex<RealPaths>) -> MutexGuard<'_, RealPaths> {
        all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the next load, in which each path is compared with the changed ones anew; `is_first` also empties the cache.
    pub(crate) fn begin(&mut self, is_first: bool) {
        self.load += 1;
        if is_first {
            self.known.clear();
        }
    }

    /// Returns true if one of the changed paths `touched` concerns a path, as written or with its links resolved.
    pub(crate) fn is_touched(
        &mut self,
        touched: &TouchedPaths,
        path: &str,
        host: &dyn Host,
    ) -> bool {
        let load = self.load;
        if let Some(known) = self.known.get(path).filter(|known| known.load == load) {
            return known.is_touched;
        }
        let written = file_path::clean(&absolute(host, path));
        let real = self.known.entry(path.to_owned());
        let real = real.or_insert_with(|| RealPath::of(path, &written, host, load));
        real.load = load;
        real.is_touched = touched.touches(&written) || touched.touches(real.compared());
        real.is_touched
    }

    /// Ends a load: removes the paths that have changed and those that the load did not use from the cache.
    pub(crate) fn end(&mut self) {
        let load = self.load;
        self.known.retain(|_, real| real.load == load && !real.is_touched);
    }

    /// Returns the number of the current load.
    pub(crate) fn load(&self) -> u64 {
        self.load
    }

    /// Returns the resolved form of `path`: from the cache while `load` is the current load, otherwise as `host` resolves it
    /// now.
    pub(crate) fn canonical(
        all: &Mutex<RealPaths>,
        load: u64,
        path: &str,
        host: &dyn Host,
    ) -> Result<String, HostError> {
        let current = || Some(RealPaths::locked(all)).filter(|all| all.load == load);
        let known = current().and_then(|all| {
            let known = all.known.get(path)?;
            (known.load == load && !known.is_touched).then(|| known.told.clone())
        });
        if let Some(known) = known {
            return known;
        }
        let written = file_path::clean(&absolute(host, path));
        let real = RealPath::of(path, &written, host, load);
        let told = real.told.clone();
        if let Some(mut all) = current() {
            all.known.entry(path.to_owned()).or_insert(real);
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_touched_by_what_is_in_it_and_around_it() {
        let mut touched = TouchedPaths::default();
        touched.add("/a/b/c.tf");
        touched.add("/d");
        for path in ["/a/b/c.tf", "/a/b", "/a", "/d", "/d/e/f.tf"] {
            assert!(touched.touches(path), "{path}");
        }
        for path in ["/a/b/d.tf", "/a/b/c", "/a/bb", "/e", "/dd"] {
            assert!(!touched.touches(path), "{path}");
        }
        (0..=PATH_LIMIT).for_each(|at| touched.add(&format!("/x/{at}")));
        assert!(touched.touches("/e"));
    }
}
