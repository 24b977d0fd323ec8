//! Quoting of text as a string literal of the language. The reference programs print values with other escapes; those are in
//! the crate `value`.

use std::fmt::Write as _;

use crate::is_printable;

/// Returns the text as a quoted template that evaluates to it: non-printing characters and template sequences are escaped.
pub fn quoted_template(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            // Doubled before a brace, so that no template sequence begins here.
            '$' | '%' if rest.as_str().starts_with('{') => out.extend([c, c]),
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                let written = match code {
                    0..0x10000 => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
                debug_assert!(written.is_ok());
            }
        }
    }
    out.push('"');
    out
}
