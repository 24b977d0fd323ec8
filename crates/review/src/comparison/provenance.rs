//! Who knows the code behind two plans: where a difference comes from, and whether unknowns may differ. Values alone tell
//! neither, so without such a one nothing is said of it.

use groma_value::Path;

/// Knows the code behind two plans.
pub trait Provenance {
    /// The changed lines that a difference comes from, as `FILE:LINE`: those of the newer code, or else those of the older
    /// one that are gone. One address is absent where something comes or goes.
    fn lines(&mut self, before: Option<&str>, after: Option<&str>, path: &Path) -> Vec<String>;
}
