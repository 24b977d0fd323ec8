//! Calls of functions. The number of arguments, conversions, nulls, unknowns and marks are handled here, so a body sees only
//! what its parameter rows pass on. The order is that of the reference programs: a wrong count hides all other errors, failed
//! conversions are reported together, of nulls only the first, and an argument of unknown type ends the call before later nulls
//! count.

pub(crate) mod argument;
pub(crate) mod charge;
mod context;
mod describe;
mod failure;
mod flow;
mod function;

use std::borrow::Cow;

use groma_value::sentence::plural;
use groma_value::{Marks, Mismatch, Path, Sentence, Type, Value, convert, print};

use self::argument::{causes, hides};

pub use self::argument::CallArgs;
pub use self::context::{CallContext, CauseSite, NoCauses};
pub use self::failure::{Failure, FailureKind};
pub use self::flow::ResultFlow;
pub use self::function::{
    CallCost, Function, FunctionBody, FunctionReads, NameReach, ParameterRow, ResultPromise,
    ReturnType, RowType, SpecialForm,
};

/// Calls a function with evaluated arguments and returns its result, or why it failed. Several failures are returned only if
/// several arguments do not convert.
pub fn call(
    function: &Function,
    args: &[Value],
    context: &CallContext<'_>,
) -> Result<Value, Vec<Failure>> {
    let FunctionBody::Plain(body) = function.body else {
        let message = format!("`{}` is not a function of values.", function.name);
        return Err(vec![Failure::whole(Sentence::trusted(message))]);
    };
    call_with(function, args, context, &body)
}

/// Calls a function with `body` in place of its own implementation; its parameter rows still prepare the arguments.
pub fn call_with(
    function: &Function,
    args: &[Value],
    context: &CallContext<'_>,
    body: &dyn Fn(&CallArgs<'_>) -> Result<Value, Failure>,
) -> Result<Value, Vec<Failure>> {
    check_count(function, args.len()).map_err(|failure| vec![failure])?;
    charge::arguments(function, args, context).map_err(|failure| vec![failure])?;
    if is_plain(function, args) {
        let seen = CallArgs { function, values: args, given: args, context };
        let result = body(&seen).map_err(|failure| vec![failure.shown(context.hidden)])?;
        return Ok(keep_promise(function.promise, result, context));
    }
    let given = convert_all(function, args, context)?;
    // A body sees its arguments without marks, so its message is withheld here if they must not be shown.
    let told = |failure: Failure| failure.shown(context.hidden || args.iter().any(hides));
    run(function, &given, context, body).map_err(|failure| vec![told(failure)])
}

/// Returns true if the arguments need no preparation: they have the types of the parameters and are known, not null and unmarked.
fn is_plain(function: &Function, args: &[Value]) -> bool {
    args.iter().enumerate().all(|(index, arg)| {
        !matches!(arg, Value::Null(_) | Value::Unknown(_))
            && !arg.has_marks()
            && function.param(index).is_some_and(|param| already_is(param.shape, arg))
    })
}

/// Fails if `count` arguments are too few or too many for a function.
pub fn check_count(function: &Function, count: usize) -> Result<(), Failure> {
    let wanted = function.params.len();
    if count == wanted || count > wanted && function.rest.is_some() {
        return Ok(());
    }
    let at_least = if function.rest.is_some() { "at least " } else { "" };
    let how = function.signature();
    let (argument, message) = if count < wanted {
        let missing: Vec<&str> = function.params[count..].iter().map(|p| p.name).collect();
        let are = if missing.len() == 1 { "is" } else { "are" };
        let missing = missing.join("\" and \"");
        let wanted = plural(wanted, "argument");
        (None, format!("`{how}` takes {at_least}{wanted}; \"{missing}\" {are} missing."))
    } else {
        let wanted = match wanted {
            0 => "no arguments".to_owned(),
            wanted => plural(wanted, "argument"),
        };
        let are = if count == 1 { "is" } else { "are" };
        (Some(function.params.len()), format!("`{how}` takes {wanted}, but {count} {are} given."))
    };
    let message = Sentence::trusted(message);
    Err(Failure { argument, kind: FailureKind::Arity, message, path: Default::default() })
}

/// Converts each argument to the type of its parameter; the error has a failure for each one that does not convert.
fn convert_all<'v>(
    function: &Function,
    args: &'v [Value],
    context: &CallContext<'_>,
) -> Result<Cow<'v, [Value]>, Vec<Failure>> {
    let mut converted: Cow<'v, [Value]> = Cow::Borrowed(args);
    let mut failures = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        let Some(param) = function.param(index) else { continue };
        if already_is(param.shape, arg.bare()) {
            continue;
        }
        charge::rebuilt_argument(arg, context).map_err(|failure| vec![failure])?;
        match unordered_error(param.shape, arg.bare()).map_or_else(
            || convert(arg, &param.shape.to_type()),
            |message| Err(Mismatch { path: Path::default(), message }),
        ) {
            Ok(value) => converted.to_mut()[index] = value,
            // The conversion respects marks, but not that an unmarked argument may come from a sensitive collection.
            Err(mismatch) => {
                failures.push(Failure::mismatch(index, param.name, mismatch).shown(context.hidden));
            }
        }
        // One more than the maximum reported, which shows that there are more.
        if failures.len() > context.limits.findings {
            break;
        }
    }
    if failures.is_empty() { Ok(converted) } else { Err(failures) }
}

/// Returns the error message for a set with unknown elements as the argument of a list parameter with another element type, which
/// the reference programs refuse; `None` for other arguments.
fn unordered_error(shape: RowType, value: &Value) -> Option<String> {
    let (RowType::List(element), Value::Set(set)) = (shape, value) else { return None };
    let other = !matches!(element, RowType::Any) && *set.element() != element.to_type();
    (other && set.items().len() > 1 && !value.is_wholly_known()).then(|| {
        let from = print::with_article(&value.ty());
        format!(
            "{from} that holds something unknown does not become a list of another type; convert \
             its elements first"
        )
    })
}

/// Returns true if a value already has the type of a parameter; compared without building types.
fn already_is(shape: RowType, value: &Value) -> bool {
    match (shape, value) {
        (RowType::Any, _)
        | (RowType::Bool, Value::Bool(_))
        | (RowType::Number, Value::Decimal(_) | Value::Real(_))
        | (RowType::String, Value::String(_)) => true,
        (RowType::List(element), Value::List(list)) => is_type(*element, list.element()),
        (RowType::Set(element), Value::Set(set)) => is_type(*element, set.element()),
        (RowType::Map(element), Value::Map(map)) => is_type(*element, map.element()),
        _ => false,
    }
}

/// Returns true if a constant row type is primitive and denotes the given type.
fn is_type(shape: RowType, ty: &Type) -> bool {
    matches!(
        (shape, ty),
        (RowType::Bool, Type::Bool)
            | (RowType::Number, Type::Number)
            | (RowType::String, Type::String)
    )
}

/// Returns the result of a call of `body` with the converted arguments `given`: an error for a null that the parameter's row
/// does not pass on, an unknown for such an unknown, else what `body` returns. The marks that the body does not see are added
/// to the result.
fn run(
    function: &Function,
    given: &[Value],
    context: &CallContext<'_>,
    body: &dyn Fn(&CallArgs<'_>) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    let mut seen: Cow<'_, [Value]> = Cow::Borrowed(given);
    let mut marks = Marks::NONE;
    // The marks of a result that is unknown because of an argument.
    let mut waiting = Marks::NONE;
    for (index, arg) in given.iter().enumerate().filter(|(_, arg)| arg.has_marks()) {
        let Some(param) = function.param(index) else { continue };
        let is_kept = !param.drops_pending_marks.includes(context.semantics.edition());
        if param.marked {
            if is_kept {
                waiting = waiting.union(&arg.deep_marks());
            }
        } else {
            charge::rebuilt_argument(arg, context)?;
            let (bare, own) = arg.unmark_deep();
            if is_kept {
                waiting = waiting.union(&own);
            }
            marks = marks.union(&own);
            seen.to_mut()[index] = bare;
        }
    }
    let args = CallArgs { function, values: &seen, given, context };
    if let Some(open) = function.open
        && seen.iter().any(|arg| arg.known_parts().is_some())
        && let Some(result) = open(&args)
    {
        return Ok(result.marked(&marks));
    }
    let mut waits = false;
    for (index, arg) in seen.iter().enumerate() {
        let Some(param) = function.param(index) else { continue };
        let bare = arg.bare();
        if matches!(bare, Value::Null(_)) && !param.null.includes(context.semantics.edition()) {
            return Err(null_argument(index, param.name));
        }
        let untyped = match bare {
            Value::Unknown(unknown) => unknown.ty == Type::Dynamic,
            Value::Null(ty) => ty.is_bare(),
            _ => false,
        };
        if untyped && !param.dynamic {
            let mut causes = causes(given);
            // The reference programs treat an untyped null like an unknown.
            if causes.is_empty() && bare.is_null() {
                // Without a cause, the unknown would count as the consequence of an error.
                causes = context.site.undecided(function.name);
            }
            return Ok(Value::unknown_because(Type::Dynamic, causes).mark(&waiting));
        }
        waits |= matches!(bare, Value::Unknown(_)) && !param.unknown;
    }
    let result = if waits {
        let ty = match function.returns {
            ReturnType::Shape(shape) => shape.to_type(),
            ReturnType::By(decide) => decide(&args)?,
        };
        marks = waiting;
        Value::unknown_because(ty, causes(given))
    } else {
        body(&args)?
    };
    Ok(keep_promise(function.promise, result, context).marked(&marks))
}

/// Returns a call's result, refined to be not null if it is unknown and the function's row guarantees that.
fn keep_promise(promise: ResultPromise, result: Value, context: &CallContext<'_>) -> Value {
    let promised = match promise {
        ResultPromise::Nothing => false,
        ResultPromise::NotNull => true,
        ResultPromise::NotNullIn(editions) => editions.includes(context.semantics.edition()),
    };
    match result.bare() {
        Value::Unknown(unknown) if promised && unknown.ty != Type::Dynamic => {
            result.refine_not_null()
        }
        _ => result,
    }
}

/// Creates the failure for a null argument of a parameter that does not accept null.
pub(crate) fn null_argument(index: usize, parameter: &str) -> Failure {
    let message = format!("The argument for \"{parameter}\" is null; give a value.");
    Failure::argument(index, Sentence::trusted(message))
}
