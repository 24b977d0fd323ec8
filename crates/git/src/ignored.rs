//! Files of the work tree that belong to no revision: those that match ignore patterns and were not added. They are read from the
//! machine, such as installed modules and variable files with secrets.

use std::sync::{Mutex, PoisonError};

use gix::index::entry::Mode;

/// The name of the directory in which the reference programs keep installed files; it counts as ignored by git even if no pattern
/// matches.
const DATA: &str = ".terraform";

/// The patterns by which git ignores files of a repository, and its index, behind a lock, to be shared by threads.
pub(crate) struct IgnorePatterns(Mutex<RepositoryPatterns>);

/// The patterns by which git ignores files of a work tree, and the index: git does not ignore a file that is in the index.
struct RepositoryPatterns {
    repository: gix::Repository,
    /// The ignore patterns; `None` if they cannot be read, in which case nothing is ignored.
    stack: Option<gix::worktree::Stack>,
    index: Option<gix::worktree::Index>,
}

impl IgnorePatterns {
    /// Reads the patterns by which git ignores files of a repository, and its index.
    pub(crate) fn of(repository: gix::Repository) -> IgnorePatterns {
        let index = repository.index_or_empty().ok();
        let stack = index.as_ref().and_then(|index| {
            let source =
                gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
            Some(repository.excludes(index, None, source).ok()?.detach())
        });
        IgnorePatterns(Mutex::new(RepositoryPatterns { repository, stack, index }))
    }

    /// Returns true if revisions leave out a path of the work tree: git ignores it and it is not in the index, or it is inside a
    /// `.terraform`.
    pub(crate) fn leaves_out(&self, path: &str, is_folder: bool) -> bool {
        if path.split('/').any(|name| name == DATA) {
            return true;
        }
        let mut patterns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let RepositoryPatterns { repository, stack, index } = &mut *patterns;
        let is_added =
            index.as_ref().is_some_and(|index| index.entry_by_path(path.into()).is_some());
        if is_added {
            return false;
        }
        let mode = if is_folder { Mode::DIR } else { Mode::FILE };
        let Some(stack) = stack else { return false };
        let found = stack.at_path(path, Some(mode), &repository.objects);
        found.is_ok_and(|platform| platform.is_excluded())
    }
}
