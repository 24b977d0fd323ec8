//! `assume…`: functions with which an author states what is certain of an unknown value. A known value that agrees is returned
//! unchanged; one that does not is an error. Only `assumenotnull` implies that a value is not null.

use groma_runtime::Availability;
use groma_value::sentence::{plural, type_in_words};
use groma_value::{
    Length, Mark, Marks, Path, Refinement, Sentence, Str, Type, Value, convert, ops,
};

use crate::call::argument::items;
use crate::call::null_argument;
use crate::{CallArgs, Failure};
use crate::{CallCost, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType};

/// The row type that accepts any value.
const ANY: RowType = RowType::Any;
/// The row type of lists with elements of any type.
const LIST: RowType = RowType::List(&ANY);
/// The row type of maps with elements of any type.
const MAP: RowType = RowType::Map(&ANY);
/// The row type of sets with elements of any type.
const SET: RowType = RowType::Set(&ANY);

/// The row of the parameter `min_length`, a number.
const MIN: ParameterRow = ParameterRow::new("min_length", RowType::Number);
/// The row of the parameter `max_length`, a number.
const MAX: ParameterRow = ParameterRow::new("max_length", RowType::Number);

/// Returns the row of the parameter `value` of a type; nulls and unknowns are passed to the function's body.
const fn value(shape: RowType) -> ParameterRow {
    ParameterRow::new("value", shape).nullable().lazy().dynamic()
}

/// The common values of the rows of the `assume…` functions.
const ROW: Function = Function {
    promise: ResultPromise::Nothing,
    cost: CallCost::Constant,
    dialects: Availability::OPENTOFU.opentofu_since(13),
    ..Function::ROW
};

/// The body of `assume…length` functions whose second and third argument are the bounds of the length.
const BETWEEN: FunctionBody = FunctionBody::Plain(|args| with_length(args, Some(1), Some(2)));
/// The body of `assume…lengthmin` functions, whose second argument is the minimum length.
const AT_LEAST: FunctionBody = FunctionBody::Plain(|args| with_length(args, Some(1), None));
/// The body of `assume…lengthmax` functions, whose second argument is the maximum length.
const AT_MOST: FunctionBody = FunctionBody::Plain(|args| with_length(args, None, Some(1)));

/// The rows of the `assume…` functions, with which code asserts what is certain of unknown values, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "assumeequal",
        params: &[
            ParameterRow::new("actual_value", ANY).nullable().lazy().dynamic().marked(),
            ParameterRow::new("expected_value", ANY).nullable().lazy().dynamic().marked(),
        ],
        returns: ReturnType::By(|args| Ok(args.value(1).ty())),
        cost: CallCost::Input,
        doc: "Returns the expected value, which the actual one is promised to equal once it is known.",
        body: FunctionBody::Plain(equal),
        ..ROW
    },
    Function {
        name: "assumelistlength",
        params: &[value(LIST), MIN, MAX],
        returns: ReturnType::Shape(LIST),
        doc: "Returns the list, which is promised to have at least and at most so many elements.",
        body: BETWEEN,
        ..ROW
    },
    Function {
        name: "assumelistlengthmax",
        params: &[value(LIST), MAX],
        returns: ReturnType::Shape(LIST),
        doc: "Returns the list, which is promised to have at most so many elements.",
        body: AT_MOST,
        ..ROW
    },
    Function {
        name: "assumelistlengthmin",
        params: &[value(LIST), MIN],
        returns: ReturnType::Shape(LIST),
        doc: "Returns the list, which is promised to have at least so many elements.",
        body: AT_LEAST,
        ..ROW
    },
    Function {
        name: "assumemaplength",
        params: &[value(MAP), MIN, MAX],
        returns: ReturnType::Shape(MAP),
        doc: "Returns the map, which is promised to have at least and at most so many elements.",
        body: BETWEEN,
        ..ROW
    },
    Function {
        name: "assumemaplengthmax",
        params: &[value(MAP), MAX],
        returns: ReturnType::Shape(MAP),
        doc: "Returns the map, which is promised to have at most so many elements.",
        body: AT_MOST,
        ..ROW
    },
    Function {
        name: "assumemaplengthmin",
        params: &[value(MAP), MIN],
        returns: ReturnType::Shape(MAP),
        doc: "Returns the map, which is promised to have at least so many elements.",
        body: AT_LEAST,
        ..ROW
    },
    Function {
        name: "assumenotnull",
        params: &[value(ANY)],
        returns: ReturnType::By(|args| Ok(args.value(0).ty())),
        doc: "Returns the value, which is promised not to be null.",
        body: FunctionBody::Plain(not_null),
        ..ROW
    },
    Function {
        name: "assumesetlength",
        params: &[value(SET), MIN, MAX],
        returns: ReturnType::Shape(SET),
        doc: "Returns the set, which is promised to have at least and at most so many elements.",
        body: BETWEEN,
        ..ROW
    },
    Function {
        name: "assumesetlengthmax",
        params: &[value(SET), MAX],
        returns: ReturnType::Shape(SET),
        doc: "Returns the set, which is promised to have at most so many elements.",
        body: AT_MOST,
        ..ROW
    },
    Function {
        name: "assumesetlengthmin",
        params: &[value(SET), MIN],
        returns: ReturnType::Shape(SET),
        doc: "Returns the set, which is promised to have at least so many elements.",
        body: AT_LEAST,
        ..ROW
    },
    Function {
        name: "assumestringprefix",
        params: &[value(RowType::String), ParameterRow::new("prefix", RowType::String)],
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns the text, which is promised to start so unless it is null.",
        body: FunctionBody::Plain(prefix),
        ..ROW
    },
];

/// Implements `assumeequal`: returns the expected (second) argument, and fails if the actual (first) one certainly differs.
fn equal(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (actual, expected) = (args.value(0), args.value(1));
    let Ok(converted) = convert(actual, &expected.ty()) else {
        let (is, wanted) = (type_in_words(&actual.ty()), type_in_words(&expected.ty()));
        let message = format!(
            "This is {is}; it does not become {wanted}, which is what it was promised to equal."
        );
        return Err(args.fail(0, Sentence::trusted(message)));
    };
    if matches!(ops::equal(&converted, expected).bare(), Value::Bool(false)) {
        let wanted = args.show(1);
        let message = match actual.is_wholly_known() {
            true => format!("This was promised to equal {wanted}, and is {}.", args.show(0)),
            false => {
                format!("This was promised to equal {wanted}, and as far as it is known it cannot.")
            }
        };
        return Err(args.fail(0, Sentence::trusted(message)));
    }
    // The result has the secrecy of the expected value; other marks of the actual value are kept.
    let (_, marks) = converted.unmark_deep_paths();
    let kept = marks
        .into_iter()
        .map(|(path, marks)| (path, marks.without(&Mark::Sensitive).without(&Mark::Ephemeral)));
    let kept: Vec<(Path, Marks)> = kept.filter(|(_, marks)| !marks.is_empty()).collect();
    Ok(if kept.is_empty() { expected.clone() } else { expected.mark_paths(&kept) })
}

/// Implements `assumenotnull`: refines an unknown to be not null, and fails for null.
fn not_null(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    match value {
        Value::Unknown(unknown)
            if unknown.ty == Type::Dynamic
                && !args.context.site.is_known_elsewhere(&unknown.causes) =>
        {
            let message = "Nothing can be assumed of a value whose type is unknown. Give it a type first: \
                           `assumenotnull(convert(…, string))`.";
            Err(args.fail(0, message))
        }
        Value::Null(_) => Err(null_argument(0, "value")),
        _ => Ok(value.refine_not_null()),
    }
}

/// Implements `assumestringprefix`: refines an unknown string to have a prefix, and fails if it certainly does not have it.
fn prefix(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let unicode = args.context.semantics.unicode;
    let certain = Refinement::certain_prefix(args.text(1), unicode);
    let agrees = |start: &str| start.starts_with(certain) || certain.starts_with(start);
    match args.value(0) {
        // Compat: a text shorter than the prefix is accepted if it is the beginning of that.
        Value::String(text) if !agrees(text) => {
            let (is, wanted) = (args.show(0), args.show(1));
            let message = format!("This was promised to start with {wanted}, and is {is}.");
            Err(args.fail(0, Sentence::trusted(message)))
        }
        Value::Unknown(unknown) => {
            let known = &unknown.refinement.prefix;
            if !agrees(known) {
                let message = format!(
                    "The text starts with \"{}\", so it does not start with {}.",
                    known.escape_debug(),
                    args.show(1)
                );
                return Err(args.fail(0, message));
            }
            let prefix =
                if known.len() < certain.len() { Str::from(certain) } else { known.clone() };
            let refinement = Refinement { prefix, ..unknown.refinement.clone() };
            Ok(Value::refined(Type::String, refinement, unknown.causes.clone()))
        }
        value => Ok(value.clone()),
    }
}

/// Returns the bound of a length that the argument at an index gives, possibly a negative one; `None` without an index. Fails for
/// a fraction and for the greatest `i64` and beyond.
fn bound(args: &CallArgs<'_>, at: Option<usize>) -> Result<Option<i64>, Failure> {
    let Some(at) = at else { return Ok(None) };
    // The largest `i64` would mean that there is no bound, so it is refused.
    match args.number(at).to_exact_i64().filter(|bound| *bound < i64::MAX) {
        Some(bound) => Ok(Some(bound)),
        None => {
            let shown = args.show(at);
            let message =
                format!("A length is a whole number from 0 to {}, not {shown}.", i64::MAX - 1);
            // Compat: an invalid single bound is reported at the value.
            let blamed = if args.len() == 2 { 0 } else { at };
            Err(args.fail(blamed, Sentence::trusted(message)))
        }
    }
}

/// Returns the least and the greatest possible length of a collection that is not null.
fn length(value: &Value) -> Length {
    if let Value::Unknown(unknown) = value {
        return unknown.refinement.length.unwrap_or(Length { low: 0, high: None });
    }
    let count = match value {
        Value::Map(map) => map.entries().len(),
        other => items(other).map_or(0, <[Value]>::len),
    };
    // Unknown elements of a set may turn out to be equal.
    let may_join = matches!(value, Value::Set(_)) && !value.is_wholly_known();
    Length { low: if may_join { count.min(1) } else { count }, high: Some(count) }
}

/// Refines an unknown collection to a length between the arguments at the indexes `low` and `high`, where `None` sets no bound;
/// fails for a collection that cannot have it.
fn with_length(
    args: &CallArgs<'_>,
    low: Option<usize>,
    high: Option<usize>,
) -> Result<Value, Failure> {
    let (low, high) = (bound(args, low)?, bound(args, high)?);
    let value = args.value(0);
    if value.is_null() {
        return Err(null_argument(0, "value"));
    }
    let is = length(value);
    // A minimum that is not positive excludes no length.
    let low = low.map_or(0, |low| usize::try_from(low.max(0)).unwrap_or(usize::MAX));
    if let Some(high) = high.filter(|high| *high < 0) {
        return Err(args.fail(0, format!("No length is at most {high}, as was promised.")));
    }
    let high = high.map(|high| usize::try_from(high.max(0)).unwrap_or(usize::MAX));
    let narrowed = Length {
        low: is.low.max(low),
        high: match (is.high, high) {
            (Some(is), Some(high)) => Some(is.min(high)),
            (is, high) => is.or(high),
        },
    };
    if narrowed.high.is_some_and(|high| high < narrowed.low) {
        return Err(args.fail(0, length_error(is, low, high)));
    }
    match value {
        Value::Unknown(unknown) => {
            let refinement = Refinement { length: Some(narrowed), ..unknown.refinement.clone() };
            Ok(Value::refined(unknown.ty.clone(), refinement, unknown.causes.clone()))
        }
        known => Ok(known.clone()),
    }
}

/// Returns the error message of an `assume…length` function for a collection that cannot have a length from `low` to `high`;
/// `actual` holds the bounds of its length.
fn length_error(actual: Length, low: usize, high: Option<usize>) -> Sentence {
    let promised = match (low, high) {
        (0, Some(high)) => format!("at most {high}"),
        (low, None) => format!("at least {low}"),
        (low, Some(high)) => format!("{low} to {high}"),
    };
    let has = match actual {
        Length { low: 0, high: None } => {
            let message = format!("A length of {promised} was promised, which nothing has.");
            return Sentence::trusted(message);
        }
        Length { low, high: Some(high) } if low == high => plural(low, "element"),
        Length { low, high: Some(high) } => format!("{low} to {high} elements"),
        Length { low, high: None } => format!("at least {}", plural(low, "element")),
    };
    Sentence::trusted(format!("The value has {has}; promised was {promised}."))
}
