//! Fingerprints: hashes of how unknown values are computed. Unknowns with equal fingerprints and types will be equal, whatever
//! the providers return, so two revisions of code can be compared by what they would compute. Fingerprints are created only if
//! an evaluation requests them; an unknown without one is equal to no other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

/// A hash that identifies how an unknown value is computed, stable within one process only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(NonZeroU64);

impl Fingerprint {
    /// Returns the fingerprint of a computation that is identified by `parts`: its operation and inputs.
    pub fn of(parts: impl Hash) -> Fingerprint {
        let mut state = DefaultHasher::new();
        parts.hash(&mut state);
        Fingerprint(NonZeroU64::new(state.finish()).unwrap_or(NonZeroU64::MAX))
    }

    /// Returns the fingerprint of an operation on the value with this fingerprint; `parts` identify the operation.
    #[must_use]
    pub fn with(self, parts: impl Hash) -> Fingerprint {
        Fingerprint::of((self.0, parts))
    }
}
