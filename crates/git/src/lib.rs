//! Revisions of a git repository as hosts: files are read from git's objects, so nothing is checked out and no server is
//! contacted. Ignored files (installed modules, secret variable files) belong to the machine: every revision sees their current
//! content.
#![forbid(unsafe_code)]

mod changed;
mod host;
mod ignored;
mod links;
mod losses;
mod objects;
mod repository;

pub use host::RevisionHost;
pub use links::FileRoute;
pub use repository::{NoRevision, Repository, Revision, RevisionRange, bare_sentence};

/// Returns true if a path matches a pattern: `*` and `?` match text without a slash, `**` any text.
pub fn is_like(path: &str, pattern: &str) -> bool {
    use gix::glob::wildmatch::Mode;
    gix::glob::wildmatch(pattern.into(), path.into(), Mode::NO_MATCH_SLASH_LITERAL)
}
