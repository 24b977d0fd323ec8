//! Numbers: binary, with the precision of each value.
use std::cmp::Ordering;

/// A number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number(i64);

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// There is no such number (`0/0`, `Inf-Inf`, `Inf*0`).
    Undefined,
}

impl Number {
    /// A whole number at 64 bits.
    pub fn from_i64(number: i64) -> Number {
        Number(number)
    }
    /// Compares exact values.
    pub fn compare(&self, other: &Number) -> Ordering {
        self.0.cmp(&other.0)
    }
}
