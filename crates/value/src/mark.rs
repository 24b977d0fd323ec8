//! Marks: attributes of a value that follow it through every operation. A mark is not part of the value's meaning, but counts in
//! raw equality, and a known value never loses it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{CauseId, Str};

/// A mark that a value carries along through operations: sensitive, ephemeral, deprecated, mocked, or a type's text from the
/// console's `type()`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Mark {
    /// The value must not be shown.
    Sensitive,
    /// The value must not be stored.
    Ephemeral,
    /// The value depends on something deprecated: its kind, and a text that names it and its replacement.
    Deprecated(Deprecation, Str),
    /// The value depends on a mock, which the cause identifies: it is known, but not from the code.
    Mocked(CauseId),
    /// The text is that of a type, the result of the console's `type`: it must not be used in computations.
    TypeText,
}

/// The kind of deprecated object from which a value comes: a module output, or a resource or attribute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deprecation {
    /// An output of a module, deprecated by its author.
    Output,
    /// A resource or an attribute, deprecated by its provider.
    Attribute,
}

/// A set of marks, cheap to clone; the empty set allocates nothing.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Marks(Option<Arc<BTreeSet<Mark>>>);

impl Marks {
    /// The empty set of marks.
    pub const NONE: Marks = Marks(None);

    /// Returns the set that contains only `mark`.
    pub fn one(mark: Mark) -> Marks {
        Marks(Some(Arc::new(BTreeSet::from([mark]))))
    }

    /// Returns the set with only the sensitive mark.
    pub fn sensitive() -> Marks {
        Marks::one(Mark::Sensitive)
    }

    /// Returns true if the set contains no mark.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if the set contains `mark`.
    pub fn contains(&self, mark: &Mark) -> bool {
        self.0.as_ref().is_some_and(|set| set.contains(mark))
    }

    /// Returns true if the set contains a mark for a value that depends on a mock.
    pub fn is_mocked(&self) -> bool {
        self.iter().any(|mark| matches!(mark, Mark::Mocked(_)))
    }

    /// Returns the set without its marks for values that depend on a mock.
    pub fn without_mocks(&self) -> Marks {
        match self.is_mocked() {
            true => self.iter().filter(|mark| !matches!(mark, Mark::Mocked(_))).cloned().collect(),
            false => self.clone(),
        }
    }

    /// Iterates over the marks in the set, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.iter().flat_map(|set| set.iter())
    }

    /// Returns the marks that are in either set.
    #[inline]
    pub fn union(&self, other: &Marks) -> Marks {
        match (&self.0, &other.0) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) || b.is_subset(a) => self.clone(),
            (Some(a), Some(b)) => Marks(Some(Arc::new(a.union(b).cloned().collect()))),
        }
    }

    /// Returns the set without `mark`.
    pub fn without(&self, mark: &Mark) -> Marks {
        if !self.contains(mark) {
            return self.clone();
        }
        self.iter().filter(|m| *m != mark).cloned().collect()
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Marks {
        let set: BTreeSet<Mark> = marks.into_iter().collect();
        Marks(if set.is_empty() { None } else { Some(Arc::new(set)) })
    }
}
