//! Functions that only Packer has. Secrets are not requested: their values are unknown here.

use groma_runtime::Availability;
use groma_runtime::Moment;
use groma_value::{Sentence, Str, Type, Value};

use crate::families::time::{
    CivilTime, MONTHS, TimestampRules, WEEKDAYS, ZonedMoment, by_example, by_percent, time,
};
use crate::{CallArgs, Failure};
use crate::{
    Function, FunctionBody, FunctionReads, NameReach, ParameterRow, ResultPromise, ReturnType,
    RowType,
};

/// The result type of functions that return a string.
const TEXT: ReturnType = ReturnType::Shape(RowType::String);

/// The common values of the rows of the functions that only Packer has.
const ROW: Function = Function { dialects: Availability::PACKER, ..Function::ROW };

/// The rows of the functions that only Packer has, such as `vault`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "aws_secretsmanager",
        params: &[
            ParameterRow::new("name", RowType::String),
            ParameterRow::new("key", RowType::String).nullable(),
        ],
        returns: TEXT,
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Network,
        doc: "Returns one value of a secret in AWS Secrets Manager: unknown here.",
        body: FunctionBody::Plain(|args| secret(args, "aws_secretsmanager")),
        ..ROW
    },
    Function {
        name: "aws_secretsmanager_raw",
        params: &[ParameterRow::new("name", RowType::String)],
        returns: TEXT,
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Network,
        doc: "Returns a secret of AWS Secrets Manager as it is: unknown here.",
        body: FunctionBody::Plain(|args| secret(args, "aws_secretsmanager_raw")),
        ..ROW
    },
    Function {
        name: "consul_key",
        params: &[ParameterRow::new("key", RowType::String)],
        returns: TEXT,
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Network,
        doc: "Returns the value of a key in Consul: unknown here.",
        body: FunctionBody::Plain(|args| secret(args, "consul_key")),
        ..ROW
    },
    Function {
        name: "env",
        params: &[ParameterRow::new("name", RowType::String)],
        returns: TEXT,
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Environment,
        reach: NameReach::VariableDefault,
        doc: "Returns an environment variable, or an empty text if it is not set.",
        body: FunctionBody::Plain(env),
        ..ROW
    },
    Function {
        name: "legacy_isotime",
        rest: Some(ParameterRow::new("format", RowType::String)),
        returns: TEXT,
        reads: FunctionReads::PlanClock,
        doc: "Returns the time when the build starts, in UTC, in the form of an example time such \
              as `2006-01-02 15:04:05`; without a format as RFC 3339 text.",
        body: FunctionBody::Plain(|args| legacy(args, "legacy_isotime", by_example)),
        ..ROW
    },
    Function {
        name: "legacy_strftime",
        rest: Some(ParameterRow::new("format", RowType::String)),
        returns: TEXT,
        reads: FunctionReads::PlanClock,
        doc: "Returns the time when the build starts, in UTC, in a form such as `%Y-%m-%d`.",
        body: FunctionBody::Plain(|args| legacy(args, "legacy_strftime", by_percent)),
        ..ROW
    },
    Function {
        name: "rfc3339_parse",
        params: &[ParameterRow::new("timestamp", RowType::String)],
        returns: ReturnType::By(|_| Ok(time_object_type("unix", Type::Number))),
        doc: "Returns the parts of an RFC 3339 time, at its own offset from UTC.",
        body: FunctionBody::Plain(|args| {
            let clock = time(args, 0, TimestampRules::Blank)?;
            Ok(time_object(&clock, "unix", Value::int(clock.moment.seconds)))
        }),
        ..ROW
    },
    Function {
        name: "unix_timestamp_parse",
        params: &[ParameterRow::new("unix_timestamp", RowType::Number)],
        returns: ReturnType::By(|_| Ok(time_object_type("rfc3339", Type::String))),
        doc: "Returns the parts of a time given in seconds since 1970, in UTC.",
        body: FunctionBody::Plain(unix_timestamp_parse),
        ..ROW
    },
    Function {
        name: "vault",
        params: &[
            ParameterRow::new("path", RowType::String),
            ParameterRow::new("key", RowType::String),
        ],
        returns: TEXT,
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Network,
        doc: "Returns the value of a key of a secret in Vault: unknown here.",
        body: FunctionBody::Plain(|args| secret(args, "vault")),
        ..ROW
    },
];

/// Implements the functions that read a secret store: an unknown string, unless a mock gives the value.
fn secret(args: &CallArgs<'_>, name: &'static str) -> Result<Value, Failure> {
    if let Some(mocked) = args.context.site.mocked(name, args.all()) {
        return Ok(mocked);
    }
    let causes = args.context.site.causes(name, FunctionReads::Network);
    Ok(Value::unknown_because(Type::String, causes))
}

/// Implements `env`: the value of an environment variable, unknown if the host hides its environment.
fn env(args: &CallArgs<'_>) -> Result<Value, Failure> {
    if args.context.host.hides_environment() {
        let causes = args.context.site.causes("env", FunctionReads::Environment);
        return Ok(Value::unknown_because(Type::String, causes));
    }
    Ok(Value::from(args.context.host.env(args.text(0)).unwrap_or_default()))
}

/// Implements `legacy_isotime` and `legacy_strftime`: the fixed time, formatted by `write` with the first argument; unknown
/// without a fixed time.
fn legacy(
    args: &CallArgs<'_>,
    name: &'static str,
    write: fn(&ZonedMoment, &str) -> String,
) -> Result<Value, Failure> {
    if args.len() > 1 {
        let message = format!("`{name}` takes one format or none, {} are given.", args.len());
        return Err(Failure::whole(message));
    }
    let Some(now) = args.context.now else {
        let causes = args.context.site.causes(name, FunctionReads::PlanClock);
        return Ok(Value::unknown_because(Type::String, causes));
    };
    let clock = ZonedMoment::utc(now);
    Ok(Value::from(match args.is_empty() {
        true => clock.text(),
        false => write(&clock, args.text(0)),
    }))
}

/// A function that returns a numeric field of a calendar time, such as the day.
type TimeField = fn(&CivilTime) -> i64;

/// The numeric fields of Packer's time objects, each with the function that computes it.
const NUMBER_FIELDS: [(&str, TimeField); 10] = [
    ("day", |c| i64::from(c.day)),
    ("hour", |c| i64::from(c.hour)),
    ("iso_week", |c| c.iso_week().1),
    ("iso_year", |c| c.iso_week().0),
    ("minute", |c| i64::from(c.minute)),
    ("month", |c| i64::from(c.month)),
    ("second", |c| i64::from(c.second)),
    ("weekday", |c| i64::from(c.weekday)),
    ("year", |c| c.year),
    ("year_day", |c| i64::from(c.year_day)),
];
/// The string fields of Packer's time objects: the names of month and weekday.
const NAME_FIELDS: [&str; 2] = ["month_name", "weekday_name"];

/// Returns the type of Packer's time objects with a further attribute `other` of type `ty`.
fn time_object_type(other: &'static str, ty: Type) -> Type {
    let numbers = NUMBER_FIELDS.iter().map(|(name, _)| (Str::from_static(name), Type::Number));
    let names = NAME_FIELDS.iter().map(|name| (Str::from_static(name), Type::String));
    Type::object(numbers.chain(names).chain([(Str::from_static(other), ty)]))
}

/// Returns Packer's time object for a time, with a further attribute `other`.
fn time_object(clock: &ZonedMoment, other: &'static str, value: Value) -> Value {
    let civil = clock.civil();
    let numbers = NUMBER_FIELDS.iter().map(|(name, part)| (*name, Value::int(part(&civil))));
    let names = [
        ("month_name", Value::text(MONTHS[usize::from(civil.month) - 1])),
        ("weekday_name", Value::text(WEEKDAYS[usize::from(civil.weekday)])),
        (other, value),
    ];
    Value::object(numbers.chain(names).map(|(name, value)| (Str::from_static(name), value)))
}

/// Implements `unix_timestamp_parse`: the time object for a number of seconds since 1970.
fn unix_timestamp_parse(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let Some(seconds) = args.number(0).to_exact_i64() else {
        let message = Sentence::trusted(format!(
            "A whole number of seconds is required, of at most 64 bits, not {}.",
            args.show(0)
        ));
        return Err(args.fail(0, message));
    };
    let clock = ZonedMoment::utc(Moment { seconds, nanoseconds: 0 });
    Ok(time_object(&clock, "rfc3339", Value::from(clock.text())))
}
