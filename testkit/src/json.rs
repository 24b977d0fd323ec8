//! JSON with numbers kept as they are written: `1.50` and `1.5` are two numbers here, as they are in a recorded fact.
//!
//! Objects are sorted and compare without regard to order; of a repeated key the last counts.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;

/// A JSON value whose numbers are kept as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

/// Maximum nesting of a JSON value: above any recorded one, and low enough for a test thread's stack.
const DEPTH: usize = 512;

impl Json {
    /// Parses a text that is one JSON value.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn read(text: &str) -> Result<Json, String> {
        value(serde_json::from_str(text).map_err(told)?, 0)
    }

    /// Returns the value of a key; `None` if this is not an object, or has no such key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => entries.get(key),
            _ => None,
        }
    }

    /// Returns the string; `None` if this is not a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements; `None` if this is not an array.
    #[must_use]
    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the integer; `None` if this is not an integer of 64 bits.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(true) => out.write_str("true"),
            Json::Bool(false) => out.write_str("false"),
            Json::Number(text) => out.write_str(text),
            Json::Text(text) => quote(text, out),
            Json::List(items) => {
                out.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { "," })?;
                    item.fmt(out)?;
                }
                out.write_str("]")
            }
            Json::Object(entries) => {
                out.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { "," })?;
                    quote(key, out)?;
                    out.write_str(":")?;
                    value.fmt(out)?;
                }
                out.write_str("}")
            }
        }
    }
}

/// Writes a text as a JSON string.
fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

/// Converts a JSON text that was checked to be one value; `depth` is its level of nesting.
fn value(raw: &RawValue, depth: usize) -> Result<Json, String> {
    if depth > DEPTH {
        return Err(format!("more than {DEPTH} levels"));
    }
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let entries: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(told)?;
            let read = |(name, raw): (String, &RawValue)| Ok((name, value(raw, depth + 1)?));
            Json::Object(entries.into_iter().map(read).collect::<Result<_, String>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(told)?;
            let read = |raw: &RawValue| value(raw, depth + 1);
            Json::List(items.into_iter().map(read).collect::<Result<_, String>>()?)
        }
        Some(b'"') => Json::Text(serde_json::from_str(text).map_err(told)?),
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'n') => Json::Null,
        _ => Json::Number(text.to_owned()),
    })
}

/// Returns the message of an error of the JSON parser.
fn told(why: serde_json::Error) -> String {
    why.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_texts() {
        let read = |text| Json::read(text).unwrap();
        assert_ne!(read("1.0"), read("1.00"));
        assert_eq!(read("[-0, 1e5]").to_string(), "[-0,1e5]");
    }

    #[test]
    fn order_of_keys_does_not_count() {
        assert_eq!(Json::read(r#"{"b":1,"a":[]}"#), Json::read(r#" { "a" : [ ] , "b" : 1 } "#));
    }

    #[test]
    fn strings_come_back() {
        let text = "\"q\\\"\\\\\\n\\u0007é😀\"";
        assert_eq!(Json::read(text).unwrap().to_string(), text);
        assert_eq!(Json::read("\"\\ud83d\\ude00\""), Ok(Json::Text("😀".into())));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in
            ["", "01", "1.", "[1,]", "{\"a\"}", "\"\t\"", "nul", "1 2", "\"\\é\"", "{\"a\":1,}"]
        {
            assert!(Json::read(text).is_err(), "{text}");
        }
        assert!(Json::read(&"[".repeat(100_000)).is_err());
    }
}
