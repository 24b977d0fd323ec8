//! Conversion between bools, numbers and strings. Every bool and number has a text; text is a
//! number or a bool only if it is spelled like one; numbers and bools never mix.

use super::{Changed, MessageVisibility};
use crate::print::{number, quoted};
use crate::{Mismatch, Number, Type, Value};

/// Converts a bool, number or string to another primitive type; `None` if it has that type already.
pub(super) fn changed(value: &Value, to: &Type, shown: MessageVisibility) -> Changed {
    match (value, to) {
        (Value::Bool(_), Type::Bool)
        | (Value::Decimal(_) | Value::Real(_), Type::Number)
        | (Value::String(_), Type::String) => Ok(None),
        (Value::Bool(b), Type::String) => Ok(Some(Value::text(if *b { "true" } else { "false" }))),
        (_, Type::String) if let Some(n) = value.as_number() => Ok(Some(Value::text(number(&n)))),
        (Value::String(text), Type::Number) => match Number::parse(text) {
            Some(n) => Ok(Some(n.into())),
            None if shown.0 => {
                Err(Mismatch::new(format!("a number is required, {} is not one", excerpt(text))))
            }
            None => Err(Mismatch::new("a number is required, this sensitive text is not one")),
        },
        (Value::String(text), Type::Bool) => match text.as_ref() {
            "true" | "1" => Ok(Some(Value::TRUE)),
            "false" | "0" => Ok(Some(Value::FALSE)),
            _ if !shown.0 => {
                Err(Mismatch::new("a bool is required, this sensitive text is not one"))
            }
            other => {
                let hint = match other.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" => "; write true",
                    "false" | "no" | "off" => "; write false",
                    _ => "",
                };
                Err(Mismatch::new(format!(
                    "a bool is required, {} is not one{hint}",
                    excerpt(other)
                )))
            }
        },
        _ => Err(super::mismatch(&value.ty(), to)),
    }
}

/// Returns a text in quotes for messages, cut off if it is long.
fn excerpt(text: &str) -> String {
    /// Maximum number of characters of a text that a message quotes.
    const CHARS: usize = 40;
    match text.char_indices().nth(CHARS) {
        None => quoted(text),
        Some((end, _)) => format!("{} (cut short)", quoted(&text[..end])),
    }
}
