//! Files parsed before their folder is loaded, because they had to be inspected: the loader reuses their trees. A tree is used
//! only for the exact text that it was parsed from.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::file_path;
use groma_syntax::Tree;
use rustc_hash::FxHashMap;

/// Maximum total size in bytes of the texts whose trees a [`ParsedFiles`] keeps; the loader parses further files again.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// Syntax trees of files that were parsed before their folder is loaded, by file path: the loader takes them instead of parsing
/// again. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct ParsedFiles(Arc<Mutex<KeptTrees>>);

/// The syntax trees that a [`ParsedFiles`] keeps for the loader, by file path, and the total size of their texts.
#[derive(Default, Debug)]
struct KeptTrees {
    trees: FxHashMap<String, Arc<Tree>>,
    /// The total size of their texts, in bytes.
    bytes: usize,
}

impl ParsedFiles {
    /// Locks the trees that are kept and returns them.
    fn kept(&self) -> MutexGuard<'_, KeptTrees> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the tree of a file at a path, unless the texts of all kept trees would exceed [`MAX_TEXT_BYTES`] bytes.
    pub(crate) fn keep(&self, path: &str, tree: &Arc<Tree>) {
        let mut kept = self.kept();
        let bytes = kept.bytes + tree.text().len();
        if bytes <= MAX_TEXT_BYTES {
            kept.bytes = bytes;
            kept.trees.insert(file_path::clean(path), tree.clone());
        }
    }

    /// Removes and returns the tree of the file at a path; `None` if none is kept.
    pub(crate) fn take(&self, path: &str) -> Option<Arc<Tree>> {
        let mut kept = self.kept();
        if kept.trees.is_empty() {
            return None;
        }
        let tree = kept.trees.remove(&file_path::clean(path))?;
        kept.bytes = kept.bytes.saturating_sub(tree.text().len());
        Some(tree)
    }

    /// Drops all trees that the loader has not taken.
    pub fn forget(&self) {
        *self.kept() = KeptTrees::default();
    }
}
