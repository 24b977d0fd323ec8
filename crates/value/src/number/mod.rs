//! Numbers: binary fractions, each with a precision of its own. Two numbers of one value may differ in precision, and then they
//! print, add and divide differently: `conformance/vectors/operators.jsonl` has the facts.
//!
//! A whole number that fits an `i64` is always a [`Decimal`], and so is another number of few digits until it is computed with;
//! all others, [`Real`], are on the heap.
mod arithmetic;
mod compare;
mod digits;
mod parse;
mod print;
mod round;

use std::fmt;
use std::sync::Arc;

use dashu_base::BitTest;
use dashu_int::UBig;

pub use arithmetic::NumberError;
use round::{BinaryParts, finish};

/// The precision in bits of literals, of strings converted to numbers and of JSON numbers.
pub const LITERAL_PRECISION: u32 = 512;
/// The precision in bits of lengths and indexes.
pub const INTEGER_PRECISION: u32 = 64;
/// The precision in bits of the results of floating-point functions.
pub const FLOAT_PRECISION: u32 = 53;

/// A number of the language: 16 bytes, cheap to clone.
///
/// Rust's `==` on it is [`Number::is_same`] (identity in a set), not the `==` of the language, which is
/// [`Number::equals`]: `0` and `-0` are equal there and two different numbers here.
#[derive(Clone)]
pub struct Number(NumberForm);

/// Compile-time check that numbers have 16 bytes.
const _: () = assert!(size_of::<Number>() == 16 && size_of::<Option<Number>>() == 16);

/// The stored form of a number: few digits in place ([`Decimal`]), or any other on the heap ([`Real`]). A number that fits an
/// `i64` has exactly one form, see [`round::finish`]; other decimals change their form when they are computed with.
#[derive(Clone)]
pub(crate) enum NumberForm {
    /// In place, with few digits.
    Decimal(Decimal),
    /// On the heap, any other number.
    Real(Real),
}

/// A number of few digits, in 12 bytes: a 64-bit whole number and its precision, or digits and a power of ten as read.
/// Packed, so that a value needs no more space than a string.
#[derive(Clone, Copy)]
#[repr(Rust, packed(4))]
pub struct Decimal {
    digits: i64,
    /// The precision in bits; or the flag [`SCALED`] with the power of ten in the lower 16 bits.
    form: u32,
}

/// The flag of a [`Decimal`] that is stored as digits with a power of ten; its precision is [`LITERAL_PRECISION`].
const SCALED: u32 = 1 << 31;

/// A number on the heap, which is not a [`Decimal`]: with more digits, computed with a fraction, or infinite. The representation
/// has no effect on the value.
#[derive(Clone)]
pub struct Real(Arc<OtherNumber>);

/// Compile-time check that decimals have 12 bytes and reals one word.
const _: () = assert!(size_of::<Decimal>() == 12 && size_of::<Real>() == size_of::<usize>());

/// The content of a [`Real`] on the heap: a finite number, negative zero or an infinity.
enum OtherNumber {
    /// A finite number other than zero.
    Large(LargeNumber),
    /// Zero with a minus sign.
    NegativeZero { precision: u32 },
    /// Positive or negative infinity.
    Infinite { negative: bool, precision: u32 },
}

/// The unpacked representation of a number, for arithmetic: a 64-bit integer, few digits with a power of ten, a large binary
/// number, negative zero or infinite.
enum NumberRepr<'n> {
    /// A whole number that fits 64 bits.
    Small { value: i64, precision: u32 },
    /// `digits * 10^tens` that does not fit an `i64`, at the precision of literals: at most 18 digits, the last of which is not
    /// zero.
    Scaled { digits: i64, tens: i16 },
    /// Any other finite number except negative zero.
    Large(&'n LargeNumber),
    /// Zero with a minus sign.
    NegativeZero { precision: u32 },
    /// Positive or negative infinity.
    Infinite { negative: bool, precision: u32 },
}

/// A finite binary number, `mantissa * 2^exponent`, with an odd mantissa of at most `precision` bits.
struct LargeNumber {
    negative: bool,
    mantissa: UBig,
    exponent: i64,
    precision: u32,
}

impl LargeNumber {
    /// Returns the position of the highest bit of the number, from 1: its magnitude lies in `2^(top-1) .. 2^top`.
    fn top(&self) -> i64 {
        self.mantissa.bit_len() as i64 + self.exponent
    }

    /// Returns true if the number is whole.
    fn is_integer(&self) -> bool {
        self.exponent >= 0
    }
}

/// A number classified as zero, infinite or finite, for arithmetic without a fast path.
enum NumberCase<'n> {
    /// Zero of either sign.
    Zero { negative: bool },
    /// Infinity of either sign.
    Infinite { negative: bool },
    /// Any other number.
    Finite(BinaryParts<'n>),
}

impl Number {
    /// The number zero at 64 bits of precision, as lengths have.
    pub const ZERO: Number = Number::from_i64(0);
    /// The number one at 64 bits of precision, as lengths have.
    pub const ONE: Number = Number::from_i64(1);

    /// Returns a whole number at 64 bits of precision, as lengths and indexes have.
    pub const fn from_i64(value: i64) -> Number {
        Number::small(value, INTEGER_PRECISION)
    }

    /// Returns a whole number at 64 bits of precision, as lengths and indexes have.
    pub fn from_usize(value: usize) -> Number {
        match i64::try_from(value) {
            Ok(value) => Number::from_i64(value),
            Err(_) => finish(false, UBig::from(value), 0, false, INTEGER_PRECISION),
        }
    }

    /// Returns a whole number at 512 bits of precision, as literals and JSON numbers have.
    pub const fn literal(value: i64) -> Number {
        Number::small(value, LITERAL_PRECISION)
    }

    /// Returns infinity, `negative` or positive, with the precision of literals (512 bits).
    pub fn infinity(negative: bool) -> Number {
        Number::infinite(negative, LITERAL_PRECISION)
    }

    /// Returns a floating-point result as a number of 53 bits; `None` for NaN.
    pub fn from_f64(value: f64) -> Option<Number> {
        let negative = value.is_sign_negative();
        if value.is_nan() {
            return None;
        }
        if value.is_infinite() {
            return Some(Number::infinite(negative, FLOAT_PRECISION));
        }
        if value == 0.0 {
            return Some(Number::zero(negative, FLOAT_PRECISION));
        }
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) = match (bits >> 52) & 0x7ff {
            0 => (fraction, -1074),
            biased => (fraction | (1 << 52), biased as i64 - 1075),
        };
        Some(finish(negative, UBig::from(mantissa), exponent, false, FLOAT_PRECISION))
    }

    /// Returns the precision in bits with which the number computes and prints.
    pub fn precision(&self) -> u32 {
        match self.repr() {
            NumberRepr::Small { precision, .. }
            | NumberRepr::NegativeZero { precision }
            | NumberRepr::Infinite { precision, .. } => precision,
            NumberRepr::Scaled { .. } => LITERAL_PRECISION,
            NumberRepr::Large(large) => large.precision,
        }
    }

    /// Returns the number with another precision, rounded half to even if it does not fit.
    pub(crate) fn with_precision(&self, precision: u32) -> Number {
        if precision == self.precision() {
            return self.clone();
        }
        match self.classify() {
            NumberCase::Zero { negative } => Number::zero(negative, precision),
            NumberCase::Infinite { negative } => Number::infinite(negative, precision),
            NumberCase::Finite(parts) => finish(
                parts.negative,
                parts.mantissa.into_owned(),
                parts.exponent,
                false,
                precision,
            ),
        }
    }

    /// Returns true if the number is whole; false for infinities.
    pub fn is_integer(&self) -> bool {
        match self.repr() {
            NumberRepr::Small { .. } | NumberRepr::NegativeZero { .. } => true,
            NumberRepr::Large(large) => large.is_integer(),
            NumberRepr::Scaled { tens, .. } => tens > 0,
            NumberRepr::Infinite { .. } => false,
        }
    }

    /// Returns true if the number is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        matches!(self.repr(), NumberRepr::Small { value: 0, .. } | NumberRepr::NegativeZero { .. })
    }

    /// Returns true if the number has a minus sign, including `-0`.
    pub fn is_negative(&self) -> bool {
        match self.repr() {
            NumberRepr::Small { value, .. } | NumberRepr::Scaled { digits: value, .. } => value < 0,
            NumberRepr::Large(large) => large.negative,
            NumberRepr::NegativeZero { .. } => true,
            NumberRepr::Infinite { negative, .. } => negative,
        }
    }

    /// Returns true if the number is positive or negative infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(self.repr(), NumberRepr::Infinite { .. })
    }

    /// Returns the number as an `i64`; `None` if it does not fit exactly.
    pub fn to_exact_i64(&self) -> Option<i64> {
        match self.repr() {
            NumberRepr::Small { value, .. } => Some(value),
            NumberRepr::NegativeZero { .. } => Some(0),
            NumberRepr::Scaled { .. } | NumberRepr::Large(_) | NumberRepr::Infinite { .. } => None,
        }
    }

    /// Returns the number as a `usize`; `None` if it does not fit exactly.
    pub fn to_exact_usize(&self) -> Option<usize> {
        self.to_exact_i64().and_then(|value| usize::try_from(value).ok())
    }

    /// Returns the nearest `f64`, ties to even; infinite on overflow.
    pub fn to_f64(&self) -> f64 {
        match self.repr() {
            // The conversion of the machine rounds half to even too.
            NumberRepr::Small { value, .. } => value as f64,
            NumberRepr::NegativeZero { .. } => -0.0,
            NumberRepr::Infinite { negative: false, .. } => f64::INFINITY,
            NumberRepr::Infinite { negative: true, .. } => f64::NEG_INFINITY,
            NumberRepr::Scaled { .. } => self.in_binary().to_f64(),
            NumberRepr::Large(large) => large.to_f64(),
        }
    }

    /// Returns the number as an `f64`; `None` if it does not fit exactly.
    pub fn to_exact_f64(&self) -> Option<f64> {
        let near = self.to_f64();
        let back = Number::from_f64(near)?;
        (self.compare(&back).is_eq()).then_some(near)
    }

    /// Returns a whole number that is stored in place, as a [`Decimal`], with a precision in bits.
    const fn small(value: i64, precision: u32) -> Number {
        let form = if precision < SCALED { precision } else { SCALED - 1 };
        Number(NumberForm::Decimal(Decimal { digits: value, form }))
    }

    /// Returns the form in which a `Value` stores the number: in place or on the heap.
    #[inline]
    pub(crate) fn into_form(self) -> NumberForm {
        self.0
    }

    /// Returns the number `digits * 10^tens`, stored in place as a [`Decimal`].
    fn scaled(digits: i64, tens: i16) -> Number {
        Number(NumberForm::Decimal(Decimal { digits, form: SCALED | u32::from(tens as u16) }))
    }

    /// Returns a number stored on the heap, from its sign, mantissa, exponent and precision.
    fn large(large: LargeNumber) -> Number {
        Number(NumberForm::Real(Real(Arc::new(OtherNumber::Large(large)))))
    }

    /// Returns infinity, `negative` or positive, with a precision in bits.
    fn infinite(negative: bool, precision: u32) -> Number {
        Number(NumberForm::Real(Real(Arc::new(OtherNumber::Infinite { negative, precision }))))
    }

    /// Returns zero, or `-0` if `negative`, with a precision in bits.
    fn zero(negative: bool, precision: u32) -> Number {
        match negative {
            // Minus zero is packed as no digits with a power of ten, which no other number is.
            true if precision == LITERAL_PRECISION => Number::scaled(0, 0),
            true => {
                Number(NumberForm::Real(Real(Arc::new(OtherNumber::NegativeZero { precision }))))
            }
            false => Number::small(0, precision),
        }
    }

    /// Returns the unpacked representation of the number, for arithmetic.
    #[inline]
    fn repr(&self) -> NumberRepr<'_> {
        match &self.0 {
            NumberForm::Decimal(decimal) => {
                let Decimal { digits, form } = *decimal;
                match (form < SCALED, digits) {
                    (true, _) => NumberRepr::Small { value: digits, precision: form },
                    (false, 0) => NumberRepr::NegativeZero { precision: LITERAL_PRECISION },
                    (false, _) => NumberRepr::Scaled { digits, tens: form as u16 as i16 },
                }
            }
            NumberForm::Real(Real(other)) => match &**other {
                OtherNumber::Large(large) => NumberRepr::Large(large),
                OtherNumber::NegativeZero { precision } => {
                    NumberRepr::NegativeZero { precision: *precision }
                }
                OtherNumber::Infinite { negative, precision } => {
                    NumberRepr::Infinite { negative: *negative, precision: *precision }
                }
            },
        }
    }

    /// Returns the number classified as zero, infinite or finite, for arithmetic.
    fn classify(&self) -> NumberCase<'_> {
        match self.repr() {
            NumberRepr::Small { value: 0, .. } => NumberCase::Zero { negative: false },
            NumberRepr::Small { value, .. } => NumberCase::Finite(BinaryParts::of_i64(value)),
            NumberRepr::NegativeZero { .. } => NumberCase::Zero { negative: true },
            NumberRepr::Infinite { negative, .. } => NumberCase::Infinite { negative },
            NumberRepr::Large(large) => NumberCase::Finite(BinaryParts::of_large(large)),
            NumberRepr::Scaled { .. } => match self.in_binary().classify() {
                NumberCase::Finite(parts) => NumberCase::Finite(parts.into_owned()),
                NumberCase::Zero { negative } => NumberCase::Zero { negative },
                NumberCase::Infinite { negative } => NumberCase::Infinite { negative },
            },
        }
    }
}

impl LargeNumber {
    /// Returns the nearest `f64`, ties to even; infinite on overflow.
    fn to_f64(&self) -> f64 {
        let sign = if self.negative { -1.0 } else { 1.0 };
        let top = self.top();
        if top > 1024 {
            return sign * f64::INFINITY;
        }
        // Below the normal range the last place is fixed at 2^-1074, so fewer bits are left.
        let room = (top + 1074).min(i64::from(FLOAT_PRECISION));
        if room < 0 {
            return sign * 0.0;
        }
        let (mantissa, exponent) =
            round::round(self.mantissa.clone(), self.exponent, false, room as usize);
        let Ok(mantissa) = u64::try_from(mantissa) else { return sign * f64::INFINITY };
        sign * scale(mantissa as f64, exponent)
    }
}

/// Returns `value * 2^exponent`, which must be exact or overflow. Two steps keep each factor normal.
fn scale(value: f64, exponent: i64) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half as i32) * 2f64.powi((exponent - half) as i32)
}

impl Decimal {
    /// Returns this decimal as a [`Number`].
    #[inline]
    pub fn number(self) -> Number {
        Number(NumberForm::Decimal(self))
    }
}

impl Real {
    /// Returns this real as a [`Number`].
    #[inline]
    pub fn number(&self) -> Number {
        Number(NumberForm::Real(self.clone()))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::from_i64(value)
    }
}

impl Default for Number {
    fn default() -> Number {
        Number::ZERO
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.to_text(), self.precision())
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(out)
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(out)
    }
}

#[cfg(test)]
mod tests;
