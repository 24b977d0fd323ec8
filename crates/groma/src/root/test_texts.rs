//! Cached test files, and the names in each. They are stored in a snapshot and do not refer back to it.

use std::sync::{Arc, Mutex, OnceLock};

use groma_config::RawBlock;
use groma_runtime::Edition;
use groma_syntax::{Diagnostics, FileId, Place, Sources};
use rustc_hash::FxHashMap;

use super::FileSpan;
use super::test_names::TestNames;
use crate::place::FileSyntax;

/// A cache of a snapshot's test files, and of the modules `M` that their runs test, filled on demand. It does not refer back to
/// the snapshot.
pub(crate) struct TestTexts<M> {
    pub(super) files: Mutex<FxHashMap<String, Arc<TestText>>>,
    /// The modules that runs test instead of the snapshot's, by directory.
    pub(super) modules: Mutex<FxHashMap<String, M>>,
}

impl<M> Default for TestTexts<M> {
    fn default() -> TestTexts<M> {
        TestTexts { files: Mutex::default(), modules: Mutex::default() }
    }
}

/// The text of a test file with its syntax, its blocks, and the diagnostics of reading it.
pub(super) struct TestText {
    pub(super) file: FileId,
    pub(super) sources: Sources,
    pub(super) syntax: Arc<FileSyntax>,
    pub(super) blocks: Vec<RawBlock>,
    /// The diagnostics of reading the file.
    pub(super) found: Diagnostics,
    /// The index of its names, built on first use.
    pub(super) names: OnceLock<TestNames>,
}

impl TestText {
    /// Returns the index of the runs, declarations and expressions in the test file, built on first use.
    pub(super) fn names(&self, edition: Edition) -> &TestNames {
        self.names.get_or_init(|| {
            TestNames::of(&self.blocks, &self.syntax.body(), &self.sources, edition)
        })
    }

    /// Converts a place in the test file to a span with the file's name.
    pub(super) fn span(&self, place: Place) -> FileSpan {
        FileSpan::of(place, &self.sources)
    }
}
