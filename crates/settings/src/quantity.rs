//! Durations and sizes in settings and flags, such as `1m30s` and `512MB`. A size without a unit is in bytes; a duration
//! requires units.

use std::time::Duration;

/// Parses a duration such as `1m30s`, `500ms` or `1.5s`; `None` if it is not one.
pub fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut whole = 0.0;
    while !rest.is_empty() {
        let (number, after) = number(rest)?;
        let letters = after.len() - after.trim_start_matches(char::is_alphabetic).len();
        let (unit, after) = after.split_at(letters);
        let seconds = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => return None,
        };
        whole += number * seconds;
        rest = after;
    }
    Duration::try_from_secs_f64(whole).ok().filter(|_| !text.is_empty())
}

/// Parses a size such as `512MB`, `2GiB` or `1000` into bytes; `None` if it is not one.
pub fn size(text: &str) -> Option<u64> {
    let (number, unit) = number(text)?;
    let bytes: f64 = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let whole = number * bytes;
    (whole < 9e18).then_some(whole as u64)
}

/// Splits a text into the decimal number at its start and the rest; `None` if it does not start with a number.
fn number(text: &str) -> Option<(f64, &str)> {
    let digits =
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{duration, size};

    /// Checks valid and invalid durations.
    #[test]
    fn durations() {
        let of = |text| duration(text).map(|duration| duration.as_millis());
        assert_eq!(of("5s"), Some(5_000));
        assert_eq!(of("500ms"), Some(500));
        assert_eq!(of("1m30s"), Some(90_000));
        assert_eq!(of("1.5s"), Some(1_500));
        assert_eq!(duration("0s"), Some(Duration::ZERO));
        for wrong in ["", "5", "s", "5 s", "-5s", "5sec", "1..5s", "1e9s"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    /// Checks valid and invalid sizes.
    #[test]
    fn sizes() {
        assert_eq!(size("512MB"), Some(512_000_000));
        assert_eq!(size("2GiB"), Some(2 << 30));
        assert_eq!(size("1.5 gb"), Some(1_500_000_000));
        assert_eq!(size("1000"), Some(1_000));
        for wrong in ["", "MB", "5XB", "-1", "1e3", "99999999999TB"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
