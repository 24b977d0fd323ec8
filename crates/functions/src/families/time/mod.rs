//! `formatdate`, `timeadd`, `timecmp`, and the functions that read the clock. Those are unknown unless the time is fixed: the
//! time at which the code is applied is not known.

mod civil;
mod layout;
mod read;

use groma_value::{Refinement, Sentence, Type, Value};

pub(crate) use self::civil::{CivilTime, MONTHS, WEEKDAYS, ZonedMoment};
use self::civil::{year_text, zone};
pub(crate) use self::layout::{by_example, by_percent};
pub(crate) use self::read::TimestampRules;
use self::read::{duration, rfc3339};
use groma_runtime::{Availability, Moment};

use crate::{
    CallArgs, Failure, Function, FunctionBody, FunctionReads, ParameterRow, ResultPromise,
    ReturnType, RowType,
};

/// Parses a text in RFC 3339 format as a moment.
///
/// # Errors
/// If the text is malformed; the error names the part that is wrong.
pub fn read_moment(text: &str) -> Result<Moment, &'static str> {
    rfc3339(text, TimestampRules::Strict).map(|clock| clock.moment)
}

/// The rows of the functions of time, such as `timeadd`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "formatdate",
        params: &[
            ParameterRow::new("format", RowType::String),
            ParameterRow::new("time", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns an RFC 3339 time in another form: `YYYY`, `MM`, `DD`, `hh`, `mm`, `ss`, `EEE`, `ZZZZZ` and \
              the like stand for its parts, text between single quotes for itself.",
        body: FunctionBody::Plain(format_date),
        ..Function::ROW
    },
    Function {
        name: "plantimestamp",
        returns: ReturnType::Shape(RowType::String),
        reads: FunctionReads::PlanClock,
        dialects: Availability::NOT_PACKER.terraform_since(5),
        doc: "Returns the time when the plan is made, as RFC 3339 text.",
        body: FunctionBody::Plain(|args| now(args, "plantimestamp", FunctionReads::PlanClock)),
        ..Function::ROW
    },
    Function {
        name: "timeadd",
        params: &[
            ParameterRow::new("timestamp", RowType::String),
            ParameterRow::new("duration", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::Nothing,
        doc: "Returns an RFC 3339 time moved by a duration such as `1h30m` or `-10s`.",
        body: FunctionBody::Plain(time_add),
        ..Function::ROW
    },
    Function {
        name: "timecmp",
        params: &[
            ParameterRow::new("timestamp_a", RowType::String),
            ParameterRow::new("timestamp_b", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::Number),
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER.terraform_since(3),
        doc: "Returns -1, 0 or 1 as the first RFC 3339 time is before, at or after the second.",
        body: FunctionBody::Plain(time_compare),
        ..Function::ROW
    },
    Function {
        name: "timestamp",
        returns: ReturnType::Shape(RowType::String),
        reads: FunctionReads::Clock,
        doc: "Returns the time when the configuration is applied, as RFC 3339 text.",
        body: FunctionBody::Plain(|args| now(args, "timestamp", FunctionReads::Clock)),
        ..Function::ROW
    },
];

/// Implements the functions that return the current time; unless the time is fixed, the result is unknown with the causes of the
/// function `name`, which reads `reads`.
fn now(args: &CallArgs<'_>, name: &'static str, reads: FunctionReads) -> Result<Value, Failure> {
    Ok(match args.context.now {
        Some(moment) => Value::from(ZonedMoment::utc(moment).text()),
        None => {
            let causes = args.context.site.causes(name, reads);
            Value::refined(Type::String, Refinement::not_null(), causes)
        }
    })
}

/// Parses the argument at `index` as an RFC 3339 time, by strict or lax rules; a malformed one is a failure.
pub(crate) fn time(
    args: &CallArgs<'_>,
    index: usize,
    rules: TimestampRules,
) -> Result<ZonedMoment, Failure> {
    rfc3339(args.text(index), rules).map_err(|why| {
        let shown = args.show(index);
        args.fail(
            index,
            format!("{shown} is not an RFC 3339 time such as \"2024-05-31T08:30:00Z\": {why}."),
        )
    })
}

/// Returns the RFC 3339 text of a YAML scalar that is a date, or a date and a time, in YAML's forms; `None` for others.
pub(crate) fn yaml_time(text: &str) -> Option<String> {
    read::yaml(text).map(|clock| clock.text())
}

/// Implements `timeadd`: returns an RFC 3339 time moved by a duration.
fn time_add(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let time =
        time(args, 0, TimestampRules::Strict).map_err(|failure| Failure::whole(failure.message))?;
    let Some(nanoseconds) = duration(args.text(1)) else {
        let message = Sentence::trusted(format!(
            "{} is not a duration such as \"1h30m\" or \"-10s\", or it is too long.",
            args.show(1)
        ));
        return Err(Failure::whole(message));
    };
    Ok(Value::from(time.plus(nanoseconds).text()))
}

/// Implements `timecmp`: returns -1, 0 or 1 if an RFC 3339 time is before, at or after another.
fn time_compare(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let first = time(args, 0, TimestampRules::Lax)?;
    let second = time(args, 1, TimestampRules::Lax)?;
    Ok(Value::int(first.moment.cmp(&second.moment) as i64))
}

/// Implements `formatdate`: returns an RFC 3339 time in a format such as `YYYY-MM-DD`.
fn format_date(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let time = time(args, 1, TimestampRules::Strict)?;
    let format = args.text(0);
    let mut out = String::with_capacity(format.len() + 16);
    let mut rest: &str = format;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            rest = quoted(&rest[1..], &mut out).ok_or_else(|| {
                args.fail(
                    0,
                    Sentence::trusted(format!(
                        "A single quote in {} is not closed by another.",
                        args.show(0)
                    )),
                )
            })?;
            continue;
        }
        let letter = first.is_ascii_alphabetic();
        let length = rest
            .find(|c: char| if letter { c != first } else { c.is_ascii_alphabetic() || c == '\'' });
        let (run, after) = rest.split_at(length.unwrap_or(rest.len()));
        rest = after;
        match letter {
            true => out.push_str(&part(&time, run).ok_or_else(|| {
                let known = "YY YYYY M MM MMM MMMM D DD EEE EEEE h hh H HH AA aa m mm s ss Z ZZZ ZZZZ ZZZZZ";
                args.fail(0, format!("`{run}` stands for no part of a time; these do: {known}. Put plain text between single quotes."))
            })?),
            false => out.push_str(run),
        }
    }
    Ok(Value::from(out))
}

/// Appends quoted text of a `formatdate` format up to the closing quote to `out` and returns the rest; `None` if no quote closes
/// it. Two adjacent quotes are one quote; at the end of the format the second one closes the text.
fn quoted<'t>(text: &'t str, out: &mut String) -> Option<&'t str> {
    if let Some(rest) = text.strip_prefix('\'') {
        out.push('\'');
        return Some(rest);
    }
    let mut rest = text;
    loop {
        let Some(end) = rest.find('\'') else {
            let after_quote = rest.is_empty() && !text.is_empty();
            return after_quote.then_some(rest);
        };
        out.push_str(&rest[..end]);
        match rest[end + 1..].strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Some(&rest[end + 1..]),
        }
    }
}

/// Returns the text of a time for a run of one letter in a `formatdate` format, such as `YYYY`; `None` for an unknown run.
fn part(time: &ZonedMoment, run: &str) -> Option<String> {
    let CivilTime { year, month, day, hour, minute, second, weekday, .. } = time.civil();
    let month_name = MONTHS[usize::from(month) - 1];
    let weekday = WEEKDAYS[usize::from(weekday)];
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour12 = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    Some(match run {
        "YY" => format!("{:02}", year.rem_euclid(100)),
        "YYYY" => year_text(year),
        "M" => month.to_string(),
        "MM" => format!("{month:02}"),
        "MMM" => month_name[..3].to_owned(),
        "MMMM" => month_name.to_owned(),
        "D" => day.to_string(),
        "DD" => format!("{day:02}"),
        "EEE" => weekday[..3].to_owned(),
        "EEEE" => weekday.to_owned(),
        "h" => hour.to_string(),
        "hh" => format!("{hour:02}"),
        "H" => hour12.to_string(),
        "HH" => format!("{hour12:02}"),
        "AA" => half.to_owned(),
        "aa" => half.to_ascii_lowercase(),
        "m" => minute.to_string(),
        "mm" => format!("{minute:02}"),
        "s" => second.to_string(),
        "ss" => format!("{second:02}"),
        "Z" => zone(time.offset, "Z", ":"),
        "ZZZ" => zone(time.offset, "UTC", ""),
        "ZZZZ" => zone(time.offset, "", ""),
        "ZZZZZ" => zone(time.offset, "", ":"),
        _ => return None,
    })
}
