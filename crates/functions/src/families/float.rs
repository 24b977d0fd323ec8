//! Logarithms and powers of 64-bit floats, to the last bit as the references compute them. The
//! standard library's own may differ in that bit, and between platforms.

/// Returns `x * 2^exponent`, rounded once; zeros, infinities and NaN are unchanged.
fn scale(mut x: f64, mut exponent: i64) -> f64 {
    // In steps, so that a subnormal result is rounded once, at the last step.
    while exponent > 1000 && x.is_finite() && x != 0.0 {
        x *= f64::from_bits((1023 + 1000) << 52);
        exponent -= 1000;
    }
    let (mut fraction, lift) = split(x);
    if fraction == 0.0 || !fraction.is_finite() {
        return x;
    }
    let power = exponent.saturating_add(lift);
    if power < -1080 {
        return 0.0_f64.copysign(x);
    }
    if power > 1024 {
        return f64::INFINITY.copysign(x);
    }
    if power < -1021 {
        // 2^-53 below the smallest normal number: the product below rounds once.
        fraction *= f64::from_bits(((power + 53 + 1023) as u64) << 52);
        return fraction * f64::from_bits((1023 - 53) << 52);
    }
    fraction * 2.0 * f64::from_bits(((power - 1 + 1023) as u64) << 52)
}

/// Splits `x` into a fraction in `[1/2, 1)` and an exponent of 2 such that `x = fraction * 2^exponent`.
fn split(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, lift) = match x.abs() < f64::MIN_POSITIVE {
        true => (x * f64::from_bits((1023 + 52) << 52), -52),
        false => (x, 0),
    };
    let (fraction, exponent) = stored_parts(x);
    (fraction, exponent + lift)
}

/// Splits `x` into a fraction and an exponent of 2 like [`split`], but treats a subnormal number like a normal one, as the
/// reference programs' logarithm does.
fn stored_parts(x: f64) -> (f64, i64) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1022;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52)), exponent)
}

/// Returns the natural logarithm: the argument is reduced to `[√½, √2)`, and `ln(1+f)` is a series in `f/(2+f)`.
pub(crate) fn ln(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    /// The upper bits of ln 2, for the argument reduction of `ln`.
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    /// The remaining bits of ln 2, for the argument reduction of `ln`.
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// The coefficients of the series by which `ln` is computed.
    const SERIES: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    let (mut fraction, mut exponent) = stored_parts(x);
    if fraction < std::f64::consts::FRAC_1_SQRT_2 {
        fraction *= 2.0;
        exponent -= 1;
    }
    let f = fraction - 1.0;
    let k = exponent as f64;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let odd = s2 * (SERIES[0] + s4 * (SERIES[2] + s4 * (SERIES[4] + s4 * SERIES[6])));
    let even = s4 * (SERIES[1] + s4 * (SERIES[3] + s4 * SERIES[5]));
    let rest = odd + even;
    let half = 0.5 * f * f;
    k * LN2_HIGH - ((half - (s * (half + rest) + k * LN2_LOW)) - f)
}

/// Returns `e^x`: a sixteenth of the reduced argument goes through the series, and the result is squared four times.
/// Multiplications and additions are fused, as on the reference programs' processors.
fn exp(x: f64) -> f64 {
    /// The upper bits of ln 2, for the argument reduction of `exp`.
    const LN2_UPPER: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    /// The remaining bits of ln 2, for the argument reduction of `exp`.
    const LN2_LOWER: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    /// The coefficients of the series by which `exp` is computed.
    const SERIES: [f64; 9] = [
        2.480_158_730_158_73e-5,
        1.984_126_984_126_984e-4,
        1.388_888_888_888_889e-3,
        8.333_333_333_333_333e-3,
        4.166_666_666_666_666_4e-2,
        1.666_666_666_666_666_6e-1,
        0.5,
        1.0,
        0.0,
    ];
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x > 7.097_827_128_933_84e2 {
        return f64::INFINITY;
    }
    if x < -746.0 {
        return 0.0;
    }
    let exponent = (std::f64::consts::LOG2_E * x).round_ties_even();
    let mut rest = (-LN2_UPPER).mul_add(exponent, x);
    rest = (-LN2_LOWER).mul_add(exponent, rest);
    rest *= 0.0625;
    let mut sum = SERIES[0];
    for term in &SERIES[1..8] {
        sum = sum.mul_add(rest, *term);
    }
    // The sum is (e^r - 1)/r; (y+1)^2 - 1 = y(y+2) doubles the argument.
    let mut less_one = sum * rest;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    scale(less_one.mul_add(less_one + 2.0, 1.0), exponent as i64)
}

/// Returns `x` to the power `y`: the whole part of `y` by repeated squaring with a separate exponent of 2, the rest by
/// exponential and logarithm.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 || x.is_nan() {
        return x;
    }
    if y.is_nan() {
        return y;
    }
    if x == 0.0 || x.is_infinite() || y.is_infinite() {
        return pow_at_edge(x, y);
    }
    if y == 0.5 {
        return x.sqrt();
    }
    if y == -0.5 {
        return 1.0 / x.sqrt();
    }
    let mut whole = y.abs().trunc();
    let mut part = y.abs() - whole;
    if part != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= 9.223_372_036_854_776e18 {
        // A number this large is even, and the result is 1, 0 or infinite.
        return match (x == -1.0, (x.abs() < 1.0) == (y > 0.0)) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => f64::INFINITY,
        };
    }
    let mut fraction = 1.0;
    let mut exponent: i64 = 0;
    if part != 0.0 {
        if part > 0.5 {
            part -= 1.0;
            whole += 1.0;
        }
        fraction = exp(part * ln(x));
    }
    let (mut square, mut shift) = split(x);
    let mut bits = whole as i64;
    while bits != 0 {
        if !(-(1 << 12)..=1 << 12).contains(&shift) {
            exponent = exponent.saturating_add(shift);
            break;
        }
        if bits & 1 == 1 {
            fraction *= square;
            exponent += shift;
        }
        square *= square;
        shift <<= 1;
        if square < 0.5 {
            square += square;
            shift -= 1;
        }
        bits >>= 1;
    }
    if y < 0.0 {
        fraction = 1.0 / fraction;
        exponent = -exponent;
    }
    scale(fraction, exponent)
}

/// Returns `x` to the power `y` for special cases: zeros, infinities and NaN.
fn pow_at_edge(x: f64, y: f64) -> f64 {
    let odd =
        y.is_finite() && y.trunc() == y && y.abs() < 9.007_199_254_740_992e15 && y % 2.0 != 0.0;
    if y.is_infinite() {
        return match (x == -1.0, (x.abs() < 1.0) == (y > 0.0)) {
            (true, _) => 1.0,
            (false, true) => 0.0,
            (false, false) => f64::INFINITY,
        };
    }
    let vanishes = (x == 0.0) == (y > 0.0);
    let size = if vanishes { 0.0 } else { f64::INFINITY };
    if odd { size.copysign(x) } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that powers equal those of the reference programs in every bit.
    #[test]
    fn powers_to_the_last_bit() {
        let cases = [
            (27.0, 1.0 / 3.0, 2.9999999999999996),
            (1.1, 2.0, 1.2100000000000002),
            (142.11, 0.652, 25.32277317743421),
            (0.00077, -6.0579, 7.266542801401003e18),
            (5e-324, 0.5, 2.2227587494850775e-162),
            (2.0, -1074.0, 5e-324),
            (2.0, -1075.0, 0.0),
            (2.0, 1024.0, f64::INFINITY),
            (0.0, -3.0, f64::INFINITY),
            (-2.0, 3.0, -8.0),
        ];
        for (x, y, want) in cases {
            assert_eq!(pow(x, y).to_bits(), want.to_bits(), "{x} ^ {y} = {}", pow(x, y));
        }
        assert!(pow(-2.0, 0.5).is_nan());
    }

    /// Tests that logarithms equal those of the reference programs in every bit.
    #[test]
    fn logarithms_to_the_last_bit() {
        assert_eq!(ln(125.0) / ln(5.0), 3.0000000000000004);
        assert_eq!(ln(4e-320) / ln(10.0), -307.95368556425194);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert!(ln(-1.0).is_nan());
    }
}
