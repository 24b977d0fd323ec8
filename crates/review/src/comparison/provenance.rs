//! Who knows the code behind two plans: where a difference comes from, and whether unknowns may differ. Values alone tell
//! neither, so without such a one nothing is said of it.

use groma_value::Path;

/// Knows the code behind two plans.
pub trait Provenance {
    /// Is told before all questions whether anything has moved on the way.
    fn begin(&mut self, has_moved: bool);

    /// Whether a part that neither side knows, for the same reasons, may differ all the same. `before` and `after` are the
    /// addresses on both sides; `renamed` says what an address of before is called after.
    fn may_differ(
        &mut self,
        before: &str,
        after: &str,
        path: &Path,
        renamed: &dyn Fn(&str) -> Option<String>,
    ) -> bool;

    /// The changed lines that a difference comes from, as `FILE:LINE`: those of the newer code, or else those of the older
    /// one that are gone. One address is absent where something comes or goes.
    fn lines(&mut self, before: Option<&str>, after: Option<&str>, path: &Path) -> Vec<String>;
}
