//! Which parts of a value are unknown or marked, as path texts.
use crate::Value;

/// Path texts, depth first: `""`, `.attr`, `["key"]`, `[0]`, `[?]`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Listing {
    /// Unknown parts; nothing below an unknown.
    pub unknown: Vec<String>,
    /// Parts with the sensitive mark of their own.
    pub sensitive: Vec<String>,
    /// Parts with the ephemeral mark of their own.
    pub ephemeral: Vec<String>,
}
/// The listing of a value.
pub fn listing(_value: &Value) -> Listing {
    Listing::default()
}
