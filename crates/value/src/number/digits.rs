//! Decimal digits of a binary number: all of them, or only as many as distinguish it from its neighbours at its own precision.
use dashu_base::{BitTest, DivRem};
use dashu_int::UBig;

/// The decimal digits of a magnitude without trailing zeros: the value is `0.digits * 10^point`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DecimalDigits {
    /// The digits in ASCII; none for zero.
    pub(super) digits: Vec<u8>,
    /// The exponent of ten: the position of the decimal point, counted from the first digit.
    pub(super) point: i64,
}

impl DecimalDigits {
    /// Returns the digits of the number zero, which are none.
    pub(super) fn zero() -> DecimalDigits {
        DecimalDigits { digits: Vec::new(), point: 0 }
    }

    /// Returns all decimal digits of `mantissa * 2^exponent`.
    pub(super) fn exact(mantissa: &UBig, exponent: i64) -> DecimalDigits {
        if exponent >= 0 {
            DecimalDigits::of_integer(&(mantissa << exponent as usize), 0, false)
        } else {
            let places = exponent.unsigned_abs() as usize;
            DecimalDigits::of_integer(&(mantissa * power_of_five(places)), exponent, false)
        }
    }

    /// Returns the digits of `mantissa * 2^exponent` down to the place `10^-places`. A single digit 1 represents any further
    /// digits, so that comparing and rounding at earlier places yield the exact result.
    pub(super) fn down_to(mantissa: &UBig, exponent: i64, places: i64) -> DecimalDigits {
        if places >= (-exponent).max(0) {
            return DecimalDigits::exact(mantissa, exponent);
        }
        let fives = places.unsigned_abs() as usize;
        let shift = exponent + places;
        let (whole, more) = if places >= 0 {
            let scaled = mantissa * power_of_five(fives);
            let drop = shift.unsigned_abs() as usize;
            let more = scaled.trailing_zeros().is_some_and(|zeros| zeros < drop);
            (scaled >> drop, more)
        } else {
            let up = shift.max(0) as usize;
            let down = (-shift).max(0) as usize;
            let (whole, rest) = (mantissa << up).div_rem(power_of_five(fives) << down);
            (whole, !rest.is_zero())
        };
        DecimalDigits::of_integer(&whole, -places, more)
    }

    /// Returns the digits of `value * 10^tens`, followed by a digit 1 if `more`, for further digits that are cut off.
    fn of_integer(value: &UBig, tens: i64, more: bool) -> DecimalDigits {
        let mut digits = if value.is_zero() { Vec::new() } else { value.to_string().into_bytes() };
        let point = digits.len() as i64 + tens;
        if more {
            digits.push(b'1');
        }
        let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(kept);
        DecimalDigits { digits, point: if kept == 0 { 0 } else { point } }
    }

    /// Returns at least `count` leading digits of `mantissa * 2^exponent`, followed by a digit 1 that represents the others.
    pub(super) fn leading(mantissa: &UBig, exponent: i64, count: usize) -> DecimalDigits {
        let top = mantissa.bit_len() as i64 + exponent;
        // The approximations of log10(2) err towards a smaller `point`, which yields one digit more.
        let point = top * if top < 0 { 30_103 } else { 30_102 } / 100_000 - 2;
        DecimalDigits::down_to(mantissa, exponent, (count as i64).saturating_sub(point))
    }

    /// Returns the fewest digits that read back as `mantissa * 2^exponent` at a precision in bits.
    pub(super) fn shortest(mantissa: &UBig, exponent: i64, precision: u32) -> DecimalDigits {
        let bits = mantissa.bit_len() as i64;
        let precision = i64::from(precision);
        // A whole number whose bits are all within the precision has no shorter text.
        if exponent >= 0 && bits + exponent <= precision {
            return DecimalDigits::exact(mantissa, exponent);
        }
        // Decimals of so few digits are further apart than the binary numbers at this precision.
        let unique = ((precision - 1) * 30_102 / 100_000) as usize;
        if exponent < 0 && bits - exponent * 7 / 3 <= precision + 4 {
            let exact = DecimalDigits::exact(mantissa, exponent);
            if exact.digits.len() <= unique {
                return exact;
            }
        }
        shorten(mantissa, exponent, precision)
    }

    /// Rounds the digits half to even to the first `count` ones; never adds digits.
    pub(super) fn round(&mut self, count: usize) {
        if count >= self.digits.len() {
            return;
        }
        let tie = self.digits[count] == b'5' && count + 1 == self.digits.len();
        let up = if tie {
            count > 0 && (self.digits[count - 1] - b'0') % 2 == 1
        } else {
            self.digits[count] >= b'5'
        };
        if up { self.round_up(count) } else { self.round_down(count) }
    }

    /// Drops all digits after the first `count` ones, rounding towards zero.
    fn round_down(&mut self, count: usize) {
        self.digits.truncate(count);
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Drops all digits after the first `count` ones and adds one to the last of these.
    fn round_up(&mut self, count: usize) {
        self.digits.truncate(count);
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        match self.digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                self.digits.push(b'1');
                self.point += 1;
            }
        }
    }
}

/// Returns the decimal digits of `mantissa * 2^exponent`, rounded to the fewest with which they read back as this number at a
/// precision in bits; only for a power of two they may read back as its lower neighbour.
///
/// Below a power of two adjacent numbers are half as far apart, which the reference programs ignore: `pow(2, 337)` prints a
/// text that reads back as its lower neighbour. So does this.
fn shorten(mantissa: &UBig, exponent: i64, precision: i64) -> DecimalDigits {
    // One bit more than the precision: a unit is then half the distance to either neighbour.
    let widen = precision + 1 - mantissa.bit_len() as i64;
    let middle = if widen >= 0 {
        mantissa << widen as usize
    } else {
        // What is beyond the precision can only be zeros.
        mantissa >> widen.unsigned_abs() as usize
    };
    let exponent = exponent - widen;
    // Both bounds read back as this number only if its last place is even.
    let inclusive = !middle.bit(1);
    // The bounds differ within this number of digits.
    let count = (precision * 30_103 / 100_000) as usize + 6;
    let mut decimal = DecimalDigits::leading(&middle, exponent, count);
    let places = decimal.digits.len().max(count) as i64 + 2 - decimal.point;
    let lower = DecimalDigits::down_to(&(&middle - UBig::ONE), exponent, places).digits;
    let upper = DecimalDigits::down_to(&(&middle + UBig::ONE), exponent, places).digits;
    for (index, &here) in decimal.digits.iter().enumerate() {
        let low = lower.get(index).copied().unwrap_or(b'0');
        let high = upper.get(index).copied().unwrap_or(b'0');
        let down = low != here || inclusive && index + 1 == lower.len();
        let up = here != high && (inclusive || here + 1 < high || index + 1 < upper.len());
        match (down, up) {
            (true, true) => {
                decimal.round(index + 1);
                break;
            }
            (true, false) => {
                decimal.round_down(index + 1);
                break;
            }
            (false, true) => {
                decimal.round_up(index + 1);
                break;
            }
            (false, false) => {}
        }
    }
    decimal
}

/// Returns five to the power `power`.
fn power_of_five(power: usize) -> UBig {
    UBig::from(5u8).pow(power)
}
