//! Time formats of Packer's older functions: by example (`2006-01-02`), whose parts stand for the same parts of the time, or
//! with percent signs (`%Y-%m-%d`).

use super::civil::{CivilTime, MONTHS, WEEKDAYS, ZonedMoment, year_text, zone};

/// The parts of a format by example, such as `2006`, and the fields that they represent. A part that begins with another part
/// precedes it.
const PARTS: &[(&str, LayoutPart)] = &[
    ("January", LayoutPart::MonthName),
    ("Jan", LayoutPart::MonthShort),
    ("Monday", LayoutPart::WeekdayName),
    ("Mon", LayoutPart::WeekdayShort),
    ("MST", LayoutPart::ZoneName),
    ("002", LayoutPart::YearDay),
    ("01", LayoutPart::Month),
    ("02", LayoutPart::Day),
    ("03", LayoutPart::Hour12),
    ("04", LayoutPart::Minute),
    ("05", LayoutPart::Second),
    ("06", LayoutPart::YearShort),
    ("15", LayoutPart::Hour),
    ("1", LayoutPart::MonthBare),
    ("2006", LayoutPart::Year),
    ("2", LayoutPart::DayBare),
    ("__2", LayoutPart::YearDayBlank),
    ("_2", LayoutPart::DayBlank),
    ("3", LayoutPart::Hour12Bare),
    ("4", LayoutPart::MinuteBare),
    ("5", LayoutPart::SecondBare),
    ("PM", LayoutPart::Half),
    ("pm", LayoutPart::HalfLower),
    ("-07:00:00", LayoutPart::Zone("", ":", ":00")),
    ("-07:00", LayoutPart::Zone("", ":", "")),
    ("-070000", LayoutPart::Zone("", "", "00")),
    ("-0700", LayoutPart::Zone("", "", "")),
    ("-07", LayoutPart::ZoneHours("")),
    ("Z07:00:00", LayoutPart::Zone("Z", ":", ":00")),
    ("Z07:00", LayoutPart::Zone("Z", ":", "")),
    ("Z070000", LayoutPart::Zone("Z", "", "00")),
    ("Z0700", LayoutPart::Zone("Z", "", "")),
    ("Z07", LayoutPart::ZoneHours("Z")),
];

/// A field of a time in a format, such as the month in two digits.
#[derive(Clone, Copy)]
enum LayoutPart {
    /// `January`
    MonthName,
    /// `Jan`
    MonthShort,
    /// `01`
    Month,
    /// `1`
    MonthBare,
    /// `Monday`
    WeekdayName,
    /// `Mon`
    WeekdayShort,
    /// `02`
    Day,
    /// `2`
    DayBare,
    /// `2` with a space before a single digit.
    DayBlank,
    /// The day of the year in three digits.
    YearDay,
    /// The day of the year, with spaces before fewer than three digits.
    YearDayBlank,
    /// The hour from 00 to 23.
    Hour,
    /// The hour from 01 to 12.
    Hour12,
    /// The hour from 1 to 12.
    Hour12Bare,
    /// `04`
    Minute,
    MinuteBare,
    Second,
    SecondBare,
    Year,
    YearShort,
    Half,
    HalfLower,
    ZoneName,
    /// A UTC offset: the text for zero, the separator of hours and minutes, and that of seconds.
    Zone(&'static str, &'static str, &'static str),
    ZoneHours(&'static str),
}

/// Returns a time formatted like an example such as `2006-01-02`, whose parts represent the same parts of the time.
pub(crate) fn by_example(time: &ZonedMoment, layout: &str) -> String {
    let mut out = String::with_capacity(layout.len() + 8);
    let mut rest = layout;
    while let Some(first) = rest.chars().next() {
        if let Some((text, after)) = fraction(time, rest) {
            out.push_str(&text);
            rest = after;
            continue;
        }
        // `_2006` is an underscore and a year, not `_2` and `006`; `Janet` does not contain the month `Jan`.
        let year_next = rest.starts_with("_2006");
        let found = PARTS.iter().filter(|_| !year_next).find(|(spelled, part)| {
            let word_goes_on = |c: char| c.is_ascii_lowercase();
            rest.strip_prefix(spelled).is_some_and(|after| match part {
                LayoutPart::MonthShort | LayoutPart::WeekdayShort => {
                    !after.starts_with(word_goes_on)
                }
                _ => true,
            })
        });
        match found {
            Some((spelled, part)) => {
                out.push_str(&part.of(time));
                rest = &rest[spelled.len()..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// Formats fractional seconds by the part of a format that `rest` begins with: a point or comma and a run of zeros, or of nines
/// to leave out trailing zeros; returns the text and what follows this part, `None` if `rest` begins otherwise.
fn fraction<'t>(time: &ZonedMoment, rest: &'t str) -> Option<(String, &'t str)> {
    let separator = rest.chars().next().filter(|c| matches!(c, '.' | ','))?;
    let digits = &rest[1..];
    let digit = digits.chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let count = digits.chars().take_while(|c| *c == digit).count();
    let after = &digits[count..];
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let all = format!("{:09}", time.moment.nanoseconds);
    let mut shown = all[..count.min(9)].to_owned();
    if digit == '9' {
        shown.truncate(shown.trim_end_matches('0').len());
        if shown.is_empty() {
            return Some((String::new(), after));
        }
    }
    Some((format!("{separator}{shown}"), after))
}

impl LayoutPart {
    /// Returns the text of this field for a time, such as `01` for the month.
    fn of(self, time: &ZonedMoment) -> String {
        let CivilTime { year, month, day, hour, minute, second, weekday, year_day } = time.civil();
        let month_name = MONTHS[usize::from(month) - 1];
        let weekday = WEEKDAYS[usize::from(weekday)];
        let hour12 = (hour + 11) % 12 + 1;
        match self {
            LayoutPart::MonthName => month_name.to_owned(),
            LayoutPart::MonthShort => month_name[..3].to_owned(),
            LayoutPart::Month => format!("{month:02}"),
            LayoutPart::MonthBare => month.to_string(),
            LayoutPart::WeekdayName => weekday.to_owned(),
            LayoutPart::WeekdayShort => weekday[..3].to_owned(),
            LayoutPart::Day => format!("{day:02}"),
            LayoutPart::DayBare => day.to_string(),
            LayoutPart::DayBlank => format!("{day:>2}"),
            LayoutPart::YearDay => format!("{year_day:03}"),
            LayoutPart::YearDayBlank => format!("{year_day:>3}"),
            LayoutPart::Hour => format!("{hour:02}"),
            LayoutPart::Hour12 => format!("{hour12:02}"),
            LayoutPart::Hour12Bare => hour12.to_string(),
            LayoutPart::Minute => format!("{minute:02}"),
            LayoutPart::MinuteBare => minute.to_string(),
            LayoutPart::Second => format!("{second:02}"),
            LayoutPart::SecondBare => second.to_string(),
            LayoutPart::Year => year_text(year),
            LayoutPart::YearShort => format!("{:02}", year.rem_euclid(100)),
            LayoutPart::Half => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            LayoutPart::HalfLower => if hour < 12 { "am" } else { "pm" }.to_owned(),
            LayoutPart::ZoneName if time.offset == 0 => "UTC".to_owned(),
            LayoutPart::ZoneName => zone(time.offset, "", ""),
            LayoutPart::Zone(utc, _, _) if time.offset == 0 && !utc.is_empty() => utc.to_owned(),
            LayoutPart::Zone(_, between, seconds) => {
                format!("{}{seconds}", zone(time.offset, "", between))
            }
            LayoutPart::ZoneHours(utc) => {
                let text = zone(time.offset, utc, "");
                text.get(..3).unwrap_or(&text).to_owned()
            }
        }
    }
}

/// Returns a time formatted by a `strftime` format such as `%Y-%m-%d`; unknown letters are literal.
pub(crate) fn by_percent(time: &ZonedMoment, layout: &str) -> String {
    let mut out = String::with_capacity(layout.len() + 16);
    let mut letters = layout.chars();
    while let Some(c) = letters.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let Some(letter) = letters.next() else {
            out.push('%');
            break;
        };
        let example = match letter {
            'A' => "Monday",
            'B' => "January",
            'H' => "15",
            'I' => "03",
            'L' => ".000",
            'M' => "04",
            'S' => "05",
            'Y' => "2006",
            'Z' => "MST",
            'a' => "Mon",
            'b' => "Jan",
            'd' => "02",
            'm' => "01",
            'p' => "PM",
            'y' => "06",
            'z' => "-0700",
            '%' => {
                out.push('%');
                continue;
            }
            other => {
                out.push('%');
                out.push(other);
                continue;
            }
        };
        out.push_str(&by_example(time, example));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests both kinds of formats.
    #[test]
    fn layouts() {
        let time = ZonedMoment::at((2031, 4, 7), (15, 4, 9), 120_000_000, 0);
        let example = |layout| by_example(&time, layout);
        assert_eq!(example("Mon Jan _2 15:04:05 2006"), "Mon Apr  7 15:04:09 2031");
        assert_eq!(example("3:04PM .000|.999|,00"), "3:04PM .120|.12|,12");
        assert_eq!(example("Janet Monday 002 _2006"), "Janet Monday 097 _2031");
        assert_eq!(example("-0700|Z0700|-07:00|Z07:00|-07|MST"), "+0000|Z|+00:00|Z|+00|UTC");
        assert_eq!(by_percent(&time, "%Y-%m-%d %H:%M:%S%L %q 5%"), "2031-04-07 15:04:09.120 %q 5%");
    }
}
