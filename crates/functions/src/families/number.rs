//! Functions of numbers. `log` and `pow` use 64-bit floats; all others keep all digits.

use groma_runtime::Availability;
use groma_value::sentence::type_in_words;
use groma_value::{Number, Sentence, Type, Value, convert};

use super::float;
use crate::{CallArgs, Failure};
use crate::{CallCost, Function, FunctionBody, ParameterRow, ReturnType, RowType};

/// Returns the row of a parameter of this name whose type is number.
const fn number(name: &'static str) -> ParameterRow {
    ParameterRow::new(name, RowType::Number)
}

/// The result type of functions that return a number.
const NUMBER: ReturnType = ReturnType::Shape(RowType::Number);

/// The rows of the functions of numbers, such as `abs`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "abs",
        params: &[number("number").drops_pending_marks(Availability::NOT_PACKER)],
        returns: NUMBER,
        doc: "Returns the number without its sign.",
        body: FunctionBody::Plain(|args| Ok(args.number(0).absolute().into())),
        ..Function::ROW
    },
    Function {
        name: "ceil",
        params: &[number("number")],
        returns: NUMBER,
        doc: "Returns the smallest whole number that is not below the number.",
        body: FunctionBody::Plain(|args| Ok(args.number(0).ceiling().into())),
        ..Function::ROW
    },
    Function {
        name: "floor",
        params: &[number("number")],
        returns: NUMBER,
        doc: "Returns the largest whole number that is not above the number.",
        body: FunctionBody::Plain(|args| Ok(args.number(0).floor().into())),
        ..Function::ROW
    },
    Function {
        name: "log",
        params: &[number("number"), number("base")],
        returns: NUMBER,
        doc: "Returns the logarithm of the number, as a 64-bit float.",
        body: FunctionBody::Plain(log),
        ..Function::ROW
    },
    Function {
        name: "max",
        rest: Some(number("numbers")),
        returns: NUMBER,
        doc: "Returns the largest of the numbers; of equal ones the first.",
        body: FunctionBody::Plain(|args| extreme(args, std::cmp::Ordering::Greater)),
        ..Function::ROW
    },
    Function {
        name: "min",
        rest: Some(number("numbers")),
        returns: NUMBER,
        doc: "Returns the smallest of the numbers; of equal ones the first.",
        body: FunctionBody::Plain(|args| extreme(args, std::cmp::Ordering::Less)),
        ..Function::ROW
    },
    Function {
        name: "parseint",
        params: &[ParameterRow::new("string", RowType::Any), number("base")],
        returns: ReturnType::By(parseint_type),
        cost: CallCost::Input,
        doc: "Returns the whole number that the text spells in the base, 2 to 62.",
        body: FunctionBody::Plain(parseint),
        ..Function::ROW
    },
    Function {
        name: "pow",
        params: &[number("number"), number("power")],
        returns: NUMBER,
        doc: "Returns the number raised to the power, as a 64-bit float.",
        body: FunctionBody::Plain(pow),
        ..Function::ROW
    },
    Function {
        name: "signum",
        params: &[number("number")],
        returns: NUMBER,
        doc: "Returns -1, 0 or 1: the sign of a whole number.",
        body: FunctionBody::Plain(signum),
        ..Function::ROW
    },
    Function {
        name: "sum",
        params: &[ParameterRow::new("numbers", RowType::Any)],
        returns: NUMBER,
        cost: CallCost::Input,
        doc: "Returns the sum of the elements of a list, set or tuple of numbers.",
        body: FunctionBody::Plain(sum),
        ..Function::ROW
    },
];

/// Returns the number at the argument `index` as a 64-bit float; fails if a finite number is too large.
fn as_float(args: &CallArgs<'_>, index: usize) -> Result<f64, Failure> {
    let number = args.number(index);
    let float = number.to_f64();
    if float.is_finite() || number.is_infinite() {
        return Ok(float);
    }
    let name = args.param_name(index);
    let message = Sentence::trusted(format!(
        "The {name} is too large: {} is beyond a 64-bit float.",
        args.show(index)
    ));
    Err(Failure::whole(message))
}

/// Returns the floating-point result of a function as a value; fails for NaN.
fn from_float(args: &CallArgs<'_>, result: f64) -> Result<Value, Failure> {
    Number::from_f64(result).map(Value::from).ok_or_else(|| {
        let (left, right) = (args.show(0), args.show(1));
        Failure::whole(Sentence::trusted(format!(
            "There is no such number for {left} and {right}."
        )))
    })
}

/// Implements `log`: returns the logarithm of a number to a base, as a 64-bit float.
fn log(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (number, base) = (as_float(args, 0)?, as_float(args, 1)?);
    from_float(args, float::ln(number) / float::ln(base))
}

/// Implements `pow`: returns a number raised to a power, as a 64-bit float.
fn pow(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (number, power) = (as_float(args, 0)?, as_float(args, 1)?);
    from_float(args, float::pow(number, power))
}

/// Implements `min` and `max`: returns the least argument, or the greatest if `better` is `Greater`.
fn extreme(args: &CallArgs<'_>, better: std::cmp::Ordering) -> Result<Value, Failure> {
    let mut best: Option<Number> = None;
    for index in 0..args.len() {
        let number = args.number(index);
        if best.as_ref().is_none_or(|best| number.compare(best) == better) {
            best = Some(number);
        }
    }
    best.map(Value::from).ok_or_else(|| {
        Failure::whole("Give at least one number; a list is spread over the arguments with `...`.")
    })
}

/// Returns the result type of `parseint`, a number; fails if the first argument is not a string.
fn parseint_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match args.value(0).ty() {
        Type::String => Ok(Type::Number),
        other => {
            let message =
                Sentence::trusted(format!("A string is required, not {}.", type_in_words(&other)));
            Err(args.fail(0, message))
        }
    }
}

/// Implements `parseint`: returns the whole number that a text spells in a base.
fn parseint(args: &CallArgs<'_>) -> Result<Value, Failure> {
    parseint_type(args)?;
    let base = args.number(1).to_exact_i64().and_then(|base| u32::try_from(base).ok());
    let Some(base) = base.filter(|base| (2..=62).contains(base)) else {
        let message = Sentence::trusted(format!(
            "The base must be a whole number from 2 to 62, not {}.",
            args.show(1)
        ));
        return Err(args.fail(1, message));
    };
    // The time for a long number grows nearly with the square of its digits, all of which are kept.
    let words = args.text(0).len() / 64;
    args.charge_steps(words.saturating_mul(words) / 16)?;
    args.charge_bytes(args.text(0).len().saturating_mul(16))?;
    Number::parse_radix(args.text(0), base).map(Value::from).ok_or_else(|| {
        let message = Sentence::trusted(format!(
            "{} is not a whole number in base {}.",
            args.show(0),
            args.show(1)
        ));
        args.fail(0, message)
    })
}

/// Implements `signum`: returns the sign of a whole number: -1, 0 or 1.
fn signum(args: &CallArgs<'_>) -> Result<Value, Failure> {
    match args.number(0).to_exact_i64() {
        Some(number) => Ok(Value::int(number.signum())),
        None => {
            let message = Sentence::trusted(format!(
                "A whole number of at most 64 bits is required, not {}.",
                args.show(0)
            ));
            Err(Failure::whole(message))
        }
    }
}

/// Implements `sum`: returns the sum of a collection of numbers.
fn sum(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let given = args.value(0);
    let Some(items) = crate::call::argument::items(given) else {
        let message = Sentence::trusted(format!(
            "A list, set or tuple of numbers is required, not {}.",
            type_in_words(&given.ty())
        ));
        return Err(args.fail(0, message));
    };
    if items.is_empty() {
        return Err(args.fail(0, "The sum of nothing has no value; give at least one number."));
    }
    if !given.is_wholly_known() {
        return Ok(args.unknown(Type::Number));
    }
    let mut total: Option<Number> = None;
    for item in items {
        let number = convert(item, &Type::Number).ok().and_then(|number| number.as_number());
        let Some(number) = number else {
            let message = Sentence::trusted(format!(
                "Every element must be a number, but {} is not.",
                args.show_part(0, item)
            ));
            return Err(args.fail(0, message));
        };
        total = Some(match total {
            None => number,
            Some(total) => total.add(&number).map_err(|_| {
                Failure::whole("The sum of infinity and negative infinity is not a number.")
            })?,
        });
    }
    Ok(total.map_or(Value::NULL, Value::from))
}
