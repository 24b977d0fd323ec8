//! The revisions of a git repository: each is a host whose files come straight from git's objects, so nothing is
//! checked out and no server is asked. What git leaves out (installed modules, files of values that are ignored)
//! belongs to the machine and not to a revision: every revision sees it as it is now.
#![forbid(unsafe_code)]

mod changed;
mod host;
mod ignored;
mod links;
mod losses;
mod objects;
mod repository;

pub use host::RevisionHost;
pub use links::FileWay;
pub use repository::{NoRevision, Repository, Revision, RevisionRange, bare_sentence};

/// Returns true if a path fits a pattern: `*` and `?` stand for what has no slash, `**` for anything.
pub fn is_like(path: &str, pattern: &str) -> bool {
    use gix::glob::wildmatch::Mode;
    gix::glob::wildmatch(pattern.into(), path.into(), Mode::NO_MATCH_SLASH_LITERAL)
}
