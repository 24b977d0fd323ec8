//! Values in the output forms of the command line: console text, raw text, and JSON with unknowns as null or described. The
//! value crate writes the leaves.

use groma::json::{JsonLayout, JsonText, ResultContext};
use groma::{
    Type, Value, json,
    values::{convert, print},
};
use groma_document::write_keeping;

/// Returns a value as Terraform's console prints it.
pub(crate) fn text(value: &Value) -> String {
    print::console(value)
}

/// Returns a value as text without conversion calls such as `tolist`, for Packer.
pub(crate) fn plain_text(value: &Value) -> String {
    print::plain(value)
}

/// Returns the type of a value as the console's `type()` prints it.
pub(crate) fn type_text(value: &Value) -> String {
    print::print_type(&value.ty())
}

/// Returns a string, number or bool without quotes; the error says what the value is instead.
pub(crate) fn raw(value: &Value) -> Result<String, String> {
    let (bare, _) = value.unmark_deep();
    match &bare {
        Value::String(_) | Value::Decimal(_) | Value::Real(_) | Value::Bool(_) => {}
        Value::Unknown(_) => return Err("it is unknown".to_string()),
        other if other.is_null() => return Err("it is null".to_string()),
        other => return Err(format!("it is {}", with_article(&print::type_name(&other.ty())))),
    }
    match convert(&bare, &Type::String) {
        Ok(Value::String(text)) => Ok(text.to_string()),
        _ => Err("it cannot be written as text".to_string()),
    }
}

/// Returns a noun with its indefinite article.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// Returns a value as JSON with null in place of unknowns.
pub(crate) fn json(value: &Value) -> String {
    json::plain(value)
}

/// Returns a value as JSON with `{"unknown":{…}}`, which tells the cause, in place of each unknown; `reasons` holds the causes.
pub(crate) fn json_keeping(value: &Value, reasons: &ResultContext<'_>) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write_keeping(value, reasons, &mut out);
    out.into_string()
}
