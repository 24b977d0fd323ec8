//! Grapheme break classes: the classes of characters that decide where a grapheme cluster ends. Those of conjuncts exist since
//! Unicode 17; the tables of older versions do not have them.

/// The grapheme break class of a character: decides, with those of its neighbours, where a grapheme cluster ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ClusterBreak {
    Other,
    Control,
    Extend,
    Joiner,
    Prepend,
    SpacingMark,
    RegionalIndicator,
    HangulL,
    HangulV,
    HangulT,
    HangulLv,
    HangulLvt,
    Picture,
    /// A consonant of an Indic conjunct; `Other` before Unicode 17.
    Consonant,
    /// A sign that joins the consonants around it to a conjunct; `Extend` before Unicode 17.
    Linker,
    /// A sign that extends a cluster and ends a conjunct; `Extend` before Unicode 17.
    NonJoiner,
}

impl ClusterBreak {
    /// Returns true if a cluster with a character of this class continues with a pictograph after a zero-width joiner.
    pub(crate) fn glues(self) -> bool {
        matches!(
            self,
            ClusterBreak::Picture
                | ClusterBreak::RegionalIndicator
                | ClusterBreak::HangulL
                | ClusterBreak::HangulV
                | ClusterBreak::HangulT
                | ClusterBreak::HangulLv
                | ClusterBreak::HangulLvt
        )
    }
}
