//! `jsonencode` and `jsondecode`. Something is certain even of unknowns: how the JSON text of a list or an object begins, and
//! what type a text decodes to if its first character is known.

use groma_runtime::Semantics;
use groma_value::{Refinement, Str, Type, Value, json};

use crate::call::charge::ELEMENT;
use crate::{CallArgs, Failure};
use crate::{CallCost, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType};

/// The rows of `jsondecode` and `jsonencode`.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "jsondecode",
        params: &[ParameterRow::new("json", RowType::String)],
        returns: ReturnType::By(decoded_type),
        promise: ResultPromise::Nothing,
        doc: "Returns the value that a JSON text spells: objects give objects, arrays give tuples.",
        body: FunctionBody::Plain(jsondecode),
        ..Function::ROW
    },
    Function {
        name: "jsonencode",
        params: &[ParameterRow::new("value", RowType::Any).nullable().lazy().dynamic()],
        returns: ReturnType::Shape(RowType::String),
        cost: CallCost::Input,
        doc: "Returns the value as JSON text, without blanks, object keys sorted.",
        body: FunctionBody::Plain(jsonencode),
        ..Function::ROW
    },
];

/// Implements `jsonencode`: returns a value as JSON text, with sorted keys.
fn jsonencode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    if !value.is_wholly_known() {
        let prefix = match args.context.semantics.known_starts {
            true => opening(value),
            false => Str::default(),
        };
        let refinement = Refinement { not_null: true, prefix, ..Refinement::default() };
        return Ok(args.refined(Type::String, refinement));
    }
    args.check_weight(value)?;
    let bytes = encoded_length(value);
    args.check_bytes(bytes)?;
    args.charge_bytes(bytes.saturating_mul(2))?;
    json::encode(value).map(Value::text).map_err(|why| {
        Failure::whole(format!("The value has no JSON text: {}.", why.message)).at(why.path)
    })
}

/// Returns an estimate of the length of a value's JSON text in bytes, to check it against the limits of the evaluation; it
/// includes the escapes only for a value of at least [`LONG`] bytes.
fn encoded_length(value: &Value) -> usize {
    let weight = usize::try_from(value.measure().weight).unwrap_or(usize::MAX);
    if weight < LONG {
        return weight;
    }
    // An escaped byte becomes six bytes.
    let escapes = |text: &str| text.bytes().filter(|b| *b < b' ' || b"\"\\<>&".contains(b)).count();
    let mut more = 0usize;
    value.visit(&mut |part| {
        match part {
            Value::String(text) => more = more.saturating_add(escapes(text)),
            Value::Map(map) => map.entries().iter().for_each(|(key, _)| more += escapes(key)),
            Value::Object(object) => object.iter().for_each(|(name, _)| more += escapes(name)),
            _ => {}
        }
        true
    });
    weight.saturating_add(more.saturating_mul(5))
}

/// The approximate size of a value in bytes from which [`encoded_length`] counts the escapes in its JSON text.
const LONG: usize = 1 << 20;

/// Returns the certain beginning of a value's JSON text, such as `{` for an object; empty if the value may be null or its type
/// does not determine it.
fn opening(value: &Value) -> Str {
    let not_null = match value.bare() {
        Value::Unknown(unknown) => unknown.refinement.not_null,
        _ => true,
    };
    let text = match value.ty() {
        Type::String => "\"",
        Type::Object(_) | Type::Map(_) => "{",
        Type::Tuple(_) | Type::List(_) | Type::Set(_) => "[",
        _ => "",
    };
    Str::from(if not_null { text } else { "" })
}

/// Returns the result type of `jsondecode` for an unknown text, by its known prefix; dynamic if that does not determine it.
fn decoded_type(args: &CallArgs<'_>) -> Result<Type, Failure> {
    let Value::Unknown(unknown) = args.value(0).bare() else { return Ok(Type::Dynamic) };
    match unknown.refinement.prefix.trim_start().chars().next() {
        Some('"') => Ok(Type::String),
        Some('t' | 'f') => Ok(Type::Bool),
        Some('-' | '0'..='9') => Ok(Type::Number),
        None | Some('{' | '[' | 'n') => Ok(Type::Dynamic),
        Some(other) => Err(args.fail(0, format!("A JSON text cannot start with {other:?}."))),
    }
}

/// Implements `jsondecode`: returns the value of a JSON text.
fn jsondecode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let decode = match args.context.semantics.json_duplicates_checked {
        true => json::decode,
        false => json::decode_loose,
    };
    let parts = args.text(0).bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    args.charge_steps(parts / 4)?;
    args.charge_bytes(parts.saturating_mul(ELEMENT))?;
    decode(args.text(0)).map_err(|why| {
        if json::decode_loose(args.text(0)).is_ok() {
            args.context.semantics.note(Semantics::JSON_DUPLICATES_CHECKED);
        }
        let at = why.offset;
        Failure::whole(format!("The text is not JSON: {} (at byte {at}).", why.message))
    })
}
