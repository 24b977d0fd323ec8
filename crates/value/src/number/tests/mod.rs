//! Tests of numbers against results of the reference programs.
mod model;

use super::*;

/// Returns the number of a literal, at 512 bits of precision.
fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

/// Returns a whole number of 64 bits of precision, as lengths have.
fn length(value: i64) -> Number {
    Number::from_i64(value)
}

/// Returns a number of 53 bits of precision, as floating-point functions return them.
fn float(value: f64) -> Number {
    Number::from_f64(value).unwrap()
}

/// Tests that sums and quotients have the precision of the wider operand.
#[test]
fn precision_of_the_wider_operand() {
    let third = length(1).divide(&length(3)).unwrap();
    assert_eq!(third.to_text(), "0.33333333333333333334");
    let wide = number("1").divide(&number("3")).unwrap();
    assert_eq!(wide.to_text(), format!("0.{}5", "3".repeat(154)));
    assert_eq!(length(1).divide(&number("3")).unwrap().to_text(), wide.to_text());
    assert!(!third.equals(&wide));
    assert_eq!(number("0.1").add(&number("0.2")).unwrap().to_text(), "0.3");
    assert_eq!(wide.multiply(&number("3")).unwrap().to_text(), "1");
    assert_eq!(float(4_611_686_018_427_387_904.0).to_text(), "4611686018427388000");
    let more = float(4_611_686_018_427_387_904.0).add(&number("1")).unwrap();
    assert_eq!(more.to_text(), "4611686018427387905");
    assert_eq!(
        float(9_007_199_254_740_992.0).add(&length(1)).unwrap().to_text(),
        "9007199254740993"
    );
    assert_eq!(
        float(2f64.sqrt()).add(&number("1")).unwrap().to_text(),
        "2.4142135623730951454746218587388284504413604736328125"
    );
}

/// Tests that powers of two have the reference programs' texts, which may not read back exactly.
#[test]
fn powers_of_two_print_as_in_the_references() {
    let power = float(2f64.powi(337));
    assert_eq!(power.to_text(), format!("2799680927722255{}", "0".repeat(86)));
    assert!(!number(&power.to_text()).equals(&power));
    assert_eq!(float(2f64.powi(-44)).to_text(), "0.00000000000005684341886080801");
    assert_eq!(float(2f64.powi(60)).to_text(), "1152921504606847000");
    let far = number("1").divide(&float(2f64.powi(1000))).unwrap().to_text();
    assert!(
        far.starts_with("0.0000")
            && far.contains("933263618503218878990089544723817169617091446371708")
    );
}

/// Tests that products take more precision than their operands if they need it.
#[test]
fn products_take_what_they_need() {
    let product = float(2f64.sqrt()).multiply(&float(3f64.sqrt())).unwrap();
    assert_eq!(product.to_text(), "2.4494897427831781237221939200634");
    let square = length(i64::MAX).multiply(&length(i64::MAX)).unwrap();
    assert_eq!(square.to_text(), "85070591730234615847396907784232501249");
    let wide = Number::parse_radix(&"f".repeat(160), 16).unwrap();
    assert_eq!(wide.precision(), 640);
    assert!(!wide.multiply(&Number::literal(1)).unwrap().equals(&wide));
}

/// Tests where the three comparisons of numbers differ: by value, by `==` and as elements of sets.
#[test]
fn equality_and_order() {
    let (near, tenth) = (float(0.1), number("0.1"));
    assert!(near.equals(&tenth) && near.compare(&tenth).is_gt());
    let (near, exact) = (float(1e23), number("1e23"));
    assert_eq!(near.to_text(), exact.to_text());
    assert!(!near.equals(&exact) && near.equals_as_text(&exact));
    assert!(number("0").equals(&number("-0")) && !number("0").is_same(&number("-0")));
    assert!(length(1).is_same(&number("1")));
    assert!(number("-inf").compare(&number("-1e9999")).is_lt());
    assert!(number("inf").equals(&number("Inf")));
    assert!(number("0.5").compare(&number("0")).is_gt());
    assert!(number("-0").compare(&number("1e-9")).is_lt());
}

/// Tests which operations yield `-0`.
#[test]
fn zero_has_a_sign() {
    assert_eq!(number("0").multiply(&number("-1")).unwrap().to_text(), "-0");
    assert_eq!(number("-0").to_text(), "-0");
    assert_eq!(number("0").negate().to_text(), "-0");
    assert_eq!(number("0").negate().negate().to_text(), "0");
    assert_eq!(number("5").subtract(&number("5")).unwrap().to_text(), "0");
    assert_eq!(number("-0").add(&number("-0")).unwrap().to_text(), "-0");
    assert_eq!(number("-0").add(&number("0")).unwrap().to_text(), "0");
    assert_eq!(number("-0").remainder(&number("5")).unwrap().to_text(), "-0");
    assert_eq!(number("-5").remainder(&number("5")).unwrap().to_text(), "0");
    for text in ["-0", "-0.3"] {
        assert_eq!(number(text).ceiling().to_text(), "0");
    }
    assert_eq!(number("-0").floor().to_text(), "0");
    assert_eq!(number("-0").absolute().to_text(), "0");
    assert_eq!(number("0").divide(&number("-5")).unwrap().to_text(), "-0");
    assert_eq!(Number::parse_radix("-0", 10).unwrap().to_text(), "0");
    assert_eq!(number("-1e-999999999").to_text(), "-0");
}

/// Tests arithmetic with infinities, which fails where no result is defined.
#[test]
fn infinities() {
    let infinity = number("1").divide(&number("0")).unwrap();
    assert_eq!(infinity.to_text(), "+Inf");
    assert_eq!(number("-1").divide(&number("0")).unwrap().to_text(), "-Inf");
    assert_eq!(number("1").divide(&number("-0")).unwrap().to_text(), "-Inf");
    assert_eq!(number("0").divide(&number("0")), Err(NumberError::ZeroByZero));
    assert_eq!(infinity.divide(&infinity), Err(NumberError::InfinityByInfinity));
    assert_eq!(infinity.subtract(&infinity), Err(NumberError::OpposedInfinities));
    assert_eq!(infinity.add(&infinity.negate()), Err(NumberError::OpposedInfinities));
    assert_eq!(infinity.add(&infinity).unwrap().to_text(), "+Inf");
    assert_eq!(infinity.multiply(&number("0")), Err(NumberError::ZeroTimesInfinity));
    assert_eq!(number("5").divide(&infinity).unwrap().to_text(), "0");
    assert_eq!(number("5").subtract(&infinity).unwrap().to_text(), "-Inf");
    assert_eq!(infinity.remainder(&number("0")).unwrap().to_text(), "+Inf");
    assert_eq!(infinity.remainder(&number("5")), Err(NumberError::InfiniteRemainder));
    assert_eq!(number("5").remainder(&infinity), Err(NumberError::InfiniteRemainder));
    assert_eq!(number("5").remainder(&number("0")).unwrap().to_text(), "5");
    assert_eq!(infinity.floor().to_text(), "+Inf");
}

/// Tests the signs and the rounding of remainders.
#[test]
fn remainders() {
    for (left, right, want) in [
        ("-7", "3", "-1"),
        ("7.5", "2", "1.5"),
        ("-7.5", "2", "-1.5"),
        ("7.5", "-2", "1.5"),
        ("1e400", "7", "0"),
        ("123456789012345678901234567890", "97", "52"),
    ] {
        assert_eq!(number(left).remainder(&number(right)).unwrap().to_text(), want);
    }
    assert_eq!(length(10).remainder(&number("3.3")).unwrap().to_text(), "0.10000000000000000035");
    let third = length(1).divide(&length(3)).unwrap();
    assert_eq!(
        number("10").remainder(&third).unwrap().to_text(),
        "0.33333333333333333307131780831600309511486557312309741973876953125"
    );
    assert_eq!(third.remainder(&number("0.1")).unwrap().to_text(), "0.03333333333333333333");
    assert_eq!(
        float(2f64.sqrt()).remainder(&number("0.1")).unwrap().to_text(),
        "0.014213562373095234"
    );
    let least = number("-9223372036854775808");
    assert_eq!(least.remainder(&number("-1")).unwrap().to_text(), "0");
}

/// Tests arithmetic at the least and the greatest `i64`.
#[test]
fn the_ends_of_the_small_integers() {
    let least = number("-9223372036854775808");
    assert_eq!(least.to_exact_i64(), Some(i64::MIN));
    assert_eq!(least.subtract(&number("1")).unwrap().to_text(), "-9223372036854775809");
    assert_eq!(least.negate().to_text(), "9223372036854775808");
    assert_eq!(least.negate().negate().to_exact_i64(), Some(i64::MIN));
    assert_eq!(least.divide(&number("-1")).unwrap().to_text(), "9223372036854775808");
    assert_eq!(least.multiply(&number("-1")).unwrap().to_text(), "9223372036854775808");
    assert_eq!(number("9223372036854775807").to_exact_i64(), Some(i64::MAX));
    assert_eq!(number("9223372036854775808").to_exact_i64(), None);
    assert_eq!(
        number("18446744073709551616").divide(&number("4")).unwrap().to_exact_i64(),
        Some(1 << 62)
    );
}

/// Tests which texts are parsed as numbers, and as which.
#[test]
fn texts_that_are_numbers() {
    for (text, want) in [
        (".5", "0.5"),
        ("5.", "5"),
        ("+8", "8"),
        ("1e3", "1000"),
        ("1.e3", "1000"),
        ("1.5e+3", "1500"),
        ("1E3", "1000"),
        ("3p4", "48"),
        ("1P3", "8"),
        ("1.5p-3", "0.1875"),
        ("0.1p1", "0.2"),
        ("-.5", "-0.5"),
        ("00012", "12"),
        ("0e9999999999", "0"),
        ("1e999999999", "+Inf"),
        ("1e700000000", "+Inf"),
        ("1e2147483646", "+Inf"),
        ("1e-999999999", "0"),
        ("1e-2147483648", "0"),
        ("-inf", "-Inf"),
        ("+Inf", "+Inf"),
        ("000000000000000000000000000000000000001", "1"),
    ] {
        assert_eq!(number(text).to_text(), want, "{text}");
        assert_eq!(number(text).precision(), 512);
    }
    for text in [
        "",
        " ",
        "1 ",
        " 1",
        "0x10",
        "1_000",
        "0b1",
        "INF",
        "Infinity",
        "NaN",
        "nan",
        ".",
        ".e3",
        "1e",
        "1e+-3",
        "1e3p3",
        "+-1",
        "--1",
        "e3",
        "-",
        "+",
        "1.2.3",
        "1i",
        "0e99999999999999999999",
        "1e9999999999",
        "1e-2147483650",
        "1p2147483647",
        "1p-2147483650",
        "\u{664}",
        "1e\u{664}",
    ] {
        assert_eq!(Number::parse(text), None, "{text}");
    }
    assert_eq!(Number::parse_literal("4.e2").unwrap().to_text(), "400");
    assert_eq!(Number::parse_literal("-0").unwrap().to_text(), "-0");
    for text in ["1e9999999999", "3p4", "Inf", "+1", "", "--1"] {
        assert_eq!(Number::parse_literal(text), None, "{text}");
    }
    for (text, radix, want) in
        [("aA", 62, "656"), ("Zz", 36, "1295"), ("+5", 10, "5"), ("-ff", 16, "-255")]
    {
        assert_eq!(Number::parse_radix(text, radix).unwrap().to_text(), want);
    }
    for (text, radix) in
        [("1_0", 10), ("", 10), ("-", 10), ("2", 2), ("1", 1), ("1", 63), ("0x1", 16)]
    {
        assert_eq!(Number::parse_radix(text, radix), None, "{text}");
    }
}

/// Tests that arithmetic with huge and tiny exponents needs little time and memory.
#[test]
fn far_exponents_stay_cheap() {
    let huge = number("1e600000000");
    assert!(huge.compare(&number("1")).is_gt() && huge.is_integer());
    assert!(huge.add(&number("1")).unwrap().equals(&huge));
    assert!(number("1").subtract(&huge).unwrap().is_negative());
    assert_eq!(huge.multiply(&huge).unwrap().to_text(), "+Inf");
    let tiny = number("1e-600000000");
    assert!(tiny.compare(&number("0")).is_gt());
    assert!(number("1").add(&tiny).unwrap().equals(&number("1")));
    assert_eq!(tiny.multiply(&tiny).unwrap().to_text(), "0");
    assert_eq!(tiny.ceiling().to_text(), "1");
    assert_eq!(tiny.negate().floor().to_text(), "-1");
    assert!(huge.remainder(&number("7")).unwrap().to_text().len() < 700_000);
    assert_eq!(number("1p2147483646").multiply(&number("2")).unwrap().to_text(), "+Inf");
    assert_eq!(number("1p-2147483647").divide(&number("8")).unwrap().to_text(), "0");
    for value in [&huge, &tiny] {
        let text = value.to_text();
        assert!(text.len() < 200, "{text}");
        assert!(number(&text).is_same(value));
        assert_eq!(value.to_text_10(), text);
    }
    assert_eq!(number("5p4000000").to_text(), "5p4000000");
    assert_eq!(huge.to_f64(), f64::INFINITY);
    assert_eq!(tiny.to_f64(), 0.0);
}

/// Tests rounding to whole numbers: truncation, floor and ceiling.
#[test]
fn whole_parts() {
    let seventh = number("1e30").divide(&number("7")).unwrap();
    assert_eq!(seventh.floor().to_text(), "142857142857142857142857142857");
    assert_eq!(seventh.ceiling().to_text(), "142857142857142857142857142858");
    assert_eq!(seventh.truncate().precision(), 512);
    assert_eq!(number("-2.5").floor().to_text(), "-3");
    assert_eq!(number("-2.5").ceiling().to_text(), "-2");
    assert_eq!(number("-2.5").truncate().to_text(), "-2");
    assert_eq!(number("-2.5").absolute().to_text(), "2.5");
    assert_eq!(number("-2.5").sign().to_text(), "-1");
}

/// Tests the texts of numbers with a required number of digits, in each notation.
#[test]
fn texts_with_digits_asked_for() {
    for (text, want) in [
        ("100", "100"),
        ("10", "10"),
        ("0", "0"),
        ("-0", "-0"),
        ("12345678901", "1.23456789e+10"),
        ("9999999999", "9999999999"),
        ("99999999999", "1e+11"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("3.14159265358979", "3.141592654"),
        ("1e100", "1e+100"),
        ("inf", "+Inf"),
    ] {
        assert_eq!(number(text).to_text_10(), want);
    }
    assert_eq!(number("2.5").to_text_fixed(Some(0)), "2");
    assert_eq!(number("3.5").to_text_fixed(Some(0)), "4");
    assert_eq!(number("0.5").to_text_fixed(Some(0)), "0");
    assert_eq!(number("0.51").to_text_fixed(Some(0)), "1");
    assert_eq!(number("0.05").to_text_fixed(Some(0)), "0");
    assert_eq!(number("9.996").to_text_fixed(Some(2)), "10.00");
    assert_eq!(number("1.5").to_text_fixed(Some(3)), "1.500");
    assert_eq!(number("1500000").to_text_general(None), "1.5e+06");
    assert_eq!(number("150000").to_text_general(None), "150000");
    assert_eq!(number("1500").to_text_exponent(Some(3)), "1.500e+03");
    assert_eq!(number("0").to_text_exponent(Some(2)), "0.00e+00");
    assert_eq!(number("0.00123").to_text_exponent(None), "1.23e-03");
    assert_eq!(number("1234567").to_text_general(Some(3)), "1.23e+06");
    assert_eq!(number("255").to_text_radix(16).unwrap(), "ff");
    assert_eq!(number("-255").to_text_radix(2).unwrap(), "-11111111");
    assert_eq!(number("2.5").to_text_radix(10), None);
}

/// Tests that `f64` values survive the conversion to numbers and back.
#[test]
fn floats() {
    for value in [0.1, -0.0, 1e300, 5e-324, 2.5e-310, f64::MAX, f64::MIN_POSITIVE, 123.0, -1e19] {
        let back = float(value).to_f64();
        assert_eq!(back.to_bits(), value.to_bits(), "{value}");
        assert_eq!(float(value).to_exact_f64(), Some(value));
    }
    assert_eq!(Number::from_f64(f64::NAN), None);
    assert_eq!(float(f64::INFINITY).to_text(), "+Inf");
    assert_eq!(number("0.1").to_f64(), 0.1);
    assert_eq!(number("0.1").to_exact_f64(), None);
    assert_eq!(number("1e-324").to_f64(), 0.0);
    assert_eq!(number("3e-324").to_f64(), 5e-324);
    assert_eq!(number("1.8e308").to_f64(), f64::INFINITY);
    assert_eq!(number("9007199254740993").to_f64(), 9_007_199_254_740_992.0);
    assert_eq!(number("9007199254740993.5").to_f64(), 9_007_199_254_740_994.0);
    assert_eq!(float(0.1).to_text(), "0.1");
    assert_eq!(float(1e23).to_text(), "100000000000000000000000");
}
