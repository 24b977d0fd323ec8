//! The classes of characters by which clusters end or go on. Those of conjuncts came with Unicode 17; the tables of older
//! versions do not have them.

/// The grapheme break class of a character.
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
    /// A consonant of conjuncts; before Unicode 17 one is `Other`.
    Consonant,
    /// What makes a conjunct of the consonants around it; before Unicode 17 it is `Extend`.
    Linker,
    /// What extends a cluster and ends a conjunct; before Unicode 17 it is `Extend`.
    NonJoiner,
}

impl ClusterBreak {
    /// Returns true if a pictograph may be joined to a cluster that starts with this class.
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
