//! A value as it may stand in a sentence. Callers hide marked values themselves.

use groma_value::{Type, Value, print};

const LONGEST: usize = 40;

/// The value in a few words.
pub(crate) fn brief(value: &Value) -> String {
    match value.bare() {
        Value::Null(_) => "null".to_owned(),
        Value::Unknown(_) => "an unknown value".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => cut(&number.to_text()),
        Value::String(text) => format!("{:?}", cut(text)),
        Value::List(list) => counted("a list", list.items().len()),
        Value::Set(set) => counted("a set", set.items().len()),
        Value::Tuple(tuple) => counted("a tuple", tuple.items().len()),
        Value::Map(map) => counted("a map", map.entries().len()),
        Value::Object(object) => counted("an object", object.len()),
        Value::Marked(_) => "a sensitive value".to_owned(),
    }
}

fn counted(what: &str, count: usize) -> String {
    format!("{what} with {}", plural(count, "element"))
}

/// `1 element`, `3 elements`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The type with an article: `a list of string`, `an object`.
pub(crate) fn type_of(ty: &Type) -> String {
    match ty {
        // Its only value that a body sees and that is known.
        Type::Dynamic => "null".to_owned(),
        ty => print::with_article(ty),
    }
}
