//! Rounding half to even, and the canonical form of numbers: [`finish`] drops trailing zero bits, so that equal values have
//! equal representations.
use std::borrow::Cow;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::{LargeNumber, Number};

/// The highest position of a number's leading bit; numbers beyond it are infinite, as in the reference programs.
pub(super) const MAX_TOP: i64 = i32::MAX as i64;
/// The lowest position of a number's leading bit; numbers below it are zero, as in the reference programs.
pub(super) const MIN_TOP: i64 = i32::MIN as i64;

/// The sign, mantissa and exponent of a non-zero finite number, `±mantissa * 2^exponent`; the mantissa may be even.
pub(super) struct BinaryParts<'n> {
    pub(super) negative: bool,
    pub(super) mantissa: Cow<'n, UBig>,
    pub(super) exponent: i64,
}

impl<'n> BinaryParts<'n> {
    /// Returns the sign, mantissa and exponent of a non-zero integer.
    pub(super) fn of_i64(value: i64) -> BinaryParts<'n> {
        BinaryParts {
            negative: value < 0,
            mantissa: Cow::Owned(UBig::from(value.unsigned_abs())),
            exponent: 0,
        }
    }

    /// Returns the sign, mantissa and exponent of a number on the heap; the mantissa is borrowed.
    pub(super) fn of_large(large: &'n LargeNumber) -> BinaryParts<'n> {
        BinaryParts {
            negative: large.negative,
            mantissa: Cow::Borrowed(&large.mantissa),
            exponent: large.exponent,
        }
    }

    /// Returns the same sign, mantissa and exponent, with the mantissa owned.
    pub(super) fn into_owned<'o>(self) -> BinaryParts<'o> {
        BinaryParts { mantissa: Cow::Owned(self.mantissa.into_owned()), ..self }
    }

    /// Returns the position of the highest bit of the number, from 1: its magnitude lies in `2^(top-1) .. 2^top`.
    pub(super) fn top(&self) -> i64 {
        self.mantissa.bit_len() as i64 + self.exponent
    }
}

/// Rounds `mantissa * 2^exponent`, of which lower bits were lost already if `sticky`, to at most `precision` bits, half to even,
/// and returns the new mantissa and exponent. `sticky` has an effect only if the mantissa has more than `precision` bits.
pub(super) fn round(mantissa: UBig, exponent: i64, sticky: bool, precision: usize) -> (UBig, i64) {
    let length = mantissa.bit_len();
    if length <= precision {
        return (mantissa, exponent);
    }
    let drop = length - precision;
    let half = mantissa.bit(drop - 1);
    let rest = half && (sticky || mantissa.trailing_zeros().is_some_and(|zeros| zeros < drop - 1));
    let mut kept = mantissa >> drop;
    if half && (rest || kept.bit(0)) {
        kept += UBig::ONE;
    }
    (kept, exponent + drop as i64)
}

/// Returns `±mantissa * 2^exponent`, of which lower bits were lost already if `sticky`, rounded to a precision and in the only
/// form in which the result is stored: in place if it fits an `i64`, otherwise on the heap.
pub(super) fn finish(
    negative: bool,
    mantissa: UBig,
    exponent: i64,
    sticky: bool,
    precision: u32,
) -> Number {
    let (mut mantissa, mut exponent) = round(mantissa, exponent, sticky, precision as usize);
    let Some(zeros) = mantissa.trailing_zeros() else {
        return Number::zero(negative, precision);
    };
    let top = mantissa.bit_len() as i64 + exponent;
    if top > MAX_TOP {
        return Number::infinite(negative, precision);
    }
    if top < MIN_TOP {
        return Number::zero(negative, precision);
    }
    if zeros > 0 {
        mantissa >>= zeros;
        exponent += zeros as i64;
    }
    if exponent >= 0
        && top <= 64
        && let Ok(word) = u64::try_from(&mantissa)
        && let Some(value) = signed(negative, word << exponent)
    {
        return Number::small(value, precision);
    }
    Number::large(LargeNumber { negative, mantissa, exponent, precision })
}

/// Returns `±magnitude` as an `i64`; `None` if it does not fit.
fn signed(negative: bool, magnitude: u64) -> Option<i64> {
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// Returns the number of bits of a whole number from its highest to its lowest set one.
pub(super) fn width(value: i64) -> u32 {
    if value == 0 { 0 } else { 64 - value.unsigned_abs().leading_zeros() - value.trailing_zeros() }
}
