//! Files that were parsed before their folder is loaded, because they had to be looked into: the loader takes their
//! trees. Nothing is trusted blindly: a tree counts only for the very text that it was made of.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::file_path;
use groma_syntax::Tree;
use rustc_hash::FxHashMap;

/// The maximum number of bytes of text that are kept at most; what comes then is parsed again.
const MOST: usize = 16 << 20;

/// Trees of files, by the path under which each was read. Each is given away once. Cloning shares them.
#[derive(Clone, Default, Debug)]
pub struct ParsedFiles(Arc<Mutex<KeptTrees>>);

#[derive(Default, Debug)]
struct KeptTrees {
    trees: FxHashMap<String, Arc<Tree>>,
    /// The number of bytes of text they have.
    bytes: usize,
}

impl ParsedFiles {
    fn kept(&self) -> MutexGuard<'_, KeptTrees> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the tree of a file whose text has no mistakes.
    pub(crate) fn keep(&self, path: &str, tree: &Arc<Tree>) {
        let mut kept = self.kept();
        let bytes = kept.bytes + tree.text().len();
        if bytes <= MOST {
            kept.bytes = bytes;
            kept.trees.insert(file_path::clean(path), tree.clone());
        }
    }

    /// Gives away the tree of a file.
    pub(crate) fn take(&self, path: &str) -> Option<Arc<Tree>> {
        let mut kept = self.kept();
        if kept.trees.is_empty() {
            return None;
        }
        let tree = kept.trees.remove(&file_path::clean(path))?;
        kept.bytes = kept.bytes.saturating_sub(tree.text().len());
        Some(tree)
    }

    /// Forgets what was not taken.
    pub fn forget(&self) {
        *self.kept() = KeptTrees::default();
    }
}
