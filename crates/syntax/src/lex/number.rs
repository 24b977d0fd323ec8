//! Number literals: their length and their validity. The lexer accepts more than is valid (`1.2.3`, `2e3e4`), so that the whole
//! is reported at once.

/// Returns the length in bytes of the number at the start of `text`, whose first byte is a digit.
pub(crate) fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut at, mut end) = (1, 1);
    loop {
        match bytes.get(at) {
            Some(b'0'..=b'9') => {
                at += 1;
                end = at;
            }
            Some(b'.') => at += 1,
            Some(b'e' | b'E') if digit(at + 1) => {
                at += 2;
                end = at;
            }
            Some(b'e' | b'E')
                if matches!(bytes.get(at + 1), Some(b'+' | b'-')) && digit(at + 2) =>
            {
                at += 3;
                end = at;
            }
            _ => return end,
        }
    }
}

/// The reason why a number literal is invalid: its form, or the size of its exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberFault {
    /// Two points or two exponents.
    Shape,
    /// An exponent larger than numbers can have.
    Exponent,
}

/// Checks the form and the exponent of a number literal; the error is the reason why it is invalid.
pub(crate) fn check(text: &str) -> Result<(), NumberFault> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(());
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if fraction.contains('.') || exponent.is_some_and(|text| text.contains(['e', 'E', '.'])) {
        return Err(NumberFault::Shape);
    }
    let digits = whole.bytes().chain(fraction.bytes()).skip_while(|byte| *byte == b'0').count();
    if digits == 0 {
        return Ok(());
    }
    let exponent = exponent.map_or(Some(0), |text| text.parse::<i64>().ok());
    let scale = exponent.and_then(|e| e.checked_sub(fraction.len() as i64));
    // The binary exponent must fit 32 bits once the decimal one is added to it.
    let bits = digits as f64 * std::f64::consts::LOG2_10;
    match scale {
        Some(scale) if (scale as f64 + bits).abs() < f64::from(i32::MAX) => Ok(()),
        _ => Err(NumberFault::Exponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach() {
        for (text, len) in [
            ("1", 1),
            ("1.", 1),
            ("1...", 1),
            ("1.5.2]", 5),
            ("4.e2", 4),
            ("1e", 1),
            ("1e+", 1),
            ("1e-3x", 4),
            ("0x1F", 1),
            ("1_000", 1),
        ] {
            assert_eq!(length(text), len, "{text}");
        }
    }

    #[test]
    fn validity() {
        assert_eq!(check("00.50"), Ok(()));
        assert_eq!(check("4.e2"), Ok(()));
        assert_eq!(check("0e9999999999"), Ok(()));
        assert_eq!(check("1e9999999999"), Err(NumberFault::Exponent));
        assert_eq!(check("1e-9999999999"), Err(NumberFault::Exponent));
        assert_eq!(check("2e3e4"), Err(NumberFault::Shape));
        assert_eq!(check("0.1.2"), Err(NumberFault::Shape));
        assert_eq!(check("1e2.5"), Err(NumberFault::Shape));
    }
}
