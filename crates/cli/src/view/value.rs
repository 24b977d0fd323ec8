//! Values as the command line gives them: console text, bare text, JSON with unknowns as null or kept. Every leaf is
//! written by the value crate; only the shapes around unknowns are ours.

use groma_eval::{Surroundings, causes_json};
use groma_value::{Str, Type, Unknown, Value, codec, convert, print};

use super::json::{self, Object};

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
        Value::String(_) | Value::Number(_) | Value::Bool(_) => {}
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
    codec::json::plain(value)
}

/// JSON with `{"unknown":{…}}` in place of what is unknown.
pub(crate) fn json_keeping(value: &Value, reasons: &Surroundings<'_>) -> String {
    if value.is_wholly_known() {
        return json(value);
    }
    let items = |items: &[Value]| json::array(items.iter().map(|item| json_keeping(item, reasons)));
    match value.bare() {
        Value::Unknown(unknown) => kept(unknown, reasons),
        Value::List(list) => items(list.items()),
        Value::Set(set) => items(set.items()),
        Value::Tuple(tuple) => items(tuple.items()),
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (key, value));
            properties(entries, reasons)
        }
        Value::Object(object) => properties(object.iter(), reasons),
        known => json(known),
    }
}

fn properties<'v>(
    entries: impl Iterator<Item = (&'v Str, &'v Value)>,
    reasons: &Surroundings<'_>,
) -> String {
    entries
        .fold(Object::default(), |object, (name, value)| {
            object.with(name, &json_keeping(value, reasons))
        })
        .finish()
}

fn kept(unknown: &Unknown, reasons: &Surroundings<'_>) -> String {
    let about = Object::default()
        .with("type", &codec::json_type::write(&unknown.ty))
        .with("because", &causes_json(&unknown.causes, reasons))
        .finish();
    Object::default().with("unknown", &about).finish()
}
