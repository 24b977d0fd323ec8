//! Files that an expression may read and whose names are not known. A comparison asks whether any of them differs, which
//! may take a look at a whole work tree, so that is found out only when an expression depends on it.

use std::fmt;
use std::sync::OnceLock;

use groma_value::Fingerprint;

/// Stands for the files whose names are not known: in two evaluations that read the same ones, the fingerprints are equal.
pub struct OtherFiles {
    find: Box<dyn Fn() -> u64 + Send + Sync>,
    found: OnceLock<Fingerprint>,
}

impl OtherFiles {
    /// Files whose number `find` gives, once it is asked for.
    pub fn new(find: impl Fn() -> u64 + Send + Sync + 'static) -> OtherFiles {
        OtherFiles { find: Box::new(find), found: OnceLock::new() }
    }

    /// Returns their fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        *self.found.get_or_init(|| Fingerprint::of((self.find)()))
    }
}

impl fmt::Debug for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherFiles({:?})", self.found.get())
    }
}
