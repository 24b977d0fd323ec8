//! Arithmetic. Sums and quotients are rounded to the wider operand's precision; a product is computed at 512 bits and then takes
//! the wider precision, or more if it needs more; a remainder is rounded to the precision of its left operand at every step.
use std::fmt;

use dashu_base::{BitTest, DivRem};
use dashu_int::UBig;

use super::round::{BinaryParts, finish, width};
use super::{LITERAL_PRECISION, Number, NumberCase, NumberRepr};

/// The reason why an arithmetic operation has no result, such as zero divided by zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumberError {
    /// The sum of opposite infinities.
    OpposedInfinities,
    /// Zero times infinity.
    ZeroTimesInfinity,
    /// Zero divided by zero.
    ZeroByZero,
    /// Infinity divided by infinity.
    InfinityByInfinity,
    /// A remainder of or by infinity.
    InfiniteRemainder,
}

impl fmt::Display for NumberError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NumberError::OpposedInfinities => {
                "infinity less infinity is no number; check the operands for a division by zero"
            }
            NumberError::ZeroTimesInfinity => {
                "zero times infinity is no number; check the operands for a division by zero"
            }
            NumberError::ZeroByZero => "zero divided by zero is no number",
            NumberError::InfinityByInfinity => {
                "infinity divided by infinity is no number; check the operands for a division by zero"
            }
            NumberError::InfiniteRemainder => {
                "a remainder needs two finite numbers, and one of these is infinite"
            }
        })
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// Returns the sum of both numbers; fails for infinities of opposite sign.
    pub fn add(&self, other: &Number) -> Result<Number, NumberError> {
        let precision = self.precision().max(other.precision());
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
            && let Some(sum) = left.checked_add(right)
            && let Some(sum) = small(sum, precision)
        {
            return Ok(sum);
        }
        sum(self, other, false, precision)
    }

    /// Returns this number minus `other`; fails for infinities of the same sign.
    pub fn subtract(&self, other: &Number) -> Result<Number, NumberError> {
        let precision = self.precision().max(other.precision());
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
            && let Some(difference) = left.checked_sub(right)
            && let Some(difference) = small(difference, precision)
        {
            return Ok(difference);
        }
        sum(self, other, true, precision)
    }

    /// Returns the product of both numbers; fails for zero times infinity.
    pub fn multiply(&self, other: &Number) -> Result<Number, NumberError> {
        let precision = self.precision().max(other.precision());
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
            && let Some(product) = left.checked_mul(right)
        {
            if product == 0 {
                return Ok(Number::zero((left < 0) != (right < 0), precision));
            }
            let precision = precision.max(width(product));
            return Ok(Number::small(product, precision));
        }
        let product = product(self, other, LITERAL_PRECISION)?;
        Ok(product.with_precision(precision.max(product.width())))
    }

    /// Returns this number divided by `other`; infinite if `other` is zero. Fails for zero by zero and infinity by infinity.
    pub fn divide(&self, other: &Number) -> Result<Number, NumberError> {
        let precision = self.precision().max(other.precision());
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
            && left != 0
            && left.checked_rem(right) == Some(0)
            && let Some(quotient) = left.checked_div(right)
            && let Some(quotient) = small(quotient, precision)
        {
            return Ok(quotient);
        }
        match (self.classify(), other.classify()) {
            (NumberCase::Zero { .. }, NumberCase::Zero { .. }) => Err(NumberError::ZeroByZero),
            (NumberCase::Infinite { .. }, NumberCase::Infinite { .. }) => {
                Err(NumberError::InfinityByInfinity)
            }
            (NumberCase::Finite(left), NumberCase::Finite(right)) => {
                Ok(quotient(left.negative != right.negative, &left, &right, precision))
            }
            (NumberCase::Infinite { .. }, _) | (_, NumberCase::Zero { .. }) => {
                let negative = self.is_negative() != other.is_negative();
                Ok(Number::infinite(negative, precision))
            }
            (NumberCase::Zero { .. }, _) | (_, NumberCase::Infinite { .. }) => {
                Ok(Number::zero(self.is_negative() != other.is_negative(), precision))
            }
        }
    }

    /// Returns the remainder of truncating division by `other`, with the sign of this number; the number itself if `other` is
    /// zero. Fails for infinities.
    pub fn remainder(&self, other: &Number) -> Result<Number, NumberError> {
        if other.is_zero() {
            return Ok(self.clone());
        }
        if self.is_infinite() || other.is_infinite() {
            return Err(NumberError::InfiniteRemainder);
        }
        let precision = self.precision();
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
            && precision >= 64
        {
            let value = left.checked_rem(right).unwrap_or(0);
            return Ok(Number::small(value, precision));
        }
        let times = self.divide(other)?.truncate().with_precision(precision);
        let taken = product(other, &times, precision)?;
        sum(self, &taken, true, precision)
    }

    /// Returns the number with the opposite sign; zero becomes `-0`.
    pub fn negate(&self) -> Number {
        match self.repr() {
            NumberRepr::Small { value: 0, precision } => Number::zero(true, precision),
            NumberRepr::Small { value, precision } if value != i64::MIN => {
                Number::small(-value, precision)
            }
            NumberRepr::NegativeZero { precision } => Number::zero(false, precision),
            NumberRepr::Infinite { negative, precision } => Number::infinite(!negative, precision),
            NumberRepr::Scaled { digits, tens } => Number::scaled(-digits, tens),
            NumberRepr::Small { .. } | NumberRepr::Large(_) => match self.classify() {
                NumberCase::Finite(parts) => finish(
                    !parts.negative,
                    parts.mantissa.into_owned(),
                    parts.exponent,
                    false,
                    self.precision(),
                ),
                NumberCase::Zero { .. } | NumberCase::Infinite { .. } => self.clone(),
            },
        }
    }

    /// Returns the number without its sign.
    pub fn absolute(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns the number truncated towards zero. A zero result has no sign.
    pub fn truncate(&self) -> Number {
        self.to_whole(WholeRounding::TowardsZero)
    }

    /// Returns the greatest whole number that is not greater than this one.
    pub fn floor(&self) -> Number {
        self.to_whole(WholeRounding::Down)
    }

    /// Returns the least whole number that is not less than this one. A zero result has no sign.
    pub fn ceiling(&self) -> Number {
        self.to_whole(WholeRounding::Up)
    }

    /// Returns the sign of the number as a [`Number`]: -1, 0 or 1.
    pub fn sign(&self) -> Number {
        Number::from_i64(self.signum().into())
    }

    /// Returns the sign of the number as an integer: -1, 0 or 1; 0 for both zeros.
    pub(super) fn signum(&self) -> i8 {
        match (self.is_zero(), self.is_negative()) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Returns the number rounded to a whole number in the given direction.
    fn to_whole(&self, direction: WholeRounding) -> Number {
        match self.repr() {
            NumberRepr::Small { .. } | NumberRepr::Infinite { .. } => self.clone(),
            NumberRepr::NegativeZero { precision } => Number::zero(false, precision),
            NumberRepr::Scaled { .. } => self.in_binary().to_whole(direction),
            NumberRepr::Large(large) if large.is_integer() => self.clone(),
            NumberRepr::Large(large) => {
                let drop = usize::try_from(-large.exponent).unwrap_or(usize::MAX);
                let mut whole = if drop >= large.mantissa.bit_len() {
                    UBig::ZERO
                } else {
                    &large.mantissa >> drop
                };
                let away = match direction {
                    WholeRounding::TowardsZero => false,
                    WholeRounding::Down => large.negative,
                    WholeRounding::Up => !large.negative,
                };
                if away {
                    whole += UBig::ONE;
                }
                let negative = large.negative && !whole.is_zero();
                finish(negative, whole, 0, false, large.precision)
            }
        }
    }

    /// Returns the number of bits from the highest to the lowest set one: the minimum precision that represents the value.
    pub(super) fn width(&self) -> u32 {
        match self.repr() {
            NumberRepr::Small { value, .. } => width(value),
            NumberRepr::Scaled { .. } => self.in_binary().width(),
            NumberRepr::Large(large) => large.mantissa.bit_len() as u32,
            NumberRepr::NegativeZero { .. } | NumberRepr::Infinite { .. } => 0,
        }
    }
}

/// The direction in which a number is rounded to a whole one: towards zero, down or up.
#[derive(Clone, Copy)]
enum WholeRounding {
    TowardsZero,
    Down,
    Up,
}

/// Returns a whole number with a precision in bits; `None` if it needs more bits.
fn small(value: i64, precision: u32) -> Option<Number> {
    (precision >= 64 || width(value) <= precision).then_some(Number::small(value, precision))
}

/// Returns `left + right`, or `left - right` if `negate`, rounded to a precision; fails if the infinities cancel.
fn sum(left: &Number, right: &Number, negate: bool, precision: u32) -> Result<Number, NumberError> {
    let right_negative = right.is_negative() != negate;
    match (left.classify(), right.classify()) {
        (NumberCase::Infinite { negative }, NumberCase::Infinite { .. })
            if negative != right_negative =>
        {
            Err(NumberError::OpposedInfinities)
        }
        (NumberCase::Zero { negative }, NumberCase::Zero { .. }) => {
            Ok(Number::zero(negative && right_negative, precision))
        }
        (NumberCase::Infinite { .. }, _) | (_, NumberCase::Zero { .. }) => {
            Ok(left.with_precision(precision))
        }
        (_, NumberCase::Infinite { .. }) => Ok(Number::infinite(right_negative, precision)),
        (NumberCase::Zero { .. }, NumberCase::Finite(right)) => Ok(finish(
            right_negative,
            right.mantissa.into_owned(),
            right.exponent,
            false,
            precision,
        )),
        (NumberCase::Finite(left), NumberCase::Finite(mut right)) => {
            right.negative = right_negative;
            Ok(sum_of_parts(left, right, precision))
        }
    }
}

/// Returns the sum of two non-zero finite numbers, given by their parts, rounded to a precision.
fn sum_of_parts(left: BinaryParts<'_>, right: BinaryParts<'_>, precision: u32) -> Number {
    let (high, mut low) = if left.top() >= right.top() { (left, right) } else { (right, left) };
    // The smaller operand may be far below the last place, where it only affects rounding: any bit there does the
    // same, and the shift stays short however far apart the exponents are.
    let floor = high.exponent.min(high.top() - i64::from(precision)) - 3;
    if low.top() < floor {
        low.mantissa = std::borrow::Cow::Owned(UBig::ONE);
        low.exponent = floor;
    }
    let exponent = high.exponent.min(low.exponent);
    let high_mantissa = &*high.mantissa << (high.exponent - exponent) as usize;
    let low_mantissa = &*low.mantissa << (low.exponent - exponent) as usize;
    let (negative, mantissa) = if high.negative == low.negative {
        (high.negative, high_mantissa + low_mantissa)
    } else if high_mantissa >= low_mantissa {
        let difference = high_mantissa - low_mantissa;
        (high.negative && !difference.is_zero(), difference)
    } else {
        (low.negative, low_mantissa - high_mantissa)
    };
    finish(negative, mantissa, exponent, false, precision)
}

/// Returns the product of two numbers rounded to a precision; fails for zero times infinity.
fn product(left: &Number, right: &Number, precision: u32) -> Result<Number, NumberError> {
    let negative = left.is_negative() != right.is_negative();
    match (left.classify(), right.classify()) {
        (NumberCase::Zero { .. }, NumberCase::Infinite { .. })
        | (NumberCase::Infinite { .. }, NumberCase::Zero { .. }) => {
            Err(NumberError::ZeroTimesInfinity)
        }
        (NumberCase::Zero { .. }, _) | (_, NumberCase::Zero { .. }) => {
            Ok(Number::zero(negative, precision))
        }
        (NumberCase::Infinite { .. }, _) | (_, NumberCase::Infinite { .. }) => {
            Ok(Number::infinite(negative, precision))
        }
        (NumberCase::Finite(left), NumberCase::Finite(right)) => Ok(finish(
            negative,
            &*left.mantissa * &*right.mantissa,
            left.exponent + right.exponent,
            false,
            precision,
        )),
    }
}

/// Returns the quotient of two magnitudes rounded to a precision, with a minus sign if `negative`.
pub(super) fn quotient(
    negative: bool,
    left: &BinaryParts<'_>,
    right: &BinaryParts<'_>,
    precision: u32,
) -> Number {
    let wanted = precision as usize + 2 + right.mantissa.bit_len();
    let shift = wanted.saturating_sub(left.mantissa.bit_len());
    let (quotient, rest) = (&*left.mantissa << shift).div_rem(&*right.mantissa);
    finish(
        negative,
        quotient,
        left.exponent - right.exponent - shift as i64,
        !rest.is_zero(),
        precision,
    )
}
