//! Instance keys. A key is written as a quoted string of the language, so it may contain dots, quotes and brackets.

use std::fmt;

use groma_value::{Str, Value};

/// The key of one instance of a block: none, a number of `count` or a text of `for_each`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstanceKey {
    /// The single instance of a block without repetition.
    None,
    /// The position of an instance of `count`.
    Number(usize),
    /// The key of an instance of `for_each`.
    Text(Str),
}

impl InstanceKey {
    /// Returns the instance key that a number or string denotes; `None` for values that cannot be keys.
    pub fn of(value: &Value) -> Option<InstanceKey> {
        match value.bare() {
            Value::String(text) => Some(InstanceKey::Text(text.clone())),
            key => key.as_position().map(InstanceKey::Number),
        }
    }

    /// Returns the key in address notation: `[0]`, `["a"]`, or an empty text.
    pub fn suffix(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for InstanceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstanceKey::None => Ok(()),
            InstanceKey::Number(number) => write!(f, "[{number}]"),
            InstanceKey::Text(text) => {
                f.write_str("[\"")?;
                let is_written = |byte: u8| {
                    !byte.is_ascii_control() && !matches!(byte, b'"' | b'\\' | b'$' | b'%')
                };
                match text.bytes().all(is_written) {
                    true => f.write_str(text)?,
                    false => quote(text, f)?,
                }
                f.write_str("\"]")
            }
        }
    }
}

/// Writes a text to `out` with the escapes of a quoted string of the language.
fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            // Otherwise it would read as the start of a template.
            '$' | '%' if rest.peek() == Some(&'{') => write!(out, "{c}{c}")?,
            c => write!(out, "{c}")?,
        }
    }
    Ok(())
}
