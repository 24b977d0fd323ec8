//! Parsers of times and durations. There are two sets of rules for RFC 3339: strict ones, and the lax ones of `timecmp` and
//! Packer, which accept a one-digit hour, a decimal comma and odd offsets. Only Packer accepts a space between date and time.

use super::civil::{ZonedMoment, days_in};

/// A parser of timestamps and their parts, with the unread text.
struct TimestampReader<'t> {
    rest: &'t str,
}

impl TimestampReader<'_> {
    /// Consumes the text `text` if it comes next; `None` if something else does.
    fn eat(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// Reads exactly `count` digits as a number; `None` if fewer digits come next.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count).filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
        self.rest = &self.rest[count..];
        digits.parse().ok()
    }

    /// Reads exactly `count` digits as a number of at most `most`; `None` for a greater number or fewer digits.
    fn up_to(&mut self, count: usize, most: u32) -> Option<u8> {
        let number = self.digits(count)?;
        (number <= most).then_some(number as u8)
    }
}

/// The strictness of parsing RFC 3339 text: strict, lax, or lax with a space before the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimestampRules {
    /// Exactly RFC 3339.
    Strict,
    /// With a one-digit hour, a decimal comma and odd offsets.
    Lax,
    /// Lax, with a space accepted in place of the `T`.
    Blank,
}

/// Parses RFC 3339 text as a moment with its offset; the error names the part that is wrong.
pub(crate) fn rfc3339(text: &str, rules: TimestampRules) -> Result<ZonedMoment, &'static str> {
    let lax = rules != TimestampRules::Strict;
    let mut reader = TimestampReader { rest: text };
    let year = i64::from(reader.digits(4).ok_or("four digits of a year are missing at the start")?);
    let month = date_part(&mut reader, 12).ok_or("the month is not `-01` to `-12`")?;
    let day = date_part(&mut reader, 31).ok_or("the day is not `-01` to `-31`")?;
    if day > days_in(year, month) {
        return Err("the month does not have that day");
    }
    let parted = match rules {
        TimestampRules::Blank => reader.eat("T").or_else(|| reader.eat(" ")),
        TimestampRules::Strict | TimestampRules::Lax => reader.eat("T"),
    };
    parted.ok_or("a capital `T` is missing between date and time")?;
    let short = lax && reader.rest.as_bytes().get(1) == Some(&b':');
    let hour = reader.up_to(if short { 1 } else { 2 }, 23).ok_or("the hour is not `00` to `23`")?;
    let minute = clock_part(&mut reader).ok_or("the minute is not `:00` to `:59`")?;
    let second = clock_part(&mut reader).ok_or("the second is not `:00` to `:59`")?;
    let nanoseconds =
        fraction(&mut reader, lax).ok_or("a decimal point has to be followed by digits")?;
    let offset = zone(&mut reader, lax)
        .ok_or("a capital `Z` or an offset such as `+02:00` is missing at the end")?;
    if !reader.rest.is_empty() {
        return Err("something follows the time");
    }
    Ok(ZonedMoment::at((year, month, day), (hour, minute, second), nanoseconds, offset))
}

/// Parses a date, or a date and a time, in YAML's form; `None` for other texts. Months, days and clock fields may have one digit;
/// after `T` or `t` a zone must follow, after a space none may.
pub(crate) fn yaml(text: &str) -> Option<ZonedMoment> {
    let mut reader = TimestampReader { rest: text };
    let year = i64::from(reader.digits(4)?);
    let part = |mark: &str, reader: &mut TimestampReader<'_>, most: u32| -> Option<u8> {
        if !mark.is_empty() {
            reader.eat(mark)?;
        }
        let short = !reader.rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        reader.up_to(if short { 1 } else { 2 }, most)
    };
    let month = part("-", &mut reader, 12).filter(|&month| month > 0)?;
    let day = part("-", &mut reader, 31).filter(|&day| day > 0 && day <= days_in(year, month))?;
    if reader.rest.is_empty() {
        return Some(ZonedMoment::at((year, month, day), (0, 0, 0), 0, 0));
    }
    let spaced = reader.eat(" ").is_some();
    if !spaced && reader.eat("T").is_none() {
        reader.eat("t")?;
    }
    let hour = part("", &mut reader, 23)?;
    let minute = part(":", &mut reader, 59)?;
    let second = part(":", &mut reader, 59)?;
    let nanoseconds = fraction(&mut reader, true)?;
    let offset = if spaced { 0 } else { zone(&mut reader, true)? };
    let clock = ZonedMoment::at((year, month, day), (hour, minute, second), nanoseconds, offset);
    reader.rest.is_empty().then_some(clock)
}

/// Reads a dash and two digits of a month or day, `01` to `most`; `None` for other text.
fn date_part(reader: &mut TimestampReader<'_>, most: u32) -> Option<u8> {
    reader.eat("-")?;
    reader.up_to(2, most).filter(|&part| part > 0)
}

/// Reads a colon and two digits of minutes or seconds, `00` to `59`; `None` for other text.
fn clock_part(reader: &mut TimestampReader<'_>) -> Option<u8> {
    reader.eat(":")?;
    reader.up_to(2, 59)
}

/// Reads optional fractional seconds as nanoseconds after a point, or with `lax` also a comma; `None` for a separator without
/// digits. The digits after the ninth are dropped.
fn fraction(reader: &mut TimestampReader<'_>, lax: bool) -> Option<u32> {
    if reader.eat(".").is_none() && !(lax && reader.eat(",").is_some()) {
        return Some(0);
    }
    let length = reader.rest.bytes().take_while(u8::is_ascii_digit).count();
    let digits = &reader.rest[..length];
    reader.rest = &reader.rest[length..];
    let padded = format!("{digits:0<9}");
    if length == 0 { None } else { padded[..9].parse().ok() }
}

/// Reads a UTC offset such as `Z` or `+01:00` in seconds; `None` if malformed, which with `lax` 24 hours and 60 minutes are not.
fn zone(reader: &mut TimestampReader<'_>, lax: bool) -> Option<i32> {
    if reader.eat("Z").is_some() {
        return Some(0);
    }
    let sign = match reader.eat("+") {
        Some(()) => 1,
        None => {
            reader.eat("-")?;
            -1
        }
    };
    let (hours, minutes) = if lax { (24, 60) } else { (23, 59) };
    let hour = reader.up_to(2, hours)?;
    reader.eat(":")?;
    let minute = reader.up_to(2, minutes)?;
    Some(sign * (i32::from(hour) * 3600 + i32::from(minute) * 60))
}

/// The units of a duration, such as `h`, each with its number of nanoseconds.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Parses a duration (`1h30m`, `-1.5s`) as a number of nanoseconds; `None` if malformed or beyond 64 bits.
pub(crate) fn duration(text: &str) -> Option<i64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    let mut total: u64 = 0;
    let mut rest = rest;
    loop {
        let (part, after) = duration_part(rest)?;
        total = total.checked_add(part).filter(|&total| total <= 1 << 63)?;
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    if negative { 0i64.checked_sub_unsigned(total) } else { i64::try_from(total).ok() }
}

/// Parses one number with its unit at the start of a duration; returns the nanoseconds and the rest of the text, `None` if
/// malformed or too large. The fraction uses floating point, as in the reference programs.
fn duration_part(text: &str) -> Option<(u64, &str)> {
    let whole_length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at(whole_length);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_length = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
    let (name, after) = rest.split_at(unit_length);
    let unit = UNITS.iter().find(|(unit, _)| *unit == name)?.1;
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut nanoseconds = whole.checked_mul(unit).filter(|&n| n <= 1 << 63)?;
    let (mut digits, mut scale) = (0u64, 1f64);
    for digit in fraction.bytes().map(|b| u64::from(b - b'0')) {
        // Digits beyond those that fit an `i64` are ignored.
        if digits > (i64::MAX as u64 - digit) / 10 {
            break;
        }
        digits = digits * 10 + digit;
        scale *= 10.0;
    }
    if digits > 0 {
        nanoseconds += (digits as f64 * (unit as f64 / scale)) as u64;
    }
    Some((nanoseconds, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests which texts are durations, and of which length.
    #[test]
    fn durations() {
        for (text, want) in [
            ("1h30m15s", Some(5_415_000_000_000)),
            ("-1.5s", Some(-1_500_000_000)),
            (".5m", Some(30_000_000_000)),
            ("2.m", Some(120_000_000_000)),
            ("+1µs", Some(1_000)),
            ("0", Some(0)),
            ("9223372036854775807ns", Some(i64::MAX)),
            ("9223372036854775808ns", None),
            ("-9223372036854775808ns", Some(i64::MIN)),
            (".h", None),
            ("15", None),
            ("1h-30m", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(duration(text), want, "{text}");
        }
    }
}
