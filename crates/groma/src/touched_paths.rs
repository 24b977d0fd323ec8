//! The paths that have changed since the last load, as the caller of a workspace reports them. A path stands for a file or a
//! directory with all its contents, which may be deleted; links are followed, so that a file counts under each path that leads to
//! it.

use std::collections::BTreeSet;
use std::ops::Bound;

use groma_runtime::{Host, absolute, file_path};
use rustc_hash::FxHashMap;

/// Maximum number of paths recorded; beyond it everything counts as changed.
const PATH_LIMIT: usize = 10_000;

/// A set of changed paths.
#[derive(Clone, Default, Debug)]
pub(crate) struct TouchedPaths {
    paths: BTreeSet<String>,
    /// True if everything may have changed.
    is_all: bool,
}

impl TouchedPaths {
    /// Adds a path.
    pub(crate) fn add(&mut self, path: &str) {
        if self.is_all {
            return;
        }
        self.paths.insert(path.to_owned());
        if self.paths.len() > PATH_LIMIT {
            *self = TouchedPaths { paths: BTreeSet::new(), is_all: true };
        }
    }

    /// Marks everything as changed.
    pub(crate) fn add_everything(&mut self) {
        *self = TouchedPaths { paths: BTreeSet::new(), is_all: true };
    }

    /// Adds all paths of another set.
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

/// A cache of real paths: those with all links resolved.
#[derive(Clone, Default, Debug)]
pub(crate) struct RealPaths(FxHashMap<String, String>);

impl RealPaths {
    /// Returns true if a change touches a path that a host was asked for, as written or with its links resolved.
    pub(crate) fn is_touched(
        &mut self,
        touched: &TouchedPaths,
        path: &str,
        host: &dyn Host,
    ) -> bool {
        let written = file_path::clean(&absolute(host, path));
        if touched.touches(&written) {
            // The link may have another target now.
            self.0.remove(path);
            return true;
        }
        let real = self.0.entry(path.to_owned()).or_insert_with(|| {
            host.canonical(path).map_or(written, |real| file_path::clean(&real))
        });
        touched.touches(real)
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
