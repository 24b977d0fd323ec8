//! Property tests of numbers, in which exact fractions are the model.
use std::hash::{Hash, Hasher};

use dashu_base::{DivRem, Sign};
use dashu_int::IBig;
use proptest::prelude::*;

use super::super::*;
use super::{float, number};

/// An exact fraction of integers: the model with which numbers are compared.
#[derive(Clone, Debug)]
struct ExactFraction {
    top: IBig,
    bottom: UBig,
}

impl ExactFraction {
    /// Returns the exact value of a number as a fraction.
    fn of(number: &Number) -> ExactFraction {
        match number.classify() {
            NumberCase::Finite(parts) => {
                let sign = if parts.negative { Sign::Negative } else { Sign::Positive };
                let top = IBig::from_parts(sign, parts.mantissa.into_owned());
                let places = parts.exponent.unsigned_abs() as usize;
                if parts.exponent >= 0 {
                    ExactFraction { top: top << places, bottom: UBig::ONE }
                } else {
                    ExactFraction { top, bottom: UBig::ONE << places }
                }
            }
            _ => ExactFraction { top: IBig::ZERO, bottom: UBig::ONE },
        }
    }

    /// Returns the exact value of a decimal text, possibly with an exponent, as a fraction.
    fn of_text(text: &str) -> ExactFraction {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        ExactFraction {
            top: IBig::from_str_radix(&[whole, fraction].concat(), 10).unwrap(),
            bottom: UBig::from(10u8).pow(fraction.len()),
        }
    }

    /// Returns the fraction rounded half to even to a number of significant bits.
    fn rounded(&self, bits: u32) -> ExactFraction {
        let (sign, top) = self.top.clone().into_parts();
        if top.is_zero() {
            return self.clone();
        }
        // The power of two by which the quotient has exactly this number of bits.
        let mut scale = top.bit_len() as i64 - self.bottom.bit_len() as i64 - i64::from(bits);
        loop {
            let down = scale.max(0) as usize;
            let up = (-scale).max(0) as usize;
            let (mut quotient, rest) = (&top << up).div_rem(&(&self.bottom << down));
            if quotient.bit_len() > bits as usize {
                scale += 1;
                continue;
            }
            let twice = rest << 1;
            let limit = &self.bottom << down;
            if twice > limit || twice == limit && quotient.bit(0) {
                quotient += UBig::ONE;
            }
            return ExactFraction {
                top: IBig::from_parts(sign, quotient << down),
                bottom: UBig::ONE << up,
            };
        }
    }

    /// Compares the exact values of two fractions.
    fn compare(&self, other: &ExactFraction) -> std::cmp::Ordering {
        (&self.top * IBig::from(other.bottom.clone()))
            .cmp(&(&other.top * IBig::from(self.bottom.clone())))
    }

    /// Returns the exact sum of two fractions.
    fn add(&self, other: &ExactFraction) -> ExactFraction {
        ExactFraction {
            top: &self.top * IBig::from(other.bottom.clone())
                + &other.top * IBig::from(self.bottom.clone()),
            bottom: &self.bottom * &other.bottom,
        }
    }

    /// Returns the exact product of two fractions.
    fn multiply(&self, other: &ExactFraction) -> ExactFraction {
        ExactFraction { top: &self.top * &other.top, bottom: &self.bottom * &other.bottom }
    }

    /// Returns the fraction with the opposite sign.
    fn negate(&self) -> ExactFraction {
        ExactFraction { top: -self.top.clone(), bottom: self.bottom.clone() }
    }

    /// Returns the exact quotient of two fractions.
    fn divide(&self, other: &ExactFraction) -> ExactFraction {
        let (sign, top) = other.top.clone().into_parts();
        ExactFraction {
            top: &self.top * IBig::from_parts(sign, other.bottom.clone()),
            bottom: &self.bottom * top,
        }
    }

    /// Returns the fraction truncated towards zero.
    fn truncate(&self) -> ExactFraction {
        let (sign, top) = self.top.clone().into_parts();
        ExactFraction { top: IBig::from_parts(sign, top / &self.bottom), bottom: UBig::ONE }
    }
}

/// Checks that a number has exactly the value of a fraction.
fn same(number: &Number, model: &ExactFraction) -> Result<(), TestCaseError> {
    let got = ExactFraction::of(number);
    prop_assert!(
        got.compare(model).is_eq(),
        "got {number:?} = {}/{}, want {model:?}",
        got.top,
        got.bottom
    );
    let again = number.with_precision(number.precision() + 1).with_precision(number.precision());
    prop_assert!(number.is_same(&again), "not in its one form: {number:?}");
    Ok(())
}

/// Returns a strategy for numbers of all precisions and magnitudes, with few and many digits.
fn numbers() -> impl Strategy<Value = Number> {
    let precision = prop_oneof![Just(53u32), Just(64), Just(512)];
    let mantissa = prop_oneof![
        any::<u8>().prop_map(UBig::from),
        any::<u64>().prop_map(UBig::from),
        proptest::collection::vec(any::<u8>(), 1..70).prop_map(|bytes| UBig::from_le_bytes(&bytes)),
        (0usize..520).prop_map(|bits| (UBig::ONE << bits) - UBig::ONE),
        (0usize..520).prop_map(|bits| (UBig::ONE << bits) + UBig::ONE),
    ];
    let exponent = prop_oneof![Just(0i64), -20i64..20, -700i64..700, -4000i64..4000];
    (any::<bool>(), mantissa, exponent, precision).prop_map(
        |(negative, mantissa, exponent, precision)| {
            finish(negative, mantissa, exponent, false, precision)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Tests that a sum or difference of numbers is the exact one, rounded.
    #[test]
    fn sums_and_differences(left in numbers(), right in numbers()) {
        let precision = left.precision().max(right.precision());
        let (a, b) = (ExactFraction::of(&left), ExactFraction::of(&right));
        same(&left.add(&right).unwrap(), &a.add(&b).rounded(precision))?;
        same(&left.subtract(&right).unwrap(), &a.add(&b.negate()).rounded(precision))?;
    }

    /// Tests that a product of numbers is the exact one, rounded.
    #[test]
    fn products(left in numbers(), right in numbers()) {
        let product = left.multiply(&right).unwrap();
        same(&product, &ExactFraction::of(&left).multiply(&ExactFraction::of(&right)).rounded(512))?;
        prop_assert!(product.precision() >= left.precision().max(right.precision()));
    }

    /// Tests that a quotient or remainder of numbers is the exact one, rounded.
    #[test]
    fn quotients_and_remainders(left in numbers(), right in numbers()) {
        prop_assume!(!right.is_zero() && !left.is_zero());
        let precision = left.precision().max(right.precision());
        let (a, b) = (ExactFraction::of(&left), ExactFraction::of(&right));
        let quotient = a.divide(&b).rounded(precision);
        same(&left.divide(&right).unwrap(), &quotient)?;
        let times = quotient.truncate().rounded(left.precision());
        let taken = times.multiply(&b).rounded(left.precision());
        same(&left.remainder(&right).unwrap(), &a.add(&taken.negate()).rounded(left.precision()))?;
    }

    /// Tests that numbers are ordered like their exact values.
    #[test]
    fn order(left in numbers(), right in numbers()) {
        prop_assert_eq!(left.compare(&right), ExactFraction::of(&left).compare(&ExactFraction::of(&right)));
        prop_assert_eq!(left.compare(&left.with_precision(600)), std::cmp::Ordering::Equal);
    }

    /// Tests that the equality of set elements is symmetric, implies `==` and agrees with hashes.
    #[test]
    fn identity(left in numbers(), right in numbers()) {
        use std::hash::BuildHasher;
        let hasher = rustc_hash::FxBuildHasher;
        for other in [right, left.with_precision(512), left.with_precision(53), number(&left.to_text())] {
            prop_assert_eq!(left.is_same(&other), other.is_same(&left));
            prop_assert_eq!(left.equals(&other), other.equals(&left));
            if left.is_same(&other) {
                prop_assert_eq!(hasher.hash_one(&left), hasher.hash_one(&other));
                prop_assert!(left.equals(&other));
            }
        }
    }

    /// Tests that the text of a number reads back, and that no text with one digit less does.
    #[test]
    fn shortest_text(value in numbers()) {
        // Powers of two are the exception that `shorten` describes.
        prop_assume!(value.width() > 1 || value.is_zero());
        let text = value.to_text();
        let precision = value.precision();
        let exact = ExactFraction::of(&value);
        same(&value, &ExactFraction::of_text(&text).rounded(precision))?;
        // One digit less does not read back, rounded either way.
        let plain = text.trim_start_matches(['-', '0', '.']);
        let digits = plain.replace('.', "");
        let kept = digits.trim_end_matches('0');
        if kept.len() > 1 {
            let (short, _) = kept.split_at(kept.len() - 1);
            let places = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let zeros = digits.len() - short.len();
            for up in [0u8, 1] {
                let top = (UBig::from_str_radix(short, 10).unwrap() + UBig::from(up))
                    * UBig::from(10u8).pow(zeros);
                let sign = if value.is_negative() { Sign::Negative } else { Sign::Positive };
                let candidate = ExactFraction {
                    top: IBig::from_parts(sign, top),
                    bottom: UBig::from(10u8).pow(places),
                };
                prop_assert!(candidate.rounded(precision).compare(&exact).is_ne(), "{text}");
            }
        }
        if precision == 512 {
            prop_assert!(number(&text).is_same(&value));
        }
        if precision == 53 && value.to_f64().is_normal() {
            let machine: f64 = text.parse().unwrap();
            prop_assert_eq!(machine, value.to_f64());
        }
    }

    /// Tests that a decimal text is read as its exact value, rounded.
    #[test]
    fn decimal_text(digits in "[0-9]{1,200}", places in "([.][0-9]{0,200})?", tens in -400i32..400) {
        let text = format!("{digits}{places}e{tens}");
        let mut model = ExactFraction::of_text(&format!("{digits}{places}"));
        let ten = UBig::from(10u8).pow(tens.unsigned_abs() as usize);
        if tens < 0 { model.bottom *= ten } else { model.top *= IBig::from(ten) }
        same(&number(&text), &model.rounded(512))?;
    }

    /// Tests that a number parsed from any text is printed as a text that parses to the same number.
    #[test]
    fn any_text(text in "[-+0-9.eEpPInf_x]{0,12}") {
        if let Some(value) = Number::parse(&text) {
            let back = value.to_text();
            prop_assume!(value.width() > 1 || value.to_exact_i64().is_some());
            prop_assert!(number(&back).is_same(&value), "{} {}", text, back);
        }
    }

    /// Tests that every `f64` survives the conversion to a number, to text and back.
    #[test]
    fn any_float(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        if !value.is_nan() {
            prop_assert_eq!(float(value).to_f64().to_bits(), bits);
            prop_assume!(float(value).width() > 1);
            prop_assert_eq!(number(&float(value).to_text()).to_f64().to_bits(), bits);
        }
    }

    /// Tests that ten digits of an `f64` are those that the standard library prints.
    #[test]
    fn ten_digits_of_floats(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        if value.is_finite() && value != 0.0 {
            let wide = format!("{value:.9e}");
            let (mantissa, exponent) = wide.split_once('e').unwrap();
            let got = float(value).to_text_exponent(Some(9));
            let (got_mantissa, got_exponent) = got.split_once('e').unwrap();
            prop_assert_eq!(got_mantissa, mantissa);
            prop_assert_eq!(got_exponent.parse::<i32>().unwrap(), exponent.parse::<i32>().unwrap());
            prop_assert_eq!(float(value).to_text_fixed(Some(3)), format!("{value:.3}"));
        }
    }
}

/// Returns the hash of a number by its implementation of `Hash`.
fn hash_of(number: &Number) -> u64 {
    let mut state = std::hash::DefaultHasher::new();
    number.hash(&mut state);
    state.finish()
}

/// Tests that the decimal and the binary form of a negative power of two have the same texts.
#[test]
fn powers_of_two_are_the_same_in_both_forms() {
    for places in 1..=18_u32 {
        let read = number(&format!("{}e-{places}", 5_u64.pow(places)));
        let binary = read.in_binary();
        assert_eq!(read.to_text(), binary.to_text());
        assert_eq!(read.to_text_fixed(Some(2)), binary.to_text_fixed(Some(2)));
    }
}

proptest! {
    /// Tests that a number as read from text and its binary form have equal texts, comparisons and results.
    #[test]
    fn numbers_are_the_same_in_both_forms(
        digits in -999_999_999_999_999_999_i64..=999_999_999_999_999_999,
        cut in 0_u32..18,
        tens in -1_010_i16..=1_010,
        other in -99_i64..=99,
        near in -3_i16..=3,
    ) {
        let digits = digits / 10_i64.pow(cut);
        let read = number(&format!("{digits}e{tens}"));
        let other = number(&format!("{other}e{near}"));
        let (binary, other_binary) = (read.in_binary(), other.in_binary());
        prop_assert_eq!(read.to_text(), binary.to_text());
        prop_assert_eq!(read.to_text_10(), binary.to_text_10());
        prop_assert_eq!(read.to_text_general(None), binary.to_text_general(None));
        prop_assert_eq!(read.to_f64().to_bits(), binary.to_f64().to_bits());
        prop_assert_eq!(read.precision(), binary.precision());
        prop_assert!(read.equals(&binary) && binary.equals(&read) && read.is_same(&binary));
        prop_assert!(binary.is_same(&read) && read.compare(&binary).is_eq());
        prop_assert_eq!(read.is_integer(), binary.is_integer());
        prop_assert_eq!(read.is_negative(), binary.is_negative());
        for (left, right) in [(&read, &other), (&read, &other_binary), (&binary, &other)] {
            prop_assert_eq!(left.equals(right), binary.equals(&other_binary));
            prop_assert_eq!(left.is_same(right), binary.is_same(&other_binary));
            prop_assert_eq!(left.compare(right), binary.compare(&other_binary));
            let (sum, exact) = (left.add(right).unwrap(), binary.add(&other_binary).unwrap());
            prop_assert_eq!(format!("{sum:?}"), format!("{exact:?}"));
            let product = left.multiply(right).unwrap();
            let exact = binary.multiply(&other_binary).unwrap();
            prop_assert_eq!(format!("{product:?}"), format!("{exact:?}"));
        }
        prop_assert_eq!(read.to_exact_i64(), binary.to_exact_i64());
        prop_assert_eq!(hash_of(&read), hash_of(&binary));
        for whole in [Number::floor, Number::ceiling, Number::truncate, Number::negate] {
            prop_assert!(whole(&read).is_same(&whole(&binary)));
        }
    }
}
