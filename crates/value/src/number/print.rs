//! Number to text: plain (`0.25`), with an exponent (`2.5e-01`), or the shorter of both. A number too large for plain digits is
//! written with an exponent of two, which reads back exactly.
use dashu_int::UBig;

use super::digits::DecimalDigits;
use super::{Number, NumberCase, NumberRepr};

/// Maximum number of bits before or after the point of a number that is printed as digits; others are printed as `3p4000000`,
/// since their digits would take megabytes.
const PLAIN_BITS: i64 = 1 << 21;

impl Number {
    /// Returns the shortest plain decimal text that reads back as this number at its precision. Infinities are `+Inf` and
    /// `-Inf`.
    pub fn to_text(&self) -> String {
        match self.repr() {
            NumberRepr::Small { value, precision } if self.is_exact_in(value, precision) => {
                value.to_string()
            }
            NumberRepr::Scaled { digits, tens } => {
                let mut text = String::new();
                if digits < 0 {
                    text.push('-');
                }
                // A number of few digits is printed with all of them.
                let count = digits.unsigned_abs().to_string();
                let point = count.len() as i64 + i64::from(tens);
                let places = usize::try_from(-tens).unwrap_or(0);
                plain(&DecimalDigits { digits: count.into_bytes(), point }, places, &mut text);
                text
            }
            _ => self.write(None, DigitStyle::Plain),
        }
    }

    /// Returns the text with ten significant digits by which elements of sets are ordered and distinguished.
    pub(crate) fn to_text_10(&self) -> String {
        match self.repr() {
            NumberRepr::Small { value, .. } if value.unsigned_abs() < 10_000_000_000 => {
                value.to_string()
            }
            _ => self.write(Some(10), DigitStyle::General),
        }
    }

    /// Returns the number in plain notation with `places` digits after the point, or for `None` as few as read back.
    pub fn to_text_fixed(&self, places: Option<usize>) -> String {
        self.write(places, DigitStyle::Plain)
    }

    /// Returns the number with an exponent (`1.5e+06`) and `places` digits after the point, or for `None` as few as read back.
    pub fn to_text_exponent(&self, places: Option<usize>) -> String {
        self.write(places, DigitStyle::Exponent)
    }

    /// Returns the number with `digits` significant digits, or for `None` as few as read back; with an exponent if that is below
    /// -4, or not below the number of digits (6 for `None`).
    pub fn to_text_general(&self, digits: Option<usize>) -> String {
        self.write(digits, DigitStyle::General)
    }

    /// Returns the digits of a whole number in a radix of 2 to 36, with a minus sign if negative; `None` for fractions,
    /// infinities, huge numbers or another radix.
    pub fn to_text_radix(&self, radix: u8) -> Option<String> {
        if !self.is_integer() || !(2..=36).contains(&radix) {
            return None;
        }
        let magnitude = match self.classify() {
            NumberCase::Zero { .. } => UBig::ZERO,
            NumberCase::Infinite { .. } => return None,
            NumberCase::Finite(parts) if parts.exponent > PLAIN_BITS => return None,
            NumberCase::Finite(parts) => &*parts.mantissa << parts.exponent as usize,
        };
        let sign = if self.is_negative() && !magnitude.is_zero() { "-" } else { "" };
        Some(format!("{sign}{}", magnitude.in_radix(radix)))
    }

    /// Returns true if an integer has no more significant bits than `precision`.
    fn is_exact_in(&self, value: i64, precision: u32) -> bool {
        u64::BITS - value.unsigned_abs().leading_zeros() <= precision
    }

    /// Returns the text of the number in a notation, with `count` digits or for `None` as few as read back.
    fn write(&self, count: Option<usize>, style: DigitStyle) -> String {
        let mut out = String::new();
        if self.is_negative() {
            out.push('-');
        }
        let mut decimal = match self.classify() {
            NumberCase::Zero { .. } => DecimalDigits::zero(),
            NumberCase::Infinite { .. } => {
                return if self.is_negative() { "-Inf".into() } else { "+Inf".into() };
            }
            NumberCase::Finite(parts) => {
                if parts.top() > PLAIN_BITS || parts.exponent < -PLAIN_BITS {
                    out.push_str(&parts.mantissa.to_string());
                    out.push('p');
                    out.push_str(&parts.exponent.to_string());
                    return out;
                }
                let (mantissa, exponent) = (&*parts.mantissa, parts.exponent);
                // Additional digits, by which the last shown one is rounded.
                let wanted = count.map(|count| count.min(i32::MAX as usize) + 3);
                match (wanted, style) {
                    (None, _) => DecimalDigits::shortest(mantissa, exponent, self.precision()),
                    (Some(wanted), DigitStyle::Plain) => {
                        DecimalDigits::down_to(mantissa, exponent, wanted as i64)
                    }
                    (Some(wanted), _) => DecimalDigits::leading(mantissa, exponent, wanted),
                }
            }
        };
        style.round(&mut decimal, count);
        style.write(&decimal, count, &mut out);
        out
    }
}

/// The notation of a number: plain, with an exponent, or the one of these two that fits its size.
#[derive(Clone, Copy)]
enum DigitStyle {
    /// `123.45`
    Plain,
    /// `1.2345e+02`
    Exponent,
    /// Plain, or with an exponent if that is very small or large.
    General,
}

impl DigitStyle {
    /// Rounds digits to `count` places (plain and exponent) or digits (general); `None` keeps all.
    fn round(self, decimal: &mut DecimalDigits, count: Option<usize>) {
        let Some(count) = count else { return };
        match self {
            DigitStyle::Plain => {
                match usize::try_from(decimal.point.saturating_add_unsigned(count as u64)) {
                    Ok(kept) => decimal.round(kept),
                    Err(_) => *decimal = DecimalDigits::zero(),
                }
            }
            DigitStyle::Exponent => decimal.round(count.saturating_add(1)),
            DigitStyle::General => decimal.round(count.max(1)),
        }
    }

    /// Appends the text of digits in this notation to `out`, with `count` places or digits, or for `None` all digits.
    fn write(self, decimal: &DecimalDigits, count: Option<usize>, out: &mut String) {
        let length = decimal.digits.len();
        match self {
            DigitStyle::Plain => {
                let shown = length as i64 - decimal.point;
                let places = count.unwrap_or(usize::try_from(shown).unwrap_or(0));
                plain(decimal, places, out);
            }
            DigitStyle::Exponent => {
                let places = count.unwrap_or(length.saturating_sub(1));
                with_exponent(decimal, places, out);
            }
            DigitStyle::General => {
                let wanted = count.map_or(6, |count| count.max(1));
                let enough = length as i64 >= decimal.point && wanted > length && count.is_some();
                let limit = if enough { length } else { wanted };
                let exponent = decimal.point - 1;
                if exponent < -4 || exponent >= limit as i64 {
                    let digits = count.map_or(length, |_| wanted.min(length));
                    with_exponent(decimal, digits.saturating_sub(1), out);
                } else {
                    plain(
                        decimal,
                        usize::try_from(length as i64 - decimal.point).unwrap_or(0),
                        out,
                    );
                }
            }
        }
    }
}

/// Appends digits in plain notation, `123.45`, to `out`, with `places` digits after the point.
fn plain(decimal: &DecimalDigits, places: usize, out: &mut String) {
    let digit = |index: i64| {
        usize::try_from(index)
            .ok()
            .and_then(|index| decimal.digits.get(index))
            .map_or('0', |digit| char::from(*digit))
    };
    if decimal.point <= 0 {
        out.push('0');
    }
    out.extend((0..decimal.point).map(digit));
    if places > 0 {
        out.push('.');
        out.extend((decimal.point..decimal.point + places as i64).map(digit));
    }
}

/// Appends digits with an exponent, `1.2345e+02`, to `out`, with `places` digits after the point.
fn with_exponent(decimal: &DecimalDigits, places: usize, out: &mut String) {
    let mut digits = decimal.digits.iter().map(|digit| char::from(*digit));
    out.push(digits.next().unwrap_or('0'));
    if places > 0 {
        out.push('.');
        out.extend(digits.chain(std::iter::repeat('0')).take(places));
    }
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    out.push('e');
    out.push(if exponent < 0 { '-' } else { '+' });
    let magnitude = exponent.unsigned_abs();
    if magnitude < 10 {
        out.push('0');
    }
    out.push_str(&magnitude.to_string());
}
