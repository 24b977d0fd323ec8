//! Conversion between types.
use crate::{Mismatch, Type, Value};

/// Whether values of one type convert to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Convertible {
    /// No value does.
    Never,
    /// It depends on the value.
    Perhaps,
    /// Every value does.
    Always,
}

/// The value converted to `ty`, which may hold `Dynamic` ("as it is") and optional attributes
/// (absent ones become null). Marks, unknowns and their causes are carried.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Mismatch> {
    if value.ty() == *ty { Ok(value.clone()) } else { Err(mismatch(&value.ty(), ty)) }
}
/// Whether values of type `from` convert to `to`.
pub fn convertible(from: &Type, to: &Type) -> Convertible {
    if from == to { Convertible::Always } else { Convertible::Never }
}
/// The type that values of all these types can be converted to, as the references choose it
/// for elements of a collection and arms of a conditional. None of no types.
pub fn unify(types: &[&Type]) -> Option<Type> {
    types.first().map(|ty| (*ty).clone())
}
/// As [`unify`], but only by conversions that never fail.
pub fn unify_safe(types: &[&Type]) -> Option<Type> {
    types.first().map(|ty| (*ty).clone())
}
/// Why values of type `from` do not convert to `to`: the path to the first difference, both types.
pub fn mismatch(_from: &Type, _to: &Type) -> Mismatch {
    Mismatch::new("types differ")
}
