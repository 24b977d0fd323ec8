//! Tools that the tests of every crate share: pages that run, recorded vectors, and the list of facts that do not agree yet.
//!
//! It knows only the forms of these files, nothing of the engine: a caller brings a closure that answers. `BLESS=1` in the
//! environment rewrites what is recorded of *our* answers (pages, `conformance/pending.txt`), never a reference's.
#![forbid(unsafe_code)]

mod agree;
pub mod case;
pub mod diff;
pub mod json;
pub mod page;
pub mod pending;
pub mod vectors;

use std::path::{Path, PathBuf};

pub use agree::{Aspect, disagreement};
pub use json::Json;
pub use page::{File, Page, Section, Step, run};

/// Returns the path of the workspace's top folder, whichever crate's test is running.
#[must_use]
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Returns the path of `conformance`, the folder of recorded facts and pages.
#[must_use]
pub fn conformance() -> PathBuf {
    workspace().join("conformance")
}

/// Returns true if the environment sets `BLESS=1`: answers are then rewritten instead of compared.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Returns a path as messages show it: relative to the workspace's folder, with `/`.
#[must_use]
pub fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(workspace()).unwrap_or(path);
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
