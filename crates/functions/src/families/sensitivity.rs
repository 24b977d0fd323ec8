//! Functions that set and remove marks. Only the marks of the value itself count; marks of its parts are neither tested nor
//! removed, except by `ephemeralasnull`.

use groma_runtime::Availability;
use groma_value::{Mark, Marks, Type, Value};

use crate::{CallArgs, Failure};
use crate::{
    CallCost, Function, FunctionBody, ParameterRow, ResultFlow, ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `value`, of any type, whose nulls and marks are passed to the function's body.
const VALUE: ParameterRow = ParameterRow::new("value", RowType::Any).nullable().dynamic().marked();

/// The result type of functions that return the type of their argument.
const SAME_TYPE: ReturnType = ReturnType::By(|args| Ok(args.value(0).ty()));

/// The rows of the functions that set, remove or test marks, such as `sensitive`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "ephemeralasnull",
        flow: ResultFlow::Same,
        params: &[VALUE.lazy()],
        returns: SAME_TYPE,
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER.opentofu_since(11).terraform_since(10),
        doc: "Returns the value with null in the place of everything ephemeral.",
        body: FunctionBody::Plain(ephemeralasnull),
        ..Function::ROW
    },
    Function {
        name: "issensitive",
        params: &[VALUE.lazy()],
        returns: ReturnType::Shape(RowType::Bool),
        dialects: Availability::NOT_PACKER.opentofu_since(7).terraform_since(8),
        cost: CallCost::Constant,
        doc: "Returns whether the value itself is sensitive.",
        body: FunctionBody::Plain(issensitive),
        ..Function::ROW
    },
    Function {
        name: "nonsensitive",
        flow: ResultFlow::Same,
        params: &[VALUE.lazy()],
        returns: SAME_TYPE,
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER,
        cost: CallCost::Constant,
        doc: "Returns the value without its sensitive mark: it may be shown.",
        body: FunctionBody::Plain(nonsensitive),
        ..Function::ROW
    },
    Function {
        name: "sensitive",
        flow: ResultFlow::Same,
        params: &[VALUE.lazy()],
        returns: SAME_TYPE,
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER,
        cost: CallCost::Constant,
        doc: "Returns the value with a sensitive mark: it is not to be shown.",
        body: FunctionBody::Plain(|args| Ok(args.value(0).mark(&Marks::sensitive()))),
        ..Function::ROW
    },
];

/// Implements `ephemeralasnull`: returns a value with its ephemeral parts replaced by null.
fn ephemeralasnull(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (bare, marks) = args.value(0).unmark();
    if let Value::Unknown(unknown) = &bare {
        // The value may turn out to be ephemeral and so become null: its refinements are dropped.
        let value = Value::unknown_because(unknown.ty.clone(), unknown.causes.clone());
        return Ok(value.mark(&marks.without(&Mark::Ephemeral)));
    }
    Ok(args.value(0).transform(&mut |value| {
        let (bare, marks) = value.unmark();
        if !marks.contains(&Mark::Ephemeral) {
            return value.clone();
        }
        let rest = marks.without(&Mark::Ephemeral);
        match &bare {
            // The final type is not certain, so this is not a null of the type yet.
            Value::Unknown(unknown) => {
                Value::unknown_because(unknown.ty.clone(), unknown.causes.clone()).mark(&rest)
            }
            other => Value::null(other.ty()).mark(&rest),
        }
    }))
}

/// Implements `issensitive`: returns true if a value itself is marked as sensitive.
fn issensitive(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    let sensitive = value.marks().contains(&Mark::Sensitive);
    if !(value.is_known() || sensitive && args.context.semantics.unknown_sensitivity_known) {
        // The value may turn out sensitive, or the edition does not tell of unknowns that they are.
        return Ok(args.unknown(Type::Bool));
    }
    Ok(Value::Bool(sensitive))
}

/// Implements `nonsensitive`: returns a value without its sensitive mark.
fn nonsensitive(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (bare, marks) = args.value(0).unmark();
    Ok(bare.mark(&marks.without(&Mark::Sensitive)))
}
