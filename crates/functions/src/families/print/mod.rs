//! `format` and `formatlist`. While an argument is unknown nothing is checked, not even the format: the result is unknown and
//! begins with the text before the first directive.

mod directive;
mod render;

use groma_runtime::Semantics;
use groma_value::sentence::plural;
use groma_value::{Refinement, Type, Value};

use self::directive::FormatPiece;
use self::render::{RenderSettings, render};
use crate::call::argument::items;
use crate::call::charge::ELEMENT;
use crate::{
    CallArgs, Failure, FailureKind, Function, FunctionBody, ParameterRow, ReturnType, RowType,
};

/// The row of the parameter `format` of `format` and `formatlist`, a string.
const FORMAT: ParameterRow = ParameterRow::new("format", RowType::String);
/// The row of the parameter `args` for all arguments after the format, of any type; nulls and unknowns are passed to the
/// function's body.
const ARGS: ParameterRow = ParameterRow::new("args", RowType::Any).nullable().lazy().dynamic();

/// Maximum width and precision of a format directive.
const WIDEST: usize = 1 << 20;

/// The rows of `format` and `formatlist`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "format",
        params: &[FORMAT],
        rest: Some(ARGS),
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns the format text with each directive (`%s`, `%d`, `%05.2f`, `%q` …) replaced by \
              an argument.",
        body: FunctionBody::Plain(format),
        ..Function::ROW
    },
    Function {
        name: "formatlist",
        params: &[FORMAT],
        rest: Some(ARGS),
        returns: ReturnType::Shape(RowType::List(&RowType::String)),
        doc: "Returns a list of strings, each formatted as `format` does with one element of every list argument; \
              other arguments are the same for all.",
        body: FunctionBody::Plain(formatlist),
        ..Function::ROW
    },
];

/// Returns the formatting settings for the call's edition and limits.
fn setting(args: &CallArgs<'_>) -> RenderSettings {
    RenderSettings {
        unicode: args.context.semantics.unicode,
        widest: WIDEST.min(args.context.limits.value_bytes),
    }
}

/// Returns true if an argument of unknown type or an untyped null leaves the type of the whole result unknown, as it does in
/// editions in which formats do not take untyped nulls.
fn waits_for_type(args: &CallArgs<'_>, value: &Value) -> bool {
    let untyped = match value.bare() {
        Value::Null(ty) => {
            let is_bare = ty.is_bare();
            if is_bare {
                args.context.semantics.note(Semantics::FORMAT_TAKES_BARE_NULL);
            }
            is_bare
        }
        Value::Unknown(unknown) => unknown.ty == Type::Dynamic,
        _ => false,
    };
    untyped && !args.context.semantics.format_takes_bare_null
}

/// Implements `format`: returns a format string with its directives replaced by arguments.
fn format(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let given = args.from(1);
    if given.iter().any(|value| waits_for_type(args, value)) {
        return Ok(args.unknown(Type::Dynamic));
    }
    if !given.iter().all(Value::is_wholly_known) {
        let text = args.text(0);
        let known = &text[..text.find('%').unwrap_or(0)];
        return Ok(
            args.refined(Type::String, Refinement::prefixed(known, args.context.semantics.unicode))
        );
    }
    format_values(args, given).map(Value::from)
}

/// Formats known values by the call's format string and returns the text.
fn format_values(args: &CallArgs<'_>, values: &[Value]) -> Result<String, Failure> {
    let setting = setting(args);
    let directives = args.text(0).bytes().filter(|byte| *byte == b'%').count();
    args.charge_bytes(directives.saturating_mul(2 * size_of::<FormatPiece<'_>>()))?;
    let pieces = directive::scan(args.text(0)).map_err(Failure::whole)?;
    let mut out = String::new();
    let mut next = 1;
    let mut used = 0;
    for piece in pieces {
        args.charge_steps(1)?;
        let directive = match piece {
            FormatPiece::Literal(text) => {
                out.push_str(text);
                continue;
            }
            FormatPiece::Directive(directive) => directive,
        };
        let number = directive.number.unwrap_or(next);
        next = number.saturating_add(1);
        used = used.max(number);
        let Some(value) = values.get(number - 1) else {
            let have = match values.len() {
                0 => "none is given".to_owned(),
                1 => "only 1 is given".to_owned(),
                have => format!("only {have} are given"),
            };
            let message = format!(
                "{:?} needs argument {number} after the format, but {have}.",
                directive.text
            );
            return Err(Failure::whole(message));
        };
        match render(&directive, value, setting) {
            Ok(text) => {
                args.charge_bytes(text.len().saturating_mul(2))?;
                args.charge_steps(text.len() / 64)?;
                out.push_str(&text);
            }
            Err(why) => {
                let shown = args.show_part(number, value);
                let message = match args.is_hidden(number) {
                    // The reason is omitted, since it may quote the value.
                    true => {
                        format!("{:?} cannot print argument {number}, {shown}.", directive.text)
                    }
                    false => format!(
                        "{:?} cannot print argument {number}, {shown}: {why}.",
                        directive.text
                    ),
                };
                return Err(Failure::whole(message));
            }
        }
        if out.len() > args.context.limits.value_bytes {
            let limit = args.context.limits.value_bytes;
            return Err(Failure::whole(format!("The text would be longer than {limit} bytes.")));
        }
    }
    if used < values.len() {
        let message = format!(
            "The format uses {used} of the {} arguments after it; remove this one.",
            values.len()
        );
        return Err(args.fail(used + 1, message));
    }
    Ok(out)
}

/// The contribution of an argument to the results of `formatlist`: its elements, one value for all, or unknown.
enum ListSource<'v> {
    /// The elements of a collection, one for each result.
    Each(&'v [Value]),
    /// One value for all results.
    Same(&'v Value),
    /// An unknown collection, with the number of its elements if it is a tuple.
    Waiting(Option<usize>),
}

/// Returns what an argument of `formatlist` contributes to each result: an element, always the same value, or an unknown.
fn source(value: &Value) -> ListSource<'_> {
    match value.bare() {
        // Unknown elements of a set may turn out to be equal, unless there is only one element.
        Value::Set(set) if set.items().len() > 1 && !value.is_wholly_known() => {
            ListSource::Waiting(None)
        }
        Value::Unknown(unknown) => match &unknown.ty {
            Type::List(_) | Type::Set(_) | Type::Dynamic => ListSource::Waiting(None),
            Type::Tuple(tuple) => ListSource::Waiting(Some(tuple.elements().len())),
            _ => ListSource::Same(value),
        },
        _ => match items(value) {
            Some(items) => ListSource::Each(items),
            None => ListSource::Same(value),
        },
    }
}

/// Implements `formatlist`: returns a list of strings, each formatted with one element of every list argument.
fn formatlist(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let given = args.from(1);
    let strings = Type::list(Type::String);
    if given.iter().any(|value| waits_for_type(args, value)) {
        return Ok(args.unknown(Type::Dynamic));
    }
    let sources: Vec<ListSource<'_>> = given.iter().map(source).collect();
    let mut length: Option<(usize, usize)> = None;
    for (index, source) in sources.iter().enumerate() {
        let own = match source {
            ListSource::Each(items) => items.len(),
            ListSource::Waiting(Some(own)) => *own,
            ListSource::Same(_) | ListSource::Waiting(None) => continue,
        };
        match length {
            Some((first, count)) if count != own => {
                let message = format!(
                    "Argument {} has {} and argument {} has {count}; all lists must be of one length.",
                    index + 2,
                    plural(own, "element"),
                    first + 2
                );
                return Err(args.fail(index + 1, message));
            }
            Some(_) => {}
            None => length = Some((index, own)),
        }
    }
    if sources.iter().any(|source| matches!(source, ListSource::Waiting(_))) {
        return Ok(args.unknown(strings));
    }
    let rows = length.map_or(1, |(_, count)| count);
    args.check_elements(rows)?;
    args.charge_bytes(rows.saturating_mul(ELEMENT))?;
    let mut texts = Vec::with_capacity(rows);
    for row in 0..rows {
        let values: Vec<Value> = sources
            .iter()
            .map(|source| match source {
                ListSource::Each(items) => items.get(row).cloned().unwrap_or(Value::NULL),
                ListSource::Same(value) => (*value).clone(),
                ListSource::Waiting(_) => Value::NULL,
            })
            .collect();
        if values.iter().all(Value::is_wholly_known) {
            // The failure of one result is that of the whole call.
            let text = format_values(args, &values).map_err(|failure| match failure.kind {
                FailureKind::Limit(_) | FailureKind::LeftOut => failure,
                _ => Failure::whole(failure.message),
            })?;
            texts.push(Value::from(text));
        } else {
            texts.push(args.refined(Type::String, Refinement::not_null()));
        }
    }
    Ok(Value::list(Type::String, texts))
}
