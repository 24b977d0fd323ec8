//! Fingerprints: numbers for values that are not known yet. Unknowns with equal fingerprints and types turn out equal,
//! whatever the providers answer, so two revisions of code can be compared by what they would compute. Nothing has a
//! fingerprint unless an evaluation was asked for them; an unknown without one is equal to no other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

/// A hash that identifies a computation, stable within one process only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(NonZeroU64);

impl Fingerprint {
    /// Returns the fingerprint of a computation's parts.
    pub fn of(parts: impl Hash) -> Fingerprint {
        let mut state = DefaultHasher::new();
        parts.hash(&mut state);
        Fingerprint(NonZeroU64::new(state.finish()).unwrap_or(NonZeroU64::MAX))
    }

    /// Returns the fingerprint of a computation applied to this one; `parts` identify it.
    #[must_use]
    pub fn with(self, parts: impl Hash) -> Fingerprint {
        Fingerprint::of((self.0, parts))
    }
}
