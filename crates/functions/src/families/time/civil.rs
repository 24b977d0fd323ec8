//! Calendar times: moments in the proleptic Gregorian calendar, with a year zero, at a fixed offset from UTC. There are no leap
//! seconds and no time zones by name.

use groma_runtime::Moment;

/// A point in time together with an offset from UTC, by which it is displayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ZonedMoment {
    pub(crate) moment: Moment,
    /// Seconds east of UTC.
    pub(crate) offset: i32,
}

/// A calendar date and clock time: year, month, day, hour, minute, second, weekday and day of the year.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct CivilTime {
    pub(crate) year: i64,
    /// The month, 1 to 12.
    pub(crate) month: u8,
    /// The day of the month, 1 to 31.
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    /// The day of the week, 0 for Sunday.
    pub(crate) weekday: u8,
    /// The day of the year, 1 to 366.
    pub(crate) year_day: u16,
}

/// The English names of the months, January first.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The English names of the weekdays, Sunday first.
pub(crate) const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The number of seconds in a day.
const DAY: i64 = 86_400;
/// The number of days in 400 years, after which the calendar repeats.
const CYCLE: i64 = 146_097;

/// Returns true if a year has 366 days.
pub(crate) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days in a month, 1 to 12, of a year.
pub(crate) fn days_in(year: i64, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Returns the number of days in a year before the first day of a month, 1 to 12.
fn days_before(year: i64, month: u8) -> i64 {
    (1..month).map(|month| i64::from(days_in(year, month))).sum()
}

/// Returns the number of days from 1970-01-01 to the first of January of a year; negative for earlier years.
fn days_to(year: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    before * 365 + leaps - 719_162
}

impl CivilTime {
    /// Returns the ISO 8601 year and week: weeks begin on Monday, and the first contains the year's first Thursday.
    pub(crate) fn iso_week(&self) -> (i64, i64) {
        let from_monday = (i64::from(self.weekday) + 6) % 7;
        let thursday = i64::from(self.year_day) - 1 + 3 - from_monday;
        let days = |year| if is_leap(year) { 366 } else { 365 };
        if thursday < 0 {
            return (self.year - 1, (thursday + days(self.year - 1)) / 7 + 1);
        }
        match thursday.checked_sub(days(self.year)) {
            Some(over) if over >= 0 => (self.year + 1, over / 7 + 1),
            _ => (self.year, thursday / 7 + 1),
        }
    }
}

impl ZonedMoment {
    /// Returns the moment of a date and clock time at an offset from UTC in seconds; all fields must be in range.
    pub(crate) fn at(
        date: (i64, u8, u8),
        time: (u8, u8, u8),
        nanoseconds: u32,
        offset: i32,
    ) -> ZonedMoment {
        let (year, month, day) = date;
        let days = days_to(year) + days_before(year, month) + i64::from(day) - 1;
        let (hour, minute, second) = time;
        let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        let seconds = days * DAY + seconds - i64::from(offset);
        ZonedMoment { moment: Moment { seconds, nanoseconds }, offset }
    }

    /// Returns a moment with the offset zero, to be displayed in UTC.
    pub(crate) fn utc(moment: Moment) -> ZonedMoment {
        ZonedMoment { moment, offset: 0 }
    }

    /// Returns the calendar date and clock time at the offset of the moment.
    pub(crate) fn civil(&self) -> CivilTime {
        let local = self.moment.seconds.saturating_add(i64::from(self.offset));
        let days = local.div_euclid(DAY);
        let second = local.rem_euclid(DAY);
        let cycles = days.div_euclid(CYCLE);
        let mut rest = days.rem_euclid(CYCLE);
        // An estimate of the year within its 400-year cycle, which is at most a few years too early.
        let mut year = 1970 + cycles * 400 + rest / 366;
        let start = days_to(1970 + cycles * 400);
        rest += start;
        while days_to(year + 1) <= rest {
            year += 1;
        }
        let mut day = rest - days_to(year);
        let year_day = day as u16 + 1;
        let mut month = 1;
        while day >= i64::from(days_in(year, month)) {
            day -= i64::from(days_in(year, month));
            month += 1;
        }
        CivilTime {
            year,
            month,
            day: day as u8 + 1,
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
            second: (second % 60) as u8,
            weekday: (days + 4).rem_euclid(7) as u8,
            year_day,
        }
    }

    /// Returns the moment that is `nanoseconds` later, at the same offset.
    pub(crate) fn plus(&self, nanoseconds: i64) -> ZonedMoment {
        let sum = i64::from(self.moment.nanoseconds) + nanoseconds.rem_euclid(1_000_000_000);
        let seconds = self
            .moment
            .seconds
            .saturating_add(nanoseconds.div_euclid(1_000_000_000))
            .saturating_add(sum / 1_000_000_000);
        ZonedMoment {
            moment: Moment { seconds, nanoseconds: (sum % 1_000_000_000) as u32 },
            ..*self
        }
    }

    /// Returns the moment as RFC 3339 text, without fractional seconds.
    pub(crate) fn text(&self) -> String {
        let CivilTime { year, month, day, hour, minute, second, .. } = self.civil();
        let year = year_text(year);
        format!(
            "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{}",
            zone(self.offset, "Z", ":")
        )
    }
}

/// Returns a year with at least four digits, and a minus sign before year zero.
pub(crate) fn year_text(year: i64) -> String {
    if year < 0 { format!("-{:04}", year.unsigned_abs()) } else { format!("{year:04}") }
}

/// Returns an offset in seconds as signed hours and minutes with `separator` between them; for zero the text `utc`, unless that
/// is empty.
pub(crate) fn zone(offset: i32, utc: &str, separator: &str) -> String {
    if offset == 0 && !utc.is_empty() {
        return utc.to_owned();
    }
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.unsigned_abs() / 60;
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that dates and moments are converted to each other without loss.
    #[test]
    fn dates_and_moments_agree() {
        for year in [-401, -1, 0, 1, 1899, 1900, 1969, 1970, 2000, 2024, 2031, 2370, 9999, 12_000] {
            for month in 1..=12 {
                for day in [1, 28, days_in(year, month)] {
                    let clock = ZonedMoment::at((year, month, day), (23, 59, 58), 7, 0);
                    let civil = clock.civil();
                    assert_eq!((civil.year, civil.month, civil.day), (year, month, day));
                    assert_eq!((civil.hour, civil.minute, civil.second), (23, 59, 58));
                }
            }
        }
        assert_eq!(ZonedMoment::at((1970, 1, 1), (0, 0, 0), 0, 0).moment.seconds, 0);
        assert_eq!(
            ZonedMoment::at((2031, 11, 23), (21, 45, 38), 0, 19_800).text(),
            "2031-11-23T21:45:38+05:30"
        );
        assert_eq!(ZonedMoment::at((2031, 4, 7), (0, 0, 0), 0, 0).civil().weekday, 1);
    }
}
