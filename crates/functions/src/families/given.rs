//! Functions for the declared inputs of batch evaluation: they state what is certain of an unknown value, so that expressions
//! can be evaluated for it. Known values are returned unchanged.

use groma_value::sentence::type_in_words;
use groma_value::{Length, NumberBound, Refinement, Sentence, Str, Type, Unknown, Value};

use crate::{CallArgs, Failure};
use crate::{Function, FunctionBody, NameReach, ParameterRow, ResultPromise, ReturnType, RowType};

/// The row of the parameter `value`, the value to refine; nulls, unknowns and marks are passed to the function's body.
const VALUE: ParameterRow =
    ParameterRow::new("value", RowType::Any).nullable().lazy().dynamic().marked();

/// The common values of the rows of the functions, such as `with_prefix`, that only declared inputs (givens) of pages and batch
/// mode may call.
const ROW: Function = Function {
    returns: ReturnType::By(|args| Ok(args.value(0).ty())),
    promise: ResultPromise::Nothing,
    reach: NameReach::Given,
    ..Function::ROW
};

/// The rows of the functions, such as `with_prefix`, that refine an unknown in the declared inputs (givens) of a page or of batch
/// mode, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "not_null",
        params: &[VALUE],
        doc: "Returns the unknown value, certain not to be null.",
        body: FunctionBody::Plain(not_null),
        ..ROW
    },
    Function {
        name: "with_length",
        params: &[
            VALUE,
            ParameterRow::new("low", RowType::Number),
            ParameterRow::new("high", RowType::Number),
        ],
        doc: "Returns the unknown collection, certain to have so many elements; both bounds count.",
        body: FunctionBody::Plain(with_length),
        ..ROW
    },
    Function {
        name: "with_prefix",
        params: &[VALUE, ParameterRow::new("prefix", RowType::String)],
        doc: "Returns the unknown text, certain to start so.",
        body: FunctionBody::Plain(with_prefix),
        ..ROW
    },
    Function {
        name: "with_range",
        params: &[
            VALUE,
            ParameterRow::new("low", RowType::Number),
            ParameterRow::new("high", RowType::Number),
        ],
        doc: "Returns the unknown number, certain to lie between the bounds; both count.",
        body: FunctionBody::Plain(with_range),
        ..ROW
    },
];

/// Returns the first argument: if known, unchanged; if unknown, with the refinement that `add` computes, or a failure if `fits`
/// is false for its type, with a message that requires an unknown `what`, such as "collection".
fn refine(
    args: &CallArgs<'_>,
    what: &str,
    fits: fn(&Type) -> bool,
    add: impl FnOnce(&Unknown) -> Result<Refinement, Failure>,
) -> Result<Value, Failure> {
    let (bare, marks) = args.value(0).unmark();
    let Value::Unknown(unknown) = &bare else {
        return match bare.is_null() {
            true => Err(args.fail(0, "The value is null already.")),
            false => Ok(args.value(0).clone()),
        };
    };
    if !fits(&unknown.ty) {
        let ty = type_in_words(&unknown.ty);
        return Err(args.fail(0, format!("An unknown {what} is required, not {ty}.")));
    }
    let refinement = add(unknown)?;
    Ok(Value::refined(unknown.ty.clone(), refinement, unknown.causes.clone()).mark(&marks))
}

/// Implements `not_null`: refines an unknown to be not null.
fn not_null(args: &CallArgs<'_>) -> Result<Value, Failure> {
    refine(
        args,
        "value",
        |_| true,
        |unknown| Ok(Refinement { not_null: true, ..unknown.refinement.clone() }),
    )
}

/// Implements `with_prefix`: refines an unknown string to have a prefix.
fn with_prefix(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix: Str = args.text(1).clone();
    refine(
        args,
        "text",
        |ty| *ty == Type::String,
        |unknown| Ok(Refinement { not_null: true, prefix, ..unknown.refinement.clone() }),
    )
}

/// Implements `with_length`: refines an unknown collection to have a minimum and a maximum length.
fn with_length(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let bound = |index: usize| {
        args.number(index).to_exact_usize().ok_or_else(|| {
            let shown = args.show(index);
            args.fail(
                index,
                format!("A length must be a whole number that is not negative, not {shown}."),
            )
        })
    };
    let (low, high) = (bound(1)?, bound(2)?);
    if low > high {
        return Err(
            args.fail(1, format!("The low bound {low} must not be above the high one, {high}."))
        );
    }
    refine(args, "collection", Type::is_collection, |unknown| {
        let length = Some(Length { low, high: Some(high) });
        Ok(Refinement { not_null: true, length, ..unknown.refinement.clone() })
    })
}

/// Implements `with_range`: refines an unknown number to have a lower and an upper bound.
fn with_range(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (low, high) = (args.number(1), args.number(2));
    if low.compare(&high).is_gt() {
        let (low, high) = (args.show(1), args.show(2));
        return Err(args.fail(
            1,
            Sentence::trusted(format!(
                "The low bound {low} must not be above the high one, {high}."
            )),
        ));
    }
    let bound = |number| Some(NumberBound { number, inclusive: true });
    refine(
        args,
        "number",
        |ty| *ty == Type::Number,
        |unknown| {
            let (low, high) = (bound(low), bound(high));
            Ok(Refinement { not_null: true, low, high, ..unknown.refinement.clone() })
        },
    )
}
