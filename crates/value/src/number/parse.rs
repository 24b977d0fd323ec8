//! Text to number. Strings that convert to numbers (`.5`, `+8`, `3p4`, `Inf`) include more than literals and JSON numbers; all
//! are read at 512 bits.
use dashu_base::BitTest;
use dashu_int::UBig;

use super::arithmetic::quotient;
use super::round::{BinaryParts, MAX_TOP, MIN_TOP, finish, round};
use super::{INTEGER_PRECISION, LITERAL_PRECISION, Number, NumberRepr};

/// The number of bits kept of a power of five that is too long to be exact: enough that the loss cannot show after rounding to
/// 512 bits.
const POWER_BITS: usize = 768;
/// The greatest exponent for which a power of five is computed exactly; greater ones are rounded to [`POWER_BITS`].
const EXACT_POWER: u64 = 1024;
/// The greatest exponent of ten, of either sign, of a number that is stored by its digits.
const MOST_TENS: u16 = 1_000;
/// The greatest exponent of five for which the power is within the range of numbers.
const MAX_POWER: u64 = 924_870_866;

impl Number {
    /// Parses a text as type conversion does, to a number of 512 bits: an optional sign, decimal digits with an optional point,
    /// and an exponent of ten (`e`) or two (`p`); or `Inf`, `inf`. `None` for other texts.
    pub fn parse(text: &str) -> Option<Number> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if rest == "Inf" || rest == "inf" {
            return Some(Number::infinity(negative));
        }
        decimal(negative, rest, true)
    }

    /// Parses a literal in source or a JSON number at 512 bits; `None` for other text. Only JSON numbers have a minus sign.
    pub fn parse_literal(text: &str) -> Option<Number> {
        match text.strip_prefix('-') {
            Some(rest) => decimal(true, rest, false),
            None => decimal(false, text, false),
        }
    }

    /// Returns the number in its binary representation, with which repeated arithmetic is faster.
    pub fn in_binary(&self) -> Number {
        match self.repr() {
            NumberRepr::Scaled { digits, tens } => {
                let tens = i64::from(tens);
                scale(digits < 0, UBig::from(digits.unsigned_abs()), tens, tens)
            }
            _ => self.clone(),
        }
    }

    /// Parses a whole number of any length in a radix of 2 to 62, with as many bits of precision as it needs, but at least 64;
    /// `None` for other texts. Up to radix 36, letters of either case are digits; beyond, lower-case letters come before
    /// capitals.
    pub fn parse_radix(text: &str, radix: u32) -> Option<Number> {
        if !(2..=62).contains(&radix) {
            return None;
        }
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text.as_bytes()[1..]),
            b'+' => (false, &text.as_bytes()[1..]),
            _ => (false, text.as_bytes()),
        };
        if rest.is_empty() {
            return None;
        }
        let digits = rest.iter().map(|byte| digit(*byte, radix)).collect::<Option<Vec<_>>>()?;
        Some(Number::from_integer(negative, join_digits(&digits, radix)))
    }

    /// Returns the whole number `±magnitude` with as many bits of precision as it needs, but at least 64.
    pub(crate) fn from_integer(negative: bool, magnitude: UBig) -> Number {
        let precision = u32::try_from(magnitude.bit_len()).unwrap_or(u32::MAX);
        let negative = negative && !magnitude.is_zero();
        finish(negative, magnitude, 0, false, precision.max(INTEGER_PRECISION))
    }
}

/// Returns the integer with these digits in a radix, the highest first. Divide and conquer avoids quadratic time for long texts.
fn join_digits(digits: &[dashu_int::Word], radix: u32) -> UBig {
    if digits.len() <= 256 {
        return UBig::from_digits(radix.into(), digits).unwrap_or(UBig::ZERO);
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    join_digits(high, radix) * UBig::from(radix).pow(low.len()) + join_digits(low, radix)
}

/// Returns the value of an ASCII digit or letter in a radix; `None` for other bytes.
fn digit(byte: u8, radix: u32) -> Option<dashu_int::Word> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if radix <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        _ => return None,
    };
    (u32::from(value) < radix).then_some(value.into())
}

/// Parses `digits[.digits][e[±]digits]`, after a minus sign if `negative`, with `binary` also an exponent of two; `None` for
/// other texts.
fn decimal(negative: bool, text: &str, binary: bool) -> Option<Number> {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    if end == bytes.len() && (1..=18).contains(&end) {
        let value: i64 = text.parse().ok()?;
        return Some(match (value, negative) {
            (0, negative) => Number::zero(negative, LITERAL_PRECISION),
            (value, true) => Number::literal(-value),
            (value, false) => Number::literal(value),
        });
    }
    let (whole, mut rest) = text.split_at(end);
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        let end = after.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(after.len());
        (fraction, rest) = after.split_at(end);
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut tens, mut twos) = (0i64, 0i64);
    match rest.bytes().next() {
        None => {}
        Some(b'e' | b'E') => tens = exponent(&rest[1..])?,
        Some(b'p' | b'P') if binary => twos = exponent(&rest[1..])?,
        Some(_) => return None,
    }
    if twos == 0
        && let Some(number) = short(negative, whole, fraction, tens)
    {
        return Some(number);
    }
    let digits = [whole, fraction].concat();
    let mantissa = UBig::from_str_radix(&digits, 10).ok()?;
    if mantissa.is_zero() {
        return Some(Number::zero(negative, LITERAL_PRECISION));
    }
    let fives = tens.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let exponent = fives.checked_add(twos)?;
    let top = exponent.checked_add(mantissa.bit_len() as i64)?;
    if !(MIN_TOP..=MAX_TOP).contains(&top) {
        return None;
    }
    Some(scale(negative, mantissa, exponent, fives))
}

/// Returns the number `±whole.fraction * 10^tens`, stored in place by its digits; `None` if these are too many or end in zero,
/// or it is an `i64`. A number that is only passed on is never converted to binary.
fn short(negative: bool, whole: &str, fraction: &str, tens: i64) -> Option<Number> {
    let fraction = fraction.trim_end_matches('0');
    let tens = tens.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let tens = i16::try_from(tens).ok().filter(|tens| tens.unsigned_abs() <= MOST_TENS)?;
    let digits = [whole, fraction].concat();
    let value: i64 = match digits.trim_start_matches('0') {
        significant if significant.len() <= 18 => significant.parse().ok()?,
        _ => return None,
    };
    let is_i64 = tens >= 0
        && 10_i64
            .checked_pow(tens.unsigned_abs().into())
            .is_some_and(|by| value.checked_mul(by).is_some());
    // Digits that end in zero are stored in the other form, so that one number always has the same digits.
    let is_short = value % 10 != 0 && !is_i64;
    is_short.then(|| Number::scaled(if negative { -value } else { value }, tens))
}

/// Parses the digits of an exponent with an optional sign; `None` for other texts or beyond 64 bits.
fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Returns `±mantissa * 2^exponent * 5^fives`, rounded to 512 bits.
fn scale(negative: bool, mantissa: UBig, exponent: i64, fives: i64) -> Number {
    let precision = LITERAL_PRECISION;
    if fives == 0 {
        return finish(negative, mantissa, exponent, false, precision);
    }
    let Some((power, power_exponent)) = power_of_five(fives.unsigned_abs()) else {
        return if fives > 0 {
            Number::infinite(negative, precision)
        } else {
            Number::zero(negative, precision)
        };
    };
    if fives > 0 {
        return finish(negative, mantissa * power, exponent + power_exponent, false, precision);
    }
    let part = |mantissa, exponent| BinaryParts {
        negative: false,
        mantissa: std::borrow::Cow::Owned(mantissa),
        exponent,
    };
    quotient(negative, &part(mantissa, exponent), &part(power, power_exponent), precision)
}

/// Returns `5^power` as a mantissa and a binary exponent, by squaring with a bounded mantissa; `None` if it is beyond the range
/// of numbers.
fn power_of_five(power: u64) -> Option<(UBig, i64)> {
    if power > MAX_POWER {
        return None;
    }
    let five = UBig::from(5u8);
    if power <= EXACT_POWER {
        return Some((five.pow(power as usize), 0));
    }
    let (mut result, mut scale) = (UBig::ONE, 0i64);
    for bit in (0..u64::BITS - power.leading_zeros()).rev() {
        result = &result * &result;
        scale *= 2;
        if power >> bit & 1 == 1 {
            result *= &five;
        }
        (result, scale) = round(result, scale, false, POWER_BITS);
    }
    Some((result, scale))
}
