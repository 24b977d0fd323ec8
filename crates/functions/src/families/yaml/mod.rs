//! `yamldecode` and `yamlencode`. The parser derives from the same C library as that of the reference programs, so both accept
//! and refuse the same texts; the meaning of scalars is decided here.

mod guard;
mod read;
mod scalar;
mod write;

use groma_value::{Type, Value};

use crate::call::charge::ELEMENT;
use crate::readings::YamlSettings;
use crate::{
    CallArgs, Failure, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType,
};

/// Maximum nesting depth of a YAML document to be read.
const NESTING: usize = 150;

/// The rows of `yamldecode` and `yamlencode`.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "yamldecode",
        params: &[ParameterRow::new("src", RowType::String)],
        returns: ReturnType::By(|_| Ok(Type::Dynamic)),
        doc: "Returns the value that a YAML text holds: one document, with the types of YAML 1.1.",
        body: FunctionBody::Plain(decode),
        ..Function::ROW
    },
    Function {
        name: "yamlencode",
        params: &[ParameterRow::new("value", RowType::Any).nullable().dynamic().lazy()],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::Nothing,
        doc: "Returns a value as YAML text.",
        body: FunctionBody::Plain(encode),
        ..Function::ROW
    },
];

/// Implements `yamldecode`: returns the value of a YAML text.
fn decode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let limits = args.context.limits;
    let older = args.context.semantics.older_yaml;
    let bounds =
        read::YamlBounds { nesting: limits.nesting.min(NESTING), elements: limits.elements };
    let reading =
        scalar::ScalarRules { older, merge_lists: args.context.semantics.yaml_merge_lists };
    // The characters that may end a node: each node is allocated as an event and as a value.
    let ends = |byte: &u8| matches!(byte, b'\n' | b',' | b':');
    let parts = args.text(0).bytes().filter(ends).count();
    args.charge_steps(parts)?;
    args.charge_bytes(parts.saturating_mul(3 * ELEMENT))?;
    let text = args.text(0);
    let settings = YamlSettings {
        older,
        merges_lists: reading.merge_lists,
        nesting: bounds.nesting,
        elements: bounds.elements,
    };
    match args.context.readings.document(text, settings, || read::read(text, reading, bounds)) {
        // Older editions treat an untyped null as unknown.
        Ok(Value::Null(ty)) if older && ty.is_bare() => Ok(args.unknown(Type::Dynamic)),
        Ok(value) => Ok(value),
        Err(why) => {
            Err(Failure::whole(format!("This is not a YAML document that can be read: {why}.")))
        }
    }
}

/// Implements `yamlencode`: returns a value as YAML text.
fn encode(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let value = args.value(0);
    if !value.is_wholly_known() {
        return Ok(args.unknown(Type::String));
    }
    // The indentation of each line grows with its depth.
    let measure = value.measure();
    let lines = usize::try_from(measure.weight / 16).unwrap_or(usize::MAX);
    let bytes = lines.saturating_mul(2 * measure.depth as usize);
    args.check_weight(value)?;
    args.charge_steps(bytes / 256)?;
    args.charge_bytes(bytes)?;
    let text = write::write(value).map_err(|mismatch| Failure::whole(mismatch.message))?;
    Ok(Value::from(text))
}
