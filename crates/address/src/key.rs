//! Instance keys. A key is written as a quoted string of the language, so it may contain dots, quotes and brackets.

use groma_value::Str;

/// The key of one instance of a repeated block.
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
    /// Returns the key in address notation: `[0]`, `["a"]`, or an empty text.
    pub fn suffix(&self) -> String {
        match self {
            InstanceKey::None => String::new(),
            InstanceKey::Number(number) => format!("[{number}]"),
            InstanceKey::Text(text) => {
                let mut quoted = String::with_capacity(text.len() + 4);
                quoted.push_str("[\"");
                let is_written = |byte: u8| {
                    !byte.is_ascii_control() && !matches!(byte, b'"' | b'\\' | b'$' | b'%')
                };
                match text.bytes().all(is_written) {
                    true => quoted.push_str(text),
                    false => quote(text, &mut quoted),
                }
                quoted.push_str("\"]");
                quoted
            }
        }
    }
}

/// Appends a text with the escapes of a quoted string.
fn quote(text: &str, out: &mut String) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Otherwise it would read as the start of a template.
            '$' | '%' if rest.peek() == Some(&'{') => out.extend([c, c]),
            c => out.push(c),
        }
    }
}
