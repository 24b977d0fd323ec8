//! Durations in Packer's syntax: `90s`, `1m30s`, `1.5h`, or a plain zero.

/// Returns true if a text is a duration in Packer's syntax, such as `1m30s`.
pub(crate) fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    if text == "0" {
        return true;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        if digits == 0 || number.len() - digits > 1 {
            return false;
        }
        /// The units of a duration, from nanoseconds to hours.
        const UNITS: [&str; 8] = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
        let end = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        if !UNITS.contains(&unit) {
            return false;
        }
        rest = after;
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_duration;

    /// Checks which texts are durations.
    #[test]
    fn what_is_a_duration() {
        for text in ["0", "5s", "1m30s", "1.5h", "-2ms", "100µs", ".5s", "5.s"] {
            assert!(is_duration(text), "{text}");
        }
        for text in ["", "5", "5 seconds", "1d", "s", "1..5s", ".s", "1m 30s", "+"] {
            assert!(!is_duration(text), "{text}");
        }
    }
}
