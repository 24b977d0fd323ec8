//! Interchangeability: the relation by which a value that was computed again counts as unchanged. It is finer than the language's
//! equality, because types, precisions, marks and the causes of unknowns can be observed, too.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{CauseId, Causes, KnownParts, Mark, Marks, Number, Unknown, Value};

/// The ids of causes that mean something else in one evaluation than in another: single ids, and all from one id on.
#[derive(Clone, Default, Debug)]
pub struct CauseChanges {
    ids: BTreeSet<CauseId>,
    from: Option<CauseId>,
}

impl CauseChanges {
    /// Records `ids` as the only ids of causes that mean something else in one evaluation than in another.
    pub fn of(ids: impl IntoIterator<Item = CauseId>) -> CauseChanges {
        CauseChanges { ids: ids.into_iter().collect(), from: None }
    }

    /// Returns these changed causes with all those from the id `first` on added.
    pub fn from(self, first: CauseId) -> CauseChanges {
        CauseChanges { from: Some(first), ..self }
    }

    /// Returns only the range of ids, from one id on, that [`from`](Self::from) added; ids that were named singly are left out.
    pub fn range_only(&self) -> CauseChanges {
        CauseChanges { ids: BTreeSet::new(), from: self.from }
    }

    /// Returns true if no cause is changed: every id stands for the same cause in the two evaluations that these changes
    /// compare.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.from.is_none()
    }

    /// Returns true if this id stands for another cause in one of the two evaluations than in the other.
    pub fn contains(&self, id: CauseId) -> bool {
        self.from.is_some_and(|first| id >= first) || self.ids.contains(&id)
    }
}

/// Returns true if no operation on two values and no question about them can distinguish them, where the causes in `changed` mean
/// something else on the one side than on the other.
///
/// The law: an operation on interchangeable operands yields interchangeable results. So everything counts, at every depth, that
/// an operation may look at: the type of a null and of an empty collection, the precision of a number, marks, and of an unknown
/// its type, its refinements, its known parts, its fingerprint, the value that it mirrors and its causes, which must be the same
/// ones on both sides. An unknown with a changed cause is not interchangeable with itself.
pub fn interchangeable(left: &Value, right: &Value, changed: &CauseChanges) -> bool {
    match (left, right) {
        (Value::Null(a), Value::Null(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Decimal(a), Value::Decimal(b)) => same_number(&a.number(), &b.number()),
        (Value::Real(a), Value::Real(b)) => same_number(&a.number(), &b.number()),
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Unknown(a), Value::Unknown(b)) => {
            is_shared(a, b, left, changed) || unknowns(a, b, changed)
        }
        (Value::List(a), Value::List(b)) => {
            is_shared(a, b, left, changed)
                || a.element() == b.element() && all(a.items(), b.items(), changed)
        }
        (Value::Set(a), Value::Set(b)) => {
            is_shared(a, b, left, changed)
                || a.element() == b.element() && all(a.items(), b.items(), changed)
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            is_shared(a, b, left, changed) || all(a.items(), b.items(), changed)
        }
        (Value::Object(a), Value::Object(b)) => {
            is_shared(a, b, left, changed)
                || (Arc::ptr_eq(a.names(), b.names()) || a.names() == b.names())
                    && all(a.values(), b.values(), changed)
        }
        (Value::Map(a), Value::Map(b)) => {
            let entries = || a.entries().iter().zip(b.entries());
            is_shared(a, b, left, changed)
                || a.element() == b.element()
                    && a.entries().len() == b.entries().len()
                    && entries().all(|((k, a), (l, b))| k == l && interchangeable(a, b, changed))
        }
        (Value::Marked(a), Value::Marked(b)) => {
            is_shared(a, b, left, changed)
                || a.marks().interchangeable(b.marks(), changed)
                    && interchangeable(a.value(), b.value(), changed)
        }
        _ => false,
    }
}

/// Returns true if two values share one allocation, the content of `value`, and refer to no cause in `changed`, so that they are
/// interchangeable without a comparison of their parts.
fn is_shared<T>(a: &Arc<T>, b: &Arc<T>, value: &Value, changed: &CauseChanges) -> bool {
    let names_none = || {
        let summary = value.summary();
        !summary.unknown && !summary.mocked
    };
    Arc::ptr_eq(a, b) && (changed.is_empty() || names_none())
}

/// Returns true if two numbers are equal and have the same precision.
fn same_number(a: &Number, b: &Number) -> bool {
    a.precision() == b.precision() && a.is_same(b)
}

/// Returns true if two lists have equal length and their values cannot be distinguished pairwise, where the causes in `changed`
/// differ in meaning between the two sides.
fn all(a: &[Value], b: &[Value], changed: &CauseChanges) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| interchangeable(a, b, changed))
}

/// Returns true if two unknowns are interchangeable: equal in type, refinement, known parts, fingerprint, the value of which they
/// are copies, and causes, none of which is in `changed`.
fn unknowns(a: &Unknown, b: &Unknown, changed: &CauseChanges) -> bool {
    let parts = match (&a.parts, &b.parts) {
        (None, None) => true,
        (Some(KnownParts::Attributes(a)), Some(KnownParts::Attributes(b))) => {
            interchangeable(a, b, changed)
        }
        (Some(KnownParts::Elements(a, order)), Some(KnownParts::Elements(b, by))) => {
            order == by && interchangeable(a, b, changed)
        }
        _ => false,
    };
    let mirrored = || match (&a.mirrored, &b.mirrored) {
        (None, None) => true,
        (Some(a), Some(b)) => interchangeable(a, b, changed),
        _ => false,
    };
    parts
        && a.ty == b.ty
        && a.refinement == b.refinement
        && a.fingerprint == b.fingerprint
        && a.causes.interchangeable(&b.causes, changed)
        && mirrored()
}

impl Causes {
    /// Returns true if both sets consist of the same causes, of which none is in `changed`, the causes whose meaning differs
    /// between the evaluations that the sets are from.
    pub fn interchangeable(&self, other: &Causes, changed: &CauseChanges) -> bool {
        self.ids() == other.ids()
            && self.has_more() == other.has_more()
            && (changed.is_empty() || self.ids().iter().all(|id| !changed.contains(*id)))
    }
}

impl Marks {
    /// Returns true if both sets consist of the same marks, of which none refers to a cause in `changed`, those that differ
    /// in meaning between the evaluations that the sets are from.
    pub fn interchangeable(&self, other: &Marks, changed: &CauseChanges) -> bool {
        let is_changed = |mark: &Mark| matches!(mark, Mark::Mocked(id) if changed.contains(*id));
        self == other && (changed.is_empty() || !self.iter().any(is_changed))
    }
}
