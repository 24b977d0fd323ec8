//! What is shown of something beside the resources: its value where that is known, else its code. What is not to be shown
//! is left out when this is made, so that nothing of it can get any further.

use std::sync::Arc;

use groma_value::{Str, Value};

/// The text in place of a part that is not to be shown.
pub(super) const HIDDEN: &str = "(sensitive value)";

/// Something as a reader sees it.
#[derive(Clone, Debug, Default)]
pub enum BesideValue {
    /// A value that is known, without marks.
    Value(Value),
    /// The code as it is written.
    Code(Str),
    /// Several things by their names, as a block holds them.
    Parts(Arc<[(Str, BesideValue)]>),
    /// Something that is not to be shown.
    #[default]
    Hidden,
}

impl BesideValue {
    /// Returns what may be shown of a value that is wholly known.
    pub(super) fn of(value: &Value) -> BesideValue {
        if value.marks().hide() {
            return BesideValue::Hidden;
        }
        BesideValue::Value(visible(value))
    }
}

/// The words in names of arguments whose values are secrets, whatever a schema says or does not say of them.
const SECRET: [&str; 12] = [
    "access_key",
    "api_key",
    "client_key",
    "conn_str",
    "credential",
    "customer_key",
    "encryption_key",
    "http_auth",
    "passphrase",
    "password",
    "private_key",
    "provided_key",
];

/// Words that are secrets at the end of a name only.
const SECRET_AT_END: [&str; 2] = ["secret", "token"];

/// Returns true if the value of an argument of that name is not to be shown.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name.contains(word))
        || SECRET_AT_END.iter().any(|word| name.ends_with(word))
        || name.contains("secret_key")
}

/// Returns true if code gives something the name of a secret, as in `PASSWORD = "…"`.
pub(super) fn names_secret(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let word = &rest[start..];
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let after = word[end..].trim_start_matches(['"', ' ', '\t']);
        let is_given = after.starts_with([':', '=']) && !after.starts_with("==");
        if is_given && is_secret(&word[..end]) {
            return true;
        }
        rest = &word[end..];
    }
    false
}

/// A text without the lines that give something the name of a secret.
fn without_secrets(text: &str) -> Str {
    let line = |line: &str| if names_secret(line) { HIDDEN.to_owned() } else { line.to_owned() };
    let all: Vec<String> = text.split('\n').map(line).collect();
    Str::from(all.join("\n"))
}

/// The value without marks, and without what they or the names in it say is not to be shown. Collections are tuples and
/// objects in it, as their elements need not stay of one type.
fn visible(value: &Value) -> Value {
    let hidden = || Value::String(Str::from(HIDDEN));
    if value.marks().hide() {
        return hidden();
    }
    let entry = |name: &Str, value: &Value| {
        let is_hidden = is_secret(name) && !value.is_null();
        (name.clone(), if is_hidden { hidden() } else { visible(value) })
    };
    let tuple = |items: &[Value]| Value::tuple(items.iter().map(visible).collect());
    match value.bare() {
        Value::Object(object) => {
            Value::object(object.iter().map(|(name, value)| entry(name, value)).collect::<Vec<_>>())
        }
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(name, value)| entry(name, value));
            Value::object(entries.collect::<Vec<_>>())
        }
        Value::String(text) if names_secret(text) => Value::String(without_secrets(text)),
        Value::Tuple(tuple_value) => tuple(tuple_value.items()),
        Value::List(list) => tuple(list.items()),
        Value::Set(set) => tuple(set.items()),
        other => other.clone(),
    }
}
