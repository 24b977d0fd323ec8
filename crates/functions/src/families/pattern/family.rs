//! `regex`, `regexall`, `replace` and Packer's `regex_replace`. The type of a match depends only on the groups of the pattern,
//! so an unknown text still gives a result of known type.

use std::sync::Arc;

use groma_runtime::Availability;
use groma_value::{Sentence, Str, Type, Value};

use super::{ClassRules, Pattern, PatternMatch};
use crate::call::charge::ELEMENT;
use crate::{
    CallArgs, CallCost, Failure, Function, FunctionBody, ParameterRow, ReturnType, RowType,
};

/// The row of the parameter `pattern`, a string.
const PATTERN: ParameterRow = ParameterRow::new("pattern", RowType::String);
/// The row of the parameter `string`, a string.
const STRING: ParameterRow = ParameterRow::new("string", RowType::String);

/// The rows of `regex`, `regexall`, `replace` and `regex_replace`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "regex",
        params: &[PATTERN, STRING],
        returns: ReturnType::By(one_type),
        cost: CallCost::Input,
        doc: "Returns the first match of a regular expression: its text, or its groups as a tuple \
              or, if they have names, as an object. Without a match it is an error.",
        body: FunctionBody::Plain(regex),
        ..Function::ROW
    },
    Function {
        name: "regex_replace",
        params: &[STRING, PATTERN, ParameterRow::new("replacement", RowType::String)],
        returns: ReturnType::Shape(RowType::String),
        dialects: Availability::PACKER,
        doc: "Returns the string with every match of a regular expression replaced; `$1` and \
              `${name}` in the replacement stand for groups.",
        body: FunctionBody::Plain(regex_replace),
        ..Function::ROW
    },
    Function {
        name: "regexall",
        params: &[PATTERN, STRING],
        returns: ReturnType::By(list_type),
        cost: CallCost::Input,
        doc: "Returns the list of all matches of a regular expression, each in the form that \
              `regex` gives; it is empty without a match.",
        body: FunctionBody::Plain(regexall),
        ..Function::ROW
    },
    Function {
        name: "replace",
        params: &[
            STRING,
            ParameterRow::new("substring", RowType::String),
            ParameterRow::new("replacement", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns the string with every occurrence of a substring replaced. A substring \
              between slashes is a regular expression, whose groups are `$1` and `${name}` in the \
              replacement; in Packer it is plain text too.",
        body: FunctionBody::Plain(replace),
        ..Function::ROW
    },
];

/// The form of a match as a value, by the groups of its pattern: a string, a tuple or an object.
enum MatchForm {
    /// The text of the match, without groups.
    Whole,
    /// The texts of this number of unnamed groups.
    Tuple(usize),
    /// The texts of groups with these names.
    Object(Vec<Str>),
}

/// The number of bytes charged for compiling each byte of a pattern.
const PROGRAM: usize = 160;

/// Returns the compiled regular expression `text` and charges for it; a failure is reported at the argument `index`.
fn compile(args: &CallArgs<'_>, index: usize, text: &str) -> Result<Arc<Pattern>, Failure> {
    args.charge_steps(text.len() / 4)?;
    args.charge_bytes(text.len().saturating_mul(PROGRAM))?;
    let semantics = args.context.semantics;
    let classes = ClassRules { loose: semantics.loose_class_names, unicode: semantics.characters };
    let made = args.context.readings.pattern(text, classes, || Pattern::new(text, classes));
    made.map_err(|error| {
        let shown = args.show(index);
        let message = format!(
            "{shown} is not a regular expression: at byte {}, {}.",
            error.at, error.message
        );
        args.fail(index, message)
    })
}

/// Returns the form of a pattern's matches as values; fails if only some of its groups have names.
fn form(args: &CallArgs<'_>, pattern: &Pattern) -> Result<MatchForm, Failure> {
    let names: Vec<Str> =
        pattern.groups().iter().flatten().map(|name| Str::from(name.as_str())).collect();
    match (pattern.groups().len(), names.len()) {
        (0, _) => Ok(MatchForm::Whole),
        (count, 0) => Ok(MatchForm::Tuple(count)),
        (count, named) if count == named => Ok(MatchForm::Object(names)),
        _ => {
            let message = "The pattern has groups with a name and groups without; name all of them, or write \
                           `(?:…)` for those that only group.";
            Err(args.fail(0, message))
        }
    }
}

impl MatchForm {
    /// Returns the type of a match in this form: string, tuple or object.
    fn ty(&self) -> Type {
        match self {
            MatchForm::Whole => Type::String,
            MatchForm::Tuple(count) => Type::tuple(vec![Type::String; *count]),
            MatchForm::Object(names) => {
                Type::object(names.iter().map(|name| (name.clone(), Type::String)))
            }
        }
    }

    /// Returns a match in `text` as a value of this form: a string, tuple or object.
    fn value(&self, text: &str, found: &PatternMatch) -> Value {
        let group = |range: &Option<(usize, usize)>| match range {
            Some((start, end)) => Value::from(&text[*start..*end]),
            None => Value::null(Type::String),
        };
        match self {
            MatchForm::Whole => Value::from(&text[found.whole.0..found.whole.1]),
            MatchForm::Tuple(_) => Value::tuple(found.groups.iter().map(group).collect()),
            MatchForm::Object(names) => {
                Value::object(names.iter().cloned().zip(found.groups.iter().map(group)))
            }
        }
    }
}

/// Returns the type of a match of the pattern that is the first argument; dynamic if that is unknown.
fn match_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    if !args.value(0).is_known() {
        return Ok(Type::Dynamic);
    }
    let pattern = compile(args, 0, args.text(0))?;
    Ok(form(args, &pattern)?.ty())
}

/// Returns the result type of `regex`: that of one match.
fn one_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    match_type(args)
}

/// Returns the result type of `regexall`: a list of matches.
fn list_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    Ok(Type::list(match_type(args)?))
}

/// Implements `regex`: returns the first match of a regular expression in a text; no match is an error.
fn regex(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let pattern = compile(args, 0, args.text(0))?;
    let form = form(args, &pattern)?;
    let text = args.text(1);
    args.charge_steps(text.len() / BYTES_A_STEP)?;
    match pattern.find(text) {
        Some(found) => Ok(form.value(text, &found)),
        None => Err(Failure::whole(Sentence::trusted(format!(
            "The pattern {} matches nothing in {}. Where no match is fine, use `regexall`, or `try` with a second choice.",
            args.show(0),
            args.show(1),
        )))),
    }
}

/// Implements `regexall`: returns all matches of a regular expression in a text.
fn regexall(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let pattern = compile(args, 0, args.text(0))?;
    let form = form(args, &pattern)?;
    let text = args.text(1);
    let parts = pattern.groups().len();
    let mut all = Vec::new();
    let walk = |bytes: usize| args.charge_steps(bytes / BYTES_A_STEP);
    pattern.each(text, walk, |found| {
        let texts: usize = found.groups.iter().flatten().map(|(start, end)| end - start).sum();
        let bytes = texts + found.whole.1 - found.whole.0 + (parts + 2) * 2 * ELEMENT;
        args.charge_steps(parts + 1)?;
        args.charge_bytes(bytes)?;
        all.push(form.value(text, found));
        args.check_elements(all.len())
    })?;
    Ok(Value::list(form.ty(), all))
}

/// Implements `replace`: returns a text with a substring, or a regular expression between slashes, replaced.
fn replace(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (text, part, replacement) = (args.text(0), args.text(1), args.text(2));
    let slashed = part.len() > 1 && part.starts_with('/') && part.ends_with('/');
    if slashed && args.context.semantics.regex_in_replace {
        // The failure is that of the whole call, since the text between the slashes is not an argument itself.
        let pattern = compile(args, 1, &part[1..part.len() - 1])
            .map_err(|failure| Failure::whole(failure.message))?;
        return replaced(args, &pattern, text, replacement);
    }
    let grown = replacement.len().saturating_sub(part.len());
    let more = text.matches(&**part).count().saturating_mul(grown);
    args.check_bytes(more.saturating_add(text.len()))?;
    args.charge_bytes(more.saturating_mul(2))?;
    Ok(Value::from(text.replace(&**part, replacement)))
}

/// Implements `regex_replace`: returns a text with every match of a regular expression replaced.
fn regex_replace(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let pattern =
        compile(args, 1, args.text(1)).map_err(|failure| Failure::whole(failure.message))?;
    replaced(args, &pattern, args.text(0), args.text(2))
}

/// Returns the text with every match of the pattern replaced, and charges for the searches and the result.
fn replaced(
    args: &CallArgs<'_>,
    pattern: &Pattern,
    text: &str,
    replacement: &str,
) -> Result<Value, Failure> {
    let mut length = 0;
    let walk = |bytes: usize| args.charge_steps(bytes / BYTES_A_STEP);
    let text = pattern.replace_all(text, replacement, walk, |more| {
        length += more;
        args.check_bytes(length)?;
        args.charge_steps(1)?;
        args.charge_bytes(more * 2)
    })?;
    args.check_bytes(text.len())?;
    Ok(Value::from(text))
}

/// The number of bytes searched by a regular expression that cost one step.
const BYTES_A_STEP: usize = 16;
