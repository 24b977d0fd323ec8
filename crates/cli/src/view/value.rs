//! Values as the command line gives them: console text, bare text, JSON with unknowns as null or kept. Every leaf is
//! written by the value crate.

use groma::json::{JsonLayout, JsonText, ResultContext};
use groma::{
    Type, Value, json,
    values::{convert, print},
};
use groma_document::write_keeping;

/// The console's text.
pub(crate) fn text(value: &Value) -> String {
    print::console(value)
}

/// The same without the names of conversions, for a language that has none of these.
pub(crate) fn plain_text(value: &Value) -> String {
    print::plain(value)
}

/// The type as the console's `type()` prints it.
pub(crate) fn type_text(value: &Value) -> String {
    print::print_type(&value.ty())
}

/// Text, a number or a bool as it is; the error says what it is instead.
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

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// JSON with null in place of what is unknown.
pub(crate) fn json(value: &Value) -> String {
    json::plain(value)
}

/// JSON with `{"unknown":{…}}` in place of what is unknown.
pub(crate) fn json_keeping(value: &Value, reasons: &ResultContext<'_>) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write_keeping(value, reasons, &mut out);
    out.into_string()
}
