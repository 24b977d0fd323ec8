//! The three comparisons of numbers: by exact value (`<`), by the language's `==`, and by identity in a set. They differ for
//! fractions of different precision and for `-0`.
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use dashu_base::BitTest;

use super::{Number, NumberCase, NumberRepr};

impl Number {
    /// Compares two numbers by their exact values; `-0` and `0` are equal.
    pub fn compare(&self, other: &Number) -> Ordering {
        if let (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) =
            (self.repr(), other.repr())
        {
            return left.cmp(&right);
        }
        let sign = self.signum();
        sign.cmp(&other.signum()).then_with(|| {
            let magnitude = self.compare_magnitude(other);
            if sign < 0 { magnitude.reverse() } else { magnitude }
        })
    }

    /// Compares the magnitudes of two numbers that have the same sign.
    fn compare_magnitude(&self, other: &Number) -> Ordering {
        match (self.classify(), other.classify()) {
            (NumberCase::Finite(left), NumberCase::Finite(right)) => {
                left.top().cmp(&right.top()).then_with(|| {
                    // The highest bits have the same position, so the shift is no longer than the mantissas.
                    let shift = left.exponent - right.exponent;
                    if shift >= 0 {
                        (&*left.mantissa << shift as usize).cmp(&*right.mantissa)
                    } else {
                        (*left.mantissa).cmp(&(&*right.mantissa << shift.unsigned_abs() as usize))
                    }
                })
            }
            (NumberCase::Infinite { .. }, NumberCase::Infinite { .. })
            | (NumberCase::Zero { .. }, NumberCase::Zero { .. }) => Ordering::Equal,
            (NumberCase::Infinite { .. }, _) | (_, NumberCase::Zero { .. }) => Ordering::Greater,
            (_, NumberCase::Infinite { .. }) | (NumberCase::Zero { .. }, _) => Ordering::Less,
        }
    }

    /// Returns true if the numbers are equal by the language's `==`: whole numbers by value, others by their shortest texts; `-0`
    /// equals `0`.
    pub fn equals(&self, other: &Number) -> bool {
        match (self.repr(), other.repr()) {
            (NumberRepr::Large(left), NumberRepr::Large(right)) => {
                if left.is_integer() && right.is_integer() || left.precision == right.precision {
                    return left.negative == right.negative
                        && left.exponent == right.exponent
                        && left.mantissa == right.mantissa;
                }
                self.equals_as_text(other)
            }
            // The last digit is never zero, so equal numbers have equal digits.
            (
                NumberRepr::Scaled { digits: left, tens },
                NumberRepr::Scaled { digits: right, tens: others },
            ) => left == right && tens == others,
            (NumberRepr::Scaled { .. }, NumberRepr::Large(_)) => self.in_binary().equals(other),
            (NumberRepr::Large(_), NumberRepr::Scaled { .. }) => self.equals(&other.in_binary()),
            _ => self.compare(other).is_eq(),
        }
    }

    /// Returns true if the numbers are equal by the `==` of older editions, which compares whole numbers by their shortest texts,
    /// too: `pow(10, 23) == 1e23`.
    pub fn equals_as_text(&self, other: &Number) -> bool {
        if self.signum() != other.signum() {
            return false;
        }
        match (self.classify(), other.classify()) {
            (NumberCase::Finite(left), NumberCase::Finite(right)) => {
                // Only numbers close to each other can have equal texts.
                left.top().abs_diff(right.top()) <= 1 && self.to_text() == other.to_text()
            }
            _ => self.compare(other).is_eq(),
        }
    }

    /// Returns true if the numbers count as one element of a set: they are equal by `==`, and so are their texts of ten digits.
    /// `0` and `-0` differ.
    pub fn is_same(&self, other: &Number) -> bool {
        match (self.repr(), other.repr()) {
            (NumberRepr::Small { value: left, .. }, NumberRepr::Small { value: right, .. }) => {
                left == right
            }
            (NumberRepr::NegativeZero { .. }, NumberRepr::NegativeZero { .. }) => true,
            (
                NumberRepr::Infinite { negative: left, .. },
                NumberRepr::Infinite { negative: right, .. },
            ) => left == right,
            (NumberRepr::Large(left), NumberRepr::Large(right)) => {
                self.equals(other)
                    && (left.precision == right.precision
                        || left.is_integer()
                        || self.to_text_10() == other.to_text_10())
            }
            (NumberRepr::Scaled { .. }, NumberRepr::Scaled { .. }) => self.equals(other),
            (NumberRepr::Scaled { .. }, NumberRepr::Large(_)) => self.in_binary().is_same(other),
            (NumberRepr::Large(_), NumberRepr::Scaled { .. }) => self.is_same(&other.in_binary()),
            _ => false,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.is_same(other)
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.repr() {
            NumberRepr::Small { value, .. } => value.hash(state),
            NumberRepr::NegativeZero { .. } => "-0".hash(state),
            NumberRepr::Infinite { negative, .. } => negative.hash(state),
            NumberRepr::Large(large) if large.is_integer() => {
                large.negative.hash(state);
                large.exponent.hash(state);
                large.mantissa.bit_len().hash(state);
                large.mantissa.hash(state);
            }
            NumberRepr::Scaled { .. } => self.in_binary().hash(state),
            NumberRepr::Large(_) => self.to_text_10().hash(state),
        }
    }
}
