//! Equality in four senses, each with its law. Types never convert in any of them, and causes of unknowns are ignored.
//!
//! | | unknowns | marks | law |
//! | --- | --- | --- | --- |
//! | [`equal`], the language's `==` | make the result unknown | go to the result | symmetric |
//! | [`same`] | compared by type, refinement and known parts | compared | an equivalence |
//! | [`surely_same`] | equal to nothing | ignored | symmetric, transitive, and reflexive for known values |
//! | [`identical`](crate::identical), of set elements | equal to nothing | ignored | as that; all nulls are equal |

use crate::set::MemberIndex;
use crate::{Causes, KnownParts, Marks, Refinement, Type, Unknown, Value};

/// The result of a comparison: equal, different, or dependent on unknowns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EqualityVerdict {
    /// Certainly equal.
    Equal,
    /// Certainly different.
    Different,
    /// Dependent on the value of an unknown.
    Waits,
}

/// Returns `left == right`: a bool with every mark inside either operand.
pub fn equal(left: &Value, right: &Value) -> Value {
    decide(left, right, true)
}

/// Returns `left != right`: a bool with every mark inside either operand.
pub fn not_equal(left: &Value, right: &Value) -> Value {
    decide(left, right, false)
}

/// Returns the bool `left == right`, or `left != right` if `when_equal` is false; unknown if that depends on unknowns.
fn decide(left: &Value, right: &Value, when_equal: bool) -> Value {
    if let (Value::String(left), Value::String(right)) = (left, right) {
        return Value::Bool((left == right) == when_equal);
    }
    if left.has_marks() || right.has_marks() {
        let (left, left_marks) = left.unmark_deep();
        let (right, right_marks) = right.unmark_deep();
        return decide(&left, &right, when_equal).mark(&left_marks.union(&right_marks));
    }
    match compare(left, right) {
        EqualityVerdict::Equal => Value::Bool(when_equal),
        EqualityVerdict::Different => Value::Bool(!when_equal),
        EqualityVerdict::Waits => unknown_bool(left.deep_causes().union(&right.deep_causes())),
    }
}

/// Returns an unknown bool that is not null, with these causes.
pub(crate) fn unknown_bool(causes: Causes) -> Value {
    Value::refined(Type::Bool, Refinement::not_null(), causes)
}

/// Returns the result of comparing two unmarked values by the `==` of the language, types included.
pub(crate) fn compare(left: &Value, right: &Value) -> EqualityVerdict {
    if let Some(verdict) = compare_outer(left, right) {
        return verdict;
    }
    if has_open_type(left) || has_open_type(right) {
        return if types_may_agree(&left.ty(), &right.ty()) {
            EqualityVerdict::Waits
        } else {
            EqualityVerdict::Different
        };
    }
    if !same_type(left, right) {
        return EqualityVerdict::Different;
    }
    compare_inside(left, right)
}

/// Returns the result of comparing two values of which one is null or unknown; `None` for others. It depends on the unknown
/// unless its refinements exclude the other value; with two unknowns it always does.
fn compare_outer(left: &Value, right: &Value) -> Option<EqualityVerdict> {
    match (left, right) {
        (Value::Unknown(_), Value::Unknown(_)) => Some(EqualityVerdict::Waits),
        (Value::Unknown(u), known) | (known, Value::Unknown(u)) => Some(if excludes(u, known) {
            EqualityVerdict::Different
        } else {
            EqualityVerdict::Waits
        }),
        (Value::Null(_), Value::Null(_)) => Some(EqualityVerdict::Equal),
        (Value::Null(_), _) | (_, Value::Null(_)) => Some(EqualityVerdict::Different),
        _ => None,
    }
}

/// Returns the result of comparing two known values of the same type by their content.
fn compare_inside(left: &Value, right: &Value) -> EqualityVerdict {
    if let Some(verdict) = compare_outer(left, right) {
        return verdict;
    }
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return verdict(a.equals(&b));
    }
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => verdict(a == b),
        (Value::String(a), Value::String(b)) => verdict(a == b),
        (Value::List(a), Value::List(b)) => in_order(a.items(), b.items()),
        (Value::Tuple(a), Value::Tuple(b)) => in_order(a.items(), b.items()),
        (Value::Object(a), Value::Object(b)) => {
            all_of(a.values().iter().zip(b.values()).map(|(a, b)| compare_inside(a, b)))
        }
        (Value::Map(a), Value::Map(b)) => {
            let keys_agree = a.entries().len() == b.entries().len()
                && a.entries().iter().zip(b.entries()).all(|(a, b)| a.0 == b.0);
            if !keys_agree {
                return EqualityVerdict::Different;
            }
            all_of(a.entries().iter().zip(b.entries()).map(|(a, b)| compare_inside(&a.1, &b.1)))
        }
        (Value::Set(a), Value::Set(b)) => sets(left, right, a.items(), b.items()),
        _ => EqualityVerdict::Different,
    }
}

/// Returns the result of a comparison in which no unknown takes part: equal, or different if `equal` is false.
fn verdict(equal: bool) -> EqualityVerdict {
    if equal { EqualityVerdict::Equal } else { EqualityVerdict::Different }
}

/// Returns the result of comparing the elements of two lists or tuples: the first pair that is not certainly equal decides.
fn in_order(a: &[Value], b: &[Value]) -> EqualityVerdict {
    if a.len() != b.len() {
        return EqualityVerdict::Different;
    }
    for (a, b) in a.iter().zip(b) {
        let verdict = compare_inside(a, b);
        if verdict != EqualityVerdict::Equal {
            return verdict;
        }
    }
    EqualityVerdict::Equal
}

/// Combines the results of comparing the parts of two objects or maps: different if any part certainly is, in whatever order.
fn all_of(verdicts: impl Iterator<Item = EqualityVerdict>) -> EqualityVerdict {
    let mut all = EqualityVerdict::Equal;
    for verdict in verdicts {
        match verdict {
            EqualityVerdict::Different => return EqualityVerdict::Different,
            EqualityVerdict::Waits => all = EqualityVerdict::Waits,
            EqualityVerdict::Equal => {}
        }
    }
    all
}

/// Returns the result of comparing the sets `left` and `right`, which have the same type and the elements `a` and `b`.
fn sets(left: &Value, right: &Value, a: &[Value], b: &[Value]) -> EqualityVerdict {
    if !left.is_wholly_known() || !right.is_wholly_known() {
        return EqualityVerdict::Waits;
    }
    if a.len() != b.len() {
        return EqualityVerdict::Different;
    }
    // Equal sets almost always have their elements in the same order.
    if a.iter().zip(b).all(|(a, b)| compare_inside(a, b) == EqualityVerdict::Equal) {
        return EqualityVerdict::Equal;
    }
    let members = MemberIndex::of(b);
    verdict(a.iter().all(|item| members.contains(item)))
}

/// Returns true if an unknown, by its type and refinement, cannot become the value `known`.
pub(crate) fn excludes(unknown: &Unknown, known: &Value) -> bool {
    let certain = &unknown.refinement;
    if known.is_null() {
        return certain.not_null;
    }
    if unknown.ty == Type::Dynamic {
        return false;
    }
    if known.is_wholly_known() {
        // The type of a known value is final: untyped parts, nulls or empty collections, stay untyped.
        if !becomes(&unknown.ty, &known.ty()) {
            return true;
        }
    } else if !has_open_type(known) && !types_may_agree(&known.ty(), &unknown.ty) {
        return true;
    }
    match known {
        Value::String(text) => !text.starts_with(&*certain.prefix),
        known if let Some(n) = known.as_number() => {
            let below = certain.low.as_ref().is_some_and(|low| {
                let order = n.compare(&low.number);
                order.is_lt() || (order.is_eq() && !low.inclusive)
            });
            let above = certain.high.as_ref().is_some_and(|high| {
                let order = n.compare(&high.number);
                order.is_gt() || (order.is_eq() && !high.inclusive)
            });
            below || above
        }
        Value::List(_) | Value::Map(_) | Value::Set(_) => {
            let Some(length) = certain.length else { return false };
            let (least, most) = count_bounds(known);
            most < length.low || length.high.is_some_and(|high| least > high)
        }
        _ => false,
    }
}

/// Returns the minimum and maximum number of elements of a known collection: a set with unknowns may be smaller.
fn count_bounds(collection: &Value) -> (usize, usize) {
    match collection {
        Value::List(l) => (l.items().len(), l.items().len()),
        Value::Map(m) => (m.entries().len(), m.entries().len()),
        Value::Set(s) => {
            let stored = s.items().len();
            (if collection.is_wholly_known() { stored } else { stored.min(1) }, stored)
        }
        _ => (0, usize::MAX),
    }
}

/// Returns true if the value contains an unknown whose type is not completely known.
fn has_open_type(value: &Value) -> bool {
    if value.is_wholly_known() {
        return false;
    }
    let mut open = false;
    value.visit(&mut |part| {
        if let Value::Unknown(u) = part {
            open |= u.ty.has_dynamic();
        }
        !open && !part.is_wholly_known()
    });
    open
}

/// Returns true if the two types may become equal once every `Dynamic` in them is known.
fn types_may_agree(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dynamic, _) | (_, Type::Dynamic) => true,
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => types_may_agree(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.elements().len() == b.elements().len()
                && a.elements().iter().zip(b.elements()).all(|(a, b)| types_may_agree(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.attributes().len() == b.attributes().len()
                && a.attributes()
                    .iter()
                    .zip(b.attributes())
                    .all(|(a, b)| a.name == b.name && types_may_agree(&a.ty, &b.ty))
        }
        (a, b) => a == b,
    }
}

/// Returns true if an unknown of type `open` may become a known value of type `last`: each `Dynamic` in `open` may become any
/// type, but one in `last` remains.
fn becomes(open: &Type, last: &Type) -> bool {
    match (open, last) {
        (Type::Dynamic, _) => true,
        (Type::List(a), Type::List(b))
        | (Type::Set(a), Type::Set(b))
        | (Type::Map(a), Type::Map(b)) => becomes(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.elements().len() == b.elements().len()
                && a.elements().iter().zip(b.elements()).all(|(a, b)| becomes(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            a.attributes().len() == b.attributes().len()
                && a.attributes()
                    .iter()
                    .zip(b.attributes())
                    .all(|(a, b)| a.name == b.name && becomes(&a.ty, &b.ty))
        }
        (a, b) => a == b,
    }
}

/// Returns true if two values have the same type, without building types; marks are ignored.
pub(crate) fn same_type(a: &Value, b: &Value) -> bool {
    match (a.bare(), b.bare()) {
        (Value::Bool(_), Value::Bool(_))
        | (Value::Decimal(_) | Value::Real(_), Value::Decimal(_) | Value::Real(_))
        | (Value::String(_), Value::String(_)) => true,
        (Value::List(a), Value::List(b)) => a.element() == b.element(),
        (Value::Set(a), Value::Set(b)) => a.element() == b.element(),
        (Value::Map(a), Value::Map(b)) => a.element() == b.element(),
        (Value::Tuple(a), Value::Tuple(b)) => same_types(a.items(), b.items()),
        (Value::Object(a), Value::Object(b)) => {
            a.names() == b.names() && same_types(a.values(), b.values())
        }
        (a @ (Value::Null(_) | Value::Unknown(_)), b)
        | (a, b @ (Value::Null(_) | Value::Unknown(_))) => a.ty() == b.ty(),
        _ => false,
    }
}

/// Returns true if two lists have equal length and their values have pairwise the same types.
fn same_types(a: &[Value], b: &[Value]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if !same_type(a, b) {
            return false;
        }
    }
    true
}

/// Returns true if two values are equal in type, content and marks at every depth; unknowns in type, refinement and known parts.
/// Causes are ignored.
pub fn same(left: &Value, right: &Value) -> bool {
    if marks_of(left) != marks_of(right) {
        return false;
    }
    let (left, right) = (left.bare(), right.bare());
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return a.equals(&b);
    }
    match (left, right) {
        (Value::Null(a), Value::Null(b)) => a == b,
        (Value::Unknown(a), Value::Unknown(b)) => {
            a.ty == b.ty
                && a.refinement == b.refinement
                && same_parts(a.parts.as_ref(), b.parts.as_ref())
        }
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::List(a), Value::List(b)) => {
            a.element() == b.element() && all_same(a.items(), b.items())
        }
        (Value::Set(a), Value::Set(b)) => {
            a.element() == b.element() && all_same(a.items(), b.items())
        }
        (Value::Tuple(a), Value::Tuple(b)) => all_same(a.items(), b.items()),
        (Value::Object(a), Value::Object(b)) => {
            a.names() == b.names() && all_same(a.values(), b.values())
        }
        (Value::Map(a), Value::Map(b)) => {
            a.element() == b.element()
                && a.entries().len() == b.entries().len()
                && a.entries().iter().zip(b.entries()).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => false,
    }
}

/// Returns true if the known parts of two unknown values are equal by [`same`] (types and marks included), or both have none.
fn same_parts(one: Option<&KnownParts>, other: Option<&KnownParts>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(KnownParts::Attributes(one)), Some(KnownParts::Attributes(other))) => {
            same(one, other)
        }
        (Some(KnownParts::Elements(one, order)), Some(KnownParts::Elements(other, by))) => {
            order == by && same(one, other)
        }
        _ => false,
    }
}

/// Returns the marks of the value itself, not those of its parts; `None` if it has none.
fn marks_of(value: &Value) -> Option<&Marks> {
    match value {
        Value::Marked(m) => Some(m.marks()),
        _ => None,
    }
}

/// Returns true if both values contain no unknown and are equal in type and content, ignoring marks. An unknown is not equal to
/// anything, not even itself.
pub fn surely_same(left: &Value, right: &Value) -> bool {
    let ((left, _), (right, _)) = (left.unmark_deep(), right.unmark_deep());
    left.is_wholly_known() && right.is_wholly_known() && same(&left, &right)
}

/// Returns true if two lists have equal length and their values are pairwise equal by [`same`] (types and marks included).
fn all_same(a: &[Value], b: &[Value]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    for (a, b) in a.iter().zip(b) {
        if !same(a, b) {
            return false;
        }
    }
    true
}
