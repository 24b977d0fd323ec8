//! Display values of changes outside of resource bodies: a value if it is known, otherwise the code. Secrets are removed on
//! creation, so that no later stage can show them.

use std::sync::Arc;

use groma_value::{Str, Value};

/// The text displayed in place of a sensitive or secret value or line of code.
pub(super) const HIDDEN: &str = "(sensitive value)";

/// The form in which one side of a change outside of resource bodies is displayed.
#[derive(Clone, Debug, Default)]
pub enum OutsideValue {
    /// A known value without marks.
    Value(Value),
    /// Source text of an expression.
    Code(Str),
    /// Named parts, such as those of a block.
    Parts(Arc<[(Str, OutsideValue)]>),
    /// A hidden value.
    #[default]
    Hidden,
}

impl OutsideValue {
    /// Returns the display value of a wholly known value.
    pub(super) fn of(value: &Value) -> OutsideValue {
        if value.marks().hide() {
            return OutsideValue::Hidden;
        }
        OutsideValue::Value(visible(value))
    }
}

/// Words in argument names whose values are secrets even if no schema says so.
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

/// Words that denote a secret only at the end of an argument's name.
const SECRET_AT_END: [&str; 2] = ["secret", "token"];

/// Returns true if the value of an argument with that name is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name.contains(word))
        || SECRET_AT_END.iter().any(|word| name.ends_with(word))
        || name.contains("secret_key")
}

/// Returns true if code assigns a value to a name of a secret, as in `PASSWORD = "…"`.
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

/// Returns a text in which lines that assign to a name of a secret are replaced.
fn without_secrets(text: &str) -> Str {
    let line = |line: &str| if names_secret(line) { HIDDEN.to_owned() } else { line.to_owned() };
    let all: Vec<String> = text.split('\n').map(line).collect();
    Str::from(all.join("\n"))
}

/// Returns a value without marks and with placeholders for its secrets. Its collections become tuples and objects, because the
/// types of their elements may differ then.
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
